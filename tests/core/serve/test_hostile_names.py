"""A tree whose names and texts would drive a terminal: no command lets one of them through."""

from __future__ import annotations

import json
import os
import pty
import re
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from ccos_core.serve import terminal
from ccos_core.serve.cli.main import ASKING, COMMANDS
from ccos_core.session.lifecycle import init
from tests.core.intake.importers.claude_code_fixtures import everything
from tests.core.serve.calling import Caller, outside

OBEYED = re.compile(
    "[\x00-\x08\x0b-\x1f\x7f-\x9f\xad\u061c\u180e\u200b-\u200f\u2028-\u202e\u2060-\u206f\ufeff\ufff9-\ufffb]"
    "|[\ud800-\udfff\U000e0000-\U000e0fff]"
)
"""Controls, bidi controls, zero-width and tag characters."""
COLOURS = re.compile("\x1b\\[(?:0|1|2|22|31|32|33)m")
PAYLOADS = (
    "\x1b]52;c;cm0gLXJmIC8=\x07", "\x1b]0;title\x07", "\x1b[2J\x1b[H", "\x1b[31mred", "\x1bc", "\x1bP+q\x1b\\",
    "\x9b2J", "\x9d52;c;x\x9c", "\x08\x08\x08", "\x0b\x0c", "\r", "\x7f", "\u202egpj.", "\u2066x\u2069", "\u200b",
    "\u2028",
    "\U000e0041", "\x85", "\x07", "\n  12  forged line",
)  # fmt: skip


def name_of(number: int, suffix: str) -> str:
    return f"a{number}{PAYLOADS[number]}{suffix}".replace("/", "|")


@pytest.fixture
def tree(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    for name in ("XDG_STATE_HOME", "XDG_CACHE_HOME", "XDG_CONFIG_HOME", "HOME"):
        monkeypatch.setenv(name, str(tmp_path / name.lower()))
    folder = tmp_path / "tree\x1b]52;c;x\x07\u202e"
    folder.mkdir()
    for number, payload in enumerate(PAYLOADS):
        sub = folder / name_of(number, "dir")
        sub.mkdir()
        text = f'"""{payload}"""\n\n\ndef f{number}(a):\n    """{payload}"""\n    return "{payload}"\n'
        (folder / name_of(number, ".py")).write_text(text, encoding="utf-8", newline="")
        (sub / name_of(number, ".py")).write_text(f"import a{number}\n(" * (number % 3), encoding="utf-8")
        (sub / name_of(number, ".go")).write_text(f"package p\n\nfunc F{number}() {{}}\n", encoding="utf-8")
    (folder / "plain.py").write_text("def task():\n    return 1\r\n", encoding="utf-8", newline="")
    os.mkfifo(folder / "a\x1b[2Jpipe.py")
    monkeypatch.chdir(folder)
    return folder


@pytest.fixture
def work(tree: Path, run: Caller) -> str:
    path = tree / "w\x1b]0;x\x07.ccos"
    init(str(path), root=str(tree))
    assert run("ingest", path, tree).code == 0
    assert run("failure", path, "plain.py").code == 0
    given = "".join(f"FAILED {name_of(at, '.py')}::test_{each} - {each}\n" for at, each in enumerate(PAYLOADS))
    run("page-fault", path, "-", given=given + "20 failed in 0.1s\n")
    return str(path)


def command_lines(tree: Path, work: str) -> Iterator[list[str]]:
    """Every command, on the tree or its workspace."""
    target = tree / name_of(1, ".py")
    transcript = tree / "s\x1b[2J.jsonl"
    transcript.write_bytes(b"".join(json.dumps(value).encode() + b"\n" for value in everything().values))
    texts = {"recall": ["--task", "f1 task"], "find": ["text~def"], "window": ["--around", target.name]}
    folder_commands = {"analyze", "top", "regions", "recall", "window"}
    for name in COMMANDS:
        if name in ("mcp", "hook", "memory", "help", "completion", "postmortem"):
            continue
        if name in folder_commands:
            yield [name, str(tree), *texts.get(name, [])]
            yield [name, str(tree), *texts.get(name, []), "--json"]
        if name not in ("analyze", "top", "regions", "window", "demo", "sessions", "setup", "doctor", "init"):
            extra = {"forget": [PAYLOADS[0]], "failure": [target.name], "pass": [target.name], "copy": ["c\x1bc.ccos"]}
            extra |= {"import": [str(transcript)], "recall": ["--task", "f1"], "page-fault": ["-"]}
            yield [name, work, *extra.get(name, [])]
            yield [name, work, *extra.get(name, []), "--json"]
    for name in ASKING:
        yield [name, work, *texts.get(name, [target.name])]
        yield [name, work, "x\x1b]52;c;y\x07"]
        yield [name, work, *texts.get(name, []), "--json"]
    yield ["doctor"]
    yield ["setup", "--dry-run"]
    yield ["sessions"]
    yield ["analyze", str(tree), "--dot", "-"]
    yield ["regions", str(tree), "--limit", "1"]
    yield ["init", work]
    yield ["nonsense\x1b]0;x\x07"]
    yield ["log", "no\x1b]0;x\x07.ccos"]
    yield ["verify", str(tree / name_of(2, ".py"))]
    yield [str(tree), "--plain"]
    yield [str(transcript), "--plain"]
    yield ["autopsy", str(transcript)]


def test_no_command_lets_one_through(tree: Path, work: str, run: Caller) -> None:
    ran, leaks = 0, []
    for words in command_lines(tree, work):
        done = run(*words)
        ran += 1
        found = [(each, OBEYED.search(each)) for each in (done.out, done.err)]
        leaks += [(words, said[max(at.start() - 60, 0) : at.end() + 20]) for said, at in found if at]
    assert not leaks, "\n".join(map(repr, leaks))
    assert ran > 100


def test_questions_from_a_pipe_and_a_script(tree: Path, work: str, run: Caller) -> None:
    asked = "".join(f"why {name_of(at, '.py')!r}\nfind {each!r}\n{each}\n" for at, each in enumerate(PAYLOADS))
    lines = [json.dumps({"op": "why", "node": name_of(0, ".py")}), '{"op":"\x1b]0;x"}', json.dumps({"op": PAYLOADS[0]})]
    for done in (
        run("postmortem", work, given=asked),
        run("postmortem", work, "--json", given=asked),
        run("memory", work, given="\n".join(lines)),
    ):
        assert not OBEYED.search(done.out), repr(done.out[:2_000])
        assert not OBEYED.search(done.err), repr(done.err[:2_000])


def test_at_a_terminal_our_colours_alone_get_through(tree: Path, work: str) -> None:
    for words in (["verify", work], ["analyze", str(tree)], ["failures", work], ["recall", str(tree), "--task", "f1"]):
        leader, follower = pty.openpty()
        done = outside(*words, stdout=follower, stderr=follower, capture_output=False, cwd=tree)
        os.close(follower)
        said = b""
        while True:
            try:
                said += (more := os.read(leader, 1 << 16))
            except OSError:
                break
            if not more:
                break
        os.close(leader)
        assert done.returncode in (0, 1)
        shown = COLOURS.sub("", said.decode().replace("\r\n", "\n"))
        assert shown
        assert not OBEYED.search(shown), repr(shown)


def test_a_text_keeps_our_colours_and_loses_others() -> None:
    said = terminal.harmless("\x1b[31mbad\x1b[0m \x1b[1mbold \x1b[4mlined \x1b]52;c;x\x07 \r\n\f\n end")
    assert said == "\x1b[31mbad\x1b[0m \x1b[1mbold [U+001B ESC][4mlined [U+001B ESC]]52;c;x[U+0007 BEL] \n␌\n end"


def test_json_means_the_same_with_escapes() -> None:
    value = {"a\u202e": ["\x7f\x9b\u200b\U000e0041", "é 漢 👍", "\ud800"], "b": "\x1b"}
    text = terminal.json_text(value)
    assert json.loads(text) == value
    assert not OBEYED.search(text)
    assert "é 漢 👍" in text


def test_nothing_is_written_around_the_function() -> None:
    """Whoever writes to a stream himself has to say why here."""
    allowed = {
        "serve/terminal.py", "serve/progress.py", "serve/repl/keyboard.py", "serve/mcp/start.py", "serve/mcp/server.py",
        "serve/mcp/talk.py", "serve/cli/main.py", "session/isolated_outline.py",
    }  # fmt: skip
    root = Path(sys.modules["ccos_core"].__file__ or "").parent
    sinks = re.compile(r"(?<!>>> )\bprint\(|click\.echo\(|sys\.std(?:out|err)\.write\(")
    found = {
        path.relative_to(root).as_posix()
        for path in root.rglob("*.py")
        if sinks.search(path.read_text(encoding="utf-8"))
    }
    assert found <= allowed
