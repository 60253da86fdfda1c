"""The interpreters this program has, as an epoch pins them, and those a record pins.

Whatever stands between a content and a state is in one table: a language's outliner, the readers of outputs, the
resolvers, the fold, the token estimate, the version of Unicode that the gate goes by. Loads no grammar; the readers
only when all of it is asked for.
"""

from __future__ import annotations

from collections.abc import Mapping

from ccos_core.ops.plain import unseal
from ccos_core.storage.record import Record
from ccos_core.text.sanitize import unicode_tables
from ccos_core.text.syntax import languages, resolution
from ccos_core.values import tokens

FOLD = 9
"""Of the fold: it goes up whenever the same ops and facts may give another state."""

EPOCH = b'"kind":"epoch"'
"""In no op but an epoch: inside a text its quotes would be escaped."""


def current() -> dict[str, int]:
    """Every interpreter's version, as `init` and `upgrade` pin them."""
    from ccos_core.intake import calls, failures

    return {
        **languages.interpreters(),
        "calls": calls.VERSION,
        "failures": failures.VERSION,
        "fold": FOLD,
        "resolve": resolution.VERSION,
        "tokens": tokens.VERSION,
        "unicode": unicode_tables.EPOCH,
    }


def pinned(record: Record) -> Mapping[str, int]:
    """What the record's last epoch pins; nothing, if it was written before epochs did."""
    query = "SELECT body FROM op WHERE instr(body, ?) ORDER BY step DESC LIMIT 1"
    bodies = [body for (body,) in record.ask(query, (EPOCH,))]
    bodies = bodies or [body for _, _, body in record.rows(1, record.floor(), tolerant=True) if EPOCH in body]
    told: Mapping[str, int] = unseal(bodies[-1])["interpreters"] if bodies else {}
    return told
