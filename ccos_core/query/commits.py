"""`commits`: the commits, merges, rebases, pushes and pull requests of a session, and the edits that went into each.

They are read from the commands and what those printed (`intake.git_deeds`). The edits of a commit are those that were
recorded since the last one, of the files that `git add` named if it named any; an edit that wasn't added waits for the
next commit.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from copy import deepcopy
from dataclasses import dataclass, field
from itertools import islice
from typing import TYPE_CHECKING, ClassVar

from ccos_core.errors import CcosError, Usage
from ccos_core.intake.failures.command import runs
from ccos_core.intake.git_deeds import AMEND, COMMIT, DONE, MAKING, PUSH, SHORTEST_HASH, Deed, read_deeds
from ccos_core.intake.tools import command_of
from ccos_core.ops.plain import unseal
from ccos_core.present.cells import clip
from ccos_core.present.parts import and_more
from ccos_core.present.rows import Moment, Row, Span, View, clean, row, title
from ccos_core.present.words import count, moment
from ccos_core.query.question import Argument, Question
from ccos_core.replay.codes import HOW_CODES, KIND_CODES
from ccos_core.values.paths import inside

if TYPE_CHECKING:
    from ccos_core.ops.plain import Plain
    from ccos_core.replay.timeline import Timeline

Progress = Callable[[int, int], None]
SHOWN_COMMITS, SHOWN_FILES, SHOWN_STEPS = 40, 12, 8
SUBJECT_COLUMNS = 70
AT_ONCE = 200
"""Calls whose contents are read in one sweep."""
_HASH = re.compile(r"[0-9a-fA-F]{4,64}")


@dataclass(frozen=True, slots=True)
class Changed:
    """A file that went into a commit."""

    path: str
    steps: tuple[int, ...]
    """The edits and writes of it, since the commit before."""


@dataclass(frozen=True, slots=True)
class Commit:
    """Something that was done to the repository's history."""

    step: int
    """The step of the call."""

    at: int | None
    """When, in milliseconds since 1970."""

    context: str
    """The subagent that did it; empty for the main thread."""

    kind: str
    """`commit`, `amend`, `merge`, `rebase`, `cherry-pick`, `revert`, `pull`, `push` or `pr`."""

    outcome: str
    """`done`, `conflict` or `rejected`."""

    sha: str
    """The hash as it was printed, usually short; empty if it wasn't."""

    branch: str
    """The branch it was made on or pushed to, if that was printed."""

    subject: str
    """The first line of its message; of a push what went where, of a pull request what was done to it."""

    files: int
    """Files changed by what git said; 0 where it didn't."""

    edits: tuple[Changed, ...]
    """Recorded edits that went into it."""


@dataclass(frozen=True, slots=True)
class Commits:
    """The answer to `commits`."""

    schema: ClassVar[str] = "ccos.commits/1"
    at: int
    sha: str
    """The hash that was asked for; empty for all."""

    commits: tuple[Commit, ...]

    def as_rows(self, view: View) -> Sequence[Row]:
        return list(_rows(self, view))


def commits(timeline: Timeline, at: int, *, sha: str, progress: Progress) -> Commits:
    """List them up to a step; with a hash those that made or pushed it."""
    wanted = sha.lower()
    if wanted and not _HASH.fullmatch(wanted):
        raise Usage("isn't a commit's hash", place=sha[:40], hint=f"Give {SHORTEST_HASH} to 64 hex digits.")
    reading: _Reading = timeline.journal.growing("commits", _Reading)
    reading.read(timeline, at, progress)
    found = (each for each in reading.found if each.step <= at)
    return Commits(at, wanted, tuple(each for each in found if not wanted or is_same(each.sha, wanted)))


def is_same(printed: str, wanted: str) -> bool:
    """Whether a hash as it was printed and one that is asked for may be of one commit."""
    return bool(printed) and (printed.startswith(wanted) or wanted.startswith(printed))


@dataclass(slots=True)
class _Waiting:
    """Edits that are in no commit yet."""

    edits: dict[str, list[int]] = field(default_factory=dict)
    named: list[str] = field(default_factory=list)
    """What `git add` named since the last commit."""

    takes_all: bool = False
    """Whether all of them were added."""

    def taken(self) -> tuple[Changed, ...]:
        """What goes into a commit now; the rest waits."""
        of = (
            list(self.edits)
            if self.takes_all or not self.named
            else [path for path in self.edits if self._is_named(path)]
        )
        found = tuple(Changed(path, tuple(self.edits.pop(path))) for path in sorted(of))
        self.named, self.takes_all = [], False
        return found

    def _is_named(self, path: str) -> bool:
        return any(path == name or path.startswith(name + "/") or path.endswith("/" + name) for name in self.named)


class _Reading:
    """All commits up to the last step that was asked for; goes on from there."""

    def __init__(self) -> None:
        self.found: list[Commit] = []
        self._waiting = _Waiting()
        self._upto = 0

    def read(self, timeline: Timeline, at: int, progress: Progress) -> None:
        """Read on to a step."""
        begin, found, waiting = self._upto, list(self.found), deepcopy(self._waiting)
        for step, op, command, output in _calls(timeline, begin, at, progress):
            if op["kind"] != "tool":
                _note(waiting, step, op)
                continue
            _note_added(waiting, command)
            deeds = read_deeds(command, output, {"ok": True, "error": False}.get(op["outcome"]))
            found += [_commit(step, op, deed, waiting) for deed in deeds]
        if at > begin:  # a reader that was stopped begins again
            self.found, self._waiting, self._upto = found, waiting, at

    def cut(self, sizes: Mapping[str, int]) -> None:
        """Only the first steps are what they were."""
        if sizes["steps"] < self._upto:
            self.__init__()  # type: ignore[misc]


def _commit(step: int, op: Plain, deed: Deed, waiting: _Waiting) -> Commit:
    makes = deed.kind in (COMMIT, AMEND) or (deed.kind in MAKING and deed.sha)
    edits = waiting.taken() if makes and deed.outcome == DONE else ()
    context = str(op.get("context", ""))
    return Commit(
        step, op.get("at"), context, deed.kind, deed.outcome, deed.sha, deed.branch, deed.subject, deed.files, edits
    )


def _note(there: _Waiting, step: int, op: Plain) -> None:
    """An edit waits for a commit; one that may not have happened doesn't, nor one outside of the repository."""
    if op.get("withheld") == "uncertain" or not inside(op["path"]) or op["path"].startswith(".git/"):
        return
    there.edits.setdefault(op["path"], []).append(step)
    if op["kind"] == "renamed":
        there.edits.setdefault(op["to"], []).append(step)


def _note_added(there: _Waiting, command: str) -> None:
    """What a line adds to the next commit."""
    if "git" not in command:
        return
    for run in runs(command):
        words = [word for word in run.words if word]
        if run.tool != "git" or not words:
            continue
        names = [word.removeprefix("./").rstrip("/") for word in words[1:] if not word.startswith("-")]
        if words[0] in ("add", "stage", "rm", "mv"):
            options = [word for word in words[1:] if word.startswith("-")]
            everything = {"-A", "--all", "-u", "--update", "."} & {*options, *names}
            there.takes_all |= bool(everything) or any("*" in name or "$" in name for name in names)
            there.named += names
        elif words[0] == "commit":
            there.takes_all |= any(re.fullmatch(r"-[b-zA-Z]*a[a-z]*|--all", word) for word in words[1:])


def _calls(timeline: Timeline, begin: int, at: int, progress: Progress) -> Iterator[tuple[int, Plain, str, str]]:
    """(step, op, command, output) of the calls that name git or gh, and of the changes of files, in order."""
    steps = timeline.journal.steps
    kinds, hows = steps["kind"][begin:at], steps["how"][begin:at]
    wanted = (
        (kinds == KIND_CODES["tool"])
        | (kinds == KIND_CODES["gone"])
        | (kinds == KIND_CODES["renamed"])
        | (hows == HOW_CODES["edit"])
        | (hows == HOW_CODES["write"])
    )
    found = (wanted.nonzero()[0] + begin + 1).tolist()
    read = _ops(timeline, found)
    for first in range(0, len(found), AT_ONCE):
        progress(first, len(found))
        ops = dict(islice(read, AT_ONCE))
        said = [op["arguments"]["blob"] for op in ops.values() if op["kind"] == "tool" and "arguments" in op]
        texts = timeline.contents(said)
        for step, op in ops.items():
            if op["kind"] != "tool":
                yield step, op, "", ""
            elif (given := texts.get(op.get("arguments", {}).get("blob", ""), b"")) and (
                b"git" in given or b"gh" in given
            ):
                command = command_of(given.decode("utf-8", "replace"))
                if command:
                    yield step, op, command, _output(timeline, op)


def _ops(timeline: Timeline, wanted: Sequence[int]) -> Iterator[tuple[int, Plain]]:
    """(step, op) of these steps in one sweep: one by one, each archived op would unpack its segment."""
    if wanted:
        there = set(wanted)
        for step, _, body in timeline.ops.rows(wanted[0], wanted[-1]):
            if step in there:
                yield step, unseal(body)


def _output(timeline: Timeline, op: Plain) -> str:
    if "result" not in op:
        return ""
    try:
        return timeline.content(op["result"]["blob"]).decode("utf-8", "replace")
    except CcosError:
        return ""


# ---- its rows ----

SIGNS = {"done": ("◆", "good", ""), "conflict": ("✗", "bad", "  conflict"), "rejected": ("✗", "bad", "  rejected")}
"""Outcome → its sign, its role, and how it is said."""


def _rows(answer: Commits, view: View) -> Iterator[Row]:
    """One row for each; below a commit the files whose edits went into it."""
    of = f"with hash {clean(answer.sha)} " if answer.sha else ""
    if not answer.commits:
        yield title(f"no commit, push or pull request {of}up to step {answer.at:,}")
        return
    made = sum(each.kind in MAKING and each.outcome == DONE for each in answer.commits)
    pushes = sum(each.kind == PUSH and each.outcome == DONE for each in answer.commits)
    made_words, push_words = count(made, "commit or merge", "commits and merges"), count(pushes, "push", "pushes")
    yield title(f"{made_words} {of}up to step {answer.at:,}, {push_words}")
    some, more = view.some(answer.commits, SHOWN_COMMITS)
    for each in some:
        yield from commit_rows(each, view, with_steps=bool(answer.sha))
    yield from and_more(more, "more", "more")


def commit_rows(commit: Commit, view: View, *, with_steps: bool) -> Iterator[Row]:
    """A commit, and the files whose edits went into it; `with_steps` with the steps of the edits."""
    sign, role, failed = SIGNS.get(commit.outcome, SIGNS["done"])
    sha = f" {clean(commit.sha[:12])}" if commit.sha else ""
    subject = f"  {clip(clean(commit.subject), SUBJECT_COLUMNS)}" if commit.subject else ""
    quiet = [f"on {clip(clean(commit.branch), 40)}"] if commit.branch and commit.kind != PUSH else []
    quiet += [count(commit.files, "file")] if commit.files else []
    quiet += [f"{moment(commit.at)} UTC"] if commit.at is not None and with_steps else []
    yield row(
        Span(f"  {sign} ", role, ""), Span(f"step {commit.step:,}", "link"), f"  {clean(commit.kind)}",
        Span(sha, "number"), Span(failed, "bad"), subject, Span("  " + ", ".join(quiet) if quiet else "", "quiet"),
        leads=Moment(commit.step),
    )  # fmt: skip
    files, more = view.some(commit.edits, SHOWN_FILES)
    for each in files:
        steps = ", ".join(f"{step:,}" for step in each.steps[:SHOWN_STEPS])
        rest = f" and {len(each.steps) - SHOWN_STEPS:,} more" if len(each.steps) > SHOWN_STEPS else ""
        said = f"  edited at step{'s' * (len(each.steps) != 1)} {steps}{rest}" if each.steps else ""
        leads = Moment(each.steps[-1]) if each.steps else None
        yield row("      ", clean(each.path), Span(said, "quiet"), leads=leads)
    yield from and_more(more, "file")


QUESTION = Question(
    ask=commits,
    answers=(Commits,),
    example="commits 1a2b3c4",
    arguments=(Argument("sha", "name", "only the commit with this hash; 4 digits are enough", default=""),),
    needs=("progress",),
    about="They are read from the commands of the session and what those printed. `ccos-tui blame-commit` searches all "
    "sessions of a project.",
    nothing=lambda answer: not answer.commits,
)
