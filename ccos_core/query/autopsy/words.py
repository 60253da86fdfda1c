"""Suspects in words: why each is one, and step by step what speaks for it."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from ccos_core.query.autopsy.answer import Evidence, Suspect
from ccos_core.query.autopsy.case import Case
from ccos_core.query.autopsy.held import OUT, STALE, UNCERTAIN, Standing
from ccos_core.query.autopsy.judging import Drift, kind_of
from ccos_core.query.autopsy.loops import Loop
from ccos_core.query.autopsy.rereads import Reread
from ccos_core.query.autopsy.returning import Back, Returned
from ccos_core.query.autopsy.troubles import names_of
from ccos_core.query.autopsy.weighing import Weighed
from ccos_core.query.telling import told
from ccos_core.values.ids import file_node

if TYPE_CHECKING:
    from ccos_core.query.autopsy.case import Work

KNOWN_ONCE = 100
"""What speaks for a file that had to be read again, whatever fails."""
MOST_TRIES = 3
"""Failed attempts that are told of each suspect."""

Note = tuple[int, str]
"""A step, and what it has to do with it."""


def suspect_of(drift: Drift, each: Weighed) -> Suspect:
    """One file, as the answer has it."""
    case, loop = drift.case, drift.loop
    about = each.file == drift.about.file
    circled = loop is not None and each.file == loop.file
    kind = drift.kind if about else "loop" if circled else kind_of(each)
    return Suspect(
        node=file_node(case.deeds.files.path(each.file)),
        kind=kind,
        certainty=certainty_of(drift, each),
        why=_why(case, each, kind, loop if circled else None),
        symbols=case.symbols(each.file),
        path=tuple(case.deeds.files.path(file) for file in case.upstream.way(each.file)),
        evidence=_told(
            case.work, [*_notes(case, each, circled), *(_circles(loop) if circled and loop else _runs(drift, kind))]
        ),
        score=each.score,
    )


def certainty_of(drift: Drift, each: Weighed) -> str:
    """Return how sure it is that a file is to be suspected."""
    if each.file == drift.about.file:
        return drift.certainty
    circled = drift.loop is not None and each.file == drift.loop.file
    return _certainty(each, drift.loop if circled else None)


def suspect_again(work: Work, reread: Reread) -> Suspect:
    """A file that was dropped and read again."""
    path = work.deeds.files.path(reread.file)
    before = reread.before
    notes = [
        (before.shown, _shown(work, before.shown)),
        (before.by, "the host dropped what was shown before"),
        (reread.step, "shown again, unchanged"),
    ]
    why = (
        f"The agent knew it from step {before.shown:,}, lost it at step {before.by:,}{_inferred(before)}, and had to "
        f"be shown it again at step {reread.step:,}, unchanged."
    )
    return Suspect(
        node=file_node(path),
        kind="reread",
        certainty=certainty_of_other(reread),
        why=why,
        symbols=(),
        path=(),
        evidence=_told(work, notes),
        score=KNOWN_ONCE + reread.need,
    )


def certainty_of_other(each: Reread | Returned) -> str:
    """The same of a file that was read again, or put back."""
    recorded = each.before.recorded if isinstance(each, Reread) else each.recorded
    return "certain" if recorded else "likely"


def suspect_returned(work: Work, each: Returned) -> Suspect:
    """A file that was put back time and again."""
    path = work.deeds.files.path(each.file)
    read = "" if each.recorded else " (as the commands say: what it was in between isn't known for all of it)"
    why = (
        f"It was put back to what it had been {_times(len(each.backs))} between steps {each.backs[0].step:,} and "
        f"{each.backs[-1].step:,}{read}, and no failure is recorded that would explain it."
    )
    return Suspect(
        node=file_node(path),
        kind="loop",
        certainty=certainty_of_other(each),
        why=why,
        symbols=(),
        path=(),
        evidence=_told(work, [(back.step, _put_back(back)) for back in each.backs]),
        score=KNOWN_ONCE + len(each.backs),
    )


def verdict_returned(work: Work, each: Returned) -> str:
    """What went wrong, in a sentence."""
    path, first, times = work.deeds.files.path(each.file), each.backs[0].step, _times(len(each.backs))
    return f"From step {first:,} on {path} was put back to what it had been {times}, and no failure explains it."


def step_of(drift: Drift) -> int:
    """Where it went wrong: what it needed went out of sight, or it began to look in the wrong place."""
    about, loop = drift.about, drift.loop
    if drift.kind == "loop":
        return loop.steps[1] if loop is not None else drift.idle[1]
    if about.missed is not None:
        return about.missed.by
    return about.neglected[0].first if about.neglected else drift.case.attempts[0].first


def verdict_of(drift: Drift) -> str:
    """What went wrong, in a sentence."""
    case, path = drift.case, drift.case.deeds.files.path(drift.about.file)
    step = step_of(drift)
    if drift.kind == "loop" and drift.loop is not None:
        return f"From step {step:,} on the same was tried again: {path} was changed {_times(drift.loop.tries)}."
    if drift.kind == "loop":
        return f"From step {step:,} on the same was run {_times(len(drift.idle) - 1)} more, and nothing was changed."
    instead = _instead(case, drift.about)
    if drift.kind == "stale":
        return f"At step {step:,} {path} became another than the agent knew{instead}."
    if drift.kind in ("evicted", "reread"):
        return f"At step {step:,} {path} went out of the window{instead}."
    return f"From step {step:,} on the work went past {path}{instead}."


def failure_of(drift: Drift) -> str:
    """What the trouble is called."""
    names = names_of(drift.case.deeds, drift.case.trouble.keys)
    return names[0] + (f" and {len(names) - 1:,} more" if len(names) > 1 else "")


# -- why --------------------------------------------------------------------------------------------------------------


def _certainty(each: Weighed, loop: Loop | None) -> str:
    if loop is not None:
        return "certain" if loop.returns else "likely"
    if each.ended and (each.missed is not None or each.neglected):
        return "likely"
    return "likely" if each.changed and each.missed is not None else "possible"


def _why(case: Case, each: Weighed, kind: str, loop: Loop | None) -> str:
    said = [_reason(case, each, kind, loop)]
    if each.changed:
        sure = "" if case.green else ", as far as is known"
        said.append(f"It was changed at step {each.changed:,}, before the failure began{sure}.")
    if each.ended:
        over = "was presumably" if case.trouble.presumed else "was"
        said.append(f"The failure {over} over at step {case.trouble.end:,}, after it was changed.")
    elif case.is_tried(each.file) and loop is None:
        said.append("Changing it did not help.")
    return " ".join(said)


def _reason(case: Case, each: Weighed, kind: str, loop: Loop | None) -> str:
    if loop is not None:
        back = f", {_times(loop.returns)} back to what it had been" if loop.returns else ""
        return f"It was changed in {loop.tries:,} attempts that failed{back}."
    if kind == "loop":
        return "The failure depends on it, and it was left alone while the same was run again and again."
    tries = len(each.neglected)
    tried = f"{tries:,} {'attempt was' if tries == 1 else 'attempts were'} made without it"
    if each.missed is not None:
        during = f" in {len(each.blind):,} of these" if len(each.blind) != tries else ""
        again = f", until the agent was shown it again at step {each.reread:,}" if each.reread else ""
        return f"{tried}:{during} {_state(each.missed)}{again}."
    if not tries:
        return "The failure depends on it." if case.upstream.has(each.file) else "It was changed while this failed."
    return f"{tried}{', though the failure depends on it' * case.upstream.has(each.file)}."


def _put_back(back: Back) -> str:
    return f"again what it was at step {back.was:,}" if back.recorded else "overwritten by what it had been"


def _state(missed: Standing) -> str:
    if missed.state == STALE:
        return f"the agent knew it as it had been before step {missed.by:,}"
    if missed.state == UNCERTAIN:
        return f"it may have left the window, which shrank at step {missed.by:,}"
    return f"it was out of the window since step {missed.by:,}{_inferred(missed)}"


def _inferred(missed: Standing) -> str:
    """What is dropped is sure only where the host says what it kept."""
    return "" if missed.recorded else " (inferred: what was kept isn't recorded)"


def _shown(work: Work, step: int) -> str:
    return "the agent changes it" if work.deeds.is_edit(step) else "the agent is shown it"


def _instead(case: Case, about: Weighed) -> str:
    if not about.neglected:
        return ""
    files = list(dict.fromkeys(file for attempt in about.neglected for file in attempt.files))
    paths = [case.deeds.files.path(file) for file in files[:2]]
    more = f" and {len(files) - 2:,} more" if len(files) > 2 else ""
    return (
        f", and {', '.join(paths)}{more} changed in its place"
        if about.missed is None
        else (f"; {', '.join(paths)}{more} changed without it")
    )


def _times(count: int) -> str:
    return {1: "once", 2: "twice"}.get(count, f"{count:,} times")


# -- evidence ---------------------------------------------------------------------------------------------------------


def _notes(case: Case, each: Weighed, circled: bool) -> Iterator[Note]:
    """What a file has to do with a trouble; how it was changed in circles is told apart from that."""
    trouble = case.trouble
    if each.changed:
        yield each.changed, "changed, before the failure began"
    yield trouble.begin, "the failure is told for the first time"
    if each.missed is not None:
        yield each.missed.shown, _shown(case.work, each.missed.shown)
        yield each.missed.by, _MISSED[each.missed.state]
    for attempt in each.neglected[:MOST_TRIES]:
        yield attempt.first, f"{case.deeds.files.path(next(iter(attempt.files)))} is changed instead"
        if attempt.told:
            yield attempt.told, "it fails again"
    if each.reread:
        yield each.reread, "shown again"
    if circled:
        return
    for attempt in [attempt for attempt in case.attempts if each.file in attempt.files][:MOST_TRIES]:
        yield attempt.files[each.file][0], "changed, and it still fails" if attempt.told else "changed"
    if each.ended:
        yield case.last[each.file][-1], "changed"
        yield trouble.end, "the same is run, and tells nothing of it" if trouble.presumed else "the failure is over"


_MISSED = {
    STALE: "changed, and the agent isn't shown how",
    OUT: "the host dropped what was shown before",
    UNCERTAIN: "the recorded context shrank; what was dropped isn't recorded",
}


def _circles(loop: Loop) -> Iterator[Note]:
    for at, step in enumerate(loop.steps):
        again = "changed back to what it had been" if step in loop.back else "changed once more" if at else "changed"
        yield step, f"{again}, and it still fails"


def _runs(drift: Drift, kind: str) -> Iterator[Note]:
    for step in drift.idle[1 : MOST_TRIES + 1] if kind == "loop" else ():
        yield step, "it is run again, and nothing was changed"


def _told(work: Work, notes: list[Note]) -> tuple[Evidence, ...]:
    """In the order of the steps, each step once."""
    words: dict[int, list[str]] = {}
    for step, said in sorted(notes, key=lambda note: note[0]):
        if said not in words.setdefault(step, []):
            words[step].append(said)
    return tuple(
        Evidence(step, "; ".join(said), told(work.deeds.timeline, step)) for step, said in sorted(words.items())
    )
