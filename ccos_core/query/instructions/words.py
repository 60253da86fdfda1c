"""Words by which instructions forbid and demand, and what they mean in commands and files: English.

A missing word costs a verdict, a wrong one accuses the agent, so each table is only as wide as is certain.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from functools import lru_cache

from ccos_core.intake.failures.arguments import words_of


@lru_cache(maxsize=20_000)
def stem(word: str) -> str:
    """Return what the forms of a word share: `pushing`, `pushes`, `pushed` → `push`."""
    word = word.lower().removesuffix("'s").removesuffix("’s")
    if word in IRREGULAR:
        return IRREGULAR[word]
    for end in ("ies", "ied"):
        if word.endswith(end) and len(word) > 4:
            return word[:-3] + "y"
    for end in ("ing", "ed", "es", "s"):
        if word.endswith(end) and len(word) - len(end) >= 3 and not word.endswith(("ss", "us", "is")):
            word = word[: -len(end)]
            if end in ("ing", "ed") and len(word) > 3 and word[-1] == word[-2] and word[-1] not in "sl":
                word = word[:-1]
            break
    return word.removesuffix("e") if len(word) > 3 else word


IRREGULAR = {
    "written": "writ", "wrote": "writ", "ran": "run", "running": "run", "made": "mak", "built": "build",
    "used": "us", "use": "us", "uses": "us", "using": "us", "dependencies": "dependenc", "dependency": "dependenc",
    "migration": "migrat", "migrations": "migrat", "deployment": "deploy", "deployments": "deploy",
    "installation": "install", "configuration": "config", "configurations": "config", "configs": "config",
    "authentication": "auth", "passwords": "password", "touched": "touch", "lies": "li",
    "added": "add", "adding": "add", "adds": "add", "put": "put",
}  # fmt: skip


def stems(words: str | Iterable[str]) -> frozenset[str]:
    """Return the stems of some words."""
    return frozenset(map(stem, words.split() if isinstance(words, str) else words))


CHANGING = stems(
    "change touch edit modify alter update rewrite reformat refactor patch adjust overwrite fix write mess tamper tweak"
    " extend bump regenerate"
)
REMOVING = stems("delete remove drop erase rm wipe")
ADDING = stems("add create introduce put insert place append commit-in generate")
MOVING = stems("rename move")
USING = stems(
    "use call import rely depend write log print throw employ reach pick choose take prefer go stick work leave keep"
)
RUNNING = stems("run execute start launch invoke try issue")
READING = stems("read open view cat show look")
INSTALLING = stems("install")
ON_FILES = CHANGING | REMOVING | ADDING | MOVING
GENERIC = CHANGING | ADDING | MOVING | USING | RUNNING
"""Verbs that a command needn't have to do what they say."""
VERBS = (
    GENERIC | REMOVING | READING | INSTALLING
    | stems("commit push amend rebase merge force-push squash reset stash tag deploy publish release checkout upgrade"
            " downgrade revert skip disable bypass kill stop restart drop truncate migrate mock hardcode hard-code")
)  # fmt: skip
IN_COMMANDS: Mapping[str, tuple[str, ...]] = {
    "delet": ("rm", "rmdir", "unlink", "-d", "-D", "--delete", "drop", "prune"),
    "remov": ("rm", "rmdir", "unlink", "-d", "-D", "--delete", "uninstall"),
    "eras": ("rm", "rmdir", "unlink"),
    "wip": ("rm", "rmdir"),
    "install": ("i", "add", "get"),
    "forc": ("-f", "--force", "--force-with-lease"),
    "amend": ("--amend",),
    "hook": ("--no-verify", "-n"),
    "verif": ("--no-verify", "-n"),
    "skip": ("--no-verify", "--skip", "-n"),
    "bypass": ("--no-verify",),
    "hard": ("--hard",),
    "production": ("prod",),
    "prod": ("production",),
    "master": ("master",),
    "upgrad": ("-U", "update"),
    "updat": ("-u", "--update", "--updateSnapshot"),
    "regenerat": ("-u", "--update", "--updateSnapshot"),
    "copy": ("cp",),
    "mov": ("mv",),
    "rename": ("mv",),
}
"""Stem of a word → words of commands that mean it."""
STOP = words_of(
    "a an the any all every each to in on at of for from with into onto by as my our your its their his her this that"
    " these those it them they we you i me us he she is are was were be been being do does did have has had ever just"
    " directly again anywhere here there please also then so too very really simply always never not no nor or and"
    " but if else which who whose what where when while than there's it's i'm we're own such other others another"
    " something anything everything nothing whatsoever kind sort whatever ones one thing things stuff code codebase"
    " project repo repository about via through during whole entire itself yourself will would can"
    " could should may might must shall let lets let's now either both only new more most some own etc ok okay"
    " straight behind around away"
)  # fmt: skip
HEADS = stems(
    "file files directory directories folder folders dir dirs path paths module modules package tree contents content"
    " subtree under below inside within beneath underneath script scripts source sources part parts area areas"
    " function method class symbol variable constant command commands flag option branch branches tool tools"
    " library client package manager runner runners existing current changes change work result results hand"
)
"""Words that only say what kind of thing a name is."""
ASKING = re.compile(
    r"\b(?:ask(?:ing|ed)?|permission|approv\w*|consent|go-ahead|say so|says so|tell(?:ing)? (?:you|me|us)"
    r"|told (?:you|to)|confirm\w*|check(?:ing)? with|my ok|ok from|request(?:ed)? (?:it|by)|explicitly"
    r"|explicit (?:permission|ok|okay|consent|approval|request|instructions?)|i say|we say"
    r"|let(?:ting)? (?:me|us) know|agree\w*|sign[- ]?off from)\b",
    re.IGNORECASE,
)
"""What makes a condition one that the user can fulfil by a word."""
CONDITION = re.compile(
    r"(?<![\w/.@-])(?:without|unless|until|till|except|but for|other than|apart from|besides|aside from|before"
    r"|after|when"
    r"|whenever"
    r"|if|while|because|since|so that|so we|as long as|even if|even when|even though|given that|in case|in order to"
    r"|as (?:it|they|that|we|this|the|i)|which|who|whose|where)(?![\w/-]|\.\w)|\s[—–-]{1,2}\s|:\s|;|\s\(",
    re.IGNORECASE,
)
BRIEFLY = re.compile(
    r"\b(?:yet|for now|right now|just now|at the moment|this time|for the moment|so far|today|first)\b", re.IGNORECASE
)
"""What makes an instruction one for the moment."""
RIVALS: tuple[frozenset[str], ...] = tuple(
    frozenset(each.split())
    for each in (
        "npm pnpm yarn bun",
        "npx pnpx bunx",
        "tabs spaces",
        "pip pip3 uv poetry pipenv conda pdm",
        "pytest unittest nose nose2",
        "jest vitest mocha ava",
        "eslint biome oxlint tslint",
        "black ruff yapf autopep8",
        "mypy pyright pytype",
        "make just",
        "docker podman",
        "grep rg ag ack",
        "find fd",
        "curl wget",
        "axios fetch got superagent",
        "requests httpx aiohttp urllib",
        "moment dayjs date-fns luxon",
        "json xml yaml toml csv html",
        "merge rebase",
        "vim vi nano emacs",
        "mongodb postgres postgresql mysql sqlite",
        "webpack vite rollup esbuild parcel",
        "cargo-nextest nextest",
        "class function",
        "print logging logger loguru",
        "var let const",
        "float decimal double",
        "utc localtime",
        "chai expect assert",
    )
)
"""Names of things of which one is used at a time."""
PROGRAMS = frozenset(name for group in RIVALS for name in group) | words_of(
    "git gh terraform kubectl helm aws gcloud psql redis ansible sudo rm mv cargo go python node ruby java php sed awk"
    " ssh scp rsync systemctl brew apt npx tsc gradle mvn"
)
"""Names that say by themselves that a program or a library is meant."""
PACKAGES = stems("dependenc package packages library libraries dependencies dependency")
ADDERS: Mapping[str, tuple[str, ...]] = {
    "npm": ("install", "i", "add"), "pnpm": ("add", "install", "i"), "yarn": ("add",), "bun": ("add", "install", "i"),
    "pip": ("install",), "pip3": ("install",), "uv": ("add", "install"), "poetry": ("add",), "pipenv": ("install",),
    "pdm": ("add",), "conda": ("install",), "cargo": ("add", "install"), "go": ("get",), "gem": ("install",),
    "bundle": ("add",), "composer": ("require",), "brew": ("install",), "apt": ("install",), "apt-get": ("install",),
    "dotnet": ("add",), "mix": ("deps.get",),
}  # fmt: skip
"""Program → its words that add a package."""
MANIFESTS: Mapping[str, re.Pattern[str]] = {
    "package.json": re.compile(r'^\s*"[@\w./-]+":\s*"(?:[\^~]|[<>=]{0,2}\d|latest|workspace:|\*)'),
    "requirements.txt": re.compile(r"^\s*[A-Za-z][\w.\[\]-]*\s*(?:[<>=~!]=?|$)"),
    "requirements-dev.txt": re.compile(r"^\s*[A-Za-z][\w.\[\]-]*\s*(?:[<>=~!]=?|$)"),
    "pyproject.toml": re.compile(
        r'^\s*"[A-Za-z][\w.\[\]-]*\s*(?:[<>=~!]=?[^"]*)?",?\s*$|^\s*[\w-]+\s*=\s*"[\^~><=]+\d'
    ),
    "Cargo.toml": re.compile(r'^\s*[\w-]+\s*=\s*(?:"[\^~>=]*\d[\w.]*"|\{\s*version)'),
    "go.mod": re.compile(r"^\s*(?:require\s+)?[\w.-]+\.[a-z]+/\S+ v\d"),
    "Gemfile": re.compile(r"^\s*gem\s"),
}
"""File that lists packages → a line that adds one."""
LOCKS = re.compile(
    r"(?:^|/)(?:[\w.-]*\.lock|package-lock\.json|pnpm-lock\.yaml|go\.sum|bun\.lockb"
    r"|[\w-]+-lock\.\w+)$"
)
WORKFLOWS = re.compile(r"(?:^|/)(?:\.github/workflows/|\.gitlab-ci\.yml$|\.circleci/|Jenkinsfile$|azure-pipelines)")
TEST_RUNNERS = words_of(
    "pytest unittest nose jest vitest mocha ava phpunit rspec ctest tox nox nextest playwright cypress"
)
LINTERS = words_of(
    "ruff eslint flake8 pylint mypy golangci-lint clippy biome shellcheck rubocop pre-commit tsc pyright"
)
FORMATTERS = words_of("gofmt goimports prettier black rustfmt gofumpt isort clang-format")
LANGUAGE_ENDS: Mapping[str, tuple[str, ...]] = {
    "python": (".py", ".pyi"), "typescript": (".ts", ".tsx", ".mts"), "javascript": (".js", ".jsx", ".mjs", ".cjs"),
    "go": (".go",), "rust": (".rs",), "java": (".java",), "kotlin": (".kt",), "ruby": (".rb",), "php": (".php",),
    "css": (".css", ".scss"), "html": (".html",), "sql": (".sql",), "markdown": (".md",), "yaml": (".yml", ".yaml"),
    "json": (".json",), "bash": (".sh",), "shell": (".sh",), "swift": (".swift",), "c": (".c", ".h"),
    "react": (".tsx", ".jsx"), "vue": (".vue",), "toml": (".toml",),
}  # fmt: skip
"""Language → how its files end."""
