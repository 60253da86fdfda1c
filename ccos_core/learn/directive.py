"""What a rule asks for, read from its words: its direction, where it holds, and which value it chooses for a subject.

    read_directive("Never use SQLite in production").chosen   # {"database": {"sqlite": False}}

Subjects and their values are the table `subjects.txt`; words are compared by their stems.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from functools import cache, lru_cache
from importlib import resources

from ccos_core.intake.failures.arguments import words_of
from ccos_core.text.retrieval.english import EMPTY_WORDS
from ccos_core.text.retrieval.tokenize import stem

KNOWN_DIRECTIVES = 1 << 14
_TOKEN = re.compile(r"[a-z0-9_][\w+#./@-]*", re.IGNORECASE)
_CONTRACTED = re.compile(r"\b(do|does|did|must|should|ca|is|are|was|wo|would|could)n['’]t\b", re.IGNORECASE)
_NUMBER = re.compile(r"\d+")
_VERSION = re.compile(r"\b(python|node|java|go|ruby|php|rust|react|django|rails)(?:\.js)?\s+v?(\d+(?:\.\d+)*)\b")
NEGATIVE = words_of("never not avoid no stop without forbid forbidden cannot nor refrain skip drop instead")
POSITIVE = words_of("always must should use prefer ensure require required need only")
ALWAYS = words_of("always every each all whenever any")
EXCEPTIONS = words_of("unless except sometimes exception exceptions")
_TURNING = words_of("but use prefer always instead")
"""Words behind which a negation is over: `not npm but pnpm`."""
_LEAVING_OUT = words_of("skip drop avoid omit forget ignore")
_ADMITTING = words_of("support allow accept both either")
_BESIDE = words_of("before after until")
"""Behind these a rule says when, not what."""
_PLACING = words_of("in for on at with within inside during when while under between behind as unless except if from")
_COMMON = words_of(
    "use run write make keep put go take call be new code file project thing always never must should prefer "
    "avoid we you our your please only not no don do everything everywhere default"
)
"""Words that two rules may share without being of one subject."""
LONGEST_NAME = 4  # words of a value's name
MOST_SCOPE = 3  # words of a place behind `in` or `for`


@dataclass(frozen=True, slots=True)
class Directive:
    """What one rule asks for."""

    words: frozenset[str]
    """The stems of what it speaks of, without those that any rule may have."""

    negative: bool
    """Whether it forbids."""

    positive: bool
    """Whether it demands outright."""

    always: bool
    """Whether it says that it holds always."""

    excepted: bool
    """Whether it names an exception."""

    scope: frozenset[str]
    """The stems of where it holds: behind `in`, `for`, `when`."""

    chosen: Mapping[str, Mapping[str, bool]] = field(default_factory=dict)
    """Subject → value → whether that is to be used (or to be avoided)."""

    generic: Mapping[str, frozenset[str]] = field(default_factory=dict)
    """Subject → the stems that name no place for it: its own words, and those of its values."""

    @property
    def has_marker(self) -> bool:
        """Return whether it has a directive word."""
        return self.negative or self.positive or self.always or self.excepted


@lru_cache(KNOWN_DIRECTIVES)
def read_directive(text: str) -> Directive:
    """Read what a rule asks for."""
    plain = _CONTRACTED.sub(r"\1 not", text.replace("’", "'").lower()).replace("can't", "can not")
    tokens = [each.rstrip(".-/") for each in _TOKEN.findall(plain)]
    tokens = _without_double_negation(tokens)
    negated = _negated(tokens)
    chosen: dict[str, dict[str, bool]] = {}
    generic: dict[str, frozenset[str]] = {}
    for subject, value, first, last in () if _is_tolerant(tokens) else _values(tokens):
        if not _BESIDE.intersection(tokens[max(first - 2, 0) : first]):
            chosen.setdefault(subject, {}).setdefault(value, not negated[first])
            named = (*tokens[first:last], *subject.split())
            generic[subject] = generic.get(subject, _table()[1][subject]).union(map(stem, named))
    for name, version in _VERSION.findall(plain):
        chosen.setdefault(f"version of {name}", {})[version] = True
    if (length := _line_length(plain)) is not None:
        chosen.setdefault("line length", {})[length] = True
    said = {*tokens}
    return Directive(
        words=frozenset(stem(each) for each in tokens if each not in EMPTY_WORDS and each not in _COMMON),
        negative=bool(said & NEGATIVE),
        positive=bool(said & POSITIVE),
        always=bool(said & ALWAYS),
        excepted=bool(said & EXCEPTIONS),
        scope=_scope(tokens),
        chosen=chosen,
        generic=generic,
    )


def _negated(tokens: list[str]) -> list[bool]:
    """Return for each word whether it is in reach of a negation."""
    found, is_negated = [], False
    for word in tokens:
        if word in NEGATIVE or (word == "over" and "prefer" in tokens):
            is_negated = True
        elif word in _TURNING:
            is_negated = is_negated and word == "use"  # `never use`
        found.append(is_negated)
    return found


def _without_double_negation(tokens: list[str]) -> list[str]:
    """Leave out `never skip` and its like."""
    found: list[str] = []
    for word in tokens:
        if word in _LEAVING_OUT and found and found[-1] in ("never", "not"):
            found.pop()
        else:
            found.append(word)
    return found


def _is_tolerant(tokens: list[str]) -> bool:
    """Return whether a rule admits something beside others."""
    return "only" not in tokens and bool(_ADMITTING.intersection(tokens))


def _scope(tokens: list[str]) -> frozenset[str]:
    found: set[str] = set()
    for at, word in enumerate(tokens):
        if word in _PLACING:
            behind = range(at + 1, min(at + 1 + MOST_SCOPE, len(tokens)))
            for place in behind:
                if tokens[place] in _PLACING:
                    break
                if tokens[place] not in EMPTY_WORDS and tokens[place] not in _COMMON:
                    found.add(stem(tokens[place]))
    return frozenset(found)


def _line_length(text: str) -> str | None:
    """Return the number of a rule about the length of lines."""
    if not re.search(r"\b(?:lines?|columns?|wrap)\b", text) or re.search(r"\b(?:function|file|method|class)", text):
        return None
    numbers = [each for each in _NUMBER.findall(text) if 60 <= int(each[:4]) <= 200]
    return numbers[0] if len(numbers) == 1 else None


# ---- the table ----

_Named = dict[tuple[str, ...], list[tuple[str, str]]]


@cache
def _table() -> tuple[_Named, dict[str, frozenset[str]]]:
    """Return (stems of a name → the subjects and values it is of, subject → stems of which a text must have one)."""
    names: _Named = {}
    needed: dict[str, frozenset[str]] = {}
    for line in resources.files(__package__).joinpath("subjects.txt").read_text("utf-8").splitlines():
        if not line or line[0] in "#[":
            continue
        head, _, values = line.partition(" :")
        subject, _, words = head.partition("?")
        subject = subject.strip()
        needed[subject] = frozenset(stem(word) for word in words.split())
        for value in filter(None, values.split("|")):
            every = [each.strip() for each in value.split(" / ")]
            for name in every:
                names.setdefault(tuple(stem(word) for word in name.split()), []).append((subject, every[0]))
    return names, needed


def _values(tokens: list[str]) -> Iterator[tuple[str, str, int, int]]:
    """Yield (subject, value, first, behind the last) of the values that a text names, the longest names first."""
    names, needed = _table()
    stems = [stem(each) for each in tokens]
    there = frozenset(stems)
    taken: set[tuple[str, int]] = set()
    for size in range(LONGEST_NAME, 0, -1):
        for at in range(len(stems) - size + 1):
            for subject, value in names.get(tuple(stems[at : at + size]), ()):
                places = {(subject, place) for place in range(at, at + size)}
                behind = there - {*stems[at : at + size]} if size == 1 else there
                if not places & taken and (not needed[subject] or needed[subject] & behind):
                    taken |= places
                    yield subject, value, at, at + size
