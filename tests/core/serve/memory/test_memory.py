"""A workspace as a pipe: every verb, every mishap, and the same answers as the commands give."""

from __future__ import annotations

import io
import json
import os
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ccos_core.query.catalogue import BY_NAME
from ccos_core.serve.hook import hear
from ccos_core.serve.mcp.offering import ALL, offering
from ccos_core.serve.mcp.tools.door import Door
from ccos_core.serve.memory import lines
from ccos_core.serve.memory.store import OTHER_NAMES, Store, scripted
from ccos_core.session import lifecycle
from ccos_core.session.session import open_session
from ccos_core.storage import locate
from tests.core.serve.calling import ROOT, Caller

VERBS = scripted({tool.name: tool for tool in offering(Door("work.ccos", "."), (ALL,)).tools})
API = "from db import load\n\n\ndef answer(key):\n    return load(key)\n"
DB = "def load(key):\n    return STORE[key]\n"
FAILED = "FAILED api.py::answer - KeyError\n1 failed in 0.01s\n"


def spoken(ws: Path, *said: Any) -> tuple[list[dict[str, Any]], int]:
    """The answers to what was said, each a line, and the exit code."""
    raw = b"\n".join(each if isinstance(each, bytes) else json.dumps(each).encode() for each in said)
    given_back: list[dict[str, Any]] = []
    with Store(str(ws)) as store:
        code = lines.run(store, io.BytesIO(raw), given_back.append)
    return json.loads(json.dumps(given_back)), code


@pytest.fixture
def ws(tmp_path: Path) -> Path:
    """A workspace with two files in it, one of which needs the other."""
    path = tmp_path / "work.ccos"
    spoken(path, {"op": "ingest", "uri": "api.py", "source": API}, {"op": "ingest", "uri": "file:db.py", "source": DB})
    return path


def test_a_session_of_the_seed(tmp_path: Path) -> None:
    answers, code = spoken(
        tmp_path / "new.ccos",
        {"op": "ingest", "uri": "api.py", "source": API},
        {"op": "ingest", "uri": "db.py", "source": DB, "how": "ingest"},
        {"op": "failure", "node": "api.py#answer"},
        {"op": "recall", "strategy": "around", "anchor": "api.py", "budget": 512},
        {"op": "impact", "node": "db.py", "depth": 2},
        {"op": "causes", "node": "api.py", "depth": 2},
        {"op": "verify"},
        {"op": "stats"},
    )
    assert code == 0
    first, second, failure, window, impact, causes, proof, stats = answers
    assert (first["step"], first["new"], second["step"]) == (2, True, 3)
    assert (failure["affected"], failure["live"]) == (2, 1)
    assert "def load(key)" in window["text"]
    assert window["lens"] == "around:api.py"
    assert [each["node"] for each in impact["nodes"]][:1] == ["sym:api.py#answer"]
    assert [each["node"] for each in causes["nodes"]][:1] == ["sym:db.py#load"]
    assert impact["hops"] == causes["hops"] == 2
    assert (proof["valid"], proof["steps"]) == (True, 4)
    assert stats["kinds"] == {"epoch": 1, "failed": 1, "seen": 2}


def test_a_page_fault_and_its_end(ws: Path) -> None:
    answers, _ = spoken(
        ws,
        {"op": "page_fault", "output": FAILED, "command": "pytest", "budget": 256},
        {"op": "pass", "nodes": ["api.py"]},
        {"op": "pass"},
        {"op": "failures"},
    )
    fault, passed, again, failures = answers
    assert fault["failures"][0]["anchors"] == ["sym:api.py#answer"]
    assert fault["window"]["budget"] == 256
    assert fault["window"]["tokens"] <= 256
    assert "api.py" in fault["window"]["text"]
    assert len(passed["ended"]) + len(again["ended"]) == 1
    assert again["live"] == 0
    assert failures["schema"] == "ccos.failures/1"


def test_the_answers_are_those_of_the_commands(tmp_path: Path, run: Caller) -> None:
    path = tmp_path / "drift.ccos"
    assert run("import", ROOT / "sample_workspaces" / "drift" / "session.jsonl", "-o", path).code == 0
    asked: list[tuple[dict[str, Any], list[str]]] = [
        ({"op": "missing", "node": "src/db.py", "budget": 40}, ["missing", "src/db.py", "40"]),
        ({"op": "why", "node": "src/db.py", "at": 5}, ["why", "src/db.py", "--at", "5"]),
        ({"op": "diff", "span": [3, 9]}, ["diff", "3..9"]),
        ({"op": "timeline", "limit": 3, "at": 4}, ["timeline", "--limit", "3", "--at", "4"]),
        ({"op": "failures", "all": True}, ["failures", "--all"]),
        ({"op": "autopsy"}, ["autopsy"]),
        ({"op": "verify"}, ["verify"]),
        ({"op": "recall"}, ["recall"]),
        (
            {"op": "recall", "strategy": "hybrid", "text": "timeout", "budget": 128},
            ["recall", "--hybrid", "timeout", "--budget", "128"],
        ),
        ({"op": "recall", "lens": "around:src/db.py"}, ["recall", "--around", "src/db.py"]),
        ({"op": "recall", "lens": "host"}, ["recall", "--lens", "host"]),
    ]
    answers, code = spoken(path, *(said for said, _ in asked))
    assert code == 0, [answer for answer in answers if "error" in answer]
    for answer, (_, words) in zip(answers, asked, strict=True):
        assert answer == run(words[0], path, *words[1:], "--json").json(), words


def test_a_window_as_of_a_step(ws: Path) -> None:
    answers, _ = spoken(
        ws,
        {"op": "recall_what_if", "step": 2, "strategy": "around", "anchor": "api.py"},
        {"op": "recall_what_if", "step": 3, "strategy": "working_set", "budget": 64},
        {"op": "recall_what_if", "step": 99},
    )
    assert (answers[0]["step"], "def load" in answers[0]["text"]) == (2, False)
    assert (answers[1]["step"], answers[1]["budget"]) == (3, 64)
    assert answers[2]["schema"] == "ccos.error/1"


def test_a_recall_is_recorded_where_that_was_asked(ws: Path) -> None:
    answers, _ = spoken(
        ws,
        {"op": "recall", "strategy": "around", "anchor": "api.py"},
        {"op": "recall", "strategy": "around", "anchor": "api.py", "record": True},
        {"op": "stats"},
    )
    assert answers[0] == {name: value for name, value in answers[1].items() if name != "recorded"}
    assert answers[1]["recorded"] == answers[2]["steps"]
    assert answers[2]["kinds"]["recall"] == 1
    with open_session(str(ws)) as session:
        op = json.loads(session.recorded.op(answers[2]["steps"])[2])
    assert op["computed_at"] == answers[1]["step"]
    assert [item[0] for item in op["items"]] == [item["uri"] for item in answers[1]["items"]]


def test_a_recall_that_may_not_be_recorded_is_an_error(ws: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    lifecycle.pause(str(ws), True)
    answers, code = spoken(ws, {"op": "recall", "record": True}, {"op": "recall"})
    assert ("paused" in answers[0]["error"], code) == (True, 1)
    assert answers[1]["schema"] == "ccos.window/1"
    lifecycle.pause(str(ws), False)
    monkeypatch.setenv("CCOS_OFF", "1")
    answers, code = spoken(ws, {"op": "recall", "record": True}, {"op": "stats"})
    assert ("CCOS_OFF" in answers[0]["error"], code, answers[1]["steps"]) == (True, 1, 3)


def test_what_lies_on_the_disk_is_nobodys_business(ws: Path) -> None:
    """A script says what it has seen; a server for agents looks at the files it is about to show."""
    (ws.parent / "api.py").write_text("x = 1\n")
    answers, _ = spoken(ws, {"op": "recall", "anchor": "api.py"}, {"op": "stats"})
    assert "def answer(key)" in answers[0]["text"]
    assert answers[1]["steps"] == 3


def test_a_tool_is_an_op_by_its_own_name(ws: Path) -> None:
    answers, code = spoken(
        ws,
        {"op": "assert_claim", "claim": "keys are texts", "by": ["api.py"]},
        {"op": "retrodict_belief", "claim": "keys are texts"},
        {"op": "signal_failure", "node": "api.py#answer", "test": None},
        {"op": "causal_intervene", "node": "db.py"},
        {"op": "drift_cause", "node": "api.py"},
        {"op": "signal_pass"},
        {"op": "recall", "anchor": "api.py", "budget": 64},
    )
    assert code == 0, answers
    claim, belief, failure, change, drift, passed, window = answers
    assert claim["belief"] == belief["belief"] > 0
    assert [each["node"] for each in change["heats"]] == ["sym:db.py#load"]
    assert change["forces"]["nodes"][0]["node"] == "sym:api.py#answer"
    assert drift["schema"] == "ccos.cause/1"
    assert (failure["live"], passed["live"]) == (1, 0)
    assert not any("asked" in answer for answer in answers)
    refs = [item["ref"] for item in window["items"] if item.get("ref")]
    originals, _ = spoken(ws, *({"op": "ccos_retrieve", "ccr_ref": ref} for ref in refs))
    assert refs
    assert {each["schema"] for each in originals} == {"ccos.original/1"}


def test_all_that_a_failure_reaches_is_told(ws: Path) -> None:
    """An agent gets the first of it."""
    calls = "".join(f"from m{at} import f{at}\n" for at in range(12)) + "\n\ndef all():\n"
    calls += "".join(f"    f{at}()\n" for at in range(12))
    said = [{"op": "ingest", "uri": f"m{at}.py", "source": f"def f{at}():\n    pass\n"} for at in range(12)]
    answers, _ = spoken(
        ws, *said, {"op": "ingest", "uri": "all.py", "source": calls}, {"op": "failure", "node": "all.py#all"}
    )
    (failure,) = answers[-1]["failures"]
    assert len(failure["reaches"]) == answers[-1]["affected"] > 12


def test_the_same_content_again_is_another_reading(ws: Path) -> None:
    answers, _ = spoken(
        ws, *[{"op": "ingest", "uri": "api.py", "source": API, "how": how} for how in ("read", "ingest")]
    )
    assert [answer["new"] for answer in answers] == [True, False]


def test_what_others_record_meanwhile_is_known(ws: Path) -> None:
    answers: list[dict[str, Any]] = []

    def meanwhile(answer: dict[str, Any]) -> None:
        answers.append(answer)
        with open_session(str(ws), stay=False) as session:
            path = f"more{len(answers)}.py"
            session.record([{"kind": "seen", "how": "read", "path": path, "content": "import db\n"}])

    said = [{"op": "impact", "node": "db.py"}] * 3 + [{"op": "recall"}] * 2
    with Store(str(ws)) as store:
        lines.run(store, io.BytesIO("\n".join(map(json.dumps, said)).encode()), meanwhile)
    assert [sum("more" in each["node"] for each in answer["nodes"]) for answer in answers[:3]] == [0, 1, 2]
    assert "more4.py" in answers[4]["text"]


def test_what_a_hook_heard_is_known_before_the_first_line_and_at_each(ws: Path) -> None:
    heard = {"kind": "prompt", "agent": "x", "session": "s", "cwd": str(ws.parent)}
    steps: list[int] = []

    def meanwhile(answer: dict[str, Any]) -> None:
        steps.append(answer["steps"])
        hear(["--ws", str(ws)], json.dumps({**heard, "text": f"prompt {len(steps)}"}).encode())

    hear(["--ws", str(ws)], json.dumps({**heard, "text": "prompt 0"}).encode())
    with Store(str(ws)) as store:
        lines.run(store, io.BytesIO(b'{"op":"verify"}\n' * 3), meanwhile)
    assert steps == [4, 5, 6]


def test_secrets_are_never_on_disk(ws: Path) -> None:
    secret = "ghp_" + "a1B2" * 9
    spoken(ws, {"op": "ingest", "uri": "conf.py", "source": f"TOKEN = '{secret}'\n"})
    spoken(ws, {"op": "ingest", "uri": ".env", "source": f"A={secret}\n"})
    for path in ws.parent.iterdir():
        assert secret.encode() not in path.read_bytes()


# ---- where it works ----


def test_a_workspace_that_is_not_there_is_made(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path / "state"))
    project = tmp_path / "project"
    (project / ".git").mkdir(parents=True)
    (project / "src").mkdir()
    spoken(project / "src", {"op": "ingest", "uri": "src/a.py", "source": "x = 1\n"})
    made = locate.default_path(str(project))
    assert os.path.exists(made)
    answers, _ = spoken(project, {"op": "stats"})
    assert answers[0]["paths"] == 1


def test_a_name_that_is_no_workspaces(tmp_path: Path, run: Caller) -> None:
    done = run("memory", tmp_path / "work")
    assert done.code == 2
    assert "work.ccos" in done.err


def test_where_recording_is_off_it_answers_still(ws: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    lifecycle.pause(str(ws), True)
    answers, code = spoken(ws, {"op": "ingest", "uri": "a.py", "source": ""}, {"op": "recall", "anchor": "api.py"})
    assert ("paused" in answers[0]["error"], code) == (True, 1)
    assert answers[1]["schema"] == "ccos.window/1"
    lifecycle.pause(str(ws), False)
    monkeypatch.setenv("CCOS_OFF", "1")
    answers, _ = spoken(ws, {"op": "failure", "node": "api.py"}, {"op": "pass"}, {"op": "stats"})
    assert [answer.get("exit") for answer in answers] == [1, 1, None]


# ---- mishaps ----


@pytest.mark.parametrize(
    ("said", "place", "words", "code"),
    [
        (b"[1]", "", "isn't a JSON object", 3),
        (b"{", "", "isn't JSON", 3),
        (b"\xff\xfe", "", "isn't JSON", 3),
        (b"[" * 100_000, "", "deeply", 3),
        ({}, "op", "must name the op", 2),
        ({"op": 7}, "op", "must name the op", 2),
        ({"op": "recal"}, "recal", "Did you mean recall?", 2),
        ({"op": "zzzz"}, "zzzz", "help", 2),
        ({"op": "ingest", "uri": "a.py"}, "source", "is required", 2),
        ({"op": "ingest", "uri": "a.py", "source": 1}, "source", "must be a string, not a number", 2),
        ({"op": "ingest", "uri": "a.py", "source": "", "how": "reed"}, "how", "Did you mean read?", 2),
        ({"op": "ingest", "uri": "a.py", "source": "", "hwo": "x"}, "hwo", "Did you mean how?", 2),
        ({"op": "failure", "node": "nowhere.py"}, "nowhere.py", "", 1),
        ({"op": "failure", "node": "api.py", "depth": 3}, "depth", "there are: node, test", 2),
        ({"op": "page_fault", "output": "hello"}, "output", "no failure and no pass", 3),
        ({"op": "recall", "budget": True}, "budget", "must be an integer", 2),
        ({"op": "recall", "budget": 10**30}, "budget", "at most 1000000", 2),
        ({"op": "recall", "budget": 3}, "budget", "at least 64", 2),
        ({"op": "recall", "strategy": "around"}, "anchor", "needs a path", 2),
        ({"op": "recall", "strategy": "task", "text": " "}, "text", "needs a text", 2),
        ({"op": "recall", "strategy": "working_set", "anchor": "api.py"}, "anchor", "takes no anchor", 2),
        ({"op": "recall", "lens": "around:api.py", "anchor": "api.py"}, "lens", "can't be combined", 2),
        ({"op": "recall", "lens": "everything"}, "everything", "isn't a window", 2),
        ({"op": "recall", "lens": "host", "record": True}, "record", "can be recorded as given", 2),
        ({"op": "pass", "nodes": "api.py"}, "nodes", "must be a list", 2),
        ({"op": "recall", "reasons": True}, "reasons", "no such argument", 2),
        ({"op": "recall_what_if", "step": 99}, "step", "0 to 3", 1),
        ({"op": "recall_what_if", "step": None}, "step", "is required", 2),
        ({"op": "help", "me": 1}, "me", "no such argument", 2),
        ({"op": "ccos_retrieve", "ccr_ref": "12345678:1-2"}, "12345678:1-2", "", 1),
        ({"op": "impact"}, "node", "needs it", 2),
        ({"op": "impact", "node": ["x"]}, "node", "must be", 2),
        ({"op": "impact", "node": "api.py", "hosp": 1}, "hosp", "Did you mean hops?", 2),
        ({"op": "impact", "node": None}, "node", "needs it", 2),
        ({"op": "impact", "node": "api.py", "hops": 1, "depth": 2}, "depth", "is given twice", 2),
        ({"op": "timeline", "at": "soon"}, "soon", "isn't a step", 1),
        ({"op": "timeline", "at": 10**30}, "at", "must be", 2),
    ],
)
def test_what_is_wrong_is_an_answer_and_ends_nothing(ws: Path, said: Any, place: str, words: str, code: int) -> None:
    answers, highest = spoken(ws, said, {"op": "stats"})
    assert answers[0]["schema"] == "ccos.error/1"
    assert answers[0]["place"] == place
    assert words in answers[0]["error"] + answers[0]["hint"]
    assert (answers[0]["exit"], highest) == (code, code)
    assert answers[1]["steps"] == 3


def test_what_is_said_as_null_is_not_said(ws: Path) -> None:
    (plain, null), _ = spoken(ws, {"op": "impact", "node": "api.py"}, {"op": "impact", "node": "api.py", "at": None})
    assert null == plain


def test_an_id_comes_back(ws: Path) -> None:
    marks = [7, "x", None, {"a": [1]}]
    answers, _ = spoken(ws, *({"op": "stats", "id": mark} for mark in marks), {"op": "nope", "id": 9}, {"op": "stats"})
    assert [answer.get("id", "none") for answer in answers] == [*marks, 9, "none"]


def test_a_line_that_is_far_too_long(ws: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(lines, "LONGEST", 100)
    answers, code = spoken(ws, b'{"op": "' + b"x" * 5_000 + b'"}', b" " * 100, {"op": "stats"})
    assert [answer["schema"] for answer in answers] == ["ccos.error/1", "ccos.stats/1"]
    assert code == 3


def test_blank_lines_and_a_mark_at_the_start_say_nothing(ws: Path) -> None:
    answers, code = spoken(ws, b'\xef\xbb\xbf{"op":"stats"}\r', b"", b"   ", {"op": "stats"})
    assert [answer["schema"] for answer in answers] == ["ccos.stats/1"] * 2
    assert code == 0


def test_a_defect_is_an_answer_with_a_report(ws: Path, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path / "state"))
    monkeypatch.setattr(Store, "_ask", lambda *_: 1 / 0)
    answers, code = spoken(ws, {"op": "stats"}, {"op": "verify"})
    assert (answers[0]["exit"], code) == (70, 70)
    assert "report is in" in answers[0]["hint"]
    assert answers[1]["valid"]


PIECES = st.sampled_from(
    [*VERBS, *BY_NAME, *OTHER_NAMES, "op", "id", "node", "step", "text", "api.py", "", "0", "\x00"]
)
ANYTHING = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | PIECES | st.text(max_size=6),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(PIECES, inner, max_size=3),
    max_leaves=6,
)
SAID = (
    st.binary(max_size=40)
    | st.builds(lambda said: json.dumps(said).encode(), ANYTHING)
    | st.builds(lambda op, said: json.dumps({**said, "op": op}).encode(), PIECES, st.dictionaries(PIECES, ANYTHING))
)


@settings(max_examples=60)
@given(st.lists(SAID, max_size=6))
def test_whatever_is_said_is_answered_line_by_line(said: list[bytes]) -> None:
    with tempfile.TemporaryDirectory() as folder, pytest.MonkeyPatch.context() as patch:
        patch.setenv("XDG_STATE_HOME", folder)
        path = Path(folder) / "work.ccos"
        answers, code = spoken(path, *said, {"op": "verify", "id": "last"})
        waiting = [line for line in b"\n".join(said).removeprefix(b"\xef\xbb\xbf").split(b"\n") if line.strip()]
        assert len(answers) == len(waiting) + 1
        assert answers[-1]["valid"]
        assert code != 70, answers
        assert not os.path.exists(os.path.join(folder, "ccos-tui", "defects"))


# ---- help, and the pipe itself ----


def test_help_tells_every_op(ws: Path) -> None:
    answers, _ = spoken(ws, {"op": "help"})
    told = answers[0]["ops"]
    assert set(told) == {*VERBS, *BY_NAME}
    assert told["ingest"]["arguments"] == ["uri", "source", "how"]
    assert told["recall"]["arguments"] == ["strategy", "anchor", "text", "lens", "budget", "record"]
    assert "at" in told["missing"]["arguments"]
    assert all(each["summary"] for each in told.values())


def test_each_answer_comes_before_the_next_line(tmp_path: Path) -> None:
    code = f"import sys; sys.path.insert(0, {str(ROOT)!r}); from ccos_tui.__main__ import main; sys.exit(main())"
    command = [sys.executable, "-c", code, "memory", str(tmp_path / "work.ccos")]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE) as process:
        assert process.stdin is not None
        assert process.stdout is not None
        for step in (2, 3):
            said = {"op": "ingest", "uri": f"{step}.py", "source": "x\n", "id": step}
            process.stdin.write(json.dumps(said).encode() + b"\n")
            process.stdin.flush()
            answer = json.loads(process.stdout.readline())
            assert (answer["id"], answer["step"]) == (step, step)
        process.stdin.write(b"nonsense\n")
        process.stdin.close()
        assert json.loads(process.stdout.readline())["exit"] == 3
        assert process.wait(timeout=60) == 3
