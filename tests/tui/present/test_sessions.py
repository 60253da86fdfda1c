"""Sessions in columns: they fit any width, hostile names change nothing, and a search finds what it says."""

from dataclasses import replace

from hypothesis import given
from hypothesis import strategies as st
from rich.cells import cell_len

from ccos_core.session.listing import Listed
from ccos_tui.present.rows import fitted
from ccos_tui.present.sessions import COLUMNS, empty_rows, matching, none_rows, session_row, tally, title_row

SESSION = Listed(
    path="/home/kim/.claude/projects/-home-kim-till/adff0201.jsonl", agent="claude-code", session="adff0201",
    project="/home/kim/till", model="some-model", started=1_771_061_460_000, ended=1_771_062_180_000, records=12_345,
    prompt="Fix the till: change is wrong",
    calls=80, failures=3, compactions=2, subagents=1, bytes=42_600,
)  # fmt: skip
HOSTILE = st.text(st.sampled_from("a 錯é́\x1b[31m\t\0\n[bold]‮🙂/-.,"), max_size=60)
WIDTHS = st.integers(1, 220)


@given(HOSTILE, HOSTILE, HOSTILE, HOSTILE, st.integers(0, 10**12), st.integers(-(10**15), 10**15), WIDTHS)
def test_a_session_fits(
    agent: str, project: str, model: str, prompt: str, number: int, started: int, width: int
) -> None:
    each = replace(
        SESSION, agent=agent, project=project, model=model, prompt=prompt, started=started, records=number,
        failures=number, compactions=number, bytes=number, ended=number,
    )  # fmt: skip
    for row in (session_row(each, width), title_row(width), *empty_rows([project]), *none_rows(model, 3)):
        spans = fitted(row, width)
        assert sum(cell_len(span.text) for span in spans) == width
        assert not any(char in span.text for span in spans for char in "\x1b\0\t\n\r")


@given(st.integers(40, 220), HOSTILE)
def test_columns_stand_below_their_titles(width: int, project: str) -> None:
    """Whatever stands in them: each begins where its title begins."""
    titles, spans = title_row(width).spans, session_row(replace(SESSION, project=project), width).spans
    assert [cell_len(each.text) for each in titles] == [cell_len(each.text) for each in spans]


def test_a_wide_screen_shows_all_and_a_narrow_one_what_matters() -> None:
    wide = session_row(SESSION, 188).text
    for said in (
        "2026-02-14 09:31", "claude-code", "/home/kim/till", "some-model", "12 min", "12,345", "✂ 2", "✗ 3", "42.6 kB",
        "Fix the till: change is wrong",
    ):  # fmt: skip
        assert said in wide
    assert "Fix the till: change is wr…" in session_row(SESSION, 78).text
    narrow = session_row(SESSION, 58).text
    assert "02-14 09:31" in narrow
    for said in ("claude-code", "✂ 2", "✗ 3"):
        assert said in narrow
    assert "42.6 kB" not in narrow


def test_at_no_width_a_column_stands_twice() -> None:
    for width in range(40, 200):
        titles = [each.title for each in COLUMNS if each.since <= width < each.before]
        assert len(titles) == len(set(titles))


def test_a_search_finds_all_of_its_words_anywhere() -> None:
    other = replace(SESSION, path="/tmp/other.jsonl", project="/home/ann/orders", agent="codex", session="other")
    both = [SESSION, other]
    assert matching(both, "") == both
    assert matching(both, "CODEX") == [other]
    assert matching(both, "kim claude") == [SESSION]
    assert matching(both, "some-model") == both
    assert matching(both, "adff") == [SESSION]
    assert matching(both, "till change") == both
    assert matching(both, "kim codex") == []


def test_how_many_there_are() -> None:
    assert tally(3, 3, "") == "3 sessions"
    assert tally(1, 3, "shop") == '1 of 3 sessions with "shop"'
    assert tally(1, 1, "") == "1 session"
