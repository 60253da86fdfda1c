"""Sessions that reports are made of: the demonstration, a hostile one, and one of any length."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

from ccos_core.serve.cli.demo import build
from ccos_core.serve.report.page import report_page
from ccos_core.session.asking import Desk
from ccos_core.storage.opening import open_record
from tests.story import START, new_session

SCRIPT = "</script><script>window.ran = 'script'</script>"
PAYLOADS = (
    SCRIPT,
    "<img src=x onerror=\"window.ran = 'image'\">",
    "<svg onload=\"window.ran = 'svg'\">",
    '"><a href="javascript:window.ran = \'link\'" autofocus onfocus="window.ran = \'focus\'">x</a>',
    "'-(window.ran = 'quote')-'",
    "{{constructor.constructor('window.ran = 1')()}} ${window.ran = 2} <!-- --!> ]]>",
    "<style>body { display: none }</style><base href='https://example.com/'>",
    "__proto__",
    "line\u2028separator\u2029and \u202egnp.exe \u2066isolated\u2069 \ufeff\u200bwide",
    "\x1b]0;title\x07\x9b31m\x00\ud800",
)
"""Texts that run, or show themselves as something else, in a page that isn't careful."""
HIDDEN = "\u2028\u2029\u202e\u2066\u2069\ufeff\u200b\x1b\x07\x9b\x00\ud800"


def demonstration(folder: Path) -> str:
    """Make the workspace of the demonstration."""
    path = str(folder / "demo.ccos")
    build(path)
    return path


def hostile(folder: Path) -> str:
    """Make a workspace in which every kind of text is an attack, and one step has thinking and a long output."""
    with new_session(folder, "hostile.ccos") as session:
        for number, attack in enumerate(PAYLOADS):
            session.record(list(_attacks(number, attack)))
    return str(folder / "hostile.ccos")


def _attacks(number: int, attack: str) -> Iterator[dict[str, Any]]:
    common = {
        "host": "story",
        "session": f"s{number % 2}{attack}"[:60],
        "context": f"sub{attack}" if number % 3 else "",
    }
    path = f"src/{number}{attack.replace('/', '|')}.py"[:120]
    long = "".join(f"line {line} {attack}\n" for line in range(80))
    did = [
        {"kind": "prompt", "said": f"{attack} on branch {attack}", "source": "user"},
        {"kind": "thought", "said": f"I think {attack}"},
        {"kind": "turn", "said": f"Answer {attack}", "model": f"m{attack}"},
        {"kind": "seen", "how": "read", "path": path, "content": f"a = 1  # {attack}\n{long}"},
        {"kind": "seen", "how": "edit", "path": path, "content": f"a = 2  # {attack}\n{long}"},
        {
            "kind": "tool", "name": f"T{attack}"[:40], "outcome": "error" if number % 2 else "ok",
            "arguments": {"command": f"echo {attack}", attack: attack}, "result": f"{attack}\n{long}",
        },
        {"kind": "usage", "window": 1000 * (number + 1)},
        {"kind": "failed", "runner": "pytest", "test": f"test_{attack}", "sites": [[path, 1]]},
    ]  # fmt: skip
    for place, each in enumerate(did):
        yield {**common, "call": f"{number}-{place}", "at": START + 1000 * (10 * number + place), **each}


def long_session(folder: Path, turns: int) -> str:
    """Make a session of `turns` times four steps: a prompt, thinking, a read, a call with its output."""
    with new_session(folder, "long.ccos") as session:
        session.record([each for number in range(turns) for each in _turn(number)])
    return str(folder / "long.ccos")


def _turn(number: int) -> Iterator[dict[str, Any]]:
    body = "".join(f"    value_{line} = compute({number * line % 97})\n" for line in range(40))
    did = [
        {"kind": "prompt", "said": f"Please mend part {number}.", "source": "user"},
        {"kind": "thought", "said": f"Part {number} is in module {number % 50}. " * 8},
        {"kind": "seen", "how": "read", "path": f"src/m{number % 50}.py", "content": f"def part{number}():\n{body}"},
        {"kind": "tool", "name": "Bash", "outcome": "ok", "arguments": {"command": f"make part{number}"},
         "result": "".join(f"compiled unit {number * line % 1013}\n" for line in range(60))},
    ]  # fmt: skip
    for place, each in enumerate(did):
        call = f"{number}-{place}"
        yield {"host": "story", "session": "s", "call": call, "at": START + 1000 * (4 * number + place), **each}


def page_of(workspace: str, first: int = 1, last: int | None = None) -> bytes:
    """Make the report of a workspace."""
    with open_record(workspace) as record, Desk(record) as desk:
        return report_page(desk, first, last or desk.timeline.head)
