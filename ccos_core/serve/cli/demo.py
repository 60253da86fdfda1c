"""`demo`: the product on small sessions that we wrote, without any set-up."""

from __future__ import annotations

import json
import os
import shlex
import shutil
import sys
import tempfile

import click

from ccos_core.serve import exits, terminal
from ccos_core.serve.cli.proving import as_text
from ccos_core.serve.demos.catalogue import DEMOS, EVICTED, Demo, build
from ccos_core.serve.op_line import OpLines
from ccos_core.storage.opening import open_record
from ccos_core.storage.proof import prove


@click.command("demo")
@click.argument("name", metavar="[NAME]", type=click.Choice(list(DEMOS)), required=False)
def demo_command(name: str | None) -> int:
    """List the demonstrations, or create one in a temporary folder, print its log and proof, and suggest commands.

    \b
        ccos-tui demo
        ccos-tui demo loop

    At a terminal, `ccos-tui demo` shows the list as a screen, and `ccos-tui demo NAME` opens one in the debugger.
    """
    if name is None:
        _list()
        return exits.DONE
    folder = tempfile.mkdtemp(prefix="ccos-demo-")
    path = os.path.join(folder, f"{name}.ccos" if name != EVICTED else "demo.ccos")
    head = build(path, name)
    demo = DEMOS[name]
    terminal.show(f"{demo.title}. {demo.shows}\n")
    with open_record(path) as record:
        lines = OpLines(terminal.columns(), record)
        for step, _, body in record.rows():
            for line in lines.of(step, json.loads(body)):
                terminal.show(line)
        proof = prove(record)
    terminal.show(f"\n{as_text(proof)}\n")
    for line in demo.answer:
        terminal.show(line)
    terminal.show(f"The head {head[:12]} is the same on every machine.\n")
    _suggest(demo, path)
    return exits.DONE


def _list() -> None:
    for demo in DEMOS.values():
        terminal.show(f"  {demo.name:<10}  {demo.title}. {demo.shows}")
    terminal.show(f"\nOpen one: {program_name()} demo NAME")


def _suggest(demo: Demo, path: str) -> None:
    terminal.show("Try:")
    for words in (*demo.asks, "postmortem {}", "verify {}"):
        terminal.show(f"  {program_name()} {words.format(shlex.quote(path))}")


def program_name() -> str:
    """How the user can type this program here: by its name, or by its path if it isn't on PATH."""
    beside_python = os.path.join(os.path.dirname(sys.executable), "ccos-tui")
    for program in (os.path.abspath(sys.argv[0]), beside_python):
        if os.path.basename(program).startswith("ccos-tui") and os.path.exists(program):
            return "ccos-tui" if shutil.which("ccos-tui") else shlex.quote(program)
    return f"{shlex.quote(sys.executable)} -m ccos_tui"
