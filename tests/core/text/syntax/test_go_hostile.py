"""Whatever a file holds, its outline is made, is in range and has one spelling; and hostile sizes stay affordable."""

from __future__ import annotations

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from ccos_core.values.code import MODULE, Outline, outline_from
from tests.core.text.syntax.go_trees import outlined

SOURCE = """\
// Package p is about things.
package p

import (
	"fmt"
	m "math"
	. "strings"
	_ "embed"
)

// Kind of a thing.
type Kind int

const (
	One Kind = 1 << iota
	Two
	_
	Three, Four = "a", `b`
)

var (
	std, err = New(os.Args[0])
	byName = map[string]*Thing{"x": {Kind: One}}
)

/* Thing
 * is one. */
type Thing struct {
	*fmt.State
	Kind, Other Kind `json:"kind"`
	inner struct{ f func(a int) (b m.T, err error) }
}

type Set[K comparable, V any] interface {
	fmt.Stringer
	~int | string
	Get(k K) (V, bool)
}

func (t *Thing) Run(n int, rest ...Option) (out *Set[int, string], err error) {
	x, y := n, &Thing{Kind: Two}
	for i, v := range rest {
		if u := v.Apply(t); u != nil { return nil, u.Err().Wrap("…") }
	}
	switch z := any(x).(type) {
	case *Thing: z.Run(1)
	case nil, error:
	}
	select { case r, ok := <-ch: use(r, ok) }
	func(t Kind) { y.inner.f(int(t)) }(Map[Kind, m.T](One))
	const local = len("s")
	return t.State.(*Set[int, string]), nil
}
"""


def checked(source: bytes) -> Outline:
    told = outlined(source)
    lines = source.count(b"\n") + 1
    owners = range(MODULE, len(told.symbols))
    for symbol in told.symbols:
        assert symbol.name
        assert 1 <= symbol.first <= symbol.line <= symbol.signature <= symbol.last <= lines
        assert 0 <= symbol.doc < symbol.first
    assert all(1 <= each.line <= lines and each.owner in owners for each in told.imports)
    assert all(1 <= each.line <= lines and each.owner in owners and each.count for each in told.references)
    assert outline_from(told.to_bytes()) == told
    return told


def test_the_source_is_whole() -> None:
    told = checked(SOURCE.encode())
    assert not told.flaws
    assert len(told.symbols) == 16


@settings(max_examples=100, deadline=None)
@given(end=st.integers(0, len(SOURCE)))
def test_any_beginning(end: int) -> None:
    checked(SOURCE[:end].encode())


PIECES = st.sampled_from(
    ["{", "}", "(", ")", "[", "]", "`", "'", '"', "/*", "*/", "//", "\0", "\r\n", "\ufeff", "…", ":=", "func ", "type ",
     "const (\n", "var ", "struct {", "interface {", ".", "...", ",", "switch x := y.(type) {", "case T:", "a.b()", "*",
     "import ", "package ", "=", "range ", "<-", "\n", "_", "new(", "len"]
)  # fmt: skip


@settings(max_examples=200, deadline=None)
@given(cuts=st.lists(st.tuples(st.integers(0, len(SOURCE)), st.integers(0, 40), PIECES), max_size=6))
@example(cuts=[(SOURCE.index("Kind = 1"), 0, ",")])
def test_any_mutation(cuts: list[tuple[int, int, str]]) -> None:
    text = SOURCE
    for at, length, piece in cuts:
        text = text[:at] + piece + text[at + length :]
    checked(text.encode())


@settings(max_examples=100, deadline=None)
@given(source=st.binary(max_size=300))
def test_any_bytes(source: bytes) -> None:
    checked(source)


@settings(max_examples=150, deadline=None)
@given(words=st.lists(PIECES, max_size=60))
def test_any_words(words: list[str]) -> None:
    checked(("package p\n" + "".join(words)).encode())


def test_line_ends_and_marks_change_nothing() -> None:
    plain = checked(SOURCE.encode())
    assert checked(SOURCE.replace("\n", "\r\n").encode()) == plain
    assert checked(b"\xef\xbb\xbf" + SOURCE.encode()) == plain


def test_invalid_bytes() -> None:
    told = checked(b"package p\nfunc caf\xc3\xa9() {}\nfunc b\xff() {}\nvar x = '\xfe\x00'\n")
    assert told.symbols[0].name == "café"


def test_an_empty_file() -> None:
    assert checked(b"") == Outline()


HOSTILE = {
    "blocks": "package p\nfunc f() " + "{" * 3_000,
    "calls": "package p\nvar x = " + "f(" * 5_000,
    "fluent": "package p\nvar x = a" + ".b()" * 20_000,
    "members": "package p\nvar x = a" + ".b" * 50_000,
    "literals": "package p\nvar x = " + "func() { x := " * 1_000,
    "composites": "package p\nvar x = " + "[]T{a: " * 5_000 + "1" + "}" * 5_000,
    "closures": "package p\nfunc f() {" + "x := func() { " * 5_000 + "}()\n" * 5_000 + "}",
    "ends": "package p\n" + "*/\nvar a int\n" * 10_000,
    "structs": "package p\ntype T " + "struct { a " * 2_000,
    "grown": "package p\nfunc f(x T) {\n" + "\tx := x.a\n" * 10_000 + "}\n",
    "nested": "package p\nfunc f(x T) {\n" + "{ x := x.a\n" * 1_500 + "}\n" * 1_501,
    "cases": "package p\nfunc f(x T) {\n\tswitch x := x.(type) {\n" + "\tcase A: x.b()\n" * 8_000 + "\t}\n}\n",
    "names": "package p\nvar " + "a, " * 20_000 + "b int\n",
    "comments": "package p\n" + "// a\n" * 20_000 + "var " + "a, " * 2_000 + "b int\n",
    "stars": "package p\n" + "/* */ */\n" * 20_000 + "var a int\n",
    "constants": "package p\nconst (\n\ta = iota\n" + "\tb\n" * 20_000 + ")\n",
    "blanks": "package p\nvar a = b" + " " * 200_000 + "\n" * 200_000,
}


@pytest.mark.parametrize("name", sorted(HOSTILE))
def test_no_hostile_size_runs_away(name: str) -> None:
    """An explosion would never end; nothing is timed here."""
    checked(HOSTILE[name].encode())
