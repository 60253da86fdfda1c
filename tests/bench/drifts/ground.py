"""The project a session takes place in: one of the made-up ones of `tests.bench.causes`, seen as a place to work in.

What is wrong there becomes a `Fault` that can be put in and taken out, and every test that passes may be made to fail
by a fault of its own. Who leans on whom is known, so that a story can say what lies upstream of a failure.
"""

from __future__ import annotations

import re
from collections import deque
from collections.abc import Iterator
from dataclasses import dataclass, field
from importlib import import_module
from random import Random

from tests.bench.causes.render import Case, Place
from tests.bench.drifts.model import Fault, Spot, Test
from tests.bench.drifts.spotting import CODE, asserting, body_of, functions_of, tests_of

FAMILIES = ("python",) * 11 + ("typescript",) * 3 + ("go",) * 3 + ("rust",) * 3
FEWEST, MOST = 12, 40
"""Files of a project."""
FARTHEST = 3
"""Changes of the file between a failure and what is upstream of it."""


@dataclass
class Ground:
    """One project."""

    family: str
    case: Case
    main: Fault
    """The failure whose cause lies one to three files away."""
    own: Fault | None
    """The same failure, by a line of the symptom itself; None where the test is the symptom."""
    sides: list[Fault]
    """Failures of other tests, each with its cause in what the test tries."""
    tests: list[Test]
    files: dict[str, str]
    """As they are where nothing is wrong."""
    path: list[str]
    """The nodes from the symptom to the cause, both in."""
    away: dict[str, int]
    """File upstream of the failure → how many times one must change the file to get there; 0 is where it is felt."""
    kept: set[str] = field(default_factory=set)
    """Lines that no idle edit may touch."""

    def keep(self, fault: Fault) -> None:
        """From here on, idle edits leave this fault's lines alone."""
        self.kept |= {fault.right, fault.wrong, fault.test.head, *(spot.text for spot in fault.spots)}

    @property
    def cause(self) -> str:
        return self.main.path

    @property
    def felt(self) -> str:
        """The file the failure is felt in."""
        return self.main.spots[-1].path

    @property
    def between(self) -> list[tuple[str, str]]:
        """(path, name) of what stands between the symptom and the cause, the nearest first."""
        return [_split(node) for node in self.path[1:-1]]

    @property
    def callers(self) -> list[tuple[str, str]]:
        """(path, name) of what stands between the test and the symptom."""
        return [(spot.path, _last(spot.function)) for spot in self.main.spots[1:-1]]

    @property
    def symptom(self) -> tuple[str, str]:
        return _split(self.path[0])

    @property
    def decoy(self) -> tuple[str, str]:
        return self.case.decoy.path, _last(self.case.decoy.symbol)

    def sources(self) -> list[str]:
        """Every file that is code and holds no test of the project's test folders."""
        return [path for path in sorted(self.files) if re.search(CODE[self.family], path) and not self.is_test(path)]

    def is_test(self, path: str) -> bool:
        return bool(re.search(r"(^|/)(tests?/|test_[^/]+\.py$)|_test\.go$|\.test\.[jt]s$", path))

    def rivals(self) -> list[str]:
        """Files upstream of the failure that are neither the cause nor where it is felt, the nearest first."""
        found = [(far, path) for path, far in self.away.items() if 0 < far <= FARTHEST and path != self.cause]
        return [path for _, path in sorted(found) if path != self.felt]

    def apart(self) -> list[str]:
        """Files with functions in them that the failure doesn't lean on."""
        lean = {self.cause, self.felt, *self.away, *(path for path, _ in self.callers)}
        return [path for path in self.sources() if path not in lean and functions_of(self.family, self.files[path])]

    def function_in(self, rng: Random, path: str, text: str = "") -> str:
        """The name of one of a file's functions; empty where it has none."""
        names = functions_of(self.family, text or self.files[path])
        return rng.choice(names) if names else ""


def draw(rng: Random, hops: int = 0, family: str = "") -> Ground:
    """A project of fitting size, in one of the languages."""
    family = family or rng.choice(FAMILIES)
    make = import_module(f"tests.bench.causes.{family}").make
    while True:
        case: Case = make(10**10 + rng.randrange(10**6) * 3 + (hops or rng.choice((1, 1, 2, 2, 3))) - 1)
        if FEWEST <= len(case.files) <= MOST and (ground := _ground(rng, family, case)) is not None:
            return ground


def node_of(place: Place) -> str:
    return f"{place.path}#{place.symbol}"


def _ground(rng: Random, family: str, case: Case) -> Ground | None:
    files = {**case.files, **case.repaired}
    tests = list(tests_of(family, files))
    main_test = next((test for test in tests if test.path == case.frames[0].path and _is(test, case)), None)
    main = main_test and _main(case, main_test)
    if main is None:
        return None
    sides = list(_sides(family, files, [test for test in tests if test != main_test]))
    ground = Ground(family, case, main, None, sides, tests, files, _way(case), _away(case))
    ground.own = _own(ground)
    ground.sides = [fault for fault in ground.sides if fault.path not in (ground.cause, ground.felt)]
    rng.shuffle(ground.sides)
    for fault in (main, *ground.sides):
        ground.keep(fault)
    return ground


def _is(test: Test, case: Case) -> bool:
    return test.name == case.test or test.symbol == case.test


def _main(case: Case, test: Test) -> Fault | None:
    wrong, right = (text[case.cause.path].split("\n") for text in (case.files, case.repaired))
    lines = {frame.path: case.files[frame.path].split("\n") for frame in case.frames}
    unclear = [frame for frame in case.frames if lines[frame.path].count(frame.text) > 1]
    if unclear or wrong.count(wrong[case.wrong - 1]) > 1 or right[case.wrong - 1] in wrong:
        return None
    spots = tuple(Spot(frame.path, frame.text, frame.function) for frame in case.frames)
    quoted = re.search(r'"([^"]+)"', case.frames[-1].text)
    expected = re.search(r"(\d+)\D*$", case.frames[0].text)
    amount = re.search(r"\((?:.*, )?(\d+)\)", case.frames[0].text)
    if case.mode == "mismatch" and case.family == "go":
        expected = re.search(r"want := (\d+)", case.files[test.path])
    return Fault(
        case.cause.path, case.cause.symbol, right[case.wrong - 1], wrong[case.wrong - 1], test, spots, case.mode,
        quoted[1] if quoted else "", int(amount[1]) if amount else 11, int(expected[1]) if expected else 0,
    )  # fmt: skip


def _own(ground: Ground) -> Fault | None:
    """The failure of the case by a line of the symptom: the number is bounded from the wrong side."""
    family, case = ground.family, ground.case
    if case.mode == "mismatch":
        return None
    form = {"python": ("step = ", "min({}, 0)", ""), "typescript": ("const step = ", "Math.min({}, 0)", ";"),
            "rust": ("let step = ", "i64::min({}, 0)", ";"), "go": ("step := ", "min({}, 0)", "")}[family]  # fmt: skip
    path, name = ground.symptom
    text = ground.files[path]
    body = body_of(family, text, name)
    if body is None:
        return None
    head = body.indent + form[0]
    right = next((line for line in text.split("\n")[body.first : body.last] if line.startswith(head)), "")
    if not right or text.split("\n").count(right) > 1:
        return None
    wrong = head + form[1].format(right[len(head) :].removesuffix(form[2])) + form[2]
    main = ground.main
    return Fault(
        path, case.symptom.symbol, right, wrong, main.test, main.spots, main.mode, main.message, main.amount,
        main.expected,
    )  # fmt: skip


def _sides(family: str, files: dict[str, str], tests: list[Test]) -> Iterator[Fault]:
    """For each test of a plain function, the fault that makes its answer negative."""
    word = {"python": "assert ", "typescript": "> 0", "rust": "> 0", "go": ":= "}[family]
    for test in tests:
        line = asserting(files, test, word)
        call = re.search(r"\b(\w+)\((\d+)\)[;)]? *(?:> 0|;)", line)
        if call is None or int(call[2]) < 10:
            continue
        for path in sorted(files):
            if f"{call[1]}(" not in files[path] or (body := body_of(family, files[path], call[1])) is None:
                continue
            lines = files[path].split("\n")
            at = body.last - (lines[body.last].strip() in ("}", "};"))
            right = lines[at]
            said = right.strip().removeprefix("return ").removesuffix(";")
            give, end = {"python": ("return ", ""), "rust": ("", "")}.get(family, ("return ", ";"))
            end = "" if family == "go" else end
            if right != f"{body.indent}{give}{said}{end}" or lines.count(right) > 1:
                break
            failing = '\t\tt.Fatalf("got %d", got)' if family == "go" else line
            spots = (Spot(test.path, failing, test.symbol, test.head),)
            wrong = f"{body.indent}{give}-({said}){end}"
            yield Fault(path, call[1], right, wrong, test, spots, "sign", call[1], int(call[2]))
            break


def _way(case: Case) -> list[str]:
    """The shortest way from the symptom to the cause, node by node."""
    start, end = node_of(case.symptom), node_of(case.cause)
    before: dict[str, str] = {start: ""}
    queue = deque([start])
    while queue:
        here = queue.popleft()
        for user, used in case.edges:
            if user == here and used not in before:
                before[used] = here
                queue.append(used)
    way = [end]
    while before[way[-1]]:
        way.append(before[way[-1]])
    return way[::-1]


def _away(case: Case) -> dict[str, int]:
    away = {node_of(case.symptom): 0}
    changed = True
    while changed:
        changed = False
        for user, used in case.edges:
            if user in away:
                cost = away[user] + (_split(user)[0] != _split(used)[0])
                if cost < away.get(used, 10**6):
                    away[used], changed = cost, True
    files: dict[str, int] = {}
    for node, cost in away.items():
        files[_split(node)[0]] = min(cost, files.get(_split(node)[0], cost))
    return files


def _split(node: str) -> tuple[str, str]:
    path, _, symbol = node.partition("#")
    return path, _last(symbol)


def _last(symbol: str) -> str:
    return re.split(r"\.|::", symbol)[-1]
