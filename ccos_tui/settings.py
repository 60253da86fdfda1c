"""What a reader may want otherwise: a pure function of the text of a file, and of a change to it.

The file is TOML and may hold any of the names below; nothing has to be there. What isn't understood is told and left
out, so that a typing mistake never keeps anybody from looking at a session.
"""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, fields
from difflib import get_close_matches
from typing import Any

from ccos_tui.focus import DEFAULT_BUDGET, THEIRS
from ccos_tui.keys import ACTIONS, BY_ID


@dataclass(frozen=True, slots=True)
class Settings:
    """Each with what it is where nobody says otherwise."""

    theme: str = "recorder"
    """One of our themes, or of Textual's."""

    ascii: bool = False
    """Plain letters instead of signs and blocks, also where the terminal could show them."""

    mouse: bool = True
    budget: int = DEFAULT_BUDGET
    """Tokens of the windows, to begin with."""

    lens: str = THEIRS
    """Which window, to begin with; the suggested one where none of the agent is recorded."""

    keys: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    """Action → its keys, for those that are to have other ones."""


SAID = {
    "theme": "recorder, paper, contrast, blue-orange, or a theme of Textual",
    "ascii": "draw with ASCII characters only",
    "mouse": "use the mouse; a key switches it off and on",
    "budget": "initial size of the windows, in tokens",
    "lens": "initial window: host (the agent's, where it is recorded), working-set (suggested), both",
}
"""Setting → what it does, for the template and the screen."""
TYPES = {"theme": str, "ascii": bool, "mouse": bool, "budget": int, "lens": str}
LARGEST = 2**31 - 1
"""The most tokens a window can be asked with."""
_TABLE = re.compile(r"^\s*\[", re.MULTILINE)


def read(text: str) -> tuple[Settings, list[str]]:
    """(the settings of a file, what of it wasn't understood)."""
    try:
        said = tomllib.loads(text)
    except (ValueError, RecursionError) as error:  # also numbers and brackets without end
        return Settings(), [f"isn't TOML: {error}"]
    troubles: list[str] = []
    found: dict[str, Any] = {}
    for name, value in said.items():
        if name == "keys" and isinstance(value, dict):
            found["keys"] = dict(_keys(value, troubles))
        elif name == "keys":
            troubles.append("keys must be a table: a line [keys], then one line per action")
        elif name not in TYPES:
            troubles.append(f"there is no setting {name!r}{_near(name, [*TYPES, 'keys'])}")
        elif type(value) is not TYPES[name] or (name == "budget" and value not in range(1, LARGEST + 1)):
            troubles.append(f"{name} can't be {value!r}; it means: {SAID[name]}")
        else:
            found[name] = value
    return Settings(**found), troubles


def _keys(said: Mapping[str, Any], troubles: list[str]) -> Iterator[tuple[str, tuple[str, ...]]]:
    for id_, value in said.items():
        keys = (value,) if isinstance(value, str) else tuple(value) if isinstance(value, list) else ()
        if id_ not in BY_ID:
            troubles.append(f"there is no action {id_!r}{_near(id_, list(BY_ID))}")
        elif not keys or not all(isinstance(key, str) and key.strip() for key in keys):
            troubles.append(f"the keys of {id_} must be key names, such as {list(BY_ID[id_].keys)}")
        else:
            yield id_, tuple(key.strip() for key in keys)


def theme_trouble(theme: str, known: list[str]) -> list[str]:
    """What is wrong with the name of a theme, if anything is; only who draws knows which there are."""
    return [] if theme in known else [f"there is no theme {theme!r}{_near(theme, known)}"]


def changed(text: str, name: str, value: str | bool | int) -> str:
    """The text of the file with one setting said otherwise; everything else in it stays as it is."""
    line = f"{name} = {_spelled(value)}"
    table = _TABLE.search(text)
    head, rest = (text[: table.start()], text[table.start() :]) if table else (text, "")
    pattern = re.compile(rf"^[ \t]*{re.escape(name)}[ \t]*=.*$", re.MULTILINE)
    if pattern.search(head):
        head = pattern.sub(lambda _: line, head, count=1)
    else:
        head = (head.rstrip("\n") + "\n" if head.strip() else "") + line + "\n" + ("\n" if rest else "")
    return head + rest


def template() -> str:
    """A file that says of everything what it is, with every line a remark."""
    lines = ["# Settings of ccos-tui. Remove the # of a line to change it; every line is optional.", ""]
    for each in fields(Settings):
        if each.name != "keys":
            lines += [f"# {SAID[each.name]}", f"# {each.name} = {_spelled(getattr(Settings(), each.name))}", ""]
    lines += ["# Keys by action. Press ? in ccos-tui to see what each action does.", "[keys]"]
    lines += [f"# {each.id} = [{', '.join(map(_spelled, each.keys))}]" for each in ACTIONS]
    return "\n".join(lines) + "\n"


def _spelled(value: str | bool | int) -> str:
    if isinstance(value, bool):
        return "true" if value else "false"
    return str(value) if isinstance(value, int) else '"' + value.replace("\\", "\\\\").replace('"', '\\"') + '"'


def _near(name: str, known: list[str]) -> str:
    near = get_close_matches(name, known, 1)
    return f"; did you mean {near[0]!r}?" if near else ""
