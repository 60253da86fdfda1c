"""Which programs a command line ran, how each of them ended, and by what a later run of the same is known.

A program is known by its name, its arguments in a normal form, its folder, and what the line puts into its
environment; where the shell would have to work out any of that, it is known by nothing, and no other run is the same.
What its name is wrapped in (`timeout`, `npx`, `uv run`, `mise exec`) and options that only change how much is printed
are no part of it. The exit code is that of the whole line: it says how one program ended where that follows. Behind a
pipe nothing follows, but the output may tell; see `with_verdict`.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import replace

from ccos_core.intake.failures.command import ASSIGNMENT, Run, runs
from ccos_core.intake.failures.lines import CUT
from ccos_core.intake.failures.page import Page
from ccos_core.intake.failures.quoting import shows
from ccos_core.values.canon import digest
from ccos_core.values.outcome import FAILED, PASSED, UNTOLD, Ran

MOST_PARTS = 20
LONGEST_KEY = 200
"""Characters by which a command is known; of a longer one the first, and a hash of all."""

_WRAPPERS = {"sudo", "time", "timeout", "gtimeout", "nice", "env", "stdbuf", "nohup", "command", "exec", "unbuffer"}
_STARTERS: dict[str, tuple[str, ...]] = {
    "npx": (), "bunx": (), "pnpx": (), "uvx": (), "pipx": ("run",), "uv": ("run",), "poetry": ("run",),
    "pipenv": ("run",), "pdm": ("run",), "hatch": ("run",), "rye": ("run",), "mise": ("exec", "x"),
    "bundle": ("exec",), "yarn": ("exec", "dlx"), "pnpm": ("exec", "dlx"), "npm": ("exec", "x"), "bun": ("x",),
}  # fmt: skip
"""What starts another program → behind which of its own words; behind none, at once."""
_WRAPPERS_OWN = re.compile(r"-.*|\d+(?:\.\d+)?[smhd]?$|[A-Za-z_]\w*=.*", re.DOTALL)
_MODULE = re.compile(r"[A-Za-z_][\w.]*")
_PRINTING = re.compile(
    r"-v+|--verbose|-q+|--quiet|--silent|--colou?r(?:=\w+)?|--no-colou?r|--pretty(?:=\w+)?|--no-pretty|--no-progress"
)
"""Options that change what is printed and nothing else."""
_PRINTING_VARIABLES = re.compile(
    r"(?:NO_COLOR|FORCE_COLOR|CLICOLOR(?:_FORCE)?|TERM|COLUMNS|LINES|PAGER|GIT_PAGER|PYTHONUNBUFFERED)="
)
"""And such variables."""
_NO_RUNS = {
    "cd", "pushd", "popd", "export", "unset", "set", "source", ".", "[", "[[", "test", "mkdir", "rm", "rmdir", "cp",
    "mv", "ln", "touch", "chmod", "chown", "sleep", "wait", "kill", "pkill", "killall", "which", "type", "alias", "tee",
    "xargs", "read", "local", "return", "exit", "trap", ":", "false", "true", "date", "clear", "#",
}  # fmt: skip
"""Programs that are no run of anything."""
_FILTERS = re.compile(r"(?:tee|cat|less|more)\b")
_CUTTING = re.compile(r"(head|tail)(?: +(?:-n *|--lines=|-)?(\d+))?$")
_USUAL_LINES = 10
"""Lines that `head` and `tail` show where nobody says how many."""
MOST_FIRST = 3
_UNFINISHED = re.compile(
    r"Command running in background|Command timed out|Process running with session ID|Command did not complete"
)
"""First lines by which hosts say that a command hasn't ended, or was ended."""
_BROKEN = re.compile(
    r"FAIL$|\[[\w:.-]+\] ERROR task failed|g?make(?:\[\d+\])?: \*\*\*|npm (?:ERR!|error)|error Command failed"
    r"| ELIFECYCLE |error: [Rr]ecipe `|exit status [1-9]|Error: Process completed with exit code [1-9]"
)
"""Lines by which runners of tasks say that one failed."""
_TASK_FAILED = (
    re.compile(r"\[([\w:.-]+)\] ERROR task failed"),
    re.compile(r"g?make(?:\[\d+\])?: \*\*\* \[(?:[^\]]*[: ])?([\w.-]+)\] Error"),
    re.compile(r"error: [Rr]ecipe `([\w.-]+)`"),
)
_SIGNED = {"golangci-lint": re.compile(r"(?:\[[\w:.-]+\] )?\d+ issues:$")}
"""Tools that can be told by how they sum up, whatever script runs them."""
_TASK_SHOWN = (
    re.compile(r"\[(?P<task>[\w:.-]+)\] \$ (?P<command>.+)$"),
    re.compile(r"> (?:@?[^\s@]+@[^\s@]+ )?(?P<task>[\w:.-]+)(?: /\S+)?\n> (?P<command>.+)$"),
)


def parts_of(page: Page) -> tuple[Ran, ...]:
    """The programs that ran, and how each ended as far as the line's exit code and the output tell."""
    meant = [run for run in runs(page.command) if _is_run(run)][:MOST_PARTS]
    failed = {match[1] for line in page.lines for pattern in _TASK_FAILED if (match := pattern.match(line))}
    if not any(failed.intersection(run.words) for run in meant):  # `lint` has run `lint:go`, which failed
        failed = {task.partition(":")[0] for task in failed}
    ended = page.ok is True and not any(_UNFINISHED.match(line) for line in page.lines[:MOST_FIRST])
    found: dict[tuple[str, str], Ran] = {}
    for run in meant:
        tool = program(run)[0].encode("utf-8", "replace").decode()[:LONGEST_KEY]
        end = PASSED if run.decides and ended else FAILED if failed.intersection(run.words) else UNTOLD
        key, folder = _identity(run)
        place = (key, folder) if key else ("", str(len(found)))
        found[place] = Ran(tool, key, folder, end, _lets_through(run, page, whole=True))
    return tuple(found.values())


def with_verdict(parts: tuple[Ran, ...], page: Page) -> tuple[Ran, ...]:
    """The same where the output tells of passes and of no failure: what a pipe hides the exit code of has passed as
    well, if the end of its output is there and none of it speaks of a failure."""
    if any(_BROKEN.match(line) or line == CUT or _UNFINISHED.match(line) for line in page.lines):
        return parts
    shown = {task for task, _ in _shown(page.lines)}
    clear = {
        _identity(run)
        for run in runs(page.command)
        if run.into
        and not run.unsure
        and _lets_through(run, page)
        and (len(parts) == 1 or shown.intersection(run.words))
    }
    return tuple(
        replace(part, end=PASSED) if part.end == UNTOLD and (part.key, part.folder) in clear else part for part in parts
    )


def is_silent_success(run: Run, page: Page) -> bool:
    """Whether a program that reports whatever is wrong has printed nothing, and what it prints would stand here. Its
    exit code may be hidden by a pipe."""
    return bool(run.into) and not any(page.lines) and page.ok is True and _lets_through(run, page)


def program(run: Run) -> tuple[str, tuple[str, ...]]:
    """(name, arguments) of what is run in the end, without what starts it."""
    words = [run.tool, *run.words]
    for _ in range(3):
        name = _base(words[0])
        if name in _WRAPPERS:
            at = next((at for at, word in enumerate(words[1:], 1) if not _WRAPPERS_OWN.match(word)), 0)
        else:
            at = _started(name, words)
        if not at:
            break
        words = words[at:]
    return _base(words[0]), tuple(words[1:])


def tool_of(page: Page) -> str:
    """The name of the tool whose complaints an output holds: the one a task runner shows, else the last one that ran
    and isn't known to have succeeded; empty where no command is known."""
    for tool, sign in _SIGNED.items():
        if any(sign.match(line) for line in page.lines):
            return tool
    shown = [run for run in shown_runs(page) if _is_run(run)]
    if shown:
        return program(shown[-1])[0]
    parts = parts_of(page)
    left = [part for part in parts if part.end == FAILED] or [part for part in parts if part.end != PASSED]
    return (left or [*parts])[-1].tool if parts else ""


def shown_runs(page: Page) -> list[Run]:
    """What runners of tasks say that they run: `[lint] $ golangci-lint run ./...`."""
    return [run for _, command in _shown(page.lines) for run in runs(command)]


def _lets_through(run: Run, page: Page, *, whole: bool = False) -> bool:
    """Whether the end of what a program printed stands in the output; or all of it."""
    if run.hidden or (whole and CUT in page.lines):
        return False
    return all(_passes_on(each, len(page.lines), whole) for each in run.into)


def _passes_on(filter_: str, size: int, whole: bool) -> bool:
    """Whether this program of a pipe lets the end of an output through, or all of it."""
    cutting = _CUTTING.match(filter_)
    if cutting is None:
        return _FILTERS.match(filter_) is not None
    return size < int(cutting[2] or _USUAL_LINES) or (cutting[1] == "tail" and not whole)


def _shown(lines: list[str]) -> Iterator[tuple[str, str]]:
    """(task, command)."""
    for at, line in enumerate(lines):
        if line.startswith("["):
            match = _TASK_SHOWN[0].match(line)
        elif line.startswith("> ") and at + 1 < len(lines):
            match = _TASK_SHOWN[1].match(f"{line.rstrip()}\n{lines[at + 1]}")
        else:
            continue
        if match is not None:
            yield match["task"], match["command"]


def _is_run(run: Run) -> bool:
    return run.tool not in _NO_RUNS and not shows(run)


def _started(name: str, words: list[str]) -> int:
    """Where the program stands that this one starts; 0 where it starts none."""
    if name in ("npm", "mise", "bunx") and "--" in words[1:-1] and (name == "bunx" or words[1] in _STARTERS[name]):
        return words.index("--") + 1
    if name == "python":  # behind it stands a script, a module, or `-`
        return 1 if len(words) > 1 and _MODULE.fullmatch(words[1]) and not words[1].endswith(".py") else 0
    if name not in _STARTERS:
        return 0
    own = _STARTERS[name]
    at = 2 if own and words[1:2] and words[1] in own else 1 if not own else 0
    while at and at < len(words) and words[at].startswith("-"):
        at += 1
    return at if at < len(words) else 0


def _base(word: str) -> str:
    return word.replace("\\", "/").rstrip("/").rpartition("/")[2].partition("@")[0] or word


def _identity(run: Run) -> tuple[str, str]:
    """(the command in its normal form, folder); of what the shell would have to work out no command."""
    folder = run.folder.encode("utf-8", "replace").decode()
    name, words = program(run)
    wrapping = run.words[: len(run.words) - len(words)]
    given = {word.partition("=")[0]: word for word in (*run.environment, *filter(ASSIGNMENT.match, wrapping))}
    environment = sorted(word for word in given.values() if not _PRINTING_VARIABLES.match(word))
    return "" if run.unsure else _key(name, words, run.fed, environment), folder


def _key(name: str, words: tuple[str, ...], fed: str, environment: list[str]) -> str:
    """The command as one line."""
    tool = " ".join([*environment, name])
    plain = [_tidy(word) for word in words if not _PRINTING.fullmatch(word)]
    whole = "\n".join([tool, *plain, *([fed] if fed else [])]).encode("utf-8", "replace")
    line = " ".join(" ".join([tool, *plain]).split()).encode("utf-8", "replace").decode()
    if len(line) <= LONGEST_KEY and not fed and not any(" " in word or "\n" in word for word in (*environment, *plain)):
        return line
    return f"{line[:LONGEST_KEY]} {digest(whole).hex()[:16]}"


def _tidy(word: str) -> str:
    while word.startswith("./"):
        word = word[2:]
    return (word.rstrip("/") or word) if "/" in word else word or "."
