"""What is read off a report: places, paths, names; and that no text trips or stalls it."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ccos_core.text.retrieval.mentions import LONGEST_LINK, MOST_NAMES, MOST_PLACES, Spot, mentions
from tests.growth import assert_linear_cpu

REPORT = """\
Parcels get lost

`Depot.send(parcel)` fails since 2.1, see depot/post.py:40 and
https://forge.example/letters/depot/blob/ab12/depot/post.py#L68-L73 for **why**.

    Traceback (most recent call last):
      File "/srv/depot/__main__.py", line 3, in <module>
        main()
      File "/usr/lib/python3/site-packages/depot/post.py", line 41, in send
        raise LostParcel(self.tag_of)
    depot.errors.LostParcel: tag_of
"""


def test_places() -> None:
    spots = mentions(REPORT).spots
    assert [(spot.path.rpartition("/")[2], spot.line, spot.last, spot.function) for spot in spots] == [
        ("post.py", 40, 40, ""),
        ("post.py", 68, 73, ""),
        ("__main__.py", 3, 3, "<module>"),
        ("post.py", 41, 41, "send"),
    ]
    prose, link, outer, inner = [spot.run for spot in spots]
    assert outer == inner
    assert len({prose, link, outer}) == 3


def test_other_ways_to_say_where() -> None:
    text = "src/runner.py:217: in call\nat pay (src/pay.ts:10:4)\nmain.go:12 +0x1f\npanicked at src/lib.rs:9:5:"
    assert mentions(text).spots == (
        Spot("src/runner.py", 217, 217, "call", 0),
        Spot("src/pay.ts", 10, 10, "", 0),
        Spot("main.go", 12, 12, "", 0),
        Spot("src/lib.rs", 9, 9, "", 0),
    )


def test_chained_tracebacks_are_runs_of_their_own() -> None:
    one = 'Traceback (most recent call last):\n  File "a.py", line 1, in f\n'
    text = f"{one}During handling of the above exception, another exception occurred:\n{one}"
    assert len({spot.run for spot in mentions(text).spots}) == 2


def test_names() -> None:
    told = mentions(REPORT)
    assert ("Depot", "send") in told.dotted
    assert ("depot", "errors", "LostParcel") in told.dotted
    assert told.names == ("__main__", "LostParcel", "tag_of")
    assert told.quoted[:3] == ("Depot", "send", "parcel")
    assert "main" in told.quoted
    assert "depot/post.py:40" not in told.paths
    assert "/srv/depot/__main__.py" in told.paths


def test_qualified_in_other_languages() -> None:
    told = mentions("`Vec::push` and Pool#get and a.b.c")
    assert told.dotted == (("Vec", "push"), ("Pool", "get"), ("a", "b", "c"))


def test_a_link_to_a_whole_file_is_bounded() -> None:
    (spot,) = mentions("x/a.py#L5-L9000").spots
    assert (spot.line, spot.last) == (5, 5 + LONGEST_LINK)
    (turned,) = mentions("x/a.py#L50-L9").spots
    assert (turned.line, turned.last) == (50, 50)


def test_much_of_everything_is_bounded() -> None:
    log = "".join(f'File "m{n}.py", line {n}, in f_{n}\n`g{n}` a{n}.b{n}(\n' for n in range(5_000))
    told = mentions(log)
    assert len(told.spots) == len(told.paths) == MOST_PLACES
    assert len(told.names) == len(told.dotted) == len(told.quoted) == MOST_NAMES


@pytest.mark.parametrize("piece", ["a", "a.", "a/", "`", "a.b(", ".py"])
def test_long_runs_do_not_stall(piece: str) -> None:
    """Each would take the square of its length if a pattern tried it from every place to its end."""
    assert_linear_cpu(lambda size: piece * (size // len(piece)), mentions, 10_000)


@settings(max_examples=200)
@given(st.text(max_size=300) | st.text(alphabet="a.:/#L1`(_ \n\"'-", max_size=300))
def test_any_text_can_be_read(text: str) -> None:
    told = mentions(text)
    for spot in told.spots:
        assert spot.path in text
        assert spot.line <= spot.last <= spot.line + LONGEST_LINK
    assert all(path in text for path in told.paths)
    assert all(name in text for name in (*told.names, *told.quoted))
