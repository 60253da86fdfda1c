"""What a command line runs, as far as it can be told without running it.

Only for the scope of what passed and for telling a shown file from a run: what failed is read off the output. Whatever
the shell would have to work out (variables, globs, substitutions) is named `dynamic` and believed in nowhere. A command
that can't be read runs nothing that is known here.
"""

from __future__ import annotations

import posixpath
import re
from collections.abc import Iterator
from dataclasses import dataclass, replace
from functools import lru_cache
from itertools import chain, pairwise

from ccos_core.intake.calls.shell import For, Group, If, Loop, Node, Pipeline, Script, Simple, parse_line
from ccos_core.intake.calls.shell_words import GLOB, PLAIN, QUOTED, QUOTED_VARIABLE, VARIABLE, Piece, Redirect, Word

LONGEST = 20_000
DEEPEST = 3
"""Shells inside of shells."""

ASSIGNMENT = re.compile(r"[A-Za-z_]\w*=")
_STANDING = {"HOME", "PATH", "USER"}
"""Variables that hardly any line changes but to put something in front."""
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
    """Where the command went before, by `cd`, seen from where the line began."""
    fed: str = ""
    """The text of its here-document."""
    into: tuple[str, ...] = ()
    """The programs its output goes through, as `| grep -v x | head -3` names them, with their arguments."""
    hidden: bool = False
    """Whether some of its output goes into a file or nowhere."""
    environment: tuple[str, ...] = ()
    """What the line itself put into its environment: `GOOS=linux`."""
    unsure: bool = False
    """Whether anything by which it is the same as another is the shell's to work out: an argument, its folder, its
    environment, what it is fed."""


def runs(command: str) -> list[Run]:
    """Every program of a command line, in its order."""
    return list(_runs(command[:LONGEST], DEEPEST))


@lru_cache(maxsize=64)  # every reader of an output asks what was run, and people run the same again
def _runs(command: str, depth: int) -> tuple[Run, ...]:
    script = parse_line(command)
    return tuple(_Walk(depth).script(script, True)) if script is not None else ()


@dataclass(frozen=True, slots=True)
class _State:
    """What a shell is in between two commands. A subshell leaves no trace in it."""

    folder: str = ""
    lost: bool = False
    """Whether the folder is the shell's to work out."""
    strict: bool = False
    """Whether `set -e` ends it at the first program that fails, ..."""
    piping: bool = False
    """... and `set -o pipefail` lets any program of a pipe count."""
    exported: tuple[tuple[str, Word], ...] = ()
    assigned: tuple[tuple[str, Word], ...] = ()
    """Variables that programs don't see."""


class _Walk:
    """One command line, being walked."""

    def __init__(self, depth: int) -> None:
        self.depth = depth
        self.state = _State()

    def script(self, script: Script, decides: bool, into: Into = ()) -> Iterator[Run]:
        """Its runs. Which of them decide can only be said of the last chain, and where `||` mends nothing."""
        for number, each in enumerate(script):
            joiners = [joiner for joiner, _ in each.parts]
            counts = number == len(script) - 1 or (self.state.strict and "&&" not in joiners)
            sure = decides and counts and not each.background and "||" not in joiners
            before = first = self.state
            for place, (_, pipeline) in enumerate(each.parts):
                yield from self._pipeline(pipeline, sure and not pipeline.negated, into)
                first = first if place else self.state
            self._maybe(first)
            self.state = before if each.background else self.state

    def _pipeline(self, pipeline: Pipeline, decides: bool, into: Into) -> Iterator[Run]:
        before = self.state
        for at, node in enumerate(pipeline.nodes, 1):
            last = at == len(pipeline.nodes) or self.state.piping
            behind = tuple(" ".join(_words(other)) for other in pipeline.nodes[at:])
            yield from self._node(node, decides and last, behind + into)
            self.state = before if len(pipeline.nodes) > 1 else self.state

    def _maybe(self, before: _State) -> None:
        """What came since may not have been run: flags are only believed to be set if they were before."""
        strict, piping = before.strict and self.state.strict, before.piping and self.state.piping
        self.state = replace(self.state, strict=strict, piping=piping)

    def _node(self, node: Node, decides: bool, into: Into) -> Iterator[Run]:
        before = self.state
        match node:
            case Simple():
                yield from self._simple(node, decides, into)
            case Group():
                yield from self.script(node.body, decides, into)
                self.state = before if node.subshell else self.state
            case For():
                yield from self._perhaps((node.body,), into)
            case If():
                yield from self._perhaps((*chain.from_iterable(node.branches), node.otherwise or ()), into)
            case Loop():
                yield from self._perhaps(() if node.function else node.bodies, into)

    def _perhaps(self, bodies: tuple[Script, ...], into: Into) -> Iterator[Run]:
        """What may be run or not."""
        for body in bodies:
            before = self.state
            yield from self.script(body, False, into)
            self._maybe(before)

    def _simple(self, node: Simple, decides: bool, into: Into) -> Iterator[Run]:
        words = _words(node)
        tool, rest = _program(words)
        hidden = any(_hides(each) for each in node.redirects)
        state = self.state
        own = (*state.exported, *node.assignments)
        environment = tuple(f"{name}={_text(value)}" for name, value in own)
        unsure = state.lost or any(_is_unsure(value) for _, value in own)
        unsure = unsure or any(map(_is_unsure, node.words)) or any(_is_unsure(each) for each in _feeding(node))
        inner = _inner_command(words)
        if inner is not None and self.depth:
            environment += _assigned(words[: words.index(inner)])
            for run in _runs(inner[:LONGEST], self.depth - 1):
                yield replace(
                    run, decides=run.decides and decides, folder=_joined(state.folder, run.folder),
                    into=run.into + into, hidden=run.hidden or hidden, environment=environment + run.environment,
                    unsure=unsure or run.unsure,
                )  # fmt: skip
            return
        if not tool:
            self._assign(node.assignments)
        elif tool in ("cd", "pushd", "popd"):
            self._go(tool, node)
        elif tool == "set":
            self._set(rest)
        elif tool in ("export", "declare", "typeset"):
            self._export(node)
        if tool not in ("", "cd"):
            environment += _assigned(words[: len(words) - len(rest) - 1])
            fed = "".join(map(_text, _feeding(node)))
            fed = fed or next((code for flag, code in pairwise(words) if flag in ("-c", "-e")), "")
            dynamic = any(map(_is_dynamic, node.words))
            yield Run(tool, tuple(rest), decides, dynamic, state.folder, fed, into, hidden, environment, unsure)

    def _go(self, tool: str, node: Simple) -> None:
        """Another folder."""
        to = [word for word in node.words[1:] if not re.match(r"-.", _text(word))]
        said = _text(to[0]) if to else "~"
        known = len(to) < 2 and said != "-" and not (to and _is_unsure(to[0]))
        if tool != "cd":
            known = known and bool(to) and tool == "pushd"
        elsewhere = said.startswith(("/", "~", "$HOME"))
        lost = not known or (self.state.lost and not elsewhere)
        folder = _joined(self.state.folder, said) if said != "-" and tool != "popd" else "$OLDPWD"
        self.state = replace(self.state, folder=folder, lost=lost)

    def _set(self, words: list[str]) -> None:
        """`set -e`, `set +e`, `set -euo pipefail`."""
        for at, word in enumerate(words):
            if not re.fullmatch(r"[-+][A-Za-z]+", word):
                if at and words[at - 1].endswith("o"):
                    continue
                break
            on = word.startswith("-")
            named = words[at + 1 : at + 2] if word.endswith("o") else []
            if "e" in word or named == ["errexit"]:
                self.state = replace(self.state, strict=on)
            if named == ["pipefail"]:
                self.state = replace(self.state, piping=on)

    def _assign(self, assignments: tuple[tuple[str, Word], ...]) -> None:
        """Variables that were exported stay so."""
        names = {name for name, _ in self.state.exported}
        for each in assignments:
            if each[0] in names:
                self.state = replace(self.state, exported=_with(self.state.exported, each))
            else:
                self.state = replace(self.state, assigned=_with(self.state.assigned, each))

    def _export(self, node: Simple) -> None:
        if _text(node.words[0]) != "export" and not any(_text(word) == "-x" for word in node.words):
            return
        known = dict(self.state.assigned)
        for word in node.words[1:]:
            name, equals, first = word[0].text.partition("=") if word and word[0].kind == PLAIN else ("", "", "")
            value: Word | None = (Piece(PLAIN, first), *word[1:]) if equals else known.get(name)
            if value is not None and name:
                self.state = replace(self.state, exported=_with(self.state.exported, (name, value)))


def _with(known: tuple[tuple[str, Word], ...], one: tuple[str, Word]) -> tuple[tuple[str, Word], ...]:
    return (*((name, value) for name, value in known if name != one[0]), one)


def _joined(folder: str, to: str) -> str:
    """Where `cd` leads from a folder."""
    if not folder or not to or to.startswith(("/", "~", "$")):
        return to or folder
    return posixpath.normpath(f"{folder}/{to}")


def _assigned(words: list[str]) -> tuple[str, ...]:
    """What `env` and its like put into the environment of what they start."""
    return tuple(word for word in words if ASSIGNMENT.match(word))


Into = tuple[str, ...]
"""The programs that an output goes through."""


def _words(node: Node) -> list[str]:
    return list(map(_text, node.words)) if isinstance(node, Simple) else []


def _text(word: Word) -> str:
    """A word as it is spelled, without quotes."""
    return "".join(map(_said, word))


def _feeding(node: Simple) -> list[Word]:
    """The texts of its here-documents and here-strings."""
    return [each.target for each in node.redirects if each.operator.startswith("<<")]


def _hides(redirect: Redirect) -> bool:
    """Whether output goes into a file or nowhere; `2>&1` leaves it where it is."""
    return ">" in redirect.operator and not _text(redirect.target).isdigit()


def _said(piece: Piece) -> str:
    """A piece of a word as it is spelled, without quotes."""
    return f"${piece.text}" if piece.kind in (VARIABLE, QUOTED_VARIABLE) else piece.text


def _is_dynamic(word: Word) -> bool:
    """Whether the shell would have to work it out. `test_a[1]` is a test's name: as a pattern it matches no file."""
    return any(
        _DYNAMIC.search(piece.text) is not None if piece.kind == GLOB else piece.kind not in (PLAIN, QUOTED)
        for piece in word
    )


def _is_unsure(word: Word) -> bool:
    """The same, but for what stays the same from one command line to the next."""
    return _is_dynamic(tuple(piece for piece in word if piece.text not in _STANDING or piece.kind in (PLAIN, QUOTED)))


def _inner_command(words: list[str]) -> str | None:
    """What a `bash -lc '...'` is told to do."""
    for at, word in enumerate(words[:_FARTHEST]):
        if base_name(word) in _SHELLS and (at == 0 or base_name(words[0]) in _WRAPPERS):
            options = words[at + 1 : at + 4]
            for ahead, option in enumerate(options):
                if option.startswith("-") and option.endswith("c") and at + 2 + ahead < len(words):
                    return words[at + 2 + ahead]
    return None


def _program(words: list[str]) -> tuple[str, list[str]]:
    """(the tool, its arguments), whatever it is wrapped in."""
    if not words:
        return "", []
    if base_name(words[0]) in _WRAPPERS:
        for at, word in enumerate(words[1 : _FARTHEST + 1], 1):
            if base_name(word) in _RUNNERS or _INTERPRETER.match(base_name(word)):
                return _program(words[at:])
    name, rest = base_name(words[0]), words[1:]
    if _INTERPRETER.match(name):
        return _interpreted(rest)
    if name.endswith(".py"):
        return _script(words)
    tool = _RUNNERS.get(name, name)
    return _covered(rest) if tool == "coverage" else (tool, rest)


def base_name(word: str) -> str:
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
    name = base_name(words[0]) if words else ""
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
