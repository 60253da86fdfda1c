"""Our own format, for every agent nobody wrote an importer for: one JSON object a line, each with a `kind`.

`docs/TRANSCRIPTS.md` describes it; the table below is what it is printed from. A line that lacks what its kind needs is
counted and left out, as is a kind that isn't one.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import replace
from typing import Any, TypeAlias

from ccos_core.intake.calls.commands import effects_of_command
from ccos_core.intake.calls.effects import Appended, Effect, Moved, Patched, Removed, Replaced, Rewrote, Shown, Wrote
from ccos_core.intake.calls.numbered import NAMES, effects_of_str_replace
from ccos_core.intake.calls.patches import hunks_of_diff, parse_diff, parse_patch
from ccos_core.intake.importers.fields import millis, number, text, text_or_none, word
from ccos_core.intake.importers.record import Format, Observation, Record
from ccos_core.intake.importers.telling import Call, Telling, TellingReader, Where

HOST = "generic"
"""What the agent is called that doesn't say."""

KINDS: dict[str, tuple[str, ...]] = {
    "session": (),
    "prompt": ("text",),
    "thought": (),
    "turn": (),
    "call": ("id", "name"),
    "result": ("call",),
    "read": ("path", "text"),
    "write": ("path", "text"),
    "append": ("path", "text"),
    "edit": ("path",),
    "patch": ("text",),
    "gone": ("path",),
    "renamed": ("path", "to"),
    "usage": ("window",),
    "compaction": (),
    "clear": (),
}
"""Kind of line → the fields it can't do without."""

OUTCOMES = ("ok", "error", "interrupted", "unknown")
SOURCES = ("user", "host", "agent")
CHANNELS = ("queued", "answer", "refusal", "plan", "feedback")
COUNTS = ("fresh", "cached", "stored", "stored_hour", "written", "thinking", "limit", "cost")
STOPS = ("end", "tool", "interrupted", "limit", "error")
TRIGGERS = ("manual", "auto")
COMMANDS = ("command", "cmd")
"""Arguments under which a shell finds what it is to run."""

_Object: TypeAlias = dict[str, Any]


def looks(records: Iterable[Record]) -> bool:
    """Whether the first line is one of ours."""
    first = next((record.value for record in records if isinstance(record.value, dict)), None)
    return first is not None and word(first, "kind") in KINDS and not _missing(first)


class Reader(TellingReader):
    """Reads lines of ours."""

    def __init__(self, session: str, telling: Telling | None = None) -> None:
        super().__init__(session, telling or Telling(HOST))
        self._did: dict[tuple[str, str], list[Effect]] = {}
        """What a call that waits did to files, as lines of their own say."""
        self._ways: dict[str, Callable[[Where, _Object], Iterator[Observation]]] = {
            "session": self._session,
            "prompt": self._prompt,
            "thought": self._thought,
            "turn": self._turn,
            "call": self._call,
            "result": self._result,
            "usage": self._usage,
            "compaction": self._compaction,
            "clear": self._clear,
        }

    def feed(self, record: Record) -> Iterator[Observation]:
        """What becomes certain with this record."""
        self.tally.records += 1
        line = record.value
        kind = word(line, "kind") if isinstance(line, dict) else ""
        missing = _missing(line) if kind in KINDS else ""
        if kind not in KINDS:
            self.tally.note(f"kind {kind}" if kind else "no kind", record.line)
        elif missing:
            self.tally.note(f"{kind} without {missing}", record.line)
        else:
            yield from self._ways.get(kind, self._file)(self._where(line, record.line), line)

    # -- one way per kind of line ---------------------------------------------------------------------------------

    def _session(self, where: Where, line: _Object) -> Iterator[Observation]:
        self.origin.session = text(line, "id") or self.origin.session
        self.origin.cwd = text(line, "cwd") or self.origin.cwd
        self.origin.title = text(line, "title") or self.origin.title
        self._telling.host = word(line, "agent") or self._telling.host
        self.origin.uses(word(line, "model"))
        yield from ()

    def _prompt(self, where: Where, line: _Object) -> Iterator[Observation]:
        channel = _of(line, "channel", CHANNELS, "")
        yield from self._telling.prompt(where, text(line, "text"), _of(line, "from", SOURCES, "user"), channel=channel)

    def _thought(self, where: Where, line: _Object) -> Iterator[Observation]:
        sealed = line.get("sealed") is True
        yield from self._telling.thought(where, text(line, "text"), tokens=number(line, "tokens"), sealed=sealed)

    def _turn(self, where: Where, line: _Object) -> Iterator[Observation]:
        model = word(line, "model")
        self.origin.uses(model)
        stop, detail = _of(line, "stop", STOPS, ""), text(line, "detail")
        yield from self._telling.turn(where, text(line, "text"), model, stop, detail, number(line, "millis"))

    def _call(self, where: Where, line: _Object) -> Iterator[Observation]:
        if self._telling.asked_for(where.session, where.id) is not None:
            self.tally.note("call twice", where.line)
            return
        self._telling.asked(Call(where, word(line, "name"), line.get("arguments")))
        yield from ()

    def _result(self, where: Where, line: _Object) -> Iterator[Observation]:
        answered = replace(where, id=text(line, "call"))
        call = self._telling.asked_for(where.session, answered.id)
        if call is None:
            self.tally.note("result without a call", where.line)
            return
        outcome = _of(line, "outcome", OUTCOMES, "unknown")
        told = self._did.pop((where.session, answered.id), None)
        did = told if told is not None else _concluded(call, text(line, "text"), outcome, call.where.cwd)
        yield from self._telling.answered(answered, text_or_none(line, "text"), outcome, did, number(line, "millis"))

    def _usage(self, where: Where, line: _Object) -> Iterator[Observation]:
        counts = {name: number(line, name) for name in COUNTS}
        yield from self._telling.usage(where, number(line, "window") or 0, counts, word(line, "model"))

    def _compaction(self, where: Where, line: _Object) -> Iterator[Observation]:
        kept = line.get("kept")
        yield from self._telling.compacted(
            where,
            trigger=_of(line, "trigger", TRIGGERS, "unknown"),
            before=number(line, "before"),
            after=number(line, "after"),
            summary=text(line, "summary"),
            kept=[each for each in kept if isinstance(each, str)] if isinstance(kept, list) else (),
            exact=line.get("exact") is True,
        )

    def _clear(self, where: Where, line: _Object) -> Iterator[Observation]:
        yield from self._telling.cleared(where, text(line, "reason"))

    def _file(self, where: Where, line: _Object) -> Iterator[Observation]:
        """What was done to a file is told with the call it names, when that ends; or alone."""
        effects = list(_effects(line))
        if not effects:
            self.tally.note(f"{line['kind']} that says nothing", where.line)
        call = text(line, "call")
        if call and self._telling.asked_for(where.session, call) is not None:
            self._did.setdefault((where.session, call), []).extend(effects)
        else:
            yield from self._telling.brought(where, effects)

    # -- helpers --------------------------------------------------------------------------------------------------

    def _where(self, line: _Object, number: int) -> Where:
        """A line without a name of its own is known by its place."""
        moment = millis(line.get("at"))
        if self.origin.started is None:
            self.origin.started = moment
        session = text(line, "session") or self.origin.session
        name = text(line, "id") if line["kind"] != "session" else ""
        named = name or f"record:{self.tally.records}"
        return Where(session, named, moment, text(line, "context"), text(line, "cwd") or self.origin.cwd, number)


FORMAT = Format(name=HOST, title="generic", document=False, looks=looks, reader=Reader)


def _missing(line: Any) -> str:
    """The first field a line of its kind can't do without, and hasn't."""
    return next((name for name in KINDS[word(line, "kind")] if not _has(line, name)), "")


def _has(line: Any, name: str) -> bool:
    """Whether something is said there. A file may be empty, a name may not."""
    if name == "window":
        return number(line, name) is not None
    return text_or_none(line, name) is not None if name == "text" else bool(text(line, name))


def _of(line: _Object, name: str, words: tuple[str, ...], otherwise: str) -> str:
    said = word(line, name)
    return said if said in words else otherwise


def _concluded(call: Call, printed: str, outcome: str, cwd: str) -> list[Effect]:
    """What a call did to files of which no line says so: of a shell, and of an editor several agents share."""
    if call.name in NAMES:
        return effects_of_str_replace(call.arguments, printed, {"ok": True, "error": False}.get(outcome))
    command = next((said for name in COMMANDS if (said := text(call.arguments, name))), "")
    succeeded = {"ok": True, "error": False, "interrupted": False}.get(outcome)
    return effects_of_command(command, printed, succeeded, cwd or ".") if command else []


def _effects(line: _Object) -> Iterator[Effect]:
    path, said = text(line, "path"), text(line, "text")
    before = text_or_none(line, "before")
    match line["kind"]:
        case "read":
            first = number(line, "first")
            yield Shown(path, said, first or 1, whole=line.get("whole") is True)
        case "write":
            yield Wrote(path, said, before)
        case "append":
            yield Appended(path, said)
        case "edit":
            yield from _edited(path, line, before)
        case "patch":
            yield from parse_patch(said) or parse_diff(said)
        case "gone":
            yield Removed(path)
        case "renamed":
            yield Moved(path, text(line, "to"))


def _edited(path: str, line: _Object, before: str | None) -> Iterator[Effect]:
    """By two texts, by a difference, or by the numbers of lines."""
    old, new = line.get("old"), line.get("new")
    first, last = number(line, "first"), number(line, "last")
    if isinstance(old, str) and isinstance(new, str) and old:
        yield Replaced(path, old, new, line.get("everywhere") is True, before, number(line, "line"))
    elif isinstance(line.get("diff"), str):
        if hunks := hunks_of_diff(line["diff"]):
            yield Patched(path, hunks, before)
    elif first is not None and last is not None and isinstance(line.get("text"), str):
        yield Rewrote(path, first, last, line["text"], before)
