"""A question as a screen puts it: the word of the catalogue, and what is said for its arguments.

It is the same that a person types into `postmortem`, so every pane has a line that gives its content without a screen.
"""

from __future__ import annotations

from dataclasses import dataclass

from ccos_core.text import boolean

PLAIN = frozenset("/._-:#~@+,%=<>")
"""Signs that a word may hold without quotes."""


BY_PLACE = ("node", "span", "step", "text", "expr", "other", "name")
"""Arguments that are said by their place, ..."""
YES = "yes"
"""What is said for an argument that is given or not."""
REST = ("text", "expr")
"""... and of those the ones that take the rest of the line."""


@dataclass(frozen=True, slots=True)
class Ask:
    """One question. `at` is the step it is asked as of; None is the end."""

    name: str
    said: tuple[tuple[str, str], ...] = ()
    """(argument, what is said for it), as in `(("node", "src/db.py"), ("budget", "2048"))`."""

    at: int | None = None
    line: str = ""
    """The line that was typed; `said` then holds what goes for arguments it doesn't name: the window on screen."""

    def words(self) -> str:
        """How it is typed in `postmortem`."""
        if self.line:
            return self.line
        flags = [_flag(name, value) for name, value in self.said if name not in BY_PLACE]
        placed = [value if name in REST else quoted(value) for name, value in self.said if name in BY_PLACE]
        return " ".join([self.name, *flags, *placed, *([f"@{self.at}"] if self.at is not None else [])])


def _flag(name: str, value: str) -> str:
    return f"--{name}" if value == YES else f"--{name} {quoted(value)}"


def ask(name: str, at: int | None = None, **said: str | int | None) -> Ask:
    """A question; what is None isn't said. `half_life` is said as `--half-life`."""
    given = tuple((each.replace("_", "-"), str(value)) for each, value in said.items() if value is not None)
    return Ask(name, given, at)


def typed(line: str, at: int | None = None, **window: str | int | None) -> Ask:
    """Make a question of a typed line; `window` says lens, budget, session and context where the line doesn't."""
    word = line.split(maxsplit=1)[0] if line.strip() else ""
    return Ask(word, ask(word, None, **window).said, at, line)


def quoted(word: str) -> str:
    """A word in quotes, where it would be several without."""
    if word and all(char.isalnum() or char in PLAIN for char in word):
        return word
    return f"'{word}'" if '"' in word else f'"{word}"'


def ask_for_text(step: int, text: str, span: str, which: str) -> Ask:
    """Ask for the first or last step in a span that holds a text."""
    return ask("find", step, expr=f"step {span} and text~{boolean.quoted(text)} | {which}")
