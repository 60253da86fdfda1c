"""Understanding a large tree: django, against a bare parse of the same files with a query for definitions and uses.

The bare side reads and parses every Python file in one process and asks one query; it keeps nothing, resolves nothing.
Ours ends with every symbol, import and reference at hand; the second time it has the outlines that the first one kept.
A warm `around` is measured on the index that is left.
"""

import os
import tempfile
from collections.abc import Iterator
from pathlib import Path
from statistics import median
from unittest.mock import patch

from ccos_core.session.index import Index
from ccos_core.storage import outline_cache
from ccos_core.window.around import around
from tests.bench.corpora import corpus
from tests.bench.harness import Result, paired, timed

COLD, AGAIN, WARM_MILLIS = 1.6, 0.5, 30.0
QUERY = """
(function_definition name: (identifier) @definition)
(class_definition name: (identifier) @definition)
(call function: [(identifier) @use (attribute attribute: (identifier) @use)])
(import_statement) @use
(import_from_statement) @use
"""


def lines(smoke: bool) -> Iterator[Result]:
    if smoke:
        with tempfile.TemporaryDirectory() as held:
            for number in range(5):
                Path(held, f"m{number}.py").write_text(
                    f"import m{(number + 1) % 5}\n\n\ndef f():\n    return m{number}\n"
                )
            yield from _measured(Path(held), 1)
        return
    folder = corpus("django")
    if folder is None:
        print("indexing: SKIPPED, django's sources cannot be had here")
        return
    yield from _measured(folder, 3)


def _measured(folder: Path, runs: int) -> Iterator[Result]:
    files = sorted(folder.rglob("*.py"))
    with tempfile.TemporaryDirectory() as home, patch.dict(os.environ, XDG_CACHE_HOME=home):
        result = paired(lambda: _cold(folder), lambda: _bare(files), runs)
        yield result.result(f"index of {len(files):,} files", COLD)
        again = paired(lambda: Index(str(folder)), lambda: _bare(files), 1)
        yield again.result("... again, outlines kept", AGAIN)
        index = Index(str(folder))
    paths = sorted(index.outlines)[:: max(1, len(index.outlines) // 100)]
    for path in paths:
        around(path, index.source, index.links(path), 2_048)
    warm = median(timed(lambda path=path: around(path, index.source, index.links(path), 2_048)) for path in paths)
    yield Result("around, warm", warm * 1_000, "ms", WARM_MILLIS)


def _cold(folder: Path) -> None:
    outline_cache.drop()
    Index(str(folder))


def _bare(files: list[Path]) -> None:
    import tree_sitter
    from tree_sitter_language_pack import get_language

    language = get_language("python")
    parser, query = tree_sitter.Parser(language), tree_sitter.Query(language, QUERY)
    for file in files:
        tree_sitter.QueryCursor(query).captures(parser.parse(file.read_bytes()).root_node)
