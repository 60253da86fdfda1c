"""`python -m tests.bench [NAME ...] [--smoke]`: run the benchmarks, print a line each, exit 1 if one is over its limit.

A benchmark is a module or a package in this folder with a function `lines(smoke)` that yields `Result`s; no list is
kept. With `--smoke` the sizes are tiny and nothing is judged: it answers only whether the benchmarks still run.
"""

import argparse
import importlib
import sys
from collections.abc import Iterator, Sequence
from pathlib import Path

from tests.bench.harness import Result

NOT_BENCHMARKS = {"conftest", "__init__", "__main__", "choosing", "corpora", "harness", "told"}


def main(argv: Sequence[str] | None = None) -> int:
    asked = parse(argv)
    failed = 0
    for name in asked.names or benchmarks():
        for result in run(name, asked.smoke):
            print(result.line("ran" if asked.smoke else ""), flush=True)
            failed += not result.passed
    return 1 if failed and not asked.smoke else 0


def benchmarks() -> list[str]:
    here = Path(__file__).parent
    names = {path.stem for path in here.glob("*.py")} | {path.parent.name for path in here.glob("*/__init__.py")}
    return sorted(name for name in names - NOT_BENCHMARKS if not name.startswith("test_"))


def run(name: str, smoke: bool) -> Iterator[Result]:
    yield from importlib.import_module(f"tests.bench.{name}").lines(smoke)


def parse(argv: Sequence[str] | None) -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="python -m tests.bench", description=(__doc__ or "").split("\n\n")[1])
    parser.add_argument("names", nargs="*", metavar="NAME", help=f"which ones; all, if none is named: {benchmarks()}")
    parser.add_argument("--smoke", action="store_true", help="tiny sizes, no verdict")
    asked = parser.parse_args(argv)
    if unknown := sorted(set(asked.names) - set(benchmarks())):
        parser.error(f"no such benchmark: {', '.join(unknown)}. There are: {', '.join(benchmarks())}")
    return asked


if __name__ == "__main__":
    sys.exit(main())
