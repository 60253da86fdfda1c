"""What is told again stays within its budget, in words that were said, and says what it leaves out."""

from hypothesis import given
from hypothesis import strategies as st

from ccos_core.query.retelling import MOST_STATEMENTS, Retelling, Retold
from ccos_core.query.retold_text import CUT, SAID, TODOS, TRIED, retold_text, size_of
from ccos_core.values.tokens import estimate

words = st.text(st.characters(exclude_categories=("Cs", "Cc")), min_size=1, max_size=12).filter(str.strip)
texts = st.lists(words, min_size=1, max_size=60).map(" ".join).filter(str.strip)


def rows(prefix: str) -> st.SearchStrategy[tuple[Retold, ...]]:
    """Different things to tell, each with a name of its own."""
    pairs = st.lists(st.tuples(texts, st.integers(1, 99_999), st.booleans()), max_size=6)
    return pairs.map(lambda found: tuple(Retold(f"{prefix}{at}", *each) for at, each in enumerate(found)))


tellings = st.builds(Retelling, rows("r"), st.booleans(), rows("s"), rows("t"), rows("f"))


@given(tellings, st.integers(60, 800))
def test_it_stays_within_the_budget_and_names_what_it_tells(telling: Retelling, budget: int) -> None:
    text, names = retold_text(telling, budget, ())
    assert estimate(text) <= budget
    told = {each.name: each for each in (*telling.statements, *telling.todos, *telling.tried)}
    for name in names:
        if name in told and size_of(told[name].text) < 40:
            assert f"- [{told[name].step}] {' '.join(told[name].text.split())}" in text
    assert len(set(names)) == len(names)


@given(tellings)
def test_what_was_told_is_left_out(telling: Retelling) -> None:
    _, names = retold_text(telling, 600, ())
    _, then = retold_text(telling, 600, names)
    assert not set(names) & set(then)


def test_the_order_is_that_of_importance_and_within_it_of_steps() -> None:
    said = (Retold("a", "Never push to main.", 9), Retold("b", "Use tabs.", 3))
    request = (Retold("r", "Fix it.\nThen stop.", 12),)
    telling = Retelling(request, True, said, (Retold("t", "(pending) Test it", 8),), (Retold("f", "edited a.py", 7),))
    assert retold_text(telling, 400, ()).text.split("\n") == [
        "The user's last request (step 12), word for word:",
        "> Fix it.",
        "> Then stop.",
        SAID,
        "- [3] Use tabs.",
        "- [9] Never push to main.",
        TODOS,
        "- [8] (pending) Test it",
        TRIED,
        "- [7] edited a.py",
    ]


def test_statements_that_do_not_fit_are_counted() -> None:
    said = tuple(Retold(f"s{number}", f"Never edit src/mod{number}.py.", number) for number in range(30))
    text, names = retold_text(Retelling((), True, said, (), ()), 200, ())
    assert 0 < len(names) < 30
    assert text.split("\n")[-1] == f"- and {30 - len(names)} more: `ccos-tui statements --which lost`"
    assert estimate(text) <= 200
    many = tuple(Retold(f"s{number}", f"Never edit src/mod{number}.py.", number) for number in range(MOST_STATEMENTS))
    text, names = retold_text(Retelling((), True, many, (), ()), 200, ())
    assert f"- and at least {MOST_STATEMENTS - len(names)} more: " in text


def test_a_pasted_block_is_cut_before_the_users_own_words() -> None:
    log = " ".join(f"line{number}" for number in range(900))
    request = (Retold("a", "Why does it fail?", 5), Retold("b", log, 5, pasted=True), Retold("c", "Mend it.", 5))
    text = retold_text(Retelling(request, True, (), (), ()), 400, ()).text
    assert "> Why does it fail?\n> line0 " in text
    assert text.endswith("\n> Mend it.")
    assert CUT.partition("{")[0] in text
    assert estimate(text) <= 150
