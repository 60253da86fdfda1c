"""The words of a command as the program gets them: variables followed, patterns of files where only these are known.

A word whose value only the shell knew is None; where it stands for files, `patterns` says what they are called like.
That holds for globs, for variables of a loop, for `"$@"` and for `$(ls)`.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, field, replace

from ccos_core.intake.calls.shell import Loop, Node, Script, Simple, parse_line
from ccos_core.intake.calls.shell_words import (
    GLOB,
    PLAIN,
    QUOTED,
    QUOTED_VARIABLE,
    UNKNOWN,
    VARIABLE,
    Redirect,
    Word,
)

DEEPEST = 4
"""Shells in shells, and functions in functions."""
MOST_PATTERNS = 20
"""Patterns a loop goes over that are followed."""
ALL_GIVEN = "@"
"""Stands for all that a function was given, among the patterns of variables."""
_ALL_GIVEN = ("$@", "$*", "${@}", "${*}")
_SUBSTITUTION = re.compile(r"[$<]\((.*)\)|`([^`]*)`", re.DOTALL)
_LITERAL = re.compile(r"[*?\[{]")
_LONE = re.compile(r"[^\s*?\[\]{}~]+")
"""What a variable may hold to be one word without quotes."""
_TAKING = {
    "sudo": ("-u", "-g", "-C", "-h", "-p"),
    "env": ("-u", "--unset", "-C", "--chdir"),
    "timeout": ("-s", "-k", "--signal", "--kill-after"),
    "nice": ("-n",),
    "ionice": ("-c", "-n"),
    "stdbuf": ("-i", "-o", "-e"),
    "time": (),
    "nohup": (),
    "command": (),
    "builtin": (),
    "exec": (),
    "unbuffer": (),
    "setsid": (),
}
"""Programs that run another → their options that take a value."""


@dataclass(frozen=True, slots=True)
class Redirected:
    """A redirection with its file, or its text."""

    fd: int | None
    operator: str
    target: str | None
    patterns: tuple[str, ...] = ()
    """What its file is called like, where only that is known."""


@dataclass(frozen=True, slots=True)
class Stage:
    """One program of a pipeline."""

    words: tuple[str | None, ...] = ()
    """Its name and its arguments; None for one only the shell knew. Empty for a redirection alone."""
    redirects: tuple[Redirected, ...] = ()
    silent: bool = False
    """Nothing is run: an assignment, a test."""
    opaque: bool = False
    patterns: tuple[str, ...] = ()
    """Of each word that stands for files the shell found, what they are called like; empty for any other."""

    @property
    def name(self) -> str:
        """Of the program, without its folder."""
        return (self.words[0] or "").rpartition("/")[2] if self.words else ""


@dataclass(slots=True)
class Place:
    """What a shell has in mind."""

    cwd: str | None
    variables: dict[str, str | None]
    strict: bool = False
    """`set -e`"""
    left: bool = False
    """It may have ended already."""
    over: bool = False
    """It has ended."""
    depth: int = 0
    patterns: dict[str, tuple[str, ...]] = field(default_factory=dict)
    """Variables that stand for one of the files these patterns find; of a value that was perhaps given, the value."""
    functions: dict[str, tuple[bool, tuple[Script, ...]]] = field(default_factory=dict)
    """Name → whether it certainly has this definition, and the bodies it may have."""


def stage_of(node: Node, place: Place) -> Stage:
    redirects = tuple(redirected(redirect, place) for redirect in node.redirects)
    if isinstance(node, Simple):
        values, patterns = list[str | None](), list[str]()
        for word in node.words:
            value = value_of(word, place)
            meant = patterns_of(word, place) if value is None else ()
            values += [value] * max(len(meant), 1)
            patterns += meant or ("",)
        words = _unwrapped(tuple(values))
        like = tuple(patterns[len(patterns) - len(words) :]) if None in words else ()
        return Stage(words, redirects, not node.words, False, like)
    silent = isinstance(node, Loop) and node.silent
    return Stage((None,), redirects, silent=silent, opaque=True)


def value_of(word: Word, place: Place) -> str | None:
    texts: list[str] = []
    for piece in word:
        if piece.kind in (PLAIN, QUOTED):
            texts.append(piece.text)
            continue
        held = place.variables.get(piece.text) if piece.kind in (VARIABLE, QUOTED_VARIABLE) else None
        if held is None or (piece.kind == VARIABLE and not _LONE.fullmatch(held)):
            return None
        texts.append(held)
    return "".join(texts)


def patterns_of(word: Word, place: Place) -> tuple[str, ...]:
    """What the files are called like that a word stands for; nothing where that isn't known."""
    found: list[str] = [""]
    for piece in word:
        texts: Sequence[str]
        if piece.kind == GLOB:
            texts = (piece.text,)
        elif piece.kind in (PLAIN, QUOTED):
            texts = (literally(piece.text),)
        elif piece.kind in (VARIABLE, QUOTED_VARIABLE):
            value = place.variables.get(piece.text)
            texts = (literally(value),) if value is not None else place.patterns.get(piece.text, ())
        elif piece.text in _ALL_GIVEN:
            texts = place.patterns.get(ALL_GIVEN, ())
        else:
            texts = listed_in((piece,), place)
        if not texts:
            return ()
        found = [before + text for before in found for text in texts][:MOST_PATTERNS]
    return tuple(found)


def listed_in(word: Word, place: Place) -> tuple[str, ...]:
    """What the files are called like that a command prints which stands in a word, as `$(ls)`."""
    inside = _SUBSTITUTION.fullmatch(word[0].text) if len(word) == 1 and word[0].kind == UNKNOWN else None
    script = parse_line(inside[1] or inside[2]) if inside and place.depth < DEEPEST else None
    if script is None or len(script) != 1 or len(script[0].parts) != 1:
        return ()
    inner = replace(place, depth=place.depth + 1)
    return listed_by(tuple([stage_of(node, inner) for node in script[0].parts[0][1].nodes]))


def listed_by(stages: Sequence[Stage]) -> tuple[str, ...]:
    """What the files are called like that a pipeline prints the names of."""
    from ccos_core.intake.calls.searches import files_of  # it reads stages itself

    found = files_of(stages)
    return found.patterns[:MOST_PATTERNS] if found is not None else ()


def meant_by(stage: Stage) -> list[str]:
    """What the files are called like that the words of a program stand for."""
    patterns = stage.patterns or ("",) * len(stage.words)
    return [pattern or literally(word or "") for word, pattern in zip(stage.words, patterns, strict=True)]


def literally(text: str) -> str:
    """A text as a pattern that nothing else is like."""
    return _LITERAL.sub(r"[\g<0>]", text)


def redirected(redirect: Redirect, place: Place) -> Redirected:
    value = value_of(redirect.target, place)
    patterns = patterns_of(redirect.target, place) if value is None and redirect.operator != "<<" else ()
    return Redirected(redirect.fd, redirect.operator, value, patterns)


def _unwrapped(words: tuple[str | None, ...]) -> tuple[str | None, ...]:
    """The program itself, without what it was started by."""
    while words and (name := (words[0] or "").rpartition("/")[2]) in _TAKING:
        at = 1
        while at < len(words) and (words[at] or "").startswith("-"):
            if name == "command" and words[at] in ("-v", "-V"):
                return words
            if words[at] in ("-C", "--chdir", "-h", "-i", "-s") and name in ("env", "sudo"):
                return (None,)
            at += 2 if words[at] in _TAKING[name] else 1
        if name == "timeout":
            at += 1
        while name in ("env", "sudo") and at < len(words) and re.match(r"[A-Za-z_]\w*=", words[at] or ""):
            at += 1
        if at >= len(words):
            return words
        words = words[at:]
    return words
