"""A server as a process of its own: how it starts, is interrupted, runs into trouble and ends."""

import json
import os
import shlex
import signal
import subprocess
import sys
import threading
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from ccos_core.serve.mcp import server, streams, wire
from ccos_core.serve.mcp.streams import Outlet
from tests.core.serve.mcp.talking import LONG, SERVER, Host, environment, hello, lines_of, note, request
from tests.house import tree

posix_only = pytest.mark.skipif(os.name == "nt", reason="pipes and signals of another kind")

DEAR = {"typing", "dataclasses", "asyncio", "inspect", "pathlib", "click", "rich", "sqlite3", "numpy", "networkx",
        "textual", "blake3", "tree_sitter", "difflib", "urllib", "traceback", "logging", "subprocess", "tempfile",
        "queue", "datetime", "decimal", "random", "socket", "select", "selectors", "concurrent", "email"}  # fmt: skip
"""What a start can do without; each costs every session of every host."""
PROBE = """
import sys
before = set(sys.modules)
from ccos_core.serve.mcp.server import serve
from ccos_core.serve.mcp.offer import Offer, Resource, Tool
code = serve(lambda: Offer("n", "t", "1", "i", [], [], [], list), sys.stdin.buffer, sys.stdout.buffer)
print(sorted(name.split(".")[0] for name in set(sys.modules) - before), file=sys.stderr)
sys.exit(code)
"""


@pytest.fixture
def host() -> Iterator[Host]:
    with Host() as started:
        yield started


def call(name: str, key: int | str = 1, token: int | str | None = None, **arguments: object) -> dict[str, object]:
    meta = {} if token is None else {"_meta": {"progressToken": token}}
    return request("tools/call", {"name": name, "arguments": arguments, **meta}, key)


# ---- its start ----


def test_a_handshake_loads_next_to_nothing() -> None:
    done = subprocess.run(
        [sys.executable, "-P", "-c", f"import sys; sys.path.insert(0, {str(tree.ROOT)!r})\n" + PROBE],
        input=lines_of(hello("2025-11-25"), note("notifications/initialized"), request("tools/list")),
        capture_output=True,
        timeout=LONG,
    )
    assert done.returncode == 0, done.stderr
    assert [json.loads(line)["id"] for line in done.stdout.splitlines()] == ["hello", 1]
    loaded = set(json.loads(done.stderr.decode().replace("'", '"')))
    assert "json" in loaded
    assert sorted(loaded & DEAR) == []


# ---- while a tool runs ----


def test_progress_goes_forward_to_those_who_asked(host: Host) -> None:
    host.shake()
    host.say(call("slow", 1, token="t", steps=4, pause=40))
    heard = host.hear_until(1)
    said = [each["params"] for each in heard[:-1]]
    assert {each["method"] for each in heard[:-1]} == {"notifications/progress"}
    assert {each["progressToken"] for each in said} == {"t"}
    assert [each["progress"] for each in said] == sorted({each["progress"] for each in said})
    assert (said[-1]["progress"], said[-1]["total"]) == (4, 4)
    assert said[0]["message"] == "step 0"


def test_progress_too_fast_to_be_seen_is_not_all_told(host: Host) -> None:
    host.say(call("slow", 1, token=7, steps=2000, pause=0))
    heard = host.hear_until(1)
    assert len(heard) < 1000
    assert heard[-2]["params"] == {"progressToken": 7, "progress": 2000, "total": 2000}


def test_who_did_not_ask_hears_no_progress(host: Host) -> None:
    host.say(call("slow"))
    assert len(host.hear_until(1)) == 1


def test_a_request_that_is_taken_back_stops_and_gets_no_answer(host: Host) -> None:
    host.say(call("slow", "long", token=1, steps=10_000, pause=20))
    assert host.hear()["method"] == "notifications/progress"
    host.say(note("notifications/cancelled", {"requestId": "long", "reason": "enough"}), call("add", 2, a=1))
    heard = host.hear_until(2)
    assert "long" not in [each.get("id") for each in heard]
    assert host.end() == 0
    assert host.rest() == []


def test_nor_does_one_that_was_not_begun(host: Host, tmp_path: Path) -> None:
    begin(host, call("deaf", "first", token=1, until=str(tmp_path / "now")))
    host.say(call("deaf", "second"), call("deaf", "third"), note("notifications/cancelled", {"requestId": "second"}))
    host.ask("ping", key="it was read")
    (tmp_path / "now").touch()
    assert [each["id"] for each in host.hear_until("third")] == ["first", "third"]


def test_nor_does_one_that_never_looks_up(host: Host, tmp_path: Path) -> None:
    begin(host, call("deaf", "first", token=1, until=str(tmp_path / "now")))
    host.say(note("notifications/cancelled", {"requestId": "first"}), call("add", "second", a=1))
    host.ask("ping", key="it was read")
    (tmp_path / "now").touch()
    assert [each["id"] for each in host.hear_until("second")] == ["second"]


def begin(host: Host, message: dict[str, object]) -> None:
    """Until its tool runs, which tells it by its first word on how far it is."""
    host.say(message)
    assert host.hear()["method"] == "notifications/progress"


@pytest.mark.parametrize("params", [{}, {"requestId": [1]}, {"requestId": None}, {"requestId": 99}, [1], "x"])
def test_taking_back_what_is_not_there_is_met_with_silence(host: Host, params: object) -> None:
    host.say({"jsonrpc": "2.0", "method": "notifications/cancelled", "params": params})
    assert host.ask("ping") == {"jsonrpc": "2.0", "id": 1, "result": {}}


def test_a_ping_is_answered_while_a_tool_runs(host: Host, tmp_path: Path) -> None:
    begin(host, call("deaf", "long", token=1, until=str(tmp_path / "now")))
    assert host.ask("ping") == {"jsonrpc": "2.0", "id": 1, "result": {}}
    (tmp_path / "now").touch()
    assert host.hear()["id"] == "long"


def test_progress_never_goes_back(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(server, "OFTEN", 0)
    sent = bytearray()
    asked = server.Underway(
        wire.Request(1, "m", {"_meta": {"progressToken": "t"}}), "2025-11-25", Outlet(piecemeal(sent))
    )
    for done in (3, 2, 3, 5, 5, 4, 9):
        asked.progress(done, 9)
    assert [json.loads(line)["params"]["progress"] for line in sent.splitlines()] == [3, 5, 9]


def piecemeal(sent: bytearray) -> Callable[[memoryview], int]:
    """A stream that takes three bytes at a time."""

    def write(data: memoryview) -> int:
        sent.extend(data[:3])
        return len(data[:3])

    return write


# ---- what comes in ----


@posix_only
def test_a_line_of_100_mb_is_refused_without_being_held(host: Host) -> None:
    assert host.ask("ping", key="before")
    before = memory_of(host)
    piece = b"x" * (1 << 20)
    host.say_bytes(b'{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"')
    for _ in range(100):
        host.say_bytes(piece)
    host.say_bytes(b'"}}\n')
    said = host.hear()
    assert (said["id"], said["error"]["code"]) == (None, wire.NO_REQUEST)
    assert host.ask("ping", key="after")
    assert memory_of(host, peak=True) - before < 3 * wire.LONGEST


@posix_only
def test_a_host_that_says_more_than_is_answered_waits(host: Host, tmp_path: Path) -> None:
    """What waits to be answered is bounded: 100 MB of requests don't fit while a tool runs."""
    assert host.ask("ping", key="before")
    before = memory_of(host)
    begin(host, call("deaf", "long", token=1, until=str(tmp_path / "now")))
    threading.Timer(1, (tmp_path / "now").touch).start()
    big = lines_of(request("tools/call", {"name": "add", "arguments": {"a": 1}, "much": "x" * (1 << 20)}, 2))
    for _ in range(100):
        host.say_bytes(big)
    host.say(call("add", "last", a=1))
    heard = host.hear_until("last")
    assert len(heard) == 102
    assert memory_of(host, peak=True) - before < 4 * streams.FULL


def test_half_a_line_at_the_end_is_told(host: Host) -> None:
    host.say_bytes(b'{"jsonrpc":"2.0","id":1,"me')
    assert host.end() == 0
    (said,) = host.rest()
    assert said["error"]["code"] == wire.NOT_JSON


def test_a_last_line_without_its_end_is_answered(host: Host) -> None:
    host.say_bytes(lines_of(request("ping")).rstrip())
    assert host.end() == 0
    assert host.rest() == [{"jsonrpc": "2.0", "id": 1, "result": {}}]


# ---- what goes out ----


def test_nothing_but_the_protocol_gets_out(host: Host) -> None:
    host.say(call("chatter"), request("ping", key=2))
    assert host.end() == 0
    assert sorted(each["id"] for each in host.rest()) == [1, 2]
    printed = host.trouble.decode()
    assert all(word in printed for word in ("a word by mistake", "another", "and a byte", "from a child"))


# ---- its end ----


def test_all_is_answered_before_it_ends(host: Host) -> None:
    host.say(*(call("slow", key) for key in range(5)))
    assert host.end() == 0
    assert [each["id"] for each in host.rest()] == list(range(5))


@posix_only
@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGINT])
@pytest.mark.parametrize("busy", [False, True])
def test_a_signal_ends_it_cleanly(host: Host, number: int, busy: bool) -> None:
    host.shake()
    if busy:
        host.say(call("slow", 1, token=1, steps=10_000, pause=100))
        host.hear()
    os.kill(host.process.pid, number)
    assert host.process.wait(LONG) == 0
    assert host.trouble == b""


@posix_only
def test_a_signal_ends_it_though_nobody_reads() -> None:
    process = subprocess.Popen(
        SERVER, stdin=subprocess.PIPE, stdout=subprocess.PIPE, cwd=tree.ROOT, env=environment(), stderr=subprocess.PIPE
    )
    with process:
        assert process.stdin is not None
        assert process.stdout is not None
        process.stdin.write(lines_of(call("echo", 1, text="x" * 1_000_000)))
        process.stdin.flush()
        process.stdout.read(1)
        process.terminate()
        assert process.wait(LONG) == 0


@posix_only
@pytest.mark.parametrize("method", ["ping", "tools/list"])
def test_a_host_that_is_gone_ends_it_quietly(method: str) -> None:
    process = subprocess.Popen(
        SERVER, stdin=subprocess.PIPE, stdout=subprocess.PIPE, cwd=tree.ROOT, env=environment(), stderr=subprocess.PIPE
    )
    with process:
        assert process.stdin is not None
        assert process.stdout is not None
        assert process.stderr is not None
        process.stdout.close()
        process.stdin.write(lines_of(request(method)))
        process.stdin.flush()
        assert process.wait(LONG) == 0
        assert process.stderr.read() == b""


@posix_only
@pytest.mark.parametrize("streams", ["2>&-", "</dev/null", "</dev/null 2>&-", ">/dev/null", "2>/dev/full"])
def test_streams_that_are_closed_or_lead_nowhere(streams: str) -> None:
    said = lines_of(call("chatter"), call("add", 2, a=1))
    words = [f"exec {' '.join(map(shlex.quote, SERVER))} {streams}"]
    done = subprocess.run(
        ["sh", "-c", *words], input=said, capture_output=True, env=environment(), cwd=tree.ROOT, timeout=LONG
    )
    assert done.returncode == 0, done.stderr
    expected = [] if "/dev/null" in streams.removeprefix("2>") else [1, 2]
    assert [json.loads(line)["id"] for line in done.stdout.splitlines()] == expected


@posix_only
@pytest.mark.skipif(not os.path.exists("/dev/full"), reason="there is nothing that is always full here")
def test_an_end_that_takes_nothing_ends_it() -> None:
    with open("/dev/full", "wb") as full:
        said = lines_of(hello("2025-06-18"))
        ended = subprocess.run(SERVER, input=said, stdout=full, stderr=subprocess.PIPE, env=environment(), timeout=LONG)
    assert ended.returncode == 5
    assert ended.stderr.startswith(b"ccos-tui: can't write to the agent")
    assert ended.stderr.count(b"\n") == 1


def test_no_stream_of_ours_takes_the_place_of_one_that_is_closed() -> None:
    code = "import os; from ccos_core.serve.mcp.streams import _duplicate; os.write(1, b'%d' % _duplicate(1))"
    words = shlex.join([sys.executable, "-c", code])
    done = subprocess.run(
        ["sh", "-c", f"exec {words} 2>&-"], capture_output=True, env=environment(), cwd=tree.ROOT, timeout=LONG
    )
    assert int(done.stdout) > 2


def memory_of(host: Host, *, peak: bool = False) -> int:
    """Bytes of memory the server holds, or has held at most."""
    try:
        with open(f"/proc/{host.process.pid}/status") as status:
            lines = dict(line.split(":", 1) for line in status)
    except OSError:
        pytest.skip("THIS SYSTEM DOES NOT SAY HOW MUCH MEMORY A PROCESS HOLDS: nothing was measured")
    return int(lines["VmHWM" if peak else "VmRSS"].split()[0]) * 1024
