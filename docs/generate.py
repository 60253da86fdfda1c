"""Print the reference pages from the tables they describe: `python docs/generate.py`; a test keeps them current.

`docs/OPS.md` comes from the vocabulary's table and the words beside its dataclasses, `docs/CLI.md` from the commands.
"""

from __future__ import annotations

import ast
import inspect
import sys
from pathlib import Path

import click

HERE = Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent))

from ccos_core.ops import codec, table  # noqa: E402
from ccos_core.ops.base import Op  # noqa: E402
from ccos_core.serve import exits  # noqa: E402
from ccos_core.serve.cli.main import COMMANDS, group  # noqa: E402


def pages() -> dict[Path, str]:
    """Every generated page and what should stand in it."""
    return {HERE / "OPS.md": ops_page(), HERE / "CLI.md": cli_page()}


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
        "Generated from the commands themselves. stdout is data, stderr is for people. `WS` is a workspace's file, or "
        "the folder of a project that has one.",
        "## Exit codes",
        "\n".join(
            ["| code | meaning |", "|---|---|", *(f"| {code} | {words} |" for code, words in exits.MEANING.items())]
        ),
    ]
    top = click.Context(group, info_name="ccos-tui")
    for name in COMMANDS:
        command = group.get_command(top, name)
        assert command is not None
        context = click.Context(command, info_name=name, parent=top, terminal_width=100, max_content_width=100)
        parts += [f"## {name}", f"```text\n{command.get_help(context)}\n```"]
    return "\n\n".join(parts) + "\n"


if __name__ == "__main__":
    for path, text in pages().items():
        path.write_text(text, encoding="utf-8")
        print(f"wrote {path.name}")
