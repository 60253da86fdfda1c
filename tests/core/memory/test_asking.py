"""A query finds what a filter over all entries finds, in text and in JSON, and a delta is exact."""

from __future__ import annotations

from dataclasses import FrozenInstanceError
from datetime import UTC, datetime
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ccos_core.errors import Usage
from ccos_core.memory.asking import (
    CameUp,
    Compared,
    Dated,
    Has,
    Says,
    Since,
    is_relevant_to,
    matcher,
    query_of,
    read,
    spelled,
)
from ccos_core.memory.entry import LEVELS, Entry
from ccos_core.text.boolean import Every, Some, Without
from tests.core.memory.drawn import DAY, NOW, many_entries, nested, queries

ENTRY = Entry("memo:1", "preference", "Use tabs", "Use tabs.", tags=("build",), first=3, last=9, at=NOW, last_at=NOW)


def holds(tree: Any, entry: Entry) -> bool:  # noqa: C901
    """Say the same as `matcher`, in the plainest way."""
    match tree:
        case Every(parts):
            return all(holds(part, entry) for part in parts)
        case Some(parts):
            return any(holds(part, entry) for part in parts)
        case Without(part):
            return not holds(part, entry)
        case Has("class", values):
            return entry.cls in values
        case Has("tag", values):
            return bool(set(entry.tags) & set(values))
        case Has("region", values):
            return bool(set(entry.regions) & set(values))
        case Has("provider", values):
            return entry.provider in values or entry.provider.split("/")[0] in values
        case Has(name, values):
            return getattr(entry, name) in values
        case Compared(name, mark, value):
            number = getattr(entry, name)
            return {"=": number == value, "!=": number != value, "<": number < value, "<=": number <= value,
                    ">": number > value, ">=": number >= value}[mark]  # fmt: skip
        case Says(text):
            where = f"{entry.title}\0{entry.words}"
            return text in (where if any(map(str.isupper, text)) else where.lower())
        case Since(step):
            return entry.last > step
        case CameUp(first, last):
            return any((first or 0) <= at <= (10**9 if last is None else last) for at in (entry.first, entry.last))
        case Dated(first, last):
            begin, end = (_millis(first, 0) if first else 0), (_millis(last, 1) if last else 10**18)
            return any(time > 0 and begin <= time <= end for time in (entry.at, entry.last_at))
    raise AssertionError(tree)


def _millis(said: str, is_end: int) -> int:
    if said in ("7d", "24h"):
        return NOW - {"7d": 7 * DAY, "24h": DAY}[said]
    length = 60_000 if "T" in said else DAY
    return int(datetime.fromisoformat(said).replace(tzinfo=UTC).timestamp() * 1_000) + is_end * (length - 1)


@given(queries(), many_entries())
@settings(max_examples=400)
def test_a_query_finds_what_a_plain_filter_finds(tree: Any, entries: list[Entry]) -> None:
    matches = matcher(tree, NOW)
    assert [each.id for each in entries if matches(each)] == [each.id for each in entries if holds(tree, each)]


@given(queries())
@settings(max_examples=300)
def test_a_query_reads_back_as_it_is_spelled(tree: Any) -> None:
    again = read(spelled(tree))
    assert read(spelled(again)) == again
    assert matcher(again, NOW)(ENTRY) == matcher(tree, NOW)(ENTRY)
    assert spelled(again) == spelled(tree)


@given(queries(), many_entries())
@settings(max_examples=200)
def test_json_means_the_same_as_text(tree: Any, entries: list[Entry]) -> None:
    said, text = matcher(query_of(_json(tree)), NOW), matcher(read(spelled(tree)), NOW)
    assert [said(each) for each in entries] == [text(each) for each in entries]


def _json(tree: Any) -> Any:
    match tree:
        case Every(parts):
            return {"and": [_json(part) for part in parts]}
        case Some(parts):
            return {"or": [_json(part) for part in parts]}
        case Without(part):
            return {"not": _json(part)}
        case Has(name, values):
            return {name: list(values)}
        case Compared(name, mark, value):
            return {name: {mark: LEVELS[value] if name == "privacy" else value}}
        case Says(text):
            return {"text": text}
        case Since(step):
            return {"since-action": f":act-{step}"}
        case CameUp(first, last):
            return {"range": {"step": [first, last]}}
        case Dated(first, last):
            return {"range": {"time": [first or None, last or None]}}
    raise AssertionError(tree)


def test_the_queries_of_the_specification() -> None:
    entry = Entry("memo:2", "failure", "x", "x", tags=("nlp", "timeout"), intent="123", at=NOW - 3, last_at=NOW - 3)
    for said in (
        {":keyword": [":nlp"], ":intent": ":123"},
        {":range": [":timestamp", "last-24h"]},
        {":intent": ":123", ":type": ":failure", ":since-action": ":act-0"},
    ):
        query = query_of(said)
        assert matcher(query, NOW)(entry) is (":since-action" not in said)
    assert matcher(query_of({":type": ":failure", ":intent": ":123"}), NOW)(entry)
    assert not matcher(query_of({":range": [":timestamp", "last-24h"]}), NOW + 2 * DAY)(entry)


@given(many_entries(), st.integers(0, 50), st.randoms(use_true_random=False))
@settings(max_examples=150)
def test_what_was_seen_and_what_came_since_is_everything(entries: list[Entry], step: int, order: Any) -> None:
    """However the entries are delivered: a caller that saw all up to a step and asks for what came since has them all,
    and is given nothing that it has as it is."""
    seen = {each.id: each for each in entries if each.last <= step}
    order.shuffle(entries)
    new = [each for each in entries if matcher(Since(step), None)(each)]
    assert len({each.id for each in new}) == len(new)
    assert not any(each.id in seen for each in new)
    assert {**seen, **{each.id: each for each in new}} == {each.id: each for each in entries}


@pytest.mark.parametrize(
    ("said", "fact"),
    [
        ("tag", "needs one of"),
        ("tga=build", "isn't a query word"),
        ("(tag=a", "never closed"),
        ("privacy=secret", "isn't a privacy level"),
        ("since=yesterday", "isn't a step"),
        ("@nonsense..", "range of times is missing"),
        ("@2026-99-99..", "isn't a time"),
        ("text~", "is missing"),
        ("class=a | count", "can't read this"),
        ("not " * 60 + "tag=a", "nested too deeply"),
    ],
)
def test_what_cannot_be_read_is_told_with_its_place(said: str, fact: str) -> None:
    with pytest.raises(Usage, match=fact):
        read(said)


@given(st.text(max_size=30) | st.text("()=~<>@. ,\"'|andortgsice0123456789", max_size=30))
@settings(max_examples=400)
def test_no_text_raises_anything_else(said: str) -> None:
    try:
        tree = read(said)
    except Usage:
        return
    assert matcher(tree, NOW)(ENTRY) in (True, False)


@pytest.mark.parametrize("said", [3, None, {"and": []}, {"tga": 1}, {"tag": []}, {"range": 3}, {"privacy": {}},
                                  {"not": {}}, {"and": [{}, {"tag": "a"}]}, {"or": [""]},
                                  nested("not", {"tag": "a"}), nested("or", {"tag": "a"})])  # fmt: skip
def test_json_that_is_no_query_is_refused(said: Any) -> None:
    with pytest.raises(Usage):
        query_of(said)


def test_an_empty_query_matches_all_and_a_time_ago_needs_now() -> None:
    assert matcher(read(""), None)(ENTRY)
    with pytest.raises(Usage, match="needs a time"):
        matcher(read("@30d.."), None)
    assert matcher(read("@30d.."), NOW)(ENTRY)


def test_only_texts_that_are_asked_for_make_relevance() -> None:
    assert is_relevant_to(read('text~tabs not "spaces" (tag=a or "make")')) == ("tabs", "make")


def test_results_and_queries_are_values() -> None:
    with pytest.raises(FrozenInstanceError):
        ENTRY.words = "other"  # type: ignore[misc]
    with pytest.raises(FrozenInstanceError):
        read("tag=a").name = "class"
