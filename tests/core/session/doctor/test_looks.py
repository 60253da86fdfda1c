"""Each thing is made wrong, and told with what mends it; and what isn't wrong is well."""

from __future__ import annotations

import json
import os
import shlex
import sqlite3
import subprocess
import sys
from dataclasses import replace
from pathlib import Path

import pytest

from ccos_core.serve.hook import hear
from ccos_core.serve.hook_line import door, hook_command
from ccos_core.session import lifecycle
from ccos_core.session.doctor import agents, machine
from ccos_core.session.doctor.examining import LOOKS, examine
from ccos_core.session.doctor.findings import Patient
from ccos_core.session.trouble_log import note_trouble
from ccos_core.text.syntax import parse
from tests.core.session.doctor.conftest import HEARS, Ward

posix_only = pytest.mark.skipif(os.name == "nt", reason="a shell's line, or rights of files")


def mended(command: str) -> None:
    """A mend that is a command of the shell, done."""
    subprocess.run(["/bin/sh", "-c", command], check=True, timeout=60)


# ---- the machine ----


def test_the_interpreter(ward: Ward, monkeypatch: pytest.MonkeyPatch) -> None:
    assert ward.one("interpreter").state == "well"
    monkeypatch.setattr(machine, "NEEDED", ("blake3", "no_such_package"))
    finding = ward.one("interpreter")
    assert (finding.state, "no_such_package" in finding.said) == ("wrong", True)
    assert finding.mend.startswith(shlex.quote(sys.executable))
    monkeypatch.setattr(machine, "OLDEST", (99, 0))
    assert "too old" in ward.one("interpreter").said


def test_an_installation_that_needs_a_path(ward: Ward) -> None:
    program = replace(ward.patient.program, environment={"PYTHONPATH": "/x"})
    ward.patient = replace(ward.patient, program=program)
    assert [each.state for each in ward.see("interpreter")] == ["well", "note"]


def test_a_grammar_that_is_missing(ward: Ward, monkeypatch: pytest.MonkeyPatch) -> None:
    assert ward.one("grammars").state == "well"
    known = parse.machinery
    monkeypatch.setattr(parse, "machinery", lambda language: known(language) if language.name != "go" else None)
    finding = ward.one("grammars")
    assert finding.state == "wrong"
    assert "go" in finding.said
    assert "python" not in finding.said
    assert "tree-sitter-language-pack" in finding.mend


def test_a_folder_in_which_no_database_works(ward: Ward, monkeypatch: pytest.MonkeyPatch) -> None:
    assert ward.one("sqlite").state == "well"
    monkeypatch.setattr(machine, "_journal_mode", lambda folder: "delete")
    assert "no write-ahead log" in ward.one("sqlite").said

    def full(folder: str) -> str:
        raise sqlite3.OperationalError("database or disk is full")

    monkeypatch.setattr(machine, "_journal_mode", full)
    assert "disk is full" in ward.one("sqlite").said


def test_looking_at_a_state_folder_leaves_nothing_there(ward: Ward) -> None:
    folder = ward.folder / "state" / "ccos-tui"
    folder.mkdir(parents=True, mode=0o700)
    assert [each.state for each in (*ward.see("sqlite"), *ward.see("state"))] == ["well", "well"]
    assert list(folder.iterdir()) == []


def test_a_state_folder_that_is_none(ward: Ward) -> None:
    assert "empty" in ward.one("state").said
    (ward.folder / "state").mkdir()
    (ward.folder / "state" / "ccos-tui").write_text("")
    assert "isn't a folder" in ward.one("state").said


def test_a_state_folder_that_cannot_be_made(ward: Ward) -> None:
    (ward.folder / "state").write_text("")
    finding = ward.one("state")
    assert finding.state == "wrong"
    assert "can't be created" in finding.said


@posix_only
def test_a_state_folder_that_is_not_ours_to_write(ward: Ward, monkeypatch: pytest.MonkeyPatch) -> None:
    (ward.folder / "state" / "ccos-tui").mkdir(parents=True, mode=0o700)
    monkeypatch.setattr(os, "access", lambda path, mode: False)
    finding = ward.one("state")
    assert "can't be written" in finding.said
    assert finding.mend.startswith("chmod u+rwx ")


@posix_only
def test_what_others_may_read(ward: Ward) -> None:
    lifecycle.init(str(ward.workspace), str(ward.project))
    assert ward.one("state").state == "well"
    ward.workspace.chmod(0o644)
    Path(str(ward.workspace) + "-heard").write_text("x\n")
    os.chmod(str(ward.workspace) + "-heard", 0o604)
    ward.workspace.parent.chmod(0o755)
    wrong = ward.see("state")[1]
    assert (wrong.state, wrong.place) == ("wrong", str(ward.workspace.parent))
    mended(wrong.mend)
    assert ward.one("state").state == "well"
    (ward.folder / "state" / "ccos-tui").chmod(0o777)
    folder = ward.see("state")[1]
    assert "other users can write" in folder.said
    mended(folder.mend)
    assert ward.one("state").state == "well"


# ---- the agents ----


def test_an_agent_that_is_there_and_not_wired(ward: Ward) -> None:
    assert ward.see("agents") == []
    (ward.home / ".codex").mkdir()
    finding = ward.one("agents")
    assert (finding.check, finding.state, finding.mend) == ("codex", "note", "ccos-tui setup --host codex")


def test_an_agent_that_is_wired(ward: Ward) -> None:
    ward.wire("claude-code")
    ward.wire("codex", "project")
    assert [(each.check, each.state) for each in ward.see("agents")] == [
        ("claude-code", "well"),
        ("claude-code", "well"),
        ("codex", "well"),
        ("codex", "wrong"),
    ]


def test_hooks_that_codex_does_not_trust(ward: Ward) -> None:
    ward.wire("codex")
    untrusted = ward.see("agents")[-1]
    assert (untrusted.state, untrusted.place) == ("wrong", str(ward.home / ".codex" / "hooks.json"))
    assert "/hooks" in untrusted.mend
    with (ward.home / ".codex" / "config.toml").open("a") as config:
        config.write(f'\n[hooks.state."{untrusted.place}:stop:0:0"]\ntrusted_hash = "sha256:0"\n')
    assert [each.state for each in ward.see("agents")] == ["well", "well"]


@pytest.mark.parametrize("host", ["codex", "gemini", "opencode"])
def test_what_records_an_agent_is_looked_at(ward: Ward, host: str) -> None:
    """Its hooks or its plugin: wired, of another installation, started by an interpreter or a door that is gone."""
    words = (sys.executable, "-I", "-S", door())
    ward.wire(host, words=words, lines={host: hook_command(sys.executable)})
    ward.patient = replace(
        ward.patient, program=replace(ward.patient.program, words=words, lines={host: hook_command(sys.executable)})
    )
    if host == "codex":
        with (ward.home / ".codex" / "config.toml").open("a") as config:
            config.write(f'\n[hooks.state."{ward.home}/.codex/hooks.json:stop:0:0"]\ntrusted_hash = "sha256:0"\n')
    assert {each.state for each in ward.see("agents")} == {"well"}
    ward.patient = replace(
        ward.patient, program=replace(ward.patient.program, words=words[:2], lines={host: "another ccos-tui hook"})
    )
    assert [each.state for each in ward.see("agents")].count("wrong") == 1
    gone = (sys.executable, "-I", "-S", "/gone/ccos_core/serve/hook_door.py")
    ward.wire(host, words=gone, lines={host: hook_command(sys.executable).replace(door(), gone[-1])})
    assert any("hook_door.py, which is missing" in each.said for each in ward.see("agents"))


def test_an_interpreter_that_is_gone(ward: Ward) -> None:
    ward.wire("claude-code", python="/gone/python", hook="/gone/python -P -m ccos_tui hook", inject="x")
    server, hooks = ward.see("agents")
    assert {server.state, hooks.state} == {"wrong"}
    assert "/gone/python, which is missing" in server.said
    assert hooks.mend == "ccos-tui setup --host claude-code"
    ward.wire("gemini", "project", python="ccos-tui-of-old")
    assert ward.see("agents", "gemini")[0].mend == "ccos-tui setup --host gemini --project"


def test_a_door_that_is_gone(ward: Ward) -> None:
    """The interpreter of an installation may outlive it."""
    ward.wire("claude-code", hook=f"{sys.executable} -I -S '/gone for good/ccos_core/serve/hook_door.py' || exit 0")
    hooks = ward.see("agents")[1]
    assert (hooks.state, hooks.said) == (
        "wrong",
        "hooks connected to /gone for good/ccos_core/serve/hook_door.py, which is missing",
    )


def test_hooks_of_an_older_version(ward: Ward) -> None:
    ward.wire("claude-code", events=("PostToolUse",))
    hooks = ward.see("agents")[1]
    assert (hooks.state, hooks.said) == ("wrong", "hooks connected by another version")
    ward.wire("claude-code")
    assert ward.see("agents")[1].state == "well"


def test_another_installation_is_told_and_not_wrong(ward: Ward) -> None:
    ward.wire("cursor", python="/bin/sh")
    (finding,) = ward.see("agents")
    assert (finding.state, finding.said) == ("note", "MCP server connected to another installation: /bin/sh")


def test_hooks_without_a_server_and_the_other_way_round(ward: Ward) -> None:
    ward.wire("claude-code")
    (ward.home / ".claude.json").write_text("{}")
    assert [each.said for each in ward.see("agents")] == ["hooks connected", "MCP server not connected"]


def test_what_was_switched_off(ward: Ward) -> None:
    ward.wire("claude-code")
    path = ward.home / ".claude" / "settings.json"
    path.write_text(json.dumps({**json.loads(path.read_text()), "disableAllHooks": True}))
    hooks = ward.see("agents")[1]
    assert (hooks.state, "switched off" in hooks.said) == ("note", True)


@pytest.mark.parametrize(("host", "name"), [("codex", ".codex/config.toml"), ("gemini", ".gemini/settings.json")])
def test_a_configuration_that_is_not_understood(ward: Ward, host: str, name: str) -> None:
    path = ward.home / name
    path.parent.mkdir()
    path.write_text("{[=")
    finding = ward.see("agents")[0]
    assert (finding.check, finding.state, finding.place) == (host, "wrong", str(path))
    assert "can't be read" in finding.said


def test_an_agent_whose_file_is_a_server_of_others(ward: Ward) -> None:
    (ward.home / ".cursor").mkdir()
    (ward.home / ".cursor" / "mcp.json").write_text('{"mcpServers": {"x": {"command": "y"}}}')
    assert ward.one("agents").said == "is installed but not connected"
    assert agents.SCOPES == ("user", "project")


# ---- the hook ----


@posix_only
@pytest.mark.parametrize(
    ("line", "state", "said"),
    [
        (HEARS, "well", "times the start of an empty Python"),
        ("exit 3", "wrong", "ends with exit code 3"),
        ("/gone/python -m x", "wrong", "ends with exit code 127"),
        (f"{HEARS}; echo I am here", "wrong", "prints text that the agent would read: I am here"),
        (f"{HEARS}; echo oh no >&2", "wrong", "would read: oh no"),
        ("true", "wrong", "records nothing"),
        ("/bin/mkdir -p $XDG_STATE_HOME/x && echo oh > $XDG_STATE_HOME/x/troubles.log", "wrong", "records nothing"),
    ],
)
def test_the_hook_is_tried(ward: Ward, line: str, state: str, said: str) -> None:
    ward.with_hook(line)
    finding = ward.one("hook")
    assert (finding.state, said in finding.said) == (state, True), finding
    assert bool(finding.mend) == (state == "wrong")
    assert not (ward.folder / "state").exists()


@posix_only
def test_a_hook_that_takes_too_long(ward: Ward, monkeypatch: pytest.MonkeyPatch) -> None:
    ward.with_hook(HEARS)
    monkeypatch.setattr(agents, "SLOW_HOOK", 0)
    assert "busy" in ward.one("hook").mend
    monkeypatch.setattr(agents, "HOOK_TIMEOUT", 0.0)
    assert "took longer" in ward.one("hook").said


@posix_only
def test_a_hook_is_tried_where_recording_is_off(ward: Ward) -> None:
    """That it is off is told; whether the hook works is another question."""
    off = replace(ward.patient.machine, environment={**ward.patient.machine.environment, "CCOS_OFF": "1"})
    ward.patient = replace(ward.patient, machine=off)
    ward.with_hook(f'[ -z "$CCOS_OFF" ] && {HEARS}')
    assert ward.one("hook").state == "well"
    assert ward.one("recording").mend == "unset CCOS_OFF"


def test_troubles_that_were_noted(ward: Ward) -> None:
    assert ward.one("log").state == "well"
    for number in range(5):
        note_trouble(f"hook: trouble {number}")
    finding = ward.one("log")
    assert finding.state == "wrong"
    assert finding.said.startswith("5 logged")
    assert finding.said.index("trouble 4") < finding.said.index("trouble 2")
    assert "trouble 1" not in finding.said
    os.unlink(finding.place)
    assert ward.one("log").state == "well"


# ---- the server ----

ANSWERS = """read line; echo '{"jsonrpc":"2.0","id":1,"result":{"serverInfo":{"name":"ccos"}}}'"""


@posix_only
@pytest.mark.parametrize(
    ("script", "state", "said"),
    [
        (ANSWERS, "well", "started, answered and ended in"),
        (f'[ "$4" = mcp ] && {ANSWERS}', "well", "answered"),
        (f'[ -z "$CCOS_OFF" ] && [ -d "$PWD" ] && {ANSWERS}', "well", "answered"),
        ("exit 3", "wrong", "no reason given"),
        ("echo no module named ccos_tui >&2; exit 1", "wrong", "no module named ccos_tui"),
        ("echo hello", "wrong", "doesn't answer"),
        ("""echo '{"id":1,"error":{}}'""", "wrong", "doesn't answer"),
    ],
)
def test_the_server_is_tried(ward: Ward, script: str, state: str, said: str) -> None:
    python = ward.folder / "python"
    python.write_text(f"#!/bin/sh\n{script}\n")
    python.chmod(0o755)
    ward.patient = replace(ward.patient, program=replace(ward.patient.program, python=str(python)))
    finding = ward.one("server")
    assert (finding.state, said in finding.said) == (state, True), finding
    assert bool(finding.mend) == (state == "wrong")


@posix_only
def test_a_server_that_takes_too_long_or_is_gone(ward: Ward, monkeypatch: pytest.MonkeyPatch) -> None:
    python = ward.folder / "python"
    python.write_text(f"#!/bin/sh\n{ANSWERS}\n")
    python.chmod(0o755)
    ward.patient = replace(ward.patient, program=replace(ward.patient.program, python=str(python)))
    monkeypatch.setattr(agents, "SLOW_SERVER", 0)
    assert "busy" in ward.one("server").mend
    monkeypatch.setattr(agents, "SERVER_TIMEOUT", 0.0)
    assert "didn't exit" in ward.one("server").said
    python.unlink()
    assert "can't be started" in ward.one("server").said


# ---- the workspace ----


def test_a_project_of_which_nothing_is_recorded(ward: Ward) -> None:
    assert ward.one("workspace").state == "note"
    assert ward.see("recording") == []


def test_a_workspace_that_is_whole(ward: Ward) -> None:
    lifecycle.init(str(ward.workspace), str(ward.project))
    health, size = ward.see("workspace")
    assert (health.state, health.said) == ("well", "1 step, its chain is intact")
    assert size.said.startswith("record ")


def test_a_chain_that_breaks(ward: Ward, monkeypatch: pytest.MonkeyPatch) -> None:
    steps = recorded(ward, 30)
    change(ward.workspace, "UPDATE op SET body = replace(body, '7.py', '8.py') WHERE step = 9")
    finding = ward.see("workspace")[0]
    assert (finding.state, "step 9" in finding.said) == ("wrong", True)
    assert "ccos-tui verify" in finding.mend
    change(ward.workspace, "DELETE FROM op WHERE step = 9")
    finding = ward.see("workspace")[0]
    assert (finding.state, finding.said) == ("wrong", "its chain breaks at step 9")
    assert finding.mend == f"ccos-tui verify {shlex.quote(str(ward.workspace))}"
    monkeypatch.setattr(machine, "NEWEST", 10)
    assert ward.see("workspace")[0].said == f"{steps} steps, the chain of the newest 10 is intact"


def test_a_file_that_is_cut_off(ward: Ward) -> None:
    recorded(ward, 30)
    ward.workspace.write_bytes(ward.workspace.read_bytes()[:60])
    finding = ward.see("workspace")[0]
    assert finding.state == "wrong"
    assert finding.mend


def test_something_else_in_its_place(ward: Ward) -> None:
    ward.workspace.parent.mkdir(parents=True)
    ward.workspace.write_text("not a record")
    finding = ward.see("workspace")[0]
    assert (finding.state, "not a ccos workspace" in finding.said) == ("wrong", True)


@posix_only
def test_what_a_killed_process_left_half_made(ward: Ward) -> None:
    ws = Path(machine.place_of(ward.patient))
    ws.parent.mkdir(parents=True, exist_ok=True)
    lifecycle.init(str(ws), str(ward.patient.machine.project))
    with subprocess.Popen([sys.executable, "-c", ""]) as process:
        left = ws.with_name(f"{ws.name}.{process.pid}-0123abcd.new")
    left.write_text("half")
    assert not any("left over from" in each.said for each in ward.see("workspace"))  # somebody may be at it
    os.utime(left, (1, 1))
    (finding,) = [each for each in ward.see("workspace") if "left over from" in each.said]
    assert (finding.state, finding.place) == ("note", str(left))
    mended(finding.mend)
    assert not any("left over from" in each.said for each in ward.see("workspace"))


def test_a_workspace_that_is_paused(ward: Ward) -> None:
    lifecycle.init(str(ward.workspace), str(ward.project))
    lifecycle.pause(str(ward.workspace), True)
    finding = ward.see("workspace")[0]
    assert (finding.state, finding.mend) == ("note", f"ccos-tui resume {shlex.quote(str(ward.workspace))}")


def test_a_workspace_that_has_grown(ward: Ward, monkeypatch: pytest.MonkeyPatch) -> None:
    lifecycle.init(str(ward.workspace), str(ward.project))
    monkeypatch.setattr(machine, "LARGE", 10)
    size = ward.see("workspace")[-1]
    assert (size.check, size.state) == ("size", "note")
    assert "ccos-tui compact" in size.mend


def test_what_waits_for_the_next_command(ward: Ward, monkeypatch: pytest.MonkeyPatch) -> None:
    assert ward.one("spool").said == "no events waiting"
    lifecycle.init(str(ward.workspace), str(ward.project))
    heard = Path(str(ward.workspace) + "-heard")
    heard.write_text("\none\n\ntwo\n")
    Path(f"{heard}-taken").write_text("three\n")
    finding = ward.one("spool")
    assert (finding.state, finding.said[:16]) == ("well", "3 events waiting")
    monkeypatch.setattr(machine, "MANY", 2)
    assert ward.one("spool").state == "wrong"
    Path(f"{heard}-aside").write_text("torn\n")
    assert "1 event couldn't be read" in ward.see("spool")[0].said


def test_a_workspace_that_was_named_for_all(ward: Ward) -> None:
    named = ward.folder / "all.ccos"
    environment = {**ward.patient.machine.environment, "CCOS_WORKSPACE": str(named)}
    ward.patient = replace(ward.patient, machine=replace(ward.patient.machine, environment=environment))
    lifecycle.init(str(named), str(ward.project))
    Path(f"{named}-heard").write_text("one\n")
    assert ward.see("workspace")[0].place == str(named)
    assert ward.one("spool").said.startswith("1 event waiting")
    environment["CCOS_WORKSPACE"] = str(ward.project)
    assert "nothing is recorded" in ward.see("workspace")[0].said


def test_what_waits_for_a_workspace_that_was_named_by_a_link(ward: Ward) -> None:
    named, link = ward.folder / "all.ccos", ward.folder / "link.ccos"
    lifecycle.init(str(named), str(ward.project))
    link.symlink_to(named)
    environment = {**ward.patient.machine.environment, "CCOS_WORKSPACE": str(link)}
    ward.patient = replace(ward.patient, machine=replace(ward.patient.machine, environment=environment))
    hear(["--ws", str(link)], b'{"kind": "prompt", "text": "go on", "session": "s"}')
    assert ward.one("spool").said.startswith("1 event waiting")


def test_a_project_of_which_only_a_hook_has_heard(ward: Ward) -> None:
    ward.workspace.parent.mkdir(parents=True)
    Path(str(ward.workspace) + "-heard").write_text("one\n")
    assert ward.see("workspace") == []
    assert ward.one("spool").said.startswith("1 event waiting")


# ---- all of it ----


def test_a_look_that_fails_is_told_and_ends_nothing(ward: Ward, monkeypatch: pytest.MonkeyPatch) -> None:
    def broken(patient: Patient) -> None:
        raise RuntimeError("oh")

    for name in ("hook", "grammars"):
        monkeypatch.setitem(LOOKS, name, broken)  # type: ignore[arg-type]
    found = {each.check: each for each in examine(ward.patient)}
    assert "RuntimeError: oh" in found["grammars"].said
    assert found["spool"].state == "well"


def recorded(ward: Ward, files: int) -> int:
    """A workspace with something in it; gives its steps."""
    from ccos_core.session.session import open_session

    lifecycle.init(str(ward.workspace), str(ward.project))
    with open_session(str(ward.workspace)) as session:
        session.record({"kind": "gone", "path": f"src/{number}.py"} for number in range(files))
        return session.recorded.head()[0]


def change(path: Path, sql: str) -> None:
    connection = sqlite3.connect(path)
    assert connection.execute(sql).rowcount == 1
    connection.commit()
    connection.close()


def test_something_else_in_place_of_what_hooks_hear(ward: Ward) -> None:
    lifecycle.init(str(ward.workspace), str(ward.project))
    for name in ("-heard", "-heard-taken"):
        folder = ward.workspace.with_name(ward.workspace.name + name)
        folder.mkdir()
        finding = next(each for each in ward.see("spool") if each.state == "wrong")
        assert (finding.place, finding.mend.split()[0]) == (str(folder), "rm")
        folder.rmdir()
