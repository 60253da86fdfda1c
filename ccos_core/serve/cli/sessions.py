"""`sessions`: what agents have left on this machine."""

from __future__ import annotations

import os
from collections.abc import Iterable
from typing import NoReturn

import click

from ccos_core.errors import NotFound
from ccos_core.serve import exits
from ccos_core.serve.answering import manner_of, show
from ccos_core.serve.cli.asking import plain_option
from ccos_core.serve.cli.common import json_option
from ccos_core.serve.terminal import Bar


@click.command("sessions")
@click.argument("paths", metavar="[PATH]...", nargs=-1, type=click.Path(path_type=str))
@click.option("--agent", metavar="NAME", help="List only this agent's sessions, such as claude-code or codex.")
@click.option("--project", metavar="DIR", help="List only sessions that began in this folder or below.")
@json_option
@plain_option
def sessions_command(paths: tuple[str, ...], agent: str | None, project: str | None, as_json: bool, plain: bool) -> int:
    """List the sessions of every agent that can be read, newest first; with PATH, those in a file or folder.

    \b
        ccos-tui sessions --project .
        ccos-tui sessions ~/Downloads --json

    Without PATH it looks where the agents keep them; CLAUDE_CONFIG_DIR and CODEX_HOME are respected. Results are
    cached in the user's cache folder. Open a session with `ccos-tui PATH`; at a terminal, `ccos-tui` alone opens this
    list.
    """
    from ccos_core.session.listing import Sessions, is_below, is_of, listed

    bar = Bar("looking")
    try:
        found = listed(paths, bar)
    finally:
        bar.end()
    folder = os.path.abspath(os.path.expanduser(project)) if project else ""
    kept = Sessions(
        tuple(each for each in found.sessions if is_of(each.agent, agent or "") and is_below(each.project, folder))
    )
    if not kept.sessions and not as_json:
        known_or_raise(agent, [each.agent for each in found.sessions])
        no_session(paths)
    show(kept, manner_of(as_json=as_json, aloud=plain))
    return exits.DONE if kept.sessions else exits.NO


def no_session(paths: Iterable[str]) -> NoReturn:
    """Complain that there is no session, and say where one was looked for."""
    from ccos_core.session.places import places

    raise NotFound("no session was found", hint=f"Searched: {', '.join(tuple(paths) or places())}")


def known_or_raise(asked: str | None, found: Iterable[str]) -> None:
    """Complain of an agent that nothing is read of, and that isn't found either: a transcript may name its own."""
    from ccos_core.intake.importers.formats import FORMATS
    from ccos_core.session.listing import is_of

    known = sorted({*(each.name for each in FORMATS), *found})
    if asked is not None and not any(is_of(each, asked) for each in known):
        raise NotFound("isn't an agent that ccos-tui can read", place=asked, hint=f"One of: {'  '.join(known)}")
