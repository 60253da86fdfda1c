"""One run of pytest as its output tells it: sections, headlines, result lines, the closing line.

This only takes the text apart, with one look at each line; what it means is put together in `python_pytest.py`.
Sections that repeat what isn't a failure (warnings, passes, durations, coverage) are known and left alone, and so is a
whole other run that a failing test printed.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field

from ccos_core.intake.failures import pytest_ids
from ccos_core.intake.failures.lines import CLAIMED, CUT

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
_LETTERS = frozenset(".FEsxXuyR,-")
_WIDTH = 60
"""A headline this long is one, also where the section's own title is missing."""
_LONGEST_LOOSE = 200
_CONFTEST = re.compile(r"ImportError while loading conftest '(.+)'\.$")
_CONFTEST_SECTION = "conftest"
_AT = re.compile(r"ERROR (?:at|in) (setup|teardown|call) of (.+)$|ERROR (collecting) (.+)$")


@dataclass(slots=True)
class Block:
    """The failure of one test, as it is told below its headline."""

    head: str
    when: str
    """`call`, `setup`, `teardown`, `collecting`; `line` for a section without headlines, `loose` for the rest of a
    failure whose headline is missing."""
    first: int
    lines: list[str] = field(default_factory=list)
    captured: bool = False
    """Whether what the test printed has begun."""
    before: Block | None = None
    """Of a loose one: whose failure was being told where lines are missing."""


@dataclass(slots=True)
class Result:
    """One test, and how it ended."""

    at: int
    word: str
    test: str
    message: str = ""
    part: str = ""


@dataclass(slots=True)
class Session:
    """One run."""

    first: int
    last: int = 0
    blocks: list[Block] = field(default_factory=list)
    listed: list[Result] = field(default_factory=list)
    """As it ran, `-v`."""
    summary: list[tuple[int, str, str]] = field(default_factory=list)
    """(line, word, the rest) of its summary."""
    letters: dict[str, list[str]] = field(default_factory=dict)
    """What happened, a letter for each test, by file; under `` where no file is named."""
    counts: dict[str, int] | None = None
    """The closing line; None while there wasn't any."""


def sessions(lines: list[str]) -> list[Session]:
    """Every run in an output."""
    reader = _Reader(lines)
    for at, line in enumerate(lines):
        reader.take(at, line)
    reader.end()
    return [session for session in reader.sessions if session.blocks or _says_something(session)]


def _says_something(session: Session) -> bool:
    return bool(session.listed or session.summary or session.counts is not None)


class _Reader:
    def __init__(self, lines: list[str]) -> None:
        self.lines = lines
        self.sessions: list[Session] = []
        self.now: Session | None = None
        self.where = "run"
        """`run`, `blocks`, `summary`, `aside`: what kind of section this is."""
        self.section = ""
        self.indent = ""
        self.loud = False
        """Whether this run began with a title of its own, so that it will close with a rule."""
        self.width = 0
        """How wide this run draws its sections."""
        self.nested = ""
        """Inside of a run that a failing test printed: `loud` or `quiet`, as that one is."""
        self.closings = list(map(_closing, lines))
        """Of each line what it closes a run with, if it does."""
        self.bare = _bare_closings(lines, self.closings)
        """Of each title and closing line that another closing line follows: whether that one has no rule."""
        self.pending = ""
        """A test that has begun and whose result will follow on a line of its own."""
        self.file = ""
        self.loose = -1
        """Where the text of an exception began that stands below no headline."""
        self.since = 0
        """Where that failure may have begun."""
        self.interrupted: Block | None = None

    def end(self) -> None:
        """What the end of the text ends."""
        if self.loose >= 0 and self.where == "run":
            self._loose(len(self.lines) - 1, whole=True)

    def take(self, at: int, line: str) -> None:
        if line in (CLAIMED, CUT):
            self._interrupt(at)
            return
        if (closing := self.closings[at]) is not None:
            self._close(at, closing)
        elif self.nested:
            return
        elif line.endswith("=") and (section := _SECTION.match(line)) is not None:
            self._enter(at, section[2], section[1])
        elif self.where == "blocks":
            self._in_blocks(at, line.removeprefix(self.indent))
        elif self.where == "summary":
            self._in_summary(at, line)
        elif self.where == "run" and line:
            self._in_run(at, line)

    def _session(self, at: int, middle: bool = False) -> Session:
        """The run this belongs to; when it is come upon in its middle, what stands above is its as well."""
        if self.now is None:
            self.now = Session(self.since if middle else at)
            self.sessions.append(self.now)
        self.now.last = at
        return self.now

    def _close(self, at: int, closing: re.Match[str]) -> None:
        captured = self.now is not None and self.where == "blocks" and self.now.blocks and self.now.blocks[-1].captured
        if self.nested:
            self.nested = ""
            return
        if captured and closing["sep"] is None and (self.loud or at in self.bare):
            return
        self._loose(at)
        session = self._session(at)
        session.counts = _counted(closing["counts"])
        self.now, self.where, self.file, self.pending, self.since = None, "run", "", "", at + 1
        self.loud = False

    def _enter(self, at: int, title: str, indent: str) -> None:
        if self._is_printed(at, title):
            return
        if title == "test session starts":
            self.now, self.where, self.file, self.loose, self.since = None, "run", "", -1, at + 1
            self.loud = True
        elif title in ("ERRORS", "FAILURES"):
            self._loose(at)
            self.where, self.section = "blocks", title
        elif title.startswith("short test summary"):
            self._loose(at)
            self.where = "summary"
        else:
            self._loose(at)
            self.where = "aside"
        self.indent, self.width = indent, len(self.lines[at])
        self._session(at, middle=self.where in ("summary", "aside"))

    def _is_printed(self, at: int, title: str) -> bool:
        """Whether this is no section, but something a failing test printed, perhaps a run of its own."""
        if self.now is None or self.where != "blocks" or not self.now.blocks or not self.now.blocks[-1].captured:
            return False
        if title == "test session starts":
            self.nested = "loud"
        elif title == self.section == "FAILURES" or (title, self.section) == ("ERRORS", "FAILURES"):
            self.nested = "quiet" if self.loud and self.bare.get(at) else ""
            return True
        return bool(self.nested) or len(self.lines[at]) != self.width

    def _loose(self, at: int, whole: bool = False) -> None:
        """What stood before this line (or up to it) belongs to a failure whose headline was cut off."""
        if self.loose >= 0 and self.where == "run":
            first = max(self.since, self.loose - _LONGEST_LOOSE)
            told = self.lines[first : at + whole]
            self._session(at, middle=True).blocks.append(Block("", "loose", first, told, before=self.interrupted))
        self.loose, self.interrupted = -1, None

    def _interrupt(self, at: int) -> None:
        """Lines are missing, so what follows may be anything."""
        self._loose(at)
        if self.where == "blocks" and self.now is not None and self.now.blocks:
            self.interrupted = self.now.blocks[-1]
        self.where, self.pending, self.since = "run", "", at + 1

    def _in_blocks(self, at: int, line: str) -> None:
        if self.section == _CONFTEST_SECTION and self._is_over(line):
            self.now, self.where, self.since = None, "run", at
            self._in_run(at, line)
            return
        session = self._session(at)
        head = _HEAD.match(line) if line.startswith("_") else None
        if head is not None:
            session.blocks.append(_block(head[1], at))
        elif not session.blocks or (self.section == "FAILURES" and session.blocks[-1].when not in ("call", "line")):
            if line:
                session.blocks.append(Block("", "line", at, [line]))
        elif session.blocks[-1].when == "line":
            session.blocks[-1].lines.append(line)
        elif line.startswith("--") and _CAPTURED.match(line):
            session.blocks[-1].captured = True
        elif not session.blocks[-1].captured:
            session.blocks[-1].lines.append(line)

    def _is_over(self, line: str) -> bool:
        """A conftest that can't be loaded is told without any closing line, but it ends with what was raised."""
        told = self.now.blocks[-1].lines if self.now is not None else []
        return bool(line) and not line.startswith("E") and bool(told) and told[-1].startswith("E")

    def _in_summary(self, at: int, line: str) -> None:
        found = _SUMMARY.match(line)
        if found is not None:
            self._session(at).summary.append((at, found[1], found[2]))

    def _in_run(self, at: int, line: str) -> None:
        conftest = _CONFTEST.match(line.strip()) if line.endswith("'.") else None
        if conftest is not None:
            self._session(at).blocks.append(Block(conftest[1], "collecting", at))
            self.where, self.section, self.indent = "blocks", _CONFTEST_SECTION, ""
            return
        if line.startswith("_") and len(line) >= _WIDTH and (head := _HEAD.match(line)) is not None:
            self._loose(at)
            self.where, self.section, self.indent = "blocks", "", ""
            self._session(at, middle=True).blocks.append(_block(head[1], at))
            return
        if line.startswith("E  ") and self.loose < 0:
            self.loose = at
        body, percent = _without_percent(line)
        if "::" in line or (self.pending and body in WORDS) or "FAILED " in line or "ERROR " in line:
            self._result(at, body)
        elif _LETTERS.issuperset(body.rpartition(" ")[2]):
            self._progress(at, body, percent)

    def _result(self, at: int, line: str) -> None:
        """`path::test PASSED`, `[gw0] [ 5%] PASSED path::test`, or a word alone after what the test printed."""
        if line in WORDS:
            self._session(at).listed.append(Result(at, line.upper(), self.pending))
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
            self._session(at).summary.append((at, found[1], found[2]))
        elif "::" in line and _names_a_test(line.partition(" <- ")[0]):
            self.pending = _begun(line)

    def _list(self, at: int, test: str, word: str) -> None:
        self.pending = ""
        part = pytest_ids.subtest(word)
        plain = "SUBFAILED" if part is not None else word.partition("[")[0].partition("(")[0].upper()
        name = test.partition(" <- ")[0].strip()
        self._session(at).listed.append(Result(at, plain, name, part=part or ""))

    def _progress(self, at: int, line: str, percent: bool) -> None:
        """`tests/test_api.py ..F.`, or the letters alone where they go on."""
        path, space, letters = line.strip().rpartition(" ")
        if space and not (path.endswith((".py", ".rst", ".txt", ".md")) and letters):
            return
        if not space and not percent and not (self.now is not None and len(letters) > 2):
            return
        session = self._session(at)
        self.file = path if space else self.file
        session.letters.setdefault(self.file, []).append(letters)


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


def _counted(text: str) -> dict[str, int]:
    counts: dict[str, int] = {}
    for piece in text.split(", "):
        number, _, word = piece.partition(" ")
        if number.isdigit():
            counts[word.removesuffix("s")] = int(number[:9])
    return counts


def _without_percent(line: str) -> tuple[str, bool]:
    found = _PERCENT.search(line, max(0, len(line) - 60)) if line.endswith("]") else None
    return (line[: found.start()].rstrip(), True) if found is not None else (line, False)


def _result_at_end(line: str) -> tuple[str, str]:
    """(test, word) of `test SKIPPED (reason)`; the word is empty where there is none."""
    for opening in (
        " SUBFAILED",
        " SUBFAIL",
        " SUBPASSED",
        " SUBPASS",
        " SUBSKIPPED",
        " SKIPPED (",
        " XFAIL (",
        " XPASS (",
    ):
        if opening in line:
            test, _, rest = line.partition(opening)
            return (
                (test.strip(), opening.strip(" (") + (rest if "SUB" in opening else "")) if "::" in test else ("", "")
            )
    test, _, word = line.rpartition(" ")
    return (test.strip(), word) if word in WORDS and _names_a_test(test) else ("", "")


def _begun(line: str) -> str:
    """The test at the start of a line, without what it printed there."""
    test = line.partition(" <- ")[0].strip()
    end = test.rfind("]") + 1 if "[" in test.partition(" ")[0] else test.find(" ")
    return test[:end] if end > 0 else test


def _names_a_test(said: str) -> bool:
    path = said.lstrip().partition("::")[0].partition(" - ")[0]
    return 0 < len(path) < 400 and path.endswith((".py", ".rst", ".txt", ".md", ".pyx"))
