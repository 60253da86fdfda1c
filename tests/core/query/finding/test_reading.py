"""Queries: what is printed reads back, nothing that can be typed breaks anything, and what is wrong is pointed at."""

from contextlib import suppress

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from ccos_core.errors import Usage
from ccos_core.query.finding import QUESTIONS, atoms
from ccos_core.query.finding.reading import read
from ccos_core.query.finding.tree import Flag, OfNode, Pipe, Query, Relative, Span, Text, spelled
from ccos_core.text.boolean import Every, Some, Without
from tests.core.query.finding.queries import queries

WORDS = ["and", "or", "not", "kind", "count", "by", "present", "budget=", "step", "text", "error", "before", "12m", "5"]
PIECES = [
    *WORDS,
    "(",
    ")",
    "|",
    "=",
    "~",
    '"',
    "'",
    "/",
    "\\",
    "..",
    "@",
    ",",
    "!=",
    ">",
    " ",
    "[",
    "*",
    "\n",
    "\0",
    "ß",
]


@given(queries)
def test_what_is_printed_reads_back(query: Query) -> None:
    assert read(spelled(query)) == query


@given(st.lists(st.sampled_from(PIECES), max_size=25).map("".join) | st.text(max_size=60))
@example("(" * 3_000)
@example("not " * 900)
@example("a" * 5_000)
@example("text~/" + "(" * 2_000)
@example("text~/" + "(a{99})" * 40 + "{99}/")
@example("step " + "9" * 4_000)
@example("@" + "9" * 400 + "m..")
@example("@0000-01-01..@9999-12-31")
def test_no_input_breaks_anything(text: str) -> None:
    with suppress(Usage):
        query = read(text)
        assert read(spelled(query)) == query


@pytest.mark.parametrize(("text", "tree"), [
    ("error fail", Every((Flag("error"), Flag("fail")))),
    ("fail or refail", Some((Flag("fail"), Flag("refail")))),
    ("ERROR And fail", Every((Flag("error"), Flag("fail")))),
    ("error or fail pass", Some((Flag("error"), Every((Flag("fail"), Flag("pass")))))),
    ("not error fail", Every((Without(Flag("error")), Flag("fail")))),
    ("not (error fail)", Without(Every((Flag("error"), Flag("fail"))))),
    ("before not fail", Relative("before", Without(Flag("fail")))),
    ("100..200", Span(100, 200)),
    ("step 7", Span(7, 7)),
    ("..200", Span(None, 200)),
    ("'it''s'", None),
    ('"say \\"so\\""', Text('say "so"', False)),
    ('"C:\\new"', Text("C:\\new", False)),
    ("/a\\/b/", Text("a/b", True)),
    ("present(src/db.py) budget=8k", OfNode("present", "src/db.py", 8_000)),
    ('changed("sym:a.go#(*T).Run")', OfNode("changed", "sym:a.go#(*T).Run", None)),
])  # fmt: skip
def test_how_it_is_read(text: str, tree: object) -> None:
    if tree is None:
        tree = Every((Text("it", False), Text("s", False)))
    assert read(text).tree == tree


def test_pipes() -> None:
    assert read("fail|first 3 | by tool").pipes == (Pipe("first", "3"), Pipe("by", "tool"))
    with pytest.raises(Usage, match="a count ends"):
        read("fail | count | first")


@pytest.mark.parametrize(("text", "fact", "column", "hint"), [
    ("kind=tool and eror", "eror isn't a query word", 15, "Did you mean error?"),
    ("kind=tol", "there is no kind tol", 6, "Did you mean tool?"),
    ("tool Bash", "tool needs one of = != ~ after it", 1, "Did you mean tool=Bash?"),
    ("tool:bahs and error", "tool needs one of = != ~ after it", 1, "Did you mean tool=bahs?"),
    ('tool: "my own"', "tool needs one of = != ~ after it", 1, 'Did you mean tool="my own"?'),
    ("kind:tol", "kind needs one of", 1, "Did you mean tool?"),
    ("text:refused", "text needs one of ~ after it", 1, "Did you mean text~refused?"),
    ('error and text="a b"', "text needs one of ~ after it", 15, 'Did you mean text~"a b"?'),
    ("tols:Bash", "tols isn't a query word", 1, "Did you mean tool?"),
    ("tokens~5", "tokens needs one of", 7, "Did you mean tokens"),
    ("tokens>x", "a number for tokens is missing here", 8, ""),
    ("(error", "this bracket is never closed", 1, ""),
    ("error)", "this closing bracket has no opening one", 7, ""),
    ("error and", "a condition is missing here", 10, "As in: kind=tool error"),
    ("must use", "must isn't a query word", 1, 'text~"must use"'),
    ("text~/a(/", "invalid pattern: missing closing bracket", 9, ""),
    ("@12m", "a range of times is missing here", 1, "@12m..@20m"),
    ("fail | cuont", "| cuont isn't an output", 8, "Did you mean count?"),
    ("fail | by tol", "what to count by is missing here", 11, "Did you mean tool?"),
])  # fmt: skip
def test_what_is_wrong_is_pointed_at(text: str, fact: str, column: int, hint: str) -> None:
    with pytest.raises(Usage) as caught:
        read(text)
    wrong = caught.value
    assert fact in wrong.fact
    assert wrong.fact.endswith(f"at column {column}")
    assert wrong.hint.splitlines()[0] == f"{text[: column - 1]}▸{text[column - 1 :]}"
    assert hint in wrong.hint


@pytest.mark.parametrize(
    "text", ["tool", "tool and error", "tool or tool=x", "kind | count", "tokens:", "tool:" + "x" * 99]
)
def test_where_nothing_is_meant_nothing_is_guessed(text: str) -> None:
    with pytest.raises(Usage) as caught:
        read(text)
    assert "Did you mean" not in caught.value.hint


def meant_by(text: str, name: str) -> list[str]:
    """What a query that can't be read is said to have meant."""
    try:
        read(text)
    except Usage as error:
        lines = [line.strip() for line in error.hint.splitlines()]
        return [
            line[len("Did you mean ") :].removesuffix("?") for line in lines if line.startswith(f"Did you mean {name}")
        ]
    return []


@given(st.sampled_from([*atoms.COMPARED]), st.sampled_from([":", " ", "==", " : "]), st.text(min_size=1, max_size=8))
def test_what_was_meant_can_be_read(name: str, mark: str, value: str) -> None:
    for query in meant_by(f"{name}{mark}{value}", name):
        read(query)


def test_something_is_meant() -> None:
    assert meant_by("tool:7", "tool") == ["tool=7"]
    assert meant_by("tool:?", "tool") == ["tool=?"]
    assert meant_by("tokens 7", "tokens") == ["tokens=7"]
    assert meant_by("text==x", "text") == ["text~x"]


def test_what_is_far_into_a_long_query_is_shown_with_what_is_near() -> None:
    text = "error or " * 100 + "eror" + " or error" * 100
    with pytest.raises(Usage) as caught:
        read(text)
    shown = caught.value.hint.splitlines()[0]
    assert "▸eror or" in shown
    assert len(shown) < 130


def test_what_help_says_can_be_typed() -> None:
    for query, _ in atoms.CANNED:
        assert spelled(read(query)) == query
    told = QUESTIONS["find"].about
    assert all(word in told for word in (*atoms.WORDS, *atoms.PIPES, *atoms.GROUPS))
    read(QUESTIONS["find"].example.removeprefix("find "))
