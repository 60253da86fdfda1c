"""Transcripts going into a workspace: the same chain whoever imports them and when, and nothing twice."""

from __future__ import annotations

import io
import itertools
import json
import subprocess
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from ccos_core.intake.importers.formats import Transcript
from ccos_core.intake.importers.record import Observation
from ccos_core.intake.importers.telling import Telling
from ccos_core.ops.plain import unseal
from ccos_core.session import importing
from ccos_core.session import importing as module
from ccos_core.session.imported import Counting, Imported, UnderWay
from ccos_core.session.importing import Importing, follow
from ccos_core.session.lifecycle import init
from ccos_core.session.repository import Repository
from ccos_core.session.transcripts import Story, Tail, stories
from ccos_core.storage.opening import open_record
from ccos_core.storage.proof import prove
from sample_workspaces import till
from tests.core.intake.importers.claude_code_fixtures import CWD, SESSION, SHOP, Talk, everything, listed, read_of

Hashes = list[bytes]
SHARED = Path(__file__).resolve().parents[4] / "shared" / "sessions"
RECORDED = sorted((SHARED / "claude-code").glob("entire*.jsonl"))
READ = ("claude-code", "codex", "mini-swe-agent", "opencode", "swe-agent")


def lines(values: list[Any]) -> bytes:
    return b"".join(json.dumps(value).encode() + b"\n" for value in values)


def written(path: Path, values: list[Any]) -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(lines(values))
    return path


def imported(transcript: Path, ws: Path, repository: Repository | None = None) -> Imported:
    with Importing(str(ws), repository.put_before if repository else None) as importing:
        return importing.take(Story(Tail(str(transcript))))


def chain(ws: Path) -> Hashes:
    with open_record(str(ws)) as record:
        proof = prove(record)
        assert proof.valid, proof.troubles
        return [hash_ for _, hash_, _ in record.rows()]


def ops(ws: Path, *kinds: str) -> list[dict[str, Any]]:
    with open_record(str(ws)) as record:
        told = [unseal(body) for _, _, body in record.rows()]
    return [op for op in told if not kinds or op["kind"] in kinds]


def content(ws: Path, op: dict[str, Any]) -> str:
    with open_record(str(ws)) as record:
        return record.content(bytes.fromhex(op["content"]["blob"])).decode()


def test_a_session_is_counted_as_it_is_recorded(tmp_path: Path) -> None:
    told = imported(written(tmp_path / "s.jsonl", everything().values), tmp_path / "w.ccos")
    recorded = ops(tmp_path / "w.ccos")
    counts = told.counts
    assert (told.agent, told.session, told.cwd) == ("claude-code", "5e55-0001", CWD)
    assert told.added == len(recorded) - 1
    assert counts.calls == sum(op["kind"] == "tool" for op in recorded) == 7
    assert counts.failures == sum(op.get("outcome") == "error" for op in recorded) == 1
    assert counts.compactions == sum(op["kind"] == "compaction" for op in recorded) == 1
    assert counts.reads == sum(op.get("how") == "read" for op in recorded)
    usages = [op for op in recorded if op["kind"] == "usage" and op.get("context", "main") == "main"]
    assert counts.peak == max(op["window"] for op in usages)
    assert counts.contexts == 2


def test_paths_lose_the_machine_they_come_from(tmp_path: Path) -> None:
    talk = Talk(cwd="/Users/kim/shop")
    for number, path in enumerate(["/Users/kim/shop/src/a.go", "/Users/kim/notes.md", "/etc/hosts"]):
        talk.call(f"c{number}", "Read", {"file_path": path}, listed("x\n"), read_of(path, "x\n"))
    imported(written(tmp_path / "s.jsonl", talk.values), tmp_path / "w.ccos")
    assert [op["path"] for op in ops(tmp_path / "w.ccos", "seen")] == ["src/a.go", "~/notes.md", "/etc/hosts"]


def test_the_same_project_on_two_machines_is_one(tmp_path: Path) -> None:
    for session, cwd in (("s1", "/home/ann/shop"), ("s2", "/Users/kim/shop"), ("s3", "/Users/kim/other")):
        talk = Talk(session, cwd=cwd)
        talk.call(f"{session}-1", "Read", {"file_path": f"{cwd}/a.py"}, listed("x\n"), read_of(f"{cwd}/a.py", "x\n"))
        imported(written(tmp_path / f"{session}.jsonl", talk.values), tmp_path / "w.ccos")
    assert [op["path"] for op in ops(tmp_path / "w.ccos", "seen")] == ["a.py", "a.py", "/Users/kim/other/a.py"]


def test_a_workspace_of_a_real_folder_takes_sessions_from_elsewhere(tmp_path: Path) -> None:
    (tmp_path / "shop").mkdir()
    init(str(tmp_path / "w.ccos"), str(tmp_path / "shop"))
    imported(written(tmp_path / "s.jsonl", everything().values), tmp_path / "w.ccos")
    assert {op["path"] for op in ops(tmp_path / "w.ccos", "seen")} >= {"shop.py"}


@pytest.mark.parametrize("cut", [1, 5, 9, 14, 20, 27, 30])
def test_what_has_grown_adds_what_is_new(tmp_path: Path, cut: int) -> None:
    """The chain of a part is the beginning of the chain of the whole, however the whole came in."""
    values = everything().values
    imported(written(tmp_path / "s.jsonl", values), tmp_path / "whole.ccos")
    whole = chain(tmp_path / "whole.ccos")
    imported(written(tmp_path / "s.jsonl", values[:cut]), tmp_path / "grown.ccos")
    part = chain(tmp_path / "grown.ccos") if (tmp_path / "grown.ccos").exists() else []
    assert whole[: len(part)] == part
    told = imported(written(tmp_path / "s.jsonl", values), tmp_path / "grown.ccos")
    assert chain(tmp_path / "grown.ccos") == whole
    assert told.added == len(whole) - max(len(part), 1)
    assert imported(tmp_path / "s.jsonl", tmp_path / "grown.ccos").added == 0


def test_what_is_known_never_comes_to_the_gate(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    written(tmp_path / "s.jsonl", everything().values)
    first = imported(tmp_path / "s.jsonl", tmp_path / "w.ccos")

    def refuse(*_: object) -> None:
        raise AssertionError

    monkeypatch.setattr("ccos_core.session.importing.admit", refuse)
    again = imported(tmp_path / "s.jsonl", tmp_path / "w.ccos")
    assert (again.added, again.counts) == (0, first.counts)


@pytest.mark.parametrize("after", [1, 7, 20])
def test_an_import_that_was_interrupted_goes_on(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, after: int) -> None:
    written(tmp_path / "s.jsonl", everything().values)
    imported(tmp_path / "s.jsonl", tmp_path / "whole.ccos")
    monkeypatch.setattr(module, "BATCH", 3)
    let_in = importing.admit
    count = 0

    def interrupted(*given: Any) -> Any:
        nonlocal count
        count += 1
        if count == after:
            raise KeyboardInterrupt
        return let_in(*given)

    monkeypatch.setattr(importing, "admit", interrupted)
    with pytest.raises(KeyboardInterrupt):
        imported(tmp_path / "s.jsonl", tmp_path / "w.ccos")
    part = chain(tmp_path / "w.ccos")
    assert part == chain(tmp_path / "whole.ccos")[: len(part)]
    imported(tmp_path / "s.jsonl", tmp_path / "w.ccos")
    assert chain(tmp_path / "w.ccos") == chain(tmp_path / "whole.ccos")


def test_what_the_gate_refuses_keeps_nothing_else_out(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def spoiled(story: Story, *_: object) -> list[Observation]:
        said: list[Observation] = [{"kind": "nonesuch", "call": "a"}, {"kind": "prompt", "call": "b", "source": "user"}]
        return [*said, {"kind": "prompt", "call": "c", "source": "user", "said": "hello", "host": "demo"}]

    monkeypatch.setattr(Story, "read", spoiled)
    told = imported(written(tmp_path / "s.jsonl", []), tmp_path / "w.ccos")
    assert told.added == 1
    assert sum(each.times for each in told.unread) == 2


def test_every_damage_leaves_what_can_be_read(tmp_path: Path) -> None:
    whole = lines(everything().values)
    broken = [whole[: len(whole) * part // 23] for part in range(24)]
    broken += [whole.replace(b"\n", b"", 1), whole.replace(b'"t3"', b'"\x00t3"'), whole + whole, b"{]\n" * 20 + whole]
    for number, given in enumerate(broken):
        (tmp_path / "s.jsonl").write_bytes(given)
        told = imported(tmp_path / "s.jsonl", tmp_path / f"{number}.ccos")
        if told.added:
            chain(tmp_path / f"{number}.ccos")
    assert told.counts.calls == 7
    assert sum(each.times for each in told.unread) == 20


@pytest.mark.parametrize("name", till.TRANSCRIPTS)
def test_what_is_there_of_any_transcript_is_the_beginning_of_all_of_it(tmp_path: Path, name: str) -> None:
    raw = till.TRANSCRIPTS[name]().encode()
    (tmp_path / name).write_bytes(raw)
    imported(tmp_path / name, tmp_path / "whole.ccos")
    whole = chain(tmp_path / "whole.ccos")
    part_of_it: list[bytes] = []
    for part in range(1, 6):
        (tmp_path / name).write_bytes(raw[: len(raw) * part // 6 + 7 * part])
        imported(tmp_path / name, tmp_path / f"{part}.ccos")
        if (tmp_path / f"{part}.ccos").exists():
            part_of_it = chain(tmp_path / f"{part}.ccos")
            assert whole[: len(part_of_it)] == part_of_it
    if name != "swe_agent.traj":  # whose first words stand behind its last step
        assert len(part_of_it) > len(whole) // 2


# ---- sources that are at hand ----


def repository(folder: Path) -> Repository:
    folder.mkdir()
    (folder / "shop.py").write_text("# as it is today\n")
    (folder / "till.py").write_text("import shop\n")
    (folder / ".env").write_text("A=1\n")
    (folder / ".ccosignore").write_text("secret/\n")
    (folder / "secret").mkdir()
    (folder / "secret" / "a.py").write_text("x = 1\n")
    return Repository(str(folder))


def test_sources_complete_what_the_session_saw(tmp_path: Path) -> None:
    at_hand = repository(tmp_path / "shop")
    written(tmp_path / "s.jsonl", everything().values)
    imported(tmp_path / "s.jsonl", tmp_path / "w.ccos", at_hand)
    seen = ops(tmp_path / "w.ccos", "seen")
    looked = [op["path"] for op in seen if op["how"] == "ingest"]
    assert looked == [".ccosignore", ".env", "shop.py", "till.py"]
    assert [op["how"] for op in seen[:4]] == ["ingest"] * 4
    versions = [content(tmp_path / "w.ccos", op) for op in seen if op["path"] == "shop.py" and "slice" not in op]
    assert versions[:2] == ["# as it is today\n", SHOP]
    (tmp_path / "shop" / "new.py").write_text("y = 1\n")
    imported(tmp_path / "s.jsonl", tmp_path / "w.ccos", at_hand)
    assert [op["path"] for op in ops(tmp_path / "w.ccos", "seen")[len(seen) :]] == ["new.py"]


def test_a_commit_has_the_sources_of_its_time(tmp_path: Path) -> None:
    folder = tmp_path / "shop"
    repository(folder)
    (folder / "logo.png").write_bytes(b"\x89PNG")
    (folder / "data.txt").write_bytes(b"a\x00b")
    git = ["git", "-C", str(folder), "-c", "user.name=a", "-c", "user.email=a@b", "-c", "commit.gpgsign=false"]
    for words in (["init", "-q"], ["add", "-A"], ["commit", "-q", "-m", "first"]):
        subprocess.run([*git, *words], check=True, capture_output=True)
    (folder / "till.py").write_text("changed since\n")
    imported(written(tmp_path / "s.jsonl", everything().values), tmp_path / "w.ccos", Repository(str(folder), "HEAD"))
    looked = {op["path"]: op for op in ops(tmp_path / "w.ccos", "seen") if op["how"] == "ingest"}
    assert list(looked) == [".ccosignore", ".env", "secret/a.py", "shop.py", "till.py"]
    assert content(tmp_path / "w.ccos", looked["till.py"]) == "import shop\n"
    assert [looked[path].get("withheld") for path in (".env", "secret/a.py")] == ["secret-path", "ccosignore"]


# ---- several files, and those that grow ----


def with_subagent(folder: Path, upto: int) -> Path:
    """A session and what its subagent wrote, both up to a moment."""
    main, other = Talk(), Talk(isSidechain=True, agentId="a1")
    for second in range(8):
        talk = other if second % 3 == 1 else main
        call = f"c{second}"
        talk.call(call, "Bash", {"command": "true"}, "", {"stdout": ""})
        for value in talk.values[-2:]:
            value["timestamp"] = f"2026-03-01T10:00:{second:02}Z"
    for talk in (main, other):
        talk.values = [value for value in talk.values if int(value["timestamp"][17:19]) < upto]
    written(folder / "s" / "subagents" / "agent-a1.jsonl", other.values)
    return written(folder / "s.jsonl", main.values)


def with_subagent_beside(folder: Path, upto: int) -> Path:
    """The same as older versions have it: the subagent's file beside its session's, which names it."""
    path = with_subagent(folder, upto)
    (folder / "s" / "subagents" / "agent-a1.jsonl").rename(folder / "agent-a1.jsonl")
    for each in (path, folder / "agent-a1.jsonl"):
        each.write_text(each.read_text().replace(f'"{SESSION}"', '"s"'))
    return path


def test_a_subagent_beside_its_session_comes_with_it(tmp_path: Path) -> None:
    written(
        tmp_path / "agent-b2.jsonl", [{**Talk().prompt("of another"), "sessionId": "elsewhere", "isSidechain": True}]
    )
    path = with_subagent_beside(tmp_path, 8)
    imported(path, tmp_path / "w.ccos")
    calls = ops(tmp_path / "w.ccos", "tool")
    assert [op["call"] for op in calls] == [f"c{number}" for number in range(8)]
    assert [op.get("context") for op in calls][:3] == [None, "a1", None]
    assert [op["said"] for op in ops(tmp_path / "w.ccos", "prompt")] == []
    with_subagent_beside(tmp_path / "growing", 4)
    (growing,) = stories([str(tmp_path / "growing")])
    assert [Path(each).name for each in growing.paths] == ["s.jsonl"]
    told = [each["call"] for each in growing.read() if each["kind"] == "tool"]
    assert [Path(each).name for each in growing.paths] == ["s.jsonl", "agent-a1.jsonl"]
    assert told == [f"c{number}" for number in range(4)]


def test_a_folder_has_each_session_once_wherever_its_subagents_lie(tmp_path: Path) -> None:
    with_subagent_beside(tmp_path, 8)
    written(tmp_path / "agent-b2.jsonl", [{**Talk().prompt("of another"), "sessionId": "elsewhere"}])
    found = [Path(story.main.path).name for story in stories([str(tmp_path)])]
    assert found == ["agent-b2.jsonl", "s.jsonl"]
    assert list(Story(Tail(str(tmp_path / "agent-b2.jsonl"))).paths) == [str(tmp_path / "agent-b2.jsonl")]


def test_subagents_come_with_their_session_in_the_order_of_time(tmp_path: Path) -> None:
    imported(with_subagent(tmp_path, 8), tmp_path / "w.ccos")
    calls = ops(tmp_path / "w.ccos", "tool")
    assert [op["call"] for op in calls] == [f"c{number}" for number in range(8)]
    assert [op.get("context") for op in calls][:3] == [None, "a1", None]
    imported(with_subagent(tmp_path, 4), tmp_path / "grown.ccos")
    part = chain(tmp_path / "grown.ccos")
    imported(with_subagent(tmp_path, 8), tmp_path / "grown.ccos")
    assert chain(tmp_path / "w.ccos")[: len(part)] == part
    assert chain(tmp_path / "grown.ccos") == chain(tmp_path / "w.ccos")


def test_a_folder_is_the_transcripts_in_it(tmp_path: Path) -> None:
    with_subagent(tmp_path / "there", 8)
    written(tmp_path / "there" / "deep" / "b.jsonl", everything().values)
    written(tmp_path / "there" / "settings.json", [{"a": 1}])
    (tmp_path / "there" / "notes.txt").write_text("x")
    found = list(stories([str(tmp_path / "there")], io.BytesIO()))
    assert [Path(story.main.path).name for story in found] == ["s.jsonl", "b.jsonl"]


class Writer:
    """Somebody who writes to a transcript whenever it has been looked at; a clock that goes by looks."""

    def __init__(self, path: Path, pieces: list[bytes]) -> None:
        self.path, self.pieces, self.now = path, pieces, 0.0

    def __call__(self, seconds: float) -> None:
        self.now += seconds
        if self.pieces:
            piece = self.pieces.pop(0)
            if piece.startswith(b"ANEW"):
                self.path.unlink(missing_ok=True)
                self.path.write_bytes(piece.removeprefix(b"ANEW"))
            elif piece == b"AWAY":
                self.path.unlink()
            else:
                with self.path.open("ab") as file:
                    file.write(piece)

    def clock(self) -> float:
        return self.now


def followed(path: Path, ws: Path, pieces: list[bytes]) -> list[int]:
    """How many steps there were after each look that brought some."""
    writer, heads = Writer(path, pieces), []
    with Importing(str(ws)) as importing:
        under_way = UnderWay(Story(Tail(str(path))))
        follow(
            importing, [under_way], lambda: heads.append(importing.head()[0]),
            idle=3, clock=writer.clock, sleep=writer,
        )  # fmt: skip
    return heads


def test_a_session_is_followed_record_by_record(tmp_path: Path) -> None:
    values = everything().values
    whole = lines(values)
    imported(written(tmp_path / "s.jsonl", values), tmp_path / "whole.ccos")
    (tmp_path / "live.jsonl").write_bytes(b"")
    pieces = [whole[at : at + 700] for at in range(0, len(whole), 700)]
    heads = followed(tmp_path / "live.jsonl", tmp_path / "w.ccos", pieces)
    assert len(heads) > 5
    assert chain(tmp_path / "w.ccos") == chain(tmp_path / "whole.ccos")


def test_a_transcript_that_is_replaced_cut_or_away_is_begun_anew(tmp_path: Path) -> None:
    whole = lines(everything().values)
    imported(written(tmp_path / "s.jsonl", everything().values), tmp_path / "whole.ccos")
    half = whole[: whole.index(b"\n", len(whole) // 2) + 1]
    (tmp_path / "live.jsonl").write_bytes(half)
    pieces = [b"AWAY", b"ANEW" + half[:2000], b"ANEW" + half, whole[len(half) :], b"ANEW" + whole]
    followed(tmp_path / "live.jsonl", tmp_path / "w.ccos", pieces)
    assert chain(tmp_path / "w.ccos") == chain(tmp_path / "whole.ccos")


# ---- what agents really wrote ----


def recordings(folder: str, pattern: str) -> list[Path]:
    found = sorted((SHARED / folder).glob(pattern))
    if not found:
        pytest.skip(f"no recordings in {SHARED / folder}")
    return found


def test_checkpoints_of_one_session_are_prefixes_of_each_other(tmp_path: Path) -> None:
    chains = []
    for path in recordings("claude-code", "*growing*"):
        imported(path, tmp_path / f"{path.stem}.ccos")
        imported(path, tmp_path / "one.ccos")
        chains.append(chain(tmp_path / f"{path.stem}.ccos"))
        assert chain(tmp_path / "one.ccos") == chains[-1]
    for shorter, longer in itertools.pairwise(chains):
        assert len(shorter) < len(longer)
        assert longer[: len(shorter)] == shorter


def test_every_recording_can_be_imported(tmp_path: Path) -> None:
    for number, path in enumerate(recordings(".", "*/*")):
        if path.parent.name in READ and path.suffix in (".json", ".jsonl", ".traj") and path.stem != "ground_truth":
            told = imported(path, tmp_path / f"{number}.ccos")
            assert told.added > 0, path.name
            assert told.agent == path.parent.name
            chain(tmp_path / f"{number}.ccos")


def test_a_subagents_window_is_not_the_sessions() -> None:
    counting = Counting()
    told = [
        {"kind": "usage", "window": 800},
        {"kind": "usage", "window": 9_000, "context": "sub", "call": "c1"},
        {"kind": "usage", "window": 700},
    ]
    assert list(counting.heard(told)) == told
    assert (counting.counts.peak, counting.counts.window) == (800, 700)


def test_edits_are_calls_that_edited() -> None:
    """Neither what a file was before nor each place of a patch is an edit."""
    header = {"host": "h", "session": "s"}
    told = [
        {"kind": "seen", "how": "ingest", "path": "a.py", "content": "x\n", **header, "call": "c1", "phase": "file.0"},
        {"kind": "seen", "how": "edit", "path": "a.py", "content": "y\n", **header, "call": "c1", "phase": "file.1"},
        {"kind": "seen", "how": "edit", "path": "b.py", "content": "y\n", **header, "call": "c1", "phase": "file.2"},
        {"kind": "seen", "how": "write", "path": "c.py", "content": "y\n", **header, "call": "c2", "phase": "file.0"},
        {"kind": "seen", "how": "read", "path": "c.py", "content": "y\n", **header, "call": "c3", "phase": "file.0"},
    ]
    counting = Counting()
    assert list(counting.heard(told)) == told
    assert (counting.counts.edits, counting.counts.reads, counting.counts.files) == (2, 1, 3)


@pytest.mark.skipif(not RECORDED, reason="no recorded sessions beside the checkout")
@pytest.mark.parametrize("path", RECORDED, ids=lambda path: path.stem[:24])
def test_edits_of_recorded_sessions_are_the_calls_that_edited(path: Path) -> None:
    tools: dict[str, str] = {}
    edits, fine = set[str](), set[str]()
    for line in path.read_text().split("\n"):
        for value in objects_in(line.strip()):
            if value.get("isSidechain") or value.get("type") == "progress":
                continue
            content = (value.get("message") or {}).get("content")
            for block in content if isinstance(content, list) else ():
                if block["type"] == "tool_use":
                    tools[block["id"]] = block["name"]
                elif block["type"] == "tool_result" and not block.get("is_error"):
                    fine.add(block["tool_use_id"])
    transcript, counting = Transcript("s"), Counting()
    for each in counting.heard([*transcript.feed(path.read_bytes()), *transcript.finish()]):
        if each["kind"] == "seen" and each["how"] in ("edit", "write"):
            edits.add(each["call"])
    named = {call for call in fine if tools.get(call) in ("Edit", "Write", "MultiEdit", "NotebookEdit")}
    assert named <= edits
    assert counting.counts.edits == len(edits)


def objects_in(line: str) -> Iterator[dict[str, Any]]:
    decoder, at = json.JSONDecoder(), 0
    while at < len(line):
        value, at = decoder.raw_decode(line, at)
        yield value


def test_a_workspace_that_was_begun_without_thoughts_gets_each_of_them_once(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path, ws = written(tmp_path / "s.jsonl", everything().values), tmp_path / "w.ccos"
    with monkeypatch.context() as older:
        older.setattr(Telling, "thought", lambda *_, **__: iter(()))
        imported(path, ws)
    before = ops(ws)
    told = imported(path, ws)
    thoughts = ops(ws, "thought")
    assert told.counts.thoughts == told.added == len(thoughts) > 0
    assert ops(ws) == [*before, *thoughts]
    assert imported(path, ws).added == 0


@pytest.mark.parametrize(("vocabulary", "lacks"), [(2, True), (3, False)])
def test_a_workspace_knows_that_it_was_begun_before_thoughts(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, vocabulary: int, lacks: bool
) -> None:
    path, ws = written(tmp_path / "s.jsonl", everything().values), tmp_path / "w.ccos"
    monkeypatch.setattr("ccos_core.ops.epoch.VOCABULARY", vocabulary)
    with Importing(str(ws)) as importing:
        assert not importing.lacks_places()
        importing.take(Story(Tail(str(path))))
        assert importing.lacks_places() is lacks
