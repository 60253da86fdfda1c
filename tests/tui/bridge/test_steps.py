"""The list of steps names files of the project in one way, however the host spelled them."""

from __future__ import annotations

import json
import sqlite3
from pathlib import Path

import pytest

from ccos_core.query.telling import Told
from ccos_core.session.lifecycle import init
from ccos_core.session.session import open_session
from ccos_tui.bridge.steps import Steps, at_home


@pytest.mark.parametrize(
    ("kind", "says", "shown"),
    [
        ("tool", "Edit /home/ann/orders/src/db.py", "Edit src/db.py"),
        ("tool", "Edit src/db.py", "Edit src/db.py"),
        ("tool", "Read /home/ann/orders-old/src/db.py", "Read /home/ann/orders-old/src/db.py"),
        ("tool", "Bash cd /home/ann/orders/src && ls", "Bash cd /home/ann/orders/src && ls"),
        ("prompt", "see /home/ann/orders/src/db.py", "see /home/ann/orders/src/db.py"),
        ("tool", "submit", "submit"),
    ],
)
@pytest.mark.parametrize("root", ["/home/ann/orders", "/home/ann/orders/"])
def test_a_file_of_the_project_is_named_from_its_root(kind: str, says: str, shown: str, root: str) -> None:
    assert at_home(Told(3, kind, None, says, "", 0, ()), root).says == shown


@pytest.fixture
def workspace(tmp_path: Path) -> str:
    """One whose host spelled a file of the project in full."""
    path = str(tmp_path / "work.ccos")
    init(path)
    told = json.dumps({"file_path": f"{tmp_path}/src/db.py"})
    with open_session(path) as session:
        session.record([{"kind": "tool", "name": "Read", "outcome": "ok", "arguments": told}])
    return path


def last_of(path: str) -> str:
    steps = Steps(path)
    told = steps.told(steps.head)
    steps.close()
    return told.says if told is not None else ""


def test_the_list_knows_the_root_of_its_record(workspace: str) -> None:
    assert last_of(workspace) == "Read src/db.py"


def test_the_root_itself_keeps_its_name() -> None:
    told = Told(3, "tool", None, "LS /home/ann/orders/", "", 0, ())
    assert at_home(told, "/home/ann/orders") == told


def test_the_steps_are_there_though_nobody_knows_the_root(workspace: str) -> None:
    connection = sqlite3.connect(workspace)
    connection.execute("DROP TABLE local")
    connection.close()
    assert last_of(workspace) == f"Read {Path(workspace).parent}/src/db.py"
