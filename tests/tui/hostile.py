"""A session full of text that would like to be something else: markup, escapes, wide and combining letters, bare
control characters. Whatever is shown of it has to stay text, and to stay in its place."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

from ccos_core.intake.importers import generic
from ccos_core.intake.importers.record import Record
from ccos_core.session.lifecycle import init_elsewhere
from ccos_core.session.session import open_session

BEGUN = 1_771_061_460_000
CWD = "/home/ann/odd"
MARKUP = "[bold red]x[/bold red]"
WORDS = (
    MARKUP, "[/]", "[link=https://example.com]", r"\[b]", "漢字かな混じり文", "e\u0301\u0323\u0308", "👩‍👩‍👧‍👦 🇩🇪",
    "\x1b[31mred\x1b[0m", "\x1b]0;title\x07", "a\tb", "nul\x00nul", "\x9b2J", "\r\x08\x7f", "\u202eevil\u202c",
    "\u200b\ufeff\u00ad", "\U000e0041", "line\u2028sep", "ﷺ" * 3, "🏽", "\u0600\u06dd", "x" * 300,
)  # fmt: skip


def build(path: Path, words: tuple[str, ...] = WORDS) -> str:
    """A workspace in which each of the words is a prompt, a path, a text, a command and an output."""
    init_elsewhere(str(path), CWD, BEGUN)
    reader = generic.FORMAT.reader("odd-1")
    told = (each for number, line in enumerate(lines(words), 1) for each in reader.feed(Record(number, line)))
    with open_session(str(path), clock=lambda: BEGUN) as session:
        session.record(told)
    return str(path)


def lines(words: tuple[str, ...]) -> Iterator[dict[str, Any]]:
    """As a transcript."""
    said: list[dict[str, Any]] = [
        {"kind": "session", "format": "ccos.transcript/1", "session": "odd-1", "cwd": CWD, "agent": "made up"}
    ]
    for number, word in enumerate(words):
        path = f"{CWD}/src/{number}{word.replace('/', '|').replace(chr(0), '')[:60]}.py"
        text = f'"""{word}"""\n\n\ndef f{number}(a):\n    return "{word}"\n'.replace("\r", " ")
        said += [{"kind": "prompt", "text": f"{word} and {word}"}, *_called(number, path, text, word)]
    said.append({"kind": "compaction", "trigger": "auto", "tokens_before": 9_000})
    for number, line in enumerate(said):
        yield {"id": f"line-{number}", "at": BEGUN + 9_000 * number, **line}


def _called(number: int, path: str, text: str, word: str) -> list[dict[str, Any]]:
    def call(name: str, what: str, arguments: dict[str, str]) -> dict[str, Any]:
        return {"kind": "call", "id": f"{what}-{number}", "name": name, "arguments": arguments}

    def result(what: str, outcome: str, text: str) -> dict[str, Any]:
        return {"kind": "result", "call": f"{what}-{number}", "outcome": outcome, "text": text}

    return [
        call("Read", "read", {"file_path": path}),
        {"kind": "read", "call": f"read-{number}", "path": path, "text": text, "whole": True},
        result("read", "ok", text),
        call("Edit", "edit", {"file_path": path, "old_string": "(a)", "new_string": "(a, b)"}),
        {"kind": "edit", "call": f"edit-{number}", "path": path, "old": "(a)", "new": "(a, b)"},
        result("edit", "ok", "edited"),
        call("Bash", "run", {"command": f"echo {word}"}),
        result("run", "error" if number % 2 else "ok", f"{word}\nFAILED tests/test_{number}.py::test_{word} - {word}"),
    ]
