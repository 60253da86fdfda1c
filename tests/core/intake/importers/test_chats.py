"""What each chat tells, in order, and what its calls did to files."""

import json
import re
from collections import Counter
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from ccos_core.intake.importers.chat import (
    aider,
    amp,
    antigravity,
    chatgpt,
    cline,
    continue_cli,
    copilot,
    cursor,
    cursor_db,
    droid,
    goose,
    grok,
    hermes,
    kimi,
    openhands,
    pi,
    specstory,
    vscode,
    windsurf,
)
from ccos_core.intake.importers.chat.table import CHATS
from ccos_core.intake.importers.formats import Transcript
from ccos_core.intake.importers.record import Format, Observation, Record
from tests.core.intake.importers import chats, chats_as_text
from tests.core.intake.importers.foreign import RECORDINGS, fed, of_kind, recorded, told

SAMPLES = RECORDINGS / "more-formats"
MADE: dict[str, Callable[[], Any]] = {
    "Cursor's database": chats.cursor_db, "vscode-copilot": chats.vscode,
    "amp": chats.amp, "antigravity": chats.antigravity, "cline": chats.cline, "continue": chats.continue_cli,
    "copilot-cli": chats.copilot, "cursor": chats.cursor, "droid": chats.droid, "grok": chats.grok,
    "hermes": chats.hermes, "kimi": chats.kimi, "openhands": chats.openhands, "pi": chats.pi,
    "windsurf": chats.windsurf, "specstory": chats_as_text.specstory, "aider": chats_as_text.aider,
    "chatgpt": chats_as_text.chatgpt, "goose": chats_as_text.goose,
}  # fmt: skip
READ, EDIT = ("/w/a.py", "read"), ("/w/a.py", "edit")


def made_of(format_: Format) -> Any:
    """The session that has everything; one agent may have two formats."""
    return MADE.get(format_.title, MADE.get(format_.name, dict))()


def records_of(format_: Format) -> list[Record]:
    made = made_of(format_)
    if format_.text:
        return [Record(at, line) for at, line in enumerate(made.removesuffix("\n").split("\n"), 1)]
    return recorded(made) if format_.document else [Record(at, value) for at, value in enumerate(made, 1)]


def found(format_: Format) -> list[Observation]:
    return told(format_, records_of(format_))


def kinds(format_: Format) -> str:
    letters = {"prompt": "p", "thought": "h", "turn": "t", "usage": "u", "compaction": "c", "annotation": "n"}
    return "".join(letters.get(each["kind"], "x") for each in found(format_) if each["kind"] in (*letters, "tool"))


@pytest.mark.parametrize(
    ("format_", "wanted"),
    [
        (pi.FORMAT, "phtuxxxppcpct"),
        (droid.FORMAT, "pphtxxtxct"),
        (copilot.FORMAT, "ppphtxxxxuccnht"),
        (kimi.FORMAT, "ppphtxxxuct"),
        (grok.FORMAT, "ppphtxxt"),
        (antigravity.FORMAT, "pphtxxxpct"),
        (windsurf.FORMAT, "ptxxxxxt"),
        (cursor.FORMAT, "pphtxtxxtxt"),
        (cline.FORMAT, "pptxptxptxt"),
        (amp.FORMAT, "phtuxxxct"),
        (continue_cli.FORMAT, "pphtxxxt"),
        (hermes.FORMAT, "pphtxxt"),
        (cursor_db.FORMAT, "phtuxxxht"),
        (vscode.FORMAT, "pptxxtpt"),
        (specstory.FORMAT, "phtxxxxpct"),
        (goose.FORMAT, "phtxxxnpt"),
        (chatgpt.FORMAT, "ppphtxt"),
        (aider.FORMAT, "nnnptnxptn"),
        (openhands.FORMAT, "ppptuxxptuhxxct"),
    ],
    ids=lambda each: each.name if isinstance(each, Format) else "",
)
def test_a_session_is_told_in_order(format_: Format, wanted: str) -> None:
    assert kinds(format_) == wanted
    assert fed(format_, records_of(format_)).tally.times == {}


@pytest.mark.parametrize("format_", CHATS, ids=lambda each: each.title)
def test_the_user_said_one_thing_and_the_host_the_rest(format_: Format) -> None:
    own = [each["said"] for each in of_kind(found(format_), "prompt") if each["source"] == "user"]
    assert own[0] == "Fix it."
    assert all(len(each) < 20 for each in own), own


@pytest.mark.parametrize(
    ("format_", "outcomes", "files"),
    [
        (pi.FORMAT, "c1 ok c2 error c3 ok", [READ, EDIT]),
        (droid.FORMAT, "c1 ok c2 error c3 ok", [READ, EDIT]),
        (copilot.FORMAT, "c1 ok c2 error c3 ok c4 ok", [READ, ("/w/b.py", "write")]),
        (kimi.FORMAT, "c1 ok c2 error c3 ok", [READ, EDIT]),
        (grok.FORMAT, "c1 ok c2 ok", [READ, EDIT]),
        (amp.FORMAT, "c1 ok c2 error c3 ok", [READ, EDIT]),
        (continue_cli.FORMAT, "c1 ok c2 error c3 ok", [READ, EDIT]),
        (specstory.FORMAT, "message 4 ok message 5 error message 6 ok message 7 error", [READ, EDIT]),
        (aider.FORMAT, "aider 2026-01-02 03:04:05: 6.0 ok", [EDIT]),
        (chatgpt.FORMAT, "m4 ok", []),
        (goose.FORMAT, "c1 ok c2 error c3 ok", [READ, EDIT]),
        (openhands.FORMAT, "r1:c1 ok r1:c2 error r1:c4 ok r1:c3 ok", [READ, EDIT]),
        (hermes.FORMAT, "c1 ok c2 ok", [READ, ("/w/b.py", "read")]),
        (cursor_db.FORMAT, "c1 ok c2 error c3 ok", [READ, EDIT]),
        (vscode.FORMAT, "c1 ok c2 ok", [READ, EDIT]),
    ],
    ids=lambda each: each.name if isinstance(each, Format) else "",
)
def test_calls_end_and_do_what_they_did(format_: Format, outcomes: str, files: list[tuple[str, str]]) -> None:
    tools = of_kind(found(format_), "tool")
    assert " ".join(f"{each['call']} {each['outcome']}" for each in tools) == outcomes
    seen = [(each["path"], each["how"]) for each in of_kind(found(format_), "seen") if each["how"] != "ingest"]
    assert [(path if path.startswith("/") else f"/w/{path}", how) for path, how in seen] == files


@pytest.mark.parametrize(
    ("format_", "outcomes", "files"),
    [
        (antigravity.FORMAT, "view_file ok run_command error view_file ok", [READ, ("/w/b.py", "read")]),
        (windsurf.FORMAT, "read_file ok run_command error write_file ok run_command interrupted list_resources error",
         [READ, ("/w/a.py", "write")]),
        (cursor.FORMAT, "Read unknown Write unknown StrReplace unknown Shell ok",
         [("/w/b.py", "write"), EDIT]),
        (cline.FORMAT, "read_file ok replace_in_file ok execute_command error", [READ, EDIT]),
    ],
    ids=lambda each: each.name if isinstance(each, Format) else "",
)  # fmt: skip
def test_calls_without_names_end_in_their_order(format_: Format, outcomes: str, files: list[tuple[str, str]]) -> None:
    tools = of_kind(found(format_), "tool")
    assert " ".join(f"{each['name']} {each['outcome']}" for each in tools) == outcomes
    seen = [(each["path"], each["how"]) for each in of_kind(found(format_), "seen") if each["how"] != "ingest"]
    assert seen == files


def test_a_branch_of_pi_and_what_its_compaction_kept() -> None:
    branch, cut = of_kind(found(pi.FORMAT), "compaction")
    assert branch["kept"] == ["e2", "e3:thought:0", "e3"]
    assert (cut["kept"], cut["summary"], cut["before"], cut["exact"]) == (["e9"], "All so far.", 900, True)


@pytest.mark.parametrize("format_", [pi.FORMAT, amp.FORMAT, kimi.FORMAT, copilot.FORMAT], ids=lambda each: each.name)
def test_tokens_are_split(format_: Format) -> None:
    (usage,) = of_kind(found(format_), "usage")
    assert (usage["fresh"], usage["cached"], usage["written"]) == (40, 60, 9)
    assert usage["model"] == "m-1"


@pytest.mark.parametrize("format_", CHATS, ids=lambda each: each.title)
def test_what_a_session_says_of_itself(format_: Format) -> None:
    origin = fed(format_, records_of(format_)).origin
    assert origin.cwd == (
        "" if format_.name in ("aider", "antigravity", "chatgpt", "cursor", "kimi", "specstory", "windsurf") else "/w"
    )


# -- samples ----------------------------------------------------------------------------------------------------------


def counted(path: Path) -> str:
    """The names of a sample's calls, from its raw JSON alone: any object that names a tool and its arguments."""
    names: Counter[str] = Counter()
    raw = path.read_text()
    values = [json.loads(raw)] if path.suffix == ".json" else [json.loads(line) for line in raw.splitlines() if line]
    seen: set[str] = set()
    for value in (each for top in values for each in objects_in(top)):
        asked = {"input", "arguments", "args", "rawInput"} & set(value)
        name = value.get("name") or value.get("toolName")
        call = value.get("toolCallId") or value.get("id") or ""
        if asked and isinstance(name, str) and call not in seen:
            names[name] += 1
            seen |= {call} if call else set()
    return " ".join(sorted(names.elements()))


def objects_in(value: Any) -> Iterator[dict[str, Any]]:
    if isinstance(value, dict):
        yield value
    for inner in value.values() if isinstance(value, dict) else value if isinstance(value, list) else ():
        yield from objects_in(inner)


@pytest.mark.skipif(not SAMPLES.is_dir(), reason=f"no samples in {SAMPLES}")
@pytest.mark.parametrize(
    "name",
    [
        "copilot_vct.jsonl", "ga_amp-threads_T-019ca1ce-3ae2-7686-a41e-ccc078837f8a.json",
        "ga_copilot_cli_session_events.jsonl", "ga_cursor-session-simple.jsonl",
        "ga_copilot_session_simple.json", "ga_droid-session.jsonl", "ga_pi-session-tool.jsonl", "jz_cursor_large.jsonl",
        "jz_droid_session_store_large.jsonl", "jz_grok_chat_history.jsonl", "jz_kimi_assistant_tools.jsonl",
        "jz_openclaw_large.jsonl", "jz_pi_small.jsonl",
    ],
)  # fmt: skip
def test_a_sample_has_the_calls_of_an_independent_count(name: str) -> None:
    transcript = Transcript("s")
    all_told = [*transcript.feed((SAMPLES / name).read_bytes()), *transcript.finish()]
    assert transcript.reader is not None
    assert transcript.reader.tally.times == {}
    calls = [each["name"] for each in of_kind(all_told, "tool")]
    calls += [each["name"] for each in transcript.reader.pending()]
    assert " ".join(sorted(calls)) == counted(SAMPLES / name)


RUNS = RECORDINGS / "openhands" / "multi_swe_bench_examples_output.jsonl"


@pytest.mark.skipif(not RUNS.is_file(), reason=f"no {RUNS}")
def test_runs_of_openhands_have_their_calls_and_outcomes() -> None:
    """Counted from the raw events: each call is an action with a call's id, and its observation says how it ended."""
    transcript = Transcript("s")
    all_told = [*transcript.feed(RUNS.read_bytes()), *transcript.finish()]
    wanted: list[tuple[str, str, str]] = []
    for run in map(json.loads, RUNS.read_text().splitlines()):
        for event in run["history"]:
            meta = event.get("tool_call_metadata")
            if meta and event.get("observation"):
                code = event["extras"].get("metadata", {}).get("exit_code") or 0
                failed = code or event["content"].startswith("ERROR:") or event["observation"] == "error"
                wanted.append((run["instance_id"], meta["function_name"], "error" if failed else "ok"))
    tools = of_kind(all_told, "tool")
    assert [(each["session"], each["name"], each["outcome"]) for each in tools] == wanted
    assert transcript.reader is not None
    assert transcript.reader.tally.times == {}


def test_a_block_of_aider_changes_what_it_names() -> None:
    """The fence of a block keeps what is in it from being somebody else's words."""
    (call,) = of_kind(found(aider.FORMAT), "tool")
    assert call["arguments"] == {"path": "a.py", "diff": "<<<<<<< SEARCH\none\n=======\n> 1\n#### 2\n>>>>>>> REPLACE"}


@pytest.mark.skipif(not RECORDINGS.is_dir(), reason=f"no recordings in {RECORDINGS}")
def test_histories_as_markdown_have_what_a_count_of_their_lines_has() -> None:
    """Calls by their tags; prompts by the headings outside of them, but those of the host."""
    (path,) = (RECORDINGS / "specstory").glob("*.md")
    transcript = Transcript("s")
    all_told = [*transcript.feed(path.read_bytes()), *transcript.finish()]
    plain = re.sub(r"(?ms)^<tool-use .*?^</details></tool-use>", "", path.read_text())
    said = re.findall(r"(?m)^_\*\*User \(.*\)\*\*_\n\n(?!\[Request int|This session is being cont)", plain)
    prompts = [each for each in of_kind(all_told, "prompt") if each["source"] == "user"]
    tools = of_kind(all_told, "tool")
    assert len(prompts) == len(said)
    assert [each["name"] for each in tools] == re.findall(
        r'(?m)^<tool-use [^>]* data-tool-name="(\w+)"', path.read_text()
    )
    (path,) = (RECORDINGS / "aider").glob("*.md")
    transcript = Transcript("s")
    all_told = [*transcript.feed(path.read_bytes()), *transcript.finish()]
    typed = re.findall(r"(?m)^####.*(?:\n####.*)*", path.read_text())
    assert len([each for each in of_kind(all_told, "annotation") if each["note"].startswith("/")]) == len(typed)


def test_specstory_names_a_refusal_and_an_interruption() -> None:
    prompts = of_kind(found(specstory.FORMAT), "prompt")
    assert [each.get("phase") for each in prompts] == [None, "interruption"]
    assert [each["path"] for each in of_kind(found(specstory.FORMAT), "seen") if each["how"] == "edit"] == ["/w/a.py"]
