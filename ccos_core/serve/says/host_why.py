"""The words of `why` in a host's window: what is held, what was delivered and what became of it, the last change."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from ccos_core.present import words
from ccos_core.present.words import count
from ccos_core.serve.says import hosted, parts
from ccos_core.serve.terminal import coloured

if TYPE_CHECKING:
    from ccos_core.query.hosted.why import Delivery, HostWhy

FATES = {"there": "still there", "dropped": "dropped since", "uncertain": "uncertain since"}


def says(answer: HostWhy, columns: int | None) -> Iterator[str]:
    """The verdict first, then what it rests on."""
    yield f"{parts.node(answer.node)}  step {answer.at:,}, {hosted.whose(answer.whose)}"
    sign = parts.STATES[answer.state][0]
    role = "good" if answer.state in ("in", "partial") else "bad"
    yield f"  {coloured(f'{sign} {hosted.state(answer.state, patched=answer.patched)}', role)}{_held(answer)}"
    if answer.happening is not None:
        yield from (f"  {line}" for line in hosted.happened(answer.happening))
    if answer.deliveries:
        yield f"  its file was shown to this context{_earlier(answer)}:"
        yield from parts.table([_row(each) for each in answer.deliveries], left={0, 1}, indent="    ")
    yield f"  {hosted.counted(answer.counted)}"


def plain(answer: HostWhy) -> Iterator[str]:
    yield f"{parts.node(answer.node)}, at step {answer.at:,}, in {hosted.whose(answer.whose)}."
    yield f"It is {hosted.state(answer.state, patched=answer.patched)}{_held(answer)}."
    if answer.happening is not None:
        yield from hosted.aloud(answer.happening)
    if answer.deliveries:
        yield f"Its file was shown to this context{_earlier(answer)}."
    for each in answer.deliveries:
        yield f"By {parts.step_words(each.op, hosted.LONGEST)}: {_part(each)}, {FATES[each.fate]}."
    yield f"{hosted.counted(answer.counted).capitalize()}."


def _held(answer: HostWhy) -> str:
    said = f"; it is lines {answer.lines.first:,} to {answer.lines.last:,}" if answer.lines is not None else ""
    if answer.by is not None:
        by = parts.step_words(answer.by, hosted.LONGEST)
        return f": {count(answer.tokens, 'token')} of it, the last by {by}{said}"
    nothing = "nothing of it is held" if answer.state != "unborn" else "nothing of it was ever shown there"
    return f": {nothing}{said}"


def _earlier(answer: HostWhy) -> str:
    return f", the last {len(answer.deliveries):,} times of {len(answer.deliveries) + answer.more:,}" * bool(
        answer.more
    )


def _row(each: Delivery) -> tuple[str, str, str]:
    return parts.step_words(each.op, hosted.LONGEST), _part(each), FATES[each.fate]


def _part(each: Delivery) -> str:
    if each.level:
        return f"by its {words.visible(each.level)}"
    if each.lines is None:
        return "what it changed" if each.op.kind == "edit" else "whole"
    first, last = each.lines.first, each.lines.last
    return f"lines {first:,} to {last:,}" if first < last else f"line {first:,}"
