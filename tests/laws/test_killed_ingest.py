"""A store that was being filled when its program was killed goes on as if nothing had happened."""

import subprocess
import sys
from pathlib import Path

import pytest

from ccos_core.storage.opening import open_record
from ccos_core.values.canon import digest
from tests.core.storage.memory_stores import KINDS, place_for
from tests.depth import at_depth
from tests.making import append, gone, record_of

SCRIPT = Path(__file__).parent / "killed_ingest.py"
DEEP_TIMES = 30
TIMES = {"postgres": 5, "qdrant": 2}
"""Of a run that isn't deep, where each time is dear."""


@pytest.fixture(scope="module")
def record(tmp_path_factory: pytest.TempPathFactory) -> str:
    """Prompts that say the same again, and failures that come back."""
    path = record_of(tmp_path_factory.mktemp("record") / "w.ccos", [gone(number) for number in range(9)])
    with open_record(path, write=True) as opened, opened.write() as writing:
        for number in range(12):
            text = f"Never push. Fix item {number % 4}.".encode()
            said = {"blob": digest(text).hex(), "bytes": len(text)}
            append(writing, {"kind": "prompt", "v": 2, "said": said, "source": "user"}, text)
            append(writing, {"kind": "failed", "v": 1, "runner": "pytest", "test": f"test_{number % 3}"})
    return path


@pytest.mark.parametrize("kind", KINDS)
def test_killed_in_the_middle_of_a_batch(kind: str, record: str, tmp_path: Path) -> None:
    times = at_depth(TIMES.get(kind, 10), DEEP_TIMES)
    assert survivals(kind, place_for(kind, tmp_path), record, times) == times


def survivals(kind: str, place: str, record: str, times: int) -> int:
    """Count how often the store was as it should be afterwards."""
    command = [sys.executable, str(SCRIPT), kind, place, record, str(times)]
    done = subprocess.run(command, capture_output=True, text=True, timeout=300, check=False)
    assert done.returncode == 0, done.stderr
    return int(done.stdout)
