"""Copies of the map and the access log: made from the record, whole or not at all, and never read."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from ccos_core.session.asking import Desk
from ccos_core.session.lifecycle import init
from ccos_core.session.session import open_session
from ccos_core.session.steering_copies import KEYS, Copies, write_access_log, write_mindmap
from ccos_core.storage.opening import open_record

DAY = 86_400_000
START = 1_770_508_800_000  # 2026-02-08
RECALL = {"kind": "recall", "budget": 100, "computed_at": 1, "parameters": {}, "window": "0" * 64}


@pytest.fixture
def desk(tmp_path: Path):  # type: ignore[no-untyped-def]
    path = str(tmp_path / "work.ccos")
    init(path)
    ops = [
        {"kind": "seen", "how": "ingest", "path": "MEMORY.md", "content": "# A\n\nold\n", "at": START},
        {**RECALL, "lens": "cos://memory?q=billing", "items": [["sym:MEMORY.md#a", "body", 7]], "at": START},
        {"kind": "recall", **RECALL, "lens": "working-set", "items": [], "at": START},
        {"kind": "paged_in", "nodes": ["sym:MEMORY.md#a"], "at": START + DAY},
        {"kind": "paged_out", "nodes": ["sym:MEMORY.md#a"], "at": START + 2 * DAY},
        {"kind": "weighed", "nodes": ["file:MEMORY.md"], "weight": 1500, "at": START + 2 * DAY},
        {"kind": "annotation", "node": "file:MEMORY.md", "note": "tea", "at": START + 2 * DAY},
        {"kind": "retune", "weights": {}, "reason": "lru", "at": START + 2 * DAY},
        {"kind": "seen", "how": "edit", "path": "MEMORY.md", "content": "# A\n\nnew\n", "actor": "agent",
         "at": START + 40 * DAY},
        {**RECALL, "lens": "refused:cos://soul?q=../x", "items": [], "at": START + 40 * DAY},
    ]  # fmt: skip
    with open_session(path) as session:
        session.record(ops)
    with open_record(path) as record, Desk(record) as desk:
        yield desk


def read(path: Path) -> list[dict]:
    return [json.loads(line) for line in path.read_text().splitlines()]


def test_the_log_has_the_keys_of_the_specification_and_a_file_a_day(desk: Desk, tmp_path: Path) -> None:
    path = tmp_path / "cos/access.jsonl"
    assert write_access_log(desk.timeline, str(path), 60) == 8
    assert write_access_log(desk.timeline, str(path), 10**15) == 8
    rows = read(path)
    assert [tuple(row) for row in rows] == [KEYS] * 2
    assert [(row["action"], row["resource"]) for row in rows] == [("update", "MEMORY.md"), ("refused", "cos://soul")]
    earlier = read(tmp_path / "cos/access-2026-02-10.jsonl")
    assert [row["action"] for row in earlier] == ["page_out", "set_attention", "annotate", "set_priority"]
    first = read(tmp_path / "cos/access-2026-02-08.jsonl")
    assert [(row["query"], row["tokens_delta"]) for row in first] == [("billing", 7)]
    assert earlier[0]["tokens_delta"] == 0, "no window of an agent held it, so that nothing was freed"
    assert {row["pressure_before"] for row in rows} == {"?"}


def test_retention_is_of_the_copy_alone(desk: Desk, tmp_path: Path) -> None:
    path = tmp_path / "access.jsonl"
    write_access_log(desk.timeline, str(path), 60)
    (tmp_path / "access-notes.jsonl").write_text("mine\n")
    assert write_access_log(desk.timeline, str(path), 30) == 2
    assert sorted(each.name for each in tmp_path.glob("access*")) == ["access-notes.jsonl", "access.jsonl"]
    assert write_access_log(desk.timeline, str(path), 60) == 8


def test_the_map_is_a_copy_that_is_written_only_when_it_changes(desk: Desk, tmp_path: Path) -> None:
    path = tmp_path / "cos/mindmap.md"
    assert write_mindmap(desk.timeline, str(path))
    before = path.stat().st_mtime_ns
    assert not write_mindmap(desk.timeline, str(path))
    assert path.stat().st_mtime_ns == before
    path.write_text("a hand edit\n")
    assert write_mindmap(desk.timeline, str(path))


def test_copies_are_written_once_for_a_burst(desk: Desk, tmp_path: Path) -> None:
    path = tmp_path / "mindmap.md"
    copies = Copies(str(path), "", 30)
    copies.follow(desk.timeline, None, 10.0)
    assert path.exists()
    path.unlink()
    copies.follow(desk.timeline, None, 20.0)
    assert not path.exists()  # the record hasn't grown
    with open_session(desk.record.path) as session:
        session.record([{"kind": "annotation", "node": "file:MEMORY.md", "note": "more"}])
    desk.catch_up()
    copies.follow(desk.timeline, None, 10.1)
    assert not path.exists()  # too soon
    copies.follow(desk.timeline, None, 10.3)
    assert path.exists()
