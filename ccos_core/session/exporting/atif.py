"""Write a session as an ATIF trajectory: one document, the steps of subagents in trajectories of their own.

What the format has no words for (files seen and changed, compactions, the split of tokens) goes beside its words under
`extra.ccos`, which `import` takes back; other readers pass over it.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Iterator
from datetime import UTC, datetime
from tempfile import SpooledTemporaryFile
from typing import Any

from ccos_core.intake.importers.exported.carried import FIELDS, NAME, carried
from ccos_core.session.exporting.recorded import Leaving, Step

VERSION = "ATIF-v1.7"
IN_MEMORY = 2**25
"""Bytes of steps that wait in memory for their place in the document."""
SOURCES = {"user": "user", "agent": "user"}
"""Who wrote a prompt → whose step it is; a subagent's task is what its user says."""
WITH_CALL = ("seen", "gone", "renamed")
Spool = Any
_Step = dict[str, Any]


def write_atif(steps: Iterable[Step], write: Callable[[bytes], object], leaving: Leaving) -> None:
    """Write the steps of one session."""
    with SpooledTemporaryFile(max_size=IN_MEMORY) as spool:
        trajectories: dict[str, _Trajectory] = {}
        head: tuple[str, str] = ("", "")
        for step in steps:
            host, session, context = step.stream
            if step.said["kind"] not in FIELDS or not session:
                leaving.left_out[step.said["kind"]] += 1
                continue
            head = head if head[1] else (host, session)
            leaving.steps += 1
            trajectories.setdefault(context, _Trajectory(context or session, spool)).take(step)
        main = trajectories.pop("", None) or _Trajectory(head[1], spool)
        for each in (main, *trajectories.values()):
            each.end()
        for part in _document(head, main, list(trajectories.values())):
            write(part.encode())


def _document(head: tuple[str, str], main: _Trajectory, others: list[_Trajectory]) -> Iterator[str]:
    host, session = head
    yield f'{{"schema_version": {_json(VERSION)},\n"session_id": {_json(session)},\n'
    if others:  # before the steps, so that `import` can put them between those as it reads on
        yield '"subagent_trajectories": ['
        for number, each in enumerate(others):
            yield ",\n" if number else "\n"
            yield f'{{"schema_version": {_json(VERSION)},\n"session_id": {_json(session)},\n'
            yield from each.written(host)
        yield "\n],\n"
    yield from main.written(host)
    yield "\n"


class _Trajectory:
    """The steps of one conversation, on their way into the document."""

    def __init__(self, name: str, spool: Spool) -> None:
        self.name = name
        self._spool = spool
        self._lines: list[tuple[int, int]] = []
        """Where each step lies in the spool, and how long it is."""
        self._open: list[Step] = []
        """Recorded steps that go into one of the trajectory's."""
        self._kinds: set[str] = set()
        self._model = ""
        self._totals = dict.fromkeys(("total_prompt_tokens", "total_completion_tokens", "total_cached_tokens"), 0)

    def take(self, step: Step) -> None:
        """Add a recorded step."""
        kind = step.said["kind"]
        if self._open and self._begins(kind):
            self.end()
        self._open.append(step)
        self._kinds.add(kind)
        if kind == "usage":
            for name, field in zip(self._totals, ("window", "written", "cached"), strict=True):
                self._totals[name] += step.said.get(field, 0)
        self._model = self._model or step.said.get("model", "")

    def _begins(self, kind: str) -> bool:
        """Whether a step of the trajectory begins with this: what it is must fit what is there."""
        there = self._kinds
        if kind in WITH_CALL:
            return False
        if kind == "tool":
            return bool(there & {"prompt", "compaction", "cleared", "annotation"})
        if kind in ("thought", "turn", "usage"):
            return bool(there - {"thought", "usage"} or (kind == "usage" and "usage" in there)) and not (
                kind == "usage" and "turn" in there and not there & {"prompt", "usage"}
            )
        return True

    def end(self) -> None:
        """Write the step that is open."""
        if not self._open:
            return
        line = _json(_step(len(self._lines) + 1, self._open)).encode()
        self._lines.append((self._spool.tell(), len(line)))
        self._spool.write(line)
        self._open, self._kinds = [], set()

    def written(self, host: str) -> Iterator[str]:
        """The rest of its object: everything but its version and session."""
        agent = {"name": host or "unknown", "version": "unknown"}
        yield f'"trajectory_id": {_json(self.name)},\n'
        yield f'"agent": {_json({**agent, "model_name": self._model} if self._model else agent)},\n"steps": ['
        for number, (place, size) in enumerate(self._lines):
            self._spool.seek(place)
            yield ("," if number else "") + "\n" + self._spool.read(size).decode()
        totals = {name: count for name, count in self._totals.items() if count}
        yield f'\n],\n"final_metrics": {_json({**totals, "total_steps": len(self._lines)})}}}'


def _step(number: int, steps: list[Step]) -> _Step:
    """One step of the format, of the recorded steps that are in it."""
    first = steps[0].said
    made: _Step = {"step_id": number}
    if (at := first.get("at")) is not None and (stamp := _timestamp(at)):
        made["timestamp"] = stamp
    kinds = {each.said["kind"] for each in steps}
    if kinds & {"thought", "turn", "usage", "tool"}:
        made.update(_agents([each.said for each in steps]))
    else:
        source = SOURCES.get(first.get("source", ""), "system") if first["kind"] == "prompt" else "system"
        made.update(source=source, message=_words(first))
    made["extra"] = {NAME: carried([(each.number, each.said) for each in steps], made)}
    return made


def _words(said: dict[str, Any]) -> str:
    """What a step of the user or the system says."""
    if said["kind"] == "compaction":
        return str(said.get("summary", "The context was compacted."))
    if said["kind"] == "cleared":
        return "The context was cleared."
    return str(said.get("said") or said.get("note") or "")


def _agents(said: list[dict[str, Any]]) -> _Step:
    """A step of the agent: its thoughts, its words, its calls with what they gave back, and the tokens of it."""
    of = {kind: [each for each in said if each["kind"] == kind] for kind in ("thought", "turn", "usage", "tool")}
    made: _Step = {"source": "agent", "message": "".join(each.get("said", "") for each in of["turn"])}
    if model := next((each["model"] for each in (*of["turn"], *of["usage"]) if "model" in each), ""):
        made["model_name"] = model
    if thoughts := [each["said"] for each in of["thought"] if each.get("said")]:
        made["reasoning_content"] = "\n\n".join(thoughts)
    calls = [(each.get("call") or f"call-{place}", each) for place, each in enumerate(of["tool"], 1)]
    if calls:
        made["tool_calls"] = [
            {"tool_call_id": name, "function_name": each["name"], "arguments": _arguments(each.get("arguments"))}
            for name, each in calls
        ]
        results = [{"source_call_id": name, "content": each["result"]} for name, each in calls if "result" in each]
        made.update({"observation": {"results": results}} if results else {})
    for usage in of["usage"]:
        made["metrics"] = _metrics(usage)
    return made


def _arguments(given: Any) -> dict[str, Any]:
    if isinstance(given, dict):
        return given
    return {} if given is None else {"input": given}


def _metrics(usage: dict[str, Any]) -> dict[str, Any]:
    named = {"prompt_tokens": "window", "completion_tokens": "written", "cached_tokens": "cached"}
    found = {name: usage[field] for name, field in named.items() if field in usage}
    return {**found, "cost_usd": usage["cost"] / 1_000_000} if "cost" in usage else found


def _timestamp(millis: int) -> str:
    """A moment as the format spells it; empty for one that no calendar has."""
    try:
        moment = datetime.fromtimestamp(millis / 1000, UTC)
    except (OverflowError, OSError, ValueError):
        return ""
    return moment.isoformat(timespec="milliseconds").replace("+00:00", "Z")


def _json(value: Any) -> str:
    return json.dumps(value, ensure_ascii=False)
