"""A text in fewer tokens, by its own lines: the same on every machine, and no model asked.

    short = summarized(text, 120)
    short.text, short.dropped     # lines of the text in their order, and which of its facts they don't have

Facts are paths, identifiers, numbers and codes of errors. Lines with the most new facts for their size are taken; facts
that stand in no line taken are listed behind them as far as there is room, and the rest is told as dropped.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from heapq import heapify, heappop, heappush

from ccos_core.text.names import identifiers_in, paths_in
from ccos_core.values.tokens import estimate, line_parts

LEAST_TOKENS = 24
MOST_LINES = 2_000
"""Lines of a text that may be taken; it is long, and its summary short."""
LONGEST_LINE = 400  # characters
HEADING_WORTH, FACT_WORTH = 3, 4
"""Of a line: 1 for having words, and these for a heading and each fact that no line taken has."""
LINES_SHARE = 3, 4
"""Of the budget, for lines; the rest lists facts."""
ALSO = "also: "
SCALE = 1 << 16

_NUMBER = re.compile(r"(?<![\w.])-?[0-9][0-9_,.]{0,30}[0-9](?:%|[A-Za-z]{1,3})?(?!\w)|(?<![\w.])[0-9]%(?!\w)")
_CODE = re.compile(
    r"(?<!\w)E?[A-Z]{1,12}[0-9]{2,6}(?!\w)|(?<!\w)E[A-Z]{3,14}(?!\w)|(?<!\w)[A-Z][A-Za-z]{2,40}(?:Error|Exception)(?!\w)"
)
_HEADING = re.compile(r"\s{0,3}#{1,6}\s|\s*(?:def|class|func|fn|type|struct|interface|export|impl)\s")
_WORD = re.compile(r"\w")


@dataclass(frozen=True, slots=True)
class Summary:
    """A text made shorter."""

    text: str
    dropped: tuple[str, ...]
    """Facts of the text that the summary doesn't have, in their order there."""


def summarized(text: str, budget: int) -> Summary:
    """Shorten a text to a number of tokens, or leave it as it is if it fits."""
    if estimate(text) <= budget:
        return Summary(text, ())
    facts = facts_in(text)
    lines = [line[:LONGEST_LINE] for line in text.splitlines()[:MOST_LINES]]
    taken = _taken(lines, facts, budget * LINES_SHARE[0] // LINES_SHARE[1])
    shown = [lines[at].rstrip() for at in sorted(taken)]
    rest = _missing(facts, "\n".join(shown))
    listed: list[str] = []
    for fact in rest:
        if estimate("\n".join([*shown, ALSO + ", ".join([*listed, fact])])) > budget:
            break
        listed.append(fact)
    said = "\n".join([*shown, *([ALSO + ", ".join(listed)] if listed else [])])
    return Summary(said, tuple(_missing(facts, said)))


def facts_in(text: str) -> list[str]:
    """Return the paths, identifiers, error codes and numbers of a text, each once, in this order."""
    codes, numbers = (_found(pattern, text) for pattern in (_CODE, _NUMBER))
    return list(dict.fromkeys([*codes, *paths_in(text), *identifiers_in(text), *numbers]))


# ---- helpers ----


def _found(pattern: re.Pattern[str], text: str) -> list[str]:
    return [found.group() for found in pattern.finditer(text)]


def _taken(lines: list[str], facts: list[str], budget: int) -> list[int]:
    """The lines worth most for their size, as many as fit."""
    known = set(facts)
    of_line = [known.intersection(facts_in(line)) for line in lines]
    left, taken, had = budget, list[int](), set[str]()
    waiting = [at for at, line in enumerate(lines) if _WORD.search(line)]

    def worth(at: int) -> int:
        fresh = len(of_line[at] - had)
        value = 1 + FACT_WORTH * fresh + HEADING_WORTH * (_HEADING.match(lines[at]) is not None)
        return value * SCALE // max(1, line_parts(lines[at]))

    ranked = [(-worth(at), at) for at in waiting]
    heapify(ranked)
    while ranked:
        before, at = heappop(ranked)
        if worth(at) < -before:  # its facts were taken meanwhile
            heappush(ranked, (-worth(at), at))
            continue
        cost = estimate(lines[at] + "\n")
        if cost <= left:
            left -= cost
            taken.append(at)
            had |= of_line[at]
    return taken


def _missing(facts: list[str], said: str) -> list[str]:
    there = set(facts_in(said))
    return [fact for fact in facts if fact not in there]
