"""From text to outline: bounded by counts, honest about what it gave up, and never downloading anything."""

import sys
from collections.abc import Iterator

import pytest

from ccos_core import grammars
from ccos_core.text.syntax.languages import LANGUAGES, Language, interpreters, language_of
from ccos_core.text.syntax.parse import LARGEST, is_ready, machinery, outline

PYTHON = LANGUAGES[0]


@pytest.fixture(autouse=True)
def _afresh() -> Iterator[None]:
    """Nobody finds what another test made of it, nor what a test here did without a grammar."""
    machinery.cache_clear()
    yield
    machinery.cache_clear()


@pytest.mark.parametrize("language", LANGUAGES, ids=lambda language: language.name)
def test_every_language_of_the_table_has_all_it_needs(language: Language) -> None:
    assert is_ready(language)
    assert outline(language, b"").flaws == ()


def test_it_is_made_once() -> None:
    assert machinery(PYTHON) is machinery(PYTHON)


def test_errors_in_the_text_are_said_and_the_rest_is_read() -> None:
    found = outline(PYTHON, b"def f(): pass\n\ndef g(:\n\nclass A: pass\n")
    assert found.flaws == ("syntax",)
    assert "f" in {symbol.name for symbol in found.symbols}


def test_what_is_too_large_is_not_read() -> None:
    assert outline(PYTHON, b"x" * (LARGEST + 1)).flaws == ("large",)
    assert outline(PYTHON, b"#" * LARGEST).flaws == ()


def test_patience_ends_by_count_and_the_next_source_is_read(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(grammars, "PATIENCE", -10_000)
    assert outline(PYTHON, b"x = 1\n" * 20_000).flaws == ("hostile",)
    monkeypatch.undo()
    assert [symbol.name for symbol in outline(PYTHON, b"x = 1").symbols] == ["x"]


def test_without_a_grammar_there_is_no_outline(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "tree_sitter_language_pack", None)
    assert outline(PYTHON, b"x = 1").flaws == ("no grammar",)


def test_a_pack_that_would_download_is_left_alone(monkeypatch: pytest.MonkeyPatch) -> None:
    import tree_sitter_language_pack as pack

    monkeypatch.setattr(pack, "DownloadManager", object, raising=False)
    assert outline(PYTHON, b"x = 1").flaws == ("no grammar",)


def test_a_grammar_the_pack_lacks() -> None:
    assert machinery(Language("klingon", 1, (".tlh",), "klingon", "python", "python")) is None


@pytest.mark.parametrize(
    ("path", "name"),
    [("a.py", "python"), ("a/B.PYI", "python"), ("a.txt", None), ("py", None), ("a.py/b", None), (".py", "python")],
)
def test_whose_a_path_is(path: str, name: str | None) -> None:
    found = language_of(path)
    assert (found.name if found else None) == name


def test_versions_are_told_for_the_epoch() -> None:
    assert interpreters()["python"] == PYTHON.version
    assert len(interpreters()) == len(LANGUAGES)
