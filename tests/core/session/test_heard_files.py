"""What a conversation was told of a file, found by what was noted, against a walk back over all ops."""

import json
import tempfile
from pathlib import Path
from typing import Any

from hypothesis import given, settings
from hypothesis import strategies as st

from ccos_core.intake.hooks.remembered import Sighting
from ccos_core.ops.plain import unseal
from ccos_core.session import heard_events
from ccos_core.session.heard_events import Noted, RecordedFiles
from ccos_core.session.lifecycle import init
from ccos_core.session.session import Session, open_session

PATHS = ("a.py", "b/c.py", "d e.py")
MINE = {"host": "h", "session": "s"}
WHOSE = st.sampled_from([MINE, MINE, MINE, {"host": "h", "session": "s", "context": "scout"}, {"session": "other"}, {}])
WHAT = st.one_of(
    st.builds(
        lambda path, how, text: {"kind": "seen", "path": path, "how": how, "content": text},
        st.sampled_from(PATHS),
        st.sampled_from(["read", "edit", "write"]),
        st.sampled_from(["x\n", "y\n" * 9, "a line that names a.py\n"]),
    ),
    st.builds(
        lambda path, first: {"kind": "seen", "path": path, "how": "read", "content": "part\n", "slice": [first, first]},
        st.sampled_from(PATHS),
        st.integers(1, 3),
    ),
    st.builds(lambda path: {"kind": "gone", "path": path}, st.sampled_from(PATHS)),
    st.builds(lambda path, to: {"kind": "renamed", "path": path, "to": to}, *[st.sampled_from(PATHS)] * 2),
    st.just({"kind": "prompt", "said": "a.py", "source": "user"}),
)
OPS = st.lists(st.builds(lambda what, whose: {**what, **whose}, WHAT, WHOSE), max_size=10)


def walked(session: Session, path: str, named: tuple[str, str, str]) -> list[Sighting]:
    """The same from all ops, the last first."""
    record = session.recorded
    found: list[Sighting] = []
    for op in [unseal(body) for _, _, body in record.rows()][::-1]:
        if (op.get("host", ""), op.get("session", ""), op.get("context", "")) != named:
            continue
        if op["kind"] == "renamed" and op["to"] == path:
            path = op["path"]
        elif op["kind"] in ("gone", "renamed") and op["path"] == path:
            found.append(Sighting("gone"))
            break
        elif op["kind"] == "seen" and op["path"] == path:
            text = record.content(bytes.fromhex(op["content"]["blob"])).decode()
            found.append(Sighting("seen", op["how"], text, op["slice"][0] if "slice" in op else 0))
            if "slice" not in op:
                break
    return found[::-1]


@settings(max_examples=60, deadline=None)
@given(st.lists(OPS, min_size=1, max_size=3))
def test_what_was_noted_says_what_a_walk_says(batches: list[list[dict[str, Any]]]) -> None:
    named = {("h", "s", ""): Noted(), ("h", "s", "scout"): Noted(), ("", "", ""): Noted()}
    with tempfile.TemporaryDirectory() as folder:
        path = str(Path(folder) / "work.ccos")
        init(path)
        with open_session(path) as session:
            for ops in batches:
                session.record(ops)
                for name, noted in named.items():
                    upto, steps = json.loads(json.dumps([noted.upto, noted.steps]))  # as the next process finds it
                    named[name] = noted = Noted(upto, steps)
                    files = RecordedFiles(session.recorded, session.place, *name, {}, noted)
                    for each in PATHS:
                        assert files.recall(each) == walked(session, each, name)


def test_two_files_that_look_alike_are_told_apart(tmp_path: Path, monkeypatch: Any) -> None:
    monkeypatch.setattr(heard_events, "MARK", 0)
    init(str(tmp_path / "work.ccos"))
    with open_session(str(tmp_path / "work.ccos")) as session:
        session.record([{"kind": "seen", "how": "read", "path": each, "content": each, **MINE} for each in PATHS])
        files = RecordedFiles(session.recorded, session.place, "h", "s", "", {}, Noted())
        for each in PATHS:
            assert files.recall(each) == [Sighting("seen", "read", each)] == walked(session, each, ("h", "s", ""))
