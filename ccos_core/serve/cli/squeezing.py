"""`squeeze`, `retrieve`: fewer tokens of a command's output, and the original of what was left out."""

from __future__ import annotations

import sys
from dataclasses import asdict

import click

from ccos_core.errors import NotFound
from ccos_core.serve import exits
from ccos_core.serve.cli.common import give, json_option, tell, workspace
from ccos_core.text.compress.router import KINDS

LARGEST_OUTPUT = 64 * 2**20
"""Bytes that are shortened; of longer output the rest passes unchanged."""


@click.command("squeeze")
@click.option("--kind", type=click.Choice(tuple(KINDS)), help="Say what it is; by default that is recognized.")
@json_option
def squeeze_command(kind: str | None, as_json: bool) -> int:
    """Shorten output on its way to an agent: logs, diffs, search results, paths, JSON.

    \b
        pytest -v 2>&1 | ccos-tui squeeze
        ccos-tui retrieve 1a2b3c4d5e6f:40-212

    Every line with an error stays. A line such as [ccr 1a2b3c4d5e6f:40-212 173 lines, 1904 tokens] stands for what
    was left out, and `retrieve` prints it. Other text passes unchanged, and so does everything if the original can't
    be stored. Use `set -o pipefail` to keep the exit code of the command.
    """
    from ccos_core.session.squeezing import squeeze

    content = sys.stdin.buffer.read(LARGEST_OUTPUT)
    try:
        short = squeeze(content, kind)
    except OSError as error:
        tell(f"ccos-tui: the original can't be stored ({error.strerror}), so nothing was shortened")
        short = None
    if as_json and short is not None:
        said = asdict(short) | {"content": (short.content + sys.stdin.buffer.read()).decode("utf-8", "replace")}
        give({"schema": "ccos.squeezed/1", **said})
        return exits.DONE
    sys.stdout.buffer.write(content if short is None else short.content)
    while rest := sys.stdin.buffer.read(1 << 20):
        sys.stdout.buffer.write(rest)
    return exits.DONE


@click.command("retrieve")
@click.argument("reference", metavar="REF")
@click.argument("ws", metavar="[WS]", required=False, type=click.Path(path_type=str))
def retrieve_command(reference: str, ws: str | None) -> int:
    """Print the text that REF stands for: all of it, or the lines it names.

    \b
        ccos-tui retrieve 1a2b3c4d5e6f:40-212
        ccos-tui retrieve 1a2b3c4d:10-42 work.ccos

    REF stands in a line that `squeeze` printed, or beside an item of a window of WS.
    """
    from ccos_core.session.squeezing import fetched

    content = fetched(reference) if ws is None else _recorded(reference, ws)
    if content is None:
        raise NotFound(
            "isn't the reference of a stored text", place=reference, hint="For an item of a window, name its workspace."
        )
    sys.stdout.buffer.write(content)
    return exits.DONE


def _recorded(reference: str, ws: str) -> bytes:
    from ccos_core.session.asking import Desk
    from ccos_core.session.retrieving import original
    from ccos_core.storage.opening import open_record

    with open_record(workspace(ws)) as record, Desk(record) as desk:
        return original(record, desk.timeline, reference).text.encode("utf-8", "surrogatepass")
