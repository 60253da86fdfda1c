"""What the world may hand to the gate: texts, arguments and observations of every shape, and secrets to plant."""

from __future__ import annotations

from typing import Any

from hypothesis import strategies as st

from ccos_core.ops import table

HIDDEN = "\u200b\u202e\u2066\ufeff\x1b\x00\x07\x7f\u00ad\u2028\U000e0041\u200d\ufe0f\r"
SECRETS = ("ghp_" + "aB3dE5fG7h" * 4, "AKIA" + "IOSF0DNN7QZ4MPLX", "sk-" + "ant-" + "api03-" + "xY9zW8vU7t" * 9)
"""Joined here, so that no file of ours holds what looks like one."""

texts = st.one_of(
    st.text(max_size=40),
    st.text(alphabet=st.characters(), max_size=20),
    st.text(alphabet=HIDDEN + "ab \n'\"=:/\\.~#%", max_size=30),
    st.sampled_from(["", ".", "..", "~", "~/x", "/", "C:\\x", "\\\\h\\s\\f", "a\\b", "../../x", ".env", "x" * 5000]),
)
scalars = st.one_of(
    st.none(), st.booleans(), st.integers(), st.just(10**400), st.floats(), texts, st.binary(max_size=9)
)
values = st.recursive(
    scalars,
    lambda inner: st.one_of(
        st.lists(inner, max_size=4),
        st.dictionaries(st.one_of(texts, st.integers(), st.none(), st.booleans(), st.floats()), inner, max_size=4),
        st.tuples(inner),
    ),
    max_leaves=12,
)


def fitting(form: str) -> st.SearchStrategy[Any]:
    """Values a field of this form may have, out of foreign texts."""
    if "|" in form:
        return st.sampled_from(form.split("|"))
    counts = st.integers(0, 2**40)
    plain: dict[str, st.SearchStrategy[Any]] = {
        "int": st.integers(-(2**62), 2**62),
        "flag": st.booleans(),
        "json": values,
        "hash": st.just("0f" * 32),
        "span": st.tuples(st.integers(1, 9), st.integers(9, 99)).map(list),
        "numbers": st.dictionaries(texts, counts, max_size=3),
        "texts": st.lists(texts, max_size=3),
        "paths": st.lists(texts, max_size=3),
        "nodes": st.lists(texts, max_size=3),
        "sites": st.lists(st.tuples(texts, counts).map(list), max_size=3),
        "items": st.lists(st.tuples(texts, texts, counts).map(list), max_size=3),
        "places": st.lists(st.tuples(texts, counts, counts).map(list), max_size=3),
    }
    return plain.get(form, texts)


@st.composite
def observations(draw: st.DrawFn, kinds: tuple[str, ...] = tuple(table.KINDS)) -> dict[str, Any]:
    """Observations with the right fields, and foreign texts in them."""
    kind = draw(st.sampled_from(kinds))
    observation = {"kind": kind}
    for name, form, required in table.fields_of(kind):
        if name != "findings" and (required or draw(st.booleans())):
            observation[name] = draw(fitting(form))
    return observation


@st.composite
def nonsense(draw: st.DrawFn) -> dict[Any, Any]:
    """Observations with anything anywhere."""
    kind = draw(st.one_of(st.sampled_from(sorted(table.KINDS)), values))
    names = [name for name, _, _ in table.fields_of(kind)] if isinstance(kind, str) and kind in table.KINDS else ["x"]
    said = {name: draw(values) for name in draw(st.lists(st.sampled_from(names), unique=True))}
    return {"kind": kind, **said, **draw(st.dictionaries(texts, values, max_size=1))}
