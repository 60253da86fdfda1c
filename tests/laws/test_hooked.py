"""What hooks heard is what happened: once, however often it was delivered, and as the transcript tells it."""

import json
import subprocess
import sys
import tempfile
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from ccos_core.ops.plain import unseal
from ccos_core.serve.hook import hear
from ccos_core.serve.hook_line import hook_command
from ccos_core.session.hearing import take_in
from ccos_core.session.importing import Importing
from ccos_core.session.named import find_record
from ccos_core.session.transcripts import Story, Tail
from ccos_core.session.worlds import Knowing
from ccos_core.storage.opening import open_record
from ccos_core.storage.proof import prove
from ccos_core.window.lenses import window_of
from tests.laws.scripted import FILES, Scripted

Act = Callable[[Scripted], object]
TOLD = ("seen", "gone", "renamed", "tool", "prompt", "compaction")
UNLIKE = ("at", "call", "millis", "result", "kept", "before", "exact", "findings")
"""What a hook isn't told, or hears otherwise: how it is named and when; the sentence a tool answers with; sizes; and
what the hook has masked is found by nobody after it."""

PATHS = st.sampled_from([*FILES, "new.py", "sub/c.py"])
LINES = st.sampled_from(["    return 0", "x = 1\ny = 2", "", "two", "SHOP = 'there'", "def tax(rows):"])
NUMBERS = st.integers(1, 8)


def act(name: str, *arguments: st.SearchStrategy[Any], **named: st.SearchStrategy[Any]) -> st.SearchStrategy[Act]:
    def made(given: tuple[tuple[Any, ...], dict[str, Any]]) -> Act:
        return _Act(name, *given)

    return st.tuples(st.tuples(*arguments), st.fixed_dictionaries(named)).map(made)


class _Act:
    """Something the agent does, that shows in a failing example as what it is."""

    def __init__(self, name: str, arguments: tuple[Any, ...], named: dict[str, Any]) -> None:
        self.name, self.arguments, self.named = name, arguments, named

    def __call__(self, agent: Scripted) -> None:
        getattr(agent, self.name)(*self.arguments, **self.named)

    def __repr__(self) -> str:
        return f"do({self.name!r}, *{self.arguments!r}, **{self.named!r})"


def do(name: str, *arguments: Any, **named: Any) -> Act:
    return _Act(name, arguments, named)


ACTS = st.one_of(
    act("prompt", st.sampled_from(["go on", "what about tax?"])),
    act("read", PATHS),
    act("read", PATHS, NUMBERS, NUMBERS),
    act("edit", PATHS, NUMBERS, LINES),
    act("edits", PATHS, NUMBERS, LINES, st.booleans()),
    act("write", PATHS, LINES),
    act("grep", st.sampled_from(["total", "rows", "o"])),
    act("cat", PATHS),
    act("show", PATHS, NUMBERS, NUMBERS),
    act("pour", PATHS, LINES, on_top=st.booleans()),
    act("substitute", PATHS, st.sampled_from(["rows", "t"]), st.just("items")),
    act("move", PATHS, PATHS),
    act("remove", PATHS),
    act("go_to_sub"),
    act("test", passes=st.booleans()),
    act("compact"),
)
TALES = st.lists(ACTS, min_size=1, max_size=12)


@settings(max_examples=15)
@given(TALES, TALES, st.lists(st.integers(1, 12), max_size=3))
@example(
    [do("read", "notes.txt", 1, 3), do("read", "notes.txt", 4, 9), do("pour", "notes.txt", "six", on_top=True)], [], [2]
)
@example([do("go_to_sub"), do("go_to_sub"), do("read", "sub/b.py", 3, 2)], [do("go_to_sub")], [1, 2])
def test_a_session_heard_is_the_session_imported(tale: list[Act], delegated: list[Act], cuts: list[int]) -> None:
    with tempfile.TemporaryDirectory() as folder:
        agent = played(Path(folder), tale)
        main_only = windows_after(agent, Path(folder), cuts)
        assert main_only[0] == main_only[1]
    with tempfile.TemporaryDirectory() as folder:
        agent = played(Path(folder), [*tale[:6], lambda agent: agent.delegate(lambda: [do(agent) for do in delegated])])
        heard, imported = recorded_both_ways(agent, Path(folder), cuts)
        assert alike(heard) == alike(imported, without_prompts_of_agents=True)


@settings(max_examples=10)
@given(TALES)
def test_what_was_heard_is_not_imported_again(tale: list[Act]) -> None:
    with tempfile.TemporaryDirectory() as folder:
        agent = played(Path(folder), tale)
        ws = record(Path(folder) / "work.ccos", agent.events, [])
        before = alike(ws)
        with Importing(str(ws)) as importing:
            importing.take(Story(Tail(str(agent.write_transcript(Path(folder) / "transcripts")))))
        after = alike(ws)
        assert [op for op in after if op["kind"] != "compaction"] == [op for op in before if op["kind"] != "compaction"]
        assert not take_in(str(ws)).added


@settings(max_examples=15)
@given(TALES, st.data())
def test_any_deliveries_are_each_once(tale: list[Act], data: st.DataObject) -> None:
    with tempfile.TemporaryDirectory() as folder:
        agent = played(Path(folder), tale)
        events = agent.events
        again = data.draw(st.lists(st.integers(0, len(events) - 1), max_size=6))
        places = [data.draw(st.integers(number + 1, len(events))) for number in again]
        batched = [data.draw(st.booleans()) for _ in again]
        delivered: list[tuple[float, dict[str, Any]]] = list(enumerate(events))
        for number, place, is_batch in zip(again, places, batched, strict=True):
            delivered.append((place - 0.5, batch(events[number]) if is_batch else events[number]))
        cuts = data.draw(st.lists(st.integers(1, 20), max_size=4))
        once = record(Path(folder) / "once.ccos", events, [])
        in_order = [event for _, event in sorted(delivered, key=lambda pair: pair[0])]
        each = record(Path(folder) / "again.ccos", in_order, cuts)
        assert [without(op, "at") for op in ops(once)] == [without(op, "at") for op in ops(each)]


def test_the_real_hook_tells_the_same(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """As a host runs it, a process an event, into the workspace its project has when nobody says otherwise."""
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path / "state"))
    monkeypatch.delenv("CCOS_WORKSPACE", raising=False)
    tale = [
        do("read", "a.py"), do("read", "sub/b.py", 3, 4), do("test", passes=False), do("edit", "a.py", 3, "    pass"),
        do("cat", "conf.py"), do("compact"), do("move", "notes.txt", "b.py"), do("go_to_sub"), do("test", passes=True),
    ]  # fmt: skip
    agent = played(tmp_path, tale)
    for event in agent.events:
        command = ["sh", "-c", hook_command(sys.executable)]
        done = subprocess.run(command, input=json.dumps(event).encode(), capture_output=True, timeout=60)
        assert (done.returncode, done.stdout, done.stderr) == (0, b"", b"")
    heard = Path(find_record(str(agent.root)))
    imported = tmp_path / "imported.ccos"
    with Importing(str(imported)) as importing:
        importing.take(Story(Tail(str(agent.write_transcript(tmp_path / "transcripts")))))
    assert understood(heard) == understood(imported)


# -- helpers ----------------------------------------------------------------------------------------------------------


def played(folder: Path, tale: Sequence[Act]) -> Scripted:
    root = folder / "shop"
    (root / ".git").mkdir(parents=True)
    agent = Scripted(root)
    agent.prompt("The total is wrong.")
    for each in tale:
        each(agent)
    return agent


def batch(event: dict[str, Any]) -> dict[str, Any]:
    """The same call, as the hook of its batch tells it: by what the agent was shown."""
    if "tool_use_id" not in event:
        return event
    call = {name: event[name] for name in ("tool_name", "tool_use_id", "tool_input")}
    rest = {name: event[name] for name in ("session_id", "cwd", "agent_id") if name in event}
    return {**rest, "hook_event_name": "PostToolBatch", "tool_calls": [{**call, "tool_response": "as it was shown"}]}


def record(ws: Path, events: Sequence[dict[str, Any]], cuts: Sequence[int]) -> Path:
    """Hear these, and take in what was heard after so many of them and at the end."""
    for number, event in enumerate(events, 1):
        hear(["--ws", str(ws)], json.dumps(event).encode())
        if number in cuts:
            assert not take_in(str(ws)).waiting
    taken = take_in(str(ws))
    assert (taken.waiting, taken.aside, taken.unknown) == (0, 0, 0), taken.why
    return ws


def recorded_both_ways(agent: Scripted, folder: Path, cuts: Sequence[int]) -> tuple[Path, Path]:
    heard = record(folder / "heard.ccos", agent.events, cuts)
    imported = folder / "imported.ccos"
    with Importing(str(imported)) as importing:
        importing.take(Story(Tail(str(agent.write_transcript(folder / "transcripts")))))
    return heard, imported


def windows_after(agent: Scripted, folder: Path, cuts: Sequence[int]) -> list[object]:
    """Both ways."""
    return [understood(ws) for ws in recorded_both_ways(agent, folder, cuts)]


def understood(ws: Path) -> object:
    """What was told of files, what fails, and the windows of it."""
    with open_record(str(ws)) as opened:
        assert prove(opened).valid
        knowing = Knowing(opened)
        windows = [
            window_of(lens, budget, knowing, knowing.world).text
            for lens in ("working-set", "hybrid:total of rows")
            for budget in (60, 400)
        ]
        fails = sorted(map(repr, knowing.world.failures.live))
    return alike(ws), fails, windows


def alike(ws: Path, without_prompts_of_agents: bool = False) -> list[dict[str, Any]]:
    """What both ways tell of a session, without what only one of them knows."""
    found = []
    for op in ops(ws):
        if op["kind"] in TOLD and not (without_prompts_of_agents and op["kind"] == "prompt" and "context" in op):
            named = {"call": op["call"]} if op["kind"] != "compaction" else {}
            result = {"result": op.get("result")} if "Exit code" in str(op) else {}
            found.append({**without(op, *UNLIKE), **named, **result})
    return found


def ops(ws: Path) -> list[dict[str, Any]]:
    with open_record(str(ws)) as opened:
        return [unseal(body) for _, _, body in opened.rows()]


def without(op: dict[str, Any], *names: str) -> dict[str, Any]:
    return {name: value for name, value in op.items() if name not in names}
