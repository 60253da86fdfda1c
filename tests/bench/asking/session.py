"""A long session that nobody had: an agent works through a large tree, a neighbourhood of some thirty files at a time.

Everything is drawn from one seeded stream of integers, so a size and a seed name one record, op for op. The agent looks
around, changes code, runs tests, reads where they fail, mends, and goes on; now and then files are renamed, made or
removed, somebody steers, a subagent takes over, and the host shortens what it holds.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from random import Random

from ccos_core.ops import epoch
from ccos_core.session import interpreters
from tests.bench.asking.outputs import Failing, failed_output, fails, node_of, passed_output
from tests.bench.asking.printed import printed
from tests.bench.asking.telling import MAIN, Observation, Teller
from tests.bench.asking.tree import Module, Ref, Routine, Tree
from tests.bench.asking.words import ASKED

NEIGHBOURHOOD, DRIFT = 30, 6
"""Files the agent works among, and how many of them are others in the next task."""
MOST_USERS = 20
"""Files that use one which is renamed, at most: each is edited for it."""
NEW_NAMES = ("new", "plain", "late", "early")
OTHER_WEIGHTS = {"half_life": 40, "spread.import": 96}
"""What the second epoch says otherwise."""
OTHER_SYMBOLS = 48


def observations(steps: int, files: int, seed: int) -> Iterator[Observation]:
    """What is delivered to a workspace that has its first epoch, until it has so many steps; and then it goes on."""
    story = _Story(files, seed)
    teller = story.teller
    for module in story.tree.modules.values():
        teller.ingest(module)
    epoch_at, retune_at = (steps + files) // 2, (steps + files) * 2 // 3
    while True:
        yield from teller.told
        teller.told.clear()
        if epoch_at and teller.count >= epoch_at:
            teller.tell_as_it_is(_second_epoch())
            epoch_at = 0
        if retune_at and teller.count >= retune_at:
            teller.tell("retune", "user", weights={"edit": 64}, reason="edits matter more here")
            retune_at = 0
        story.task()


def _second_epoch() -> Observation:
    now = epoch.current(interpreters=interpreters.current())
    del now["v"]
    return {**now, "weights": {**now["weights"], **OTHER_WEIGHTS}, "caps": {**now["caps"], "symbols": OTHER_SYMBOLS}}


class _Story:
    """Where the agent stands."""

    def __init__(self, files: int, seed: int) -> None:
        self.rng = Random(seed)
        self.tree = Tree(files, self.rng)
        self.teller = Teller(self.tree, self.rng)
        self.near: list[int] = []
        self.package = self.rng.randrange(self.tree.packages)
        self.failing: list[Failing] = []

    def task(self) -> None:
        """One thing somebody wants, from the prompt to where the agent leaves it."""
        rng, teller = self.rng, self.teller
        self._move_on()
        teller.stream = teller.streams[MAIN]
        teller.prompt(rng.choice(ASKED).format(self._pick().path, self._pick().path))
        if rng.randrange(4) == 0:
            self._delegate("explorer-1", self._look_around)
        self._look_around()
        for _ in range(1 + rng.randrange(3)):
            self._work()
        self._now_and_then()
        if rng.randrange(5) == 0:
            self._delegate("tester-2", self._settle)
        elif rng.randrange(8):
            self._settle()
        teller.tell("turn", model="story-1", said="Done as far as I can see.", stop="end")

    # -- looking --------------------------------------------------------------------------------------------------

    def _look_around(self) -> None:
        for _ in range(3 + self.rng.randrange(7)):
            way = self.rng.randrange(10)
            if way < 5:
                self._read_part(self._pick())
            elif way < 8:
                self.teller.read(self._pick())
            else:
                self._search()

    def _read_part(self, module: Module, line: int = 0) -> None:
        """Some lines, around one if there is a reason for it."""
        line = line or 1 + self.rng.randrange(len(printed(self.tree, module).lines))
        self.teller.read(module, line - 10 - self.rng.randrange(10), line + 12 + self.rng.randrange(40))

    def _search(self) -> None:
        module = self._pick()
        name = next(iter(module.callables()))[0]
        found = [f"{user.path}:{number}:{line}" for user in self._users(module)[:8]
                 for number, line in enumerate(printed(self.tree, user).lines, 1) if name in line]  # fmt: skip
        if self.rng.randrange(2):
            self.teller.tool("Grep", {"pattern": name, "path": "."}, "\n".join(found))
        else:
            self.teller.run(f"git log --oneline -3 -- {module.path}", f"1f{self.rng.randrange(99999):05} Sort {name}")

    # -- working --------------------------------------------------------------------------------------------------

    def _work(self) -> None:
        """Change something, run what may have broken, and mend it."""
        for _ in range(1 + self.rng.randrange(2)):
            self._change(self._pick())
        if self.rng.randrange(5):
            self._break()
        for _ in range(1 + self.rng.randrange(3)):
            self._run_tests()
            if not self.failing:
                return
            self._mend()

    def _change(self, module: Module) -> None:
        """One believable edit."""
        if self.rng.randrange(3):
            self._read_part(module)
        rng, way = self.rng, self.rng.randrange(20)
        if module.is_test or way < 8:
            self._other_body(rng.choice([routine for _, routine in module.callables()]))
        elif way < 11:
            routine = rng.choice(module.routines)
            routine.arguments = [*routine.arguments[:2], f"extra_{rng.randrange(9)}"]
        elif way < 15:
            self.tree.connect(rng, module, rng.choice([routine for _, routine in module.callables()]))
        elif way < 17:
            self.tree.new_routine(rng, module)
        elif way < 18 and module.added:
            name = module.added.pop()
            module.routines = [each for each in module.routines if each.name != name]
        elif module.constants:
            at = rng.randrange(len(module.constants))
            module.constants[at] = module.constants[at][0], rng.randrange(1_000)
        self.teller.edit(module)

    def _other_body(self, routine: Routine) -> None:
        routine.salt = self.rng.randrange(1 << 20)

    def _break(self) -> None:
        """Tests of the neighbourhood begin to fail."""
        known = {each.test for each in self.failing}
        for _ in range(1 + self.rng.randrange(4)):
            tests = self.tree.tests_of(self.package)
            if tests and len(self.failing) < 8:
                module = self.rng.choice(tests)
                test = Ref(module.number, self.rng.choice(module.routines).name)
                if test not in known:
                    known.add(test)
                    self.failing.append(fails(self.tree, self.rng, test))

    def _run_tests(self) -> None:
        """All tests of what is at hand."""
        self.failing = [each for each in self.failing if each.test.module in self.tree.modules]
        if not self.failing:
            self._pass()
            return
        folder = self.tree.modules[self.failing[0].test.module].path.rpartition("/")[0]
        asked = f"python -m pytest {folder}" if self.rng.randrange(3) else f"python -m pytest {self._failing_files()}"
        output = failed_output(self.tree, self.rng, self.failing, 8 + self.rng.randrange(30))
        self.teller.run(asked, output, "error")

    def _mend(self) -> None:
        """Read along a failure, change something there; some of what failed works then."""
        rng = self.rng
        one = rng.choice(self.failing)
        way = one.way
        for ref in way[-1 - rng.randrange(2) :]:
            if (module := self.tree.modules.get(ref.module)) is not None:
                place = printed(self.tree, module).places.get(ref.name)
                self._read_part(module, place.first + 4 if place is not None else 0)
        module = self.tree.modules.get(way[-1].module) or self._pick()
        routine = module.routine(way[-1].name)
        self._other_body(routine if routine is not None else module.routines[0])
        self.teller.edit(module)
        if rng.randrange(2):
            command = f"python -m pytest {node_of(self.tree, one.test)} -x"
            self.teller.run(command, failed_output(self.tree, rng, [one], 0), "error")
        self.failing = [each for each in self.failing if rng.randrange(10) < 7]

    def _pass(self) -> None:
        tests = self.tree.tests_of(self.package)[: 1 + self.rng.randrange(5)]
        if tests:
            paths = [module.path for module in tests]
            output = passed_output(self.rng, paths, 10 * len(paths))
            folder = paths[0].rpartition("/")[0]
            self.teller.run(f"python -m pytest {folder if len(paths) > 1 else paths[0]}", output)

    def _settle(self) -> None:
        """Mend until all of it works."""
        while self.failing:
            self._run_tests()
            if self.failing:
                self._mend()
        self._pass()

    def _failing_files(self) -> str:
        return " ".join(sorted({self.tree.modules[each.test.module].path for each in self.failing}))

    # -- now and then ---------------------------------------------------------------------------------------------

    def _now_and_then(self) -> None:
        """What doesn't happen in every task."""
        rng, teller = self.rng, self.teller
        happens = (self._rename, self._make, self._remove, self._steer, self._hand_out, self._say_so)
        for happen in happens:
            if rng.randrange(6) == 0:
                happen()
        if rng.randrange(40) == 0:
            self.failing = []
            teller.run("python -m pytest", passed_output(rng, ["tests"], 4_000 + rng.randrange(900)))

    def _rename(self) -> None:
        """A file that not everybody uses gets another path, and its users say so."""
        failing = {ref.module for each in self.failing for ref in each.way}
        movable = [each for each in self._there(self.near) if not each.is_test and each.number not in failing]
        movable = [each for each in movable if len(self._users(each)) <= MOST_USERS]
        if not movable:
            return
        module = self.rng.choice(movable)
        path = module.path
        module.path = f"{path.rpartition('/')[0]}/{self.rng.choice(NEW_NAMES)}_{self.teller.count}.py"
        self.teller.tool("Bash", {"command": f"git mv {path} {module.path}"})
        self.teller.tell("renamed", "tool", path=path, to=module.path)
        for user in self._users(module):
            self.teller.edit(user)

    def _make(self) -> None:
        module = self.tree.add(self.rng, self.package)
        self.teller.edit(module, "write")
        self.near.append(module.number)

    def _remove(self) -> None:
        """A file that nobody uses goes."""
        around = self._there(self.tree.siblings(self.package))
        unused = [each for each in around if not each.is_test and not self._users(each)]
        if unused:
            module = self.rng.choice(unused)
            self.tree.drop(module)
            self.teller.tool("Bash", {"command": f"git rm {module.path}"})
            self.teller.tell("gone", "tool", path=module.path)

    def _steer(self) -> None:
        """Somebody says what matters."""
        module, rng = self._pick(), self.rng
        nodes = [f"file:{module.path}", f"sym:{module.path}#{next(iter(module.callables()))[0]}"]
        kind = rng.choice(("attention", "attention", "paged_in", "paged_out", "paged_out"))
        self.teller.tell(kind, "user", nodes=nodes[: 1 + rng.randrange(2)], reason="by hand")
        self.teller.tell("annotation", "user", node=nodes[0], note=f"Looked at it on day {rng.randrange(90)}.")

    def _hand_out(self) -> None:
        """One of our windows goes to the agent."""
        items = [[f"file:{self._pick().path}", "skeleton", 40 + self.rng.randrange(90)] for _ in range(4)]
        unique = [item for at, item in enumerate(items) if item[0] not in [each[0] for each in items[:at]]]
        self.teller.tell("recall", "tool", lens="working-set", budget=2048, computed_at=self.teller.count,
                         parameters={}, items=unique, window=f"{self.rng.randrange(1 << 62):064x}")  # fmt: skip

    def _say_so(self) -> None:
        """Somebody who knows tells that a test fails, or that it works again."""
        tests = self.tree.tests_of(self.package)
        if tests:
            module = self.rng.choice(tests)
            test = Ref(module.number, self.rng.choice(module.routines).name)
            place = printed(self.tree, module).places[test.name]
            self.teller.tell("failed", "user", runner="pytest", test=node_of(self.tree, test),
                             sites=[[module.path, place.ends]])  # fmt: skip
            self._read_part(module, place.first)
            self.teller.tell("passed", "user", runner="pytest", scope="tests", tests=[node_of(self.tree, test)])

    # -- where it is ----------------------------------------------------------------------------------------------

    def _pick(self) -> Module:
        """A file of the neighbourhood, one that was worked on of late before the others."""
        while True:
            at = max(self.rng.randrange(len(self.near)), self.rng.randrange(len(self.near)))
            if (module := self.tree.modules.get(self.near[at])) is not None:
                return module
            del self.near[at]
            if not self.near:
                self._move_on()

    def _there(self, numbers: Iterable[int]) -> list[Module]:
        return [self.tree.modules[at] for at in numbers if at in self.tree.modules]

    def _users(self, module: Module) -> list[Module]:
        """The modules that use one, itself left out."""
        return [each for each in self._there(self.tree.importers.get(module.number, ())) if each is not module]

    def _move_on(self) -> None:
        """Some files leave the neighbourhood, and others that they use or are used by come into it."""
        rng = self.rng
        if rng.randrange(12) == 0 or not self.near:
            self.package = rng.randrange(self.tree.packages)
            self.near = []
        self.near = [at for at in self.near[DRIFT:] if at in self.tree.modules]
        while len(self.near) < min(NEIGHBOURHOOD, len(self.tree.modules) // 2 + 1):
            self.near.append(self._next_to())

    def _next_to(self) -> int:
        rng = self.rng
        if self.near and rng.randrange(3):
            module = self.tree.modules[rng.choice(self.near)] if self.near[-1] in self.tree.modules else None
            around = self.tree.used_by(module) if module is not None else []
            around = [at for at in around if at in self.tree.modules and at not in self.near]
            if around:
                return rng.choice(around)
        there = [at for at in self.tree.siblings(self.package) if at in self.tree.modules]
        return rng.choice(there) if there else rng.choice(list(self.tree.modules))

    def _delegate(self, name: str, do: Callable[[], None]) -> None:
        """A subagent does it, in a context of its own."""
        teller = self.teller
        teller.stream = teller.streams[name]
        teller.prompt(f"Look into {self._pick().path} and report.", "agent")
        do()
        teller.tell("turn", model="story-1", said="This is what I found.", stop="end")
        teller.stream = teller.streams[MAIN]
