"""The words of queries: one table of what can be asked of a step, to read, explain and complete them."""

from __future__ import annotations

from collections.abc import Mapping

from ccos_core.memory.entry import SAID_CLASS
from ccos_core.ops.table import KINDS
from ccos_core.query.catalogue import CLASSES
from ccos_core.query.remembered import EXPIRED, LIVE, RETRACTED, SUPERSEDED
from ccos_core.query.saying.utterance import AUTHORS
from ccos_core.replay.codes import HOWS, OUTCOMES

FLAGS: Mapping[str, str] = {
    "error": "a call that ended in an error",
    "fail": "a failure began",
    "refail": "a known failure failed again",
    "pass": "a failure ended",
    "refused": "the user refused a call, or said why",
    "reread": "a file was read again after a compaction or clearing dropped it",
    "repeated": "a call repeated an earlier one: same tool, same arguments",
}
"""What a step is or isn't."""

ORDERED = ("=", "!=", ">", ">=", "<", "<=")
COMPARED: Mapping[str, tuple[tuple[str, ...], str]] = {
    "kind": (
        ("=", "!="),
        "kind of step: tool, prompt, usage, ...; how a file was seen: read, edit, write, ingest; prompts not "
        "typed by the user: task, notice, skill, interruption, command, output",
    ),
    "tool": (("=", "!=", "~"), "the tool called; ~ allows * and ?"),
    "path": (("=", "!=", "~"), "the end of the file's path; ~ allows *, ** and ?; a folder matches its files"),
    "outcome": (("=", "!="), "how a call ended: ok, error, interrupted, unknown"),
    "session": (("=", "!="), "the start of the agent's session id"),
    "context": (("=", "!="), "main, or a subagent's name"),
    "tokens": (ORDERED, "tokens in the agent's window, where recorded"),
    "bytes": (ORDERED, "size of the step's texts"),
    "epoch": (ORDERED, "number of the epoch"),
    "step": (ORDERED, "number of the step; also as step 100..200"),
    "class": (("=", "!="), "what a statement is that the step says: preference, todo, ...; said if it has no class"),
    "standing": (("=", "!="), "how that statement stands now: live, superseded, retracted or expired"),
    "author": (("=", "!="), "whose it is: user, agent, file. Such conditions side by side mean one statement"),
    "text": (("~",), 'the step\'s texts contain "literal" or match /pattern/; lower case matches any case'),
}
"""What a step is compared by → with which marks, and what it is."""

NODES: Mapping[str, str] = {
    "present": 'the node is in the suggested window, at least partly; budget=N may follow; "words": in the agent\'s',
    "absent": "the node is known but not in that window",
    "changed": "the step changed its text, heat, prior, cost or tier; of words, whether the agent's window has them",
}
RELATIVE: Mapping[str, str] = {
    "before": "steps before the first match",
    "after": "steps after the first match",
    "until": "steps up to the first match, or all if there is none",
    "nearest": "the match nearest to the cursor",
}
JOINS = ("and", "or", "not")

COUNT, BY, FIRST, LAST, BIGGEST = "count", "by", "first", "last", "biggest"
PIPES: Mapping[str, str] = {
    COUNT: "number of steps",
    BY: "number of steps per",
    FIRST: "the first step, or the first N",
    LAST: "the last step, or the last N",
    BIGGEST: "largest texts first: results, prompts, summaries",
}
GROUPS = ("tool", "kind", "path", "context", "session", "outcome", "epoch", "hour")
"""What steps can be counted by."""

KIND_WORDS = (*KINDS, *HOWS[1:])
OTHER_KINDS: Mapping[str, str] = {"user": "prompt", "assistant": "turn", "agent": "turn", "summary": "compaction"}
"""What others call a kind → its name."""
CLOSED: Mapping[str, tuple[str, ...]] = {
    "kind": KIND_WORDS,
    "outcome": OUTCOMES[1:],
    "class": (*CLASSES, SAID_CLASS),
    "standing": (LIVE, SUPERSEDED, RETRACTED, EXPIRED),
    "author": AUTHORS,
}
"""Names of which there are only a few."""
OF_STATEMENTS = ("class", "standing", "author")
NUMBERS = ("tokens", "bytes", "epoch", "step")

CANNED: tuple[tuple[str, str], ...] = (
    ("fail", "the start of each failure"),
    ("reread", "files the agent lost and read again"),
    ("kind=tool | biggest", "the biggest results"),
    ("repeated | by tool", "repeated identical calls"),
    ("kind=prompt", "prompts"),
    ("refused", "what the user refused, and why"),
    ("author=user and class=preference,correction", "what the user prefers and corrects"),
)
"""Queries to begin with."""

WORDS = (*FLAGS, *COMPARED, *NODES, *RELATIVE, *JOINS)
