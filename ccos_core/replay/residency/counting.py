"""How often each term is in each of many wordings: they are short, so many are counted at one go.

Lines have most of their words in common, and wordings their lines: so a line is taken apart once for all wordings that
are counted together, and what stands between white space once for all of their lines.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from itertools import chain
from typing import NamedTuple

import numpy as np

from ccos_core.replay.columns import Numbers, ranges
from ccos_core.replay.residency.passages import Passages, numbered
from ccos_core.text.retrieval.postings import MOST
from ccos_core.text.retrieval.tokenize import pieces, terms_of


class Counts(NamedTuple):
    """Wording after wording."""

    size: Numbers
    """Wording → how many terms it has."""
    term: Numbers
    """The terms of one after the other, those of its body first, in the order they are met, ..."""
    head: Numbers
    """... and how often each is in its head, ..."""
    body: Numbers
    """... and in its body."""


def counts_of(texts: Sequence[str], own: Passages, heads: Passages, terms: defaultdict[str, int]) -> Counts:
    """The counts of wordings, given their own lines and those of their heads as numbers of texts. Terms that
    weren't met before get numbers."""
    halves = _in_turn(own, heads)
    met = np.zeros(len(texts), bool)
    met[halves.texts] = True
    lines = _taken_apart([texts[number] for number in np.flatnonzero(met).tolist()], terms)
    said = Passages((np.cumsum(met) - 1)[halves.texts], halves.ends).told_by(lines)
    half = np.repeat(np.arange(len(said.ends)), said.sizes)  # twice the wording, and one more for its head
    return _counts(said.texts, half, len(own.ends))


def _in_turn(own: Passages, heads: Passages) -> Passages:
    """The lines of one wording, those of its head, the lines of the next one."""
    begins = np.stack([own.begins, heads.begins + len(own.texts)], axis=1).ravel()
    ends = np.stack([own.ends, heads.ends + len(own.texts)], axis=1).ravel()
    return Passages(np.concatenate([own.texts, heads.texts])[ranges(begins, ends)], np.cumsum(ends - begins))


def _taken_apart(lines: Sequence[str], terms: defaultdict[str, int]) -> Passages:
    """The terms of each line, by number."""
    each = list(map(pieces, lines))
    different, met = numbered(chain.from_iterable(each))
    said = list(map(terms_of, different))
    by_piece = np.fromiter(map(terms.__getitem__, chain.from_iterable(said)), np.int64)
    return Passages(met, _ends(each)).told_by(Passages(by_piece, _ends(said)))


def _ends(each: Sequence[Sequence[str]]) -> Numbers:
    return np.cumsum(np.fromiter(map(len, each), np.int64, len(each)))


def _counts(term: Numbers, half: Numbers, count: int) -> Counts:
    """The counts of so many wordings."""
    wording = half >> 1
    order = np.lexsort((_narrow(term), _narrow(wording)))
    other = (np.diff(term[order], prepend=-1) != 0) | (np.diff(wording[order], prepend=-1) != 0)
    begins = np.flatnonzero(other)
    all_ = np.diff(np.append(begins, len(order)))
    head = np.add.reduceat(half[order] & 1, begins) if len(begins) else all_
    met = np.argsort(order[begins])  # of those that are alike, the order has the first one first
    first = order[begins][met]
    return Counts(
        np.bincount(wording[first], minlength=count),
        term[first],
        np.minimum(head, MOST)[met],
        np.minimum(all_ - head, MOST)[met],
    )


def _narrow(numbers: Numbers) -> Numbers:
    """Small numbers are sorted without comparing them."""
    return numbers.astype(np.uint16) if numbers.max(initial=0) <= MOST else numbers
