"""Whether a name says that its value is a secret, and whether a value can be one.

A name is read as words, however joined: `DB_PASSWORD`, `clientSecret`, `x-api-key`. The last word decides, so
`token_count` and `secret_name` are names of something else. How much a value must look like a secret depends on how
sure its place is, the `form` the caller found it in: the risks are a secret kept and a needed word masked.
"""

from __future__ import annotations

from ccos_core.text.sanitize.spans import MASK, Lazy

_NAME_WORDS = Lazy(r"[A-Z]+(?![a-z])|[A-Z]?[a-z]+|[0-9]+")


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
    words = [word.lower() for word in _NAME_WORDS().findall(key[-80:])]
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


SPACED, QUOTED, LINE, BARE, WEAK = 4, 3, 2, 1, 0
"""How sure the form is: a string that may be a phrase; any string under the name; a `NAME=value` line; an unquoted
value; what may be code or prose."""

_ENOUGH = 64  # characters that show a stand-in; a value may be as long as its line

# Stand-ins by their syntax: ${X} $X $(x) %X% {{x}} {x} <x> %s #{x} *** ... and references into a secret store.
_STAND_IN = Lazy(
    r"\$[({]|\$[A-Za-z_]+$|%[A-Za-z_]+%$|%\(|%[sdrv](?![A-Za-z0-9])|<[^<>]*>|\[[A-Za-z _-]*\]$|#\{|@\{|"
    r"@@[A-Za-z_]+@@$|\{\{|[^{}]*\{[A-Za-z_$][^{}]*\}|[^{}]*\{\}|.*\$\{|[*.•…xX_#?-]+$|"
    r"(?i:env|vault|op|secret|secrets|sops|file|arn|ssm|ref|keychain|keyring|aws-sm|gcp-sm|process)[:.]|"
    r"ENC\[|ref\+|--|os\.|https?://|projects/"
)
# Stand-ins by their words.
_SAID = Lazy(
    r"(?i)(?:(?:your|enter|insert|replace)[ _.-]?|(?:my|the|an?|some|any|put|add|change|set)[ _.-])"
    r"(?:$|.*(?:pass|pwd|secret|token|key|[ _.-](?:here|this|me)\b))|(?:change|replace|set|fill)[ _.-]?(?:me|this|it)|"
    r".*(?:^|[^a-z])(?:example|placeholder|dummy|todo|fixme|redacted|sample|masked)(?:$|[^a-z])|"
    r".*[ _-]here$|(?:none|null|nil|undefined|true|false|yes|no|on|off|string|str|text|hidden|required|optional|"
    r"unset|empty|default|unknown|input|prompt|bool|boolean|int|integer|number|object|array|any|inherit|"
    r"include|same-origin|omit|write|read)$"
)
_WORDS = Lazy(r"[A-Z]?[a-z]+|[A-Z]+|[0-9]+")
_ABOUT_SECRETS = word_set(
    "password passwords pass passwd pwd passphrase passcode secret secrets token tokens key keys api auth access "
    "refresh client user username admin db database new old current confirm confirmation reset change forgot invalid "
    "wrong missing my your the a enter repeat weak strong login account required field input name id type form grant "
    "email value bearer private public session csrf oauth app service master root incorrect basic credential "
    "passwort kennwort wachtwoord senha adgangskode parola heslo passord salasana contrasena "
    "credentials is has no not must be show hide toggle update set get with without or and by"
)
_NAMED = word_set("password passwd pwd pass passphrase token key")
_PATH = Lazy(r"(?:[~.]{0,2}/|[A-Za-z]:[\\/]|[A-Za-z0-9_.-]+/)(?:[A-Za-z0-9_.-]+/)*[A-Za-z0-9_.-]*$")
_FILE = Lazy(
    r".*\.(?:pem|key|json|txt|ya?ml|env|cfg|ini|toml|py|js|ts|tsx|jsx|html?|md|crt|p12|pfx|jks|css|go|rs|java)$"
)
_KEY_CHARS = Lazy(r"[A-Za-z0-9_\-.+/=~:!@#$%^&*?]+$")
_RUNS = Lazy(r"[A-Za-z]+|[0-9]+")
_BRACKET = Lazy(r"[(){}\[\]<>]")
_SPACE = Lazy(r"\s")
_DIGIT = Lazy(r"\d")
_LETTER = Lazy("[A-Za-z\u0080-\U0010ffff]")
_SEPARATORS = Lazy(r"[^A-Za-z0-9]+")
_UUID = Lazy(r"[0-9A-Fa-f]{8}(?:-[0-9A-Fa-f]{4}){3}-[0-9A-Fa-f]{12}$")
_DOTTED = Lazy(r"[A-Za-z_$][A-Za-z_]*(?:\.[A-Za-z_][A-Za-z_0-9]*)+(?:\(\))?$")
_PHRASE = Lazy(r"[a-z]+[0-9]{0,2}(?:[-_](?:[a-z]+[0-9]{0,2}|[0-9]{1,3})){2,}$|(?:V[0-9])?(?:[A-Z][a-z]+){2,}$")
_DOTTED_CODE = Lazy(r"[A-Za-z_$][A-Za-z_0-9]{0,31}(?:\.[A-Za-z_][A-Za-z_0-9]{0,31})+$")
_IDENTIFIER = Lazy(r"[A-Za-z_$][A-Za-z0-9_$]*$")
_NUMBERED_TYPE = Lazy(
    r"(?:u?int|float|[uif]|bytes|str|string|varchar|char|utf|base|sha|md|big|rs|hs|es|complex)_?[0-9]{1,4}(?:_?[a-z])?$"
)


def is_placeholder(value: str) -> bool:
    """Whether a value only stands for a secret: empty, a reference to a variable, a stand-in, a mask."""
    bare = value.strip()
    if len(bare) < 2 or MASK in bare:
        return True
    begin = bare[:_ENOUGH]
    return bool(_STAND_IN().match(begin) or _SAID().match(begin))


def can_be_secret(family: str, value: str, form: int) -> bool:
    """Whether a value in this form, under a name of this family, is to be masked."""
    phrase = form == SPACED and family == "password"
    if value == "" or (_SPACE().search(value) and not phrase) or (form < QUOTED and _is_code(value)):
        return False
    if is_placeholder(value) or _names_something(value):
        return False
    if form == WEAK:
        return looks_random(value)
    return _can_be_password(value, form) if family == "password" else _can_be_key(family, value, form)


def looks_random(value: str) -> bool:
    """Letters and digits mixed as no word mixes them."""
    if len(value) < 12 or not _KEY_CHARS().match(value) or not _mixes(value):
        return False
    changes = len(_RUNS().findall(_SEPARATORS().sub("", value)))
    mixed = value.lower() != value and value.upper() != value
    return changes >= 5 or (mixed and changes >= 3 and len(value) >= 20)


def _names_something(value: str) -> bool:
    """A field's name, the key of a sentence, a path: words about secrets, or parts between slashes."""
    if looks_random(value):
        return False
    words = [word.lower() for word in _WORDS().findall(value[:_ENOUGH])]
    if not words:
        return len(value) < 6
    if not value.isascii() and not _DIGIT().search(value):  # a label in some language
        return True
    if len(words) == 1:
        return words[0] in _ABOUT_SECRETS and words[0] not in ("secret", "admin", "root")
    if all(word in _ABOUT_SECRETS for word in words):
        return True
    if all(word.isalpha() for word in words) and not _NAMED.isdisjoint(words):
        return True
    return value[-1] in ":?…" or bool(_PATH().match(value) or _FILE().match(value))


def _can_be_password(value: str, form: int) -> bool:
    if form >= QUOTED:
        return len(value) >= 4
    if form == LINE:
        return len(value) >= 3
    named = "pass" in value.lower() or "pwd" in value.lower()  # `password2`, a variable
    constant = value.isupper() and _IDENTIFIER().match(value)
    return len(value) >= 5 and _mixes(value) and not named and not constant and not _NUMBERED_TYPE().match(value)


def _can_be_key(family: str, value: str, form: int) -> bool:
    if len(value) < 8 or not _KEY_CHARS().match(value) or _NUMBERED_TYPE().match(value):
        return False
    if family == "token" and _UUID().match(value):  # one made by the client, to recognise a request by
        return False
    if _PHRASE().match(value):
        return False
    if looks_random(value):
        return True
    if _DOTTED().match(value):
        return False
    if form == BARE:
        return len(value) >= 12 and _mixes(value) and not _IDENTIFIER().match(value)
    if _mixes(value) or value.isdigit():
        return True
    return value.isalnum() and (family == "secret" or len(value) >= 20)


def _mixes(value: str) -> bool:
    return bool(_DIGIT().search(value) and _LETTER().search(value))


def _is_code(value: str) -> bool:
    return value[-1] in ",;." or bool(_BRACKET().search(value)) or bool(_DOTTED_CODE().match(value))
