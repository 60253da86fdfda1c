"""`mirror`: stores outside of a workspace that follow it."""

from __future__ import annotations

import time
from collections.abc import Iterable
from typing import Any

import click

from ccos_core.errors import CcosError, Usage
from ccos_core.present.words import count
from ccos_core.serve import exits, terminal
from ccos_core.serve.cli.common import give, json_option, tell, workspace, workspace_argument
from ccos_core.serve.terminal import Bar
from ccos_core.session import mirrors
from ccos_core.session.mirrors import Mirror, State

SCHEMA = "ccos.mirrors/1"
FOLLOW_SECONDS = 1.0


ADD, LIST, RUN, REBUILD, REMOVE = "add", "list", "run", "rebuild", "remove"
WORDS = {ADD: ("KIND", "PLACE"), LIST: (), RUN: ("NAME",), REBUILD: ("NAME",), REMOVE: ("NAME",)}
"""What comes behind the workspace."""
MAY_MISS = frozenset({RUN, REBUILD})


@click.command("mirror")
@click.argument("action", type=click.Choice(tuple(WORDS)))
@workspace_argument
@click.argument("rest", nargs=-1, metavar="[KIND PLACE | NAME]")
@click.option("--name", default="", help="With add: what it is called; by default as its kind.")
@click.option("--follow", is_flag=True, help="With run: keep on until Ctrl-C.")
@json_option
def mirror_command(action: str, ws: str, rest: tuple[str, ...], name: str, follow: bool, as_json: bool) -> int:
    """Keep stores outside of WS up with it: files of JSON Lines, SQLite, Postgres, Qdrant.

    A mirror holds what the working memory derives from the record, and can be rebuilt at any time. `add` notes one
    at PLACE: a file, a folder, or the address of a server without a password. `run` brings it up to date, `rebuild`
    empties it first; without NAME, all of them. `list` shows how far each is behind. `remove` follows with it no more,
    and leaves what it holds.

    \b
        ccos-tui mirror add work.ccos lines memory.jsonl
        ccos-tui mirror add work.ccos postgres service=memory --name team
        ccos-tui mirror run work.ccos --follow
    """
    wanted = WORDS[action]
    if len(rest) > len(wanted) or (len(rest) < len(wanted) and action not in MAY_MISS):
        raise Usage(f"mirror {action} takes {' '.join(('WS', *wanted))}", hint="See: ccos-tui mirror --help")
    path = workspace(ws)
    if action == ADD:
        mirror = mirrors.add(path, rest[0], rest[1], name)
        tell(f"Added {mirror.name}. Fill it with: ccos-tui mirror run {ws} {mirror.name}")
        return exits.DONE
    if action == REMOVE:
        mirror = mirrors.remove(path, *rest)
        tell(f"Removed {mirror.name}; what is in {mirror.place} stays there")
        return exits.DONE
    if action == LIST:
        return _list(path, as_json=as_json)
    code = _ingest(path, _meant(path, *rest), as_json=as_json, anew=action == REBUILD)
    while follow and action == RUN:
        time.sleep(FOLLOW_SECONDS)
        code = _ingest(path, _meant(path, *rest), as_json=as_json, quiet=True)
    return code


def _list(path: str, *, as_json: bool) -> int:
    states = [mirrors.state_of(path, each) for each in mirrors.mirrors_of(path)]
    if as_json:
        give({"schema": SCHEMA, "mirrors": [_plain(each) for each in states]})
    else:
        for state in states:
            terminal.show(f"{state.mirror.name}  {state.mirror.kind}  {_words(state)}")
    return exits.DONE


def _meant(path: str, name: str = "") -> list[Mirror]:
    return [mirrors.named(path, name)] if name else mirrors.mirrors_of(path)


def _ingest(path: str, meant: Iterable[Mirror], *, as_json: bool, anew: bool = False, quiet: bool = False) -> int:
    """Fill mirrors; one that can't be reached keeps none of the others from it."""
    code = exits.DONE
    for mirror in meant:
        bar = Bar(f"filling {mirror.name}")
        try:
            done = mirrors.follower(path, mirror).catch_up(bar, anew=anew)
        except CcosError as error:
            code = exits.code_of(error)
            tell(f"ccos-tui: {mirror.name}: {error}")
            continue
        finally:
            bar.end()
        if as_json:
            told = {"ops": done.ops, "entries": done.entries, "step": done.cursor.step}
            give({"schema": "ccos.mirrored/1", "mirror": mirror.name, **told})
        elif done.ops or not quiet:
            tell(f"{mirror.name}: {count(done.ops, 'step')} read, {count(done.entries, 'entry', 'entries')} stored")
    return code


def _plain(state: State) -> dict[str, Any]:
    stats = state.stats
    held = {"entries": stats.entries, "tokens": stats.tokens} if stats is not None else {"entries": 0, "tokens": 0}
    mirror = {"name": state.mirror.name, "kind": state.mirror.kind, "place": state.mirror.place}
    return {**mirror, "step": state.step, "lag": state.lag, **held, "trouble": state.trouble}


def _words(state: State) -> str:
    if state.trouble or state.stats is None:
        return state.trouble
    behind = f"{count(state.lag, 'step')} behind" if state.lag else "up to date"
    return f"{count(state.stats.entries, 'entry', 'entries')}, {behind}"
