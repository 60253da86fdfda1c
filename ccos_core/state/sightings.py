"""Sources that are seen, changed, renamed or gone: their versions, their place in the graph, and whose heat it is.

A look at the tree leaves no heat; reading and editing do, on the file and on the symbols whose lines were shown or
changed.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

from ccos_core.state import sheet as sheets
from ccos_core.state.failures import respelled
from ccos_core.state.heat import add
from ccos_core.state.sheet import BLANK, Sheet
from ccos_core.state.world import Stream, Version, World
from ccos_core.text.syntax.resolution import is_config
from ccos_core.values.code import Outline
from ccos_core.values.ids import escape, file_node
from ccos_core.values.nesting import Nesting

if TYPE_CHECKING:
    from ccos_core.ops.plain import Plain
    from ccos_core.state.fold import Facts

CAUSE_OF = {"read": "read", "edit": "edit", "write": "edit"}
"""How a source was seen → what heat that gives. An ingest gives none."""


def seen(world: World, op: Plain, facts: Facts) -> None:
    """Somebody read, wrote or looked at a source."""
    path, how, content, part = op["path"], op["how"], op.get("content"), op.get("slice")
    if content is None:
        world.sheets.pop(path, None)
        _take(world, path, Version(world.step, "", why=str(op.get("withheld", ""))), Outline(), facts)
        spans: Sequence[tuple[int, int]] = ()
    elif part is not None:
        spans = _seen_in_part(world, op, facts)
    else:
        spans = _seen_whole(world, op, facts)
    if (cause := CAUSE_OF.get(how)) is not None:
        _warm(world, path, spans, cause)
        first, last = part if part is not None else (0, 0)
        shown = content["blob"] if content is not None else ""
        stream_of(world, op).deliveries.append((world.step, path, first, last, shown))


def gone(world: World, op: Plain, _: Facts) -> None:
    """A source isn't there any more. It keeps its heat, in case it comes back."""
    _leave(world, op["path"])


def renamed(world: World, op: Plain, facts: Facts) -> None:
    """A source has another path: it is the same source, with the same heat."""
    path, to = op["path"], op["to"]
    before, sheet, nesting = world.version(path), world.sheets.get(path), world.graph.files.get(path)
    if before is None or nesting is None or path == to:
        return
    _leave(world, path)
    world.sheets.pop(to, None)  # of the file whose place it takes
    if sheet is not None:
        world.sheets[to] = sheet
    alike = world.graph.family_of(path) == world.graph.family_of(to)
    outline = _outline(world, before.content, to, facts) or (nesting.outline if alike else Outline())
    _take(world, to, Version(world.step, before.content, before.runs, before.why), outline, facts)
    _rename_nodes(world, path, to)


def stream_of(world: World, op: Plain) -> Stream:
    """The stream an op belongs to."""
    return world.stream((op.get("host", ""), op.get("session", ""), op.get("context", "")))


def text_of(world: World, path: str, facts: Facts) -> str | None:
    """The text of a file as it is now, as far as it is known."""
    if (sheet := world.sheets.get(path)) is not None:
        return sheet.text
    version = world.version(path)
    return facts.text(version.content) if version is not None and version.content else None


def unknown_lines(world: World, path: str) -> tuple[tuple[int, int], ...]:
    """The runs of lines of a file that nobody has seen."""
    version = world.version(path)
    runs = version.runs if version is not None else ()
    return tuple((first, last) for first, last, kind in runs if kind == sheets.UNKNOWN)


def _seen_whole(world: World, op: Plain, facts: Facts) -> Sequence[tuple[int, int]]:
    """All of it was given; gives the spans of it that are new, where that matters."""
    path, content = op["path"], op["content"]["blob"]
    before = _sheet(world, path, facts) if op["how"] in ("edit", "write") else None
    world.sheets.pop(path, None)
    version, spans = Version(world.step, content), []
    if before is not None and (text := facts.text(content)) is not None:
        after = sheets.edited(before, text) if op["how"] == "edit" else sheets.written(text)
        version, spans = Version(world.step, content, after.runs), sheets.changed_lines(before, after)
    _take(world, path, version, facts.outline(content, path) or Outline(), facts)
    return spans


def _seen_in_part(world: World, op: Plain, facts: Facts) -> Sequence[tuple[int, int]]:
    path, (first, last) = op["path"], op["slice"]
    text = facts.text(op["content"]["blob"])
    if text is None:
        if path not in world.graph.files:
            _take(world, path, Version(world.step, "", why="erased"), Outline())
        return ()
    before = _sheet(world, path, facts) or BLANK
    put = sheets.read_in_part if op["how"] in ("read", "ingest") else sheets.edited_in_part
    after = put(before, first, text)
    if after.lines == before.lines and path in world.graph.files:
        outline = world.graph.files[path].outline
    else:
        outline = facts.outline_of_text(after.text, path) or Outline()
    known = world.version(path)
    if known is None or after.lines != before.lines or path not in world.graph.files:
        world.sheets[path] = after
        _take(world, path, Version(world.step, after.name, after.runs), outline, facts)
    return [(first, max(first, min(last, first + text.count("\n"))))]


def _sheet(world: World, path: str, facts: Facts) -> Sheet | None:
    """What is known of a file's text now."""
    if (sheet := world.sheets.get(path)) is not None:
        return sheet
    text = text_of(world, path, facts)
    return sheets.shown(text) if text is not None else None


def _outline(world: World, content: str, path: str, facts: Facts) -> Outline | None:
    sheet = world.sheets.get(path)
    if sheet is not None:
        return facts.outline_of_text(sheet.text, path)
    return facts.outline(content, path) if content else None


def _take(world: World, path: str, version: Version, outline: Outline, facts: Facts | None = None) -> None:
    """A file is this now. Seeing it as it was makes no new version, unless a new epoch's interpreters read it anew."""
    nesting = world.graph.files.get(path)
    if nesting is not None and nesting.outline == outline and _same(world.version(path), version):
        return
    world.versions.setdefault(path, []).append(version)
    world.reread[path] = None
    since = world.looking or world.step
    world.graph.put(Nesting(path, outline), since)
    world.files.put(path)
    if facts is not None and any(is_config(path, each) for each in world.graph.resolvers.values()):
        world.graph.configure(path, text_of(world, path, facts), since)


def _same(before: Version | None, now: Version) -> bool:
    return before is not None and replace(before, step=now.step) == now


def _leave(world: World, path: str) -> None:
    if path not in world.graph.files:
        return
    since = world.looking or world.step
    world.versions[path].append(Version(world.step, "", why="gone"))
    world.reread[path] = None
    world.sheets.pop(path, None)
    world.graph.drop(path, since)
    world.files.drop(path)
    world.graph.configure(path, None, since)


def _warm(world: World, path: str, spans: Sequence[tuple[int, int]], cause: str) -> None:
    world.touch(file_node(path), cause)
    nesting = world.graph.files[path]
    for symbol in nesting.touched(spans)[: world.rules.caps["symbols"]]:
        world.touch(nesting.node(symbol), cause)


def _rename_nodes(world: World, path: str, to: str) -> None:
    old_file, new_file = file_node(path), file_node(to)
    old_symbols, new_symbols = f"sym:{escape(path)}#", f"sym:{escape(to)}#"

    def spelled(node: str) -> str:
        if node == old_file:
            return new_file
        return new_symbols + node.removeprefix(old_symbols) if node.startswith(old_symbols) else node

    # Where it takes the place of another file, both were meant by that name.
    for node in (*world.heats, *world.pinned, *world.away):
        if (name := spelled(node)) != node:
            world.moved.update({node: None, name: None})
    world.heats = respelled(
        world.heats, spelled, lambda one, other: [add(*each) for each in zip(one, other, strict=True)]
    )
    world.pinned = respelled(world.pinned, spelled, max)
    world.away = respelled(world.away, spelled, max)
    world.failures.rename(path, to, spelled)
