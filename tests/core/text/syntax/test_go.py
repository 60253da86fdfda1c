"""What Go files say about themselves, construct by construct."""

from __future__ import annotations

import pytest

from ccos_core.text.syntax.go_scopes import LONGEST
from ccos_core.values.code import MODULE, Outline
from tests.core.text.syntax.go_trees import outlined


def owner(told: Outline, at: int) -> str:
    return told.symbols[at].name if at != MODULE else ""


def symbols(source: str) -> list[tuple[str, str]]:
    return [(symbol.kind, symbol.name) for symbol in outlined("package p\n" + source).symbols]


def imports(source: str) -> list[tuple[str, str, str]]:
    return [(each.name, each.module, each.item) for each in outlined(source).imports]


def references(source: str) -> set[tuple[str, str, str]]:
    told = outlined("package p\n" + source)
    return {(owner(told, each.owner), each.role, each.chain) for each in told.references}


def used(body: str, head: str = "func f()") -> set[tuple[str, str]]:
    """(role, chain) of what the body of a function uses."""
    return {(role, chain) for of, role, chain in references(f"{head} {{\n{body}\n}}\n") if of}


# -- symbols ------------------------------------------------------------------------------------------------------

SYMBOLS = [
    ("func F() {}", [("function", "F")]),
    ("func F[T any, K comparable](a T) K { return 0 }", [("function", "F")]),
    ("func asm(a int) int", [("function", "asm")]),
    ("func init() {}\nfunc init() {}", [("function", "init"), ("function", "init")]),
    ("func (s *Server) Listen() {}", [("method", "Server.Listen")]),
    ("func (Server) Stop() {}", [("method", "Server.Stop")]),
    ("func (s *Server[K, V]) Get(k K) V { return 0 }", [("method", "Server.Get")]),
    ("func (_ T) m() {}", [("method", "T.m")]),
    ("type A struct{}", [("struct", "A")]),
    ("type A struct {\n\tX, Y int `json:\"x\"`\n\tF func(a int) B\n\t_ [4]byte\n\tB\n\t*pkg.C\n}",
     [("struct", "A"), ("field", "A.X"), ("field", "A.Y"), ("field", "A.F")]),
    ("type A struct {\n\tIn struct {\n\t\tDeep int\n\t}\n\tL []struct{ E int }\n}",
     [("struct", "A"), ("field", "A.In"), ("field", "A.In.Deep"), ("field", "A.L"), ("field", "A.L.E")]),
    ("type I interface {\n\tio.Reader\n\tDo(x int) error\n\t~int | string\n}",
     [("interface", "I"), ("method", "I.Do")]),
    ("type (\n\tA = pkg.B\n\tC[T any] []T\n\tD func(a, b int) E\n)", [("type", "A"), ("type", "C"), ("type", "D")]),
    ("const A = 1", [("constant", "A")]),
    ("const (\n\tA Kind = iota\n\tB\n\t_\n\tC, D = 1, 2\n)",
     [("constant", "A"), ("constant", "B"), ("constant", "C"), ("constant", "D")]),
    ("var a int", [("variable", "a")]),
    ("var (\n\ta, b = f()\n\tc map[string]int\n)", [("variable", "a"), ("variable", "b"), ("variable", "c")]),
    ("var _ I = (*T)(nil)", []),
    ("var tests = []struct{ in string }{{\"a\"}}", [("variable", "tests")]),
    ("func f() {\n\ttype t struct{ x int }\n\tconst c = 1\n\tvar v int\n\ti := interface{ m() }(nil)\n\tfunc() {}()\n}",
     [("function", "f")]),
    ("var v = func() { var inner int; type t struct{ x int } }", [("variable", "v")]),
    ("type Größe struct{ µ int }", [("struct", "Größe"), ("field", "Größe.µ")]),
]  # fmt: skip


@pytest.mark.parametrize(("source", "expected"), SYMBOLS, ids=[source.partition("\n")[0][:40] for source, _ in SYMBOLS])
def test_symbols(source: str, expected: list[tuple[str, str]]) -> None:
    assert symbols(source) == expected


LINES = """\
package p

// Server listens.
// For long.
type Server struct {
	// Addr is where.
	Addr string
	run  func(
		a int,
	) error
}

//go:noinline
// F does.
func F(
	a int,
	b int,
) (c int, err error) {
	return
}

const (
	// One is the first.
	One = iota
	Two // trails
	Three
)

/*
 * Block talks.
 */
var big = map[string]int{
	"a": 1,
}

/* in one */ var odd int

//nolint:all
type Narrow func(
	a int,
) error
"""


def test_lines() -> None:
    told = {s.name: (s.line, s.first, s.signature, s.last, s.doc) for s in outlined(LINES).symbols}
    assert told == {
        "Server": (5, 5, 5, 11, 3),
        "Server.Addr": (7, 7, 7, 7, 6),
        "Server.run": (8, 8, 10, 10, 0),
        "F": (15, 15, 18, 20, 14),
        "One": (24, 24, 24, 24, 23),
        "Two": (25, 25, 25, 25, 0),
        "Three": (26, 26, 26, 26, 0),
        "big": (32, 32, 32, 34, 30),
        "odd": (36, 36, 36, 36, 0),
        "Narrow": (39, 39, 41, 41, 0),
    }


# -- imports ------------------------------------------------------------------------------------------------------


def test_imports() -> None:
    source = 'package p\nimport "fmt"\nimport (\n\tm "math"\n\t. "strings"\n\t_ "embed"\n\t`x/raw`\n)\nimport "C"\n'
    assert imports(source) == [
        ("*", "package p", "*"),
        ("fmt", "fmt", ""),
        ("m", "math", ""),
        ("*", "strings", "*"),
        ("", "embed", ""),
        ("raw", "x/raw", ""),
        ("C", "C", ""),
    ]


@pytest.mark.parametrize(
    ("path", "name"),
    [
        ("fmt", "fmt"),
        ("encoding/json", "json"),
        ("github.com/a/b/v2", "b"),
        ("gopkg.in/yaml.v3", "yaml"),
        ("github.com/mattn/go-isatty", "isatty"),
        ("github.com/a/b-go", "b"),
        ("github.com/a/b.go", "b"),
        ("v2", "v2"),
    ],
)
def test_names_of_imports(path: str, name: str) -> None:
    assert imports(f'package p\nimport "{path}"\n')[1][0] == name


def test_lines_of_imports() -> None:
    assert [each.line for each in outlined('package p\n\nimport (\n\t"a"\n\t"b"\n)\n').imports] == [1, 4, 5]


# -- references ---------------------------------------------------------------------------------------------------

USES = [
    ("helper()", {("call", "helper")}),
    ("x = Max", {("name", "x"), ("name", "Max")}),
    ("pkg.Do(pkg.Max, A)", {("call", "pkg.Do"), ("name", "pkg.Max"), ("name", "A")}),
    ("_ = T{A: b, C: pkg.D}", {("type", "T"), ("name", "b"), ("name", "pkg.D")}),
    ("_ = []T{{A: b}}", {("type", "T"), ("name", "b")}),
    ("_ = map[K]V{k: v}", {("type", "K"), ("type", "V"), ("name", "k"), ("name", "v")}),
    ("_ = [...]string{idx: v}", {("name", "idx"), ("name", "v")}),
    ("_ = x.(T)", {("name", "x"), ("type", "T")}),
    ("_ = T(1)", {("call", "T")}),
    ("_ = []T(x)", {("type", "T"), ("name", "x")}),
    ("_ = Map[A, pkg.B](1)", {("call", "Map"), ("type", "A"), ("type", "pkg.B")}),
    ("_ = (*T).Do", {("name", "T")}),
    ("_ = T.Do", {("name", "T.Do")}),
    ("a().b().c(d)", {("call", "a"), ("call", "a.b"), ("call", "a.b.c"), ("name", "d")}),
    ("a.\n\t\tB(x).\n\t\tC()", {("call", "a.B"), ("name", "x"), ("call", "a.B.C")}),
    ("goto L\nL:\n\tfor {\n\t\tbreak L\n\t}", set()),
    ('_ = "Name" + `Name` // Name\n/* Name */', set()),
    ("switch A {\ncase B, pkg.C:\n\td()\n}", {("name", "A"), ("name", "B"), ("name", "pkg.C"), ("call", "d")}),
    ("_ = append(make([]int, 0), len(nil), true, iota)", set()),
    ("_ = min(any(1), x...)", {("call", "min"), ("call", "any"), ("name", "x")}),
    ("go run(1)\ndefer stop()", {("call", "run"), ("call", "stop")}),
]  # fmt: skip


@pytest.mark.parametrize(("body", "expected"), USES, ids=[body.partition("\n")[0] for body, _ in USES])
def test_uses(body: str, expected: set[tuple[str, str]]) -> None:
    assert used(body) == expected


SCOPES = [
    # What is bound is no use of what is outside, from the end of the statement to the end of the block.
    ("x := x.Do()\nx.Do()", {("call", "x.Do"), ("call", "x.Do.Do")}),
    ("if true {\n\turl := 1\n\t_ = url\n}\nurl.Parse()", {("call", "url.Parse")}),
    ("url.Parse()\nurl := 1\nurl.Parse()", {("call", "url.Parse")}),
    ("if x := a(); x {\n\t_ = x\n} else {\n\t_ = x\n}\n_ = x", {("call", "a"), ("name", "x")}),
    ("for i, v := range xs {\n\t_, _ = i, v\n}\n_ = i", {("name", "xs"), ("name", "i")}),
    ("for i = range xs {\n}", {("name", "xs"), ("name", "i")}),
    ("for i := 0; i < n; i++ {\n}\n_ = i", {("name", "n"), ("name", "i")}),
    ("select {\ncase v, ok := <-ch:\n\t_, _ = v, ok\ncase <-done:\n\t_ = v\n}",
     {("name", "ch"), ("name", "done"), ("name", "v")}),
    ("switch y := x.(type) {\ncase A:\n\ty.M()\ncase B, *C:\n\ty.M()\n}\n_ = y",
     {("name", "x"), ("type", "A"), ("type", "B"), ("type", "C"), ("call", "A.M"), ("name", "y")}),
    ("switch x := a(); x {\ncase 1:\n\tb := 1\n\t_ = b\ncase 2:\n\t_ = b\n}", {("call", "a"), ("name", "b")}),
    ("var a, b T = c, d\n_, _ = a, b", {("type", "T"), ("name", "c"), ("name", "d")}),
    ("const a = b\n_ = a", {("name", "b")}),
    ("type t struct{ x U }\nvar v t\nv.x()", {("type", "U")}),
    ("func(a A) {\n\ta.M()\n}(a)", {("type", "A"), ("call", "A.M"), ("name", "a")}),
    ("x := func() (r R) {\n\treturn r\n}\nx()", {("type", "R")}),
    ("var g func(q Q) R\ng(q)", {("type", "Q"), ("type", "R"), ("name", "q")}),
]  # fmt: skip


@pytest.mark.parametrize(("body", "expected"), SCOPES, ids=[body.partition("\n")[0] for body, _ in SCOPES])
def test_scopes(body: str, expected: set[tuple[str, str]]) -> None:
    assert used(body) == expected


HEADS = [
    # Parameters hide what is outside, and what is behind their dots is written from their type.
    ("func f(a A, b *pkg.B)", "a.X()\nb.X()\nc.X()",
     {("type", "A"), ("type", "pkg.B"), ("call", "A.X"), ("call", "pkg.B.X"), ("call", "c.X")}),
    ("func f(as ...A)", "as.X()", {("type", "A")}),
    ("func f(a []A, b map[K]A)", "a.X()\nb.X()", {("type", "A"), ("type", "K")}),
    ("func f(a, b A) (c C, err error)", "b.X()\nc.X()\nerr.X()",
     {("type", "A"), ("base", "C"), ("call", "A.X"), ("call", "C.X")}),
    ("func (c *A) f()", "c.X()", {("type", "A"), ("call", "A.X")}),
    ("func (c A[k, v]) f(a map[k]v)", "_ = k(1)\nc.X()", {("type", "A"), ("call", "A.X")}),
    ("func f[a any, b A](c b, d D[b])", "c.X()\nd.X()\n_ = a(1)",
     {("type", "any"), ("type", "A"), ("type", "D"), ("call", "D.X")}),
    ("func f(url url.URL) url.Error", "url.X()", {("type", "url.URL"), ("base", "url.Error"), ("call", "url.URL.X")}),
    ("func f(a func(b B) C)", "a()\nb()", {("type", "B"), ("type", "C"), ("call", "b")}),
]  # fmt: skip


@pytest.mark.parametrize(("head", "body", "expected"), HEADS, ids=[head for head, _, _ in HEADS])
def test_parameters(head: str, body: str, expected: set[tuple[str, str]]) -> None:
    assert used(body, head) == expected


LEADS = [
    ("v := T{A: 1}", "T"),
    ("v := &pkg.T{}", "pkg.T"),
    ("v := T[int]{}", "T"),
    ("v := new(pkg.T)", "pkg.T"),
    ("v := New()", "New"),
    ("v, err := pkg.New(a, b(c))", "pkg.New"),
    ("v := a.b", "a.b"),
    ("v := Global", "Global"),
    ("v := a().b(1)", "a.b"),
    ("v, ok := x.(*T)", "T"),
    ("var v T", "T"),
    ("var v *pkg.T = nil", "pkg.T"),
    ("var v = New()", "New"),
    ("u := T{}\nv := u", "T"),
    ("u := T{}\nv := u.Get()", "T.Get"),
    ("v := T{}\nv, err := New()", "T"),
    ("err, v := New()", ""),
    ("v := a + b", ""),
    ("v := []T{}", ""),
    ("v := map[K]T{}", ""),
    ("v := func() T { return T{} }", ""),
    ("v := make(T)", ""),
    ("v := <-New()", ""),
    ("v := f(a) + g(b)", ""),
    ("v := f(a)[0]", ""),
    ("v := struct{ a int }{1}", ""),
    ("type T int\nv := T{}", ""),
    ("for _, v := range New() {}\nv := 1", ""),
]


@pytest.mark.parametrize(("statement", "leads"), LEADS, ids=[statement for statement, _ in LEADS])
def test_what_a_dot_leads_into(statement: str, leads: str) -> None:
    found = {chain for role, chain in used(f"{statement}\nv.Run()") if role == "call" and chain.endswith(".Run")}
    assert found == ({f"{leads}.Run"} if leads else set())


BASES = [
    ("type A struct {\n\tB\n\t*pkg.C\n\tD[int]\n\tf *E\n\tg []F\n}",
     {("A", "base", "B"), ("A", "base", "pkg.C"), ("A", "base", "D"), ("A.f", "base", "E"), ("A.g", "type", "F")}),
    ("type I interface {\n\tio.Reader\n\tA\n\tB | C\n\tDo(x X) (R, error)\n}",
     {("I", "base", "io.Reader"), ("I", "base", "A"), ("I", "type", "B"), ("I", "type", "C"), ("I.Do", "type", "X"),
      ("I.Do", "base", "R")}),
    ("type A = pkg.B", {("A", "base", "pkg.B")}),
    ("type A []B", {("A", "type", "B")}),
    ("func f() *R", {("f", "base", "R")}),
    ("func f() (a, b R, err error)", {("f", "base", "R")}),
    ("func f() []R", {("f", "type", "R")}),
    ("func f[R any]() R", {("f", "type", "any")}),
    ("var a, b T", {("a", "base", "T"), ("b", "base", "T")}),
    ("var a = &T{}", {("a", "type", "T"), ("a", "base", "T")}),
    ("var a, err = pkg.New()", {("a", "call", "pkg.New"), ("a", "base", "pkg.New")}),
    ("var a, b = T{}, U{}", {("a", "type", "T"), ("a", "type", "U"), ("a", "base", "T"), ("b", "base", "U")}),
    ("type A struct{ x, y B }", {("A.x", "base", "B"), ("A.y", "base", "B")}),
    ("const (\n\tA Kind = iota\n\tB\n\tC = 1\n\tD\n)",
     {("A", "base", "Kind"), ("B", "base", "A"), ("B", "name", "A"), ("D", "base", "C"), ("D", "name", "C")}),
    ("var _ I = (*T)(nil)", {("", "type", "I"), ("", "name", "T")}),
]  # fmt: skip


@pytest.mark.parametrize(("source", "expected"), BASES, ids=[source.partition("\n")[0] for source, _ in BASES])
def test_bases(source: str, expected: set[tuple[str, str, str]]) -> None:
    assert references(source) == expected


def test_a_file_may_define_what_is_predeclared() -> None:
    assert ("f", "call", "len") in references("func len() {}\nfunc f() { len() }")


def test_uses_are_counted_and_have_the_line_of_the_first() -> None:
    told = outlined("package p\nfunc f() {\n\tg()\n\tg()\n\t_ = g\n}\n").references
    assert [(each.chain, each.role, each.line, each.count) for each in told] == [
        ("g", "call", 3, 2),
        ("g", "name", 5, 1),
    ]


def test_long_chains_are_cut() -> None:
    chains = [chain for _, chain in used("a" + ".b" * 20 + "\nc" + ".d()" * 20)]
    assert max(chain.count(".") for chain in chains) == LONGEST - 1


def test_broken_code_keeps_what_stands() -> None:
    told = outlined("package p\nfunc f() {\n\tg(\n}\n\ntype T struct {\n\tA int\n\nfunc h() { i() }\n")
    assert told.flaws == ("syntax",)
    assert "f" in [symbol.name for symbol in told.symbols]
