"""What we told is found again in any text, and nothing else is taken for it."""

import json
from functools import partial

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ccos_core.text.delivered import CLOSING, OPENING, marked, without_delivered
from tests.growth import assert_linear_cpu

OURS = marked("Never push to main.\n\ndef f():\n    return 1")
JSON = '{"schema": "ccos.statements/1", "statements": [{"text": "Never push to main. }"}]}'
TITLE = "1 statement of the user up to step 1: 1 in the window, 0 not\n"
lines = st.text(st.characters(exclude_categories=("Cs", "Cc")), max_size=40)
texts = st.lists(lines, max_size=5).map("\n".join).filter(lambda text: OPENING not in text and "ccos." not in text)


@pytest.mark.parametrize(
    "ours",
    [
        OURS,
        "> " + OURS.replace("\n", "\n> "),
        OURS.replace("\n", "\r\n"),
        f"```\n{OURS}\n```",
        json.dumps({"additionalContext": OURS}),
        JSON,
        json.dumps(json.loads(JSON), indent=2),
        json.dumps({"text": JSON}),
        "3 statements of the user up to step 40: 2 in the window, 1 not\n  a window\n     7 out  Never push to main.",
        "said about “Never push” up to step 7: the best of 2 turns\n     2 user   Never push to main.",
        "“Never push to main.”\n  the agent's window: claude-code s, main\n  said at step 2",
        "2 statements for “push”, about 109 tokens\n  Never push to main.  memo:381e2a5031355036",
        "what had been said about step 7\nstep 7, Edit db.py\n  in  Never push to main.",
        "step 3 of 7  42%  epoch 1  a59276\n     3   ❯ prompt     Never push to main.  42 B",
        "     1   --------  § epoch      format 1\n     2 ▸ 10:00:01  ❯ prompt     Never push to main.  50 B",
        "1 statement of user, agent and files up to step 40: 0 in the window, 1 not\n     7 out  Never push to main.",
    ],
)
def test_a_text_of_ours_is_left_out_and_what_stands_around_it_stays(ours: str) -> None:
    found = without_delivered(f"Fix the test.\n{ours}\n\nThen stop.").replace("\r", "")
    assert [line for line in found.split("\n") if line.strip("`>{} ")] == ["Fix the test.", "Then stop."]


@pytest.mark.parametrize("cut", [OURS[:-20], JSON[:-8]])
def test_of_one_that_was_cut_off_nothing_is_left(cut: str) -> None:
    assert without_delivered(f"Fix it.\n{cut}").strip() == "Fix it."


@pytest.mark.parametrize(
    "quoted",
    [
        f"Why does it say “{OPENING}; your window may no longer contain it.”?",
        f"The line '{OPENING}:' is odd.",
        f"{OPENING}:\n- [2] Never push to main.",
        f"> {OPENING}; your window may no longer contain it.\n> - [2] Never push to main.",
        f"{OPENING}:\n\n```\nx = 1\n\nWe push to main.\n```",
    ],
)
@pytest.mark.parametrize("later", ["", f"\n\n{OURS}"])
def test_an_opening_without_its_end_takes_no_more_than_its_own(quoted: str, later: str) -> None:
    found = without_delivered(f"{quoted}\n\nFix the test.\nThen stop.{later}")
    assert [line for line in found.split("\n") if line.strip()] == ["Fix the test.", "Then stop."]


def test_words_in_a_window_are_within_it() -> None:
    window = marked(f"{OPENING}; your window may no longer contain it.\n- [2] Never push.\n\nA heading\n\ndef f(): ...")
    assert without_delivered(f"Fix it.\n{window}\nThen stop.").split() == ["Fix", "it.", "Then", "stop."]


@given(texts, texts)
def test_lines_keep_their_numbers_and_words_of_others_stay(before: str, after: str) -> None:
    assert without_delivered(before) == before
    text = f"{before}\n{OURS}\n{after}"
    found = without_delivered(text)
    assert found.count("\n") == text.count("\n")
    assert found.startswith(f"{before}\n")
    assert found.endswith(f"\n{after}")


def test_it_takes_linear_time() -> None:
    for piece in (
        OPENING,
        CLOSING,
        JSON[:30],
        OURS,
        '\\"schema\\":',
        TITLE,
        "9",
        "“",
        "“a”\n",
        "said about “",
        "step 3 of 7  ",
    ):
        assert_linear_cpu(partial(_times, piece), without_delivered, 2_000)


def _times(piece: str, size: int) -> str:
    return piece * size
