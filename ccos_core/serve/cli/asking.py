"""The questions as commands of their own, each made from the catalogue; and `postmortem`, which asks many at once.

What a question needs is loaded when it is asked, so that help and the list of commands cost nothing.
"""

from __future__ import annotations

import shlex
from typing import TYPE_CHECKING

import click

from ccos_core.query.catalogue import BY_NAME
from ccos_core.query.tool import Entry
from ccos_core.serve import exits, terminal
from ccos_core.serve.answering import manner_of, show, told_of_damage
from ccos_core.serve.cli.common import FORMAT_OPTION, JSON_OPTION, json_option, reading, split_step, workspace_argument
from ccos_core.serve.terminal import Bars
from ccos_core.text.delivered import CLOSING, OPENING

if TYPE_CHECKING:
    from ccos_core.session.asking import Desk
    from ccos_core.storage.record import Record

plain_option = click.option(
    "--plain", is_flag=True, help="Print full sentences for a screen reader, without symbols and columns."
)
as_option = click.option(
    "--as", "principal", default="owner", metavar="PRINCIPAL", help="See what PRINCIPAL may see, such as agent."
)


@click.command("postmortem")
@workspace_argument
@json_option
@plain_option
@as_option
def postmortem_command(ws: str, as_json: bool, plain: bool, principal: str) -> int:
    """Ask WS several questions, one command a line, from a terminal or a pipe. `help` lists the commands.

    \b
        ccos-tui postmortem work.ccos
        printf '%s\\n' 'timeline' 'missing src/db.py 40' 'quit' | ccos-tui postmortem work.ccos

    The cursor starts at the last step; `goto`, `next` and `prev` move it. After an error, which goes to stderr, it
    reads on; from a pipe, the exit code is the highest of all commands. With --json it prints one object per command.
    With --json and no input it prints all it knows about WS as one object.
    """
    from ccos_core.serve.repl.loop import run

    bars = Bars()
    with reading(ws) as record, desk_of(record, bars, principal) as desk:
        return run(desk, manner_of(as_json=as_json, aloud=plain), bars)


SHELLS = "\"'|<>&;()$*?!`"
"""What a shell would take for something else."""

WHOLE_WINDOW = "verbatim"
"""The question whose answer is all that was said."""


def command_of(name: str) -> click.Command:
    """The command that asks one question."""
    return AskCommand(BY_NAME[name])


def desk_of(record: Record, bars: Bars, principal: str = "owner") -> Desk:
    """Return where a record is asked, by whom."""
    from ccos_core.session.asking import Desk

    desk = Desk(record, bars.folding, bars.asking)
    desk.principal = principal
    desk.actor = "user" if principal == "owner" else "agent"
    return desk


class AskCommand(click.Command):
    """A question as a command. Its words are taken apart as in the REPL, so both understand the same."""

    def __init__(self, entry: Entry) -> None:
        self.entry = entry
        super().__init__(
            entry.name,
            callback=self._ask,
            params=[
                click.Argument(["ws"], metavar="WS", type=click.Path(path_type=str)),
                click.Argument(["words"], nargs=-1, type=click.UNPROCESSED),
                click.Option(["--json", "as_json"], **JSON_OPTION),
                click.Option(["--format"], **FORMAT_OPTION),
                click.Option(
                    ["--plain"],
                    is_flag=True,
                    help="Print full sentences for a screen reader, without symbols and columns.",
                ),
                click.Option(
                    ["--as", "principal"],
                    default="owner",
                    metavar="PRINCIPAL",
                    help="See what PRINCIPAL may see, such as agent.",
                ),
            ],
            context_settings={"ignore_unknown_options": True},
            short_help=entry.summary,
        )

    def _ask(self, ws: str, words: tuple[str, ...], as_json: bool, plain: bool, principal: str) -> int:
        from ccos_core.query.words import assigned, of_shell

        ws, step = split_step(ws)
        as_of = ("--at", step) if step is not None else ()
        said = assigned(self.entry.load(), self.name or "", of_shell((*as_of, *words)))
        bars = Bars()
        with reading(ws) as record, desk_of(record, bars, principal) as desk:
            try:
                asked = desk.ask(self.entry, said)
            finally:
                bars.end()
            is_marked = not as_json and (self.name == WHOLE_WINDOW or _is_suggested(self.name, asked.answer))
            if is_marked:  # so that it is known for ours where it is pasted
                terminal.show(f"{OPENING}:")
            show(asked.answer, manner_of(as_json=as_json, aloud=plain), asked.partial)
            if is_marked:
                terminal.show(CLOSING)
            if told_of_damage(desk):
                return exits.DAMAGED
        return exits.NO if asked.question.nothing(asked.answer) else exits.DONE

    # -- its help, which the question itself tells ----------------------------------------------------------------

    def collect_usage_pieces(self, ctx: click.Context) -> list[str]:
        from ccos_core.query.words import usage

        said = usage("", self.entry.load()).split()
        return ["WS", *said, "[OPTIONS]"]

    def format_help_text(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        from ccos_core.query.help import command_of as told

        command = told(self.entry)
        formatter.write_paragraph()
        with formatter.indentation():
            formatter.write_text(command.summary)
            if command.about:
                formatter.write_paragraph()
                _write(command.about, formatter)
            formatter.write_paragraph()
            formatter.write_text(f"ccos-tui {with_workspace(command.example)}")

    def format_options(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        from ccos_core.query.help import command_of as told

        taken = told(self.entry).arguments
        if taken:
            with formatter.section("Arguments"):
                formatter.write_dl([(each.name, _explained(each.what, each.said, each.default)) for each in taken])
        super().format_options(ctx, formatter)


def _is_suggested(name: str | None, answer: object) -> bool:
    """Tell whether an answer is a window of ours; the agent's own has no lens."""
    return name == "recall" and hasattr(answer, "lens")


def with_workspace(example: str) -> str:
    """A line of the REPL as a command."""
    word, _, rest = example.partition(" ")
    rest = shlex.quote(rest) if any(char in SHELLS for char in rest) else rest
    return f"{word} work.ccos {rest}".rstrip()


def _write(about: str, formatter: click.HelpFormatter) -> None:
    """A paragraph as wide as it may be; what stands in lines stays in them."""
    if "\n" not in about:
        formatter.write_text(about)
    for line in about.splitlines() * ("\n" in about):
        formatter.write(f"{'':>{formatter.current_indent}}{line}".rstrip() + "\n")


def _explained(what: str, said: str, default: str) -> str:
    return what + (f" ({said})" if said else "") + (f"  [default: {default}]" if default else "")
