"""Questions about a host's own window: told with the op that did it, beside our own, of the context that is meant."""

import re
from dataclasses import replace
from typing import Any

import click
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from ccos_core.errors import CcosError
from ccos_core.query.arguments import Place, typed
from ccos_core.query.catalogue import BY_NAME
from ccos_core.query.hosted.happening import Fell, Witness
from ccos_core.replay.timeline import Timeline
from ccos_core.serve.printing import as_lines
from tests.core.query.asked import ask
from tests.core.query.hosts import number_of
from tests.core.query.tales import Told as Session
from tests.core.query.tales import told
from tests.core.replay.told import timeline_of
from tests.core.state.small import INVOICES, Tale
from tests.laws.test_host import stories
from tests.laws.test_hosted import NAMED, NODES, Story
from tests.laws.test_hosted import told as told_story

RATES = "store/rates.py"
OURS = ("working-set", "around:X", "task:TEXT", "hybrid:TEXT")
WITHIN, LOST = ("in", "partial"), ("out", "stale", "uncertain")


def asked(session: Session, name: str, at: int | None = None, **said: Any) -> Any:
    timeline = session.timeline()
    return ask(timeline, name, timeline.head if at is None else at, **said)


def words(answer: Any) -> str:
    return click.unstyle("\n".join(as_lines(answer, None)))


def test_a_compaction_is_told_with_its_tokens_and_its_summary() -> None:
    tale = Tale(INVOICES)
    who = {"host": "h", "session": "s"}
    tale.tell({"kind": "usage", "window": 700, **who}).read("store.py", INVOICES["store.py"], **who)
    summary = tale.facts.keep(f"{'Much was done. ' * 30}The cause is in store.py, in load.{' More.' * 99}")
    cut = {"kind": "compaction", "trigger": "auto", "after": 90, "summary": summary, "exact": False, **who}
    tale.tell(cut)
    answer = ask(timeline_of(tale), "missing", len(tale.ops), node="sym:store.py#load", lens="host")
    found = answer.agent.happenings[-1].cut
    assert (found.before, found.after, found.exact, found.named, found.kept) == (700, 90, False, True, 0)
    assert "The cause is in store.py, in load." in found.summary
    assert len(found.summary) <= 240
    assert "700 → 90 tokens" in words(answer)
    assert "what survived isn't recorded, so this is inferred" in words(answer)
    other = ask(timeline_of(tale), "missing", len(tale.ops), node="file:dates.py", lens="host")
    assert other.agent.happenings == (), "it was never shown"
    assert (other.agent.state, answer.agent.counted.tokens, answer.agent.counted.step) == ("unborn", 90, len(tale.ops))


def test_a_summary_is_quoted_in_whole_words_where_it_names_a_node() -> None:
    said = f"{'Elsewhere everything works. ' * 20}The cause is in store.py, in load.{' Nothing remained.' * 20}"
    tale, who = Tale(INVOICES), {"host": "h", "session": "s"}
    tale.read("store.py", INVOICES["store.py"], **who)
    tale.tell({"kind": "compaction", "trigger": "auto", "summary": tale.facts.keep(said), "exact": False, **who})
    answer = ask(timeline_of(tale), "missing", len(tale.ops), node="sym:store.py#load", lens="host")
    quoted = answer.agent.happenings[-1].cut.summary
    assert (quoted[0], quoted[-1]) == ("…", "…")
    assert quoted.strip("…") in said
    assert set(quoted.strip("…").split()) <= set(said.split()), "no word is cut"
    assert "The cause is in store.py, in load." in quoted
    assert f"its summary names it: “{quoted}”" in " ".join(words(answer).split())


@given(st.text(alphabet="ab \n", max_size=400), st.text(alphabet="ab \n", max_size=400))
def test_what_is_quoted_has_no_half_words_at_its_ends(before: str, after: str) -> None:
    said = f"{before} store.py {after}"
    tale, who = Tale(INVOICES), {"host": "h", "session": "s"}
    tale.read("store.py", INVOICES["store.py"], **who)
    tale.tell({"kind": "compaction", "trigger": "auto", "summary": tale.facts.keep(said), "exact": False, **who})
    quoted = Witness(timeline_of(tale), 0).cut(len(tale.ops), "file:store.py").summary
    shown, every = quoted.strip("…").split(), said.split()
    assert "store.py" in shown
    assert quoted.startswith("…") == (shown != every[: len(shown)])
    assert max(map(len, every)) > 80 or set(shown) <= set(every)


def test_what_changed_elsewhere_is_stale_and_what_a_fall_leaves_is_uncertain() -> None:
    session = told(f"see {RATES}\nforeign {RATES}\nsee store/money.py\nusage 9000\nusage 2000")
    whole = asked(session, "missing", node=f"file:{RATES}", lens="host", limit=0)
    answer = whole.agent
    assert [(each.what, each.state, each.lost) for each in answer.happenings] == [
        ("read", "in", False), ("changed elsewhere", "stale", True), ("fell", "uncertain", False),
    ]  # fmt: skip
    last = answer.happenings[-1]
    assert last.fell == Fell(last.step, 9_000, 2_000)
    assert "~ context fell by 7,000 tokens at step" in words(whole)
    window = asked(session, "recall", lens="host")
    assert {each.node: each.state for each in window.items} == {
        f"file:{RATES}": "uncertain", "file:store/money.py": "uncertain",
    }  # fmt: skip
    assert (window.counted.tokens, window.falls) == (2_000, (last.fell,))


def test_an_edit_of_its_own_keeps_it_in_as_patched() -> None:
    session = told(f"see {RATES}\nedit {RATES}")
    whole = asked(session, "why", node=f"file:{RATES}", lens="host")
    answer = whole.agent
    assert (answer.state, answer.patched, [each.op.kind for each in answer.deliveries]) == (
        "in",
        True,
        ["read", "edit"],
    )
    assert "● in, patched" in words(whole)
    window = asked(session, "recall", lens="host")
    assert [(each.node, each.patched, each.by) for each in window.items] == [(f"file:{RATES}", True, "edit")]


def test_why_tells_which_lines_were_shown_and_what_was_dropped() -> None:
    session = told(f"see {RATES} 1-2\nsee {RATES} 4-5")
    session.calls[RATES] = f"call-{session.count}"
    session.tell(f"compact exact {RATES}\nsee {RATES} 1-1")
    whole = asked(session, "why", node=f"file:{RATES}", lens="host")
    answer = whole.agent
    shown = [(each.lines.first, each.lines.last, each.fate) for each in answer.deliveries]
    assert shown == [(1, 2, "dropped"), (4, 5, "there"), (1, 1, "there")]
    assert answer.state == "partial"
    assert re.search(r"lines 4–5 +● still there", words(whole))


def test_both_say_what_a_compaction_said_once_however_much_it_dropped() -> None:
    tale, who = Tale(INVOICES), {"host": "h", "session": "s"}
    for path in ("store.py", "dates.py"):
        tale.read(path, INVOICES[path], **who)
    before = len(tale.ops)
    summary = tale.facts.keep("Rounding is suspected.")
    tale.tell({"kind": "compaction", "trigger": "auto", "summary": summary, "exact": False, **who})
    timeline = timeline_of(tale)
    window = ask(timeline, "recall", timeline.head, lens="both")
    assert {each.node for each in window.overlap.lost} >= {"file:store.py", "file:dates.py"}
    diff = ask(timeline, "diff", timeline.head, span=(before, timeline.head), lens="both")
    assert len(diff.agent.left) >= 2
    for answer in (window, diff):
        for lines in (as_lines(answer, None), as_lines(answer, None, aloud=True)):
            rows = [line for line in lines if "dropped by a compaction" in line]
            assert len(rows) >= 2
            by = f"(step {timeline.head})", "(by this step)"
            assert all(any(each in line for each in by) and "Rounding" not in line for line in rows)
            assert any("Rounding is suspected." in line for line in lines)


def test_gaps_with_one_cause_tell_it_once() -> None:
    """Ours may come and go as it likes while theirs has lost it."""
    session = told(f"see {RATES}\nfail tests/test_cart.py at api/cart.py\ncompact\nprompt\nsee api/cart.py")
    missing = asked(session, "missing", node=f"file:{RATES}", lens="both")
    (gap,) = missing.compared.gaps
    apart = replace(gap, last=gap.first), replace(gap, first=gap.last)
    twice = replace(missing, compared=replace(missing.compared, gaps=apart))
    said = words(twice)
    assert f"step {gap.last}: the agent's was out since step {gap.by.step}\n" in f"{said}\n"
    assert said.count("dropped by a compaction") == words(missing).count("dropped by a compaction") == 1
    assert said.count("compaction auto") == words(missing).count("compaction auto")


def test_both_name_what_ours_held_that_theirs_had_lost() -> None:
    session = told(f"see {RATES}\nfail tests/test_cart.py at api/cart.py\ncompact\nprompt\nsee api/cart.py")
    missing = asked(session, "missing", node=f"file:{RATES}", lens="both")
    (gap,) = missing.compared.gaps
    assert (gap.first, gap.last, gap.state, gap.by.what) == (session.step - 2, session.step, "out", "compacted")
    assert (missing.compared.lost, missing.compared.never) == (3, 0)
    assert "suggested, but no longer in the agent's window, at 3 steps" in words(missing)
    assert words(missing).count("●") >= 2, "two strips"
    window = asked(session, "recall", lens="both")
    assert f"file:{RATES}" in {each.node for each in window.overlap.lost}
    assert {each.what for each in window.overlap.lost} == {"compacted"}
    change = asked(session, "diff", span=(session.step - 3, session.step), lens="both")
    assert change.after == window.overlap
    assert not change.before.lost
    assert [each.what for each in change.agent.left] == ["compacted"]


@settings(deadline=None, max_examples=60)
@given(stories, st.sampled_from(NODES), st.sampled_from(NAMED), st.integers(20, 150))
def test_a_gap_is_where_ours_holds_it_and_theirs_has_lost_it(
    story: Story, node: str, context: tuple[str, str, str], budget: int
) -> None:
    _, timeline = told_story(story)
    assume(number_of(timeline, context) >= 0)
    assume(timeline.journal.id(node) in timeline.journal.there["node"])
    who = {"session": "s", "context": context[2] or "main", "node": node, "budget": budget}
    both = ask(timeline, "missing", timeline.head, lens="both", limit=0, **who)
    watched = ask(timeline, "watch", timeline.head, lens="both", **who)
    alone = [ask(timeline, "missing", timeline.head, lens=lens, limit=0, **who) for lens in ("working-set", "host")]
    assert (both.suggested, both.agent) == (alone[0].suggested, alone[1].agent)
    ours, theirs = (spelled(each) for each in alone)
    pairs = list(zip(ours, theirs, strict=True))
    lost = [step for step, (own, their) in enumerate(pairs) if own in WITHIN and their in LOST]
    assert [step for gap in both.compared.gaps for step in range(gap.first, gap.last + 1)] == lost
    assert all({theirs[gap.first], theirs[gap.last], gap.by.state} == {gap.state} for gap in both.compared.gaps)
    assert both.compared.lost == watched.compared.lost == len(lost)
    assert both.compared.never == sum(own in WITHIN and their == "unborn" for own, their in pairs)
    assert both.compared.behind == sum(own not in WITHIN and their in WITHIN for own, their in pairs)
    assert both.compared.together == sum(own in WITHIN and their in WITHIN for own, their in pairs)
    items_agree(timeline, both, who, context)


def spelled(answer: Any) -> list[str]:
    side = answer.suggested or answer.agent
    return [run.state for run in side.runs for _ in range(run.first, run.last + 1)]


def items_agree(timeline: Timeline, both: Any, who: dict[str, Any], context: tuple[str, str, str]) -> None:
    """Each item of our window is in theirs what `missing` says of it."""
    there = {name: who[name] for name in ("session", "context")}
    window = ask(timeline, "recall", timeline.head, lens="both", budget=who["budget"], **there)
    states = {
        item.uri: spelled(ask(timeline, "missing", timeline.head, node=item.uri, lens="host", **there))[-1]
        for item in window.suggested.items
    }
    assert {each.node: each.state for each in window.overlap.lost} == {
        node: state for node, state in states.items() if state in LOST
    }
    assert window.overlap.held == sum(state in WITHIN for state in states.values())
    assert window.overlap.never == sum(state == "unborn" for state in states.values())


def test_what_is_delivered_is_the_last_window_of_ours() -> None:
    session = told(f"see {RATES}")
    handing = {"kind": "recall", "lens": "working-set", "budget": 99, "computed_at": session.step, "parameters": {},
               "window": "0" * 64, "host": "story", "session": "s-1"}  # fmt: skip
    session.tale.tell({**handing, "items": [[f"file:{RATES}", "body", 12], ["sym:store/money.py#money", "name", 3]]})
    session.tale.tell({**handing, "items": [["sym:store/money.py#money", "signature", 5]]})
    rates = asked(session, "missing", node=f"file:{RATES}", lens="delivered")
    assert [(each.what, each.state) for each in rates.agent.happenings] == [("handed out", "in"), ("left out", "out")]
    money = asked(session, "watch", node="file:store/money.py", lens="delivered")
    assert [each.state for each in money.agent.shares] == ["unborn", "partial"]
    window = asked(session, "recall", lens="delivered")
    assert [(each.node, each.by, each.tokens) for each in window.items] == [
        ("sym:store/money.py#money", "signature", 5)
    ]
    change = asked(session, "diff", span=(session.step - 1, session.step), lens="delivered").agent
    assert [each.node for each in change.left] == [f"file:{RATES}"]
    why = asked(session, "why", node="file:store/money.py", lens="delivered").agent
    assert [(each.level, each.fate) for each in why.deliveries] == [("name", "dropped"), ("signature", "there")]


def test_the_main_context_is_meant_unless_another_is_named() -> None:
    session = told(f"see {RATES}\nby sub: see store/money.py")
    main, sub = (asked(session, "recall", lens="host", context=name) for name in (None, "sub"))
    assert [each.node for each in main.items] == [f"file:{RATES}"]
    assert [each.node for each in sub.items] == ["file:store/money.py"]
    assert (main.whose.context, sub.whose.context) == ("", "sub")
    with pytest.raises(CcosError, match="no such context"):
        asked(session, "recall", lens="host", context="nobody")
    with pytest.raises(CcosError, match="no suggested window that was given to the agent"):
        asked(session, "recall", lens="delivered")


def test_nobody_s_window_is_asked_where_no_host_was_there() -> None:
    tale = Tale(INVOICES)
    with pytest.raises(CcosError, match="no record of the agent's window"):
        ask(timeline_of(tale), "missing", 3, node="file:store.py", lens="host")


def test_sessions_of_one_name_are_told_apart_by_their_host() -> None:
    tale = Tale(INVOICES)
    for host in ("one", "two"):
        tale.read("store.py", INVOICES["store.py"], host=host, session="same")
    timeline = timeline_of(tale)
    with pytest.raises(CcosError, match="--session one/same  --session two/same"):
        ask(timeline, "recall", timeline.head, lens="host", session="same")
    assert ask(timeline, "recall", timeline.head, lens="host", session="two/same").whose.host == "two"


@pytest.mark.parametrize("name", ["last", "next", "why", "compare", "whatif", "recall"])
def test_a_lens_that_does_not_answer_is_not_offered(name: str) -> None:
    """Of changes of one node in two windows at once, and of other questions, there is none in both."""
    question = BY_NAME[name].load()
    place = Place(timeline_of(Tale(INVOICES)), 3)
    (argument,) = [each for each in question.arguments if each.name == "lens"]
    said = {"lens": "both"}
    if "both" in argument.further:
        assert typed(question, said, place)[1]["lens"] == "both"
    else:
        with pytest.raises(CcosError, match="isn't available for this question") as refused:
            typed(question, said, place)
        assert refused.value.hint.split()[2:] == [*OURS, *argument.further]
    with pytest.raises(CcosError, match="isn't a window") as refused:
        typed(question, {"lens": "nonesuch"}, place)
    assert refused.value.hint.split()[2:] == [*OURS, *argument.further]


def test_prompts_and_results_are_nodes_of_a_host_s_window() -> None:
    session = told("prompt\nclear")
    step = session.step - 1
    timeline = session.timeline()
    node = timeline.node(f"prompt:{step}")
    answer = ask(timeline, "missing", timeline.head, node=node, lens="host")
    assert [(each.what, each.state) for each in answer.agent.happenings] == [("said", "in"), ("cleared", "out")]
    with pytest.raises(CcosError):
        timeline.node("prompt:1")


@pytest.mark.parametrize(
    ("summary", "carried", "said"),
    [
        ("The user said: *Please, FIX the rounding of invoices!*", "whole", "carries its words: "),
        ("They want the rounding of invoices fixed.", "part", "carries its words in part: "),
        ("Rounding is suspected.", "none", "doesn't carry its words, and begins: "),
    ],
)
def test_a_prompt_is_looked_for_in_the_summary_by_its_words(summary: str, carried: str, said: str) -> None:
    tale, who = Tale(INVOICES), {"host": "h", "session": "s"}
    words = tale.facts.keep("please fix the rounding of invoices")
    tale.tell({"kind": "prompt", "said": words, "source": "user", **who})
    prompt = f"prompt:{len(tale.ops)}"
    told = tale.facts.keep(summary)
    tale.tell({"kind": "compaction", "trigger": "auto", "summary": told, "exact": False, **who})
    timeline = timeline_of(tale)
    why = ask(timeline, "why", timeline.head, node=prompt, lens="host")
    cut = why.agent.happening.cut
    assert (cut.carried, cut.named) == (carried, carried != "none")
    assert any(f"its summary {said.strip()}" in line for line in as_lines(why, None))
    window = ask(timeline, "recall", timeline.head, lens="host")
    assert any("its summary begins:" in line for line in as_lines(window, None))


def test_what_a_step_took_away_was_taken_by_that_step() -> None:
    """Also of text that is held of a file that went earlier."""
    tale, who = Tale(INVOICES), {"host": "h", "session": "s"}
    tale.read("api.py", INVOICES["api.py"], **who).read("store.py", INVOICES["store.py"], **who)
    tale.tell({"kind": "gone", "path": "api.py"}).prompt().prompt()
    tale.tell({"kind": "compaction", "trigger": "auto", "exact": True, **who})
    timeline = timeline_of(tale)
    left = ask(timeline, "diff", timeline.head, span=(timeline.head - 1, timeline.head), lens="host").agent.left
    assert {each.node for each in left} >= {"file:api.py", "file:store.py"}
    assert {(each.op.step, each.what, each.state) for each in left} == {(timeline.head, "elided", "out")}
