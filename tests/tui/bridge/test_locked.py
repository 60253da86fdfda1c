"""A program that keeps everybody out of the file keeps no screen from drawing, and is forgotten when it is gone."""

from __future__ import annotations

import asyncio
import sqlite3

import pytest

from ccos_tui.bridge import steps as module
from ccos_tui.bridge.steps import Steps
from tests.tui.driving import TICK, Driven, drive


def locked(path: str) -> sqlite3.Connection:
    connection = sqlite3.connect(path, isolation_level=None)
    connection.execute("BEGIN EXCLUSIVE")
    return connection


def test_steps_wait_once_and_come_when_they_can(demo: str, monkeypatch: pytest.MonkeyPatch) -> None:
    now = [100.0]
    steps = Steps(demo)
    monkeypatch.setattr(module.time, "monotonic", lambda: now[0])
    other = locked(demo)
    asked: list[int] = []
    rows = steps._record.rows

    def counted(first: int, last: int) -> object:
        asked.append(first)
        return rows(first, last)

    monkeypatch.setattr(steps._record, "rows", counted)
    assert [steps.told(step) for step in range(1, 50)] == [None] * 49
    assert asked == [1], "who draws fifty rows waits for one"
    other.close()
    now[0] += module.AGAIN
    assert steps.told(5) is not None
    steps.close()


def test_a_step_whose_text_waits_is_told_later(demo: str, monkeypatch: pytest.MonkeyPatch) -> None:
    alone = Steps(demo)
    told = [alone.told(step) for step in range(1, 50)]
    alone.close()
    now = [100.0]
    steps = Steps(demo)
    monkeypatch.setattr(module.time, "monotonic", lambda: now[0])
    assert steps.told(1) == told[0]
    other = locked(demo)
    asked: list[bytes] = []
    content = steps._record.content

    def counted(blob: bytes) -> bytes:
        asked.append(blob)
        return content(blob)

    monkeypatch.setattr(steps._record, "content", counted)
    assert all(each in (None, then) for each, then in zip(map(steps.told, range(1, 50)), told, strict=True))
    assert len(asked) == 1, "who draws fifty rows waits for one"
    other.close()
    now[0] += module.AGAIN
    assert [steps.told(step) for step in range(1, 50)] == told
    steps.close()


def test_keys_are_obeyed_meanwhile(demo: str) -> None:
    async def story(driven: Driven) -> None:
        driven.app.steps._pages.clear()
        other = locked(demo)
        driven.hold("k", 3)
        wanted = driven.app.home.steps.cursor - 3
        while driven.app.home.steps.cursor != wanted:  # without settling: that would wait for every answer, 5 s each
            await asyncio.sleep(TICK)
        other.close()
        await driven.press("j")
        assert driven.app.home.steps.cursor == wanted + 1

    drive(demo, story)
