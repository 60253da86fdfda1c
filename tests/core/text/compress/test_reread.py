"""A file that is read again shows what changed, and stands whole once the markers are filled in."""

from hypothesis import given
from hypothesis import strategies as st

from ccos_core.text.compress.reread import shorten_read
from ccos_core.values.tokens import estimate
from tests.core.text.compress.test_router import whole

REF = "0123456789ab"
LINES = st.sampled_from(["", "}", "    return self.pool.acquire(timeout)", "def run(path: str) -> int:", "a\tb", "é\r"])
FILES = st.lists(LINES, min_size=1, max_size=40)
CODE = [f"    value_{number} = compute(value_{number - 1}, {number})" for number in range(1, 31)]


@given(FILES, st.lists(st.booleans(), max_size=40), st.integers(1, 90), st.sampled_from(["", "→", "\t"]))
def test_only_lines_that_are_held_as_they_are_are_left_out(
    file: list[str], changed: list[bool], first: int, sign: str
) -> None:
    held = dict(enumerate(file, first))
    now = [f"{line} changed" if is_new else line for line, is_new in zip(file, changed + [False] * 40, strict=False)]
    shown = [f"{number:>6}{sign}{line}" if sign else line for number, line in enumerate(now, first)]
    text = "\n".join(shown)
    short = shorten_read(text, held, REF, first)
    if short is None:
        return
    assert whole(short, text) == text
    assert estimate(short.text) < estimate(text)
    gone = {number for gap in short.gaps for number in range(gap.first, gap.last + 1)}
    assert all(held[first + number - 1] == now[number - 1] for number in gone)


def test_a_changed_line_and_what_the_host_adds_are_shown() -> None:
    now = [*CODE[:19], "    value_20 = other()", *CODE[20:]]
    text = "\n".join([*(f"{number:>6}→{line}" for number, line in enumerate(now, 1)), "", "<note>keep this</note>"])
    short = shorten_read(text, dict(enumerate(CODE, 1)), REF)
    assert short is not None
    assert [(gap.first, gap.last) for gap in short.gaps] == [(1, 19), (21, 30)]
    assert "    20→    value_20 = other()" in short.text
    assert short.text.endswith("\n\n<note>keep this</note>")


def test_a_line_that_stands_elsewhere_now_is_shown() -> None:
    assert shorten_read("\n".join(CODE), dict(enumerate(CODE, 2)), REF) is None
    assert shorten_read("\n".join(CODE), {}, REF) is None
    assert shorten_read("", {1: ""}, REF) is None
