"""Paths as the record spells them: mapped by text alone, the same on every machine, and stable once written."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ccos_core.values.paths import NOWHERE, Place, home_of, inside, is_absolute, recorded

PLACE = Place(("/home/ann/proj", "/mnt/real/proj"), "/home/ann")
PARTS = st.sampled_from(["a", "b.py", "..", ".", "", "~", "src", "C:"])
SAID = st.lists(PARTS, min_size=1, max_size=6).map("/".join)


@pytest.mark.parametrize(
    ("said", "path"),
    [
        ("/home/ann/proj/src/a.py", "src/a.py"),
        ("/mnt/real/proj/src/a.py", "src/a.py"),
        ("/home/ann/proj", "."),
        ("/home/ann/project2/a.py", "~/project2/a.py"),
        ("/home/ann/notes.md", "~/notes.md"),
        ("/home/anna/notes.md", "/home/anna/notes.md"),
        ("/home/ann", "~"),
        ("/usr/lib/x.py", "/usr/lib/x.py"),
        ("src/./a//b/../c.py", "src/a/c.py"),
        ("./a.py", "a.py"),
        ("../x", "../x"),
        ("a/../../x", "../x"),
        ("/../../etc", "/etc"),
        ("/home/ann/proj/../other", "~/other"),
        ("src\\a.py", "src/a.py"),
        ("C:\\proj\\a.py", "C:/proj/a.py"),
        ("C:/../../x", "C:/x"),
        ("C:\\", "C:/"),
        ("src/odd\\name", "src/odd\\name"),
        ("~/x", "~/x"),
        ("~/../x", "~/../x"),
        ("", "."),
    ],
)
def test_spelling(said: str, path: str) -> None:
    assert recorded(said, PLACE) == path


def test_relative_to_where_the_host_stood() -> None:
    assert recorded("a.py", PLACE, cwd="src") == "src/a.py"
    assert recorded("../a.py", PLACE, cwd="src/deep") == "src/a.py"
    assert recorded("../../a.py", PLACE, cwd="src") == "../a.py"
    assert recorded("/home/ann/proj/a.py", PLACE, cwd="src") == "a.py"
    assert recorded("a.py", PLACE, cwd="~/other") == "~/other/a.py"


def test_a_drive_is_a_root_too() -> None:
    place = Place(("C:\\Users\\ann\\proj",), "C:\\Users\\ann")
    assert recorded("C:\\Users\\ann\\proj\\src\\a.py", place) == "src/a.py"
    assert recorded("C:/Users/ann/notes.md", place) == "~/notes.md"
    assert recorded("D:\\x", place) == "D:/x"


@given(SAID | SAID.map("/".__add__), st.sampled_from([PLACE, NOWHERE]))
def test_once_recorded_it_stays(said: str, place: Place) -> None:
    path = recorded(said, place)
    assert recorded(path, NOWHERE) == path
    assert recorded(path, place) == path


@given(SAID)
def test_what_lies_inside_stays_inside(said: str) -> None:
    path = recorded("/home/ann/proj/" + said, PLACE)
    if inside(path):
        assert not is_absolute(path)
        assert ".." not in path.split("/")


@pytest.mark.parametrize("path", ["/etc/x", "C:/x", "../x", "..", "~/x", "~"])
def test_outside(path: str) -> None:
    assert not inside(path)


@pytest.mark.parametrize("path", [".", "a", "a/b", "..a", "~a"])
def test_inside(path: str) -> None:
    assert inside(path)


@pytest.mark.parametrize(
    ("path", "home"),
    [
        ("/home/ann/proj/a.py", "/home/ann"),
        ("/Users/kim", "/Users/kim"),
        ("C:\\Users\\kim\\proj", "C:/Users/kim"),
        ("/root", "/root"),
        ("/home", ""),
        ("/testbed", ""),
        ("home/ann/proj", ""),
        ("", ""),
    ],
)
def test_homes_show_in_how_they_are_spelled(path: str, home: str) -> None:
    assert home_of(path) == home
