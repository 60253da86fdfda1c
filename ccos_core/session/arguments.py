"""A tool call's arguments at the gate: foreign JSON, cleaned leaf by leaf and written in one spelling.

Walked, not searched: a secret under a key that says so is masked whatever it looks like, a path is recognised as a
path, a command line is split into its words. Floats and nulls are allowed here, since this is text to be kept and
not a value of ours. On the hook's path.
"""

from __future__ import annotations

import json
import re

from ccos_core.session.bounds import LARGEST_BLOB, bounded_blob, bounded_line
from ccos_core.text.sanitize import clean, is_secret_name, mask_value
from ccos_core.values.canon import LARGEST_INT

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from typing import Any

    from ccos_core.session.bounds import Finding

DEEPEST = 50
LARGEST_LEAF = 256 * 2**10
"""Bytes of one text in arguments that are too large as a whole: what is cut is the text, so the rest stays JSON."""
LONGEST_KEY = 2_000
LONGEST_PATH = 4_096
COMMANDS = ("cmd", "code", "command", "script", "")
"""Keys under which hosts put shell commands and code. No key at all: the arguments are a bare text."""
PATHS = ("file_path", "filePath", "filename", "notebook_path", "path", "target_file", "uri")
"""Keys under which hosts put the file a tool works on."""
WITHHELD = "[withheld]"
NESTED = "[nested too deeply to keep]"
_PATCHED = (
    r"(?m)^(?:\*\*\* (?:Add|Update|Delete) File:|\*\*\* Move to:|\+\+\+|---|rename (?:from|to)) +(?:[ab]/)?(.+?)\s*$"
)


def parsed(value: Any) -> Any:
    """Arguments that arrive as the text of an object or a list are that object or list."""
    if isinstance(value, (bytes, bytearray)):
        value = bytes(value).decode("utf-8", "surrogateescape")
    if isinstance(value, str) and value.lstrip()[:1] in ("{", "["):
        try:
            return json.loads(value)
        except (ValueError, RecursionError):
            return value
    return value


def argument_text(value: Any) -> tuple[str, list[Finding]]:
    """(the arguments as text: cleaned, masked, keys sorted; what was found in them)."""
    for most in (LARGEST_BLOB, LARGEST_LEAF):
        findings: list[Finding] = []
        kept = _cleaned("", value, DEEPEST, most, findings)
        text = json.dumps(kept, ensure_ascii=False, sort_keys=True, separators=(",", ":"))
        if len(text) <= LARGEST_BLOB // 4:
            break
    # What only the whole shows to be a secret, as its text would show it to `export --redact` later.
    safe, found = clean(text)
    return (safe, findings + list(found)) if found and _is_json(safe) else (text, findings)


def leaves_text(value: Any) -> str:
    """Foreign JSON as text: each leaf cleaned and masked, and nothing looked for in the whole."""
    kept = _cleaned("", value, DEEPEST, LARGEST_BLOB, [])
    return json.dumps(kept, ensure_ascii=False, sort_keys=True, separators=(",", ":"))


def why_withheld(value: Any, why_path: Callable[[str], str], why_command: Callable[[str], str]) -> str:
    """Why a call with these arguments may not keep its contents; empty when it may."""
    for key, leaf in _leaves("", value, DEEPEST):
        whys = [why_path(path) for path in _patched(leaf)]
        if key in COMMANDS:
            whys.append(why_command(leaf))
        elif _looks_like_path(key, leaf):
            whys.append(why_path(leaf))
        for why in whys:
            if why:
                return why
    return ""


def named_paths(value: Any) -> Iterator[str]:
    """Every text in the arguments that may be a path, and every word of a command."""
    for key, leaf in _leaves("", value, DEEPEST):
        yield from _patched(leaf)
        if key in COMMANDS:
            yield from leaf.replace("'", " ").replace('"', " ").split()
        elif _looks_like_path(key, leaf):
            yield leaf


def without_contents(
    value: Any,
    is_path: Callable[[str], object],
    paths_in: Callable[[str], tuple[str, ...]],
    key: str = "",
    depth: int = DEEPEST,
) -> Any:
    """The arguments with nothing but the paths they name: a command may write what it says."""
    if isinstance(value, (dict, list, tuple)) and not depth:
        return NESTED
    if isinstance(value, dict):
        return {name: without_contents(item, is_path, paths_in, str(name), depth - 1) for name, item in value.items()}
    if isinstance(value, (list, tuple)):
        return [without_contents(item, is_path, paths_in, key, depth - 1) for item in value]
    if not isinstance(value, str):
        return value if isinstance(value, bool) else None
    if key in COMMANDS:
        program = value.split(None, 1)[0] if re.match(r"[\w./-]{1,40}\s", value) else ""
        return " ".join(dict.fromkeys([program, *paths_in(value), WITHHELD])).strip()
    if _looks_like_path(key, value) and (key in PATHS or is_path(value)):
        return value
    return " ".join([*_patched(value), WITHHELD])


def _cleaned(key: str, value: Any, depth: int, most: int, findings: list[Finding]) -> Any:
    if value is None or isinstance(value, bool):
        return value
    if isinstance(value, (bytes, bytearray)):
        value = bytes(value).decode("utf-8", "surrogateescape")
    if isinstance(value, (int, float)):
        return _number(key, value, findings)
    if isinstance(value, str):
        return _text(key, value, most, findings)
    if not isinstance(value, (dict, list, tuple)):
        return f"[a {type(value).__name__}]"  # what it would print could differ from run to run
    if not depth:
        return NESTED
    if isinstance(value, dict):
        return _object(value, depth - 1, most, findings)
    return [_cleaned(key, item, depth - 1, most, findings) for item in value]


def _object(value: dict[Any, Any], depth: int, most: int, findings: list[Finding]) -> dict[str, Any]:
    """Keys that are the same once they are cleaned are numbered, in the order of what they were."""
    kept: dict[str, Any] = {}
    for name, item in sorted(((_name(name), item) for name, item in value.items()), key=lambda pair: pair[0]):
        safe, found = clean(name)
        findings.extend(found)
        safe = bounded_line(safe, LONGEST_KEY, clean)
        key, nth = safe, 1
        while key in kept:
            nth += 1
            key = f"{safe}~{nth}"
        kept[key] = _cleaned(name, item, depth, most, findings)
    return kept


def _name(key: Any) -> str:
    if isinstance(key, str):
        return key
    return str(key) if key is None or isinstance(key, (bool, float)) else _digits(key)


def _text(key: str, value: str, most: int, findings: list[Finding]) -> str:
    if is_secret_name(key) and (masked := mask_value(key, value)) != value:
        findings.append(("secret:named-value", 1, 1))
        return masked
    content, _, found = bounded_blob(value, clean, most)
    findings.extend(found)
    return content.decode()


def _number(key: str, value: Any, findings: list[Finding]) -> Any:
    """The number; a text where JSON or 64 bits have no place for it, or where its name says it is a secret."""
    if isinstance(value, float):
        number: Any = value if value - value == 0 else str(float(value))  # JSON has no word for the others
    else:
        number = int(value) if -LARGEST_INT <= value <= LARGEST_INT else _digits(value)
    if is_secret_name(key) and len(said := str(number)) > 3 and (masked := mask_value(key, said)) != said:
        findings.append(("secret:named-value", 1, 1))
        return masked
    return number


def _digits(value: Any) -> str:
    if not isinstance(value, int):
        return f"[a {type(value).__name__}]"
    return str(int(value)) if -LARGEST_INT <= value <= LARGEST_INT else f"{value:#x}"  # Python spells no longer ones


def _is_json(text: str) -> bool:
    try:
        json.loads(text)
    except (ValueError, RecursionError):
        return False
    return True


def _leaves(key: str, value: Any, depth: int) -> Iterator[tuple[str, str]]:
    """(nearest key, text) of every text in the arguments."""
    if isinstance(value, str):
        yield key, value
    elif isinstance(value, dict) and depth:
        for name, item in value.items():
            yield from _leaves(str(name), item, depth - 1)
    elif isinstance(value, (list, tuple)) and depth:
        for item in value:
            yield from _leaves(key, item, depth - 1)


def _looks_like_path(key: str, leaf: str) -> bool:
    return len(leaf) <= LONGEST_PATH and not any(ch in leaf for ch in ("\n\r" if key in PATHS else " \t\n\r"))


def _patched(leaf: str) -> list[str]:
    """The files a patch is about, if this is one."""
    if "\n" not in leaf or not ("***" in leaf or "+++" in leaf or "\nrename " in leaf):
        return []
    return [path for path in re.findall(_PATCHED, leaf) if len(path) <= LONGEST_PATH]
