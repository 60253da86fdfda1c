"""Answers as TOON: lists of records become tables even where a few fields hold lists, or an object or nothing.

A table of TOON has only plain cells. Two kinds of columns hold more, and any reader of TOON still reads the table:
a column `notes.json` has JSON in its cells (and an empty cell for an empty list), and the columns below `before.null`
are all null where the record has null instead of an object.

    >>> print(write({"steps": [{"step": 1, "notes": []}, {"step": 2, "notes": ["a"]}]}))
    steps[2]{step,notes.json}:
      1,""
      2,"[\\"a\\"]"
"""

from __future__ import annotations

import json
from collections.abc import Container, Sequence
from typing import Any

from ccos_core.serve.toon import NotToon, decode, encode

Record = dict[str, Any]
JSON, NULL = MARKS = (".json", ".null")
"""How the names of such columns end."""


def write(value: Any, hidden: Container[str] = "") -> str:
    """Write a JSON value as TOON, with such tables where they make it shorter."""
    texts = [encode(_with_tables(value), hidden)]
    if not _has_marks(value):  # else a reader would take its own names for marks
        texts.append(encode(value, hidden))
    return min(texts, key=len)


def read(text: str) -> Any:
    """Read what `write` wrote; raises `NotToon`."""
    try:
        return _without_tables(decode(text))
    except json.JSONDecodeError as error:
        raise NotToon(f"a cell isn't JSON: {error}") from error


def _with_tables(value: Any) -> Any:
    if isinstance(value, dict):
        return {key: _with_tables(each) for key, each in value.items()}
    if not isinstance(value, list):
        return value
    return _columns_written(value) if _are_records(value) else [_with_tables(each) for each in value]


def _without_tables(value: Any) -> Any:
    if isinstance(value, dict):
        return {key: _without_tables(each) for key, each in value.items()}
    if not isinstance(value, list):
        return value
    return [_record_read(each) for each in value] if _are_records(value) else [_without_tables(each) for each in value]


def _has_marks(value: Any) -> bool:
    if isinstance(value, dict):
        return any(key.endswith(MARKS) or _has_marks(each) for key, each in value.items())
    return isinstance(value, list) and any(map(_has_marks, value))


def _are_records(values: Sequence[Any]) -> bool:
    """Whether these are objects with the same fields, at least one of each."""
    first = values[0] if values else None
    if not isinstance(first, dict) or not first:
        return False
    return all(isinstance(each, dict) and each.keys() == first.keys() for each in values)


def _columns_written(records: Sequence[Record]) -> list[Record]:
    rows: list[Record] = [{} for _ in records]
    for key in records[0]:
        name, cells = _column(key, [record[key] for record in records])
        for row, cell in zip(rows, cells, strict=True):
            row[name] = cell
    return rows


def _column(key: str, cells: list[Any]) -> tuple[str, list[Any]]:
    if not key.endswith(MARKS):
        if not any(isinstance(cell, (dict, list)) for cell in cells):
            return key, cells
        objects = [cell for cell in cells if cell is not None]
        if _are_records(objects):
            rows = _columns_written(objects)
            if len(rows) == len(cells):
                return key, rows
            if not any(map(_is_null, rows)):
                rest, null = iter(rows), _nulls(rows[0])
                return f"{key}{NULL}", [null if cell is None else next(rest) for cell in cells]
    return f"{key}{JSON}", [_json_cell(cell) for cell in cells]


def _json_cell(cell: Any) -> Any:
    if not isinstance(cell, (dict, list, str)):
        return cell
    return "" if cell == [] else json.dumps(cell, ensure_ascii=False, separators=(",", ":"))


def _is_null(value: Any) -> bool:
    return all(map(_is_null, value.values())) if isinstance(value, dict) else value is None


def _nulls(value: Any) -> Any:
    return {key: _nulls(each) for key, each in value.items()} if isinstance(value, dict) else None


def _record_read(record: Record) -> Record:
    return dict(_field_read(key, cell) for key, cell in record.items())


def _field_read(key: str, cell: Any) -> tuple[str, Any]:
    if key.endswith(JSON):
        name = key.removesuffix(JSON)
        return name, cell if not isinstance(cell, str) else json.loads(cell) if cell else []
    name = key.removesuffix(NULL)
    if name != key and _is_null(cell):
        return name, None
    return name, _record_read(cell) if isinstance(cell, dict) else _without_tables(cell)
