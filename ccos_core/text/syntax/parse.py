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

from ccos_core.text.syntax.languages import Language
from ccos_core.values.code import Outline

if TYPE_CHECKING:
    import tree_sitter

LARGEST = 1_000_000
"""Bytes of a source that is worth an outline."""
PATIENCE = 2_000
"""Progress reports any parse may make, ..."""
BYTES_A_REPORT = 40
"""... and one more for each so many bytes. Valid sources make one for about two hundred."""
CHUNK = 2**16

Captures = dict[str, list["tree_sitter.Node"]]
Outliner = Callable[[bytes, "tree_sitter.Node", Captures], Outline]


def outline(language: Language, source: bytes) -> Outline:
    """What `source` says about itself."""
    if len(source) > LARGEST:
        return Outline(flaws=("large",))
    ready = machinery(language)
    if ready is None:
        return Outline(flaws=("no grammar",))
    parser, query, outliner = ready
    tree = _parsed(parser, source)
    if tree is None:
        return Outline(flaws=("hostile",))
    import tree_sitter

    root = tree.root_node
    found = outliner(source, root, tree_sitter.QueryCursor(query).captures(root))
    if root.has_error:
        return Outline(found.symbols, found.imports, found.references, ("syntax",))
    return found


@cache
def machinery(language: Language) -> tuple[tree_sitter.Parser, tree_sitter.Query, Outliner] | None:
    """Parser, compiled query and outliner of a language; None where its grammar isn't installed."""
    try:
        import tree_sitter
        import tree_sitter_language_pack as pack
    except ImportError:
        return None
    if hasattr(pack, "DownloadManager"):  # a later pack, which would fetch native code: not ours to run
        return None
    try:
        grammar = pack.get_language(language.grammar)  # type: ignore[arg-type]
    except LookupError:
        return None
    queries = resources.files(__package__).joinpath("queries")
    stems = (language.module, *language.further)
    words = "\n".join(queries.joinpath(f"{stem}.scm").read_text("utf-8") for stem in stems)
    outliner: Outliner = import_module(f"{__package__}.{language.module}").outline
    return tree_sitter.Parser(grammar), tree_sitter.Query(grammar, words), outliner


def _parsed(parser: tree_sitter.Parser, source: bytes) -> tree_sitter.Tree | None:
    left = PATIENCE + len(source) // BYTES_A_REPORT

    def progress(_offset: int, _has_error: bool) -> bool:
        nonlocal left
        left -= 1
        return left < 0

    try:
        return parser.parse(lambda at, _point: source[at : at + CHUNK], progress_callback=progress)
    except ValueError:
        parser.reset()
        return None
