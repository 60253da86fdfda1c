"""Codex's rollouts: one record a line, `{timestamp, type, payload}`, and the bare items its first versions wrote.

Of what a rollout says twice the items of the conversation are taken (`response_item`), and from events only what they
don't say: usage, aborted turns, turns taken back, where a patch was applied. After a compaction the history that was
put in the place of the old one stands in the record, so what is left is known exactly. A subagent has a file of its
own; it is a context of the session that started it. A fork begins with a copy of what it was forked from, told as its
own: its context holds it.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Iterator
from heapq import heappop, heappush
from itertools import islice
from typing import Any

from ccos_core.intake.importers.codex.history import (
    AGENT,
    INTERRUPTION,
    ITEMS,
    OUTPUTS,
    SILENT_EVENTS,
    SILENT_ITEMS,
    SILENT_KINDS,
    THOUGHT,
    History,
    Item,
    asked,
    is_count,
    is_of_host,
    kind_of,
    looks,
    looks_old,
    outcome_of,
    parent_of,
    thought_key,
    unwrapped,
)
from ccos_core.intake.importers.codex.outputs import Answer, answer_of, answers_in, output_of, text_of, words_of
from ccos_core.intake.importers.codex.tools import Tools
from ccos_core.intake.importers.fields import at, millis, number, text, word
from ccos_core.intake.importers.reasoning import thought_of_item
from ccos_core.intake.importers.record import Format, Observation, Record
from ccos_core.intake.importers.telling import Call, Telling, TellingReader, Where
from ccos_core.values.canon import digest

HOST = "codex"
ON_THEIR_OWN = {"web_search_call": "web_search", "image_generation_call": "image_generation"}
"""Calls that end where they are made."""
ASKS_USER = "request_user_input"
INSTRUCTIONS = "instructions"
"""The name of what the model is told before all else; there is one in a session and context."""
LATELY = 500
"""Items among which the words are looked for that an event repeats."""


END = 2**62
"""Later than anything."""


class CodexReader(TellingReader):
    """Reads one rollout."""

    def __init__(self, session: str) -> None:
        super().__init__(session, Telling(HOST))
        self._history = History()
        self._tools = Tools(self._telling.files)
        self._context = self._cwd = self._model = self._instructions = ""
        self._known = False
        """Whether the rollout has said which session it is."""
        self._told: set[str] = set()
        """Records that were told, and calls that have ended: said again they say nothing."""
        self._made: dict[str, dict[str, None]] = {}
        """Id of a call → each record that made one by it."""
        self._due: list[tuple[int, int, str]] = []
        """When each call was made, as its record says; its record; its name. The earliest first."""
        self._counted: tuple[int | None, ...] = ()
        self._window = 0
        self._echo: tuple[Where, str] | None = None
        """What the user said, by an event alone so far."""
        self._announced: Where | None = None
        """A compaction of which only an event told so far."""
        self._compacted = False
        """Whether the event of the last compaction is still to come."""
        self._interrupted = False
        """Whether an item said already that the turn is aborted."""
        self._reply = ""
        """What the agent said last, while it may turn out to answer a request for a summary, ..."""
        self._waiting: list[Observation] = []
        """... and what is told of it and of the counts behind it."""
        self._events: dict[str, Callable[[Where, Any], Iterator[Observation]]] = {
            "user_message": self._user_message,
            "token_count": self._token_count,
            "turn_aborted": self._aborted,
            "task_complete": lambda where, _: self._ended(where, "unknown"),
            "turn_complete": lambda where, _: self._ended(where, "unknown"),
            "thread_rolled_back": self._rolled_back,
            "undo_completed": self._undone,
            "context_compacted": self._context_compacted,
            "patch_apply_end": self._patch_applied,
            "item_completed": self._completed,
            "thread_name_updated": self._named,
            "error": self._failed,
        }

    def feed(self, record: Record) -> Iterator[Observation]:
        """What becomes certain with this record."""
        self.tally.records += 1
        kind, payload, said_at = unwrapped(record)
        where = self._where(record, said_at)
        told = self._told_by(kind, payload, where, said_at)
        if self._reply and is_count(kind, payload):
            self._waiting += told
            return
        if kind == "compacted":
            self._drop_reply(text(payload, "message"))
        yield from self._spoken()
        yield from told

    def _told_by(self, kind: str, payload: Any, where: Where, said_at: Any) -> Iterator[Observation]:
        """What a record says."""
        if kind != "event_msg" and kind != "compacted" and self._announced is not None:
            yield from self._emptied(self._announced)
        if kind == "session_meta":
            yield from self._session(where, payload, said_at)
        elif kind == "turn_context":
            self._turn(payload)
        elif kind == "response_item":
            yield from self._item(where, payload)
        elif kind == "event_msg":
            yield from self._event(where, payload)
        elif kind == "compacted":
            yield from self._replaced(where, payload)
        elif kind == "inter_agent_communication":
            yield from self._message(where, {**payload, "role": AGENT})
        elif kind not in SILENT_KINDS:
            self.tally.note(kind or "nothing", where.line)

    def finish(self) -> Iterator[Observation]:
        """Give what the agent said last."""
        yield from self._spoken()

    # -- who, where, when -----------------------------------------------------------------------------------------

    def _where(self, record: Record, said_at: Any) -> Where:
        name = f"record:{self.tally.records}"
        return Where(self.origin.session, name, millis(said_at), self._context, self._cwd, record.line)

    def _session(self, where: Where, payload: Any, said_at: Any) -> Iterator[Observation]:
        """The first says which session this is, and what its model is told before all else; a fork goes on with the
        session it was forked from."""
        self._cwd = self._cwd or text(payload, "cwd")
        self.origin.cwd = self.origin.cwd or self._cwd
        name = word(payload, "id")
        if self._known or not name:
            return
        self._known = True
        started = millis(at(payload, "timestamp"))
        self.origin.started = millis(said_at) if started is None else started
        self.origin.session = parent_of(payload) or name
        self._context = name if self.origin.session != name else ""
        if words := text(payload, "base_instructions", "text") or text(payload, "instructions"):
            self._instructions = INSTRUCTIONS
            where = Where(self.origin.session, INSTRUCTIONS, where.at, self._context, self._cwd, where.line)
            yield from self._telling.prompt(where, words, "host")

    def _turn(self, payload: Any) -> None:
        self._cwd = text(payload, "cwd") or self._cwd
        self.origin.cwd = self.origin.cwd or self._cwd
        self._model = word(payload, "model") or self._model
        self.origin.uses(self._model)

    # -- the conversation -----------------------------------------------------------------------------------------

    def _item(self, where: Where, item: Any) -> Iterator[Observation]:
        kind = text(item, "type")
        if kind in ("message", "agent_message"):
            yield from self._message(where, item if kind == "message" else {**item, "role": AGENT})
            return
        if kind in OUTPUTS:
            yield from self._output(where, item)
            return
        if kind not in ITEMS and kind not in SILENT_ITEMS:
            self.tally.note(f"response_item {kind}".rstrip(), where.line)
            return
        yield from self._echoed()
        if kind == "reasoning":
            yield from self._thought(where, item)
        elif kind in ON_THEIR_OWN:
            yield from self._alone(where, kind, item)
        elif kind.endswith("_call"):
            self._call(where, kind, item)

    def _thought(self, where: Where, item: Any) -> Iterator[Observation]:
        thought = thought_of_item(item)
        named = thought_key(item)
        where = _at(where, word(item, "id") or _name(where, "reasoning", named))
        if self._new(where.id):
            self._history.said(THOUGHT, named, where.id)
            yield from self._telling.thought(where, thought.words, sealed=thought.sealed)

    def _message(self, where: Where, item: Any) -> Iterator[Observation]:
        role, said = text(item, "role"), text_of(item.get("content"))
        words = words_of(item.get("content"))
        where = _at(where, word(item, "id") or _name(where, role, said))
        if not said or not self._new(where.id):
            return
        if role == "assistant":
            yield from self._echoed()
            self._history.said(role, said, where.id)
            stop = "end" if text(item, "phase") == "final_answer" else ""
            self._reply, self._waiting = said, list(self._telling.turn(where, words, self._model, stop))
        elif role == AGENT:
            self._history.said(role, said, where.id)
            yield from self._telling.prompt(where, words, "agent")
        elif role in ("user", "developer", "system"):
            of_host = role != "user" or is_of_host(said)
            self._interrupted = of_host and kind_of(said) == INTERRUPTION
            if not of_host:
                self._echo = None
                turn = word(item, "internal_chat_message_metadata_passthrough", "turn_id")
                where = _at(where, prompt_name(turn, said)) if turn else where
            self._history.said(role, said, where.id, begins=not of_host)
            source = "host" if of_host else "agent" if where.context else "user"
            yield from self._telling.prompt(where, words, source, kind_of(said))
        else:
            self.tally.note(f"message of {role or 'nobody'}", where.line)

    def _spoken(self) -> Iterator[Observation]:
        """What the agent said last was no summary: it is told, with the counts behind it."""
        told, self._reply, self._waiting = self._waiting, "", []
        yield from told

    def _drop_reply(self, summary: str) -> None:
        """What the agent said last answers the request for this summary, which the host made without the user."""
        if self._reply and summary.endswith(self._reply.strip()):
            self._waiting = [each for each in self._waiting if each["kind"] != "turn"]

    def _user_message(self, where: Where, event: Any) -> Iterator[Observation]:
        """The user's words, which nearly always stand in an item as well. Where that came first it was heard."""
        said = text(event, "message")
        lately = islice(reversed(self._history.items), LATELY)
        last = next((item for item in lately if item.begins or item.key[0] == "assistant"), None)
        if said and self._new(_name(where, "event", said)) and not (last and last.begins):
            self._echo = where, said
        yield from ()

    def _echoed(self) -> Iterator[Observation]:
        """The agent goes on: what the user said before stands in no item."""
        if self._echo is not None:
            (where, said), self._echo = self._echo, None
            where = _at(where, _name(where, "user", said))
            if self._new(where.id):
                self._history.said("user", said, where.id, begins=True)
                yield from self._telling.prompt(where, said, "agent" if where.context else "user")

    # -- calls ----------------------------------------------------------------------------------------------------

    def _call(self, where: Where, kind: str, item: Any) -> None:
        name = word(item, "call_id") or (word(item, "id") if kind == "local_shell_call" else "")
        made = self._made.setdefault(name, {})
        this = _name(where, kind, json.dumps(item, sort_keys=True))
        if not name:
            self.tally.note("call without an id", where.line)
        elif this in made or (made and self._last_of(name) not in self._told):
            self.tally.note("call made again", where.line)
        else:
            if made:
                self.tally.note("id of a call used again", where.line)
            made[this] = None
            name = self._last_of(name)
            called, arguments = asked(kind, item)
            cwd = self._tools.folder(called, arguments, where.cwd)
            where = Where(where.session, name, where.at, where.context, cwd, where.line)
            self._telling.asked(Call(where, called, arguments))
            heappush(self._due, (where.at or 0, self.tally.records, name))

    def _last_of(self, call: str) -> str:
        """Return the name by which the last call with an id is told: the id, and a number from the second on."""
        number = len(self._made.get(call, ()))
        return f"{call}#{number}" if number > 1 else call

    def _output(self, where: Where, item: Any) -> Iterator[Observation]:
        of = word(item, "call_id")
        name = self._last_of(of)
        call = self._telling.asked_for(where.session, name)
        if call is None:
            self.tally.note("result without a call", where.line)
            return
        answer = answer_of(output_of(item))
        self._history.answered(of, answer.text, name)
        yield from self._answered(_at(where, name), call, answer)

    def _answered(self, where: Where, call: Call, answer: Answer) -> Iterator[Observation]:
        self._new(where.id)
        effects = self._tools.effects(call, answer)
        yield from self._telling.answered(where, answer.text, answer.outcome, effects, answer.millis)
        if call.name == ASKS_USER and (words := answers_in(answer.text)):
            yield from self._telling.prompt(where, words, channel="answer")

    def _alone(self, where: Where, kind: str, item: Any) -> Iterator[Observation]:
        """A call whose item is all that is said of it."""
        where = _at(where, word(item, "id") or word(item, "call_id") or where.id)
        if self._new(where.id):
            self._telling.asked(Call(where, ON_THEIR_OWN[kind], item.get("action")))
            yield from self._telling.answered(where, None, outcome_of(text(item, "status")))

    def _ended(self, where: Where, outcome: str) -> Iterator[Observation]:
        """The turn is over: calls without a result get none. One that was made later is of another turn, and this is a
        record that came again."""
        yield from self._echoed()
        over: list[tuple[int, str]] = []
        while self._due and self._due[0][0] <= (where.at or END):
            _, number_, name = heappop(self._due)
            if self._telling.asked_for(where.session, name) is not None:
                over.append((number_, name))
        for _, name in sorted(over):
            self._new(name)
            yield from self._telling.answered(_at(where, name), None, outcome)

    def _aborted(self, where: Where, event: Any) -> Iterator[Observation]:
        """The turn was cut short. Newer versions say so in an item before, which is told instead."""
        yield from self._ended(where, "interrupted")
        reason = word(event, "reason")
        where = _at(where, _name(where, "aborted", reason))
        if self._new(where.id) and not self._interrupted:
            yield from self._telling.noted(where, f"turn aborted: {reason}" if reason else "turn aborted")
        self._interrupted = False

    def _undone(self, where: Where, event: Any) -> Iterator[Observation]:
        """The host put files back to what they were before the last turn, or couldn't. It doesn't say which files."""
        words = text(event, "message")
        done = "edits not undone" if at(event, "success") is False else "edits undone"
        where = _at(where, _name(where, "undone", words))
        if self._new(where.id):
            yield from self._telling.noted(where, f"{done}: {words}" if words else done)

    def _patch_applied(self, where: Where, event: Any) -> Iterator[Observation]:
        """By the call's own id, or by that of a call inside of the only one there is."""
        name = self._last_of(word(event, "call_id"))
        waiting = self._telling.waiting
        call = self._telling.asked_for(where.session, name)
        if call is None and len(waiting) == 1:
            call = next(iter(waiting.values()))
        if call is not None and at(event, "success") is not False:
            self._tools.patched(call.where.id, at(event, "changes"))
        yield from ()

    def _completed(self, where: Where, event: Any) -> Iterator[Observation]:
        """What newer versions say of an item that is over; of a change of files they say it only so."""
        item = at(event, "item")
        if text(item, "type") == "FileChange":
            well = text(item, "status") not in ("failed", "declined")
            told = {"call_id": at(item, "id"), "success": well, "changes": at(item, "changes")}
            yield from self._patch_applied(where, told)

    # -- the window -----------------------------------------------------------------------------------------------

    def _event(self, where: Where, event: Any) -> Iterator[Observation]:
        kind = text(event, "type")
        if kind in self._events:
            yield from self._events[kind](where, event)
        elif kind not in SILENT_EVENTS:
            self.tally.note(f"event_msg {kind}".rstrip(), where.line)

    def _token_count(self, where: Where, event: Any) -> Iterator[Observation]:
        """The host counts again and again; it is a count when it is another than before."""
        last, total = at(event, "info", "last_token_usage"), at(event, "info", "total_token_usage")
        window, cached = number(last, "input_tokens"), number(last, "cached_input_tokens")
        written, thinking = number(last, "output_tokens"), number(last, "reasoning_output_tokens")
        counted = (window, cached, written, number(total, "input_tokens"), number(total, "output_tokens"))
        if not window or counted == self._counted:
            return
        self._counted, self._window = counted, window
        if counted[3] is not None:
            where = _at(where, f"usage:{counted[3]}:{counted[4] or 0}:{window}")
        fresh = max(window - cached, 0) if cached is not None else None
        limit = number(event, "info", "model_context_window")
        if self._new(where.id):
            told = {"fresh": fresh, "cached": cached, "written": written, "thinking": thinking, "limit": limit}
            yield from self._telling.usage(where, window, told, self._model)

    def _replaced(self, where: Where, payload: Any) -> Iterator[Observation]:
        """A compaction, with the history that is there now; where it isn't given nobody knows what is left."""
        self._announced, self._compacted = None, True
        summary, history = text(payload, "message"), at(payload, "replacement_history")
        where = _at(where, _name(where, "compaction", summary))
        if not self._new(where.id):
            return
        if not isinstance(history, list):
            yield from self._emptied(where, summary)
            return
        found = self._history.compared(history, where.id)
        for kind in found.unread:
            self.tally.note(f"replacement_history {kind}", where.line)
        told = [new for new in found.new if new.role == "user" and summary and summary in new.said][-1:]
        self._history.items = [
            Item(item.key, where.id) if told and item is told[0].item else item for item in found.items
        ]
        kept = self._with_instructions(dict.fromkeys(found.kept))
        fits = 2 * (len(kept) + len(found.shortened)) < self._telling.room
        shortened = found.shortened if fits and not found.unread else []
        yield from self._telling.compacted(
            where,
            before=self._window or None,
            summary=told[0].said if told else "",
            kept=[*kept, *shortened],
            exact=not found.unread,
        )
        if shortened:  # their calls stay, and what they delivered goes
            at_once = _at(where, f"{where.id}.shortened")
            yield from self._telling.compacted(at_once, trigger="auto", kept=[*kept, where.id], exact=True)
        for new in found.new:
            if new.role == THOUGHT:
                words, _, sealed = new.said.rpartition("\n")
                yield from self._telling.thought(_at(where, new.item.id), words, sealed=bool(sealed) or not words)
            elif new not in told:
                yield from self._telling.prompt(_at(where, new.item.id), new.said, "host")

    def _emptied(self, where: Where, summary: str = "") -> Iterator[Observation]:
        """A compaction that doesn't say what is left."""
        self._announced = None
        self._history.emptied()
        if summary:
            self._history.said("user", summary, where.id)
        kept = self._with_instructions()
        yield from self._telling.compacted(where, before=self._window or None, summary=summary, kept=kept)

    def _with_instructions(self, kept: Iterable[str] = ()) -> list[str]:
        """What was kept, after the instructions, which stand in front of every history."""
        return [*((self._instructions,) if self._instructions else ()), *kept]

    def _context_compacted(self, where: Where, _: Any) -> Iterator[Observation]:
        """The event of a compaction. Its record came before it, comes next, or never."""
        where = _at(where, _name(where, "compacted", ""))
        if self._new(where.id) and not self._compacted:
            self._announced = where
        self._compacted = False
        yield from ()

    def _rolled_back(self, where: Where, event: Any) -> Iterator[Observation]:
        """The user took turns back: the context is what it was before them."""
        yield from self._ended(where, "interrupted")
        where = _at(where, _name(where, "rolled back", ""))
        if self._new(where.id):
            turns = number(event, "num_turns") or 0
            yield from self._telling.noted(where, f"{turns:,} {'turn' if turns == 1 else 'turns'} taken back", "turns")
            kept = self._history.rolled_back(turns, self._telling.room + 1)
            yield from self._telling.compacted(where, trigger="manual", kept=self._with_instructions(kept), exact=True)

    def _failed(self, where: Where, event: Any) -> Iterator[Observation]:
        """The model's service gave an error, and the turn is over."""
        detail = text(event, "message") or word(event, "codex_error_info")
        where = _at(where, _name(where, "error", detail))
        if self._new(where.id):
            yield from self._echoed()
            yield from self._telling.turn(where, "", self._model, "error", detail)

    def _named(self, _: Where, event: Any) -> Iterator[Observation]:
        self.origin.title = text(event, "thread_name") or self.origin.title
        yield from ()

    def _new(self, name: str) -> bool:
        """Whether this is told for the first time."""
        if name in self._told:
            return False
        self._told.add(name)
        return True


# -- helpers ----------------------------------------------------------------------------------------------------------


def prompt_name(turn: str, said: str) -> str:
    """The name of a prompt, made of its turn and its words: a rollout and a hook both know these."""
    return f"prompt:{turn}:{digest(said.encode('utf-8', 'surrogatepass')).hex()[:16]}"


def _at(where: Where, name: str) -> Where:
    return Where(where.session, name, where.at, where.context, where.cwd, where.line)


def _name(where: Where, role: str, said: str) -> str:
    """A name for what has none: made of when it was said and what, or else of the place it stands at."""
    if where.at is None:
        return where.id
    return f"{role}:{digest(f'{where.at} {role} {said}'.encode('utf-8', 'surrogatepass')).hex()[:16]}"


FORMAT = Format(HOST, "Codex", document=False, looks=looks, reader=CodexReader)
LEGACY = Format(HOST, "Codex, first versions", document=True, looks=looks_old, reader=CodexReader)
"""One document, {session, items}."""
