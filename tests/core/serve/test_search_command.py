"""`search`: what it prints, in which words it refuses, and which code it ends with."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.core.serve.calling import Caller, environment, outside

TURNS = [
    ("user", "Why is the \x1b[31mtax\x1b[0m a cent too low?"),
    ("assistant", "The tax is rounded down: a cent is lost."),
    ("user", "And the total?"),
]


@pytest.fixture(autouse=True)
def _home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("XDG_STATE_HOME", "XDG_CACHE_HOME", "CODEX_HOME"):
        monkeypatch.setenv(name, str(tmp_path / name.lower()))
    monkeypatch.setenv("CLAUDE_CONFIG_DIR", str(tmp_path / "claude"))
    folder = tmp_path / "claude" / "projects" / "till"
    folder.mkdir(parents=True)
    lines = (
        {
            "type": role, "uuid": f"u{number}", "sessionId": "till-1", "cwd": "/home/kim/till",
            "timestamp": f"2026-03-01T09:00:0{number}.000Z", "message": {"role": role, "content": said},
        }
        for number, (role, said) in enumerate(TURNS)
    )  # fmt: skip
    (folder / "till-1.jsonl").write_text("".join(json.dumps(each) + "\n" for each in lines))


def test_hits_are_listed_below_their_session(run: Caller) -> None:
    done = run("search", "cent", "tax")
    lines = [line for line in done.out.splitlines() if line]
    assert done.code == 0
    assert lines[0].startswith("2026-03-01  claude-code  /home/kim/till  Why is the ")
    assert lines[1].endswith("claude/projects/till/till-1.jsonl")
    assert [line.split()[:2] for line in lines[2:4]] == [["09:00", "text"], ["09:00", "prompt"]]
    assert "The tax is rounded down: a cent is lost." in lines[2]
    assert lines[-1] == "2 texts in 1 of 1 session, newest first"
    assert "\x1b" not in done.out


def test_programs_get_an_object(run: Caller) -> None:
    told = run("search", "cent", "--in", "prompt", "--json").json()
    (hit,) = told["hits"]
    assert (told["schema"], told["texts"], told["searched"]) == ("ccos.search/1", 1, 1)
    assert (hit["kind"], hit["session"], hit["at"]) == ("prompt", "till-1", 1_772_355_600_000)
    assert [hit["snippet"][begin:end] for begin, end in hit["marks"]] == ["cent"]


def test_the_code_is_1_where_nothing_is_found(run: Caller) -> None:
    done = run("search", "nonesuch", "here")
    assert (done.code, done.out) == (1, "\nno text in 1 session has all of: nonesuch here\n")
    assert run("search", "cent", "--since", "2026-03-02").code == 1
    assert run("search", "cent", "--since", "2026-03-01T08:00").code == 0
    assert run("search", "cent", "--since", "1m").code == 1


def test_where_there_is_no_session_it_says_where_it_looked(run: Caller, tmp_path: Path) -> None:
    (tmp_path / "claude/projects/till/till-1.jsonl").unlink()
    done = run("search", "cent")
    assert (done.code, done.out) == (run("sessions").code, "")
    assert "no session was found" in done.err
    assert f"Searched: {tmp_path / 'claude' / 'projects'}, " in done.err
    assert run("search", "cent", "--json").json()["searched"] == 0


def test_where_no_session_is_asked_for_it_says_so(run: Caller) -> None:
    assert run("search", "cent", "--agent", "codex").out == "\nthere is no such session to search\n"


def test_a_long_first_prompt_is_cut_in_a_heading(run: Caller, tmp_path: Path) -> None:
    transcript = tmp_path / "claude/projects/till/till-1.jsonl"
    transcript.write_text(transcript.read_text().replace("a cent too low", "a cent too low " + "again and " * 40))
    heading = next(line for line in run("search", "cent").out.splitlines() if line)
    _, title = heading.split("/home/kim/till  ")
    assert title.endswith("…")
    assert len(title) == 80


def test_limits_are_said(run: Caller) -> None:
    assert run("search", "cent", "--limit", "1").out.endswith("1 of 2 texts in 1 of 1 session, newest first\n")


@pytest.mark.parametrize(
    ("words", "fact"),
    [
        (["cent", "--in", "prompt,dreams"], "dreams: isn't a kind of text"),
        (["cent", "--since", "yesterday"], "yesterday: isn't a time"),
        (["cent", "--since", "2026-02-31"], "2026-02-31: isn't a time"),
        (["***"], "***: there is no word to search for"),
        ([], "Missing argument 'WORDS...'"),
    ],
)
def test_what_is_not_understood_is_refused(run: Caller, words: list[str], fact: str) -> None:
    done = run("search", *words)
    assert (done.code, done.out) == (2, "")
    assert fact in done.err


def test_an_unknown_agent_is_refused(run: Caller) -> None:
    assert "isn't an agent" in run("search", "cent", "--agent", "nobody").err
    assert run("search", "cent", "--agent", "codex").code == 1


def test_a_path_is_searched_instead(run: Caller, tmp_path: Path) -> None:
    told = [
        {"kind": "session", "id": "s", "agent": "mine"},
        {"kind": "prompt", "id": "p", "text": "Elsewhere: a cent."},
    ]
    (tmp_path / "elsewhere.jsonl").write_text("".join(json.dumps(each) + "\n" for each in told))
    assert run("search", "cent", "--path", tmp_path / "elsewhere.jsonl").out.endswith(
        "1 text in 1 of 1 session, newest first\n"
    )
    assert run("search", "cent").out.endswith("2 texts in 1 of 1 session, newest first\n")
    assert run("search", "cent", "--path", tmp_path / "none.jsonl").code == 1


def test_a_person_reads_it_aloud(run: Caller) -> None:
    said = run("search", "cent", "--plain").out
    assert "09:00, text, The tax is rounded down: a cent is lost.\n" in said


def test_where_no_folder_can_be_written_it_says_so(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    done = outside("search", "cent", env=environment(XDG_CACHE_HOME=str(tmp_path / "file")))
    assert done.returncode == 5
    assert b"can't be used" in done.stderr
    assert b"Traceback" not in done.stderr
