"""Facts are record: whoever derives them, in whatever order and how often, they are the same, and no head moves."""

from __future__ import annotations

import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

from hypothesis import HealthCheck, example, given, settings
from hypothesis import strategies as st

from ccos_core.ops.plain import unseal
from ccos_core.session.deriving import Rederives
from ccos_core.session.facts import Facts
from ccos_core.storage.opening import open_record
from ccos_core.storage.proof import prove
from ccos_core.storage.record import Record
from tests import story

ROOT = Path(__file__).resolve().parents[2]
_numbers = iter(range(10**9))

NAMES = st.sampled_from(["a", "b", "Store", "put"])
SOURCES = st.builds(
    "import {}\n\nclass {}:\n    def {}(self):\n        return {}()\n{}".format,
    NAMES, NAMES, NAMES, NAMES, st.sampled_from(["", "x = (\n", "\x00", "é = 1\n"]),
)  # fmt: skip
PATHS = st.sampled_from(["a.py", "b.pyi", "c.ts", "d.js", "e.go", "f.txt"])
OUTPUTS = st.sampled_from(
    [
        "1 passed in 0.1s\n",
        "FAILED tests/test_a.py::test_x - KeyError: 1\n1 failed in 0.2s\n",
        'Traceback (most recent call last):\n  File "a.py", line 1, in <module>\nKeyError: 1\n',
        "src/a.c:7: error: no such field\n",
        "",
    ]
)
SIGHTINGS = st.builds(
    lambda path, text: {"kind": "seen", "how": "read", "path": path, "content": text}, PATHS, SOURCES | st.text()
)
CALLS = st.builds(
    lambda name, command, end, output: {
        "kind": "tool", "name": name, "outcome": end, "arguments": {"command": command}, "result": output,
    },
    st.sampled_from(["Bash", "Read"]), st.sampled_from(["pytest", "cat a.py", "python a.py"]),
    st.sampled_from(["ok", "error", "unknown"]), OUTPUTS,
)  # fmt: skip
CALL = {"kind": "tool", "outcome": "ok", "arguments": {"command": "pytest"}, "result": "1 passed in 0.1s\n"}
STORIES = st.lists(SIGHTINGS | CALLS, max_size=8)


def asked(facts: Facts, part: slice = slice(None)) -> list[Any]:
    """What a fold asks for, or a part of it."""
    ops = [unseal(body) for _, _, body in facts.record.rows(2)][part]
    return [
        facts.outline(op["content"]["blob"], op["path"]) if op["kind"] == "seen" else facts.report(op) for op in ops
    ]


def rows(record: Record) -> list[tuple[Any, ...]]:
    return record.ask("SELECT key, interpreter, version, digest, size FROM fact ORDER BY key, interpreter, version")


def recorded(folder: Path, told: list[dict[str, Any]]) -> str:
    folder.mkdir()
    with story.new_session(folder) as session:
        session.record(told)
        return str(session.recorded.path)


@example(  # the first to be wrong: what was recorded for one of two calls counted for the other
    [{**CALL, "name": "Read"}, {**CALL, "name": "Bash"}], []
)
@settings(max_examples=40, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(STORIES, st.lists(st.tuples(st.integers(0, 8), st.integers(0, 8), st.booleans()), max_size=4))
def test_two_copies_agree_however_they_are_read(
    tmp_path: Path, told: list[dict[str, Any]], looks: list[tuple[int, int, bool]]
) -> None:
    """One is folded at once; the other by several readers in pieces, some of which record and some of which don't."""
    folder = tmp_path / f"run-{next(_numbers)}"
    path = recorded(folder, told)
    other = str(folder / "other.ccos")
    shutil.copy(path, other)
    with open_record(path) as record:
        before, facts = record.head(), Facts(record)
        expected = asked(facts)
        facts.record_missing()
        assert asked(Facts(record)) == expected, "recorded is what was derived"
    with open_record(other) as record:
        for first, size, keeps in looks:
            facts = Facts(record)
            assert asked(facts, slice(first, first + size)) == expected[first : first + size]
            if keeps:
                facts.record_missing()
        facts = Facts(record)
        ops = [unseal(body) for _, _, body in record.rows(2)]
        facts.look_ahead(ops)
        assert asked(facts) == expected
        facts.record_missing()
    with open_record(path) as one, open_record(other) as another:
        assert rows(one) == rows(another)
        assert one.head() == another.head() == before
        proof = prove(one, rederives=Rederives())
        assert proof.valid
        assert proof.rederived == proof.facts == len(rows(one))


READER = """
import sys
sys.path.insert(0, sys.argv[1])
from ccos_core.session.facts import Facts
from ccos_core.storage.opening import open_record
from tests.laws.test_facts import asked
with open_record(sys.argv[2]) as record:
    facts = Facts(record)
    asked(facts)
    sys.stdout.write("ready")
    sys.stdout.flush()
    sys.stdin.read()
    facts.record_missing()
"""


def test_readers_that_record_at_once(tmp_path: Path) -> None:
    told: list[dict[str, Any]] = [
        {"kind": "seen", "how": "read", "path": f"m{n}.py", "content": f"def f{n}():\n    return {n}\n"}
        for n in range(60)
    ]
    path = recorded(tmp_path / "w", told)
    alone = str(tmp_path / "alone.ccos")
    shutil.copy(path, alone)
    command = [sys.executable, "-c", READER, str(ROOT), path]
    readers = [
        subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE)
        for _ in range(3)
    ]
    for reader in readers:
        assert reader.stdout is not None
        assert reader.stdout.read(5) == b"ready"
    for reader in readers:
        assert reader.stdin is not None
        reader.stdin.close()
    for reader in readers:
        assert reader.wait(60) == 0
        assert reader.stderr is not None
        assert reader.stderr.read() == b""
        reader.stdout.close()  # type: ignore[union-attr]
        reader.stderr.close()
    with open_record(path) as record, open_record(alone) as other:
        facts = Facts(other)
        asked(facts)
        facts.record_missing()
        assert rows(record) == rows(other)
        assert len(rows(record)) == 60
        assert record.head() == other.head()
        assert prove(record, rederives=Rederives()).valid
