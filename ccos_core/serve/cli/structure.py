"""`analyze`, `top` and `regions`: the shape of a folder's code, without any workspace.

What they need is loaded when they run and not with this module, so that their help costs nothing.
"""

from __future__ import annotations

import shlex
from dataclasses import asdict
from typing import TYPE_CHECKING

import click

from ccos_core.errors import NotFound, Unavailable, Usage
from ccos_core.present.words import count
from ccos_core.serve import exits, structure_words, terminal
from ccos_core.serve.cli.common import give, json_option, require_folder, tell

if TYPE_CHECKING:
    from ccos_core.query.structure.cycles import Cycles
    from ccos_core.query.structure.graph import Codebase, Files
    from ccos_core.session.index import Index

folder_argument = click.argument("folder", metavar="DIR", type=click.Path(path_type=str))


@click.command("analyze")
@folder_argument
@click.option(
    "--cycles",
    "only_cycles",
    is_flag=True,
    help="Print only the import cycles, each with an example and the import to remove.",
)
@click.option(
    "--dot", "drawing", metavar="FILE", help="Write the file graph for Graphviz; - is stdout, and prints nothing else."
)
@click.option("--out", metavar="WS", help="Record the source files into a new workspace for the other commands.")
@json_option
def analyze_command(folder: str, only_cycles: bool, drawing: str | None, out: str | None, as_json: bool) -> int:
    """Summarize the structure of the code in DIR: size, entry points, hubs, layers, import cycles, and unknowns.

    In cycles, an import counts for the file that defines the imported name. Cycles closed only by imports inside
    functions or for types are listed separately. Files of a Go package don't import each other, so they form no
    cycles. The exit code ignores cycles.

    \b
        ccos-tui analyze . --dot - | dot -Tsvg > code.svg
        ccos-tui analyze . --out snapshot.ccos
    """
    from ccos_core.query.structure.cycles import cycles
    from ccos_core.query.structure.graph import files
    from ccos_core.query.structure.summary import summarise

    if drawing == "-" and as_json:
        raise Usage("can't print a graph and JSON to stdout at once", place="--dot -", hint="Give --dot a file.")
    index, code = _looked_at(folder)
    if out is not None:
        _record(folder, out)
    graph = files(code)
    if drawing is not None:
        _draw(drawing, graph, cycles(code, graph))
    if drawing == "-":
        return exits.DONE
    if only_cycles:
        found = cycles(code, graph)
        if as_json:
            give({"schema": "ccos.cycles/1", "dir": folder, **asdict(found)})
        else:
            terminal.show(structure_words.cycles(found))
        return exits.DONE
    summary = summarise(code)
    if as_json:
        give({"schema": "ccos.analysis/1", "dir": folder, **asdict(summary), **_around(index)})
    else:
        terminal.show(structure_words.summary(folder, summary, _not_read(index)))
    return exits.DONE


@click.command("top")
@folder_argument
@click.option(
    "--limit",
    type=click.IntRange(min=1),
    default=10,
    show_default=True,
    help="Number of files, and of symbols, to list.",
)
@click.option(
    "--by",
    type=click.Choice(["direct", "reach", "centrality"]),
    default="direct",
    show_default=True,
    help="Sort by direct users, by direct and indirect dependents, or by centrality.",
)
@click.option("--no-tests", is_flag=True, help="Leave out tests.")
@json_option
def top_command(folder: str, limit: int, by: str, no_tests: bool, as_json: bool) -> int:
    """List the files and symbols of DIR that most other code depends on.

    Centrality is PageRank: the share of time a reader who follows dependencies at random spends at a place.
    """
    from ccos_core.query.structure.roles import tests, without
    from ccos_core.query.structure.top import top

    _, code = _looked_at(folder)
    found = top(without(code, tests(code)) if no_tests else code, limit, by)
    if as_json:
        give({"schema": "ccos.top/1", "dir": folder, **asdict(found)})
    else:
        terminal.show(structure_words.top(found))
    return exits.DONE


@click.command("regions")
@folder_argument
@click.option("--limit", type=click.IntRange(min=1), default=12, show_default=True, help="Number of regions to list.")
@click.option("--activate", "node", metavar="NODE", help="Print the region of NODE, a file or symbol.")
@click.option(
    "--budget", type=click.IntRange(min=64), help="With --activate: size of the text in tokens.  [default: 2048]"
)
@json_option
def regions_command(folder: str, limit: int, node: str | None, budget: int | None, as_json: bool) -> int:
    """List the regions of the code in DIR: groups of files more connected with each other than with the rest.

    A region is named by its main folder and its most central file, and lists the regions it depends on.

    \b
        ccos-tui regions . --activate src/api.py --budget 4096
    """
    from ccos_core.query.structure.regions import regions

    if budget is not None and node is None:
        raise Usage("needs --activate to choose a region", place="--budget")
    index, code = _looked_at(folder)
    if node is not None:
        return _activate(folder, index, code, node, budget, as_json)
    found = regions(code)
    if as_json:
        give({"schema": "ccos.regions/1", "dir": folder, **asdict(found)})
    else:
        terminal.show(structure_words.regions(folder, found, limit))
    return exits.DONE


def _activate(folder: str, index: Index, code: Codebase, node: str, budget: int | None, as_json: bool) -> int:
    """Print the region that a node lies in, and its code as it fits the budget."""
    from ccos_core.query.structure.regions import activate
    from ccos_core.window.code import find
    from ccos_core.window.linearize import DEFAULT_BUDGET
    from ccos_core.window.region import region_window

    target = find(node, index)
    found = activate(code, target.path)
    if found is None:
        fact = "belongs to no region: it is a test, or isn't connected to other files"
        raise NotFound(fact, place=target.path, hint=f"See: ccos-tui window {shlex.quote(folder)} --around {node}")
    window = region_window(index, target, found.files, budget or DEFAULT_BUDGET)
    if as_json:
        give({"schema": "ccos.region/1", "dir": folder, **asdict(found), "window": asdict(window)})
        return exits.DONE
    terminal.show(window.text.removesuffix("\n"))
    tell(structure_words.activated(found, window))
    return exits.DONE


def _record(folder: str, out: str) -> None:
    """Make a workspace about a folder, with its sources recorded."""
    from ccos_core.session import lifecycle
    from ccos_core.session.ingest import ingest
    from ccos_core.session.session import open_session
    from ccos_core.session.settings import recording_allowed
    from ccos_core.storage.locate import SUFFIX

    recording_allowed()
    if not out.endswith(SUFFIX):
        raise Usage(f"a workspace's name ends in {SUFFIX}", place=out)
    lifecycle.init(out, root=folder)
    with open_session(out) as session:
        ingest(session, (folder,))
        step = session.recorded.head()[0]
    named = shlex.quote(out)
    tell(f"{count(step, 'step')} in {out}. Try: ccos-tui verify {named}, replay {named}, blame {named} NODE")


def _looked_at(folder: str) -> tuple[Index, Codebase]:
    """The code in a folder; raises where there is none."""
    from ccos_core.query.structure.graph import Codebase
    from ccos_core.session.index import Index

    require_folder(folder)
    index = Index(folder)
    if not index.outlines:
        from ccos_core.text.syntax.languages import LANGUAGES

        known = " ".join(suffix for language in LANGUAGES if language.is_code for suffix in language.suffixes)
        raise NotFound("contains no code that can be read", place=folder, hint=f"Languages: {known}")
    links = {path: index.links(path) for path in sorted(index.outlines)}
    return index, Codebase(index.outlines, links, lambda path: index.source(path).text)


def _draw(place: str, graph: Files, cycles: Cycles) -> None:
    from ccos_core.query.structure.dot import dot

    data = dot(graph, cycles).encode("utf-8", "backslashreplace")
    if place == "-":
        terminal.show_bytes(data.removesuffix(b"\n"))
        return
    try:
        with open(place, "wb") as file:
            file.write(data)
    except OSError as error:
        raise Unavailable(f"can't be written: {error.strerror}", place=place) from error
    tell(f"The graph is in {place}. Try: dot -Tsvg {shlex.quote(place)}")


def _around(index: Index) -> dict[str, object]:
    """What else lies in the folder, for JSON."""
    left_out = {
        reason.name.lower(): {"files": files, "folders": folders}
        for reason, (files, folders) in sorted(index.tally.left_out.items())
    }
    return {"other_files": _others(index), "withheld": index.tally.withheld, "left_out": left_out}


def _not_read(index: Index) -> str:
    """The same in words."""
    others = f"{count(_others(index), 'file')} in unknown languages" if _others(index) else ""
    withheld = f"{index.tally.withheld:,} that may contain secrets" if index.tally.withheld else ""
    return ", ".join(filter(None, (others, withheld, index.tally.words())))


def _others(index: Index) -> int:
    """Files that are no code, as far as we can tell."""
    return index.tally.files - index.tally.withheld - len(index.outlines)
