"""Laws over whole runs of cargo's tests, and over what is no run at all.

However it is printed, what fails is what failed; and what a later run ends is what it ran and what passed there, never
more.
"""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ccos_core.intake.failures import MOST_FAILURES, read
from ccos_core.intake.failures.page import MOST_FRAMES
from ccos_core.intake.failures.paths import anchor
from ccos_core.values.outcome import Failure, Report, ends, homes, report_from
from tests.core.intake import test_rust_errors, test_rust_runs
from tests.core.intake.rust_outputs import KNOWN, Program, hash_of, printed, told

NAMES = ["fires", "cools", "heat::tests::fires", "heat::tests::fires_again", "heat::tests::melts", "tests::opens"]
ROOTS = [
    ("src/lib.rs", "kiln", "kiln", "crates/kiln/"),
    ("src/main.rs", "kiln", "kiln", "crates/kiln/"),
    ("tests/firing.rs", "firing", "kiln", "crates/kiln/"),
    ("src/lib.rs", "glaze", "glaze", "crates/glaze/"),
]
STYLES = ["new", "old", "nocapture", "quiet", "split", "turned"]

words = st.sampled_from(["ok", "ok", "FAILED", "ignored"])
outcomes = st.dictionaries(st.sampled_from(NAMES), words, max_size=len(NAMES)).map(lambda each: tuple(each.items()))
workspaces = st.tuples(*(outcomes for _ in ROOTS)).map(
    lambda told: tuple(Program(*root[:3], each) for root, each in zip(ROOTS, told, strict=True))
)
choices = st.sampled_from(["", "", "fires", "heat", "tests::", "opens", "nothing"])


def named(program: Program, name: str) -> str:
    folder = next(root[3] for root in ROOTS if root[0] == program.root and root[2] == program.package)
    return f"{folder}{program.root}::{name}"


def ended(programs: tuple[Program, ...], chosen: str, word: str) -> set[str]:
    return {
        named(program, name)
        for program in programs
        for name, each in program.outcomes
        if each == word and chosen in name
    }


def command(chosen: str, style: str) -> str:
    quiet = " -q" if style == "quiet" else ""
    return f"cargo test --workspace --no-fail-fast{quiet} {chosen}".strip()


@given(workspaces, choices, st.sampled_from(STYLES))
def test_what_fails_is_what_failed(programs: tuple[Program, ...], chosen: str, style: str) -> None:
    failed = ended(programs, chosen, "FAILED")
    found = told(printed(programs, chosen, style), command(chosen, style), ok=not failed)
    assert {each.test for each in found.failures} == failed
    for failure in found.failures:
        name = failure.test.partition("::")[2]
        assert failure.message == f"no {name}"
        assert [(at.path, at.line) for at in failure.frames] == [("crates/kiln/src/heat.rs", 3 + len(name))]


@given(workspaces, workspaces, choices, st.sampled_from(STYLES), st.sampled_from(STYLES))
def test_a_later_run_ends_what_it_ran_and_what_passed(
    before: tuple[Program, ...], after: tuple[Program, ...], chosen: str, style: str, later: str
) -> None:
    failures = told(printed(before, "", style), command("", style), ok=False).failures
    passing = ended(after, chosen, "ok")
    run = told(printed(after, chosen, later), command(chosen, later), ok=None)
    over = {each.test for each in failures if any(ends(passes, each) for passes in run.passes)}
    there = {named(program, name) for program in after for name, _ in program.outcomes}
    assert not over & (there - passing)  # what isn't there any more may end with the rest of its program
    if later != "quiet":
        assert over >= {each.test for each in failures} & passing


@given(workspaces, st.sampled_from(STYLES), st.integers(0, 3))
def test_of_another_program_nothing_ends(programs: tuple[Program, ...], style: str, left: int) -> None:
    failures = told(printed(programs, "", "new"), command("", "new"), ok=False).failures
    fine = tuple(Program(p.root, p.crate, p.package, tuple((name, "ok") for name, _ in p.outcomes)) for p in programs)
    run = told(printed(fine[:left] + fine[left + 1 :], "", style), command("", style).replace("--workspace ", ""))
    mine = named(programs[left], "")
    over = [each.test for each in failures if any(ends(passes, each) for passes in run.passes)]
    assert not [each for each in over if each.startswith(mine)]


@given(workspaces, st.sampled_from(STYLES))
def test_two_programs_never_have_one_name(programs: tuple[Program, ...], style: str) -> None:
    assert len({hash_of(program) for program in programs}) == len(programs)
    found = told(printed(programs, "", style), command("", style))
    assert len({(each.test, each.part) for each in found.failures}) == len(found.failures)


# ---- any text ----

REAL = [
    test_rust_runs.RUN,
    test_rust_runs.QUIET,
    test_rust_runs.LOUD,
    test_rust_runs.DOCS,
    test_rust_errors.OUTPUT,
    test_rust_errors.SCRIPT,
    test_rust_errors.COMPILING + test_rust_errors.LINT + test_rust_errors.FINISHED,
    printed(tuple(Program(*root[:3], tuple((name, "FAILED") for name in NAMES)) for root in ROOTS), "", "old"),
]
COMMANDS = [
    "",
    "cargo test",
    "cargo test -q",
    "cargo build",
    "cargo run",
    "cargo clippy",
    "cargo test -p x y -- --skip z",
]


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
    coloured = "\n".join(f"\x1b[1m\x1b[31m{line}\x1b(B\x1b[m" for line in output.split("\n"))
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


@given(st.sampled_from(REAL), st.data())
def test_a_prefix_never_fails_what_the_whole_does_not(real: str, data: st.DataObject) -> None:
    whole = {(each.runner, each.test.rpartition("::")[2]) for each in read(real, "cargo test").failures}
    cut = real[: data.draw(st.integers(0, len(real)))]
    for failure in read(cut.rpartition("\n")[0], "cargo test").failures:
        assert (failure.runner, failure.test.rpartition("::")[2]) in whole or not failure.test or not failure.frames


PIECES = sorted({line for real in REAL for line in real.split("\n")})


@settings(max_examples=200)
@given(st.lists(st.sampled_from(PIECES) | st.text(max_size=20), max_size=40), st.sampled_from(COMMANDS))
def test_any_jumble(lines: list[str], command: str) -> None:
    check("\n".join(lines), command, None)


FLOODS = [
    "thread '",
    "thread 'a' panicked at ",
    "thread 'a' panicked at 'b\n",
    "thread 'a' panicked at 'b', ",
    "thread 'a' panicked at a.rs:3:5:\n",
    "thread 'a' panicked at a.rs:3:5:\nx\nstack backtrace:\n",
    "thread 'a' has overflowed its stack\n",
    "stack backtrace:\n",
    "   0: a::b\n",
    "   0: a::b\n             at ./a.rs:3:5\n",
    "             at ./a.rs:3:5\n",
    "<a::b<",
    "   0: <<<<<",
    "', a.rs:3:5\n",
    "', ",
    "running 1 test\n",
    "running 2 tests\ntest a ... FAILED\n",
    "test a ... ok\n",
    "test a ... \n",
    "test a ... ",
    "test a - should panic ... ",
    "a --- FAILED\n",
    "failures:\n",
    "successes:\n",
    "---- a stdout ----\n",
    "---- a stdout ----\nthread 'a' panicked at a.rs:3:5:\nx\n",
    "---- a ",
    "    a\n",
    "test result: FAILED. 0 passed; 1 failed\n",
    "test result: ok. 1 passed; ",
    "1 passed; ",
    "error: test failed, to rerun pass `-p a --lib`\n",
    "     Running unittests src/lib.rs (target/debug/deps/a-0123456789abcdef)\n",
    "     Running src/lib.rs (",
    "     Running `target/debug/a`\n",
    "     Running `",
    "   Doc-tests a\n",
    "test a.rs - b (line 3) ... ok\n",
    "test a.rs - ",
    "error[E0308]: x\n --> a.rs:3:5\n",
    "error[E0308]: x\n",
    " --> a.rs:3:5\n",
    " ::: ",
    "error: could not compile `a` (lib) due to 2 previous errors\n",
    "error: could not compile `",
    "   Compiling a v1 (/a)\n",
    "   Compiling ",
    "a.rs:3:5: error[E0308]: x\n",
    "a.rs:3:5: ",
    "::",
    "a::",
    "{{",
    "[0123456789",
]
SIZE = 80_000
"""Characters: enough that an explosion would never end. Nothing is timed here."""


@pytest.mark.parametrize("piece", FLOODS)
def test_no_flood_runs_away(piece: str) -> None:
    output = (piece * (SIZE // len(piece) + 1))[:SIZE]
    assert len(check(output, "cargo test " + output[:2_000]).failures) <= MOST_FAILURES


# what is repeated with a number, what then follows with a number
CROWDS = [
    ("test a{0} ... FAILED\n", "thread 'a{0}' panicked at a.rs:{0}:5:\nx\n"),
    ("running 1 test\ntest a{0} ... FAILED\n", "thread 'a{0}' panicked at a.rs:{0}:5:\nx\n"),
    ("---- a{0} stdout ----\nthread 'a{0}' panicked at a.rs:{0}:5:\nx\n", "    a{0}\n"),
    ("     Running `target/debug/a{0}`\n", "thread 'main' panicked at a.rs:{0}:5:\nx\n"),
    ("error: failed to run custom build command for `a{0} v1`\n", "thread 'main' panicked at a.rs:{0}:5:\nx\n"),
    ("error[E1]: x\n --> a{0}.rs:3:5\n\n", "error: could not compile `a{0}` (lib) due to 2 previous errors\n"),
    ("   Compiling a{0} v1 (/a{0})\n", "error[E1]: x\n --> a{0}/b.rs:3:5\n\n"),
    (
        "     Running tests/a{0}.rs (target/debug/deps/a{0}-0123456789abcdef)\nrunning 1 test\n",
        "error: test failed, to rerun pass `-p a{0} --lib`\n",
    ),
]


@pytest.mark.parametrize(("first", "second"), CROWDS)
def test_no_crowd_runs_away(first: str, second: str) -> None:
    many = range(SIZE // len(first + second))
    check("".join(map(first.format, many)) + "\n" + "".join(map(second.format, many)))


@given(st.lists(st.sampled_from(NAMES), max_size=4).map("::".join), st.sampled_from(["", "a/"]))
def test_modules_are_looked_for_below_the_root(name: str, folder: str) -> None:
    found = homes(Failure("cargo", f"{folder}src/lib.rs::{name}"))
    assert found[-1] == f"{folder}src/lib.rs"
    assert all(each.startswith(f"{folder}src/") for each in found)
