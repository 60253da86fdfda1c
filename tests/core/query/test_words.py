"""Lines taken apart: whatever somebody types, the REPL and the shell understand the same, and nothing crashes."""

import shlex
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ccos_core.errors import Usage
from ccos_core.query.catalogue import QUESTIONS
from ccos_core.query.question import Argument, Question
from ccos_core.query.words import Line, assigned, line, nearest, of_shell, usage


def question(*arguments: Argument, timeless: bool = False) -> Question:
    return Question(ask=lambda: None, answers=(), example="ask this", arguments=arguments, timeless=timeless)


MISSING = question(
    Argument("node", "node", required=True),
    Argument("budget", "budget", default=2048),
    Argument("lens", "lens", default="working-set", flag=True),
    Argument("all", "switch", default=False, flag=True),
)
DIFF = question(Argument("span", "span"), Argument("limit", "count", default=9, flag=True))
TASK = question(Argument("text", "text", required=True), Argument("budget", "budget", default=2048, flag=True))
GOTO = question(Argument("step", "step", required=True), timeless=True)


def said(asked: Question, text: str) -> dict[str, str]:
    return assigned(asked, "ask", line(text))


def test_arguments_come_in_their_order_and_flags_anywhere() -> None:
    assert said(MISSING, "src/db.py 40") == {"node": "src/db.py", "budget": "40"}
    assert said(MISSING, "--lens host src/db.py --all 40") == {
        "node": "src/db.py",
        "budget": "40",
        "lens": "host",
        "all": "yes",
    }
    assert said(MISSING, "src/db.py --budget=40") == {"node": "src/db.py", "budget": "40"}
    assert said(DIFF, "4 9 --limit 3") == {"span": "4..9", "limit": "3"}
    assert said(DIFF, "4..9") == {"span": "4..9"}
    assert said(DIFF, "4") == {"span": "4"}
    assert said(DIFF, "") == {}
    assert said(GOTO, "-3") == {"step": "-3"}


def test_a_step_to_ask_as_of_comes_last_or_by_name() -> None:
    assert said(MISSING, "src/db.py 40 @12") == {"node": "src/db.py", "budget": "40", "at": "@12"}
    assert said(MISSING, "src/db.py @here") == {"node": "src/db.py", "at": "@here"}
    assert said(MISSING, "--at 12 src/db.py") == {"node": "src/db.py", "at": "12"}
    assert said(MISSING, "@types/node.ts") == {"node": "@types/node.ts"}
    assert said(MISSING, "@types/node.ts @9") == {"node": "@types/node.ts", "at": "@9"}
    assert said(GOTO, "@12m30s") == {"step": "@12m30s"}
    assert said(DIFF, "@10") == {"at": "@10"}
    assert said(DIFF, "4 9 @10") == {"span": "4..9", "at": "@10"}
    assert said(DIFF, "@1m @2m") == {"span": "@1m", "at": "@2m"}
    assert said(DIFF, "@1m..@2m") == {"span": "@1m..@2m"}
    assert said(TASK, "what @alice wrote @12m") == {"text": "what @alice wrote", "at": "@12m"}
    assert said(TASK, "what was said by @alice") == {"text": "what was said by @alice"}


def test_text_is_handed_on_as_it_was_typed() -> None:
    assert said(TASK, "don't   lose --budget 40 'the  node'") == {
        "text": "don't   lose 'the  node'",
        "budget": "40",
    }
    assert said(TASK, 'text~"a b" and kind=tool | count') == {"text": 'text~"a b" and kind=tool | count'}
    assert said(TASK, 'text~"a b"') == {"text": 'text~"a b"'}
    assert said(TASK, '"fix the  parser"') == {"text": "fix the  parser"}
    assert said(TASK, "fix --nothing known") == {"text": "fix --nothing known"}
    assert said(TASK, "--budget 9 -- say --budget 8") == {"budget": "9", "text": "say --budget 8"}


def test_quotes_hold_words_together_and_an_open_one_is_a_character() -> None:
    assert said(MISSING, '"src/my file.py" 40') == {"node": "src/my file.py", "budget": "40"}
    assert said(MISSING, "x --lens task:'fix the bug'") == {"node": "x", "lens": "task:fix the bug"}
    assert said(MISSING, "it's.py") == {"node": "it's.py"}
    assert said(MISSING, "'open 40") == {"node": "'open", "budget": "40"}
    assert said(MISSING, r"src\db.py") == {"node": r"src\db.py"}


@pytest.mark.parametrize(
    ("text", "fact", "hint"),
    [
        ("", "ask needs NODE", "ask this"),
        ("x 1 2", "one argument too many", "ask NODE [BUDGET] [--lens LENS] [--all]"),
        ("x --lens", "--lens needs a value", "ask NODE"),
        ("x --lnes host", "has no option --lnes", "Did you mean lens?"),
    ],
)
def test_what_does_not_fit_is_said(text: str, fact: str, hint: str) -> None:
    with pytest.raises(Usage) as refused:
        said(MISSING, text)
    assert fact in refused.value.fact
    assert hint in refused.value.hint


plain = st.from_regex(r"[a-z0-9_./#:,]{1,12}", fullmatch=True)


@given(st.lists(plain, max_size=4))
def test_a_shell_and_a_line_give_the_same(words: list[str]) -> None:
    for asked in (MISSING, DIFF, TASK, GOTO):
        assert outcome(asked, line(" ".join(words))) == outcome(asked, of_shell(words))


@given(st.text(max_size=60))
def test_a_quoted_word_is_that_word(text: str) -> None:
    quote = '"' if "'" in text else "'"
    if quote in text:
        return
    assert [word.text for word in line(f"a {quote}{text}{quote} b").words] == ["a", text, "b"]


@settings(max_examples=300)
@given(st.one_of(st.text(max_size=80), st.text(alphabet="@-=\"' .:ab1\t\n\0", max_size=60)))
def test_no_line_crashes_any_question(text: str) -> None:
    found = line(text)
    assert "".join(text.split()) == "".join("".join(text[word.begin : word.end].split()) for word in found.words)
    for asked in (MISSING, DIFF, TASK, GOTO, *(entry.load() for entry in QUESTIONS)):
        outcome(asked, found)
        outcome(asked, of_shell(shlex_words(text)))


def outcome(asked: Question, found: Line) -> Any:
    """What it comes to: the arguments, or the complaint."""
    try:
        return assigned(asked, "ask", found)
    except Usage as refused:
        return refused.fact


def shlex_words(text: str) -> list[str]:
    try:
        return shlex.split(text)
    except ValueError:
        return text.split()


def test_usage_shows_how_each_is_said() -> None:
    assert usage("missing", MISSING) == "missing NODE [BUDGET] [--lens LENS] [--all]"
    assert usage("diff", DIFF) == "diff [A B] [--limit LIMIT]"


def test_the_nearest_word_is_told_only_when_it_is_near() -> None:
    assert nearest("misisng", ["missing", "diff"]) == "Did you mean missing?"
    assert nearest("zebra", ["missing", "diff"]) == ""
    assert nearest("x" * 1_000_000, ["missing"]) == ""
