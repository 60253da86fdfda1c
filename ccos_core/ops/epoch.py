"""The op that pins everything a fold depends on, so that nothing ambient can."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from ccos_core.ops.base import Op
from ccos_core.ops.table import VOCABULARY

FORMAT = 1
"""The canonical bytes and the chain rule, as `docs/FORMAT.md` states them."""

WORK = ("failed", "passed", "prompt", "seen.edit", "seen.read", "seen.write", "tool")
"""What counts as work, as KIND or KIND.HOW. All else is bookkeeping: an ingest, a recall, a note moves no clock."""

TICKS: Mapping[str, int] = dict.fromkeys(WORK, 1)
"""How far each kind of work moves the virtual clock."""

WEIGHTS: Mapping[str, int] = {
    "half_life": 32,
    # what an impulse of each cause counts for in a score, in 16ths
    "read": 16,
    "edit": 48,
    "engaged": 32,
    "failure": 128,
    # what a node is worth by itself, in 16ths: by kind, and for each doubling of what depends on it
    "prior.file": 8,
    "prior.type": 18,
    "prior.callable": 16,
    "prior.data": 14,
    "prior.other": 10,
    "prior.degree": 1,
    # what of a failure goes on along a dependency, in 256ths: by what kind of use it is, ...
    "spread.call": 200,
    "spread.name": 190,
    "spread.base": 200,
    "spread.type": 120,
    "spread.decorator": 140,
    "spread.import": 80,
    "spread.listed": 80,
    # ... from a file to what stands in it, from a member to what it is a member of, ...
    "spread.file": 128,
    "spread.around": 192,
    # ... and from one frame of a failure to the next one out
    "spread.frame": 160,
}
"""How heat is given and weighed. A fold reads them by name; `docs/GLOSSARY.md` has the words."""

CAPS: Mapping[str, int] = {
    "hops": 3,
    "reach": 400,
    "frames": 12,
    "symbols": 64,
    "stop": 10,
}
"""Bounds: how many dependencies far and how many nodes wide a failure reaches, frames of it that count, symbols one
sighting can touch (or that a failure felt at a file as a whole can reach elsewhere), halvings below the best score at
which a window stops by itself."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Epoch(Op):
    """The rules for the steps after it. The first op of every record is an epoch."""

    format: int
    """The format of the canonical bytes and the chain."""

    vocabulary: int
    """The version of the vocabulary."""

    interpreters: Mapping[str, int]
    """Version of each interpreter, which derives facts from contents."""

    ticks: Mapping[str, int]
    """How far each kind of work moves the virtual clock."""

    weights: Mapping[str, int]
    """How much heat each cause gives, and how it spreads."""

    caps: Mapping[str, int]
    """Limits of the fold, such as how far a failure reaches."""


def current(*, interpreters: Mapping[str, int] | None = None, at: int | None = None) -> Epoch:
    """The epoch this version of the program writes. Which interpreters it has is for the caller to know."""
    return Epoch(
        at=at,
        format=FORMAT,
        vocabulary=VOCABULARY,
        interpreters=dict(interpreters or {}),
        ticks=TICKS,
        weights=WEIGHTS,
        caps=CAPS,
    )
