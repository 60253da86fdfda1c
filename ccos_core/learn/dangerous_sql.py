"""Which statement of a SQL text destroys whole tables: DROP, TRUNCATE, DELETE and UPDATE without WHERE."""

from __future__ import annotations

import re

_TEXTS = re.compile(r"'(?:[^']|'')*'|--[^\n]*|/\*.*?\*/", re.DOTALL)
_DROPS = re.compile(r"DROP (DATABASE|SCHEMA|TABLE|KEYSPACE|USER|ROLE|OWNED)\b")
_LOSES_COLUMN = re.compile(r"ALTER TABLE .* DROP COLUMN\b")


def danger_in_sql(text: str) -> str:
    """Return what a text destroys, as in `DROP TABLE`; empty for nothing, and for what is rolled back."""
    statements = [" ".join(each.split()).upper() for each in _TEXTS.sub("''", text).split(";")]
    if any(each.startswith("ROLLBACK") for each in statements) and not any(
        each.startswith(("COMMIT", "END")) for each in statements
    ):
        return ""
    return next(filter(None, map(_danger, statements)), "")


def _danger(statement: str) -> str:
    if (found := _DROPS.match(statement)) is not None:
        return f"DROP {found[1]}"
    if statement.startswith("TRUNCATE "):
        return "TRUNCATE"
    if _LOSES_COLUMN.match(statement):
        return "DROP COLUMN"
    if statement.startswith("DELETE FROM ") and " WHERE " not in statement:
        return "DELETE without WHERE"
    is_update = statement.startswith("UPDATE ") and " SET " in statement
    return "UPDATE without WHERE" if is_update and " WHERE " not in statement else ""
