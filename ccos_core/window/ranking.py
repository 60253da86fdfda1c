"""What a text is about, in order: several looks at it, each a list of its own, fused by place.

The words of a text are looked for in heads and in bodies; what it names outright (symbols, lines of files, files) and
what fails now are lists beside these; and what is linked to the best of what the text is about comes nearer, as what
fails did already when it spread. The weights are few and small, and were chosen by what real changes touched;
`docs/PERFORMANCE.md` tells how well they do.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import NamedTuple, Protocol

import numpy as np
from numpy.typing import NDArray

from ccos_core.text.retrieval.mentions import Mentions, Report, mentions, report
from ccos_core.text.retrieval.scores import added, best_first, bm25, first, roots, shares, tfidf
from ccos_core.text.retrieval.shelf import Numbers
from ccos_core.text.retrieval.tokenize import counted
from ccos_core.text.syntax.resolution import Target
from ccos_core.values.tokens import UNIT
from ccos_core.window.lexicon import View
from ccos_core.window.naming import WHOLE, Names

Live = Sequence[tuple[Target, int]]
"""Symbols that live failures press on, and how strongly."""

HEADS, BODIES, NAMED, FRAMES, FILES, FAILING, NEAR = "heads", "bodies", "named", "frames", "files", "failing", "near"
WEIGHTS: Mapping[str, int] = {HEADS: 1, BODIES: 2, NAMED: 1, FRAMES: 3, FILES: 1, FAILING: 4, NEAR: 1}
"""What the first place of each list is worth against the others'."""
REASONS: Mapping[str, str] = {
    HEADS: "called like it",
    BODIES: "has its words",
    NAMED: "named in it",
    FRAMES: "a line of it is quoted",
    FILES: "its file is named",
    FAILING: "fails now",
    NEAR: "linked to what fits best",
}

STOP = 256
"""A score that is less than one part in so many of the best one's is not worth a line."""

MOST_TERMS = 2_000
"""Different terms that are looked for."""
TITLE, PROSE, PASTED = 4, 2, 1
"""A term in the first line counts so often; in the rest as often as it is there, but no more than this: a log says the
same thing a thousand times."""
ASIDE = 3
"""Tests and examples have one part in so many of their score."""
BEST_OF_FILE = 3
"""So many of a file's documents tell how well the file fits, ..."""
LIFT, LIFT_OF = 4, 5
"""... and this part of that is added to each of its documents that fits at all."""
VAGUE = 5
"""A name that more symbols than that have says nothing of any."""
ANCHORS = 20
"""The best, to which others may be near, ..."""
AROUND_THEM = 200
"""... and how many of the best tell whose links are looked at."""


class Meant(NamedTuple):
    """What a text names outright, list by list."""

    symbols: Mapping[str, Mapping[Target, int]]
    files: Mapping[str, Mapping[str, int]]

    def paths(self) -> list[str]:
        """The files of all of it."""
        every = [target.path for weights in self.symbols.values() for target in weights]
        return sorted({*every, *(path for weights in self.files.values() for path in weights)})


class Documents(Protocol):
    """Documents, as far as it takes to weigh them by what is meant."""

    @property
    def aside(self) -> Numbers:
        """Per document 1 for a test and what else goes with a project."""

    @property
    def minor(self) -> Numbers:
        """Per document 1 for a mere value, and for what no symbol has."""

    def vector(self, weights: Mapping[Target, int]) -> Numbers:
        """Weights of symbols as weights of documents."""

    def file_vector(self, weights: Mapping[str, int]) -> Numbers:
        """Weights of files as weights of their documents."""


@dataclass(frozen=True, slots=True)
class Ranking:
    """Documents by how much a text is about them."""

    scores: Numbers
    shares: Mapping[str, Numbers]
    """What each list gave."""

    def order(self) -> list[int]:
        """What is worth a line, the best first; by path and symbol where they are equal. It depends on the best."""
        return best_first(self.scores, -(-int(self.scores.max(initial=0)) // STOP))

    def reason(self, at: int) -> str:
        """What gave a document most, and what else at least a third as much."""
        given = sorted(((-int(each[at]), name) for name, each in self.shares.items()), key=lambda one: one[0])
        most = given[0][0]
        return ", ".join(REASONS[name] for share, name in given if share < 0 and 3 * share <= most)


def ranked(text: str, view: View, live: Live = (), nearness: bool = True) -> Ranking:
    """How much `text` is about each document, what fails now included."""
    given = _by_words(text, view)
    if nearness:
        given[NEAR] = shares(WEIGHTS[NEAR], near(view, added(given.values())))
    given[FAILING] = shares(WEIGHTS[FAILING], failing(view, live))
    return Ranking(added(given.values()), given)


def _by_words(text: str, view: View) -> dict[str, Numbers]:
    """What each list gives that goes by the text alone."""
    said, collection = report(text), view.collection
    asked = query(said)
    looks = {
        HEADS: lifted(collection.file, less(bm25(collection, asked), view.minor, view.aside)),
        BODIES: lifted(collection.file, less(tfidf(collection, asked), view.minor, view.aside)),
        **outright(view, mentions(said.text)),
    }
    return {name: shares(WEIGHTS[name], look) for name, look in looks.items()}


def outright(view: View, told: Mentions) -> dict[str, Numbers]:
    """What a text names, and in which of the lists; nobody is asked for names where there are none."""
    return weighed(view, meant(view.names, told)) if names_something(told) else {}


def meant(names: Names, told: Mentions) -> Meant:
    """What is called as a text says."""
    symbols: dict[str, Mapping[Target, int]] = {}
    if told.dotted or told.names or told.quoted:
        symbols[NAMED] = {target: worth for target, worth in names.named(told).items() if worth * VAGUE >= WHOLE}
    if told.spots:
        symbols[FRAMES] = names.spotted(told.spots)
    return Meant(symbols, {FILES: names.paths(told)} if told.paths or told.dotted else {})


def weighed(view: Documents, means: Meant) -> dict[str, Numbers]:
    """What each list gives that goes by what is meant."""
    found = {name: view.vector(weights) for name, weights in means.symbols.items()}
    found.update((name, view.file_vector(weights) >> view.minor) for name, weights in means.files.items())
    return {name: _set_aside(look, view.aside) for name, look in found.items()}


def names_something(told: Mentions) -> bool:
    """Whether a text names anything outright, so that it matters what is called how."""
    return bool(told.spots or told.paths or told.dotted or told.names or told.quoted)


def query(said: Report) -> dict[str, int]:
    """The terms that are looked for, each with its weight."""
    found = dict.fromkeys(counted(said.title), TITLE)
    for part, most in ((said.prose, PROSE), (said.pasted, PASTED)):
        for term, count in counted(part).items():
            found[term] = found.get(term, 0) + min(count, most)
    return dict(list(found.items())[:MOST_TERMS])


def lifted(file: NDArray[np.int32], scores: Numbers) -> Numbers:
    """Scores with a part of how well their files fit as a whole: what fits doesn't come alone. `file` says which file
    each document is in."""
    fits = np.flatnonzero(scores > 0)
    if not len(fits):
        return scores
    given, files = scores[fits], file[fits]  # documents of a file stand side by side
    begins = np.flatnonzero(np.append(True, files[1:] != files[:-1]))
    sizes = np.diff(begins, append=len(fits))
    lift = np.zeros(len(scores), dtype=np.int64)
    lift[fits] = given + np.repeat(_best(given, begins, sizes) * LIFT // (LIFT_OF * BEST_OF_FILE), sizes)
    return lift


def _best(scores: Numbers, begins: Numbers, sizes: Numbers) -> Numbers:
    """The sum of the best few of each run of scores."""
    left = np.full(len(begins), BEST_OF_FILE)
    found = np.zeros(len(begins), dtype=np.int64)
    for _ in range(BEST_OF_FILE):
        best = np.maximum.reduceat(scores, begins)
        alike = scores == np.repeat(best, sizes)
        count = np.minimum(np.add.reduceat(alike, begins, dtype=np.int64), left)
        found += best * count
        left -= count
        scores = np.where(alike, 0, scores)
    return found


def less(scores: Numbers, minor: Numbers, aside: Numbers) -> Numbers:
    """Scores, less of them for mere values and for what goes with a project; in place."""
    fits = np.flatnonzero(scores)
    scores[fits] = _set_aside(scores[fits] >> minor[fits], aside[fits])
    return scores


def _set_aside(scores: Numbers, aside: Numbers) -> Numbers:
    """Scores, a part of them for what goes with a project: dividing is dear, so only these are divided."""
    few = np.flatnonzero(aside)
    scores[few] //= ASIDE
    return scores


def near(view: View, scores: Numbers) -> Numbers:
    """How near each is to the best: by a link either way, the less the more others link to what is linked to."""
    best = first(scores, AROUND_THEM)
    pull = np.zeros(len(scores), dtype=np.int64)
    pull[best[:ANCHORS]] = shares(1, scores[best])[:ANCHORS]
    one, to = view.linked(best)
    linking = np.bincount(to, minlength=len(scores))
    found = np.zeros(len(scores), dtype=np.int64)
    np.add.at(found, to, drawn(pull[one], linking[to]))
    np.add.at(found, one, drawn(pull[to], linking[to]))
    return found * (1 - view.aside)


def drawn(pull: Numbers, linking: Numbers) -> Numbers:
    """What is left of a pull along links to what so many link to."""
    found: Numbers = pull * UNIT // (UNIT + roots(linking * UNIT * UNIT))
    return found


def failing(view: View, live: Live) -> Numbers:
    """How failures press on each, in steps from the weakest there is: strengths may be of any size."""
    steps = {strength: step for step, strength in enumerate(sorted({each for _, each in live if each > 0}), 1)}
    strongest: dict[Target, int] = {}
    for target, strength in live:
        strongest[target] = max(strongest.get(target, 0), steps.get(strength, 0))
    return view.vector(strongest)
