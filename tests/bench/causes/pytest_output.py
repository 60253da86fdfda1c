"""What pytest prints of a failure: long, mixed, short and native tracebacks, plain or in colour, quiet or not."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from random import Random

from tests.bench.causes.model import Story
from tests.bench.causes.render import ROOT, Frame
from tests.bench.causes.words import snake

WIDTH = 80
STYLES = ("auto", "auto", "long", "short", "native")
ELSEWHERE = ("/app", "/usr/src/app", "/home/runner/build", "/builds/team/project", "C:\\agent\\_build")


Arguments = Mapping[str, Sequence[tuple[str, str]]]
"""Each function's arguments, as they look."""


def told(
    story: Story, rng: Random, files: Mapping[str, str], frames: Sequence[Frame], arguments: Arguments
) -> tuple[tuple[str, ...], str, str]:
    """The command, the style in a word, and the output."""
    style = rng.choice(STYLES if story.mode != "library" else ("short", "native"))
    root = rng.choice((ROOT, ROOT, *ELSEWHERE[:4]))
    verbose, colour = rng.random() < 0.3, rng.random() < 0.2
    name = snake(story.test)
    error, detail = error_of(story, frames[-1].text)
    printer = Printer(root, files, arguments, error, detail)
    body = [_rule(name, "_"), *getattr(printer, style)(frames)]
    passed = len(story.tested)
    lines = [
        _rule("test session starts", "="),
        *_header(rng, root, passed + 1),
        *_progress(story, frames[0].path, verbose, rng),
        "",
        _rule("FAILURES", "="),
        *body,
        _rule("short test summary info", "="),
        f"FAILED {frames[0].path}::{name} - {_short(f'{error}: {detail[0]}' if detail else error)}",
        _rule(f"1 failed, {passed} passed in 0.{rng.randint(10, 99)}s", "="),
    ]
    text = "\n".join(coloured(lines) if colour else lines) + "\n"
    if rng.random() < 0.1:
        text = text.replace("\n", "\r\n")
    flags = [*(["-v"] if verbose else []), *([f"--tb={style}"] if style != "auto" else [])]
    return ("python", "-m", "pytest", *flags), style, text


def error_of(story: Story, line: str) -> tuple[str, list[str]]:
    """The kind of the exception, and its message line by line."""
    if story.mode == "mismatch":
        return "AssertionError", [f"assert 0 == {story.expected}"]
    if story.mode == "library":
        return "statistics.StatisticsError", ["mean requires at least one data point"]
    if story.mode == "divide":
        return "ZeroDivisionError", ["integer division or modulo by zero" if "//" in line else "integer modulo by zero"]
    if story.mode == "index":
        return (
            ("ValueError", ["max() arg is an empty sequence"])
            if "max(" in line
            else ("IndexError", ["list index out of range"])
        )
    if story.mode == "lookup":
        return "KeyError", ["0"]
    raised = re.search(r"raise (\w+)", line)
    return raised[1] if raised else "AssertionError", [story.message]


class Printer:
    def __init__(
        self, root: str, files: Mapping[str, str], arguments: Arguments, error: str, detail: list[str]
    ) -> None:
        self.root, self.files, self.arguments, self.error, self.detail = root, files, arguments, error, detail

    def long(self, frames: Sequence[Frame]) -> list[str]:
        lines: list[str] = []
        for number, frame in enumerate(frames):
            lines += self._long(frame, number, number == len(frames) - 1)
        return lines

    def auto(self, frames: Sequence[Frame]) -> list[str]:
        """The first and the last in full, those between them shortly."""
        if len(frames) < 3:
            return self.long(frames)
        between = [line for frame in frames[1:-1] for line in self._short(frame)]
        first, last = self._long(frames[0], 0, False), self._long(frames[-1], len(frames) - 1, True)
        return [*first, *between, _dashes(), *last]

    def short(self, frames: Sequence[Frame]) -> list[str]:
        deeper = [line for frame in self._deeper() for line in self._short(frame)]
        return [
            *(line for frame in frames for line in self._short(frame)),
            *deeper,
            *(f"E   {line}" for line in self._told()),
        ]

    def native(self, frames: Sequence[Frame]) -> list[str]:
        lines = ["Traceback (most recent call last):"]
        for frame in (*frames, *self._deeper()):
            path = frame.path if frame.path.startswith("/") else f"{self.root}/{frame.path}"
            lines += [f'  File "{path}", line {frame.line}, in {frame.function}']
            lines += [f"    {frame.text.strip()}", *(f"    {carets}" for carets in _carets(frame.text.strip()))]
        return [*lines, f"{self.error}: {self.detail[0]}"]

    def _deeper(self) -> list[Frame]:
        """What stands between the project and the error, if a library raised it."""
        if self.error != "statistics.StatisticsError":
            return []
        raising = "raise StatisticsError('mean requires at least one data point')"
        return [Frame("/usr/local/lib/python3.11/statistics.py", 430, "mean", raising)]

    def _told(self) -> list[str]:
        return [self.detail[0]] if self.detail[0].startswith("assert ") else [f"{self.error}: {self.detail[0]}"]

    def _long(self, frame: Frame, number: int, last: bool) -> list[str]:
        arguments = [f"{name} = {value}" for name, value in self.arguments.get(frame.function, ())] if number else []
        lines = ["", *([", ".join(arguments), ""] if arguments else [])]
        lines += self._source(frame)
        deep = " " * (len(lines[-1]) - len(lines[-1].lstrip("> "))) if lines[-1].startswith(">") else " " * 8
        lines += [f"E{deep[1:]}{line}" for line in self._told()] if last else []
        lines += ["", f"{frame.path}:{frame.line}: {self.error if last else ''}"]
        return lines if last else [*lines, _dashes()]

    def _source(self, frame: Frame) -> list[str]:
        lines = self.files[frame.path].split("\n")
        start = frame.line - 1
        while not lines[start].strip().startswith(f"def {frame.function}("):
            start -= 1
        cut = len(lines[start]) - len(lines[start].lstrip())
        shown = [f"    {line[cut:]}" if line.strip() else "" for line in lines[start : frame.line - 1]]
        failing = lines[frame.line - 1][cut:]
        return [*shown, f">   {failing}", *(f"    {carets}" for carets in _carets(failing))]

    def _short(self, frame: Frame) -> list[str]:
        text = frame.text.strip()
        return [f"{frame.path}:{frame.line}: in {frame.function}", f"    {text}", *(f"    {c}" for c in _carets(text))]


def _carets(line: str) -> list[str]:
    """Under the part of the line that was being worked out, where that isn't all of it."""
    found = re.match(r"(\s*(?:\w+ = |return |assert ))(.+?)(?: > 0)?$", line)
    if found is None or "assert step" in line or "assert found" in line:
        return []
    return [" " * len(found[1]) + "^" * len(found[2])]


def _header(rng: Random, root: str, count: int) -> list[str]:
    version = rng.choice(("Python 3.11.7, pytest-9.2.0, pluggy-1.7.0", "Python 3.12.4, pytest-8.3.2, pluggy-1.5.0"))
    return [
        f"platform linux -- {version}",
        f"rootdir: {root}",
        "configfile: pyproject.toml",
        f"collected {count} items",
        "",
    ]


def _progress(story: Story, path: str, verbose: bool, rng: Random) -> list[str]:
    folder = path.rpartition("/")[0]
    dots: dict[str, list[str]] = {path: [f"{snake(story.test)} FAILED"]}
    for unit in story.tested:
        dots.setdefault(f"{folder}/test_{unit.module.folder[-1]}.py", []).append(f"test_{snake(unit.words)} PASSED")
    if verbose:
        return [f"{file}::{test}" for file in sorted(dots) for test in dots[file]]
    marks = {file: "".join("F" if test.endswith("FAILED") else "." for test in tests) for file, tests in dots.items()}
    return [f"{file} {marks[file]}".ljust(WIDTH - 7) + f"[{rng.randint(1, 9)}0%]".rjust(7) for file in sorted(marks)]


def _short(text: str) -> str:
    return text if len(text) < 46 else text[:43] + "..."


def _rule(title: str, sign: str) -> str:
    return f" {title} ".center(WIDTH, sign)


def _dashes() -> str:
    return "_ " * (WIDTH // 2)


def coloured(lines: Sequence[str]) -> list[str]:
    red, bold, off = "\x1b[31m", "\x1b[1m", "\x1b[0m"
    found = []
    for line in lines:
        if line.startswith(("E  ", "_____")):
            line = f"{red}{bold}{line}{off}"
        elif place := re.match(r"([\w./]+\.py)(:\d+: .*)$", line):
            line = f"{bold}{red}{place[1]}{off}{place[2]}"
        elif line.startswith("FAILED "):
            line = f"{red}FAILED{off}{line[6:]}"
        found.append(line)
    return found
