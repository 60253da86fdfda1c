"""How a project's tests are started and what they say, one way for a whole session: the same person runs them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from random import Random

from tests.bench.causes import pytest_output, rust_output, typescript_output
from tests.bench.causes.render import ROOT, Frame
from tests.bench.drifts.model import Fault, Test
from tests.bench.drifts.spotting import frame_of

Files = Mapping[str, str]
TAIL = 80
"""Lines of an output an agent asks for that doesn't want all of it."""


@dataclass(frozen=True)
class Manner:
    """The habits of one project's runner."""

    runner: str
    """pytest, jest, vitest, node, go, cargo"""
    start: str
    """The command that runs everything."""
    root: str
    """Where the project lies, as the output spells it."""
    style: str = "auto"
    verbose: bool = False
    coloured: bool = False
    ending: str = ""
    """What the agent puts behind the command."""


@dataclass(frozen=True)
class Broken:
    """A test that fails now, with the lines as they stand now."""

    test: Test
    fault: Fault
    frames: tuple[Frame, ...]


@dataclass(frozen=True)
class Told:
    """What the printers of `tests.bench.causes` ask of a story."""

    mode: str
    message: str
    expected: int
    amount: int
    test: tuple[str, ...]


def manner_of(rng: Random, family: str, command: Sequence[str], files: Files, root: str) -> Manner:
    ending = rng.choice(("", "", "", " 2>&1", f" 2>&1 | tail -{TAIL}"))
    shown = rng.choice((root, root, root, "/app", "/builds/team/project"))
    if family == "python":
        style = rng.choice(("auto", "auto", "long", "short", "native"))
        verbose, quiet = rng.random() < 0.25, rng.random() < 0.2
        start = rng.choice(("pytest", "python -m pytest", "uv run pytest"))
        start += (" -v" if verbose else " -q" if quiet else "") + ("" if style == "auto" else f" --tb={style}")
        return Manner("pytest", start, shown, style, verbose, rng.random() < 0.15, ending)
    if family == "go":
        verbose = rng.random() < 0.3
        return Manner("go", f"go test{' -v' if verbose else ''} ./...", shown, "", verbose, False, ending)
    if family == "rust":
        style = rng.choice(("plain", "threads", "old", "backtrace"))
        return Manner("cargo", "cargo test", shown, style, ending=ending)
    runner = {"npx jest": "jest", "npx vitest": "vitest"}.get(" ".join(command[:2]), "node")
    return Manner(runner, " ".join(command), shown, "", False, rng.random() < 0.2, ending)


def broken_by(fault: Fault, files: Files) -> Broken:
    return Broken(fault.test, fault, tuple(frame_of(files, spot) for spot in fault.spots))


def told_of(broken: Broken, words: tuple[str, ...] = ()) -> Told:
    fault = broken.fault
    return Told(fault.mode, fault.message, fault.expected, fault.amount, words)


def python_error(broken: Broken) -> tuple[str, list[str]]:
    fault = broken.fault
    if fault.mode == "sign":
        return "AssertionError", [f"assert -{fault.amount * 3} > 0"]
    return pytest_output.error_of(told_of(broken), broken.frames[-1].text)


def script_error(broken: Broken) -> tuple[str, str, str]:
    """(kind of the error or `mismatch`, its message or what was expected, what was there instead)."""
    if broken.fault.mode == "sign":
        return "mismatch", "true", "false"
    return (*typescript_output.error_of(told_of(broken), broken.frames[-1].text), "0")


def rust_error(broken: Broken) -> list[str]:
    fault = broken.fault
    if fault.mode == "sign":
        return [f"assertion failed: {fault.message}({fault.amount}) > 0"]
    return rust_output.message_of(told_of(broken), broken.frames[-1].text)


def command_of(manner: Manner, only: Test | None, whole_file: bool) -> str:
    """The command that runs everything, one test, or all tests of its file."""
    if only is None:
        return manner.start + manner.ending
    match manner.runner:
        case "pytest":
            said = f"{manner.start} {only.path}{'' if whole_file else f'::{only.name}'}"
        case "go":
            folder = "./" + only.path.rpartition("/")[0] + "/"
            said = manner.start.replace("./...", folder + ("" if whole_file else f" -run '^{only.name}$'"))
        case "cargo":
            said = f"{manner.start} {only.symbol}"
        case _:
            said = f"{manner.start} {only.path}"
    return said + manner.ending


def chosen(manner: Manner, tests: Sequence[Test], only: Test | None, whole_file: bool) -> list[Test]:
    """The tests such a command runs."""
    if only is None:
        return list(tests)
    match manner.runner:
        case "pytest":
            return [test for test in tests if test.path == only.path and (whole_file or test == only)]
        case "go":
            return [test for test in tests if test.target == only.target and (whole_file or test.name == only.name)]
        case "cargo":
            return [test for test in tests if only.symbol in test.name]
    return [test for test in tests if test.path == only.path]


def rooted(text: str, manner: Manner) -> str:
    return text.replace(ROOT, manner.root)
