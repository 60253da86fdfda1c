"""Personal data in a text: mail addresses, phone numbers, IBANs, card numbers, addresses of machines, names.

    personal("Write to anna@firma.de")              # (Personal(9, 22, "mail"),)
    without_personal("Write to anna@firma.de")      # "Write to [mail]"

The record keeps what was said; answers below the level `high` show it without. Checksums decide on IBANs and cards, the
text around a number on phones and addresses. What names nobody is left alone: example.com, 127.0.0.1, git@github.com.
Each finder reads a text once, whatever it says.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from typing import NamedTuple

MAIL, PHONE, IBAN, CARD, ADDRESS, NAME = "mail", "phone", "iban", "card", "address", "name"
KINDS = (MAIL, PHONE, IBAN, CARD, ADDRESS, NAME)


class Personal(NamedTuple):
    """Where personal data stands in a text, in characters."""

    start: int
    end: int
    kind: str
    """`mail`, `phone`, `iban`, `card`, `address` (of a machine) or `name`."""


def personal(text: str) -> tuple[Personal, ...]:
    """Return the personal data of a text, in order; of two that overlap the longer."""
    found = [each for may_have, find in _FINDERS if may_have(text) for each in find(text)]
    kept: list[Personal] = []
    for each in sorted(found, key=lambda each: (each.start, -each.end)):
        if not kept or each.start >= kept[-1].end:
            kept.append(each)
        elif each.end - each.start > kept[-1].end - kept[-1].start:
            kept[-1] = each
    return tuple(kept)


def without_personal(text: str) -> str:
    """Return a text in which each place of personal data says only what kind it is."""
    made, done = [], 0
    for start, end, kind in personal(text):
        made += [text[done:start], f"[{kind}]"]
        done = end
    return "".join([*made, text[done:]]) if made else text


# ---- mail ----

_MAIL = re.compile(
    r"(?<![\w.+%\\-])([^\W_][\w.+%-]{0,63})@((?:[^\W_](?:[\w-]{0,61}[^\W_])?\.){1,8}([^\W\d_]{2,24}))(?![\w-]|\.\w|[/:]\w)"
)
_ROLES = frozenset(
    {"git", "hg", "svn", "ssh", "noreply", "no-reply", "donotreply", "do-not-reply", "root", "postmaster", "bot"}
)
_NOBODY = frozenset({"example.com", "example.org", "example.net", "example.edu", "domain.com", "email.com", "test.com"})
_NO_TOP = frozenset({"test", "example", "invalid", "localhost", "local", "internal", "lan"}) | frozenset(
    {"py", "js", "ts", "jsx", "tsx", "png", "jpg", "svg", "json", "md", "txt", "html", "css", "yml", "yaml", "service"}
)
"""Ends of names that lie in no public domain, and of file names such as logo@2x.png."""


def _mails(text: str) -> Iterator[Personal]:
    for found in _MAIL.finditer(text):
        local, domain, top = found[1].lower(), found[2].lower(), found[3].lower()
        base = ".".join(domain.split(".")[-2:])
        if local in _ROLES or "noreply" in domain or "noreply" in local:
            continue
        if base in _NOBODY or top in _NO_TOP or _is_in_url(text, found.start()):
            continue
        yield Personal(found.start(), found.end(), MAIL)


def _is_in_url(text: str, at: int) -> bool:
    """Tell whether a name and a password of a URL end here."""
    before = text[max(0, at - 200) : at]
    return "://" in before.split()[-1:][0] if before.split() and not before[-1:].isspace() else False


# ---- numbers with a checksum ----

_IBAN = re.compile(r"(?<![A-Za-z0-9])[A-Z]{2}\d{2}(?:[ -]?[A-Z0-9]){11,30}(?![A-Za-z0-9])")
_IBAN_LENGTHS = {
    country: length
    for length, countries in {
        15: "NO",
        16: "BE",
        18: "DK FI FO GL NL",
        19: "MK SI",
        20: "AT BA EE KZ LT LU XK",
        21: "CH HR LI LV",
        22: "BG BH CR DE GB GE IE ME RS VA",
        23: "AE GI IL IQ TL",
        24: "AD CZ ES MD PK RO SA SE SK TN VG",
        25: "PT ST",
        26: "IS TR",
        27: "FR GR IT MC MR SM",
        28: "AL AZ BY CY DO GT HU LB PL SV",
        29: "BR EG PS QA UA",
        30: "JO KW MU",
        31: "MT SC",
        32: "LC",
    }.items()
    for country in countries.split()
}
_CARD = re.compile(r"(?<![\w.+/#:-])\d(?:[ -]?\d){12,18}(?![\w/:]|[.,-]\d)")
_CARD_BEGINS = re.compile(r"4|5[1-5]|2[2-7]|3[47]|3[068]|35|6011|62|65|64[4-9]|50|5[6-8]|67")
_CARD_GROUPS = frozenset({(4, 4, 4, 4), (4, 6, 5), (4, 6, 4), (4, 4, 4, 1), (4, 4, 4, 4, 3), (15,), (16,)})


def _ibans(text: str) -> Iterator[Personal]:
    for found in _IBAN.finditer(text):
        length = _IBAN_LENGTHS.get(found[0][:2], 0)
        end, plain = found.start(), ""
        for char in found[0]:
            end += 1
            plain += char if char.isalnum() else ""
            if len(plain) == length:
                break
        follows = text[end : end + 1]
        if length and len(plain) == length and not follows.isalnum() and _has_remainder_one(plain):
            yield Personal(found.start(), end, IBAN)


def _has_remainder_one(iban: str) -> bool:
    return int("".join(str(int(char, 36)) for char in iban[4:] + iban[:4])) % 97 == 1


def _cards(text: str) -> Iterator[Personal]:
    for found in _CARD.finditer(text):
        groups = tuple(map(len, re.split(r"[ -]", found[0])))
        digits = re.sub(r"\D", "", found[0])
        if groups in _CARD_GROUPS and _CARD_BEGINS.match(digits) and _is_luhn(digits) and len(set(digits)) > 2:
            yield Personal(found.start(), found.end(), CARD)


def _is_luhn(digits: str) -> bool:
    doubled = [int(each) * (1 + place % 2) for place, each in enumerate(reversed(digits))]
    return sum(each - 9 * (each > 9) for each in doubled) % 10 == 0


# ---- phones and addresses of machines ----

_PHONE = re.compile(r"(?<![\w.+/#=:$-])(?:\+|00)?\(?\d(?:[ .()/\u00a0\u2011-]{0,3}\d){5,16}(?![\w/=]|[.:,-]\d)")
_PHONE_WORDS = re.compile(
    r"(?<![-\w])(?:phone|tel|telefon\w*|telephone|call|ring|dial|mobile?|mobil\w*|cell|fax|whatsapp|sms|text me"
    r"|handy|rufnummer|nummer|reach me|reachable|erreichbar|anrufen|ruf|portable|m[oó]vil|tel[eé]fono|t[eé]l[eé]phone"
    r"|number is|signal|landline|hotline|contact)\b[^\n\d]{0,25}$",
    re.IGNORECASE,
)
_NATIONAL = re.compile(r"\(\d{2,5}\) ?\d{3,5}[ -]?\d{3,5}|[2-9]\d\d-[2-9]\d\d-\d{4}")
_NUMBERS_OF_CALLS = 7, 15  # digits of a phone number

_IPV4 = re.compile(r"(?<![\w.$~^<>-])(?<![=!<>~]=)(\d{1,3})\.(\d{1,3})\.(\d{1,3})\.(\d{1,3})(?![\w]|\.\w|-\w)")
_IPV6 = re.compile(r"(?<![\w:.])(?:[0-9a-fA-F]{0,4}:){2,7}[0-9a-fA-F]{0,4}(?![\w:]|\.\w)")
_ADDRESS_WORDS = re.compile(
    r"(?:\b(?:ip|ips|ipv4|addr\w*|host\w*|server|ssh|ping|from|client|remote|peer|machine|box|node|gateway|router|laptop"
    r"|dns|adresse|rechner|connect(?:ed|ing)?|listen\w*|at)\b[^\n\d]{0,20}|://)$",
    re.IGNORECASE,
)
_VERSION_WORDS = re.compile(
    r"(?:\b(?:v|ver|version|release|build|tag|chrome|firefox|safari|edg\w*|oid)[^\n\d]{0,3}|/)$", re.I
)
_LARGE_OCTET = 100
LOOKED_BACK = 40  # characters before a number that say what it is


def _phones(text: str) -> Iterator[Personal]:
    for found in _PHONE.finditer(text):
        said = found[0]
        digits = re.sub(r"\D", "", said)
        fewest, most = _NUMBERS_OF_CALLS
        if not fewest <= len(digits) <= most + 2 * said.startswith("00") or len(set(digits)) < 3:
            continue
        before = text[max(0, found.start() - LOOKED_BACK) : found.start()]
        if said.startswith(("+", "00")):
            code = digits.removeprefix("00") if said.startswith("00") else digits
            is_phone = code[0] != "0" and (said.startswith("+") or bool(_PHONE_WORDS.search(before)))
            is_phone = is_phone and not (before[-1:] in ("", "\n") and said[1:].isdigit())  # a line of a diff
        else:
            is_phone = bool(_NATIONAL.fullmatch(said) or _PHONE_WORDS.search(before))
        if is_phone:
            yield Personal(found.start(), found.end(), PHONE)


def _addresses(text: str) -> Iterator[Personal]:
    for found in _IPV4.finditer(text):
        octets = [int(each) for each in found.groups()]
        before = text[max(0, found.start() - LOOKED_BACK) : found.start()]
        if max(octets) > 255 or _is_nobody(octets) or any(len(each) > 1 and each[0] == "0" for each in found.groups()):
            continue
        is_named = bool(_ADDRESS_WORDS.search(before))
        if is_named or ((max(octets) >= _LARGE_OCTET or octets[0] == 10) and not _VERSION_WORDS.search(before)):
            yield Personal(found.start(), found.end(), ADDRESS)
    if "::" in text or text.count(":") > 6:
        yield from _ipv6(text)


def _is_nobody(octets: list[int]) -> bool:
    """Tell whether an address is no machine's: local, a mask, a group, or one that stands for others in documents."""
    return (
        octets[0] in (0, 127)
        or octets[0] >= 224
        or octets[3] in (0, 255)
        or tuple(octets[:3]) in ((192, 0, 2), (198, 51, 100), (203, 0, 113))
    )


def _ipv6(text: str) -> Iterator[Personal]:
    for found in _IPV6.finditer(text):
        groups = found[0].split(":")
        filled = [each for each in groups if each]
        is_whole = len(filled) == 8 or ("::" in found[0] and found[0].count("::") == 1 and len(filled) >= 3)
        has_digits = any(char.isdigit() for char in found[0]) and max(map(len, filled), default=0) >= 3
        if is_whole and has_digits and not found[0].lower().startswith("2001:db8:"):
            yield Personal(found.start(), found.end(), ADDRESS)


# ---- names ----

_NAME_IS = re.compile(
    r"\b(?:my (?:full |real |first |last )?name(?:'s| is)|mein name ist|ich hei(?:ß|ss)e|je m'appelle|mon nom est"
    r"|me llamo|mi nombre es|mi chiamo|il mio nome è|i am called)\s+",
    re.IGNORECASE,
)
_WORD = r"[^\W\d_]+(?:['’-][^\W\d_]+)*"
_PERSON = re.compile(rf"{_WORD}(?: (?:(?:von|van|de|da|del|di|der|den|la|le) ){{0,2}}(?=[A-ZÀ-ÞĀ-Ž]){_WORD}){{0,3}}")
_NO_NAMES = frozenset(
    {"not", "the", "a", "an", "in", "on", "of", "my", "your", "is", "to", "too", "already", "also", "and", "or", "set"}
    | {"missing", "wrong", "right", "used", "taken", "nicht", "auch", "so", "what", "that", "this", "being", "spelled"}
    | {"shown", "displayed", "empty", "null", "none", "undefined", "unknown", "never", "always", "now", "still", "just"}
)


def _names(text: str) -> Iterator[Personal]:
    for found in _NAME_IS.finditer(text):
        name = _PERSON.match(text, found.end())
        if name is not None and name[0].split()[0].lower() not in _NO_NAMES:
            yield Personal(name.start(), name.end(), NAME)


_DOTS_OR_COLONS = re.compile(r"\d\.\d{1,3}\.\d{1,3}\.\d|[0-9a-fA-F]{2}::?[0-9a-fA-F]")
_SAYS_NAME = re.compile(r"name|NAME|Name|hei[ßs]|HEI[ßẞS]|appel|APPEL|nom|NOM|llamo|LLAMO|chiamo|CHIAMO|called|CALLED")
_DIGITS = re.compile(r"\d(?:[ .()/\u00a0\u2011-]{0,3}\d){6}")
_FINDERS: tuple[tuple[Callable[[str], object], Callable[[str], Iterator[Personal]]], ...] = (
    (lambda text: "@" in text, _mails),
    (_DIGITS.search, _cards),
    (_DIGITS.search, _phones),
    (_IBAN.search, _ibans),
    (_DOTS_OR_COLONS.search, _addresses),
    (_SAYS_NAME.search, _names),
)
