"""Documents with a role, as the record has them at a step, and which files have which role there."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from functools import lru_cache
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from ccos_core.errors import Usage
from ccos_core.query.saying.utterance import USER
from ccos_core.query.step_text import read_blob
from ccos_core.query.worth_knowing import worth_knowing
from ccos_core.replay.codes import KIND_CODES
from ccos_core.text.retrieval.scores import best_first
from ccos_core.text.retrieval.talk import Talk, Turn
from ccos_core.text.sections import sections
from ccos_core.values.ids import file_node, sym_nodes
from ccos_core.values.roles import DAILY, ROLES, Roles

if TYPE_CHECKING:
    from ccos_core.replay.timeline import Timeline

CONTEXT_POLICY = "context"
"""The name of the `governed` op that says which files have a role, and when a window is under pressure."""
BOUNDS = 4
"""Thresholds of pressure."""
DAYS, MOST_DAYS = 2, 400
"""Days whose notes count as recent, and those that are searched."""
STATEMENTS_BUDGET = 600  # tokens


class DocumentAt(NamedTuple):
    """A document as it was at a step."""

    role: str
    path: str
    text: str


def context_policy(timeline: Timeline, at: int) -> dict[str, Any]:
    """The settings of the toolset `context` that were in force at a step; empty if none were."""
    steps = np.flatnonzero(timeline.journal.steps["kind"][:at] == KIND_CODES["governed"]) + 1
    for step in reversed(steps.tolist()):
        op = timeline.op(step)
        if op["name"] == CONTEXT_POLICY and op.get("actor") == USER:
            return _checked(read_blob(timeline, op["policy"])[0])
    return {}


def _checked(text: str) -> dict[str, Any]:
    """The parts of a policy that are what they should be: a record may come from anybody."""
    try:
        told = json.loads(text or "{}")
    except ValueError:
        return {}
    pressure, resources = (told.get(name) if isinstance(told, dict) else None for name in ("pressure", "resources"))
    found: dict[str, Any] = {"pressure": {}, "resources": {}}
    if isinstance(pressure, dict):
        limit, bounds = pressure.get("context_max"), pressure.get("thresholds")
        if type(limit) is int and limit > 0:
            found["pressure"]["context_max"] = limit
        if isinstance(bounds, list) and len(bounds) == BOUNDS and all(type(each) is int for each in bounds):
            found["pressure"]["thresholds"] = sorted(bounds)
    if isinstance(resources, dict):
        found["resources"] = {role: path for role, path in resources.items() if isinstance(path, str)}
    return found


def roles_at(timeline: Timeline, at: int) -> Roles:
    """Which files had which role at a step."""
    told = context_policy(timeline, at).get("resources", {})
    try:
        return Roles().with_paths(told)
    except Usage:
        return Roles()


def document_at(timeline: Timeline, at: int, role: str) -> DocumentAt | None:
    """The document of a role; None if the record has none. Of daily notes see `daily_at`."""
    moment = timeline.at(at)
    for path in roles_at(timeline, at).paths(role):
        if moment.version(path) is not None and (text := moment.source(path).text):
            return DocumentAt(role, path, text)
    return None


def daily_at(timeline: Timeline, at: int, most: int = DAYS) -> list[DocumentAt]:
    """The notes of the last days of which there are any, the last one first."""
    moment, roles = timeline.at(at), roles_at(timeline, at)
    start = roles.daily.partition("{")[0]
    days = sorted((day, path) for path in moment.paths() if path.startswith(start) and (day := roles.day_in(path)))
    return [DocumentAt(DAILY, path, moment.source(path).text) for _, path in reversed(days[-most:])]


class Passage(NamedTuple):
    """A section of a document, or a statement."""

    node: str
    path: str
    text: str


def search(timeline: Timeline, at: int, query: str, user: Timeline | None = None) -> list[Passage]:
    """Sections of documents and statements that have words of a query: statements first, then sections, the best of
    each first."""
    said = worth_knowing(timeline, at, user, query, STATEMENTS_BUDGET).statements
    passages, talk = _talk(documents_at(timeline, at))
    found = [passages[place] for place in best_first(talk.scores(query))] if passages else []
    return [*(Passage(each.memo, "", f"- {' '.join(each.text.split())} ({each.memo})") for each in said), *found]


def ranked(texts: Sequence[str], query: str) -> list[int]:
    """The places of texts that have words of a query, the best first."""
    if not texts:
        return []
    return best_first(Talk([Turn("", text, group) for group, text in enumerate(texts)]).scores(query))


def documents_at(timeline: Timeline, at: int) -> tuple[DocumentAt, ...]:
    """All documents with a role, daily notes last."""
    found = (document_at(timeline, at, role) for role in ROLES if role != DAILY)
    return (*(each for each in found if each is not None), *daily_at(timeline, at, MOST_DAYS))


@lru_cache(maxsize=2)  # a record grows with each search, and its documents seldom do
def _talk(documents: tuple[DocumentAt, ...]) -> tuple[list[Passage], Talk]:
    """All sections of documents by their words."""
    passages = [passage for each in documents for passage in _passages(each)]
    return passages, Talk([Turn("", each.text, group) for group, each in enumerate(passages)])


def _passages(document: DocumentAt) -> Iterator[Passage]:
    known, text = sections(document.text), document.text
    head = text[: known[0].start] if known else text
    if head.strip():
        yield Passage(file_node(document.path), document.path, head)
    names = sym_nodes(document.path, [each.name.partition("~")[0] for each in known])
    for name, each in zip(names, known, strict=True):
        yield Passage(name, document.path, text[each.start : each.own_end])
