"""Bytes that leave the program: canonical values, one op of each kind, a chain. A change here is a decision.

The vectors lie in `canon.json` and `ops.json` and are never made anew: a new kind adds its own, an old one keeps its,
fields a kind got later are in one of `later`, and `vocabulary_3` has the kinds and versions that vocabulary 3 brought.
"""

import json
from pathlib import Path
from typing import Any

import pytest

from ccos_core.log.chain import GENESIS
from ccos_core.log.facts import fact_digest
from ccos_core.log.packing import row_check
from ccos_core.log.segment import pack_segment, unpack_segment
from ccos_core.ops import plain, table
from ccos_core.values.canon import canonical, chained, digest, parse

HERE = Path(__file__).parent


def read(name: str) -> Any:
    return json.loads((HERE / name).read_text(encoding="utf-8"))


CANON = read("canon.json")
OPS = read("ops.json")


@pytest.mark.parametrize("vector", CANON, ids=lambda vector: vector["bytes"][:24])
def test_canonical_bytes(vector: dict[str, Any]) -> None:
    body = bytes.fromhex(vector["bytes"])
    assert canonical(vector["value"]) == body
    assert parse(body) == vector["value"]
    assert digest(body).hex() == vector["blake3"]


GROUPS = ("kinds", "later", "vocabulary_3")
VECTORS = [OPS[of][kind] for of in GROUPS for kind in sorted(OPS[of])]


@pytest.mark.parametrize(
    "vector", VECTORS, ids=lambda vector: f"{vector['op']['kind']} {vector['op']['v']} {len(vector['op'])}"
)
def test_ops(vector: dict[str, Any]) -> None:
    body = vector["body"].encode()
    newest = table.KINDS[vector["op"]["kind"]][0]
    if vector["op"]["v"] == newest:
        assert plain.seal(vector["op"]) == body
    assert canonical(vector["op"]) == body
    assert plain.unseal(body) == vector["op"] | {"v": newest}
    assert digest(body).hex() == vector["blake3"]
    key = plain.delivery_key(vector["op"])
    assert (key.hex() if key else "") == vector["key"]


def test_every_kind_has_its_vector() -> None:
    assert OPS["kinds"].keys() | OPS["vocabulary_3"].keys() == table.KINDS.keys()
    for kind in table.KINDS:
        told = {name for of in GROUPS if kind in OPS[of] for name in OPS[of][kind]["op"]}
        assert {name for name, _, _ in table.fields_of(kind)} <= told, "all of its fields"


def test_the_chain() -> None:
    assert GENESIS.hex() == OPS["chain"][0]
    hash_ = GENESIS
    for (kind, vector), expected in zip(sorted(OPS["kinds"].items()), OPS["chain"][1:], strict=True):
        hash_ = chained(hash_, vector["body"].encode())
        assert hash_.hex() == expected, kind


def test_the_vocabulary() -> None:
    """What the table says. If this changes: raise VOCABULARY, once it has been released the file's FORMAT as well, and
    write the upcast."""
    said = {kind: [version, [list(field) for field in fields]] for kind, (version, fields) in table.KINDS.items()}
    body = canonical([said, [list(field) for field in table.HEADER], table.LONGEST, table.MOST])
    assert (table.VOCABULARY, digest(body).hex()) == (OPS["vocabulary"], OPS["table"])


def test_digests_of_rows() -> None:
    assert fact_digest(bytes(range(32)), "symbols", 3, b'{"f":1}').hex() == OPS["fact"]
    assert row_check(bytes(range(16)), 7) == OPS["delivery_check"]
    assert row_check(bytes(range(32)), 5, 7, 1_700_000_000_000, "by hash") == OPS["erased_check"]


def test_a_segment_of_today_can_be_read_for_ever() -> None:
    """zlib's output may differ between builds; what it unpacks to may not."""
    bodies = [vector["body"].encode() for _, vector in sorted(OPS["kinds"].items())]
    segment, _ = pack_segment(1, GENESIS, bodies)
    assert segment.after.hex() == OPS["chain"][-1]
    packed = bytes.fromhex(OPS["segment"])
    known = type(segment)(1, len(bodies), GENESIS, segment.after, segment.size, OPS["segment_check"])
    assert [row[2] for row in unpack_segment(known, packed)] == bodies
