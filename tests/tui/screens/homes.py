"""A home with sessions of agents in it, and workspaces in every state, for who comes in by the front door."""

import shutil
import sqlite3
from pathlib import Path

import pytest

from ccos_core.session import lifecycle

SAMPLES = Path(__file__).parents[3] / "sample_workspaces"


def move_home(home: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """From here on this is where somebody lives."""
    for name in ("CLAUDE_CONFIG_DIR", "CODEX_HOME", "CCOS_OFF"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("HOME", str(home))
    for name in ("XDG_STATE_HOME", "XDG_CACHE_HOME"):
        monkeypatch.setenv(name, str(home / name))
    return home


def fill(home: Path) -> dict[str, Path]:
    """Agents leave three sessions there; gives where each lies."""
    claude, codex = home / ".claude/projects/-home-kim-till", home / ".codex/sessions"
    lies = {
        "claude": (SAMPLES / "transcripts/claude_code.jsonl", claude / "one.jsonl"),
        "codex": (SAMPLES / "transcripts/codex.jsonl", codex / "two.jsonl"),
        "drift": (SAMPLES / "drift/session.jsonl", claude / "three.jsonl"),
    }
    for whence, where in lies.values():
        where.parent.mkdir(parents=True, exist_ok=True)
        shutil.copy(whence, where)
    return {name: where for name, (_, where) in lies.items()}


def broken(workspace: str, step: int) -> str:
    """Somebody has changed a step of a workspace."""
    with sqlite3.connect(workspace) as connection:
        connection.execute("UPDATE op SET body = CAST(body || ' ' AS BLOB) WHERE step = ?", (step,))
    return workspace


def copied_while_open(workspace: str) -> str:
    """Its header says that somebody writes to it, and nothing that was being written is beside it."""
    path = Path(workspace)
    header = bytearray(path.read_bytes())
    header[18] = header[19] = 2
    path.write_bytes(bytes(header))
    return workspace


def fresh(folder: Path) -> str:
    """A workspace in which nothing has happened yet."""
    path = str(folder / "fresh.ccos")
    lifecycle.init_elsewhere(path, "/home/ann/shop", 0)
    return path
