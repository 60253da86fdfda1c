"""The graph between files in Graphviz's language, for `dot -Tsvg` and its friends.

Files are boxes in the folders they lie in, an arrow leads to what a file depends on, and what holds a circle of imports
together is red. A name is whatever a file system allows: ids are therefore numbers, and a name only stands in quotes,
where a quote, a backslash and an ampersand are the characters that would mean something else.
"""

from __future__ import annotations

from collections.abc import Iterator

from ccos_core.query.structure.cycles import Cycles
from ccos_core.query.structure.graph import Files
from ccos_core.query.structure.names import legible

HEAD = """\
digraph code {
  graph [rankdir=LR, fontname="sans-serif"];
  node [shape=box, fontname="sans-serif", fontsize=10];
  edge [color=gray40];"""


def dot(files: Files, cycles: Cycles) -> str:
    """The whole drawing, as text."""
    return "\n".join([HEAD, *_boxes(files), *_arrows(files, cycles), "}"]) + "\n"


def _boxes(files: Files) -> Iterator[str]:
    folders: dict[str, list[int]] = {}
    for node, path in enumerate(files.paths):
        folders.setdefault(path.rpartition("/")[0], []).append(node)
    for number, (folder, nodes) in enumerate(sorted(folders.items())):
        boxes = [_box(node, files.paths[node]) for node in nodes]
        if folder:
            yield f"  subgraph cluster_{number} {{"
            yield f"    label={_quoted(folder)};"
            yield from (f"    {box}" for box in boxes)
            yield "  }"
        else:
            yield from (f"  {box}" for box in boxes)


def _arrows(files: Files, cycles: Cycles) -> Iterator[str]:
    knot = {path: number for number, cycle in enumerate(cycles.loading) for path in cycle.files}
    for start, end in files.graph.edges():
        uses = files.uses[start, end]
        told = [f'tooltip="{uses} {"use" if uses == 1 else "uses"}"']
        if knot.get(files.paths[start], -1) == knot.get(files.paths[end], -2):
            told.append("color=red")
        yield f"  n{start} -> n{end} [{', '.join(told)}];"


def _box(node: int, path: str) -> str:
    return f"n{node} [label={_quoted(path.rpartition('/')[2])}, tooltip={_quoted(path)}];"


def _quoted(text: str) -> str:
    """A text as a quoted string that shows exactly it."""
    safe = legible(text).replace("&", "&amp;").replace("\\", "\\\\").replace('"', '\\"')
    return f'"{safe}"'
