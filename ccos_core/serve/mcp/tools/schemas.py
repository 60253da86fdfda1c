"""Arguments and answers of tools as JSON Schema, in few words: hosts put them before their model with every request."""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any, TypeAlias

    Schema: TypeAlias = dict[str, Any]

BUDGET = 2_048
"""Tokens of a window, where nobody says otherwise; a test holds it to the engine's."""
LEAST_BUDGET, MOST_BUDGET = 64, 1_000_000
LONGEST_WORD, LONGEST_QUESTION, LONGEST_TEXT = 8_192, 200_000, 32_000_000
"""Characters of a name, of what a window is to be about, and of a source or an output."""
MOST_STEPS = 2**31 - 1
MOST_NAMES = 1_000
"""Entries of a list; an op takes more."""

TEXT: Schema = {"type": "string"}
NUMBER: Schema = {"type": "integer"}
FLAG: Schema = {"type": "boolean"}
LIST: Schema = {"type": "array"}
OBJECT: Schema = {"type": "object"}


def takes(*required: str, **arguments: Schema) -> Schema:
    """The arguments of a tool."""
    schema: Schema = {"type": "object", "properties": arguments, "additionalProperties": False}
    return {**schema, "required": list(required)} if required else schema


def gives(schema: str, **fields: Schema) -> Schema:
    """An answer that has these fields for certain, and maybe others."""
    return {
        "type": "object",
        "properties": {"schema": {"const": schema} if schema else TEXT, **fields},
        "required": ["schema", *fields],
    }


def word(says: str) -> Schema:
    """A name, a path, a question."""
    return {"type": "string", "description": says, "maxLength": LONGEST_WORD}


def text(says: str, longest: int = LONGEST_TEXT) -> Schema:
    """Somebody's own text."""
    return {"type": "string", "description": says, "maxLength": longest}


# Limits and defaults stand in the descriptions as well: some hosts take those keywords out before a model sees them.


def choice(says: str, *words: str, default: str | None = None) -> Schema:
    """One of a few words."""
    schema: Schema = {"type": "string", "description": _with_default(says, default), "enum": list(words)}
    return {**schema, "default": default} if default is not None else schema


def number(says: str, least: int, most: int = MOST_STEPS, default: int | None = None) -> Schema:
    """A whole number."""
    limits = f"{least} or more" if most == MOST_STEPS else f"{least} to {most}"
    said = _with_default(f"{says} {limits}.", default)
    schema: Schema = {"type": "integer", "description": said, "minimum": least, "maximum": most}
    return {**schema, "default": default} if default is not None else schema


def switch(says: str, *, default: bool = False) -> Schema:
    """Yes or no."""
    return {"type": "boolean", "description": _with_default(says, str(default).lower()), "default": default}


def conditions(says: str) -> Schema:
    """An object whose fields the tool reads itself."""
    return {"type": "object", "description": says}


def several(says: str) -> Schema:
    """Some names."""
    names: Schema = {"type": "string", "maxLength": LONGEST_WORD}
    return {"type": "array", "description": f"{says} At most {MOST_NAMES}.", "items": names, "maxItems": MOST_NAMES}


def _with_default(says: str, default: str | int | None) -> str:
    return says if default is None else f"{says} Default {default}."


def budget() -> Schema:
    """How much a window may take that is to be read."""
    return number("Size of the window in tokens.", LEAST_BUDGET, MOST_BUDGET, BUDGET)


def any_budget(says: str = "Size of the window in tokens.", default: int = BUDGET) -> Schema:
    """How much a window may take that is only asked about: as the questions of the catalogue, any from 1 on."""
    return number(says, 1, MOST_STEPS, default)
