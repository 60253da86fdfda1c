"""The one table of exit codes."""

from __future__ import annotations

from ccos_core.errors import CcosError, Damaged, NotFound, NotUnderstood, Refused, Unavailable, Usage

DONE = 0
NO = 1
USAGE = 2
NOT_UNDERSTOOD = 3
DAMAGED = 4
UNAVAILABLE = 5
DEFECT = 70
INTERRUPTED = 130

MEANING = {
    DONE: "done",
    NO: "no: not found, no match, or refused",
    USAGE: "usage: wrong or ambiguous arguments",
    NOT_UNDERSTOOD: "the input isn't in a form the command reads",
    DAMAGED: "the record is damaged: verify found a break",
    UNAVAILABLE: "busy, read-only, full, or no permission",
    DEFECT: "a bug in ccos-tui; the message names a report",
    INTERRUPTED: "interrupted",
}

_CODES: tuple[tuple[type[CcosError], int], ...] = (
    (Usage, USAGE),
    (NotFound, NO),
    (Refused, NO),
    (NotUnderstood, NOT_UNDERSTOOD),
    (Damaged, DAMAGED),
    (Unavailable, UNAVAILABLE),
)


def code_of(error: CcosError) -> int:
    """The exit code of an error's family."""
    return next((code for family, code in _CODES if isinstance(error, family)), NO)
