"""Which edges are found by which idiom, and how many of them an independent resolver confirms.

An edge leads from a file to a symbol of another file. The truth comes from the harness beside the checkout; it knows
what a file depends on, not by which idiom, so recall is of all idioms together. What the truth doesn't have may still
be right (it follows no calls through instances, for one), so precision is a lower bound.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
import tempfile
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

from ccos_core.session.index import Index
from ccos_core.values.code import MODULE
from tests.bench.coverage import HARNESS, _ending_truth, corpora_at_hand
from tests.bench.harness import Result

NAMES = {"import": "import", "base": "base class or trait", "call": "call", "decorator": "decorator",
         "type": "annotation or type", "name": "other mention"}  # fmt: skip
"""Role of an edge → what it is called in the table."""
WRONG, MISSED = 10.0, 5.0
"""Per cent of the edges that the truth may not have, and of the truth that may be missed."""


def lines(smoke: bool) -> Iterator[Result]:
    if smoke:
        yield from _smoke()
        return
    if not HARNESS.is_dir():
        print(f"edges: SKIPPED, there is no harness at {HARNESS}")
        return
    for name, language, folder in corpora_at_hand("edges"):
        found, right, known, reached = judged(folder, truth_of(name, language, folder))
        for role in sorted(found):
            share = 100 * right[role] / found[role]
            print(f"edges {name}: {NAMES.get(role, role):20} {found[role]:6,} found, {share:5.1f} % confirmed")
        total = sum(found.values())
        yield Result(f"edges {name}: of {total:,} not confirmed", 100 - 100 * sum(right.values()) / total, "%", WRONG)
        yield Result(f"edges {name}: of {known:,} known missed", 100 - 100 * reached / max(known, 1), "%", MISSED)


def truth_of(name: str, language: str, folder: Path) -> dict[str, dict[str, dict[str, object]]]:
    """File → file it depends on → symbols, as the independent resolver has it."""
    with tempfile.TemporaryDirectory() as held:
        environment = {**os.environ, "CORPORA": str(folder.parent), "TRUTH": held}
        asked = [sys.executable, str(_ending_truth(Path(held))), f"{name}:{language}"]
        subprocess.run(asked, env=environment, check=True, stdout=subprocess.DEVNULL)
        told: dict[str, dict[str, dict[str, object]]] = json.loads((Path(held) / f"gt_{name}.json").read_text())["gt"]
        return told


def judged(folder: Path, truth: dict[str, dict[str, dict[str, object]]]) -> tuple[Counter[str], Counter[str], int, int]:
    """(edges found by role, those of them that are confirmed, symbols the truth has, those of them that are found)."""
    index = Index(str(folder))
    found: Counter[str] = Counter()
    right: Counter[str] = Counter()
    known = reached = 0
    for anchor, depends in truth.items():
        if anchor not in index.outlines:
            continue
        ours: set[tuple[str, str]] = set()
        for link in index.links(anchor):
            path, symbol = link.target.path, link.target.symbol
            if path == anchor or path not in index.outlines:
                continue
            name = index.outlines[path].symbols[symbol].name if symbol != MODULE else ""
            whole = name.partition(".")[0].partition("#")[0]
            ours.add((path, whole))
            found[link.role] += 1
            right[link.role] += path in depends and (not name or whole in depends[path] or not depends[path])
        for path, symbols in depends.items():
            known += len(symbols)
            reached += sum((path, symbol) in ours for symbol in symbols)
    return found, right, known, reached


def _smoke() -> Iterator[Result]:
    with tempfile.TemporaryDirectory() as held:
        folder = Path(held)
        (folder / "db.py").write_text("def connect():\n    return 1\n")
        (folder / "api.py").write_text("from db import connect\n\n\ndef go():\n    return connect()\n")
        found, right, known, reached = judged(folder, {"api.py": {"db.py": {"connect": []}}})
        assert (known, reached) == (1, 1)
        yield Result("edges smoke: not confirmed", 100.0 * (sum(found.values()) - sum(right.values())), "%", WRONG)
