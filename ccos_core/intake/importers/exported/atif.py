"""ATIF, the Agent Trajectory Interchange Format: one document with the steps of user, system and agent.

A call stands with its results in one step. The steps that `export` wrote carry what they were recorded as, and are
told as that; the steps of subagents then come between those of the session, in the order they were recorded.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any

from ccos_core.intake.importers.chat.blocks import arguments_in, words_in
from ccos_core.intake.importers.chat.reader import ChatReader
from ccos_core.intake.importers.chat.said import CALL, HEAD, PROMPT, RESULT, THOUGHT, TURN, UNKNOWN, USAGE, Said
from ccos_core.intake.importers.exported.carried import NAME, Carried
from ccos_core.intake.importers.fields import at, micro_dollars, millis, number, objects, text, word
from ccos_core.intake.importers.record import Format, Observation, Record

HOST = "atif"
"""What the agent is called that doesn't say."""
BEGINS = "ATIF-v"
DEEPEST = 10
"""Subagents of subagents that are read."""


def looks(records: Iterable[Record]) -> bool:
    """Whether a document names a version of the format."""
    return any(record.name == "schema_version" and _version(record.value) for record in records)


def _version(value: Any) -> bool:
    return isinstance(value, str) and value.startswith(BEGINS)


def said_in(record: Record) -> Iterator[Said]:
    """Say what a step tells, or a field of the trajectory."""
    value, name = record.value, record.name
    if name == "steps":
        yield from _step(value)
    elif name == "session_id":
        yield Said(HEAD, session=value if isinstance(value, str) else "")
    elif name == "agent":
        yield Said(HEAD, model=word(value, "model_name"))


def _step(step: Any) -> Iterator[Said]:
    source, words = word(step, "source"), words_in(at(step, "message"))
    place = number(step, "step_id")
    base = Said(PROMPT, id=f"step:{place}" if place is not None else "", at=millis(at(step, "timestamp")))
    if source in ("user", "system"):
        if words:
            yield base._replace(text=words, source="user" if source == "user" else "host")
        yield from _results(step, base)
    elif source == "agent":
        yield from _reply(step, words, base._replace(model=word(step, "model_name")))
    else:
        yield base._replace(kind=UNKNOWN, name=f"source {source}" if source else "no source")


def _reply(step: Any, words: str, base: Said) -> Iterator[Said]:
    calls = list(objects(step, "tool_calls"))
    if thought := text(step, "reasoning_content"):
        yield base._replace(kind=THOUGHT, id=base.id and f"{base.id}:thought", text=thought)
    if words or not calls:
        yield base._replace(kind=TURN, text=words, stop="tool" if calls else "")
    yield from _usage(at(step, "metrics"), base)
    for count, call in enumerate(calls):
        name = text(call, "tool_call_id") or (base.id and f"{base.id}:call:{count}")
        arguments = arguments_in(call.get("arguments"))
        yield base._replace(kind=CALL, id=name, name=word(call, "function_name"), arguments=arguments)
    yield from _results(step, base)


def _results(step: Any, base: Said) -> Iterator[Said]:
    for result in objects(step, "observation", "results"):
        name = text(result, "source_call_id")
        shown = words_in(result.get("content"))
        if name:
            yield base._replace(kind=RESULT, id=name, text=shown)
        elif shown:
            yield base._replace(kind=PROMPT, id=base.id and f"{base.id}:observed", text=shown, source="host")


def _usage(metrics: Any, base: Said) -> Iterator[Said]:
    window, cached = number(metrics, "prompt_tokens") or 0, number(metrics, "cached_tokens")
    counts = {"cached": cached, "fresh": max(window - cached, 0) if cached is not None else None}
    counts |= {"written": number(metrics, "completion_tokens"), "cost": micro_dollars(at(metrics, "cost_usd"))}
    yield base._replace(kind=USAGE, id=base.id and f"{base.id}:usage", window=window, counts=counts)


class AtifReader(ChatReader):
    """Reads one trajectory, and those of its subagents where they stand in it."""

    def __init__(self, session: str) -> None:
        super().__init__(HOST, said_in, True, False, session)
        self._carried = Carried(self.tally, self.origin)

    def feed(self, record: Record) -> Iterator[Observation]:
        """What becomes certain with this record."""
        if record.name == "agent":
            self._telling.host = word(record.value, "name") or self._telling.host
        if record.name == "subagent_trajectories":
            self.tally.records += 1
            yield from self._subagent(record)
        elif record.name == "steps" and (steps := self._carried.steps(at(record.value, "extra", NAME), record)):
            self.tally.records += 1
            yield from self._carried.in_turn(steps)
        else:
            yield from super().feed(record)

    def finish(self) -> Iterator[Observation]:
        """Give the steps of subagents that came after all others."""
        yield from self._carried.rest()

    def _subagent(self, record: Record, depth: int = 0) -> Iterator[Observation]:
        """Tell a subagent's trajectory: with its own steps between the session's, or as one where it stands."""
        context = text(record.value, "trajectory_id") or text(record.value, "session_id") or f"subagent:{record.line}"
        inner = AtifReader(self.origin.session)
        inner._telling.host, inner.tally = self._telling.host, self.tally
        for step in objects(record.value, "steps"):
            said = Record(record.line, step, "steps")
            if steps := self._carried.steps(at(step, "extra", NAME), said):
                self._carried.hold(steps)
                continue
            for each in ChatReader.feed(inner, said):
                yield {**each, "context": context, "call": f"{context}/{each['call']}"}
        for each in objects(record.value, "subagent_trajectories") if depth < DEEPEST else ():
            yield from self._subagent(Record(record.line, each), depth + 1)


FORMAT = Format("atif", "ATIF trajectory", True, looks, AtifReader)
