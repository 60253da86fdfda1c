"""The terms of a statement, by kind: a path, a name out of code, an option, a number, a word.

terms_of("never pass `--force` to git push in src/api/")
"""

from __future__ import annotations

import re
from typing import NamedTuple

from ccos_core.query.instructions.words import HEADS, STOP, VERBS, stem

PATH, CODE, FLAG, NUMBER, WORD = "path", "code", "flag", "number", "word"
_TOKEN = re.compile(
    r"`(?P<code>[^`\n]{1,200})`|(?P<quote>\"[^\"\n]{1,200}\"|“[^”\n]{1,200}”|(?<!\w)'[^'\n]{2,80}'(?!\w))"
    r"|(?P<word>[^\s,;()`\"“”]+(?:\(\))?)|(?P<mark>[,;()])"
)
_ENDING = re.compile(
    r"^[\w.@*-]*[\w*]\.(?:py|pyi|ts|tsx|mts|js|jsx|mjs|cjs|go|rs|java|kt|rb|php|c|h|cc|cpp|hpp|cs|swift|sh|bash"
    r"|ps1|sql"
    r"|html|css|scss|json|jsonl|yaml|yml|toml|ini|cfg|conf|xml|md|rst|txt|lock|env|proto|graphql|tf|csv|log|db|ipynb"
    r"|mod|sum|gradle|properties|vue|svelte|snap|pem|key)$",
    re.IGNORECASE,
)
_DOTFILE = re.compile(
    r"^\.(?:env|git|github|gitignore|npmrc|eslintrc|prettierrc|dockerignore|vscode|idea|husky)[\w./*-]*$"
)
_NAME = re.compile(r"[a-z0-9][A-Z]|\w_\w|^_\w|\w\.\w|::|\(\)|^@\w|^#\w|\w=|^\$\w|->")
_NUMBER = re.compile(r"^\d[\d_.,]*(?:ms|s|sec|min|h|kb|mb|gb|px|%|k|m)?$", re.IGNORECASE)


class Term(NamedTuple):
    """One term."""

    kind: str
    text: str
    """As it was written, without quotes; of a folder with its slash."""
    quoted: bool = False

    @property
    def stem(self) -> str:
        """What its forms share."""
        return stem(self.text)

    @property
    def is_name(self) -> bool:
        """Whether it is more than a word of the language."""
        return self.kind != WORD


def terms_of(text: str) -> list[Term]:
    """Return the terms of a text in order; marks between them are words of their own."""
    found = []
    for match in _TOKEN.finditer(text):
        if match["code"] is not None:
            found.append(_of_code(match["code"].strip()))
        elif match["quote"] is not None:
            inner = match["quote"][1:-1].strip()
            found.append(_of_code(inner)._replace(quoted=True) if inner else Term(WORD, ""))
        elif match["mark"]:
            found.append(Term(WORD, match["mark"]))
        elif (said := re.sub(r"^[*_!?:'’]+(?![./])|[*_!?:'’]+$", "", match["word"]).rstrip(".")) and re.search(
            r"\w|\*", said
        ):
            found.append(_of_word(said))
    return [each for each in found if each.text]


def content_of(terms: list[Term]) -> list[Term]:
    """Return the terms that say something: names, numbers, and words that aren't everywhere."""
    return [
        each
        for each in terms
        if each.kind != WORD
        or (each.text.lower() not in STOP and each.stem not in HEADS and re.search(r"\w", each.text))
    ]


def is_path(text: str) -> bool:
    """Tell whether a text is spelled like a path."""
    if " " in text or "://" in text or text.startswith("-") or re.fullmatch(r"[\d/.]+|(?:[a-z]+:/)+[a-z]+:", text):
        return False
    if "/" in text.strip("/") and not text.startswith("@"):
        parts = text.strip("/").split("/")
        return not all(stem(part) in VERBS or part.lower() in STOP for part in parts)
    return text.endswith("/") or _ENDING.match(text) is not None or _DOTFILE.match(text) is not None


def _of_code(text: str) -> Term:
    if re.match(r"-{1,2}[A-Za-z]", text) and " " not in text:
        return Term(FLAG, text)
    if is_path(text):
        return Term(PATH, text.removeprefix("./"), True)
    return Term(NUMBER, text, True) if _NUMBER.match(text) else Term(CODE, text, True)


def _of_word(text: str) -> Term:
    if re.match(r"-{1,2}[A-Za-z]", text):
        return Term(FLAG, text)
    if re.fullmatch(r"\*?\.(?!env)[a-z]\w{0,4}", text) and _ENDING.match(f"x{text.lstrip('*')}"):
        return Term(PATH, f"*{text.lstrip('*')}")
    if is_path(text):
        return Term(PATH, text.removeprefix("./"))
    if _NUMBER.match(text):
        return Term(NUMBER, text.rstrip(".,"))
    is_name = _NAME.search(text) or re.fullmatch(r"\d+(?:[/.-]\d+)+", text)
    return Term(CODE, text) if is_name else Term(WORD, text)
