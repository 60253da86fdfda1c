"""Suspects and verdicts in sentences: why each file is suspected, with the evidence by step."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import TYPE_CHECKING

from ccos_core.query.autopsy.answer import Evidence, Suspect
from ccos_core.query.autopsy.case import Case
from ccos_core.query.autopsy.findings.sentences import times
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
"""Score of a file that had to be read again, whatever fails."""
MOST_TRIES = 3
"""Failed attempts listed for each suspect."""

Note = tuple[int, str]
"""A step, and what happened there that counts."""


def suspect_of(drift: Drift, each: Weighed) -> Suspect:
    """Return the suspect for one file of a drift."""
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
        evidence=evidence_of(
            case.work, [*_notes(case, each, circled), *(_circles(loop) if circled and loop else _runs(drift, kind))]
        ),
        score=each.score,
    )


def certainty_of(drift: Drift, each: Weighed) -> str:
    """Return how certain it is that a file is to be suspected."""
    if each.file == drift.about.file:
        return drift.certainty
    circled = drift.loop is not None and each.file == drift.loop.file
    return _certainty(each, drift.loop if circled else None)


def suspect_again(work: Work, reread: Reread) -> Suspect:
    """Return the suspect for a file that left the window and was read again."""
    path = work.deeds.files.path(reread.file)
    before = reread.before
    notes = [
        (before.shown, _shown(work, before.shown)),
        (before.by, "dropped from the agent's window"),
        (reread.step, "read again, unchanged"),
    ]
    why = (
        f"The agent saw it at step {before.shown:,}. "
        f"It left the agent's window at step {before.by:,}{_inferred(before)}, "
        f"and the agent read it again at step {reread.step:,}, unchanged."
    )
    return Suspect(
        node=file_node(path),
        kind="reread",
        certainty=certainty_of_other(reread),
        why=why,
        symbols=(),
        path=(),
        evidence=evidence_of(work, notes),
        score=KNOWN_ONCE + reread.need,
    )


def certainty_of_other(each: Reread | Returned) -> str:
    """Return how certain it is that a file was read again, or put back."""
    recorded = each.before.recorded if isinstance(each, Reread) else each.recorded
    return "certain" if recorded else "likely"


def suspect_returned(work: Work, each: Returned) -> Suspect:
    """Return the suspect for a file that was put back to an earlier state several times."""
    path = work.deeds.files.path(each.file)
    read = "" if each.recorded else " (inferred from the commands, since not all texts in between are recorded)"
    why = (
        f"It was put back to an earlier state {times(len(each.backs))} between steps {each.backs[0].step:,} and "
        f"{each.backs[-1].step:,}{read}. No recorded failure explains that."
    )
    return Suspect(
        node=file_node(path),
        kind="loop",
        certainty=certainty_of_other(each),
        why=why,
        symbols=(),
        path=(),
        evidence=evidence_of(work, [(back.step, _put_back(back)) for back in each.backs]),
        score=KNOWN_ONCE + len(each.backs),
    )


def verdict_returned(work: Work, each: Returned) -> str:
    """Say which file was put back how often."""
    path, first, count = work.deeds.files.path(each.file), each.backs[0].step, times(len(each.backs))
    return f"From step {first:,} on {path} was put back to an earlier state {count}, and no failure explains it."


def verdict_reread(rereads: Sequence[Reread]) -> str:
    """Say how many files had to be read again because the context was cut."""
    files = len({each.file for each in rereads})
    which = "a file" if files == 1 else f"{files:,} files"
    return f"The agent's context was cut at step {rereads[0].before.by:,}, and it had to read {which} again, unchanged."


def step_of(drift: Drift) -> int:
    """Return the step at which a file left the window, or at which the agent began to look in the wrong place."""
    about, loop = drift.about, drift.loop
    if drift.kind == "loop":
        return loop.steps[1] if loop is not None else drift.idle[1]
    if about.missed is not None:
        return about.missed.by
    return about.neglected[0].first if about.neglected else drift.case.attempts[0].first


def last_of(drift: Drift) -> int:
    """Return the last step of a drift: the end of the failure, or the last run that reported it."""
    return max(drift.case.trouble.end or drift.case.trouble.told[-1], step_of(drift))


def node_of(work: Work, file: int) -> str:
    """Return the node of a file."""
    return file_node(work.deeds.files.path(file))


def verdict_of(drift: Drift) -> str:
    """Say what went wrong with the work on a failure."""
    case, path = drift.case, drift.case.deeds.files.path(drift.about.file)
    step = step_of(drift)
    if drift.loop is not None and (drift.kind == "loop" or (drift.kind == "untouched" and drift.loop.returns)):
        circled = case.deeds.files.path(drift.loop.file)
        changed = f"it changed {circled} {times(drift.loop.tries)}, and the failure remained"
        alone = "" if drift.kind == "loop" else f". It didn't touch {path}, which the failure depends on"
        return f"From step {step:,} on the agent went in circles: {changed}{alone}."
    if drift.kind == "loop":
        again = times(len(drift.idle) - 1)
        return f"From step {step:,} on the agent repeated a failing run {again} without changing anything."
    instead = _instead(case, drift.about)
    if drift.kind == "stale":
        return f"At step {step:,} {path} changed, and the agent did not see the change{instead}."
    if drift.kind in ("evicted", "reread"):
        return f"At step {step:,} {path} left the agent's window{instead}."
    return f"From step {step:,} on the agent left {path} alone, though the failure may come from it{instead}."


def failure_of(drift: Drift) -> str:
    """Name the failure that a drift is about, and count those that go with it."""
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
        sure = "" if case.green else ", as far as is recorded"
        said.append(f"It was changed at step {each.changed:,}, before the first failing run{sure}.")
    if each.ended:
        over = "seems to have ended" if case.trouble.presumed else "ended"
        said.append(f"The failure {over} at step {case.trouble.end:,}, after this file was changed.")
    elif case.is_tried(each.file) and loop is None:
        said.append("Changing it did not help.")
    return " ".join(said)


def _reason(case: Case, each: Weighed, kind: str, loop: Loop | None) -> str:
    if loop is not None:
        back = f", {times(loop.returns)} back to an earlier text" if loop.returns else ""
        return f"{loop.tries:,} attempts changed it and failed{back}."
    if kind == "loop":
        return "The failure depends on it, and the agent repeated the run without changing it."
    tries = len(each.neglected)
    tried = f"{tries:,} {'attempt' if tries == 1 else 'attempts'} did not touch it"
    if each.missed is not None:
        during = f" In {len(each.blind):,} of them" if len(each.blind) != tries else " Meanwhile"
        again = f", until the agent read it again at step {each.reread:,}" if each.reread else ""
        return f"{tried}.{during} {_state(each.missed)}{again}."
    if not tries:
        return "The failure depends on it." if case.upstream.has(each.file) else "It was changed while the test failed."
    return f"{tried}{', though the failure depends on it' * case.upstream.has(each.file)}."


def _put_back(back: Back) -> str:
    return f"the same text again as at step {back.was:,}" if back.recorded else "put back by a command"


def _state(missed: Standing) -> str:
    if missed.state == STALE:
        return f"the agent had the text from before step {missed.by:,}"
    if missed.state == UNCERTAIN:
        return f"it may have left the agent's window, which shrank at step {missed.by:,}"
    return f"it was out of the agent's window since step {missed.by:,}{_inferred(missed)}"


def _inferred(missed: Standing) -> str:
    """Say that a loss is inferred, unless the host says what it kept."""
    return "" if missed.recorded else " (inferred)"


def _shown(work: Work, step: int) -> str:
    return "edited by the agent" if work.deeds.is_edit(step) else "read by the agent"


def _instead(case: Case, about: Weighed) -> str:
    if not about.neglected:
        return ""
    files = list(dict.fromkeys(file for attempt in about.neglected for file in attempt.files))
    paths = [case.deeds.files.path(file) for file in files[:2]]
    more = f" and {len(files) - 2:,} more" if len(files) > 2 else ""
    return f"; the agent edited {', '.join(paths)}{more} instead"


# -- evidence ---------------------------------------------------------------------------------------------------------


def _notes(case: Case, each: Weighed, circled: bool) -> Iterator[Note]:
    """Yield what happened to a file during a failure; changes in circles have notes of their own."""
    trouble = case.trouble
    if each.changed:
        yield each.changed, "changed before the first failing run"
    yield trouble.begin, "first failing run"
    if each.missed is not None:
        yield each.missed.shown, _shown(case.work, each.missed.shown)
        yield each.missed.by, _MISSED[each.missed.state]
    for attempt in each.neglected[:MOST_TRIES]:
        yield attempt.first, f"edited {case.deeds.files.path(next(iter(attempt.files)))} instead"
        if attempt.told:
            yield attempt.told, "still fails"
    if each.reread:
        yield each.reread, "read again"
    if circled:
        return
    for attempt in [attempt for attempt in case.attempts if each.file in attempt.files][:MOST_TRIES]:
        yield attempt.files[each.file][0], "changed, still fails" if attempt.told else "changed"
    if each.ended:
        yield case.last[each.file][-1], "changed"
        yield trouble.end, "the same command no longer reports it" if trouble.presumed else "passes"


_MISSED = {
    STALE: "changed, and the agent did not see it",
    OUT: "dropped from the agent's window",
    UNCERTAIN: "the context shrank; what was dropped is not recorded",
}


def _circles(loop: Loop) -> Iterator[Note]:
    for at, step in enumerate(loop.steps):
        again = "changed back" if step in loop.back else "changed again" if at else "changed"
        yield step, f"{again}, still fails"


def _runs(drift: Drift, kind: str) -> Iterator[Note]:
    for step in drift.idle[1 : MOST_TRIES + 1] if kind == "loop" else ():
        yield step, "run again, nothing changed"


def evidence_of(work: Work, notes: Iterable[Note]) -> tuple[Evidence, ...]:
    """Return notes as evidence in the order of the steps, each step once."""
    words: dict[int, list[str]] = {}
    for step, said in sorted(notes, key=lambda note: note[0]):
        if said not in words.setdefault(step, []):
            words[step].append(said)
    return tuple(
        Evidence(step, "; ".join(said), told(work.deeds.timeline, step)) for step, said in sorted(words.items())
    )
