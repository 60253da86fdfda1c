"""How Go's programs and tests end when they must: panics, fatal errors, races, and tests that took too long."""

import pytest

from ccos_core.intake.failures import read
from ccos_core.intake.failures.go_traces import enclosing_test, is_standard, parts, short_name
from ccos_core.intake.failures.paths import anchor
from ccos_core.values.outcome import Frame, Pass
from tests.core.intake.go_outputs import GOROOT, KILN, KILN_GO, KILN_TEST, KNOWN, MODULE, ROOT, places, seen, told

STACK = f"""\
goroutine 20 [running]:
testing.tRunner.func1.2({{0x574440, 0x181d8b070000}})
|{GOROOT}/testing/testing.go:1974 +0x232
panic({{0x574440?, 0x181d8b070000?}})
|{GOROOT}/runtime/panic.go:860 +0x13a
{KILN}.At(...)
|{ROOT}/internal/kiln/kiln.go:15
{KILN}.(*Oven).First(0xc000012345, {{0x1, 0x2}})
|{ROOT}/internal/kiln/kiln.go:7 +0x1d
{KILN}.TestFire.func1(0x181d8b0566c8?)
|{ROOT}/internal/kiln/kiln_test.go:10 +0xb
testing.tRunner(0x181d8b0566c8, 0x592f08)
|{GOROOT}/testing/testing.go:2036 +0xea
created by testing.(*T).Run in goroutine 19
|{GOROOT}/testing/testing.go:2101 +0x4c5
""".replace("|", "\t")
FRAMES = [(KILN_GO, 15, "At"), (KILN_GO, 7, "First"), (KILN_TEST, 10, "TestFire")]
FELL = "panic: runtime error: index out of range [0] with length 0"
END = f"FAIL\t{KILN}\t0.005s\nFAIL\n"


@pytest.mark.parametrize(
    "again", ["", " [recovered]", " [recovered, repanicked]", " [recovered]\n\tpanic: " + FELL[7:]]
)
def test_a_panic_in_a_subtest(again: str) -> None:
    head = "--- FAIL: TestFire (0.00s)\n    --- FAIL: TestFire/inner (0.00s)\n"
    found = told(f"{head}{FELL}{again}\n\n{STACK}{END}", "go test ./...", ok=False)
    assert seen(found) == [(f"{KILN}.TestFire/inner", FELL, FRAMES)]
    assert anchor(found.failures[0], KNOWN) == Frame(KILN_GO, 15, "At")
    assert not [each for each in found.passes if each.runner == "go"]


def test_tests_that_had_no_turn_have_not_passed() -> None:
    verbose = "=== RUN   TestA\n--- PASS: TestA (0.00s)\n=== RUN   TestFire\n--- FAIL: TestFire (0.00s)\n"
    found = told(f"{verbose}{FELL}\n\n{STACK}{END}", "go test -v ./...", ok=False)
    assert [each for each in found.passes if each.runner == "go"] == [Pass("go", "tests", (f"{KILN}.TestA/",))]


@pytest.mark.parametrize(
    "head",
    [
        FELL,
        f"{FELL}\n[signal SIGSEGV: segmentation violation code=0x1 addr=0x0 pc=0x52e7e2]",
        "fatal error: all goroutines are asleep - deadlock!",
        "=== RUN   TestFire\n" + FELL,
        "--- FAIL: TestOther (0.00s)\n" + FELL,
        "--- FAIL: TestOther (0.00s)\n    kiln_test.go:3: no\n" + FELL,
    ],
)
def test_the_test_is_the_one_in_the_stack(head: str) -> None:
    found = told(f"{head}\n\n{STACK}{END}", "go test ./...", ok=False)
    (failure,) = [each for each in found.failures if not each.test.endswith("TestOther")]
    assert (failure.test, places(failure)) == (f"{KILN}.TestFire", FRAMES)
    assert failure.message in head


def test_a_goroutine_of_a_test() -> None:
    stack = (
        f"goroutine 7 [running]:\n{KILN}.burn()\n\t{ROOT}/internal/kiln/kiln.go:6 +0x2\n"
        f"created by {KILN}.TestFire in goroutine 6\n\t{ROOT}/internal/kiln/kiln_test.go:9 +0x1a\n"
    )
    found = told(f"{FELL}\n\n{stack}{END}", "go test ./...", ok=False)
    assert seen(found) == [(f"{KILN}.TestFire", FELL, [(KILN_GO, 6, "burn"), (KILN_TEST, 9, "TestFire")])]


@pytest.mark.parametrize(
    ("before", "test"),
    [
        ("=== RUN   TestA\n=== RUN   TestA/b\n", f"{KILN}.TestA/b"),
        ("=== RUN   TestA\n--- PASS: TestA (0.00s)\n", KILN),
        ("", KILN),
    ],
)
def test_a_stack_without_a_test(before: str, test: str) -> None:
    stack = f"goroutine 7 [running]:\n{KILN}.burn()\n\t{ROOT}/internal/kiln/kiln.go:6 +0x2\n"
    found = told(f"{before}{FELL}\n\n{stack}{END}", "go test -v ./...", ok=False)
    assert seen(found) == [(test, FELL, [(KILN_GO, 6, "burn")])]


def test_without_the_packages_line_the_stack_names_it() -> None:
    found = told(f"--- FAIL: TestFire (0.00s)\n{FELL}\n\n{STACK}")
    assert seen(found) == [(f"{KILN}.TestFire", FELL, FRAMES)]


def test_a_deep_stack_is_shortened_and_nothing_is_missing() -> None:
    deep = f"{KILN}.down(0x1)\n\t{ROOT}/internal/kiln/kiln.go:9 +0x2b fp=0x3a8958c78398 sp=0x3a8958c78390 pc=0x52e50b\n"
    stack = (
        "runtime: goroutine stack exceeds 1000000000-byte limit\nfatal error: stack overflow\n\nruntime stack:\n"
        f"runtime.throw({{0x58793e?, 0x1?}})\n\t{GOROOT}/runtime/panic.go:1229 +0x48\n\n"
        f"goroutine 18 gp=0x3a8938c2a1e0 m=0 mp=0x6d8120 [running]:\n{deep * 50}...11184799 frames elided...\n"
        f"{deep * 48}{KILN}.TestFire(0x1)\n\t{ROOT}/internal/kiln/kiln_test.go:10 +0x1f\n"
    )
    found = told(stack + END, "go test ./...", ok=False)
    frames = [(KILN_GO, 9, "down"), (KILN_TEST, 10, "TestFire")]
    assert seen(found) == [(f"{KILN}.TestFire", "fatal error: stack overflow", frames)]
    assert found.flaws == ()


LATE = f"""\
panic: test timed out after 1s
|running tests:
||TestHangs (1s)
||TestHangs/part (1s)

goroutine 17 [running]:
testing.(*M).startAlarm.func1()
|{GOROOT}/testing/testing.go:2802 +0x354
created by time.goFunc
|{GOROOT}/time/sleep.go:215 +0x2d

goroutine 1 [chan receive]:
testing.(*T).Run(0x25e414a46008, {{0x585b23?, 0x0?}}, 0x592e48)
|{GOROOT}/testing/testing.go:2109 +0x4e5
main.main()
|_testmain.go:48 +0x9b

goroutine 7 [chan receive]:
testing.(*T).Run(0x25e414a46488, {{0x584e64?, 0x4ea653?}}, 0x592ef0)
|{GOROOT}/testing/testing.go:2109 +0x4e5
{KILN}.TestHangs(0x25e414a46488?)
|{ROOT}/internal/kiln/kiln_test.go:11 +0x26

goroutine 8 [sleep]:
time.Sleep(0x34630b8a000)
|{GOROOT}/runtime/time.go:363 +0x165
{KILN}.wait(...)
|{ROOT}/internal/kiln/kiln.go:8
{KILN}.TestHangs.func1(0x25e414a466c8?)
|{ROOT}/internal/kiln/kiln_test.go:13 +0x1d
""".replace("|", "\t")


@pytest.mark.parametrize("before", ["", "=== RUN   TestHangs\n=== RUN   TestHangs/part\n"])
def test_a_test_that_took_too_long(before: str) -> None:
    found = told(before + LATE + END, "go test -timeout 1s ./...", ok=False)
    frames = [(KILN_GO, 8, "wait"), (KILN_TEST, 13, "TestHangs")]
    assert seen(found) == [(f"{KILN}.TestHangs/part", "panic: test timed out after 1s", frames)]


RACE = f"""\
==================
WARNING: DATA RACE
Read at 0x0000007f1468 by goroutine 9:
  {KILN}.bump()
      {ROOT}/internal/kiln/kiln.go:10 +0x74
  {KILN}.TestRace.func1()
      {ROOT}/internal/kiln/kiln_test.go:16 +0x12

Previous write at 0x0000007f1468 by goroutine 8:
  {KILN}.bump()
      {ROOT}/internal/kiln/kiln.go:11 +0x8c

Goroutine 9 (running) created at:
  {KILN}.TestRace()
      {ROOT}/internal/kiln/kiln_test.go:15 +0x56
  testing.tRunner()
      {GOROOT}/testing/testing.go:2036 +0x21c

Goroutine 8 (finished) created at:
  {KILN}.TestRace()
      {ROOT}/internal/kiln/kiln_test.go:15 +0x56
==================
"""
MET = [(KILN_GO, 10, "bump"), (KILN_TEST, 16, "TestRace"), (KILN_GO, 11, "bump"), (KILN_TEST, 15, "TestRace")]
RACED = "    testing.go:1712: race detected during execution of test\n"
LOST = "--- FAIL: TestRace (0.00s)\n"


@pytest.mark.parametrize(
    "output",
    [
        f"{RACE}{LOST}{RACED}FAIL\n{END}",
        f"=== RUN   TestRace\n{RACE}{RACED}{LOST}=== RUN   TestFine\n--- PASS: TestFine (0.00s)\nFAIL\n{END}",
        f"{RACE}{RACE}{LOST}{RACED}FAIL\n{END}",
    ],
)
def test_a_race(output: str) -> None:
    assert seen(told(output, "go test -race ./...", ok=False)) == [(f"{KILN}.TestRace", "DATA RACE", MET)]


def test_a_race_whose_test_nobody_names() -> None:
    stack = RACE.replace("TestRace", "serve")
    found = told(f"{stack}{LOST}{RACED}FAIL\n{END}", "go test -race ./...", ok=False)
    assert [(each.test, each.message, len(each.frames)) for each in found.failures] == [
        (f"{KILN}.TestRace", "DATA RACE", 4)
    ]


def test_a_race_in_a_program() -> None:
    found = told(RACE + "Found 1 data race(s)\nexit status 66\n", "go run -race ./cmd/stoke", ok=False)
    assert [(each.runner, each.test, places(each)) for each in found.failures] == [("go run", "cmd/stoke", MET)]


PROGRAM = f"""\
{FELL}

goroutine 1 [running]:
{KILN}.At(...)
|{ROOT}/internal/kiln/kiln.go:15
main.main()
|{ROOT}/cmd/stoke/main.go:13 +0x1a
exit status 2
""".replace("|", "\t")


@pytest.mark.parametrize(
    ("command", "test"),
    [
        ("go run ./cmd/stoke --hot", "cmd/stoke"),
        ("cd cmd && go run stoke/main.go", "cmd/stoke/main.go"),
        ("cd cmd/stoke && go run .", "cmd/stoke"),
        ("./stoke", ""),
        ("", ""),
    ],
)
def test_a_program(command: str, test: str) -> None:
    found = told(PROGRAM, command, ok=False)
    assert [(each.runner, each.test) for each in found.failures] == [("go run", test)]
    assert places(found.failures[0]) == [(KILN_GO, 15, "At"), ("cmd/stoke/main.go", 13, "main")]


@pytest.mark.parametrize(
    "text",
    [
        "panic: not in the streets of London\n",
        "panic: one\npanic: two\n",
        "fatal error: missing-header.h: No such file\n",
        "goroutine 1 [running]:\n",
        "WARNING: DATA RACE\n",
        "panic: x\n[... lines left out ...]\ngoroutine 1 [running]:\nmain.main()\n\t/a/b.go:3\n",
    ],
)
def test_a_word_is_no_panic(text: str) -> None:
    assert not [each for each in read(text, "make", ok=None).failures if each.frames]


@pytest.mark.parametrize(
    ("function", "package", "name"),
    [
        ("main.main", "main", "main"),
        ("example.com/pots/kiln.Fire", "example.com/pots/kiln", "Fire"),
        ("example.com/pots/kiln.(*Oven).Open", "example.com/pots/kiln", "Open"),
        ("example.com/pots/kiln.Oven.Open-fm", "example.com/pots/kiln", "Open"),
        ("example.com/pots/kiln.Fire.func1.2", "example.com/pots/kiln", "Fire"),
        ("example.com/pots/kiln.Fire.gowrap1", "example.com/pots/kiln", "Fire"),
        ("example.com/pots/kiln.Map[...]", "example.com/pots/kiln", "Map"),
        ("example.com/pots/kiln.(*Set[go.shape.int]).Add", "example.com/pots/kiln", "Add"),
        ("example.com/pots/kiln.glob..func1", "example.com/pots/kiln", ""),
        ("gopkg.in/yaml%2ev3.Load", "gopkg.in/yaml.v3", "Load"),
        ("panic", "", "panic"),
        ("", "", ""),
    ],
)
def test_names_of_functions(function: str, package: str, name: str) -> None:
    assert (parts(function)[0], short_name(function)) == (package, name)


@pytest.mark.parametrize(
    ("function", "found"),
    [
        ("a.com/b.TestX", ("a.com/b", "TestX")),
        ("a.com/b.TestX.func1", ("a.com/b", "TestX")),
        ("a.com/b_test.TestX", ("a.com/b", "TestX")),
        ("a.com/b.FuzzX.func1", ("a.com/b", "FuzzX")),
        ("a.com/b.Testing", ("", "")),
        ("a.com/b.(*S).TestX", ("", "")),
        ("testing.tRunner", ("", "")),
    ],
)
def test_tests_in_functions(function: str, found: tuple[str, str]) -> None:
    assert enclosing_test(function) == found


@pytest.mark.parametrize(
    ("function", "path", "standard"),
    [
        ("testing.tRunner", "/usr/local/go/src/testing/testing.go", True),
        ("net/http.(*conn).serve", "/opt/hostedtoolcache/go/1.22.1/x64/src/net/http/server.go", True),
        ("time.Sleep", "/x/go/src/runtime/time.go", True),
        ("net/http.(*conn).serve", "net/http/server.go", True),
        ("panic", "anywhere.go", True),
        ("main.main", "_testmain.go", True),
        ("main.main", "/go/src/app/main.go", False),
        ("log/x.F", "/home/ann/log/x.go", False),
        ("example.com/log.F", "/home/ann/src/log/x.go", False),
        ("pots/net.F", "/go/src/pots/net/x.go", False),
    ],
)
def test_what_is_gos_own(function: str, path: str, standard: bool) -> None:
    assert is_standard(function, path) == standard


@pytest.mark.parametrize(
    "path",
    [
        "/go/pkg/mod/github.com/x/y@v1.2.3/kiln.go",
        "github.com/x/y@v1.2.3/kiln.go",
        "/home/ann/pots/vendor/github.com/x/y/kiln.go",
        "vendor/golang.org/x/net/kiln.go",
        "/usr/local/go/src/net/kiln.go",
        "_testmain.go",
    ],
)
def test_modules_of_others_are_set_aside(path: str) -> None:
    assert KNOWN.find(path) is None
    assert KNOWN.find(f"{MODULE}/internal/kiln/kiln.go") == KILN_GO
