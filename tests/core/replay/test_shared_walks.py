"""Going through moments gives what each of them is, whoever helps; nobody goes back, nor does how far it has come."""

from collections.abc import Callable
from itertools import pairwise

from hypothesis import given
from hypothesis import strategies as st

from ccos_core.replay.residency.shared import Heard, Work, gone_through


class Helper:
    """Whoever does some pieces before all others, as if it did them at the same time; and maybe comes to nothing."""

    def __init__(self, taken: set[int], *, comes: bool) -> None:
        self.taken = taken
        self.comes = comes

    def share(self, work: Work, pieces: int, moments: int, heard: Heard) -> list[bytes] | None:
        found = {at: work(at, lambda _: None) for at in range(pieces) if at in self.taken}
        found |= {at: work(at, heard) for at in range(pieces) if at not in self.taken}
        heard(moments)
        return [found[at] for at in range(pieces)] if self.comes else None


HELPERS = st.none() | st.builds(Helper, st.sets(st.integers(0, 15)), comes=st.booleans())


@given(st.lists(st.integers(0, 1_000), min_size=1, unique=True).map(sorted), HELPERS)
def test_each_moment_is_told(steps: list[int], helper: Helper | None) -> None:
    heard: list[tuple[int, int]] = []
    begun = []

    def begin() -> Callable[[int], int]:
        begun.append(None)
        return lambda step: step % 7

    found = gone_through(begin, steps, helper, lambda done, total: heard.append((done, total)))
    assert found == bytes(step % 7 for step in steps)
    assert all(total == len(steps) and 0 <= done <= total for done, total in heard)
    if helper is None or helper.comes:
        assert len(begun) == 1
        assert all(one <= other for one, other in pairwise(heard))
    else:
        assert len(begun) == 2  # whoever has gone through some can't go back
