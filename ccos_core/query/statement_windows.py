"""Lenses with statements in them: `memo:QUERY`, `bundle:NAME`, `brief` and `brief:TASK`.

`memo:QUERY` is the search of `cos://context/{query}` as a window. `brief` has code, and before it what the user said
and the agent's window doesn't hold, in one budget; `brief:TASK` has the rules for the task, too. Statements enter in an
order that doesn't depend on the budget, and the first that doesn't fit ends them, so a larger budget never loses one.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any, NamedTuple

from ccos_core.errors import CcosError, Usage
from ccos_core.memory.reductions import is_like
from ccos_core.query import bundle
from ccos_core.query.contexts import Context
from ccos_core.query.documents import search
from ccos_core.query.hosted.whose import chosen
from ccos_core.query.playbook.rules import BUDGET as RULES_BUDGET
from ccos_core.query.playbook.rules import line_of, reason_of, rules, told_name
from ccos_core.query.question import BRIEF, HOST
from ccos_core.query.retelling import retelling
from ccos_core.query.retold_text import SAID, TODOS, TRIED, row_line
from ccos_core.query.windows import BUNDLE_LENS, MEMO_LENS
from ccos_core.query.words import nearest
from ccos_core.replay.residency.runs import IN, STATES
from ccos_core.text.delivered import CLOSING, OPENING
from ccos_core.text.retrieval.carried import normalised_words
from ccos_core.values.ids import MEMO_PREFIX
from ccos_core.values.tokens import UNIT, estimate, line_parts, text_parts, tokens
from ccos_core.window.linearize import Item, Missed, Window

if TYPE_CHECKING:
    from ccos_core.query.retelling import Retelling, Retold
    from ccos_core.replay.timeline import Timeline

BRIEF_SHARE_PERCENT = 15
SIMILARITY = 800  # thousandths of the words of two passages; what is so much alike is shown once
NEAR_MISSES = 5
WHOLE = "body"
ASKED = "Of the user's last request (step {:,}):"
RULES_HEAD = "Rules of this project that matter here:"
MORE = "- and {:,} more: `ccos-tui statements --which lost`"
MORE_PARTS = line_parts(MORE.format(999_999))


class Row(NamedTuple):
    """One statement of a brief."""

    name: str
    """By this it is known that it was told."""

    node: str
    """Its id; empty for what has none."""

    head: str
    """The heading it stands under."""

    line: str
    reason: str


class Told(NamedTuple):
    """What a brief tells besides code."""

    text: str
    rows: tuple[Row, ...]
    missed: tuple[Missed, ...]
    room: int
    """Tokens of the budget that are kept for statements, whether or not they take them all."""


def memo_window(timeline: Timeline, at: int, user: Timeline | None, query: str, budget: int) -> Window:
    """Return the statements and sections that have words of a query, the best first; what repeats a better one nearly
    word for word is left out, and named in its reason."""
    kept: list[tuple[frozenset[str], list[str], str]] = []
    for each in search(timeline, at, query, user):
        words = frozenset(normalised_words(each.text))
        like = next((known for known in kept if is_like(known[0], words, SIMILARITY)), None)
        if like is None:
            kept.append((words, [each.node], each.text.strip("\r\n")))
        else:
            like[1].append(each.node)
    costs = [text_parts(text) + line_parts("") for *_, text in kept]
    shown = _fitting(costs, budget * UNIT)
    items = tuple(
        Item(nodes[0], "", WHOLE, tokens(cost), _why(nodes), text)
        for (_, nodes, text), cost in zip(kept[:shown], costs, strict=False)
    )
    missed = _missed([(nodes[0], _why(nodes)) for _, nodes, _ in kept], costs, shown, budget * UNIT)
    text = "\n\n".join(each.text for each in items)
    return Window(f"{MEMO_LENS}:{query}", budget, estimate(text) if text else 0, text, items, missed)


def bundle_window(timeline: Timeline, at: int, user: Timeline | None, name: str, budget: int) -> Window:
    """Return a bundle, at most as large as it may be. What it leaves out is told in its last line."""
    if name not in bundle.NAMES:
        raise Usage(
            "isn't a bundle", place=name, hint=nearest(name, bundle.NAMES) or f"One of: {' '.join(bundle.NAMES)}"
        )
    text = bundle.bundle(timeline, at, user, name, "", budget).text
    text = text.removeprefix(f"{OPENING}:\n").removesuffix(f"\n{CLOSING}")
    return Window(f"{BUNDLE_LENS}:{name}", budget, estimate(text) if text else 0, text, ())


def brief_window(task: str, budget: int, told: Told, code: Callable[[int], Any]) -> Any:
    """Return a window of code behind statements; `code` makes that of what these leave of the budget, as a `Window` or
    a `Shown`."""
    found = code(max(budget - told.room, 1))
    text = "\n\n".join(filter(None, (told.text, found.text)))
    memos = [Item(each.node, "", WHOLE, estimate(each.line), each.reason, each.line) for each in told.rows if each.node]
    return replace(
        found,
        lens=f"{BRIEF}:{task}" if task else BRIEF,
        budget=budget,
        tokens=estimate(text) if text else 0,
        text=text,
        items=(*memos, *found.items),
        missed=(*told.missed, *found.missed),
    )


def tell(rows: Sequence[Row], budget: int) -> Told:
    """Write the first of some statements into their share of a budget, at most 15 % of it."""
    if not rows:
        return Told("", (), (), 0)
    frame = MORE_PARTS + 2 * line_parts("")
    costs = [line_parts(each.line) for each in rows]
    for at, each in enumerate(rows):
        costs[at] += line_parts(each.head) if not at or rows[at - 1].head != each.head else 0
    share = budget * BRIEF_SHARE_PERCENT // 100
    shown = _fitting(costs, share * UNIT - frame)
    missed = _missed([(each.node, each.reason) for each in rows], costs, shown, share * UNIT - frame)
    room = min(share, tokens(sum(costs) + frame))
    return Told("\n".join(_lines(rows, shown)) if shown else "", tuple(rows[:shown]), missed, room)


def lost_rows(timeline: Timeline, at: int, user: Timeline | None, context: Context | None = None) -> list[Row]:
    """Return what the agent's window lacks of what was said, in the order in which it is told again: in the window of a
    context, or of the conversation that spoke last. Where no window is known, it lacks everything."""
    if context is None:
        try:
            _, whose = chosen(timeline, at, HOST, None, None)
            context = Context(whose.host, whose.session, whose.context)
        except CcosError:
            context = Context("", "", "")
    return list(rows_of(retelling(timeline, at, context, user)))


def with_rules(rows: Sequence[Row], timeline: Timeline, at: int, user: Timeline | None, task: str) -> list[Row]:
    """Return rows and, under a heading of their own, the rules in force that matter for a task, but those that the
    agent's window has whole or other rows tell. A rule takes the place of a note that says the same."""
    found = rules(timeline, at, user, task, RULES_BUDGET, None, retired=False, told=True).rules
    nodes = {each.node for each in rows}
    told = [each for each in found if each.memo not in nodes and each.state != STATES[IN]]
    notes = tuple(f") {' '.join(each.text.split())}" for each in told)
    kept = [each for each in rows if each.head != TODOS or not each.line.endswith(notes)]
    return [*kept, *(Row(told_name(each), each.memo, RULES_HEAD, line_of(each), reason_of(each)) for each in told)]


def rows_of(lost: Retelling) -> Iterator[Row]:
    """Yield what a window lost as rows of a brief."""
    asked = ASKED.format(lost.request[0].step) if lost.request else ""
    kinds: tuple[tuple[str, tuple[Retold, ...], str], ...] = (
        (asked, lost.request, "asked last"),
        (SAID, lost.statements, "said, and not in the agent's window"),
        (TODOS, lost.todos, "open"),
        (TRIED, lost.tried, "tried, and it failed"),
    )
    for head, told, reason in kinds:
        for each in told:
            node = each.name if each.name.startswith(MEMO_PREFIX) else ""
            yield Row(each.name, node, head, row_line(each), reason)


# ---- helpers ----


def _why(nodes: Sequence[str]) -> str:
    return (
        f"has words of the query; nearly the same: {', '.join(nodes[1:])}"
        if len(nodes) > 1
        else "has words of the query"
    )


def _fitting(costs: Sequence[int], room: int) -> int:
    """Return how many of the first fit."""
    for at, cost in enumerate(costs):
        room -= cost
        if room < 0:
            return at
    return len(costs)


def _missed(rows: Sequence[tuple[str, str]], costs: Sequence[int], shown: int, room: int) -> tuple[Missed, ...]:
    """Return the first that didn't fit, with what the budget lacks for each."""
    taken, found = sum(costs[:shown]), []
    for (node, reason), cost in list(zip(rows, costs, strict=True))[shown : shown + NEAR_MISSES]:
        taken += cost
        if node:
            found.append(Missed(node, "", tokens(cost), tokens(taken - room), reason))
    return tuple(found)


def _lines(rows: Sequence[Row], shown: int) -> Iterator[str]:
    for at, each in enumerate(rows[:shown]):
        if not at or rows[at - 1].head != each.head:
            yield each.head
        yield each.line
    if left := sum(each.head != RULES_HEAD for each in rows[shown:]):
        yield MORE.format(left)
