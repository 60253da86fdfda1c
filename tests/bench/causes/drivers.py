"""How a case is put to the product: the project in a folder, the output piped in, the window that comes back.

The only file here that knows the product. A driver is `(root, case) -> items in rank order`, by lens.
"""

from __future__ import annotations

import io
import json
import sys
from collections.abc import Callable, Mapping
from contextlib import redirect_stderr, redirect_stdout
from pathlib import Path
from typing import Any

from tests.bench.causes.render import Case

Items = list[dict[str, Any]]
Driver = Callable[[str, Case], Mapping[str, Items]]
BUDGET = "2048"


class CommandFailed(Exception):
    """A command of the product ended with a code other than 0."""


def write(root: Path, files: Mapping[str, str]) -> None:
    for path, text in files.items():
        file = root / path
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(text, encoding="utf-8")


def through_commands(root: str, case: Case) -> dict[str, Items]:
    """As a person would: `init`, `ingest`, `page-fault`, `recall`; in this process, for the cases are many."""
    ws = f"{root}.ccos"
    _run("init", ws, "--root", root)
    _run("ingest", ws, root)
    _run("page-fault", ws, "--command", " ".join(case.command), stdin=case.said(root).encode())
    recall = ("recall", ws, "--budget", BUDGET, "--json")
    return {
        "working-set": _items(_run(*recall, "--working-set")),
        "around the symptom": _items(_run(*recall, "--around", case.symptom.path)),
    }


def through_index(root: str, case: Case) -> dict[str, Items]:
    """Without any workspace, and so without the failure: what the symptom's file leans on."""
    return {
        "window, no workspace": _items(
            _run("window", root, "--around", case.symptom.path, "--budget", BUDGET, "--json")
        )
    }


def _items(told: str) -> Items:
    items: Items = json.loads(told)["items"]
    return items


def _run(*command: str, stdin: bytes = b"") -> str:
    from ccos_core.serve.cli.main import main

    out, told = io.TextIOWrapper(io.BytesIO(), "utf-8"), io.StringIO()
    before, sys.stdin = sys.stdin, io.TextIOWrapper(io.BytesIO(stdin), "utf-8")
    try:
        with redirect_stdout(out), redirect_stderr(told):
            code = main(command)
    finally:
        sys.stdin = before
    out.flush()
    said = out.buffer.getvalue().decode()
    if code:
        raise CommandFailed(f"{' '.join(command)} ended with {code}: {told.getvalue()[-500:]}{said[-500:]}")
    return said
