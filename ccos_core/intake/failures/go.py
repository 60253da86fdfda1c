"""Go: its tests, what its compiler and vet refuse, and programs that panic.

A test is known by its package and its name, `example.com/shop/cart.TestFirst/empty`; `pkg.` stands for a whole package
and `pkg.TestFirst/` for a test with all its subtests. A package's `ok` says nothing of tests that skipped themselves.
"""

from __future__ import annotations

from ccos_core.intake.failures import go_build, go_json, go_tests
from ccos_core.intake.failures.command import Run, runs
from ccos_core.intake.failures.go_names import above
from ccos_core.intake.failures.go_scopes import BUILD, GO, RUN, GoRun, go_runs, go_test, is_silent, taken_run
from ccos_core.intake.failures.go_tests import Block
from ccos_core.intake.failures.page import Findings, Page
from ccos_core.intake.failures.ran import is_silent_success, shown_runs
from ccos_core.values.outcome import TESTS, UNKNOWN, WITHIN, Failure, Pass

_NOTHING = "no tests to run"
SIGNS = (
    *("\nok", "\nFAIL", "\n?", "=== RUN", "=== CONT", "=== NAME", "--- PASS", "--- FAIL", "--- SKIP", "--- BENCH"),
    *(".go:", "panic: ", "fatal error: ", "SIGQUIT: ", "WARNING: DATA RACE", '"Action":'),
)


def read(page: Page) -> Findings:
    """Everything of Go's in the output."""
    lines, objects = go_json.unfolded(page.lines)
    found = Findings()
    broken = go_build.read(found, page, lines)
    claimed = {at for start, end in found.claimed for at in range(start, end)}
    rest = ["" if at in claimed else line for at, line in enumerate(lines)]
    run = go_test(page.command)
    told = go_tests.blocks(rest)
    quiet = (run or _hidden_run(page)) if told else None
    for block in told:
        _read(found, block, page, run, quiet)
    unbuilt = [block for block in told if block.word == "FAIL" and block.why.endswith("failed")]
    if unbuilt and not broken:
        each = unbuilt[0]
        found.failures.append((each.last, Failure(BUILD, f"{each.package} [test]", (), each.why)))
    if page.ok is True and not found.failures:
        silent = [taken for run in runs(page.command) if (taken := _silent_run(run, page)) is not None]
        found.passes += [(len(page.lines) - 1, each) for run in silent for each in run.passes()]
    return _folded(found, len(page.lines), objects)


def _hidden_run(page: Page) -> GoRun | None:
    """The run of tests behind a command that is no call of go's, as a runner of tasks shows it. Where that isn't shown
    and the command chooses no tests, `ok` is believed to speak of whole packages, as a reader would: a Makefile that
    hides a `-run` is believed too much."""
    shown = [taken for each in shown_runs(page) if (taken := taken_run(each)) is not None and taken.verb == "test"]
    if shown:
        return shown[0] if len(shown) == 1 else None
    words = [word for each in runs(page.command) for word in (each.tool, *each.words)]
    opaque = bool(words) and GO not in words and not any("-run" in word for word in words)
    return GoRun("test", (), None, False, False, "") if opaque else None


def _silent_run(run: Run, page: Page) -> GoRun | None:
    """A call of go's that says nothing when all is well, and succeeded."""
    taken = taken_run(run)
    if taken is None or not is_silent(taken):
        return None
    return taken if run.decides or is_silent_success(run, page) else None


def _folded(found: Findings, size: int, objects: list[int]) -> Findings:
    """In the lines of the page: what was unfolded stands at the first of its objects."""
    first = objects[0] if objects else 0
    found.failures = [(at if at < size else first, each) for at, each in found.failures]
    found.passes = [(at if at < size else first, each) for at, each in found.passes]
    found.claimed = [(start, min(end, size)) for start, end in found.claimed if start < size]
    found.claimed += [(at, at + 1) for at in objects]
    return found


def _read(found: Findings, block: Block, page: Page, run: GoRun | None, quiet: GoRun | None) -> None:
    failures = go_tests.failures(block)
    if not block.word and not block.tests and run is None:
        failures = [(at, _of_program(failure, page)) for at, failure in failures]
    found.failures += failures
    found.passes += [(block.last, each) for each in _passes(block, [each.test for _, each in failures], run, quiet)]
    found.claimed.append((block.first, block.last + 1))


def _of_program(failure: Failure, page: Page) -> Failure:
    """A panic of no test: of what `go run` ran, or of anything."""
    programs = [run.program() for run in go_runs(page.command) if run.verb == "run"]
    return Failure(RUN, programs[0] if len(programs) == 1 else "", failure.frames, failure.message)


# ---- what passes ----


def _passes(block: Block, failed: list[str], run: GoRun | None, quiet: GoRun | None) -> list[Pass]:
    if not block.package or block.why.endswith("failed"):
        return []
    if block.word == "?":
        return [Pass(BUILD, TESTS, (block.package,))]
    passes = [Pass(BUILD, TESTS, (block.package, f"{block.package} [test]"))] if block.word else []
    tests = tuple(f"{block.package}.{name}" for name in _listed(block, failed, run))
    if tests and any(test.word == "PASS" for test in block.tests.values()):
        return [*passes, Pass(GO, TESTS, tests)]
    if block.word != "ok" or _NOTHING in block.more or block.tests:
        return passes
    return [*passes, _silent(block, quiet)]


def _silent(block: Block, run: GoRun | None) -> Pass:
    """Of a package of which nothing is told but that all is well."""
    if run is None or run.narrowed or (run.pattern is not None and not run.chosen()):
        return Pass(GO, UNKNOWN)
    if run.pattern is None:
        return Pass(GO, TESTS, (f"{block.package}.",))
    return Pass(GO, TESTS, tuple(f"{block.package}.{name}/" for name in run.chosen()))


def _listed(block: Block, failed: list[str], run: GoRun | None) -> list[str]:
    """Each test that passes with all it holds; each single one where some of that may not have run."""
    bad = [name for name, test in block.tests.items() if test.word != "PASS"]
    bad += [name.removeprefix(f"{block.package}.") for name in failed]
    spoilt = {each for name in bad for each in (name, *above(name))}
    good = [name for name in block.tests if name not in spoilt and not name.endswith(WITHIN)]
    if run is None or run.picks_inside:
        holders = {each for name in block.tests for each in above(name)}
        return [name for name in good if name not in holders]
    if run.pattern is None and block.word == "ok" and not spoilt:
        return [""]
    whole = set(good)
    return [f"{name}/" for name in good if name.rpartition("/")[0] not in whole]
