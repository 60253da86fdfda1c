"""Forgetting: contents leave the record for good, and the chain stays valid.

An op holds the hash of a text, never the text, so the text can go without touching the op. What stays is a
tombstone: which content, when, and why. Facts drawn from it go with it, and so does the cache.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from dataclasses import dataclass, replace
from fnmatch import fnmatchcase
from typing import Any

from ccos_core.errors import CcosError, Damaged, NotFound, Unavailable, Usage
from ccos_core.memory.entry import memo_id
from ccos_core.ops.plain import NotAnOp, blobs_of, unseal
from ccos_core.session import worlds
from ccos_core.session.arguments import named_paths
from ccos_core.session.session import place_of, root_of, wall_clock
from ccos_core.storage import cache, originals, outline_cache, search_index
from ccos_core.storage.opening import open_record
from ccos_core.storage.record import Record
from ccos_core.text.masking import Phrases, masked
from ccos_core.text.retrieval.carried import normalised_words
from ccos_core.text.statements import statements_of
from ccos_core.values.paths import Place, recorded

FEWEST_DIGITS = 8
LEAST_TEXT = 16
"""Characters of a file whose text is looked for in originals; a shorter one stands in many texts."""


@dataclass(frozen=True, slots=True)
class Forgotten:
    """What was erased."""

    contents: int
    bytes: int
    facts: int
    lingering: bool = False
    """Whether the bytes stay in the file until another program that has it open leaves."""

    inline: int = 0
    """Steps that say what was meant in words of their own, such as a claim, a tag, a reason or a path. These are part
    of the chain and stay. Counted only when texts are chosen by what they say."""


def forget(
    path: str, *, blob: str = "", match: str = "", glob: str = "", memo: str = "", at: int | None = None
) -> Forgotten:
    """Erase the contents named by (the start of) a hash, by what they say, by the path they belong to, or all in which
    the words of a statement stand."""
    with open_record(path, write=True) as record:
        if blob:
            chosen, why = _named(record, blob), "by hash"
        elif memo:
            chosen, why = list(_saying_memo(record, memo)), f"statement {memo}"
        elif match:
            chosen, why = list(_saying(record, match)), "by what it said"
        else:
            chosen, why = list(_belonging(record, glob)), f"path {glob}"
        inline = _inline(record, match) if match else 0
        squeezed = _squeezed(record, chosen, blob, match, memo)
        if not chosen and not squeezed:
            stays = f"{inline:,} steps say it in a claim, tag, reason or name, which can't be erased."
            raise NotFound("no recorded text matches, so nothing was erased", place=path, hint=stays if inline else "")
        done = _erase(record, chosen, why, at if at is not None else wall_clock())
        done = replace(done, lingering=not _wipe(record), inline=inline)
    done = replace(done, contents=done.contents + len(squeezed), bytes=done.bytes + originals.erase(squeezed))
    cache.drop(path)
    outline_cache.drop()  # it may have read the same text on the disk
    search_index.drop()
    return done


def _squeezed(record: Record, chosen: list[bytes], blob: str, match: str, memo: str) -> list[str]:
    """Return the hashes of the originals that `squeeze` kept beside any record, and that say the same: which file an
    original came from isn't known, so of files those count that hold the text of one."""
    names = originals.find("")
    if not names:
        return []
    same = {each.hex() for each in chosen}
    if blob:
        return [name for name in names if name.startswith(blob.lower())]
    phrases = Phrases([normalised_words(words)]) if memo and (words := words_remembered(record, memo)) else None
    texts = [] if match or memo else [text for each in chosen if len(text := _text(record, each).strip()) >= LEAST_TEXT]

    def is_meant(name: str) -> bool:
        try:
            text = originals.read(name).decode("utf-8", "replace")
        except (OSError, Damaged):
            return False
        if match:
            return re.search(match, text) is not None
        return masked(text, phrases) != text if phrases is not None else any(each in text for each in texts)

    return [name for name in names if name in same or is_meant(name)]


def _wipe(record: Record) -> bool:
    """Make what was deleted leave the file and its log, not only the tables; False while others still read it."""
    try:
        record.ask("VACUUM")
        return not record.ask("PRAGMA wal_checkpoint(TRUNCATE)")[0][0]
    except Unavailable:
        return False


def _named(record: Record, start: str) -> list[bytes]:
    """Return the one content that is meant; none if it is only an original that `squeeze` kept."""
    try:
        return [_one(record, start)]
    except NotFound:
        if len(originals.find(start.lower())) == 1:
            return []
        raise


def _one(record: Record, start: str) -> bytes:
    start = start.lower()
    if len(start) < FEWEST_DIGITS or not re.fullmatch("[0-9a-f]{1,64}", start):
        raise Usage(f"a hash needs at least {FEWEST_DIGITS} hex digits", place=start)
    found = [hash_ for hash_ in _hashes(record) if hash_.hex().startswith(start)]
    if not found:
        erased = record.ask("SELECT step FROM erased WHERE hex(hash) LIKE ?", (start + "%",))
        fact = (
            f"was erased already, at step {erased[0][0]}"
            if erased
            else "no recorded text has a hash that starts with it"
        )
        raise NotFound(fact, place=start)
    if len(found) > 1:
        raise Usage(f"{len(found)} texts have a hash that starts with it; give more digits", place=start)
    return found[0]


def _saying(record: Record, pattern: str) -> Iterator[bytes]:
    try:
        wanted = re.compile(pattern)
    except re.error as error:
        raise Usage(f"isn't a regular expression: {error}", place=pattern) from error
    for blob in _hashes(record):
        if wanted.search(_text(record, blob)):
            yield blob


def _saying_memo(record: Record, memo: str) -> Iterator[bytes]:
    """Yield the contents in which a statement stands, whatever its case and marks."""
    words = words_remembered(record, memo)
    if not words:
        raise NotFound("no recorded text has it", place=memo, hint="`statements` lists what was said.")
    phrases = Phrases([normalised_words(words)])
    for blob in _hashes(record):
        if masked(text := _text(record, blob), phrases) != text:
            yield blob


def words_remembered(record: Record, memo: str) -> str:
    """Return the words of a statement: as it was remembered, or said by the user; empty if they aren't there."""
    for _, op in _ops(record):
        if op["kind"] == "remembered" and op["memo"] == memo:
            return _text(record, bytes.fromhex(op["words"]["blob"]))
        if op["kind"] == "prompt":
            for said in statements_of(_text(record, bytes.fromhex(op["said"]["blob"]))):
                if memo_id(said.words) == memo:
                    return said.text
    return ""


def _inline(record: Record, pattern: str) -> int:
    """Count the steps with matching words in the op itself."""
    wanted = re.compile(pattern)
    return sum(any(wanted.search(each) for each in _words(op)) for _, op in _ops(record))


def _words(value: Any) -> Iterator[str]:
    if isinstance(value, str):
        yield value
    elif isinstance(value, dict):
        for each in value.values():
            yield from _words(each)
    elif isinstance(value, list):
        for each in value:
            yield from _words(each)


def _belonging(record: Record, glob: str) -> Iterator[bytes]:
    """Contents of files on matching paths, and of the tool calls that name one."""
    place = place_of(root_of(record))
    glob = recorded(glob, place)
    stored = set(_hashes(record))
    told: set[bytes] = set()
    for _, op in _ops(record):
        if op["kind"] not in ("seen", "tool") or not any(_meant(path, glob) for path in _paths(record, op, place)):
            continue
        for _, blob in blobs_of(op):
            if blob in stored and blob not in told:
                told.add(blob)
                yield blob


def _paths(record: Record, op: dict[str, Any], place: Place) -> Iterator[str]:
    if op["kind"] == "seen":
        yield op["path"]
    elif "arguments" in op:
        try:
            arguments = json.loads(_text(record, bytes.fromhex(op["arguments"]["blob"])))
        except ValueError:
            return
        for said in named_paths(arguments):
            yield recorded(said, place, op.get("cwd", "."))


def _meant(path: str, glob: str) -> bool:
    return (
        fnmatchcase(path, glob) or fnmatchcase(path.rpartition("/")[2], glob) or path.startswith(glob.rstrip("/") + "/")
    )


def _ops(record: Record) -> Iterator[tuple[bytes, dict[str, Any]]]:
    """(hash, op) of every step."""
    for step, hash_, body in record.rows():
        try:
            yield hash_, unseal(body)
        except NotAnOp as error:
            raise Damaged(f"step {step} isn't an op: {error}", place=record.path) from error


def _text(record: Record, blob: bytes) -> str:
    try:
        return record.content(blob).decode("utf-8", "replace")
    except CcosError:
        return ""


def _hashes(record: Record) -> list[bytes]:
    return [bytes(row[0]) for row in record.ask("SELECT hash FROM blob ORDER BY hash")]


def _erase(record: Record, chosen: list[bytes], why: str, at: int) -> Forgotten:
    size = facts = 0
    record.ask("PRAGMA secure_delete = ON")
    worlds.forget_baselines(record)
    with record.write() as writing:
        for op in _referring(record, set(chosen)):
            facts += writing.drop_facts("key = ?", (op,))
        for blob in chosen:
            bytes_ = record.ask("SELECT size FROM blob WHERE hash = ?", (blob,))[0][0]
            facts += writing.erase(blob, bytes_, writing.step, at, why)
            size += bytes_
    return Forgotten(len(chosen), size, facts)


def _referring(record: Record, chosen: set[bytes]) -> list[bytes]:
    """The ops that refer to these contents, as far as there may be facts about them."""
    if not record.ask("SELECT 1 FROM fact LIMIT 1"):
        return []
    return [hash_ for hash_, op in _ops(record) if any(blob in chosen for _, blob in blobs_of(op))]
