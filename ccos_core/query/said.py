"""What was said, statement by statement: who said it, where, and an id that is the same wherever it is said again."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from ccos_core.errors import CcosError
from ccos_core.query.contexts import contexts_of
from ccos_core.replay.codes import KIND_CODES, how_of
from ccos_core.text.statements import Statement, statements_of
from ccos_core.values.canon import canonical, digest

if TYPE_CHECKING:
    from ccos_core.replay.timeline import Timeline

SAID_CLASS, SAID_SCOPE = "said", "session"
MEMO_DIGITS = 16


@dataclass(frozen=True, slots=True)
class Place:
    """Where a statement was said."""

    step: int
    first: int
    """The first line of the prompt."""

    last: int
    channel: str
    """How it was said: `queued`, `answer`, `refusal`, ...; empty for a prompt."""


@dataclass(frozen=True, slots=True)
class Said:
    """One thing the user said, wherever it was said again."""

    memo: str
    """The same wherever the same words are said."""

    text: str
    """As it was said last."""

    words: tuple[str, ...]
    places: tuple[Place, ...]


def memo_id(words: Iterable[str]) -> str:
    """Return the id of a statement with these normalised words."""
    return "memo:" + digest(canonical([SAID_CLASS, SAID_SCOPE, " ".join(words)])).hex()[:MEMO_DIGITS]


def said_until(timeline: Timeline, at: int, session: tuple[str, str]) -> tuple[Said, ...]:
    """Return what the user said up to a step in a session (host, name), in the order in which it was first said."""
    places: dict[tuple[str, ...], list[Place]] = {}
    texts: dict[tuple[str, ...], str] = {}
    every = contexts_of(timeline)
    contexts = {number for number, each in every.items() if (each.host, each.session) == session}
    for step, prompt in _prompts(timeline).items():
        if step > at:
            break
        for each in prompt.statements if prompt.context in contexts else ():
            texts[each.words] = each.text
            places.setdefault(each.words, []).append(Place(step, each.first, each.last, prompt.channel))
    return tuple(Said(memo_id(words), texts[words], words, tuple(found)) for words, found in places.items())


@dataclass(frozen=True, slots=True)
class _Prompt:
    """One prompt of the user."""

    context: int
    channel: str
    statements: tuple[Statement, ...]


def _prompts(timeline: Timeline) -> dict[int, _Prompt]:
    """Step → the user's prompt."""
    found: dict[int, _Prompt] = timeline.journal.once("prompts", lambda: dict(_read_prompts(timeline)))
    return found


def _read_prompts(timeline: Timeline) -> Iterator[tuple[int, _Prompt]]:
    steps = timeline.journal.steps
    found = (np.flatnonzero(steps["kind"] == KIND_CODES["prompt"]) + 1).tolist()
    timeline.have_ready(found)
    for step in found:
        op = timeline.op(step)
        if op["source"] == "user" and not how_of(op):
            text = text_of(timeline, op["said"])
            yield step, _Prompt(int(steps["context"][step - 1]), op.get("channel", ""), statements_of(text))


def text_of(timeline: Timeline, blob: dict[str, Any] | None) -> str:
    """Return a text of an op; nothing where it has none, or it was erased."""
    if blob is None:
        return ""
    try:
        return timeline.content(blob["blob"]).decode("utf-8", "replace")
    except CcosError:
        return ""
