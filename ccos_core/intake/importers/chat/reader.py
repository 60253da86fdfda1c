"""The reader of all chats: names what has no name, keeps what is in the window, and says what calls did to files."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import replace
from functools import partial

from ccos_core.intake.importers.chat.said import (
    CALL,
    COMPACTION,
    HEAD,
    NOTE,
    PROMPT,
    RESULT,
    THOUGHT,
    TURN,
    UNKNOWN,
    USAGE,
    Said,
    SaidIn,
)
from ccos_core.intake.importers.chat.tools import effects_of, is_shell
from ccos_core.intake.importers.held import Branches, HeldMessages
from ccos_core.intake.importers.record import Format, Observation, Record
from ccos_core.intake.importers.telling import Call, Telling, TellingReader, Where


def chat_format(
    name: str,
    title: str,
    looks: Callable[[Iterable[Record]], bool],
    said_in: SaidIn,
    *,
    document: bool = False,
    has_results: bool = True,
    bare_reads: bool = False,
) -> Format:
    """Make a format of a chat. Without results a call ends, unknown how, where the conversation goes on. Bare reads
    print a file as it is."""
    return Format(name, title, document, looks, partial(ChatReader, name, said_in, has_results, bare_reads))


class ChatReader(TellingReader):
    """Reads one chat."""

    def __init__(self, host: str, said_in: SaidIn, has_results: bool, bare_reads: bool, session: str) -> None:
        super().__init__(session, Telling(host))
        self._said_in = said_in
        self._has_results = has_results
        self._bare_reads = bare_reads
        self._held = HeldMessages()
        self._branches = Branches()
        self._told: set[tuple[str, str]] = set()
        self._model = ""
        self._entry = ""
        """The record that is being read, in formats whose records are a tree."""
        self._ways = {
            HEAD: self._head,
            PROMPT: self._prompt,
            THOUGHT: self._thought,
            TURN: self._turn,
            CALL: self._call,
            RESULT: self._result,
            USAGE: self._usage,
            COMPACTION: self._compaction,
            NOTE: self._note,
            UNKNOWN: self._unknown,
        }

    def feed(self, record: Record) -> Iterator[Observation]:
        """What becomes certain with this record."""
        self.tally.records += 1
        for place, said in enumerate(self._said_in(record)):
            if self._model != said.model and said.model:
                self._model = said.model
                self.origin.uses(said.model)
            name = said.id or f"{self.tally.records}.{place}"
            where = Where(self.origin.session, name, said.at, "", said.cwd or self.origin.cwd, record.line)
            if said.id and said.parent is not None:
                yield from self._follow(where, said.id, said.parent)
            if said.kind in (HEAD, UNKNOWN) or self._is_new(said, name):
                yield from self._ways[said.kind](where, said)

    # -- one way per kind -----------------------------------------------------------------------------------------

    def _head(self, where: Where, said: Said) -> Iterator[Observation]:
        origin = self.origin
        origin.session, origin.title = said.session or origin.session, said.title or origin.title
        begins = bool(said.session and said.cwd)  # one of several sessions in a file
        origin.cwd, origin.started = said.cwd if begins else origin.cwd or said.cwd, origin.started or said.at
        yield from ()

    def _prompt(self, where: Where, said: Said) -> Iterator[Observation]:
        if said.source != "host":
            yield from self._unfinished(where)
        self._hold(where.id)
        yield from self._telling.prompt(where, said.text, said.source, said.name, channel=said.channel)

    def _thought(self, where: Where, said: Said) -> Iterator[Observation]:
        self._hold(where.id)
        yield from self._telling.thought(where, said.text, sealed=said.sealed)

    def _turn(self, where: Where, said: Said) -> Iterator[Observation]:
        yield from self._unfinished(where)
        self._hold(where.id)
        yield from self._telling.turn(where, said.text, said.model or self._model, said.stop, said.detail, said.millis)

    def _call(self, where: Where, said: Said) -> Iterator[Observation]:
        self._telling.asked(Call(where, said.name, said.arguments))
        yield from ()

    def _result(self, where: Where, said: Said) -> Iterator[Observation]:
        """By its call's id, or the oldest call that waits; one that nobody asked for may be a step of its own."""
        waiting = self._telling.waiting_in(where.session, where.context)
        name = said.id or (waiting[0] if waiting else "")
        call = self._telling.asked_for(where.session, name)
        if call is None and said.name and not said.id:
            call, name = Call(where, said.name, said.arguments), where.id
            self._telling.asked(call)
        if call is None:
            self.tally.note("result without a call", where.line)
            return
        succeeded = said.outcome == "ok"
        known = self._telling.tells_files and (succeeded or (is_shell(call.name) and said.outcome == "error"))
        did = partial(effects_of, call.name, call.arguments, said.text, succeeded, call.where.cwd, said.noted)
        effects = did(bare=self._bare_reads) if known else ()
        self._hold(name)
        yield from self._telling.answered(replace(where, id=name), said.text, said.outcome, effects, said.millis)

    def _usage(self, where: Where, said: Said) -> Iterator[Observation]:
        yield from self._telling.usage(where, said.window, said.counts, said.model or self._model)

    def _compaction(self, where: Where, said: Said) -> Iterator[Observation]:
        self._held.keep(self._held.since(said.kept_from))
        kept = self._held.items
        self._hold(where.id)
        yield from self._telling.compacted(
            where,
            trigger=said.trigger,
            before=said.window or None,
            after=said.counts.get("after"),
            summary=said.text,
            kept=kept,
            exact=said.exact,
        )

    def _note(self, where: Where, said: Said) -> Iterator[Observation]:
        yield from self._telling.noted(where, said.text)

    def _unknown(self, where: Where, said: Said) -> Iterator[Observation]:
        self.tally.note(said.name, where.line)
        yield from ()

    # -- helpers --------------------------------------------------------------------------------------------------

    def _follow(self, where: Where, name: str, parent: str) -> Iterator[Observation]:
        kept = self._branches.follow(name, parent)
        if kept is not None and self._held.keep(kept):
            cut = replace(where, id=f"{where.id}:branch")
            yield from self._telling.compacted(cut, trigger="manual", kept=self._held.items, exact=True)
        self._entry = name

    def _hold(self, item: str) -> None:
        self._held.hold(self._entry or item, item)

    def _unfinished(self, where: Where) -> Iterator[Observation]:
        """The conversation went on; where the host records no results, its edits are taken to have been made."""
        if self._has_results:
            return
        for name in self._telling.waiting_in(where.session, where.context):
            call = self._telling.asked_for(where.session, name)
            effects = effects_of(call.name, call.arguments, "", None, call.where.cwd) if call is not None else ()
            yield from self._telling.answered(replace(where, id=name), None, "unknown", effects)

    def _is_new(self, said: Said, name: str) -> bool:
        """Whether this is told for the first time: a record may stand twice."""
        told = said.kind, name
        if told in self._told:
            return False
        self._told.add(told)
        return True
