"""Forgetting: the bytes are gone from every file, and the chain doesn't notice."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from ccos_core.errors import Erased, NotFound, Usage
from ccos_core.session import lifecycle
from ccos_core.session.forget import forget
from ccos_core.session.session import open_session
from ccos_core.session.squeezing import fetched, squeeze
from ccos_core.storage.opening import open_record
from ccos_core.storage.proof import prove
from ccos_core.values.canon import digest
from tests import story

WORDS = b"zwetschgen-datschi"
_numbers = iter(range(10**9))


def on_disk(folder: Path) -> bytes:
    return b"".join(path.read_bytes() for path in sorted(folder.rglob("*.ccos*")) if path.is_file())


def seen(path: str, content: str) -> dict[str, Any]:
    return {"kind": "seen", "how": "read", "path": path, "content": content}


def made(folder: Path, *told: dict[str, Any]) -> str:
    with story.new_session(folder) as session:
        session.record(told)
        return session.recorded.path


def holds(path: str, content: str) -> bool:
    with open_record(path) as record:
        assert prove(record).valid
        return bool(record.ask("SELECT 1 FROM blob WHERE hash = ?", (digest(content.encode()),)))


def test_by_the_start_of_its_hash(tmp_path: Path) -> None:
    path = made(tmp_path, seen("a.py", WORDS.decode()), seen("b.py", "kept"))
    blob = digest(WORDS).hex()
    with open_record(path) as record:
        head = record.head()
    done = forget(path, blob=blob[:10].upper(), at=5)
    assert (done.contents, done.bytes, done.lingering) == (1, len(WORDS), False)
    assert WORDS not in on_disk(tmp_path)
    with open_record(path) as record:
        proof = prove(record)
        assert proof.valid
        assert record.head() == head
        assert proof.erased == [(blob, 3)]
        with pytest.raises(Erased, match="was erased at step 3"):
            record.content(bytes.fromhex(blob))
    with pytest.raises(NotFound, match="was erased already, at step 3"):
        forget(path, blob=blob)


@pytest.mark.parametrize("odd", ["abc", "1234567", "not hex!", "f" * 65, ""])
def test_a_hash_too_short_or_no_hash(tmp_path: Path, odd: str) -> None:
    path = made(tmp_path, seen("a.py", "x"))
    with pytest.raises((Usage, NotFound)):
        forget(path, blob=odd)
    assert holds(path, "x")


def test_by_what_it_says(tmp_path: Path) -> None:
    path = made(tmp_path, seen("a.py", f"one {WORDS.decode()} two"), seen("b.py", WORDS.decode()), seen("c.py", "kept"))
    assert forget(path, match="zwetsch.en-").contents == 2
    assert WORDS not in on_disk(tmp_path)
    assert holds(path, "kept")
    with pytest.raises(NotFound):
        forget(path, match="zwetsch")
    with pytest.raises(Usage, match="isn't a regular expression"):
        forget(path, match="(")


TOLD = (
    seen("config/app.yml", "from the file"),
    seen("config/deep/x.yml", "from below"),
    seen("src/a.py", "kept"),
    {"kind": "tool", "name": "Read", "outcome": "ok", "arguments": {"file_path": "config/app.yml"},
     "result": "as read"},
    {"kind": "tool", "name": "Bash", "outcome": "ok", "arguments": {"command": "cat 'config/app.yml' | head"},
     "result": "as printed"},
    {"kind": "tool", "name": "Bash", "outcome": "ok", "arguments": {"command": "cat app.yml"}, "result": "from inside",
     "cwd": "config"},
    {"kind": "tool", "name": "Bash", "outcome": "ok", "arguments": {"command": "ls src"}, "result": "kept, too"},
)  # fmt: skip


@pytest.mark.parametrize(
    ("glob", "gone"),
    [
        ("config/app.yml", ["from the file", "as read", "as printed", "from inside"]),
        ("./config/app.yml", ["from the file", "as read", "as printed", "from inside"]),
        ("app.yml", ["from the file", "as read", "as printed", "from inside"]),
        ("config", ["from the file", "from below", "as read", "as printed", "from inside"]),
        ("config/", ["from the file", "from below", "as read", "as printed", "from inside"]),
        ("config/deep/*", ["from below"]),
        ("*.yml", ["from the file", "from below", "as read", "as printed", "from inside"]),
    ],
)
def test_by_path_with_the_calls_that_name_it(tmp_path: Path, glob: str, gone: list[str]) -> None:
    everything = ["from the file", "from below", "kept", "as read", "as printed", "from inside", "kept, too"]
    path = made(tmp_path, *TOLD)
    forget(path, glob=glob)
    assert [text for text in everything if not holds(path, text)] == gone
    assert not [text for text in gone if text.encode() in on_disk(tmp_path)]


def test_by_a_path_as_this_machine_spells_it(tmp_path: Path) -> None:
    path = made(tmp_path, seen(str(tmp_path / "config/app.yml"), "from the file"))
    assert forget(path, glob=str(tmp_path / "config/app.yml")).contents == 1


def test_nothing_meant_is_said(tmp_path: Path) -> None:
    path = made(tmp_path, seen("a.py", "x"))
    with pytest.raises(NotFound, match="nothing was erased"):
        forget(path, glob="b.py")


def test_it_does_not_come_back(tmp_path: Path) -> None:
    path = made(tmp_path, seen("a.py", WORDS.decode()))
    forget(path, match="datschi")
    with open_session(path) as session:
        session.record([seen("b.py", WORDS.decode()), seen("b.py", "other")])
    assert WORDS not in on_disk(tmp_path)
    assert holds(path, "other")
    with open_record(path) as record:
        assert record.head()[0] == 4
        assert [step for _, step in prove(record).erased] == [2]


def test_it_says_what_stays_in_the_steps(tmp_path: Path) -> None:
    """Words of claims, tags, reasons and paths stand in the ops."""
    words = WORDS.decode()
    path = made(
        tmp_path,
        seen("a.py", words),
        {"kind": "supported", "claim": f"claim:{words} are good", "weight": 1_000, "words": f"for {words}"},
        {"kind": "labelled", "nodes": ["file:a.py"], "tags": ["cake", words]},
        {"kind": "paged_in", "nodes": ["file:a.py"], "reason": f"for {words}"},
        {"kind": "paged_in", "nodes": ["file:a.py"], "reason": "kept"},
    )
    done = forget(path, match="zwetsch.en-")
    assert (done.contents, done.inline) == (2, 3)
    with pytest.raises(NotFound) as nothing:
        forget(path, match="zwetsch")
    assert nothing.value.hint.startswith("3 steps say it in a claim, tag, reason or name")


def test_facts_go_with_it(tmp_path: Path) -> None:
    """Those drawn from the content, and those drawn from an op that refers to it."""
    path = made(tmp_path, seen("a.py", WORDS.decode()), seen("b.py", "kept"))
    with open_session(path) as session:
        ops = {step: hash_ for step, hash_, _ in session.recorded.rows()}
        with session.recorded.write() as writing:
            for key in (digest(WORDS), digest(b"kept"), ops[2], ops[3]):
                writing.keep_fact(key, "python", 1, b'["' + WORDS + b'"]')
    assert forget(path, match="datschi").facts == 2
    with open_record(path) as record:
        assert {bytes(row[0]) for row in record.ask("SELECT key FROM fact")} == {digest(b"kept"), ops[3]}
        assert prove(record).valid


def test_while_another_program_records(tmp_path: Path) -> None:
    """The log beside the record held the words; it is emptied, and the other goes on."""
    with story.new_session(tmp_path) as session:
        session.record([seen("a.py", WORDS.decode()), seen("b.py", "x" * 9_000)])
        assert WORDS in on_disk(tmp_path)
        assert not forget(session.recorded.path, match="datschi").lingering
        assert WORDS not in on_disk(tmp_path)
        session.record([seen("c.py", "later")])
    assert WORDS not in on_disk(tmp_path)
    assert holds(str(tmp_path / "work.ccos"), "later")


def test_what_lies_in_the_archive_can_be_forgotten(tmp_path: Path) -> None:
    path = made(tmp_path, seen("a.py", WORDS.decode()), *TOLD)
    lifecycle.compact(path, most=2, keep=2)
    assert forget(path, glob="a.py").contents == 2  # src/a.py, too
    assert WORDS not in on_disk(tmp_path)
    with open_record(path) as record:
        assert prove(record).valid


def test_damage_is_said_and_nothing_forgotten(tmp_path: Path) -> None:
    from ccos_core.errors import Damaged
    from ccos_core.values.canon import chained

    path = made(tmp_path, seen("a.py", "x"))
    with open_session(path) as session, session.recorded.write() as writing:
        body = b'{"kind":"nonesuch","v":1}'
        writing.run("INSERT INTO op VALUES (?, ?, ?)", (3, chained(writing.hash, body), body))
    with pytest.raises(Damaged, match="step 3"):
        forget(path, glob="a.py")


contents = st.text("ab \n", min_size=1, max_size=6)
actions = st.one_of(
    st.tuples(st.just("see"), st.sampled_from(["a.py", "b.py", "d/c.py"]), contents),
    st.tuples(st.just("path"), st.sampled_from(["a.py", "d", "*.py"]), st.just("")),
    st.tuples(st.just("match"), st.sampled_from(["a", "^b", "\n"]), st.just("")),
    st.tuples(st.just("compact"), st.just(""), st.just("")),
)


@settings(max_examples=25, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(st.lists(actions, max_size=10))
def test_forgetting_keeps_the_chain_valid(tmp_path: Path, told: list[tuple[str, str, str]]) -> None:
    folder = tmp_path / f"run-{next(_numbers)}"
    folder.mkdir()
    path = made(folder)
    forgotten: set[str] = set()
    for what, name, content in told:
        with open_session(path) as session:
            if what == "see":
                session.record([seen(name, content)])
            before = session.recorded.head()
            texts = [session.recorded.content(row[0]).decode() for row in session.recorded.ask("SELECT hash FROM blob")]
        try:
            if what == "path":
                forget(path, glob=name)
            elif what == "match":
                forget(path, match=name)
                forgotten |= {text for text in texts if re.search(name, text)}
            elif what == "compact":
                lifecycle.compact(path, most=1, keep=1)
        except NotFound:
            pass
        with open_record(path) as record:
            proof = prove(record)
            assert proof.valid, proof.troubles
            assert record.head() == before
    for text in forgotten:
        assert not holds(path, text)


def test_originals_of_squeezed_output_are_forgotten_too(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """By what they say, by their hash, and if they hold the text of a forgotten file."""
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path / "state"))
    log = "\n".join(f"2024-01-02 10:00:{at % 60:02} INFO served /item/{at}" for at in range(90))
    path = made(tmp_path, seen("a.py", "the_key = 'a secret of some length'\n"), seen("b.py", "kept"))
    said, held, other = (
        squeeze(f"{log}\n{last}".encode()).reference
        for last in (WORDS.decode(), "the_key = 'a secret of some length'", "z")
    )
    assert forget(path, match="zwetschgen").contents == 1
    assert (fetched(said), fetched(held) is None, fetched(other) is None) == (None, False, False)
    assert forget(path, glob="a.py").contents == 2
    assert (fetched(held), fetched(other) is None) == (None, False)
    done = forget(path, blob=other)
    assert (done.contents, done.bytes) == (1, len(log) + 2)
    assert fetched(other) is None
    with pytest.raises(NotFound):
        forget(path, blob=other)
