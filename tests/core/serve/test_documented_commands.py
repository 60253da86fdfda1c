"""Every command line that README, docs and help texts show is run: none is a usage error, none fails."""

from __future__ import annotations

import json
import os
import re
import shlex
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import click
import pytest

from ccos_core.serve import demo_story, exits
from ccos_core.serve.cli.main import ASKING, COMMANDS, add_commands, group
from ccos_core.session import lifecycle
from ccos_tui import commands
from tests.core.intake.importers.claude_code_fixtures import everything
from tests.core.serve.calling import ROOT, Caller

add_commands(commands.COMMANDS)

PLACEHOLDERS = {"WS": "work.ccos", "PATH": "session.jsonl", "NODE": "src/db.py", "DIR": ".", "SHELL": "bash"}
PLACEHOLDERS |= {"KIND": "lines", "PLACE": "memory.jsonl"}
ELSEWHERE = {"hook", "mcp"}
"""Commands that end the process or speak a protocol; their own tests start them."""
UNFINISHED = re.compile(r"\b(NAME|SECONDS|FILE|REGEX|GLOB|TEXT|X)\b|\.\.\.$")
GIVEN = {"page-fault": "FAILED tests/test_api.py::test_invoice - assert 1 == 2\n1 failed in 0.1s\n"}
"""Command → what it reads from stdin."""
PUNCTUATION = set("|<>&;()")


def command_lines(text: str) -> Iterator[str]:
    """Yield what stands behind `ccos-tui` in code blocks and inline code, up to the end of the command."""
    in_block = False
    for line in text.splitlines():
        if line.startswith("```"):
            in_block = not in_block
        shown = [line] if in_block or line.startswith("    ") else re.findall(r"`([^`]*)`", line)
        for each in shown:
            found = re.search(r"(?:^ *(?:\$ )?|\| )(?=ccos-tui(?: |$))", each)
            if found:
                yield each[found.end() :].strip()


def without_comment(line: str) -> str:
    return re.split(r"\s{2,}|\s#", line)[0]


def words_of(line: str) -> list[str] | None:
    """Take a shown line apart as a shell would; None where it isn't a whole command."""
    lexer = shlex.shlex(without_comment(line), posix=True, punctuation_chars=True)
    lexer.whitespace_split = True
    try:
        tokens = list(lexer)[1:]
    except ValueError:  # a quote that ends on another line
        return None
    words = []
    for token in tokens:
        if set(token) <= PUNCTUATION:
            break
        words.append(PLACEHOLDERS.get(token, token))
    return words


def documented() -> list[str]:
    pages = [ROOT / "README.md", ROOT / "CONTRIBUTING.md", *sorted((ROOT / "docs").glob("*.md"))]
    lines = [line for page in pages for line in command_lines(page.read_text(encoding="utf-8"))]
    return sorted(dict.fromkeys(line for line in lines if not UNFINISHED.search(without_comment(line))))


@pytest.fixture
def desk(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder with all that the documented lines speak of."""
    from ccos_core.serve.cli.demo import build

    for name in ("XDG_STATE_HOME", "XDG_CACHE_HOME", "XDG_CONFIG_HOME", "HOME"):
        monkeypatch.setenv(name, str(tmp_path / name.lower()))
    for name in ("CLAUDE_CONFIG_DIR", "CODEX_HOME"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("CCOS_MODEL_COMMAND", "cat")
    monkeypatch.setenv("CCOS_MODEL_TOKENS", "100000")
    folder = tmp_path / "shop"
    (folder / "src").mkdir(parents=True)
    (folder / ".git").mkdir()
    (folder / "src" / "api.py").write_text("from src.db import total\n\n\ndef invoice():\n    return total()\n")
    (folder / "src" / "db.py").write_text("def total():\n    return 1\n")
    (folder / "issue.txt").write_text("invoice() is wrong\n")
    (folder / "event.json").write_text("{}")
    transcript = folder / "session.jsonl"
    transcript.write_bytes(b"".join(json.dumps(value).encode() + b"\n" for value in everything().values))
    home = tmp_path / "home" / ".claude" / "projects" / "-home-ann-shop"
    home.mkdir(parents=True)
    (tmp_path / "home" / "Downloads").mkdir()
    (tmp_path / "home" / "shop").symlink_to(folder)
    (home / "5e55.jsonl").write_bytes(transcript.read_bytes())
    lifecycle.init(str(folder / "own.ccos"), root=str(folder))
    build(str(folder / "work.ccos"))
    build(str(folder / "demo.ccos"))
    (folder / "sample_workspaces").symlink_to(ROOT / "sample_workspaces")
    drift = (ROOT / "sample_workspaces" / "drift" / "session.jsonl").read_bytes().splitlines(keepends=True)
    (folder / "half.jsonl").write_bytes(b"".join(drift[:60]))
    lifecycle.init_elsewhere(str(folder / "half.ccos"), "/home/ann/shop", demo_story.START)
    monkeypatch.chdir(folder)
    return folder


def test_documented_lines_run(desk: Path, run: Caller) -> None:
    ran, troubles = 0, []
    for line in documented():
        words = words_of(line)
        if not words or words[0] in ELSEWHERE or words[0] == "demo":
            continue
        if "--follow" in words and words[0] == "mirror":
            continue  # never ends
        if len(words) == 1 and words[0] in {*COMMANDS, *ASKING}:
            words = ["help", *words]  # it is only named
        words = [word.replace("~", str(desk.parent / "home"), 1) if word.startswith("~") else word for word in words]
        if words[:1] in (["init"], ["ingest"]):
            words = [word.replace("work.ccos", "own.ccos" if words[0] == "ingest" else "new.ccos") for word in words]
        done = run(*words, given=GIVEN.get(words[0], "invoice() is wrong" if "-" in words else ""))
        ran += 1
        if done.code not in (exits.DONE, exits.NO):
            troubles.append((line, done.code, done.err.strip()))
    assert not troubles, "\n".join(map(str, troubles))
    assert ran > 80, "the pages show many more lines than that"


def test_documented_pipe_lines_run(desk: Path, run: Caller) -> None:
    """The lines of docs/MEMORY.md, one after the other, on a new workspace."""
    page = (ROOT / "docs" / "MEMORY.md").read_text(encoding="utf-8")
    lines = re.findall(r'^    (\{"op":.*\})$', page, re.MULTILINE)
    answers = [run("memory", "pipe.ccos", given=line + "\n").json() for line in lines]
    schemas = [answer["schema"] for answer in answers]
    names = [schema.partition("/")[0] for schema in schemas]
    assert names == ["ccos.ingested", "ccos.failure", "ccos.window", "ccos.missing"], answers
    assert all(f"`{schema}`" in page for schema in schemas[:3]), "the page's table names their versions"
    ops = set(re.findall(r"^\| `(\w+)` \|", page, re.MULTILINE))
    assert len(ops) == 8
    known = json.dumps(run("memory", "pipe.ccos", given='{"op":"help"}\n').json())
    assert not [op for op in ops if f'"{op}"' not in known]


@pytest.mark.parametrize("option", ["-h", "--help"])
def test_each_command_has_help(option: str, run: Caller) -> None:
    for name in group.list_commands(click.Context(group, **group.context_settings)):
        if name not in ELSEWHERE:
            done = run(name, option)
            assert (done.code, done.out[:6]) == (exits.DONE, "Usage:"), name


def test_help_names_a_command(run: Caller) -> None:
    assert run("help").out == run("--help").out
    for name in COMMANDS:
        if name not in ELSEWHERE:
            assert run("help", name).out.removeprefix("Usage: ") == run(name, "--help").out.removeprefix("Usage: ")
    assert run("help", "nonsense").code == exits.USAGE


def test_command_lines_are_found() -> None:
    page = "x\n```sh\nccos-tui a b  # c\n"
    page += "pytest | ccos-tui d\n```\n`ccos-tui e F` and `other`\n    ccos-tui g 'h | i' > j\n"
    page += "```text\n$ ccos-tui k\n$5 ccos-tui l\n```\n"
    found = ["ccos-tui a b  # c", "ccos-tui d", "ccos-tui e F", "ccos-tui g 'h | i' > j", "ccos-tui k"]
    assert list(command_lines(page)) == found
    assert words_of("ccos-tui g 'h | i' > j") == ["g", "h | i"]
    assert words_of("ccos-tui a b  # c") == ["a", "b"]
    assert words_of("ccos-tui find 'open") is None


def test_a_shell_completes_commands(tmp_path: Path) -> None:
    """Bash runs the printed script, and asks the program for what `mis` may become."""
    program = tmp_path / "ccos-tui"
    program.write_text(f"#!/bin/sh\nexec {sys.executable} -c 'from ccos_tui.__main__ import main; main()' \"$@\"\n")
    program.chmod(0o755)
    script = (
        'eval "$(ccos-tui completion bash)"; COMP_WORDS=(ccos-tui mis); COMP_CWORD=1; _ccos_tui_completion ccos-tui; '
        'echo "${COMPREPLY[@]}"'
    )
    env = {**os.environ, "PATH": f"{tmp_path}:{os.environ['PATH']}", "PYTHONPATH": str(ROOT)}
    done = subprocess.run(["bash", "-c", script], capture_output=True, text=True, env=env, check=False)
    assert done.stdout.strip() == "missing", done
