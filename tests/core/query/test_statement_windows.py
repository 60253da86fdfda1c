"""Windows with statements: `memo:`, `bundle:`, `brief`. A larger budget never loses a statement or code."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ccos_core.errors import CcosError
from ccos_core.query.catalogue import BY_NAME
from ccos_core.query.statement_windows import BRIEF_SHARE_PERCENT, RULES_HEAD, lost_rows, tell
from ccos_core.query.windows import Shown
from ccos_core.replay.timeline import Timeline
from ccos_core.values.tokens import estimate
from tests.core.query.asked import ask
from tests.core.query.playbook.rule_tales import memo_of
from tests.core.query.playbook.test_outcome import Ruled
from tests.core.query.test_statements import RULE, Story
from tests.core.state.small import INVOICES

OTHER = "Always answer in plain English, and never in French."
RULES = [f"Never touch the file number {number} of the {name} folder without asking." for number, name in enumerate(
    ["alpha", "beta", "gamma", "delta", "epsilon", "zeta", "eta", "theta", "iota", "kappa"]
)]  # fmt: skip
BUDGETS = st.integers(64, 4_000)


def window(timeline: Timeline, lens: str, budget: int = 2_048, at: int | None = None) -> Shown:
    answer = ask(timeline, "recall", timeline.head if at is None else at, lens=lens, budget=budget)
    assert isinstance(answer, Shown)
    return answer


def story() -> Story:
    found = Story()
    for path, source in INVOICES.items():
        found.tale.look(path, source)
    for rule in RULES:
        found.say(rule)
    return found.say("Have a look at the store.").compact("They look at a store.")


@pytest.fixture(scope="module")
def lost() -> Timeline:
    return story().timeline


def statements(shown: Shown) -> list[str]:
    return [each.uri for each in shown.items if each.uri.startswith("memo:")]


def code(shown: Shown) -> set[str]:
    return {each.uri for each in shown.items if not each.uri.startswith("memo:")}


def test_a_brief_has_code_and_what_the_window_lost(lost: Timeline) -> None:
    found = window(lost, "brief:the store of invoices", 4_096)
    assert all(rule in found.text for rule in RULES)
    assert len(statements(found)) == len(RULES) + 1
    assert code(found)
    assert found.text.index(RULES[0]) < found.text.index("# store.py")
    assert found.tokens == estimate(found.text) <= found.budget


def test_where_nothing_is_lost_a_brief_is_its_code() -> None:
    story = Story().say(RULE)
    for path, source in INVOICES.items():
        story.tale.look(path, source)
    timeline = story.timeline
    found, bare = window(timeline, "brief:invoices"), window(timeline, "hybrid:invoices")
    assert (found.text, found.items, found.lens) == (bare.text, bare.items, "brief:invoices")
    assert found.items


@given(one=BUDGETS, other=BUDGETS)
def test_a_larger_budget_loses_no_statement_and_each_is_a_first_part(lost: Timeline, one: int, other: int) -> None:
    small, large = (window(lost, "brief:store invoices", each) for each in sorted((one, other)))
    assert statements(large)[: len(statements(small))] == statements(small)
    assert code(small) <= code(large)
    for each in (small, large):
        assert each.tokens <= each.budget
        told = tell(lost_rows(lost, lost.head, None), each.budget)
        assert estimate(told.text) <= each.budget * BRIEF_SHARE_PERCENT // 100 or not told.text
        assert each.text.startswith(told.text)


@given(one=BUDGETS, other=BUDGETS)
def test_a_search_with_a_larger_budget_loses_nothing(lost: Timeline, one: int, other: int) -> None:
    small, large = (window(lost, "memo:folder asking", each) for each in sorted((one, other)))
    assert [each.uri for each in large.items][: len(small.items)] == [each.uri for each in small.items]
    assert all(each.tokens <= each.budget for each in (small, large))


def test_a_search_tells_the_best_first_and_what_is_left_out(lost: Timeline) -> None:
    found = window(lost, "memo:kappa folder")
    assert "kappa" in found.items[0].text
    few = window(lost, "memo:kappa folder", 64)
    assert [each.uri for each in few.items] == [each.uri for each in found.items][: len(few.items)]
    assert few.missed[0].uri == found.items[len(few.items)].uri
    assert few.missed[0].short > 0
    again = window(lost, "memo:kappa folder", 64 + few.missed[0].short)
    assert len(again.items) > len(few.items)


def test_what_repeats_a_better_one_is_named_and_not_shown_again() -> None:
    long = "Never push the release branch of the billing service to the main remote on a Friday"
    timeline = Story().say(f"{long} please.").say(f"{long}.").say("The remote is slow.").timeline
    found = window(timeline, "memo:release branch remote")
    assert len(found.items) == 2
    assert found.text.count("release branch") == 1
    assert found.items[0].reason.startswith("has words of the query; nearly the same: memo:")


@pytest.mark.parametrize("name", ["bootstrap", "relational", "technical", "creative"])
def test_a_bundle_is_a_window(lost: Timeline, name: str) -> None:
    found, told = window(lost, f"bundle:{name}"), BY_NAME["bundle"].load().ask(lost, lost.head, None, name, "", None)
    assert found.text in told.text
    assert bool(found.text) == bool(told.text)
    assert found.tokens <= found.budget


def test_what_is_no_bundle_is_said(lost: Timeline) -> None:
    with pytest.raises(CcosError, match="isn't a bundle") as refused:
        window(lost, "bundle:bootstrp")
    assert "bootstrap" in refused.value.hint


def test_an_earlier_step_knows_nothing_of_what_came_later(lost: Timeline) -> None:
    before = lost.head - 1
    assert not statements(window(lost, "brief:store", at=before))
    assert statements(window(lost, "brief:store"))


PNPM, TABS = "Store invoices with pnpm, not npm.", "Indent stylesheets by tabs."


def ruled() -> Ruled:
    tale = Ruled()
    for path, source in INVOICES.items():
        tale.tale.look(path, source)
    tale.rule(PNPM).rule(TABS).say("Good morning.")
    return tale


def test_a_brief_has_the_rules_for_its_task_under_a_heading_of_their_own() -> None:
    timeline = ruled().timeline
    found = window(timeline, "brief:store the invoices with npm")
    assert f"{RULES_HEAD}\n- [candidate] {PNPM} ({memo_of(PNPM)})" in found.text
    assert TABS not in found.text.partition(RULES_HEAD)[2]
    assert found.text.count(PNPM) == 1, "the note that says the same isn't told as well"
    assert memo_of(PNPM) in statements(found)
    assert found.tokens == estimate(found.text) <= found.budget
    assert RULES_HEAD not in window(timeline, "brief").text


def test_a_brief_leaves_out_rules_that_the_window_has_or_that_were_retracted() -> None:
    tale = ruled()
    task, before = "brief:store the invoices with npm", tale.timeline.head
    tale.say(f"Again: {PNPM}")
    told = tale.timeline.head
    tale.compact("They store invoices.")
    tale._tell(kind="retracted", claim=memo_of(PNPM), actor="user")
    timeline = tale.timeline
    assert RULES_HEAD in window(timeline, task, at=before).text
    assert RULES_HEAD not in window(timeline, task, at=told).text
    assert RULES_HEAD not in window(timeline, task).text
