"""Where the official tools are, which run on node: in the folder that `CCOS_NODE_TOOLS` names, or nowhere."""

import os
import re
import shutil
import subprocess
from pathlib import Path

import pytest

NEEDED = 22
README = "tests/core/serve/mcp/conformance/README.md"


def found(package: str) -> list[str]:
    """The command that runs a script of this package; its path is for the caller to add. Skips where it is missing."""
    named = os.environ.get("CCOS_NODE_TOOLS")
    if not named:
        pytest.skip(f"CCOS_NODE_TOOLS NAMES NO FOLDER: {package} judged nothing. See {README}")
    folder = Path(named).absolute() / "node_modules"
    if not (folder / package).is_dir():
        pytest.skip(f"{package} IS NOT IN {folder}: it judged nothing. See {README}")
    own = folder / "node" / "bin" / "node"
    node = str(own) if own.exists() else shutil.which("node") or ""
    if not node or version(node) < NEEDED:
        pytest.skip(f"NO NODE {NEEDED} OR NEWER: {package} judged nothing. See {README}")
    return [node, str(folder / package)]


def version(node: str) -> int:
    said = subprocess.run([node, "--version"], capture_output=True, text=True, timeout=30).stdout
    number = re.match(r"v(\d+)", said)
    return int(number[1]) if number else 0
