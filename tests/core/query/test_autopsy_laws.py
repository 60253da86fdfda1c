"""What holds of every autopsy, of any story: it ends, says the same twice, and its evidence is in the record."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import Any

from hypothesis import example, given, settings
from hypothesis import strategies as st

from ccos_core.query.autopsy import autopsy
from ccos_core.query.autopsy.answer import CERTAINTIES, KINDS, Autopsy
from ccos_core.query.autopsy.case import Work
from ccos_core.query.autopsy.deeds import Deed, Deeds
from ccos_core.query.autopsy.held import IN, OUT, STALE, UNSEEN
from ccos_core.query.autopsy.returning import MANY, returned
from ccos_core.query.autopsy.troubles import is_placed
from ccos_core.query.telling import told as told_op
from ccos_core.replay.timeline import Timeline
from ccos_core.serve.printing import as_lines
from tests.core.query.tales import CHAIN, DECOYS, FILES, OTHER_TEST, OTHERS, TEST, Told
from tests.core.replay.told import timeline_of
from tests.core.state.small import Tale
from tests.laws.test_folding import stories, told_tale

PATHS = sorted(path for path in FILES if path.endswith(".py"))
paths = st.sampled_from(PATHS)
who = st.sampled_from(["", "", "", "by sub: ", "by user: "])
events = st.one_of(
    st.builds("{}see {}".format, who, paths),
    st.builds("{}see {} 2-4".format, who, paths),
    st.builds("{}edit {}".format, who, st.sampled_from([*CHAIN, *DECOYS, *OTHERS, TEST])),
    st.builds("back {}".format, st.sampled_from(CHAIN[:2])),
    st.builds("foreign {}".format, paths),
    st.just(f"fail {TEST} at {CHAIN[0]}"),
    st.just(f"fail {TEST}"),
    st.just(f"fail {OTHER_TEST} at {OTHERS[0]}"),
    st.builds("pass {}".format, st.sampled_from([TEST, OTHER_TEST])),
    st.sampled_from(["compact", "compact exact", "clear", "usage 9000", "usage 50000", "prompt", "look"]),
)
sessions = st.lists(events, max_size=40)


def teller(lines: list[str]) -> Told:
    told = Told()
    for line in lines:
        if not line.startswith("back ") or len(told.history[line[5:]]) > 1:
            told.one(line)
    return told


@settings(deadline=None, max_examples=80)
@example(["foreign api/cart.py", *["back api/cart.py"] * 3], 0)
@given(sessions, st.integers(0, 60))
def test_what_it_says_is_in_the_record(lines: list[str], at: int) -> None:
    timeline = teller(lines).timeline()
    check(timeline, min(at, timeline.head))
    check(timeline, timeline.head)


@settings(deadline=None, max_examples=60)
@given(stories, st.integers(0, 40))
def test_no_story_is_too_odd(story: list[tuple[Any, ...]], at: int) -> None:
    timeline = timeline_of(told_tale(story))
    check(timeline, min(at, timeline.head))


@settings(deadline=None, max_examples=60)
@given(st.one_of(stories.map(told_tale), sessions.map(lambda lines: teller(lines).tale)))
def test_a_failure_is_placed_where_it_is_felt(tale: Tale) -> None:
    timeline = timeline_of(tale)
    work = Work(Deeds(timeline, timeline.head))
    for trouble in work.troubles:
        assert is_placed(work.deeds, trouble) == bool(work.upstream(trouble).felt)


@settings(deadline=None, max_examples=40)
@given(sessions, sessions)
def test_what_comes_later_changes_nothing(lines: list[str], more: list[str]) -> None:
    short, long = teller(lines), teller([*lines, "prompt", *more])
    timeline = short.timeline()
    assert replace(asked(long.timeline(), timeline.head), later=0) == asked(timeline, timeline.head)


@settings(deadline=None, max_examples=40)
@given(sessions, st.lists(st.sampled_from(["prompt", "usage 50000"]), max_size=3))
def test_words_after_the_end_change_no_verdict(lines: list[str], more: list[str]) -> None:
    lines = ["usage 50000", *(line for line in lines if not line.startswith("usage"))]
    before, after = (teller(each) for each in (lines, [*lines, *more]))
    one, other = before.autopsy(), after.autopsy()
    assert (one.drifted, one.step, one.verdict) == (other.drifted, other.step, other.verdict)
    assert [each.node for each in one.suspects] == [each.node for each in other.suspects]


@settings(deadline=None, max_examples=40)
@given(sessions)
def test_without_a_failure_only_losses_and_circles_count(lines: list[str]) -> None:
    sound = [line for line in lines if not line.startswith(("fail", "compact", "clear"))]
    answer = teller(sound).autopsy()
    assert not answer.drifted or {each.kind for each in answer.suspects} == {"loop"}
    assert not teller([line for line in sound if not line.startswith("back")]).autopsy().drifted


turns = st.one_of(
    st.builds("{} {}".format, st.sampled_from(["edit", "back", "back"]), st.sampled_from(CHAIN[:2])),
    st.builds("{}back {}".format, st.sampled_from(["by sub: ", "by user: "]), st.sampled_from(CHAIN[:2])),
    st.builds("foreign {}".format, st.sampled_from(CHAIN[:2])),
    st.just("see README.md"),
)


@settings(deadline=None, max_examples=80)
@given(st.lists(turns, max_size=40))
def test_what_was_put_back_is_what_the_texts_say(lines: list[str]) -> None:
    """Counted from the texts themselves: an agent made one of its own files what it had been before another text."""
    told = Told()
    backs: dict[tuple[str, str], list[int]] = {}
    for line in (f"see {path}" for path in CHAIN[:2]):
        told.one(line)
    for line in lines:
        path, before = line.split()[-1], told.texts[line.split()[-1]]
        earlier = told.history[path][:-1]
        if "back" in line and not earlier:
            continue
        told.one(line)
        if line.startswith(("edit", "back", "by sub")) and told.texts[path] in earlier and told.texts[path] != before:
            backs.setdefault((path, told.who.get("context", "")), []).append(told.step)
    timeline = told.timeline()
    found = returned(Work(Deeds(timeline, timeline.head)))
    wanted = {(path, tuple(steps)) for (path, _), steps in backs.items() if len(steps) >= MANY}
    name = timeline.journal.name
    assert {(name(each.file)[5:], tuple(back.step for back in each.backs)) for each in found} == wanted
    assert all(each.recorded for each in found)


@settings(deadline=None, max_examples=60)
@given(sessions)
def test_what_was_held_is_what_a_replay_gives(lines: list[str]) -> None:
    """Told op by op: what was shown is held until a cut, and as it was until somebody else changes it."""
    told = teller([line for line in lines if "2-4" not in line and not line.startswith("usage")])
    timeline = told.timeline()
    work = Work(Deeds(timeline, timeline.head))
    for step, held, now in replayed(told):
        for (context, path), text in held.items():
            number = timeline.journal.id(context), timeline.journal.id(f"file:{path}")
            wanted = OUT if text is None else IN if text == now.get(path) else STALE
            assert work.held.at(*number, step).state == wanted


@settings(deadline=None, max_examples=40)
@given(sessions)
def test_what_was_done_is_what_the_ops_say(lines: list[str]) -> None:
    told = teller(lines)
    timeline = told.timeline()
    deeds, ids = Deeds(timeline, timeline.head), timeline.journal.id
    seen = [
        (op["how"], Deed(step, ids(f"file:{op['path']}"), ids(context_of(op))))
        for step, op in timeline.between(1, timeline.head)
        if op["kind"] == "seen"
    ]
    assert deeds.reads == [deed for how, deed in seen if how == "read"]
    assert deeds.edits == [deed for how, deed in seen if how in ("edit", "write")]


def test_nobody_is_asked_what_never_was() -> None:
    timeline = teller([f"see {TEST}"]).timeline()
    work = Work(Deeds(timeline, timeline.head))
    assert work.held.at(0, 10_000, timeline.head).state == UNSEEN


# ---- helpers ----


def asked(timeline: Timeline, at: int) -> Autopsy:
    return autopsy(timeline, at, suspects=1_000)


def check(timeline: Timeline, at: int) -> None:
    answer = asked(timeline, at)
    assert asked(Timeline(timeline.ops, timeline.journal, timeline.facts), at) == answer
    assert answer.drifted == any(each.drift for each in answer.findings) == (answer.step is not None)
    assert answer.drifted or not answer.suspects
    last = timeline.journal.last_moment(at)
    assert answer.step is None or 1 <= answer.step <= last
    assert len({each.node for each in answer.suspects}) == len(answer.suspects)
    for suspect in answer.suspects:
        assert suspect.kind in KINDS
        assert suspect.certainty in CERTAINTIES
        assert timeline.journal.id(suspect.node) >= 0
        steps = [each.step for each in suspect.evidence]
        assert steps == sorted(set(steps))
        for each in suspect.evidence:
            assert 1 <= each.step <= last
            assert each.op == told_op(timeline, each.step)
            assert all(fits(each.op.kind, words) for words in each.words.split("; "))
    assert as_lines(answer, 80)
    assert as_lines(answer, None, aloud=True)


def fits(kind: str, words: str) -> bool:
    """Whether an op can be what the words say of it."""
    for start, kinds in SAYS.items():
        if words.startswith(start):
            return kind in kinds
    return False


CHANGED = ("edit", "write")
RUN = ("failed", "tool")
SAYS = {
    "first failing run": RUN,
    "still fails": RUN,
    "run again, nothing changed": RUN,
    "passes": ("passed", "tool"),
    "the same command no longer": ("passed", "tool"),
    "dropped from the agent's window": ("compaction", "cleared"),
    "the context shrank": ("usage",),
    "edited": CHANGED,
    "the same text again as at step": CHANGED,
    "put back by a command": CHANGED,
    "read": ("read", "recall"),
    "changed, and the agent": (*CHANGED, "read", "ingest", "gone"),
    "changed before": (*CHANGED, "read", "ingest", "gone"),
    "changed": (*CHANGED, "read", "ingest", "gone"),
}


def context_of(op: dict[str, Any]) -> str:
    from ccos_core.replay.codes import context_name

    return context_name(op)


Held = dict[tuple[str, str], str | None]


def replayed(told: Told) -> Iterator[tuple[int, Held, dict[str, str]]]:
    """After each op that is no look: what each context holds, and what each file is."""
    held: Held = {}
    now: dict[str, str] = {}
    for step, op in enumerate(told.tale.ops, 1):
        context = context_of(op)
        if op["kind"] == "seen":
            now[op["path"]] = op["content"]["blob"]
            if op["how"] == "read" or (op["how"] == "edit" and op.get("actor") != "user"):
                held[context, op["path"]] = now[op["path"]]
        elif op["kind"] in ("compaction", "cleared"):
            held.update({key: None for key in held if key[0] == context})
        if op["kind"] != "seen" or op["how"] != "ingest":
            yield step, dict(held), dict(now)
