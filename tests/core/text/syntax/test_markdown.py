"""Markdown's headings are those of a real CommonMark parser; its links lead to files and headings."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st
from markdown_it import MarkdownIt

from ccos_core.text.syntax.markdown import Heading, Item, read_markdown, slug
from ccos_core.text.syntax.resolution import Target
from ccos_core.text.syntax.resolve_markdown import resolver
from ccos_core.values.code import MODULE
from tests.core.text.syntax import markdown_cases
from tests.core.text.syntax.trees import outlined

SHARED = Path(__file__).parents[5] / "shared"
ORACLE = MarkdownIt("commonmark", {"maxNesting": 1_000})
SPACES = str.maketrans("\t\f", "  ")

LINES = [
    "# a", "## b ##", "####### c", "#", "#d", "   # e", "    # f", "text", "text two", "===", "---", "- - -", "***",
    "- item", "- # in", "-", "  more", "    code", "1. one", "2. two", "10) ten", ">", "> quote", "> # q", "> - x",
    "```", "````", "~~~ x", "``` `", "<!-- c", "-->", "<div>", "</div>", "<b>", "<pre>", "</pre>", "<?php", "?>", "",
    "", "[a]: /b", "[a]: /b 'c'", "[a]: <b> x", "\t# tab", "#\ttab", "-\titem", "  - nested", "   - deeper", "> > two",
    "  ```", "-   ```", "lazy", "===  ", " --", "+", "* *", "a\\", "<a href='x'>", "1)", "-     five", "# a #\\#",
]  # fmt: skip


def by_oracle(text: str) -> list[tuple[str, int, int, int]]:
    tokens = ORACLE.parse(text)
    return [
        (words(tokens[at + 1].content), int(each.tag[1]), each.map[0] + 1, each.map[1])
        for at, each in enumerate(tokens)
        if each.type == "heading_open" and each.level == 0 and each.map is not None
    ]


def words(title: str) -> str:
    return " ".join(title.translate(SPACES).split(" ")).strip()


def ours(text: str) -> list[tuple[str, int, int, int]]:
    return [(words(each.title), each.level, each.first, each.last) for each in read_markdown(text).headings]


def check_against_oracle(text: str) -> None:
    found, wanted = ours(text), by_oracle(text)
    squeezed = [(" ".join(title.split()), *rest) for title, *rest in found]
    assert squeezed == [(" ".join(title.split()), *rest) for title, *rest in wanted], text


@settings(max_examples=1_500, deadline=None)
@given(st.lists(st.sampled_from(LINES), max_size=9))
@example(["- a", "", "  - b", "===", "c", "==="])
def test_headings_are_those_of_commonmark(lines: list[str]) -> None:
    text = "\n".join(["first", *lines])  # so that no rule at the top looks like front matter
    check_against_oracle(text)
    check_against_oracle(text.replace("\n", "\r\n"))


@pytest.mark.skipif(not SHARED.is_dir(), reason="needs the shared folder beside the project")
def test_headings_of_real_files_are_those_of_commonmark() -> None:
    files = sorted(SHARED.glob("**/*.md"))
    headings = 0
    for path in files:
        text = path.read_text("utf-8", "replace")
        if not text.startswith(("---\n", "+++\n")):
            check_against_oracle(text)
            headings += len(ours(text))
    assert len(files) >= 10
    assert headings >= 100


def test_headings_of_our_own_docs_are_those_of_commonmark() -> None:
    root = Path(__file__).parents[4]
    for path in (*root.glob("*.md"), *root.glob("docs/**/*.md")):
        check_against_oracle(path.read_text("utf-8"))


def test_the_source_with_one_of_everything() -> None:
    found = read_markdown(markdown_cases.SOURCE)
    assert found.front == (1, 4)
    assert [each.title for each in found.headings] == ["Build & test", "Underlined\ntwice", "Build & test", "Last"]
    assert found.headings[1] == Heading("Underlined\ntwice", 2, 26, 28)
    boxes = [each for each in found.items if each.done is not None]
    assert boxes == [Item("open", False, 36), Item("done", True, 37), Item("nested", False, 50)]
    told = outlined(markdown_cases.SOURCE, "a.md")
    assert [(each.name, each.kind, each.first, each.last) for each in told.symbols] == [
        ("front-matter", "front-matter", 1, 4),
        ("build--test", "h1", 7, 24),
        ("underlined-twice", "h2", 26, 42),
        ("build--test", "h2", 44, 50),
        ("last", "h1", 52, 53),
    ]


@pytest.mark.parametrize(
    ("title", "name"),
    [("Build", "build"), ("Über uns!", "über-uns"), ("`run` [it](x.md)", "run-it"), ("v1.2", "v12"), ("!", "section")],
)
def test_a_heading_is_called_by_its_slug(title: str, name: str) -> None:
    assert slug(title) == name


def test_links_lead_to_other_families_once_they_are_there() -> None:
    found = resolver()
    found.put("README.md", outlined("# Use\n\n[code](src/a.py#L3) [none](src/b.py)\n", "README.md"))
    assert found.links("README.md") == ()
    found.watch("src/a.py", True)
    assert [(each.owner, each.target, each.role) for each in found.links("README.md")] == [
        (0, Target("src/a.py", MODULE), "link")
    ]
    found.watch("src/a.py", False)
    assert found.links("README.md") == ()
