"""Read a query: from what the user typed to a tree, or to a sentence that points at the place.

    query      either { "|" pipe }
    condition  ( "before" | "after" | "until" | "nearest" ) one  |  atom

`text.boolean` has `either` and `one`, `atoms` the words. No input raises anything
but `Usage`.
"""

from __future__ import annotations

import re

from ccos_core.errors import Usage
from ccos_core.query.finding import atoms
from ccos_core.query.finding.pattern import pattern
from ccos_core.query.finding.tree import (
    RELATIVES,
    Compared,
    Flag,
    OfNode,
    Pipe,
    Query,
    Relative,
    Span,
    Text,
    Times,
    Tree,
)
from ccos_core.text.boolean import WORD, check_end, quoted, read_either, read_one, read_steps, takes_word
from ccos_core.text.moments import MOMENT, moment
from ccos_core.text.scan import Scan, nearest

LARGEST = 10**15
MARK = re.compile(r"!=|>=|<=|[=~<>]")
OTHER_MARK = re.compile(r"[:=]+")
"""What other languages have between a name and its value."""
MARKS_END, WORD_ENDS = ("=", "~", "<", ">"), re.compile(r"[:=~]")
LONGEST_GUESS = 80
"""Characters of a value that is repeated."""
DOTS = re.compile(r"\.\.")
NUMBER = re.compile(r"(\d{1,3}(?:,\d{3})+|\d{1,15})([km]?)\b", re.IGNORECASE)
STEP = re.compile(r"\d{1,15}")
AT_SPAN = re.compile(r"@|\.\.\s*@")
STEP_SPAN = re.compile(r"\d|\.\.\s*\d")
TIMES = {"": 1, "k": 1_000, "m": 1_000_000}
VALUE = re.compile(r"[^\s()|,\"'=~<>!][^\s()|,\"]*")
PROSE = re.compile(r"[\w .,;:'!?-]+")
"""What users type who don't think of conditions."""
ANYTHING = re.compile(r"[^\s()|]+")


def read(text: str) -> Query:
    """Parse the query that the user typed."""
    scan = Scan(text)
    tree = read_either(scan, _condition)
    pipes: list[Pipe] = []
    while scan.takes("|"):
        pipes.append(_pipe(scan, pipes))
    check_end(scan)
    return Query(tree, tuple(pipes))


def _condition(scan: Scan, depth: int) -> Tree:
    for word in RELATIVES:
        if takes_word(scan, word):
            return Relative(word, read_one(scan, _condition, depth + 1))
    return _atom(scan)


def _atom(scan: Scan) -> Tree:
    if (said := scan.quoted()) is not None:
        return _text(scan, said, False)
    if (said := scan.pattern()) is not None:
        return _text(scan, said, True)
    if scan.peek(AT_SPAN):
        return _times(scan)
    if scan.peek(STEP_SPAN):
        return _span(scan)
    word = scan.peek(WORD)
    if word is None:
        raise scan.wrong("a condition is missing here", hint=f"As in: kind=tool error. Words: {'  '.join(atoms.WORDS)}")
    return _named(scan, word[0].lower())


def _named(scan: Scan, name: str) -> Tree:
    begin, end = scan.at, scan.at + len(name)
    known = name in atoms.FLAGS or name in atoms.COMPARED or name in atoms.NODES
    if not known:
        raise _unknown(scan)
    scan.at = end
    if name in atoms.FLAGS:
        return Flag(name)
    if name in atoms.NODES:
        return _of_node(scan, name)
    if name == "step" and not scan.peek(MARK):
        return _span(scan)
    return _compared(scan, name, begin)


def _unknown(scan: Scan) -> Exception:
    said = scan.peek(ANYTHING)
    word = said[0] if said else ""
    name = WORD_ENDS.split(word, maxsplit=1)[0]
    near = nearest(name, atoms.WORDS)
    rest = scan.text[scan.at :].strip()
    text = rest if PROSE.fullmatch(rest) else word
    return scan.wrong(f"{name[:40]} isn't a query word", hint=near or f'To find a text: text~"{text[:40]}"')


def _compared(scan: Scan, name: str, begin: int) -> Tree:
    marks = atoms.COMPARED[name][0]
    mark = scan.take(MARK)
    if mark is None or mark[0] not in marks:
        at = mark.start() if mark else begin
        raise scan.wrong(f"{name} needs one of {' '.join(marks)} after it", at, _meant(scan, f"{name}{marks[0]}"))
    if name == "text":
        if (said := scan.pattern()) is not None:
            return _text(scan, said, True)
        return _text(scan, _value(scan, name), False)
    if name in atoms.NUMBERS:
        return Compared(name, mark[0], (str(_number(scan, name)),))
    values = [_checked(scan, name)]
    while scan.takes(","):
        values.append(_checked(scan, name))
    return Compared(name, mark[0], tuple(values))


def _meant(scan: Scan, begun: str) -> str:
    """What was meant by another mark, as in `tool:Bash`, or by none: a query that can be read, or what is near one."""
    is_marked = scan.take(OTHER_MARK) is not None or scan.text[: scan.at].endswith(MARKS_END)
    said, bare = scan.quoted(), scan.take(VALUE)
    value = quoted(said) if said else bare[0] if bare else ""
    if not (value and value.isprintable() and len(value) <= LONGEST_GUESS and (is_marked or _is_name(value))):
        return ""
    try:
        read(begun + value)
    except Usage as error:
        return error.hint.splitlines()[-1].strip() if "\n" in error.hint else ""
    return f"Did you mean {begun}{value}?"


def _is_name(value: str) -> bool:
    """Whether something that stands by itself is none of the words of queries."""
    return value.lower() not in (*atoms.WORDS, *RELATIVES, "and", "or", "not")


def _checked(scan: Scan, name: str) -> str:
    scan.space()
    begin = scan.at
    value = _value(scan, name)
    words = atoms.CLOSED.get(name)
    if words is None:
        return value
    value = atoms.OTHER_KINDS.get(value.lower(), value.lower()) if name == "kind" else value.lower()
    if value not in words:
        hint = nearest(value, words) or f"One of: {'  '.join(words)}"
        raise scan.wrong(f"there is no {name} {value[:40]}", begin, hint)
    return value


def _value(scan: Scan, name: str) -> str:
    scan.space()
    begin = scan.at
    said = scan.quoted()
    if said is None:
        bare = scan.take(VALUE)
        if bare is None:
            raise scan.wrong(f"a value for {name} is missing here")
        said = bare[0]
    if not said:
        raise scan.wrong(f"the value of {name} is empty", begin)
    return said


def _number(scan: Scan, name: str) -> int:
    found = scan.take(NUMBER)
    if found is None:
        raise scan.wrong(f"a number for {name} is missing here")
    return min(int(found[1].replace(",", "")) * TIMES[found[2].lower()], LARGEST)


def _text(scan: Scan, said: str, is_pattern: bool) -> Tree:
    if not said:
        raise scan.wrong("there is no text to search for")
    if is_pattern:
        end = scan.at
        try:
            pattern(said)
        except ValueError as error:
            raise scan.wrong(f"invalid pattern: {error}", end - 1) from error
    return Text(said, is_pattern)


def _of_node(scan: Scan, word: str) -> Tree:
    if not scan.takes("("):
        raise scan.wrong(f"{word} needs a node in parentheses", hint=f"As in: {word}(src/db.py)")
    node = _value(scan, word)
    if not scan.takes(")"):
        raise scan.wrong("the node's closing parenthesis is missing", hint=f'As in: {word}("a name with, signs")')
    return OfNode(word, node, _budget(scan) if word != "changed" else None)


def _budget(scan: Scan) -> int | None:
    word, begin = scan.peek(WORD), scan.at
    if word is None or word[0].lower() != "budget":
        return None
    scan.at = word.end()
    if not scan.takes("="):
        raise scan.wrong("budget needs = and a number", begin)
    budget = _number(scan, "budget")
    if not 1 <= budget < 2**31:
        raise scan.wrong("isn't a budget: give at least 1 token", begin)
    return budget


def _span(scan: Scan) -> Tree:
    return Span(*read_steps(scan))


def _times(scan: Scan) -> Tree:
    begin = scan.at
    first = _moment(scan) if scan.takes("@") else None
    if scan.take(DOTS) is None:
        raise scan.wrong(
            "a range of times is missing here", begin, "As in: @12m..@20m, @2h.., @2026-02-14..@2026-02-15"
        )
    last = _moment(scan) if scan.takes("@") or scan.peek(MOMENT) else None
    return Times(first, last)


def _moment(scan: Scan) -> str:
    said = scan.take(MOMENT)
    if said is None or not said[0]:
        raise scan.wrong("a time is missing here", hint="As in: @12m30s, @2026-02-14, @2026-02-14T09:30")
    try:
        moment(said[0])
    except ValueError as error:
        raise scan.wrong("there is no such day or hour", said.start()) from error
    return said[0]


def _pipe(scan: Scan, before: list[Pipe]) -> Pipe:
    word, begin = scan.peek(WORD), scan.at
    name = word[0].lower() if word else ""
    if name not in atoms.PIPES:
        raise scan.wrong(
            f"| {name[:40]} isn't an output",
            hint=nearest(name, atoms.PIPES) or f"One of: {'  '.join(f'| {pipe}' for pipe in atoms.PIPES)}",
        )
    if before and before[-1].word in (atoms.COUNT, atoms.BY):
        raise scan.wrong("a count ends the query", begin)
    scan.at += len(name)
    if name == atoms.BY:
        return Pipe(name, _group(scan))
    many = scan.take(STEP) if name != atoms.COUNT else None
    return Pipe(name, str(int(many[0])) if many else "")


def _group(scan: Scan) -> str:
    word, begin = scan.take(WORD), scan.at
    group = word[0].lower() if word else ""
    if group not in atoms.GROUPS:
        hint = nearest(group, atoms.GROUPS) or f"One of: {'  '.join(atoms.GROUPS)}"
        raise scan.wrong("what to count by is missing here", word.start() if word else begin, hint)
    return group
