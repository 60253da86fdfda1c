"""The words of `epochs`."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from ccos_core.present import words
from ccos_core.present.words import count
from ccos_core.serve.says import parts

if TYPE_CHECKING:
    from ccos_core.query.epochs import Change, Epoch, Epochs

FEW = 8
"""Changed rules that are listed."""


def says(answer: Epochs, columns: int | None) -> Iterator[str]:
    """Each with its steps, and the rules that are others than before."""
    yield count(sum(each.kind == "epoch" for each in answer.epochs), "epoch")
    for each in answer.epochs:
        here = "  (the cursor is here)" if each.first <= answer.at <= each.last else ""
        yield f"  {_named(each):<10}  steps {each.first:,} to {each.last:,}  {words.moment(each.at)} UTC{here}"
        if each.reason:
            yield f"      because: {words.clipped(words.visible(each.reason), 100)}"
        yield from (f"      {_changed(change)}" for change in each.changes[:FEW])
        yield from (f"    {line}" for line in parts.more(len(each.changes) - FEW, "changed rule"))
        if not each.changes and each.first > 1:
            yield "      by the same rules as before"


def plain(answer: Epochs) -> Iterator[str]:
    yield f"{count(sum(each.kind == 'epoch' for each in answer.epochs), 'epoch')}."
    for each in answer.epochs:
        changed = "; ".join(_changed(change).replace("→", "to") for change in each.changes)
        here = " The cursor is here." if each.first <= answer.at <= each.last else ""
        yield f"{_named(each).capitalize()}: steps {each.first:,} to {each.last:,}.{here}"
        if changed:
            yield f"Changed: {changed}."


def _named(each: Epoch) -> str:
    return f"epoch {each.number}" if each.kind == "epoch" else "retune"


def _changed(change: Change) -> str:
    before, after = ("none" if value is None else f"{value:,}" for value in (change.before, change.after))
    return f"{words.visible(change.rule)}: {before} → {after}"
