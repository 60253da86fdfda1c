"""Resources `cos://…` and prompts by the names of the COS specification: documents, the map, search, and bundles.

They are listed in every server, since a host pays for none of them before it reads one.
"""

from __future__ import annotations

import re

from ccos_core.serve.mcp.offer import Prompt, Resource, Wrong

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence
    from types import ModuleType

    from ccos_core.serve.mcp.tools.door import Door

SCHEME = "cos://"
MARKDOWN, PLAIN = "text/markdown", "text/plain"
DOCUMENTS = (
    ("soul", "Identity", "SOUL.md; without it AGENTS.md or CLAUDE.md."),
    ("user", "User", "USER.md of the user, then of the project."),
    ("memory", "Memory", "MEMORY.md: long-term notes."),
    ("impressions", "Impressions", "IMPRESSIONS.md and remembered impressions, oldest first."),
)
LEVELS = ("1", "2", "3")
PROMPTS = (
    (
        "bootstrap",
        "Start of a session",
        "A map, what the user asked and holds to, open tasks, the charter in short.",
        500,
    ),
    ("relational", "The user", "What the user prefers and corrected, and impressions.", 1_500),
    ("technical", "The code", "Commands that passed, failures, instructions on building, files most used.", 4_000),
    ("creative", "Words and style", "What the user and the documents say about style and words.", 2_000),
)
"""Name, title, description and most tokens of each bundle; a test compares them with the question's."""
PLACEHOLDER = re.compile(r"\$[0-9]+")
"""What OpenCode gives as argument of each prompt, since it fills in the user's words afterwards."""


def resources(door: Door) -> tuple[Resource, ...]:
    """Them all, in the order in which they are listed: five by name, then templates."""
    plain = [_document(door, *each) for each in DOCUMENTS]
    return (
        *plain,
        Resource(
            f"{SCHEME}mindmap", "mindmap", "Map", "What the session works with, in as few tokens as pressure asks for.",
            PLAIN, lambda uri, said, call: _steering().read_map(door, call, ""), None,
        ),
        Resource(
            f"{SCHEME}daily/{{date}}", "daily", "Daily notes", "Of YYYY-MM-DD, today, yesterday.", MARKDOWN,
            lambda uri, said, call: _steering().read_resource(door, call, "daily", day=said["date"]),
            lambda name, typed, others: _begin(["today", "yesterday", *_steering().days(door)], typed),
        ),
        Resource(
            f"{SCHEME}context/{{query}}", "search", "Search", "Sections and statements about something.", MARKDOWN,
            lambda uri, said, call: _steering().read_search(door, call, said["query"]), None,
        ),
        Resource(
            f"{SCHEME}search{{?q}}", "search-q", "Search", "The same, by another name.", MARKDOWN,
            lambda uri, said, call: _steering().read_search(door, call, _needed(said, "q")), None,
        ),
        Resource(
            f"{SCHEME}memory/{{section}}", "memory-section", "Section of the memory", "By slug or title.", MARKDOWN,
            lambda uri, said, call: _steering().read_resource(door, call, "memory", said["section"]),
            lambda name, typed, others: _begin(_steering().section_names(door, "memory"), typed),
        ),
        Resource(
            f"{SCHEME}mindmap/{{level}}", "mindmap-level", "Map of a level", "1: 1,500 tokens, 2: 350, 3: 80.", PLAIN,
            lambda uri, said, call: _steering().read_map(door, call, said["level"]),
            lambda name, typed, others: _begin(LEVELS, typed),
        ),
    )  # fmt: skip


def prompts(door: Door) -> tuple[Prompt, ...]:
    """The bundles, as prompts."""
    return tuple(
        Prompt(
            name=name,
            title=title,
            description=description,
            arguments=(
                ("budget", f"Tokens, at most {most:,}.", False),
                ("task", "What it is for.", False),
            ),
            say=_bundle(door, name, most),
            complete=None,
        )
        for name, title, description, most in PROMPTS
    )


def look_at_documents(door: Door) -> None:
    """Record the documents that changed on the disk; one that wasn't touched costs a look at its date."""
    _steering().look_at_documents(door)


def changed(door: Door, paths: Sequence[str]) -> list[str]:
    """The resources that are others once these files have changed; the map is after any step."""
    maps = [f"{SCHEME}mindmap", *(f"{SCHEME}mindmap/{level}" for level in LEVELS)]
    named = [path for path in paths if path.lower().endswith((".md", ".markdown"))]
    return [*maps, *(_steering().changed_documents(door, named) if named else ())]


def _document(door: Door, role: str, title: str, description: str) -> Resource:
    return Resource(
        uri=f"{SCHEME}{role}",
        name=role,
        title=title,
        description=description,
        mime=MARKDOWN,
        read=lambda uri, said, call: _steering().read_resource(door, call, role),
        complete=None,
        tokens=(lambda: _steering().document_tokens(door, role)) if door.steers else None,
    )


def _bundle(door: Door, name: str, most: int) -> Callable[[Mapping[str, str]], str]:
    def say(said: Mapping[str, str]) -> str:
        given = {argument: value for argument, value in said.items() if not PLACEHOLDER.fullmatch(value.strip())}
        budget = given.get("budget", "").strip()
        if budget and not (budget.isascii() and budget.isdigit() and 1 <= len(budget) <= 6 and int(budget)):
            raise Wrong("budget", f"{budget[:40]!r} isn't a number of tokens.", str(most))
        return str(_steering().bundle_text(door, name, min(int(budget or most), most), given.get("task", "")))

    return say


def _needed(said: Mapping[str, str], name: str) -> str:
    if not said.get(name):
        raise Wrong(name, "is required.")
    return said[name]


def _begin(words: Sequence[str], typed: str) -> list[str]:
    return [each for each in words if each.startswith(typed)]


def _steering() -> ModuleType:
    from ccos_core.serve.mcp import steering

    return steering
