"""Resources and prompts: the same as the tools say, as text; what may be typed is completed; changes are told once."""

from __future__ import annotations

from pathlib import Path

import pytest

from ccos_core.serve.mcp.following import Following
from ccos_core.serve.mcp.offer import Resource, Stopped, Wrong
from tests.core.serve.calling import Caller
from tests.core.serve.mcp.tools.serving import BILLING, FAILED, STORE, Host, Unheard, project

CONTEXT, OF = "ccos://session/context", "ccos://session/context{?lens,budget}"


def resource(host: Host, uri: str) -> Resource:
    (found,) = (each for each in host.offer.resources if each.uri == uri)
    return found


def test_the_context_is_the_window(host: Host) -> None:
    assert host.read(CONTEXT) == host.call("recall")["text"]  # a map, for nothing is warm
    assert "page_fault" in host.read(OF, lens="working-set")  # what to do then
    host.call("page_fault", output=FAILED)
    before = host.head()
    assert host.read(CONTEXT) == host.call("recall")["text"]
    for lens, budget in (("around:Store", "100"), ("task:shipping", "300"), ("causal-flash", "200")):
        assert host.read(OF, lens=lens, budget=budget) == host.call("recall", lens=lens, budget=int(budget))["text"]
    assert host.head() == before


@pytest.mark.parametrize(
    ("said", "argument"),
    [*(({"budget": said}, "budget") for said in ("many", "1", "-5", "1000001", "9" * 5_000)), ({"lens": "x"}, "lens")],
)
def test_a_context_nobody_can_mean(host: Host, said: dict[str, str], argument: str) -> None:
    with pytest.raises(Wrong) as wrong:
        host.read(OF, **said)
    assert wrong.value.argument == argument


def test_a_recorded_context(tmp_path: Path, host: Host) -> None:
    recording = Host(host.project, Path(host.door.path), record_recalls=True)
    before = host.head()[0]
    recording.call("ingest", uri="src/store.py", source=STORE)
    recording.read(CONTEXT)
    assert host.head()[0] == before + 2
    recording.door.close()


def test_timeline_step_and_node_are_what_the_command_prints(host: Host, run: Caller) -> None:
    host.call("page_fault", output=FAILED)
    host.door.live().keep_up()
    path = host.door.path
    assert host.read("ccos://session/timeline") == run("timeline", path).out.rstrip("\n")
    told = host.read("ccos://session/step/{n}", n="5")
    assert told.startswith(run("state", path, "@5").out.rstrip("\n"))
    assert told.endswith(run("show", path, "@5").out.rstrip("\n"))
    assert host.read("ccos://node/{id}", id="Store.load") == run("show", path, "Store.load").out.rstrip("\n")
    assert "\x1b" not in told


@pytest.mark.parametrize(("uri", "said"), [("ccos://session/step/{n}", {"n": "99"}), ("ccos://node/{id}", {"id": "x"}),
                                           ("ccos://session/step/{n}", {"n": "x"})])  # fmt: skip
def test_what_is_not_there(host: Host, uri: str, said: dict[str, str]) -> None:
    with pytest.raises(Wrong) as wrong:
        host.read(uri, **said)
    assert wrong.value.argument in said


def test_what_is_typed_is_completed(host: Host) -> None:
    def completed(uri: str, name: str, typed: str) -> list[str]:
        complete = resource(host, uri).complete
        assert complete is not None
        return list(complete(name, typed, {}))

    assert completed("ccos://node/{id}", "id", "src/st")[0] == "src/store.py"
    assert "src/store.py#Store.load" in completed("ccos://node/{id}", "id", "load")
    assert completed(OF, "lens", "ar") == ["around:"]
    assert "around:src/store.py#Store" in completed(OF, "lens", "around:src/store.py#")
    assert completed(OF, "budget", "4") == ["4096"]
    assert completed("ccos://session/step/{n}", "n", "2") == ["2"]
    many = [{"kind": "prompt", "said": str(number), "source": "user"} for number in range(150)]
    last = host.door.live().tell(many)[-1]
    assert completed("ccos://session/step/{n}", "n", "") == [str(step) for step in range(last, -1, -1)]
    for each in completed("ccos://node/{id}", "id", ""):
        host.read("ccos://node/{id}", id=each)


def test_changes_are_told_once(host: Host) -> None:
    host.offer.changed()
    assert not host.offer.changed()
    host.call("ingest", uri="src/store.py", source=STORE)
    told = [uri for uri in host.offer.changed() if not uri.startswith("cos://mindmap")]
    assert told == [CONTEXT, "ccos://session/timeline", "ccos://node/src/store.py"]
    assert not host.offer.changed()
    following = Following(host.offer)
    following.greeted = True
    host.call("ingest", uri="src/never_seen.py", source="x = 1\n")
    assert list(following.news(host.offer.changed())) == []  # nodes are in no list, so it is the same


@pytest.mark.parametrize("linked", [False, True])
def test_changes_of_others_are_told_before_anything_was_asked(tmp_path: Path, host: Host, linked: bool) -> None:
    workspace = Path(host.door.path)
    if linked:
        workspace = tmp_path / "linked" / "there.ccos"
        workspace.parent.mkdir()
        workspace.symlink_to(host.door.path)
    quiet = Host(host.project, workspace)
    assert not quiet.offer.changed()
    host.call("ingest", uri="src/billing.py", source=BILLING)
    assert CONTEXT in quiet.offer.changed()
    assert quiet.door.opened is None
    assert not quiet.offer.changed()


def test_prompts_name_what_there_is(host: Host) -> None:
    names = {tool.name for tool in host.offer.tools}
    for prompt in host.offer.prompts[:2]:  # bundles have tests of their own
        said = {name: f"<{name}>" for name, _, _ in prompt.arguments}
        bare, full = prompt.say({}), prompt.say(said)
        assert any(name in bare for name in names)
        assert all(each in full for each in said.values())
        assert "{" not in bare + full
    assert next(iter(host.offer.prompts[1].complete("anchor", "src/st", {}))) == "src/store.py"  # type: ignore[misc]


@pytest.mark.parametrize("uri", [CONTEXT, "ccos://session/timeline"])
def test_a_taken_back_read_ends(tmp_path: Path, uri: str) -> None:
    host = Host(project(tmp_path / "project"), tmp_path / "work.ccos")
    host.door.live().tell([{"kind": "prompt", "said": str(number), "source": "user"} for number in range(200)])
    with pytest.raises(Stopped):
        resource(host, uri).read(uri, {}, Unheard(stops_after=1))
    host.door.close()
