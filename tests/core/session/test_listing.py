"""Sessions on this machine: a glance counts what an import counts, and what was found is kept."""

from __future__ import annotations

import json
import os
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ccos_core.intake.glances.claude_code import ClaudeCodeGlance
from ccos_core.intake.glances.codex import CodexGlance
from ccos_core.intake.glances.figures import Figures, Glance, head_records
from ccos_core.intake.importers.claude_code.reader import ClaudeCode
from ccos_core.intake.importers.codex.reader import CodexReader
from ccos_core.intake.importers.lines import records
from ccos_core.intake.importers.record import Reader, Record, Tally
from ccos_core.session import listing
from ccos_core.session.importing import Importing
from ccos_core.session.listing import Listed, listed
from ccos_core.session.transcripts import Story, Tail
from ccos_core.storage import listing_cache
from ccos_core.text.sanitize import clean
from tests.core.intake.importers import claude_code_fixtures, codex_fixtures

SHARED = Path(__file__).resolve().parents[4] / "shared" / "sessions"
CLAUDE = claude_code_fixtures.everything().values
CODEX = codex_fixtures.everything().lines


@pytest.fixture(autouse=True)
def _cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))


def lines(values: list[Any], *, spaced: bool = False) -> bytes:
    separators = None if spaced else (",", ":")
    return b"".join(json.dumps(value, separators=separators).encode() + b"\n" for value in values)


def glanced(raw: bytes, glance: Callable[[list[Record]], Glance], block: int = 10**9) -> Figures:
    looking = glance(head_records(raw))
    pieces = raw.splitlines(keepends=True)
    for at in range(0, len(pieces), block):
        looking.feed(b"".join(pieces[at : at + block]))
    return looking.figures()


def counted(raw: bytes, reader: Reader) -> dict[str, int]:
    told = [each for record in records([raw], Tally()) for each in reader.feed(record)]
    calls = sum(each["kind"] == "tool" for each in told) + len(list(reader.pending()))
    failures = sum(each.get("outcome") == "error" for each in told)
    compactions = sum(each["kind"] == "compaction" for each in told)
    return {"calls": calls, "failures": failures, "compactions": compactions, "records": reader.tally.records}


def of(figures: Figures) -> dict[str, int]:
    return {name: getattr(figures, name) for name in ("calls", "failures", "compactions", "records")}


@pytest.mark.parametrize("spaced", [False, True])
@pytest.mark.parametrize("block", [1, 3, 10**9])
def test_a_glance_counts_what_an_import_counts(spaced: bool, block: int) -> None:
    raw = lines(CLAUDE, spaced=spaced)
    assert of(glanced(raw, ClaudeCodeGlance, block)) == counted(raw, reader := ClaudeCode("x"))
    found = glanced(raw, ClaudeCodeGlance, block)
    assert (found.session, found.cwd) == (reader.origin.session, reader.origin.cwd)
    assert found.model == "claude-opus-4-6"
    raw = lines(CODEX, spaced=spaced)
    assert of(glanced(raw, CodexGlance, block)) == counted(raw, codex := CodexReader("x"))
    found = glanced(raw, CodexGlance, block)
    assert (found.session, found.cwd, found.started) == (codex.origin.session, codex.origin.cwd, codex.origin.started)


WORDS = st.sampled_from(
    [
        '"tool_use_id":"t9"',
        '"is_error":true',
        '{"type":"tool_use","id":"t8"}',
        '"subtype":"compact_boundary"',
        "\n",
        "\\",
    ]
)


@given(st.lists(WORDS, max_size=6).map("".join), st.booleans())
def test_what_is_said_counts_nothing(said: str, wrong: bool) -> None:
    """Words of a transcript inside of a transcript are words."""
    talk = claude_code_fixtures.Talk()
    talk.prompt(said)
    talk.call("c1", "Bash", {"command": said}, said, {"stdout": said, "tool_use_id": "c7", "is_error": True})
    talk.call("c2", "Task", {"prompt": said, "model": "other"}, said, is_error=wrong)
    found = glanced(lines(talk.values), ClaudeCodeGlance)
    assert (found.calls, found.failures, found.compactions) == (2, int(wrong), 0)
    rollout = codex_fixtures.Rollout().turn().user(said).ran("c1", said, said).ran("c2", said, said, int(wrong))
    found = glanced(lines(rollout.lines), CodexGlance)
    assert (found.calls, found.failures, found.compactions) == (2, int(wrong), 0)


def test_errors_among_several_results_of_a_record() -> None:
    talk = claude_code_fixtures.Talk()
    talk.says(*(claude_code_fixtures.use(f"c{number}", "Bash", {}) for number in range(3)))
    blocks = [{"is_error": number == 1, "type": "tool_result", "tool_use_id": f"c{number}"} for number in range(3)]
    talk.prompt(blocks)
    found = glanced(lines(talk.values), ClaudeCodeGlance)
    assert (found.calls, found.failures) == (3, 1)


@pytest.mark.parametrize(
    ("folder", "glance", "reader"),
    [("claude-code", ClaudeCodeGlance, ClaudeCode), ("codex", CodexGlance, CodexReader)],
)
def test_recordings_at_a_glance(
    folder: str, glance: Callable[[list[Record]], Glance], reader: Callable[[str], Reader]
) -> None:
    found = sorted((SHARED / folder).glob("*.jsonl"))
    if not found:
        pytest.skip(f"no recordings in {SHARED / folder}")
    for path in found:
        raw = path.read_bytes()
        told = counted(raw, reader("x"))
        told.pop("records")  # two on one line are one here
        assert of(glanced(raw, glance)).items() >= told.items(), path.name


# ---- what it began with ----


def first_told(path: Path) -> str:
    """What an import has a person say first."""
    told = Tail(str(path))
    said = [*told.read(), *told.finish()]
    return next((each["said"] for each in said if each["kind"] == "prompt" and each["source"] == "user"), "")


@pytest.mark.parametrize("raw", [lines(CLAUDE), lines(CODEX)])
def test_a_session_says_what_a_person_said_first(tmp_path: Path, raw: bytes) -> None:
    path = written(tmp_path / "s.jsonl", raw)
    (each,) = found(path)
    assert each.prompt
    assert each.prompt == " ".join(first_told(path).split())


def test_recordings_say_what_a_person_said_first(tmp_path: Path) -> None:
    for path in sorted(SHARED.glob("*/*.jsonl")):
        for each in found(path):
            told = " ".join(clean(first_told(path))[0].split())
            assert told.startswith(each.prompt.removesuffix("…")), path
            assert each.prompt or not told, path


def test_a_first_prompt_behind_much_that_the_host_says(tmp_path: Path) -> None:
    talk = claude_code_fixtures.Talk()
    for number in range(100):
        talk.prompt(f"<command-name>/{number}</command-name>" + "x" * 2_000)
    talk.prompt("At last")
    assert [each.prompt for each in found(written(tmp_path / "s.jsonl", lines(talk.values)))] == ["At last"]


def test_a_first_prompt_is_short_and_on_one_line_and_has_no_secret(tmp_path: Path) -> None:
    key = "ghp_" + "a1B2c3D4e5" * 4
    talk = claude_code_fixtures.Talk()
    talk.prompt(f"Use {key}\nfor\u200b\tit " + "and go on " * 4_000)
    (each,) = found(written(tmp_path / "s.jsonl", lines(talk.values)))
    assert each.prompt.startswith("Use ")
    assert key not in each.prompt
    assert len(each.prompt) == listing.LONGEST_PROMPT + 1
    assert not any(char in each.prompt for char in "\n\t\u200b")
    assert key.encode() not in Path(listing_cache.path()).read_bytes()


def test_what_a_subagent_was_told_is_nobodys_first_prompt(tmp_path: Path) -> None:
    talk = claude_code_fixtures.Talk(isSidechain=True, agentId="a1")
    talk.prompt("Look for it")
    assert [each.prompt for each in found(written(tmp_path / "s.jsonl", lines(talk.values)))] == [""]


# ---- the list ----


def found(path: Path) -> list[Listed]:
    return list(listed([str(path)]).sessions)


def written(path: Path, raw: bytes) -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(raw)
    return path


def test_what_was_found_is_kept_as_long_as_it_is_true(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = written(tmp_path / "there" / "a.jsonl", lines(CLAUDE))
    written(tmp_path / "there" / "b.jsonl", lines(CODEX))
    written(tmp_path / "there" / "c.json", b"[]")
    looked: list[str] = []
    look = listing._seen
    monkeypatch.setattr(listing, "_seen", lambda path: (looked.append(path), look(path))[1])
    first = found(tmp_path / "there")
    assert [each.agent for each in first] == ["claude-code", "codex"]
    assert len(looked) == 3
    assert found(tmp_path / "there") == first
    assert len(looked) == 3
    path.write_bytes(lines(CLAUDE[:-1]))
    assert len(found(tmp_path / "there")) == 2
    assert looked[3:] == [str(path)]
    monkeypatch.setattr(listing, "VERSION", listing.VERSION + 1)
    found(tmp_path / "there")
    assert len(looked) == 7


@pytest.mark.parametrize("spoiled", [b"", b"garbage" * 1000, None])
def test_a_spoilt_cache_is_begun_anew(tmp_path: Path, spoiled: bytes | None) -> None:
    written(tmp_path / "there" / "a.jsonl", lines(CLAUDE))
    first = found(tmp_path / "there")
    kept = Path(listing_cache.path())
    assert kept.stat().st_mode & 0o777 == 0o600
    kept.unlink()
    if spoiled is None:
        kept.mkdir()
    else:
        kept.write_bytes(spoiled)
    assert found(tmp_path / "there") == first


def test_subagents_belong_to_their_session(tmp_path: Path) -> None:
    alone = found(written(tmp_path / "one" / "s.jsonl", lines(CLAUDE)).parent)[0]
    written(tmp_path / "two" / "s.jsonl", lines(CLAUDE))
    talk = claude_code_fixtures.Talk(isSidechain=True, agentId="a1")
    talk.call("x1", "Bash", {}, "no", is_error=True)
    written(tmp_path / "two" / "s" / "subagents" / "deep" / "agent-a1.jsonl", lines(talk.values))
    written(tmp_path / "two" / "gone" / "subagents" / "agent-a2.jsonl", lines(talk.values))
    with_it = found(tmp_path / "two")
    assert len(with_it) == 1
    assert (with_it[0].calls, with_it[0].failures) == (alone.calls + 1, alone.failures + 1)
    assert (with_it[0].subagents, alone.subagents) == (1, 0)


def test_subagents_beside_their_session_belong_to_it_too(tmp_path: Path) -> None:
    session = claude_code_fixtures.SESSION
    written(tmp_path / f"{session}.jsonl", lines(CLAUDE))
    talk = claude_code_fixtures.Talk(isSidechain=True, agentId="a1")
    talk.call("x1", "Bash", {}, "no", is_error=True)
    written(tmp_path / "agent-a1.jsonl", lines(talk.values))
    written(tmp_path / "gone" / "agent-a1.jsonl", lines(talk.values))
    with_it, alone = sorted(found(tmp_path), key=lambda each: -each.subagents)
    assert (with_it.subagents, Path(with_it.path).name, Path(alone.path).parent.name) == (1, f"{session}.jsonl", "gone")


def test_what_a_subagent_does_counts_once_wherever_it_is_told(tmp_path: Path) -> None:
    """A session may report each record of its subagent, which has a transcript of its own, and one that has none."""
    talk, own = claude_code_fixtures.Talk(), claude_code_fixtures.Talk(isSidechain=True, agentId="a1")
    talk.call("m1", "Bash", {}, "no", is_error=True)
    for agent, call, wrong in (("a1", "x1", True), ("a1", "x2", False), ("a2", "y1", True)):
        use = {"role": "assistant", "id": f"msg_{call}", "content": [claude_code_fixtures.use(call, "Bash", {})]}
        block = {"type": "tool_result", "tool_use_id": call, "content": "said", "is_error": wrong}
        talk.progress(agent, use, "assistant")
        talk.progress(agent, {"role": "user", "content": [block]}, "user")
    for call, wrong in (("x1", True), ("x2", False), ("x3", True)):
        own.call(call, "Bash", {}, "said", is_error=wrong)
    written(tmp_path / "s" / "subagents" / "agent-a1.jsonl", lines(own.values))
    (told,) = found(written(tmp_path / "s.jsonl", lines(talk.values)).parent)
    assert (told.calls, told.failures, told.subagents) == (5, 4, 1)
    with Importing(str(tmp_path / "w.ccos")) as importing:
        counts = importing.take(Story(Tail(str(tmp_path / "s.jsonl")))).counts
    assert (counts.calls, counts.failures) == (told.calls, told.failures)
    assert found(tmp_path) == [told]


def test_places_follow_the_agents_own_variables(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("CLAUDE_CONFIG_DIR", str(tmp_path / "c"))
    monkeypatch.setenv("CODEX_HOME", str(tmp_path / "x"))
    written(tmp_path / "c" / "projects" / "p" / "a.jsonl", lines(CLAUDE))
    written(tmp_path / "x" / "sessions" / "2026" / "01" / "rollout-b.jsonl", lines(CODEX))
    written(tmp_path / "x" / "archived_sessions" / "rollout-c.jsonl", lines(CODEX))
    told = listed().sessions
    assert [each.agent for each in told] == ["claude-code", "codex", "codex"]
    assert told[0].started is not None
    assert sorted(told, key=lambda each: -(each.started or 0)) == list(told)


def test_a_record_that_is_longer_than_what_is_looked_at(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(listing, "BLOCK", 1_000)
    talk = claude_code_fixtures.Talk()
    talk.prompt("x" * 200_000)
    talk.call("c1", "Read", {}, "y" * 50_000)
    told = found(written(tmp_path / "s.jsonl", lines(talk.values)))
    assert [(each.records, each.calls, each.project) for each in told] == [(3, 1, claude_code_fixtures.CWD)]


def test_what_links_lead_to_is_listed_once_and_where_it_lies(tmp_path: Path) -> None:
    folder = Path(os.path.realpath(tmp_path)) / "sessions"
    (folder / "real").mkdir(parents=True)
    session = folder / "real" / "s.jsonl"
    session.write_bytes(lines(CLAUDE))
    (folder / "a-link.jsonl").symlink_to(session)
    (folder / "alias").symlink_to(folder / "real")
    (folder / "real" / "z-other-name.jsonl").hardlink_to(session)
    for paths in ([folder], [folder / "a-link.jsonl", folder], [folder / "alias", folder]):
        assert [each.path for each in listed(list(map(str, paths))).sessions] == [str(session)]
    alone = [str(folder / "a-link.jsonl")]
    assert [each.path for each in listed(alone).sessions] == alone


def test_what_only_looks_like_another_file_is_listed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A disk may number its files as another does, or not at all."""
    paths = [str(tmp_path / f"{name}.jsonl") for name in "ab"]
    for path in paths:
        Path(path).write_bytes(lines(CLAUDE))
    monkeypatch.setattr(listing, "_stated", lambda path: iter([listing_cache.File(path, 0, len(lines(CLAUDE)), 1)]))
    assert sorted(each.path for each in listed(paths).sessions) == paths


def test_files_that_are_odd_are_left_out(tmp_path: Path) -> None:
    there = tmp_path / "there"
    written(there / "empty.jsonl", b"")
    written(there / "torn.jsonl", lines(CLAUDE)[:40])
    written(there / "other.jsonl", b'{"a":1}\n' * 10)
    os.symlink(there / "nothing", there / "link.jsonl")
    (there / "folder.jsonl").mkdir()
    assert found(there) == []
