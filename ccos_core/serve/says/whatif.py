"""The words of `whatif`: the two windows in a line each, then who came, who went, and who moved."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

from ccos_core.present import words
from ccos_core.present.words import count
from ccos_core.serve.says import parts
from ccos_core.serve.terminal import coloured

if TYPE_CHECKING:
    from ccos_core.query.whatif import Member, Place, Side, WhatIf

FEW = 6
"""Items of each sort that are told."""


def says(answer: WhatIf, columns: int | None) -> Iterator[str]:
    """Side by side, as far as it fits a screen."""
    yield f"step {answer.step:,}  {words.visible(answer.lens)}  if: {_otherwise(answer)}"
    yield f"  as it was  {_side(answer.before)}"
    yield f"  then       {_side(answer.after)}"
    changed = answer.entered or answer.left or answer.moved
    if not changed:
        yield "  the same items, as before"
    yield from _section("+", "entered", answer.entered, "good")
    yield from _section("-", "left", answer.left, "bad")
    yield from _section("~", "moved", answer.moved, "note")
    if answer.same and changed:
        yield coloured(f"  {count(answer.same, 'item')} as before", "quiet")
    yield from _way(answer)


def plain(answer: WhatIf) -> Iterator[str]:
    yield f"The window of step {answer.step:,}, {words.visible(answer.lens)}, if: {_otherwise(answer)}."
    yield f"As it was: {_side(answer.before)}. Then: {_side(answer.after)}."
    for word, members in (("entered", answer.entered), ("left", answer.left), ("moved", answer.moved)):
        yield f"{count(len(members), 'item')} {word}."
        for each in members[:FEW]:
            yield f"{parts.node(each.node)} {word}: {_told_aloud(each)}."
    yield f"{count(answer.same, 'item')} as before."
    yield from _way(answer)


def _section(sign: str, word: str, members: Sequence[Member], role: str) -> Iterator[str]:
    if members:
        yield coloured(f"  {sign} {word} ({len(members):,})", role)
        rows = [(f"{sign} {parts.node(each.node)}", _told(each)) for each in members[:FEW]]
        yield from parts.table(rows, left=(0, 1), indent="    ")
        yield from parts.more(len(members) - FEW, "item")


def _told(member: Member) -> str:
    before, after = member.before, member.after
    if before is None or after is None:
        place = before or after
        assert place is not None  # it is in one of them
        short = f"  {count(member.short, 'token')} short" if member.short is not None else ""
        return f"{_place(place)}{short}  {words.clipped(words.visible(place.reason), 80)}"
    return f"{_place(before)} → {_place(after)}"


def _told_aloud(member: Member) -> str:
    before, after = member.before, member.after
    short = f", {count(member.short, 'token')} short" if member.short is not None else ""
    if before is not None and after is not None:
        return f"from {_place_aloud(before)}, to {_place_aloud(after)}"
    place = before or after
    assert place is not None  # it is in one of them
    return f"{_place_aloud(place)}{short}, because: {words.clipped(words.visible(place.reason), 80)}"


def _place_aloud(place: Place) -> str:
    rank = f"rank {place.rank:,}, " if place.rank else ""
    return f"{rank}its {place.level}, {count(place.tokens, 'token')}"


def _place(place: Place) -> str:
    rank = f"#{place.rank:,} " if place.rank else ""
    return f"{rank}{place.level} {place.tokens:,}"


def _side(side: Side) -> str:
    return f"budget {side.budget:,}: {count(side.members, 'item')}, {count(side.tokens, 'token')}"


def _otherwise(answer: WhatIf) -> str:
    return words.visible(", ".join(answer.otherwise))


def _way(answer: WhatIf) -> Iterator[str]:
    if answer.way == "fork":
        yield coloured(f"  inferred: {count(answer.folded, 'op')} folded anew, and nothing written", "note")
