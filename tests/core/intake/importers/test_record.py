"""What a transcript can make readers remember has an end."""

from ccos_core.intake.importers import record
from ccos_core.intake.importers.record import Origin, Tally
from ccos_core.intake.importers.telling import Call, Telling, Where


def test_only_so_many_kinds_are_told_apart() -> None:
    tally = Tally()
    for number in range(record.MOST_KINDS * 2):
        tally.note(f"kind {number}", number)
        tally.note("kind 0", number)
    assert len(tally.times) == len(tally.unknown) == record.MOST_KINDS + 1
    assert sum(tally.times.values()) == record.MOST_KINDS * 4
    assert tally.times["kind 0"] == record.MOST_KINDS * 2 + 1
    assert tally.unknown[record.OTHER_KINDS][0] == record.MOST_KINDS


def test_a_kind_has_a_name_and_no_text() -> None:
    tally = Tally()
    tally.note("x" * 100_000, 1)
    tally.note("x" * 200_000, 2)
    assert tally.times == {"x" * record.LONGEST_KIND + "…": 2}


def test_models_are_named_once_and_not_without_end() -> None:
    origin = Origin()
    for name in ("one", "", "two", "one", *(f"made up {number}" for number in range(1_000))):
        origin.uses(name)
    assert origin.models[:3] == ["one", "two", "made up 0"]
    assert len(origin.models) == record.MOST_MODELS


def test_each_conversation_has_the_calls_that_wait_in_it() -> None:
    telling = Telling("demo")
    for call, context in (("a", ""), ("b", "sub"), ("c", ""), ("a", "sub")):
        telling.asked(Call(Where("s", call, context=context), "Read", {}))
    assert telling.waiting_in("s", "") == ["a", "c"]
    assert telling.waiting_in("s", "sub") == ["b"]
    list(telling.answered(Where("s", "a"), "done"))
    list(telling.answered(Where("s", "b"), "done"))
    list(telling.answered(Where("s", "b"), "again"))
    assert (telling.waiting_in("s", ""), telling.waiting_in("s", "sub")) == (["c"], [])
    assert [each["call"] for each in telling.pending()] == ["c"]
