"""Names that promise a secret, and names of something else; masking a value by its name."""

from __future__ import annotations

import pytest

from ccos_core.text.sanitize import is_secret_name, mask_value

SECRET = """
password Password PASSWORD passwd pwd passphrase DB_PASSWORD db-password dbPassword userPassword PGPASSWORD db_pass
REDIS_PASS password2 password_confirmation secret client_secret clientSecret CLIENT_SECRET JWT_SECRET webhookSecret
token access_token accessToken refresh_token GITHUB_TOKEN authToken x-auth-token bot_token apiKey api_key apikey
API_KEY x-api-key X-API-Key OPENAI_API_KEY private_key privateKey secret_key SECRET_KEY_BASE access_key
aws_secret_access_key AWS_SESSION_TOKEN SecretAccessKey encryption_key signingKey accountKey GH_PAT authorization
credential api_key_prod oauth_token_secret
"""

OTHER = """
token_count max_tokens tokens tokenizer tokenize token_type token_url next_page_token nextToken pageToken eos_token
pad_token password_field password_hash passwordless reset_password_url secret_name secretName secrets key keys
primary_key public_key publicKey cache_key sort_key keyboard monkey api_key_id access_key_id author authors compass
bypass first_pass pass passed path cancellation_token csstoken prompt_tokens completion_tokens is_password_valid
user name id key_name publicKeyToken '' 123 - _
"""


@pytest.mark.parametrize("name", SECRET.split())
def test_secret(name: str) -> None:
    assert is_secret_name(name)


@pytest.mark.parametrize("name", OTHER.split())
def test_other(name: str) -> None:
    assert not is_secret_name(name)


def test_a_value_under_a_secret_name_is_masked_whole() -> None:
    assert mask_value("password", "two words, even") == "REDACTED_PASSWORD"
    assert mask_value("apiKey", "x1") == "REDACTED_API_KEY"
    assert mask_value("aws_secret_access_key", "abc") == "REDACTED_AWS_SECRET_KEY"


@pytest.mark.parametrize(
    "value", ["", "${TOKEN}", "<token>", "your-token", "{{ token }}", "****", "REDACTED_TOKEN", "null"]
)
def test_a_stand_in_stays(value: str) -> None:
    assert mask_value("token", value) == value


def test_a_value_under_another_name_stays() -> None:
    assert mask_value("max_tokens", "4096") == "4096"
