"""A scripted session, written by us: an agent loses the cause of a failing test out of its sight, and finds it again.

Orders are kept in cents since March, and one comment says so, in a file the agent reads at the beginning. Then it reads
much else, its window is compacted, and it repairs what isn't broken until somebody asks the right question. Told as the
transcript of an agent nobody knows (`docs/TRANSCRIPTS.md`), with every time fixed, so that the record it makes has the
same head on every machine.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from ccos_core.intake.importers import generic
from ccos_core.intake.importers.record import Record

START = 1_771_061_460_000  # 2026-02-14 09:31:00 UTC
SESSION, CWD = "demo-0001", "/home/ann/orders"

DB = '''"""Orders, kept in SQLite."""

import sqlite3

TIMEOUT = 5


def connect(path):
    return sqlite3.connect(path, timeout=TIMEOUT)


def total(rows):
    # Cents, not euros: the column changed in March.
    return sum(row["amount"] for row in rows)
'''

API = '''"""What others may ask for."""

from src.db import connect, total


def invoice(path, customer):
    """All that a customer owes, in euros."""
    with connect(path) as db:
        rows = db.execute("select amount from orders where customer = ?", (customer,))
        return {"customer": customer, "total": total(rows)}
'''

TEST = """from src.api import invoice


def test_invoice_in_euros():
    assert invoice("t.db", "ann")["total"] == 12.5
"""

MODULE = '''"""{Name} of an order: how they are made, checked and shown."""

from src.money import rounded
from src.text import heading, table


class {Name}:
    """The {name} of one order."""

    def __init__(self, order, rows):
        self.order = order
        self.rows = list(rows)

    def checked(self):
        """Refuse what can't be: a {name} without a row, or with one of another order."""
        if not self.rows:
            raise ValueError(f"{{self.order}} has no {name}")
        for row in self.rows:
            if row["order"] != self.order:
                raise ValueError(f"{{row['id']}} is of another order than {{self.order}}")
        return self

    def total(self):
        """What it comes to, as it is written on paper."""
        return rounded(sum(row["{name}_amount"] for row in self.rows))

    def shown(self, width=72):
        """A page of it."""
        lines = [(row["id"], row["what"], rounded(row["{name}_amount"])) for row in self.rows]
        return heading(self.order, width) + table(lines, width)


def {name}_of(db, order):
    """The {name} that was recorded with an order."""
    rows = db.execute("select * from {name} where order_id = ? order by id", (order,))
    return {Name}(order, rows).checked()


def {name}_between(db, first, last):
    """Those of all orders between two days, by customer."""
    found = {{}}
    for row in db.execute("select * from {name} where day >= ? and day <= ?", (first, last)):
        found.setdefault(row["customer"], []).append(row)
    return {{customer: {Name}(customer, rows) for customer, rows in found.items()}}
'''
"""The other sources: all alike, and none of them to blame."""
OTHERS = ("shipping", "discounts", "refunds", "vouchers", "reminders", "payments", "deposits", "surcharges")

SUMMARY = "The API is wrong somewhere in invoice(). Tests run with pytest; test_invoice_in_euros fails."


def transcript(token: str) -> list[dict[str, Any]]:
    """The session, line by line. `token` stands for a secret that somebody left in an output."""
    told = _Told()
    told.say("session", id=SESSION, agent="demo", cwd=CWD, model="some-model", title="Invoices too high")
    told.say("prompt", text="Invoices are a hundred times too high. Fix it.")
    told.read("src/api.py", API)
    told.read("src/db.py", DB)
    told.read("tests/test_api.py", TEST)
    told.tests("1250")
    told.say("usage", window=24_310)
    told.call("git remote -v", f"origin\thttps://ci:{token}@git.example/orders.git\n")
    told.read("README.md", "# orders\n\nA hidden mark lies here:\u200b can you see it?\n")
    told.read(".env", "ORDERS_DB=/var/lib/orders.db\n")
    for number, name in enumerate(OTHERS, 1):
        told.read(f"src/{name}.py", MODULE.format(name=name, Name=name.capitalize()))
        told.say("usage", window=24_310 + 17_900 * number)
    told.say("compaction", trigger="auto", before=167_510, after=11_020, summary=SUMMARY)
    told.read("src/api.py", API)
    told.edit("src/api.py", "total(rows)}", "total(rows) / 10}")
    told.tests("125.0")
    told.edit("src/api.py", "total(rows) / 10}", "rounded(total(rows)) / 10}")
    told.edit("src/api.py", "import connect, total\n", "import connect, total\nfrom src.money import rounded\n")
    told.tests("125")
    told.say("prompt", text="It is still wrong. What does the column hold?")
    told.read("src/db.py", DB)
    told.edit("src/db.py", 'sum(row["amount"] for row in rows)', 'sum(row["amount"] for row in rows) / 100')
    told.edit("src/api.py", "rounded(total(rows)) / 10}", "total(rows)}")
    told.edit("src/api.py", "from src.money import rounded\n", "")
    told.call("pytest -q tests/test_api.py", "1 passed in 0.03s\n")
    told.say("turn", text="The column holds cents since March; total() gives euros now.", stop="end")
    return told.lines


def observations(token: str) -> Iterator[dict[str, Any]]:
    """The same as an import tells it."""
    reader = generic.FORMAT.reader(SESSION)
    for number, line in enumerate(transcript(token), 1):
        yield from reader.feed(Record(number, line))


class _Told:
    """A transcript in the making, nine seconds from line to line."""

    def __init__(self) -> None:
        self.lines: list[dict[str, Any]] = []

    def say(self, kind: str, **fields: Any) -> None:
        number = len(self.lines)
        self.lines.append({"kind": kind, "id": f"line-{number}", "at": START + 9_000 * number, **fields})

    def call(self, command: str, printed: str, outcome: str = "ok") -> None:
        self._called("Bash", {"command": command}, printed, outcome)

    def read(self, path: str, text: str) -> None:
        self._called("Read", {"file_path": path}, text, "ok", kind="read", path=path, text=text, whole=True)

    def edit(self, path: str, old: str, new: str) -> None:
        arguments = {"file_path": path, "old_string": old, "new_string": new}
        self._called("Edit", arguments, "edited", "ok", kind="edit", path=path, old=old, new=new)

    def tests(self, got: str) -> None:
        """The run of the tests that fails."""
        self.call("pytest -q tests/test_api.py", FAILURE.replace("1250", got), "error")

    def _called(self, name: str, arguments: dict[str, str], printed: str, outcome: str, **did: Any) -> None:
        call = f"call-{len(self.lines)}"
        self.say("call", id=call, name=name, arguments=arguments)
        if did:
            self.say(did.pop("kind"), call=call, **did)
        self.say("result", call=call, outcome=outcome, text=printed)


FAILURE = """\
$ pytest -q tests/test_api.py
F                                                                        [100%]
____________________________ test_invoice_in_euros ____________________________

    def test_invoice_in_euros():
>       assert invoice("t.db", "ann")["total"] == 12.5
E       AssertionError: assert 1250 == 12.5

tests/test_api.py:5: AssertionError
FAILED tests/test_api.py::test_invoice_in_euros - AssertionError: assert 1250 == 12.5
1 failed in 0.04s
"""
