"""Recorded steps as plain values again: what was foreign text is text, masked once more by the current rules.

    for step in recorded_steps(record, Leaving()):
        step.number, step.said["kind"], step.said.get("said")

A text that was forgotten is left out and counted. All that reads a record for `export` reads it here.
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from ccos_core.errors import ChainBroken, Erased
from ccos_core.log.chain import GENESIS, Break, follow
from ccos_core.ops import table
from ccos_core.ops.plain import unseal
from ccos_core.text.sanitize import clean

if TYPE_CHECKING:
    from ccos_core.ops.plain import Plain
    from ccos_core.storage.record import Record

NOT_TOLD = frozenset({"v", "findings"})
FORGOTTEN = "[forgotten]"
"""Stands for a text that a step can't do without and that was forgotten."""
NEEDED = ("said", "note")
CUT = ("blob", "json")


@dataclass(slots=True)
class Leaving:
    """What happened on the way out."""

    steps: int = 0
    """Written."""
    masked: int = 0
    """Secrets that were masked on the way, beyond those that never were recorded."""
    forgotten: int = 0
    """Texts that are not there any more."""
    left_out: Counter[str] = field(default_factory=Counter)
    """Kind of step → how many the format has no place for."""


@dataclass(frozen=True, slots=True)
class Step:
    """One step."""

    number: int
    said: dict[str, Any]
    """Its kind and fields, with texts in place of references."""

    @property
    def stream(self) -> tuple[str, str, str]:
        """Which agent's session it belongs to, and which conversation of that; empty texts where it names none."""
        return self.said.get("host", ""), self.said.get("session", ""), self.said.get("context", "")


def recorded_steps(record: Record, leaving: Leaving, session: str = "") -> Iterator[Step]:
    """Yield the steps of a record in their order, or those of one session."""
    for row in follow(GENESIS, record.rows()):
        if isinstance(row, Break):
            raise ChainBroken(
                f"the chain breaks at step {row.step}: {row.what}",
                step=row.step,
                place=record.path,
                hint=f"Steps 1 to {row.step - 1} were read. See: ccos-tui verify {record.path}",
            )
        number, _, body = row
        op = unseal(body)
        if op["kind"] != "epoch" and (not session or op.get("session") == session):  # each record writes its own
            yield Step(number, _said(record, op, leaving))


def sessions_of(record: Record) -> dict[str, str]:
    """Return the sessions of a record in the order they began, each with its agent."""
    found: dict[str, str] = {}
    for _, _, body in record.rows():
        op = unseal(body)
        if "session" in op:
            found.setdefault(op["session"], op.get("host", ""))
    return found


def _said(record: Record, op: Plain, leaving: Leaving) -> dict[str, Any]:
    said: dict[str, Any] = {"kind": op["kind"]}
    for name, form, _ in table.fields_of(op["kind"]):
        if name not in op or name in NOT_TOLD:
            continue
        if form not in CUT:
            said[name] = _masked(op[name], leaving)
            continue
        try:
            text = record.content(bytes.fromhex(op[name]["blob"])).decode("utf-8", "replace")
        except Erased:
            leaving.forgotten += 1
            if name in NEEDED:
                said[name] = FORGOTTEN
            continue
        said[name] = _argument(_masked(text, leaving)) if form == "json" else _masked(text, leaving)
    return said


def _masked(value: Any, leaving: Leaving) -> Any:
    if isinstance(value, str):
        text, found = clean(value)
        leaving.masked += sum(count for kind, count, _ in found if kind.startswith("secret:"))
        return text
    if isinstance(value, list | tuple):
        return [_masked(each, leaving) for each in value]
    return value


def _argument(text: str) -> Any:
    """The arguments of a call; the text of them where not every reader of JSON could take what they hold."""
    try:
        value = json.loads(text)
        json.dumps(value, allow_nan=False)
    except (ValueError, RecursionError):
        return text
    return value
