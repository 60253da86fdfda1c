"""Laws over whole runs of Go's tests, and over what is no run at all.

However it is printed, what fails is what failed; and what a later run ends is what it ran and what passed there, never
more.
"""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ccos_core.intake.failures import MOST_FAILURES, read
from ccos_core.intake.failures.page import MOST_FRAMES
from ccos_core.intake.failures.paths import anchor
from ccos_core.values.outcome import Report, ends, report_from
from tests.core.intake import test_go_build, test_go_runs, test_go_traces
from tests.core.intake.go_outputs import KNOWN, MODULE, Package, chosen_by, line_of, printed, told

TOPS = ["TestFire", "TestFireAgain", "TestMix", "TestOpen"]
SUBS = ["empty", "too_hot", "a/b"]
PATHS = [MODULE, f"{MODULE}/glaze", f"{MODULE}/internal/kiln"]
STYLES = ["plain", "verbose", "json"]

words = st.sampled_from(["PASS", "PASS", "FAIL", "SKIP"])
subs = st.dictionaries(st.sampled_from(SUBS[:2]), words, max_size=2).map(lambda each: tuple(each.items()))
tests = st.dictionaries(st.sampled_from(TOPS), st.tuples(words, subs), max_size=4).map(
    lambda told: tuple((name, word if word != "SKIP" else "PASS", subs) for name, (word, subs) in told.items())
)
modules = st.tuples(*(tests for _ in PATHS)).map(
    lambda told: tuple(Package(path, each) for path, each in zip(PATHS, told, strict=True))
)
patterns = st.sampled_from(["", "", "TestFire", "TestMix", "TestFire/too_hot", "TestMix/empty", "Nothing"])


def own_failures(packages: tuple[Package, ...], pattern: str) -> dict[str, tuple[str, int]]:
    """Each test that fails of itself: its message and the line of it."""
    found: dict[str, tuple[str, int]] = {}
    for package in packages:
        for name, word, subs in package.tests:
            each = {name: word, **{f"{name}/{sub}": how for sub, how in subs}}
            for test, how in each.items():
                if how == "FAIL" and chosen_by(pattern, test):
                    found[f"{package.path}.{test}"] = (f"no {test}", line_of(test))
    return found


def command(pattern: str, style: str) -> str:
    flag = {"plain": "", "verbose": " -v", "json": " -json"}[style]
    return f"go test{flag}{f' -run {pattern}' if pattern else ''} ./..."


@given(modules, patterns, st.sampled_from(STYLES))
def test_what_fails_is_what_failed(packages: tuple[Package, ...], pattern: str, style: str) -> None:
    failed = own_failures(packages, pattern)
    found = told(printed(packages, pattern, style), command(pattern, style), ok=not failed)
    assert {each.test: (each.message, each.frames[0].line) for each in found.failures} == failed


@settings(max_examples=200)
@given(modules, modules, patterns, st.sampled_from(STYLES), st.sampled_from([True, False]))
def test_a_later_run_ends_what_it_ran_and_what_passed(
    before: tuple[Package, ...], after: tuple[Package, ...], pattern: str, style: str, is_told: bool
) -> None:
    failures = told(printed(before), command("", "plain"), ok=False).failures
    run = told(printed(after, pattern, style), command(pattern, style) if is_told else "make test", ok=None)
    over = {each.test for each in failures if any(ends(passes, each) for passes in run.passes)}
    words = {f"{p.path}.{name}": (name, word) for p in after for name, word in p.words(pattern).items()}
    passing = {test for test, (name, word) in words.items() if word == "PASS" and chosen_by(pattern, name)}
    failing = {test for test, (_, word) in words.items() if word == "FAIL"}
    if not is_told and pattern and style == "plain":
        return  # a Makefile hides what it chose, and `ok` is believed to speak of the whole package
    assert not over & failing
    if style == "plain":
        return  # it tells nothing of skipped tests, nor of those that pass beside one that fails
    skipped = {test for test, (_, word) in words.items() if word == "SKIP"}
    left = {test for test in words if not chosen_by(pattern, words[test][0])}
    assert not over & (skipped | left)
    if is_told:
        within = set(words) if "/" in pattern else set()  # who picks within a test may leave some of it out
        spoilt = skipped | failing | left | within
        assert over >= {each.test for each in failures} & passing - {
            test for test in passing if any(other.startswith(test + "/") for other in spoilt)
        }


def test_a_test_that_was_picked_within_is_not_said_to_be_over() -> None:
    before = (Package(PATHS[1], (("TestFireAgain", "FAIL", ()),)),)
    after = (Package(PATHS[1], (("TestFireAgain", "PASS", (("too_hot", "PASS"),)),)),)
    (failure,) = told(printed(before), command("", "plain"), ok=False).failures
    for pattern, is_over in (("TestFire/too_hot", False), ("TestFire", True)):
        run = told(printed(after, pattern, "verbose"), command(pattern, "verbose"), ok=True)
        assert any(ends(passes, failure) for passes in run.passes) is is_over


@given(modules, st.integers(0, 2), st.sampled_from(STYLES))
def test_of_another_package_nothing_ends(packages: tuple[Package, ...], left: int, style: str) -> None:
    failures = told(printed(packages), command("", "plain"), ok=False).failures
    fine = tuple(
        Package(p.path, tuple((name, "PASS", tuple((sub, "PASS") for sub, _ in subs)) for name, _, subs in p.tests))
        for p in packages
    )
    run = told(printed(fine[:left] + fine[left + 1 :], "", style), command("", style), ok=True)
    over = {each.test for each in failures if any(ends(passes, each) for passes in run.passes)}
    assert over == {each.test for each in failures if not each.test.startswith(f"{PATHS[left]}.")}


# ---- any text ----

REAL = [
    test_go_runs.RUN,
    test_go_runs.VERBOSE,
    test_go_runs.events(test_go_runs.VERBOSE),
    test_go_runs.ASSERTED,
    test_go_runs.FINE,
    "--- FAIL: TestFire (0.00s)\n" + test_go_traces.FELL + "\n\n" + test_go_traces.STACK + test_go_traces.END,
    test_go_traces.LATE + test_go_traces.END,
    test_go_traces.RACE + test_go_traces.LOST + test_go_traces.RACED + test_go_traces.END,
    test_go_traces.PROGRAM,
    test_go_build.REFUSED + test_go_build.UNDEFINED + test_go_build.VETTED,
]
COMMANDS = ["", "go test ./...", "go test -v -run 'TestFire/a|b' .", "go build ./...", "go vet .", "go run ./cmd/stoke"]


def check(output: str, command: str = "", ok: bool | None = False) -> Report:
    report = read(output, command, ok)
    assert report_from(report.to_bytes()) == report
    for failure in report.failures:
        assert len(failure.frames) <= MOST_FRAMES
        assert all(at.line >= 0 and at.path for at in failure.frames)
        anchor(failure, KNOWN)
    told(output, command, ok)
    return report


@pytest.mark.parametrize("output", REAL)
@pytest.mark.parametrize("command", COMMANDS)
def test_colours_and_line_ends_do_not_matter(output: str, command: str) -> None:
    plain = read(output, command, ok=False)
    coloured = "\n".join(f"\x1b[1m\x1b[31m{line}\x1b[0m" for line in output.split("\n"))
    assert read(coloured, command, ok=False) == plain
    assert read(output.replace("\n", "\r\n"), command, ok=False) == plain
    assert read(coloured.replace("\x1b", "[U+001B ESC]"), command, ok=False) == plain


@given(st.sampled_from(REAL), st.data())
def test_any_piece_of_an_output(real: str, data: st.DataObject) -> None:
    lines = real.split("\n")
    start = data.draw(st.integers(0, len(lines)))
    end = data.draw(st.integers(start, len(lines)))
    other = data.draw(st.sampled_from(REAL)).split("\n")
    kind = data.draw(st.sampled_from(["piece", "without", "twice", "mixed", "chars"]))
    command = data.draw(st.sampled_from(COMMANDS))
    if kind == "piece":
        check("\n".join(lines[start:end]), command)
    elif kind == "without":
        check("\n".join([*lines[:start], "[... lines left out ...]", *lines[end:]]), command)
    elif kind == "twice":
        check("\n".join(lines[:end] + lines[start:]), command)
    elif kind == "mixed":
        check("\n".join(lines[:start] + other[start:end] + lines[end:]), command, None)
    else:
        text = "\n".join(lines[start:end])
        at = data.draw(st.integers(0, len(text)))
        check(text[:at] + data.draw(st.text(max_size=4)) + text[at + 1 :], command, True)


PIECES = sorted({line for real in REAL for line in real.split("\n")})


@settings(max_examples=200)
@given(st.lists(st.sampled_from(PIECES) | st.text(max_size=20), max_size=40), st.sampled_from(COMMANDS))
def test_any_jumble(lines: list[str], command: str) -> None:
    check("\n".join(lines), command, None)


FLOODS = [
    "panic: x\n",
    "panic: x\n\ngoroutine 1 [running]:\n",
    "panic: x\n\ngoroutine 1 [running]:\nmain.main()\n\t/a/b.go:3 +0x1\n",
    "goroutine 1 [running]:\nmain.main()\n\t/a/b.go:3 +0x1\n\n",
    "fatal error: ",
    "panic: test timed out after 1s\n\tTestA (1s)\n",
    "\tTestA (1s)\n",
    "main.main()\n",
    "main.main(",
    "\t/a/b.go:3 +0x1\n",
    "\t/a/b.go:",
    "WARNING: DATA RACE\n",
    "WARNING: DATA RACE\nRead at 0x1 by goroutine 1:\n  a.b()\n      /a/b.go:3\n",
    "==================\n",
    "=== RUN   TestA\n",
    "=== RUN   TestA/",
    "--- FAIL: TestA (0.00s)\n",
    "--- FAIL: TestA (0.00s)\n    a_test.go:3: no\n",
    "    a_test.go:3: no\n",
    "    a_test.go:",
    "        \tError Trace:\ta.go:3\n",
    "        \tError:      \tx\n",
    "a.go:3 ",
    "ok  \ta/b\t0.1s\n",
    "FAIL\ta/b\t0.1s\n",
    "FAIL\ta/b [build failed]\n",
    "FAIL ",
    "exit status 1\n",
    "got:\n",
    "# a/b\n",
    "# a/b\na/b.go:3:1: no\n",
    "a/b.go:3:1: no\n",
    "a/b.go:3:",
    "# [a/b]\n",
    "\thave\n",
    '{"Action":"output","Package":"a","Output":"--- FAIL: TestA (0.00s)\\n"}\n',
    '{"Action":"output","Package":"a","Output":"x"}\n',
    '{"Action":',
    '{"Action":' + "[" * 50 + "\n",
    "...1 frames elided...\n",
    "[...]",
    "a/",
    "%2e",
]
SIZE = 80_000
"""Characters: enough that an explosion would never end. Nothing is timed here."""


@pytest.mark.parametrize("piece", FLOODS)
def test_no_flood_runs_away(piece: str) -> None:
    output = (piece * (SIZE // len(piece) + 1))[:SIZE]
    assert len(check(output, "go test -run " + output[:2_000]).failures) <= MOST_FAILURES


# what is repeated with a number, what then follows with a number
CROWDS = [
    ("--- FAIL: TestA{0} (0.00s)\n", "FAIL\ta/b{0}\t0.1s\n"),
    ("=== RUN   TestA{0}\n", "--- PASS: TestA{0} (0.00s)\n"),
    ("=== RUN   TestA/{0}\n    a.go:{0}: x\n", "    --- FAIL: TestA/{0} (0.00s)\n"),
    ("panic: x{0}\n\ngoroutine 1 [running]:\na/b.TestA{0}()\n\t/a/b.go:{0}\n", "--- FAIL: TestA{0} (0.00s)\n"),
    ("--- FAIL: TestA{0} (0.00s)\n", "panic: x{0}\n\ngoroutine 1 [running]:\na/b.F()\n\t/a/b.go:{0}\n"),
    ("WARNING: DATA RACE\nRead at 0x1 by goroutine 1:\n  a.TestA{0}()\n      /a/b.go:3\n", "--- FAIL: TestA{0} (0s)\n"),
    ("# a/b{0}\na/b{0}/c.go:3:1: no\n", "FAIL\ta/b{0} [build failed]\n"),
    ("a/b{0}/c.go:3:1: no\n", "ok  \ta/b{0}\t0.1s\n"),
]


@pytest.mark.parametrize(("first", "second"), CROWDS)
def test_no_crowd_runs_away(first: str, second: str) -> None:
    many = range(SIZE // len(first + second))
    check("".join(map(first.format, many)) + "\n" + "".join(map(second.format, many)), "go test ./...")
