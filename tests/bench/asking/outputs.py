"""What pytest prints of a run over the made-up project: tracebacks through its files, or that all is well."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from random import Random

from tests.bench.asking.printed import Place, Printed, printed
from tests.bench.asking.tree import Ref, Tree
from tests.bench.asking.words import ERRORS, NOUNS
from tests.bench.causes.pytest_output import WIDTH, Printer
from tests.bench.causes.render import Frame

DEEPEST = 8
"""Calls from a test to where it goes wrong, at most."""
HEADER = ("platform linux -- Python 3.11.7, pytest-8.3.2, pluggy-1.5.0", "rootdir: /home/dev/work")


@dataclass(slots=True)
class Failing:
    """A test that fails, and the way from it to where it goes wrong."""

    test: Ref
    way: list[Ref]
    error: str
    message: str


def fails(tree: Tree, rng: Random, test: Ref) -> Failing:
    """A test begins to fail, somewhere along what it calls."""
    way = [test]
    for _ in range(1 + rng.randrange(DEEPEST)):
        module = tree.modules.get(way[-1].module)
        routine = module.routine(way[-1].name) if module is not None else None
        calls = [ref for ref in routine.calls if ref not in way and ref.module in tree.modules] if routine else []
        if not calls:
            break
        way.append(rng.choice(calls))
    error, message = rng.choice(ERRORS)
    return Failing(test, way, error, message.format(rng.choice(NOUNS)))


def failed_output(tree: Tree, rng: Random, failing: Sequence[Failing], passed: int) -> str:
    """A run in which these tests fail."""
    lines = [_rule("test session starts", "="), *HEADER, f"collected {len(failing) + passed} items", ""]
    lines += _progress(tree, failing, passed)
    lines += ["", _rule("FAILURES", "=")]
    style = ("short", "short", "short", "native", "auto")[rng.randrange(5)]
    summary = []
    for each in failing:
        frames, files = _frames(tree, each)
        printer = Printer("/home/dev/work", files, {}, each.error, [each.message])
        tell = {"short": printer.short, "native": printer.native, "auto": printer.auto}[style]
        lines += [_rule(each.test.name, "_"), *tell(frames)]
        summary.append(f"FAILED {node_of(tree, each.test)} - {each.error}: {each.message}")
    lines += [_rule("short test summary info", "="), *summary]
    return "\n".join([*lines, _rule(f"{len(failing)} failed, {passed} passed in 0.{rng.randrange(90) + 10}s", "=")])


def passed_output(rng: Random, paths: Sequence[str], passed: int) -> str:
    """A run in which everything works."""
    lines = [_rule("test session starts", "="), *HEADER, f"collected {passed} items", ""]
    each = max(1, passed // max(1, len(paths)))
    lines += [f"{path} {'.' * min(each, 40)}".ljust(WIDTH - 7) + " [100%]" for path in paths]
    return "\n".join([*lines, "", _rule(f"{passed} passed in 0.{rng.randrange(90) + 10}s", "=")])


def node_of(tree: Tree, test: Ref) -> str:
    """A test, as pytest calls it."""
    return f"{tree.modules[test.module].path}::{test.name}"


def _progress(tree: Tree, failing: Sequence[Failing], passed: int) -> list[str]:
    signs: dict[str, str] = {}
    for each in failing:
        path = tree.modules[each.test.module].path
        signs[path] = signs.get(path, "." * (passed // len(failing))) + "F"
    return [f"{path} {sign}".ljust(WIDTH - 7) + " [ 50%]" for path, sign in signs.items()]


def _frames(tree: Tree, failing: Failing) -> tuple[list[Frame], dict[str, str]]:
    """The frames of a failure as its files are now, the test first; and those files."""
    pages: dict[int, Printed] = {}
    frames: list[Frame] = []
    for at, ref in enumerate(failing.way):
        module = tree.modules.get(ref.module)
        if module is None:
            break
        page = pages.setdefault(ref.module, printed(tree, module))
        place = page.places.get(ref.name)
        if place is None:
            break
        line = _line(place, failing.way[at + 1] if at + 1 < len(failing.way) else None)
        function = ref.name.rpartition(".")[2]
        frames.append(Frame(module.path, line, function, page.lines[line - 1]))
    return frames, {tree.modules[number].path: page.text for number, page in pages.items()}


def _line(place: Place, following: Ref | None) -> int:
    return place.calls.get(following, place.ends) if following is not None else place.ends


def _rule(title: str, sign: str) -> str:
    return f" {title} ".center(WIDTH, sign)
