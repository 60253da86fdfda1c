"""`entries` over a record: queries, deltas, boundaries and reductions, at any step and as another principal."""

from __future__ import annotations

import io
import json
from contextlib import closing
from itertools import count
from pathlib import Path
from typing import Any

import pytest

from ccos_core.errors import Usage
from ccos_core.memory.entry import memo_id
from ccos_core.query.catalogue import BY_NAME
from ccos_core.query.entries import Entries
from ccos_core.serve.memory import lines
from ccos_core.serve.memory.store import Store
from ccos_core.session import lifecycle
from ccos_core.session.asking import Desk
from ccos_core.session.lifecycle import compact
from ccos_core.session.session import open_session
from ccos_core.session.working_memory import RecordMemory
from ccos_core.storage.opening import open_record

MAIN = {"host": "claude-code", "session": "s"}
BEGIN = 1_700_000_000_000
DAY = 86_400_000


def said(text: str, days: int = 0) -> dict[str, Any]:
    return {"kind": "prompt", "source": "user", "said": text, "actor": "user", "at": BEGIN + days * DAY, **MAIN}


def call(number: int, days: int = 0) -> dict[str, Any]:
    return {"kind": "tool", "name": "nlp.sentiment", "outcome": "ok", "arguments": {"batch": number}, "actor": "agent",
            "at": BEGIN + days * DAY + number, **MAIN}  # fmt: skip


@pytest.fixture
def path(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> str:
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path / "config"))
    found = str(tmp_path / "work.ccos")
    lifecycle.init(found)
    record(found, [said("I prefer tabs in Makefiles."), *(call(number, 1) for number in range(10)),
                   said("Never push to main.", 40), said("What is the time?", 41)])  # fmt: skip
    return found


def record(path: str, ops: list[dict[str, Any]]) -> None:
    with open_session(path) as session:
        session.record(ops)


def ask(path: str, at: int | None = None, principal: str = "owner", **given: str) -> Entries:
    with open_record(path) as opened, Desk(opened) as desk:
        desk.principal = principal
        answer: Entries = desk.ask(
            BY_NAME["entries"], {key.replace("_", "-"): value for key, value in given.items()}, at
        ).answer
        return answer


def ids(answer: Entries) -> set[str]:
    return {each.id for each in answer.entries}


def test_a_delta_and_what_was_there_before_are_everything(path: str, tmp_path: Path) -> None:
    """Ask, pause, let others record, ask for what came since, merge: the same as asking for all."""
    first = ask(path, query="not class=epoch", max_results="0")
    seen = {each.id: each for each in first.entries}
    record(path, [said("Use ruff."), said("I prefer tabs in Makefiles.", 42)])
    later = ask(path, query=f"not class=epoch since=act-{first.at}", max_results="0")
    whole = ask(path, query="not class=epoch", max_results="0")
    new = {each.id: each for each in later.entries}
    assert seen | new == {each.id: each for each in whole.entries}
    assert all(each.last > first.at for each in new.values())
    assert new, "something came"


@pytest.mark.parametrize("cut", [1, 5, 9])
def test_a_delta_across_a_compaction_an_archive_and_another_writer_is_exact(
    path: str, tmp_path: Path, cut: int
) -> None:
    """What was seen at a step and what came since are everything, whichever of the steps lie in archives by then."""
    every = {"query": "not class=epoch", "max_results": "0"}
    seen = {each.id: each for each in ask(path, at=cut, **every).entries}
    compaction = {"kind": "compaction", "trigger": "auto", "exact": False, "summary": "Tabs in Makefiles.", **MAIN}
    record(path, [compaction, said("I prefer tabs in Makefiles.", 42)])
    archive = str(tmp_path / "old")
    assert compact(path, most=3, keep=2, outside=archive)
    with open_session(path) as one, open_session(path) as other:
        one.record([said("Use ruff.")])
        other.record([said("Never push to main.", 43), call(11, 43)])
        one.record([said("Be brief.", 44)])
    assert compact(path, most=3, keep=2, outside=archive)
    delta = ask(path, **{**every, "query": f"not class=epoch since=act-{cut}"}).entries
    assert len({each.id for each in delta}) == len(delta), "nothing twice"
    assert all(each.last > cut for each in delta)
    assert seen | {each.id: each for each in delta} == {each.id: each for each in ask(path, **every).entries}
    with Store(path) as store:
        found = store.obey("wm.search", {"query": {"since": cut, "not": {"class": "epoch"}}, "max_results": 1_000})
    assert {each["id"] for each in found["memories"]} == {each.id for each in delta}


def test_a_slow_query_is_told_and_changes_nothing(path: str) -> None:
    """Only if the policy has a threshold: else an answer would depend on the machine."""
    seconds = count()

    def asked(policy: str = "") -> tuple[Entries, str]:
        if policy:
            with open_record(path, write=True) as opened, Desk(opened) as desk:
                desk.ask(BY_NAME["govern"], {"action": "set", "policy": policy})
        with open_record(path) as opened, Desk(opened) as desk, closing(RecordMemory(path)) as memory:
            desk.clock = lambda: float(next(seconds))
            answer: Entries = desk.ask(BY_NAME["entries"], {"query": "class=said"}).answer
            return answer, memory.search(desk, {"class": "said"}).note

    plain, note = asked()
    assert (plain.notes, note) == ((), "")
    slow, note = asked('{"thresholds": {"latency": 900}}')
    assert slow.notes == (note,)
    assert "longer than 900 ms" in note
    assert slow.entries == plain.entries
    quick, note = asked('{"thresholds": {"latency": 1000}}')
    assert (quick.notes, note) == ((), "")


def test_a_query_of_last_month_is_one_call(path: str) -> None:
    found = ask(path, query="author=user class=said,preference,correction @30d..", max_results="0")
    assert {each.words for each in found.entries} >= {"Never push to main.", "What is the time?"}
    assert not any("tabs" in each.words for each in found.entries)
    assert found.now == BEGIN + 41 * DAY, "the time of the last step"


def test_the_preferences_of_last_month_are_those_of_a_scripted_year(tmp_path: Path) -> None:
    """A year of sessions, a preference every five days, other things between: one call gives those of 30 days."""
    path = str(tmp_path / "year.ccos")
    lifecycle.init(path)
    ops, wanted = [], []
    for day in range(365):
        ops += [said(f"Look at file number {day}.", day), call(1, day)]
        if day % 5 == 0:
            words = f"I prefer the style number {day} for tables."
            memo = {"kind": "remembered", "words": words, "scope": "project", "class": "preference", "actor": "user"}
            ops.append({**memo, "memo": memo_id(words.lower().strip(".").split()), "at": BEGIN + day * DAY, **MAIN})
            wanted += [words] if day >= 364 - 30 else []
    record(path, ops)
    with Store(path) as store:
        found = store.obey("entries", {"query": "class=preference @30d..", "max_results": 0})["entries"]
        searched = store.obey("wm.search", {"query": {"class": "preference", "range": ["timestamp", "last-30d"]}})
    assert sorted(each["words"] for each in found) == sorted(wanted)
    assert sorted(each["words"] for each in searched["memories"]) == sorted(wanted)
    assert len(wanted) == 6


def test_the_question_of_an_earlier_step_knows_nothing_later(path: str) -> None:
    assert ids(ask(path, at=5, max_results="0")) < ids(ask(path, max_results="0"))
    assert all(each.last <= 5 for each in ask(path, at=5, max_results="0").entries)


def test_like_calls_are_one_row_and_can_be_pulled_back(path: str) -> None:
    found = ask(path, query="class=tool", reduction='{"type": "summarization", "similarity_threshold": 0.3}')
    (calls,) = found.entries
    assert (calls.count, len(calls.members), found.strategy) == (10, 10, "summarization")
    assert ids(ask(path, query="id=" + ",".join(calls.members))) == set(calls.members)


def test_a_limit_reports_what_it_dropped(path: str) -> None:
    found = ask(path, query="class=tool", max_results="3")
    assert (len(found.entries), len(found.dropped), found.trigger, found.entries_in) == (3, 7, "limit", 10)
    assert ids(found) | set(found.dropped) == ids(ask(path, query="class=tool", max_results="0"))


def test_boundaries_narrow_and_budgets_count_tokens(path: str) -> None:
    assert not ids(ask(path, boundaries='{"privacy": "low"}')), "what has no label is medium"
    assert not ids(ask(path, boundaries='{"jurisdiction": {"allowed": ["EU"]}}'))
    assert len(ask(path, query="class=tool", boundaries='{"token_limit": 1}').entries) == 0
    with pytest.raises(Usage, match="relevant to"):
        ask(path, boundaries='{"semantic_limit": 0.5}')
    assert ids(ask(path, query="text~tabs", boundaries='{"semantic_limit": 0.5}'))


def test_a_mode_that_is_not_there_is_said(path: str) -> None:
    found = ask(path, query="text~tabs", mode="semantic")
    assert found.mode == "keyword"
    assert "semantic search isn't available" in found.notes[0]
    assert ids(found) == ids(ask(path, query="text~tabs"))


def test_a_query_in_json_in_the_pipe(path: str) -> None:
    asked = {"op": "entries", "query": {":type": ":tool", ":limit": 10}, "mode": "semantic", "max_results": 5}
    answers: list[dict[str, Any]] = []
    with Store(path) as store:
        lines.run(store, io.BytesIO(json.dumps(asked).encode()), answers.append)
    (answer,) = answers
    assert answer["schema"] == "ccos.entries/1", answer
    assert (len(answer["entries"]), answer["entries_in"], len(answer["dropped"])) == (5, 10, 5)


def test_what_is_withheld_is_in_no_row_or_count(path: str) -> None:
    every = ask(path, max_results="0")
    (secret,) = [each for each in every.entries if each.words == "Never push to main." and each.cls != "prompt"]
    record(
        path, [{"kind": "labelled", "nodes": [secret.id], "privacy": "high", "actor": "user", "at": BEGIN + 50 * DAY}]
    )
    for query in ("", "text~push", f"id={secret.id}", "not class=tool"):
        found = ask(path, principal="agent", query=query, max_results="0")
        assert secret.id not in json.dumps([each.id for each in found.entries] + list(found.dropped))
        assert not any("push" in each.words for each in found.entries)
    assert ask(path, principal="agent", query=f"id={secret.id}").entries_in == 0
    assert ask(path, query=f"id={secret.id}").entries_in == 1
