"""The words of `provenance`: first seen, versions, sightings, notes, failures."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import TYPE_CHECKING

from ccos_core.present import words
from ccos_core.present.words import count
from ccos_core.serve.says import parts
from ccos_core.serve.terminal import coloured

if TYPE_CHECKING:
    from ccos_core.query.provenance import Edition, Failing, Lines, Provenance, Sighting

LONGEST = 60


def says(answer: Provenance, columns: int | None) -> Iterator[str]:
    """All of it, section by section."""
    yield f"{parts.node(answer.node)}  at step {answer.at:,}{'' if answer.there else '  (not there)'}"
    if answer.was:
        yield f"  was {', then '.join(map(parts.node, reversed(answer.was)))}"
    if answer.first is not None:
        yield f"  first seen: {parts.step_words(answer.first, LONGEST)}"
    file = "of its file"
    yield from _section("versions", map(_edition, answer.editions), answer.editions_more, file, file)
    yield from _section("seen at", map(_sighting, answer.sightings), answer.sightings_more, file, file)
    yield from _section(
        "noted", ([parts.step_words(each, LONGEST)] for each in answer.notes), answer.notes_more, "note"
    )
    yield from _section("failing", map(_failing, answer.failing), answer.failing_more, "failure")


def plain(answer: Provenance) -> Iterator[str]:
    """The same in sentences."""
    yield f"{parts.node(answer.node)}, at step {answer.at:,}{'' if answer.there else ', where it is not there'}."
    if answer.was:
        yield f"It was {', then '.join(map(parts.node, reversed(answer.was)))}."
    if answer.first is not None:
        yield f"First seen: {parts.step_words(answer.first, LONGEST)}."
    file = "of its file"
    yield from _aloud("Version", map(_edition, answer.editions), answer.editions_more, file, file)
    yield from _aloud("Seen at", map(_sighting, answer.sightings), answer.sightings_more, file, file)
    yield from _aloud(
        "Noted by", ([parts.step_words(each, LONGEST)] for each in answer.notes), answer.notes_more, "note"
    )
    yield from _aloud("Failing", map(_failing, answer.failing), answer.failing_more, "failure")


def _aloud(word: str, rows: Iterable[Sequence[str]], more: int, one: str, many: str = "") -> Iterator[str]:
    for row in rows:
        yield next(parts.aloud([f"{word}: {', '.join(filter(None, row))}"])) + "."
    yield from parts.sentences(parts.aloud(parts.more(more, one, many)))


def _section(title: str, rows: Iterable[Sequence[str]], more: int, one: str, many: str = "") -> Iterator[str]:
    told = parts.table(list(rows), left=range(9))
    if told:
        yield title
        yield from told
        yield from parts.more(more, one, many)


def _edition(each: Edition) -> list[str]:
    said = words.short(each.content) if each.content else f"no text: {words.visible(each.missing)}"
    return [parts.step_words(each.op, LONGEST), said, lines(each.lines)]


def lines(known: Sequence[Lines]) -> str:
    """`12 lines delivered, 3 patched`."""
    return ", ".join(f"{count(each.count, 'line')} {each.kind}" for each in known)


def _sighting(each: Sighting) -> list[str]:
    return [parts.step_words(each.op, LONGEST), "all of it" if not each.first else f"lines {each.first} to {each.last}"]


def _failing(each: Failing) -> list[str]:
    said = words.clipped(words.visible(each.test or each.message or "failed"), LONGEST)
    where = "felt here" if each.felt else f"{each.percent} % of it reaches this"
    return [f"{coloured('✗', 'bad')} {words.visible(each.runner)} {said}", where,
            f"since step {each.since.step:,}, said by {parts.step_words(each.said, 40)}"]  # fmt: skip
