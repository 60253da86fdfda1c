"""`recall`, `around`, `task`, `hybrid`: the window of a lens as it was at a step, with what each item is there for.

It is made by the very code that makes windows now, out of a moment instead of a world; nothing here decides who is in.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, ClassVar

from ccos_core.errors import NotFound, Usage
from ccos_core.log.chain import GENESIS
from ccos_core.query.contexts import contexts_of, meant
from ccos_core.query.hosted.both import overlap
from ccos_core.query.hosted.whose import WHOSE, is_theirs
from ccos_core.query.hosted.window import AgentWindow, agent_window
from ccos_core.query.question import BOTH, BRIEF, FURTHER, RESUME, Argument, Question
from ccos_core.query.window_rows import item_rows, text_rows
from ccos_core.replay.resuming import resumed
from ccos_core.replay.searching import Progress, is_search, searched, unheard
from ccos_core.window.lenses import WORKING_SET
from ccos_core.window.linearize import DEFAULT_BUDGET, Item, Missed, Window

if TYPE_CHECKING:
    from ccos_core.present.rows import Row, View
    from ccos_core.query.diff import SuggestedDiff
    from ccos_core.replay.moment import Moment
    from ccos_core.replay.timeline import Timeline

AROUND = "around:"
MEMO_LENS, RULES_LENS, BUNDLE_LENS = "memo", "rules", "bundle"


@dataclass(frozen=True, slots=True)
class Shown:
    """A window at a step. `recall` as a command answers with the same."""

    schema: ClassVar[str] = "ccos.window/1"
    lens: str
    """Which window it is, spelled out: `around:X` has X in full."""

    budget: int
    tokens: int
    """What the text takes."""

    step: int
    head: str
    """The chain's hash at that step."""

    text: str
    """What an agent would have been given."""

    items: tuple[Item, ...]
    """What is in it, in the order of the text, each with the reason."""

    missed: tuple[Missed, ...]
    """The first of what isn't in, with what the budget lacked for it."""

    verbatim: ClassVar[bool] = True
    """Its text is printed as it is."""

    def as_rows(self, view: View) -> Sequence[Row]:
        return text_rows(self)

    def item_rows(self, view: View, diff: SuggestedDiff | None = None) -> Sequence[Row]:
        """Show item by item what is in it, as a pane does, with what just left."""
        return item_rows(self, view.width, diff)


def recall(
    timeline: Timeline,
    at: int,
    *,
    budget: int,
    lens: str,
    progress: Progress,
    user: Timeline | None = None,
    session: str | None = None,
    context: str | None = None,
    compress: bool = True,
) -> Shown | AgentWindow:
    """The window of any lens."""
    if is_of_statements(lens):
        return shown(timeline, at, _of_statements(timeline, at, user, lens, budget, progress, compress))
    if lens == RESUME:
        return shown(timeline, at, resumed(timeline, at, budget, _whose_hands(timeline, session, context)))
    if not is_theirs(lens):
        return shown(timeline, at, window_at(timeline, at, lens, budget, progress, compress))
    agent = agent_window(timeline, at, lens=lens, session=session, context=context)
    if lens != BOTH:
        return agent
    own = shown(timeline, at, window_at(timeline, at, WORKING_SET, budget, progress))
    return replace(agent, suggested=own, overlap=overlap(timeline, at, own.items, session=session, context=context))


def around(timeline: Timeline, at: int, *, node: str, budget: int) -> Shown:
    """The window around a file or a symbol."""
    return shown(timeline, at, window_at(timeline, at, AROUND + node, budget))


def task(timeline: Timeline, at: int, *, text: str, budget: int, progress: Progress, compress: bool = True) -> Shown:
    """What a text is about."""
    return shown(timeline, at, window_at(timeline, at, f"task:{_said(text)}", budget, progress, compress))


def hybrid(timeline: Timeline, at: int, *, text: str, budget: int, progress: Progress, compress: bool = True) -> Shown:
    """What a text, the failures and the links between all that speak for."""
    return shown(timeline, at, window_at(timeline, at, f"hybrid:{_said(text)}", budget, progress, compress))


def _items(answer: Shown | AgentWindow) -> tuple[object, ...]:
    """Everything that is in any of the windows that were asked about."""
    suggested = answer.suggested if isinstance(answer, AgentWindow) else None
    return (*answer.items, *(suggested.items if suggested is not None else ()))


def shown(timeline: Timeline, at: int, window: Window) -> Shown:
    """A window as an answer."""
    head = timeline.hash(at) if at else GENESIS.hex()
    return Shown(window.lens, window.budget, window.tokens, at, head, window.text, window.items, window.missed)


def window_at(
    timeline: Timeline, at: int, lens: str, budget: int, progress: Progress = unheard, compress: bool = True
) -> Window:
    """What a lens shows at a step; X of `around:X` is whatever that means then. If `compress`, bodies lack their
    comments where a text decides what is shown."""
    moment = timeline.at(at)
    if lens.startswith(AROUND) and lens != AROUND:
        return moment.window(AROUND + _there(timeline, moment, lens.removeprefix(AROUND)), budget)
    if lens == RESUME:
        return resumed(timeline, at, budget, _whose_hands(timeline, None, None))
    if is_search(lens):
        return searched(moment, lens, budget, progress, compress=compress)
    return moment.window(lens, budget)


def is_of_statements(lens: str) -> bool:
    """Tell whether a lens has statements in it."""
    return lens.partition(":")[0] in (MEMO_LENS, RULES_LENS, BUNDLE_LENS, BRIEF)


def _of_statements(
    timeline: Timeline, at: int, user: Timeline | None, lens: str, budget: int, progress: Progress, compress: bool
) -> Window:
    from ccos_core.query.statement_windows import brief_window, bundle_window, lost_rows, memo_window, tell, with_rules

    name, _, about = lens.partition(":")
    if name == MEMO_LENS:
        return memo_window(timeline, at, user, about, budget)
    if name == RULES_LENS:
        from ccos_core.query.playbook.rules import rules_window

        return rules_window(timeline, at, user, about, budget)
    if name == BUNDLE_LENS:
        return bundle_window(timeline, at, user, about, budget)
    rows, code = lost_rows(timeline, at, user), f"hybrid:{about}" if about else WORKING_SET
    rows = with_rules(rows, timeline, at, user, about) if about else rows
    window: Window = brief_window(
        about, budget, tell(rows, budget), lambda rest: window_at(timeline, at, code, rest, progress, compress)
    )
    return window


def _whose_hands(timeline: Timeline, session: str | None, context: str | None) -> list[int]:
    """The contexts that are meant: without a word the main ones, for a subagent's hands are its own."""
    every, found = contexts_of(timeline), meant(timeline, session, context)
    return found if context is not None else [number for number in found if not every[number].context]


def _there(timeline: Timeline, moment: Moment, said: str) -> str:
    """The node that is meant, if it is there."""
    node = timeline.node(said, moment.step)
    if moment.find(node) is None:
        raise NotFound(f"doesn't exist at step {moment.step:,}", place=said, hint=f"See when it did: watch {said}")
    return node


def _said(text: str) -> str:
    if not text.strip():
        raise Usage(
            "there is no text to search for", place="the text", hint="Add a text, as in: task the invoice is late"
        )
    return text


_BUDGET = Argument("budget", "budget", "size of the window", default=DEFAULT_BUDGET)
_BUDGET_FLAG = Argument("budget", "budget", "size of the window", default=DEFAULT_BUDGET, flag=True)
_TEXT = Argument("text", "text", "an issue, question or traceback", required=True)

QUESTIONS = {
    "recall": Question(
        ask=recall,
        answers=(Shown, AgentWindow),
        example="recall 2048",
        arguments=(
            _BUDGET,
            Argument("lens", "lens", "which window", default="working-set", flag=True, further=FURTHER),
            *WHOSE,
        ),
        needs=("progress", "user", "compress"),
        nothing=lambda answer: not _items(answer) and not (isinstance(answer, Shown) and answer.text),
        about="It shows the window that ccos-tui would have suggested at that step. `--lens host` shows what the "
        "agent's window held, as far as that was recorded. `--lens delivered` shows the last suggested "
        "window that the agent was given. `--lens resume` shows the lines it worked on last, for an agent "
        "that has just lost its window. `--lens memo:TEXT` shows statements and sections of notes that have words of "
        "a text, `--lens rules:TEXT` the rules for a task, `--lens bundle:NAME` a bundle. `--lens brief:TEXT` shows "
        "code, and in at most 15 % of the budget what the user said and the agent's window doesn't hold.",
    ),
    "around": Question(
        ask=around,
        answers=(Shown,),
        example="around src/db.py 4096",
        arguments=(Argument("node", "node", "the file or symbol in the center", required=True), _BUDGET),
        nothing=lambda answer: not answer.items,
        about="It shows the file or symbol, the code it depends on, and code related to failures located in it.",
    ),
    "task": Question(
        ask=task,
        answers=(Shown,),
        example="task invoices are a day late",
        arguments=(_TEXT, _BUDGET_FLAG),
        needs=("progress", "compress"),
        nothing=lambda answer: not answer.items,
        about="It ranks code by the words of the text alone. Code of current failures comes first.",
    ),
    "hybrid": Question(
        ask=hybrid,
        answers=(Shown,),
        example="hybrid KeyError in load when the store is empty",
        arguments=(_TEXT, _BUDGET_FLAG),
        needs=("progress", "compress"),
        nothing=lambda answer: not answer.items,
        about="It ranks code by words, names, tracebacks and current failures, and adds code linked to the best "
        "matches.",
    ),
}
