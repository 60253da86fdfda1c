"""`report`: one HTML page that plays a session in a browser."""

from __future__ import annotations

import os
import sys
from typing import TYPE_CHECKING

import click

from ccos_core.errors import NotFound, Unavailable
from ccos_core.present import words
from ccos_core.serve import exits
from ccos_core.serve.answering import told_of_damage
from ccos_core.serve.cli.asking import as_option, desk_of
from ccos_core.serve.cli.common import give, json_option, reading, tell, workspace_argument
from ccos_core.serve.terminal import Bars
from ccos_core.storage.replacing import replacing

if TYPE_CHECKING:
    from ccos_core.session.asking import Desk

SCHEMA = "ccos.report-written/1"


@click.command("report")
@workspace_argument
@click.option("-o", "--output", type=click.Path(path_type=str), help="File to write; - is stdout.  [default: WS.html]")
@click.option("--steps", metavar="A..B", help="Only these steps.  [default: all]")
@json_option
@as_option
def report_command(ws: str, output: str | None, steps: str | None, as_json: bool, principal: str) -> int:
    """Write one HTML page that plays the session of WS in a browser.

    \b
        ccos-tui report work.ccos -o report.html
        ccos-tui report session.jsonl --steps 200..400

    The page is a single file that loads nothing and sends nothing. It shows the timeline, the steps with their whole
    text, the agent's window and what changed in it at each step, watched files, the autopsy and the failures. Texts
    are as recorded: secrets stay masked, and are masked again by the current rules. The page needs a browser of 2023
    or later. A page of that name is replaced.
    """
    from ccos_core.serve.report.page import report_page

    bars = Bars()
    with reading(ws) as record, desk_of(record, bars, principal) as desk:
        path = output or f"{os.path.splitext(os.path.basename(record.path))[0]}.html"
        try:
            first, last = _span(desk, steps)
            page = report_page(desk, first, last)
        finally:
            bars.end()
        _write(path, page)
        if as_json and path != "-":
            give({"schema": SCHEMA, "path": path, "bytes": len(page), "first": first, "last": last})
        else:
            tell(f"Wrote {path}, {words.size(len(page))}, steps {first:,} to {last:,}.")
        return exits.DAMAGED if told_of_damage(desk) else exits.DONE


def _span(desk: Desk, said: str | None) -> tuple[int, int]:
    """Return the first and the last step that are meant, written as for questions."""
    from ccos_core.query.steps import span_of

    head = desk.timeline.head
    if head == 0:
        raise NotFound("there is no step to show", place=desk.record.path, hint="Record or import a session first.")
    if said is None:
        return 1, head
    first, last = sorted(span_of(said, desk.timeline, head, desk.marks))
    return max(first, 1), max(last, 1)


def _write(path: str, page: bytes) -> None:
    """Write a page to stdout, into a pipe or a device, or as a file that appears whole."""
    if path == "-":
        sys.stdout.buffer.write(page)
        return
    is_device = os.path.exists(path) and not os.path.isfile(path) and not os.path.isdir(path)
    try:
        if is_device:
            with open(path, "wb") as file:
                file.write(page)
        else:
            with replacing(path) as handle, open(handle, "wb", closefd=False) as file:
                file.write(page)
    except BrokenPipeError:
        raise
    except OSError as error:
        raise Unavailable(f"can't be written: {(error.strerror or str(error)).lower()}", place=path) from error
