"""`bundle`: what an agent should know before it begins, in a fixed budget: at the start, of the user, of the code.

Each bundle has fixed sections, and each section is the first part of what it could say; a last line tells what is left
out and where to read it. All of it is taken from the record at a step.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from functools import lru_cache
from typing import TYPE_CHECKING, Any, ClassVar, NamedTuple

import numpy as np

from ccos_core.intake.tools import command_of
from ccos_core.present.rows import Row, View, clean, note, row, title
from ccos_core.query.contexts import last_speaker
from ccos_core.query.documents import DocumentAt, daily_at, document_at
from ccos_core.query.failing import failures
from ccos_core.query.mindmap import Beside, mindmap
from ccos_core.query.playbook import rules as playbook
from ccos_core.query.project_map import window as project_map
from ccos_core.query.question import Argument, Question
from ccos_core.query.remembered import LIVE, remembered_until
from ccos_core.query.said import Said, said_until
from ccos_core.query.saying.utterance import AGENT, USER
from ccos_core.query.step_text import read_blob
from ccos_core.query.telling import one_line
from ccos_core.replay.codes import KIND_CODES, OUTCOME_CODES
from ccos_core.text.delivered import marked
from ccos_core.text.sections import sections
from ccos_core.text.syntax.markdown import read_markdown
from ccos_core.values.roles import IMPRESSIONS, MEMORY, SOUL
from ccos_core.values.roles import USER as USER_ROLE
from ccos_core.values.tokens import estimate
from ccos_core.window.bundles import Part, Section, pack

if TYPE_CHECKING:
    from ccos_core.replay.timeline import Timeline

BOOTSTRAP, RELATIONAL, TECHNICAL, CREATIVE = NAMES = ("bootstrap", "relational", "technical", "creative")
BUDGETS = {BOOTSTRAP: 500, RELATIONAL: 1_500, TECHNICAL: 4_000, CREATIVE: 2_000}
"""Tokens of each bundle: its ceiling, whatever is asked for."""
MAP_LEVEL = "3"
PROJECT_BUDGET, TASK_BUDGET = 1_200, 1_000  # tokens
OF_USER = ("correction", "preference", "rule", "anti-pattern", "decision")
"""Classes of statements that say how the user wants to work, the most binding first."""
OVER = ("completed", "done", "cancelled", "canceled")
"""How programs say that a todo is no longer open."""
RUNNING = re.compile(
    r"(?:^|[;&|]\s*|\brun\s+|\bexec\s+|-m\s+)(?:pytest|tox|nox|unittest|make|just|ninja|cmake|ruff|mypy|flake8|eslint|tsc"
    r"|jest|vitest|mocha|prettier|black|cargo\s+\w+|go\s+(?:test|build|vet)|(?:npm|pnpm|yarn|bun)\s+(?:run\s+)?\w+"
    r"|gradle\w*|mvn\w*|dotnet\s+\w+|rake|bundle\s+exec)\b"
)
"""Commands that build, check or test."""
RUNS_LOOKED_AT, MOST_COMMANDS = 400, 20
LONGEST_COMMAND = 200  # characters
ABOUT_CODE = re.compile(
    r"build|test|run|develop|set.?up|install|command|lint|format|deploy|tool|architect", re.IGNORECASE
)
ABOUT_STYLE = re.compile(
    r"style|voice|tone|writ|word|glossar|nam(?:e|ing)|convention|docs?\b|commit|language", re.IGNORECASE
)
STYLE_FILE = re.compile(r"(?:^|/)(?:style|glossary|writing|voice|contributing)[^/]*\.(?:md|markdown)$", re.IGNORECASE)
MOST_STYLE_FILES = 4


@dataclass(frozen=True, slots=True)
class Bundle:
    """The answer to `bundle`."""

    schema: ClassVar[str] = "ccos.bundle/1"
    at: int
    name: str
    task: str
    """What it was asked for; empty for no task."""

    budget: int
    tokens: int
    text: str
    """What to hand to an agent, between the lines by which it is known as ours."""

    sections: tuple[Section, ...]
    """What it has of each section, and what it leaves out."""

    def as_rows(self, view: View) -> list[Row]:
        """The text as it is handed out."""
        head = title(f"{clean(self.name)}, {self.tokens:,} of {self.budget:,} tokens")
        return (
            [head, *(row(clean(line)) for line in self.text.split("\n"))] if self.text else [head, note("nothing yet")]
        )


class _Place(NamedTuple):
    timeline: Timeline
    at: int
    user: Timeline | None
    task: str


def bundle(timeline: Timeline, at: int, user: Timeline | None, name: str, task: str, budget: int | None) -> Bundle:
    """Fill a bundle; `budget` can only make it smaller."""
    budget = min(budget or BUDGETS[name], BUDGETS[name])
    place = _Place(timeline, at, user, task.strip())
    frame = estimate(marked(""))
    packed = pack(list(PARTS[name](place)), budget - frame)
    text = marked(packed.text) if packed.text else ""
    return Bundle(at, name, place.task, budget, estimate(text) if text else 0, text, packed.sections)


# ---- the sections of each bundle ----


def _bootstrap(place: _Place) -> Iterator[Part]:
    yield from _map(place)
    yield Part("Open tasks", tuple(_tasks(place)), 3, "cos://memory")
    yield from _digest(place, 3)


def _relational(place: _Place) -> Iterator[Part]:
    filed = _of_user(place)
    yield Part("The user prefers, and corrected", _quoted(filed), 4, exact=True)
    named = {each.memo for each in filed}
    rules = mindmap(place.timeline, place.at, place.user, MAP_LEVEL, None, None).rules
    yield Part("Said, and likely to hold", _quoted(each for each in rules if each.memo not in named), 3, exact=True)
    yield from _whole(document_at(place.timeline, place.at, USER_ROLE), "About the user", 3)
    yield from _whole(document_at(place.timeline, place.at, IMPRESSIONS), "Impressions", 2)
    kept = [each for each in remembered_until(place.timeline, place.at).values() if each.cls == "impression"]
    live = sorted((each for each in kept if each.standing == LIVE), key=lambda each: -each.stated)
    yield Part("Remembered impressions", tuple(f"- {_flat(each.text)}" for each in live), 1, "cos://impressions")


def _technical(place: _Place) -> Iterator[Part]:
    live = failures(place.timeline, place.at, all=False).live
    fails = (": ".join(filter(None, (each.runner, each.test or each.message))) for each in live)
    at = (f" (at {each.anchor})" if each.anchor else "" for each in live)
    yield Part("Fails now", tuple(f"- {one_line(said)}{where}" for said, where in zip(fails, at, strict=True)), 4)
    yield Part("Commands that ran and passed", tuple(_commands(place)), 4)
    if place.task:
        told = playbook.rules(place.timeline, place.at, place.user, place.task, playbook.BUDGET, None, retired=False)
        yield Part("Rules for the task", tuple(map(playbook.line_of, told.rules)), 4, "ccos://playbook", exact=True)
        found = place.timeline.at(place.at).window(f"hybrid:{place.task}", TASK_BUDGET)
        yield Part("Code for the task", tuple(found.text.strip("\n").split("\n")) if found.text.strip() else (), 4)
    yield from _chosen(document_at(place.timeline, place.at, SOUL), "Instructions", ABOUT_CODE, 2)
    mapped = project_map(place.timeline, place.at, PROJECT_BUDGET).text.strip("\n")
    yield Part("Files, most used first", tuple(mapped.split("\n")) if mapped else (), 3, "ccos://session/context")


def _creative(place: _Place) -> Iterator[Part]:
    said = [each for each in _of_user(place) if ABOUT_STYLE.search(each.text)]
    yield Part("The user on words and style", _quoted(said), 3, exact=True)
    yield from _chosen(document_at(place.timeline, place.at, SOUL), "Instructions", ABOUT_STYLE, 3)
    moment = place.timeline.at(place.at)
    for path in [path for path in moment.paths() if STYLE_FILE.search(path)][:MOST_STYLE_FILES]:
        yield from _whole(DocumentAt("", path, moment.source(path).text), path, 2)
    yield from _whole(document_at(place.timeline, place.at, IMPRESSIONS), "Impressions", 1)


PARTS: dict[str, Callable[[_Place], Iterable[Part]]] = {
    BOOTSTRAP: _bootstrap,
    RELATIONAL: _relational,
    TECHNICAL: _technical,
    CREATIVE: _creative,
}


# ---- helpers ----


def _map(place: _Place) -> Iterator[Part]:
    """The smallest map, and beside it the words of the user that it keeps whole."""
    drawn = mindmap(place.timeline, place.at, place.user, MAP_LEVEL, None, None)
    yield Part("Map", (drawn.text.strip("\n"),), 1_000, "cos://mindmap/2", exact=True)
    yield Part("Asked last", _quoted(drawn.request), 6, exact=True)
    yield Part("Holds", _quoted(drawn.rules), 4, exact=True)


def _quoted(said: Iterable[Beside | Said]) -> tuple[str, ...]:
    return tuple(f"- {_flat(each.text)}" for each in said)


def _digest(place: _Place, weight: int) -> Iterator[Part]:
    """Each heading of the charter with the first line below it."""
    found = document_at(place.timeline, place.at, SOUL)
    if found is None:
        return
    lines = found.text.removeprefix("\ufeff").split("\n")
    digest = []
    for each in sections(found.text):
        below = (line.strip() for line in lines[each.line : each.last])
        first = next((line for line in below if line and not line.startswith(("#", "```", "<!--", "---", "==="))), "")
        digest.append(f"- {each.title.strip()}: {first.lstrip('-*+ ')}" if first else f"- {each.title.strip()}")
    yield Part(found.path, tuple(digest) or _lines(found.text), weight, "cos://soul")


def _whole(found: DocumentAt | None, name: str, weight: int) -> Iterator[Part]:
    if found is not None:
        source = f"cos://{found.role}" if found.role else f"ccos://node/{found.path}"
        yield Part(name, _lines(found.text), weight, source)


def _chosen(found: DocumentAt | None, name: str, about: re.Pattern[str], weight: int) -> Iterator[Part]:
    """The sections of a document whose title is about something."""
    if found is None:
        return
    chosen: dict[int, None] = {}
    for each in sections(found.text):
        if about.search(each.title):
            chosen.update(dict.fromkeys(range(each.line, each.last + 1)))
    lines = found.text.removeprefix("\ufeff").split("\n")
    yield Part(name, _filled(lines[at - 1] for at in chosen), weight, "cos://soul")


def _tasks(place: _Place) -> Iterator[str]:
    """What is to be done: open items of the notes, and what the user or the agent called a todo."""
    for each in _statements(place, (USER, AGENT)):
        if "todo" in each.classes and each.places[-1].status not in OVER:
            yield f"- {_flat(each.text)}"
    memory = document_at(place.timeline, place.at, MEMORY)
    for found in (*daily_at(place.timeline, place.at), *([memory] if memory is not None else [])):
        for line, text in _open_items(found.text):
            yield f"- {text} ({found.path}:{line})"


@lru_cache(maxsize=16)  # a record grows, and its documents seldom do
def _open_items(text: str) -> tuple[tuple[int, str], ...]:
    return tuple((item.line, item.text.strip()) for item in read_markdown(text).items if item.done is False)


def _of_user(place: _Place) -> list[Said]:
    """What says how the user wants to work: the most binding class first, in it the last said first."""
    ranks = {cls: rank for rank, cls in enumerate(OF_USER)}
    ranked = [(min(ranks.get(cls, len(ranks)) for cls in ("", *each.classes)), each) for each in _statements(place)]
    filed = [pair for pair in reversed(ranked) if pair[0] < len(ranks)]
    return [each for _, each in sorted(filed, key=lambda pair: pair[0])]


def _statements(place: _Place, authors: tuple[str, ...] = (USER,)) -> list[Said]:
    speaker = last_speaker(place.timeline, place.at)
    session = (speaker.host, speaker.session) if speaker is not None else ("", "")
    found = said_until(place.timeline, place.at, session, authors, place.user)
    return [each for each in found if each.standing == LIVE and not each.pasted]


def _commands(place: _Place) -> Iterator[str]:
    """Commands that build, check or test and ended well, the last first."""
    steps = place.timeline.journal.steps
    is_run = steps["kind"][: place.at] == KIND_CODES["tool"]
    passed = np.flatnonzero(is_run & (steps["outcome"][: place.at] == OUTCOME_CODES["ok"]))[-RUNS_LOOKED_AT:]
    told: dict[str, int] = {}
    for step in reversed((passed + 1).tolist()):
        op: dict[str, Any] = place.timeline.op(step)
        command = " ".join(command_of(read_blob(place.timeline, op.get("arguments"))[0]).split())
        if command and len(command) <= LONGEST_COMMAND and command not in told and RUNNING.search(command):
            told[command] = step
        if len(told) == MOST_COMMANDS:
            break
    return (f"- `{command}` (step {step:,})" for command, step in told.items())


def _lines(text: str) -> tuple[str, ...]:
    return _filled(text.removeprefix("\ufeff").split("\n"))


def _filled(lines: Iterable[str]) -> tuple[str, ...]:
    return tuple(line.rstrip() for line in lines if line.strip())


def _flat(text: str) -> str:
    return " ".join(text.split())


QUESTION = Question(
    ask=bundle,
    answers=(Bundle,),
    needs=("user",),
    example="bundle bootstrap",
    arguments=(
        Argument("name", "word", "which bundle", required=True, words=NAMES),
        Argument("budget", "budget", "tokens, at most those of the bundle", flag=True),
        Argument("task", "text", "what it is for", default=""),
    ),
    nothing=lambda answer: not answer.text,
)
