"""The language of ignore files, as git reads it: which paths does a `.gitignore` or a `.ccosignore` leave out?

Rules are compiled once and asked many times. Names, paths and `*.ext`, nearly all rules in practice, are dictionary
look-ups; the rest are compared piece by piece, and only what is left becomes a regular expression, made when first
needed. Patterns are foreign text, so that expression never goes back on a choice: time stays bounded by pattern × path.

Like git, this compares bytes, not characters (`?` is half an `é`), and letters of different case differ.
The border: no file is opened here. Who reads ignore files, and doesn't enter an ignored folder, is the walker.
"""

from __future__ import annotations

import re

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable


class Rules:
    """One ignore file, compiled."""

    __slots__ = ("_base", "_for_files", "_for_folders", "_negated")

    def __init__(self, rules: Iterable[_Rule], base: str = "") -> None:
        kept = list(rules)
        folder = base.strip("/")
        self._base = _bytewise(folder + "/") if folder else ""
        self._negated = [negated for negated, _, _, _ in kept]
        self._for_folders = _Table(kept, for_files=False)
        self._for_files = _Table(kept, for_files=True)

    def __bool__(self) -> bool:
        return bool(self._negated)

    def __repr__(self) -> str:
        return f"Rules({len(self._negated)} in {self._base or './'})"

    def verdict(self, path: str, is_dir: bool) -> bool | None:
        """What the last rule that matches says: leave out, keep (`!`), or None where no rule speaks of this path."""
        if not path.isascii():
            path = _bytewise(path)
        if self._base:
            if not path.startswith(self._base):
                return None
            path = path[len(self._base) :]
        table = self._for_folders if is_dir else self._for_files
        last = table.last_match(path, path[path.rfind("/") + 1 :])
        return None if last < 0 else not self._negated[last]


class Matcher:
    """A stack of ignore files, the shallowest first; the deepest that has an opinion decides."""

    __slots__ = ("_deepest_first",)

    def __init__(self, *stack: Rules) -> None:
        self._deepest_first = tuple(rules for rules in reversed(stack) if rules)

    def __bool__(self) -> bool:
        return bool(self._deepest_first)

    def __repr__(self) -> str:
        return f"Matcher{self._deepest_first[::-1]!r}"

    def below(self, rules: Rules) -> Matcher:
        """The same stack with one more file, that of a deeper folder, on top."""
        return Matcher(*self._deepest_first[::-1], rules) if rules else self

    def verdict(self, path: str, is_dir: bool) -> bool | None:
        for rules in self._deepest_first:
            said = rules.verdict(path, is_dir)
            if said is not None:
                return said
        return None

    def ignored(self, path: str, is_dir: bool) -> bool:
        """Is this very path ignored? A walker asks this on its way down and does not enter what is."""
        return self.verdict(path, is_dir) is True

    def hides(self, path: str, is_dir: bool = False) -> bool:
        """Is this path, or a folder above it, ignored? For paths that come from elsewhere than a walk."""
        slash = path.find("/")
        while slash >= 0:
            if self.ignored(path[:slash], True):
                return True
            slash = path.find("/", slash + 1)
        return self.ignored(path, is_dir)


def parse_rules(text: str, base: str = "") -> Rules:
    """Compile an ignore file lying in the folder `base` (relative to the root, "" for the root itself).

    Foreign text never raises: what git can't make sense of matches nothing, here as there.
    """
    lines = _bytewise(text.removeprefix("\ufeff")).split("\n")
    rules = (_rule(line) for line in lines if not line.startswith("#"))
    return Rules((rule for rule in rules if rule is not None), base)


class _Table:
    """The rules of one file that can apply to a file (or to a folder), arranged for asking."""

    __slots__ = ("_ends", "_globs", "_names", "_suffixes")

    def __init__(self, rules: list[_Rule], for_files: bool) -> None:
        self._names: dict[str, int] = {}
        self._ends: dict[
            str, list[tuple[int, str, bool]]
        ] = {}  # by last part: the whole path, may more stand before it
        self._suffixes: dict[str, int] = {}
        self._globs: list[tuple[int, bool, Callable[[str], bool]]] = []
        for number, (_, folders_only, on_name, tokens) in reversed([*enumerate(rules)]):
            if not (for_files and folders_only):
                self._file(number, on_name, tokens)

    def _file(self, number: int, on_name: bool, tokens: list[_Token]) -> None:
        plain, ending = _spelled(tokens), _spelled(tokens[1:])
        all_but_first_plain = len(ending) == len(tokens) - 1
        if len(plain) == len(tokens) and on_name:
            self._names.setdefault(plain, number)
        elif len(plain) == len(tokens) or (all_but_first_plain and tokens[0] == (_GAP, _ANY_FOLDERS)):
            end = plain or ending
            self._ends.setdefault(end[end.rfind("/") + 1 :], []).append((number, end, not plain))
        elif on_name and all_but_first_plain and tokens[0][0] == _STAR and ending.rfind(".") == 0:
            self._suffixes.setdefault(ending, number)
        else:
            self._globs.append((number, on_name, _test(tokens)))

    def last_match(self, path: str, name: str) -> int:
        """The number of the last rule that matches, -1 for none."""
        last = self._names.get(name, -1)
        dot = name.rfind(".")
        if dot >= 0:
            last = max(last, self._suffixes.get(name[dot:], -1))
        for number, end, anywhere in self._ends.get(name, ()):
            if number > last and (path == end or (anywhere and path.endswith("/" + end))):
                last = number
        for number, on_name, test in self._globs:
            if number < last:
                break
            if test(name if on_name else path):
                return number
        return last


# One line → tokens. A token is a kind and, where the kind needs it, its character or its expression.

_CHAR = "char"  # exactly this character
_ONE = "one"  # one character of a set
_STAR = "star"  # anything within one part of the path
_GAP = "gap"  # `**/`: any number of whole parts
_REST = "rest"  # `**` at the end: whatever follows

_Token = tuple[str, str]
_Rule = tuple[bool, bool, bool, list[_Token]]  # negated · for folders only · asked of the name, not the path · tokens
_SPECIAL = re.compile(r"[*?\[\\]|\Z")
_ANY_FOLDERS, _SOME_FOLDERS = r"(?:[^/]*/)*?", r"(?:[^/]*/)+?"


def _rule(line: str) -> _Rule | None:
    """None for a line that can't match anything: empty, or malformed."""
    pattern = _trimmed(line.removesuffix("\r").split("\0", 1)[0])
    negated = pattern.startswith("!")
    pattern = pattern[negated:]
    folders_only = pattern.endswith("/")
    pattern = pattern[: len(pattern) - folders_only]
    on_name = "/" not in pattern
    if pattern.startswith("**/") and "/" not in pattern[3:]:
        on_name, pattern = True, pattern[3:]  # "at any depth" is what a bare name means anyway
    tokens = _tokens(pattern.removeprefix("/"))
    return (negated, folders_only, on_name, tokens) if tokens else None


def _trimmed(line: str) -> str:
    """Without the spaces at its end, except one that a backslash keeps."""
    short = line.rstrip(" ")
    escapes = len(short) - len(short.rstrip("\\"))
    return short + " " if escapes % 2 and short != line else short


def _tokens(glob: str) -> list[_Token] | None:
    """None if no path can match, because a bracket never closes or the last backslash escapes nothing."""
    start = next(_SPECIAL.finditer(glob)).start()
    tokens: list[_Token] = [(_CHAR, c) for c in glob[:start]]
    at = start
    while at < len(glob):
        found = _token(glob, at, start)
        if found is None:
            return None
        token, at = found
        tokens.append(token)
    return tokens


def _token(glob: str, at: int, start: int) -> tuple[_Token, int] | None:
    match glob[at]:
        case "*":
            return _stars(glob, at, start)
        case "?":
            return (_ONE, "[^/]"), at + 1
        case "[":
            return _char_class(glob, at + 1)
        case "\\":
            return ((_CHAR, glob[at + 1]), at + 2) if at + 1 < len(glob) else None
        case plain:
            return (_CHAR, plain), at + 1


def _stars(glob: str, at: int, start: int) -> tuple[_Token, int]:
    """A run of stars. Two or more span folders, if they fill a part of the path.

    git compares the plain beginning of a pattern apart and reads the rest on its own, so stars right after that
    beginning count as filling their part: `foo**/bar` matches `foobar`. We follow it there.
    """
    end = at
    while glob[end : end + 1] == "*":
        end += 1
    if end - at >= 2 and (at == start or glob[at - 1] == "/"):
        if end == len(glob):
            return (_REST, ""), end
        if glob[end] == "/":
            return (_GAP, _ANY_FOLDERS), end + 1
        if glob.startswith("\\/", end):
            return (_GAP, _SOME_FOLDERS), end + 2
    return (_STAR, ""), end


_ASCII = list(map(chr, range(128)))
_NAMED_CLASSES = {
    "alnum": {c for c in _ASCII if c.isalnum()},
    "alpha": {c for c in _ASCII if c.isalpha()},
    "blank": set(" \t"),
    "cntrl": {c for c in _ASCII if c < " " or c == "\x7f"},
    "digit": set("0123456789"),
    "graph": {c for c in _ASCII if "!" <= c <= "~"},
    "lower": {c for c in _ASCII if c.islower()},
    "print": {c for c in _ASCII if " " <= c <= "~"},
    "punct": {c for c in _ASCII if "!" <= c <= "~" and not c.isalnum()},
    "space": set(" \t\n\r"),  # git knows no vertical tab and no form feed
    "upper": {c for c in _ASCII if c.isupper()},
    "xdigit": set("0123456789abcdefABCDEF"),
}


def _char_class(glob: str, at: int) -> tuple[_Token, int] | None:
    """The set that begins after a `[`, and where it ends."""
    negated = glob[at : at + 1] in {"!", "^"}
    at += negated
    first, before, members = at, "", set[str]()  # before: what a following `-` would count from
    while at < len(glob) and (glob[at] != "]" or at == first):
        closing = glob.find("]", at + 2) if glob.startswith("[:", at) else -1
        if closing > at + 2 and glob[closing - 1] == ":":
            if glob[at + 2 : closing - 1] not in _NAMED_CLASSES:
                return None
            members |= _NAMED_CLASSES[glob[at + 2 : closing - 1]]
            before, at = "", closing + 1
            continue
        is_range = glob[at] == "-" and before != "" and glob[at + 1 : at + 2] not in {"", "]"}
        at += is_range
        at += glob[at] == "\\"
        if at >= len(glob):
            return None
        members.update(map(chr, range(ord(before if is_range else glob[at]), ord(glob[at]) + 1)))
        before = "" if is_range else glob[at]
        at += 1
    return None if at >= len(glob) else ((_ONE, _set_expression(members, negated)), at + 1)


def _set_expression(members: set[str], negated: bool) -> str:
    """No set ever matches the slash between two parts of a path."""
    allowed = members ^ {chr(code) for code in range(256)} if negated else members
    codes = sorted(ord(c) for c in allowed - {"/"})
    return "[" + "".join(f"\\x{code:02x}" for code in codes) + "]" if codes else "(?!)"


# Tokens → a test.


def _test(tokens: list[_Token]) -> Callable[[str], bool]:
    head, tail = _spelled(tokens), _spelled(tokens[::-1])[::-1]
    if len(head) + 1 + len(tail) == len(tokens) and tokens[len(head)][0] == _STAR:
        return _around_a_star(head, tail)
    return _by_expression(tokens, head, tail)


def _around_a_star(head: str, tail: str) -> Callable[[str], bool]:
    begins, ends = len(head), len(tail)

    def test(path: str) -> bool:
        end = len(path) - ends
        return end >= begins and path.startswith(head) and path.endswith(tail) and path.find("/", begins, end) < 0

    return test


def _by_expression(tokens: list[_Token], head: str, tail: str) -> Callable[[str], bool]:
    compiled: list[re.Pattern[str]] = []

    def test(path: str) -> bool:
        if not path.startswith(head) or not path.endswith(tail):
            return False
        if not compiled:  # many patterns of a real file never get so far
            compiled.append(re.compile(_expression(tokens), re.DOTALL))
        return compiled[0].match(path) is not None

    return test


def _expression(tokens: list[_Token]) -> str:
    """Each wildcard takes the least it can and never reconsiders (an atomic group up to the next wildcard).

    That is exact: what follows a star up to the next has a fixed length, so the earliest fit leaves the most for the
    rest; what follows a gap up to the next is a fixed number of whole parts, so the same holds one level up.
    """
    out: list[str] = []
    open_gap = open_star = ""
    for kind, text in tokens:
        if kind not in {_CHAR, _ONE}:
            out.append(open_star)
            open_star = ""
        if kind == _CHAR:
            out.append(re.escape(text))
        elif kind == _ONE:
            out.append(text)
        elif kind == _STAR:
            out.append("(?>[^/]*?")
            open_star = ")"
        else:
            out.append(open_gap)
            open_gap = ")" if kind == _GAP else ""
            out.append("(?>" + text if kind == _GAP else ".*")
    return "".join([*out, r"\Z", open_star, open_gap])


def _spelled(tokens: list[_Token]) -> str:
    """The plain characters at the beginning."""
    end = next((n for n, (kind, _) in enumerate(tokens) if kind != _CHAR), len(tokens))
    return "".join(text for _, text in tokens[:end])


def _bytewise(text: str) -> str:
    """One character per UTF-8 byte. Names that are no UTF-8 come as lone surrogates and keep their bytes."""
    if text.isascii():
        return text
    try:
        return text.encode("utf-8", "surrogateescape").decode("latin-1")
    except UnicodeEncodeError:  # a surrogate no file system gave us
        return text.encode("utf-8", "surrogatepass").decode("latin-1")
