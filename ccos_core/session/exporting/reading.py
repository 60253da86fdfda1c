"""Write steps to be read by people: Markdown, one HTML page that loads nothing, and a table for a spreadsheet.

Texts come from sessions, so each stands where it can do nothing: in a fence that is longer than any in it, escaped, or
in a cell that no spreadsheet takes for a formula.
"""

from __future__ import annotations

import base64
import csv
import hashlib
import html
import io
import re
from collections.abc import Callable, Iterable, Iterator
from typing import Any

from ccos_core.session.exporting.recorded import Leaving, Step
from ccos_core.session.exporting.told import moment_of, shortened, told, whose

Write = Callable[[bytes], object]

# -- Markdown ---------------------------------------------------------------------------------------------------------


def write_markdown(steps: Iterable[Step], write: Write, leaving: Leaving) -> None:
    """Write steps as Markdown."""
    place = None
    for step in _counted(steps, leaving):
        if (now := whose(step.said)) != place:
            place = now
            write(f"# {_line(now) if now else 'Not part of a session'}\n\n".encode())
        write("".join(_markdown(step)).encode("utf-8", "replace"))


def _markdown(step: Step) -> Iterator[str]:
    said = told(step.said)
    if said.minor:
        yield f"*{step.number}* {_line(said.title)}\n\n"
        return
    moment = moment_of(step.said)
    yield f"## {step.number}. {_line(said.title)}{f' · {moment}' if moment else ''}\n\n"
    for each in said.texts:
        text = shortened(each.text)
        fence = "`" * max(3, 1 + max(map(len, re.findall(r"`+", text)), default=0))
        yield f"{each.label}:\n\n" if each.label else ""
        yield f"{fence}{each.language}\n{text}\n{fence}\n\n"


def _line(text: str) -> str:
    """Text of a session in a line of ours: no mark of it is one of Markdown."""
    return re.sub(r"([\\`*_{}\[\]<>#|!&~])", r"\\\1", " ".join(text.split()))


# -- HTML -------------------------------------------------------------------------------------------------------------

STYLE = """
body { font: 15px/1.5 system-ui, sans-serif; max-width: 60rem; margin: 2rem auto; padding: 0 1rem; color: #1c1e21; }
h1 { font-size: 1.2rem; border-top: 1px solid #bbb; padding-top: 1rem; overflow-wrap: anywhere; }
article { margin: 1rem 0; padding-left: .8rem; border-left: 3px solid #bbb; }
article.prompt { border-color: #1769aa; } article.tool { border-color: #777; } article.error { border-color: #b3261e; }
h2 { font-size: 1rem; margin: 0; overflow-wrap: anywhere; } h2 small, p { color: #60646a; font-weight: normal; }
p { margin: .1rem 0 .1rem .8rem; overflow-wrap: anywhere; }
pre { white-space: pre-wrap; overflow-wrap: anywhere; background: #f4f4f2; padding: .6rem; margin: .4rem 0; }
@media (prefers-color-scheme: dark) {
  body { background: #16181b; color: #dcdee0; } pre { background: #202328; } h2 small, p { color: #9aa0a6; }
}
"""


def write_page(steps: Iterable[Step], write: Write, leaving: Leaving) -> None:
    """Write steps as one page without a script, which loads nothing."""
    allowed = base64.b64encode(hashlib.sha256(STYLE.encode()).digest()).decode()
    policy = f"default-src 'none'; style-src 'sha256-{allowed}'; base-uri 'none'; form-action 'none'"
    write(
        f'<!doctype html>\n<html lang="en"><head><meta charset="utf-8">\n'
        f'<meta http-equiv="Content-Security-Policy" content="{policy}">\n'
        f'<meta name="viewport" content="width=device-width"><title>Recorded steps</title>\n'
        f"<style>{STYLE}</style></head><body>\n".encode()
    )
    place = None
    for step in _counted(steps, leaving):
        if (now := whose(step.said)) != place:
            place = now
            write(f"<h1>{_escaped(now) or 'Not part of a session'}</h1>\n".encode())
        write("".join(_article(step)).encode("utf-8", "replace"))
    write(b"</body></html>\n")


def _article(step: Step) -> Iterator[str]:
    said = told(step.said)
    if said.minor:
        yield f'<p id="step-{step.number}">{step.number} {_escaped(said.title)}</p>\n'
        return
    failed = " error" if step.said.get("outcome") in ("error", "interrupted") else ""
    yield f'<article id="step-{step.number}" class="{step.said["kind"]}{failed}">'
    yield f"<h2>{step.number} {_escaped(said.title)} <small>{moment_of(step.said)}</small></h2>\n"
    for each in said.texts:
        text = f"<pre>{_escaped(shortened(each.text))}</pre>\n"
        yield f"<details><summary>{_escaped(each.label)}</summary>{text}</details>" if each.label else text
    yield "</article>\n"


def _escaped(text: str) -> str:
    return html.escape(text)


# -- a table ----------------------------------------------------------------------------------------------------------

COLUMNS = (
    "step", "time", "agent", "session", "context", "call", "kind", "actor", "name", "outcome", "path", "tokens", "text",
)  # fmt: skip
TEXTS = ("said", "result", "summary", "note", "reason", "words")
LONGEST_CELL = 30_000
"""Characters; spreadsheets take up to 32,767."""
FORMULAS = tuple("=+-@\t\r\n＝＋－＠")
"""How a cell begins that a spreadsheet may take for a formula, also behind blanks."""


def write_table(steps: Iterable[Step], write: Write, leaving: Leaving) -> None:
    """Write steps as comma-separated values: a row for each."""
    write(_row(COLUMNS))
    for step in _counted(steps, leaving):
        write(_row(_cells(step)))


def _cells(step: Step) -> list[str]:
    said = step.said
    text = next((said[name] for name in TEXTS if isinstance(said.get(name), str)), "")
    named = {"agent": said.get("host", ""), "time": moment_of(said), "text": shortened(text, LONGEST_CELL)}
    named |= {"step": str(step.number), "tokens": said.get("window", ""), "name": said.get("name", "")}
    return [neutral(str(named.get(column, said.get(column, "")))) for column in COLUMNS]


def neutral(cell: str) -> str:
    """A cell that is text in every spreadsheet."""
    return f"'{cell}" if cell.lstrip(" ").startswith(FORMULAS) else cell


def _row(cells: Iterable[Any]) -> bytes:
    line = io.StringIO()
    csv.writer(line, lineterminator="\r\n").writerow(cells)
    return line.getvalue().encode("utf-8", "replace")


def _counted(steps: Iterable[Step], leaving: Leaving) -> Iterator[Step]:
    for step in steps:
        leaving.steps += 1
        yield step
