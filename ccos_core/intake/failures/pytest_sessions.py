"""One run of pytest as its output tells it: sections, headlines, result lines, the closing line.

This only takes the text apart, with one look at each line; what it means is put together in `python_pytest.py`.
Sections that repeat what isn't a failure (warnings, passes, durations, coverage) are known and left alone, and so is a
whole other run that a failing test printed.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field

from ccos_core.intake.failures.page import Span, Walk

WORDS = ("PASSED", "FAILED", "ERROR", "SKIPPED", "XFAIL", "XPASS", "xfail", "xpass", "RERUN")

_SECTION = re.compile(r"( *)=+ ([A-Za-z!].*?) =+$")
_HEAD = re.compile(r"_+ ((?!_ ).*?\S) _+$")
_CAPTURED = re.compile(r"-{2,} .* -{2,}$")
_KNOWN = "failed|passed|skipped|deselected|xfailed|xpassed|errors?"
_COUNT = r"\d+ [a-z][a-z-]{1,20}(?: [a-z]{1,20})?"
_CLOSING = re.compile(
    rf" *(?P<sep>=+ )?(?P<counts>(?:{_COUNT}, )*\d+ (?:{_KNOWN})(?:, {_COUNT})*|no tests ran)"
    r" in [\d.]+ ?s\w*(?: \([\d:, a-z]+\))?(?: =+)?$"
)
_LONGEST_CLOSING = 400
_PERCENT = re.compile(r"\s+\[ {0,2}\d{1,3}%\]$|\s+\[ *\d+/\d+\]$")
_WORKER = re.compile(r"\s*\[gw\d+\](?: \[ *\d+%\])? (\S+?(?:\[.*?\])?(?: \(.*?\))?) (\S.*)$")
_SUMMARY = re.compile(r"\s*(FAILED|FAIL|ERROR|PASSED|SUBFAIL(?:ED)?(?:\[.*?\])?(?: ?\(.*?\))?) (\S.*)$")
_PART = re.compile(r"SUBFAIL(?:ED)?(?P<part>[\[(].*?[\])])?(?P<more> \(.*?\))?$")
_LETTERS = frozenset(".FEsxXuyR,-")
_WIDTH = 60  # a headline this long is one, also where the section's own title is missing
_MOST_LOOSE_LINES = 200
_CONFTEST = re.compile(r"ImportError while loading conftest '(.+)'\.$")
_CONFTEST_SECTION = "conftest"
_AT = re.compile(r"ERROR (?:at|in) (setup|teardown|call) of (.+)$|ERROR (collecting) (.+)$")
_ENDINGS = (
    *(" SUBFAILED", " SUBFAIL", " SUBPASSED", " SUBPASS", " SUBSKIPPED"), *(" SKIPPED (", " XFAIL (", " XPASS ("),
)  # fmt: skip


@dataclass(slots=True)
class Block:
    """The failure of one test, as it is told below its headline."""

    head: str
    when: str
    """`call`, `setup`, `teardown`, `collecting`; `line` for a section without headlines, `loose` for the rest of a
    failure whose headline is missing."""
    first: int
    lines: list[str] = field(default_factory=list)
    captured: bool = False  # what the test printed has begun
    before: Block | None = None  # of a loose one: whose failure was being told where lines are missing


@dataclass(slots=True)
class Result:
    """One test, and how it ended."""

    at: int
    word: str
    test: str
    message: str = ""
    part: str = ""


@dataclass(slots=True)
class Session(Span):
    """One run."""

    blocks: list[Block] = field(default_factory=list)
    listed: list[Result] = field(default_factory=list)  # as it ran, `-v`
    summary: list[tuple[int, str, str]] = field(default_factory=list)  # (line, word, the rest)
    letters: dict[str, list[str]] = field(default_factory=dict)
    """What happened, a letter for each test, by file; under `` where no file is named."""
    counts: dict[str, int] | None = None  # the closing line


def parse_sessions(lines: list[str]) -> list[Session]:
    """Every run in an output."""
    reader = _Sessions(lines, Session)
    reader.closings = list(map(_closing, lines))
    reader.bare = _bare_closings(lines, reader.closings)
    found = reader.walk()
    if reader.loose >= 0 and reader.where == "run":
        reader.end_loose(len(lines) - 1, whole=True)
    return [each for each in found if each.blocks or each.listed or each.summary or each.counts is not None]


def parse_subtest(word: str) -> str | None:
    """`[msg] (i=1)` for `SUBFAILED[msg] (i=1)`; None for any other word."""
    found = _PART.match(word)
    return None if found is None else (found["part"] or "") + (found["more"] or "")


class _Sessions(Walk[Session]):
    closings: list[re.Match[str] | None]  # of each line what it closes a run with, if it does
    bare: dict[int, bool]
    """Of each title and closing line that another closing line follows: whether that one has no rule."""
    where = "run"  # `run`, `blocks`, `summary`, `aside`: what kind of section this is
    section = ""
    indent = ""
    loud = False  # whether this run began with a title of its own, so that it will close with a rule
    width = 0  # how wide this run draws its sections
    nested = ""  # inside of a run that a failing test printed: `loud` or `quiet`, as that one is
    pending = ""  # a test that has begun and whose result will follow on a line of its own
    file = ""
    loose = -1  # where the text of an exception began that stands below no headline
    since = 0  # where that failure may have begun
    interrupted: Block | None = None

    def interrupt(self, at: int) -> None:
        """Lines are missing, so what follows may be anything."""
        self.end_loose(at)
        if self.where == "blocks" and self.now is not None and self.now.blocks:
            self.interrupted = self.now.blocks[-1]
        self.where, self.pending, self.since = "run", "", at + 1

    def take(self, at: int, line: str) -> None:
        if (closing := self.closings[at]) is not None:
            self._close(at, closing)
        elif self.nested:
            return
        elif line.endswith("=") and (section := _SECTION.match(line)) is not None:
            if not self._is_printed(at, section[2]):
                self._enter(at, section[2], section[1])
        elif self.where == "blocks":
            self._in_blocks(at, line.removeprefix(self.indent))
        elif self.where == "summary":
            if (found := _SUMMARY.match(line)) is not None:
                self.run(at).summary.append((at, found[1], found[2]))
        elif self.where == "run" and line:
            self._in_run(at, line)

    def end_loose(self, at: int, whole: bool = False) -> None:
        """What stood before this line (or up to it) belongs to a failure whose headline was cut off."""
        if self.loose >= 0 and self.where == "run":
            first = max(self.since, self.loose - _MOST_LOOSE_LINES)
            lines = self.lines[first : at + whole]
            self.run(at, self.since).blocks.append(Block("", "loose", first, lines, before=self.interrupted))
        self.loose, self.interrupted = -1, None

    def _is_captured(self) -> bool:
        """Whether this stands in what a failing test printed."""
        now = self.now
        return now is not None and self.where == "blocks" and bool(now.blocks) and now.blocks[-1].captured

    def _close(self, at: int, closing: re.Match[str]) -> None:
        captured = self._is_captured()
        if self.nested:
            self.nested = ""
            return
        if captured and closing["sep"] is None and (self.loud or at in self.bare):
            return
        self.end_loose(at)
        counts: dict[str, int] = {}
        for piece in closing["counts"].split(", "):
            number, _, word = piece.partition(" ")
            if number.isdigit():
                counts[word.removesuffix("s")] = int(number[:9])
        self.run(at).counts = counts
        self.now, self.where, self.file, self.pending, self.since = None, "run", "", "", at + 1
        self.loud = False

    def _enter(self, at: int, title: str, indent: str) -> None:
        if title == "test session starts":
            self.now, self.where, self.file, self.loose, self.since = None, "run", "", -1, at + 1
            self.loud = True
        else:
            self.end_loose(at)
            self.where = "summary" if title.startswith("short test summary") else "aside"
            if title in ("ERRORS", "FAILURES"):
                self.where, self.section = "blocks", title
        self.indent, self.width = indent, len(self.lines[at])
        self.run(at, self.since if self.where in ("summary", "aside") else at)

    def _is_printed(self, at: int, title: str) -> bool:
        """Whether this is no section, but something a failing test printed, perhaps a run of its own."""
        if not self._is_captured():
            return False
        if title == "test session starts":
            self.nested = "loud"
        elif title == self.section == "FAILURES" or (title, self.section) == ("ERRORS", "FAILURES"):
            self.nested = "quiet" if self.loud and self.bare.get(at) else ""
            return True
        return bool(self.nested) or len(self.lines[at]) != self.width

    def _in_blocks(self, at: int, line: str) -> None:
        if self.section == _CONFTEST_SECTION and self._is_over(line):
            self.now, self.where, self.since = None, "run", at
            self._in_run(at, line)
            return
        blocks = self.run(at).blocks
        head = _HEAD.match(line) if line.startswith("_") else None
        if head is not None:
            blocks.append(_block(head[1], at))
        elif not blocks or (self.section == "FAILURES" and blocks[-1].when not in ("call", "line")):
            blocks += [Block("", "line", at, [line])] if line else []
        elif blocks[-1].when == "line":
            blocks[-1].lines.append(line)
        elif line.startswith("--") and _CAPTURED.match(line):
            blocks[-1].captured = True
        elif not blocks[-1].captured:
            blocks[-1].lines.append(line)

    def _is_over(self, line: str) -> bool:
        """A conftest that can't be loaded is told without any closing line, but it ends with what was raised."""
        told = self.now.blocks[-1].lines if self.now is not None else []
        return bool(line) and not line.startswith("E") and bool(told) and told[-1].startswith("E")

    def _in_run(self, at: int, line: str) -> None:
        conftest = _CONFTEST.match(line.strip()) if line.endswith("'.") else None
        if conftest is not None:
            self.run(at).blocks.append(Block(conftest[1], "collecting", at))
            self.where, self.section, self.indent = "blocks", _CONFTEST_SECTION, ""
            return
        if line.startswith("_") and len(line) >= _WIDTH and (head := _HEAD.match(line)) is not None:
            self.end_loose(at)
            self.where, self.section, self.indent = "blocks", "", ""
            self.run(at, self.since).blocks.append(_block(head[1], at))
            return
        if line.startswith("E  ") and self.loose < 0:
            self.loose = at
        found = _PERCENT.search(line, max(0, len(line) - 60)) if line.endswith("]") else None
        body = line if found is None else line[: found.start()].rstrip()
        if "::" in line or (self.pending and body in WORDS) or "FAILED " in line or "ERROR " in line:
            self._result(at, body)
        elif _LETTERS.issuperset(body.rpartition(" ")[2]):
            self._progress(at, body, found is not None)

    def _result(self, at: int, line: str) -> None:
        """`path::test PASSED`, `[gw0] [ 5%] PASSED path::test`, or a word alone after what the test printed."""
        if line in WORDS:
            self.run(at).listed.append(Result(at, line.upper(), self.pending))
            self.pending = ""
            return
        worker = _WORKER.match(line) if "[gw" in line else None
        if worker is not None and "::" in worker[2]:
            self._list(at, worker[2], worker[1])
            return
        test, word = _result_at_end(line)
        if word:
            self._list(at, test, word)
        elif (found := _SUMMARY.match(line)) is not None and _names_a_test(found[2]):
            self.run(at).summary.append((at, found[1], found[2]))
        elif "::" in line and _names_a_test(line.partition(" <- ")[0]):
            # a test has begun; behind its name may stand what it printed
            test = line.partition(" <- ")[0].strip()
            end = test.rfind("]") + 1 if "[" in test.partition(" ")[0] else test.find(" ")
            self.pending = test[:end] if end > 0 else test

    def _list(self, at: int, test: str, word: str) -> None:
        self.pending = ""
        part = parse_subtest(word)
        plain = "SUBFAILED" if part is not None else word.partition("[")[0].partition("(")[0].upper()
        name = test.partition(" <- ")[0].strip()
        self.run(at).listed.append(Result(at, plain, name, part=part or ""))

    def _progress(self, at: int, line: str, percent: bool) -> None:
        """`tests/test_api.py ..F.`, or the letters alone where they go on."""
        path, space, letters = line.strip().rpartition(" ")
        if space and not (path.endswith((".py", ".rst", ".txt", ".md")) and letters):
            return
        if not space and not percent and not (self.now is not None and len(letters) > 2):
            return
        self.file = path if space else self.file
        self.run(at).letters.setdefault(self.file, []).append(letters)


def _closing(line: str) -> re.Match[str] | None:
    return _CLOSING.match(line) if " in " in line and line[-1] in "s=)" and len(line) < _LONGEST_CLOSING else None


def _bare_closings(lines: list[str], closings: list[re.Match[str] | None]) -> dict[int, bool]:
    """Of each title and closing line that another closing line follows: whether that is one of a quiet run."""
    bare: dict[int, bool] = {}
    ahead: bool | None = None
    for at in range(len(lines) - 1, -1, -1):
        closing = closings[at]
        if ahead is not None and (closing is not None or lines[at].endswith("=")):
            bare[at] = ahead
        if closing is not None:
            ahead = closing["sep"] is None
    return bare


def _block(title: str, at: int) -> Block:
    found = _AT.match(title)
    if found is None:
        return Block(title, "call", at)
    return Block(found[2] or found[4], found[1] or found[3], at)


def _result_at_end(line: str) -> tuple[str, str]:
    """(test, word) of `test SKIPPED (reason)`; the word is empty where there is none."""
    for opening in _ENDINGS:
        if opening in line:
            test, _, rest = line.partition(opening)
            word = opening.strip(" (") + (rest if "SUB" in opening else "")
            return (test.strip(), word) if "::" in test else ("", "")
    test, _, word = line.rpartition(" ")
    return (test.strip(), word) if word in WORDS and _names_a_test(test) else ("", "")


def _names_a_test(said: str) -> bool:
    path = said.lstrip().partition("::")[0].partition(" - ")[0]
    return 0 < len(path) < 400 and path.endswith((".py", ".rst", ".txt", ".md", ".pyx"))
