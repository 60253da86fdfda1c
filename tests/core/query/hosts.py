"""The slow, obvious way to what a context of a host held: the tale is told again up to each step, and looked at."""

from ccos_core.replay.codes import name_of
from ccos_core.replay.renames import life, name_at
from ccos_core.replay.timeline import Timeline
from tests.core.replay.told import as_of
from tests.core.state.contexts import Context, Reference
from tests.core.state.small import Tale

SHOWN_AS = {"patched": "in"}
WORTH = {"unborn": 0, "gone": 0, "out": 0, "uncertain": 1, "stale": 1, "partial": 2, "in": 3}


class Slowly:
    """What every context held of everything, at every step."""

    def __init__(self, tale: Tale, timeline: Timeline) -> None:
        self.timeline = timeline
        self.tale = tale
        self._known: dict[int, tuple[Tale, Reference]] = {}

    def states(self, context: Context, node: str) -> list[str]:
        """What a node is, at every step, by whatever name somebody at the end calls so."""
        names = life(self.timeline, node, self.timeline.head)
        found, born, ever = [], False, False
        for step in range(self.timeline.head + 1):
            name = name_at(names, step)
            tale, _ = self.at(step)
            there = tale.world.is_there(name)
            born = born or there
            state, _, _ = self.standing(context, name, step)
            ever = ever or state != "out"
            shown = SHOWN_AS.get(state, state) if ever else "unborn"
            found.append("gone" if born and not there else shown)
        return found

    def standing(self, context: Context, name: str, step: int) -> tuple[str, int, int]:
        """State, tokens, and the step of the last delivery, worked out line by line."""
        tale, reference = self.at(step)
        return tuple(reference.state(tale, context, name))

    def at(self, step: int) -> tuple[Tale, Reference]:
        """The tale up to the end of a step's moment, and what was held then."""
        last = self.timeline.journal.last_moment(step)
        if last not in self._known:
            tale, reference = as_of(self.tale, 0), Reference()
            for op in self.tale.ops[:last]:
                reference.tell(tale, op)
            tale.world.graph.settle()
            self._known[last] = tale, reference
        return self._known[last]


def number_of(timeline: Timeline, context: Context) -> int:
    """The number of a context in the journal; -1 where nothing happened in it."""
    return timeline.journal.id(name_of(context))
