"""The rules of `check`: which there are, what each takes, and how a rules file is read.

    rules = rules_of('[loops]\\nmost = 2\\n')   # the others keep their defaults

A name or a value that isn't known raises `Usage`: a typo never turns a rule off.
"""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from dataclasses import dataclass
from decimal import Decimal
from difflib import get_close_matches
from typing import Any, TypeAlias

from ccos_core.errors import Usage
from ccos_core.query.autopsy.answer import CERTAINTIES

Settings: TypeAlias = Mapping[str, Any]
"""Option → its value, of one rule."""

COUNT, MONEY, TEXTS, SWITCH, WORD = "a whole number, 0 or more", "an amount such as 2.5", "a list of texts", (
    "true or false"
), "a word"  # fmt: skip


@dataclass(frozen=True, slots=True)
class Option:
    """What a rule takes."""

    form: str
    """One of the forms above."""

    default: Any
    """None: without a value the rule is off."""

    says: str
    words: tuple[str, ...] = ()
    """The words that a word may be."""


@dataclass(frozen=True, slots=True)
class Rule:
    """One thing that `check` looks at."""

    name: str
    says: str
    options: Mapping[str, Option]


_ON = Option(SWITCH, True, "whether the rule is checked")
AGENTS_OWN = ("/tmp/**", "~/.claude/**", "~/.codex/**", "~/.gemini/**", "~/.qwen/**")  # noqa: S108
"""Folders outside the project in which agents keep plans and drafts."""
DANGEROUS = (
    "git push --force", "git push -f", "git push +*", "git push --no-verify", "git commit --no-verify", "git commit -n",
    "rm -rf /", "rm -rf /[*]", "rm -rf ~", "rm -rf ~/[*]", "rm -rf ~/..",
)  # fmt: skip

RULES: tuple[Rule, ...] = (
    Rule("failing", "Nothing fails at the end.", {
        "on": _ON,
        "most": Option(COUNT, 0, "failures that may be left at the end"),
        "not_rerun": Option(SWITCH, True, "whether a failed test counts that wasn't run again after files changed"),
    }),
    Rule("loops", "The agent doesn't go in circles.", {
        "on": _ON,
        "most": Option(COUNT, 0, "loops that the autopsy may find"),
        "certainty": Option(WORD, "likely", "the least certain ones that count", CERTAINTIES),
    }),
    Rule("secrets", "No secret is printed, read or written.", {
        "on": _ON,
        "most": Option(COUNT, 0, "secrets that may have been masked outside of prompts"),
    }),
    Rule("edits", "Files are changed only where they may be.", {
        "on": _ON,
        "within": Option(TEXTS, ("**", *AGENTS_OWN), "patterns of files that may be changed; ** is the project"),
        "never": Option(TEXTS, (".git/hooks/**", ".git/config"), "patterns of files that may never be changed"),
    }),
    Rule("commands", "No forbidden command is run.", {
        "on": _ON,
        "never": Option(TEXTS, DANGEROUS, "commands: a program, and words of which all must be given"),
    }),
    Rule("window", "The agent's window stays small enough.", {
        "on": _ON,
        "most": Option(COUNT, None, "tokens that the window may hold"),
    }),
    Rule("tokens", "The session takes few enough tokens.", {
        "on": _ON,
        "most": Option(COUNT, None, "tokens that may be billed: input, cache reads and writes, output"),
    }),
    Rule("cost", "The session costs little enough.", {
        "on": _ON,
        "most_usd": Option(MONEY, None, "US dollars at list price that it may cost"),
    }),
)  # fmt: skip
"""In the order in which they are reported."""
BY_NAME = {rule.name: rule for rule in RULES}
DOLLARS_MOST = 10**12
LONGEST_TEXT = 1_000
"""Characters of a pattern."""


def default_rules() -> dict[str, Settings]:
    """Return each rule with its defaults."""
    return {rule.name: {name: option.default for name, option in rule.options.items()} for rule in RULES}


def rules_of(text: str) -> dict[str, Settings]:
    """Read a rules file; what it doesn't mention keeps its default."""
    try:
        given = tomllib.loads(text, parse_float=Decimal)
    except (tomllib.TOMLDecodeError, RecursionError) as error:
        raise Usage(f"is not TOML: {error}") from error
    rules = default_rules()
    for name, options in given.items():
        if name not in BY_NAME:
            raise Usage(f"there is no rule {name!r}", hint=_near(name, list(BY_NAME)))
        if not isinstance(options, dict):
            raise Usage(f"rule {name!r} must be a table", hint=f"Write [{name}], and its options below it.")
        rules[name] = {
            **rules[name],
            **{option: _value(BY_NAME[name], option, value) for option, value in options.items()},
        }
    return rules


def _value(rule: Rule, name: str, value: Any) -> Any:
    option = rule.options.get(name)
    if option is None:
        raise Usage(f"rule {rule.name!r} has no option {name!r}", hint=_near(name, list(rule.options)))
    if not _is_of(option, value):
        form = f"one of: {'  '.join(option.words)}" if option.words else option.form
        raise Usage(f"{rule.name}.{name} must be {form}")
    return tuple(value) if option.form == TEXTS else value


def _is_of(option: Option, value: Any) -> bool:
    is_number = isinstance(value, int) and not isinstance(value, bool)
    if option.form == COUNT:
        return is_number and value >= 0
    if option.form == MONEY:
        return (is_number or (isinstance(value, Decimal) and value.is_finite())) and 0 <= value < DOLLARS_MOST
    if option.form == SWITCH:
        return isinstance(value, bool)
    if option.form == WORD:
        return value in option.words
    return isinstance(value, list) and all(isinstance(each, str) and 0 < len(each) <= LONGEST_TEXT for each in value)


def _near(name: str, known: list[str]) -> str:
    near = get_close_matches(name, known, 1)
    return f"Did you mean {near[0]}?" if near else f"There are: {'  '.join(known)}"
