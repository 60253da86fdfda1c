"""Rules that the observations of many sessions bear out, without a model.

Pure and deterministic: the same observations give the same proposals in the same order, however they come. What is
said or done again in one session counts once, so only another session reinforces a rule; no wording makes one.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import groupby

from ccos_core.learn.categories import category_of
from ccos_core.learn.observed import (
    BEFORE,
    CHANGED,
    COMMIT,
    CORRECTION,
    GIVEN,
    INSTRUCTION,
    ORDER,
    PREFERENCE,
    RECOVERY,
    REVERTED,
    SEQUENCE,
    Observation,
)
from ccos_core.learn.rule import ANTI_PATTERN, RULE


@dataclass(frozen=True, slots=True)
class Bars:
    """What evidence has to reach."""

    task_sessions: int = 3
    """Sessions in which a task was run on an occasion, ..."""

    task_permille: int = 600
    """... in how many of all these occasions, ..."""

    order_permille: int = 900
    """... and of what comes before what, or with which option."""

    lift: int = 2
    """How many times as often a task is run for one folder as for other files of its kind."""

    said_sessions: int = 2
    """Sessions in which the user wants the same."""

    said_permille: int = 500
    """How much of the words of two wishes both have, if they are the same wish."""

    ended_sessions: int = 2
    """Sessions in which edits ended the same report of a linter, or edits of a file were thrown away."""

    alike_sessions: int = 3
    """Sessions in which edits ended reports of a linter that differ in names and numbers only."""


BARS = Bars()


@dataclass(frozen=True, slots=True)
class Proposal:
    """A rule that is not adopted yet."""

    cls: str
    """`rule` or `anti-pattern`."""

    words: str
    category: str
    """One of the ten: `testing`, `git`, ..."""

    scope: str
    """Where it holds: `project` or `user`."""

    reason: str
    """What bears it, in a sentence."""

    observations: tuple[Observation, ...]
    """What bears it, the oldest first."""

    sessions: tuple[str, ...]
    """The sessions that show it, in the order in which they first do."""

    established: bool = False
    """Whether the project's own instruction file says it."""


@dataclass(frozen=True, slots=True)
class _Habit:
    """A task on an occasion, over all sessions."""

    when: str
    task: str
    observations: tuple[Observation, ...]
    times: int
    of: int
    """How many such occasions there were."""

    @property
    def permille(self) -> int:
        return 1_000 * self.times // self.of

    @property
    def name(self) -> str:
        """Say when which task was run."""
        if self.when == ORDER:
            return " before ".join(f"`{task}`" for task in self.task.split(BEFORE))
        if self.when == COMMIT:
            return f"`{self.task}` before a commit"
        if self.when.startswith(GIVEN):
            return f"`{self.task}`"
        return f"`{self.task}` after a change of `{self.when.removeprefix(CHANGED)}`"

    @property
    def sessions(self) -> int:
        return _sessions(self.observations)


def proposals(observations: Iterable[Observation], bars: Bars = BARS) -> tuple[Proposal, ...]:
    """Return the rules that are borne out: those shown by most sessions first, then what instruction files say."""
    ordered = sorted(set(observations), key=_order)
    once = [max(same, key=lambda each: (each.of, each.times, each.steps)) for _, same in groupby(ordered, _identity)]
    found = [*_habits(once, bars), *_wishes(once, bars), *_ended(once, bars)]
    found.sort(key=lambda each: (-len(each.sessions), each.words))
    return (*found, *_established(once))


# ---- tasks ----


def _habits(observations: Sequence[Observation], bars: Bars) -> Iterator[Proposal]:
    habits = [each for each in _all_habits(observations) if each.sessions >= bars.task_sessions]
    usual = [each for each in habits if each.permille >= bars.task_permille]
    before = [each for each in usual if each.when == COMMIT]
    for when, some in groupby([each for each in usual if each.when.startswith(CHANGED + "*")], lambda each: each.when):
        tasks = [*some]
        same = [each for each in before if each.task in {habit.task for habit in tasks}]
        before = [each for each in before if each not in same]
        also = " and before `git commit`" if len(same) == len(tasks) else ""
        files = when.removeprefix(CHANGED)
        words = f"After changing `{files}` files{also}, run {_listed(tasks, habits)}."
        yield _of_habits(words, [*tasks, *same])
    if before:
        yield _of_habits(f"Run {_listed(before, habits)} before `git commit`.", before)
    yield from _of_folders(habits, bars)
    often: dict[str, int] = {}
    for each in habits:
        if each.when.startswith(CHANGED + "*"):
            often[each.task] = max(often.get(each.task, 0), each.sessions)
    for each in habits:
        if each.permille >= bars.order_permille and each.when == ORDER:
            first, then = each.task.split(BEFORE)
            if 2 * each.sessions < often.get(then, 0):
                continue  # mostly the second is run alone
            yield _of_habits(f"Run `{first}` before `{then}`.", [each])
        if each.permille >= bars.order_permille and each.when.startswith(GIVEN):
            task, folder = each.when.removeprefix(GIVEN).rsplit(" ", 1)
            yield _of_habits(f"Run `{task}` with `{each.task}` for `{folder}`.", [each])


def _all_habits(observations: Sequence[Observation]) -> Iterator[_Habit]:
    """Yield each task with its occasion, the most usual one of an occasion first."""
    done = [each for each in observations if each.kind == SEQUENCE]
    by_when: dict[str, dict[str, list[Observation]]] = {}
    for each in done:
        when, _, task = each.key.partition("|")
        by_when.setdefault(when, {}).setdefault(task, []).append(each)
    for when, tasks in sorted(by_when.items()):
        found = []
        for task, some in tasks.items():
            of = sum(each.of for each in (some if when == ORDER else tasks.get("", some)))
            if task and of:
                found.append(_Habit(when, task, tuple(some), sum(each.times for each in some), of))
        yield from sorted(found, key=lambda habit: (-habit.permille, habit.task))


def _of_folders(habits: Sequence[_Habit], bars: Bars) -> Iterator[Proposal]:
    """Yield tasks that are run for one folder much more often than for other files."""
    usual = {each.task: each.permille for each in reversed(habits) if each.when.startswith(CHANGED + "*")}
    folders = [each for each in habits if each.when.startswith(CHANGED) and each.when.endswith("/")]
    for folder, some in groupby(folders, lambda each: each.when.removeprefix(CHANGED)):
        special = [each for each in some if 2 * each.permille >= 1_000]
        special = [each for each in special if each.permille >= bars.lift * usual.get(each.task, 0)]
        if special:
            most = max(special, key=lambda each: each.sessions)
            yield _of_habits(f"After changing `{folder}`, run `{most.task}`.", [most])


def _listed(tasks: Sequence[_Habit], habits: Sequence[_Habit]) -> str:
    """Name tasks in the order in which they are usually run."""
    before = {each.task for each in habits if each.when == ORDER and 2 * each.permille > 1_000}
    names = list(dict.fromkeys(each.task for each in tasks))
    names.sort(key=lambda name: (sum(f"{other}{BEFORE}{name}" in before for other in names), name))
    quoted = [f"`{name}`" for name in names]
    return " and ".join(filter(None, [", ".join(quoted[:-1]), quoted[-1]]))


def _of_habits(words: str, habits: Sequence[_Habit]) -> Proposal:
    observations = [each for habit in habits for each in habit.observations]
    shares = (f"{habit.name} in {habit.times:,} of {habit.of:,} cases" for habit in habits)
    return _proposal(RULE, words, observations, f"It was so: {', '.join(shares)}.")


# ---- words of the user ----


def _wishes(observations: Sequence[Observation], bars: Bars) -> Iterator[Proposal]:
    """Yield what the user wants in several sessions, in the most exact words."""
    said = [each for each in observations if each.kind in (PREFERENCE, CORRECTION)]
    said.sort(key=lambda each: (-len(each.key.split()), each.key, *_order(each)))
    stems = [frozenset(each.key.split()) for each in said]
    rare = _rarest(stems, bars.said_permille)
    postings: dict[str, list[int]] = {}
    for at, some in enumerate(rare):
        for stem in some:
            postings.setdefault(stem, []).append(at)
    taken: list[bool] = [False] * len(said)
    for at, each in enumerate(said):
        if taken[at]:
            continue
        near = sorted({n for stem in rare[at] for n in postings[stem] if n >= at and not taken[n]})
        same = [n for n in near if _likeness(stems[at], stems[n]) >= bars.said_permille]
        if _sessions(said[n] for n in same) >= bars.said_sessions:
            for n in same:
                taken[n] = True
            words = each.words[:1].upper() + each.words[1:].rstrip("?") + "."
            yield _proposal(RULE, words, [said[n] for n in same], "The user said so in each of these sessions.")


def _rarest(wishes: Sequence[frozenset[str]], permille: int) -> list[list[str]]:
    """Return the rarest stems of each wish: enough of them that two similar wishes share one."""
    known = Counter(stem for wish in wishes for stem in sorted(wish))
    ordered = [sorted(wish, key=lambda stem: (known[stem], stem)) for wish in wishes]
    return [some[: len(some) - -(-len(some) * permille // 1_000) + 1] for some in ordered]


def _likeness(one: frozenset[str], other: frozenset[str]) -> int:
    """Return how many in a thousand of the words of two wishes both have."""
    return 1_000 * len(one & other) // max(len(one | other), 1)


# ---- what was ended, what was thrown away ----


def _ended(observations: Sequence[Observation], bars: Bars) -> Iterator[Proposal]:
    for key, some in _by_key(observations, RECOVERY):
        same = max(_sessions(each for each in some if each.detail == one.detail) for one in some)
        is_seen_again = same >= bars.ended_sessions or _sessions(some) >= bars.alike_sessions
        if is_seen_again and len({each.words for each in some}) == 1:
            tool, _, code = key.partition("|")
            words = f"Avoid what `{tool}` reports as `{code.split()[0]}`: {some[-1].words}."
            yield _proposal(ANTI_PATTERN, words, some, "Edits ended it in each of these sessions.")
    for key, some in _by_key(observations, REVERTED):
        if _sessions(some) >= bars.ended_sessions:
            reason = "Edits of it were thrown away in each of these sessions."
            yield _proposal(ANTI_PATTERN, f"Ask before changing `{key}`.", some, reason)


def _established(observations: Sequence[Observation]) -> Iterator[Proposal]:
    """Yield what instruction files say, in the order of the lines; the same words once."""
    said = sorted(observations, key=lambda each: (_place(each.detail), each.key))
    for _, some in _by_key(said, INSTRUCTION):
        places = ", ".join(dict.fromkeys(each.detail for each in some))
        yield _proposal(RULE, some[0].words, some, f"The project's own instructions say it: {places}.", is_known=True)


# ---- helpers ----


def _by_key(observations: Iterable[Observation], kind: str) -> Iterator[tuple[str, list[Observation]]]:
    """Yield the observations of a kind that are of the same thing, in their order."""
    found: dict[str, list[Observation]] = {}
    for each in observations:
        if each.kind == kind:
            found.setdefault(each.key, []).append(each)
    yield from found.items()


def _sessions(observations: Iterable[Observation]) -> int:
    return len({each.session for each in observations})


def _proposal(
    cls: str, words: str, observations: Iterable[Observation], reason: str, *, is_known: bool = False
) -> Proposal:
    some = sorted(set(observations), key=_order)
    sessions = tuple(dict.fromkeys(each.session for each in some))
    projects = {each.project for each in some}
    scope = "user" if len(projects) > 1 else "project"
    return Proposal(cls, words, category_of(words), scope, reason, tuple(some), sessions, is_known)


def _order(each: Observation) -> tuple[object, ...]:
    return (each.at, *_identity(each), each.words, each.steps, each.detail, each.times, each.of)


def _identity(each: Observation) -> tuple[str, ...]:
    return each.project, each.agent, each.session, each.kind, each.key


def _place(detail: str) -> tuple[str, int]:
    path, _, line = detail.rpartition(":")
    return path, int(line) if line.isdecimal() else 0
