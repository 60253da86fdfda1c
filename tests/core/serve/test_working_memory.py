"""`wm.search` and `observability.ingest`: in the pipe under their own names, to an agent as a toolset."""

from collections.abc import Iterator, Sequence
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest

from ccos_core.errors import Usage
from ccos_core.memory.entry import memo_id
from ccos_core.serve.mcp.offer import Wrong
from ccos_core.serve.mcp.offering import DEFAULT, offering
from ccos_core.serve.mcp.tools.door import Door
from ccos_core.serve.memory.store import Store
from ccos_core.session import forget, working_memory
from ccos_core.session.session import Session
from ccos_core.session.user_record import record_for_user
from ccos_core.storage.memory_sqlite import MemorySqlite, memory_path
from ccos_core.text.retrieval.carried import normalised_words
from ccos_core.text.retrieval.vectors import Vectors, vectors_of
from tests.story import new_session


@pytest.fixture
def session(tmp_path: Path) -> Iterator[Session]:
    with new_session(tmp_path) as found:
        say(found, "Never push to main. The launch code is swordfish.")
        run(found, "pytest -q", "ok")
        run(found, "make invoice", "error")
        say(found, "Make the invoice tests green.")
        yield found


@pytest.fixture
def store(session: Session) -> Iterator[Store]:
    with Store(session.recorded.path) as found:
        yield found


def say(session: Session, words: str) -> int:
    prompt = {"kind": "prompt", "said": words, "source": "user", "host": "story", "session": "s", "actor": "user"}
    return session.record([prompt])[-1]


def run(session: Session, command: str, outcome: str) -> None:
    call = {
        "kind": "tool",
        "name": "Bash",
        "outcome": outcome,
        "arguments": {"command": command},
        "result": "no such file",
    }
    session.record([{**call, "host": "story", "session": "s", "actor": "agent"}])


def found(store: Store, **said: Any) -> list[str]:
    return [each["words"] for each in store.obey("wm.search", said)["memories"]]


def test_words_rank_and_conditions_bound(store: Store) -> None:
    assert found(store, words="invoice tests", max_results=1) == ["Make the invoice tests green."]
    assert found(store, query={"type": "tool", "tag": "failure"}) == ["Bash make invoice\nmake invoice\nno such file"]
    assert found(store, query={":type": ":said", "since": "act-4"}) == ["Make the invoice tests green."]
    either = {"or": [{"tag": "failure"}, {"text": "swordfish"}], "limit": 10}
    assert len(found(store, query=either, words="invoice launch code")) == 3
    first = store.obey("wm.search", {"query": {"intent": "prompt:2", "limit": 50}, "max_results": 2})
    assert (len(first["memories"]), first["more"], first["mode"]) == (2, True, "keyword")


def test_each_memory_has_its_provenance(store: Store, session: Session) -> None:
    (memory,) = store.obey("wm.search", {"query": {"class": "tool", "tag": "failure"}})["memories"]
    step, hash_, _ = session.recorded.op(4)
    assert memory["meta"]["action_id"].startswith(f"{step}:")
    assert memory["meta"]["attestation_hash"] == hash_.hex()
    assert (memory["meta"]["intent_id"], memory["meta"]["plan_id"]) == ("prompt:2", "s")


def test_a_mode_that_is_not_there_is_said(store: Store) -> None:
    answer = store.obey("wm.search", {"words": "invoice", "mode": "semantic"})
    assert answer["memories"] == store.obey("wm.search", {"words": "invoice"})["memories"]
    assert (answer["mode"], "keywords were used" in answer["note"]) == ("keyword", True)


def test_semantic_search_finds_other_forms_of_words_by_vectors(store: Store, session: Session) -> None:
    asked = {"words": "invioce greener", "mode": "semantic", "query": {"class": "said"}}
    assert found(store, words="invioce greener", query={"class": "said"}) == []
    assert not store.obey("wm.search", asked)["memories"]
    made = store.obey("observability.ingest", {"embed_model": "wordparts/1"})
    assert made["embedded"] == 8
    near = store.obey("wm.search", asked)
    assert [each["words"] for each in near["memories"]] == ["Make the invoice tests green."]
    assert (near["mode"], near["note"]) == ("semantic", "")
    say(session, "Green invoices only.")
    later = store.obey("wm.search", asked)
    assert later["memories"] == near["memories"]
    assert "without a vector" in later["note"]
    assert store.obey("observability.ingest", {"embed_model": "wordparts/1"})["embedded"] == 2
    assert len(store.obey("wm.search", asked)["memories"]) == 2
    assert store.obey("observability.ingest", {"embed_model": "wordparts/1"})["embedded"] == 0


def test_a_vector_is_a_query_of_its_own_and_with_other_conditions(store: Store) -> None:
    vector = vectors_of(["invioce greener"])[0].tolist()
    assert "keywords were used" in store.obey("wm.search", {"query": {":vector": vector}})["note"]
    store.obey("observability.ingest", {"embed_model": "wordparts/1"})
    alone = store.obey("wm.search", {"query": {":vector": vector}})
    assert alone["mode"] == "semantic"
    assert "Make the invoice tests green." in {each["words"] for each in alone["memories"]}
    by_words = store.obey("wm.search", {"words": "invioce greener", "mode": "semantic"})
    assert by_words["memories"] == alone["memories"]
    for condition in ({":type": ":said"}, {":intent": "prompt:5"}, {"range": {"step": [5, 5]}}):
        both = store.obey("wm.search", {"query": {":vector": vector, **condition}})["memories"]
        assert {each["first"] for each in both} == {5}
    assert not store.obey("wm.search", {"query": {":vector": vector, ":type": ":todo"}})["memories"]
    for wrong in ([1, 2], [0.5] * len(vector), [128] * len(vector), "1"):
        with pytest.raises(Usage):
            store.obey("wm.search", {"query": {"vector": wrong}})


def test_a_search_embeds_nothing_but_its_own_words(store: Store, monkeypatch: pytest.MonkeyPatch) -> None:
    batches: list[list[str]] = []

    def counting(texts: Sequence[str]) -> Vectors:
        batches.append(list(texts))
        return vectors_of(texts)

    monkeypatch.setattr(working_memory, "vectors_of", counting)
    store.obey("observability.ingest", {"embed_model": "wordparts/1"})
    assert [len(each) for each in batches] == [8]
    batches.clear()
    store.obey("wm.search", {"words": "invioce", "mode": "semantic"})
    store.obey("wm.search", {"words": "invioce"})
    assert batches == [["invioce"]]


def test_vectors_show_nothing_above_a_level(store: Store, session: Session) -> None:
    store.obey("observability.ingest", {"embed_model": "wordparts/1"})
    said = store.obey("wm.search", {"words": "launch", "query": {"class": "said"}})["memories"]
    (secret,) = [each["id"] for each in said]
    with Store(session.recorded.path, "agent") as agent:
        asked = {"words": "launching codes", "mode": "semantic"}
        assert any("swordfish" in each["words"] for each in agent.obey("wm.search", asked)["memories"])
        store.obey("label", {"nodes": [secret], "privacy": "critical"})
        answer = agent.obey("wm.search", asked)
    assert "swordfish" not in str(answer)
    assert secret not in str(answer)


def test_what_is_recorded_meanwhile_is_found(store: Store, session: Session) -> None:
    assert found(store, words="zebra") == []
    say(session, "Paint the zebra.")
    assert "Paint the zebra." in found(store, words="zebra")


def test_searching_records_nothing(store: Store, session: Session) -> None:
    head = session.recorded.head()
    found(store, words="invoice")
    store.obey("observability.ingest", {})
    assert session.recorded.head() == head


@pytest.mark.parametrize(
    "said", [{"query": {"limit": 0}}, {"query": {"no such": "x"}}, {"boundaries": {"privacy": {"max_level": "x"}}}]
)
def test_what_is_no_query_is_refused(store: Store, said: dict[str, Any]) -> None:
    with pytest.raises(Usage):
        store.obey("wm.search", said)


def test_ingesting_tells_counts_and_what_it_cannot_do(store: Store, session: Session) -> None:
    first = store.obey("observability.ingest", {})
    assert (first["ops"], first["at"], first["from"]) == (5, 5, 0)
    assert first["entries"] == 8
    say(session, "Be brief.")
    more = {"from_action": "act-5", "redact": [":pii", ":secrets"], "embed_model": "text-emb-2", "summarize": False}
    again = store.obey("observability.ingest", more)
    assert (again["ops"], again["entries"], again["from"], again["at"]) == (1, 2, 5, 6)
    assert len(again["notes"]) == 2
    for wrong in ({"from_action": "soon"}, {"redact": ["names"]}):
        with pytest.raises(Usage):
            store.obey("observability.ingest", wrong)


def test_ingesting_counts_what_is_masked(session: Session) -> None:
    token = "gh" + "p_" + "a1B2c3D4e5F6g7H8i9J0k1L2m3N4o5P6q7R8"
    say(session, f"Write to anna@firma.de and bert@firma.de. The token is {token}.")
    with Store(session.recorded.path) as store:
        first = store.obey("observability.ingest", {"redact": ["secrets", ":pii"]})
        # the prompt says it, and each of its sentences is an entry too
        assert first["masked"] == {"secrets": {"github-token": 2}, "pii": {"mail": 4}}
        assert token not in str(store.obey("wm.search", {"words": "token"}))
        again = store.obey("observability.ingest", {"redact": ["pii"]})
        assert again["masked"] == {"pii": {}}
        assert store.obey("observability.ingest", {"redact": ["pii"], "from_action": "act-5"})["masked"]["pii"]
        assert "masked" not in store.obey("observability.ingest", {})
        ids = [each["id"] for each in store.obey("wm.search", {"query": {"class": "said", "text": "anna"}})["memories"]]
        store.obey("label", {"nodes": ids, "privacy": "critical"})
    with Store(session.recorded.path, "agent") as agent:
        counted = agent.obey("observability.ingest", {"redact": ["secrets", "pii"], "from_action": "act-0"})
        assert counted["masked"] == {"secrets": {"github-token": 1}, "pii": {}}


def test_stats_count_and_tell_how_it_keeps_up(store: Store) -> None:
    stats = store.obey("stats_memos", {})
    assert (stats["entries"], stats["lag"], stats["errors"], stats["ops"]) == (8, 0, 0, 5)
    assert stats["by_class"] == {"epoch": 1, "prompt": 2, "said": 3, "tool": 2}
    assert sum(stats["histogram"]) == 1


def test_an_agent_finds_nothing_above_its_level(session: Session) -> None:
    path = session.recorded.path
    with Store(path) as owner:
        (secret,) = [
            each["id"]
            for each in owner.obey("wm.search", {"query": {"class": "said"}})["memories"]
            if "launch" in each["words"]
        ]
        owner.obey("label", {"nodes": [secret], "privacy": "critical"})
        assert any("swordfish" in words for words in found(owner, words="swordfish"))
        with Store(path, "agent") as agent:
            for said in (
                {"words": "swordfish"},
                {"query": {"id": secret}},
                {"query": {"text": "swordfish"}},
                {"query": {"privacy": "critical"}},
                {"query": {"not": {"text": "nothing"}, "limit": 1_000}, "max_results": 1_000},
            ):
                answer = agent.obey("wm.search", said)
                assert "swordfish" not in str(answer["memories"])
                assert secret not in str(answer["memories"])
            assert "Never push to main." in found(agent, words="push")
            seen = agent.obey("stats_memos", {})
            assert seen["entries"] < owner.obey("stats_memos", {})["entries"]
            assert "critical" not in seen["by_privacy"]


def test_withheld_words_have_no_part_in_the_ranking(tmp_path: Path) -> None:
    """A prompt isn't labelled, but says what is; so its words may not count either."""
    seen = []
    for number, thing in enumerate(("invoice", "payment")):
        (tmp_path / str(number)).mkdir()
        with new_session(tmp_path / str(number)) as session, Store(session.recorded.path) as owner:
            say(session, f"The {thing} code is swordfish.")
            say(session, "Make the invoice tests green.")
            say(session, "Never push to main.")
            with Store(session.recorded.path, "agent") as agent:
                _withhold(owner, "swordfish")
                seen.append([agent.obey("wm.search", {"words": "invoice"})])
                say(session, f"Again: The {thing} code is swordfish.")
                seen[-1].append(agent.obey("wm.search", {"words": "invoice"}))
    first, second = ([[(each["words"], each["score"]) for each in one["memories"]] for one in every] for every in seen)
    assert first == second
    assert len(first[0]) == len(first[1]) == 2


def test_labels_of_the_users_own_record_withhold(
    session: Session, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path / "config"))
    secret = memo_id(normalised_words("The launch code is swordfish."))
    with Store(session.recorded.path, "agent") as agent:
        assert found(agent, words="swordfish")
        before = agent.obey("stats_memos", {})["entries"]
    record_for_user([{"kind": "labelled", "nodes": [secret], "privacy": "critical", "actor": "user"}])
    with Store(session.recorded.path, "agent") as agent:
        assert found(agent, words="swordfish") == []
        assert agent.obey("stats_memos", {})["entries"] < before


def test_a_withheld_statement_is_named_by_no_other(session: Session) -> None:
    with Store(session.recorded.path) as owner, Store(session.recorded.path, "agent") as agent:
        (old,) = owner.obey("remember", {"text": "Deploy on Fridays."})["nodes"]
        owner.obey("supersede", {"node": old, "new": "Deploy only with the launch key."})
        new = _withhold(owner, "launch key")
        assert new in str(owner.obey("wm.search", {"query": {"id": old}}))
        assert found(agent, query={"id": old}) == ["Deploy on Fridays."]
        assert new not in str(agent.obey("wm.search", {"max_results": 1_000}))


def _withhold(owner: Store, text: str) -> str:
    """Label what says a text as critical; returns its id."""
    memories = owner.obey("wm.search", {"query": {"text": text}})["memories"]
    (node,) = [each["id"] for each in memories if each["class"] not in ("prompt", "superseded")]
    owner.obey("label", {"nodes": [node], "privacy": "critical"})
    return str(node)


def test_what_is_forgotten_is_found_no_more(store: Store, session: Session) -> None:
    assert any("swordfish" in each for each in found(store, words="swordfish"))
    forget.forget(session.recorded.path, match="swordfish")
    assert found(store, words="swordfish") == []
    with closing(MemorySqlite(memory_path(session.recorded.path))) as index:
        assert not any("swordfish" in entry.words for entry in index.entries())


def test_the_toolset_is_off_unless_asked_for(session: Session) -> None:
    door = Door(session.recorded.path, "")
    names = {"wm_search", "observability_ingest", "stats_memos", "summarize"}
    assert "memos" not in DEFAULT
    assert not names & {tool.name for tool in offering(door).tools}
    assert names == {tool.name for tool in offering(door, ("memos",)).tools}


def test_an_agent_asks_by_the_tool(session: Session) -> None:
    door = Door(session.recorded.path, "")
    try:
        tool = offering(door, ("memos",)).tools[0]
        answer = tool.run({"words": "invoice", "mode": "keyword", "max_results": 2}, _Nobody())
        assert [each["class"] for each in answer["memories"]] == ["tool", "prompt"]
        with pytest.raises(Wrong, match="query"):
            tool.run({"query": {"tagg": "x"}, "mode": "keyword", "max_results": 2}, _Nobody())
    finally:
        door.close()


class _Nobody:
    def progress(self, done: int, total: int | None = None, words: str = "") -> None:
        pass
