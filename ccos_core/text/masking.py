"""Withhold phrases in a text: what stands in their place has no words, and each line stays where it is.

    masked("Deploy on Mars. Use tabs.", Phrases([("deploy", "on", "mars")]))   # "███. Use tabs."

Words are compared as `retrieval.carried` compares them, so case, Markdown and line ends don't hide a phrase.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable, Iterator, Sequence

from ccos_core.text.retrieval.carried import placed_words

MASK = "███"
SHORT_WORDS = 2
"""A phrase of so few words is withheld where it is a line or a sentence of its own: a "yes" stands everywhere."""
FEW_PHRASES = 32
"""Phrases up to which a text is first searched for a word of each."""
_LINE = re.compile(r"[^\n]+")
_ESCAPE = re.compile(r"\\[nrt\"]")
"""Ends of lines and quotes in JSON, such as the arguments of a call."""
_OPEN = " \t\"'“‘(*_`#>-\n"
_CLOSE = " \t\"'”’)*_`.,;:!?\n"


class Phrases:
    """Phrases by their first word."""

    def __init__(self, phrases: Iterable[Sequence[str]]) -> None:
        self.by_first: dict[str, list[tuple[str, ...]]] = {}
        for phrase in sorted({tuple(each) for each in phrases if each}, key=lambda each: (-len(each), each)):
            self.by_first.setdefault(phrase[0], []).append(phrase)
        every = [phrase for phrases in self.by_first.values() for phrase in phrases]
        self.rarest = tuple(max(phrase, key=len) for phrase in every) if len(every) <= FEW_PHRASES else ()

    def __bool__(self) -> bool:
        return bool(self.by_first)


def masked(text: str, phrases: Phrases) -> str:
    """Return a text without these phrases."""
    if not phrases or not _may_have(text, phrases):
        return text
    text = text if text.isascii() else unicodedata.normalize("NFC", text)
    made, done = [], 0
    for start, end in _spans(text, phrases):
        made += [text[done:start], _LINE.sub(MASK, text[start:end])]
        done = end
    return "".join([*made, text[done:]]) if made else text


def is_withheld(text: str) -> bool:
    """Tell whether nothing of a text was left."""
    return MASK in text and not text.replace(MASK, "").strip()


def _may_have(text: str, phrases: Phrases) -> bool:
    if not phrases.rarest:
        return True
    folded = text.lower() if text.isascii() else unicodedata.normalize("NFKC", text).casefold()
    return any(word in folded for word in phrases.rarest)


def _spans(text: str, phrases: Phrases) -> Iterator[tuple[int, int]]:
    """Yield where phrases stand in a composed text, the longest first, none within another."""
    words = placed_words(_ESCAPE.sub("  ", text) if text[:1] in ("{", "[") else text, most=None)
    at = 0
    while at < len(words):
        found = next((each for each in phrases.by_first.get(words[at][0], ()) if _stands(text, words, at, each)), None)
        if found is not None:
            yield words[at][1], words[at + len(found) - 1][2]
        at += len(found) if found is not None else 1


def _stands(text: str, words: Sequence[tuple[str, int, int]], at: int, phrase: tuple[str, ...]) -> bool:
    end = at + len(phrase)
    if end > len(words) or any(words[at + place][0] != word for place, word in enumerate(phrase)):
        return False
    return len(phrase) > SHORT_WORDS or _is_alone(text, words[at][1], words[end - 1][2])


def _is_alone(text: str, start: int, end: int) -> bool:
    """Tell whether nothing else stands in the same sentence or line."""
    before = text[:start].rstrip(_OPEN.replace("\n", ""))
    behind = text[end:].lstrip(_CLOSE.replace("\n", ""))
    return before[-1:] in ("", "\n", ".", "!", "?") and (behind[:1] in ("", "\n") or text[end : end + 1] in ".!?")
