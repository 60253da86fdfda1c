"""The post-mortem from a pipe: what it says, where it says it, and the code it ends with; whatever comes in."""

import io
import json
import signal
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, example, given, settings
from hypothesis import strategies as st

from ccos_core.query.catalogue import BY_NAME, QUESTIONS
from ccos_core.serve import exits
from ccos_core.serve.answering import Manner
from ccos_core.serve.repl import loop
from ccos_core.serve.repl.loop import Loop
from ccos_core.serve.terminal import Bars
from ccos_core.session.asking import Desk
from ccos_core.session.session import open_session
from ccos_core.storage.opening import open_record
from tests.core.serve.calling import ROOT, Caller, demo, environment, outside
from tests.story import START, tell_anew

STORY = r"""
    write src/db.py "def load(row):\n    return row * 100\n"
    write src/api.py "from src.db import load\n\n\ndef handle(row):\n    return load(row)\n"
    prompt "Invoices are wrong"
    see src/api.py
    tool Bash pytest -q -> error "1 failed"
    fail test_handle at src/api.py:5
    usage 1200
    edit src/api.py "load(row)" -> "load(row) // 100"
    compact 1200
    pass test_handle
"""


@pytest.fixture(scope="module")
def ws(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("postmortem")
    tell_anew(folder, STORY).session.close()
    return folder / "work.ccos"


def asked(run: Caller, ws: Path, *commands: str, options: tuple[str, ...] = ()) -> Any:
    return run("postmortem", ws, *options, given="".join(f"{command}\n" for command in commands))


def objects(run: Caller, ws: Path, *commands: str) -> list[dict[str, Any]]:
    found: list[dict[str, Any]] = asked(run, ws, *commands, options=("--json",)).lines()
    return found


# ---- a session that goes on ----


def test_what_is_recorded_meanwhile_is_there_at_the_next_command(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    story = tell_anew(tmp_path, STORY)
    with open_record(str(tmp_path / "work.ccos")) as record, Desk(record) as desk:
        loop = Loop(desk, Manner.JSON, Bars())
        loop.obey("state")
        with open_session(str(tmp_path / "work.ccos"), clock=lambda: START) as session:
            session.record([{**story.observation("usage 7"), "host": "story", "session": "later", "call": "1"}])
        loop.obey("state")
        loop.obey("next")
        loop.obey("next")
    out, err = capsys.readouterr()
    told = [json.loads(line) for line in out.splitlines()]
    assert [(each["step"], each["head"], each["wall"]) for each in told] == [
        (11, 11, ""), (11, 12, ""), (12, 12, ""), (12, 12, "end")
    ]  # fmt: skip
    assert err == "ccos-tui: 1 step recorded meanwhile; the last step is 12 now\n"


def test_what_another_reader_marks_can_be_gone_to(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    tell_anew(tmp_path, STORY).session.close()
    path = str(tmp_path / "work.ccos")
    with open_record(path) as record, Desk(record) as desk, open_record(path) as again, Desk(again) as other:
        loop = Loop(desk, Manner.JSON, Bars())
        loop.obey("mark")
        Loop(other, Manner.JSON, Bars()).obey("mark here @3")
        loop.obey("goto here")
    assert loop.at == 3
    assert not capsys.readouterr().err


@pytest.mark.parametrize("said", ["0", "-1", "-5k", "2147483648", "1" + 30 * "0", "999999999k"])
def test_a_budget_has_its_bounds(run: Caller, ws: Path, said: str) -> None:
    done = asked(run, ws, f"missing src/db.py {said}")
    assert done.code == exits.USAGE
    assert "isn't a budget: give 1 to 2,147,483,647 tokens" in done.err


# ---- commands ----


def test_the_line_of_the_readme_works(ws: Path) -> None:
    done = outside("postmortem", ws, stdin=None, input=b"timeline\nstate\nquit\nnonsense\n")
    assert (done.returncode, done.stderr) == (0, b"")
    text = done.stdout.decode()
    assert "\x1b" not in text
    assert "(cursor at step 11 of 11)" in text
    assert text.count("▸") == 1


def test_the_cursor_starts_at_the_end_and_goes_where_it_is_told(run: Caller, ws: Path) -> None:
    said = [
        "when",
        "goto 4",
        "when",
        "n",
        "when",
        "p 3"[:1],
        "goto start",
        "prev",
        "goto 50%",
        "next",
        "when @2",
        "when",
    ]
    steps = [each.get("step") for each in objects(run, ws, *said)]
    assert steps == [11, 4, 4, 5, 5, 4, 0, 0, 5, 6, 2, 6]


def test_nothing_is_asked_by_empty_lines_and_comments(run: Caller, ws: Path) -> None:
    done = asked(run, ws, "", "   ", "# state", "\t#x", "\r")
    assert (done.code, done.out, done.err) == (0, "", "")


@pytest.mark.parametrize("word", ["quit", "q", "exit"])
def test_it_is_left_by_a_word(run: Caller, ws: Path, word: str) -> None:
    assert len(objects(run, ws, "when", word, "when", "nonsense")) == 1


def test_aliases_are_the_words_they_stand_for(run: Caller, ws: Path) -> None:
    for short, word in {
        "tl": "timeline", "o": "overview", "s": "stats", "g 3": "goto 3", "h": "help", "?": "help",
    }.items():  # fmt: skip
        first, second = objects(run, ws, short, word)
        assert first == second


def test_help_tells_of_each_word_with_its_example(run: Caller, ws: Path) -> None:
    every = asked(run, ws, "help").out
    for name, entry in BY_NAME.items():
        assert entry.load().example in every
        one = asked(run, ws, f"help {name}").out
        assert entry.load().example in one
        assert entry.summary in one
    assert "quit" in asked(run, ws, "help q").out


# ---- what goes wrong ----


def test_an_error_ends_nothing_and_the_code_is_the_highest(run: Caller, ws: Path) -> None:
    done = asked(run, ws, "goto 99", "timelin", "goto", "when")
    assert done.code == exits.USAGE
    assert done.out.startswith("step 11 of 11")
    assert done.err.splitlines() == [
        "ccos-tui: line 1: there is no step 99. The last step is 11.",
        "ccos-tui: line 2: timelin: isn't a command. Did you mean timeline?",
        "ccos-tui: line 3: goto needs STEP. goto STEP, as in: goto 57%",
    ]
    assert asked(run, ws, "goto 99", "when").code == exits.NO
    assert asked(run, ws, "when").code == exits.DONE


def test_in_json_an_error_is_an_object_in_its_place(run: Caller, ws: Path) -> None:
    done = asked(run, ws, "when", "goto 99", "when", options=("--json",))
    schemas = [each["schema"] for each in done.lines()]
    assert schemas == ["ccos.when/1", "ccos.error/1", "ccos.when/1"]
    assert done.lines()[1]["exit"] == done.code == exits.NO
    assert "line 2: there is no step 99" in done.err


def test_a_defect_of_ours_is_one_line_too(
    run: Caller, ws: Path, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path))
    monkeypatch.setattr("ccos_core.query.when.epoch_at", lambda *_: 1 // 0)
    done = asked(run, ws, "when", "stats")
    assert done.code == exits.DEFECT
    assert len(done.err.splitlines()) == 1
    assert "a bug in ccos-tui (ZeroDivisionError" in done.err
    assert "kinds" in done.out
    (report,) = (tmp_path / "ccos-tui" / "defects").iterdir()
    assert "ZeroDivisionError" in report.read_text()


def test_a_workspace_that_is_not_there(run: Caller, tmp_path: Path) -> None:
    done = asked(run, tmp_path / "none.ccos", "when")
    assert done.code == exits.NO
    assert done.out == ""


# ---- whatever comes in ----

WILD = [b"\x00\n", b"when\x00\n", b"\xff\xfe\n", b"\xef\xbb\xbfwhen\n", b"when\r\n", b"x" * 1_000_000 + b"\n", b"when"]


@pytest.mark.parametrize("given", WILD, ids=lambda given: repr(given[:8]))
def test_wild_bytes_are_lines(ws: Path, given: bytes) -> None:
    done = outside("postmortem", ws, "--json", stdin=None, input=given + b"\nstats\n")
    assert done.returncode in (exits.DONE, exits.NO, exits.USAGE, exits.NOT_UNDERSTOOD)
    assert b"Traceback" not in done.stderr
    assert len(done.stderr) < 1_000
    answers = [json.loads(line) for line in done.stdout.splitlines()]
    assert len(answers) == 2
    assert answers[1]["schema"] == "ccos.stats/1"
    assert (answers[0]["schema"] == "ccos.when/1") == (b"when" in given and b"\x00" not in given)


@given(st.binary(max_size=300))
@example(b"x" * (loop.LONGEST + 5) + b"\nwhen\n")
@example(b"x" * loop.LONGEST + b"\n")
def test_every_line_comes_out_once(given_: bytes) -> None:
    whole = given_.split(b"\n")
    assert len(list(loop.piped(io.BytesIO(given_)))) == len(whole) - (whole[-1] == b"")


@pytest.fixture(scope="module")
def desk(ws: Path) -> Iterator[Desk]:
    with open_record(str(ws)) as record, Desk(record) as found:
        yield found


WORDS = st.sampled_from(
    [*BY_NAME, "g", "help", "src/db.py", "load", "40", "0", "end", "57%", "@2", "--at", "--limit", "--lens", "--budget",
     "working-set", "around:src/db.py", "..", "'", '"', "-1", "--", "--kind=x", "hybrid:load", "nonsense"]
)  # fmt: skip
LINES = st.one_of(st.text(max_size=40), st.lists(WORDS, max_size=5).map(" ".join))
READER = ("mark", "note", *(entry.name for entry in QUESTIONS if entry.writes))
"""Words that write; their own tests say what."""


@settings(max_examples=150, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(st.lists(LINES, max_size=3), st.sampled_from(Manner))
def test_no_line_crashes_it(
    desk: Desk, capsysbinary: pytest.CaptureFixture[bytes], said: list[str], manner: Manner
) -> None:
    said = [text for text in said if not text.strip().startswith(READER)]
    capsysbinary.readouterr()
    loop = Loop(desk, manner, Bars())
    loop.run(said)
    out, err = capsysbinary.readouterr()
    assert loop.code in (exits.DONE, exits.NO, exits.USAGE, exits.NOT_UNDERSTOOD), err
    assert 0 <= loop.at <= desk.timeline.head
    assert b"\x1b" not in out
    if manner is Manner.JSON:
        answers = [json.loads(line) for line in out.splitlines()]
        assert all(each["schema"].startswith("ccos.") for each in answers)
        codes = [each["exit"] for each in answers if each["schema"] == "ccos.error/1"]
        assert loop.code == max(codes, default=0)
    assert len(err.splitlines()) <= len(said)


# ---- who reads it ----


def test_whoever_has_seen_enough_may_go(ws: Path) -> None:
    code = f"import sys; sys.path.insert(0, {str(ROOT)!r}); from ccos_tui.__main__ import main; sys.exit(main())"
    command = [sys.executable, "-c", code, "postmortem", str(ws)]
    pipe = {"stdin": subprocess.PIPE, "stdout": subprocess.PIPE, "stderr": subprocess.PIPE}
    with subprocess.Popen(command, **pipe) as process:  # type: ignore[call-overload]
        process.stdin.write(b"when\n")
        process.stdin.flush()
        assert process.stdout.readline().startswith(b"step 11")  # each answer is there before the next is asked
        process.stdout.close()
        process.stdin.write(b"timeline\n" * 2_000)
        process.stdin.close()
        assert process.wait(60) == 0
        assert process.stderr.read() == b""


def test_an_interrupt_ends_it_with_its_code(ws: Path) -> None:
    code = f"import sys; sys.path.insert(0, {str(ROOT)!r}); from ccos_tui.__main__ import main; sys.exit(main())"
    command = [sys.executable, "-c", code, "postmortem", str(ws)]
    pipe = {"stdin": subprocess.PIPE, "stdout": subprocess.PIPE, "stderr": subprocess.PIPE}
    with subprocess.Popen(command, **pipe) as process:  # type: ignore[call-overload]
        process.stdin.write(b"when\n")
        process.stdin.flush()
        process.stdout.readline()
        process.send_signal(signal.SIGINT)
        assert process.wait(60) == exits.INTERRUPTED
        assert process.stderr.read().strip() == b"ccos-tui: interrupted"


def test_where_the_terminal_knows_few_characters(ws: Path) -> None:
    done = outside("postmortem", ws, stdin=None, input=b"timeline\n",
                   env=environment(LC_ALL="C", PYTHONUTF8="0", PYTHONCOERCECLOCALE="0"))  # fmt: skip
    assert done.returncode == 0
    assert b"\n    11 > " in done.stdout
    assert done.stdout.isascii()


def test_aloud_there_are_no_signs(run: Caller, ws: Path) -> None:
    said = [entry.load().example for name, entry in BY_NAME.items() if name not in READER]
    out = asked(run, ws, *said, "help", options=("--plain",)).out
    for sign in "▸✗✓●◐○·×→…│─┌":
        assert sign not in out
    assert "  " not in out.replace("    ", "")


# ---- everything at once ----


@pytest.mark.parametrize("given_", ["", None])
def test_with_nothing_to_read_all_is_told(run: Caller, ws: Path, given_: str | None) -> None:
    whole = run("postmortem", ws, "--json", given=given_ or "").json()
    assert list(whole) == [
        "schema", "workspace", "stats", "integrity", "timeline", "working_set", "compaction_floor", "marks",
    ]  # fmt: skip
    assert whole["schema"] == "ccos.session/1"
    assert whole["stats"] == run("stats", ws, "--json").json()
    assert whole["integrity"] == run("verify", ws, "--json").json()
    assert whole["integrity"]["head"] == whole["timeline"][-1]["hash"]
    assert whole["timeline"] == run("log", ws, "--json").lines()
    assert whole["working_set"]["lens"] == "working-set"
    assert whole["working_set"]["items"] == run("recall", ws, "--json").json()["items"]
    assert whole["compaction_floor"] == 0


def test_of_a_damaged_record_all_is_told_that_can_be_read(run: Caller, tmp_path: Path) -> None:
    path = demo(tmp_path)
    with open_record(str(path), write=True) as record, record.write() as writing:
        writing.run("UPDATE op SET body = body || ' ' WHERE step = 9")
    done = run("postmortem", path, "--json", given="")
    whole = done.json()
    assert done.code == exits.DAMAGED
    assert whole["integrity"]["first_break"]["step"] == 9
    assert len(whole["timeline"]) == 13


def test_stats_are_one_answer_whatever_asks(run: Caller, ws: Path) -> None:
    (answer,) = objects(run, ws, "stats")
    assert answer == run("stats", ws, "--json").json()
    assert asked(run, ws, "stats").out == run("stats", ws).out


def test_the_store_is_never_written_by_asking(run: Caller, ws: Path) -> None:
    before = run("verify", ws, "--json").out
    asked(run, ws, *(entry.load().example for name, entry in BY_NAME.items() if name not in READER))
    assert run("verify", ws, "--json").out == before


def test_marks_are_steps_from_then_on(run: Caller, tmp_path: Path) -> None:
    path = demo(tmp_path)
    done = asked(run, path, "goto 4", "mark lost 'it was here'", "note odd", "end", "goto end", "goto lost", "mark")
    assert done.code == exits.USAGE  # `end` is no command
    assert "kept: mark lost (it was here) at step 4" in done.out
    again = objects(run, path, "when @lost", "mark lost --at 6", "goto lost", "mark --drop lost", "goto lost")
    assert [each.get("step") for each in again] == [4, None, 6, None, None]
    assert again[1]["dropped"] == {"step": 4, "name": "lost", "text": "it was here"}
    assert again[4]["schema"] == "ccos.error/1"
