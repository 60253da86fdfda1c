"""A report in its parts."""

from collections import Counter

from hypothesis import given
from hypothesis import strategies as st

from ccos_core.text.retrieval.mentions import LONGEST, report


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


FORM = """It breaks on an empty store

### Describe the bug

**To Reproduce**
Loading fails.

Expected behavior
-----------------
- [x] I have searched the tracker
1. [ ] I have read the guide

<details><summary>Versions</summary>

```
### not a heading
```
A list stays:
- it is `load` that breaks
**it** is bold
"""


def test_what_a_form_says_itself_counts_for_nothing() -> None:
    said = report(FORM)
    assert said.title == "It breaks on an empty store"
    words = " ".join(said.prose.split())
    assert words == "Loading fails. Versions A list stays: - it is `load` that breaks **it** is bold"
    assert said.pasted == "```\n### not a heading\n```"


@given(st.text(max_size=200) | st.text(alphabet="a`~\n <!->", max_size=200))
def test_nothing_is_lost_but_comments_and_forms(text: str) -> None:
    said = report(text)
    assert not Counter(marks(said.title + said.prose + said.pasted)) - Counter(marks(said.text))
    if not {"#", "*", "_", "=", "-", "[", "<"} & {*text}:
        assert marks(said.title + said.prose + said.pasted) == marks(said.text)
    if "<" not in text:
        assert said.text == text.lstrip()


def marks(text: str) -> list[str]:
    """All that isn't space."""
    return sorted("".join(text.split()))
