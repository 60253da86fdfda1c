"""Facts go wherever their record goes, and go when what they were drawn from does."""

from __future__ import annotations

import io
import json
import re
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from ccos_core.log.facts import is_composed
from ccos_core.ops.plain import blobs_of, unseal
from ccos_core.session import lifecycle
from ccos_core.session.deriving import Rederives
from ccos_core.session.facts import Facts
from ccos_core.session.forget import forget
from ccos_core.session.interchange import export, import_record
from ccos_core.storage import outline_cache
from ccos_core.storage.opening import open_record
from ccos_core.storage.proof import Proof, prove
from ccos_core.storage.record import Record
from ccos_core.values.canon import digest
from tests import story

ROOT = Path(__file__).resolve().parents[3]
SECRET = "zwetschgendatschi"
STORY = """
    write src/db.py "def zwetschgendatschi():\\n    return 1\\n"
    write src/api.py "from db import connect\\n\\ndef go():\\n    return connect()\\n"
    tool Bash python src/api.py -> error {trace}
    tool Bash python src/zwetschgendatschi.py -> error {other}
    tool Bash pytest -q -> ok "1 passed in 0.1s"
"""
TRACE = 'Traceback (most recent call last):\n  File "src/{}.py", line 2, in go\n    connect()\nKeyError: 1\n'
Row = tuple[Any, ...]


def told(folder: Path) -> str:
    """A workspace with facts of every sort; those that know the secret have it from different places."""
    made = story.tell_anew(
        folder, STORY.format(trace=json.dumps(TRACE.format("api")), other=json.dumps(TRACE.format(SECRET)))
    )
    path = made.session.recorded.path
    with open_record(path) as record:
        facts = Facts(record)
        folded(facts)
        facts.outline_of_text(f"def {SECRET}_too():\n    pass\n", "src/db.py")
        facts.outline_of_text("def unsuspicious():\n    pass\n", "src/api.py")
        assert facts.missing == {}
        assert facts.record_missing() == 7
    return path


def folded(facts: Facts) -> list[Any]:
    """What a fold asks for."""
    ops = [unseal(body) for _, _, body in facts.record.rows()]
    sources = [facts.outline(op["content"]["blob"], op["path"]) for op in ops if op["kind"] == "seen"]
    return [*sources, *(facts.report(op) for op in ops if op["kind"] == "tool")]


def rows(record: Record) -> list[Row]:
    return record.ask("SELECT key, interpreter, version, digest, size FROM fact ORDER BY key, interpreter, version")


def bodies(record: Record) -> bytes:
    from ccos_core.log.facts import fact_body

    query = 'SELECT key, interpreter, version, digest, form, "check", body, size FROM fact ORDER BY key, interpreter'
    return b"".join(fact_body(*row) for row in record.ask(query))


def proof(path: str) -> Proof:
    with open_record(path) as record:
        return prove(record, rederives=Rederives())


def exported(path: str, *, redact: bool = False) -> bytes:
    lines: list[bytes] = []
    with open_record(path) as record:
        export(record, lines.append, redact=redact)
    return b"".join(lines)


# -- wherever the record goes -------------------------------------------------------------------------------------


def test_out_and_in_again(tmp_path: Path) -> None:
    path = told(tmp_path)
    lines = exported(path)
    again = str(tmp_path / "again.ccos")
    import_record(io.BytesIO(lines), "x.jsonl", again)
    with open_record(path) as one, open_record(again) as other:
        assert rows(one) == rows(other)
        assert bodies(one) == bodies(other)
        assert other.head() == one.head()
    assert exported(again) == lines
    assert proof(again).valid


@pytest.mark.parametrize("word", ["KeyError", "most recent"], ids=["that the facts say", "that only the output says"])
def test_a_masked_record_keeps_only_what_was_drawn_from_what_it_still_says(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, word: str
) -> None:
    from ccos_core.text.sanitize import clean

    path = told(tmp_path)
    assert exported(path, redact=True) == exported(path), "as long as nothing has to be masked"

    def stricter(text: str) -> tuple[str, Any]:
        safe, found = clean(text)
        masked = safe.replace(word, "MASKED")
        return masked, found if masked == safe else (*found, ("secret:word", 1, 1))

    monkeypatch.setattr("ccos_core.session.interchange.clean", stricter)
    again = str(tmp_path / "again.ccos")
    import_record(io.BytesIO(exported(path, redact=True)), "x.jsonl", again)
    with open_record(again) as record:
        kept = rows(record)
        assert word.encode() not in bodies(record)
    assert len(kept) == 3, "two sources and the report of the passing run"
    assert not any(is_composed(row[0]) for row in kept), "nobody can tell what these were made of"
    assert proof(again).valid


@pytest.mark.parametrize(
    "line",
    [
        '{"interpreter":"python","is":"fact","of":"KEY","text":"{}","version":1}',
        '{"interpreter":"failures.ok","is":"fact","of":"KEYKEY","text":"{}","version":1}',
        '{"interpreter":"python","is":"fact","of":"ab","text":"{}","version":1}',
        '{"interpreter":"python","is":"fact","of":"","text":"{}","version":1}',
    ],
)
def test_no_fact_comes_in_about_what_is_not_there(tmp_path: Path, line: str) -> None:
    from blake3 import blake3

    from ccos_core.errors import NotUnderstood
    from ccos_core.values.canon import canonical, parse

    lines = exported(told(tmp_path)).splitlines(keepends=True)
    facts = [number for number, each in enumerate(lines) if b'"is":"fact"' in each]
    lines[facts[0] : facts[-1] + 1] = [line.replace("KEY", "ab" * 32).encode() + b"\n"]
    end = {**parse(lines[-1][:-1]), "lines": blake3(b"".join(lines[:-1])).hexdigest()}
    source = b"".join([*lines[:-1], canonical(end) + b"\n"])
    with pytest.raises(NotUnderstood, match=r"line \d+: (a fact about nothing|a line that isn't)"):
        import_record(io.BytesIO(source), "x.jsonl", str(tmp_path / "again.ccos"))


def test_copied_and_compacted(tmp_path: Path) -> None:
    path = told(tmp_path)
    with open_record(path) as record:
        before, said = rows(record), folded(Facts(record))
    copied, _, _ = lifecycle.copy(path, str(tmp_path / "copy.ccos"))
    lifecycle.compact(copied, most=1, keep=1)
    for each in (path, copied):
        with open_record(each) as record:
            assert rows(record) == before
            assert folded(Facts(record)) == said
        assert proof(each).valid
        assert proof(each).rederived == 5


WITHOUT = """
import sys
sys.path.insert(0, sys.argv[1])
class NoGrammars:
    def find_spec(self, name, *_):
        if name.startswith("tree_sitter"):
            raise ImportError(name)
sys.meta_path.insert(0, NoGrammars())
from ccos_core.session.facts import Facts
from ccos_core.storage.opening import open_record
from tests.core.session.test_facts_kept import folded
with open_record(sys.argv[2]) as record:
    facts = Facts(record)
    print(repr(folded(facts)))
    facts.outline_of_text("x = 1\\n", "new.py")
    print(facts.missing)
"""


def test_without_any_grammar_it_says_the_same(tmp_path: Path) -> None:
    path = told(tmp_path)
    command = [sys.executable, "-c", WITHOUT, str(ROOT), path]
    done = subprocess.run(command, capture_output=True, encoding="utf-8", timeout=60)
    assert done.returncode == 0, done.stderr
    with open_record(path) as record:
        expected = repr(folded(Facts(record)))
    said, missing = done.stdout.splitlines()
    assert said == expected
    assert missing == repr({digest(b"x = 1\n").hex(): "no grammar"})


# -- what was forgotten -------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("named", "left"),
    [({"match": f"def {SECRET}"}, 4), ({"match": f"src/{SECRET}.py"}, 4), ({"match": SECRET}, 3)],
    ids=["a source", "a command and its output", "everything"],
)
def test_what_was_drawn_from_it_goes(tmp_path: Path, named: dict[str, str], left: int) -> None:
    path = told(tmp_path)
    done = forget(path, **named)
    assert done.facts == 7 - left
    with open_record(path) as record:
        assert len(rows(record)) == left
        assert not any(is_composed(row[0]) for row in rows(record)), "each may hold lines of it"
    assert proof(path).valid


@pytest.mark.parametrize("part", ["arguments", "result"])
def test_a_report_goes_with_either_of_its_contents(tmp_path: Path, part: str) -> None:
    path = told(tmp_path)
    with open_record(path) as record:
        ops = [unseal(body) for _, _, body in record.rows()]
        tool = [op for op in ops if op["kind"] == "tool"][1]
        before = rows(record)
    forget(path, blob=tool[part]["blob"])
    key = b"".join(blob for _, blob in sorted(blobs_of(tool), reverse=True))
    assert key in [row[0] for row in before]
    with open_record(path) as record:
        assert key not in [row[0] for row in rows(record)]
        assert Facts(record).report(tool) is None


def test_a_reader_that_was_at_it_does_not_bring_it_back(tmp_path: Path) -> None:
    """It derived before the forgetting, and records after it."""
    path = told(tmp_path)
    with open_record(path, write=True) as record, record.write() as writing:
        writing.run("DELETE FROM fact")
    with open_record(path) as record:
        facts = Facts(record)
        folded(facts)
        facts.outline_of_text(f"def {SECRET}_too():\n    pass\n", "src/db.py")
        assert forget(path, match=SECRET).contents == 3
        facts.record_missing()
        assert len(rows(record)) == 3, "one source, and two reports that have nothing to do with it"
        assert SECRET.encode() not in bodies(record)
        assert not any(is_composed(row[0]) for row in rows(record))


def test_the_cache_of_outlines_goes_as_well(tmp_path: Path) -> None:
    path = told(tmp_path)
    key = (bytes(32), "python", 1)
    outline_cache.save({key: (bytes(32), 1, 0, 0, b"x")})
    assert outline_cache.load([key])
    forget(path, match=SECRET)
    assert not outline_cache.load([key])


NAMES = st.sampled_from(["alpha", "beta", "gamma"])
ACTS = st.lists(
    st.tuples(st.sampled_from(["see", "run", "compose", "fold", "forget"]), NAMES, NAMES), min_size=1, max_size=9
)
_numbers = iter(range(10**9))


@settings(max_examples=25, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(ACTS)
def test_after_forgetting_no_fact_says_it(tmp_path: Path, acts: list[tuple[str, str, str]]) -> None:
    """Whatever a word came in by, and whichever reader still holds facts: once forgotten, no fact has it."""
    folder = tmp_path / f"run-{next(_numbers)}"
    folder.mkdir()
    with story.new_session(folder) as session:
        facts = Facts(session.recorded)
        for act, one, other in acts:
            if act == "see":
                text = f"def {one}():\n    return {other}()\n"
                session.record([{"kind": "seen", "how": "read", "path": f"{other}.py", "content": text}])
            elif act == "run":
                output = TRACE.format(one)
                session.record(
                    [
                        {"kind": "tool", "name": "Bash", "outcome": "error", "result": output}
                        | {"arguments": {"command": f"python {other}.py"}}
                    ]
                )
            elif act == "compose":
                stored = session.recorded.ask("SELECT hash FROM blob ORDER BY hash")
                whole = "".join(session.recorded.content(row[0]).decode() for row in stored)
                facts.outline_of_text(whole, "whole.py")
            elif act == "fold":
                folded(facts)
            else:
                forget_word(session.recorded, one)
                facts.record_missing()
                assert one.encode() not in bodies(session.recorded)
        facts.record_missing()
        assert prove(session.recorded, rederives=Rederives()).valid
        head = session.recorded.head()
        fresh = Facts(session.recorded)
        assert folded(fresh) == folded(Facts(session.recorded))
        assert session.recorded.head() == head


def forget_word(record: Record, word: str) -> None:
    """Everything that says it: contents here, and what a call with such a command printed."""
    from ccos_core.errors import NotFound

    told = [unseal(body) for _, _, body in record.rows()]
    for op in told:
        contents = [record.ask("SELECT 1 FROM blob WHERE hash = ?", (blob,)) for _, blob in blobs_of(op)]
        texts = [record.content(blob) for (_, blob), here in zip(blobs_of(op), contents, strict=True) if here]
        if any(re.search(word.encode(), text) for text in texts):
            for _, blob in blobs_of(op):
                try:
                    forget(record.path, blob=blob.hex())
                except NotFound:
                    continue
