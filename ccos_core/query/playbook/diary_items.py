"""What a diary says of the sessions of a record, section by section, each item with the steps that show it.

Nothing is summed up by a model: an item is what git printed, what the user said, or a failure with what ended it.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from pathlib import PurePosixPath
from typing import TYPE_CHECKING

import numpy as np

from ccos_core.query.autopsy.case import Work
from ccos_core.query.autopsy.deeds import Deeds
from ccos_core.query.autopsy.finding import Progress, found_in
from ccos_core.query.autopsy.findings.phrases import says_wrong
from ccos_core.query.autopsy.findings.table import findings_of
from ccos_core.query.commits import Commit, commits
from ccos_core.query.contexts import Context, contexts_of
from ccos_core.query.recoveries import Recovery, recoveries
from ccos_core.query.remembered import LIVE, remembered_until
from ccos_core.query.saying.user import user_utterances
from ccos_core.query.telling import one_line
from ccos_core.text.sanitize import clean as without_secrets
from ccos_core.text.sorts import SORTS, sort_of
from ccos_core.values.paths import inside

if TYPE_CHECKING:
    from ccos_core.query.autopsy.answer import Finding
    from ccos_core.query.saying.utterance import Utterance
    from ccos_core.replay.timeline import Timeline
    from ccos_core.text.statements import Statement

ACCOMPLISHMENTS, DECISIONS, CHALLENGES, PREFERENCES, FAILED_ATTEMPTS, LEARNINGS = SECTIONS = (
    "accomplishments", "decisions", "challenges", "preferences", "failed attempts", "learnings"
)  # fmt: skip
SECTION_OF = {
    "decision": DECISIONS, "preference": PREFERENCES, "rule": PREFERENCES, "anti-pattern": PREFERENCES,
    "failed-attempt": FAILED_ATTEMPTS, "correction": LEARNINGS, "lesson": LEARNINGS, "fact": LEARNINGS,
}  # fmt: skip
"""Class of a statement that was remembered → its section."""
OF_FORM = {"decision": DECISIONS, "preference": PREFERENCES, "correction": LEARNINGS}
"""Sort of a sentence by its form → its section. These quote the user, so a wrong sort misplaces a true sentence."""
OF_FINDING = {
    "undone": FAILED_ATTEMPTS, "thrown-away": FAILED_ATTEMPTS, "retried": FAILED_ATTEMPTS, "loop": FAILED_ATTEMPTS,
    "reported": CHALLENGES, "declined": CHALLENGES, "refused": CHALLENGES, "thrash": CHALLENGES, "red": CHALLENGES,
    "submitted": CHALLENGES, "error": CHALLENGES, "limit": CHALLENGES, "forgotten": CHALLENGES, "ignored": CHALLENGES,
    "evicted": LEARNINGS, "stale": LEARNINGS, "outdated": LEARNINGS,
}  # fmt: skip
"""Kind of an autopsy's finding → its section; others say nothing that another session could use."""
TEXT_CHARACTERS, FAILURE_CHARACTERS = 240, 100
LEAST_WORDS = 3
"""Words below which an answer or a remark says nothing by itself."""
SHOWN_FILES, SAID_FILES, MOST_TAGS, MOST_ANCHORS = 6, 2, 10, 16
SORTED_AS = {"english": frozenset(SORTS)}
CHOSEN = ("answer",)
"""Channels by which the user decides between what the agent offers."""


@dataclass(frozen=True, slots=True)
class Item:
    """One thing that a session did, heard or learned."""

    text: str
    steps: tuple[int, ...]
    """The steps that show it, in order."""

    weight: int
    """The items of a section are ordered by it; only good for comparing."""


class Pages:
    """What is found in a whole record up to a step, to be parted by session."""

    def __init__(self, timeline: Timeline, at: int, progress: Progress) -> None:
        self.timeline = timeline
        self.at = at
        self._progress = progress
        self._contexts = contexts_of(timeline)
        begun = set(np.unique(timeline.journal.steps["context"][:at]).tolist())
        self.sessions = tuple(
            dict.fromkeys(
                (each.host, each.session) for number, each in self._contexts.items() if each.session and number in begun
            )
        )
        """(host, name) of each session that has begun, in the order in which they came up."""

    def session_of(self, step: int) -> tuple[str, str]:
        """Return the session of a step; what has none belongs to the only session, if there is one only."""
        context = self._contexts.get(int(self.timeline.journal.steps["context"][step - 1]), Context("", "", ""))
        if not context.session and len(self.sessions) == 1:
            return self.sessions[0]
        return context.host, context.session

    @cached_property
    def items(self) -> dict[tuple[str, str], dict[str, list[Item]]]:
        """Session → section → its items, the most important first."""
        found: dict[tuple[str, str], dict[str, list[Item]]] = {}
        for section, item in self._every():
            if item.steps:
                found.setdefault(self.session_of(item.steps[0]), {}).setdefault(section, []).append(item)
        for sections in found.values():
            for items in sections.values():
                items.sort(key=lambda each: (-each.weight, each.steps, each.text))
        return found

    def _every(self) -> Iterator[tuple[str, Item]]:
        yield from ((ACCOMPLISHMENTS, each) for each in self._committed())
        yield from ((ACCOMPLISHMENTS, each) for each in self._stayed())
        yield from ((FAILED_ATTEMPTS, each) for each in self._taken_back())
        yield from self._failed()
        yield from self._said()
        yield from self._remembered()
        yield from self._findings()

    # ---- what was done ----

    @cached_property
    def commits(self) -> list[Commit]:
        """Commits, merges and pull requests that were made."""
        every = commits(self.timeline, self.at, sha="", progress=self._progress).commits
        return [
            each for each in every if each.outcome == "done" and each.subject and each.kind in ("commit", "amend", "pr")
        ]

    @cached_property
    def recoveries(self) -> tuple[Recovery, ...]:
        """The failures, with what was tried and what ended each."""
        return recoveries(self.timeline, self.at, calls=False).failures

    @cached_property
    def _work(self) -> Work:
        return Work(Deeds(self.timeline, self.timeline.journal.last_moment(self.at)))

    def _committed(self) -> Iterator[Item]:
        """An amended commit stands for the one before."""
        made: list[Commit] = []
        for commit in self.commits:
            if commit.kind == "amend" and made:
                made.pop()
            made.append(commit)
        for commit in made:
            files = f", {commit.files:,} {'file' if commit.files == 1 else 'files'}" if commit.files else ""
            name = "pull request" if commit.kind == "pr" else f"commit {commit.sha[:9]}".strip()
            edits = sorted({step for changed in commit.edits for step in changed.steps})
            yield _item(f"{commit.subject} ({name}{files})", (commit.step, *edits), 900 + min(len(edits), 50))

    @cached_property
    def edited(self) -> dict[str, list[int]]:
        """Path → the steps at which an agent edited or wrote it, of files of the project."""
        found: dict[str, list[int]] = {}
        for deed in self._work.deeds.edits:
            path = self._work.deeds.files.path(deed.file)
            if inside(path) and not self._work.deeds.by_user(deed.step):
                found.setdefault(path, []).append(deed.step)
        return found

    def _stayed(self) -> Iterator[Item]:
        """Edits that are in no commit and weren't taken back: one item for each session, its files by their edits."""
        committed = {step for commit in self.commits for changed in commit.edits for step in changed.steps}
        back = {step for steps in self._reverted.values() for step in steps}
        by_session: dict[tuple[str, str], dict[str, list[int]]] = {}
        for path, steps in self.edited.items():
            for step in steps:
                if step not in committed and step not in back:
                    by_session.setdefault(self.session_of(step), {}).setdefault(path, []).append(step)
        for files in by_session.values():
            ordered = sorted(files, key=lambda path: (-len(files[path]), path))
            named = [f"{path} ({_edits(len(files[path]))})" for path in ordered[:SHOWN_FILES]]
            more = f" and {len(ordered) - SHOWN_FILES:,} more files" if len(ordered) > SHOWN_FILES else ""
            yield _item(
                f"changed {', '.join(named)}{more}", sorted({step for each in files.values() for step in each}), 500
            )

    @cached_property
    def _reverted(self) -> dict[str, list[int]]:
        """Path → the edits whose changes are gone: the file has the text again that it had before them."""
        deeds, found = self._work.deeds, {}
        contents = deeds.journal.versions["content"]
        for file, changes in deeds.changes.items():
            rows = [deeds.row_before(changes[0]), *(change.row for change in changes)]
            texts = [bytes(contents[row]) for row in rows]
            back = next((at for at in range(len(changes) - 1, -1, -1) if texts[at] == texts[-1]), None)
            steps = [change.step for change in changes[back:] if deeds.is_edit(change.step)] if back is not None else []
            if steps and texts[-1] and deeds.is_whole(changes[-1]):  # what is gone may have another name
                found[deeds.files.path(file)] = steps
        return found

    def _taken_back(self) -> Iterator[Item]:
        for path, steps in sorted(self._reverted.items()):
            if inside(path):
                yield _item(f"the edits of {path} from step {steps[0]:,} were taken back", steps, 500 + len(steps))

    # ---- what was said ----

    def _said(self) -> Iterator[tuple[str, Item]]:
        """What the user chose, and what is a decision, a preference or a correction by its form."""
        found: dict[tuple[tuple[str, str], str, tuple[str, ...]], tuple[str, list[int]]] = {}
        for utterance in user_utterances(self.timeline):
            if utterance.step > self.at or utterance.path:
                continue
            for each in utterance.statements:
                if section := _section_of(utterance, each):
                    key = self.session_of(utterance.step), section, each.words
                    found.setdefault(key, (each.text, []))[1].append(utterance.step)
        for (_, section, _), (text, steps) in found.items():
            yield section, _item(f"“{one_line(text, TEXT_CHARACTERS)}”", steps, 300 + min(len(steps), 20))

    def _remembered(self) -> Iterator[tuple[str, Item]]:
        for each in remembered_until(self.timeline, self.at).values():
            section = SECTION_OF.get(each.cls or "", "")
            if section and each.standing == LIVE:
                yield section, _item(each.text, (each.born,), 800)

    # ---- what went wrong ----

    def _findings(self) -> Iterator[tuple[str, Item]]:
        if self._work.deeds.turns or self._work.prompts.every:
            for each in findings_of(self._work, found_in(self._work, self._progress)):
                if section := OF_FINDING.get(each.kind, ""):
                    yield section, _item(each.says, _steps(each), each.weight)

    def _failed(self) -> Iterator[tuple[str, Item]]:
        """The failures; those that ended together are one challenge."""
        together: dict[tuple[int, int], list[Recovery]] = {}
        for each in self.recoveries:
            together.setdefault((each.ended or 0, 0 if each.ended else each.since), []).append(each)
        for some in together.values():
            yield CHALLENGES, _challenge(some)
        tried: set[tuple[int, ...]] = set()
        for section, item in (found for each in self.recoveries for found in _of_attempts(each)):
            if section == LEARNINGS or item.steps not in tried:  # against several failures at once
                tried.add(item.steps)
                yield section, item

    # ---- what it is found by ----

    def tags(self, session: tuple[str, str]) -> tuple[str, ...]:
        """Return the kinds of files that were edited, the programs that reported failures, the parts of the project."""
        paths = self._paths(session)
        counted: Counter[str] = Counter()
        for path, size in paths.items():
            pure = PurePosixPath(path)
            counted.update({pure.suffix.lstrip("."): size, pure.parts[0] if len(pure.parts) > 1 else "": size})
        counted.update(each.runner for each in self.recoveries if self.session_of(each.since) == session)
        ordered = sorted(((-size, tag) for tag, size in counted.items() if tag), key=lambda each: each)
        return tuple(tag for size, tag in ordered if size < -1 or len(ordered) <= MOST_TAGS)[:MOST_TAGS]

    def anchors(self, session: tuple[str, str]) -> tuple[str, ...]:
        """Return what one would search for: the files edited most, failures by name, commits by hash."""
        paths = self._paths(session)
        most = sorted(paths, key=lambda path: (-paths[path], path))[: MOST_ANCHORS // 2]
        failed = [_short(each.name) for each in self.recoveries if self.session_of(each.since) == session]
        hashes = [each.sha[:9] for each in self.commits if self.session_of(each.step) == session and each.sha]
        named = (one_line(masked(each), 80) for each in (*most, *failed[:4], *hashes[-4:]))
        return tuple(dict.fromkeys(named))[:MOST_ANCHORS]

    def _paths(self, session: tuple[str, str]) -> Counter[str]:
        sizes = {path: sum(self.session_of(step) == session for step in steps) for path, steps in self.edited.items()}
        return Counter({path: size for path, size in sizes.items() if size})


def masked(text: str) -> str:
    """Return a text without secrets."""
    return without_secrets(text)[0]


def _item(text: str, steps: Iterator[int] | tuple[int, ...] | list[int], weight: int) -> Item:
    return Item(one_line(masked(text), TEXT_CHARACTERS), tuple(steps), weight)


def _edits(size: int) -> str:
    return "1 edit" if size == 1 else f"{size:,} edits"


def _section_of(utterance: Utterance, statement: Statement) -> str:
    """Return the section of a statement; empty if it isn't certain to belong into one."""
    if statement.pasted or len(statement.words) < LEAST_WORDS or statement.text.rstrip().endswith("?"):
        return ""
    if utterance.channel in CHOSEN:
        return DECISIONS
    return LEARNINGS if says_wrong(statement.text) else OF_FORM.get(sort_of(statement.text, SORTED_AS), "")


def _steps(finding: Finding) -> tuple[int, ...]:
    return tuple(sorted({finding.step, finding.last, *(each.step for each in finding.evidence)}))


def _challenge(some: list[Recovery]) -> Item:
    """Say of failures that ended together, or of one that didn't, what was done and what became of it."""
    first = min(some, key=lambda each: each.since)
    others = sum(1 + len(each.others) for each in some) - 1
    name = f"{_short(first.name)}{f' and {others:,} more' if others else ''} failed"
    edits = sum(attempt.kind == "edit" for attempt in first.tries) + first.tries_more
    tried = f" after {_edits(edits)}" if edits else ""
    steps = sorted({each.since for each in some})
    if first.ended is not None:
        return _item(f"{name}, passed again{tried}", (*steps, first.ended), 500 + min(edits, 100))
    state = "wasn't run again since a change" if first.state == "rerun due" else "fails still"
    return _item(f"{name} and {state}", steps, (550 if first.state == "rerun due" else 700) + min(edits, 100))


def _of_attempts(each: Recovery) -> Iterator[tuple[str, Item]]:
    """Yield the edits of few files after which it failed again; and the only file whose change ended it, unless the
    failure itself names that."""
    edits = [attempt for attempt in each.tries if attempt.kind == "edit"]
    runs = [attempt.step for attempt in each.tries if attempt.kind == "run"]
    vain = [edit for edit in edits if runs and edit.step < runs[-1]]
    files = list(dict.fromkeys(_file_of(edit.says) for edit in vain))
    if 0 < len(files) <= SAID_FILES:
        text = f"changed {' and '.join(files)}: {_short(each.name)} failed again"
        yield FAILED_ATTEMPTS, _item(text, tuple(edit.step for edit in vain), 400 - len(files))
    last = list(dict.fromkeys(_file_of(edit.says) for edit in edits if edit not in vain))
    is_certain = each.ended is not None and len(last) == 1 and not each.tries_more
    if is_certain and last[0] not in f"{each.name} {each.anchor}":
        steps = (*(edit.step for edit in edits if edit not in vain), each.ended or 0)
        yield LEARNINGS, _item(f"{_short(each.name)}: ended by changing {last[0]}", steps, 500)


def _short(name: str) -> str:
    """Return a failure's name without a message that says the same again, and of a path its last part."""
    name = name.split(" : ")[0]
    again = name.find(f" {name.split(' ')[0]}", 1)
    if again > 0 and name.startswith(name[again + 1 :][: again - 1]):
        name = name[:again]
    name = one_line(name, FAILURE_CHARACTERS)
    return name if " " in name else name.rpartition("/")[2]


def _file_of(says: str) -> str:
    """Return what an edit changed, from its row: `Edit src/app.py`."""
    words = says.split()
    return words[1] if len(words) > 1 else says
