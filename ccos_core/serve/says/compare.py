"""The words of `compare`: how far both are one, where they part, and what each has that the other hasn't."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

from ccos_core.present import words
from ccos_core.present.words import count
from ccos_core.serve.says import parts
from ccos_core.serve.terminal import coloured

if TYPE_CHECKING:
    from ccos_core.query.compare import Compared, Held, Parting, Whole

FEW = 4
"""Of each sort that are told."""
HERE, THERE = "here ", "there"


def says(answer: Compared, columns: int | None) -> Iterator[str]:
    """On one screen."""
    yield from parts.table(_figures(answer), left=(0, 1), indent="")
    yield _common(answer)
    yield from _parting("they part", answer.parting, columns)
    if _is_worth(answer):
        yield f"the agent's own ops: {count(answer.own_alike, 'op')} alike"
        yield from _parting("then", answer.own_parting, columns)
    yield from _window(answer)
    yield from _only("files", answer.files_here, answer.files_there)
    yield from _only("failures", answer.failures_here, answer.failures_there)
    if not answer.same_rules:
        yield coloured("their epochs have other rules: see `epochs` in each", "note")


def plain(answer: Compared) -> Iterator[str]:
    for word, whole in ((HERE, answer.here), (THERE, answer.there)):
        figures = ", ".join(f"{name} {figure:,}" for name, figure in _each(whole))
        yield f"{word.strip().capitalize()} is {words.visible(whole.name)}: {figures}."
    yield f"{_common(answer).capitalize()}."
    yield from _parting_aloud("They part", answer.parting)
    if _is_worth(answer):
        yield f"Of the agent's own ops {answer.own_alike:,} are alike."
        yield from _parting_aloud("Then", answer.own_parting)
    for line in (*_window(answer), *_only("files", answer.files_here, answer.files_there),
                 *_only("failures", answer.failures_here, answer.failures_there)):  # fmt: skip
        yield from parts.sentences(parts.aloud([line]))
    if not answer.same_rules:
        yield "Their epochs have other rules."


def _figures(answer: Compared) -> list[tuple[str, str, str]]:
    """The names, how long they are, and whatever else both don't share."""
    both = zip(_each(answer.here), _each(answer.there), strict=True)
    rows = [(name, here, there) for (name, here), (_, there) in both if here != there or name == "steps"]
    names = ("", words.visible(answer.here.name), words.visible(answer.there.name))
    return [("", "here", "there"), names, *((name, f"{here:,}", f"{there:,}") for name, here, there in rows)]


def _each(whole: Whole) -> list[tuple[str, int]]:
    return [
        ("steps", whole.steps),
        ("prompts", whole.prompts),
        ("calls", whole.calls),
        ("errors", whole.errors),
        ("files read", whole.read),
        ("files changed", whole.changed),
        ("failures", whole.failures),
        ("live at the end", whole.live),
        ("compactions", whole.compactions),
        ("tokens at most", whole.tokens),
    ]


def _common(answer: Compared) -> str:
    said = f"one record up to step {answer.common:,}" if answer.common else "no step has the same hash"
    if answer.parting is None:
        return f"{said}; they say the same to the end" if answer.common < answer.here.steps else f"{said}: the same"
    return f"{said}; {count(answer.alike, 'step')} say the same" if answer.alike > answer.common else said


def _is_worth(answer: Compared) -> bool:
    """Whether the agent's own ops tell something else than all ops do."""
    return answer.own_parting != answer.parting


def _parting(word: str, parting: Parting | None, columns: int | None) -> Iterator[str]:
    if parting is None:
        return
    yield f"{word}{_by(parting)}:"
    for side, op in ((HERE, parting.here), (THERE, parting.there)):
        yield f"  {side}  {parts.step_line(op, columns - 9 if columns else None) if op else 'ended'}"


def _parting_aloud(word: str, parting: Parting | None) -> Iterator[str]:
    if parting is None:
        return
    yield f"{word}{_by(parting)}."
    for side, op in ((HERE, parting.here), (THERE, parting.there)):
        yield f"{side.strip().capitalize()}: {parts.step_words(op) if op else 'ended'}."


def _by(parting: Parting) -> str:
    return f", by {', '.join(map(words.visible, parting.fields))}" if parting.fields else ""


def _window(answer: Compared) -> Iterator[str]:
    here = [each for each in answer.windows if not each.there]
    there = [each for each in answer.windows if not each.here]
    other = [each for each in answer.windows if each.here and each.there]
    yield f"at the ends, {words.visible(answer.lens)}  budget {answer.budget:,}: {count(answer.in_both, 'node')} alike"
    yield from _held("only here", here)
    yield from _held("only there", there)
    yield from _held("shown otherwise", other)


def _held(word: str, nodes: Sequence[Held]) -> Iterator[str]:
    if nodes:
        named = ", ".join(f"{parts.node(each.node, 60)} {_levels(each)}" for each in nodes[:FEW])
        yield f"  {word} ({len(nodes):,}): {named}{', …' * (len(nodes) > FEW)}"


def _levels(held: Held) -> str:
    if held.here and held.there:
        return f"{held.here} → {held.there}" if held.here != held.there else f"{held.here}, other text"
    return held.here or held.there


def _only(what: str, here: Sequence[str], there: Sequence[str]) -> Iterator[str]:
    for word, names in (("only here", here), ("only there", there)):
        if names:
            named = ", ".join(words.clipped(words.visible(name), 60) for name in names[:FEW])
            yield f"{what} {word} ({len(names):,}): {named}{', …' * (len(names) > FEW)}"
