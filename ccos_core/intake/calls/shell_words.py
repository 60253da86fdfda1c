"""The words of a shell's command line: quotes, escapes, here-documents, and what only the shell could work out.

A line becomes tokens in one pass. A word keeps its pieces apart: text as it stands, a variable, or something unknown
(a substitution, a glob), so that nothing is ever concluded from a word nobody can know. What isn't a line a shell would
take is `Unreadable`.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TypeAlias

PLAIN, QUOTED, VARIABLE, QUOTED_VARIABLE, UNKNOWN = "plain", "quoted", "variable", "quoted variable", "unknown"


class Unreadable(ValueError):
    """No command line of a shell, or one that is beyond this reader."""


@dataclass(frozen=True, slots=True)
class Piece:
    """A part of a word."""

    kind: str
    text: str
    """As the command gets it; of a variable its name."""


Word: TypeAlias = tuple[Piece, ...]


@dataclass(frozen=True, slots=True)
class Redirect:
    """`2> FILE`, `<< EOF`, ..."""

    fd: int | None
    """None where the operator says it."""
    operator: str
    target: Word
    """The file; of a here-document its text."""


@dataclass(frozen=True, slots=True)
class Token:
    """A word, a redirection or an operator (a line feed is one)."""

    word: Word = ()
    redirect: Redirect | None = None
    operator: str = ""


def tokens(line: str) -> list[Token]:
    """All of them, in order; raises `Unreadable`."""
    return _Lexer(line).read()


def bare(word: Word) -> str:
    """A word that stands without any quotes, as keywords do; empty otherwise."""
    return word[0].text if len(word) == 1 and word[0].kind == PLAIN else ""


# -- the one pass -----------------------------------------------------------------------------------------------------

_BLANK = re.compile(r"(?:[ \t\r]|\\\r?\n)+")
_COMMENT = re.compile(r"#[^\n]*")
_OPERATOR = re.compile(r"&&|\|\||;;&|;;|;&|\|&|[;|&()\n]")
_REDIRECT = re.compile(r"(\d{1,4})?(&>>|&>|>>|>\||>&|<<<|<<-|<<|<&|<>|<|>)(?!\()")
_RUN = re.compile(r"[^\s;&|<>()'\"\\$`]+")
_IN_QUOTES = re.compile(r'[^"\\$`]+')
_IN_DOCUMENT = re.compile(r"[^\\$`]+")
_NAME = re.compile(r"[A-Za-z_]\w*")
_BRACED = re.compile(r"\{([A-Za-z_]\w*)\}")
_PARAMETER = re.compile(r"\{[^{}'\"`\n]{1,400}\}|[0-9@*#?$!-]")
_ARITHMETIC = re.compile(r"\(\([^'\"`\n]{0,400}?\)\)")
_GLOB = re.compile(r"[*?]|\[[^\]]")
_BRACES = re.compile(r",|\.\.")
_ANSI = re.compile(r"(?:[^'\\]|\\.)*", re.DOTALL)
_ANSI_ESCAPE = re.compile(r"\\(?:x([0-9a-fA-F]{1,2})|u([0-9a-fA-F]{1,4})|([0-7]{1,3})|(.))", re.DOTALL)
_ANSI_CHARACTERS = {"n": "\n", "t": "\t", "r": "\r", "a": "\a", "b": "\b", "f": "\f", "v": "\v", "e": "\x1b"}
_SUBSTITUTED = re.compile(r"\\.|\$?'|\"|\$\(\(|\(|\)|`|<<<|<<-?|\n|(?<!\S)#", re.DOTALL)
_DELIMITER = re.compile(r"[ \t]*((?:[^\s;&|<>()'\"\\]|\\.|'[^'\n]{0,200}'|\"[^\"\n]{0,200}\")+)")


class _Lexer:
    def __init__(self, line: str) -> None:
        self.line = line
        self.at = 0
        self.found: list[Token] = []
        self.waiting: list[tuple[int, str, bool, bool]] = []
        """Here-documents that begin after this line: (their token, delimiter, quoted, tabs off)."""

    def read(self) -> list[Token]:
        while self.at < len(self.line):
            self._next()
        if self.waiting:
            raise Unreadable("a here-document without text")
        return self.found

    def _next(self) -> None:
        line, at = self.line, self.at
        if (match := _BLANK.match(line, at)) or (match := _COMMENT.match(line, at)):
            self.at = match.end()
        elif match := _REDIRECT.match(line, at):
            self.at = match.end()
            self._redirect(match)
        elif line[at] not in "<>" and (match := _OPERATOR.match(line, at)):
            self.at = match.end()
            self.found.append(Token(operator=match[0]))
            if match[0] == "\n":
                self._documents()
        else:
            self.found.append(Token(word=self._word()))

    def _redirect(self, match: re.Match[str]) -> None:
        fd = int(match[1]) if match[1] else None
        while blank := _BLANK.match(self.line, self.at):
            self.at = blank.end()
        if match[2] in ("<<", "<<-"):
            delimiter, self.at = _delimiter(self.line, self.at)
            quoted = any(mark in delimiter for mark in "'\"\\")
            self.waiting.append((len(self.found), _unquoted(delimiter), quoted, match[2] == "<<-"))
            self.found.append(Token(redirect=Redirect(fd, "<<", ())))
        else:
            self.found.append(Token(redirect=Redirect(fd, match[2], self._word())))

    def _documents(self) -> None:
        for token, delimiter, quoted, tabs_off in self.waiting:
            text, self.at, ended = _document(self.line, self.at, delimiter, tabs_off)
            if not ended:
                target: Word = (Piece(UNKNOWN, ""),)
            elif quoted:
                target = (Piece(QUOTED, text),)
            else:
                target = _of_document(text)
            redirect = self.found[token].redirect
            self.found[token] = Token(redirect=Redirect(redirect.fd if redirect else None, "<<", target))
        self.waiting = []

    # -- words ----------------------------------------------------------------------------------------------------

    def _word(self) -> Word:
        line = self.line
        pieces: list[Piece] = []
        start = self.at
        while self.at < len(line):
            mark = line[self.at]
            if mark == "'":
                pieces.append(Piece(QUOTED, self._until_quote()))
            elif mark == '"':
                self.at += 1
                pieces += self._quoted()
            elif mark == "\\":
                pieces += self._escaped()
            elif mark == "$":
                pieces.append(self._dollar(quoted=False))
            elif mark == "`":
                pieces.append(self._backticks())
            elif mark in "<>" and line.startswith("(", self.at + 1) and self.at == start:
                self.at = _substituted(line, self.at + 2)
                pieces.append(Piece(UNKNOWN, ""))
            elif run := _RUN.match(line, self.at):
                self.at = run.end()
                pieces.append(Piece(PLAIN, run[0]))
            else:
                break
        if self.at == start:
            raise Unreadable("a word was expected")
        return _globs(_joined(pieces))

    def _until_quote(self) -> str:
        end = self.line.find("'", self.at + 1)
        if end < 0:
            raise Unreadable("a quote without an end")
        text = self.line[self.at + 1 : end]
        self.at = end + 1
        return text

    def _quoted(self) -> list[Piece]:
        """What stands in double quotes; the first is behind."""
        pieces = self._filled(_IN_QUOTES, '$`"\\', '"')
        if not self.line.startswith('"', self.at):
            raise Unreadable("a quote without an end")
        self.at += 1
        return pieces or [Piece(QUOTED, "")]

    def document(self) -> Word:
        """All of it as the text of a here-document."""
        return _joined(self._filled(_IN_DOCUMENT, "$`\\", "")) or (Piece(QUOTED, ""),)

    def _filled(self, run: re.Pattern[str], escapable: str, end: str) -> list[Piece]:
        line = self.line
        pieces: list[Piece] = []
        while self.at < len(line) and line[self.at] != end:
            if match := run.match(line, self.at):
                self.at = match.end()
                pieces.append(Piece(QUOTED, match[0]))
            elif line[self.at] == "\\":
                after = line[self.at + 1 : self.at + 2]
                self.at += 2
                told = "" if after == "\n" else after if after and after in escapable else "\\" + after
                pieces.append(Piece(QUOTED, told))
            elif line[self.at] == "$":
                pieces.append(self._dollar(quoted=True))
            else:
                pieces.append(self._backticks())
        return pieces

    def _escaped(self) -> list[Piece]:
        after = self.line[self.at + 1 : self.at + 2]
        self.at += 2
        return [] if after == "\n" else [Piece(QUOTED, after or "\\")]

    def _dollar(self, quoted: bool) -> Piece:
        line, at = self.line, self.at + 1
        if name := _NAME.match(line, at) or _BRACED.match(line, at):
            self.at = name.end()
            return Piece(QUOTED_VARIABLE if quoted else VARIABLE, name[name.lastindex or 0])
        if match := _ARITHMETIC.match(line, at) or _PARAMETER.match(line, at):
            self.at = match.end()
            return Piece(UNKNOWN, "")
        if line.startswith("(", at):
            self.at = _substituted(line, at + 1)
            return Piece(UNKNOWN, "")
        if line.startswith("{", at):
            raise Unreadable("an expansion beyond this reader")
        if not quoted and line.startswith("'", at):
            return self._ansi(at + 1)
        self.at = at
        return Piece(QUOTED, "" if not quoted and line.startswith('"', at) else "$")

    def _ansi(self, at: int) -> Piece:
        match = _ANSI.match(self.line, at)
        end = match.end() if match is not None else at
        if not self.line.startswith("'", end):
            raise Unreadable("a quote without an end")
        self.at = end + 1
        return Piece(QUOTED, _ANSI_ESCAPE.sub(_ansi_escape, self.line[at:end]))

    def _backticks(self) -> Piece:
        at = self.at + 1
        while (end := self.line.find("`", at)) >= 0 and self.line[end - 1] == "\\":
            at = end + 1
        if end < 0:
            raise Unreadable("a substitution without an end")
        self.at = end + 1
        return Piece(UNKNOWN, "")


# -- helpers ----------------------------------------------------------------------------------------------------------


def _joined(pieces: list[Piece]) -> Word:
    """Neighbours of one kind as one, so that a keyword is one piece."""
    found: list[Piece] = []
    for piece in pieces:
        if found and piece.kind in (PLAIN, QUOTED) and found[-1].kind == piece.kind:
            found[-1] = Piece(piece.kind, found[-1].text + piece.text)
        else:
            found.append(piece)
    return tuple(found)


def _globs(word: Word) -> Word:
    """A pattern of files is nothing that can be known."""
    plain = [piece.text for piece in word if piece.kind == PLAIN]
    braces = any("{" in text for text in plain) and any(_BRACES.search(text) for text in plain)
    if braces or any(_GLOB.search(text) for text in plain):
        return word if bare(word) in ("[", "[[") else (*word, Piece(UNKNOWN, ""))
    return word


def _unquoted(word: str) -> str:
    return re.sub(r"\\(.)|'([^']*)'|\"([^\"]*)\"", lambda piece: piece[1] or piece[2] or piece[3] or "", word)


def _of_document(text: str) -> Word:
    """The pieces of a here-document whose delimiter has no quotes."""
    if re.search(r"(?<!\\)(?:\\\\)*\\\n\Z", text):  # it goes on behind what looks like its end
        raise Unreadable("a here-document without an end")
    try:
        return _Lexer(text).document()
    except Unreadable:
        return (Piece(UNKNOWN, ""),)


def _document(line: str, at: int, delimiter: str, tabs_off: bool) -> tuple[str, int, bool]:
    """(text, where what follows begins, whether it ended)."""
    lead = r"^\t*" if tabs_off else "^"
    end = re.compile(lead + re.escape(delimiter) + r"\r?$", re.MULTILINE).search(line, at)
    text = line[at : end.start()] if end is not None else line[at:]
    after = len(line) if end is None else min(end.end() + 1, len(line))
    if tabs_off:
        text = re.sub(r"^\t+", "", text, flags=re.MULTILINE)
    return text, after, end is not None


def _substituted(line: str, at: int) -> int:
    """Behind the parenthesis that closes one opened before `at`, whatever is quoted or nested in between."""
    inside = [")"]
    waiting: list[tuple[str, bool]] = []
    while match := _SUBSTITUTED.search(line, at):
        mark, at = match[0], match.end()
        if inside[-1] == '"':
            at = _in_quotes(line, mark, match.start(), at, inside)
        elif mark == ")":
            inside.pop()
            if not inside:
                return at
        elif mark == "(":
            inside.append(")")
        elif mark == "$((":
            arithmetic = _ARITHMETIC.match(line, match.start() + 1)
            at = arithmetic.end() if arithmetic is not None else at
            inside += [] if arithmetic is not None else [")", ")"]
        elif mark == '"':
            inside.append('"')
        elif mark in ("<<", "<<-"):
            delimiter, at = _delimiter(line, at)
            waiting.append((_unquoted(delimiter), mark == "<<-"))
        elif mark == "\n":
            for delimiter, tabs_off in waiting:
                _, at, _ = _document(line, at, delimiter, tabs_off)
            waiting.clear()
        else:
            at = _skipped(line, mark, at)
    raise Unreadable("a substitution without an end")


def _in_quotes(line: str, mark: str, start: int, at: int, inside: list[str]) -> int:
    if mark == '"':
        inside.pop()
    elif mark in ("(", "$((") and (mark == "$((" or line[start - 1 : start] == "$"):
        inside += [")"] * mark.count("(")
    elif mark == "`":
        return _skipped(line, mark, at)
    elif mark == "$'":
        return at - 1
    return at


def _delimiter(line: str, at: int) -> tuple[str, int]:
    """(the word a here-document ends with, as it is written; where what follows begins)."""
    delimiter = _DELIMITER.match(line, at)
    if delimiter is None:
        raise Unreadable("a here-document without an end")
    return delimiter[1], delimiter.end()


def _skipped(line: str, mark: str, at: int) -> int:
    if mark == "#":
        end = line.find("\n", at)
        return len(line) if end < 0 else end
    if mark not in ("'", "$'", "`"):
        return at
    if mark == "$'":
        match = _ANSI.match(line, at)
        return (match.end() if match is not None else at) + 1
    end = line.find(mark, at)
    if end < 0:
        raise Unreadable("a quote without an end")
    return end + 1


def _ansi_escape(match: re.Match[str]) -> str:
    hexadecimal, octal, other = match[1] or match[2], match[3], match[4]
    if hexadecimal:
        return chr(int(hexadecimal, 16))
    if octal:
        return chr(int(octal, 8) & 0xFF)
    return _ANSI_CHARACTERS.get(other, other if other in "\\'\"?" else "\\" + other)
