"""Where searched words stand in a line."""

from __future__ import annotations

import unicodedata

import pytest

from ccos_tui.present.matches import matches


def found(text: str, words: str) -> list[str]:
    return [text[begin:end] for begin, end in matches(text, words)]


def test_each_of_several_words_is_found_in_order() -> None:
    assert found("the cause of the Failure is the cause", "failure\ncause") == ["cause", "Failure", "cause"]
    assert found("failures", "fail\nfailures") == ["fail"]
    assert found("a line", "") == []


@pytest.mark.parametrize("form", ["NFC", "NFD"])
@pytest.mark.parametrize("asked", ["NFC", "NFD"])
def test_accents_may_be_characters_of_their_own(form: str, asked: str) -> None:
    text, word = unicodedata.normalize(form, "un café noir"), unicodedata.normalize(asked, "café")
    assert [unicodedata.normalize("NFC", each) for each in found(text, word)] == ["café"]
