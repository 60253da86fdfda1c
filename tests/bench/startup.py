"""What the shortest command costs, against a Python that does nothing: agents call us often, and people notice.

Measured from outside, as whole processes: `python -m ccos_tui --version`, and the installed console script if there is
one, each against `python -c pass` of the same interpreter.
"""

import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path

from tests.bench.harness import Result, paired

ROOT = Path(__file__).resolve().parents[2]
LIMIT = 4.0


def lines(smoke: bool) -> Iterator[Result]:
    runs = 1 if smoke else 31
    nothing = process(sys.executable, "-c", "pass")
    for name, command in commands().items():
        yield paired(process(*command), nothing, runs).result(name, LIMIT)


def commands() -> dict[str, list[str]]:
    found = {"python -m ccos_tui --version": [sys.executable, "-m", "ccos_tui", "--version"]}
    script = Path(sys.executable).parent / ("ccos-tui.exe" if sys.platform == "win32" else "ccos-tui")
    if script.exists():
        found["ccos-tui --version"] = [str(script), "--version"]
    return found


def process(*command: str) -> Callable[[], object]:
    def run() -> None:
        done = subprocess.run(command, cwd=ROOT, stdin=subprocess.DEVNULL, capture_output=True, text=True)
        if done.returncode:
            raise RuntimeError(f"{' '.join(command)} exited with {done.returncode}: {done.stderr[-2000:]}")

    return run
