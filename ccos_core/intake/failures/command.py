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
from itertools import chain, pairwise

from ccos_core.intake.calls.shell import For, Group, If, Loop, Node, Script, Simple, parse_line
from ccos_core.intake.calls.shell_words import GLOB, PLAIN, QUOTED, QUOTED_VARIABLE, VARIABLE, Piece, Redirect, Word

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
    fed: str = ""
    """The text of its here-document."""
    into: tuple[str, ...] = ()
    """The programs its output goes through, as `| grep -v x | head -3` names them, with their arguments."""
    hidden: bool = False
    """Whether some of its output goes into a file or nowhere."""


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
        self.strict = False
        """Whether `set -e` ends it at the first program that fails, ..."""
        self.piping = False
        """... and `set -o pipefail` lets any program of a pipe count."""

    def script(self, script: Script, decides: bool, into: Into = ()) -> Iterator[Run]:
        """Its runs. Which of them decide can only be said of the last chain, and where `||` mends nothing."""
        for number, each in enumerate(script):
            joiners = [joiner for joiner, _ in each.parts]
            counts = number == len(script) - 1 or (self.strict and "&&" not in joiners)
            sure = decides and counts and not each.background and "||" not in joiners
            for _, pipeline in each.parts:
                for at, node in enumerate(pipeline.nodes, 1):
                    last = at == len(pipeline.nodes) or self.piping
                    behind = tuple(" ".join(_words(other)) for other in pipeline.nodes[at:])
                    yield from self._node(node, sure and last and not pipeline.negated, behind + into)

    def _node(self, node: Node, decides: bool, into: Into) -> Iterator[Run]:
        match node:
            case Simple():
                yield from self._simple(node, decides, into)
            case Group():
                folder = self.folder
                yield from self.script(node.body, decides, into)
                self.folder = folder if node.subshell else self.folder
            case For():
                yield from self.script(node.body, False, into)
            case If():
                for body in (*chain.from_iterable(node.branches), node.otherwise or ()):
                    yield from self.script(body, False, into)
            case Loop():
                for body in () if node.function else node.bodies:
                    yield from self.script(body, False, into)

    def _simple(self, node: Simple, decides: bool, into: Into) -> Iterator[Run]:
        words = _words(node)
        hidden = any(_hides(each) for each in node.redirects)
        inner = _inner_command(words)
        if inner is not None and self.depth:
            for run in _runs(inner[:LONGEST], self.depth - 1):
                folder = run.folder or self.folder
                yield replace(
                    run, decides=run.decides and decides, folder=folder, into=run.into + into,
                    hidden=run.hidden or hidden,
                )  # fmt: skip
            return
        tool, rest = _program(words)
        if tool == "cd":
            self.folder = rest[0] if len(rest) == 1 else ""
        elif tool:
            if tool == "set":
                self.strict = self.strict or any(re.match(r"-[a-z]*e", word) for word in rest)
                self.piping = self.piping or "pipefail" in rest
            fed = _fed(node) or next((code for flag, code in pairwise(words) if flag in ("-c", "-e")), "")
            dynamic = any(map(_is_dynamic, node.words))
            yield Run(tool, tuple(rest), decides, dynamic, self.folder, fed, into, hidden)


Into = tuple[str, ...]
"""The programs that an output goes through."""


def _words(node: Node) -> list[str]:
    return ["".join(map(_said, word)) for word in node.words] if isinstance(node, Simple) else []


def _fed(node: Simple) -> str:
    """The text of its here-documents and here-strings."""
    return "".join("".join(map(_said, each.target)) for each in node.redirects if each.operator.startswith("<<"))


def _hides(redirect: Redirect) -> bool:
    """Whether output goes into a file or nowhere; `2>&1` leaves it where it is."""
    return ">" in redirect.operator and not "".join(map(_said, redirect.target)).isdigit()


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
