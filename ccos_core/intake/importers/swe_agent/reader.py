"""SWE-agent: one document (`.traj`) of the steps of a run, each with what was done and what came of it.

A step is told as one turn and one call, which is over when the step is there. Calls are named by their steps: what the
model's own ids are, the steps don't say, and runs that were replayed use one id several times. What the agent was told
first stands in what a step sent to the model, or else in the history, which most files put behind all steps: these wait
until it was read, for it came first. What was sent also shows which
observations the host had left out by then: those are told as dropped, exactly.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import replace
from functools import partial
from typing import Any

from ccos_core.intake.calls.commands import effects_of_command
from ccos_core.intake.calls.effects import Effect
from ccos_core.intake.importers.fields import at, decoded, objects, parts, text, word
from ccos_core.intake.importers.moments import lasted
from ccos_core.intake.importers.record import Format, Observation, Origin, Record, Tally
from ccos_core.intake.importers.swe_agent.tools import (
    OTHERS,
    REFUSED,
    WINDOWED,
    Window,
    effects_of,
    last_window,
)
from ccos_core.intake.importers.telling import Call, Telling, Where

HOST = "swe-agent"
SILENT = ("environment",)
MOST_HELD = 10_000
"""Steps held back until the first words are known; a run has a few hundred."""
LEFT_OUT = "Old environment output:"
"""What stands in the place of an observation that isn't sent any more."""
_NAME = re.compile(r"\s*([\w.-]+)")
_FAILED = re.compile(
    r"not applied|NOT been applied|NOT executed|not found|No file open|No replacement was performed|"
    r"^Invalid `|^Usage: |^Error|was cancelled because it took|already exists|does not exist|"
    r"is not supported by this environment",
    re.MULTILINE,
)
_SHELL_FAILED = re.compile(
    r"was NOT executed|was cancelled because it took more than|is not supported by this environment|"
    r"\AEXECUTION TIMED OUT"
)


def looks(records: Iterable[Record]) -> bool:
    """Whether a document has steps with an action and an observation."""
    return any(
        record.name == "trajectory"
        and isinstance(record.value, dict)
        and "action" in record.value
        and "observation" in record.value
        for record in records
    )


class Reader:
    """Reads one run."""

    def __init__(self, session: str) -> None:
        self.tally = Tally()
        self.origin = Origin(session=session)
        self._telling = Telling(HOST)
        self._early: list[tuple[dict[str, Any], int]] = []
        """Steps, with their lines, that stand in the file before the words the run began with."""
        self._over = ""
        """How the run ended, if the file said so already."""
        self._steps = self._history = 0
        """How many of each were read."""
        self._folder = self._file = ""
        """Where the shell stands, and the file that is open, as the last step left them."""
        self._window: Window | None = None
        self._sent = _Sent()
        self._held: dict[str, None] = {}
        """What the model was given last, by the names of prompts and steps."""
        self._told = False
        """Whether the agent's own words were reached, in front of which all it was told first stands."""

    def feed(self, record: Record) -> Iterator[Observation]:
        """What becomes certain with this record."""
        self.tally.records += 1
        if record.name == "trajectory" and isinstance(record.value, dict):
            if self._waits(record.value):
                self._early.append((record.value, record.line))
            else:
                yield from self._caught_up()
                yield from self._step(record.value, record.line)
        elif record.name == "history" and isinstance(record.value, dict):
            yield from self._first_words([record.value], record.line)
            if self._told:
                yield from self._caught_up()
        elif record.name == "info":
            self._over = word(record.value, "exit_status")
        elif record.name == "replay_config":
            self._learn(record.value)
        elif record.name not in SILENT:
            self.tally.note(f"field {record.name}"[:200], record.line)

    def finish(self) -> Iterator[Observation]:
        """Give the steps of a run without a history, and how it ended."""
        yield from self._caught_up()
        if self._over:
            self.origin.ended, self._over = self._over, ""
            yield from self._telling.ended(Where(self.origin.session, "run"), self.origin.ended)

    def pending(self) -> Iterator[Mapping[str, Any]]:
        """Nothing ever waits: a step is written when it is over."""
        return self._telling.pending()

    # -- one step -------------------------------------------------------------------------------------------------

    def _waits(self, step: dict[str, Any]) -> bool:
        """Whether a step has to wait: the file puts what the agent was told first behind all steps."""
        return not self._told and not self._history and not _sent(step) and len(self._early) < MOST_HELD

    def _caught_up(self) -> Iterator[Observation]:
        early, self._early = self._early, []
        for step, line in early:
            yield from self._step(step, line)

    def _step(self, step: dict[str, Any], line: int) -> Iterator[Observation]:
        self._steps += 1
        state = _state(step)
        self._folder = self._folder or word(state, "working_dir")
        self.origin.cwd = self.origin.cwd or self._folder
        sent = _sent(step)
        yield from self._first_words(sent, line)
        self._told = self._told or self._history > 0
        where = Where(self.origin.session, f"step:{self._steps}", None, "", self._folder, line)
        yield from self._left_out(where, self._sent.left_out(sent))
        action = text(step, "action").strip()
        said = text(step, "response") or text(step, "thought")
        if said or action:
            yield from self._telling.turn(where, said, stop="tool" if action else "end")
        if action:
            yield from self._call(where, step, action, text(state, "open_file"))
            self._held[where.id] = None
        self._sent.answered(where.id if action else "")
        self._folder = word(state, "working_dir") or self._folder
        self._file = text(state, "open_file")

    def _call(self, where: Where, step: dict[str, Any], action: str, file: str) -> Iterator[Observation]:
        printed = text(step, "observation")
        match = _NAME.match(action)
        own = match[1] if match is not None and match[1] in (*WINDOWED, *OTHERS) else ""
        given = _given(step, action)
        arguments = given if given is not None else action if own else {"command": action}
        self._telling.asked(Call(where, own or "bash", arguments))
        outcome = _outcome(own, printed)
        did = self._did(own, given, action, printed, file) if own else self._ran(action, printed, outcome, where.cwd)
        yield from self._telling.answered(where, printed, outcome, did, lasted(step.get("execution_time")))

    def _did(self, name: str, given: Any, action: str, printed: str, file: str) -> list[Effect]:
        after = last_window(printed)
        done = effects_of(name, given, action, printed, self._window, after, file)
        self._window = after or self._window
        return done

    def _ran(self, action: str, printed: str, outcome: str, cwd: str) -> list[Effect]:
        if outcome == "error":
            return []
        text_of = partial(self._telling.files.text, cwd=cwd or ".")
        return effects_of_command(action, printed.replace("\r\n", "\n"), None, cwd or ".", text_of)

    # -- what the agent was told first ----------------------------------------------------------------------------

    def _first_words(self, messages: Iterable[dict[str, Any]], line: int) -> Iterator[Observation]:
        """The system's words, demonstrations, and the task: all that stands before the agent speaks."""
        if self._told:
            return
        for message in messages:
            if word(message, "role") == "assistant" and not message.get("is_demo"):
                self._told = True
                return
            self._history += 1
            where = Where(self.origin.session, f"history:{self._history}", None, "", self._folder, line)
            by_user = word(message, "role") == "user" and not message.get("is_demo")
            self._held[where.id] = None
            yield from self._telling.prompt(where, _content(message), "user" if by_user else "host")

    # -- helpers --------------------------------------------------------------------------------------------------

    def _left_out(self, where: Where, steps: list[str]) -> Iterator[Observation]:
        """From this step on the model was given no more what these had printed."""
        gone = [step for step in steps if step in self._held]
        for step in gone:
            self._held.pop(step, None)
        if gone:
            dropped = replace(where, id=f"{where.id}:window")
            yield from self._telling.compacted(dropped, trigger="auto", kept=list(self._held), exact=True)

    def _learn(self, config: Any) -> None:
        if isinstance(config, str):
            config = decoded(config)
        self.origin.uses(word(config, "agent", "model", "name"))
        self.origin.title = self.origin.title or word(config, "problem_statement", "id")


class _Sent:
    """Which steps' observations stand where in what is sent to the model."""

    def __init__(self) -> None:
        self._steps: list[str] = []
        """Those whose actions are in it, in order. One that was malformed never gets there."""
        self._last = ""
        """The step before, while it isn't known whether it does."""

    def answered(self, step: str) -> None:
        """A step is over."""
        self._last = step

    def left_out(self, sent: list[dict[str, Any]]) -> list[str]:
        """The steps whose observations were shortened to nothing."""
        actions, found = 0, list[int]()
        for message in sent:
            if message.get("is_demo"):
                continue
            if word(message, "role") == "assistant":
                actions += 1
            elif actions and _content(message).startswith(LEFT_OUT):
                found.append(actions - 1)
        if actions > len(self._steps) and self._last:
            self._steps.append(self._last)
        return [self._steps[at] for at in found if at < len(self._steps)]


FORMAT = Format(name=HOST, title="SWE-agent", document=True, looks=looks, reader=Reader)


def _state(step: dict[str, Any]) -> Any:
    """The shell after the step. Older runs wrote it as text."""
    state = step.get("state")
    return decoded(state) if isinstance(state, str) else state


def _sent(step: dict[str, Any]) -> list[dict[str, Any]]:
    """What was sent to the model before the step. Some versions hold the step's own messages as well."""
    if isinstance(step.get("messages"), list):
        messages = list(objects(step, "messages"))
        own = len(messages) > 1 and text(messages[-2], "action").strip() == text(step, "action").strip()
        return messages[:-2] if own and word(messages[-2], "role") == "assistant" else messages
    return list(objects(step, "query"))


def _given(step: dict[str, Any], action: str) -> Any:
    """The arguments of the call as the model gave them, where the step holds its own message."""
    for message in list(objects(step, "messages"))[-2:]:
        if text(message, "action").strip() == action and word(message, "role") == "assistant":
            call = next(objects(message, "tool_calls"), None)
            said = at(call, "function", "arguments")
            return decoded(said) if isinstance(said, str) else said
    return None


def _outcome(own: str, printed: str) -> str:
    """The host gives no exit code. Its own commands say how they ended; of a shell's that is known only if the host
    didn't let it run."""
    if not own:
        return "error" if _SHELL_FAILED.search(printed[:2_000]) else "unknown"
    refused = REFUSED in printed or _FAILED.search(printed.partition("[File: ")[0][:2_000]) is not None
    return "error" if refused else "ok"


def _content(message: dict[str, Any]) -> str:
    content = message.get("content")
    return content if isinstance(content, str) else "\n".join(parts(message, "content"))
