"""Words by which instructions forbid and demand, and what they mean in commands and files: English.

A missing word costs a verdict, a wrong one accuses the agent, so each table is only as wide as is certain.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from functools import lru_cache
from importlib import resources

from ccos_core.intake.failures.arguments import words_of


@lru_cache(maxsize=1)
def _sections() -> dict[str, list[str]]:
    found: dict[str, list[str]] = {}
    for line in resources.files(__package__).joinpath("words.txt").read_text("utf-8").split("\n"):
        if line.startswith("[") and line.endswith("]") and " " not in line:
            lines = found.setdefault(line[1:-1], [])
        elif line and not line.startswith("# "):
            lines.append(line)
    return found


def lines(name: str) -> list[str]:
    """Return the lines of a section of `words.txt`."""
    return _sections()[name]


def listed(name: str) -> list[str]:
    """Return the words of a section of `words.txt`."""
    return " ".join(lines(name)).split()


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
    "emojis": "emoji", "added": "add", "adding": "add", "adds": "add", "put": "put",
}  # fmt: skip


def stems(words: str | Iterable[str]) -> frozenset[str]:
    """Return the stems of some words."""
    return frozenset(map(stem, words.split() if isinstance(words, str) else words))


CHANGING = stems(listed("changing"))
REMOVING = stems("delete remove drop erase")
ADDING = stems("dump post add create introduce put insert place append commit-in generate")
MOVING = stems("rename move")
USING = stems(listed("using"))
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
IN_COMMANDS = {name: tuple(rest) for name, *rest in map(str.split, lines("in_commands"))}
"""Stem of a word → words of commands that mean it."""
STOP = frozenset(listed("stop"))
HEADS = stems(listed("heads"))
"""Words that only say what kind of thing a name is."""
MARKS = stems(listed("marks"))
"""Words of order, which no deed shows."""
NOISE = stems(listed("noise"))
"""Words that need not be seen in a deed, if another one is."""
PLACES = stems(
    "test tests spec specs frontend backend server client api ui production library component components handler"
    " handlers"
    " controller controllers service services view views model models migration migrations script scripts workflow"
    " workflows"
    " ci docs doc documentation template templates css sql config router routers middleware hook hooks core domain"
) | frozenset(
    ("commit messag", "pr titl", "commit subject", "production cod", "library cod", "test fil", "test cod", "commit")
)
"""Places in which a rule may hold: parts of paths, or messages."""
VAGUE = stems(listed("vague"))
"""Words that a person must judge: a rule that has one accuses no deed."""
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
    r"\b(?:yet(?! another)|for now|right now|just now|at the moment|this time|for the moment|so far|today|first)\b",
    re.IGNORECASE,
)
"""What makes an instruction one for the moment."""
RIVALS = tuple(frozenset(each.split()) for each in lines("rivals"))
"""Names of things of which one is used at a time."""
RIVAL_NAMES = frozenset(name for group in RIVALS for name in group)
SYNTAX_RIVALS = words_of("mypy eslint print tabs spaces class function var let const merge rebase")
"""Those that are seen by their looks."""
OPPOSITES = tuple(
    frozenset(" ".join(map(stem, each.split())) for each in pair.split("|")) for pair in lines("opposites")
)
"""Forms of which one is used at a time."""
PROGRAMS = frozenset(name for group in RIVALS for name in group) | words_of(
    "git gh terraform kubectl helm aws gcloud psql redis ansible sudo rm mv cargo go python node ruby java php sed awk"
    " ssh scp rsync systemctl brew apt npx tsc gradle mvn"
)
"""Names that say by themselves that a program or a library is meant."""
PACKAGES = stems("dependenc package packages library libraries dependencies dependency")
ADDERS = {name: tuple(rest) for name, *rest in map(str.split, lines("adders"))}
"""Program → its words that add a package."""
MANIFESTS = {name: re.compile(rest) for name, _, rest in (each.partition("\t") for each in lines("manifests"))}
"""File that lists packages → a line that adds one."""
LOCKS = re.compile(
    r"(?:^|/)(?:[\w.-]*\.lock|package-lock\.json|pnpm-lock\.yaml|go\.sum|bun\.lockb"
    r"|[\w-]+-lock\.\w+)$"
)
WORKFLOWS = re.compile(r"(?:^|/)(?:\.github/workflows/|\.gitlab-ci\.yml$|\.circleci/|Jenkinsfile$|azure-pipelines)")
TEST_RUNNERS = frozenset(listed("test_runners"))
LINTERS = frozenset(listed("linters"))
FORMATTERS = words_of("gofmt goimports prettier black rustfmt gofumpt isort clang-format")
LANGUAGE_ENDS = {name: tuple(rest) for name, *rest in map(str.split, lines("language_ends"))}
"""Language → how its files end."""
