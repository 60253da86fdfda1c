"""What each kind of op is called, tagged and told by: one closed table.

A tag says what sort of thing happened, such as `capability-call` or `failure`, or to what: `tool:bash`, `lang:py`,
`in:src`, `runner:pytest`. No tag is on every entry.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from posixpath import basename
from typing import Any, NamedTuple


class Rule(NamedTuple):
    """How ops of one kind are told."""

    tag: str
    verb: str
    """What the title begins with."""

    fields: tuple[str, ...] = ()
    """What goes on the title."""

    texts: tuple[str, ...] = ()
    """The texts that are told."""


RULES: Mapping[str, Rule] = {
    "epoch": Rule("record-lifecycle", "epoch", ("vocabulary",)),
    "seen": Rule("file-read", "read", ("path", "slice")),
    "gone": Rule("file-change", "remove", ("path",)),
    "renamed": Rule("file-change", "rename", ("path", "to")),
    "tool": Rule("capability-call", "", ("name",), ("arguments",)),
    "failed": Rule("failure", "fails:", ("runner", "test", "sites"), ("output",)),
    "passed": Rule("success", "passes:", ("runner", "scope", "tests", "paths"), ("output",)),
    "recall": Rule("delivery", "recall", ("lens", "budget"), ("said",)),
    "paged_in": Rule("paging", "page in", ("nodes", "reason")),
    "paged_out": Rule("paging", "page out", ("nodes", "reason"), ("summary",)),
    "attention": Rule("attention", "attend to", ("nodes", "reason")),
    "annotation": Rule("annotation", "note on", ("node",), ("note",)),
    "supported": Rule("evidence", "supports", ("claim",), ("words",)),
    "contradicted": Rule("evidence", "contradicts", ("claim",), ("words",)),
    "retracted": Rule("belief-change", "retract", ("claim",), ("words",)),
    "superseded": Rule("belief-change", "supersede", ("claim", "by"), ("words",)),
    "turn": Rule("agent-turn", "turn", ("model", "stop"), ("said",)),
    "prompt": Rule("request", "prompt", ("source", "channel"), ("said",)),
    "usage": Rule("usage", "window", ("window", "model")),
    "compaction": Rule("context-lifecycle", "compaction", ("trigger", "before", "after"), ("summary",)),
    "cleared": Rule("context-lifecycle", "cleared", ("reason",)),
    "retune": Rule("governance", "retune", ("reason",)),
    "thought": Rule("agent-thought", "thought", (), ("said",)),
    "remembered": Rule("statement", "remember", ("memo",), ("words", "reason")),
    "labelled": Rule("governance", "label", ("nodes", "privacy", "regions", "tags")),
    "weighed": Rule("attention", "weigh", ("nodes", "weight")),
    "expired": Rule("governance", "expire", ("nodes", "policy")),
    "governed": Rule("governance", "govern", ("name",), ("policy",)),
    "distilled": Rule("distillation", "distil", ("what", "maker")),  # its result repeats what other entries say
}
CHANGING = ("edit", "write")
"""How a file is seen when it was changed."""
SHOWN_ITEMS = 3
"""Items of a list that a title has."""


def title_of(op: Mapping[str, Any], first_text: str) -> str:
    """Return what an op did, in a line; a call with what it was asked to do."""
    rule = RULES[op["kind"]]
    verb = op["how"] if op["kind"] == "seen" else rule.verb
    told = [verb, *(_shown(op[name]) for name in rule.fields if name in op)]
    if op["kind"] in ("tool", "turn", "prompt", "thought"):
        told.append(first_text.strip().partition("\n")[0])
    return " ".join(filter(None, told))


def kind_tags(op: Mapping[str, Any]) -> Iterator[str]:
    """Yield the tags of what sort of thing an op did."""
    yield "file-change" if op.get("how") in CHANGING else RULES[op["kind"]].tag
    if op.get("outcome") == "error":
        yield "failure"
    if op["kind"] == "prompt" and op.get("channel") == "refusal":
        yield "policy-violation"
    if op["kind"] == "prompt" and (op["source"] == "agent" or op.get("channel") == "plan"):
        yield "plan-lifecycle"


def domain_tags(op: Mapping[str, Any]) -> Iterator[str]:
    """Yield the tags of what an op was about."""
    if op["kind"] == "tool":
        yield f"tool:{op['name'].lower()}"
    if "runner" in op:
        yield f"runner:{op['runner'].lower()}"
    path = op.get("path") or (op["sites"][0][0] if op.get("sites") else "")
    folder, slash, _ = path.partition("/")
    if slash and folder:
        yield f"in:{folder}"
    _, dot, suffix = basename(path).rpartition(".")
    if dot and suffix:
        yield f"lang:{suffix.lower()}"


def _shown(value: Any) -> str:
    if isinstance(value, (list, tuple)):
        shown = [_shown(each).replace(", ", ":") for each in value[:SHOWN_ITEMS]]
        return ", ".join(shown)
    return str(value)
