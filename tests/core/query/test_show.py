"""`show`: a file as it was known at each step, against what was told; and what a step said, or why that isn't there."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ccos_core.errors import NotFound
from ccos_core.present.rows import View
from ccos_core.query.show import ShownText, Texts
from ccos_core.query.step_text import step_parts
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
    assert said == ShownText("symbol", "", "def save(row):\n    return row", "")
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


def test_a_step_shows_everything_it_said_in_parts() -> None:
    tale = Tale()
    given, result = tale.facts.keep('{"command":"ls"}'), tale.facts.keep("a.py\n")
    tale.tell({"kind": "tool", "name": "Bash", "outcome": "ok", "arguments": given, "result": result})
    timeline = timeline_of(tale)
    answer = show(timeline, len(tale.ops))
    assert (answer.node, answer.texts) == (None, ())
    assert answer.parts == step_parts(timeline, len(tale.ops))
    lines = [row.text for row in answer.as_rows(View())]
    assert lines[1:] == ["-- command: Bash", "ls", "-- output", "a.py"]
    assert show(timeline, 1, f"result:{len(tale.ops)}").parts == answer.parts


def test_what_was_withheld_says_so() -> None:
    tale = Tale().tell({"kind": "seen", "how": "read", "path": ".env", "withheld": "secret-path"})
    timeline, last = timeline_of(tale), len(tale.ops)
    assert [each.missing for each in show(timeline, last).parts] == ["withheld: secret-path"]
    assert show(timeline, last, "file:.env").texts[0].missing == "withheld: secret-path"


def test_before_the_first_step_there_is_nothing() -> None:
    answer = show(timeline_of(Tale(INVOICES)), 0)
    assert (answer.by, answer.texts, answer.parts) == (None, (), ())
