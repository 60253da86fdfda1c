"""The op that pins everything a fold depends on, so that nothing ambient can."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING

from ccos_core.ops.table import KINDS, VOCABULARY

if TYPE_CHECKING:
    from ccos_core.ops.plain import Plain

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


def current(*, interpreters: Mapping[str, int] | None = None, at: int | None = None) -> Plain:
    """The epoch this version of the program writes. Which interpreters it has is for the caller to know."""
    return {
        "kind": "epoch",
        "v": KINDS["epoch"][0],
        **({} if at is None else {"at": at}),
        "format": FORMAT,
        "vocabulary": VOCABULARY,
        "interpreters": dict(interpreters or {}),
        "ticks": dict(TICKS),
        "weights": dict(WEIGHTS),
        "caps": dict(CAPS),
    }
