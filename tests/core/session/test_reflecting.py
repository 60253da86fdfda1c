"""`reflect`: reads each session once, records in one transaction, and says nothing twice."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from ccos_core.learn.reflecting import DAY_MILLIS
from ccos_core.memory.view import AGENT, OWNER
from ccos_core.present.aloud import sentences
from ccos_core.present.rows import View
from ccos_core.query.playbook.onboarding import read_sessions
from ccos_core.query.playbook.playbook_rules import read_playbook
from ccos_core.replay.timeline import Timeline
from ccos_core.serve.cli.main import main
from ccos_core.session import reflecting
from ccos_core.session.journaling import timeline_of
from ccos_core.session.lifecycle import init
from ccos_core.session.reflecting import Reflection, reflect_on
from ccos_core.session.session import open_session
from ccos_core.storage.opening import open_record

NOW = 1_790_000_000_000
ORDER = "Always run `make check` before you commit."


def told(ws: Path, session: str, *prompts: str, host: str = "claude-code", at: int = NOW) -> str:
    """Record prompts of one session; returns the path."""
    if not ws.exists():
        init(str(ws))
    with open_session(str(ws), stay=False, clock=lambda: at) as open_:
        open_.record(
            {"kind": "prompt", "source": "user", "said": text, "host": host, "session": session} for text in prompts
        )
    return str(ws)


@pytest.fixture
def home(tmp_path: Path) -> str:
    ws = tmp_path / "home.ccos"
    for session in ("a", "b", "c"):
        told(ws, session, "Fix the lookup.", ORDER)
    return str(ws)


def run(ws: str, *paths: str, **more: Any) -> Reflection:
    return reflect_on(ws, paths or (ws,), now=NOW, **more)


def ops(ws: str) -> list[dict[str, Any]]:
    with open_record(ws) as record:
        timeline = timeline_of(record)
        return [timeline.op(step) for step in range(1, timeline.head + 1)]


def kinds(ws: str) -> list[str]:
    return [op["kind"] for op in ops(ws)]


def rules(ws: str) -> dict[str, tuple[str, ...]]:
    with open_record(ws) as record:
        timeline: Timeline = timeline_of(record)
        return {each.content: each.source_sessions for each in read_playbook(timeline, timeline.head).in_force()}


def test_what_three_sessions_say_becomes_a_rule_with_its_sessions(home: str) -> None:
    answer = run(home)
    assert [each.session for each in answer.diaries] == ["a", "b", "c"]
    assert [(each.verdict, each.kind) for each in answer.judged] == [("ACCEPT", "add")]
    ((words, sessions),) = rules(home).items()
    assert "make check" in words
    assert set(sessions) == {"a", "b", "c"}


def test_a_second_run_says_nothing(home: str) -> None:
    run(home)
    before = kinds(home)
    answer = run(home)
    assert (answer.diaries, answer.judged, answer.ops) == ((), (), ())
    assert {each.reason for each in answer.left_out} == {"read before"}
    assert kinds(home) == before


def test_a_dry_run_says_the_same_and_records_nothing(home: str) -> None:
    before = kinds(home)
    dry = run(home, dry_run=True)
    assert kinds(home) == before
    wet = run(home)
    assert (dry.judged, dry.ops, dry.diaries) == (wet.judged, wet.ops, wet.diaries)
    recorded = [op["kind"] for op in ops(home)[len(before) :]]
    assert [each.split(" ")[0] for each in wet.ops] == recorded


def test_a_session_that_has_grown_is_read_from_where_it_ended(home: str) -> None:
    run(home)
    told(Path(home), "b", "Never push to main without asking me.")
    answer = run(home)
    assert [each.session for each in answer.diaries] == ["b"]
    assert answer.observed == 1
    assert answer.judged == ()


def test_a_later_session_is_evidence_for_a_rule_that_is_known(home: str) -> None:
    run(home)
    told(Path(home), "d", ORDER)
    (judged,) = run(home).judged
    assert (judged.kind, judged.verdict) == ("helpful", "ACCEPT")
    assert set(next(iter(rules(home).values()))) == {"a", "b", "c", "d"}


def test_a_rule_that_was_taken_back_stays_so_and_the_rejection_is_kept_once(home: str) -> None:
    (judged,) = run(home).judged
    with open_session(home, stay=False) as session:
        session.record([{"kind": "retracted", "claim": judged.memo, "actor": "user"}])
    for name in ("d", "e"):
        told(Path(home), name, ORDER)
        run(home)
    assert rules(home) == {}
    kept = [op for op in ops(home) if op["kind"] == "distilled" and op["what"] == "validation"]
    assert len(kept) == 1
    assert kept[0]["of"] == [judged.memo]


def test_reading_another_record_is_a_recall_with_its_principal(home: str, tmp_path: Path) -> None:
    other = told(tmp_path / "other.ccos", "x", ORDER, host="codex")
    run(home, other)
    recalls = [op for op in ops(home) if op["kind"] == "recall"]
    assert [(each["lens"], each["principal"]) for each in recalls] == [("diary:x", OWNER)]


def test_sessions_of_another_project_bear_no_rule_here(tmp_path: Path) -> None:
    """Nor do they later, once they are kept in the record."""
    paths = []
    for name in ("home", "other"):
        (tmp_path / name).mkdir()
        paths.append(told(tmp_path / name / "ws.ccos", f"of {name}", ORDER))
    told(Path(paths[1]), "second of other", ORDER)
    answer = run(*paths)
    assert {each.session for each in answer.diaries} == {"of home", "of other", "second of other"}
    assert answer.judged == ()
    told(Path(paths[0]), "later", "Fix the lookup.")
    assert run(paths[0]).judged == ()
    told(Path(paths[0]), "second", ORDER)
    (judged,) = run(paths[0]).judged
    assert (judged.kind, rules(paths[0])) == ("add", {judged.words: ("of home", "second")})


def test_only_allowed_agents_are_read(home: str, tmp_path: Path) -> None:
    other = told(tmp_path / "other.ccos", "x", ORDER, host="codex")
    answer = run(home, other, agents=("claude-code",))
    assert "x" not in {each.session for each in answer.diaries}
    assert ("x", "its agent isn't allowed") in {(each.session, each.reason) for each in answer.left_out}
    assert "recall" not in kinds(home)


def test_a_principal_reads_only_the_agents_that_the_policy_gives_it(home: str, tmp_path: Path) -> None:
    other = told(tmp_path / "other.ccos", "x", ORDER, host="codex")
    policy = json.dumps({"principals": {AGENT: {"agents": ["claude-code"]}}})
    assert main(["govern", home, "set", policy]) == 0
    answer = run(home, other, principal=AGENT)
    assert {each.session for each in answer.diaries} == {"a", "b", "c"}


def test_old_sessions_are_left_out(home: str) -> None:
    answer = reflect_on(home, (home,), now=NOW + 8 * DAY_MILLIS)
    assert answer.diaries == ()
    assert {each.reason for each in answer.left_out} == {"older than 7 days"}
    assert "3 older than 7 days: --days DAYS reads them" in "\n".join(map(str, sentences(answer.as_rows(View()))))


def test_of_two_runs_at_once_the_second_has_nothing_left_to_say(home: str, monkeypatch: pytest.MonkeyPatch) -> None:
    real = reflecting._recorded
    raced: list[int] = []

    def race(ws: str, plan: Any, now: int) -> bool:
        if not raced:
            raced.append(1)
            run(ws)  # another process comes between plan and record
        return real(ws, plan, now)

    monkeypatch.setattr(reflecting, "_recorded", race)
    answer = run(home)
    assert answer.ops == ()
    assert kinds(home).count("remembered") == 4  # three diaries and one rule, each once


def test_progress_of_onboarding_counts_what_was_reflected_on(home: str) -> None:
    run(home)
    with open_record(home) as record:
        timeline = timeline_of(record)
        assert read_sessions(timeline, timeline.head) == {"a", "b", "c"}


def test_the_record_says_the_same_after_a_replay(home: str) -> None:
    run(home)
    assert main(["verify", home]) == 0


def test_the_command_prints_each_step(home: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["reflect", home, home, "--dry-run", "--now", "2026-09-22"]) == 0
    printed = capsys.readouterr().out
    assert "1 preferences" not in printed
    for word in (
        "1 preference",
        "3 sessions read",
        "nothing recorded",
        "diary",
        "reflect: ",
        "validate",
        "curate: ",
        "would be",
    ):
        assert word in printed
