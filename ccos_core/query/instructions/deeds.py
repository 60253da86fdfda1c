"""What a step did, as instructions speak of it: programs that were run, lines that were added and removed, a message.

A call and what it did to files are one deed, at the step of the call. An edit is read from the call's arguments, else
from what is known of the file before and after.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import fields, is_dataclass
from functools import cached_property, lru_cache
from typing import TYPE_CHECKING, Any, NamedTuple

from ccos_core.intake.calls.shell import Simple, parse_line
from ccos_core.intake.failures.command import runs
from ccos_core.intake.git_deeds import read_deeds
from ccos_core.intake.tools import command_of
from ccos_core.query.instructions.words import stem
from ccos_core.query.op_text import text_of
from ccos_core.query.step_call import EFFECTS, MOST_EFFECTS, NEW_NAMES, OLD_NAMES, PATHS, call_of
from ccos_core.query.step_words import PATCHED, WHOLE_NAMES, patch_of
from ccos_core.replay.codes import KIND_CODES, how_of
from ccos_core.values.unified import unified

if TYPE_CHECKING:
    from ccos_core.ops.plain import Plain
    from ccos_core.replay.timeline import Timeline

LONGEST_TEXT = 200_000
"""Characters of arguments that are read."""
LONGEST_RESULT = 20_000
LONGEST_COMMAND = 20_000
_EFFECT_KINDS = tuple(KIND_CODES[kind] for kind in EFFECTS)
EDITED, WRITTEN, GONE, MOVED = "edited", "written", "deleted", "renamed"
_PART = re.compile(r"[A-Z]?[a-z]+|[A-Z]+(?![a-z])|\d+")


class Edit(NamedTuple):
    """One file that was changed."""

    path: str
    how: str
    """`edited`, `written` (all of it is in `added`), `deleted`, `renamed`."""
    added: tuple[str, ...] = ()
    removed: tuple[str, ...] = ()
    is_new: bool = False
    is_own: bool = False
    """Whether the agent made the file in this conversation."""

    @property
    def is_made(self) -> bool:
        """Whether it writes a file that the agent makes, for the first time or anew."""
        return self.is_new or (self.is_own and self.how == WRITTEN)

    @property
    def new_text(self) -> str:
        """The lines that were added."""
        return "\n".join(self.added)

    @property
    def old_text(self) -> str:
        """The lines that were removed."""
        return "\n".join(self.removed)


class Program(NamedTuple):
    """One program of a command line, with its arguments as they were written."""

    words: tuple[str, ...]

    @property
    def line(self) -> str:
        """All of it in one line."""
        return " ".join(self.words)


class Deed:
    """What one step did."""

    def __init__(
        self,
        step: int,
        context: int,
        name: str,
        command: str,
        edits: Iterable[Edit] = (),
        output: str = "",
        reads: Sequence[str] = (),
        outcome: str = "ok",
    ) -> None:
        self.step, self.context, self.name, self.outcome = step, context, name, outcome
        self.command = command[:LONGEST_COMMAND]
        self.output = output
        self.edits = tuple(edits)
        self.reads = tuple(reads)

    def __bool__(self) -> bool:
        return bool(self.command or self.edits or self.reads)

    @cached_property
    def programs(self) -> tuple[Program, ...]:
        """The programs of its command line, wrappers and arguments as they were written."""
        return programs_of(self.command)

    @cached_property
    def history(self) -> list[tuple[str, str, str]]:
        """(kind, branch, subject) of what it did to the repository's history, as git printed it."""
        if "git" not in self.command and "gh" not in self.command:
            return []
        ok = {"ok": True, "error": False}.get(self.outcome)
        return [(each.kind, each.branch, each.subject) for each in read_deeds(self.command, self.output, ok)]

    @cached_property
    def messages(self) -> tuple[str, ...]:
        """The messages of its commits."""
        printed = [subject for kind, _, subject in self.history if kind in ("commit", "amend") and subject]
        return tuple(printed or (said for each in self.programs if (said := message_of(each))))

    @cached_property
    def paths(self) -> tuple[str, ...]:
        """The files that it changed."""
        return tuple(dict.fromkeys(each.path for each in self.edits))

    @cached_property
    def words(self) -> frozenset[str]:
        """Stems of all words that it has, to look quickly whether a rule may be about it."""
        texts = [self.command, *self.paths, *self.reads, *(b for _, b, _ in self.history)]
        texts += [text for each in self.edits for text in (*each.added, *each.removed)]
        return words_in("\n".join(texts))


def words_in(text: str) -> frozenset[str]:
    """Return the stems of the words of a text, those of names in it likewise."""
    return frozenset(stem(each) for each in _PART.findall(text)) | frozenset(
        stem(each) for each in re.findall(r"[A-Za-z][\w.-]*", text)
    )


# ---- commands ----


@lru_cache(maxsize=2_000)
def programs_of(command: str) -> tuple[Program, ...]:
    """Return the programs of a command line; one that can't be read is split at its blanks."""
    if not command.strip():
        return ()
    script = parse_line(command)
    if script is None:
        lines = re.split(r"\n|;|&&|\|\|?", command)
        return tuple(Program(tuple(line.split())) for line in lines if line.split())
    found = [Program(words) for words in _simple(script)]
    inner = [Program((run.tool, *run.words)) for run in runs(command)]
    return tuple(dict.fromkeys([*found, *inner]))


def _simple(node: Any) -> Iterator[tuple[str, ...]]:
    if isinstance(node, Simple):
        words = tuple("".join(piece.text for piece in word) for word in node.words)
        if words:
            yield tuple(filter(None, words))
        yield from ((f"{name}={''.join(piece.text for piece in value)}",) for name, value in node.assignments)
        for each in node.redirects:
            if each.operator in (">", ">>", ">|", "&>"):
                yield (">", "".join(piece.text for piece in each.target))
    elif isinstance(node, tuple):
        for each in node:
            yield from _simple(each)
    elif is_dataclass(node):
        for field in fields(node):
            yield from _simple(getattr(node, field.name))


def message_of(program: Program) -> str:
    """Return the message that a `git commit` was given; empty where it has none."""
    words = program.words
    if "commit" not in words[:6] or "git" not in words[:4]:
        return ""
    for at, word in enumerate(words):
        if word == "--message" or re.fullmatch(r"-[a-zA-Z]*m", word):
            return words[at + 1] if at + 1 < len(words) else ""
        if found := re.match(r"--message=(.+)|-[a-z]*m(.+)", word, re.DOTALL):
            return found[1] or found[2]
    return ""


# ---- a step ----


def deed_of(timeline: Timeline, step: int) -> Deed:
    """Return what a step did; that of an effect is what its call did."""
    op = timeline.op(step)
    if op["kind"] in ("seen", "gone", "renamed"):
        call = call_of(timeline, step, op)
        if call is None:
            return _alone(timeline, step, op)
        step, op = call, timeline.op(call)
    context = int(timeline.journal.steps["context"][step - 1])
    if op["kind"] != "tool":
        return Deed(step, context, str(op["kind"]), "")
    arguments = text_of(timeline, op.get("arguments"))[:LONGEST_TEXT]
    effects = _effects(timeline, step, op)
    command = command_of(arguments)
    given = _parsed(arguments)
    patch = patch_of(given)
    edits = list(_asked(given, patch if patch else "")) if op["outcome"] != "error" else []
    known = _known(timeline, effects, edits)
    reads = [str(each["path"]) for _, each in effects if how_of(each) == "read"]
    output = text_of(timeline, op.get("result"))[:LONGEST_RESULT] if "git" in command or "gh" in command else ""
    return Deed(step, context, str(op["name"]), "" if patch else command, known, output, reads, str(op["outcome"]))


def _effects(timeline: Timeline, step: int, op: Plain) -> list[tuple[int, Plain]]:
    """What a call did to files, as `effects_of`, from ops that are at hand: one sweep for each call takes 1 ms."""
    if "call" not in op:
        return []
    kinds, contexts = timeline.journal.steps["kind"], timeline.journal.steps["context"]
    found = []
    for later in range(step + 1, min(step + MOST_EFFECTS, timeline.head) + 1):
        if kinds[later - 1] not in _EFFECT_KINDS or contexts[later - 1] != contexts[step - 1]:
            break
        each = timeline.op(later)
        if each.get("call") != op["call"]:
            break
        found.append((later, each))
    return found


def _alone(timeline: Timeline, step: int, op: Plain) -> Deed:
    """A file that was changed at a step with no call."""
    context = int(timeline.journal.steps["context"][step - 1])
    if how_of(op) == "read":
        return Deed(step, context, "read", "", reads=[str(op["path"])])
    return Deed(step, context, how_of(op) or str(op["kind"]), "", _known(timeline, [(step, op)], []))


def _known(timeline: Timeline, effects: Sequence[tuple[int, Plain]], asked: Sequence[Edit]) -> Iterator[Edit]:
    """The files that a call changed, with the lines its arguments name; else those by which their texts differ."""
    by_name = {each.path.rpartition("/")[2]: each for each in asked}
    for step, op in effects:
        path = str(op["path"])
        versions = timeline.sources.versions(path)
        is_own = bool(versions) and how_of(timeline.op(versions[0].step)) == "write"
        if op["kind"] == "gone":
            yield Edit(path, GONE, is_own=is_own)
        elif op["kind"] == "renamed":
            yield Edit(path, MOVED)
            yield Edit(str(op["to"]), MOVED)
        elif how_of(op) in ("edit", "write") and not (op.get("withheld") == "uncertain" and "content" not in op):
            found = by_name.get(path.rpartition("/")[2]) or (asked[0] if len(asked) == 1 == len(effects) else None)
            is_new = not any(each.step < step and each.why != "gone" for each in versions)
            is_own = bool(versions) and how_of(timeline.op(versions[0].step)) == "write"
            if found is not None:
                how = WRITTEN if is_new and found.added and not found.removed else found.how
                yield found._replace(path=path, is_new=is_new, is_own=is_own, how=how)
            else:
                yield _differing(timeline, step, path, is_new)._replace(is_own=is_own)


def _differing(timeline: Timeline, step: int, path: str, is_new: bool) -> Edit:
    versions = timeline.sources.versions(path)
    after = next((each for each in versions if each.step == step), None)
    before = next((each for each in reversed(versions) if each.step < step and each.why != "gone"), None)
    now = timeline.sources.source(path, after) if after is not None and after.content else None
    was = timeline.sources.source(path, before) if before is not None and before.content else None
    if now is None:
        return Edit(path, EDITED)
    if was is None:
        return Edit(path, WRITTEN if is_new else EDITED, tuple(now.text.splitlines()), (), is_new)
    lines = unified(was.text.splitlines(), now.text.splitlines(), path).splitlines()[2:]
    added = tuple(line[1:] for line in lines if line.startswith("+"))
    return Edit(path, EDITED, added, tuple(line[1:] for line in lines if line.startswith("-")), is_new)


def _asked(given: Any, patch: str) -> Iterator[Edit]:
    """The edits that a call's arguments ask for."""
    if patch:
        yield from _patched(patch)
    elif isinstance(given, dict):
        path = next((given[name] for name in PATHS if isinstance(given.get(name), str)), "")
        each = given.get("edits")
        pairs = [_pair(one) for one in each if isinstance(one, dict)] if isinstance(each, list) else [_pair(given)]
        added, removed = (tuple(line for pair in pairs for line in pair[side]) for side in (0, 1))
        whole = next((given[name] for name in WHOLE_NAMES if isinstance(given.get(name), str)), None)
        if added or removed:
            yield Edit(path, EDITED, added, removed)
        elif whole is not None and path:
            yield Edit(path, WRITTEN, tuple(whole.splitlines()))


def _pair(given: dict[str, Any]) -> tuple[list[str], list[str]]:
    """The lines that an edit adds and removes; what both texts have is neither."""
    sides: list[list[str]] = [
        next((given[name].splitlines() for name in names if isinstance(given.get(name), str)), [])
        for names in (OLD_NAMES, NEW_NAMES)
    ]
    old, new = sides
    return [line for line in new if line not in set(old)], [line for line in old if line not in set(new)]


def _patched(patch: str) -> Iterator[Edit]:
    path, how = "", EDITED
    added: list[str] = []
    removed: list[str] = []
    for line in [*patch.splitlines(), "*** End"]:
        named = PATCHED.match(line) or re.match(r"\+\+\+ (?:b/)?(\S+)", line)
        if named or line.startswith("*** End"):
            if path:
                yield Edit(path, how, tuple(added), tuple(removed))
            path, added, removed = (named[1] if named else ""), [], []
            how = WRITTEN if line.startswith("*** Add") else GONE if line.startswith("*** Delete") else EDITED
        elif line.startswith("+"):
            added.append(line[1:])
        elif line.startswith("-") and not line.startswith("--- "):
            removed.append(line[1:])


def _parsed(arguments: str) -> Any:
    try:
        return json.loads(arguments)
    except (ValueError, RecursionError):
        return arguments
