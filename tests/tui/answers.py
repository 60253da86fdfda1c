"""Answers to show: of the demonstration, which is built once, to whatever a pane may ask."""

from __future__ import annotations

import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from functools import cache
from pathlib import Path
from typing import Any

from ccos_core.query.catalogue import BY_NAME
from ccos_core.serve.cli.demo import build
from ccos_core.session.asking import Desk
from ccos_core.storage.opening import open_record


@cache
def demo() -> Path:
    """A folded workspace. Tests that write copy it."""
    path = Path(tempfile.mkdtemp(prefix="ccos-screens-"), "demo.ccos")
    build(str(path))
    with desk(path) as opened:
        assert opened.timeline.head == 61
    return path


@contextmanager
def desk(path: Path) -> Iterator[Desk]:
    """Where it can be asked."""
    with open_record(str(path)) as record, Desk(record) as opened:
        yield opened


@cache
def answer(name: str, at: int | None = None, **said: str) -> Any:
    """What the demonstration answers."""
    with desk(demo()) as opened:
        return opened.ask(BY_NAME[name], {key.replace("_", "-"): value for key, value in said.items()}, at).answer
