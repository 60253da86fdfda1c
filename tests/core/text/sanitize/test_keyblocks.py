"""Private keys in every dress: over lines, on one line, quoted line by line, numbered, cut off."""

from __future__ import annotations

import ast
import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ccos_core.text.sanitize import redact

from .plants import PEM_LINES, pem

MASK = "REDACTED_PRIVATE_KEY"
LABELS = st.sampled_from(
    [
        "PRIVATE KEY",
        "RSA PRIVATE KEY",
        "EC PRIVATE KEY",
        "ENCRYPTED PRIVATE KEY",
        "OPENSSH PRIVATE KEY",
        "PGP PRIVATE KEY BLOCK",
    ]
)


@given(PEM_LINES, LABELS, st.sampled_from(["\n", "\r\n", "\\n", "\\r\\n", "\\\\n"]))
def test_lines_are_kept_and_masked(lines: list[str], label: str, newline: str) -> None:
    assert redact(f"a{newline}{pem(lines, label, newline)}{newline}b")[0] == (
        f"a{newline}{pem([MASK] * len(lines), label, newline)}{newline}b"
    )


@given(PEM_LINES)
def test_inside_json(lines: list[str]) -> None:
    text = json.dumps({"private_key": pem(lines) + "\n", "id": 1})
    assert json.loads(redact(text)[0]) == {"private_key": pem([MASK] * len(lines)) + "\n", "id": 1}


@given(PEM_LINES)
def test_quoted_line_by_line(lines: list[str]) -> None:
    source = "k = (" + "\n     ".join(f'"{line}\\n"' for line in pem(lines).split("\n")) + ")\n"
    result, _ = redact(source)
    assert not any(line in result for line in lines)
    assert ast.parse(result).body[0].value.value == pem([MASK] * len(lines)) + "\n"  # type: ignore[attr-defined]


@given(PEM_LINES)
def test_numbered_by_a_tool(lines: list[str]) -> None:
    numbered = "\n".join(f"{number:6}→{line}" for number, line in enumerate(pem(lines).split("\n"), 1))
    result, _ = redact(numbered)
    assert not any(line in result for line in lines)
    assert "     2→REDACTED" in result


@given(PEM_LINES, st.sampled_from(["-", "+", " ", "--", "- ", "-   ", "+\t"]))
def test_in_a_diff(lines: list[str], mark: str) -> None:
    diff = "\n".join(mark + line for line in pem(lines).split("\n"))
    assert redact(diff)[0] == "\n".join(mark + line for line in pem([MASK] * len(lines)).split("\n"))


@given(PEM_LINES)
def test_cut_off(lines: list[str]) -> None:
    whole = pem(lines)
    result, _ = redact(whole[: whole.index("-----END")] + "\nand then prose\nword\n")
    assert not any(line in result for line in lines)
    assert result.endswith("\n\nand then prose\nword\n")


def test_headings_and_short_last_lines() -> None:
    body = ["Proc-Type: 4,ENCRYPTED", "DEK-Info: AES-128-CBC,AB12", "", "aB3/" * 16, "xY9="]
    expected = pem(["Proc-Type: 4,ENCRYPTED", "DEK-Info: AES-128-CBC,AB12", "", MASK, MASK])
    assert redact(pem(body))[0] == expected


def test_joined_by_spaces() -> None:
    result, _ = redact(pem(["aB3/" * 16, "cD4+" * 16]).replace("\n", " "))
    assert "aB3/" not in result
    assert "cD4+" not in result


@pytest.mark.parametrize("kind", ["PUBLIC KEY", "CERTIFICATE", "CERTIFICATE REQUEST", "PGP MESSAGE"])
def test_what_is_public_stays(kind: str) -> None:
    text = pem(["aB3/" * 16], kind)
    assert redact(text)[0] is text
