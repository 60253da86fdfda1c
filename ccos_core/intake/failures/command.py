"""What a command line runs, as far as it can be told without running it.

Only for the scope of what passed and for telling a shown file from a run: what failed is read off the output. Whatever
the shell would have to work out (variables, globs, substitutions) is named `dynamic` and believed in nowhere.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import lru_cache

LONGEST = 20_000
DEEPEST = 3
"""Shells inside of shells."""

_TOKEN = re.compile(
    r"""(?P<space>[ \t\r]+|\\\n)
    |(?P<redirect>\d*(?:&>>|&>|>>|>&|<&|>\||>|<<<|<<-|<<|<))
    |(?P<operator>&&|\|\||;;|[;&|\n()])
    |(?P<word>(?:[^\s;&|<>()'"\\`]|\\.|'[^']*'|"(?:[^"\\]|\\.)*"|`[^`]*`)+)
    |(?P<other>.)""",
    re.VERBOSE | re.DOTALL,
)
_PIECE = re.compile(r"""\\(.)|'([^']*)'|"((?:[^"\\]|\\.)*)\"""", re.DOTALL)
_SINGLE = re.compile(r"'[^']*'")
_DYNAMIC = re.compile(r"[$`*?{]")
_ASSIGNMENT = re.compile(r"[A-Za-z_]\w*=")
_INTERPRETER = re.compile(r"(?:python|pypy)[\d.]*(?:\.exe)?$")

_RUNNERS = {
    "pytest": "pytest",
    "py.test": "pytest",
    "nosetests": "nose",
    "nosetests3": "nose",
    "nose2": "nose",
    "django-admin": "django",
    "coverage": "coverage",
    "cargo": "cargo",
    "go": "go",
}
_WRAPPERS = {
    "sudo", "time", "command", "exec", "nohup", "stdbuf", "env", "timeout", "nice", "xvfb-run", "uv", "poetry",
    "pipenv", "pdm", "hatch", "rye", "conda", "mamba", "docker", "podman", "docker-compose", "script", "unbuffer",
}  # fmt: skip
_SHELLS = {"bash", "sh", "zsh", "dash"}
_FARTHEST = 14
"""Words before the program that a wrapper may have for itself."""
_FLAGS_WITH_VALUE = {"-W", "-X", "--check-hash-based-pycs"}


@dataclass(frozen=True, slots=True)
class Run:
    """One program that is run."""

    tool: str
    """pytest, unittest, django, nose, python (a script or a module), or the program's own name."""
    words: tuple[str, ...]
    """Its arguments; of `python` the script first."""
    decides: bool
    """Whether the whole command succeeds only if this did."""
    dynamic: bool = False
    """Whether an argument is the shell's to work out."""
    folder: str = ""
    """Where the command went before, by `cd`."""


def runs(command: str) -> list[Run]:
    """Every program of a command line, in its order."""
    return list(_runs(command[:LONGEST], DEEPEST))


@lru_cache(maxsize=64)  # every reader of an output asks what was run, and people run the same again
def _runs(command: str, depth: int) -> tuple[Run, ...]:
    found: list[Run] = []
    folder = ""
    steps = _steps(command)
    sure = bool(steps) and steps[-1][1] == "" and all(operator != "||" for _, operator in steps)
    for at, (raw, _) in enumerate(steps):
        words = [_unquoted(word) for word in raw]
        decides = sure and all(operator == "&&" for _, operator in steps[at:-1])
        inner = _inner_command(words)
        if inner is not None and depth:
            found += [
                Run(run.tool, run.words, run.decides and decides, run.dynamic, run.folder or folder)
                for run in _runs(inner[:LONGEST], depth - 1)
            ]
            continue
        tool, rest = _program(words)
        if tool == "cd":
            folder = rest[0] if len(rest) == 1 else ""
        elif tool:
            dynamic = any(_DYNAMIC.search(_SINGLE.sub("", word)) for word in raw)
            found.append(Run(tool, tuple(rest), decides, dynamic, folder))
    return tuple(found)


def _steps(command: str) -> list[tuple[list[str], str]]:
    """(words as written, the operator after them); without redirections and what is fed in by `<<`."""
    steps: list[tuple[list[str], str]] = []
    words: list[str] = []
    waiting: list[str] = []
    redirect = ""
    at = 0
    while (token := _TOKEN.match(command, at)) is not None:
        at = token.end()
        kind, text = token.lastgroup, token[0]
        if kind == "word" and redirect:
            waiting += [_unquoted(text)] if redirect.endswith(("<<", "<<-")) else []
            redirect = ""
        elif kind == "word":
            words.append(text)
        elif kind == "redirect":
            redirect = text
        elif kind == "operator":
            steps += [(words, text)] if words else []
            words, redirect = [], ""
            if text == "\n" and waiting:
                at, waiting = _after_fed(command, at, waiting), []
    steps += [(words, "")] if words else []
    while steps and steps[-1][1] in (";", "\n", "(", ")"):
        steps[-1] = (steps[-1][0], "")
    return steps


def _after_fed(command: str, at: int, delimiters: list[str]) -> int:
    for delimiter in delimiters:
        end = re.compile(rf"^\t*{re.escape(delimiter)}$", re.MULTILINE).search(command, at)
        at = end.end() if end is not None else len(command)
    return at


def _unquoted(word: str) -> str:
    return _PIECE.sub(lambda piece: piece[1] or piece[2] or (piece[3] or "").replace('\\"', '"'), word)


def _inner_command(words: list[str]) -> str | None:
    """What a `bash -lc '...'` is told to do."""
    for at, word in enumerate(words[:_FARTHEST]):
        if _name(word) in _SHELLS and (at == 0 or _name(words[0]) in _WRAPPERS):
            options = words[at + 1 : at + 4]
            for ahead, option in enumerate(options):
                if option.startswith("-") and option.endswith("c") and at + 2 + ahead < len(words):
                    return words[at + 2 + ahead]
    return None


def _program(words: list[str]) -> tuple[str, list[str]]:
    """(the tool, its arguments), whatever it is wrapped in."""
    while words and _ASSIGNMENT.match(words[0]):
        words = words[1:]
    if not words:
        return "", []
    if _name(words[0]) in _WRAPPERS:
        for at, word in enumerate(words[1 : _FARTHEST + 1], 1):
            if _name(word) in _RUNNERS or _INTERPRETER.match(_name(word)):
                return _program(words[at:])
    name, rest = _name(words[0]), words[1:]
    if _INTERPRETER.match(name):
        return _interpreted(rest)
    if name.endswith(".py"):
        return _script(words)
    tool = _RUNNERS.get(name, name)
    return _covered(rest) if tool == "coverage" else (tool, rest)


def _name(word: str) -> str:
    return word.replace("\\", "/").rpartition("/")[2]


def _interpreted(words: list[str]) -> tuple[str, list[str]]:
    """What the arguments of an interpreter start."""
    at = 0
    while at < len(words) and words[at].startswith("-") and words[at] != "-":
        if words[at] == "-c":
            return "python", []
        if words[at] == "-m":
            return _module(words[at + 1 :])
        at += 2 if words[at] in _FLAGS_WITH_VALUE else 1
    return _script(words[at:])


def _module(words: list[str]) -> tuple[str, list[str]]:
    if not words:
        return "python", []
    name, rest = words[0], words[1:]
    if name == "unittest":
        return "unittest", rest
    if name == "django":
        return "django", rest
    if name == "coverage":
        return _covered(rest)
    return _RUNNERS.get(name, "python"), rest if name in _RUNNERS else words


def _script(words: list[str]) -> tuple[str, list[str]]:
    """`manage.py test` and Django's own `runtests.py` are test runs; any other script is itself."""
    name = _name(words[0]) if words else ""
    if name == "manage.py" and words[1:2] == ["test"]:
        return "django", words[1:]
    if name == "runtests.py":
        return "django", ["test", *words[1:]]
    return "python", words


def _covered(words: list[str]) -> tuple[str, list[str]]:
    """`coverage run -m pytest ...` runs pytest."""
    if words[:1] != ["run"]:
        return "coverage", words
    for at, word in enumerate(words):
        if word == "-m":
            return _module(words[at + 1 :])
        if word.endswith(".py"):
            return _script(words[at:])
    return "coverage", words
