"""How often the tables of `text/sorts.py` are right, on the hand labels, in sessions that they weren't written for.

    python tests/bench/told/sorts.py      one line a sort: precision and recall, and how far two readings agree

The rules were written with the sessions of `WRITTEN_FOR` in sight; a sort is switched on by the others. They are told
apart by a hash of their name, so nobody chose them.
"""

import sys
from collections import Counter
from collections.abc import Iterator
from hashlib import sha256
from pathlib import Path
from typing import NamedTuple

from ccos_core.text.sorts import SORTS, TABLES, sort_of
from tests.bench.told import labels
from tests.bench.told.raw_words import spoken

SHARED = Path(__file__).resolve().parents[4] / "shared"
REPEATED = ("9d7a9d52", "79e9becd")
"""Sessions whose words are those of another one."""
LEAST_PRECISION_PERCENT, FEWEST_HITS = 85, 20
"""A sort holds with so many right in sessions left out; fewer hits prove nothing."""


class Score(NamedTuple):
    """Of one sort."""

    right: int
    found: int
    there: int

    @property
    def holds(self) -> bool:
        return self.found >= FEWEST_HITS and 100 * self.right >= LEAST_PRECISION_PERCENT * self.found


def written_for(file: str) -> bool:
    """Whether the rules were written with this session in sight."""
    return int(sha256(file.encode()).hexdigest(), 16) % 2 == 0


def scores(language: str, *, left_out: bool, reading: str = "first") -> dict[str, Score]:
    """Return the score of each sort, over the sessions left out or over those the rules were written for."""
    right, found, there = Counter[str](), Counter[str](), Counter[str]()
    for session in labels.read(reading):
        if any(name in session.file for name in REPEATED) or written_for(session.file) == left_out:
            continue
        sorts = {(each.line, each.block, each.start, each.end): each.sort for each in session.labels}
        there.update(sorts.values())
        for each in spoken(SHARED / session.file):
            real = sorts.get((each.line, each.block, each.start, each.end), "")
            given = [sort for sort in SORTS if sort_of(each.text, {language: {sort}})]
            found.update(given)
            right.update(sort for sort in given if sort == real)
    return {sort: Score(right[sort], found[sort], there[sort]) for sort in SORTS}


def main() -> None:
    for language in TABLES:
        for left_out in (False, True):
            print(language, "left out" if left_out else "written for")
            for sort, (right, found, there) in scores(language, left_out=left_out).items():
                print(f"  {sort:15} precision {right:3} of {found:3}   recall {right:3} of {there:3}")
    print("two readings", *agreement(), sep="\n")


def agreement() -> Iterator[str]:
    """Yield a line for each sort: how many sentences both readings call so, and how many one of them alone."""
    second = labels.read("second")
    files = {each.file for each in second}
    counts = labels.agreement([each for each in labels.read() if each.file in files], second)
    for sort in SORTS:
        both, first_only, second_only = counts[sort]
        yield f"  {sort:15} both {both:3}   one alone {first_only + second_only:3}"


if __name__ == "__main__":
    sys.exit(main())
