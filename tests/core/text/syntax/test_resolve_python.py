"""Python's resolver on small trees: a rule or a trap each."""

import pytest

from ccos_core.text.syntax.languages import language_of
from ccos_core.text.syntax.parse import outline
from ccos_core.text.syntax.resolve_python import PythonResolver, resolver
from ccos_core.values.code import MODULE

Tree = dict[str, str]
PYTHON = language_of("a.py")
assert PYTHON is not None

# what it is about, the tree, the file asked, what it leads to
RULES: list[tuple[str, Tree, str, set[str]]] = [
    ("a module beside", {"a.py": "import b\nb.f()", "b.py": "def f(): 1"}, "a.py", {"b.py", "b.py#f"}),
    ("a name of it", {"a.py": "from b import f as g\ng()", "b.py": "def f(): 1"}, "a.py", {"b.py#f"}),
    ("a name it lacks", {"a.py": "from b import f", "b.py": ""}, "a.py", {"b.py"}),
    ("nobody's", {"a.py": "import b\nfrom c import d\nb.f(d)"}, "a.py", set()),
    (
        "relative, every depth",
        {
            "p/q/r/a.py": "from . import b\nfrom .. import c\nfrom ...d import e\n"
            "from .... import f\nfrom ..... import g",
            "p/q/r/b.py": "",
            "p/q/c.py": "",
            "p/d.py": "e = 1",
            "f.py": "",
            "g.py": "",
        },
        "p/q/r/a.py",
        {"p/q/r/b.py", "p/q/c.py", "p/d.py#e", "f.py"},
    ),
    (
        "relative from an __init__",
        {
            "p/__init__.py": "from .a import x\nfrom . import b\nfrom .. import c",
            "p/a.py": "x = 1",
            "p/b.py": "",
            "c.py": "",
        },
        "p/__init__.py",
        {"p/a.py#x", "p/b.py", "c.py"},
    ),
    (
        "a source folder",
        {
            "src/p/__init__.py": "",
            "src/p/a.py": "from p.b import f",
            "src/p/b.py": "def f(): 1",
            "tests/t.py": "from p import b\nb.f()",
        },
        "tests/t.py",
        {"src/p/b.py", "src/p/b.py#f"},
    ),
    (
        "a namespace package",
        {
            "src/n/p/__init__.py": "",
            "src/n/p/a.py": "def f(): 1",
            "t/t.py": "import n.p.a\nfrom n.p import a\nfrom n import p\nn.p.a.f()",
        },
        "t/t.py",
        {"src/n/p/a.py", "src/n/p/__init__.py", "src/n/p/a.py#f"},
    ),
    (
        "re-exports",
        {
            "a.py": "from p import f",
            "p/__init__.py": "from .q import f",
            "p/q/__init__.py": "from .r import *",
            "p/q/r.py": "def f(): 1",
        },
        "a.py",
        {"p/q/r.py#f"},
    ),
    (
        "a renamed re-export",
        {"a.py": "from p import g", "p/__init__.py": "from .q import f as g", "p/q.py": "f = 1"},
        "a.py",
        {"p/q.py#f"},
    ),
    (
        "submodule or name: the name",
        {"a.py": "from p import x", "p/__init__.py": "from .x import x", "p/x.py": "def x(): 1"},
        "a.py",
        {"p/x.py#x"},
    ),
    (
        "submodule or name: the submodule",
        {"a.py": "from p import x\nx.f()", "p/__init__.py": "", "p/x.py": "def f(): 1"},
        "a.py",
        {"p/x.py", "p/x.py#f"},
    ),
    ("no submodules of a module", {"a.py": "from p import x", "p.py": "", "p/x.py": ""}, "a.py", {"p.py"}),
    ("a package before a module", {"a.py": "import p", "p.py": "", "p/__init__.py": ""}, "a.py", {"p/__init__.py"}),
    (
        "code before its stub",
        {"a.py": "from p import f", "p.py": "def f(): 1", "p.pyi": "def f(): 1"},
        "a.py",
        {"p.py#f"},
    ),
    ("a stub alone", {"a.py": "from p import f", "p.pyi": "def f(): 1"}, "a.py", {"p.pyi#f"}),
    (
        "a long way down",
        {
            "a.py": "import p.q.r\np.q.r.f()\np.g()",
            "p/__init__.py": "def g(): 1",
            "p/q/__init__.py": "",
            "p/q/r.py": "def f(): 1",
        },
        "a.py",
        {"p/q/r.py", "p/q/r.py#f", "p/__init__.py#g"},
    ),
    (
        "a long way, renamed",
        {"a.py": "import p.q as z\nz.f()", "p/__init__.py": "", "p/q.py": "def f(): 1"},
        "a.py",
        {"p/q.py", "p/q.py#f"},
    ),
    (
        "through a module's own import",
        {"a.py": "import b\nb.c.f()", "b.py": "import c", "c.py": "def f(): 1"},
        "a.py",
        {"b.py", "c.py#f"},
    ),
    (
        "into a class",
        {"a.py": "from b import A\nA.m()\nA.B.n", "b.py": "class A:\n def m(s): 1\n class B:\n  n = 1"},
        "a.py",
        {"b.py#A", "b.py#A.m", "b.py#A.B", "b.py#A.B.n"},
    ),
    (
        "bases and self, through files",
        {
            "a.py": "from b import B\nclass A(B):\n def m(self): self.x()\n def y(self):\n  super().y()",
            "b.py": "import c\nclass B(c.C): pass",
            "c.py": "class C:\n def x(s): 1\n def y(s): 1",
        },
        "a.py",
        {"b.py#B", "c.py#C.x", "c.py#C.y"},
    ),
    (
        "self's own member first",
        {
            "a.py": "from b import B\nclass A(B):\n def m(self): self.x()\n def x(self): 1",
            "b.py": "class B:\n def x(s): 1",
        },
        "a.py",
        {"b.py#B", "a.py#A.x"},
    ),
    (
        "bases in a circle",
        {"a.py": "from b import B\nclass A(B):\n def m(self): self.x()", "b.py": "from a import A\nclass B(A): pass"},
        "a.py",
        {"b.py#B"},
    ),
    (
        "imports in a circle",
        {"a.py": "from b import x", "b.py": "from c import x", "c.py": "from b import x"},
        "a.py",
        {"b.py"},
    ),
    (
        "stars in a circle",
        {"a.py": "from b import *\nx()", "b.py": "from c import *", "c.py": "from b import *\ndef x(): 1"},
        "a.py",
        {"b.py", "c.py#x"},
    ),
    (
        "the last star",
        {"a.py": "from b import *\nfrom c import *\nx()", "b.py": "x = 1", "c.py": "x = 2"},
        "a.py",
        {"b.py", "c.py", "c.py#x"},
    ),
    (
        "a star and __all__",
        {"a.py": "from b import *\nx(), _y(), z()", "b.py": "__all__ = ['_y', 'z']\nx = _y = z = 1"},
        "a.py",
        {"b.py", "b.py#_y", "b.py#z"},
    ),
    (
        "a star without __all__",
        {"a.py": "from b import *\nx(), _y()", "b.py": "x = _y = 1"},
        "a.py",
        {"b.py", "b.py#x"},
    ),
    (
        "an __all__ made of others",
        {"a.py": "from b import *\nx()", "b.py": "import c\n__all__ = ['z'] + c.__all__\nx = 1", "c.py": ""},
        "a.py",
        {"b.py", "b.py#x"},
    ),
    (
        "an __all__ made of others by name",
        {"a.py": "from b import *\nx()", "b.py": "from c import more\n__all__ = ['z']\n__all__ += more\nx = 1"},
        "a.py",
        {"b.py", "b.py#x"},
    ),
    (
        "an import tried first",
        {"a.py": "try:\n from b import f\nexcept E:\n from c import f\nf()", "c.py": "def f(): 1"},
        "a.py",
        {"c.py#f"},
    ),
    (
        "an import or nothing",
        {"a.py": "try:\n import b\nexcept E:\n b = None\nb.f()", "b.py": "def f(): 1"},
        "a.py",
        {"b.py", "b.py#f"},
    ),
    (
        "an import of another function's",
        {"a.py": "def f():\n from b import x\n x()\ndef g():\n x()", "b.py": "x = 1"},
        "a.py",
        {"b.py#x"},
    ),
    (
        "a function's own import hides",
        {"a.py": "x = 1\ndef f():\n from b import x\n x()", "b.py": "x = 1"},
        "a.py",
        {"b.py#x"},
    ),
    ("a parameter hides", {"a.py": "import b\ndef f(b): b.x()", "b.py": "x = 1"}, "a.py", {"b.py"}),
    (
        "the standard library's",
        {
            "p/__init__.py": "",
            "p/a.py": "import json\njson.loads()",
            "p/json.py": "loads = 1",
            "json.py": "loads = 1",
            "tools/types.py": "",
        },
        "p/a.py",
        {"json.py", "json.py#loads"},
    ),
    (
        "the standard library's, far off",
        {"p/a.py": "import json, types", "tools/json.py": "", "tools/types/__init__.py": ""},
        "p/a.py",
        set(),
    ),
    (
        "a script's neighbour",
        {"scripts/a.py": "import json, helpers", "scripts/json.py": "", "scripts/helpers.py": ""},
        "scripts/a.py",
        {"scripts/json.py", "scripts/helpers.py"},
    ),
    ("a lone module out of reach", {"x/y/a.py": "", "z/a.py": "import b", "x/y/b.py": ""}, "z/a.py", set()),
    (
        "of two roots the nearer",
        {"m/one/p.py": "f = 1", "m/two/p.py": "f = 1", "m/two/sub/a.py": "from p import f"},
        "m/two/sub/a.py",
        {"m/two/p.py#f"},
    ),
    (
        "of two as near neither",
        {"m/one/p/__init__.py": "", "m/two/p/__init__.py": "", "a.py": "import p"},
        "a.py",
        set(),
    ),
    ("a package is no root", {"p/__init__.py": "", "p/a.py": "import b", "p/b.py": ""}, "p/a.py", set()),
    (
        "overloads",
        {
            "a.py": "from b import A\nA.f",
            "b.py": "from typing import overload\nclass A:\n @overload\n"
            " def f(self): 1\n @overload\n def f(self): 2\n def f(self): 3",
        },
        "a.py",
        {"b.py#A", "b.py#A.f@7"},
    ),
    (
        "a property and its setter",
        {
            "a.py": "from b import A\nA.f",
            "b.py": "class A:\n @property\n def f(self): 1\n @f.setter\n def f(self, v): 2",
        },
        "a.py",
        {"b.py#A", "b.py#A.f@3"},
    ),
    (
        "the last of several functions",
        {"a.py": "from b import f", "b.py": "if x:\n def f(): 1\nelse:\n def f(): 2"},
        "a.py",
        {"b.py#f@4"},
    ),
    ("above the top", {"a.py": "from ... import b\nfrom ...b import c"}, "a.py", set()),
]


@pytest.mark.parametrize(("tree", "path", "expected"), [rule[1:] for rule in RULES], ids=[rule[0] for rule in RULES])
def test_where_names_lead(tree: Tree, path: str, expected: set[str]) -> None:
    assert led(filled(tree), path) == expected


def test_links_say_who_and_how_often() -> None:
    tree = {"a.py": "import b\n@b.d\ndef f():\n  b.g()\n  b.g()\nx: b.T = b.g\n", "b.py": "d = g = T = 1"}
    found = [(link.owner, link.target.symbol, link.role, link.line, link.count) for link in filled(tree).links("a.py")]
    assert found == [
        (MODULE, MODULE, "import", 1, 1),
        (0, 0, "decorator", 2, 1),
        (0, 1, "call", 4, 2),
        (1, 1, "name", 6, 1),
        (1, 2, "type", 6, 1),
    ]


def filled(tree: Tree) -> PythonResolver:
    assert PYTHON is not None
    found = resolver()
    for path, source in tree.items():
        found.put(path, outline(PYTHON, source.encode()))
    return found


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
