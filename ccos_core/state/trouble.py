"""Failures and passes, from what an output says and from those who know without one.

A failure is felt at the innermost frame of the project, on the symbol that has the line, and spreads from there over
what that depends on; its other frames count for less the farther out they are. Passes of a run end what they took in,
before its failures begin.
"""

from __future__ import annotations

from collections.abc import Container, Iterator
from dataclasses import replace
from typing import TYPE_CHECKING, NamedTuple

from ccos_core.intake.failures.paths import Known, anchor, is_test, placed
from ccos_core.state.failures import MOST_REPORTS, Commands, Key, Live
from ccos_core.state.spread import WHOLE, Place, spread
from ccos_core.state.world import World
from ccos_core.values.code import MODULE
from ccos_core.values.nesting import Nesting
from ccos_core.values.outcome import FAILED, PASSED, TESTS, Failure, Frame, Pass, Report, ends, is_without_package

if TYPE_CHECKING:
    from ccos_core.ops.plain import Plain
    from ccos_core.state.fold import Facts

ANYBODY = "user"
"""The runner of what a person says, who speaks for every runner."""
MOST_SPELLINGS = 4_096
"""Spellings of paths of which it is remembered what they mean, in one folder, ..."""
MOST_FOLDERS = 8
"""... and folders in which anything ran."""


def tool(world: World, op: Plain, facts: Facts) -> None:
    """A call ended; its output may say what fails and what passes."""
    if (report := facts.report(op)) is not None:
        _take(world, report, op.get("cwd", "."))


def failed(world: World, op: Plain, facts: Facts) -> None:
    """Somebody who knows says that something fails."""
    if not op.get("nodes") and not op.get("sites") and (report := facts.report(op)):
        _take(world, report, ".")
        return
    frames = tuple(Frame(path, line) for path, line in op.get("sites", ()))
    report = placed(Report((Failure(op["runner"], op.get("test", ""), frames),)), spelled_in(world, "."))
    _fail(world, _located(world, report.failures[0], spelled_in(world, "."), op.get("nodes", ())))


def passed(world: World, op: Plain, facts: Facts) -> None:
    """Somebody who knows says that something passes."""
    if op["scope"] == "nodes":
        felt = world.failures.felt_at(op.get("nodes", ()))
        world.failures.let_go([key for key in felt if op["runner"] in (ANYBODY, key[0])])
        return
    told = Pass(op["runner"], op["scope"], tuple(op.get("tests", ())), tuple(op.get("paths", ())))
    _pass(world, placed(Report((), (told,)), spelled_in(world, ".")).passes[0])


def spelled_in(world: World, folder: str) -> Known:
    """The files that are there, as outputs of what ran in a folder spell them: one run of the tests after the other
    names the same few, so what they mean is looked for once, for as long as no file comes or goes."""
    known: Known | None = world.spelled.get(folder)
    if known is None or len(known.found) + len(known.targets) > MOST_SPELLINGS:
        if len(world.spelled) >= MOST_FOLDERS:
            world.spelled.clear()
        known = world.spelled[folder] = Known(world.files, folder)
    return known


def _take(world: World, report: Report, cwd: str) -> None:
    """What a run reports begins or is renewed. Of all else that it took in nothing fails any more."""
    if not report:
        if any(ran.end == FAILED for ran in report.ran):
            _renew_unnamed(world, placed(report, spelled_in(world, cwd)))
        return
    known = spelled_in(world, cwd)
    report = placed(report, known)
    located = [_located(world, _with_package(world, failure), known, ()) for failure in report.failures]
    failing = {each.key: each for each in located}
    for passing in (*report.passes, *report.looked, *_named(report)):
        _pass(world, passing, failing)
    commands = {(ran.key, ran.folder) for ran in report.ran if ran.end == PASSED and ran.key}
    if commands:
        world.failures.passed(commands, failing)
    _let_go_unreported(world, report, failing)
    for each in located:
        blamed = report.blamed(each.failure)
        by = tuple((ran.key, ran.folder) for ran in blamed)
        _fail(world, each, by if all(ran.key for ran in blamed) else ())


def _renew_unnamed(world: World, report: Report) -> None:
    """Renew what a command reported before, if it failed again without naming any failure (`6 issues`)."""
    again = {(ran.key, ran.folder) for ran in report.ran if ran.end == FAILED and ran.key}
    for key, live in tuple(world.failures.live.items()):
        if any(by and again.issuperset(by) for by in live.by):
            world.failures.fail(key, replace(live, step=world.step, unit=world.unit()))


def _named(report: Report) -> list[Pass]:
    """The tests of Go's that fail under their whole names: where they failed without their package before, they are
    known by these from now on."""
    named = tuple(each.test for each in report.failures if each.runner == "go" and not is_without_package(each))
    return [Pass("go", TESTS, named)] if named else []


def _with_package(world: World, failure: Failure) -> Failure:
    """A test of Go's by the whole name under which it failed before, where that is certain."""
    if not is_without_package(failure):
        return failure
    whole = [test for runner, test, _ in world.failures.live if runner == "go" and test.endswith("." + failure.test)]
    return replace(failure, test=whole[0]) if len(whole) == 1 else failure


def _let_go_unreported(world: World, report: Report, failing: Container[Key]) -> None:
    """The same command, run again, reports other things, and all that it reports is there: what it reported before and
    doesn't any more is over. Tests are known by their names, and end by those alone."""
    again = {(ran.key, ran.folder) for ran in report.ran if ran.complete and ran.key}
    runners = {failure.runner for failure in report.failures if not failure.test}
    if not again or not runners:
        return

    def is_over(key: Key, live: Live) -> bool:
        if key in failing or live.failure.test or live.failure.runner not in runners:
            return False
        return any(report_ and again.issuperset(report_) for report_ in live.by)

    world.failures.end(is_over)


def _pass(world: World, passing: Pass, failing: Container[Key] = ()) -> None:
    """End what passes, but for what the same run says fails."""
    if passing.runner == ANYBODY:
        everything = passing.scope == "all" and not passing.paths
        world.failures.end(lambda key, live: everything or ends(replace(passing, runner=key[0]), live.failure))
    else:
        world.failures.end(lambda key, live: key not in failing and ends(passing, live.failure))


class _Located(NamedTuple):
    """A failure, by what it is known, and where it is felt."""

    failure: Failure
    key: Key
    anchors: tuple[str, ...]
    starts: dict[Place, int]


def _located(world: World, failure: Failure, known: Known, nodes: tuple[str, ...] | list[str]) -> _Located:
    starts = dict(_felt_at(world, nodes)) if nodes else dict(_frames(world, failure, known))
    anchors = tuple(nodes) or tuple(world.graph.files[path].node(symbol) for path, symbol in starts)
    return _Located(failure, _key(failure, anchors), anchors, starts)


def _fail(world: World, located: _Located, by: Commands = ()) -> None:
    failure, key, anchors, starts = located
    before = world.failures.live.get(key)
    strengths = spread(world.graph, world.rules, starts.items())
    if unknown := [node for node in anchors if node not in strengths]:
        strengths = {**strengths, **dict.fromkeys(unknown, WHOLE)}
    since = before.since if before is not None else world.step
    earlier = before.by if before is not None else ()
    reports = ((*(each for each in earlier if each != by), by) if by else earlier)[-MOST_REPORTS:]
    world.failures.fail(key, Live(failure, anchors, since, world.step, world.unit(), strengths, reports))


def _key(failure: Failure, anchors: tuple[str, ...]) -> Key:
    if failure.test:
        return failure.runner, failure.test, failure.part
    if anchors:
        return failure.runner, anchors[0], failure.part
    frame = failure.frames[0] if failure.frames else Frame("", 0)
    return failure.runner, frame.path, failure.message


def _felt_at(world: World, nodes: tuple[str, ...] | list[str]) -> Iterator[tuple[Place, int]]:
    for node in nodes:
        if (target := world.graph.find(node)) is not None:
            yield (target.path, target.symbol), WHOLE


def _frames(world: World, failure: Failure, known: Known) -> Iterator[tuple[Place, int]]:
    """The symbols the frames of a failure stand in, each once: where it is felt first, then from the inside out."""
    felt = anchor(failure, known)
    if felt is None:
        return
    frames = [frame for frame in failure.frames if frame.path in world.graph.files]
    outer = [frame for frame in frames if frame != felt and not is_test(frame.path)]
    tests = [frame for frame in frames if frame != felt and is_test(frame.path)]
    given: set[Place] = set()
    strength = WHOLE
    for frame in (felt, *outer, *tests)[: world.rules.caps["frames"]]:
        place = frame.path, _symbol_at(world.graph.files[frame.path], frame)
        if place not in given:
            given.add(place)
            yield place, strength
            strength = min(strength, strength * world.rules.weights["spread.frame"] >> 8)


def _symbol_at(nesting: Nesting, frame: Frame) -> int:
    """The symbol a frame is in. Where the line says another one than the name, the file has changed since, and the
    name is believed if the file has it once."""
    at = nesting.innermost(frame.line)
    name = frame.name.rpartition(".")[2]
    symbols = nesting.outline.symbols
    if name and (at == MODULE or symbols[at].name.rpartition(".")[2] != name):
        named = [each for each, symbol in enumerate(symbols) if symbol.name.rpartition(".")[2] == name]
        if len(named) == 1:
            return named[0]
    return at
