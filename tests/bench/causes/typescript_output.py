"""What jest, vitest and node's own runner print of a failure."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from random import Random

from tests.bench.causes.model import Story
from tests.bench.causes.render import ROOT, Frame

ELSEWHERE = ("/app", "/usr/src/app", "/home/runner/build", "/builds/team/project")
LINE = "⎯"


def told(
    story: Story, rng: Random, files: Mapping[str, str], frames: Sequence[Frame], runner: str
) -> tuple[tuple[str, ...], str, str]:
    root = rng.choice((ROOT, ROOT, *ELSEWHERE))
    kind, message = error_of(story, frames[-1].text)
    passed = len(story.tested)
    lines = {"jest": _jest, "vitest": _vitest, "node": _node}[runner](rng, root, files, frames, kind, message, passed)
    text = "\n".join(lines) + "\n"
    if rng.random() < 0.2:
        text = coloured(text)
    command = {
        "jest": ("npx", "jest"),
        "vitest": ("npx", "vitest", "run"),
        "node": ("node", "--test", "--test-reporter=spec"),
    }[runner]
    return command, runner, text.replace("\n", "\r\n") if rng.random() < 0.1 else text


def error_of(story: Story, line: str) -> tuple[str, str]:
    if story.mode == "mismatch":
        return "mismatch", str(story.expected)
    if story.mode == "divide":
        return "RangeError", "Division by zero"
    if story.mode == "guard":
        raised = re.search(r"new (\w+)\(", line)
        return raised[1] if raised else "Error", story.message
    if story.mode == "library":
        return "RangeError", "Invalid count value: -1"
    if ".reduce(" in line:
        return "TypeError", "Reduce of empty array with no initial value"
    return "TypeError", "Cannot read properties of undefined (reading 'size')"


def _jest(
    rng: Random, root: str, files: Mapping[str, str], frames: Sequence[Frame], kind: str, message: str, passed: int
) -> list[str]:
    name, last = frames[0].function, frames[-1]
    lines = [f"FAIL {frames[0].path}", f"  ✕ {name} ({rng.randint(1, 9)} ms)", "", f"  ● {name}", ""]
    if kind == "mismatch":
        lines += ["    expect(received).toBe(expected) // Object.is equality", ""]
        lines += [f"    Expected: {message}", "    Received: 0"]
    else:
        lines.append(f"    {kind}: {message}")
    lines += ["", *code_around(files, last, 2, 3, "    > {} | {}", "      {} | {}", "      {} | {}"), ""]
    lines += deeper(last)
    for frame in reversed(frames):
        who = (
            frame.function if frame is not frames[0] else "Object.toBe" if kind == "mismatch" else "Object.<anonymous>"
        )
        lines.append(f"      at {who} ({frame.path}:{frame.line}:{column_of(frame)})")
    suites = rng.randint(1, max(1, passed))
    return [
        *lines, "", f"Test Suites: 1 failed, {suites} passed, {suites + 1} total",
        f"Tests:       1 failed, {passed} passed, {passed + 1} total", "Snapshots:   0 total",
        f"Time:        0.{rng.randint(100, 999)} s", "Ran all test suites.",
    ]  # fmt: skip


def _vitest(
    rng: Random, root: str, files: Mapping[str, str], frames: Sequence[Frame], kind: str, message: str, passed: int
) -> list[str]:
    name, path = frames[0].function, frames[0].path
    said = (
        f"AssertionError: expected +0 to be {message} // Object.is equality"
        if kind == "mismatch"
        else f"{kind}: {message}"
    )
    lines = ["", f" RUN  v2.1.9 {root}", "", f" ❯ {path} (1 test | 1 failed) {rng.randint(3, 20)}ms"]
    lines += [f"   × {name} {rng.randint(2, 9)}ms", f"     → {said.partition(': ')[2]}", ""]
    lines += [f"{LINE * 7} Failed Tests 1 {LINE * 7}", "", f" FAIL  {path} > {name}", said]
    if kind == "mismatch":
        lines += ["", "- Expected", "+ Received", "", f"- {message}", "+ 0", ""]
    for frame in reversed(frames):
        who = "" if frame is frames[0] else f"{frame.function} "
        lines.append(f" ❯ {who}{frame.path}:{frame.line}:{column_of(frame)}")
        if frame is frames[-1]:
            lines += code_around(files, frame, 2, 2, "    {}| {}", "    {}| {}", "    {}| {}")
    end = f" Test Files  1 failed | {max(1, passed - 1)} passed ({max(2, passed)})"
    return [
        *lines, "", f"{LINE * 24}[1/1]{LINE}", "", end, f"      Tests  1 failed | {passed} passed ({passed + 1})",
        "   Start at  10:12:41", f"   Duration  {rng.randint(200, 900)}ms",
    ]  # fmt: skip


def _node(
    rng: Random, root: str, files: Mapping[str, str], frames: Sequence[Frame], kind: str, message: str, passed: int
) -> list[str]:
    name = frames[0].function
    scheme = "" if "require(" in files[frames[0].path] else "file://"
    place = f"{scheme}{root}/{frames[0].path}:{frames[0].line}:{column_of(frames[0])}"
    said = [f"  {kind}: {message}"]
    if kind == "mismatch":
        said = [
            "  AssertionError [ERR_ASSERTION]: Expected values to be strictly equal:",
            "  ",
            f"  0 !== {message}",
            "  ",
        ]
    stack = deeper(frames[-1])
    for frame in reversed(frames):
        who = "TestContext.<anonymous>" if frame is frames[0] else frame.function
        stack.append(f"      at {who} ({scheme}{root}/{frame.path}:{frame.line}:{column_of(frame)})")
    stack += [
        "      at Test.runInAsyncScope (node:async_hooks:206:9)",
        "      at Test.run (node:internal/test_runner/test:796:25)",
    ]
    stack.append("      at Test.start (node:internal/test_runner/test:692:17)")
    took = f"({rng.randint(1, 9)}.{rng.randint(100, 999)}ms)"
    counts = [f"ℹ tests {passed + 1}", f"ℹ pass {passed}", "ℹ fail 1", "ℹ cancelled 0", "ℹ skipped 0", "ℹ todo 0"]
    return [
        f"✖ {name} {took}",
        *said,
        *stack,
        "",
        *counts,
        "",
        "✖ failing tests:",
        "",
        f"test at {place}",
        f"✖ {name} {took}",
        *said,
        *stack,
    ]


def deeper(frame: Frame) -> list[str]:
    """The engine's own frame below the project's last, if it has one."""
    named = {".reduce(": "Array.reduce", ".repeat(": "String.repeat"}
    return [f"      at {name} (<anonymous>)" for call, name in named.items() if call in frame.text]


def code_around(
    files: Mapping[str, str], frame: Frame, above: int, below: int, here: str, plain: str, under: str
) -> list[str]:
    """The lines around the failing one, and a caret under it."""
    source = files[frame.path].rstrip("\n").split("\n")
    first, last = max(1, frame.line - above), min(len(source), frame.line + below)
    wide = len(str(last))
    lines = []
    for number in range(first, last + 1):
        form = here if number == frame.line else plain
        lines.append(form.format(str(number).rjust(wide), source[number - 1]).rstrip())
        if number == frame.line:
            lines.append(under.format(" " * wide, " " * (column_of(frame) - 1) + "^"))
    return lines


def column_of(frame: Frame) -> int:
    """Where in the line it happened: at the called name, the read property, the made error."""
    for pattern in (
        r"new \w*Error",
        r"toBe\(",
        r"\bsize;",
        r"reduce\(",
        r"repeat\(",
        r"BigInt\(amount\)",
        r"assert\.equal",
        r"(?<=\.)\w+\(",
        r"\w+\(",
    ):
        if found := re.search(pattern, frame.text):
            return found.start() + 1
    return len(frame.text) - len(frame.text.lstrip()) + 1


def coloured(text: str) -> str:
    red, grey, off = "\x1b[31m", "\x1b[90m", "\x1b[39m"
    text = re.sub(r"^( ❯ .*)$", rf"{grey}\1{off}", text, flags=re.MULTILINE)
    text = re.sub(r"^(\s+at )(.*)$", rf"{grey}\1{off}\2", text, flags=re.MULTILINE)
    return re.sub(r"\b(\w*Error)\b", rf"{red}\1{off}", text)
