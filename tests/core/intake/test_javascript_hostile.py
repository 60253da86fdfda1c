"""Whatever looks like a run of JavaScript's tools: never an exception, never a flood that runs away, whole facts."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ccos_core.intake.failures import MOST_FAILURES, read
from ccos_core.intake.failures.javascript_commands import programs, scope_of
from ccos_core.intake.failures.page import MOST_FRAMES, page_of
from ccos_core.intake.failures.paths import Known, anchor, placed
from ccos_core.values.outcome import Report, report_from

KNOWN = Known(["src/a.ts", "test/a.test.js", "main.js", "tsconfig.json"])
COMMANDS = [
    "",
    "npx jest",
    "vitest run a.test.js",
    "node --test a.js",
    "npx mocha",
    "tsc -p .",
    "node main.js",
    "npm t",
]

PIECES = [
    "PASS test/a.test.js",
    "FAIL web test/a.test.js (5.2 s)",
    "  ● a › b › c",
    "  ● Test suite failed to run",
    "  ● Console",
    "  ✓ one (5 ms)",
    "    ✕ two",
    "  ○ skipped three",
    "  ✎ todo four",
    "  suite",
    "    Cause:",
    "    Errors contained in AggregateError:",
    "Test Suites: 1 failed, 1 of 2 total",
    "Tests:       1 failed, 2 passed, 3 total",
    "Ran all test suites.",
    "  console.log",
    " RUN  v3.1.0 /x",
    " ❯ test/a.test.js (3 tests | 1 failed) 7ms",
    " ✓ test/a.test.js (3 tests | 1 skipped) 7ms",
    " ✓ test/a.test.js > a > b 7ms",
    "   × a > b 5ms",
    "     → no",
    "⎯⎯⎯⎯⎯⎯ Failed Tests 3 ⎯⎯⎯⎯⎯⎯",
    "⎯⎯⎯⎯ Unhandled Rejection ⎯⎯⎯⎯",
    "⎯⎯⎯⎯⎯⎯[1/3]⎯",
    " FAIL  test/a.test.js > a > b",
    " FAIL  test/a.test.js [ test/a.test.js ]",
    ' This error originated in "test/a.test.js" test file.',
    " Test Files  1 failed (1)",
    "      Tests  1 failed | 2 passed (3)",
    "   Duration  1s",
    "▶ a",
    "  ✔ b (1.5ms)",
    "✖ a (2.5ms) # TODO",
    "✖ /x/test/a.test.js (2.5ms)",
    "  'test failed'",
    "ℹ tests 3",
    "ℹ pass 3",
    "ℹ fail 0",
    "ℹ duration_ms 9.5",
    "✖ failing tests:",
    "test at test/a.test.js:3:5",
    "TAP version 13",
    "# Subtest: a",
    "    # Subtest: b",
    "    not ok 1 - b # TODO",
    "ok 2 - a \\# b",
    "  ---",
    "  duration_ms: 1.5",
    "  location: '/x/test/a.test.js:3:5'",
    "  stack: |-",
    "    f (/x/src/a.ts:3:5)",
    "  ...",
    "# pass 3",
    "# fail 0",
    "  3 passing (2ms)",
    "  1 pending",
    "  2 failing",
    "  1) a",
    "       b:",
    '       "before each" hook for "c":',
    "    ✔ one (52ms)",
    "src/a.ts(3,5): error TS2345: no",
    "src/a.ts:3:5 - error TS2345: no",
    "error TS18003: no",
    "Found 3 errors.",
    "/x/main.js:3",
    "    throw new Error('no');",
    "    ^",
    "Error: no",
    "TypeError [Error]: no {",
    "    at f (/x/src/a.ts:3:5)",
    "    at file:///x/src/a.ts:3:5 {",
    "    at async Promise.all (index 0)",
    "    at eval (eval at f (/x/src/a.ts:3:5), <anonymous>:1:1)",
    "    at Object.<anonymous> (main.js:1:1)",
    "    at node:internal/main/run_main_module:28:49",
    " ❯ f src/a.ts:3:5",
    "  [cause]: Error: no",
    "  [errors]: [",
    "}",
    "Node.js v20.20.2",
    "> shop@1.0.0 test",
    "> jest --ci",
    "$ tsc",
    "[... lines left out: 12 ...]",
    "",
]

lines = st.sampled_from(PIECES) | st.text(max_size=30)
indents = st.sampled_from(["", "", "", "", "  ", "    ", "\x1b[31m"])
jumbles = st.lists(st.tuples(indents, lines).map("".join), max_size=50).map("\n".join)


def check(output: str, command: str = "", ok: bool | None = False) -> Report:
    report = read(output, command, ok)
    assert report_from(report.to_bytes()) == report
    for failure in report.failures:
        assert len(failure.frames) <= MOST_FRAMES
        assert all(at.line >= 0 and at.path for at in failure.frames)
        assert not failure.test.endswith(" > ")
        anchor(failure, KNOWN)
    placed(report, KNOWN)
    return report


@settings(max_examples=500)
@given(jumbles, st.sampled_from(COMMANDS), st.sampled_from([True, False, None]))
def test_any_jumble(output: str, command: str, ok: bool | None) -> None:
    check(output, command, ok)


@given(st.text("npxjestvi mocha-=/.'\"$&|;<>(){}\n", max_size=100), st.sampled_from(["jest", "vitest", "mocha"]))
def test_any_text_is_a_command(command: str, tool: str) -> None:
    page = page_of("> a@1 test\n> " + command, command)
    for run in programs(page):
        assert run.tool
    scope_of(page, tool)


FLOODS = [
    *(piece + "\n" for piece in PIECES if piece),
    " (a)",
    "FAIL ",
    "FAIL a",
    "PASS a b ",
    "a.js ",
    "a.js > ",
    "a.js:1:1 ",
    "  ● ",
    "⎯",
    "⎯⎯⎯⎯ A ",
    " ✓ ",
    " ✓ a.js ",
    " | 1 skipped",
    "✔ a (1.5ms) ",
    "▶ ",
    "  " * 40 + "▶ a\n",
    "at ",
    "    at a (",
    "    at (eval at a (b:1:1), ",
    "❯ a ",
    "[errors]: [",
    "TypeError: a.js: ",
    "from a.js ",
    "Cannot find a from a.js ",
    "/a.js:1\nx\n^\n",
    "/a.js:1\nx\n^\nError: a\n",
    "Error: a\n    at f (/a.js:1:1)\n",
    "✖ /x/a.js (1.5ms)\nℹ tests 1\n",
    "FAIL a.js\n  ● a\n\n    at f (a.js:1:1)\n",
    "> a@1 b\n> jest a\n",
    "# Subtest: a\nok 1 - a\n  ---\n  duration_ms: 1\n  ...\n",
]
SIZE = 150_000
"""Characters: enough that an explosion would never end. Nothing is timed here."""


@pytest.mark.parametrize("piece", FLOODS)
def test_no_flood_runs_away(piece: str) -> None:
    output = (piece * (SIZE // len(piece) + 1))[:SIZE]
    report = read(output, "npx " + output[:20_000], ok=False)
    assert len(report.failures) <= MOST_FAILURES
    assert report_from(report.to_bytes()) == report


# what is repeated with a number, what then follows with a number
CROWDS = [
    ("✖ t{0} (1.5ms)\n", "test at a{0}.js:1:1\n✖ t{0} (1.5ms)\n  Error: no\n"),
    ("/x/a{0}.js:1\nx\n^\nError: no\n    at f (/x/a{0}.js:1:1)\n\nNode.js v20\n", "✖ /x/a{0}.js (1.5ms)\nℹ tests 1\n"),
    ("FAIL t{0}.js\n  ● a{0}\n\n    no\n", "PASS t{0}.js\n"),
    (" ✓ t{0}.js > a 1ms\n", " FAIL  t{0}.js > a\nError: no\n⎯⎯⎯⎯[1/2]⎯\n"),
    ("src/a{0}.ts(3,5): error TS2345: no\n", "src/b{0}.ts:3:5 - error TS2345: no\n"),
]


@pytest.mark.parametrize(("first", "second"), CROWDS)
@pytest.mark.parametrize("command", ["npx jest", "tsc"])
def test_no_crowd_runs_away(first: str, second: str, command: str) -> None:
    many = range(SIZE // len(first + second))
    between = "ℹ tests 3\n✖ failing tests:\n"
    check("".join(map(first.format, many)) + between + "".join(map(second.format, many)), command)
