"""Whole texts: as rows, line by line as they are, and as something that can be handed to another program."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from ccos_core.present.later import untitled
from ccos_core.present.parts import node_name, op_words
from ccos_core.present.rows import Moment, Row, Span, View, clean, page_broken, row
from ccos_core.present.words import count
from ccos_core.text.sanitize import surface
from ccos_tui.keys import BY_THEMSELVES, Keys

if TYPE_CHECKING:
    from ccos_core.query.hosted.window import AgentWindow
    from ccos_core.query.show import Texts
    from ccos_core.query.verbatim import Verbatim
    from ccos_core.query.windows import Shown

TAB = 4
DIGITS = 5
"""Columns of a line's number."""
NOTHING = "There is no text in this window."
NOT_TOLD = (
    "Of the agent's window, names and sizes are recorded. {enter} goes to the step that showed an item; "
    "{open} opens its text."
)


def harmless(text: str) -> str:
    """A text that no terminal obeys, and that every program can take."""
    return surface(text.encode("utf-8", "backslashreplace").decode("utf-8"))[0]


def rows_of(text: str, first: int = 1) -> list[Row]:
    """A row a line, with its number; what is copied of a row is the line without it."""
    lines = harmless(text).replace("\r\n", "\n").removesuffix("\n").split("\n") if text else []
    return [_line(number, line) for number, line in enumerate(lines, first)]


def window_rows(answer: Shown | AgentWindow | Verbatim, keys: Keys = BY_THEMSELVES) -> list[Row]:
    """Return the window's own text; beside a suggested window, what the agent's is known to hold."""
    if answer.schema == "ccos.verbatim/1":
        return list(untitled(answer.as_rows(View(full=True))))
    if answer.schema == "ccos.window/1":
        return _suggested(answer)  # type: ignore[arg-type]
    suggested = answer.suggested  # type: ignore[union-attr]
    rows = [*_suggested(suggested), Row()] if suggested is not None else []
    return [*rows, *_agent(answer, keys)]  # type: ignore[arg-type]


def window_text(answer: Shown | AgentWindow | Verbatim) -> str:
    """The same as one text."""
    return "\n".join(each.copies or each.text for each in window_rows(answer)) + "\n"


def text_of(answer: Texts) -> str:
    """All that `show` shows as one text: a file as it is; several parts below lines that name them."""
    if answer.node is not None and len(answer.texts) == 1 and not answer.texts[0].missing:
        return harmless(answer.texts[0].text)
    named = [(each.name, each.text, each.missing) for each in answer.texts]
    named += [(f"{each.role}: {each.title}", each.text, each.missing) for each in answer.parts]
    parts = [f"-- {name}{f': {missing}' if missing else ''}\n{text}" for name, text, missing in named]
    return harmless("\n".join(part.removesuffix("\n") + "\n" for part in parts))


def why_empty(answer: Texts) -> str:
    """Why there is nothing to open, in a sentence; empty where there is something."""
    texts = [*(each.text for each in answer.texts), *(each.text for each in answer.parts if each.role != "note")]
    missing = [*(each.missing for each in answer.texts), *(each.missing for each in answer.parts)]
    if any(texts) or (answer.parts and not any(missing)):
        return ""
    about = node_name(answer.node) if answer.node else (op_words(answer.by, 40) if answer.by else "the first step")
    why = next((harmless(each) for each in missing if each), "it has no text")
    return f"{about} can't be opened: {why}"


def _suggested(answer: Shown) -> list[Row]:
    return rows_of(answer.text) or [row(Span(NOTHING, "quiet"))]


def _agent(answer: AgentWindow, keys: Keys) -> Iterator[Row]:
    yield row(Span(keys.told(NOT_TOLD), "quiet"))
    for each in answer.items:
        told = f"  {clean(each.state)}, by {clean(each.by)} at step {each.step:,}"
        size = (Span(count(each.tokens, "token"), "number"),)
        yield row(node_name(each.node), Span(told, "quiet"), right=size, leads=Moment(each.step, each.node))


def _line(number: int, line: str) -> Row:
    shown = page_broken(line).expandtabs(TAB)
    return Row((Span(f"{number:>{DIGITS}} ", "quiet"), Span(shown)), copies=line or " ")
