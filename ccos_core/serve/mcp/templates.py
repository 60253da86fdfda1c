"""URI templates, read backwards: what the names of one stand for in a URI. The part of RFC 6570 we offer.

`{name}` and `{?name,other}`. Whoever writes a URI by hand seldom encodes it: the last name of a path takes slashes and
hashes as they are, so that `ccos://node/sym:src/db.py#Pool.take` needs no care.
"""

from __future__ import annotations

import re
from functools import cache

from ccos_core.serve.mcp.offer import Wrong
from ccos_core.serve.mcp.schema import nearest

NAMED = re.compile(r"\{(\??)([\w.,]+)\}")
"""An expression: whether it is a query's, and its names."""


def is_template(uri: str) -> bool:
    return "{" in uri


@cache
def names(template: str) -> tuple[str, ...]:
    """In the order in which they stand there."""
    return tuple(name for found in NAMED.finditer(template) for name in found[2].split(","))


def matched(template: str, uri: str) -> dict[str, str] | None:
    """What the names stand for; None where the URI is none of the template's. Raises `Wrong` for what can't be read."""
    path, in_path, in_query = _taken_apart(template)
    found = path.fullmatch(uri)
    if found is None or (found["query"] is not None and not in_query):
        return None
    values = {name: _decoded(name, value) for name, value in zip(in_path, found.groups(), strict=False)}
    return values | _query(found["query"] or "", in_query)


@cache
def _taken_apart(template: str) -> tuple[re.Pattern[str], tuple[str, ...], tuple[str, ...]]:
    """(what the URI looks like, names in its path, names in its query)."""
    in_path: list[str] = []
    in_query: list[str] = []
    pattern, at = "", 0
    for found in NAMED.finditer(template):
        pattern += re.escape(template[at : found.start()])
        at = found.end()
        if found[1]:
            in_query += found[2].split(",")
        else:
            in_path.append(found[2])
            pattern += "([^?]+)" if template[at : at + 2] in ("", "{?") else "([^/?#]+)"
    pattern += re.escape(template[at:]) + r"(?:\?(?P<query>.*))?"
    return re.compile(pattern, re.DOTALL), tuple(in_path), tuple(in_query)


def _query(said: str, known: tuple[str, ...]) -> dict[str, str]:
    values: dict[str, str] = {}
    for part in filter(None, said.split("&")):
        name, _, value = part.partition("=")
        if name not in known:
            raise Wrong(name[:80], f"the URI takes {', '.join(known)} after its question mark.", nearest(name, known))
        if name in values:
            raise Wrong(name, "is given twice.")
        values[name] = _decoded(name, value)
    return values


def _decoded(name: str, value: str) -> str:
    if "%" not in value:
        return value
    from urllib.parse import unquote

    try:
        return unquote(value, errors="strict")
    except UnicodeDecodeError:
        raise Wrong(name, "the text after a percent sign isn't UTF-8.") from None
