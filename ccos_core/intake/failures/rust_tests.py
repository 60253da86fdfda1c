"""What the test programs of Rust say: which tests failed and where, and which pass.

What a failing test printed stands below its name. Where nothing is held back, the panics stand between the results, and
a panic's thread has the name of its test.
"""

from __future__ import annotations

import re
from collections.abc import Iterable

from ccos_core.intake.failures import rust_errors, rust_panics
from ccos_core.intake.failures.page import MOST_FRAMES, Findings, Page, short
from ccos_core.intake.failures.rust_libtest import Block, Output
from ccos_core.intake.failures.rust_panics import Panic
from ccos_core.intake.failures.rust_scopes import CARGO, RUSTDOC, CargoRun
from ccos_core.intake.failures.rust_targets import crate
from ccos_core.values.outcome import TESTS, UNKNOWN, Failure, Frame, Pass

_EXAMPLE = re.compile(r"(?P<path>\S.*?\.(?:rs|md)) - (?P<item>.*?) ?\(line (?P<line>\d{1,9})\)$")
_WHOLE = "(module)"
"""What an example belongs to that stands in the documentation of a file."""
_NOT_PANICKED = re.compile(
    r"note: test did not panic as expected(?: at (?P<path>\S.*?):(?P<line>\d{1,9})(?::\d{1,9})?)?$"
)
_UNEXPECTED = "note: panic did not contain expected string"
_RETURNED = "Error: "
_ENDED = re.compile(r"\((?:exit (?:status|code)|signal): .*\)$")
_NEAR = 6
_LONGEST = 400
"""Lines of what one test printed that are looked at for what isn't a panic."""


def read(found: Findings, page: Page, told: Output, run: CargoRun | None) -> None:
    """Each program's tests; then what the whole run says."""
    outside = _Outside(page.lines, told.blocks)
    passed: list[Pass] = []
    for block in told.blocks:
        failures = _failures(page.lines, block, outside)
        found.failures += failures
        found.claimed.append((block.first, block.last + 1))
        passed += _passes(block, {failure.test for _, failure in failures}, run)
    found.claimed += outside.claimed
    last = max((block.last for block in told.blocks), default=0)
    found.passes += [(last, each) for each in [*passed, *_silent(page, told, run)]]
    if not told.blocks:
        found.failures += [(at, _broken(told, at, target, page.lines)) for at, target in told.hints]


def _broken(told: Output, at: int, hinted: str, lines: list[str]) -> Failure:
    """A program of tests that says nothing itself."""
    running = [target for line, target in told.running if line < at]
    return Failure(CARGO, running[-1] if running else hinted, (), _ending(lines, at))


class _Outside:
    """The panics that stand in no block, because they came over the other stream."""

    def __init__(self, lines: list[str], blocks: list[Block]) -> None:
        within = {at for block in blocks for at in range(block.first, block.last + 1)}
        rest = ["" if at in within else line for at, line in enumerate(lines)] if blocks else []
        self.by_thread: dict[str, list[Panic]] = {}
        for panic in rust_panics.panics(rest):
            self.by_thread.setdefault(panic.thread, []).append(panic)
        self.claimed: list[tuple[int, int]] = []

    def take(self, test: str) -> list[Panic]:
        panics = self.by_thread.pop(test, [])
        self.claimed += [(panic.first, panic.last + 1) for panic in panics]
        return panics


# ---- what failed ----


def _failures(lines: list[str], block: Block, outside: _Outside) -> list[tuple[int, Failure]]:
    panics = rust_panics.panics(lines, block.first, block.last + 1)
    sections: dict[str, tuple[int, int]] = {}
    for name, start, end in block.sections:
        sections.setdefault(name, (start, end))
    names = [*sections, *block.failed, *(name for name, word in block.words.items() if word == "FAILED")]
    if block.broke:
        names += [panic.thread for panic in panics if panic.message == rust_panics.OVERFLOWED]
    owned = _owned(block, panics, sections, names)
    found: list[tuple[int, Failure]] = []
    for name in dict.fromkeys(names):
        start, end = sections.get(name, (0, 0))
        mine = owned.get(name) or outside.take(name)
        at = start if end else block.begun.get(name, block.last)
        found.append((at, _failure(block, name, mine, lines, range(start, min(end, start + _LONGEST)))))
    if not found and (block.verdict == "FAILED" or block.broke) and block.target:
        found.append((block.last, Failure(CARGO, block.target, (), _ending(lines, block.last))))
    return found


def _owned(
    block: Block, panics: list[Panic], sections: dict[str, tuple[int, int]], names: list[str]
) -> dict[str, list[Panic]]:
    """Each panic's test: the one in whose section it stands, that its thread is called by, or that was running."""
    failing = set(names)
    spans = sorted((start, end, name) for name, (start, end) in sections.items())
    begun = sorted((at, name) for name, at in block.begun.items())
    owned: dict[str, list[Panic]] = {}
    span = now = 0
    for panic in panics:
        while span < len(spans) and spans[span][1] <= panic.first:
            span += 1
        while now < len(begun) and begun[now][0] <= panic.first:
            now += 1
        name = spans[span][2] if span < len(spans) and spans[span][0] <= panic.first else panic.thread
        latest = begun[now - 1][1] if now else ""
        if name not in failing and latest in failing and block.ended.get(latest, -1) > panic.first:
            name = latest
        owned.setdefault(name, []).append(panic)
    return owned


def _failure(block: Block, name: str, panics: list[Panic], lines: list[str], told: range) -> Failure:
    frames = tuple(dict.fromkeys(frame for panic in panics for frame in panic.frames))[:MOST_FRAMES]
    message = panics[0].message if panics else ""
    example = _EXAMPLE.match(name)
    if example is not None:
        return _of_example(block, example, frames, message, lines, told)
    said, place = _otherwise(lines, told)
    if not panics and not place:
        place = tuple(rust_panics.bare_traces(lines, told.start, told.stop))
    return Failure(CARGO, _test(block, name), (place + frames)[:MOST_FRAMES], said or message)


def _of_example(
    block: Block, example: re.Match[str], frames: tuple[Frame, ...], message: str, lines: list[str], told: range
) -> Failure:
    """An example counts its own lines, so those of its file say nothing; the line it begins on does."""
    test, part = _item(block, example)
    path = example["path"]
    site = Frame(path, int(example["line"]), example["item"].rpartition("::")[2])
    elsewhere = tuple(frame for frame in frames if not _is_same(frame.path, path))
    if not message:
        _, message = rust_errors.told(lines, told.start, told.stop)
    return Failure(RUSTDOC, test, (*elsewhere, site)[:MOST_FRAMES], message, part)


def _is_same(one: str, other: str) -> bool:
    return ("/" + one).endswith("/" + other) or ("/" + other).endswith("/" + one.removeprefix("./"))


def _otherwise(lines: list[str], told: range) -> tuple[str, tuple[Frame, ...]]:
    """(message, place) of a test that should have panicked, or that gave back an error."""
    for at in told:
        line = lines[at]
        if (calm := _NOT_PANICKED.match(line)) is not None:
            place = (Frame(calm["path"], int(calm["line"])),) if calm["path"] else ()
            return "test did not panic as expected", place
        if line == _UNEXPECTED:
            return line.removeprefix("note: "), ()
        if line.startswith(_RETURNED) and at == told.start + 1:
            return short(line), ()
    return "", ()


def _ending(lines: list[str], at: int) -> str:
    """How a program ended that didn't say it itself."""
    for line in lines[at : at + _NEAR]:
        if (how := _ENDED.search(line)) is not None:
            return short(how[0].strip("()"))
    return "test failed"


def _test(block: Block, name: str) -> str:
    return f"{block.target}::{name}" if block.target else name


def _item(block: Block, example: re.Match[str]) -> tuple[str, str]:
    """(test, part): all examples of an item are one test, for their lines move."""
    path = example["path"].replace("\\", "/")
    return f"{path}@{crate(block.target)}::{example['item'] or _WHOLE}", f"(line {example['line']})"


# ---- what passes ----


def _passes(block: Block, failed: set[str], run: CargoRun | None) -> list[Pass]:
    """The whole program, if all of it ran and passed; else each test that is listed."""
    examples = [(name, word) for name, word in block.words.items() if _EXAMPLE.match(name)]
    if examples or block.target.startswith("doc@"):
        return _items(block, examples, failed, run)
    if not block.target:
        return []
    counts = block.counts
    silent = counts.get("passed", 0) - sum(word == "ok" for word in block.words.values())
    if block.verdict == "ok" and counts.get("passed") and not counts.get("filtered"):
        ignored = counts.get("ignored", 0)
        if not ignored or silent > 0:
            return [Pass(CARGO, TESTS, (f"{block.target}::",), (), ignored)]
    named = (_test(block, name) for name, word in block.words.items() if word == "ok")
    tests = tuple(test for test in named if test not in failed)
    return [Pass(CARGO, TESTS, tests)] if tests else []


def _items(block: Block, examples: Iterable[tuple[str, str]], failed: set[str], run: CargoRun | None) -> list[Pass]:
    """The items of which every example passed."""
    if block.counts.get("filtered") and (run is None or not run.takes_whole_items):
        return []
    ended: dict[str, bool] = {}
    for name, word in examples:
        example = _EXAMPLE.match(name)
        if example is not None:
            item, _ = _item(block, example)
            ended[item] = ended.get(item, True) and word == "ok"
    tests = tuple(item for item, whole in ended.items() if whole and item not in failed)
    passes = [Pass(RUSTDOC, TESTS, tests)] if tests else []
    if block.verdict == "ok" and block.target and not block.counts.get("filtered") and not block.counts.get("ignored"):
        passes.append(Pass(CARGO, TESTS, (block.target,)))
    return passes


def _silent(page: Page, told: Output, run: CargoRun | None) -> list[Pass]:
    """What passes of a run that neither names its tests nor its programs."""
    blocks = [block for block in told.blocks if not block.target and not block.words]
    passed = sum(block.counts.get("passed", 0) for block in blocks)
    if not passed or told.hints or any(block.verdict != "ok" for block in told.blocks):
        return []
    whole = page.ok is not False and run is not None and run.decides and len(blocks) == len(told.blocks)
    if run is None or not whole or any(block.counts.get("filtered") for block in blocks):
        return [Pass(CARGO, UNKNOWN)]
    return run.passes(sum(block.counts.get("ignored", 0) for block in blocks))
