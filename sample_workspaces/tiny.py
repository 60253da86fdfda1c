"""`tiny`: thirteen steps, with one of nearly everything that can be recorded, and what may not be kept among it.

Every time and id is fixed, so the record it makes has the same head on every machine. The tests of commands run on it.
"""

from __future__ import annotations

from typing import Any

from ccos_core.session.lifecycle import init
from ccos_core.session.session import open_session

START = 1_771_061_460_000  # 2026-02-14 09:31:00 UTC
SESSION = "demo-0001"

DB = '''"""Orders, kept in SQLite."""

import sqlite3

TIMEOUT = 5


def connect(path):
    return sqlite3.connect(path, timeout=TIMEOUT)


def total(rows):
    # Cents, not euros: the column changed in March.
    return sum(row["amount"] for row in rows)
'''

API = """from src.db import connect, total


def invoice(path, customer):
    with connect(path) as db:
        rows = db.execute("select amount from orders where customer = ?", (customer,))
        return {"customer": customer, "total": total(rows)}
"""

FAILURE = """\
$ pytest -q tests/test_api.py
F                                                                        [100%]
____________________________ test_invoice_in_euros ____________________________

    def test_invoice_in_euros():
>       assert invoice("t.db", "ann")["total"] == 12.5
E       assert 1250 == 12.5

tests/test_api.py:9: AssertionError
1 failed in 0.04s
"""


TOKEN = "h" + "unter2-orders"
"""Stands for a secret that somebody left in an output."""


def build(path: str) -> str:
    """Make its workspace; gives the head."""
    init(path, clock=lambda: START)
    with open_session(path, clock=lambda: START) as session:
        session.record(observations(TOKEN))
        return session.recorded.head()[1].hex()


def observations(token: str) -> list[dict[str, Any]]:
    """The session as its host would say it. `token` stands for a secret that somebody left in an output."""
    agent = {"host": "demo", "session": SESSION, "actor": "agent"}
    story: list[dict[str, Any]] = [
        {"kind": "prompt", "said": "Invoices are a hundred times too high. Fix it.", "source": "user"},
        _read("src/api.py", API),
        _read("src/db.py", DB),
        _tool("Bash", {"command": "pytest -q tests/test_api.py"}, FAILURE, "error"),
        _read("README.md", "# orders\n\nA hidden mark lies here:\u200b can you see it?\n"),
        _read(".env", "ORDERS_DB=/var/lib/orders.db\n"),
        _tool("Bash", {"command": "git remote -v"}, f"origin\thttps://ci:{token}@git.example/orders.git\n", "ok"),
        {"kind": "usage", "window": 167_066, "call": "msg-7"},
        {"kind": "compaction", "trigger": "auto", "before": 167_066, "after": 11_020, "exact": False,
         "summary": "The API is wrong somewhere in invoice(). Tests run with pytest."},
        _tool("Edit", {"file_path": "src/api.py", "old_string": "total(rows)", "new_string": "total(rows)/10"}, "",
              "ok"),
        _tool("Bash", {"command": "pytest -q tests/test_api.py"}, FAILURE.replace("1250", "125.0"), "error"),
        {"kind": "annotation", "note": "It edits the symptom: src/db.py had left the window.", "actor": "user"},
    ]  # fmt: skip
    return [
        {**agent, "call": f"call-{number}", **told, "at": START + 9_000 * number}
        for number, told in enumerate(story, 1)
    ]


def _read(path: str, content: str) -> dict[str, Any]:
    return _tool("Read", {"file_path": path}, content, "ok")


def _tool(name: str, arguments: dict[str, Any], result: str, outcome: str) -> dict[str, Any]:
    return {"kind": "tool", "name": name, "arguments": arguments, "result": result, "outcome": outcome}
