"""Paging out: a summary tied to the hash of its text, and where things are at each step."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from ccos_core.query.catalogue import BY_NAME
from ccos_core.query.resources import Standings
from ccos_core.session.asking import Desk
from ccos_core.session.retrieving import original
from ccos_core.session.session import open_session
from ccos_core.storage.opening import open_record
from tests.story import START, Story, new_session

PATH = "docs/plan.md"
NODE = f"file:{PATH}"
TEXT = "# Plan\n\n" + "".join(f"Step {n} edits src/part_{n}.py and calls run_part_{n}.\n" for n in range(40))
STORY = f'write {PATH} {TEXT!r}\ningest\nprompt "go on"\nsee {PATH}\n'


@pytest.fixture
def path(tmp_path: Path) -> str:
    with new_session(tmp_path) as session:
        Story(session).tell(STORY)
    return str(tmp_path / "work.ccos")


def ask(path: str, name: str, at: int | None = None, **said: str) -> Any:
    with open_record(path, write=True) as record, Desk(record) as desk:
        return desk.ask(BY_NAME[name], said, at).answer


def standing(path: str, node: str = NODE) -> tuple[str, str]:
    with open_record(path) as record, Desk(record) as desk:
        found = Standings(desk.timeline, desk.timeline.head, None).resource(node)
        return found.region, found.status


def change(workspace: str, **op: Any) -> None:
    with open_session(workspace, clock=lambda: START) as session:
        session.record([op])


def test_the_summary_is_smaller_and_the_text_comes_back_exactly(path: str) -> None:
    (out,) = ask(path, "page-out", nodes=PATH).paged
    assert out.resource_id == NODE
    assert 0 < out.compressed_tokens < out.original_tokens
    assert out.compression_ratio == 100 * out.compressed_tokens // out.original_tokens
    assert out.level == 3
    assert "run_part_7" in out.summary or "run_part_7" in out.dropped
    with open_record(path) as record, Desk(record) as desk:  # another process, after a restart
        assert original(record, desk.timeline, out.ccr_ref).text == TEXT


def test_what_it_frees_is_what_the_window_held_less_the_summary(path: str) -> None:
    held = ask(path, "candidates", limit="0")
    (frees,) = [each.frees for each in held.candidates if each.item == NODE]
    (out,) = ask(path, "page-out", nodes=PATH).paged
    assert out.held == frees
    assert out.freed == frees - out.compressed_tokens > 0
    change(path, kind="retune", weights={"hub": 3}, reason="by hand")  # no eviction policy, so no access
    (access,) = ask(path, "access").accesses
    assert (access.action, access.tokens_delta) == ("page_out", -out.freed)
    ask(path, "priority", policy="size_first")
    assert [each.action for each in ask(path, "access").accesses] == ["page_out", "set_priority"]


def test_a_changed_text_makes_its_summary_invalid(path: str) -> None:
    ask(path, "page-out", nodes=PATH)
    assert standing(path) == ("INDEXED", "connected")
    change(path, kind="seen", path=PATH, how="ingest", content=TEXT + "One more step.\n")
    assert standing(path) == ("COLD", "cold")
    assert ask(path, "page-out", nodes=PATH).changed
    assert standing(path) == ("INDEXED", "connected")
    assert not ask(path, "page-out", nodes=PATH).changed
    change(path, kind="gone", path=PATH)
    assert standing(path) == ("OFFLINE", "offline")


def test_an_earlier_step_knows_nothing_of_what_came_later(path: str) -> None:
    before = ask(path, "mindmap", level="1")
    ask(path, "page-out", nodes=PATH)
    assert ask(path, "mindmap", at=before.at, level="1") == before


def test_what_is_paged_in_is_asked_for_until_a_delivery_brings_it(path: str) -> None:
    change(path, kind="compaction", trigger="auto", exact=False, host="story", session="story-1")
    with open_record(path) as record, Desk(record) as desk:
        whose = int(desk.timeline.journal.steps["context"][desk.timeline.head - 1])

    def status() -> str:
        with open_record(path) as record, Desk(record) as desk:
            return Standings(desk.timeline, desk.timeline.head, whose).resource(NODE).status

    read = {"kind": "seen", "path": PATH, "how": "read", "content": TEXT, "host": "story", "session": "story-1"}
    ask(path, "page-in", nodes=PATH)
    assert status() == "asked"
    change(path, **read)
    assert status() == "loaded"
    ask(path, "attention", node=PATH, weight="1500")
    assert status() == "hot"
    change(path, kind="cleared", host="story", session="story-1")
    assert status() == "lost"


def test_an_empty_text_has_the_ratio_0(path: str) -> None:
    change(path, kind="seen", path="empty.md", how="ingest", content="")
    (out,) = ask(path, "page-out", nodes="empty.md").paged
    assert (out.original_tokens, out.compression_ratio, out.summary) == (0, 0, "")


def test_the_policy_is_an_op_and_stands_in_the_map(path: str) -> None:
    assert ask(path, "priority", policy="keep_technical").changed
    assert not ask(path, "priority", policy="keep_technical").changed
    assert "|keep_technical\n" in ask(path, "mindmap", level="3").text
    assert ask(path, "candidates").policy == "keep_technical"
    with open_record(path) as record, Desk(record) as desk:
        assert desk.timeline.op(desk.timeline.head)["kind"] == "retune"


def test_a_note_stands_in_the_larger_maps(path: str) -> None:
    ask(path, "annotate", node=PATH, text="ask before step 7")
    for level, is_told in (("1", True), ("2", True), ("3", False)):
        assert ("ask before step 7" in ask(path, "mindmap", level=level).text) == is_told


def test_two_contexts_of_one_record_have_two_maps(path: str) -> None:
    helper = {"host": "story", "session": "story-1", "context": "helper"}
    change(path, kind="seen", path="src/only.py", how="read", content="x = 1\n", **helper)
    maps = {name: ask(path, "mindmap", level="1", context=name) for name in ("main", "helper")}
    loaded = {name: {each.node for each in drawn.resources if each.region == "ACTIVE"} for name, drawn in maps.items()}
    assert loaded == {"main": {NODE}, "helper": {"file:src/only.py"}}
    assert maps["main"].text != maps["helper"].text
