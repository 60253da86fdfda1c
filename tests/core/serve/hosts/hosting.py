"""A real host in a home of its own: what its user has configured, how it is run, and what its agent is made to do."""

import json
import os
import socket
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest

from tests.core.serve.calling import ROOT
from tests.core.serve.mcp.conformance import node

MODEL = ROOT.parent / "shared" / "hosts" / "mock_model_server.py"
PATIENCE = 240.0
"""Seconds for one run of a host; it takes 20 to 60 on two idle cores."""
NOWHERE = "http://127.0.0.1:9"
"""Where everything goes that isn't for this machine."""
MONEY = (
    'def to_cents(text):\n    units, _, cents = text.partition(".")\n    return int(units) * 100 + int(cents or 0)\n'
)
OLD, NEW = "int(cents or 0)", 'int(cents.ljust(2, "0") or 0)'
TEST = (
    "import unittest\n\nfrom shop.money import to_cents\n\n\nclass Cents(unittest.TestCase):\n"
    '    def test_one_digit(self):\n        self.assertEqual(to_cents("2.5"), 250)\n'
)
FILES = {
    "shop/__init__.py": "",
    "shop/money.py": MONEY,
    "test_money.py": TEST,
    "README.md": "A shop.\n",
    ".gitignore": "__pycache__/\n",
}
RUN = f"{sys.executable} -m unittest -q test_money"


class Hosted:
    """A home, a project in it, and a host that works there."""

    def __init__(self, folder: Path) -> None:
        self.folder, self.home, self.project = folder, folder / "home", folder / "home" / "shop"
        for name, text in FILES.items():
            path = self.project / name
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(text)
        self.environment = {
            "HOME": str(self.home),
            "PATH": f"{Path(sys.executable).parent}:{os.environ.get('PATH', '')}",
            "LANG": "C.UTF-8",
            "TERM": "dumb",
            "CI": "1",
            "HTTP_PROXY": NOWHERE,
            "HTTPS_PROXY": NOWHERE,
            "NO_PROXY": "127.0.0.1,localhost",
            "NPM_CONFIG_REGISTRY": NOWHERE,
            "NPM_CONFIG_FETCH_RETRIES": "0",
        }
        self._run("git", "init", "-q", ".")
        self.state = self.home / ".local" / "state"

    def write(self, name: str, text: str) -> None:
        path = self.home / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)

    def ours(self, *words: str) -> str:
        """`ccos-tui`, as the user types it."""
        done = self._run(sys.executable, "-P", "-m", "ccos_tui", *words, PYTHONPATH=str(ROOT))
        assert done.returncode == 0, done.stderr
        return done.stdout + done.stderr

    def host(self, *command: str, **environment: str) -> str:
        """The host; gives what it said."""
        done = self._run(*command, **environment)
        assert done.returncode == 0, (done.stdout[-2_000:], done.stderr[-4_000:])
        return done.stdout + done.stderr

    def anyway(self, *command: str) -> str:
        """What a program said, however it ended."""
        done = self._run(*command, PYTHONPATH=str(ROOT))
        return done.stdout + done.stderr

    def files(self, *folders: str) -> dict[str, bytes]:
        """What lies in these folders of the home, less what the host installs there by itself."""
        paths = [path for folder in folders for path in sorted((self.home / folder).rglob("*")) if path.is_file()]
        return {
            str(path.relative_to(self.home)): path.read_bytes() for path in paths if "node_modules" not in path.parts
        }

    def _run(self, *command: str, **environment: str) -> subprocess.CompletedProcess[str]:
        return subprocess.run(
            command, cwd=self.project, env={**self.environment, **environment}, stdin=subprocess.DEVNULL,
            capture_output=True, text=True, errors="replace", timeout=PATIENCE,
        )  # fmt: skip


@contextmanager
def scripted(folder: Path, turns: list[dict[str, Any]]) -> Iterator[str]:
    """A model that says this, turn by turn; gives its address."""
    if not MODEL.exists():
        pytest.skip(f"NO SCRIPTED MODEL AT {MODEL}: no host was run")
    script, log = folder / "script.json", folder / "model"
    script.write_text(json.dumps(turns))
    log.mkdir()
    with socket.create_server(("127.0.0.1", 0)) as free:
        port = free.getsockname()[1]
    with subprocess.Popen([sys.executable, str(MODEL), str(port), str(script), str(log)]) as model:
        try:
            _wait_for(port)
            yield f"http://127.0.0.1:{port}"
        finally:
            model.kill()


def shown_to_model(folder: Path) -> str:
    """All that was sent to the model, as text."""
    return "\n".join(path.read_text(encoding="utf-8") for path in sorted((folder / "model").glob("*.json")))


def requests(folder: Path) -> list[dict[str, Any]]:
    """What was sent to the model, request by request."""
    logged = [json.loads(path.read_text(encoding="utf-8")) for path in sorted((folder / "model").glob("*.json"))]
    return [each["body"] for each in logged if isinstance(each["body"], dict)]


def opencode(address: str) -> dict[str, str]:
    """The environment in which OpenCode asks the scripted model at this address, and nobody else."""
    model = {"limit": {"context": 100_000, "output": 4_000}}
    options = {"baseURL": f"{address}/v1", "apiKey": "none"}
    mock = {"npm": "@ai-sdk/openai-compatible", "options": options, "models": {"mock-model": model}}
    provided = {"provider": {"mock": mock}, "model": "mock/mock-model", "permission": {"*": "allow"}}
    return {
        "OPENCODE_CONFIG_CONTENT": json.dumps(provided),
        "OPENCODE_DISABLE_MODELS_FETCH": "1",
        "OPENCODE_DISABLE_AUTOUPDATE": "1",
        "OPENCODE_DISABLE_LSP_DOWNLOAD": "1",
    }


def program(package: str, script: str) -> list[str]:
    """What starts a host from npm; skips where it isn't at hand."""
    found = node.found(package)
    path = Path(found[1]) / script
    return [str(path)] if path.suffix == ".exe" else [found[0], str(path)]


def _wait_for(port: int) -> None:
    until = time.monotonic() + 30
    while True:
        try:
            socket.create_connection(("127.0.0.1", port), 1).close()
            return
        except OSError:
            if time.monotonic() > until:
                raise
            time.sleep(0.05)
