"""Queries of every shape, for tests that search for one that breaks something."""

from hypothesis import strategies as st

from ccos_core.query.finding import atoms
from ccos_core.query.finding.pattern import pattern
from ccos_core.query.finding.tree import (
    RELATIVES,
    Compared,
    Flag,
    OfNode,
    Pipe,
    Query,
    Relative,
    Span,
    Text,
    Times,
    Tree,
)
from ccos_core.text.boolean import Every, Some, Without

SOME_WORDS = ["api.py", "due", "handle", "go on", "KeyError", "Traceback", "passed", "ő", 'it"s', "a\\b", "*.py", "x y"]
STEPS = st.none() | st.integers(0, 40)


def is_pattern(text: str) -> bool:
    try:
        pattern(text)
    except ValueError:
        return False
    return "\\/" not in text


said = st.sampled_from(SOME_WORDS) | st.text(min_size=1, max_size=6)
patterns = st.sampled_from(["d.e", r"\bhandle\b", "^def", "(a|b)+c?", "[^a-z]/x", r"\d{2,}", "Key|key", "$"])
numbers = st.integers(0, 10**6).map(str)
offsets = st.sampled_from(["5s", "1m", "1h30m", "2026-02-14", "2026-02-14T09", "2026-02-14T09:30:05"])


def compared(name: str) -> st.SearchStrategy[Tree]:
    marks = st.sampled_from([mark for mark in atoms.COMPARED[name][0] if name != "text"])
    if name in atoms.NUMBERS:
        values = st.tuples(numbers)
    else:
        of = st.sampled_from(atoms.CLOSED[name]) if name in atoms.CLOSED else said
        values = st.lists(of, min_size=1, max_size=3).map(tuple)
    return st.builds(Compared, st.just(name), marks, values)


def ranges(made: type[Tree], ends: st.SearchStrategy[object]) -> st.SearchStrategy[Tree]:
    return st.tuples(ends, ends).filter(lambda pair: pair != (None, None)).map(lambda pair: made(*pair))


atom: st.SearchStrategy[Tree] = st.one_of(
    st.sampled_from(list(atoms.FLAGS)).map(Flag),
    st.sampled_from([name for name in atoms.COMPARED if name != "text"]).flatmap(compared),
    st.builds(Text, said, st.just(False)),
    st.builds(Text, patterns | st.text(min_size=1, max_size=5).filter(is_pattern), st.just(True)),
    ranges(Span, STEPS),
    ranges(Times, st.none() | offsets),
    st.builds(OfNode, st.sampled_from(["present", "absent"]), said, st.none() | st.integers(1, 2**31 - 1)),
    st.builds(OfNode, st.just("changed"), said, st.none()),
)


def larger(smaller: st.SearchStrategy[Tree]) -> st.SearchStrategy[Tree]:
    several = st.lists(smaller, min_size=2, max_size=3).map(tuple)
    return st.one_of(
        st.builds(Every, several),
        st.builds(Some, several),
        st.builds(Without, smaller),
        st.builds(Relative, st.sampled_from(RELATIVES), smaller),
    )


trees: st.SearchStrategy[Tree] = st.recursive(atom, larger, max_leaves=6)
taking = st.builds(Pipe, st.sampled_from(["first", "last", "biggest"]), st.just("") | st.integers(0, 50).map(str))
ending = st.just([Pipe("count")]) | st.sampled_from(atoms.GROUPS).map(lambda by: [Pipe("by", by)]) | st.just([])
pipes = st.tuples(st.lists(taking, max_size=2), ending).map(lambda pair: tuple(pair[0] + pair[1]))
queries = st.builds(Query, trees, pipes)
