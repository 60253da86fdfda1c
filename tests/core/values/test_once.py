"""What is worked out once."""

from ccos_core.values.once import once


class Asked:
    """Counts how often it is asked."""

    times = 0

    @once
    def answer(self) -> int:
        """What there is to know."""
        self.times += 1
        return 42


def test_it_is_worked_out_once_for_each() -> None:
    one, other = Asked(), Asked()
    assert [one.answer, one.answer, other.answer] == [42, 42, 42]
    assert (one.times, other.times) == (1, 1)


def test_it_lies_in_the_object_and_says_what_it_is() -> None:
    asked = Asked()
    assert vars(asked) == {}
    assert asked.answer == 42
    assert vars(asked) == {"answer": 42, "times": 1}
    assert Asked.answer.__doc__ == "What there is to know."


def test_what_fails_is_asked_again() -> None:
    class Failing:
        tried = False

        @once
        def answer(self) -> int:
            if not self.tried:
                self.tried = True
                raise ValueError
            return 1

    failing = Failing()
    for expected in (0, 1):
        try:
            found = failing.answer
        except ValueError:
            found = 0
        assert found == expected
