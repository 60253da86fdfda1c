"""Does the window hold what the file depends on? Ours, against a truth that was worked out without us.

The truth and the score come from the harness beside the checkout (`../shared/bench/coverage`); without it there is
nothing to measure against, and that is said. Corpora come from the package registries. Figures are shares that were
missed, in percent, so that a limit is a limit.
"""

import importlib.util
import json
import os
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path

from ccos_core.text.syntax.languages import LANGUAGES
from tests.bench.corpora import corpus
from tests.bench.harness import Result

HARNESS = Path(__file__).resolve().parents[3] / "shared" / "bench" / "coverage"
CORPORA = {
    "flask": "py", "httpx": "py", "requests": "py", "django": "py",
    "zod": "ts", "syn": "rust:syn", "cobra": "go", "gin": "go",
}  # fmt: skip
GRAMMAR_OF = {"ts": "tree_sitter_typescript", "rust": "tree_sitter_rust", "go": "tree_sitter_go"}
LANGUAGE_OF = {"py": "python", "ts": "typescript", "rust": "rust", "go": "go"}
LIMITS = {"file": 1.0, "symbol": 5.0, "precision": 40.0}
"""The most that may be missing, in percent, on any corpus; ..."""
ORACLE_BODIES = {
    "flask": 70, "httpx": 76, "requests": 78, "django": 83, "zod": 97, "syn": 93, "cobra": 96, "gin": 100,
}  # fmt: skip
"""Whole definitions, in percent, that fit when the true dependencies are packed smallest first; we owe four fifths."""
SYMBOLS_OVERALL = 3.0
"""... and of symbols in the mean over all of them."""
ENDLESS = "if (cn,path) in seen: return None"
ENDING = "if (cn,path) in seen or len(path) > 32: return None"


def lines(smoke: bool) -> Iterator[Result]:
    if smoke:
        yield from _smoke()
        return
    if not HARNESS.is_dir():
        print(f"coverage: SKIPPED, there is no harness at {HARNESS}")
        return
    symbols: list[float] = []
    for name, language, folder in corpora_at_hand("coverage"):
        for result in _measured(name, language, folder):
            symbols += [result.value] if "symbol" in result.name else []
            yield result
    if symbols:
        mean = sum(symbols) / len(symbols)
        yield Result(f"coverage, {len(symbols)} corpora: symbol missed", mean, "%", SYMBOLS_OVERALL)


def corpora_at_hand(benchmark: str) -> Iterator[tuple[str, str, Path]]:
    """Yield (name, language, folder) of each corpus; print why one can't be had."""
    for name, language in CORPORA.items():
        reason = _why_not(language)
        folder = None if reason else corpus(name)
        if folder is None:
            print(f"{benchmark} {name}: SKIPPED, {reason or 'its sources cannot be had here'}")
        else:
            yield name, language, folder


def _why_not(language: str) -> str:
    family = language.partition(":")[0]
    if LANGUAGE_OF[family] not in {each.name for each in LANGUAGES}:
        return "the language isn't read yet"
    grammar = GRAMMAR_OF.get(family)
    if grammar and importlib.util.find_spec(grammar) is None:
        return f"the truth needs {grammar.replace('_', '-')}"
    return ""


def _measured(name: str, language: str, folder: Path) -> Iterator[Result]:
    with tempfile.TemporaryDirectory() as held:
        truth = Path(held) / f"gt_{name}.json"
        environment = {**os.environ, "CORPORA": str(folder.parent), "TRUTH": held}
        asked = [sys.executable, str(_ending_truth(Path(held))), f"{name}:{language}"]
        subprocess.run(asked, env=environment, check=True, stdout=subprocess.DEVNULL)
        windows = Path(held) / "windows.jsonl"
        windows.write_text(_windows(folder, json.loads(truth.read_text())["sample"]), "utf-8")
        score = [sys.executable, str(HARNESS / "score_windows.py"), str(truth), str(windows), str(folder)]
        told = json.loads(subprocess.run(score, check=True, capture_output=True, text=True).stdout)
    for what, limit in LIMITS.items():
        yield Result(f"coverage {name}: {what} missed", 100 - float(told[what]), "%", limit)
    owed = 0.8 * ORACLE_BODIES[name]
    yield Result(f"coverage {name}: bodies missed", 100 - float(told["body"]), "%", 100 - owed)
    yield Result(f"coverage {name}: largest window ({told['counter']})", told["tokens_max"], "tok", 2_150)


def _ending_truth(held: Path) -> Path:
    """The harness's resolver, ending on every tree.

    syn has `pub use crate::gen::*` with `gen` an inline module of the same file: each round makes the module's path
    longer, so it never comes to one it has seen. Limits of 16, 32 and 64 parts give the same truth.
    """
    text = (HARNESS / "groundtruth.py").read_text("utf-8")
    if ENDLESS not in text:
        return HARNESS / "groundtruth.py"
    mended = held / "groundtruth.py"
    mended.write_text(text.replace(ENDLESS, ENDING), "utf-8")
    return mended


def _windows(folder: Path, anchors: list[str]) -> str:
    around = [word for anchor in anchors for word in ("--around", anchor)]
    asked = [sys.executable, "-m", "ccos_tui", "window", str(folder), *around, "--budget", "2048", "--json"]
    return subprocess.run(asked, check=True, capture_output=True, text=True).stdout


def _smoke() -> Iterator[Result]:
    with tempfile.TemporaryDirectory() as held:
        folder = Path(held)
        (folder / "db.py").write_text("def connect():\n    return 1\n")
        (folder / "api.py").write_text("from db import connect\n\n\ndef go():\n    return connect()\n")
        (told,) = map(json.loads, _windows(folder, ["api.py"]).splitlines())
        missed = 0 if any("def connect" in item["text"] for item in told["items"]) else 100
        yield Result("coverage smoke: symbol missed", missed, "%", LIMITS["symbol"])
