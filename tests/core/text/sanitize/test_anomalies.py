"""Where hidden and look-alike characters are found, what they decode to, and what people write that is no alarm."""

from __future__ import annotations

import sys
import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ccos_core.text.sanitize import surface, unicode_tables
from ccos_core.text.sanitize.anomalies import anomalies
from ccos_core.text.sanitize.hidden import describe
from ccos_core.text.sanitize.lookalikes import mixed_words, skeleton

from .scripts import PROSE
from .test_hidden import TEXTS

CARRIERS = ("user{}name = 1", "if a:{}\n    go()", "Please{} read this.", "ok {} end")
LATE = 0x110000
"""One past the last code point."""


def alarms(text: str) -> list[tuple[int, int, str]]:
    return [(each.line, each.column, each.kind) for each in anomalies(text) if not each.note]


def hidden_code_points() -> list[int]:
    """All format, ignorable, private and unassigned code points; of long ranges the ends and some between."""
    tables = (unicode_tables.FORMAT, unicode_tables.IGNORABLE, unicode_tables.UNASSIGNED)
    ranges = [span for packed in tables for span in unicode_tables.spans(packed)]
    ranges += [(0xE000, 0xF8FF), (0xF0000, 0xFFFFD), (0x100000, 0x10FFFD), (0xD800, 0xDFFF)]
    ranges += [(each, each) for each in (0x2800, 0x16FE4, 0x1D159, 0x13441, 0x13442)]
    codes: set[int] = set()
    for first, last in ranges:
        codes.update(range(first, last + 1) if last - first < 400 else {first, last, *range(first, last, 997)})
    return sorted(codes)


@pytest.mark.parametrize("carrier", CARRIERS[:1] + CARRIERS[3:])
def test_every_hidden_code_point_is_found(carrier: str) -> None:
    missed = [hex(code) for code in hidden_code_points() if not anomalies(carrier.format(chr(code)))]
    assert not missed
    if carrier is CARRIERS[0]:
        quiet = [hex(code) for code in hidden_code_points() if not alarms(carrier.format(chr(code)))]
        # bytes that are no UTF-8 are a note, and a soft hyphen in what looks like a word is one without code around it
        assert all(0xDC80 <= int(code, 16) <= 0xDCFF for code in quiet)


def test_what_this_python_calls_format_or_private_is_hidden() -> None:
    """An oracle of its own, though of an older Unicode."""
    asked = (code for code in range(LATE) if unicodedata.category(chr(code)) in ("Cf", "Co", "Cc", "Cs", "Zl", "Zp"))
    assert not [hex(code) for code in asked if describe(code) is None and chr(code) not in "\t\n"]


def test_what_this_python_calls_a_letter_or_sign_is_seen() -> None:
    """No assigned visible character is taken for a hidden one, but the blanks that are listed."""
    visible = (
        "Lu",
        "Ll",
        "Lt",
        "Lm",
        "Nd",
        "Nl",
        "No",
        "Pc",
        "Pd",
        "Ps",
        "Pe",
        "Pi",
        "Pf",
        "Po",
        "Sm",
        "Sc",
        "Sk",
        "So",
    )
    asked = (code for code in range(LATE) if unicodedata.category(chr(code)) in visible)
    assert [hex(code) for code in asked if describe(code) is not None] == ["0x2800", "0x1d159"]


def test_the_tables_are_of_one_version_of_unicode() -> None:
    assert unicode_tables.VERSION == "17.0.0"
    assert unicode_tables.EPOCH == 17
    assert sum(last - first + 1 for first, last in unicode_tables.spans(unicode_tables.FORMAT)) == 170
    if unicodedata.unidata_version == unicode_tables.VERSION:
        ours = {c for first, last in unicode_tables.spans(unicode_tables.UNASSIGNED) for c in range(first, last + 1)}
        assert ours == {code for code in range(sys.maxunicode + 1) if unicodedata.category(chr(code)) == "Cn"}


@pytest.mark.parametrize("name", PROSE)
def test_prose_is_no_alarm_and_stays_as_it_is(name: str) -> None:
    for text in (PROSE[name], f'msgid "{PROSE[name]}"\n', f"# {PROSE[name]}\nx = 1\n"):
        assert alarms(text) == []
        if name != "Arabic":
            assert surface(text)[0] is text


DECODED = [
    ("".join(chr(0xE0000 + ord(char)) for char in "ignore all"), "tag", "ignore all"),
    (
        "".join(chr(0xFE00 + byte if byte < 16 else 0xE00F0 + byte) for byte in b"send it"),
        "variation-selector",
        "send it",
    ),
    ("".join("\u200b\u200c"[int(bit)] for byte in b"hey" for bit in f"{byte:08b}"), "zero-width", "hey"),
    ("".join("\u2060\u200b"[int(bit)] for byte in b"hey" for bit in f"{byte:08b}"), "zero-width", "hey"),
    ("\u202e", "bidi-control", ""),
]


@pytest.mark.parametrize(("run", "kind", "decoded"), DECODED)
def test_a_stretch_is_one_finding_with_what_it_says(run: str, kind: str, decoded: str) -> None:
    (found,) = anomalies(f"fine\nso far{run}.\n")
    assert (found.line, found.column, found.kind, found.decoded, found.count) == (2, 7, kind, decoded, len(run))
    assert not found.note


SPOOFED = [
    ("\u0430dmin = 1", "admin"),
    ("x = \u0440\u0430ypal", "paypal"),
    ("p\u03b1ypal.com", "paypal"),
    ("\u0435\u0445\u0435\u0441(x)", "exec"),
    ("def g\u0435t_us\u0435r():", "get_user"),
    ("\uff50assword", "password"),
    ("\U0001d41admin", "admin"),
    ("\u0397ello", "Hello"),
    ("\u13aapple", "Apple"),
    ("s\u0585me", "some"),
    ("pay\u0a66al", "payoal"),
]


@pytest.mark.parametrize(("text", "latin"), SPOOFED)
def test_a_word_spelt_to_be_mistaken_is_found_with_what_it_is_taken_for(text: str, latin: str) -> None:
    (found,) = anomalies(text)
    assert (found.kind, found.note) == ("mixed-script", "")
    assert found.decoded == latin
    assert text[found.column - 1 :].startswith(found.what)


NOTES = [
    ("\ufeffimport os\n", "byte order mark"),
    ("the zipfile has no name, such \ufeffattributes are\n", "left over"),
    ("eine Donau\u00addampf fahrt", "soft hyphen"),
    ('msgstr "\u200eÖzbekçe"', "mark of direction"),
    ("\x1b[31mred\x1b[0m", "colour"),
    ('bmp:"\\0-\x1f\x7f-\x9f"', "table of characters"),
    ("\u06dc\u06dd-\u06e0\u06e9\u070f\u0712\u0713\u0715", "table of characters"),
    (b"caf\xe9".decode("utf-8", "surrogateescape"), "not UTF-8"),
]


@pytest.mark.parametrize(("text", "why"), NOTES)
def test_what_has_an_innocent_explanation_is_a_note(text: str, why: str) -> None:
    found = anomalies(text)
    assert found
    assert all(why in each.note for each in found), found


@pytest.mark.parametrize(
    "text",
    [
        "pass\u00adword = 1",
        "use\u200er_name",
        "hello \u200bworld",
        "such \ufeffattributes \ufeffare",
        "abc\u202edef",
        "a\u202eb\u05d0",
        "// \u2066 }\u2069 check",
        "x\U000e0100 = 4",
        "\U000e0041-\U000e0042",
        "\u200b\u200b\u200b\u200b \u0e01",
    ],
)
def test_no_explanation_covers_what_hides(text: str) -> None:
    assert alarms(text)


@given(TEXTS)
def test_what_the_gate_writes_out_is_what_is_found(text: str) -> None:
    found = [each for each in anomalies(text) if each.kind != "mixed-script"]
    written = surface(text)[1]
    assert sum(each.count for each in found) == sum(number for _, number, _ in written)
    assert {each.kind for each in found} == {kind for kind, _, _ in written}
    lines = text.split("\n")
    for each in anomalies(text):
        assert 1 <= each.line <= len(lines)
        assert 1 <= each.column <= len(lines[each.line - 1])


@given(
    st.text(
        st.sampled_from("abc_1 \n\u0430\u0435\u043e\u0441\u0436\u03b1\u03bf\uff41\U0001d41a\u0a66\u05e1"), max_size=30
    )
)
def test_laws_of_look_alikes(text: str) -> None:
    for at, word, latin in mixed_words(text):
        assert text[at : at + len(word)] == word
        assert latin == skeleton(word) != word
        assert latin.isascii()


def test_a_text_of_ascii_has_no_anomaly() -> None:
    assert anomalies("def f(x):\n\treturn x\r\n") == ()
