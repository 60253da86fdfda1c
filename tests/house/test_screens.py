"""What screens may be made of, told from their syntax: lines of our own, no widget a row, nothing that moves by itself.

A table of a hundred thousand rows takes Textual's own lists ten seconds to show; ours take what fifty rows take. So
those lists aren't used at all, nor what rebuilds a part of the screen. Each rule is tried on a line that breaks it.
"""

import ast
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.house import tree

HEAVY = {"DataTable", "ListView", "ListItem", "RichLog", "Log", "OptionList", "SelectionList", "Tree", "DirectoryTree"}
"""Widgets of Textual that hold, or lay out, every row there is."""
DRAWING = ("textual", "ccos_tui.app", "ccos_tui.bridge", "ccos_tui.screens", "ccos_tui.widgets")
PURE = ("present", "focus.py", "keys.py", "settings.py", "trail.py", "watching.py")
"""Of the screens the rooms that know no screen."""
BROKEN = [
    "from textual.widgets import DataTable",
    "from textual.widgets import Static, RichLog as Log",
    "import textual.widgets\ntextual.widgets.ListView()",
    "class Step:\n    here = reactive(0, recompose=True)",
    "self.styles.animate('offset', 3)",
    "self.scroll_to(y=3, animate=True)",
    "self.refresh(recompose=True)",
]


@pytest.mark.parametrize("path", tree.modules("ccos_tui"), ids=tree.name)
def test_screens_are_made_of_lines(path: Path) -> None:
    assert not list(faults(path.read_text(encoding="utf-8")))


@pytest.mark.parametrize("source", BROKEN)
def test_the_rule_bites(source: str) -> None:
    assert list(faults(source))


def test_presenters_draw_nothing() -> None:
    drawing = [f"{tree.name(path)} imports {each}" for path in pure() for each in imported(path) if draws(each)]
    assert not drawing
    assert draws("textual.widgets")


def faults(source: str) -> Iterator[str]:
    """What of a module breaks the rule."""
    for node in ast.walk(ast.parse(source)):
        match node:
            case ast.ImportFrom(module=str(module), names=names) if module.startswith("textual"):
                yield from (each.name for each in names if each.name in HEAVY)
            case ast.Attribute(attr=attr) if attr in HEAVY or attr == "animate":
                yield attr
            case ast.keyword(arg="recompose" | "animate", value=ast.Constant(value=True)):
                yield str(node.arg)


def pure() -> list[Path]:
    """Modules that make rows, or only know something."""
    return [path for path in tree.modules("ccos_tui") if path.relative_to(tree.ROOT / "ccos_tui").parts[0] in PURE]


def imported(path: Path) -> Iterator[str]:
    """Modules that a module imports, for types too."""
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        match node:
            case ast.Import(names=names):
                yield from (each.name for each in names)
            case ast.ImportFrom(module=str(module)):
                yield module


def draws(module: str) -> bool:
    return any(module == each or module.startswith(f"{each}.") for each in DRAWING)
