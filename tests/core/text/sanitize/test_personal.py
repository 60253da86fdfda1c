"""Personal data: found where it stands, of whatever kind, and next to nothing else."""

from __future__ import annotations

from collections import Counter
from itertools import pairwise
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ccos_core.text.sanitize.personal import personal, without_personal
from tests.core.text.sanitize.people import samples
from tests.depth import at_depth
from tests.growth import assert_linear_cpu

ROOT = Path(__file__).resolve().parents[4]
SESSIONS = ROOT.parent / "shared" / "sessions"


def kinds(text: str) -> list[str]:
    return [each.kind for each in personal(text)]


def test_what_people_say_of_themselves_is_found() -> None:
    """98 of 100 made-up samples; 99.1 before the first look at what was missed."""
    found, every = Counter[str](), Counter[str]()
    for kind, value, sentence in samples(at_depth(150, 2_000)):
        every[kind] += 1
        start = sentence.index(value)
        places = [each for each in personal(sentence) if each.kind == kind]
        found[kind] += any(each.start <= start + 1 and each.end >= start + len(value) - 1 for each in places)
    assert found.total() >= 0.98 * every.total()
    assert all(found[kind] >= 0.95 * every[kind] for kind in every), found


def test_one_line_of_code_in_ten_thousand_at_most_looks_like_it() -> None:
    """Of this repository and, where they are at hand, real sessions. A mail address is one, so the others count."""
    folders = [ROOT / "ccos_core", *([SESSIONS] if SESSIONS.is_dir() else [])]
    every = sorted(path for folder in folders for path in folder.rglob("*") if path.suffix in (".py", ".jsonl", ".md"))
    lines = wrong = 0
    for path in every[:: at_depth(12, 1)]:
        text = path.read_text("utf-8", "replace").replace("\\n", "\n")
        lines += text.count("\n")
        wrong += sum(each.kind != "mail" for each in personal(text))
    assert lines > 5_000
    assert wrong * 10_000 <= lines


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Write to anna@firma.de", "Write to [mail]"),
        ("pay DE89 3704 0044 0532 0130 00 now", "pay [iban] now"),
        ("pay DE89 3704 0044 0532 0130 01 now", "pay DE89 3704 0044 0532 0130 01 now"),
        ("card 4111 1111 1111 1111", "card 4111 1111 1111 1111"),  # the number that every manual shows
        ("card 4539 1488 0343 6467!", "card [card]!"),
        ("ssh root@81.2.69.142", "ssh root@[address]"),
        ("my name is Zoë van der Berg, hi", "my name is [name], hi"),
        ("call +49 30 1234567 or anna@x.io", "call [phone] or [mail]"),
    ],
)
def test_each_place_says_only_its_kind(text: str, expected: str) -> None:
    assert without_personal(text) == expected


@pytest.mark.parametrize(
    "text",
    [
        "git@github.com:org/repo.git", "noreply@anthropic.com", "logo@2x.png", "user@example.com",
        "@pytest.mark.slow",
        "https://bob:pw@db.host.io/x", "pkg@1.2.3", "foo@latest", "127.0.0.1:8080 and 0.0.0.0", "version 1.2.3.4",
        "v10.0.1.2",         "Chrome/120.0.0.0", "==4.8.130.2", "1700000000000 ms", "2026-02-14 09:31:45",
        "0x1f:2e", "std::vector<a::b>",
        "3.14159265358979", "sha 4539148803436467abc", "+1234567890", "aa:bb:cc:dd:ee:ff", "step 12:34:56",
        "my name is not set", 'print("my name is " + name)', "192.0.2.7", "2001:db8::1", "::1",
        "id=4111111111111112",
    ],
)  # fmt: skip
def test_what_names_nobody_is_left_alone(text: str) -> None:
    assert kinds(text) == []
    assert without_personal(text) == text


@given(st.text(st.characters(codec="utf-8"), max_size=80) | st.text("+0123456789 .-()/@:aF", max_size=60))
@settings(max_examples=300)
def test_any_text_can_be_read_and_places_never_overlap(text: str) -> None:
    found = personal(text)
    assert all(0 <= each.start < each.end <= len(text) for each in found)
    assert all(one.end <= other.start for one, other in pairwise(found))


@pytest.mark.parametrize("piece", ["1", "1 ", "a.", "a@", "1.", ":1", "A1", "my name is ", "+1 ", "(1", "DE11 "])
def test_it_takes_as_long_as_the_text(piece: str) -> None:
    assert_linear_cpu(lambda size: piece * size, personal, 20_000)
