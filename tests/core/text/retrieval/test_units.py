"""Which lines are whose, and what a symbol's head holds."""

from hypothesis import given
from hypothesis import strategies as st

from ccos_core.text.retrieval.tokenize import owners, units
from ccos_core.text.syntax.languages import language_of
from ccos_core.text.syntax.parse import outline
from ccos_core.values.code import MODULE, Outline, Symbol

TEXT = '''\
"""Where letters go."""
import os

LIMIT = 3


@frozen
class Box(Base):
    """Holds letters."""

    size = 1

    def put(self, letter):
        """Store one."""
        def inner():
            return letter
        return inner()


def empty(box):
    return box.drop()
'''


def test_a_line_belongs_to_the_innermost_symbol() -> None:
    told = outlined(TEXT)
    names = {at: symbol.name for at, symbol in enumerate(told.symbols)}
    found = [names.get(owner, "") for owner in owners(told, TEXT.count("\n") + 1)]
    assert found == [
        *["", "", "", "LIMIT", "", ""],
        *["Box", "Box", "Box", "Box", "Box.size", "Box"],
        *["Box.put"] * 5,
        *["", "", "empty", "empty", ""],
    ]


def test_declared_fields_are_their_type_s() -> None:
    fields = Outline((Symbol("Box", "class", 1, 1, 1, 3), Symbol("Box.size", "field", 2, 2, 2, 2)))
    assert owners(fields, 4) == [0, 0, 0, MODULE]


def test_heads_hold_names_place_and_description() -> None:
    told = outlined(TEXT)
    by_name = {
        told.symbols[unit.symbol].name if unit.symbol != MODULE else "": unit
        for unit in units("post/office.py", TEXT, told)
    }
    assert list(by_name) == ["", "LIMIT", "Box", "Box.size", "Box.put", "empty"]
    put = by_name["Box.put"]
    assert dict(put.head) == {"post": 1, "offic": 1, "box": 2, "put": 3, "def": 1, "self": 1, "letter": 1} | {
        "stor": 1,
        "one": 1,
    }
    assert put.body["letter"] == 2
    assert "frozen" in by_name["Box"].body
    assert "stor" not in by_name["Box"].body
    assert by_name[""].head == {}
    assert by_name[""].body["import"] == 1


def test_a_file_without_symbols_is_one_unit() -> None:
    (unit,) = units("a.py", "print(1)\n", outlined("print(1)\n"))
    assert (unit.symbol, dict(unit.body)) == (MODULE, {"print": 1})


@given(st.data())
def test_odd_outlines_trip_nothing(data: st.DataObject) -> None:
    """An outline of another version: spans beyond the end, inverted, crossing."""
    lines = data.draw(st.integers(0, 9))
    number = st.integers(0, 14)
    kinds = st.sampled_from(["class", "field", "constant"])
    symbols = [
        Symbol(data.draw(st.sampled_from(["f", "f.g", "é"])), data.draw(kinds), *data.draw(st.tuples(*[number] * 5)))
        for _ in range(data.draw(st.integers(0, 5)))
    ]
    told = Outline(tuple(symbols))
    found = owners(told, lines + 1)
    assert len(found) == lines + 1
    assert all(owner == MODULE or symbols[owner].kind != "field" for owner in found)
    whole = units("d/a.py", "\n".join(["word"] * (lines + 1)), told)
    assert sum(unit.body.get("word", 0) for unit in whole) == lines + 1
    assert [unit.symbol for unit in whole] == sorted({*found})


def outlined(text: str) -> Outline:
    language = language_of("a.py")
    assert language is not None
    return outline(language, text.encode())
