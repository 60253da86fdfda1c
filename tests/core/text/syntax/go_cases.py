"""Go for the laws that hold for every language."""

from collections.abc import Mapping

from tests.core.text.syntax.cases import Outlines, Trees

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

PIECES = [
    "{", "}", "(", ")", "[", "]", "`", "'", '"', "/*", "*/", "//", "\0", "\r\n", "\ufeff", "…", ":=", "func ", "type ",
    "const (\n", "var ", "struct {", "interface {", ".", "...", ",", "switch x := y.(type) {", "case T:", "a.b()", "*",
    "import ", "package ", "=", "range ", "<-", "\n", "_", "new(", "len",
]  # fmt: skip

SIZES = {
    "blocks": lambda n: "package p\nfunc f() " + "{" * 3 * n,
    "calls": lambda n: "package p\nvar x = " + "f(" * 5 * n,
    "fluent": lambda n: "package p\nvar x = a" + ".b()" * 20 * n,
    "members": lambda n: "package p\nvar x = a" + ".b" * 50 * n,
    "literals": lambda n: "package p\nvar x = " + "func() { x := " * n,
    "composites": lambda n: "package p\nvar x = " + "[]T{a: " * 5 * n + "1" + "}" * 5 * n,
    "closures": lambda n: "package p\nfunc f() {" + "x := func() { " * 5 * n + "}()\n" * 5 * n + "}",
    "ends": lambda n: "package p\n" + "*/\nvar a int\n" * 10 * n,
    "structs": lambda n: "package p\ntype T " + "struct { a " * 2 * n,
    "grown": lambda n: "package p\nfunc f(x T) {\n" + "\tx := x.a\n" * 10 * n + "}\n",
    "nested": lambda n: "package p\nfunc f(x T) {\n" + "{ x := x.a\n" * (3 * n // 2) + "}\n" * (3 * n // 2 + 1),
    "cases": lambda n: (
        "package p\nfunc f(x T) {\n\tswitch x := x.(type) {\n" + "\tcase A: x.b()\n" * 8 * n + "\t}\n}\n"
    ),
    "names": lambda n: "package p\nvar " + "a, " * 20 * n + "b int\n",
    "comments": lambda n: "package p\n" + "// a\n" * 20 * n + "var " + "a, " * 2 * n + "b int\n",
    "stars": lambda n: "package p\n" + "/* */ */\n" * 20 * n + "var a int\n",
    "constants": lambda n: "package p\nconst (\n\ta = iota\n" + "\tb\n" * 20 * n + ")\n",
    "blanks": lambda n: "package p\nvar a = b" + " " * 200 * n + "\n" * 200 * n,
}

# Per file what it may be; None is that it isn't there. Each pair of neighbours differs in one thing others lean on.
VARIANTS: Mapping[str, list[str | None]] = {
    "top.go": ["package app\nfunc Top() {}", "package main\nfunc Top() {}", None],
    "p/use.go": [
        "package p\nfunc f(s *S) { s.M(); s.T.N(); g(); K.M(); New().M() }",
        'package p\nimport "example.com/app/q"\nimport "example.com/app"\nfunc f() { q.Q(); g(); app.Top() }',
        'package p\nimport . "example.com/app/q"\nfunc f() { Q(); g() }',
        'package p\nimport "other.org/x/q"\nimport "other.org/x/r"\nfunc f() { q.Q(); r.R() }',
    ],
    "p/s.go": [
        "package p\ntype S struct{ T }\nvar K = New()",
        "package p\ntype S struct{ U }\nvar K = New()",
        "package p\nfunc S() {}\nvar K U",
        None,
    ],
    "p/t.go": [
        "package p\ntype T struct{}\ntype U struct{}\nfunc (T) M() {}\nfunc (T) N() {}\nfunc (U) M() {}\nfunc g() {}",
        "package p\nfunc (T) M() {}\ntype T struct{}\ntype U struct{}",
        "package q\nfunc Q() {}\nfunc g() {}",
        None,
    ],
    "p/new.go": ["package p\nfunc New() *S { return nil }", "package p\nfunc New() *U { return nil }", None],
    "p/g_linux.go": ["package p\nfunc g() {}", None],
    "p/g_test.go": ["package p\nfunc g() {}\nfunc t() { g() }", None],
    "q/q.go": ["package q\nfunc Q() {}", "package q\nfunc Q() {}\nfunc init() {}", "package other\nfunc Q() {}", None],
    "q/more.go": ["package q", "package q\nfunc init() {}", "package main\nfunc init() {}", None],
    "q/q_test.go": ["package q\nfunc Q() {}", None],
    "r/r.go": [
        'package r\nimport _ "example.com/app/q"\nimport "example.com/app/p"\nfunc R() { p.K.M(); p.New().M(); p.S() }',
        'package r\nimport x "other.org/x/q"\nfunc R() { x.Q() }',
        'package r\nimport "example.com/app/p"\nimport "example.com/app/q"\nfunc R(s p.S) { q.Q(); s.M(); s.N() }',
    ],
    "x/p/s.go": ["package p\ntype S struct{}\nfunc (S) M() {}", None],
    "go.mod": [None, "module example.com/app\n", "module other.org/x\n"],
    "p/go.mod": [None, "module example.com/app/p\n"],
    "x/go.mod": [None, "module example.com/app\n"],
    "go.work": [None, "use ./x\n", "replace example.com/app/p => ./x/p\n"],
}

OUTLINES = [
    Outlines(
        "a.go",
        SOURCE,
        16,
        PIECES,
        SIZES,
        b"package p\nfunc caf\xc3\xa9() {}\nfunc b\xff() {}\nvar x = '\xfe\x00'\n",
        heads=("package p\n{}",),
    )
]
TREES = Trees("go", VARIANTS, 8)
