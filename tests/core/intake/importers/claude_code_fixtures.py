"""Transcripts of Claude Code that we write: one builder for each kind of record, and a session that has them all."""

from collections.abc import Iterable
from typing import Any

from ccos_core.intake.importers.claude_code.reader import FORMAT
from ccos_core.intake.importers.record import Observation, Record
from tests.core.intake.importers.foreign import told

Value = dict[str, Any]

SESSION = "5e55-0001"
CWD = "/home/kim/shop"
SHOP = "def total(rows):\n    return sum(rows)\n\n\ndef tax(rows):\n    return total(rows) // 5\n"
"""`shop.py`, six lines and the end of the last one."""


class Talk:
    """A transcript in the making: each record gets an id and names the one before it."""

    def __init__(self, session: str = SESSION, **always: Any) -> None:
        self.values: list[Value] = []
        self.always = {"sessionId": session, "cwd": CWD, "isSidechain": False, "version": "2.1.40", **always}
        self.last: str | None = None

    def add(self, kind: str, /, **given: Any) -> Value:
        """A record of the conversation."""
        uuid = given.pop("uuid", f"{self.always['sessionId']}/{len(self.values)}")
        seconds = len(self.values)
        stamp = f"2026-03-01T10:{seconds // 60:02}:{seconds % 60:02}.250Z"
        value = {"parentUuid": self.last, "type": kind, "uuid": uuid, "timestamp": stamp, **self.always, **given}
        self.values.append(value)
        self.last = uuid
        return value

    def note(self, value: Value) -> Value:
        """A record that stands beside the conversation."""
        self.values.append(value)
        return value

    # -- what people and models say -------------------------------------------------------------------------------

    def prompt(self, words: Any, **more: Any) -> Value:
        return self.add("user", message={"role": "user", "content": words}, **more)

    def says(self, *blocks: Value, message: str = "msg_1", window: int = 1_000, **more: Any) -> Value:
        """One record of a message of the model."""
        usage = {"input_tokens": 3, "cache_read_input_tokens": window - 103, "cache_creation_input_tokens": 100}
        told = {"id": message, "role": "assistant", "model": "claude-opus-4-6", "content": list(blocks)}
        stop = more.pop("stop_reason", None)
        told |= {"usage": {**usage, "output_tokens": more.pop("written", 1)}, "stop_reason": stop}
        return self.add("assistant", **{"message": told, "requestId": "req_" + message, **more})

    def result(self, call: str, printed: Any, told: Any = None, **more: Any) -> Value:
        """The end of a call; `told` is the tool's own result in fields."""
        error = {"is_error": True} if more.pop("is_error", False) else {}
        block = {"type": "tool_result", "tool_use_id": call, "content": printed, **error}
        return self.prompt([block], **({} if told is None else {"toolUseResult": told}), **more)

    def call(self, call: str, name: str, arguments: Any, printed: Any = "done", told: Any = None, **more: Any) -> None:
        """A call and its end."""
        self.says(use(call, name, arguments), message="msg_" + call)
        self.result(call, printed, told, **more)

    # -- what the host does ---------------------------------------------------------------------------------------

    def attach(self, kind: str, /, **fields: Any) -> Value:
        return self.add("attachment", attachment={"type": kind, **fields})

    def system(self, subtype: str, /, **fields: Any) -> Value:
        return self.add("system", subtype=subtype, **fields)

    def compact(self, summary: str | None = "What happened so far.", before: int = 160_000, **metadata: Any) -> Value:
        """A boundary, and its summary."""
        told = {"trigger": "auto", "preTokens": before, **metadata}
        boundary = self.system("compact_boundary", content="Conversation compacted", compactMetadata=told)
        if summary is not None:
            self.prompt(summary, isCompactSummary=True, isVisibleInTranscriptOnly=True)
        return boundary

    def queue(self, operation: str, **fields: Any) -> Value:
        stamp = f"2026-03-01T11:00:{len(self.values):02}Z"
        told = {"type": "queue-operation", "operation": operation, "sessionId": self.always["sessionId"], **fields}
        return self.note({"timestamp": stamp, **told})

    def progress(self, agent: str, message: Value, kind: str) -> Value:
        """A record of a subagent's conversation, told by the call that started it."""
        inner = {"type": kind, "uuid": f"inner-{len(self.values)}", "message": message}
        inner["timestamp"] = "2026-03-01T12:00:00Z"
        return self.add("progress", data={"type": "agent_progress", "agentId": agent, "message": inner, "prompt": "go"})

    # -- reading it -----------------------------------------------------------------------------------------------

    def records(self) -> list[Record]:
        return [Record(line, value) for line, value in enumerate(self.values, 1)]

    def told(self) -> list[Observation]:
        return observed(self.records())


def observed(records: Iterable[Record]) -> list[Observation]:
    """What a new reader says of records."""
    return told(FORMAT, records)


def text(words: str) -> Value:
    return {"type": "text", "text": words}


def thinking(words: str) -> Value:
    return {"type": "thinking", "thinking": words, "signature": "c2ln"}


def use(call: str, name: str, arguments: Any) -> Value:
    return {"type": "tool_use", "id": call, "name": name, "input": arguments}


def listed(content: str, first: int = 1, mark: str = "→") -> str:
    """A file as the agent sees it."""
    return "\n".join(f"{number:6}{mark}{line}" for number, line in enumerate(content.split("\n"), first))


def read_of(path: str, content: str, first: int = 1, total: int | None = None) -> Value:
    """A read's own result."""
    lines = content.count("\n") + 1
    file = {"filePath": path, "content": content, "numLines": lines, "startLine": first}
    return {"type": "text", "file": {**file, "totalLines": lines if total is None else total}}


def edit_of(path: str, before: str | None, old: str, new: str, everywhere: bool = False) -> Value:
    """An edit's own result."""
    told = {"filePath": path, "oldString": old, "newString": new, "originalFile": before, "replaceAll": everywhere}
    return {**told, "userModified": False, "structuredPatch": []}


def everything() -> Talk:
    """A session with every kind of record that says something, and some that don't."""
    talk, path = Talk(), f"{CWD}/shop.py"
    talk.note({"type": "summary", "summary": "Taxes of a shop", "leafUuid": "elsewhere"})
    talk.note({"type": "file-history-snapshot", "messageId": "m", "snapshot": {}, "isSnapshotUpdate": False})
    talk.system("local_command", content="<command-name>/ide</command-name>")
    talk.attach("nested_memory", path=f"{CWD}/CLAUDE.md", content={"path": f"{CWD}/CLAUDE.md", "content": "Be kind.\n"})
    talk.prompt("Why is the tax wrong?")
    talk.says(thinking("Look at it."), window=9_000)
    talk.says(text("I will look."), window=9_000)
    talk.says(use("t1", "Read", {"file_path": path}), window=9_000, stop_reason="tool_use", written=40)
    talk.result("t1", listed(SHOP), read_of(path, SHOP))
    talk.says(use("t2", "Bash", {"command": "pytest -q"}), message="msg_2", window=9_500)
    talk.says(use("t3", "Grep", {"pattern": "tax", "output_mode": "content", "path": CWD}), message="msg_2")
    talk.result("t2", "Exit code 1\n1 failed", "Error: Exit code 1\n1 failed", is_error=True)
    talk.result("t3", "shop.py:5:def tax(rows):", {"mode": "content", "content": "shop.py:5:def tax(rows):"})
    talk.queue("enqueue", content="mind the cents")
    talk.queue("remove")
    old, new = "total(rows) // 5", "total(rows) // 4"
    told = edit_of(path, SHOP, old, new)
    talk.call("t4", "Edit", {"file_path": path, "old_string": old, "new_string": new}, "updated", told)
    talk.says(use("t5", "Task", {"prompt": "Find the callers", "subagent_type": "Explore"}), message="msg_5")
    talk.progress("a1b2", {"role": "user", "content": [text("Find the callers")]}, "user")
    inner = use("s1", "Read", {"file_path": path, "offset": 5, "limit": 2})
    told = {"id": "msg_s1", "model": "claude-haiku-4-5", "role": "assistant", "content": [inner]}
    talk.progress("a1b2", {**told, "usage": {"input_tokens": 700}}, "assistant")
    shown = {"type": "tool_result", "tool_use_id": "s1", "content": listed("def tax(rows):\n    return 0", 5)}
    talk.progress("a1b2", {"role": "user", "content": [shown]}, "user")
    talk.result("t5", [text("Nobody calls it.")], {"agentId": "a1b2", "totalDurationMs": 812})
    talk.compact(postTokens=12_000)
    talk.attach("file", filename=path, content={"type": "text", "file": read_of(path, SHOP)["file"]})
    talk.attach("edited_text_file", filename=path, snippet=listed("def tax(rows):\n    return 1", 5))
    talk.says(text("And again."), use("t6", "Bash", {"command": "sleep 100"}), message="msg_6", window=13_000)
    talk.prompt([text("[Request interrupted by user for tool use]")])
    talk.prompt("<command-name>/clear</command-name>\n<command-message>clear</command-message>")
    talk.says(text("API Error: 529"), message="x", isApiErrorMessage=True)
    talk.note({"type": "ai-title", "aiTitle": "The tax of the shop"})
    talk.note({"type": "last-prompt", "lastPrompt": "Why is the tax wrong?"})
    return talk
