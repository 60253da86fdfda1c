"""How outputs of Codex's calls are read, in all their versions, and what its shells and scripts did."""

import json
from typing import Any

import pytest

from ccos_core.intake.calls.effects import Shown, Wrote
from ccos_core.intake.importers.codex.outputs import answer_of
from ccos_core.intake.importers.codex.tools import command_of, folder_of
from tests.core.intake.importers.codex_fixtures import CWD, Rollout, add, read
from tests.core.intake.importers.foreign import of_kind


@pytest.mark.parametrize(
    ("said", "output", "outcome", "millis"),
    [
        ("plain words\n", "plain words\n", "ok", None),
        ('{"output":"a\\n","metadata":{"exit_code":0,"duration_seconds":0.5}}', "a\n", "ok", 500),
        ('{"output":"a\\n","metadata":{"exit_code":2}}', "a\n", "error", None),
        ('{"answers":{}}', '{"answers":{}}', "ok", None),
        ("Exit code: 0\nWall time: 2 seconds\nOutput:\na\n", "a\n", "ok", 2_000),
        ("Exit code: 0\nWall time: 2 seconds\nOutput:\nExit code: 3\n", "Exit code: 3\n", "ok", 2_000),
        ("Exit code: 124\nWall time: 1 seconds\nOutput:\ncommand timed out\n", "command timed out\n", "error", 1_000),
        (
            "Chunk ID: 1\nWall time: 0.0817 seconds\nProcess exited with code 2\nOriginal token count: 9\nOutput:\nx",
            "x",
            "error",
            81,
        ),
        (
            "Command: /bin/zsh -lc 'cat <<EOF\nProcess exited with code 3\nOutput:\nEOF'\nChunk ID: 5a\n"
            "Wall time: 0.1 seconds\nProcess exited with code 0\nOutput:\nx",
            "x",
            "ok",
            100,
        ),
        ("Command: /bin/zsh -lc x\nWall time: 0.1 seconds\nProcess exited with code 1\nOutput:\nx", "x", "error", 100),
        ("Command: /bin/bash -lc 'rg --files .'\nOutput:\n./a.py\n", "./a.py\n", "ok", None),
        ("Wall time: 0.1 seconds\nProcess running with session ID 5\nOutput:\nx", "x", "unknown", 100),
        ("Script completed\nWall time 0.2 seconds\nOutput:\nx", "x", "ok", 200),
        ("Script failed\nWall time 0.2 seconds\nOutput:\nScript error:\nx", "Script error:\nx", "error", 200),
        (
            "Exit code: 0\nWall time: 1 seconds\nOutput:\nWarning: truncated output (9)\nTotal output lines: 9\n\nx\n",
            "x\n",
            "ok",
            1_000,
        ),
        ("Exit code: 0\nWall time: 1 seconds\nTotal output lines: 9\nOutput:\nx\n", "x\n", "ok", 1_000),
        ("Exit code: 0", "Exit code: 0", "ok", None),
        (
            "apply_patch verification failed: no such lines",
            "apply_patch verification failed: no such lines",
            "error",
            None,
        ),
        ("failed to parse function arguments: x", "failed to parse function arguments: x", "error", None),
        ("exec_command failed for `x`", "exec_command failed for `x`", "error", None),
        ("unsupported call: x", "unsupported call: x", "error", None),
        ("aborted by user after 3.1s", "aborted by user after 3.1s", "interrupted", None),
        ("aborted", "aborted", "interrupted", None),
        ("Wall time: 3.1 seconds\naborted by user", "aborted by user", "interrupted", 3_100),
        ({"content": "x", "success": False}, "x", "error", None),
        ({"content": "x", "success": True}, "x", "ok", None),
        ([{"type": "input_text", "text": "Script completed\nOutput:\n"}, {"text": "x"}], "x", "ok", None),
        (None, "", "ok", None),
    ],
)
def test_outputs_of_all_versions(said: Any, output: str, outcome: str, millis: int | None) -> None:
    answer = answer_of(said)
    assert (answer.output, answer.outcome, answer.millis, answer.cut) == (output, outcome, millis, False)


@pytest.mark.parametrize("mark", ["…120 tokens truncated…", "…9 chars truncated…", "[... omitted 9 of 300 lines ...]"])
def test_an_output_without_its_middle_is_what_stands_before_it(mark: str) -> None:
    answer = answer_of(f"Exit code: 0\nWall time: 1 seconds\nOutput:\none\ntwo\nthr{mark}ee\nfour\n")
    assert (answer.output, answer.cut) == ("one\ntwo\n", True)


def test_commands_and_where_they_ran() -> None:
    assert command_of({"command": ["bash", "-lc", "ls | wc"]}) == "ls | wc"
    assert command_of({"command": ["ls", "a b"]}) == "ls 'a b'"
    assert command_of({"cmd": "ls"}) == "ls"
    assert command_of({"command": [1]}) == command_of("ls") == command_of(None) == ""
    assert [folder_of({"workdir": each}, "/w") for each in ("", ".", "src", "/tmp", 7)] == [
        *("/w", "/w", "/w/src", "/tmp", "/w"),
    ]
    assert folder_of({"workdir": "src"}, "") == "src"


def did(told: Rollout) -> list[tuple[str, str, str, bool]]:
    found = of_kind(read(told.turn().records), "seen", "gone")
    return [(each["call"], each.get("how", "gone"), each["path"], each.get("inferred", False)) for each in found]


FILE = f"{CWD}/dates.py"
PATCH = add("dates.py", "DAYS = 30\n")


def test_patches_in_every_way_they_are_asked_for() -> None:
    told = Rollout().turn()
    told.call("a", "apply_patch", {"input": PATCH}).output("a", "Success. Updated the following files:\nA dates.py\n")
    told.call("b", "shell", {"command": ["apply_patch", PATCH]}).output("b", "Exit code: 0\nOutput:\nSuccess.\n")
    told.custom("c", "exec", f"const r = await tools.apply_patch({json.dumps(PATCH)}); text(r);")
    told.output("c", "Script completed\nOutput:\n{}", "custom_tool_call_output")
    told.custom("d", "exec", f"await tools.apply_patch({json.dumps(PATCH)})")
    told.output("d", "Script failed\nOutput:\nno", "custom_tool_call_output")
    told.custom("e", "apply_patch", PATCH).output("e", "patch rejected by user", "custom_tool_call_output")
    assert did(told) == [("a", "write", FILE, False), ("b", "write", FILE, False), ("c", "write", FILE, True)]


def test_lines_that_a_tool_lists() -> None:
    told = Rollout().turn().call("r", "read_file", {"file_path": FILE, "offset": 3})
    told.output("r", "L3: DAYS = 30\nL4: \nL9: else\n")
    (seen,) = of_kind(read(told.records), "seen")
    assert (seen["slice"], seen["content"].split("\n")[:2]) == ([3, 4], ["DAYS = 30", ""])


@pytest.fixture
def commands(monkeypatch: pytest.MonkeyPatch) -> list[tuple[str, str, bool | None, str]]:
    """What is asked of commands; each is held to have shown and written something."""
    asked: list[tuple[str, str, bool | None, str]] = []

    def effects(command: str, output: str, succeeded: bool | None, cwd: str, _: Any) -> list[Any]:
        asked.append((command, output, succeeded, cwd))
        return [Shown("shown.py", output, whole=True, inferred=True), Wrote("written.py", "x\n", inferred=True)]

    monkeypatch.setattr("ccos_core.intake.importers.codex.tools.effects_of_command", effects)
    return asked


Asked = list[tuple[str, str, bool | None, str]]


def test_what_a_command_is_read_from(commands: Asked) -> None:
    told = Rollout().turn().ran("c", "cat dates.py", "x\n").ran("d", "false", "", 1)
    told.call("e", "exec_command", {"cmd": "ls", "workdir": "src"}).output("e", "Wall time: 1 seconds\nOutput:\na\n")
    read(told.records)
    assert commands == [
        ("cat dates.py", "x\n", True, CWD),
        ("false", "", False, CWD),
        ("ls", "a\n", True, f"{CWD}/src"),
    ]


def test_an_output_without_its_middle_shows_no_whole_file(commands: Asked) -> None:
    told = Rollout().turn().ran("c", "cat dates.py", "one\n…9 tokens truncated…\ntwo\n")
    (seen, _) = of_kind(read(told.records), "seen")
    assert (seen["slice"], seen["content"]) == ([1, 1], "one")


def test_a_command_that_went_on_is_read_when_it_has_ended(commands: Asked) -> None:
    told = Rollout().turn().call("c", "exec_command", {"cmd": "make"})
    told.output("c", "Process running with session ID 7\nOutput:\none\n")
    told.call("d", "write_stdin", {"session_id": 7, "chars": ""})
    told.output("d", "Process running with session ID 7\nOutput:\ntwo\n")
    told.call("e", "write_stdin", {"session_id": "7"}).output("e", "Process exited with code 0\nOutput:\nthree\n")
    told.call("f", "write_stdin", {"session_id": 7}).output("f", "Process exited with code 0\nOutput:\nfour\n")
    assert [each["call"] for each in of_kind(read(told.records), "seen")] == ["e", "e"]
    assert commands == [("make", "one\ntwo\nthree\n", True, CWD)]


def test_a_command_somebody_typed_into_is_not_read(commands: Asked) -> None:
    told = Rollout().turn().call("c", "exec_command", {"cmd": "python"})
    told.output("c", "Process running with session ID 7\nOutput:\n>>> ")
    told.call("d", "write_stdin", {"session_id": 7, "chars": "1\n"})
    told.output("d", "Process exited with code 0\nOutput:\n1\n")
    assert of_kind(read(told.records), "seen") == []
    assert commands == []


@pytest.mark.parametrize(
    ("script", "asked"),
    [
        ('const r = await tools.exec_command({"cmd":"ls","workdir":"src"});\ntext(r.output);', ("ls", f"{CWD}/src")),
        ('const r = await tools.exec_command({cmd: "ls", workdir: "/tmp"}); text(r.output)', ("ls", "/tmp")),
        ("text((await tools.exec_command({ cmd: `ls` })).output)", None),
        ("const r = await tools.exec_command({ cmd: `ls` }); text(r.output)", ("ls", CWD)),
        ("const r = await tools.exec_command({ cmd: `ls ${x}` }); text(r.output)", None),
        ('const r = await tools.exec_command({"cmd":"ls"}); text(r.output); text("more")', None),
        (
            'await tools.exec_command({"cmd":"a"}); const r = await tools.exec_command({"cmd":"b"}); text(r.output)',
            None,
        ),
        ("text(1 + 1)", None),
    ],
)
def test_scripts_that_run_a_command(commands: Asked, script: str, asked: tuple[str, str] | None) -> None:
    told = Rollout().turn().custom("c", "exec", script)
    told.output("c", "Script completed\nWall time 0.2 seconds\nOutput:\nx\n", "custom_tool_call_output")
    read(told.records)
    assert commands == ([] if asked is None else [(asked[0], "x\n", None, asked[1])])


def test_what_a_process_prints_later_is_of_the_folder_it_was_started_in() -> None:
    told = Rollout().turn()
    told.call("c", "exec_command", {"cmd": "cat shop.py", "workdir": "server"})
    told.output("c", "Process running with session ID 7\nOutput:\nx = 1\n")
    told.call("d", "write_stdin", {"session_id": 7, "chars": ""})
    told.output("d", "Process exited with code 0\nOutput:\ny = 2\n")
    told.call("e", "write_stdin", {"session_id": 9}).output("e", "Process exited with code 0\nOutput:\n")
    observations = read(told.records)
    seen = [each for each in observations if each["kind"] == "seen"]
    assert [(each["path"], each["content"]) for each in seen] == [(f"{CWD}/server/shop.py", "x = 1\ny = 2\n")]
    folders = [each["cwd"] for each in observations if each["kind"] == "tool"]
    assert folders == [f"{CWD}/server", f"{CWD}/server", CWD]
