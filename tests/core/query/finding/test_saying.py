"""`find` over statements: conditions side by side mean one statement; the law looks at every statement by itself."""

from __future__ import annotations

from hypothesis import given, settings
from hypothesis import strategies as st

from ccos_core.query.finding.found import Found
from ccos_core.query.finding.masks import Masks
from ccos_core.query.finding.tree import Compared, Every, OfNode, Without
from ccos_core.query.saying.utterance import memo_id
from ccos_core.text.retrieval.carried import normalised_words
from tests.core.query.asked import ask
from tests.core.query.conversations import Conversation

SENTENCES = ("Never push to main.", "Use tabs in every file.", "The parser wants a test.")
CLASSES, STANDINGS = ("preference", "todo", "said"), ("live", "retracted")


def memo(text: str) -> str:
    return memo_id(tuple(normalised_words(text)))


def filed(talk: Conversation, text: str, cls: str, standing: str) -> None:
    """A person files what was said, and may take it back."""
    talk._tell(kind="remembered", memo=memo(text), words=talk._keep(text), actor="user", **{"class": cls})
    if standing == "retracted":
        talk._tell(kind="retracted", claim=memo(text), actor="user")


def found(talk: Conversation, expr: str) -> Found:
    answer: Found = ask(talk.timeline, "find", talk.step, expr=expr)
    return answer


def steps(talk: Conversation, expr: str) -> list[int]:
    return [each.step for each in found(talk, expr).rows]


def test_conditions_side_by_side_mean_one_statement() -> None:
    talk = Conversation().say("Never push to main. Use tabs in every file.").say("The parser wants a test.")
    filed(talk, SENTENCES[0], "preference", "retracted")
    filed(talk, SENTENCES[2], "todo", "live")
    first, second = 2, 3
    assert first in steps(talk, "class=preference")
    assert first not in steps(talk, "class=preference standing=live")
    assert first in steps(talk, "standing=live class=said")
    assert second in steps(talk, "author=user and (class=todo and standing=live)")
    assert first in steps(talk, "class=preference and not class=todo")
    answer = found(talk, "class=preference step 2")
    assert [(each.text, each.memo) for each in answer.statements] == [("Never push to main.", memo(SENTENCES[0]))]


def test_words_stand_beside_conditions_of_statements() -> None:
    talk = Conversation().say("Never push to main.").compact("They fix a bug.").say("Use tabs in every file.")
    assert steps(talk, 'author=user present("never push to main")') == [2]
    assert steps(talk, 'author=user absent("never push to main")') == [4]
    assert steps(talk, f"author=user absent({memo(SENTENCES[0])})") == [4]
    assert steps(talk, 'author=user text~"tabs" or author=user step 2') == [2, 4]


def test_no_statement_is_of_no_step() -> None:
    talk = Conversation().run("make").say("Never push to main.")
    assert steps(talk, "author=user") == [3]
    assert 2 in steps(talk, "not author=user")
    assert steps(talk, "author!=user") == []


prompts = st.lists(st.lists(st.sampled_from(SENTENCES), min_size=1, max_size=3, unique=True), min_size=1, max_size=4)
filings = st.lists(
    st.tuples(st.sampled_from(SENTENCES), st.sampled_from(CLASSES[:2]), st.sampled_from(STANDINGS)),
    max_size=3,
    unique_by=lambda each: each[0],
)
conditions = st.lists(
    st.one_of(
        st.builds(
            Compared, st.just("class"), st.sampled_from(["=", "!="]), st.sampled_from(CLASSES).map(lambda c: (c,))
        ),
        st.builds(
            Compared, st.just("standing"), st.sampled_from(["=", "!="]), st.sampled_from(STANDINGS).map(lambda s: (s,))
        ),
    ),
    min_size=1,
    max_size=3,
)


@settings(deadline=None, max_examples=40)
@given(prompts, filings, conditions, st.booleans())
def test_it_finds_what_looking_at_each_statement_finds(
    said: list[list[str]], known: list[tuple[str, str, str]], asked: list[Compared], nested: bool
) -> None:
    talk = Conversation()
    for each in said:
        talk.say(" ".join(each))
    about = {text: {"class": cls, "standing": standing} for text, cls, standing in known}
    for text, cls, standing in known:
        filed(talk, text, cls, standing)
    last = len(said) + 1

    def fits(text: str) -> bool:
        figures = about.get(text, {"class": "said", "standing": "live"})
        return all((figures[each.name] in each.values) == (each.mark == "=") for each in asked)

    expected = [any(map(fits, each)) for each in said]
    parts = tuple(asked)
    tree = Every((parts[0], Every(parts[1:]))) if nested and len(parts) > 2 else Every(parts)
    masks = Masks(talk.timeline, talk.step, 300, lambda done, total: None)
    mask = masks.of(tree)
    assert mask[1:last].tolist() == expected
    without = masks.of(Without(tree))
    assert (mask ^ without).all()
    held = masks.of(Every((OfNode("present", "words:never push to main", None), *asked)))
    assert not (held & ~mask).any()
