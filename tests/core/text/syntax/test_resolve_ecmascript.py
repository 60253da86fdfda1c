"""Where names of JavaScript and TypeScript lead, rule by rule and trap by trap."""

from __future__ import annotations

import pytest

from tests.core.text.syntax.ecmascript_trees import built, linked, outlined, targets

LIB = "export function go() {}\nexport class Db { static of() {} get() {} }\nexport default class Main {}\n"

# -- specifiers ---------------------------------------------------------------------------------------------------

FOUND = [
    ("./x", "x.ts"), ("./x", "x.tsx"), ("./x", "x.d.ts"), ("./x", "x.js"), ("./x", "x.mts"), ("./x", "x/index.ts"),
    ("./x.js", "x.ts"), ("./x.js", "x.tsx"), ("./x.js", "x.d.ts"), ("./x.js", "x.js"), ("./x.jsx", "x.tsx"),
    ("./x.mjs", "x.mts"), ("./x.cjs", "x.cts"), ("./x.cjs", "x.d.cts"), ("./x.ts", "x.ts"), ("./x.d.ts", "x.d.ts"),
    ("./x/", "x/index.tsx"), (".", "index.ts"), ("./x.js", "x.js.ts"), ("./x.service", "x.service.ts"),
    ("./x?raw", "x.ts"), ("./y/../x", "x.ts"),
]  # fmt: skip


@pytest.mark.parametrize(("said", "path"), FOUND)
def test_suffixes_said_and_unsaid(said: str, path: str) -> None:
    assert targets({"a.ts": f'import {{ go }} from "{said}";', path: LIB}, "a.ts") == {f"{path}#go"}


NOT_FOUND = [
    ("./x", "y/x.ts"), ("../x", "x.ts"), ("./x.ts", "x.js"), ("./x.mjs", "x.ts"), ("x", "x.ts"), ("./x", "x.rs.ts"),
    ("/x", "x.ts"), ("", "index.ts"),
]  # fmt: skip


@pytest.mark.parametrize(("said", "path"), NOT_FOUND)
def test_what_no_rule_reaches_is_left_out(said: str, path: str) -> None:
    assert targets({"a.ts": f'import {{ go }} from "{said}";', path: LIB}, "a.ts") == set()


def test_typescript_means_the_source_and_javascript_what_runs() -> None:
    tree = {"x.ts": LIB, "x.js": LIB, "x.d.ts": LIB}
    said = 'import { go } from "./x.js";'
    assert targets({**tree, "a.ts": said}, "a.ts") == {"x.ts#go"}
    assert targets({**tree, "a.js": said}, "a.js") == {"x.js#go"}
    del tree["x.ts"]
    assert targets({**tree, "a.ts": said}, "a.ts") == {"x.d.ts#go"}


def test_a_file_comes_before_a_folder() -> None:
    assert targets({"a.ts": 'import "./x";', "x.ts": "", "x/index.ts": ""}, "a.ts") == {"x.ts#"}


# -- what is handed on --------------------------------------------------------------------------------------------

IMPORTS = [
    ('import { go as g } from "./x"; g();', {"x.ts#go"}),
    ('import Any from "./x"; new Any();', {"x.ts#Main"}),
    ('import { default as D } from "./x";', {"x.ts#Main"}),
    ('import * as ns from "./x"; ns.go();', {"x.ts#", "x.ts#go"}),
    ('import type { Db } from "./x";', {"x.ts#Db"}),
    ('import { missing } from "./x";', {"x.ts#"}),
    ('import "./x";', {"x.ts#"}),
    ('import { Db } from "./x"; Db.of();', {"x.ts#Db", "x.ts#Db.of"}),
    ('import * as ns from "./x"; ns.Db.of();', {"x.ts#", "x.ts#Db", "x.ts#Db.of"}),
    ('let v: import("./x").Db;', {"x.ts#Db"}),
    ('const { go } = await import("./x"); go();', {"x.ts#go"}),
    ('import("./x").then(m => m.go());', {"x.ts#"}),
    ('import x = require("./x"); x.go();', {"x.ts#", "x.ts#go"}),
    ('import * as ns from "./x"; import G = ns.Db; let v: G;', {"x.ts#", "x.ts#Db"}),
    ('export { go as other } from "./x";', {"x.ts#go"}),
    ('export * from "./x";', {"x.ts#"}),
]  # fmt: skip


@pytest.mark.parametrize(("source", "found"), IMPORTS)
def test_imports(source: str, found: set[str]) -> None:
    assert targets({"a.ts": source, "x.ts": LIB}, "a.ts") == found


BARRELS = [
    ('export * from "./x";', "go"),
    ('export { go } from "./x";', "go"),
    ('export { go as renamed } from "./x";', "renamed"),
    ('import { go } from "./x"; export { go };', "go"),
    ('import { go as g } from "./x"; export { g as go };', "go"),
    ('export { default as Main } from "./x";', "Main"),
    ('import D from "./x"; export { D };', "D"),
]


@pytest.mark.parametrize(("barrel", "name"), BARRELS)
def test_barrels_are_seen_through(barrel: str, name: str) -> None:
    tree = {"a.ts": f'import {{ {name} }} from "./lib";', "lib/index.ts": barrel, "lib/x.ts": LIB}
    assert targets(tree, "a.ts") in ({"lib/x.ts#go"}, {"lib/x.ts#Main"})


def test_spaces_within_spaces() -> None:
    tree = {
        "a.ts": 'import { z } from "./lib";\nz.core.util.go();\nlet v: z.core.util.Db;',
        "lib/index.ts": 'import * as z from "./external"; export { z }; export default z;',
        "lib/external.ts": 'export * as core from "./core";',
        "lib/core.ts": 'import * as util from "./x"; export { util };',
        "lib/x.ts": LIB,
    }
    assert targets(tree, "a.ts", "call") == {"lib/x.ts#go"}
    assert targets(tree, "a.ts", "type") == {"lib/x.ts#Db"}
    tree["a.ts"] = 'import z from "./lib"; z.core.util.go();'
    assert targets(tree, "a.ts", "call") == {"lib/x.ts#go"}


def test_what_two_stars_give_differently_none_gives() -> None:
    tree = {
        "a.ts": 'import { go } from "./b"; go();',
        "b.ts": 'export * from "./x"; export * from "./y";',
        "x.ts": LIB,
        "y.ts": LIB,
    }
    assert targets(tree, "a.ts") == {"b.ts#"}
    tree["b.ts"] += ' export { go } from "./y";'
    assert targets(tree, "a.ts") == {"y.ts#go"}
    tree["b.ts"] = 'export * from "./x"; export * from "./c";'
    tree["c.ts"] = 'export * from "./x";'
    assert targets(tree, "a.ts") == {"x.ts#go"}


def test_stars_hand_on_no_default_and_nothing_private() -> None:
    tree = {
        "a.ts": 'import D, { go, help } from "./b";',
        "b.ts": 'export * from "./x"; export * from "./y";',
        "x.ts": LIB + "function help() {}",
        "y.ts": "export function help() {}\nfunction go() {}",
    }
    assert targets(tree, "a.ts") == {"b.ts#", "x.ts#go", "y.ts#help"}


def test_circles_end() -> None:
    tree = {
        "a.ts": 'import { go, no } from "./b";',
        "b.ts": 'export * from "./c"; export { no } from "./c";',
        "c.ts": 'export * from "./b"; export { no } from "./b"; export function go() {}',
        "d.ts": 'import * as me from "./d"; import x = me.x; export { x }; export = x; class A extends A.b {} me.x.y;',
        "e.ts": "class A extends B { m() { this.no(); } } class B extends A {}",
    }
    assert targets(tree, "a.ts") == {"b.ts#", "c.ts#go"}
    assert targets(tree, "d.ts") == set()
    assert "A.m call e.ts#B" not in linked(tree, "e.ts")


def test_a_chain_of_many_hands_is_followed_and_one_of_too_many_is_not() -> None:
    def chain(length: int) -> dict[str, str]:
        tree = {f"x{n}.ts": f'export {{ go }} from "./x{n + 1}";' for n in range(length)}
        return {**tree, f"x{length}.ts": LIB, "a.ts": 'import { go } from "./x0";'}

    assert targets(chain(40), "a.ts") == {"x40.ts#go"}
    assert targets(chain(500), "a.ts") == {"x0.ts#"}


# -- declarations and roles ---------------------------------------------------------------------------------------


def test_a_name_with_several_declarations() -> None:
    shape = "export interface Shape {}\nexport const Shape = 1;\n"
    tree = {"x.ts": shape, "a.ts": 'import { Shape } from "./x";\nlet v: Shape;\nfunction f() { Shape(); }'}
    kinds = {row: row.split()[-1] for row in linked(tree, "a.ts")}
    assert set(kinds) == {"import x.ts#Shape", "v type x.ts#Shape", "f call x.ts#Shape"}
    rows = built(tree).links("a.ts")
    assert sorted((row.role, row.target.symbol) for row in rows) == [
        ("call", 1), ("import", 0), ("import", 1), ("type", 0)
    ]  # fmt: skip
    tree["a.ts"] = 'import * as ns from "./x";\nns.Shape();'
    rows = built(tree).links("a.ts")
    assert sorted((row.role, row.target.symbol) for row in rows) == [
        ("call", 1), ("import", -1), ("import", 0), ("import", 1)
    ]  # fmt: skip


SAME = [
    ("const A = 1;\nfunction f() { return A; }", {"f name a.ts#A"}),
    ("function f() { f(); }", set()),
    ("function f() { g(); }\nfunction g() {}", {"f call a.ts#g"}),
    ("class A { go() { this.stop(); } stop() {} }", {"A.go call a.ts#A.stop"}),
    ("class A { x = 1; go() { this.x.y.z(); } }", {"A.go call a.ts#A.x"}),
    ("class A { static of() {} }\nA.of();", {"call a.ts#A.of"}),
    ("enum E { A }\nconst x = E.A;", {"x name a.ts#E.A"}),
    ("namespace N { export function f() {} export function g() { f(); } }\nN.f();",
     {"N.g call a.ts#N.f", "call a.ts#N.f"}),
    ("function f() {}\nnamespace N { function f() {} function g() { f(); } }", {"N.g call a.ts#N.f"}),
    ("const api = { get() { this.put(); }, put() {} };\napi.get();",
     {"api.get call a.ts#api.put", "call a.ts#api.get"}),
    ("type A = B;\ninterface B extends C<A> {}\ninterface C<T> {}",
     {"A type a.ts#B", "B base a.ts#C", "B type a.ts#A"}),
]  # fmt: skip


@pytest.mark.parametrize(("source", "found"), SAME)
def test_within_a_file(source: str, found: set[str]) -> None:
    assert linked({"a.ts": source}, "a.ts") == found


def test_members_of_bases() -> None:
    tree = {
        "a.ts": 'import { B } from "./b";\nclass A extends B { go() { this.stop(); super.stop(); } }\nA.of();',
        "b.ts": 'import * as c from "./c";\nexport class B extends c.C {}',
        "c.ts": "export class C { stop() {} static of() {} }",
    }
    assert linked(tree, "a.ts") == {
        "import b.ts#B", "A base b.ts#B", "A.go call c.ts#C.stop", "call c.ts#C.of"
    }  # fmt: skip


def test_super_means_the_base() -> None:
    source = "class B { go() {} }\nclass A extends B { go() { super.go(); } }"
    assert linked({"a.ts": source}, "a.ts") == {"A base a.ts#B", "A.go call a.ts#B.go"}


# -- CommonJS -----------------------------------------------------------------------------------------------------

REQUIRED = [
    ("exports.go = function () {};", "x.go();", {"x.js#", "x.js#go"}),
    ("module.exports = { go() {} };", "x.go();", {"x.js#exports", "x.js#exports.go"}),
    ("function go() {}\nmodule.exports = { go };", "x.go();", {"x.js#exports", "x.js#go"}),
    ("function make() {}\nmodule.exports = make;\nmake.of = function () {};", "x(); x.of();",
     {"x.js#make", "x.js#make.of"}),
    ("exports = module.exports = make;\nfunction make() {}\nexports.go = () => {};", "x(); x.go();",
     {"x.js#make", "x.js#go"}),
    ("module.exports = require('./y');", "x.go();", {"y.js#", "y.js#go"}),
    ("module.exports = { ...require('./y') };", "x.go();", {"x.js#exports", "y.js#go"}),
    ("__exportStar(require('./y'), exports);", "x.go();", {"x.js#", "y.js#go"}),
    ("exports.y = require('./y');", "x.y.go();", {"x.js#", "y.js#go"}),
]  # fmt: skip


@pytest.mark.parametrize(("lib", "use", "found"), REQUIRED)
def test_commonjs(lib: str, use: str, found: set[str]) -> None:
    tree = {"a.js": f"const x = require('./x');\n{use}", "x.js": lib, "y.js": "exports.go = function () {};"}
    assert targets(tree, "a.js") == found


def test_commonjs_imported_as_a_module() -> None:
    tree = {"a.mjs": 'import x, { go } from "./x.js"; x.go(); x.of();', "x.js": "exports.go = exports.of = () => {};"}
    assert targets(tree, "a.mjs") == {"x.js#", "x.js#go"}
    tree["x.js"] = "module.exports = class X { static of() {} };"
    assert targets(tree, "a.mjs") == {"x.js#X", "x.js#X.of", "x.js#"}


def test_two_functions_may_load_different_modules_by_one_name() -> None:
    tree = {
        "a.js": "".join(
            f"function {name}() {{ const m = require('./{path}'); m.go(); }}\n" for name, path in ("fx", "gy")
        ),
        "x.js": "exports.go = () => {};",
        "y.js": "exports.go = () => {};",
    }
    assert {row for row in linked(tree, "a.js") if "call" in row} == {"f call x.js#go", "g call y.js#go"}


def test_a_changed_file_forgets_only_who_asked_for_it() -> None:
    tree = {
        "a.ts": 'import { go } from "./barrel"; go();',
        "barrel.ts": 'export * from "./b";',
        "b.ts": "export function go() {}",
        "other.ts": 'import { gone } from "./missing"; import { x } from "./far";',
        "far.ts": "export const x = 1;",
    }
    found = built(tree)
    for path in tree:
        found.links(path)
    found.put("b.ts", outlined("\nexport function go() { far(); }"))  # nothing that anybody else can see
    assert set(found.memory.links) == {"a.ts", "barrel.ts", "other.ts", "far.ts"}
    found.put("b.ts", outlined("export function stay() {}\nexport function go() {}"))
    assert set(found.memory.links) == {"other.ts", "far.ts"}
    assert found.links("a.ts")[0].target.symbol == 1
    found.put("missing.ts", outlined("export const gone = 1;"))
    assert set(found.memory.links) == {"a.ts", "far.ts"}
    assert {link.target.path for link in found.links("other.ts")} == {"missing.ts", "far.ts"}
