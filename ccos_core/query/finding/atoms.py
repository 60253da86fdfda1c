"""The words of queries: one table of what can be asked of a step, for whoever reads, explains or completes them."""

from __future__ import annotations

from collections.abc import Mapping

from ccos_core.ops.table import KINDS
from ccos_core.replay.codes import HOWS, OUTCOMES

FLAGS: Mapping[str, str] = {
    "error": "a call that ended in an error",
    "fail": "something began to fail here",
    "refail": "something failed here once more, that failed before and hadn't passed since",
    "pass": "something ceased to fail here",
    "reread": "a file read again that was read before its context was compacted or cleared",
    "repeated": "a call with the same tool and arguments as one before",
}
"""What a step is or isn't."""

ORDERED = ("=", "!=", ">", ">=", "<", "<=")
COMPARED: Mapping[str, tuple[tuple[str, ...], str]] = {
    "kind": (
        ("=", "!="),
        "kind of op: tool, prompt, usage, ...; how a file was seen: read, edit, write, ingest; what a prompt is that "
        "nobody typed: task, notice, skill, interruption, command, output",
    ),
    "tool": (("=", "!=", "~"), "the tool that was called; ~ takes * and ?"),
    "path": (("=", "!=", "~"), "the file it is about, from its end; ~ takes *, ** and ?, and a folder is all in it"),
    "outcome": (("=", "!="), "how a call ended: ok, error, interrupted, unknown"),
    "session": (("=", "!="), "the host's session, by its start"),
    "context": (("=", "!="), "main, or a subagent's name"),
    "tokens": (ORDERED, "how full the host's window was, where a step tells"),
    "bytes": (ORDERED, "of the texts it brought"),
    "epoch": (ORDERED, "which of the record's epochs it lies in"),
    "step": (ORDERED, "its number; also as step 100..200"),
    "text": (("~",), 'what its own texts say: "literal" or /pattern/; without capitals, capitals don\'t matter'),
}
"""What a step is compared by → with which marks, and what it is."""

NODES: Mapping[str, str] = {
    "present": "steps at which a node is in the working set, in part at least; behind it budget=N",
    "absent": "steps at which it is in the graph and not in that window",
    "changed": "steps that changed its text, heat, prior, cost or tier",
}
RELATIVE: Mapping[str, str] = {
    "before": "steps before the first at which that holds",
    "after": "steps behind the first at which that holds",
    "until": "steps up to the first at which that holds; all of them where it never does",
    "nearest": "the step nearest to the cursor at which that holds",
}
JOINS = ("and", "or", "not")

COUNT, BY, FIRST, LAST, BIGGEST = "count", "by", "first", "last", "biggest"
PIPES: Mapping[str, str] = {
    COUNT: "how many there are",
    BY: "how many of each",
    FIRST: "the first, or so many of them",
    LAST: "the last, or so many of them",
    BIGGEST: "those that put the most bytes before the agent come first: results, prompts, summaries",
}
GROUPS = ("tool", "kind", "path", "context", "session", "outcome", "epoch", "hour")
"""What steps can be counted by."""

KIND_WORDS = (*KINDS, *HOWS[1:])
OTHER_KINDS: Mapping[str, str] = {"user": "prompt", "assistant": "turn", "agent": "turn", "summary": "compaction"}
"""What others call a kind → its name."""
CLOSED: Mapping[str, tuple[str, ...]] = {"kind": KIND_WORDS, "outcome": OUTCOMES[1:]}
"""Names of which there are only a few."""
NUMBERS = ("tokens", "bytes", "epoch", "step")

CANNED: tuple[tuple[str, str], ...] = (
    ("fail", "failures: where each began"),
    ("reread", "what left and was needed again"),
    ("kind=tool | biggest", "the biggest results"),
    ("repeated | by tool", "repeated identical calls"),
    ("kind=prompt", "prompts"),
)
"""Queries to begin with."""

WORDS = (*FLAGS, *COMPARED, *NODES, *RELATIVE, *JOINS)
