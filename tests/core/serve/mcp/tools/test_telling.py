"""What an agent tells: sources, failures, passes. Recorded at once, through the gate, and felt by the next window."""

from __future__ import annotations

import json
import shutil
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import pytest

from ccos_core.errors import NotUnderstood, Refused
from ccos_core.serve.mcp.offer import Stopped, Wrong
from ccos_core.serve.mcp.schema import filled
from ccos_core.serve.mcp.tools.schemas import MOST_NAMES
from ccos_core.session.lifecycle import init, pause
from ccos_core.session.live import Live
from ccos_core.storage.opening import open_record
from tests.core.serve.calling import Caller
from tests.core.serve.mcp.tools.serving import BILLING, FAILED, PASSED, STORE, Host, Unheard, project

LOAD = "sym:src/store.py#Store.load"


@pytest.mark.parametrize(
    ("how", "recorded", "warm"),
    [("read", "read", True), ("edit", "edit", True), ("write", "write", True), ("look", "ingest", False)],
)
def test_a_source_is_recorded_as_it_came_by(host: Host, how: str, recorded: str, warm: bool) -> None:
    answer = host.call("ingest", uri="src/new.py", source="def new():\n    return 1\n", how=how)
    assert answer["changed"]
    assert answer["node"] == "file:src/new.py"
    host.door.live().keep_up()
    timeline = host.door.live().desk.timeline
    op = timeline.op(answer["step"])
    assert (op["kind"], op["how"], op["actor"]) == ("seen", recorded, "agent")
    assert any(timeline.at(timeline.head).heat_of(answer["node"])) == warm


def test_without_a_word_it_is_a_read(host: Host) -> None:
    step = host.call("ingest", uri="src/store.py", source=STORE)["step"]
    host.door.live().keep_up()
    assert host.door.live().desk.timeline.op(step)["how"] == "read"


def test_looking_at_what_is_known_adds_nothing(host: Host) -> None:
    before = host.head()
    answer = host.call("ingest", uri="src/store.py", source=STORE, how="look")
    assert not answer["changed"]
    assert host.head() == before


@pytest.mark.parametrize("uri", ["src/store.py", "./src/store.py", "file:src/store.py", "ABSOLUTE", "URL"])
def test_a_path_may_be_spelled_in_several_ways(host: Host, uri: str) -> None:
    full = host.project / "src" / "store.py"
    said = {"ABSOLUTE": str(full), "URL": full.as_uri()}.get(uri, uri)
    assert host.call("ingest", uri=said, source=STORE)["node"] == "file:src/store.py"


@pytest.mark.parametrize(
    ("tool", "given", "kind"),
    [("page_fault", {"output": FAILED}, "tool"), ("signal_failure", {"node": "Store.load"}, "failed")],
)
def test_the_step_is_that_of_what_was_told(
    host: Host, monkeypatch: pytest.MonkeyPatch, tool: str, given: dict[str, Any], kind: str
) -> None:
    """Whoever else records meanwhile, as a hook does."""
    tell = Live.tell

    def and_another(live: Live, said: Sequence[Mapping[str, Any]]) -> list[int]:
        steps = tell(live, said)
        tell(live, [{"kind": "prompt", "said": "and now?", "source": "user"}])
        return steps

    monkeypatch.setattr(Live, "tell", and_another)
    step = host.call(tool, **given)["step"]
    assert host.door.live().desk.timeline.op(step)["kind"] == kind


@pytest.mark.parametrize("uri", ["", ".", "./", "src/", "file:", "file:///", "file:///a/src/", "file://[x"])
def test_what_is_no_path_is_told(host: Host, uri: str) -> None:
    with pytest.raises(Wrong) as wrong:
        host.call("ingest", uri=uri, source="x")
    assert wrong.value.argument == "uri"


def test_it_goes_through_the_gate(host: Host) -> None:
    key = "AKIA" + "IOSFODNN7EXAMPLQ"
    answer = host.call("ingest", uri="src/keys.py", source=f'KEY = "{key}"\nODD = "a\u202eb"\n')
    assert {each["line"] for each in answer["findings"]} == {1, 2}
    assert host.call("ingest", uri=".env", source=f"KEY={key}\n")["withheld"] == "secret-path"
    host.door.live().session.recorded.connection.execute("PRAGMA wal_checkpoint(TRUNCATE)")
    assert key.encode() not in Path(host.door.path).read_bytes()


def test_a_failing_run_becomes_a_window(host: Host, run: Caller, tmp_path: Path) -> None:
    """What became of the failures is what the command says."""
    answer = host.call("page_fault", output=FAILED, command="pytest")
    (failure,) = answer["failures"]
    assert failure["anchors"][0] == LOAD
    assert answer["live"] == 1
    assert "def load" in answer["window"]["text"]
    assert answer["window"]["lens"] == f"around:{LOAD}"
    twin = Host(host.project, tmp_path / "twin.ccos")
    for path, source in (("src/billing.py", BILLING), ("src/store.py", STORE)):
        twin.call("ingest", uri=path, source=source, how="look")
    twin.call("ingest", uri="tests/test_billing.py", source=(host.project / "tests/test_billing.py").read_text())
    twin.door.close()
    done = run("page-fault", twin.door.path, "--command", "pytest", "--json", given=FAILED).json()
    assert done["failures"] == [{name: each[name] for name in done["failures"][0]} for each in answer["failures"]]
    assert [each["reached"] for each in answer["failures"]] == [len(each["reaches"]) for each in done["failures"]]
    assert (done["ended"], done["live"]) == (answer["ended"], answer["live"])


def test_much_that_fails_is_told_in_short(host: Host) -> None:
    many = "".join(f"FAILED tests/test_billing.py::test_{number} - KeyError: 'a'\n" for number in range(90))
    answer = host.call("page_fault", output=f"{many}============ 90 failed in 0.03s ============\n", command="pytest")
    assert answer["live"] == 90
    assert len(answer["failures"]) + answer["more_failures"] == 90
    assert len(json.dumps(answer)) < 12_000


def test_a_passing_run_lets_go(host: Host) -> None:
    host.call("page_fault", output=FAILED, command="pytest")
    answer = host.call("page_fault", output=PASSED, command="pytest")
    assert [each["test"] for each in answer["ended"]] == ["tests/test_billing.py::test_invoice"]
    assert answer["live"] == 0


def test_an_output_that_says_nothing_is_not_recorded(host: Host) -> None:
    before = host.head()
    with pytest.raises(NotUnderstood):
        host.call("page_fault", output="Hello.\n")
    assert host.head() == before


def test_a_failure_and_its_pass(host: Host) -> None:
    answer = host.call("signal_failure", node="Store.load", test="by hand")
    assert answer["failures"][0]["anchors"] == [LOAD]
    assert "def load" in host.call("recall")["text"]
    assert host.call("signal_failure", node="total")["live"] == 2
    ended = host.call("signal_pass", nodes=["Store.load"])
    assert [each["test"] for each in ended["ended"]] == ["by hand"]
    host.call("signal_failure", node="Store.load", test="by hand")
    assert host.call("signal_pass", tests=["by hand"])["live"] == 1
    assert host.call("signal_pass", everything=True)["live"] == 0


def test_a_pass_that_ends_nothing_says_what_fails(host: Host) -> None:
    host.call("signal_failure", node="src/store.py", test="test_load")
    answer = host.call("signal_pass", tests=["test_lod"])
    assert answer["ended"] == []
    assert any("No failure was ended. Failing: user: test_load" in each for each in answer["notes"])
    assert "notes" not in host.call("signal_pass", tests=["test_load"])


@pytest.mark.parametrize("said", [{}, {"nodes": [], "everything": False}, {"nodes": ["total"], "everything": True}])
def test_what_passes_has_to_be_said(host: Host, said: dict[str, Any]) -> None:
    with pytest.raises(Wrong):
        host.call("signal_pass", **said)


def test_a_node_nobody_knows(host: Host) -> None:
    before = host.head()
    with pytest.raises(Wrong) as wrong:
        host.call("signal_failure", node="Store.lod")
    assert (wrong.value.argument, wrong.value.nearest) == ("node", "Store.load")
    assert host.head() == before


def test_a_paused_workspace_takes_nothing(host: Host) -> None:
    pause(host.door.path, True)
    before = host.head()
    with pytest.raises(Refused, match="paused"):
        host.call("ingest", uri="a.py", source="a = 1\n")
    host.write("src/billing.py", BILLING.replace("490", "590"))
    assert "490" in host.call("recall", anchor="shipping")["text"]
    assert host.head() == before


def test_nothing_is_recorded_where_that_is_switched_off(host: Host, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("CCOS_OFF", "1")
    before = host.head()
    with pytest.raises(Refused, match="CCOS_OFF"):
        host.call("signal_failure", node="total")
    host.write("src/billing.py", BILLING.replace("490", "590"))
    host.call("recall", anchor="shipping")
    assert host.head() == before


def test_a_long_answer_can_be_taken_back(host: Host) -> None:
    """What was recorded until then stays, and the next call is answered as if nothing had been."""
    for number in range(120):
        host.call("ingest", uri=f"src/f{number}.py", source=f"def f{number}():\n    return {number}\n")
    with pytest.raises(Stopped):
        host.call("recall", Unheard(stops_after=0))
    assert host.call("recall", anchor="f7")["step"] == host.head()[0]


def test_others_are_heard_at_the_next_call(host: Host, tmp_path: Path) -> None:
    """Two servers of one workspace: nothing is lost, the chain holds, and each knows what the other was told."""
    other = Host(host.project, Path(host.door.path))
    for number in range(10):
        one, two = (host, other) if number % 2 else (other, host)
        one.call("ingest", uri=f"src/f{number}.py", source=f"def f{number}():\n    return {number}\n")
        assert f"return {number}" in two.call("recall", anchor=f"f{number}")["text"]
    assert host.call("verify")["valid"]
    assert json.dumps(host.call("timeline")["steps"]) == json.dumps(other.call("timeline")["steps"])
    other.door.close()


def test_a_workspace_that_is_not_there_is_made(tmp_path: Path) -> None:
    host = Host(project(tmp_path / "project"), tmp_path / "deep" / "down" / "work.ccos")
    assert host.call("stats")["steps"] == 1
    assert Path(host.door.path).stat().st_mode & 0o777 == 0o600
    host.door.close()


@pytest.mark.parametrize(
    ("tool", "argument", "said"),
    [("signal_pass", "tests", {}), ("signal_pass", "nodes", {}), ("assert_claim", "by", {"claim": "it holds"})],
)
def test_a_list_of_any_length_is_told_or_taken(host: Host, tool: str, argument: str, said: dict[str, Any]) -> None:
    host.call(tool, **said, **{argument: ["src/store.py"] * MOST_NAMES})
    with pytest.raises(Wrong) as wrong:
        filled(host.tool(tool).takes, {**said, argument: ["src/store.py"] * (MOST_NAMES + 1)})
    assert wrong.value.argument == argument


@pytest.mark.parametrize("how", ["removed", "moved", "replaced", "folder"])
def test_what_is_told_goes_where_everybody_looks(tmp_path: Path, how: str) -> None:
    """A workspace that somebody takes away while it is served is made anew, as a hook would make it."""
    (tmp_path / "kept").mkdir()
    path = tmp_path / "kept" / "work.ccos"
    host = Host(project(tmp_path / "project"), path)
    host.call("ingest", uri="src/store.py", source=STORE)
    if how == "folder":
        shutil.rmtree(path.parent)
    else:
        path.rename(tmp_path / "away.ccos")
    if how == "replaced":
        init(str(path), str(host.project))
    step = host.call("ingest", uri="src/found.py", source="found = 1")["step"]
    assert "found" in host.call("recall", anchor="src/found.py")["text"]
    host.door.close()
    with open_record(str(path)) as record:
        assert b"src/found.py" in next(body for number, _, body in record.rows(step) if number == step)
