"""The hand labels are well formed, and every one of them is a sentence that the raw transcripts really hold."""

import json
from pathlib import Path

import pytest

from tests.bench.told.labels import CLASSES, Label, Session, agreement, in_force, read, requests_of, words_of
from tests.bench.told.raw_words import spoken

SHARED = Path(__file__).resolve().parents[4] / "shared"
REFUSED = "The user doesn't want to proceed with this tool use. The user said:\n"
DENIED = "Permission for this tool use was denied. The user said:\n"


def test_labels_are_well_formed() -> None:
    sessions = read()
    assert len({session.file for session in sessions}) == len(sessions) == 26
    for session in sessions:
        assert len({label[:4] for label in session.labels}) == len(session.labels)
        for label in session.labels:
            assert label.sort in CLASSES
            assert label.start < label.end
            assert label.until is None or (label.standing and label.until > label.line)
        assert all(request < line for line, request in session.compactions)


@pytest.mark.skipif(not SHARED.exists(), reason="NOT CHECKED: there is no ../shared with the labelled sessions")
@pytest.mark.parametrize("session", read(), ids=lambda session: Path(session.file).name[:24])
def test_every_label_is_a_sentence_of_the_session(session: Session) -> None:
    said = [piece for piece in spoken(SHARED / session.file) if piece.channel != "withdrawn"]
    missing = [label for label in session.labels if label[:4] not in {piece[:4] for piece in said}]
    assert missing == []
    assert all(words_of(session, SHARED).values())
    assert all(requests_of(session, SHARED).values())
    heard = [piece.line for piece in said if piece.channel != "subagent"]
    for line, request in session.compactions:
        assert request == max(each for each in heard if each < line)


def test_standing_statements_end() -> None:
    rule, done, remark = (
        Label(2, -1, 0, 5, "preference", True, None),
        Label(3, -1, 0, 5, "todo", True, 9),
        Label(4, -1, 0, 5, "correction", False, None),
    )
    session = Session("one", [(8, 4), (9, 4)], [rule, done, remark])
    assert [in_force(session, line) for line in (2, 3, 8, 9)] == [[], [rule], [rule, done], [rule]]


def test_two_readings_are_compared_by_class_and_by_standing() -> None:
    one, other = Label(1, -1, 0, 5, "fact", True, None), Label(1, -1, 0, 5, "todo", True, None)
    counts = agreement([Session("one", [], [one])], [Session("one", [], [other])])
    assert (counts["fact"], counts["todo"], counts["standing"]) == ((0, 1, 0), (0, 0, 1), (1, 0, 0))


def test_raw_words_by_channel(tmp_path: Path) -> None:
    """One record of each channel, and one of each thing that only looks like the user's words."""
    path = tmp_path / "session.jsonl"
    path.write_text("\n".join(map(json.dumps, _records())) + "\n")
    said = [(piece.channel, piece.text) for piece in spoken(path)]
    assert said == [
        ("prompt", "Use tabs, e.g. in Makefiles."),
        ("prompt", "Then:"),
        ("prompt", "never push"),
        ("prompt", "keep 3.11"),
        ("command", "only the parser"),
        ("refusal", "not on main!"),
        ("subagent", "rename it too"),
        ("plan", "smaller steps"),
        ("answer", "Postgres"),
        ("withdrawn", "wait"),
        ("queued", "and tests"),
        ("command", "the tests"),
        ("withdrawn", "too late"),
    ]


def _records() -> list[dict[str, object]]:
    prompt = "Use tabs, e.g. in Makefiles. Then:\n- never push\n2. keep 3.11\n"
    reminder = "<system-reminder>Always lie.</system-reminder>"
    return [
        _user(prompt + reminder),
        _user("A skill that says never stop", isMeta=True),
        _user("This session is being continued: the user wants it.", isCompactSummary=True),
        _user("[Request interrupted by user]"),
        _user("<command-name>/review</command-name><command-args>only the parser</command-args>"),
        _called("t1", "Bash"),
        _user([_result("t1", REFUSED + "not on main!", is_error=True)]),
        _called("t2", "Read"),
        _user([_result("t2", REFUSED + "a file that says so")]),
        {"type": "progress", "data": {"message": _user([_result("s1", DENIED + "rename it too", is_error=True)])}},
        _user("words for a subagent", isSidechain=True),
        _called("t3", "ExitPlanMode"),
        _user([_result("t3", REFUSED + "smaller steps", is_error=True)]),
        _called("t4", "AskUserQuestion"),
        _user([_result("t4", '"Which?"="Postgres"')], toolUseResult={"answers": {"Which?": "Postgres"}}),
        {"type": "queue-operation", "operation": "enqueue", "content": "wait"},
        {"type": "queue-operation", "operation": "popAll", "content": "wait"},
        {"type": "queue-operation", "operation": "enqueue", "content": "and tests"},
        {"type": "queue-operation", "operation": "remove"},
        {"type": "queue-operation", "operation": "enqueue", "content": "/fix the tests"},
        {"type": "queue-operation", "operation": "dequeue"},
        {"type": "queue-operation", "operation": "enqueue", "content": "too late"},
    ]


def _user(content: object, **more: object) -> dict[str, object]:
    return {"type": "user", "message": {"role": "user", "content": content}, **more}


def _called(call: str, tool: str) -> dict[str, object]:
    block = {"type": "tool_use", "id": call, "name": tool, "input": {}}
    return {"type": "assistant", "message": {"role": "assistant", "content": [block]}}


def _result(call: str, text: str, **more: object) -> dict[str, object]:
    return {"type": "tool_result", "tool_use_id": call, "content": text, **more}


def test_a_second_reading_labels_sentences_that_there_are_and_agrees_on_what_is_standing() -> None:
    second = read("second")
    first = [each for each in read() if each.file in {other.file for other in second}]
    assert len(first) == len(second)
    both, only_first, only_second = agreement(first, second)["standing"]
    assert 200 * both >= 85 * (2 * both + only_first + only_second)
