"""Ops become entries: the same ones every time, with where they come from."""

import json
from collections.abc import Sequence
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ccos_core.memory.deriving import (
    MOST_TOKENS,
    Course,
    Origin,
    changed,
    derive,
    head_of,
    merged,
    nodes_changed,
    texts_wanted,
)
from ccos_core.memory.entry import Entry, content_hash, memo_id
from ccos_core.memory.rules import RULES
from ccos_core.ops import table
from ccos_core.ops.plain import blobs_of
from ccos_core.values.canon import digest, spelled
from ccos_core.values.tokens import estimate
from tests.making import any_op

Plain = dict[str, Any]


class Texts:
    """The contents of made-up ops, by their hashes; notes which were read."""

    def __init__(self) -> None:
        self.known: dict[str, str] = {}
        self.read: list[str] = []

    def keep(self, text: str) -> Plain:
        hash_ = digest(text.encode()).hex()
        self.known[hash_] = text
        return {"blob": hash_, "bytes": len(text.encode())}

    def __call__(self, blob: Any) -> str:
        if blob is None:
            return ""
        self.read.append(blob["blob"])
        return self.known.get(blob["blob"], "")


def derived(ops: Sequence[Plain], texts: Texts, course: Course | None = None) -> list[list[Entry]]:
    course = course or Course()
    return [derive(op, Origin(step, _hash(op), f"chain {step}"), texts, course) for step, op in enumerate(ops, 1)]


def op(kind: str, **more: Any) -> Plain:
    return {"kind": kind, "v": table.KINDS[kind][0], "host": "claude-code", "session": "s", **more}


def prompt(texts: Texts, text: str, **more: Any) -> Plain:
    return op("prompt", **{"said": texts.keep(text), "source": "user", **more})


def failed(**more: Any) -> Plain:
    return op("failed", runner="pytest", test="test_x", sites=[["tests/test_x.py", 4]], **more)


@given(st.lists(any_op, max_size=8))
def test_every_op_has_an_entry_of_its_own(ops: list[Plain]) -> None:
    for number, found in enumerate(derived(ops, Texts()), 1):
        made = ops[number - 1]
        assert found
        assert len({entry.id for entry in found}) == len(found)
        assert all(entry.action == f"{number}:{_hash(made)}" or entry.cls == "pattern" for entry in found)
        assert found[0].cls == (made["class"] if made["kind"] == "remembered" else made["kind"])


@given(st.lists(any_op, max_size=8))
def test_deriving_goes_on_from_what_was_written_down(ops: list[Plain]) -> None:
    course, found = Course(), []
    for step, each in enumerate(ops, 1):
        found.append(derive(each, Origin(step, _hash(each), f"chain {step}"), Texts(), course))
        course = Course.read(course.text()) or Course()
    assert found == derived(ops, Texts())


@given(any_op)
def test_nothing_is_read_that_was_not_announced(made: Plain) -> None:
    texts = Texts()
    derived([made], texts)
    assert set(texts.read) <= set(texts_wanted(made)) <= {blob.hex() for _, blob in blobs_of(made)}


def test_every_kind_has_a_rule_and_no_tag_is_on_all() -> None:
    assert set(RULES) == set(table.KINDS)
    assert len({rule.tag for rule in RULES.values()}) > len(RULES) // 3


def test_a_course_of_another_version_is_not_read() -> None:
    assert Course.read(spelled([0, {}, {}, {}, {}]).decode()) is None


@given(st.text(alphabet=st.sampled_from("ab .\n\tß漢"), max_size=200).map(lambda text: text * 60))
def test_a_head_begins_the_text_and_fits(text: str) -> None:
    head, cost, is_all = head_of(text)
    assert text.startswith(head)
    assert cost == estimate(head) <= MOST_TOKENS
    assert is_all == (head == text)


def test_a_long_text_has_its_head_and_the_hash_of_all_of_it() -> None:
    texts = Texts()
    text = "\n".join(f"The {number}th line of a long log." for number in range(2_000))
    said = op("turn", said=texts.keep(text))
    entry = derived([said], texts)[0][0]
    assert entry.whole == said["said"]["blob"]
    assert text.startswith(entry.words)
    assert MOST_TOKENS * 3 // 4 < entry.tokens <= MOST_TOKENS


def test_statements_of_a_prompt_are_entries() -> None:
    texts = Texts()
    found = derived([prompt(texts, "Never push. Never  PUSH!\n- [ ] Fix it.")], texts)[0]
    said = {entry.words: entry for entry in found[1:]}
    assert set(said) == {"Never push.", "Fix it."}
    never = said["Never push."]
    assert (never.id, never.author, never.count) == (memo_id(("never", "push")), "user", 1)
    assert "statement" in never.tags
    assert never.content == content_hash("Never push.")
    assert never.intent == found[0].intent == "prompt:1"


def test_words_of_a_host_are_no_statements() -> None:
    texts = Texts()
    reminder = "<system-reminder>Be brief.</system-reminder>"
    assert len(derived([prompt(texts, reminder)], texts)[0]) == 1


def test_todos_of_a_host_are_statements_of_the_agent() -> None:
    texts = Texts()
    arguments = texts.keep(json.dumps({"todos": [{"content": "Write a test", "status": "pending"}]}))
    call = op("tool", name="TodoWrite", outcome="ok", arguments=arguments)
    first, again = derived([call, call], texts)
    assert [(entry.cls, entry.author, entry.more("status")) for entry in first[1:]] == [("todo", "agent", "pending")]
    assert len(again) == 1


def test_provenance_is_of_the_op_and_of_its_prompt() -> None:
    texts = Texts()
    ops = [
        op("turn", model="opus"),
        prompt(texts, "Go on."),
        op("tool", name="Bash", outcome="ok", call="c1", context="sub", at=7),
    ]
    entry = derived(ops, texts)[2][0]
    assert (entry.call, entry.context, entry.session, entry.at) == ("c1", "sub", "s", 7)
    assert (entry.intent, entry.provider, entry.chain) == ("prompt:2", "claude-code", "chain 3")
    assert derived([*ops[:2], op("tool", name="Bash", outcome="ok")], texts)[2][0].provider == "claude-code/opus"


@pytest.mark.parametrize(
    ("made", "tags"),
    [
        (op("tool", name="Bash", outcome="error"), {"capability-call", "failure", "tool:bash"}),
        (op("seen", path="src/a.py", how="edit"), {"file-change", "in:src", "lang:py"}),
        (op("seen", path="a", how="read"), {"file-read"}),
        (failed(), {"failure", "runner:pytest", "in:tests", "lang:py"}),
        (
            op("prompt", said={"blob": "0" * 64, "bytes": 0}, source="user", channel="refusal"),
            {"request", "policy-violation"},
        ),
        (op("prompt", said={"blob": "0" * 64, "bytes": 0}, source="agent"), {"request", "plan-lifecycle"}),
    ],
)
def test_tags_are_of_the_kind_and_the_domain(made: Plain, tags: set[str]) -> None:
    assert set(derived([made], Texts())[0][0].tags) == tags


def test_a_failure_that_comes_back_is_one_pattern() -> None:
    texts = Texts()
    other = op("failed", runner="pytest", test="test_y")
    found = derived([failed(at=1), other, failed(at=5), failed(at=9)], texts)
    assert [len(each) for each in found] == [1, 1, 2, 2]
    second, third = found[2][1], found[3][1]
    assert second.id == third.id
    assert (second.first, second.last, second.count) == (1, 3, 2)
    assert merged(second, third) == merged(merged(second, third), third)
    last = merged(second, third)
    assert (last.first, last.last, last.count, last.at, last.last_at, last.cls) == (1, 4, 3, 1, 9, "pattern")


def test_what_is_said_again_is_counted_once_a_step() -> None:
    texts = Texts()
    first, again = derived([prompt(texts, "Be brief.", at=1), prompt(texts, "Be brief!", at=2)], texts)
    entry = merged(first[1], again[1])
    assert (entry.first, entry.last, entry.count, entry.last_at) == (1, 2, 2, 2)
    assert merged(entry, again[1]) == merged(entry, first[1]) == entry


def test_labels_and_standing_are_filed() -> None:
    texts = Texts()
    entry = derived([prompt(texts, "Be brief.")], texts)[0][1]
    label = op("labelled", nodes=[entry.id], privacy="high", regions=["EU"], tags=["style"], pinned=True)
    assert nodes_changed(label) == [entry.id]
    filed = changed(entry, label, 2)
    assert (filed.privacy, filed.regions) == (3, ("EU",))
    assert set(filed.tags) == {"statement", "style", "pinned"}
    assert changed(filed, op("labelled", nodes=[entry.id], untagged=["style"], pinned=False), 3).tags == entry.tags
    taken_back = op("retracted", claim=entry.id, actor="user")
    assert changed(entry, taken_back, 2).more("standing") == "retracted"
    assert changed(entry, op("retracted", claim=entry.id, actor="agent"), 2) == entry


def test_what_is_remembered_again_holds_again() -> None:
    texts = Texts()
    words = texts.keep("Use tabs.")
    memo = memo_id(("use", "tabs"))
    ask = op("remembered", memo=memo, words=words, actor="user", tags=["style"], **{"class": "preference"})
    entry = derived([ask], texts)[0][0]
    assert (entry.id, entry.cls, entry.words, entry.tags) == (memo, "preference", "Use tabs.", ("style",))
    gone = changed(entry, op("superseded", claim=memo, by="memo:1", actor="user"), 2)
    assert (gone.more("standing"), gone.more("by")) == ("superseded", "memo:1")
    assert changed(gone, {**ask, "class": "rule"}, 3).more("standing") is None
    assert changed(gone, {**ask, "class": "rule"}, 3).cls == "rule"


def _hash(made: Plain) -> str:
    return digest(json.dumps(made, sort_keys=True).encode()).hex()
