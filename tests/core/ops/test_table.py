"""The dataclasses and the plain table say the same, field by field; the table is what both codecs read."""

import dataclasses
import types
import typing
from collections.abc import Mapping
from typing import Any

import pytest

from ccos_core.ops import base, codec, plain, table

KINDS = sorted(table.KINDS)

TYPES: dict[str, Any] = {
    "int": int,
    "flag": bool,
    "word": str,
    "text": str,
    "path": str,
    "node": str,
    "hash": str,
    "blob": base.Blob,
    "json": base.Blob,
    "span": base.Span,
    "texts": tuple[str, ...],
    "paths": tuple[str, ...],
    "nodes": tuple[str, ...],
    "numbers": Mapping[str, int],
    "sites": tuple[base.Site, ...],
    "items": tuple[base.Item, ...],
    "findings": tuple[base.Finding, ...],
}


def test_same_kinds() -> None:
    assert sorted(codec.CLASSES) == KINDS
    assert len(set(codec.CLASSES.values())) == len(KINDS)
    declared = {(op.__module__, op.__name__) for op in base.Op.__subclasses__()}
    assert declared == {(op.__module__, op.__name__) for op in codec.CLASSES.values()}


@pytest.mark.parametrize("kind", KINDS)
def test_same_fields(kind: str) -> None:
    op = codec.CLASSES[kind]
    hints = typing.get_type_hints(op)
    declared = {field.name: field for field in dataclasses.fields(op)}
    written = {name: (form, required) for name, form, required in table.fields_of(kind)}
    assert declared.keys() == written.keys()
    for name, (form, required) in written.items():
        field = declared[name]
        has_default = field.default is not dataclasses.MISSING
        assert has_default is not required, f"{kind}.{name}"
        kept = TYPES.get(form, str)
        optional = not required and typing.get_origin(kept) is not tuple
        assert hints[name] == (kept | None if optional else kept), f"{kind}.{name} is {form}"
        if has_default:
            assert field.default == (None if optional else ()), f"{kind}.{name}"


@pytest.mark.parametrize("kind", KINDS)
def test_frozen_and_by_keyword(kind: str) -> None:
    op = codec.CLASSES[kind]
    parameters = op.__dataclass_params__  # type: ignore[attr-defined]
    assert parameters.frozen
    assert all(field.kw_only for field in dataclasses.fields(op))
    assert op.__doc__
    assert not op.__doc__.startswith(f"{op.__name__}("), "the dataclass's own is no explanation"


@pytest.mark.parametrize("kind", KINDS)
def test_forms_are_known(kind: str) -> None:
    names = [name for name, _, _ in table.fields_of(kind)]
    assert len(names) == len(set(names))
    assert not {"kind", "v"} & set(names)
    for _, form, _ in table.fields_of(kind):
        assert form in TYPES or "|" in form


def test_references_have_the_fields_of_a_blob() -> None:
    assert list(plain._REFERENCE) == [field.name for field in dataclasses.fields(base.Blob)]


def test_the_table_is_plain() -> None:
    """The hook reads it: tuples, strings and numbers."""

    def plainly(value: Any) -> bool:
        return type(value) in (str, int, bool) or (type(value) is tuple and all(map(plainly, value)))

    assert all(plainly(kind) for kind in table.KINDS.values())
    assert isinstance(table, types.ModuleType)
