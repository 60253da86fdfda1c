"""Templates read backwards. The official SDK expands them, and what it was given has to come back."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ccos_core.serve.mcp.calling import matched, names
from ccos_core.serve.mcp.offer import Wrong

theirs = pytest.importorskip("mcp.shared.uri_template", reason="the official SDK comes with the extra `dev`")

VALUE = st.text(st.characters(exclude_categories=["Cs"]), min_size=1, max_size=8)
TEMPLATES = ["ccos://node/{id}", "ccos://a/{id}/b/{other}", "ccos://w{?lens,budget}", "ccos://n/{id}{?lens}"]


@given(st.sampled_from(TEMPLATES), st.data())
def test_what_was_expanded_comes_back(template: str, data: st.DataObject) -> None:
    said = {name: data.draw(VALUE) for name in names(template)}
    uri = theirs.UriTemplate.parse(template).expand(said)
    assert matched(template, uri) == said


@pytest.mark.parametrize(
    ("template", "uri", "values"),
    [
        ("ccos://node/{id}", "ccos://node/sym:src/db.py#Pool.take", {"id": "sym:src/db.py#Pool.take"}),
        ("ccos://node/{id}", "ccos://node/file%3Asrc%2Fdb.py", {"id": "file:src/db.py"}),
        (
            "ccos://node/{id}{?lens}",
            "ccos://node/file:a b.py?lens=task:x%26y",
            {"id": "file:a b.py", "lens": "task:x&y"},
        ),
        ("ccos://window{?lens,budget}", "ccos://window", {}),
        ("ccos://window{?lens,budget}", "ccos://window?", {}),
        ("ccos://window{?lens,budget}", "ccos://window?budget=3&lens=a=b", {"budget": "3", "lens": "a=b"}),
        ("ccos://step/{n}", "ccos://step/", None),
        ("ccos://step/{n}", "ccos://steps/3", None),
        ("ccos://step/{n}", "ccos://step/3?x=1", None),
        ("ccos://{a}/{b}", "ccos://x/y/z", {"a": "x", "b": "y/z"}),
        ("ccos://{a}/at", "ccos://x/y/at", None),
        ("ccos://a.b/{n}", "ccos://aXb/1", None),
    ],
)
def test_by_hand(template: str, uri: str, values: dict[str, str] | None) -> None:
    assert matched(template, uri) == values


@pytest.mark.parametrize(
    ("uri", "name", "near"),
    [
        ("ccos://window?budge=3", "budge", "budget"),
        ("ccos://window?lens=a&lens=b", "lens", ""),
        ("ccos://window?lens=%ff", "lens", ""),
    ],
)
def test_what_can_not_be_read_is_named(uri: str, name: str, near: str) -> None:
    with pytest.raises(Wrong) as raised:
        matched("ccos://window{?lens,budget}", uri)
    assert (raised.value.argument, raised.value.nearest) == (name, near)
