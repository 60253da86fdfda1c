"""Recorded steps that a file carries beside what its format can say of them, so that nothing is lost on the way back.

`export` writes each step of a session in the words of a format, and beside them, under `ccos`, what the format has no
words for. A long text stands once: a carried step names the place of it in the record around it. What comes in is
foreign all the same: a step of a kind that no transcript tells, or with a field that doesn't fit, is left out.

    {"host": "codex", "session": "s", "ops": [{"n": 7, "kind": "turn", "call": "m1", "in": {"said": ["message"]}}]}
"""

from __future__ import annotations

import heapq
import json
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import Any, TypeAlias

from ccos_core.intake.importers.fields import LARGEST, at, word
from ccos_core.intake.importers.record import Observation, Origin, Record, Tally

NAME = "ccos"
"""Under which a record carries steps."""
SHARED = ("host", "session", "context")
"""Fields that are written once for all steps of a record."""
SHORTEST = 24
"""Characters of a text from which on its place is named instead."""
MOST_KEPT = 10_000

Fits: TypeAlias = Callable[[Any], bool]
Place: TypeAlias = "Sequence[str | int]"


def _text(value: Any) -> bool:
    return isinstance(value, str)


def _name(value: Any) -> bool:
    return isinstance(value, str) and bool(value)


def _number(value: Any) -> bool:
    return isinstance(value, int) and not isinstance(value, bool) and 0 <= value < LARGEST


def _one_of(*words: str) -> Fits:
    return lambda value: isinstance(value, str) and value in words


def _flag(value: Any) -> bool:
    return isinstance(value, bool)


def _names(value: Any) -> bool:
    return isinstance(value, list) and len(value) <= MOST_KEPT and all(map(_text, value))


def _span(value: Any) -> bool:
    return isinstance(value, list) and len(value) == 2 and all(map(_number, value)) and 1 <= value[0] <= value[1]


HEADER: Mapping[str, Fits] = {
    "at": _number, "actor": _one_of("agent", "user", "host", "tool"), "host": _text, "session": _text,
    "context": _text, "call": _text, "phase": _text,
}  # fmt: skip
FIELDS: Mapping[str, tuple[tuple[str, ...], Mapping[str, Fits]]] = {
    "prompt": (
        ("said", "source"),
        {
            "said": _name, "source": _one_of("user", "host", "agent", "unknown"),
            "channel": _one_of("queued", "answer", "refusal", "plan", "feedback"),
        },
    ),
    "thought": ((), {"said": _text, "sealed": _flag, "tokens": _number}),
    "turn": (
        (),
        {
            "said": _text, "model": _text, "detail": _text, "millis": _number,
            "stop": _one_of("end", "tool", "interrupted", "limit", "error", "unknown"),
        },
    ),
    "tool": (
        ("name", "outcome"),
        {
            "name": _name, "outcome": _one_of("ok", "error", "interrupted", "unknown"),
            "arguments": lambda value: value is not None, "result": _text, "cwd": _text, "millis": _number,
            "withheld": _text,
        },
    ),
    "usage": (
        ("window",),
        {
            "model": _text,
            **dict.fromkeys(("window", "fresh", "cached", "stored", "stored_hour", "written", "thinking"), _number),
            **dict.fromkeys(("limit", "cost"), _number),
        },
    ),
    "compaction": (
        ("trigger", "exact"),
        {
            "trigger": _one_of("manual", "auto", "unknown"), "before": _number, "after": _number, "summary": _text,
            "kept": _names, "exact": _flag,
        },
    ),
    "cleared": ((), {"reason": _text}),
    "seen": (
        ("path", "how"),
        {
            "path": _name, "how": _one_of("read", "edit", "write", "ingest"), "content": _text, "slice": _span,
            "took": _number, "inferred": _flag, "withheld": _text,
        },
    ),
    "gone": (("path",), {"path": _name, "inferred": _flag}),
    "renamed": (("path", "to"), {"path": _name, "to": _name, "inferred": _flag}),
    "annotation": (("note",), {"note": _name}),
}  # fmt: skip
"""Kind of step that a transcript tells → the fields it can't do without, and what each field is."""


def carried(steps: Sequence[tuple[int, Observation]], around: Any) -> dict[str, Any]:
    """Return steps of one session and context, each with its number, as a record that holds `around` carries them."""
    places = dict(_places(around))
    shared = {name: steps[0][1][name] for name in SHARED if name in steps[0][1]}
    ops = []
    for number, step in steps:
        own = {name: value for name, value in step.items() if name not in shared}
        found = {name: places[key] for name, value in own.items() if (key := _key(value)) in places}
        op = {"n": number, **{name: value for name, value in own.items() if name not in found}}
        ops.append({**op, "in": found} if found else op)
    return {**shared, "ops": ops}


class Carried:
    """The carried steps of one file."""

    def __init__(self, tally: Tally, origin: Origin) -> None:
        self._tally = tally
        self._origin = origin
        self._held: list[tuple[int, int, Observation]] = []
        """Steps that come after others, as a heap: (number, when it was held, step)."""
        self._count = 0

    def steps(self, said: Any, around: Record) -> list[tuple[int, Observation]]:
        """Return the steps that a record carries, each with its number; none where it carries none that fits."""
        if not isinstance(at(said, "ops"), list):
            return []
        shared = {name: value for name in SHARED if (value := said.get(name)) is not None}
        found = []
        for op in said["ops"]:
            number, step = _taken(op, shared, around.value)
            if step is None:
                self._tally.note("carried step", around.line)
                continue
            self._origin.uses(word(step, "model"))
            self._origin.started = step.get("at") if self._origin.started is None else self._origin.started
            found.append((number, step))
        return found

    def hold(self, steps: Iterable[tuple[int, Observation]]) -> None:
        """Keep steps until their turn comes."""
        for number, step in steps:
            self._count += 1
            heapq.heappush(self._held, (number, self._count, step))

    def in_turn(self, steps: Iterable[tuple[int, Observation]]) -> Iterator[Observation]:
        """Yield steps, and before each those held that were recorded earlier."""
        for number, step in steps:
            while self._held and self._held[0][0] < number:
                yield heapq.heappop(self._held)[2]
            yield step

    def rest(self) -> Iterator[Observation]:
        """Yield all that is held."""
        while self._held:
            yield heapq.heappop(self._held)[2]


def _taken(op: Any, shared: Mapping[str, Any], around: Any) -> tuple[int, Observation | None]:
    number = at(op, "n")
    if not isinstance(op, dict) or not _number(number):
        return 0, None
    named = op.get("in")
    places = named if isinstance(named, dict) else {}
    step = {**shared, **{name: value for name, value in op.items() if name not in ("n", "in")}}
    step.update({name: _at(around, place) for name, place in places.items()})
    return number, step if _fits(step) else None


def _fits(step: Observation) -> bool:
    kind = step.get("kind")
    if not isinstance(kind, str) or kind not in FIELDS:
        return False
    needed, fields = FIELDS[kind]
    known = {**HEADER, **fields, "kind": _text}
    return all(name in step for name in needed) and all(
        name in known and known[name](value) for name, value in step.items()
    )


# -- places in a record -----------------------------------------------------------------------------------------------


def _places(value: Any, place: tuple[str | int, ...] = ()) -> Iterator[tuple[str, Place]]:
    """Yield what stands in a record, as it is known again, and where."""
    if (key := _key(value)) and place:
        yield key, place
    if isinstance(value, dict):
        for name, each in value.items():
            yield from _places(each, (*place, name))
    elif isinstance(value, list):
        for number, each in enumerate(value):
            yield from _places(each, (*place, number))


def _key(value: Any) -> str:
    """What a value is known by; empty for a small one, which may as well stand twice."""
    if isinstance(value, str):
        return f"text {value}" if len(value) >= SHORTEST else ""
    if isinstance(value, dict):
        written = json.dumps(value, sort_keys=True, ensure_ascii=False)
        return f"json {written}" if len(written) >= SHORTEST else ""
    return ""


def _at(value: Any, place: Any) -> Any:
    """What stands at a place of a record; None where nothing does."""
    if not isinstance(place, list):
        return None
    for name in place:
        if isinstance(value, dict) and isinstance(name, str):
            value = value.get(name)
        elif isinstance(value, list) and _number(name) and name < len(value):
            value = value[name]
        else:
            return None
    return value
