"""A line as it was typed, taken apart: its words, and which of them is which argument of a question.

Nothing is refused here that can be understood: a quote that is never closed is a character, and the rest of a line is
handed on as it stands.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from difflib import get_close_matches
from itertools import pairwise
from typing import NamedTuple

from ccos_core.errors import Usage
from ccos_core.query.question import MANY, REST, Argument, Question

AT = "at"
"""The name under which the step is said that a question is asked as of: `@40`, `--at 40`."""
AS_OF = re.compile(r"@(?:[0-9]+%?|start|end|(?:[0-9]+h)?(?:[0-9]+m)?(?:[0-9]+s)?)")
"""What is a step behind a text that may hold any word."""
SEPARATOR = "\n"
"""Between the values of an argument that has several."""
QUOTES = "\"'"
BEFORE_QUOTES = ":=~,("
"""Characters behind which a quote opens; inside of a word it is a character like any other."""


class Word(NamedTuple):
    """One word of a line, and where it stands there."""

    text: str
    begin: int
    end: int
    bare: bool
    """Whether it was said without quotes."""


@dataclass(frozen=True, slots=True)
class Line:
    """A line and its words."""

    text: str
    words: tuple[Word, ...]


def line(text: str) -> Line:
    """A line as the user typed it."""
    return Line(text, tuple(_words(text)))


def of_shell(words: Sequence[str]) -> Line:
    """Words that a shell took apart already."""
    found, begin = [], 0
    for word in words:
        found.append(Word(word, begin, begin + len(word), True))
        begin += len(word) + 1
    return Line(" ".join(words), tuple(found))


def assigned(question: Question, name: str, said: Line) -> dict[str, str]:
    """Argument → what was said for it; `at` → the step it is asked as of, if one was said."""
    found, others = _flags(question, name, said)
    if not question.timeless and AT not in found and (at := _as_of(question, others, found)) is not None:
        found[AT] = others.pop(at).text
    waiting = [argument for argument in question.arguments if not argument.flag and argument.name not in found]
    for argument in waiting:
        if others:
            found[argument.name] = _taken(argument, others, said.text)
        elif argument.required:
            hint = f"{usage(name, question)}, as in: {question.example}"
            raise Usage(f"{name} needs {_spelled(argument)}", hint=hint)
    if others:
        named = any(argument.form == "node" for argument in question.arguments)
        hint = usage(name, question) + (". Quote a name that contains spaces" if named else "")
        raise Usage("is one argument too many", place=others[0].text, hint=hint)
    return found


def usage(name: str, question: Question) -> str:
    """`missing NODE [BUDGET] [--lens LENS]`."""
    return " ".join([name, *(_spelled(argument) for argument in question.arguments)])


def nearest(word: str, known: Sequence[str] | Mapping[str, object]) -> str:
    """A sentence about the one that is meant, if one is near."""
    near = get_close_matches(word[:80], list(known), 1)
    return f"Did you mean {near[0]}?" if near else ""


def _words(text: str) -> Iterator[Word]:
    at, size = 0, len(text)
    while at < size:
        if text[at].isspace():
            at += 1
            continue
        begin, made, bare = at, [], True
        while at < size and not text[at].isspace():
            opens = text[at] in QUOTES and (at == begin or text[at - 1] in BEFORE_QUOTES)
            closes = text.find(text[at], at + 1) if opens else -1
            if closes > 0:
                made.append(text[at + 1 : closes])
                at, bare = closes + 1, False
            else:
                made.append(text[at])
                at += 1
        yield Word("".join(made), begin, at, bare)


def _flags(question: Question, name: str, said: Line) -> tuple[dict[str, str], list[Word]]:
    """What was said by name, and the words that are left."""
    known = {argument.name: argument for argument in question.arguments if not argument.required}
    if not question.timeless:
        known[AT] = Argument(AT, "step")
    text = any(argument.form in REST for argument in question.arguments)
    found: dict[str, str] = {}
    others: list[Word] = []
    words = list(said.words)
    while words:
        word = words.pop(0)
        flag, mark, value = word.text[2:].partition("=")
        if word.text == "--" and word.bare:
            return found, others + words
        if not (word.bare and word.text.startswith("--")) or (flag not in known and text):
            others.append(word)
        elif flag not in known:
            raise Usage(f"{name} has no option --{flag}", hint=nearest(flag, known) or usage(name, question))
        elif known[flag].form == "switch":
            found[flag] = "yes"
        elif mark or words:
            value = value if mark else words.pop(0).text
            more = known[flag].form in MANY and flag in found
            found[flag] = found[flag] + SEPARATOR + value if more else value
        else:
            raise Usage(f"--{flag} needs a value", hint=usage(name, question))
    return found, others


def _as_of(question: Question, words: Sequence[Word], found: Mapping[str, str]) -> int | None:
    """Which word says the step: the last one, where it isn't wanted for something else.

    Of `diff @1m @2m` that is the second, and as a span goes from what was said up to there, nothing else is meant."""
    needed = sum(argument.required and argument.name not in found for argument in question.arguments)
    if len(words) <= needed or not words[-1].bare or not words[-1].text.startswith("@") or ".." in words[-1].text:
        return None
    text = any(argument.form in REST for argument in question.arguments)
    return None if text and not AS_OF.fullmatch(words[-1].text) else len(words) - 1


def _taken(argument: Argument, words: list[Word], text: str) -> str:
    """What an argument takes of the words that are left."""
    if argument.form in REST:
        taken, words[:] = list(words), []
        typed = _as_typed(taken, text)
        return taken[0].text if len(taken) == 1 and typed[1:-1] == taken[0].text else typed
    if argument.form in MANY:
        several, words[:] = SEPARATOR.join(word.text for word in words), []
        return several
    word = words.pop(0).text
    if argument.form == "span" and ".." not in word and words:
        return f"{word}..{words.pop(0).text}"
    return word


def _as_typed(words: Sequence[Word], text: str) -> str:
    """Words as they stood in the line, with what stood between those that are neighbours."""
    parts = [text[words[0].begin : words[0].end]]
    for before, word in pairwise(words):
        between = text[before.end : word.begin]
        parts += [between if between.isspace() else " ", text[word.begin : word.end]]
    return "".join(parts)


def _spelled(argument: Argument) -> str:
    shown = "|".join(argument.words) if argument.words else argument.name.upper()
    if argument.form == "switch":
        return f"[--{argument.name}]"
    if argument.flag:
        return f"[--{argument.name} {shown}]"
    if argument.form == "span" and not argument.words:
        shown = "A B"
    if argument.form in MANY:
        shown += "..."
    return shown if argument.required else f"[{shown}]"
