"""Any interleaving of writers on one file, in any mood, is one valid chain that holds exactly what was acknowledged."""

import shutil
import tempfile
from pathlib import Path

from hypothesis import settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, invariant, precondition, rule

from ccos_core.ops.plain import delivery_key, seal
from ccos_core.storage.archive import move_older
from ccos_core.storage.opening import make_record, open_record
from ccos_core.storage.proof import prove
from ccos_core.storage.record import Record
from ccos_core.values.canon import digest
from tests.making import append, gone, seen

WHICH = st.integers(0, 2)


class Abort(Exception):
    """Thrown into a transaction that shall leave nothing."""


class Writers(RuleBasedStateMachine):
    """Up to three records open on one file, and what should be in it."""

    def __init__(self) -> None:
        super().__init__()
        self.folder = Path(tempfile.mkdtemp(prefix="ccos-writers-"))
        self.path = str(self.folder / "w.ccos")
        make_record(self.path)
        self.open: list[Record | None] = [None, None, None]
        self.bodies: list[bytes] = []
        self.delivered: dict[bytes, int] = {}
        self.outside = False

    def writer(self, which: int, stay: bool = True) -> Record:
        record = self.open[which] or open_record(self.path, write=True, stay=stay, patience=1)
        self.open[which] = record
        return record

    @rule(which=WHICH, stay=st.booleans())
    def enter(self, which: int, stay: bool) -> None:
        self.writer(which, stay)

    @rule(which=WHICH)
    def leave(self, which: int) -> None:
        record = self.open[which]
        if record is not None:
            record.close()
        self.open[which] = None

    @rule(which=WHICH, count=st.integers(1, 4))
    def append_some(self, which: int, count: int) -> None:
        with self.writer(which).write() as writing:
            for _ in range(count):
                op = gone(len(self.bodies))
                assert append(writing, op) == len(self.bodies) + 1
                self.bodies.append(seal(op))

    @rule(which=WHICH, text=st.text(max_size=5), fact=st.booleans())
    def append_a_content(self, which: int, text: str, fact: bool) -> None:
        content = text.encode()
        op = seen(content)
        with self.writer(which).write() as writing:
            append(writing, op, content)
            if fact:
                writing.keep_fact(digest(content), "symbols", 1, b"{}")
        self.bodies.append(seal(op))

    @rule(which=WHICH, call=st.sampled_from("abc"))
    def deliver(self, which: int, call: str) -> None:
        """The same event may come again and again, by whomever: it is one op."""
        op = gone(0, call=call)
        key = delivery_key(op)
        assert key is not None
        record = self.writer(which)
        with record.write() as writing:
            step = record.delivered(key)
            assert step == self.delivered.get(key)
            if step is None:
                self.delivered[key] = append(writing, op)
                self.bodies.append(seal(op))

    @rule(which=WHICH)
    def abort(self, which: int) -> None:
        try:
            with self.writer(which).write() as writing:
                append(writing, seen(b"never"), b"never")
                append(writing, gone(0, call="never"))
                raise Abort
        except Abort:
            pass

    @precondition(lambda self: self.bodies)
    @rule(which=WHICH, keep=st.integers(0, 5), outside=st.booleans())
    def archive(self, which: int, keep: int, outside: bool) -> None:
        record = self.writer(which)
        before = record.floor()
        with record.write() as writing:
            moved = move_older(record, writing, keep, "old" if outside else None)
        assert record.floor() == before + moved == max(before, len(self.bodies) - keep)

    @rule(tolerant=st.booleans())
    def read_beside_them(self, tolerant: bool) -> None:
        with open_record(self.path) as record:
            assert [row[2] for row in record.rows(tolerant=tolerant)] == self.bodies
            assert record.head()[0] == len(self.bodies)

    @invariant()
    def every_writer_sees_the_same(self) -> None:
        for record in self.open:
            if record is not None:
                assert record.head()[0] == len(self.bodies)

    def teardown(self) -> None:
        for record in self.open:
            if record is not None:
                proof = prove(record)
                assert proof.valid, proof.troubles
                record.close()
        with open_record(self.path) as record:
            proof = prove(record)
            assert proof.valid, proof.troubles
            assert [row[2] for row in record.rows()] == self.bodies
            assert proof.deliveries == len(self.delivered)
        assert {path.name for path in self.folder.iterdir()} <= {"w.ccos", "old"}
        shutil.rmtree(self.folder)


Writers.TestCase.settings = settings(max_examples=40, stateful_step_count=20, deadline=None)
TestWriters = Writers.TestCase
