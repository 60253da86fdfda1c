"""The proof holds a sample of the facts to what they were drawn from, and names the one that lies."""

from __future__ import annotations

from pathlib import Path

import pytest

from ccos_core.log.facts import fact_digest, packed_fact
from ccos_core.serve import exits
from ccos_core.serve.cli.main import main
from ccos_core.session.deriving import BY_NAME, Rederives, readers_version
from ccos_core.session.facts import Facts
from ccos_core.storage import rederiving, row_sums
from ccos_core.storage.opening import open_record
from ccos_core.storage.proof import Proof, prove
from ccos_core.values.code import Outline
from tests import story

FILES = 30
OTHER = b'{"flaws":[],"imports":[],"references":[],"symbols":[]}'


@pytest.fixture
def path(tmp_path: Path) -> str:
    """A workspace whose sources and outputs have their facts."""
    writes = "\n".join(f'write m{n}.py "def f{n}():\\n    return {n}\\n"' for n in range(FILES))
    made = story.tell_anew(tmp_path, writes + '\ntool Bash pytest -q -> ok "1 passed in 0.1s"')
    with open_record(made.session.recorded.path) as record:
        facts = Facts(record)
        for step, op in enumerate(made_ops(made.session.recorded.path), 2):
            assert step
            if op["kind"] == "seen":
                facts.outline(op["content"]["blob"], op["path"])
            else:
                facts.report(op)
        assert facts.record_missing() == FILES + 1
    return str(made.session.recorded.path)


def made_ops(path: str) -> list[dict[str, object]]:
    from ccos_core.ops.plain import unseal

    with open_record(path) as record:
        return [unseal(body) for _, _, body in record.rows(2)]


def proof(path: str) -> Proof:
    with open_record(path) as record:
        return prove(record, rederives=Rederives())


def lie(path: str, interpreter: str = "python", body: bytes = OTHER) -> str:
    """Another fact, digest and all, in the place of a recorded one; gives what it is about."""
    with open_record(path, write=True) as record, record.write() as writing:
        query = "SELECT key, version FROM fact WHERE interpreter = ? ORDER BY digest LIMIT 1"
        key, version = record.ask(query, (interpreter,))[0]
        digest, size, form, check, stored = packed_fact((key, interpreter, version), body)
        assert digest == fact_digest(key, interpreter, version, body)
        sql = 'UPDATE fact SET digest = ?, size = ?, form = ?, "check" = ?, body = ? WHERE key = ? AND interpreter = ?'
        assert writing.run(sql, (digest, size, form, check, stored, key, interpreter)) == 1
        writing.set_local(row_sums.NAME, row_sums.renewed(None, {}, record))
        return str(key.hex())


def test_all_of_a_few_are_compared(path: str) -> None:
    found = proof(path)
    assert found.valid
    assert (found.facts, found.rederived) == (FILES + 1, FILES + 1)


@pytest.mark.parametrize(
    ("interpreter", "body"), [("python", OTHER), ("failures.ok", b'{"failures":[],"flaws":[],"passes":[]}')]
)
def test_the_one_that_lies_is_named(
    path: str, interpreter: str, body: bytes, capsys: pytest.CaptureFixture[str]
) -> None:
    about = lie(path, interpreter, body)
    version = BY_NAME[interpreter].version if interpreter in BY_NAME else readers_version()
    with open_record(path) as record:
        assert prove(record).valid, "nobody sees it who has no interpreter"
    (trouble,) = proof(path).troubles
    assert trouble.what == "fact"
    assert trouble.fact == f"fact {interpreter}/{version} of {about[:12]} isn't what its content gives"
    assert trouble.step > 1
    assert main(["verify", path]) == exits.DAMAGED
    assert "isn't what its content gives" in capsys.readouterr().out


def test_of_many_some_are_compared_the_same_ones_each_time(path: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(rederiving, "MOST", 10)
    monkeypatch.setattr("ccos_core.text.syntax.parse.outline", lambda *_: Outline())
    first, second = proof(path), proof(path)
    assert first.troubles == second.troubles
    assert 7 <= first.rederived <= 10
    about = [trouble.fact for trouble in first.troubles]
    assert len(about) >= 6, "spread over all of them"


def test_no_more_is_read_than_agreed(path: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(rederiving, "MOST_BYTES", 100)
    assert 0 < proof(path).rederived <= 5


def test_what_nobody_here_can_tell_is_left(path: str, monkeypatch: pytest.MonkeyPatch) -> None:
    with open_record(path, write=True) as record, record.write() as writing:
        key = record.ask("SELECT hash FROM blob ORDER BY hash LIMIT 1")[0][0]
        writing.keep_fact(key, "python", 99, OTHER)
        writing.keep_fact(key, "cobol", 1, OTHER)
        writing.keep_fact(key, "failures.sideways", 1, OTHER)
        writing.keep_fact(key, "failures", 1, OTHER)
    assert proof(path).valid
    assert proof(path).rederived == FILES + 1
    lie(path)
    monkeypatch.setattr("ccos_core.text.syntax.parse.machinery", lambda _: None)
    found = proof(path)
    assert found.valid
    assert found.rederived == 1, "the report needs no grammar"


def test_an_erased_content_has_no_fact_to_compare(path: str) -> None:
    from ccos_core.session.forget import forget

    forget(path, glob="*.py")
    found = proof(path)
    assert found.valid
    assert (found.facts, found.rederived) == (1, 1)


@pytest.mark.parametrize("key", [b"", b"x", b"ab" * 32, b"ab" * 48])
def test_a_fact_about_nothing_is_named(path: str, key: bytes) -> None:
    with open_record(path, write=True) as record, record.write() as writing:
        writing.keep_fact(key, "python", 1, OTHER)
    (trouble,) = proof(path).troubles
    assert trouble.fact.endswith("is about nothing in this record")
