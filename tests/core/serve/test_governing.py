"""Who may see what, as the owner recorded it: at once, for all steps, and never more than the owner gave."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from ccos_core.ops.plain import unseal
from ccos_core.query.saying.utterance import memo_id
from ccos_core.serve import exits
from ccos_core.serve.mcp.offering import ALL, offering
from ccos_core.serve.mcp.schema import filled
from ccos_core.serve.mcp.tools.door import Door
from ccos_core.session import lifecycle
from ccos_core.session.session import open_session
from ccos_core.storage.opening import open_record
from tests.core.serve.calling import Caller

SECRET, SEEN = "The launch code is quartz seven.", "Use tabs in Makefiles."
MEMO = memo_id(["the", "launch", "code", "is", "quartz", "seven"])
LOW = '{"principals": {"agent": {"level": "low"}}}'


@pytest.fixture(autouse=True)
def _own_config(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path / "config"))


@pytest.fixture
def path(tmp_path: Path, run: Caller) -> Path:
    found = tmp_path / "work.ccos"
    lifecycle.init(str(found))
    for text in (SECRET, SEEN):
        run("remember", found, text)
    return found


def seen(run: Caller, path: Path, *more: str) -> list[str]:
    answer = run("context", path, "--json", *more).json()
    return sorted(each["text"] for each in answer["statements"])


def test_a_label_holds_at_once_and_for_all_steps(run: Caller, path: Path) -> None:
    assert seen(run, path, "--as", "agent") == seen(run, path) == sorted([SECRET, SEEN])
    run("label", path, MEMO, "--privacy", "high")
    assert (seen(run, path, "--as", "agent"), seen(run, path)) == ([SEEN], sorted([SECRET, SEEN]))
    assert "quartz" not in run("context", f"{path}@3", "--as", "agent").out, "a step before the label"
    run("label", path, MEMO, "--privacy", "low")
    assert seen(run, path, "--as", "agent") == sorted([SECRET, SEEN])


def test_regions_are_labels_and_a_policy_may_deny_them(run: Caller, path: Path) -> None:
    run("label", path, MEMO, "--region", "XX")
    assert seen(run, path, "--as", "agent") == sorted([SECRET, SEEN])
    run("govern", path, "set", '{"principals": {"agent": {"denied_regions": ["XX"]}}}')
    assert seen(run, path, "--as", "agent") == [SEEN]
    run("govern", path, "set", '{"principals": {"agent": {"regions": ["XX"]}}}')
    assert seen(run, path, "--as", "agent") == [SECRET], "what has no region fails an allow-list"


def test_a_cap_below_medium_withholds_what_has_no_label(run: Caller, path: Path) -> None:
    run("label", path, MEMO, "--privacy", "public")
    run("govern", path, "set", LOW)
    assert seen(run, path, "--as", "agent") == [SECRET]


def test_only_the_owner_governs(run: Caller, path: Path) -> None:
    for words in (("govern", path, "set", LOW), ("expire", path)):
        done = run(*words, "--as", "agent")
        assert (done.code, "only the owner" in done.err) == (exits.NO, True), done
    with open_session(str(path)) as session:  # whoever writes such an op
        policy = {"principals": {"agent": {"level": "critical"}}}
        session.record([{"kind": "governed", "name": "policy", "policy": policy, "actor": "agent"}])
    run("label", path, MEMO, "--privacy", "high")
    assert seen(run, path, "--as", "agent") == [SEEN]


def test_the_policy_is_recorded_once_in_canonical_bytes(run: Caller, path: Path) -> None:
    first = run("govern", path, "set", LOW, "--json").json()
    again = run(
        "govern", path, "set", '{"principals":{"agent":{"tags":[],"level":"low"}},"budgets":{}}', "--json"
    ).json()
    assert (first["changed"], again["changed"]) == (True, False)
    assert first["hash"] == again["hash"] == run("govern", path, "--json").json()["hash"]


def test_a_principal_without_a_grant_is_refused(run: Caller, path: Path) -> None:
    for principal in ("http", "bob"):
        done = run("context", path, "--as", principal)
        assert (done.code, done.out) == (exits.NO, ""), done


def test_what_the_policy_cannot_read_is_told(run: Caller, path: Path) -> None:
    done = run("govern", path, "set", '{"principals": {"agent": {"level": "secret"}}}')
    assert done.code == exits.USAGE
    assert "isn't a privacy level" in done.err


def test_a_recall_records_who_asked_by_which_policy(run: Caller, path: Path) -> None:
    policy = run("govern", path, "set", LOW, "--json").json()["hash"]
    door = Door(str(path), str(path.parent), record_recalls=True)
    try:
        (recall,) = [each for each in offering(door, (ALL,)).tools if each.name == "recall"]
        recall.run(filled(recall.takes, {}), _Nobody())
    finally:
        door.close()
    with open_record(str(path)) as record:
        ops = [unseal(body) for _, _, body in record.rows(1)]
    (told,) = [op for op in ops if op["kind"] == "recall"]
    assert (told["principal"], told["policy"]) == ("agent", policy)


def test_statements_expire_by_their_own_lifetime_or_that_of_their_class(run: Caller, path: Path) -> None:
    run("remember", path, "Gone soon, one way.", "--lifetime", "1d")
    run("remember", path, "Gone soon, another way.", "--class", "diary")
    run("remember", path, "Pinned, so it stays.", "--class", "diary")
    (pinned,) = [
        each["memo"] for each in run("context", path, "--json").json()["statements"] if "Pinned" in each["text"]
    ]
    run("label", path, pinned, "--pin", "yes")
    run("govern", path, "set", '{"lifetimes": {"diary": "2d"}}')
    assert run("expire", path).code == exits.NO, "nothing expires by itself"
    later = run("expire", path, "--now", "2100-01-01", "--json").json()
    assert sorted(later["texts"]) == ["Gone soon, another way.", "Gone soon, one way."]
    assert run("expire", path, "--now", "2100-01-01").code == exits.NO, "once"
    assert not any("Gone" in each for each in seen(run, path))
    with open_record(str(path)) as record:
        (expired,) = [op for op in (unseal(body) for _, _, body in record.rows(1)) if op["kind"] == "expired"]
    assert (expired["nodes"], expired["now"]) == (later["nodes"], later["now"])
    run("remember", path, "Gone soon, one way.")
    assert "Gone soon, one way." in seen(run, path), "remembering it again makes it live"


def test_two_agents_see_nothing_of_each_other_without_a_grant(tmp_path: Path, run: Caller) -> None:
    path = tmp_path / "two.ccos"
    lifecycle.init(str(path))
    with open_session(str(path)) as session:
        for host, words in (("codex", "Codex found the leak."), ("claude-code", "Claude found the lock.")):
            memo = memo_id(words.lower().strip(".").split())
            session.record([{"kind": "remembered", "memo": memo, "words": words, "class": "pattern", "scope": "project",
                             "actor": "agent", "host": host, "session": "s"}])  # fmt: skip

    def of(principal: str) -> list[str]:
        return [each[0] for each in seen(run, path, "--as", principal)]

    assert [seen(run, path, "--as", f"agent:{host}") for host in ("codex", "claude-code")] == [
        ["Codex found the leak."], ["Claude found the lock."]]  # fmt: skip
    assert of("agent") == ["C", "C"]
    run("govern", path, "set", json.dumps({"principals": {"agent:codex": {"agents": ["claude-code"]}}}))
    assert of("agent:codex") == ["C", "C"]


class _Nobody:
    def progress(self, done: int, total: int | None = None, words: str = "") -> None:
        pass
