"""Windows as an engineer reads them: small trees, whole texts."""

from textwrap import dedent

from ccos_core.text.syntax.languages import language_of
from ccos_core.text.syntax.parse import outline
from ccos_core.text.syntax.resolve_python import resolver
from ccos_core.values.code import MODULE
from ccos_core.window.around import around
from ccos_core.window.linearize import Window
from ccos_core.window.source import Source

TREE = {
    "app.py": """\
        from db import Pool, TIMEOUT
        import log

        def run(pool: Pool):
            log.say(pool.get(TIMEOUT))

        def stop():
            log.say("bye")
        """,
    "db.py": """\
        TIMEOUT = 3

        class Base:
            def get(self, timeout):
                '''One connection.'''
                return self.wait(timeout)

        class Pool(Base):
            '''Connections.'''

            def put(self, one):
                self.free.append(one)
        """,
    "log.py": """\
        def say(what):
            print(what)

        def shout(what):
            say(what.upper())
        """,
    "other.py": "import db\n",
}


def test_with_room_for_everything() -> None:
    window = shown("app.py", 2_000)
    assert window.text == dedent("""\
        # app.py
        from db import Pool, TIMEOUT
        import log

        def run(pool: Pool):
            log.say(pool.get(TIMEOUT))

        def stop():
            log.say("bye")

        # log.py
        def say(what):
            print(what)

        # db.py
        TIMEOUT = 3
        ...
        class Pool(Base):
            '''Connections.'''

            def put(self, one):
                self.free.append(one)
        """)
    assert [(item.uri, item.level) for item in window.items] == [
        ("file:app.py", "body"),
        ("sym:log.py#say", "body"),
        ("sym:db.py#TIMEOUT", "body"),
        ("sym:db.py#Pool", "body"),
    ]
    assert window.items[1].reason == "call by app.py"
    assert window.items[3].reason == "import, type by app.py"


def test_with_little_room_every_file_shows_something_first() -> None:
    tree = {"a.py": "import b, c\n" + "b.f(), b.g()\n" * 9 + "c.h", "b.py": "def f(): 1\ndef g(): 1", "c.py": "h = 1"}
    order = ["file:a.py", "sym:b.py#f", "sym:c.py#h", "sym:b.py#g"]
    seen = {frozenset(item.uri for item in shown("a.py", budget, tree=tree).items) for budget in range(200)}
    assert seen == {frozenset(order[:count]) for count in range(5)}


def test_with_no_room_for_others_the_anchor_alone() -> None:
    window = shown("app.py", 25)
    assert window.text == "# app.py\ndef run(pool: Pool):\ndef stop():\n"


def test_with_no_room_nothing() -> None:
    for budget in (0, 1, 4):
        assert shown("app.py", budget) == Window("around:app.py", budget, 0, "", ())


def test_around_a_symbol() -> None:
    window = shown("log.py", 500, "shout")
    assert window.lens == "around:sym:log.py#shout"
    assert window.text == dedent("""\
        # log.py
        def say(what):
            print(what)
        ...
        def shout(what):
            say(what.upper())
        """)
    assert [(item.uri, item.level) for item in window.items] == [
        ("sym:log.py#shout", "body"),
        ("sym:log.py#say", "body"),
    ]


def test_a_member_does_not_hang_in_the_air() -> None:
    lines = "".join(f"    x{n} = {n}\n" for n in range(300))
    tree = {"a.py": "import b\nb.Pool.get()\n", "b.py": f"class Pool:\n{lines}    def get(): return 1\n"}
    assert shown("a.py", 200, tree=tree).text.endswith("# b.py\nclass Pool:\n    def get(): return 1\n")


def test_a_large_anchor_is_a_skeleton_with_what_matters_in_full() -> None:
    functions = "".join(f"def f{n}():\n    one\n    two\n    three\n    four\n\n" for n in range(12))
    tree = {"a.py": functions}
    plain = shown("a.py", 600, tree=tree)
    assert plain.items[0].level == "skeleton"
    assert "one" not in plain.text
    focused = shown("a.py", 600, tree=tree, focus=(5,))
    assert "def f5():\n    one\n    two\n    three\n    four\ndef f6():\n" in focused.text
    assert focused.text.count("one") == 1


def test_an_anchor_too_large_for_its_skeleton_keeps_its_names() -> None:
    tree = {"a.py": "".join(f"class A{n}:\n" + "    def m(self): pass\n" * 9 for n in range(30))}
    window = shown("a.py", 1_200, tree=tree)
    assert window.items[0].level == "name"
    assert all(f"class A{n}:" in window.text for n in range(30))
    assert window.text.count("def m") > 5


def test_the_package_nobody_names_anything_of() -> None:
    tree = {"a.py": "import b\n", "b.py": "x = 1\ndef f():\n  pass\n"}
    assert shown("a.py", 300, tree=tree).items[1].uri == "file:b.py"


def test_what_a_miss_is_short_of_lets_it_in() -> None:
    tree = {"a.py": "".join(f"import m{at}\n" for at in range(60))}
    tree |= {f"m{at}.py": f"def work_{at}(one, other):\n    return one + other + {at}\n" for at in range(60)}
    looked = 0
    for budget in range(200, 1_400, 40):
        for miss in shown("a.py", budget, tree=tree).missed:
            again = shown("a.py", budget + miss.short, tree=tree)
            assert miss.uri in {item.uri for item in again.items}, (budget, miss)
            looked += 1
    assert looked > 20


def shown(path: str, budget: int, symbol: str = "", tree: dict[str, str] = TREE, focus: tuple[int, ...] = ()) -> Window:
    language = language_of("a.py")
    assert language is not None
    found = {name: dedent(text) for name, text in tree.items()}
    sources = {name: Source(name, text, outline(language, text.encode())) for name, text in found.items()}
    told = resolver()
    for name, source in sources.items():
        told.put(name, source.outline)
    names = [each.name for each in sources[path].outline.symbols]
    anchor = names.index(symbol) if symbol else MODULE
    return around(path, sources.__getitem__, told.links(path), budget, anchor, focus)
