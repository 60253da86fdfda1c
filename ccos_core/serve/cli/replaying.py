"""`replay`: fold a record anew, and say what state that gives."""

from __future__ import annotations

from collections.abc import Mapping

import click

from ccos_core.errors import NotFound
from ccos_core.present import words
from ccos_core.query.failing import last_change
from ccos_core.serve import exits, terminal
from ccos_core.serve.cli.common import give, json_option, reading, workspace_argument
from ccos_core.session.journaling import timeline_of
from ccos_core.session.worlds import Knowing


@click.command("replay")
@workspace_argument
@click.option("--to", "step", type=click.IntRange(min=0), help="Stop at this step.")
@json_option
def replay_command(ws: str, step: int | None, as_json: bool) -> int:
    """Recompute the state of WS from its first step and print its hash, which is the same on every machine.

    \b
        ccos-tui replay work.ccos
        ccos-tui replay work.ccos --to 40 --json
    """
    with reading(ws) as record:
        last = record.head()[0]
        if step is not None and step > last:
            raise NotFound(f"there is no step {step:,}", place=ws, hint=f"The last step is {last:,}.")
        knowing = Knowing(record, last if step is None else step)
        head = record.op(knowing.step)[1].hex() if knowing.step else ""
        sizes = _sizes(knowing)
    if as_json:
        give(
            {
                "schema": "ccos.replay/1",
                "step": knowing.step,
                "head": head,
                "state": knowing.digest(),
                **sizes,
            }
        )
    else:
        terminal.show(as_text(knowing, head, sizes))
    return exits.DONE


def as_text(knowing: Knowing, head: str, sizes: Mapping[str, int]) -> str:
    """Describe the state."""
    due = sizes["rerun_due"]
    failing = f"{sizes['failures'] - due:,} failing now" + (f", {due:,} not run again since a change" if due else "")
    lines = [
        f"step   {knowing.step:,}",
        f"head   {head}",
        f"state  {knowing.digest()}",
        f"       {words.count(sizes['files'], 'file')}, {words.count(sizes['symbols'], 'symbol')}, "
        f"{words.count(sizes['edges'], 'edge')}",
        f"       {sizes['warm']:,} warm, {failing}",
    ]
    if sizes["partial"]:
        lines.append(f"partial: facts missing for {words.count(sizes['partial'], 'text')}")
    return "\n".join(lines)


def _sizes(knowing: Knowing) -> dict[str, int]:
    """Count what the state holds; the record has to be open."""
    world = knowing.world
    live = world.failures.live.values()
    changed = last_change(timeline_of(knowing.record), knowing.step) if live else 0
    return {
        "files": len(world.graph.files),
        "symbols": sum(len(nesting.outline.symbols) for nesting in world.graph.files.values()),
        "edges": sum(len(edges) for edges in world.graph.edges.values()),
        "warm": sum(1 for _ in world.warm()),
        "failures": len(live),
        "rerun_due": sum(each.step < changed for each in live),
        "partial": len(knowing.facts.missing),
    }
