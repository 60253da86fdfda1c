"""`export` and `import`: a record as JSON Lines, and back to the same head."""

from __future__ import annotations

import os
import sys

import click

from ccos_core.errors import NotFound, NotUnderstood, Unavailable, Usage
from ccos_core.serve import exits, words
from ccos_core.serve.cli.common import reading, tell, workspace_argument
from ccos_core.session import interchange
from ccos_core.storage.locate import SUFFIX
from ccos_core.storage.record import Record


@click.command("export")
@workspace_argument
@click.option("-o", "--output", required=True, type=click.Path(path_type=str), help="The file to write; - is stdout.")
@click.option("--redact", is_flag=True, help="Run today's redactor over everything once more.")
def export_command(ws: str, output: str, redact: bool) -> int:
    """Write WS as JSON Lines. The same record gives the same bytes, whatever its file is called."""
    with reading(ws) as record:
        if output == "-":
            masked = interchange.export(record, sys.stdout.buffer.write, redact=redact)
        elif os.path.exists(output) and not os.path.isfile(output) and not os.path.isdir(output):
            masked = _into_device(record, output, redact)
        else:
            draft = f"{output}.{os.getpid()}.new"
            try:
                handle = os.open(draft, os.O_CREAT | os.O_TRUNC | os.O_WRONLY, 0o600)
                with open(handle, "wb") as file:
                    masked = interchange.export(record, file.write, redact=redact)
                os.replace(draft, output)
            except OSError as error:
                raise Unavailable(f"can't be written: {error.strerror}", place=output) from error
            finally:
                if os.path.exists(draft):
                    os.unlink(draft)
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


@click.command("import")
@click.argument("file", type=click.Path(path_type=str))
@click.option("-o", "--output", "ws", required=True, type=click.Path(path_type=str), help="The workspace to make.")
def import_command(file: str, ws: str) -> int:
    """Make a workspace from FILE, written by export; - is stdin. It has the same head."""
    if not ws.endswith(SUFFIX):
        raise Usage(f"a workspace's name ends in {SUFFIX}", place=ws)
    try:
        if file == "-":
            steps, head = interchange.import_record(sys.stdin.buffer, "stdin", ws)
        else:
            with open(file, "rb") as source:
                steps, head = interchange.import_record(source, file, ws)
    except FileNotFoundError:
        raise NotFound("there is no such file", place=file) from None
    except IsADirectoryError:
        raise NotUnderstood("is a folder, not an exported record", place=file) from None
    except OSError as error:
        raise Unavailable(f"can't be read: {error.strerror}", place=file) from error
    tell(f"Made {ws}: {words.count(steps, 'step')}, head {head}")
    return exits.DONE
