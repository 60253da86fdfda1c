"""What Rust files say about themselves, construct by construct."""

from __future__ import annotations

import pytest

from ccos_core.values.code import MODULE, Outline
from tests.core.text.syntax.rust_trees import outlined


def owner(told: Outline, at: int) -> str:
    return told.symbols[at].name if at != MODULE else ""


def symbols(source: str) -> list[tuple[str, str]]:
    return [(symbol.kind, symbol.name) for symbol in outlined(source).symbols]


def imports(source: str) -> list[tuple[str, str, str]]:
    return [(each.name, each.module, each.item) for each in outlined(source).imports]


def references(source: str) -> set[tuple[str, str, str]]:
    told = outlined("use elsewhere::*;\n" + source)
    return {(owner(told, each.owner), each.role, each.chain) for each in told.references}


def used(body: str, head: str = "fn f()") -> set[tuple[str, str]]:
    """(role, chain) of what a function uses, any name being one it may have from elsewhere."""
    return {(role, chain) for of, role, chain in references(f"{head} {{\n{body}\n}}\n") if of}


# -- symbols ------------------------------------------------------------------------------------------------------

SYMBOLS = [
    ("fn f() {}", [("function", "f")]),
    ("pub(crate) async unsafe extern \"C\" fn f<T>() -> T {}", [("function", "f")]),
    ("const fn f() {}", [("function", "f")]),
    ("fn r#type() {}", [("function", "type")]),
    ("struct A;", [("struct", "A")]),
    ("struct A(pub B, C);", [("struct", "A")]),
    ("struct A<T> where T: B { b: T }", [("struct", "A")]),
    ("enum E { A, B(C), D { e: F }, G = 1 }",
     [("enum", "E"), ("variant", "E.A"), ("variant", "E.B"), ("variant", "E.D"), ("variant", "E.G")]),
    ("union U { a: u8, b: i8 }", [("union", "U")]),
    ("trait T: B { type A; const C: u8; fn a(&self); fn b() {} }",
     [("trait", "T"), ("type", "T.A"), ("constant", "T.C"), ("method", "T.a"), ("method", "T.b")]),
    ("struct A; impl A { const C: u8 = 1; fn new() -> Self { A } }",
     [("struct", "A"), ("constant", "A.C"), ("method", "A.new")]),
    ("impl fmt::Display for a::B { type X = Y; fn fmt(&self) {} }", [("type", "B.X"), ("method", "B.fmt")]),
    ("type A<T> = Vec<T>;", [("type", "A")]),
    ("const A: u8 = 1; static mut B: u8 = 2; const _: () = check();", [("constant", "A"), ("static", "B")]),
    ("macro_rules! m { () => {} }", [("macro", "m")]),
    ("extern \"C\" { fn c(x: u8); static S: u8; }", [("function", "c"), ("static", "S")]),
    ("mod a { pub mod b { pub struct C; impl C { fn d() {} } } fn e() {} }",
     [("module", "a"), ("module", "a.b"), ("struct", "a.b.C"), ("method", "a.b.C.d"), ("function", "a.e")]),
    ("mod a; pub mod b;", []),
    ("fn f() { fn g() {} struct L; impl L { fn m() {} } const K: u8 = 1; macro_rules! q { () => {} } }",
     [("function", "f")]),
    ("const _: () = { struct Hidden; impl A { fn shown() {} } };", [("struct", "Hidden"), ("method", "A.shown")]),
    ("struct Größe; fn naïve() {}", [("struct", "Größe"), ("function", "naïve")]),
]  # fmt: skip


@pytest.mark.parametrize(("source", "expected"), SYMBOLS, ids=[source[:40] for source, _ in SYMBOLS])
def test_symbols(source: str, expected: list[tuple[str, str]]) -> None:
    assert symbols(source) == expected


IMPLS = [
    ("impl A", "A"),
    ("impl<T> A<T>", "A"),
    ("unsafe impl<'de> D<'de> for &'de mut A<'de, X>", "A"),
    ("impl fmt::Display for crate::b::A", "A"),
    ("impl Add<&'_ B> for r#type", "type"),
    ("impl<A: Into<Foo>> Bar for Foo", "Foo"),
    ("impl<F: Fn(A) -> B> X for Y<F> where F: Z", "Y"),
    ("impl X for for_all::Y", "Y"),
    ("impl X for Box<dyn Tr>", "Box"),
    ("impl X for (dyn Tr + 'static)", "Tr"),
    ("impl dyn Tr + Send", "Tr"),
    ("impl X /* for Z */ for *const Y", "Y"),
    ("impl Iterator for Foo<{ N }>", "Foo"),
    # What has no name of its own isn't given that of another type.
    ("impl<T: Tr> X for T", "impl"),
    ("impl<T> X for &T", "impl"),
    ("impl<T> X for [T]", "impl"),
    ("impl<const N: usize> X for [u8; N]", "impl"),
    ("impl X for (A, B)", "impl"),
    ("impl X for fn(A) -> B", "impl"),
    ("impl X for for<'a> fn(&'a u8)", "impl"),
    ("impl X for !", "impl"),
    ("impl X for Token![x]", "impl"),
]


@pytest.mark.parametrize(("head", "name"), IMPLS, ids=[head for head, _ in IMPLS])
def test_what_an_impl_is_for(head: str, name: str) -> None:
    assert symbols(f"{head} {{ fn f() {{}} }}") == [("method", f"{name}.f")]


LINES = """\
//! The file.

/// A server.
/// For long.
#[derive(Debug)]
#[serde(
    rename = "x",
)]
pub struct Server {
    /// Where.
    addr: String,
}

#[test] fn one_line() {}

/** Blocks
 * talk. */
pub fn long<T>(
    a: u8,
) -> T
where
    T: Clone,
{
    a
}

// not a description
#[inline]
const TABLE: &[u8] = &[
    1,
];

///
/// Not empty.
macro_rules! m {
    () => {};
}
#[doc = "By hand."]
enum E {
    /// First.
    #[default]
    A,
    B { c: u8 },
}
"""


def test_lines() -> None:
    told = {s.name: (s.line, s.first, s.signature, s.last, s.doc) for s in outlined(LINES).symbols}
    assert told == {
        "Server": (9, 5, 9, 12, 3),
        "one_line": (14, 14, 14, 14, 0),
        "long": (18, 18, 22, 25, 16),
        "TABLE": (29, 28, 29, 31, 0),
        "m": (35, 35, 35, 37, 34),
        "E": (39, 38, 39, 44, 38),
        "E.A": (42, 41, 42, 42, 40),
        "E.B": (43, 43, 43, 43, 0),
    }


# -- imports ------------------------------------------------------------------------------------------------------

IMPORTS = [
    ("use a;", [("a", "a", "")]),
    ("use a::b;", [("b", "a", "b")]),
    ("use a::b::c as d;", [("d", "a::b", "c")]),
    ("use a::{b, c as d, e::{self, f, *}, g as _};",
     [("b", "a", "b"), ("d", "a", "c"), ("e", "a", "e"), ("f", "a::e", "f"), ("*", "a::e", "*"), ("", "a", "g")]),
    ("use a::{self as b};", [("b", "a", "")]),
    ("use ::a::b;", [("b", "::a", "b")]),
    ("use ::a;", [("a", "::a", "")]),
    ("use {a, b::c};", [("a", "a", ""), ("c", "b", "c")]),
    ("use crate::a; use super::super::b; use self::c;",
     [("a", "crate", "a"), ("b", "super::super", "b"), ("c", "self", "c")]),
    ("use r#type::r#fn;", [("fn", "type", "fn")]),
    ("use a /* b */ :: // c\n b;", [("b", "a", "b")]),
    ("use super::*; use *;", [("*", "super", "*"), ("*", "", "*")]),
    ("extern crate a;", [("a", "::a", "")]),
    ("extern crate a as b; extern crate c as _; extern crate self as d;",
     [("b", "::a", ""), ("", "::c", ""), ("d", "crate", "")]),
    ("#[macro_use] extern crate a;", [("a", "::a", ""), ("*", "::a", "*!")]),
    ("mod a;", [("a", "mod", "a")]),
    ("#[macro_use]\nmod a;", [("a", "mod", "a"), ("*", "self::a", "*!")]),
    ("#[path = \"b/c.rs\"]\nmod a;", [("a", "mod:b/c.rs", "a")]),
    ("#[cfg_attr(x, path = \"b.rs\")] mod a;", [("a", "mod", "a"), ("a", "mod:b.rs", "a")]),
]  # fmt: skip


@pytest.mark.parametrize(("source", "expected"), IMPORTS, ids=[source[:40] for source, _ in IMPORTS])
def test_imports(source: str, expected: list[tuple[str, str, str]]) -> None:
    assert imports(source) == expected


def test_what_is_handed_on_and_where_it_is_said() -> None:
    told = outlined("pub use a::A;\nuse b::B;\npub(crate) mod c;\nmod m {\n    pub use d::{\n        D,\n    };\n}\n")
    rows = [(each.name, each.exported, each.line, owner(told, each.owner)) for each in told.imports]
    assert rows == [("A", True, 1, ""), ("B", False, 2, ""), ("c", True, 3, ""), ("D", True, 6, "m")]


def test_functions_import_for_themselves() -> None:
    told = outlined("fn f() {\n    use a::b;\n    b()\n}\n")
    assert [(each.name, owner(told, each.owner)) for each in told.imports] == [("b", "f")]


# -- references ---------------------------------------------------------------------------------------------------

USES = [
    ("helper()", {("call", "helper")}),
    ("MAX; x", {("name", "MAX"), ("name", "x")}),
    ("a::b::c(d)", {("call", "a.b.c"), ("name", "d")}),
    ("a::B::C", {("name", "a.B.C")}),
    ("crate::a(); super::b(); self::c(); ::d::e()",
     {("call", "crate.a"), ("call", "super.b"), ("call", "c"), ("call", ".d.e")}),
    ("Foo::new(); Foo::<Bar>::with(); Foo::<a::B>::C",
     {("call", "Foo.new"), ("call", "Foo.with"), ("name", "Foo.C"), ("type", "Bar"), ("type", "a.B")}),
    ("parse::<Foo>()", {("call", "parse"), ("type", "Foo")}),
    ("<Foo as Tr>::go(); <Foo>::go()", {("type", "Foo"), ("type", "Tr")}),
    ("Foo { bar, baz: qux, ..base() }", {("type", "Foo"), ("name", "bar"), ("name", "qux"), ("call", "base")}),
    ("Some(1); None::<Foo>; Ok(a)", {("type", "Foo"), ("name", "a")}),
    ("self.go(); self.field; self.field.other(); Self::make(); Self::K; Self { a: B }",
     {("call", "self.go"), ("call", "Self.make"), ("name", "Self.K"), ("name", "B")}),
    ("let x: Box<dyn Tr + 'static> = y as z::Z;", {("type", "Tr"), ("name", "y"), ("type", "z.Z")}),
    ("let x: fn(A) -> [B; N];", {("type", "A"), ("type", "B"), ("name", "N")}),
    ("let x: I<Item = A>;", {("type", "I"), ("type", "A")}),
    ("'outer: loop { break 'outer; } let x: &'static A;", {("type", "A")}),
    ('"Name {x}"; r#"Name"#; b"Name"; \'N\'; // Name\n/* Name */', set()),
    ("std::mem::swap(a, b); core::fmt::Error; u8::MAX", {("name", "a"), ("name", "b")}),
    ("go!(Foo, b::c(), d.e(), f(g), key = MAX, i: Bar)",
     {("call", "go!"), ("type", "Foo"), ("call", "b.c"), ("call", "f"), ("name", "MAX"), ("type", "Bar")}),
    ("println!(\"{}\", a::b); vec![C::new()]; m::go!()", {("name", "a.b"), ("call", "C.new"), ("call", "m.go!")}),
    ("r#fn(); r#mod::r#use()", {("call", "fn"), ("call", "mod.use")}),
]  # fmt: skip


@pytest.mark.parametrize(("body", "expected"), USES, ids=[body.partition("\n")[0] for body, _ in USES])
def test_uses(body: str, expected: set[tuple[str, str]]) -> None:
    assert used(body) == expected


SCOPES = [
    # What is bound is no use of what is outside, from the end of its `let` to the end of the block.
    ("let x = x + y; x;", {("name", "x"), ("name", "y")}),
    ("x; let x = 1; x;", {("name", "x")}),
    ("if c { let x = 1; x; } x;", {("name", "c"), ("name", "x")}),
    ("let (a, ref b, mut c) = d; a; b; c;", {("name", "d")}),
    ("let Foo { a, b: c, .. } = d; a; b; c;", {("type", "Foo"), ("name", "d"), ("name", "b")}),
    ("let [a, rest @ ..] = d; a; rest;", {("name", "d")}),
    ("if let Some(x) = y { x; } x;", {("name", "y"), ("name", "x")}),
    ("while let Ok(x) = next() { x; }", {("call", "next")}),
    ("for (i, v) in all { i; v; } i;", {("name", "all"), ("name", "i")}),
    ("let Some(x) = y else { z; return; }; x;", {("name", "y"), ("name", "z")}),
    ("let c = |a, &b, (d, e): (T, U)| a + b + d + e + f; a;",
     {("type", "T"), ("type", "U"), ("name", "f"), ("name", "a")}),
    ("match v { A => 1, E::B(n) if n > m => n, C { x, y: z } => x + z, p @ LOW..=HIGH => p, other => other }",
     {("name", "v"), ("name", "A"), ("call", "E.B"), ("name", "m"), ("type", "C"), ("name", "LOW"), ("name", "HIGH")}),
    # A local value is neither a type, nor a macro, nor what a path begins with.
    ("let x = 1; x::y(); x!(); let z: x;", {("call", "x.y"), ("call", "x!"), ("type", "x")}),
    ("fn inner() { x; } let x = 1; fn deep() { x; } inner();", {("name", "x")}),
    ("struct L; const K: u8 = 1; L; K; let l: L;", set()),
    ("let x = 1; assert_eq!(x, y::Z);", {("name", "y.Z")}),
]  # fmt: skip


@pytest.mark.parametrize(("body", "expected"), SCOPES, ids=[body[:50] for body, _ in SCOPES])
def test_scopes(body: str, expected: set[tuple[str, str]]) -> None:
    assert used(body) == expected


HEADS = [
    ("fn f(a: A, (b, c): (B, C), mut d: &mut D)", "a; b; c; d;",
     {("type", "A"), ("type", "B"), ("type", "C"), ("type", "D")}),
    ("fn f<'a, T: A, const N: usize>(a: T) -> [T; N] where T: B<C>", "let x: T = N;",
     {("type", "A"), ("type", "B"), ("type", "C")}),
    ("fn f(first:Foo,second:&b::Bar)", "let third:Baz=first;", {("type", "Foo"), ("type", "b.Bar"), ("type", "Baz")}),
    ("fn f(a: impl A + 'static) -> impl B<Item = C>", "", {("type", "A"), ("base", "B"), ("type", "C")}),
    ("pub(in crate::a::b) fn f()", "", set()),
    ("#[cfg(test)] #[derive(A, b::C)] #[d::e(F)] fn f()", "", {("decorator", "b.C"), ("decorator", "d.e")}),
]  # fmt: skip


@pytest.mark.parametrize(("head", "body", "expected"), HEADS, ids=[head for head, _, _ in HEADS])
def test_heads(head: str, body: str, expected: set[tuple[str, str]]) -> None:
    assert used(body, head) == expected


BASES = [
    ("struct A; impl T for A {} impl b::U<V> for A {}",
     {("A", "type", "A"), ("A", "base", "T"), ("A", "base", "b.U"), ("A", "type", "V")}),
    ("trait A: B + c::D {}", {("A", "base", "B"), ("A", "base", "c.D")}),
    ("impl T for a::B { fn m() { c() } }", {("", "base", "T"), ("", "type", "a.B"), ("B.m", "call", "c")}),
    ("type A = b::C<D>;", {("A", "type", "b.C"), ("A", "type", "D")}),
    ("struct A(B); enum E { V(C) }", {("A", "type", "B"), ("E.V", "type", "C")}),
    # The base of a function is what it gives, taken out of what it is wrapped in.
    ("fn f() -> A { }", {("f", "base", "A")}),
    ("fn f() -> &'static mut a::B { }", {("f", "base", "a.B")}),
    ("fn f() -> io::Result<Option<Box<dyn A>>> { }", {("f", "base", "A"), ("f", "type", "io.Result")}),
    ("fn f() -> Map<A> { }", {("f", "base", "Map"), ("f", "type", "A")}),
    ("struct A; impl A { fn new() -> Result<Self, E> {} }",
     {("A", "type", "A"), ("A.new", "base", "Self"), ("A.new", "type", "E")}),
]  # fmt: skip


@pytest.mark.parametrize(("source", "expected"), BASES, ids=[source for source, _ in BASES])
def test_bases(source: str, expected: set[tuple[str, str, str]]) -> None:
    assert {row for row in references(source) if row[2] != "Result"} == expected


LEADS = [
    ("let v: T = x;", "T"),
    ("let v: &mut a::T<U> = x;", "a.T"),
    ("let v: &'a dyn T = x;", "T"),
    ("let v = T { a: 1 };", "T"),
    ("let mut v = &mut T { a: 1 };", "T"),
    ("let v = T(1);", "T"),
    ("let v = E::V(1);", "E.V"),
    ("let v = T::new(a)?;", "T.new"),
    ("let v = a::make(b).await.unwrap();", "a.make"),
    ("let v = Self::new();", "Self.new"),
    ('let v = crate::a::T::new().expect("x");', "crate.a.T.new"),
    ("let v: T = 1; let v = U::new();", "U.new"),
    ("let v: Option<T> = x;", ""),
    ("let v: Token![x] = x;", ""),
    ("let v = T::new().finish();", ""),
    ("let v = a + T::new();", ""),
    ("let v = T::K;", ""),
    ("let (v, w) = T::new();", ""),
    ("let Some(v) = T::new() else { return };", ""),
    ("let v = if a { T::new() } else { T::new() };", ""),
    ("let v = [T::new()];", ""),
    ("let v = || T::new();", ""),
    ("let v = make!(T);", ""),
    ("let v = String::from(x);", ""),
    ("let v = std::fs::open(x);", ""),
]


@pytest.mark.parametrize(("statement", "leads"), LEADS, ids=[statement for statement, _ in LEADS])
def test_what_a_dot_leads_into(statement: str, leads: str) -> None:
    found = {chain for role, chain in used(f"{statement} v.run();") if role == "call" and chain.endswith(".run")}
    assert found == ({f"{leads}.run"} if leads else set())


def test_dots_after_parameters() -> None:
    head = "use a::{A, B};\nfn f<B: Tr>(a: &A, b: B, c: Vec<A>)"
    told = outlined(head + " {\n    a.one();\n    b.two();\n    c.len();\n    |a: u8| a.no();\n}\n")
    assert {each.chain for each in told.references if each.role == "call"} == {"A.one"}


def test_names_nothing_in_the_file_can_mean_are_dropped() -> None:
    told = outlined("use a::b;\nfn f(x: C) {\n    b();\n    c();\n    x.d();\n    e!();\n    f::g();\n    H::i();\n}\n")
    assert [each.chain for each in told.references] == ["b", "e!", "f.g"]


def test_uses_are_counted_and_have_the_line_of_the_first() -> None:
    told = outlined("use a::g;\nfn f() {\n    g();\n    g();\n    g;\n}\n").references
    assert [(each.chain, each.role, each.line, each.count) for each in told] == [
        ("g", "call", 3, 2),
        ("g", "name", 5, 1),
    ]


# -- macros -------------------------------------------------------------------------------------------------------

GIVEN = [
    ("ast! { /// Doc.\n pub struct A #full { a: B } }", [("struct", "A")]),
    ("flags! { struct A: u32 { const B = 1; } impl A { pub fn c(&self) -> D { } } }",
     [("struct", "A"), ("method", "A.c")]),
    ("on! { pub fn f<T>(a: T) -> B; impl<T> Tr for a::C<T> { type X = Y; fn m() { fn inner() {} } } }",
     [("function", "f"), ("type", "C.X"), ("method", "C.m")]),
    ("on! { enum E { A, #[b(c, d)] B(C, D), E { f: G }, H = 1 } trait T { fn r(); fn p() {} } mod m { fn n() {} } }",
     [("enum", "E"), ("variant", "E.A"), ("variant", "E.B"), ("variant", "E.E"), ("variant", "E.H"), ("trait", "T"),
      ("method", "T.r"), ("method", "T.p"), ("module", "m"), ("function", "m.n")]),
    ("lazy! { static ref A: B = B::new(\"fn c() {}\"); pub static D: &'static str = '{'; }",
     [("static", "A"), ("static", "D")]),
    ("local! { static A: B = C { d: 1 } }", [("static", "A")]),
    ("cfg! { if #[cfg(a)] { fn f() {} } else if b { fn g() {} } else { mod h; } }",
     [("function", "f"), ("function", "g")]),
    ("go!(struct A; trait T { fn a(); });", [("struct", "A"), ("trait", "T"), ("method", "T.a")]),
    ("on! { macro_rules! m { () => {} } union U { a: B } }", [("macro", "m"), ("union", "U")]),
    ("struct A; impl A { forward! { fn a(&self) -> B; pub const C: D = 1; } }",
     [("struct", "A"), ("method", "A.a"), ("constant", "A.C")]),
    ("outer! { inner! { fn f() {} } }", [("function", "f")]),
    # Words that only look like the beginning of one, ...
    ("go!(fn not_one);", []),
    ("go!(a, |b: C| { fn inner() {} });", []),
    ("go! { &'static str; $name; struct $a { } .type \"fn s() {}\" // fn c() {}\n r#\"fn r() {}\"# }", []),
    ("go! { for<'a> fn(&'a A) -> B; dyn Fn(impl C) }", []),
    ("go! { const _: () = {}; type; use }", []),
    # ... and macros where no item can stand.
    ("fn f() { quote! { struct A; fn g() {} } }", [("function", "f")]),
    ("macro_rules! m { () => { struct A; fn f() {} } }", [("macro", "m")]),
]  # fmt: skip


@pytest.mark.parametrize(("source", "expected"), GIVEN, ids=[source[:40] for source, _ in GIVEN])
def test_items_among_what_a_macro_is_given(source: str, expected: list[tuple[str, str]]) -> None:
    assert symbols(source) == expected


def test_what_is_given_to_a_macro_has_lines_owners_and_imports() -> None:
    item = "    /// Doc.\n    #[c]\n    pub fn f(\n        b: B,\n    ) {\n        B::new();\n    }\n"
    told = outlined(f"on! {{\n    use a::B;\n{item}}}\n")
    (symbol,) = told.symbols
    assert (symbol.line, symbol.first, symbol.signature, symbol.last, symbol.doc) == (5, 4, 7, 9, 3)
    assert [(each.name, each.module, each.line) for each in told.imports] == [("B", "a", 2)]
    assert {(owner(told, each.owner), each.role, each.chain) for each in told.references} >= {("f", "call", "B.new")}


def test_what_macros_expand_to_is_read() -> None:
    rows = references("macro_rules! m { ($x:expr, B) => { $crate::a::b($x); C::new(); d!(); $x.e(); } }")
    assert rows == {("m", "call", "crate.a.b"), ("m", "call", "C.new"), ("m", "call", "d!")}


def test_broken_code_keeps_what_stands() -> None:
    told = outlined("fn f() {\n    g(\n}\n\nstruct T {\n    a: u8,\n\nfn h() { i() }\n")
    assert told.flaws == ("syntax",)
    assert "f" in [symbol.name for symbol in told.symbols]
