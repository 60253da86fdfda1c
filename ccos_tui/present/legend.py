"""What every mark on the screens means, made of the tables that hold the marks.

A table of marks names what each stands for; this page adds the words where the table's own are too short for a reader
who sees the mark for the first time. `tests/tui/present/test_legend.py` finds marks that no line here explains.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

from ccos_core.present import steps
from ccos_core.present.rows import Row, Span, heading, row
from ccos_core.present.words import STATES
from ccos_core.query.autopsy.rows import CERTAIN
from ccos_core.query.diff_rows import SIGNS as FILE_SIGNS
from ccos_core.query.why_rows import FATES as FATE_SIGNS
from ccos_core.query.window_rows import LEVELS as LEVEL_SIGNS
from ccos_tui.present import filling, notes, timeline

MARKS = 12
"""Columns for the marks of a line."""

TOKENS: Mapping[str, str] = {
    "+1.5k −3k": "growth of the agent's window, as its program counted it",
    "~154": "estimated size of the step's text, where it counted nothing",
}
"""What the column of tokens in the list of steps shows → what it means."""
IN_WINDOW: Mapping[str, str] = {
    "unborn": "not recorded yet",
    "in": "in the window",
    "partial": "in the window in part",
    "stale": "in the window, but changed since the agent saw it",
    "uncertain": "perhaps in the window: the record doesn't tell",
    "out": "not in the window",
    "gone": "deleted",
    "not looked at": "not computed: nothing relevant changed here",
}
"""State of a file or symbol → what it means."""
STEP_KINDS: Mapping[str, str] = {
    "prompt": "prompt of the user",
    "task": "task given by an agent",
    "command": "command of the user",
    "tool": "tool call",
    "read": "file read",
    "edit": "file edited",
    "write": "file written",
    "compaction": "compaction of the agent's window",
    "clear": "agent's window cleared",
    "failed": "failing test or call",
    "passed": "passing run",
    "usage": "token count of the agent's window",
    "epoch": "new epoch: other rules from here on",
    "recall": "suggested window given to the agent",
    "thought": "thinking of the agent",
    "turn": "text of the agent",
}
"""Kind of step → what it means."""
LEVELS: Mapping[str, str] = {
    "name": "only its name",
    "signature": "its signature",
    "skeleton": "its outline",
    "body": "its whole text",
}
"""How much of an item a window shows → what it means."""
FILES: Mapping[str, str] = {"new": "new", "gone": "deleted", "renamed": "renamed", "changed": "changed"}
SURE: Mapping[str, str] = {
    "certain": "certain: recorded",
    "likely": "likely: inferred from the record",
    "possible": "possible: nothing recorded excludes it",
}
"""How sure evidence is → what it means."""
FATES: Mapping[str, str] = {
    "there": "shown to the agent and still in its window",
    "dropped": "shown to the agent and dropped since",
    "uncertain": "shown to the agent; whether it was dropped isn't recorded",
}
"""What became of a text that the agent was shown → what it means."""
LANES: Mapping[str, str] = {
    "failure": "failing test",
    "error": "call that ended in an error",
    "prompt": "prompt of the user",
    "compaction": "compaction or clearing of the agent's window",
    "edit": "file edit",
    "commit": "git commit, merge, rebase or push",
    "said": "words of the user",
    "watch": "change of a watched node",
    "mark": "bookmark",
}
"""Lane of the timeline → what a mark in it means."""
OTHERS: Mapping[str, str] = {
    "+ −": "entered the window, left it",
    "█ ░": "used and free share of the budget",
    "▏▎▍▌▋▊▉": "end of a bar, in eighths",
    "▕ ▏": "edges of a progress bar",
    "▪": "share of the score",
    "✂": "window compacted or cleared, or old results left out",
    "✓ ✗": "works, fails; a proof that holds, one that doesn't",
    "!": "something fails, or needs attention",
    "· ‖ ▶": "note, stopped or waiting, running",
    "◉": "name of the screen",
    "▸": "selected row, current step, choice, folded steps",
    "— —": "time without a step, in the row that ends it",
    "~": "estimated",
    "● ○": "setting that is on, off",
    "→ ←": "from this to that; depends on, is used by",
    "└ ├ │ ─": "lines of a tree, and between two halves",
    "… ...": "shortened, or being computed",
    "⋯": "lines of a long text, folded",
    "⏎ ␌": "line end and page end inside a text",
}
"""Marks that panes and screens draw besides → what they mean."""


def rows_of() -> list[Row]:
    """Return every mark with its meaning, by where it is seen."""
    parts = {
        "A file or symbol in a window": _of(
            {sign: [IN_WINDOW[state]] for state, (sign, _) in STATES.items()},
        ),
        "Steps": _of({**_grouped(steps.KINDS, STEP_KINDS), steps.OTHER[0]: ["any other step"]}),
        "Tokens of a step": _of({figure: [says] for figure, says in TOKENS.items()}),
        "Timeline": _of(
            {
                timeline.EIGHTHS.strip(): ["heat, and how full the agent's window is"],
                **{timeline.LANES[lane].sign: [says] for lane, says in LANES.items()},
                timeline.FALL.sign: ["the agent's window shrank, cause not recorded"],
                timeline.AGAIN.sign: ["known failure, failing again"],
                timeline.SAID_AGAIN.sign: ["words of the user, said again"],
                timeline.SAID_LOST.sign: ["the agent's window lost words of the user"],
                timeline.SAID_SUPERSEDED.sign: ["words of the user, superseded"],
                timeline.CROWD: ["many events in one column: the higher, the more"],
                f"{timeline.POINTER} {timeline.CURSOR_LINE}": ["current step"],
                f"{timeline.MARK} {timeline.MARK_LINE}": ["step that views compare with"],
                f"{timeline.RULE} [=]": ["steps, and those that the list shows"],
            }
        ),
        "What filled the agent's window": _of(filling.legend()),
        "How much of an item a window shows": _of({sign: [LEVELS[level]] for level, sign in LEVEL_SIGNS.items()}),
        "Files in a diff": _of({sign: [FILES[kind]] for kind, sign in FILE_SIGNS.items()}),
        "Evidence of an autopsy": _of({sign: [SURE[kind]] for kind, (sign, _) in CERTAIN.items()}),
        "Texts that the agent was shown": _of({sign: [FATES[kind]] for kind, (sign, *_) in FATE_SIGNS.items()}),
        "Bookmarks and notes": _of(
            {
                notes.NAMED: ["named step"],
                notes.NOTED: ["step with a note"],
                notes.COMPARED: ["step that views compare with"],
                notes.COMMITTED: ["git commit, merge, rebase or push"],
            }
        ),
        "Everywhere": _of({marks: [says] for marks, says in OTHERS.items()}),
        "Keys": _of({"↑ ↓ ← →": ["arrow keys"], "^ S-": ["with Ctrl, with Shift"]}),
    }
    return [each for title, rows in parts.items() for each in (heading(title), *rows, Row())]


def marks_of(rows: Iterable[Row]) -> set[str]:
    """Return the single marks that a legend explains."""
    return {mark for each in rows if each.spans and each.spans[0].role == "key" for mark in each.spans[0].text} - {" "}


def _grouped(table: Mapping[str, tuple[str, str]], says: Mapping[str, str]) -> dict[str, list[str]]:
    """Sign → what all the kinds that have it mean."""
    found: dict[str, list[str]] = {}
    for kind, (sign, _) in table.items():
        found.setdefault(sign, []).append(says[kind])
    return found


def _of(marks: Mapping[str, Sequence[str]]) -> list[Row]:
    return [row(Span(f"  {sign:<{MARKS}}", "key"), "; ".join(says)) for sign, says in marks.items()]
