"""`demo`: the product on a small scripted workspace, without any set-up."""

from __future__ import annotations

import json
import os
import shlex
import shutil
import sys
import tempfile

import click

from ccos_core.serve import demo_story, exits, terminal
from ccos_core.serve.cli.proving import as_text
from ccos_core.serve.op_line import OpLines
from ccos_core.session.lifecycle import init_elsewhere
from ccos_core.session.session import open_session
from ccos_core.storage.opening import open_record
from ccos_core.storage.proof import prove


@click.command("demo")
def demo_command() -> int:
    """Create a small scripted workspace in a temporary folder, print its log and proof, and suggest commands.

    At a terminal, `ccos-tui demo` opens the debugger instead.
    """
    folder = tempfile.mkdtemp(prefix="ccos-demo-")
    path = os.path.join(folder, "demo.ccos")
    head = build(path)
    terminal.show("The user tells an agent that invoices are a hundred times too high. The record:\n")
    with open_record(path) as record:
        lines = OpLines(terminal.columns(), record)
        for step, _, body in record.rows():
            for line in lines.of(step, json.loads(body)):
                terminal.show(line)
        proof = prove(record)
    terminal.show(f"\n{as_text(proof)}\n")
    terminal.show(
        "The cause is in src/db.py, read at step 6, lost at step 40, and seen again at step 53.\n"
        "A password never reached the disk (step 11), nor did what .env holds (step 15);\n"
        "a hidden character was made visible (step 12).\n"
        f"The head {head[:12]} is the same on every machine.\n"
    )
    program = program_name()
    terminal.show("Try:")
    for words in ("autopsy {}", "missing {} src/db.py", "postmortem {}", "verify {}"):
        terminal.show(f"  {program} {words.format(shlex.quote(path))}")
    return exits.DONE


def build(path: str) -> str:
    """Make the demonstration's workspace; gives its head."""
    init_elsewhere(path, demo_story.CWD, demo_story.START)
    with open_session(path, clock=lambda: demo_story.START) as session:
        session.record(demo_story.observations(token="h" + "unter2-orders"))
        return session.recorded.head()[1].hex()


def program_name() -> str:
    """How the user can type this program here: by its name, or by its path if it isn't on PATH."""
    beside_python = os.path.join(os.path.dirname(sys.executable), "ccos-tui")
    for program in (os.path.abspath(sys.argv[0]), beside_python):
        if os.path.basename(program).startswith("ccos-tui") and os.path.exists(program):
            return "ccos-tui" if shutil.which("ccos-tui") else shlex.quote(program)
    return f"{shlex.quote(sys.executable)} -m ccos_tui"
