"""The console script. Headless words go straight to the command line; nothing that draws is imported for them."""

from __future__ import annotations

import sys


def main(argv: list[str] | None = None) -> int:
    """Run `ccos-tui`; gives the exit code."""
    arguments = sys.argv[1:] if argv is None else argv
    if arguments == ["--version"]:
        # Agents and scripts ask this often; it costs a Python and one string, not a command line library.
        from ccos_core._version import __version__

        print(f"ccos-tui {__version__}")
        return 0
    try:
        from ccos_core.serve.cli.main import main as run

        return run(arguments)
    except KeyboardInterrupt:  # while something was still being imported
        print("ccos-tui: interrupted", file=sys.stderr)
        return 130


if __name__ == "__main__":
    sys.exit(main())
