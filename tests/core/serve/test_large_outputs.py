"""What a run printed is read as far as a record keeps it, whatever encoding a shell redirected it in."""

import codecs
import io
import sys

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ccos_core.intake.failures import read
from ccos_core.serve import felt
from ccos_core.serve.cli import troubles
from ccos_core.session.bounds import LARGEST_BLOB
from ccos_core.text.sanitize import clean, joints, redact

ERRORS = "".join(f"src/a{n}.ts({n},4): error TS2304: Cannot find name 'x{n}'.\r\n" for n in range(1, 40))
TOKEN = "ghp_" + "0123456789abcdefghij0123456789ABCDEF"


def test_of_a_flood_only_what_a_record_keeps_is_read(monkeypatch: pytest.MonkeyPatch) -> None:
    sizes = []

    def noting(output: str, command: str = "", ok: bool | None = None) -> object:
        sizes.append(len(output.encode()))
        return read("1 passed in 0.1s\n", command, ok)

    monkeypatch.setattr(felt, "read", noting)
    felt.outcome_of(ERRORS * (3 * LARGEST_BLOB // len(ERRORS)), "tsc")
    assert sizes
    assert max(sizes) <= LARGEST_BLOB


@pytest.mark.parametrize("encoding", ["utf-16-le", "utf-16-be"])
def test_what_failed_is_read_through_the_nuls_of_utf_16(encoding: str) -> None:
    mixed, _ = clean(ERRORS.encode(encoding).decode())
    assert "[U+0000 NUL]" in mixed
    assert read(mixed, "tsc", False) == read(ERRORS, "tsc", False)


@pytest.mark.parametrize("mark", [b"", codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE])
@pytest.mark.parametrize("largest", [2**20, 1_000])
def test_what_a_shell_redirects_in_utf_16(monkeypatch: pytest.MonkeyPatch, mark: bytes, largest: int) -> None:
    """Of a flood the end is read; its encoding is still told by its first bytes."""
    encoding = {b"": "utf-8", codecs.BOM_UTF16_LE: "utf-16-le", codecs.BOM_UTF16_BE: "utf-16-be"}[mark]
    given = mark + ERRORS.encode(encoding)
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(given)))
    monkeypatch.setattr(troubles, "LARGEST_OUTPUT", largest)
    assert troubles._read_end() == (ERRORS if largest > len(given) else given[-largest:].decode(encoding))


def test_where_no_secret_is_cut_no_place_is_worked_out(monkeypatch: pytest.MonkeyPatch) -> None:
    """UTF-16 read as UTF-8 holds a literal for every character: a million of them in 2 MB."""
    worked = []
    places = joints._places
    monkeypatch.setattr(joints, "_places", lambda *given, **more: worked.append(given) or places(*given, **more))
    assert redact(clean(ERRORS.encode("utf-16-le").decode())[0])[1] == ()
    assert not worked
    assert redact(clean(f"x {TOKEN}".encode("utf-16-le").decode())[0])[0].count("REDACTED") == 1


pieces = st.lists(
    st.sampled_from(["a", " ", "\n", TOKEN[:9], TOKEN[9:], "[U+200B ZWSP]", "[U+E0067 TAG:g]"]), max_size=12
)


@settings(max_examples=60)
@given(pieces.map("".join))
def test_places_in_a_cut_text_lead_back_to_the_text(text: str) -> None:
    for pattern, read_tags in ((joints._LITERAL, False), (joints._TAG, True)):
        cut = pattern().sub(r"\1" if read_tags else "", text)
        whole = [(at, at + 1, "each") for at in range(len(cut))]
        for at, (start, _, _) in enumerate(joints._mapped(whole, joints._places(text, pattern, read=read_tags))):
            assert text[start] == cut[at]
