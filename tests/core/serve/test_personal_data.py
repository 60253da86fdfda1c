"""Personal data: recorded as it was said, counted when asked, and shown as its kind below level high, at each door."""

from __future__ import annotations

import io
import json
from pathlib import Path
from typing import Any

import pytest

from ccos_core.serve import inject
from ccos_core.serve.mcp.offering import ALL, offering
from ccos_core.serve.mcp.schema import filled
from ccos_core.serve.mcp.tools.door import Door
from ccos_core.serve.memory import lines
from ccos_core.serve.memory.store import Store
from ccos_core.session import lifecycle
from ccos_core.session.session import open_session
from tests.core.serve.calling import Caller

SAID = "Mail the report to mara.huber@firma.de, she pays from DE89370400440532013000."
HIDDEN = ("mara.huber@firma.de", "DE89370400440532013000")
MAIN = {"host": "claude-code", "session": "s"}


@pytest.fixture
def path(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path / "config"))
    found = tmp_path / "work.ccos"
    lifecycle.init(str(found))
    with open_session(str(found)) as session:
        session.record([
            {"kind": "prompt", "source": "user", "said": f"{SAID} Never push to main.", "actor": "user", **MAIN},
            {"kind": "seen", "path": "team.py", "how": "read", "content": f'OWNER = "{HIDDEN[0]}"\n', **MAIN},
            {"kind": "compaction", "trigger": "auto", "exact": False, "summary": "Work goes on.", **MAIN},
            {"kind": "turn", "said": "Going on.", "actor": "agent", **MAIN},
        ])  # fmt: skip
    return found


def test_it_is_counted_by_kind_and_step(path: Path, run: Caller) -> None:
    answer = run("personal", path, "--json").json()
    assert [(each["kind"], each["count"], each["steps"]) for each in answer["kinds"]] == [
        ("mail", 1, [2]),
        ("iban", 1, [2]),
    ]
    shown = run("personal", path).out
    assert not any(each in shown for each in HIDDEN)


def test_the_owner_sees_it_and_an_agent_its_kind(path: Path, run: Caller) -> None:
    for words in (
        ("statements",),
        ("retold",),
        ("show", "@2"),
        ("timeline",),
        ("said", "report"),
        ("context", "report"),
    ):
        name, *more = words
        own, seen = (run(name, path, *more, *principal).out for principal in ((), ("--as", "agent")))
        assert HIDDEN[0] in own, words
        assert not any(each in seen for each in HIDDEN), words
        assert "[mail]" in seen, words


def test_ids_are_the_same_for_both(path: Path, run: Caller) -> None:
    own, seen = (run("statements", path, "--json", *more).json()["statements"] for more in ((), ("--as", "agent")))
    assert [each["memo"] for each in own] == [each["memo"] for each in seen]
    assert [each["state"] for each in own] == [each["state"] for each in seen]


def test_a_cap_of_high_shows_it(path: Path, run: Caller) -> None:
    run("govern", path, "set", '{"principals": {"agent": {"level": "high"}}}')
    assert HIDDEN[0] in run("statements", path, "--as", "agent").out


def test_code_stays_as_it_is(path: Path, run: Caller) -> None:
    """An agent would write back what it is shown."""
    assert HIDDEN[0] in run("recall", path, "--as", "agent").out


def test_the_server_the_pipe_and_the_hook_show_its_kind(path: Path) -> None:
    answers: list[dict[str, Any]] = []
    with Store(str(path), "agent") as store:
        lines.run(store, io.BytesIO(b'{"op":"statements"}\n{"op":"retold"}'), answers.append)
    door = Door(str(path), str(path.parent))
    try:
        tools = {each.name: each for each in offering(door, (ALL,)).tools}
        answers.append(
            dict(tools["get_context"].run(filled(tools["get_context"].takes, {"query": "report"}), _Nobody()))
        )
    finally:
        door.close()
    event = {"hook_event_name": "UserPromptSubmit", "session_id": "s"}
    answers.append({"hook": inject.answer(event, str(path)).decode()})
    for answer in answers:
        said = json.dumps(answer)
        assert "[mail]" in said, answer
        assert not any(each in said for each in HIDDEN)


class _Nobody:
    def progress(self, done: int, total: int | None = None, words: str = "") -> None:
        pass


@pytest.mark.parametrize(
    ("right", "wrong"),
    [(HIDDEN[0], "otto.meier@firma.de"), ("mara.huber", "otto.meier"), ("DE8937040044", "DE8937040055")],
)
def test_no_search_confirms_it(path: Path, run: Caller, right: str, wrong: str) -> None:
    def found(words: str, *who: str) -> list[str]:
        asked = (("entries", f'text~"{words}"'), ("entries", f'not text~"{words}"'), ("said", f"report {words}"))
        return [run(name, path, said, "--json", *who).out.replace(words, "ASKED") for name, said in asked]

    assert found(right) != found(wrong)
    assert found(right, "--as", "agent") == found(wrong, "--as", "agent")
    assert not any(each[:12] in said for each in HIDDEN for said in found(right, "--as", "agent"))
