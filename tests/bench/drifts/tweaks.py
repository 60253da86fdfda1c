"""Edits that neither mend nor break anything: what an agent tries on a symptom, and what it adds while it works.

Every one leaves the file a valid source of its language, and leaves alone the lines that are spoken of elsewhere: the
wrong one, and those that tracebacks name.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Collection
from random import Random

from tests.bench.causes.words import NOUNS, VERBS, camel, snake
from tests.bench.drifts.spotting import Body, body_of

NOTES = (
    "keep this in whole units", "callers hand in what is left over", "zero is not allowed from here on",
    "same order as in the report", "rounded once, not twice", "the caller has checked this", "see the table of rates",
    "must stay in step with its caller", "nothing is carried over",
)  # fmt: skip
SPARE = ("checked", "given", "before", "wanted", "current", "plain", "asked", "counted")
COMMENT = {"python": "#", "typescript": "//", "rust": "//", "go": "//"}


def tweaked(rng: Random, family: str, text: str, name: str, kept: Collection[str]) -> str:
    """The file with something else inside a function; where it has no such function, with a note somewhere."""
    body = body_of(family, text, name)
    ways: list[Callable[[Random, str, list[str], Body, Collection[str]], str | None]] = [
        _noted, _guarded, _guarded, _spared, _retuned, _bounded,
    ]  # fmt: skip
    rng.shuffle(ways)
    for way in ways if body is not None else ():
        made = way(rng, family, text.split("\n"), body, kept)
        if made is not None and made != text:
            return made
    return annotated(rng, family, text)


def annotated(rng: Random, family: str, text: str) -> str:
    """A comment at the end: possible in any file."""
    return f"{text.rstrip()}\n\n{_comment(family)} {rng.choice(NOTES)}, {rng.choice(NOUNS)}\n"


def extended(rng: Random, family: str, text: str) -> tuple[str, str]:
    """(the file with one more function at its end, the function's name)."""
    words = (rng.choice(VERBS), *rng.sample(NOUNS, 2))
    name = snake(words) if family in ("python", "rust") else camel(words)
    bound, more = rng.randint(2, 9), rng.randint(2, 60)
    lines = {
        "python": ["", f"def {name}(amount):", f"    if amount < {bound}:", f"        return {bound}",
                   f"    return amount + {more}"],
        "typescript": [f"function {name}(amount{_number(text)}) {{", f"  return Math.max({bound}, amount + {more});",
                       "}"],
        "rust": [f"pub fn {name}(amount: i64) -> i64 {{", f"    if amount < {bound} {{", f"        return {bound};",
                 "    }", f"    amount + {more}", "}"],
        "go": [f"func {name}(amount int) int {{", f"\tif amount < {bound} {{", f"\t\treturn {bound}", "\t}",
               f"\treturn amount + {more}", "}"],
    }[family]  # fmt: skip
    return text.rstrip() + "\n\n" + "\n".join(lines) + "\n", name


def stub(family: str, text: str, name: str, body: str, amount: str = "amount") -> str:
    """The file with a function of that name at its end that gives `body`."""
    lines = {
        "python": ["", f"def {name}({amount}):", f"    return {body}"],
        "typescript": [f"export function {name}({amount}{_number(text)}) {{", f"  return {body};", "}"],
        "rust": [f"pub fn {name}({amount}: i64) -> i64 {{", f"    {body}", "}"],
        "go": [f"func {name}({amount} int) int {{", f"\treturn {body}", "}"],
    }[family]
    return text.rstrip() + "\n\n" + "\n".join(lines) + "\n"


def _number(text: str) -> str:
    return ": number" if ": number" in text else ""


def _comment(family: str) -> str:
    return COMMENT[family]


def _noted(rng: Random, family: str, lines: list[str], body: Body, _: Collection[str]) -> str | None:
    at = _place(rng, lines, body)
    return _put(lines, at, [f"{body.indent}{_comment(family)} {rng.choice(NOTES)}"])


def _guarded(rng: Random, family: str, lines: list[str], body: Body, _: Collection[str]) -> str | None:
    """An early end for amounts that never come."""
    if "amount" not in lines[body.head]:
        return None
    bound = -rng.randint(1, 9)
    deep = body.indent + ("\t" if family == "go" else "  " if family == "typescript" else "    ")
    said = {
        "python": [f"{body.indent}if amount < {bound}:", f"{deep}return amount"],
        "typescript": [f"{body.indent}if (amount < {bound}) {{", f"{deep}return amount;", f"{body.indent}}}"],
        "rust": [f"{body.indent}if amount < {bound} {{", f"{deep}return amount;", f"{body.indent}}}"],
        "go": [f"{body.indent}if amount < {bound} {{", f"{deep}return amount", f"{body.indent}}}"],
    }[family]
    return _put(lines, _place(rng, lines, body), said)


def _spared(rng: Random, family: str, lines: list[str], body: Body, _: Collection[str]) -> str | None:
    """A name more for what is there already."""
    if "amount" not in lines[body.head]:
        return None
    free = [
        f"{one}_{two}" if family in ("python", "rust") else one + two.capitalize()
        for one in SPARE
        for two in NOUNS[:40]
    ]
    name = rng.choice([each for each in free if each not in "\n".join(lines)])
    said = {
        "python": [f"{name} = amount"],
        "typescript": [f"const {name} = amount;", f"void {name};"],
        "rust": [f"let {name} = amount;", f"debug_assert!({name} == amount);"],
        "go": [f"{name} := amount", f"_ = {name}"],
    }[family]
    return _put(lines, _place(rng, lines, body), [body.indent + each for each in said])


def _retuned(rng: Random, family: str, lines: list[str], body: Body, kept: Collection[str]) -> str | None:
    """Another number where a number bounds something."""
    able = [
        at
        for at in range(body.first, body.last + 1)
        if lines[at] not in kept and re.search(r"\b(?:if|elif) .*> \d+|min\(step, \d+\)|step\.min\(\d+\)", lines[at])
    ]
    if not able:
        return None
    at = rng.choice(able)
    number = re.findall(r"\d+", lines[at])[-1]
    other = str(int(number) + rng.randint(1, 9))
    head, _, tail = lines[at].rpartition(number)
    return "\n".join([*lines[:at], head + other + tail, *lines[at + 1 :]])


def _bounded(_: Random, family: str, lines: list[str], body: Body, kept: Collection[str]) -> str | None:
    """A floor below the number that must not be zero, which keeps a zero zero."""
    form = {"python": ("step = ", "max({}, 0)", ""), "typescript": ("const step = ", "Math.max({}, 0)", ";"),
            "rust": ("let step = ", "i64::max({}, 0)", ";"), "go": ("step := ", "max({}, 0)", "")}[family]  # fmt: skip
    head, wrap, tail = body.indent + form[0], form[1], form[2]
    for at in range(body.first, body.last + 1):
        if lines[at].startswith(head) and lines[at] not in kept and wrap[:4] not in lines[at]:
            said = lines[at][len(head) :].removesuffix(tail)
            return "\n".join([*lines[:at], head + wrap.format(said) + tail, *lines[at + 1 :]])
    return None


def _place(rng: Random, lines: list[str], body: Body) -> int:
    """Where a statement may stand: before one of the function's own, not inside of one."""
    return rng.choice(
        [
            at
            for at in range(body.first, body.last + 1)
            if lines[at].startswith(body.indent) and lines[at][len(body.indent) :][:1] not in ("", " ", "\t", "}", '"')
        ]
        or [body.first]
    )


def _put(lines: list[str], at: int, more: list[str]) -> str:
    return "\n".join([*lines[:at], *more, *lines[at:]])
