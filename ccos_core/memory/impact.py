"""How much an entry matters by what it is, in thousandths: what a person corrects most, what is only read least."""

from __future__ import annotations

from ccos_core.memory.entry import Entry

CLASSES = {
    "correction": 1_000,
    "preference": 900,
    "failed-attempt": 900,
    "pattern": 900,
    "failed": 900,
    "decision": 800,
    "rule": 800,
    "anti-pattern": 800,
    "todo": 800,
    "governed": 800,
    "expired": 800,
    "labelled": 800,
    "retracted": 800,
    "superseded": 800,
    "passed": 600,
    "renamed": 600,
    "gone": 600,
    "said": 500,
    "fact": 500,
    "prompt": 500,
    "note": 400,
    "annotation": 400,
    "tool": 300,
}
"""Class → impact."""
TAGS = {"policy-violation": 1_000, "failure": 900, "governance": 800, "file-change": 600}
"""Tag → impact that an entry with it has at least."""
OTHERS = 200


def impact_of(entry: Entry) -> int:
    """Return the impact of an entry."""
    return max([CLASSES.get(entry.cls, OTHERS), *(TAGS[tag] for tag in entry.tags if tag in TAGS)])
