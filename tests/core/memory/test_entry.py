"""Entries of the working memory: one spelling, and nothing lost on the way through it."""

import json
from dataclasses import FrozenInstanceError, replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ccos_core.memory.entry import SCHEMA, Entry, NotAnEntry, content_hash, entry_bytes, entry_of, with_extra
from ccos_core.values.canon import parse

TEXTS = st.text(st.characters(exclude_categories=["Cs"]), max_size=30)
NUMBERS = st.integers(0, 2**53)
SETS = st.frozensets(TEXTS, max_size=4).map(lambda found: tuple(sorted(found)))
VALUES = st.recursive(
    st.none() | st.booleans() | NUMBERS | st.floats(allow_nan=False, allow_infinity=False) | TEXTS,
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(TEXTS, inner, max_size=3),
    max_leaves=6,
)
EXTRAS = st.dictionaries(TEXTS.map(lambda key: f"x{key}"), VALUES, max_size=3)
ENTRIES = st.builds(
    Entry,
    id=st.from_regex(r"memo:[0-9a-f]{16}", fullmatch=True),
    cls=TEXTS,
    title=TEXTS,
    words=TEXTS,
    whole=st.none() | TEXTS,
    tags=SETS,
    privacy=st.integers(0, 4),
    regions=SETS,
    first=NUMBERS,
    last=NUMBERS,
    count=NUMBERS,
    at=NUMBERS,
    tokens=NUMBERS,
    intent=TEXTS,
    extra=EXTRAS.map(with_extra),
)


@given(ENTRIES)
def test_an_entry_is_read_back_from_its_bytes(entry: Entry) -> None:
    body = entry_bytes(entry)
    assert entry_of(body) == entry
    assert entry_bytes(entry_of(body)) == body


@given(ENTRIES)
def test_without_further_keys_the_bytes_are_canonical(entry: Entry) -> None:
    body = entry_bytes(replace(entry, extra=()))
    assert parse(body)["schema"] == SCHEMA


@given(EXTRAS)
def test_keys_of_another_program_are_written_back_as_they_were(extra: dict[str, object]) -> None:
    foreign = {"id": "memo:0123456789abcdef", "class": "note", "title": "a", "words": "b", **extra}
    written = json.loads(entry_bytes(entry_of(json.dumps(foreign).encode())))
    assert {key: written[key] for key in extra} == extra


def test_an_entry_of_the_specification_is_read() -> None:
    sample = {
        "id": "act-456",
        "intent": "123",
        "type": "YieldFailed",
        "embedding": [0.1, 0.2],
        "keywords": ["nlp", "timeout"],
        "summary": "Sentiment analysis timed out on batch 2.",
        "boundary": {"type": "temporal", "value": "2025-01-01T00:00:00Z"},
        "timestamp_s": 12,
    }
    entry = entry_of(json.dumps(sample).encode())
    assert (entry.cls, entry.tags, entry.intent, entry.at) == ("YieldFailed", ("nlp", "timeout"), "123", 12_000)
    assert entry.words == sample["summary"]
    assert entry.content == content_hash(entry.words)
    assert (entry.more("embedding"), entry.more("boundary")) == (sample["embedding"], sample["boundary"])


@pytest.mark.parametrize(
    ("change", "reason"),
    [
        ({"schema": "ccos.memo/9"}, "its schema"),
        ({"tags": "a"}, "tags should be a list"),
        ({"first": "1"}, "first should be a whole number"),
        ({"first": True}, "first should be a whole number"),
        ({"words": None}, "words should be text"),
        ({"privacy": 5}, "privacy should be from 0 to 4"),
    ],
)
def test_what_is_no_entry_says_why(change: dict[str, object], reason: str) -> None:
    good = {"id": "memo:0123456789abcdef", "class": "note", "title": "a", "words": "b"}
    with pytest.raises(NotAnEntry, match=reason):
        entry_of(json.dumps(good | change).encode())
    for key in good:
        with pytest.raises(NotAnEntry, match=f"no {key}"):
            entry_of(json.dumps(_without(good, key)).encode())


@pytest.mark.parametrize("body", [b"", b"[]", b"{", b"[" * 100_000])
def test_bytes_that_are_no_object_are_refused(body: bytes) -> None:
    with pytest.raises(NotAnEntry):
        entry_of(body)


def test_an_entry_does_not_change() -> None:
    entry = Entry("memo:0", "note", "a", "b")
    with pytest.raises(FrozenInstanceError):
        entry.words = "c"  # type: ignore[misc]


def _without(plain: dict[str, object], key: str) -> dict[str, object]:
    return {"schema": SCHEMA, **{name: value for name, value in plain.items() if name != key}}
