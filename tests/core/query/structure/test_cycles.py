"""Import cycles of real sources: which files, which lines, what to cut; and which of them only functions close."""

from hypothesis import given, settings

from ccos_core.query.structure.components import knots
from ccos_core.query.structure.cycles import Cycle, Cycles, Step, cycles
from ccos_core.query.structure.graph import Codebase, Graph, files
from tests.core.query.structure.making import edges_of, graphs, importing, understood


def asked(code: Codebase) -> Cycles:
    return cycles(code, files(code))


def ring(cycle: Cycle) -> str:
    return " ".join(f"{step.path}:{step.line}" for step in cycle.example)


def test_a_circle_of_three_and_the_import_least_used() -> None:
    code = understood(
        {
            "shop/__init__.py": "",
            "shop/order.py": '''\
                """Orders."""
                from shop.client import Client, find, rename

                def make(): return Client(find(), rename())
                ''',
            "shop/client.py": "import shop.invoice\n\nclass Client: pass\ndef find(): pass\ndef rename(): pass\n",
            "shop/invoice.py": "\n\nfrom shop import order\n\ndef bill(): return order.make()\n",
            "main.py": "import shop.order\n",
        }
    )
    (cycle,) = asked(code).loading
    assert cycle == Cycle(
        files=("shop/client.py", "shop/invoice.py", "shop/order.py"),
        example=(
            Step("shop/client.py", 1, "shop/invoice.py", 1),
            Step("shop/invoice.py", 3, "shop/order.py", 2),
            Step("shop/order.py", 2, "shop/client.py", 6),
        ),
        shortest=True,
        cut=Step("shop/client.py", 1, "shop/invoice.py", 1),
        left=0,
    )
    assert asked(code).deferred == ()


def test_an_import_inside_a_function_closes_a_circle_of_another_kind() -> None:
    code = understood(
        {
            "a.py": "import b\n\nclass A:\n    def m(self):\n        import c\n        return c.x\n",
            "b.py": "import a\n",
            "c.py": "import b\n\nx = 1\n",
        }
    )
    found = asked(code)
    assert [(cycle.files, ring(cycle)) for cycle in found.loading] == [(("a.py", "b.py"), "a.py:1 b.py:1")]
    (late,) = found.deferred
    assert (late.files, ring(late)) == (("a.py", "b.py", "c.py"), "a.py:5 c.py:1 b.py:1")


def test_an_import_that_stands_in_a_function_too_is_loaded_all_the_same() -> None:
    code = understood({"a.py": "import b\n", "b.py": "def f():\n    import a\n\nimport a\n"})
    found = asked(code)
    assert [ring(cycle) for cycle in found.loading] == ["a.py:1 b.py:2"]
    assert found.deferred == ()


def test_of_typescript() -> None:
    code = understood(
        {
            "src/a.ts": "import { b } from './b';\nexport const a = () => b;\n",
            "src/b.ts": "export * from './index';\nexport const b = 1;\n",
            "src/index.ts": "export { a } from './a';\n",
        }
    )
    assert [cycle.files for cycle in asked(code).loading] == [("src/a.ts", "src/b.ts", "src/index.ts")]


def test_what_is_for_types_alone_closes_no_circle_of_the_first_kind() -> None:
    code = understood(
        {
            "a.py": """\
                from typing import TYPE_CHECKING

                if TYPE_CHECKING:
                    # for later
                    from b import (
                        B,
                    )

                class A: pass
                """,
            "b.py": "import a\n\nclass B: pass\n",
            "x.ts": "import type { Y } from './y';\nexport const x = 1;\n",
            "y.ts": "import { x } from './x';\nexport interface Y { }\nexport const y = x;\n",
        }
    )
    found = asked(code)
    assert found.loading == ()
    assert [ring(cycle) for cycle in found.deferred] == ["a.py:5 b.py:1", "x.ts:1 y.ts:1"]
    blind = Codebase(code.outlines, code.links)
    assert [ring(cycle) for cycle in asked(blind).loading] == ["a.py:5 b.py:1", "x.ts:1 y.ts:1"]


def test_a_namespace_for_types_alone_and_what_is_taken_out_of_it() -> None:
    code = understood(
        {
            "a.ts": "import type * as b from './b';\n\nexport function f(x: b.B): b.C { return x.c; }\n",
            "b.ts": "import { f } from './a';\nexport interface B { c: C }\nexport class C { m() { f(); } }\n",
        }
    )
    found = asked(code)
    assert found.loading == ()
    assert [ring(cycle) for cycle in found.deferred] == ["a.ts:1 b.ts:1"]


def test_of_go_there_are_none() -> None:
    tree = {"p/a.go": "package p\n\nfunc A() { B() }\n", "p/b.go": "package p\n\nfunc B() { A() }\n"}
    code = understood(tree, {"go.mod": "module example.org/m\n"})
    assert files(code).graph.out == ((1,), (0,))
    assert asked(code) == Cycles((), ())


def test_a_file_that_imports_from_itself_is_in_no_circle() -> None:
    assert asked(importing([("a.py", "a.py"), ("a.py", "b.py")])) == Cycles((), ())


def test_the_largest_is_first_and_then_the_first_by_path() -> None:
    pairs = [("y.py", "z.py"), ("z.py", "y.py"), ("a.py", "b.py"), ("b.py", "a.py")]
    three = [("k.py", "l.py"), ("l.py", "m.py"), ("m.py", "k.py")]
    code = importing([*pairs, *three])
    assert [cycle.files[0] for cycle in asked(code).loading] == ["k.py", "a.py", "y.py"]


def test_a_cut_that_leaves_circles_says_how_many_files_are_in_them() -> None:
    (cycle,) = asked(importing([("a", "b"), ("b", "a"), ("b", "c"), ("c", "b"), ("c", "d"), ("d", "c")])).loading
    assert ring(cycle) == "a:1 b:1"
    assert (cycle.cut.path, cycle.cut.to, cycle.left) == ("a", "b", 3)


def test_nothing_has_no_cycles() -> None:
    assert asked(Codebase({}, {})) == Cycles((), ())


@given(graphs())
@settings(deadline=None)
def test_every_knot_is_told_once_with_steps_that_exist(told: Graph) -> None:
    names = [f"{node}.py" for node in range(len(told))]
    found = asked(importing([(names[start], names[end]) for start, end in edges_of(told)], *names))
    assert sorted(cycle.files for cycle in found.loading) == [
        tuple(names[node] for node in knot) for knot in knots(told)
    ]
    for cycle in found.loading:
        assert [step.to for step in cycle.example] == [step.path for step in (*cycle.example[1:], cycle.example[0])]
        assert {(int(step.path[:-3]), int(step.to[:-3])) for step in cycle.example} <= set(edges_of(told))
        assert cycle.cut in cycle.example
