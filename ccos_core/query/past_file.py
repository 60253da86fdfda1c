"""A file as the record knows it at a step: its text line by line, and what of it is unknown, a guess or changed.

A text is put together of what was recorded: the last time all of the file was known, and the parts that were shown or
edited since. What is said here of a line rests on the steps that made it, so a text of which one of them was erased, or
behind which something may have changed the file, says so.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

import numpy as np

from ccos_core.errors import NotFound
from ccos_core.present.words import count
from ccos_core.state.sightings import UNCERTAIN
from ccos_core.values import sheet as sheets
from ccos_core.values.sheet import BLANK, Sheet

if TYPE_CHECKING:
    from ccos_core.ops.plain import Plain
    from ccos_core.replay.sources import Version
    from ccos_core.replay.timeline import Timeline

WHOLE, ALTERED, UNSURE, PARTIAL = "whole", "altered", "uncertain", "partial"
WITHHELD, ERASED, UNKNOWN = "withheld", "erased", "unknown"
WITH_TEXT = (WHOLE, ALTERED, UNSURE, PARTIAL)
"""How much is known of a file: all of it; all but for secrets that were masked; all lines, of which some are a guess;
not all lines. The others have no text: it was kept out, it was erased, or no step showed it."""
MASKED = "secret:"
"""How the kind of a finding begins that was masked; others were spelled out."""
_WHY = {
    "secret-path": "its path usually holds secrets",
    "ccosignore": "kept out by .ccosignore",
    "unplaced": "edited before any of it was shown",
    "mixed": "only shown among other files",
    UNCERTAIN: "may have changed, and no step shows how",
}
"""Why there is no text of a file → how that is said."""


@dataclass(frozen=True, slots=True)
class Lines:
    """Neighbouring lines of a file."""

    first: int
    last: int


@dataclass(frozen=True, slots=True)
class PastFile:
    """One file at a step."""

    path: str
    state: str
    """How much is known of it: one of `WITH_TEXT`, `withheld`, `erased` or `unknown`."""

    step: int
    """The step that it comes from: what showed or changed it last."""

    sheet: Sheet
    unknown: tuple[Lines, ...]
    """Lines of which nothing is known."""

    doubted: tuple[Lines, ...]
    """Lines that are a guess."""

    notes: tuple[str, ...]
    """What else is to be said of it, each in a few words."""

    @property
    def content(self) -> bytes:
        """Return its bytes; a line of which nothing is known is empty, so that the others keep their numbers."""
        return self.sheet.text.encode("utf-8", "surrogatepass")

    @property
    def has_text(self) -> bool:
        return self.state in WITH_TEXT


def past_files(timeline: Timeline, at: int) -> Iterator[PastFile]:
    """Yield every file that is there at a step, by path."""
    last = timeline.at(at).last
    versions = timeline.journal.versions
    timeline.have_ready(np.unique(versions["step"][: versions.upto(last)]).tolist())
    for path in timeline.sources.there(last):
        version = timeline.sources.at(path, last)
        if version is not None:
            yield past_file(timeline, path, version)


def past_file(timeline: Timeline, path: str, version: Version) -> PastFile:
    """Put together what is known of one version of a file."""
    if not version.content:
        return _without_text(path, version)
    try:
        made = _composed(timeline, _pieces(timeline, path, version))
    except NotFound:
        return PastFile(
            path, ERASED, version.step, BLANK, (), (), ("its text was erased, or lies in a missing archive",)
        )
    runs = made.sheet.runs
    unknown, doubted = _spans(runs, sheets.UNKNOWN), _spans(runs, sheets.INFERRED)
    if not _sees_text(made.sheet):
        state = ERASED if made.erased else UNKNOWN
        return PastFile(path, state, version.step, BLANK, (), (), tuple(_erased_words(made)))
    notes = (
        *_changed_words(made.findings),
        *_erased_words(made),
        *_doubt_words(made.sheet, doubted),
        *_end_words(made),
    )
    is_partial = bool(unknown) or not made.sheet.ended
    state = PARTIAL if is_partial else UNSURE if doubted else ALTERED if made.findings else WHOLE
    return PastFile(path, state, version.step, made.sheet, unknown, doubted, notes)


@dataclass(slots=True)
class _Made:
    """A sheet, and what is to be said of how it was made."""

    sheet: Sheet
    findings: list[tuple[str, int]]
    """(what the gate changed, how often)."""

    erased: list[int]
    """Steps whose text isn't there any more."""

    inferred: list[int]
    """Steps whose text was worked out from a command."""


def _pieces(timeline: Timeline, path: str, version: Version) -> list[tuple[int, Plain]]:
    """The steps that a version is made of, the first one first: from the last that brought all of the file."""
    found: list[tuple[int, Plain]] = []
    while version.content:
        op = timeline.op(version.step)
        if op["kind"] == "renamed":
            path = op["path"]
        else:
            found.append((version.step, op))
            if "content" in op and "slice" not in op:
                break
        before = timeline.sources.before(path, version)
        if before is None:
            break
        version = before
    return found[::-1]


def _composed(timeline: Timeline, pieces: Sequence[tuple[int, Plain]]) -> _Made:
    """Lay the pieces over each other, as the fold does."""
    made = _Made(BLANK, [], [], [])
    for step, op in pieces:
        if "content" not in op:  # something may have changed the file
            made.sheet = _doubted(made.sheet)
            continue
        text = timeline.facts.text(op["content"]["blob"])
        if text is None:
            made.erased.append(step)
            made.sheet = _doubted(made.sheet)
            continue
        if op.get("inferred"):
            made.inferred.append(step)
        made.findings += [(kind, number) for name, kind, number, _ in op.get("findings", ()) if name == "content"]
        made.sheet = _laid(made.sheet, op, text)
    return made


def _laid(sheet: Sheet, op: Plain, text: str) -> Sheet:
    if "slice" not in op:
        return _uncut(sheets.shown(text), op["content"])
    first = op["slice"][0]
    if op["how"] in ("read", "ingest"):
        return sheets.read_in_part(sheet, first, text)
    return sheets.edited_in_part(sheet, first, text, op.get("took"))


def _doubted(sheet: Sheet) -> Sheet:
    """The same as a guess; where it ended is one as well, and said with it."""
    return replace(sheets.doubted(sheet), ended=sheet.ended)


def _uncut(sheet: Sheet, blob: dict[str, Any]) -> Sheet:
    """Make room for the lines that were too many to keep; a line of the gate's own stands in their place."""
    if "dropped" not in blob:
        return sheet
    head, dropped = int(blob["head"]), int(blob["dropped"])
    above, below = sheet.lines[:head], sheet.lines[head + 1 :]
    size = min(dropped, sheets.FARTHEST)
    ends = (len(above), len(above) + size, len(above) + size + len(below))
    kinds = (sheets.DELIVERED, sheets.UNKNOWN, sheets.DELIVERED)
    begins = (0, *ends[:2])
    runs = tuple((first + 1, last, kind) for first, last, kind in zip(begins, ends, kinds, strict=True) if last > first)
    return Sheet((*above, *("",) * size, *below), runs, sheet.ended)


def _without_text(path: str, version: Version) -> PastFile:
    why = version.why or "never recorded"
    state = ERASED if why == "erased" else WITHHELD if why in ("secret-path", "ccosignore", "withheld") else UNKNOWN
    return PastFile(path, state, version.step, BLANK, (), (), (_WHY.get(why, why),))


def _sees_text(sheet: Sheet) -> bool:
    return any(kind != sheets.UNKNOWN for _, _, kind in sheet.runs)


def _spans(runs: Sequence[sheets.Run], kind: str) -> tuple[Lines, ...]:
    return tuple(Lines(first, last) for first, last, each in runs if each == kind)


def _changed_words(findings: Sequence[tuple[str, int]]) -> Iterator[str]:
    """What the gate changed in the text, which is no more what the file held."""
    masked = sum(number for kind, number in findings if kind.startswith(MASKED))
    shown = sum(number for kind, number in findings if not kind.startswith(MASKED))
    if masked:
        yield f"{count(masked, 'secret')} masked"
    if shown:
        yield f"{count(shown, 'hidden character')} spelled out"


def _erased_words(made: _Made) -> Iterator[str]:
    if made.erased:
        yield "the text of step " + ", ".join(f"{step:,}" for step in made.erased[:3]) + " was erased"


def _doubt_words(sheet: Sheet, doubted: tuple[Lines, ...]) -> Iterator[str]:
    if doubted:
        is_to_end = sheet.lines[-1:] == ("",) and doubted[-1].last == len(sheet.lines) > 1
        lines = sum(each.last - each.first + 1 for each in doubted) - is_to_end
        yield f"{count(lines, 'line')} may have changed"


def _end_words(made: _Made) -> Iterator[str]:
    if not made.sheet.ended:
        yield f"may go on after line {len(made.sheet.lines):,}"
    elif made.sheet.lines[-1:] != ("",):
        yield "no line break at its end"
    if made.inferred:
        yield "in part worked out from commands"
