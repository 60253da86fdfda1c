"""`retold`: what the agent would be told again at a step of what its window lost, and what is left out. It only
reads: a hook with `--inject` tells it, and counts in what was told before."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar

from ccos_core.present.parts import and_more
from ccos_core.present.rows import Moment, Row, Span, View, clean, note, row, title
from ccos_core.present.words import count
from ccos_core.query.contexts import Context
from ccos_core.query.hosted.rows import whose_words
from ccos_core.query.hosted.whose import WHOSE, Whose, chosen
from ccos_core.query.question import HOST, Argument, Question
from ccos_core.query.retelling import retelling
from ccos_core.query.retold_text import WORDS_TOKENS, retold_text
from ccos_core.values.tokens import estimate

if TYPE_CHECKING:
    from ccos_core.replay.timeline import Timeline

SHOWN = 20
"""Things that a terminal shows of those left out."""
STEP_COLUMNS = 7


@dataclass(frozen=True, slots=True)
class LostWords:
    """One thing that the window lost."""

    kind: str
    """`request`: of the user's last request; `said` by the user before; `todo` or note of the agent; `tried` and
    failed."""

    name: str
    """The id of the statement, or a hash of the text."""

    text: str
    step: int
    """Where it was said last; 0 if it stands in the user's own record."""

    told: bool
    """Whether it fits the budget."""


@dataclass(frozen=True, slots=True)
class ToldAgain:
    """The answer to `retold`."""

    schema: ClassVar[str] = "ccos.retold/1"
    at: int
    whose: Whose
    """Whose window is meant."""

    budget: int
    tokens: int
    """Size of the text."""

    text: str
    """What the agent would be told, as it would get it; empty if the window lost nothing that counts."""

    lost: tuple[LostWords, ...]
    """What the window lost and what counts, the most important of each kind first."""

    def as_rows(self, view: View) -> Sequence[Row]:
        """Show the text, then what is left out."""
        return list(_rows(self, view))


def _rows(answer: ToldAgain, view: View) -> Iterator[Row]:
    told = sum(each.told for each in answer.lost)
    yield title(
        f"{told:,} of {count(len(answer.lost), 'thing')} lost by step {answer.at:,} would be told again, "
        f"about {count(answer.tokens, 'token')}"
    )
    yield note(whose_words(answer.whose))
    if not answer.lost:
        yield note("The window lost nothing that still counts; `statements` lists all that was said.")
    yield from (row(f"  {clean(line)}") for line in answer.text.splitlines())
    left_out = [each for each in answer.lost if not each.told]
    if left_out:
        yield note(f"left out, over the budget of {count(answer.budget, 'token')} (--budget):")
    shown, more = view.some(left_out, SHOWN)
    for each in shown:
        step = f"{each.step or 'own':>{STEP_COLUMNS}} "
        yield row(Span(step, "quiet"), clean(each.text), leads=Moment(each.step) if each.step else None)
    yield from and_more(more, "thing")


def retold(
    timeline: Timeline, at: int, user: Timeline | None, budget: int, session: str | None, context: str | None
) -> ToldAgain:
    """Return what the agent would be told at step `at` if nothing had been told before."""
    _, whose = chosen(timeline, at, HOST, session, context)
    telling = retelling(timeline, at, Context(whose.host, whose.session, whose.context), user)
    text, names = retold_text(telling, budget, ())
    kinds = {
        "request": telling.request, "said": telling.statements, "todo": telling.todos, "tried": telling.tried
    }  # fmt: skip
    lost = tuple(
        LostWords(kind, each.name, each.text, each.step, each.name in names)
        for kind, rows in kinds.items()
        for each in rows
    )
    return ToldAgain(at, whose, budget, estimate(text) if text else 0, text, lost)


QUESTION = Question(
    ask=retold,
    answers=(ToldAgain,),
    needs=("user",),
    example="retold --budget 300",
    arguments=(
        Argument("budget", "budget", "tokens the text may take", default=WORDS_TOKENS, flag=True),
        *WHOSE,
    ),
    about=(
        "After a compaction a hook with --inject tells the agent what its window lost: the user's last request, then "
        "what the user said before, the agent's open todos, and what was tried and failed. Statements that are "
        "superseded, retracted or expired aren't told, nor questions and go-aheads that were answered. The answer is "
        "computed at any step and records nothing."
    ),
    nothing=lambda answer: not answer.lost,
)
