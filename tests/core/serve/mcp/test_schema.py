"""Arguments checked and filled in. An implementation of JSON Schema by others says what fits and what doesn't."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ccos_core.serve.mcp.offer import Wrong
from ccos_core.serve.mcp.schema import filled, nearest, strangers

jsonschema = pytest.importorskip("jsonschema", reason="the official SDK brings it, which the extra `dev` installs")

NAMES = st.sampled_from(["node", "budget", "lens", "steps"])
BOUND = st.integers(-3, 3)
NUMBERS = st.builds(
    lambda kind, bounds: {"type": kind, **bounds},
    st.sampled_from(["integer", "number"]),
    st.fixed_dictionaries({}, optional={"minimum": BOUND, "maximum": BOUND}),
)
TEXTS = st.builds(
    lambda bounds: {"type": "string", **bounds},
    st.fixed_dictionaries({}, optional={"minLength": st.integers(0, 2), "maxLength": st.integers(0, 3)}),
)
ENUMS = st.lists(st.sampled_from(["", "a", "node", "b"]), min_size=1, unique=True).map(
    lambda words: {"type": "string", "enum": words}
)
PLAIN = NUMBERS | TEXTS | ENUMS | st.sampled_from([{"type": "boolean"}, {"type": ["string", "null"]}, {}])
PARTS = st.recursive(
    PLAIN,
    lambda inner: (
        st.builds(
            lambda items, bounds: {"type": "array", "items": items, **bounds},
            inner,
            st.fixed_dictionaries({}, optional={"minItems": st.integers(0, 1), "maxItems": st.integers(0, 2)}),
        )
        | st.dictionaries(NAMES, inner, max_size=2).flatmap(lambda known: objects(known))
    ),
    max_leaves=4,
)
VALUES = st.recursive(
    st.none()
    | st.booleans()
    | st.integers(-4, 4)
    | st.sampled_from([0.5, 1.0, -4.0])
    | st.sampled_from(["", "a", "node", "nodes", "12"]),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(NAMES, inner, max_size=2),
    max_leaves=5,
)


def objects(known: dict[str, object]) -> st.SearchStrategy[dict[str, object]]:
    return st.builds(
        lambda required, closed: {"type": "object", "properties": known, "required": required, **closed},
        st.lists(st.sampled_from(sorted(known)), unique=True) if known else st.just([]),
        st.sampled_from([{}, {"additionalProperties": False}]),
    )


SCHEMAS = st.dictionaries(NAMES, PARTS, max_size=3).flatmap(objects)


@given(SCHEMAS, st.dictionaries(NAMES, VALUES, max_size=3))
def test_the_same_arguments_fit_as_elsewhere(schema: dict[str, object], arguments: dict[str, object]) -> None:
    if jsonschema.Draft202012Validator(schema).is_valid(arguments):
        assert filled(schema, arguments) == arguments
    else:
        with pytest.raises(Wrong) as raised:
            filled(schema, arguments)
        assert raised.value.argument
        assert str(raised.value).startswith(raised.value.argument)


BUDGET = {"type": "integer", "minimum": 1, "maximum": 100, "default": 20}
SCHEMA = {
    "type": "object",
    "properties": {
        "budget": BUDGET,
        "lens": {"type": "string", "enum": ["working-set", "around", "task"], "default": "around"},
        "node": {"type": "string", "maxLength": 5},
        "deep": {"type": "object", "properties": {"to": BUDGET}, "additionalProperties": False},
        "many": {"type": "array", "items": {"type": "integer"}, "maxItems": 2},
        "really": {"type": "boolean"},
    },
    "required": ["node"],
    "additionalProperties": False,
}


def test_what_is_not_said_is_filled_in() -> None:
    assert filled(SCHEMA, {"node": "x"}) == {"node": "x", "budget": 20, "lens": "around"}
    assert filled(SCHEMA, {"node": "x", "deep": {}})["deep"] == {"to": 20}


def test_a_whole_number_is_an_integer_however_it_is_written() -> None:
    taken = filled(SCHEMA, {"node": "x", "budget": 7.0})["budget"]
    assert (taken, type(taken)) == (7, int)


@pytest.mark.parametrize(
    ("arguments", "name", "near", "words"),
    [
        ({}, "node", "", "is required"),
        ({"nod": "x"}, "nod", "node", "no such argument; there are: budget, lens, node, deep"),
        ({"node": 3}, "node", '"3"', "must be a string, not a number"),
        ({"node": None}, "node", "", "must be a string, not null"),
        ({"node": "too long"}, "node", "", "has 8 characters; at most 5"),
        ({"node": "x", "budget": 0}, "budget", "1", "at least 1"),
        ({"node": "x", "budget": 101}, "budget", "100", "at most 100"),
        ({"node": "x", "budget": "12"}, "budget", "12", "must be an integer, not a string"),
        ({"node": "x", "budget": 1.5}, "budget", "", "must be an integer, not a number"),
        ({"node": "x", "budget": True}, "budget", "", "must be an integer, not true or false"),
        ({"node": "x", "really": "True"}, "really", "true", "must be true or false"),
        ({"node": "x", "lens": "arond"}, "lens", "around", "one of: working-set, around, task"),
        ({"node": "x", "deep": {"to": 0}}, "deep.to", "1", "at least 1"),
        ({"node": "x", "deep": {"too": 0}}, "deep.too", "to", "no such argument"),
        ({"node": "x", "many": [1, "2"]}, "many[1]", "2", "must be an integer"),
        ({"node": "x", "many": [1, 2, 3]}, "many", "", "has 3 entries; at most 2"),
    ],
)
def test_what_does_not_fit_is_named_with_what_would(
    arguments: dict[str, object], name: str, near: str, words: str
) -> None:
    with pytest.raises(Wrong) as raised:
        filled(SCHEMA, arguments)
    assert (raised.value.argument, raised.value.nearest) == (name, near)
    assert words in str(raised.value)


def test_strangers_are_named() -> None:
    inner = {"type": "object", "properties": {"a": {"pattern": "x"}, "b": {"items": {"multipleOf": 2}}}}
    assert list(strangers(inner)) == ["pattern", "multipleOf"]
    assert list(strangers(SCHEMA)) == []


def test_nearest_is_bounded() -> None:
    assert nearest("node" * 100_000, ["node"]) == ""
