"""A post-mortem of a session as Markdown: what went wrong and who is suspect, in sentences; the rest in the words it
has without a screen, each below the command that gives it.

What stands in here was said by an agent and by the files it read, so nothing of it is taken for Markdown: it is quoted
character by character, or stands in a fence that is longer than any in it.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from ccos_core.present.parts import node_name
from ccos_core.present.rows import clean
from ccos_core.present.words import count, moment
from ccos_tui.present.texts import harmless

if TYPE_CHECKING:
    from ccos_core.query.autopsy.answer import Autopsy, Finding, Suspect
    from ccos_core.query.when import When
    from ccos_core.values.marks import Mark

_MARKUP = re.compile(r"([\\`*_{}\[\]<>|~&])")
LONGEST = 400
"""Lines of an answer; the command below it gives all of them."""
_FENCE = re.compile(r"`{3,}")


@dataclass(frozen=True, slots=True)
class Part:
    """One answer, with the command that gives it."""

    title: str
    command: str
    lines: Sequence[str]
    """In the words it has without a screen; or why there is none."""

    schema: str = ""
    """What kind of answer it is; empty where there is none."""


@dataclass(frozen=True, slots=True)
class Report:
    """All that it is made of."""

    name: str
    """What the record is called."""

    link: str
    """The moment it was made at."""

    when: When | None
    autopsy: Autopsy | None
    marks: Sequence[Mark]
    parts: Sequence[Part]
    verify: str
    """The command that proves the record."""


def markdown(report: Report) -> str:
    """The whole of it."""
    lines = [f"# Post-mortem of {quoted(report.name)}", "", *_facts(report)]
    for part in report.parts:
        lines += ["", f"## {quoted(part.title)}", "", *_told(part, report), "", *fenced([part.command], "sh")]
    lines += ["", "## Proof", "", "Every step is hashed into the next. This proves that nothing was changed since:", ""]
    return "\n".join([*lines, *fenced([report.verify], "sh")]) + "\n"


def quoted(text: str) -> str:
    """A text on one line, of which Markdown takes nothing for its own."""
    return _MARKUP.sub(r"\\\1", clean(text))


def fenced(lines: Sequence[str], language: str = "text") -> list[str]:
    """Lines in a fence that nothing in them ends."""
    text = harmless("\n".join(line.rstrip() for line in lines))
    longest = max((len(found) for found in _FENCE.findall(text)), default=0)
    fence = "`" * max(3, longest + 1)
    return [fence + language, *text.split("\n"), fence]


def _told(part: Part, report: Report) -> list[str]:
    """An answer in sentences, where there are some for it; else in the words it has without a screen."""
    if part.schema == "ccos.autopsy/1" and report.autopsy is not None:
        return list(_verdict(report.autopsy))
    if part.schema == "ccos.marks/1" and report.marks:
        return list(map(_mark, report.marks))
    more = len(part.lines) - LONGEST
    return fenced([*part.lines[:LONGEST], *([f"... and {count(more, 'more line')}"] if more > 0 else [])])


def _facts(report: Report) -> Iterator[str]:
    yield f"- Covers the whole session; the window is of `{_code(report.link)}`"
    if report.when is not None:
        when = report.when
        at = f", {moment(when.at)} UTC" if when.at is not None else ""
        yield f"- Step {when.step:,} of {when.head:,}{at}"
        yield f"- Hash of the chain there: `{_code(when.hash)}`"
    yield "- Texts are as recorded: secrets stay masked, and withheld or erased text is missing."


def _verdict(autopsy: Autopsy) -> Iterator[str]:
    yield quoted(autopsy.verdict)
    if autopsy.failure:
        yield f"Examined failure: {quoted(autopsy.failure)}."
    for at, finding in enumerate(autopsy.findings):
        yield from _finding(finding, is_verdict=at == 0)
    for rank, suspect in enumerate(autopsy.suspects, 1):
        yield ""
        yield from _suspect(rank, suspect)
    yield ""
    yield autopsy.looked.words()


def _finding(finding: Finding, *, is_verdict: bool) -> Iterator[str]:
    """What was found, with its evidence; the verdict itself stands at the head already."""
    if not is_verdict:
        yield ""
        yield f"Also, {quoted(finding.certainty)}: {quoted(finding.says)}"
    if finding.evidence:
        yield ""
    for each in finding.evidence:
        yield f"- step {each.step:,}: {quoted(each.words)} ({quoted(each.op.kind)} {quoted(each.op.says)})"


def _suspect(rank: int, suspect: Suspect) -> Iterator[str]:
    said = f"{quoted(suspect.kind)}, {quoted(suspect.certainty)}. {quoted(suspect.why)}"
    yield f"{rank}. **{quoted(node_name(suspect.node))}**: {said}"
    for each in suspect.evidence:
        yield f"   - step {each.step:,}: {quoted(each.words)} ({quoted(each.op.kind)} {quoted(each.op.says)})"


def _code(text: str) -> str:
    return clean(text).replace("`", "'")


def _mark(mark: Mark) -> str:
    called = f"**{quoted(mark.name)}**" if mark.name else "note"
    return f"- step {mark.step:,}: {called}" + (f": {quoted(mark.text)}" if mark.text else "")
