"""What stands around the modules of a TypeScript or JavaScript project: settings, barrels, the tests that pass."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import TYPE_CHECKING

from tests.bench.causes.words import camel, pascal, shout

if TYPE_CHECKING:
    from tests.bench.causes.model import Unit
    from tests.bench.causes.typescript import _Project as Project


def settings(project: Project) -> Iterator[tuple[str, list[str]]]:
    scripts = {"jest": "jest", "vitest": "vitest run", "node": "node --test"}
    package = {
        "name": f"{project.scope}/root",
        "private": True,
        "version": "0.3.0",
        "scripts": {"test": scripts[project.runner]},
    }
    if project.dialect != "cjs" and not (project.typed and project.runner == "jest"):
        package["type"] = "module"
    if project.workspace:
        package["workspaces"] = ["packages/*"]
        for name in ("core", "app"):
            main = (
                {"main": f"src/index{project.suffix}"}
                if name == "core"
                else {"dependencies": {f"{project.scope}/core": "*"}}
            )
            kind = {"type": "module"} if "type" in package else {}
            yield (
                f"packages/{name}/package.json",
                _json({"name": f"{project.scope}/{name}", "version": "0.3.0", **kind, **main}),
            )
    yield "package.json", _json(package)
    if project.typed:
        options: dict[str, object] = {
            "target": "ES2020",
            "module": "ESNext",
            "moduleResolution": "bundler",
            "strict": True,
        }
        options |= {"skipLibCheck": True, "esModuleInterop": True, "types": []}
        if project.mapped:
            options |= {"baseUrl": ".", "paths": {f"{project.mapped}*": ["src/*"]}}
        yield (
            "tsconfig.json",
            _json({"compilerOptions": options, "include": ["packages" if project.workspace else "src"]}),
        )
    if project.runner == "jest" and project.typed:
        mapped = [f'    "^{project.mapped}(.*)$": "<rootDir>/src/$1",'] if project.mapped else []
        mapped += ['    "^(\\\\.{1,2}/.*)\\\\.js$": "$1",']
        inner = ['  preset: "ts-jest",', "  moduleNameMapper: {", *mapped, "  },"]
        yield "jest.config.js", ["/** @type {import('jest').Config} */", "module.exports = {", *inner, "};"]
    if project.runner == "vitest":
        alias = (
            [f'  resolve: {{ alias: {{ "{project.mapped}": new URL("./src/", import.meta.url).pathname }} }},']
            if project.mapped
            else []
        )
        inner = [
            'import { defineConfig } from "vitest/config";',
            "",
            "export default defineConfig({",
            *alias,
        ]
        yield f"vitest.config.{'ts' if project.typed else 'js'}", [*inner, "});"]


def barrel(project: Project, folder: tuple[str, ...]) -> list[str]:
    """The index of a folder: everything at once, or name by name."""
    ending = ".js" if project.spelled and project.dialect != "cjs" else ""
    lines = []
    for module in (each for each in project.story.modules if each.folder == folder):
        where = f"./{module.stem.replace('_', '-')}{ending}"
        names = [_name(unit) for unit in module.units if unit.kind != "method" and unit not in project.defaults]
        if project.dialect == "cjs":
            lines.append(f'  ...require("{where}"),')
        elif names and module.position % 2:
            lines.append(f'export * from "{where}";')
        elif names:
            lines.append(f'export {{ {", ".join(names)} }} from "{where}";')
        lines += [f'export {{ default as {_name(u)} }} from "{where}";' for u in module.units if u in project.defaults]
    return ["module.exports = {", *lines, "};"] if project.dialect == "cjs" else lines


def front(project: Project) -> list[str]:
    """The index of a workspace's package: all its folders."""
    folders = [folder for folder in project.folders if folder in project.core]
    ending = "/index.js" if project.spelled and project.dialect != "cjs" else ""
    if project.dialect == "cjs":
        return ["module.exports = {", *(f'  ...require("./{"/".join(folder)}"),' for folder in folders), "};"]
    return [f'export * from "./{"/".join(folder)}{ending}";' for folder in folders]


def tests(project: Project) -> dict[str, list[str]]:
    """Those that pass: one file beside each module that is tried."""
    files: dict[str, list[str]] = {}
    for unit in project.story.tested:
        path = f"{project.path(unit.module).removesuffix(project.suffix)}.test{project.suffix}"
        stem = unit.module.stem.replace("_", "-")
        ending = ".js" if project.spelled and project.dialect != "cjs" else ""
        where = f"./{stem}{ending}"
        line = f'import {_name(unit) if unit in project.defaults else f"{{ {_name(unit)} }}"} from "{where}";'
        if project.dialect == "cjs":
            line = f'const {{ {_name(unit)} }} = require("{where}");'
        asked = f"{_name(unit)}({3 + unit.style % 40}) > 0"
        lines = files.setdefault(path, [*runner_imports(project)])
        lines.insert(len(runner_imports(project)), line)
        lines += ["", f'test("{" ".join(unit.words)}", () => {{', f"  {expect(project, asked, 'true')}", "});"]
    return files


def runner_imports(project: Project) -> list[str]:
    if project.runner == "vitest":
        return ['import { expect, test } from "vitest";']
    if project.runner == "jest":
        return ['import { expect, test } from "@jest/globals";'] if project.typed else []
    if project.dialect == "cjs":
        return ['const test = require("node:test");', 'const assert = require("node:assert/strict");']
    return ['import test from "node:test";', 'import assert from "node:assert/strict";']


def expect(project: Project, found: str, wanted: str) -> str:
    return f"assert.equal({found}, {wanted});" if project.runner == "node" else f"expect({found}).toBe({wanted});"


def _name(unit: Unit) -> str:
    if unit.kind == "constant" and unit.style % 3:
        return shout(unit.words)
    return pascal(unit.words) if unit.kind == "record" else camel(unit.words)


def _json(value: object) -> list[str]:
    return json.dumps(value, indent=2).split("\n")
