"""Sums over the rows that no chain proves: facts, and notes of deliveries.

A sum of digests doesn't depend on their order, so a transaction adds what it inserts and takes away what it deletes,
and `verify` notices a row that came or went otherwise. Who can write the file can compute the sums anew, like the whole
chain. They stand in `local`; a record without them gets them with its next such row. On the hook's path.
"""

from __future__ import annotations

from ccos_core.values.canon import digest

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any, TypeAlias

    from ccos_core.storage.record import Record

    Sums: TypeAlias = dict[str, tuple[int, int]]

NAME = "sums"
"""What they are called in `local`."""
TABLES = ("fact", "delivery")
MODULUS = 2**256
ROWS = "SELECT 'fact', digest, 0 FROM fact UNION ALL SELECT 'delivery', key, step FROM delivery"
WITH_SUMS = "SELECT 'sums', value, 0 FROM local WHERE name = 'sums' UNION ALL " + ROWS  # noqa: S608 (ours)
"""All at one moment: somebody may be writing."""


def add(sums: Sums, table: str, name: Any, step: Any = 0, sign: int = 1) -> None:
    """Count a row in, or out with a `sign` of -1: a fact by its digest, a delivery by its key and step."""
    count, total = sums.get(table, (0, 0))
    row = digest(
        f"{table} {name.hex() if type(name) is bytes else name!r} {step!r}".encode("utf-8", "backslashreplace")
    )
    sums[table] = count + sign, (total + sign * int.from_bytes(row)) % MODULUS


def renewed(stored: Any, changes: Sums, record: Record) -> str | None:
    """What is to be stored after `changes`, which are in the tables already; None to leave what isn't ours."""
    if stored is None:
        return spelled(counted(record.ask(ROWS)))
    before = parsed(stored)
    if before is None:
        return None
    added = {table: (before[table][0] + count, before[table][1] + total) for table, (count, total) in changes.items()}
    return spelled({**before, **added})


def counted(rows: list[tuple[Any, ...]]) -> Sums:
    """The sums over rows as ROWS gives them."""
    sums: Sums = {}
    for table, name, step in rows:
        add(sums, table, name, step)
    return sums


def spelled(sums: Sums) -> str:
    """As text: `21:HEX 3:HEX`."""
    return " ".join(f"{count}:{total % MODULUS:064x}" for count, total in (sums.get(each, (0, 0)) for each in TABLES))


def parsed(stored: Any) -> Sums | None:
    """The sums of such a text; None where it is none."""
    try:
        told = [each.split(":") for each in stored.split(" ")]
        return {table: (int(count), int(total, 16)) for table, (count, total) in zip(TABLES, told, strict=True)}
    except (AttributeError, TypeError, ValueError):
        return None
