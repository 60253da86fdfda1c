"""Finds credentials on their way to a server: in URLs, in Authorization headers, after `curl -u`, in a `.netrc`."""

from __future__ import annotations

from .lazy import Lazy
from .spans import MASK, TYPE_CHECKING, Span
from .values import is_placeholder

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

_SEPARATORS = ("://", ":\\/\\/")
_USERINFO = Lazy(r"[^\s/?#\"'`<>@:\\]{0,128}:([^\s/\"'`<>\\]{1,256})@(?=[A-Za-z0-9_.\[\-{$%])")
_HEADER = Lazy(
    r"(?i)authorization(?:\\{0,3}[\"'`])?\]?[ \t]{0,8}(?:=>|[:=,])[ \t]{0,8}(?:\\{0,3}[\"'`]|[fb][\"'])?"
    r"(?:bearer|basic|token|apikey|api-key|key|bot|splunk)[ \t]{1,4}([A-Za-z0-9._~+/=:-]{6,})"
)
_BEARER = Lazy(r"(?i)bearer(?:[ \t]|%20){1,4}([A-Za-z0-9._~+/=-]{8,})")
_CURL = Lazy(r"curl\b[^\n|]{0,160}?[ \t](?:-u|--user)[ \t=]{0,2}[\"']?[^\s:\"'`$]{1,80}:([^\s\"'`]{2,200})")
_NETRC = Lazy(r"login\s{1,8}\S{1,100}\s{1,80}password\s{1,8}(\S{2,200})")
_SCHEMES = (
    "bearer",
    "basic",
    "token",
    "apikey",
    "digest",
    "negotiate",
    "oauth",
    "schemes",
    "scheme",
    "header",
    "headers",
)


def wire_spans(text: str, flat: bytes, lower: bytes) -> Iterator[Span]:
    """The credentials of requests and addresses. `flat` and `lower` are the text in ASCII, a byte for a character."""
    for separator in _SEPARATORS:
        yield from _found(text, flat, separator, _USERINFO, len(separator), "password", _is_password)
    yield from _found(text, lower, "authorization", _HEADER, 0, "authorization", _is_credential)
    yield from _found(text, lower, "bearer", _BEARER, 0, "authorization", _is_bearer)
    yield from _found(text, flat, "curl ", _CURL, 0, "password", _is_password)
    if "password" in text:
        yield from _found(text, flat, "login", _NETRC, 0, "password", _is_password)


def _found(
    text: str, flat: bytes, word: str, pattern: Lazy, skip: int, name: str, accepts: Callable[[str], bool]
) -> Iterator[Span]:
    needle = word.encode()
    start = flat.find(needle)
    while start >= 0:
        end = start + len(needle)
        match = pattern().match(text, start + skip)
        if match and accepts(match[1]):
            yield match.start(1), match.end(1), name
            end = match.end(1)
        start = flat.find(needle, end)


def _is_password(value: str) -> bool:
    """A password in an address is masked even if it is a common word; a variable is none."""
    return MASK not in value and not value.startswith(("$", "{", "%s", "%(", "*", "["))


def _is_credential(value: str) -> bool:
    return not is_placeholder(value) and value.lower() not in _SCHEMES and not value.isupper()


def _is_bearer(value: str) -> bool:
    return _is_credential(value) and (any(char.isdigit() for char in value) or len(value) >= 24)
