"""Windows about real issues, with compressed bodies and without: definitions, bodies, and tokens for equal coverage.

A definition counts if the line with its name is shown, a body if every line is shown that a machine reads. Equal
coverage is the smallest budget whose window shows as many definitions as the plain one. The trees come from mirrors, as
for `issues`; nothing is judged where they are missing.
"""

import json
import os
import tempfile
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple
from unittest.mock import patch

from ccos_core.session.index import Index
from ccos_core.window import task
from ccos_core.window.layout import Member
from ccos_core.window.lexicon import Lexicon
from ccos_core.window.linearize import Window
from ccos_core.window.linearize import linearize as plain_linearize
from tests.bench.harness import Result
from tests.bench.issues import HARNESS, run_script

BUDGETS = 2_048, 8_192
LEFT_LIMIT = 55.0
"""Percent of the tokens that equal coverage may take."""
LEAST_PERCENT, STEP_PERCENT = 40, 3


class Shown(NamedTuple):
    """What a window shows."""

    tokens: int
    definitions: int
    bodies: int


def lines(smoke: bool) -> Iterator[Result]:
    mirrors = os.environ.get("CCOS_MIRRORS", "")
    if smoke:
        yield from _smoke()
        return
    if not HARNESS.is_dir() or not os.path.isdir(mirrors):
        print("compressed windows: SKIPPED, CCOS_MIRRORS names no folder with mirrors of the repositories")
        return
    rows = [json.loads(line) for line in (HARNESS / "dev.jsonl").read_text("utf-8").splitlines()]
    sums = {budget: Counter[str]() for budget in BUDGETS}
    with tempfile.TemporaryDirectory() as held:
        for row in rows:
            if not os.path.isdir(os.path.join(mirrors, row["repo"].replace("/", "+"))):
                continue
            tree = Path(held) / row["instance_id"]
            run_script("prepare.py", "tree", "--instance", row["instance_id"], "--dest", str(tree))
            lexicon = Lexicon(Index(str(tree)))
            for budget in BUDGETS:
                _count(row["problem_statement"], lexicon, budget, sums[budget])
    for budget, found in sums.items():
        issues = max(found["issues"], 1)
        print(f"compressed windows, {budget:,} tokens: {dict(found)}")
        left = 100 * found["equal"] / max(found["tokens"], 1)
        yield Result(f"{budget:,} tokens: left at equal coverage", left, "%", LEFT_LIMIT)
        for what in ("definitions", "bodies"):
            plain, short = (max(found[f"{name} {what}"], 1) / issues for name in ("plain", "short"))
            yield Result(
                f"{budget:,} tokens: plain {what} per compressed", plain, what[:5], 0.999, short, plain / short
            )


def _count(text: str, lexicon: Lexicon, budget: int, into: Counter[str]) -> None:
    plain, short = (_shown(text, lexicon, budget, compress) for compress in (False, True))
    into.update(issues=1, tokens=plain.tokens)
    for name, each in (("plain", plain), ("short", short)):
        into.update({f"{name} definitions": each.definitions, f"{name} bodies": each.bodies})
    into["both strictly more"] += short.definitions > plain.definitions and short.bodies > plain.bodies
    for percent in range(LEAST_PERCENT, 101, STEP_PERCENT):
        equal = _shown(text, lexicon, budget * percent // 100, True)
        if equal.definitions >= plain.definitions:
            break
    into["equal"] += equal.tokens


def _shown(text: str, lexicon: Lexicon, budget: int, compress: bool) -> Shown:
    members: list[Member] = []

    def kept(lens: str, budget: int, found: list[Member], *more: object) -> Window:
        members.extend(found)
        return plain_linearize(lens, budget, found)

    with patch.object(task, "linearize", kept):
        window = task.hybrid(text, lexicon, budget, compress=compress)
    lines: dict[str, set[int]] = {}
    for member in members:
        lines.setdefault(member.candidate.source.path, set()).update(member.lines)
    sources = {member.candidate.source.path: member.candidate.source for member in members}
    definitions = bodies = 0
    for path, shown in lines.items():
        source = sources[path]
        for symbol in source.outline.symbols:
            span = range(min(symbol.first, symbol.line), max(symbol.last, symbol.line) + 1)
            definitions += symbol.line in shown
            if symbol.kind in ("function", "method", "class"):
                bodies += all(line in shown or line in source.spare for line in span if source.lines[line - 1].strip())
    return Shown(window.tokens, definitions, bodies)


def _smoke() -> Iterator[Result]:
    body = "    # Why that is so, in words that take their tokens.\n" * 4 + "    return parcel.grams\n\n\n"
    with tempfile.TemporaryDirectory() as held:
        for at in range(12):
            (Path(held) / f"parcel_{at}.py").write_text(f"def weigh_{at}(parcel):\n{body}")
            (Path(held) / f"ship_{at}.py").write_text(f"def sail_{at}(ship):\n    return ship.leave()\n")
        found = Counter[str]()
        _count("The grams of a parcel are wrong", Lexicon(Index(held)), 500, found)
    yield Result(
        "smoke: plain bodies per compressed", found["plain bodies"] / max(found["short bodies"], 1), "x", 0.999
    )
