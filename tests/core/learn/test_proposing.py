"""Laws of `proposals`: order and repetition don't matter, another session does, and evidence makes rules, not words."""

from __future__ import annotations

from dataclasses import replace

from hypothesis import given
from hypothesis import strategies as st

from ccos_core.learn.categories import category_of
from ccos_core.learn.observed import (
    BEFORE,
    CHANGED,
    COMMIT,
    CORRECTION,
    INSTRUCTION,
    ORDER,
    PREFERENCE,
    RECOVERY,
    REVERTED,
    SEQUENCE,
    Observation,
    occasion,
)  # fmt: skip
from ccos_core.learn.proposing import BARS, proposals
from ccos_core.learn.rule import CATEGORIES

WHEN = (COMMIT, CHANGED + "*.py", CHANGED + "src/")
TASKS = ("make", "npm run lint", "npm run fmt")
KEYS = [
    *((SEQUENCE, occasion(when, task)) for when in WHEN for task in ("", *TASKS)),
    *((SEQUENCE, occasion(ORDER, one + BEFORE + other)) for one in TASKS for other in TASKS if one != other),
    *((kind, key) for kind in (PREFERENCE, CORRECTION) for key in ("creat draft pr", "creat draft pr alway", "us tab")),
    *((RECOVERY, key) for key in ("ruff|F401", "eslint|no-undef")),
    (REVERTED, "src/a.py"),
    (INSTRUCTION, "use tabs"),
]  # fmt: skip


@st.composite
def observed(draw: st.DrawFn) -> Observation:
    kind, key = draw(st.sampled_from(KEYS))
    of = draw(st.integers(1, 5))
    times = draw(st.integers(0, of)) if not key.endswith("|") else 0
    session = draw(st.sampled_from("abcdef"))
    return Observation(kind, key, key, session, "shop", "codex", draw(st.integers(0, 9)), (draw(st.integers(1, 9)),),
                       "AGENTS.md:3" if kind == INSTRUCTION else "", times, of)  # fmt: skip


SOME = st.lists(observed(), max_size=40)


@given(SOME, st.randoms(use_true_random=False))
def test_order_and_repetition_change_nothing(some: list[Observation], random: object) -> None:
    shuffled = [*some, *some[: len(some) // 2]]
    random.shuffle(shuffled)  # type: ignore[attr-defined]
    assert proposals(shuffled) == proposals(some)


@given(SOME)
def test_one_session_proposes_nothing_but_its_instructions(some: list[Observation]) -> None:
    found = proposals([replace(each, session="a") for each in some])
    assert all(each.established for each in found)


@given(SOME)
def test_each_rule_is_borne_by_enough_sessions_and_names_them(some: list[Observation]) -> None:
    for each in proposals(some):
        assert each.established or len(each.sessions) >= min(BARS.task_sessions, BARS.said_sessions)
        assert set(each.sessions) == {shown.session for shown in each.observations}
        assert set(each.observations) <= set(some)
        assert each.category in CATEGORIES
        assert each.words
        assert each.reason


@given(SOME)
def test_higher_bars_never_bring_a_rule_that_tasks_bear(some: list[Observation]) -> None:
    tasks = [each for each in some if each.kind == SEQUENCE and each.key.startswith(ORDER)]
    higher = replace(BARS, task_sessions=4, order_permille=950)
    assert {each.words for each in proposals(tasks, higher)} <= {each.words for each in proposals(tasks)}


def wish(session: str, words: str, key: str) -> Observation:
    return Observation(PREFERENCE, key, words, session, "shop", "codex", 0, (1,))


def test_wishes_that_share_few_words_are_not_the_same() -> None:
    said = [wish("a", "create draft PR", "creat draft pr"), wish("b", "create new branch", "branch creat new")]
    assert not proposals(said)
    (found,) = proposals([*said, wish("b", "create a draft PR first", "creat draft first pr")])
    assert (found.words, found.sessions) == ("Create a draft PR first.", ("a", "b"))


STEMS = st.lists(st.sets(st.sampled_from("abcdefghij"), min_size=3, max_size=6), min_size=2, max_size=12)


@given(STEMS)
def test_no_two_wishes_that_are_alike_are_missed(keys: list[set[str]]) -> None:
    said = [wish(f"s{at}", "x", " ".join(sorted(key))) for at, key in enumerate(keys)]
    alike = [
        (one, other)
        for at, one in enumerate(keys)
        for other in keys[at + 1 :]
        if 1_000 * len(one & other) // len(one | other) >= BARS.said_permille
    ]
    assert bool(proposals(said)) == bool(alike)


def test_a_rule_of_two_projects_is_the_users() -> None:
    one = wish("a", "create draft PR", "creat draft pr")
    (found,) = proposals([one, replace(one, session="b", project="other")])
    assert found.scope == "user"


def test_one_code_with_different_messages_is_no_rule() -> None:
    ended = Observation(RECOVERY, "ruff|F401", "… imported but unused", "a", "shop", "codex", 0, (1, 2))
    assert proposals([ended, replace(ended, session="b")])[0].cls == "anti-pattern"
    assert not proposals([ended, replace(ended, session="b", words="func x is unused")])


def test_categories_are_of_the_ten() -> None:
    assert category_of("Run `pytest` before `git commit`.") == "git"
    assert category_of("Never log a password.") == "security"
    assert category_of("Respond to each PR review comment.") == "collaboration"
    assert category_of("Keep lines short.") == "workflow"
