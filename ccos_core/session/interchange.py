"""Records leaving and arriving: as JSON Lines, whole, or masked once more on the way out."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator
from typing import Any, BinaryIO

from ccos_core.errors import Damaged, NotFound
from ccos_core.log.chain import GENESIS
from ccos_core.log.facts import drawn_from, is_composed
from ccos_core.ops import table
from ccos_core.ops.plain import blobs_of, seal
from ccos_core.session.bounds import bounded_line
from ccos_core.session.lifecycle import kept_root
from ccos_core.storage import jsonl, jsonl_in, segments
from ccos_core.storage.opening import make_record
from ccos_core.storage.record import Record
from ccos_core.text.sanitize import clean
from ccos_core.values.canon import chained, digest


def export(record: Record, write: Callable[[bytes], object], *, redact: bool = False) -> int:
    """Write a record's lines; gives how many secrets were masked on the way.

    A record in which something had to be masked is another record: its ops name other contents, its chain is
    computed anew, and its end says which head it was made from. Where nothing was masked the bytes are the same.
    """
    masking = _Masking()
    lines = jsonl.lines(record)
    try:
        for raw in jsonl.written(masking.masked(lines) if redact else lines):
            write(raw)
    except (ValueError, NotFound) as error:
        for segment in segments.segments(record):
            segments.packed(record, segment)  # says so itself where an archive that isn't at hand is the reason
        raise Damaged(
            f"contains what can't be exported: {error}",
            place=record.path,
            hint=f"Nothing was written. See: ccos-tui verify {record.path}",
        ) from error
    return masking.count


def import_record(source: BinaryIO, name: str, path: str) -> tuple[int, str]:
    """Make the workspace at `path` from exported lines; gives (steps, head). It appears whole or not at all."""
    arrived: list[tuple[int, str]] = []

    def fill(record: Record) -> None:
        arrived.append(jsonl_in.fill(record, source, name))
        folder = os.path.dirname(os.path.abspath(path))
        with record.write() as writing:
            writing.set_local("root", kept_root(folder, folder))

    make_record(path, fill)
    return arrived[0]


class _Masking:
    """Today's redactor over a record that was written under an earlier one."""

    def __init__(self) -> None:
        self.count = 0
        self.renamed: dict[str, tuple[str, int]] = {}
        """Old hash → new hash and size, of contents in which something was masked."""
        self.told: set[str] = set()
        """Contents written so far; two may have become the same."""
        self.moved: set[str] = set()
        """Hashes of ops that have others now."""
        self.head = GENESIS

    def masked(self, lines: Iterator[jsonl.Line]) -> Iterator[jsonl.Line]:
        by_kind: dict[str, Callable[[jsonl.Line], jsonl.Line | None]] = {
            "blob": self._blob,
            "op": self._op,
            "fact": self._fact,
            "end": self._end,
        }
        for line in lines:
            change = by_kind.get(line["is"])
            changed = change(line) if change else line
            if changed is not None:
                yield changed

    def _blob(self, line: jsonl.Line) -> jsonl.Line | None:
        if "text" in line and (text := self._text(line["text"])) != line["text"]:
            content = text.encode()
            self.renamed[line["blob"]] = (digest(content).hex(), len(content))
            line = {"is": "blob", "blob": digest(content).hex(), "text": text}
        if line["blob"] in self.told:
            return None
        self.told.add(line["blob"])
        return line

    def _op(self, line: jsonl.Line) -> jsonl.Line:
        said = line["op"]
        op = dict(said)
        for name, form, _ in table.fields_of(said["kind"]):
            if name in said:
                op[name] = self._inline(form, said[name])
        for name, blob in blobs_of(op):
            if blob.hex() in self.renamed:
                new, size = self.renamed[blob.hex()]
                op[name] = {**op[name], "blob": new, "bytes": size}
        self.head = chained(self.head, seal(op))
        if self.head.hex() != line["hash"]:
            self.moved.add(line["hash"])
        return {**line, "op": op, "hash": self.head.hex()}

    def _fact(self, line: jsonl.Line) -> jsonl.Line | None:
        """What was inferred from a text that has changed is no fact any more."""
        key, text = bytes.fromhex(line["of"]), line.get("text", "")
        if is_composed(key):
            stale = bool(self.renamed or self.moved)
        else:
            stale = any(part.hex() in self.renamed or part.hex() in self.moved for part in drawn_from(key))
        return None if stale or self._text(text) != text else line

    def _end(self, line: jsonl.Line) -> jsonl.Line:
        if self.head.hex() == line["head"]:
            return line
        return {**line, "head": self.head.hex(), "masked": self.count, "masked_from": line["head"]}

    def _inline(self, form: str, value: Any) -> Any:
        if isinstance(value, str) and (text := self._text(value)) != value:
            return bounded_line(text, table.LONGEST.get(form, table.LONGEST["word"]), clean)
        if isinstance(value, list):
            return [self._inline(form.removesuffix("s"), each) for each in value]
        if isinstance(value, dict) and form == "numbers":
            return {self._inline("word", name): number for name, number in value.items()}
        return value

    def _text(self, text: str) -> str:
        cleaned, found = clean(text)
        self.count += sum(count for kind, count, _ in found if kind.startswith("secret:"))
        return cleaned
