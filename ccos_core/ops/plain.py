"""Ops as plain dicts: checked against the table, written as canonical bytes.

`unseal` reads any version ever written: a body of an older version of its kind goes through the upcasts first, so a
fold only meets the newest. The bytes in the record never change. On the hook's path: imports nothing heavier than
`values.canon`.
"""

from __future__ import annotations

from ccos_core.ops import table
from ccos_core.values.canon import LARGEST_INT, NotCanonical, canonical, digest, parse, parse_known

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping
    from typing import Any, TypeAlias

    Plain: TypeAlias = dict[str, Any]
    Upcast: TypeAlias = Callable[[Plain], Plain]

WIDENED = ("contradicted", "paged_out", "prompt", "recall", "superseded", "supported", "turn", "usage")
"""Kinds whose second version only has more optional fields (vocabulary 3)."""


def _widened(op: Plain) -> Plain:
    """Read an op of version 1 whose kind has got optional fields since."""
    return {**op, "v": 2}


UPCASTS: Mapping[tuple[str, int], Upcast] = {(kind, 1): _widened for kind in WIDENED}
"""(kind, version) → what makes the next version of it. An upcast gives a new dict and leaves alone what makes a
delivery one: kind, host, session, call and phase."""
KEY_BYTES = 16


LARGEST = 8 * 2**20
"""Bytes of one op. Texts lie in contents, so an op larger than this is a mistake, and no segment could hold many."""


class NotAnOp(ValueError):
    """The value isn't an op of the vocabulary; the text says which field, and what it should be."""


def seal(op: Plain) -> bytes:
    """The canonical bytes of an op, after checking every field of it."""
    check(op)
    try:
        body = canonical(op)
    except NotCanonical as error:
        raise NotAnOp(f"{op['kind']}: {error}") from error
    if len(body) > LARGEST:
        raise NotAnOp(f"{op['kind']} takes {len(body):,} bytes, and an op may have {LARGEST:,}")
    return body


def unseal(body: bytes, upcasts: Mapping[tuple[str, int], Upcast] = UPCASTS, *, known: bool = False) -> Plain:
    """The op whose canonical bytes these are, in any version ever written: brought up to the newest, and checked.
    `known` says that the chain was found to go through these very bytes."""
    try:
        op = parse_known(body) if known else parse(body)
        while type(op) is dict and (upcast := upcasts.get((str(op.get("kind")), _version(op)))):
            op = upcast(op)
    except NotCanonical as error:
        raise NotAnOp(str(error)) from error
    except (KeyError, TypeError) as error:
        raise NotAnOp(f"an older version that isn't whole ({type(error).__name__}: {error})") from error
    check(op)
    return op  # type: ignore[no-any-return]  # check() has just established the shape


def check(op: Any) -> None:
    """Raise unless `op` is exactly what the table allows."""
    if type(op) is not dict or type(op.get("kind")) is not str:
        raise NotAnOp("an op is an object with a kind")
    kind = op["kind"]
    if kind not in table.KINDS:
        raise NotAnOp(f"no kind of op is called {kind!r}")
    version, fields = table.KINDS[kind]
    if type(op.get("v")) is not int or op["v"] != version:
        raise NotAnOp(f"{kind} is written in version {version}, not {op.get('v')!r}")
    left = len(op) - len(table.SHARED)
    for name, form, required in fields + table.HEADER:
        if name in op:
            left -= 1
            value = op[name]
            if not required and not value and value in ((), []):
                raise NotAnOp(f"{kind}.{name} has nothing in it, so it should be left out")
            fits = _FORMS.get(form) or _fitting(form)
            if not fits(value):
                raise NotAnOp(f"{kind}.{name} should be {form}, not {_short(value)}")
        elif required:
            raise NotAnOp(f"{kind} needs {name}")
    if left:
        known = {name for name, _, _ in fields + table.HEADER} | set(table.SHARED)
        raise NotAnOp(f"{kind} has no field {', '.join(sorted(_short(name) for name in op if name not in known))}")


def delivery_key(op: Plain) -> bytes | None:
    """What makes two deliveries of one event the same: host, session, call and phase. None when no call is named."""
    if "call" not in op:
        return None
    phase = op.get("phase", op["kind"])
    return digest(canonical([op.get("host", ""), op.get("session", ""), op["call"], phase]))[:KEY_BYTES]


def blobs_of(op: Plain) -> Iterator[tuple[str, bytes]]:
    """The contents an op refers to, as (field, hash), in the order of the table."""
    for name, form, _ in table.fields_of(op["kind"]):
        if form in ("blob", "json") and name in op:
            yield name, bytes.fromhex(op[name]["blob"])


def _fitting(form: str) -> Any:
    """What fits a form that is a list of words."""
    fits = _FORMS[form] = _one_of(form.split("|"))
    return fits


def _one_of(words: list[str]) -> Any:
    return lambda value: type(value) is str and value in words


def _text(limit: int) -> Any:
    return lambda value: type(value) is str and len(value) <= limit


def _each(fits: Any) -> Any:
    return lambda value: type(value) in (list, tuple) and len(value) <= table.MOST and all(map(fits, value))


def _int(value: Any) -> bool:
    return type(value) is int and -LARGEST_INT <= value <= LARGEST_INT


def _count(value: Any) -> bool:
    return _int(value) and value >= 0


def _hash(value: Any) -> bool:
    return type(value) is str and len(value) == 64 and not value.strip("0123456789abcdef")


def _numbers(value: Any) -> bool:
    return (
        type(value) is dict and len(value) <= table.MOST and all(map(_word, value)) and all(map(_int, value.values()))
    )


def _span(value: Any) -> bool:
    return type(value) in (list, tuple) and len(value) == 2 and all(map(_int, value)) and 1 <= value[0] <= value[1]


def _row(*forms: Any) -> Any:
    return lambda value: (
        type(value) in (list, tuple)
        and len(value) == len(forms)
        and all(fits(cell) for fits, cell in zip(forms, value, strict=True))
    )


_REFERENCE = {
    "blob": _hash,
    "bytes": _count,
    "whole": _hash,
    "whole_bytes": _count,
    "head": _count,
    "dropped": _count,
}


def _reference(value: Any) -> bool:
    return (
        type(value) is dict
        and "blob" in value
        and "bytes" in value
        and all(name in _REFERENCE and _REFERENCE[name](part) for name, part in value.items())
    )


_word = _text(table.LONGEST["word"])
_path = _text(table.LONGEST["path"])
_node = _text(table.LONGEST["node"])
_line = _text(table.LONGEST["text"])

_FORMS: dict[str, Any] = {
    "int": _int,
    "flag": lambda value: type(value) is bool,
    "word": _word,
    "text": _line,
    "path": _path,
    "node": _node,
    "hash": _hash,
    "blob": _reference,
    "json": _reference,
    "span": _span,
    "texts": _each(_line),
    "paths": _each(_path),
    "nodes": _each(_node),
    "numbers": _numbers,
    "sites": _each(_row(_path, _int)),
    "items": _each(_row(_node, _word, _int)),
    "places": _each(_row(_node, _int, _int)),
    "findings": _each(_row(_word, _word, _int, _int)),
}


def _version(op: Plain) -> int:
    return op["v"] if type(op.get("v")) is int else 0


def _short(value: Any) -> str:
    if type(value) is int and not _int(value):
        return "an integer beyond 64 bits"
    if type(value) not in (str, int, bool, float, type(None)):
        return f"such a {type(value).__name__}"  # it may be nested without end
    text = repr(value[:60] if type(value) is str else value)
    return text if len(text) <= 60 else text[:57] + "..."
