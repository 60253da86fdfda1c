"""Observations on their way through the gate, out again in the order in which they came.

The gate is pure, and most of the work of an import. Where there is enough of it, other processes do it while whoever
hands it out reads on. What they give back is what the gate gives here, to the byte; it comes packed. No more is under
way than keeps them busy, so memory stays bounded.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, TypeAlias

from ccos_core.ops.plain import NotAnOp
from ccos_core.session.admit import Admitted, admit
from ccos_core.session.ccosignore import CcosIgnore
from ccos_core.session.workers import AHEAD, Crew, processors
from ccos_core.values.paths import Place

if TYPE_CHECKING:
    from ccos_core.session.admit import Observation

WORTH_A_CREW = 1_000_000
"""Characters from which other processes pay for being started."""
MOST_REMEMBERED = 10_000
"""Contents of which a process remembers that it has packed them."""

LetIn: TypeAlias = "list[Admitted | str]"
"""What became of each observation; a text says why it was refused."""


@dataclass(frozen=True, slots=True)
class Lot:
    """Observations that go through together."""

    said: Sequence[Observation]
    place: Place
    root: str
    """Where the ignore files of the project are."""


class Admitting:
    """Lots under way; take out what is done before there are too many."""

    def __init__(self) -> None:
        self._crew: Crew | None = None
        self._under_way: deque[Callable[[], LetIn]] = deque()

    def hand(self, lot: Lot, size: int) -> None:
        """Have a lot let in. `size` is how many characters are to be expected with it and after it."""
        if self._crew is None and size >= WORTH_A_CREW and processors() > 1:
            self._crew = Crew()
        if self._crew is None:
            done = let_in(lot)
            self._under_way.append(lambda: done)
        else:
            self._under_way.append(self._crew.hand(let_in_packed, lot))

    def done(self, *, all_of_it: bool) -> Iterator[Admitted | str]:
        """What has gone through, as far as it isn't left under way for the time being."""
        while self._under_way and (all_of_it or self._crew is None or len(self._under_way) > processors() * AHEAD):
            yield from self._under_way.popleft()()

    def leave(self) -> None:
        """Nothing more is to be let in."""
        self._under_way.clear()
        if self._crew is not None:
            self._crew.leave()
            self._crew = None


def let_in(lot: Lot) -> LetIn:
    """Each of these through the gate."""
    ignored = CcosIgnore(lot.root)
    return [_let_in(said, lot.place, ignored) for said in lot.said]


def let_in_packed(lot: Lot) -> LetIn:
    """The same with contents packed, so that whoever writes needn't."""
    done = let_in(lot)
    for each in done:
        if isinstance(each, Admitted) and any(blob not in _packed for blob, _ in each.blobs):
            _packed.update(dict.fromkeys(blob for blob, _ in each.blobs))
            each.pack()
    if len(_packed) > MOST_REMEMBERED:
        _packed.clear()
    return done


_packed: dict[bytes, None] = {}
"""What this process has packed before. It is on disk by now, or will be; given again as it is, it costs nothing."""


def _let_in(said: Observation, place: Place, ignored: CcosIgnore) -> Admitted | str:
    try:
        return admit(said, place, ignored)
    except NotAnOp as error:  # it keeps nothing else out
        return str(error)
