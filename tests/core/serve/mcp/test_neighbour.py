"""A hook asks the server next door what its agent has lost: the same as by itself, and never instead of it."""

import contextlib
import json
import os
import shutil
import signal
import socket
import stat
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ccos_core.serve import hook, inject, next_door
from ccos_core.serve.hook_line import door
from ccos_core.serve.mcp.neighbour import Neighbour
from ccos_core.serve.mcp.tools.door import NOT_SCANNED, Door
from ccos_core.serve.next_door import TAKEN, Wanted, asked, places
from ccos_core.session.told_before import ToldBefore, remember, told_before
from ccos_core.storage.locate import default_path
from ccos_core.storage.opening import open_record
from tests.core.serve.mcp.talking import LONG, Host
from tests.house import tree
from tests.laws.scripted import SESSION, Scripted

pytestmark = pytest.mark.skipif(next_door.unix_sockets() is None, reason="no Unix sockets here")

CUT = {"hook_event_name": "SessionStart", "source": "compact"}
WITHOUT_ENGINE = f"""
import sys
sys.path.insert(0, {str(tree.ROOT)!r})
sys.modules["ccos_core.serve.inject"] = None
from ccos_core.serve.hook import main
main(sys.argv[1:])
"""


@pytest.fixture
def near(monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """A folder for sockets; that of a test has too long a name on some systems."""
    folder = Path(tempfile.mkdtemp(prefix="ccos"))
    monkeypatch.setenv("XDG_RUNTIME_DIR", str(folder))
    yield folder
    shutil.rmtree(folder)


@pytest.fixture
def agent(tmp_path: Path, near: Path, monkeypatch: pytest.MonkeyPatch) -> Scripted:
    """One that has done a lot, all of it recorded."""
    monkeypatch.setenv("XDG_STATE_HOME", str(near / "state"))
    monkeypatch.delenv("CCOS_WORKSPACE", raising=False)
    monkeypatch.delenv("CCOS_OFF", raising=False)
    root = tmp_path / "shop"
    (root / ".git").mkdir(parents=True)
    agent = Scripted(root)
    for number in range(30):
        agent.prompt("The total is wrong.")
        agent.write(f"m{number}.py", f"def first{number}(rows):\n    return rows[{number}]\n\n\nLIMIT = {number}\n")
        agent.read("a.py")
        agent.edit("sub/b.py", 5, f"    return {number}")
    agent.test(passes=False)
    agent.compact()
    for path, text in agent.files.items():
        (root / path).parent.mkdir(exist_ok=True)
        (root / path).write_text(text)
    for event in agent.events:
        hook.hear([], json.dumps(event).encode())
    inject.answer({"session_id": "none", **CUT}, workspace(agent))
    return agent


@pytest.fixture
def host(agent: Scripted) -> Iterator[Host]:
    with serving(agent) as started:
        yield started


@contextlib.contextmanager
def serving(agent: Scripted) -> Iterator[Host]:
    with Host([sys.executable, "-m", "ccos_tui", "mcp", str(agent.root)]) as host:
        host.shake()
        yield host


def hear(agent: Scripted, happens: Callable[[], None]) -> None:
    agent.events.clear()
    happens()
    for event in agent.events:
        hook.hear([], json.dumps(event).encode())


def workspace(agent: Scripted) -> str:
    return default_path(str(agent.root))


def told(agent: Scripted, session: str) -> bytes:
    """What a server answers, once one does."""
    return printed(until(lambda: asked_patiently(agent, Wanted("SessionStart", session, True))))


def asked_patiently(agent: Scripted, want: Wanted) -> bytes | None:
    """What a server answers, by somebody who waits to hear whether the question is looked at: on a busy machine a hook
    would have left, and what was said to nobody isn't said again."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(next_door, "TAKEN_UP", LONG)
        return asked(workspace(agent), want, LONG)


def printed(said: bytes) -> bytes:
    """What a hook prints of an answer; the line behind it says what was delivered."""
    line, mark, delivery = said.partition(b"\n")
    assert bool(line) == bool(delivery)
    return line + mark


def until(found: Callable[[], Any]) -> Any:
    deadline = time.monotonic() + LONG
    while (it := found()) is None or it is False:
        assert time.monotonic() < deadline, "it never came"
        time.sleep(0.02)
    return it


def has_looked(host: Host) -> bool:
    """Whether the look through the project has ended."""
    said = host.ask("tools/call", {"name": "causal_flash", "arguments": {}})["result"]
    assert not said.get("isError")
    return NOT_SCANNED not in json.dumps(said)


def engine(agent: Scripted, session: str) -> bytes:
    return printed(inject.answer({"session_id": session, **CUT}, workspace(agent)))


def hooked(agent: Scripted, session: str, *command: str) -> bytes:
    """What a hook's process prints."""
    event = {"session_id": session, "cwd": str(agent.root), **CUT}
    words = [sys.executable, *command, "--inject", "--within=30"]
    done = subprocess.run(words, input=json.dumps(event).encode(), capture_output=True, timeout=60)
    assert (done.returncode, done.stderr) == (0, b"")
    return done.stdout


# ---- what is said ----


def test_the_server_says_what_the_engine_says(agent: Scripted, host: Host) -> None:
    said = told(agent, "one")
    assert functions(said)
    assert said == engine(agent, "another")


def test_with_a_prompt_as_well(agent: Scripted, tmp_path: Path) -> None:
    hear(agent, lambda: agent.read("m3.py"))
    engine(agent, "none")
    copy = str(tmp_path / "copy.ccos")
    shutil.copy(workspace(agent), copy)
    with serving(agent):
        want = Wanted("UserPromptSubmit", SESSION, False)
        said = until(lambda: asked_patiently(agent, want))
    alone = inject.answer({"session_id": SESSION, "hook_event_name": "UserPromptSubmit"}, copy)
    assert printed(said) == printed(alone)
    (by_server, by_engine) = (json.loads(each.splitlines()[1]) for each in (said, alone))
    assert {**by_server, "step": 0} == {**by_engine, "step": 0}  # a look through the project may have gone on
    assert functions(printed(said))
    assert "def first3(rows):" not in functions(printed(said))


def test_a_hook_says_what_the_server_says(agent: Scripted, host: Host) -> None:
    said = told(agent, "one")
    assert until(lambda: hooked(agent, "another", "-I", "-c", WITHOUT_ENGINE) or None) == said


def test_what_a_hook_has_just_heard_is_known(agent: Scripted, host: Host) -> None:
    until(lambda: has_looked(host))  # a look through the project finds gone what isn't there, and writes meanwhile
    told(agent, "one")
    (agent.root / "fresh.py").write_text("def quite_new(rows):\n    return rows\n")
    hear(agent, lambda: agent.write("fresh.py", "def quite_new(rows):\n    return rows\n"))
    assert b"quite_new" in told(agent, "another")


def test_what_changed_or_went_unheard_is_not_said_as_it_was(agent: Scripted, host: Host) -> None:
    until(lambda: has_looked(host))
    assert {"def first28(rows):", "def first29(rows):"} <= functions(told(agent, "one"))
    (agent.root / "m29.py").write_text("def renamed29(rows):\n    return rows\n")
    (agent.root / "m28.py").unlink()
    said = functions(told(agent, "another"))
    assert "def renamed29(rows):" in said
    assert not said & {"def first28(rows):", "def first29(rows):"}


def test_nothing_twice_whoever_says_it(agent: Scripted, host: Host) -> None:
    by_server, then_by_engine = told(agent, "one"), engine(agent, "one")
    assert functions(by_server)
    assert not functions(by_server) & functions(then_by_engine)
    by_engine, then_by_server = engine(agent, "two"), told(agent, "two")
    assert (by_engine, then_by_server) == (by_server, then_by_engine)


def functions(said: bytes) -> set[str]:
    """What is defined in what an agent was told."""
    context = json.loads(said)["hookSpecificOutput"]["additionalContext"] if said else ""
    return {line for line in context.split("\n") if line.startswith("def ")}


def test_who_is_overtaken_says_nothing(agent: Scripted) -> None:
    assert remember(workspace(agent), "one", ToldBefore(1, 90, ["a", "b"]), 1.0)
    assert not remember(workspace(agent), "one", ToldBefore(1, 90, ["b", "c"]), 1.0)
    assert told_to(agent, "one") == ["a", "b"]
    assert remember(workspace(agent), "one", ToldBefore(2, 40, ["b", "c"]), 1.0)
    assert told_to(agent, "one") == ["b", "c"]


def told_to(agent: Scripted, session: str) -> list[str]:
    with open_record(workspace(agent)) as record:
        return list(told_before(record, session).names)


# ---- a server that can't, or isn't there ----


def test_one_that_is_stuck_is_left_alone(agent: Scripted, host: Host) -> None:
    said = told(agent, "one")
    os.kill(host.process.pid, signal.SIGSTOP)
    try:
        assert asked(workspace(agent), Wanted("SessionStart", "two", True), LONG) is None
        assert hooked(agent, "three", "-I", "-S", door()) == said
    finally:
        os.kill(host.process.pid, signal.SIGCONT)


def test_one_that_was_killed_is_replaced(agent: Scripted, host: Host) -> None:
    told(agent, "one")
    host.process.kill()
    host.process.wait(LONG)
    assert os.path.exists(places(workspace(agent))[0])
    assert asked(workspace(agent), Wanted("SessionStart", "two", True), LONG) is None
    assert hooked(agent, "three", "-I", "-S", door())
    with serving(agent):
        assert told(agent, "four")


def test_of_two_servers_one_listens_and_the_other_takes_over(agent: Scripted, near: Path) -> None:
    with serving(agent) as first:
        said = told(agent, "one")
        with serving(agent) as second:
            assert told(agent, "two") == said
            assert first.end() == 0
            assert told(agent, "three") == said
            assert second.end() == 0
    assert list((near / "ccos-tui").iterdir()) == []


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGINT])
def test_nothing_is_left_behind(agent: Scripted, host: Host, near: Path, number: int) -> None:
    until(lambda: os.path.exists(places(workspace(agent))[0]))
    host.process.send_signal(number)
    assert host.process.wait(LONG) == 0
    assert list((near / "ccos-tui").iterdir()) == []


def test_one_that_may_not_record_says_nothing(agent: Scripted, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("CCOS_OFF", "1")
    with serving(agent) as host:
        monkeypatch.delenv("CCOS_OFF")
        until(lambda: os.path.exists(places(workspace(agent))[0]))
        for number in range(5):
            assert asked(workspace(agent), Wanted("SessionStart", f"s{number}", True), LONG) is None
            assert host.ask("ping")["result"] == {}


def test_a_question_nobody_had_time_for_is_withdrawn(agent: Scripted) -> None:
    errands: list[Callable[[], None]] = []
    here = Door(workspace(agent), str(agent.root))
    neighbour = Neighbour(here)
    here.live().desk.world()
    neighbour.begin(errands.append)
    try:
        until(lambda: os.path.exists(places(workspace(agent))[0]))
        until(lambda: asked(workspace(agent), Wanted("SessionStart", "late", True), LONG) is None and errands)
        for errand in errands:
            errand()
        assert told_to(agent, "late") == []
    finally:
        neighbour.close()
        here.close()


# ---- whom one may trust ----


def test_nobody_else_gets_in(agent: Scripted, host: Host) -> None:
    (place, *_) = places(workspace(agent))
    until(lambda: os.path.exists(place))
    told(agent, "one")
    assert stat.S_IMODE(os.stat(place).st_mode) == 0o600
    assert stat.S_IMODE(os.stat(os.path.dirname(place)).st_mode) == 0o700


def test_a_folder_others_may_enter_is_not_used(agent: Scripted, near: Path) -> None:
    (near / "ccos-tui").mkdir(mode=0o755)
    assert not next_door.is_ours(str(near / "ccos-tui"))
    with serving(agent):
        assert told(agent, "one")
        assert list((near / "ccos-tui").iterdir()) == []
        assert os.path.exists(places(workspace(agent))[1])


def test_too_long_a_name_is_none(near: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    deep = near / ("d" * 90)
    deep.mkdir()
    monkeypatch.setenv("XDG_RUNTIME_DIR", str(deep))
    monkeypatch.setenv("XDG_STATE_HOME", str(deep))
    assert places("/anything") == []


@given(st.binary(max_size=300) | st.just(b"[" * 4_000 + b"\n") | st.just(b"x" * 9_000))
@settings(max_examples=25, deadline=None)
def test_who_says_anything_is_no_trouble(listening: str, said: bytes) -> None:
    with socket.socket(socket.AF_UNIX) as hostile:
        hostile.settimeout(LONG)
        hostile.connect(listening)
        with contextlib.suppress(OSError):
            hostile.sendall(said)
        with contextlib.suppress(ConnectionError):
            assert hostile.recv(1) == b""


@pytest.fixture(scope="module")
def listening() -> Iterator[str]:
    """A door behind which nobody answers: whatever is let through is a question."""
    folder = Path(tempfile.mkdtemp(prefix="ccos"))
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("XDG_RUNTIME_DIR", str(folder))
        neighbour = Neighbour(Door(str(folder / "none.ccos"), str(folder)))
        neighbour.begin(lambda errand: errand())
        place = places(str(folder / "none.ccos"))[0]
        until(lambda: os.path.exists(place))
        yield place
        neighbour.close()
    shutil.rmtree(folder)


def test_the_silent_keep_nobody_out_for_long(agent: Scripted, host: Host) -> None:
    said = told(agent, "one")
    silent = [socket.socket(socket.AF_UNIX) for _ in range(5)]
    for each in silent:
        each.connect(places(workspace(agent))[0])
    assert host.ask("ping")["result"] == {}
    assert told(agent, "two") == said
    for each in silent:
        each.close()


@pytest.mark.parametrize(
    "said",
    [b"", b"x", TAKEN, TAKEN + b"5\nab", TAKEN + b"2\n{}", TAKEN + b"-1\n", TAKEN + b"9" * 50, TAKEN + b"99999999\n",
     TAKEN + b"4\nnull", TAKEN + b"\n", TAKEN + b"3\n\xff\xff\xff", TAKEN + b"30\n" + b"[" * 30],
)  # fmt: skip
def test_what_is_no_answer_is_not_taken_for_one(agent: Scripted, said: bytes) -> None:
    place = places(workspace(agent))[0]
    os.makedirs(os.path.dirname(place), mode=0o700)
    with socket.socket(socket.AF_UNIX) as hostile:
        hostile.bind(place)
        hostile.listen()
        thread = threading.Thread(target=_say, args=(hostile, said))
        thread.start()
        assert asked(workspace(agent), Wanted("SessionStart", "one", True), LONG) is None
        thread.join(LONG)


def _say(hostile: socket.socket, said: bytes) -> None:
    with_it, _ = hostile.accept()
    with with_it:
        with_it.recv(4_096)
        with_it.sendall(said)


def test_too_long_a_question_is_not_asked() -> None:
    with pytest.raises(ValueError, match="more bytes"):
        next_door.question_of(Wanted("SessionStart", "s" * 5_000, True), 0.3)


@given(st.text(max_size=300), st.booleans(), st.integers(1, 59_999))
def test_a_question_arrives_as_it_was_asked(session: str, is_cut: bool, millis: int) -> None:
    want = Wanted("UserPromptSubmit", session, is_cut)
    assert next_door.understood(next_door.question_of(want, millis / 1_000 + 1e-6)) == (want, millis / 1_000)


def test_asking_loads_no_engine() -> None:
    dear = ("typing", "dataclasses", "socket", "sqlite3", "numpy", "inspect", "ccos_core.session")
    code = f"""
import sys
sys.path += {sys.path!r}
from ccos_core.serve import next_door
next_door.unix_sockets()
print([name for name in {dear} if name in sys.modules])
"""
    done = subprocess.run([sys.executable, "-I", "-S", "-c", code], capture_output=True, text=True, timeout=60)
    assert done.stdout == "[]\n"
