"""Which programs a command line ran, in which folder, with which words, and how certain that is.

Groups, `for` over known words, `if` and shells inside of shells are unfolded into runs, one after the other. What was
certainly run is told from what may have been by the joiners and by how the whole ended. Variables are followed where a
plain assignment or a loop set them; a word with any other is not known, but of a pattern of files the pattern is. What
a loop, a function or part of a pipeline runs prints with that, so it is a run `inside` of the one before.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace

from ccos_core.intake.calls.shell import (
    Chain,
    For,
    Group,
    If,
    Loop,
    Node,
    Pipeline,
    Script,
    Simple,
    parse_line,
)
from ccos_core.intake.calls.shell_words import Redirect, Word, bare
from ccos_core.intake.calls.stages import (
    ALL_GIVEN,
    DEEPEST,
    MOST_PATTERNS,
    Place,
    Redirected,
    Stage,
    listed_by,
    listed_in,
    literally,
    meant_by,
    patterns_of,
    stage_of,
    value_of,
)

MOST = 300
"""Runs of one line."""


@dataclass(frozen=True, slots=True)
class Run:
    """A pipeline that was run, or may have been."""

    stages: tuple[Stage, ...]
    cwd: str | None
    """Where, from the folder the line was started in; None where nobody can tell."""

    ran: bool
    """Whether it certainly was."""
    succeeded: bool | None
    """How it certainly ended."""
    background: bool = False
    inside: bool = False
    """Whether it is part of the run before, and what it prints is part of what that prints."""


def runs(
    line: str,
    succeeded: bool | None,
    cwd: str = "",
    lost: bool = False,
    calm: bool = False,
    variables: Mapping[str, str] = {},
) -> list[Run] | None:
    """The runs of a line that ended so; None for one that can't be read. `lost`: a `cd` complained. `calm`: nothing
    complained in all that was printed. `variables`: those known besides."""
    script = parse_line(line)
    if script is None:
        return None
    walk = _Walk(succeeded, lost, calm)
    found: list[Run] = []
    for run in walk.script(script, Place("", {"PWD": cwd or None, **variables}), _Surely(True, succeeded)):
        found.append(run)
        if len(found) > MOST:
            return None
    return found


# -- the walk ---------------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class _Surely:
    ran: bool
    succeeded: bool | None


@dataclass(slots=True)
class _Walk:
    succeeded: bool | None
    lost: bool
    calm: bool
    count: int = 0

    def script(self, script: Script, place: Place, surely: _Surely) -> Iterator[Run]:
        for number, chain in enumerate(script):
            if place.over:
                return
            last = number == len(script) - 1
            ran = surely.ran and not place.left
            if place.strict and self.succeeded is not True and number:
                ran = False
            yield from self._chain(chain, place, _Surely(ran, surely.succeeded if last else None))

    def _chain(self, chain: Chain, place: Place, surely: _Surely) -> Iterator[Run]:
        joiners = {joiner for joiner, _ in chain.parts}
        if chain.background:
            surely = _Surely(surely.ran, None)
        alone = len(chain.parts) == 1
        all_ran = surely.succeeded is True and "||" not in joiners
        came, unsure = place.cwd, False
        so_far = True
        for number, (joiner, pipeline) in enumerate(chain.parts):
            ran = surely.ran and (number == 0 or all_ran or (so_far and joiner == "&&"))
            ended = surely.succeeded if alone or all_ran else None
            so_far = so_far and joiner != "||" and self.calm and _would_complain(pipeline)
            if self._leaves(pipeline, joiner, place, surely):
                return
            before = place.cwd
            for run in self._pipeline(pipeline, place, _Surely(ran, ended)):
                yield replace(run, background=True) if chain.background else run
            if place.cwd != before and not ran:
                unsure = True
                place.cwd = None if joiner == "||" else place.cwd
        if unsure:
            place.cwd = None
        elif chain.background:
            place.cwd = came

    def _leaves(self, pipeline: Pipeline, joiner: str, place: Place, surely: _Surely) -> bool:
        """Whether the shell ends here; where it only may, what follows isn't certain any more."""
        node = pipeline.nodes[0]
        name = bare(node.words[0]) if isinstance(node, Simple) and node.words else ""
        if name not in ("exit", "return", "break", "continue"):
            return False
        code = bare(node.words[1]) if isinstance(node, Simple) and len(node.words) > 1 else ""
        failing = code.isdigit() and int(code) != 0
        if not (name == "exit" and failing and joiner == "||" and self.succeeded is True):
            place.left = True
        place.over = place.over or (name == "exit" and not joiner and surely.ran)
        return not joiner

    def _pipeline(self, pipeline: Pipeline, place: Place, surely: _Surely) -> Iterator[Run]:
        if pipeline.negated:
            surely = _Surely(surely.ran, None)
        if len(pipeline.nodes) == 1:
            yield from self._node(pipeline.nodes[0], place, surely)
            return
        stages = tuple(stage_of(node, place) for node in pipeline.nodes)
        yield Run(stages, place.cwd, surely.ran, surely.succeeded)
        for number, node in enumerate(pipeline.nodes):
            if not isinstance(node, Simple):
                yield from self._inside(node, place, surely.ran, listed_by(stages[:number]))

    def _inside(self, node: Node, place: Place, ran: bool, lines: tuple[str, ...] = ()) -> Iterator[Run]:
        """What is run in something whose output nobody can take apart. What it sets it sets for itself. `lines`: what
        the files are called like whose names it reads."""
        inner = replace(place, variables=dict(place.variables), patterns=dict(place.patterns))
        if isinstance(node, Loop) and node.reads:
            fed = (listed_in(redirect.target, place) for redirect in node.redirects if redirect.operator == "<")
            inner.variables[node.reads], inner.patterns[node.reads] = None, lines or next(fed, ())
        for run in self._parts(node, inner, _Surely(ran, None)):
            yield replace(run, inside=True)

    def _parts(self, node: Node, place: Place, surely: _Surely) -> Iterator[Run]:
        match node:
            case Group():
                yield from self.script(node.body, place, surely)
            case For():
                yield from self._some(node, place, surely)
            case If():
                yield from self._if(node, place, surely)
            case Loop() if not node.function:
                _blur(place)
                for body in node.bodies:
                    yield from self.script(body, place, _Surely(False, None))

    def _node(self, node: Node, place: Place, surely: _Surely) -> Iterator[Run]:
        self.count += 1
        if self.count > MOST * 4:
            return
        if isinstance(node, (Group, For, If)) and not all(_harmless(redirect) for redirect in node.redirects):
            before = replace(place)
            yield self._unfollowed(node, place, surely)
            yield from self._inside(node, before, surely.ran)
            return
        match node:
            case Group():
                inside = replace(place, variables=dict(place.variables)) if node.subshell else place
                yield from self.script(node.body, inside, surely)
            case For():
                yield from self._for(node, place, surely)
            case If():
                yield from self._if(node, place, surely)
            case Loop():
                if node.function:
                    earlier = () if surely.ran else place.functions.get(node.function, (True, ()))[1]
                    place.functions[node.function] = (surely.ran, (*earlier, *node.bodies))
                inner = replace(place)
                yield self._unfollowed(node, place, surely)
                yield from self._inside(node, inner, surely.ran)
            case Simple():
                yield from self._simple(node, place, surely)

    def _for(self, node: For, place: Place, surely: _Surely) -> Iterator[Run]:
        words = [value_of(word, place) for word in node.words]
        if any(word is None for word in words) or len(words) > MOST:
            inner = replace(place)
            yield self._unfollowed(node, place, surely)
            yield from self._inside(node, inner, surely.ran)
            return
        for number, word in enumerate(words):
            place.variables[node.name] = word
            place.patterns.pop(node.name, None)
            ended = surely.succeeded if number == len(words) - 1 else None
            yield from self.script(node.body, place, _Surely(surely.ran, ended))

    def _some(self, node: For, place: Place, surely: _Surely) -> Iterator[Run]:
        """A loop over words of which some are patterns, or not known at all: once for each, and not surely."""
        for word in node.words[:MOST_PATTERNS]:
            value = value_of(word, place)
            place.variables[node.name], place.patterns[node.name] = value, patterns_of(word, place)
            yield from self.script(node.body, place, _Surely(surely.ran and value is not None, None))

    def _if(self, node: If, place: Place, surely: _Surely) -> Iterator[Run]:
        cwd = place.cwd
        for number, (condition, body) in enumerate(node.branches):
            yield from self.script(condition, place, _Surely(surely.ran and number == 0, None))
            yield from self.script(body, place, _Surely(False, None))
        if node.otherwise is not None:
            yield from self.script(node.otherwise, place, _Surely(False, None))
        self._forget(node, place)
        place.cwd = cwd if place.cwd == cwd else None

    def _simple(self, node: Simple, place: Place, surely: _Surely) -> Iterator[Run]:
        stage = stage_of(node, place)
        if not node.words:
            for name, value in node.assignments:
                self._assign(name, value, place, surely.ran)
        inner = _inner(stage.words)
        if inner is not None and place.depth < DEEPEST and all(_quiet(redirect) for redirect in stage.redirects):
            script = parse_line(inner)
            if script is not None:
                kept = {name: place.variables[name] for name in ("HOME",) if name in place.variables}
                inside = Place(place.cwd, kept, depth=place.depth + 1)
                yield from self.script(script, inside, surely)
                return
        yield Run((stage,), place.cwd, surely.ran, surely.succeeded)
        self._moved(stage, place, surely)
        if stage.name in place.functions and place.depth < DEEPEST:
            yield from self._called(stage, place, surely)

    def _assign(self, name: str, word: Word, place: Place, surely: bool) -> None:
        """A variable stands for something else; where that may not have been run, for this or for what it was."""
        value, patterns = value_of(word, place), patterns_of(word, place)
        meant = (literally(value),) if value is not None else patterns
        if not surely:
            before = place.variables.get(name)
            known = (literally(before),) if before is not None else place.patterns.get(name, ())
            meant = tuple(dict.fromkeys([*known, *meant]))[:MOST_PATTERNS]
        place.variables[name] = value if surely else None
        place.patterns[name] = meant

    def _called(self, stage: Stage, place: Place, surely: _Surely) -> Iterator[Run]:
        """The body of a function, with what it was given."""
        words = enumerate(stage.words[1:10], 1)
        inner = replace(place, variables={**place.variables, **{str(at): word for at, word in words}})
        inner.patterns = {
            **place.patterns,
            **{str(at): (word,) for at, word in enumerate(stage.patterns[1:10], 1) if word},
            ALL_GIVEN: tuple(meant_by(stage)[1:][:MOST_PATTERNS]),
        }
        inner.depth += 1
        defined, bodies = place.functions[stage.name]
        for body in bodies:
            for run in self.script(body, inner, _Surely(surely.ran and defined, None)):
                yield replace(run, inside=True)

    def _moved(self, stage: Stage, place: Place, surely: _Surely) -> None:
        """What a builtin does to the shell itself."""
        if stage.name in ("cd", "pushd", "popd"):
            rest = [word for word in stage.words[1:] if word not in ("--", "-P", "-L")]
            home = place.variables.get("HOME") if stage.name == "cd" and not rest else None
            to = rest[0] if len(rest) == 1 and stage.name != "popd" else home
            unknown = to in (None, "-") or self.lost or surely.succeeded is False
            place.cwd = None if unknown else joined(place.cwd, to)
            place.variables.pop("PWD", None)
        elif stage.name == "set" and any(re.match(r"-[a-z]*e", word or "") for word in stage.words[1:]):
            place.strict = True
        elif stage.name in ("export", "declare", "local", "readonly", "read", "unset", "eval", "source", "."):
            self._unset(stage, place)

    def _unset(self, stage: Stage, place: Place) -> None:
        if stage.name in ("eval", "source", "."):
            place.variables, place.patterns = {}, {}
        for word in stage.words[1:]:
            place.variables.pop((word or "").partition("=")[0], None)
            place.patterns.pop((word or "").partition("=")[0], None)

    def _unfollowed(self, node: Node, place: Place, surely: _Surely) -> Run:
        """Something of which only its place is known."""
        run = Run((stage_of(node, place),), place.cwd, surely.ran, surely.succeeded)
        self._forget(node, place)
        return run

    def _forget(self, node: Node, place: Place) -> None:
        """What something that wasn't followed may have set, or where it may have gone."""
        if not isinstance(node, Loop) or not node.silent:
            _blur(place)
        if isinstance(node, Loop) and not node.silent and any(map(changes_folder, node.bodies)):
            place.cwd = None


# -- helpers ----------------------------------------------------------------------------------------------------------

_SHELLS = ("sh", "bash", "zsh", "dash", "ksh")
LOUD = {
    "cd", "mkdir", "echo", "printf", "export", "true", ":", "cat", "touch", "cp", "mv", "rm", "chmod", "sed", "head",
    "tail", "nl", "wc", "ls", "pwd", "sort", "tee", "date",
}  # fmt: skip
"""Programs that say it when they fail, with their name in front."""


def joined(folder: str | None, path: str | None) -> str | None:
    """A path from where the line was started."""
    if path is None or path.startswith(("/", "~")):
        return path
    if folder is None:
        return None
    return f"{folder.rstrip('/')}/{path}" if folder else path


def _would_complain(pipeline: Pipeline) -> bool:
    """Whether it can't fail without saying so."""
    return not pipeline.negated and all(_loud(node) for node in pipeline.nodes)


def _loud(node: Node) -> bool:
    if not isinstance(node, Simple) or not node.words:
        return False
    heard = not any(redirect.fd == 2 or "&" in redirect.operator for redirect in node.redirects)
    return heard and bare(node.words[0]) in LOUD


def _inner(words: tuple[str | None, ...]) -> str | None:
    """What a shell was told to run."""
    if not words or (words[0] or "").rpartition("/")[2] not in _SHELLS:
        return None
    for at, word in enumerate(words[1:4], 1):
        if word is None or not word.startswith("-"):
            return None
        if re.fullmatch(r"-[a-z]*c[a-z]*", word):
            return words[at + 1] if at + 1 < len(words) else None
    return None


def _blur(place: Place) -> None:
    """Variables may stand for something else now; what they stood for is still what they may stand for."""
    held = {name: (literally(value),) for name, value in place.variables.items() if value is not None}
    place.variables, place.patterns = {}, {**place.patterns, **held}


def _harmless(redirect: Redirect) -> bool:
    """Whether what a compound command prints still comes out where the rest does."""
    return _quiet(Redirected(redirect.fd, redirect.operator, bare(redirect.target)))


def _quiet(redirect: Redirected) -> bool:
    if redirect.operator == ">&":
        return redirect.fd == 2 and redirect.target == "1"
    return redirect.fd == 2 and redirect.target == "/dev/null"


def changes_folder(script: Script) -> bool:
    """Whether any command of a script may go to another folder."""
    return any(_node_moves(node) for chain in script for _, pipeline in chain.parts for node in pipeline.nodes)


def _node_moves(node: Node) -> bool:
    match node:
        case Simple():
            return bool(node.words) and bare(node.words[0]) in ("cd", "pushd", "popd", "eval", "source", ".")
        case Group() | For():
            return changes_folder(node.body)
        case If():
            return any(changes_folder(body) for branch in node.branches for body in branch) or changes_folder(
                node.otherwise or ()
            )
        case Loop():
            return any(map(changes_folder, node.bodies))
