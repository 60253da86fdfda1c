"""A context that fell and nobody said why is told of wherever its step is; and it falls where the fold says it does."""

from typing import Any

from hypothesis import given
from hypothesis import strategies as st

from ccos_core.query.falls import falls, fell_at
from ccos_core.query.telling import Told
from ccos_core.query.timeline import timeline as listed
from ccos_core.replay.timeline import Timeline
from tests.core.query.asked import ask
from tests.core.replay.told import timeline_of
from tests.core.state.small import Tale

MAIN = {"host": "h", "session": "s"}
SUB = {**MAIN, "context": "scout"}
Ops = list[dict[str, Any]]


def told(ops: Ops) -> tuple[Tale, Timeline]:
    """A tale of these ops, the first of which makes step 1."""
    tale = Tale()
    before = tale.world.step
    for op in ops:
        tale.tell({**op, "said": tale.facts.keep("Go on.")} if op["kind"] == "prompt" else op)
    assert tale.world.step == before + len(ops)
    return tale, timeline_of(tale)


def usage(window: int, where: dict[str, str] = MAIN) -> dict[str, Any]:
    return {"kind": "usage", "window": window, **where}


COUNTS = (140_000, 142_500, 120_300, 121_000, 148_000, 104_700, 104_000)
"""A host that goes on with another model, and one that lets go of old results in silence: neither is a boundary."""
_, TWICE = told([*(usage(window) for window in COUNTS), usage(40_000, SUB)])
FIRST = TWICE.head - len(COUNTS)
SAID = {
    FIRST + 2: ("context fell by 22,200 tokens, cause not recorded",),
    FIRST + 5: ("context fell by 43,300 tokens, cause not recorded",),
}


def test_both_falls_without_a_boundary_are_shown() -> None:
    steps: tuple[Told, ...] = listed(TWICE, TWICE.head, marks=(), span=None, limit=0, session=None, context=None).steps
    assert {each.step: each.notes for each in steps if each.notes} == SAID
    assert {step: ask(TWICE, "goto", 1, step=step).op.notes for step in SAID} == SAID
    assert not ask(TWICE, "goto", 1, step=TWICE.head).op.notes


def test_a_post_mortem_counts_them_and_says_that_nobody_knows_why() -> None:
    looked = ask(TWICE, "autopsy", TWICE.head).looked
    assert (looked.losses, looked.falls) == (2, 2)
    _, cut = told([usage(9_000), {"kind": "cleared", **MAIN}, usage(1_000)])
    looked = ask(cut, "autopsy", cut.head).looked
    assert (looked.losses, looked.falls) == (1, 0)


def test_a_session_that_was_resumed_is_why_its_context_fell() -> None:
    tale = Tale().tell(usage(140_000))
    note = {"kind": "annotation", "note": tale.facts.keep("session resumed"), "actor": "host", "phase": "resumed"}
    tale.tell({**note, **MAIN}).tell(usage(90_000)).tell(usage(50_000)).tell({**note, **SUB}).tell(usage(9_000))
    timeline = timeline_of(tale)
    steps = [each.step for each in falls(timeline.journal, timeline.head)]
    said = [ask(timeline, "goto", 1, step=step).op.notes[0] for step in steps]
    assert said == [
        "context fell by 50,000 tokens, as the session was resumed",
        "context fell by 40,000 tokens, cause not recorded",
        "context fell by 41,000 tokens, cause not recorded",
    ]
    assert ask(timeline, "autopsy", timeline.head).looked.falls == 2
    window = ask(timeline, "recall", steps[0], lens="host", context="main")
    assert [each.cause for each in window.falls] == ["resumed"]


def test_only_a_step_that_tells_of_a_fall_is_one() -> None:
    assert [step for step in range(TWICE.head + 2) if fell_at(TWICE.journal, step)] == list(SAID)


def test_thoughts_that_a_service_drops_are_no_loss() -> None:
    _, timeline = told([THOUGHT, {**usage(1_000), "model": DROPS}, PROMPT, {**usage(650), "model": DROPS}, usage(100)])
    assert [(each.before, each.after) for each in falls(timeline.journal, timeline.head)] == [(650, 100)]
    assert ask(timeline, "autopsy", timeline.head - 1).looked.losses == 0


DROPS = "gpt-5.1-codex"
THOUGHT = {"kind": "thought", "tokens": 400, **MAIN}
PROMPT = {"kind": "prompt", "source": "user", **MAIN}
ops = st.one_of(
    st.builds(usage, st.sampled_from([0, 81, 89, 90, 91, 100]), st.sampled_from([MAIN, SUB])),
    st.builds(lambda window: {**usage(window), "model": DROPS}, st.sampled_from([30, 60, 89, 100])),
    st.builds(lambda tokens: {**THOUGHT, "tokens": tokens}, st.sampled_from([5, 30, 60])),
    st.just(PROMPT),
    st.sampled_from([{"kind": "cleared", **MAIN}, {"kind": "compaction", "trigger": "auto", "exact": False, **SUB}]),
)


@given(st.lists(ops, max_size=14))
def test_a_context_falls_where_the_fold_says_so(said: Ops) -> None:
    tale, timeline = told(said)
    found = falls(timeline.journal, timeline.head)
    hosts = tale.world.hosts
    known = [fall for where in (MAIN, SUB) for fall in hosts.held(("h", "s", where.get("context", ""))).falls]
    assert [(fall.step, fall.before, fall.after) for fall in found] == sorted(known)
    assert all(fell_at(timeline.journal, fall.step) == fall for fall in found)
