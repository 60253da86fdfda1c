"""Which symbols the names of Go files mean: one test for each rule and each trap."""

from __future__ import annotations

import pytest

from ccos_core.text.syntax.resolution import Target
from ccos_core.text.syntax.resolve_go import resolver
from tests.core.text.syntax.go_trees import built, linked, outlined, targets

MOD = {"go.mod": "module example.com/app\n\ngo 1.21\n"}


# -- packages -----------------------------------------------------------------------------------------------------


def test_names_of_the_same_package() -> None:
    tree = {
        "a.go": "package p\nfunc f() { g(); _ = C }",
        "b.go": "package p\nfunc g() {}\nconst (\n\tB = iota\n\tC\n)\n",
    }
    assert targets(tree, "a.go") == {"b.go#g", "b.go#C"}


def test_another_package_in_the_folder_is_another() -> None:
    tree = {"a.go": "package p\nfunc f() { g() }", "b.go": "package main\nfunc g() {}"}
    assert targets(tree, "a.go") == set()


def test_what_is_bound_is_not_what_another_file_defines() -> None:
    tree = {"a.go": "package p\nfunc f(g int) { _ = g }\nfunc h() { g() }", "b.go": "package p\nfunc g() {}"}
    assert linked(tree, "a.go") == {"h call b.go#g"}


def test_old_packages_define_what_became_predeclared() -> None:
    tree = {"a.go": "package p\nfunc f(x any) string { return x }", "b.go": "package p\ntype any = interface{}"}
    assert targets(tree, "a.go") == {"b.go#any"}


def test_test_names_are_invisible_outside_of_tests() -> None:
    tree = {
        "p/a.go": "package p\nfunc f() { g() }",
        "p/a_test.go": "package p\nfunc g() {}",
        "p/b_test.go": "package p\nfunc h() { g() }",
    }
    assert targets(tree, "p/a.go") == set()
    assert targets(tree, "p/b_test.go") == {"p/a_test.go#g"}


def test_external_tests_import_what_they_test() -> None:
    tree = {
        **MOD,
        "p/a.go": "package p\nfunc F() {}",
        "p/export_test.go": "package p\nvar Inner = 1",
        "p/x_test.go": 'package p_test\nimport "example.com/app/p"\nfunc t() { p.F(); _ = p.Inner; F() }',
        "q/q_test.go": 'package q\nimport "example.com/app/p"\nfunc t() { p.F(); _ = p.Inner }',
    }
    assert targets(tree, "p/x_test.go") == {"p/a.go#F", "p/export_test.go#Inner"}
    assert targets(tree, "q/q_test.go") == {"p/a.go#F"}


def test_one_of_several_definitions() -> None:
    tree = {
        "use.go": "package p\nfunc f() { g() }",
        "use_windows.go": "package p\nfunc f2() { g() }",
        "g_windows.go": "package p\nfunc g() {}",
        "g_linux.go": "package p\nfunc g() {}",
        "g_linux_arm64.go": "package p\nfunc g() { g() }\nfunc h() { g() }",
    }
    assert targets(tree, "use.go") == {"g_linux.go#g"}
    assert targets(tree, "use_windows.go") == {"g_windows.go#g"}
    assert targets(tree, "g_linux_arm64.go") == set()


# -- imports ------------------------------------------------------------------------------------------------------


def test_imports_through_the_module_path() -> None:
    tree = {
        **MOD,
        "a.go": 'package app\nimport "example.com/app/in/db"\nvar x db.Conn\nfunc f() { db.Open(db.Max) }',
        "in/db/db.go": "package db\ntype Conn struct{}\nfunc Open(n int) {}\nconst Max = 1",
        "in/db/main.go": "package main\nfunc Open() {}",
    }
    assert targets(tree, "a.go") == {"in/db/db.go#Conn", "in/db/db.go#Open", "in/db/db.go#Max"}


IMPORTS = [
    ('"example.com/app/db"', "db.X()", True),
    ('store "example.com/app/db"', "store.X()", True),
    ('store "example.com/app/db"', "db.X()", False),
    ('. "example.com/app/db"', "X()", True),
    ('"example.com/app/go-db"', "named.X()", True),
    ('"example.com/app/v2"', "app.X()", True),
    ('"example.com/other/db"', "db.X()", False),
    ('"example.com/appdb"', "appdb.X()", False),
    ('"db"', "db.X()", False),
    ('"example.com/app/db"', "db := 1\n\tdb.X()", False),
    ('"example.com/app/both"', "both.X()", False),
    ('"example.com/app/cmd"', "main.X()", True),
    ('"example.com/app/onlytests"', "onlytests.X()", False),
]


@pytest.mark.parametrize(("said", "body", "found"), IMPORTS, ids=[f"{said} {body}" for said, body, _ in IMPORTS])
def test_imports(said: str, body: str, found: bool) -> None:
    tree = {
        **MOD,
        "a.go": f"package app\nimport {said}\nfunc f() {{\n\t{body}\n}}\n",
        "db/x.go": "package db\nfunc X() {}",
        "appdb/x.go": "package appdb\nfunc X() {}",
        "go-db/x.go": "package named\nfunc X() {}",
        "v2/x.go": "package app\nfunc X() {}",
        "both/x.go": "package one\nfunc X() {}",
        "both/y.go": "package two\nfunc X() {}",
        "cmd/x.go": "package main\nfunc X() {}",
        "onlytests/x_test.go": "package onlytests\nfunc X() {}",
    }
    assert bool(targets(tree, "a.go")) == found


def test_packages_imported_for_their_effect() -> None:
    tree = {
        **MOD,
        "a.go": "package app\n" + "".join(f'import _ "example.com/app/{name}"\n' for name in ("one", "two", "six")),
        "one/a.go": "package one\nfunc x() {}",
        "two/a.go": "package two",
        "two/b.go": "package two\nfunc init() {}",
        "six/a.go": "package six\nfunc init() {}",
        "six/b.go": "package six\nfunc init() {}",
    }
    assert linked(tree, "a.go") == {"import one/a.go#", "import two/b.go#init"}


def test_several_modules() -> None:
    tree = {
        **MOD,
        "a.go": 'package app\nimport "example.com/app/tools"\nimport "other.org/lib/sub"\n'
        "func f() { tools.T(); sub.S() }",
        "tools/go.mod": "module example.com/app/tools\n",
        "tools/t.go": "package tools\nfunc T() {}",
        "lib/go.mod": 'module "other.org/lib" // quoted\n',
        "lib/sub/s.go": 'package sub\nimport "example.com/app/hidden"\nfunc S() { hidden.H() }',
        "hidden/go.mod": "module elsewhere.org/hidden\n",
        "hidden/h.go": "package hidden\nfunc H() {}",
    }
    assert targets(tree, "a.go") == {"tools/t.go#T", "lib/sub/s.go#S"}
    assert targets(tree, "lib/sub/s.go") == {"hidden/h.go#H"}  # by its place, for what else could be meant?


@pytest.mark.parametrize(
    "text",
    [
        "module example.com/app\nreplace other.org/lib => ./fork\n",
        "module example.com/app\nreplace other.org/lib v1.2.3 => ./fork // why\n",
        "module example.com/app\nreplace (\n\tother.org/x v1.0.0 => other.org/y v1.0.1\n\tother.org/lib => ./fork\n)\n",
        "module example.com/app\r\nreplace(\r\n\t`other.org/lib` => ./fork\r\n)\r\n",
    ],
)
def test_replaced_modules(text: str) -> None:
    tree = {
        "go.mod": text,
        "a.go": 'package app\nimport "other.org/lib/sub"\nfunc f() { sub.S() }',
        "fork/go.mod": "module forked.org/lib\n",
        "fork/sub/s.go": "package sub\nfunc S() {}",
    }
    assert targets(tree, "a.go") == {"fork/sub/s.go#S"}


COPIES = {
    "one/go.mod": "module example.com/lib\n",
    "one/x/x.go": "package x\nfunc X() {}",
    "one/a.go": 'package lib\nimport "example.com/lib/x"\nfunc f() { x.X() }',
    "two/go.mod": "module example.com/lib\n",
    "two/x/x.go": "package x\nfunc X() {}",
    "app/go.mod": "module example.com/app\n",
    "app/a.go": 'package app\nimport "example.com/lib/x"\nfunc f() { x.X() }',
}


def test_copies_of_a_module() -> None:
    assert targets(COPIES, "one/a.go") == {"one/x/x.go#X"}
    assert targets(COPIES, "app/a.go") == set()
    for work in ("use ./two\nuse ./app\n", "go 1.21\nuse (\n\t./app\n\t./two // this one\n)\n"):
        assert targets({**COPIES, "go.work": work}, "app/a.go") == {"two/x/x.go#X"}
    assert targets({**COPIES, "go.work": "replace example.com/lib => ./one"}, "app/a.go") == {"one/x/x.go#X"}


def test_the_standard_library_itself() -> None:
    tree = {
        "src/go.mod": "module std\n",
        "src/errors/e.go": "package errors\nfunc New() {}",
        "src/io/io.go": 'package io\nimport "errors"\nvar EOF = errors.New()',
    }
    assert targets(tree, "src/io/io.go") == {"src/errors/e.go#New"}


# -- without go.mod -----------------------------------------------------------------------------------------------

GIN = {
    "gin.go": 'package gin\nimport (\n\t"encoding/json"\n\t"github.com/x/gin/binding"\n\t"github.com/y/errors"\n)\n'
    "func f() { binding.B(); json.J(); errors.E() }",
    "binding/b.go": 'package binding\nimport "github.com/x/gin/internal/json"\nfunc B() { json.J() }',
    "internal/json/j.go": "package json\nfunc J() {}",
    "errors/e.go": "package errors\nfunc E() {}",
    "sub/s.go": 'package sub\nimport "github.com/x/gin"\nfunc S() { gin.G() }',
    "g.go": "package gin\nfunc G() {}",
}


def test_where_a_tree_lies_is_told_from_its_imports() -> None:
    assert targets(GIN, "gin.go") == {"binding/b.go#B"}  # neither the standard library nor somebody else's
    assert targets(GIN, "binding/b.go") == {"internal/json/j.go#J"}
    assert targets(GIN, "sub/s.go") == {"g.go#G"}


def test_a_main_package_at_the_top_tells_by_several_folders() -> None:
    tree = {
        "main.go": 'package main\nimport "host.org/me/tool/a"\nimport "host.org/me/tool/b"\n'
        "func main() { a.A(); b.B() }",
        "a/a.go": "package a\nfunc A() {}",
    }
    assert targets(tree, "main.go") == set()
    assert targets({**tree, "b/b.go": "package b\nfunc B() {}"}, "main.go") == {"a/a.go#A", "b/b.go#B"}


def test_no_package_imports_itself() -> None:
    tree = {
        "e.go": 'package errors\nimport "github.com/pkg/errors"\nfunc New() { errors.New() }',
        "sub/s.go": 'package sub\nimport "github.com/pkg/errors"\nfunc S() { errors.New() }',
    }
    assert targets(tree, "sub/s.go") == set()


def test_programs_beside_a_package_import_it() -> None:
    tree = {
        "a/a.go": 'package a\nimport "host.org/x/b"\nfunc A() { b.B() }',
        "a/gen.go": 'package main\nimport "host.org/x/a"\nfunc main() { a.A() }',
        "b/b.go": "package b\nfunc B() {}",
    }
    assert targets(tree, "a/a.go") == {"b/b.go#B"}
    assert targets(tree, "a/gen.go") == {"a/a.go#A"}


def test_two_beginnings_are_none() -> None:
    tree = {
        "main.go": "package main\n" + "".join(f'import "{o}.org/x/{n}"\n' for o in ("one", "two") for n in ("a", "b")),
        "a/a.go": "package a\nfunc A() {}",
        "b/b.go": 'package b\nimport "one.org/x/a"\nfunc B() { a.A() }',
    }
    assert targets(tree, "b/b.go") == set()


def test_old_workspaces_have_the_whole_path() -> None:
    tree = {
        "src/github.com/a/lib/l.go": "package lib\nfunc L() {}",
        "src/me.org/app/a.go": 'package app\nimport "github.com/a/lib"\nimport "./near"\n'
        "func f() { lib.L(); near.N() }",
        "src/me.org/app/near/n.go": "package near\nfunc N() {}",
    }
    assert targets(tree, "src/me.org/app/a.go") == {"src/github.com/a/lib/l.go#L", "src/me.org/app/near/n.go#N"}
    twice = {**tree, "old/github.com/a/lib/l.go": "package lib\nfunc L() {}"}
    assert targets(twice, "src/me.org/app/a.go") == {"src/me.org/app/near/n.go#N"}


# -- members ------------------------------------------------------------------------------------------------------

TYPES = """\
package p

type Server struct {
	Base
	*Other
	store *Store
	Inner struct{ Deep *Store }
}

type Base struct{ Depth }
type Depth struct{}
type Other struct{}
type Alias = Server
type Store interface {
	Closer
	Get() (*Item, error)
}
type Closer interface{ Close() }
type Item struct{ Name string }

func (s *Server) Run()         {}
func (b Base) Shared()         {}
func (d Depth) Shared()        {}
func (d Depth) Deep()          {}
func (o *Other) Only()         {}
func (i *Item) Use()           {}
func New() (*Server, error)    { return nil, nil }
func (s *Server) Store() Store { return s.store }

var Default = &Server{}
var Made, _ = New()
var loop = pool
var pool = loop
"""

MEMBERS = [
    ("func (s *Server) f() { s.Run() }", {"Server", "Server.Run"}),
    ("func f(s *Server) { s.store.Get() }", {"Server", "Server.store", "Store.Get"}),
    ("func f(s Server) { s.store.Close() }", {"Server", "Server.store", "Closer.Close"}),
    ("func f(s *Server) { s.Shared(); s.Deep(); s.Only() }", {"Server", "Base.Shared", "Depth.Deep", "Other.Only"}),
    ("func f(s *Server) { s.Base.Shared(); _ = s.Depth }", {"Server", "Base.Shared", "Depth"}),
    ("func f(s *Server) { s.Inner.Deep.Get() }", {"Server", "Server.Inner", "Server.Inner.Deep", "Store.Get"}),
    ("func f(s *Server) { s.Unknown() }", {"Server"}),
    ("func f(a Alias) { a.Run() }", {"Alias", "Server.Run"}),
    ("func f() { s, err := New(); s.Run(); err.Run() }", {"New", "Server.Run"}),
    ("func f() { s := Server{}; s.Run() }", {"Server", "Server.Run"}),
    ("func f() { New().Missing() }", {"New"}),
    ("func f(s *Server) { i, _ := s.Store().Get(); i.Use() }",
     {"Server", "Server.Store", "Store.Get", "Item.Use"}),
    ("func f() { Default.Run(); Made.Run() }", {"Default", "Made", "Server.Run"}),
    ("func f() { _ = Default.store }", {"Default", "Server.store"}),
    ("func f() { Default.store.What() }", {"Default", "Server.store"}),
    ("func f() { _ = (*Server).Run; _ = Server.Run }", {"Server", "Server.Run"}),
    ("func f() { pool.Run(); loop.x.y() }", {"pool", "loop"}),
    ("func f(x []*Server) { x.Run() }", {"Server"}),
    ("type Mine struct{ Server }\nfunc f(m Mine) { m.Deep() }", {"Server", "Depth.Deep"}),
]  # fmt: skip


@pytest.mark.parametrize(("source", "expected"), MEMBERS, ids=[source for source, _ in MEMBERS])
def test_members(source: str, expected: set[str]) -> None:
    assert targets({"a.go": f"package p\n{source}", "t.go": TYPES}, "a.go") == {f"t.go#{name}" for name in expected}


def test_methods_may_be_in_any_file_and_their_types_in_another_package() -> None:
    tree = {
        **MOD,
        "a.go": 'package app\nimport "example.com/app/db"\nfunc f(c *db.Conn) { c.Query().Rows(); db.Std.Close() }',
        "db/db.go": 'package db\nimport r "example.com/app/rows"\ntype Conn struct{}\nvar Std Conn\n'
        "func (c *Conn) Query() *r.Set { return nil }",
        "db/more.go": "package db\nfunc (c *Conn) Close() {}",
        "rows/rows.go": "package rows\ntype Set struct{}\nfunc (s *Set) Rows() {}",
    }
    expected = {
        "db/db.go#Conn",
        "db/db.go#Conn.Query",
        "rows/rows.go#Set.Rows",
        "db/db.go#Std",
        "db/more.go#Conn.Close",
    }
    assert targets(tree, "a.go") == expected


def test_roles() -> None:
    tree = {
        "a.go": "package p\ntype A struct{ B }\nfunc (a A) m(c C) D { return E() }\n"
        "var v = E()\nvar w = D{}\nconst k = K",
        "b.go": "package p\ntype B struct{}\ntype C struct{}\ntype D struct{}\nfunc E() D { return D{} }\nconst K = 1",
    }
    assert linked(tree, "a.go") == {
        "A base b.go#B",
        "A.m type #A",
        "A.m type b.go#C",
        "A.m type b.go#D",
        "A.m call b.go#E",
        "v call b.go#E",
        "w type b.go#D",
        "k name b.go#K",
    }


def test_links_are_counted_and_ordered() -> None:
    tree = {"a.go": "package p\nfunc f() {\n\tg()\n\tg()\n\th()\n}", "b.go": "package p\nfunc h() {}\nfunc g() {}"}
    assert [(link.line, link.count) for link in built(tree).links("a.go")] == [(3, 2), (5, 1)]


def test_an_unknown_file_depends_on_nothing() -> None:
    assert resolver().links("a.go") == ()


# -- what changes -------------------------------------------------------------------------------------------------


def test_a_changed_body_costs_its_own_file() -> None:
    tree = {"a.go": "package p\nfunc f() { g() }", "b.go": "package p\nfunc g() {}\nfunc h() {}"}
    found = built(tree)
    found.links("a.go")
    found.links("b.go")
    found.put("b.go", outlined("package p\nfunc g() { h() }\nfunc h() {}"))
    assert set(found.memory.links) == {"a.go"}


def test_where_no_module_is_known_a_new_file_costs_who_may_mean_it() -> None:
    one = 'package a\nimport "example.com/app/b"\nfunc f() { b.G() }'
    other = 'package c\nimport "example.com/app/d"\nfunc f() { d.G() }'
    found = built({"a/a.go": one, "c/c.go": other, "d/d.go": "package d\nfunc G() {}"})
    for path in ("a/a.go", "c/c.go", "d/d.go"):
        found.links(path)
    found.put("b/b.go", outlined("package b\nfunc G() {}"))
    assert set(found.memory.links) == {"c/c.go", "d/d.go"}
    assert [link.target.path for link in found.links("a/a.go")] == ["b/b.go"]


def test_what_only_stands_elsewhere_isnt_looked_for_again() -> None:
    found = built({"a.go": "package p\nfunc f() { g() }", "b.go": "package p\nfunc g() {}"})
    found.links("a.go")
    found.links("b.go")
    found.put("b.go", outlined("package p\nfunc h() {}\nfunc g() {}"))
    assert set(found.memory.links) == {"a.go"}
    assert [link.target for link in found.links("a.go")] == [Target("b.go", 1)]


def test_a_name_looked_for_in_vain_is_found_when_it_comes() -> None:
    found = built({"a.go": "package p\nfunc f() { g() }"})
    assert found.links("a.go") == ()
    found.put("b.go", outlined("package p\nfunc g() {}"))
    assert [link.target.path for link in found.links("a.go")] == ["b.go"]
    found.drop("b.go")
    assert found.links("a.go") == ()


def test_what_is_embedded_elsewhere_changes_what_is_promoted() -> None:
    tree = {
        "a.go": "package p\nfunc f(s S) { s.M() }",
        "s.go": "package p\ntype S struct{ T }",
        "t.go": "package p\ntype T struct{}\nfunc (T) M() {}\ntype U struct{}\nfunc (U) M() {}",
    }
    found = built(tree)
    before = found.links("a.go")
    found.put("s.go", outlined("package p\ntype S struct{ U }"))
    assert found.links("a.go") != before
    assert found.links("a.go") == built({**tree, "s.go": "package p\ntype S struct{ U }"}).links("a.go")


def test_an_import_elsewhere_may_tell_where_the_tree_lies() -> None:
    found = built(
        {
            "main.go": 'package main\nimport "host.org/me/tool/a"\nfunc main() { a.A() }',
            "a/a.go": "package a\nfunc A() {}",
            "b/b.go": "package b\nfunc B() {}",
        }
    )
    assert found.links("main.go") == ()
    found.put("a/a.go", outlined('package a\nimport "host.org/me/tool/b"\nfunc A() { b.B() }'))
    assert [link.target.path for link in found.links("main.go")] == ["a/a.go"]
    found.put("a/a.go", outlined("package a\nfunc A() {}"))
    assert found.links("main.go") == ()
