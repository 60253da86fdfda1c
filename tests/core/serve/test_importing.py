"""`import`, `sessions`, and a path alone: what is said, where it goes, and which code it ends with."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from ccos_core.session.session import open_session
from ccos_core.storage import locate
from ccos_core.storage.opening import open_record
from tests.core.intake.importers.claude_code_fixtures import everything
from tests.core.serve.calling import ROOT, Caller, demo, environment, outside
from tests.core.serve.test_keyboard import Terminal


@pytest.fixture(autouse=True)
def _home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("XDG_STATE_HOME", "XDG_CACHE_HOME"):
        monkeypatch.setenv(name, str(tmp_path / name.lower()))
    for name in ("CLAUDE_CONFIG_DIR", "CODEX_HOME"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("HOME", str(tmp_path / "home"))


@pytest.fixture
def transcript(tmp_path: Path) -> Path:
    path = tmp_path / "home" / ".claude" / "projects" / "-home-kim-shop" / "5e55-0001.jsonl"
    path.parent.mkdir(parents=True)
    path.write_bytes(b"".join(json.dumps(value).encode() + b"\n" for value in everything().values))
    return path


def test_import_says_what_it_read(run: Caller, tmp_path: Path, transcript: Path) -> None:
    done = run("import", transcript, "-o", tmp_path / "w.ccos")
    assert (done.code, done.err) == (0, f"Find what went wrong: ccos-tui autopsy {tmp_path / 'w.ccos'}\n")
    assert "session    5e55-0001  The tax of the shop" in done.out
    assert "6 calls + 1 in subagents (1 error, 1 interrupted)" in done.out
    again = run("import", transcript, "-o", tmp_path / "w.ccos", "--json")
    told = again.json()
    assert (again.code, told["schema"], told["added"]) == (0, "ccos.import/1", 0)
    assert f"has {told['step']}, head {told['head'][:12]}" in done.out
    assert told["sessions"][0]["counts"]["calls"] == 7
    assert run("verify", tmp_path / "w.ccos").code == 0


def test_import_lists_what_it_did_not_understand(run: Caller, tmp_path: Path, transcript: Path) -> None:
    with transcript.open("ab") as file:
        file.write(b'{"type":"tea-break","uuid":"u1"}\n{"type":"user",\n')
    done = run("import", transcript, "-o", tmp_path / "w.ccos")
    assert "unknown    1 of " in done.out
    assert "tea-break" not in done.out
    assert "unread     1 record" in done.out
    number = transcript.read_bytes().count(b"\n")
    listed = run("import", transcript, "-o", tmp_path / "w.ccos", "--debug-unknowns").out
    assert f"1  tea-break  line {number - 1}\n" in listed
    assert f"line {number}\n" in listed


def test_the_code_is_3_when_nothing_can_be_read(run: Caller, tmp_path: Path, transcript: Path) -> None:
    (tmp_path / "a.json").write_text('{"a": [1, 2]}')
    (tmp_path / "b.txt").write_text("hello\n")
    for paths in (["a.json"], ["b.txt"], ["a.json", "b.txt"]):
        done = run("import", *(tmp_path / path for path in paths), "-o", tmp_path / "w.ccos")
        assert (done.code, done.out) == (3, "")
        assert "Readable: Claude Code" in done.err
    assert not (tmp_path / "w.ccos").exists()
    missing = run("import", tmp_path / "none.jsonl", "-o", tmp_path / "w.ccos")
    assert (missing.code, "there is no such file" in missing.err) == (3, True)
    (tmp_path / "packed.jsonl").write_bytes(b"\x1f\x8b\x08\x00" + bytes(100))
    packed = run("import", tmp_path / "packed.jsonl", "-o", tmp_path / "w.ccos")
    assert (packed.code, "gzip -dc" in packed.err) == (3, True)
    for more in ([tmp_path / "gone.jsonl"], [tmp_path / "a.json"]):
        done = run("import", tmp_path / "none.jsonl", *more, "-o", tmp_path / "w.ccos")
        assert (done.code, "none.jsonl: there is no such file" in done.err) == (3, True)
        assert "none.jsonl: contains no session" not in done.err
    some = run("import", tmp_path / "a.json", tmp_path / "none.jsonl", transcript, "-o", tmp_path / "w.ccos")
    assert some.code == 0
    assert "none.jsonl: there is no such file" in some.err


@pytest.mark.parametrize(
    ("words", "code"), [(["--rev", "HEAD"], 2), (["--repo", "nonesuch"], 1), (["--idle", "-1"], 2)]
)
def test_import_refuses_words_that_make_no_sense(
    run: Caller, tmp_path: Path, transcript: Path, words: list[str], code: int
) -> None:
    assert run("import", transcript, "-o", tmp_path / "w.ccos", *words).code == code


def shop_of(folder: Path) -> Path:
    """The project of the transcript, as it is on this machine, in two commits."""
    folder.mkdir()
    git = ["git", "-C", str(folder), "-c", "user.name=a", "-c", "user.email=a@b", "-c", "commit.gpgsign=false"]
    subprocess.run([*git, "init", "-q"], check=True)
    for number in (1, 2):
        (folder / "shop.py").write_text(f"PRICE = {number}\n")
        (folder / f"till_{number}.py").write_text("import shop\n")
        for words in (["add", "-A"], ["commit", "-q", "-m", str(number)]):
            subprocess.run([*git, *words], check=True, capture_output=True)
    return folder


def test_import_says_what_it_took_of_the_sources(run: Caller, tmp_path: Path, transcript: Path) -> None:
    shop = shop_of(tmp_path / "shop")
    words = ["import", transcript, "-o", tmp_path / "w.ccos", "--repo", shop]
    done = run(*words)
    assert f"sources    3 files of {shop}, current; all new\n" in done.out
    assert done.err == f"Find what went wrong: ccos-tui autopsy {tmp_path / 'w.ccos'}\n"
    done = run(*words, "--rev", "HEAD~1")
    commit = subprocess.run(["git", "-C", shop, "rev-parse", "HEAD~1"], capture_output=True, text=True).stdout.strip()
    assert f"sources    2 files of {shop}, as of HEAD~1 ({commit[:10]}); none new\n" in done.out
    told = run(*words, "--rev", "HEAD", "--json").json()["sources"]
    assert (told["folder"], told["revision"], told["files"], told["added"]) == (str(shop), "HEAD", 3, 0)
    assert "sources" not in run(*words[:4], "--json").json()


def test_import_doubts_sources_that_are_of_something_else(run: Caller, tmp_path: Path, transcript: Path) -> None:
    (shop_of(tmp_path / "shop") / "deeper").mkdir()
    (tmp_path / "shop" / "deeper" / "other.py").write_text("x = 1\n")
    done = run("import", transcript, "-o", tmp_path / "w.ccos", "--repo", tmp_path / "shop" / "deeper")
    assert done.code == 0
    assert f"deeper: has none of the files that {transcript} mentions\n" in done.err
    assert "in which the session began, /home/kim/shop." in done.err


@pytest.mark.parametrize(
    ("folder", "rev", "code", "said"),
    [
        ("none", [], 1, "none: there is no such folder\n"),
        ("shop/shop.py", [], 1, "shop.py: isn't a folder\n"),
        ("plain", ["--rev", "HEAD"], 1, "isn't a git repository, so it has no commits\n  Leave out --rev"),
        ("shop", ["--rev", "nonesuch"], 1, "has no commit nonesuch\n  List commits: git -C "),
        ("shop", ["--rev", "HEAD:shop.py"], 1, "has no commit HEAD:shop.py\n"),
        ("shop", ["--rev", "--all"], 2, "--all: isn't a commit\n"),
        ("shop", ["--rev", ""], 2, "--rev: names no commit\n"),
    ],
)
def test_sources_that_are_not_there_leave_nothing_behind(
    run: Caller, tmp_path: Path, transcript: Path, folder: str, rev: list[str], code: int, said: str
) -> None:
    shop_of(tmp_path / "shop")
    (tmp_path / "plain").mkdir()
    done = run("import", transcript, "-o", tmp_path / "w.ccos", "--repo", tmp_path / folder, *rev)
    assert (done.code, done.out) == (code, "")
    assert said in done.err
    assert not (tmp_path / "w.ccos").exists()


def test_nothing_is_recorded_where_that_is_off(run: Caller, tmp_path: Path, transcript: Path) -> None:
    os.environ["CCOS_OFF"] = "1"
    try:
        assert run("import", transcript, "-o", tmp_path / "w.ccos").code == 1
        assert run(transcript).code == 1
    finally:
        del os.environ["CCOS_OFF"]
    assert not list(tmp_path.rglob("*.ccos"))


def test_stdin_is_a_transcript_as_well(run: Caller, tmp_path: Path, transcript: Path) -> None:
    done = run("import", "-", "-o", tmp_path / "w.ccos", given=transcript.read_text())
    assert done.code == 0
    run("import", transcript, "-o", tmp_path / "same.ccos")
    assert head(tmp_path / "w.ccos") == head(tmp_path / "same.ccos")


# ---- a path alone ----


def test_a_transcript_alone_goes_into_a_workspace_of_its_own(run: Caller, tmp_path: Path, transcript: Path) -> None:
    done = run(transcript)
    ws = Path(locate.session_path(str(transcript)))
    assert done.code == 0
    assert "6 calls + 1" in done.out
    assert str(ws) in done.out
    assert ws.is_relative_to(tmp_path / "xdg_state_home")
    assert ws.stat().st_mode & 0o777 == 0o600
    before = head(ws)
    with transcript.open("ab") as file:
        file.write(json.dumps({**everything().values[4], "uuid": "another"}).encode() + b"\n")
    assert "1 new step;" in run(transcript).out
    assert head(ws)[0] == before[0] + 1
    assert run(transcript, "--json").json()["added"] == 0


def test_a_copy_knows_where_its_project_was(run: Caller, tmp_path: Path, transcript: Path) -> None:
    run("import", transcript, "-o", tmp_path / "w.ccos")
    assert run("copy", tmp_path / "w.ccos", tmp_path / "copy.ccos").code == 0
    again = run("import", transcript, "-o", tmp_path / "copy.ccos", "--json").json()
    assert again["added"] == 0
    with open_session(str(tmp_path / "copy.ccos")) as session:
        assert session.root == "/home/kim/shop"
        assert session.place.home == "/home/kim"


def test_a_workspace_alone_says_what_it_holds(run: Caller, tmp_path: Path) -> None:
    path = demo(tmp_path)
    done = run(path)
    assert (done.code, done.out) == (0, run("stats", path).out)
    assert run(path, "--json").json() == run("stats", path, "--json").json()


def test_a_path_that_is_nothing_we_read(run: Caller, tmp_path: Path) -> None:
    (tmp_path / "a.txt").write_text("hello")
    assert run(tmp_path / "a.txt").code == 3
    assert run(tmp_path / "none.jsonl").code == 2
    assert f"there is no file '{tmp_path / 'none.jsonl'}'" in run(tmp_path / "none.jsonl").err
    assert "there is no file 'notes.txt'" in run("notes.txt").err, "whatever it is called"
    assert "there is no command 'qqqqqq'. There is no such file either." in run("qqqqqq").err
    assert run(tmp_path).code == 1
    (tmp_path / "a.ccos").write_text("hello, this is no workspace")
    assert run(tmp_path / "a.ccos").code == 3


@pytest.mark.parametrize("what", ["transcript", "workspace"])
def test_a_path_alone_is_asked_in_sentences_at_a_terminal(tmp_path: Path, transcript: Path, what: str) -> None:
    """Without `--plain` it is opened on a screen."""
    path = transcript if what == "transcript" else demo(tmp_path)
    with Terminal(path, tmp_path / "xdg_state_home", "--plain", alone=True) as terminal:
        said = terminal.until("> ")
        assert ("6 calls + 1" in said) == (what == "transcript")
        terminal.type("stats\n")
        terminal.until("on disk")
        terminal.type("q\n")
        assert terminal.ended() == 0


# ---- following ----


def test_following_ends_when_nothing_comes(run: Caller, tmp_path: Path, transcript: Path) -> None:
    done = run("import", transcript, "-o", tmp_path / "w.ccos", "--follow", "--idle", "0")
    assert done.code == 0
    run("import", transcript, "-o", tmp_path / "same.ccos")
    assert head(tmp_path / "w.ccos") == head(tmp_path / "same.ccos")


def test_following_what_has_not_begun(run: Caller, tmp_path: Path) -> None:
    (tmp_path / "a.jsonl").write_bytes(b"")
    assert run("import", tmp_path / "a.jsonl", "-o", tmp_path / "w.ccos", "--follow", "--idle", "0").code == 0
    assert run("import", tmp_path / "b.jsonl", "-o", tmp_path / "w.ccos", "--follow", "--idle", "0").code == 1
    assert not (tmp_path / "w.ccos").exists()


@pytest.mark.skipif(sys.platform == "win32", reason="signals")
def test_following_ends_well_by_ctrl_c(tmp_path: Path, transcript: Path) -> None:
    ws, live = tmp_path / "w.ccos", tmp_path / "live.jsonl"
    lines = transcript.read_bytes().splitlines(keepends=True)
    live.write_bytes(b"".join(lines[:12]))
    code = f"import sys; sys.path.insert(0, {str(ROOT)!r}); from ccos_tui.__main__ import main; sys.exit(main())"
    command = [sys.executable, "-c", code, "import", str(live), "-o", str(ws), "--follow"]
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, env=environment()) as going:
        wait_for(lambda: ws.exists() and head(ws)[0] > 5)
        before = head(ws)[0]
        with live.open("ab") as file:
            file.write(b"".join(lines[12:]))
        wait_for(lambda: head(ws)[0] > before + 5)
        going.send_signal(signal.SIGINT)
        out, err = going.communicate(timeout=30)
    assert (going.returncode, b"Traceback" in err) == (0, False)
    assert b"6 calls + 1" in out


def wait_for(what: object, seconds: float = 30) -> None:
    until = time.monotonic() + seconds
    while not what():  # type: ignore[operator]
        assert time.monotonic() < until
        time.sleep(0.02)


# ---- finding sessions ----


def test_how_an_answer_is_wanted_may_be_said_first(run: Caller, tmp_path: Path, transcript: Path) -> None:
    assert run("--plain").out == run("sessions", "--plain").out != ""
    assert run("--json").json() == run("sessions", "--json").json()
    assert run("--json", "sessions").json() == run("sessions", "--json").json()
    assert run("--json", transcript).json()["added"] == 32
    assert run("--json", transcript).json() == run(transcript, "--json").json()
    assert run("--plain", "--json", tmp_path / "nothing.jsonl").code == 2


def test_sessions_are_found_where_agents_keep_them(run: Caller, tmp_path: Path, transcript: Path) -> None:
    done = run("sessions")
    assert done.code == 0
    assert "claude-code" in done.out
    assert "~/.claude/projects/-home-kim-shop/5e55-0001.jsonl" in done.out
    told = run("sessions", "--json").json()
    assert told["schema"] == "ccos.sessions/1"
    assert [(each["session"], each["calls"], each["compactions"]) for each in told["sessions"]] == [("5e55-0001", 7, 1)]
    assert run("sessions", "--plain").out.startswith("2026-03-01 10:00, claude-code, ")


@pytest.mark.parametrize(
    ("words", "code"),
    [
        (["--agent", "claude"], 0),
        (["--agent", "Claude Code"], 0),
        (["--agent", "codex"], 1),
        (["--project", "/home/kim"], 0),
        (["--project", "/home/ki"], 1),
        (["nonesuch"], 1),
    ],
)
def test_sessions_by_agent_and_project(run: Caller, transcript: Path, words: list[str], code: int) -> None:
    assert run("sessions", *words).code == code


def test_no_sessions_say_where_was_looked(run: Caller, tmp_path: Path) -> None:
    done = run("sessions")
    assert (done.code, done.out) == (1, "")
    assert str(tmp_path / "home" / ".codex" / "archived_sessions") in done.err
    assert run("sessions", "--json").json()["sessions"] == []


def test_an_agent_nobody_knows_is_told_with_those_that_are(run: Caller, tmp_path: Path, transcript: Path) -> None:
    done = run("sessions", "--agent", "foo")
    assert (done.code, done.out) == (1, "")
    assert "foo: isn't an agent that ccos-tui can read" in done.err
    assert all(name in done.err for name in ("claude-code", "codex", "opencode", "swe-agent", "mini-swe-agent"))
    assert "no session was found" in run("sessions", "--agent", "codex").err, "it is known, and has left nothing here"


def test_nobody_reads_on_and_nothing_breaks(tmp_path: Path, transcript: Path) -> None:
    done = outside("sessions", stdout=subprocess.PIPE, env=environment(), capture_output=False, stderr=subprocess.PIPE)
    assert done.returncode == 0


def head(path: Path) -> tuple[int, bytes]:
    with open_record(str(path)) as record:
        return record.head()


# -- a transcript wherever a workspace can be named --------------------------------------------------------------------


@pytest.mark.parametrize("words", [["verify"], ["stats"], ["autopsy"], ["log"], ["recall"], ["timeline"], ["replay"]])
def test_a_command_takes_a_transcript(words: list[str], run: Caller, transcript: Path) -> None:
    done = run(*words, transcript)
    assert done.code in (0, 1), done
    assert run(*words, locate.session_path(str(transcript))).out == done.out


def test_two_transcripts_are_compared(run: Caller, tmp_path: Path, transcript: Path) -> None:
    shorter = tmp_path / "shorter.jsonl"
    shorter.write_bytes(b"".join(transcript.read_bytes().splitlines(keepends=True)[:6]))
    told = run("compare", transcript, shorter, "--json").json()
    assert told["schema"].startswith("ccos.compare/")
    assert run("compare", locate.session_path(str(transcript)), shorter, "--json").json() == told


def test_questions_come_through_a_pipe(run: Caller, transcript: Path) -> None:
    asked = run("postmortem", transcript, given="when\nstats\n")
    plain = run(transcript, "--plain", given="when\nstats\n")
    assert (asked.code, plain.code) == (0, 0)
    assert asked.out.startswith("step ")
    assert plain.out.startswith("step ")
    assert "unknown" not in plain.out, "what an import says doesn't stand among answers"
    assert run(transcript, "--plain", given="nonsense\n").code == 2
    assert "session " in run(transcript, "--plain", given="").out


def test_a_file_without_a_session_is_refused(run: Caller, tmp_path: Path) -> None:
    page = tmp_path / "README.md"
    page.write_text("# Shop\n")
    for words in (["verify", page], ["why", page, "a.py"], ["postmortem", page], ["compare", page, page]):
        done = run(*words)
        assert (done.code, "contains no session that can be read" in done.err) == (3, True), words
    assert not Path(locate.session_path(str(page))).exists()


def test_a_step_is_named_with_the_workspace(run: Caller, tmp_path: Path) -> None:
    ws = demo(tmp_path)
    for words in (["recall"], ["state"], ["show"], ["failures"]):
        at = run(*words, f"{ws}@9")
        assert (at.code, at.out) == ((done := run(*words, ws, "--at", 9)).code, done.out), words
        assert at.out != run(*words, ws).out or words == ["failures"]
    for command in ("verify", "log", "replay", "stats"):
        refused = run(command, f"{ws}@9")
        assert (refused.code, "takes no @STEP" in refused.err) == (2, True), command
    ws.rename(odd := tmp_path / "odd.ccos@9")
    assert run("when", odd).code == 0, "a file that is called so is that file"
    assert run("state", f"{tmp_path / 'none.ccos'}@9").code == 1


@pytest.mark.parametrize("size", [1_000, 2_000, 3_500, 4_096, 8_192, 20_000])
def test_a_workspace_that_was_cut_off_is_damaged_and_no_strangers(size: int, run: Caller, tmp_path: Path) -> None:
    whole = demo(tmp_path / "whole").read_bytes()
    (cut := tmp_path / "cut.ccos").write_bytes(whole[:size])
    assert run("verify", cut).code == 4
