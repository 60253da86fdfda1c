"""`failure`, `pass`, `page-fault`: what went wrong and what works again, from people and from the output of a run."""

from __future__ import annotations

import codecs
import os
import sys
from collections.abc import Mapping
from dataclasses import replace
from typing import Any

import click

from ccos_core.present import words
from ccos_core.serve import exits, felt, terminal
from ccos_core.serve.cli.common import give, json_option, tell, workspace, workspace_argument
from ccos_core.session.session import Session, open_session
from ccos_core.session.settings import recording_allowed
from ccos_core.session.worlds import Knowing
from ccos_core.state.failures import Key, Live
from ccos_core.state.spread import WHOLE, spread
from ccos_core.window.code import find, spelled

DEEPEST = 16
"""Dependencies that --depth follows at most."""
MOST_SHOWN = 6
_UTF16 = {codecs.BOM_UTF16_LE: "utf-16-le", codecs.BOM_UTF16_BE: "utf-16-be"}
LARGEST_OUTPUT = 64 * 2**20
"""Bytes of a run's output that are read; more than that is no output but a flood."""


@click.command("failure")
@workspace_argument
@click.argument("node", metavar="NODE")
@click.option("--test", default="", metavar="NAME", help="Name the failing test, so that it can pass by name.")
@click.option("--depth", type=click.IntRange(0, DEEPEST), help="List the nodes within this many dependencies.")
@json_option
def failure_command(ws: str, node: str, test: str, depth: int | None, as_json: bool) -> int:
    """Record that NODE, a file or symbol, fails. Code related to it ranks higher in the suggested window.

    \b
        ccos-tui failure work.ccos src/api.py --depth 2
    """
    with _telling(ws) as told:
        target = spelled(find(node, told.knowing), told.knowing)
        told.record({"kind": "failed", "runner": "user", "nodes": [target], **({"test": test} if test else {})})
        reached = _reached(told.knowing, target, depth) if depth is not None else None
        return told.answer("ccos.failure/1", as_json, reached)


def _reached(knowing: Knowing, node: str, depth: int) -> dict[str, int]:
    """Return the nodes within `depth` dependencies of `node`, each with the strength that reaches it, in 1/65,536."""
    graph, rules = knowing.world.graph, knowing.world.rules
    start = graph.find(node)
    if start is None:
        return {}
    nearer = replace(rules, caps={**rules.caps, "hops": depth})
    return dict(spread(graph, nearer, [((start.path, start.symbol), WHOLE)]))


@click.command("pass")
@workspace_argument
@click.argument("nodes", metavar="[NODE]...", nargs=-1)
@json_option
def pass_command(ws: str, nodes: tuple[str, ...], as_json: bool) -> int:
    """Record that NODEs work again, or everything. It ends the failures located there, and no others."""
    with _telling(ws) as told:
        targets = [spelled(find(node, told.knowing), told.knowing) for node in nodes]
        scope: dict[str, Any] = {"scope": "nodes", "nodes": targets} if targets else {"scope": "all"}
        told.record({"kind": "passed", "runner": "user", **scope})
        return told.answer("ccos.pass/1", as_json)


@click.command("page-fault")
@workspace_argument
@click.option(
    "--command", default="", metavar="COMMAND", help="The command that was run; it tells which tests a pass covers."
)
@json_option
def page_fault_command(ws: str, command: str, as_json: bool) -> int:
    """Read the output of a test run from stdin and record its failures. Code related to them ranks higher in the
    suggested window.

    \b
        pytest 2>&1 | ccos-tui page-fault work.ccos --command pytest
    """
    recording_allowed()
    if not os.path.exists(workspace(ws)):  # said before a long run has come to its end for nothing
        open_session(workspace(ws)).close()
    output = _read_end()
    outcome = felt.outcome_of(output, command)
    with _telling(ws) as told:
        told.record(
            {
                "kind": "tool",
                "name": "run",
                "actor": "user",
                "outcome": outcome,
                "result": output,
                **({"arguments": {"command": command}} if command else {}),
            }
        )
        return told.answer("ccos.page-fault/1", as_json)


def _read_end() -> str:
    """What comes in, or where that is a flood its end, which is where a run says how it went."""
    kept, first, flooded = b"", b"", False
    while more := sys.stdin.buffer.read(LARGEST_OUTPUT):
        flooded = bool(kept)
        first = first or more[:2]
        kept = kept[len(more) :] + more if flooded else more
    if flooded:
        tell(f"ccos-tui: the input is over {words.size(LARGEST_OUTPUT)}; only its end was read")
    return _decoded(kept, first)


def _decoded(output: bytes, first: bytes) -> str:
    """Return an output as text. Some shells redirect in UTF-16, which begins with a mark; a flood has lost it."""
    encoding = _UTF16.get(first[:2])
    text = output.decode(encoding or "utf-8", "replace")
    return text.removeprefix("\ufeff") if encoding else text


class _telling:  # noqa: N801  # read as a word: with _telling(ws) as told
    """A workspace while something is told to it: what lived before, and what lives after."""

    def __init__(self, ws: str) -> None:
        recording_allowed()
        self.session: Session = open_session(workspace(ws))

    def __enter__(self) -> _telling:
        try:
            self.knowing = Knowing(self.session.recorded)
        except BaseException:
            self.session.close()
            raise
        self.before = dict(self.knowing.world.failures.live)
        return self

    def __exit__(self, *_: object) -> None:
        self.session.close()

    def record(self, observation: dict[str, Any]) -> None:
        self.session.record([observation])
        self.knowing.catch_up()

    def answer(self, schema: str, as_json: bool, reached: Mapping[str, int] | None = None) -> int:
        live = self.knowing.world.failures.live
        if as_json:
            within = {"within": list(map(list, reached.items()))} if reached is not None else {}
            give({"schema": schema, "step": self.knowing.step, **felt.as_answer(self.before, live), **within})
        elif reached is not None:
            for node, strength in reached.items():
                terminal.show(words.visible(f"{100 * strength / WHOLE:5.1f} %  {node}"))
        tell(_in_words(felt.begun(self.before, live), felt.ended(self.before, live), len(live)))
        return exits.DONE


def _in_words(begun: dict[Key, Live], ended: list[Key], live: int) -> str:
    lines = []
    for key, each in list(begun.items())[:MOST_SHOWN]:
        where = each.anchors[0] if each.anchors else "outside this workspace"
        lines.append(f"{key[0]}: {words.clipped(each.failure.test or each.failure.message or 'failed', 80)}")
        lines.append(f"  location: {where}; reaches {words.count(len(each.strengths), 'node')}")
    if len(begun) > MOST_SHOWN:
        lines.append(f"... and {len(begun) - MOST_SHOWN:,} more")
    if ended:
        lines.append(f"{words.count(len(ended), 'failure')} ended")
    lines.append(f"{words.count(live, 'failure')} open" if live else "nothing fails now")
    return "\n".join(lines)
