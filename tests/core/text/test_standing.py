"""What still counts of what a user said comes before what is spent when it was answered."""

import pytest

from ccos_core.text.retrieval.carried import normalised_words
from ccos_core.text.standing import Saying, weight_of

SPENT = (
    "yeah let's do it",
    "let's check the other PRs first",
    "okay, go ahead",
    "can you check the PR?",
    "Can you propose what is best",
    "how does the retrieval work?",
)
STANDING = (
    "never push to main without asking",
    "let's not commit generated files",
    "can you always run the tests before you commit?",
    "let's keep it simple for now",
    "please use British spelling",
)


def weight(text: str) -> int:
    return weight_of(Saying(text, tuple(normalised_words(text)), 1, 1, 9, leads=True, channel="", pasted=False))


@pytest.mark.parametrize("spent", SPENT)
@pytest.mark.parametrize("standing", STANDING)
def test_what_is_spent_comes_last(spent: str, standing: str) -> None:
    assert weight(spent) < weight(standing) - 4
