"""From what a report names to symbols and files."""

import pytest

from ccos_core.text.retrieval.mentions import mentions
from ccos_core.text.syntax.resolution import Target
from ccos_core.window.naming import WHOLE, Names
from tests.core.window.trees import Tree
from tests.growth import lines_at_most

FILES = {
    "src/depot/__init__.py": "def open_depot(): pass\n",
    "src/depot/post.py": """\
        class Depot:
            def send(self): pass
            def close(self):
                def inner():
                    pass
                inner()

        class Van:
            def close(self): pass
        """,
    "src/depot/road.py": "def send(): pass\nMAP = {}\n",
    "web/node_modules.py": "def pack(): pass\n",
}
DEPOT, SEND, CLOSE, VAN_CLOSE = (Target("src/depot/post.py", at) for at in (0, 1, 2, 4))
ROAD_SEND = Target("src/depot/road.py", 0)


@pytest.fixture(scope="module")
def names() -> Names:
    tree = Tree(FILES)
    return Names({path: tree.outline(path) for path in tree.paths()})


@pytest.mark.parametrize(
    ("text", "meant"),
    [
        ("Depot.send fails", {SEND: 2 * WHOLE}),
        ("`Depot.send` fails", {SEND: 2 * WHOLE, DEPOT: WHOLE * 2 // 3}),
        ("depot.post.Depot.close hangs", {CLOSE: 2 * WHOLE}),
        ("depot.road.send is slow", {ROAD_SEND: 2 * WHOLE}),
        ("`depot.send`", {SEND: WHOLE // 3, ROAD_SEND: WHOLE // 3}),
        ("call send() twice", {SEND: WHOLE // 3, ROAD_SEND: WHOLE // 3}),
        ("open_depot raises", {Target("src/depot/__init__.py", 0): WHOLE}),
        ("send it to the depot, and close the van", {}),
        ("Depot::close", {CLOSE: 2 * WHOLE}),
        ("Depot.send and then send() again", {SEND: 2 * WHOLE}),
        ("`unheard.of`", {}),
    ],
)
def test_names(names: Names, text: str, meant: dict[Target, int]) -> None:
    assert names.named(mentions(text)) == meant


@pytest.mark.parametrize(
    ("text", "meant"),
    [
        ("see src/depot/road.py", ["src/depot/road.py"]),
        ("see depot/road.py", ["src/depot/road.py"]),
        ("in /usr/lib/python3/site-packages/depot/road.py", ["src/depot/road.py"]),
        (r"in C:\env\Lib\site-packages\depot\road.py", ["src/depot/road.py"]),
        ("https://forge.example/a/depot/blob/main/src/depot/road.py#L3", ["src/depot/road.py"]),
        ("import depot.road as r", ["src/depot/road.py"]),
        ("depot.road.send", ["src/depot/road.py"]),
        ("depot.nowhere", []),
        ("my road.pyc", []),
        ("elsewhere/roads.py", []),
    ],
)
def test_files(names: Names, text: str, meant: list[str]) -> None:
    assert list(names.paths(mentions(text))) == meant


def test_a_frame_goes_by_its_function_where_lines_have_moved(names: Names) -> None:
    text = 'File "/srv/depot/post.py", line 99, in send\nFile "/srv/depot/post.py", line 9, in close\n'
    assert names.spotted(mentions(text).spots) == {VAN_CLOSE: WHOLE, SEND: WHOLE // 2}


def test_a_frame_of_a_lambda_or_of_what_is_inside_goes_by_its_line(names: Names) -> None:
    assert names.spotted(mentions('File "depot/post.py", line 5, in inner').spots) == {CLOSE: WHOLE}
    assert names.spotted(mentions('File "depot/post.py", line 6, in <lambda>').spots) == {CLOSE: WHOLE}
    assert names.spotted(mentions('File "depot/post.py", line 99, in <module>').spots) == {}


def test_a_link_to_several_lines_means_all_that_stands_there(names: Names) -> None:
    found = names.spotted(mentions("https://x.example/a/b/blob/v1/src/depot/post.py#L2-L4").spots)
    assert set(found) == {SEND, CLOSE}


def test_what_the_project_does_not_have_is_nothing(names: Names) -> None:
    text = (
        'Traceback\n  File "/usr/lib/python3.11/json/decoder.py", line 3, in decode\n`json.decoder.JSONDecoder` <x.py>'
    )
    told = mentions(text)
    assert (names.spotted(told.spots), names.named(told), names.paths(told)) == ({}, {}, {})


def test_a_change_of_one_file_leaves_others_of_the_same_names_alone() -> None:
    outline = Tree({"a.py": "class Van:\n    def close(self): pass\n"}).outline("a.py")
    names = Names({f"part{at}/a.py": outline for at in range(1_000)})
    with lines_at_most(100):
        names.put("part500/a.py", outline)
    told = list(names.named(mentions("Van.close")))
    assert (len(told), told[-1]) == (1_000, Target("part500/a.py", 1)), "what changed last is last"
    names.drop("part7/a.py")
    assert Target("part7/a.py", 1) not in names.named(mentions("Van.close"))
