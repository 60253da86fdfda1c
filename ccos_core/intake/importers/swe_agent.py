"""SWE-agent: one document (`.traj`) of the steps of a run, each with what was done and what came of it.

A step becomes one turn and one call. Calls are named by their steps, because the steps don't give the model's ids and
replayed runs use one id several times. The first messages stand in what a step sent to the model, or in the history,
which most files put after all steps: the steps wait until it was read. What was sent also shows which observations the
host had left out by then; those are told as dropped, exactly.

Nearly all commands print a window afterwards: `[File: PATH (N lines total)]` and numbered lines. That is what the
agent sees of the file and where an edit stood. An edit the linter refused prints two; only the second is the file.
"""

from __future__ import annotations

import re
import shlex
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from functools import partial
from typing import Any

from ccos_core.intake.calls.commands import effects_of_command
from ccos_core.intake.calls.effects import Changed, Effect, Hunk, Patched, Replaced, Rewrote, Shown, Wrote
from ccos_core.intake.calls.numbered import NAMES, effects_of_str_replace, found_by_search, placed, stretches
from ccos_core.intake.importers.fields import at, decoded, lasted, objects, text, word
from ccos_core.intake.importers.images import texts_and_images
from ccos_core.intake.importers.reasoning import thoughts_of_message
from ccos_core.intake.importers.record import Format, Observation, Record
from ccos_core.intake.importers.telling import Call, Telling, TellingReader, Where

WINDOWED = ("open", "goto", "scroll_up", "scroll_down", "create", "edit", "insert", "append")
OTHERS = ("search_file", "search_dir", "find_file", "submit", "view_image", "filemap", *NAMES)
"""Commands that are no shell's."""
REFUSED = "introduced new syntax error"
"""What the linter says of an edit that wasn't made."""

_HEADER = re.compile(r"^\[File: (.+) \((\d+) lines? total\)\][ \t]*$", re.MULTILINE)
_LINE = re.compile(r"(\d{1,9}):(.*)", re.DOTALL)
_MORE = re.compile(r"\(\d+ more lines? (?:above|below)\)\s*")
_FOUND = re.compile(r'^Found \d+ matches for ".*" in (.+):$', re.MULTILINE)
_HIT = re.compile(r"^Line (\d{1,9}):(.*)$", re.MULTILINE)
_EDITED = re.compile(r"^(?:File updated\.|Text replaced\.|Replaced \d+ occurrences\.|Edit successful\.)", re.MULTILINE)
_RANGE = re.compile(r"edit\s+(\d{1,9}):(\d{1,9})[ \t]*(?:\n|\s+)(.*)\Z", re.DOTALL)
_FLAGS = {"--view_range": 2, "--file_text": 1, "--old_str": 1, "--new_str": 1, "--insert_line": 1}


@dataclass(frozen=True, slots=True)
class Window:
    """Lines of a file as the agent has them before it."""

    path: str
    total: int
    lines: tuple[tuple[int, str], ...]

    @property
    def whole(self) -> bool:
        return bool(self.lines) and [number for number, _ in self.lines] == [*range(1, self.total + 1)]

    @property
    def text(self) -> str:
        return "".join(line + "\n" for _, line in self.lines)


def last_window(printed: str) -> Window | None:
    """The last window in what a command printed."""
    printed = printed.replace("\r\n", "\n")
    headers = list(_HEADER.finditer(printed))
    return _window(headers[-1], printed) if headers else None


def effects_of(
    name: str, arguments: Any, action: str, printed: str, before: Window | None, after: Window | None, file: str
) -> list[Effect]:
    """What one of these commands did. The agent had a window `before`, and another `after` it; `file` is open now."""
    if name in NAMES:
        return effects_of_str_replace(_flagged(arguments, action), printed, None)
    printed = printed.replace("\r\n", "\n")
    if name == "search_file":
        return _found(printed)
    refused = REFUSED in printed
    done: list[Effect] = []
    if name == "create" and after is not None:
        return [Wrote(after.path, after.text if after.whole else "")]
    if name == "edit" and not refused and _EDITED.search(printed):
        done = _edited(arguments, action, before, after, file)
    elif name in ("insert", "append") and not refused and after is not None:
        done = _inserted(arguments, action, after)
    return [*done, *(_shown(after) if after is not None else ())]


# -- helpers ----------------------------------------------------------------------------------------------------------


def _window(header: re.Match[str], printed: str) -> Window:
    lines: list[tuple[int, str]] = []
    for line in printed[header.end() + 1 :].split("\n"):
        match = _LINE.fullmatch(line)
        if match is not None and (not lines or int(match[1]) == lines[-1][0] + 1):
            lines.append((int(match[1]), match[2]))
        elif lines or not _MORE.fullmatch(line):
            break
    return Window(header[1], int(header[2][:9]), tuple(lines))


def _shown(window: Window) -> list[Shown]:
    if window.whole:
        return [Shown(window.path, window.text, whole=True)]
    shown = stretches(window.path, window.lines)
    if shown and window.lines[-1][0] == window.total:
        shown[-1] = replace(shown[-1], ends=True)
    return shown


def _found(printed: str) -> list[Effect]:
    header = _FOUND.search(printed)
    if header is None:
        return []
    return list(found_by_search(header[1], [(int(hit[1]), hit[2]) for hit in _HIT.finditer(printed, header.end())]))


def _edited(arguments: Any, action: str, before: Window | None, after: Window | None, file: str) -> list[Effect]:
    """An edit by line numbers, by what is to be replaced, or of all that the window shows."""
    path = after.path if after is not None else file or (before.path if before is not None else "")
    if not path:
        return []
    told = _named(arguments, action)
    search, replace, text = told.get("search"), told.get("replace"), told.get("text")
    if isinstance(search, str) and isinstance(replace, str) and search:
        everywhere = bool(told.get("replace-all") or told.get("replace_all"))
        hunk = None if everywhere or after is None else placed(search, replace, after.lines)
        return [Replaced(path, search, replace, everywhere) if hunk is None else Patched(path, (hunk,))]
    first, last = told.get("start_line"), told.get("end_line")
    if text is not None and first is None and before is not None and before.lines:
        first, last = before.lines[0][0], before.lines[-1][0]
    text = text if text is not None else told.get("replacement_text")
    if isinstance(first, int) and isinstance(last, int) and isinstance(text, str):
        return [Rewrote(path, first, last, text)]
    return [Changed(path)]


def _named(arguments: Any, action: str) -> Mapping[str, Any]:
    """The arguments of an edit by their names, however the agent's way of calling spells them."""
    if isinstance(arguments, Mapping):
        return arguments
    by_lines = _RANGE.match(action.strip())
    if by_lines is not None:
        text = _until_end(by_lines[3])
        return {"start_line": int(by_lines[1]), "end_line": int(by_lines[2]), "replacement_text": text}
    if action.rstrip().endswith("end_of_edit"):  # between two cursors, which no window shows
        return {}
    words = _words(action)[1:]
    if len(words) >= 2:
        return {"search": words[0], "replace": words[1], "replace_all": len(words) > 2}
    return {"text": words[0]} if words else {}


def _until_end(said: str) -> str:
    """The text between the numbers and what ends it: a word on a line of its own, or quotes."""
    said = said.removesuffix("\n")
    body, feed, last = said.rpartition("\n")
    if last.strip() == "end_of_edit":
        return body if feed else ""
    words = _words(said) if said[:1] in "'\"" else []
    return words[0] if len(words) == 1 else said


def _inserted(arguments: Any, action: str, after: Window) -> list[Effect]:
    """Text goes behind a line, or to the end; the window tells how long the file is now."""
    words = _words(action)[1:]
    told = arguments if isinstance(arguments, Mapping) else dict(zip(("text", "line"), words, strict=False))
    text, line = told.get("text"), told.get("line")
    if not isinstance(text, str) or not text:
        return []
    new = tuple(text.removesuffix("\n").split("\n"))
    if isinstance(line, str):
        line = int(line) if line.isdecimal() and len(line) < 9 else None
    first = line + 1 if isinstance(line, int) and line >= 0 else after.total - len(new) + 1
    return [Patched(after.path, (Hunk((), new, first),))] if first >= 1 else []


def _flagged(arguments: Any, action: str) -> Mapping[str, Any]:
    """`str_replace_editor view /a/b --view_range 1 20` as the object other ways of calling give."""
    if isinstance(arguments, Mapping):
        return arguments
    words = _words(action)[1:]
    told: dict[str, Any] = dict(zip(("command", "path"), words, strict=False))
    rest = words[2:]
    while rest:
        flag, rest = rest[0], rest[1:]
        count = _FLAGS.get(flag, 0)
        values, rest = rest[:count], rest[count:]
        if count:
            told[flag[2:]] = _value(flag, values)
    return told


def _value(flag: str, values: list[str]) -> Any:
    if flag in ("--view_range", "--insert_line"):
        numbers = [int(value) for value in values if re.fullmatch(r"-?\d{1,9}", value)]
        return numbers if flag == "--view_range" else next(iter(numbers), None)
    return values[0] if values else ""


def _words(action: str) -> list[str]:
    try:
        return shlex.split(action)
    except ValueError:
        return action.split()


HOST = "swe-agent"
SILENT = ("environment",)
MOST_HELD = 10_000
"""Steps held back until the first words are known; a run has a few hundred."""
LEFT_OUT = "Old environment output:"
"""What stands in the place of an observation that isn't sent any more."""
_NAME = re.compile(r"\s*([\w.-]+)")
_FAILED = re.compile(
    r"not applied|NOT been applied|NOT executed|not found|No file open|No replacement was performed|"
    r"^Invalid `|^Usage: |^Error|was cancelled because it took|already exists|does not exist|"
    r"is not supported by this environment",
    re.MULTILINE,
)
_SHELL_FAILED = re.compile(
    r"was NOT executed|was cancelled because it took more than|is not supported by this environment|"
    r"\AEXECUTION TIMED OUT"
)


def looks(records: Iterable[Record]) -> bool:
    """Whether a document has steps with an action and an observation."""
    return any(
        record.name == "trajectory"
        and isinstance(record.value, dict)
        and "action" in record.value
        and "observation" in record.value
        for record in records
    )


class Reader(TellingReader):
    """Reads one run."""

    def __init__(self, session: str) -> None:
        super().__init__(session, Telling(HOST))
        self._early: list[tuple[dict[str, Any], int]] = []
        """Steps, with their lines, that stand in the file before the words the run began with."""
        self._over = ""
        """How the run ended, if the file said so already."""
        self._steps = self._history = 0
        """How many of each were read."""
        self._folder = self._file = ""
        """Where the shell stands, and the file that is open, as the last step left them."""
        self._window: Window | None = None
        self._sent = _Sent()
        self._held: dict[str, None] = {}
        """What the model was given last, by the names of prompts and steps."""
        self._told = False
        """Whether the agent's own words were reached, in front of which all it was told first stands."""

    def feed(self, record: Record) -> Iterator[Observation]:
        """What becomes certain with this record."""
        self.tally.records += 1
        if record.name == "trajectory" and isinstance(record.value, dict):
            if self._waits(record.value):
                self._early.append((record.value, record.line))
            else:
                yield from self._caught_up()
                yield from self._step(record.value, record.line)
        elif record.name == "history" and isinstance(record.value, dict):
            yield from self._first_words([record.value], record.line)
            if self._told:
                yield from self._caught_up()
        elif record.name == "info":
            self._over = word(record.value, "exit_status")
        elif record.name == "replay_config":
            self._learn(record.value)
        elif record.name not in SILENT:
            self.tally.note(f"field {record.name}"[:200], record.line)

    def finish(self) -> Iterator[Observation]:
        """Give the steps of a run without a history, and how it ended."""
        yield from self._caught_up()
        if self._over:
            self.origin.ended, self._over = self._over, ""
            yield from self._telling.ended(Where(self.origin.session, "run"), self.origin.ended)

    # -- one step -------------------------------------------------------------------------------------------------

    def _waits(self, step: dict[str, Any]) -> bool:
        """Whether a step has to wait: the file puts what the agent was told first behind all steps."""
        return not self._told and not self._history and not _sent(step) and len(self._early) < MOST_HELD

    def _caught_up(self) -> Iterator[Observation]:
        early, self._early = self._early, []
        for step, line in early:
            yield from self._step(step, line)

    def _step(self, step: dict[str, Any], line: int) -> Iterator[Observation]:
        self._steps += 1
        state = _state(step)
        self._folder = self._folder or word(state, "working_dir")
        self.origin.cwd = self.origin.cwd or self._folder
        sent = _sent(step)
        yield from self._first_words(sent, line)
        self._told = self._told or self._history > 0
        where = Where(self.origin.session, f"step:{self._steps}", None, "", self._folder, line)
        yield from self._left_out(where, self._sent.left_out(sent))
        action = text(step, "action").strip()
        said = text(step, "response") or text(step, "thought")
        for place, thought in enumerate(thoughts_of_message(_own_message(step, action))):
            yield from self._telling.thought(where, thought.words, number=place, sealed=thought.sealed)
        if said or action:
            yield from self._telling.turn(where, said, stop="tool" if action else "end")
        if action:
            yield from self._call(where, step, action, text(state, "open_file"))
            self._held[where.id] = None
        self._sent.answered(where.id if action else "")
        self._folder = word(state, "working_dir") or self._folder
        self._file = text(state, "open_file")

    def _call(self, where: Where, step: dict[str, Any], action: str, file: str) -> Iterator[Observation]:
        printed = text(step, "observation")
        match = _NAME.match(action)
        own = match[1] if match is not None and match[1] in (*WINDOWED, *OTHERS) else ""
        given = _given(step, action)
        arguments = given if given is not None else action if own else {"command": action}
        self._telling.asked(Call(where, own or "bash", arguments))
        outcome = _outcome(own, printed)
        did = self._did(own, given, action, printed, file) if own else self._ran(action, printed, outcome, where.cwd)
        yield from self._telling.answered(where, printed, outcome, did, lasted(step.get("execution_time")))

    def _did(self, name: str, given: Any, action: str, printed: str, file: str) -> list[Effect]:
        after = last_window(printed)
        done = effects_of(name, given, action, printed, self._window, after, file)
        self._window = after or self._window
        return done

    def _ran(self, action: str, printed: str, outcome: str, cwd: str) -> list[Effect]:
        if outcome == "error":
            return []
        text_of = partial(self._telling.files.text, cwd=cwd or ".")
        return effects_of_command(action, printed.replace("\r\n", "\n"), None, cwd or ".", text_of)

    # -- what the agent was told first ----------------------------------------------------------------------------

    def _first_words(self, messages: Iterable[dict[str, Any]], line: int) -> Iterator[Observation]:
        """The system's words, demonstrations, and the task: all that stands before the agent speaks."""
        if self._told:
            return
        for message in messages:
            if word(message, "role") == "assistant" and not message.get("is_demo"):
                self._told = True
                return
            self._history += 1
            where = Where(self.origin.session, f"history:{self._history}", None, "", self._folder, line)
            by_user = word(message, "role") == "user" and not message.get("is_demo")
            self._held[where.id] = None
            yield from self._telling.prompt(where, _content(message), "user" if by_user else "host")

    # -- helpers --------------------------------------------------------------------------------------------------

    def _left_out(self, where: Where, steps: list[str]) -> Iterator[Observation]:
        """From this step on the model was given no more what these had printed."""
        gone = [step for step in steps if step in self._held]
        for step in gone:
            self._held.pop(step, None)
        if gone:
            dropped = replace(where, id=f"{where.id}:window")
            yield from self._telling.compacted(dropped, trigger="auto", kept=list(self._held), exact=True)

    def _learn(self, config: Any) -> None:
        if isinstance(config, str):
            config = decoded(config)
        self.origin.uses(word(config, "agent", "model", "name"))
        self.origin.title = self.origin.title or word(config, "problem_statement", "id")


class _Sent:
    """Which steps' observations stand where in what is sent to the model."""

    def __init__(self) -> None:
        self._steps: list[str] = []
        """Those whose actions are in it, in order. One that was malformed never gets there."""
        self._last = ""
        """The step before, while it isn't known whether it does."""

    def answered(self, step: str) -> None:
        """A step is over."""
        self._last = step

    def left_out(self, sent: list[dict[str, Any]]) -> list[str]:
        """The steps whose observations were shortened to nothing."""
        actions, found = 0, list[int]()
        for message in sent:
            if message.get("is_demo"):
                continue
            if word(message, "role") == "assistant":
                actions += 1
            elif actions and _content(message).startswith(LEFT_OUT):
                found.append(actions - 1)
        if actions > len(self._steps) and self._last:
            self._steps.append(self._last)
        return [self._steps[at] for at in found if at < len(self._steps)]


FORMAT = Format(name=HOST, title="SWE-agent", document=True, looks=looks, reader=Reader)


def _state(step: dict[str, Any]) -> Any:
    """The shell after the step. Older runs wrote it as text."""
    state = step.get("state")
    return decoded(state) if isinstance(state, str) else state


def _sent(step: dict[str, Any]) -> list[dict[str, Any]]:
    """What was sent to the model before the step. Some versions hold the step's own messages as well."""
    if isinstance(step.get("messages"), list):
        messages = list(objects(step, "messages"))
        own = len(messages) > 1 and text(messages[-2], "action").strip() == text(step, "action").strip()
        return messages[:-2] if own and word(messages[-2], "role") == "assistant" else messages
    return list(objects(step, "query"))


def _own_message(step: dict[str, Any], action: str) -> dict[str, Any]:
    """The model's message of a step: among what was sent where that holds it, or else the step itself."""
    for message in list(objects(step, "messages"))[-2:]:
        if text(message, "action").strip() == action and word(message, "role") == "assistant":
            return message
    return {name: step[name] for name in ("thinking_blocks", "reasoning_content") if name in step}


def _given(step: dict[str, Any], action: str) -> Any:
    """The arguments of the call as the model gave them, where the step holds its own message."""
    call = next(objects(_own_message(step, action), "tool_calls"), None)
    said = at(call, "function", "arguments")
    return decoded(said) if isinstance(said, str) else said


def _outcome(own: str, printed: str) -> str:
    """The host gives no exit code. Its own commands say how they ended; of a shell's that is known only if the host
    didn't let it run."""
    if not own:
        return "error" if _SHELL_FAILED.search(printed[:2_000]) else "unknown"
    refused = REFUSED in printed or _FAILED.search(printed.partition("[File: ")[0][:2_000]) is not None
    return "error" if refused else "ok"


def _content(message: dict[str, Any]) -> str:
    content = message.get("content")
    return content if isinstance(content, str) else "\n".join(texts_and_images(message, "content"))
