"""`init`, `copy`, `compact`, `forget`, `pause`, `resume`, `upgrade`: a workspace's life around its recording."""

from __future__ import annotations

import os
import shlex

import click

from ccos_core.errors import Usage
from ccos_core.present import words
from ccos_core.serve import exits
from ccos_core.serve.answering import manner_of, show
from ccos_core.serve.cli.common import give, json_option, tell, workspace, workspace_argument
from ccos_core.session import lifecycle, settings
from ccos_core.session.forget import forget
from ccos_core.storage import locate


@click.command("init")
@click.argument("ws", required=False, type=click.Path(path_type=str))
@click.option("--root", type=click.Path(path_type=str), help="The project folder.  [default: the folder of WS]")
@click.option("--here", is_flag=True, help="Create it in the project's .ccos folder.")
def init_command(ws: str | None, root: str | None, here: bool) -> int:
    """Create the workspace WS, or with --here one inside the project.

    \b
        ccos-tui init work.ccos
        ccos-tui init --here
    """
    if here:
        root = os.path.abspath(root) if root else locate.project_root(os.getcwd())
        ws = os.path.join(root, locate.HERE, os.path.basename(ws)) if ws else locate.here_path(root)
    if not ws:
        raise Usage("which workspace?", hint="Name a file, as in: ccos-tui init work.ccos. Or use --here")
    if not ws.endswith(locate.SUFFIX):
        raise Usage(f"a workspace's name ends in {locate.SUFFIX}", place=ws, hint=f"ccos-tui init {ws}{locate.SUFFIX}")
    root = lifecycle.init(ws, root)
    tell(f"Created {ws} for {root}")
    tell(f"Next: ccos-tui ingest {shlex.quote(ws)} {shlex.quote(os.path.relpath(root))}")
    return exits.DONE


@click.command("copy")
@workspace_argument
@click.argument("dest", type=click.Path(path_type=str))
def copy_command(ws: str, dest: str) -> int:
    """Write a complete, consistent copy of WS to DEST, even while another program writes to WS."""
    made, missing, notice = lifecycle.copy(workspace(ws), dest)
    if notice is not None:
        tell(f"ccos-tui: {notice.place}: {notice.fact}")
    tell(f"Copied to {made}")
    for name in missing:
        tell(f"  the archive file {name} is missing, so the copy lacks it")
    return exits.DONE


@click.command("compact")
@workspace_argument
@click.option("--max", "most", type=int, help="Do nothing below this many steps.  [CCOS_OPLOG_MAX]")
@click.option("--keep", type=int, help="Number of newest steps to leave in place.  [CCOS_OPLOG_KEEP]")
@click.option("--archive", type=click.Path(path_type=str), help="Write the archive to this folder instead of WS.")
def compact_command(ws: str, most: int | None, keep: int | None, archive: str | None) -> int:
    """Move old steps into compressed archive segments. Nothing is lost, and steps keep their numbers."""
    default_most, default_keep = settings.oplog_bounds()
    keep = default_keep if keep is None else keep
    most = max(keep, default_most) if most is None else most
    moved = lifecycle.compact(workspace(ws), most=most, keep=keep, outside=archive)
    tell(f"{words.count(moved, 'step')} moved into the archive" if moved else "Nothing to move yet")
    return exits.DONE


@click.command("pause")
@workspace_argument
def pause_command(ws: str) -> int:
    """Stop recording into WS until `resume`."""
    return _paused(ws, True, "Paused", "Recording was paused already")


@click.command("resume")
@workspace_argument
def resume_command(ws: str) -> int:
    """Resume recording into WS."""
    return _paused(ws, False, "Recording", "Recording was not paused")


@click.command("upgrade")
@workspace_argument
def upgrade_command(ws: str) -> int:
    """Upgrade WS to the current format, keeping a backup, and start the current epoch."""
    backup, new_epoch = lifecycle.upgrade(workspace(ws))
    if backup:
        tell(f"Upgraded; the backup is {backup}")
    tell("Started a new epoch" if new_epoch else "Its epoch is current already")
    return exits.DONE


def _paused(named: str, on: bool, done: str, as_before: str) -> int:
    """Have it so, and say which workspace it is where somebody named a folder: hooks may record into another one."""
    path = workspace(named)
    said = done if lifecycle.pause(path, on) else as_before
    tell(f"{said}: {path}" if path != named else said)
    return exits.DONE


@click.command("gone")
@workspace_argument
@click.argument("memo")
@click.argument("files", nargs=-1, type=click.Path(path_type=str))
@click.option("--words", "said", default="", help="The words, if the record doesn't have them any more.")
@json_option
def gone_command(ws: str, memo: str, files: tuple[str, ...], said: str, as_json: bool) -> int:
    """Tell whether the statement MEMO is gone from WS, from the user's own record, and from what was made of them.

    \b
        ccos-tui gone work.ccos memo:ae13bce2194772e7 --words "Invoices are due at once." report.html

    It looks at the bytes of the caches, the working memory, the search index, and FILES such as exports and reports.
    It ends with 1 if any place still has the statement, or can't be read.
    """
    from ccos_core.session.gone import gone

    found = gone(workspace(ws), memo, said, files)
    show(found, manner_of(as_json=as_json, aloud=False))
    return exits.DONE if found.gone else exits.NO


@click.command("forget")
@workspace_argument
@click.argument("blob", required=False)
@click.option("--match", help="Erase every recorded text that matches this regular expression.")
@click.option("--path", "glob", help="Erase the recorded text of these paths, such as 'config/*.yml'.")
@click.option("--memo", help="Erase every recorded text in which this statement stands, named by its memo:ID.")
@json_option
def forget_command(
    ws: str, blob: str | None, match: str | None, glob: str | None, memo: str | None, as_json: bool
) -> int:
    """Erase the recorded text with the hash BLOB (8 digits are enough), or the texts that an option selects.

    The steps stay and the chain stays valid; only the text is erased, and only in WS. Earlier copies, exports and
    backups of `upgrade` keep it. The words of claims, tags, paths and names stand in the steps
    themselves and can't be erased; with --match, the answer says how many steps have such words.
    """
    if [bool(blob), bool(match), bool(glob), bool(memo)].count(True) != 1:
        raise Usage("say what to forget", hint="Name one of: BLOB, --match REGEX, --path GLOB, --memo ID")
    done = forget(workspace(ws), blob=blob or "", match=match or "", glob=glob or "", memo=memo or "")
    if as_json:
        give(
            {
                "schema": "ccos.forget/1",
                "contents": done.contents,
                "bytes": done.bytes,
                "facts": done.facts,
                "lingering": done.lingering,
                "inline": done.inline,
            }
        )
    tell(f"Erased {words.count(done.contents, 'text')}, {words.size(done.bytes)}")
    if done.inline:
        tell(
            f"  {words.count(done.inline, 'step')} still say it in a claim, tag, reason or name: these can't be erased."
        )
    if done.lingering:
        tell("  Another program is reading this workspace: the bytes leave the file when it closes it.")
    return exits.DONE
