"""`export`: a record as JSON Lines, or its steps in a format that other programs and people read."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable

import click

from ccos_core.errors import Unavailable, Usage
from ccos_core.present import words
from ccos_core.serve import exits
from ccos_core.serve.cli.common import reading, tell, workspace_argument
from ccos_core.session import interchange
from ccos_core.storage.record import Record
from ccos_core.storage.replacing import replacing

JSONL = "jsonl"
FORMATS = (JSONL, "otel", "atif", "html", "md", "csv")

Writing = Callable[[Callable[[bytes], object]], str]
"""Writes an export by what it is given, and says what it did."""


@click.command("export")
@workspace_argument
@click.option("-o", "--output", required=True, type=click.Path(path_type=str), help="File to write; - is stdout.")
@click.option("--format", "name", type=click.Choice(FORMATS), default=JSONL, show_default=True,
              help="Format to write.")  # fmt: skip
@click.option("--session", metavar="NAME", default="", help="Only this session, or the one that begins so.")
@click.option("--redact", is_flag=True, help="Mask secrets again, with the current rules.")
def export_command(ws: str, output: str, name: str, session: str, redact: bool) -> int:
    """Write WS as JSON Lines, or in a format that other programs read.

    \b
        jsonl  the whole record; `import` recreates it with the same head
        otel   OpenTelemetry spans, OTLP JSON, one span a line
        atif   an ATIF trajectory of one session
        html   one page to read, which loads nothing
        md     Markdown
        csv    a table with a row per step

    `import` reads otel and atif as well: sessions keep their steps, names and files. What belongs to no session, and
    what you recorded yourself, is only in jsonl. All but jsonl are masked again by the current rules. The same record
    always gives the same bytes.
    """
    if name == JSONL and session:
        raise Usage("needs --format: jsonl is a whole record", place="--session")
    with reading(ws) as record:

        def write(put: Callable[[bytes], object]) -> str:
            if name == JSONL:
                return _whole(record, put, redact=redact)
            return _as(name, record, put, session)

        tell(_into(output, write))
    return exits.DONE


def _whole(record: Record, put: Callable[[bytes], object], *, redact: bool) -> str:
    masked = interchange.export(record, put, redact=redact)
    said = f"{words.count(record.head()[0], 'step')} written"
    return said + (f", {words.count(masked, 'secret')} masked" if redact else "")


def _as(name: str, record: Record, put: Callable[[bytes], object], session: str) -> str:
    from ccos_core.session.exporting.formats import export_as

    done = export_as(name, record, put, session)
    said = [f"{words.count(done.steps, 'step')} written"]
    if done.masked:
        said.append(f"{words.count(done.masked, 'secret')} masked")
    if done.forgotten:
        said.append(f"{words.count(done.forgotten, 'forgotten text')} left out")
    if left := sum(done.left_out.values()):
        kinds = ", ".join(f"{kind} {count:,}" for kind, count in sorted(done.left_out.items()))
        said.append(f"{words.count(left, 'step')} that {name} has no place for left out ({kinds})")
    return ", ".join(said)


def _into(output: str, write: Writing) -> str:
    """Write to stdout, into a pipe or a device, or as a file that appears whole."""
    if output == "-":
        return write(sys.stdout.buffer.write)
    try:
        if os.path.exists(output) and not os.path.isfile(output) and not os.path.isdir(output):
            with open(output, "wb") as file:  # a finished file can't be put in its place, and mustn't be
                return write(file.write)
        with replacing(output) as handle, open(handle, "wb", closefd=False) as file:
            return write(file.write)
    except BrokenPipeError:
        raise
    except OSError as error:
        raise Unavailable(f"can't be written: {error.strerror}", place=output) from error
