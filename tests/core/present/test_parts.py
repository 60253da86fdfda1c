"""What the rows of answers are made of."""

from typing import Any

from hypothesis import given
from hypothesis import strategies as st

from ccos_core.present.aloud import sentences
from ccos_core.present.parts import STRIP, and_more, legend, node_name, op_words, strip
from ccos_core.present.rows import row, table
from ccos_core.present.words import STATES as SIGNS
from ccos_core.query.telling import STATES, Run, Told

TOLD = Told(7, "edit", 1_771_061_460_000, "src/db.py → src/store.py", "", 40, ("1 secret masked",))
states = st.sampled_from(STATES)


@st.composite
def runs(draw: Any) -> list[Run]:
    found, at = [], draw(st.integers(0, 3))
    for size, state in draw(st.lists(st.tuples(st.integers(1, 400), states), max_size=12)):
        found.append(Run(at, at + size - 1, state))
        at += size
    return found


def text_of(told: list[Run], columns: int | None = None) -> str:
    return "".join(span.text for span in strip(told, columns))


def test_every_state_has_a_sign_and_words() -> None:
    assert set(SIGNS) == set(STATES)
    assert len({glyph for glyph, _ in SIGNS.values()}) == len(STATES)


@given(runs(), st.none() | st.integers(1, 200))
def test_a_strip_fits_and_leaves_no_state_out_that_has_room(told: list[Run], columns: int | None) -> None:
    shown = text_of(told, columns)
    size = told[-1].last - told[0].first + 1 if told else 0
    assert len(shown) <= (min(max(columns, 8), STRIP) if columns else STRIP)
    assert set(shown) <= {SIGNS[run.state][0] for run in told}
    if size == len(shown):
        assert shown == "".join(SIGNS[run.state][0] * (run.last - run.first + 1) for run in told)
    if told and columns is None:
        lengths: dict[str, int] = {}
        for run in told:
            lengths[run.state] = lengths.get(run.state, 0) + run.last - run.first + 1
        rarest = min(lengths.values())
        assert any(SIGNS[state][0] in shown for state, length in lengths.items() if length == rarest)


def test_a_strip_shows_a_short_absence() -> None:
    told = [Run(1, 40_000, "in"), Run(40_001, 40_002, "out"), Run(40_003, 100_000, "in")]
    assert text_of(told).count("○") == 1
    assert legend(told).text == "● in  ○ out"
    assert text_of([Run(1, 1, "unborn"), Run(2, 6, "in"), Run(7, 8, "out"), Run(9, 10, "in")]) == "·●●●●●○○●●"


def test_columns_stand_below_each_other() -> None:
    rows = [("7", "größe", "a"), ("1,234", "日本", "long name")]
    lines = [each.text for each in table(rows, right=[0])]
    assert lines == ["      7  größe  a", "  1,234  日本   long name"]
    assert table([]) == []


def test_nodes_are_named_as_people_name_them() -> None:
    assert node_name("file:src/a%23b.py") == "src/a#b.py"
    assert node_name("sym:src/db.py#Store.load~2") == "src/db.py#Store.load~2"
    assert node_name("prompt:12") == "prompt:12"
    assert not {"\x1b", "\n"} & set(node_name("file:a\x1b[31m\nb"))


def test_aloud_signs_are_words_and_columns_commas() -> None:
    rows = [row(each) for each in ("  ✗ pytest  test_x   ◐", "", "   ", "a→b", "1–2…", "Is it so?  Yes")]
    assert list(sentences(rows)) == ["failed pytest, test_x, in part.", "a to b.", "1 to 2...", "Is it so? Yes."]
    assert list(sentences([row("● in at step 3; ✗ pytest")])) == ["in at step 3; failed pytest."]


def test_what_is_left_out_is_counted() -> None:
    assert and_more(0, "node") == and_more(-3, "node") == []
    assert [each.text for each in and_more(1, "node")] == ["  and 1 more node"]
    assert [each.text for each in and_more(1_200, "loss", "losses")] == ["  and 1,200 more losses"]


def test_an_op_inside_of_a_sentence() -> None:
    assert op_words(TOLD) == "step 7, edit src/db.py → src/store.py"
    assert op_words(TOLD, 8) == "step 7, edit src/db.…"
