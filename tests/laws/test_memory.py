"""The working memory follows the record: filled bit by bit or at once, its entries are the same, byte for byte."""

import tempfile
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from typing import Any, TypeAlias

from hypothesis import example, given, settings
from hypothesis import strategies as st

from ccos_core.memory.backend import Backend, Cursor
from ccos_core.memory.entry import entry_bytes, memo_id
from ccos_core.session.subscribing import Ingestor
from ccos_core.storage.archive import move_older
from ccos_core.storage.memory_lines import MemoryLines
from ccos_core.storage.memory_sqlite import MemorySqlite
from ccos_core.storage.opening import open_record
from ccos_core.storage.record import Record
from ccos_core.values.canon import canonical, digest
from tests.making import any_op, append, record_of

Plain: TypeAlias = dict[str, Any]
SAID = ("use tabs", "never push", "be brief", "fix it")
MEMOS = [memo_id(words.split()) for words in SAID]
HEADER = {"host": "claude-code", "session": "s", "actor": "user"}
FEW = st.integers(0, 3)

ACTIONS = st.one_of(
    st.tuples(st.just("prompt"), st.lists(st.sampled_from(SAID), min_size=1, max_size=3).map(". ".join)),
    st.tuples(st.just("remember"), FEW),
    st.tuples(st.just("label"), FEW, st.sampled_from(["low", "high"]), st.booleans()),
    st.tuples(st.just("retract"), FEW, st.sampled_from(["user", "agent"])),
    st.tuples(st.just("todo"), FEW, st.sampled_from(["pending", "completed"])),
    st.tuples(st.just("fail"), FEW),
    st.tuples(st.just("any"), any_op),
    st.tuples(st.just("archive"), FEW),
    st.tuples(st.just("erase"), FEW),
    st.tuples(st.just("catch up")),
    st.tuples(st.just("catch up")),
    st.tuples(st.just("open again")),
)


@settings(max_examples=60, deadline=None)
@example(
    [
        *[("prompt", "use tabs. never push"), ("todo", 0, "pending"), ("fail", 1), ("catch up",), ("open again",)],
        *[("todo", 0, "pending"), ("todo", 0, "completed"), ("fail", 1), ("fail", 1), ("prompt", "never push")],
    ]
)
@example(
    [
        *[("label", 1, "high", True), ("prompt", "use tabs. never push"), ("catch up",), ("label", 0, "high", True)],
        *[("retract", 1, "user"), ("retract", 0, "agent"), ("catch up",), ("remember", 1), ("label", 0, "low", False)],
    ]
)
@example([("prompt", "use tabs"), ("catch up",), ("erase", 0), ("erase", 1), ("prompt", "be brief"), ("archive", 1)])
@given(st.lists(ACTIONS, max_size=14))
def test_filled_bit_by_bit_is_filled_at_once(actions: list[tuple[Any, ...]]) -> None:
    with tempfile.TemporaryDirectory(prefix="ccos-memory-") as folder:
        path = record_of(Path(folder) / "w.ccos", [])
        stores = [_Lines(folder), _Sqlite(folder)]
        for name, *given_ in actions:
            head = _head(path)
            if name == "catch up":
                for each in stores:
                    each.catch_up(path)
                assert _head(path) == head  # deriving records nothing
            elif name == "open again":
                for each in stores:
                    each.close()
            else:
                with open_record(path, write=True) as record:
                    _do(record, name, *given_)
        found = []
        for each in stores:
            each.catch_up(path)
            found.append(each.held())
            each.catch_up(path)
            assert each.held() == found[-1]  # ingested twice is ingested once
            each.close()
        anew = MemoryLines()
        Ingestor(path, lambda: anew).catch_up()
        assert found == [([entry_bytes(entry) for entry in anew.entries()], anew.cursor())] * 2


class _Lines:
    def __init__(self, folder: str) -> None:
        self.name = str(Path(folder) / "lines")

    def open(self) -> Backend:
        return MemoryLines(self.name)

    def catch_up(self, path: str) -> None:
        Ingestor(path, self.open).catch_up()

    def held(self) -> tuple[list[bytes], Cursor]:
        with closing(self.open()) as store:
            return [entry_bytes(entry) for entry in store.entries()], store.cursor()

    def close(self) -> None:
        pass


class _Sqlite(_Lines):
    """One that stays open, and is indexed now and then."""

    def __init__(self, folder: str) -> None:
        self.name = str(Path(folder) / "sqlite")
        self.store: Backend | None = None

    def open(self) -> Backend:
        self.store = self.store or MemorySqlite(self.name)
        return _Kept(self.store)

    def catch_up(self, path: str) -> None:
        super().catch_up(path)
        assert self.store is not None
        self.store.settle()

    def close(self) -> None:
        if self.store is not None:
            self.store.close()
        self.store = None


class _Kept:
    """A store that others may close and that stays open."""

    def __init__(self, store: Backend) -> None:
        self._store = store

    def __getattr__(self, name: str) -> Any:
        return getattr(self._store, name)

    def close(self) -> None:
        pass


def _do(record: Record, name: str, *given_: Any) -> None:
    with record.write() as writing:
        if name == "archive":
            move_older(record, writing, given_[0], None)
        elif name == "erase":
            kept = record.ask("SELECT hash, size FROM blob ORDER BY hash")
            if given_[0] < len(kept):
                writing.erase(*kept[given_[0]], writing.step, 1, "because")
        else:
            op, *contents = _made(name, *given_)
            append(writing, op, *contents)


def _made(name: str, *given_: Any) -> Iterator[Any]:
    """Yield an op and its contents."""
    if name == "any":
        return iter(given_)
    makes = {
        "prompt": _prompt,
        "remember": _remember,
        "label": _label,
        "retract": _retract,
        "todo": _todo,
        "fail": _fail,
    }
    return iter(makes[name](*given_))


def _prompt(text: str) -> list[Any]:
    return _op("prompt", 2, text, "said", source="user")


def _remember(at: int) -> list[Any]:
    return _op("remembered", 1, SAID[at].title(), "words", memo=MEMOS[at], **{"class": "preference"})


def _label(at: int, level: str, pinned: bool) -> list[Any]:
    return [{"kind": "labelled", "v": 1, "nodes": [MEMOS[at]], "privacy": level, "pinned": pinned, "tags": ["t"]}]


def _retract(at: int, actor: str) -> list[Any]:
    return [{"kind": "retracted", "v": 1, "claim": MEMOS[at], **HEADER, "actor": actor}]


def _todo(at: int, status: str) -> list[Any]:
    arguments = canonical({"todos": [{"content": SAID[at], "status": status}]}).decode()
    return _op("tool", 1, arguments, "arguments", name="TodoWrite", outcome="ok")


def _fail(at: int) -> list[Any]:
    return [{"kind": "failed", "v": 1, "runner": "pytest", "test": f"test_{at}", **HEADER}]


def _op(kind: str, version: int, text: str, field: str, **more: Any) -> list[Any]:
    content = text.encode()
    reference = {"blob": digest(content).hex(), "bytes": len(content)}
    return [{"kind": kind, "v": version, field: reference, **HEADER, **more}, content]


def _head(path: str) -> tuple[int, bytes]:
    with open_record(path) as record:
        return record.head()
