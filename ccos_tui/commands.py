"""Commands of the screens. They draw nothing; the command line lists and runs them like its own."""

from __future__ import annotations

from collections.abc import Callable

import click


def load_config() -> click.Command:
    """Make the `config` command."""
    from ccos_tui import config_words

    @click.command("config")
    @click.argument("what", type=click.Choice(config_words.WORDS), default="print")
    def config_command(what: str) -> int:
        """Show the settings of the screens, print a template for them, or print the path of their file.

        \b
            ccos-tui config
            ccos-tui config template > settings.toml
            ccos-tui config path
        """
        return config_words.main([what])

    return config_command


COMMANDS: dict[str, tuple[Callable[[], click.Command], str]] = {
    "config": (load_config, "Show the settings of the screens, or print a template."),
}
"""Command → what makes it, and what it does in one line."""
