"""Windows for an agent: which one is meant, made of what lies on the disk now, and told without saying it all twice."""

from __future__ import annotations

from ccos_core.query.tool import LENSES
from ccos_core.serve.mcp.offer import Wrong
from ccos_core.serve.mcp.tools.asking import FOLDING, node_of, put, ready, with_notes, wrong
from ccos_core.serve.mcp.tools.door import heard
from ccos_core.serve.mcp.tools.schemas import LONGEST_QUESTION, switch, text, word

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from typing import Any

    from ccos_core.replay.timeline import Timeline
    from ccos_core.serve.mcp.offer import Arguments, Call
    from ccos_core.serve.mcp.tools.door import Door
    from ccos_core.serve.mcp.tools.schemas import Schema
    from ccos_core.session.asking import Asked
    from ccos_core.session.live import Live
    from ccos_core.session.told_before import Untold
    from ccos_core.window.linearize import Window

BRIEF = "brief"
WORKING_SET, AROUND, FLASH = "working_set", "around", "causal-flash"
BY_TEXT = {"task": "task", "semantic": "task", "hybrid": "hybrid"}
"""Strategies that take a text, and the lens each is."""
STRATEGIES = (WORKING_SET, AROUND, *BY_TEXT, FLASH)
NOTHING_WARM = "Nothing is warm yet. Call with anchor or text, or give the output of a failing run to page_fault."
MAP = (
    "Nothing is warm yet, so this is a map of the project: {:,} files, most used first. Call with text or anchor "
    "for the code of a task."
)
NOT_RECORDED = "This window was not recorded as given: {}."
OURS = "ccos.window/1"
SAID = ("text", "path")
"""What of an item stands in the window and in its node already; said once more it would cost as much as the window."""
REASONS = ("reason", "tokens")
CHOOSING_NAMES = ("strategy", "anchor", "lens")
"""Arguments that choose a window; without them it is the default one, for a text or for nothing."""
ASKING_NAMES = (*CHOOSING_NAMES, "text")
"""Arguments that say which window is meant."""
LONGEST_LENS = 200
"""Characters of a lens that an answer repeats."""


WORDS_BUDGET = 560
"""Tokens of what was said and is lost, in the first window behind a cut."""
PATIENCE = 0.5
"""Seconds to wait for others who write."""
LATELY, MOST_LATELY = 300, 50
"""Steps in which files that ops spoke of are compared with the disk, and how many: an edit may have had no hook."""


def whose() -> dict[str, Schema]:
    """How a window is asked for."""
    return {
        "strategy": {
            "type": "string",
            "description": "How to choose the code; by default from the other arguments. semantic goes by words, "
            "as task does.",
            "enum": list(STRATEGIES),
        },
        "anchor": word("For around: a path or symbol."),
        "text": text("For task, semantic, hybrid: an issue, a question, a traceback.", LONGEST_QUESTION),
        "lens": word(LENSES),
        "reasons": switch("Tell why each item is included and its size."),
    }


def window(door: Door, given: Arguments, call: Call, *, at: int | None = None) -> dict[str, Any]:
    """The window that is asked for: of now, as the files lie there, or as it was at a step."""
    from ccos_core.serve.printing import as_json_object

    live = ready(door, call)
    lens = lens_of(live, given, at)
    is_open = at is None and not door.scripted and not any(given.get(name) for name in ASKING_NAMES)
    shown = _shown(live, call, lens, given["budget"], at, or_map=is_open)
    if (
        at is None
        and not door.scripted
        and live.look_again([*_paths(shown), *live.touched(live.head - LATELY, MOST_LATELY)])
    ):
        live.keep_up(heard(call, FOLDING))
        shown = _shown(live, call, lens, given["budget"], at, or_map=is_open)
    is_map = lens == "working-set" and shown.answer.lens != lens
    words = ""
    if at is None and not door.scripted and (lost := _untold(live)) is not None:
        if any(given.get(name) for name in CHOOSING_NAMES):
            words = _lost_words(live, lost)
        else:
            shown, words = _briefed(live, call, lens, given["budget"], lost, shown)
    if door.scripted:
        answer = as_json_object(shown.answer, shown.partial)
    else:
        answer = _told(shown.answer, shown.partial, reasons=bool(given.get("reasons")))
    notes = [words] if words and shown.answer.lens.partition(":")[0] != BRIEF else []
    if lens == "working-set" and not answer["items"]:
        notes.append(NOTHING_WARM)
    elif is_map:
        notes.append(MAP.format(len(live.desk.timeline.at(live.step).paths())))
    if notes:
        answer["notes"] = notes
    told = with_notes(door, given, answer)
    if at is None and given.get("record", door.record_recalls) and (answer["schema"] == OURS or "record" in given):
        return _recorded(live, given, shown.answer, told, words)
    return told


def _untold(live: Live) -> Untold | None:
    """What the window of the conversation that spoke last lacks of what was said, before the first window that it
    recalls in a session or behind a cut. A hook may have told it; then there is nothing."""
    from ccos_core.session.settings import switched_off
    from ccos_core.session.told_before import untold_words

    desk = live.desk
    return None if switched_off() else untold_words(desk.timeline, desk.user(), live.session.recorded)


def _lost_words(live: Live, lost: Untold) -> str:
    """What was lost, for a window of another kind: as much as fits, beside it."""
    from ccos_core.query.retold_text import retold_text
    from ccos_core.text.delivered import LOST

    found = retold_text(lost.lost, WORDS_BUDGET, ())
    text = f"{LOST}\n{live.desk.shown(found.text)}"
    return text if _remembered(live, lost, text, found.names) else ""


def _briefed(live: Live, call: Call, lens: str, budget: int, lost: Untold, shown: Asked) -> tuple[Asked, str]:
    """A window that has what was lost and code in one budget, and these words; without them the window as it was."""
    from dataclasses import replace

    from ccos_core.query.statement_windows import brief_window, rows_of, tell

    rows = [each._replace(line=live.desk.shown(each.line)) for each in rows_of(lost.lost)]
    told = tell(rows, budget)
    if not _remembered(live, lost, told.text, [each.name for each in told.rows]):
        return shown, ""
    task = lens.partition(":")[2]
    answer = brief_window(
        task, budget, told, lambda rest: _shown(live, call, lens, rest, None, or_map=lens == "working-set").answer
    )
    return replace(shown, answer=answer), told.text


def _remembered(live: Live, lost: Untold, text: str, names: Sequence[str]) -> bool:
    """Remember that these are told, and return whether they may be: not if another process told them meanwhile, or if
    it can't be written just now. A hook or the next window tells them then."""
    from ccos_core.errors import CcosError
    from ccos_core.session.told_before import ToldBefore, remember
    from ccos_core.values.tokens import estimate

    try:
        now = ToldBefore(lost.cuts, estimate(text), names)
        return bool(names) and remember(live.session.recorded.path, lost.name, now, PATIENCE)
    except CcosError:
        return False


def lens_of(live: Live, given: Arguments, at: int | None = None) -> str:
    """The one spelling of the window that is meant."""
    strategy, anchor, lens, question = (given.get(name) or "" for name in ASKING_NAMES)
    if lens:
        if strategy or anchor or question:
            raise Wrong("lens", "it can't be combined with strategy, anchor or text.")
        return _known(lens)
    strategy = strategy or _guessed(anchor, question)
    if question and strategy not in BY_TEXT:
        raise Wrong("text", f"{strategy} takes no text.", "hybrid as strategy")
    if anchor and strategy != AROUND:
        raise Wrong("anchor", f"{strategy} takes no anchor.", "around as strategy")
    if strategy == AROUND:
        if not anchor:
            raise Wrong("anchor", "around needs a path or symbol.")
        return f"around:{node_of(live, anchor, 'anchor', at)}"
    if strategy in BY_TEXT:
        if not question.strip():
            raise Wrong("text", f"{strategy} needs a text.")
        return f"{BY_TEXT[strategy]}:{question}"
    return "working-set" if strategy == WORKING_SET else FLASH


def _guessed(anchor: str, question: str) -> str:
    if anchor and question:
        raise Wrong("strategy", "it is required with both an anchor and a text.", "around, task or hybrid")
    return AROUND if anchor else "hybrid" if question else WORKING_SET


def _known(lens: str) -> str:
    """A lens, if it is one."""
    from ccos_core.errors import Usage
    from ccos_core.query.arguments import Place, value_of
    from ccos_core.query.windows import QUESTIONS

    if lens == FLASH:
        return lens
    (taken,) = (each for each in QUESTIONS["recall"].arguments if each.name == "lens")
    try:
        return str(value_of(taken, lens, Place(None, 0)))  # type: ignore[arg-type]  # a lens asks no timeline
    except Usage as error:
        raise wrong("lens", error) from error


def _shown(live: Live, call: Call, lens: str, budget: int, at: int | None, *, or_map: bool = False) -> Any:
    """The window as an answer, however it is made; where it has nothing in it, a map of the project if `or_map`."""
    from ccos_core.errors import NotFound

    if lens == FLASH:
        from ccos_core.query import cone

        return _answer_of(live, at, lambda timeline, step: cone.window(timeline, step, budget))
    name, _, about = lens.partition(":")
    try:
        if name in BY_TEXT.values():  # of any length, where a lens is a short word
            return put(live, call, name, {"text": about, "budget": str(budget)}, at)
        shown = put(live, call, "recall", {"lens": lens, "budget": str(budget)}, at)
    except NotFound as error:
        raise wrong("anchor" if lens.startswith("around:") else "lens", error) from error
    if not or_map or shown.answer.items:
        return shown
    from ccos_core.query import project_map

    mapped = _answer_of(live, at, lambda timeline, step: project_map.window(timeline, step, budget))
    return mapped if mapped.answer.items else shown


def _answer_of(live: Live, at: int | None, make: Callable[[Timeline, int], Window]) -> Any:
    """A window that no question of the catalogue gives, as an answer."""
    from ccos_core.query import windows
    from ccos_core.session.asking import Asked

    timeline = live.desk.timeline
    step = timeline.head if at is None else at
    answer = windows.shown(timeline, step, make(timeline, step))
    return Asked(windows.QUESTIONS["recall"], answer, step, None, (), timeline.partial)


def _recorded(live: Live, given: Arguments, answer: Any, told: dict[str, Any], words: str) -> dict[str, Any]:
    """Record that a window is handed out. Where it isn't the call that asks for that, a window that can't be recorded
    is better than none."""
    from ccos_core.errors import CcosError
    from ccos_core.session.recalls import record_recall

    if answer.schema != OURS:
        raise Wrong("record", "only suggested windows can be recorded as given.")
    try:
        return {**told, "recorded": record_recall(live.session, answer, live.step, words, live.desk.view)}
    except CcosError as error:
        if "record" in given:
            raise
        return {**told, "notes": [*told.get("notes", ()), NOT_RECORDED.format(error.fact)]}


def _paths(shown: Any) -> list[str]:
    """The files a window is about to show, and those that nearly were."""
    answer = shown.answer
    rows = [*getattr(answer, "items", ()), *getattr(answer, "missed", ())]
    return list(dict.fromkeys(path for row in rows if (path := getattr(row, "path", ""))))


def _told(answer: Any, partial: int, *, reasons: bool) -> dict[str, Any]:
    """A window as an object. What its items show stands in its text, and why they are in is there for the asking: said
    with each window it would take the budget again."""
    from ccos_core.present.words import clipped
    from ccos_core.serve.printing import as_json_object
    from ccos_core.text.sanitize import clean

    said = as_json_object(answer, partial)
    if said["schema"] == OURS:
        left_out = (*SAID, *(() if reasons else REASONS))
        for rows in ("items", "missed"):
            listed: Any = said[rows]
            said[rows] = [
                {name: value for name, value in row.items() if name not in left_out and value != ""} for row in listed
            ]
        said["lens"] = clipped(clean(answer.lens)[0], LONGEST_LENS)
    return said
