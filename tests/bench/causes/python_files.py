"""What stands around the modules of a Python project: settings, and packages that hand on what is in them."""

from __future__ import annotations

from collections.abc import Sequence

from tests.bench.causes.model import Module, Unit
from tests.bench.causes.words import pascal, shout, snake


def settings(top: str, base: str) -> list[str]:
    lines = ["[project]", f'name = "{top}"', 'version = "0.4.1"', "", "[tool.pytest.ini_options]"]
    return [*lines, f'pythonpath = ["{base.removesuffix("/") or "."}"]', 'testpaths = ["tests"]']


def barrel(folder: tuple[str, ...], modules: Sequence[Module]) -> list[str]:
    """An `__init__` that imports everything by name."""
    pairs = [(module.stem, name_of(unit)) for module in modules for unit in module.units if unit.kind != "method"]
    lines = [f"from .{stem} import {name}" for stem, name in pairs]
    listed = ["__all__ = [", *(f'    "{name}",' for _, name in pairs), "]"]
    return [f'"""{folder[-1].capitalize()}."""', "", *lines, "", *listed]


def name_of(unit: Unit) -> str:
    return {"constant": shout, "record": pascal}.get(unit.kind, snake)(unit.words)
