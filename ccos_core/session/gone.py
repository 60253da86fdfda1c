"""Whether a statement is really gone: ask the record, its caches, the stores that follow it, and files made from it.

`forget` erases texts from the record and drops the caches. This looks at the bytes that are there now, and says of each
place whether it still has the statement: by its id with words beside it, by the hash of its words, or by the words.
"""

from __future__ import annotations

import html
import json
import os
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import ClassVar

from ccos_core.errors import CcosError, NotFound
from ccos_core.ops.plain import unseal
from ccos_core.present.rows import Row, Span, View, clean, row, title
from ccos_core.storage import outline_cache, search_index
from ccos_core.storage.cache import cache_path
from ccos_core.storage.locate import user_path
from ccos_core.storage.memory_sqlite import memory_path
from ccos_core.storage.opening import open_record
from ccos_core.storage.record import Record
from ccos_core.text.masking import Phrases, masked
from ccos_core.text.retrieval.carried import normalised_words

GONE, HELD, UNKNOWN = "gone", "held", "unknown"
LARGEST_FILE_BYTES = 512 * 2**20


@dataclass(frozen=True, slots=True)
class Place:
    """One place that may have a statement."""

    what: str
    """`record`, `user's record`, `cache`, `memory`, `search index`, `outlines`, `export`."""

    path: str
    """The file or folder."""

    state: str
    """`gone`, `held`, or `unknown` if it can't be read."""

    where: tuple[str, ...]
    """What has it: steps, hashes of contents, names of files."""


@dataclass(frozen=True, slots=True)
class GoneReport:
    """Where a statement still is."""

    schema: ClassVar[str] = "ccos.gone/1"
    memo: str
    """The statement it was asked about."""

    gone: bool
    """Whether no place has it."""

    places: tuple[Place, ...]

    def as_rows(self, view: View) -> Sequence[Row]:
        """One row for each place."""
        head = f"{clean(self.memo)} is gone" if self.gone else f"{clean(self.memo)} is not gone"
        rows = [title(head)]
        for each in self.places:
            role = {GONE: "good", HELD: "bad"}.get(each.state, "quiet")
            where = f" in {clean(', '.join(each.where[:8]))}" if each.where else ""
            rows.append(row("  ", Span(f"{each.state:<8}", role), f"{each.what}: {clean(each.path)}{where}"))
        return rows


def gone(path: str, memo: str, words: str = "", exports: Sequence[str] = ()) -> GoneReport:
    """Look for a statement everywhere. Its words are read from the record, unless they are erased there already; then
    they are looked for only if they are given. Raises `NotFound` if no step ever named it."""
    with open_record(path) as record:
        steps, known = _remembered(record, memo)
        words = words or known
        if not steps and not words:
            raise NotFound("no step names it", place=memo, hint="Give its words with --words.")
        phrases = Phrases([normalised_words(words)] if words else [])
        places = [_in_record("record", record, phrases)]
    places += _in_user_record(path, phrases)
    needles, cache = _needles(words), cache_path(path)
    found = [("cache", cache), ("memory", memory_path(path))]
    found += [("search index", search_index.path()), ("outlines", outline_cache.path())]
    places += [_in_files(what, each, needles) for what, each in found if os.path.exists(each)]
    places += [_in_files("export", each, needles) for each in exports]
    return GoneReport(memo, all(each.state == GONE for each in places), tuple(places))


# ---- helpers ----


def _remembered(record: Record, memo: str) -> tuple[list[int], str]:
    """Return the steps that remembered a statement, and its words if they are still there."""
    steps, words = [], ""
    for step, _, body in record.rows():
        if memo.encode() in body:
            op = unseal(body)
            if op["kind"] == "remembered" and op["memo"] == memo:
                words = _text(record, bytes.fromhex(op["words"]["blob"])) or words
            steps.append(step)
    return steps, words


def _in_record(what: str, record: Record, phrases: Phrases) -> Place:
    """Look at every content, and at the words that stand in ops."""
    found = [] if not phrases else [
        row[0].hex()[:8] for row in record.ask("SELECT hash FROM blob ORDER BY hash")
        if (text := _text(record, row[0])) and masked(text, phrases) != text
    ]  # fmt: skip
    for step, _, body in record.rows() if phrases else ():
        text = body.decode("utf-8", "replace")
        if masked(text, phrases) != text:
            found.append(f"step {step:,}")
    return Place(what, record.path, HELD if found else GONE, tuple(found))


def _in_user_record(beside: str, phrases: Phrases) -> Iterator[Place]:
    path = user_path()
    if os.path.exists(path) and os.path.realpath(path) != os.path.realpath(beside):
        try:
            with open_record(path) as record:
                yield _in_record("user's record", record, phrases)
        except CcosError:
            yield Place("user's record", path, UNKNOWN, ())


def _text(record: Record, blob: bytes) -> str:
    try:
        return record.content(blob).decode("utf-8", "replace")
    except CcosError:
        return ""


def _needles(words: str) -> list[bytes]:
    """Return what files are searched for: the words as they were written, and as JSON and HTML write them."""
    plain = words.strip()
    spelled = (plain, json.dumps(plain)[1:-1], json.dumps(plain, ensure_ascii=False)[1:-1], html.escape(plain))
    return [each.encode() for each in dict.fromkeys(spelled) if each]


def _in_files(what: str, path: str, needles: Sequence[bytes]) -> Place:
    """Look at the bytes of a file, or of all files in a folder, with what SQLite keeps beside them."""
    if not needles:
        return Place(what, path, UNKNOWN, ())
    beside = [path + end for end in ("-wal", "-journal") if os.path.exists(path + end)]
    files = [path, *beside] if not os.path.isdir(path) else [
        os.path.join(folder, name) for folder, _, names in os.walk(path) for name in sorted(names)
    ]  # fmt: skip
    try:
        found = [each for each in files if os.path.exists(each) and _has(each, needles)]
    except OSError:
        return Place(what, path, UNKNOWN, ())
    return Place(what, path, HELD if found else GONE, tuple(os.path.basename(each) for each in found))


def _has(path: str, needles: Sequence[bytes]) -> bool:
    if os.path.getsize(path) > LARGEST_FILE_BYTES:
        raise OSError("too large")
    with open(path, "rb") as file:
        content = file.read()
    return any(each in content for each in needles)
