"""A test that hangs is ended and named, and the others still run."""

import os
import subprocess
import sys
from pathlib import Path

from tests.house import tree

HANGING = """
import re
import threading

def test_of_a_wait():
    threading.Event().wait()

def test_of_a_regular_expression():
    re.match("(a+)+b", "a" * 60)

def test_of_code_in_c():
    sum(range(10**14))

def test_that_passes():
    pass
"""


def run(folder: Path, *words: str) -> tuple[int, str]:
    """The exit code and output of a run in which a test may take a second."""
    (folder / "test_hanging.py").write_text(HANGING)
    limit = ["-p", "tests.limits", "--timeout", "1", "-p", "no:cacheprovider", "-q", "-rA"]
    place = ["-c", os.devnull, "--rootdir", str(folder), str(folder)]
    done = subprocess.run(
        [sys.executable, "-m", "pytest", *limit, *words, *place],
        env={**os.environ, "PYTHONPATH": str(tree.ROOT)},
        capture_output=True,
        text=True,
    )
    return done.returncode, done.stdout + done.stderr


def test_among_several_processes_the_run_goes_on(tmp_path: Path) -> None:
    code, said = run(tmp_path, "-n", "1")
    assert code == 1, said
    for name in ("test_of_a_wait", "test_of_a_regular_expression", "test_of_code_in_c"):
        assert f"test_hanging.py::{name}" in said, said
    assert "1 passed" in said, said
    assert "3 failed" in said, said


def test_in_one_process_what_cannot_be_interrupted_ends_the_run(tmp_path: Path) -> None:
    code, said = run(tmp_path, "-n", "0", "-k", "code_in_c")
    assert code == 1, said
    assert "in test_of_code_in_c" in said, said
