"""What is remembered, rated and taken back: alike through every door, once, without secrets, and only in its scope."""

from __future__ import annotations

import contextlib
import io
import json
import re
import tempfile
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from ccos_core.errors import NotFound
from ccos_core.ops.plain import blobs_of, unseal
from ccos_core.query.catalogue import BY_NAME, QUESTIONS
from ccos_core.query.contexts import Context
from ccos_core.query.retelling import retelling
from ccos_core.query.saying.utterance import memo_id
from ccos_core.serve import exits
from ccos_core.serve.mcp.offer import Wrong
from ccos_core.serve.mcp.offering import ALL, offering
from ccos_core.serve.mcp.schema import filled
from ccos_core.serve.mcp.tools.door import Door
from ccos_core.serve.mcp.tools.questions import MANY, SEPARATOR
from ccos_core.serve.memory import lines
from ccos_core.serve.memory.store import Store
from ccos_core.session import lifecycle
from ccos_core.session.asking import Desk
from ccos_core.session.forget import forget
from ccos_core.session.session import open_session
from ccos_core.storage.opening import open_record
from tests.core.serve.calling import Caller

TABS, SPACES = "Use tabs in Makefiles.", "Use spaces everywhere."
MEMO, OTHER = memo_id(["use", "tabs", "in", "makefiles"]), memo_id(["use", "spaces", "everywhere"])
CLAIM = "claim:rates are floats"
SAID: list[tuple[str, dict[str, Any], str]] = [
    ("remember", {"text": TABS, "class": "preference"}, f"{TABS} --class preference"),
    ("annotate", {"node": "src/db.py", "text": "the retry belongs here"}, "src/db.py the retry belongs here"),
    ("feedback", {"node": MEMO, "sign": "+", "words": "it helped"}, f"{MEMO} + it helped"),
    ("feedback", {"node": MEMO, "sign": "-"}, f"{MEMO} -"),
    ("label", {"nodes": [MEMO, "src/db.py"], "tag": ["style", "make"], "privacy": "high"},
     f"{MEMO} src/db.py --tag style --tag make --privacy high"),
    ("page-in", {"nodes": ["src/db.py", MEMO]}, f"src/db.py {MEMO}"),
    ("page-out", {"nodes": [MEMO]}, MEMO),
    ("attention", {"node": MEMO, "weight": 1_500}, f"{MEMO} 1500"),
    ("support", {"claim": "rates are floats", "by": ["src/db.py"]}, "rates are floats --by src/db.py"),
    ("contradict", {"claim": "rates  are floats", "weight": 500}, "rates  are floats --weight 500"),
    ("retract", {"node": CLAIM, "words": "they are ints"}, f'"{CLAIM}" they are ints'),
    ("supersede", {"node": MEMO, "new": SPACES, "how": "invert"}, f"{MEMO} {SPACES} --how invert"),
    ("retract", {"node": OTHER}, OTHER),
]  # fmt: skip
"""Question, what a program says for its arguments, and what a person types, in an order in which each is new."""


@pytest.fixture(autouse=True)
def _own_config(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path / "config"))
    monkeypatch.delenv("CCOS_OFF", raising=False)


def project(folder: Path) -> Path:
    """A project with one file, recorded."""
    folder.mkdir(parents=True)
    path = folder / "work.ccos"
    lifecycle.init(str(path))
    with open_session(str(path)) as session:
        session.record(
            [{"kind": "seen", "path": "src/db.py", "how": "ingest", "content": "def load():\n    return 1\n"}]
        )
    return path


def ops_of(path: Path) -> list[dict[str, Any]]:
    """What was recorded behind the file, without who and when; with the texts."""
    with open_record(str(path)) as record:
        found = [unseal(body) for _, _, body in record.rows(3)]
        for op in found:
            for name, blob in blobs_of(op):
                op[name] = record.content(blob).decode()
        return [{name: value for name, value in op.items() if name not in ("at", "actor")} for op in found]


def by_shell(path: Path, run: Caller) -> None:
    for name, _, typed in SAID:
        words = [CLAIM, "they", "are", "ints"] if CLAIM in typed else re.findall(r"\S+| (?= )", typed)
        done = run(name, path, *words, "--json")
        assert (done.code, done.json()["changed"]) == (exits.DONE, True), done


def by_repl(path: Path, run: Caller) -> None:
    done = run("postmortem", path, "--json", given="\n".join(f"{name} {typed}" for name, _, typed in SAID))
    assert (done.code, [each["changed"] for each in done.lines()]) == (exits.DONE, [True] * len(SAID)), done


def by_pipe(path: Path, run: Caller) -> None:
    raw = "\n".join(json.dumps({"op": name, **said}) for name, said, _ in SAID)
    answers: list[dict[str, Any]] = []
    with Store(str(path)) as store:
        assert lines.run(store, io.BytesIO(raw.encode()), answers.append) == exits.DONE, answers
    assert [each["changed"] for each in answers] == [True] * len(SAID)
    assert not any("notes" in each for each in answers)


def by_tool(path: Path, run: Caller) -> None:
    door = Door(str(path), str(path.parent), scripted=True)
    tools = {tool.name: tool for tool in offering(door, (ALL,)).tools}
    named = {entry.name: entry.tool.name for entry in QUESTIONS if entry.writes and entry.tool is not None}
    with open_session(str(path)) as session:
        for name, said, _ in SAID:
            if name in named:
                tool = tools[named[name]]
                assert tool.run(filled(tool.takes, said), _Quiet())["changed"], name
            else:  # the toolset `claims` has a tool of its own for these
                claim = {"kind": f"{name}ed", "claim": CLAIM, "weight": said.get("weight", 1_000), "way": "explicit"}
                session.record([{**claim, "by": ["file:src/db.py"] if "by" in said else []}])
    door.close()


class _Quiet:
    def progress(self, done: int, total: int | None = None, words: str = "") -> None:
        pass


DOORS = {"shell": by_shell, "repl": by_repl, "pipe": by_pipe, "tool": by_tool}


@pytest.mark.parametrize("door", DOORS)
def test_every_door_records_the_same_and_nothing_twice(tmp_path: Path, run: Caller, door: str) -> None:
    path, other = project(tmp_path / "one"), project(tmp_path / "other")
    DOORS[door](path, run)
    by_repl(other, run)
    found = ops_of(path)
    assert found == ops_of(other)
    assert {op["kind"] for op in found} == {
        "remembered", "annotation", "supported", "contradicted", "labelled", "paged_in", "paged_out", "weighed",
        "retracted", "superseded",
    }  # fmt: skip
    superseding = [op for op in found if op.get("memo") == OTHER]
    assert [(op["class"], op["words"]) for op in superseding] == [("preference", SPACES)]


@pytest.mark.parametrize("at", range(len(SAID)), ids=lambda at: SAID[at][0])
def test_saying_it_again_records_nothing(tmp_path: Path, run: Caller, at: int) -> None:
    path = project(tmp_path / "one")
    typed = [f"{name} {said}" for name, _, said in SAID[: at + 1]]
    run("postmortem", path, given="\n".join(typed))
    before = ops_of(path)
    answer = run("postmortem", path, "--json", given=typed[-1]).json()
    assert ops_of(path) == before
    assert not answer["changed"]
    assert answer["step"] > 0 or SAID[at][0] in ("label", "page-in", "page-out", "attention")
    assert "already" in run("postmortem", path, given=typed[-1]).out


def test_every_question_that_writes_is_told_here() -> None:
    elsewhere = {"govern", "expire", "priority", "adopt", "invert", "outcome"}  # in the tests of each
    assert {name for name, _, _ in SAID} | elsewhere == {entry.name for entry in QUESTIONS if entry.writes}


def test_the_server_writes_several_values_as_questions_read_them() -> None:
    from ccos_core.query import question, words

    assert (SEPARATOR, MANY) == (words.SEPARATOR, question.MANY)


# ---- ids ----


@pytest.mark.parametrize(
    ("typed", "near"),
    [("retract claim:rates are float", CLAIM), ("annotate src/bd.py x", "src/db.py")],
)
def test_what_does_not_exist_names_the_nearest(tmp_path: Path, run: Caller, typed: str, near: str) -> None:
    path = project(tmp_path / "one")
    given_ = typed.replace("claim:rates are float", '"claim:rates are float"')
    run("postmortem", path, given=f"remember {TABS}\nsupport rates are floats")
    done = run("postmortem", path, given=given_)
    assert done.code == exits.NO
    assert near in done.err
    assert len(ops_of(path)) == 2


def test_an_unknown_id_names_no_other_statement(tmp_path: Path, run: Caller) -> None:
    path = project(tmp_path / "one")
    run("remember", path, TABS)
    done = run("postmortem", path, given=f"retract {MEMO[:-1]}0")
    assert done.code == exits.NO
    assert "there is no such statement" in done.err
    assert MEMO not in done.err


def test_the_start_of_an_id_is_enough_where_it_means_one(tmp_path: Path, run: Caller) -> None:
    path = project(tmp_path / "one")
    run("remember", path, TABS)
    assert run("feedback", path, MEMO[:9], "+", "--json").json()["nodes"] == [MEMO]
    assert run("feedback", path, MEMO.removeprefix("memo:"), "-", "--json").json()["belief"] == 0


def test_to_rate_what_is_remembered_nobody_reads_all_that_was_said(
    tmp_path: Path, run: Caller, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = project(tmp_path / "one")
    run("remember", path, TABS)
    monkeypatch.setattr("ccos_core.query.node_names.known_statements", lambda *_: 1 // 0)
    assert run("feedback", path, MEMO, "+").code == exits.DONE
    assert run("retract", path, MEMO).code == exits.DONE


def test_a_derived_statement_is_confirmed_with_its_words(tmp_path: Path, run: Caller) -> None:
    path = project(tmp_path / "one")
    with open_session(str(path)) as session:
        said = {"kind": "prompt", "source": "user", "host": "claude-code", "session": "s", "said": f"{TABS} Go on."}
        session.record([said])
    answer = run("remember", path, MEMO, "--class", "preference", "--json").json()
    assert (answer["text"], answer["cls"], answer["nodes"]) == (TABS, "preference", [MEMO])
    assert ops_of(path)[-1]["words"] == TABS


@pytest.mark.parametrize(
    ("typed", "words"),
    [
        ((TABS, "--lifetime", "0d"), "0d: isn't a lifetime"),
        (("...",), "...: has no words"),
        (("",), "the text: has no"),
    ],
)
def test_what_cannot_be_remembered_is_refused(tmp_path: Path, run: Caller, typed: tuple[str], words: str) -> None:
    path = project(tmp_path / "one")
    done = run("remember", path, *typed)
    assert (done.code, words in done.err) == (exits.USAGE, True), done
    assert ops_of(path) == []


def test_what_ended_in_the_user_s_own_record_is_not_listed(tmp_path: Path, run: Caller) -> None:
    one, other = project(tmp_path / "one"), project(tmp_path / "other")
    told_by(other, "user", "Go on.")
    run("remember", one, TABS, "--scope", "user")
    assert [each["text"] for each in run("statements", other, "--json").json()["statements"]] == ["Go on.", TABS]
    run("supersede", one, MEMO, SPACES)
    assert [each["text"] for each in run("statements", other, "--json").json()["statements"]] == ["Go on.", SPACES]


def test_a_tool_names_the_argument_that_cannot_be_meant(tmp_path: Path) -> None:
    door = Door(str(project(tmp_path / "one")), str(tmp_path), scripted=True)
    tool = next(tool for tool in offering(door).tools if tool.name == "feedback")
    with pytest.raises(Wrong) as wrong:
        tool.run(filled(tool.takes, {"node": "memo:0000", "sign": "+"}), _Quiet())
    assert wrong.value.argument == "node"
    door.close()


def test_switched_off_nothing_is_recorded(tmp_path: Path, run: Caller, monkeypatch: pytest.MonkeyPatch) -> None:
    path = project(tmp_path / "one")
    monkeypatch.setenv("CCOS_OFF", "1")
    for scope in ("project", "user"):
        assert run("remember", path, TABS, "--scope", scope).code == exits.NO
    assert ops_of(path) == []
    assert not (tmp_path / "config").exists()


# ---- scopes ----


def test_what_was_said_in_one_project_is_told_in_another_only_by_its_scope(tmp_path: Path, run: Caller) -> None:
    one, other = project(tmp_path / "one"), project(tmp_path / "other")
    run("remember", one, TABS)
    kept = run("remember", one, SPACES, "--scope", "user", "--class", "preference", "--json").json()
    assert kept["for_user"]
    assert [op["kind"] for op in ops_of(one)] == ["remembered"]
    told = {path: run("context", path, "--json").json() for path in (one, other)}
    assert [each["text"] for each in told[one]["statements"]] == [SPACES, TABS]
    assert [each["text"] for each in told[other]["statements"]] == [SPACES]
    assert run("context", other, "tabs in makefiles").code == exits.NO
    again = run("remember", other, SPACES, "--scope", "user", "--class", "preference", "--json").json()
    assert (again["changed"], again["step"]) == (False, kept["step"])
    assert run("feedback", other, OTHER, "+", "--json").json()["belief"] == 500
    assert run("retract", other, OTHER, "--json").json()["standing"] == "retracted"
    assert ops_of(other) == []
    assert run("context", one, "--json").json()["more"] == 0
    assert [each["text"] for each in run("context", one, "--json").json()["statements"]] == [TABS]


def test_statements_of_the_user_are_listed_in_every_project_with_their_window(tmp_path: Path, run: Caller) -> None:
    one, other = project(tmp_path / "one"), project(tmp_path / "other")
    prompt = {"kind": "prompt", "source": "user", "host": "claude-code", "session": "s"}
    with open_session(str(one)) as session:
        session.record([{**prompt, "said": "Go on."}])
    with open_session(str(other)) as session:
        session.record([{**prompt, "said": f"{SPACES} Go on."}])
    run("remember", one, SPACES, "--scope", "user", "--class", "preference")
    run("remember", one, TABS)
    told = {path: run("statements", path, "--json").json()["statements"] for path in (one, other)}
    rows = {path: [(each["text"], each["classes"], each["said"]) for each in told[path]] for path in told}
    assert rows[one] == [(TABS, ["note"], 4), ("Go on.", [], 3), (SPACES, ["preference"], 0)]
    assert rows[other] == [(SPACES, ["preference"], 3), ("Go on.", [], 3)]
    assert [each["state"] for each in told[other]] == ["in", "in"]
    assert run("statement", one, OTHER, "--json").json()["text"] == SPACES
    assert run("statement", other, MEMO).code == exits.NO


def test_a_statement_tells_its_class_scope_and_standing_at_each_step(tmp_path: Path, run: Caller) -> None:
    path = project(tmp_path / "one")
    with open_session(str(path)) as session:
        session.record([{"kind": "prompt", "source": "user", "host": "claude-code", "session": "s", "said": TABS}])
    for words in (["remember", TABS, "--class", "preference"], ["feedback", MEMO, "+"], ["retract", MEMO]):
        run(words[0], path, *words[1:])
    told = [run("statement", f"{path}@{step}", MEMO, "--json").json() for step in (3, 4, 5, 6)]
    filed = [(each["cls"], each["scope"], each["standing"], each["belief"]) for each in told]
    assert filed == [
        ("", "", "live", 0),
        ("preference", "project", "live", 0),
        ("preference", "project", "live", 500),
        ("preference", "project", "retracted", 0),
    ]
    assert "preference in this project, live, belief +500, tension 0" in run("statement", f"{path}@5", MEMO).out
    assert "preference, project" in run("statements", f"{path}@5").out


def test_what_is_remembered_is_no_request(tmp_path: Path, run: Caller) -> None:
    path = project(tmp_path / "one")
    where = {"host": "claude-code", "session": "s"}
    with open_session(str(path)) as session:
        session.record([{"kind": "prompt", "source": "user", "said": "Fix the rates.", **where}])
    run("remember", path, TABS)
    with open_session(str(path)) as session:
        session.record([{"kind": "compaction", "trigger": "auto", "exact": False, "summary": "Nothing.", **where}])
    with open_record(str(path)) as record, Desk(record) as desk:
        found = retelling(desk.timeline, desk.timeline.head, Context("claude-code", "s", ""))
    assert [each.text for each in found.request] == ["Fix the rates."]


def test_what_holds_for_a_session_is_told_in_that_session_alone(tmp_path: Path, run: Caller) -> None:
    path = project(tmp_path / "one")
    assert run("remember", path, TABS, "--scope", "session").code == exits.NO  # there is none yet
    speaking = {"kind": "prompt", "source": "user", "host": "claude-code", "said": "Go on."}
    with open_session(str(path)) as session:
        session.record([{**speaking, "session": "a"}])
    run("remember", path, TABS, "--scope", "session")
    assert [each["text"] for each in run("context", path, "--json").json()["statements"]] == [TABS]
    with open_session(str(path)) as session:
        session.record([{**speaking, "session": "b"}])
    assert run("context", path).code == exits.NO
    run("supersede", path, MEMO, SPACES)
    listed = {name: run("statements", path, "--session", name, "--json").json()["statements"] for name in "ab"}
    assert [[each["text"] for each in rows if each["scope"] == "session"] for rows in listed.values()] == [
        [SPACES, TABS, "Go on."],
        ["Go on."],
    ]


def test_a_window_of_code_bears_statements_that_are_paged_in(tmp_path: Path, run: Caller) -> None:
    path = project(tmp_path / "one")
    run("remember", path, TABS)
    before = run("recall", path).out
    for name in ("page-in", "page-out"):
        run(name, path, MEMO)
        assert run("recall", path).out == before
    run("page-in", path, "src/db.py", MEMO)
    assert "src/db.py" in run("recall", path).out


def test_what_an_agent_remembers_is_never_told_as_the_user_s(tmp_path: Path, run: Caller) -> None:
    """A text that an agent took out of a page may be an attacker's; a person confirms it by its id."""
    path = project(tmp_path / "one")
    with Store(str(path)) as store:
        store.obey("remember", {"text": TABS, "class": "preference", "scope": "user"})
        assert (
            store.obey("get_context", {})["text"]
            == f"- [preference, user, by an agent, not confirmed by the user] {TABS} ({MEMO})"
        )
    with open_session(str(path)) as session:
        session.record([{"kind": "prompt", "source": "user", "host": "claude-code", "session": "s", "said": "Go on."}])
    listed = {who: run("statements", path, "--author", who, "--json").json()["statements"] for who in ("user", "agent")}
    assert [[each["text"] for each in rows] for rows in listed.values()] == [["Go on."], [TABS]]
    assert [run("remember", path, MEMO, "--json").json()["changed"] for _ in range(2)] == [True, False]
    (known,) = run("context", path, "--json").json()["statements"]
    assert (known["author"], known["cls"], known["scope"]) == ("user", "preference", "user")


# ---- whose statement it is ----

WHERE = {"host": "claude-code", "session": "s"}
TAKING_BACK: list[tuple[str, dict[str, Any], str]] = [
    ("retract", {"node": MEMO}, "the agent retracted it at step 5"),
    ("supersede", {"node": MEMO, "new": SPACES}, "the agent superseded it at step 6"),
]


def told_by(path: Path, source: str, text: str) -> None:
    with open_session(str(path)) as session:
        session.record([{"kind": "prompt", "source": source, "said": text, **WHERE}])


def lost_words(path: Path) -> list[str]:
    """What is told again after a compaction whose summary says nothing."""
    with open_session(str(path)) as session:
        session.record([{"kind": "compaction", "trigger": "auto", "exact": False, "summary": "Nothing.", **WHERE}])
    with open_record(str(path)) as record, Desk(record) as desk:
        found = retelling(desk.timeline, desk.timeline.head, Context("claude-code", "s", ""))
    return [each.text for each in (*found.request, *found.statements)]


@pytest.mark.parametrize("how", ["said", "remembered", "remembered everywhere"])
@pytest.mark.parametrize(("verb", "given_", "objection"), TAKING_BACK, ids=lambda each: str(each)[:9])
def test_an_agent_takes_back_nothing_that_the_user_said(
    tmp_path: Path, run: Caller, how: str, verb: str, given_: dict[str, Any], objection: str
) -> None:
    path = project(tmp_path / "one")
    told_by(path, "user", TABS if how == "said" else "Go on.")
    scope = "user" if how == "remembered everywhere" else "project"
    if how == "said":
        told_by(path, "user", "Go on.")
    else:
        run("remember", path, TABS, "--class", "preference", "--scope", scope)
    with Store(str(path)) as store:
        answers = [store.obey(verb, given_) for _ in range(2)]
    assert [(each["changed"], each["standing"], each["without_effect"]) for each in answers] == [
        (True, "live", True),
        (False, "live", True),
    ]
    objection = objection.replace("step 5", "step 3").replace("step 6", "step 4") if scope == "user" else objection
    listed = run("statements", path, "--json").json()["statements"]
    (row,) = [each for each in listed if each["memo"] == MEMO]
    assert (row["standing"], row["objection"]["actor"], row["objection"]["kind"]) == (
        "live", "agent", {"retract": "retracted", "supersede": "superseded"}[verb],
    )  # fmt: skip
    assert objection in run("statements", path).out
    by = f" by {OTHER}" if verb == "supersede" else ""
    assert f"{objection}{by}; only a person can change it" in run("statement", path, MEMO).out
    assert run("statement", path, MEMO, "--json").json()["standing"] == "live"
    assert objection in run("context", path, "tabs in makefiles").out
    if scope == "project":
        assert TABS in lost_words(path)
    run(verb, path, MEMO, *([SPACES] if verb == "supersede" else []))
    standing = run("statement", path, MEMO, "--json").json()
    assert (standing["standing"], standing["objection"]) == (row["objection"]["kind"], None)
    with Store(str(path)) as store:
        store.obey("remember", {"text": MEMO})
    assert run("statement", path, MEMO, "--json").json()["standing"] == row["objection"]["kind"]
    assert TABS not in lost_words(path)


def test_an_agent_takes_back_what_an_agent_remembered(tmp_path: Path, run: Caller) -> None:
    path = project(tmp_path / "one")
    with Store(str(path)) as store:
        store.obey("remember", {"text": TABS})
        answer = store.obey("retract", {"node": MEMO})
    assert (answer["standing"], answer["without_effect"]) == ("retracted", False)
    assert run("context", path).code == exits.NO
    told_by(path, "user", TABS)  # now it is the user's, and a retraction from before doesn't count
    assert run("statement", path, MEMO, "--json").json()["standing"] == "live"
    assert TABS in lost_words(path)


def test_an_agent_hides_and_narrows_nothing_of_the_user(tmp_path: Path, run: Caller) -> None:
    path = project(tmp_path / "one")
    told_by(path, "user", "Go on.")
    run("remember", path, TABS, "--class", "preference")
    before = run("context", path, "--json").json()["statements"]
    with Store(str(path)) as store:
        answers = [
            store.obey(verb, said)
            for verb, said in [
                ("page-out", {"nodes": [MEMO]}),
                ("attention", {"node": MEMO, "weight": 0}),
                ("remember", {"text": f"{TABS[:-1]}!", "class": "note", "scope": "session"}),
            ]
            for _ in range(2)
        ]
    assert [(each["changed"], each["without_effect"]) for each in answers] == [
        *[(True, True), (False, True)] * 2,
        *[(True, True), (False, False)],
    ]
    assert run("context", path, "--json").json()["statements"] == before
    run("page-out", path, MEMO)
    assert run("context", path).code == exits.NO


# ---- what reaches the disk ----

SECRET = "sk-ant-" + "api03-" + "Zq9" * 31
TEXTS = {
    "remember": ("text", "reason"), "annotate": ("text",), "feedback": ("words",), "retract": ("words",),
    "supersede": ("new",), "support": ("claim", "words"), "contradict": ("claim", "words"), "page-in": ("reason",),
    "page-out": ("reason",), "label": ("tag",),
}  # fmt: skip
"""Question → its arguments that may be foreign text."""


@settings(max_examples=60, suppress_health_check=[HealthCheck.function_scoped_fixture], deadline=None)
@given(st.sampled_from(sorted(TEXTS)), st.data(), st.sampled_from(["{}", "key {} here", "a\n{}\nb", "\u200b{}"]))
def test_redaction_precedes_the_disk(name: str, data: st.DataObject, around: str) -> None:
    """Of every text of every question, also in the user's own record and in what is computed from it."""
    argument = data.draw(st.sampled_from(TEXTS[name]))
    scope = data.draw(st.sampled_from(["project", "user"]))
    with tempfile.TemporaryDirectory() as folder, pytest.MonkeyPatch.context() as patch:
        patch.setenv("XDG_CONFIG_HOME", folder)
        path = project(Path(folder, "one"))
        with open_record(str(path)) as record, Desk(record) as desk:
            desk.ask(BY_NAME["remember"], {"text": TABS, "scope": scope})
            desk.catch_up()
            said = {key: value for each, value, _ in SAID if each == name for key, value in value.items()}
            given_ = {
                key: SEPARATOR.join(value) if isinstance(value, list) else str(value) for key, value in said.items()
            }
            given_ = {key: value.replace(CLAIM, MEMO).replace(OTHER, MEMO) for key, value in given_.items()}
            if name == "label":
                given_["nodes"] = MEMO
            if name in ("page-in", "page-out"):
                given_["nodes"] = MEMO
            answer = desk.ask(BY_NAME[name], {**given_, argument: around.format(SECRET)}).answer
        assert SECRET not in json.dumps(answer.text)
        assert "REDACTED" in texts_in(Path(folder))
        assert SECRET not in texts_in(Path(folder))


def texts_in(folder: Path) -> str:
    """All that can be read from any file below a folder: as bytes, and of records what they hold."""
    found = [path.read_bytes().decode("utf-8", "replace") for path in folder.rglob("*") if path.is_file()]
    for path in folder.rglob("*.ccos"):
        with open_record(str(path)) as record:
            found += [body.decode() for _, _, body in record.rows()]
            hashes = [bytes(row[0]) for row in record.ask("SELECT hash FROM blob")]
            found += [record.content(each).decode() for each in hashes]
    return "\n".join(found)


def test_a_desk_that_is_open_knows_no_erased_words(tmp_path: Path, run: Caller) -> None:
    path = project(tmp_path / "one")
    run("remember", path, "Zanzibar deploys on Fridays")
    with open_record(str(path)) as record, Desk(record) as desk:

        def listed() -> list[str]:
            return [each.text for each in desk.ask(BY_NAME["context"], {}).answer.statements]

        assert "Zanzibar deploys on Fridays" in listed()
        assert not desk.drop_erased()
        forget(str(path), match="Zanzibar")
        desk.catch_up()
        assert listed() == []


@pytest.mark.parametrize("scope", ["project", "user"])
def test_after_forget_its_words_are_nowhere(tmp_path: Path, run: Caller, scope: str) -> None:
    """In no record, cache, answer or export made since."""
    path = project(tmp_path / "one")
    phrase = "Zanzibar deploys on Fridays"
    memo = run("remember", path, phrase, "--scope", scope, "--reason", phrase, "--json").json()["nodes"][0]
    run("annotate", path, memo, f"note: {phrase}")
    run("feedback", path, memo, "+", f"because {phrase}")
    run("supersede", path, memo, f"{phrase} only")
    run("context", path, "zanzibar")
    run("statements", path)
    assert phrase in texts_in(tmp_path)
    record = path if scope == "project" else tmp_path / "config" / "ccos-tui" / "user.ccos"
    forget(str(record), match="Zanzibar")
    assert run("export", record, "-o", tmp_path / "export.jsonl").code == exits.DONE
    answers = [run("context", path, "--json"), run("log", record), run("context", path, "zanzibar", "--json")]
    for text in (texts_in(tmp_path), *(each.out for each in answers)):
        assert "zanzibar deploys" not in text.lower()
    assert answers[0].json()["statements"] == []


PHRASE = "Zanzibar deploys on Fridays"
ERASABLE: list[tuple[str, dict[str, str]]] = [
    ("remember", {"text": PHRASE}),
    ("remember", {"text": TABS, "reason": f"since {PHRASE}"}),
    ("annotate", {"node": MEMO, "text": f"note: {PHRASE}"}),
    ("annotate", {"node": "src/db.py", "text": PHRASE}),
    ("feedback", {"node": MEMO, "sign": "+", "words": f"because {PHRASE}"}),
    ("support", {"claim": "rates are floats", "words": PHRASE}),
    ("contradict", {"claim": "rates are floats", "words": f"no: {PHRASE}"}),
    ("supersede", {"node": MEMO, "new": f"{PHRASE} only"}),
    ("retract", {"node": MEMO, "words": f"{PHRASE} no more"}),
    ("page-in", {"nodes": "src/db.py", "reason": f"as {PHRASE}"}),
    ("page-out", {"nodes": MEMO, "reason": PHRASE}),
]
"""Questions that write, and the arguments whose words can be erased."""


@settings(max_examples=20, suppress_health_check=[HealthCheck.function_scoped_fixture], deadline=None)
@given(
    st.lists(st.sampled_from(ERASABLE), min_size=1, max_size=6),
    st.sampled_from(["project", "user"]),
    st.sampled_from(["user", "agent"]),
)
def test_after_forget_no_door_has_left_its_words(
    said: list[tuple[str, dict[str, str]]], scope: str, actor: str
) -> None:
    with tempfile.TemporaryDirectory() as folder, pytest.MonkeyPatch.context() as patch:
        patch.setenv("XDG_CONFIG_HOME", folder)
        path = project(Path(folder, "one"))
        told_by(path, "user", "Go on.")
        with open_record(str(path)) as record, Desk(record) as desk:
            desk.actor = actor
            for name, given_ in [("remember", {"text": TABS}), *said]:
                desk.ask(BY_NAME[name], {**given_, "scope": scope} if name == "remember" else given_)
                desk.catch_up()
            desk.ask(BY_NAME["context"], {"query": "zanzibar"})
            desk.ask(BY_NAME["statements"], {})
        assert PHRASE in texts_in(Path(folder))
        for each in Path(folder).rglob("*.ccos"):
            with contextlib.suppress(NotFound):
                assert forget(str(each), match="Zanzibar").inline == 0
        assert "zanzibar" not in texts_in(Path(folder)).lower()
        with open_record(str(path)) as record, Desk(record) as desk:
            told = [desk.ask(BY_NAME[name], {}).answer for name in ("context", "statements", "claims")]
        assert "zanzibar" not in repr(told).lower()
