"""Ops are written and read back as they were; anything that isn't an op is refused with its field named."""

from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ccos_core.ops import plain, table
from ccos_core.ops.plain import NotAnOp
from ccos_core.values.canon import LARGEST_INT, canonical, digest
from tests import making
from tests.making import Plain

KINDS = sorted(table.KINDS)
HASH = "ab" * 32


@pytest.mark.parametrize("kind", KINDS)
@settings(max_examples=40)
@given(data=st.data())
def test_an_op_is_read_as_it_was_written(kind: str, data: st.DataObject) -> None:
    given_op = data.draw(making.ops(kind))
    body = plain.seal(given_op)
    assert plain.unseal(body) == given_op
    assert plain.seal(plain.unseal(body)) == body


MISFITS = [None, 1.5, 2**70, object(), [[]], {"a": 0.5}, {"blob": "x", "bytes": 1}, {1: 1}, ["x", None]]


@pytest.mark.parametrize("kind", KINDS)
def test_no_field_takes_what_is_no_such_thing(kind: str) -> None:
    for name, _, _ in table.fields_of(kind):
        for value in MISFITS:
            with pytest.raises(NotAnOp, match=f"{kind}.{name} "):
                plain.seal({**smallest(kind), name: value})


def test_a_lone_surrogate_is_refused() -> None:
    with pytest.raises(NotAnOp, match="gone: a lone surrogate"):
        plain.seal({**making.gone(1), "path": "a\udc80"})


@pytest.mark.parametrize("kind", KINDS)
def test_required_fields_are_missed(kind: str) -> None:
    op = smallest(kind)
    plain.check(op)
    for name, _, required in table.fields_of(kind):
        if required:
            with pytest.raises(NotAnOp, match=f"{kind} needs {name}"):
                plain.seal({key: value for key, value in op.items() if key != name})


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("version", [0, 3, -1, "1", True, None, 10**30])
def test_other_versions_are_refused(kind: str, version: Any) -> None:
    with pytest.raises(NotAnOp, match=f"{kind} is written in version {table.KINDS[kind][0]}"):
        plain.check({**smallest(kind), "v": version})


@pytest.mark.parametrize("stranger", ["strange", "", "Path", "kinds", 1, None, ("a",)])
def test_unknown_fields_are_named(stranger: Any) -> None:
    with pytest.raises(NotAnOp) as caught:
        plain.check({**making.gone(1), stranger: 1})
    assert "gone has no field" in str(caught.value)
    if type(stranger) is str:
        assert repr(stranger) in str(caught.value)


@pytest.mark.parametrize(
    "value", [None, 1, "gone", [], {}, {"kind": None}, {"kind": "Gone", "v": 1}, {"kind": ["gone"]}]
)
def test_what_is_no_op(value: Any) -> None:
    with pytest.raises(NotAnOp):
        plain.check(value)


@pytest.mark.parametrize(
    ("field", "value"),
    [
        ("path", "a" * (table.LONGEST["path"] + 1)),
        ("how", "glance"),
        ("how", ""),
        ("slice", [2, 1]),
        ("slice", [0, 1]),
        ("slice", [1]),
        ("slice", [1, True]),
        ("content", {"blob": HASH}),
        ("content", {"blob": HASH.upper(), "bytes": 1}),
        ("content", {"blob": HASH[1:], "bytes": 1}),
        ("content", {"blob": HASH, "bytes": -1}),
        ("content", {"blob": HASH, "bytes": 1, "more": 1}),
        ("content", {"blob": HASH, "bytes": LARGEST_INT + 1}),
        ("at", LARGEST_INT + 1),
        ("at", True),
        ("actor", "nobody"),
        ("findings", []),
        ("findings", [["content", "bidi", 1]]),
        ("call", "a" * (table.LONGEST["text"] + 1)),
    ],
)
def test_odd_fields_are_named(field: str, value: Any) -> None:
    with pytest.raises(NotAnOp, match=f"seen.{field}"):
        plain.seal({**making.seen(b"x"), field: value})


def test_endless_values_are_refused_in_words() -> None:
    deep: Any = "x"
    for _ in range(100_000):
        deep = [deep]
    with pytest.raises(NotAnOp, match=r"seen\.path"):
        plain.seal({**making.seen(b"x"), "path": deep})
    with pytest.raises(NotAnOp, match="at should be int"):
        plain.seal({**making.gone(1), "at": 10**6_000})


def test_an_op_has_a_largest_size() -> None:
    op = {"kind": "attention", "v": 1, "nodes": ["n" * 8_000] * 2_000}
    with pytest.raises(NotAnOp, match="bytes"):
        plain.seal(op)


@given(st.binary(max_size=80) | making.any_op.map(canonical).flatmap(lambda body: st.just(body[:-1])))
def test_garbage_is_no_op(body: bytes) -> None:
    with pytest.raises(NotAnOp):
        plain.unseal(body)


@pytest.mark.parametrize("body", [b'{"kind":["gone"],"v":1}', b'{"kind":"gone","v":[]}', b'{"v":1}', b"[]", b'"gone"'])
def test_odd_heads(body: bytes) -> None:
    with pytest.raises(NotAnOp):
        plain.unseal(body)


# ---- older versions ----


def first_to_second(op: Plain) -> Plain:
    return {"kind": "gone", "v": 0, "path": op["file"]}


def second_to_third(op: Plain) -> Plain:
    return {**op, "v": 1, "path": op["path"].removeprefix("./")}


UPCASTS = {("gone", -1): first_to_second, ("gone", 0): second_to_third}


def test_older_versions_come_up_step_by_step() -> None:
    oldest = canonical({"kind": "gone", "v": -1, "file": "./src/a.py"})
    older = canonical({"kind": "gone", "v": 0, "path": "./src/a.py"})
    newest = canonical({"kind": "gone", "v": 1, "path": "./src/a.py"})
    assert plain.unseal(oldest, UPCASTS) == plain.unseal(older, UPCASTS) == making.gone(1) | {"path": "src/a.py"}
    assert plain.unseal(newest, UPCASTS) == making.gone(1) | {"path": "./src/a.py"}
    with pytest.raises(NotAnOp, match="version"):
        plain.unseal(oldest)


ADDED = {"prompt": ("channel",), "paged_out": ("summary", "source", "made"), "superseded": ("how",)} | {
    "turn": ("detail", "millis"),
    "usage": ("stored_hour", "thinking", "model", "cost"),
    "recall": ("principal", "policy", "now", "said"),
    "supported": ("way", "for_session"),
    "contradicted": ("way", "for_session"),
}
"""Fields that vocabulary 3 added to kinds of vocabulary 2."""


@pytest.mark.parametrize("kind", plain.WIDENED)
@settings(max_examples=20)
@given(data=st.data())
def test_ops_of_vocabulary_2_are_read(kind: str, data: st.DataObject) -> None:
    drawn = data.draw(making.ops(kind))
    old = {name: value for name, value in drawn.items() if name not in ADDED[kind]} | {"v": 1}
    assert plain.unseal(canonical(old)) == old | {"v": 2}


def test_an_older_version_that_is_torn() -> None:
    with pytest.raises(NotAnOp, match="older version"):
        plain.unseal(canonical({"kind": "gone", "v": -1}), UPCASTS)
    with pytest.raises(NotAnOp, match="older version"):
        plain.unseal(canonical({"kind": "gone", "v": 0, "path": 5}) + b"", {("gone", 0): lambda op: op["path"] + ""})


# ---- what is derived from an op ----


def test_delivery_keys() -> None:
    op = making.gone(1, host="h", session="s", call="c")
    key = plain.delivery_key(op)
    assert key is not None
    assert len(key) == plain.KEY_BYTES
    assert key == digest(canonical(["h", "s", "c", "gone"]))[:16]
    assert plain.delivery_key({**op, "path": "other", "at": 5}) == key
    others = [{**op, name: "x"} for name in ("host", "session", "call", "phase")] + [{**op, "kind": "seen"}]
    keys = {plain.delivery_key(other) for other in others}
    assert len(keys) == 5
    assert key not in keys
    assert plain.delivery_key(making.gone(1, host="h", session="s")) is None


def test_blobs_are_listed_in_the_order_of_the_table() -> None:
    op = {"kind": "tool", "v": 1, "name": "x", "outcome": "ok", "result": ref(2), "arguments": ref(1)}
    assert list(plain.blobs_of(op)) == [("arguments", b"\x01" * 32), ("result", b"\x02" * 32)]


def ref(number: int) -> dict[str, Any]:
    return {"blob": bytes([number]).hex() * 32, "bytes": 1}


def smallest(kind: str) -> Plain:
    """An op of this kind with nothing in it but what it needs."""
    lists: dict[str, Any] = {"numbers": {}, "nodes": [], "items": []}
    values = {"int": 1, "flag": True, "blob": ref(1), "json": ref(1), "hash": HASH, **lists}
    needed = {
        name: form.split("|")[0] if "|" in form else values.get(form, "x")
        for name, form, required in table.fields_of(kind)
        if required
    }
    return {"kind": kind, "v": table.KINDS[kind][0], **needed}
