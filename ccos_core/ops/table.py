"""The vocabulary as one plain table: every kind of op, its version, and the type of each of its fields.

This is the one definition of an op. `plain` checks ops against it, the gate reads it to know which fields are foreign
text, and `docs/OPS.md` is printed from it, with the meaning of each field.

A field is (name, type, required). An optional field that has no value isn't written at all; nothing is ever null.

    int     an integer of 64 bits               flag    true or false
    word    a short word of ours or the host's  text    one bounded line or paragraph, kept inline
    path    as `values.paths` writes it         node    as `values.ids` writes it
    hash    64 hex digits of a blake3           blob    a reference to foreign text: {blob, bytes, ...}
            (of a text too large to keep, the hash and size of the `whole`, and the lines of its `head` and `dropped`)
    json    a blob whose text is canonical JSON (the arguments of a tool)
    span    [first, last], lines counted from 1, both ends in
    texts, paths, nodes    lists of those       numbers    {name: int}
    sites   [[path, line], ...]                 items   [[node, level, tokens], ...]
    places  [[node, first, last], ...]

`A|B|C` is a word out of a closed list. On the hook's path: imports nothing.
"""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import TypeAlias

    Field: TypeAlias = tuple[str, str, bool]
    Kind: TypeAlias = tuple[int, tuple[Field, ...]]

VOCABULARY = 3
"""Raised when a kind is added or changed. An epoch pins the one it was written under."""

HEADER: tuple[Field, ...] = (
    ("at", "int", False),
    ("actor", "agent|user|host|tool", False),
    ("host", "word", False),
    ("session", "text", False),
    ("context", "text", False),
    ("call", "text", False),
    ("phase", "word", False),
    ("findings", "findings", False),
)
"""What any op may carry. A fold reads `host`, `session` and `context` (they say whose window a delivery went into) and
`call` (a compaction names the calls whose results it keeps), and none of the others: wall-clock milliseconds, who
acted, what the gate changed."""

EVIDENCE: tuple[Field, ...] = (
    ("claim", "node", True),
    ("by", "nodes", False),
    ("weight", "int", True),
    ("words", "blob", False),
    ("way", "explicit|inline|test|outcome|import", False),
    ("for_session", "text", False),
)
"""What speaks for or against a node."""
PRIVACY = "public|low|medium|high|critical"

KINDS: dict[str, Kind] = {
    "epoch": (
        1,
        (
            ("format", "int", True),
            ("vocabulary", "int", True),
            ("interpreters", "numbers", True),
            ("ticks", "numbers", True),
            ("weights", "numbers", True),
            ("caps", "numbers", True),
        ),
    ),
    "seen": (
        1,
        (
            ("path", "path", True),
            ("how", "read|edit|write|ingest", True),
            ("content", "blob", False),
            ("slice", "span", False),
            ("took", "int", False),
            ("inferred", "flag", False),
            ("withheld", "word", False),
        ),
    ),
    "gone": (1, (("path", "path", True), ("inferred", "flag", False))),
    "renamed": (1, (("path", "path", True), ("to", "path", True), ("inferred", "flag", False))),
    "tool": (
        1,
        (
            ("name", "word", True),
            ("outcome", "ok|error|interrupted|unknown", True),
            ("arguments", "json", False),
            ("result", "blob", False),
            ("cwd", "path", False),
            ("millis", "int", False),
            ("withheld", "word", False),
        ),
    ),
    "failed": (
        1,
        (
            ("runner", "word", True),
            ("test", "text", False),
            ("nodes", "nodes", False),
            ("sites", "sites", False),
            ("output", "blob", False),
        ),
    ),
    "passed": (
        1,
        (
            ("runner", "word", True),
            ("scope", "tests|files|nodes|all|unknown", True),
            ("tests", "texts", False),
            ("paths", "paths", False),
            ("nodes", "nodes", False),
            ("output", "blob", False),
        ),
    ),
    "recall": (
        2,
        (
            ("lens", "text", True),
            ("budget", "int", True),
            ("computed_at", "int", True),
            ("parameters", "numbers", True),
            ("items", "items", True),
            ("window", "hash", True),
            ("principal", "word", False),
            ("policy", "hash", False),
            ("now", "int", False),
            ("said", "blob", False),
        ),
    ),
    "paged_in": (1, (("nodes", "nodes", True), ("reason", "text", False))),
    "paged_out": (
        2,
        (
            ("nodes", "nodes", True),
            ("reason", "text", False),
            ("summary", "blob", False),
            ("source", "hash", False),
            ("made", "int", False),
        ),
    ),
    "attention": (1, (("nodes", "nodes", True), ("reason", "text", False))),
    "annotation": (1, (("node", "node", False), ("note", "blob", True))),
    "supported": (2, EVIDENCE),
    "contradicted": (2, EVIDENCE),
    "retracted": (1, (("claim", "node", True), ("words", "blob", False))),
    "superseded": (
        2,
        (
            ("claim", "node", True),
            ("by", "node", True),
            ("words", "blob", False),
            ("how", "replace|merge|invert|refine", False),
        ),
    ),
    "turn": (
        2,
        (
            ("model", "word", False),
            ("said", "blob", False),
            ("stop", "end|tool|interrupted|limit|error|unknown", False),
            ("detail", "text", False),
            ("millis", "int", False),
        ),
    ),
    "prompt": (
        2,
        (
            ("said", "blob", True),
            ("source", "user|host|agent|unknown", True),
            ("channel", "queued|answer|refusal|plan|feedback", False),
        ),
    ),
    "usage": (
        2,
        (
            ("window", "int", True),
            ("fresh", "int", False),
            ("cached", "int", False),
            ("stored", "int", False),
            ("stored_hour", "int", False),
            ("written", "int", False),
            ("thinking", "int", False),
            ("limit", "int", False),
            ("model", "word", False),
            ("cost", "int", False),
        ),
    ),
    "compaction": (
        1,
        (
            ("trigger", "manual|auto|unknown", True),
            ("before", "int", False),
            ("after", "int", False),
            ("summary", "blob", False),
            ("kept", "texts", False),
            ("exact", "flag", True),
        ),
    ),
    "cleared": (1, (("reason", "text", False),)),
    "retune": (1, (("weights", "numbers", True), ("reason", "text", False))),
    "thought": (1, (("said", "blob", False), ("sealed", "flag", False), ("tokens", "int", False))),
    "remembered": (
        1,
        (
            ("memo", "node", True),
            ("class", "word", True),
            ("words", "blob", True),
            ("about", "nodes", False),
            ("places", "places", False),
            ("scope", "session|project|user", False),
            ("tags", "texts", False),
            ("privacy", PRIVACY, False),
            ("regions", "texts", False),
            ("lifetime", "int", False),
            ("reason", "blob", False),
            ("inferred", "flag", False),
            ("made", "int", False),
        ),
    ),
    "labelled": (
        1,
        (
            ("nodes", "nodes", True),
            ("privacy", PRIVACY, False),
            ("regions", "texts", False),
            ("tags", "texts", False),
            ("untagged", "texts", False),
            ("pinned", "flag", False),
        ),
    ),
    "weighed": (1, (("nodes", "nodes", True), ("weight", "int", True))),
    "expired": (1, (("nodes", "nodes", True), ("policy", "text", True), ("now", "int", True))),
    "governed": (1, (("policy", "json", True), ("name", "word", True))),
    "distilled": (
        1,
        (
            ("what", "summary|diary|deltas|validation|expansion|outcome", True),
            ("maker", "word", True),
            ("of", "nodes", True),
            ("asked", "hash", False),
            ("result", "blob", True),
            ("spent", "int", False),
            ("millis", "int", False),
        ),
    ),
}

SHARED = ("kind", "v")
"""The two fields before all others: which kind, and the version of that kind."""

LONGEST = {"word": 200, "text": 2_000, "path": 4_096, "node": 8_192}
"""Characters of an inline field. The gate cuts what is longer and names the whole by its hash."""

MOST = 10_000
"""Entries of a list or map field."""


def fields_of(kind: str) -> tuple[Field, ...]:
    """The fields an op of this kind may have, the shared header included."""
    return KINDS[kind][1] + HEADER
