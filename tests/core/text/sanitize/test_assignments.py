"""Values that are secrets by the name they are given to; and names, types and prose that only look so."""

from __future__ import annotations

import ast
import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ccos_core.text.sanitize import redact

from .plants import PASSWORDS

P = "hunter" + "2"
K = "aZ3k9Qw7" + "Xy2Lm5Np8Rt4"

MASKED = [
    f'password = "{P}"',
    f"password='{P}'",
    f"password: `{P}`",
    f'password: str = "{P}"',
    f'String password = "{P}";',
    f'const char *password = "{P}";',
    f'let password: &str = "{P}";',
    f'password := "{P}"',
    f"$password = '{P}';",
    f":password => '{P}'",
    f"'password' => '{P}',",
    f'password = b"{P}"',
    f'password = SecretStr("{P}")',
    f'if password == "{P}":',
    f'client.setPassword("{P}")',
    f'os.environ["DB_PASSWORD"] = "{P}"',
    f'connect(user="bob", password="{P}", port=1)',
    f'{{"user": "bob", "password": "{P}"}}',
    f'{{\\"user\\": \\"bob\\", \\"password\\": \\"{P}\\"}}',
    f"<password>{P}</password>",
    f"DB_PASSWORD={P}",
    f"export DB_PASSWORD={P}",
    f"  - DB_PASSWORD={P}",
    f"ENV DB_PASSWORD={P}",
    f"+DB_PASSWORD={P}",
    f"   12→DB_PASSWORD={P}",
    f".env:12:DB_PASSWORD={P}",
    f'"A=1\\nDB_PASSWORD={P}\\nB=2"',
    f"FOO=1 PGPASSWORD={P} psql",
    f"REDIS_PASS='{P}'",
    f"[client]\npassword={P}",
    f"spring.datasource.password={P}",
    f"password: {P}",
    f"  db_password: {P}  # the old one",
    f"tool --password={P} --verbose",
    f"tool --password {P}",
    f'run(["tool", "--password", "{P}"])',
    f'os.getenv("DB_PASSWORD", "{P}")',
    f'DB_PASSWORD="{P} with spaces"',
    f'passphrase = "open {P} please"',
    f"CREATE USER bob WITH PASSWORD '{P}';",
    f"password={P}&user=bob",
    f"Server=h;User Id=sa;Password={P};",
    f"machine example login bob password {P}",
    f"machine example\n  login bob\n  password {P}",
    f"postgres://bob:{P}@host/db",
    f"redis://:{P}@host:6379/0",
    f"https:\\/\\/bob:{P}@host",
    f"curl -u bob:{P} https://host",
    f'api_key = "{K}"',
    f'"apiKey": "{K}"',
    f"API_KEY={K}",
    f"client_secret: '{K}'",
    f'SECRET_KEY = "django-insecure-{K}"',
    f"secret_access_key = {K}{K}",
    f"X-Api-Key: {K}",
    f'curl -H "X-Api-Key: {K}" https://host',
    f"https://host/?access_token={K}",
    f"//registry.example/:_authToken={K}",
    f'"auth": "{K}"',
    f"Authorization: Bearer {K}",
    f'"Authorization": "Basic {K}"',
    f"-H 'Authorization: token {K}'",
    f"headers = {{'Authorization': 'Bearer {K}'}}",
    f"Bearer {K}",
]

KEPT = [
    'password = ""',
    'password = "<password>"',
    'password = "${DB_PASSWORD}"',
    "password = '{{ db_password }}'",
    'password = f"{user.password}"',
    'password = "%s"',
    'password = "********"',
    'password = "your-password"',
    'API_KEY = "YOUR_API_KEY"',
    "API_KEY=your_api_key_here",
    'password = os.environ["DB_PASSWORD"]',
    'password = os.environ.get("DB_PASSWORD")',
    'password = getpass.getpass("Password: ")',
    "password = config.password",
    "connect(password=password, token=token)",
    "def connect(password: str, token: int = 0) -> None:",
    "  password: string;",
    "  token: u64",
    "password: Optional[str] = None",
    '"password": {"type": "string"}',
    '"password": "string"',
    '"password": "Password"',
    '"forgotPassword": "Forgot your password?"',
    '"password": "Passwort"',
    '"password": "Contraseña"',
    '"password": "パスワード"',
    '"passwordRequired": "Password is required"',
    'password = "password is required"',
    'raise ValueError("password: too short")',
    "password2 = password1",
    '<input type="password" name="password">',
    '["username", "password", "email"]',
    '("password", "username")',
    'for token in tokens: print(token, "end")',
    'token = "identifier"',
    '{ token: "constant.numeric.float32" }',
    '"max_tokens": 4096',
    '"token_count": "123456789"',
    'password_field = "hunter2xyz"',
    'secret_name = "prod/db12345"',
    'next_page_token = "abc123def456ghi7"',
    'primary_key = "user_id_12345"',
    "secrets: inherit",
    'credentials: "include"',
    'auth = "oauth2"',
    "export TOKEN=$OTHER",
    "TOKEN=$(cat token.txt)",
    "PASSWORD=",
    "PASSWORD=change-me",
    '("PASSWORD", "OAUTH2", "OTHER")',
    'private_key = "certs/server1.pem"',
    'password_file: "/run/secrets/db1"',
    "Bearer authentication",
    "Authorization: Bearer $TOKEN",
    "Authorization: Bearer <token>",
    'f"Bearer {token}"',
    '"AWS::IAM::AccessKey": "62d91b17309e76c8"',
    "http://localhost:8080/a@b",
    "git+ssh://git@host:22/x",
    "postgres://${USER}:${PASS}@host",
    'f"postgres://{user}:{password}@{host}"',
    'if "-----BEGIN ' + 'PRIVATE KEY-----" in text:\n    return text',
    "var a=b.token,c=d.password;e.auth=f(a&&c)",
]


@pytest.mark.parametrize("text", MASKED)
def test_masked(text: str) -> None:
    result, findings = redact(text)
    assert P not in result
    assert K not in result
    assert findings
    assert redact(result) == (result, ())
    for mark in "\"'`<>\n":
        assert result.count(mark) == text.count(mark)


@pytest.mark.parametrize("text", KEPT)
def test_kept(text: str) -> None:
    assert redact(text)[0] is text


NAMES = st.sampled_from(
    ["password", "DB_PASSWORD", "clientSecret", "api_key", "x-api-key", "accessToken", "user_passwd"]
)


@given(NAMES, PASSWORDS, st.sampled_from(['"', "'"]))
def test_quotes_are_kept_and_source_parses(name: str, value: str, quote: str) -> None:
    source = f"d = {{{quote}{name}{quote}: {quote}{value}{quote}}}\n"
    result, _ = redact(source)
    assert value not in result
    ast.parse(result)


@given(st.dictionaries(NAMES, PASSWORDS, min_size=1), st.sampled_from([None, 2]))
def test_json_loads(value: dict[str, str], indent: int | None) -> None:
    result, _ = redact(json.dumps(value, indent=indent))
    loaded = json.loads(result)
    assert all(masked.startswith("REDACTED_") for masked in loaded.values())


@given(st.sampled_from(["DB_PASSWORD", "API_KEY", "SECRET"]), PASSWORDS, st.sampled_from(["\n", "\r\n"]))
def test_env_files_keep_their_lines(name: str, value: str, newline: str) -> None:
    text = newline.join(["# settings", f"{name}={value}", "PORT=80", ""])
    result, findings = redact(text)
    assert value not in result
    assert result.split(newline)[2:] == ["PORT=80", ""]
    assert [line for _, _, line in findings] == [2]


def test_an_escaped_quote_does_not_end_a_password() -> None:
    assert redact(r'password = "ab\"cd12" + x')[0] == 'password = "REDACTED_PASSWORD" + x'


@pytest.mark.parametrize("value", ["!Passw0rd", "@@home99", "%secret1", "enterpriseName", "~!@#$%^&(_+", "pässword1"])
def test_a_password_may_start_like_a_stand_in(value: str) -> None:
    assert redact(f'password = "{value}"')[0] == 'password = "REDACTED_PASSWORD"'


def test_a_masked_name_tells_its_family() -> None:
    aws = "wJalr" + K + "/bPxRfiCY"
    assert redact(f"aws_secret_access_key = {aws}")[0] == "aws_secret_access_key = REDACTED_AWS_SECRET_KEY"


AWS = "wJalrXUtnFEMI" + "K7MDENGbPxRfiCYzzKQ9zzKe7Wx"


@pytest.mark.parametrize(
    "text",
    [
        "use aws_secret_access_key = {} for it",
        "the AWS_SECRET_ACCESS_KEY: {}",
        "curl -H 'x' aws_secret_access_key = {}, please",
        "boom: aws_secret_access_key : {}.",
    ],
)
def test_a_key_of_known_form_in_a_sentence(text: str) -> None:
    assert AWS not in redact(text.format(AWS))[0]


@pytest.mark.parametrize(
    "text",
    ["use aws_secret_access_key = config", "the aws_secret_access_key: where is it?", "if aws_secret_key == other"],
)
def test_words_about_such_a_key_stay(text: str) -> None:
    assert redact(text)[0] == text
