"""The console script: a name alone at a terminal opens the screens, everything else goes straight to the command line.

Nothing that draws is imported for headless words, for a pipe, for `--json` and `--plain`, or on a terminal that can't
show a screen.
"""

from __future__ import annotations

import gc
import os
import sys
from collections.abc import Sequence

FRAMES = 250
"""Frames a second at most. Textual paints what comes right after a frame two frames later, which at its own 60 is a
thirtieth of a second that nobody works in: an answer takes less. Nothing is painted where nothing changed."""

NAMED = {"demo": "demos", "search": "search"}
"""A word alone → the screen it opens."""
DEMOS = ("evicted", "forgotten", "loop")
"""Names of the demonstrations, without loading them."""


def main(argv: list[str] | None = None) -> int:
    """Run `ccos-tui`; gives the exit code."""
    arguments = sys.argv[1:] if argv is None else argv
    if arguments == ["--version"]:
        # Agents and scripts ask this often; it costs a Python and one string, not a command line library.
        from ccos_core._version import __version__

        print(f"ccos-tui {__version__}")
        return 0
    if arguments[:1] == ["hook"] and "--help" not in arguments:
        # Runs at every call of an agent's tools, and ends the process.
        gc.disable()
        from ccos_core.serve.hook import main as hear

        hear(arguments[1:])
    try:
        if arguments[:1] == ["mcp"]:  # a host starts it with each session, and waits for its first answer
            from ccos_core.serve.mcp.start import main as serve

            return serve(arguments[1:])
        wanted = named(arguments) if has_screen() else None
        if wanted is not None:
            return shown(wanted)
        from ccos_core.serve.cli.main import add_commands
        from ccos_core.serve.cli.main import main as run
        from ccos_tui.commands import COMMANDS

        add_commands(COMMANDS)
        return run(arguments)
    except KeyboardInterrupt:  # while something was still being imported
        print("ccos-tui: interrupted", file=sys.stderr)
        return 130


def shown(wanted: str) -> int:
    """Open a screen on what somebody named; gives the exit code."""
    os.environ.setdefault("TEXTUAL_FPS", str(FRAMES))  # read once, when Textual is imported
    from ccos_tui.app import run

    return run(wanted)


def has_screen() -> bool:
    """Whether a person sits at a terminal that can show more than lines."""
    try:
        return sys.stdin.isatty() and sys.stdout.isatty() and os.environ.get("TERM", "dumb") not in ("", "dumb")
    except (AttributeError, ValueError):  # closed, or taken away
        return False


def named(arguments: Sequence[str]) -> str | None:
    """What is to be opened on a screen: nothing named is the list of sessions; None where the words are headless."""
    if not arguments:
        return ""
    if arguments[0] == "demo" and len(arguments) == 2 and not arguments[1].startswith("-"):
        return f"demo:{arguments[1]}" if arguments[1] in DEMOS else None
    if len(arguments) > 1 or arguments[0].startswith("-"):
        return None
    (word,) = arguments
    if word in NAMED:
        return NAMED[word]
    if os.sep not in word and "." not in word:  # it may be a command; none of them looks like that
        from ccos_core.serve.cli.main import is_command
        from ccos_tui.commands import COMMANDS

        if is_command(word) or word in COMMANDS:
            return None
    return word if os.path.lexists(word) else None


if __name__ == "__main__":
    sys.exit(main())
