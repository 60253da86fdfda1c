"""How failures end: by the command that reported them, and by another run that covers the place."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.core.state.small import Tale, replayed

MAIN = "package main\n\nfunc main() {}\n"
GO = {
    "kiln/kiln.go": "package kiln\n\nfunc Fire() int {\n\treturn 1\n}\n",
    "main.go": "package main\n\nfunc main() {}\n",
}
TS = {"src/shop.ts": "export function price() {\n  return 1;\n}\n"}
RUST = {"src/lib.rs": "pub fn fire() -> u8 {\n    1\n}\n"}
C = {"src/a.c": "int fire(void) {\n  return 1;\n}\n"}
PY = {"x.py": "def fire():\n    return 1\n\n\nfire()\n"}
TRACE = 'Traceback (most recent call last):\n  File "x.py", line 5, in <module>\n    fire()\nKeyError: 1\n'
LINT = "kiln/kiln.go:4:2: Error return value is not checked (errcheck)\n\treturn 1\n\t^\n1 issues:\n* errcheck: 1\n"

# files, a command, what it prints when it fails, and when it passes; the runner that a person is shown
SAME = [
    (GO, "go build ./...", "# shop/kiln\nkiln/kiln.go:4:2: undefined: x\n", "", "go build"),
    (GO, "go vet ./...", "# shop/kiln\n# [shop/kiln]\nkiln/kiln.go:4:2: unreachable code\n", "", "go vet"),
    (TS, "npx tsc --noEmit", "src/shop.ts(2,3): error TS2322: no\n", "", "tsc"),
    (TS, "npm run build", "> shop@1.0.0 build\n> vite build\n\nsrc/shop.ts:2:3: ERROR: no\n", "built in 1s\n", "vite"),
    (TS, "npm run build", "src/shop.ts:2:3: ERROR: no\n", "done\n", "npm"),
    (RUST, "cargo build", "error[E0308]: mismatched types\n --> src/lib.rs:2:5\n", "    Finished `dev`\n", "rustc"),
    (GO, "mise exec -- golangci-lint run", LINT, "0 issues.\n", "golangci-lint"),
    (GO, "mise run lint", f"[lint] $ golangci-lint run ./...\n{LINT}[lint] ERROR task failed\n", "", "golangci-lint"),
    (GO, "mise run lint", "kiln/kiln.go:4:2: error: no\n", "", "mise"),
    (PY, "python x.py", TRACE, "fine\n", "python"),
    (PY, "python -c 'import x'", TRACE.replace("<module>", "fire"), "", "python"),
    (PY, "python - <<'EOF'\nimport x\nEOF", TRACE.replace("<module>", "fire"), "fine\n", "python"),
    (C, "make check", "src/a.c:2:3: error: expected ';'\nmake: *** [Makefile:3: check] Error 1\n", "ok\n", "make"),
    (C, "./gradlew check", "src/a.c:2:3: error: expected ';'\n", "BUILD SUCCESSFUL\n", "gradlew"),
    (PY, "uv run mypy .", "x.py:2: error: Incompatible types  [return-value]\n", "Success: no issues found\n", "mypy"),
]


@pytest.mark.parametrize(("files", "command", "fails", "passes", "runner"), SAME)
def test_the_same_command_that_passes_ends_what_it_reported(
    files: dict[str, str], command: str, fails: str, passes: str, runner: str
) -> None:
    tale = Tale(files).call(command, fails, ok=False)
    assert [name for name, _ in tale.failing()] == [runner]
    tale.call(command, passes, ok=None)  # nobody says how it ended
    assert "no issues" in passes or "0 issues" in passes or tale.failing()
    tale.call(command, passes)
    assert not tale.failing()
    assert not replayed(tale).failures.live


@pytest.mark.parametrize(
    ("again", "is_over"),
    [
        ("make  check", True),
        ("make check 2>&1", True),
        ("FOO=1 make check", False),
        ("env FOO=1 make check", False),
        ("export FOO=1; make check", False),
        ("FOO=1 sh -c 'make check'", False),
        ("FOO=1; make check", True),
        ("NO_COLOR=1 make check", True),
        ("FOO=1 true && make check", True),
        ("timeout 60 make check", True),
        ("time nice -n 10 make --silent check", True),
        ("make check && echo fine", True),
        ("cd . && make check", True),
        ("make fmt && make check", True),
        ("make check && make install | tail -3", True),
        ("set -e\nmake check\nmake install", True),
        ("set -o pipefail; make check | tail -3", True),
        ("set -eo pipefail; make check | tail -3; true", True),
        ("set -e; make check; set +e; true", True),
        ("set -e; echo hi; set +e; make check; echo done", False),
        ("set -o errexit; set +o errexit; make check; echo done", False),
        ("set -o pipefail; set +o pipefail; make check | tail -3", False),
        ("(set -e; true); make check; echo done", False),
        ("set -e | true; make check; echo done", False),
        ("if [ -f x ]; then set -e; fi; make check; echo done", False),
        ("false && set -e; make check; echo done", False),
        ("bash -lc 'make check'", True),
        ("make check; true", False),
        ("make check || true", False),
        ("(make check; true) || echo bad", False),
        ("make check | tail -3", False),
        ("make check &", False),
        ("if true; then make check; fi", False),
        ("! make check", False),
        ("cd sub && make check", False),
        ("make checks", False),
        ("make", False),
        ("echo make check", False),
    ],
)
def test_which_command_is_the_same_and_certainly_passed(again: str, is_over: bool) -> None:
    tale = Tale(C).call("make check", "src/a.c:2:3: error: expected ';'\n", ok=False)
    assert bool(tale.failing())
    assert bool(tale.call(again, "something\n").failing()) is not is_over


def test_of_a_compound_command_each_part_that_may_have_reported_it_has_to_pass() -> None:
    report = "kiln/kiln.go:4:2: error: no\n"
    tale = Tale(GO).call("make fmt && make lint", report, ok=False)
    assert tale.call("make lint").failing()
    assert not tale.call("make fmt").failing()
    tale = Tale(GO).call("make fmt && make lint", report + "make: *** [Makefile:3: lint] Error 1\n", ok=False)
    assert tale.call("make fmt").failing()
    assert not tale.call("make lint").failing()


def test_a_run_in_another_folder_is_another() -> None:
    tale = Tale(C).call("make check", "src/a.c:2:3: error: no\n", ok=False)
    assert tale.call("make check", cwd="sub").failing()
    assert tale.call("cd /somewhere/else && make check").failing()
    assert not tale.call("cd /somewhere && make check", cwd="/somewhere").call("make check").failing()


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("GOOS=windows make check", "GOOS=linux make check"),
        ("env GOOS=windows make check", "env GOOS=linux make check"),
        ("timeout 9 env GOOS=windows make check", "env GOOS=linux make check"),
        ("export GOOS=windows; make check", "export GOOS=linux; make check"),
        ("GOOS=windows; export GOOS; make check", "GOOS=linux; export GOOS; make check"),
        ("env GOOS=windows bash -c 'make check'", "env GOOS=linux bash -c 'make check'"),
        ("A='1 B=2' make check", "A=1 B=2 make check"),
        ("cd a && cd src && make check", "cd b && cd src && make check"),
        ("cd a && bash -c 'cd src && make check'", "cd b && bash -c 'cd src && make check'"),
        ("pushd a && make check", "pushd b && make check"),
    ],
)
def test_another_environment_or_folder_is_another_run(one: str, other: str) -> None:
    tale = Tale(C).call(one, "src/a.c:2:3: error: no\n", ok=False)
    assert tale.call(other).failing()
    assert not tale.call(one).failing()


@pytest.mark.parametrize(
    "command",
    [
        "d=a; cd $d && make check",
        "d=a; cd $d && cd src && make check",
        "d=a; make $d",
        "d=a; make check && make $d",
        "cd - && make check",
        "X=$(date) make check",
        "for d in a b; do (cd $d && make check); done",
        "python - <<EOF\nopen('$d')\nEOF",
    ],
)
def test_what_the_shell_works_out_is_the_same_as_nothing(command: str) -> None:
    tale = Tale(C).call(command, "src/a.c:2:3: error: no\n", ok=False)
    assert tale.call(command.replace("d=a", "d=b")).call("make check").failing()


def test_a_run_that_goes_on_in_the_background_has_not_passed() -> None:
    tale = Tale(C).call("make check", "src/a.c:2:3: error: no\n", ok=False)
    assert tale.call("make check", "Command running in background with ID: b1\n").failing()


LINTED = "[lint] $ golangci-lint run ./...\n0 issues.\n"


@pytest.mark.parametrize(
    ("command", "output", "is_over"),
    [
        ("golangci-lint run ./...", "0 issues.\n", True),
        ("golangci-lint run", "", True),
        ("golangci-lint run ./kiln/...", "", True),
        ("golangci-lint run ./glaze/...", "", False),
        ("golangci-lint run --new-from-rev main", "", False),
        ("mise run lint 2>&1 | tail -3", LINTED, True),
        ("golangci-lint run | head -20", "0 issues.\n", True),
        ("golangci-lint run | head -20", "", False),
    ],
)
def test_a_checker_that_covers_the_place_and_passes_ends_it(command: str, output: str, is_over: bool) -> None:
    tale = Tale(GO).call("mise exec -- golangci-lint run -v", LINT, ok=False)
    assert bool(tale.call(command, output).failing()) is not is_over


def test_a_run_that_reports_other_things_ends_what_it_does_not_report_any_more() -> None:
    other = LINT.replace("kiln/kiln.go:4:2: Error return value is not checked", "main.go:3:1: unused parameter")
    tale = Tale(GO).call("golangci-lint run", LINT, ok=False).call("golangci-lint run ./...", other, ok=False)
    assert [said.partition(":")[0] for _, said in tale.failing()] == ["main.go"]
    (live,) = tale.world.failures.live.values()
    assert live.since == len(tale.ops)
    tale.call("golangci-lint run ./...", other, ok=False)
    (live,) = tale.world.failures.live.values()
    assert live.since == len(tale.ops) - 1  # it was renewed, and neither ended nor began


@pytest.mark.parametrize("why", ["| head -2", "stopped"])
def test_what_may_be_missing_in_the_output_is_not_over(why: str) -> None:
    other = LINT.replace("kiln/kiln.go:4:2: Error return value is not checked", "main.go:3:1: unused parameter")
    command = "golangci-lint run" + (f" {why}" if why != "stopped" else "")
    said = other if why != "stopped" else other.replace("(errcheck)", "(typecheck)")
    tale = Tale(GO).call("golangci-lint run", LINT, ok=False).call(command, said, ok=False)
    assert len(tale.failing()) == 2


def test_a_package_that_is_compiled_again_tells_all_that_is_wrong_with_it() -> None:
    one, two = "kiln/kiln.go:4:2: undefined: x\n", "kiln/kiln.go:5:2: undefined: y\n"
    tale = Tale(GO).call("go build ./...", f"# shop/kiln\n{one}{two}", ok=False)
    assert len(tale.failing()) == 2
    tale.call("go test ./...", f"# shop/kiln\n{two}FAIL\tshop/kiln [build failed]\nFAIL\n", ok=False)
    assert len(tale.failing()) == 1
    many = f"# shop/kiln\n{one}kiln/kiln.go:5:2: too many errors\n"
    assert len(tale.call("go build ./...", many, ok=False).failing()) == 2


CUT_TEST = "--- FAIL: TestFire (0.00s)\n    kiln_test.go:5: no fire\n"
TESTED = {**GO, "kiln/kiln_test.go": "package kiln\n\nfunc TestFire(t *testing.T) {\n\tFire()\n\tt.Error(1)\n}\n"}


@pytest.mark.parametrize(
    ("command", "output", "is_over"),
    [
        ("make test 2>&1 | tail -3", "ok  \tshop/glaze\t0.1s\nok  \tshop/kiln\t0.2s\n", True),
        ("go test ./kiln", "ok  \tshop/kiln\t0.2s\n", True),
        ("go test ./glaze", "ok  \tshop/glaze\t0.2s\n", False),
        ("go test -run TestMix ./kiln", "ok  \tshop/kiln\t0.2s\n", False),
        ("go test -run TestFire ./kiln", "ok  \tshop/kiln\t0.2s\n", True),
        ("make test 2>&1 | grep ok", "ok  \tshop/glaze\t0.1s\n", False),
        ("make test", "", True),
    ],
)
def test_a_test_first_seen_without_its_package_ends_with_its_package(command: str, output: str, is_over: bool) -> None:
    tale = Tale(TESTED).call("make test 2>&1 | head -2", CUT_TEST)
    assert tale.failing() == [("go", "TestFire")]
    assert bool(tale.call(command, output).failing()) is not is_over


def test_a_test_without_its_package_is_the_one_that_fails_with_it() -> None:
    whole = f"{CUT_TEST}FAIL\nFAIL\tshop/kiln\t0.1s\nFAIL\n"
    tale = Tale(TESTED).call("make test | head -2", CUT_TEST).call("make test", whole, ok=False)
    assert tale.failing() == [("go", "shop/kiln.TestFire")]
    assert tale.call("make test | head -2", CUT_TEST).failing() == [("go", "shop/kiln.TestFire")]


names = st.sampled_from(["make a", "make b", "cargo build", "python x.py", "npm run build"])
lines = st.lists(st.tuples(names, st.sampled_from(["fail", "pass", "hidden"])), max_size=8)


@settings(max_examples=60)
@given(lines)
def test_of_any_commands_those_fail_whose_last_known_end_was_a_failure(runs: list[tuple[str, str]]) -> None:
    tale = Tale({**C, **PY})
    failing: set[str] = set()
    for command, how in runs:
        where = f"src/a.c:2:3: error: {command} is bad\n"
        tale.call(command + (" || true" if how == "hidden" else ""), where if how == "fail" else "", ok=how != "fail")
        (failing.add if how == "fail" else failing.discard if how == "pass" else bool)(command)
    assert {said.partition("error: ")[2].removesuffix(" is bad") for _, said in tale.failing()} == failing
    assert replayed(tale).failures.live == tale.world.failures.live


@pytest.mark.parametrize(
    ("command", "output", "ok"),
    [
        ("make lint 2>&1 | grep -E 'issues'", "6 issues:", True),
        ("make lint | tail -1", "Found 3 errors in 2 files", None),
        ("make lint", "make: *** [Makefile:3: lint] Error 1", False),
        ("make lint > /dev/null", "", False),
    ],
)
def test_the_same_command_that_fails_again_and_names_nothing_renews_what_it_reported(
    command: str, output: str, ok: bool | None
) -> None:
    tale = Tale(GO).call("make lint", "kiln/kiln.go:4:2: error: no\n", ok=False).edit("main.go", MAIN + "// 1\n")
    tale.call(command, output, ok=ok)
    assert [live.step for live in tale.world.failures.live.values()] == [len(tale.ops)]
    assert [live.step for live in replayed(tale).failures.live.values()] == [len(tale.ops)]


@pytest.mark.parametrize(
    ("command", "output", "ok"),
    [
        ("make test", "make: *** [Makefile:3: test] Error 1", False),
        ("make lint | tail -1", "0 issues.", True),
        ("make lint", "Command timed out after 2m", False),
        ("cd kiln && make lint", "6 issues:", False),
    ],
)
def test_another_run_or_one_that_says_nothing_renews_nothing(command: str, output: str, ok: bool | None) -> None:
    tale = Tale(GO).call("make lint", "kiln/kiln.go:4:2: error: no\n", ok=False)
    failed = len(tale.ops)
    tale.call(command, output, ok=ok)
    assert [live.step for live in tale.world.failures.live.values()] in ([], [failed])
