"""What the record already says of each path, so that looking at a tree twice adds nothing the second time.

Follows all ops that were appended, and is saved in the cache between runs. Whole contents only: a slice
says nothing about the rest of its file. What an agent reported through a tool need not lie on the disk; such a path is
kept apart until a look at the tree or a host says that it does.
"""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

from ccos_core.storage.cache import load_known, save_known
from ccos_core.storage.record import Record

if TYPE_CHECKING:
    from collections.abc import Iterable

    from ccos_core.ops.plain import Plain

TELLING = (b'"kind":"seen"', b'"kind":"gone"', b'"kind":"renamed"')
"""What the bytes of an op hold if it says anything about a path; most ops don't, and needn't be parsed."""


class Known:
    """path → content, as of `step`."""

    def __init__(self, record: Record) -> None:
        self.record = record
        self.saved, saved = load_known(record)
        self.paths = {path: content for path, (content, _) in saved.items()}
        self.reported = {path for path, (_, reported) in saved.items() if reported}
        """Paths that were only ever reported: they aren't looked for on the disk."""
        self.step = self.saved
        self.changed: set[str] = set()

    def catch_up(self, step: int) -> None:
        """Learn what others appended up to `step`."""
        if self.step < step:
            for at, _, body in self.record.rows(self.step + 1, step):
                if any(mark in body for mark in TELLING):
                    self.learn(at, json.loads(body))
            self.step = step

    def learn(self, step: int, op: Plain) -> None:
        """Take in the op that made `step`."""
        self.step = step
        path = op.get("path", "")
        if op["kind"] == "seen" and "slice" not in op:
            is_reported = is_report(op) and (path not in self.paths or path in self.reported)
            self._set(path, content_of(op), is_reported)
        elif op["kind"] == "seen" and not is_report(op):
            self.meet([path])
        elif op["kind"] == "gone":
            self._set(path, None)
        elif op["kind"] == "renamed" and path in self.paths:
            self._set(op["to"], self.paths[path], path in self.reported)
            self._set(path, None)

    def meet(self, paths: Iterable[str]) -> None:
        """These lie on the disk."""
        found = self.reported.intersection(paths)
        self.reported -= found
        self.changed |= found

    def save(self) -> None:
        """Leave it for the next run."""
        if self.step > self.saved or self.changed:
            changes = {
                path: (self.paths[path], path in self.reported) if path in self.paths else None for path in self.changed
            }
            save_known(self.record, self.step, changes, since=self.saved)
            self.saved = self.step
            self.changed.clear()

    def _set(self, path: str, content: str | None, is_reported: bool = False) -> None:
        self.changed.add(path)
        if content is None:
            self.paths.pop(path, None)
        else:
            self.paths[path] = content
        if content is not None and is_reported:
            self.reported.add(path)
        else:
            self.reported.discard(path)


def is_report(op: Plain) -> bool:
    """Whether an agent said this of a source through a tool of ours: no host saw it, and neither did we."""
    return op.get("actor") == "agent" and not op.get("host")


def content_of(op: Plain) -> str:
    """What a sighting says of its file: the content's hash, or why there is none."""
    content = op.get("content")
    if isinstance(content, dict):
        return str(content["blob"])
    return str(op.get("withheld", ""))
