"""A failure reaches what it depends on: nearer things more, what everybody uses less, and never beyond its bounds."""

from dataclasses import replace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ccos_core.state.rules import INITIAL
from ccos_core.state.spread import WHOLE, spread
from ccos_core.values.code import MODULE
from ccos_core.values.ids import path_of
from tests.core.state.small import INVOICES, Tale, replayed


def strengths(files: dict[str, str], path: str, symbol: str, **caps: int) -> dict[str, int]:
    """What reaches which node when a symbol of a tree fails; the file as a whole where `symbol` is empty."""
    tale = Tale(files)
    tale.world.graph.settle()
    symbols = tale.world.graph.files[path].outline.symbols
    at = next(at for at, each in enumerate(symbols) if each.name == symbol) if symbol else MODULE
    rules = replace(INITIAL, caps={**INITIAL.caps, **caps})
    return dict(spread(tale.world.graph, rules, [((path, at), WHOLE)]))


def test_three_dependencies_away_and_no_farther() -> None:
    found = strengths(dict(INVOICES), "api.py", "handle")
    assert found["sym:api.py#handle"] == WHOLE
    chain = ["sym:api.py#handle", "sym:service.py#invoice", "sym:store.py#load", "sym:dates.py#due"]
    assert [found[node] for node in chain] == sorted((found[node] for node in chain), reverse=True)
    assert "sym:dates.py#DAYS" not in found
    assert "sym:dates.py#DAYS" in strengths(dict(INVOICES), "api.py", "handle", hops=4)


def test_what_nothing_leads_to_is_not_reached() -> None:
    found = strengths(dict(INVOICES), "api.py", "handle", hops=9)
    assert not [node for node in found if "words" in node or "save" in node or "health" in node]


def test_what_everybody_uses_says_little() -> None:
    files = {
        "a.py": "from hub import log\nfrom own import rule\n\ndef f():\n    log()\n    rule()\n",
        "hub.py": "def log():\n    pass\n",
        "own.py": "def rule():\n    pass\n",
        **{f"u{n}.py": "from hub import log\n\ndef g():\n    log()\n" for n in range(40)},
    }
    found = strengths(files, "a.py", "f")
    assert found["sym:own.py#rule"] > found["sym:hub.py#log"] > 0


def test_what_a_method_reads_of_itself_its_class_has_put_there() -> None:
    files = {
        "cart.py": "from rates import rate\n\nclass Cart:\n    def __init__(self):\n        self.rate = rate()\n\n"
        "    def total(self):\n        return self.rate * 2\n",
        "rates.py": "def rate():\n    return None\n",
    }
    assert "sym:rates.py#rate" in strengths(files, "cart.py", "Cart.total", hops=1)


def test_or_a_function_beside_it_that_is_called_after_it() -> None:
    files = {
        "go.mod": "module shop\n",
        "cart/cart.go": 'package cart\n\nimport "shop/rates"\n\ntype Cart struct {\n\trate int\n}\n\n'
        "func NewCart() *Cart {\n\treturn &Cart{rate: rates.Rate()}\n}\n\n"
        "func (c *Cart) Total() int {\n\treturn c.rate * 2\n}\n",
        "rates/rates.go": "package rates\n\nfunc Rate() int {\n\treturn 0\n}\n",
    }
    assert "sym:rates/rates.go#Rate" in strengths(files, "cart/cart.go", "Cart.Total", hops=1)


PRICES = "def rate():\n    pass\n\n\ndef other():\n    pass\n"
CARTS = {
    "python": {
        "cart.py": "import prices\n\nclass Cart(Base):\n    def __init__(self):\n        self.rate = prices.first()\n\n"
        "    def total(self):\n        return self.rate * self.helper()\n\n"
        "    def helper(self):\n        return prices.rate()\n\n    def print(self):\n        prices.other()\n",
        "prices.py": PRICES + "\n\ndef first():\n    pass\n",
    },
    "typescript": {
        "cart.ts": "import { first, other, rate } from './prices'\n\nexport class Cart {\n  rate: number\n"
        "  constructor() { this.rate = first() }\n  total() { return this.rate * this.helper() }\n"
        "  helper() { return rate() }\n  print() { other() }\n}\n",
        "prices.ts": "export function rate() {}\nexport function other() {}\nexport function first() {}\n",
    },
    "go": {
        "go.mod": "module shop\n",
        "cart.go": "package shop\n\ntype Cart struct {\n\trate int\n}\n\n"
        "func NewCart() *Cart {\n\tc := &Cart{rate: First()}\n\tc.ready()\n\treturn c\n}\n\n"
        "func (c *Cart) Total() int {\n\treturn c.rate * c.helper()\n}\n\n"
        "func (c *Cart) helper() int {\n\treturn Rate()\n}\n\nfunc (c *Cart) ready() {}\n\n"
        "func (c *Cart) Print() {\n\tOther()\n}\n",
        "prices.go": "package shop\n\nfunc Rate() int { return 1 }\nfunc Other() {}\nfunc First() int { return 1 }\n",
    },
    "rust": {
        "Cargo.toml": "[package]\nname = 'shop'\n",
        "src/lib.rs": "mod cart;\nmod prices;\n",
        "src/cart.rs": "use crate::prices;\n\npub struct Cart {\n    rate: u8,\n}\n\nimpl Cart {\n"
        "    pub fn new() -> Self {\n        Cart { rate: prices::first() }\n    }\n\n"
        "    pub fn total(&self) -> u8 {\n        self.rate * self.helper()\n    }\n\n"
        "    fn helper(&self) -> u8 {\n        prices::rate()\n    }\n\n"
        "    fn print(&self) {\n        prices::other();\n    }\n}\n",
        "src/prices.rs": "pub fn rate() -> u8 {\n    1\n}\n\npub fn other() {}\n\npub fn first() -> u8 {\n    1\n}\n",
    },
}


@pytest.mark.parametrize("language", CARTS)
def test_a_method_reaches_its_class_but_not_what_other_methods_depend_on(language: str) -> None:
    files = CARTS[language]
    path = next(each for each in files if "cart" in each)
    method = "Cart.Total" if language == "go" else "Cart.total"
    found = {node.rpartition("#")[2].lower() for node in strengths(files, path, method, hops=9) if "#" in node}
    assert {"cart", "cart.helper", "rate", "first"} <= found
    assert not {"other", "cart.print"} & found


def test_a_class_of_which_no_member_is_named_is_reached_as_a_whole() -> None:
    shop = "from cart import Cart\n\ndef run():\n    cart = Cart()\n    return cart.print()\n"
    found = strengths({**CARTS["python"], "shop.py": shop}, "shop.py", "run")
    assert {"sym:prices.py#other", "sym:prices.py#rate", "sym:prices.py#first"} <= set(found)


def test_a_constructor_that_is_named_says_nothing_of_which_members_are_used() -> None:
    shop = "use crate::cart::Cart;\n\npub fn run() {\n    Cart::new().print();\n}\n"
    files = {**CARTS["rust"], "src/lib.rs": "mod cart;\nmod prices;\nmod shop;\n", "src/shop.rs": shop}
    assert "sym:src/prices.rs#other" in strengths(files, "src/shop.rs", "run")


def test_a_class_of_which_a_member_is_named_is_reached_by_that_member() -> None:
    shop = "package shop\n\nfunc Run() {\n\tvar c Cart\n\tc.Print()\n}\n"
    found = strengths({**CARTS["go"], "shop.go": shop}, "shop.go", "Run")
    assert {"sym:cart.go#Cart", "sym:cart.go#Cart.Print", "sym:prices.go#Other", "sym:prices.go#First"} <= set(found)
    assert "sym:prices.go#Rate" not in found


def test_the_base_of_a_class_is_a_container_too() -> None:
    files = {
        **CARTS["python"],
        "gift.py": "from cart import Cart\n\nclass Gift(Cart):\n    def wrap(self):\n        return self.rate\n",
    }
    found = strengths(files, "gift.py", "Gift.wrap", hops=9)
    assert {"sym:cart.py#Cart", "sym:prices.py#first"} <= set(found)
    assert "sym:prices.py#other" not in found


def test_a_circle_ends() -> None:
    files = {"a.py": "import b\n\ndef f():\n    b.g()\n", "b.py": "import a\n\ndef g():\n    a.f()\n"}
    assert set(strengths(files, "a.py", "f", hops=50)) >= {"sym:a.py#f", "sym:b.py#g"}


def test_it_is_bounded_in_width_too() -> None:
    count = 300
    names = ", ".join(f"f{n}" for n in range(count))
    calls = "".join(f"    f{n}()\n" for n in range(count))
    files = {
        "a.py": f"from b import {names}\n\ndef f():\n{calls}",
        "b.py": "".join(f"def f{n}():\n    pass\n" for n in range(count)),
    }
    assert len(strengths(files, "a.py", "f", reach=50)) == 50


def test_felt_at_a_file_it_reaches_the_file_and_few_nodes_elsewhere() -> None:
    fives = range(5)
    uses = [f"def a{n}():\n" + "".join(f"    b{n}.f{m}()\n" for m in fives) for n in range(30)]
    files = {
        "a.py": "".join(f"import b{n}\n" for n in range(30)) + "\n\n".join(uses),
        **{f"b{n}.py": f"import c{n}\n" + "".join(f"def f{m}():\n    c{n}.g{m}()\n" for m in fives) for n in range(30)},
        **{f"c{n}.py": "".join(f"def g{m}():\n    pass\n" for m in fives) for n in range(30)},
    }
    limit = INITIAL.caps["symbols"]
    found = strengths(files, "a.py", "")
    assert {"file:a.py", *(f"sym:a.py#a{n}" for n in range(30))} <= set(found)
    assert sum(path_of(node) != "a.py" for node in found) == limit
    assert len(strengths(files, "a.py", "", symbols=10_000)) > 4 * limit


@settings(max_examples=40)
@given(st.permutations(sorted(INVOICES)), st.sampled_from(sorted(INVOICES)), st.integers(0, 8))
def test_of_what_it_reaches_elsewhere_the_strongest_stay(order: list[str], path: str, limit: int) -> None:
    files = {each: INVOICES[each] for each in order}
    few, all_ = strengths(files, path, "", symbols=limit), strengths(files, path, "", symbols=100)
    kept, wide = ({node: at for node, at in found.items() if path_of(node) != path} for found in (few, all_))
    assert list(kept.items()) == list(wide.items())[:limit]


def test_felt_at_a_file_its_cause_is_found_behind_a_function_of_it() -> None:
    found = strengths(dict(INVOICES), "api.py", "")
    assert {"sym:service.py#invoice", "sym:store.py#load"} <= set(found)
    assert "sym:dates.py#due" in strengths(dict(INVOICES), "service.py", "")


@settings(deadline=None)
@given(st.permutations(sorted(INVOICES)))
def test_the_order_in_which_files_came_does_not_matter(order: list[str]) -> None:
    expected = strengths(dict(INVOICES), "api.py", "handle")
    assert list(strengths({path: INVOICES[path] for path in order}, "api.py", "handle").items()) == list(
        expected.items()
    )


def test_a_way_that_is_weaker_but_shorter_still_leads_on() -> None:
    """`far` is four dependencies away by the strong way and three by the weak one."""
    files = {
        "a.py": "from b import b\nfrom t import T\n\ndef a(x: T):\n    b()\n",
        "b.py": "from t import T\n\ndef b():\n    T()\n",
        "t.py": "from c import c\n\nclass T:\n    def m(self):\n        c()\n",
        "c.py": "from far import far\n\ndef c():\n    far()\n",
        "far.py": "def far():\n    pass\n",
    }
    assert "sym:far.py#far" in strengths(files, "a.py", "a")


CHANGED = {
    "service.py": [
        "from store import load\n\n\ndef invoice(request):\n    row = load(request)\n\n    return row.total\n",
        "from store import load, save\n\n\ndef invoice(request):\n    return save(load(request))\n",
        "from dates import due\n\n\ndef other():\n    pass\n\n\ndef invoice(request):\n    return due(request)\n",
    ],
    "store.py": [
        "from dates import due, DAYS\n\n\ndef load(request):\n    return due(request) + DAYS\n",
        "def load(request):\n    return request\n\n\ndef load(request):\n    return load(request)\n",
    ],
    "dates.py": ["DAYS = 31\n\n\ndef due(request):\n    return request\n", "def due(request):\n    return 1\n"],
    "more.py": [
        "from dates import due\n\n\ndef g():\n    return due(2)\n",
        "def g():\n    return 3\n",
        "from dates import due\n\n\nclass G:\n  def g(self):\n    return due(2)\n\n  def h(self):\n    return 1\n",
        "from dates import due\n\n\nclass G:\n  def g(self):\n    return 2\n\n  def h(self):\n    return due(1)\n",
        "from dates import due\nfrom store import load\n\nload(due(1))\n\n\nclass G:\n  def g(self):\n    pass\n",
    ],
    "use.py": [
        "from more import G\n\n\ndef u():\n    return G()\n",
        "from more import G\n\n\ndef u():\n    return G.h(G.g(None))\n",
        "from more import G\n\n\nclass U(G):\n  def u(self):\n    return self.g()\n",
    ],
}
edits = st.sampled_from([(path, text) for path, texts in CHANGED.items() for text in (*texts, INVOICES.get(path, ""))])


@settings(max_examples=60)
@given(st.lists(edits, max_size=8))
def test_whatever_was_edited_it_spreads_as_if_nothing_had_been_known(changes: list[tuple[str, str]]) -> None:
    tale = Tale(INVOICES)
    for path, text in [("", ""), *changes]:
        if path:
            tale.edit(path, text)
        tale.world.graph.settle()
        anew = replayed(tale).graph
        anew.settle()
        for place in [(path, at) for path, file in anew.files.items() for at in range(-1, len(file.outline.symbols))]:
            starts = [(place, WHOLE)]
            assert spread(tale.world.graph, INITIAL, starts) == spread(anew, INITIAL, starts)
