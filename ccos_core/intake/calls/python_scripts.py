"""What a Python script did to files: read, replaced, written, moved, removed.

Agents change files with inline scripts. The tree-sitter tree of a script is walked once, in order. Known are texts,
paths, what was read of a file, and what was replaced in that; any other value is unknown. A file that was written with
an unknown value, on a condition or in a loop is `Changed`. Python's own parser isn't used: its versions differ, and a
record has to say the same on every machine. A script that the grammar can't read has no effects.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from functools import cache, lru_cache
from typing import TYPE_CHECKING

from ccos_core.grammars import load_grammar, parse_bounded
from ccos_core.intake.calls.effects import Effect
from ccos_core.intake.calls.python_calls import CALLS, HARMLESS, NOTHING, Call, Doing, Known, join_path, method_of

if TYPE_CHECKING:
    import tree_sitter

SCRIPT_LIMIT = 50_000
"""Characters of a script."""
NESTING_LIMIT = 80
"""Statements and expressions inside one another; a chain of operators counts once."""
WRITING = ("open(", "write", "os.", "shutil.", "unlink(", ".rename(", ".replace(")
"""A script without any of these has no effects."""
EXITS = ("sys.exit", "exit", "quit", "os._exit", "SystemExit")
SWALLOWING = ("suppress", "raises", "assertRaises", "assertRaisesRegex")
"""Context managers that catch an exception."""
DEFERRED = ("function_definition", "lambda", "generator_expression")
"""Code that runs at another time than its place says."""


@lru_cache(maxsize=64)  # agents run the same script again and again
def effects_of_script(script: str, well: bool = True) -> tuple[Effect, ...]:
    """What a script did if no error ended it, in order of its beginning; paths as they are spelled. `well` tells that
    it reported success. Empty where it can't be read, or no grammar is installed."""
    if len(script) > SCRIPT_LIMIT or "\0" in script or not any(word in script for word in WRITING):
        return ()
    source = script.replace("\r\n", "\n").replace("\r", "\n").encode("utf-8", "surrogatepass")
    parser = _parser()
    tree = parse_bounded(parser, source) if parser is not None else None
    if tree is None or tree.root_node.has_error:
        return ()
    walk = _Walk(source, well)
    try:
        walk.look_ahead(tree.root_node)
        walk.run(tree.root_node)
    except _Ended:
        pass
    except (_Unreadable, ValueError, IndexError):  # too deep, or a tree of another shape than expected
        return ()
    return tuple(walk.doing.effects())


@cache
def _parser() -> tree_sitter.Parser | None:
    grammar = load_grammar("python")
    if grammar is None:
        return None
    import tree_sitter

    return tree_sitter.Parser(grammar)


class _Ended(Exception):
    """The script certainly ends here."""


class _Unreadable(Exception):
    """The script nests deeper than NESTING_LIMIT."""


class _Walk:
    """One script, being walked. As in `ast.NodeVisitor`, `visit_TYPE` walks a node of that type; nodes of all other
    types are walked part by part."""

    def __init__(self, source: bytes, well: bool) -> None:
        self.source = source
        self.well = well
        self.doing = Doing()
        self.names: dict[str, Known] = {}
        self.bound: dict[str, Known | None] = {}
        """Name bound in the current block → its value before; None where it had none."""
        self.depth = 0
        self.in_function = False
        self.doubtful = False
        """Whether the script may have ended before."""
        self.counts: dict[str, int] = {}
        """How often a name occurs."""
        self.deferred: set[str] = set()
        """Names in code that may run at any time."""
        self.shared: set[str] = set()
        """Names that functions rebind."""

    def look_ahead(self, root: tree_sitter.Node) -> None:
        """Count the names, and find those that functions use and rebind."""
        ends = 0
        for node in _descend(root):
            if node.type in DEFERRED:
                ends = max(ends, node.end_byte)
            elif node.type == "identifier":
                name = self._said(node)
                self.counts[name] = self.counts.get(name, 0) + 1
                if node.start_byte < ends:
                    self.deferred.add(name)
            elif node.type in ("global_statement", "nonlocal_statement"):
                self.shared.update(self._names_in(node))

    def run(self, node: tree_sitter.Node) -> None:
        """Walk the statements of a block."""
        for each in _named(node):
            self._value(each)

    def _value(self, node: tree_sitter.Node) -> Known:
        """Note what a statement or expression does, and return its value."""
        if self.depth > NESTING_LIMIT:
            raise _Unreadable
        self.depth += 1
        visit: Callable[[tree_sitter.Node], Known] = getattr(self, f"visit_{node.type}", self._unknown)
        value = visit(node)
        self.depth -= 1
        return value

    def _unknown(self, node: tree_sitter.Node) -> Known:
        """Evaluate the parts of a node whose value is unknown, and which may change any file it is given."""
        for each in _named(node):
            _touch(self._value(each))
        return NOTHING

    def _perhaps(self, node: tree_sitter.Node) -> Known:
        """Evaluate a node whose parts may not run, or more than once."""
        return self._doubt(_named(node))

    def _doubt(self, nodes: Sequence[tree_sitter.Node]) -> Known:
        """Evaluate nodes that may not run, or more than once."""
        surely, self.doing.surely = self.doing.surely, False
        for each in nodes:
            _touch(self._value(each))
        self.doing.surely = surely and not self.doubtful
        return NOTHING

    visit_elif_clause = visit_except_clause = visit_case_clause = _perhaps
    visit_while_statement = visit_conditional_expression = _perhaps

    # -- statements -----------------------------------------------------------------------------------------------

    def visit_assignment(self, node: tree_sitter.Node) -> Known:
        targets: list[tree_sitter.Node] = []
        right: tree_sitter.Node | None = node
        while right is not None and right.type == "assignment":
            targets.append(right.children[0])
            right = right.child_by_field_name("right")
        if right is not None:  # else `name: type`
            value = self._value(right)
            for target in targets:
                self._bind(target, value)
        return NOTHING

    def visit_augmented_assignment(self, node: tree_sitter.Node) -> Known:
        """`a += b`, `(a := b)`: what `a` is then isn't followed."""
        target, value = _named(node)
        _touch(self._value(value))
        self._forget(target)
        return NOTHING

    visit_named_expression = visit_augmented_assignment

    def _forget(self, node: tree_sitter.Node) -> Known:
        """Take all names in a target for unknown."""
        for name in self._names_in(node):
            self._bind_name(name, NOTHING)
        return NOTHING

    visit_delete_statement = visit_global_statement = visit_nonlocal_statement = visit_case_pattern = _forget

    def visit_import_statement(self, node: tree_sitter.Node) -> Known:
        """Forget what the names meant; one that is known as another module's function isn't that any more."""
        module = self._field(node, "module_name")
        for name in self._names_in(node):
            self.names.pop(name, None)
            if CALLS.get(name) is not CALLS.get(f"{module}.{name}"):
                self._bind_name(name, NOTHING)
        return NOTHING

    visit_import_from_statement = visit_import_statement

    def visit_raise_statement(self, node: tree_sitter.Node) -> Known:
        self._unknown(node)
        if self.doing.surely or self._said(node).split() == ["raise", "SystemExit"]:
            self._end(failing=False)
        return NOTHING

    def visit_function_definition(self, node: tree_sitter.Node) -> Known:
        """Walk a function or class. A function at the top that nothing else names never runs."""
        is_function = node.type == "function_definition"
        name, parameters = self._field(node, "name"), node.child_by_field_name("parameters")
        unused = self.counts[name] < 2 and self.depth == 1 and not name.startswith(("test", "__"))
        dead, in_function = self.doing.dead, self.in_function
        self._bind_name(name, NOTHING)
        self.doing.dead, self.in_function = dead or (is_function and unused), in_function or is_function
        own = (
            [name for each in _named(parameters) for name in self._names_in(each)[:1]] if parameters is not None else []
        )
        self._branch(node.child_by_field_name("body") or node, own, is_local=True)
        self.doing.dead, self.in_function = dead, in_function
        return NOTHING

    visit_class_definition = visit_function_definition

    def visit_with_statement(self, node: tree_sitter.Node) -> Known:
        items, *_, body = _named(node)
        self.run(items)
        if any(name in SWALLOWING for name in self._names_in(items)):
            self._branch(body)
        else:
            self.run(body)
        return NOTHING

    def visit_as_pattern(self, node: tree_sitter.Node) -> Known:
        """`value as target`, of `with` and `except`."""
        value, target = _named(node)
        self._bind(_named(target)[0], self._value(value))
        return NOTHING

    def visit_if_statement(self, node: tree_sitter.Node) -> Known:
        """Walk an `if`. The block of `if __name__ == "__main__"` surely runs."""
        condition, body, *rest = _named(node)
        self._value(condition)
        if "".join(self._said(condition).split()).replace("'", '"') == '__name__=="__main__"':
            self.run(body)
        else:
            self._branch(body)
        for each in rest:
            self._value(each)
        return NOTHING

    def visit_for_statement(self, node: tree_sitter.Node) -> Known:
        target, through, *blocks = _named(node)
        _touch(self._value(through))
        self._forget(target)
        for each in blocks:
            self._value(each)
        return NOTHING

    def _branch(self, body: tree_sitter.Node, own: Sequence[str] = (), is_local: bool = False) -> Known:
        """Walk a block that may not run, or more than once. Behind it, the names bound in it are unknown; those of a
        function or class are its own."""
        outer, self.bound = self.bound, {}
        for name in own:
            self._bind_name(name, NOTHING)
        self._perhaps(body)
        bound, self.bound = self.bound, outer
        for name, before in bound.items():
            if is_local and before is None:
                self.names.pop(name, None)
            elif is_local and before is not None:
                self.names[name] = before
            else:
                self.bound.setdefault(name, before)
                self.names[name] = NOTHING
        return NOTHING

    visit_block = _branch

    # -- names ----------------------------------------------------------------------------------------------------

    def _bind(self, target: tree_sitter.Node, value: Known) -> None:
        if target.type == "identifier":
            self._bind_name(self._said(target), value)
        else:
            _touch(value)
            self._forget(target)

    def _bind_name(self, name: str, value: Known) -> None:
        if name in self.deferred:
            _touch(value)
        self.bound.setdefault(name, self.names.get(name))
        self.names[name] = value if name not in self.shared else NOTHING

    def _names_in(self, node: tree_sitter.Node) -> list[str]:
        return [self._said(each) for each in _descend(node) if each.type == "identifier"]

    def _field(self, node: tree_sitter.Node, field: str) -> str:
        found = node.child_by_field_name(field)
        return self._said(found) if found is not None else ""

    def _said(self, node: tree_sitter.Node) -> str:
        return self.source[node.start_byte : node.end_byte].decode("utf-8", "surrogatepass")

    # -- expressions ----------------------------------------------------------------------------------------------

    def visit_identifier(self, node: tree_sitter.Node) -> Known:
        return self.names.get(self._said(node), NOTHING)

    def visit_integer(self, node: tree_sitter.Node) -> Known:
        return Known(number=self._said(node))

    visit_float = visit_integer

    def visit_string(self, node: tree_sitter.Node) -> Known:
        """The value of a string; unknown for bytes, and where something is filled in or a character is half."""
        begin, *parts, end = _named(node)
        prefix = self._said(begin).lower()
        for part in parts:
            self._unknown(part)
        if set(prefix) & set("bt") or any(part.type == "interpolation" for part in parts):
            return NOTHING
        text = self.source[begin.end_byte : end.start_byte].decode("utf-8", "surrogatepass")
        text = text.replace("{{", "{").replace("}}", "}") if "f" in prefix else text
        return Known(text=text if "r" in prefix else _unescape(text))

    def visit_concatenated_string(self, node: tree_sitter.Node) -> Known:
        texts = [self._value(each).text for each in _named(node)]
        return NOTHING if None in texts else Known(text="".join(text or "" for text in texts))

    def visit_parenthesized_expression(self, node: tree_sitter.Node) -> Known:
        return self._value(_named(node)[0])

    visit_with_item = visit_parenthesized_expression

    def visit_lambda(self, _: tree_sitter.Node) -> Known:
        """It runs at another time, or never: its names are `deferred`."""
        return NOTHING

    def visit_binary_operator(self, node: tree_sitter.Node) -> Known:
        """Evaluate `a + b + c`: texts are joined, and `/` joins paths."""
        operands: list[tree_sitter.Node] = []
        signs: set[str] = set()
        while node.type == "binary_operator":
            operands.append(_named(node)[1])
            signs.add(self._field(node, "operator"))
            node = _named(node)[0]
        values = [self._value(each) for each in (node, *reversed(operands))]
        for value in values:
            _touch(value)
        texts = [value.text for value in values]
        if signs == {"+"} and None not in texts:
            return self.doing.text("".join(text or "" for text in texts))
        if signs == {"/"} and values[0].path is not None and values[0].replaced is None:
            return Known(path=join_path([values[0].path, *texts[1:]]))
        return NOTHING

    def visit_boolean_operator(self, node: tree_sitter.Node) -> Known:
        """What stands behind `and` and `or` may not run."""
        left, right = _named(node)
        _touch(self._value(left))
        return self._doubt([right])

    def visit_list_comprehension(self, node: tree_sitter.Node) -> Known:
        """Evaluate what runs an unknown number of times, with names of its own."""
        clauses = [each for each in _named(node) if each.type == "for_in_clause"]
        own = [name for each in clauses for name in self._names_in(_named(each)[0])]
        hidden = {name: self.names[name] for name in own if name in self.names}
        self.names |= dict.fromkeys(own, NOTHING)
        self._perhaps(node)
        self.names = {name: value for name, value in self.names.items() if name not in own} | hidden
        return NOTHING

    visit_set_comprehension = visit_dictionary_comprehension = visit_generator_expression = visit_list_comprehension

    def visit_attribute(self, node: tree_sitter.Node) -> Known:
        _touch(self._value(_named(node)[0]))
        return NOTHING

    def visit_call(self, node: tree_sitter.Node) -> Known:
        """Note what a call does, by the whole name of the function or by the object and name of the method."""
        function, arguments = _named(node)
        is_method = function.type == "attribute"
        name = "".join(self._said(function).split())
        last = self._field(function, "attribute") if is_method else name
        of = self._value(_named(function)[0] if is_method else function)
        given, named = list[Known](), dict[str, Known]()
        parts = _named(arguments) if arguments.type == "argument_list" else [arguments]
        for part in parts:
            if part.type == "keyword_argument":
                named[self._field(part, "name")] = self._value(_named(part)[1])
            else:
                given.append(self._value(part))
        for each in (*given, *named.values()):  # the function may read or write a file it is given
            _touch(each)
        if last in ("chdir", "fchdir"):
            self._stray()
        if name in EXITS:
            failing = len(parts) == 1 and parts[0].type in ("string", "integer") and self._said(parts[0]) != "0"
            self._end(failing)
        if name in CALLS and name.partition(".")[0] not in self.names:
            return CALLS[name](self.doing, Call(given, named))
        if is_method and (way := method_of(of, last)) is not None:
            return way(self.doing, Call((of, *given), named))
        if last not in HARMLESS:
            _touch(of)
        return NOTHING

    # -- where the script goes ------------------------------------------------------------------------------------

    def _end(self, failing: bool) -> None:
        """End the script, if it comes here. A script that succeeded didn't end by failing."""
        if self.doing.dead:
            return
        if self.doing.surely:
            raise _Ended
        self.doubtful = self.doubtful or not failing or not self.well

    def _stray(self) -> None:
        """Change the folder from here on; a function may be called, and do so, before anything else."""
        self.doing.lost = True
        if self.in_function:
            self.doing.done = [each for each in self.doing.done if each.path.startswith("/")]


# -- helpers ----------------------------------------------------------------------------------------------------------

_ESCAPE = re.compile(r"""\\(?:\n|[0-7]{1,3}|x[0-9a-fA-F]{2}|u[0-9a-fA-F]{4}|[\\'"abfnrtv])""")
_HALF = re.compile("[\ud800-\udfff]")


def _unescape(text: str) -> str | None:
    """Resolve backslashes; None where a character is given by its name or long number, or is half of one."""
    if "\\N" in text or "\\U" in text:
        return None
    found = _ESCAPE.sub(lambda match: match[0].encode().decode("unicode_escape"), text)
    return None if _HALF.search(found) else found


def _touch(value: Known) -> None:
    if value.file is not None:
        value.file.touched = True


def _named(node: tree_sitter.Node) -> Sequence[tree_sitter.Node]:
    """The children of a node without signs, keywords, comments and escaped line ends."""
    return [each for each in node.named_children if not each.is_extra]


def _descend(node: tree_sitter.Node) -> Iterator[tree_sitter.Node]:
    """A node and all below it, in order; without recursion, for a tree may be deep."""
    pending = [node]
    while pending:
        last = pending.pop()
        yield last
        pending += reversed(last.children)
