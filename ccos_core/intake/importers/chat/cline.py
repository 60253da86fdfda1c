"""Cline and Roo Code: the history of a task as it was sent to the model, one list of messages.

Calls are blocks, or stand in the text as tags; then their results follow in the next message, behind `[TOOL] Result:`.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator

from ccos_core.intake.importers.chat.blocks import prompts_in, reply_in, words_in
from ccos_core.intake.importers.chat.reader import chat_format
from ccos_core.intake.importers.chat.said import CALL, HEAD, PROMPT, RESULT, TURN, UNKNOWN, Said
from ccos_core.intake.importers.fields import at, millis, objects, word
from ccos_core.intake.importers.record import Record

TOOLS = (
    "execute_command|read_file|write_to_file|replace_in_file|apply_diff|insert_content|search_files|list_files"
    "|list_code_definition_names|browser_action|use_mcp_tool|access_mcp_resource|ask_followup_question"
    "|attempt_completion|new_task|switch_mode|search_and_replace|plan_mode_respond"
)
TAGGED = re.compile(rf"<({TOOLS})>\n?(.*?)\n?</\1>", re.DOTALL)
ARGUMENT = re.compile(r"<(\w+)>\n?(.*?)\n?</\1>", re.DOTALL)
RESULT_HEAD = re.compile(rf"\[({TOOLS})(?: for '[^\n]*')?\] Result:\s*", re.DOTALL)
ASKED = re.compile(
    r"<(?:task|feedback|user_message|answer)>\n?(.*?)\n?</(?:task|feedback|user_message|answer)>", re.DOTALL
)
DETAILS = "<environment_details>"
FOLDER = re.compile(r"^# Current (?:Working|Workspace) Directory \(([^)\n]+)\)", re.MULTILINE)


def looks(records: Iterable[Record]) -> bool:
    """Whether the first message is a task, with what the host says of its surroundings."""
    first = next((record.value for record in records if isinstance(record.value, dict)), None)
    words = words_in(at(first, "content"))
    return word(first, "role") == "user" and ("<task>" in words or DETAILS in words)


def said_in(record: Record) -> Iterator[Said]:
    """Say what a message tells."""
    value = record.value
    role, content = word(value, "role"), at(value, "content")
    base = Said(role, at=millis(at(value, "ts")))
    if role == "user":
        folder = FOLDER.search(words_in(content))
        if folder is not None:
            yield Said(HEAD, cwd=folder[1])
        yield from _asked(content, base)
    elif role == "assistant":
        for said in reply_in(content, base):
            yield said
            if said.kind == TURN:
                yield from _tagged(said.text, base)
    else:
        yield base._replace(kind=UNKNOWN, name=f"role {role}" if role else "no role")


def _tagged(words: str, base: Said) -> Iterator[Said]:
    for call in TAGGED.finditer(words):
        given = dict(ARGUMENT.findall(call[2]))
        yield base._replace(kind=CALL, name=call[1], arguments=given)


def _asked(content: object, base: Said) -> Iterator[Said]:
    """The user's words stand in tags; a result begins with its tool's name, and goes on in the blocks behind it."""
    blocks = [{"type": "text", "text": content}] if isinstance(content, str) else list(objects({"": content}, ""))
    result: list[str] | None = None
    for block in [*blocks, {"type": "text", "text": DETAILS}]:
        words = words_in([block])
        head = RESULT_HEAD.match(words)
        ends = head is not None or words.startswith(DETAILS) or ASKED.match(words) or word(block, "type") != "text"
        if result is not None and ends:
            shown = "\n".join(filter(None, result))
            yield base._replace(kind=RESULT, text=shown, outcome="error" if "<error>" in shown else "ok")
            result = None
        if head is not None:
            result = [words[head.end() :]]
        elif result is not None:
            result.append(words)
        elif words != DETAILS:
            for said in prompts_in([block], base):
                asked = ASKED.search(said.text) if said.kind == PROMPT else None
                yield said if asked is None else said._replace(text=asked[1])


FORMAT = chat_format("cline", "Cline, Roo Code", looks, said_in, bare_reads=True)
