"""What contents say: recorded, derived or missing; never another answer for how it was come by."""

from __future__ import annotations

import multiprocessing
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from ccos_core.intake import failures
from ccos_core.ops import epoch, plain
from ccos_core.ops.plain import unseal
from ccos_core.session import interpreters, lifecycle
from ccos_core.session.deriving import BY_NAME
from ccos_core.session.facts import Facts
from ccos_core.session.session import Session
from ccos_core.storage.opening import open_record
from ccos_core.storage.record import Record
from ccos_core.text.syntax.languages import language_of
from ccos_core.text.syntax.parse import machinery, outline
from ccos_core.values.canon import digest
from ccos_core.values.outcome import Report
from ccos_core.window.layout import entries
from ccos_core.window.source import Source
from tests import story

CODE = "import os\n\nclass Store:\n    def put(self):\n        return os.sep\n"
TRACEBACK = """Traceback (most recent call last):
  File "src/run.py", line 3, in <module>
    main()
  File "src/run.py", line 2, in main
    raise ValueError("no such order")
ValueError: no such order
"""
BLOB = digest(CODE.encode()).hex()
Tool = dict[str, Any]


@pytest.fixture
def session(tmp_path: Path) -> Iterator[Session]:
    with story.new_session(tmp_path) as session:
        yield session


def seen(content: str, path: str = "src/db.py") -> dict[str, Any]:
    return {"kind": "seen", "how": "read", "path": path, "content": content}


def ran(result: str, command: Any = "python src/run.py", outcome: str = "error", name: str = "Bash") -> Tool:
    return {"kind": "tool", "name": name, "outcome": outcome, "arguments": {"command": command}, "result": result}


def shown(pairs: list[tuple[str, str]]) -> list[dict[str, Any]]:
    """As much of the ops that bring these contents as says what will be asked."""
    return [{"kind": "seen", "how": "read", "path": path, "content": {"blob": blob}} for blob, path in pairs]


def other_processes(monkeypatch: pytest.MonkeyPatch) -> None:
    """However little there is to be made, it is handed out, a fact or two at a time."""
    monkeypatch.setattr("ccos_core.session.deriving.WORTH_A_PROCESS", 0)
    monkeypatch.setattr("ccos_core.session.deriving.AHEAD_SHARE", 100)
    monkeypatch.setattr("os.cpu_count", lambda: 3)


def last(record: Record) -> dict[str, Any]:
    return unseal(record.op(record.head()[0])[2])


def rows(record: Record) -> list[tuple[Any, ...]]:
    return record.ask("SELECT key, interpreter, version, body FROM fact ORDER BY key, interpreter")


# -- outlines -----------------------------------------------------------------------------------------------------


def test_derived_once_then_recorded(session: Session, monkeypatch: pytest.MonkeyPatch) -> None:
    session.record([seen(CODE)])
    record, head = session.recorded, session.recorded.head()
    facts = Facts(record)
    found = facts.outline(BLOB, "src/db.py")
    language = language_of("a.py")
    assert language is not None
    assert found == outline(language, CODE.encode())
    assert [symbol.name for symbol in found.symbols] == ["Store", "Store.put"]
    assert rows(record) == [], "nothing is written before somebody says so"
    assert facts.record_missing() == 1
    assert facts.record_missing() == 0
    assert [row[:3] for row in rows(record)] == [(bytes.fromhex(BLOB), "python", language.version)]
    assert record.head() == head
    monkeypatch.setattr("ccos_core.session.facts.outline_body", None)
    assert Facts(record).outline(BLOB, "src/db.py") == found


def test_the_language_is_the_paths(session: Session) -> None:
    session.record([seen("const x = 1\n", "a.ts")])
    blob = digest(b"const x = 1\n").hex()
    facts = Facts(session.recorded)
    typescript, python = facts.outline(blob, "a.ts"), facts.outline(blob, "a.py")
    assert typescript != python
    facts.record_missing()
    assert [row[1] for row in rows(session.recorded)] == ["python", "typescript"]
    again = Facts(session.recorded)
    assert (again.outline(blob, "a.ts"), again.outline(blob, "a.py")) == (typescript, python)


def test_a_language_that_is_not_ours_is_not_missing(session: Session) -> None:
    session.record([seen("hello\n", "notes.txt")])
    facts = Facts(session.recorded)
    assert facts.outline(digest(b"hello\n").hex(), "notes.txt") is None
    assert facts.outline_of_text("hello\n", "Makefile") is None
    assert facts.missing == {}


def test_what_cannot_be_had_says_why(session: Session, monkeypatch: pytest.MonkeyPatch) -> None:
    session.record([seen(CODE), seen("x = 1\n"), seen("y = 1\n")])
    record, one, other, gone = session.recorded, BLOB, digest(b"x = 1\n").hex(), "ab" * 32
    with record.write() as writing:
        writing.erase(bytes.fromhex(one), len(CODE), 2, 1, "by hash")
        writing.run("UPDATE blob SET body = x'00' WHERE hash = ?", (bytes.fromhex(other),))
    facts = Facts(record)
    assert [facts.outline(blob, "a.py") for blob in (one, other, gone)] == [None] * 3
    assert facts.missing == {one: "erased", other: "damaged", gone: "absent"}
    assert (facts.text(one), facts.text(gone)) == (None, None)
    monkeypatch.setattr("ccos_core.text.syntax.parse.machinery", lambda _: None)
    facts = Facts(record)
    assert facts.outline(digest(b"y = 1\n").hex(), "a.py") is None
    assert facts.missing == {digest(b"y = 1\n").hex(): "no grammar"}
    assert facts.record_missing() == 0, "that somebody has no grammar is nobody's fact"


def test_a_composed_text_has_facts_too(session: Session, monkeypatch: pytest.MonkeyPatch) -> None:
    facts = Facts(session.recorded)
    found = facts.outline_of_text(CODE, "src/db.py")
    assert found is not None
    assert found.symbols
    facts.record_missing()
    ((key, interpreter, _, _),) = rows(session.recorded)
    assert (key, interpreter) == (b"text:" + bytes.fromhex(BLOB), "python")
    monkeypatch.setattr("ccos_core.session.facts.outline_body", None)
    assert Facts(session.recorded).outline_of_text(CODE, "src/db.py") == found


def test_what_is_not_what_its_hash_says_is_not_derived_from(session: Session, monkeypatch: pytest.MonkeyPatch) -> None:
    other_processes(monkeypatch)
    session.record([seen(CODE), seen("x = 1\n")])
    one, other = bytes.fromhex(BLOB), digest(b"x = 1\n")
    with session.recorded.write() as writing:
        cells = writing.record.ask('SELECT size, form, "check", body FROM blob WHERE hash = ?', (other,))[0]
        sql = 'UPDATE blob SET size = ?, form = ?, "check" = ?, body = ? WHERE hash = ?'
        writing.run(sql, (*cells, one))
    facts = Facts(session.recorded)
    facts.look_ahead(shown([(BLOB, "a.py"), (other.hex(), "a.py")]))
    assert facts.record_missing() == 1
    assert [row[0] for row in rows(session.recorded)] == [other]
    assert facts.outline(BLOB, "a.py") is None
    assert facts.missing == {BLOB: "damaged"}


def test_many_at_once_are_what_each_is_alone(session: Session, monkeypatch: pytest.MonkeyPatch) -> None:
    texts = {f"m{n}.py": f"import m{n % 3}\n\ndef f{n % 5}():\n    return {n % 5}\n" for n in range(40)}
    session.record(seen(text, path) for path, text in texts.items())
    pairs = [(digest(text.encode()).hex(), path) for path, text in texts.items()] + [("ab" * 32, "x.py"), (BLOB, "x")]
    alone = Facts(session.recorded)
    expected = [alone.outline(*pair) for pair in pairs]
    other_processes(monkeypatch)
    first = Facts(session.recorded)
    first.look_ahead(shown(pairs))
    assert [first.outline(*pair) for pair in pairs] == expected
    assert first.missing == alone.missing == {"ab" * 32: "absent"}
    for (content, path), text, told in zip(pairs[:15], texts.values(), expected, strict=False):  # the rest repeat them
        assert told is not None
        assert first.entries(content, path) == entries(Source(path, text, told))
        assert first.entries(content, "other.py") is alone.entries(content, path) is None
    first.record_missing()
    monkeypatch.setattr("ccos_core.session.facts.outline_body", None)
    second = Facts(session.recorded)
    second.look_ahead(shown(pairs[:-2]))
    monkeypatch.setattr("ccos_core.storage.facts.recorded", None)
    assert [second.outline(*pair) for pair in pairs[:-2]] == expected[:-2]


def test_a_spoiled_fact_counts_as_none(session: Session) -> None:
    session.record([seen(CODE)])
    facts = Facts(session.recorded)
    found = facts.outline(BLOB, "a.py")
    facts.record_missing()
    for spoil in ("SET body = x'00'", "SET digest = x'00'", "SET version = 1, form = 9"):
        with session.recorded.write() as writing:
            writing.run(f"UPDATE fact {spoil}")
        for facts in (Facts(session.recorded), Facts(session.recorded)):
            facts.look_ahead(shown([(BLOB, "a.py")]))
            assert facts.outline(BLOB, "a.py") == found


def test_what_ops_will_ask_for_is_made_before_they_do(session: Session, monkeypatch: pytest.MonkeyPatch) -> None:
    told = [seen(f"def f{n}():\n    pass\n", f"m{n}.py") for n in range(30)]
    told += [ran(TRACEBACK.replace("order", f"order {n}"), f"python src/run{n}.py") for n in range(30)]
    told += [{**seen("x = 1\n"), "slice": [1, 1]}, ran("", "true", "ok"), ran("text", name="Read")]
    session.record(told)
    ops = [unseal(body) for _, _, body in session.recorded.rows(2)]
    alone = Facts(session.recorded)
    expected = [alone.report(op) for op in ops]
    other_processes(monkeypatch)
    monkeypatch.setattr("ccos_core.session.facts.report_body", None)
    facts = Facts(session.recorded)
    facts.look_ahead(ops)
    assert [facts.report(op) for op in ops] == expected
    assert facts.record_missing() == 61, "30 outlines, 30 outputs, and a command that succeeded without a word"
    assert alone.record_missing() == 31


def test_a_fold_that_ends_early_leaves_nobody_behind(session: Session, monkeypatch: pytest.MonkeyPatch) -> None:
    session.record([seen(f"def f{n}():\n    pass\n", f"m{n}.py") for n in range(300)])
    other_processes(monkeypatch)
    before = {process.pid for process in multiprocessing.active_children()}
    facts = Facts(session.recorded)
    facts.look_ahead([unseal(body) for _, _, body in session.recorded.rows(2)])
    assert {process.pid for process in multiprocessing.active_children()} > before
    del facts
    # Looked for, not joined: a thread of their own waits for them too, and only one of two is told that one ended.
    until = time.monotonic() + 30
    while (left := {each.pid for each in multiprocessing.active_children()} - before) and time.monotonic() < until:
        time.sleep(0.01)
    assert not left


@pytest.mark.parametrize(
    "body",
    [
        b"",
        b"[]",
        b"1",
        b"{}",
        b"not canonical",
        b'{"flaws":[],"imports":[],"references":[],"symbols":[[1]]}',
        b'{"failures":[[]],"flaws":[],"passes":[]}',
        b'{"failures":[1],"flaws":[],"passes":[]}',
    ],
)
def test_neither_does_one_that_is_whole_and_makes_no_sense(session: Session, body: bytes) -> None:
    session.record([seen(CODE), ran(TRACEBACK)])
    op = last(session.recorded)
    said = bytes.fromhex(op["result"]["blob"] + op["arguments"]["blob"])
    with session.recorded.write() as writing:
        writing.keep_fact(bytes.fromhex(BLOB), "python", 1, body)
        writing.keep_fact(said, "failures.error", 1, body)
    facts = Facts(session.recorded)
    assert facts.outline(BLOB, "a.py")
    assert facts.report(op)


# -- which version counts -----------------------------------------------------------------------------------------


def test_a_new_workspace_pins_what_this_program_has(session: Session) -> None:
    pinned = unseal(session.recorded.op(1)[2])["interpreters"]
    assert pinned == interpreters.current()
    assert pinned["python"] == BY_NAME["python"].version
    assert {"failures", "resolve", "fold"} <= pinned.keys()


def test_upgrade_pins_anew_and_a_workspace_of_before_works_until_then(tmp_path: Path) -> None:
    path = str(tmp_path / "w.ccos")
    from tests import making

    making.record_of(Path(path), [making.seen(CODE.encode())], CODE.encode())  # epochs pinned nothing then
    with open_record(path) as record:
        facts = Facts(record)
        assert facts.pins == interpreters.current()
        found = facts.outline(BLOB, "a.py")
        assert found is not None
        assert facts.record_missing() == 1
        assert record.head()[0] == 2
    assert lifecycle.upgrade(path) == (None, True)
    assert lifecycle.upgrade(path) == (None, False)
    with open_record(path) as record:
        assert interpreters.pinned(record) == interpreters.current()
        assert Facts(record).outline(BLOB, "a.py") == found
    lifecycle.compact(path, most=1, keep=0)
    with open_record(path) as record:
        assert record.floor() == 3
        assert interpreters.pinned(record) == interpreters.current(), "though its epoch lies in the archive"


def test_another_version_than_todays_is_only_ever_read(session: Session) -> None:
    session.record([seen(CODE)])
    facts = Facts(session.recorded)
    facts.under({"python": 99})
    assert facts.outline(BLOB, "a.py") is None
    assert facts.missing == {BLOB: "version"}
    recorded = b'{"flaws":["kept"],"imports":[],"references":[],"symbols":[]}'
    with session.recorded.write() as writing:
        writing.keep_fact(bytes.fromhex(BLOB), "python", 99, recorded)
    facts = Facts(session.recorded)
    facts.under({"python": 99})
    found = facts.outline(BLOB, "a.py")
    assert found is not None
    assert found.flaws == ("kept",)
    facts.under(interpreters.current())
    assert facts.outline(BLOB, "a.py") != found
    assert facts.missing == {}


def test_a_language_the_epoch_has_not_heard_of_is_none_of_ours(session: Session) -> None:
    """Or the same ops would add up to more wherever a later program reads them."""
    session.record([seen(CODE), ran(TRACEBACK)])
    facts = Facts(session.recorded)
    facts.under({"go": 1})
    facts.look_ahead(shown([(BLOB, "a.py")]))
    assert facts.outline(BLOB, "a.py") is None
    assert facts.report(last(session.recorded)) == Report()
    assert (facts.missing, facts.record_missing()) == ({}, 0)


def test_the_last_epoch_counts_unless_somebody_says_otherwise(session: Session) -> None:
    later = epoch.current(interpreters={"python": 5}, at=1)
    with session.recorded.write() as writing:
        writing.append(plain.seal(later))
    session.record([{"kind": "failed", "runner": "user", "test": '"kind":"epoch"'}])
    assert Facts(session.recorded).pins == {"python": 5}


# -- reports ------------------------------------------------------------------------------------------------------


def test_an_output_is_read_with_its_command_and_its_end(session: Session) -> None:
    session.record([ran(TRACEBACK)])
    failed = last(session.recorded)
    session.record([ran(TRACEBACK, "cat docs/errors.md", "ok")])
    quoted = last(session.recorded)
    assert failed["result"] == quoted["result"]
    facts = Facts(session.recorded)
    report = facts.report(failed)
    assert report == failures.read(TRACEBACK, "python src/run.py", False)
    assert report
    assert [frame.line for frame in report.failures[0].frames] == [2, 3]
    assert facts.report(quoted) == Report()
    assert facts.record_missing() == 2, "that it says nothing is a fact, too"
    again = Facts(session.recorded)
    assert (again.report(failed), again.report(quoted)) == (report, Report())
    assert again.record_missing() == 0


def test_the_end_of_the_call_is_part_of_it(session: Session) -> None:
    said = "src/a.py:7: error: something is odd\n"
    reports = []
    for outcome in ("ok", "error", "unknown", "interrupted"):
        session.record([ran(said, "make check", outcome)])
        facts = Facts(session.recorded)
        reports.append(facts.report(last(session.recorded)))
        facts.record_missing()
    assert [bool(report) for report in reports] == [True, True, False, False]
    assert reports[0] is not None
    assert not reports[0].failures, "that it passed ends what the same command reported"
    assert [row[1] for row in rows(session.recorded)] == ["failures.error", "failures.ok", "failures.unknown"]


def test_what_somebody_said_failed_is_read_as_a_failure(session: Session) -> None:
    session.record([{"kind": "failed", "runner": "user", "output": TRACEBACK}])
    report = Facts(session.recorded).report(last(session.recorded))
    assert report == failures.read(TRACEBACK, "", False)
    assert report


@pytest.mark.parametrize(
    "told",
    [
        {"kind": "tool", "name": "Bash", "outcome": "ok", "arguments": {"command": "true"}},
        {"kind": "tool", "name": "Bash", "outcome": "ok"},
        {"kind": "failed", "runner": "user", "test": "test_x"},
        {"kind": "prompt", "said": TRACEBACK, "source": "user"},
        ran(TRACEBACK, name="Read"),
        ran(TRACEBACK, name="mcp__files__read_file"),
    ],
    ids=["no result", "nothing ran", "no output", "prompt", "Read", "read_file"],
)
def test_what_can_say_nothing_is_not_even_read(
    session: Session, told: dict[str, Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    session.record([told])
    op = last(session.recorded)
    monkeypatch.setattr(Record, "content", None)
    facts = Facts(session.recorded)
    assert facts.report(op) == Report()
    assert facts.record_missing() == 0


def test_what_a_tool_runs_is_as_its_epoch_knew(session: Session, monkeypatch: pytest.MonkeyPatch) -> None:
    """Which tools say nothing may be known better one day; what was recorded before then stays as it was."""
    monkeypatch.setattr("ccos_core.intake.tools.RUN_NOTHING", {1: {"read"}, 99: {"bash"}})
    session.record([ran(TRACEBACK)])
    op = last(session.recorded)
    facts = Facts(session.recorded)
    assert facts.report(op)
    assert facts.report({**op, "name": "Read"}) == Report(), "though another call said the same"
    facts.under({"failures": 99})
    assert facts.report(op) == Report()
    assert facts.report({**op, "name": "Shell"}) is None, "for here is nobody of version 99"


def test_a_report_without_its_command_is_missing(session: Session) -> None:
    session.record([ran(TRACEBACK)])
    op = last(session.recorded)
    with session.recorded.write() as writing:
        writing.erase(bytes.fromhex(op["arguments"]["blob"]), op["arguments"]["bytes"], 2, 1, "by hash")
    facts = Facts(session.recorded)
    assert facts.report(op) is None
    assert facts.missing == {op["arguments"]["blob"]: "erased"}
    facts.under({"failures": 99})
    assert facts.report(op) is None
    assert facts.missing[op["result"]["blob"]] == "version"


# -- who may record -----------------------------------------------------------------------------------------------


def test_a_reader_records_what_it_derived_and_moves_no_head(tmp_path: Path) -> None:
    story.tell_anew(tmp_path, "see a.py\nwrite a.py 'x = 1\\n'")
    path = str(tmp_path / "work.ccos")
    blob = digest(b"x = 1\n").hex()
    with open_record(path) as reader:
        assert not reader.writable
        before = reader.head()
        facts = Facts(reader)
        found = facts.outline(blob, "a.py")
        assert facts.record_missing() == 1
        assert reader.head() == before
    with open_record(path) as reader:
        assert Facts(reader).outline(blob, "a.py") == found
        assert [row[1] for row in rows(reader)] == ["python"]
    assert [each.name for each in tmp_path.glob("work.ccos*")] == ["work.ccos"]


def test_whoever_may_not_write_still_reads(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    story.tell_anew(tmp_path, "write a.py 'x = 1\\n'")
    path = str(tmp_path / "work.ccos")
    monkeypatch.setattr("ccos_core.session.facts.PATIENCE", 0.01)
    with open_record(path) as reader, open_record(path, write=True) as busy:
        facts = Facts(reader)
        assert facts.outline(digest(b"x = 1\n").hex(), "a.py") is not None
        with busy.write():
            assert facts.record_missing() == 0
        assert facts.record_missing() == 1, "what it couldn't record then it still has"
    with open_record(path) as reader:
        facts = Facts(reader)
        facts.outline_of_text("x = 2\n", "a.py")
        (tmp_path / "work.ccos").rename(tmp_path / "elsewhere.ccos")
        assert facts.record_missing() == 0


def test_many_are_recorded_a_few_at_a_time(session: Session, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("ccos_core.session.facts.BATCH", 3)
    facts = Facts(session.recorded)
    for number in range(8):
        facts.outline_of_text(f"x = {number}\n", "a.py")
    assert facts.record_missing() == 8
    assert len(rows(session.recorded)) == 8


def test_no_more_is_held_than_agreed(session: Session, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("ccos_core.session.facts.MOST_TOLD", 2)
    facts = Facts(session.recorded)
    found = [facts.outline_of_text(f"x{number} = 1\n", "a.py") for number in range(5)]
    assert len(facts._told) == 2
    assert [facts.outline_of_text(f"x{number} = 1\n", "a.py") for number in range(5)] == found


def test_the_machinery_is_there() -> None:
    """Or the tests above would say little."""
    language = language_of("a.py")
    assert language is not None
    assert machinery(language) is not None


def test_without_a_grammar_for_commands_recorded_reports_stay_and_others_are_missing(
    session: Session, monkeypatch: pytest.MonkeyPatch
) -> None:
    session.record([ran(TRACEBACK)])
    op = last(session.recorded)
    before = Facts(session.recorded)
    told = before.report(op)
    monkeypatch.setattr("ccos_core.intake.calls.shell.can_parse", lambda: False)
    bare = Facts(session.recorded)
    assert bare.report(op) is None
    assert bare.missing == {op["result"]["blob"]: "no grammar"}
    assert before.record_missing() == 1
    assert Facts(session.recorded).report(op) == told
