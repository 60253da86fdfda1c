"""`reflect`: read the sessions that weren't read yet, and record what they teach in the playbook of a workspace.

find_unprocessed → diary → reflect → validate → curate. The steps are pure (`learn/reflecting.py`, `query/playbook`);
here is what they need from outside, and the one transaction in which a run records all it has to say. There is no state
beside the record: how far a session was read, what it showed and what was rejected are `distilled` ops. Of two runs at
once the second finds that the record has grown, plans anew, and has nothing left to say.
"""

from __future__ import annotations

import os
from collections.abc import Collection, Iterable, Iterator, Sequence
from contextlib import ExitStack, nullcontext
from dataclasses import asdict, dataclass, replace
from typing import TYPE_CHECKING, Any, ClassVar

import numpy as np

from ccos_core.errors import CcosError, Refused
from ccos_core.learn.observed import INSTRUCTION, Observation, as_json, from_json
from ccos_core.learn.proposing import proposals
from ccos_core.learn.reflecting import (
    LOOKBACK_DAYS,
    MOST_SESSIONS,
    OLDER,
    REJECT,
    Delta,
    KnownRule,
    Source,
    Verdict,
    curate,
    find_unprocessed,
    reflect,
    reflector_of,
    validate,
)
from ccos_core.learn.rule import KINDS
from ccos_core.learn.similar import likeness_of
from ccos_core.memory.view import ANY, OWNER, View
from ccos_core.present.parts import and_more
from ccos_core.present.rows import Row, Span, clean, heading, note, row, title
from ccos_core.present.rows import View as Shown
from ccos_core.present.words import count
from ccos_core.query.contexts import contexts_of
from ccos_core.query.op_text import text_of
from ccos_core.query.playbook.diary import SessionDiary, session_diaries
from ccos_core.query.playbook.observing import observations
from ccos_core.query.remembered import remembered_until
from ccos_core.query.saying.utterance import memo_id
from ccos_core.query.viewed import view_at_head, viewed
from ccos_core.replay.codes import KIND_CODES, NO_TIME
from ccos_core.session.journaling import timeline_of
from ccos_core.session.listing import is_below, listed
from ccos_core.session.model_run import ModelRun, ModelUse
from ccos_core.session.named import find_record
from ccos_core.session.session import open_session, root_of
from ccos_core.session.settings import recording_allowed
from ccos_core.storage.opening import open_record
from ccos_core.text.retrieval.carried import normalised_words
from ccos_core.values.canon import canonical, digest, parse, plain

if TYPE_CHECKING:
    from ccos_core.learn.proposing import Proposal
    from ccos_core.replay.timeline import Timeline
    from ccos_core.session.makers import Maker

MAKER = "ccos"
"""Who made what a run without a model distils."""
OWN_PROJECT = ""
"""What an observation says of where it was made if that is the project of the workspace. What is done in another bears
no rule here."""
ATTEMPTS = 3
"""Times that a run plans anew because something else was recorded meanwhile."""
SHOWN = 10


@dataclass(frozen=True, slots=True)
class LeftOut:
    """A session that wasn't read."""

    session: str
    reason: str
    """Why not."""


@dataclass(frozen=True, slots=True)
class Judged:
    """A change of the playbook, and what the validator says of it."""

    verdict: str
    """`ACCEPT`, `ACCEPT_WITH_CAUTION` or `REJECT`."""

    kind: str
    """`add`, `helpful`, `harmful`, `replace`, `deprecate` or `merge`."""

    memo: str
    """The id of the rule."""

    words: str
    """What the rule says; empty for one that is known."""

    reason: str
    """Why it was accepted or rejected."""


@dataclass(frozen=True, slots=True)
class Reflection:
    """The answer to `reflect`."""

    schema: ClassVar[str] = "ccos.reflection/1"
    dry_run: bool
    """Whether nothing was recorded."""

    diaries: tuple[SessionDiary, ...]
    """Of the sessions that were read."""

    left_out: tuple[LeftOut, ...]
    """Sessions that weren't read."""

    observed: int
    """How many things these sessions show that weren't known."""

    judged: tuple[Judged, ...]
    """What was proposed, and what came of it."""

    ops: tuple[str, ...]
    """What was recorded or, in a dry run, would be: the kind of each op and what it is about."""

    model: ModelUse | None = None
    """What a model was asked, or would be; null if none was to be."""

    def as_rows(self, view: Shown) -> Sequence[Row]:
        return list(_rows(self, view))


@dataclass(frozen=True, slots=True)
class _Kept:
    """What the record knows of earlier runs."""

    cursors: dict[tuple[str, str], int]
    observations: tuple[Observation, ...]
    rejected: frozenset[tuple[str, str]]
    """(memo, reason) of what was rejected before."""


@dataclass(frozen=True, slots=True)
class _Plan:
    head: int
    answer: Reflection
    ops: tuple[dict[str, Any], ...]


def reflect_on(
    ws: str,
    paths: Sequence[str],
    *,
    now: int,
    days: int = LOOKBACK_DAYS,
    limit: int = MOST_SESSIONS,
    agents: Collection[str] = (),
    dry_run: bool = False,
    principal: str = OWNER,
    maker: Maker | None = None,
) -> Reflection:
    """Read new sessions and record what they teach; `paths` are workspaces and transcripts besides `ws` itself.

    Without paths, those are the sessions on this machine that began in the project of `ws`. A `maker` is asked about
    them, too."""
    if not dry_run:
        recording_allowed()
    run = ModelRun(maker, dry_run=dry_run) if maker is not None else None
    with run.lock(find_record(ws)) if run is not None and not dry_run else nullcontext():
        for _ in range(ATTEMPTS):
            plan = _planned(ws, paths, now, days, limit, agents, principal, run)
            if dry_run or not plan.ops or _recorded(ws, plan, now):
                return Reflection(**{**_fields(plan.answer), "dry_run": dry_run})
    raise Refused("something else is recording there", place=ws, hint="Try again when it has ended.")


def _fields(answer: Reflection) -> dict[str, Any]:
    return {name: getattr(answer, name) for name in Reflection.__slots__}


def _recorded(ws: str, plan: _Plan, now: int) -> bool:
    """Record a plan in one transaction; return whether the record is as it was when it was planned."""
    with open_session(ws, stay=False, clock=lambda: now) as session:
        admitted = [session.admit(op) for op in plan.ops]

        def check(_: object, steps: list[int]) -> None:
            if steps[0] != plan.head + 1:
                raise _Grown

        try:
            session.append(admitted, check)
        except _Grown:
            return False
    return True


class _Grown(Exception):
    """The record has grown since a plan was made."""


def _planned(
    ws: str,
    paths: Sequence[str],
    now: int,
    days: int,
    limit: int,
    agents: Collection[str],
    principal: str,
    run: ModelRun | None,
) -> _Plan:
    with ExitStack() as stack:
        home = timeline_of(stack.enter_context(open_record(find_record(ws))))
        view = view_at_head(home, principal)
        allowed = frozenset(agents)
        if ANY not in view.grant.agents:
            granted = frozenset(view.grant.agents)
            allowed = (allowed & granted if allowed else granted) or frozenset((principal,))
        found = {each: (timeline, project) for timeline, path, project in _timelines(stack, home, ws, paths, principal)
                 for each in _sources(timeline, path, is_own=path == ws)}  # fmt: skip
        seen = _seen(home, principal)
        kept = _kept(seen)
        chosen, left = find_unprocessed(found, kept.cursors, now, days, limit, allowed)
        diaries: list[SessionDiary] = []
        observed: list[Observation] = []
        ops: list[dict[str, Any]] = []
        for source in chosen:
            timeline, project = found[source]
            diary, shown = _read(timeline, source, project, kept.cursors.get(source.key, 0), kept.observations)
            diaries.append(diary)
            observed += shown
            ops += _diary_ops(home, source, diary, shown, view)
        known = _known(seen)
        every = proposals(each for each in (*kept.observations, *observed) if each.project == OWN_PROJECT)
        use, proposed, kept_answer = (
            run.propose(seen, [(_diary_memo(each), each) for each in diaries], now, _memo_of)
            if run is not None
            else (None, (), ())
        )
        ops += kept_answer
        without = reflector_of([(_memo_of(each.words), each) for each in every], known)
        deltas = reflect(lambda before: (*without(before), *_unlike(proposed, every)))
        verdicts = [validate(each, known) for each in deltas]
        verdicts = [each for each in verdicts if (each.delta.memo, each.reason) not in kept.rejected]
        ops += (op for each in verdicts for op in (*_rejected(each), *curate(each)))
        answer = Reflection(
            dry_run=False,
            diaries=tuple(diaries),
            left_out=tuple(LeftOut(each.session, why) for each, why in left),
            observed=len(observed),
            judged=tuple(
                Judged(each.verdict, each.delta.kind, each.delta.memo, each.delta.words, each.reason)
                for each in verdicts
            ),
            ops=tuple(map(_described, ops)),
            model=use,
        )
        return _Plan(home.head, answer, tuple(ops))


# ---- what there is to read ----


def _timelines(
    stack: ExitStack, home: Timeline, ws: str, paths: Sequence[str], principal: str
) -> Iterator[tuple[Timeline, str, str]]:
    """Yield the timelines of the workspace and the others, as the principal may see them, with path and project."""
    yield _seen(home, principal), ws, OWN_PROJECT
    seen = {os.path.realpath(find_record(ws))}
    own = root_of(stack.enter_context(open_record(find_record(ws))))
    for path in paths or _beside(ws):
        try:
            record = find_record(path)
            if os.path.realpath(record) in seen:
                continue
            seen.add(os.path.realpath(record))
            opened = stack.enter_context(open_record(record))
            timeline, root = timeline_of(opened), root_of(opened)
        except CcosError:
            if paths:
                raise
            continue
        is_own = root == own or (own != "" and is_below(root, own))
        project = OWN_PROJECT if is_own else digest(root.encode("utf-8", "surrogatepass")).hex()[:16]
        yield _seen(timeline, principal), path, project


def _seen(timeline: Timeline, principal: str) -> Timeline:
    return timeline if principal == OWNER else viewed(timeline, view_at_head(timeline, principal))


def _beside(ws: str) -> list[str]:
    """Return the transcripts of the sessions that began in the project of a workspace."""
    with open_session(ws, stay=False) as session:
        root = session.root
    return [each.path for each in listed().sessions if root and is_below(each.project, root)]


def _sources(timeline: Timeline, path: str, *, is_own: bool) -> Iterator[Source]:
    steps = timeline.journal.steps
    by_session: dict[tuple[str, str], list[int]] = {}
    for number, each in contexts_of(timeline).items():
        if each.session:
            by_session.setdefault((each.host, each.session), []).append(number)
    for (host, session), numbers in by_session.items():
        rows = np.flatnonzero(np.isin(steps["context"], numbers))
        times = steps["at"][rows]
        known = times[times != NO_TIME]
        yield Source(host, session, path, int(rows[-1]) + 1, int(known.max()) if len(known) else None, is_own)


def _read(
    timeline: Timeline, source: Source, project: str, cursor: int, kept: Iterable[Observation]
) -> tuple[SessionDiary, list[Observation]]:
    """Return the diary of a session, and what it shows beyond the step it was read to."""
    journal, head = timeline.journal, timeline.head  # all sessions of a record are read at once
    diaries = journal.once("diaries", lambda: session_diaries(timeline, head, None, lambda done, total: None))
    seen = journal.once("observations", lambda: observations(timeline, head))
    diary: SessionDiary = next(each for each in diaries if (each.host, each.session) == source.key)
    every = [replace(each, project=project) for each in seen if each.session in (source.session, "")]
    if not source.is_own:  # what the files of another workspace say holds there
        every = [each for each in every if each.kind != INSTRUCTION]
    known = set(kept)
    return diary, [each for each in every if each not in known and (not each.steps or each.steps[-1] > cursor)]


# ---- what the record keeps ----


def _kept(home: Timeline) -> _Kept:
    cursors: dict[tuple[str, str], int] = {}
    shown: dict[Observation, None] = {}
    rejected: set[tuple[str, str]] = set()
    steps = (np.flatnonzero(home.journal.steps["kind"] == KIND_CODES["distilled"]) + 1).tolist()
    for step in steps:
        op = home.op(step)
        if op["maker"] != MAKER or op["what"] not in ("diary", "deltas", "validation"):
            continue
        result = parse(text_of(home, op["result"]).encode())
        if op["what"] == "diary":
            cursors[result["host"], result["session"]] = result["last"]
        elif op["what"] == "deltas":
            shown.update((from_json(canonical(each)), None) for each in result)
        else:
            rejected.add((result["memo"], result["reason"]))
    return _Kept(cursors, tuple(shown), frozenset(rejected))


def _known(home: Timeline) -> dict[str, KnownRule]:
    every = remembered_until(home, home.head)
    return {
        memo: KnownRule(
            each.standing,
            frozenset(evidence.session for evidence in each.evidence if evidence.session),
            each.text if each.cls in KINDS else "",
        )
        for memo, each in every.items()
    }


def _diary_ops(
    home: Timeline, source: Source, diary: SessionDiary, shown: Sequence[Observation], view: View
) -> Iterator[dict[str, Any]]:
    """Yield what a session's diary and observations are recorded as; a read of another record is a recall."""
    page = plain(asdict(diary))
    told = canonical(page)
    if not source.is_own:
        yield {
            "kind": "recall",
            "lens": f"diary:{source.session}",
            "budget": len(told),
            "computed_at": home.head,
            "parameters": {},
            "items": [],
            "window": digest(told).hex(),
            "principal": view.principal,
            **({"policy": view.policy} if view.policy else {}),
        }
    words, memo = _diary_words(diary), _diary_memo(diary)
    yield {
        "kind": "remembered",
        "memo": memo,
        "class": "diary",
        "words": words,
        "scope": "project",
        "tags": [f"session:{source.session}"],
        "inferred": True,
    }
    yield _distilled("diary", memo, {"host": source.host, "session": source.session, "last": source.last,
                                     "diary": page}, digest(told).hex())  # fmt: skip
    if shown:
        yield _distilled("deltas", memo, [parse(as_json(each)) for each in shown], digest(told).hex())


def _diary_words(diary: SessionDiary) -> str:
    named = f"{diary.host} {diary.session}"
    return f"{named}: {diary.about}" if diary.about else named


def _diary_memo(diary: SessionDiary) -> str:
    return _memo_of(_diary_words(diary))


def _memo_of(words: str) -> str:
    return memo_id(tuple(normalised_words(words)))


def _unlike(proposed: Iterable[Delta], every: Sequence[Proposal]) -> Iterator[Delta]:
    """Yield the deltas of a model that say nothing that the sessions were found to show without one."""
    yield from (each for each in proposed if not any(likeness_of(each.words, one.words) for one in every))


def _rejected(verdict: Verdict) -> Iterator[dict[str, Any]]:
    """Yield what keeps a rejection, with its reason."""
    if verdict.verdict == REJECT:
        delta: Delta = verdict.delta
        said = {"verdict": REJECT, "memo": delta.memo, "kind": delta.kind, "words": delta.words}
        yield _distilled("validation", delta.memo, {**said, "reason": verdict.reason}, "")


def _distilled(what: str, memo: str, result: Any, source: str) -> dict[str, Any]:
    asked = {"asked": source} if source else {}
    return {"kind": "distilled", "what": what, "maker": MAKER, "of": [memo], **asked,
            "result": canonical(result).decode("utf-8", "surrogatepass")}  # fmt: skip


def _described(op: dict[str, Any]) -> str:
    about = op.get("memo") or op.get("claim") or op.get("lens") or op.get("what") or ""
    return f"{op['kind']} {about}".strip()


# ---- its rows ----

ROLES = {"ACCEPT": "good", "ACCEPT_WITH_CAUTION": "note", "REJECT": "bad"}


def _rows(answer: Reflection, view: Shown) -> Iterator[Row]:
    """One part for each step of the run."""
    read, left = count(len(answer.diaries), "session"), len(answer.left_out)
    yield title(f"{read} read, {left:,} left out{', nothing recorded' if answer.dry_run else ''}")
    reasons: dict[str, int] = {}
    for each in answer.left_out:
        reasons[each.reason] = reasons.get(each.reason, 0) + 1
    yield from (note(f"  {size:,} {clean(reason)}{_way_on(reason)}") for reason, size in reasons.items())
    if answer.diaries:
        yield heading("diary")
    some, more = view.some(answer.diaries, SHOWN)
    for diary in some:
        parts = ", ".join(
            count(len(each.entries) + each.more, clean(each.name).removesuffix("s")) for each in diary.sections
        )
        said = Span(f"  {clean(diary.about)}", "quiet")
        yield row(f"  {clean(diary.host)} {clean(diary.session)}  {parts or 'nothing'}", said)
    yield from and_more(more, "session")
    if answer.model is not None:
        yield from _model_rows(answer.model, dry_run=answer.dry_run)
    yield heading(f"reflect: {answer.observed:,} new observations, {count(len(answer.judged), 'change')} proposed")
    if answer.judged:
        yield heading("validate")
    for judged in answer.judged:
        verdict = Span(f"  {clean(judged.verdict.replace('_', ' ').lower())}  ", ROLES.get(judged.verdict, ""))
        rule = clean(judged.words or judged.memo)
        yield row(verdict, f"{clean(judged.kind)}  {rule}", Span(f"  {clean(judged.reason)}", "quiet"))
    yield heading(f"curate: {count(len(answer.ops), 'op')}{' would be recorded' if answer.dry_run else ' recorded'}")
    some_ops, more = view.some(answer.ops, SHOWN) if answer.dry_run else ((), 0)
    yield from (note(f"  {clean(each)}") for each in some_ops)
    yield from and_more(more, "op")


def _way_on(reason: str) -> str:
    """Name the option that changes why a session was left out."""
    return ": --days DAYS reads them" if reason.startswith(OLDER) else ""


def _model_rows(use: ModelUse, *, dry_run: bool) -> Iterator[Row]:
    """Say what a model was asked and what that cost; in a dry run, all that would leave this program."""
    yield heading(f"model: {clean(use.maker.removeprefix('model:'))}")
    yield note(f"  {clean(use.destination)}; {max(use.left, 0):,} tokens and {max(use.calls_left, 0):,} calls are left")
    if use.problem:
        yield row("  not asked: " if not use.sessions else "  ", Span(clean(use.problem), "bad"))
    elif dry_run:
        yield note(f"  would be sent, with the diaries of {count(len(use.sessions), 'session')}: {use.tokens:,} tokens")
        yield from (note(f"  | {clean(line)}") for line in use.text.splitlines())
    else:
        asked = f"took {use.spent:,} tokens" if use.spent else "was answered before, as the record has it"
        yield note(
            f"  asked about {count(len(use.sessions), 'session')}: {asked}; proposes {count(use.proposed, 'rule')}"
        )
