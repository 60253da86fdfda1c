"""What JavaScript and TypeScript files say about themselves, construct by construct."""

from __future__ import annotations

import pytest

from ccos_core.values.code import MODULE, Outline
from tests.core.text.syntax.ecmascript_trees import outlined


def symbols(source: str, path: str = "a.ts") -> list[tuple[str, str]]:
    return [(symbol.kind, symbol.name) for symbol in outlined(source, path).symbols]


def imports(source: str, path: str = "a.ts") -> list[tuple[str, str, str, bool]]:
    return [(each.name, each.module, each.item, each.exported) for each in outlined(source, path).imports]


def references(source: str, path: str = "a.ts") -> set[tuple[str, str, str]]:
    told = outlined(source, path)
    return {(owner(told, each.owner), each.role, each.chain) for each in told.references}


def owner(told: Outline, at: int) -> str:
    return told.symbols[at].name if at != MODULE else ""


# -- symbols ------------------------------------------------------------------------------------------------------

SYMBOLS = [
    ("function f() {}", [("function", "f")]),
    ("async function* f() {}", [("function", "f")]),
    ("declare function f(): void;", [("function", "f")]),
    ("class A { x = 1; static #y; go() {} get v() { return 1 } }",
     [("class", "A"), ("field", "A.x"), ("field", "A.#y"), ("method", "A.go"), ("method", "A.v")]),
    ("class A { run = () => {}; 'quoted'() {} [Symbol.iterator]() {} }",
     [("class", "A"), ("method", "A.run"), ("method", "A.quoted")]),
    ("abstract class A { abstract m(): void; abstract p: string }",
     [("class", "A"), ("method", "A.m"), ("field", "A.p")]),
    ("class A { constructor(private a: B, readonly b?: C, c = 1) {} }",
     [("class", "A"), ("method", "A.constructor"), ("field", "A.a"), ("field", "A.b")]),
    ("interface I { a: string; m(): void }", [("interface", "I")]),
    ("type T = string;", [("type", "T")]),
    ("enum E { A = 1, B, 'c' }", [("enum", "E"), ("constant", "E.A"), ("constant", "E.B"), ("constant", "E.c")]),
    ("export const enum E { A }", [("enum", "E"), ("constant", "E.A")]),
    ("namespace N { export const a = 1; function f() {} }",
     [("namespace", "N"), ("constant", "N.a"), ("function", "N.f")]),
    ("namespace N.M { export class C {} }", [("namespace", "N"), ("namespace", "N.M"), ("class", "N.M.C")]),
    ("declare module './x.js' { interface I {} }", [("namespace", "'_/x_js'"), ("interface", "'_/x_js'.I")]),
    ("declare global { var g: string }", [("namespace", "global"), ("constant", "global.g")]),
    ("const a = 1, b = () => {}, C = class { m() {} };",
     [("constant", "a"), ("function", "b"), ("class", "C"), ("method", "C.m")]),
    ("export const f = (function named() {});", [("function", "f")]),
    ("export const { a, b: c, ...d } = x, [e] = y;",
     [("constant", "a"), ("constant", "c"), ("constant", "d"), ("constant", "e")]),
    ("export const api = { get() {}, put: async () => {}, url: 1 } as const;",
     [("constant", "api"), ("method", "api.get"), ("method", "api.put")]),
    ("export default function () {}", [("function", "default")]),
    ("export default class A {}", [("class", "A")]),
    ("export default class {}", [("class", "default")]),
    ("export default { go() {} };", [("constant", "default"), ("method", "default.go")]),
    ("export default async () => {};", [("function", "default")]),
    ("function f() { function inner() {} class B {} const c = 1; }", [("function", "f")]),
    ("(function () { function inner() {} })();", [("function", "inner")]),
    ("!(() => { class A {} })();", [("class", "A")]),
    ("call(() => { class A {} });", []),
]  # fmt: skip


@pytest.mark.parametrize(("source", "found"), SYMBOLS)
def test_what_is_a_symbol(source: str, found: list[tuple[str, str]]) -> None:
    assert symbols(source) == found


COMMON = [
    ("module.exports = { a, b: c, d() {}, e: function () {} };",
     [("constant", "exports"), ("method", "exports.d"), ("method", "exports.e")]),
    ("module.exports = function () {};", [("function", "exports")]),
    ("module.exports = class Foo {};", [("class", "Foo")]),
    ("exports.f = function () {};", [("function", "f")]),
    ("module.exports.f = exports.g = () => {};", [("function", "f")]),
    ("exports.a = exports.b = void 0;", []),
    ("exports.a = wrap(1);", [("constant", "a")]),
    ("function A() {}\nA.prototype.go = function () {};\nA.of = () => {};\nA.size = 1;",
     [("function", "A"), ("method", "A.go"), ("method", "A.of")]),
    ("var res = module.exports = Object.create(x);\nres.type = res.kind = function () {};",
     [("constant", "res"), ("method", "res.type"), ("method", "res.kind")]),
]  # fmt: skip


@pytest.mark.parametrize(("source", "found"), COMMON)
def test_what_is_a_symbol_in_commonjs(source: str, found: list[tuple[str, str]]) -> None:
    assert symbols(source, "a.js") == found


def test_lines() -> None:
    source = (
        "/**\n * Connects.\n * @param url where\n */\n@Wrap()\nexport class Db\n  extends Base\n{\n"
        "  /** The way. */\n  @Once\n  connect(\n    url: string,\n  ): Link {\n    return x;\n  }\n}\n"
    )
    db, connect = outlined(source).symbols
    assert (db.first, db.line, db.signature, db.last, db.doc) == (5, 6, 7, 16, 2)
    assert (connect.first, connect.line, connect.signature, connect.last, connect.doc) == (10, 11, 13, 15, 9)


def test_lines_of_values() -> None:
    source = (
        "export const f = async (\n  a: A,\n): Promise<B> => {\n};\nconst table: Map<\n  A, B\n> = {\n  a: 1,\n};\n"
    )
    f, table = outlined(source).symbols
    assert (f.first, f.line, f.signature, f.last) == (1, 1, 3, 4)
    assert (table.first, table.line, table.signature, table.last) == (5, 5, 7, 9)


@pytest.mark.parametrize(
    ("comment", "line"),
    [("/** Says. */", 1), ("/**\n * Says. */", 2), ("/** @internal */", 0), ("/** @deprecated Use g. */", 1),
     ("/* no */", 0), ("// no", 0), ("/** */", 0)],
)  # fmt: skip
def test_descriptions(comment: str, line: int) -> None:
    assert outlined(f"{comment}\nexport function f() {{}}").symbols[0].doc == line


def test_overloads_are_one_function() -> None:
    source = (
        "export function f(a: A): void;\nexport function f(b: B): void;\nexport function f(x: any) {\n}\n"
        "class C { m(): void;\n m(a?: X) {} }\nfunction f2(): void;\n"
    )
    told = outlined(source)
    assert [(s.name, s.line, s.signature, s.last) for s in told.symbols] == [
        ("f", 1, 3, 4), ("C", 5, 5, 6), ("C.m", 5, 6, 6), ("f2", 7, 7, 7)
    ]  # fmt: skip


def test_a_name_may_have_several_declarations() -> None:
    assert symbols("interface A {}\nconst A = 1;\nnamespace A {}") == [
        ("interface", "A"), ("constant", "A"), ("namespace", "A")
    ]  # fmt: skip


# -- imports ------------------------------------------------------------------------------------------------------

IMPORTS = [
    ('import "./x";', [("", "./x", "", False)]),
    ('import d, { a as b, type C } from "./x";',
     [("d", "./x", "default", False), ("b", "./x", "a", False), ("C", "./x", "C", False)]),
    ('import type D from "./x";', [("D", "./x", "default", False)]),
    ('import d, * as ns from "./x";', [("d", "./x", "default", False), ("ns", "./x", "", False)]),
    ('import { "odd name" as a } from "./x";', [("a", "./x", "odd name", False)]),
    ('import x = require("./x");', [("x", "./x", "", False)]),
    ("import a = b.c.d;", [("a", "", "b.c.d", False)]),
    ('export * from "./x";', [("*", "./x", "*", True)]),
    ('export * as ns from "./x";', [("ns", "./x", "", True)]),
    ('export { a as b, type C, default } from "./x";',
     [("b", "./x", "a", True), ("C", "./x", "C", True), ("default", "./x", "default", True)]),
    ('export type { C } from "./x";', [("C", "./x", "C", True)]),
    ('export type * from "./x";', [("*", "./x", "*", True)]),
    ("const a = 1;\nexport { a as b };", [("b", "", "a", True)]),
    ("export const a = 1, { b } = c;", [("a", "", "a", True), ("b", "", "b", True)]),
    ("const a = 1;\nexport default a;", [("default", "", "a", True)]),
    ("export default 1;", [("default", "", "default", True)]),
    ("export default class A {}", [("default", "", "A", True)]),
    ("class A {}\nexport = A;", [("export=", "", "A", True)]),
    ("export namespace N { export const a = 1; }", [("N", "", "N", True)]),
    ("export import a = b.c;", [("a", "", "a", True), ("a", "", "b.c", False)]),
    ('type A = import("./x").Foo;', [("", "./x", "Foo", False)]),
    ('import("./x");', [("", "./x", "", False)]),
    ('const { a, b: c } = await import("./x");', [("a", "./x", "a", False), ("c", "./x", "b", False)]),
]  # fmt: skip


@pytest.mark.parametrize(("source", "found"), IMPORTS)
def test_what_is_imported_and_handed_out(source: str, found: list[tuple[str, str, str, bool]]) -> None:
    assert sorted(imports(source)) == sorted(found)


REQUIRES = [
    ("const x = require('./x');", [("x", "./x", "", False)]),
    ("const { a, b: c } = require('./x'), d = require('./y').e;",
     [("a", "./x", "a", False), ("c", "./x", "b", False), ("d", "./y", "e", False)]),
    ("require('./x')();", [("", "./x", "", False)]),
    ("const x = helper(require('./x'));", [("x", "./x", "", False)]),
    ("let text = translate('./x'); unrequire('./x');", []),
    ("module.exports = require('./x');", [("export=", "./x", "", True)]),
    ("exports.a = require('./x').b;", [("a", "./x", "b", True)]),
    ("module.exports = { a, b: c, d() {}, e: require('./x'), f: 1, ...require('./y') };",
     [("export=", "", "exports", True), ("a", "", "a", True), ("b", "", "c", True), ("d", "", "exports.d", True),
      ("e", "./x", "", True), ("f", "", "exports", True), ("*", "./y", "*", True)]),
    ("exports = module.exports = f;\nexports.a = b;", [("export=", "", "f", True), ("a", "", "b", True)]),
    ("exports.f = exports.g = () => {};", [("f", "", "f", True), ("g", "", "f", True)]),
    ("__exportStar(require('./x'), exports);", [("*", "./x", "*", True)]),
    ("Object.assign(module.exports, require('./x'));", [("*", "./x", "*", True)]),
    ("Object.defineProperty(exports, 'a', { get: function () { return x_1.b; } });", [("a", "", "x_1.b", True)]),
]  # fmt: skip


@pytest.mark.parametrize(("source", "found"), REQUIRES)
def test_commonjs(source: str, found: list[tuple[str, str, str, bool]]) -> None:
    assert set(imports(source, "a.js")) == set(found)


def test_imports_inside_of_functions_have_an_owner() -> None:
    told = outlined("function f() { const x = require('./x'); x.go(); }\nfunction g(x) { x.go(); }", "a.js")
    assert [(each.name, owner(told, each.owner)) for each in told.imports] == [("x", "f")]
    assert [(each.chain, owner(told, each.owner)) for each in told.references] == [("x.go", "f")]


def test_a_word_in_a_comment_or_a_string_is_no_import() -> None:
    assert imports("// require('./x')\n/* import './y' */ const a = `import('./z')`;\n'require(\"./q\")';") == []


# -- references ---------------------------------------------------------------------------------------------------

HEAD = 'import { a, B, ns } from "./x";\n'

REFERENCES = [
    ("a();", {("", "call", "a")}),
    ("new B();\nnew ns.C;", {("", "call", "B"), ("", "name", "ns.C")}),
    ("ns.one.two.three(a);", {("", "call", "ns.one.two.three"), ("", "name", "a")}),
    ("ns\n  .one()\n  .two();", {("", "call", "ns.one")}),
    ("ns?.one!.two?.();", {("", "call", "ns.one.two")}),
    ("a<B>(1);", {("", "call", "a"), ("", "type", "B")}),
    ("a`text ${ns.x}`;", {("", "call", "a"), ("", "name", "ns.x")}),
    ("let v: B | ns.T<a>;", {("v", "type", "B"), ("v", "type", "ns.T"), ("v", "type", "a")}),
    ("let v: typeof ns.x;", {("v", "name", "ns.x")}),
    ("class C extends B implements ns.I<a> {}", {("C", "base", "B"), ("C", "base", "ns.I"), ("C", "type", "a")}),
    ("class C extends a(B) {}", {("C", "base", "a"), ("C", "base", "B")}),
    ("interface I extends B, ns.J<a> {}", {("I", "base", "B"), ("I", "base", "ns.J"), ("I", "type", "a")}),
    ("@a @ns.dec(B) class C {}", {("C", "decorator", "a"), ("C", "decorator", "ns.dec"), ("C", "name", "B")}),
    ("const o = { a, B: 1, [ns.k]: B };", {("o", "name", "a"), ("o", "name", "ns.k"), ("o", "name", "B")}),
    ("x.a; x.B(); ({ a: 1 }); 'a B ns'; /* a */ // B", set()),
    ("a: for (;;) break a;", set()),
    ("export { a };\nexport { B as default };", set()),
    ("unknown(); console.log(1);", set()),
]  # fmt: skip


@pytest.mark.parametrize(("source", "found"), REFERENCES)
def test_what_is_used(source: str, found: set[tuple[str, str, str]]) -> None:
    assert references(HEAD + source) == found


HIDDEN = [
    "function f(a) { a(); }",
    "const f = a => a();",
    "const f = ({ a, b: { c: B } }, ...ns) => [a, B, ns];",
    "const f = (x = 1, a = 2) => a;",
    "function f() { const a = 1; if (x) { a(); } }",
    "function f() { if (x) { var a = 1; } a(); }",
    "function f() { function a() {} a(); }",
    "function f() { class B {} new B(); let v: B; }",
    "for (const a of x) a();",
    "for (let a = 0; a < 1; a++) a();",
    "try {} catch (a) { a(); }",
    "switch (x) { case 1: let a; a(); }",
    "const f = function a() { a(); };",
    "function f<B>(x: B) {}",
    "type T<B> = B[];",
    "interface I<B> { x: B }",
    "type T = { [B in K]: B };",
    "type T = X extends infer B ? B : never;",
    "type F = (a: string) => asserts a is string;",
    "type T = [a: string, ns?: number];",
    "interface I { [a: string]: number }",
    "class C { m<B>(a: B) { return a; } }",
    "interface I<in B> { x: B }",
]


@pytest.mark.parametrize("source", HIDDEN)
def test_what_a_scope_gives_a_name_to_hides_it(source: str) -> None:
    assert references(HEAD + source) == set()


SEEN = [
    ("function f() { if (x) { const a = 1; } a(); }", {("f", "call", "a")}),
    ("function f() { if (x) { function a() {} } }\na();", {("", "call", "a")}),
    ("function f(B) { let v: B; }", {("f", "type", "B")}),
    ("type T<a> = typeof a;", {("T", "name", "a")}),
    ("function f(x = a) {}", {("f", "name", "a")}),
    ("for (const b of a) {}", {("", "name", "a")}),
]


@pytest.mark.parametrize(("source", "found"), SEEN)
def test_a_scope_ends(source: str, found: set[tuple[str, str, str]]) -> None:
    assert references(HEAD + source) == found


def test_uses_within_the_file() -> None:
    source = "const LIMIT = 1;\nfunction f() { return LIMIT + f() + LIMIT; }\nnamespace N { const q = 1; f(q); }"
    assert references(source) == {("f", "name", "LIMIT"), ("f", "call", "f"), ("N", "call", "f"), ("N", "name", "q")}
    told = next(each for each in outlined(source).references if each.chain == "LIMIT")
    assert (told.line, told.count) == (2, 2)


def test_this_and_super() -> None:
    source = (
        "class A extends B {\n  x = 1;\n  go() { this.x; this.y; this.stop(); super.go(); }\n"
        "  late() { later(() => this.x, function () { this.x; }); }\n}\nthis.x;\n"
    )
    assert references(source) - {("A", "base", "B")} == {
        ("A.go", "name", "this.x"), ("A.go", "call", "this.stop"), ("A.go", "call", "super.go"),
        ("A.late", "name", "this.x"),
    }  # fmt: skip
    assert [each.count for each in outlined(source).references if each.owner == 3] == [1]


def test_exports_used_by_their_own_file() -> None:
    source = "exports.f = function () {};\nfunction g() { exports.f(); module.exports.f(); module.id; exports; }"
    assert references(source, "a.js") == {("g", "call", "exports.f")}


@pytest.mark.parametrize("path", ["a.tsx", "a.jsx", "a.js"])
def test_elements(path: str) -> None:
    source = 'import { App, ns, div } from "./x";\nconst v = <App a={ns.b}><ns.Item/><div>{div}</div></App>;'
    assert references(source, path) == {
        ("v", "call", "App"), ("v", "name", "ns.b"), ("v", "call", "ns.Item"), ("v", "name", "div")
    }  # fmt: skip
    assert {each.count for each in outlined(source, path).references} == {1}


def test_javascript_is_read_by_its_own_grammar() -> None:
    source = (
        'import { B, dec } from "./x";\n@dec class A extends B { x = 1; m(B, c = B) {} }\nclass C extends mix(B) {}'
    )
    told = references(source, "a.mjs")
    assert {("A", "base", "B"), ("A", "decorator", "dec"), ("C", "base", "B")} <= told
    assert not any(each[0] == "A.m" for each in told)
    assert symbols(source, "a.cjs") == [("class", "A"), ("field", "A.x"), ("method", "A.m"), ("class", "C")]


def test_the_order_is_the_texts() -> None:
    told = outlined('import b from "b";\nimport a from "a";\nfunction z() { b(); a(); }\nfunction y() { a(); }')
    assert [each.name for each in told.symbols] == ["z", "y"]
    assert [each.module for each in told.imports] == ["b", "a"]
    assert [(each.line, each.chain) for each in told.references] == [(3, "a"), (3, "b"), (4, "a")]
