"""Patterns fit what the standard library's fit; and no pattern makes a text take long."""

import re
from contextlib import suppress

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from ccos_core.query.finding import automaton
from ccos_core.query.finding.automaton import Automaton
from ccos_core.query.finding.pattern import LARGEST, glob, has_capitals, needed, pattern, size

TEXTS = st.text("ab\n_ 1é", max_size=12)


def repeated(of: st.SearchStrategy[str]) -> st.SearchStrategy[str]:
    times = st.sampled_from(["*", "+", "?", "{2}", "{0,2}", "{1,}", "*?", ""])
    return st.tuples(of, times).map(lambda pair: f"(?:{pair[0]}){pair[1]}")


PATTERNS = st.recursive(
    st.sampled_from(["a", "b", ".", "[ab]", "[^a\n]", "[a-c1]", r"\d", r"\w", r"\W", r"[\s_]", "^", "$", r"\b", r"\B"]),
    lambda inner: st.one_of(
        repeated(inner.filter(lambda said: said not in ("^", "$", r"\b", r"\B"))),
        st.lists(inner, max_size=3).map("".join),
        st.lists(inner, min_size=2, max_size=3).map("|".join).map("({})".format),
    ),
    max_leaves=6,
)


@settings(deadline=None)
@given(PATTERNS, TEXTS)
@example("(a|ab)(b|)$", "ab\n")
@example(r"(?:(?:a)*)*b", "aaa")
@example(r"\B", "")
def test_it_fits_where_others_do(said: str, text: str) -> None:
    if r"\B" in said and not text:
        return  # of an empty text they disagree among themselves
    # there `$` is before a line's end, and in this mode at any line's
    assert Automaton(pattern(said)).fits(text) == bool(re.search(said, text, re.MULTILINE))


@given(PATTERNS, TEXTS)
def test_what_it_needs_is_in_all_it_fits(said: str, text: str) -> None:
    found = pattern(said)
    if Automaton(found).fits(text):
        assert needed(found) in text


@given(PATTERNS, st.lists(TEXTS, min_size=2, max_size=5))
def test_remembering_less_changes_nothing(said: str, texts: list[str]) -> None:
    once = Automaton(pattern(said))
    expected = [once.fits(text) for text in texts]
    most, automaton.MOST = automaton.MOST, 2
    try:
        forgetful = Automaton(pattern(said))
        assert [forgetful.fits(text) for text in texts] == expected
    finally:
        automaton.MOST = most


@pytest.mark.parametrize("said", ["(a*)*b", "(a|aa)+$b", "a*a*a*a*a*a*a*a*b", "(a|b|ab)*c", "(.*)(.*)(.*)(.*)x"])
def test_what_ruins_others_is_one_walk(said: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """Sets of places are worked out a few times, however long the text is."""
    worked: list[int] = []
    real = Automaton.step
    monkeypatch.setattr(Automaton, "step", lambda self, *at: (worked.append(1), real(self, *at))[1])
    assert not Automaton(pattern(said)).fits("a" * 100_000)
    assert len(worked) < 20


def test_long_work_is_heard_of() -> None:
    heard: list[int] = []
    walking = Automaton(pattern(f"(a|b)*a{'(a|b)' * 30}c"), lambda: heard.append(1))
    text = "".join("ab"[int(bit)] for bit in f"{3**20_000:b}")
    assert not walking.fits(text)
    assert heard


@pytest.mark.parametrize("said", [
    "(", ")", "a)", "[", "[a", "*a", "a{3,2}", "\\", "(?=a)", "(?<n>a)", "\\q", "[z-a]", "^*", "[\\b]", "a{999}{999}",
    "(" * 99 + "a" + ")" * 99,
])  # fmt: skip
def test_what_is_no_pattern(said: str) -> None:
    with pytest.raises(ValueError, match=r"\w"):
        pattern(said)


@given(st.text("ab*+?(){}[]|^$\\.dw19,-:", max_size=20))
def test_anything_is_a_pattern_or_none(said: str) -> None:
    with suppress(ValueError):
        found = pattern(said)
        assert size(found) <= LARGEST
        assert Automaton(found).fits("ab(1)") in (True, False)


def test_capitals() -> None:
    assert has_capitals(pattern("a[A-Z]?"))
    assert not has_capitals(pattern(r"\S\W\D[^a-z]"))


@pytest.mark.parametrize(("said", "fits", "others"), [
    ("*.py", ["a.py", "src/a.py"], ["a.pyc", "py"]),
    ("src/*.py", ["src/a.py", "lib/src/a.py"], ["src/b/a.py", "xsrc/a.py"]),
    ("/src/*.py", ["src/a.py"], ["lib/src/a.py"]),
    ("src/**/a.py", ["src/a.py", "src/b/c/a.py"], ["src/b/c/ba.py"]),
    ("src", ["src/a.py", "src", "lib/src/x"], ["srcs/a.py"]),
    ("src/", ["src/a.py", "src/b/c"], ["src"]),
    ("a?.py", ["ab.py"], ["a.py", "a/.py"]),
    ("[a].py", ["[a].py"], ["a.py"]),
])  # fmt: skip
def test_paths(said: str, fits: list[str], others: list[str]) -> None:
    walking = Automaton(glob(said, path=True))
    assert [path for path in (*fits, *others) if walking.fits(path)] == fits


def test_names_have_no_folders() -> None:
    walking = Automaton(glob("mcp__*", path=False))
    assert walking.fits("mcp__a/b")
    assert not walking.fits("an mcp__a")
