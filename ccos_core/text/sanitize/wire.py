"""Finds credentials on their way to a server: in URLs, in Authorization headers, after `curl -u`, in a `.netrc`."""

from __future__ import annotations

from .lazy import Lazy
from .spans import MASK, TYPE_CHECKING, Span
from .values import QUOTED, can_be_secret, is_placeholder, looks_random

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
_USER_ALONE = Lazy(r"([A-Za-z0-9_.~+-]{20,256})@(?=[A-Za-z0-9_.\[\-])")
_DRIVER = Lazy(r"[^\s:\"'`@/\\(]{1,80}:([^\s\"'`@\\]{2,200})$")
"""`user:password` in front of `@tcp(`, as Go's drivers of MySQL take it."""
_QUOTE = r"\\{0,3}[\"']"
_AUTH_CALL = Lazy(
    rf"(?i)auth[ \t]{{0,2}}=?[ \t]{{0,2}}\([ \t\n]{{0,20}}(?:username[ \t]{{0,2}}=[ \t]{{0,2}})?[fb]?{_QUOTE}"
    r"[^\"'\n\\]{0,80}"
    rf"{_QUOTE}[ \t]{{0,2}},[ \t\n]{{0,20}}(?:password[ \t]{{0,2}}=[ \t]{{0,2}})?(?:Some\()?[fb]?{_QUOTE}"
    rf"([^\"'\n\\]{{3,200}}){_QUOTE}[ \t\n]{{0,20}}[,)]"
)
_AUTH_TOKEN = Lazy(r"(?i)authtoken[ \t]+[\"']?([^\s\"'`|;&\\]{8,256})")
_COOKIES = Lazy(rf"(?i)(set-)?cookie(?:{_QUOTE})?\]?[ \t]{{0,4}}[:=,][ \t]{{0,4}}(?:{_QUOTE})?")
_COOKIE = Lazy(r"([A-Za-z0-9_.\-]{1,64})=([^\s;,\"'`<>\\]{0,4096})[ \t]{0,2}(?:;[ \t]{0,4}|$|(?=[\s\"'`\\]))")
_SESSION = Lazy(r"(?i).*(?:sess|sid|auth|token|jwt|csrf|xsrf|remember|login|secret|key|ticket)")
_ATTRIBUTES = ("path", "domain", "expires", "max-age", "samesite", "version", "comment", "priority")
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
        yield from _found(text, flat, separator, _USER_ALONE, len(separator), "token", looks_random)
    yield from _driver_passwords(text, flat)
    yield from _cookies(text, lower)
    yield from _auth(text, lower)
    yield from _found(text, lower, "bearer", _BEARER, 0, "authorization", _is_bearer)
    yield from _found(text, flat, "curl ", _CURL, 0, "password", _is_password)
    if "password" in text:
        yield from _found(text, flat, "login", _NETRC, 0, "password", _is_password)


def _auth(text: str, lower: bytes) -> Iterator[Span]:
    """What stands behind `auth`: an Authorization header, `auth=("user", "...")`, npm's `_authToken ...`."""
    start = lower.find(b"auth")
    while start >= 0:
        end = start + 4
        following = lower[end : end + 9]
        if following == b"orization":
            match, name, accepts = _HEADER().match(text, start), "authorization", _is_credential
        elif following[:5] == b"token":
            match, name, accepts = _AUTH_TOKEN().match(text, start), "token", _is_credential
        else:
            match, name, accepts = _AUTH_CALL().match(text, start), "password", _is_quoted_password
        if match and accepts(match[1]):
            yield match.start(1), match.end(1), name
            end = match.end(1)
        start = lower.find(b"auth", end)


def _driver_passwords(text: str, flat: bytes) -> Iterator[Span]:
    start = flat.find(b"@tcp(")
    while start >= 0:
        low = max(start - 282, 0)
        found = _DRIVER().search(text[low:start])
        if found and _is_password(found[1]):
            yield low + found.start(1), low + found.end(1), "password"
        start = flat.find(b"@tcp(", start + 5)


def _cookies(text: str, lower: bytes) -> Iterator[Span]:
    """The values of cookies that let somebody in; of `Set-Cookie` only the cookie itself, not its attributes."""
    start = lower.find(b"cookie")
    while start >= 0:
        end = start + len(b"cookie")
        opened = _COOKIES().match(text, start)
        at = opened.end() if opened else -1
        while at >= 0 and (each := _COOKIE().match(text, at)):
            name, value = each[1].lower(), each[2]
            if name not in _ATTRIBUTES and _is_session(name, value):
                yield each.start(2), each.end(2), "cookie"
            at = end = each.end()
        start = lower.find(b"cookie", end)


def _is_session(name: str, value: str) -> bool:
    if len(value) < 8 or MASK in value or is_placeholder(value) or any(sign in value for sign in "(){}$"):
        return False
    return looks_random(value) or (bool(_SESSION().match(name)) and can_be_secret("token", value, QUOTED))


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


def _is_quoted_password(value: str) -> bool:
    return can_be_secret("password", value, QUOTED)


def _is_credential(value: str) -> bool:
    return not is_placeholder(value) and value.lower() not in _SCHEMES and not value.isupper()


def _is_bearer(value: str) -> bool:
    return _is_credential(value) and (any(char.isdigit() for char in value) or len(value) >= 24)
