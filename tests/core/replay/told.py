"""Timelines of small tales, and the slow, obvious way to the same: replaying the ops from the first one."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import accumulate
from typing import Any

from ccos_core.log.chain import GENESIS
from ccos_core.ops.plain import seal
from ccos_core.ops.table import KINDS
from ccos_core.replay.journal import Journal
from ccos_core.replay.playing import play
from ccos_core.replay.scribe import Scribe
from ccos_core.replay.timeline import Timeline
from ccos_core.session.deriving import BY_NAME
from ccos_core.session.worlds import new_world
from ccos_core.text.syntax import parse
from ccos_core.values.canon import chained
from ccos_core.values.code import outline_from
from ccos_core.window.measure import measure
from tests.core.state.small import Tale


class Rows:
    """Ops that are kept here, as a record has them."""

    def __init__(self, ops: Sequence[dict[str, Any]], contents: Mapping[str, str]) -> None:
        self.all = [seal({"v": KINDS[op["kind"]][0], **op}) for op in ops]
        self.hashes = list(accumulate(self.all, chained, initial=GENESIS))
        self.texts = contents

    def op(self, step: int) -> tuple[int, bytes, bytes]:
        return step, self.hashes[step], self.all[step - 1]

    def rows(self, first: int = 1, last: int = 2**62) -> Iterator[tuple[int, bytes, bytes]]:
        for step in range(max(first, 1), min(last, len(self.all)) + 1):
            yield self.op(step)

    def content(self, blob: bytes) -> bytes:
        return self.texts[blob.hex()].encode()

    def bodies(self, steps: Iterable[int]) -> dict[int, bytes]:
        return {step: self.all[step - 1] for step in steps}

    def contents(self, blobs: Iterable[bytes]) -> dict[bytes, bytes]:
        return {blob: self.texts[blob.hex()].encode() for blob in blobs if blob.hex() in self.texts}

    def whole(self, blobs: Iterable[bytes]) -> set[bytes]:
        return set(self.contents(blobs))

    def facts(self, keys: Iterable[tuple[bytes, str, int]]) -> dict[tuple[bytes, str, int], bytes]:
        found = {}
        for key in keys:
            outline = parse.outline(BY_NAME[key[1]], self.texts[key[0].hex()].encode())
            if outline is not None:
                found[key] = outline.to_bytes()
        return found

    def measures(self, keys: Iterable[tuple[bytes, str, int]]) -> dict[tuple[bytes, str, int], bytes]:
        """What others measured of some files, as a record's cache has it."""
        outlines = {key: outline_from(body) for key, body in self.facts(keys).items()}
        found = {key: measure(outline, self.texts[key[0].hex()]) for key, outline in outlines.items()}
        return {key: body for key, body in found.items() if body is not None}


def timeline_of(tale: Tale, asked: Sequence[int] = ()) -> Timeline:
    """The timeline of a tale; at the steps of `asked` somebody asked something while it was told."""
    rows, journal, world = Rows(tale.ops, tale.facts.contents), Journal(), new_world()
    scribe = Scribe(journal, world, tale.facts)
    for stop in sorted({step for step in asked if step < len(tale.ops)} | {len(tale.ops)}):
        play(world, rows.rows(world.step + 1, stop), tale.facts, scribe=scribe)
    return Timeline(rows, journal, tale.facts, "tale", measured=rows.measures)


def written(timeline: Timeline) -> list[tuple[str, bytes]]:
    """All that its journal says: the columns, one by one."""
    return [piece for table in timeline.journal.tables() for piece in table.pieces(0)]


def as_of(tale: Tale, step: int) -> Tale:
    """A tale told anew, up to a step."""
    found = Tale.__new__(Tale)
    found.facts, found.ops, found.world = tale.facts, [], new_world()
    for op in tale.ops[:step]:
        found.tell(op)
    found.world.graph.settle()
    return found
