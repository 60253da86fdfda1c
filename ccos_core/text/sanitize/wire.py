"""Find credentials in URLs, headers, `.netrc`, and on command lines (`curl -u`, `sshpass -p`, `IDENTIFIED BY '...'`).

For a command line a row is (needle, pattern, family): the needle is looked for in small ASCII, the pattern is matched
from where it stands, and its last group is the secret. A further program is a further row.
"""

from __future__ import annotations

from ccos_core.text.sanitize.spans import MASK, Lazy, Span
from ccos_core.text.sanitize.values import QUOTED, can_be_secret, is_placeholder, looks_random

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

_WORD = r"\\{0,3}[\"'`]?([^\s\"'`|;&\\]{3,256})"
"""A word behind an option, bare or in quotes."""
_REST = r"[^\n|;&]{0,160}?[ \t]"
"""The options between a program and the one that counts."""

PROGRAMS: tuple[tuple[bytes, Lazy, str], ...] = (
    (b"sshpass", Lazy(rf"(?i)sshpass[ \t]+-p[ \t]?{_WORD}"), "password"),
    (
        b"mysql",
        Lazy(rf"(?<![\w/.-])mysql(?:dump|admin|import|show)?[ \t](?:[^\n|;&]{{0,160}}?[ \t])?-p{_WORD}"),
        "password",
    ),
    (b"mariadb", Lazy(rf"(?<![\w/.-])mariadb(?:-dump|-admin)?[ \t](?:[^\n|;&]{{0,160}}?[ \t])?-p{_WORD}"), "password"),
    (b"docker login", Lazy(rf"docker login\b{_REST}-p[ \t=]?{_WORD}"), "password"),
    (b"podman login", Lazy(rf"podman login\b{_REST}-p[ \t=]?{_WORD}"), "password"),
    (b"skopeo login", Lazy(rf"skopeo login\b{_REST}-p[ \t=]?{_WORD}"), "password"),
    (b"az login", Lazy(rf"az login\b{_REST}-p[ \t]+{_WORD}"), "password"),
    (b"twine upload", Lazy(rf"twine upload\b{_REST}-p[ \t]+{_WORD}"), "token"),
    (b"7z", Lazy(rf"7za?[ \t](?:[^\n|;&]{{0,120}}?[ \t])?-p{_WORD}"), "password"),
    (b"zip -p", Lazy(rf"zip -P[ \t]+{_WORD}"), "password"),
    (b"redis-cli", Lazy(rf"(?i)redis-cli\b{_REST}(?:-a|--pass)[ \t]+{_WORD}"), "password"),
    (b"htpasswd", Lazy(rf"htpasswd[ \t]+-[a-zA-Z]*b[a-zA-Z]*[ \t]+\S+[ \t]+\S+[ \t]+{_WORD}"), "password"),
    (b"smbclient", Lazy(rf"smbclient\b{_REST}-U[ \t]?[\"']?[^\s%\"']{{1,60}}%{_WORD}"), "password"),
    (b"ldap", Lazy(rf"ldap(?:search|add|modify|delete|passwd|whoami|compare)\b{_REST}-w[ \t]+{_WORD}"), "password"),
    (b"openssl", Lazy(rf"openssl\b{_REST}(?:-k[ \t]+|-pass(?:in|out)?[ \t]+pass:){_WORD}"), "password"),
    (b"--with-token", Lazy(rf"--with-token[ \t]*<<<[ \t]*{_WORD}"), "token"),
)
"""Programs with an option of one letter, or one that speaks of passwords; looked for only where a text has any such."""
_OPTION = Lazy(r" -(?:[AUSabkpsuw][\s\"']|p\S|-pass|-with|passin|passout)")

STATEMENTS: tuple[tuple[bytes, Lazy, str], ...] = (
    (b"vault login", Lazy(rf"vault login[ \t]+(?:-[a-z-]+(?:=\S+)?[ \t]+){{0,4}}(?=\S*[0-9]){_WORD}"), "token"),
    (
        b"identified",
        Lazy(r"(?i)identified[ \t]+(?:with[ \t]+\S{1,40}[ \t]+)?(?:by|as)[ \t]+\\{0,3}[\"']([^\"'\n\\]{3,200})"),
        "password",
    ),
    (b"password '", Lazy(r"(?i)password '([^'\s\\]{3,200})'"), "password"),
)

PIPED: tuple[tuple[bytes, Lazy, str], ...] = (
    (b"--password-stdin", Lazy(rf"echo[ \t]+(?:-n[ \t]+)?{_WORD}[\"']?[ \t]*\|[^\n|]{{0,80}}$"), "password"),
    (b"sudo -s", Lazy(rf"echo[ \t]+(?:-n[ \t]+)?{_WORD}[\"']?[ \t]*\|[ \t]*$"), "password"),
)
"""Where the secret stands before the needle, on its line."""
LONGEST_LINE = 400
"""Characters before a needle that are looked through."""


def command_spans(text: str, lower: bytes) -> Iterator[Span]:
    """The secrets on command lines; `lower` is the text in small ASCII, one byte per character."""
    has_options = _OPTION().search(text) is not None
    for needle, pattern, family in (*STATEMENTS, *(PROGRAMS if has_options else ())):
        start = lower.find(needle)
        while start >= 0:
            end = start + len(needle)
            found = pattern().match(text, start)
            if found and _is_value(found[1]):
                yield found.start(1), found.end(1), family
                end = found.end(1)
            start = lower.find(needle, end)
    for needle, pattern, family in PIPED if has_options else ():
        start = lower.find(needle)
        while start >= 0:
            low = max(lower.rfind(b"\n", 0, start) + 1, start - LONGEST_LINE)
            found = pattern().search(text[low:start])
            if found and _is_value(found[1]):
                yield low + found.start(1), low + found.end(1), family
            start = lower.find(needle, start + len(needle))


def _is_value(value: str) -> bool:
    stands_in = MASK in value or value.startswith(("$", "{", "<", "-")) or is_placeholder(value)
    return not stands_in and not (value.isalpha() and value.islower() and value in _WORDS)


_WORDS = frozenset(("name", "names", "value", "password", "token", "secret", "port", "hash", "your", "this"))
"""What stands there in prose and in help texts."""


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
        if separator not in text:
            continue
        yield from _found(text, flat, separator, _USERINFO, len(separator), "password", _is_password)
        yield from _found(text, flat, separator, _USER_ALONE, len(separator), "token", looks_random)
    yield from _driver_passwords(text, flat)
    yield from _cookies(text, lower)
    yield from _auth(text, lower)
    yield from _found(text, lower, "bearer", _BEARER, 0, "authorization", _is_bearer)
    if "curl" in text:  # a word without a space is found in half the time
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
