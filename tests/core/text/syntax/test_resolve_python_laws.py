"""Python's resolver, the laws: every search ends, a change costs its neighbours, and only the final tree counts."""

import itertools
from textwrap import dedent

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ccos_core.text.syntax.languages import language_of
from ccos_core.text.syntax.parse import outline
from ccos_core.text.syntax.resolve_python import PythonResolver, resolver
from ccos_core.values.code import MODULE, Outline

PYTHON = language_of("a.py")
assert PYTHON is not None

# -- every search ends -------------------------------------------------------------------------------------------------


def test_a_mesh_of_stars_ends() -> None:
    count = 40
    stars = "".join(f"from m{n} import *\n" for n in range(count))
    tree = {f"m{n}.py": stars for n in range(count)} | {"a.py": stars + "x(); y()", "m7.py": stars + "y = 1"}
    assert led(filled(tree), "a.py") == {f"m{n}.py" for n in range(count)} | {"m7.py#y"}


def test_a_lattice_of_bases_ends() -> None:
    rungs = "".join(
        f"class A{n}(A{n - 1}, B{n - 1}): pass\nclass B{n}(A{n - 1}, B{n - 1}): pass\n" for n in range(1, 60)
    )
    tree = {"a.py": f"class A0: pass\nclass B0: pass\n{rungs}class C(A59):\n def m(self): self.x()\n"}
    assert led(filled(tree), "a.py") >= {"a.py#A59"}


def test_a_long_row_of_re_exports_ends() -> None:
    tree = {f"m{n}.py": f"from m{n + 1} import x" for n in range(3_000)}
    assert led(filled(tree), "m0.py") == {"m1.py"}
    classes = {f"m{n}.py": f"from m{n + 1} import A as B\nclass A(B): pass" for n in range(3_000)}
    classes["m3000.py"] = "class A:\n def x(self): 1"
    classes["m0.py"] = "from m1 import A as B\nclass A(B):\n def m(self): self.x()"
    assert led(filled(classes), "m0.py") == {"m1.py#A", "m3000.py#A.x"}


def test_an_init_that_comes_or_goes_is_cheap(monkeypatch: pytest.MonkeyPatch) -> None:
    tree = {f"p/q{n % 20}/r{n % 7}/m{n}.py": f"from p.q{n % 20}.r{n % 7} import m{n}\n" for n in range(2_000)}
    found = filled(tree)
    for path in tree:
        found.links(path)
    asked: list[str] = []
    monkeypatch.setattr(found.memory, "forget", asked.append)
    found.put("p/q1/r1/__init__.py", Outline())
    assert set(asked) == {path for path in tree if path.startswith("p/q1/r1/")}


# -- the law: only the final tree counts -------------------------------------------------------------------------------

SOURCES = [
    "",
    "x = 1\nclass A:\n  def m(self): self.n()\n  def n(self): pass\n",
    "from .b import *\nfrom . import b\nx()\nb.x()\n",
    "from p import b, x\nimport p.q.b\np.q.b.x(b.x, x)\n",
    "import b\nfrom b import A\nclass B(A):\n  def k(self): self.m(); b.x\n",
    "from p.q import *\n__all__ = ['x', 'A']\nA().m()\n",
    # the second one again: with something before it, with something within, in another order, without a part of it
    "def z(): pass\nx = 1\nclass A:\n  def m(self): self.n()\n  def n(self): pass\n",
    "x = 1\nclass A:\n  def k(self): pass\n  def m(self): self.n(); x\n  def n(self): pass\n",
    "class A:\n  def n(self): pass\n  def m(self): pass\nx = 1\n",
    "import b as x\nclass A(x.A):\n  def m(self): self.n()\n",
    "from b import x\n__all__ = ['A']\nclass A: pass\nclass A:\n  def n(self): pass\n",
    "def x():\n  from b import A\n  return A().m()\nclass C(A): from p import b\n",
    # one file with other insides, and with more below
    "import b\nfrom p.b import A, x\ndef f():\n  x(); b.x; b.A.m\nclass B(A):\n  def k(self): self.m()\n",
    "import b\nfrom p.b import A, x\ndef f():\n  A().n; b.A.n()\nclass B(A):\n  def k(self): self.n(); f()\n",
    "import b\nfrom p.b import A, x\ndef f():\n  g(); b.x\nclass B(A):\n  def k(self): self.m()\ndef g(): x()\n",
]
OUTLINES = [outline(PYTHON, source.encode()) for source in SOURCES]
PATHS = [
    "b.py",
    "p/__init__.py",
    "p/b.py",
    "p/b/__init__.py",
    "p/q/__init__.py",
    "p/q/b.py",
    "p/q/b.pyi",
    "r/b.py",
    "a.py",
]
MOVES = st.lists(
    st.tuples(st.sampled_from(PATHS), st.none() | st.integers(0, len(SOURCES) - 1), st.booleans()), max_size=25
)


@settings(max_examples=200, deadline=None)
@given(MOVES)
def test_only_the_final_tree_counts(moves: list[tuple[str, int | None, bool]]) -> None:
    found, tree = resolver(), dict[str, Outline]()
    for path, which, ask in moves:
        if which is None:
            found.drop(path)
            tree.pop(path, None)
        else:
            found.put(path, OUTLINES[which])
            tree[path] = OUTLINES[which]
        if ask:
            for each in PATHS:
                found.links(each)
    fresh = resolver()
    for path in sorted(tree):
        fresh.put(path, tree[path])
    assert {path: found.links(path) for path in PATHS} == {path: fresh.links(path) for path in PATHS}
    remembered = dict(found.memory.links)
    for path, told in tree.items():
        found.put(path, told)
    assert found.memory.links == remembered


@pytest.mark.parametrize("later", ["\n\nclass B: pass\nclass A:\n  def m(self): pass\n", "A = 1\n", None])
def test_what_was_found_out_about_an_edited_file_ends_with_what_it_rests_on(later: str | None) -> None:
    bodies = [f"from b import A\ndef f():\n  {body}\n" for body in ("A()", "A().m; A.m()", "A.m; A()", "A.m()")]
    tree = {"a.py": bodies[0], "b.py": "class A:\n  def m(self): pass\n"}
    found = filled(tree)
    for body in bodies[:3]:  # from the second time on something is kept
        found.put("a.py", outlined(body))
        found.links("a.py")
    assert found.memory.looks
    if later is None:
        del tree["b.py"]
        found.drop("b.py")
    else:
        tree["b.py"] = later
        found.put("b.py", outlined(later))
    found.put("a.py", outlined(bodies[3]))
    assert found.links("a.py") == filled({**tree, "a.py": bodies[3]}).links("a.py")


def test_any_order_of_arrival() -> None:
    tree = dict(zip(["a.py", "p/__init__.py", "p/b.py", "p/q/__init__.py", "b.py"], OUTLINES[1:6], strict=True))
    expected = None
    for order in itertools.permutations(tree):
        found = resolver()
        for path in order:
            found.put(path, tree[path])
        links = {path: found.links(path) for path in tree}
        expected = expected or links
        assert links == expected


def test_forgetting_everything_leaves_nothing() -> None:
    found = filled({path: dedent(SOURCES[n % len(SOURCES)]) for n, path in enumerate(PATHS)})
    for path in PATHS:
        found.drop(path)
    places = found.modules
    assert not any((places.places, places.packages, found.files))
    assert not any(places.heads.values())
    assert not any(found.links(path) for path in PATHS)


def filled(tree: dict[str, str]) -> PythonResolver:
    found = resolver()
    for path, source in tree.items():
        found.put(path, outlined(source))
    return found


def outlined(source: str) -> Outline:
    assert PYTHON is not None
    return outline(PYTHON, source.encode())


def led(found: PythonResolver, path: str) -> set[str]:
    """Where the links of a file lead; a name that is there twice with its line."""
    told = set()
    for link in found.links(path):
        symbols = found.files[link.target.path].outline.symbols
        if link.target.symbol == MODULE:
            told.add(link.target.path)
            continue
        symbol = symbols[link.target.symbol]
        twice = sum(other.name == symbol.name for other in symbols) > 1
        told.add(f"{link.target.path}#{symbol.name}" + (f"@{symbol.line}" if twice else ""))
    return told
