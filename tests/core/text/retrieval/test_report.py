"""A report in its parts."""

from hypothesis import given
from hypothesis import strategies as st

from ccos_core.text.retrieval.report import LONGEST, report


def test_the_parts() -> None:
    said = report(
        "\n<!-- Be kind,\nplease. -->\nIt breaks\n\nAs in\n```py\nx = 1\n```\nor\n  ~~~\n```\ny\n  ~~~\nend\n"
    )
    assert said.title == "It breaks"
    assert said.prose.split() == ["As", "in", "or", "end"]
    assert said.pasted == "```py\nx = 1\n```\n  ~~~\n```\ny\n  ~~~"
    assert "kind" not in said.text


def test_what_is_never_closed_goes_to_the_end() -> None:
    assert report("a\nb\n```\nc\nd").pasted == "```\nc\nd"
    assert report("a <!-- b\nc").text == "a  "
    assert report("a ``` b\nc ``` d").pasted == ""


def test_only_so_much_is_read() -> None:
    assert len(report("a " * LONGEST).text) <= LONGEST
    for run in ("```\n" * 60_000, "~~~\n```\n" * 30_000, "<!--" * 60_000, "```" + "\n" * 200_000):
        report(run)


@given(st.text(max_size=200) | st.text(alphabet="a`~\n <!->", max_size=200))
def test_nothing_is_lost_but_comments(text: str) -> None:
    said = report(text)
    assert marks(said.title + said.prose + said.pasted) == marks(said.text)
    if "<" not in text:
        assert said.text == text.lstrip()


def marks(text: str) -> list[str]:
    """All that isn't space."""
    return sorted("".join(text.split()))
