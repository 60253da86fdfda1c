"""The TypeScript compiler: places in both of its styles, and a project that compiles."""

import pytest

from ccos_core.intake.failures import read
from ccos_core.intake.failures.paths import Known, placed
from ccos_core.values.outcome import Failure, Frame, Pass, ends

PLAIN = """\
src/shop.ts(4,14): error TS2322: Type 'number' is not assignable to type 'string'.
src/shop.ts(5,10): error TS2345: Argument is wrong.
  Property 'amount' is missing.
src/price.ts(2,3): error TS2322: Type 'x' is wrong.
"""
PRETTY = """\
src/shop.ts:4:14 - error TS2322: Type 'number' is not assignable to type 'string'.

4 export const total: string = double({ amount: 1 });
               ~~~~~

  src/price.ts:2:3
    2   amount: number;
        ~~~~~~
    The expected type comes from here

src/shop.ts:5:10 - error TS2345: Argument is wrong.
  Property 'amount' is missing.

5 double({ sum: 1 });
           ~~~

src/price.ts:2:3 - error TS2322: Type 'x' is wrong.

2   amount: x;
    ~~~~~~

Found 3 errors in 2 files.

Errors  Files
     2  src/shop.ts:4
     1  src/price.ts:2
"""
EXPECTED = [
    ("TS2322: Type 'number' is not assignable to type 'string'.", Frame("src/shop.ts", 4)),
    ("TS2345: Argument is wrong.", Frame("src/shop.ts", 5)),
    ("TS2322: Type 'x' is wrong.", Frame("src/price.ts", 2)),
]


@pytest.mark.parametrize("text", [PLAIN, PRETTY, PLAIN.replace("\n", "\r\n"), "> shop@1.0.0 check\n> tsc\n\n" + PLAIN])
@pytest.mark.parametrize("command", ["npx tsc --noEmit", "npm run check", ""])
def test_errors_in_both_styles(text: str, command: str) -> None:
    found = read(text, command, ok=False).failures
    assert [(each.message, each.frames[0]) for each in found] == EXPECTED
    assert {each.runner for each in found} == {"tsc"}


def test_an_error_without_a_place() -> None:
    (failure,) = read("error TS18003: No inputs were found.\n", "tsc -p web", ok=False).failures
    assert (failure.test, failure.frames, failure.message) == (
        "web/tsconfig.json",
        (),
        "TS18003: No inputs were found.",
    )


# the command; the runner and the project
PROJECTS = [
    ("tsc", "tsc", "tsconfig.json"),
    ("npx tsc --noEmit", "tsc", "tsconfig.json"),
    ("npx -p typescript tsc --noEmit -p .", "tsc", "tsconfig.json"),
    ("yarn tsc -p web", "tsc", "web/tsconfig.json"),
    ("pnpm exec tsc --project ./web/tsconfig.test.json", "tsc", "web/tsconfig.test.json"),
    ("./node_modules/.bin/tsc --project=web", "tsc", "web/tsconfig.json"),
    ("node node_modules/typescript/bin/tsc -p web", "tsc", "web/tsconfig.json"),
    ("cd web && npx tsc", "tsc", "web/tsconfig.json"),
    ("npx vue-tsc --noEmit", "vue-tsc", "tsconfig.json"),
    ("npx tsc -b", "tsc-build", "tsconfig.json"),
    ("npx tsc --build web", "tsc-build", "web/tsconfig.json"),
    ("npx tsc --noEmit && npx eslint .", "tsc", "tsconfig.json"),
]


@pytest.mark.parametrize(("command", "runner", "project"), PROJECTS)
def test_a_project_that_compiles_ends_its_own_errors(command: str, runner: str, project: str) -> None:
    known = Known(["tsconfig.json", "web/tsconfig.json", "web/tsconfig.test.json", "src/shop.ts", "src/price.ts"])
    passes = tuple(each for each in placed(read("", command, ok=True), known).passes if each.runner != "eslint")
    assert passes == (Pass(runner, "tests", (project,)),)
    failed = placed(read(PLAIN, command, ok=False), known).failures
    assert all(ends(passes[0], failure) for failure in failed)
    assert not ends(Pass(runner, "tests", ("other/tsconfig.json",)), failed[0])


NO_PASSES = [
    ("npx tsc --noEmit", None),
    ("npx tsc --noEmit", False),
    ("npx tsc --noEmit || true", True),
    ("npx tsc --noEmit | tail", True),
    ("npx tsc --noEmit; ls", True),
    ("npx tsc src/a.ts", True),
    ("npx tsc --version", True),
    ("npx tsc --init", True),
    ("npx tsc -b web api", True),
    ("npx tsc -p $PROJECT", True),
    ("cd $(pwd) && npx tsc", True),
    ("npm install tsc", True),
    ("npm run check", True),
    ("echo tsc", True),
]


@pytest.mark.parametrize(("command", "ok"), NO_PASSES)
def test_no_passes(command: str, ok: bool | None) -> None:
    assert read("", command, ok).passes == ()


def test_a_script_of_the_package_is_read_off_the_output() -> None:
    shown = "\n> shop@1.0.0 check\n> tsc --noEmit -p web\n\n"
    assert read(shown, "npm run check", ok=True).passes == (Pass("tsc", "tests", ("web/tsconfig.json",)),)
    assert read(shown, "npm run check; ls", ok=True).passes == ()
    assert read("yarn run v1.22.19\n$ tsc\nDone in 1.2s.\n", "yarn check", ok=True).passes == (
        Pass("tsc", "tests", ("tsconfig.json",)),
    )


def test_what_is_left_keeps_its_errors_and_the_rest_is_sound() -> None:
    before = read(PLAIN, "npx tsc", ok=False)
    after = read(PLAIN.partition("src/price")[0], "npx tsc", ok=False)
    (passing,) = after.passes
    assert [ends(passing, failure) for failure in before.failures] == [False, False, True]


@pytest.mark.parametrize(
    "text",
    [
        PLAIN.replace("TS2345", "TS1134"),
        PLAIN.replace("src/price.ts(2,3): ", ""),
        PLAIN + "[... 20 lines truncated ...]\n",
    ],
)
def test_where_more_may_be_wrong_nothing_is_sound(text: str) -> None:
    assert read(text, "npx tsc", ok=False).passes == ()
    assert read(PLAIN, "npx tsc | head -3", ok=True).passes == ()


def test_an_error_that_moves_in_its_file_is_the_same() -> None:
    known = Known(["src/shop.ts", "src/price.ts"])
    moved = PLAIN.replace("(4,14)", "(9,14)").replace("src/", "/app/src/")
    keys = [
        [(each.runner, each.test, each.part) for each in placed(read(text, "npx tsc"), known).failures]
        for text in (PLAIN, moved)
    ]
    assert keys[0] == keys[1]
    assert len(set(keys[0])) == 3


def test_without_a_project_an_error_is_known_by_its_place() -> None:
    (failure, *_) = read(PLAIN, "make").failures
    assert (failure.test, failure.part) == ("", "")
    assert not ends(Pass("tsc", "tests", ("tsconfig.json",)), failure)


def test_a_compiler_of_something_else() -> None:
    text = "src/a.as(10,5): error 2322: wrong\n"
    assert [each.runner for each in read(text, "make", ok=False).failures] == ["make"]
    assert Failure("tsc").frames == ()
