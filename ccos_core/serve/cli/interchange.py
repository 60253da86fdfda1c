"""`export`: a record as JSON Lines; and back from there, to the same head."""

from __future__ import annotations

import os
import sys
from io import BufferedReader
from typing import Any

import click

from ccos_core.errors import Unavailable
from ccos_core.present import words
from ccos_core.serve import exits
from ccos_core.serve.cli.common import reading, tell, workspace_argument
from ccos_core.session import interchange
from ccos_core.storage.record import Record
from ccos_core.storage.replacing import replacing

FIRST = 200
"""Bytes in which an exported record says what it is."""
MARK = b'"is":'


@click.command("export")
@workspace_argument
@click.option("-o", "--output", required=True, type=click.Path(path_type=str), help="File to write; - is stdout.")
@click.option("--redact", is_flag=True, help="Mask secrets again, with the current rules.")
def export_command(ws: str, output: str, redact: bool) -> int:
    """Write WS as JSON Lines. The same record always gives the same bytes."""
    with reading(ws) as record:
        if output == "-":
            masked = interchange.export(record, sys.stdout.buffer.write, redact=redact)
        elif os.path.exists(output) and not os.path.isfile(output) and not os.path.isdir(output):
            masked = _into_device(record, output, redact)
        else:
            try:
                with replacing(output) as handle, open(handle, "wb", closefd=False) as file:
                    masked = interchange.export(record, file.write, redact=redact)
            except OSError as error:
                raise Unavailable(f"can't be written: {error.strerror}", place=output) from error
        steps = record.head()[0]
    tell(f"{words.count(steps, 'step')} written" + (f", {words.count(masked, 'secret')} masked" if redact else ""))
    return exits.DONE


def _into_device(record: Record, output: str, redact: bool) -> int:
    """Write to a pipe or a device where it is: a finished file can't be put in its place, and mustn't be."""
    try:
        with open(output, "wb") as file:
            return interchange.export(record, file.write, redact=redact)
    except BrokenPipeError:
        raise
    except OSError as error:
        raise Unavailable(f"can't be written: {error.strerror}", place=output) from error


def import_export(file: str, ws: str, stdin: BufferedReader[Any] | None) -> int:
    """Make a workspace from what export wrote, into a file or into `stdin`. It has the same head."""
    try:
        if stdin is not None:
            steps, head = interchange.import_record(stdin, "stdin", ws)
        else:
            with open(file, "rb") as source:
                steps, head = interchange.import_record(source, file, ws)
    except OSError as error:
        raise Unavailable(f"can't be read: {error.strerror}", place=file) from error
    tell(f"Made {ws}: {words.count(steps, 'step')}, head {head}")
    return exits.DONE


def is_export(file: str, stdin: BufferedReader[Any] | None) -> bool:
    """Whether a file begins as export writes them. Nothing is taken from stdin."""
    try:
        if stdin is not None:
            return MARK in stdin.peek(FIRST)[:FIRST].partition(b"\n")[0]
        if not os.path.isfile(file):  # nobody waits for a pipe
            return False
        with open(file, "rb") as source:
            return MARK in source.readline(FIRST)
    except (OSError, ValueError):
        return False
