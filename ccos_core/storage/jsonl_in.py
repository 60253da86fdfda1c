"""Exported lines, taken in again: all of them, each exactly as it was written, or nothing at all.

Whatever is wrong is named with its line. Ops are proven by their chain, contents by their hashes; what neither
covers (facts, tombstones, deliveries, and that no line is missing) by the digest in the last line.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any, BinaryIO

from blake3 import blake3

from ccos_core.errors import CcosError, ChainBroken, NotUnderstood
from ccos_core.log.facts import drawn_from, is_composed
from ccos_core.log.packing import LARGEST
from ccos_core.ops.plain import KEY_BYTES, NotAnOp, blobs_of, delivery_key, unseal
from ccos_core.storage.jsonl import FORMAT, Line
from ccos_core.storage.record import Record, Writing
from ccos_core.values.canon import NotCanonical, canonical, chained, digest, parse

LONGEST_LINE = 7 * LARGEST
"""A control character takes six bytes in a line."""

NOTHING_DONE = "Nothing was imported."

FIELDS: dict[str, dict[str, type]] = {
    "ccos-record": {"format": int},
    "blob": {"blob": str},
    "erased": {"blob": str, "bytes": int, "step": int, "at": int, "why": str},
    "op": {"step": int, "hash": str, "op": dict},
    "fact": {"of": str, "interpreter": str, "version": int},
    "delivery": {"key": str, "step": int},
    "end": {"steps": int, "head": str, "lines": str},
}
"""What each kind of line has. A blob and a fact also have a `text` or a `hex`; the end of a masked export says so."""
SAID = {"text": str, "hex": str}
MASKED = {"masked": int, "masked_from": str}


def fill(record: Record, source: BinaryIO, name: str) -> tuple[int, str]:
    """Put what `source` holds into an empty record, all or nothing; gives (steps, head)."""
    with record.write() as writing:
        reader = _Reader(writing, name)
        reader.read(source)
        return writing.step, writing.hash.hex()


class _Reader:
    """One import on its way."""

    def __init__(self, writing: Writing, name: str) -> None:
        self.writing = writing
        self.name = name
        self.number = 0
        self.before = blake3()
        """Of the lines before this one."""
        self.known: set[bytes] = set()
        """Contents told, or erased, and the hashes of ops: what a fact may be about."""
        self.waiting: set[bytes] = set()
        """Contents told, that the next op must refer to."""
        self.order: tuple[Any, ...] = ()
        self.ended = False
        self.take: dict[str, Callable[[Line], None]] = {
            "ccos-record": self._start,
            "blob": self._blob,
            "erased": self._erased,
            "op": self._op,
            "fact": self._fact,
            "delivery": self._delivery,
            "end": self._end,
        }

    def read(self, source: BinaryIO) -> None:
        for raw, line in self._lines(source):
            kind = line["is"]
            if (self.number == 1) != (kind == "ccos-record"):
                raise self._odd("it doesn't start as an exported record" if self.number == 1 else "a second start")
            if self.ended:
                raise self._odd("something follows its end")
            try:
                self.take[kind](line)
            except ValueError as error:
                raise self._odd(f"a line that isn't understood ({error})") from error
            self.before.update(raw)
        if not self.ended:
            raise self._odd("it is cut off: its end is missing" if self.number else "it is empty")

    def _lines(self, source: BinaryIO) -> Iterator[tuple[bytes, Line]]:
        while raw := source.readline(LONGEST_LINE):
            self.number += 1
            if not raw.endswith(b"\n"):
                raise self._odd("it is cut off in this line" if len(raw) < LONGEST_LINE else "an endless line")
            try:
                line = parse(raw[:-1])
            except NotCanonical as error:
                raise self._odd(f"isn't a line of an exported record: {error}") from error
            if type(line) is not dict or not _fits(line):
                raise self._odd("isn't a line of an exported record")
            yield raw, line

    # -- one way in per kind of line ------------------------------------------------------------------------------

    def _start(self, line: Line) -> None:
        if line["format"] != FORMAT:
            raise self._odd(f"format {line['format']}, and this ccos-tui reads {FORMAT}")

    def _blob(self, line: Line) -> None:
        content = _bytes(line)
        if digest(content).hex() != line["blob"]:
            raise self._broken("a content that isn't what its hash says")
        self._tell(digest(content))
        self.writing.keep(digest(content), content)

    def _erased(self, line: Line) -> None:
        blob = _hash(line["blob"])
        self._tell(blob)
        self.writing.erase(blob, line["bytes"], line["step"], line["at"], line["why"])

    def _op(self, line: Line) -> None:
        if self.order:
            raise self._odd("an op after the facts")
        body = canonical(line["op"])
        if line["step"] != self.writing.step + 1 or chained(self.writing.hash, body).hex() != line["hash"]:
            raise self._broken("an op that doesn't carry the chain on")
        try:
            op = unseal(body)
        except NotAnOp as error:
            raise self._broken(f"no op of this vocabulary: {error}") from error
        named = [blob for _, blob in blobs_of(op)]
        if not self.known.issuperset(named):
            raise self._broken("an op whose content is missing")
        if self.waiting.difference(named):
            raise self._odd("a content that stands before another op than the first to refer to it")
        self.waiting.clear()
        key = delivery_key(op)
        if key is not None and self.writing.record.delivered(key) is not None:
            raise self._broken("an op of an event that was recorded before")
        self.writing.append(body, key)
        self.known.add(self.writing.hash)

    def _fact(self, line: Line) -> None:
        key, body = _unhexed(line["of"]), _bytes(line)
        self._follows((1, key, line["interpreter"], line["version"]))
        parts = drawn_from(key)
        if not is_composed(key) and not (parts and self.known.issuperset(parts)):
            raise self._odd("a fact about nothing that was told")
        self.writing.keep_fact(key, line["interpreter"], line["version"], body)

    def _delivery(self, line: Line) -> None:
        key, step = bytes.fromhex(line["key"]), line["step"]
        self._follows((2, step, key))
        if len(key) != KEY_BYTES or not 0 <= step <= self.writing.step:
            raise self._odd("a delivery of no step that was told")
        if self.writing.record.delivered(key) is not None:
            raise self._odd("a delivery that was told before")
        self.writing.deliver(key, step)

    def _end(self, line: Line) -> None:
        if (line["steps"], line["head"]) != (self.writing.step, self.writing.hash.hex()):
            raise self._broken("an end that names another head")
        if self.waiting:
            raise self._odd("contents that no op refers to")
        if line["lines"] != self.before.hexdigest():
            raise self._odd("a line before this one was changed, taken out or put in")
        self.ended = True

    # -- helpers --------------------------------------------------------------------------------------------------

    def _tell(self, blob: bytes) -> None:
        if blob in self.known:
            raise self._odd("a content that was told before")
        self.known.add(blob)
        self.waiting.add(blob)

    def _follows(self, order: tuple[Any, ...]) -> None:
        if self.order >= order:
            raise self._odd("a line out of order, or there twice")
        self.order = order

    @property
    def _place(self) -> str:
        return f"{self.name}, line {self.number}"

    def _odd(self, fact: str) -> NotUnderstood:
        return NotUnderstood(fact, place=self._place, hint=NOTHING_DONE)

    def _broken(self, fact: str) -> CcosError:
        step = self.writing.step + 1
        return ChainBroken(fact, step=step, place=f"{self._place} (step {step})", hint=NOTHING_DONE)


def _fits(line: Line) -> bool:
    """Whether a line has the fields of its kind, and no others."""
    if type(line.get("is")) is not str or line["is"] not in FIELDS:
        return False
    fields = {"is": str, **FIELDS[line["is"]]}
    if line["is"] in ("blob", "fact"):
        fields |= {name: SAID[name] for name in SAID if name in line}
        if len(SAID.keys() & line.keys()) != 1:
            return False
    if line["is"] == "end" and MASKED.keys() & line.keys():
        fields |= MASKED
    return fields.keys() == line.keys() and all(type(line[name]) is kind for name, kind in fields.items())


def _bytes(line: Line) -> bytes:
    if "text" in line:
        return str(line["text"]).encode()
    content = _unhexed(line["hex"])
    try:
        content.decode()
    except UnicodeDecodeError:
        return content
    raise ValueError("text written as hex")


def _hash(text: str) -> bytes:
    value = _unhexed(text)
    if len(value) != 32:
        raise ValueError("no hash")
    return value


def _unhexed(text: str) -> bytes:
    value = bytes.fromhex(text)
    if value.hex() != text:
        raise ValueError("hex in another spelling")
    return value
