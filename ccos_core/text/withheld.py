"""Which paths are recorded without their content, because files of that name usually hold secrets.

Redaction finds secrets that look like secrets; this table is for those that don't (a password in `.env` is a word like
any other). The table is written in the language of ignore files, so that it reads like the `.ccosignore` people write
themselves. `withheld` judges a path; `withheld_in` finds such paths in a shell command, whose output would show them.

The border: no file is opened and no folder asked. Reading a command is a careful guess, not a shell: what only a
running shell knows (variables, aliases, `cd`, what `.e*` expands to) stays unseen. In doubt a word counts as a path:
a recording without one output is a smaller loss than a password in it.
"""

from __future__ import annotations

import re

from ccos_core.text.ignore import Matcher, parse_rules
from ccos_core.text.sanitize.spans import Lazy

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

# All in small letters: paths are compared without regard to case. Later lines win; `!` takes back.
TABLE = """
# settings that hold passwords (their published examples don't)
.env
.env.*
.env~
*.env
.envrc
.dev.vars
.renviron
local.settings.json
!example.env
!sample.env
!template.env
!.env*.example
!.env*.sample
!.env*.template
!.env*.dist
!.env*.defaults

# words of programs that only look like such files
!process.env
!meta.env
!import.meta.env
!bun.env
!deno.env
!rails.env
!self.env
!this.env
!ctx.env
!context.env
!request.env

# private keys and key stores
*.pem
*.key
*.p8
*.p12
*.pfx
*.pkcs12
*.ppk
*.jks
*.jceks
*.keystore
*.keytab
*.kdbx
*.agekey
*.ovpn
id_rsa
id_dsa
id_ecdsa
id_ecdsa_sk
id_ed25519
id_ed25519_sk
id_rsa.*
id_dsa.*
id_ecdsa.*
id_ed25519.*
**/.ssh/id_*
ssh_host_*_key
!id_*.pub

# log-ins that tools keep
.netrc
_netrc
.pgpass
pgpass.conf
.my.cnf
.mylogin.cnf
.npmrc
.pypirc
.git-credentials
.htpasswd
.htdigest
.s3cfg
.boto
.dockercfg
.dockerconfigjson
.vault-token
.vault_pass
.vault_pass.txt
**/.aws/credentials
**/.aws/sso/cache/*.json
**/.aws/cli/cache/*.json
**/.azure/accesstokens.json
msal_token_cache.*
**/.docker/config.json
**/.kube/config
kubeconfig
*.kubeconfig
**/.cargo/credentials
**/.cargo/credentials.toml
**/.gem/credentials
**/.m2/settings.xml
**/.gradle/gradle.properties
**/.composer/auth.json
**/.config/gh/hosts.yml
**/gcloud/credentials.db
**/gcloud/access_tokens.db
**/.codex/auth.json
**/.gemini/oauth_creds.json
**/opencode/auth.json
.terraformrc
credentials.tfrc.json

# files of secrets, by any tool
secret.yml
secret.yaml
secret.json
secret.toml
secrets.yml
secrets.yaml
secrets.json
secrets.toml
secrets.env
.secret
.secrets
credentials.json
.credentials.json
application_default_credentials.json
client_secret*.json
service-account*.json
service_account*.json
serviceaccount*.json
*-service-account.json
*_service_account.json
*.tfstate
*.tfstate.*
*.tfvars
*.tfvars.json
!example.tfvars
!sample.tfvars

# what a system keeps of its users
**/etc/shadow
**/etc/gshadow
**/proc/*/environ
"""

# The same, widely: what has nothing of this isn't in the table, which costs more to ask. A test holds the two together.
WORDS = (
    *("id_", "_netrc", "secret.", "secrets.", "client_secret", "credentials", "kubeconfig", "msal_token", "ssh_host_"),
    *("service-account", "service_account", "serviceaccount", "local.settings", "gcloud/", "opencode/", "shadow"),
    "/environ",
)
_NAMES = (  # all begin with a dot, which makes looking for them cheap
    r"\.(?:env|dev\.vars|renv|pem|key|p8|p12|pfx|pkcs12|ppk|jks|jceks|kdbx|agekey|ovpn|netrc|pgpass|my\.cnf|mylogin"
    r"|npmrc|pypirc|git-cred|htpass|htdig|s3cfg|boto|docker|vault|terraformrc|tfrc|tfstate|tfvars|secrets?\b"
    r"|conf\b|config/|ssh|aws|azure|kube|cargo|gem|m2|gradle|composer|codex)"
)
DOTTED = Lazy(_NAMES)
SECRET_LOOKING = Lazy(rf"(?i:{_NAMES}|{'|'.join(WORDS).replace('.', chr(92) + '.')})")


def withheld(path: str) -> bool:
    """Is this path recorded without content? Relative or absolute, with `/` or with backslashes, in any case."""
    known = _judged.get(path)
    if known is None:
        plain = _plain(path).lower()
        known = SECRET_LOOKING().search(plain) is not None and in_table(plain)
        if len(path) <= _SHORT:
            if len(_judged) >= _MOST_JUDGED:
                _judged.clear()
            _judged[path] = known
    return known


def in_table(path: str) -> bool:
    """Whether the table says so of a path in small letters."""
    if not _table:
        _table.append(Matcher(parse_rules(TABLE)))
    return _table[0].ignored(path, False)


def withheld_in(command: str, extra: Matcher | None = None, root: str = "", cwd: str = "") -> tuple[str, ...]:
    """The words of a shell command that name withheld paths, in order, each once.

    `extra` are the rules of a `.ccosignore`. They speak of paths relative to `root`; with `root` and the folder the
    command ran in, both absolute, words are brought there first. Without them a word counts as relative to the root.
    """
    found: dict[str, None] = {}
    for word in dict.fromkeys(_every_word(command, depth=0)):
        for path in _paths_in(word) if len(word) <= _LONGEST else ():
            if withheld(path) or (extra and _hidden(path, extra, root, cwd)):
                found[path] = None
                break
    return tuple(found)


_table: list[Matcher] = []  # compiled when first asked: importing this must cost a hook nothing
_SHORT, _MOST_JUDGED = 100, 10_000
_judged: dict[str, bool] = {}  # the words of a session's commands come again and again


def _plain(path: str) -> str:
    """Forward slashes, and no `.`, `..` or empty parts, except what begins an absolute path."""
    path = path.replace("\\", "/")
    if "/." not in path and "//" not in path and not path.startswith("."):
        return path
    parts: list[str] = []
    for part in path.split("/"):
        if part == ".." and parts and parts[-1] != "..":
            parts.pop()
        elif part not in {"", "."}:
            parts.append(part)
    return "/" * path.startswith("/") + "/".join(parts)


def _hidden(path: str, extra: Matcher, root: str, cwd: str) -> bool:
    path, top = _plain(path), _plain(root).rstrip("/")
    if top and not _absolute(path):
        path = _plain(f"{cwd or top}/{path}")
    if top and path.startswith(top + "/"):
        path = path[len(top) + 1 :]
    return not _absolute(path) and not path.startswith("../") and extra.hides(path)


def _absolute(path: str) -> bool:
    return path.startswith("/") or path[1:3] == ":/"


# From a word to the paths it may name.

_LONGEST = 4096  # no system has longer paths; a word may well be longer
_PARTS = r"(?:\$\{[^{}]*\}|[^=,:{}])+"  # --file=PATH, HEAD:PATH, PATH:/mounted/there, {PATH,PATH}
_WILD = r"\[[^\[\]]*\]|[*?]+"


def _paths_in(word: str) -> Iterator[str]:
    if word.isalnum():
        yield word
        return
    parts = re.findall(_PARTS, word)
    for part in parts if parts == [word] else (*parts, word):
        path = part.removeprefix("@")  # curl -d @PATH
        if len(path) > 2 and path[0] == "-" != path[1]:
            yield path[2:]  # -fPATH
        yield path
        if "*" in path or "?" in path or "[" in path:
            yield re.sub(_WILD, "", path)  # `.env*` finds `.env` among others


# From a command to its words.

_DEEPEST = 4
_RUNS_ITS_ARGUMENT = {"eval", "ssh", "watch", "parallel", "tmux", "wsl", "cmd", "cmd.exe", "powershell", "pwsh"}
_CODE_FOLLOWS = r"-[A-Za-z]*[ce]|--(?:command|run|exec|eval|execute)|/[cCkK]"
_SPACED = r"[\s'\"();|&<>]"

_WRAPPERS = {"sudo", "env", "exec", "command", "nohup", "time", "xargs"}  # they run what follows, as `NAME=value` does
_SEARCHES = {"grep", "egrep", "fgrep", "zgrep", "rg", "ag", "ack", "sed", "gsed", "awk", "gawk", "mawk", "jq"}
# Options after which the first plain word is the pattern: no -e, -f, -g, no --include.
_STILL_DUE = r"-[A-Za-dh-z0-9]+|--(?:colou?r(?:=\w+)?|ignore-case|line-number|recursive|count|hidden|raw-output)"


def _every_word(command: str, depth: int) -> Iterator[str]:
    """All words that can be paths, and those of commands that are one word themselves, as in `sh -c "cat .env"`.

    A message (`git commit -m "ignore .env"`) is a word with spaces, too, so only what is known to be run is read;
    and what spans lines, for there an apostrophe (`it's`, in a here-document) may have been taken for a quote.
    """
    past: list[str] = []
    spaced = re.compile(_SPACED).search
    for word, lead in _words(command):
        if lead == _NEXT:
            past = []
        if depth < _DEEPEST and spaced(word) and ("\n" in word or _runs(past)):  # few words are: ask that first
            yield from _every_word(word, depth + 1)
        elif lead == _FILE or not _is_pattern(word, past):
            yield word
            if "\\" in word:
                yield word.replace("\\", "")
        if lead != _FILE and (past or not _wraps(word)):
            past.append(word)


def _wraps(word: str) -> bool:
    name, equals, _ = word.partition("=")
    return name.isidentifier() if equals else name in _WRAPPERS


def _runs(past: list[str]) -> bool:
    if not past or _tool(past) in _SEARCHES:
        return False
    return _tool(past) in _RUNS_ITS_ARGUMENT or re.fullmatch(_CODE_FOLLOWS, past[-1]) is not None


def _is_pattern(word: str, past: list[str]) -> bool:
    """`grep .env notes` and `jq .env` look for a word; they don't open a file of that name."""
    if not past or word.startswith("-") or _tool(past) not in _SEARCHES:
        return False
    return all(re.fullmatch(_STILL_DUE, option) for option in past[1:])


def _tool(past: list[str]) -> str:
    return past[0].rpartition("/")[2]


_NEXT, _FILE, _MORE = ";", "<", " "  # what led to a word: the start of a command, a redirection, a space
_REDIRECTIONS = {"<", ">", "<&", ">&", "&>"}
# The first group of both adds to a word as it is; the second of one ends it, and nothing more.
_BARE = r"""([^\s'"\\;|&()<>`$#]+)|([ \t]+)|\\(?s:.)|\$\(|[<>]&|&>|'[^']*'|(?<![^\s;|&()])#[^\n]*|(?s:.)"""
_QUOTED = r"""([^"\\$`]+)|\\(?s:.)|\$\(|(?s:.)"""


def _words(command: str) -> Iterator[tuple[str, str]]:
    """Split as a shell would, as far as this can be told from the text alone; a quote that never ends is skipped.

    Backslashes stay in a word unless they escape a space or a quote: on some systems they are what `/` is on others.
    """
    bare, in_quotes = re.compile(_BARE), re.compile(_QUOTED)  # here, not at import: `re` keeps them
    word, lead = "", _NEXT
    inside: list[str] = []  # what we are in: a quote, or the character that ends a substitution
    at, last_quote = 0, command.rfind('"')
    while at < len(command):
        quoted = inside[-1:] == ['"']
        match = (in_quotes if quoted else bare).match(command, at)
        assert match is not None  # the last branch of both takes any character
        piece, at = match[0], match.end()
        if match.lastindex == 1:
            word += piece
        elif match.lastindex == 2:
            if word:
                yield word, lead
                word, lead = "", _MORE
        elif piece == '"' and quoted:
            inside.pop()
        elif piece == '"':
            inside.extend('"' if at <= last_quote else "")
        elif (text := _text(piece, quoted)) is not None:
            word += text
        else:
            if word:
                yield word, lead
                word, lead = "", _MORE
            _follow(piece, quoted, inside)
            if not piece.isspace() or piece == "\n":
                lead = _FILE if piece in _REDIRECTIONS else _NEXT
    if word:
        yield word, lead


def _text(piece: str, quoted: bool) -> str | None:
    """What a piece adds to the word; None if it ends the word."""
    if piece[0] == "\\":
        return {"\\\n": "", "\\ ": " ", "\\'": "'", '\\"': '"'}.get(piece, piece)
    if piece in {"$(", "`"}:
        return None
    if quoted:
        return piece
    if piece[0] == "'":
        return piece[1:-1]
    if piece[0] == "#":
        return "" if len(piece) > 1 else piece  # a comment, or a character like any other
    return None if piece.isspace() or piece[0] in ";|&()<>" else piece


def _follow(piece: str, quoted: bool, inside: list[str]) -> None:
    """Keep track of where a substitution ends, for then the quotes around it go on."""
    if piece in {"$(", "("}:
        inside.append(")")
    elif piece == "`" and quoted:
        inside.append("`")
    elif inside and piece == inside[-1]:
        inside.pop()
