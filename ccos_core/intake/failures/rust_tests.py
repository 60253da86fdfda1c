"""The test programs of Rust: which tests failed and where, and which pass.

`TestOutput` takes the text apart, one block for each program, from `running 3 tests` to `test result:`. cargo says
which program runs now on the other stream, so its lines may stand above the blocks, between them or behind all of them.
What a failing test printed stands below its name. Where nothing is held back, the panics stand between the results, and
a panic's thread has the name of its test.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from itertools import pairwise

from ccos_core.intake.failures import rust_errors, rust_panics, rust_targets
from ccos_core.intake.failures.page import MOST_FRAMES, Findings, Page, Span, Walk, count_words, short
from ccos_core.intake.failures.rust_panics import Panic
from ccos_core.intake.failures.rust_scopes import CARGO, RUSTDOC, CargoRun
from ccos_core.values.outcome import TESTS, UNKNOWN, Failure, Frame, Pass

_START = re.compile(r"running (\d{1,9}) tests?$")
_RESULT = re.compile(r"test (?P<name>\S.*?)(?P<kind> - should panic| - compile fail| - compile)? \.\.\. ?(?P<word>.*)$")
_WORD = re.compile(r"(ok|FAILED|ignored)(?:, .*| <[\d.]+s>| \(.*\))?$")
_BRIEF = re.compile(r"(?P<name>\S.*?) --- FAILED$")
_SECTION = re.compile(r"---- (?P<name>\S.*?) (?:stdout|stderr) ----$")
_VERDICT = re.compile(r"test result: (?P<word>ok|FAILED)\. (?P<counts>.*)$")
_LONGEST_NAME = 1_000
_EXAMPLE = re.compile(r"(?P<path>\S.*?\.(?:rs|md)) - (?P<item>.*?) ?\(line (?P<line>\d{1,9})\)$")
_WHOLE = "(module)"  # what an example belongs to that stands in the documentation of a file
_NOT_PANICKED = re.compile(
    r"note: test did not panic as expected(?: at (?P<path>\S.*?):(?P<line>\d{1,9})(?::\d{1,9})?)?$"
)
_UNEXPECTED = "note: panic did not contain expected string"
_RETURNED = "Error: "
_ENDED = re.compile(r"\((?:exit (?:status|code)|signal): .*\)$")
_END_DISTANCE = 6
_MOST_SECTION_LINES = 400  # of what one test printed, looked at for what isn't a panic


@dataclass(slots=True)
class Block(Span):
    """One program's tests."""

    total: int | None = None
    target: str = ""  # the program, where that is clear
    words: dict[str, str] = field(default_factory=dict)  # how each listed test ended; empty while it hadn't
    begun: dict[str, int] = field(default_factory=dict)  # the line a test is listed on
    ended: dict[str, int] = field(default_factory=dict)  # the one that says how it ended, where that is another
    sections: dict[str, tuple[int, int]] = field(default_factory=dict)  # [from, to) of what a failing test printed
    failed: list[str] = field(default_factory=list)  # the list of failures at the end
    verdict: str = ""
    counts: dict[str, int] = field(default_factory=dict)
    broke: bool = False  # cargo said at once that it failed

    def name(self, test: str) -> str:
        return f"{self.target}::{test}" if self.target else test


class TestOutput(Walk[Block]):
    """The blocks of an output, and what cargo says of them, with the lines it says it on."""

    def __init__(self, lines: list[str]) -> None:
        super().__init__(lines, Block)
        self.running: list[tuple[int, str]] = []  # programs
        self.hints: list[tuple[int, str]] = []  # programs that failed, or nothing
        self.cuts: list[int] = []
        self.where = "run"  # `run`, `sections` (of failures), `aside` (of successes), `list` (of failures)
        self.pending = ""  # a test that has begun and whose result will follow on a line of its own
        self.section = ("", 0)  # (test, line) of the section that is open
        self.walk()
        self._close(len(lines) - 1)
        self.blocks = [block for block in self.runs if block.total is not None or block.verdict or block.failed]
        self._name_blocks()

    def interrupt(self, at: int) -> None:
        self._close(at - 1)
        self.cuts.append(at)

    def take(self, at: int, line: str) -> None:
        if line.startswith("running ") and (start := _START.match(line)) is not None and self.where == "run":
            self._close(at - 1)
            self.run(at).total = int(start[1])
        elif line.startswith("test result: ") and (verdict := _VERDICT.match(line)) is not None:
            self._end_section(at - 1)
            block = self.run(at)
            block.verdict, block.counts = verdict["word"], count_words(verdict["counts"])
            self.now, self.where, self.pending = None, "run", ""
        elif (target := rust_targets.parse_running(line)) is not None:
            self._close(at - 1)
            self.running.append((at, target))
        elif line.startswith(rust_targets.FAILED):
            if self.now is not None and not self.now.verdict:
                self.now.broke = True
                self.now.last = at
            self._close(at - 1)
            self.hints.append((at, rust_targets.parse_hint(line)))
        elif line in ("failures:", "successes:"):
            block = self.run(at)
            self._end_section(at - 1)
            listing = self.where == "sections" and block.sections
            self.where = "aside" if line == "successes:" else "list" if listing else "sections"
        elif self.where == "run":
            self._in_run(at, line)
        elif self.where == "list":
            self._in_list(at, line)
        elif self.now is not None:
            self._in_sections(self.now, at, line)

    def _close(self, at: int) -> None:
        """End a program's output with this line."""
        if self.now is not None:
            self._end_section(at)
            self.now.last = max(self.now.last, at) if self.where == "sections" else self.now.last
        self.now, self.where, self.pending = None, "run", ""

    def _in_run(self, at: int, line: str) -> None:
        if line.startswith("test ") and (result := _RESULT.match(line[:_LONGEST_NAME])) is not None:
            word = _WORD.match(result["word"])
            name = result["name"]
            block = self.run(at)
            block.words[name] = word[1] if word is not None else ""
            block.begun.setdefault(name, at)
            self.pending = "" if word is not None else name
        elif line in ("ok", "FAILED", "ignored") and self.pending:
            block = self.run(at)
            block.words[self.pending], block.ended[self.pending] = line, at
            self.pending = ""
        elif line.endswith(" --- FAILED") and self.now is not None and (brief := _BRIEF.match(line)) is not None:
            self.run(at).words[brief["name"]] = "FAILED"
        elif line.startswith("---- ") and _SECTION.match(line) is not None:  # what stands above was cut off
            self.where = "sections"
            self._in_sections(self.run(at), at, line)

    def _in_list(self, at: int, line: str) -> None:
        if line.startswith("    ") and line.strip():
            self.run(at).failed.append(line.strip())
        elif line:
            self.where = "run"
            self._in_run(at, line)

    def _in_sections(self, block: Block, at: int, line: str) -> None:
        section = _SECTION.match(line) if line.startswith("---- ") else None
        block.last = at
        if section is not None:
            self._end_section(at - 1)
            if self.where == "sections":
                self.section = (section["name"], at)
        elif self.where == "sections" and not block.sections and not self.section[0] and line.startswith("    "):
            self.where = "list"
            self._in_list(at, line)

    def _end_section(self, at: int) -> None:
        name, first = self.section
        if self.now is not None and name:
            self.now.sections.setdefault(name, (first, at + 1))
        self.section = ("", 0)

    def _name_blocks(self) -> None:
        """Find out which program each block belongs to."""
        named = [target for _, target in self.running]
        if not self._name_by_lines_above() and not self.cuts and len(named) == len(self.blocks):
            for block, target in zip(self.blocks, named, strict=True):
                block.target = target
        failed = [block for block in self.blocks if block.verdict == "FAILED" or block.broke or block.failed]
        if not named and len(failed) == len(self.hints):
            for block, (_, target) in zip(failed, self.hints, strict=True):
                block.target = target
            return
        # a block is what the hint below it says, where hints and blocks take turns
        pairs = list(pairwise(sorted([*self.hints, *((block.first, "") for block in self.blocks)])))
        hints = {at for at, _ in self.hints}
        below = {one: (other, target) for (one, _), (other, target) in pairs if other in hints}
        twice = {one for (one, _), (other, _) in pairs if one in hints and other in hints}
        for block in failed:
            hint, target = below.get(block.first, (-1, ""))
            if not block.target and hint not in twice:
                block.target = target

    def _name_by_lines_above(self) -> bool:
        """Where the two streams are one, name each block by the program right above it; return whether they are."""
        firsts = {block.first for block in self.blocks}
        marks = [*self.running, *((at, "") for at in self.cuts), *((block.first, "") for block in self.blocks)]
        pairs = list(pairwise(sorted(marks)))
        if any(one in firsts and other in firsts for (one, _), (other, _) in pairs):
            return False
        if not any(target and other in firsts for (_, target), (other, _) in pairs):
            return False
        above = {other: target for (_, target), (other, _) in pairs}
        for block in self.blocks:
            block.target = above.get(block.first, "")
        return True


def read(found: Findings, page: Page, output: TestOutput, run: CargoRun | None) -> None:
    """Each program's tests; then what the whole run says."""
    within = {at for block in output.blocks for at in range(block.first, block.last + 1)}
    rest = ["" if at in within else line for at, line in enumerate(page.lines)] if output.blocks else []
    loose = rust_panics.find_panics(rest)  # they stand in no block, because they came over the other stream
    outside: dict[str, list[Panic]] = {}
    for panic in loose:
        outside.setdefault(panic.thread, []).append(panic)
    passed: list[Pass] = []
    for block in output.blocks:
        failures = _failures(page.lines, block, outside)
        found.add_run(block, failures, [])
        passed += _passes(block, {failure.test for _, failure in failures}, run)
    found.claimed += [(panic.first, panic.last + 1) for panic in loose if panic.thread not in outside]
    last = max((block.last for block in output.blocks), default=0)
    found.passes += [(last, each) for each in [*passed, *_silent_passes(page, output, run)]]
    for at, hinted in output.hints if not output.blocks else ():  # a program of tests that says nothing itself
        running = [target for line, target in output.running if line < at]
        target = running[-1] if running else hinted
        found.failures.append((at, Failure(CARGO, target, (), _ending(page.lines, at))))


# ---- what failed ----


def _failures(lines: list[str], block: Block, outside: dict[str, list[Panic]]) -> list[tuple[int, Failure]]:
    """Of one program; `outside` are the panics that belong to no block, by thread: those that do are taken out."""
    panics = rust_panics.find_panics(lines, block.first, block.last + 1)
    names = [*block.sections, *block.failed, *(name for name, word in block.words.items() if word == "FAILED")]
    if block.broke:
        names += [panic.thread for panic in panics if panic.message == rust_panics.OVERFLOWED]
    owned = _assign(block, panics, set(names))
    found: list[tuple[int, Failure]] = []
    for name in dict.fromkeys(names):
        start, end = block.sections.get(name, (0, 0))
        mine = owned.get(name) or outside.pop(name, [])
        at = start if end else block.begun.get(name, block.last)
        found.append((at, _failure(block, name, mine, lines, range(start, min(end, start + _MOST_SECTION_LINES)))))
    if not found and (block.verdict == "FAILED" or block.broke) and block.target:
        found.append((block.last, Failure(CARGO, block.target, (), _ending(lines, block.last))))
    return found


def _assign(block: Block, panics: list[Panic], failing: set[str]) -> dict[str, list[Panic]]:
    """Each panic's test: the one in whose section it stands, that its thread is called by, or that was running."""
    spans = sorted((start, end, name) for name, (start, end) in block.sections.items())
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
        # it counts its own lines, so those of its file say nothing; the line it begins on does
        path = example["path"]
        site = Frame(path, int(example["line"]), example["item"].rpartition("::")[2])
        elsewhere = tuple(frame for frame in frames if not _is_same(frame.path, path))
        message = message or rust_errors.first_error(lines, told.start, told.stop)
        part = f"(line {example['line']})"
        return Failure(RUSTDOC, _item(block, example), (*elsewhere, site)[:MOST_FRAMES], message, part)
    said, place = _otherwise(lines, told)
    if not panics and not place:
        place = tuple(rust_panics.bare_trace(lines, told.start, told.stop))
    return Failure(CARGO, block.name(name), (place + frames)[:MOST_FRAMES], said or message)


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
    ends = (how for line in lines[at : at + _END_DISTANCE] if (how := _ENDED.search(line)) is not None)
    how = next(ends, None)
    return "test failed" if how is None else short(how[0].strip("()"))


def _item(block: Block, example: re.Match[str]) -> str:
    """All examples of an item are one test, for their lines move."""
    path = example["path"].replace("\\", "/")
    return f"{path}@{rust_targets.crate_of(block.target)}::{example['item'] or _WHOLE}"


# ---- what passes ----


def _passes(block: Block, failed: set[str], run: CargoRun | None) -> list[Pass]:
    """The whole program, if all of it ran and passed; else each test that is listed."""
    counts = block.counts
    examples = [(example, word) for name, word in block.words.items() if (example := _EXAMPLE.match(name)) is not None]
    if examples or block.target.startswith("doc@"):
        if counts.get("filtered") and (run is None or not run.takes_whole_items):
            return []
        whole: dict[str, bool] = {}  # of each item, whether every example passed
        for example, word in examples:
            item = _item(block, example)
            whole[item] = whole.get(item, True) and word == "ok"
        tests = tuple(item for item, passed in whole.items() if passed and item not in failed)
        passes = [Pass(RUSTDOC, TESTS, tests)] if tests else []
        if block.verdict == "ok" and block.target and not counts.get("filtered") and not counts.get("ignored"):
            passes.append(Pass(CARGO, TESTS, (block.target,)))
        return passes
    if not block.target:
        return []
    silent = counts.get("passed", 0) - sum(word == "ok" for word in block.words.values())
    ignored = counts.get("ignored", 0)
    if block.verdict == "ok" and counts.get("passed") and not counts.get("filtered") and (not ignored or silent > 0):
        return [Pass(CARGO, TESTS, (f"{block.target}::",), (), ignored)]
    named = (block.name(name) for name, word in block.words.items() if word == "ok")
    tests = tuple(test for test in named if test not in failed)
    return [Pass(CARGO, TESTS, tests)] if tests else []


def _silent_passes(page: Page, output: TestOutput, run: CargoRun | None) -> list[Pass]:
    """What passes of a run that neither names its tests nor its programs."""
    blocks = [block for block in output.blocks if not block.target and not block.words]
    passed = sum(block.counts.get("passed", 0) for block in blocks)
    if not passed or output.hints or any(block.verdict != "ok" for block in output.blocks):
        return []
    whole = page.ok is not False and run is not None and run.decides and len(blocks) == len(output.blocks)
    if run is None or not whole or any(block.counts.get("filtered") for block in blocks):
        return [Pass(CARGO, UNKNOWN)]
    return run.passes(sum(block.counts.get("ignored", 0) for block in blocks))
