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

from ccos_core.intake.failures.arguments import words_of
from ccos_core.intake.failures.command import ASSIGNMENT, Run, base_name, runs, shows
from ccos_core.intake.failures.page import CUT, Page
from ccos_core.values.canon import digest
from ccos_core.values.outcome import FAILED, PASSED, UNTOLD, Ran

MOST_PARTS = 20
LONGEST_KEY = 200  # characters by which a command is known; of a longer one the first, and a hash of all

_WRAPPERS = words_of("sudo time timeout gtimeout nice env stdbuf nohup command exec unbuffer")
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
"""Options that change what is printed and nothing else; and such variables."""
_PRINTING_VARIABLES = re.compile(
    r"(?:NO_COLOR|FORCE_COLOR|CLICOLOR(?:_FORCE)?|TERM|COLUMNS|LINES|PAGER|GIT_PAGER|PYTHONUNBUFFERED)="
)
_NO_RUNS = words_of(
    "cd pushd popd export unset set source . [ [[ test mkdir rm rmdir cp mv ln touch chmod chown sleep wait kill pkill"
    " killall which type alias tee xargs read local return exit trap : false true date clear #"
)
"""Programs that are no run of anything."""
_FILTERS = re.compile(r"(?:tee|cat|less|more)\b")
_CUTTING = re.compile(r"(head|tail)(?: +(?:-n *|--lines=|-)?(\d+))?$")
_USUAL_LINES = 10  # that `head` and `tail` show where the command doesn't say how many
_FIRST_LINES = 3
_UNFINISHED = re.compile(
    r"Command running in background|Command timed out|Process running with session ID|Command did not complete"
)
"""First lines by which hosts say that a command hasn't ended, or was ended."""
_BROKEN = re.compile(
    r"FAIL$|\[[\w:.-]+\] ERROR task failed|g?make(?:\[\d+\])?: \*\*\*|npm (?:ERR!|error)|error Command failed"
    r"| ELIFECYCLE |error: [Rr]ecipe `|exit status [1-9]|Error: Process completed with exit code [1-9]"
)
"""Lines by which runners of tasks say that one failed."""
_TASK_FAILED = re.compile(
    r"\[([\w:.-]+)\] ERROR task failed|g?make(?:\[\d+\])?: \*\*\* \[(?:[^\]]*[: ])?([\w.-]+)\] Error"
    r"|error: [Rr]ecipe `([\w.-]+)`"
)
_SUMMED_UP = {"golangci-lint": re.compile(r"(?:\[[\w:.-]+\] )?\d+ issues:$")}
"""Tools that are known by how they sum up, whatever script runs them."""
_COUNTED = re.compile(r"(?:\[[\w:.-]+\] )?(?:Found |\u2716 )?[1-9]\d* (?:issues?|errors?|problems?)(?=[ .:]|$)")
"""Last lines by which checkers count what they found: `6 issues:`, `Found 3 errors in 2 files`."""
_TASK_SHOWN = re.compile(r"\[(?P<task>[\w:.-]+)\] \$ (?P<command>.+)$")
_SCRIPT_SHOWN = re.compile(r"> (?:@?[^\s@]+@[^\s@]+ )?(?P<task>[\w:.-]+)(?: /\S+)?\n> (?P<command>.+)$")


def parts_of(page: Page) -> tuple[Ran, ...]:
    """The programs that ran, and how each ended as far as the line's exit code and the output tell."""
    meant = [run for run in runs(page.command) if _is_run(run)][:MOST_PARTS]
    told = (line for line in page.lines if line.startswith(("[", "make", "gmake", "error: ")))
    failed = {match[match.lastindex or 0] for line in told if (match := _TASK_FAILED.match(line))}
    if not any(failed.intersection(run.words) for run in meant):  # `lint` has run `lint:go`, which failed
        failed = {task.partition(":")[0] for task in failed}
    is_unfinished = any(map(_UNFINISHED.match, page.lines[:_FIRST_LINES]))
    ended = page.ok is True and not is_unfinished
    failed_alone = len(meant) == 1 and not is_unfinished and _has_failed(meant[0], page)
    found: dict[tuple[str, str], Ran] = {}
    for run in meant:
        tool = program(run)[0].encode("utf-8", "replace").decode()[:LONGEST_KEY]
        has_failed = failed_alone or bool(failed.intersection(run.words))
        end = PASSED if run.decides and ended else FAILED if has_failed else UNTOLD
        key, folder = _identity(run)
        place = (key, folder) if key else ("", str(len(found)))
        found[place] = Ran(tool, key, folder, end, _lets_through(run, page, whole=True))
    return tuple(found.values())


def _has_failed(run: Run, page: Page) -> bool:
    """Whether the only program of a line failed: by the exit code, or by its last words where a pipe hides that."""
    if page.ok is False and run.decides:
        return True
    return any(_BROKEN.match(line) or _COUNTED.match(line) for line in page.lines)


def with_verdict(parts: tuple[Ran, ...], page: Page) -> tuple[Ran, ...]:
    """The same where the output tells of passes and of no failure: what a pipe hides the exit code of has passed as
    well, if the end of its output is there and none of it speaks of a failure."""
    if any(_BROKEN.match(line) or line == CUT or _UNFINISHED.match(line) for line in page.lines):
        return parts
    shown = {task for task, _ in _shown(page.lines)}
    behind = [run for run in runs(page.command) if run.into and not run.unsure and _lets_through(run, page)]
    clear = {_identity(run) for run in behind if len(parts) == 1 or shown.intersection(run.words)}
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
    for tool, sum_ in _SUMMED_UP.items():
        if any(map(sum_.match, page.lines)):
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
    for filter_ in run.into:
        cutting = _CUTTING.match(filter_)
        if cutting is None and _FILTERS.match(filter_) is None:
            return False
        cut = cutting is not None and len(page.lines) >= int(cutting[2] or _USUAL_LINES)
        if cutting is not None and cut and (cutting[1] == "head" or whole):
            return False
    return True


def _shown(lines: list[str]) -> Iterator[tuple[str, str]]:
    """(task, command)."""
    for at, line in enumerate(lines):
        match = None
        if line.startswith("["):
            match = _TASK_SHOWN.match(line)
        elif line.startswith("> ") and at + 1 < len(lines):
            match = _SCRIPT_SHOWN.match(f"{line.rstrip()}\n{lines[at + 1]}")
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
    own = _STARTERS.get(name)
    if own is None or (own and "".join(words[1:2]) not in own):
        return 0
    at = 2 if own else 1
    while at < len(words) and words[at].startswith("-"):
        at += 1
    return at if at < len(words) else 0


def _base(word: str) -> str:
    return base_name(word.rstrip("/\\")).partition("@")[0] or word


def _identity(run: Run) -> tuple[str, str]:
    """(the command in its normal form, folder); of what the shell would have to work out no command."""
    folder = run.folder.encode("utf-8", "replace").decode()
    if run.unsure:
        return "", folder
    name, words = program(run)
    wrapping = run.words[: len(run.words) - len(words)]
    given = {word.partition("=")[0]: word for word in (*run.environment, *filter(ASSIGNMENT.match, wrapping))}
    environment = sorted(word for word in given.values() if not _PRINTING_VARIABLES.match(word))
    plain = [_tidy(word) for word in words if not _PRINTING.fullmatch(word)]
    tool = " ".join([*environment, name])
    line = " ".join(" ".join([tool, *plain]).split()).encode("utf-8", "replace").decode()
    spaced = any(" " in word or "\n" in word for word in (*environment, *plain))
    if len(line) <= LONGEST_KEY and not run.fed and not spaced:
        return line, folder
    whole = "\n".join([tool, *plain, *([run.fed] if run.fed else [])]).encode("utf-8", "replace")
    return f"{line[:LONGEST_KEY]} {digest(whole).hex()[:16]}", folder


def _tidy(word: str) -> str:
    while word.startswith("./"):
        word = word[2:]
    return (word.rstrip("/") or word) if "/" in word else word or "."
