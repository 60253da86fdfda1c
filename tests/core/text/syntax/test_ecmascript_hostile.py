"""Whatever a file holds, its outline is made, is in range and has one spelling."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ccos_core.values.code import MODULE, Outline, outline_from
from tests.core.text.syntax.ecmascript_trees import outlined

SOURCE = """\
#!/usr/bin/env node
import def, { a as b, type C } from "./x.js";
import * as ns from '../y';
export * from "./s"; export { b as q }; export * as w from "w";
/** Docs. */
@Dec({ a: 1 }) export abstract class A<T> extends ns.B<T> implements I {
  #p = 1; static { this.#p; }
  constructor(private readonly x: C, y?: number) { super(); }
  m(a: string): void; m(a: any) { return this.x?.go(`t${b(a)}`) ?? super.m(a); }
}
export default function <U>({ p, q: [r], ...s }: C = {}) { for (const i of r) { b(i); } }
namespace N.M { export const v = require("./r").z; export import k = ns.k; }
declare module "m" { interface Z {} }
enum E { A = 1 << 2, "b" }
exports.f = module.exports = { d() {}, e: () => <any>1, ...require('./u') };
A.prototype.z = function () { const { a } = require("./v"); };
type U2 = import("./t").T extends infer R ? R : { [K in keyof A]: K };
const el = x => x / 2 / 1, re = /[/]"'/g; label: while (0) break label;
"""
PATHS = ("a.ts", "a.tsx", "a.js")


def checked(source: bytes, path: str) -> Outline:
    told = outlined(source, path)
    lines = source.count(b"\n") + 1
    owners = range(MODULE, len(told.symbols))
    for symbol in told.symbols:
        assert symbol.name
        assert 1 <= symbol.first <= symbol.line <= symbol.last <= lines
        assert symbol.line <= symbol.signature <= symbol.last
        assert 0 <= symbol.doc <= symbol.line
    assert all(1 <= each.line <= lines and each.owner in owners for each in told.imports)
    assert all(1 <= each.line <= lines and each.owner in owners and each.count for each in told.references)
    assert outline_from(told.to_bytes()) == told
    return told


@pytest.mark.parametrize("path", ["a.ts", "a.tsx"])
def test_the_source_is_whole(path: str) -> None:
    assert len(checked(SOURCE.encode(), path).symbols) > 8


@pytest.mark.parametrize("path", PATHS)
@settings(max_examples=60, deadline=None)
@given(end=st.integers(0, len(SOURCE)))
def test_any_beginning(path: str, end: int) -> None:
    checked(SOURCE[:end].encode(), path)


PIECES = st.sampled_from(
    ["{", "}", "(", ")", "`", "'", "/*", "*/", "\0", "\r\n", "\ufeff", "…", "=>", "export ", "import ", "class ", ".",
     "<", "${", "//", "@", "#", "require(", "namespace ", "declare ", "=", ";", "ns.", "this.", "exports."]
)  # fmt: skip


@pytest.mark.parametrize("path", PATHS)
@settings(max_examples=80, deadline=None)
@given(cuts=st.lists(st.tuples(st.integers(0, len(SOURCE)), st.integers(0, 40), PIECES), max_size=6))
def test_any_mutation(path: str, cuts: list[tuple[int, int, str]]) -> None:
    text = SOURCE
    for at, length, piece in cuts:
        text = text[:at] + piece + text[at + length :]
    checked(text.encode(), path)


@settings(max_examples=60, deadline=None)
@given(source=st.binary(max_size=300), path=st.sampled_from(PATHS))
def test_any_bytes(source: bytes, path: str) -> None:
    checked(source, path)


@settings(max_examples=60, deadline=None)
@given(words=st.lists(PIECES, max_size=40))
def test_any_words(words: list[str]) -> None:
    checked("".join(words).encode(), "a.ts")


def test_line_ends_and_marks_change_nothing() -> None:
    plain = checked(SOURCE.encode(), "a.ts")
    assert checked(SOURCE.replace("\n", "\r\n").encode(), "a.ts") == plain
    assert checked(b"\xef\xbb\xbf" + SOURCE.partition("\n")[2].encode(), "a.ts").symbols


def test_invalid_bytes() -> None:
    told = checked(b"function caf\xc3\xa9() {}\nfunction b\xff() {}\nexport const x = '\xfe\x00';", "a.ts")
    assert told.symbols[0].name == "café"


HOSTILE = {
    "blocks": "{" * 3_000,
    "calls": "f(" * 5_000,
    "namespaces": "namespace a {" * 2_000,
    "members": "a" + ".b" * 20_000 + ";",
    "assignments": "exports." + "a = exports.".join("x" * 3_000) + " = 1;",
    "patterns": "const " + "[" * 2_000 + "a" + "]" * 2_000 + " = x;",
    "conditions": "x = " + "a ? b : " * 3_000 + "c;",
    "blanks": "import a from 'a';\na" + " " * 200_000 + ";" + "\na" + "\n" * 200_000,
    "requires": "require('./a');\n" * 20_000,
    "bound": "import a from 'a';\n" + "function f(a) { a(); }\n" * 10_000,
    "docs": "/** a */ var a;\n" * 20_000,
    "functions": "(function () {" * 1_000,
}


@pytest.mark.parametrize("name", sorted(HOSTILE))
@pytest.mark.parametrize("path", ["a.ts", "a.js"])
def test_hostile_sizes(name: str, path: str) -> None:
    """Each takes a fraction of a second; a walk that went deep or twice over everything would hang or raise."""
    checked(HOSTILE[name].encode(), path)
