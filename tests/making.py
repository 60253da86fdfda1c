"""Ops and records made up for tests: whatever the table allows, and a small record that has one of everything."""

from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Any

from hypothesis import strategies as st

from ccos_core.ops import epoch, table
from ccos_core.ops.plain import blobs_of, delivery_key, seal
from ccos_core.storage.archive import move_older
from ccos_core.storage.opening import make_record, open_record
from ccos_core.storage.record import Record, Writing
from ccos_core.values.canon import LARGEST_INT, digest

Plain = dict[str, Any]

INTS = st.integers(-LARGEST_INT, LARGEST_INT) | st.integers(-3, 300)
COUNTS = st.integers(0, LARGEST_INT)
HASHES = st.binary(min_size=32, max_size=32).map(bytes.hex)


def words(limit: int) -> st.SearchStrategy[str]:
    """Text up to the limit: mostly short, now and then exactly as long as may be."""
    return st.text(max_size=12) | st.sampled_from("aß€😀").map(lambda ch: ch * limit)


WORD, TEXT, PATH, NODE = (words(table.LONGEST[form]) for form in ("word", "text", "path", "node"))
REFERENCES = st.fixed_dictionaries(
    {"blob": HASHES, "bytes": COUNTS},
    optional={"whole": HASHES, "whole_bytes": COUNTS, "head": COUNTS, "dropped": COUNTS},
)


def lists(each: st.SearchStrategy[Any]) -> st.SearchStrategy[list[Any]]:
    return st.lists(each, max_size=3)


FORMS: dict[str, st.SearchStrategy[Any]] = {
    "int": INTS,
    "flag": st.booleans(),
    "word": WORD,
    "text": TEXT,
    "path": PATH,
    "node": NODE,
    "hash": HASHES,
    "blob": REFERENCES,
    "json": REFERENCES,
    "span": st.tuples(st.integers(1, 9), st.integers(0, 9)).map(lambda pair: [pair[0], pair[0] + pair[1]]),
    "texts": lists(TEXT),
    "paths": lists(PATH),
    "nodes": lists(NODE),
    "numbers": st.dictionaries(WORD, INTS, max_size=3),
    "sites": lists(st.tuples(PATH, INTS).map(list)),
    "items": lists(st.tuples(NODE, WORD, INTS).map(list)),
    "places": lists(st.tuples(NODE, INTS, INTS).map(list)),
    "findings": lists(st.tuples(WORD, WORD, INTS, INTS).map(list)),
}


def form(name: str) -> st.SearchStrategy[Any]:
    return st.sampled_from(name.split("|")) if "|" in name else FORMS[name]


def ops(kind: str) -> st.SearchStrategy[Plain]:
    """Any op of this kind, plain."""
    required, optional = {}, {}
    for name, form_name, needed in table.fields_of(kind):
        if needed:
            required[name] = form(form_name)
        else:
            optional[name] = form(form_name).filter(lambda value: value != [])
    head = {"kind": st.just(kind), "v": st.just(table.KINDS[kind][0])}
    return st.fixed_dictionaries({**head, **required}, optional=optional)


any_op = st.sampled_from(sorted(table.KINDS)).flatmap(ops)


class Story:
    """What a made-up record holds: ops with their contents, facts, events that added nothing, what was forgotten."""

    def __init__(self, ops: list[Plain], contents: list[bytes], facts: list[tuple[int, str, int, bytes]]) -> None:
        self.ops = ops
        self.contents = contents
        self.facts = facts
        self.absorbed: list[bytes] = []
        self.erased: list[int] = []

    def __repr__(self) -> str:
        return f"<Story ops={self.ops} contents={self.contents} facts={self.facts} {self.absorbed} {self.erased}>"

    def fill(self, record: Record) -> None:
        known = {digest(content): content for content in self.contents}
        with record.write() as writing:
            for op in self.ops:
                key = delivery_key(op)
                if key is not None and record.delivered(key) is not None:
                    continue
                for _, blob in blobs_of(op):
                    writing.keep(blob, known[blob])
                writing.append(seal(op), key)
            stored = [row[0] for row in record.ask("SELECT hash FROM blob ORDER BY hash")]
            subjects = [*stored, *(row[0] for row in record.ask("SELECT hash FROM op"))]
            for at, interpreter, version, body in self.facts if subjects else ():
                writing.keep_fact(subjects[at % len(subjects)], interpreter, version, body)
            for key in self.absorbed:
                if record.delivered(key) is None:
                    writing.deliver(key, writing.step)
            for at in self.erased:
                if stored:
                    blob = stored.pop(at % len(stored))
                    writing.erase(blob, len(known[blob]), writing.step, 1_700_000_000_000 + at, "because")


@st.composite
def stories(draw: st.DrawFn) -> Story:
    """Records with contents, facts, erased contents and absorbed deliveries."""
    texts = st.text(max_size=30).map(str.encode) | st.binary(max_size=30) | st.just(b"line\n" * 200)
    contents = draw(st.lists(texts, min_size=1, max_size=4))
    made = draw(st.lists(any_op, max_size=6))
    for op in made:
        for name, _ in list(blobs_of(op)):
            content = draw(st.sampled_from(contents))
            op[name] = {"blob": digest(content).hex(), "bytes": len(content)}
    fact = st.tuples(st.integers(0, 9), st.text(max_size=5), st.integers(0, 3), texts)
    story = Story(made, contents, draw(st.lists(fact, max_size=3)))
    story.absorbed = draw(st.lists(st.binary(min_size=16, max_size=16), max_size=2))
    story.erased = draw(st.lists(st.integers(0, 9), max_size=1))
    return story


def gone(number: int, **more: Any) -> Plain:
    """A small op, told from others by its number."""
    return {"kind": "gone", "v": 1, "path": f"src/{number}.py", **more}


def seen(content: bytes, path: str = "src/a.py", **more: Any) -> Plain:
    reference = {"blob": digest(content).hex(), "bytes": len(content)}
    return {"kind": "seen", "v": 1, "path": path, "how": "read", "content": reference, **more}


def append(writing: Writing, op: Plain, *contents: bytes) -> int:
    for content in contents:
        writing.keep(digest(content), content)
    return writing.append(seal(op), delivery_key(op))


def record_of(path: Path, ops: Iterable[Plain], *contents: bytes) -> str:
    """A record that holds an epoch and these ops."""

    def fill(record: Record) -> None:
        with record.write() as writing:
            append(writing, epoch.current(at=1), *contents)
            for op in ops:
                append(writing, op)

    make_record(str(path), fill)
    return str(path)


LONG = b"def f():\n    return 1\n" * 40
SHORT = b"x = 1\n"
SECRET = b"to be forgotten\n"


def one_of_everything(path: Path, *, outside: str | None = None, after: Callable[[Record], None] | None = None) -> str:
    """A small record with archived and live ops, packed and raw and erased contents, facts, deliveries of both sorts.

    Steps 1 to 3 are archived; 4 to 6 are live. 2 refers to the long content, 5 to the short one, 6 to the erased one.
    """
    record_of(path, [seen(LONG, call="c1"), gone(3)], LONG)
    with open_record(str(path), write=True) as record:
        with record.write() as writing:
            move_older(record, writing, 0, outside)
        with record.write() as writing:
            append(writing, gone(4, call="c2"))
            append(writing, seen(SHORT, call="c3"), SHORT)
            append(writing, seen(SECRET, "notes.txt"), SECRET)
            writing.deliver(bytes(range(16)), 4)
            writing.keep_fact(digest(LONG), "symbols", 1, b'{"f":1}' * 40)
            writing.keep_fact(digest(SHORT), "symbols", 2, b"{}")
            writing.keep_fact(writing.hash, "sites", 1, b"[]")
            writing.erase(digest(SECRET), len(SECRET), writing.step, 1_700_000_000_000, "by hash")
        if after is not None:
            after(record)
    return str(path)
