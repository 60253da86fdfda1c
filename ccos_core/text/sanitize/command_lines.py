"""Finds secrets handed to a program on its command line or in a statement: `sshpass -p`, `IDENTIFIED BY '...'`.

A row is (needle, pattern, family). The needle is looked for in small ASCII; the pattern is matched from where it
stands, and its last group is the secret. To know a further program is to add a row.
"""

from __future__ import annotations

from .lazy import Lazy
from .spans import MASK, TYPE_CHECKING, Span
from .values import is_placeholder

if TYPE_CHECKING:
    from collections.abc import Iterator

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
