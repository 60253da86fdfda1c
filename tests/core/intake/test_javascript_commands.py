"""Which of JavaScript's tools a command line runs, how much they take in, and from where."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ccos_core.intake.failures import read
from ccos_core.intake.failures.arguments import Scope
from ccos_core.intake.failures.javascript_commands import programs, scope_of
from ccos_core.intake.failures.page import page_of
from ccos_core.intake.failures.paths import Known, placed
from ccos_core.values.outcome import Pass, ends

# a command line; (tool, arguments) of each program of ours
PROGRAMS = [
    ("jest", [("jest", ())]),
    ("npx jest a", [("jest", ("a",))]),
    ("npx --no-install jest@29 a", [("jest", ("a",))]),
    ("npx -p typescript@5 tsc", [("tsc", ())]),
    ("npm exec -- vitest run", [("vitest", ("run",))]),
    ("npm install --save-dev jest", []),
    ("npm run jest", []),
    ("yarn jest a", [("jest", ("a",))]),
    ("yarn run vitest", [("vitest", ())]),
    ("pnpm exec mocha", [("mocha", ())]),
    ("pnpm --filter web exec vitest run", [("vitest", ("run",))]),
    ("bunx vitest", [("vitest", ())]),
    ("./node_modules/.bin/jest a", [("jest", ("a",))]),
    ("node node_modules/.bin/jest a", [("jest", ("a",))]),
    ("node --experimental-vm-modules node_modules/jest/bin/jest.js a", [("jest", ("a",))]),
    ("node_modules\\.bin\\jest.cmd a", [("node_modules.binjest.cmd", ("a",))][:0]),
    ("NODE_ENV=test timeout 60 npx jest a", [("jest", ("a",))]),
    ("cross-env CI=1 jest a", [("jest", ("a",))]),
    ("npx c8 mocha a", [("mocha", ("a",))]),
    ("bash -lc 'cd web && npx jest a'", [("jest", ("a",))]),
    ("node --test --test-reporter spec a.js", [("node-test", ("--test-reporter", "spec", "a.js"))]),
    ("node --max-old-space-size=4096 a.js b", [("node", ("a.js", "b"))]),
    ("node -r dotenv/config a.js", [("node", ("a.js",))]),
    ("npx tsx a.ts", [("node", ("a.ts",))]),
    ("node -e 'x'", []),
    ("grep jest package.json", []),
    ("npx jest; npx tsc", [("jest", ()), ("tsc", ())]),
    ("", []),
]


@pytest.mark.parametrize(("command", "expected"), PROGRAMS)
def test_programs(command: str, expected: list[tuple[str, tuple[str, ...]]]) -> None:
    assert [(run.tool, run.words) for run in programs(page_of("", command))] == expected


# what the output shows, the command; (tool, arguments, whether it decides, where)
SHOWN = [
    ("> shop@1.0.0 test\n> jest --ci a\n", "npm test -- a", ("jest", ("--ci", "a"), True, "")),
    ("> test\n> jest\n", "npm t", ("jest", (), True, "")),
    ("> shop@1.0.0 test\n> jest\n", "npm test | tail", ("jest", (), False, "")),
    ("> shop@1.0.0 test\n> jest || true\n", "npm test", ("jest", (), False, "")),
    ("> shop@1.0.0 test\n> jest\n", "cd web && npm test", ("jest", (), True, "web")),
    ("> @shop/web@1.0.0 test\n> jest\n", "npm test -w @shop/web", ("jest", (), True, "?")),
    ("> @shop/web@1.0.0 test\n> jest\n", "npm --prefix ./packages/web test", ("jest", (), True, "packages/web")),
    ("> web@1.0.0 test /home/ann/shop/web\n> jest\n", "pnpm -r test", ("jest", (), True, "/home/ann/shop/web")),
    ("yarn run v1.22.19\n$ jest a\n", "yarn test a", ("jest", ("a",), True, "")),
    ("$ jest\n", "bun run test", ("jest", (), True, "")),
    ("> shop@1.0.0 test\n> jest\n", "", ("jest", (), False, "")),
]


@pytest.mark.parametrize(("output", "command", "expected"), SHOWN)
def test_scripts_that_are_shown(output: str, command: str, expected: tuple[object, ...]) -> None:
    (run,) = programs(page_of(output, command))
    assert (run.tool, run.words, run.decides, run.folder) == expected


NARROWED = Scope(narrowed=True)
# the command, the tool; what it takes in
SCOPES = [
    ("npx jest", "jest", Scope()),
    ("npx jest .", "jest", Scope()),
    ("npx jest ./src/a.test.js test/", "jest", Scope(paths=("src/a.test.js", "test"))),
    ("npx jest --coverage --verbose src", "jest", Scope(paths=("src",))),
    ("npx jest --no-cache src", "jest", Scope(paths=("src",))),
    ("npx jest --reporters default other -- src", "jest", Scope(paths=("src",))),
    ("npx jest --bail src/a.test.js", "jest", Scope(paths=("src/a.test.js",))),
    ("npx jest --maxWorkers 2", "jest", Scope()),
    ("npx jest --whatever word", "jest", Scope(paths=("word",), narrowed=True)),
    ("npx jest -t one", "jest", NARROWED),
    ("npx jest --testNamePattern=one", "jest", NARROWED),
    ("npx jest -it one", "jest", Scope(paths=("one",), narrowed=True)),
    ("npx jest -o", "jest", NARROWED),
    ("npx jest --shard=1/2", "jest", NARROWED),
    ("npx jest src/*.js", "jest", Scope(paths=("src/*.js",), narrowed=True)),
    ("cd web && npx jest", "jest", Scope(folder="web")),
    ("npx vitest run src", "vitest", Scope(paths=("src",))),
    ("npx vitest --run", "vitest", Scope()),
    ("npx vitest list", "vitest", NARROWED),
    ("npx vitest run --project web", "vitest", NARROWED),
    ("npx mocha -r ts-node/register --timeout 5000 test", "mocha", Scope(paths=("test",))),
    ("npx mocha --grep one", "mocha", NARROWED),
    ("node --test", "node-test", Scope()),
    ("node --test --test-only", "node-test", NARROWED),
]


@pytest.mark.parametrize(("command", "tool", "expected"), SCOPES)
def test_scopes(command: str, tool: str, expected: Scope) -> None:
    assert scope_of(page_of("", command), tool) == expected


@pytest.mark.parametrize("command", ["npx jest; npx jest src", "npx vitest", "npm test", ""])
def test_no_scope(command: str) -> None:
    assert scope_of(page_of("", command), "jest") is None


FAILED = "FAIL src/a.test.js\n  ● one\n\n    Error: no\n\n      at f (src/a.js:3:1)\n\nTests:       1 failed, 1 total\n"
PASSED = "PASS src/a.test.js\n\nTests:       1 passed, 1 total\nRan all test suites.\n"
KNOWN = Known(["web/src/a.test.js", "web/src/a.js", "api/src/a.test.js", "api/src/a.js"])

# where it passes; whether that ends what failed in `web`
PLACES = [
    ("cd web && npx jest", True),
    ("cd /home/ann/shop/web && npx jest", True),
    ("npx --prefix web jest", False),
    ("npm --prefix ./web/ test", True),
    ("cd api && npx jest", False),
    ("npm test -w web", False),
    ("yarn workspace web test", False),
    ("cd $WEB && npx jest", False),
    ("npx jest", False),
]


@pytest.mark.parametrize(("command", "expected"), PLACES)
def test_the_same_name_in_another_package_is_another_test(command: str, expected: bool) -> None:
    failed = placed(read(FAILED, "cd web && npx jest"), KNOWN).failures[0]
    assert (failed.test, failed.frames[0].path) == ("web/src/a.test.js > one", "web/src/a.js")
    assert any(ends(passing, failed) for passing in placed(read(PASSED, command), KNOWN).passes) == expected


def test_what_passes_in_a_folder_passes_there_alone() -> None:
    summed = "Tests:       1 passed, 1 total\nRan all test suites.\n"
    here = Known(KNOWN.paths, cwd="web")
    (passing,) = placed(read(summed, "npx jest"), here).passes
    assert passing == Pass("jest", "all", (), ("web",))
    failed = placed(read(FAILED, "npx jest"), here).failures[0]
    other = placed(read(FAILED, "npx jest"), Known(KNOWN.paths, cwd="api")).failures[0]
    assert ends(passing, failed)
    assert not ends(passing, other)


@given(st.text("npxjestvi mocha-=/.'\"$&|;<>(){}\n", max_size=100), st.sampled_from(["jest", "vitest", "mocha"]))
def test_any_text_is_a_command(command: str, tool: str) -> None:
    page = page_of("> a@1 test\n> " + command, command)
    for run in programs(page):
        assert run.tool
    scope_of(page, tool)
