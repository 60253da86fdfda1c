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
@click.option("--match", help="Erase every recorded text that matches this regular expression.")
@click.option("--path", "glob", help="Erase the recorded text of these paths, such as 'config/*.yml'.")
@json_option
def forget_command(ws: str, blob: str | None, match: str | None, glob: str | None, as_json: bool) -> int:
    """Erase the recorded text with the hash BLOB (8 digits are enough), or the texts that an option selects.

    The steps stay and the chain stays valid; only the text is erased, and only in WS. Earlier copies, exports and
    backups of `upgrade` keep it.
    """
    if [bool(blob), bool(match), bool(glob)].count(True) != 1:
        raise Usage("say what to forget", hint="Name one of: BLOB, --match REGEX, --path GLOB")
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
    tell(f"Erased {words.count(done.contents, 'text')}, {words.size(done.bytes)}")
    if done.lingering:
        tell("  Another program is reading this workspace: the bytes leave the file when it closes it.")
    return exits.DONE
