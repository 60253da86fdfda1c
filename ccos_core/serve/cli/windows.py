"""`window`: the context a file deserves, without any workspace."""

from __future__ import annotations

import os
from dataclasses import asdict

import click

from ccos_core.errors import NotFound, NotUnderstood
from ccos_core.present import words
from ccos_core.serve import exits, terminal
from ccos_core.serve.cli.common import give, json_option, tell
from ccos_core.session.index import Index
from ccos_core.window.around import around
from ccos_core.window.linearize import DEFAULT_BUDGET, Window


@click.command("window")
@click.argument("folder", metavar="DIR", type=click.Path(path_type=str))
@click.option("--around", "anchors", multiple=True, required=True, metavar="FILE", help="File in the center.")
@click.option(
    "--budget",
    type=click.IntRange(min=64),
    default=DEFAULT_BUDGET,
    show_default=True,
    help="Size of the window in tokens.",
)
@json_option
def window_command(folder: str, anchors: tuple[str, ...], budget: int, as_json: bool) -> int:
    """Print the code around FILE that fits the budget: FILE and the code it depends on.

    Several --around read DIR only once. With --json, one object a line and FILE.
    """
    if not os.path.isdir(folder):
        if os.path.exists(folder):
            raise NotUnderstood("isn't a folder", place=folder)
        raise NotFound("there is no such folder", place=folder)
    index = Index(folder)
    for anchor in anchors:
        path = index.known(anchor)
        window = around(path, index.source, index.links(path), budget)
        if as_json:
            give(as_answer(anchor, window))
        else:
            if window.text:
                terminal.show(window.text.removesuffix("\n"))
            held = words.count(len(window.items), "item")
            tell(f"around {path}: about {window.tokens:,} of {budget:,} tokens, {held}")
    return exits.DONE


def as_answer(anchor: str, window: Window) -> dict[str, object]:
    """The window as the JSON object of `--json`."""
    return {"schema": "ccos.window/1", "anchor": anchor, **asdict(window)}
