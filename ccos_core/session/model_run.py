"""A run of `reflect` that asks a model: within what is left of the day's budget, once, with its answer kept as an op.

What was asked before in the same words isn't asked again: the record has the answer. A failure of the model leaves the
run as it would be without one.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

import numpy as np

from ccos_core.errors import Refused, Unavailable
from ccos_core.learn.model_request import Page, deltas_in, request_of
from ccos_core.learn.reflecting import DAY_MILLIS, Delta
from ccos_core.query.op_text import text_of
from ccos_core.replay.codes import KIND_CODES
from ccos_core.session.makers import ModelAnswer, ask
from ccos_core.storage.file_lock import FileLock, take
from ccos_core.storage.locate import scan_lock_path
from ccos_core.values.canon import digest
from ccos_core.values.tokens import estimate

if TYPE_CHECKING:
    from ccos_core.query.playbook.diary import SessionDiary
    from ccos_core.replay.timeline import Timeline
    from ccos_core.session.makers import Maker

MOST_REQUEST_TOKENS, MOST_ANSWER_TOKENS = 24_000, 2_000
WHAT = "summary"
"""What the answer of a model is recorded as: its text, from which the run takes rules."""


@dataclass(frozen=True, slots=True)
class ModelUse:
    """What a run asked a model, or would ask it."""

    maker: str
    """`model:NAME`."""

    destination: str
    """The endpoint or command that gets the text."""

    sessions: tuple[str, ...]
    """Whose diaries are sent; others didn't fit."""

    text: str
    """What would be sent, in a dry run; else empty."""

    tokens: int
    """About how many tokens that takes, with the longest answer."""

    left: int
    """Tokens left of the day's budget, before it."""

    calls_left: int
    """Calls left of the day's budget, before it."""

    spent: int = 0
    """Tokens that the call took; 0 if none was made."""

    proposed: int = 0
    """Rules in the answer."""

    problem: str = ""
    """Why nothing was asked, or how the call failed; empty if neither."""


class ModelRun:
    """The calls of one run, at most one for each text."""

    def __init__(self, maker: Maker, *, dry_run: bool) -> None:
        self.maker = maker
        self.dry_run = dry_run
        self._answers: dict[str, ModelAnswer | str] = {}
        """Hash of the text -> the answer, or how the call failed."""

    def lock(self, ws: str) -> FileLock:
        """Return the lock by which only one run at a time asks for a record."""
        found = take(f"{scan_lock_path(ws)}.model")
        if found is None:
            raise Refused("another run is asking a model", place=ws, hint="Try again when it has ended.")
        return found

    def propose(
        self,
        home: Timeline,
        diaries: Sequence[tuple[str, SessionDiary]],
        now: int,
        memo_of: Callable[[str], str],
    ) -> tuple[ModelUse, tuple[Delta, ...], tuple[dict[str, Any], ...]]:
        """Return what was asked about (memo, diary), the rules proposed, and the op that keeps the answer."""
        left, calls = self._left(home, now)
        room = min(left - MOST_ANSWER_TOKENS, MOST_REQUEST_TOKENS)
        pages = [
            Page(diary.session, tuple((one.text, one.steps) for part in diary.sections for one in part.entries))
            for _, diary in diaries
        ]
        text, sent = request_of(pages, max(room, 0))
        asked = digest(text.encode("utf-8", "replace")).hex()
        use = ModelUse(
            maker=self.maker.name,
            destination=self.maker.destination,
            sessions=tuple(each.session for each in sent),
            text=text if self.dry_run else "",
            tokens=estimate(text) + MOST_ANSWER_TOKENS,
            left=left,
            calls_left=calls,
            problem=_obstacle(self.maker, diaries, sent, left, calls),
        )
        if self.dry_run or use.problem:
            return use, (), ()
        known = _answered(home, self.maker.name, asked)
        if known is None and asked not in self._answers:
            self._answers[asked] = self._ask(text)
        found = known if known is not None else self._answers[asked]
        if isinstance(found, str):
            return replace(use, problem=found), (), ()
        deltas = tuple(
            replace(each, reason=f"{self.maker.name} proposes it: {each.reason}")
            for each in deltas_in(found.text, sent, memo_of)
        )
        op = {
            "kind": "distilled",
            "what": WHAT,
            "maker": self.maker.name,
            "of": [memo for memo, _ in diaries[: len(sent)]],
            "asked": asked,
            "result": found.text,
            "spent": found.spent,
            "millis": found.millis,
        }
        spent = 0 if known is not None else found.spent
        return replace(use, spent=spent, proposed=len(deltas)), deltas, (op,) if known is None else ()

    def _ask(self, text: str) -> ModelAnswer | str:
        try:
            return ask(self.maker, text, MOST_ANSWER_TOKENS)
        except Unavailable as error:
            return str(error)

    def _left(self, home: Timeline, now: int) -> tuple[int, int]:
        """Return the tokens and calls that are left of the day before `now`, whichever model was asked."""
        ops = [op for _, op in _calls(home) if op.get("at", now) > now - DAY_MILLIS]
        return self.maker.tokens - sum(op.get("spent", 0) for op in ops), self.maker.calls - len(ops)


# ---- helpers ----


def _obstacle(maker: Maker, diaries: Sequence[object], sent: Sequence[object], left: int, calls: int) -> str:
    """Say why a model isn't asked; empty if it may be."""
    if not diaries:
        return "there is no new session to ask about"
    if not maker.tokens:
        return "its budget is 0 tokens; CCOS_MODEL_TOKENS sets it"
    if calls <= 0:
        return f"all {maker.calls:,} calls of the last 24 hours are used"
    return "" if sent else f"{max(left, 0):,} tokens are left for the last 24 hours, too few for one diary"


def _calls(home: Timeline) -> list[tuple[int, dict[str, Any]]]:
    """Return (step, op) of each answer of a model."""
    steps = (np.flatnonzero(home.journal.steps["kind"] == KIND_CODES["distilled"]) + 1).tolist()
    every = ((step, home.op(step)) for step in steps)
    return [(step, op) for step, op in every if op["what"] == WHAT and op["maker"].startswith("model:")]


def _answered(home: Timeline, maker: str, asked: str) -> ModelAnswer | None:
    """Return what the record has as the answer of a model to a text; None if it wasn't asked."""
    for _, op in _calls(home):
        if (op["maker"], op.get("asked")) == (maker, asked):
            return ModelAnswer(text_of(home, op["result"]), op.get("spent", 0), op.get("millis", 0))
    return None
