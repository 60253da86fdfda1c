"""Which names say that their value is a secret, and of what family.

A name is read as words, whatever joins them: `DB_PASSWORD`, `clientSecret`, `x-api-key`. The last word decides, so
`token_count`, `password_field` and `secret_name` are names of something else.
"""

from __future__ import annotations

from .lazy import Lazy

_WORDS = Lazy(r"[A-Z]+(?![a-z])|[A-Z]?[a-z]+|[0-9]+")


def word_set(words: str) -> frozenset[str]:
    return frozenset(words.split())


# Families in the order they are asked, with the last words that mean them.
_FAMILIES = (
    ("password", word_set("password passwd passwrd passwort passphrase passcode pwd")),
    ("secret", word_set("secret clientsecret appsecret sharedsecret secretkey secretaccesskey")),
    ("token", word_set("token authtoken accesstoken refreshtoken bearertoken apitoken bottoken sessiontoken idtoken")),
    ("token", word_set("credential credentials auth authorization jwt bearer")),
    (
        "api-key",
        word_set("apikey accesskey privatekey authkey accountkey sharedaccesskey signingkey encryptionkey masterkey"),
    ),
)

# Said after the word that counts, they leave it a secret: `password2`, `SECRET_KEY_BASE`, `API_KEY_PROD`.
_TRAILING = word_set(
    "value raw plain plaintext b64 base64 base confirmation prod production staging dev test live old new"
)

# `pass` alone is a step, a statement, a verb; after one of these it is a password.
_BEFORE_PASS = word_set(
    "db database user smtp mail email ftp sftp redis mysql pg postgres postgresql mongo admin root my ssh key store "
    "keystore truststore sudo imap pop3 basic http https proxy login auth rabbitmq amqp ldap wifi ansible become "
    "oracle mssql sql jdbc account vault service require"
)

# A key is a secret after one of these; a primary, cache or public key is none.
_BEFORE_KEY = word_set(
    "api access secret private signing encryption master auth account storage service deploy app application consumer "
    "client preshared "
    "webhook hmac ssh rsa aes cipher crypto subscription license shared session admin role ingest decryption jwt"
)

_BEFORE_PAT = word_set("gh github gitlab azure ado access devops personal bot")

# A token after one of these is a position, a word of a text or a colour.
_NOT_BEFORE_TOKEN = word_set(
    "next page pagination continuation max min num pad padding eos bos unk mask sep cls stop start starting end "
    "special cancellation cancel prompt total input output first last prev previous lookahead this per keyword image "
    "separator design color theme css syntax operator string expected unexpected invalid current sync peek cursor sort "
    "begin close open left right is has no get parse by resume skip key request change purchase update lock idempotency"
)
_PAGING = word_set("next prev previous page")


def is_secret_name(key: str) -> bool:
    """Whether a value under this name is a secret by its name alone."""
    return secret_family(key) is not None


def secret_family(key: str) -> str | None:
    """`password`, `secret`, `token`, `api-key`, `aws-secret-key`; None for a name that promises no secret."""
    words = [word.lower() for word in _WORDS().findall(key[-80:])]
    while len(words) > 1 and (words[-1].isdigit() or words[-1] in _TRAILING):
        words.pop()
    if words[-2:] == ["key", "data"]:  # a kubeconfig's `client-key-data`
        words.pop()
    if not words:
        return None
    return _family(words[-1], words[-2] if len(words) > 1 else "", words)


def _family(last: str, before: str, words: list[str]) -> str | None:
    if last == "pass":
        return "password" if before in _BEFORE_PASS else None
    if last == "pat":
        return "token" if before in _BEFORE_PAT else None
    if last == "key":
        if "aws" in words and "secret" in words:
            return "aws-secret-key"
        return "api-key" if before in _BEFORE_KEY else None
    if last == "token" and (before in _NOT_BEFORE_TOKEN or words[0] in _PAGING):
        return None
    return next((family for family, lasts in _FAMILIES if last in lasts), None) or _by_ending(last)


def _by_ending(word: str) -> str | None:
    """Words written as one: `dbpassword`, `PGPASSWORD`, `mysecret`."""
    if word.endswith(("password", "passwd", "passphrase")):
        return "password"
    if word.endswith("pass") and word[:-4] in _BEFORE_PASS:
        return "password"
    return "secret" if word.endswith("secret") else None
