"""The hook as a process: it loses nothing, spoils nothing, says nothing, and ends with 0 whatever happens."""

import json
import os
import random
import re
import resource
import signal
import stat
import subprocess
import sys
import threading
import time
from pathlib import Path
from typing import Any

import pytest

from ccos_core.ops.plain import unseal
from ccos_core.serve.hook import ENDING_SIGNALS
from ccos_core.serve.hook_line import EVENTS, door, hook_command
from ccos_core.serve.mcp.tools.door import Door
from ccos_core.session.hearing import take_in, waiting
from ccos_core.session.lifecycle import init, pause
from ccos_core.session.lost_events import count_lost, lost_count
from ccos_core.session.trouble_log import read_troubles
from ccos_core.storage.locate import default_path, heard_path, lost_path, paused_path, workspace
from ccos_core.storage.opening import open_record
from ccos_core.storage.proof import prove
from ccos_tui.bridge.steps import Steps
from tests.core.serve.calling import Caller

ROOT = Path(__file__).resolve().parents[3]
SECRET = "gh" + "p_" + "a1B2c3D4e5F6g7H8i9J0k1L2m3N4o5P6q7R8"
LATE = 30
"""Seconds within which a hook ends on any machine."""
posix_only = pytest.mark.skipif(os.name == "nt", reason="signals of another kind")


@pytest.fixture
def project(shop: Path) -> Path:
    return shop


def call(project: Path, number: int = 1, **more: Any) -> dict[str, Any]:
    told = {"stdout": f"line {number}", "stderr": "", "interrupted": False}
    return {
        "session_id": "s1", "cwd": str(project), "hook_event_name": "PostToolUse", "tool_name": "Bash",
        "tool_use_id": f"t{number}", "tool_input": {"command": f"echo line {number}"}, "tool_response": told, **more,
    }  # fmt: skip


def hook(event: object, *arguments: str, **more: Any) -> subprocess.CompletedProcess[bytes]:
    raw = event if isinstance(event, bytes) else json.dumps(event).encode()
    command = [sys.executable, "-I", "-S", door(), *arguments]
    return subprocess.run(command, input=raw, capture_output=True, timeout=LATE, **more)


def is_silent(done: subprocess.CompletedProcess[bytes]) -> bool:
    return (done.returncode, done.stdout, done.stderr) == (0, b"", b"")


def ops(ws: str) -> list[dict[str, Any]]:
    with open_record(ws) as record:
        proof = prove(record)
        assert proof.valid, proof.troubles
        return [unseal(body) for _, _, body in record.rows()]


def calls(ws: str) -> list[str]:
    return [op["call"] for op in ops(ws) if op["kind"] == "tool"]


# -- what it does -----------------------------------------------------------------------------------------------------


def test_the_event_of_the_page_is_recorded(project: Path) -> None:
    """The example of docs/HOOKS.md, as an agent of its own would send it."""
    (shown,) = re.findall(r"^```json\n(.*?)^```", (ROOT / "docs" / "HOOKS.md").read_text("utf-8"), re.S | re.M)
    event = json.loads(shown)
    assert is_silent(hook({**event, "cwd": str(project)}))
    ws = workspace(str(project))
    init(ws, root=str(project))
    take_in(ws)
    (op,) = [op for op in ops(ws) if op["kind"] == "tool"]
    assert (op["name"], op["host"], op["outcome"], op["call"]) == ("shell", "my-agent", "error", "c1")


def test_it_hears_and_whoever_opens_next_takes_in(project: Path) -> None:
    assert is_silent(hook(call(project)))
    ws = workspace(str(project))
    assert ws == default_path(str(project))
    assert not os.path.exists(ws)
    assert stat.S_IMODE(os.stat(heard_path(ws)).st_mode) == 0o600
    assert waiting(ws) == 1
    taken = take_in(ws)
    assert (taken.events, taken.added, taken.waiting, taken.why) == (1, 1, 0, "")
    assert calls(ws) == ["t1"]
    assert not os.path.exists(heard_path(ws))
    with open_record(ws) as record:
        assert record.local("root") is not None


def test_the_line_of_a_configuration_runs_it(project: Path) -> None:
    command = hook_command(sys.executable, "--ws", str(project / "x y.ccos"))
    done = subprocess.run(["sh", "-c", command], input=json.dumps(call(project)).encode(), capture_output=True)
    assert is_silent(done)
    assert waiting(str(project / "x y.ccos")) == 1
    assert "PostToolUse" in EVENTS


@pytest.mark.parametrize("gone", ["python", "installation"])
def test_its_line_is_silent_where_the_installation_is_gone(project: Path, gone: str) -> None:
    command = hook_command(sys.executable).replace(sys.executable if gone == "python" else door(), "/nowhere/at/all")
    assert is_silent(subprocess.run(["sh", "-c", command], input=b"{}", capture_output=True))


def test_the_console_script_hears_too(project: Path) -> None:
    command = [sys.executable, "-m", "ccos_tui", "hook"]
    done = subprocess.run(
        command, input=json.dumps(call(project)).encode(), capture_output=True, cwd=ROOT, timeout=LATE
    )
    assert is_silent(done)
    assert waiting(default_path(str(project))) == 1


@pytest.mark.skipif(sys.platform == "win32", reason="made of links")
def test_it_finds_packages_that_only_site_knows_of(project: Path, tmp_path: Path) -> None:
    """As where they were installed from a checkout, or by a distribution with folders of its own."""
    import blake3

    home = Path(sys.base_prefix) / "bin"
    packages = tmp_path / "env" / "lib" / f"python{sys.version_info[0]}.{sys.version_info[1]}" / "site-packages"
    packages.mkdir(parents=True)
    (packages / "away.pth").write_text(f"{Path(blake3.__file__).parents[1]}\n")
    (tmp_path / "env" / "pyvenv.cfg").write_text(f"home = {home}\n")
    (tmp_path / "env" / "bin").mkdir()
    python = tmp_path / "env" / "bin" / "python"
    python.symlink_to(os.path.realpath(sys.executable))
    done = subprocess.run([python, "-I", "-S", door()], input=json.dumps(call(project)).encode(), capture_output=True)
    assert is_silent(done)
    assert waiting(default_path(str(project))) == 1


def test_it_loads_nothing_heavy(project: Path) -> None:
    code = (
        "import sys, os\nsys.argv = ['x']\nos._exit = lambda code: print('\\n' + ' '.join(sorted(sys.modules)))\n"
        f"door = {door()!r}\nexec(open(door).read(), {{'__name__': '__main__', '__file__': door}})"
    )
    command = [sys.executable, "-I", "-S", "-c", code]
    done = subprocess.run(command, input=json.dumps(call(project)).encode(), capture_output=True, timeout=LATE)
    loaded = set(done.stdout.decode().split())
    assert "ccos_core.serve.hook" in loaded, done.stderr
    assert not loaded & {"dataclasses", "inspect", "typing", "pathlib", "asyncio", "click", "sqlite3", "_sqlite3"}


# -- what it keeps to itself ------------------------------------------------------------------------------------------


def test_secrets_are_never_on_disk(project: Path, tmp_path: Path) -> None:
    (project / ".ccosignore").write_text("private/\n")
    shown = {"type": "text", "file": {"filePath": f"{project}/.env", "content": "PW=hunter2-and-more", "startLine": 1}}
    printed = {"stdout": f"export TOKEN={SECRET}\nprivate/x.py:1:not-for-you\n", "stderr": ""}
    edited = {"filePath": f"{project}/private/y.py", "oldString": "not-for-you", "originalFile": "not-for-you"}
    path = {"file_path": f"{project}/private/y.py", "old_string": "not-for-you", "new_string": "neither-for-you"}
    for event in [
        call(project, 1, tool_name="Read", tool_input={"file_path": f"{project}/.env"}, tool_response=shown),
        call(project, 2, tool_input={"command": f"curl -H 'Authorization: Bearer {SECRET}'"}, tool_response=printed),
        call(project, 3, tool_name="Edit", tool_input=path, tool_response=edited),
        call(project, 4, hook_event_name="PostToolUseFailure", error=f"Exit code 1\n{SECRET}"),
        call(project, 5, tool_input={"command": "cat .env"}, tool_response={"stdout": "PW=hunter2-and-more"}),
        {**call(project), "hook_event_name": "UserPromptSubmit", "prompt": f"use {SECRET}", "prompt_id": "p1"},
        {**call(project), "hook_event_name": "PostToolBatch", "tool_calls": [call(project, 6, tool_response=SECRET)]},
        {**call(project), "hook_event_name": f"Wild{SECRET}"},
        {"kind": "read", "session": "g", "cwd": str(project), "path": ".env", "text": "PW=hunter2-and-more"},
        {"kind": "tool", "session": "g", "cwd": str(project), "name": "sh", "arguments": {"command": "cat .env"},
         "text": "PW=hunter2-and-more", "files": [{"kind": "read", "path": ".env", "text": "PW=hunter2-and-more"}]},
        f"{SECRET} is no JSON".encode(),
    ]:  # fmt: skip
        assert is_silent(hook(event))
    ws = workspace(str(project))
    words = [SECRET.encode(), b"hunter2", b"for-you"]
    assert not [path for path in everything(tmp_path / "state") if any(word in path.read_bytes() for word in words)]
    assert waiting(ws) == 10
    assert take_in(ws).waiting == 0
    assert not [path for path in everything(tmp_path / "state") if any(word in path.read_bytes() for word in words)]
    with open_record(ws) as record:
        for (blob,) in record.ask("SELECT hash FROM blob"):
            assert not any(word in record.content(blob) for word in words)
    seen = {op["path"]: op.get("withheld") for op in ops(ws) if op["kind"] == "seen"}
    assert seen == {".env": "secret-path", "private/y.py": "ccosignore"}


def test_of_a_picture_nothing_is_kept_but_that_there_was_one(project: Path) -> None:
    told = {"type": "image", "file": {"base64": "iVBORw0KGgo" * 50_000, "type": "image/png", "originalSize": 1}}
    path = {"file_path": f"{project}/a.png"}
    assert is_silent(hook(call(project, 1, tool_name="Read", tool_input=path, tool_response=told)))
    ws = default_path(str(project))
    assert os.path.getsize(heard_path(ws)) < 1_000
    take_in(ws)
    (tool,) = [op for op in ops(ws) if op["kind"] == "tool"]
    with open_record(ws) as record:
        assert record.content(bytes.fromhex(tool["result"]["blob"])) == b"[image]"


def test_it_hears_nothing_where_that_is_switched_off(project: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    ws = default_path(str(project))
    os.makedirs(os.path.dirname(ws))
    init(ws, str(project))
    hook(call(project, 1))
    pause(ws, True)
    assert os.path.exists(paused_path(ws))
    assert is_silent(hook(call(project, 2)))
    assert waiting(ws) == 1
    assert "paused" in take_in(ws).why
    pause(ws, False)
    monkeypatch.setenv("CCOS_OFF", "1")
    assert is_silent(hook(call(project, 3)))
    assert "CCOS_OFF" in take_in(ws).why
    monkeypatch.delenv("CCOS_OFF")
    assert is_silent(hook(call(project, 4)))
    assert take_in(ws).waiting == 0
    assert calls(ws) == ["t1", "t4"]


# -- where things go wrong --------------------------------------------------------------------------------------------


@pytest.mark.parametrize("raw", [b"", b"nonsense", b"[1]", b'{"a":', b"\xff\xfe\x00", b"{" * 100_000, b"null"])
def test_garbage_is_nobodys_problem(project: Path, raw: bytes) -> None:
    assert is_silent(hook(raw, cwd=project))
    assert [trouble.said for trouble in read_troubles() if trouble.said.startswith("hook: ")]
    assert lost_count(default_path(str(project))) == bool(raw)


def test_odd_events_are_heard_all_the_same(project: Path) -> None:
    odd: list[Any] = [{}, {"hook_event_name": 7}, {"hook_event_name": "PostToolUse"}, {"kind": "wild"}, {"a": "\ud800"}]
    odd += [call(project, tool_input=3, tool_response=[1, {}], tool_name=None), {"hook_event_name": "PostToolBatch"}]
    for each in odd:
        assert is_silent(hook({"cwd": str(project), **each}))
    taken = take_in(default_path(str(project)))
    assert (taken.events, taken.aside, taken.why) == (len(odd), 0, "")


class Told:
    """A hook that is told an event bit by bit; `before` is run in its process first."""

    def __init__(self, project: Path, before: str = "") -> None:
        code = (
            f"import os, sys; sys.path[:0] = {[str(ROOT), *sys.path]!r}\n"
            f"from ccos_core.serve import hook\n{before}\n"
            "read = hook.os.read\n"
            "def told(number, size):\n    print('.', flush=True)\n    return read(number, size)\n"
            "hook.os = type('os', (), {**vars(os), 'read': told})\nhook.main([])"
        )
        self.project = project
        pipe = subprocess.PIPE
        self.process = subprocess.Popen([sys.executable, "-c", code], stdin=pipe, stdout=pipe, cwd=project)
        self.reads()

    def reads(self) -> None:
        """Wait until it waits for more."""
        assert self.process.stdout is not None
        assert self.process.stdout.readline() == b".\n"

    def say(self, raw: bytes) -> None:
        assert self.process.stdin is not None
        self.process.stdin.write(raw)
        self.process.stdin.flush()

    def ends(self) -> tuple[int, int]:
        """(events that wait, events that are lost) once it has ended, which it does well."""
        with self.process:
            if self.process.stdin is not None:
                self.process.stdin.close()
            assert self.process.wait(LATE) == 0
        ws = default_path(str(self.project))
        return waiting(ws), lost_count(ws)


@posix_only
def test_a_slow_host_or_a_busy_machine_loses_nothing(project: Path) -> None:
    """A hook used to give up 1.5 s after its start, and the event with it."""
    raw = json.dumps(call(project)).encode()
    told = Told(project)
    told.say(raw[:20])
    told.reads()
    time.sleep(1.7)
    told.say(raw[20:])
    assert told.ends() == (1, 0)


@posix_only
def test_a_stdin_nobody_closes_is_left_and_counted(project: Path) -> None:
    told = Told(project, "hook.HEARING_SECONDS = 0.2")
    told.say(b'{"a":')
    assert told.process.wait(LATE) == 0
    assert told.ends() == (0, 1)
    assert any("took longer than" in trouble.said for trouble in read_troubles())


@posix_only
@pytest.mark.parametrize("name", ENDING_SIGNALS)
def test_a_host_that_ends_a_hook_too_early_is_told_on(project: Path, name: str) -> None:
    told = Told(project)
    told.process.send_signal(getattr(signal, name))
    assert told.ends() == (0, 0)  # nothing was said, so nothing is lost
    told = Told(project)
    told.say(b'{"session_id":')
    told.reads()
    told.process.send_signal(getattr(signal, name))
    assert told.ends() == (0, 1)
    assert any("the host ended the hook" in trouble.said for trouble in read_troubles())


@posix_only
@pytest.mark.parametrize("name", ENDING_SIGNALS)
def test_what_was_read_is_recorded_before_a_hook_ends(project: Path, name: str) -> None:
    before = (
        f"import signal\nappend = hook.append\ndef slow(*words):\n    signal.raise_signal(signal.{name})\n"
        "    append(*words)\nhook.append = slow"
    )
    told = Told(project, before)
    told.say(json.dumps(call(project)).encode())
    assert told.ends() == (1, 0)


@posix_only
def test_a_cut_that_cannot_be_marked_is_no_lost_event(project: Path) -> None:
    event = {**call(project), "hook_event_name": "SessionStart", "source": "compact"}
    told = Told(project, "def full(*words):\n    raise OSError(28, 'No space left')\nhook.mark_cut = full")
    told.say(json.dumps(event).encode())
    assert told.ends() == (1, 0)


@pytest.mark.parametrize(
    "raw", ['{"cwd": %s, "tool', '{"a": [1, {"cwd" :%s}, ', '{"a": 1}, "cwd":%s', "[" * 9_000 + '"cwd":%s']
)
def test_a_lost_event_counts_for_the_project_it_names(project: Path, tmp_path: Path, raw: str) -> None:
    assert is_silent(hook((raw % json.dumps(str(project))).encode(), cwd=tmp_path))
    assert lost_count(default_path(str(project))) == 1


def test_lost_events_are_counted_one_by_one(project: Path) -> None:
    ws = default_path(str(project))
    threads = [threading.Thread(target=lambda: [count_lost(ws, "why") for _ in range(20)]) for _ in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert lost_count(ws) == 160
    os.unlink(lost_path(ws))
    assert lost_count(ws) == 0
    os.mkfifo(lost_path(ws))  # a pipe in its place keeps nobody waiting
    count_lost(ws, "why")
    assert lost_count(ws) == 0


def test_who_opens_a_workspace_hears_that_events_were_lost(project: Path, run: Caller) -> None:
    ws = default_path(str(project))
    hook(call(project))
    assert not run("log", ws).err
    hook(b'{"cut off', cwd=project)
    assert "1 hook event was lost" in run("log", ws).err
    hook(b'{"cut off', cwd=project)
    assert "2 hook events were lost" in run("stats", ws).err
    assert lost_path(ws) in run("stats", ws).err
    door = Door(ws, str(project))
    assert [each for each in door.notes() if "2 hook events" in each]
    assert not [each for each in door.notes() if "lost" in each]  # an agent is told once
    door.close()
    steps = Steps(ws)
    assert steps.notice is not None
    assert "2 hook events" in steps.notice[1]
    steps.close()


@pytest.mark.skipif(os.geteuid() == 0, reason="who may do everything is kept out of nowhere")
def test_a_home_nobody_may_write_to(project: Path, tmp_path: Path) -> None:
    (tmp_path / "state").mkdir(mode=0o500)
    assert is_silent(hook(call(project)))


def test_a_home_that_is_a_file(project: Path, tmp_path: Path) -> None:
    (tmp_path / "state").write_text("")
    assert is_silent(hook(call(project)))


def test_a_full_disk(project: Path) -> None:
    assert is_silent(hook(call(project, 1)))
    size = os.path.getsize(heard_path(default_path(str(project)))) + 100

    def small() -> None:
        signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
        resource.setrlimit(resource.RLIMIT_FSIZE, (size, size))

    assert is_silent(hook(call(project, 2), preexec_fn=small))
    assert [trouble for trouble in read_troubles() if "OSError" in trouble.said]
    assert lost_count(default_path(str(project))) == 1
    assert is_silent(hook(call(project, 3)))
    taken = take_in(default_path(str(project)))
    assert (taken.events, taken.aside, taken.why) == (2, 1, "")
    assert calls(default_path(str(project))) == ["t1", "t3"]


def test_a_workspace_in_any_state_is_none_of_its_business(project: Path) -> None:
    ws = project / "work.ccos"
    for content in (b"", b"no workspace", b"SQLite format 3\0" + b"x" * 5_000):
        ws.write_bytes(content)
        assert is_silent(hook(call(project), "--ws", str(ws)))
        taken = take_in(str(ws))
        assert taken.why
        assert taken.waiting >= 1
    ws.unlink()
    assert take_in(str(ws)).added == 1


def test_what_nobody_can_read_is_set_aside(project: Path) -> None:
    ws = default_path(str(project))
    hook(call(project, 1))
    with open(heard_path(ws), "ab") as file:
        file.write(b"half a li")
    hook(call(project, 2))
    with open(heard_path(ws), "ab") as file:
        file.write(b"\xff\xfe\nfull of wonders\n" + b"0" * 16 + b" {}\n")
    taken = take_in(ws)
    assert (taken.events, taken.aside, taken.why) == (2, 4, "")
    assert calls(ws) == ["t1", "t2"]
    assert Path(heard_path(ws) + "-aside").read_bytes().splitlines()[0] == b"half a li"
    assert any("set aside" in trouble.said for trouble in read_troubles())


# -- many at once, and some that die ----------------------------------------------------------------------------------


def test_many_hooks_at_once_lose_nothing_while_others_take_in(project: Path) -> None:
    ws = default_path(str(project))
    command = [sys.executable, "-I", "-S", "-c", PATIENT]
    hooks = []
    for number in range(64):
        process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.DEVNULL)
        assert process.stdin is not None
        process.stdin.write(json.dumps(call(project, number)).encode())
        process.stdin.close()
        hooks.append(process)
        if number % 8 == 7:
            assert take_in(ws).aside == 0
    takers = [subprocess.Popen([sys.executable, "-c", TAKER, ws], cwd=ROOT) for _ in range(3)]
    assert [process.wait(LATE) for process in [*hooks, *takers]] == [0] * 67
    assert take_in(ws).waiting == 0
    assert sorted(calls(ws)) == sorted(f"t{number}" for number in range(64))


PATIENT = f"""
door = {door()!r}
exec(open(door).read(), {{'__name__': 'door', '__file__': door}})
from ccos_core.serve import hook
hook.SECONDS = {LATE}
hook.main([])
"""
"""A hook that doesn't give up where sixty others keep the machine busy."""
TAKER = """
import sys
from ccos_core.session.hearing import take_in
taken = take_in(sys.argv[1])
assert not taken.why, taken.why
"""


def test_hooks_that_are_killed_spoil_nothing(project: Path) -> None:
    ws = default_path(str(project))
    dice = random.Random(7)
    told = {"stdout": "word " * 20_000, "stderr": ""}
    ended = set()
    for number in range(30):
        process = subprocess.Popen([sys.executable, "-I", "-S", door()], stdin=subprocess.PIPE)
        assert process.stdin is not None
        process.stdin.write(json.dumps(call(project, number, tool_response=told)).encode())
        process.stdin.close()
        time.sleep(dice.random() * 0.08)
        process.kill()
        if process.wait(LATE) == 0:
            ended.add(f"t{number}")
    hook(call(project, 99))
    taken = take_in(ws)
    assert not taken.why
    assert ended | {"t99"} <= set(calls(ws))


def test_takers_that_are_killed_lose_nothing(project: Path) -> None:
    ws = default_path(str(project))
    dice = random.Random(11)
    for number in range(60):
        hook_in_process(call(project, number))
    for turn in range(10):
        process = subprocess.Popen([sys.executable, "-c", TAKER, ws], cwd=ROOT)
        time.sleep(0.1 + dice.random() * 0.3)
        process.kill()
        process.wait(LATE)
        hook_in_process(call(project, 100 + turn))
    assert not take_in(ws).why
    assert sorted(calls(ws)) == sorted(f"t{number}" for number in [*range(60), *range(100, 110)])


def hook_in_process(event: dict[str, Any]) -> None:
    from ccos_core.serve.hook import hear

    hear([], json.dumps(event).encode())


def everything(folder: Path) -> list[Path]:
    return [path for path in folder.rglob("*") if path.is_file()]
