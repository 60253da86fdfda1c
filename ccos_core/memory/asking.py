"""Queries over entries: and, or, not over tags, classes, intent, author, scope, text, time and steps.

    tree = read('class=preference (tag=build or text~"make file") since=120')
    matches = matcher(tree, now=None)
    [entry for entry in entries if matches(entry)]

The same query as JSON: {"and": [{"class": "preference"}, {"or": [{"tag": "build"}, {"text": "make file"}]},
{"since": 120}]}; keys side by side mean `and`. `read(spelled(tree))` is the same tree.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from operator import eq, ge, gt, le, lt, ne
from typing import Any, TypeAlias

from ccos_core.errors import Usage
from ccos_core.memory.boundaries import level_of
from ccos_core.memory.entry import LEVELS, Entry
from ccos_core.text.boolean import (
    WORD,
    Every,
    Some,
    Without,
    check_depth,
    check_end,
    quoted,
    read_either,
    read_steps,
    spell,
)
from ccos_core.text.moments import MOMENT, duration_millis, moment
from ccos_core.text.scan import Scan, nearest

WORDS: Mapping[str, Callable[[Entry], tuple[str, ...]]] = {
    "class": lambda entry: (entry.cls,),
    "tag": lambda entry: entry.tags,
    "region": lambda entry: entry.regions,
    "intent": lambda entry: (entry.intent,),
    "author": lambda entry: (entry.author,),
    "session": lambda entry: (entry.session,),
    "context": lambda entry: (entry.context,),
    "call": lambda entry: (entry.call,),
    "provider": lambda entry: (entry.provider, entry.provider.partition("/")[0]),
    "id": lambda entry: (entry.id,),
}
"""What a condition compares with words → the words that an entry has there. `tag=a,b` holds if one of them fits."""
NUMBERS: Mapping[str, Callable[[Entry], int]] = {
    "count": lambda entry: entry.count,
    "tokens": lambda entry: entry.tokens,
    "privacy": lambda entry: entry.privacy,
}
STEP, SINCE, TEXT = "step", "since", "text"
OTHER_NAMES = {
    "type": "class",
    "tags": "tag",
    "keyword": "tag",
    "keywords": "tag",
    "since_action": SINCE,
    "words": TEXT,
}
"""What others call a condition → its name."""
NAMES = (*WORDS, *NUMBERS, STEP, SINCE, TEXT)
MARKS: Mapping[str, Callable[[int, int], bool]] = {"=": eq, "!=": ne, ">": gt, ">=": ge, "<": lt, "<=": le}
_MARK = re.compile(r"!=|>=|<=|[=~<>]")
_VALUE = re.compile(r"[^\s()|,\"'=~<>!][^\s()|,\"]*")
_DOTS = re.compile(r"\.\.")
_WHEN = re.compile(rf"{MOMENT.pattern}|\d{{1,6}}[dw]")

Matches: TypeAlias = Callable[[Entry], bool]
Shown: TypeAlias = Callable[[Entry], Entry]


@dataclass(frozen=True, slots=True)
class Has:
    """One of these words stands in a field of the entry."""

    name: str
    values: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Compared:
    """A number of the entry compared with another."""

    name: str
    mark: str
    value: int


@dataclass(frozen=True, slots=True)
class Says:
    """The entry's title or words contain a text. In lower case it matches any case."""

    text: str


@dataclass(frozen=True, slots=True)
class CameUp:
    """The entry came up first or last at one of these steps, both ends in; None for no limit."""

    first: int | None
    last: int | None


@dataclass(frozen=True, slots=True)
class Since:
    """The entry came up after a step: what is new for a caller that has seen all up to there."""

    step: int


@dataclass(frozen=True, slots=True)
class Dated:
    """The entry came up first or last in a span of time, as it was said: a day, an hour, or how long ago."""

    first: str
    last: str


def read(text: str) -> Any:
    """Read a query. An empty one matches every entry. Raises `Usage` that points at the place."""
    scan = Scan(text)
    if scan.ended():
        return Every(())
    tree = read_either(scan, lambda scan, _: _condition(scan))
    check_end(scan)
    return tree


def query_of(said: Any) -> Any:
    """Read a query from JSON: an object, a list of them, or the text of one. Raises `Usage`."""
    check_depth(said)
    if said in ({}, []):
        return Every(())
    return read(said) if isinstance(said, str) else _query_of(said)


def spelled(tree: Any) -> str:
    """Return a query as one may type it; equal trees are spelled alike."""
    return spell(tree, _spelled)


def _spelled(tree: Any) -> str:
    match tree:
        case Has(name, values):
            return f"{name}={','.join(map(_quoted, values))}"
        case Compared(name, mark, value):
            return f"{name}{mark}{LEVELS[value] if name == 'privacy' else value}"
        case Says(text):
            return f"text~{_quoted(text)}"
        case Since(step):
            return f"since={step}"
        case CameUp(first, last):
            return f"step {'' if first is None else first}..{'' if last is None else last}"
        case Dated(first, last):
            return f"{first and f'@{first}'}..{last and f'@{last}'}"
    raise TypeError(tree)


def matcher(tree: Any, now: int | None, shown: Shown | None = None) -> Matches:
    """Return what tells whether an entry matches. `now`, in milliseconds, is needed for times such as 30d; raises
    `Usage` if it isn't given then. `shown` gives an entry as the principal reads it: texts are looked for in that."""
    match tree:
        case Every(parts):
            every = [matcher(part, now, shown) for part in parts]
            return lambda entry: all(each(entry) for each in every)
        case Some(parts):
            some = [matcher(part, now, shown) for part in parts]
            return lambda entry: any(each(entry) for each in some)
        case Without(part):
            inner = matcher(part, now, shown)
            return lambda entry: not inner(entry)
        case Has(name, values):
            words, wanted = WORDS[name], frozenset(values)
            return lambda entry: not wanted.isdisjoint(words(entry))
        case Compared(name, mark, value):
            number, compare = NUMBERS[name], MARKS[mark]
            return lambda entry: compare(number(entry), value)
        case Says(text):
            return _saying(text, shown)
        case Since(step):
            return lambda entry: entry.last > step
        case CameUp(first, last):
            begin, end = first or 0, last
            return lambda entry: any(begin <= at and (end is None or at <= end) for at in (entry.first, entry.last))
        case Dated(first, last):
            begin, end = _span(first, last, now)
            return lambda entry: any(at and begin <= at and (end is None or at <= end) for at in _times(entry))
    raise TypeError(tree)


def is_relevant_to(tree: Any) -> tuple[str, ...]:
    """Return the texts that entries should be about: those the query asks for, none that it excludes."""
    match tree:
        case Every(parts) | Some(parts):
            return tuple(text for part in parts for text in is_relevant_to(part))
        case Says(text):
            return (text,)
    return ()


# ---- reading ----


def _condition(scan: Scan) -> Any:
    if (said := scan.quoted()) is not None:
        return Says(_filled(scan, said))
    if scan.peek(re.compile(r"@|\.\.\s*@")):
        return _dated(scan)
    word = scan.peek(WORD)
    name = word[0].lower() if word else ""
    name = OTHER_NAMES.get(name, name)
    if word is None or name not in NAMES:
        said = word[0] if word else ""
        hint = nearest(said, NAMES) if said else ""
        fact = f"{said[:40]} isn't a query word" if said else "a condition is missing here"
        raise scan.wrong(fact, hint=hint or f"Words: {'  '.join(NAMES)}; or a text in quotes.")
    scan.at = word.end()
    if name == STEP and not scan.peek(_MARK):
        return CameUp(*read_steps(scan))
    return _compared(scan, name)


def _compared(scan: Scan, name: str) -> Any:
    marks = ("~",) if name == TEXT else tuple(MARKS) if name in NUMBERS else ("=", "!=") if name in WORDS else ("=",)
    mark = scan.take(_MARK)
    if mark is None or mark[0] not in marks:
        raise scan.wrong(f"{name} needs one of {' '.join(marks)} after it", mark.start() if mark else None)
    if name == TEXT:
        return Says(_filled(scan, _value(scan, name)))
    if name in NUMBERS:
        said = _value(scan, name)
        if name == "privacy":
            return Compared(name, mark[0], level_of(said))
        return Compared(name, mark[0], _whole(name, said))
    if name in (STEP, SINCE):
        step = step_of(_value(scan, name))
        return Since(step) if name == SINCE else CameUp(step, step)
    values = [_value(scan, name)]
    while scan.takes(","):
        values.append(_value(scan, name))
    found = Has(name, tuple(values))
    return Without(found) if mark[0] == "!=" else found


def step_of(said: Any) -> int:
    """Return the step of an action: its number, `act-100` or `100:HASH`. Raises `Usage`."""
    digits = str(said).removeprefix(":").removeprefix("act-").partition(":")[0]
    if isinstance(said, bool) or not (digits.isascii() and digits.isdigit() and len(digits) <= 15):
        raise Usage("isn't a step", place=str(said)[:40], hint="As in: 100, act-100 or an entry's action.")
    return int(digits)


def _query_of(said: Any) -> Any:
    if not said or (isinstance(said, str) and not said.strip()):
        raise Usage("has no condition", place="query")
    if isinstance(said, str):
        return read(said)
    if isinstance(said, list):
        return _every([_query_of(each) for each in said])
    if not isinstance(said, dict):
        raise Usage("should be an object or a text", place="query")
    return _every([_of_key(str(key).removeprefix(":").replace("-", "_"), value) for key, value in said.items()])


def _of_key(key: str, said: Any) -> Any:
    key = OTHER_NAMES.get(key, key)
    if key in ("and", "or"):
        if not isinstance(said, list) or not said:
            raise Usage("should be a list", place=key)
        parts = tuple(_query_of(each) for each in said)
        return parts[0] if len(parts) == 1 else Every(parts) if key == "and" else Some(parts)
    if key == "not":
        return Without(_query_of(said))
    if key == TEXT and isinstance(said, str) and said:
        return Says(said)
    if key == SINCE:
        return Since(step_of(said))
    if key == "range":
        return _of_range(said)
    if key in WORDS and said:
        values = said if isinstance(said, list) else [said]
        return Has(key, tuple(str(each).removeprefix(":") for each in values))
    if key in NUMBERS:
        pairs = said if isinstance(said, dict) else {"=": said}
        level = level_of if key == "privacy" else lambda value: _whole(key, value)
        if all(mark in MARKS for mark in pairs) and pairs:
            return _every([Compared(key, mark, level(value)) for mark, value in pairs.items()])
    raise Usage("isn't a condition", place=key[:40], hint=nearest(key, NAMES) or f"One of: {'  '.join(NAMES)}")


def _of_range(said: Any) -> Any:
    """Read a range: ["timestamp", "last-24h"], or {"step": [3, 9]}, {"time": ["2026-02-14", null]}."""
    if isinstance(said, list) and len(said) == 2 and str(said[0]).removeprefix(":") in ("timestamp", "time"):
        return _checked(Dated(str(said[1]).removeprefix(":").removeprefix("last-"), ""))
    if isinstance(said, dict) and len(said) == 1:
        ((key, ends),) = said.items()
        if isinstance(ends, list) and len(ends) == 2:
            if key == STEP:
                return CameUp(*(None if end is None else step_of(end) for end in ends))
            return _checked(Dated(*("" if end is None else str(end) for end in ends)))
    raise Usage("isn't a range", place=str(said)[:40], hint='As in: {"time": ["30d", null]}')


def _dated(scan: Scan) -> Dated:
    begin = scan.at
    first = scan.take(_WHEN) if scan.takes("@") else None
    if scan.take(_DOTS) is None:
        raise scan.wrong("a range of times is missing here", begin, "As in: @30d.., @2026-02-14..@2026-02-15")
    last = scan.take(_WHEN) if scan.takes("@") else None
    if not (first and first[0]) and not (last and last[0]):
        raise scan.wrong("a time is missing here", begin, "As in: @30d.., @2026-02-14..@2026-02-15")
    return _checked(Dated(first[0] if first else "", last[0] if last else ""))


def _checked(dated: Dated) -> Dated:
    """Return a span of time if its ends are times. Raises `Usage`."""
    _span(dated.first, dated.last, 0)
    return dated


# ---- helpers ----


def _saying(text: str, shown: Shown | None) -> Matches:
    is_lower = text == text.lower()

    def says(entry: Entry) -> bool:
        words, title = (entry.words.lower(), entry.title.lower()) if is_lower else (entry.words, entry.title)
        return text in words or text in title

    return says if shown is None else lambda entry: says(shown(entry))


def _times(entry: Entry) -> tuple[int, int]:
    return entry.at, entry.last_at


def _span(first: str, last: str, now: int | None) -> tuple[int, int | None]:
    """Return the two ends in milliseconds, both in."""
    return _end(first, now, 0) if first else 0, _end(last, now, 1) if last else None


def _end(said: str, now: int | None, which: int) -> int:
    try:
        if said[-1:] in ("d", "w") and "-" not in said:
            ago = duration_millis(said)
        else:
            found = moment(said)
            if not found.is_offset:
                return (found.begin, found.end)[which]
            ago = found.begin
    except (ValueError, IndexError):
        raise Usage("isn't a time", place=said[:40], hint="As in: 30d, 24h, 2026-02-14 or 2026-02-14T09:30") from None
    if now is None:
        raise Usage("needs a time to count back from", place=said[:40], hint="Give now.")
    return now - ago


def _every(parts: list[Any]) -> Any:
    return parts[0] if len(parts) == 1 else Every(tuple(parts))


def _quoted(text: str) -> str:
    return text if _VALUE.fullmatch(text) else quoted(text)


def _value(scan: Scan, name: str) -> str:
    scan.space()
    said = scan.quoted()
    if said is None:
        bare = scan.take(_VALUE)
        if bare is None:
            raise scan.wrong(f"a value for {name} is missing here")
        said = bare[0]
    return said


def _filled(scan: Scan, text: str) -> str:
    if not text:
        raise scan.wrong("there is no text to search for")
    return text


def _whole(name: str, said: Any) -> int:
    digits = str(said)
    if isinstance(said, bool) or not (digits.isascii() and digits.isdigit() and len(digits) <= 15):
        raise Usage("should be a number", place=f"{name}={digits[:40]}")
    return int(digits)
