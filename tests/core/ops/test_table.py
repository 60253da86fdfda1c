"""The table is plain and whole: every type is known, and every kind and field it has is what the docs explain."""

import sys
import types
from pathlib import Path
from typing import Any

import pytest

from ccos_core.ops import epoch, plain, table

sys.path.append(str(Path(__file__).resolve().parents[3] / "docs"))
import op_meanings

KINDS = sorted(table.KINDS)


@pytest.mark.parametrize("kind", KINDS)
def test_types_are_known(kind: str) -> None:
    names = [name for name, _, _ in table.fields_of(kind)]
    assert len(names) == len(set(names))
    assert not {"kind", "v"} & set(names)
    for _, form, _ in table.fields_of(kind):
        assert form in plain._FORMS or "|" in form


def test_the_docs_explain_every_kind_and_no_field_that_is_not_there() -> None:
    assert op_meanings.KINDS.keys() == table.KINDS.keys()
    assert op_meanings.HEADER.keys() <= {name for name, _, _ in table.HEADER}
    for kind, (meaning, meanings) in op_meanings.KINDS.items():
        assert meaning
        assert meanings.keys() <= {name for name, _, _ in table.KINDS[kind][1]}, kind


def test_the_current_epoch_is_an_op() -> None:
    assert plain.unseal(plain.seal(epoch.current())) == epoch.current()
    assert epoch.current(interpreters={"python": 1}, at=5).items() >= {"interpreters": {"python": 1}, "at": 5}.items()


def test_the_table_is_plain() -> None:
    """The hook reads it: tuples, strings and numbers."""

    def plainly(value: Any) -> bool:
        return type(value) in (str, int, bool) or (type(value) is tuple and all(map(plainly, value)))

    assert all(plainly(kind) for kind in table.KINDS.values())
    assert isinstance(table, types.ModuleType)
