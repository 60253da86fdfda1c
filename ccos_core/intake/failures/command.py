"""What a command line runs, as far as it can be told without running it.

Only for the scope of what passed and for telling a shown file from a run: what failed is read off the output. Whatever
the shell would have to work out (variables, globs, substitutions) is named `dynamic` and believed in nowhere. A command
that can't be read runs nothing that is known here.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, replace
from functools import lru_cache
from itertools import chain

from ccos_core.intake.calls.shell import For, Group, If, Loop, Node, Script, Simple, parse_line
from ccos_core.intake.calls.shell_words import GLOB, PLAIN, QUOTED, QUOTED_VARIABLE, VARIABLE, Piece, Word

LONGEST = 20_000
DEEPEST = 3
"""Shells inside of shells."""

_DYNAMIC = re.compile(r"[*?{]")
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
    script = parse_line(command)
    return tuple(_Walk(depth).script(script, True)) if script is not None else ()


class _Walk:
    """One command line, being walked."""

    def __init__(self, depth: int) -> None:
        self.depth = depth
        self.folder = ""

    def script(self, script: Script, decides: bool) -> Iterator[Run]:
        """Its runs. Whether one of them decides can only be said of the last chain, and where `||` mends nothing."""
        for number, each in enumerate(script):
            last = number == len(script) - 1 and not each.background
            sure = decides and last and all(joiner != "||" for joiner, _ in each.parts)
            for _, pipeline in each.parts:
                for at, node in enumerate(pipeline.nodes, 1):
                    yield from self._node(node, sure and at == len(pipeline.nodes) and not pipeline.negated)

    def _node(self, node: Node, decides: bool) -> Iterator[Run]:
        match node:
            case Simple():
                yield from self._simple(node, decides)
            case Group():
                folder = self.folder
                yield from self.script(node.body, decides)
                self.folder = folder if node.subshell else self.folder
            case For():
                yield from self.script(node.body, False)
            case If():
                for body in (*chain.from_iterable(node.branches), node.otherwise or ()):
                    yield from self.script(body, False)
            case Loop():
                for body in () if node.function else node.bodies:
                    yield from self.script(body, False)

    def _simple(self, node: Simple, decides: bool) -> Iterator[Run]:
        words = ["".join(map(_said, word)) for word in node.words]
        inner = _inner_command(words)
        if inner is not None and self.depth:
            for run in _runs(inner[:LONGEST], self.depth - 1):
                yield replace(run, decides=run.decides and decides, folder=run.folder or self.folder)
            return
        tool, rest = _program(words)
        if tool == "cd":
            self.folder = rest[0] if len(rest) == 1 else ""
        elif tool:
            yield Run(tool, tuple(rest), decides, any(map(_is_dynamic, node.words)), self.folder)


def _said(piece: Piece) -> str:
    """A piece of a word as it is spelled, without quotes."""
    return f"${piece.text}" if piece.kind in (VARIABLE, QUOTED_VARIABLE) else piece.text


def _is_dynamic(word: Word) -> bool:
    """Whether the shell would have to work it out. `test_a[1]` is a test's name: as a pattern it matches no file."""
    return any(
        _DYNAMIC.search(piece.text) is not None if piece.kind == GLOB else piece.kind not in (PLAIN, QUOTED)
        for piece in word
    )


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
