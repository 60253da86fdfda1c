"""`show`: a file as it was known at each step, against what was told; and what a step said, or why that isn't there."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ccos_core.errors import Erased, NotFound
from ccos_core.query.show import Said, Texts
from ccos_core.replay.timeline import Timeline
from tests.core.query.asked import ask
from tests.core.replay.told import timeline_of
from tests.core.state.small import INVOICES, Tale

STORE = INVOICES["store.py"]
WORDS = st.text(st.sampled_from("ab \n=é"), min_size=1, max_size=30)


def show(timeline: Timeline, at: int, node: str | None = None) -> Texts:
    answer: Texts = ask(timeline, "show", at, node=node)
    return answer


@given(st.lists(WORDS, min_size=1, max_size=6))
def test_a_file_is_what_it_was_told_to_be_at_each_step(texts: list[str]) -> None:
    tale = Tale()
    told = {}
    for text in texts:
        tale.read("a.py", text)
        told[len(tale.ops)] = text
    timeline = timeline_of(tale)
    for step, text in told.items():
        answer = show(timeline, step, "file:a.py")
        assert [said.text for said in answer.texts] == [text]
        assert answer.by is not None
        assert answer.by.step <= step


def test_a_symbol_is_its_own_lines_and_says_where_they_begin() -> None:
    timeline = timeline_of(Tale(INVOICES))
    answer = show(timeline, timeline.head, "sym:store.py#save")
    (said,) = answer.texts
    assert said == Said("symbol", "", "def save(row):\n    return row", "")
    assert STORE.split("\n")[answer.first - 1] == "def save(row):"


def test_lines_that_nobody_saw_are_told() -> None:
    tale = Tale().read("a.py", "one\ntwo", 5, 6)
    (said,) = show(timeline_of(tale), len(tale.ops), "file:a.py").texts
    assert said.missing == "lines 1 to 4 were never seen"
    assert said.text.split("\n")[4:] == ["one", "two"]
    assert said.hash == ""


@pytest.mark.parametrize("node", ["file:none.py", "sym:store.py#gone", "claim:x"])
def test_what_is_not_there_is_refused(node: str) -> None:
    timeline = timeline_of(Tale(INVOICES))
    with pytest.raises(NotFound) as refused:
        show(timeline, timeline.head, node)
    assert "provenance" in refused.value.hint


# ---- what a step said ----


def test_a_step_gives_every_text_it_brought_what_came_of_it_first() -> None:
    tale = Tale()
    given, result = tale.facts.keep('{"command":"ls"}'), tale.facts.keep("a.py\n")
    tale.tell({"kind": "tool", "name": "Bash", "outcome": "ok", "arguments": given, "result": result})
    answer = show(timeline_of(tale), len(tale.ops))
    assert [(said.name, said.text, said.hash) for said in answer.texts] == [
        ("result", "a.py\n", result["blob"]), ("arguments", '{"command":"ls"}', given["blob"])
    ]  # fmt: skip
    assert answer.node is None


def test_what_was_withheld_cut_or_erased_says_so() -> None:
    tale = Tale()
    cut = {**tale.facts.keep("head\ntail\n"), "whole": "0" * 64, "whole_bytes": 9_999, "head": 1, "dropped": 1_200}
    tale.tell({"kind": "tool", "name": "Bash", "outcome": "ok", "result": cut})
    tale.tell({"kind": "seen", "how": "read", "path": ".env", "withheld": "secret-path"})
    tale.tell({"kind": "prompt", "said": tale.facts.keep("hello"), "source": "user"})
    timeline, last = timeline_of(tale), len(tale.ops)
    assert show(timeline, last - 2).texts[0].missing == "1,200 lines after line 1 were too many to keep"
    assert show(timeline, last - 1).texts == (Said("content", "", "", "withheld: secret-path"),)
    assert show(timeline, last, "file:.env").texts[0].missing == "withheld: secret-path"
    timeline.content = erased  # type: ignore[method-assign]
    assert show(timeline, last).texts[0].missing == "content 5 was erased"


def erased(blob: str) -> bytes:
    raise Erased("content 5 was erased")


def test_before_the_first_step_there_is_nothing() -> None:
    answer: Any = show(timeline_of(Tale(INVOICES)), 0)
    assert (answer.by, answer.texts) == (None, ())
