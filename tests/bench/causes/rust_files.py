"""What holds a Rust project together: manifests, the module tree, and what its modules hand on."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tests.bench.causes.words import pascal, shout, snake

if TYPE_CHECKING:
    from tests.bench.causes.model import Unit
    from tests.bench.causes.rust import _Project as Project


def manifests(project: Project) -> dict[str, list[str]]:
    if not project.core:
        return {"Cargo.toml": _package(project.crate)}
    needs = ["", "[dependencies]", f'{project.crate.replace("_", "-")}-core = {{ path = "../core" }}']
    return {
        "Cargo.toml": ["[workspace]", 'members = ["crates/core", "crates/app"]', 'resolver = "2"'],
        "crates/core/Cargo.toml": _package(f"{project.crate}_core"),
        "crates/app/Cargo.toml": [*_package(project.crate), *needs],
    }


def _package(name: str) -> list[str]:
    return ["[package]", f'name = "{name.replace("_", "-")}"', 'version = "0.2.0"', 'edition = "2021"']


def module_files(project: Project) -> dict[str, list[str]]:
    """`lib.rs`, and a file for each folder that says what is in it."""
    inner: dict[tuple[str, tuple[str, ...]], dict[str, None]] = {}
    for module in project.story.modules:
        home = project.home(module.folder)
        for depth in range(len(module.folder)):
            inner.setdefault((home, module.folder[:depth]), {})[module.folder[depth]] = None
        inner.setdefault((home, module.folder), {})[module.stem] = None
    files = {}
    for (home, folder), names in inner.items():
        path = "lib.rs" if not folder else "/".join(folder) + ("/mod.rs" if project.old_tree else ".rs")
        head = [f"//! {folder[-1].capitalize()}."] if folder else ["//! What this crate is about."]
        lines = [*head, "", *(f"pub mod {name};" for name in sorted(names))]
        files[f"{home}src/{path}"] = [*lines, "", *_handed_on(project, folder)]
    return files


def _handed_on(project: Project, folder: tuple[str, ...]) -> list[str]:
    way = project.barrels.get(folder)
    modules = [module for module in project.story.modules if module.folder == folder]
    if way == "globs":
        return [f"pub use {module.stem}::*;" for module in modules]
    if way == "names":
        return [f"pub use {m.stem}::{{{', '.join(sorted(names))}}};" for m in modules if (names := _names(m.units))]
    return []


def _names(units: list[Unit]) -> list[str]:
    said = {"constant": shout, "record": pascal, "function": snake}
    return [said[unit.kind](unit.words) for unit in units if unit.kind != "method"]
