"""Why a node is in the host's window, or not; and in both: the verdicts first, above each other."""

from __future__ import annotations

from dataclasses import replace

from ccos_core.present.rows import Moment, Row
from ccos_core.query.hosted.happening import Counted, Cut, Happening
from ccos_core.query.hosted.whose import Whose
from ccos_core.query.hosted.why import AgentWhy, Delivery, Lines
from ccos_core.query.telling import Told
from ccos_core.query.why import Why
from tests.tui.present import answers
from tests.tui.present.test_why import READ, SUGGESTED

COMPACTION = Told(40, "compaction", None, "auto 167,510 → 11,020 tokens: The API is wrong", "", 92, ())
CUT = Cut(40, "compaction", "auto", 167_510, 11_020, False, 0, "The API is wrong somewhere in invoice().", False)
FELL_OUT = Happening(40, COMPACTION, "in", "out", "compacted", True, False, 72, 0, CUT, None)
OUT = AgentWhy(Whose("host", "claude-code", "one", ""), "out", False, 0, Lines(1, 15), None,
              (Delivery(READ, None, "", "dropped"),), 0, FELL_OUT, Counted(40, 11_020))  # fmt: skip


UNSURE = replace(FELL_OUT, state="uncertain", tokens=72)
AGAIN = Happening(46, READ, "uncertain", "in", "read", False, False, 72, 72, None, None)


def test_how_much_is_held_of_what_is_uncertain_is_said_so() -> None:
    fell = [row.text.strip() for row in rows_of(replace(OUT, state="uncertain", happening=UNSURE), 120)]
    assert "72 tokens of it before, up to 72 now (uncertain)" in fell
    assert any(line.startswith("? perhaps dropped by a compaction: step 40") for line in fell)
    back = [row.text.strip() for row in rows_of(replace(OUT, state="in", tokens=72, happening=AGAIN), 120)]
    assert "up to 72 tokens of it before (uncertain), 72 now" in back


def rows_of(agent: AgentWhy, width: int) -> list[Row]:
    return answers.rows_of(Why("file:src/db.py", 50, None, agent), width)


def test_it_says_what_dropped_it_and_what_is_known_of_that() -> None:
    rows = rows_of(OUT, 120)
    said = [row.text.strip() for row in rows]
    assert said[1] == "○ out: nothing of it is held; it is lines 1–15"
    assert any(line.startswith("○ dropped by a compaction: step 40, compaction auto") for line in said)
    assert "72 tokens of it before, 0 now" in said
    assert "✂ compacted (auto) at step 40, 167,510 → 11,020 tokens" in said
    assert "~ what survived isn't recorded, so this is inferred" in said
    assert "“The API is wrong somewhere in invoice().”" in said
    assert any(line.endswith("○ dropped since") for line in said)
    assert said[-1].startswith("the agent counted 11,020 tokens at step 40")
    assert {row.leads for row in rows if row.leads is not None} == {Moment(40), Moment(6)}


def test_the_name_of_a_session_is_never_cut() -> None:
    who = Whose("host", "claude-code", "0b0d807f-36f5-4c8e-99bc-58f3c2651f36", "agent-a1b2c3")
    beside, below = (rows_of(replace(OUT, whose=who), width) for width in (120, 58))
    assert [span.text for span in beside[-1].right] == [f"claude-code {who.session} {who.context}"]
    said = [row.text.strip() for row in below[-3:]]
    assert said == ["the agent counted 11,020 tokens at step 40", f"claude-code {who.session}", who.context]


def test_a_summary_stands_in_lines_of_the_pane() -> None:
    rows = rows_of(OUT, 30)
    quoted = [row.text.strip() for row in rows if row.leads == Moment(40)]
    assert " ".join(quoted).count("The API is wrong") == 2
    assert "invoice().”" in " ".join(quoted)


def test_both_verdicts_stand_above_each_other() -> None:
    title, ours, theirs, *rest = answers.rows_of(Why("file:src/db.py", 50, SUGGESTED, OUT), 100)
    assert title.text.startswith("src/db.py")
    assert ours.text == "suggested ● in as body, 18 tokens: read"
    assert theirs.text == "agent     ○ out: dropped by a compaction, step 40"
    assert theirs.leads == Moment(40)
    assert next(row.text for row in rest if row.role == "heading") == "Suggested window"


def test_what_was_never_shown_there_is_said_so() -> None:
    never = replace(OUT, state="unborn", happening=None, deliveries=(), lines=None, counted=None)
    said = [row.text.strip() for row in rows_of(never, 100)]
    assert said[1] == "· not yet shown: nothing of it was ever shown there"
    assert said[-1].startswith("how full it was isn't recorded")
