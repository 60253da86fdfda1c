"""What stands in the context of a Codex conversation, item by item, so that a history put in its place can be compared.

Codex writes the history a compaction leaves as items of the same kinds it was made of. An item that was there before is
kept under the name it was told by; one that wasn't is new. Items without a name are told apart by their text, each as
often as it is there.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from itertools import islice
from typing import Any, NamedTuple

from ccos_core.intake.importers.codex.outputs import answer_of, text_of
from ccos_core.intake.importers.codex.words import is_of_host
from ccos_core.intake.importers.fields import at, text
from ccos_core.values.canon import digest

OUTPUTS = ("function_call_output", "custom_tool_call_output", "local_shell_call_output", "tool_search_output")
WORDLESS = (
    "reasoning", "function_call", "custom_tool_call", "local_shell_call", "tool_search_call", "web_search_call",
    "image_generation_call", "ghost_snapshot", "compaction", "compaction_summary", "context_compaction",
    "compaction_trigger",
)  # fmt: skip
"""Kinds of items that bring nothing into a context that is told: calls count by their results, a summary nobody can
read has no text."""

AGENT = "agent"
"""The role of what another agent says."""

Key = tuple[str, bytes]


class Item(NamedTuple):
    """Something that stands in the context."""

    key: Key
    """The role or the call, and its text."""
    id: str
    """What it was told by."""
    begins: bool = False
    """Whether a turn begins with it."""


class New(NamedTuple):
    """An item of a history that wasn't there before."""

    item: Item
    role: str
    said: str


@dataclass(slots=True)
class Replacement:
    """What a history left of the one before."""

    kept: list[str] = field(default_factory=list)
    new: list[New] = field(default_factory=list)
    items: list[Item] = field(default_factory=list)
    unread: list[str] = field(default_factory=list)
    """Kinds of items nobody understood."""


class History:
    """The items of one context."""

    def __init__(self) -> None:
        self._items: list[Item] = []
        self._begins: list[int] = []
        """Places of those a turn begins with."""

    @property
    def items(self) -> Sequence[Item]:
        """All that stands in it, in order."""
        return self._items

    @items.setter
    def items(self, items: list[Item]) -> None:
        self._items = items
        self._begins = [place for place, item in enumerate(items) if item.begins]

    def said(self, role: str, text: str, name: str, begins: bool = False) -> None:
        """A message went into the context."""
        if begins:
            self._begins.append(len(self._items))
        self._items.append(Item(_key(role, text), name, begins))

    def answered(self, call: str, text: str) -> None:
        """The output of a call went into it."""
        self._items.append(Item(_key(f"call {call}", text), call))

    def emptied(self) -> None:
        """Nobody says what is left."""
        self.items = []

    def rolled_back(self, turns: int, most: int) -> list[str]:
        """The last turns were taken away. Gives the names of what is left, as many of the newest as can be told."""
        if self._begins and turns > 0:
            left = max(len(self._begins) - turns, 0)
            del self._items[self._begins[left] :]
            del self._begins[left:]
        return self._newest(most)

    def compared(self, history: list[Any], name: str) -> Replacement:
        """Compare a history with what stands here now; what is new in it is named after `name`."""
        there: dict[Key, deque[Item]] = {}
        for item in self._items:
            there.setdefault(item.key, deque()).append(item)
        found = Replacement()
        for place, each in enumerate(history):
            read = _read(each)
            if read is None:
                found.unread.append(text(each, "type") or "nothing")
                continue
            for role, said in read:
                key = _key(role, said)
                if there.get(key):
                    item = there[key].popleft()
                    found.kept.append(item.id)
                else:
                    item = Item(key, f"{name}.{place}", role == "user" and not is_of_host(said))
                    found.new.append(New(item, role, said))
                found.items.append(item)
        return found

    def _newest(self, most: int) -> list[str]:
        """The names of what stands in it; of more than `most` only the last ones."""
        if len(self._items) <= most:
            return list(dict.fromkeys(item.id for item in self._items))
        return list(dict.fromkeys(item.id for item in islice(reversed(self._items), most)))[::-1]


def _read(each: Any) -> Iterator[tuple[str, str]] | None:
    """(role or call, text) of an item of a history, if it has one; None where it isn't understood."""
    each = at(each, "item") or each
    kind = text(each, "type")
    role = AGENT if kind == "agent_message" else text(each, "role")
    if kind in ("message", "agent_message") and role:
        said = text_of(each.get("content"))
        return iter([(role, said)] if said else [])
    if kind in OUTPUTS and text(each, "call_id"):
        shown = answer_of(each.get("output", each.get("tools"))).text
        return iter([(f"call {each['call_id']}", shown)])
    return iter(()) if kind in WORDLESS else None


def _key(role: str, said: str) -> Key:
    return role, digest(said.encode("utf-8", "surrogatepass"))[:16]
