"""The hand labels: what is standing at a compaction, and whether two readings agree.

    python -m tests.bench.told.labels        one line a compaction: session, record, standing statements in force

`README.md` has the rules of labelling and the form of the files.
"""

import json
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

from tests.bench.told.raw_words import spoken

HERE = Path(__file__).resolve().parent
CLASSES = ("preference", "correction", "decision", "todo", "failed-attempt", "fact")


class Label(NamedTuple):
    """One labelled sentence: record `line`, content block `block`, characters `start` to `end` of its raw text."""

    line: int
    block: int
    start: int
    end: int
    sort: str
    standing: bool
    until: int | None

    def in_force(self, line: int) -> bool:
        """Return whether the statement stands when the record `line` is written."""
        return self.standing and self.line < line and (self.until is None or line < self.until)


class Session(NamedTuple):
    """The labels of a session; a compaction is (record of its boundary, record of the last request before it)."""

    file: str
    compactions: list[tuple[int, int]]
    labels: list[Label]


def read(reading: str = "first") -> list[Session]:
    """Return the sessions of a reading, in the order of its file."""
    value = json.loads((HERE / f"labels_{reading}.json").read_text())
    return [Session(each["file"], _pairs(each), [_label(*row) for row in each["labels"]]) for each in value["sessions"]]


def in_force(session: Session, line: int) -> list[Label]:
    """Return the standing statements in force at a record, oldest first."""
    return [label for label in session.labels if label.in_force(line)]


def at_compactions(sessions: list[Session]) -> Iterator[tuple[Session, int, list[Label]]]:
    """Yield every compaction with the standing statements in force at it."""
    for session in sessions:
        for line, _ in session.compactions:
            yield session, line, in_force(session, line)


def words_of(session: Session, shared: Path) -> dict[Label, str]:
    """Return what each label of a session says, read from the raw transcript below `shared`."""
    said = {piece[:4]: piece.text for piece in spoken(shared / session.file)}
    return {label: said[label[:4]] for label in session.labels}


def requests_of(session: Session, shared: Path) -> dict[int, list[str]]:
    """Return by compaction the sentences of the last request before it."""
    said = [piece for piece in spoken(shared / session.file) if piece.channel not in ("withdrawn", "subagent")]
    return {line: [piece.text for piece in said if piece.line == place] for line, place in session.compactions}


def agreement(first: list[Session], second: list[Session]) -> dict[str, tuple[int, int, int]]:
    """Return by class, and for `standing`, how many sentences both, only the first and only the second reading have."""
    one, two = ({(each.file, *label[:4]): label for each in ones for label in each.labels} for ones in (first, second))
    counts = {}
    for sort in (*CLASSES, "standing"):
        left, right = ({key for key, label in each.items() if _is(label, sort)} for each in (one, two))
        counts[sort] = (len(left & right), len(left - right), len(right - left))
    return counts


def _is(label: Label, sort: str) -> bool:
    return label.standing if sort == "standing" else label.sort == sort


def _pairs(session: dict[str, list[list[int]]]) -> list[tuple[int, int]]:
    return [(line, request) for line, request in session["compactions"]]


def _label(place: str, sort: str, standing: bool, until: int | None) -> Label:
    line, block, span = place.split(":")
    start, end = span.split("-")
    return Label(int(line), int(block), int(start), int(end), sort, standing, until)


if __name__ == "__main__":
    for session, line, held in at_compactions(read()):
        print(f"{session.file} {line}: {len(held)} {' '.join(f'{each.line}:{each.start}' for each in held)}")
