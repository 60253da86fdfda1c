"""Records leaving and arriving: the same head, the same bytes; and what today's redactor finds doesn't leave."""

from __future__ import annotations

import io
import json
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from ccos_core.errors import Damaged
from ccos_core.ops.plain import NotAnOp
from ccos_core.session import admit as gate
from ccos_core.session import arguments, lifecycle
from ccos_core.session.forget import forget
from ccos_core.session.interchange import export, import_record
from ccos_core.storage.opening import open_record
from ccos_core.storage.proof import prove
from tests import story
from tests.core.session.foreign import SECRETS, observations

_numbers = iter(range(10**9))


def exported(path: str, *, redact: bool = False) -> tuple[bytes, int]:
    parts: list[bytes] = []
    with open_record(path) as record:
        masked = export(record, parts.append, redact=redact)
    return b"".join(parts), masked


def imported(folder: Path, lines: bytes) -> str:
    path = str(folder / f"import-{next(_numbers)}.ccos")
    steps, head = import_record(io.BytesIO(lines), "lines", path)
    with open_record(path) as record:
        proof = prove(record)
        assert proof.valid, proof.troubles
        assert (proof.proven, proof.head) == (steps, head)
    return path


def head(path: str) -> tuple[int, bytes]:
    with open_record(path) as record:
        return record.head()


@pytest.fixture
def careless(monkeypatch: pytest.MonkeyPatch) -> None:
    """As if the record were made by a version that knew no secrets."""
    for module in (gate, arguments):
        monkeypatch.setattr(module, "clean", lambda text: (text, ()))
    monkeypatch.setattr(arguments, "is_secret_name", lambda key: False)


SPILT: list[dict[str, Any]] = [
    {"kind": "prompt", "said": f"use {SECRETS[0]}\nplease", "source": "user", "call": "c1"},
    {"kind": "tool", "name": "Bash", "outcome": "ok", "result": f"a\nkey={SECRETS[1]}\n",
     "arguments": {"command": f"curl -H 'x: {SECRETS[0]}'", "password": "Tr0ub4dor&3x"}, "call": "c2"},
    {"kind": "seen", "how": "read", "path": "a.py", "content": f"KEY = '{SECRETS[2]}'\n", "call": f"call {SECRETS[0]}"},
    {"kind": "seen", "how": "read", "path": f"notes-{SECRETS[0]}.md", "content": "clean\n", "call": f"{SECRETS[1]}"},
    {"kind": "passed", "runner": "pytest", "scope": "tests", "tests": ["t1", f"test[{SECRETS[0]}]"]},
    {"kind": "failed", "runner": "pytest", "sites": [[f"{SECRETS[1]}.py", 3]], "output": SECRETS[0]},
    {"kind": "retune", "weights": {f"w {SECRETS[0]}": 1, "v": 2}, "reason": "r" * 1_950 + f" {SECRETS[0]}"},
    {"kind": "usage", "window": 5},
]  # fmt: skip


@pytest.mark.usefixtures("careless")
def test_redact_masks_what_was_recorded_by_a_version_that_knew_less(tmp_path: Path) -> None:
    with story.new_session(tmp_path) as session:
        session.record(SPILT)
        path = session.recorded.path
    before, _ = exported(path)
    assert all(secret.encode() in before for secret in SECRETS)
    after, masked = exported(path, redact=True)
    assert masked >= len(SECRETS) + 6
    assert not [secret for secret in SECRETS if secret.encode() in after]
    assert b"Tr0ub4dor" not in after
    other = imported(tmp_path, after)
    assert head(other)[0] == head(path)[0]
    assert head(other)[1] != head(path)[1]
    end = json.loads(after.splitlines()[-1])
    assert (end["masked"], end["masked_from"]) == (masked, head(path)[1].hex())
    assert exported(other, redact=True) == (exported(other)[0], 0)
    assert b"use REDACTED_GITHUB_TOKEN\\nplease" in after


@settings(max_examples=25, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(st.lists(observations(), max_size=4), st.data())
def test_export_and_import_are_each_others_inverse(
    tmp_path: Path, told: list[dict[str, Any]], data: st.DataObject
) -> None:
    folder = tmp_path / f"run-{next(_numbers)}"
    folder.mkdir()
    with story.new_session(folder) as session:
        for observation in told:
            try:
                session.record([observation | {"kind": observation["kind"]}])
            except NotAnOp:
                continue
        path = session.recorded.path
        stored = [row[0] for row in session.recorded.ask("SELECT hash FROM blob ORDER BY hash")]
    if stored and data.draw(st.booleans()):
        forget(path, blob=data.draw(st.sampled_from(stored)).hex())
    if data.draw(st.booleans()):
        lifecycle.compact(path, most=1, keep=1)
    lines, _ = exported(path)
    other = imported(folder, lines)
    assert head(other) == head(path)
    assert exported(other)[0] == lines
    assert exported(path, redact=True) == (lines, 0)


def test_the_delivery_of_what_added_nothing_arrives_too(tmp_path: Path) -> None:
    look = {"kind": "seen", "how": "ingest", "path": "a.py", "content": "1\n"}
    with story.new_session(tmp_path) as session:
        session.record([look, look | {"call": "again"}])
        path = session.recorded.path
    other = imported(tmp_path, exported(path)[0])
    from ccos_core.session.session import open_session

    with open_session(other) as session:
        assert session.record([look | {"call": "again", "content": "2\n"}]) == [2]


def test_a_record_with_a_lost_content_is_not_exported_as_if_it_were_whole(tmp_path: Path) -> None:
    with story.new_session(tmp_path) as session:
        session.record([{"kind": "prompt", "said": "x", "source": "user"}])
        with session.recorded.write() as writing:
            writing.run("DELETE FROM blob")
        path = session.recorded.path
    with pytest.raises(Damaged, match="can't be exported"):
        exported(path)
