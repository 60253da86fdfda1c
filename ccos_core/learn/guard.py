"""Which dangerous programs a command runs: those that destroy what can't be had back, or that reach others.

Programs are read from the parsed command, not from its words: a quoted text, a commit message or a here-document that
is written to a file runs nothing. A dry run is harmless, and so is removing what a build or a test made anew
(`DISPOSABLE`) or what lies in a folder for temporary files.

    dangers_of('git commit -m "no rm -rf /" && git push -f')[0].rule   # "git push --force"
"""

from __future__ import annotations

import posixpath
import re
import shlex
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from fnmatch import fnmatchcase
from itertools import pairwise

from ccos_core.intake.calls.programs import HOME, Program, given_texts, programs_in
from ccos_core.intake.calls.stages import Stage
from ccos_core.learn.dangerous_sql import danger_in_sql

WORDS_LONGEST = 160
"""Characters of a program in an answer."""
DISPOSABLE = (
    "node_modules", "bower_components", "dist", "build", "_build", "out", "output", "target", "obj", "coverage",
    "htmlcov", "__pycache__", "venv", "env", "tmp", "temp", "test-results", "playwright-report", "storybook-static",
    "DerivedData", "Pods", "CMakeFiles", ".venv", ".cache", ".*_cache", ".*-cache", ".next", ".nuxt", ".turbo",
    ".svelte-kit", ".output", ".tox", ".nox", ".eggs", ".gradle", ".nyc_output", ".hypothesis", ".terraform", ".tmp",
    ".DS_Store", "*.egg-info", "*.pyc", "*.pyo", "*.o", "*.tmp", "*.swp", "*.bak", "*.orig", "*.lock", "*.pid",
)  # fmt: skip
"""Names, as patterns, of what is made anew by the next build, test run or install."""
TEMPORARY = ("/tmp/", "/var/tmp/", "/private/tmp/", "/var/folders/", "/dev/shm/")  # noqa: S108
VARIABLES = {**HOME, "TMPDIR": "/tmp", "TMP": "/tmp", "TEMP": "/tmp"}  # noqa: S108
_TEMPORARY_MADE = re.compile(r"\$\(\s*mktemp\b[^()`$]*\)|`\s*mktemp\b[^`$]*`|\$\{TE?MP(?:DIR)?:?-[^}$]*\}")
_VARIABLE = re.compile(r"\$\{?([A-Za-z_]\w*)")
"""A variable; one whose value isn't known stands for itself."""
_DRY = re.compile(r"--?dry-?run(=(?!none|false).*)?|--help|-help|--what-?if|-WhatIf", re.IGNORECASE)
_DEVICE = re.compile(r"/dev/(?:sd|hd|vd|xvd|nvme|mmcblk|disk|rdisk|mapper/|dm-|loop)\S*")
_NOT_A_DEVICE = ("/dev/null", "/dev/stdout", "/dev/stderr", "/dev/tty", "/dev/zero")
_FORK_BOMB = re.compile(r"(\S{1,20})\s*\(\)\s*\{\s*\1\s*\|\s*\1\s*&\s*\}\s*;\s*\1")
_INTERPRETERS = re.compile(r"(?:ba|z|da|k|fi)?sh|python[\d.]*|perl|ruby|node|php")
_FETCHERS = ("curl", "wget", "fetch")
_SHELLS = ("sh", "bash", "zsh", "dash", "ksh", "fish", "source", ".")
_REPLACEABLE = ("pod", "pods", "po", "job", "jobs", "event", "events", "replicaset", "rs", "lease", "leases")
"""Kinds of things in Kubernetes that are made anew."""


@dataclass(frozen=True, slots=True)
class Danger:
    """A dangerous program that a command runs."""

    rule: str
    """What makes it dangerous, as in `git push --force`: the same for every command of its kind."""

    program: str
    """The program with its words, on one line."""


def dangers_of(command: str) -> list[Danger]:
    """Return the dangerous programs that a command runs, in their order, each once."""
    line = _TEMPORARY_MADE.sub("/tmp/made", command)  # noqa: S108
    if _FORK_BOMB.search(line):
        return [Danger("fork bomb", _short(line))]
    programs = programs_in(line, {**{name: f"${name}" for name in _VARIABLE.findall(line)}, **VARIABLES})
    if programs is None:
        programs = _split(line)
    fetched = any(each.substituted and each.stage.name in _FETCHERS for each in programs)
    found = [(rule, each) for each in programs if (rule := _rule_of(each, fetched=fetched))]
    return [*dict.fromkeys(Danger(rule, _short(shlex.join(each.words))) for rule, each in found)]


def _split(line: str) -> list[Program]:
    """Return the programs of a line that can't be parsed, up to its first here-document; none if it has open quotes."""
    words = shlex.shlex(line.partition("<<")[0], posix=True, punctuation_chars=True)
    try:
        every = [*words]
    except ValueError:
        return []
    parts: list[list[str]] = [[]]
    for word in every:
        if set(word) <= set("();<>|&"):
            parts.append([])
        else:
            parts[-1].append(word)
    return [Program(Stage(tuple(part))) for part in parts if part]


def _short(text: str) -> str:
    line = " ".join(text.split())
    return line if len(line) <= WORDS_LONGEST else f"{line[: WORDS_LONGEST - 1]}…"


def _rule_of(program: Program, *, fetched: bool) -> str:
    """Return what makes a program dangerous; empty if nothing does."""
    written = (each.target or "" for each in program.stage.redirects if each.operator.startswith((">", "&>")))
    if any(map(_DEVICE.fullmatch, written)):
        return "write to a device"
    name, words = program.stage.name.lower(), _Words(program)
    if not name or (any(map(_DRY.fullmatch, words.given)) and name not in ("git", "sqlite3")):
        return ""
    if _runs_fetched(program, words, fetched=fetched):
        return "run what was downloaded"
    judge = _JUDGES.get(name) or next((each for like, each in _LIKE.items() if fnmatchcase(name, like)), None)
    return judge(words) if judge is not None else ""


class _Words:
    """The words of a program, sorted into options and others."""

    def __init__(self, program: Program) -> None:
        self.program = program
        self.name = program.stage.name
        self.given = program.words[1:]
        end = self.given.index("--") if "--" in self.given else len(self.given)
        options = [word for word in self.given[:end] if word.startswith("-") and word != "-"]
        self.long = {word.partition("=")[0] for word in options}
        self.letters = {letter for word in options if re.fullmatch("-[A-Za-z]+", word) for letter in word[1:]}
        self.rest = [word for word in self.given[:end] if not word.startswith("-") or word == "-"]
        self.rest += self.given[end + 1 :]

    def has(self, *options: str) -> bool:
        """Return whether it has one of some options; `-f` is also found in `-rf`."""
        return any(each in self.long or (len(each) == 2 and each[1] in self.letters) for each in options)

    def starts(self, *words: str) -> bool:
        """Return whether its words that are no options begin so."""
        return tuple(self.rest[: len(words)]) == words

    def says(self, *words: str) -> bool:
        """Return whether it has all of some words, wherever."""
        return set(words) <= set(self.rest)


# ---- files ----


def is_disposable(path: str, folder: str | None = "") -> bool:
    """Return whether a path, or a pattern of paths, names only what is made anew or is temporary."""
    if not path:
        return False
    full = posixpath.normpath(path if path[0] in "/~" else posixpath.join(folder or "", path))
    if full.startswith(TEMPORARY):
        return True
    if full.count("/") == 1 and full[0] == "/":  # a folder of the system
        return False
    return any(fnmatchcase(part, like) for part in full.split("/") for like in DISPOSABLE)


def _remove(words: _Words) -> str:
    targets, program = words.rest, words.program
    if not words.has("-r", "-R", "--recursive"):
        whole = [each for each in targets if posixpath.basename(each) == "*"]
        return "rm *" if not all(is_disposable(each, program.folder) for each in whole) else ""
    if "{}" in targets:  # of `find` or `xargs`, which are judged themselves
        return ""
    return "" if all(is_disposable(each, program.folder) for each in targets) else "rm -rf"


def _find(words: _Words) -> str:
    given = words.given
    removes = "-delete" in given or any(word in ("rm", "shred") for word in given)
    return "find -delete" if removes and not _finds_disposable(given, words.program.folder) else ""


def _finds_disposable(given: Sequence[str], folder: str | None) -> bool:
    """Return whether `find` is narrowed to what is disposable, by its folders or by a name."""
    at = next((at for at, word in enumerate(given) if word.startswith(("-", "(", "!"))), len(given))
    named = [given[at + 1] for at, word in enumerate(given[:-1]) if word in ("-name", "-iname", "-path", "-wholename")]
    roots = given[:at]
    return (bool(roots) and all(is_disposable(each, folder) for each in roots)) or (
        bool(named) and all(is_disposable(each) for each in named)
    )


def _xargs(words: _Words) -> str:
    """Files that a pipe names are disposable only if `find` looked for such ones."""
    given = words.given
    at = next((at for at, word in enumerate(given) if word.rpartition("/")[2] == "rm"), None)
    if at is None or not any(re.fullmatch("-[A-Za-z]*[rR][A-Za-z]*|--recursive", word) for word in given[at + 1 :]):
        return ""
    before = words.program.before
    found = before.name == "find" and _finds_disposable(Program(before).words[1:], words.program.folder)
    return "" if found else "rm -rf"


def _mode(words: _Words) -> str:
    if not words.has("-R", "--recursive") or not words.rest:
        return ""
    mode, *targets = words.rest
    is_root = any(re.fullmatch(r"/\*?|~|/[^/]+/?", each) and not is_disposable(each) for each in targets)
    is_open = mode in ("777", "0777", "666", "0666", "000", "a+rwx", "a=rwx", "ugo+rwx")
    kept = [each for each in targets if not is_disposable(each, words.program.folder)]
    return f"{words.name} -R" if is_root or (words.name == "chmod" and is_open and kept) else ""


def _overwrite(words: _Words) -> str:
    if words.name == "truncate" and not (words.has("-s", "--size") or words.rest):
        return ""
    return "" if all(is_disposable(each, words.program.folder) for each in words.rest) else words.name


def _copy_raw(words: _Words) -> str:
    onto = next((word[3:] for word in words.rest if word.startswith("of=")), "")
    return "dd of=/dev/" if onto.startswith("/dev/") and onto not in _NOT_A_DEVICE else ""


def _synchronize(words: _Words) -> str:
    deletes = any(each.startswith("--delete") for each in words.long)
    is_safe = words.has("-n") or (bool(words.rest) and is_disposable(words.rest[-1], words.program.folder))
    return "rsync --delete" if deletes and not is_safe else ""


# ---- version control ----


def _git(words: _Words) -> str:
    """Judge a command of git; in a folder for temporary files only what reaches a remote counts."""
    given, folder = list(words.given), words.program.folder
    while len(given) > 1 and given[0].startswith("-"):
        if given[0] == "-C":
            folder = posixpath.join(folder or "", given[1])
        del given[: 2 if given[0] in ("-C", "-c", "--git-dir", "--work-tree", "--namespace") else 1]
    judge = _GIT.get(given[0]) if given else None
    is_local = given[:1] != ["push"] and f"{posixpath.normpath(folder or '')}/".startswith(TEMPORARY)
    if judge is None or is_local or any(map(_DRY.fullmatch, given)):
        return ""
    return judge(_Words(Program(Stage(tuple(given)), words.program.before, folder)))


def _push(words: _Words) -> str:
    if words.has("-n"):
        return ""
    if words.has("--delete", "-d", "--mirror", "--prune") or any(each.startswith(":") for each in words.rest[1:]):
        return "git push --delete"
    forced = words.has("-f", "--force") or any(each.startswith("+") for each in words.rest[1:])
    return "git push --force" if forced else ""


def _is_everything(path: str) -> bool:
    return path in (".", "./", ":/", "*", "./*", "..")


def _checkout(words: _Words) -> str:
    everything = any(map(_is_everything, words.rest))
    return "git checkout ." if everything or words.has("-f", "--force", "--discard-changes") else ""


def _restore(words: _Words) -> str:
    only_staged = words.has("--staged", "-S") and not words.has("--worktree", "-W")
    return "git restore ." if any(map(_is_everything, words.rest)) and not only_staged else ""


def _branch(words: _Words) -> str:
    forced = words.has("-D") or (words.has("-d", "--delete") and words.has("-f", "--force"))
    return "git branch -D" if forced else ""


_GIT: Mapping[str, Callable[[_Words], str]] = {
    "push": _push,
    "reset": lambda words: "git reset --hard" if words.has("--hard") else "",
    "clean": lambda words: "git clean -f" if words.has("-f", "--force") and not words.has("-n") else "",
    "checkout": _checkout,
    "switch": _checkout,
    "restore": _restore,
    "branch": _branch,
    "stash": lambda words: f"git stash {words.rest[0]}" if words.rest[:1] in (["drop"], ["clear"]) else "",
    "filter-branch": lambda words: "git filter-branch",
    "filter-repo": lambda words: "git filter-repo",
    "reflog": lambda words: "git reflog expire" if words.starts("expire") or words.starts("delete") else "",
    "gc": lambda words: "git gc --prune" if "--prune=now" in words.given else "",
    "worktree": lambda words: "git worktree remove -f" if words.starts("remove") and words.has("-f", "--force") else "",
}


# ---- databases, infrastructure, others ----


def _sql(words: _Words) -> str:
    file = words.rest[0] if words.name in ("sqlite3", "duckdb") and words.rest else ""
    if file == ":memory:" or is_disposable(file, words.program.folder):
        return ""
    return next(filter(None, map(danger_in_sql, [*words.given, *given_texts(words.program)])), "")


def _any_of(rule: str, *ways: tuple[str, ...]) -> Callable[[_Words], str]:
    """Return a judge of programs that are dangerous with all the words of one way; `-x` is an option."""

    def judge(words: _Words) -> str:
        for way in ways:
            options = [each for each in way if each.startswith("-")]
            if words.says(*(each for each in way if each not in options)) and all(words.has(each) for each in options):
                return rule
        return ""

    return judge


def _always(rule: str) -> Callable[[_Words], str]:
    return lambda words: rule


def _redis(words: _Words) -> str:
    taking = ("-h", "-p", "-n", "-a", "-u", "-s", "--user", "--pass")
    said = [word for before, word in pairwise(("", *words.given)) if before not in taking and word[:1] != "-"]
    verb = said[0].upper() if said else ""
    return verb if verb in ("FLUSHALL", "FLUSHDB") and not words.has("--scan") else ""


def _mongo(words: _Words) -> str:
    text = " ".join([*words.given, *given_texts(words.program)])
    found = re.search(r"\.dropDatabase\(|\.drop\(\s*\)|\.(?:deleteMany|remove)\(\s*(?:\{\s*\})?\s*\)", text)
    return "drop a collection" if found else ""


def _terraform(words: _Words) -> str:
    verb = words.rest[0] if words.rest else ""
    if verb == "destroy" or (verb == "apply" and words.has("-destroy")):
        return "terraform destroy"
    return "terraform state rm" if words.starts("state", "rm") else ""


def _kubectl(words: _Words) -> str:
    if "drain" in words.rest[:3]:
        return "kubectl drain"
    if "delete" not in words.given or "exec" in words.given:
        return ""
    if words.has("-f", "--filename", "-k", "--all"):
        return "kubectl delete"
    behind = words.given[words.given.index("delete") + 1 :]
    taking = ("-n", "--namespace", "-l", "--selector", "--context", "-o", "--grace-period")
    named = [word for before, word in pairwise(("", *behind)) if before not in taking and word[:1] != "-"]
    what = named[0] if named else ""
    return "kubectl delete" if what and what.partition("/")[0].lower() not in _REPLACEABLE else ""


def _aws(words: _Words) -> str:
    if words.says("s3") and ((words.says("rm") and words.has("--recursive")) or words.says("rb")):
        return "aws s3 rm --recursive"
    verb = next((each for each in words.rest if re.match(r"(?:delete|terminate)-", each)), "")
    return f"aws {verb}" if verb else ""


def _docker(words: _Words) -> str:
    rest = [each for each in words.rest if each != "compose"]
    if words.name == "docker-compose" or words.says("compose"):
        return "docker compose down -v" if "down" in rest and words.has("-v", "--volumes") else ""
    if rest[:2] in (["system", "prune"], ["volume", "prune"], ["volume", "rm"], ["volume", "remove"]):
        return f"docker {rest[0]} {rest[1]}"
    removed = rest[1:] if rest[:1] == ["rm"] else rest[2:] if rest[:2] == ["container", "rm"] else []
    return "docker rm -f" if words.has("-f", "--force") and "" in removed else ""


def _runs_fetched(program: Program, words: _Words, *, fetched: bool) -> bool:
    """Return whether an interpreter runs what `curl` or `wget` got: from a pipe, or in place of a word."""
    if not _INTERPRETERS.fullmatch(program.stage.name) and program.stage.name not in _SHELLS:
        return False
    if program.before.name in _FETCHERS:
        reads_code = {"-", "-s", "/dev/stdin"} & {*words.given}
        return not words.given or bool(reads_code) or (program.stage.name in _SHELLS and not words.rest)
    return fetched and program.stage.name in _SHELLS and "" in words.given


_SQL_CLIENTS = ("psql", "mysql", "mariadb", "sqlite3", "duckdb", "sqlcmd", "clickhouse-client", "cockroach", "usql")
_RAILS = _any_of("drop the database", ("db:drop",), ("db:reset",), ("db:purge",), ("db:drop:all",))
_PUBLISH = _any_of("publish", ("publish",), ("unpublish",))
_JUDGES: Mapping[str, Callable[[_Words], str]] = {
    "rm": _remove, "find": _find, "xargs": _xargs, "chmod": _mode, "chown": _mode, "shred": _overwrite,
    "truncate": _overwrite, "dd": _copy_raw, "rsync": _synchronize, "git": _git,
    "remove-item": lambda words: "" if all(map(is_disposable, words.rest)) else "rm -rf",
    "wipefs": _always("wipefs"), "crontab": _any_of("crontab -r", ("-r",)),
    "kill": lambda words: "kill every process" if words.given[-1:] == ["-1"] and len(words.given) > 1 else "",
    **dict.fromkeys(_SQL_CLIENTS, _sql), "dropdb": _always("DROP DATABASE"),
    "mysqladmin": _any_of("DROP DATABASE", ("drop",)), "redis-cli": _redis, "mongosh": _mongo, "mongo": _mongo,
    **dict.fromkeys(("rails", "rake", "bundle"), _RAILS), "php": _any_of("drop the database", ("migrate:fresh",)),
    "npx": _any_of("drop the database", ("prisma", "migrate", "reset"), ("prisma", "db", "push", "--force-reset")),
    "prisma": _any_of("drop the database", ("migrate", "reset")),
    **dict.fromkeys(("terraform", "tofu", "terragrunt"), _terraform), "pulumi": _any_of("pulumi destroy", ("destroy",)),
    "cdk": _any_of("cdk destroy", ("destroy",)), "kubectl": _kubectl, "oc": _kubectl,
    "helm": _any_of("helm uninstall", ("uninstall",), ("delete",)), "aws": _aws,
    **dict.fromkeys(("gcloud", "az", "doctl"), _any_of("delete in the cloud", ("delete",), ("purge",))),
    "gsutil": _any_of("delete in the cloud", ("rm", "-r"), ("rb",)),
    "gh": _any_of("gh repo delete", ("repo", "delete")),
    **dict.fromkeys(("heroku", "fly", "flyctl"), _any_of("delete in the cloud", ("apps:destroy",), ("destroy",))),
    **dict.fromkeys(("npm", "yarn", "pnpm", "cargo", "poetry", "uv"), _PUBLISH),
    "twine": _any_of("publish", ("upload",)), "gem": _any_of("publish", ("push",)),
    **dict.fromkeys(("docker", "docker-compose", "podman"), _docker),
    **dict.fromkeys(("shutdown", "reboot", "halt", "poweroff"), _always("shut down")),
}  # fmt: skip
_LIKE: Mapping[str, Callable[[_Words], str]] = {
    "mkfs*": lambda words: "mkfs" if words.rest else "",
    "python*": _any_of("drop the database", ("manage.py", "flush"), ("manage.py", "reset_db")),
}
"""Pattern of names → judge."""


# ---- before and after ----

_NAMED = re.compile(
    r"\b(?:"
    + "|".join(re.escape(each) for each in sorted({*_JUDGES, *_FETCHERS, "mkfs", "manage.py", "rmtree"}))
    + r")|/dev/|:\s*\(\)",
    re.IGNORECASE,
)
_BRINGS_BACK = re.compile(
    r"git (?:-\S+ )*(?:reflog|fsck|revert|stash apply|reset \S*(?:@\{|ORIG_HEAD)|reset --hard \S*(?:@\{|ORIG_HEAD)"
    r"|checkout \S*(?:@\{|ORIG_HEAD)|restore --source|restore -s|checkout [0-9a-f]{7,40} -- )"
    r"|pg_restore |mysqlimport |mongorestore |terraform import |helm rollback |kubectl rollout undo |testdisk"
)


def may_be_dangerous(text: str) -> bool:
    """Return whether a text names a program that may be dangerous; cheap, and never wrongly no."""
    return _NAMED.search(text) is not None


def recovery_in(command: str) -> str:
    """Return the program of a command that brings back what was lost; empty if there is none."""
    if not _BRINGS_BACK.search(command):
        return ""
    found = (shlex.join(each.words) for each in programs_in(command) or ())
    return next((_short(each) for each in found if _BRINGS_BACK.match(each)), "")
