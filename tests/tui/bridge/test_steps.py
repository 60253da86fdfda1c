"""The list of steps names files of the project in one way, however the host spelled them."""

from __future__ import annotations

import pytest

from ccos_core.query.telling import Told
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


def test_the_list_knows_the_root_of_its_record(demo: str) -> None:
    steps = Steps(demo)
    said = [told.says for step in range(1, steps.head + 1) if (told := steps.told(step))]
    steps.close()
    assert any(each.startswith("Read src/") for each in said)
    assert not any(" /home/ann/orders/" in each for each in said)


def test_the_root_itself_keeps_its_name() -> None:
    told = Told(3, "tool", None, "LS /home/ann/orders/", "", 0, ())
    assert at_home(told, "/home/ann/orders") == told
