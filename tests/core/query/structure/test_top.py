"""What most depends on, worked out by hand."""

import pytest

from ccos_core.query.structure.graph import Codebase
from ccos_core.query.structure.top import MEASURES, Standing, top
from tests.core.query.structure.making import importing, understood

TREE = {
    "app.py": """\
        import db

        def run():
            return db.Pool().get()
        """,
    "db.py": """\
        import log

        class Base:
            def get(self):
                log.say("get")

        class Pool(Base):
            def put(self):
                log.say("put")
        """,
    "log.py": """\
        def say(what):
            emit(what)

        def emit(what): pass
        """,
    "tests/test_app.py": "from app import run\n\ndef test_run(): run()\n",
}


def test_files_with_their_dependents() -> None:
    found = top(understood(TREE), 10).files
    assert [(row.node, row.direct, row.reach) for row in found] == [
        ("file:log.py", 1, 3),
        ("file:db.py", 1, 2),
        ("file:app.py", 1, 1),
    ]
    assert [row.centrality for row in found] == sorted((row.centrality for row in found), reverse=True)


def test_symbols_with_who_uses_them_and_who_is_reached() -> None:
    found = {row.name: row for row in top(understood(TREE), 20).symbols}
    say = found["say"]
    assert (say.node, say.path, say.kind, say.line) == ("sym:log.py#say", "log.py", "function", 1)
    # used by the two methods; through them by their classes, by run, its test and the test's file, which imports it
    assert (say.direct, say.files) == (2, 1)
    assert say.reach == len(["Base.get", "Pool.put", "Base", "Pool", "run", "test_run", "tests/test_app.py"])
    assert (found["emit"].direct, found["emit"].files, found["emit"].reach) == (1, 0, say.reach + 1)


def test_the_limit_and_the_measures() -> None:
    hub = [("a", "hub"), ("b", "hub"), ("c", "hub")]
    chain = [("hub", "x"), ("x", "y"), ("y", "z")]
    code = importing([*hub, *chain])
    assert [row.path for row in top(code, 2).files] == ["hub", "z"]  # of those with one dependent the most central
    assert [row.path for row in top(code, 2, "reach").files] == ["z", "y"]
    assert [row.path for row in top(code, 1, "centrality").files] == ["z"]


def test_ties_go_by_path() -> None:
    code = importing([("m", "b"), ("m", "a"), ("m", "c")])
    assert [row.path for row in top(code, 9).files] == ["a", "b", "c"]


def test_what_nothing_depends_on_is_not_there() -> None:
    assert top(importing([], "a", "b"), 5).files == ()
    assert top(Codebase({}, {}), 5).symbols == ()


def test_the_second_of_a_name_has_its_own_id() -> None:
    code = understood({"a.py": "def f(): pass\ndef f(): pass\n\ndef g(): f()\n"})
    assert [row.node for row in top(code, 5).symbols] == ["sym:a.py#f~2"]


@pytest.mark.parametrize("by", MEASURES)
def test_a_longer_list_begins_with_the_shorter_one(by: str, monkeypatch: pytest.MonkeyPatch) -> None:
    code = understood(TREE)
    short = top(code, 3, by)
    monkeypatch.setattr("ccos_core.query.structure.top.WALKS", 3)
    long = top(code, 4, by)
    assert long.files[:3] == short.files
    assert long.symbols[:3] == short.symbols


def test_a_row_explains_itself() -> None:
    (row,) = top(importing([("a", "b")]), 1).files
    assert row == Standing("file:b", "b", "", "file", 1, 1, 1, 1, row.centrality)
    assert 600_000 < row.centrality < 700_000  # by hand: b has 1.85 of 2.85
