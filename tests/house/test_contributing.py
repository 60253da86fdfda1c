"""What CONTRIBUTING.md and the workflow for forks promise."""

import re
import textwrap
import tomllib
from pathlib import Path

from ccos_core.query.catalogue import BY_NAME
from ccos_core.serve.printing import as_json_object, as_lines
from ccos_core.session.asking import Desk
from ccos_core.storage.opening import open_record
from tests.core.serve.calling import demo
from tests.house import tree

GUIDE = (tree.ROOT / "CONTRIBUTING.md").read_text("utf-8")


def test_the_example_question_is_the_one_in_the_tree() -> None:
    question = (tree.ROOT / "ccos_core" / "query" / "pauses.py").read_text("utf-8")
    catalogue = (tree.ROOT / "ccos_core" / "query" / "catalogue.py").read_text("utf-8")
    *parts, entry = code_blocks("python")
    assert len(parts) == 3
    assert all(part in question for part in parts)
    assert textwrap.indent(entry.rstrip(), "    ") in catalogue


def test_the_example_question_works(tmp_path: Path) -> None:
    """It is found in the catalogue, and answers in rows, aloud and as JSON."""
    with open_record(str(demo(tmp_path))) as record, Desk(record) as desk:
        answer = desk.ask(BY_NAME["pauses"], {"minutes": "0", "limit": "2"}).answer
    assert len(answer.pauses) == 2
    assert answer.pauses[0].millis >= answer.pauses[1].millis > 0
    assert f"up to step {answer.at}" in as_lines(answer, 80)[0]
    assert len(as_lines(answer, None, aloud=True)) == 4
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
