"""What `git` and `gh pr` did to a history, read from a command line and what it printed.

Only commands that the line runs count, so a commit in a quoted log is none. A commit is known by the line that git
prints of it, `[branch 1a2b3c4] subject`; a quiet one by its command, and by its hash where the same line printed that
behind it. What was refused or ended in a conflict is told as such. Text that is only shown may look the same, so no
command has more lines than it can print.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
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
_NOTHING = re.compile(r"nothing (?:added )?to commit|no changes added to commit")
_MERGE_END = re.compile(r"Fast-forward|Merge made by|Already up.to.date|Automatic merge failed")
_REPEATING = re.compile(r"\b(?:for|while|until)\b.*?\bdo\b|\bxargs\b", re.DOTALL)
_ALL_OR_NOTHING = (COMMIT, AMEND, MERGE, PULL)
"""Kinds of which nothing is made where the command fails."""
_PUSHES_MANY = ("--all", "--branches", "--mirror", "--tags", "--follow-tags", "--prune")
MANY = 10**6
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
    ran = runs(command)
    asked = [each for run in ran if (each := _asked(run)) is not None]
    if not asked:
        return []
    lines = output.replace("\r\n", "\n").replace("\r", "\n").split("\n")
    looks = sum(run.tool == "git" and run.words[:1] == ("status",) for run in ran)
    nothing = max(sum(map(bool, map(_NOTHING.search, lines))) - looks, 0)
    repeats = _REPEATING.search(command) is not None
    worked = asked
    if succeeded is False and ran[-1].decides and _asked(ran[-1]) is not None and asked[-1].kind in _ALL_OR_NOTHING:
        worked = asked[:-1]  # it was the last, so it failed or was never run
    return [
        *_made(worked, lines, succeeded, nothing, repeats),
        *_conflicts(asked, lines, succeeded),
        *_rebased(worked, lines, repeats),
        *_pushed(asked, lines, succeeded, repeats),
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


def _made(
    asked: Sequence[_Asked], lines: Sequence[str], succeeded: bool | None, nothing: int, repeats: bool
) -> Iterator[Deed]:
    """Commits: those that were printed, and quiet ones. `nothing`: so many found nothing to commit."""
    makers = [each for each in asked if each.kind in MAKING]
    said = {at: found for at, line in enumerate(lines) if (found := _MADE.fullmatch(line.rstrip())) is not None}
    of = _allotted(makers, said, [at for at in said if _size(lines, at)], succeeded, nothing)
    if repeats and makers:
        of = {at: of.get(at, len(makers) - 1) for at in said}
    for at, number in sorted(of.items()):
        by, found = makers[number], said[at]
        kind = MERGE if found[3].startswith("Merge ") and by.kind in (COMMIT, PULL) else by.kind
        yield Deed(kind, DONE, found[2], _branch(found[1]), found[3][:LONGEST_SUBJECT], _size(lines, at))
    yield from _merged([each for each in makers if each.kind in (MERGE, PULL)], lines, repeats)
    told = set(of.values())
    for number, each in enumerate(makers):
        if each.kind not in (COMMIT, AMEND) or number in told:
            continue
        if succeeded and each.decides and not any(map(_NOTHING.search, lines)):
            subject = _subject(each.words)
            size = next((int(found[1]) for line in lines if (found := _SIZE.match(line))), 0)
            yield Deed(each.kind, DONE, _printed_hash(lines, subject), "", subject, size)


def _allotted(
    makers: Sequence[_Asked],
    said: Mapping[int, re.Match[str]],
    sized: Sequence[int],
    succeeded: bool | None,
    nothing: int,
) -> dict[int, int]:
    """Line of a commit → the command that printed it. A command has no more lines than it can print: those with its
    subject, else the last ones, and those first behind which its size stands (`sized`), as it does unless the commit
    is empty or the output cut; what stood in a file that was shown is left."""
    of: dict[int, int] = {}
    loud = [at for at, each in enumerate(makers) if each.kind in (COMMIT, AMEND) and not _is_quiet(each.words)]
    least = max(len(loud) - nothing, 0)
    most = least if succeeded is False else len(loud)
    for by_subject in (True, False):
        for number in reversed(loud):
            subject = _subject(makers[number].words)
            is_known = bool(subject) and "$" not in subject and "`" not in subject
            for at in sorted(said, key=lambda at: (at in sized, at), reverse=True):
                if at in of or number in of.values() or len(of) >= (most if at in sized else least):
                    continue
                is_its = is_known and said[at][3] == subject
                if is_its or not (by_subject or (is_known and succeeded is False and subject not in said[at][3])):
                    of[at] = number
    for number, each in reversed(list(enumerate(makers))):
        if each.kind not in (COMMIT, AMEND):
            left = [at for at in said if at not in of and (each.kind != REBASE or not _branch(said[at][1]))]
            of.update(dict.fromkeys(left[-_most_made(each) :], number))
    return of


def _is_quiet(words: Sequence[str]) -> bool:
    return any(word == "--quiet" or re.fullmatch(r"-[aeinopsvz]*q[a-zA-Z]*", word) for word in words)


def _most_made(each: _Asked) -> int:
    """Commits that a command can print, other than `commit`."""
    names = [word for word in each.words if not word.startswith("-")]
    if each.kind in (MERGE, PULL):
        return 1
    is_known = bool(names) and not any(".." in name or "$" in name for name in names)
    return len(names) if is_known and each.kind != REBASE else MANY


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


def _merged(asked: Sequence[_Asked], lines: Sequence[str], repeats: bool) -> Iterator[Deed]:
    """Merges that git made by itself, and branches that only moved forward: the last of them, one for each command."""
    ends = [at for at, line in enumerate(lines) if _MERGE_END.match(line)]
    if asked and repeats:
        asked = [*asked, *[asked[-1]] * (len(ends) - len(asked))]
    ends = ends[-len(asked) :] if asked else []
    for by, at, behind in zip(asked, ends, [*ends[1:], len(lines)], strict=False):
        size = next((int(found[1]) for line in lines[at:behind] if (found := _SIZE.match(line))), 0)
        what = _what(by)
        if lines[at].startswith("Fast-forward"):
            forward = next((found for line in reversed(lines[:at]) if (found := _FORWARD.search(line))), None)
            yield Deed(by.kind, DONE, forward[2] if forward else "", "", f"fast-forward {what}".rstrip(), size)
        elif lines[at].startswith("Merge made by"):
            yield Deed(by.kind, DONE, "", "", what or "merge", size)


def _what(by: _Asked) -> str:
    return " ".join(word for word in by.words if not word.startswith("-"))[:LONGEST_SUBJECT]


def _conflicts(asked: Sequence[_Asked], lines: Sequence[str], succeeded: bool | None) -> Iterator[Deed]:
    """A conflict, unless the command certainly succeeded."""
    files = [line for line in lines if line.startswith("CONFLICT (")]
    able = [each for each in asked if each.kind in (MERGE, REBASE, PICK, REVERT, PULL)]
    by = next((each for each in able if not (succeeded and each.decides)), None)
    if by is not None and files:
        yield Deed(by.kind, CONFLICT, "", "", _what(by), len(files))


def _rebased(asked: Sequence[_Asked], lines: Sequence[str], repeats: bool) -> Iterator[Deed]:
    able = [each for each in asked if each.kind in (REBASE, PULL)]
    found = [match for line in lines if (match := _REBASED.search(line)) is not None]
    if able and repeats:
        able += [able[-1]] * (len(found) - len(able))
    for by, match in zip(able, found[-len(able) :], strict=False):
        yield Deed(REBASE, DONE, "", match[1], _what(by), 0)


def _pushed(asked: Sequence[_Asked], lines: Sequence[str], succeeded: bool | None, repeats: bool) -> Iterator[Deed]:
    """What went where: the last lines, no more than the commands can print."""
    pushes = [each for each in asked if each.kind == PUSH]
    if not pushes:
        return
    found = [match for line in lines if (match := _PUSHED.match(line)) is not None]
    if succeeded and all(each.decides for each in pushes):
        found = [match for match in found if match[1] != "!"]
    if all(_is_quiet(each.words) for each in pushes):
        found = [match for match in found if match[1] == "!"]
    most = MANY if repeats else sum(map(_most_pushed, pushes))
    for match in found[-most:]:
        sign, range_, branch, to = match.groups()
        between = re.fullmatch(r"[0-9a-f]{4,64}\.\.\.?([0-9a-f]{4,64})", range_)
        outcome = REJECTED if sign == "!" else DONE
        how = "forced " if sign == "+" else "new " if sign == "*" else "deleted " if sign == "-" else ""
        yield Deed(PUSH, outcome, between[1] if between else "", branch, f"{how}{branch} -> {to}", 0)


def _most_pushed(each: _Asked) -> int:
    """Branches and tags that a push can bring."""
    names = [word for word in each.words if not word.startswith("-")]
    if any(word in _PUSHES_MANY for word in each.words) or any(re.search(r"[$*]|^\+?:$", name) for name in names[1:]):
        return MANY
    return max(len(names) - 1, 1)


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
