"""What contents say, for the fold of a record: recorded facts first, else derived and remembered for recording.

An epoch pins which version of each interpreter counts; `under` says which epoch the fold is in. A fact that isn't
recorded can be derived only by the pinned version itself. What can't be had is None and stands in `missing`, so that
every answer can say that it is partial. Nothing is written before `record_missing`, and that never moves the head.
"""

from __future__ import annotations

import contextlib
from collections import OrderedDict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager
from itertools import islice
from typing import TYPE_CHECKING, Any, TypeVar

from ccos_core.errors import CcosError, Damaged, Erased, NotFound
from ccos_core.intake.tools import runs_nothing
from ccos_core.log.facts import composed_key, drawn_from, fact_body, packed_fact
from ccos_core.log.packing import Spoiled, unpacked
from ccos_core.session import interpreters
from ccos_core.session.deriving import (
    BY_NAME,
    FAILURES,
    Made,
    Making,
    Stored,
    outline_body,
    readers_version,
    report_body,
)
from ccos_core.storage import facts as rows
from ccos_core.storage.opening import open_record
from ccos_core.storage.record import Record
from ccos_core.text.syntax.languages import language_of
from ccos_core.values.canon import digest, parse_known
from ccos_core.values.code import Outline, outline_of
from ccos_core.values.outcome import Report, report_of

if TYPE_CHECKING:
    from ccos_core.log.facts import Key, Packed
    from ccos_core.storage.measures import Row

Told = TypeVar("Told", Outline, Report)

MOST_TOLD = 1_000
"""Outlines and reports kept at hand; a fold keeps by itself what it goes on needing."""
MOST_TEXT = 4_000_000
"""Characters of texts kept at hand: what was read is often edited next, and a failure reaches files far away."""
BATCH = 500
"""Facts recorded in one transaction, so that other writers don't wait long."""
MOST_FRESH = 2_000
"""Derived facts, or measures of files, that wait in the middle of a fold to be kept."""
PATIENCE = 1.0
"""Seconds to wait for another writer before the facts are left for the next reader to record."""
SILENCE_SINCE = 2
"""The version of the readers since which a call that printed nothing is read: that it succeeded says something."""
ENDS = {"ok": "ok", "error": "error"}
"""How a call ended, as facts about its output say it; all else is `unknown`."""


class Facts:
    """The facts of one open record."""

    def __init__(self, record: Record, beside: Facts | None = None) -> None:
        self.record = record
        self.missing: dict[str, str] = {}
        """Content → why what it says can't be had: `erased`, `absent`, `damaged`, `no grammar`, or `version` where
        another than today's is pinned."""
        self._pins: Mapping[str, int] = {}
        self._ahead: dict[Key, Packed] = {}
        """Read ahead, and not asked for yet."""
        self._fresh: dict[Key, Packed] = {}
        """Derived, and not recorded yet."""
        self._most_fresh = MOST_FRESH
        self._made: dict[Key, Made] = {}
        """Made by others, and not asked for yet."""
        self._entries: dict[str, tuple[Key, tuple[int, ...]]] = {}
        """Path → the outline that was asked for last of those others made, and what it takes to show its symbols."""
        self._measures: list[Row] = []
        """Of files whose outlines others made, for who keeps them."""
        self._making = Making(record)
        self._told: OrderedDict[Key, Outline | Report] = beside._told if beside is not None else OrderedDict()
        """At hand; a fact is the same for all readers of this record."""
        self._texts: OrderedDict[str, str] = OrderedDict()
        self._held = 0
        """Characters in all of them."""
        self._here: dict[bytes, Stored] = {}
        """Contents as they are stored, of the ops that are folded now, ..."""
        self._coming: dict[bytes, Stored] = {}
        """... and of those that come next."""
        self._latest: dict[str, str] = {}
        """Path → the content it was last given whole, up to the ops that come next."""
        self._tombstones = rows.tombstones(record)

    @property
    def pins(self) -> Mapping[str, int]:
        """Interpreter → the version that counts: of the record's last epoch, unless `under` named another. A record
        from before epochs pinned any is read with today's."""
        if not self._pins:
            self._pins = interpreters.pinned(self.record) or interpreters.current()
        return self._pins

    def under(self, pins: Mapping[str, int]) -> None:
        """From here on, by what an epoch's `interpreters` pin."""
        self._pins = pins or interpreters.current()

    def text(self, content: str) -> str | None:
        """A content of the record; None where it was erased, or as `missing` says."""
        if content in self._texts:
            self._texts.move_to_end(content)
            return self._texts[content]
        found = self._content(content)
        if found is None:
            return None
        text = self._texts[content] = found.decode("utf-8", "replace")
        self._held += len(text)
        while self._held > MOST_TEXT and len(self._texts) > 1:
            self._held -= len(self._texts.popitem(last=False)[1])
        return text

    def outline(self, content: str, path: str) -> Outline | None:
        """What a content says as a file of that path; None if its language isn't ours, or as `missing` says."""
        key = self._key(bytes.fromhex(content), path)
        if key is None:
            return None
        told = self._known(key, outline_of, lambda: self._outline(key, content, None))
        if (made := self._made.pop(key, None)) is not None:
            self._entries[path] = key, made.entries
        return told

    def outline_of_text(self, text: str, path: str) -> Outline | None:
        """The same for a text that was put together from several readings, and is no content of the record."""
        content = text.encode("utf-8", "surrogatepass")
        key = self._key(composed_key(content), path)
        name = digest(content).hex()
        return None if key is None else self._known(key, outline_of, lambda: self._outline(key, name, content))

    def entries(self, content: str, path: str) -> Sequence[int] | None:
        """What it takes to show each symbol of a content, and last the file, as far as others have counted that."""
        known = self._entries.get(path)
        return known[1] if known is not None and known[0] == self._key(bytes.fromhex(content), path) else None

    def take_measures(self) -> list[Row]:
        """The measures of files that others made meanwhile, each of them once."""
        found, self._measures = self._measures, []
        return found

    def report(self, op: Mapping[str, Any]) -> Report | None:
        """What the output of a tool call, or of a failure that was told, says; empty if it has none to say it."""
        key = self._output_key(op)
        if key is None:
            return Report()
        told = self._known(key, report_of, lambda: self._report(key))
        self._made.pop(key, None)
        return told

    def look_ahead(self, ops: Iterable[Mapping[str, Any]]) -> None:
        """Have ready what these ops will ask for: the outlines of whole sources, what outputs say, and texts. They are
        folded after those that were announced before."""
        ops = list(ops)
        self._get_ready(dict.fromkeys(key for op in ops if (key := self._foreseen(op)) is not None))
        texts = dict.fromkeys(map(bytes.fromhex, self._texts_of(ops)))
        self._here, self._coming = self._coming, {row[0]: row for row in rows.stored(self.record, texts)}

    def record_missing(self, *, at_once: bool = False) -> int:
        """Record what was derived, a few hundred facts to a transaction; gives how many. What is being derived is
        waited for, unless it is to be done `at_once`. Where this process may not write, or another process is at it for
        long, that is left for another reader."""
        if not at_once:
            self._add_made(self._making.take_all())
        self._making.leave()
        before = len(self._fresh)
        self._record_fresh()
        return before - len(self._fresh)

    def record_if_many(self) -> bool:
        """Record what was derived once that is much, for a long fold would hold hundreds of bytes of it a step; gives
        whether it was. Where that fails, it is tried again at twice as much: another writer may be waited for."""
        if max(len(self._fresh), len(self._measures)) < self._most_fresh:
            return False
        self._record_fresh()
        self._most_fresh = max(MOST_FRESH, 2 * len(self._fresh))
        return True

    # -- helpers --------------------------------------------------------------------------------------------------

    def _record_fresh(self) -> None:
        if not self._fresh:
            return
        with contextlib.suppress(CcosError), self._writer() as record:
            while self._fresh:
                batch = dict(islice(self._fresh.items(), BATCH))
                rows.add(record, batch, self._tombstones)
                for key in batch:
                    del self._fresh[key]

    def _writer(self) -> AbstractContextManager[Record]:
        if self.record.writable:
            return contextlib.nullcontext(self.record)
        return open_record(self.record.path, write=True, stay=False, patience=PATIENCE)

    def _key(self, subject: bytes, path: str) -> Key | None:
        """Under which an outline stands; None where the language isn't ours, or wasn't when the epoch was written."""
        language = language_of(path)
        version = self.pins.get(language.name) if language is not None else None
        return None if language is None or version is None else (subject, language.name, version)

    def _output_key(self, op: Mapping[str, Any]) -> Key | None:
        """Under which what a call's output says stands; None where there is none to say anything."""
        version, kind = self.pins.get(FAILURES), op["kind"]
        said = op.get("result" if kind == "tool" else "output")
        if version is None or kind not in ("tool", "failed") or said is None:
            return None
        if not said["bytes"] and (version < SILENCE_SINCE or kind != "tool" or "arguments" not in op):
            return None
        if kind == "tool" and runs_nothing(op["name"], version):
            return None
        arguments = str(op["arguments"]["blob"]) if "arguments" in op else ""
        end = "error" if kind == "failed" else ENDS.get(op["outcome"], "unknown")
        return bytes.fromhex(str(said["blob"]) + arguments), f"{FAILURES}.{end}", version

    def _foreseen(self, op: Mapping[str, Any]) -> Key | None:
        """What an op will ask for, as far as that shows in it."""
        if op["kind"] == "seen":
            whole = "content" in op and "slice" not in op
            return self._key(bytes.fromhex(op["content"]["blob"]), op["path"]) if whole else None
        return self._output_key(op)

    def _texts_of(self, ops: Iterable[Mapping[str, Any]]) -> Iterator[str]:
        """The contents whose texts these ops will ask for: what they bring, and what their files were before."""
        for op in ops:
            if op["kind"] != "seen" or "content" not in op:
                continue
            content, path = op["content"]["blob"], op["path"]
            if op["how"] != "ingest":  # a look at the tree leaves texts to questions
                yield content
                if (before := self._latest.get(path)) is not None and before not in self._texts:
                    yield before
            if "slice" not in op:
                self._latest[path] = content

    def _get_ready(self, keys: Iterable[Key]) -> None:
        """Read these in one sweep; what isn't recorded is begun to be made by others, where there is enough of it."""
        wanted = [key for key in keys if not self._has(key)]
        self._ahead.update(rows.recorded(self.record, wanted))
        lacking = {key: drawn_from(key[0]) for key in wanted if key not in self._ahead and _is_ours(key)}
        sizes = rows.sizes(self.record, dict.fromkeys(part for parts in lacking.values() for part in parts))
        there = {key: [sizes.get(part, -1) for part in parts] for key, parts in lacking.items()}
        whole = {key: sum(each) for key, each in there.items() if -1 not in each}
        if self._making.pays(sum(whole.values())):
            self._making.begin(whole)

    def _add_made(self, facts: Iterable[Made]) -> None:
        for made in facts:
            if made.packed is not None:
                self._fresh[made.key], self._made[made.key] = made.packed, made
            if made.measure is not None:
                self._measures.append(made.measure)

    def _has(self, key: Key) -> bool:
        return key in self._told or key in self._ahead or key in self._fresh or key in self._making

    def _known(self, key: Key, read: Callable[[Any], Told], derive: Callable[[], bytes | None]) -> Told | None:
        """A fact as it is recorded, or derived."""
        told = self._recorded(key, read)
        if told is None:
            body = derive()
            if body is None:
                return None
            self._fresh[key] = packed_fact(key, body)
            told = self._keep(key, read(parse_known(body)))
        return told

    def _recorded(self, key: Key, read: Callable[[Any], Told]) -> Told | None:
        """Return a fact that needn't be derived. One that is spoiled counts as none: the proof is who complains."""
        if key in self._told:
            self._told.move_to_end(key)
            return self._told[key]  # type: ignore[return-value]  # a key has one kind of fact
        self._add_made(self._making.take(key))
        if (made := self._made.get(key)) is not None:
            return self._keep(key, read(made.plain))
        held = self._ahead.pop(key, None) or self._fresh.get(key)
        for _, packed in [(key, held)] if held else rows.recorded(self.record, [key]):
            said, size, form, check, stored = packed
            with contextlib.suppress(ValueError, KeyError, TypeError):
                return self._keep(key, read(parse_known(fact_body(*key, said, form, check, stored, size))))
        return None

    def _keep(self, key: Key, told: Told) -> Told:
        self._told[key] = told
        if len(self._told) > MOST_TOLD:
            self._told.popitem(last=False)
        return told

    def _outline(self, key: Key, name: str, content: bytes | None) -> bytes | None:
        """Return the body of an outline that isn't recorded; `content` where it is none of the record."""
        language = BY_NAME[key[1]]
        if key[2] != language.version:
            return self._miss(name, "version")
        if content is None and (content := self._content(name)) is None:
            return None
        body = outline_body(language, content)
        return self._miss(name, "no grammar") if body is None else body

    def _report(self, key: Key) -> bytes | None:
        output, *arguments = (part.hex() for part in drawn_from(key[0]))
        if key[2] != readers_version():
            return self._miss(output, "version")
        said, asked = self._content(output), self._content(arguments[0]) if arguments else b""
        if said is None or asked is None:
            return None
        body = report_body(said, asked, key[1].partition(".")[2])
        return self._miss(output, "no grammar") if body is None else body

    def _content(self, blob: str) -> bytes | None:
        name = bytes.fromhex(blob)
        stored = self._here.get(name) or self._coming.get(name)
        try:
            with contextlib.suppress(Spoiled):  # the record says so in its own words
                if stored is not None:
                    return unpacked(*stored)
            return self.record.content(name)
        except Erased:
            return self._miss(blob, "erased")
        except NotFound:
            return self._miss(blob, "absent")
        except Damaged:
            return self._miss(blob, "damaged")

    def _miss(self, name: str, why: str) -> bytes | None:
        self.missing[name] = why
        return None


def _is_ours(key: Key) -> bool:
    """Whether this program makes facts of that version."""
    language = BY_NAME.get(key[1])
    return key[2] == (readers_version() if language is None else language.version)
