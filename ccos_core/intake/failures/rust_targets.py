"""What cargo builds and runs, and one name for each that a failing run and a later passing one share.

A program of tests is known by the file it begins in and, as several packages may have a `src/lib.rs`, by its crate with
cargo's own hash: `src/lib.rs@shop-0123456789abcdef`. Where the files of a workspace are known and leave no doubt which
one that is, the file alone is its name. The hash depends on the package and its settings, never on what it says.
"""

from __future__ import annotations

import re
from collections.abc import Callable

_RUNNING = re.compile(
    r"\s*Running (?:unittests )?(?:(?P<path>\S[^()]*?\.rs) )?\(?`?(?:\S*[\\/])?deps[\\/]"
    r"(?P<crate>[\w-]{1,200})-(?P<hash>[0-9a-f]{16})(?:\.\w+)?(?=[\s)`]|$)"
)
_DOCS = re.compile(r"\s*Doc-tests (?P<crate>[\w-]+)$")
_PROGRAM = re.compile(r"\s*Running `(?:\S*[\\/])?(?P<name>[\w.-]+?)(?:\.exe)?(?: .*)?`$")
_HINT = re.compile(
    r"\s*(?:error: (?:doc)?test failed, to rerun pass )?[`'](?:-p (?P<package>\S+) ?)?"
    r"(?:--(?P<kind>lib|doc|bin|test|example|bench)(?: (?P<name>\S+))?)?[`']$"
)
_HASH = re.compile(r"-[0-9a-f]{16}$")
_UNITS = ("src/lib.rs", "src/main.rs")
"""The roots every package may have; their crates are called like the package, and so mostly are the folders."""
_FOLDERS = {"test": "tests", "example": "examples", "bench": "benches"}
FAILED = ("error: test failed, to rerun pass", "error: doctest failed, to rerun pass")


def parse_running(line: str) -> str | None:
    """The program a line says cargo runs now; `doc@crate` for the tests in documentation."""
    if "Running " in line and (found := _RUNNING.match(line)) is not None:
        path = (found["path"] or "").replace("\\", "/")
        return f"{path}@{found['crate']}-{found['hash']}"
    if "Doc-tests " in line and (found := _DOCS.match(line)) is not None:
        return f"doc@{found['crate']}"
    return None


def parse_program(line: str) -> str | None:
    """The program a line says `cargo run` runs now."""
    found = _PROGRAM.match(line) if "Running `" in line else None
    return found["name"] if found is not None and not found["name"].startswith(("rustc", "rustdoc", "CARGO")) else None


def parse_hint(line: str) -> str:
    """The program that failed, by what cargo says would run it again; empty where it says none."""
    found = _HINT.match(line)
    if found is None:
        return ""
    package, kind, name = ((found[group] or "").replace("-", "_") for group in ("package", "kind", "name"))
    if kind in ("doc", "lib", "bin"):
        return {"doc": f"doc@{package}", "lib": f"src/lib.rs@{package}", "bin": f"src/main.rs@{name}"}[kind]
    return f"{_FOLDERS[kind]}/{found['name']}.rs@{name}" if kind and name else ""


def crate_of(target: str) -> str:
    """The crate's name alone."""
    return _HASH.sub("", target.partition("@")[2])


def place_target(target: str, ending: Callable[[str], list[str]]) -> str:
    """The file it begins in, if the known files leave no doubt; else what it was called.

    `ending` gives the known files that end with a path.
    """
    path, mark, _ = target.partition("@")
    path, name = path.removeprefix("./"), crate_of(target)
    if not path.endswith((".rs", ".md")):
        return target
    ends = ending(path)
    if not ends and mark and path == "src/main.rs":
        ends = [*ending(f"src/bin/{name}.rs"), *ending(f"src/bin/{name.replace('_', '-')}.rs")]
    elif not ends and mark:
        ends = ending(path.removesuffix(".rs") + "/main.rs")
    if not mark and path in ends:
        return path
    folders = ((end, end[: -len(path)].rstrip("/").rpartition("/")[2]) for end in ends if name and path in _UNITS)
    named = [end for end, folder in folders if folder.replace("-", "_") == name]  # in a folder called like the crate
    chosen = named if len(ends) > 1 else ends
    if len(chosen) == 1:
        return chosen[0]
    return f"{path}@{name}" if path in _UNITS and name and not named else target
