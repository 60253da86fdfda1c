"""Whatever order a tree comes in, its links are those of building it afresh; and what didn't change costs nothing."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache

from hypothesis import given, settings
from hypothesis import strategies as st

from ccos_core.text.syntax.languages import language_of
from ccos_core.text.syntax.resolution import Link
from ccos_core.text.syntax.resolve_ecmascript import EcmascriptResolver, resolver
from ccos_core.values.code import Outline
from tests.core.text.syntax.ecmascript_trees import built, outlined

SOURCES = (
    'import { go } from "./b"; go();',
    'export * from "./c"; export { go as gone } from "./d";',
    "export function go() {}\nexport class Base { stop() {} }",
    'import * as ns from "./b.js"; ns.go(); ns.Base.stop; export { ns };',
    'import { Base } from "@/c"; export class Sub extends Base { m() { this.stop(); } }',
    'import main, { go } from "lib"; main(); go(); export default go;',
    "const { go } = require('./d'); module.exports = { go, ...require('./b') };",
    'import "./d"; import "./d/c"; export * as all from "..";',
)
PATHS = ("a.ts", "b.ts", "c.ts", "d/index.ts", "d/c.ts", "b.js", "lib/src/index.ts", "lib/d.d.ts", "index.tsx")
CONFIGS = {
    "tsconfig.json": ('{"compilerOptions": {"paths": {"@/*": ["./*"]}}}', '{"compilerOptions": {"baseUrl": "d"}}', "{"),
    "lib/package.json": ('{"name": "lib", "main": "dist/index.js"}', '{"name": "lib", "types": "d.d.ts"}', "{}"),
    "package.json": ('{"workspaces": ["lib"]}', '{"dependencies": {"lib": "*"}}', "[]"),
    "d/package.json": ('{"main": "c.ts"}', '{"name": "lib"}', "{}"),
}

STEPS = st.one_of(
    st.tuples(st.sampled_from(PATHS), st.none() | st.sampled_from(SOURCES)),
    st.sampled_from(sorted(CONFIGS)).flatmap(
        lambda path: st.tuples(st.just(path), st.none() | st.sampled_from(CONFIGS[path]))
    ),
    st.tuples(st.just("?"), st.sampled_from(PATHS)),
)


@cache
def outline_of(text: str, path: str) -> Outline:
    return outlined(text, path)


def step(found: EcmascriptResolver, path: str, text: str | None) -> None:
    if path == "?":
        found.links(text or "")
    elif language_of(path) is None:
        found.configure(path, text)
    elif text is None:
        found.drop(path)
    else:
        found.put(path, outline_of(text, path))


def everything(found: EcmascriptResolver) -> Mapping[str, tuple[Link, ...]]:
    return {path: found.links(path) for path in PATHS}


@settings(max_examples=300, deadline=None)
@given(steps=st.lists(STEPS, max_size=25))
def test_any_order_gives_what_building_afresh_gives(steps: list[tuple[str, str | None]]) -> None:
    found, tree = resolver(), {}
    for path, text in steps:
        step(found, path, text)
        if path != "?":
            tree[path] = text
    afresh = built({path: text for path, text in sorted(tree.items()) if text is not None})
    assert everything(found) == everything(afresh)
    assert everything(found) == everything(afresh)


@settings(max_examples=50, deadline=None)
@given(steps=st.lists(STEPS, max_size=25))
def test_putting_what_is_there_changes_nothing(steps: list[tuple[str, str | None]]) -> None:
    found = resolver()
    for path, text in steps:
        step(found, path, text)
    everything(found)
    kept = dict(found.memory.links)
    for path, module in list(found.modules.items()):
        found.put(path, module.outline)
    found.drop("never/was.ts")
    assert found.memory.links == kept
    assert all(found.memory.links[path] is links for path, links in kept.items())


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
