r"""Find words that mix Latin letters with letters of another script, or styled ones, that look like Latin letters.

`\u0430dmin` with a Cyrillic letter is another name than `admin`, and a reader can't see it. What looks like what is
Unicode's confusables data (`unicode_tables`). People do mix scripts: `API-интерфейс`, `PDFов`, `μm`, `TNFα`, `Tシャツ`,
`וGoogle`; translators type a Latin o in a Cyrillic word. So a word counts only if all of it can be taken for Latin
letters, with look-alikes of

    Cyrillic, Armenian, Cherokee, capitals of Greek, styled letters and their like    anywhere in the word
    small Greek letters, and all other scripts                                        between Latin letters

An inflected acronym (`SMSка`) is a word of its language. A word wholly of such letters counts if nothing else in the
text is written in its script.
"""

from __future__ import annotations

import re

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

STRONG = frozenset(
    (
        *("Cyrillic", "Armenian", "Cherokee", "Lisu", "Coptic", "Warang_Citi", "Canadian_Aboriginal", "Carian"),
        *("Lycian", "Elbasan", "Deseret", "Old_Italic", "Osage", "Miao", "Georgian", "Runic", "Beria_Erfe"),
    )
)
"""Scripts whose letters are taken for Latin ones wherever they stand."""
STYLED = "Styled"
"""Mathematical and fullwidth letters, which Python and others take for the plain ones."""
SHORTEST_WHOLE = 3
"""Letters that a word has at least which is wholly of another script."""
GREEK_STRONG = frozenset(
    "\u0391\u0392\u0395\u0396\u0397\u0399\u039a\u039c\u039d\u039f\u03a1\u03a4\u03a5\u03a7\u03bf\u037f\u03f2\u03f3"
)
"""Capitals, omicron, yot, lunate sigma. The small letters name quantities and units beside Latin ones."""
LONGEST_WEAK = 16
"""Letters of a word in which a weak look-alike counts: it shows, and only at a glance is it taken for another."""

_WORD = re.compile("[0-9A-Za-z_\u00aa-\U0010ffff]+")
_ASCII = re.compile("[A-Za-z]")
_latin_for: dict[str, str] = {}
_scripts: list[tuple[int, int, str]] = []
_script_of: dict[str, str] = {}
_MOST_KNOWN = 1 << 14


def latin_for() -> dict[str, str]:
    """Return look-alike → the Latin letters it is taken for."""
    if not _latin_for:
        from ccos_core.text.sanitize import unicode_tables

        for latin, packed in unicode_tables.LOOKALIKES.items():
            for first, last in unicode_tables.spans(packed):
                _latin_for.update((chr(code), latin) for code in range(first, last + 1))
    return _latin_for


def script_of(char: str) -> str:
    """Return the script of a letter; empty for what is no letter, or of no script."""
    known = _script_of.get(char)
    if known is None:
        if len(_script_of) > _MOST_KNOWN:
            _script_of.clear()
        known = _script_of[char] = _looked_up(char)
    return known


def is_letter(char: str) -> bool:
    """Return whether a character is a letter or mark of some script, by the pinned tables."""
    return char != "" and script_of(char) != ""


def _looked_up(char: str) -> str:
    code = ord(char)
    if code < 0x80:
        return "Latin" if char.isalpha() else ""
    if 0xFF21 <= code <= 0xFF5A or 0x1D400 <= code <= 0x1D7FF:
        return STYLED
    if not _scripts:
        from ccos_core.text.sanitize import unicode_tables

        for name, packed in unicode_tables.SCRIPTS.items():
            _scripts.extend((first, last, name) for first, last in unicode_tables.spans(packed))
        _scripts.sort()
    low, high = 0, len(_scripts)
    while low < high:
        middle = (low + high) // 2
        if _scripts[middle][1] < code:
            low = middle + 1
        else:
            high = middle
    return _scripts[low][2] if low < len(_scripts) and _scripts[low][0] <= code else ""


def mixed_words(text: str) -> Iterator[tuple[int, str, str]]:
    """Yield (place, word, what it is taken for) for each word that is spelt to be mistaken."""
    if text.isascii():
        return
    taken = latin_for()
    used = {char for char in set(text) if char in taken}
    if not used:
        return
    strong = {char for char in used if script_of(char) in STRONG or (script_of(char) == STYLED)}
    others = _other_letters(text, strong)
    for match in _WORD.finditer(text):
        if used.isdisjoint(match[0]):
            continue
        for at, word in _parts(match[0]):
            if _is_spoofed(word, text, match.start() + at) or _is_whole(word, others):
                yield match.start() + at, word, skeleton(word)


def skeleton(word: str) -> str:
    """Return a word with each look-alike replaced by the Latin letters it is taken for."""
    taken = latin_for()
    return "".join(taken.get(char, char) for char in word)


def _parts(run: str) -> Iterator[tuple[int, str]]:
    """Cut a run at what is neither ASCII nor a letter or mark of a script nor a look-alike."""
    taken = latin_for()
    first = 0
    for at, char in enumerate(run):
        if char > "\x7f" and char not in taken and not script_of(char) and not "\u0300" <= char <= "\u036f":
            if at > first:
                yield first, run[first:at]
            first = at + 1
    if first < len(run):
        yield first, run[first:]


def _is_spoofed(word: str, text: str, at: int) -> bool:
    """Whether Latin letters and look-alikes stand in one word, and no language inflects it so."""
    taken = latin_for()
    if not _ASCII.search(word) or any(char > "\x7f" and char not in taken for char in word):
        return False
    for place, char in enumerate(word):
        if char not in taken:
            continue
        script = script_of(char)
        is_strong = script in STRONG or script == STYLED or char in GREEK_STRONG
        if script == STYLED and not _is_beside_latin(word, place):
            continue  # d𝑥 is mathematics, and a_𝔘 is written so to be seen
        if is_strong and not _is_inflected(word, script, text, at):
            return True
        is_within = 0 < place < len(word) - 1 and _latin(word[place - 1]) and _latin(word[place + 1])
        if not is_strong and is_within and len(word) <= LONGEST_WEAK:
            return True
    return False


def _is_beside_latin(word: str, place: int) -> bool:
    """Whether the part of a name between underscores that holds a place has plain letters too, and three in all."""
    part = word[word.rfind("_", 0, place) + 1 :].partition("_")[0]
    return len(part) >= SHORTEST_WHOLE and _ASCII.search(part) is not None


def _latin(char: str) -> bool:
    return char.isascii() and char.isalpha()


def _is_inflected(word: str, script: str, text: str, at: int) -> bool:
    """Whether a word is a Latin part and then one of another script, on a line with a plain word of that script.

    `SMSка` and `iPhoneом` beside Russian words are Russian; Cyrillic letters before `ypal` are not.
    """
    letters = [char for char in word if script_of(char)]
    change = [place for place in range(1, len(letters)) if script_of(letters[place]) != script_of(letters[place - 1])]
    if len(change) != 1 or script_of(letters[0]) != "Latin" or script == STYLED:
        return False
    start, end = text.rfind("\n", 0, at) + 1, text.find("\n", at)
    line = text[max(start, at - 200) : min(len(text) if end < 0 else end, at + 200)]
    taken = latin_for()
    return any(
        script_of(char) == script and char not in taken for part in line.split() if part.find(word) < 0 for char in part
    )


def _other_letters(text: str, strong: set[str]) -> frozenset[str]:
    """Scripts of the look-alikes that the text also has other letters of."""
    scripts = {script_of(char) for char in strong}
    taken = latin_for()
    return frozenset(script_of(char) for char in set(text) if char > "\x7f" and char not in taken) & scripts


def _is_whole(word: str, others: frozenset[str]) -> bool:
    """Whether a word consists of look-alikes alone, in a text that has no other letter of their script."""
    taken = latin_for()
    if len(word) < SHORTEST_WHOLE or not all(char in taken or char in "_0123456789" for char in word):
        return False
    scripts = {script_of(char) for char in word if char in taken}
    return len(scripts) == 1 and scripts <= STRONG and scripts.isdisjoint(others) and word[0] in taken
