"""What users read is plain: help pages, the catalogue, keys, settings, the server's tools, errors and notices.

The list below holds phrases that readers stumbled over. It judges no style; it keeps these from coming back.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from functools import cache

import click
import pytest

from tests.house import tree

STUMBLES = {
    r"\b(?:nobody|somebody|anybody|whoever|whomever)\b": "say who acts",
    r"\bso (?:many|much|late)\b": "give the number",
    r"\bunasked\b": "(the default)",
    r"\bhost's window\b": "the agent's window",
    r"\b(?:ours|theirs)\b": "suggested window, agent's window",
    r"\bfelt (?:at|there|inside)\b": "location",
    r"\bhanded out\b": "given to the agent",
    r"\bat hand\b": "missing",
    r"\b(?:say|said|shown|told|something|be|been)\b(?: \w+){0,2} otherwise\b": "edit, change",
    r"\bbecomes? of\b": "change",
    r"(?<!there )\bis no (?!such)\w": "isn't a ...",
    r"\bwants? (?:a|an|one|=|[A-Z{])": "needs",
    r"\b(?:has|have) to be\b": "must be",
    r"\b(?:is|be|are) said\b": "give, write",
    r"\b(?:is|are) told\b": "tells, lists",
    r"\btells? (?:all|none|more)\b": "lists all",
    r"\bthere is to (?:say|know|see)\b": "name it",
    r"\bgo on (?:as|with)\b|\bgoes on\b": "continue",
    r"\bstands? (?:at|beside|behind|before|there)\b": "is",
    r"\b(?:lies|lie|lying) (?:in|there|outside)\b": "is",
    r"\btake[ns]? in\b": "import, record",
    r"\bhears?\b|\bheard\b": "record",
    r"\b(?:mends?|mended)\b": "repair",
    r"\bwired?\b": "connect",
    r"\ba defect of ccos-tui itself\b": "a bug in ccos-tui",
    r"\bfrom now on\b": "say what changed",
    r"\bof each sort\b": "of each kind",
    r"\bleads nowhere\b": "links to nothing",
    r"\b(?:anew|meanwhile at)\b": "again",
}
"""Phrase → what to write instead."""
NOTICES = {"said", "tell", "complain", "Finding", "Tool", "Prompt", "Argument", "Entry", "Option", "option", "Resource"}
"""Calls, besides those that make an error, whose texts people read."""


def found_in(text: str) -> list[str]:
    """Return the phrases of the list that a text has."""
    flat = " ".join(text.split())
    return [f"{found[0]!r} in “{flat[max(found.start() - 30, 0) : found.end() + 30]}”: {better}"
            for pattern, better in STUMBLES.items() if (found := re.search(pattern, flat, re.IGNORECASE))]  # fmt: skip


def help_pages() -> Iterator[tuple[str, str]]:
    from ccos_core.query.catalogue import QUESTIONS
    from ccos_core.query.help import all_help
    from ccos_core.serve.cli.main import add_commands, group
    from ccos_core.serve.mcp.start import HELP
    from ccos_tui.commands import COMMANDS

    add_commands(COMMANDS)
    root = click.Context(group, info_name="ccos-tui", **group.context_settings)
    yield "ccos-tui", group.get_help(root)
    for name in group.list_commands(root):
        command = group.get_command(root, name)
        assert command is not None
        page = HELP if name == "mcp" else command.get_help(click.Context(command, info_name=name, parent=root))
        yield f"ccos-tui {name}", page
    for word in all_help().commands:
        yield f"help {word.name}", f"{word.summary}\n{word.about}\n" + "\n".join(each.what for each in word.arguments)
    assert QUESTIONS


def screens() -> Iterator[tuple[str, str]]:
    from ccos_tui.bridge.words import command_words
    from ccos_tui.keys import ACTIONS
    from ccos_tui.present import help as keys_page
    from ccos_tui.present import legend
    from ccos_tui.settings import template

    yield from ((f"key {each.id}", f"{each.words} {each.short} {each.argument}") for each in ACTIONS)
    yield from (("key page", each.text) for each in keys_page.rows_of(ACTIONS, command_words(), 80))
    yield from (("legend", each.text) for each in legend.rows_of())
    yield "config template", template()


def _said(prompt):
    """What a prompt says by itself; a bundle says what a workspace has."""
    from ccos_core.query.bundle import NAMES

    return "" if prompt.name in NAMES else prompt.say({})


def server() -> Iterator[tuple[str, str]]:
    from ccos_core.serve.mcp.offering import ALL, INSTRUCTIONS, offering
    from ccos_core.serve.mcp.tools.door import Door

    offer = offering(Door("/nowhere/w.ccos", "/nowhere"), (ALL,))
    yield "instructions", INSTRUCTIONS
    for tool in offer.tools:
        takes = " ".join(part["description"] for part in tool.takes["properties"].values())
        yield tool.name, f"{tool.title}. {tool.description} {takes}"
    for prompt in offer.prompts:
        words = " ".join(says for _, says, _ in prompt.arguments)
        yield prompt.name, f"{prompt.title}. {prompt.description} {words} {_said(prompt)}"
    for each in offer.resources:
        yield each.uri, f"{each.title}. {each.description}"


def messages() -> Iterator[tuple[str, str]]:
    """Yield the texts of errors, hints and notices in the code, with their places."""
    for path in tree.modules():
        module = ast.parse(path.read_text(encoding="utf-8"))
        for node in ast.walk(module):
            if isinstance(node, ast.Call) and (_called(node) in NOTICES | errors()):
                for part in ast.walk(node):
                    if isinstance(part, ast.Constant) and isinstance(part.value, str):
                        yield f"{tree.name(path)}:{part.lineno}", part.value


@cache
def errors() -> frozenset[str]:
    import ccos_core.errors as module

    return frozenset(name for name, each in vars(module).items() if isinstance(each, type))


def _called(node: ast.Call) -> str:
    return node.func.attr if isinstance(node.func, ast.Attribute) else getattr(node.func, "id", "")


@pytest.mark.parametrize("texts", [help_pages, screens, server, messages])
def test_nothing_to_stumble_over(texts: object) -> None:
    assert callable(texts)
    every = list(texts())
    assert len(every) > 20
    assert not [f"{place}: {phrase}" for place, text in every for phrase in found_in(text)]


@pytest.mark.parametrize(
    "text", ["Say the query otherwise.", "This is what you get unasked.", "is no lens", "felt at src/db.py"]
)
def test_what_one_stumbled_over_is_seen(text: str) -> None:
    assert found_in(text)


def test_plain_words_are_not() -> None:
    assert not found_in("There is no such file. It isn't a lens. Location: src/db.py. Edit the query.")
