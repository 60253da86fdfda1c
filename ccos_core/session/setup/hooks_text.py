"""Our hooks among others' in the settings of Claude Code: event → groups → hooks, edited in the text.

A group may hold hooks of several people, and an event groups of several. Ours go in as groups of their own behind
what is there; out of a group that somebody has put together, only ours is taken.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from ccos_core.errors import NotUnderstood
from ccos_core.session.setup import json_text
from ccos_core.session.setup.entries import is_ours
from ccos_core.session.setup.json_text import Node, plain

HOOKS = "hooks"


def with_hooks(text: str, wanted: Mapping[str, list[dict[str, Any]]]) -> str:
    """The text with exactly these groups of ours, and none where none is wanted."""
    there = plain(text, json_text.found(text, (HOOKS,)))
    if there is None and json_text.found(text, (HOOKS,)) is None:
        return json_text.put(text, (HOOKS,), dict(wanted))
    if not isinstance(there, dict) or not all(isinstance(groups, list) for groups in there.values()):
        raise NotUnderstood("its hooks aren't what Claude Code reads: events, each with a list")
    for event in dict.fromkeys((*there, *wanted)):
        groups = wanted.get(event, [])
        if _ours(there.get(event, [])) == _as_read(groups):
            continue
        text = _without(text, event)
        for group in groups:
            text = _with_group(text, event, group)
        if not groups:
            text = json_text.pruned(text, [(HOOKS, event)])
    return text


def without_hooks(text: str, made: Iterable[tuple[str, ...]]) -> str:
    """The text without hooks of ours, and without the lists that were `made` for them and hold nothing now."""
    there = plain(text, json_text.found(text, (HOOKS,)))
    if not isinstance(there, dict):
        return text
    for event in there:
        text = _without(text, event)
    return json_text.pruned(text, made)


def groups_of(text: str) -> dict[str, list[Any]]:
    """Event → our groups, as they stand."""
    there = plain(text, json_text.found(text, (HOOKS,)))
    if not isinstance(there, dict):
        return {}
    ours = {event: _ours(groups) for event, groups in there.items() if isinstance(groups, list)}
    return {event: groups for event, groups in ours.items() if groups}


def stripped(there: Any) -> Any:
    """Settings without what is ours, and without what is empty for that reason, to compare."""
    if not isinstance(there, dict) or not isinstance(there.get(HOOKS), dict):
        return there
    kept = {event: _foreign(groups) for event, groups in there[HOOKS].items()}
    kept = {event: groups for event, groups in kept.items() if groups != []}
    return {key: kept if key == HOOKS else each for key, each in there.items() if key != HOOKS or kept}


def _ours(groups: list[Any]) -> list[Any]:
    """The groups that have hooks of ours. One that somebody has put others' into is never what is wanted."""
    return [group for group in groups if any(is_ours(hook) for hook in _hooks(group))]


def _foreign(groups: Any) -> Any:
    if not isinstance(groups, list):
        return groups
    kept = []
    for group in groups:
        hooks = _hooks(group)
        others = [hook for hook in hooks if not is_ours(hook)]
        if len(others) == len(hooks):
            kept.append(group)
        elif others:
            kept.append({**group, HOOKS: others})
    return kept


def _hooks(group: Any) -> list[Any]:
    hooks = group.get(HOOKS) if isinstance(group, dict) else None
    return hooks if isinstance(hooks, list) else []


def _as_read(groups: list[dict[str, Any]]) -> list[Any]:
    """Groups as they look once they are read: numbers as they are spelled."""
    return [
        {**group, HOOKS: [{**hook, "timeout": ("number", str(hook["timeout"]))} for hook in group[HOOKS]]}
        for group in groups
    ]


def _without(text: str, event: str) -> str:
    while (place := _first_of_ours(text, json_text.found(text, (HOOKS, event)))) is not None:
        text = json_text.removed(text, *place)
    return text


def _first_of_ours(text: str, groups: Node | None) -> tuple[Node, int] | None:
    """Where something of ours stands: the container, and which of its parts. A whole group if all in it is ours."""
    for at, part in enumerate(groups.parts if groups is not None and groups.kind == "[" else []):
        hooks = json_text.member(part.value, HOOKS)
        if hooks is None or hooks.kind != "[":
            continue
        ours = [index for index, hook in enumerate(hooks.parts) if is_ours(plain(text, hook.value))]
        if ours and groups is not None:
            return (groups, at) if len(ours) == len(hooks.parts) else (hooks, ours[0])
    return None


def _with_group(text: str, event: str, group: dict[str, Any]) -> str:
    root = json_text.parsed(text)
    groups = json_text.found(text, (HOOKS, event))
    if groups is None or root is None:
        return json_text.put(text, (HOOKS, event), [group])
    return json_text.inserted(text, root, groups, group)
