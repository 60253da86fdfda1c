"""Print the reference pages from the tables they describe: `python docs/generate.py`; a test keeps them current.

`docs/OPS.md` comes from the vocabulary's table and the words beside its dataclasses, `docs/CLI.md` from the commands,
`docs/QUERIES.md` from the catalogue of questions and the words beside their answers, `docs/KEYS.md` from the keys,
`docs/MCP.md` from what the server offers.
"""

from __future__ import annotations

import ast
import dataclasses
import inspect
import sys
from pathlib import Path
from typing import get_args, get_type_hints

import click

HERE = Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent))

from ccos_core.ops import codec, table  # noqa: E402
from ccos_core.ops.base import Op  # noqa: E402
from ccos_core.query import telling  # noqa: E402
from ccos_core.query.catalogue import QUESTIONS, Entry  # noqa: E402
from ccos_core.query.help import command_of  # noqa: E402
from ccos_core.query.question import FORMS  # noqa: E402
from ccos_core.serve import exits  # noqa: E402
from ccos_core.serve.cli.main import COMMANDS, add_commands, group  # noqa: E402
from ccos_core.serve.mcp.offer import Offer, Tool  # noqa: E402
from ccos_core.serve.mcp.offering import ALL, DEFAULT, TOOLSETS, offering  # noqa: E402
from ccos_core.serve.mcp.tools.door import Door  # noqa: E402
from ccos_tui.commands import COMMANDS as ADDED  # noqa: E402
from ccos_tui.keys import ACTIONS, EVERYWHERE, HOME, Action, sign  # noqa: E402


def pages() -> dict[Path, str]:
    """Every generated page and what should stand in it."""
    return {
        HERE / "OPS.md": ops_page(),
        HERE / "CLI.md": cli_page(),
        HERE / "QUERIES.md": queries_page(),
        HERE / "KEYS.md": keys_page(),
        HERE / "MCP.md": server_page(),
    }


def keys_page() -> str:
    """Every key of the screens."""
    parts = [
        "# Keys",
        "Generated from `ccos_tui/keys.py`. Digits before a key are a count: `3j` goes three steps on, `42G` to step "
        "42. Keys can be set otherwise by the name of their action: `ccos-tui config template`. What stands under "
        "*headless* is typed behind `:`, or into `ccos-tui postmortem`, and gives the same. `NO_COLOR` leaves colours "
        "out; `CCOS_ASCII=1` draws with plain letters, and `CCOS_ASCII=0` with all of them, whatever the terminal says "
        "of itself.",
    ]
    for title in dict.fromkeys(each.group for each in ACTIONS):
        rows = [_key_row(each) for each in ACTIONS if each.group == title]
        parts += [f"## {title}", "\n".join(["| keys | what it does | action | headless |", "|---|---|---|---|", *rows])]
    return "\n\n".join(parts) + "\n"


def _key_row(action: Action) -> str:
    keys = " ".join(f"`{sign(key)}`" for key in action.keys)
    where = "" if action.where in (HOME, EVERYWHERE) else f" (on the screen `{action.where}`)"
    command = f"`{action.command}`" if action.command else ""
    return f"| {keys} | {action.words}{where} | `{action.id}` | {command} |"


def server_page() -> str:
    """What an agent's host can ask of `ccos-tui mcp`."""
    offer = offering(Door("work.ccos", "."), (ALL,))
    parts = [
        "# What the server offers an agent",
        "Generated from `ccos_core/serve/mcp`. `ccos-tui mcp [WS]` serves one workspace on stdin and stdout; without "
        "WS that of the project one works in, which is made and looked through in the background if it isn't there. "
        f"Unasked a host gets the toolsets {' and '.join(f'`{name}`' for name in DEFAULT)}; `--toolsets NAME,...` "
        "names others, `--toolsets all` them all.",
        f"{_plain_tools(offer)} answer with plain text: the code as it stands, and around it notes and references. The "
        "other answers are objects with a `schema`; a question's is as in [QUERIES.md](QUERIES.md). In them `asked` "
        "repeats the arguments as they were taken, defaults too, and `notes` says what the answer doesn't know yet. "
        "Wrong arguments are answered with `isError`, the argument's name and the nearest value, which stand in "
        "`_meta` by themselves as well. Only tools marked so record anything, and reading with `--record-recalls`; but "
        "before a window is given, its files and those spoken of lately are compared with the disk, and what differs "
        "is recorded: as edited if this server knew the file, for some hosts have no hook for an edit, else without "
        "heat.",
    ]
    for toolset in TOOLSETS:
        parts.append(f"## Toolset `{toolset}`")
        for tool in offer.tools:
            parts += tool_parts(tool) if tool.toolset == toolset else []
    rows = [f"| `{each.uri}` | {cell(each.description)} |" for each in offer.resources]
    parts += ["## Resources", "\n".join(["| | |", "|---|---|", *rows])]
    said = [(each, ", ".join(f"`{name}`" for name, _, _ in each.arguments)) for each in offer.prompts]
    rows = [f"| `{each.name}` | {cell(each.description)} | {names} |" for each, names in said]
    parts += ["## Prompts", "\n".join(["| | | takes |", "|---|---|---|", *rows])]
    return "\n\n".join(parts) + "\n"


def _plain_tools(offer: Offer) -> str:
    *names, last = (f"`{tool.name}`" for tool in offer.tools if tool.plain is not None)
    return f"{', '.join(names)} and {last}"


def tool_parts(tool: Tool) -> list[str]:
    """One tool."""
    wanted = tool.takes.get("required", ())
    rows = [
        f"| `{name}` | {cell(each['description'])} | {'yes' if name in wanted else cell(str(each.get('default', '')))}"
        for name, each in tool.takes["properties"].items()
    ]
    records = "" if tool.reads_only else " Records."
    head = [f"### {tool.name}", f"{tool.description}{records}"]
    return (
        [*head, "\n".join(["| takes | | always, or without it |", "|---|---|---|", *(f"{row} |" for row in rows)])]
        if rows
        else head
    )


def ops_page() -> str:
    """The vocabulary."""
    parts = [
        "# The vocabulary",
        "Generated from `ccos_core/ops`. How an op becomes bytes is in [FORMAT.md](FORMAT.md).",
        f"Vocabulary {table.VOCABULARY}. Every op may carry the fields of the header; a field without a value isn't "
        "written. Types are explained in `ccos_core/ops/table.py`.",
        "## Header",
        field_table(Op, table.HEADER),
    ]
    for kind, (version, fields) in table.KINDS.items():
        told = codec.CLASSES[kind]
        parts += [f"## {kind}", f"{inspect.getdoc(told)} (version {version})", field_table(told, fields)]
    return "\n\n".join(parts) + "\n"


def field_table(told: type, fields: tuple[table.Field, ...]) -> str:
    """The fields of one op, with the words that stand below each in its dataclass."""
    words = field_words(told)
    rows = []
    for name, form, required in fields:
        form = form.replace("|", " \\| ")
        rows.append(f"| `{name}` | {form} | {'yes' if required else ''} | {words.get(name, '')} |")
    return "\n".join(["| field | type | always | |", "|---|---|---|---|", *rows])


def field_words(told: type) -> dict[str, str]:
    """The docstrings below the fields of a dataclass."""
    (body,) = ast.parse(inspect.getsource(told)).body
    assert isinstance(body, ast.ClassDef)
    found: dict[str, str] = {}
    name = ""
    for node in body.body:
        if isinstance(node, ast.AnnAssign) and isinstance(node.target, ast.Name):
            name = node.target.id
        elif isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant) and name:
            found[name] = " ".join(str(node.value.value).split())
    return found


def cli_page() -> str:
    """The commands, as their own help tells them."""
    parts = [
        "# Commands",
        "Generated from the commands themselves. stdout is data, stderr is for people. `WS` is a workspace's file, "
        "the folder of a project that has one, or a folder in which only one lies. Every question in "
        "[QUERIES.md](QUERIES.md) is a command as well.",
        "## Exit codes",
        "\n".join(
            ["| code | meaning |", "|---|---|", *(f"| {code} | {words} |" for code, words in exits.MEANING.items())]
        ),
    ]
    top = click.Context(group, info_name="ccos-tui", **group.context_settings)
    add_commands(ADDED)
    for name in (*COMMANDS, *ADDED):
        command = group.get_command(top, name)
        assert command is not None
        context = click.Context(command, info_name=name, parent=top, terminal_width=100, max_content_width=100)
        parts += [f"## {name}", f"```text\n{command.get_help(context)}\n```"]
    return "\n\n".join(parts) + "\n"


def queries_page() -> str:
    """The questions, as the catalogue and their answers tell them."""
    parts = [
        "# Questions",
        "Generated from `ccos_core/query`. Each can be asked in `ccos-tui postmortem WS`, by its name or an alias, and "
        "as a command: `ccos-tui missing WS NODE`. With `--json` an answer is one object on one line, with the fields "
        "below behind its schema; `partial` stands at its end where facts are missing for so many contents.",
        "A question is asked as of the step where the cursor stands, or as of `@STEP`.",
        "\n".join(["| | |", "|---|---|", *(f"| {form} | {cell(said)} |" for form, said in FORMS.items())]),
    ]
    told: set[type] = set()
    for entry in QUESTIONS:
        parts += question_parts(entry)
        for answer in entry.load().answers:
            parts += answer_parts(answer, told)
    return "\n\n".join(parts) + "\n"


def question_parts(entry: Entry) -> list[str]:
    """How a question is asked."""
    command = command_of(entry)
    short = f" Short: {', '.join(f'`{alias}`' for alias in entry.aliases)}." if entry.aliases else ""
    rows = [
        f"| `{each.name}` | {cell(each.what)} | {cell(each.said)} | {cell(each.default)} |"
        for each in command.arguments
    ]
    return [
        f"## {entry.name}",
        " ".join(filter(None, [entry.summary, command.about if "\n" not in command.about else ""])) + short,
        f"```text\n{command.usage}\n{command.example}\n```",
        *([f"```text\n{command.about}\n```"] if "\n" in command.about else []),
        *(["\n".join(["| | | how it is said | without it |", "|---|---|---|---|", *rows])] if rows else []),
    ]


def answer_parts(answer: type, told: set[type]) -> list[str]:
    """The fields of an answer, and of what it is made of; each once on the page."""
    if answer in told:
        schema = getattr(answer, "schema", "")
        return [f"Its answer is `{schema}`, as above."] if schema else []
    told.add(answer)
    words = field_words(answer)
    head = f"Answer `{answer.schema}`" if hasattr(answer, "schema") else f"`{answer.__name__}`"
    rows = [
        f"| `{each.name}` | {cell(str(each.type))} | {words.get(each.name, '')} |"
        for each in dataclasses.fields(answer)
    ]
    parts = [
        f"{head}: {inspect.getdoc(answer)}",
        "\n".join(["| field | type | |", "|---|---|---|", *rows]),
    ]
    hints = get_type_hints(answer, localns=vars(telling))  # which some know only while they are checked
    for each in dataclasses.fields(answer):
        for inner in dataclasses_in(hints[each.name]):
            if inner not in told:
                parts += answer_parts(inner, told)
    return parts


def dataclasses_in(hint: object) -> list[type]:
    """The dataclasses a type is made of, in their order."""
    if isinstance(hint, type) and dataclasses.is_dataclass(hint):
        return [hint]
    return [found for part in get_args(hint) for found in dataclasses_in(part)]


def cell(text: str) -> str:
    """Text inside of a table."""
    return text.replace("|", "\\|")


if __name__ == "__main__":
    for path, text in pages().items():
        path.write_text(text, encoding="utf-8")
        print(f"wrote {path.name}")
