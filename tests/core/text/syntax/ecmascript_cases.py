"""JavaScript and TypeScript for the laws that hold for every language."""

from collections.abc import Mapping

from tests.core.text.syntax.cases import Outlines, Trees

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

PIECES = [
    "{", "}", "(", ")", "`", "'", "/*", "*/", "\0", "\r\n", "\ufeff", "…", "=>", "export ", "import ", "class ", ".",
    "<", "${", "//", "@", "#", "require(", "namespace ", "declare ", "=", ";", "ns.", "this.", "exports.",
]  # fmt: skip

SIZES = {
    "blocks": lambda n: "{" * 3 * n,
    "calls": lambda n: "f(" * 5 * n,
    "namespaces": lambda n: "namespace a {" * 2 * n,
    "members": lambda n: "a" + ".b" * 20 * n + ";",
    "assignments": lambda n: "exports." + "a = exports.".join("x" * 3 * n) + " = 1;",
    "patterns": lambda n: "const " + "[" * 2 * n + "a" + "]" * 2 * n + " = x;",
    "conditions": lambda n: "x = " + "a ? b : " * 3 * n + "c;",
    "blanks": lambda n: "import a from 'a';\na" + " " * 200 * n + ";" + "\na" + "\n" * 200 * n,
    "requires": lambda n: "require('./a');\n" * 20 * n,
    "bound": lambda n: "import a from 'a';\n" + "function f(a) { a(); }\n" * 10 * n,
    "docs": lambda n: "/** a */ var a;\n" * 20 * n,
    "functions": lambda n: "(function () {" * n,
}

MODULES = (
    'import { go } from "./b"; go();',
    'export * from "./c"; export { go as gone } from "./d";',
    "export function go() {}\nexport class Base { stop() {} }",
    'import * as ns from "./b.js"; ns.go(); ns.Base.stop; export { ns };',
    'import { Base } from "@/c"; export class Sub extends Base { m() { this.stop(); } }',
    'import main, { go } from "lib"; main(); go(); export default go;',
    "const { go } = require('./d'); module.exports = { go, ...require('./b') };",
    'import "./d"; import "./d/c"; export * as all from "..";',
)
FILES = ("a.ts", "b.ts", "c.ts", "d/index.ts", "d/c.ts", "b.js", "lib/src/index.ts", "lib/d.d.ts", "index.tsx")
CONFIGS = {
    "tsconfig.json": ('{"compilerOptions": {"paths": {"@/*": ["./*"]}}}', '{"compilerOptions": {"baseUrl": "d"}}', "{"),
    "lib/package.json": ('{"name": "lib", "main": "dist/index.js"}', '{"name": "lib", "types": "d.d.ts"}', "{}"),
    "package.json": ('{"workspaces": ["lib"]}', '{"dependencies": {"lib": "*"}}', "[]"),
    "d/package.json": ('{"main": "c.ts"}', '{"name": "lib"}', "{}"),
}
VARIANTS: Mapping[str, list[str | None]] = {
    **{path: [*MODULES[at:], *MODULES[:at], None] for at, path in enumerate(FILES)},
    **{path: [*texts, None] for path, texts in CONFIGS.items()},
}

ACCENTED = b"function caf\xc3\xa9() {}\nfunction b\xff() {}\nexport const x = '\xfe\x00';"
OUTLINES = [
    Outlines(path, SOURCE, symbols, PIECES, SIZES, ACCENTED, flaws=flaws, accepts_mark=False)
    for path, symbols, flaws in (("a.ts", 20, ()), ("a.tsx", 19, ("syntax",)), ("a.js", 0, ("syntax",)))
]
TREES = Trees("ecmascript", VARIANTS, 8)
