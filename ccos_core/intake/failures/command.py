"""What a command line runs, as far as it can be told without running it; and whether it only shows texts.

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
from ccos_core.intake.calls.shell_words import GLOB, PLAIN, QUOTED, QUOTED_VARIABLE, VARIABLE, Piece, Word
from ccos_core.intake.failures.arguments import words_of

_LONGEST_COMMAND = 20_000
_MOST_NESTED_SHELLS = 3

ASSIGNMENT = re.compile(r"[A-Za-z_]\w*=")
_STANDING = {"HOME", "PATH", "USER"}  # variables that hardly any line changes but to put something in front
_DYNAMIC = re.compile(r"[*?{]")
_INTERPRETER = re.compile(r"(?:python|pypy)[\d.]*(?:\.exe)?$")
_RUNNERS = {
    "pytest": "pytest", "py.test": "pytest", "nosetests": "nose", "nosetests3": "nose", "nose2": "nose",
    "django-admin": "django", "coverage": "coverage", "cargo": "cargo", "go": "go",
}  # fmt: skip
_WRAPPERS = words_of(
    "sudo time command exec nohup stdbuf env timeout nice xvfb-run uv poetry pipenv pdm hatch rye conda mamba docker"
    " podman docker-compose script unbuffer"
)
_SHELLS = words_of("bash sh zsh dash")
_MOST_WRAPPING_WORDS = 14
_FLAGS_WITH_VALUE = words_of("-W -X --check-hash-based-pycs")
SHOWING = words_of(
    "cat bat head tail less more nl sed awk grep egrep fgrep rg ag ack ls find tree wc sort uniq cut tr diff cmp stat"
    " file pwd which xxd od echo printf true git str_replace_editor open view"
)
_GIT_RUNS = words_of("bisect rebase commit push merge submodule")  # these run hooks or commands of their own
_LOG = re.compile(r"\.(?:log|txt|out|err|output|stderr|stdout)(?:\.\d+)?$|log|output|result|(?:^|/)tmp/", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class Run:
    """One program that is run."""

    tool: str  # pytest, unittest, django, nose, python (a script or a module), or the program's own name
    words: tuple[str, ...]  # its arguments; of `python` the script first
    decides: bool  # the whole command succeeds only if this did
    dynamic: bool = False  # an argument is the shell's to work out
    folder: str = ""  # where the command went before, by `cd`, seen from where the line began
    fed: str = ""  # the text of its here-document
    into: tuple[str, ...] = ()
    """The programs its output goes through, as `| grep -v x | head -3` names them, with their arguments."""
    hidden: bool = False  # some of its output goes into a file or nowhere
    environment: tuple[str, ...] = ()  # what the line itself put into its environment: `GOOS=linux`
    unsure: bool = False
    """Whether anything by which it is the same as another is the shell's to work out: an argument, its folder, its
    environment, what it is fed."""


def runs(command: str) -> list[Run]:
    """Every program of a command line, in its order."""
    return list(_runs(command[:_LONGEST_COMMAND], _MOST_NESTED_SHELLS))


@lru_cache(maxsize=64)  # every reader of an output asks what was run, and people run the same again
def _runs(command: str, depth: int) -> tuple[Run, ...]:
    script = parse_line(command)
    return tuple(_Shell(depth).script(script, True)) if script is not None else ()


def is_quoting(command: str) -> bool:
    """Whether all it does is to show files that are no logs, so that nothing failed.

    A log is another matter, for that is how the output of something that ran elsewhere is read.
    """
    done = runs(command)
    return bool(done) and all(map(shows, done))


def shows(run: Run) -> bool:
    if run.tool not in SHOWING or (run.tool == "git" and run.words[:1] and run.words[0] in _GIT_RUNS):
        return False
    if run.tool == "find" and any(word.startswith("-exec") for word in run.words):
        return False
    named = [word for word in run.words if not word.startswith("-")]
    return run.tool in ("git", "echo", "printf") or not any(map(_LOG.search, named))


@dataclass(frozen=True, slots=True)
class _State:
    """What a shell is in between two commands. A subshell leaves no trace in it."""

    folder: str = ""
    lost: bool = False  # the folder is the shell's to work out
    strict: bool = False  # `set -e` ends it at the first program that fails
    piping: bool = False  # and `set -o pipefail` lets any program of a pipe count
    exported: tuple[tuple[str, Word], ...] = ()
    assigned: tuple[tuple[str, Word], ...] = ()  # variables that programs don't see


class _Shell:
    """One command line, being walked."""

    def __init__(self, depth: int) -> None:
        self.depth = depth
        self.state = _State()

    def script(self, script: Script, decides: bool, into: tuple[str, ...] = ()) -> Iterator[Run]:
        """Its runs. Which of them decide can only be said of the last chain, and where `||` mends nothing."""
        for number, each in enumerate(script):
            joiners = [joiner for joiner, _ in each.parts]
            counts = number == len(script) - 1 or (self.state.strict and "&&" not in joiners)
            sure = decides and counts and not each.background and "||" not in joiners
            before = first = self.state
            for place, (_, pipeline) in enumerate(each.parts):
                yield from self._pipeline(pipeline, sure and not pipeline.negated, into)
                first = first if place else self.state
            self._doubt_flags(first)
            self.state = before if each.background else self.state

    def _pipeline(self, pipeline: Pipeline, decides: bool, into: tuple[str, ...]) -> Iterator[Run]:
        before = self.state
        for at, node in enumerate(pipeline.nodes, 1):
            last = at == len(pipeline.nodes) or self.state.piping
            behind = tuple(" ".join(_words(other)) for other in pipeline.nodes[at:])
            yield from self._node(node, decides and last, behind + into)
            self.state = before if len(pipeline.nodes) > 1 else self.state

    def _doubt_flags(self, before: _State) -> None:
        """What came since may not have been run: flags are only believed to be set if they were before."""
        strict, piping = before.strict and self.state.strict, before.piping and self.state.piping
        self.state = replace(self.state, strict=strict, piping=piping)

    def _node(self, node: Node, decides: bool, into: tuple[str, ...]) -> Iterator[Run]:
        before = self.state
        bodies: tuple[Script, ...] = ()  # what may be run or not
        match node:
            case Simple():
                yield from self._simple(node, decides, into)
            case Group():
                yield from self.script(node.body, decides, into)
                self.state = before if node.subshell else self.state
            case For():
                bodies = (node.body,)
            case If():
                bodies = (*chain.from_iterable(node.branches), node.otherwise or ())
            case Loop():
                bodies = () if node.function else node.bodies
        for body in bodies:
            before = self.state
            yield from self.script(body, False, into)
            self._doubt_flags(before)

    def _simple(self, node: Simple, decides: bool, into: tuple[str, ...]) -> Iterator[Run]:
        words = _words(node)
        tool, rest = _program(words)
        hidden = any(">" in each.operator and not _text(each.target).isdigit() for each in node.redirects)
        feeding = [each.target for each in node.redirects if each.operator.startswith("<<")]
        state = self.state
        own = (*state.exported, *node.assignments)
        environment = tuple(f"{name}={_text(value)}" for name, value in own)
        unsure = state.lost or any(map(_is_unsure, (*(value for _, value in own), *node.words, *feeding)))
        inner = _inner_command(words)
        if inner is not None and self.depth:
            environment += tuple(filter(ASSIGNMENT.match, words[: words.index(inner)]))
            for run in _runs(inner[:_LONGEST_COMMAND], self.depth - 1):
                yield replace(
                    run, decides=run.decides and decides, folder=_join(state.folder, run.folder),
                    into=run.into + into, hidden=run.hidden or hidden, environment=environment + run.environment,
                    unsure=unsure or run.unsure,
                )  # fmt: skip
            return
        self._apply(tool, rest, node)
        if tool not in ("", "cd"):
            environment += tuple(filter(ASSIGNMENT.match, words[: len(words) - len(rest) - 1]))
            fed = "".join(map(_text, feeding))
            fed = fed or next((code for flag, code in pairwise(words) if flag in ("-c", "-e")), "")
            dynamic = any(map(_is_dynamic, node.words))
            yield Run(tool, tuple(rest), decides, dynamic, state.folder, fed, into, hidden, environment, unsure)

    def _apply(self, tool: str, rest: list[str], node: Simple) -> None:
        """What a command of the shell's own changes."""
        if not tool:
            names = {name for name, _ in self.state.exported}
            for each in node.assignments:  # variables that were exported stay so
                if each[0] in names:
                    self.state = replace(self.state, exported=_with(self.state.exported, each))
                else:
                    self.state = replace(self.state, assigned=_with(self.state.assigned, each))
        elif tool in ("cd", "pushd", "popd"):
            self._go(tool, node)
        elif tool == "set":
            self._set(rest)
        elif tool in ("export", "declare", "typeset"):
            self._export(node)

    def _go(self, tool: str, node: Simple) -> None:
        """Another folder."""
        to = [word for word in node.words[1:] if not re.match(r"-.", _text(word))]
        said = _text(to[0]) if to else "~"
        known = len(to) < 2 and said != "-" and not (to and _is_unsure(to[0]))
        if tool != "cd":
            known = known and bool(to) and tool == "pushd"
        elsewhere = said.startswith(("/", "~", "$HOME"))
        lost = not known or (self.state.lost and not elsewhere)
        folder = _join(self.state.folder, said) if said != "-" and tool != "popd" else "$OLDPWD"
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


def _join(folder: str, to: str) -> str:
    """Where `cd` leads from a folder."""
    if not folder or not to or to.startswith(("/", "~", "$")):
        return to or folder
    return posixpath.normpath(f"{folder}/{to}")


# ---- words ----


def _words(node: Node) -> list[str]:
    return list(map(_text, node.words)) if isinstance(node, Simple) else []


def _text(word: Word) -> str:
    """A word as it is spelled, without quotes."""
    named = (VARIABLE, QUOTED_VARIABLE)
    return "".join([f"${piece.text}" if piece.kind in named else piece.text for piece in word])


def _is_dynamic(word: Word) -> bool:
    """Whether the shell would have to work it out. `test_a[1]` is a test's name: as a pattern it matches no file."""
    return any(
        _DYNAMIC.search(piece.text) is not None if piece.kind == GLOB else piece.kind not in (PLAIN, QUOTED)
        for piece in word
    )


def _is_unsure(word: Word) -> bool:
    """The same, but for what stays the same from one command line to the next."""
    return _is_dynamic(tuple(piece for piece in word if piece.text not in _STANDING or piece.kind in (PLAIN, QUOTED)))


# ---- programs ----


def _inner_command(words: list[str]) -> str | None:
    """What a `bash -lc '...'` is told to do."""
    for at, word in enumerate(words[:_MOST_WRAPPING_WORDS]):
        if base_name(word) in _SHELLS and (at == 0 or base_name(words[0]) in _WRAPPERS):
            for option, inner in pairwise(words[at + 1 : at + 5]):
                if option.startswith("-") and option.endswith("c"):
                    return inner
    return None


def _program(words: list[str]) -> tuple[str, list[str]]:
    """(the tool, its arguments), whatever it is wrapped in."""
    if not words:
        return "", []
    if base_name(words[0]) in _WRAPPERS:
        for at, word in enumerate(words[1 : _MOST_WRAPPING_WORDS + 1], 1):
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
    name, rest = "".join(words[:1]), words[1:]
    if name == "coverage":
        return _covered(rest)
    tool = name if name in ("unittest", "django") else _RUNNERS.get(name)
    return (tool, rest) if tool is not None else ("python", words)


def _script(words: list[str]) -> tuple[str, list[str]]:
    """`manage.py test` and Django's own `runtests.py` are test runs; any other script is itself."""
    name = base_name(words[0]) if words else ""
    if name == "manage.py" and words[1:2] == ["test"]:
        return "django", words[1:]
    return ("django", ["test", *words[1:]]) if name == "runtests.py" else ("python", words)


def _covered(words: list[str]) -> tuple[str, list[str]]:
    """`coverage run -m pytest ...` runs pytest."""
    for at, word in enumerate(words if words[:1] == ["run"] else ()):
        if word == "-m":
            return _module(words[at + 1 :])
        if word.endswith(".py"):
            return _script(words[at:])
    return "coverage", words
