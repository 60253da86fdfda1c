"""`ccos-tui mcp`, from its words to the first answer: a host starts it with each session, and waits.

So its few words are taken apart here, without a library for command lines, and nothing of the engine is imported.
"""

from __future__ import annotations

import os
import sys

from ccos_core.serve import exits
from ccos_core.serve.mcp.offering import DEFAULT, NAMES, STEERING, offering
from ccos_core.serve.mcp.server import serve as speak
from ccos_core.serve.mcp.tools.door import Door

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

    from ccos_core.serve.mcp.neighbour import Neighbour
    from ccos_core.serve.mcp.offer import Offer
    from ccos_core.serve.mcp.streams import Inbox

HELP = f"""\
Usage: ccos-tui mcp [WS] [--root DIR] [--toolsets NAME,...] [--record-recalls]
                    [--as PRINCIPAL] [--config FILE]

  Serve a workspace to an agent: the Model Context Protocol on stdin and stdout. It uses no network.

  WS is a workspace or a project folder; the default is the project of the current folder. A missing workspace is
  created, and the project's files are recorded in the background.

Options:
  --root DIR         The project folder for a new workspace.
  --toolsets NAMES   Tools to offer, separated by commas: {", ".join(NAMES)}.  [default: {",".join(DEFAULT)}]
  --record-recalls   Record the windows given to the agent.
  --as PRINCIPAL     Show what PRINCIPAL may see; `ccos-tui govern` says what that is.  [default: agent]
  --config FILE      Settings of the toolset context, YAML or TOML.  [default: $COS_CONFIG]
  --help             Show this message and exit.
"""


class Words:
    """What the words of the command come to."""

    def __init__(self) -> None:
        self.workspace = ""
        self.root = ""
        self.toolsets: tuple[str, ...] = DEFAULT
        self.record_recalls = False
        self.principal = ""
        self.config = ""
        self.help = False
        self.wrong = ""
        """What of it doesn't fit."""


def main(arguments: Sequence[str]) -> int:
    """Serve until the host has left; gives the exit code."""
    asked = understood(arguments)
    if asked.help:
        sys.stdout.write(HELP)
        return exits.DONE
    if asked.wrong:
        from ccos_core.text.sanitize import surface

        sys.stderr.write(f"ccos-tui: {surface(asked.wrong)[0]}\n  See: ccos-tui mcp --help\n")
        return exits.USAGE
    return serve(asked)


def serve(asked: Words) -> int:
    """Serve what was asked for."""
    if sys.stdin is None or sys.stdout is None:  # closed by whoever started us: nobody is there
        return exits.DONE
    try:
        here = os.getcwd()
    except OSError:
        sys.stderr.write("ccos-tui: the current folder doesn't exist any more\n")
        return exits.UNAVAILABLE
    settings = None
    if config := asked.config or os.environ.get("COS_CONFIG", "") * (STEERING in asked.toolsets):
        from ccos_core.errors import CcosError
        from ccos_core.session.context_settings import read_settings

        try:
            settings = read_settings(os.path.expanduser(config))
        except CcosError as error:
            sys.stderr.write(f"ccos-tui: --config: {error}\n")
            return exits.code_of(error)
    path, root = whereabouts(asked.workspace, asked.root or (settings.root if settings else ""), here)
    door = Door(
        path,
        root,
        record_recalls=asked.record_recalls,
        hearing=_hear,
        principal=asked.principal,
        steers=STEERING in asked.toolsets,
        settings=settings,
    )
    near: list[Neighbour] = []

    def offered() -> Offer:
        door.begin(asked=bool(asked.root))
        return offering(door, asked.toolsets)

    def greeted(inbox: Inbox) -> None:
        from ccos_core.serve.mcp.neighbour import Neighbour

        near.append(Neighbour(door))
        near[0].begin(inbox.hand_in)

    try:
        return speak(offered, sys.stdin.buffer, sys.stdout.buffer, greeted)
    finally:
        for neighbour in near:
            neighbour.close()
        door.close()


def _hear(path: str) -> object:
    from ccos_core.session.hearing import take_in

    return take_in(path)


def understood(arguments: Sequence[str]) -> Words:
    """What the words of the command say."""
    asked, waiting = Words(), list(arguments)
    while waiting and not asked.wrong:
        word, _, value = (said := waiting.pop(0)).partition("=")
        if word in ("--root", "--toolsets", "--as", "--config"):
            if said == word:
                value = waiting.pop(0) if waiting else ""
            _take(asked, word, value)
        elif said == "--record-recalls":
            asked.record_recalls = True
        elif said in ("--help", "-h"):
            asked.help = True
        elif said.startswith("-") or asked.workspace:
            asked.wrong = (
                f"mcp has no option {said!r}." if said.startswith("-") else f"{said!r} is one argument too many."
            )
        else:
            asked.workspace = said
    return asked


def whereabouts(workspace: str, root: str, here: str) -> tuple[str, str]:
    """(the workspace's file, the project it would be about if it were made)."""
    from ccos_core.storage.locate import default_path, project_root

    workspace = workspace or ("" if root else os.environ.get("CCOS_WORKSPACE", ""))  # as hooks do
    folder = workspace or root or here
    if os.path.isdir(folder):
        project = os.path.abspath(root) if root else project_root(folder)
        return default_path(project_root(folder)), project
    return workspace, os.path.abspath(root) if root else project_root(here)


def _take(asked: Words, option: str, value: str) -> None:
    if not value:
        asked.wrong = f"{option} needs a value."
    elif option == "--root":
        asked.root = value
        asked.wrong = "" if os.path.isdir(value) else f"--root: {value!r} isn't a folder."
    elif option == "--as":
        asked.principal = value
    elif option == "--config":
        asked.config = value
    else:
        asked.toolsets = tuple(name.strip() for name in value.split(",") if name.strip())
        strangers = [name for name in asked.toolsets if name not in NAMES]
        if strangers or not asked.toolsets:
            asked.wrong = f"--toolsets: {strangers[0] if strangers else value!r} isn't one of {', '.join(NAMES)}."
