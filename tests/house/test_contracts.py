"""The arrows between rooms point one way: the contracts in pyproject.toml hold, and they bite.

A contract that can't fail proves nothing, so a copy of the packages is given one forbidden import for each arrow, and
the linter must name every one of them.
"""

import shutil
import subprocess
import sys
from pathlib import Path

from tests.house import tree

# where an import is planted, what it imports
FORBIDDEN = [
    ("ccos_core.values", "ccos_core.ops"),
    ("ccos_core.errors", "ccos_core.values"),
    ("ccos_core.ops", "ccos_core.log"),
    ("ccos_core.text", "ccos_core.ops"),
    ("ccos_core.log", "ccos_core.state"),
    ("ccos_core.state", "ccos_core.log"),
    ("ccos_core.state", "ccos_core.intake"),
    ("ccos_core.intake", "ccos_core.text"),
    ("ccos_core.intake", "ccos_core.ops"),
    ("ccos_core.text", "ccos_core.intake"),
    ("ccos_core.window", "ccos_core.replay"),
    ("ccos_core.query", "ccos_core.storage"),
    ("ccos_core.learn", "ccos_core.query"),
    ("ccos_core.learn", "ccos_core.memory"),
    ("ccos_core.storage", "ccos_core.session"),
    ("ccos_core.session", "ccos_core.serve"),
    ("ccos_core.values", "ccos_tui"),
    ("ccos_tui.screens", "ccos_core.session"),
    ("ccos_tui.widgets", "ccos_core.query"),
    ("ccos_tui.present", "ccos_core.query"),
    ("ccos_tui.present", "ccos_core.storage"),
    ("ccos_tui.present", "ccos_tui.bridge"),
    ("ccos_tui.present", "ccos_tui.widgets"),
    ("ccos_tui.bridge", "ccos_tui.widgets"),
    ("ccos_tui.widgets", "ccos_tui.screens"),
    ("ccos_tui.focus", "ccos_tui.present"),
]


def test_contracts_hold() -> None:
    done = lint(tree.ROOT)
    assert done.returncode == 0, done.stdout[-6000:] + done.stderr[-2000:]


def test_contracts_bite(tmp_path: Path) -> None:
    house = copy_of_the_house(tmp_path)
    for importer, imported in FORBIDDEN:
        plant(house, importer, imported)
    done = lint(house)
    assert done.returncode == 1, done.stdout[-6000:] + done.stderr[-2000:]
    named = " ".join(done.stdout.split())
    missed = [
        f"{importer} may import {imported}"
        for importer, imported in FORBIDDEN
        if f"{planted_name(importer, imported)} -> {planted_target(imported)}" not in named
    ]
    assert not missed, done.stdout


def lint(root: Path) -> subprocess.CompletedProcess[str]:
    """Without its cache, which would make one run's verdict depend on another's."""
    code = "import sys; from importlinter.cli import lint_imports_command as run; sys.exit(run())"
    command = [sys.executable, "-c", code, "--no-cache"]
    return subprocess.run(command, cwd=root, capture_output=True, text=True)


def copy_of_the_house(folder: Path) -> Path:
    for package in tree.PACKAGES:
        shutil.copytree(tree.ROOT / package, folder / package, ignore=shutil.ignore_patterns("__pycache__"))
    shutil.copy(tree.ROOT / "pyproject.toml", folder)
    return folder


def plant(house: Path, importer: str, imported: str) -> None:
    """A module of its own in the importing room, and one to import, so that no real module is broken."""
    for room in (importer, imported):
        open_as_a_package(house / room.replace(".", "/"))
    target = house / (planted_target(imported).replace(".", "/") + ".py")
    target.write_text("")
    planted = house / (planted_name(importer, imported).replace(".", "/") + ".py")
    planted.write_text(f"import {planted_target(imported)}\n")


def open_as_a_package(room: Path) -> None:
    """Rooms may be single modules or not built yet; a contract on them counts all the same."""
    room.mkdir(exist_ok=True)
    module = room.with_suffix(".py")
    if module.exists():
        module.rename(room / "__init__.py")
    (room / "__init__.py").touch()


def planted_name(importer: str, imported: str) -> str:
    return f"{importer}.planted_{imported.replace('.', '_')}"


def planted_target(imported: str) -> str:
    return f"{imported}.planted_target"
