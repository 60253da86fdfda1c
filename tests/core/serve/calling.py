"""Calling commands: inside this process where words and codes matter, outside where streams and environments do."""

from __future__ import annotations

import io
import json
import os
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from ccos_core.serve.cli.main import main
from sample_workspaces import tiny

ROOT = Path(__file__).resolve().parents[3]


@dataclass(frozen=True)
class Done:
    """How a command ended."""

    code: int
    out: str
    err: str

    def json(self) -> Any:
        """The one JSON document on stdout."""
        assert self.out.endswith("\n")
        return json.loads(self.out)

    def lines(self) -> list[Any]:
        return [json.loads(line) for line in self.out.splitlines()]


class Caller:
    """`ccos-tui` in this process."""

    def __init__(self, capsys: pytest.CaptureFixture[str]) -> None:
        self.capsys = capsys

    def __call__(self, *words: object, given: str = "") -> Done:
        """`given` is what it reads from stdin."""
        self.capsys.readouterr()
        stdin, sys.stdin = sys.stdin, io.TextIOWrapper(io.BytesIO(given.encode()), "utf-8")
        try:
            code = main([str(word) for word in words])
        finally:
            sys.stdin = stdin
        out, err = self.capsys.readouterr()
        assert "Traceback" not in out + err
        return Done(code, out, err)


def outside(*words: object, python: tuple[str, ...] = (), **more: Any) -> subprocess.CompletedProcess[bytes]:
    """`ccos-tui` as a process of its own, under exactly the environment given as `env`, ours without one."""
    code = f"import sys; sys.path.insert(0, {str(ROOT)!r}); from ccos_tui.__main__ import main; sys.exit(main())"
    command = [sys.executable, *python, "-c", code, *map(str, words)]
    return subprocess.run(command, **{"capture_output": True, "timeout": 60, "stdin": subprocess.DEVNULL, **more})


def environment(**said: str) -> dict[str, str]:
    return {**os.environ, **said}


def demo(folder: Path, name: str = "demo.ccos") -> Path:
    """The workspace of the sample `tiny`."""
    folder.mkdir(parents=True, exist_ok=True)
    tiny.build(str(folder / name))
    return folder / name


def demo_events() -> Iterator[dict[str, Any]]:
    yield from tiny.observations(tiny.TOKEN)
