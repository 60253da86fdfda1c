"""A record as a principal may see it: a timeline in which what its view withholds was never said.

Every answer is made of what a timeline reads, so this is the one place at which a view is enforced. Statements and
claims that the view withholds are missing in it: the ops about them are empty, their words are gone from every text,
their ids are unknown. Rows, counts, near misses, suggestions and errors follow from that by themselves, and an id that
may not be seen is answered as one that doesn't exist.

What stays visible is the chain: that a step was recorded, when, and its hash.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, cast

from ccos_core.memory.entry import LEVELS, SAID_CLASS, UNLABELLED_LEVEL
from ccos_core.memory.view import DEFAULT_GRANTS, Policy, View, policy_of, view_of
from ccos_core.ops.plain import unseal
from ccos_core.ops.table import HEADER, fields_of
from ccos_core.query.contexts import contexts_of
from ccos_core.query.op_text import text_of
from ccos_core.query.remembered import (
    CLAIM,
    MEMO,
    NODE_FIELDS,
    Assertions,
    assertion_ops,
    assertions_of,
    ops_about,
    regions_of,
    tags_of,
)
from ccos_core.query.said import said_until
from ccos_core.query.saying.utterance import AUTHORS, USER
from ccos_core.replay.codes import KIND_CODES
from ccos_core.replay.timeline import Timeline
from ccos_core.text.masking import MASK, Phrases, masked
from ccos_core.text.retrieval.carried import normalised_words
from ccos_core.values.canon import digest, spelled

if TYPE_CHECKING:
    from ccos_core.log.facts import Key
    from ccos_core.ops.plain import Plain
    from ccos_core.replay.columns import Numbers, Texts
    from ccos_core.replay.journal import Growing, Journal
    from ccos_core.replay.timeline import Ops
    from ccos_core.state.fold import Facts
    from ccos_core.values.code import Outline

GOVERNED, LABELLED, DISTILLED = "governed", "labelled", "distilled"
POLICY = "policy"
"""The name of a `governed` op that says who may see what; others govern something else."""
_NODE = re.compile(rb'"(memo:[0-9a-f]{16}|claim:)')
_HEADER = frozenset(name for name, _, _ in HEADER)


@dataclass(frozen=True, slots=True)
class Labels:
    """What a view looks at of a statement or a claim."""

    cls: str
    privacy: int
    regions: tuple[str, ...]
    tags: tuple[str, ...]
    author: str
    provider: str
    given_tags: tuple[str, ...] = ()
    given_regions: tuple[str, ...] = ()
    """Those that an allow-list looks at: what the owner gave, and what an agent gave its own statement at first. Else
    an agent could label a statement of others into the view of another principal."""


@dataclass(frozen=True, slots=True)
class Hidden:
    """What a view withholds."""

    nodes: frozenset[str]
    phrases: Phrases
    key: str
    """Equal if the same is withheld."""


def policy_at(timeline: Timeline, at: int) -> Policy:
    """Return the policy in force at a step."""
    step = policy_step(timeline, at)
    return policy_of(text_of(timeline, timeline.op(step)["policy"])) if step else Policy()


def policy_step(timeline: Timeline, at: int) -> int:
    """Return the last step up to `at` at which the owner recorded a policy; 0 if there is none."""
    import numpy as np

    for step in reversed((np.flatnonzero(timeline.journal.steps["kind"][:at] == KIND_CODES[GOVERNED]) + 1).tolist()):
        op = timeline.op(step)
        if op.get("actor") == USER and op["name"] == POLICY and text_of(timeline, op["policy"]):
            return int(step)
    return 0


def view_at_head(timeline: Timeline, principal: str) -> View:
    """Return the view of a principal by the policy in force. Raises `Refused` if the policy doesn't name it."""
    return view_of(policy_at(timeline, timeline.head), principal)


def viewed(timeline: Timeline, view: View, beside: Timeline | None = None) -> Timeline:
    """Return a record as a view shows it: labels hold from when they are given, for all steps. `beside` is another
    record whose labels count as well."""
    if view.is_owner:
        return timeline
    hidden = hidden_from(timeline, view, beside)
    if not hidden.nodes:
        return timeline
    caches: _Caches = timeline.journal.growing(f"seen by {hidden.key}", _Caches)
    journal = _Journal(timeline.journal, caches, hidden, timeline)
    ops = _Ops(timeline.ops, hidden)
    facts = cast("Facts", _Facts(timeline.facts, hidden))
    return Timeline(ops, cast("Journal", journal), facts, timeline.name, timeline.broken, timeline.measured)


def hidden_from(timeline: Timeline, view: View, beside: Timeline | None) -> Hidden:
    """Return the statements and claims that a view withholds."""
    texts: dict[str, str] = {}
    records = [each for each in (timeline, beside) if each is not None]
    for node, labels in _labelled(records, view):
        if not view.grants(labels):
            texts[node] = ""
    if not texts:
        return Hidden(frozenset(), Phrases(()), "")
    if missing := [node for node in texts if node.startswith(MEMO)]:
        known = _texts(records)
        texts.update((node, known.get(node, "")) for node in missing)
    texts.update((node, node.removeprefix(CLAIM)) for node in texts if node.startswith(CLAIM))
    phrases = Phrases(normalised_words(text) for text in texts.values())
    return Hidden(frozenset(texts), phrases, digest(spelled(sorted(texts))).hex()[:16])


# ---- which are withheld ----


def _labelled(records: list[Timeline], view: View) -> Iterator[tuple[str, Labels]]:
    """Yield what a view may withhold: what has labels; and everything, if it asks for more than a level."""
    nodes = dict.fromkeys(
        node for each in records for node in assertion_ops(each, each.head) if node.startswith((MEMO, CLAIM))
    )
    needs_all = view.grant != DEFAULT_GRANTS.get(view.principal) and not _is_only_a_cap(view)
    said = _said(records) if needs_all else {}
    for node in {**dict.fromkeys(said), **nodes}:
        filed = [assertions_of(each, node, each.head) for each in records]
        labels = _labels(filed, *said.get(node, ("", "", "")))
        yield node, _with_given(labels, records, node) if view.grant.tags or view.grant.regions else labels


def _is_only_a_cap(view: View) -> bool:
    """Tell whether a view withholds nothing that has no label."""
    given = view.grant
    narrows = given.regions or given.classes or given.denied_classes or given.tags or "*" not in given.agents
    return not narrows and given.level >= UNLABELLED_LEVEL


def _labels(filed: list[Assertions], cls: str, author: str, host: str) -> Labels:
    """Return the labels of a node in all records: of two levels the higher holds."""
    levels = [LEVELS.index(each.privacy) for each in filed if each.privacy]
    return Labels(
        next((each.cls for each in filed if each.cls), cls or SAID_CLASS),
        max(levels, default=UNLABELLED_LEVEL),
        tuple(sorted({region for each in filed for region in each.regions})),
        tuple(sorted({tag for each in filed for tag in each.tags})),
        author or next((each.author for each in filed if each.author), ""),
        next((each.host for each in filed if each.host), host),
    )


def _with_given(labels: Labels, records: list[Timeline], node: str) -> Labels:
    """Add the tags and regions that count for an allow-list."""
    tags: list[str] = []
    regions: list[str] = []
    for each in records:
        filed = [op for _, op in ops_about(each, node, each.head) if op["kind"] in ("remembered", LABELLED)]
        first = [op for op in filed[:1] if op["kind"] == "remembered" and labels.author != USER]
        given = [op for op in filed if op.get("actor") == USER or op in first]
        tags += tags_of(given)
        regions += regions_of(given)
    return replace(labels, given_tags=tuple(tags), given_regions=tuple(regions))


def _said(records: list[Timeline]) -> dict[str, tuple[str, str, str]]:
    """Return (class, author, host) of everything that was said, by its id."""
    found: dict[str, tuple[str, str, str]] = {}
    for timeline in records:
        for host, session in dict.fromkeys((each.host, each.session) for each in contexts_of(timeline).values()):
            for each in said_until(timeline, timeline.head, (host, session), AUTHORS):
                found.setdefault(each.memo, (each.classes[0] if each.classes else "", each.author, host))
    return found


def _texts(records: list[Timeline]) -> dict[str, str]:
    from ccos_core.query.node_names import known_statements

    found: dict[str, str] = {}
    for timeline in records:
        found.update(known_statements(timeline, timeline.head))
        for node, ops in assertion_ops(timeline, timeline.head).items():  # one that was said in an op but isn't live
            words = (text_of(timeline, op["words"]) for _, op in ops if op["kind"] == "remembered")
            found.setdefault(node, next(words, ""))
    return found


# ---- the record without them ----


class _Ops:
    """The ops of a record, of which some say nothing, and contents without what is withheld."""

    def __init__(self, ops: Ops, hidden: Hidden) -> None:
        self._ops = ops
        self._hidden = hidden

    def op(self, step: int) -> tuple[int, bytes, bytes]:
        at, hash_, body = self._ops.op(step)
        return at, hash_, seen_body(body, self._hidden)

    def rows(self, first: int, last: int) -> Iterator[tuple[int, bytes, bytes]]:
        for at, hash_, body in self._ops.rows(first, last):
            yield at, hash_, seen_body(body, self._hidden)

    def bodies(self, steps: Iterable[int]) -> dict[int, bytes]:
        return {step: seen_body(body, self._hidden) for step, body in self._ops.bodies(steps).items()}

    def content(self, blob: bytes) -> bytes:
        return seen_content(self._ops.content(blob), self._hidden)

    def contents(self, blobs: Iterable[bytes]) -> dict[bytes, bytes]:
        return {blob: seen_content(found, self._hidden) for blob, found in self._ops.contents(blobs).items()}

    def whole(self, blobs: Iterable[bytes]) -> set[bytes]:
        return self._ops.whole(blobs)

    def facts(self, keys: Iterable[Key]) -> dict[Key, bytes]:
        return self._ops.facts(keys)


def seen_content(content: bytes, hidden: Hidden) -> bytes:
    """Return a content without the words and ids that are withheld."""
    text = content.decode("utf-8", "surrogateescape")
    seen = seen_text(text, hidden)
    return content if seen is text else seen.encode("utf-8", "surrogateescape")


def seen_text(text: str, hidden: Hidden) -> str:
    """Return a text without the words and ids that are withheld."""
    text = masked(text, hidden.phrases)
    if MEMO in text:
        for node in sorted(hidden.nodes):
            text = text.replace(node, MASK) if node.startswith(MEMO) else text
    return text


def seen_body(body: bytes, hidden: Hidden) -> bytes:
    """Return an op without what is withheld; one that speaks of nothing else says nothing."""
    if not _NODE.search(body):
        return body
    op = unseal(body)
    seen = _seen_op(op, hidden)
    return body if seen == op else spelled(seen)


def _seen_op(op: Plain, hidden: Hidden) -> Plain:
    if op["kind"] == DISTILLED and hidden.nodes:  # it may hold parts of any statement, in an order of its own
        return _withheld(op)
    seen: Plain = dict(op)
    for name, form, required in fields_of(op["kind"]):
        if name not in op:
            continue
        value = op[name]
        if form == "node" and value in hidden.nodes:
            if op["kind"] == "superseded" and name == "by" and op["claim"] not in hidden.nodes:
                return {"kind": "retracted", "v": 1, "claim": op["claim"], **_header(op)}
            return _withheld(op)
        if form in ("nodes", "places", "items"):
            kept = [each for each in value if (each if form == "nodes" else each[0]) not in hidden.nodes]
            if not kept and value and NODE_FIELDS.get(op["kind"]) == name:
                return _withheld(op)
            if kept or required:
                seen[name] = kept
            else:
                seen.pop(name)
        elif form == "text":
            seen[name] = seen_text(value, hidden)
    return seen


def _withheld(op: Plain) -> Plain:
    """Return an op that labels nothing, by the same actor at the same time."""
    return {"kind": LABELLED, "v": 1, "nodes": [], **_header(op)}


def _header(op: Plain) -> Plain:
    return {name: value for name, value in op.items() if name in _HEADER}


class _Facts:
    """What texts say, read from the texts as they are shown."""

    def __init__(self, facts: Facts, hidden: Hidden) -> None:
        self._facts = facts
        self._hidden = hidden

    def __getattr__(self, name: str) -> Any:
        return getattr(self._facts, name)

    def text(self, content: str) -> str | None:
        text = self._facts.text(content)
        return seen_text(text, self._hidden) if text is not None else None

    def outline(self, content: str, path: str) -> Outline | None:
        text = self._facts.text(content)
        if text is None or seen_text(text, self._hidden) == text:
            return self._facts.outline(content, path)
        return self._facts.outline_of_text(seen_text(text, self._hidden), path)


class _Told:
    """Texts of a journal without what is withheld."""

    def __init__(self, texts: Texts, hidden: Hidden) -> None:
        self._texts = texts
        self._hidden = hidden

    def __getattr__(self, name: str) -> Any:
        return getattr(self._texts, name)

    def __len__(self) -> int:
        return len(self._texts)

    def __getitem__(self, at: int) -> bytes:
        return seen_content(self._texts[at], self._hidden)


class _Caches:
    """What is worked out for one view, as a journal keeps it for the record as it is."""

    def __init__(self) -> None:
        self.once: dict[str, tuple[int, Any]] = {}
        self.growing: dict[str, Growing] = {}

    def cut(self, sizes: Mapping[str, int]) -> None:
        """Only the first rows of each table are what they were."""
        self.once.clear()
        for each in self.growing.values():
            each.cut(sizes)


class _Journal:
    """A journal whose answers about a view are kept apart, and that doesn't know what the view withholds."""

    def __init__(self, journal: Journal, caches: _Caches, hidden: Hidden, timeline: Timeline) -> None:
        self._journal = journal
        self._caches = caches
        self._hidden = hidden
        self.told = _Told(journal.told, hidden)
        self.steps = _Steps(journal, *self.once("withheld steps", lambda: _withheld_steps(timeline, hidden)))

    def __getattr__(self, name: str) -> Any:
        return getattr(self._journal, name)

    def name(self, at: int) -> str:
        """Return the name of a number."""
        return seen_text(self._journal.name(at), self._hidden)

    def spelled(self, numbers: Numbers) -> list[str]:
        """Return the names of many numbers."""
        return [seen_text(name, self._hidden) for name in self._journal.spelled(numbers)]

    def id(self, name: str) -> int:
        """Return the number of a name; -1 if it never came up."""
        return -1 if name in self._hidden.nodes else self._journal.id(name)

    def once(self, name: str, make: Callable[[], Any]) -> Any:
        """Return what is worked out of all of it, until more comes behind."""
        size = len(self._journal.steps) + len(self._journal.changes)
        known = self._caches.once.get(name)
        if known is None or known[0] != size:
            known = self._caches.once[name] = size, make()
        return known[1]

    def growing(self, name: str, make: Callable[[], Any]) -> Any:
        """Return what is worked out of it row by row."""
        if name not in self._caches.growing:
            self._caches.growing[name] = make()
        return self._caches.growing[name]


class _Steps:
    """The table of steps: withheld ones label nothing, and what a withheld statement supersedes is retracted."""

    def __init__(self, journal: Journal, withheld: Numbers, retracted: Numbers) -> None:
        self._table = journal.steps
        self._withheld = withheld
        self._retracted = retracted

    def __getattr__(self, name: str) -> Any:
        return getattr(self._table, name)

    def __len__(self) -> int:
        return len(self._table)

    def __getitem__(self, column: str) -> Numbers:
        found = self._table[column]
        if column in ("kind", "size") and len(self._withheld) + len(self._retracted):
            found = found.copy()
            found[self._withheld - 1] = KIND_CODES[LABELLED] if column == "kind" else 0
            found[self._retracted - 1] = KIND_CODES["retracted"] if column == "kind" else 0
        return found


def _withheld_steps(timeline: Timeline, hidden: Hidden) -> tuple[Numbers, Numbers]:
    """Return the steps of ops that say nothing any more, and of those that say that a statement is retracted."""
    import numpy as np

    found: set[int] = set()
    for node in sorted(hidden.nodes):
        for step, op in assertion_ops(timeline, timeline.head).get(node, ()):
            seen = _seen_op(op, hidden)
            if seen["kind"] == LABELLED and not seen["nodes"]:
                found.add(step)
    kinds = timeline.journal.steps["kind"]
    if hidden.nodes:
        found.update((np.flatnonzero(kinds == KIND_CODES[DISTILLED]) + 1).tolist())
    steps = np.flatnonzero(kinds == KIND_CODES["superseded"]) + 1
    retracted = [step for step in steps.tolist() if _seen_op(timeline.op(step), hidden)["kind"] == "retracted"]
    return np.array(sorted(found), np.int64), np.array(retracted, np.int64)
