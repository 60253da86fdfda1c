"""What a text is about, in order: several looks at it, each a list of its own, fused by place.

The words of a text are looked for in heads and in bodies; what it names outright (symbols, lines of files, files) and
what fails now are lists beside these; and what is linked to the best of all that comes nearer. The weights are few and
small, and were chosen by what real changes touched; `docs/PERFORMANCE.md` tells how well they do.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from math import isqrt

import numpy as np

from ccos_core.text.retrieval.bm25 import bm25
from ccos_core.text.retrieval.fusion import added, best_first, shares
from ccos_core.text.retrieval.mentions import mentions
from ccos_core.text.retrieval.report import Report, report
from ccos_core.text.retrieval.shelf import Collection, Numbers
from ccos_core.text.retrieval.tfidf import tfidf
from ccos_core.text.retrieval.tokenize import counted
from ccos_core.text.syntax.resolution import Target
from ccos_core.values.tokens import UNIT
from ccos_core.window.lexicon import View
from ccos_core.window.naming import WHOLE

Live = Sequence[tuple[Target, int]]
"""Symbols that live failures press on, and how strongly."""

HEADS, BODIES, NAMED, FRAMES, FILES, FAILING, NEAR = "heads", "bodies", "named", "frames", "files", "failing", "near"
WEIGHTS: Mapping[str, int] = {HEADS: 1, BODIES: 2, NAMED: 1, FRAMES: 3, FILES: 1, FAILING: 2, NEAR: 1}
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


@dataclass(frozen=True, slots=True)
class Ranking:
    """Documents by how much a text is about them."""

    scores: Numbers
    shares: Mapping[str, Numbers]
    """What each list gave."""

    def order(self) -> list[int]:
        """What is worth a line, the best first; by path and symbol where they are equal. It depends on the best."""
        best = int(self.scores.max(initial=0))
        return best_first(self.scores, -(-best // STOP))

    def reason(self, at: int) -> str:
        """What gave a document most, and what else at least a third as much."""
        given = sorted(((-int(each[at]), name) for name, each in self.shares.items()), key=lambda one: one[0])
        most = given[0][0]
        return ", ".join(REASONS[name] for share, name in given if share < 0 and 3 * share <= most)


def ranked(text: str, view: View, live: Live = (), nearness: bool = True) -> Ranking:
    """How much `text` is about each document, what fails now included."""
    said = report(text)
    collection, asked, told = view.collection, query(said), mentions(said.text)
    named = {target: worth for target, worth in view.names.named(told).items() if worth * VAGUE >= WHOLE}
    part = 1 + (ASIDE - 1) * view.aside
    looks = {
        HEADS: lifted(collection, (bm25(collection, asked) >> view.minor) // part),
        BODIES: lifted(collection, (tfidf(collection, asked) >> view.minor) // part),
        NAMED: view.vector(named) // part,
        FRAMES: view.vector(view.names.spotted(told.spots)) // part,
        FILES: (view.file_vector(view.names.paths(told)) >> view.minor) // part,
        FAILING: failing(view, live),
    }
    given = {name: shares(WEIGHTS[name], look) for name, look in looks.items()}
    if nearness:
        given[NEAR] = shares(WEIGHTS[NEAR], near(view, added(given.values())))
    return Ranking(added(given.values()), given)


def query(said: Report) -> dict[str, int]:
    """The terms that are looked for, each with its weight."""
    found = dict.fromkeys(counted(said.title), TITLE)
    for part, most in ((said.prose, PROSE), (said.pasted, PASTED)):
        for term, count in counted(part).items():
            found[term] = found.get(term, 0) + min(count, most)
    return dict(list(found.items())[:MOST_TERMS])


def lifted(collection: Collection, scores: Numbers) -> Numbers:
    """Scores with a part of how well their files fit as a whole: what fits doesn't come alone."""
    order = np.lexsort((-scores, collection.file))
    files = collection.file[order]
    best = np.arange(len(order)) - np.searchsorted(files, files) < BEST_OF_FILE
    sums = np.zeros(len(files) + 1, dtype=np.int64)
    np.add.at(sums, files[best], scores[order][best])
    lift: Numbers = np.where(scores > 0, scores + sums[collection.file] * LIFT // (LIFT_OF * BEST_OF_FILE), 0)
    return lift


def near(view: View, scores: Numbers) -> Numbers:
    """How near each is to the best: by a link either way, the less the more others link to what is linked to."""
    best = [int(at) for at in np.argsort(-scores, kind="stable")[:AROUND_THEM] if scores[at] > 0]
    pull = shares(1, scores)
    anchors = {at: int(pull[at]) for at in best[:ANCHORS]}
    paths = dict.fromkeys(view.targets[at].path for at in best)
    edges = [edge for path in paths for edge in view.edges(path)]
    linking: dict[int, int] = {}
    for _, to in edges:
        linking[to] = linking.get(to, 0) + 1
    found = np.zeros(len(scores), dtype=np.int64)
    for one, to in edges:
        if one in anchors or to in anchors:
            crowd = UNIT + isqrt(linking[to] * UNIT * UNIT)
            found[to] += anchors.get(one, 0) * UNIT // crowd
            found[one] += anchors.get(to, 0) * UNIT // crowd
    return found * (1 - view.aside)


def failing(view: View, live: Live) -> Numbers:
    """How failures press on each, in steps from the weakest there is: strengths may be of any size."""
    steps = {strength: step for step, strength in enumerate(sorted({each for _, each in live if each > 0}), 1)}
    strongest: dict[Target, int] = {}
    for target, strength in live:
        strongest[target] = max(strongest.get(target, 0), steps.get(strength, 0))
    return view.vector(strongest)
