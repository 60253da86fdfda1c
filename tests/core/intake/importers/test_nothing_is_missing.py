"""Every text of a recorded conversation is in its record: the raw JSON is walked, and each string is looked up."""

import json
import re
import warnings
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import Any

import pytest

from ccos_core.intake.importers.formats import Transcript
from ccos_core.intake.importers.gemini.tools import unwrapped
from ccos_core.session.admit import admit
from ccos_core.text.sanitize import clean
from tests.core.intake.importers.foreign import RECORDINGS
from tests.core.intake.importers.test_real_hosts import READABLE

OTHERS = ("ga_claude*", "ga_codex*", "ga_example-claude*", "ga_gemini*", "gemini_vct*", "jz_gemini*", "jz_qwen*")
"""Samples of other tools' authors that have whole sessions."""
PATHS = [
    path
    for path in (*READABLE, *(path for each in OTHERS for path in sorted((RECORDINGS / "more-formats").glob(each))))
    if "trade_arena" not in path.name
]

NO_CONVERSATION = {
    "claude-code": (
        # names, settings and bookkeeping of a record
        r"^[\w-]+\.(\w*[uU]uid|sessionId|requestId|promptId|sourceToolAssistantUUID|sourceToolUseID|messageId)$",
        r"^[\w-]+\.(leafUuid|toolUseID|parentToolUseID|agentId|slug|entrypoint|effort|origin(\.kind)?)$",
        r"^[\w-]+\.(type|subtype|timestamp|version|cwd|gitBranch|userType|permissionMode|level|operation|stopReason)$",
        r"^[\w-]+\.(thinkingMetadata\.|todos\[\]\.|snapshot\.|imagePasteIds)",
        r"^[\w-]+\.message\.(id|role|model|type|stop_reason|stop_sequence|usage\.\S+)$",
        r"^[\w-]+\.message\.content\[\]\.(type|id|tool_use_id|signature|content\[\]\.type)$",
        # an error's word, beside its text
        r"^assistant\.error$",
        # the tool's own result in fields; what the agent was shown of it is the block's content
        r"^(user|record)\.(toolUseResult|mcpMeta)",
        # titles, and notes for the screen
        r"^(summary|ai-title|custom-title|last-prompt)\.",
        r"^system\.(content|hookInfos\[\]\.command|hookErrors\[\]|compactMetadata\.trigger)$",
        r"^progress\.data\.(type|command|hookName|hookEvent|statusMessage|serverName|toolName|status|agentId)$",
        r"^progress\.data\.(query|taskDescription|taskType|taskId|output|fullOutput)$",
        # a prompt in the queue, which is told when it leaves it, unless the user takes it back
        r"^queue-operation\.content$",
        # repeats the arguments of the call that started the subagent
        r"^progress\.data\.(prompt|resume)$",
    ),
    "codex": (
        r"(id|turn_id|call_id|timestamp|type|role|status|phase|process_id|window_id|hash|model|cwd|.*_id)$",
        r"encrypted_content|metadata|internal_chat_message",
        r"^session_meta\.payload\.(?!base_instructions|instructions)",
        r"^(turn_context|world_state|token_usage_record)",
        # what was left of a history stands in it again; the rest of a compaction is bookkeeping
        r"^compacted\.payload\.(?!message|replacement_history\[\]\.content)",
        # events repeat items of the conversation, or are for the screen
        r"^event_msg\.payload\.(?!message|text)",
        r"^response_item\.payload\.(name|namespace|execution|ghost_commit)",
    ),
    "opencode": (
        r"^document\.info\.",
        r"messages\[\]\.info\.",
        r"parts\[\]\.(id|type|sessionID|messageID|callID|tool|reason|snapshot|hash|files|mime|filename|url|source|metadata)",
        r"parts\[\]\.(agent|description|model|command|auto|tail_start_id)",
        # the tool's own result in fields
        r"state\.(status|title|metadata|attachments)",
    ),
    "gemini": (
        r"\.(id|type|timestamp|sessionId|projectHash|startTime|lastUpdated|kind|model|status)$",
        # what the screen shows of a call, and who makes the tool
        r"toolCalls\[\]\.(resultDisplay|description|displayName|name)|functionResponse\.(name|id)$",
    ),
    "qwen-code": (
        r"\.(uuid|parentUuid|sessionId|timestamp|type|subtype|version|cwd|gitBranch|model|role)$",
        # what the screen shows of a call; measurements and attributions of the host
        r"^tool_result\.toolCallResult|^system\.systemPayload|functionResponse\.(name|id)$",
    ),
    "swe-agent": (
        r"^document\.(environment|info|replay_config)",
        r"\.(agent|message_type|role|tags|type|id|tool_call_ids|state|name)(\b|$)",
        # what was sent before a step repeats the steps before it, in the frame of a template; the action is the call
        r"^document\.(history|trajectory)\[\]\.(messages\[\]\.|query\[\]\.)?(action|tool_calls)",
        r"^document\.trajectory\[\]\.(messages|query)",
        r"^document\.history\[\]\.content",
    ),
    "mini-swe-agent": (
        r"^document\.(trajectory_format|instance_id|info)",
        r"\.(id|tool_call_id|call_id|role|type|name|object|model|status|finish_reason|system_fingerprint|exit_status)$",
        r"extra\.(model_response|template|traceback|raw_output|interrupt_type|exception_info)",
    ),
}
"""Host → fields that are no part of the conversation, as patterns for where they stand."""

OF_SUBAGENT = re.compile(r"^progress\.data\.(message|normalizedMessages\[\])(?=\.(?!content|role))")
"""Records in the progress of the call that started a subagent: they read as any record."""
ARGUMENTS = re.compile(r"\.(input|arguments|state\.input)\.")
"""Arguments of calls, of which no field is left out."""
AS_JSON = re.compile(r"(arguments|input)$")
"""Fields with arguments as the text of an object."""


@cache
def record_of(path: Path) -> tuple[str, frozenset[str], str]:
    """(host, every text of the record, all of them in one)."""
    transcript = Transcript("s")
    texts: list[str] = []
    for observation in (*transcript.feed(path.read_bytes()), *transcript.finish()):
        admitted = admit(observation)
        texts += (value for value in admitted.op.values() if isinstance(value, str))
        for _, content in admitted.blobs:
            texts.append(content.decode())
        if "arguments" in admitted.op:
            arguments = bytes.fromhex(admitted.op["arguments"]["blob"])
            said = next(content for blob, content in admitted.blobs if blob == arguments)
            texts += (leaf for _, leaf in leaves(json.loads(said)))
    assert transcript.format is not None
    assert transcript.reader is not None
    # a call without an end is no op yet; the import says how many of them there are
    for call in transcript.reader._telling.waiting.values():
        texts += (clean(leaf)[0] for _, leaf in leaves([call.where.id, call.name, call.arguments]))
    return transcript.format.name, frozenset(texts), "\0".join(texts)


def leaves(value: Any, place: str = "") -> Iterator[tuple[str, str]]:
    """Every text of a JSON value, with where it stands. Arguments that are the text of an object are that object."""
    if isinstance(value, dict):
        for name, inner in value.items():
            yield from leaves(inner, f"{place}.{name}")
    elif isinstance(value, list):
        for inner in value:
            yield from leaves(inner, f"{place}[]")
    elif isinstance(value, str):
        if AS_JSON.search(place) and value.lstrip()[:1] in ("{", "["):
            try:
                yield from leaves(json.loads(value), f"{place}.")
            except ValueError:
                yield place, value
        else:
            yield place, value


def conversation(path: Path, host: str) -> Iterator[tuple[str, str]]:
    """Every text of the recorded conversation, with where it stands."""
    left_out = [re.compile(pattern) for pattern in NO_CONVERSATION[host]]
    for value in values(path):
        kind = value.get("type", "document") if isinstance(value, dict) else "document"
        for place, said in leaves(value, kind if isinstance(kind, str) else "document"):
            place = OF_SUBAGENT.sub("record", place)
            if ARGUMENTS.search(place) or not any(pattern.search(place) for pattern in left_out):
                yield place, unwrapped(said)


def values(path: Path) -> Iterator[Any]:
    raw = path.read_text("utf-8", "replace")
    if path.suffix != ".jsonl":
        yield json.loads(raw)
        return
    decoder = json.JSONDecoder()
    for line in raw.split("\n"):
        at = 0
        while at < len(line):
            try:
                value, at = decoder.raw_decode(line, at)
            except ValueError:
                break
            yield value


@pytest.mark.slow
@pytest.mark.parametrize("path", PATHS, ids=lambda path: path.name)
def test_no_text_of_a_conversation_is_missing(path: Path) -> None:
    host, texts, joined = record_of(path)
    missing: dict[str, list[str]] = {}
    looked_up = 0
    for place, said in conversation(path, host):
        looked_up += 1
        kept = clean(said)[0]
        if kept not in texts and kept not in joined and kept.strip() not in joined:
            missing.setdefault(place, []).append(said[:200])
    assert not missing
    assert looked_up


def test_there_are_recordings() -> None:
    if not PATHS:
        warnings.warn(f"no recordings in {RECORDINGS}: nobody looked whether texts are missing", stacklevel=1)
        pytest.skip(f"no recordings in {RECORDINGS}")
