"""Python, outlined: every construct by a source of a few lines, then whatever a machine can think of."""

from textwrap import dedent

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ccos_core.text.syntax.languages import language_of
from ccos_core.text.syntax.parse import outline
from ccos_core.values.code import MODULE, Outline, outline_from

PYTHON = language_of("a.py")
assert PYTHON is not None

# -- what is defined ---------------------------------------------------------------------------------------------------

# fmt: off
# source, (name, kind, line, first, signature, last, doc)
DEFINED = [
    ("def f(): pass", [("f", "function", 1, 1, 1, 1, 0)]),
    ("async def f(a,\n  b):\n  return 1\n", [("f", "function", 1, 1, 2, 3, 0)]),
    ("def f(\n  a,\n) -> dict[\n  str, int\n]:\n  pass", [("f", "function", 1, 1, 5, 6, 0)]),
    ("def f(a=lambda: 1, b={1: 2}):  # no: it is\n  # not: yet\n  pass", [("f", "function", 1, 1, 1, 3, 0)]),
    ("@a\n@b(\n  1)\n\ndef f():\n  pass", [("f", "function", 5, 1, 5, 6, 0)]),
    ("class A(B,\n  C): x = 1; y = 2", [("A", "class", 1, 1, 2, 2, 0), ("A.x", "constant", 2, 2, 2, 2, 0),
                                           ("A.y", "constant", 2, 2, 2, 2, 0)]),
    ("class A:\n  @p\n  def m(self): pass\n  class B:\n    def n(self): pass",
     [("A", "class", 1, 1, 1, 5, 0), ("A.m", "method", 3, 2, 3, 3, 0), ("A.B", "class", 4, 4, 4, 5, 0),
      ("A.B.n", "method", 5, 5, 5, 5, 0)]),
    ("def f():\n  def g(): pass\n  class A: x = 1\n  y = 2", [("f", "function", 1, 1, 1, 4, 0)]),
    ("x = 1\nx = 2\nx += 1", [("x", "constant", 1, 1, 1, 1, 0)]),
    ("a, (b, *c), [d] = e = {\n  1: 2,\n}", [(name, "constant", 1, 1, 1, 3, 0) for name in "abcde"]),
    ("x: int\ny: str = ''", [("x", "constant", 1, 1, 1, 1, 0), ("y", "constant", 2, 2, 2, 2, 0)]),
    ("a.b = 1\na[0] = 1\nfor i in a: j = 1\nwith a as k: pass", [("j", "constant", 3, 3, 3, 3, 0)]),
    ("type A[T] = list[T]\ntype B = int", [("A", "constant", 1, 1, 1, 1, 0), ("B", "constant", 2, 2, 2, 2, 0)]),
    ("if x:\n  def f(): pass\nelse:\n  def f(): pass",
     [("f", "function", 2, 2, 2, 2, 0), ("f", "function", 4, 4, 4, 4, 0)]),
    ("try:\n  import j\nexcept E:\n  j = None", [("j", "constant", 4, 4, 4, 4, 0)]),
    ("if (n := 1): pass", []),
    ("\tdef f(): pass", [("f", "function", 1, 1, 1, 1, 0)]),
    ("x = 1\n\x0cclass A:\n\tpass\n", [("x", "constant", 1, 1, 1, 1, 0), ("A", "class", 2, 2, 2, 3, 0)]),
    ("print 'x'\nexec 'y' in z\ndef f((a, b), c): print >>a, b", [("f", "function", 3, 3, 3, 3, 0)]),
]


@pytest.mark.parametrize(("source", "expected"), DEFINED)
def test_what_is_defined(source: str, expected: list[tuple[object, ...]]) -> None:
    found = read(source)
    assert [(s.name, s.kind, s.line, s.first, s.signature, s.last, s.doc) for s in found.symbols] == expected


@pytest.mark.parametrize(
    ("source", "line"),
    [
        ('def f():\n  """Says."""', 2),
        ('def f():\n  r"""\n\n  Says."""', 4),
        ("class A:\n  'Says.'\n  x = 1", 2),
        ("def f():\n  # no\n  '''Says'''", 3),
        ("def f(): 'Says.'", 1),
        ("def f():\n  x = 'no'\n  'no'", 0),
        ("@d\ndef f():\n  'Says.'", 3),
        ('def f():\n  ""', 2),
        ("def f():\n  def g():\n    'no'", 0),
    ],
)
def test_descriptions(source: str, line: int) -> None:
    assert read(source).symbols[0].doc == line


def test_symbols_stand_in_the_order_of_the_text() -> None:
    found = read("X = 1\nclass A:\n  y = 1\n  def m(self): return X\n  z = 2\nB = A\n")
    assert [s.name for s in found.symbols] == ["X", "A", "A.y", "A.m", "A.z", "B"]
    assert uses(found) == {("A.m", "X", "name"), ("B", "A", "name")}


# -- what is imported --------------------------------------------------------------------------------------------------

# source, (name, module, item)
IMPORTED = [
    ("import a", [("a", "a", "")]),
    ("import a.b.c", [("a", "a.b.c", "")]),
    ("import a.b as c, d", [("c", "a", "b"), ("d", "d", "")]),
    ("import a as c", [("c", "a", "")]),
    ("from a import b as c, d", [("c", "a", "b"), ("d", "a", "d")]),
    ("from . import b", [("b", ".", "b")]),
    ("from ...a.b import (c,  # first\n  d as e,\n)", [("c", "...a.b", "c"), ("e", "...a.b", "d")]),
    ("from . a import b", [("b", ".a", "b")]),
    ("from a import *\nfrom .b import*", [("*", "a", "*"), ("*", ".b", "*")]),
    ("from a \\\n  import b, \\\n  c", [("b", "a", "b"), ("c", "a", "c")]),
    ("from __future__ import annotations", []),
    ("import a; from b import c; x = 1", [("a", "a", ""), ("c", "b", "c")]),
    ("if TYPE_CHECKING:\n  from a import b\nelse:\n  b = 1", [("b", "a", "b")]),
    ("\ufefffrom a import b\r\nimport c\r\n", [("b", "a", "b"), ("c", "c", "")]),
    ("from asas.imports import as_, imported as fromage", [("as_", "asas.imports", "as_"),
                                                             ("fromage", "asas.imports", "imported")]),
    ("import", []),
    ("from a import (", []),
]


@pytest.mark.parametrize(("source", "expected"), IMPORTED)
def test_what_is_imported(source: str, expected: list[tuple[str, str, str]]) -> None:
    assert [(i.name, i.module, i.item) for i in read(source).imports] == expected


def test_an_import_belongs_to_what_it_stands_in() -> None:
    found = read("import a\nclass A:\n  import b\n  def m(self):\n    import c\nif a:\n  import d\n")
    owners = [(i.name, i.owner, i.exported) for i in found.imports]
    assert owners == [("a", MODULE, True), ("b", 0, False), ("c", 1, False), ("d", MODULE, True)]


# -- what is used ------------------------------------------------------------------------------------------------------

HEAD = "from m import db, User, Base, G\n"
# source, (owner, chain, role)
USED = [
    ("db.connect(User)", {("", "db.connect", "call"), ("", "User", "name")}),
    ("db \\\n .a \\\n .b(1)", {("", "db.a.b", "call")}),
    ("(User  # why\n  .a\n  .b (1).User.G)", {("", "User.a.b", "call")}),
    ("f().User; x[0]. User(); ''.G; (db).User", {("", "db", "name")}),
    ("x = f'{db.a!r:{User}} {{G}} {Base=}'", {("x", "db.a", "name"), ("x", "User", "name"), ("x", "Base", "name")}),
    ("x = 'User' 'db.x()'; '''G'''  # Base", set()),
    ("f(User=1, G = 2, z=db, y=G==1)", {("", "db", "name"), ("", "G", "name")}),
    ("def f(db, *User, G=G, **Base): db, User, G, Base", {("f", "G", "name")}),
    ("def f(db=db): db.x()", {("f", "db", "name")}),
    ("def f(User: User, b: 'G[db.T]' = Base()) -> \"db\": User.x",
     {("f", "User", "type"), ("f", "G", "type"), ("f", "db.T", "type"), ("f", "Base", "call"), ("f", "db", "type")}),
    ("def f(x: User = 1, *, y: G=2): pass\nz: Base = 3",
     {("f", "User", "type"), ("f", "G", "type"), ("z", "Base", "type")}),
    ("def f(x: Literal['User'], y: Annotated[G, 'db']): pass", {("f", "G", "type")}),
    ("x: 'User' = G", {("x", "User", "type"), ("x", "G", "name")}),
    ("def f():\n  db = 1\n  return db.x, User", {("f", "User", "name")}),
    ("def f():\n  print(db)\n  db = 1", set()),
    ("def f():\n  global db\n  db = 1\n  db.x()", {("f", "db.x", "call")}),
    ("def f():\n  db = 1\n  def g():\n    nonlocal db\n    db.x", set()),
    ("def f():\n  def db(): pass\n  class User: pass\n  db(User)", set()),
    ("def f():\n  def g(db): db.x\n  return db.y", {("f", "db.y", "name")}),
    ("def f():\n  for db, (User, *G) in x: db, User, G\n  with y as (Base, z): Base", set()),
    ("def f():\n  try: pass\n  except E as db: db\n  if (User := 1): User", set()),
    ("[db for db in db.all() if db.x]; db.y", {("", "db.all", "call"), ("", "db.y", "name")}),
    ("{User: G for db, (User, G) in Base}; {db for x in y}", {("", "Base", "name"), ("", "db", "name")}),
    ("def f(): return [db.x for db in y], db.z", {("f", "db.z", "name")}),
    ("def f():\n  [(db := 1) for x in y]\n  db.x", set()),
    ("x = lambda db, *User, G=G: (db, User, G, Base)", {("x", "G", "name"), ("x", "Base", "name")}),
    ("class A:\n  db = db\n  x = db.y\n  def m(self): db.z", {("A.db", "db", "name"), ("A.m", "db.z", "name")}),
    ("class A:\n  def User(self) -> User: return User", {("A.User", "User", "type"), ("A.User", "User", "name")}),
    ("class A:\n  db = 1\n  y = [db.x for z in db.w]", {("A.y", "db.x", "name")}),
    ("class A(Base, db.Base, G[User], metaclass=User): pass",
     {("A", "Base", "base"), ("A", "db.Base", "base"), ("A", "G", "base"), ("A", "User", "type"),
      ("A", "User", "name")}),
    ("class A(db.make(Base)): pass", {("A", "db.make", "call"), ("A", "Base", "name")}),
    ("@db\n@User.x(G)\ndef f(): pass", {("f", "db", "decorator"), ("f", "User.x", "decorator"), ("f", "G", "name")}),
    ("class A:\n  @ db\n  def m(self): pass", {("A.m", "db", "decorator")}),
    ("def f():\n  @db\n  def g(): pass", {("f", "db", "decorator")}),
    ("def f[db](x: db, y: User) -> db: return db, G", {("f", "User", "type"), ("f", "G", "name")}),
    ("class A[db: User, *G](Base[db]):\n  def m(self, x: G): db.x",
     {("A", "User", "type"), ("A", "Base", "base")}),
    ("type X[db] = dict[db, User]", {("X", "User", "type")}),
    ("def f(x):\n  match x:\n    case User(name=db, G=1) | Base(): db.x\n    case [G, *w]: G.x",
     {("f", "User", "type"), ("f", "Base", "type")}),
    ("match x:\n  case db.C as y: pass\n  case {'k': User.z}: pass", {("", "db.C", "name"), ("", "User.z", "name")}),
    ("def f():\n  from q import db\n  db.x()", {("f", "db.x", "call")}),
    ("async def f():\n  async with db.x() as User: await User\n  async for G in User: G", {("f", "db.x", "call")}),
    ("__all__ = ['User', 'other']\n__all__ += ['more', 'no name']",
     {("__all__", "User", "listed"), ("__all__", "other", "listed"), ("__all__", "more", "listed")}),
    ("__all__ = [*db.__all__, 'a']\n__all__ += G\n__all__.extend(Base)",
     {("__all__", "a", "listed"), ("__all__", "db.__all__", "name"), ("__all__", "G", "name"),
      ("", "__all__.extend", "call"), ("", "Base", "name")}),
    ("global User\nx = User if G else not db; assert Base, User; del G; yield db",
     {("x", "User", "name"), ("x", "G", "name"), ("x", "db", "name"), ("", "Base", "name"), ("", "User", "name"),
      ("", "G", "name"), ("", "db", "name")}),
    ("print User, G\nraise db.E, 'x'", {("", "User", "name"), ("", "G", "name"), ("", "db.E", "name")}),
    ("User = User(1)\ndb.x = G", {("User", "User", "call"), ("", "db.x", "name"), ("", "G", "name")}),
    ("x = 1.e5, 0xdb, 1_0, db.a", {("x", "db.a", "name")}),
    ("é = 1\nfoo = é.ö(ü)", {("foo", "é.ö", "call")}),
]


@pytest.mark.parametrize(("source", "expected"), USED)
def test_what_is_used(source: str, expected: set[tuple[str, str, str]]) -> None:
    assert uses(read(HEAD + source)) == expected


SELVES = """
class A(B):
    size = 1
    def m(self): return self.n() + self.size + self.other + self.other.x()
    def n(self):
        def inner(): self.m()
        class Local:
            def m(self): self.n()
        return super().n(1), super(A, self).m
    @classmethod
    def c(cls): return cls.m, cls()
    f = lambda self: self.m()
def free(self): self.m()
"""


def test_self_and_super() -> None:
    found = {use for use in uses(read(SELVES)) if use[1].startswith(("self", "cls", "super"))}
    assert found == {
        ("A.m", "self.n", "call"),
        ("A.m", "self.size", "name"),
        ("A.m", "self.other.x", "call"),
        ("A.n", "self.m", "call"),
        ("A.n", "super.n", "call"),
        ("A.n", "super.m", "name"),
        ("A.c", "cls.m", "name"),
        ("A.f", "self.m", "call"),
    }


def test_a_star_lets_any_name_come_from_elsewhere() -> None:
    source = "from m import *\ndef f(x):\n  y = x\n  return helper(y, len(z.w), x)\nValueError\n"
    assert uses(read(source)) == {("f", "helper", "call"), ("f", "z.w", "name")}


def test_uses_are_counted_from_the_first_line() -> None:
    reference = read("import db\n\ndef f():\n  db.x()\n  db.x()\n  (db\n    .x())\n").references[0]
    assert (reference.chain, reference.line, reference.count) == ("db.x", 4, 3)


def test_a_name_in_parentheses_is_no_call_on_the_next_line() -> None:
    assert uses(read("import db\nx = db\n(1)")) == {("x", "db", "name")}


# -- what can go wrong -------------------------------------------------------------------------------------------------

# fmt: on
HOSTILE = [
    b"",
    b"\xef\xbb\xbf",
    b"\x00" * 1_000,
    b"x = '\xff\xfe'\ndef \xe9(): pass\n",
    b"x = " + b"(" * 5_000 + b")" * 5_000,
    b"x = " + b"lambda a: " * 3_000 + b"a",
    b"[" * 3_000 + b"a for a in b",
    b"class A:\n" + b"".join(b" " * n + b"class A:\n" for n in range(1, 400)),
    b"def f(" * 2_000,
    b"@" * 5_000,
    b"a = " * 5_000 + b"1",
    b"a." * 50_000 + b"b",
    b"from " + b" " * 100_000 + b"a import b",
    b"from a import b" + b" " * 100_000 + b"as c",
    b"super(" * 10_000,
    b"x = '''unfinished",
    b"def f(:\n" * 2_000,
    b"__all__ += ['a']\n" * 10_000,
    b"f'{" * 500,
    bytes(range(256)) * 50,
    b"import a\n" + b"a\n" * 20_000 + b"\r" * 1_000,
]


@pytest.mark.parametrize("source", HOSTILE, ids=range(len(HOSTILE)))
def test_hostile_sources_end(source: bytes) -> None:
    hold(source)


EVERYTHING = (
    HEAD + "\n".join(source for source, _ in USED) + SELVES + "\n".join(source for source, *_ in DEFINED + IMPORTED)
).encode()


@st.composite
def pieces(draw: st.DrawFn) -> bytes:
    """A stretch of all that, mostly broken."""
    start = draw(st.integers(0, len(EVERYTHING)))
    end = draw(st.integers(start, min(len(EVERYTHING), start + 2_000)))
    piece = bytearray(EVERYTHING[start:end])
    for _ in range(draw(st.integers(0, 4))):
        at = draw(st.integers(0, len(piece)))
        piece[at : at + draw(st.integers(0, 3))] = draw(
            st.sampled_from(
                [b"", b"(", b"\n", b":", b"'", b'"""', b"\xff", b"\x00", b"    ", b"def ", b"\r", b"=", b"."]
            )
        )
    return bytes(piece)


@settings(max_examples=150, deadline=None)
@given(pieces())
def test_any_piece_of_a_source_is_read(piece: bytes) -> None:
    hold(piece)


LOCAL = """
import a, b
from c import d as e
def {0}({1}, *{2}, {3}=1):
    '''Now,

    that.
    '''
    {1} = {2} = 1
    {0}: int = a.x
    {3} += e.y
    class {2}:
        {1} = b
        {3}({1})
        def {0}(self, {2}): return lambda {1}: ({1}, {3}, {0}, self.{2}())
    for {3} in b: {2}({1}, {0})
    return [{0} for {1} in a if {2}({1})]
{2} = {1} = e
class B(e):
    {3} = {0}
    def m(self, {1}=a):
        {0} = {3}
        global {2}
        {2} = {0}({1})
        return self.{3}, {2}.z
"""
names = st.sampled_from(["a", "b", "e", "f", "g", "B", "m", "self"])


@st.composite
def shadows(draw: st.DrawFn) -> bytes:
    """The same few names everywhere, in a source that may be broken."""
    lines = LOCAL.format(*(draw(names) for _ in range(4))).split("\n")
    for _ in range(draw(st.integers(0, 3))):
        at = draw(st.integers(0, len(lines) - 1))
        lines[at] = draw(st.sampled_from(["", "    '''", "    x = (", "    )", "):", lines[at][:-3], lines[at] + "("]))
    return "\n".join(lines).encode()


@settings(max_examples=120, deadline=None)
@given(st.binary(max_size=300) | shadows())
def test_any_bytes_are_read(source: bytes) -> None:
    hold(source)


@pytest.mark.parametrize("end", ["\r\n", "\n"])
def test_line_ends_change_nothing(end: str) -> None:
    source = dedent(SELVES) + HEAD + "class C(Base):\n  '''\n  Doc.'''\n  x: 'User' = db.y(\n    1)\n"
    assert read(source.replace("\n", end)) == read(source)


def hold(source: bytes) -> None:
    """What is true of every outline."""
    assert PYTHON is not None
    found = outline(PYTHON, source)
    lines = source.count(b"\n") + 1
    for symbol in found.symbols:
        assert 1 <= symbol.first <= symbol.line <= symbol.signature <= max(symbol.last, symbol.signature) <= lines
        assert 0 <= symbol.doc <= lines
    for each in (*found.imports, *found.references):
        assert MODULE <= each.owner < len(found.symbols)
        assert 1 <= each.line <= lines
    assert outline_from(found.to_bytes()) == found
    assert outline(PYTHON, source) == found


def read(source: str) -> Outline:
    assert PYTHON is not None
    return outline(PYTHON, source.encode())


def uses(found: Outline) -> set[tuple[str, str, str]]:
    return {
        (found.symbols[each.owner].name if each.owner != MODULE else "", each.chain, each.role)
        for each in found.references
    }
