"""The words of a window: its text as it is, and in a line or two what that is and what it just missed.

`recall` as a command, for now, and as a question, for any step, say the same.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from ccos_core.present import words
from ccos_core.serve.says import parts

if TYPE_CHECKING:
    from ccos_core.query.windows import Shown
    from ccos_core.window.linearize import Window

LONGEST_LENS = 60
"""Characters of a lens that are told; a task's text may be a page."""
NOTHING = {
    "working-set": "Nothing matters {when}: nothing fails, and nothing was read or edited lately.",
    "task": "No code here is about these words.",
    "hybrid": "No code here is about these words.",
}
"""What to say of a lens that shows nothing at all."""


def says(answer: Shown, columns: int | None) -> Iterator[str]:
    """The text, and what it is."""
    if answer.text:
        yield from answer.text.removesuffix("\n").split("\n")
    yield from summary(answer, answer.step)


def plain(answer: Shown) -> Iterator[str]:
    """What is in, one by one, and then the text."""
    yield from parts.aloud(summary(answer, answer.step))
    for item in answer.items:
        reason = words.clipped(words.visible(item.reason), 100)
        yield f"{parts.node(item.uri)}: its {item.level}, {words.count(item.tokens, 'token')}, because: {reason}."
    if answer.text:
        yield "The text:"
        yield from answer.text.removesuffix("\n").split("\n")


def summary(window: Shown | Window, step: int | None, when: str = "then") -> Iterator[str]:
    """What was shown, in one line; and what would come next, or why there is nothing."""
    at = f" at step {step:,}" if step is not None else ""
    lens = words.clipped(words.visible(window.lens), LONGEST_LENS)
    items = words.count(len(window.items), "item")
    yield f"{lens}{at}: about {window.tokens:,} of {window.budget:,} tokens, {items}"
    if window.missed:
        first = window.missed[0]
        yield f"next would be {parts.node(first.uri)}, {words.count(first.short, 'token')} short"
    elif not window.items and (said := NOTHING.get(window.lens.partition(":")[0])):
        yield said.format(when=when)
