"""What is surfaced, under which name, and what is left alone because people write so."""

from __future__ import annotations

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from ccos_core.text.sanitize import surface

SURFACED = [
    ("\u202e", "[U+202E RLO]", "bidi-control"),
    ("\u2066", "[U+2066 LRI]", "bidi-control"),
    ("\u200f", "[U+200F RLM]", "bidi-control"),
    ("\u061c", "[U+061C ALM]", "bidi-control"),
    ("\u200b", "[U+200B ZWSP]", "zero-width"),
    ("\u200c", "[U+200C ZWNJ]", "zero-width"),
    ("\u200d", "[U+200D ZWJ]", "zero-width"),
    ("\u2060", "[U+2060 WJ]", "zero-width"),
    ("\ufeff", "[U+FEFF ZWNBSP]", "zero-width"),
    ("\u00ad", "[U+00AD SHY]", "zero-width"),
    ("\u180e", "[U+180E MVS]", "zero-width"),
    ("\U000e0048", "[U+E0048 TAG:H]", "tag"),
    ("\U000e0020", "[U+E0020 TAG:SPACE]", "tag"),
    ("\U000e007f", "[U+E007F TAG:CANCEL]", "tag"),
    ("\x1b", "[U+001B ESC]", "control"),
    ("\x00", "[U+0000 NUL]", "control"),
    ("\x7f", "[U+007F DEL]", "control"),
    ("\x85", "[U+0085 NEL]", "control"),
    ("\x9b", "[U+009B CSI]", "control"),
    ("\r", "[U+000D CR]", "control"),
    ("\x0b", "[U+000B VT]", "control"),
    ("\u2028", "[U+2028 LSEP]", "format"),
    ("\u2062", "[U+2062 TIMES]", "format"),
    ("\u206f", "[U+206F NODS]", "format"),
    ("\ufffb", "[U+FFFB IAT]", "format"),
    ("\u3164", "[U+3164 HF]", "format"),
    ("\u115f", "[U+115F HCF]", "format"),
    ("\uffa0", "[U+FFA0 HWHF]", "format"),
    ("\U0001d173", "[U+1D173 MUSIC]", "format"),
    ("\uffff", "[U+FFFF NONCHARACTER]", "format"),
    ("\ufe00", "[U+FE00 VS1]", "variation-selector"),
    ("\ufe0f", "[U+FE0F VS16]", "variation-selector"),
    ("\U000e0100", "[U+E0100 VS17]", "variation-selector"),
    ("\U000e01ef", "[U+E01EF VS256]", "variation-selector"),
    ("\ud800", "[U+D800 SURROGATE]", "surrogate"),
    ("\udfff", "[U+DFFF SURROGATE]", "surrogate"),
    ("\udcff", "[BYTE 0xFF]", "undecodable-byte"),
]

UNTOUCHED = [
    "plain\ttext\nof two lines\r\nand CRLF\r\n",
    "déjà vu, naïve, Größe, 日本語, 한국어, עברית, العربية",
    "👩\u200d👩\u200d👧\u200d👦 family, 👩🏽\u200d💻 with a skin tone, 🏳\ufe0f\u200d🌈 a flag",
    "❤\ufe0f\u200d🔥 ✔\ufe0f ⚠\ufe0f ☎\ufe0e ©\ufe0f",
    "1\ufe0f\u20e3 #\ufe0f\u20e3",
    "🏴" + "".join(chr(0xE0000 + ord(c)) for c in "gbsct") + "\U000e007f",
    "نمی\u200cخواهم",
    "क्\u200dष and क्\u200d at an end",
    "ශ්\u200dරී",
    "ক\u200cখ",
    "wide\u3000and no-break\u00a0spaces, ⠋⠀⠙ Braille",
    "int a;\n\x0c\nint b;\n",
    "[U+202E RLO] written out",
    "葛\U000e0100城市 and 辻\U000e0101 with registered variants",
    "ᠮᠣᠩᠭᠣᠯ\u180b ᠬᠠᠨ\u180e᠎ᠠ".replace("\u180e\u180e", "\u180e"),
    "\u0600١٢ \u06dd٣ \u070fܐܒ \u060112",
    "⠋⠀⠀⠀⠙ art",
    "می\u200cخواهم نمی\u200cتوانم",
]


@pytest.mark.parametrize(("char", "literal", "kind"), SURFACED)
def test_a_hidden_character_becomes_its_literal(char: str, literal: str, kind: str) -> None:
    assert surface(f"a\nb{char}c{char}") == (f"a\nb{literal}c{literal}", ((kind, 2, 2),))


@pytest.mark.parametrize("text", UNTOUCHED)
def test_legitimate_text_is_the_same_object(text: str) -> None:
    result, findings = surface(text)
    assert result is text
    assert findings == ()


def test_a_leading_mark_of_byte_order_goes_and_is_told() -> None:
    assert surface("\ufeffabc") == ("abc", (("bom", 1, 1),))
    assert surface("\ufeff\ufeffabc") == ("[U+FEFF ZWNBSP]abc", (("bom", 1, 1), ("zero-width", 1, 1)))


def test_a_message_in_tags_can_be_read() -> None:
    hidden = "".join(chr(0xE0000 + ord(char)) for char in "Hi")
    assert surface(f"ok{hidden}")[0] == "ok[U+E0048 TAG:H][U+E0069 TAG:i]"


@pytest.mark.parametrize(
    "text",
    [
        "a\u200db",
        "👩\u200d\u200d👧",
        "👩\u200d",
        "ب\u200c\u200cب",
        "ب\u200cb",
        "1\ufe0f",
        "x\ufe0f",
        "✔\ufe0f\ufe0f",
        "🏴" + "".join(chr(0xE0000 + ord(c)) for c in "usca") + "\U000e007f",
        "a\x0cb",
        "a\r\r\n",
        "x\U000e0100",
        "葛\U000e0100\U000e0101",
        "葛\U000e01ef",
        "a\u180bb",
        "\u180e",
        "ᠮ\u180b\u180b",
        "\u0600a",
        "\u06dd",
        "a\u2800b",
        "\u2800\n⠋",
        "ب\u200cب\u200dب\u200cب\u200dب\u200cب\u200dب",
        "क\u200dक\u200cक\u200dक\u200dक\u200cक",
    ],
)
def test_what_only_looks_like_a_legitimate_sequence_is_surfaced(text: str) -> None:
    result, findings = surface(text)
    assert result != text
    assert findings
    assert surface(result) == (result, ())


ODD = st.sampled_from(
    [
        *(char for char, _, _ in SURFACED),
        "👩",
        "🏴",
        "ب",
        "क",
        "्",
        "1",
        "\u20e3",
        "\n",
        "\r\n",
        "\x0c",
        "\U000e0067",
        "[U+",
    ]
)
TEXTS = st.lists(st.one_of(ODD, st.characters(), st.text(max_size=5)), max_size=30).map("".join)


@given(TEXTS)
@example("\ufeff\x0c\n")
@example("\ufeff\r\n")
def test_laws(text: str) -> None:
    result, findings = surface(text)
    assert surface(result) == (result, ())
    assert result.count("\n") == text.count("\n")
    assert bool(findings) == (result != text)
    assert (result is text) or findings
    assert list(findings) == sorted(findings)
    assert len({kind for kind, _, _ in findings}) == len(findings)
    assert all(count > 0 and 1 <= line <= text.count("\n") + 1 for _, count, line in findings)
    result.encode()  # no lone surrogate is left


@given(st.text(st.characters(min_codepoint=32, max_codepoint=126), max_size=200))
def test_clean_ascii_is_the_same_object(text: str) -> None:
    assert surface(text)[0] is text
