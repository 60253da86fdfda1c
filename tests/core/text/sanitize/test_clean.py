"""The laws of both steps together, on texts made to break them; and what this room may cost."""

from __future__ import annotations

import subprocess
import sys

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from ccos_core.text.sanitize import clean, redact, surface
from tests.growth import assert_linear_cpu

from .plants import PASSWORDS, PEM_LINES, VENDOR_SECRETS, pem

PIECES = st.one_of(
    VENDOR_SECRETS,
    PASSWORDS,
    PEM_LINES.map(pem),
    st.sampled_from(
        [
            *(
                "password",
                "token",
                "api_key",
                "SECRET",
                "DB_PASSWORD",
                "secret_key",
                "Authorization",
                "bearer ",
                "REDACTED_X",
            ),
            *(
                "=",
                " = ",
                ": ",
                '"',
                "'",
                "`",
                '\\"',
                "\\",
                "\\n",
                ",",
                ";",
                "&",
                "(",
                ")",
                "<",
                ">",
                "</",
                "{",
                "}",
                "|",
            ),
            *(
                "\n",
                "\r\n",
                "\r",
                " ",
                "\t",
                "://",
                "@",
                ":",
                "--",
                "export ",
                "curl -u ",
                "login a password ",
                "[U+",
                "]",
            ),
            *(
                "\u200b",
                "\x1b[0m",
                "\x00",
                "\ufeff",
                "\u200d",
                "\ufe0f",
                "👩",
                "ب",
                "\u200c",
                "\U000e0041",
                "İ",
                "ß",
                "\udc80",
            ),
        ]
    ),
    st.text(max_size=6),
)
TEXTS = st.lists(PIECES, max_size=14).map("".join)


@given(TEXTS)
@example('password="a1b2c3"password="a1b2c3"')
@example("PASSWORD=ab1&PASSWORD=cd2")
def test_laws(text: str) -> None:
    for step in (redact, clean):
        result, findings = step(text)
        assert step(result) == (result, ())
        assert result.count("\n") == text.count("\n")
        assert result.count("\r\n") == text.count("\r\n")
        assert bool(findings) == (result != text)
        assert findings or result is text
        assert [kind for kind, _, _ in findings] == sorted({kind for kind, _, _ in findings})
        assert all(count > 0 and 1 <= line <= text.count("\n") + 1 for _, count, line in findings)
    visible, _ = surface(clean(text)[0])
    assert visible == clean(text)[0]


def test_findings_name_kind_count_and_first_line() -> None:
    secret = "gh" + "p_" + "a1B2" * 9
    text = f"\ufeffone\ntwo \u200b {secret}\n{secret}\n"
    assert clean(text) == (
        "one\ntwo [U+200B ZWSP] REDACTED_GITHUB_TOKEN\nREDACTED_GITHUB_TOKEN\n",
        (("bom", 1, 1), ("secret:github-token", 2, 2), ("zero-width", 1, 2)),
    )


def test_a_coloured_search_hit_is_masked() -> None:
    result, _ = clean('\x1b[01;31m\x1b[Kpassword\x1b[m\x1b[K = "hunter' + '2"')
    assert "hunter" not in result


HOSTILE = [
    *("a", '"', "\\", "password=", 'password="', 'password=\\"', "token: ", "token:", "PASSWORD=a1&", "-----BEGIN "),
    *(
        "-----BEGIN " + "PRIVATE KEY-----\n",
        "Private-Lines: 1\n",
        "eyJ",
        "eyJaaaaaaaaa.",
        "\\neyJ",
        "://",
        "http://a:b@",
        "bearer ",
    ),
    *("authorization: bearer ", "MTA4", "AKIA", "sk-", "xoxb-", "key-", "curl -u ", "login a password ", "<password>a"),
    *(
        ";password=b1",
        "\u200b",
        "👩\u200d",
        "\x1b[31m",
        "[U+200B ZWSP]",
        "\r",
        "\udc80",
        "\U000e0067",
        "İ",
        "A0",
        "pat",
    ),
]


@pytest.mark.parametrize("piece", HOSTILE)
def test_no_input_runs_away(piece: str) -> None:
    def flood(characters: int) -> str:
        return (piece * (characters // len(piece) + 1))[:characters]

    def work(text: str) -> None:
        assert clean(text)[0].count("\n") == text.count("\n")

    assert_linear_cpu(flood, work, 2_000)


def test_only_re_is_imported() -> None:
    script = (
        "import re, sys; import ccos_core.text; before = set(sys.modules)\n"
        "from ccos_core.text.sanitize import clean\n"
        "clean('\\u200b password = \"abc123def\" -----BEGIN ' + 'PRIVATE KEY----- https://a:b@c')\n"
        "print(sorted(name for name in set(sys.modules) - before if not name.startswith('ccos_core.text.sanitize')))"
    )
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True)
    assert done.stdout.strip() in ("[]", "['__future__']")
