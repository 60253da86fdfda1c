"""pytest, in any of its styles: which tests failed and where, and which pass.

The summary has the ids and the sections the frames; where one of them is missing, the other has to do. What is listed
as passed and as failed in the same run (a teardown, a subtest) failed. An id is `path::Class::test[parameters]`, the
headline of the same test `Class.test[parameters]`. Parameters may hold anything, brackets, colons and ` - ` too, and a
summary line doesn't say where the id ends.
"""

from __future__ import annotations

import re

from ccos_core.intake.failures import python
from ccos_core.intake.failures.arguments import Scope, passes_of_scope
from ccos_core.intake.failures.page import Findings, Page, short
from ccos_core.intake.failures.pytest_sessions import Block, Result, Session, parse_sessions, parse_subtest
from ccos_core.intake.failures.python_scopes import pytest_scope
from ccos_core.values.outcome import FILES, TESTS, Failure, Frame, Pass

PYTEST = "pytest"

_SHORT = re.compile(r"""(?P<path>[^\s"'][^"']*?):(?P<line>\d{1,9}): in (?P<name>\S.*)$""")
_LONG = re.compile(r"""(?P<path>[^\s"'][^"'=]*?):(?P<line>\d{1,9}):(?: (?P<raised>[A-Za-z_][\w.]*))?$""")
_CRASH = re.compile(r"""(?P<path>[^\s"'][^"'=]*?):(?P<line>\d{1,9}): (?P<message>\S.*)$""")
_SYNTAX = re.compile(r'E\s+File "([^"]+)", line (\d{1,9})$')
_SOURCE = re.compile(r"[> ]   (\S.*)$")
_DEFINED = re.compile(r"(?:async )?def (\w+)")
_IN_DOCTEST = ("DocTestFailure", "UnexpectedException")
_ASSERTION = "AssertionError: assert "
_DOCTEST = "[doctest] "  # how the headline of a doctest begins
_FAILED = ("FAILED", "FAIL", "ERROR", "SUBFAILED")
_PASSED = ("PASSED", "XPASS")
_SUBTESTS = re.compile(r"contains \d+ failed subtests?$")
_MOST_SPLITS = 12  # places where an id in the summary may end
_MOST_LATER = 20  # failures without a headline; each may have to be compared with every name
_OUTCOMES = ("passed", "failed", "skipped", "xfailed", "xpassed", "error")


def read(page: Page) -> Findings:
    """Every run of pytest in the output."""
    found = Findings()
    runs = parse_sessions(page.lines)
    scope = pytest_scope(page.command) if len(runs) == 1 else None
    for session in runs:
        summary = _parse_summary(session)
        failures = _failures(session, summary)
        failed = {failure.test for _, failure in failures}
        found.add_run(session, failures, _passes(session, summary, failed, scope))
    return found


# ---- names ----


def _headline(test: str) -> str:
    """How the failure of this test is headed."""
    head, bracket, parameters = test.partition("::")[2].partition("[")
    return head.replace("::", ".") + bracket + parameters


def _parse_summary(session: Session) -> list[Result]:
    """The lines of the summary: the id ends before one of its ` - `, or at the very end."""
    heads = frozenset(block.head for block in session.blocks)
    results = []
    for at, word, rest in session.summary:
        ends: list[int] = []
        end = rest.find(" - ")
        while end > 0 and len(ends) < _MOST_SPLITS:
            ends.append(end)
            end = rest.find(" - ", end + 1)
        ends.append(len(rest))
        known = (end for end in ends if _headline(rest[:end]) in heads)
        inner = ((end, rest[:end].partition("::")[2]) for end in ends)
        whole = (end for end, name in inner if "[" not in name or name.endswith("]"))
        end = next(known, -1)
        end = next(whole, ends[0]) if end < 0 else end
        part = parse_subtest(word)
        test = rest[:end].partition(" <- ")[0].strip()  # `a.py::T::test <- base.py` is a test of a.py
        message = rest[end:].removeprefix(" - ")
        results.append(Result(at, "SUBFAILED" if part is not None else word, test, message, part or ""))
    return results


class _Names:
    """The failing tests by name, each of which is given away once."""

    def __init__(self, results: list[Result]) -> None:
        unique: dict[tuple[str, str, bool], Result] = {}
        for result in results:
            unique.setdefault((result.test, result.part, result.word == "ERROR"), result)
        self.open = list(unique.values())
        self.used: set[int] = set()
        self.by_head: dict[tuple[bool, str], list[Result]] = {}
        for result in reversed(self.open):
            head = _headline(result.test) or result.test
            head = f"{head} {result.part}" if result.part else head
            self.by_head.setdefault((result.word == "ERROR", head), []).append(result)

    def take(self, block: Block) -> Result | None:
        """Use the first test with this headline that isn't used yet."""
        head = block.head.removeprefix(_DOCTEST)
        for error in (block.when != "call", block.when == "call"):
            waiting = self.by_head.get((error, head), [])
            while waiting:
                result = waiting.pop()
                if result.at not in self.used:
                    return self.use(result)
        return None

    def use(self, result: Result) -> Result:
        self.used.add(result.at)
        return result

    def left(self) -> list[Result]:
        return [result for result in self.open if result.at not in self.used]


def _guess_name(block: Block, frames: tuple[Frame, ...], session: Session) -> str:
    """The id of a test of which only the headline is left."""
    head, doctest = block.head.removeprefix(_DOCTEST), block.head.startswith(_DOCTEST)
    if block.when == "collecting":
        return block.head
    function = block.head.partition("[")[0].partition(" ")[0].rpartition(".")[2]
    outer = [frame.path for frame in frames[::-1]]
    path = next((frame.path for frame in frames[::-1] if frame.name == function), "")
    path = path or (next(iter(session.letters)) if len(session.letters) == 1 else "")
    path = path or next((path for path in outer if _looks_like_tests(path)), "")
    parts = path.split("/")
    tails = ("/".join(parts[at:]) for at in range(len(parts)))
    path = next((tail for tail in tails if tail in session.letters), path)
    name, bracket, parameters = head.partition("[")
    inner = (name if doctest else name.replace(".", "::")) + bracket + parameters
    return f"{path}::{inner}" if path else inner


def _looks_like_tests(path: str) -> bool:
    file = path.rpartition("/")[2]
    return file.startswith("test") or file.endswith(("_test.py", "_tests.py"))


# ---- what stands below a headline ----


def _parse_body(lines: list[str]) -> tuple[tuple[Frame, ...], str]:
    """(frames, message) of the lines below a headline."""
    if any(line.endswith("(most recent call last):") and not line.startswith("E") for line in lines):
        found = python.find_traces(lines)
        places = [place for line in lines if (place := _LONG.match(line)) and place["raised"] in _IN_DOCTEST]
        site = tuple(Frame(place["path"], int(place["line"])) for place in places[-1:])
        if found and (found[0].frames or site):
            return tuple(dict.fromkeys(found[0].frames + site)), _plain_message(found[0].message)
    return _parse_styled(lines)


def _parse_crash(line: str) -> tuple[Frame, str] | None:
    """(place, message) of a line of `--tb=line`."""
    place = None if line.startswith(("E ", " ", ">")) else _CRASH.match(line)
    if place is None or not _is_path(place["path"]):
        return None
    return Frame(place["path"], int(place["line"])), place["message"]


def _plain_message(message: str) -> str:
    """Said alike by all styles: of a bare assertion, only what was asserted."""
    message = message.strip()
    return short(message.removeprefix("AssertionError: ") if message.startswith(_ASSERTION) else message)


def _parse_styled(lines: list[str]) -> tuple[tuple[Frame, ...], str]:
    segments: list[tuple[str, list[Frame]]] = [("", [])]
    message = ""
    syntax: list[Frame] = []
    source: list[str] = []  # of the function that is being shown
    for line in lines:
        if line in python.CHAINS:
            segments[-1][1][:0] = syntax
            segments.append((python.CHAINS[line], []))
            message, source, syntax = "", [], []
        elif line.startswith("E ") or line == "E":
            message = message or line[1:].strip()
            if (wrong := _SYNTAX.match(line)) is not None:
                syntax = [Frame(wrong[1], int(wrong[2]))]
                message = ""
        elif line.startswith((" ", ">")):
            source += [code[1]] if (code := _SOURCE.match(line)) is not None else []
        elif (frame := _frame(line, source)) is not None:
            segments[-1][1].insert(0, frame)
            source = []
        elif line.startswith("_ _"):
            source = []
    segments[-1][1][:0] = syntax
    frames = python.chain_frames(segments)
    if syntax:
        message = [line[1:].strip() for line in lines if line.startswith("E ")][-1]
    elif not message:
        said = [line.strip() for line in lines if line.strip() and not line.startswith("[gw") and not _LONG.match(line)]
        first = said[0] if said and not frames else ""
        message = python.mismatch(said) if python.EXPECTED in said else first
    return frames, _plain_message(message)


def _frame(line: str, source: list[str]) -> Frame | None:
    """The place a line names, in the function whose source stands above."""
    if not line or ":" not in line:
        return None
    place = _SHORT.match(line)
    if place is not None:
        return Frame(place["path"], int(place["line"]), "" if place["name"] == "<module>" else place["name"])
    place = _LONG.match(line)
    if place is None or not _is_path(place["path"]):
        return None
    return Frame(place["path"], int(place["line"]), _function(source))


def _function(source: list[str]) -> str:
    """The function some source defines: below decorators, whatever they hold, else in its first line."""
    for at, code in enumerate(source):
        if (defined := _DEFINED.match(code)) is not None:
            return defined[1]
        if not at and not code.startswith("@"):
            break
    return ""


def _is_path(path: str) -> bool:
    """Not the `12:30` of a time, nor a name and a number."""
    file = path.replace("\\", "/").rpartition("/")[2]
    return path.startswith("<") or ("." in file and not file.rpartition(".")[2].isdigit())


# ---- what failed ----


def _failures(session: Session, summary: list[Result]) -> list[tuple[int, Failure]]:
    """Each headline with the name the summary has for it, then what the summary alone knows."""
    names = _Names([result for result in [*summary, *session.listed] if result.word in _FAILED])
    found: list[tuple[int, Failure]] = []
    owners: dict[int, Result] = {}
    errors = sum(result.word == "ERROR" for result in summary)
    failed = sum(result.word in _FAILED for result in summary) - errors
    for block in session.blocks:
        if block.when in ("line", "loose"):
            continue
        frames, message = _parse_body(block.lines)
        result = names.take(block)
        if result is not None:
            owners[block.first] = result
            found.append((block.first, _failure(result.test, frames, message or result.message, result.part)))
            continue
        # where the summary names every failure there was, another headline can be none
        counted, word = (failed, "failed") if block.when == "call" else (errors, "error")
        if session.counts is None or counted < session.counts.get(word, 0):
            found.append((block.first, _failure(_guess_name(block, frames, session), frames, message)))
    later = [block for block in session.blocks if block.when in ("line", "loose")]
    for block in later[:_MOST_LATER]:
        owner = owners.get(block.before.first) if block.before is not None else None
        found += _lined(block, names) if block.when == "line" else _loose(block, names, owner)
    return found + [(left.at, _failure(left.test, (), left.message, left.part)) for left in names.left()]


def _failure(test: str, frames: tuple[Frame, ...], message: str, part: str = "") -> Failure:
    return Failure(PYTEST, test, frames, _plain_message(message), part)


def _lined(block: Block, names: _Names) -> list[tuple[int, Failure]]:
    """The section of `--tb=line`: one place for each failure, in the order of the summary."""
    lines = enumerate(block.lines, block.first)
    places = [(at, place) for at, line in lines if (place := _parse_crash(line))]
    waiting = names.left()
    if not waiting:
        return [(at, _failure("", (frame,), message)) for at, (frame, message) in places]
    found: list[tuple[int, Failure]] = []
    ahead = iter(places)
    for result in waiting:
        if result.word == "ERROR" or _SUBTESTS.match(result.message):
            continue
        for at, (frame, message) in ahead:
            if _is_message(result.message, message):
                found.append((at, _failure(names.use(result).test, (frame,), message, result.part)))
                break
    return found


def _loose(block: Block, names: _Names, owner: Result | None) -> list[tuple[int, Failure]]:
    """The rest of a failure whose headline is missing: known by what it says, if no other test says the same."""
    frames, message = _parse_body(block.lines)
    if not frames:
        return []
    candidates = names.left() if owner is None else [owner, *names.left()]
    fitting = [result for result in names.open if result.message and _is_message(result.message, message)]
    chosen = fitting if fitting else [result for result in candidates if not result.message]
    if len(chosen) == 1 and chosen[0] in candidates:
        return [(block.first, _failure(names.use(chosen[0]).test, frames, message, chosen[0].part))]
    return [] if names.open else [(block.first, _failure("", frames, message))]


def _is_message(short: str, whole: str) -> bool:
    """Whether the summary's message, which may be cut, is this one."""
    stem = short.removesuffix("...").rstrip()
    return whole.startswith((stem, stem.removeprefix("AssertionError: ")))


# ---- what passes ----


def _passes(session: Session, summary: list[Result], failed: set[str], scope: Scope | None) -> list[Pass]:
    """The tests it lists; else, if nothing failed, the files it shows and what the command named."""
    listed = [result.test for result in [*session.listed, *summary] if result.word in _PASSED]
    tests = tuple(dict.fromkeys(test for test in listed if test not in failed))
    passes = [Pass(PYTEST, TESTS, tests)] if tests else []
    counts = session.counts
    if counts is None:
        return passes
    narrowed = bool(counts.get("deselected")) or (scope is not None and (scope.narrowed or bool(scope.tests)))
    files = () if narrowed else _whole_files(session, counts, failed)
    whole = [Pass(PYTEST, FILES, (), files)] if files else []
    if failed or counts.get("failed") or counts.get("error"):
        return passes or whole
    passed = counts.get("passed", 0) + counts.get("xpassed", 0)
    if not passed or len(tests) >= passed:
        return passes
    untold = counts.get("skipped", 0) + counts.get("xfailed", 0)
    return passes + (whole or passes_of_scope(None if counts.get("deselected") else scope, PYTEST, untold))


def _whole_files(session: Session, counts: dict[str, int], failed: set[str]) -> tuple[str, ...]:
    """The files of which every test passed, if the output shows each test that ran."""
    letters = {file: "".join(shown).replace(",", "") for file, shown in session.letters.items()}
    shown = sum(len(each) for each in letters.values())
    if "" in letters or shown != sum(counts.get(outcome, 0) for outcome in _OUTCOMES):
        return ()
    broken = {test.partition("::")[0] for test in failed}
    return tuple(file for file, each in letters.items() if set(each) == {"."} and file not in broken)
