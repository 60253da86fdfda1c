"""What a run of tests prints, whatever passes and whatever fails: pytest, and the three runners of scripts."""

from __future__ import annotations

from collections.abc import Sequence
from random import Random

from tests.bench.causes import pytest_output, typescript_output
from tests.bench.causes.render import Frame
from tests.bench.drifts import printing_built
from tests.bench.drifts.manner import Broken, Files, Manner, python_error, script_error
from tests.bench.drifts.model import Test

LINE = "⎯"


def printed(
    rng: Random, manner: Manner, files: Files, tests: Sequence[Test], broken: Sequence[Broken], left_out: int = 0
) -> str:
    """The output of a run of these tests, of which some are broken, and so many left out by the command."""
    if manner.runner == "cargo":
        return "\n".join(printing_built.cargo(rng, manner, files, tests, broken, left_out)) + "\n"
    say = {"pytest": _pytest, "jest": _jest, "vitest": _vitest, "node": _node, "go": printing_built.go}
    lines = say[manner.runner](rng, manner, files, tests, broken)
    if manner.runner == "go":
        return "\n".join(lines) + "\n"
    if manner.coloured and manner.runner == "pytest":
        lines = pytest_output.coloured(lines)
    text = "\n".join(lines) + "\n"
    return typescript_output.coloured(text) if manner.coloured and manner.runner != "pytest" else text


# ---- pytest ----


def _pytest(rng: Random, manner: Manner, files: Files, tests: Sequence[Test], broken: Sequence[Broken]) -> list[str]:
    took = f"0.{rng.randint(10, 99)}s"
    quiet = " -q" in manner.start
    lines = [] if quiet else _head(manner, len(tests))
    lines += [*_progress(manner, tests, broken), ""]
    if broken:
        lines.append(_rule("FAILURES", "="))
        for each in broken:
            error, detail = python_error(each)
            printer = pytest_output.Printer(manner.root, files, {}, error, detail)
            lines += [_rule(each.test.name, "_"), *getattr(printer, manner.style)(each.frames)]
        lines.append(_rule("short test summary info", "="))
        lines += [_failed(each) for each in broken]
    passed = len(tests) - len(broken)
    parts = [f"{len(broken)} failed"] * bool(broken) + [f"{passed} passed"] * bool(passed or not broken)
    summary = f"{', '.join(parts)} in {took}"
    return [*lines, summary if quiet else _rule(summary, "=")]


def _head(manner: Manner, count: int) -> list[str]:
    return [
        _rule("test session starts", "="),
        "platform linux -- Python 3.12.4, pytest-8.3.2, pluggy-1.5.0",
        f"rootdir: {manner.root}",
        "configfile: pyproject.toml",
        f"collected {count} item{'s' * (count != 1)}",
        "",
    ]


def _progress(manner: Manner, tests: Sequence[Test], broken: Sequence[Broken]) -> list[str]:
    failing = {each.test for each in broken}
    if manner.verbose:
        return [
            f"{test.path}::{test.name} {'FAILED' if test in failing else 'PASSED'}".ljust(73)
            + f"[{100 * number // len(tests):>3}%]"
            for number, test in enumerate(tests, 1)
        ]
    marks: dict[str, str] = {}
    for test in tests:
        marks[test.path] = marks.get(test.path, "") + ("F" if test in failing else ".")
    if " -q" in manner.start:
        return ["".join(marks.values()).ljust(73) + "[100%]"]
    done, lines = 0, []
    for path, said in marks.items():
        done += len(said)
        lines.append(f"{path} {said}".ljust(73) + f"[{100 * done // len(tests):>3}%]")
    return lines


def _failed(each: Broken) -> str:
    error, detail = python_error(each)
    said = detail[0] if detail[0].startswith("assert ") else f"{error}: {detail[0]}"
    return f"FAILED {each.test.path}::{each.test.name} - {said if len(said) < 46 else said[:43] + '...'}"


def _rule(title: str, sign: str) -> str:
    return f" {title} ".center(80, sign)


# ---- scripts ----


def _jest(rng: Random, _: Manner, files: Files, tests: Sequence[Test], broken: Sequence[Broken]) -> list[str]:
    lines: list[str] = []
    for path in dict.fromkeys(test.path for test in tests):
        bad = [each for each in broken if each.test.path == path]
        lines.append(f"{'FAIL' if bad else 'PASS'} {path}")
        for test in (each for each in tests if each.path == path):
            sign = "✕" if any(each.test is test for each in bad) else "✓"
            lines.append(f"  {sign} {test.name} ({rng.randint(1, 9)} ms)")
        lines.append("")
        for each in bad:
            lines += _jest_failure(files, each)
    suites = len({test.path for test in tests})
    failing = len({each.test.path for each in broken})
    return [
        *lines,
        f"Test Suites: {_counted(failing, suites)}",
        f"Tests:       {_counted(len(broken), len(tests))}",
        "Snapshots:   0 total",
        f"Time:        0.{rng.randint(100, 999)} s",
        "Ran all test suites.",
    ]


def _jest_failure(files: Files, each: Broken) -> list[str]:
    kind, message, found = script_error(each)
    last, name = each.frames[-1], each.frames[0].function
    lines = [f"  ● {name}", ""]
    if kind == "mismatch":
        lines += ["    expect(received).toBe(expected) // Object.is equality", ""]
        lines += [f"    Expected: {message}", f"    Received: {found}"]
    else:
        lines.append(f"    {kind}: {message}")
    lines += ["", *typescript_output.code_around(files, last, 2, 3, "    > {} | {}", "      {} | {}", "      {} | {}")]
    lines += ["", *typescript_output.deeper(last)]
    for frame in reversed(each.frames):
        top = "Object.toBe" if kind == "mismatch" else "Object.<anonymous>"
        who = top if frame is each.frames[0] else frame.function
        lines.append(f"      at {who} ({_place(frame)})")
    return [*lines, ""]


def _vitest(rng: Random, manner: Manner, files: Files, tests: Sequence[Test], broken: Sequence[Broken]) -> list[str]:
    lines = ["", f" RUN  v2.1.9 {manner.root}", ""]
    paths = list(dict.fromkeys(test.path for test in tests))
    for path in paths:
        mine = [test for test in tests if test.path == path]
        bad = [each for each in broken if each.test.path == path]
        count = f"{len(mine)} test{'s' * (len(mine) > 1)}"
        if not bad:
            lines.append(f" ✓ {path} ({count}) {rng.randint(2, 9)}ms")
            continue
        lines.append(f" ❯ {path} ({count} | {len(bad)} failed) {rng.randint(3, 20)}ms")
        for each in bad:
            said = _vitest_said(each)
            lines += [f"   × {each.test.name} {rng.randint(2, 9)}ms", f"     → {said.partition(': ')[2]}"]
    if broken:
        lines += ["", f"{LINE * 7} Failed Tests {len(broken)} {LINE * 7}"]
    for number, each in enumerate(broken, 1):
        lines += ["", f" FAIL  {each.test.path} > {each.test.name}", _vitest_said(each), *_vitest_frames(files, each)]
        lines += ["", f"{LINE * 24}[{number}/{len(broken)}]{LINE}"]
    failing = len({each.test.path for each in broken})
    return [
        *lines, "", f" Test Files  {_piped(failing, len(paths))}", f"      Tests  {_piped(len(broken), len(tests))}",
        "   Start at  10:12:41", f"   Duration  {rng.randint(200, 900)}ms",
    ]  # fmt: skip


def _vitest_said(each: Broken) -> str:
    kind, message, found = script_error(each)
    if kind == "mismatch":
        there = "+0" if found == "0" else found
        return f"AssertionError: expected {there} to be {message} // Object.is equality"
    return f"{kind}: {message}"


def _vitest_frames(files: Files, each: Broken) -> list[str]:
    kind, message, found = script_error(each)
    lines = ["", "- Expected", "+ Received", "", f"- {message}", f"+ {found}", ""] if kind == "mismatch" else []
    for frame in reversed(each.frames):
        who = "" if frame is each.frames[0] else f"{frame.function} "
        lines.append(f" ❯ {who}{_place(frame)}")
        if frame is each.frames[-1]:
            lines += typescript_output.code_around(files, frame, 2, 2, "    {}| {}", "    {}| {}", "    {}| {}")
    return lines


def _node(rng: Random, manner: Manner, files: Files, tests: Sequence[Test], broken: Sequence[Broken]) -> list[str]:
    lines, told = [], []
    for test in tests:
        took = f"({rng.randint(1, 9)}.{rng.randint(100, 999)}ms)"
        bad = next((each for each in broken if each.test is test), None)
        lines.append(f"{'✔' if bad is None else '✖'} {test.name} {took}")
        if bad is not None:
            stack = _node_stack(manner, files, bad)
            scheme = "" if "require(" in files[test.path] else "file://"
            lines += stack
            told += ["", f"test at {scheme}{manner.root}/{_place(bad.frames[0])}", f"✖ {test.name} {took}", *stack]
    passed = len(tests) - len(broken)
    counts = [f"ℹ tests {len(tests)}", f"ℹ pass {passed}", f"ℹ fail {len(broken)}", "ℹ cancelled 0", "ℹ skipped 0"]
    return [*lines, "", *counts, "ℹ todo 0", *(["", "✖ failing tests:", *told] if told else [])]


def _node_stack(manner: Manner, files: Files, each: Broken) -> list[str]:
    kind, message, found = script_error(each)
    scheme = "" if "require(" in files[each.test.path] else "file://"
    lines = [f"  {kind}: {message}"]
    if kind == "mismatch":
        lines = [
            "  AssertionError [ERR_ASSERTION]: Expected values to be strictly equal:", "  ",
            f"  {found} !== {message}", "  ",
        ]  # fmt: skip
    lines += typescript_output.deeper(each.frames[-1])
    for frame in reversed(each.frames):
        who = "TestContext.<anonymous>" if frame is each.frames[0] else frame.function
        lines.append(f"      at {who} ({scheme}{manner.root}/{_place(frame)})")
    lines.append("      at Test.runInAsyncScope (node:async_hooks:206:9)")
    return [*lines, "      at Test.run (node:internal/test_runner/test:796:25)"]


def _place(frame: Frame) -> str:
    return f"{frame.path}:{frame.line}:{typescript_output.column_of(frame)}"


def _counted(failed: int, total: int) -> str:
    passed = total - failed
    parts = [f"{failed} failed"] * bool(failed) + [f"{passed} passed"] * bool(passed)
    return ", ".join([*parts, f"{total} total"])


def _piped(failed: int, total: int) -> str:
    passed = total - failed
    parts = [f"{failed} failed"] * bool(failed) + [f"{passed} passed"] * bool(passed)
    return f"{' | '.join(parts)} ({total})"
