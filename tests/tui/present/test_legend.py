"""The legend: every mark that screens draw has a line, and lines fit the narrowest screen it is read on."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from pathlib import Path

import pytest

from ccos_core.present import steps
from ccos_core.present.words import STATES
from ccos_core.query.autopsy.rows import CERTAIN
from ccos_core.query.diff_rows import SIGNS as FILE_SIGNS
from ccos_core.query.why_rows import FATES
from ccos_core.query.window_rows import LEVELS
from ccos_tui.bridge.words import command_words
from ccos_tui.keys import HOME, Keys
from ccos_tui.present import help as help_page
from ccos_tui.present import legend, timeline

ROOT = Path(__file__).resolve().parents[3]
DRAWN = ("ccos_tui/**/*.py", "ccos_core/present/*.py", "ccos_core/query/*_rows.py")
"""Files whose strings are drawn on screens."""
TABLE_OF_LETTERS = ROOT / "ccos_tui" / "present" / "ascii.py"
"""Maps any mark to ASCII, whether it is drawn or not."""
TYPOGRAPHY = set("“”’–×≤−")
"""Read as in any text."""
EXPLAINED = legend.marks_of(legend.rows_of())


def strings_of(path: Path) -> Iterator[str]:
    """Yield the strings of a module, without its docstrings."""
    tree = ast.parse(path.read_text(encoding="utf-8"))
    told = {
        each.value
        for node in ast.walk(tree)
        if isinstance(body := getattr(node, "body", None), list)
        for each in body
        if isinstance(each, ast.Expr)
    }
    for node in ast.walk(tree):
        if isinstance(node, ast.Constant) and isinstance(node.value, str) and node not in told:
            yield node.value


def unexplained(text: str) -> set[str]:
    return {char for char in text if not char.isascii() and not char.isalnum()} - EXPLAINED - TYPOGRAPHY


@pytest.mark.parametrize("pattern", DRAWN)
def test_each_mark_in_the_code_is_explained(pattern: str) -> None:
    paths = [path for path in ROOT.glob(pattern) if path != TABLE_OF_LETTERS]
    assert paths
    missing = {
        str(path.relative_to(ROOT)): found for path in paths if (found := unexplained("".join(strings_of(path))))
    }
    assert not missing


def test_each_mark_on_the_kept_screens_is_explained() -> None:
    frames = set("─│╭╮╰╯┌┐└┘├┤┬┴┼━┃▔▁▂▃▄▅▆▇█▏▎▍▌▋▊▉▕")
    screens = [path for path in (ROOT / "tests/golden/screens").rglob("*") if path.is_file()]
    assert screens
    for path in screens:
        text = re.sub(r"<style.*?</style>|<[^>]*>", "", path.read_text(encoding="utf-8"), flags=re.DOTALL)
        assert not {char for char in unexplained(text) if char not in frames and ord(char) > 0xFF}, path.name


def test_a_mark_without_a_line_is_found() -> None:
    assert unexplained("a ☂ on screen") == {"☂"}


@pytest.mark.parametrize(
    ("table", "words"),
    [
        (STATES, legend.IN_WINDOW),
        (steps.KINDS, legend.STEP_KINDS),
        (LEVELS, legend.LEVELS),
        (FILE_SIGNS, legend.FILES),
        (CERTAIN, legend.SURE),
        (FATES, legend.FATES),
        (timeline.LANES, legend.LANES),
    ],
)
def test_each_entry_of_a_table_has_words(table: dict[str, object], words: dict[str, str]) -> None:
    assert set(table) == set(words)


def test_it_fits_eighty_columns() -> None:
    assert max(len(each.text) for each in legend.rows_of()) <= 78


def test_no_key_means_two_things_in_one_place() -> None:
    places = [(each.where, each.pane, key) for each in Keys().actions for key in each.keys]
    assert sorted(places) == sorted(set(places))


def test_the_key_page_fits_too() -> None:
    rows = help_page.rows_of(Keys().of(HOME), command_words(), 80)
    assert max(len(each.text) for each in rows) <= 78


def test_the_figures_of_the_token_column_are_explained() -> None:
    """A growth that the host counted is told from an estimate of the step's own text."""
    said = {row.spans[0].text.strip(): row.text for row in legend.rows_of() if row.spans and row.spans[0].role == "key"}
    assert "counted" in said["+1.5k −3k"]
    assert "estimated" in said["~154"]
