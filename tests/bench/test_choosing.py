"""A group that is left out has no say in what it is judged by."""

from tests.bench.choosing import Tally, chosen, left_out, together

FOUND = {
    "one": {"a": Tally(held=9), "b": Tally(held=1), "c": Tally(held=1)},
    "other": {"a": Tally(held=1), "b": Tally(held=3), "c": Tally(held=3)},
}


def _held(tally: Tally) -> int:
    return tally["held"]


def test_each_group_is_judged_by_the_choice_of_the_others() -> None:
    assert chosen(FOUND, _held) == "one"
    assert (chosen(FOUND, _held, "a"), chosen(FOUND, _held, "b")) == ("other", "one")
    assert together(FOUND["one"]) == Tally(held=11)
    assert left_out(FOUND, _held) == Tally(held=1 + 1 + 1)


def test_of_equals_the_first_is_chosen_and_one_setting_is_its_own_judge() -> None:
    equal = {"first": {"a": Tally(held=1)}, "second": {"a": Tally(held=1)}}
    assert chosen(equal, _held) == "first"
    assert left_out({"one": FOUND["one"]}, _held) == together(FOUND["one"])
