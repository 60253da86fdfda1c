"""Codex, Gemini CLI and OpenCode from npm, with a scripted model: wired, recorded, served, imported, undone.

Each is a story: setup → the host works → what its hooks said → what the server answered → the transcript imported into
the same record → undo. See the README beside this.
"""

import json
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from ccos_core.session.hearing import take_in
from ccos_core.session.importing import Importing
from ccos_core.session.transcripts import Story, Tail
from ccos_core.storage import locate
from tests import shared
from tests.core.serve.hosts.hosting import NEW, OLD, RUN, Hosted, opencode, program, scripted, shown_to_model
from tests.core.serve.hosts.trusting import listed_hooks, trust_hooks
from tests.laws.test_hooked import ops

pytestmark = pytest.mark.slow


@pytest.fixture(autouse=True)
def _one_host_at_a_time() -> Iterator[None]:
    with shared.turn("real hosts"):
        yield


PROMPT = "One test fails. Mend it."
PATCH = f"""*** Begin Patch
*** Update File: shop/money.py
@@
-    return int(units) * 100 + {OLD}
+    return int(units) * 100 + {NEW}
*** End Patch
"""
IN_A_COMMAND = """apply_patch <<'EOF'
*** Begin Patch
*** Update File: shop/money.py
@@
-def to_cents(text):
+def to_cents(text):  # "12.50" -> 1250
*** End Patch
EOF"""
"""An edit for which Codex has no event after the call."""


def test_codex(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    command = program("@openai/codex", "bin/codex.js")
    hosted = Hosted(tmp_path)
    server = {"namespace": "mcp__ccos"}
    turns: list[dict[str, Any]] = [
        {"calls": [{"search": True, "name": "tool_search", "args": {"query": "recall memory code context"}}]},
        {"calls": [{**server, "name": "recall", "args": {"text": "cents of one digit"}}]},
        {"calls": [{"name": "exec_command", "args": {"cmd": "cat shop/money.py"}}]},
        {"calls": [{"name": "exec_command", "args": {"cmd": RUN}}]},
        {"calls": [{**server, "name": "page_fault", "args": {"output": "$LAST", "command": RUN}}]},
        {"calls": [{"name": "apply_patch", "custom": True, "input": PATCH}]},
        {"calls": [{"name": "exec_command", "args": {"cmd": RUN}}]},
        {"calls": [{"name": "exec_command", "args": {"cmd": IN_A_COMMAND}}]},
        {"calls": [{**server, "name": "recall", "args": {"anchor": "shop/money.py"}}]},
        {"text": "Done: one digit counts as tens."},
    ]
    with scripted(tmp_path, turns) as address:
        mock = f'[model_providers.mock]\nname = "mock"\nbase_url = "{address}/v1"\nwire_api = "responses"\n'
        hosted.write(".codex/config.toml", f'model = "gpt-5.5"\nmodel_provider = "mock"\n\n{mock}')
        before = hosted.files(".codex")
        assert "/hooks" in hosted.ours("setup", "--host", "codex", "--yes")
        listed = trust_hooks(command, hosted.project, hosted.environment)
        assert {each["trustStatus"] for each in listed} == {"untrusted"}
        assert all("--host codex" in each["command"] for each in listed)
        hosted.host(*command, "exec", "--skip-git-repo-check", "--dangerously-bypass-approvals-and-sandbox", PROMPT)
    ws = taken_in(hosted, monkeypatch)
    judge_story(ws, "codex", {"shell": "Bash", "edit": "apply_patch", "server": "mcp__ccos__"})
    judge_served(tmp_path)
    found = [op for op in ops(ws) if op["kind"] == "seen" and op.get("actor") == "tool"]
    assert [(op["path"], op["how"]) for op in found] == [("shop/money.py", "edit")]  # by the server, on the disk
    (rollout,) = hosted.home.glob(".codex/sessions/**/rollout-*.jsonl")
    judge_import(ws, rollout, fires_nothing=("tool_search", "exec_command"))
    hosted.ours("setup", "--host", "codex", "--undo", "--yes")
    after = {name: data for name, data in hosted.files(".codex").items() if name in before or "ccos" in str(data)}
    config = after.pop(".codex/config.toml").partition(b"\n[hooks.state]")[0]  # what Codex keeps of its user's trust
    assert config.strip() == before[".codex/config.toml"].strip()
    assert not (hosted.home / ".codex" / "hooks.json").exists()


def test_gemini_cli(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    command = program("@google/gemini-cli", "bundle/gemini.js")
    hosted = Hosted(tmp_path)
    money = str(hosted.project / "shop" / "money.py")
    edit = {"file_path": money, "instruction": "pad", "old_string": OLD, "new_string": NEW}
    turns: list[dict[str, Any]] = [
        {"calls": [{"name": "mcp_ccos_recall", "args": {"text": "cents of one digit"}}]},
        {"calls": [{"name": "read_file", "args": {"file_path": money}}]},
        {"calls": [{"name": "run_shell_command", "args": {"command": RUN, "description": "run"}}]},
        {"calls": [{"name": "mcp_ccos_page_fault", "args": {"output": "$LAST", "command": RUN}}]},
        {"calls": [{"name": "replace", "args": edit}]},
        {"calls": [{"name": "run_shell_command", "args": {"command": RUN, "description": "run"}}]},
        {"text": "Done: one digit counts as tens."},
    ]
    settings = {
        "security": {"auth": {"selectedType": "gemini-api-key"}, "folderTrust": {"enabled": True}},
        "general": {"enableAutoUpdate": False},
        "privacy": {"usageStatisticsEnabled": False},
    }
    with scripted(tmp_path, turns) as address:
        hosted.write(".gemini/settings.json", json.dumps(settings, indent=2))
        before = (hosted.home / ".gemini" / "settings.json").read_bytes()
        assert "folders you trust" in hosted.ours("setup", "--host", "gemini", "--yes")
        hosted.write(".gemini/trustedFolders.json", json.dumps({str(hosted.project): "TRUST_FOLDER"}))
        api = {"GEMINI_API_KEY": "none", "GOOGLE_GEMINI_BASE_URL": address}
        hosted.host(*command, "-p", PROMPT, "--approval-mode", "yolo", **api)
    ws = taken_in(hosted, monkeypatch)
    judge_story(ws, "gemini", {"shell": "run_shell_command", "edit": "replace", "server": "mcp_ccos_"})
    judge_served(tmp_path)
    (chat,) = hosted.home.glob(".gemini/tmp/*/chats/*.json*")
    judge_import(ws, chat)
    hosted.ours("setup", "--host", "gemini", "--undo", "--yes")
    assert (hosted.home / ".gemini" / "settings.json").read_bytes() == before
    assert not [name for name, data in hosted.files(".gemini").items() if b"hook_door" in data and "tmp" not in name]


def test_qwen_code(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    command = program("@qwen-code/qwen-code", "cli.js")
    hosted = Hosted(tmp_path)
    money = str(hosted.project / "shop" / "money.py")
    run = {"command": RUN, "description": "run", "is_background": False}
    turns: list[dict[str, Any]] = [
        {"calls": [{"name": "mcp__ccos__recall", "args": {"text": "cents of one digit"}}]},
        {"calls": [{"name": "read_file", "args": {"file_path": money}}]},
        {"calls": [{"name": "run_shell_command", "args": run}]},
        {"calls": [{"name": "mcp__ccos__page_fault", "args": {"output": "$LAST", "command": RUN}}]},
        {"calls": [{"name": "edit", "args": {"file_path": money, "old_string": OLD, "new_string": NEW}}]},
        {"calls": [{"name": "read_file", "args": {"file_path": f"{hosted.project}/absent.py"}}]},
        {"calls": [{"name": "run_shell_command", "args": run}]},
        {"text": "Done: one digit counts as tens."},
    ]
    with scripted(tmp_path, turns) as address:
        hosted.write(".qwen/settings.json", json.dumps({"security": {"auth": {"selectedType": "openai"}}}, indent=2))
        before = (hosted.home / ".qwen" / "settings.json").read_bytes()
        hosted.ours("setup", "--host", "qwen-code", "--yes")
        api = {"OPENAI_API_KEY": "none", "OPENAI_BASE_URL": f"{address}/v1", "OPENAI_MODEL": "mock"}
        direct = {"HTTP_PROXY": "", "HTTPS_PROXY": ""}  # it asks its proxy for this machine, too
        hosted.host(*command, "-p", PROMPT, "--approval-mode", "yolo", **api, **direct)
    ws = taken_in(hosted, monkeypatch)
    judge_story(ws, "qwen-code", {"shell": "run_shell_command", "edit": "edit", "server": "mcp__ccos__"})
    judge_served(tmp_path)
    (chat,) = hosted.home.glob(".qwen/projects/*/chats/*.jsonl")
    judge_import(ws, chat)
    hosted.ours("setup", "--host", "qwen-code", "--undo", "--yes")
    left = json.loads((hosted.home / ".qwen" / "settings.json").read_bytes())
    assert {name: left[name] for name in json.loads(before)} == json.loads(before)
    assert b"hook_door" not in (hosted.home / ".qwen" / "settings.json").read_bytes()


def test_opencode(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    command = program("opencode-ai", "bin/opencode.exe")
    hosted = Hosted(tmp_path)
    money = str(hosted.project / "shop" / "money.py")
    turns: list[dict[str, Any]] = [
        {"calls": [{"name": "ccos_recall", "args": {"text": "cents of one digit"}}]},
        {"calls": [{"name": "read", "args": {"filePath": money}}]},
        {"calls": [{"name": "bash", "args": {"command": RUN, "description": "run"}}]},
        {"calls": [{"name": "ccos_page_fault", "args": {"output": "$LAST", "command": RUN}}]},
        {"calls": [{"name": "edit", "args": {"filePath": money, "oldString": OLD, "newString": NEW}}]},
        {"calls": [{"name": "bash", "args": {"command": RUN, "description": "run"}}]},
        {"text": "Done: one digit counts as tens."},
    ]
    with scripted(tmp_path, turns) as address:
        environment = opencode(address)
        hosted.ours("setup", "--host", "opencode", "--yes")
        hosted.host(*command, "run", PROMPT, **environment)
        ws = taken_in(hosted, monkeypatch)
        judge_story(ws, "opencode", {"shell": "bash", "edit": "edit", "server": "ccos_"})
        judge_served(tmp_path)
        (session,) = {op["session"] for op in ops(ws) if op.get("host") == "opencode"}
        said = hosted.host(*command, "export", session, **environment)
    export = tmp_path / "export.json"
    export.write_text(said[said.index("{") : said.rindex("}") + 1])
    judge_import(ws, export)
    hosted.ours("setup", "--host", "opencode", "--undo", "--yes")
    left = {Path(name).name for name in hosted.files(".config")}
    assert left <= {".gitignore", "package.json", "package-lock.json", "bun.lock"}  # what OpenCode puts there by itself


# -- what hosts refuse ------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("said", "is_read"), [("{ // mine\n}", True), ('{"ui": {},}', False), ("\ufeff{}", False)])
def test_gemini_refuses_what_setup_refuses(tmp_path: Path, said: str, is_read: bool) -> None:
    command, hosted = program("@google/gemini-cli", "bundle/gemini.js"), Hosted(tmp_path)
    hosted.write(".gemini/settings.json", said)
    answer = hosted.anyway(*command, "mcp", "list")
    assert ("Please fix the configuration" not in answer) == is_read
    wired = hosted.anyway(sys.executable, "-P", "-m", "ccos_tui", "setup", "--host", "gemini", "--dry-run")
    assert ("left unchanged" not in wired) == is_read


@pytest.mark.parametrize(
    ("said", "is_read"),
    [
        ('{"description": "mine", "hooks": {}}', True),
        ('{ // mine\n"hooks": {}}', False),
        ('{"hooks": {},}', False),
        ('{"hooks": {}, "hooks": {}}', False),
        ('{"hooks": {}, "model": 1}', False),
        ('{"hooks": {"Stop": 5}}', False),
    ],
)
def test_codex_refuses_what_setup_refuses(tmp_path: Path, said: str, is_read: bool) -> None:
    command, hosted = program("@openai/codex", "bin/codex.js"), Hosted(tmp_path)
    hosted.write(".codex/hooks.json", said)
    listed = listed_hooks(command, hosted.project, hosted.environment)
    assert (listed["warnings"] + listed["errors"] == []) == is_read
    wired = hosted.anyway(sys.executable, "-P", "-m", "ccos_tui", "setup", "--host", "codex", "--dry-run")
    assert ("left unchanged" not in wired) == is_read


# -- what every host's story says ---------------------------------------------------------------------------------


def taken_in(hosted: Hosted, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The workspace of the project, with all that was heard taken in."""
    monkeypatch.setenv("XDG_STATE_HOME", str(hosted.state))
    monkeypatch.setenv("HOME", str(hosted.home))
    ws = Path(locate.default_path(str(hosted.project)))
    taken = take_in(str(ws))
    assert (taken.waiting, taken.aside, taken.unknown) == (0, 0, 0), taken.why
    assert not (hosted.state / "ccos-tui" / "troubles.log").exists()
    return ws


def judge_story(ws: Path, host: str, tools: dict[str, str]) -> None:
    """What was said, run, edited and asked stands in the record, from the hooks alone."""
    told = [op for op in ops(ws) if op.get("host") == host]
    assert [op["kind"] for op in told].count("prompt") >= 1
    calls = [op for op in told if op["kind"] == "tool"]
    names = [op["name"] for op in calls]
    shells = [op["outcome"] for op in calls if op["name"] == tools["shell"]][-2:]
    assert shells == (["unknown", "unknown"] if host == "codex" else ["error", "ok"])
    for asked in ("recall", "page_fault"):
        assert {op["outcome"] for op in calls if op["name"] == tools["server"] + asked} == {"ok"}
    assert names.index(tools["server"] + "page_fault") < names.index(tools["edit"])
    edits = [op for op in told if op["kind"] == "seen" and op["how"] == "edit"]
    assert [(op["path"], op["call"]) for op in edits] == [
        ("shop/money.py", next(op["call"] for op in calls if op["name"] == tools["edit"]))
    ]
    assert [op["kind"] for op in told].count("turn") >= 1


def judge_served(folder: Path) -> None:
    """The server's answers reached the model: the code it was asked about, and the failure it was given."""
    shown = shown_to_model(folder)
    assert "to_cents" in shown
    assert "test_one_digit" in shown


def judge_import(ws: Path, transcript: Path, fires_nothing: tuple[str, ...] = ()) -> None:
    """The transcript tells no call, file or prompt anew that the hooks have told: only calls that fire no event."""
    before = [op for op in ops(ws) if op["kind"] in ("tool", "seen", "gone", "renamed")]
    with Importing(str(ws)) as importing:
        imported = importing.take(Story(Tail(str(transcript))))
    assert imported.counts.calls >= 6
    assert imported.counts.edits >= 1
    after = [op for op in ops(ws) if op["kind"] in ("tool", "seen", "gone", "renamed")]
    new = after[len(before) :]
    assert after[: len(before)] == before
    assert [op["name"] for op in new if op["kind"] == "tool"] == list(fires_nothing)
    assert {op["call"] for op in new if op["kind"] != "tool"} <= {op["call"] for op in new if op["kind"] == "tool"}
    said = [op["said"]["blob"] for op in ops(ws) if op["kind"] == "prompt" and op.get("source") == "user"]
    assert len(said) == len(set(said))
