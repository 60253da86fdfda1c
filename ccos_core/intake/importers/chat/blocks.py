"""Messages of typed blocks, as Anthropic's API has them, and what agents made of them."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from ccos_core.intake.importers.chat.said import CALL, PROMPT, RESULT, THOUGHT, TURN, Said
from ccos_core.intake.importers.fields import at, decoded, objects, text, word
from ccos_core.intake.importers.images import placeholder_of_block

HOST_MARKS = ("<system-reminder>", "<environment_details>", "<user_info>", "<attached_files>", "<open_and_recently")
"""How texts begin that a host wrote into the user's message."""
CALLS = ("tool_use", "toolCall", "tool-call")
RESULTS = ("tool_result", "tool-result")


def words_in(content: Any) -> str:
    """Return the words of a content: a text, or the texts of its blocks, with a line for each image."""
    if isinstance(content, str):
        return content
    found = []
    for block in objects({"blocks": content}, "blocks"):
        kind = word(block, "type")
        found.append(placeholder_of_block(block) if kind in ("image", "document") else text(block, "text"))
    return "\n".join(filter(None, found))


def prompts_in(content: Any, base: Said) -> Iterator[Said]:
    """Say what a user's message holds: results of calls, the user's own words, and what the host wrote beside them."""
    blocks = [{"type": "text", "text": content}] if isinstance(content, str) else list(objects({"": content}, ""))
    own, beside = [], []
    for block in blocks:
        if word(block, "type") in RESULTS:
            name = text(block, "tool_use_id") or text(block, "toolUseID") or text(block, "toolCallId")
            bad = at(block, "is_error") is True
            yield base._replace(
                kind=RESULT, id=name, parent=None, text=words_in(block.get("content")), outcome=_ended(bad)
            )
        elif (said := words_in([block])) and said.lstrip().startswith(HOST_MARKS):
            beside.append(said)
        elif said:
            own.append(said)
    if own:
        yield base._replace(kind=PROMPT, text="\n".join(own))
    if beside:
        name = f"{base.id}:host" if base.id else ""
        yield base._replace(kind=PROMPT, id=name, parent=None, text="\n".join(beside), source="host")


def reply_in(content: Any, base: Said) -> Iterator[Said]:
    """Say what a message of the model holds: thoughts, its words, calls."""
    blocks = [{"type": "text", "text": content}] if isinstance(content, str) else list(objects({"": content}, ""))
    calls = [block for block in blocks if word(block, "type") in CALLS]
    for place, block in enumerate(blocks):
        if word(block, "type") in ("thinking", "redacted_thinking"):
            name = f"{base.id}:thought:{place}" if base.id else ""
            words = text(block, "thinking")
            yield base._replace(kind=THOUGHT, id=name, parent=None, text=words, sealed=not words, stop="")
    words = words_in([block for block in blocks if word(block, "type") == "text"])
    yield base._replace(kind=TURN, text=words, stop=base.stop or ("tool" if calls else ""))
    for place, block in enumerate(calls):
        name = text(block, "id") or text(block, "toolCallId") or (f"{base.id}:call:{place}" if base.id else "")
        given = block.get("input") if "input" in block else block.get("arguments")
        yield base._replace(kind=CALL, id=name, parent=None, name=word(block, "name"), arguments=arguments_in(given))


def arguments_in(given: Any) -> Any:
    """Return arguments as an object where they are the text of one."""
    return decoded(given, given) if isinstance(given, str) else given


def _ended(bad: bool) -> str:
    return "error" if bad else "ok"


def functions_in(calls: Any, base: Said) -> Iterator[Said]:
    """Say the calls of a message of OpenAI's chat API."""
    for place, call in enumerate(objects({"": calls}, "")):
        function = call.get("function") if isinstance(call.get("function"), dict) else call
        name = text(call, "id") or (f"{base.id}:call:{place}" if base.id else "")
        arguments = arguments_in(at(function, "arguments"))
        yield base._replace(kind=CALL, id=name, parent=None, name=word(function, "name"), arguments=arguments)
