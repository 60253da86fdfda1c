"""`blame-commit` and `blame-line`: the sessions and steps that a commit, or a line of a file, comes from."""

from __future__ import annotations

import os

import click

from ccos_core.serve import exits
from ccos_core.serve.answering import manner_of, show
from ccos_core.serve.cli.asking import plain_option
from ccos_core.serve.cli.common import json_option
from ccos_core.serve.terminal import Bar


@click.command("blame-commit")
@click.argument("sha")
@click.argument("workspaces", metavar="[WORKSPACE]...", nargs=-1, type=click.Path(path_type=str))
@json_option
@plain_option
def blame_commit_command(sha: str, workspaces: tuple[str, ...], as_json: bool, plain: bool) -> int:
    """List the sessions and steps that made the commit SHA, and the edits that went into it.

    \b
        ccos-tui blame-commit 1a2b3c4
        ccos-tui blame-commit 1a2b3c4 work.ccos session.jsonl

    SHA may be short, at least 4 digits, or a revision of the repository here, such as HEAD~1. Without WORKSPACE it
    searches every session on this machine that began in the project of the current folder. Exit code 1 if no session
    made or pushed it.
    """
    from ccos_core.session.blame_commit import blame_commit

    bar = Bar("searching")
    try:
        found = blame_commit(sha, workspaces, os.getcwd(), bar)
    finally:
        bar.end()
    show(found, manner_of(as_json=as_json, aloud=plain))
    return exits.DONE if found.made or found.pushed else exits.NO


@click.command("blame-line")
@click.argument("place", metavar="FILE:LINE")
@click.argument("workspaces", metavar="[WORKSPACE]...", nargs=-1, type=click.Path(path_type=str))
@json_option
@plain_option
def blame_line_command(place: str, workspaces: tuple[str, ...], as_json: bool, plain: bool) -> int:
    """Find the session, the prompt and the step that wrote a line, and what the agent had in its window then.

    \b
        ccos-tui blame-line src/db.py:1
        ccos-tui blame-line src/db.py:1 work.ccos session.jsonl

    The line is taken as it stands in the file now, so it is found whether or not it was committed. Without WORKSPACE
    it searches every session on this machine that began in the project of the file. `ccos-tui blame src/db.py:1` is the
    same. Exit code 1 if none wrote it.
    """
    from ccos_core.session.blame_line import blame_line

    bar = Bar("searching")
    try:
        found = blame_line(place, workspaces, bar)
    finally:
        bar.end()
    show(found, manner_of(as_json=as_json, aloud=plain))
    return exits.DONE if found.wrote else exits.NO
