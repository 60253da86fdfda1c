"""`files`: the files known at a step, and how much of each: what `restore` would write, and what it couldn't."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar

from ccos_core.present.cells import clip_path
from ccos_core.present.parts import and_more
from ccos_core.present.rows import Moment, Part, Row, Span, View, clean, heading, table, title
from ccos_core.present.words import count
from ccos_core.query.past_file import (
    ALTERED,
    ERASED,
    PARTIAL,
    UNKNOWN,
    UNSURE,
    WHOLE,
    WITHHELD,
    Lines,
    PastFile,
    past_files,
)
from ccos_core.query.question import Question
from ccos_core.values.ids import file_node
from ccos_core.values.safe_paths import conflicts, why_unsafe

if TYPE_CHECKING:
    from ccos_core.replay.timeline import Timeline

SHOWN_FILES, SHOWN_SPANS = 40, 4
"""Files of each kind that a terminal shows; spans of unknown lines that are named."""
KINDS = {
    WHOLE: ("●", "known in full", "good"),
    ALTERED: ("◌", "known but for what was masked", "stale"),
    UNSURE: ("?", "known, and may have changed since", "uncertain"),
    PARTIAL: ("◐", "known in part", "partial"),
    WITHHELD: ("–", "withheld", "quiet"),
    ERASED: ("×", "erased", "gone"),
    UNKNOWN: ("·", "text unknown", "quiet"),
}
"""State of a file → its sign, its words and its role."""


@dataclass(frozen=True, slots=True)
class KnownFile:
    """One file at a step."""

    path: str
    state: str
    """`whole`, `altered` (something in it was masked), `uncertain`, `partial`, `withheld`, `erased` or `unknown`."""

    step: int
    """The step that showed or changed it last."""

    lines: int
    """Lines of it, as far as it is known, ..."""

    unknown: tuple[Lines, ...]
    """... those of which nothing is known, ..."""

    doubted: tuple[Lines, ...]
    """... and those that are a guess."""

    notes: tuple[str, ...]
    """What else is to be said of it: masked secrets, an end that is unknown, and the like."""

    refused: str
    """Why `restore` doesn't write it; empty where it does, or where there is no text to write."""


@dataclass(frozen=True, slots=True)
class FilesKnown:
    """The answer to `files`."""

    schema: ClassVar[str] = "ccos.files/1"
    at: int
    files: tuple[KnownFile, ...]

    def as_rows(self, view: View) -> Sequence[Row]:
        """Files by how much is known of them, each with what is missing; Enter leads to it."""
        if not self.files:
            return [title(f"no file is known at step {self.at:,}")]
        rows = [title(f"{count(len(self.files), 'file')} at step {self.at:,}: {self._in_words()}")]
        for state, (_, words, _) in KINDS.items():
            of = [each for each in self.files if each.state == state]
            some, more = view.some(of, SHOWN_FILES)
            if of:
                leads = [Moment(each.step, file_node(each.path)) for each in some]
                rows += [Row(), heading(f"{words} ({len(of):,})")]
                rows += [
                    *table([_cells(each, view.width // 2) for each in some], right=(2,), leads=leads),
                    *and_more(more, "file"),
                ]
        return rows

    def _in_words(self) -> str:
        sizes = [(sum(each.state == state for each in self.files), words) for state, (_, words, _) in KINDS.items()]
        return ", ".join(f"{size:,} {words}" for size, words in sizes if size)


def files(timeline: Timeline, at: int) -> FilesKnown:
    """List the files that are there at a step."""
    known = list(past_files(timeline, at))
    refused = refusals(known)
    return FilesKnown(at, tuple(known_file(each, refused.get(each.path, "")) for each in known))


def refusals(known: Sequence[PastFile]) -> dict[str, str]:
    """Return which files may not be written, and why: path → reason."""
    found = {each.path: why for each in known if (why := why_unsafe(each.path))}
    return found | conflicts(each.path for each in known if each.has_text and each.path not in found)


def known_file(file: PastFile, refused: str) -> KnownFile:
    """Return a file as answers hold it."""
    lines = len(file.sheet.lines) - (file.sheet.ended and file.sheet.lines[-1:] == ("",))
    return KnownFile(
        file.path,
        file.state,
        file.step,
        lines,
        file.unknown,
        file.doubted,
        file.notes,
        refused if file.has_text else "",
    )


# ---- its rows ----


def _cells(file: KnownFile, room: int) -> list[Part]:
    sign, spoken, role = KINDS[file.state]
    size = count(file.lines, "line") if file.lines else ""
    return [
        Span(sign, role, spoken),
        clip_path(clean(file.path), max(room, 16)),
        Span(size, "quiet"),
        Span(file_words(file), "quiet"),
    ]


def file_words(file: KnownFile) -> str:
    """Say what is missing of a file, and what is to be noticed."""
    said = [f"not written: {file.refused}"] if file.refused else []
    if file.unknown:
        spans = [f"{each.first:,}" + (f"–{each.last:,}" if each.first < each.last else "") for each in file.unknown]
        more = f" and {len(spans) - SHOWN_SPANS:,} more spans" if len(spans) > SHOWN_SPANS else ""
        said.append(f"lines {', '.join(spans[:SHOWN_SPANS])}{more} unknown")
    return clean("; ".join((*said, *file.notes, f"step {file.step:,}")))


QUESTION = Question(
    ask=files,
    answers=(FilesKnown,),
    example="files --at 40",
    about="A file is known in full once the agent has read or written all of it. `ccos-tui restore` writes these files "
    "into a folder.",
    nothing=lambda answer: not answer.files,
)
