"""The command line's front door: find the command, run it, and end with a code out of the one table.

Commands are imported when they are called, so that `--version` and a short command cost what they must and no more.
Whatever goes wrong is said in one place: a sentence on stderr, an object on stdout for those who asked for JSON, a
report file for what is our own defect; never a traceback.
"""

from __future__ import annotations

import importlib
import os
import sys
from collections.abc import Callable, Mapping, Sequence

import click

from ccos_core._version import __version__
from ccos_core.query.catalogue import QUESTIONS
from ccos_core.serve import exits, terminal
from ccos_core.serve.cli.common import TOON, complain, format_in
from ccos_core.serve.defects import explained

COMMANDS = {
    "demo": ("demo", "List the demonstrations, or open one."),
    "sessions": ("sessions", "List the agent sessions on this machine."),
    "search": ("search", "Search what was said in all sessions on this machine."),
    "setup": ("setup", "Connect the agents on this machine, so that they are recorded."),
    "doctor": ("setup", "Check this installation and show how to repair it."),
    "init": ("making", "Create a workspace."),
    "ingest": ("recording", "Record the source files of a project."),
    "log": ("reading", "List the recorded steps."),
    "window": ("recalling", "Print the code around a file, within a token budget."),
    "analyze": ("structure", "Summarize the structure of code: entry points, hubs, import cycles."),
    "top": ("structure", "List the files and symbols that most other code depends on."),
    "regions": ("structure", "List the groups of files that belong together."),
    "recall": ("recalling", "Print the suggested window for an agent now."),
    "failure": ("troubles", "Record a failure."),
    "pass": ("troubles", "Record that something works again."),
    "page-fault": ("troubles", "Record the failures in the output of a test run."),
    "squeeze": ("squeezing", "Shorten the output of a command; the original can be fetched."),
    "retrieve": ("squeezing", "Print the original of what was shown shortened."),
    "sanitize": ("sanitizing", "Find hidden characters and look-alike letters in files."),
    "stats": ("reading", "Show what a workspace contains and what takes up its space."),
    "replay": ("replaying", "Recompute the state from the first step and print its hash."),
    "verify": ("proving", "Prove that no recorded step was changed."),
    "copy": ("making", "Copy a workspace, even while it is being written."),
    "export": ("exporting", "Write a record as JSON Lines, or for other programs."),
    "import": ("importing", "Import transcripts into a workspace."),
    "restore": ("restoring", "Write the files of a step into a folder."),
    "reflect": ("reflecting", "Record the rules that new sessions bear out."),
    "blame-commit": ("blaming", "List the sessions and steps that made a commit."),
    "blame-line": ("blaming", "Find the session and the step that wrote a line of a file."),
    "compact": ("making", "Move old steps into the archive."),
    "forget": ("making", "Erase recorded text for good; the chain stays valid."),
    "gone": ("making", "Tell whether a statement is really gone."),
    "pause": ("making", "Stop recording."),
    "resume": ("making", "Resume recording."),
    "upgrade": ("making", "Upgrade a workspace to the current format and epoch."),
    "mcp": ("serving", "Serve a workspace to an agent (MCP on stdin and stdout)."),
    "hook": ("serving", "Record an event that an agent reports."),
    "memory": ("serving", "Use a workspace from a script, in JSON Lines."),
    "playbook": ("playbook", "Write the rules to a file, or take rules from one."),
    "mirror": ("mirroring", "Keep files, Postgres or Qdrant up with what a workspace remembers."),
    "copies": ("writing_copies", "Write the map and the access log as files."),
    "report": ("reporting", "Write a page that plays a session in a browser."),
    "check": ("checking", "Check a session against rules, for continuous integration."),
    "postmortem": ("asking", "Ask a workspace several questions."),
    "help": ("helping", "Show the help of a command."),
    "completion": ("helping", "Print the completion script for a shell."),
}
"""Command → the file it lives in, and what it does in one line. The order is that of the help."""
ASKING = {entry.name: entry.summary for entry in QUESTIONS if entry.name not in COMMANDS}
"""Question → what it tells in one line. Each is a command as well."""
WRITING = tuple(entry.name for entry in QUESTIONS if entry.writes)
ADDED: dict[str, tuple[Callable[[], click.Command], str]] = {}
"""Command of another package → what makes it, and what it does in one line; see `add_commands`."""
MANNERS = ("--plain", "--json")


def add_commands(commands: Mapping[str, tuple[Callable[[], click.Command], str]]) -> None:
    """Make the command line list and run these, too: the engine knows no screen, so the screens bring their own."""
    ADDED.update(commands)


def is_command(word: str) -> bool:
    """Return whether `word` is the name of a command."""
    return word in COMMANDS or word in ASKING or word in ADDED


class Commands(click.Group):
    """The commands of the table, each imported when it is asked for."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        return [*COMMANDS, *ASKING, *ADDED]

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        if cmd_name in ASKING:
            from ccos_core.serve.cli.asking import command_of

            return command_of(cmd_name)
        if cmd_name in ADDED:
            return ADDED[cmd_name][0]()
        if cmd_name not in COMMANDS:
            return None
        module = importlib.import_module(f"ccos_core.serve.cli.{COMMANDS[cmd_name][0]}")
        command = getattr(module, f"{cmd_name.replace('-', '_')}_command")
        assert isinstance(command, click.Command)
        return command

    def invoke(self, ctx: click.Context) -> object:
        try:
            outcome = super().invoke(ctx)
            sys.stdout.flush()
            return outcome
        except BrokenPipeError:
            raise _Unheard from None  # click would end with 1, and nothing went wrong

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        with formatter.section("Commands"):
            every = {**COMMANDS, **ADDED}
            formatter.write_dl([(name, words) for name, (_, words) in every.items()])
        with formatter.section("Questions about a workspace at any step (also in postmortem)"):
            formatter.write_dl([(name, words) for name, words in ASKING.items() if name not in WRITING])
        with formatter.section("Commands that record what you tell (also in postmortem)"):
            formatter.write_dl([(name, ASKING[name]) for name in WRITING])

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        if args and not is_command(args[0]):
            if os.path.lexists(args[0]):
                from ccos_core.serve.cli.opening import open_command

                return "open", open_command, args
            raise click.UsageError(_unknown(args[0]), ctx)
        return super().resolve_command(ctx, ["blame-line", *args[1:]] if _blames_line(args) else args)


def _blames_line(words: Sequence[str]) -> bool:
    """Whether `blame` is asked about a line of a file, rather than a node of a workspace."""
    place = next((word for word in words[1:] if not word.startswith("-")), "")
    path, _, line = place.rpartition(":")
    return words[:1] == ["blame"] and line.isdecimal() and not os.path.lexists(place) and os.path.isfile(path)


def _unknown(said: str) -> str:
    """What is wrong with a first word that is neither a command nor a file."""
    from difflib import get_close_matches

    if os.sep in said or "." in said:  # no command looks like that
        return f"there is no file {said!r}."
    near = get_close_matches(said, [*COMMANDS, *ASKING, *ADDED], 1)
    return f"there is no command {said!r}. " + (f"Did you mean {near[0]}?" if near else "There is no such file either.")


@click.command(
    cls=Commands, name="ccos-tui", no_args_is_help=True, context_settings={"help_option_names": ["-h", "--help"]}
)
@click.version_option(__version__, "--version", message="ccos-tui %(version)s")
def group() -> None:
    """The flight recorder and post-mortem debugger for coding agents' working memory.

    \b
        ccos-tui           pick an agent session on this machine and open it
        ccos-tui PATH      open a transcript, a workspace, or a project folder
        ccos-tui demo      choose a demonstration

    At a terminal these open the screens. Piped, or with --json, they print a summary. With --plain before or after
    PATH, type questions and read answers in sentences; --plain alone lists the sessions.

    Results go to stdout, messages to stderr. Exit codes: 0 done, 1 no, 2 usage, 3 input not understood, 4 damaged, 5
    busy or no permission, 130 interrupted.
    """


def main(arguments: Sequence[str] | None = None) -> int:
    """Run one command; gives its exit code."""
    given = _options_last(sys.argv[1:] if arguments is None else arguments)
    terminal.prepare()
    try:
        outcome = group.main(given, prog_name="ccos-tui", standalone_mode=False)
        return outcome if isinstance(outcome, int) else exits.DONE
    except _Unheard:
        terminal.silence()
        return exits.DONE
    except click.exceptions.NoArgsIsHelpError as error:
        click.echo(error.ctx.get_help() if error.ctx else "")
        return exits.DONE
    except Exception as error:
        fact, place, hint, code = explained(error, given)
        form = format_in(given)
        return complain(fact, place=place, hint=hint, code=code, as_json=bool(form), toon=form == TOON)


def _options_last(given: Sequence[str]) -> list[str]:
    """The words, with how an answer is wanted behind what is asked, where people say it first as well: `--plain PATH`.
    Alone it is about the sessions there are, as no word at all is at a terminal."""
    first = next((at for at, word in enumerate(given) if word not in MANNERS), len(given))
    return [*(given[first:] or ["sessions"] * bool(first)), *given[:first]]


class _Unheard(Exception):
    """Whoever read our output has closed it."""
