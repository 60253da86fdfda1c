"""Runs of cargo's tests: what failed and where, and which tests pass, in every way they are printed."""

import pytest

from ccos_core.intake.failures import read
from ccos_core.intake.failures.paths import Known, anchor, placed
from ccos_core.values.outcome import Failure, Frame, Pass, ends
from tests.core.intake.rust_outputs import BOTTOM, FIRING, GLAZE, KILN, KNOWN, PATHS, TOP, places, seen, told

LIB = "     Running unittests src/lib.rs (target/debug/deps/kiln-0123456789abcdef)\n"
TESTS = "     Running tests/firing.rs (target/debug/deps/firing-1123456789abcdef)\n"
BROKE = "error: test failed, to rerun pass `-p kiln --lib`\n"
HEAT = "crates/kiln/src/heat.rs"

RUN = f"""\
   Compiling kiln v0.1.0 (/home/ann/pots/crates/kiln)
    Finished `test` profile [unoptimized + debuginfo] target(s) in 0.31s
{LIB}
running 6 tests
test heat::tests::cools ... ok
test heat::tests::fires ... FAILED
test heat::tests::later ... ignored, too slow
test heat::tests::melts - should panic ... FAILED
test heat::tests::wrong - should panic ... FAILED
test opens ... FAILED

failures:

---- heat::tests::fires stdout ----
lit at src/other.rs:3:4

thread 'heat::tests::fires' (31) panicked at {HEAT}:12:9:
too hot
note: run with `RUST_BACKTRACE=1` environment variable to display a backtrace

---- heat::tests::melts stdout ----
note: test did not panic as expected at {HEAT}:40:8
---- heat::tests::wrong stdout ----

thread 'heat::tests::wrong' (32) panicked at {HEAT}:12:9:
too hot
note: panic did not contain expected string
      panic message: "too hot"
 expected substring: "too cold"
---- opens stdout ----
Error: "no door"


failures:
    heat::tests::fires
    heat::tests::melts
    heat::tests::wrong
    opens

test result: FAILED. 1 passed; 4 failed; 1 ignored; 0 measured; 0 filtered out; finished in 0.02s

{BROKE}"""


def test_a_run() -> None:
    found = told(RUN, "cargo test", ok=False)
    assert seen(found) == [
        (f"{KILN}::heat::tests::fires", "too hot", [(HEAT, 12, "")]),
        (f"{KILN}::heat::tests::melts", "test did not panic as expected", [(HEAT, 40, "")]),
        (f"{KILN}::heat::tests::wrong", "panic did not contain expected string", [(HEAT, 12, "")]),
        (f"{KILN}::opens", 'Error: "no door"', []),
    ]
    assert {each.runner for each in found.failures} == {"cargo"}
    assert found.passes[0] == Pass("cargo", "tests", (f"{KILN}::heat::tests::cools",))


def test_without_a_place_it_is_the_test_itself() -> None:
    found = told(RUN, "cargo test", ok=False)
    assert anchor(found.failures[3], KNOWN) == Frame(KILN, 0, "opens")
    inner = Failure("cargo", f"{KILN}::heat::tests::opens")
    assert anchor(inner, KNOWN) == Frame(HEAT, 0, "opens")
    assert anchor(Failure("cargo", f"{GLAZE}::colour::opens"), KNOWN) == Frame(PATHS[0], 0, "opens")
    assert anchor(Failure("cargo", "src/lib.rs@kiln::opens"), KNOWN) is None


QUIET = f"""\

running 6 tests
.i
heat::tests::fires --- FAILED
... 6/6

failures:

---- heat::tests::fires stdout ----

thread 'heat::tests::fires' (31) panicked at {HEAT}:12:9:
too hot


failures:
    heat::tests::fires

test result: FAILED. 4 passed; 1 failed; 1 ignored; 0 measured; 0 filtered out; finished in 0.02s

{BROKE}"""


def test_a_quiet_run_is_known_by_what_would_run_it_again() -> None:
    found = told(QUIET, "cargo test -q", ok=False)
    assert seen(found) == [(f"{KILN}::heat::tests::fires", "too hot", [(HEAT, 12, "")])]
    assert found.passes == ()


LOUD = f"""\
{LIB}
running 3 tests
test heat::tests::cools ... ok

thread 'worker 1' (30) panicked at crates/glaze/src/lib.rs:7:5:
sticky

thread 'heat::tests::fires' (31) panicked at {HEAT}:12:9:
too hot
test heat::tests::fires ... FAILED
thread 'heat::tests::melts' panicked at 'as it should', {HEAT}:9:9
test heat::tests::melts - should panic ... ok

failures:

failures:
    heat::tests::fires

test result: FAILED. 2 passed; 1 failed; 0 ignored; 0 measured; 0 filtered out; finished in 0.02s

{BROKE}"""


def test_where_nothing_is_held_back_a_thread_has_its_tests_name() -> None:
    found = told(LOUD, "cargo test -- --nocapture", ok=False)
    assert seen(found) == [(f"{KILN}::heat::tests::fires", "too hot", [(HEAT, 12, "")])]
    named = (f"{KILN}::heat::tests::cools", f"{KILN}::heat::tests::melts")
    assert found.passes == (Pass("cargo", "tests", named),)


def test_one_test_after_the_other_owns_all_its_threads() -> None:
    output = (
        f"{LIB}\nrunning 2 tests\ntest heat::tests::fires ... said on the way\n\n"
        f"thread 'worker 1' (30) panicked at {GLAZE}:7:5:\nsticky\n\n"
        f"thread 'heat::tests::fires' (31) panicked at {HEAT}:12:9:\ntoo hot\nFAILED\n"
        f"test heat::tests::cools ... \nthread '<unnamed>' (32) panicked at {GLAZE}:8:5:\ncaught\nok\n"
        "\nfailures:\n\nfailures:\n    heat::tests::fires\n\n"
        "test result: FAILED. 1 passed; 1 failed; 0 ignored; 0 measured; 0 filtered out; finished in 0.02s\n"
    )
    found = told(output)
    assert seen(found) == [(f"{KILN}::heat::tests::fires", "sticky", [(GLAZE, 7, ""), (HEAT, 12, "")])]
    assert found.passes == (Pass("cargo", "tests", (f"{KILN}::heat::tests::cools",)),)


def test_panics_on_the_other_stream() -> None:
    out = (
        "\nrunning 2 tests\ntest heat::tests::fires ... FAILED\ntest heat::tests::melts - should panic ... ok\n\n"
        "failures:\n\nfailures:\n    heat::tests::fires\n\n"
        "test result: FAILED. 1 passed; 1 failed; 0 ignored; 0 measured; 0 filtered out; finished in 0.02s\n\n"
    )
    err = (
        f"{LIB}\nthread 'heat::tests::melts' (30) panicked at {HEAT}:9:9:\nas it should\n\n"
        f"thread 'heat::tests::fires' (31) panicked at {HEAT}:12:9:\ntoo hot\n{BROKE}"
    )
    for output in (out + err, err + out):
        assert seen(told(output)) == [(f"{KILN}::heat::tests::fires", "too hot", [(HEAT, 12, "")])]


def test_a_backtrace_in_a_test() -> None:
    trace = (
        f"stack backtrace:\n{TOP}   2: kiln::heat::fire\n             at ./src/heat.rs:12:9\n"
        f"   3: kiln::heat::tests::fires\n             at ./src/heat.rs:77:9\n"
        f"   4: kiln::heat::tests::fires::{{{{closure}}}}\n             at ./src/heat.rs:76:5\n{BOTTOM}"
    )
    found = told(RUN.replace("note: run with `RUST_BACKTRACE=1` environment variable to display a backtrace\n", trace))
    assert places(found.failures[0]) == [(HEAT, 12, "fire"), (HEAT, 77, "fires"), (HEAT, 76, "fires")]
    assert len(found.failures) == 4


def test_an_error_with_a_backtrace_of_its_own() -> None:
    trace = "Stack backtrace:\n   0: kiln::door\n             at ./src/lib.rs:7:9\n"
    error = f'Error: "no door"\n\nCaused by:\n    jammed\n\n{trace}'
    found = told(RUN.replace('Error: "no door"\n', error))
    assert found.failures[3].message == 'Error: "no door"'
    assert found.failures[3].frames == (Frame("./src/lib.rs", 7, "door"),)


@pytest.mark.parametrize("target", [f"{LIB}", "     Running target/debug/deps/kiln-0123456789abcdef\n"])
def test_a_program_that_ends_without_a_word(target: str) -> None:
    output = (
        f"{target}\nrunning 2 tests\ntest heat::tests::cools ... ok\n{BROKE}\nCaused by:\n"
        "  process didn't exit successfully: `/home/ann/pots/target/debug/deps/kiln-0123456789abcdef` "
        "(signal: 6, SIGABRT: process abort signal)\n"
    )
    (failure,) = told(output, "cargo test", ok=False).failures
    assert failure.test in (KILN, "@kiln-0123456789abcdef")
    assert failure.message == "signal: 6, SIGABRT: process abort signal"
    assert told(output).passes == (Pass("cargo", "tests", (f"{failure.test}::heat::tests::cools",)),)


def test_a_stack_that_ran_over_is_its_tests() -> None:
    output = (
        f"{LIB}\nrunning 2 tests\n\nthread 'heat::tests::deep' (31) has overflowed its stack\n"
        f"fatal runtime error: stack overflow, aborting\n{BROKE}"
    )
    assert seen(told(output)) == [(f"{KILN}::heat::tests::deep", "stack overflow", [])]


def test_tests_without_a_harness() -> None:
    output = (
        f"{fine(('a',))}{TESTS}\nthread 'main' (3) panicked at crates/kiln/tests/firing.rs:3:5:\nno\n"
        "error: test failed, to rerun pass `-p kiln --test firing`\n"
    )
    found = told(output)
    assert seen(found) == [(FIRING, "no", [(FIRING, 3, "")])]
    assert found.passes == (Pass("cargo", "tests", (f"{KILN}::",)),)


@pytest.mark.parametrize(
    ("hint", "test"),
    [
        ("error: test failed, to rerun pass `-p kiln --lib`", KILN),
        ("error: test failed, to rerun pass '-p kiln --lib'", KILN),
        ("error: test failed, to rerun pass `-p kiln --bin kiln`", "crates/kiln/src/main.rs"),
        ("error: test failed, to rerun pass `-p kiln --test firing`", FIRING),
        ("error: test failed, to rerun pass `--test firing`", FIRING),
        ("error: doctest failed, to rerun pass `-p glaze --doc`", "doc@glaze"),
    ],
)
def test_the_end_of_a_run_alone(hint: str, test: str) -> None:
    tail = "test result: FAILED. 4 passed; 1 failed; 0 ignored; 0 measured; 0 filtered out; finished in 0.02s\n\n"
    assert [each.test for each in told(tail + hint + "\n", "cargo test | tail -3").failures] == [test]
    assert [each.test for each in told(hint + "\n", "cargo test | tail -1").failures] == [test]


def test_each_block_is_what_the_hint_below_it_says_when_the_first_was_cut_off() -> None:
    tail = QUIET.replace("heat::tests", "moved")
    output = "error: test failed, to rerun pass `-p glaze --lib`\n" + tail + "error: 2 targets failed:\n    `x`\n"
    assert [each.test for each in told(output).failures] == [f"{KILN}::moved::fires"]


def test_a_cut_leaves_in_doubt_what_ran() -> None:
    output = f"{LIB}[... lines left out: 12 ...]\n{QUIET.removesuffix(BROKE)}"
    assert [each.test for each in told(output).failures] == ["heat::tests::fires"]


# ---- documentation ----

DOCS = """\
   Doc-tests glaze

running 4 tests
test crates/glaze/src/lib.rs - (line 3) ... ok
test crates/glaze/src/lib.rs - Glaze::mix (line 17) ... FAILED
test crates/glaze/src/lib.rs - Glaze::mix (line 21) - compile fail ... ok
test crates/glaze/src/lib.rs - pour (line 40) ... FAILED
test crates/glaze/src/lib.rs - stir (line 50) - compile ... ok

failures:

---- crates/glaze/src/lib.rs - Glaze::mix (line 17) stdout ----
error[E0308]: mismatched types
  --> crates/glaze/src/lib.rs:19:30
   |
19 | let x: u32 = glaze::mix("a");
   |              ---------  ^^^ expected `u32`, found `&str`

error: aborting due to 1 previous error

For more information about this error, try `rustc --explain E0308`.
Couldn't compile the test.
---- crates/glaze/src/lib.rs - pour (line 40) stdout ----
Test executable failed (exit status: 101).

stderr:

thread 'main' (3) panicked at crates/kiln/src/heat.rs:12:9:
too hot
note: run with `RUST_BACKTRACE=1` environment variable to display a backtrace


failures:
    crates/glaze/src/lib.rs - Glaze::mix (line 17)
    crates/glaze/src/lib.rs - pour (line 40)

test result: FAILED. 3 passed; 2 failed; 0 ignored; 0 measured; 0 filtered out; finished in 0.16s

error: doctest failed, to rerun pass `-p glaze --doc`
"""


def test_examples_in_documentation() -> None:
    found = told(DOCS, "cargo test --doc", ok=False)
    assert [(each.runner, each.test, each.part) for each in found.failures] == [
        ("rustdoc", f"{GLAZE}::Glaze::mix", "(line 17)"),
        ("rustdoc", f"{GLAZE}::pour", "(line 40)"),
    ]
    assert [each.message for each in found.failures] == ["error[E0308]: mismatched types", "too hot"]
    assert [places(each) for each in found.failures] == [[(GLAZE, 17, "mix")], [(HEAT, 12, ""), (GLAZE, 40, "pour")]]
    assert found.passes == (Pass("rustdoc", "tests", (f"{GLAZE}::(module)", f"{GLAZE}::stir")),)


def test_an_example_passes_when_all_of_its_item_do_wherever_they_moved() -> None:
    failed = told(DOCS, "cargo test --doc", ok=False).failures[0]
    fine = DOCS.partition("\nfailures:")[0].replace("FAILED", "ok").replace("line 17", "line 19")
    fine += "\ntest result: ok. 5 passed; 0 failed; 0 ignored; 0 measured; {0} filtered out; finished in 0.16s\n"
    assert any(ends(each, failed) for each in told(fine.format(0)).passes)
    assert any(ends(each, failed) for each in told(fine.format(3), "cargo test --doc Glaze::mix").passes)
    for command in ("", "cargo test --doc 'mix (line 21'", "cargo test --doc line", "cargo test --doc -- --skip mix"):
        assert not any(ends(each, failed) for each in told(fine.format(3), command).passes), command
    ignored = fine.format(0).replace("Glaze::mix (line 21) - compile fail ... ok", "Glaze::mix (line 21) ... ignored")
    assert not any(ends(each, failed) for each in told(ignored).passes)
    ignored = fine.format(0).replace("Glaze::mix (line 19) ... ok", "Glaze::mix (line 19) ... ignored")
    assert not any(ends(each, failed) for each in told(ignored).passes)


def test_an_items_pass_is_not_that_of_what_is_in_it() -> None:
    inner = Failure("rustdoc", f"{GLAZE}::Glaze::mix")
    assert not ends(Pass("rustdoc", "tests", (f"{GLAZE}::Glaze",)), inner)
    assert not ends(Pass("cargo", "tests", (f"{GLAZE}::",)), inner)


# ---- what passes ----


def fine(names: tuple[str, ...], ignored: int = 0, filtered: int = 0, target: str = LIB, quiet: bool = False) -> str:
    listed = "." * len(names) + "\n" if quiet else "".join(f"test {name} ... ok\n" for name in names)
    listed += "" if quiet else "".join(f"test idle{at} ... ignored\n" for at in range(ignored))
    return (
        f"{target}\nrunning {len(names) + ignored} tests\n{listed}\ntest result: ok. {len(names)} passed; 0 failed; "
        f"{ignored} ignored; 0 measured; {filtered} filtered out; finished in 0.02s\n\n"
    )


@pytest.mark.parametrize(
    ("output", "passes"),
    [
        (fine(("a", "b::c")), Pass("cargo", "tests", (f"{KILN}::",))),
        (fine(("a", "b::c"), ignored=2), Pass("cargo", "tests", (f"{KILN}::a", f"{KILN}::b::c"))),
        (fine(("a",), filtered=7), Pass("cargo", "tests", (f"{KILN}::a",))),
        (fine(("a",), quiet=True), Pass("cargo", "tests", (f"{KILN}::",))),
        (fine(("a",), ignored=1, quiet=True), Pass("cargo", "tests", (f"{KILN}::",), (), 1)),
        (fine(("a",), target=TESTS), Pass("cargo", "tests", (f"{FIRING}::",))),
    ],
)
def test_a_program_passes(output: str, passes: Pass) -> None:
    for command in ("cargo test", "make", "cargo test a | tail -20"):
        assert told(output, command, ok=True).passes == (passes,)


def test_nothing_ran() -> None:
    assert told(fine((), filtered=7), "cargo test nothing", ok=True).passes == ()


OWN = tuple(f"{folder}" for folder in ("src", "tests", "examples", "benches"))


@pytest.mark.parametrize(
    ("command", "scope", "paths"),
    [
        ("cargo test -q", "files", OWN),
        ("cargo t --quiet --release -j 2", "files", OWN),
        ("cargo +nightly test -q", "files", OWN),
        ("timeout 60 cargo test -q", "files", OWN),
        ("RUST_LOG=x cargo test -q 2>/dev/null", "files", OWN),
        ("cd crates/kiln && cargo test -q", "files", tuple(f"crates/kiln/{each}" for each in OWN)),
        ("cargo test -q --workspace", "all", ()),
        ("cd pots && cargo test --all -q", "all", ("pots",)),
        ("cargo test -q -- --test-threads 1", "files", OWN),
        ("cargo test -q --workspace --exclude glaze", "unknown", ()),
        ("cargo test -q -p kiln", "unknown", ()),
        ("cargo test -q --lib", "unknown", ()),
        ("cargo test -q fires", "unknown", ()),
        ("cargo test -q -- fires", "unknown", ()),
        ("cargo test -q -- --skip fires", "unknown", ()),
        ("cargo test -q -- --ignored", "unknown", ()),
        ("cargo test -q $X", "unknown", ()),
        ("cargo test -q | tail -3", "unknown", ()),
        ("cargo test -q || true", "unknown", ()),
        ("cargo test -q && cargo test -q --doc", "unknown", ()),
        ("make test", "unknown", ()),
        ("", "unknown", ()),
    ],
)
def test_the_command_says_how_much_a_quiet_run_takes_in(command: str, scope: str, paths: tuple[str, ...]) -> None:
    output = fine(("a", "b"), target="", quiet=True) + fine(("c",), target="", quiet=True)
    runners = ["cargo"] if scope == "unknown" else ["cargo", "rustdoc"]
    assert read(output, command, ok=True).passes == tuple(Pass(runner, scope, (), paths) for runner in runners)


def test_what_was_ignored_may_have_been_any_of_them() -> None:
    output = fine(("a", "b"), ignored=2, target="", quiet=True)
    assert [each.untold for each in read(output, "cargo test -q", ok=True).passes] == [2, 2]
    failed = told(QUIET, "cargo test -q", ok=False).failures[0]
    assert not any(ends(each, failed) for each in told(output, "cargo test -q --workspace", ok=True).passes)


def test_a_package_passes_and_not_its_neighbours() -> None:
    failed = told(RUN, "cargo test", ok=False).failures[0]
    quiet = fine(("a",), target="", quiet=True)
    for cwd, over in ((".", False), ("crates/kiln", True), ("crates/glaze", False)):
        passes = placed(read(quiet, "cargo test -q", ok=True), Known(PATHS, cwd)).passes
        assert any(ends(each, failed) for each in passes) == over


# ---- which program ----


@pytest.mark.parametrize(
    ("said", "files", "name"),
    [
        ("src/lib.rs@kiln-0123456789abcdef", ["src/lib.rs", "src/main.rs"], "src/lib.rs"),
        ("src/lib.rs@kiln-0123456789abcdef", ["a/src/lib.rs"], "a/src/lib.rs"),
        ("src/lib.rs@kiln_fire-0123456789abcdef", ["kiln-fire/src/lib.rs", "a/src/lib.rs"], "kiln-fire/src/lib.rs"),
        ("src/lib.rs@pots_kiln-0123456789abcdef", ["kiln/src/lib.rs", "a/src/lib.rs"], "src/lib.rs@pots_kiln"),
        (
            "src/lib.rs@kiln-0123456789abcdef",
            ["a/kiln/src/lib.rs", "b/kiln/src/lib.rs"],
            "src/lib.rs@kiln-0123456789abcdef",
        ),
        ("tests/x.rs@x-0123456789abcdef", ["a/tests/x.rs"], "a/tests/x.rs"),
        (
            "tests/x.rs@x-0123456789abcdef",
            ["tests/x.rs", "a/tests/x.rs"],
            "tests/x.rs@x-0123456789abcdef",
        ),
        ("tests/x.rs@x", ["a/tests/x/main.rs"], "a/tests/x/main.rs"),
        ("src/main.rs@fire_up", ["src/bin/fire-up.rs"], "src/bin/fire-up.rs"),
        ("tests/x.rs", ["tests/x.rs", "a/tests/x.rs"], "tests/x.rs"),
        ("@kiln-0123456789abcdef", ["src/lib.rs"], "@kiln-0123456789abcdef"),
    ],
)
def test_a_program_is_called_by_its_file_where_that_is_certain(said: str, files: list[str], name: str) -> None:
    known = Known(files)
    assert known.target(said) == name
    assert known.target(name) == name


def test_tests_of_two_packages_with_the_same_names() -> None:
    known = Known(["a/tests/x.rs", "b/tests/x.rs"])
    one = "     Running tests/x.rs (target/debug/deps/x-0123456789abcdef)\n"
    other = "     Running tests/x.rs (target/debug/deps/x-1123456789abcdef)\n"
    broken = (
        one + "\nrunning 1 test\ntest t ... FAILED\n\nfailures:\n\nfailures:\n    t\n\n"
        "test result: FAILED. 0 passed; 1 failed; 0 ignored; 0 measured; 0 filtered out\n"
    )
    (failed,) = placed(read(broken, "cargo test", ok=False), known).failures
    for target, over in ((one, True), (other, False)):
        passes = placed(read(fine(("t",), target=target), "cargo test", ok=True), known).passes
        assert any(ends(each, failed) for each in passes) == over


def test_a_test_is_not_what_begins_like_it() -> None:
    for passing in (f"{KILN}::a", f"{KILN}::a::bc", f"{GLAZE}::"):
        assert not ends(Pass("cargo", "tests", (passing,)), Failure("cargo", f"{KILN}::a::b"))
    for passing in (f"{KILN}::a::b", f"{KILN}::"):
        assert ends(Pass("cargo", "tests", (passing,)), Failure("cargo", f"{KILN}::a::b"))
    assert ends(Pass("cargo", "tests", (f"{KILN}::",)), Failure("cargo", KILN))
