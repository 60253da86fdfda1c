"""Rust for the laws that hold for every language."""

from collections.abc import Mapping

from tests.core.text.syntax.cases import Outlines, Trees

SOURCE = """\
//! About things.
#![allow(dead_code)]

use std::{fmt, io::{self, Read as _}};
pub use crate::kinds::*;
extern crate alloc as a;
#[macro_use]
#[path = "other.rs"]
mod other;

/// Kind of a thing.
#[derive(Debug, Clone)]
pub enum Kind<'a, T: Read = u8> {
    One,
    /* two */ Two(Thing<'a, T>, [u8; N]),
    Three { r#type: Box<dyn Fn(T) -> a::String + 'a> },
}

const N: usize = { 1 + 'x' as usize };
static NAMES: &[&str] = &["a\\"b", r#"c"d"#, b"e"];

impl<'a, T> fmt::Display for Kind<'a, T> where T: Read, for<'b> &'b T: Into<Thing<'b, T>> {
    type Out = Self;
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result<Self, Error> {
        let thing = Thing::new(self.kind())?.with::<T>(|x| x + 1);
        let Some((a, ref b)) = thing.pair() else { return Err(Error::Pair) };
        if let Kind::One | Kind::Two(_, _) = self && a { write!(f, "{}", thing.name())?; }
        match b { 0..=N => a, Kind::Three { r#type, .. } if other!(b) => r#type(), n @ _ => n.into() }
        'outer: for (i, v) in NAMES.iter().enumerate() { break 'outer; }
        unsafe { async move { io::copy(&mut self::go(), v).await } }
    }
}

macro_rules! other {
    ($x:ident, $($t:ty),* $(,)?) => { $crate::go::<$($t),*>($x); impl $x { fn made() {} } };
}

on! {
    /// Given.
    pub struct Given #full { pub kind: Kind, }
    impl Given { pub fn new() -> Self { Given { kind: Kind::One } } }
    pub enum Chosen { A(u8), #[b] C }
    use crate::more::{Some, Other};
    static ref RE: Regex = Regex::new("fn x() {").unwrap();
}

mod tests { use super::*; #[test] fn t() { assert_eq!(Given::new().kind, Kind::One); } }
"""

PIECES = [
    "{", "}", "(", ")", "[", "]", "<", ">", "'", '"', "r#\"", "/*", "*/", "//", "///", "\0", "\r\n", "\ufeff", "…",
    "fn ", "struct ", "enum ", "impl ", "trait ", "mod ", "use ", "const ", "static ", "type ", "let ", "for ",
    "where ", "macro_rules! ", "go! {", "#[", "#![", "self", "Self", "super", "crate", "$", "$crate", "r#", "=", ";",
    ",", ".", ":", "::", "!", "&", "'a", "|x|", "=>", "->", "@", "\n", "_", "pub ", "a.b()", "A::b", "as ", "*",
    "..=", "ref ", "unsafe ",
]  # fmt: skip

SIZES = {
    "blocks": lambda n: "fn f() " + "{" * 3 * n,
    "calls": lambda n: "const X: u8 = " + "f(" * 3 * n,
    "fluent": lambda n: "fn f(a: A) { a" + ".b()" * 20 * n + " }",
    "paths": lambda n: "fn f() { a" + "::b" * 50 * n + " }",
    "modules": lambda n: "mod a {" * 3 * n + "}" * 3 * n,
    "functions": lambda n: "fn f() {" * 3 * n + "}" * 3 * n,
    "impls": lambda n: "impl A { fn f() { " * n,
    "generics": lambda n: "type A = " + "B<" * 3 * n + ">" * 3 * n,
    "angles": lambda n: "impl " + "<" * 10 * n + " for A {}",
    "closures": lambda n: "fn f() { " + "|x| " * 3 * n + "x }",
    "matches": lambda n: "fn f() { " + "match x { y => " * n + "}" * n + " }",
    "lets": lambda n: "fn f(x: A) {\n" + "    let x = x.a();\n" * 10 * n + "}\n",
    "shadows": lambda n: "fn f(x: A) {\n" + "    { let x = x.a(); x.b(); }\n" * 5 * n + "}\n",
    "bounds": lambda n: "fn f<" + "T: A, " * 5 * n + ">() { " + "T; " * 5 * n + " }",
    "macros": lambda n: "go! { " * 3 * n + " fn f() {} " + "}" * 3 * n,
    "tokens": lambda n: "go! { " + "fn f() {} struct A; impl A { " * 2 * n + "}" * 2 * n + " }",
    "comments": lambda n: "go! { fn a() {} " + "/* " * 20 * n + " }",
    "strings": lambda n: "go! { fn a() {} " + '" ' * (20 * n + 1) + " }",
    "raws": lambda n: "go! { fn a() {} " + 'r#" ' * 2 * n + " }",
    "uses": lambda n: "use " + "a::{" * 3 * n + "b" + "}" * 3 * n + ";",
    "stars": lambda n: "use a::*;\n" * 5 * n,
    "above": lambda n: "// a\n" * 20 * n + "fn f() {}",
    "above each": lambda n: "// a\nfn f() {}\n" * 5 * n,
    "attributes": lambda n: "#[a]\n" * 5 * n + "fn f() {}",
    "brackets": lambda n: "[]\n" * 20 * n + "fn f() {}",
    "stripes": lambda n: "*/\nfn f() {}\n" * 5 * n,
    "blanks": lambda n: "fn f() {}" + " " * 200 * n + "\n" * 200 * n + "fn g() {}",
    "variants": lambda n: "enum E { " + "A, " * 20 * n + " }",
    "given variants": lambda n: "go! { enum E { " + "A, " * 20 * n + " } }",
    "lifetimes": lambda n: "go! { fn a() {} " + "'a " * 20 * n + " }",
}

# Per file what it may be; None is that it isn't there. Each pair of neighbours differs in one thing others lean on.
VARIANTS: Mapping[str, list[str | None]] = {
    "src/lib.rs": [
        "mod a; pub mod b; mod c; pub use b::S; pub fn top() {}",
        "#[macro_use] mod c; mod a; pub mod b; pub use c::*; pub fn top() {} pub struct T;",
        '#[path = "c.rs"] pub mod b; mod a;',
        "pub struct S;",
        None,
    ],
    "src/a.rs": [
        "use crate::b::{S, make}; fn f(s: &S) { s.m(); s.prov(); make().n(); one!(); crate::top(); }",
        "use super::*; fn f() { S::new(); T; top(); b::make(); }",
        "use crate::b::*; mod inner; fn f(x: S) { inner::g(); x.m(); }",
        None,
    ],
    "src/b.rs": [
        "pub use crate::c::Tr; pub struct S; impl S { pub fn new() -> S {} pub fn m(&self) {} } impl Tr for S {}\n"
        "pub fn make() -> S {}",
        "pub use crate::c::*; pub fn make() -> T {}",
        "pub struct S; pub type T = S; pub fn make() -> Option<T> {}",
        "mod d; pub use self::d::S; pub fn make() -> self::d::S {}",
        None,
    ],
    "src/b/d.rs": [
        "pub struct S; impl S { pub fn n(&self) {} }",
        "use crate::b::S; impl S { pub fn m(&self) {} }",
        None,
    ],
    "src/c.rs": [
        "pub trait Tr { fn prov(&self) {} } macro_rules! one { () => {} } pub struct T; impl T { pub fn n(&self) {} }",
        "use crate::b::S; impl S { pub fn n(&self) {} pub fn m(&self) {} } pub struct S2; pub fn make() {}",
        "#[macro_export] macro_rules! one { () => {} } pub use crate::b::S; pub use crate::a::T;",
        None,
    ],
    "src/a/inner.rs": ["pub fn g() { super::super::top() }", "pub fn g() {} macro_rules! one { () => {} }", None],
    "src/main.rs": ["use app::S; mod a; fn main() { S::new(); app::b::make(); }", "fn main() { app::top() }", None],
    "tests/t.rs": ["fn t() { app::top(); app::S::new().m(); app::one!(); let s = app::S::new(); s.m(); }", None],
    "other/src/lib.rs": ["pub fn top() {} pub struct S;", "pub use app::*;", None],
    "Cargo.toml": [
        None,
        '[package]\nname = "app"\nedition = "2021"\n',
        '[package]\nname = "app"\n',
        '[package]\nname = "lib"\n[dependencies]\napp = { package = "other" }\n',
        '[package]\nname = "app"\n[lib]\npath = "src/b.rs"\n',
    ],
    "other/Cargo.toml": [None, '[package]\nname = "other"\n', '[package]\nname = "app"\n', "not toml ["],
}  # fmt: skip

OUTLINES = [
    Outlines(
        "a.rs",
        SOURCE,
        17,
        PIECES,
        SIZES,
        b'fn caf\xc3\xa9() {}\nfn b\xff() {}\nconst X: &str = "\xfe\x00";\n',
        heads=("{}", "go! {{ {} }}"),
        has_unnamed_references=False,
    )
]
TREES = Trees(
    "rust",
    VARIANTS,
    12,
    [
        (
            {path: texts[0] for path, texts in VARIANTS.items()},
            [("src/b.rs", None), ("src/b.rs", VARIANTS["src/b.rs"][2])],
        )
    ],
)
