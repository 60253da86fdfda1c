"""Every vendor's key is gone from the output, whatever stands around it; shapes that are no keys stay."""

from __future__ import annotations

import ast
import json
import re

import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from ccos_core.text.sanitize import clean, redact
from ccos_core.text.sanitize.spans import mask_of
from ccos_core.text.sanitize.vendors import ANYWHERE, IN_RUNS, SHAPES_ANYWHERE, SHAPES_IN_RUNS, _any_of

from .plants import EDGES, VENDOR_SECRETS, VENDORS


@pytest.mark.parametrize("vendor", VENDORS)
def test_a_key_is_masked_as_a_word(vendor: str) -> None:
    @settings(max_examples=15)
    @given(VENDORS[vendor])
    def check(secret: str) -> None:
        text = f"before {secret} after"
        result, findings = redact(text)
        assert secret[-12:] not in result
        assert result.startswith("before ")
        assert result.endswith(" after")
        assert "REDACTED_" in result
        assert findings

    check()


@given(st.text(max_size=30), EDGES, VENDOR_SECRETS, EDGES, st.text(max_size=30))
def test_no_surroundings_hide_a_key(before: str, left: str, secret: str, right: str, after: str) -> None:
    assume(secret[-16:] not in before + after)
    result, _ = clean(before + left + secret + right + after)
    assert secret not in result
    assert secret[-16:] not in result


@given(
    VENDOR_SECRETS,
    st.data(),
    st.sampled_from(["\u200b", "\u2060", "\x00", "\x1b[31m", "\x1b[0m", "\u202e", "\r", "\udc80"]),
)
def test_hidden_characters_inside_do_not_save_a_key(secret: str, data: st.DataObject, hidden: str) -> None:
    cut = data.draw(st.integers(1, len(secret) - 1))
    result, _ = clean(f"x = {secret[:cut]}{hidden}{secret[cut:]}\n")
    assert secret[-16:] not in result
    assert secret[cut:] not in result or len(secret) - cut < 8
    assert clean(result)[0] == result


@given(VENDOR_SECRETS)
def test_a_key_spelt_in_tags_is_masked(secret: str) -> None:
    result, _ = clean("ok " + "".join(chr(0xE0000 + ord(char)) for char in secret))
    assert "".join(f"[U+E00{ord(char):02X} TAG:{char}]" for char in secret[-8:]) not in result


@given(VENDOR_SECRETS, st.sampled_from(['x = "{}"', "x = '{}'\ny = 2", 'f(k="a", t="{}")', '"""doc\n{}\n"""']))
def test_masked_python_still_parses(secret: str, template: str) -> None:
    source = template.replace("{}", secret)
    result, _ = redact(source)
    ast.parse(result)
    assert result.count('"') == source.count('"')
    assert result.count("\n") == source.count("\n")


@given(st.dictionaries(st.text(max_size=12), VENDOR_SECRETS, min_size=1, max_size=4), st.booleans())
def test_masked_json_still_loads(value: dict[str, str], nested: bool) -> None:
    text = json.dumps({"args": json.dumps(value)} if nested else value)
    result, _ = redact(text)
    loaded = json.loads(result)
    loaded = json.loads(loaded["args"]) if nested else loaded
    for key, secret in value.items():
        assert secret not in loaded[key]


@pytest.mark.parametrize("name", sorted({row[0] for row in (*IN_RUNS, *ANYWHERE, *SHAPES_IN_RUNS, *SHAPES_ANYWHERE)}))
def test_masks_are_words_that_are_not_masked_again(name: str) -> None:
    mask = mask_of(name)
    assert mask.isidentifier()
    for text in (
        mask,
        f'token = "{mask}"',
        f"PASSWORD={mask}",
        f"https://u:{mask}@h",
        f"Bearer {mask}",
        f"--token {mask}",
    ):
        assert redact(text) == (text, ())


NOT_KEYS = [
    "3f786850e387550fdab836ed7e6dc881de23001b",
    "commit " + "ab12" * 16,
    '"integrity": "sha512-' + "Ab9/" * 21 + 'Zg=="',
    "sha256:" + "0f1e" * 16,
    "123e4567-e89b-12d3-a456-426614174000",
    "data:image/png;base64,iVBORw0KGgoAAAANSUhEUgAA" + "AKIA" + "Q" * 60,
    "task-management-service-with-a-long-name",
    "sk-toggleable__content-estimator-doc-link",
    "test_key-value_pairs_are_kept_in_insertion_order",
    "re_compile_the_pattern_when_it_is_needed",
    "eyJ2ZXJzaW9uIjozLCJzb3VyY2VzIjpbXX0",
    "self_reference_of_the_hf_model_that_is_loaded",
    "-----BEGIN CERTIFICATE-----\nMIIDdzCCAl+gAwIBAgIEAgAAuTANBgkqhkiG9w0BAQUFADBa\n-----END CERTIFICATE-----",
    "-----BEGIN PUBLIC KEY-----\nMIIDdzCCAl+gAwIBAgIEAgAAuTANBgkqhkiG9w0BAQUFADBa\n-----END PUBLIC KEY-----",
]


@pytest.mark.parametrize("text", NOT_KEYS)
def test_hashes_ids_and_names_stay(text: str) -> None:
    assert redact(text)[0] is text


@given(st.lists(st.text("abc-", min_size=1, max_size=4), min_size=1, max_size=12), st.text("abc-", max_size=30))
def test_a_pattern_for_any_word_finds_what_looking_for_each_finds(words: list[str], text: str) -> None:
    assert (re.search(_any_of(words), text) is not None) == any(word in text for word in words)
