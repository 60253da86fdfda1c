"""Every question by its name: the one table that the command line, the REPL, help, documents and palettes read.

Reading it costs nothing: a question's file, and whatever that needs, is loaded when somebody asks it.
"""

from __future__ import annotations

import importlib
from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from ccos_core.query.question import Question


@dataclass(frozen=True, slots=True)
class Entry:
    """One question."""

    name: str
    summary: str
    """What it tells, in one line."""

    aliases: tuple[str, ...] = ()
    """Shorter names of it, in the REPL."""

    module: str = ""
    """The file it lives in, where that isn't called as it is."""

    def load(self) -> Question:
        """The question itself."""
        module = importlib.import_module(f"ccos_core.query.{self.module or self.name}")
        question: Question = module.QUESTION if hasattr(module, "QUESTION") else module.QUESTIONS[self.name]
        return question


QUESTIONS: tuple[Entry, ...] = (
    Entry("timeline", "What happened, step by step.", ("tl",)),
    Entry(
        "overview",
        "The whole session at a glance: how hot and how full it was, and where what happened.",
        ("o",),
    ),
    Entry("goto", "Go to a step: a number, a percentage, a time, a mark, a hash.", ("g",), "state"),
    Entry("state", "What there is at a step, in short.", (), "state"),
    Entry("next", "One step on; or on to where something becomes of a node.", ("n",), "state"),
    Entry("prev", "One step back.", ("p",), "state"),
    Entry("when", "Which moment this is, on one line to copy."),
    Entry("stats", "What a workspace holds, and what takes the space.", ("s",)),
    Entry("epochs", "Under which rules what was folded."),
    Entry("recall", "The window an agent should have had.", ("r",), "windows"),
    Entry("around", "What a file or a symbol depends on, and itself.", ("a",), "windows"),
    Entry("task", "The code a task is about, by its words.", ("t",), "windows"),
    Entry("hybrid", "By words, names, tracebacks and what fails then.", (), "windows"),
    Entry("missing", "Since when a node is out of the window, each time it left and came back, and why.", ("m",)),
    Entry("last", "Back to where something became of a node.", (), "turning"),
    Entry("watch", "How long a node was in the window, over the whole session."),
    Entry("why", "Why a node is in the window, or not."),
    Entry("diff", "What entered the window, left it, or is shown otherwise.", ("d",)),
    Entry("energy", "The heat and the pressure that moved, and the ops that moved them.", ("e",)),
    Entry("cause", "The ops that moved a node most.", ("c",)),
    Entry("show", "The text of a file or a symbol as it was known then; or all that a step said."),
    Entry("provenance", "Where what is known of a node comes from."),
    Entry("impact", "What depends on a node, and would feel a change of it.", ("i",), "depending"),
    Entry("blame", "What a node depends on, where its trouble may come from.", ("bl",), "depending"),
    Entry("failures", "What failed: since when, where, and what ended it.", (), "failing"),
    Entry("autopsy", "Where the session went wrong, and who is suspect."),
    Entry("find", "All steps at which something holds, or how many.", ("f",), "finding"),
    Entry("whatif", "The window, had something been otherwise."),
    Entry("compare", "Where two workspaces part, and what that came to."),
    Entry("mark", "Call a step something, and find it again.", (), "marks"),
    Entry("note", "Note something at a step.", (), "marks"),
)
"""In the order of the help: looking around, the window, what changed, why, searching, what if, the reader's own."""

BY_NAME = {entry.name: entry for entry in QUESTIONS}
ALIASES = {alias: entry.name for entry in QUESTIONS for alias in entry.aliases}


def entry_of(word: str) -> Entry | None:
    """The question a word means, by its name or an alias."""
    return BY_NAME.get(ALIASES.get(word, word))
