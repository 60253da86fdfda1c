"""Find values that are secrets by the name they are given to: `password = "..."`, `"api_key": "..."`, `.env`, pairs.

A few roots of such names are looked for, then what follows is asked whether it gives a value, then the whole name and
the value are judged. Values are taken from one line. Kubernetes, Compose, CloudFormation and XML settings write a
value beside its name, on one line or two: `- name: X_PASSWORD` with `value: ...`.
"""

from __future__ import annotations

from ccos_core.text.sanitize.spans import Lazy, Span
from ccos_core.text.sanitize.values import BARE, LINE, QUOTED, SPACED, WEAK, can_be_secret, secret_family

TYPE_CHECKING = False
if TYPE_CHECKING:
    import re
    from collections.abc import Iterator

_MARK = r"\\{0,3}[\"'`]?"
_GAP = r"(?:[ \t,]|(?:\r?\n|\\{1,3}n|\\{1,3}r)(?:[ \t]{0,8}[0-9]{1,6}(?:→|\t|\\{1,3}t|:))?){1,60}"
_NAME = Lazy(
    rf"(?i)(?:name|key|variable)(?:{_MARK}[ \t]{{0,4}}[:=][ \t]{{0,4}}| ){_MARK}([A-Za-z0-9_.\-]{{3,64}}){_MARK}"
    rf"(?:[ \t]{{0,2}}\{{)?{_GAP}(?:[^\n]{{0,40}}\n[ \t0-9→:]{{0,40}})?{_MARK}$"
)
"""What stands before `value`, up to it."""
_VALUE = Lazy(rf"(?i)(?:value|default){_MARK}[ \t]{{0,4}}[:=][ \t]{{0,4}}{_MARK}([^\s\"'`<>,}}\\]{{3,4096}})")
_FAR = 160
"""Characters before `value` in which its name stands."""


def pair_spans(text: str, lower: bytes) -> Iterator[Span]:
    """The values of such pairs; `lower` is the text in small ASCII, one byte per character."""
    for needle in (b"value", b"default"):
        start = lower.find(needle)
        while start >= 0:
            span = _paired(text, lower, start)
            if span is not None:
                yield span
            start = lower.find(needle, start + len(needle))


def _paired(text: str, lower: bytes, start: int) -> Span | None:
    low = max(start - _FAR, 0)
    if (
        lower.find(b"name", low, start) < 0
        and lower.find(b"key", low, start) < 0
        and lower.find(b"variable", low, start) < 0
    ):
        return None
    found = _VALUE().match(text, start)
    if found is None:
        return None
    named = _NAME().search(text[low:start])
    family = secret_family(named[1]) if named is not None else None
    if family is None or not can_be_secret(family, found[1], LINE):
        return None
    return found.start(1), found.end(1), family


_ROOTS = (b"pass", b"pwd", b"secret", b"token", b"key", b"auth")
_LONGEST_NAME = 48
_SHORTEST = 3
_NAME_CHARS = frozenset("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-$")

# The rest of a name and the operator: `word" : `, `_KEY'] = `, `=`, `>`.
_HEAD = Lazy(
    r"[A-Za-z0-9_-]{3,48}+(?P<quote>\\{0,3}[\"'`])?(?:\[[0-9]*\]|\])?"
    r"(?P<before>[ \t]{0,24}+)(?P<op>=>|:=|={1,3}|!==?|:|,|\(|>|(?<=[ \t]))(?P<after>[ \t]{0,24})"
)
_TYPE = Lazy(r"[A-Za-z_&][A-Za-z0-9_.:\[\]<>&|? ]{0,48}?[ \t]{0,4}=[ \t]{0,8}")
_STRING = Lazy(
    r"(?:[bBuUrRfF@]{1,2}|SecretStr\(|String::from\()?(?:"
    r"\"(?P<double>[^\"\\\n]*(?:\\.[^\"\\\n]*)*)\""
    r"|'(?P<single>[^'\\\n]*(?:\\.[^'\\\n]*)*)'"
    r"|`(?P<raw>[^`\n]*)`"
    r"|(?P<slashes>\\{1,3})(?P<mark>[\"'])(?P<escaped>[^\"'\\\n]*)(?=(?P=slashes)(?P=mark)))"
)
_BARE = Lazy(r"(?:[^\s\"'`\\&;<]|&(?![&\s]|[A-Za-z0-9_]{1,40}=)|;(?!\s|[A-Za-z0-9_ ]{1,40}=|$)|\\(?![nrt\"'\\]))*+")
# What is judged of an unquoted value: all to a second `=`, and no more of a long one.
_BARE_BEGIN = Lazy(_BARE.source.replace("<]", "<=]").replace("*+", "{1,96}+={0,2}"))
# Blanks and line breaks, with the line numbers that tools print.
_BLANKS = r"(?:[ \t]|(?:\r?\n|\\{1,3}n)(?:[ \t]{0,8}[0-9]{1,6}(?:→|\t|:))?){0,40}"
_OPENED = Lazy(rf"\({_BLANKS}")
_TRIPLE = Lazy(
    r"[bBuUrRfF]{0,2}(?P<marks>\\{0,3}\"\\{0,3}\"\\{0,3}\"|\\{0,3}'\\{0,3}'\\{0,3}')"
    rf"{_BLANKS}(?P<inner>[^\s\"'\\]{{3,400}}){_BLANKS}(?P=marks)"
)
_ELEMENT = Lazy(r"([^<>\s]{1,256})</")
# Between the begin of a line, or of a string, and a name: indents, marks of lists and diffs, line numbers, `export`,
# and the parts before a dot.
_INDENT = Lazy(
    r"[ \t>+\-#|*:]*(?:[0-9]+[:\t→|\-][ \t]*)?"
    r"(?:(?:export|set|ENV|ARG|env|local|readonly|declare|-e|-x|-gx|-Ux)[ \t]+)*(?:[A-Za-z0-9_\-]+\.)*"
)
_DECLARES = ("ENV", "ARG", "setenv", "export", "set -x", "set -gx")
_LINE_MARKS = ("\n", "\\n", '"', "'", "`")
_LINE_END = Lazy(r"[ \t]*(?:#[^\n]*)?(?:$|\r?\n|\\[nr]|[\"'`])")
_CONNECTION = Lazy(
    r"(?i)[ \t]{0,4}(?:server|data source|host|hostname|address|addr|user id|uid|user|username|database|"
    r"initial catalog|defaultendpointsprotocol|endpoint|accountname|sharedaccesskeyname|port|dbname|driver)[ \t]{0,2}="
)


class _Ends:
    """Where unquoted values end. Every start within a run has the same end, so a run is looked through once, however
    many names stand in it."""

    __slots__ = ("_first", "_last", "_text")

    def __init__(self, text: str) -> None:
        self._text, self._first, self._last = text, 0, -1

    def after(self, start: int) -> int:
        """The end of the value that begins at `start`, without a mark that ends a sentence."""
        if not self._first <= start <= self._last:
            found = _BARE().match(self._text, start)
            self._first, self._last = start, found.end() if found else start
        return self._last - 1 if self._text[self._last - 1] in ",;)" else self._last


def assignment_spans(text: str, lower: bytes) -> Iterator[Span]:
    """The values under secret names; `lower` is the text in small ASCII, one byte per character."""
    ends = _Ends(text)
    for root in _ROOTS:
        start = lower.find(root)
        while start >= 0:
            end = start + len(root)
            head = _HEAD().match(text, start)
            span = _value_after(text, start, head, ends) if head else None
            if span:
                yield span
                end = max(end, span[1])
            start = lower.find(root, end)


def _value_after(text: str, root: int, head: re.Match[str], ends: _Ends) -> Span | None:
    op = head["op"]
    if op == "," and not head["quote"]:
        return None
    if op == "" and _is_prose(text, root, head.end()):
        return None
    if op == ">":
        found = _ELEMENT().match(text, head.end())
        return _judged(text, root, head, found.span(1), LINE) if found else None
    if op in ("=", ":", ":="):
        triple = _TRIPLE().match(text, head.end())
        if triple:
            return _judged(text, root, head, triple.span("inner"), QUOTED)
        opened = _OPENED().match(text, head.end())
        string = _STRING().match(text, opened.end()) if opened else None
        if string:
            return _judged(text, root, head, string.span(_group(string)), QUOTED)
    string = _STRING().match(text, head.end()) or _annotated(text, head)
    if string:
        return _judged(text, root, head, string.span(_group(string)), _string_form(text, root, head))
    if op in ("=", ":", ""):
        return _bare_after(text, root, head, ends)
    return None


def _group(string: re.Match[str]) -> str:
    """Which of its forms a string has."""
    return next(name for name in ("double", "single", "raw", "escaped") if string[name] is not None)


def _is_declared(text: str, start: int) -> bool:
    """Whether a name with its value behind a space is a setting: `ENV X_TOKEN y`, `requirepass y`."""
    low = max(start - 80, 0)
    found = ((text.rfind(mark, low, start), len(mark)) for mark in _LINE_MARKS)
    line = max((place + size for place, size in found if place >= 0), default=low)
    before = text[line:start].strip(" \t+-")
    return before in _DECLARES or (not before and text.startswith("requirepass", start))


def _is_prose(text: str, root: int, end: int) -> bool:
    """Whether words follow each other with no operator between them, no quotes behind and no `--` in front."""
    if _is_declared(text, _name_start(text, root)):
        return False
    quoted = text[end : end + 1] in ("'", '"', "`", "\\")
    return not quoted and text.rfind("--", max(root - _LONGEST_NAME, 0), root) < 0


def _annotated(text: str, head: re.Match[str]) -> re.Match[str] | None:
    """The string behind a type: `password: str = "..."`."""
    if head["op"] != ":" or text.find("=", head.end(), head.end() + 64) < 0:
        return None
    typed = _TYPE().match(text, head.end())
    return _STRING().match(text, typed.end()) if typed else None


def _string_form(text: str, root: int, head: re.Match[str]) -> int:
    start, op = _name_start(text, root), head["op"]
    named = text[start : head.start("quote") if head["quote"] else head.start("before")]
    if op == ",":  # a list of field names looks the same as a name with its value
        return BARE if named.startswith("--") or named.isupper() else WEAK
    if op in ("", "("):
        return BARE
    shell = op == "=" and named.isupper() and not head["before"] and not head["after"]
    return SPACED if shell or named.lower().endswith("passphrase") else QUOTED


def _bare_after(text: str, root: int, head: re.Match[str], ends: _Ends) -> Span | None:
    found = _BARE_BEGIN().match(text, head.end())
    if not found or head["quote"]:
        return None
    start, end = found.span()
    if found[0][-1] in ",;)":
        end -= 1
    form = _bare_form(text, _name_start(text, root), head, end, ends)
    if form is None and head["op"] != "" and _has_a_form(text, root, head):
        form, end = WEAK, end - (text[end - 1] == ".")
    span = _judged(text, root, head, (start, end), form) if form is not None else None
    return (start, max(end, ends.after(start)), span[2]) if span else None


def _has_a_form(text: str, root: int, head: re.Match[str]) -> bool:
    """Whether a name promises a key that is known by itself where it stands in a sentence."""
    return secret_family(text[_name_start(text, root) : root] + _tail(head)) == "aws-secret-key"


def _bare_form(text: str, start: int, head: re.Match[str], end: int, ends: _Ends) -> int | None:
    """How sure an unquoted value is one; None where it is not."""
    op, spaced = head["op"], bool(head["before"] or head["after"])
    before = text[start - 1 : start] if start else ""
    if text.startswith("--", start):
        return BARE if op != ":" else None
    if op == "":
        return LINE if _is_declared(text, start) else None
    at_line = _opens_line(text, start)
    whole = at_line and _LINE_END().match(text, ends.after(end)) is not None
    if op == ":":
        sure = LINE if "-" in text[start : head.start("op")] else BARE  # `X-Api-Key: ...` is a header
        constant = head["after"] and _is_constant(text[start : head.start("op")])
        return sure if whole and head["after"] else BARE if constant else None
    if spaced:
        return BARE if whole and before != "." else None
    if text[start : head.start("op")].isupper():
        return LINE
    if before == ";" or text[end : end + 1] == ";":
        return LINE if _in_connection_string(text, start, end) else None
    return BARE if at_line or before in ("?", "&") or _is_setting(text, start, ends.after(end)) else WEAK


def _is_constant(name: str) -> bool:
    """`API_TOKEN`: a name of the environment, which says so in the middle of a line as well."""
    return name.strip().isupper() and "_" in name


def _is_setting(text: str, start: int, end: int) -> bool:
    """Whether `name=value` in the middle of a line is a word by itself, and no argument of a call."""
    before, behind = text[max(start - 2, 0) : start], text[end : end + 1]
    return before[-1:] in (" ", "\t", "=", ".", "'", '"', ",") and before[-2:] != ", " and behind not in (",", ")", ";")


def _opens_line(text: str, start: int) -> bool:
    lowest = max(start - 80, 0)
    opened = 0 if lowest == 0 else -1
    for mark in _LINE_MARKS:
        found = text.rfind(mark, lowest, start)
        opened = max(opened, found + len(mark)) if found >= 0 else opened
    return opened >= 0 and _INDENT().fullmatch(text, opened, start) is not None


def _in_connection_string(text: str, start: int, end: int) -> bool:
    """Whether the setting before or behind `Password=...;` is one of a connection string."""
    before = text[max(start - 120, 0) : max(start - 1, 0)]
    begin = max(before.rfind(mark) for mark in (";", '"', "'", "\n")) + 1
    return bool(_CONNECTION().match(before, begin) or _CONNECTION().match(text, end + 1))


def _judged(text: str, root: int, head: re.Match[str], place: tuple[int, int], form: int) -> Span | None:
    start, end = place
    if end - start < _SHORTEST:
        return None
    name_start = _name_start(text, root)
    family = secret_family(text[name_start:root] + _tail(head))
    if family is None or (head["op"] == "(" and family != "password"):
        return None
    if text[name_start - 2 : name_start] == "::":  # a type: `"AWS::IAM::AccessKey": ...`
        return None
    return (start, end, family) if can_be_secret(family, text[start:end], form) else None


def _tail(head: re.Match[str]) -> str:
    ends = head.start("quote") if head["quote"] else head.start("before")
    return head.string[head.start() : ends].rstrip("]0123456789[")


def _name_start(text: str, root: int) -> int:
    start = root
    lowest = max(root - _LONGEST_NAME, 0)
    while start > lowest and text[start - 1] in _NAME_CHARS:
        start -= 1
    escape = text[start - 1 : start] == "\\" and text[start] in "nrt" and start < root
    return start + 1 if escape else start
