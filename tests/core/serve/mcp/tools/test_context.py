"""The toolset `context`: the nine tools, resources and prompts of the COS specification, by their names."""

from __future__ import annotations

import json
from collections.abc import Iterator
from itertools import takewhile
from pathlib import Path

import pytest

from ccos_core.errors import Refused
from ccos_core.query.candidates import CLASS_WEIGHTS
from ccos_core.serve.mcp.calling import _resource
from ccos_core.serve.mcp.calling import found as found_resource
from ccos_core.serve.mcp.cos import PROMPTS
from ccos_core.serve.mcp.offer import Wrong
from ccos_core.serve.mcp.offering import DEFAULT, STEERING, offering
from ccos_core.serve.mcp.tools.door import Door
from ccos_core.serve.mcp.wire import AGREED
from ccos_core.session.brokers import QdrantBroker
from ccos_core.session.context_settings import settings_of
from ccos_core.session.live_scan import look_through
from ccos_core.session.subscribing import Ingestor
from ccos_core.storage.memory_qdrant import MemoryQdrant
from ccos_core.values.tokens import estimate
from tests.core.serve.mcp.tools.serving import Host, Unheard, project
from tests.core.storage.memory_stores import QDRANT

NINE = (
    "get_context", "update_memory", "log_impression", "page_in", "page_out", "set_attention", "annotate",
    "get_pressure", "set_priority",
)  # fmt: skip
AGENTS = "# Agents\n\n## Build\n\nRun `make`.\n\n## Style\n\nPlain words.\n\nShort lines.\n"
MEMORY = "# Memory\n\n## Eli\n\nEli prefers tea.\n\n- [ ] ask Eli about billing\n\n## Build\n\n- use make\n"


class Steering(Host):
    def __init__(self, folder: Path, workspace: Path) -> None:
        super().__init__(folder, workspace)
        self.door = Door(str(workspace), str(folder), steers=True)
        self.offer = offering(self.door, (*DEFAULT, STEERING))

    def at(self, uri: str) -> str:
        resource, said = found_resource(self.offer, uri, AGREED)
        return resource.read(uri, said, Unheard())

    def prompt(self, name: str, **said: str) -> str:
        (found,) = (each for each in self.offer.prompts if each.name == name)
        return found.say(said)

    def ops(self, *kinds: str) -> list[dict]:
        rows = self.door.live().session.recorded.rows(1)
        ops = [json.loads(body) for _, _, body in rows]
        return [op for op in ops if op["kind"] in kinds]


@pytest.fixture
def host(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Steering]:
    monkeypatch.delenv("CCOS_OFF", raising=False)
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path / "config"))
    folder = project(tmp_path / "project")
    (folder / "AGENTS.md").write_text(AGENTS)
    (folder / "MEMORY.md").write_text(MEMORY)
    (folder / "memory").mkdir()
    (folder / "memory/2026-02-08.md").write_text("# Sunday\n\n- [ ] write tests\n- [x] rest\n")
    host = Steering(folder, tmp_path / "work.ccos")
    host.door.live()
    look_through(host.door.path)
    yield host
    host.door.close()


def window(host: Steering) -> tuple[object, ...]:
    live = host.door.live()
    live.keep_up(whole=True)
    moment = live.desk.timeline.at(live.step)
    shown = moment.window("working-set", 2_048)
    paths = ("src/store.py", "src/billing.py")
    return (
        shown.text,
        [(each.uri, each.level) for each in shown.items],
        [moment.window(f"around:{p}").text for p in paths],
    )


def test_the_nine_are_there_by_name_and_only_when_asked_for(host: Steering) -> None:
    assert tuple(tool.name for tool in host.offer.tools[:9]) == NINE
    names = [tool.name for tool in host.offer.tools]
    assert len(set(names)) == len(names)
    assert not {"set_priority", "update_memory"} & {tool.name for tool in offering(host.door).tools}
    for tool in host.offer.tools[:9]:
        assert tool.gives["required"]
        assert all(each["description"] for each in tool.takes["properties"].values())


@pytest.mark.parametrize("kind", ["soul", "memory", "daily", "impressions", "user", "search", "mindmap"])
def test_get_context_gives_content_and_map_within_its_budget(host: Steering, kind: str) -> None:
    said = {"query": "Eli"} if kind == "search" else {"date": "2026-02-08"} if kind == "daily" else {}
    for budget in (64, 200, 2_048):
        found = host.call("get_context", type=kind, budget=budget, **said)
        assert estimate(found["content"]) + estimate(found["map"]) <= budget
        assert kind == "mindmap" or found["map"].startswith("@MM")
    assert found["content"] or kind in ("impressions", "user")


def test_detail_and_its_alias(host: Steering) -> None:
    whole = host.call("get_context", type="soul", detail=1)["content"]
    dense = host.call("get_context", type="soul")["content"]
    heads = host.call("get_context", type="soul", compression=3)["content"]
    assert whole == AGENTS
    assert "Plain words." in dense
    assert heads == "# Agents\n## Build\n## Style"


def test_a_query_keeps_the_sections_that_match(host: Steering) -> None:
    found = host.call("get_context", type="memory", query="Eli", detail=1)
    assert found["sections"] == ["eli"]
    assert "Eli prefers tea." in found["content"]
    assert "use make" not in found["content"]
    searched = host.call("get_context", type="search", query="tea")
    assert searched["engine"] == "bm25"
    assert "notes" not in searched
    assert searched["sections"] == ["sym:MEMORY.md#eli"]
    with pytest.raises(Wrong) as wrong:
        host.call("get_context", type="search")
    assert wrong.value.argument == "query"


def test_a_search_tells_the_best_section_in_part_where_it_is_too_long(host: Steering) -> None:
    long = "\n".join(f"- zebra number {at} of the herd" for at in range(1_500))
    (Path(host.door.root) / "MEMORY.md").write_text(f"# Memory\n\n## Zebras\n\n{long}\n")
    host.call("get_context", type="memory")
    told = host.at("cos://context/zebra")
    assert told.startswith("## Zebras\n\n- zebra number 0 ")
    assert estimate(told) <= 2_048


def test_what_is_handed_out_is_recorded_and_moves_no_window(host: Steering) -> None:
    host.call("page_fault", output="FAILED tests/test_billing.py::test_invoice")
    before = window(host)
    host.call("get_context", type="memory", query="Eli")
    host.call("update_memory", section="Build", content="- and test")
    host.call("log_impression", text="The user laughed.")
    host.call("annotate", resource="src/store.py", note="read it first")
    host.call("set_attention", resource="src/store.py", weight=1.5)
    host.call("set_priority", policy="size_first")
    host.call("get_pressure")
    host.at("cos://soul")
    host.prompt("bootstrap")
    after = window(host)
    # the edited section of MEMORY.md itself is warm, as any edit is
    assert [each for each in after[1] if "MEMORY.md" not in each[0]] == before[1]
    assert after[2] == before[2]
    lenses = [op["lens"] for op in host.ops("recall")]
    assert lenses == ["cos://memory?q=Eli", "cos://soul", "cos://bootstrap"]


def test_update_memory_is_one_edit(host: Steering) -> None:
    found = host.call("update_memory", section="build", content="- and test")
    assert (found["path"], found["section"], found["changed"]) == ("MEMORY.md", "build", True)
    assert found["node"] == "sym:MEMORY.md#build"
    assert (host.project / "MEMORY.md").read_text() == MEMORY + "- and test\n"
    again = host.call("update_memory", section="Build", content="- and test")
    assert not again["changed"]
    host.door.live().look_again(["MEMORY.md"])  # as a hook or a look would
    edits = [op for op in host.ops("seen") if op["path"] == "MEMORY.md" and op["how"] == "edit"]
    assert len(edits) == 1
    assert host.call("update_memory", section="Plans", content="- later")["section"] == "plans"
    with pytest.raises(Wrong) as wrong:
        host.call("update_memory", section="build", content="# Not deeper")
    assert wrong.value.argument == "content"


def test_impressions_are_remembered_and_filed_where_there_is_a_file(host: Steering) -> None:
    first = host.call("log_impression", text="Eli laughed.")
    assert first["memo"].startswith("memo:")
    assert (first["changed"], first["path"]) == (True, "")
    assert not (host.project / "IMPRESSIONS.md").exists()
    assert "Eli laughed." in host.at("cos://impressions")
    host.write("IMPRESSIONS.md", "# Impressions\n")
    second = host.call("log_impression", text="Eli was kind.")
    assert second["path"] == "IMPRESSIONS.md"
    assert "- Eli was kind." in (host.project / "IMPRESSIONS.md").read_text()
    assert [op["class"] for op in host.ops("remembered")] == ["impression", "impression"]
    told = host.at("cos://impressions")
    assert told.index("# Impressions") < told.index("Eli laughed.")


def test_impressions_are_one_list_by_day_the_oldest_first(host: Steering) -> None:
    day = 86_400_000
    clock = iter([1_770_508_800_000 + 3 * day, 1_770_508_800_000])  # the 11th and the 8th of February 2026
    for text in ("Eli was kind.", "Eli laughed. ```"):
        at = next(clock)
        host.door.live().session.clock = lambda at=at: at
        host.call("log_impression", text=text)
    host.write("IMPRESSIONS.md", "# Impressions\n\nOf Eli.\n\n## 2026-02-10\n\n- Eli hummed.\n- Eli was kind.")
    told = host.at("cos://impressions")
    assert told.startswith("# Impressions\n\nOf Eli.\n\n## 2026-02-")
    places = [told.index(each) for each in ("Eli laughed.", "2026-02-10", "Eli hummed.", "Eli was kind.")]
    assert places == sorted(places)
    assert told.count("Eli was kind.") == 1, "the file has it already"


def test_an_impression_that_cannot_be_filed_is_not_recorded(host: Steering, tmp_path: Path) -> None:
    (tmp_path / "elsewhere.md").write_text("# Mine\n")
    (host.project / "IMPRESSIONS.md").symlink_to(tmp_path / "elsewhere.md")
    with pytest.raises(Refused, match="outside the project"):
        host.call("log_impression", text="Eli laughed.")
    assert not host.ops("remembered")


def test_a_document_outside_the_project_stops_no_notice_of_others(host: Steering, tmp_path: Path) -> None:
    (tmp_path / "elsewhere.md").write_text("# Mine\n")
    (host.project / "SOUL.md").symlink_to(tmp_path / "elsewhere.md")
    host.offer.changed()
    (host.project / "MEMORY.md").write_text("# Rules\n\nUse spaces, said the user.\n")
    assert "cos://memory" in host.offer.changed()


def test_a_document_is_paged_out_and_in_again(host: Steering) -> None:
    host.call("annotate", resource="cos://memory/eli", note="tea, not coffee")
    out = host.call("page_out", resource="memory/eli", reason="need room")
    assert out["resource_id"] == "sym:MEMORY.md#eli"
    assert out["level"] == 3
    assert "Eli prefers tea." in out["summary"]
    assert out["compressed_tokens"] > 0
    assert out["freed"] == 0  # no window of an agent holds it
    back = host.call("page_in", resource="cos://memory/eli")
    assert back["status"] == "asked"
    assert "Eli prefers tea." in back["content"]
    assert "tea, not coffee" in back["annotations"]
    marked = host.call("page_in", resource="cos://memory/eli", content=False)
    assert "content" not in marked
    assert not marked["changed"]
    assert [op["kind"] for op in host.ops("paged_in", "paged_out")] == ["paged_out", "paged_in"]


@pytest.mark.parametrize(
    ("tool", "said", "argument", "nearest"),
    [
        ("page_in", {"resource": "src/stor.py"}, "resource", "src/store.py"),
        ("page_in", {"resource": "cos://memory/elli"}, "resource", "eli"),
        ("page_out", {"resource": "cos://sool"}, "resource", "cos://soul"),
        ("annotate", {"resource": "nothing.py", "note": "x"}, "resource", None),
        ("set_attention", {"resource": "cos://impressions", "weight": 1}, "resource", None),
        ("get_context", {"type": "daily", "date": "2026-2-8"}, "date", None),
        ("set_priority", {}, "eviction_policy", "lru"),
    ],
)
def test_errors_name_the_argument_and_the_nearest(
    host: Steering, tool: str, said: dict, argument: str, nearest: str | None
) -> None:
    with pytest.raises(Wrong) as wrong:
        host.call(tool, **said)
    assert wrong.value.argument == argument
    assert nearest is None or wrong.value.nearest == nearest


def test_no_statement_is_suggested_for_the_id_of_another(host: Steering) -> None:
    memo = host.call("log_impression", text="Eli laughed.")["memo"]
    with pytest.raises(Wrong, match=r"there is no such statement\.$"):
        host.call("page_in", resource=memo[:-1] + ("0" if memo[-1] != "0" else "1"))


def test_a_level_that_is_none_and_a_text_without_words_are_told_as_such(host: Steering) -> None:
    with pytest.raises(Wrong, match=r"^level: '9' isn't a level: 1, 2 or 3\.$"):
        host.at("cos://mindmap/9")
    for text in ("", " "):
        with pytest.raises(Wrong, match=r"^text: has no words\.$"):
            host.call("log_impression", text=text)


def test_an_unknown_name_is_told_with_what_is_not_read_yet(host: Steering, monkeypatch: pytest.MonkeyPatch) -> None:
    live = host.door.live()
    monkeypatch.setattr(live, "is_scanned", False)
    monkeypatch.setattr(live, "keep_up", lambda *said, **how: True)
    with pytest.raises(Wrong, match="still being read"):
        host.call("page_in", resource="src/a.py")


def test_no_half_line_end_is_handed_out(host: Steering) -> None:
    (host.project / "MEMORY.md").write_bytes(MEMORY.replace("\n", "\r\n").encode())
    assert host.call("page_in", resource="memory/build")["content"].endswith("- use make")
    assert host.at("cos://context/make").endswith(("- use make", "Run `make`."))
    assert host.call("get_context", type="memory", detail=1, budget=45)["content"][-1:] != "\r"


def test_instructions_name_tools_that_are_offered(host: Steering) -> None:
    assert "recall" in host.offer.instructions
    said = offering(host.door, ("memos", STEERING)).instructions
    assert "recall" not in said
    assert "page_fault" not in said
    assert "Name code by path" in said


def test_attention_is_thousandths(host: Steering) -> None:
    found = host.call("set_attention", resource="src/store.py", weight=1.25)
    assert (found["weight"], found["status"]) == (1_250, "hot")
    assert host.call("set_attention", resource="src/store.py", weight=0)["status"] == "loaded"
    assert [op["weight"] for op in host.ops("weighed")] == [1_250, 0]


def test_the_policy_is_an_op(host: Steering) -> None:
    assert host.call("set_priority", eviction_policy="keep_technical")["changed"]
    assert not host.call("set_priority", policy="keep_technical")["changed"]
    (op,) = host.ops("retune")
    assert (op["reason"], op["weights"]) == ("keep_technical", CLASS_WEIGHTS["keep_technical"])


def test_resources_by_name(host: Steering) -> None:
    assert host.at("cos://soul") == AGENTS
    assert host.at("cos://memory") == MEMORY
    assert host.at("cos://memory/eli").startswith("## Eli\n\nEli prefers tea.")
    assert host.at("cos://user") == "nothing yet"
    assert host.at("cos://daily/2026-02-08").startswith("# Sunday")
    assert host.at("cos://daily/2026-02-09") == "nothing yet"
    assert host.at("cos://mindmap/3").startswith("@MM")
    assert host.at("cos://mindmap/1") == host.at("cos://mindmap/1")
    assert host.at("cos://context/tea") == host.at("cos://search?q=tea")
    assert "Eli prefers tea." in host.at("cos://context/tea")
    uris = [each.uri for each in host.offer.resources if each.uri.startswith("cos://")]
    assert uris[:5] == ["cos://soul", "cos://user", "cos://memory", "cos://impressions", "cos://mindmap"]
    assert {"cos://daily/{date}", "cos://context/{query}"} <= set(uris)


def test_the_day_of_daily_notes_is_said_and_recorded(host: Steering) -> None:
    host.door.live().session.clock = lambda: 1_770_595_200_000  # the 9th of February 2026
    yesterday = host.call("get_context", type="daily", date="yesterday", detail=1)
    assert yesterday["date"] in ("2026-02-07", "2026-02-08")  # by the time zone of this machine
    assert yesterday["time_zone"]
    assert host.call("get_context", type="daily", date="2026-02-08")["content"]
    lenses = [op["lens"] for op in host.ops("recall")]
    assert lenses == [f"cos://daily/{yesterday['date']}", "cos://daily/2026-02-08"]


def test_a_refused_access_is_recorded(host: Steering, tmp_path: Path) -> None:
    (tmp_path / "elsewhere.md").write_text("# Mine\n")
    (host.project / "SOUL.md").symlink_to(tmp_path / "elsewhere.md")
    for act in (lambda: host.call("get_context", type="soul"), lambda: host.at("cos://soul")):
        with pytest.raises(Refused):
            act()
    refused = [op["lens"] for op in host.ops("recall")]
    assert len(refused) == 2
    assert all(each.startswith("refused:cos://soul") for each in refused)


def test_documents_are_listed_with_their_size(host: Steering) -> None:
    listed = {each.name: each for each in host.offer.resources}
    entry = _resource(listed["memory"], "uri", AGREED)
    assert entry["_meta"] == {"ccos-tui/tokens": estimate(MEMORY)}
    assert "_meta" not in _resource(listed["user"], "uri", AGREED)  # there is none
    host.write("MEMORY.md", MEMORY * 2)
    assert _resource(listed["memory"], "uri", AGREED)["_meta"] == {"ccos-tui/tokens": estimate(MEMORY * 2)}


def test_the_users_own_file_comes_first(host: Steering, tmp_path: Path) -> None:
    from ccos_core.storage.locate import user_path

    own = Path(user_path()).parent / "USER.md"
    own.parent.mkdir(parents=True, exist_ok=True)
    own.write_text("tabs\n")
    assert host.at("cos://user") == "tabs\n"
    host.write("USER.md", "spaces\n")
    assert host.at("cos://user") == "<!-- ~/USER.md -->\ntabs\n\n<!-- USER.md -->\nspaces\n"


def test_secrets_are_masked_in_what_is_read(host: Steering) -> None:
    token = "ghp_" + "a1B2" * 9
    host.write("SOUL.md", f"# Soul\n\ntoken {token}\n")
    assert token not in host.at("cos://soul")
    assert token not in host.call("get_context", type="soul", detail=1)["content"]


@pytest.mark.parametrize(("name", "most"), [(name, most) for name, _, _, most in PROMPTS])
def test_bundles_stay_within_their_budgets(host: Steering, name: str, most: int) -> None:
    long = "# Charter\n\n" + "".join(
        f"## Build and style {at}\n\nRun step {at} of the style guide with care.\n\n" for at in range(400)
    )
    host.write("AGENTS.md", long)
    host.write("MEMORY.md", MEMORY + "".join(f"- [ ] task {at}\n" for at in range(300)))
    for said in ({}, {"budget": "150"}, {"task": "invoices of the store"}):
        text = host.prompt(name, **said)
        assert estimate(text) <= int(said.get("budget", most))
        assert "Left out:" in text or name == "relational"
    with pytest.raises(Wrong):
        host.prompt(name, budget="many")


def test_bootstrap_tells_the_map_the_charter_and_open_tasks(host: Steering) -> None:
    text = host.prompt("bootstrap")
    assert "@MM" in text
    assert "Build: Run `make`." in text
    assert "ask Eli about billing" in text
    assert "write tests" in text
    assert "- rest" not in text


def test_a_placeholder_of_a_host_is_no_argument(host: Steering) -> None:
    assert "$2" not in host.prompt("bootstrap", budget="$1", task="$2")
    assert estimate(host.prompt("bootstrap", budget="$1")) <= 500


SETTINGS = {
    "resources": {"memory": "docs/notes.md", "daily_pattern": "log/{date}.md"},
    "pressure": {"context_max": 1_000, "thresholds": {"low": 0.1, "medium": 0.2, "high": 0.3, "critical": 0.4}},
    "compression": {"default_level": "verbose"},
    "persistence": {"mindmap_path": "cos/mindmap.md", "access_log": "cos/access.jsonl"},
}


def test_settings_govern_by_an_op_and_name_the_copies(host: Steering) -> None:
    from ccos_core.session.context_settings import settings_of

    host.door.settings, host.door.is_governed = settings_of(SETTINGS), False
    assert host.call("update_memory", section="Plans", content="- one")["path"] == "docs/notes.md"
    assert "- one" in host.call("get_context", type="memory")["content"]
    host.door.live().tell([{"kind": "usage", "window": 250, "model": "m", "host": "h", "session": "s"}])
    found = host.call("get_pressure")
    assert (found["level"], found["context_max"]) == ("high", 1_000)
    host.call("get_context", type="memory")
    assert len(host.ops("governed")) == 1
    assert not (host.project / "cos").exists()
    ready = host.offer.get_ready
    assert ready is not None
    for _ in range(100):
        if ready() != 0.0:
            break
    assert (host.project / "cos/mindmap.md").read_text().strip()
    rows = [json.loads(line) for line in (host.project / "cos/access.jsonl").read_text().splitlines()]
    assert [row["action"] for row in rows] == ["update", "get_context", "get_context"]


def test_what_an_agent_governs_counts_for_nothing(host: Steering) -> None:
    live = host.door.live()
    policy = {"resources": {"memory": "evil.md"}, "pressure": {"thresholds": "x"}}
    live.tell([{"kind": "governed", "name": "context", "policy": policy, "actor": "agent"}])
    assert host.call("update_memory", section="Plans", content="- one")["path"] == "MEMORY.md"


def test_a_private_statement_is_not_read_through_a_document(host: Steering) -> None:
    live = host.door.live()
    memo = host.call("remember", text="Eli prefers tea.")["nodes"][0]
    live.tell([{"kind": "labelled", "nodes": [memo], "privacy": "critical", "actor": "user"}])
    for text in (
        host.at("cos://memory"),
        host.at("cos://memory/eli"),
        host.at("cos://context/tea"),
        host.call("get_context", type="memory", detail=1)["content"],
        host.call("page_in", resource="cos://memory/eli")["content"],
        host.prompt("bootstrap"),
    ):
        assert "Eli prefers tea" not in text


def test_readers_hear_of_a_document_that_changed(host: Steering) -> None:
    host.at("cos://memory")
    host.offer.changed()
    host.write("MEMORY.md", MEMORY + "\nmore\n")  # by an editor, without any hook
    told = host.offer.changed()
    assert {"cos://memory", "cos://memory/eli", "cos://mindmap"} <= set(told)
    assert "cos://soul" not in told
    assert host.offer.changed() == ()


def test_the_example_of_the_docs_runs(host: Steering) -> None:
    page = (Path(__file__).parents[5] / "docs/MEMORY.md").read_text("utf-8").partition("# An agent that steers")[2]
    calls = [json.loads(line) for line in page.splitlines() if line.startswith('    {"tool"')]
    assert len(calls) == 7
    told = {}
    for said in calls:
        name = said.pop("tool")
        told[name] = host.call(name, **said)
    assert "- invoices are in cents" in told["page_in"]["content"]
    assert told["page_in"]["annotations"] == ["asked the user, cents it is", "done for now"]
    import tomllib

    from ccos_core.session.context_settings import settings_of

    lines = page[page.index("    [resources]") :].splitlines()
    settings = "\n".join(takewhile(lambda line: not line or line.startswith("    "), lines))
    assert settings_of(tomllib.loads(settings)).roles().memory == ("docs/notes.md",)


def test_after_a_compaction_the_agent_gets_back_what_it_noted(host: Steering) -> None:
    """The story of a session, with the events of a host as ops: it notes, pages out, is cut, and begins again."""
    live = host.door.live()
    spoke = {"host": "claude-code", "session": "s1"}
    live.tell([{"kind": "prompt", "said": "Mend the billing.", "source": "user", **spoke}])
    assert estimate(host.prompt("bootstrap")) <= 500
    whole = host.at("cos://memory/eli")
    host.call("annotate", resource="cos://memory/eli", note="Eli decides about billing")
    assert host.call("page_out", resource="cos://memory/eli")["freed"] >= 0
    cut = {
        "kind": "compaction",
        "exact": False,
        "trigger": "auto",
        "before": 167_000,
        "after": 11_000,
        "summary": "Worked.",
        **spoke,
    }
    live.tell([cut])
    assert "Mend the billing." in host.prompt("bootstrap")
    back = host.call("page_in", resource="cos://memory/eli")
    assert back["content"].strip() == whole.strip()
    assert back["annotations"] == ["Eli decides about billing"]


TALK = {"host": "claude-code", "session": "s-1"}


def steered_by(tmp_path: Path, **settings: object) -> Steering:
    """A server whose settings file says this."""
    host = Steering(tmp_path / "project", tmp_path / "work.ccos")
    host.door = Door(
        str(tmp_path / "work.ccos"), str(tmp_path / "project"), steers=True, settings=settings_of(settings)
    )
    host.offer = offering(host.door, (*DEFAULT, STEERING))
    return host


def test_the_last_turns_are_context_too(host: Steering) -> None:
    assert host.call("get_context", type="session")["notes"] == ["No session is recorded."]
    host.door.live().session.record([
        {"kind": "prompt", "said": "Fix the invoice. " * 200, "source": "user", **TALK},
        {"kind": "compaction", "trigger": "auto", "exact": False, "summary": "Invoices in src/billing.py.", **TALK},
        {"kind": "turn", "said": "Done.", **TALK},
    ])  # fmt: skip
    found = host.call("get_context", type="session", budget=200)
    assert found["content"].startswith("Invoices in src/billing.py.\n\n[")
    assert found["content"].endswith("agent: Done.")
    assert found["turns"] == 1
    assert host.call("get_context", type="session", budget=4_000)["turns"] == 2


@pytest.mark.parametrize(
    ("broker", "kinds"),
    [("files", ("soul", "user", "impressions")), ("memory", ("memory", "daily")), ("session", ("session",))],
)
def test_a_broker_that_is_switched_off_is_named_and_the_others_answer(
    host: Steering, tmp_path: Path, broker: str, kinds: tuple[str, ...]
) -> None:
    host.door.live().session.record([{"kind": "prompt", "said": "Fix the invoice.", "source": "user", **TALK}])
    host.door.close()
    other = steered_by(tmp_path, brokers={broker: False})
    note = f"The broker {broker} is switched off."
    said = {"daily": {"date": "2026-02-08"}}
    for kind in ("soul", "memory", "daily", "session"):
        found = other.call("get_context", type=kind, detail=1, **said.get(kind, {}))
        assert bool(found["content"]) == (kind not in kinds)
        assert (note in found.get("notes", ())) == (kind in kinds)
    for kind in kinds:
        assert note in other.call("get_context", type=kind)["notes"]
    searched = other.call("get_context", type="search", query="tea make style words")
    there = {each.removeprefix("sym:").partition("#")[0] for each in searched["sections"]}
    assert ("AGENTS.md" in there, "MEMORY.md" in there) == (broker != "files", broker != "memory")
    if broker == "memory":
        with pytest.raises(Refused, match="switched off"):
            other.call("update_memory", section="Eli", content="- more")
    other.door.close()


def test_a_search_engine_that_is_away_is_named_and_keywords_serve(host: Steering, tmp_path: Path) -> None:
    host.call("remember", text="Eli likes green tea.")
    plain = host.call("get_context", type="search", query="tea")
    host.door.close()
    for collection in ("ccos", "other"):
        optional = {"qdrant_url": "http://127.0.0.1:9", "qdrant_collection": collection}
        other = steered_by(tmp_path, optional=optional)
        found = other.call("get_context", type="search", query="tea")
        assert (found["engine"], found["content"]) == ("bm25", plain["content"])
        assert any("keywords were used instead" in each for each in found["notes"])
        other.door.close()
    off = steered_by(tmp_path, optional=optional, brokers={"search": False})
    assert off.call("get_context", type="search", query="tea")["notes"] == ["The broker search is switched off."]
    off.door.close()


@pytest.mark.parametrize("kind", [QDRANT])
def test_qdrant_ranks_what_may_be_seen_and_its_order_is_recorded(kind: str, host: Steering, tmp_path: Path) -> None:
    host.call("remember", text="Eli likes green tea.")
    secret = host.call("remember", text="Tea is what the secret supplier sells.")["nodes"][0]
    host.call("remember", text="Tea, tea and tea again.")
    live = host.door.live()
    live.session.record([{"kind": "labelled", "nodes": [secret], "privacy": "critical", "actor": "user"}])
    store = MemoryQdrant(":memory:")
    closing, store.close = store.close, lambda: None  # type: ignore[method-assign]
    Ingestor(live.session.recorded.path, lambda: store).catch_up()
    host.door.search_broker = QdrantBroker(lambda name: store, "ccos", wait_seconds=30)
    found = host.call("get_context", type="search", query="tea", budget=4_000)
    assert found["engine"] == "qdrant"
    memos = [each for each in found["sections"] if each.startswith("memo:")]
    assert len(memos) == 2
    assert secret not in memos
    assert "supplier" not in found["content"]
    recall = host.ops("recall")[-1]
    assert [each[0] for each in recall["items"]][:2] == memos
    closing()
