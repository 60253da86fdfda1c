"""German instructions as English ones: the few ways in which Germans say what is forbidden or to be used.

    in_english("Bitte pnpm statt npm verwenden.")     # "use pnpm instead of npm."

What isn't one of them stays as it is. Only the words of order are translated: names of things are left.
"""

from __future__ import annotations

import re

VERBS_IN_GERMAN = {
    "anfassen": "touch", "anrühren": "touch", "ändern": "change", "verändern": "change", "bearbeiten": "edit",
    "editieren": "edit", "löschen": "delete", "entfernen": "remove", "pushen": "push", "committen": "commit",
    "mergen": "merge", "verwenden": "use", "benutzen": "use", "nutzen": "use", "nehmen": "use", "aufrufen": "call",
    "ausführen": "run", "starten": "run", "lesen": "read", "installieren": "install", "umbenennen": "rename",
    "anlegen": "create", "erstellen": "create", "schreiben": "write", "hinzufügen": "add", "deployen": "deploy",
    "überspringen": "skip", "taggen": "tag", "squashen": "squash",
}  # fmt: skip
_VERB = "|".join(VERBS_IN_GERMAN)
_ASIDE = r"(?:,?\s*bitte)?\s*[.!]*$"
_START = r"^(?:bitte\s+|und\s+|aber\s+|also\s+|die datei(?:en)?\s+|das verzeichnis\s+|der ordner\s+)*"
_PATTERNS = tuple(
    (re.compile(pattern, re.IGNORECASE), said)
    for pattern, said in (
        (
            rf"{_START}(?:nimm |nehmt |verwende |benutze "
            rf"|nutze )?(?P<x>.+?) (?:an)?statt (?P<y>.+?)(?: (?:{_VERB}))?{_ASIDE}",
         "use {x} instead of {y}"),
        (rf"{_START}(?:in (?P<w>\S+) )?(?P<x>.*?)\s*\b(?:niemals|nie|nicht)\s+(?P<y>.*?)\s*\b(?P<v>{_VERB}){_ASIDE}",
         "never {v} {x} {y}"),
        (rf"{_START}keine?[nsmr]?\s+(?P<x>[^,;]+?)\s+(?P<v>{_VERB}){_ASIDE}", "never {v} {x}"),
        (
            rf"{_START}keine?[nsmr]?\s+(?P<x>[^,;]+?)(?:\s*,\s*(?:nur|sondern|nimm|nehmt|verwende|benutze)\s+(?:den "
            rf"|die |das )?(?P<y>.+?))?{_ASIDE}",
         "never use {x}"),
        (rf"{_START}jede[rsm]?\s+(?P<x>\S+)\s+braucht\s+(?P<y>.+?){_ASIDE}", "every {x} needs {y}"),
        (rf"{_START}(?P<x>.+?)\s+immer mit\s+(?P<y>-\S+){_ASIDE}", "always run {x} with {y}"),
        (
            rf"{_START}(?P<x>.+?)\s+(?:bleibt|bleiben),?\s+(?:wie (?:sie|es|er) (?:ist|sind)|unverändert"
            rf"|unangetastet){_ASIDE}",
         "leave {x} as it is"),
        (rf"{_START}(?:finger weg|hände weg)\s+von\s+(?P<x>.+?){_ASIDE}", "hands off {x}"),
        (rf"{_START}(?:nimm|nehmt|verwende|benutze|nutze)\s+(?:nur\s+)?(?P<x>.+?){_ASIDE}", "use {x}"),
        (rf"{_START}immer\s+(?P<x>.+?)\s+(?P<v>verwenden|benutzen|nutzen|nehmen){_ASIDE}", "always use {x}"),
    )
)  # fmt: skip
_LITTLE = {"auf": "to", "nach": "to", "in": "in", "im": "in", "mit": "with", "und": "and", "oder": "or", "für": "for",
           "von": "by"}  # fmt: skip


def in_english(text: str) -> str:
    """Return a German instruction in English; any other text as it is."""
    for pattern, said in _PATTERNS:
        if found := pattern.match(text):
            parts = {name: _little(value or "") for name, value in found.groupdict().items()}
            parts["v"] = VERBS_IN_GERMAN.get(parts.get("v", "").lower(), "")
            return " ".join(said.format(**{"x": "", "y": "", **parts}).split())
    return text


def _little(phrase: str) -> str:
    """Translate the little words of a phrase, and a verb at its end."""
    return " ".join(_LITTLE.get(word.lower(), word) for word in phrase.split() if word.lower().strip(",") != "bitte")
