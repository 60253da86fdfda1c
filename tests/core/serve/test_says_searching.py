"""The words of `find`, `whatif` and `compare`: on one screen, harmless, and never without what is missing."""

from contextlib import suppress
from dataclasses import replace
from typing import Any

import click
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ccos_core.errors import NotFound
from ccos_core.query.compare import Compared
from ccos_core.query.finding.found import Found, find
from ccos_core.query.whatif import WhatIf
from ccos_core.serve.says import compare as compare_words
from ccos_core.serve.says import find as find_words
from ccos_core.serve.says import whatif as whatif_words
from tests.core.query.test_compare import compared
from tests.core.query.test_whatif import ask
from tests.core.replay.told import timeline_of
from tests.core.state.small import INVOICES, Tale
from tests.laws.test_folding import stories, told_tale

EVIL = "src/\x1b[31mred\u202e.py"
QUERIES = ["kind=read", "error | by tool", "not fail | by context", "bytes>0 | biggest 3", "text~\"due\" | count",
           "step 2..4 | by hour", "kind=tool and pass", "path=none.py", "present(file:api.py) | last"]  # fmt: skip


def found(tale: Tale, expr: str, limit: int = 20) -> Found:
    timeline = timeline_of(tale)
    return find(timeline, 1, expr=expr, budget=300, limit=limit, progress=lambda done, total: None)


def both(words: Any, answer: Any, columns: int | None = 80) -> list[list[str]]:
    return [[click.unstyle(line) for line in lines] for lines in (words.says(answer, columns), words.plain(answer))]


def check(said: list[list[str]]) -> None:
    for lines in said:
        assert len(lines) <= 60
        assert lines
        for line in lines:
            assert line.isprintable()
            assert line.strip()
    assert all(line.rstrip()[-1] in ".?" or ": " in line or "," in line or " " in line for line in said[1])


@settings(deadline=None, max_examples=30)
@given(stories, stories, st.sampled_from(QUERIES), st.none() | st.integers(20, 200))
def test_there_are_words_for_every_answer(
    mine: list[tuple[Any, ...]], theirs: list[tuple[Any, ...]], expr: str, columns: int | None
) -> None:
    tale = told_tale(mine)
    with suppress(NotFound):  # what came and went within one look was never there
        check(both(find_words, found(tale, expr), columns))
    timeline = timeline_of(tale)
    check(both(whatif_words, ask(timeline, timeline.head, budget=60, weight="edit=1"), columns))
    check(both(compare_words, compared(tale, told_tale(theirs)), columns))


def test_what_is_left_out_is_said() -> None:
    tale = Tale(INVOICES)
    answer = found(tale, "kind=ingest", limit=2)
    lines, sentences = both(find_words, answer)
    assert lines[0].startswith("5 of 6 steps: kind=ingest")
    assert "3 more steps" in lines[-1]
    assert any("3 more steps" in line for line in sentences)
    some = found(tale, "kind=ingest | by path", limit=4)
    assert "1 more group:" in both(find_words, some)[0][-1]


def test_nothing_is_explained() -> None:
    tale = Tale(INVOICES).run("x").tell({"kind": "tool", "name": "Bash", "outcome": "ok"})
    lines, _ = both(find_words, found(tale, "kind=tool and error and tool=bsh"))
    assert lines == [
        "0 of 8 steps: kind=tool and error and tool=bsh",
        "  2  left by kind=tool",
        "  1  left by error",
        "  0  left by tool=bsh",
        "no tool is called bsh; did you mean Bash?",
    ]


def test_what_could_not_be_searched_is_said() -> None:
    answer = replace(found(Tale(INVOICES), 'text~"zzz"'), unread=2, cut=1)
    for lines in both(find_words, answer):
        assert "not searched: 2 contents" in " ".join(lines)
        assert "of 1 content only the start and the end" in " ".join(lines)


def test_a_budget_is_told_where_windows_are_asked_for() -> None:
    tale = Tale(INVOICES)
    assert both(find_words, found(tale, "present(api.py)"))[0][0].endswith("budget 300")
    assert "budget" not in both(find_words, found(tale, "kind=read"))[0][0]


@pytest.mark.parametrize("columns", [None, 80])
def test_names_do_no_harm(columns: int | None) -> None:
    tale = Tale({EVIL: "x = 1\n"}).edit(EVIL, "x = 2\n")
    tale.tell({"kind": "failed", "runner": "user", "test": "\x1b]0;pwned\x07"})
    check(both(find_words, found(tale, 'path~"*.py" | by path'), columns))
    check(both(find_words, found(tale, 'text~"\x1b[31m"'), columns))
    timeline = timeline_of(tale)
    check(both(whatif_words, ask(timeline, timeline.head, without=f"{timeline.head - 1}"), columns))
    check(both(compare_words, compared(tale, Tale(INVOICES)), columns))


def test_a_fork_says_that_it_is_one() -> None:
    timeline = timeline_of(Tale(INVOICES).read("api.py", INVOICES["api.py"]))
    answer: WhatIf = ask(timeline, timeline.head, half_life=3)
    assert "inferred: 7 ops folded anew, and nothing written" in both(whatif_words, answer)[0][-1]
    assert "inferred" not in " ".join(both(whatif_words, ask(timeline, timeline.head, budget=50))[0])


def test_one_record_is_said_to_be_one() -> None:
    tale = Tale(INVOICES)
    answer: Compared = compared(tale, tale)
    assert "one record up to step 6: the same" in both(compare_words, answer)[0]
