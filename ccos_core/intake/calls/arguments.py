"""A program's arguments as options with their values, and operands."""

from __future__ import annotations

from collections.abc import Sequence


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
