"""Commands that always follow: what a session runs after edits, before a commit, and in which order.

A task is a program with its subcommand, `mise run lint`. Programs that only show or move something are none. For each
occasion the observations of a session tell how often a task was run, of how often it could have been; one without a
task counts the sessions that had the occasion.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from itertools import pairwise
from posixpath import dirname, splitext

from ccos_core.intake.failures.arguments import words_of
from ccos_core.intake.failures.command import SHOWING, Run, runs
from ccos_core.learn.observed import BEFORE, CHANGED, COMMIT, GIVEN, ORDER, SEQUENCE, Observation, occasion

_WORD = re.compile(r"[a-z][a-z0-9]*(?:[:_-][a-z0-9]+)*")
_FOLDER = re.compile(r"[\w.-]+(?:/[\w-]+)+")
_OPTION = re.compile(r"--?[a-z][\w-]*=[\w,.-]{1,40}")
_PLUMBING = words_of(
    "cd rm cp mv mkdir rmdir touch chmod chown ln echo printf export sleep kill pkill xargs tee jq yq curl wget tar zip"
    " unzip test [ true false source env date basename dirname realpath readlink set unset read exit wait timeout which"
    " gh git ccos ccos-tui ccos-hook claude codex gemini open man ps lsof df du tput clear mktemp uuidgen for if"
)
"""Programs that check nothing of a project, and our own."""
_INTERPRETERS = words_of("python python3 node bash sh zsh ruby perl deno bun npx make")
"""Programs that say nothing without what they run."""
_SUBCOMMANDS = 2
SHOWN_STEPS = 6
"""Steps that an observation names."""


@dataclass(slots=True)
class Event:
    """One thing that a session did."""

    step: int
    path: str = ""
    """The file that was changed."""

    tasks: tuple[str, ...] = ()
    """What was run, in order."""

    given: tuple[tuple[str, str, tuple[str, ...]], ...] = ()
    """(Task, folder, options) of what was run for a folder."""

    is_commit: bool = False
    is_prompt: bool = False


@dataclass(slots=True)
class _Count:
    """How often a task was run on an occasion, and the last steps of it."""

    times: int = 0
    steps: list[int] = field(default_factory=list)


def event_of_command(step: int, command: str) -> Event:
    """Return what a command line ran: its tasks up to a commit, and whether it commits."""
    done = runs(command)
    commits = next((at for at, run in enumerate(done) if run.tool == "git" and run.words[:1] == ("commit",)), len(done))
    known = [(run, task) for run in done[:commits] if (task := task_of(run))]
    given = tuple((task, folder, _options(run)) for run, task in known for folder in _folders(run))
    return Event(step, tasks=tuple(task for _, task in known), given=given, is_commit=commits < len(done))


def task_of(run: Run) -> str:
    """Return the task of a program that was run; empty if it checks nothing."""
    if run.tool in SHOWING or run.tool in _PLUMBING or not _WORD.fullmatch(run.tool):
        return ""
    words = []
    for word in run.words[:_SUBCOMMANDS]:
        if not _WORD.fullmatch(word):
            break
        words.append(word)
    return "" if not words and run.tool in _INTERPRETERS else " ".join((run.tool, *words))


def _folders(run: Run) -> Iterator[str]:
    """Yield the folders of the project that a program was given."""
    for word in run.words:
        named = word.removeprefix("./").removesuffix("...").rstrip("/")
        if _FOLDER.fullmatch(named) and not word.startswith(("/", "~", "-")):
            yield named + "/"


def _options(run: Run) -> tuple[str, ...]:
    """Return the options of a program that have their values with them."""
    return tuple(dict.fromkeys(word for word in run.words if _OPTION.fullmatch(word)))


def sequences(events: Sequence[Event], made: Observation) -> Iterator[Observation]:
    """Yield what one session shows; `made` has all that its observations have in common."""
    turns = list(_spans(events, ends_at_commit=False))
    yield from _told(COMMIT, [span for span in _spans(events, ends_at_commit=True) if span[-1].is_commit], made)
    changed: dict[str, list[list[Event]]] = {}
    for turn in turns:
        for kind in dict.fromkeys(each for event in turn if event.path for each in _kinds(event.path)):
            since = next(at for at, event in enumerate(turn) if event.path and kind in _kinds(event.path))
            changed.setdefault(kind, []).append(turn[since:])
    for kind, spans in changed.items():
        yield from _told(CHANGED + kind, spans, made)
    yield from _orders(events, made)
    yield from _given(events, made)


def _kinds(path: str) -> tuple[str, ...]:
    """Name what a change of a file may be an occasion for: files like it, and those of its folder."""
    suffix, folder = splitext(path)[1], dirname(path)
    return (*(["*" + suffix] if suffix else []), *([folder + "/"] if folder else []))


def _spans(events: Sequence[Event], *, ends_at_commit: bool) -> Iterator[list[Event]]:
    """Split what was done at prompts, or behind commits; spans that change nothing are left out."""
    span: list[Event] = []
    for event in events:
        if event.is_prompt:
            if ends_at_commit:
                continue
            if any(each.path for each in span):
                yield span
            span = []
            continue
        span.append(event)
        if ends_at_commit and event.is_commit:
            if any(each.path for each in span):
                yield span
            span = []
    if any(each.path for each in span):
        yield span


def _told(when: str, spans: Sequence[Sequence[Event]], made: Observation) -> Iterator[Observation]:
    """Yield how often each task was run in these spans, and the occasion itself."""
    if not spans:
        return
    counts: dict[str, _Count] = {}
    for span in spans:
        for task in dict.fromkeys(task for event in span for task in event.tasks):
            count = counts.setdefault(task, _Count())
            count.times += 1
            count.steps.append(next(event.step for event in span if task in event.tasks))
    yield _observed(occasion(when, ""), "", _Count(0, [span[-1].step for span in spans]), len(spans), made)
    for task, count in sorted(counts.items()):
        yield _observed(occasion(when, task), task, count, len(spans), made)


def _orders(events: Sequence[Event], made: Observation) -> Iterator[Observation]:
    """Yield which task comes directly before which other in one command line."""
    found: dict[tuple[str, str], _Count] = {}
    for event in events:
        for first, then in pairwise(event.tasks):
            if first != then:
                count = found.setdefault((first, then), _Count())
                count.times += 1
                count.steps.append(event.step)
    for (first, then), count in sorted(found.items()):
        other = found.get((then, first), _Count())
        yield _observed(occasion(ORDER, first + BEFORE + then), "", count, count.times + other.times, made)


def _given(events: Sequence[Event], made: Observation) -> Iterator[Observation]:
    """Yield with which options a task is run for a folder."""
    found: dict[tuple[str, str], dict[str, _Count]] = {}
    for event in events:
        for task, folder, options in event.given:
            known = found.setdefault((task, folder), {})
            for option in ("", *options):
                count = known.setdefault(option, _Count())
                count.times += 1
                count.steps.append(event.step)
    for (task, folder), known in sorted(found.items()):
        for option, count in sorted(known.items()):
            of = known[""].times
            told = _Count(0, count.steps) if not option else count
            yield _observed(occasion(f"{GIVEN}{task} {folder}", option), option, told, of, made)


def _observed(key: str, task: str, count: _Count, of: int, made: Observation) -> Observation:
    steps = tuple(sorted(set(count.steps))[-SHOWN_STEPS:])
    return Observation(
        SEQUENCE, key, f"Run `{task}`." if task else "", made.session, made.project, made.agent, made.at, steps,
        task, count.times, of,
    )  # fmt: skip
