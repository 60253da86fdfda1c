"""Sources that are seen, changed, renamed or gone: their versions, their place in the graph, and whose heat it is.

A look at the tree leaves no heat; reading and editing do, on the file and on the symbols whose lines were shown or
changed.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

from ccos_core.state.failures import respelled
from ccos_core.state.heat import add
from ccos_core.state.holding import mark_of
from ccos_core.state.host import Context
from ccos_core.state.page import NOWHERE, Page, page_of
from ccos_core.state.world import Version, World
from ccos_core.text.syntax.resolution import is_config
from ccos_core.values import sheet as sheets
from ccos_core.values.code import Outline
from ccos_core.values.ids import escape, file_node
from ccos_core.values.nesting import Nesting
from ccos_core.values.sheet import BLANK, Sheet

if TYPE_CHECKING:
    from ccos_core.ops.plain import Plain
    from ccos_core.state.fold import Facts

Spans = Sequence[tuple[int, int]]
"""First and last lines."""
Shown = Sequence[tuple[int, int, bool]]
"""First line, last line, whether an edit shows them."""
GONE = "gone"
"""Why nothing is known of a file that isn't there."""
UNCERTAIN = "uncertain"
"""Why a file is known by guess alone: something may have changed it, and nobody has seen it since."""
MIXED = "mixed"
"""Why a sighting has no content that showed all of a file: it was shown among others."""
END = 2**62
"""A last line beyond any file's."""

CAUSE_OF = {"read": "read", "edit": "edit", "write": "edit"}
"""How a source was seen → what heat that gives. An ingest gives none."""


def seen(world: World, op: Plain, facts: Facts) -> None:
    """Somebody read, wrote or looked at a source."""
    path, how, known = op["path"], op["how"], world.version(op["path"])
    says_all = "slice" not in op or "took" in op
    before = page_now(world, path, facts) if how == "edit" and known is not None and says_all else None
    spans: Spans = ()
    shown: Shown = ()
    if op.get("withheld") == UNCERTAIN and path not in world.graph.files:
        return  # what nobody knows can't become uncertain
    if "content" not in op:
        shown = _seen_withheld(world, op, facts)
    elif "slice" in op:
        spans, shown = _seen_in_part(world, op, facts)
    else:
        spans, shown = _seen_whole(world, op, facts)
    if (cause := CAUSE_OF.get(how)) is not None:
        _warm(world, path, spans, cause)
    if cause is not None or path in world.hosts.readers:
        _tell(world, op, facts, before, shown, world.version(path) is not known)


def gone(world: World, op: Plain, _: Facts) -> None:
    """A source isn't there any more. It keeps its heat until that is cold, in case it comes back."""
    _leave(world, op["path"])
    world.hosts.changed(op["path"], NOWHERE)


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
    spelled = _spelling(path, to)
    _rename_nodes(world, path, to, spelled)
    if path in world.hosts.readers or to in world.hosts.readers:
        world.hosts.renamed(path, to, _page(world, to, facts), spelled)


def context_of(op: Plain) -> Context:
    """The context of a conversation an op belongs to."""
    return op.get("host", ""), op.get("session", ""), op.get("context", "")


def deliver(world: World, op: Plain, path: str, page: Page, shown: Shown) -> None:
    """An op showed its context some lines of a file, which is this page now."""
    step = world.step
    slices = [
        (first, page.last_line(last), mark_of(step, by_edit))
        for first, last, by_edit in shown
        if 1 <= first <= min(last, page.size)
    ]
    world.hosts.delivered(context_of(op), path, page, slices, step)


def page_now(world: World, path: str, facts: Facts) -> Page:
    """A file as it is now."""
    return world.hosts.pages.get(path) or _page(world, path, facts)


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


def _seen_withheld(world: World, op: Plain, facts: Facts) -> Shown:
    path = op["path"]
    why = str(op.get("withheld", ""))
    if why == UNCERTAIN:
        _doubt(world, path, facts)
        return ()
    if why == MIXED and path in world.graph.files:
        return ((1, END, False),)
    world.sheets.pop(path, None)
    if why == GONE:  # said by somebody, and it is there all the same
        why = "withheld"
    _take(world, path, Version(world.step, "", why=why), Outline(), facts)
    return () if "slice" in op or op["how"] == "edit" else ((1, END, op["how"] == "write"),)


def _doubt(world: World, path: str, facts: Facts) -> None:
    """A file may not be what it was: each line that is known of it is a guess from now on."""
    sheet = _sheet(world, path, facts)
    if sheet is None:
        return
    after = world.sheets[path] = sheets.doubted(sheet)
    outline = facts.outline_of_text(after.text, path) or Outline()  # by the epoch of this step, as a baseline has it
    _take(world, path, Version(world.step, after.name, after.runs, UNCERTAIN), outline, facts)


def _seen_whole(world: World, op: Plain, facts: Facts) -> tuple[Spans, Shown]:
    """All of it was given; gives the spans of it that are new, where that matters, and what was shown."""
    path, how, content = op["path"], op["how"], op["content"]["blob"]
    before = _sheet(world, path, facts) if how in ("edit", "write") else None
    world.sheets.pop(path, None)
    version, spans = Version(world.step, content), []
    if before is not None and (text := facts.text(content)) is not None:
        after = sheets.edited(before, text) if how == "edit" else sheets.written(text)
        version, spans = Version(world.step, content, after.runs), sheets.changed_lines(before, after)
    _take(world, path, version, facts.outline(content, path) or Outline(), facts)
    return spans, () if how == "edit" else ((1, END, how == "write"),)


def _seen_in_part(world: World, op: Plain, facts: Facts) -> tuple[Spans, Shown]:
    path, (first, last) = op["path"], op["slice"]
    text = facts.text(op["content"]["blob"])
    if text is None:
        if path not in world.graph.files:
            _take(world, path, Version(world.step, "", why="erased"), Outline())
        return (), ()
    spans = [(first, max(first, min(last, first + text.count("\n"))))]
    ends = first + text.removesuffix("\n").count("\n")
    reading = op["how"] in ("read", "ingest")
    page = world.hosts.pages.get(path) if reading else None
    if page is not None and not page.doubted and page.has(first, text.removesuffix("\n")):
        return spans, ((first, ends, False),)
    before = _sheet(world, path, facts) or BLANK
    if reading:
        after = sheets.read_in_part(before, first, text)
    else:
        after = sheets.edited_in_part(before, first, text, op.get("took"))
    known = world.version(path)
    doubtful = known is not None and known.why == UNCERTAIN
    if known is None or doubtful or after.lines != before.lines or path not in world.graph.files:
        world.sheets[path] = after
        why = UNCERTAIN if doubtful and any(run[2] == sheets.INFERRED for run in after.runs) else ""
        outline = facts.outline_of_text(after.text, path) or Outline()
        _take(world, path, Version(world.step, after.name, after.runs, why), outline, facts)
    placed = after is not before
    return spans, [
        (max(first, begins), min(ends, until), kind == sheets.PATCHED)
        for begins, until, kind in after.runs
        if placed and begins <= ends and first <= until
    ]


def _tell(world: World, op: Plain, facts: Facts, before: Page | None, shown: Shown, is_new: bool) -> None:
    """Whoever holds anything of a file, or does now, hears what it has become."""
    path, hosts = op["path"], world.hosts
    page = _page(world, path, facts) if is_new else page_now(world, path, facts)
    if op["how"] == "edit" and not op.get("inferred"):
        hosts.accepted(context_of(op), path)
    if is_new and before is not None:
        hosts.edited(context_of(op), path, before, page, world.step)
    elif is_new:
        hosts.changed(path, page)
    if op["how"] in CAUSE_OF:
        deliver(world, op, path, page, shown)
        if (call := op.get("call")) is not None:
            hosts.shown(context_of(op), call, world.step)


def _page(world: World, path: str, facts: Facts) -> Page:
    nesting, version = world.graph.files.get(path), world.version(path)
    if nesting is None or version is None:
        return NOWHERE
    known = world.hosts.pages.get(path)
    text = known.text if known is not None and known.name == version.content else text_of(world, path, facts)
    sheet = world.sheets.get(path)
    guessed = tuple((run[0], run[1]) for run in version.runs if run[2] == sheets.INFERRED)
    page = page_of(nesting, version.content, text, sheet is not None, sheet is None or sheet.ended)
    return replace(page, doubted=guessed) if version.why == UNCERTAIN else page


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
    world.become(path, version)
    since = world.looking or world.step
    world.graph.put(Nesting(path, outline), since)
    world.put_file(path)
    world.leave(path)
    if facts is not None and any(is_config(path, each) for each in world.graph.resolvers.values()):
        world.graph.configure(path, text_of(world, path, facts), since)


def _same(before: Version | None, now: Version) -> bool:
    return before is not None and replace(before, step=now.step) == now


def _leave(world: World, path: str) -> None:
    if path not in world.graph.files:
        return
    since = world.looking or world.step
    world.become(path, Version(world.step, "", why=GONE))
    world.sheets.pop(path, None)
    world.graph.drop(path, since)
    world.drop_file(path)
    world.leave(path)
    world.graph.configure(path, None, since)


def _warm(world: World, path: str, spans: Sequence[tuple[int, int]], cause: str) -> None:
    world.touch(file_node(path), cause)
    nesting = world.graph.files[path]
    for symbol in nesting.touched(spans)[: world.rules.caps["symbols"]]:
        world.touch(nesting.node(symbol), cause)


def _spelling(path: str, to: str) -> Callable[[str], str]:
    """What a node is called when a file has another path."""
    old_file, new_file = file_node(path), file_node(to)
    old_symbols, new_symbols = f"sym:{escape(path)}#", f"sym:{escape(to)}#"

    def spelled(node: str) -> str:
        if node == old_file:
            return new_file
        return new_symbols + node.removeprefix(old_symbols) if node.startswith(old_symbols) else node

    return spelled


def _rename_nodes(world: World, path: str, to: str, spelled: Callable[[str], str]) -> None:
    warm = world.warm_in.pop(path, {})
    for node in (*warm, *world.pinned, *world.away):
        if (name := spelled(node)) != node:
            world.moved.update({node: None, name: None})
    for node in warm:  # where it takes the place of another file, both were meant by that name
        name, heats = spelled(node), world.heats.pop(node)
        others = world.heats.get(name, (0,) * len(heats))
        world.heat(name, [add(*each) for each in zip(others, heats, strict=True)])
    world.pinned = respelled(world.pinned, spelled, max)
    world.away = respelled(world.away, spelled, max)
    world.failures.rename(path, to, spelled)
