"""What nouns and phrases look like in a deed: `lockfile` is a path, `bare except` a line, `force push` a command.

The table is `looks.txt`.

    looks("bare except", LINES).search("    except:")

A phrase may look like something in several places. Its words are compared by their stems.
"""

from __future__ import annotations

import re
from functools import lru_cache
from importlib import resources

from ccos_core.query.instructions.words import stem

PATHS, LINES, RUNS, MESSAGE = "paths", "lines", "runs", "message"


@lru_cache(maxsize=20_000)
def key_of(phrase: str) -> str:
    """Return what the wordings of a phrase share."""
    return " ".join(stem(word) for word in phrase.lower().split())


def _read() -> dict[str, dict[str, re.Pattern[str]]]:
    found: dict[str, dict[str, re.Pattern[str]]] = {}
    for line in resources.files(__package__).joinpath("looks.txt").read_text("utf-8").split("\n"):
        if line.startswith("["):
            known = found.setdefault(line.strip("[]"), {})
        elif line and not line.startswith("#"):
            phrases, _, pattern = line.partition("\t")
            compiled = re.compile(pattern)
            known.update((key_of(phrase), compiled) for phrase in phrases.split("|"))
    return found


_KNOWN = _read()
PHRASES = frozenset(key for known in _KNOWN.values() for key in known if " " in key)
"""Keys of several words that mean one thing."""
LONGEST_PHRASE = max(len(key.split()) for key in PHRASES)


def looks(phrase: str, kind: str) -> re.Pattern[str] | None:
    """Return what shows a phrase in a deed's paths, lines, commands or messages; None where nothing is known of it."""
    return _KNOWN[kind].get(key_of(phrase))


def is_known(phrase: str) -> bool:
    """Tell whether anything is known of how a phrase looks."""
    key = key_of(phrase)
    return any(key in known for known in _KNOWN.values())
