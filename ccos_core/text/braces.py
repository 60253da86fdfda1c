"""Names in short, as a shell expands them: `manual_commit{,_hooks,_test}.go` stands for three.

    expand(fold(["src/db.py", "src/db_test.py"]))   # ["src/db.py", "src/db_test.py"], in the order of names

Characters that end a name are written `%XX`. Folding saves characters or leaves a name as it is.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator

_ESCAPED = re.compile(r"[{},%\s|\x00-\x1f\x7f]")
_CODE = re.compile(rb"%([0-9A-F]{2})")
_BOUNDARY = re.compile(r"[_\-./]|(?<=[a-z0-9])(?=[A-Z])")
_FIRST = re.compile(r"[^_\-./]*")
DEEPEST = 40
"""Braces inside of braces that are read."""


def fold(names: Iterable[str]) -> str:
    """Write names in short, those with one suffix together."""
    groups: dict[str, list[str]] = {}
    for name in sorted(dict.fromkeys(map(_escape, names))):
        stem, dot, suffix = name.rpartition(".")
        groups.setdefault(dot + suffix if stem else "", []).append(stem or name)
    return " ".join(_group(stems, suffix) for suffix, stems in sorted(groups.items()))


def expand(text: str) -> list[str]:
    """Return the names that a text in short stands for, sorted."""
    return sorted(_unescape(name) for word in text.split() for name in _expanded(word, DEEPEST))


# ---- helpers ----


def _group(stems: list[str], suffix: str) -> str:
    alternatives = list(_folded(stems))
    if len(alternatives) == 1:
        return alternatives[0] + suffix
    return "{" + ",".join(alternatives) + "}" + suffix if suffix else " ".join(alternatives)


def _folded(stems: list[str]) -> Iterator[str]:
    """Sorted stems as alternatives, those that begin alike as one where that is shorter."""
    at = 0
    while at < len(stems):
        head = _head(stems[at])
        end = at + 1
        while head and end < len(stems) and _head(stems[end]) == head:
            end += 1
        some = stems[at:end]
        prefix = _whole_words(some)
        short = prefix + "{" + ",".join(_folded([each[len(prefix) :] for each in some])) + "}" if prefix else ""
        if len(some) > 1 and short and len(short) < len(",".join(some)):
            yield short
        else:
            yield from some
        at = end


def _head(stem: str) -> str:
    """The first word of a stem, with the marks before it."""
    marks = len(stem) - len(stem.lstrip("_-./"))
    found = _FIRST.match(stem, marks)
    return stem[: found.end()] if found is not None else stem


def _whole_words(stems: list[str]) -> str:
    """What all stems begin with, cut between words."""
    first, last = min(stems), max(stems)
    same = (at for at, (one, other) in enumerate(zip(first, last, strict=False)) if one != other)
    prefix = first[: next(same, min(len(first), len(last)))]
    if all(len(each) == len(prefix) or _BOUNDARY.match(each, len(prefix)) for each in stems):
        return prefix
    ends = [found.start() for found in _BOUNDARY.finditer(prefix)]
    return prefix[: ends[-1]] if ends else ""


def _expanded(word: str, depth: int) -> Iterator[str]:
    """The names of one word without blanks; a brace without an end is none."""
    begin = word.find("{")
    end = _end(word, begin)
    if begin < 0 or end < 0 or not depth:
        yield word
        return
    tails = list(_expanded(word[end + 1 :], depth))
    for part in _parts(word[begin + 1 : end]):
        for middle in _expanded(part, depth - 1):
            for tail in tails:
                yield word[:begin] + middle + tail


def _end(word: str, begin: int) -> int:
    """Where the brace at `begin` ends; -1 where it doesn't."""
    open_braces = 0
    for at in range(max(begin, 0), len(word)):
        open_braces += (word[at] == "{") - (word[at] == "}")
        if not open_braces:
            return at
    return -1


def _parts(text: str) -> Iterator[str]:
    """The alternatives within a brace."""
    begin = open_braces = 0
    for at, mark in enumerate(text):
        open_braces += (mark == "{") - (mark == "}")
        if mark == "," and not open_braces:
            yield text[begin:at]
            begin = at + 1
    yield text[begin:]


def _escape(name: str) -> str:
    return _ESCAPED.sub(lambda found: "".join(f"%{byte:02X}" for byte in _bytes(found.group())), name)


def _bytes(text: str) -> bytes:
    return text.encode("utf-8", "surrogatepass")


def _unescape(name: str) -> str:
    if "%" not in name:
        return name
    raw = _CODE.sub(lambda found: bytes([int(found[1], 16)]), _bytes(name))
    return raw.decode("utf-8", "surrogatepass")
