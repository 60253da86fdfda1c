"""`personal`: how much personal data was said, by kind; and answers without it for those who don't see up to `high`.

The record keeps what was said. Personal data is found when a question asks for it, not when an op is recorded: the
finders read 1.7 MB a second, which would nearly double the time of a first ingest.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, fields, is_dataclass, replace
from operator import is_
from typing import TYPE_CHECKING, Any, ClassVar

import numpy as np

from ccos_core.memory.entry import LEVELS
from ccos_core.memory.view import View as Seen
from ccos_core.present.rows import Moment, Row, Span, View, clean, note, row, title
from ccos_core.present.words import count
from ccos_core.query.op_text import text_of
from ccos_core.query.question import Question
from ccos_core.replay.codes import KIND_CODES
from ccos_core.text.sanitize.personal import KINDS, personal, without_personal

if TYPE_CHECKING:
    from ccos_core.replay.timeline import Timeline

CODE_SCHEMAS = ("ccos.window/", "ccos.original/", "ccos.diff/")
"""Answers that are text of files, which an agent has anyway and would write back."""
TEXTS = {"prompt": "said", "turn": "said", "remembered": "words", "annotation": "note", "compaction": "summary"}
"""Kind of op → the field with what was said."""
LISTED_STEPS = 20
CONTEXT = 8
"""Characters before personal data by which it is found where a title was cut."""


@dataclass(frozen=True, slots=True)
class PersonalKind:
    """One kind of personal data."""

    kind: str
    """`mail`, `phone`, `iban`, `card`, `address` of a machine, or `name`."""

    count: int
    """Places of it."""

    steps: tuple[int, ...]
    """The last steps that say some, at most 20."""


@dataclass(frozen=True, slots=True)
class PersonalData:
    """The answer to `personal`."""

    schema: ClassVar[str] = "ccos.personal/1"
    at: int
    """The step up to which it counts."""

    texts: int
    """Texts that were read: prompts, turns, summaries, notes and what was remembered."""

    kinds: tuple[PersonalKind, ...]
    """Those that occur, the most frequent first."""

    def as_rows(self, view: View) -> Sequence[Row]:
        """One row for each kind, with the steps; never the data itself."""
        every = sum(each.count for each in self.kinds)
        rows = [
            title(f"{count(every, 'place')} of personal data in {count(self.texts, 'text')} up to step {self.at:,}")
        ]
        for each in self.kinds:
            steps = ", ".join(f"{step:,}" for step in each.steps)
            last = Span(f"  at step {steps}", "quiet")
            leads = Moment(each.steps[-1]) if each.steps else None
            rows.append(row(f"  {clean(each.kind):<8}{each.count:>6,}", last, leads=leads))
        return [*rows, note("  Answers below level high show the kind only.")] if self.kinds else rows


def personal_data(timeline: Timeline, at: int) -> PersonalData:
    """Count personal data in what was said and remembered up to a step."""
    kinds = timeline.journal.steps["kind"][:at]
    steps = (np.flatnonzero(np.isin(kinds, [KIND_CODES[kind] for kind in TEXTS])) + 1).tolist()
    timeline.have_ready(steps)
    found: dict[str, list[int]] = {}
    for step in steps:
        op = timeline.op(step)
        for each in personal(text_of(timeline, op.get(TEXTS[op["kind"]]))):
            found.setdefault(each.kind, []).append(step)
    rows = [
        PersonalKind(kind, len(said), tuple(list(dict.fromkeys(said))[-LISTED_STEPS:])) for kind, said in found.items()
    ]
    rows.sort(key=lambda each: (-each.count, KINDS.index(each.kind)))
    return PersonalData(at, len(steps), tuple(rows))


def without_personal_data(answer: Any, view: Seen) -> Any:
    """Return an answer that says of personal data only what kind it is, if the view doesn't reach `high`. The text of
    a file stays as it is."""
    if view.grant.level >= LEVELS.index("high") or getattr(answer, "schema", "").startswith(CODE_SCHEMAS):
        return answer
    return _masked(answer)


def _masked(value: Any) -> Any:
    """Return a value as it is, or one without personal data if it has any."""
    if isinstance(value, str):
        return without_personal(value)
    if isinstance(value, tuple):
        seen = [_masked(each) for each in value]
        if all(map(is_, seen, value)):
            return value
        return tuple(seen) if type(value) is tuple else type(value)(*seen)
    if isinstance(value, Mapping):
        return {key: _masked(each) for key, each in value.items()}
    if not is_dataclass(value) or isinstance(value, type):
        return value
    of_file = bool(getattr(value, "path", ""))
    names = [each.name for each in fields(value) if not (of_file and each.name == "text")]
    changed = {name: seen for name in names if (seen := _masked(getattr(value, name))) is not getattr(value, name)}
    if "title" in names and "words" in names:
        before, words = getattr(value, "title"), getattr(value, "words")  # noqa: B009
        if (title := _masked_title(before, words)) != before:
            changed["title"] = title
    return replace(value, **changed) if changed else value


def _masked_title(title: str, words: str) -> str:
    """Return a title without personal data, also of what it shows only the begin of."""
    head = title.removesuffix("…")
    if head == title:
        return without_personal(title)
    line = " ".join(words[: 4 * len(title)].split())
    for start, end, kind in personal(line):
        before = line[max(0, start - CONTEXT) : start]
        for shown in range(end - start - 1, 0, -1):
            if head.endswith(before + line[start : start + shown]):
                return f"{without_personal(head[:-shown])}[{kind}]…"
    return without_personal(title)


QUESTION = Question(
    ask=personal_data,
    answers=(PersonalData,),
    example="personal",
    about=(
        "It counts mail addresses, phone numbers, IBANs and card numbers with a right checksum, addresses of machines, "
        'names after words such as "my name is", in prompts, turns, summaries, notes and what was remembered.'
    ),
    nothing=lambda answer: not answer.kinds,
)
