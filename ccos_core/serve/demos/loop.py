"""A scripted session, written by us: an agent goes round in a circle between two tests until the user stops it.

An invoice is due by its date, and the clock gives the date of another time zone. With `<=` one test fails, with `<` the
other; the agent changes this one comparison again and again, and never reads the clock.
"""

from __future__ import annotations

from ccos_core.serve.demos.telling import Told

START = 1_773_738_900_000  # 2026-03-17 09:15:00 UTC
CWD = "/home/noor/ledger"

DUE = '''"""When invoices are due."""

from ledger.clock import now


def is_due(invoice):
    """Whether an invoice has to be paid by now: from the morning of its due date on."""
    return invoice.due < now().date()


def overdue(invoices):
    """Those that are due and unpaid, the oldest first."""
    return sorted((each for each in invoices if is_due(each) and not each.paid), key=lambda each: each.due)
'''
CLOCK = '''"""The time, as everything in here has it. Tests set it with `stand_at`."""

from datetime import datetime, timezone
from zoneinfo import ZoneInfo

OFFICE = ZoneInfo("America/Toronto")
_stands = None


def now():
    """The time in the office."""
    return (_stands or datetime.now(OFFICE)).astimezone(timezone.utc)


def stand_at(said):
    """Stop the clock at a local time of the office."""
    global _stands
    _stands = datetime.fromisoformat(said).replace(tzinfo=OFFICE)
'''
TESTS = """from datetime import date

from ledger.clock import stand_at
from ledger.due import is_due
from ledger.invoices import Invoice


def test_due_at_noon_of_its_date():
    stand_at("2026-03-01T12:00")
    assert is_due(Invoice("a", date(2026, 3, 1)))


def test_not_due_the_evening_before():
    stand_at("2026-03-01T23:30")
    assert not is_due(Invoice("b", date(2026, 3, 2)))
"""
INVOICES = '''"""Invoices."""

from dataclasses import dataclass
from datetime import date


@dataclass
class Invoice:
    id: str
    due: date
    paid: bool = False
'''
COMMAND = "pytest -q tests/test_due.py"
NOON = ("test_due_at_noon_of_its_date", "is_due(Invoice('a', date(2026, 3, 1)))", 10, "F.", "2026-03-01T12:00",
        "assert is_due(Invoice(\"a\", date(2026, 3, 1)))", "assert False")  # fmt: skip
EVENING = ("test_not_due_the_evening_before", "is_due(Invoice('b', date(2026, 3, 2)))", 15, ".F", "2026-03-01T23:30",
           "assert not is_due(Invoice(\"b\", date(2026, 3, 2)))", "assert not True")  # fmt: skip
PASSED = "..                                                                       [100%]\n2 passed in 0.04s\n"
BELOW, NOT_ABOVE = "return invoice.due < now().date()", "return invoice.due <= now().date()"
THOUGHTS = (
    ("On its date an invoice is due, so the comparison has to let the same day in.", NOT_ABOVE, EVENING),
    ("Now the evening before counts as due. The comparison is too wide: the same day must stay out.", BELOW, NOON),
    ("Noon fails again. The first version with <= was right about noon; perhaps the evening test is wrong.", NOT_ABOVE,
     EVENING),
    ("The evening test is what the user asked for, so < it is. Maybe the cache of pytest was in the way before.", BELOW,
     NOON),
    ("It must be <=, an invoice is due on its date. I'll apply it once more and look at the result closely.", NOT_ABOVE,
     EVENING),
)  # fmt: skip
SAYS = (
    "An invoice is due on its date, so I let the day itself in.",
    "That made the evening before due. Back to a strict comparison.",
    "Noon needs the day itself. I'll change the comparison again.",
    "The evening test needs it strict. Changing it back.",
    "Let me try once more with the day included.",
)


def transcript() -> str:
    """The session as Claude Code keeps it."""
    told = Told("loop", CWD, "main", START)
    told.user(
        "Reminders go out a day early for some customers, and on the due date itself some invoices aren't due. "
        "tests/test_due.py has both cases. Make them pass.",
        after=0,
    )
    told.say("I'll look at the tests and at how a due date is compared.")
    told.read("tests/test_due.py", TESTS).read("ledger/due.py", DUE).read("ledger/invoices.py", INVOICES)
    told.run(COMMAND, failure(*NOON), fails=True)
    before = BELOW
    for (thought, after, fails), said in zip(THOUGHTS, SAYS, strict=True):
        told.think(thought).say(said).edit("ledger/due.py", before, after)
        told.run(COMMAND, failure(*fails), fails=True)
        before = after
    told.think("Strict again, then. One of the two has to give.")
    told.edit("ledger/due.py", NOT_ABOVE, BELOW)
    told.interrupt()
    told.user(
        "Stop. You have changed that one comparison six times, and each time the other test fails. What does now() "
        "return, and in which time zone?",
        after=25,
    )
    told.think("I never read ledger/clock.py. If now() isn't local, its date is another one late in the evening.")
    told.read("ledger/clock.py", CLOCK)
    told.think(
        "now() converts to UTC: 23:30 in Toronto is 04:30 of the next day, so the evening before is already the due "
        "date. No comparison can mend that. The clock should stay in the office's zone, and <= is right."
    )
    told.say("The clock gives UTC: at 23:30 in Toronto its date is tomorrow's. The comparison was never the cause.")
    told.edit("ledger/clock.py", "(_stands or datetime.now(OFFICE)).astimezone(timezone.utc)",
              "(_stands or datetime.now(OFFICE)).astimezone(OFFICE)")  # fmt: skip
    told.edit("ledger/clock.py", "from datetime import datetime, timezone\n", "from datetime import datetime\n")
    told.edit("ledger/due.py", BELOW, NOT_ABOVE)
    told.run(COMMAND, PASSED)
    told.say(
        "Both tests pass: now() stays in the office's time zone, and an invoice is due from its date on.", ends=True
    )
    return told.text


def failure(test: str, call: str, line: int, dots: str, at: str, source: str, error: str) -> str:
    """What pytest prints where one of the two tests fails."""
    heading = f" {test} ".center(80, "_")
    return (
        f"{dots}                                                                       [100%]\n"
        f'{" FAILURES ".center(80, "=")}\n{heading}\n\n    def {test}():\n        stand_at("{at}")\n>       {source}\n'
        f"E       {error}\nE        +  where {error.rsplit(' ', 1)[1]} = {call}\n\n"
        f"tests/test_due.py:{line}: AssertionError\n"
        f"{' short test summary info '.center(80, '=')}\nFAILED tests/test_due.py::{test} - {error}\n"
        "1 failed, 1 passed in 0.05s\n"
    )
