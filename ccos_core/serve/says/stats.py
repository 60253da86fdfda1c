"""The words of `stats`: the figures of a record."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from ccos_core.present import words

if TYPE_CHECKING:
    from ccos_core.storage.census import Census


def says(answer: Census, columns: int | None) -> Iterator[str]:
    """The figures, and what takes the space."""
    space = answer.space
    yield f"steps      {answer.steps:,}, head {words.short(answer.head)}" + ("   (paused)" if answer.paused else "")
    yield f"time       {words.moment(answer.first_at)}  to  {words.moment(answer.last_at)} UTC"
    yield f"paths      {answer.paths:,}    sessions {answer.sessions:,}"
    erased = f", {answer.erased:,} erased" if answer.erased else ""
    held = f"{answer.contents:,}, {words.size(answer.content_bytes)} as text, {words.size(space['contents'])} stored"
    yield f"contents   {held}{erased}"
    yield f"facts      {answer.facts:,}, {words.size(space['facts'])}"
    segments = words.count(answer.segments, "segment")
    yield f"archive    {segments}, {words.size(space['archive'])}, floor {answer.floor:,}"
    yield f"ops        {words.size(space['ops'])}"
    yield f"on disk    {words.size(space['file'])}, wal {words.size(space['wal'])}, cache {words.size(space['cache'])}"
    yield ""
    yield "kinds"
    for kind, number in sorted(answer.kinds.items(), key=lambda each: (-each[1], each[0])):
        yield f"  {number:>8,}  {kind}"
    if answer.largest:
        yield ""
        yield "largest contents"
    for each in answer.largest:
        yield f"  {words.size(each.bytes):>9}  {words.short(each.content)}  step {each.step:,}"
