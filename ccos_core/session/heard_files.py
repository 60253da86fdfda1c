"""What a record says of the files one conversation has been shown, asked for path by path.

An edit is placed among lines that were shown before, maybe an hour ago and to another process. Only what the op table
still has is looked through; of a file that was last seen in the archive nothing is known, which an edit then says. At
which steps a conversation was told of which file is kept beside the record, or each would cost a walk over all ops.
"""

from __future__ import annotations

import json
from bisect import bisect_left
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any

from ccos_core.errors import NotFound
from ccos_core.intake.hooks.remembered import Sighting
from ccos_core.storage.record import LAST_STEP, Record
from ccos_core.values.canon import digest
from ccos_core.values.paths import Place, recorded

NAMING = "SELECT step, body FROM op WHERE step > ? AND step <= ? AND instr(body, ?) AND instr(body, ?)"
OP = "SELECT body FROM op WHERE step = ?"
OF_A_FILE, OF_FILES = ("seen", "gone", "renamed"), b'"path":'
MARK = 8
"""Characters by which a file is known; two may have the same."""


@dataclass(slots=True)
class Noted:
    """At which steps one conversation was told of which file."""

    upto: int = 0
    """The last op that was looked at."""

    steps: dict[str, list[int]] = field(default_factory=dict)
    """Mark of a path → the steps that name it, rising."""


@dataclass(frozen=True, slots=True)
class RecordedFiles:
    """The files of one conversation, in one record."""

    record: Record
    place: Place
    host: str
    session: str
    context: str
    ends: Mapping[str, int]
    """Step → how the part that was shown there ends its file."""
    noted: Noted

    def recall(self, path: str) -> list[Sighting]:
        """What was recorded of a file, by the path its host says; from where it was known as a whole."""
        self._note()
        found: list[Sighting] = []
        for op, step in self._back(recorded(path, self.place)):
            found.append(self._sighting(op, step))
            if found[-1].kind == "gone" or (found[-1].text is not None and not found[-1].first):
                break
        return found[::-1]

    # -- helpers --------------------------------------------------------------------------------------------------

    def _note(self) -> None:
        """Look at what was recorded since anybody last looked."""
        noted, head = self.noted, self.record.head()[0]
        if noted.upto < head:
            said = _spelled(self.session) if self.session else OF_FILES
            for step, body in self.record.ask(NAMING, (noted.upto, head, said, OF_FILES)):
                op = json.loads(body)
                if op["kind"] in OF_A_FILE and self._is_ours(op):
                    for mark in {_mark(op[name]) for name in ("path", "to") if name in op}:
                        noted.steps.setdefault(mark, []).append(step)
            noted.upto = head

    def _back(self, path: str) -> Iterator[tuple[dict[str, Any], int]]:
        """What this conversation was told of a file, the newest first, under the name it had then."""
        before: int | None = LAST_STEP
        while before is not None:
            steps, before = self._before(path, before), None
            for step in steps:
                op = self._op(step)
                if op is None:
                    return
                if op["kind"] == "renamed" and op["to"] == path:
                    path, before = op["path"], step
                    break
                if op["path"] == path:
                    yield op, step

    def _before(self, path: str, step: int) -> list[int]:
        steps = self.noted.steps.get(_mark(path), [])
        return steps[: bisect_left(steps, step)][::-1]

    def _op(self, step: int) -> dict[str, Any] | None:
        """The op of a step, if it isn't in the archive."""
        for (body,) in self.record.ask(OP, (step,)):
            op: dict[str, Any] = json.loads(body)
            return op
        return None

    def _is_ours(self, op: Mapping[str, Any]) -> bool:
        named = (op.get("host", ""), op.get("session", ""), op.get("context", ""))
        return named == (self.host, self.session, self.context)

    def _sighting(self, op: Mapping[str, Any], step: int) -> Sighting:
        if op["kind"] != "seen":
            return Sighting("gone")
        first = op["slice"][0] if "slice" in op else 0
        return Sighting("seen", op["how"], self._text(op), first, op.get("took"), self.ends.get(str(step), 0))

    def _text(self, op: Mapping[str, Any]) -> str | None:
        content = op.get("content")
        if not content or "whole" in content:
            return None
        try:
            return self.record.content(bytes.fromhex(content["blob"])).decode("utf-8", "replace")
        except NotFound:  # erased
            return None


def _spelled(text: str) -> bytes:
    """A path or a name as it stands in an op's bytes."""
    return json.dumps(text, ensure_ascii=False).encode("utf-8", "surrogatepass")


def _mark(path: str) -> str:
    return digest(path.encode("utf-8", "surrogatepass")).hex()[:MARK]
