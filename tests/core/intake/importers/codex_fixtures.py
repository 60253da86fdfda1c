"""Codex rollouts of our own, record by record, and what their observations make of a world."""

import json
from collections.abc import Iterable, Mapping, Sequence
from itertools import count
from typing import Any

from ccos_core.intake.importers.codex.reader import CodexReader
from ccos_core.intake.importers.record import Observation, Record
from ccos_core.session.admit import admit
from ccos_core.state.host import Held
from tests.core.state.small import Tale

Json = dict[str, Any]
SESSION = "0199-invoices"
CWD = "/home/ann/invoices"


class Rollout:
    """Lines of a rollout, each a millisecond after the one before."""

    def __init__(self, meta: bool = True, **more: Any) -> None:
        self.lines: list[Any] = []
        self.clock = count(1)
        if meta:
            self.line(
                "session_meta", {"id": SESSION, "cwd": CWD, "source": "cli", "originator": "codex_cli_rs", **more}
            )

    def line(self, kind: str, payload: Any) -> "Rollout":
        self.lines.append(
            {"timestamp": f"2026-01-02T03:04:05.{next(self.clock):03d}Z", "type": kind, "payload": payload}
        )
        return self

    def item(self, kind: str, **fields: Any) -> "Rollout":
        return self.line("response_item", {"type": kind, **fields})

    def event(self, kind: str, **fields: Any) -> "Rollout":
        return self.line("event_msg", {"type": kind, **fields})

    def turn(self, cwd: str = CWD, model: str = "model-one") -> "Rollout":
        return self.line("turn_context", {"cwd": cwd, "model": model, "approval_policy": "never", "summary": "auto"})

    def user(self, said: str, role: str = "user") -> "Rollout":
        return self.line("response_item", message(role, said))

    def agent(self, said: str, **more: Any) -> "Rollout":
        return self.line("response_item", {**message("assistant", said), **more})

    def call(self, call: str, name: str, arguments: Any) -> "Rollout":
        said = arguments if isinstance(arguments, str) else json.dumps(arguments)
        return self.item("function_call", name=name, arguments=said, call_id=call)

    def custom(self, call: str, name: str, said: str) -> "Rollout":
        return self.item("custom_tool_call", name=name, input=said, call_id=call, status="completed")

    def output(self, call: str, said: Any, kind: str = "function_call_output") -> "Rollout":
        return self.item(kind, call_id=call, output=said)

    def ran(self, call: str, command: str, printed: str, code: int = 0) -> "Rollout":
        """A command that was run, in the way of today's versions."""
        return self.call(call, "shell_command", {"command": command, "workdir": "."}).output(
            call, f"Exit code: {code}\nWall time: 0.1 seconds\nOutput:\n{printed}"
        )

    def patched(self, call: str, patch: str) -> "Rollout":
        done = json.dumps({"output": "Success.\n", "metadata": {"exit_code": 0, "duration_seconds": 0.25}})
        return self.custom(call, "apply_patch", patch).output(call, done, "custom_tool_call_output")

    def counted(self, window: int, total: int, cached: int = 0, written: int = 5) -> "Rollout":
        last = {"input_tokens": window, "cached_input_tokens": cached, "output_tokens": written}
        info = {"total_token_usage": {"input_tokens": total, "output_tokens": 9}, "last_token_usage": last}
        return self.event("token_count", info={**info, "model_context_window": 258_400}, rate_limits=None)

    def compacted(self, summary: str, history: Sequence[Any] | None = None) -> "Rollout":
        given = {} if history is None else {"replacement_history": list(history)}
        return self.line("compacted", {"message": summary, **given})

    @property
    def records(self) -> list[Record]:
        return [Record(number, line) for number, line in enumerate(self.lines, 1)]


def message(role: str, said: str) -> Json:
    part = "output_text" if role == "assistant" else "input_text"
    return {"type": "message", "role": role, "content": [{"type": part, "text": said}]}


def update(path: str, *places: str) -> str:
    return f"*** Begin Patch\n*** Update File: {path}\n" + "".join(f"@@\n{place}" for place in places) + "*** End Patch"


def add(path: str, text: str) -> str:
    lines = "".join(f"+{line}\n" for line in text.removesuffix("\n").split("\n"))
    return f"*** Begin Patch\n*** Add File: {path}\n{lines}*** End Patch"


def read(records: Iterable[Record], reader: CodexReader | None = None) -> list[Observation]:
    reader = reader or CodexReader("named")
    found = [told for record in records for told in reader.feed(record)]
    return [*found, *reader.finish()]


def folded(told: Iterable[Observation]) -> Tale:
    """The world after the ops of these observations, each delivery once."""
    tale, keys = Tale(), set[bytes]()
    for each in told:
        admitted = admit(each)
        if admitted.key is not None and admitted.key in keys:
            continue
        keys.update([admitted.key] if admitted.key is not None else [])
        tale.facts.contents.update({name.hex(): content.decode() for name, content in admitted.blobs})
        tale.tell(admitted.op)
    return tale


def held(tale: Tale, session: str = SESSION, context: str = "") -> Held:
    return tale.world.hosts.contexts[("codex", session, context)]


def texts_in(tale: Tale, window: Held) -> list[str]:
    """The texts of what a context holds that is no file, in the order they came in: of calls their arguments."""
    fields: Mapping[str, str] = {"call": "arguments", "result": "result", "summary": "summary"}
    found = [(fields.get(item.partition(":")[0], "said"), step) for item, (step, _) in window.said.items()]
    said = (tale.ops[step - 1].get(name) for name, step in found)
    return [tale.facts.contents[each["blob"]] for each in said if each is not None]  # a sealed thought has no words


def everything() -> Rollout:
    """A session with every kind of record that is read or known to say nothing."""
    told = Rollout(git={"branch": "main"}, cli_version="1.0")
    told.user("<permissions instructions>\nall\n</permissions instructions>", role="developer")
    told.user(f"# AGENTS.md instructions for {CWD}\n\n<INSTRUCTIONS>\nBe brief.\n</INSTRUCTIONS>")
    told.event("task_started", model_context_window=258_400).turn()
    told.user("Why is the due date wrong?").event("user_message", message="Why is the due date wrong?", images=[])
    told.item("ghost_snapshot", ghost_commit={"id": "0"}).event("agent_reasoning", text="look")
    told.item("reasoning", summary=[], encrypted_content="x").event("agent_message", message="I look.")
    told.agent("I look.", phase="commentary").counted(900, 900, cached=100)
    told.ran("c1", "cat dates.py", "DAYS = 30\n").event("exec_command_end", call_id="c1", exit_code=0)
    told.counted(900, 900, cached=100).counted(1_000, 1_900)
    told.patched("c2", update("dates.py", "-DAYS = 30\n+DAYS = 14\n")).turn(f"{CWD}/src", "model-two")
    told.call("c3", "shell", {"command": ["bash", "-lc", "pytest -q"], "workdir": CWD})
    told.output("c3", json.dumps({"output": "1 failed", "metadata": {"exit_code": 1, "duration_seconds": 1.5}}))
    told.custom("c4", "apply_patch", update("gone.py", "-x\n+y\n"))
    told.output("c4", "apply_patch verification failed: Failed to find expected lines", "custom_tool_call_output")
    told.call("c5", "update_plan", {"plan": []}).output("c5", "Plan updated")
    told.item("local_shell_call", call_id="c6", status="completed", action={"type": "exec", "command": ["ls"]})
    told.output("c6", {"content": "dates.py", "success": True})
    told.item("web_search_call", id="ws_1", status="completed", action={"type": "search", "query": "due"})
    told.item("function_call", name="find", namespace="mcp__books", arguments="not json", call_id="c7")
    told.output("c7", [{"type": "input_text", "text": "one"}, {"type": "input_image", "image_url": "data:,"}])
    told.call("c8", "exec_command", {"cmd": "make", "workdir": "/tmp"})
    told.output("c8", "Chunk ID: a1\nWall time: 1.0015 seconds\nProcess running with session ID 7\nOutput:\nbuilding\n")
    told.call("c9", "write_stdin", {"session_id": 7, "chars": ""})
    told.output("c9", "Chunk ID: a2\nWall time: 0.1 seconds\nProcess exited with code 0\nOutput:\ndone\n")
    told.agent("It is fourteen days now.", phase="final_answer").event("task_complete", turn_id="t1")
    told.line("world_state", {"full": True}).event("something_new").item("other_thing").line("whatever", {})
    told.user("Go on.").call("c10", "shell_command", {"command": "sleep 99"}).event(
        "turn_aborted", reason="interrupted"
    )
    told.event("thread_name_updated", thread_name="Due dates")
    told.compacted("What was done.", [message("user", "Go on."), message("user", "In short: What was done.")])
    told.event("context_compacted").counted(300, 4_000).user("And now?").call("c11", "shell_command", {"command": "ls"})
    return told
