"""A small reader of what POSIX shells and bash take: lists, pipelines, groups, `for` and `if`.

It reads what it can read exactly. A construct it knows but doesn't follow (`case`, `while`, functions, tests) is
`Opaque`: what it runs and prints is nobody's to tell. A line no shell would take is None. Depth and length are bounded,
time is linear, and nothing here runs anything.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TypeAlias

from ccos_core.intake.calls.shell_words import PLAIN, UNKNOWN, Piece, Redirect, Token, Unreadable, Word, bare, tokens

LONGEST = 2_000_000
DEEPEST = 30


@dataclass(frozen=True, slots=True)
class Simple:
    """A program with its arguments, or assignments alone."""

    words: tuple[Word, ...]
    assignments: tuple[tuple[str, Word], ...] = ()
    redirects: tuple[Redirect, ...] = ()


@dataclass(frozen=True, slots=True)
class Group:
    """`{ ...; }` or `( ... )`."""

    body: Script
    subshell: bool
    redirects: tuple[Redirect, ...] = ()


@dataclass(frozen=True, slots=True)
class For:
    """`for NAME in WORDS; do ...; done`"""

    name: str
    words: tuple[Word, ...]
    body: Script
    redirects: tuple[Redirect, ...] = ()


@dataclass(frozen=True, slots=True)
class If:
    """`if ...; then ...; elif ...; else ...; fi`"""

    branches: tuple[tuple[Script, Script], ...]
    """(condition, body)."""
    otherwise: Script | None
    redirects: tuple[Redirect, ...] = ()


@dataclass(frozen=True, slots=True)
class Opaque:
    """Something that is read over."""

    silent: bool = False
    """Whether it prints nothing: a test, a function's definition."""
    redirects: tuple[Redirect, ...] = ()


Node: TypeAlias = Simple | Group | For | If | Opaque


@dataclass(frozen=True, slots=True)
class Pipeline:
    """Commands that feed each other."""

    nodes: tuple[Node, ...]
    negated: bool = False


@dataclass(frozen=True, slots=True)
class Chain:
    """Pipelines joined by `&&` and `||`."""

    parts: tuple[tuple[str, Pipeline], ...]
    """(what stands in front of it, the pipeline)."""
    background: bool = False


Script: TypeAlias = tuple[Chain, ...]


def parsed(line: str) -> Script | None:
    """What a shell would run; None where that can't be read."""
    if len(line) > LONGEST:
        return None
    try:
        parser = _Parser(tokens(line))
        script = parser.script(())
        return script if parser.ended() else None
    except Unreadable:
        return None


# -- the grammar ------------------------------------------------------------------------------------------------------

_ASSIGNMENT = re.compile(r"([A-Za-z_]\w*)(\+?)=")
_ENDS = ("then", "elif", "else", "fi", "do", "done", "esac", "}")
_OVER = Token(operator="end of line")


class _Parser:
    def __init__(self, found: list[Token]) -> None:
        self.tokens = found
        self.at = 0
        self.depth = 0

    def ended(self) -> bool:
        return self.at >= len(self.tokens)

    def script(self, ends: tuple[str, ...]) -> Script:
        """Chains up to one of these keywords or operators, which is left where it stands."""
        self._deeper()
        chains: list[Chain] = []
        while True:
            while self._operator() in (";", "\n"):
                self.at += 1
            if self.ended() or self._keyword() in ends or self._operator() in ends:
                break
            chains.append(self._chain())
        self.depth -= 1
        return tuple(chains)

    def _chain(self) -> Chain:
        parts = [("", self._pipeline())]
        while (joiner := self._operator()) in ("&&", "||"):
            self.at += 1
            self._lines()
            parts.append((joiner, self._pipeline()))
        if joiner not in ("", ";", "&", "\n", ")", ";;", ";&", ";;&", _OVER.operator):
            raise Unreadable("an operator out of place")
        if joiner in (";", "&", "\n"):
            self.at += 1
        return Chain(tuple(parts), joiner == "&")

    def _pipeline(self) -> Pipeline:
        negated = False
        while self._keyword() in ("!", "time"):
            negated ^= self._keyword() == "!"
            self.at += 1
            if self._keyword() == "-p":
                self.at += 1
        nodes = [self._node()]
        while self._operator() in ("|", "|&"):
            self.at += 1
            self._lines()
            nodes.append(self._node())
        return Pipeline(tuple(nodes), negated)

    def _node(self) -> Node:
        keyword = self._keyword()
        if self._operator() == "(":
            return self._in_parentheses()
        if keyword == "{":
            self.at += 1
            return Group(self._until("}"), False, self._redirects())
        if keyword == "for":
            return self._for()
        if keyword == "if":
            return self._if()
        if keyword in ("while", "until"):
            self.at += 1
            self._until("do")
            self._until("done")
            return Opaque(redirects=self._redirects())
        if keyword in ("case", "select", "function", "[["):
            return self._over(keyword)
        if keyword in _ENDS:
            raise Unreadable("a keyword out of place")
        return self._simple()

    def _in_parentheses(self) -> Node:
        self.at += 1
        if self._operator() == "(":  # arithmetic, which has operators of its own, or a shell in a shell
            depth = 1
            while depth and not self.ended():
                depth += {"(": 1, ")": -1}.get(self._operator(), 0)
                self.at += 1
            if depth:
                raise Unreadable("a parenthesis without an end")
            return Opaque(redirects=self._redirects())
        body = self.script((")",))
        self._expect_operator(")")
        return Group(body, True, self._redirects())

    def _for(self) -> Node:
        self.at += 1
        name = bare(self._token().word)
        if not name:
            raise Unreadable("a loop beyond this reader")
        self.at += 1
        self._lines()
        words: list[Word] = []
        listed = self._keyword() == "in"
        if listed:
            self.at += 1
            while self._token().word:
                words.append(self._token().word)
                self.at += 1
        while self._operator() in (";", "\n"):
            self.at += 1
        self._expect("do")
        body = self._until("done")
        redirects = self._redirects()
        return For(name, tuple(words), body, redirects) if listed else Opaque(redirects=redirects)

    def _if(self) -> Node:
        branches: list[tuple[Script, Script]] = []
        otherwise = None
        while True:
            self.at += 1
            condition = self._until("then")
            branches.append((condition, self.script(("elif", "else", "fi"))))
            if self._keyword() != "elif":
                break
        if self._keyword() == "else":
            self.at += 1
            otherwise = self.script(("fi",))
        self._expect("fi")
        return If(tuple(branches), otherwise, self._redirects())

    def _over(self, keyword: str) -> Opaque:
        """Read over what ends with a word of its own."""
        self.at += 1
        if keyword == "function":
            self.at += 1
            while self._operator() in ("(", ")", "\n"):
                self.at += 1
            return self._defined()
        opens, closes = {"case": ("case", "esac"), "select": ("do", "done"), "[[": ("[[", "]]")}[keyword]
        depth = 0 if keyword == "select" else 1
        while not self.ended():
            word = self._keyword()
            self.at += 1
            depth += (word == opens) - (word == closes)
            if word == closes and depth == 0:
                return Opaque(silent=keyword == "[[", redirects=self._redirects())
        raise Unreadable(f"{keyword} without {closes}")

    def _simple(self) -> Node:
        words: list[Word] = []
        assignments: list[tuple[str, Word]] = []
        redirects: list[Redirect] = []
        while True:
            token = self._token()
            if token.redirect is not None:
                redirects.append(token.redirect)
            elif not token.word:
                break
            elif not words and (assigned := _assigned(token.word)) is not None:
                assignments.append(assigned)
            else:
                words.append(token.word)
            self.at += 1
        if self._operator() == "(" and len(words) == 1 and not redirects:
            return self._function(words[0], assignments)
        if not (words or assignments or redirects):
            raise Unreadable("a command was expected")
        return Simple(tuple(words), tuple(assignments), tuple(redirects))

    def _function(self, name: Word, assignments: list[tuple[str, Word]]) -> Node:
        self.at += 1
        if assignments or not bare(name):
            raise Unreadable("a parenthesis out of place")
        self._expect_operator(")")
        self._lines()
        return self._defined()

    def _defined(self) -> Opaque:
        """A function, from its body on."""
        self._deeper()
        self._node()
        self.depth -= 1
        return Opaque(silent=True)

    def _deeper(self) -> None:
        self.depth += 1
        if self.depth > DEEPEST:
            raise Unreadable("too deep")

    # -- tokens ---------------------------------------------------------------------------------------------------

    def _token(self) -> Token:
        return self.tokens[self.at] if self.at < len(self.tokens) else _OVER

    def _operator(self) -> str:
        return self._token().operator

    def _keyword(self) -> str:
        return bare(self._token().word)

    def _lines(self) -> None:
        while self._operator() == "\n":
            self.at += 1

    def _until(self, keyword: str) -> Script:
        body = self.script((keyword,))
        self._expect(keyword)
        return body

    def _expect(self, keyword: str) -> None:
        if self._keyword() != keyword:
            raise Unreadable(f"{keyword} was expected")
        self.at += 1

    def _expect_operator(self, operator: str) -> None:
        if self._operator() != operator:
            raise Unreadable(f"{operator} was expected")
        self.at += 1

    def _redirects(self) -> tuple[Redirect, ...]:
        found: list[Redirect] = []
        while (redirect := self._token().redirect) is not None:
            found.append(redirect)
            self.at += 1
        return tuple(found)


def _assigned(word: Word) -> tuple[str, Word] | None:
    """(name, value) of `NAME=VALUE`; `NAME+=VALUE` has no value that is known."""
    first = word[0]
    match = _ASSIGNMENT.match(first.text) if first.kind == PLAIN else None
    if match is None:
        return None
    rest = first.text[match.end() :]
    from_rest = (Piece(PLAIN, rest), *word[1:]) if rest else word[1:]
    return (match[1], from_rest if not match[2] else (Piece(UNKNOWN, ""),))
