"""`ingest`: record the sources of a project."""

from __future__ import annotations

import contextlib
import sys
from dataclasses import asdict
from typing import Any

import click

from ccos_core.present import words
from ccos_core.serve import exits
from ccos_core.serve.cli.common import (
    complain,
    give,
    json_option,
    tell,
    workspace,
    workspace_argument,
)
from ccos_core.session import lifecycle, settings
from ccos_core.session.ingest import Report, ingest
from ccos_core.session.session import Session, open_session
from ccos_core.session.settings import recording_allowed


@click.command("ingest")
@workspace_argument
@click.argument("paths", metavar="PATH...", nargs=-1, required=True, type=click.Path(path_type=str))
@json_option
def ingest_command(ws: str, paths: tuple[str, ...], as_json: bool) -> int:
    """Record the source files at each PATH into WS, as .gitignore and .ccosignore allow.

    Unchanged files add nothing. It can be interrupted; the next run continues.
    """
    recording_allowed()
    most, keep = settings.oplog_bounds()
    path = workspace(ws)
    with open_session(path) as session:
        try:
            report = _with_progress(session, paths)
        except KeyboardInterrupt:
            fact = f"interrupted at step {session.recorded.head()[0]:,}; the steps so far are saved"
            return complain(
                fact, hint="Run the same command again to continue.", code=exits.INTERRUPTED, as_json=as_json
            )
        step, head = session.recorded.head()
    if most:
        lifecycle.compact(path, most=most, keep=keep)
    if as_json:
        left_out = [
            {"reason": str(reason), "files": files, "folders": folders}
            for reason, (files, folders) in report.tally.left_out.items()
        ]
        told = {name: value for name, value in asdict(report).items() if name != "tally"}
        give({"schema": "ccos.ingest/1", **told, "left_out": left_out, "step": step, "head": head.hex()})
    tell(as_text(report))
    return exits.DONE


def as_text(report: Report) -> str:
    """The report in words."""
    gone = f", {words.count(report.gone, 'file')} gone" if report.gone else ""
    secret = f"  ({report.tally.withheld:,} without text: secret by name)" if report.tally.withheld else ""
    lines = [f"{words.count(report.recorded, 'file')} recorded, {report.unchanged:,} unchanged{gone}{secret}"]
    if report.tally.left_out:
        lines.append(f"left out: {report.tally.words()}")
    return "\n".join(lines)


def _with_progress(session: Session, paths: tuple[str, ...]) -> Report:
    """The bar appears with the first files that are on disk, so that a refusal stands alone."""
    if not sys.stderr.isatty():
        return ingest(session, paths)
    with contextlib.ExitStack() as until_the_end:
        bars: list[Any] = []

        def progress(done: int, of: int) -> None:
            if not bars:
                bar = click.progressbar(length=of, label="recording", file=sys.stderr)
                bars.append(until_the_end.enter_context(bar))
            bars[0].update(done - bars[0].pos)

        return ingest(session, paths, progress)
