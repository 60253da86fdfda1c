"""The proof of a record: walk everything it holds, and say where it first contradicts itself.

Chain, ops, deliveries, contents, facts, archive, and SQLite's own pages. Never stops at trouble it can walk around:
what can still be read is counted, and each trouble names the step it belongs to. Anchors are heads somebody wrote
down elsewhere; they tell a record from one whose whole chain was computed anew.
"""

from __future__ import annotations

import json
import os
import re
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

from ccos_core.errors import CcosError, CopiedWhileOpen, Erased, NotFound
from ccos_core.log.chain import GENESIS, Break, follow
from ccos_core.log.facts import drawn_from, fact_body, is_composed
from ccos_core.log.packing import Spoiled, row_holds
from ccos_core.log.segment import Segment, unpack_segment
from ccos_core.ops.plain import NotAnOp, blobs_of, delivery_key, unseal
from ccos_core.storage import row_sums
from ccos_core.storage.record import CHUNK, LAST_STEP, Record
from ccos_core.storage.rederiving import Rederives, compared
from ccos_core.storage.segments import packed, segments
from ccos_core.values.canon import chained

Row = tuple[int, bytes, bytes]
Heard = Callable[[int, int], None]
"""Is told how much of how much has been walked; may raise to stop it."""
OFTEN = 200
"""Steps or contents between two words."""
MOST_TROUBLES = 100
"""Troubles listed; a record that is torn everywhere is as convincing after a hundred."""
ANY = (-(2**63),)
"""Below every key a row may have, whatever damage made of it."""


@dataclass(frozen=True, slots=True)
class Trouble:
    """One contradiction."""

    step: int
    """Where it is, or the first step that depends on it; 0 when it belongs to none. A stray op may have one below."""
    what: str
    """`chain`, `op`, `delivery`, `content`, `erased`, `fact`, `archive`, `state`, `file`, `anchor` or `copy`."""
    fact: str
    expected: str = ""
    found: str = ""


@dataclass(slots=True)
class Proof:
    """What was walked, and what was wrong."""

    path: str
    steps: int = 0
    """Ops that could be read."""
    proven: int = 0
    """The last step up to which the chain holds."""
    head: str = GENESIS.hex()
    """The chain's hash there."""
    floor: int = 0
    contents: int = 0
    content_bytes: int = 0
    facts: int = 0
    rederived: int = 0
    """Facts that were derived anew, and compared."""
    deliveries: int = 0
    anchors: int = 0
    erased: list[tuple[str, int]] = field(default_factory=list)
    """(hash, the step it was erased at)."""
    away: list[tuple[int, int, str]] = field(default_factory=list)
    """Archive files that aren't at hand: (first, last, name)."""
    troubles: list[Trouble] = field(default_factory=list)

    @property
    def valid(self) -> bool:
        return not self.troubles

    @property
    def first_break(self) -> Trouble | None:
        """The trouble of the earliest step; what belongs to no step comes last."""
        return min(self.troubles, key=lambda trouble: (trouble.step == 0, trouble.step), default=None)


def prove(
    record: Record,
    anchors: Iterable[tuple[int | None, str]] = (),
    rederives: Rederives | None = None,
    heard: Heard = lambda done, total: None,
    *,
    thorough: bool = False,
) -> Proof:
    """Walk the whole record. With `rederives`, a sample of the facts is held to what they were drawn from; all of
    them, if `thorough`."""
    walk = _Walk(record, rederives, heard, thorough)
    walk.holdings()
    walk.pages()
    walk.chain()
    walk.contents()
    walk.tombstones()
    walk.facts()
    walk.deliveries()
    walk.sums()
    walk.anchors(anchors)
    return walk.proof


def read_anchors(text: str) -> list[tuple[int | None, str]]:
    """(step, head) pairs out of whatever was kept of earlier proofs: `STEP HASH` lines, printed heads, or JSON."""
    found: list[tuple[int | None, str]] = []
    for line in text.splitlines():
        said = _json_anchor(line)
        step = re.search(r"(?:^|\bstep\s+)(\d{1,18})\b", line)
        heads = re.findall(r"\b[0-9a-f]{64}\b", line)
        found += [said] if said else [(int(step.group(1)) if step else None, head) for head in heads]
    return found


def _json_anchor(line: str) -> tuple[int, str] | None:
    """What a line of `verify --json` or `log --json` says: the step it ends at, and the hash there."""
    if not line.startswith("{"):
        return None
    try:
        value = json.loads(line)
        step, head = value.get("proven", value.get("step")), value.get("head", value.get("hash"))
    except (ValueError, RecursionError):
        return None
    return (step, head) if type(step) is int and type(head) is str and re.fullmatch("[0-9a-f]{64}", head) else None


class _Walk:
    """One walk through one record."""

    def __init__(self, record: Record, rederives: Rederives | None, heard: Heard, thorough: bool) -> None:
        self.record = record
        self.thorough = thorough
        self.rederives = rederives
        self.heard = heard
        self.proof = Proof(record.path)
        self.hashes: dict[int, str] = {0: GENESIS.hex()}
        """Step → hash, as far as the chain is proven."""
        self.first_use: dict[bytes, int] = {}
        """Content → the first step that refers to it."""
        self.sizes: dict[bytes, int] = {}
        self.keys: dict[bytes, int] = {}
        """Delivery key → the step it was recorded as."""
        self.stored: set[Any] = set()
        self.noted: list[tuple[Any, ...]] = []
        self.subjects: set[Any] = set()
        self.head: int | None = None
        """What was there before the walk began: contents, deliveries, what facts are about, the last step."""
        if record.notice is not None:
            what = "copy" if isinstance(record.notice, CopiedWhileOpen) else "file"
            self._note(0, what, record.notice.fact)

    def holdings(self) -> None:
        """Take down what is there. Ops only ever come after it, so the ops that are read later explain all of it,
        and whoever writes meanwhile can neither be kept waiting nor make a whole record look broken."""
        self.stored |= {row[0] for row in self._walked("SELECT hash FROM blob WHERE hash > ? ORDER BY hash", ANY)}
        self.noted += self._walked('SELECT key, step, "check" FROM delivery WHERE key > ? ORDER BY key', ANY)
        self.subjects |= {
            row[1] for row in self._walked("SELECT rowid, key FROM fact WHERE rowid > ? ORDER BY rowid", ANY)
        }
        try:
            self.head = self.record.head()[0]
        except CcosError as error:
            self._note(0, "file", error.fact)

    def pages(self) -> None:
        """What SQLite itself says of the file."""
        for (line,) in self._asked("PRAGMA integrity_check(20)"):
            if line != "ok":
                self._note(0, "file", f"SQLite finds it damaged: {_shown(' '.join(str(line).split()))}")
        for (page,) in self._asked("PRAGMA page_size"):
            if os.path.getsize(self.record.path) % page:
                self._note(0, "file", "it is cut off in the middle of a page")

    def chain(self) -> None:
        """Every op from the first, through the archive, to the head."""
        before, first = GENESIS, 1
        for segment in self._segments():
            if segment.first != first or segment.before != before:
                self._note(first, "archive", "a segment doesn't follow what lies before it")
            try:
                rows = unpack_segment(segment, packed(self.record, segment))
            except NotFound:
                self.proof.away.append((segment.first, segment.last, segment.place))
                rows = None
            except (Spoiled, CcosError) as error:
                self._note(first, "archive", f"steps {segment.first} to {segment.last}: {_fact(error)}")
                return
            if rows is not None and not self._follow(before, first, rows, segment.last):
                if self.proof.proven == segment.last:  # each op in itself, but not all of them
                    self.proof.proven, self.proof.head = first - 1, before.hex()
                    self._note(first, "archive", f"steps {first} to {segment.last} aren't what was archived")
                return
            before, first = segment.after, segment.last + 1
            self.hashes[segment.last] = before.hex()
            self.proof.floor = self.proof.proven = segment.last
            self.proof.head = before.hex()
        if self._follow(before, first, self.record.rows(first, tolerant=True)):
            self._end(first)

    def contents(self) -> None:
        """Every content an op refers to, and that nothing else is there."""
        for at, (blob, step) in enumerate(self.first_use.items()):
            if at % OFTEN == 0:
                self.heard(len(self.first_use) + at, 2 * len(self.first_use))
            try:
                content = self.record.content(blob)
            except Erased:
                self.proof.erased.append((blob.hex(), self._erased_at(blob)))
                continue
            except CcosError as error:
                self._note(step, "content", error.fact)
                continue
            if len(content) != self.sizes[blob]:
                self._note(step, "content", f"content {blob.hex()[:12]} hasn't the size its op says")
            self.proof.contents += 1
            self.proof.content_bytes += len(content)
        if self.proof.valid and not self.proof.away:
            for blob in sorted(self.stored - self.first_use.keys(), key=_hex):
                self._note(0, "content", f"no op refers to content {_hex(blob)[:12]}")

    def tombstones(self) -> None:
        """Every tombstone is as it was put there, for a content that is gone."""
        query = 'SELECT hash, size, step, at, why, "check" FROM erased WHERE hash > ? ORDER BY hash'
        for blob, size, step, at, why, check in self._walked(query, ANY):
            if not row_holds(check, blob, size, step, at, why):
                self._note(
                    self.first_use.get(blob, 0), "erased", f"the tombstone of content {_hex(blob)[:12]} was changed"
                )
            elif self._asked("SELECT 1 FROM blob WHERE hash = ?", (blob,)):
                self._note(self.first_use.get(blob, 0), "erased", f"content {_hex(blob)[:12]} was erased, and is here")

    def facts(self) -> None:
        """Every fact is what was recorded, and is about something that is here."""
        query = (
            'SELECT rowid, key, interpreter, version, digest, form, "check", body, size'
            " FROM fact WHERE rowid > ? ORDER BY rowid"
        )
        at_hand: list[tuple[bytes, int]] = []
        for rowid, *row in self._walked(query, ANY, 50):
            key, interpreter, version = row[:3]
            try:
                fact_body(*row)
                if self.rederives is not None and self.rederives.has(interpreter, version):
                    at_hand.append((row[3], rowid))
            except Spoiled as error:
                self._note(self._step_behind(key), "fact", f"fact {_named(*row[:3])}: {error}")
            if not self._is_about_something(key) and key in self.subjects and self._is_followed:
                self._note(0, "fact", f"fact {_named(*row[:3])} is about nothing in this record")
            self.proof.facts += 1
        self._compare(at_hand)

    def deliveries(self) -> None:
        """Every event that an op came from is known under its key, at that step."""
        known: dict[bytes, int] = {}
        for key, step, check in self.noted:
            if row_holds(check, key, step):
                known[key] = step
            else:
                self._note(0, "delivery", f"the note of event {_hex(key)} (step {step}) was changed")
        self.proof.deliveries = len(known)
        for key, step in self.keys.items():
            if known.get(key) != step and self._delivered(key) != step:
                self._note(step, "delivery", "the event it came from isn't noted, so it could be recorded twice")
        if self.proof.valid:
            for step in sorted(step for step in known.values() if not 0 <= step <= self.proof.proven):
                self._note(step, "delivery", "an event is noted for a step that isn't here")

    def sums(self) -> None:
        """No fact and no note of an event came or went in another way than by a write of ours."""
        rows = self._asked(row_sums.WITH_SUMS)
        stored = [value for table, value, _ in rows if table == "sums"]
        if not stored:
            return  # written before there were any
        told = row_sums.parsed(stored[0])
        here = row_sums.counted([row for row in rows if row[0] != "sums"])
        for table in row_sums.TABLES:
            if any(trouble.what == table for trouble in self.proof.troubles):
                continue
            count, total = here.get(table, (0, 0))
            if told is None:
                self._note(0, table, "the sum over them can't be read")
            elif (count, total) != told[table]:
                self._note(0, table, _miscounted(table, count, told[table][0]))

    def anchors(self, anchors: Iterable[tuple[int | None, str]]) -> None:
        """Every head that was written down earlier is still a hash of this chain."""
        everywhere = set(self.hashes.values())
        for step, head in anchors:
            if step is None and head not in everywhere and self.proof.away:
                continue  # it may lie in what isn't at hand
            if step is not None and step not in self.hashes and step <= self.proof.proven:
                continue  # it does
            self.proof.anchors += 1
            if step is None and head not in everywhere:
                self._note(0, "anchor", "a head that was written down isn't in this chain", head, "no such hash")
            elif step is not None and self.hashes.get(step) != head:
                found = self.hashes.get(step, "no such step")
                self._note(step, "anchor", "the chain was another when its head was written down", head, found)

    # -- helpers --------------------------------------------------------------------------------------------------

    @property
    def _is_followed(self) -> bool:
        """Whether the chain was walked to its end, so that what it doesn't name is about nothing."""
        return not self.proof.away and not any(each.what in ("chain", "archive") for each in self.proof.troubles)

    def _compare(self, facts: list[tuple[bytes, int]]) -> None:
        if self.rederives is None or not facts:
            return
        try:
            for fact, same in compared(self.record, facts, self.sizes, self.rederives, thorough=self.thorough):
                self.proof.rederived += 1
                if not same:
                    self._note(self._step_behind(fact[0]), "fact", f"fact {_named(*fact)} isn't what its content gives")
        except (CcosError, Spoiled) as error:
            self._note(0, "fact", _fact(error))

    def _step_behind(self, key: Any) -> int:
        """The first step that has all a fact is about; 0 where there is none."""
        return max((self.first_use.get(part) or self._step_of.get(part, 0) for part in drawn_from(key)), default=0)

    def _is_about_something(self, key: Any) -> bool:
        parts = drawn_from(key)
        known = all(part in self.first_use or self._step_of.get(part) for part in parts)
        return is_composed(key) or (bool(parts) and known)

    def _follow(self, before: bytes, first: int, rows: Iterable[Row], last: int = LAST_STEP) -> bool:
        """Walk a stretch of the chain; False where it broke."""
        try:
            for row in follow(before, rows, first):
                if isinstance(row, Break):
                    self._note(row.step, "chain", row.what, row.expected, row.found)
                    self.proof.steps += sum(1 for _ in self.record.rows(row.step + 1, tolerant=True))
                    return False
                step, hash_, body = row
                if step % OFTEN == 0:  # the chain is one half of the work, the contents are the other
                    self.heard(step, 2 * max(self.head or 0, step))
                self.proof.steps += 1
                self.proof.proven, self.proof.head = step, hash_.hex()
                self.hashes[step] = hash_.hex()
                self._op(step, body)
        except (Spoiled, CcosError) as error:
            self._note(min(self.proof.proven + 1, last), "chain", _fact(error))
            return False
        return True

    def _op(self, step: int, body: bytes) -> None:
        try:
            op = unseal(body)
        except NotAnOp as error:
            self._note(step, "op", f"isn't an op of this vocabulary: {error}")
            return
        for name, blob in blobs_of(op):
            self.first_use.setdefault(blob, step)
            self.sizes.setdefault(blob, op[name]["bytes"])
        key = delivery_key(op)
        if key is not None:
            self.keys[key] = step

    def _end(self, first: int) -> None:
        """A chain that ends early, because its last ops can't be read or stand elsewhere, is not a shorter chain."""
        for step, hash_, body in self._asked("SELECT step, hash, body FROM op WHERE step < ? LIMIT 1", (first,)):
            is_next = type(body) is bytes and chained(bytes.fromhex(self.proof.head), body) == hash_
            where = step if step < 1 and not is_next else self.proof.proven + 1
            self._note(where, "chain", f"an op stands as step {step}, where none can be")
        if self.head is None or self.head > self.proof.proven:
            self._note(self.proof.proven + 1, "chain", "from here on the ops can't be read")

    def _erased_at(self, blob: bytes) -> int:
        rows = self._asked("SELECT step FROM erased WHERE hash = ?", (blob,))
        return rows[0][0] if rows and type(rows[0][0]) is int else 0

    def _segments(self) -> list[Segment]:
        try:
            return segments(self.record)
        except CcosError as error:
            self._note(0, "archive", error.fact)
            return []

    def _asked(self, sql: str, values: tuple[object, ...] = ()) -> list[tuple[Any, ...]]:
        try:
            return self.record.ask(sql, values)
        except CcosError as error:
            self._note(0, "file", error.fact)
            return []

    def _walked(self, sql: str, start: tuple[object, ...], chunk: int = CHUNK) -> Iterator[tuple[Any, ...]]:
        """The same for a long one."""
        try:
            yield from self.record.walk(sql, start, chunk)
        except CcosError as error:
            self._note(0, "file", error.fact)

    def _delivered(self, key: bytes) -> int | None:
        """The same for one that came while we walked; one that can't be read was complained of already."""
        try:
            return self.record.delivered(key)
        except CcosError:
            return self.keys[key]

    @cached_property
    def _step_of(self) -> dict[bytes, int]:
        return {bytes.fromhex(hash_): step for step, hash_ in self.hashes.items()}

    def _note(self, step: int, what: str, fact: str, expected: str = "", found: str = "") -> None:
        if len(self.proof.troubles) < MOST_TROUBLES:
            self.proof.troubles.append(Trouble(step, what, fact, expected, found))


def _miscounted(table: str, here: int, recorded: int) -> str:
    what = {"fact": "facts", "delivery": "notes of events"}[table]
    if here == recorded:
        return f"one of the {here:,} {what} isn't one that was recorded"
    return f"{here:,} {what} are here where {recorded:,} were recorded"


def _named(key: Any, interpreter: Any, version: Any) -> str:
    return f"{_shown(interpreter)}/{version} of {_hex(key)[:12]}"


def _hex(blob: Any) -> str:
    return blob.hex() if type(blob) is bytes else repr(blob)


def _shown(text: Any) -> str:
    return str(text).encode("utf-8", "backslashreplace").decode()


def _fact(error: Exception) -> str:
    return error.fact if isinstance(error, CcosError) else str(error)
