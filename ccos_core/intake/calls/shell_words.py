"""The words of a command line, from their nodes in tree-sitter's tree.

A word keeps its pieces apart: text as it stands, a variable, a pattern, or something unknown (a substitution), so that
nothing is ever concluded from a word only the shell could know. Where the grammar and bash are known to differ, the
line is `Unreadable`: blanks that belong to a word, blanks inside of one, expansions it reads as text.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING, NamedTuple, TypeAlias

if TYPE_CHECKING:
    import tree_sitter

PLAIN, QUOTED, VARIABLE, QUOTED_VARIABLE = "plain", "quoted", "variable", "quoted variable"
GLOB, UNKNOWN = "glob", "unknown"


class Unreadable(ValueError):
    """No command line of a shell, or one that is beyond this reader."""


class Piece(NamedTuple):
    """A part of a word."""

    kind: str
    text: str
    """As the command gets it; of a variable its name; of a pattern and of what isn't known as it is written."""


Word: TypeAlias = tuple[Piece, ...]


@dataclass(frozen=True, slots=True)
class Redirect:
    """`2> FILE`, `<< EOF`, ..."""

    fd: int | None
    """None where the operator says it."""
    operator: str
    target: Word
    """The file; of a here-document its text."""


def read_word(source: bytes, node: tree_sitter.Node) -> Word:
    """The pieces of one word."""
    kind, text = node.type, source[node.start_byte : node.end_byte]
    if kind in ("word", "number") and not _SPECIAL.search(text):
        return (Piece(PLAIN, text.decode("utf-8", "surrogatepass")),)
    if kind == "raw_string":
        return (Piece(QUOTED, _decoded(text)[1:-1]),)
    pieces: list[Piece] = []
    if kind == "concatenation":
        at = node.start_byte
        for child in node.children:
            if child.start_byte != at or (at != node.start_byte and source[at : at + 1].isspace()):
                raise Unreadable("a blank inside of a word")
            at = child.end_byte
            pieces += _pieces(source, child)
    else:
        pieces += _pieces(source, node)
    return _with_globs(_joined(pieces))


def read_document(source: bytes, node: tree_sitter.Node) -> Redirect:
    """A here-document with its text, which the tree has without the blanks in front of an expansion."""
    begin, body, end, operator, fd, last = _document_parts(source, node)
    if end is None:
        raise Unreadable("a here-document without an end")
    first = source.find(b"\n", last) + 1
    if not first:
        raise Unreadable("a here-document beyond this reader")
    raw, tabs_off = source[begin.start_byte : begin.end_byte], operator == "<<-"
    ends = re.compile(
        (rb"^\t*" if tabs_off else b"^") + re.escape(_UNQUOTED.sub(_unquoted, raw)) + rb"\r?$", re.MULTILINE
    )
    ending = ends.search(source, first)
    if ending is None or not ending.start() <= end.end_byte <= ending.end() + 1:  # the grammar has another line for it
        raise Unreadable("a here-document whose end isn't certain")
    text = source[first : ending.start()]
    if any(mark in raw for mark in b"'\"\\"):
        word: Word = (Piece(QUOTED, _decoded(_without_tabs(text, tabs_off))),)
    elif re.search(rb"(?<!\\)(?:\\\\)*\\\n\Z", text):  # it goes on behind what looks like its end
        raise Unreadable("a here-document without an end")
    else:
        expansions = [child for child in body.children if child.is_named] if body is not None else []
        expansions = [child for child in expansions if child.type != "heredoc_content"]
        word = _filled(source, first, first + len(text), expansions, "$`\\", tabs_off)
    return Redirect(fd, "<<", word or (Piece(QUOTED, ""),))


def text_of(source: bytes, node: tree_sitter.Node) -> str:
    """As it is written. `node.text` would ask for the source again, from the node to the end of a chunk."""
    return _decoded(source[node.start_byte : node.end_byte])


def bare(word: Word) -> str:
    """A word that stands without any quotes, as keywords do; empty otherwise."""
    return word[0].text if len(word) == 1 and word[0].kind == PLAIN else ""


# -- pieces -----------------------------------------------------------------------------------------------------------

_ESCAPED = re.compile(r"\\(\r?\n|.)|([^\\]+)", re.DOTALL)
_NAME = re.compile(r"[A-Za-z_]\w*|[1-9]", re.ASCII)
_EXPANDS = re.compile(r"`|\$[A-Za-z_0-9({\[@*#?!$-]")
_SPECIAL = re.compile(rb"[\\*?\[{#$`'\"\s]")
_BLANK_WITHIN = re.compile(r"(?<!\\)(?:\\\\)*[ \t\n]")
_UNQUOTED = re.compile(rb"\\(.)|'([^']*)'|\"([^\"]*)\"")
_GLOB = re.compile(r"[*?]|\[[^\]]")
_BRACES = re.compile(r",|\.\.")
_ANSI_ESCAPE = re.compile(r"\\(?:x([0-9a-fA-F]{1,2})|u([0-9a-fA-F]{1,4})|([0-7]{1,3})|(.))", re.DOTALL)
_ANSI_CHARACTERS = {"n": "\n", "t": "\t", "r": "\r", "a": "\a", "b": "\b", "f": "\f", "v": "\v", "e": "\x1b"}


def _pieces(source: bytes, node: tree_sitter.Node) -> list[Piece]:
    kind = node.type
    if kind in ("word", "variable_name", "number", "extglob_pattern", "test_operator") and not node.child_count:
        return _plain(text_of(source, node))
    if kind == "string":
        return _quoted(source, node)
    if kind == "raw_string":
        return [Piece(QUOTED, text_of(source, node)[1:-1])]
    if kind == "ansi_c_string":
        return [Piece(QUOTED, _ANSI_ESCAPE.sub(_ansi_escape, text_of(source, node)[2:-1]))]
    if kind == "translated_string":
        return _quoted(source, node.children[-1])
    if kind in ("simple_expansion", "expansion"):
        return [_expansion(source, node, VARIABLE)]
    if kind == "brace_expression":
        return [Piece(PLAIN, text_of(source, node))]
    if not node.is_named:
        return _plain(kind)
    return [Piece(UNKNOWN, text_of(source, node))]


def _plain(text: str) -> list[Piece]:
    """Text outside of quotes: what a backslash stands before is quoted."""
    if _BLANK_WITHIN.search(text):
        raise Unreadable("a blank inside of a word")
    if "\\" not in text:
        return [Piece(PLAIN, text)]
    found: list[Piece] = []
    for escaped, plain in _ESCAPED.findall(text):
        if plain:
            found.append(Piece(PLAIN, plain))
        elif escaped not in ("\n", "\r\n"):
            found.append(Piece(QUOTED, escaped))
    return found + [Piece(QUOTED, "\\")] * (len(text) - len(text.rstrip("\\")) & 1)


def _expansion(source: bytes, node: tree_sitter.Node, kind: str) -> Piece:
    """`$NAME` and `${NAME}`; whatever else an expansion does isn't known."""
    children = node.children
    if (len(children) == 2 or (len(children) == 3 and node.type == "expansion")) and children[
        1
    ].type == "variable_name":
        name = text_of(source, children[1])
        if _NAME.fullmatch(name):
            return Piece(kind, name)
    return Piece(UNKNOWN, text_of(source, node))


def _quoted(source: bytes, node: tree_sitter.Node) -> list[Piece]:
    """What stands in double quotes."""
    expansions = [child for child in node.children if child.is_named and child.type != "string_content"]
    return list(_filled(source, node.start_byte + 1, node.end_byte - 1, expansions, '$`"\\')) or [Piece(QUOTED, "")]


def _filled(
    source: bytes, start: int, end: int, expansions: list[tree_sitter.Node], escapable: str, tabs_off: bool = False
) -> Word:
    """Text with expansions in it. The tree has blanks in front of an expansion as a part of it, or nowhere."""
    pieces: list[Piece] = []
    at = start
    for child in expansions:
        text = source[child.start_byte : child.end_byte]
        begins = child.start_byte + len(text) - len(text.lstrip())
        pieces += _literal(_without_tabs(source[at:begins], tabs_off, at == start), escapable)
        pieces.append(
            _expansion(source, child, QUOTED_VARIABLE)
            if child.type in ("simple_expansion", "expansion")
            else Piece(UNKNOWN, text_of(source, child))
        )
        at = child.end_byte
    pieces += _literal(_without_tabs(source[at:end], tabs_off, at == start), escapable)
    return _joined(pieces)


def _literal(raw: bytes, escapable: str) -> list[Piece]:
    text = _decoded(raw)
    if "\\" not in text and "$" not in text and "`" not in text:
        return [Piece(QUOTED, text)] if text else []
    if _EXPANDS.search(re.sub(r"\\.", "", text, flags=re.DOTALL)):  # the grammar reads it as text, and bash doesn't
        return [Piece(UNKNOWN, text)]
    meant = _ESCAPED.sub(lambda match: match[2] or _escaped(match[1], escapable), text)
    return [Piece(QUOTED, meant)] if meant else []


def _escaped(character: str, escapable: str) -> str:
    if character in ("\n", "\r\n"):
        return ""
    return character if character in escapable else "\\" + character


def _without_tabs(text: bytes, tabs_off: bool, at_line: bool = True) -> bytes:
    """Lines of a here-document whose tabs in front don't count."""
    if not tabs_off:
        return text
    return re.sub(rb"^\t+" if at_line else rb"(?<=\n)\t+", b"", text, flags=re.MULTILINE if at_line else 0)


def _document_parts(
    source: bytes, node: tree_sitter.Node
) -> tuple[tree_sitter.Node, tree_sitter.Node | None, tree_sitter.Node | None, str, int | None, int]:
    """(its delimiter, its body, its end, `<<` or `<<-`, descriptor, where its line's last word ends)."""
    begin = body = end = None
    operator, fd, last = "<<", None, node.start_byte
    for child in node.children:
        kind = child.type
        if kind == "heredoc_body":
            body = child
        elif kind == "heredoc_end":
            end = child
        else:
            last = child.end_byte
            if kind == "heredoc_start":
                begin = child
            elif kind in ("<<", "<<-"):
                operator = kind
            elif kind == "file_descriptor":
                fd = int(text_of(source, child))
    if begin is None:
        raise Unreadable("a here-document without a delimiter")
    return begin, body, end, operator, fd, last


def _joined(pieces: list[Piece]) -> Word:
    """Neighbours of one kind as one, so that a keyword is one piece."""
    found: list[Piece] = []
    for piece in pieces:
        if found and piece.kind in (PLAIN, QUOTED) and found[-1].kind == piece.kind:
            found[-1] = Piece(piece.kind, found[-1].text + piece.text)
        else:
            found.append(piece)
    return tuple(found)


def _with_globs(word: Word) -> Word:
    """Mark what is a pattern of files, or several words in braces."""
    plain = [piece.text for piece in word if piece.kind == PLAIN]
    braces = any("{" in text for text in plain) and any(_BRACES.search(text) for text in plain)
    if not braces and not any(_GLOB.search(text) for text in plain):
        return word
    if bare(word) in ("[", "[["):
        return word
    return tuple(Piece(GLOB, piece.text) if piece.kind == PLAIN else piece for piece in word)


def _unquoted(match: re.Match[bytes]) -> bytes:
    return match[1] or match[2] or match[3] or b""


def _decoded(raw: bytes | None) -> str:
    return (raw or b"").decode("utf-8", "surrogatepass")


def _ansi_escape(match: re.Match[str]) -> str:
    hexadecimal, octal, other = match[1] or match[2], match[3], match[4]
    if hexadecimal:
        return chr(int(hexadecimal, 16))
    if octal:
        return chr(int(octal, 8) & 0xFF)
    return _ANSI_CHARACTERS.get(other, other if other in "\\'\"?" else "\\" + other)
