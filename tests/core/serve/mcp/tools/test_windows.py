"""`recall` and its kin: the same windows as everywhere, of files as they lie there, and nothing changed by reading."""

from __future__ import annotations

import json
import os
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from ccos_core.errors import NotFound
from ccos_core.query.catalogue import BY_NAME
from ccos_core.serve.mcp.offer import Wrong
from ccos_core.serve.mcp.tools.asking import wrong
from ccos_core.serve.printing import as_json_object
from ccos_core.session.lifecycle import pause
from ccos_core.values.canon import digest
from ccos_core.values.ids import path_of
from ccos_core.values.tokens import estimate
from tests.core.serve.mcp.tools.serving import BILLING, FAILED, STORE, Answer, Host, project

ASKED: list[tuple[dict[str, Any], str]] = [
    ({}, "working-set"),
    ({"strategy": "working_set"}, "working-set"),
    ({"anchor": "billing.py"}, "around:file:src/billing.py"),
    ({"strategy": "around", "anchor": "invoice"}, "around:sym:src/billing.py#invoice"),
    ({"strategy": "task", "text": "what shipping costs"}, "task:what shipping costs"),
    ({"strategy": "semantic", "text": "what shipping costs"}, "task:what shipping costs"),
    ({"text": "KeyError in load"}, "hybrid:KeyError in load"),
    ({"lens": "around:Store"}, "around:Store"),
    ({"lens": "resume"}, "resume"),
]


@pytest.mark.parametrize(("said", "lens"), ASKED)
def test_it_is_the_window_of_the_question(host: Host, said: dict[str, Any], lens: str) -> None:
    """The answer of `--json`, less what it would say twice."""
    host.call("page_fault", output=FAILED, command="pytest")
    kept = ("uri", "level", "tokens", "reason", "ref", "short")
    for budget in (64, 200, 2_048):
        answer = host.call("recall", **said, budget=budget, reasons=True)
        brief = host.call("recall", **said, budget=budget)
        asked = host.door.live().ask(BY_NAME["recall"], {"lens": lens, "budget": str(budget)})
        whole: Any = as_json_object(asked.answer)
        assert answer["text"] == whole["text"]
        assert estimate(answer["text"]) <= budget or not answer["text"]
        for rows in ("items", "missed"):
            said_once = [
                {name: each for name, each in row.items() if name in kept and each != ""} for row in whole[rows]
            ]
            assert answer[rows] == said_once
            assert brief[rows] == [
                {name: each for name, each in row.items() if name not in ("reason", "tokens")} for row in said_once
            ]
        assert all(path_of(row["uri"]) == row["path"] for row in whole["items"])
        for name in ("schema", "lens", "budget", "tokens", "step", "head"):
            assert answer[name] == whole[name]
        assert answer["asked"]["budget"] == budget


@pytest.mark.parametrize("end", ["src/billing.py", "src/billing.py#invoice"])
def test_a_file_of_the_project_may_be_named_as_hosts_name_it(host: Host, end: str) -> None:
    plain = host.call("recall", anchor=end)
    absolute = host.call("recall", anchor=f"{host.door.root}/{end}")
    assert plain["items"]
    assert {**absolute, "asked": 0} == {**plain, "asked": 0}
    with pytest.raises(Wrong, match="nothing with this name"):
        host.call("recall", anchor=f"{host.door.root}-not/{end}")


@pytest.mark.parametrize(
    ("said", "argument", "nearest"),
    [
        ({"anchor": "src/biling.py"}, "anchor", "src/billing.py"),
        ({"strategy": "around"}, "anchor", ""),
        ({"strategy": "task"}, "text", ""),
        ({"strategy": "hybrid", "text": " \n"}, "text", ""),
        ({"strategy": "working_set", "text": "x"}, "text", "hybrid as strategy"),
        ({"strategy": "task", "text": "x", "anchor": "Store"}, "anchor", "around as strategy"),
        ({"anchor": "Store", "text": "x"}, "strategy", "around, task or hybrid"),
        ({"lens": "working-set", "anchor": "Store"}, "lens", ""),
        ({"lens": "working-sett"}, "lens", "working-set"),
        ({"lens": "around:Stor"}, "anchor", "Store"),
    ],
)
def test_what_cannot_be_meant_is_told(host: Host, said: dict[str, Any], argument: str, nearest: str) -> None:
    with pytest.raises(Wrong) as wrong:
        host.call("recall", **said)
    assert wrong.value.argument == argument
    assert wrong.value.nearest == nearest


def test_reading_changes_nothing(host: Host) -> None:
    host.call("page_fault", output=FAILED)
    before = host.head()
    for said, _ in ASKED:
        host.call("recall", **said)
    host.call("recall", strategy="causal-flash")
    host.call("recall_what_if", step=2)
    assert host.head() == before


def test_a_file_that_changed_is_shown_as_it_is(host: Host) -> None:
    assert "490" in host.call("recall", anchor="shipping")["text"]
    host.write("src/billing.py", BILLING.replace("490", "590"))
    answer = host.call("recall", anchor="shipping")
    assert "590" in answer["text"]
    assert "490" not in answer["text"]
    (step,) = host.call("timeline", first=answer["step"])["steps"]
    assert (step["kind"], step["says"]) == ("edit", "src/billing.py")
    moment = host.door.live().desk.timeline.at(answer["step"])
    assert any(moment.heat_of("sym:src/billing.py#shipping"))
    assert not any(moment.heat_of("sym:src/billing.py#total"))


def test_a_file_that_was_read_and_changed_without_a_hook_counts_as_edited(host: Host) -> None:
    """It is in no window, and nobody told of the edit: Codex has no event for a patch in a command."""
    host.call("recall", anchor="src/billing.py")
    host.write("src/late.py", "def late():\n    return 1\n")
    host.call("ingest", uri="src/late.py", source="def late():\n    return 1\n", how="read")
    host.call("recall", anchor="src/billing.py")
    host.write("src/late.py", "def late():\n    return 2\n")
    answer = host.call("recall", anchor="src/billing.py")
    told = host.call("timeline", first=1)["steps"]
    assert [each["kind"] for each in told if "late.py" in each["says"]][-1] == "edit"
    assert any(host.door.live().desk.timeline.at(answer["step"]).heat_of("sym:src/late.py#late"))


def test_what_is_gone_is_not_shown(host: Host) -> None:
    assert "class Store" in host.call("recall", anchor="src/billing.py")["text"]
    os.remove(host.project / "src/store.py")
    assert "class Store" not in host.call("recall", anchor="src/billing.py")["text"]
    assert host.call("timeline")["steps"][-1]["kind"] == "gone"


def test_what_went_while_no_server_was_there_is_not_shown(host: Host) -> None:
    """Before the look through the project has come to it."""
    host.call("ingest", uri="src/only_said.py", source="class OnlySaid:\n    pass\n")
    host.door.close()
    os.remove(host.project / "src/store.py")
    assert "class Store" not in host.call("recall", anchor="src/billing.py")["text"]
    assert "class OnlySaid" in host.call("recall", anchor="OnlySaid")["text"]


def test_a_look_is_not_repeated(host: Host, monkeypatch: pytest.MonkeyPatch) -> None:
    """A file is read again only where its size or its time is another."""
    host.call("recall", anchor="src/billing.py")
    monkeypatch.setattr("ccos_core.session.live.read", lambda *_: pytest.fail("read again"))
    host.call("recall", anchor="src/billing.py", budget=500)


def test_what_is_not_to_be_looked_at_stays_out(host: Host) -> None:
    """An agent may have read what `.gitignore` names; that is no reason to look into it."""
    host.write(".gitignore", "made/\n")
    host.write("made/code.py", "def made():\n    return 2\n")
    host.call("ingest", uri="made/code.py", source="def made():\n    return 1\n")
    answer = host.call("recall", anchor="made")
    assert "return 1" in answer["text"]
    assert answer["step"] == host.head()[0]


def test_a_project_that_is_not_here_is_not_looked_for(tmp_path: Path) -> None:
    host = Host(project(tmp_path / "project"), tmp_path / "work.ccos")
    host.call("ingest", uri="src/store.py", source=STORE)
    host.door.close()
    host.project.rename(tmp_path / "elsewhere")
    assert "class Store" in host.call("recall", anchor="Store")["text"]
    host.door.close()


def test_a_recorded_recall_is_what_was_delivered(tmp_path: Path) -> None:
    host = Host(project(tmp_path / "project"), tmp_path / "work.ccos", record_recalls=True)
    host.call("ingest", uri="src/store.py", source=STORE)
    host.write("src/store.py", STORE.replace("rows", "held"))
    answer = host.call("recall", budget=300, reasons=True)
    assert "held" in answer["text"]
    host.door.live().keep_up()
    op = host.door.live().desk.timeline.op(answer["recorded"])
    assert op["window"] == digest(answer["text"].encode()).hex()
    assert op["items"] == [[item["uri"], item["level"], item["tokens"]] for item in answer["items"]]
    assert (op["lens"], op["budget"], op["computed_at"]) == ("working-set", 300, answer["step"])
    assert not host.tool("recall").reads_only
    assert "notes" not in answer  # that it was recorded changes nothing that an answer would have to know
    host.door.close()


def test_a_window_that_may_not_be_recorded_is_handed_out(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    host = Host(project(tmp_path / "project"), tmp_path / "work.ccos", record_recalls=True)
    host.call("ingest", uri="src/store.py", source=STORE)
    monkeypatch.setenv("CCOS_OFF", "1")
    head = host.head()
    answer = host.call("recall", budget=300)
    assert "class Store" in answer["text"]
    assert "CCOS_OFF" in answer["notes"][-1]
    monkeypatch.delenv("CCOS_OFF")
    pause(host.door.path, True)
    assert "paused" in host.call("recall", budget=300)["notes"][-1]
    assert host.head() == head
    host.door.close()


@settings(max_examples=15, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(st.lists(st.sampled_from(["src/store.py", "src/billing.py", "fail", "pass"]), min_size=1, max_size=5))
def test_the_past_is_as_it_was(tmp_path_factory: pytest.TempPathFactory, story: list[str]) -> None:
    """Law: what was recalled at a step is recalled of that step ever after, whatever came in between."""
    folder = tmp_path_factory.mktemp("law")
    host = Host(project(folder / "project"), folder / "work.ccos")
    then: dict[int, Answer] = {}
    try:
        for each in story:
            if each == "fail":
                host.call("page_fault", output=FAILED)
            elif each == "pass":
                host.call("signal_pass", everything=True)
            else:
                host.call("ingest", uri=each, source=(host.project / each).read_text())
            answer = host.call("recall", budget=150)
            then[answer["step"]] = answer
        for step, answer in then.items():
            assert host.call("recall_what_if", step=step, budget=150)["text"] == answer["text"]
    finally:
        host.door.close()


def test_the_cone_is_what_is_around_the_work(host: Host) -> None:
    host.call("page_fault", output=FAILED)
    told = host.call("causal_flash")
    roles = {row["node"]: row["role"] for row in told["nodes"]}
    assert roles["sym:src/store.py#Store.load"] == "seed"
    assert roles["sym:src/billing.py#total"] == "dependency"
    text = host.call("recall", strategy="causal-flash", budget=400)["text"]
    assert "def load" in text
    assert estimate(text) <= 400


def test_a_long_question_is_not_said_again(host: Host) -> None:
    answer = host.call("recall", text="why is shipping so dear? " * 400)
    assert "def shipping" in answer["text"]
    assert len(answer["lens"]) <= 200
    assert "text" not in answer["asked"]


@pytest.mark.parametrize(
    ("hint", "nearest"),
    [
        ("Near: src/store.py  src/billing.py", "src/store.py"),
        ("Did you mean src/store.py?", "src/store.py"),
        ("at: here\n  One of: kind  text", "kind"),
        ("As in: kind=tool error. Words: error  ok", ""),
        ("Where it was: watch file:src/store.py", ""),
        ("", ""),
    ],
)
def test_only_a_value_is_what_was_meant(hint: str, nearest: str) -> None:
    assert wrong("node", NotFound("isn't there", place="x", hint=hint)).nearest == nearest


def test_secrets_are_not_said_again(host: Host) -> None:
    secret = "ghp_" + "aB3dE5fG7h" * 3 + "I9jK1l"
    answers = [
        host.call("recall", text=f"why does {secret} fail?"),
        host.call("recall", lens=f"task:{secret}"),
        host.call("signal_failure", node="src/store.py", test=secret),
        host.call("page_fault", output=f"FAILED tests/test_billing.py::test_total - {secret}"),
    ]
    assert all(secret not in json.dumps(answer) for answer in answers)
    assert "REDACTED_GITHUB_TOKEN" in answers[0]["asked"]["text"]


def test_nothing_warm_says_what_to_do(host: Host) -> None:
    answer = host.call("recall", strategy="working_set")
    assert not answer["items"]
    assert "page_fault" in answer["notes"][0]


def test_what_was_not_looked_through_is_said(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A host that starts its servers in a home folder doesn't have all of it read."""
    monkeypatch.setenv("HOME", str(tmp_path / "home"))
    host = Host(project(tmp_path / "home"), tmp_path / "work.ccos")
    host.door.begin()
    assert host.door.scan is None
    assert "--root" in host.call("recall")["notes"][-1]
    host.door.close()
    host.door.begin(asked=True)
    assert host.door.scan is None or host.door.scan.ended(60)
    assert "class Store" in host.call("recall", anchor="Store")["text"]
    host.door.close()
