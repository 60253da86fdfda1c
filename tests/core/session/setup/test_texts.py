"""Editing the text of others' files: ours goes in and comes out, and theirs keeps every byte."""

from __future__ import annotations

import json
import tomllib
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ccos_core.errors import CcosError, NotUnderstood, Refused
from ccos_core.session.setup import json_text, toml_text
from ccos_core.session.setup.editing import containers, has_ours, with_ours, without_ours
from ccos_core.session.setup.hosts import Target
from tests.core.session.setup.configurations import (
    TARGETS,
    as_host_reads,
    json_texts,
    program,
    target_of,
    toml_texts,
)

JSON_TARGETS = [each for each in TARGETS if each.form in ("json", "hooks", "both")]
SERVER = target_of("json", "claude-code")
TOML = target_of("toml")


def said_by(text: str) -> Any:
    """What our reader makes of it, numbers as numbers."""

    def usual(node: Any) -> Any:
        if isinstance(node, tuple):
            return int(node[1])
        if isinstance(node, list):
            return [usual(each) for each in node]
        return {key: usual(each) for key, each in node.items()} if isinstance(node, dict) else node

    return usual(json_text.plain(text, json_text.parsed(text)))


def bare(text: str) -> str:
    return "".join(text.split())


@given(json_texts())
def test_what_people_write_is_read(made: tuple[str, dict[str, Any]]) -> None:
    text, value = made
    assert said_by(text) == value


@given(json_texts(), st.sampled_from(JSON_TARGETS))
def test_ours_goes_in_once_and_comes_out(made: tuple[str, dict[str, Any]], target: Target) -> None:
    text = as_host_reads(made, target)
    data = text.encode()
    wired = with_ours(data, target)
    assert has_ours(wired, target)
    assert with_ours(wired, target) == wired
    assert bare(without_ours(wired, target, containers(data, target)).decode()) == bare(text)


@given(json_texts(), st.sampled_from(JSON_TARGETS))
def test_what_others_wrote_stays_in_its_order(made: tuple[str, dict[str, Any]], target: Target) -> None:
    """Every sign of theirs is there, in order, with ours between them."""
    text = as_host_reads(made, target)
    signs = iter(bare(with_ours(text.encode(), target).decode()))
    assert all(sign in signs for sign in bare(text))


@given(json_texts(layout=False), st.sampled_from(JSON_TARGETS))
def test_strict_json_stays_strict(made: tuple[str, dict[str, Any]], target: Target) -> None:
    value = json.loads(as_host_reads((json.dumps(made[1]), made[1]), target))
    ours = (target.keys[0], "hooks") if target.form == "both" else target.keys[:1]
    for indent in (None, 2, "\t"):
        text = json.dumps(value, indent=indent)
        wired = with_ours(text.encode(), target)
        said = json.loads(wired)
        assert {key: each for key, each in said.items() if key not in ours} == {
            key: each for key, each in value.items() if key not in ours
        }
        assert without_ours(wired, target, containers(text.encode(), target)) == text.encode()


@given(toml_texts())
def test_a_table_goes_in_once_and_comes_out(text: str) -> None:
    wired = with_ours(text.encode(), TOML)
    assert with_ours(wired, TOML) == wired
    said = tomllib.loads(wired.decode())
    assert said["mcp_servers"]["ccos"] == dict(TOML.value)
    assert wired.startswith(text.encode())
    assert without_ours(wired, TOML).rstrip() == text.encode().rstrip()


def test_a_table_in_the_middle_is_edited_where_it_is() -> None:
    text = (
        '# mine\n[mcp_servers.ccos]  # ours\ncommand = "/old/python" # was\nargs = [\n  "-m", "ccos_tui", "mcp",\n]\n'
        "tool_timeout_sec = 9\n\n[mcp_servers.ccos.env]\nA = '1'\n\n# theirs\n[history]\nmax = 1\n"
    )
    wired = with_ours(text.encode(), TOML).decode()
    said = tomllib.loads(wired)
    assert said["mcp_servers"]["ccos"] == {**TOML.value, "tool_timeout_sec": 9, "env": {"A": "1"}}
    assert wired.startswith("# mine\n[mcp_servers.ccos]  # ours\n")
    assert wired.endswith("\n# theirs\n[history]\nmax = 1\n")
    left = without_ours(wired.encode(), TOML)
    assert tomllib.loads(left.decode()) == {"history": {"max": 1}}
    assert b"# mine" in left
    assert b"# theirs" in left


def test_what_cannot_be_edited_is_refused_with_what_to_do() -> None:
    for text in ("mcp_servers = { other = { command = 'x' } }\n", "mcp_servers.ccos.command = '/x/ccos-tui'\n"):
        with pytest.raises(Refused) as refused:
            with_ours(text.encode(), TOML)
        assert "[mcp_servers.ccos]" in refused.value.hint


@pytest.mark.parametrize(
    "text",
    ["{", "[1]", '{"a" 1}', '{"a": 1 "b": 2}', "{'a': 1}", '{"a": tru}', '{"a": 01}', "{} {}", '{"a": "\x01"}',
     "/* open", '{"mcpServers": []}', '{"mcpServers": 1}', "{" * 300, '{"a":' * 5_000, '"\\ud800"'],
)  # fmt: skip
def test_a_file_that_is_not_understood_is_never_edited(text: str) -> None:
    with pytest.raises(NotUnderstood):
        with_ours(text.encode(), SERVER)


@pytest.mark.parametrize("said", ['"x"', "[]", '{"Stop": {}}', '{"Stop": null}'])
def test_hooks_that_are_none_are_never_edited(said: str) -> None:
    with pytest.raises(NotUnderstood):
        with_ours(f'{{"hooks": {said}}}'.encode(), target_of("hooks"))


def test_what_is_no_text_is_never_edited() -> None:
    for data in (b"\xff\xfe{\x00}\x00", b'{"a": "\xe9"}'):
        with pytest.raises(NotUnderstood, match="UTF-8"):
            with_ours(data, SERVER)


def test_a_mark_at_the_start_stays() -> None:
    wired = with_ours(b"\xef\xbb\xbf{}", SERVER)
    assert wired.startswith(b"\xef\xbb\xbf{")
    assert without_ours(wired + b" ", SERVER) == b'\xef\xbb\xbf{\n  "mcpServers": {}\n} '


@given(st.text(max_size=60))
def test_whatever_it_is_nothing_but_a_sentence_comes_out(text: str) -> None:
    for target in TARGETS:
        try:
            wired = with_ours(text.encode("utf-8", "surrogatepass"), target)
        except CcosError:
            continue
        assert with_ours(wired, target) == wired


def test_layout_is_taken_over() -> None:
    assert with_ours(b'{\n\t"mcpServers": {\n\t\t"x": {} // last\n\t}\n}\n', SERVER).decode() == (
        '{\n\t"mcpServers": {\n\t\t"x": {}, // last\n\t\t"ccos": {\n\t\t\t"command": "/opt/py/bin/python3",\n'
        '\t\t\t"args": [\n\t\t\t\t"-P",\n\t\t\t\t"-m",\n\t\t\t\t"ccos_tui",\n\t\t\t\t"mcp"\n\t\t\t]\n\t\t}\n\t}\n}\n'
    )
    windows = with_ours(b'{\r\n    "a": 1,\r\n}\r\n', SERVER)
    assert windows.count(b"\n") == windows.count(b"\r\n")
    assert b'\r\n    "mcpServers": {\r\n        "ccos"' in windows
    assert windows.endswith(b"    },\r\n}\r\n")
    one_line = with_ours(b'{"a":1}', SERVER)
    assert one_line.count(b"\n") == 0


def test_a_server_of_ours_keeps_what_its_user_added() -> None:
    old = b'{"mcpServers": {"ccos": {"command": "ccos-tui", "args": ["mcp"], "env": {"A": "1"}}}}'
    said = json.loads(with_ours(old, SERVER))
    assert said["mcpServers"]["ccos"] == {**SERVER.value, "env": {"A": "1"}}


def test_a_server_of_somebody_else_keeps_its_name() -> None:
    for other in ('{"command": "node", "args": ["x.js"]}', '{"url": "https://x"}', "null", "7"):
        data = f'{{"mcpServers": {{"ccos": {other}}}}}'.encode()
        if other == "null":
            assert json.loads(with_ours(data, SERVER))["mcpServers"]["ccos"] == SERVER.value
            continue
        with pytest.raises(Refused, match="belongs to another program"):
            with_ours(data, SERVER)
        assert without_ours(data, SERVER) == data


def test_of_a_name_that_is_there_twice_the_last_counts() -> None:
    wired = with_ours(b'{"mcpServers": {"a": {}}, "mcpServers": {"b": {}}}', SERVER)
    assert json.loads(wired)["mcpServers"] == {"b": {}, "ccos": SERVER.value}


def test_servers_of_opencode_stand_where_theirs_do() -> None:
    target = target_of("json", "opencode")
    old, new = b'{"mcp": {"x": {}}}', b'{"mcp": {"servers": {"x": {}}}}'
    assert json.loads(with_ours(old, target))["mcp"] == {"x": {}, "ccos": target.value}
    wired = with_ours(new, target)
    assert json.loads(wired)["mcp"] == {"servers": {"x": {}, "ccos": target.value}}
    assert without_ours(wired, target) == new
    odd = b'{"mcp": {"servers": {"type": "local", "command": ["x"]}}}'
    assert set(json.loads(with_ours(odd, target))["mcp"]) == {"servers", "ccos"}


def test_our_hooks_stand_behind_others() -> None:
    hooks = target_of("hooks")
    others = b'{"hooks": {"PostToolUse": [{"matcher": "Edit", "hooks": [{"type": "command", "command": "fmt"}]}]}}'
    said = json.loads(with_ours(others, hooks))["hooks"]
    assert said["PostToolUse"][0] == {"matcher": "Edit", "hooks": [{"type": "command", "command": "fmt"}]}
    assert said["PostToolUse"][1:] == hooks.value["PostToolUse"]
    assert [group.get("matcher") for group in said["SessionStart"]] == [None, "compact"]


def test_hooks_of_an_older_installation_are_replaced() -> None:
    hooks = target_of("hooks")
    old = Target("claude-code", "user", "", "hooks", ("hooks",), _hooks("/gone/python"))
    retired = {"Retired": old.value["Stop"]}
    before = with_ours(b'{"a": 1}', Target("claude-code", "user", "", "hooks", ("hooks",), {**old.value, **retired}))
    said = json.loads(with_ours(before, hooks))
    assert said == {"a": 1, "hooks": hooks.value}
    assert b"/gone" not in with_ours(before, hooks)


def test_ours_is_taken_out_of_a_group_that_somebody_made() -> None:
    hooks = target_of("hooks")
    ours = hooks.value["Stop"][0]["hooks"][0]
    mine = {"type": "command", "command": "say done"}
    data = json.dumps({"hooks": {"Stop": [{"hooks": [mine, ours]}]}}).encode()
    left = without_ours(data, hooks)
    assert json.loads(left) == {"hooks": {"Stop": [{"hooks": [mine]}]}}


@pytest.mark.parametrize(
    "line",
    [
        "/u/ccos-tui/scripts/hooks/format.sh",
        "echo ccos-tui",
        "hook ccos_tui",
        "ccos-tui-hook-like",
        "python -m other hook",
    ],
)
def test_hooks_that_only_look_like_ours_stay(line: str) -> None:
    data = json.dumps({"hooks": {"Stop": [{"hooks": [{"type": "command", "command": line}]}]}}).encode()
    assert not has_ours(data, target_of("hooks"))
    assert without_ours(data, target_of("hooks")) == data


@pytest.mark.parametrize(
    "line",
    [
        "'/a b/python' -P -m ccos_tui hook 2>/dev/null || exit 0",
        '"C:\\x\\ccos-tui.exe" hook',
        "ccos-tui hook --inject",
        "/v/python -I -S /v/lib/ccos_core/serve/hook_door.py 2>/dev/null || exit 0",
    ],
)
def test_every_spelling_of_ours_is_known(line: str) -> None:
    data = json.dumps({"hooks": {"Stop": [{"hooks": [{"type": "command", "command": line}]}]}}).encode()
    assert has_ours(data, target_of("hooks"))


def test_a_table_is_spelled_so_that_it_is_read_back() -> None:
    entry = {"command": 'C:\\Program Files\\"x"\x7f\n', "args": ["é", ""], "env": {"A b": "c"}}
    assert toml_text.values(toml_text.with_table("", ("mcp_servers", "ccos"), entry)) == {
        "mcp_servers": {"ccos": entry}
    }


def _hooks(python: str) -> dict[str, Any]:
    from ccos_core.session.setup import hosts

    return hosts.claude_hooks(program(python))
