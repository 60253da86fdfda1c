"""Whatever a file holds, its outline is made, is in range and has one spelling; and hostile sizes stay affordable."""

from __future__ import annotations

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from ccos_core.values.code import MODULE, Outline, outline_from
from tests.core.text.syntax.rust_trees import outlined

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


def checked(source: bytes) -> Outline:
    told = outlined(source)
    lines = source.count(b"\n") + 1
    owners = range(MODULE, len(told.symbols))
    for symbol in told.symbols:
        assert symbol.name
        assert 1 <= symbol.first <= symbol.line <= symbol.signature <= symbol.last <= lines
        assert 0 <= symbol.doc <= symbol.line
    assert all(1 <= each.line <= lines and each.owner in owners for each in told.imports)
    assert all(1 <= each.line <= lines and each.owner in owners and each.count for each in told.references)
    assert all(each.chain for each in told.references)
    assert outline_from(told.to_bytes()) == told
    return told


def test_the_source_is_whole() -> None:
    told = checked(SOURCE.encode())
    assert not told.flaws
    assert len(told.symbols) == 17


@settings(max_examples=100, deadline=None)
@given(end=st.integers(0, len(SOURCE)))
def test_any_beginning(end: int) -> None:
    checked(SOURCE[:end].encode())


PIECES = st.sampled_from(
    ["{", "}", "(", ")", "[", "]", "<", ">", "'", '"', "r#\"", "/*", "*/", "//", "///", "\0", "\r\n", "\ufeff", "…",
     "fn ", "struct ", "enum ", "impl ", "trait ", "mod ", "use ", "const ", "static ", "type ", "let ", "for ",
     "where ", "macro_rules! ", "go! {", "#[", "#![", "self", "Self", "super", "crate", "$", "$crate", "r#", "=", ";",
     ",", ".", ":", "::", "!", "&", "'a", "|x|", "=>", "->", "@", "\n", "_", "pub ", "a.b()", "A::b", "as ", "*",
     "..=", "ref ", "unsafe "]
)  # fmt: skip


@settings(max_examples=250, deadline=None)
@given(cuts=st.lists(st.tuples(st.integers(0, len(SOURCE)), st.integers(0, 40), PIECES), max_size=6))
@example(cuts=[(378, 21, "<"), (180, 40, "{")])
def test_any_mutation(cuts: list[tuple[int, int, str]]) -> None:
    text = SOURCE
    for at, length, piece in cuts:
        text = text[:at] + piece + text[at + length :]
    checked(text.encode())


@settings(max_examples=100, deadline=None)
@given(source=st.binary(max_size=300))
def test_any_bytes(source: bytes) -> None:
    checked(source)


@settings(max_examples=250, deadline=None)
@given(words=st.lists(PIECES, max_size=60), inside=st.booleans())
def test_any_words(words: list[str], inside: bool) -> None:
    text = "".join(words)
    checked((f"go! {{ {text} }}" if inside else text).encode())


def test_line_ends_and_marks_change_nothing() -> None:
    plain = checked(SOURCE.encode())
    assert checked(SOURCE.replace("\n", "\r\n").encode()) == plain
    assert checked(b"\xef\xbb\xbf" + SOURCE.encode()) == plain


def test_invalid_bytes() -> None:
    told = checked(b'fn caf\xc3\xa9() {}\nfn b\xff() {}\nconst X: &str = "\xfe\x00";\n')
    assert told.symbols[0].name == "café"


def test_an_empty_file() -> None:
    assert checked(b"") == Outline()


MANY = 3_000
HOSTILE = {
    "blocks": "fn f() " + "{" * MANY,
    "calls": "const X: u8 = " + "f(" * MANY,
    "fluent": "fn f(a: A) { a" + ".b()" * 20_000 + " }",
    "paths": "fn f() { a" + "::b" * 50_000 + " }",
    "modules": "mod a {" * MANY + "}" * MANY,
    "functions": "fn f() {" * MANY + "}" * MANY,
    "impls": "impl A { fn f() { " * 1_000,
    "generics": "type A = " + "B<" * MANY + ">" * MANY,
    "angles": "impl " + "<" * 10_000 + " for A {}",
    "closures": "fn f() { " + "|x| " * MANY + "x }",
    "matches": "fn f() { " + "match x { y => " * 1_000 + "}" * 1_000 + " }",
    "lets": "fn f(x: A) {\n" + "    let x = x.a();\n" * 10_000 + "}\n",
    "shadows": "fn f(x: A) {\n" + "    { let x = x.a(); x.b(); }\n" * 5_000 + "}\n",
    "bounds": "fn f<" + "T: A, " * 5_000 + ">() { " + "T; " * 5_000 + " }",
    "macros": "go! { " * MANY + " fn f() {} " + "}" * MANY,
    "tokens": "go! { " + "fn f() {} struct A; impl A { " * 2_000 + "}" * 2_000 + " }",
    "comments": "go! { fn a() {} " + "/* " * 20_000 + " }",
    "strings": "go! { fn a() {} " + '" ' * 20_001 + " }",
    "raws": "go! { fn a() {} " + 'r#" ' * 2_000 + " }",
    "uses": "use " + "a::{" * MANY + "b" + "}" * MANY + ";",
    "stars": "use a::*;\n" * 5_000,
    "above": "// a\n" * 20_000 + "fn f() {}",
    "above each": "// a\nfn f() {}\n" * 5_000,
    "attributes": "#[a]\n" * 5_000 + "fn f() {}",
    "brackets": "[]\n" * 20_000 + "fn f() {}",
    "stripes": "*/\nfn f() {}\n" * 5_000,
    "blanks": "fn f() {}" + " " * 200_000 + "\n" * 200_000 + "fn g() {}",
    "variants": "enum E { " + "A, " * 20_000 + " }",
    "given variants": "go! { enum E { " + "A, " * 20_000 + " } }",
    "lifetimes": "go! { fn a() {} " + "'a " * 20_000 + " }",
}


@pytest.mark.parametrize("name", sorted(HOSTILE))
def test_no_hostile_size_runs_away(name: str) -> None:
    """An explosion would never end; nothing is timed here."""
    checked(HOSTILE[name].encode())
