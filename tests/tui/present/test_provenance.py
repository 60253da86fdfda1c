"""Where what is known of a node comes from: sections whose rows lead to the steps."""

from __future__ import annotations

from ccos_core.present.rows import Moment
from ccos_core.query.provenance import Edition, Failing, Lines, Provenance, Sighting
from ccos_core.query.telling import Told
from tests.tui.present.answers import rows_of

READ, EDIT = Told(6, "read", None, "src/db.py", "", 248, ()), Told(55, "edit", None, "src/db.py", "", 254, ())
NOTE = Told(58, "annotation", None, "src/db.py cents since March", "", 20, ())
RUN = Told(45, "tool", None, "Bash pytest -q", "error", 403, ())
ANSWER = Provenance(
    "file:src/db.py", 61, True, ("file:src/store.py",), READ,
    (Edition(EDIT, "file:src/db.py", "a1590bdfb0ed", "", (Lines("delivered", 14), Lines("patched", 1))),
     Edition(READ, "file:src/store.py", "", "withheld", ())), 1,
    (Sighting(EDIT, 0, 0), Sighting(READ, 4, 9)), 0,
    (NOTE,), 0,
    (Failing("pytest", "test_invoice", "assert 1 == 2", 60, False, RUN, RUN),), 0,
)  # fmt: skip


def test_each_section_leads_to_its_steps() -> None:
    rows = rows_of(ANSWER, 120)
    said = [row.text.strip() for row in rows]
    assert said[0].startswith("src/db.py")
    assert said[1] == "was src/store.py"
    assert said[2] == "first seen: step 6, read src/db.py"
    assert [line for line in said if line.endswith(")")] == ["failing (1)", "versions (3)", "seen at (2)", "noted (1)"]
    assert any("60 % of it reaches this, since step 45, said by step 45" in line for line in said)
    assert any("14 lines delivered, 1 patched" in line for line in said)
    assert any("no text: withheld" in line for line in said)
    assert any(line.endswith("lines 4–9") for line in said)
    assert "and 1 more of its file" in said
    steps = [row.leads.step for row in rows if row.leads is not None]
    assert steps == [6, 45, 55, 6, 55, 6, 58]
    assert Moment(6, "file:src/store.py") in [row.leads for row in rows]


def test_what_is_in_no_source_is_said_so() -> None:
    answer = Provenance("file:a.py", 3, False, (), None, (), 0, (), 0, (), 0, (), 0)
    assert [row.text.strip() for row in rows_of(answer, 80)[1:]] == [
        "not there at this step",
        "it is in no source",
    ]
