"""The test programs of Rust as their output tells them: one block for each, from `running 3 tests` to `test result:`.

This only takes the text apart, with one look at each line. cargo says which program runs now on the other stream, so
its lines may stand above the blocks, between them or behind all of them; `target` is only set where that is clear.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from itertools import pairwise

from ccos_core.intake.failures import rust_targets
from ccos_core.intake.failures.lines import CLAIMED, CUT

_START = re.compile(r"running (\d{1,9}) tests?$")
_RESULT = re.compile(r"test (?P<name>\S.*?)(?P<kind> - should panic| - compile fail| - compile)? \.\.\. ?(?P<word>.*)$")
_WORD = re.compile(r"(ok|FAILED|ignored)(?:, .*| <[\d.]+s>| \(.*\))?$")
_BRIEF = re.compile(r"(?P<name>\S.*?) --- FAILED$")
_SECTION = re.compile(r"---- (?P<name>\S.*?) (?:stdout|stderr) ----$")
_VERDICT = re.compile(r"test result: (?P<word>ok|FAILED)\. (?P<counts>.*)$")
_COUNT = re.compile(r"(\d{1,9}) ([a-z]+)")
_LONGEST_NAME = 1_000


@dataclass(slots=True)
class Block:
    """One program's tests."""

    first: int
    last: int
    total: int | None = None
    target: str = ""
    words: dict[str, str] = field(default_factory=dict)
    """How each test ended that is listed: ok, FAILED, ignored; empty while it hadn't."""
    begun: dict[str, int] = field(default_factory=dict)
    """The line a test is listed on, ..."""
    ended: dict[str, int] = field(default_factory=dict)
    """... and the one that says how it ended, where that is another."""
    sections: list[tuple[str, int, int]] = field(default_factory=list)
    """(test, from, to) of what each failing test printed."""
    failed: list[str] = field(default_factory=list)
    """The list of failures at the end."""
    verdict: str = ""
    counts: dict[str, int] = field(default_factory=dict)
    broke: bool = False
    """Whether cargo said at once that it failed."""


@dataclass(slots=True)
class Output:
    """All of them."""

    blocks: list[Block] = field(default_factory=list)
    running: list[tuple[int, str]] = field(default_factory=list)
    """(line, program) of each that cargo says it runs."""
    hints: list[tuple[int, str]] = field(default_factory=list)
    """(line, program or nothing) where cargo says that one failed."""
    cuts: list[int] = field(default_factory=list)


def output(lines: list[str]) -> Output:
    reader = _Reader(lines)
    for at, line in enumerate(lines):
        reader.take(at, line)
    reader.close(len(lines) - 1)
    found = reader.out
    found.blocks = [block for block in found.blocks if block.total is not None or block.verdict or block.failed]
    _targets(found)
    return found


class _Reader:
    def __init__(self, lines: list[str]) -> None:
        self.lines = lines
        self.out = Output()
        self.now: Block | None = None
        self.where = "run"
        """`run`, `sections` (of failures), `aside` (of successes), `list` (of failures)."""
        self.pending = ""

    def take(self, at: int, line: str) -> None:
        if line in (CLAIMED, CUT):
            self.close(at - 1)
            self.out.cuts.append(at)
        elif line.startswith("running ") and (start := _START.match(line)) is not None and self.where == "run":
            self.close(at - 1)
            self._block(at).total = int(start[1])
        elif line.startswith("test result: ") and (verdict := _VERDICT.match(line)) is not None:
            self._end(at, verdict)
        elif (target := rust_targets.running(line)) is not None:
            self.close(at - 1)
            self.out.running.append((at, target))
        elif line.startswith(rust_targets.FAILED):
            self._broke(at, line)
        elif line == "failures:" or line == "successes:":
            self._turn(at, line)
        elif self.where == "run":
            self._in_run(at, line)
        elif self.where == "list":
            self._in_list(at, line)
        elif self.now is not None:
            self._in_sections(self.now, at, line)

    def close(self, at: int) -> None:
        """A program's output ends with this line."""
        if self.now is not None:
            self._end_section(at)
            self.now.last = max(self.now.last, at) if self.where == "sections" else self.now.last
        self.now, self.where, self.pending = None, "run", ""

    def _block(self, at: int) -> Block:
        if self.now is None:
            self.now = Block(at, at)
            self.out.blocks.append(self.now)
        self.now.last = at
        return self.now

    def _end(self, at: int, verdict: re.Match[str]) -> None:
        self._end_section(at - 1)
        block = self._block(at)
        block.verdict = verdict["word"]
        block.counts = {word: int(number) for number, word in _COUNT.findall(verdict["counts"])}
        self.now, self.where, self.pending = None, "run", ""

    def _broke(self, at: int, line: str) -> None:
        if self.now is not None and not self.now.verdict:
            self.now.broke = True
            self.now.last = at
        self.close(at - 1)
        self.out.hints.append((at, rust_targets.hinted(line) or ""))

    def _turn(self, at: int, line: str) -> None:
        block = self._block(at)
        self._end_section(at - 1)
        if line == "successes:":
            self.where = "aside"
        elif self.where == "sections" and block.sections:
            self.where = "list"
        else:
            self.where = "sections"

    def _in_run(self, at: int, line: str) -> None:
        if line.startswith("test ") and (result := _RESULT.match(line[:_LONGEST_NAME])) is not None:
            word = _WORD.match(result["word"])
            name = result["name"]
            block = self._block(at)
            block.words[name] = word[1] if word is not None else ""
            block.begun.setdefault(name, at)
            self.pending = "" if word is not None else name
        elif line in ("ok", "FAILED", "ignored") and self.pending:
            block = self._block(at)
            block.words[self.pending], block.ended[self.pending] = line, at
            self.pending = ""
        elif line.endswith(" --- FAILED") and self.now is not None and (brief := _BRIEF.match(line)) is not None:
            self._block(at).words[brief["name"]] = "FAILED"
        elif line.startswith("---- ") and _SECTION.match(line) is not None:  # what stands above was cut off
            self.where = "sections"
            self._in_sections(self._block(at), at, line)

    def _in_list(self, at: int, line: str) -> None:
        if line.startswith("    ") and line.strip():
            self._block(at).failed.append(line.strip())
        elif line:
            self.where = "run"
            self._in_run(at, line)

    def _in_sections(self, block: Block, at: int, line: str) -> None:
        section = _SECTION.match(line) if line.startswith("---- ") else None
        block.last = at
        if section is not None:
            self._end_section(at - 1)
            if self.where == "sections":
                block.sections.append((section["name"], at, -1))
        elif self.where == "sections" and not block.sections and line.startswith("    "):
            self.where = "list"
            self._in_list(at, line)

    def _end_section(self, at: int) -> None:
        if self.now is not None and self.now.sections and self.now.sections[-1][2] < 0:
            name, first, _ = self.now.sections[-1]
            self.now.sections[-1] = (name, first, at + 1)


def _targets(found: Output) -> None:
    """Which program each block belongs to."""
    named = [target for _, target in found.running]
    if not _beside(found) and not found.cuts and len(named) == len(found.blocks):
        for block, target in zip(found.blocks, named, strict=True):
            block.target = target
    failed = [block for block in found.blocks if block.verdict == "FAILED" or block.broke or block.failed]
    if not named and len(failed) == len(found.hints):
        for block, (_, target) in zip(failed, found.hints, strict=True):
            block.target = target
    else:
        _by_hints(found, failed)


def _by_hints(found: Output, failed: list[Block]) -> None:
    """A block is what the hint below it says, where hints and blocks take turns."""
    marks = sorted([*found.hints, *((block.first, "") for block in found.blocks)])
    hints = {at for at, _ in found.hints}
    below = {one: (other, target) for (one, _), (other, target) in pairwise(marks) if other in hints}
    twice = {one for (one, _), (other, _) in pairwise(marks) if one in hints and other in hints}
    for block in failed:
        hint, target = below.get(block.first, (-1, ""))
        if not block.target and hint not in twice:
            block.target = target


def _beside(found: Output) -> bool:
    """Whether the two streams are one here; then each block belongs to the program named right above it."""
    marks = sorted([*found.running, *((at, "") for at in found.cuts), *((block.first, "") for block in found.blocks)])
    firsts = {block.first for block in found.blocks}
    pairs = list(pairwise(marks))
    if any(one in firsts and other in firsts for (one, _), (other, _) in pairs):
        return False
    if not any(target and other in firsts for (_, target), (other, _) in pairs):
        return False
    above = {other: target for (_, target), (other, _) in pairs}
    for block in found.blocks:
        block.target = above.get(block.first, "")
    return True
