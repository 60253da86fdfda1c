"""Groups of steps as rows: they fit any width, and say what a person looks for first."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ccos_core.present.groups import Held, Look, clock_of, fold_row, group_row, tokens_text
from ccos_core.present.rows import Row
from ccos_core.query.step_groups import Group
from ccos_tui.present.rows import fitted
from tests.tui.present.answers import WIDTHS, any_of, check

GROUP: dict[str, Any] = {
    "step": 5, "steps": (5, 6), "done": 6, "kind": "tool", "says": "Bash go test ./...", "result": "", "outcome": "ok",
    "tokens": 343, "grew": None, "window": None, "at": 1_771_061_460_000, "context": "", "path": "", "tool": "Bash",
    "did": "", "turn": 2, "notes": (),
}  # fmt: skip


def shown(look: Look, **more: Any) -> str:
    row = group_row(Group(**{**GROUP, **more}), look)
    return "".join(span.text for span in fitted(row, look.width)).rstrip()


LOOKS = st.builds(
    Look,
    future=st.booleans(),
    mark=st.sampled_from(["", "a", "▸"]),
    step=st.integers(0, 10_000_000),
    clock=st.sampled_from(["", "09:31", "1h04m"]),
    waited=st.integers(0, 10**12),
    lane=st.integers(0, 40),
    name=st.text(max_size=12),
    found=st.tuples(st.text(max_size=40), st.text(max_size=3)),
)


@given(any_of(Group), LOOKS, WIDTHS)
def test_every_row_fits(group: Group, look: Look, width: int) -> None:
    check([group_row(group, replace(look, width=width))], width)


@given(st.text(max_size=40), any_of(Held), LOOKS, st.booleans(), WIDTHS)
def test_every_folded_row_fits(words: str, held: Held, look: Look, prompt: bool, width: int) -> None:
    check([fold_row(words, held, 5, replace(look, width=width), prompt=prompt)], width)


@pytest.mark.parametrize(
    ("more", "says"),
    [
        ({}, "6 ⚙ Bash go test ./... ~343"),
        ({"grew": 606}, "6 ⚙ Bash go test ./... +606"),
        ({"result": "2 fail", "outcome": "failed"}, "6 ✗ Bash go test ./... ✗ 2 fail ~343"),
        ({"says": "Bash env", "notes": ("1 secret masked",)}, "6 ⚙ Bash env [1 secret masked] ~343"),
        ({"outcome": "error"}, "6 ✗ Bash go test ./... ✗ ~343"),
        (
            {"tool": "Edit", "says": "Edit src/old orders/app.py", "path": "src/orders/app.py", "did": "edit",
             "result": "+12 −3"},
            "6 ✎ Edit src/old orders… +12 −3 ~343",
        ),
        (
            {"tool": "Edit", "says": "Edit src/the/orders/app.py", "path": "src/the/orders/app.py", "did": "edit",
             "result": "+12 −3"},
            "6 ✎ Edit …/orders/app.py +12 −3 ~343",
        ),
        (
            {"tool": "Read", "says": "Read src/the/orders/app.py 1–120", "path": "src/the/orders/app.py",
             "did": "read"},
            "6 ▤ Read …he/orders/app.py 1–120 ~343",
        ),
        ({"tool": "", "kind": "prompt", "says": "fix it", "done": 5}, "5 ❯ prompt fix it ~343"),
        ({"tool": "", "kind": "thought", "says": "sealed thought", "tokens": 0}, "6 ~ thought sealed thought"),
        ({"tool": "", "kind": "compaction", "says": "auto", "grew": -120_000}, "6 ✂ compaction auto −120k"),
    ],
)  # fmt: skip
def test_what_a_row_says(more: dict[str, Any], says: str) -> None:
    assert " ".join(shown(Look(50), **more).split()) == says


def test_a_gap_stands_in_the_row_that_ends_it() -> None:
    assert "— 14 min — go test" in shown(Look(70, waited=14 * 60_000))
    assert "—14m— go test" in shown(Look(50, waited=14 * 60_000))


def test_the_time_stands_before_the_sign() -> None:
    assert shown(Look(70, clock="09:31")).startswith("     6    09:31  ⚙ Bash")


def test_a_subagent_has_a_line_and_at_its_first_row_a_name() -> None:
    assert shown(Look(70, lane=1)).startswith("     6     │ ⚙ Bash")
    assert shown(Look(70, lane=1, name="a580f73")).startswith("     6     │ a580f73 ⚙ Bash")


def test_a_search_shows_the_line_it_found_with_its_words_marked() -> None:
    row = group_row(Group(**GROUP), Look(70, found=("panic: no rows", "no")))
    assert [span.text for span in row.spans if span.role == "mark"] == ["no"]
    assert "panic: no rows" in row.text


def test_of_a_long_line_the_part_around_the_words_is_shown() -> None:
    row = group_row(Group(**GROUP), Look(50, found=(f"{'a very long line ' * 9}then panic: no rows", "panic")))
    text = "".join(span.text for span in fitted(row, 50))
    assert "panic: no rows" in text
    assert [span.text for span in row.spans if span.role == "mark"] == ["panic"]


def test_tools_have_short_names() -> None:
    assert shown(Look(50), tool="shell_command", says="shell_command ls").split()[2:4] == ["shell", "ls"]
    assert shown(Look(50), tool="mcp__db__query", says="mcp__db__query x").split()[2:4] == ["query", "x"]


def test_a_folded_turn_says_what_it_holds() -> None:
    row: Row = fold_row("fix it", Held(34, 12, 2, 7_000), 51, Look(70), prompt=True)
    text = "".join(span.text for span in fitted(row, 70))
    assert " ".join(text.split()) == "51 ▸ prompt fix it 34 steps, 12 calls ✗ 2 +7.0k"


@pytest.mark.parametrize(
    ("number", "text"), [(0, "0"), (606, "606"), (1_525, "1.5k"), (-41_858, "42k"), (1_200_000, "1.2M")]
)
def test_tokens_take_few_columns(number: int, text: str) -> None:
    assert tokens_text(number) == text


@pytest.mark.parametrize(
    ("at", "since", "text"),
    [
        (None, None, ""),
        (34_260_000, None, "09:31"),
        (34_260_000, 34_200_000, "1m00s"),
        (38_000_000, 34_200_000, "1h03m"),
        (10**9, 0, "11d13h"),
    ],
)
def test_times(at: int | None, since: int | None, text: str) -> None:
    assert clock_of(at, since) == text
