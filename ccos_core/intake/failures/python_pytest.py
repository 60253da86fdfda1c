"""pytest, in any of its styles: which tests failed and where, and which pass.

The summary has the ids and the sections the frames; where one of them is missing, the other has to do. What is listed
as passed and as failed in the same run (a teardown, a subtest) failed.
"""

from __future__ import annotations

import re

from ccos_core.intake.failures import pytest_bodies, pytest_ids
from ccos_core.intake.failures.arguments import Scope
from ccos_core.intake.failures.page import Findings, Page
from ccos_core.intake.failures.pytest_sessions import Block, Result, Session, sessions
from ccos_core.intake.failures.python_scopes import pytest_scope
from ccos_core.values.outcome import FILES, TESTS, UNKNOWN, Failure, Frame, Pass

PYTEST = "pytest"

_FAILED = ("FAILED", "FAIL", "ERROR", "SUBFAILED")
_PASSED = ("PASSED", "XPASS")
_SUBTESTS = re.compile(r"contains \d+ failed subtests?$")
_MOST_LATER = 20
"""Failures without a headline that are looked at; each may have to be compared with every name."""
_OUTCOMES = ("passed", "failed", "skipped", "xfailed", "xpassed", "error")


def read(page: Page) -> Findings:
    """Every run of pytest in the output."""
    found = Findings()
    told = sessions(page.lines)
    scope = pytest_scope(page.command) if len(told) == 1 else None
    for session in told:
        results = _summary(session)
        failures = _failures(session, results)
        found.failures += failures
        failed = {failure.test for _, failure in failures}
        found.passes += [(session.last, each) for each in _passes(session, results, failed, scope)]
        found.claimed.append((session.first, session.last + 1))
    return found


# ---- what failed ----


def _summary(session: Session) -> list[Result]:
    """The lines of the summary, taken apart."""
    heads = frozenset(block.head for block in session.blocks)
    results = []
    for at, word, rest in session.summary:
        test, message = pytest_ids.entry(rest, heads)
        part = pytest_ids.subtest(word)
        results.append(Result(at, "SUBFAILED" if part is not None else word, test, message, part or ""))
    return results


def _failures(session: Session, summary: list[Result]) -> list[tuple[int, Failure]]:
    """Each headline with the name the summary has for it, then what the summary alone knows."""
    names = _Names([result for result in [*summary, *session.listed] if result.word in _FAILED])
    found: list[tuple[int, Failure]] = []
    later: list[Block] = []
    owners: dict[int, Result] = {}
    complete = {when: _is_complete(session, summary, when) for when in ("call", "collecting")}
    for block in session.blocks:
        if block.when in ("line", "loose"):
            later.append(block)
            continue
        frames, message = pytest_bodies.told(block.lines)
        result = names.take(block)
        if result is not None:
            owners[block.first] = result
            found.append((block.first, _failure(result.test, frames, message or result.message, result.part)))
        elif not complete["call" if block.when == "call" else "collecting"]:
            found.append((block.first, _failure(_guessed(block.head, block.when, frames, session), frames, message)))
    for block in later[:_MOST_LATER]:
        owner = owners.get(block.before.first) if block.before is not None else None
        found += _lined(block, names) if block.when == "line" else _loose(block, names, owner)
    found += [(left.at, _failure(left.test, (), left.message, left.part)) for left in names.left()]
    return found


def _failure(test: str, frames: tuple[Frame, ...], message: str, part: str = "") -> Failure:
    return Failure(PYTEST, test, frames, pytest_bodies.plain_message(message), part)


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
            for head in _heads(result):
                self.by_head.setdefault((result.word == "ERROR", head), []).append(result)

    def take(self, block: Block) -> Result | None:
        """The first test with this headline that nobody has yet."""
        head = block.head.removeprefix(pytest_ids.DOCTEST)
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


def _heads(result: Result) -> list[str]:
    name = pytest_ids.headline(result.test) or result.test
    return [f"{name} {result.part}"] if result.part else [name]


def _is_complete(session: Session, summary: list[Result], when: str) -> bool:
    """Whether the summary names every failure there was, so that another headline can be none."""
    if session.counts is None:
        return False
    errors = [result for result in summary if result.word == "ERROR"]
    failures = [result for result in summary if result.word in _FAILED and result.word != "ERROR"]
    if when == "call":
        return len(failures) >= session.counts.get("failed", 0)
    return len(errors) >= session.counts.get("error", 0)


def _guessed(head: str, when: str, frames: tuple[Frame, ...], session: Session) -> str:
    """The id of a test of which only the headline is left."""
    if when == "collecting":
        return head
    function = pytest_ids.function_of(head)
    outer = frames[::-1]
    path = next((frame.path for frame in outer if frame.name == function), "")
    if not path and len(session.letters) == 1:
        path = next(iter(session.letters))
    if not path:
        path = next((frame.path for frame in outer if _looks_like_tests(frame.path)), "")
    parts = path.split("/")
    tails = ("/".join(parts[at:]) for at in range(len(parts)))
    return pytest_ids.test_of(head, next((tail for tail in tails if tail in session.letters), path))


def _looks_like_tests(path: str) -> bool:
    file = path.rpartition("/")[2]
    return file.startswith("test") or file.endswith(("_test.py", "_tests.py"))


def _lined(block: Block, names: _Names) -> list[tuple[int, Failure]]:
    """The section of `--tb=line`: one place for each failure, in the order of the summary."""
    places = [(at, place) for at, line in enumerate(block.lines, block.first) if (place := pytest_bodies.crash(line))]
    waiting = names.left()
    if not waiting:
        return [(at, _failure("", (frame,), message)) for at, (frame, message) in places]
    found: list[tuple[int, Failure]] = []
    ahead = iter(places)
    for result in [result for result in waiting if result.word != "ERROR"]:
        if _SUBTESTS.match(result.message):
            continue
        for at, (frame, message) in ahead:
            if _is_message(result.message, message):
                found.append((at, _failure(names.use(result).test, (frame,), message, result.part)))
                break
    return found


def _loose(block: Block, names: _Names, owner: Result | None) -> list[tuple[int, Failure]]:
    """The rest of a failure whose headline is missing: known by what it says, if nothing else says the same."""
    frames, message = pytest_bodies.told(block.lines)
    if not frames:
        return []
    waiting = names.left()
    candidates = waiting if owner is None else [owner, *waiting]
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
    told = [Pass(PYTEST, TESTS, tests)] if tests else []
    counts = session.counts
    if counts is None:
        return told
    narrowed = bool(counts.get("deselected")) or (scope is not None and (scope.narrowed or bool(scope.tests)))
    files = () if narrowed else _whole_files(session, failed)
    passed = counts.get("passed", 0) + counts.get("xpassed", 0)
    if failed or counts.get("failed") or counts.get("error"):
        return told or ([Pass(PYTEST, FILES, (), files)] if files else [])
    if not passed or len(tests) >= passed:
        return told
    if files:
        return [*told, Pass(PYTEST, FILES, (), files)]
    if scope is None or counts.get("deselected"):
        return [*told, Pass(PYTEST, UNKNOWN)]
    return told + scope.passes(PYTEST, counts.get("skipped", 0) + counts.get("xfailed", 0))


def _whole_files(session: Session, failed: set[str]) -> tuple[str, ...]:
    """The files of which every test passed, if the output shows each test that ran."""
    counts = session.counts or {}
    letters = {file: "".join(shown).replace(",", "") for file, shown in session.letters.items()}
    shown = sum(len(each) for each in letters.values())
    if "" in letters or shown != sum(counts.get(outcome, 0) for outcome in _OUTCOMES):
        return ()
    broken = {test.partition("::")[0] for test in failed}
    return tuple(file for file, each in letters.items() if set(each) == {"."} and file not in broken)
