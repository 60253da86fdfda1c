"""`restore`: the files of a step, written into a folder."""

from __future__ import annotations

import click

from ccos_core.query.catalogue import BY_NAME
from ccos_core.serve import exits
from ccos_core.serve.answering import manner_of, show, told_of_damage
from ccos_core.serve.cli.asking import desk_of
from ccos_core.serve.cli.common import json_option, reading, split_step
from ccos_core.serve.terminal import Bars
from ccos_core.session.restoring import restore


@click.command("restore")
@click.argument("ws", metavar="WS@STEP", type=click.Path(path_type=str))
@click.argument("folder", metavar="DIR", type=click.Path(path_type=str))
@click.option("--force", is_flag=True, help="Replace files that are in DIR already.")
@click.option("--whole", is_flag=True, help="Write only files that are known in full.")
@click.option("--dry-run", is_flag=True, help="Only say what would be written.")
@json_option
def restore_command(ws: str, folder: str, force: bool, whole: bool, dry_run: bool, as_json: bool) -> int:
    """Write the files of WS into DIR, as the record knows them at STEP, or at the end if no step is named.

    The report names every file that is known only in part, that was masked, withheld or erased, or that has a name that
    isn't safe to write. Lines that are unknown are written empty. Nothing outside of DIR is touched, and files in DIR
    are kept unless --force is given. A change that no step shows, such as one by a formatter, isn't in the record.

    \b
        ccos-tui restore work.ccos@40 before
        ccos-tui restore work.ccos@end after --whole
    """
    name, step = split_step(ws)
    bars = Bars()
    with reading(name) as record, desk_of(record, bars) as desk:
        try:
            at = desk.ask(BY_NAME["when"], {"at": step} if step is not None else {}).at
            done = restore(desk.timeline, at, folder, force=force, only_whole=whole, dry_run=dry_run)
        finally:
            bars.end()
        show(done, manner_of(as_json=as_json, aloud=False), desk.timeline.partial)
        return exits.DAMAGED if told_of_damage(desk) else exits.DONE
