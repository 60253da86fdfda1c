"""Sections: what is appended is read back, and every other byte stays as it was."""

from __future__ import annotations

import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from ccos_core.errors import NotFound, Usage
from ccos_core.text.sections import append_section, read_section, sections, with_days_in_order
from ccos_core.text.syntax.markdown import read_markdown

LINES = st.sampled_from(
    [
        "# One",
        "## Two",
        "### Three",
        "Two",
        "---",
        "===",
        "- a",
        "- [ ] b",
        "text",
        "",
        "",
        "```",
        "# in",
        "> q",
        "    c",
    ]
)
ENDS = st.sampled_from(["\n", "\r\n"])
WORDS = st.sampled_from(
    ["- new", "new words", "two\nlines", "- one\n- two", "### deeper\n\nx", "```\n# code\n```", "> # q"]
)


@st.composite
def texts(draw: st.DrawFn) -> str:
    end = draw(ENDS)
    text = end.join(draw(st.lists(LINES, max_size=10)))
    return draw(st.sampled_from(["", "\ufeff"])) + text + draw(st.sampled_from(["", end, end * 2]))


@settings(max_examples=600, deadline=None)
@given(texts(), st.sampled_from(["one", "Two", "three", "two~2", "Plans"]), WORDS)
def test_what_is_appended_is_read_back_and_nothing_else_changes(text: str, name: str, content: str) -> None:
    before = sections(text)
    try:
        grown = append_section(text, name, content)
    except Usage:
        assume(False)
    told = read_section(grown, name).text.replace("\r\n", "\n")
    assert content in told
    at = next(at for at in range(len(text) + 1) if text[:at] == grown[:at] and grown.endswith(text[at:]))
    assert grown.startswith(text[:at])
    if text.strip("\ufeff"):
        assert grown.endswith("\n") == text.endswith("\n")
    if "\r\n" in text.partition("\n")[0] + "\n" and "\n" in text and text.partition("\n")[0].endswith("\r"):
        inserted = grown[at : len(grown) - len(text) + at]
        assert inserted.count("\n") == inserted.count("\r\n")
    assert append_section(grown, name, content) == grown
    kept = [(each.title, each.level) for each in sections(grown)]
    for each in before:
        kept.remove((each.title, each.level))


@settings(max_examples=300, deadline=None)
@given(texts())
def test_sections_are_the_text(text: str) -> None:
    for each in sections(text):
        assert each.text == text[each.start : each.end]
        assert each.start < each.own_end <= each.end
        assert read_section(text, each.name) == each


def test_the_examples_of_the_module() -> None:
    assert append_section("# A\n\nold\n", "a", "new") == "# A\n\nold\n\nnew\n"
    assert append_section("# A\r\n", "Plans", "- one") == "# A\r\n\r\n## Plans\r\n\r\n- one\r\n"
    assert append_section("", "Plans", "- one") == "## Plans\n\n- one\n"
    assert append_section("# A\n- x", "a", "- y") == "# A\n- x\n- y"
    assert append_section("# A\nx\n## B\ny\n", "A", "z") == "# A\nx\n\nz\n\n## B\ny\n"


def test_equal_headings_are_numbered_as_symbols_are() -> None:
    text = "# Log\n\na\n\n# Log\n\nb\n"
    assert [each.name for each in sections(text)] == ["log", "log~2"]
    assert append_section(text, "log~2", "c").endswith("# Log\n\nb\n\nc\n")
    assert read_section(text, "Log").text == "# Log\n\na\n\n"


@pytest.mark.parametrize("content", ["```\nopen", "<!-- open", "# higher", "## same", "", "  \n", "a\n===\n"])
def test_content_that_would_change_other_sections_is_refused(content: str) -> None:
    with pytest.raises(Usage):
        append_section("# A\n\n## B\n\nx\n\n# C\n", "B", content)


def test_an_unknown_section_names_those_there_are() -> None:
    with pytest.raises(NotFound) as told:
        read_section("# Build\n\n# Test\n", "biuld")
    assert "Near: build" in told.value.hint
    assert "There are: build  test" in told.value.hint


class Counted(list):
    """A list that counts the entries it hands out."""

    handed = 0

    def __getitem__(self, at):  # type: ignore[no-untyped-def]
        found = super().__getitem__(at)
        self.handed += len(found) if isinstance(at, slice) else 1
        return found


def test_many_headings_are_read_in_linear_time(monkeypatch: pytest.MonkeyPatch) -> None:
    """A copy of the headings behind each one would hand out 2e6 of them here."""
    found = read_markdown("# a\n## b\n" * 1_000)
    found.headings = Counted(found.headings)
    monkeypatch.setattr("ccos_core.text.sections.read_markdown", lambda text: found)
    many = sections("# a\n## b\n" * 1_000)
    assert [each.text for each in many[:2]] == ["# a\n## b\n", "## b\n"]
    assert [each.last for each in many[:4]] == [2, 2, 4, 4]
    assert found.headings.handed <= 20 * len(many)


def test_a_name_without_letters_is_not_the_section_called_section() -> None:
    text = "# Section\n\nold\n"
    assert read_section(text, "section").title == "Section"
    with pytest.raises(NotFound):
        read_section(text, "!!!")
    with pytest.raises(Usage):
        append_section(text, "!!!", "new")


def test_days_come_in_their_order_and_nothing_is_lost() -> None:
    text = "# Log\n\nhead\n\n## 2026-02-10\n\n- ten\n\n### more\n\nx\n\n## Other\n\ny\n\n## 2026-02-08\n\n- eight"
    found = with_days_in_order(text)
    assert sorted(found.split()) == sorted(text.split())
    assert [each.title for each in sections(found)] == ["Log", "2026-02-08", "Other", "2026-02-10", "more"]
    assert read_section(found, "2026-02-10").text == "## 2026-02-10\n\n- ten\n\n### more\n\nx\n\n"
    assert with_days_in_order(found) == found
    assert with_days_in_order("# A\n\nb") == "# A\n\nb"
