"""What breaks each rule: one function a rule, which takes a timeline, a step and the rule's settings.

Each yields what it found wrong, in the order of the steps, in a sentence.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from fnmatch import fnmatchcase
from functools import cached_property
from typing import TYPE_CHECKING

from ccos_core.errors import CcosError
from ccos_core.intake.calls.files import compile_glob
from ccos_core.intake.calls.programs import is_like, may_be_in, programs_of
from ccos_core.intake.tools import command_of
from ccos_core.present.parts import node_name
from ccos_core.present.rows import clean
from ccos_core.present.words import count
from ccos_core.query.autopsy import autopsy
from ccos_core.query.autopsy.answer import CERTAINTIES, Autopsy
from ccos_core.query.check.rules import Settings
from ccos_core.query.cost import Cost, cost, dollars
from ccos_core.query.failing import failures
from ccos_core.query.telling import one_line, told_op
from ccos_core.values.paths import inside
from ccos_core.values.prices import MILLION, Prices

if TYPE_CHECKING:
    from ccos_core.ops.plain import Plain
    from ccos_core.replay.timeline import Timeline

SUSPECTS = 100
"""Suspects among which loops are looked for."""
WORDS_LONGEST = 120
"""Characters of a command, or of a test's name, in a sentence."""
RED = ("red", "submitted")
"""Findings of the autopsy: the last run failed, whatever its tests are called."""
CHANGES = ("edit", "write")
FIELDS = {"result": "the output of ", "arguments": "the arguments of ", "content": ""}


@dataclass(frozen=True, slots=True)
class Broken:
    """One thing that breaks a rule."""

    words: str
    """In a sentence."""

    step: int | None = None
    """The step that breaks it; null if it is the session as a whole."""


class Case:
    """A session up to a step."""

    def __init__(self, timeline: Timeline, at: int, prices: Callable[[], Prices]) -> None:
        self.timeline = timeline
        self.at = at
        self.prices = prices

    @cached_property
    def autopsy(self) -> Autopsy:
        return autopsy(self.timeline, self.at, suspects=SUSPECTS)

    @cached_property
    def cost(self) -> Cost:
        return cost(self.timeline, self.at, None, None, prices=self.prices())

    def ops(self) -> Iterator[tuple[int, Plain]]:
        return self.timeline.between(1, self.at)


Judge = Callable[[Case, Settings], Iterator[Broken]]


def _failing(case: Case, settings: Settings) -> Iterator[Broken]:
    live = failures(case.timeline, case.at, all=False).live
    left = [each for each in live if not each.rerun_due or (settings["not_rerun"] and each.test)]
    red = [each for each in case.autopsy.findings if each.kind in RED and each.certainty == "certain" and not live]
    if len(left) + len(red) <= settings["most"]:
        return
    yield from (Broken(clean(each.says), each.last) for each in red)
    for each in sorted(left, key=lambda each: (each.rerun_due, each.last.step)):
        name = _short(each.test or each.message or each.runner)
        if each.rerun_due:
            yield Broken(f"{name} failed at step {each.last.step:,} and wasn't run again after that.", each.last.step)
        else:
            yield Broken(f"{name} fails at the end, since step {each.since.step:,}.", each.last.step)


def _loops(case: Case, settings: Settings) -> Iterator[Broken]:
    counting = CERTAINTIES[: CERTAINTIES.index(settings["certainty"]) + 1]
    files = [each for each in case.autopsy.suspects if each.kind == "loop" and each.certainty in counting]
    calls = [each for each in case.autopsy.findings if each.kind == "thrash" and each.certainty in counting]
    if len(files) + len(calls) <= settings["most"]:
        return
    for each in files:
        step = each.evidence[0].step if each.evidence else None
        yield Broken(f"{node_name(each.node)} ({each.certainty}): {clean(each.why)}", step)
    for call in calls:
        yield Broken(f"{clean(call.says)} ({call.certainty})", call.step)


def _secrets(case: Case, settings: Settings) -> Iterator[Broken]:
    found = [
        (step, op, field, kind.removeprefix("secret:"), number)
        for step, op in case.ops()
        if op["kind"] != "prompt"
        for field, kind, number, _ in op.get("findings", ())
        if kind.startswith("secret:")
    ]
    if sum(number for *_, number in found) <= settings["most"]:
        return
    for step, op, field, kind, number in found:
        what = _short(told_op(step, op, case.timeline.content).says or op["kind"])
        where = FIELDS.get(field, f"{clean(field)} of ") + what
        yield Broken(f"{count(number, 'secret')} ({clean(kind)}) in {where} at step {step:,}, masked here.", step)


def _edits(case: Case, settings: Settings) -> Iterator[Broken]:
    allowed = [_matcher(pattern) for pattern in settings["within"]]
    forbidden = [(pattern, _matcher(pattern)) for pattern in settings["never"]]
    seen: set[tuple[str, str]] = set()
    for step, op in case.ops():
        for path, did in _changed(op):
            against = next((pattern for pattern, matches in forbidden if matches(path)), "")
            if not against and any(matches(path) for matches in allowed):
                continue
            if (path, against) not in seen:
                seen.add((path, against))
                why = f"matches {clean(against)}" if against else "is not among the files that may be changed"
                yield Broken(f"{clean(path)} was {did} at step {step:,}; it {why}.", step)


def _changed(op: Plain) -> Iterator[tuple[str, str]]:
    """Yield (path, what was done to it) of an op that certainly changed a file."""
    if op["kind"] == "seen" and op["how"] in CHANGES and op.get("withheld") != "uncertain":
        yield op["path"], "changed"
    elif op["kind"] == "gone":
        yield op["path"], "deleted"
    elif op["kind"] == "renamed":
        yield op["path"], "renamed"
        yield op["to"], "made by renaming"


def _matcher(pattern: str) -> Callable[[str], bool]:
    """Return what matches a path; a pattern that begins with `/`, `~` or `..` is outside of the project."""
    folder = pattern.rstrip("/") + "/**" if pattern.endswith("/") else pattern
    compiled = compile_glob(folder)
    within = inside(pattern)

    def matches(path: str) -> bool:
        if inside(path) != within:
            return False
        return compiled.fullmatch(path) is not None if compiled is not None else fnmatchcase(path, folder)

    return matches


def _commands(case: Case, settings: Settings) -> Iterator[Broken]:
    forbidden = [(pattern, pattern.split()) for pattern in settings["never"]]
    for step, op in case.ops():
        if op["kind"] != "tool" or "arguments" not in op:
            continue
        line = command_of(_text(case.timeline, op["arguments"]["blob"]))
        if not line or not any(may_be_in(line, words) for _, words in forbidden):
            continue
        programs = programs_of(line)
        for pattern, words in forbidden:
            if any(is_like(program, words) for program in programs):
                yield Broken(f"{_short(line)} was run at step {step:,}; {clean(pattern)} is forbidden.", step)


def _text(timeline: Timeline, blob: str) -> str:
    try:
        return timeline.content(blob).decode("utf-8", "replace")
    except CcosError:
        return ""


def _window(case: Case, settings: Settings) -> Iterator[Broken]:
    most = settings["most"]
    told = [(op["window"], step) for step, op in _usages(case)]
    if not told:
        yield Broken(f"The limit of {count(most, 'token')} can't be checked: the host recorded no size of the window.")
    elif (fullest := max(told, key=lambda each: (each[0], -each[1])))[0] > most:
        yield Broken(f"The window held {fullest[0]:,} tokens at step {fullest[1]:,}; {most:,} are allowed.", fullest[1])


def _tokens(case: Case, settings: Settings) -> Iterator[Broken]:
    most, spent = settings["most"], case.cost
    total = sum(row.fresh + row.cached + row.stored + row.written for row in spent.rows)
    if not spent.requests:
        yield Broken(f"The limit of {count(most, 'token')} can't be checked: the host recorded no tokens.")
    elif total > most:
        yield Broken(f"{total:,} tokens were billed in {count(spent.requests, 'request')}; {most:,} are allowed.")


def _usages(case: Case) -> Iterator[tuple[int, Plain]]:
    return ((step, op) for step, op in case.ops() if op["kind"] == "usage")


def _cost(case: Case, settings: Settings) -> Iterator[Broken]:
    most, spent = settings["most_usd"], case.cost
    allowed = dollars(int(most * MILLION))
    if not spent.requests:
        yield Broken(f"The limit of {allowed} can't be checked: the host recorded no tokens.")
    elif spent.micros is not None and spent.micros > most * MILLION:
        yield Broken(f"{dollars(spent.micros)} at list prices of {spent.prices}; the limit is {allowed}.")
    elif spent.unpriced:
        requests = count(spent.unpriced, "request")
        yield Broken(f"The limit of {allowed} can't be checked: {requests} of models without a known price.")


def _short(text: str) -> str:
    return clean(one_line(text, WORDS_LONGEST))


JUDGES: Mapping[str, Judge] = {
    "failing": _failing,
    "loops": _loops,
    "secrets": _secrets,
    "edits": _edits,
    "commands": _commands,
    "window": _window,
    "tokens": _tokens,
    "cost": _cost,
}
LIMITS: Mapping[str, str] = {"window": "most", "tokens": "most", "cost": "most_usd"}
"""Rule → the option without which it is off."""


def is_on(name: str, settings: Settings) -> bool:
    """Whether a rule is checked."""
    return bool(settings["on"]) and (name not in LIMITS or settings[LIMITS[name]] is not None)
