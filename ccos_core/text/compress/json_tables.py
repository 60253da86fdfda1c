"""JSON with the keys of a list of objects written once, and long repeated strings too: the same value, still JSON.

    [{"id": 1, "ok": true}, {"id": 2, "ok": true}, {"id": 3, "ok": true}]
    → {"~how": "...", "~strings": [], "~value": {"~": [["id"], [1], [2], [3]], "~each": {"ok": true}}}

`restored` gives the value. The mark that is `~` here is made longer until no string of the original starts with it. The
text stays as it is if a number would not come back exactly, if an object has a key twice, and if there is no list of
objects: that may be a file which an agent edits by its lines.
"""

from __future__ import annotations

import json
import re
from collections import Counter
from collections.abc import Callable
from decimal import Decimal
from typing import Any

from ccos_core.text.compress.shortened import Gap, Shortened, marker
from ccos_core.values.tokens import estimate

LEAST_ROWS = 3
LEAST_FILLED_PERCENT = 60
"""Part of a table's cells that must have a value; other lists of objects stay."""
LEAST_GAIN_PERCENT = 15
LEAST_REPEATED_CHARACTERS = 16
"""A shorter string takes few tokens, and stays where it is."""
LEAST_GAIN_CHARACTERS = 12
LONGEST_MARK = 8
HOW = (
    "The same value in fewer tokens. {{{0}:[columns,row,...]}} is a list of objects, one for each row; a cell {0} means"
    " that its object lacks this key; {1} holds what every object of a list has. {2} followed by N is string N of {3},"
    " counted from 0. Original text: {4}"
)
_STRING = re.compile(r'"[^"\\]*(?:\\.[^"\\]*)*"')
_SURROGATE = re.compile("[\ud800-\udfff]")
_START = re.compile(r'\s*(?:\{\s*"|\[\s*\{)')
_NEXT_VALUE = re.compile(r"\}\r?\n\{")
_TILDES = re.compile('"(~*)')


def is_json(text: str) -> bool:
    """Tell whether a text looks like one JSON object or a list of them; lines of JSON are a log."""
    return text[-80:].rstrip()[-1:] in ("]", "}") and bool(_START.match(text)) and not _NEXT_VALUE.search(text)


def shorten_json(text: str, ref: str) -> Shortened | None:
    """Write lists of objects as tables, and repeated strings once; None if nothing is gained or it is no JSON."""
    if _SURROGATE.search(text):
        return None
    try:
        value = json.loads(text, parse_float=_exact, parse_constant=_refused)
        is_ascii = "\\u" in text  # what is written as an escape stays one
        plain = _dumped(value, is_ascii)
        if "\\u0022" in text or plain.count('"') != text.count('"'):
            return None  # a key stands twice: parsers differ on which one counts
        mark = _unused_mark(plain)
        table = _dumped(_tabled(value, mark), is_ascii)
    except (ValueError, ArithmeticError, RecursionError):
        return None
    if f'"{mark}":' not in table:
        return None
    gap = Gap(1, text.count("\n") + 1, size := estimate(text))
    strings, body = _referred(table, mark)
    said = HOW.format(f"'{mark}'", f"'{mark}each'", f"'{mark}'", f"'{mark}strings'", marker(ref, gap))
    short = f'{{"{mark}how":"{said}","{mark}strings":[{",".join(strings)}],"{mark}value":{body}}}'
    return Shortened("json", short, (gap,)) if estimate(short) * 100 <= size * (100 - LEAST_GAIN_PERCENT) else None


def restored(text: str) -> Any:
    """Return the value of a JSON text that was shortened."""
    told: dict[str, Any] = json.loads(text)
    mark = next(iter(told)).removesuffix("how")
    strings: list[str] = told[mark + "strings"]

    def string(said: str) -> str:
        return strings[int(said.removeprefix(mark))] if said.startswith(mark) else said

    def whole(value: Any) -> Any:
        if isinstance(value, str):
            return string(value)
        if isinstance(value, list):
            return [whole(each) for each in value]
        if not isinstance(value, dict):
            return value
        if mark not in value:
            return {string(key): whole(each) for key, each in value.items()}
        columns, *rows = value[mark]
        same = value.get(mark + "each", {})
        cells = [[(key, cell) for key, cell in zip(columns, row, strict=True) if cell != mark] for row in rows]
        return [whole({**same, **dict(row)}) for row in cells]

    return whole(told[mark + "value"])


# ---- helpers ----


def _dumped(value: Any, is_ascii: bool) -> str:
    return json.dumps(value, ensure_ascii=is_ascii, separators=(",", ":"), check_circular=False)


def _unused_mark(plain: str) -> str:
    """Return a run of tildes that starts no string."""
    mark = "~" * (1 + max(map(len, _TILDES.findall(plain)))) if '"~' in plain else "~"
    if len(mark) > LONGEST_MARK:
        raise ValueError("a mark would be longer than what it saves")
    return mark


def _exact(said: str) -> float:
    number = float(said)  # pure: written again as it was, or not at all
    if repr(number) != said and Decimal(repr(number)) != Decimal(said):
        raise ValueError("a number has more digits than are kept")
    return number


def _refused(said: str) -> float:
    raise ValueError(said)


def _tabled(value: Any, mark: str) -> Any:
    if isinstance(value, dict):
        return {key: _tabled(each, mark) if isinstance(each, dict | list) else each for key, each in value.items()}
    inner = [_tabled(each, mark) if isinstance(each, dict | list) else each for each in value]
    if len(inner) < LEAST_ROWS or not all(isinstance(each, dict) for each in value):
        return inner
    keys = dict.fromkeys(key for each in inner for key in each)
    filled = sum(map(len, inner))
    if mark in keys or not keys or filled * 100 < len(keys) * len(inner) * LEAST_FILLED_PERCENT:
        return inner
    same = {key: inner[0][key] for key in keys if _is_same([each.get(key, mark) for each in inner], mark)}
    columns = [key for key in keys if key not in same]
    table: dict[str, Any] = {mark: [columns, *([each.get(key, mark) for key in columns] for each in inner)]}
    return {**table, mark + "each": same} if same else table


def _is_same(cells: list[Any], mark: str) -> bool:
    """Tell whether all objects have one plain value: numbers that only compare equal, such as 1 and true, differ."""
    first = cells[0]
    if first == mark or not (first is None or isinstance(first, str | int)) or cells[-1] != first:
        return False
    return cells.count(first) == len(cells) and len(set(map(type, cells))) == 1


def _referred(table: str, mark: str) -> tuple[list[str], str]:
    """Return the strings that are worth writing once, and the text with references to them."""
    times = Counter(_STRING.findall(table))
    often = [
        said
        for said, count in times.items()
        if len(said) >= LEAST_REPEATED_CHARACTERS
        and not said.startswith(f'"{mark}')
        and (count - 1) * len(said) - count * (len(mark) + 6) >= LEAST_GAIN_CHARACTERS
    ]
    if not often:
        return [], table
    places = {said: f'"{mark}{at}"' for at, said in enumerate(often)}
    replace: Callable[[re.Match[str]], str] = lambda found: places.get(found[0], found[0])  # noqa: E731
    return often, _STRING.sub(replace, table)
