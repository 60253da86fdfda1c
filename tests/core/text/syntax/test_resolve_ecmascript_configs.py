"""Specifiers that configuration gives a meaning: tsconfig paths, and packages of the tree."""

from __future__ import annotations

import json
from typing import Any

import pytest

from tests.core.text.syntax.ecmascript_trees import built, targets

GO = "export function go() {}\n"


def said(specifier: str) -> str:
    return f'import {{ go }} from "{specifier}";'


def tsconfig(**options: Any) -> str:
    return json.dumps({"compilerOptions": options})


# -- tsconfig -----------------------------------------------------------------------------------------------------

MAPPED = [
    (tsconfig(paths={"@/*": ["./src/*"]}), "@/x", "src/x.ts"),
    (tsconfig(paths={"@/*": ["src/*"]}), "@/x.js", "src/x.ts"),
    (tsconfig(baseUrl="src", paths={"@/*": ["lib/*"]}), "@/x", "src/lib/x.ts"),
    (tsconfig(baseUrl="./src"), "x", "src/x.ts"),
    (tsconfig(baseUrl="."), "src/x", "src/x/index.ts"),
    (tsconfig(paths={"x": ["./src/x.ts"]}), "x", "src/x.ts"),
    (tsconfig(paths={"@/*": ["./no/*", "./src/*"]}), "@/x", "src/x.ts"),
    (tsconfig(paths={"*": ["./no/*"], "@/*": ["./src/*"], "@/x": ["./one.ts"]}), "@/x", "one.ts"),
    (tsconfig(paths={"@/*": ["./no/*"], "@/lib/*": ["./src/*"]}), "@/lib/x", "src/x.ts"),
    (tsconfig(paths={"@/*": ["${configDir}/src/*"]}), "@/x", "src/x.ts"),
    ('\ufeff// a comment\n{ /* "and" */ "compilerOptions": { "paths": { "//@/*": ["./src/*",], }, }, }',
     "//@/x", "src/x.ts"),
]  # fmt: skip


@pytest.mark.parametrize(("config", "specifier", "path"), MAPPED)
def test_paths_and_base(config: str, specifier: str, path: str) -> None:
    tree = {"tsconfig.json": config, "app/a.ts": said(specifier), path: GO}
    assert targets(tree, "app/a.ts") == {f"{path}#go"}


def test_the_nearest_config_is_meant() -> None:
    tree = {
        "tsconfig.json": tsconfig(paths={"@/*": ["./src/*"]}),
        "app/jsconfig.json": tsconfig(paths={"@/*": ["./own/*"]}),
        "app/a.ts": said("@/x"),
        "app/own/x.ts": GO,
        "src/x.ts": GO,
    }
    assert targets(tree, "app/a.ts") == {"app/own/x.ts#go"}
    tree["app/tsconfig.json"] = tsconfig()
    assert targets(tree, "app/a.ts") == set()


EXTENDED = [
    {"tsconfig.base.json": tsconfig(paths={"@/*": ["./src/*"]}),
     "app/tsconfig.json": '{"extends": "../tsconfig.base"}'},
    {"tsconfig.base.json": tsconfig(paths={"@/*": ["./src/*"]}),
     "app/tsconfig.json": '{"extends": ["./none.json", "../tsconfig.base.json"]}'},
    {"tsconfig.json": tsconfig(baseUrl="src", paths={"@/*": ["./*"]}),
     "app/tsconfig.json": '{"extends": "../tsconfig.json"}'},
    {"conf/package.json": '{"name": "@my/conf"}', "conf/tsconfig.json": tsconfig(paths={"@/*": ["../src/*"]}),
     "package.json": '{"workspaces": ["conf", "app"]}', "app/tsconfig.json": '{"extends": "@my/conf"}'},
    {"app/tsconfig.json": '{"files": [], "references": [{"path": "./tsconfig.app.json"}]}',
     "app/tsconfig.app.json": tsconfig(paths={"@/*": ["../src/*"]})},
]  # fmt: skip


@pytest.mark.parametrize("configs", EXTENDED)
def test_configs_extend_others(configs: dict[str, str]) -> None:
    assert targets({**configs, "app/a.ts": said("@/x"), "src/x.ts": GO}, "app/a.ts") == {"src/x.ts#go"}


@pytest.mark.parametrize(
    "config",
    ["", "[]", "{", '{"compilerOptions": 1}', '{"compilerOptions": {"paths": [], "baseUrl": 1}}', "[" * 100_000,
     '{"extends": "./tsconfig.json"}', '{"compilerOptions": {"paths": {"@/*": [1, null, "../../out/*"]}}}',
     '{"references": [1, {"path": 2}]}'],
)  # fmt: skip
def test_a_config_may_be_anything(config: str) -> None:
    assert targets({"tsconfig.json": config, "a.ts": said("@/x"), "src/x.ts": GO}, "a.ts") == set()


# -- packages -----------------------------------------------------------------------------------------------------


def package(name: str = "lib", **fields: Any) -> str:
    return json.dumps({"name": name, **fields})


ENTRIES = [
    ({"exports": "./src/index.ts"}, "lib", "src/index.ts"),
    ({"exports": {".": {"types": "./dist/index.d.ts", "import": "./dist/index.js"}}}, "lib", "src/index.ts"),
    ({"exports": {".": "./dist/esm/index.mjs"}}, "lib", "src/index.ts"),
    ({"exports": {"./*": "./dist/*.js"}}, "lib/x", "src/x.ts"),
    ({"exports": {"./x": {"import": {"types": "./dist/deep/x.d.mts"}}}}, "lib/x", "src/deep/x.ts"),
    ({"exports": {"./feature/*": "./lib/features/*.js", "./*": "./no/*.js"}}, "lib/feature/x", "lib/features/x.js"),
    ({"exports": {".": {"source": "./lib/main.ts", "default": "./index.js"}}}, "lib", "lib/main.ts"),
    ({"exports": {".": ["./a.js", "./b.js"]}}, "lib", "b.js"),
    ({"main": "./lib/main.js"}, "lib", "lib/main.js"),
    ({"main": "./lib/main"}, "lib", "lib/main.js"),
    ({"main": "dist/main.js"}, "lib", "src/main.ts"),
    ({"types": "./types.d.ts", "main": "./none.js"}, "lib", "types.d.ts"),
    ({}, "lib", "index.js"),
    ({}, "lib", "src/index.tsx"),
    ({}, "lib/x", "x.ts"),
    ({}, "lib/x.js", "src/x.ts"),
    ({"exports": 1, "main": 2, "imports": 3, "workspaces": 4}, "lib", "index.js"),
]


@pytest.mark.parametrize(("fields", "specifier", "path"), ENTRIES)
def test_entries_of_a_package(fields: dict[str, Any], specifier: str, path: str) -> None:
    tree = {
        "package.json": json.dumps({"workspaces": ["packages/*"]}),
        "packages/lib/package.json": package(**fields),
        f"packages/lib/{path}": GO,
        "packages/app/a.ts": said(specifier),
    }
    assert targets(tree, "packages/app/a.ts") == {f"packages/lib/{path}#go"}


def test_sources_come_before_what_is_built_of_them() -> None:
    tree = {
        "package.json": package(exports={".": {"types": "./index.d.cts", "import": "./index.js"}}),
        "index.d.cts": GO,
        "index.js": GO,
        "src/index.ts": GO,
        "test/a.ts": said("lib"),
    }
    assert targets(tree, "test/a.ts") == {"src/index.ts#go"}
    del tree["src/index.ts"]
    assert targets(tree, "test/a.ts") == {"index.d.cts#go"}


WORKSPACES = [
    {"package.json": json.dumps({"workspaces": ["packages/*"]})},
    {"package.json": json.dumps({"workspaces": {"packages": ["packages/**"]}})},
    {"pnpm-workspace.yaml": "packages:\n  # all\n  - 'packages/*'  # here\n  - \"!**/test/**\"\ncatalog:\n  - x\n"},
    {"packages/app/package.json": json.dumps({"dependencies": {"@my/lib": "file:../lib"}})},
]


@pytest.mark.parametrize("configs", WORKSPACES)
def test_packages_of_a_workspace(configs: dict[str, str]) -> None:
    tree = {
        **configs,
        "packages/lib/package.json": package("@my/lib"),
        "packages/lib/index.ts": GO,
        "packages/app/a.ts": said("@my/lib"),
    }
    assert targets(tree, "packages/app/a.ts") == {"packages/lib/index.ts#go"}


def test_a_package_nobody_can_mean_is_not_meant() -> None:
    tree = {
        "package.json": json.dumps({"workspaces": ["packages/*", "!packages/out"]}),
        "fixtures/react/package.json": package("react"),
        "fixtures/react/index.js": GO,
        "packages/out/package.json": package("out"),
        "packages/out/index.js": GO,
        "packages/app/a.ts": said("react") + said("out"),
    }
    assert targets(tree, "packages/app/a.ts") == set()


def test_of_two_packages_of_one_name_none_is_meant_but_ones_own() -> None:
    tree = {
        "package.json": json.dumps({"dependencies": {"app": "*"}}),
        "one/package.json": package("app"),
        "one/index.ts": GO,
        "one/test/a.ts": said("app"),
        "two/package.json": package("app"),
        "two/index.ts": GO,
        "a.ts": said("app"),
    }
    assert targets(tree, "a.ts") == set()
    assert targets(tree, "one/test/a.ts") == {"one/index.ts#go"}


def test_private_names_of_a_package() -> None:
    tree = {
        "package.json": json.dumps({"imports": {"#x": "./src/x.js", "#lib/*": {"default": "./dist/lib/*.js"}}}),
        "src/x.ts": GO,
        "src/lib/y.ts": "export const y = 1;",
        "a.ts": said("#x") + 'import { y } from "#lib/y";',
    }
    assert targets(tree, "a.ts") == {"src/x.ts#go", "src/lib/y.ts#y"}


def test_a_folder_with_a_package_of_its_own() -> None:
    tree = {"x/package.json": '{"main": "./lib/main.js"}', "x/lib/main.ts": GO, "a.ts": said("./x")}
    assert targets(tree, "a.ts") == {"x/lib/main.ts#go"}


def test_paths_come_before_packages() -> None:
    tree = {
        "package.json": json.dumps({"workspaces": ["lib"]}),
        "tsconfig.json": tsconfig(paths={"lib": ["./other.ts"]}),
        "lib/package.json": package(),
        "lib/index.ts": GO,
        "other.ts": GO,
        "a.ts": said("lib"),
    }
    assert targets(tree, "a.ts") == {"other.ts#go"}


def test_a_config_that_says_nothing_new_forgets_nothing() -> None:
    tree = {"package.json": package(version="1"), "index.ts": GO, "a.ts": said("lib")}
    found = built(tree)
    before = found.links("a.ts")
    assert before
    found.configure("package.json", package(version="2", scripts={"x": "y"}))
    assert found.memory.links["a.ts"] is before
    found.configure("package.json", None)
    assert found.links("a.ts") == ()
