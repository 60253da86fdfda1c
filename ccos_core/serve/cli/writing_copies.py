"""`copies`: the map and the access log of a workspace as files, made from the record each time."""

from __future__ import annotations

import click

from ccos_core.errors import Usage
from ccos_core.serve import exits
from ccos_core.serve.answering import told_of_damage
from ccos_core.serve.cli.asking import desk_of
from ccos_core.serve.cli.common import give, json_option, reading, tell, workspace_argument
from ccos_core.serve.terminal import Bars
from ccos_core.session.context_settings import RETENTION_DAYS

SCHEMA = "ccos.copies-written/1"


@click.command("copies")
@workspace_argument
@click.option("--mindmap", type=click.Path(path_type=str), help="Write the map here.")
@click.option("--access", type=click.Path(path_type=str), help="Write the access log here, as JSON Lines.")
@click.option("--days", type=click.IntRange(1), default=RETENTION_DAYS, show_default=True, help="Days of the log.")
@json_option
def copies_command(ws: str, mindmap: str | None, access: str | None, days: int, as_json: bool) -> int:
    """Write the map and the access log of WS as files.

    \b
        ccos-tui copies work.ccos --mindmap cos/mindmap.md --access cos/access.jsonl

    The files are copies: ccos-tui never reads them. The log has the rows of the last day. Each earlier day has a
    file of its own, access-2026-02-07.jsonl.
    """
    from ccos_core.session.steering_copies import write_access_log, write_mindmap

    if not mindmap and not access:
        raise Usage("needs a file to write", place="copies", hint="Name one with --mindmap or --access.")
    bars = Bars()
    with reading(ws) as record, desk_of(record, bars) as desk:
        try:
            timeline = desk.timeline
        finally:
            bars.end()
        changed = write_mindmap(timeline, mindmap, desk.user()) if mindmap else False
        rows = write_access_log(timeline, access, days) if access else 0
        if as_json:
            give({"schema": SCHEMA, "step": timeline.head, "mindmap": mindmap or "", "changed": changed,
                  "access": access or "", "rows": rows})  # fmt: skip
        else:
            tell(
                " ".join(
                    filter(
                        None, (f"Wrote {mindmap}." if mindmap else "", f"{rows:,} rows in {access}." if access else "")
                    )
                )
            )
        return exits.DAMAGED if told_of_damage(desk) else exits.DONE
