"""One little session, told as six agents would have written it down: a tax that is a cent too low.

The agent reads two files, runs the tests, which fail, repairs one file, and runs them again. Whoever wrote it down, an
import finds the same calls, the same failure, and the same file at the end.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from typing import Any

Value = dict[str, Any]

CWD = "/home/kim/till"
SESSION = "till-0001"
START = 1_772_355_600  # 2026-03-01 09:00:00 UTC, in seconds
MODEL = "some-model"

TAX = '''"""Taxes of a receipt, in cents."""

from till.prices import net


def tax(receipt):
    return net(receipt) * 19 // 100


def gross(receipt):
    return net(receipt) + tax(receipt)
'''
PRICES = '''"""Prices, in cents."""


def net(receipt):
    return sum(line["cents"] * line["count"] for line in receipt)
'''
OLD, NEW = "    return net(receipt) * 19 // 100", "    return (net(receipt) * 19 + 50) // 100"
TESTS = "pytest -q tests/test_tax.py"
FAILED = """\
F.                                                                       [100%]
___________________________________ test_tax ___________________________________

    def test_tax():
>       assert tax([{"cents": 199, "count": 1}]) == 38
E       AssertionError: assert 37 == 38

tests/test_tax.py:5: AssertionError
=========================== short test summary info ============================
FAILED tests/test_tax.py::test_tax - AssertionError: assert 37 == 38
1 failed, 1 passed in 0.02s
"""
PASSED = "..                                                                       [100%]\n2 passed in 0.02s\n"

ASKED = "The tax on a receipt is a cent too low. Find out why."
LOOK, REPAIR, DONE = "Let me look at the taxes.", "It is rounded down.", "It is rounded to the nearest cent now."


def claude_code() -> str:
    """A transcript of Claude Code."""
    lines: list[Value] = []

    def add(kind: str, message: Value, **more: Any) -> None:
        number = len(lines)
        named = {"uuid": f"u{number}", "parentUuid": f"u{number - 1}" if number else None, "sessionId": SESSION}
        where = {"cwd": CWD, "isSidechain": False, "version": "2.1.40", "timestamp": _moment(number)}
        lines.append({"type": kind, **named, **where, "message": message, **more})

    def call(name: str, arguments: Value, printed: str, told: Any, said: str = "", **more: Any) -> None:
        number = len(lines)
        blocks: list[Value] = [{"type": "text", "text": said}] * bool(said)
        blocks.append({"type": "tool_use", "id": f"toolu_{number}", "name": name, "input": arguments})
        usage = {"input_tokens": 5, "cache_read_input_tokens": 9_000 + 400 * number, "output_tokens": 60}
        model = {"role": "assistant", "model": MODEL, "stop_reason": "tool_use", "usage": usage}
        add("assistant", {"id": f"msg_{number}", **model, "content": blocks})
        block = {"type": "tool_result", "tool_use_id": f"toolu_{number}", "content": printed, **more}
        add("user", {"role": "user", "content": [block]}, toolUseResult=told)

    def read(path: str, text: str, said: str = "") -> None:
        file = {"filePath": f"{CWD}/{path}", "content": text, "numLines": text.count("\n") + 1, "startLine": 1}
        told = {"type": "text", "file": {**file, "totalLines": text.count("\n") + 1}}
        listed = "\n".join(f"{number:6}→{line}" for number, line in enumerate(text.split("\n"), 1))
        call("Read", {"file_path": f"{CWD}/{path}"}, listed, told, said)

    add("user", {"role": "user", "content": ASKED})
    read("till/tax.py", TAX, LOOK)
    read("till/prices.py", PRICES)
    call("Bash", {"command": TESTS}, f"Exit code 1\n{FAILED}", f"Error: Exit code 1\n{FAILED}", is_error=True)
    arguments = {"file_path": f"{CWD}/till/tax.py", "old_string": OLD, "new_string": NEW}
    told = {"filePath": f"{CWD}/till/tax.py", "oldString": OLD, "newString": NEW, "originalFile": TAX}
    call("Edit", arguments, "The file has been updated.", {**told, "structuredPatch": []}, REPAIR)
    call("Bash", {"command": TESTS}, PASSED, {"stdout": PASSED, "stderr": "", "interrupted": False})
    ended = {"id": "msg_end", "role": "assistant", "model": MODEL, "stop_reason": "end_turn"}
    add("assistant", {**ended, "content": [{"type": "text", "text": DONE}]})
    return _lines(lines)


def codex() -> str:
    """A rollout of Codex."""
    lines: list[Value] = []

    def add(kind: str, payload: Value) -> None:
        lines.append({"timestamp": _moment(len(lines)), "type": kind, "payload": payload})

    def said(role: str, text: str) -> None:
        part = "output_text" if role == "assistant" else "input_text"
        add("response_item", {"type": "message", "role": role, "content": [{"type": part, "text": text}]})

    def run(command: str, printed: str, code: int = 0) -> None:
        call = f"call_{len(lines)}"
        arguments = json.dumps({"command": command, "workdir": CWD})
        asked = {"type": "function_call", "name": "shell_command", "arguments": arguments, "call_id": call}
        add("response_item", asked)
        output = f"Exit code: {code}\nWall time: 0.2 seconds\nOutput:\n{printed}"
        add("response_item", {"type": "function_call_output", "call_id": call, "output": output})

    add("session_meta", {"id": SESSION, "timestamp": _moment(0), "cwd": CWD, "source": "cli"})
    add("turn_context", {"cwd": CWD, "model": MODEL})
    said("user", ASKED)
    said("assistant", LOOK)
    run("cat till/tax.py", TAX)
    run("cat till/prices.py", PRICES)
    run(TESTS, FAILED, 1)
    said("assistant", REPAIR)
    patch = f"*** Begin Patch\n*** Update File: till/tax.py\n@@\n-{OLD}\n+{NEW}\n*** End Patch"
    asked = {"type": "custom_tool_call", "name": "apply_patch", "input": patch, "call_id": "patch_1"}
    add("response_item", {**asked, "status": "completed"})
    done = json.dumps({"output": "Success.\n", "metadata": {"exit_code": 0, "duration_seconds": 0.1}})
    add("response_item", {"type": "custom_tool_call_output", "call_id": "patch_1", "output": done})
    run(TESTS, PASSED)
    said("assistant", DONE)
    return _lines(lines)


def mini_swe_agent() -> str:
    """A trajectory of mini-swe-agent."""
    messages: list[Value] = [{"role": "system", "content": "You have a shell."}, {"role": "user", "content": ASKED}]

    def run(said: str, command: str, printed: str, code: int = 0) -> None:
        number = len(messages)
        named = {"name": "bash", "arguments": json.dumps({"command": command})}
        calls = [{"id": f"call_{number}", "type": "function", "function": named}]
        messages.append(
            {"role": "assistant", "content": said, "tool_calls": calls, "extra": {"timestamp": START + number}}
        )
        content = f"<returncode>{code}</returncode>\n<output>\n{printed}</output>"
        extra = {"raw_output": printed, "returncode": code, "timestamp": START + number + 0.5}
        messages.append({"role": "tool", "tool_call_id": f"call_{number}", "content": content, "extra": extra})

    run(LOOK, "cat till/tax.py", TAX)
    run("And at the prices.", "cat till/prices.py", PRICES)
    run("Now the tests.", TESTS, FAILED, 1)
    run(REPAIR, f"cat <<'EOF' > till/tax.py\n{TAX.replace(OLD, NEW)}EOF", "")
    run("Once more.", TESTS, PASSED)
    messages.append({"role": "exit", "content": DONE, "extra": {"exit_status": "Submitted", "submission": DONE}})
    config = {"environment": {"cwd": CWD}, "model": {"model_name": MODEL}}
    info = {"mini_version": "2.2.7", "exit_status": "Submitted", "config": config}
    return _document({"info": info, "messages": messages, "trajectory_format": "mini-swe-agent-1.1"})


def swe_agent() -> str:
    """A trajectory of SWE-agent."""
    steps: list[Value] = []

    def step(said: str, action: str, observation: str) -> None:
        state = {"open_file": "n/a", "working_dir": CWD}
        told = {"response": f"{said}\n\n{action}", "thought": said, "execution_time": 0.25, "state": state}
        steps.append({"action": action, "observation": observation, **told})

    def view(path: str, text: str) -> str:
        listed = "\n".join(f"{number:6}\t{line}" for number, line in enumerate(text.split("\n"), 1))
        return f"Here's the result of running `cat -n` on {CWD}/{path}:\n{listed}\n"

    step(LOOK, f"str_replace_editor view {CWD}/till/tax.py", view("till/tax.py", TAX))
    step("And at the prices.", f"str_replace_editor view {CWD}/till/prices.py", view("till/prices.py", PRICES))
    step("Now the tests.", TESTS, FAILED)
    write = f"cat <<'EOF' > till/tax.py\n{TAX.replace(OLD, NEW)}EOF"
    step(REPAIR, write, "")
    step("Once more.", TESTS, PASSED)
    history = [{"role": "system", "content": "You have a shell and an editor."}, {"role": "user", "content": ASKED}]
    config = {"agent": {"model": {"name": MODEL}}, "problem_statement": {"id": SESSION}}
    info = {"exit_status": "submitted", "model_stats": {"api_calls": len(steps)}}
    told = {"environment": "main", "trajectory": steps, "history": history, "info": info}
    return _document({**told, "replay_config": json.dumps(config)})


def opencode() -> str:
    """A session exported by OpenCode."""
    messages: list[Value] = []

    def message(role: str, parts: list[Value], **more: Any) -> None:
        number = len(messages)
        time = {"created": (START + number) * 1000, "completed": (START + number) * 1000 + 500}
        info = {"id": f"msg_{number}", "sessionID": SESSION, "role": role, "time": time, **more}
        named = [
            {"id": f"prt_{number}_{place}", "messageID": f"msg_{number}", **part} for place, part in enumerate(parts)
        ]
        messages.append({"info": info, "parts": named})

    def call(said: str, tool: str, given: Value, output: str, **metadata: Any) -> None:
        number = len(messages)
        time = {"start": (START + number) * 1000, "end": (START + number) * 1000 + 200}
        state = {"status": "completed", "input": given, "output": output, "time": time, "metadata": metadata}
        cache = {"read": 9_000 + 400 * number, "write": 0}
        finish = {"type": "step-finish", "reason": "tool-calls", "tokens": {"input": 5, "output": 60, "cache": cache}}
        parts = [{"type": "text", "text": said}] * bool(said)
        parts += [{"type": "tool", "callID": f"call_{number}", "tool": tool, "state": state}, finish]
        message("assistant", [{"type": "step-start"}, *parts], modelID=MODEL, path={"cwd": CWD, "root": CWD})

    def shown(path: str, text: str) -> str:
        lines = text.splitlines()
        listed = "\n".join(f"{number}: {line}" for number, line in enumerate(lines, 1))
        end = f"(End of file - total {len(lines)} lines)"
        return f"<path>{CWD}/{path}</path>\n<type>file</type>\n<content>\n{listed}\n\n{end}\n</content>"

    message("user", [{"type": "text", "text": ASKED}])
    call(LOOK, "read", {"filePath": f"{CWD}/till/tax.py"}, shown("till/tax.py", TAX))
    call("", "read", {"filePath": f"{CWD}/till/prices.py"}, shown("till/prices.py", PRICES))
    call("", "bash", {"command": TESTS}, FAILED, exit=1)
    given = {"filePath": f"{CWD}/till/tax.py", "oldString": OLD, "newString": NEW}
    call(REPAIR, "edit", given, "Edit applied successfully.")
    call("", "bash", {"command": TESTS}, PASSED, exit=0)
    told = {"modelID": MODEL, "path": {"cwd": CWD, "root": CWD}}
    message("assistant", [{"type": "text", "text": DONE}], **told)
    time = {"created": START * 1000}
    return _document(
        {"info": {"id": SESSION, "directory": CWD, "version": "1.2.3", "time": time}, "messages": messages}
    )


def generic() -> str:
    """A transcript in our own format."""
    lines: list[Value] = []

    def say(kind: str, **fields: Any) -> None:
        lines.append({"kind": kind, "at": _moment(len(lines)), **fields})

    def call(name: str, arguments: Value, printed: str, outcome: str = "ok", **did: Any) -> None:
        call = f"c{len(lines)}"
        say("call", id=call, name=name, arguments=arguments)
        if did:
            say(did.pop("kind"), call=call, **did)
        say("result", call=call, outcome=outcome, text=printed)

    say("session", id=SESSION, agent="own-agent", cwd=CWD, model=MODEL)
    say("prompt", text=ASKED)
    say("turn", text=LOOK)
    for path, text in (("till/tax.py", TAX), ("till/prices.py", PRICES)):
        call("read", {"path": path}, text, kind="read", path=path, text=text, whole=True)
    call("shell", {"command": TESTS}, FAILED, "error")
    call("edit", {"path": "till/tax.py"}, "edited", kind="edit", path="till/tax.py", old=OLD, new=NEW)
    call("shell", {"command": TESTS}, PASSED)
    say("turn", text=DONE)
    return _lines(lines)


TRANSCRIPTS: Mapping[str, Callable[[], str]] = {
    "claude_code.jsonl": claude_code,
    "codex.jsonl": codex,
    "swe_agent.traj": swe_agent,
    "mini_swe_agent.traj.json": mini_swe_agent,
    "opencode.json": opencode,
    "generic.jsonl": generic,
}
"""File → who would have written it."""


def _moment(number: int) -> str:
    return f"2026-03-01T09:{number // 60:02}:{number % 60:02}.000Z"


def _lines(values: list[Value]) -> str:
    return "".join(json.dumps(value, ensure_ascii=False) + "\n" for value in values)


def _document(value: Value) -> str:
    return json.dumps(value, ensure_ascii=False, indent=1) + "\n"
