"""The words of `find`, `whatif` and `compare`: on one screen, harmless, and never without what is missing."""

from dataclasses import replace
from typing import Any

import click

from ccos_core.query.compare import Compared
from ccos_core.query.finding.found import Found, find
from ccos_core.query.whatif import WhatIf
from ccos_core.serve.printing import as_lines
from tests.core.query.test_compare import compared
from tests.core.query.test_whatif import ask
from tests.core.replay.told import timeline_of
from tests.core.state.small import INVOICES, Tale

EVIL = "src/\x1b[31mred\u202e.py"
QUERIES = ["kind=read", "error | by tool", "not fail | by context", "bytes>0 | biggest 3", "text~\"due\" | count",
           "step 2..4 | by hour", "kind=tool and pass", "path=none.py", "present(file:api.py) | last"]  # fmt: skip


def found(tale: Tale, expr: str, limit: int = 20) -> Found:
    timeline = timeline_of(tale)
    return find(timeline, 1, expr=expr, budget=300, limit=limit, progress=lambda done, total: None)


def both(answer: Any, columns: int | None = 80) -> list[list[str]]:
    return [[click.unstyle(line) for line in as_lines(answer, columns)], as_lines(answer, None, aloud=True)]


def test_what_is_left_out_is_said() -> None:
    tale = Tale(INVOICES)
    answer = found(tale, "kind=ingest", limit=2)
    lines, sentences = both(answer)
    assert lines[0].startswith("5 of 6 steps  kind=ingest")
    assert "3 more steps" in lines[-1]
    assert any("3 more steps" in line for line in sentences)
    some = found(tale, "kind=ingest | by path", limit=4)
    assert "1 more group:" in both(some)[0][-1]


def test_nothing_is_explained() -> None:
    tale = Tale(INVOICES).run("x").tell({"kind": "tool", "name": "Bash", "outcome": "ok"})
    lines, _ = both(found(tale, "kind=tool and error and tool=bsh"))
    assert lines == [
        "0 of 8 steps  kind=tool and error and tool=bsh",
        "  2  left by kind=tool",
        "  1  left by error",
        "  0  left by tool=bsh",
        "no tool is called bsh; did you mean Bash?",
    ]


def test_what_could_not_be_searched_is_said() -> None:
    answer = replace(found(Tale(INVOICES), 'text~"zzz"'), unread=2, cut=1)
    for lines in both(answer):
        assert "not searched: 2 contents" in " ".join(lines)
        assert "of 1 content only the start and the end" in " ".join(lines)


def test_a_budget_is_told_where_windows_are_asked_for() -> None:
    tale = Tale(INVOICES)
    assert both(found(tale, "present(api.py)"))[0][0].endswith("budget 300")
    assert "budget" not in both(found(tale, "kind=read"))[0][0]


def test_a_fork_says_that_it_is_one() -> None:
    timeline = timeline_of(Tale(INVOICES).read("api.py", INVOICES["api.py"]))
    answer: WhatIf = ask(timeline, timeline.head, half_life=3)
    assert "inferred: 7 ops replayed in memory, nothing written" in both(answer)[0][-2]
    assert "inferred" not in " ".join(both(ask(timeline, timeline.head, budget=50))[0])


def test_one_record_is_said_to_be_one() -> None:
    tale = Tale(INVOICES)
    answer: Compared = compared(tale, tale)
    assert "one record up to step 6: the same" in both(answer)[0]
