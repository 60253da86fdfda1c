"""What the screens show is what the same questions give without a screen, on every sample workspace.

Whatever the panes asked is asked again in lines, by `postmortem --json`, and has to come to the same; and the figures
of the window's answer have to be on the screen.
"""

import json
import sys
from collections.abc import Callable
from io import BytesIO, TextIOWrapper
from pathlib import Path
from typing import Any

import pytest

from ccos_core.present.words import TEXTLESS, WITHIN
from ccos_core.serve.cli import demo as drift
from ccos_core.serve.cli.main import main
from ccos_core.serve.printing import as_json_object
from ccos_core.session.asking import Asked
from ccos_core.values.ids import symbol_of
from ccos_tui.bridge.ask import Ask
from sample_workspaces import polyglot, tiny
from tests.tui.driving import WIDE, Driven, drive

SAMPLES: dict[str, tuple[Callable[[str], object], tuple[int, ...]]] = {
    "drift": (drift.build, (6, 40, 53)),
    "tiny": (tiny.build, (5, 9)),
    "polyglot": (polyglot.build, (4, 11)),
}
"""Sample → how it is made, and steps at which something happens."""
LOOKS = ("d", "W", "x", "t", "p", "L", "L", "L", "plus")
"""Keys that have the panes ask."""


@pytest.mark.parametrize("sample", SAMPLES)
def test_commands_say_the_same(
    sample: str, tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    build, steps = SAMPLES[sample]
    path = str(tmp_path / f"{sample}.ccos")
    build(path)
    answered: dict[Ask, Asked] = {}

    async def story(driven: Driven) -> None:
        for step in steps:
            await driven.press(*str(step), "G", "enter", "w")
            for key in LOOKS:
                await driven.press(key)
                answered.update(driven.app.engine._known)

    drive(path, story, WIDE)
    names = {question.name for question in answered}
    assert {"recall", "diff", "state", "overview", "energy"} <= names
    assert sample == "tiny" or {"why", "blame", "impact", "provenance", "watch"} <= names, "where there is a node"
    told = headless([question.words() for question in answered], path, capsys, monkeypatch)
    for (question, asked), said in zip(answered.items(), told, strict=True):
        assert said == json.loads(json.dumps(as_json_object(asked.answer, asked.partial))), question.words()


def headless(
    lines: list[str], path: str, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> list[Any]:
    """What is said to programs that ask these lines."""
    monkeypatch.setattr(sys, "stdin", TextIOWrapper(BytesIO("\n".join(lines).encode())))
    capsys.readouterr()
    main(["postmortem", path, "--json"])
    said = capsys.readouterr()
    assert not said.err
    return [json.loads(line) for line in said.out.splitlines()]


@pytest.mark.parametrize("sample", SAMPLES)
def test_figures_stand_on_the_screen(sample: str, tmp_path: Path) -> None:
    build, steps = SAMPLES[sample]
    path = str(tmp_path / f"{sample}.ccos")
    build(path)

    async def story(driven: Driven) -> None:
        await driven.press("L")  # the agent's window opens
        for step in steps:
            await driven.press(*str(step), "G")
            pane = driven.app.home.query_one("#window")
            assert pane.answer.step == step
            assert driven.shows(f"{pane.answer.tokens:,} of {pane.answer.budget:,} tokens")
            assert driven.shows(f"step {step:,} of {driven.app.steps.head:,}")
            rows = [row.text for row in driven.rows("window")]
            for item in pane.answer.items:
                size = f"{item.tokens:,}" if item.tokens else (WITHIN if symbol_of(item.uri) else TEXTLESS)
                assert any(row.endswith(size) and item.level in row for row in rows), item.uri

    drive(path, story, WIDE)
