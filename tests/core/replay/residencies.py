"""The slow, obvious way to who was in which window: a window for every step, each of a replay from the first op."""

from collections.abc import Sequence

from ccos_core.replay.renames import Name, name_at
from ccos_core.replay.timeline import Timeline
from ccos_core.values.ids import path_of
from ccos_core.window.layout import entry, opening
from ccos_core.window.source import SIGNATURE
from ccos_core.window.working_set import ranked
from tests.core.replay.told import as_of
from tests.core.state.small import Tale


class Slow:
    """A tale told anew for every step."""

    def __init__(self, tale: Tale, timeline: Timeline) -> None:
        self.timeline = timeline
        lasts = [timeline.journal.last_moment(step) for step in range(timeline.head + 1)]
        known = {last: as_of(tale, last) for last in lasts}
        self.tales = [known[last] for last in lasts]
        """Step → the tale up to there; what is seen in one look is one moment."""

    def states(self, names: Sequence[Name], lens: str, budget: int) -> list[str]:
        """What a node is at every step."""
        found, born = [], False
        for step, tale in enumerate(self.tales):
            node = name_at(names, step)
            there = tale.world.is_there(node)
            members = self.members(step, lens, budget)
            born = born or there
            found.append(_state(node, members) if there else "gone" if born else "unborn")
        return found

    def members(self, step: int, lens: str, budget: int) -> list[str]:
        """Who is in the window of a step; nobody where there is nothing it could be about."""
        tale, about = self.tales[step], lens.partition(":")[2]
        if lens.startswith("around:") and not tale.world.is_there(about):
            return []
        return [item.uri for item in tale.window(lens, budget).items]

    def candidates(self, step: int) -> list[tuple[str, int]]:
        """Who may be in the working set, in order, each with what there must be room for before it is."""
        tale = self.tales[step]
        found, opened, need = [], set[str](), 0
        for each in ranked(tale.world, tale.source):
            need += entry(each.source, each.source.shown(each.symbol, SIGNATURE))
            need += 0 if each.source.path in opened else opening(each.source.path)
            opened.add(each.source.path)
            found.append((each.source.node(each.symbol), need))
        return found

    def standing(self, step: int, node: str) -> int | None:
        """The position of a node among them; of a file the first of it."""
        alike = [at for at, (each, _) in enumerate(self.candidates(step)) if each == node or _is_in(each, node)]
        return alike[0] if alike else None


def _state(node: str, members: Sequence[str]) -> str:
    if node in members:
        return "in"
    return "partial" if any(_is_in(each, node) for each in members) else "out"


def _is_in(node: str, file: str) -> bool:
    return file.startswith("file:") and path_of(node) == path_of(file)
