"""What a pipe costs that is open for very long: its memory and its answers after many steps, against a tenth of them.

A script edits the files of a project in turn and asks now and then; the process is the one that `ccos-tui memory`
starts. Its resident memory is read from the system right after the answers that are timed. 300,000 steps take the
better part of an hour.
"""

import json
import subprocess
import tempfile
from collections.abc import Iterator
from functools import partial
from pathlib import Path
from statistics import median
from typing import Any

from tests.bench.harness import Result, timed
from tests.bench.serving import FAILED
from tests.kin import Kin

STEPS = (30_000, 300_000)
FILES, ASKED, TURNS = 60, 40, 12
FLAT = 1.3
DEFINED = "\n\ndef f{0}(given):\n    made = g{1}(given)\n    return made + {2}\n"


def lines(smoke: bool) -> Iterator[Result]:
    sizes, asked = ((60, 240), 3) if smoke else (STEPS, ASKED)
    with tempfile.TemporaryDirectory(prefix="ccos-bench-") as folder:
        kin = Kin(Path(folder) / "state")
        process = kin.start("memory", str(Path(folder) / "work.ccos"), cwd=Path(folder))
        with process:
            script = Script(process)
            found = [script.after(steps, asked) for steps in sizes]
            script.end()
    for name, unit in (("resident memory", "MB"), ("page_fault", "ms"), ("recall", "ms")):
        base = found[0][name]
        for steps, measured in zip(sizes, found, strict=True):
            if steps == sizes[0]:
                yield Result(f"{name}, {steps:,} steps", base, unit, 10_000)
            else:
                yield Result(f"{name}, {steps:,} steps", measured[name], unit, FLAT, base, measured[name] / base)


class Script:
    """Whoever talks to the pipe."""

    def __init__(self, process: "subprocess.Popen[bytes]") -> None:
        self.process = process
        self.step = 0

    def after(self, steps: int, asked: int) -> dict[str, float]:
        """Go on to a step; give what answers and memory take there."""
        while self.step < steps:
            self._edit()
        took: dict[str, list[float]] = {"page_fault": [], "recall": []}
        for turn in range(asked):
            self._edit()
            name, path = f"f{turn % FILES}", f"m{turn % FILES}.py"
            run = {"op": "page_fault", "output": FAILED.format(name=name, path=path, line=6), "command": "pytest"}
            took["page_fault"].append(timed(partial(self.say, **run)))
            took["recall"].append(timed(lambda: self.say(op="recall", budget=2_048)))
            self.step = int(self.say(op="signal_pass")["step"])
        return {"resident memory": self._resident(), **{name: median(each) * 1_000 for name, each in took.items()}}

    def say(self, **said: Any) -> dict[str, Any]:
        """One line and its answer."""
        assert self.process.stdin is not None
        assert self.process.stdout is not None
        self.process.stdin.write(json.dumps(said).encode() + b"\n")
        self.process.stdin.flush()
        answer: dict[str, Any] = json.loads(self.process.stdout.readline())
        if "error" in answer:
            raise RuntimeError(f"{said}: {answer}")
        return answer

    def end(self) -> None:
        """Say no more."""
        assert self.process.stdin is not None
        self.process.stdin.close()
        self.process.wait()

    def _edit(self) -> None:
        at, turn = self.step % FILES, self.step
        uses = "".join(f"from m{(at * 7 + each) % FILES} import f{each} as g{each}\n" for each in range(3))
        added = [turn if each == turn % TURNS else 0 for each in range(6)]
        body = "".join(DEFINED.format(each, each % 3, more) for each, more in enumerate(added))
        self.step = int(self.say(op="ingest", uri=f"m{at}.py", source=uses + body, how="edit")["step"])

    def _resident(self) -> float:
        """Megabytes; nothing where the system doesn't say."""
        status = Path(f"/proc/{self.process.pid}/status")
        if not status.exists():
            return 1.0
        line = next(line for line in status.read_text().splitlines() if line.startswith("VmRSS"))
        return int(line.split()[1]) / 1_024
