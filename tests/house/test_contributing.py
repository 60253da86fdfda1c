"""What CONTRIBUTING.md and the workflow for forks promise."""

import re
import sys
import tomllib
import types
from pathlib import Path
from typing import Any

import pytest

from ccos_core.query.catalogue import Entry
from ccos_core.serve.says import as_json_object, as_lines
from ccos_core.session.asking import Desk
from ccos_core.storage.opening import open_record
from tests.core.serve.calling import demo
from tests.house import tree

GUIDE = (tree.ROOT / "CONTRIBUTING.md").read_text("utf-8")


def test_the_example_question_works(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The code of the walk-through answers, in rows, aloud and as JSON, when it stands where the guide puts it."""
    (source,) = (block for block in code_blocks("python") if block.startswith("# ccos_core/query/pauses.py\n"))
    module: Any = types.ModuleType("ccos_core.query.pauses")
    monkeypatch.setitem(sys.modules, module.__name__, module)
    exec(compile(source, "CONTRIBUTING.md", "exec"), module.__dict__)
    (line,) = (block for block in code_blocks("python") if block.startswith("Entry("))
    entry = eval(line, {"Entry": Entry})
    with open_record(str(demo(tmp_path))) as record, Desk(record) as desk:
        answer = desk.ask(entry, {"limit": "2"}).answer
    assert len(answer.longest) == 2
    assert answer.longest[0].millis >= answer.longest[1].millis > 0
    assert f"longest waits up to step {answer.at}" in as_lines(answer, 80)[0]
    assert len(as_lines(answer, None, aloud=True)) == 3
    assert as_json_object(answer)["schema"] == "ccos.pauses/1"


def test_the_workflow_runs_the_tests_on_every_supported_python() -> None:
    workflow = (tree.ROOT / ".github" / "workflows" / "test.yml").read_text("utf-8")
    pythons = re.findall(r'"(3\.\d+)"', workflow)
    project = tomllib.loads((tree.ROOT / "pyproject.toml").read_text("utf-8"))["project"]
    assert project["requires-python"] == f">={pythons[0]}"
    assert f"Python {pythons[0]} to {pythons[-1]}" in (tree.ROOT / "README.md").read_text("utf-8")
    assert "run: python3 start.py test\n" in workflow


def test_commands_of_the_guide_exist() -> None:
    start = (tree.ROOT / "start.py").read_text("utf-8")
    assert set(re.findall(r"start\.py test (--\w+)", GUIDE)) == {"--quick", "--deep"}
    assert all(f'"{option}"' in start for option in ("--quick", "--deep"))
    folders = re.findall(r"`((?:ccos_core|ccos_tui|tests|docs)(?:/[\w./]+)?)`", GUIDE)
    assert len(folders) > 8
    assert not [folder for folder in folders if not (tree.ROOT / folder).exists()]


def code_blocks(language: str) -> list[str]:
    return re.findall(rf"^```{language}\n(.*?)^```", GUIDE, re.MULTILINE | re.DOTALL)
