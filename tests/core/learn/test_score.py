"""Score and maturity against a table, against fractions as an oracle, and their laws."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ccos_core.learn.maturity import MATURITIES, MULTIPLIERS, deprecation, effective_score, maturity, promoted
from ccos_core.learn.rule import Feedback, Rule
from ccos_core.learn.score import DAY, FACTORS, Thresholds, counted, decayed, scored, sums, thresholds_of

NOW = 1_800_000_000_000
RULE = Rule("memo:0123456789abcdef", "Format before you commit.")


def rated(*marks: tuple[int, int], way: str = "explicit", weight: int = 1_000, actor: str = "user") -> Rule:
    """A rule with feedback of (sign, age in days), each of a session of its own."""
    return replace(
        RULE,
        feedback=tuple(
            Feedback(step, NOW - age * DAY, sign, weight, way, f"s{step}", actor)
            for step, (sign, age) in enumerate(marks, 1)
        ),
    )


@pytest.mark.parametrize(("age", "left"), [(-5, 1_000), (0, 1_000), (45, 707), (90, 500), (180, 250), (900, 0)])
def test_feedback_loses_half_of_its_weight_in_a_half_life(age: int, left: int) -> None:
    assert decayed(1_000, age * DAY, 90 * DAY) == left


def test_a_half_life_can_be_set_or_switched_off() -> None:
    assert decayed(1_000, 30 * DAY, 30 * DAY) == 500
    assert decayed(1_000, 10**15, 0) == 1_000


@given(st.integers(0, 3_000), st.integers(0, 10**12), st.integers(1, 10**11))
def test_decay_is_the_power_of_a_half(weight: int, age: int, half_life: int) -> None:
    """Within a thousandth of the float."""
    assert abs(decayed(weight, age, half_life) - weight * 0.5 ** (age / half_life)) <= 1 + weight / 10_000


def test_the_table_of_factors_is_exact() -> None:
    for part, factor in enumerate(FACTORS):
        assert Fraction(factor, 2**20) ** 64 * 2**part <= 1 < Fraction(factor + 1, 2**20) ** 64 * 2**part


@given(st.integers(0, 3_000), st.integers(0, 10**12), st.integers(0, 10**10), st.integers(0, 10**11))
def test_what_is_older_never_counts_more(weight: int, age: int, more: int, half_life: int) -> None:
    assert decayed(weight, age + more, half_life) <= decayed(weight, age, half_life) <= weight


@pytest.mark.parametrize(
    ("marks", "trust", "score"),
    [
        ((), "candidate", 0),
        (((1, 0),), "candidate", 500),
        (((1, 90),), "candidate", 250),
        (((1, 0), (1, 0)), "established", 2_000),
        (((1, 0),) * 6, "proven", 9_000),
        (((1, 90),) * 6, "established", 3_000),
        (((1, 180),) * 6, "candidate", 750),
        (((-1, 0),), "candidate", -2_000),
        (((1, 0), (1, 0), (-1, 0)), "established", -1_000),
        (((1, 0),) * 9 + ((-1, 0),), "proven", 7_500),
        (((1, 0),) * 8 + ((-1, 0),), "established", 4_000),
        (((-1, 0), (-1, 0)), "deprecated", -4_000),
        (((1, 0),) * 20 + ((-1, 0),) * 10, "deprecated", -10_000),
    ],
)
def test_score_and_maturity(marks: tuple[tuple[int, int], ...], trust: str, score: int) -> None:
    rule = rated(*marks)
    assert (maturity(rule, NOW), effective_score(rule, NOW)) == (trust, score)


@pytest.mark.parametrize(("maturity", "multiplier"), MULTIPLIERS.items())
def test_the_multiplier_applies_to_what_is_positive(maturity: str, multiplier: int) -> None:
    """A negative sum is halved at any maturity: else praise that establishes a rule would lower its score."""
    assert multiplier == {"candidate": 500, "established": 1_000, "proven": 1_500, "deprecated": 0}[maturity]
    assert scored(2_000, multiplier) == 2 * multiplier
    assert scored(-2_000, multiplier) == -1_000


def test_every_threshold_is_governed() -> None:
    governed = {"rule_half_life": 30 * DAY, "rule_proven": 3_000, "entries": 7}
    assert thresholds_of(governed) == Thresholds(half_life=30 * DAY, proven=3_000)
    rule = rated((1, 30), (1, 30), (1, 30), (1, 30), (1, 30), (1, 30))
    assert maturity(rule, NOW) == "established"
    assert (maturity(rule, NOW, thresholds_of(governed)), effective_score(rule, NOW, thresholds_of(governed))) == (
        "proven",
        4_500,
    )


@pytest.mark.parametrize(("way", "most"), [("explicit", 1_000), ("inline", 500), ("test", 300), ("outcome", 300)])
def test_each_way_counts_no_more_than_it_may(way: str, most: int) -> None:
    assert sums(rated((1, 0), way=way, weight=9_000).feedback, NOW, Thresholds()).helpful == most


# ---- laws ----

sessions = st.sampled_from(["", "s1", "s2", "s3"])
feedback = st.builds(
    Feedback,
    step=st.integers(1, 10_000),
    at=st.integers(0, 400).map(lambda days: NOW - days * DAY),
    sign=st.sampled_from([1, -1]),
    weight=st.integers(0, 1_000),
    way=st.sampled_from(["explicit", "inline", "test", "outcome", "import"]),
    session=sessions,
    actor=st.sampled_from(["user", "agent"]),
    cause=st.sampled_from(["", "test_a", "test_b"]),
)
rules = st.builds(
    lambda marks, author, pinned, confirmed: replace(
        RULE, feedback=tuple(marks), author=author, pinned=pinned, confirmed_at=NOW - confirmed * DAY
    ),
    st.lists(feedback, max_size=12, unique_by=lambda each: each.step),
    st.sampled_from(["user", "agent"]),
    st.booleans(),
    st.integers(0, 500),
)
thresholds = st.builds(
    Thresholds,
    half_life=st.integers(0, 120).map(lambda days: days * DAY),
    established=st.integers(0, 3_000),
    proven=st.integers(0, 5_000),
    deprecated_harmful=st.integers(0, 3_000),
    deprecated_score=st.integers(0, 4_000),
)


@given(rules, feedback, thresholds, st.integers(-100, 300))
def test_one_more_helpful_mark_never_lowers_and_one_more_harmful_never_raises(
    rule: Rule, mark: Feedback, figures: Thresholds, days: int
) -> None:
    """Whenever it was given: a mark of a session that said nothing yet."""
    now = NOW + days * DAY
    mark = replace(mark, session="another", step=20_000)
    better = replace(rule, feedback=(*rule.feedback, replace(mark, sign=1)))
    worse = replace(rule, feedback=(*rule.feedback, replace(mark, sign=-1)))
    ranks = [MATURITIES.index(maturity(each, now, figures)) for each in (worse, rule, better)]
    scores = [effective_score(each, now, figures) for each in (worse, rule, better)]
    assert ranks == sorted(ranks)
    assert scores == sorted(scores)


@given(rules, thresholds, st.integers(0, 300), st.integers(0, 300))
def test_time_brings_no_deprecated_rule_back(rule: Rule, figures: Thresholds, days: int, more: int) -> None:
    first, later = (maturity(rule, NOW + each * DAY, figures) for each in (days, days + more))
    assert (first == "deprecated") == (later == "deprecated")


@given(rules, thresholds)
def test_a_deprecation_names_its_event(rule: Rule, figures: Thresholds) -> None:
    found = deprecation(rule, figures)
    if found is not None:
        assert found.feedback in counted(rule)
        assert found.feedback.sign == -1
        assert not rule.pinned
        assert rule.author != "user" or found.feedback.actor == "user"


@given(rules, st.randoms(use_true_random=False))
def test_the_order_in_which_feedback_was_recorded_makes_no_difference(rule: Rule, random: object) -> None:
    mixed = list(rule.feedback)
    random.shuffle(mixed)  # type: ignore[attr-defined]
    other = replace(rule, feedback=tuple(mixed))
    assert (effective_score(other, NOW), maturity(other, NOW), promoted(other, NOW)) == (
        effective_score(rule, NOW),
        maturity(rule, NOW),
        promoted(rule, NOW),
    )


# ---- what counts once ----


def mark(step: int, sign: int, **more: object) -> Feedback:
    """Feedback of an agent about session `s`, `step` hours before now."""
    return Feedback(step, NOW - step * 3_600_000, sign, **{"session": "s", "actor": "agent", **more})  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("given", "steps"),
    [
        ([mark(9, 1), mark(8, 1), mark(7, 1)], [7]),
        ([mark(9, 1), mark(8, -1)], [8]),
        ([mark(9, 1, actor="user"), mark(8, 1)], [9, 8]),
        ([mark(9, 1), mark(8, -1, way="inline", weight=500)], [9]),
        ([mark(9, 1, way="inline", weight=500), mark(8, 1, way="outcome", weight=300)], [9]),
        ([mark(9, 1, way="outcome", weight=300), mark(8, 1, way="test", weight=300, cause="test_a")], [8]),
        ([mark(9, 1, way="test", cause="a"), mark(8, 1, way="test", cause="a"), mark(7, 1, way="test")], [7]),
        ([mark(9, 1, way="outcome"), mark(8, 1, way="outcome")], [8]),
        ([mark(9, 1, way="outcome"), mark(8, 1, way="outcome", session="t")], [9, 8]),
        ([mark(9, 1, session=""), mark(8, 1, session="")], [9, 8]),
    ],
)  # fmt: skip
def test_feedback_counts_once_for_each_session_and_cause(given: list[Feedback], steps: list[int]) -> None:
    assert [each.step for each in counted(replace(RULE, feedback=tuple(given)))] == steps


def test_a_rule_of_the_user_is_deprecated_by_the_user_only() -> None:
    harmful = rated((-1, 2), (-1, 1), (-1, 0), actor="agent")
    assert maturity(harmful, NOW) == "deprecated"
    assert maturity(replace(harmful, author="user"), NOW) == "candidate"
    assert maturity(replace(rated((-1, 2), (-1, 1), (-1, 0)), author="user"), NOW) == "deprecated"


def test_praise_after_a_deprecation_changes_nothing_until_a_person_confirms_the_rule() -> None:
    dead = rated((-1, 40), (-1, 39))
    found = deprecation(dead)
    assert found is not None
    assert (found.feedback.step, found.helpful) == (2, 0)
    assert str(found) == "100 % of its feedback was harmful, score -3.984"
    praised = replace(dead, feedback=(*dead.feedback, *rated(*((1, 30),) * 9).feedback))
    praised = replace(
        praised, feedback=tuple(replace(each, session=f"s{n}") for n, each in enumerate(praised.feedback))
    )
    assert maturity(praised, NOW) == "deprecated"
    assert maturity(replace(praised, confirmed_at=NOW - 35 * DAY), NOW) == "proven"


def test_an_imported_rule_is_established() -> None:
    rule = replace(RULE, feedback=(Feedback(1, NOW - 500 * DAY, 1, 1_000, "import", cause="AGENTS.md:3"),))
    assert maturity(rule, NOW) == "established"
    assert maturity(replace(rule, feedback=(*rule.feedback, *rated((-1, 1), (-1, 0)).feedback)), NOW) == "deprecated"


def test_the_event_that_promoted_a_rule_is_known() -> None:
    rule = rated((1, 9), (1, 8), (1, 7), (1, 6), (1, 5), (1, 4), (1, 3))
    raised = promoted(rule, NOW)
    assert raised is not None
    assert (raised.step, maturity(rule, NOW)) == (7, "proven")
    assert promoted(rated((1, 0)), NOW) is None


def test_what_was_retracted_is_deprecated_whatever_speaks_for_it() -> None:
    rule = replace(rated((1, 0), (1, 0)), standing="retracted")
    assert (maturity(rule, NOW), effective_score(rule, NOW)) == ("deprecated", 0)
