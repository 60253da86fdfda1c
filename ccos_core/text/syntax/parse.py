"""From text to outline: grammar and query are loaded once, and the work is bounded by counts, never by time.

Time would make a fact depend on the machine. So a parse that asks its way forward too often for its size is given up,
the same way everywhere, and what it was about says so. Without a grammar at hand there is no outline, and that too is
said. Nothing is ever downloaded.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from importlib import import_module, resources
from typing import TYPE_CHECKING

from ccos_core.grammars import load_grammar, parse_or_refuse
from ccos_core.text.syntax.languages import Language
from ccos_core.values.code import Outline

if TYPE_CHECKING:
    import tree_sitter

LARGEST = 1_000_000
"""Bytes of a source that is worth an outline."""
UNNAMED_RUN = 5_000
"""Children without names in a row, brackets or keywords, that a tree with errors may have."""

Captures = dict[str, list["tree_sitter.Node"]]
Outliner = Callable[[bytes, "tree_sitter.Node", Captures], Outline]


def outline(language: Language, source: bytes) -> Outline:
    """What `source` says about itself."""
    if len(source) > LARGEST:
        return Outline(flaws=("large",))
    if not language.grammar:
        found: Outline = import_module(f"{__package__}.{language.module}").outline(source)
        return found
    ready = machinery(language)
    if ready is None:
        return Outline(flaws=("no grammar",))
    parser, query, outliner = ready
    tree = parse_or_refuse(parser, source)
    if isinstance(tree, str):
        return Outline(flaws=(tree,))
    import tree_sitter

    root = tree.root_node
    if root.has_error and _has_long_run(root):
        return Outline(flaws=("hostile",))
    found = outliner(source, root, tree_sitter.QueryCursor(query).captures(root))
    if root.has_error:
        return Outline(found.symbols, found.imports, found.references, ("syntax",))
    return found


def is_ready(language: Language) -> bool:
    """Whether sources of a language can be outlined here."""
    return not language.grammar or machinery(language) is not None


def _has_long_run(root: tree_sitter.Node) -> bool:
    """Whether a node has a long run of children without names, as errors leave them (`((((…`).

    A query looks from each of these for the next sibling with a name, so its time is the square of their number.
    """
    waiting = [root]
    while waiting:
        node = waiting.pop()
        if node.descendant_count <= UNNAMED_RUN:
            continue
        children = node.children
        waiting += children
        run = 0
        for child in children if len(children) - node.named_child_count > UNNAMED_RUN else ():
            run = 0 if child.is_named else run + 1
            if run > UNNAMED_RUN:
                return True
    return False


@cache
def machinery(language: Language) -> tuple[tree_sitter.Parser, tree_sitter.Query, Outliner] | None:
    """Parser, compiled query and outliner of a language with a grammar; None where that isn't installed."""
    grammar = load_grammar(language.grammar)
    if grammar is None:
        return None
    import tree_sitter

    queries = resources.files(__package__).joinpath("queries")
    stems = (language.module, *language.further)
    words = "\n".join(queries.joinpath(f"{stem}.scm").read_text("utf-8") for stem in stems)
    outliner: Outliner = import_module(f"{__package__}.{language.module}").outline
    return tree_sitter.Parser(grammar), tree_sitter.Query(grammar, words), outliner
