"""What `git` and `gh pr` did to a history, read from a command line and what it printed.

Only commands that the line runs count, so a commit in a quoted log is none. A commit is known by the line that git
prints of it, `[branch 1a2b3c4] subject`; a quiet one by its command, and by its hash where the same line printed that
behind it. What was refused or ended in a conflict is told as such.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from ccos_core.intake.failures.command import Run, runs

COMMIT, AMEND, MERGE, REBASE, PICK, REVERT, PULL, PUSH, PR = (
    "commit", "amend", "merge", "rebase", "cherry-pick", "revert", "pull", "push", "pr"
)  # fmt: skip
MAKING = (COMMIT, AMEND, MERGE, PICK, REVERT, PULL, REBASE)
"""Kinds of deeds that make commits."""
DONE, CONFLICT, REJECTED = "done", "conflict", "rejected"
SHORTEST_HASH = 4
_VERBS = {
    "commit": COMMIT, "merge": MERGE, "rebase": REBASE, "cherry-pick": PICK, "revert": REVERT, "pull": PULL,
    "push": PUSH, "am": PICK,
}  # fmt: skip
_PR_VERBS = ("create", "merge", "close", "reopen", "ready")
_TAKES_VALUE = ("-C", "-c", "--git-dir", "--work-tree", "--namespace", "--exec-path")
_ENDS = ("--abort", "--quit", "--dry-run", "--help", "-h", "--show-current-patch")
"""Options with which a command makes nothing."""
_MADE = re.compile(r"\[([^\[\]]{1,200}?) (?:\(root-commit\) )?([0-9a-f]{4,64})\] (.*)")
_SIZE = re.compile(r" (\d{1,6}) files? changed")
_FORWARD = re.compile(r"Updating ([0-9a-f]{4,64})\.\.([0-9a-f]{4,64})")
_PUSHED = re.compile(r" ([ +*=!-]) (\S+(?: branch\]| tag\]|\]| date\])?)\s+(\S+) -> (\S+)")
_HASH_LINE = re.compile(r"(?:commit )?([0-9a-f]{7,64})(?:$| (?:\([^)]{1,200}\) )?(.*))")
_REBASED = re.compile(r"Successfully rebased and updated (?:refs/heads/)?([^\s]+?)\.?$")
_URL = re.compile(r"https://\S{1,200}/(?:pull|merge_requests)/(\d{1,9})\b")
_MESSAGE = re.compile(r"\$\(cat <<-?\s*['\"\\]?(\w+)['\"]?\n(.*?)\n\s*\1\s*\)?", re.DOTALL)
LONGEST_SUBJECT = 200


@dataclass(frozen=True, slots=True)
class Deed:
    """One thing that was done to a history."""

    kind: str
    """`commit`, `amend`, `merge`, `rebase`, `cherry-pick`, `revert`, `pull`, `push` or `pr`."""

    outcome: str
    """`done`, `conflict` or `rejected`."""

    sha: str
    """The hash of the commit, as far as it was printed; empty where it wasn't. Of a push the commit it brought."""

    branch: str
    subject: str
    """The first line of the message; of a push what went where, of a pull request its title or what was done to it."""

    files: int
    """Files that it changed by what git printed; 0 where it didn't say."""


def read_deeds(command: str, output: str, succeeded: bool | None) -> list[Deed]:
    """Return what a command line did, in order; `succeeded` is None where nobody knows."""
    if "git" not in command and "gh" not in command:
        return []
    asked = [each for run in runs(command) if (each := _asked(run)) is not None]
    if not asked:
        return []
    lines = output.replace("\r\n", "\n").replace("\r", "\n").split("\n")
    return [
        *_made(asked, lines, succeeded),
        *_conflicts(asked, lines),
        *(each for line in lines for each in _rebased(asked, line)),
        *(each for line in lines for each in _pushed(asked, line)),
        *_requests(asked, output, succeeded),
    ]


@dataclass(frozen=True, slots=True)
class _Asked:
    """A command of git or gh."""

    kind: str
    words: tuple[str, ...]
    """Its arguments."""

    decides: bool


def _asked(run: Run) -> _Asked | None:
    """What a run asks git or gh for; None where it makes nothing."""
    words = (run.tool, *run.words)
    at = next((at for at, word in enumerate(words[:14]) if word.rpartition("/")[2] in ("git", "gh")), None)
    if at is None or (at and words[0] not in ("env", "sudo", "command", "time", "nice", "timeout")):
        return None
    rest = list(words[at + 1 :])
    if words[at].endswith("gh"):
        is_deed = rest[:1] == ["pr"] and rest[1:2] and rest[1] in _PR_VERBS
        return _Asked(PR, tuple(rest[1:]), run.decides) if is_deed else None
    while rest and rest[0].startswith("-"):
        del rest[: 2 if rest[0] in _TAKES_VALUE else 1]
    kind = _VERBS.get(rest[0]) if rest else None
    if kind is None or any(word in _ENDS for word in rest[1:]):
        return None
    if kind == COMMIT and "--amend" in rest:
        kind = AMEND
    return _Asked(kind, tuple(rest[1:]), run.decides)


def _made(asked: Sequence[_Asked], lines: Sequence[str], succeeded: bool | None) -> Iterator[Deed]:
    """Commits: those that were printed, and quiet ones."""
    makers = [each for each in asked if each.kind in MAKING]
    waiting = [each for each in makers if each.kind in (COMMIT, AMEND)]
    for at, line in enumerate(lines):
        if makers and (found := _MADE.fullmatch(line.rstrip())) is not None:
            by = waiting.pop(0) if waiting else makers[-1]
            kind = MERGE if found[3].startswith("Merge ") and by.kind in (COMMIT, PULL) else by.kind
            yield Deed(kind, DONE, found[2], _branch(found[1]), found[3][:LONGEST_SUBJECT], _size(lines, at))
    for each in makers:
        if each.kind in (MERGE, PULL):
            yield from _merged(each, lines)
    for each in waiting:
        if succeeded and each.decides and not any("nothing to commit" in line for line in lines):
            subject = _subject(each.words)
            size = next((int(found[1]) for line in lines if (found := _SIZE.match(line))), 0)
            yield Deed(each.kind, DONE, _printed_hash(lines, subject), "", subject, size)


def _branch(said: str) -> str:
    return "" if said.startswith("detached") else said


def _size(lines: Sequence[str], at: int) -> int:
    """Files changed, as the line behind a commit's own says; a date may stand between."""
    return next((int(found[1]) for line in lines[at + 1 : at + 4] if (found := _SIZE.match(line))), 0)


def _subject(words: Sequence[str]) -> str:
    """The first line of a message that was given with `-m`."""
    for at, word in enumerate(words):
        said = None
        if word.startswith("--message="):
            said = word.removeprefix("--message=")
        elif (word == "--message" or re.fullmatch(r"-[a-zA-Z]*m", word)) and at + 1 < len(words):
            said = words[at + 1]
        elif word.startswith("-m") and not word.startswith("--"):
            said = word[2:]
        if said is not None:
            inner = _MESSAGE.search(said)
            return (inner[2] if inner else said).strip().partition("\n")[0][:LONGEST_SUBJECT]
    return ""


def _printed_hash(lines: Sequence[str], subject: str) -> str:
    """The hash of a quiet commit, where the rest of its line printed it: with its subject, or alone as `rev-parse`."""
    for line in lines:
        found = _HASH_LINE.fullmatch(line.strip())
        if found is not None and ((found[2] or "") == subject or (not found[2] and len(found[1]) >= 7)):
            return found[1]
    return ""


def _merged(by: _Asked, lines: Sequence[str]) -> Iterator[Deed]:
    """A merge that git made by itself, or a branch that only moved forward."""
    text = "\n".join(lines)
    size = next((int(found[1]) for line in lines if (found := _SIZE.match(line))), 0)
    what = " ".join(word for word in by.words if not word.startswith("-"))[:LONGEST_SUBJECT]
    if "\nFast-forward" in text or text.startswith("Fast-forward"):
        forward = _FORWARD.search(text)
        yield Deed(by.kind, DONE, forward[2] if forward else "", "", f"fast-forward {what}".rstrip(), size)
    elif "Merge made by" in text:
        yield Deed(by.kind, DONE, "", "", what or "merge", size)


def _conflicts(asked: Sequence[_Asked], lines: Sequence[str]) -> Iterator[Deed]:
    files = [line for line in lines if line.startswith("CONFLICT (")]
    by = next((each for each in asked if each.kind in (MERGE, REBASE, PICK, REVERT, PULL)), None)
    if by is not None and files:
        what = " ".join(word for word in by.words if not word.startswith("-"))[:LONGEST_SUBJECT]
        yield Deed(by.kind, CONFLICT, "", "", what, len(files))


def _rebased(asked: Sequence[_Asked], line: str) -> Iterator[Deed]:
    by = next((each for each in asked if each.kind in (REBASE, PULL)), None)
    found = _REBASED.search(line) if by is not None else None
    if by is not None and found is not None:
        what = " ".join(word for word in by.words if not word.startswith("-"))[:LONGEST_SUBJECT]
        yield Deed(REBASE, DONE, "", found[1], what, 0)


def _pushed(asked: Sequence[_Asked], line: str) -> Iterator[Deed]:
    found = _PUSHED.match(line) if any(each.kind == PUSH for each in asked) else None
    if found is None:
        return
    sign, range_, branch, to = found.groups()
    between = re.fullmatch(r"[0-9a-f]{4,64}\.\.\.?([0-9a-f]{4,64})", range_)
    outcome = REJECTED if sign == "!" else DONE
    how = "forced " if sign == "+" else "new " if sign == "*" else "deleted " if sign == "-" else ""
    yield Deed(PUSH, outcome, between[1] if between else "", branch, f"{how}{branch} -> {to}", 0)


def _requests(asked: Sequence[_Asked], output: str, succeeded: bool | None) -> Iterator[Deed]:
    """Pull requests that were made, merged, closed."""
    for each in asked:
        if each.kind == PR and succeeded is not False:
            verb, *rest = each.words
            url = _URL.search(output)
            number = next((word for word in rest if word.isdigit()), url[1] if url else "")
            title = next((rest[at + 1] for at, word in enumerate(rest[:-1]) if word in ("--title", "-t")), "")
            said = " ".join(filter(None, (verb, f"#{number}" if number else "", title)))
            yield Deed(PR, DONE, "", "", said[:LONGEST_SUBJECT], 0)
