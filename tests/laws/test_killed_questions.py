"""A program that is killed while it records or asks loses no map and no pressure: both follow from the record."""

import subprocess
import sys
from pathlib import Path

from tests.depth import at_depth

SCRIPT = Path(__file__).parent / "killed_questions.py"


def test_map_and_pressure_survive_a_kill_between_any_two_calls(tmp_path: Path) -> None:
    times = at_depth(5, 200)
    command = [sys.executable, str(SCRIPT), str(tmp_path), str(times)]
    done = subprocess.run(command, capture_output=True, text=True, timeout=900, check=False)
    assert done.returncode == 0, done.stderr
    assert int(done.stdout) == times
