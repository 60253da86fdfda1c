"""`access --jsonl` and `--together`: whether what was handed out was used within so many turns."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from ccos_core.present.rows import View
from ccos_core.query.access_use import AccessLabels, CoUses
from ccos_core.query.catalogue import BY_NAME
from ccos_core.session.asking import Desk
from ccos_core.session.session import open_session
from ccos_core.storage.opening import open_record

API, STORE, DATES, NOTES = "file:api.py", "sym:store.py#load_rows", "file:dates.py", "file:MEMORY.md"
WHERE = {"host": "claude-code", "session": "s"}


def turn(text: str) -> dict[str, Any]:
    return {"kind": "turn", "said": text, **WHERE}


def read(path: str) -> dict[str, Any]:
    return {"kind": "seen", "how": "read", "path": path, "content": f"text of {path}\n", **WHERE}


def recall(*nodes: str) -> dict[str, Any]:
    return {
        "kind": "recall", "lens": "hybrid:rates", "budget": 400, "computed_at": 1, "parameters": {},
        "items": [[node, "body", 10] for node in nodes], "window": "0" * 64,
    }  # fmt: skip


@pytest.fixture
def path(tmp_path: Path) -> str:
    (tmp_path / "p").mkdir()
    path = str(tmp_path / "p" / "work.ccos")
    from ccos_core.session.lifecycle import init

    init(path, str(tmp_path / "p"))
    with open_session(path) as session:
        session.record(
            [
                recall(API, STORE, DATES),
                turn("I look at the request first."),
                read("api.py"),
                turn("So load_rows is what fails."),
                {"kind": "paged_out", "nodes": [NOTES, DATES]},
                turn("Well."),
                {"kind": "paged_in", "nodes": [NOTES]},
                turn("Then."),
                turn("And dates.py, far too late."),
                recall(API, STORE),
                turn("I change api.py with load_rows."),
            ]
        )
    return path


def ask(path: str, **said: str) -> Any:
    with open_record(path, write=True) as record, Desk(record) as desk:
        return desk.ask(BY_NAME["access"], said).answer


def labels(answer: AccessLabels) -> list[tuple[str, str, bool | None]]:
    return [(each.action, each.resource, each.used) for each in answer.labels]


def test_each_node_that_was_handed_out_has_a_label(path: str) -> None:
    answer = ask(path, jsonl="yes", turns="3")
    assert labels(answer) == [
        ("get_context", API, True),
        ("get_context", STORE, True),
        ("get_context", DATES, False),
        ("page_out", NOTES, True),
        ("page_out", DATES, False),
        ("page_in", NOTES, False),
        ("get_context", API, True),
        ("get_context", STORE, True),
    ]
    by = {each.resource: each.by for each in answer.labels[:3]}
    assert 0 == by[DATES] < by[API] < by[STORE]


def test_what_comes_too_late_counts_only_within_more_turns(path: str) -> None:
    found = [each.used for each in ask(path, jsonl="yes", turns="5").labels if each.resource == DATES]
    assert found == [True, None]  # of what was paged out the turns haven't passed; a name alone is no regret


def test_where_the_record_ends_too_early_a_label_is_open(path: str) -> None:
    last = [each for each in ask(path, jsonl="yes", turns="30").labels if each.resource in (NOTES, DATES)]
    assert [(each.action, each.used) for each in last] == [
        ("get_context", True), ("page_out", True), ("page_out", None), ("page_in", None),
    ]  # fmt: skip


def test_the_lines_are_json_with_the_keys_of_the_log(path: str) -> None:
    answer = ask(path, jsonl="yes")
    lines = [json.loads(each.text) for each in answer.as_rows(View())]
    assert len(lines) == len(answer.labels)
    keys = {"ts", "resource", "action", "query", "session", "pressure_before", "pressure_after", "tokens_delta"}
    assert all(keys | {"used", "by"} <= set(line) for line in lines)
    assert lines[0]["query"] == "hybrid:rates"


def test_what_is_used_after_the_same_deliveries_belongs_together(path: str) -> None:
    answer = ask(path, together="yes", turns="3")
    assert isinstance(answer, CoUses)
    found = {each.resource: (each.times, each.used, each.together) for each in answer.nodes}
    assert found[API] == (2, 2, ((STORE, 2),))
    assert found[DATES] == (1, 0, ())
    assert [each.resource for each in answer.nodes][:2] == [API, STORE]
    assert {each.weight for each in answer.nodes} == {1_000}
    few = ask(path, together="yes", limit="1")
    assert (len(few.nodes), few.more) == (1, 3)
