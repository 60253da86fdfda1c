"""What an item of the agent's window is called: `Bash go test ./...`, `"continue the merge"`, `src/db.py 1–120`,
`summary of 14:02`.

An item's id says only what it is and at which step it came; its name comes from that step's op. Names don't change, so
they are kept with the journal.
"""

from __future__ import annotations

import json
import re
import time
from collections.abc import Iterable, Mapping, Sequence
from contextlib import suppress
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from ccos_core.errors import CcosError
from ccos_core.intake.tools import command_of
from ccos_core.query.hosted.item_kinds import kind_of, kind_of_tool
from ccos_core.query.step_words import BEGIN_PATCH, patched_paths
from ccos_core.query.telling import TELLING_ARGUMENTS, one_line
from ccos_core.replay.codes import HOW_CODES, HOWS, KIND_CODES, how_of
from ccos_core.values.ids import path_of, symbol_of

if TYPE_CHECKING:
    from ccos_core.ops.plain import Plain
    from ccos_core.replay.journal import Journal
    from ccos_core.replay.timeline import Timeline

BLANK = "blank"
"""What an item without words is called."""
LONGEST = 120
"""Characters of a name."""
QUOTED = 8 * LONGEST
"""Characters of a text that are looked at for its name."""
SMALL = 1 << 14
"""Bytes of a content that is read with others."""
CONTENT_FIELDS = ("arguments", "said", "summary")
ASKED_FOR = ("pattern", "query", "regex", "glob_pattern")
"""Which argument of a search says most."""
OF_TOOLS = {"result": "output", "call": "call"}
RANGES = 3
"""Ranges of lines that are named of one file."""
FAILED = {"error": "✗", "interrupted": "✗"}
"""Outcome of a call → its sign behind the name."""
_CHANGE_DIRECTORY = re.compile(r"^cd\s+(\S+|\"[^\"]*\")\s*(&&|;)\s*")


class ItemName(NamedTuple):
    """What an item is, and what it is called."""

    kind: str
    says: str
    outcome: str
    """How the call behind it ended; empty where there is none."""
    at: int | None
    """When it came, in milliseconds since 1970."""


class ItemNames:
    """The names of what steps brought, as far as they were asked for."""

    def __init__(self) -> None:
        self.known: dict[str, ItemName] = {}

    def cut(self, sizes: Mapping[str, int]) -> None:
        """Forget the names of steps that are recorded anew."""
        head = sizes["steps"]
        self.known = {item: name for item, name in self.known.items() if step_of(item) <= head}


def step_of(item: str) -> int:
    """Return the step behind `prompt:12`; 0 of a file or a symbol."""
    number = item.partition(":")[2]
    return int(number) if number.isdigit() and not item.startswith(("file:", "sym:")) else 0


def item_names(timeline: Timeline, items: Iterable[str]) -> dict[str, ItemName]:
    """Return the names of items that aren't code, all read in one sweep."""
    known: dict[str, ItemName] = timeline.journal.growing("item names", ItemNames).known
    wanted = [item for item in items if step_of(item)]
    new = {item: step_of(item) for item in wanted if item not in known}
    if new:
        by_step = read_ops(timeline, sorted(new.values()))
        ops = {item: by_step[step] for item, step in new.items()}
        fields = [op[name] for op in ops.values() for name in CONTENT_FIELDS if isinstance(op.get(name), dict)]
        texts: dict[str, bytes] = {}
        with suppress(CcosError):  # what can't be read is said of its own item below
            texts = timeline.contents([each["blob"] for each in fields if each["bytes"] <= SMALL])
        for item, op in ops.items():
            known[item] = _name(timeline, item, op, texts)
    return {item: known[item] for item in wanted}


def carrier_name(journal: Journal, item: str) -> str:
    """Return what brought words, with its step: `prompt 12`, `skill 82`, `output of Bash 311`, a file's path."""
    kind = item.partition(":")[0]
    step = step_of(item)
    if not step:
        return path_of(item) or item
    if kind == "prompt":
        return f"{HOWS[int(journal.steps['how'][step - 1])] or kind} {step}"
    number = int(journal.steps["name"][step - 1])
    tool = f" of {journal.name(number)}" if kind in OF_TOOLS and number >= 0 else ""
    return f"{OF_TOOLS.get(kind, kind)}{tool} {step}"


def read_ops(timeline: Timeline, steps: Sequence[int]) -> dict[int, Plain]:
    """Return many ops in one sweep, without proving that they are spelled canonically: a window of hundreds of items is
    named between a key and its picture (0.10 → 0.02 ms an op)."""
    bodies = timeline.ops.bodies(steps)
    return {step: json.loads(bodies[step]) if step in bodies else timeline.op(step) for step in steps}


def code_name(node: str, ranges: Sequence[tuple[int, int]]) -> ItemName:
    """Return the name of a file, a part of one, or a symbol."""
    path = path_of(node) or node
    says = f"{path}#{node.partition('#')[2]}" if symbol_of(node) is not None else path
    return ItemName("read", f"{says} {range_words(ranges)}".rstrip(), "", None)


def range_words(ranges: Sequence[tuple[int, int]]) -> str:
    """Return `1–120`, `1–120, 300–340`; of many the first few."""
    said = [f"{first}–{last}" if first < last else f"{first}" for first, last in ranges[:RANGES]]
    return ", ".join(said) + ("…" if len(ranges) > RANGES else "")


def shown_ranges(
    timeline: Timeline, context: int, files: Iterable[str], since: int, at: int
) -> dict[str, list[tuple[int, int]]]:
    """Return the line ranges of some files that a context was shown between two steps, as they were counted then."""
    journal = timeline.journal
    numbers = {journal.id(file): file for file in files}
    first = max(since, 1) - 1
    kind, how, name, whose = (journal.steps[column][first:at] for column in ("kind", "how", "name", "context"))
    mine = (kind == KIND_CODES["seen"]) & (how == HOW_CODES["read"]) & (whose == context)
    steps = (np.nonzero(mine & np.isin(name, list(numbers)))[0] + first + 1).tolist()
    found: dict[str, list[tuple[int, int]]] = {file: [] for file in numbers.values()}
    for step, op in read_ops(timeline, steps).items():
        if "slice" in op:
            found[numbers[int(journal.steps["name"][step - 1])]].append((op["slice"][0], op["slice"][1]))
    return {file: merged(ranges) for file, ranges in found.items()}


def merged(ranges: Iterable[tuple[int, int]]) -> list[tuple[int, int]]:
    """Return ranges in order, those that touch as one."""
    found: list[tuple[int, int]] = []
    for first, last in sorted(ranges):
        if found and first <= found[-1][1] + 1:
            found[-1] = found[-1][0], max(found[-1][1], last)
        else:
            found.append((first, last))
    return found


def _name(timeline: Timeline, item: str, op: Plain, texts: Mapping[str, bytes]) -> ItemName:
    def text(field: str) -> str:
        if not isinstance(op.get(field), dict):
            return ""
        blob = op[field]["blob"]
        try:
            body = texts[blob] if blob in texts else timeline.content(blob)
        except CcosError as error:
            return f"({error.fact})"
        return body.decode("utf-8", "replace")

    kind = kind_of(item, op.get("name", ""), how_of(op))
    if op["kind"] == "tool":
        says = f"{op['name']} {_call_words(op['name'], text('arguments'))}".rstrip()
        return ItemName(kind, says, str(op.get("outcome", "")), op.get("at"))
    if kind == "summary":
        return ItemName(kind, f"summary of {_clock(op.get('at')) or f'step {step_of(item):,}'}", "", op.get("at"))
    said = one_line(text("said")[:QUOTED], LONGEST)
    if not said and kind == "thinking":
        return ItemName(kind, "sealed by the agent's program", "", op.get("at"))
    if kind == "note":
        return ItemName(kind, f"{how_of(op)}: {said}", "", op.get("at"))
    return ItemName(kind, f"“{said}”" if said else BLANK, "", op.get("at"))


def _call_words(tool: str, arguments: str) -> str:
    """Return what a call was for: its command, its pattern, its file, the files of its patch."""
    if BEGIN_PATCH in arguments and (paths := patched_paths(arguments)):
        return one_line(" ".join(map(_short_path, paths)), LONGEST)
    command = command_of(arguments)
    if command:
        return one_line(_CHANGE_DIRECTORY.sub("", command), LONGEST)
    try:
        given = json.loads(arguments)
    except (ValueError, RecursionError):
        return one_line(arguments[:QUOTED], LONGEST)
    if not isinstance(given, dict):
        return ""
    first: Any = ASKED_FOR if kind_of_tool(tool) == "search" else ()
    said = [str(given[name]) for name in (*first, *TELLING_ARGUMENTS) if isinstance(given.get(name), str)]
    return one_line(_short_path(said[0]), LONGEST) if said else ""


def _short_path(said: str) -> str:
    """Return the last two parts of an absolute path."""
    if not said.startswith("/") or any(char.isspace() for char in said):
        return said
    return "/".join(said.rstrip("/").split("/")[-2:])


def _clock(at: int | None) -> str:
    """Return `14:02`, in UTC."""
    if at is None or not 0 <= at < 253_000_000_000_000:
        return ""
    return time.strftime("%H:%M", time.gmtime(at // 1_000))
