"""What the sessions of a record show that may be worth a rule: `observations` of them, without a model.

    instruction   an order in an instruction file that the host loads
    correction    a refusal, or a short order in which the user corrects
    preference    a short order of the user
    sequence      which task is run after edits, before a commit, before another task
    recovery      what a linter reported, that an edit ended
    reverted      a file whose edits were thrown away

One observation says little: `learn.proposing` makes rules of what several sessions show. Nothing that ccos-tui told,
and no call of its own tools, is observed.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np

from ccos_core.intake.failures.arguments import words_of
from ccos_core.intake.failures.command import Run, runs
from ccos_core.intake.tools import command_of
from ccos_core.learn.observed import CORRECTION, INSTRUCTION, PREFERENCE, RECOVERY, REVERTED, Observation
from ccos_core.query.contexts import contexts_of
from ccos_core.query.failing import changes
from ccos_core.query.op_text import text_of
from ccos_core.query.playbook.commands import SHOWN_STEPS, Event, event_of_command, sequences
from ccos_core.query.playbook.orders import FORBIDS, clauses_of, content_stems, is_forbidding, is_order
from ccos_core.query.recoveries import recoveries
from ccos_core.query.saying.files import file_utterances
from ccos_core.query.saying.user import user_utterances
from ccos_core.query.saying.utterance import Utterance
from ccos_core.replay.codes import HOW_CODES, KIND_CODES
from ccos_core.text.retrieval.carried import normalised_words
from ccos_core.text.sorts import sort_of
from ccos_core.values.ids import path_of

if TYPE_CHECKING:
    from ccos_core.replay.timeline import Timeline

LONGEST_TALK = 12
"""Statements of a prompt that speaks of wishes; a longer one is a template or describes a task."""
LIST_GAP = 2  # lines from a lead-in to the first item of its list
LONGEST_DETAIL = 200  # characters of a command
OWN_TOOL = "ccos"
"""What the names of our own tools have in them, as a host spells them: `mcp__ccos__remember`."""
CORRECTING = ("refusal", "feedback")
LINTERS = words_of(
    "golangci-lint eslint ruff flake8 pylint mypy pyright clippy shellcheck rubocop stylelint biome oxlint ktlint"
)
"""What reports rules by a code. Errors of compilers say how far the work is, not what to avoid."""
COMPILED = "typecheck"
_CODE = r"[a-z][\w./@-]{2,40}|[A-Z]{1,4}\d{2,5}"
_PLACED = r"^(?:\S+?:\d+(?::\d+)?:?\s+)?(?:error: |warning: )?"
_LINTED = (
    re.compile(_PLACED + r"(?P<code>[A-Z]{1,4}\d{2,5}) (?P<says>.+?)(?: : .*)?$"),
    re.compile(rf"{_PLACED}(?P<says>.+?)\s*[(\[](?P<code>{_CODE})[)\]]"),
)
_PART = re.compile(r"([A-Za-z][\w-]+): ")
_SPECIAL = re.compile(r"`[^`]*`|'[^']*'|\"[^\"]*\"|\b\d+\b")
_PLACE = re.compile(r"(?:in|for|within|inside) [^.:]{1,60}:", re.IGNORECASE)
"""A line that says where what follows holds: `In the tests:`."""
_OWN_BLOCK = re.compile(r"<!--\s*(?:(?P<ends>end|/)\s*(?:of\s+)?)?(?:the playbook of )?ccos", re.IGNORECASE)
"""The lines around rules that ccos-tui itself wrote into an instruction file."""
_THROWING = ("checkout", "restore")


def observations(timeline: Timeline, at: int, project: str = "") -> tuple[Observation, ...]:
    """Return what each session shows up to a step, in the order of the sessions."""
    found: list[Observation] = []
    for (host, session), numbers in sessions_of(timeline, at).items():
        seen = _Session(timeline, at, numbers, Observation("", "", "", session, project, host, 0, ()))
        found += seen.observed()
    hosts = dict.fromkeys(each.host for each in contexts_of(timeline).values() if each.session)
    for host in hosts:
        found += _instructions(timeline, at, host, project)
    return tuple(found)


def sessions_of(timeline: Timeline, at: int) -> dict[tuple[str, str], list[int]]:
    """(Host, session) → the numbers of its contexts that have a step by then, in the order in which they came up."""
    begun = set(np.unique(timeline.journal.steps["context"][:at]).tolist())
    found: dict[tuple[str, str], list[int]] = {}
    for number, each in contexts_of(timeline).items():
        if each.session and number in begun:
            found.setdefault((each.host, each.session), []).append(number)
    return found


class _Session:
    """One session up to a step."""

    def __init__(self, timeline: Timeline, at: int, numbers: list[int], made: Observation) -> None:
        self.timeline, self.at, self.numbers = timeline, at, numbers
        steps = np.flatnonzero(np.isin(timeline.journal.steps["context"][:at], numbers)) + 1
        self.made = replace(made, at=(timeline.time(int(steps[-1])) or 0) if len(steps) else 0)
        self.steps = steps

    def observed(self) -> list[Observation]:
        """Return all that the session shows."""
        events = self._events()
        return [*self._said(), *sequences(events, self.made), *self._recovered(), *self._thrown_away(events)]

    def _events(self) -> list[Event]:
        """Prompts, changed files and commands, in the order of the steps."""
        timeline, columns = self.timeline, self.timeline.journal.steps
        found = [Event(each.step, is_prompt=True) for each in self._utterances()]
        edits = np.isin(columns["how"][self.steps - 1], [HOW_CODES["edit"], HOW_CODES["write"]])
        edited = np.intersect1d(self.steps[edits], changes(timeline))
        names = timeline.journal.spelled(columns["name"][edited - 1])
        found += [Event(step, path_of(name) or "") for step, name in zip(edited.tolist(), names, strict=True)]
        self.commands = self._commands()
        found += [event_of_command(step, command) for step, command in self.commands.items()]
        return sorted(found, key=lambda event: event.step)

    def _utterances(self) -> list[Utterance]:
        every = user_utterances(self.timeline)
        return [each for each in every if each.context in self.numbers and each.step <= self.at]

    def _commands(self) -> dict[int, str]:
        """Step → the command line that was run there."""
        tools = self.steps[self.timeline.journal.steps["kind"][self.steps - 1] == KIND_CODES["tool"]].tolist()
        self.timeline.have_ready(tools)
        ops = {step: op for step in tools if OWN_TOOL not in (op := self.timeline.op(step))["name"]}
        lines = {step: command_of(text_of(self.timeline, op.get("arguments"))) for step, op in ops.items()}
        return {step: line for step, line in lines.items() if line}

    def _said(self) -> Iterator[Observation]:
        for utterance in self._utterances():
            if len(utterance.statements) > LONGEST_TALK:
                continue
            for statement in utterance.statements:
                is_correcting = utterance.channel in CORRECTING or sort_of(statement.text, _CORRECTIONS) != ""
                for clause in clauses_of(statement.text) if not statement.pasted else ():
                    key, kind = " ".join(content_stems(clause)), CORRECTION if is_correcting else PREFERENCE
                    yield replace(self.made, kind=kind, key=key, words=clause, steps=(utterance.step,))

    def _recovered(self) -> Iterator[Observation]:
        """Yield, for each rule of a linter, what edits ended of it."""
        first, last = (int(self.steps[0]), int(self.steps[-1])) if len(self.steps) else (0, 0)
        found: dict[str, Observation] = {}
        for each in recoveries(self.timeline, self.at, calls=False).failures:
            edits = [tried.step for tried in each.tries if tried.kind == "edit"]
            if each.ended is None or not edits or not first <= each.since <= last:
                continue
            run = (run.tool for run in runs(self.commands.get(each.since, "")) if run.tool in LINTERS)
            tool = each.runner if each.runner in LINTERS else next(run, "")
            for name in (each.name, *each.others):
                linted = next(filter(None, (form.match(name) for form in _LINTED)), None) if tool else None
                if linted is None or linted["code"] == COMPILED:
                    continue
                words, part = _SPECIAL.sub("…", linted["says"]), _PART.match(linted["says"])
                key = f"{tool}|{linted['code']}{f' {part[1]}' if part else ''}"
                known = found.get(key, replace(self.made, kind=RECOVERY, key=key, words=words, detail=linted["says"]))
                steps = tuple(sorted({*known.steps, each.since, edits[-1], each.ended}))[:SHOWN_STEPS]
                found[key] = replace(known, steps=steps, times=known.times + bool(known.steps))
        yield from (replace(each, of=each.times) for each in found.values())

    def _thrown_away(self, events: list[Event]) -> Iterator[Observation]:
        """Yield files whose edits were thrown away by git."""
        for step, command in self.commands.items():
            throwing = [each for each in runs(command) if _throws_away(each)] if "git" in command else []
            if throwing:
                edited = {event.path: event.step for event in events if event.path and event.step < step}
                for run in throwing:
                    for path in edited:
                        if any(path == word or path.endswith("/" + word) for word in run.words[1:]):
                            steps = (edited[path], step)
                            made = replace(self.made, kind=REVERTED, key=path, words=path)
                            yield replace(made, steps=steps, detail=command[:LONGEST_DETAIL])


def _throws_away(run: Run) -> bool:
    """Tell whether git brings files back to what they were; in a merge it only takes a side."""
    if run.tool != "git" or not run.words or run.words[0] not in _THROWING:
        return False
    return not {"--ours", "--theirs"} & set(run.words)


_CORRECTIONS: Mapping[str, frozenset[str]] = {"english": frozenset({"correction"})}


def _instructions(timeline: Timeline, at: int, host: str, project: str) -> Iterator[Observation]:
    """Yield the orders that the instruction files of a host give at a step, each with its file and line."""
    last = {each.path: each for each in file_utterances(timeline, host) if each.step <= at}
    for path, utterance in sorted(last.items()):
        if path.startswith(("~", "/")):
            continue
        context = contexts_of(timeline).get(utterance.context)
        session, time = context.session if context else "", timeline.time(utterance.step) or 0
        for line, words in _orders(utterance):
            key = " ".join(normalised_words(words))
            yield Observation(
                INSTRUCTION, key, words, session, project, host, time, (utterance.step,), f"{path}:{line}"
            )


def _orders(utterance: Utterance) -> Iterator[tuple[int, str]]:
    """Yield (line, words) of the orders of a file; those of a list below "Do not:" forbid."""
    forbidding, gap, is_own, lead = 0, 0, False, (0, "")
    for each in utterance.statements:
        if mark := _OWN_BLOCK.match(each.text):
            is_own = not mark["ends"]
        if is_own:
            continue
        text = " ".join(each.text.replace("**", "").split())
        if FORBIDS.fullmatch(text):
            forbidding, gap = each.last, LIST_GAP
        elif forbidding and each.first <= forbidding + gap:
            forbidding, gap = each.last, 1
            yield each.first, text if is_forbidding(text) else f"Do not: {text}"
        elif _PLACE.fullmatch(text):
            forbidding, lead = 0, (each.last, text)
        else:
            forbidding = 0
            if not each.pasted and is_order(text):
                where = f"{lead[1]} " if lead[1] and each.first <= lead[0] + LIST_GAP else ""
                yield each.first, (where + text).rstrip(":")
