"""Sessions that were recorded by others, when they are at hand: what is told of them, against a count over the
raw JSON."""

import json
import os
from collections import Counter
from collections.abc import Iterator
from functools import cache
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest

from ccos_core.intake.importers.claude_code.reader import FORMAT, ClaudeCode
from ccos_core.intake.importers.record import Observation, Origin, Record
from ccos_core.ops import epoch
from ccos_core.session.admit import admit
from ccos_core.session.worlds import new_world
from ccos_core.state.fold import apply
from ccos_core.state.host import Held
from ccos_core.values.ids import file_node
from ccos_core.values.paths import NOWHERE, Place, recorded
from tests.core.intake.importers.foreign import RECORDINGS, of_kind
from tests.core.state.small import Told

FOLDER = Path(os.environ.get("CCOS_TRANSCRIPTS", RECORDINGS / "claude-code"))
FILES = sorted(FOLDER.glob("*.jsonl"))
TRUTH = FOLDER / "ground_truth.json"

pytestmark = pytest.mark.skipif(not FILES, reason=f"no recorded sessions in {FOLDER}")
each_file = pytest.mark.parametrize("path", FILES, ids=lambda path: path.stem)


@cache
def records(path: Path) -> list[Record]:
    """Every object of every line, read in the simplest way."""
    lines = path.read_text(encoding="utf-8").split("\n")
    return [Record(line, value) for line, raw in enumerate(lines, 1) for value in objects(raw)]


def objects(raw: str) -> Iterator[Any]:
    decoder, at, raw = json.JSONDecoder(), 0, raw.strip()
    while at < len(raw):
        value, at = decoder.raw_decode(raw, at)
        yield value


@cache
def read(path: Path) -> tuple[ClaudeCode, list[Observation]]:
    """The reader, and what it says of the main conversation."""
    reader = ClaudeCode(path.stem)
    told = [each for record in records(path) for each in reader.feed(record)]
    return reader, [each for each in told if not each.get("context")]


def blocks(path: Path, kind: str, of: str) -> dict[str, Any]:
    """Blocks of the raw records of the main conversation, once each."""
    found: dict[str, Any] = {}
    for record in records(path):
        content = (record.value.get("message") or {}).get("content")
        if record.value["type"] == kind and not record.value.get("isSidechain") and isinstance(content, list):
            found |= {
                each.get("id") or each["tool_use_id"]: (each, record.value) for each in content if each["type"] == of
            }
    return found


@each_file
def test_it_is_recognised_and_understood(path: Path) -> None:
    assert FORMAT.looks(records(path)[:20])
    assert read(path)[0].tally.unknown == {}


@each_file
def test_calls_and_their_ends(path: Path) -> None:
    reader, told = read(path)
    asked, ended = blocks(path, "assistant", "tool_use"), blocks(path, "user", "tool_result")
    tools = {each["call"]: each for each in of_kind(told, "tool")}
    assert len(tools) == len(of_kind(told, "tool"))
    assert sorted([*tools, *(each["call"] for each in reader.pending())]) == sorted(asked)
    assert Counter(each["name"] for each in tools.values()) == Counter(asked[call][0]["name"] for call in tools)
    errors = {call for call, (block, _) in ended.items() if block.get("is_error")}
    assert {call for call, tool in tools.items() if tool["outcome"] == "error"} == errors
    assert {call for call, tool in tools.items() if tool["outcome"] == "unknown"} == tools.keys() - ended.keys()


@each_file
def test_files_that_were_read_and_edited(path: Path) -> None:
    asked, ended = blocks(path, "assistant", "tool_use"), blocks(path, "user", "tool_result")
    fine = {call for call, (block, _) in ended.items() if not block.get("is_error")}
    for name, how in (("Read", "read"), ("Edit", "edit"), ("Write", "write")):
        wanted = {call: use["input"]["file_path"] for call, (use, _) in asked.items() if use["name"] == name}
        seen = {each["call"]: each for each in of_kind(read(path)[1], "seen") if each["call"] in wanted}
        assert seen.keys() == wanted.keys() & fine
        assert all((seen[call]["path"], seen[call]["how"]) == (wanted[call], how) for call in seen)


@each_file
def test_an_edit_leaves_what_the_next_one_finds(path: Path) -> None:
    """What an edit made of a file is what the next call that gives all of it shows, unless something came between."""
    _, ended = blocks(path, "assistant", "tool_use"), blocks(path, "user", "tool_result")
    after: dict[str, str] = {}
    agree = differ = 0
    for each in of_kind(read(path)[1], "seen"):
        told = ended.get(each["call"], ({}, {}))[1].get("toolUseResult")
        before = told.get("originalFile") if isinstance(told, dict) else None
        if each["how"] == "edit" and each["path"] in after and isinstance(before, str):
            agree, differ = agree + (before == after[each["path"]]), differ + (before != after[each["path"]])
        if each["how"] in ("edit", "write") and "slice" not in each and "content" in each:
            after[each["path"]] = each["content"]
    assert agree >= 9 * differ


@each_file
def test_tokens(path: Path) -> None:
    """One point for each message that has usage, as recorded."""
    names = ("input_tokens", "cache_read_input_tokens", "cache_creation_input_tokens")
    curve: dict[str, int] = {}
    for record in records(path):
        if record.value["type"] == "assistant" and not record.value.get("isSidechain"):
            message = record.value["message"]
            curve.setdefault(message["id"], sum(message["usage"][name] for name in names))
    told = {each["call"]: each["window"] for each in of_kind(read(path)[1], "usage")}
    assert list(told.items()) == [(name, window) for name, window in curve.items() if window]


@each_file
def test_compactions_stand_where_they_stood(path: Path) -> None:
    raw = [each.value for each in records(path)]
    wanted = [
        (value["uuid"], value["compactMetadata"]["preTokens"], raw[at + 1]["message"]["content"])
        for at, value in enumerate(raw)
        if value.get("subtype") == "compact_boundary"
    ]
    cuts = of_kind(read(path)[1], "compaction")
    assert [(each["call"], each["before"], each["summary"]) for each in cuts] == wanted


@pytest.mark.skipif(not TRUTH.exists(), reason=f"no {TRUTH}")
def test_the_count_that_came_with_them() -> None:
    for name, truth in json.loads(TRUTH.read_text()).items():
        reader, told = read(FOLDER / name)
        tools, usage = of_kind(told, "tool"), of_kind(told, "usage")
        points = [each["window"] for each in usage if "phase" not in each]
        assert len(tools) + len(list(reader.pending())) == truth["tool_steps"]
        assert sum(each["outcome"] == "error" for each in tools) == len(truth["error_results"])
        assert (len(points), max(points)) == (truth["api_calls"], truth["max_ctx"])
        assert [each["before"] for each in of_kind(told, "compaction")] == [
            each["pre"] for each in truth["compactions"]
        ]


def rereads() -> list[Any]:
    truth = json.loads(TRUTH.read_text()) if TRUTH.exists() else {}
    return [
        pytest.param(FOLDER / name, told["rereads_after_eviction"], id=name.partition(".")[0])
        for name, told in truth.items()
        if told["rereads_after_eviction"]
    ]


@pytest.mark.parametrize(("path", "again"), rereads())
def test_what_was_lost_is_missing_until_it_is_read_again(path: Path, again: list[dict[str, Any]]) -> None:
    """Whatever was read, dropped by a compaction and read again later isn't held just before that: nothing of it, or
    what was shown of it since."""
    lines = {each["reread_line"]: each["file"] for each in again}
    folded, found = Folded(), 0
    reader = ClaudeCode(path.stem)
    for record in records(path):
        if record.line in lines:
            (use,) = [each["input"] for each in record.value["message"]["content"] if each["type"] == "tool_use"]
            assert use["file_path"].endswith(lines[record.line])
            node = folded.node(use["file_path"])
            assert folded.held(reader.origin.session).state(node).state not in ("in", "patched")
            assert folded.after_cut[node] in ("out", "uncertain")  # the host may have shown it again
            found += 1
        for observation in reader.feed(record):
            folded.tell(observation, reader.origin)
    assert found == len(again)


class Folded:
    """The world after some observations."""

    def __init__(self) -> None:
        self.facts, self.world, self.step = Told(), new_world(), 1
        self.place = NOWHERE
        self.after_cut: dict[str, str] = {}
        """File → its state right after the last compaction."""
        apply(self.world, 1, epoch.current(), self.facts)

    def tell(self, observation: Observation, origin: Origin) -> None:
        self.place = Place((origin.cwd,))
        admitted = admit(observation, self.place)
        self.facts.contents |= {blob.hex(): content.decode() for blob, content in admitted.blobs}
        self.step += 1
        apply(self.world, self.step, admitted.op, self.facts)
        if observation["kind"] == "compaction":
            held = self.held(origin.session)
            self.after_cut = {file_node(path): held.state(file_node(path)).state for path in self.world.graph.files}

    def held(self, session: str) -> Held:
        return self.world.hosts.contexts["claude-code", session, ""]

    def node(self, path: str) -> str:
        return file_node(recorded(path, self.place))


def test_a_session_that_grew_tells_more_of_the_same() -> None:
    grown = [path for path in FILES if "growing" in path.stem]
    if not grown:
        pytest.skip("no session that was recorded while it grew")
    for one, next_one in pairwise(grown):
        told = observed_of(one)
        assert told == observed_of(next_one)[: len(told)]


def observed_of(path: Path) -> list[Observation]:
    reader = ClaudeCode(path.stem)
    return [each for record in records(path) for each in reader.feed(record)]


def test_an_export_of_words_has_prompts_and_no_calls() -> None:
    exports = [path for path in FILES if records(path)[0].value["type"] == "sanitization_notice"]
    if not exports:
        pytest.skip("no export that only has words")
    for path in exports:
        asked = [each.value["text"] for each in records(path) if each.value.get("role") == "user"]
        told = read(path)[1]
        assert [each["said"] for each in of_kind(told, "prompt")] == asked
        assert {each["kind"] for each in told} == {"prompt", "turn"}
