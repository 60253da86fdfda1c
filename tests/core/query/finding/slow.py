"""The slow, obvious way to ask a query: every op by itself, and the state after each."""

import json
import re
from collections.abc import Callable
from dataclasses import dataclass
from datetime import UTC, datetime
from fnmatch import fnmatchcase
from typing import Any

from ccos_core.query.autopsy.findings.calls import REFUSED_BEGINNINGS
from ccos_core.query.finding.tree import (
    Compared,
    Flag,
    OfNode,
    Relative,
    Span,
    Text,
    Times,
    Tree,
)
from ccos_core.session.worlds import new_world
from ccos_core.state.fold import apply, is_looking
from ccos_core.text.boolean import Every, Some, Without
from tests.core.state.small import Tale

Op = dict[str, Any]
Resident = Callable[[str, int, int], str]
"""(node, budget, step) → what it is in the window then."""


@dataclass
class Known:
    """What the ops of a tale add up to, as far as queries ask."""

    tale: Tale
    turns: dict[str, list[bool]]
    """Flag of failures → at each step, whether it holds there."""
    epochs: list[int]
    at: int
    resident: Resident
    changed: Callable[[str, int], bool]
    budget: int


def known(tale: Tale, at: int, budget: int, resident: Resident, changed: Callable[[str, int], bool]) -> Known:
    world, fails, refails, passes, epochs = new_world(), [], [], [], []
    for step, op in enumerate(tale.ops, 1):
        before = dict(world.failures.live)
        apply(world, step, op, tale.facts)
        fails.append(any(live.since == step for live in world.failures.live.values()))
        refails.append(any(live.since < step == live.step for live in world.failures.live.values()))
        passes.append(not is_looking(op) and any(key not in world.failures.live for key in before))
        epochs.append((epochs[-1] if epochs else 0) + (op["kind"] == "epoch"))
    return Known(tale, {"fail": fails, "refail": refails, "pass": passes}, epochs, at, resident, changed, budget)


def holds(tree: Tree, about: Known) -> list[bool]:
    """At each step, whether it holds there."""
    steps = range(1, len(about.tale.ops) + 1)
    match tree:
        case Every(parts):
            return [all(each) for each in zip(*(holds(part, about) for part in parts), strict=True)]
        case Some(parts):
            return [any(each) for each in zip(*(holds(part, about) for part in parts), strict=True)]
        case Without(part):
            return [not each for each in holds(part, about)]
        case Relative(word, part):
            there = [step for step, each in zip(steps, holds(part, about), strict=True) if each]
            return [_lies(word, step, there, about.at) for step in steps]
    return [_is(tree, step, about) for step in steps]


def _lies(word: str, step: int, there: list[int], at: int) -> bool:
    if not there:
        return word == "until"
    nearest = min(there, key=lambda each: (abs(each - at), each))
    return {"before": step < there[0], "after": step > there[0], "until": step <= there[0], "nearest": step == nearest}[
        word
    ]


def _is(tree: Tree, step: int, about: Known) -> bool:
    ops = about.tale.ops
    op = ops[step - 1]
    match tree:
        case Flag("fail" | "refail" | "pass" as name):
            return about.turns[name][step - 1]
        case Flag("error"):
            return bool(op.get("outcome") == "error")
        case Flag("repeated"):
            return op["kind"] == "tool" and any(_call(each) == _call(op) for each in ops[: step - 1])
        case Flag("refused"):
            result = about.tale.facts.contents.get(op.get("result", {}).get("blob"), "")
            is_call = op["kind"] == "tool" and op["outcome"] in ("error", "interrupted")
            return op.get("channel") == "refusal" or (is_call and result.startswith(REFUSED_BEGINNINGS))
        case Flag("reread"):
            return _is_reread(ops[:step])
        case Span(first, last):
            return (first is None or first <= step) and (last is None or step <= last)
        case Times(first, last):
            return _is_timed(op, first, last, next((each["at"] for each in ops if "at" in each), 0))
        case Text():
            return any(_says(text, tree) for text in _texts(op, about.tale))
        case Compared(name, mark, values):
            return _fits(_figures(op, step, about)[name], name, mark, values)
        case OfNode("changed", node, _):
            return about.changed(node, step)
        case OfNode(word, node, budget):
            state = about.resident(node, budget or about.budget, step)
            return state in ("in", "partial") if word == "present" else state == "out"
    raise AssertionError(tree)


def _stream(op: Op) -> tuple[str, ...]:
    return tuple(op.get(name, "") for name in ("host", "session", "context"))


def _call(op: Op) -> tuple[Any, ...]:
    return op["kind"], op.get("name"), op.get("arguments", {}).get("blob"), _stream(op)


def _is_reread(ops: list[Op]) -> bool:
    """The last of them."""
    op = ops[-1]
    if op["kind"] != "seen" or op["how"] != "read":
        return False
    cut = False
    for each in reversed(ops[:-1]):
        if _stream(each) == _stream(op):
            cut = cut or each["kind"] in ("compaction", "cleared")
            if cut and each["kind"] == "seen" and each["how"] != "ingest" and each["path"] == op["path"]:
                return True
            if not cut and each["kind"] == "seen" and each["how"] != "ingest" and each["path"] == op["path"]:
                return False
    return False


def _is_timed(op: Op, first: str | None, last: str | None, begin: int) -> bool:
    if "at" not in op:
        return False
    after = first is None or op["at"] >= _millis(first, begin)[0]
    return after and (last is None or op["at"] <= _millis(last, begin)[1])


def _millis(said: str, begin: int) -> tuple[int, int]:
    """The first and the last millisecond of it."""
    if "-" not in said:
        units = {"h": 3_600, "m": 60, "s": 1}
        seconds = sum(int(number) * units[unit] for number, unit in re.findall(r"(\d+)([hms])", said))
        return begin + seconds * 1_000, begin + seconds * 1_000
    length = [86_400, 3_600, 60, 1][said.count(":") + ("T" in said)]
    whole = said + "T00:00:00"[len(said) - 10 :] if len(said) < 19 else said
    millis = int(datetime.fromisoformat(whole).replace(tzinfo=UTC).timestamp()) * 1_000
    return millis, millis + length * 1_000 - 1


def _texts(op: Op, tale: Tale) -> list[str]:
    own = [
        op[name] for name in ("path", "to", "name", "runner", "test", "node", "claim", "model", "reason") if name in op
    ]
    own += [op["lens"]] if "lens" in op else []
    for name in ("tests", "paths", "nodes", "kept", "by"):
        own += [op[name]] if isinstance(op.get(name), str) else op.get(name, [])
    fields = ("content", "result", "output", "said", "note", "summary")
    brought = [tale.facts.contents[op[name]["blob"]] for name in fields if name in op]
    if "arguments" in op:
        brought += _leaves(json.loads(tale.facts.contents[op["arguments"]["blob"]]))
    return own + brought


def _leaves(value: Any) -> list[str]:
    if isinstance(value, dict):
        return [text for pair in value.items() for part in pair for text in _leaves(part)]
    if isinstance(value, list):
        return [text for part in value for text in _leaves(part)]
    return [value if isinstance(value, str) else json.dumps(value)]


def _says(text: str, asked: Text) -> bool:
    if asked.is_pattern:
        capitals = asked.said.replace("\\B", "") != asked.said.replace("\\B", "").lower()
        return bool(re.search(asked.said, text if capitals else text.lower(), re.MULTILINE))
    return asked.said in text or (asked.said == asked.said.lower() and asked.said in text.lower())


def _figures(op: Op, step: int, about: Known) -> dict[str, Any]:
    is_tool = op["kind"] == "tool"
    return {
        "kind": [op["kind"], *([op["how"]] if "how" in op else [])],
        "tool": [op["name"]] if is_tool else [],
        "path": [op[name] for name in ("path", "to") if name in op],
        "outcome": op.get("outcome"),
        "session": op.get("session", ""),
        "context": op.get("context", "") or "main",
        "tokens": op["window"] or None if op["kind"] == "usage" else op.get("before"),
        "bytes": sum(value["bytes"] for value in op.values() if isinstance(value, dict) and "blob" in value),
        "epoch": about.epochs[step - 1],
        "step": step,
    }


def _fits(figure: Any, name: str, mark: str, values: tuple[str, ...]) -> bool:
    if figure is None or figure == []:
        return False
    if isinstance(figure, int):
        value = int(values[0])
        return {"=": figure == value, "!=": figure != value, ">": figure > value, ">=": figure >= value,
                "<": figure < value, "<=": figure <= value}[mark]  # fmt: skip
    fits = any(_is_named(figure, name, mark, value) for value in values)
    return not fits if mark == "!=" else fits


def _is_named(figure: Any, name: str, mark: str, value: str) -> bool:
    if name == "kind":
        return value in figure
    if name == "tool":
        tool = figure[0].lower() if value == value.lower() else figure[0]
        return fnmatchcase(tool, value.replace("[", "[[]")) if mark == "~" else bool(tool == value)
    if name == "path":
        return any(_is_path(path, mark, value) for path in figure)
    return bool(figure == value) or (name == "session" and figure.startswith(value) and value != "")


def _is_path(path: str, mark: str, value: str) -> bool:
    """In a tree without folders."""
    value = value.removeprefix("/")
    return fnmatchcase(path, value.replace("[", "[[]")) if mark == "~" else path == value
