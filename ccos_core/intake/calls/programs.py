"""Which programs a line of shell runs, and whether one of them is a forbidden one.

What runs only inside counts as well: substitutions, here-documents of a shell, `eval`, `xargs`, `find -exec`, and what
`ssh`, `docker exec`, `kubectl exec` or a Python script is given to run.
"""

from __future__ import annotations

import ast
import posixpath
import re
import shlex
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, fields, is_dataclass
from fnmatch import fnmatchcase
from itertools import pairwise

from ccos_core.intake.calls.running import Run, runs
from ccos_core.intake.calls.shell import parse_line
from ccos_core.intake.calls.shell_words import UNKNOWN, Piece
from ccos_core.intake.calls.stages import Stage

HOME = {"HOME": "~"}
REMOVING = ("rm",)
DEEPEST = 4
"""Scripts within scripts."""
MOST_SCRIPTS = 200
"""Of one line, at one depth."""
LONGEST_FLAGS = 4
"""Letters behind a dash that may be flags in a row; `-maxdepth` is one word."""
_BETWEEN = re.compile(r"\s*(?:&&|\|\||[;|&\n])\s*")
_SUBSTITUTION = re.compile(r"[$<>]\((?!\()(.*)\)|`(.*)`", re.DOTALL)
_ESCAPED = re.compile(r"\\([`$\\])")
_SHELLS = ("bash", "sh", "zsh", "dash", "ksh")
_XARGS_TAKES = (
    "-I",
    "-n",
    "-P",
    "-L",
    "-d",
    "-E",
    "-s",
    "-a",
    "--max-args",
    "--max-procs",
    "--delimiter",
    "--arg-file",
)
_SSH_TAKES = tuple(f"-{letter}" for letter in "BbcDEeFIiJLlmOopQRSWw")
_CONTAINERS = ("docker", "docker-compose", "podman", "kubectl")
_EXEC_TAKES = ("-u", "--user", "-e", "--env", "-w", "--workdir", "-n", "--namespace", "-c", "--container", "--index")
_GIT_TAKES = ("-C", "-c", "--git-dir", "--work-tree", "--namespace", "--exec-path")
_VALUED = {"commit": "mFCctuS", "push": "o"}
"""Command of git → letters behind which the rest of a word is a value."""
_SAME = {"rm": {"--recursive": "-r", "--force": "-f", "-R": "-r"}}


def may_be_in(line: str, pattern: Sequence[str]) -> bool:
    """Whether a line can run what a pattern forbids; cheap, and never wrongly no."""
    return bool(pattern) and (any(mark in pattern[0] for mark in "*?[") or pattern[0] in line)


NOTHING = Stage()


@dataclass(frozen=True, slots=True)
class Program:
    """One program that a line of shell runs."""

    stage: Stage
    before: Stage = NOTHING
    """What is piped into it."""
    folder: str | None = ""
    """Where, from the folder the line was started in; None where that isn't known."""
    substituted: bool = False
    """Whether its output becomes a word of another, as in `$(...)`."""

    @property
    def words(self) -> list[str]:
        """Its words; of files that the shell finds the pattern, and nothing for a word that only the shell knew."""
        return _words(self.stage)


def programs_of(line: str) -> list[list[str]]:
    """Return the words of each program that a line of shell runs; an unreadable line is split at its operators."""
    found = programs_in(line)
    if found is None:
        return [part.split() for part in _BETWEEN.split(line) if part]
    return [_placed(each.words, each.folder or "") for each in found if each.stage.words]


def programs_in(line: str, variables: Mapping[str, str] = HOME) -> list[Program] | None:
    """Return each program that a line of shell runs; None for a line that can't be read."""
    found = runs(line, None, variables=variables)
    return None if found is None else list(_programs(line, found, variables, DEEPEST))


def given_texts(program: Program) -> list[str]:
    """Return the texts on its standard input: here-documents, here-strings, and what `echo` or `cat` pipes in."""
    texts = [each.target for each in program.stage.redirects if each.operator.startswith("<<") and each.target]
    if program.before.name in ("echo", "printf"):
        texts.append(" ".join(word for word in _words(program.before)[1:] if not re.fullmatch("-[neE]+", word)))
    elif program.before.name == "cat":
        texts += given_texts(Program(program.before))
    return texts


def _programs(
    line: str, found: Sequence[Run], variables: Mapping[str, str], depth: int, *, substituted: bool = False
) -> Iterator[Program]:
    inner: dict[str, bool] = dict.fromkeys(_substituted(parse_line(line)), True)
    for run in found:
        for before, stage in pairwise((NOTHING, *run.stages)):
            program = Program(stage, before, run.cwd, substituted)
            yield program
            inner.update((each, substituted) for each in _scripts(program) if each not in inner)
    for script in [*inner][:MOST_SCRIPTS] if depth else ():
        deeper = runs(script, None, variables=variables) or ()
        yield from _programs(script, deeper, variables, depth - 1, substituted=inner[script])


def _placed(words: list[str], folder: str) -> list[str]:
    """The words, and what those of a removal name as plain paths: `cd / && rm -rf ./*` removes `/*`."""
    if words[0].rpartition("/")[2] not in REMOVING:
        return words
    named = [posixpath.join(folder, word) for word in words[1:] if word[:1] not in ("-", "")]
    paths = [posixpath.normpath(path).replace("//", "/") for path in named if path[0] in "/~"]
    return words + [path for path in paths if path not in words]


def _words(stage: Stage) -> list[str]:
    """Its words; of files that the shell finds the pattern."""
    like = stage.patterns or ("",) * len(stage.words)
    return [word or pattern for word, pattern in zip(stage.words, like, strict=True)]


def _substituted(part: object) -> Iterator[str]:
    """The scripts of all substitutions in what was parsed."""
    if isinstance(part, Piece):
        found = _SUBSTITUTION.search(part.text) if part.kind == UNKNOWN else None
        if found is not None:
            yield found[1] if found[1] is not None else _ESCAPED.sub(r"\1", found[2])
    elif isinstance(part, tuple):
        for each in part:
            yield from _substituted(each)
    elif is_dataclass(part):
        for field in fields(part):
            yield from _substituted(getattr(part, field.name))


def _scripts(program: Program) -> Iterator[str]:
    """What a program is given to run."""
    name, words = program.stage.name, program.words
    if name == "eval":
        yield " ".join(words[1:])
    elif name == "xargs":
        yield shlex.join(words[_behind_options(words, 1, _XARGS_TAKES) :])
    elif name == "find":
        for at, word in enumerate(words):
            if word in ("-exec", "-execdir", "-ok", "-okdir"):
                end = next((end for end in range(at, len(words)) if words[end] in (";", "+")), len(words))
                yield shlex.join(words[at + 1 : end])
    elif name == "ssh":
        told = words[_behind_options(words, 1, _SSH_TAKES) + 1 :]
        yield from [" ".join(told)] if told else given_texts(program)
    elif name in _CONTAINERS and "exec" in words:
        told = words[_behind_options(words, words.index("exec") + 1, _EXEC_TAKES) + 1 :]
        yield shlex.join(told[1:] if told[:1] == ["--"] else told)
    elif name in _SHELLS and all(word.startswith("-") for word in words[1:]):
        yield from given_texts(program)
    elif re.fullmatch(r"python[\d.]*", name):
        code = words[words.index("-c") + 1 :][:1] if "-c" in words else given_texts(program)
        yield from (script for each in code for script in _run_by_python(each))


def _behind_options(words: Sequence[str], at: int, taking: Sequence[str]) -> int:
    """Return the place of the first word from `at` that is no option; those of `taking` have a value."""
    while at < len(words) and words[at].startswith("-") and words[at] != "--":
        at += 2 if words[at] in taking else 1
    return at


def _run_by_python(code: str) -> Iterator[str]:
    """What a Python script runs in a shell; a folder that it removes is one that `rm -r` would."""
    try:
        tree = ast.parse(code)
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return
    for node in ast.walk(tree):
        if isinstance(node, ast.Call) and node.args:
            name, told = ast.unparse(node.func), _literal(node.args[0])
            if name.endswith("rmtree") and isinstance(told, str):
                yield shlex.join(["rm", "-r", "--", told])
            elif name in ("os.system", "os.popen") or name.startswith("subprocess."):
                texts = told if isinstance(told, list) else []
                yield told if isinstance(told, str) else shlex.join(each for each in texts if isinstance(each, str))


def _literal(node: ast.expr) -> object:
    try:
        return ast.literal_eval(node)
    except (ValueError, TypeError, RecursionError):
        return None


def is_like(program: Sequence[str], pattern: Sequence[str]) -> bool:
    """Whether a program is the one of a pattern, and has all of the pattern's other words; `*` stands for anything.

    Letters after one dash are also found among others and apart: `-f` in `-uf`, `-rf` in `-r -f`.
    """
    if not pattern or not program:
        return False
    name = program[0].rpartition("/")[2]
    if not fnmatchcase(name, pattern[0]):
        return False
    given, wanted = list(program[1:]), list(pattern[1:])
    command = ""
    if name == "git":
        while len(given) > 1 and given[0].startswith("-") and wanted[:1] != given[:1]:
            del given[: 2 if given[0] in _GIT_TAKES else 1]
        command = given[0] if given else ""
        if wanted and not wanted[0].startswith("-") and not fnmatchcase(command, wanted[0]):
            return False
    valued = _VALUED.get(command, "") if name == "git" else ""
    if valued:  # `-m -n`: the second is a text
        given = [word for before, word in pairwise(("", *given)) if word[:1] != "-" or not _awaits(before, valued)]
    same = _SAME.get(name, {})
    given += [same[word] for word in given if word in same]
    flags = [_flags(word, valued) for word in given if re.fullmatch("-[A-Za-z]+", word)]
    if name in _SAME:
        flags = [each.lower() for each in flags]
    return all(_has(given, flags, word) for word in wanted)


def _flags(word: str, valued: str) -> str:
    """The letters of a word of flags, up to one that takes the rest."""
    end = next((at for at, letter in enumerate(word) if letter in valued), len(word))
    return word[1 : end + 1]


def _awaits(word: str, valued: str) -> bool:
    """Whether the next word is the value of this one."""
    if word == "--message":
        return True
    is_whole = re.fullmatch("-[A-Za-z]+", word) is not None and _flags(word, valued) == word[1:]
    return is_whole and word[-1] in valued and word[-1] not in "uS"


def _has(given: Sequence[str], flags: Sequence[str], wanted: str) -> bool:
    if any(fnmatchcase(word, wanted) for word in given):
        return True
    if not re.fullmatch("-[A-Za-z]{1,3}", wanted):
        return False
    if len(wanted) == 2:
        return any(wanted[1] in each for each in flags)
    short = "".join(each for each in flags if len(each) <= LONGEST_FLAGS)
    return all(letter in short for letter in wanted[1:])
