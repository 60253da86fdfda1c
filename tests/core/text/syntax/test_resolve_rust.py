"""Which symbols the names of Rust files mean: one test for each rule and each trap."""

from __future__ import annotations

import pytest

from ccos_core.text.syntax.resolve_rust import resolver
from tests.core.text.syntax.rust_trees import built, linked, targets

LIB = "src/lib.rs"
NEW = '[package]\nname = "my-app"\nedition = "2021"\n'
OLD = '[package]\nname = "my-app"\n'


def uses(tree: dict[str, str], path: str) -> set[str]:
    """`role path#symbol` of everything functions and types of a file depend on."""
    return {row.partition(" ")[2] for row in linked(tree, path) if not row.startswith("import ")}


# -- modules ------------------------------------------------------------------------------------------------------


def test_paths_from_the_crate_from_above_and_from_here() -> None:
    tree = {
        LIB: "mod a; pub mod b; pub const K: u8 = 1; pub fn top() {}",
        "src/a.rs": "use crate::b::f; use crate::K; use super::top;\n"
        "fn g() { f(); K; top(); super::b::h(); crate::b::i(); self::own(); }\nfn own() {}",
        "src/b.rs": "pub fn f() {} pub fn h() {} pub fn i() {}",
    }
    assert linked(tree, "src/a.rs") == {
        "import src/b.rs#f", f"import {LIB}#K", f"import {LIB}#top",
        "g call src/b.rs#f", f"g name {LIB}#K", f"g call {LIB}#top", "g call src/b.rs#h", "g call src/b.rs#i",
        "g call #own",
    }  # fmt: skip


def test_modules_lie_beside_or_below() -> None:
    tree = {
        LIB: "mod a; mod e;",
        "src/a/mod.rs": "mod c; mod d; use self::c::C; fn g(x: C) { d::inner::deep(); }",
        "src/a/c.rs": "pub struct C;",
        "src/a/d.rs": "pub mod inner;",
        "src/a/d/inner.rs": "use super::super::c::C; pub fn deep(x: C) { crate::e::go() }",
        "src/e.rs": "pub fn go() {}",
        "src/c.rs": "pub struct C;",
        "src/inner.rs": "pub fn deep() {}",
    }
    assert targets(tree, "src/a/mod.rs") == {"src/a/c.rs#C", "src/a/d/inner.rs#deep"}
    assert targets(tree, "src/a/d/inner.rs") == {"src/a/c.rs#C", "src/e.rs#go"}


def test_an_attribute_says_where_a_module_lies() -> None:
    tree = {
        LIB: '#[path = "other/x.rs"] mod a; mod g { #[path = "v.rs"] pub mod v; pub mod w; }\n'
        "use a::F; use g::v::V; use g::w::W;",
        "src/other/x.rs": "pub struct F;",
        "src/g/v.rs": "pub struct V;",
        "src/g/w.rs": "pub struct W;",
    }
    assert targets(tree, LIB) == {"src/other/x.rs#F", "src/g/v.rs#V", "src/g/w.rs#W"}


def test_inline_modules_have_names_of_their_own() -> None:
    tree = {
        LIB: "mod a; mod b;",
        "src/a.rs": "use crate::b::f;\nmod tests { use super::*; fn t() { f(); g(); } }\nfn g() {}\n"
        "mod other { fn t() { f(); super::super::b::inner::h(); } }",
        "src/b.rs": "pub fn f() {} pub mod inner { pub fn h() {} }",
    }
    assert linked(tree, "src/a.rs") == {
        "import src/b.rs#f",
        "tests.t call src/b.rs#f",
        "tests.t call #g",
        "other.t call src/b.rs#inner.h",
    }


def test_a_file_nobody_declares_is_a_crate_of_its_own() -> None:
    tree = {LIB: "pub fn f() {}", "src/lost.rs": "use crate::f; use super::f as g; fn h() { f(); g(); }"}
    assert targets(tree, "src/lost.rs") == set()


def test_one_of_several_files_by_configuration() -> None:
    tree = {
        LIB: 'mod a; #[cfg(unix)] #[path = "unix.rs"] mod sys; #[cfg(windows)] #[path = "win.rs"] mod sys;',
        "src/a.rs": "use crate::sys::{f, u}; fn g() { f(); u(); }",
        "src/unix.rs": "#[cfg(x)] pub fn f() {}\n#[cfg(not(x))] pub fn f() {}\npub fn u() {}",
        "src/win.rs": "pub fn f() {}",
    }
    assert targets(tree, "src/a.rs") == {"src/unix.rs#f", "src/unix.rs#u"}


# -- crates -------------------------------------------------------------------------------------------------------


def test_programs_tests_and_examples_see_the_library_by_its_name() -> None:
    tree = {
        "Cargo.toml": NEW,
        LIB: "pub mod a; pub use a::A; pub fn f() {}",
        "src/a.rs": "pub struct A; impl A { pub fn new() -> A { A } }",
        "src/main.rs": "use my_app::{f, A}; fn main() { f(); A::new(); }",
        "src/bin/tool.rs": "mod help; fn main() { help::h(); my_app::a::A::new(); }",
        "src/bin/help.rs": "pub fn h() { my_app::f() }",
        "tests/it.rs": "mod common; use common::help; fn t() { help(); my_app::f(); crate::common::help(); }",
        "tests/common/mod.rs": "pub fn help() { my_app::f() }",
        "examples/e/main.rs": "mod h; fn main() { h::z() }",
        "examples/e/h.rs": "pub fn z() { my_app::f() }",
        "benches/b.rs": "extern crate my_app as app; fn b() { app::f(); }",
    }
    new = {"src/a.rs#A", "src/a.rs#A.new"}
    assert targets(tree, "src/main.rs") == {f"{LIB}#f"} | new
    assert targets(tree, "src/bin/tool.rs") == {"src/bin/help.rs#h"} | new
    assert targets(tree, "src/bin/help.rs") == {f"{LIB}#f"}
    assert targets(tree, "tests/it.rs") == {"tests/common/mod.rs#help", f"{LIB}#f"}
    assert targets(tree, "tests/common/mod.rs") == {f"{LIB}#f"}
    assert targets(tree, "examples/e/main.rs") == {"examples/e/h.rs#z"}
    assert targets(tree, "examples/e/h.rs") == {f"{LIB}#f"}
    assert f"{LIB}#f" in targets(tree, "benches/b.rs")


def test_the_manifest_says_what_a_library_is_called_and_where_it_begins() -> None:
    tree = {
        "Cargo.toml": '[package]\nname = "x"\n[lib]\nname = "other"\npath = "lib/root.rs"\n',
        "lib/root.rs": "mod sub; pub use sub::S; pub fn f() {}",
        "lib/sub.rs": "pub struct S;",
        "tests/it.rs": "use other::{f, S}; use x::f as no; fn t(s: S) { f(); }",
    }
    assert targets(tree, "tests/it.rs") == {"lib/root.rs#f", "lib/sub.rs#S"}


def test_members_of_a_workspace_know_each_other_by_name() -> None:
    tree = {
        "Cargo.toml": '[workspace]\nmembers = ["core", "cli"]\n',
        "core/Cargo.toml": '[package]\nname = "app-core"\n',
        "core/src/lib.rs": "pub fn f() {} #[macro_export] macro_rules! m { () => {} }",
        "cli/Cargo.toml": '[package]\nname = "cli"\nedition = "2021"\n[dependencies]\n'
        'kernel = { path = "../core", package = "app-core" }\n',
        "cli/src/main.rs": "use kernel::f; fn main() { f(); kernel::m!(); }",
        "other/Cargo.toml": '[package]\nname = "other"\nedition = "2021"\n',
        "other/src/lib.rs": "use app_core::f; fn g() { f(); ::app_core::f(); kernel::f(); }",
    }
    assert targets(tree, "cli/src/main.rs") == {"core/src/lib.rs#f", "core/src/lib.rs#m"}
    assert uses(tree, "other/src/lib.rs") == {"call core/src/lib.rs#f"}


def test_without_manifests_a_library_is_called_as_its_folder() -> None:
    tree = {"my-lib/src/lib.rs": "pub fn f() {}", "my-lib/tests/t.rs": "fn t() { my_lib::f() }"}
    assert targets(tree, "my-lib/tests/t.rs") == {"my-lib/src/lib.rs#f"}


def test_of_two_libraries_of_one_name_the_nearest() -> None:
    tree = {
        "a/x/Cargo.toml": '[package]\nname = "x"\n', "a/x/src/lib.rs": "pub fn f() {}",
        "b/x/Cargo.toml": '[package]\nname = "x"\n', "b/x/src/lib.rs": "pub fn f() {}",
        "a/x/tests/t.rs": "fn t() { x::f() }", "c/tests/t.rs": "fn t() { x::f() }",
    }  # fmt: skip
    assert targets(tree, "a/x/tests/t.rs") == {"a/x/src/lib.rs#f"}
    assert targets(tree, "c/tests/t.rs") == set()


def test_until_2018_paths_of_use_began_at_the_root() -> None:
    tree = {LIB: "mod a; mod b;", "src/a.rs": "use b::f; fn g() { f(); ::b::f(); }", "src/b.rs": "pub fn f() {}"}
    assert uses({"Cargo.toml": OLD, **tree}, "src/a.rs") == {"call src/b.rs#f"}
    assert uses({"Cargo.toml": NEW, **tree}, "src/a.rs") == set()
    assert uses(tree, "src/a.rs") == {"call src/b.rs#f"}


def test_a_file_of_two_crates_means_what_both_agree_on() -> None:
    tree = {
        "Cargo.toml": NEW,
        LIB: "mod a; mod b; pub fn r() {}",
        "src/main.rs": "mod a; mod b; pub fn r() {}",
        "src/a.rs": "use crate::b::f; fn g() { f(); crate::r(); }",
        "src/b.rs": "pub fn f() {}",
    }
    assert targets(tree, "src/a.rs") == {"src/b.rs#f"}


def test_what_comes_from_outside_is_nobodys_here() -> None:
    tree = {
        "Cargo.toml": NEW,
        LIB: "mod a; pub mod fmt;",
        "src/a.rs": "use std::fmt; use serde::Serialize; extern crate core;\n"
        "fn g(f: &mut fmt::Formatter, s: Serialize) { fmt::write(); core::fmt::write(); ::std::fmt::write() }",
        "src/fmt.rs": "pub struct Formatter; pub fn write() {} pub struct Serialize;",
    }
    assert targets(tree, "src/a.rs") == set()


# -- names --------------------------------------------------------------------------------------------------------


def test_names_are_handed_on_through_several_files() -> None:
    tree = {
        LIB: "mod a; mod b; mod c; mod d; mod e;",
        "src/a.rs": "use crate::b::{X, Y, Z as ZZ, q}; fn g(x: X, y: Y, z: ZZ) { q::w() }",
        "src/b.rs": "pub use crate::c::X; pub use super::c::*; pub use crate::d as q; pub use crate::d::{Z};",
        "src/c.rs": "pub use crate::d::X; pub use crate::e::*;",
        "src/d.rs": "pub struct X; pub struct Z; pub fn w() {}",
        "src/e.rs": "pub struct Y; pub struct X;",
    }
    assert uses(tree, "src/a.rs") == {
        "type src/d.rs#X",
        "type src/e.rs#Y",
        "type src/d.rs#Z",
        "call src/d.rs#w",
    }


def test_handing_on_in_a_circle_ends() -> None:
    tree = {
        LIB: "mod a; mod b; mod c;",
        "src/a.rs": "pub use crate::b::*; pub use crate::c::x; fn g() { f(); x(); }",
        "src/b.rs": "pub use crate::a::*; pub fn f() {}",
        "src/c.rs": "pub use crate::a::x;",
    }
    assert targets(tree, "src/a.rs") == {"src/b.rs#", "src/b.rs#f"}


def test_what_is_named_goes_before_a_glob_and_two_globs_bring_nothing() -> None:
    tree = {
        LIB: "mod a; mod b; mod c;",
        "src/a.rs": "use crate::b::*; use crate::c::*; use crate::c::W; fn g(x: X, y: Y, z: Z, w: W) {} struct Z;",
        "src/b.rs": "pub struct X; pub struct Z; pub struct W;",
        "src/c.rs": "pub struct X; pub struct Y; pub struct W;",
    }
    assert uses(tree, "src/a.rs") == {"type src/c.rs#Y", "type #Z", "type src/c.rs#W"}


def test_what_a_module_imports_for_itself_isnt_seen_through_it() -> None:
    tree = {
        LIB: "mod a; mod b; mod c;",
        "src/a.rs": "use crate::b::*; fn g(x: X, y: crate::b::X) {}",
        "src/b.rs": "use crate::c::X; pub mod inner { fn h(x: super::X) {} }",
        "src/c.rs": "pub struct X;",
    }
    assert uses(tree, "src/a.rs") == set()
    assert uses(tree, "src/b.rs") == {"type src/c.rs#X"}


def test_types_functions_and_modules_may_share_a_name() -> None:
    tree = {
        LIB: "mod a; mod b;",
        "src/a.rs": "use crate::b::{thing, Both}; fn g(x: Both) { thing(); thing::inner(); Both(1); }",
        "src/b.rs": "pub fn thing() {} pub mod thing { pub fn inner() {} } pub struct Both; pub fn Both(x: u8) {}",
    }
    rows = linked(tree, "src/a.rs")
    assert {"g call src/b.rs#thing", "g call src/b.rs#thing.inner", "g type src/b.rs#Both"} <= rows


def test_functions_import_for_themselves() -> None:
    tree = {
        LIB: "mod a; mod b;",
        "src/a.rs": "fn g() { use crate::b::f; f(); } fn h() { f(); } fn i() { use crate::b::*; f(); }",
        "src/b.rs": "pub fn f() {}",
    }
    assert linked(tree, "src/a.rs") == {
        "g import src/b.rs#f",
        "g call src/b.rs#f",
        "i import src/b.rs#",
        "i call src/b.rs#f",
    }


def test_what_is_bound_is_not_what_is_imported() -> None:
    tree = {
        LIB: "mod a; mod b;",
        "src/a.rs": "use crate::b::{f, K, T};\nfn g(f: u8) { f; }\nfn h<T>(x: T) { let K = 1; }\n"
        "fn i() { let f = f(); f; }\nfn j() { if true { let f = 1; } f }",
        "src/b.rs": "pub fn f() {} pub const K: u8 = 1; pub struct T;",
    }
    assert {row for row in linked(tree, "src/a.rs") if not row.startswith("import")} == {
        "h name src/b.rs#K",
        "i call src/b.rs#f",
        "j name src/b.rs#f",
    }


# -- macros -------------------------------------------------------------------------------------------------------


def test_macros() -> None:
    tree = {
        LIB: "#[macro_use] mod m; mod a; mod n;",
        "src/m.rs": "macro_rules! one { () => {} } macro_rules! two { () => {} } pub(crate) use two;",
        "src/n.rs": "#[macro_export] macro_rules! three { () => { $crate::a::g() } }",
        "src/a.rs": "pub fn g() { one!(); crate::m::two!(); crate::three!(); three!(); println!(); own!(); }\n"
        "macro_rules! own { () => {} }",
    }
    assert uses(tree, "src/a.rs") == {
        "call src/m.rs#one",
        "call src/m.rs#two",
        "call src/n.rs#three",
        "call #own",
    }
    assert uses(tree, "src/n.rs") == {"call src/a.rs#g"}


def test_types_defined_inside_of_macros() -> None:
    tree = {
        LIB: "mod a; mod b;",
        "src/a.rs": "use crate::b::{A, E}; fn g(a: &A) { a.go(); E::V; }",
        "src/b.rs": "on! { pub struct A #full { x: u8 } impl A { pub fn go(&self) {} } pub enum E { V } }",
    }
    assert targets(tree, "src/a.rs") == {"src/b.rs#A", "src/b.rs#A.go", "src/b.rs#E"}


def test_a_module_is_what_may_hold_a_name_that_cannot_be_seen_in_it() -> None:
    tree = {
        LIB: "mod a; mod b;",
        "src/a.rs": "use crate::b::Made; fn g(x: Made) {}",
        "src/b.rs": "define!(Made);",
    }
    assert targets(tree, "src/a.rs") == {"src/b.rs#"}


# -- members ------------------------------------------------------------------------------------------------------

TYPES = """\
pub struct S; pub struct U(u8); pub type Al<'a> = &'a S;
impl S {
    pub const K: u8 = 1;
    pub fn new() -> Self { S }
    pub fn open(p: &str) -> Result<S, E> {}
    pub fn other(&self) -> &U {}
    pub fn m(&self) { self.n(); Self::new(); self.prov(); self.deeper(); }
    fn n(&self) {}
}
impl U { pub fn um(&self) {} }
pub trait Top { fn deeper(&self) {} }
pub trait Tr: Top { fn req(&self); fn prov(&self) {} }
impl Tr for S { fn req(&self) { self.prov(); } }
pub fn make() -> Option<Box<S>> {}
pub enum E { A, B(u8) }
impl E { pub fn em(&self) {} }
"""
MEMBERS = [
    ("S::new(); S::K; <S>::new()", {"S", "S.new", "S.K"}),
    ("E::A; E::B(1); E::em(&e)", {"E", "E.em"}),
    ("Tr::req(&s); S::req(&s); S::prov(&s); S::nope()", {"Tr", "Tr.req", "S", "S.req", "Tr.prov"}),
    ("let x: &S = y; x.m()", {"S", "S.m"}),
    ("let x: Al = y; x.m()", {"Al", "S.m"}),
    ("let x: &dyn Tr = y; x.prov(); x.deeper()", {"Tr", "Tr.prov", "Top.deeper"}),
    ("let x = S::new(); x.m(); assert!(x.prov())", {"S", "S.new", "S.m", "Tr.prov"}),
    ("let x = S::open(p)?; x.m()", {"S", "S.open", "S.m"}),
    ("let x = make().unwrap(); x.m()", {"make", "S.m"}),
    ("let x = E::B(1); x.em()", {"E", "E.em"}),
    ("let x = U(1); x.um()", {"U", "U.um"}),
    ("let x = S::other(&y); x.um(); x.m()", {"S", "S.other", "U.um"}),
    ("let x: Vec<S> = y; x.m()", {"S"}),
    ("let x = S::new(); let x = y; x.m()", {"S", "S.new"}),
    ("x.m(); x.um()", set()),
]


@pytest.mark.parametrize(("body", "expected"), MEMBERS, ids=[body for body, _ in MEMBERS])
def test_members(body: str, expected: set[str]) -> None:
    head = "use crate::t::{S, U, Al, Tr, E, make};\n"
    tree = {LIB: "mod a; mod t;", "src/a.rs": f"{head}fn f() {{ {body} }}", "src/t.rs": TYPES}
    found = {row.rpartition("#")[2] for row in linked(tree, "src/a.rs") if row.startswith("f ")}
    assert found == expected


def test_a_type_calls_its_own() -> None:
    rows = {row for row in linked({LIB: TYPES}, LIB) if row.startswith(("S.m ", "S.req "))}
    assert rows == {
        "S.m call #S.n",
        "S.m call #S.new",
        "S.m call #Tr.prov",
        "S.m call #Top.deeper",
        "S.req call #Tr.prov",
    }


def test_members_may_be_given_in_any_file_of_the_crate() -> None:
    tree = {
        LIB: "mod a; mod b; mod c; mod d;",
        "src/a.rs": "use crate::b::S; fn g() { S::make(); S::K; S::tr(); }",
        "src/b.rs": "pub struct S; pub mod x { pub struct S; }",
        "src/c.rs": "use crate::b::S; impl S { pub fn make() { Self::tr(); Self::K; } pub const K: u8 = 1; }",
        "src/d.rs": "use crate::b::S; trait Tr { fn tr(); } impl Tr for S { fn tr() {} }\n"
        "mod no { use crate::b::x::S; impl S { fn make() {} } }",
    }
    assert targets(tree, "src/a.rs") == {"src/b.rs#S", "src/c.rs#S.make", "src/c.rs#S.K", "src/d.rs#S.tr"}
    assert {"S.make call src/d.rs#S.tr", "S.make name #S.K"} <= linked(tree, "src/c.rs")


def test_a_member_two_files_give_is_nobodys() -> None:
    tree = {
        LIB: "mod a; mod b; mod c;",
        "src/a.rs": "pub struct S; fn g() { S::both(); }",
        "src/b.rs": "use crate::a::S; #[cfg(x)] impl S { pub fn both() {} }",
        "src/c.rs": "use crate::a::S; #[cfg(y)] impl S { pub fn both() {} }",
    }
    assert targets(tree, "src/a.rs") == set()


def test_variants_are_their_enum() -> None:
    tree = {
        LIB: "mod a; mod b;",
        "src/a.rs": "use crate::b::{E, E::V, F::*}; fn g(e: E) { match e { E::U => 1, V(x) => x, W => 2 } }",
        "src/b.rs": "pub enum E { U, V(u8) } pub enum F { W, X }",
    }
    assert targets(tree, "src/a.rs") == {"src/b.rs#E", "src/b.rs#F"}


# -- links --------------------------------------------------------------------------------------------------------


def test_roles() -> None:
    tree = {
        LIB: "mod a; mod b;",
        "src/a.rs": "use crate::b::*;\n#[der]\nstruct A(B);\nimpl Tr for A { fn m(c: C) -> D { e(K) } }\n",
        "src/b.rs": "pub struct B; pub trait Tr {} pub struct C; pub struct D; pub fn e() {} pub const K: u8 = 1;",
    }
    assert linked(tree, "src/a.rs") == {
        "import src/b.rs#",
        "A type src/b.rs#B",
        "A base src/b.rs#Tr",
        "A.m type src/b.rs#C",
        "A.m type src/b.rs#D",
        "A.m call src/b.rs#e",
        "A.m name src/b.rs#K",
    }


def test_links_are_counted_and_ordered() -> None:
    tree = {
        LIB: "mod b;\nuse b::*;\nfn f() {\n    g();\n    g();\n    h();\n}\n",
        "src/b.rs": "pub fn h() {} pub fn g() {}",
    }
    assert [(link.line, link.count) for link in built(tree).links(LIB)] == [(2, 1), (4, 2), (6, 1)]


def test_an_unknown_file_depends_on_nothing() -> None:
    assert resolver().links("a.rs") == ()


def test_functions_that_say_they_give_each_other_are_followed_to_an_end() -> None:
    """No such program compiles, but half of one may be on disk in the middle of an edit."""
    tree = {
        LIB: "mod b;\npub struct T;\npub fn f() -> b::g::X { T }\nfn h() { f::new(); f(); }",
        "src/b.rs": "pub fn g() -> crate::f::X {}",
    }
    assert "h call #f" in linked(tree, LIB)
    rows = "".join(f"fn f{n}() -> f{n + 1}::X {{}}\n" for n in range(2_000))
    assert "h call #f0" in linked({LIB: f"{rows}fn h() {{ f0(); f0::new(); }}"}, LIB)
