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
    Entry("timeline", "List the recorded steps.", ("tl",)),
    Entry(
        "overview",
        "Show the session at a glance: heat, window, events.",
        ("o",),
    ),
    Entry("goto", "Go to a step: a number, percentage, time, mark or hash.", ("g",), "state"),
    Entry("state", "Summarize what is known at a step.", (), "state"),
    Entry("next", "Go one step forward, or to the next change of a node.", ("n",), "state"),
    Entry("prev", "Go one step back.", ("p",), "state"),
    Entry("when", "Print the current moment as one line to copy."),
    Entry("stats", "Show what a workspace contains and what takes up its space.", ("s",)),
    Entry("epochs", "List the epochs: which steps were read by which rules."),
    Entry("recall", "Show the suggested window at a step.", ("r",), "windows"),
    Entry("around", "Show a file or symbol and the code it depends on.", ("a",), "windows"),
    Entry("task", "Show the code that matches the words of a task.", ("t",), "windows"),
    Entry("hybrid", "Show the code that matches words, names and tracebacks.", (), "windows"),
    Entry("missing", "Show when a node left the window, when it came back, and why.", ("m",)),
    Entry("last", "Go back to the previous change of a node.", (), "turning"),
    Entry("watch", "Show how long a node was in the window during the session."),
    Entry("why", "Explain why a node is in the window or not."),
    Entry("diff", "Show what changed between two steps.", ("d",)),
    Entry("energy", "Show which nodes gained or lost heat, and why.", ("e",)),
    Entry("cause", "List the steps that changed a node's score most.", ("c",)),
    Entry("show", "Print the text of a file, symbol or step."),
    Entry("provenance", "List the steps that recorded a node."),
    Entry("impact", "List what depends on a node and may break when it changes.", ("i",), "depending"),
    Entry("blame", "List what a node depends on: possible causes of failures.", ("bl",), "depending"),
    Entry("failures", "List the failures: since when, where, and what ended them.", (), "failing"),
    Entry("autopsy", "Find where the session went wrong: ranked suspects."),
    Entry("find", "Find or count the steps that match a query.", ("f",), "finding"),
    Entry("whatif", "Show the window with other settings, or without some steps."),
    Entry("compare", "Compare two sessions."),
    Entry("mark", "Name a step, or list the named steps.", (), "marks"),
    Entry("note", "Write a note at a step.", (), "marks"),
)
"""In the order of the help: looking around, the window, what changed, why, searching, what if, the reader's own."""

BY_NAME = {entry.name: entry for entry in QUESTIONS}
ALIASES = {alias: entry.name for entry in QUESTIONS for alias in entry.aliases}


def entry_of(word: str) -> Entry | None:
    """The question a word means, by its name or an alias."""
    return BY_NAME.get(ALIASES.get(word, word))
