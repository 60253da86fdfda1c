"""From what a transcript says to observations: one place for headers, calls that wait for their result, and files.

A reader of a format says `prompt`, `turn`, `asked`, `answered`, ...; what comes back are observations in the order they
became certain. Each names the call or record it comes from, so the same one delivered twice, by whichever way, is one
op. A call becomes an op when its result has been read, or something that rules one out; until then it is pending.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from ccos_core.intake.calls.effects import Effect
from ccos_core.intake.calls.files import Files
from ccos_core.intake.importers.record import RESUMED, Observation, Origin, Tally

MOST_KEPT = 10_000
"""Entries of what a compaction kept: as many as an op holds, the newest of them."""
KEPT_FIRST, KEPT_EACH = 10_000, 32
"""Entries that may be told in all, at once and for each thing that is told: who compacts in every line says in each of
them what is left, and so much can't be written down."""
MOST_TOLD, CROWDED = 1_000, "crowded"
"""Stretches of files that are told of one call. Of what it changed beyond them each file is told once, without content;
what it showed is only counted, in a note. The call itself has all of it in its result."""


@dataclass(frozen=True, slots=True)
class Where:
    """Where something was said."""

    session: str
    id: str
    """Of the record, or of what it tells: names the delivery."""

    at: int | None = None
    """Milliseconds since 1970."""
    context: str = ""
    """Of a subagent; empty for the main conversation."""
    cwd: str = ""
    """As the host spells it; empty where it doesn't say."""
    line: int = 0


@dataclass(frozen=True, slots=True)
class Call:
    """A tool call that was asked for."""

    where: Where
    name: str
    arguments: Any
    """As the host gives them: an object, or a text."""


class Telling:
    """One transcript being told."""

    def __init__(self, host: str, files: Files | None = None) -> None:
        self.host = host
        self.files = Files() if files is None else files
        self.waiting: dict[tuple[str, str], Call] = {}
        """(session, call) → what was asked for and has no end yet."""
        self._streams: dict[tuple[str, str], dict[str, None]] = {}
        """(session, context) → the calls of that conversation that wait, in the order they were made."""
        self.tells_files = True
        """Whether what calls did to files is told: a list of sessions has no use for it."""
        self._left = KEPT_FIRST
        """Entries of what was kept that may still be told."""

    def prompt(
        self, where: Where, said: str, source: str = "user", kind: str = "", channel: str = ""
    ) -> Iterator[Observation]:
        """Tell what the `user`, `host` or an `agent` said to the agent. `kind` is one of PROMPT_KINDS, for words of the
        host; `channel` says how the user spoke, if not by a prompt of its own."""
        if said:
            actor = {"user": "user", "agent": "agent"}.get(source, "host")
            told = {"kind": "prompt", "said": said, "source": source, "actor": actor, **self._header(where)}
            if channel and source == "user":
                told["channel"] = channel
            yield {**told, "phase": kind} if kind and source == "host" else told

    def thought(
        self, where: Where, said: str, *, number: int = 0, tokens: int | None = None, sealed: bool = False
    ) -> Iterator[Observation]:
        """Tell a thought of the model. One without words was sealed by the host, and so was one that is only summed up
        (`sealed`). `number` counts the thoughts of a record."""
        told: Observation = {"said": said} if said else {}
        if sealed or not said:
            told["sealed"] = True
        if number:
            told["phase"] = f"thought.{number}"
        yield {"kind": "thought", "actor": "agent", "tokens": tokens, **told, **self._header(where)}

    def turn(
        self,
        where: Where,
        said: str,
        model: str = "",
        stop: str = "",
        detail: str = "",
        millis: int | None = None,
    ) -> Iterator[Observation]:
        """Tell a message of the agent. `detail` is the host's own word for why it ended."""
        told = {"said": said or None, "model": model or None, "stop": stop or None, "detail": detail or None}
        yield {"kind": "turn", "actor": "agent", **told, "millis": millis, **self._header(where)}

    def usage(
        self, where: Where, window: int, counts: Mapping[str, int | None], model: str = "", phase: str = ""
    ) -> Iterator[Observation]:
        """Tell the tokens of a request; `counts` are more fields of `usage`. With a `phase` it adds to one told."""
        if window > 0:
            told: Observation = {"kind": "usage", "actor": "host", "window": window, "model": model or None}
            yield {**told, **counts, **self._header(where), **({"phase": phase} if phase else {})}

    def compacted(
        self,
        where: Where,
        *,
        trigger: str = "unknown",
        before: int | None = None,
        after: int | None = None,
        summary: str = "",
        kept: Sequence[str] = (),
        exact: bool = False,
    ) -> Iterator[Observation]:
        """The host put something shorter in the place of its history. `kept` names calls and records that survived;
        where they are too many to be told, it isn't exact."""
        exact = exact and len(kept) <= self.room
        named = list(kept)[max(len(kept) - self.room, 0) :]
        self._left -= len(named)
        sizes = {"before": before, "after": after, "summary": summary or None, "kept": named}
        told = {"kind": "compaction", "actor": "host", "trigger": trigger, "exact": exact}
        yield {**told, **sizes, **self._header(where)}

    @property
    def room(self) -> int:
        """How much of what was kept can be told by the next compaction."""
        return max(min(MOST_KEPT, self._left), 0)

    def cleared(self, where: Where, reason: str = "") -> Iterator[Observation]:
        """The host's window was emptied."""
        yield {"kind": "cleared", "actor": "host", "reason": reason or None, **self._header(where)}

    def ended(self, where: Where, status: str, said: str = "") -> Iterator[Observation]:
        """The session ended, with this status in the host's word, and perhaps a last message."""
        if status or said:
            note = (f"session ended: {status}" if status else "session ended") + (f"\n\n{said}" if said else "")
            yield {"kind": "annotation", "note": note, "actor": "host", **self._header(where), "phase": "end"}

    def noted(self, where: Where, note: str, phase: str = "") -> Iterator[Observation]:
        """Tell what the host did to the conversation or its files, where no other op says it."""
        told = {"kind": "annotation", "note": note, "actor": "host", **self._header(where)}
        self._left -= KEPT_EACH  # what was read gives room once
        yield {**told, "phase": phase} if phase else told

    def resumed(self, where: Where) -> Iterator[Observation]:
        """The user went on with a session that was left: the host made its window anew."""
        yield {
            "kind": "annotation",
            "note": "session resumed",
            "actor": "host",
            **self._header(where),
            "phase": RESUMED,
        }

    def asked(self, call: Call) -> None:
        """A call was made; nothing is certain of it yet."""
        name = call.where.session, call.where.id
        if name not in self.waiting:
            self.waiting[name] = call
            self._streams.setdefault((call.where.session, call.where.context), {})[call.where.id] = None

    def answered(
        self,
        where: Where,
        result: str | None,
        outcome: str = "ok",
        effects: Iterable[Effect] = (),
        millis: int | None = None,
    ) -> Iterator[Observation]:
        """A call ended: `ok`, `error`, `interrupted` or `unknown`. A result nobody asked for, or asked for twice, is
        nothing here; the reader notes it."""
        call = self.waiting.pop((where.session, where.id), None)
        if call is None:
            return
        stream = call.where.session, call.where.context
        del self._streams[stream][call.where.id]
        if not self._streams[stream]:
            del self._streams[stream]
        context = call.where.context or where.context
        cwd = call.where.cwd or where.cwd
        header = {**self._header(call.where), "context": context or None, "at": where.at or call.where.at}
        told = {"kind": "tool", "actor": "agent", "name": call.name or "unknown", "outcome": outcome}
        said = {"arguments": call.arguments, "result": result, "cwd": cwd or None, "millis": millis}
        yield {**told, **said, **header}
        yield from self._did(effects, header, cwd)

    def brought(self, where: Where, effects: Sequence[Effect]) -> Iterator[Observation]:
        """The host put files before the agent by itself."""
        yield from self._did(effects, self._header(where), where.cwd, actor="host")

    def asked_for(self, session: str, call: str) -> Call | None:
        """The call a result answers."""
        return self.waiting.get((session, call))

    def waiting_in(self, session: str, context: str) -> list[str]:
        """The calls of a conversation that wait for their end, in the order they were made."""
        return list(self._streams.get((session, context), ()))

    def pending(self) -> Iterator[Mapping[str, Any]]:
        """Calls without an end, in the order they were made."""
        for call in self.waiting.values():
            yield {"call": call.where.id, "name": call.name, "line": call.where.line}

    # -- helpers --------------------------------------------------------------------------------------------------

    def _did(
        self, effects: Iterable[Effect], header: Mapping[str, Any], cwd: str, actor: str = "agent"
    ) -> Iterator[Observation]:
        if not self.tells_files:
            return
        number = left = 0
        crowded: dict[str, None] = {}
        for effect in effects:
            for told in self.files.observed(effect, cwd or "."):
                if number >= MOST_TOLD and told["kind"] == "seen":
                    left += 1
                    if told["how"] not in ("edit", "write") or told["path"] in crowded:
                        continue
                    crowded[told["path"]] = None
                    told = {**told, "content": None, "slice": None, "took": None, "withheld": CROWDED}
                yield {**told, "actor": actor, **header, "phase": f"file.{number}"}
                number += 1
        if left:
            note = f"{left:,} more stretches of files that this call showed or changed are not told one by one"
            yield {"kind": "annotation", "note": note, "actor": "host", **header, "phase": "files.left"}

    def _header(self, where: Where) -> dict[str, Any]:
        self._left += KEPT_EACH
        named = {"session": where.session, "context": where.context, "call": where.id}
        return {"host": self.host, "at": where.at, **{name: value for name, value in named.items() if value}}


class TellingReader:
    """What readers of transcripts share that tell by a `Telling`. By default no record is held back."""

    def __init__(self, session: str, telling: Telling) -> None:
        self.tally = Tally()
        self.origin = Origin(session=session)
        self._telling = telling

    def leave_out_files(self) -> None:
        """Tell nothing of what calls did to files."""
        self._telling.tells_files = False

    def finish(self) -> Iterator[Observation]:
        """Give what was held back until the end of the transcript."""
        yield from ()

    def pending(self) -> Iterator[Mapping[str, Any]]:
        """Return the calls that were made and whose end hasn't been read."""
        return self._telling.pending()
