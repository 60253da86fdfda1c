"""What is kept of a flood, and that its reference tells the truth about it."""

from __future__ import annotations

import re

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ccos_core.session.bounds import LARGEST_BLOB, bounded_blob, bounded_line, raw_bytes
from ccos_core.text.sanitize import clean, surface
from ccos_core.values.canon import digest
from tests.core.session.foreign import HIDDEN, SECRETS

MOST = 400_000
MARK = re.compile(r"\[\.\.\. lines left out: ([\d,]+); blake3 of all ([\d,]+) bytes: ([0-9a-f]{64}) \.\.\.\]")
FLAG = "\U0001f3f4\U000e0067\U000e0062\U000e0065\U000e006e\U000e0067\U000e007f"
PIECES = st.sampled_from(["x\n", "word " * 9 + "\n", "é" * 30, "y" * 70_000, "\U0001f469\u200d\U0001f680",
                          "\u202e", "\r\n", SECRETS[0] + "\n", "\n" * 50, "\ud800", FLAG])  # fmt: skip


@settings(max_examples=40, deadline=None)
@given(st.lists(st.tuples(PIECES, st.integers(1, 9_000)), min_size=1, max_size=6))
def test_a_cut_content_tells_the_truth(parts: list[tuple[str, int]]) -> None:
    text = "".join(piece * max(1, min(times, 400_000 // len(piece))) for piece, times in parts)
    content, reference, _ = bounded_blob(text, clean, MOST)
    assert len(content) <= MOST
    kept = content.decode()
    assert surface(kept)[0] == kept
    assert SECRETS[0] not in kept
    if not reference:
        assert kept == clean(text)[0]
        return
    assert reference["whole"] == digest(raw_bytes(text)).hex()
    assert reference["whole_bytes"] == len(raw_bytes(text))
    head, dropped = int(reference["head"]), int(reference["dropped"])
    lines, original = kept.split("\n"), text.split("\n")
    mark = MARK.search(lines[head])
    assert mark is not None
    assert mark[3] == reference["whole"]
    assert int(mark[1].replace(",", "")) == dropped >= 0
    # Line `head + 1` stands for the dropped ones; behind it, line k of what is kept is line k - 1 + dropped of all.
    assert len(lines) - 1 + dropped == len(original)
    for at in range(head):
        assert lines[at] == safe(original[at]) or "REDACTED" in lines[at] or at == 0
    for at in range(head + 1, len(lines)):
        source = original[at - 1 + dropped]
        assert lines[at] == safe(source) or "REDACTED" in lines[at] or at in (head + 1, len(lines) - 1)


def safe(line: str) -> str:
    """A line as it is cleaned between others."""
    return clean(line + "\n")[0][:-1]


def test_a_flood_of_lines_keeps_both_ends() -> None:
    text = "".join(f"line {number}\n" for number in range(900_000))
    content, reference, _ = bounded_blob(text, clean)
    lines = content.decode().split("\n")
    head, dropped = int(reference["head"]), int(reference["dropped"])
    assert len(content) <= LARGEST_BLOB
    assert lines[head - 1] == f"line {head - 1}"
    assert lines[head + 1] == f"line {head + dropped}"
    assert lines[-2:] == ["line 899999", ""]


def test_one_endless_line_is_one_line_still() -> None:
    content, reference, _ = bounded_blob("x" * 5_000_000, clean)
    assert (reference["head"], reference["dropped"]) == (0, 1)
    assert content.count(b"\n") == 0
    assert content[:9] == content[-9:] == b"x" * 9


@pytest.mark.parametrize("shift", range(-60, 60, 7))
def test_a_secret_across_a_cut_leaves_no_part_of_it(shift: int) -> None:
    for place in (MOST * 3 // 4, MOST * 3 // 4 + 8_192, 1_000_000 - MOST // 4, 1_000_000 - MOST // 4 + 4_096):
        at = place + shift
        text = "a " * (at // 2) + SECRETS[0] + " b" * ((1_000_000 - at) // 2)
        content, _, _ = bounded_blob(text, clean, MOST)
        assert SECRETS[0][5:15].encode() not in content


def test_a_secret_across_a_cut_behind_many_masks() -> None:
    """Masking shortens what lies before, and moves the cut; the margin moves with it."""
    line = f"key {SECRETS[2]} end\n"
    text = line * 30_000
    content, _, _ = bounded_blob(text, clean, MOST)
    assert SECRETS[2][20:40].encode() not in content


def test_findings_point_at_lines_of_what_is_kept() -> None:
    text = "a\n" * 300_000 + "odd \u202e\n" + "b\n" * 30_000
    content, _, found = bounded_blob(text, clean, MOST)
    ((kind, count, line),) = found
    assert (kind, count) == ("bidi-control", 1)
    assert "RLO" in content.decode().split("\n")[line - 1]


@given(st.text(alphabet=HIDDEN + "ab\u0915\u094d\U0001f469\U0001f680", max_size=120), st.integers(40, 60))
def test_a_cut_line_fits_and_hides_nothing(text: str, limit: int) -> None:
    line = bounded_line(clean(text)[0], limit, clean)
    assert len(line) <= limit
    assert surface(line)[0] == line
