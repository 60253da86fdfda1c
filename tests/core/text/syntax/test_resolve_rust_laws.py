"""However a tree of Rust files comes about, its links are those of the tree; and a change costs its neighbourhood."""

from __future__ import annotations

from collections.abc import Mapping

from hypothesis import example, given, settings
from hypothesis import strategies as st

from ccos_core.text.syntax.resolution import Link
from ccos_core.text.syntax.resolve_rust import RustResolver, resolver
from tests.core.text.syntax.rust_trees import built, outlined

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
TREES = st.fixed_dictionaries({path: st.sampled_from(texts) for path, texts in VARIANTS.items()})
CHANGES = st.lists(
    st.sampled_from(sorted(VARIANTS)).flatmap(lambda path: st.tuples(st.just(path), st.sampled_from(VARIANTS[path]))),
    max_size=5,
)


def all_links(found: RustResolver) -> dict[str, tuple[Link, ...]]:
    return {path: found.links(path) for path in VARIANTS}


def put(found: RustResolver, path: str, text: str | None) -> None:
    if not path.endswith(".rs"):
        found.configure(path, text)
    elif text is None:
        found.drop(path)
    else:
        found.put(path, outlined(text))


@settings(max_examples=300, deadline=None)
@given(tree=TREES, changes=CHANGES)
@example(
    tree={path: texts[0] for path, texts in VARIANTS.items()},
    changes=[("src/b.rs", None), ("src/b.rs", VARIANTS["src/b.rs"][2])],
)
def test_any_way_to_a_tree_gives_the_links_of_the_tree(
    tree: dict[str, str | None], changes: list[tuple[str, str | None]]
) -> None:
    found = resolver()
    for path, text in tree.items():
        put(found, path, text)
    for path, text in changes:
        all_links(found)
        put(found, path, text)
        tree[path] = text
    afresh = built({path: text for path, text in reversed(tree.items()) if text is not None})
    assert all_links(found) == all_links(afresh)


def test_putting_the_same_again_changes_nothing() -> None:
    found = resolver()
    for path, texts in VARIANTS.items():
        put(found, path, texts[0])
    before, kept = all_links(found), dict(found.memory.links)
    assert sum(map(len, before.values())) > 12
    for path, texts in VARIANTS.items():
        put(found, path, texts[0])
    assert found.memory.links == kept
    assert all_links(found) == before


@settings(max_examples=100, deadline=None)
@given(tree=TREES)
def test_links_stay_inside_of_the_tree_and_are_ordered(tree: dict[str, str | None]) -> None:
    found = built({path: text for path, text in tree.items() if text is not None})
    for path, links in all_links(found).items():
        assert list(links) == sorted(links, key=lambda link: (link.line, link.owner, link.target, link.role))
        for link in links:
            outline = found.modules.files[link.target.path].outline
            assert link.target.symbol < len(outline.symbols)
            assert (path, link.owner) != (link.target.path, link.target.symbol)


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
