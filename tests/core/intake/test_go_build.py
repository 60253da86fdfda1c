"""What Go's compiler and vet refuse, and what a command that says nothing proves to be well again."""

import json

import pytest

from ccos_core.intake.failures import read
from ccos_core.intake.failures.paths import Known, placed
from ccos_core.values.outcome import Failure, Frame, Pass, ends
from tests.core.intake.go_outputs import GLAZE, KILN, KILN_GO, KILN_TEST, MODULE, PATHS, told

REFUSED = f"""\
# {KILN}
internal/kiln/kiln.go:6:6: declared and not used: x
internal/kiln/kiln.go:9:7: not enough arguments in call to f
	have (string)
	want (string, int)
internal/kiln/kiln.go:12:9: too many errors
"""
UNDEFINED = f"""\
# {KILN} [{KILN}.test]
internal/kiln/kiln_test.go:5:33: undefined: fire
"""
VETTED = f"""\
# {GLAZE}
# [{GLAZE}]
glaze/glaze.go:5:24: fmt.Printf format %d has arg "x" of wrong type string
"""


def units(output: str, command: str = "go test ./...") -> list[tuple[str, str, tuple[Frame, ...]]]:
    return [(each.runner, each.test, each.frames) for each in told(output, command, ok=False).failures]


def test_errors() -> None:
    found = told(REFUSED, "go build ./...", ok=False)
    assert [(each.runner, each.test, each.message, each.frames) for each in found.failures] == [
        ("go build", KILN, "declared and not used: x", (Frame(KILN_GO, 6),)),
        ("go build", KILN, "not enough arguments in call to f", (Frame(KILN_GO, 9),)),
    ]
    assert found.passes == ()


@pytest.mark.parametrize("failed", ["", f"FAIL\t{KILN} [build failed]\nFAIL\n"])
def test_a_test_that_does_not_compile_is_another_package(failed: str) -> None:
    assert units(UNDEFINED + failed) == [("go build", f"{KILN} [test]", (Frame(KILN_TEST, 5),))]
    assert [each[:2] for each in units(REFUSED + failed)] == [("go build", KILN)] * 2
    outside = UNDEFINED.replace(f"# {KILN} [", f"# {KILN}_test [")
    assert units(outside + failed) == units(UNDEFINED + failed)


@pytest.mark.parametrize(
    ("output", "command", "runner"),
    [
        (VETTED, "go vet ./...", "go vet"),
        (VETTED.replace(f"# [{GLAZE}]\n", ""), "go vet ./...", "go vet"),
        (VETTED.replace(f"# [{GLAZE}]\n", ""), "go build ./...", "go build"),
        (VETTED.replace("glaze/glaze.go", "vet: glaze/glaze.go").replace(f"# [{GLAZE}]\n", ""), "make", "go vet"),
        (VETTED, "make lint", "go vet"),
        (VETTED + f"FAIL\t{GLAZE} [build failed]\n", "go test ./...", "go build"),
    ],
)
def test_vet_is_another_but_where_it_is_part_of_a_test(output: str, command: str, runner: str) -> None:
    assert units(output, command) == [(runner, GLAZE, (Frame("glaze/glaze.go", 5),))]


def test_vet_of_a_test_is_vets() -> None:
    output = VETTED.replace("glaze.go", "glaze_test.go")
    assert units(output, "go vet ./...") == [("go vet", GLAZE, (Frame("glaze/glaze_test.go", 5),))]


def test_vet_says_too_what_does_not_compile() -> None:
    assert [each[0] for each in units(REFUSED + VETTED, "go vet ./...")] == ["go build"] * 2 + ["go vet"]


def test_files_of_another_folder_are_another_package() -> None:
    found = units(REFUSED + "glaze/glaze.go:3:1: no\n", "go build ./...")
    assert found[-1] == ("go build", "", (Frame("glaze/glaze.go", 3),))


def test_a_package_that_could_not_be_built_says_nothing_of_its_own() -> None:
    output = f"{REFUSED}FAIL\t{KILN} [build failed]\nFAIL\t{GLAZE} [build failed]\nFAIL\n"
    assert [each[1] for each in units(output)] == [KILN] * 2
    assert units(f"FAIL\t{GLAZE} [build failed]\nFAIL\n") == [("go build", f"{GLAZE} [test]", ())]


@pytest.mark.parametrize(
    ("output", "command", "test"),
    [
        ("# command-line-arguments\n./main.go:3:1: no\n", "go run main.go", ""),
        ("main.go:5:2: package foo/bar is not in std\n", "go build ./...", ""),
        ("main.go:5:2: package foo/bar is not in std\n", "make", None),
        (f"# {KILN}\n.\\kiln.go:3:1: no\n", "go build", KILN),
        (f"# {KILN}\nC:\\ann\\pots\\internal\\kiln\\kiln.go:3:1: no\n", "go build", KILN),
        ("# a heading\nmain.go:3:1: no\n", "make", None),
        ("# heading\n\nmain.go:3:1: no\n", "make", None),
    ],
)
def test_heads(output: str, command: str, test: str | None) -> None:
    failures = [each for each in read(output, command, ok=False).failures if each.runner == "go build"]
    assert [each.test for each in failures] == ([] if test is None else [test])


def test_objects() -> None:
    events = [
        {"ImportPath": f"{KILN} [{KILN}.test]", "Action": "build-output", "Output": line + "\n"}
        for line in UNDEFINED.rstrip().split("\n")
    ]
    events += [
        {"ImportPath": f"{KILN} [{KILN}.test]", "Action": "build-fail"},
        {"Action": "output", "Package": KILN, "Output": f"FAIL\t{KILN} [build failed]\n"},
        {"Action": "fail", "Package": KILN, "FailedBuild": f"{KILN} [{KILN}.test]"},
    ]
    output = "\n".join(json.dumps(each, separators=(",", ":")) for each in events)
    assert units(output, "go test -json ./...") == units(UNDEFINED)


# ---- what is well again ----

ALL = {
    "kiln": Failure("go build", KILN, (Frame("internal/kiln/kiln.go", 3),)),
    "kiln test": Failure("go build", f"{KILN} [test]", (Frame("internal/kiln/kiln_test.go", 3),)),
    "glaze": Failure("go build", GLAZE, (Frame("glaze/glaze.go", 3),)),
    "root": Failure("go build", MODULE, (Frame("pots.go", 3),)),
    "vet": Failure("go vet", GLAZE, (Frame("glaze/glaze.go", 3),)),
    "stoke": Failure("go build", "", (Frame("cmd/stoke/main.go", 3),)),
    "ran": Failure("go run", "cmd/stoke", (Frame("glaze/glaze.go", 3),)),
}
BUILT = ["kiln", "glaze", "root", "stoke"]

# the command, where it ran, what of ALL that ends
PROVEN = [
    ("go build ./...", ".", BUILT),
    ("go build -v -o bin/x ./...", ".", BUILT),
    ("go install ./...", ".", BUILT),
    ("go build", ".", ["root"]),
    ("go build .", ".", ["root"]),
    ("go build ./glaze", ".", ["glaze"]),
    ("go build ./glaze/", ".", ["glaze"]),
    ("go build ./internal", ".", []),
    ("go build ./internal/...", ".", ["kiln"]),
    ("go build", "glaze", ["glaze"]),
    ("cd glaze && go build", ".", ["glaze"]),
    ("cd /home/ann/pots/glaze && go build ./...", ".", ["glaze"]),
    ("go build -ldflags '-s -w' ./glaze", ".", ["glaze"]),
    (f"go build {GLAZE}", ".", []),
    ("go vet ./...", ".", [*BUILT, "vet"]),
    ("go vet ./glaze", ".", ["glaze", "vet"]),
    ("go run ./cmd/stoke --hot ./...", ".", ["stoke", "ran"]),
    ("go run cmd/stoke/main.go", ".", ["stoke"]),
    ("go build ./... && go vet ./glaze", ".", [*BUILT, "vet"]),
    ("go build ./... | tail", ".", BUILT),
    ("go build ./... | grep -v x", ".", []),
    ("go build ./... 2>/dev/null | tail", ".", []),
    ("go build ./... || true", ".", []),
    ("go build ./...; true", ".", []),
    ("go build -n ./...", ".", []),
    ("go build $X", ".", []),
    ("go list ./...", ".", []),
    ("go", ".", []),
]


def over(output: str, command: str, ok: bool | None, cwd: str = ".") -> list[str]:
    passes = placed(read(output, command, ok), Known(PATHS, cwd)).passes
    return [name for name, failure in ALL.items() if any(ends(each, failure) for each in passes)]


@pytest.mark.parametrize(("command", "cwd", "ended"), PROVEN)
def test_silence_is_well(command: str, cwd: str, ended: list[str]) -> None:
    assert sorted(over("", command, True, cwd)) == sorted(ended)
    assert over("", command, None, cwd) == over("", command, False, cwd) == []


def test_not_where_something_failed() -> None:
    assert over(REFUSED, "go build ./...", True) == []


@pytest.mark.parametrize(
    ("line", "ended"),
    [
        (f"ok  \t{KILN}\t0.003s", ["kiln", "kiln test"]),
        (f"ok  \t{KILN}\t(cached) [no tests to run]", ["kiln", "kiln test"]),
        (f"FAIL\t{KILN}\t0.003s", ["kiln", "kiln test"]),
        (f"?   \t{KILN}\t[no test files]", ["kiln"]),
        (f"FAIL\t{KILN} [build failed]", []),
    ],
)
def test_what_was_tested_was_built(line: str, ended: list[str]) -> None:
    assert over(line + "\n", "go test ./...", None) == ended


def test_folders_own_files() -> None:
    glaze = Pass("go build", "files", (), ("glaze/*",))
    assert ends(glaze, ALL["glaze"])
    assert not ends(glaze, Failure("go build", "x", (Frame("glaze/deep/x.go", 1),)))
    assert not ends(glaze, ALL["root"])
    assert ends(Pass("go build", "files", (), ("./*",)), ALL["root"])
