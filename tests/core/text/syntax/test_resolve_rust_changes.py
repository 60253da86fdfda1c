"""A change of a Rust tree costs its neighbourhood and no more."""

from __future__ import annotations

from tests.core.text.syntax.rust_trees import built, outlined


def test_a_changed_body_costs_its_own_file() -> None:
    tree = {
        "src/lib.rs": "mod a; mod b;",
        "src/a.rs": "use crate::b::f; fn g() { f() }",
        "src/b.rs": "pub fn f() {} fn h() {}",
    }
    found = built(tree)
    for path in tree:
        found.links(path)
    found.put("src/b.rs", outlined("// moved\npub fn f() { h() } fn h() {}"))
    assert sorted(found.memory.links) == ["src/a.rs", "src/lib.rs"]


def test_what_has_nothing_to_do_with_a_change_stays() -> None:
    tree = {
        "src/lib.rs": "mod a; mod b; mod c;",
        "src/a.rs": "use crate::b::f; fn g() { f() }",
        "src/b.rs": "pub fn f() {}",
        "src/c.rs": "pub fn k() { k2() } fn k2() {}",
    }
    found = built(tree)
    for path in tree:
        found.links(path)
    found.put("src/b.rs", outlined("pub struct F;"))
    assert sorted(found.memory.links) == ["src/c.rs", "src/lib.rs"]
    assert found.memory.take_forgotten() == ["src/a.rs", "src/b.rs"]


def test_what_was_looked_for_in_vain_is_found_when_it_comes() -> None:
    found = built({"src/lib.rs": "mod a; mod b;", "src/a.rs": "use crate::b::f; fn g() { f() }"})
    assert found.links("src/a.rs") == ()
    found.put("src/b.rs", outlined("pub use crate::c::f; pub fn h() {}"))
    assert found.links("src/a.rs") == ()
    found.put("src/lib.rs", outlined("mod a; mod b; mod c;"))
    found.put("src/c.rs", outlined("pub fn f() {}"))
    assert {link.target.path for link in found.links("src/a.rs")} == {"src/c.rs"}
    found.drop("src/c.rs")
    assert found.links("src/a.rs") == ()


def test_the_kind_of_a_member_elsewhere_changes_what_leads_through_it() -> None:
    tree = {
        "src/lib.rs": "mod a; mod s; mod t;",
        "src/a.rs": "use crate::s::S; fn f() { let x = S::new(); x.m(); }",
        "src/s.rs": "use crate::t::{T, U}; pub struct S; impl S { pub fn new() -> T {} }",
        "src/t.rs": "pub struct T; impl T { pub fn m(&self) {} } pub struct U; impl U { pub fn m(&self) {} }",
    }
    found = built(tree)
    before = found.links("src/a.rs")
    found.put("src/s.rs", outlined(tree["src/s.rs"].replace("-> T", "-> U")))
    assert found.links("src/a.rs") != before
