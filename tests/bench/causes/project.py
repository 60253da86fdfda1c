"""A story told in one language: what each family fills in, and how a case is put together from it."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Mapping, Sequence
from itertools import count
from random import Random

from tests.bench.causes.model import Module, Story, Unit, edges
from tests.bench.causes.render import Case, Frame, Place, finish, leaks, line_of, links
from tests.bench.causes.story import Traits, draw
from tests.bench.causes.words import snake

Told = tuple[tuple[str, ...], str, str]
"""The command, its style in a word, and what it printed."""


class Project(ABC):
    family = ""

    def __init__(self, story: Story, rng: Random) -> None:
        self.story, self.rng = story, rng
        self.folders = list(dict.fromkeys(module.folder for module in story.modules))
        self.names: dict[tuple[Module | None, Unit], str] = {}
        """How a module (None: the failing test) says a unit of another."""

    def case(self) -> Case:
        story = self.story
        self.prepare()
        files, marks = finish(self.files(False))
        sound, _ = finish(self.files(True))
        frames = [Frame(*marks["test"], self.test_name(), line_of(files, marks["test"]))]
        for unit in self.callers():
            place = marks[f"frame:{snake(unit.words)}"]
            frames.append(Frame(*place, self.called_as(unit), line_of(files, place)))
        cause, decoy = self._place(files, marks, story.cause), self._place(files, marks, story.decoy)
        test = Place(*marks["def:test"], self.test_name(), line_of(files, marks["def:test"]))
        command, style, output = self.told(files, frames)
        return Case(
            family=self.family, seed=story.seed, hops=story.hops, links=links(story), way=story.way, mode=story.mode,
            style=style, files=files, repaired={cause.path: sound[cause.path]}, output=output, frames=tuple(frames),
            symptom=self._place(files, marks, story.symptom) if story.symptom else test, cause=cause,
            wrong=marks["wrong"][1], decoy=decoy, edges=self._graph(test), test=test.symbol, command=command,
        )  # fmt: skip

    def callers(self) -> list[Unit]:
        """Whose frames stand between the test and the failure, with the failure's own."""
        return [*self.story.entries, *([self.story.symptom] if self.story.symptom else [])]

    def modules_in(self, folder: tuple[str, ...]) -> list[Module]:
        return [module for module in self.story.modules if module.folder == folder]

    def _place(self, files: Mapping[str, str], marks: Mapping[str, tuple[str, int]], unit: Unit) -> Place:
        place = marks[f"def:{snake(unit.words)}"]
        return Place(*place, self.symbol(unit), line_of(files, place))

    def _graph(self, test: Place) -> tuple[tuple[str, str], ...]:
        def node(unit: Unit) -> str:
            return f"{self.path(unit.module)}#{self.symbol(unit)}"

        found = [(node(user), node(used)) for user, all_used in edges(self.story).items() for used in all_used]
        called = self.story.called
        needed = [called, *([called.owner] if called.owner else []), *(u.unit for u in called.uses if u.how == "type")]
        return tuple(dict.fromkeys([*found, *((f"{test.path}#{test.symbol}", node(unit)) for unit in needed)]))

    @abstractmethod
    def prepare(self) -> None:
        """Decide how everything is imported: fill `names`, and what `files` needs besides."""

    @abstractmethod
    def files(self, sound: bool) -> dict[str, list[str]]:
        """Every file's lines, with marks: `def:` of units, `frame:` of callers, `def:test`, `test` and `wrong`."""

    @abstractmethod
    def path(self, module: Module) -> str: ...

    @abstractmethod
    def symbol(self, unit: Unit) -> str:
        """The qualified name of a unit in its file."""

    @abstractmethod
    def called_as(self, unit: Unit) -> str:
        """A function's name in a traceback."""

    @abstractmethod
    def test_name(self) -> str: ...

    @abstractmethod
    def told(self, files: Mapping[str, str], frames: Sequence[Frame]) -> Told: ...


def first_that_keeps_quiet(family: str, seed: int, traits: Traits, project: Callable[[Story, Random], Project]) -> Case:
    """The case of a seed; a story whose output would give the cause away is drawn again."""
    for turn in count():
        rng = Random(f"{family}:{seed}:{turn}")
        case = project(draw(rng, seed, traits), rng).case()
        if not leaks(case):
            return case
    raise AssertionError
