"""Claude Code's transcripts: one record a line, each a message, a part of one, or something the program notes.

A message of the model is spread over as many records as it has blocks; results come back as records of the user. A
subagent's conversation has a context of its own, whether its records stand here, in a file of its own, or only in the
progress of the call that started it. Records that were copied from another session are known by their id.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import replace
from typing import Any

from ccos_core.intake.importers.claude_code.attachments import (
    BOUNDARIES,
    CLEAR,
    INTERRUPTED,
    KINDS_OF_WORDS,
    PLAIN_STOPS,
    SILENT,
    SILENT_NOTES,
    STOPS,
    SYNTHETIC,
    THINKING,
    TITLES,
    TYPICAL,
    UNSPOKEN,
    WRAPPERS,
    Queue,
    brought,
)
from ccos_core.intake.importers.claude_code.compactions import Compactions, Stream
from ccos_core.intake.importers.claude_code.replies import Progress, is_host_refusal, reply_of
from ccos_core.intake.importers.claude_code.tools import Fields, Use, blocks, effects_of, fields, said
from ccos_core.intake.importers.fields import micro_dollars, millis, number, objects, text
from ccos_core.intake.importers.record import Format, Observation, Record
from ccos_core.intake.importers.telling import Call, Telling, TellingReader, Where

HOST = "claude-code"
QUEUED = "queued"
"""The channel of words that the user typed while the agent worked."""
COMMAND, TYPED = "command", ("user", "system")
"""A slash command is one only in these records, which hold what a person typed. Others may quote one."""
EARLY, MOST_EARLY = "result without a call", 32
"""Of calls that are made at once the host may write a result before the call; so many wait for theirs."""


class ClaudeCode(TellingReader):
    """Reads one transcript."""

    def __init__(self, session: str) -> None:
        super().__init__(session, Telling(HOST))
        self._called = session
        self._named = False
        """Whether the transcript has said what its session is called."""
        self._compactions = Compactions(self._telling)
        self._seen: set[str] = set()
        """Records, by their id."""
        self._prompts: set[str] = set()
        """Prompts, by what the host calls them."""
        self._written: dict[str, int] = {}
        """Message whose usage was told → the tokens it wrote, as far as they were told."""
        self._ended: set[str] = set()
        """Calls that have their end."""
        self._early: dict[tuple[str, str], tuple[Where, Fields, Fields, Any]] = {}
        """(session, call) → a result whose call hasn't been read."""
        self._speaking: dict[Stream, str] = {}
        """The message a conversation came to last."""
        self._roots: dict[str, str] = {}
        """Records of subagents that aren't named → the first record of their conversation."""
        self._resumed: dict[str, None] = {}
        """Sessions that were resumed and in which nothing else was read since."""
        self._queues: dict[str, Queue] = {}
        """By session."""
        self._progressed = Progress()

    def feed(self, record: Record) -> Iterator[Observation]:
        """What becomes certain with this record."""
        self.tally.records += 1
        value = record.value
        if not isinstance(value, dict):
            self.tally.note("not an object", record.line)
            return
        kind = text(value, "type")
        if kind in TITLES:
            self.origin.title = text(value.get(TITLES[kind])) or self.origin.title
        way = _WAYS.get(kind)
        if way is None:
            if kind not in SILENT and kind not in TITLES:
                self.tally.note(kind or "no type", record.line)
            return
        if self._is_new(value):
            if kind in ("user", "assistant") and "content" not in fields(value.get("message")):
                self.tally.note(f"{kind} without a message", record.line)
            where = self._where(value, record.line)
            yield from self._resumption(where, value)
            yield from way(self, value, where)

    # -- one way per kind of record -------------------------------------------------------------------------------

    def _user(self, value: Fields, where: Where) -> Iterator[Observation]:
        content = fields(value.get("message")).get("content")
        parent = text(value, "parentUuid")
        if value.get("isCompactSummary") is True or self._compactions.expects(where, parent, said(content)):
            yield from self._cut_short(where, "unknown")  # which were in what the summary stands for
            yield from self._compactions.summary(where, text(value, "uuid"), said(content))
            return
        if value.get("isVisibleInTranscriptOnly") is True or value.get("isVirtual") is True:
            return
        yield from self._compactions.settled(where)
        results = [block for block in blocks(content) if text(block, "type").endswith("tool_result")]
        told = value.get("toolUseResult", value.get("tool_use_result")) if len(results) == 1 else None
        for block in results:
            yield from self._result(where, value, block, told)
        words = said(content)
        if words.startswith(INTERRUPTED):
            yield from self._cut_short(where, "interrupted")
        if CLEAR in words and _wraps(words):
            yield from self._compactions.cleared(where)
        yield from self._prompt(where, value, words, source_of(value, where, words))

    def _assistant(self, value: Fields, where: Where) -> Iterator[Observation]:
        yield from self._compactions.settled(where)
        message = fields(value.get("message"))
        model = text(message, "model")
        by_model = model != SYNTHETIC and value.get("isApiErrorMessage") is not True
        if by_model:
            yield from self._moved_on(where, text(message, "id"))
            yield from self._usage(where, value, message)
            self.origin.uses(model)
        content = list(blocks(message.get("content")))
        words, thoughts = said(content), 0
        for block in content:
            kind = text(block, "type")
            if kind in THINKING:
                yield from self._telling.thought(where, text(block, "thinking"), number=thoughts)
                if not thoughts:
                    self._compactions.delivered(where, text(value, "uuid"))
                thoughts += 1
            elif words and said(block):
                yield from self._turn(where, value, words, by_model)
                words = ""
            yield from self._spoken(where, value, block)

    def _system(self, value: Fields, where: Where) -> Iterator[Observation]:
        kind = text(value, "subtype")
        metadata = value.get("compactMetadata", value.get("compact_metadata"))
        if kind == "compact_boundary":
            yield from self._compactions.boundary(where, fields(metadata))
        elif kind == "microcompact_boundary":
            yield from self._compactions.thinned(where, fields(value.get("microcompactMetadata")))
        elif kind == "local_command":
            yield from self._compactions.settled(where)
            words = text(value, "content")
            if CLEAR in words and _wraps(words):
                yield from self._compactions.cleared(where)
            yield from self._prompt(where, value, words, "host")
        elif kind not in SILENT_NOTES:
            self.tally.note(f"system/{kind}", where.line)

    def _attachment(self, value: Fields, where: Where) -> Iterator[Observation]:
        attachment = fields(value.get("attachment"))
        found = brought(attachment)
        if found is None:
            self.tally.note(f"attachment/{text(attachment.get('type'))}", where.line)
            return
        if not found.files and not found.words:
            return
        yield from self._compactions.settled(where)
        is_prompt = attachment.get("type") == "queued_command"
        if is_prompt and self._queue_of(where).is_told(found.words):
            return
        yield from self._telling.brought(where, found.files)
        source = source_of(attachment, where, found.words) if is_prompt else "host"
        yield from self._prompt(where, value, found.words, source, QUEUED if is_prompt else "")
        if found.files:
            self._compactions.delivered(where, text(value, "uuid"))

    def _progress(self, value: Fields, where: Where) -> Iterator[Observation]:
        """What a subagent did, told by the call that started it. Some versions repeat all it did so far, in which alone
        its texts stand."""
        self._progressed.read(value)
        data = fields(value.get("data"))
        if data.get("type") == "agent_progress" and (agent := text(data, "agentId")):
            for inner in objects(data, "normalizedMessages"):
                if text(inner, "uuid") and text(inner, "uuid") not in self._seen:
                    yield from self._of_subagent(value, where, inner, agent)
            yield from self._of_subagent(value, where, fields(data.get("message")), agent)

    def _of_subagent(self, value: Fields, where: Where, inner: Fields, agent: str) -> Iterator[Observation]:
        kind = text(inner, "type")
        if kind not in ("user", "assistant"):
            return
        told = {**inner, "isSidechain": True, "agentId": agent}
        for name in ("sessionId", "cwd"):
            told.setdefault(name, value.get(name))
        if self._is_new(told):
            way = self._user if kind == "user" else self._assistant
            yield from way(told, self._where(told, where.line))

    def _queue(self, value: Fields, where: Where) -> Iterator[Observation]:
        told = self._queue_of(where).read(value)
        if told is not None:
            yield from self._compactions.settled(where)
            where = replace(where, id=f"queued:{told.came}") if told.came else where
            yield from self._prompt(where, {}, told.words, source_of(told.value, where, told.words), QUEUED)

    def _message(self, value: Fields, where: Where) -> Iterator[Observation]:
        """A line of an export that only has what was said."""
        words = said(value.get("text", value.get("content")))
        if value.get("role") == "user":
            yield from self._prompt(where, value, words, source_of(value, where, words))
        elif value.get("role") == "assistant" and words:
            yield from self._telling.turn(where, words)

    def _resumption(self, where: Where, value: Fields) -> Iterator[Observation]:
        """A hook that ran as the session was resumed, in a record of its own; several hooks tell it once."""
        told = fields(value.get("attachment", value.get("data")))
        if text(told, "hookName") == "SessionStart:resume":
            if where.session not in self._resumed:
                self._resumed[where.session] = None
                yield from self._telling.resumed(replace(where, context=""))
        elif text(value, "type") in ("user", "assistant"):
            self._resumed.pop(where.session, None)

    # -- what records are made of ---------------------------------------------------------------------------------

    def _turn(self, where: Where, value: Fields, words: str, by_model: bool) -> Iterator[Observation]:
        """What the model said in words, or the program in its name."""
        message = fields(value.get("message"))
        reason = text(message, "stop_reason") if by_model else ""
        failed = value.get("isApiErrorMessage") is True
        stop = "error" if failed else STOPS.get(reason, "")
        detail = text(value, "error") if failed else "" if reason in PLAIN_STOPS else reason
        model = text(message, "model") if by_model else ""
        yield from self._telling.turn(where, words, model, stop, detail, number(value, "durationMs"))
        self._compactions.delivered(where, text(value, "uuid"))

    def _spoken(self, where: Where, value: Fields, block: Fields) -> Iterator[Observation]:
        """One block of what the model said."""
        kind, call = text(block, "type"), text(block, "id")
        if kind.endswith("tool_use") and call:
            if call not in self._ended:
                at = replace(where, id=call)
                self._telling.asked(Call(at, text(block, "name"), block.get("input")))
                if early := self._early.pop((where.session, call), None):
                    self.tally.withdraw(EARLY, early[0].line)
                    yield from self._result(*early)
        elif kind.endswith("tool_result"):  # of a tool the model's own host runs
            yield from self._result(where, value, block, None)
        elif kind not in ("text", "image", "document", *THINKING, *UNSPOKEN):
            self.tally.note(f"block/{kind}", where.line)

    def _result(self, where: Where, value: Fields, block: Fields, told: Any) -> Iterator[Observation]:
        name = text(block, "tool_use_id")
        call = self._telling.asked_for(where.session, name)
        if call is None:
            self.tally.note("result given again" if name in self._ended else EARLY, where.line)
            if name and name not in self._ended and (where.session, name) not in self._early:
                while len(self._early) >= MOST_EARLY:
                    del self._early[next(iter(self._early))]
                self._early[where.session, name] = (where, value, block, told)
            return
        self._ended.add(name)
        structured, printed = fields(told), said(block.get("content"))
        stopped = structured.get("interrupted") is True
        outcome = "error" if block.get("is_error") is True else "interrupted" if stopped else "ok"
        cwd = call.where.cwd or where.cwd
        use = Use(call.name, fields(call.arguments), printed, structured, outcome, cwd)
        at = replace(where, id=name)
        took = number(structured.get("durationMs", structured.get("totalDurationMs")))
        yield from self._telling.answered(at, printed, outcome, effects_of(use), took)
        is_refusable = is_host_refusal(value, told, printed) and self._progressed.allows_refusal(call.name, name)
        if reply := reply_of(use, is_refusable=is_refusable):
            at = replace(at, context=call.where.context)
            yield from self._telling.prompt(at, reply.words, channel=reply.channel)
        self._compactions.delivered(replace(at, context=call.where.context), text(value, "uuid"))

    def _usage(self, where: Where, value: Fields, message: Fields) -> Iterator[Observation]:
        """Tell the tokens of a message's request once. Records of it that are written later may say that it wrote more;
        then only what was added is told."""
        usage, name, model = fields(message.get("usage")), text(message, "id"), text(message, "model")
        names = ("input_tokens", "cache_read_input_tokens", "cache_creation_input_tokens")
        fresh, cached, stored = (number(usage, each) for each in names)
        window = (fresh or 0) + (cached or 0) + (stored or 0)
        if not name or not window:
            return
        where, written = replace(where, id=name), number(usage, "output_tokens")
        if name not in self._written:
            self._written[name] = written or 0
            counts = {"fresh": fresh, "cached": cached, "stored": stored, "written": written}
            counts["stored_hour"] = number(usage, "cache_creation", "ephemeral_1h_input_tokens")
            counts["cost"] = micro_dollars(value.get("costUSD"))
            yield from self._telling.usage(where, window, counts, model)
        elif written is not None and written > self._written[name]:
            grown, self._written[name] = written - self._written[name], written
            yield from self._telling.usage(where, window, {"written": grown}, model, f"usage.{written}")

    def _prompt(self, where: Where, value: Fields, words: str, source: str, channel: str = "") -> Iterator[Observation]:
        if words:
            where = self._prompt_at(where, value, source)
            kind = kind_of(words)
            if kind == COMMAND and (value.get("type") not in TYPED or value.get("isMeta") is True or where.context):
                kind = ""
            yield from self._telling.prompt(where, words, source, kind, channel)
            self._compactions.delivered(where, text(value, "uuid"))

    def _prompt_at(self, where: Where, value: Fields, source: str) -> Where:
        """A prompt somebody typed is named as the host names it to its hooks; so are all records that belong to it, of
        which it is the first."""
        name = text(value, "promptId")
        if not name or source != "user" or name in self._prompts:
            return where
        self._prompts.add(name)
        return replace(where, id=prompt_name(name))

    def _moved_on(self, where: Where, message: str) -> Iterator[Observation]:
        """With a new message of the model, results of earlier ones can't come any more: it would have waited."""
        stream = where.session, where.context
        if message and self._speaking.get(stream) != message:
            self._speaking[stream] = message
            yield from self._cut_short(where, "unknown")

    def _cut_short(self, where: Where, outcome: str) -> Iterator[Observation]:
        """Calls that wait for a result won't get one."""
        for call in self._telling.waiting_in(where.session, where.context):
            self._ended.add(call)
            yield from self._telling.answered(replace(where, id=call), None, outcome)

    def _queue_of(self, where: Where) -> Queue:
        return self._queues.setdefault(where.session, Queue())

    # -- where a record stands ------------------------------------------------------------------------------------

    def _is_new(self, value: Fields) -> bool:
        """Whether a record is met for the first time. One without an id always is."""
        uuid = text(value, "uuid")
        if uuid in self._seen:
            return False
        if uuid:
            self._seen.add(uuid)
        return True

    def _where(self, value: Fields, line: int) -> Where:
        session, cwd = text(value, "sessionId") or text(value, "session_id"), text(value, "cwd")
        at = millis(value.get("timestamp"))
        if session and (not self._named or session == self._called):
            self.origin.session, self._named = session, True
        if self.origin.started is None:
            self.origin.started = at
        self.origin.cwd = self.origin.cwd or cwd
        uuid = text(value, "uuid")
        where = Where(
            session=session or self.origin.session,
            id=uuid or f"record:{self.tally.records}",
            at=at,
            context=self._context(value, uuid),
            cwd=cwd or self.origin.cwd,
            line=line,
        )
        self._compactions.read(where, uuid, text(value, "parentUuid"))
        return where

    def _context(self, value: Fields, uuid: str) -> str:
        """Of the main conversation none; of a subagent its name, or else the record it began with."""
        if value.get("isSidechain") is not True:
            return text(value, "parent_tool_use_id")
        if agent := text(value, "agentId"):
            return agent
        root = self._roots.get(text(value, "parentUuid"), uuid or "sidechain")
        if uuid:
            self._roots[uuid] = root
        return root


def looks(records: Iterable[Record]) -> bool:
    """Whether these are records of Claude Code."""
    return any(_is_typical(record.value) for record in records)


def _is_typical(value: Any) -> bool:
    if not isinstance(value, dict):
        return False
    kind, has_session = text(value, "type"), bool(text(value, "sessionId") or text(value, "session_id"))
    match kind:
        case "user" | "assistant":
            message = fields(value.get("message"))
            dated = message.get("role") == kind and ("uuid" in value or "timestamp" in value)
            return (has_session or dated) and "content" in message
        case "system":
            return has_session and text(value, "subtype") in (*SILENT_NOTES, *BOUNDARIES)
        case "attachment" | "progress":
            return has_session and bool(fields(value.get("attachment", value.get("data"))))
        case "sanitization_notice":
            return text(value, "source").startswith("Claude Code")
    return kind in TYPICAL and TYPICAL[kind] in value


def source_of(value: Fields, where: Where, words: str) -> str:
    """Whose words a record of the user has."""
    origin, mode = fields(value.get("origin")).get("kind"), value.get("commandMode")
    is_typed = origin in (None, "human", "user") and mode in (None, "prompt") and not _wraps(words)
    if value.get("isMeta") is True or not is_typed:
        return "host"
    return "agent" if where.context or words.startswith("<teammate-message") else "user"


def kind_of(words: str) -> str:
    """What words are that the host put among those of the user, as one of PROMPT_KINDS."""
    begin = words.lstrip()
    return next((kind for kind, starts in KINDS_OF_WORDS.items() if begin.startswith(starts)), "")


def prompt_name(said: str) -> str:
    """What a prompt is called that the host has a name for."""
    return f"prompt:{said}"


def _wraps(words: str) -> bool:
    return words.lstrip().startswith(WRAPPERS)


_WAYS: Mapping[str, Callable[[ClaudeCode, Fields, Where], Iterator[Observation]]] = {
    "user": ClaudeCode._user,
    "assistant": ClaudeCode._assistant,
    "system": ClaudeCode._system,
    "attachment": ClaudeCode._attachment,
    "progress": ClaudeCode._progress,
    "queue-operation": ClaudeCode._queue,
    "message": ClaudeCode._message,
}

FORMAT = Format(HOST, "Claude Code", document=False, looks=looks, reader=ClaudeCode)
