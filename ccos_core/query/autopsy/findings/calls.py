"""Calls that failed, as finders ask for them: what was run, what came back, and who refused it.

A refusal by the user is known by the call's outcome and by how its result begins, and only for tools whose results
the host itself writes, or begins: the text of a file or of a server's tool could pretend to be one.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from contextlib import suppress
from functools import cached_property
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from ccos_core.errors import CcosError
from ccos_core.intake.failures.arguments import words_of
from ccos_core.intake.failures.command import Run, runs
from ccos_core.replay.codes import KIND_CODES, OUTCOME_CODES

if TYPE_CHECKING:
    from ccos_core.query.autopsy.deeds import Deeds

MOST_CALLS = 2_000
"""Failed calls that are looked at, the last ones."""
RESULT_CHARACTERS = 1_000
SMALL_BYTES = 1 << 14
"""A larger result is no refusal, which is a few sentences."""
REFUSED_BEGINNINGS = (
    "The user doesn't want to proceed with this tool use.",
    "The user doesn't want to take this action right now.",
    "User rejected",
    "The user rejected permission to use this",
    "patch rejected by user",
    "exec command rejected by user",
    "[Operation Cancelled] Reason: User",
)
"""How results begin that hosts give to calls the user refused."""
HOST_ANSWERED = words_of(
    "edit multiedit write notebookedit applypatch exitplanmode bash shell shellcommand execcommand runshellcommand"
    " editfile writefile replace enterplanmode askuserquestion patch"
)
"""Tools whose failing result begins with the host's words; names without case and marks."""
HOSTS_WITH_PREFIX = ("claude-code", "codex")
"""Hosts that put their own words before the output of a failing command, so that no output can pretend a refusal."""
EDITING = words_of("edit multiedit write notebookedit applypatch editfile writefile replace patch strreplace")
UNREAD = re.compile(
    r"(?:File|file|It) has(?: not|n't) been read|must (?:first )?(?:use (?:your|the) \w+ tool|read (?:the|this) file)"
    r"|File has been modified since (?:it was |the )?(?:last )?read|modified since it was last read",
)
"""What hosts say when they refuse an edit of a file that the agent doesn't know as it is."""
SHELLS = words_of(
    "bash shell shellcommand execcommand runshellcommand localshell localshellcall exec terminal runinterminal"
    " runterminalcmd runterminalcommand runcommand executecommand executebash run powershell pwsh sh zsh"
)
"""Tools that run a command line; names without case and marks."""
_PLAIN = re.compile(r"[^a-z0-9]")
_SEARCHES = words_of(
    "grep egrep fgrep rg ag ack find test [ diff cmp ls which type head tail cat sed awk pgrep pkill kill"
    " python node ruby php"
)
"""Programs that fail without anything being wrong: nothing was found, two files differ, something was tried out."""
_RUNNERS = words_of(
    "pytest unittest nose django tox nox cargo go jest vitest mocha ava tsc eslint ruff mypy flake8 pylint phpunit"
    " rspec ctest just golangci-lint bazel pants buck buck2 minitest pre-commit"
)
_BUILDING = words_of("test build run check clippy vet lint t")
_BY_WORD = words_of("cargo go npm pnpm yarn bun dotnet mvn gradle gradlew swift mix mise deno")
"""Tools that test or build only under some words."""


class Failed(NamedTuple):
    """One call that failed."""

    step: int
    name: str
    """The tool's."""
    context: int
    result: str
    """Its beginning."""
    reason: int = 0
    """The step at which the user says why it was refused; 0 if that isn't recorded."""
    host: str = ""
    """The program that runs the agent."""

    @property
    def plain_name(self) -> str:
        """The tool's name without case and marks."""
        return plain(self.name)

    @property
    def is_refused(self) -> bool:
        """Whether the user refused it."""
        if "__" in self.name or self.plain_name not in HOST_ANSWERED:
            return False
        if self.plain_name in SHELLS and self.host not in HOSTS_WITH_PREFIX:
            return False
        return self.reason > 0 or self.result.startswith(REFUSED_BEGINNINGS)

    @property
    def is_unread_edit(self) -> bool:
        """Whether the host refused an edit, since the agent doesn't know the file as it is."""
        return "__" not in self.name and self.plain_name in EDITING and UNREAD.search(self.result[:400]) is not None


class Calls:
    """The calls of a session, read when they are asked for."""

    def __init__(self, deeds: Deeds) -> None:
        self._deeds = deeds

    @cached_property
    def failed(self) -> tuple[Failed, ...]:
        """Those that failed, in order."""
        return tuple(self._failed(self.failed_steps[-MOST_CALLS:]))

    @cached_property
    def failed_steps(self) -> list[int]:
        """The steps of all that failed."""
        upto, columns = self._deeds.upto, self._deeds.journal.steps
        is_call = columns["kind"][:upto] == KIND_CODES["tool"]
        is_error = columns["outcome"][:upto] == OUTCOME_CODES["error"]
        found: list[int] = (np.nonzero(is_call & is_error)[0] + 1).tolist()
        return found

    @cached_property
    def steps(self) -> list[int]:
        """The steps of all calls."""
        kinds = self._deeds.journal.steps["kind"][: self._deeds.upto]
        found: list[int] = (np.nonzero(kinds == KIND_CODES["tool"])[0] + 1).tolist()
        return found

    def command(self, step: int) -> str:
        """The command line that a shell ran at a step; empty if that was another tool."""
        name = str(self._deeds.op(step)["name"])
        return self._deeds.command(step) if "__" not in name and plain(name) in SHELLS else ""

    def _failed(self, steps: list[int]) -> Iterator[Failed]:
        """The calls at these steps; their ops and results are read in one sweep, but for large results."""
        deeds = self._deeds
        deeds.timeline.have_ready(steps)
        ops = {step: deeds.op(step) for step in steps}
        small = [op["result"]["blob"] for op in ops.values() if "result" in op and op["result"]["bytes"] <= SMALL_BYTES]
        results = contents_of(deeds, small)
        for step, op in ops.items():
            got = results.get(op["result"]["blob"], b"") if "result" in op else b""
            result = got[: 4 * RESULT_CHARACTERS].decode("utf-8", "replace")[:RESULT_CHARACTERS]
            yield Failed(step, str(op["name"]), deeds.context(step), result, self._reason(step), op.get("host", ""))

    def _reason(self, step: int) -> int:
        """The step after a call if the user says there why it was refused; 0 if not."""
        kinds = self._deeds.journal.steps["kind"]
        if step >= self._deeds.upto or kinds[step] != KIND_CODES["prompt"]:
            return 0
        following = self._deeds.op(step + 1)
        is_reason = following.get("channel") == "refusal" and following.get("source") == "user"
        return step + 1 if is_reason else 0


def contents_of(deeds: Deeds, blobs: Iterable[str]) -> dict[str, bytes]:
    """Contents by their hashes, read in one sweep; without those that were erased."""
    wanted = list(dict.fromkeys(blobs))
    with suppress(CcosError):
        return deeds.timeline.contents(wanted)
    found: dict[str, bytes] = {}
    for blob in wanted:
        with suppress(CcosError):
            found[blob] = deeds.timeline.content(blob)
    return found


def plain(name: str) -> str:
    """A tool's name without case and marks: `apply_patch`, `ApplyPatch` and `applypatch` are one."""
    return _PLAIN.sub("", name.lower())


def is_check(run: Run) -> bool:
    """Whether a program tests, builds or checks, or is a script that is run: what it says by its outcome counts."""
    tool = run.tool.rpartition("/")[2]
    if tool in _BY_WORD:
        return any(word.partition(":")[0] in _BUILDING for word in run.words[:2])
    if tool in ("python", "node", "ruby", "php", "bash", "sh"):
        return bool(run.words) and not run.words[0].startswith("-") and "." in run.words[0]
    return tool in _RUNNERS or tool in ("make", "rake", "ninja") or tool.endswith(".sh")


def what_failed(command: str) -> str:
    """What a failing command line ran last that may have failed: `git push`; empty if that is only a search."""
    found = [run for run in runs(command) if run.tool not in ("cd", "export", "echo", "sleep", "true", "set")]
    if not found or found[-1].tool in _SEARCHES or any(into.split()[0] in _SEARCHES for into in found[-1].into if into):
        return ""
    last = found[-1]
    word = next((word for word in last.words if re.fullmatch(r"[a-z][\w:-]*", word)), "")
    return f"{last.tool} {word}".strip()


def runs_of(command: str) -> list[Run]:
    """The programs of a command line."""
    return runs(command)
