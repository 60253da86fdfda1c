"""`impact` of a statement: what rests on it, and what rests on that, and the code that it names."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from ccos_core.memory.entry import memo_id
from ccos_core.present.rows import View
from ccos_core.query.catalogue import BY_NAME
from ccos_core.query.resting import Resting
from ccos_core.session.asking import Desk
from ccos_core.session.session import open_session
from ccos_core.storage.opening import open_record
from tests.story import START, Story, new_session

RULE, OLD, NOTE = "Rates are whole cents in src/rates.py.", "Rates are floats.", "Ask Eli about rates."
USER = {"host": "story", "session": "s", "actor": "user"}


def memo(text: str) -> str:
    return memo_id(text.lower().rstrip(".").replace("/", " ").replace(".", " ").split())


def remembered(text: str, **more: Any) -> dict[str, Any]:
    node = {"memo": memo(text), "words": text, "scope": "project", "class": "fact"}
    return {"kind": "remembered", **node, **USER, **more}


@pytest.fixture
def path(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> str:
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path / "config"))
    with new_session(tmp_path) as session:
        Story(session).tell('write src/rates.py "CENTS = 1\\n"\ningest\n')
        session.record([
            remembered(OLD),
            remembered(RULE),
            {"kind": "superseded", "claim": memo(OLD), "by": memo(RULE), "how": "replace", **USER},
            {"kind": "supported", "claim": "claim:totals are exact", "weight": 900, "by": [memo(RULE)], **USER},
            {"kind": "contradicted", "claim": "claim:rates are vague", "weight": 900, "by": ["claim:totals are exact"],
             **USER},
            remembered(NOTE, about=[memo(RULE)]),
        ])  # fmt: skip
    return str(tmp_path / "work.ccos")


def impact(path: str, node: str, at: int | None = None) -> Resting:
    with open_record(path) as record, Desk(record) as desk:
        answer = desk.ask(BY_NAME["impact"], {"node": node}, at).answer
    assert isinstance(answer, Resting)
    return answer


def test_what_rests_on_a_statement_is_found_however_far(path: str) -> None:
    found = impact(path, memo(RULE))
    assert {(each.how, each.text, each.by) for each in found.rests} == {
        ("superseded", OLD, memo(RULE)),
        ("supported", "totals are exact", memo(RULE)),
        ("remembered", NOTE, memo(RULE)),
        ("contradicted", "rates are vague", "claim:totals are exact"),
    }
    assert found.names == ("file:src/rates.py",)
    shown = "\n".join(each.text for each in found.as_rows(View(100)))
    assert "through claim:totals are exact" in shown


def test_an_earlier_step_knows_nothing_of_what_came_later(path: str) -> None:
    last = impact(path, memo(RULE))
    assert [each.how for each in impact(path, memo(RULE), last.at - 3).rests] == ["superseded"]
    with open_session(path, clock=lambda: START) as session:
        session.record([{"kind": "supported", "claim": memo(RULE), "weight": 100, "by": [memo(NOTE)], **USER}])
    assert impact(path, memo(RULE), last.at) == last


def test_a_circle_ends(path: str) -> None:
    with open_session(path, clock=lambda: START) as session:
        session.record(
            [{"kind": "supported", "claim": memo(RULE), "weight": 100, "by": ["claim:rates are vague"], **USER}]
        )
    found = impact(path, memo(RULE))
    assert (found.rests[-1].node, len(found.rests)) == (memo(RULE), 5)
