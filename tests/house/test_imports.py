"""What a start may load, told by `sys.modules` and not by clocks, which lie on busy machines.

The hook runs on every tool call of somebody's agent, so importing is a cost others pay. The table says for each way in
which modules must not have been loaded by the time it is done. New ways in get a line of their own.
"""

import json
import subprocess
import sys
from pathlib import Path

import pytest

from ccos_core.serve.cli import demo
from tests.house import tree

SCREENS = ("textual",)
NUMBERS = ("numpy", "networkx")
GRAMMARS = ("tree_sitter", "tree_sitter_language_pack")
WORDS = ("click", "rich")
STORES = ("sqlite3",)
SLOW_STDLIB = ("typing", "dataclasses")

EVERYTHING = (*SCREENS, *NUMBERS, *GRAMMARS, *WORDS, *STORES, *SLOW_STDLIB, "blake3")

# what is run: Python code, or the words after `ccos-tui`; what it must not load
CODE = [
    ("import ccos_core", EVERYTHING),
    ("import ccos_tui", EVERYTHING),
]
COMMANDS = [
    (["--version"], (*WORDS, *SCREENS, *NUMBERS, *GRAMMARS, *STORES)),
    (["log", "--help"], (*SCREENS, *NUMBERS, *GRAMMARS)),
    (["analyze", "--help"], (*SCREENS, *NUMBERS, *GRAMMARS)),
    (["window", "--help"], (*SCREENS, *NUMBERS)),
    (["setup", "--help"], (*SCREENS, *NUMBERS, *GRAMMARS)),
    (["doctor", "--help"], (*SCREENS, *NUMBERS, *GRAMMARS)),
    (["memory", "--help"], (*SCREENS, *NUMBERS, *GRAMMARS)),
]

# what was there before is no cost of ours: the interpreter's own, and what the environment's .pth files load
PROBE = """
import sys
before = set(sys.modules)
code = 0
try:
{indented}
except SystemExit as exit:
    code = exit.code or 0
loaded = sorted({{name.split(".")[0] for name in set(sys.modules) - before}})
import json
sys.stdout.flush()
print("\\n" + json.dumps([code, loaded]))
"""


FIRST_FRAME = """
    from ccos_tui.app import CcosApp
    assert "begin" in dir(CcosApp)
    CcosApp.begin = lambda app: app.exit(return_code=0)
    app = CcosApp(PATH)
    app.run(headless=True)
    assert app.return_code == 0
"""
"""The screens until something is to be seen, and none is asked anything."""


@pytest.mark.parametrize(("code", "forbidden"), CODE, ids=[code for code, _ in CODE])
def test_import_is_cheap(code: str, forbidden: tuple[str, ...]) -> None:
    assert loaded_by(code, forbidden) == []


@pytest.mark.parametrize(("words", "forbidden"), COMMANDS, ids=[" ".join(words) for words, _ in COMMANDS])
def test_command_loads_what_it_needs(words: list[str], forbidden: tuple[str, ...]) -> None:
    assert loaded_by(f"from ccos_tui.__main__ import main; sys.exit(main({words!r}))", forbidden) == []


def test_the_first_frame_waits_for_no_figures(tmp_path: Path) -> None:
    """What answers questions is loaded when something is to be seen."""
    path = str(tmp_path / "demo.ccos")
    demo.build(path)
    assert loaded_by(FIRST_FRAME.strip().replace("PATH", repr(path)), (*NUMBERS, *GRAMMARS)) == []


def test_the_probe_sees() -> None:
    """Or the tests above would pass for the wrong reason."""
    assert loaded_by("import sqlite3, numpy.linalg", ("numpy", "sqlite3", "textual")) == ["numpy", "sqlite3"]


def loaded_by(code: str, forbidden: tuple[str, ...]) -> list[str]:
    """Which of the forbidden modules a fresh interpreter has loaded after running the code."""
    probe = PROBE.format(indented="    " + code)
    # -P and an explicit path: the checkout's packages, wherever the environment's own copies are
    probe = f"import sys; sys.path.insert(0, {str(tree.ROOT)!r})\n" + probe
    done = subprocess.run([sys.executable, "-P", "-c", probe], capture_output=True, text=True, timeout=60)
    assert done.returncode == 0, done.stderr
    exit_code, loaded = json.loads(done.stdout.splitlines()[-1])
    assert exit_code == 0, done.stdout + done.stderr
    return sorted(set(forbidden) & set(loaded))
