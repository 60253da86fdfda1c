"""`search`: words in everything that was said, in all sessions of this machine."""

from __future__ import annotations

import time

import click

from ccos_core.serve import exits
from ccos_core.serve.answering import manner_of, show
from ccos_core.serve.cli.asking import plain_option
from ccos_core.serve.cli.common import json_option
from ccos_core.serve.cli.sessions import known_or_raise, no_session
from ccos_core.serve.terminal import Bar


@click.command("search")
@click.argument("words", metavar="WORDS...", nargs=-1, required=True)
@click.option("--in", "kinds", metavar="KINDS", default="", help="Search only these, separated by commas: prompt, "
              "thinking, text, input, result, host.")  # fmt: skip
@click.option("--agent", metavar="HOST", default="", help="Search only this agent's sessions.")
@click.option("--project", metavar="DIR", default="", help="Search only sessions that began in this folder or below.")
@click.option("--since", metavar="WHEN", default="", help="Search only what was said since: 2026-02-14, "
              "2026-02-14T09:30 (UTC), or 45m, 12h, 3d, 2w ago.")  # fmt: skip
@click.option("--limit", metavar="N", type=click.IntRange(1, 10_000), default=20, show_default=True,
              help="List at most N texts.")  # fmt: skip
@click.option("--path", "paths", metavar="PATH", multiple=True, type=click.Path(path_type=str),
              help="Search this file or folder instead of where agents keep sessions. May be repeated.")  # fmt: skip
@json_option
@plain_option
def search_command(
    words: tuple[str, ...], kinds: str, agent: str, project: str, since: str, limit: int, paths: tuple[str, ...],
    as_json: bool, plain: bool,
) -> int:  # fmt: skip
    """Search what was said in every session on this machine, newest first, without importing it.

    \b
        ccos-tui search permission denied
        ccos-tui search '"File has not been read yet"' --in result --since 2w
        ccos-tui search 'migrat*' --in prompt,thinking --project .

    A text is found if it holds all words; a "phrase in quotes" is found as it stands, and prefix* finds all words that
    begin so. At a terminal, `ccos-tui search` alone opens the search as a screen, where Enter opens a session at the
    step that was found.

    The first search reads all transcripts, which takes about a minute for 700 MB; after that it reads what is new. The
    index is kept in the user's cache folder, with secrets masked as in a record, and can be deleted at any time.
    """
    from ccos_core.session.search import EVER, Asked, bring_up_to_date, search
    from ccos_core.session.search_filters import folder_of, kinds_of, since_of

    asked = Asked(
        words=" ".join(words),
        kinds=kinds_of(kinds),
        agent=agent,
        project=folder_of(project) if project else "",
        since=since_of(since, int(time.time() * 1_000)) if since else EVER,
        limit=limit,
        paths=paths,
    )
    bar = Bar("reading")
    try:
        there = bring_up_to_date(paths, bar)
    finally:
        bar.end()
    found = search(asked, there)
    if agent and not found.searched:
        known_or_raise(agent, ())
    if not there and not as_json:
        no_session(paths)
    show(found, manner_of(as_json=as_json, aloud=plain))
    return exits.DONE if found.hits else exits.NO
