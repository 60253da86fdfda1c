"""How users say that something doesn't work, that a claim is wrong, or that work is to be undone: tables by language.

All patterns ignore case. A wrong match costs an untrue sentence, a missed one a sentence that isn't there, so a
pattern is only as wide as people's words leave no doubt.
"""

from __future__ import annotations

import re
from collections.abc import Mapping

_NOT = r"(?:(?:do|does|did|is|are|was|were|has|have|wo|could|would)n['’`]?t|(?:do|does|did|is|are|was|were|has) not)"
_FAILING_VERB = (
    r"(?:work\w*|compil\w+|build\w*|run(?:ning)?|start\w*|launch\w*|load\w*|open\w*|show\w*|display\w*|appear\w*"
    r"|creat\w+|writ\w+|generat\w+|sav\w+|updat\w+|render\w*|respond\w*|fire\w*|trigger\w*|happen\w*|connect\w*|pass"
    r"|fix(?:ed)?|help(?:ed)?|do anything|change anything)"
)
_TROUBLE = (
    r"(?:issue|problem|error|bug|fail|conflict|warning|wrong|broken|missing|exception|crash|no\b|nothing|not\b|same)"
)
STILL: Mapping[str, str] = {
    "en": r"still (?:\w+ly )?(?:not(?! (?:sure|clear|certain|convinced|decided))|no\b|fail\w*|broken|breaks?|breaking"
    r"|bugg\w+|wrong|missing|gets?\b|getting|sees?\b|seeing|the same|there\b|leak\w*|crash\w*|error\w*|hang\w*"
    r"|happen\w*|show\w*|say\w*|throw\w*|report\w*|return\w*|print\w*|empty|blank|stuck|red\b|slow)"
    rf"|still (?:have|has|had|got)\b[^.\n]{{0,40}}?\b{_TROUBLE}"
    rf"|still {_NOT}|{_NOT} (?:\w+ )?still|still (?:ca|wo)n['’`]?t|still cannot"
    r"|(?:is|are|'s|tests|build|it) still (?:fail|broken|the same|happening)"
    r"|same (?:error|issue|problem|failure|bug|result|exception)\b|keeps? (?:fail|crash|happen|break|throw)\w*",
    "de": r"(?:immer )?noch immer|immer noch|(?:funktioniert|geht|läuft) (?:noch|weiterhin) nicht|gleiche\w* fehler",
    "es": r"(?:sigue|todavía|aún) (?:sin|no|fall\w+|igual|dando)|mismo (?:error|problema)",
    "fr": r"toujours (?:pas|le même|la même|en erreur)|même (?:erreur|problème)",
    "pt": r"(?:ainda|continua) (?:não|nao|sem|falh\w+|com|dando)|mesmo (?:erro|problema)",
}
"""Language → what says that it is as bad as before."""
NOT_WORKING: Mapping[str, str] = {
    "en": rf"(?<!\bwe ){_NOT}"
    r" (?:(?:really|actually|even|seem|seems|seemed|appear|appears|to|be|been|get|properly|fully|quite) )*"
    rf"{_FAILING_VERB}\b"
    rf"|(?:ca|wo)n['’`]?t (?:even )?(?:find|see|open|connect|log ?in|run|build|start|click|{_FAILING_VERB})\b"
    r"|nothing (?:happen\w*|changed|shows? up|works?|appears?)|(?:has|had|have) no effect|no luck"
    r"|(?:is|are|it's|looks?|seems?|got) (?:completely |totally |now )?(?:broken|messed up|busted)"
    r"|(?:it|that|this|you|change) (?:broke|messed)\b|messed (?:it )?up|didn['’`]?t help|not (?:fixed|working)\b"
    r"|\bI(?:'m| am|’m) (?:now )?(?:getting|seeing)\b[^.\n]{0,60}(?:error|exception|fail\w*|[:]\s*$)"
    r"|\bI (?:now )?get (?:this|an|the|another|a new)\b[^.\n]{0,30}(?:error|exception|failure)"
    r"|(?:tests?|build|ci|lint|it) (?:is |are |was |were )?(?:now )?fail(?:s|ed|ing)?\b",
    "de": r"(?:funktioniert|geht|klappt|läuft|kompiliert|startet) (?:\w+ )?nicht|passiert nichts|kaputt"
    r"|schlägt (?:\w+ )?fehl",
    "es": r"no (?:funciona|compila|arranca|aparece|pasa nada|se ve)|está roto|fall(?:a|an|ó)\b",
    "fr": r"ne (?:fonctionne|marche|compile|démarre|s'affiche) (?:\w+ )?pas|rien ne se passe|est cassée?",
    "pt": r"n[ãa]o (?:funciona|compila|roda|aparece|acontece nada)|está quebrado|falhou|falha\b",
}
"""Language → what says that it doesn't work."""
_WISH: Mapping[str, str] = {
    "en": r"\b(?:make (?:it )?(?:so|sure)|ensure|so that|in case|if|unless|whether|should(?:n['’`]?t)?|must"
    r"|without|avoid|prevent|want|wants|expect\w*|verify|check|need to|how (?:do|does|can|come)|why)\b"
    r"|\bI (?:guess|suppose|assume|imagine)\b|\b(?:an?|any|every|each) (?:[\w-]+ ){1,3}(?:that|which)\s*$",
    "de": r"\b(?:sorg\w*|stell\w* sicher|damit|falls|wenn|ob|soll\w*|warum|wieso)\b",
    "es": r"\b(?:asegúrate|para que|si|cuando|debe\w*|por qué)\b",
    "fr": r"\b(?:assure-toi|pour que|si|quand|doit|pourquoi)\b",
    "pt": r"\b(?:garanta|para que|se|quando|deve\w*|por que)\b",
}
"""Language → what, standing before it in a sentence, makes it a wish, a question or a guess."""
CORRECTION: Mapping[str, str] = {
    "en": r"that(?:['’]s| is|s) (?:just |simply |still |also )?(?:not (?:right|correct|true|what)|wrong|incorrect"
    r"|false)|\byou(?:['’]re| are| were) (?:wrong|mistaken|incorrect)"
    r"|\b(?:not|is|isn['’]?t) what (?:i|we) (?:asked|meant)"
    r"|\b(?:like|what|as) i (?:said|told you)|\bi (?:already |just )?told you|\byou (?:misunderst\w+|misread"
    r"|miscount\w*|made (?:that|it|this) up|hallucinat\w+)|(?:is|are|was|were|still|also|all|both) "
    r"(?:wrong|incorrect|inaccurate|not (?:correct|right|true))\b"
    r"|\b(?:does|do)n['’]?t (?:look|sound|seem) (?:right|correct)"
    r"|\bi (?:really )?(?:do not|don['’]?t) like (?:that|this)\b",
    "de": r"das (?:ist|war) (?:falsch|nicht richtig|nicht korrekt)|das stimmt (?:so )?nicht|wie (?:ich )?gesagt",
    "es": r"(?:eso|esto) (?:está mal|no es (?:correcto|lo que))|te (?:equivocas|dije)|como (?:ya )?dije",
    "fr": r"c['’]est (?:faux|incorrect)|ce n['’]est pas (?:correct|ce que)|comme je (?:l['’]ai )?dit",
    "pt": r"(?:isso|isto) (?:está (?:errado|incorreto)|não é o que)|como (?:eu )?(?:já )?(?:disse|falei)",
}
"""Language → what says that the agent was wrong about something."""
_BEFORE = (
    r"(?:^|[.!?,;:\n]\s*|\b(?:please|let['’]?s|can you|could you|just|nah|ok|okay|so|and|then|now|to|should|must"
    r"|have to)\s+)"
)
UNDO: Mapping[str, str] = {
    "en": rf"{_BEFORE}(?:undo\b|revert\b|roll(?:ing)? ?(?:it |that |this |them )?back\b|back out\b"
    r"|take (?:that|it|this|them) back|put (?:it|that|them|this) back"
    r"|restore (?:the |to )?(?:previous|old|original|earlier|last)|go(?:ing)? back (?:to (?:the|what|how|my)|and))",
    "de": r"rückgängig|mach\w*[^.\n]{0,40}\bzurück|setz\w*[^.\n]{0,40}\bzurück|wieder wie vorher",
    "es": r"\bdeshaz\b|\bdeshacer\b|\brevierte\b|vuelve a como",
    "fr": r"\bannule[rz]?\b|\breviens\b|remets?\b[^.\n]{0,40}\bcomme",
    "pt": r"\bdesfa[çz]\w*|\breverta\b|volt[ae]\b[^.\n]{0,40}\bcomo",
}
"""Language → what asks to undo something; a word that stands alone as a request, not one that is spoken of."""
GIVEN_UP: Mapping[str, str] = {"en": rf"{_BEFORE}go(?:ing)? back\b"}
"""Language → what asks for it only in a prompt that says little else."""
CLAIM: Mapping[str, str] = {
    "en": r"\b(?:is|are|it's|now|been|should be|should now be) (?:now )?(?:fixed|resolved|working|corrected)\b"
    r"|\b(?:i(?:'ve| have)?|we(?:'ve)?) (?:now )?(?:fixed|resolved|corrected)\b|^(?:fixed|done|all set|complete)\b"
    r"|should (?:now )?work\b|all (?:\w+ )?tests (?:now )?pass|all green|works (?:now|correctly|as expected)"
    r"|\bnow (?:works|shows|creates|writes|generates|includes|uses|correctly)\b",
    "de": r"\b(?:behoben|erledigt|funktioniert (?:jetzt|nun))",
    "es": r"\b(?:corregido|arreglado|solucionado|listo)\b",
    "fr": r"\b(?:corrigé|résolu|c['’]est fait)",
    "pt": r"\b(?:corrigido|resolvido|pronto)\b",
}
"""Language → what an agent says when it takes something for done."""
CONCESSION: Mapping[str, str] = {
    "en": r"\A\W*(?:\w+[,.!] )?you(?:['’]re| are) (?:\w+ )?(?:right|correct)(?! to (?:ask|wonder|question))\b",
    "de": r"\A\W*(?:du hast|sie haben) (?:\w+ )?recht\b",
    "es": r"\A\W*tienes? (?:\w+ )?razón\b",
    "fr": r"\A\W*(?:tu as|vous avez) (?:\w+ )?raison\b",
    "pt": r"\A\W*(?:você|tu) tem (?:\w+ )?razão\b",
}
"""Language → how an agent begins that was corrected."""
_SENTENCE = re.compile(r"[.!?\n;]+(?=\s|$)|\n|,? but\b", re.IGNORECASE)


def _any(table: Mapping[str, str]) -> re.Pattern[str]:
    return re.compile("|".join(f"(?:{pattern})" for pattern in table.values()), re.IGNORECASE | re.MULTILINE)


_STILL, _NOT_WORKING, _WISHES = _any(STILL), _any(NOT_WORKING), _any(_WISH)
_CORRECTION, _UNDO, _GIVEN_UP, _CLAIM = _any(CORRECTION), _any(UNDO), _any(GIVEN_UP), _any(CLAIM)
_CONCESSION = _any(CONCESSION)
_QUESTION = re.compile(
    r"\s*(?:(?:and|so|but|ok|okay|hmm)\W+)*(?:do|does|did|are|is|was|were|has|have|can|could|should|would|will|what|which"
    r"|how|why|where|who)\b",
    re.IGNORECASE,
)
"""How a sentence begins that asks."""
SHORT_CHARACTERS = 60
"""Of a prompt that says little else."""


def says_still(text: str) -> bool:
    """Return whether the user says that something is as bad as before."""
    return _is_stated(_STILL, text)


def says_not_working(text: str) -> bool:
    """Return whether the user says that something doesn't work."""
    return _is_stated(_NOT_WORKING, text)


def says_wrong(text: str) -> bool:
    """Return whether the user says that the agent was wrong."""
    return _is_stated(_CORRECTION, text)


def asks_to_undo(text: str) -> bool:
    """Return whether the user asks to undo something."""
    return _UNDO.search(text) is not None or (len(text) <= SHORT_CHARACTERS and _GIVEN_UP.search(text) is not None)


def claims_done(text: str) -> bool:
    """Whether an agent says that something is fixed or works now."""
    return _CLAIM.search(text) is not None


def concedes(text: str) -> bool:
    """Return whether an agent begins by admitting that the user is right."""
    return _CONCESSION.search(text) is not None


def _is_stated(pattern: re.Pattern[str], text: str) -> bool:
    """Whether a sentence matches that neither wishes nor asks for it before the match."""
    for sentence in _SENTENCE.split(text):
        found = pattern.search(sentence or "")
        if found is None:
            continue
        before = sentence[: found.start()]
        if not _WISHES.search(before) and not _QUESTION.match(before):
            return True
    return False
