"""ruff and mypy are content. One command that says yes or no includes what the editors say.

The tools run as people run them, from the root and by the configuration in pyproject.toml. They share a group, so that
two of them never compete for the same cores.
"""

import importlib.util
import subprocess
import sys

import pytest

from tests.house import tree

COMMANDS = [
    ("ruff", "check", "."),
    ("ruff", "format", "--check", "--diff", "."),
    ("mypy",),
]


@pytest.mark.parametrize("command", COMMANDS, ids=" ".join)
def test_tool_is_content(command: tuple[str, ...]) -> None:
    if importlib.util.find_spec(command[0]) is None:
        pytest.skip(f"{command[0]} IS NOT INSTALLED: nothing was checked. It comes with the extra `dev`")
    done = subprocess.run([sys.executable, "-m", *command], cwd=tree.ROOT, capture_output=True, text=True)
    assert done.returncode == 0, f"{' '.join(command)}\n{done.stdout[-6000:]}{done.stderr[-2000:]}"
