"""Instructions in German, French and Spanish as English ones: word by word, whatever their order.

    in_english("Bitte pnpm statt npm verwenden.")     # "please pnpm instead of npm use."

Only the words of order are translated, and few nouns: names of things are left. The table is `languages.txt`.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from importlib import resources


def _read() -> Iterator[tuple[re.Pattern[str], re.Pattern[str], dict[str, str]]]:
    """Yield (what tells a language, its words, their English) for each."""
    marker, words = "", ""
    for line in [*resources.files(__package__).joinpath("languages.txt").read_text("utf-8").split("\n"), "["]:
        if line.startswith("["):
            if marker:
                yield _compiled(marker, words.strip("|"))
            marker, words = line.partition("\t")[2], ""
        elif not line.startswith("#"):
            words += f"|{line}"


def _compiled(marker: str, table: str) -> tuple[re.Pattern[str], re.Pattern[str], dict[str, str]]:
    words = dict(each.split("=") for each in table.split("|"))
    every = "|".join(map(re.escape, sorted(words, key=len, reverse=True)))
    return (
        re.compile(rf"(?<![\w`/-])(?:{marker})(?![\w`/-])", re.IGNORECASE),
        re.compile(rf"(?<![\w/.`'-])(?:{every})(?![\w/`'-]|\.\w)", re.IGNORECASE),
        words,
    )


_TABLES = tuple(_read())


def in_english(text: str) -> str:
    """Return a German, French or Spanish instruction in English words; any other text as it is."""
    for marker, words, english in _TABLES:
        if marker.search(text):
            return words.sub(lambda found, table=english: table[found[0].lower()], text)  # type: ignore[misc]
    return text
