"""`verbatim`: the text of the agent's window in the order in which it came, with what nobody recorded as gaps."""

from __future__ import annotations

from ccos_core.query.verbatim import GAP, Verbatim
from tests.core.query.asked import ask
from tests.core.query.test_composition import BASE, LINES, Session
from tests.core.replay.told import timeline_of


def asked(session: Session, at: int | None = None) -> Verbatim:
    timeline = timeline_of(session.tale)
    answer: Verbatim = ask(timeline, "verbatim", timeline.head if at is None else at)
    return answer


def test_every_text_stands_where_it_came() -> None:
    session = Session().prompt("Fix it.").count(BASE).text("I look.").tool("Bash", {"command": "ls"}, "a.py\nb.py")
    session.read("a.py", LINES).count(BASE + 1_200)
    answer = asked(session)
    told = [(piece.kind, piece.text) for piece in answer.pieces if piece.kind != GAP]
    assert told == [
        ("prompt", "Fix it."),
        ("text", "I look."),
        ("call", '{"command": "ls"}'),
        ("command", "a.py\nb.py"),
        ("call", '{"file_path": "a.py"}'),
        ("read", LINES),
    ]
    assert [piece.step for piece in answer.pieces] == sorted(piece.step for piece in answer.pieces)


def test_what_nobody_recorded_is_a_gap_where_it_came() -> None:
    session = (
        Session().prompt("Fix it.").count(BASE).text("I look.").count(BASE + 4_000).text("Done.").count(BASE + 4_010)
    )
    first, second = [piece for piece in asked(session).pieces if piece.kind == GAP]
    assert (first.says, first.step) == ("system prompt and tools", 0)
    assert (second.says, second.step) == ("not explained", 5)
    assert 3_900 < second.tokens < 4_000
    answer = asked(session)
    assert answer.gaps == first.tokens + second.tokens
    assert answer.tokens == sum(piece.tokens for piece in answer.pieces)


def test_after_a_compaction_only_what_came_since_is_there() -> None:
    session = Session().prompt("Fix it.").count(BASE).read("a.py", LINES)
    session.tell(kind="compaction", trigger="auto", exact=False, summary="What was done.").count(BASE + 500)
    session.text("I go on.")
    pieces = asked(session).pieces
    assert [piece.text for piece in pieces if piece.kind != GAP] == ["What was done.", "I go on."]
    assert "brought back after a compaction" in [piece.says for piece in pieces]
    before = asked(session, at=5).pieces
    assert LINES in [piece.text for piece in before]


def test_a_thought_that_is_sealed_says_so() -> None:
    session = Session().prompt("Fix it.").count(BASE).tell(kind="thought", sealed=True, tokens=300).count(BASE + 320)
    sealed = [piece for piece in asked(session).pieces if piece.kind == "thinking"]
    assert [piece.missing for piece in sealed] in ([], ["sealed by the agent's program"])
