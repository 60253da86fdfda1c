"""Arguments as a tool's schema wants them: checked, and with its defaults filled in.

The part of JSON Schema that our tools use, and no more: `KEYWORDS` says which. What doesn't fit is told with the
argument's name and, where there is one, the value that was probably meant.
"""

from __future__ import annotations

from ccos_core.serve.mcp.offer import Wrong

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping
    from typing import Any

CHECKED = ("type", "enum", "minimum", "maximum", "minLength", "maxLength", "items", "minItems", "maxItems",
           "properties", "required", "additionalProperties", "default")  # fmt: skip
SAID = ("title", "description", "examples")
"""For those who read it; they allow and forbid nothing."""
KEYWORDS = (*CHECKED, *SAID)

KINDS: dict[str, tuple[str, tuple[type, ...]]] = {
    "string": ("a string", (str,)),
    "integer": ("an integer", (int,)),
    "number": ("a number", (int, float)),
    "boolean": ("true or false", (bool,)),
    "array": ("a list", (list,)),
    "object": ("an object", (dict,)),
    "null": ("null", (type(None),)),
}


def filled(schema: Mapping[str, Any], arguments: Mapping[str, Any], inside: str = "") -> dict[str, Any]:
    """The arguments, checked, with defaults for what wasn't said. Raises `Wrong`."""
    known: Mapping[str, Any] = schema.get("properties", {})
    if schema.get("additionalProperties") is False:
        for name in arguments:
            if name not in known:
                raise Wrong(inside + name[:80], f"there is no such argument; {_all(known)}.", nearest(name, known))
    for name in schema.get("required", ()):
        if name not in arguments:
            raise Wrong(inside + name, "is required.")
    given = {name: fitting(part, arguments[name], inside + name) for name, part in known.items() if name in arguments}
    defaults = {name: part["default"] for name, part in known.items() if "default" in part and name not in arguments}
    others = {name: value for name, value in arguments.items() if name not in known}
    return {**given, **defaults, **others}


def _all(known: Mapping[str, Any]) -> str:
    return "there are: " + ", ".join(known) if known else "there are none"


def fitting(schema: Mapping[str, Any], value: Any, name: str) -> Any:
    """A value as its schema wants it. Raises `Wrong`."""
    kind = _kind(schema, value, name)
    if "enum" in schema and value not in schema["enum"]:
        choices = ", ".join(map(str, schema["enum"]))
        raise Wrong(name, f"must be one of: {choices}.", nearest(str(value), map(str, schema["enum"])))
    if kind in ("integer", "number"):
        _bounded(schema, value, name)
        return int(value) if kind == "integer" else value
    if kind in ("string", "array"):
        _sized(schema, value, name, "Length" if kind == "string" else "Items")
    if kind == "array" and "items" in schema:
        return [fitting(schema["items"], item, f"{name}[{at}]") for at, item in enumerate(value)]
    return filled(schema, value, f"{name}.") if kind == "object" else value


def nearest(word: str, known: Iterable[str]) -> str:
    """The one that was probably meant; empty where none is near."""
    from difflib import get_close_matches

    near = get_close_matches(word[:80], list(known), 1)
    return near[0] if near else ""


def strangers(schema: Mapping[str, Any]) -> Iterator[str]:
    """Yield the keywords of a schema that aren't checked here."""
    for keyword, value in schema.items():
        if keyword not in KEYWORDS:
            yield keyword
        elif keyword == "properties":
            for part in value.values():
                yield from strangers(part)
        elif keyword == "items":
            yield from strangers(value)


def _kind(schema: Mapping[str, Any], value: Any, name: str) -> str:
    """Which of the types it may have the value has; empty where any will do."""
    wanted = schema.get("type", ())
    kinds = (wanted,) if isinstance(wanted, str) else tuple(wanted)
    fits = next((kind for kind in kinds if _is(kind, value)), "")
    if kinds and not fits:
        said = " or ".join(KINDS[kind][0] for kind in kinds)
        raise Wrong(name, f"must be {said}, not {_called(value)}.", _meant(kinds[0], value))
    return fits


def _is(kind: str, value: Any) -> bool:
    """`1.0` is an integer, says JSON Schema, and `true` isn't a number."""
    if isinstance(value, bool):
        return kind == "boolean"
    return isinstance(value, KINDS[kind][1]) or (kind == "integer" and isinstance(value, float) and value.is_integer())


def _called(value: Any) -> str:
    return next(
        KINDS[kind][0] for kind in ("null", "boolean", "string", "number", "array", "object") if _is(kind, value)
    )


def _meant(kind: str, value: Any) -> str:
    """The value of the right type that reads the same."""
    if kind == "string" and isinstance(value, int | float):
        return f'"{value}"'
    if kind == "boolean" and str(value).lower() in ("true", "false"):
        return str(value).lower()
    if kind in ("integer", "number") and isinstance(value, str) and len(value) < 20:
        return value.strip() if value.strip().lstrip("-").isdecimal() else ""
    return ""


def _bounded(schema: Mapping[str, Any], value: float, name: str) -> None:
    if "minimum" in schema and value < schema["minimum"]:
        raise Wrong(name, f"must be at least {schema['minimum']}.", str(schema["minimum"]))
    if "maximum" in schema and value > schema["maximum"]:
        raise Wrong(name, f"must be at most {schema['maximum']}.", str(schema["maximum"]))


def _sized(schema: Mapping[str, Any], value: str | list[Any], name: str, what: str) -> None:
    unit = "characters" if what == "Length" else "entries"
    if len(value) < schema.get("min" + what, 0):
        raise Wrong(name, f"must have at least {schema['min' + what]} {unit}.")
    if len(value) > schema.get("max" + what, len(value)):
        raise Wrong(name, f"has {len(value)} {unit}; at most {schema['max' + what]} are allowed.")
