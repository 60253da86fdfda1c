"""`recall`: the window an agent should have now. `window`: the context of a file, without a workspace."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import asdict
from os.path import isdir

import click

from ccos_core.errors import Usage
from ccos_core.memory.view import OWNER
from ccos_core.present import words
from ccos_core.query.window_rows import summary as summary_of
from ccos_core.serve import exits, terminal
from ccos_core.serve.cli.asking import as_option
from ccos_core.serve.cli.common import give, json_option, require_folder, split_step, tell, workspace
from ccos_core.session.index import Index
from ccos_core.session.recalls import record_recall
from ccos_core.session.session import open_session
from ccos_core.session.settings import compressing
from ccos_core.session.worlds import Knowing
from ccos_core.storage.locate import own_workspace
from ccos_core.storage.opening import open_record
from ccos_core.text.delivered import marked
from ccos_core.window.annotated import Annotated
from ccos_core.window.around import around
from ccos_core.window.lenses import window_of
from ccos_core.window.linearize import DEFAULT_BUDGET, Window

LARGEST_TEXT = 2**20
"""Bytes of a task that are read from stdin."""

NOTHING_WARM = "Use --around FILE or --hybrid TEXT, or pipe a failing run into: ccos-tui page-fault"
"""What to do about a working set that is empty."""


budget_option = click.option(
    "--budget",
    type=click.IntRange(min=64),
    default=DEFAULT_BUDGET,
    show_default=True,
    help="Size of the window in tokens.",
)


@click.command("recall")
@click.argument("ws", metavar="WS|DIR", type=click.Path(path_type=str))
@click.option("--around", metavar="X", help="Show X, a file or symbol, and the code it depends on.")
@click.option("--task", metavar="TEXT", help="Show the code that matches the words; - reads stdin.")
@click.option(
    "--hybrid", metavar="TEXT", help="Show the code that matches words, names, tracebacks and current failures."
)
@click.option("--working-set", is_flag=True, help="Show what matters now (the default).")
@click.option(
    "--lens",
    metavar="LENS",
    help="Choose by name: working-set, around:X, task:TEXT, hybrid:TEXT, memo:TEXT (statements and notes), "
    "bundle:NAME, brief:TEXT (code, and what the agent's window lost of what was said), host (the agent's window), "
    "delivered (the last window given to the agent), both.",
)
@click.option("--session", metavar="NAME", help="With --lens host: which session.")
@click.option("--context", metavar="NAME", help="With --lens host: main or a subagent's name.")
@budget_option
@click.option("--at", metavar="STEP", help="Show the window at this step (number or name) instead of the last.")
@click.option("--annotated", is_flag=True, help="Add to each item why it is included and how to get all of it.")
@click.option("--record", "recorded", is_flag=True, help="Record that the agent was given this window.")
@json_option
@as_option
def recall_command(
    ws: str,
    around: str | None,
    task: str | None,
    hybrid: str | None,
    working_set: bool,
    lens: str | None,
    session: str | None,
    context: str | None,
    budget: int,
    at: str | None,
    annotated: bool,
    recorded: bool,
    as_json: bool,
    principal: str,
) -> int:
    """Print the suggested window for an agent now: text that fits the budget, and why each item is included.

    \b
        ccos-tui recall work.ccos --around src/api.py --budget 4096
        ccos-tui recall . --hybrid - < issue.txt
        ccos-tui recall work.ccos@40

    DIR is a project folder. If it has no workspace, its current files are used.
    """
    ws, step = split_step(ws)
    at = step if at is None else at
    asked = {"around": around, "task": _text(task), "hybrid": _text(hybrid)}
    if lens is not None or session is not None or context is not None:
        if working_set or recorded or annotated or any(each is not None for each in asked.values()):
            raise Usage(
                "only one window at a time", hint="Use --lens only with --session, --context, --budget and --at."
            )
        said = {"lens": lens, "session": session, "context": context, "budget": str(budget), "at": at}
        return _as_question(ws, said, as_json, principal)
    lens = _lens(asked, working_set)
    if at is not None or principal != OWNER:
        if recorded or annotated:
            other = "--at" if at is not None else "--as"
            raise Usage(f"works only without {other}", place="--record" if recorded else "--annotated")
        return _as_question(ws, {"lens": lens, "budget": str(budget), "at": at}, as_json, principal)
    with understood(ws) as (code, knowing):
        shown = Annotated(code) if annotated else code
        world = knowing.world if knowing is not None else None
        window = window_of(lens, budget, shown, world, compress=compressing())
        if recorded:
            _record(ws, window, knowing)
        if as_json:
            give(as_answer(window, knowing))
        else:
            if window.text:
                terminal.show(marked(window.text.removesuffix("\n")))
            tell(summary(window, knowing))
    return exits.DONE


@contextmanager
def understood(named: str) -> Iterator[tuple[Index | Knowing, Knowing | None]]:
    """The code of a workspace and what it knows, or the code of a folder that has none of its own: one that just lies
    there may be about anything."""
    if isdir(named) and not own_workspace(named):
        yield Index(named), None
        return
    with open_record(workspace(named)) as record:
        if record.notice is not None:
            tell(f"ccos-tui: {record.notice}")
        knowing = Knowing(record)
        yield knowing, knowing


def as_answer(window: Window, knowing: Knowing | None) -> dict[str, object]:
    """The window as the JSON object of `--json`."""
    known: dict[str, object] = {}
    if knowing is not None:
        known = {"step": knowing.step, "head": knowing.record.head()[1].hex()}
    return {
        "schema": "ccos.window/1",
        "lens": window.lens,
        "budget": window.budget,
        "tokens": window.tokens,
        **known,
        "text": window.text,
        "items": [asdict(item) for item in window.items],
        "missed": [asdict(each) for each in window.missed],
        **({"partial": len(knowing.facts.missing)} if knowing is not None and knowing.facts.missing else {}),
    }


def summary(window: Window, knowing: Knowing | None) -> str:
    """What was shown, in a line or two, and what it rests on."""
    said = list(summary_of(window, knowing.step if knowing is not None else None, when="now"))
    if window.lens == "working-set" and not window.items and not window.missed:
        said.append(NOTHING_WARM)
    if knowing is not None and knowing.facts.missing:
        said.append(f"partial: facts missing for {words.count(len(knowing.facts.missing), 'text')}")
    return "\n".join(said)


def _as_question(ws: str, said: dict[str, str | None], as_json: bool, principal: str) -> int:
    """The same word asked as a question, which knows every lens."""
    from ccos_core.serve.cli.asking import command_of

    words = [part for name, value in said.items() if value is not None for part in (f"--{name}", value)]
    ask = command_of("recall").callback
    assert ask is not None
    return int(ask(ws, tuple(words), as_json, False, principal))


def _text(said: str | None) -> str | None:
    """What was said, or where that is a dash, what comes in."""
    return sys.stdin.buffer.read(LARGEST_TEXT).decode("utf-8", "replace") if said == "-" else said


def _lens(asked: dict[str, str | None], working_set: bool) -> str:
    said = [f"{name}:{about}" for name, about in asked.items() if about is not None]
    if len(said) + working_set > 1:
        raise Usage("only one window at a time", hint="Choose one of --around, --task, --hybrid and --working-set.")
    for name, about in asked.items():
        if about is not None and not about.strip():
            raise Usage("is empty", place=f"--{name}", hint=f"Give it a value, or leave out --{name}.")
    return said[0] if said else "working-set"


def _record(ws: str, window: Window, knowing: Knowing | None) -> None:
    if knowing is None:
        raise Usage("has no workspace to record in", place=ws, hint="Create one: ccos-tui init")
    with open_session(workspace(ws), stay=False) as session:
        record_recall(session, window, knowing.step)


@click.command("window")
@click.argument("folder", metavar="DIR", type=click.Path(path_type=str))
@click.option("--around", "anchors", multiple=True, required=True, metavar="FILE", help="File in the center.")
@budget_option
@json_option
def window_command(folder: str, anchors: tuple[str, ...], budget: int, as_json: bool) -> int:
    """Print the code around FILE that fits the budget: FILE and the code it depends on.

    Several --around read DIR only once. With --json, one object a line and FILE.
    """
    require_folder(folder)
    index = Index(folder)
    for anchor in anchors:
        path = index.known(anchor)
        window = around(path, index.source, index.links(path), budget)
        if as_json:
            give(window_answer(anchor, window))
        else:
            if window.text:
                terminal.show(window.text.removesuffix("\n"))
            held = words.count(len(window.items), "item")
            tell(f"around {path}: about {window.tokens:,} of {budget:,} tokens, {held}")
    return exits.DONE


def window_answer(anchor: str, window: Window) -> dict[str, object]:
    """The window as the JSON object of `--json`."""
    return {"schema": "ccos.window/1", "anchor": anchor, **asdict(window)}
