"""The toolset `rules`: once a conversation unless changed, recorded where that is asked for; pages of the playbook."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from ccos_core.learn.reflecting import LOOKBACK_DAYS, MOST_SESSIONS
from ccos_core.query.playbook import rules as question
from ccos_core.serve.mcp.tools import plain
from ccos_core.serve.mcp.tools.rules import BUDGET, DAYS, SESSIONS
from tests.core.serve.mcp.tools.serving import Host, project

FORMAT, PUSH = "Run ruff format before you commit.", "Never force-push main."
TASK = "commit with ruff, then push main"


@pytest.fixture
def host(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Host]:
    monkeypatch.delenv("CCOS_OFF", raising=False)
    host = Host(project(tmp_path / "project"), tmp_path / "work.ccos", record_recalls=True)
    for text, cls in ((FORMAT, "rule"), (PUSH, "anti-pattern")):
        live = host.door.live()
        live.tell([{"kind": "remembered", "memo": memo(text), "class": cls, "words": text, "actor": "user"}])
    speak(host, "s")
    yield host
    host.door.close()


def memo(text: str) -> str:
    from tests.core.query.playbook.rule_tales import memo_of

    return memo_of(text)


def speak(host: Host, session: str, words: str = "Go on.") -> None:
    said = {"kind": "prompt", "said": words, "source": "user", "actor": "user"}
    host.door.live().tell([{**said, "host": "claude-code", "session": session}])


def texts(answer: dict[str, Any]) -> list[str]:
    return sorted(each["text"] for each in answer["rules"])


def test_a_conversation_is_told_a_rule_once_unless_it_changed(host: Host) -> None:
    assert BUDGET == question.BUDGET
    first = host.call("rules", task=TASK)
    assert texts(first) == [PUSH, FORMAT]
    again = host.call("rules", task=TASK)
    assert (again["rules"], again["why"]) == ([], "All 2 rules for it were told to this conversation before.")
    assert texts(host.call("rules", task=TASK, again=True)) == [PUSH, FORMAT]
    for number in range(3):
        live = host.door.live()
        live.tell([{"kind": "supported", "claim": memo(FORMAT), "weight": 1_000, "way": "explicit",
                    "for_session": f"t{number}", "by": [], "actor": "user"}])  # fmt: skip
    assert texts(host.call("rules", task=TASK)) == [FORMAT]
    speak(host, "another")
    assert texts(host.call("rules", task=TASK)) == [PUSH, FORMAT]


def test_what_is_told_is_recorded_with_its_principal(host: Host) -> None:
    told = host.call("rules", task=TASK)
    op = host.door.live().desk.timeline.op(told["recorded"])
    assert (op["kind"], op["lens"], op["principal"]) == ("recall", f"rules:{TASK}", "agent")
    assert sorted(uri for uri, _, _ in op["items"]) == sorted(map(memo, (FORMAT, PUSH)))
    assert "recorded" not in host.call("rules", task=TASK)


def test_a_budget_and_a_task_without_rules(host: Host) -> None:
    assert len(host.call("rules", task=TASK, budget=50)["rules"]) == 1
    assert texts(host.call("rules", task=TASK, budget=50)) != []
    nothing = host.call("rules", task="draw a logo")
    assert nothing["text"] == ""
    assert plain.rules_text(nothing) == nothing["why"]


def test_the_pages_say_what_the_questions_say(host: Host) -> None:
    assert FORMAT in host.read("ccos://playbook")
    assert host.read("ccos://stats")
    assert host.read("ccos://diary")
    assert host.call("rule", rule=memo(FORMAT))["content"] == FORMAT


def test_what_conflicts_and_what_is_missing_can_be_asked(host: Host) -> None:
    assert host.call("conflicts")["schema"] == "ccos.conflicts/1"
    assert len(host.call("onboard", part="status")["gaps"]) == 10


def test_reflect_records_only_when_told_to(host: Host) -> None:
    assert (DAYS, SESSIONS) == (LOOKBACK_DAYS, MOST_SESSIONS)
    for name in ("a", "b", "c"):
        speak(host, name, "Always run `make check` before you commit.")
    before = host.head()
    dry = host.call("reflect")
    assert (dry["dry_run"], host.head()) == (True, before)
    assert "nothing recorded" in plain.page_text(dry)
    wet = host.call("reflect", dry_run=False)
    assert wet["judged"] == dry["judged"] != []
    assert any("make check" in each for each in texts(host.call("rules", again=True)))
    after = host.head()
    assert host.call("reflect", dry_run=False)["ops"] == []
    assert host.head() == after


def test_the_outcomes_of_all_sessions_can_be_read_and_record_nothing(host: Host) -> None:
    speak(host, "later", "Thanks, perfect.")
    before = host.head()
    titles = [line for line in host.read("ccos://outcomes").splitlines() if line.startswith("session ")]
    assert [line.split()[1] for line in titles] == ["later", "s"]
    assert host.head() == before
    told = host.call("outcome", session="s")
    assert (told["session"], told["verdict"], told["changed"]) == ("s", "unknown", False)
