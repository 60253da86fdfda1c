"""What a command line runs, from tree-sitter's bash grammar: lists, pipelines, groups, `if` and loops.

A line is read only if the grammar reads all of it: where it recovers from an error, or nests too deep, or skips
something that isn't blank, the line is unreadable (None), and nobody guesses. What is run some unknown number of times
is a `Loop`. Length and nesting are bounded before the grammar sees a text, and nothing here runs anything.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cache, lru_cache
from typing import TYPE_CHECKING, TypeAlias

from ccos_core.grammars import load_grammar, parse_bounded
from ccos_core.intake.calls.shell_words import (
    PLAIN,
    UNKNOWN,
    Piece,
    Redirect,
    Unreadable,
    Word,
    bare,
    read_document,
    read_word,
    text_of,
)

if TYPE_CHECKING:
    import tree_sitter

LONGEST = 131_072
"""Bytes of a command: as many as Linux lets one argument have, so `bash -c` can't be given more."""
DEEPEST = 30
"""Groups, loops and the like in one another."""
MOST_OPEN = 500
"""Brackets that may be open at once anywhere in a text. Recovering from errors takes the square of it."""
SMALL_BYTES = 2_000
"""A command below this can't take long, and is parsed without counting (31 µs less for each)."""
MOST_PENDING = 4_000
"""Operators between two places at which a statement may end."""


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
class Loop:
    """`while`, `case` and what else runs its parts an unknown number of times; a function, which is run when called."""

    bodies: tuple[Script, ...] = ()
    silent: bool = False
    """Whether it prints nothing: a test, a function's definition."""
    redirects: tuple[Redirect, ...] = ()
    function: str = ""
    """The name of the function it defines."""
    reads: str = ""
    """The variable that gets one line after the other: of `while read NAME`."""


Node: TypeAlias = Simple | Group | For | If | Loop


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


class MissedEnd(Unreadable):
    """The grammar took the end of a line for a blank between two words."""

    def __init__(self, at: int) -> None:
        self.at = at


@lru_cache(maxsize=64)  # every reader of an output asks what was run
def parse_line(line: str) -> Script | None:
    """What a shell would run; None where that can't be read, or no grammar is installed."""
    source = line.encode("utf-8", "surrogatepass")
    parser = _parser()
    if parser is None or len(source) > LONGEST or nests_too_deep(line):
        return None
    for _ in range(4):  # retries after a missed line end
        shape = source if source.isascii() else source.translate(_AS_LETTERS)
        tree = parser.parse(shape) if len(source) < SMALL_BYTES else parse_bounded(parser, shape)
        if tree is None or tree.root_node.has_error:
            return None
        try:
            return _Reader(source).script(tree.root_node.children, 0)
        except MissedEnd as missed:
            source = source[: missed.at] + b";" + source[missed.at + 1 :]
        except ValueError:  # unreadable, or half of a character
            return None
    return None


def can_parse() -> bool:
    """Whether the grammar of bash is installed."""
    return _parser() is not None


def nests_too_deep(text: str) -> bool:
    """Whether a text may open more at once than a grammar should be asked to recover from."""
    marks = {mark: text.count(mark) for mark in "([{|<&"}
    if sum(marks.values()) <= MOST_OPEN:  # as nearly always
        return False
    depth = 0
    for mark in _BRACKET.findall(text):
        depth = max(depth + (1 if mark in "([{" else -1), 0)
        if depth > MOST_OPEN:
            return True
    return any(len(_PENDING.findall(part)) > MOST_PENDING for part in _STATEMENT_END.split(text))


# -- the tree ---------------------------------------------------------------------------------------------------------

_READ = re.compile(r"(?:IFS=\S*\s+)?read(?:\s+-[a-z]+(?:\s+(?:''|\"\"|\$'\\\\0'))?)*\s+([A-Za-z_]\w*)\s*;?")
_AS_LETTERS = bytes.maketrans(bytes(range(128, 256)), b"x" * 128)  # other characters after a brace crash the grammar
_BRACKET = re.compile(r"[(\[{)\]}]")
_PENDING = re.compile(r"[|<&]|\(\s*\)")
_STATEMENT_END = re.compile(r";|(?<![|&)\\\s])[ \t\r]*\n")
_BLANK = re.compile(rb"(?:[ \t\n]|\r\n|\\\r?\n)*+")
_LINE_END = re.compile(rb"(?<!\\)(?<!\\\r)\n")
_LONE_DASH = re.compile(rb"[ \t]+-[ \t]+")
_ASSIGNED = re.compile(r"[A-Za-z_]\w*", re.ASCII)
_SEPARATORS = (";", "\n", ";;", ";&", ";;&")
_LOOPS = {"while_statement", "c_style_for_statement", "case_statement", "for_statement"}

_Parts = list[tuple[str, Pipeline]]


@cache
def _parser() -> tree_sitter.Parser | None:
    grammar = load_grammar("bash")
    if grammar is None:
        return None
    import tree_sitter

    return tree_sitter.Parser(grammar)


class _Reader:
    """Turns nodes of the tree into a script."""

    def __init__(self, source: bytes) -> None:
        self.source = source

    def script(self, nodes: Sequence[tree_sitter.Node], depth: int) -> Script:
        """Statements, one behind the other."""
        if depth > DEEPEST:
            raise Unreadable("too deep")
        chains: list[Chain] = []
        for node in self._gapless(nodes):
            kind = node.type
            if kind == "&":
                if not chains:
                    raise Unreadable("an operator out of place")
                chains[-1] = replace(chains[-1], background=True)
            elif kind not in _SEPARATORS and kind != "comment":
                chains.append(Chain(tuple(self._parts(node, depth))))
        return tuple(chains)

    def _gapless(self, nodes: Sequence[tree_sitter.Node]) -> Sequence[tree_sitter.Node]:
        """These, if nothing but blanks stands between them: the grammar also skips what begins a word for bash."""
        at = nodes[0].start_byte if nodes else 0
        for node in nodes:
            self._check_blank(at, node.start_byte)
            at = node.end_byte
        return nodes

    def _check_blank(self, at: int, end: int, within: bool = False) -> None:
        """Refuse a gap that isn't blank; within a command it may hold no end of a line."""
        between = self.source[at:end]
        if between in (b" ", b""):
            return
        if not _BLANK.fullmatch(between):
            raise Unreadable("something between words that is no blank")
        if within and (line_end := _LINE_END.search(between)) is not None:
            raise MissedEnd(at + line_end.start())

    def _parts(self, node: tree_sitter.Node, depth: int) -> _Parts:
        """The pipelines of a statement, each with the operator in front. Goes down the left side without recursion, for
        a list of a thousand commands is as deep."""
        spine: list[tree_sitter.Node] = []
        while node.type in ("list", "redirected_statement"):
            spine.append(node)
            node = next((child for child in node.children if child.is_named), node)
            if node is spine[-1] or node.type in ("file_redirect", "heredoc_redirect", "herestring_redirect"):
                node = spine.pop()
                break
        parts = self._statement(node, depth)
        for outer in reversed(spine):
            if outer.type == "list":
                children = self._gapless(outer.children)
                parts += self._joined(children[-2].type, children[-1], depth)
            else:
                parts = self._redirected(parts, outer.children[1:], outer.children[0].end_byte, depth)
        return parts

    def _joined(self, operator: str, node: tree_sitter.Node, depth: int) -> _Parts:
        (_, first), *rest = self._parts(node, depth + 1)
        return [(operator, first), *rest]

    def _redirected(self, parts: _Parts, redirects: Sequence[tree_sitter.Node], at: int, depth: int) -> _Parts:
        """Redirections belong to the last command in front of them; behind `<< EOF` its line goes on."""
        found: list[Redirect] = []
        words: list[Word] = []
        further: _Parts = []
        for redirect in redirects:
            if _LONE_DASH.fullmatch(self.source, at, redirect.start_byte):  # the grammar skips it in front of `<<`
                words.append((Piece(PLAIN, "-"),))
            else:
                self._check_blank(at, redirect.start_byte)
            at = redirect.end_byte
            if redirect.type == "heredoc_redirect":
                found.append(read_document(self.source, redirect))
                further += self._behind_document(redirect, found, words, depth)
            else:
                self._redirect(redirect, found, words)
        joiner, pipeline = parts[-1]
        *others, node = pipeline.nodes
        if words and not isinstance(node, Simple):
            raise Unreadable("a word out of place")
        if isinstance(node, Simple):
            node = replace(node, words=(*node.words, *words))
        nodes = [*others, replace(node, redirects=(*node.redirects, *found))]
        while further and further[0][0] == "|":
            nodes += further.pop(0)[1].nodes
        return [*parts[:-1], (joiner, replace(pipeline, nodes=tuple(nodes))), *further]

    def _behind_document(
        self, redirect: tree_sitter.Node, found: list[Redirect], words: list[Word], depth: int
    ) -> _Parts:
        """What stands on the line of a here-document behind its delimiter: redirections, words, a pipe, a list."""
        further: _Parts = []
        operator = ""
        for child in redirect.children:
            kind = child.type
            if kind in ("file_redirect", "herestring_redirect"):
                self._redirect(child, found, words)
            elif kind in ("&&", "||"):
                operator = kind
            elif kind == "pipeline" and not operator:
                if len(child.children) != 2 or child.children[0].type != "|":
                    raise Unreadable("a pipeline beyond this reader")
                further += self._joined("|", child.children[1], depth)
            elif operator:
                further += self._joined(operator, child, depth)
                operator = ""
            elif kind not in ("<<", "<<-", "heredoc_start", "heredoc_body", "heredoc_end", "file_descriptor"):
                words.append(read_word(self.source, child))
        return further

    def _statement(self, node: tree_sitter.Node, depth: int) -> _Parts:
        kind = node.type
        if kind == "pipeline":
            return self._pipeline(node, depth)
        if kind == "negated_command":
            *_, inner = self._gapless(node.children)
            (joiner, first), *rest = self._parts(inner, depth + 1)
            return [(joiner, replace(first, negated=not first.negated)), *rest]
        return [("", Pipeline((self._node(node, depth),)))]

    def _pipeline(self, node: tree_sitter.Node, depth: int) -> _Parts:
        parts: _Parts = []
        for child in self._gapless(node.children):
            if child.type in ("|", "|&", "comment"):
                continue
            inner = self._parts(child, depth + 1)
            if not parts:
                parts = inner
                continue
            joiner, last = parts[-1]
            parts[-1:] = [(joiner, replace(last, nodes=(*last.nodes, *inner[0][1].nodes))), *inner[1:]]
        return parts

    def _node(self, node: tree_sitter.Node, depth: int) -> Node:
        if depth > DEEPEST:
            raise Unreadable("too deep")
        kind = node.type
        if kind in ("command", "test_command", "declaration_command", "unset_command"):
            return self._command(node)
        if kind in ("variable_assignment", "variable_assignments"):
            assigned = [node] if kind == "variable_assignment" else node.children
            return Simple((), tuple(self._assignment(each) for each in assigned))
        if kind in ("subshell", "compound_statement"):
            children = node.children
            if children[0].type == "((":
                return Loop()
            return Group(self.script(children[1:-1], depth + 1), kind == "subshell")
        if kind == "if_statement":
            return self._if(node, depth)
        if kind == "for_statement" and (found := self._for(node, depth)) is not None:
            return found
        if kind == "function_definition":
            return self._function(node, depth)
        if kind in _LOOPS:
            return Loop(tuple(self._bodies(node, depth)), reads=self._read(node))
        if kind in ("redirected_statement", "list", "file_redirect"):
            return self._redirects_alone(node)
        raise Unreadable(f"a {kind} beyond this reader")

    def _command(self, node: tree_sitter.Node) -> Node:
        words: list[Word] = []
        assignments: list[tuple[str, Word]] = []
        redirects: list[Redirect] = []
        children = node.children
        if node.type == "test_command":
            opens = children[0].type
            if opens == "[":
                return Simple(((Piece(PLAIN, "["),), (Piece(UNKNOWN, ""),)))
            return Loop(silent=opens == "[[")
        at = word_end = node.start_byte
        for child in children:
            start, kind = child.start_byte, child.type
            self._check_blank(at, start, within=True)
            if start == word_end and words and "redirect" not in kind:
                raise Unreadable("one word that the grammar takes for two")
            at = child.end_byte
            word_end = at if "redirect" not in kind else -1
            if kind == "command_name":
                words.append(read_word(self.source, child.children[0]))
            elif kind in ("file_redirect", "herestring_redirect"):
                self._redirect(child, redirects, words)
            elif kind == "variable_assignment" and node.type == "command":
                assignments.append(self._assignment(child))
            elif kind == "variable_assignment":
                name, value = self._assignment(child)
                words.append((Piece(PLAIN, f"{name}="), *value))
            else:
                words.append(read_word(self.source, child))
        return self._without_time(Simple(tuple(words), tuple(assignments), tuple(redirects)))

    def _without_time(self, node: Simple) -> Node:
        """`time` is a word of the shell's own: what it times may be a group, which the grammar takes for words."""
        if node.words and bare(node.words[0]) == "time" and not node.assignments:
            rest = node.words[1:]
            rest = rest[1:] if rest and bare(rest[0]) == "-p" else rest
            if rest and bare(rest[0]) in ("{", "!", "time", "if", "for", "while", "["):
                raise Unreadable("something is timed that is no command")
            return replace(node, words=rest) if rest else node
        if node.words and bare(node.words[0]) in (
            "coproc",
            "{",
            "}",
            "then",
            "do",
            "done",
            "fi",
            "esac",
            "else",
            "elif",
        ):
            raise Unreadable("a keyword out of place")
        return node

    def _redirect(self, node: tree_sitter.Node, found: list[Redirect], words: list[Word]) -> None:
        fd: int | None = None
        operator = ""
        targets: list[Word] = []
        for child in self._gapless(node.children):
            if child.type == "file_descriptor":
                text = text_of(self.source, child)
                fd = int(text) if text.isdigit() else None
            elif not operator:
                operator = child.type
            else:
                targets.append(read_word(self.source, child))
        found.append(Redirect(fd, operator, targets[0] if targets else (Piece(PLAIN, "-"),)))
        words += targets[1:]

    def _assignment(self, node: tree_sitter.Node) -> tuple[str, Word]:
        """(name, value) of `NAME=VALUE`; `NAME+=VALUE` and lists have no value that is known."""
        name, sign, *value = node.children
        spelled = text_of(self.source, name)
        if sign.type != "=" or not _ASSIGNED.fullmatch(spelled) or (value and value[0].type == "array"):
            return spelled.partition("[")[0], (Piece(UNKNOWN, ""),)
        return spelled, read_word(self.source, value[0]) if value else ()

    def _redirects_alone(self, node: tree_sitter.Node) -> Node:
        """`> FILE` without a command."""
        if node.type != "redirected_statement":
            raise Unreadable("a redirection out of place")
        (_, pipeline), *rest = self._redirected([("", Pipeline((Simple(()),)))], node.children, node.start_byte, 0)
        if rest or len(pipeline.nodes) != 1:
            raise Unreadable("a redirection beyond this reader")
        return pipeline.nodes[0]

    # -- what is made of scripts ----------------------------------------------------------------------------------

    def _if(self, node: tree_sitter.Node, depth: int) -> Node:
        branches: list[tuple[Script, Script]] = []
        otherwise: Script | None = None
        condition: list[tree_sitter.Node] = []
        body: list[tree_sitter.Node] = []
        inside = condition
        for child in self._gapless(node.children):
            kind = child.type
            if kind == "then":
                inside = body
            elif kind == "elif_clause":
                found = self._if(child, depth + 1)
                branches += found.branches if isinstance(found, If) else ()
            elif kind == "else_clause":
                otherwise = self.script(child.children[1:], depth + 1)
            elif kind not in ("if", "elif", "fi"):
                inside.append(child)
        first = (self.script(condition, depth + 1), self.script(body, depth + 1))
        return If((first, *branches), otherwise)

    def _for(self, node: tree_sitter.Node, depth: int) -> Node | None:
        """A loop over words; None where there are none, or the user is asked."""
        kinds = [child.type for child in node.children]
        if kinds[0] != "for" or "in" not in kinds:
            return None
        name = text_of(self.source, node.children[1])
        begin, end = kinds.index("in") + 1, len(kinds) - 1
        words = [read_word(self.source, child) for child in node.children[begin:end] if child.type not in _SEPARATORS]
        return For(name, tuple(words), self._group(node.children[end], depth))

    def _function(self, node: tree_sitter.Node, depth: int) -> Node:
        name = node.child_by_field_name("name")
        body = node.child_by_field_name("body")
        if name is None or body is None:
            raise Unreadable("a function beyond this reader")
        return Loop((self.script([body], depth + 1),), silent=True, function=text_of(self.source, name))

    def _group(self, node: tree_sitter.Node, depth: int) -> Script:
        """What stands between `do` and `done`, or in braces."""
        return self.script(node.children[1:-1], depth + 1)

    def _read(self, node: tree_sitter.Node) -> str:
        """The variable that the condition of a loop fills with a line."""
        conditions = node.children_by_field_name("condition")
        found = _READ.fullmatch(text_of(self.source, conditions[0])) if conditions else None
        return found[1] if found else ""

    def _bodies(self, node: tree_sitter.Node, depth: int) -> Iterator[Script]:
        """The parts of a loop or of a `case`."""
        for child in node.children:
            if child.type in ("do_group", "compound_statement"):
                yield self._group(child, depth)
            elif child.type == "case_item":
                kinds = [each.type for each in child.children]
                yield self.script(child.children[kinds.index(")") + 1 :], depth + 1)
        if node.type == "while_statement":
            conditions = node.children_by_field_name("condition")
            yield self.script(conditions, depth + 1)
