"""Words and JSON of answers. `says/NAME.py` has the words for answers whose schema is `ccos.NAME/VERSION`:

says(answer, columns)    lines for people; `columns` is the width of their terminal, None where there is none
plain(answer)            sentences for screen readers; without it the lines are used, their signs as words
"""

from __future__ import annotations

import importlib
from types import ModuleType
from typing import TYPE_CHECKING

from ccos_core.present.words import count
from ccos_core.serve import printing
from ccos_core.serve.printing import as_json_object as as_json_object
from ccos_core.serve.says import parts

if TYPE_CHECKING:
    from ccos_core.query.question import Answer


VERBATIM = ("ccos.window/1",)
"""Answers that hold somebody's own text, which is given as it is."""


def as_lines(answer: Answer, columns: int | None, *, aloud: bool = False, partial: int = 0) -> list[str]:
    """An answer in words; `aloud` as a screen reader can say it."""
    if hasattr(answer, "as_rows"):
        return printing.as_lines(answer, columns, aloud=aloud, partial=partial)
    words = words_for(answer.schema)
    if aloud and hasattr(words, "plain"):
        lines = [line if answer.schema in VERBATIM else parts.sentence(line) for line in words.plain(answer)]
    elif aloud:
        lines = list(parts.aloud(words.says(answer, None)))
    else:
        lines = list(words.says(answer, columns))
        if columns and answer.schema not in VERBATIM:
            lines = [part for line in lines for part in printing.fitted(line, columns)]
    return [*lines, f"partial: facts missing for {count(partial, 'content')}"] if partial else lines


def words_for(schema: str) -> ModuleType:
    """Where the words of a schema are."""
    name = schema.removeprefix("ccos.").partition("/")[0].replace("-", "_")
    return importlib.import_module(f"ccos_core.serve.says.{name}")
