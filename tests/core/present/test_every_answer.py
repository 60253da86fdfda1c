"""Every answer, with any content its types allow, shows itself at every width: rows that fit, roles that have a look,
lines without a character that a terminal obeys, sentences without signs. It comes back from TOON as from JSON."""

from __future__ import annotations

import json
import unicodedata
from typing import Any

import click
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from ccos_core.present.aloud import SPOKEN
from ccos_core.present.rows import View
from ccos_core.query.catalogue import QUESTIONS
from ccos_core.query.help import Help
from ccos_core.serve.printing import as_json_object, as_lines
from ccos_core.serve.terminal import json_text, toon_text
from ccos_core.serve.toon_tables import read
from ccos_core.session.blame_commit import BlamedCommit
from ccos_core.session.blame_line import BlamedLine
from ccos_core.session.imported import Imported
from ccos_core.session.listing import Sessions
from ccos_core.session.restoring import Restored
from ccos_core.storage.census import Census
from tests.tui.present.answers import WIDTHS, any_of, check


def terminal_obeys(line: str) -> bool:
    return any(unicodedata.category(char) == "Cc" or char in "\u202a\u202b\u202d\u202e\u2066\u2067" for char in line)


ANSWERS = sorted(
    {answer for entry in QUESTIONS for answer in entry.load().answers}
    | {BlamedCommit, BlamedLine, Census, Help, Imported, Restored, Sessions},
    key=lambda answer: getattr(answer, "schema", answer.__name__),
)


@pytest.mark.parametrize("kind", ANSWERS, ids=lambda kind: getattr(kind, "schema", kind.__name__))
@settings(max_examples=15, suppress_health_check=[HealthCheck.too_slow, HealthCheck.data_too_large])
@given(data=st.data(), width=WIDTHS)
def test_an_answer_shows_itself(kind: type, data: st.DataObject, width: int) -> None:
    answer: Any = data.draw(any_of(kind))
    verbatim = getattr(answer, "verbatim", False)  # the terminal makes such a text harmless when it shows it
    if not verbatim:
        check(answer.as_rows(View(width, full=True)), width)
    for columns in (width, None):
        for line in as_lines(answer, columns):
            assert verbatim or not terminal_obeys(click.unstyle(line)), line
    if hasattr(kind, "schema"):
        plain = json.loads(json_text(as_json_object(answer)))
        assert read(toon_text(plain)) == plain
    said = as_lines(answer, None, aloud=True)
    assert said or not "".join(row.text for row in answer.as_rows(View())).strip()
    assert verbatim or not any(sign in line for line in said for sign in SPOKEN)
