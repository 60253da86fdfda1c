"""`forget`: erase a content for good."""

from __future__ import annotations

import click

from ccos_core.errors import Usage
from ccos_core.present import words
from ccos_core.serve import exits
from ccos_core.serve.cli.common import give, json_option, tell, workspace, workspace_argument
from ccos_core.session.forget import forget


@click.command("forget")
@workspace_argument
@click.argument("blob", required=False)
@click.option("--match", help="Erase every content this regular expression finds something in.")
@click.option("--path", "glob", help="Erase what was recorded of these paths, e.g. 'config/*.yml'.")
@json_option
def forget_command(ws: str, blob: str | None, match: str | None, glob: str | None, as_json: bool) -> int:
    """Erase the content with the hash BLOB (its first 8 digits will do), or those meant by an option.

    The steps stay, and the chain stays valid; what they said is gone, here. Copies and exports made earlier, and
    backups of `upgrade`, keep what they have.
    """
    if [bool(blob), bool(match), bool(glob)].count(True) != 1:
        raise Usage("forget what?", hint="One of: BLOB, --match REGEX, --path GLOB")
    done = forget(workspace(ws), blob=blob or "", match=match or "", glob=glob or "")
    if as_json:
        give(
            {
                "schema": "ccos.forget/1",
                "contents": done.contents,
                "bytes": done.bytes,
                "facts": done.facts,
                "lingering": done.lingering,
            }
        )
    tell(f"Forgot {words.count(done.contents, 'content')}, {words.size(done.bytes)}")
    if done.lingering:
        tell("  Another program is reading this workspace: the bytes leave the file when it lets go.")
    return exits.DONE
