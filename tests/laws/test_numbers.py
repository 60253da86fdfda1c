"""What we rely on of numpy though it doesn't promise it: that of several values given to one place the last stays."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st


@pytest.mark.parametrize("form", [np.int32, np.int64, np.uint8])
@given(places=st.lists(st.integers(0, 20), max_size=200), wide=st.booleans(), times=st.sampled_from([1, 700]))
def test_of_several_given_to_one_place_the_last_stays(form: type, places: list[int], wide: bool, times: int) -> None:
    at = np.array(places * times, np.int64 if wide else np.int32)
    found, given_ = np.zeros(21, form), (np.arange(len(at)) % 251).astype(form)
    found[at] = given_
    assert found.tolist() == [dict(zip(at.tolist(), given_.tolist(), strict=True)).get(place, 0) for place in range(21)]
    back = np.zeros(21, form)
    back[at[::-1]] = given_[::-1]
    first = dict(zip(at[::-1].tolist(), given_[::-1].tolist(), strict=True))
    assert back.tolist() == [first.get(place, 0) for place in range(21)]
