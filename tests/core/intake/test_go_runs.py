"""Runs of Go's tests: what failed and where, and which tests pass, in every way they are printed."""

import json

import pytest

from ccos_core.intake.failures import read
from ccos_core.intake.failures.go_scopes import literals
from ccos_core.intake.failures.paths import Known, anchor, placed
from ccos_core.values.outcome import Failure, Frame, Pass, ends
from tests.core.intake.go_outputs import GLAZE, KILN, KILN_TEST, KNOWN, MODULE, places, seen, told

RUN = f"""\
ok  	{MODULE}	0.003s
?   	{MODULE}/cmd/stoke	[no test files]
lit at x.go:3:4
--- FAIL: TestFire (0.00s)
    kiln_test.go:12: lighting
    kiln_test.go:14: Fire(3) = 4, want 5
        second line: y.go:3: no
--- FAIL: TestTable (0.01s)
    --- FAIL: TestTable/too_hot (0.00s)
        kiln_test.go:31: Fire("hot"): melted
    --- FAIL: TestTable/a/b (0.00s)
        kiln_test.go:33: got 1, want 2
--- FAIL: TestQuiet (0.00s)
--- FAIL: ExampleFire (0.00s)
got:
3 <nil>
want:
4 <nil>
FAIL
FAIL	{KILN}	0.003s
ok  	{GLAZE}	(cached)
FAIL
"""
FAILED = [
    (f"{KILN}.TestFire", "Fire(3) = 4, want 5", [(KILN_TEST, 14, ""), (KILN_TEST, 12, "")]),
    (f"{KILN}.TestTable/too_hot", 'Fire("hot"): melted', [(KILN_TEST, 31, "")]),
    (f"{KILN}.TestTable/a/b", "got 1, want 2", [(KILN_TEST, 33, "")]),
    (f"{KILN}.TestQuiet", "", []),
    (f"{KILN}.ExampleFire", "got: 3 <nil> want: 4 <nil>", []),
]


def goes(report: object) -> list[Pass]:
    return [each for each in getattr(report, "passes", ()) if each.runner == "go"]


def test_a_run() -> None:
    found = told(RUN, "go test ./...", ok=False)
    assert seen(found) == FAILED
    assert {each.runner for each in found.failures} == {"go"}
    assert goes(found) == [Pass("go", "tests", (f"{MODULE}.",)), Pass("go", "tests", (f"{GLAZE}.",))]


def test_what_is_not_proven_of_a_package_that_failed() -> None:
    passes = told(RUN, "go test ./...", ok=False).passes
    for name in ("TestFire", "TestOther", "TestTable/cold"):
        assert not any(ends(each, Failure("go", f"{KILN}.{name}")) for each in passes)
    assert any(ends(each, Failure("go", f"{GLAZE}.TestMix/a")) for each in passes)


VERBOSE = f"""\
=== RUN   TestFire
    kiln_test.go:12: lighting
lit
    kiln_test.go:14: Fire(3) = 4, want 5
        second line: y.go:3: no
--- FAIL: TestFire (0.00s)
=== RUN   TestTable
=== RUN   TestTable/too_hot
    kiln_test.go:31: Fire("hot"): melted
=== RUN   TestTable/a/b
    kiln_test.go:33: got 1, want 2
=== RUN   TestTable/cold
--- FAIL: TestTable (0.01s)
    --- FAIL: TestTable/too_hot (0.00s)
    --- FAIL: TestTable/a/b (0.00s)
    --- PASS: TestTable/cold (0.00s)
=== RUN   TestQuiet
--- FAIL: TestQuiet (0.00s)
=== RUN   TestLater
    kiln_test.go:45: later
--- SKIP: TestLater (0.00s)
=== RUN   TestOne
=== PAUSE TestOne
=== RUN   TestTwo
=== PAUSE TestTwo
=== CONT  TestOne
=== CONT  TestTwo
    kiln_test.go:50: in two
=== NAME  TestOne
    kiln_test.go:48: in one
--- PASS: TestTwo (0.00s)
--- PASS: TestOne (0.00s)
=== RUN   ExampleFire
--- FAIL: ExampleFire (0.00s)
got:
3 <nil>
want:
4 <nil>
FAIL
FAIL	{KILN}	0.003s
FAIL
"""
NAMED = (f"{KILN}.TestTable/cold", f"{KILN}.TestOne", f"{KILN}.TestTwo")


def events(text: str, package: str = KILN) -> str:
    told = (
        {"Time": "2026", "Action": "output", "Package": package, "Output": f"{line}\n"} for line in text.split("\n")
    )
    return "\n".join(json.dumps(each, separators=(",", ":")) for each in told)


@pytest.mark.parametrize("output", [VERBOSE, events(VERBOSE)])
def test_a_verbose_run_names_what_passes(output: str) -> None:
    found = told(output, "go test -v ./...", ok=False)
    assert seen(found) == FAILED
    assert goes(found) == [Pass("go", "tests", tuple(f"{name}/" for name in NAMED))]
    assert goes(told(output, "make test", ok=False)) == [Pass("go", "tests", NAMED)]


def test_objects_of_several_packages_may_take_turns() -> None:
    one, other = events(VERBOSE).split("\n"), events(VERBOSE.replace(KILN, GLAZE), GLAZE).split("\n")
    mixed = [line for pair in zip(one, other, strict=True) for line in pair]
    found = told("\n".join(mixed), "go test -json ./...", ok=False)
    assert sorted(each.test for each in found.failures) == sorted(
        [test for test, _, _ in FAILED] + [test.replace(KILN, GLAZE) for test, _, _ in FAILED]
    )


def test_the_worst_of_several_turns_counts() -> None:
    turns = f"""\
=== RUN   TestFire
    kiln_test.go:14: no
--- FAIL: TestFire (0.00s)
=== RUN   TestFire
--- PASS: TestFire (0.00s)
FAIL
FAIL	{KILN}	0.003s
"""
    found = told(turns, "go test -v -count=2 ./internal/kiln", ok=False)
    assert [each.test for each in found.failures] == [f"{KILN}.TestFire"]
    assert goes(found) == []


def test_a_test_fails_with_its_subtests_and_may_have_its_own_to_say() -> None:
    output = RUN.replace("--- FAIL: TestTable (0.01s)\n", "--- FAIL: TestTable (0.01s)\n    kiln_test.go:20: 2 of 3\n")
    assert [each.test for each in told(output).failures][1] == f"{KILN}.TestTable"


@pytest.mark.parametrize(
    ("line", "test"),
    [
        (f"FAIL	{KILN}	0.002s", KILN),
        (f"exit status 3\nFAIL	{KILN}	0.002s", KILN),
        ("2026/01/01 10:00:00 gone\nFAIL\t" + KILN + "\t0.002s", KILN),
        (f"FAIL    {KILN}    0.002s", KILN),
        (f"FAIL\t{KILN}\t0.002s\ncoverage: 3%", KILN),
    ],
)
def test_a_package_that_ends_without_a_word(line: str, test: str) -> None:
    (failure,) = told(line + "\nFAIL\n", "go test ./...", ok=False).failures
    assert (failure.test, failure.frames) == (test, ())
    assert failure.message == ("exit status 3" if "exit" in line else "test failed")
    assert ends(Pass("go", "tests", (f"{KILN}.",)), failure)
    assert not ends(Pass("go", "tests", (f"{KILN}.TestFire/",)), failure)


ASSERTED = f"""\
--- FAIL: TestMix (0.00s)
    glaze_test.go:13:
        ¦Error Trace:¦/home/ann/pots/glaze/glaze_test.go:13
        ¦Error:      ¦Not equal:
        ¦            ¦expected: 3
        ¦            ¦actual  : 2
        ¦Test:       ¦TestMix
        ¦Messages:   ¦sums differ
    --- FAIL: TestMix/deep (0.00s)
        glaze_test.go:22:
            ¦Error Trace:¦/home/ann/pots/glaze/glaze_test.go:22
            ¦            ¦¦¦¦/home/ann/pots/glaze/glaze.go:19
            ¦            ¦¦¦¦/home/ann/pots/glaze/glaze_test.go:40
            ¦Error:      ¦Expected nil, but got: 3
            ¦Test:       ¦TestMix/deep
        glaze_test.go:50: and more
FAIL
FAIL¦{GLAZE}¦0.006s
""".replace("¦", "\t")


def test_assertions_of_testify() -> None:
    found = told(ASSERTED, "go test ./glaze", ok=False)
    assert seen(found) == [
        (f"{GLAZE}.TestMix", "Not equal: expected: 3 actual : 2", [("glaze/glaze_test.go", 13, "")]),
        (
            f"{GLAZE}.TestMix/deep",
            "and more",
            [
                ("glaze/glaze_test.go", 50, ""),
                ("glaze/glaze_test.go", 22, ""),
                ("glaze/glaze.go", 19, ""),
                ("glaze/glaze_test.go", 40, ""),
            ],
        ),
    ]
    assert anchor(found.failures[1], KNOWN) == Frame("glaze/glaze.go", 19)


def test_an_older_testify_names_files_alone() -> None:
    old = ASSERTED.replace("/home/ann/pots/glaze/", "")
    assert [places(each) for each in told(old).failures] == [places(each) for each in told(ASSERTED).failures]


def test_files_are_found_by_their_package() -> None:
    known = Known(["a/x_test.go", "b/x_test.go", "x_test.go", "b/c/x_test.go"])
    for package, path in (
        (MODULE, "x_test.go"),
        (f"{MODULE}/a", "a/x_test.go"),
        (f"{MODULE}/b", "b/x_test.go"),
        (f"{MODULE}/b/c", "b/c/x_test.go"),
    ):
        output = f"--- FAIL: TestX (0.00s)\n    x_test.go:3: no\nFAIL\nFAIL\t{package}\t0.1s\n"
        (failure,) = placed(read(output), known).failures
        assert (failure.test, failure.frames) == (f"{package}.TestX", (Frame(path, 3),))
    loose = "--- FAIL: TestX (0.00s)\n    x_test.go:3: no\nFAIL\n"
    (failure,) = placed(read(loose), Known(["a/x_test.go", "b/x_test.go"])).failures
    assert anchor(failure, Known(["a/x_test.go", "b/x_test.go"])) is None
    assert failure.test == "TestX"


# ---- what passes ----

QUIET = f"ok  \t{KILN}\t0.003s\tcoverage: 60.0% of statements\n"


@pytest.mark.parametrize(
    ("command", "tests"),
    [
        ("go test ./...", (".",)),
        ("go test", (".",)),
        ("go test -race -count=1 -timeout 30s ./internal/kiln", (".",)),
        ("go test -cover -coverprofile c.out ./... | tail -3", (".",)),
        ("cd internal/kiln && go test", (".",)),
        ("CGO_ENABLED=0 go test ./... 2>&1", (".",)),
        ("timeout 60 go test ./...", (".",)),
        ("go test -run TestFire ./...", (".TestFire/",)),
        ("go test -run=TestFire ./...", (".TestFire/",)),
        ("go test --run '^TestFire$' ./...", (".TestFire/",)),
        ("go test -run '^(TestFire|TestMix)$' .", (".TestFire/", ".TestMix/")),
        ("go test -run 'TestFire|TestMix' .", (".TestFire/", ".TestMix/")),
        ("go test -run 'TestTable/too hot' .", (".TestTable/too_hot/",)),
        ("go test -test.run TestFire", (".TestFire/",)),
        ("go test -run 'Test.*' .", None),
        ("go test -run 'Test[FM]' .", None),
        ("go test -skip TestFire ./...", None),
        ("go test -short ./...", None),
        ("go test -list . ./...", None),
        ("go test -run $X ./...", None),
        ("go test $PACKAGES", None),
        ("go test ./a && go test ./b", None),
        ("make test", (".",)),
        ("make test TESTS=-run=TestFire", None),
        ("./scripts/test.sh -run TestFire", None),
        ("", None),
    ],
)
def test_the_command_says_how_much(command: str, tests: tuple[str, ...] | None) -> None:
    scope = Pass("go", "unknown") if tests is None else Pass("go", "tests", tuple(f"{KILN}{test}" for test in tests))
    assert goes(read(QUIET, command, ok=True)) == [scope]


@pytest.mark.parametrize(
    "line",
    [
        f"ok  \t{KILN}\t0.003s [no tests to run]",
        f"ok  \t{KILN}\t(cached) [no tests to run]",
        f"?   \t{KILN}\t[no test files]",
        f"\t{KILN}\t\tcoverage: 0.0% of statements",
        f"FAIL\t{KILN} [build failed]",
        f"FAIL\t{KILN} [setup failed]",
    ],
)
def test_nothing_ran(line: str) -> None:
    assert goes(read(line + "\n", "go test ./...", ok=None)) == []


FINE = f"""\
=== RUN   TestTable
=== RUN   TestTable/too_hot
--- PASS: TestTable (0.00s)
    --- PASS: TestTable/too_hot (0.00s)
PASS
ok  	{KILN}	0.003s
"""


@pytest.mark.parametrize(
    ("command", "tests"),
    [
        ("go test -v ./...", (".",)),
        ("go test -v -run TestTable ./...", (".TestTable/",)),
        ("go test -v -run TestTable/too_hot ./...", (".TestTable/too_hot",)),
        ("go test -v -skip TestTable/cold ./...", (".TestTable/too_hot",)),
        ("go test -v -short ./...", (".TestTable/too_hot",)),
        ("make test", (".TestTable/too_hot",)),
    ],
)
def test_a_test_passes_with_all_it_holds_only_if_all_of_that_ran(command: str, tests: tuple[str, ...]) -> None:
    passes = goes(read(FINE, command, ok=True))
    assert passes == [Pass("go", "tests", tuple(f"{KILN}{test}" for test in tests))]
    cold = Failure("go", f"{KILN}.TestTable/cold")
    assert any(ends(each, cold) for each in passes) == (tests[0] != ".TestTable/too_hot")


def test_skipped_subtests_are_not_among_what_passes() -> None:
    output = FINE.replace("    --- PASS", "    --- SKIP")
    assert goes(read(output, "go test -v ./...", ok=True)) == []
    assert goes(read(output.replace("\nPASS", "\n--- PASS: TestMix (0.00s)\nPASS"), "go test -v", ok=True)) == [
        Pass("go", "tests", (f"{KILN}.TestMix/",))
    ]


@pytest.mark.parametrize(
    ("passing", "failing", "over"),
    [
        ("a/b.TestX", "a/b.TestX", True),
        ("a/b.TestX/", "a/b.TestX", True),
        ("a/b.TestX/", "a/b.TestX/y/z", True),
        ("a/b.TestX", "a/b.TestX/y", False),
        ("a/b.TestX/", "a/b.TestXY", False),
        ("a/b.TestX/y", "a/b.TestX", False),
        ("a/b.", "a/b.TestX/v1.2", True),
        ("a/b.", "a/b", True),
        ("a/b.", "a/bc.TestX", False),
        ("a/b.", "a/b/c.TestX", False),
        ("gopkg.in/b.", "gopkg.in/b.v3.TestX", False),
        ("gopkg.in/b.v3.", "gopkg.in/b.v3.TestX", True),
        ("a/b.", "", False),
        ("", "", False),
    ],
)
def test_what_a_name_takes_in(passing: str, failing: str, over: bool) -> None:
    assert ends(Pass("go", "tests", (passing,)), Failure("go", failing)) == over


@pytest.mark.parametrize(
    ("pattern", "names"),
    [
        ("TestA", ("TestA",)),
        ("^TestA$/^b c$", ("TestA/b_c",)),
        ("TestA|TestB/c|d", ("TestA/c", "TestA/d", "TestB/c", "TestB/d")),
        ("Test.", ()),
        ("TestA/", ()),
        ("", ()),
        ("(TestA", ()),
    ],
)
def test_names_in_a_pattern(pattern: str, names: tuple[str, ...]) -> None:
    assert literals(pattern) == names


@pytest.mark.parametrize(
    "line",
    [
        "ok 1 - opens",
        "ok   thing [done]",
        "FAIL  thing [failed]",
        "FAIL src/a.test.js (5.123 s)",
        "FAIL: tests/a.sh",
        "FAIL",
        "ok",
        "? what [no]",
    ],
)
def test_no_line_of_a_package(line: str) -> None:
    report = read(line + "\n", "make check", ok=None)
    assert not [each for each in (*report.failures, *report.passes) if each.runner.startswith("go")]
