"""How the session ended: with a failing run, with a submission after one, by an error or a limit, by an interruption.

The last run is the last call of the main conversation that tests, builds, checks or runs a script. Whether a script
that the agent wrote itself should fail isn't known, so what is said about one is `likely` at most.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from ccos_core.errors import CcosError
from ccos_core.query.autopsy.answer import Finding
from ccos_core.query.autopsy.findings.calls import is_check, plain, runs_of
from ccos_core.query.autopsy.troubles import names_of
from ccos_core.query.autopsy.words import Note, evidence_of
from ccos_core.replay.codes import KIND_CODES

if TYPE_CHECKING:
    from ccos_core.query.autopsy.case import Work

MOST_CALLS = 400
"""Calls before the end among which the last run is looked for."""
MOST_NAMES = 3
"""Failures that a sentence names."""
LAST_STEPS = 6
"""Steps before the end in which an error or an interruption is what ended it."""
WEIGHT_SUBMITTED, WEIGHT_ERROR, WEIGHT_RED, WEIGHT_INTERRUPTED = 880, 640, 360, 300
_LIMITS = ("limit", "cost", "context", "budget", "max_", "maxsteps", "timeout")
_ERRORS = ("error", "exception", "api", "abort", "fail", "exit_")


class Run(NamedTuple):
    """The last run of a session."""

    step: int
    is_red: bool
    is_script: bool
    """Whether it is a script, and no runner of tests and no build."""
    what: str
    names: tuple[str, ...] = ()
    """What failed in it, as far as it is known by name."""


def find(work: Work) -> Iterator[Finding]:
    """Yield what there is to say about the end."""
    status, ended = _status(work)
    run = _last_run(work)
    submitted = _submitted(work, run.step if run else 0) or (ended if status.startswith("submit") else 0)
    if run is not None and run.is_red:
        yield _red(work, run, submitted)
    yield from _broken_off(work, status, ended)


def _red(work: Work, run: Run, submitted: int) -> Finding:
    later = len(work.deeds.edits_in(run.step, work.deeds.upto))
    notes: list[Note] = [(run.step, "the last run fails")]
    named = f": {', '.join(run.names[:MOST_NAMES])}" if run.names else ""
    more = f" and {len(run.names) - MOST_NAMES:,} more" if len(run.names) > MOST_NAMES else ""
    certainty = "likely" if run.is_script or later else "certain"
    if submitted:
        notes.append((submitted, "the work is handed in"))
        failed = f"the last run (`{run.what}`, step {run.step:,}) failed{named}{more}"
        says = f"The work was handed in at step {submitted:,}, though {failed}."
        is_drift = certainty == "certain" and bool(run.names)
        weight = WEIGHT_SUBMITTED if is_drift else WEIGHT_RED + 10
        return Finding("submitted", certainty, is_drift, run.step, submitted, says, evidence_of(work, notes), weight)
    changed = f" {later:,} {'change was' if later == 1 else 'changes were'} made after it." if later else ""
    says = f"The last run failed (`{run.what}`, step {run.step:,}){named}{more}.{changed}"
    return Finding("red", certainty, False, run.step, run.step, says, evidence_of(work, notes), WEIGHT_RED)


def _broken_off(work: Work, status: str, ended: int) -> Iterator[Finding]:
    """Say that the session ended by an error, a limit or an interruption."""
    step, stop, detail = _last_turn(work)
    if status and not status.startswith("submit"):
        stop = _kind_of(status) or stop
        step, detail = ended, status
    if stop in ("error", "limit"):
        by = "a limit" if stop == "limit" else "an error of the model's service"
        by = "the model, which refused to answer" if detail == "refusal" else by
        named = f" ({detail[:80]})" if detail else ""
        says = f"At step {step:,} the work was ended by {by}{named}."
        notes = [(step, f"ended by {by}")]
        yield Finding(stop, "certain", False, step, step, says, evidence_of(work, notes), WEIGHT_ERROR)
        return
    near_end = work.deeds.before(work.deeds.upto, LAST_STEPS)
    interrupted = [at for at in work.prompts.interruptions if at >= near_end]
    if interrupted and _is_last_word(work, interrupted[-1]):
        at = interrupted[-1]
        says = f"The user interrupted the agent at step {at:,}, and the request was not finished."
        notes = [(at, "the user interrupts the agent")]
        yield Finding("interrupted", "certain", False, at, at, says, evidence_of(work, notes), WEIGHT_INTERRUPTED)


def _kind_of(status: str) -> str:
    """What an end is, by the host's word for it: `limit`, `error`, or empty."""
    said = status.lower()
    if any(word in said for word in _LIMITS):
        return "limit"
    return "error" if any(word in said for word in _ERRORS) else ""


def _status(work: Work) -> tuple[str, int]:
    """The host's word for how the session ended, in lower case, and its step; nothing where it says none."""
    deeds = work.deeds
    kinds = deeds.journal.steps["kind"][: deeds.upto]
    for step in reversed(
        (np.nonzero(kinds[-LAST_STEPS:] == KIND_CODES["annotation"])[0] + max(len(kinds) - LAST_STEPS, 0) + 1).tolist()
    ):
        op = deeds.op(step)
        if op.get("phase") != "end" or op.get("actor") != "host":
            continue
        try:
            said = deeds.timeline.content(op["note"]["blob"]).decode("utf-8", "replace")
        except CcosError:
            return "", 0
        return said.partition("\n")[0].removeprefix("session ended").lstrip(": ").lower(), step
    return "", 0


def _last_turn(work: Work) -> tuple[int, str, str]:
    """The last turn of the main conversation, why it stopped, and the host's word for that, if it is near the end."""
    deeds = work.deeds
    columns = deeds.journal.steps
    turns = np.nonzero(columns["kind"][: deeds.upto] == KIND_CODES["turn"])[0] + 1
    for step in reversed(turns[-LAST_STEPS:].tolist()):
        op = deeds.op(step)
        if not op.get("context"):
            is_last = step >= deeds.before(deeds.upto, LAST_STEPS) and not _prompted_after(work, step)
            return (step, op.get("stop", ""), op.get("detail", "")) if is_last else (0, "", "")
    return 0, "", ""


def _prompted_after(work: Work, step: int) -> bool:
    return any(prompt.step > step for prompt in work.prompts.every)


def _is_last_word(work: Work, step: int) -> bool:
    """Return whether the user said nothing after an interruption."""
    kinds = work.deeds.journal.steps["kind"][step : work.deeds.upto]
    later = np.isin(kinds, (KIND_CODES["turn"], KIND_CODES["tool"]))
    return not later.any() and not _prompted_after(work, step)


def _last_run(work: Work) -> Run | None:
    """The last run of the main conversation whose end is known; None if there is none."""
    deeds = work.deeds
    for step in reversed(work.calls.steps[-MOST_CALLS:]):
        op = deeds.op(step)
        if op.get("context"):
            continue
        checks = [run for run in runs_of(work.calls.command(step)) if is_check(run)]
        if not checks or op["outcome"] == "interrupted" or _is_refused(work, step):
            continue
        is_red = _is_red(work, step)
        if is_red is not None:
            alive = [trouble for trouble in work.troubles if step in trouble.told and not trouble.end]
            names = tuple(name for trouble in alive for name in names_of(deeds, trouble.keys))
            if is_red and _passed_after(work, step, bool(alive)):
                return None
            tool = checks[-1].tool.rpartition("/")[2]
            word = next((word for word in checks[-1].words if not word.startswith("-")), "")
            is_script = tool in ("python", "node", "ruby", "php", "bash", "sh")
            return Run(step, is_red, is_script, f"{tool} {word}".strip() if is_script else tool, names)
    return None


def _passed_after(work: Work, step: int, is_alive: bool) -> bool:
    """Whether what failed in a run is over: something was recorded as passed later, or all of its failures ended."""
    kinds = work.deeds.journal.steps["kind"][step : work.deeds.upto]
    was_known = any(step in trouble.told for trouble in work.troubles)
    return bool((kinds == KIND_CODES["passed"]).any()) or (was_known and not is_alive)


def _is_refused(work: Work, step: int) -> bool:
    return any(call.step == step and call.is_refused for call in work.calls.failed)


def _is_red(work: Work, step: int) -> bool | None:
    """Whether a run failed; None if neither its outcome nor its output says."""
    deeds = work.deeds
    op = deeds.op(step)
    deeds.timeline.facts.under(deeds.timeline.sources.pins(step))
    report = deeds.timeline.facts.report(op)
    if report is not None and report.failures:
        return True
    if op["outcome"] == "error":
        return True
    if op["outcome"] == "ok" or (report is not None and report.passes):
        return False
    return None


def _submitted(work: Work, after: int) -> int:
    """The last call after a step that hands the work in: a submission, a push, a pull request; 0 if there is none."""
    deeds = work.deeds
    for step in reversed(work.calls.steps[-MOST_CALLS:]):
        if step <= after:
            break
        op = deeds.op(step)
        if op["outcome"] == "error" or op.get("context"):
            continue
        if plain(str(op["name"])) == "submit":
            return step
        for run in runs_of(work.calls.command(step)):
            if (run.tool, run.words[:1]) == ("git", ("push",)) or (run.tool, run.words[:2]) == ("gh", ("pr", "create")):
                return step
    return 0
