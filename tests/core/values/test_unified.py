"""Unified diffs: `patch` reads them, and makes the text after of the text before."""

from __future__ import annotations

import shutil
import subprocess
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ccos_core.values.unified import COMPARED_PAIRS, changed_blocks, unified

LINES = st.lists(st.sampled_from(["a", "b", "", "  c", "+d", "-e", "@@ f"]), max_size=30)


@given(LINES, LINES)
def test_blocks_make_the_text_after_of_the_text_before(before: list[str], after: list[str]) -> None:
    made, at = list[str](), 0
    for begin, stop, added, added_end in changed_blocks(before, after):
        made += before[at:begin] + after[added:added_end]
        at = stop
    assert made + before[at:] == after


@given(LINES, LINES)
def test_a_diff_holds_every_line_that_changed(before: list[str], after: list[str]) -> None:
    lines = unified(before, after, "x").split("\n")[2:]
    blocks = changed_blocks(before, after)
    gone = [line for begin, stop, _, _ in blocks for line in before[begin:stop]]
    added = [line for _, _, begin, stop in blocks for line in after[begin:stop]]
    assert [line[1:] for line in lines if line.startswith("-")] == gone
    assert [line[1:] for line in lines if line.startswith("+")] == added


@pytest.mark.skipif(shutil.which("patch") is None, reason="there is no `patch` here")
@pytest.mark.parametrize("seed", range(6))
def test_patch_applies_it(seed: int, tmp_path: Path) -> None:
    before = [f"line {at}" for at in range(60)]
    after = [line for at, line in enumerate(before) if (at * 7 + seed) % 11]
    after[seed * 5 : seed * 5] = ["new", "-new", ""]
    target = tmp_path / "x"
    target.write_text("\n".join(before) + "\n")
    diff = unified(before, after, "x") + "\n"
    ran = subprocess.run(["patch", "-p1"], input=diff, text=True, cwd=tmp_path, capture_output=True, check=False)
    assert ran.returncode == 0, ran.stdout
    assert target.read_text() == "\n".join(after) + "\n"


def test_two_large_texts_that_share_nothing_are_not_compared() -> None:
    before, after = [f"a{at}" for at in range(3_000)], [f"b{at}" for at in range(3_000)]
    assert len(before) * len(after) > COMPARED_PAIRS
    assert changed_blocks(before, after) == [(0, 3_000, 0, 3_000)]


def test_alike_texts_have_no_diff() -> None:
    assert unified(["a"], ["a"], "x") == ""
