"""A small tree in several languages, summed up by hand."""

from ccos_core.query.structure.cycles import Cycles
from ccos_core.query.structure.graph import Codebase
from ccos_core.query.structure.summary import Entry, Flaw, Hub, Language, Layer, summarise
from tests.core.query.structure.making import importing, understood

TREE = {
    "app.py": """\
        import os
        from shop import order

        def main():
            order.place(os.getcwd())
        """,
    "shop/__init__.py": "",
    "shop/order.py": """\
        from shop.item import Item, load

        def place(where):
            return Item(load(where))
        """,
    "shop/item.py": """\
        from json import loads

        class Item:
            def __init__(self, text):
                self.data = loads(text)

        def load(where): pass
        """,
    "tests/test_order.py": "from shop.order import place\n\ndef test_place():\n    place('.')\n",
    "web/cart.ts": "import { show } from './show';\n\nexport function cart() { show(1); }\n",
    "web/show.ts": "export function show(n: number) { }\n",
    "cmd/main.go": "package main\n\nfunc main() { run() }\n",
    "cmd/run.go": "package main\n\nfunc run() { }\n",
    "broken.py": "def f(:\n    pass\nclass A: pass\n",
}


def test_how_much_there_is_by_language() -> None:
    found = summarise(understood(TREE, {"go.mod": "module example.org/m\n"}))
    assert (found.files, found.tests) == (10, 1)
    by_name = {language.name: language for language in found.languages}
    assert list(by_name) == ["python", "go", "typescript"]  # most files first, then by name
    python = by_name["python"]
    # app takes the module, order two names, the test one; app calls place, place calls Item and load, the test place
    assert {role: edges for role, edges in python.edges.items() if edges} == {"import": 4, "call": 4}
    # called by a name that is defined or imported: os.getcwd, order.place; Item, load; loads; place
    assert (python.files, python.tests, python.told, python.led) == (6, 1, 6, 4)
    assert by_name["go"] == Language("go", 2, 0, 2, {**dict.fromkeys(python.edges, 0), "call": 1}, 1, 1)
    assert by_name["typescript"].edges["import"] == by_name["typescript"].edges["call"] == 1
    assert found.symbols == sum(language.symbols for language in found.languages)
    assert found.edges == sum(sum(language.edges.values()) for language in found.languages)


def test_where_it_begins_and_what_it_hangs_on() -> None:
    found = summarise(understood(TREE, {"go.mod": "module example.org/m\n"}))
    assert found.entries == (Entry("app.py", 2), Entry("cmd/main.go", 1), Entry("web/cart.ts", 1))
    assert found.hubs == (Hub("shop/order.py", 1, 1),)
    assert found.alone == 2  # shop/__init__.py and broken.py
    assert found.layers == (Layer(5, "broken.py"), Layer(3, "cmd/main.go"), Layer(1, "app.py"))
    assert found.cycles == Cycles((), ())


def test_what_is_not_understood_is_named() -> None:
    assert summarise(understood(TREE)).flaws == (Flaw("broken.py", ("syntax",)),)


def test_hubs_go_by_the_product_and_then_by_path() -> None:
    code = importing([("a", "m"), ("b", "m"), ("m", "x"), ("c", "k"), ("k", "x"), ("k", "y"), ("d", "l"), ("l", "z")])
    assert summarise(code).hubs == (Hub("k", 1, 2), Hub("m", 2, 1), Hub("l", 1, 1))


def test_a_folder_that_is_all_tests_is_code() -> None:
    found = summarise(importing([("tests/test_a.py", "tests/helper.py")]))
    assert (found.files, found.tests) == (2, 0)
    assert found.entries == (Entry("tests/test_a.py", 1),)


def test_nothing_sums_up_to_nothing() -> None:
    found = summarise(Codebase({}, {}))
    assert (found.files, found.symbols, found.edges, found.languages, found.layers) == (0, 0, 0, (), ())


def test_files_in_a_circle_lie_in_one_layer() -> None:
    found = summarise(importing([("a", "b"), ("b", "a"), ("b", "c"), ("d", "a")]))
    assert found.layers == (Layer(1, "c"), Layer(2, "a"), Layer(1, "d"))
    assert len(found.cycles.loading) == 1
