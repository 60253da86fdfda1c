"""A program's arguments as options and operands, and what `echo`, `printf` and a here-document print exactly."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from ccos_core.intake.calls.stages import Stage


def read_arguments(words: Sequence[str | None], values: str) -> list[tuple[str, str]] | None:
    """(option, its value) in order; operands have no option. None where a word isn't known.

    `values` are the short options that take one, each with a colon behind it, as `getopt` has them. Letters written
    together are taken apart; `--name=value` is split, and no long option takes the next word. `-20` stays as it is.
    """
    found: list[tuple[str, str]] = []
    rest = iter(words)
    for word in rest:
        if word is None:
            return None
        if word == "--":
            after = list(rest)
            if any(one is None for one in after):
                return None
            found += [("", one) for one in after if one is not None]
        elif word.startswith("--"):
            name, _, value = word.partition("=")
            found.append((name, value))
        elif word.startswith("-") and len(word) > 1 and not word[1:].isdigit():
            last = _letters(word[1:], values, found)
            if last:
                value_of = next(rest, "")
                if value_of is None:
                    return None
                found.append((last, value_of))
        else:
            found.append((word, "") if word.startswith("-") and word != "-" else ("", word))
    return found


def operands(arguments: Sequence[tuple[str, str]]) -> list[str]:
    """Those that are no options."""
    return [value for name, value in arguments if not name]


def option(arguments: Sequence[tuple[str, str]], *names: str) -> list[str]:
    """The values of an option, under any of its names."""
    return [value for name, value in arguments if name in names]


def flags(arguments: Sequence[tuple[str, str]]) -> set[str]:
    """The names of all options."""
    return {name for name, _ in arguments if name}


def _letters(letters: str, values: str, found: list[tuple[str, str]]) -> str:
    """Take letters apart; gives the option whose value is the next word."""
    for at, letter in enumerate(letters):
        if f"{letter}:" in values:
            if at + 1 == len(letters):
                return f"-{letter}"
            found.append((f"-{letter}", letters[at + 1 :]))
            return ""
        found.append((f"-{letter}", ""))
    return ""


_ESCAPE = re.compile(r"\\(?:([0-7]{1,3})|x([0-9a-fA-F]{1,2})|(.))", re.DOTALL)
_CHARACTERS = {"n": "\n", "t": "\t", "r": "\r", "a": "\a", "b": "\b", "f": "\f", "v": "\v", "\\": "\\", "e": "\x1b"}
_DIRECTIVE = re.compile(r"%%|%(-?\d*)([sdi])|%")


def printed(stage: Stage, fed: str | None = None) -> str | None:
    """The text a program gives on; None where that isn't known. `fed` is what the one before gives it."""
    if stage.opaque or None in stage.words or not stage.words:
        return None
    words = [word or "" for word in stage.words[1:]]
    if stage.name == "echo":
        return _echoed(words)
    if stage.name == "printf":
        return _formatted(words)
    if stage.name == "cat" and not [word for word in words if word != "-"]:
        return fed_to(stage, fed)
    return fed_to(stage, fed) if stage.name == "tee" else None


def fed_to(stage: Stage, fed: str | None = None) -> str | None:
    """What a program reads."""
    for redirect in reversed(stage.redirects):
        if redirect.fd in (None, 0) and redirect.operator in ("<<", "<<<", "<"):
            if redirect.operator == "<" or redirect.target is None:
                return None
            return redirect.target + "\n" if redirect.operator == "<<<" else redirect.target
    return fed


def _echoed(words: Sequence[str]) -> str | None:
    """Whether backslashes mean anything depends on the shell, unless it is asked for."""
    at, end, escapes = 0, "\n", False
    while at < len(words) and re.fullmatch(r"-[neE]+", words[at]):
        end = "" if "n" in words[at] else end
        escapes = escapes or "e" in words[at]
        at += 1
    text = " ".join(words[at:])
    if "\\" not in text:
        return text + end
    return None if not escapes or "\\c" in text else _unescaped(text) + end


def _formatted(words: Sequence[str]) -> str | None:
    rest = list(words[1:] if words[:1] == ["--"] else words)
    if not rest or (rest[0].startswith("-") and len(rest[0]) == 2):
        return None
    form, values = _unescaped(rest[0]), rest[1:]
    directives = [match for match in _DIRECTIVE.finditer(form) if match[0] != "%%"]
    if any(match[0] == "%" for match in directives) or (values and not directives):
        return None
    turns = -(-len(values) // len(directives)) if values else 1
    values = [*values, *[""] * (turns * len(directives) - len(values))]
    if turns > 1000 or any(
        match[2] in "di" and not re.fullmatch(r"-?\d+", value) for match, value in _pairs(directives, values)
    ):
        return None
    given = iter(values)
    return "".join(_DIRECTIVE.sub(lambda match: _directed(match, given), form) for _ in range(turns))


def _pairs(directives: Sequence[re.Match[str]], values: Sequence[str]) -> list[tuple[re.Match[str], str]]:
    return [(directives[number % len(directives)], value) for number, value in enumerate(values)]


def _directed(match: re.Match[str], given: Iterator[str]) -> str:
    if match[0] == "%%":
        return "%"
    value = next(given)
    width = int(match[1] or 0)
    return value.ljust(-width) if width < 0 else value.rjust(min(width, 1000))


def _unescaped(text: str) -> str:
    return _ESCAPE.sub(_escaped, text)


def _escaped(match: re.Match[str]) -> str:
    if match[1]:
        return chr(int(match[1], 8) & 0xFF)
    if match[2]:
        return chr(int(match[2], 16))
    return _CHARACTERS.get(match[3], match[0])
