"""What a person types finds what they mean, or says what it could be."""

import pytest

from ccos_core.errors import NotFound, Usage
from ccos_core.text.syntax.resolution import Target
from ccos_core.window.code import find, spelled
from tests.core.state.small import Tale

TREE = {
    "src/api.py": "def handle():\n    pass\n\n\nclass Api:\n    def run(self):\n        pass\n",
    "src/db.py": "def connect():\n    pass\n\n\ndef connect():\n    return 1\n\n\nclass Db:\n    def run(self): 1\n",
    "lib/db.py": "X = 1\n",
    "Makefile": "all:\n",
}
CODE = Tale(TREE)


@pytest.mark.parametrize(
    ("said", "meant"),
    [
        ("src/api.py", "file:src/api.py"),
        ("./src/api.py", "file:src/api.py"),
        ("api.py", "file:src/api.py"),
        ("file:src/api.py", "file:src/api.py"),
        ("Makefile", "file:Makefile"),
        ("handle", "sym:src/api.py#handle"),
        ("Api.run", "sym:src/api.py#Api.run"),
        ("api.py#run", "sym:src/api.py#Api.run"),
        ("src/api.py::Api::run", "sym:src/api.py#Api.run"),
        ("sym:src/db.py#connect", "sym:src/db.py#connect"),
        ("sym:src/db.py#connect~2", "sym:src/db.py#connect~2"),
        ("src/db.py#connect", "sym:src/db.py#connect"),
    ],
)
def test_what_is_meant(said: str, meant: str) -> None:
    assert spelled(find(said, CODE), CODE) == meant


@pytest.mark.parametrize(
    ("said", "candidates"),
    [
        ("db.py", ["src/db.py", "lib/db.py"]),
        ("run", ["sym:src/api.py#Api.run", "sym:src/db.py#Db.run"]),
        ("connect", ["sym:src/db.py#connect", "sym:src/db.py#connect~2"]),
    ],
)
def test_what_means_several_things_lists_them(said: str, candidates: list[str]) -> None:
    with pytest.raises(Usage) as told:
        find(said, CODE)
    assert all(each in told.value.hint for each in candidates)


@pytest.mark.parametrize(
    ("said", "near"), [("handel", "handle"), ("src/appi.py", "src/api.py"), ("api.py#rum", "run"), ("", "")]
)
def test_what_isnt_there_names_what_is_near(said: str, near: str) -> None:
    with pytest.raises(NotFound) as told:
        find(said, CODE)
    assert near in told.value.hint


def test_a_file_is_a_target_without_a_symbol() -> None:
    assert find("lib/db.py", CODE) == Target("lib/db.py")


def test_a_wave_in_a_path_is_no_number() -> None:
    code = Tale({"a~b.py": "class A:\n    def f(self): 1\n\n\nclass B:\n    def f(self): 2\n"})
    with pytest.raises(Usage):
        find("a~b.py#f", code)
    assert spelled(find("a~b.py#B.f", code), code) == "sym:a~b.py#B.f"


@pytest.mark.parametrize("number", ["²", "٣", "9" * 5_000])
def test_what_is_no_number_counts_for_none(number: str) -> None:
    assert spelled(find(f"api.py#handle~{number}", CODE), CODE) == "sym:src/api.py#handle"
