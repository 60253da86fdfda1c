"""Put our entries into a configuration file or take them out: one way for every format, and a check of each edit.

Bytes in, bytes out. The result of an edit is read again: the entries of others must say what they said, and ours what
we wanted; otherwise the edit is refused and the file stays as it was. A file that its host would refuse to read is
left alone. Claude Code's hooks (event → groups → hooks) are edited in the text: ours become groups of their own behind
the others, and only ours are taken out of a mixed group.
"""

from __future__ import annotations

import json
import os
import re
import shlex
from collections.abc import Iterable, Mapping
from dataclasses import replace
from typing import Any

from ccos_core.errors import NotUnderstood, Refused
from ccos_core.session.setup import json_text, toml_text
from ccos_core.session.setup.hosts import GUARDED, OURS, Reading, Target, is_ours, speaks_of_us
from ccos_core.session.setup.json_text import Node, plain

HOOKS = "hooks"


def with_hooks(text: str, wanted: Mapping[str, list[dict[str, Any]]]) -> str:
    """The text with exactly these groups of ours, and none where none is wanted."""
    there = plain(text, json_text.found(text, (HOOKS,)))
    if there is None and json_text.found(text, (HOOKS,)) is None:
        return json_text.put(text, (HOOKS,), dict(wanted))
    if not isinstance(there, dict) or not all(isinstance(groups, list) for groups in there.values()):
        raise NotUnderstood("its hooks aren't in the form Claude Code reads: events, each with a list")
    for event in dict.fromkeys((*there, *wanted)):
        groups = wanted.get(event, [])
        if _our_groups(there.get(event, [])) == _as_read(groups):
            continue
        text = _without_event(text, event)
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
        text = _without_event(text, event)
    return json_text.pruned(text, made)


def groups_of(text: str) -> dict[str, list[Any]]:
    """Event → our groups, as they stand."""
    there = plain(text, json_text.found(text, (HOOKS,)))
    if not isinstance(there, dict):
        return {}
    ours = {event: _our_groups(groups) for event, groups in there.items() if isinstance(groups, list)}
    return {event: groups for event, groups in ours.items() if groups}


def stripped(there: Any) -> Any:
    """Settings without what is ours, and without what is empty for that reason, to compare."""
    if not isinstance(there, dict) or not isinstance(there.get(HOOKS), dict):
        return there
    kept = {event: _foreign(groups) for event, groups in there[HOOKS].items()}
    kept = {event: groups for event, groups in kept.items() if groups != []}
    return {key: kept if key == HOOKS else each for key, each in there.items() if key != HOOKS or kept}


def _our_groups(groups: list[Any]) -> list[Any]:
    """The groups that have hooks of ours. One that holds others' too is never what is wanted."""
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


def _without_event(text: str, event: str) -> str:
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


MEND = "Correct it, then run this again."


def refuse(text: str, marked: bool, reading: Reading) -> None:
    """Raise NotUnderstood if a host doesn't read this JSON. `marked` is whether a byte order mark stands before it."""
    if not reading.title:
        return
    hint = f"{reading.title} rejects this file. {MEND}"
    if marked:
        raise NotUnderstood("begins with a byte order mark", hint=hint)
    bare = json_text.without_comments(text) if reading.comments else text
    if not bare.strip():
        return
    try:
        json.loads(bare, object_pairs_hook=None if reading.comments else _once)
    except json.JSONDecodeError as error:
        said = "a comment, or a comma after the last entry" if not reading.comments else "a comma after the last entry"
        raise NotUnderstood(f"line {error.lineno}: isn't plain JSON: {said}", hint=hint) from None
    except _Twice as error:
        raise NotUnderstood(f"has {error.key!r} twice", hint=hint) from None
    except RecursionError:
        raise NotUnderstood("is nested too deeply to be read", hint=MEND) from None
    except ValueError:
        raise NotUnderstood("has a number that is too long to be read", hint=MEND) from None
    top = json_text.parsed(text)
    others = [part.key for part in top.parts if part.key not in reading.keys] if top and reading.keys else []
    if others:
        raise NotUnderstood(f"has {others[0]!r}, beside {' and '.join(reading.keys)}", hint=hint)


class _Twice(Exception):
    def __init__(self, key: str) -> None:
        self.key = key


def _once(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    found = dict(pairs)
    if len(found) < len(pairs):
        keys = [key for key, _ in pairs]
        raise _Twice(next(key for key in keys if keys.count(key) > 1))
    return found


BOM = b"\xef\xbb\xbf"
OPENCODE_SCHEMA = "https://opencode.ai/config.json"
"""OpenCode writes this into a configuration that has no `$schema`; one that we make has it from the start."""
PLUGIN_WORDS = re.compile(r"^const HOOK = (\[.*\])$", re.MULTILINE)


def with_ours(data: bytes | None, target: Target) -> bytes:
    """The file with what a target wants in it; the same bytes where it is there already."""
    if target.form == "whole":
        return str(target.value).encode("utf-8")
    mark, text = _opened(data or b"")
    refuse(text, bool(mark), target.reading)
    if target.host == "opencode" and not text.strip():
        text = json_text.put(text, ("$schema",), OPENCODE_SCHEMA)
    for part in _parts(target):
        text = _with_part(text, part)
    return mark + text.encode("utf-8")


def _with_part(text: str, target: Target) -> str:
    made = _with(text, target)
    _check(text, made, target)
    if _ours(made, target) != _ours(_bare(target), target):
        raise Refused("couldn't be edited as needed", place=target.path)
    return made


def without_ours(data: bytes, target: Target, made: Iterable[tuple[str, ...]] = ()) -> bytes:
    """The file without what is ours, and without those containers that were `made` for it and hold nothing now."""
    mark, text = _opened(data)
    made = list(made)
    for part in _parts(target):
        left = _without(text, part, made)
        _check(text, left, part)
        text = left
    return mark + text.encode("utf-8")


def says_nothing(data: bytes, target: Target) -> bool:
    """Whether a file holds nothing that counts."""
    values = _values(_opened(data)[1], _parts(target)[0])
    return not values or (target.host == "opencode" and values == {"$schema": OPENCODE_SCHEMA})


def has_ours(data: bytes, target: Target) -> bool:
    """Whether something of ours is in a file."""
    text = _opened(data)[1]
    if target.form == "whole":
        return bool(OURS.search(text))
    return any(_is_there(text, part) for part in _parts(target))


def has_guard(data: bytes, target: Target) -> bool:
    """Whether the guard is among the hooks of ours in a file."""
    return target.form == "hooks" and GUARDED in groups_of(_opened(data)[1])


def containers(data: bytes | None, target: Target) -> list[tuple[str, ...]]:
    """What has to be made in a file for ours to stand in, outermost first."""
    text = _opened(data or b"")[1]
    return [keys for part in _parts(target) for keys in _containers(text, part)]


def _containers(text: str, target: Target) -> list[tuple[str, ...]]:
    if target.form in ("toml", "whole"):
        return []
    ways = [target.keys[:depth] for depth in range(1, len(target.keys))]
    if target.form == "hooks":
        ways = [target.keys, *((*target.keys, event) for event in target.value)]
    return [keys for keys in ways if json_text.found(text, keys) is None]


def around_ours(data: bytes, target: Target) -> list[tuple[str, ...]]:
    """What ours stands in: of containers that aren't known to be ours, all that may hold nothing once it is gone."""
    text = _opened(data)[1]
    return [keys for part in _parts(target) for keys in _around(text, part)]


def _around(text: str, target: Target) -> list[tuple[str, ...]]:
    if target.form in ("toml", "whole"):
        return []
    if target.form == "hooks":
        return [target.keys, *((*target.keys, event) for event in groups_of(text))]
    keys = _keys(text, target)
    return [keys[:depth] for depth in range(1, len(keys))]


def programs(data: bytes, target: Target) -> list[str]:
    """What ours in a file starts: the first word of each line, without doubles."""
    text = _opened(data)[1]
    return list(dict.fromkeys(each for part in _parts(target) for each in _programs(text, part)))


def _programs(text: str, target: Target) -> list[str]:
    if target.form == "whole":
        return _plugin_words(text)[:1]
    if target.form == "hooks":
        return [_words(line)[0] for line in _lines(text)]
    server = _server(text, target)
    if not speaks_of_us(_as_server(server)):
        return []
    command = server["command"]
    return [command if isinstance(command, str) else command[0]]


def doors(data: bytes, target: Target) -> list[str]:
    """The files of Python that hooks of ours run, without doubles."""
    text = _opened(data)[1]
    words = _plugin_words(text) if target.form == "whole" else []
    if any(part.form == "hooks" for part in _parts(target)):
        words = [word for line in _lines(text) for word in _words(line)]
    return list(dict.fromkeys(word for word in words if word.endswith(".py") and os.path.isabs(word)))


def switched_off(data: bytes, target: Target) -> bool:
    """Return whether the user has switched off what stands in a file: all hooks, or our server."""
    text = _opened(data)[1]
    return any(_is_off(text, part) for part in _parts(target))


def _is_off(text: str, target: Target) -> bool:
    if target.form == "whole":
        return False
    if target.form == "hooks":
        values = _values(text, target)
        return values.get("disableAllHooks") is True or _at(values, ("hooksConfig", "enabled")) is False
    server = _server(text, target)
    return isinstance(server, dict) and (server.get("enabled") is False or server.get("disabled") is True)


def _parts(target: Target) -> list[Target]:
    """A target as those that are edited one after the other: Gemini CLI has its server and its hooks in one file."""
    if target.form != "both":
        return [target]
    server, hooks = target.value or ({}, {})
    return [
        replace(target, form="json", value=server),
        replace(target, form="hooks", keys=(HOOKS,), value=hooks),
    ]


def _plugin_words(text: str) -> list[str]:
    """What the plugin for OpenCode starts."""
    found = PLUGIN_WORDS.search(text)
    try:
        words = json.loads(found[1]) if found is not None else []
    except ValueError:
        return []
    return [word for word in words if isinstance(word, str)]


def _opened(data: bytes) -> tuple[bytes, str]:
    mark = BOM if data.startswith(BOM) else b""
    try:
        return mark, data[len(mark) :].decode("utf-8")
    except UnicodeDecodeError as error:
        raise NotUnderstood(f"isn't UTF-8 at byte {error.start + len(mark):,}") from None


def _with(text: str, target: Target) -> str:
    if target.form == "hooks":
        return with_hooks(text, target.value)
    there = _server(text, target)
    if there is not None and not speaks_of_us(_as_server(there)):
        name = target.keys[-1]
        raise Refused(f"has a server {name} that belongs to another program", hint="Rename it, then run this again.")
    if target.form == "toml":
        return toml_text.with_table(text, target.keys, target.value)
    if not isinstance(there, dict):
        return json_text.put(text, _keys(text, target), target.value)
    for key, value in target.value.items():
        if there.get(key) != value:
            text = json_text.put(text, (*_keys(text, target), key), value)
    return text


def _without(text: str, target: Target, made: Iterable[tuple[str, ...]]) -> str:
    if target.form == "hooks":
        return without_hooks(text, made)
    if not _is_there(text, target):
        return text
    if target.form == "toml":
        return toml_text.without_table(text, target.keys)
    return json_text.pruned(json_text.dropped(text, _keys(text, target)), made)


def _keys(text: str, target: Target) -> tuple[str, ...]:
    """Where our server stands: OpenCode has the servers one level deeper in its newer form."""
    deeper = (target.keys[0], "servers", *target.keys[1:])
    if target.host != "opencode" or not isinstance(servers := _at(_plain(text), deeper[:-1]), dict):
        return target.keys
    return target.keys if servers.keys() & {"type", "command", "url"} else deeper  # a server that is called servers


def _check(before: str, after: str, target: Target) -> None:
    if _stripped(_values(before, target), target) != _stripped(_values(after, target), target):
        raise Refused("couldn't be edited without changing other entries", place=target.path)


def _values(text: str, target: Target) -> Any:
    if target.form == "toml":
        return toml_text.values(text)
    there = _plain(text)
    if there is not None and not isinstance(there, dict):
        raise NotUnderstood("isn't a JSON object")
    return there or {}


def _plain(text: str) -> Any:
    return json_text.plain(text, json_text.parsed(text))


def _stripped(there: Any, target: Target) -> Any:
    """What a file says without ours, and without what is empty for that reason."""
    if target.form == "hooks":
        return stripped(there)
    kept = dict(there)
    outer = kept.get(target.keys[0])
    if isinstance(outer, dict):
        kept[target.keys[0]] = outer = dict(outer)
        if isinstance(outer.get("servers"), dict):
            outer["servers"] = {name: each for name, each in outer["servers"].items() if name != target.keys[-1]}
        outer.pop(target.keys[-1], None)
        if not outer:
            del kept[target.keys[0]]
    return kept


def _ours(text: str, target: Target) -> Any:
    """What a file says of ours, as far as we have a say in it."""
    if target.form == "hooks":
        return groups_of(text)
    there = _server(text, target)
    return {key: there.get(key) for key in target.value} if isinstance(there, dict) else there


def _is_there(text: str, target: Target) -> bool:
    if target.form == "hooks":
        return bool(groups_of(text))
    return speaks_of_us(_as_server(_server(text, target)))


def _server(text: str, target: Target) -> Any:
    """What stands where our server belongs."""
    return _at(_values(text, target), _keys(text, target) if target.form == "json" else target.keys)


def _bare(target: Target) -> str:
    """A file with nothing but ours."""
    return _with("", target)


def _as_server(there: Any) -> Any:
    """A server as most spell it: OpenCode has its program among the words."""
    if isinstance(there, dict) and isinstance(there.get("command"), list):
        return {"args": there["command"]}
    return there


def _at(node: Any, keys: tuple[str, ...]) -> Any:
    for key in keys:
        node = node.get(key) if isinstance(node, dict) else None
    return node


def _lines(text: str) -> list[str]:
    """What hooks of ours say to a shell."""
    groups = [group for groups in groups_of(text).values() for group in groups]
    return [hook["command"] for group in groups for hook in group["hooks"] if is_ours(hook)]


def _words(line: str) -> list[str]:
    try:
        return [word.strip('"') for word in shlex.split(line, posix=os.name != "nt")] or [line]
    except ValueError:
        return [line]
