"""What a record says of the files one conversation has been shown, asked for path by path.

An edit is placed among lines that were shown before, maybe an hour ago and to another process. Only what the op table
still has is looked through; of a file that was last seen in the archive nothing is known, which an edit then says.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from ccos_core.errors import NotFound
from ccos_core.intake.hooks.remembered import Sighting
from ccos_core.storage.record import LAST_STEP, Record
from ccos_core.values.paths import Place, recorded

CHUNK = 32
"""Ops that are looked at together, the newest first: mostly the last few say all there is to know."""
FITTING = "SELECT step, body FROM op WHERE step < ? AND instr(body, ?) ORDER BY step DESC LIMIT ?"


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

    def recall(self, path: str) -> list[Sighting]:
        """What was recorded of a file, by the path its host says; from where it was known as a whole."""
        found: list[Sighting] = []
        for op, step in self._back(recorded(path, self.place)):
            found.append(self._sighting(op, step))
            if found[-1].kind == "gone" or (found[-1].text is not None and not found[-1].first):
                break
        return found[::-1]

    # -- helpers --------------------------------------------------------------------------------------------------

    def _back(self, path: str) -> Iterator[tuple[dict[str, Any], int]]:
        """What this conversation was told of a file, the newest first, under the name it had then."""
        before = LAST_STEP
        while rows := self.record.ask(FITTING, (before, _spelled(path), CHUNK)):
            for step, body in rows:
                before, op = step, json.loads(body)
                if not self._is_ours(op):
                    continue
                if op["kind"] == "renamed" and op["to"] == path:
                    path = op["path"]
                    break
                if op["kind"] in ("seen", "gone", "renamed") and op["path"] == path:
                    yield op, step

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


def _spelled(path: str) -> bytes:
    """A path as it stands in an op's bytes."""
    return json.dumps(path, ensure_ascii=False).encode("utf-8", "surrogatepass")
