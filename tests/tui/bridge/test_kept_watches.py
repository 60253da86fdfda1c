"""What is watched in a workspace comes back as it was; what somebody spoilt counts as nothing."""

from __future__ import annotations

import errno
import json
import os
import stat
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from ccos_tui.bridge import keepsakes
from ccos_tui.bridge.keepsakes import load_watches, save_watches

NODES = st.text(min_size=1, max_size=20)
KEPT = st.lists(st.tuples(NODES, st.integers(0, 2**31)), max_size=8)
JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(max_size=5),
    lambda each: st.lists(each) | st.dictionaries(st.sampled_from(["watches", "x"]), each),
    max_leaves=8,
)


@pytest.fixture(autouse=True)
def here(a_folder: Path) -> Path:
    return a_folder


def files(state: Path) -> list[Path]:
    return sorted((state / "state" / "ccos-tui" / "watches").glob("*"))


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(KEPT, KEPT)
def test_it_comes_back_as_it_was_workspace_by_workspace(
    one: list[tuple[str, int]], other: list[tuple[str, int]]
) -> None:
    assert save_watches("one.ccos", one) == save_watches("other.ccos", other) == ""
    assert load_watches("one.ccos") == one
    assert load_watches("there/../other.ccos") == other


def test_only_the_reader_may_read_it_and_nothing_is_no_file(tmp_path: Path) -> None:
    assert load_watches("one.ccos") == []
    assert not (tmp_path / "state").exists(), "who only looks leaves nothing behind"
    save_watches("one.ccos", [("file:a.py", 1)])
    (path,) = files(tmp_path)
    assert stat.S_IMODE(path.stat().st_mode) == 0o600
    save_watches("one.ccos", [])
    assert files(tmp_path) == []


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(JSON | st.builds(lambda watches: {"watches": watches}, JSON), st.booleans())
def test_what_somebody_spoilt_counts_as_nothing(told: object, torn: bool) -> None:
    save_watches("one.ccos", [("file:a.py", 1)])
    path = keepsakes._path("one.ccos")
    Path(path).write_text(json.dumps(told)[: -1 if torn else None])
    assert all(type(node) is str and type(at) is int and at >= 0 for node, at in load_watches("one.ccos"))


def test_those_of_long_ago_are_forgotten(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(keepsakes, "MOST_FILES", 3)
    for number in range(5):
        save_watches(f"{number}.ccos", [("file:a.py", number)])
        os.utime(keepsakes._path(f"{number}.ccos"), (number, number))
    save_watches("5.ccos", [("file:a.py", 5)])
    assert [bool(load_watches(f"{number}.ccos")) for number in range(6)] == [False, False, False, True, True, True]


def test_what_can_not_be_kept_leaves_nothing_behind(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def full(draft: str, path: str) -> None:
        raise OSError(errno.ENOSPC, "No space left on device")

    monkeypatch.setattr(os, "replace", full)
    assert save_watches("one.ccos", [("file:a.py", 1)]) == "no space left on device"
    assert files(tmp_path) == []
