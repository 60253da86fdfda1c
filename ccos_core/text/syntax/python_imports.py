"""Python: what an import statement names.

The files of one tree import the same, and so do the versions of one file, so each statement is taken apart once.
"""

from __future__ import annotations

import re
from functools import lru_cache

Imported = tuple[tuple[bytes, tuple[str, str, str]], ...]
"""Of each thing the name that is given, as it stands, and (name, module, item)."""

_IMPORT = re.compile(rb"(?:from\b(.*?))?\bimport\b(.*)")


@lru_cache(maxsize=2048)
def imported(words: bytes) -> Imported:
    """What the words of an import statement name."""
    match = _IMPORT.match(words)
    if match is None:
        return ()
    found = []
    for told in match[2].translate(None, b"()\\").split(b","):
        item, _, name = (part.replace(b" ", b"") for part in told.partition(b" as "))
        if not item:
            continue
        if match[1] is not None:
            found.append(_told(name or item, match[1].translate(None, b" \\"), item))
        elif name and b"." in item:
            # `import a.b as c` is `from a import b as c`; without the `as` it binds `a`, and makes `a.b` known.
            module, _, item = item.rpartition(b".")
            found.append(_told(name, module, item))
        else:
            found.append(_told(name or item.partition(b".")[0], item, b""))
    return tuple(found)


def _told(name: bytes, module: bytes, item: bytes) -> tuple[bytes, tuple[str, str, str]]:
    return name, (name.decode("utf-8", "replace"), module.decode("utf-8", "replace"), item.decode("utf-8", "replace"))
