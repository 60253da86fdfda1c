"""What instruction files say: those that the host of a session loads by itself, with what they import.

Known is what the record holds of such a file at a step, by a snapshot of the project, a read, an edit; or what the
host's own prompts show of it. A file that a host would load and of which the record holds nothing isn't guessed: it is
named as not known.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from posixpath import basename, dirname, join, normpath
from typing import TYPE_CHECKING

import numpy as np

from ccos_core.query.op_text import text_of
from ccos_core.query.past_file import past_file
from ccos_core.query.saying.heard import Heard
from ccos_core.query.saying.utterance import FILE, Utterance
from ccos_core.replay.codes import KIND_CODES
from ccos_core.text.statements import Statement, statements_of
from ccos_core.values.ids import path_of

if TYPE_CHECKING:
    from ccos_core.replay.timeline import Timeline

MAIN, OVERRIDE = "AGENTS.md", "AGENTS.override.md"


@dataclass(frozen=True, slots=True)
class Loads:
    """Which files a host loads."""

    names: tuple[str, ...]
    """What they are called, the main one first."""

    home: str = ""
    """The folder of those that hold in every project."""

    alone: tuple[str, ...] = ()
    """Of these names only the first counts that a folder has."""

    nested: bool = True
    """Whether those of folders within the project are loaded as well, when the agent comes there."""

    imports: bool = False
    """Whether `@path` in one of them loads another."""

    rules: str = ""
    """A folder all of whose Markdown files are loaded."""


LOADS = {
    "claude-code": Loads(("CLAUDE.md", "CLAUDE.local.md"), "~/.claude", imports=True, rules=".claude/rules/"),
    "codex": Loads((MAIN, OVERRIDE), "~/.codex", (OVERRIDE, MAIN), nested=False),
    "opencode": Loads((MAIN, "CLAUDE.md"), "~/.config/opencode", (MAIN, "CLAUDE.md"), nested=False),
    "gemini": Loads(("GEMINI.md",), "~/.gemini", imports=True),
    "qwen": Loads(("QWEN.md", MAIN), "~/.qwen", imports=True),
}
"""Host → what it loads; one that isn't here loads AGENTS.md."""
OTHERS = Loads((MAIN,), nested=False)
IMPORT_DEPTH = 5
"""Files that import one another, one behind the other."""
FRONT = "---"
GONE = "gone"

_IMPORT = re.compile(r"(?:^|(?<=\s))@(~?[\w./-]*\w\.\w+)")
_CODE = re.compile(r"(```|~~~).*?(?:\1|\Z)|`[^`\n]*`", re.DOTALL)
_SHOWN = re.compile(
    r"^(?:\# AGENTS\.md instructions for (?P<folder>[^\n]+)\n+<INSTRUCTIONS>\n(?P<codex>.*?)(?:\n?</INSTRUCTIONS>|\Z)"
    r"|Contents of (?P<path>[^\n]+?\.md)(?: \([^\n]*\))?:\n+(?P<claude>.*?)(?=\n+Contents of [^\n]+\.md"
    r"|\n</system-reminder>|\n+\s*IMPORTANT: this context may|\Z)"
    r"|--- Context from: (?P<name>[^\n]+?) ---\n(?P<gemini>.*?)(?:\n--- End of Context from: |\Z))",
    re.DOTALL | re.MULTILINE,
)
"""How a host's prompt shows an instruction file."""
SHOWING = ("<system-reminder>", "# AGENTS.md instructions for ", "This is the Gemini CLI", "--- Context from: ")
"""How such a prompt begins. Others of the host hold what tools and commands printed."""


def file_utterances(timeline: Timeline, host: str) -> tuple[Utterance, ...]:
    """Return what the instruction files of a host said each time the record learned of one, in the order of the steps.
    One that is gone says nothing from then on."""
    key = f"file utterances {host}"
    found: tuple[Utterance, ...] = timeline.journal.once(key, lambda: tuple(_read(timeline, host)))
    return found


def unknown_files(timeline: Timeline, at: int, host: str) -> tuple[str, ...]:
    """Return the files that the host loads, or may load, and of which the record holds nothing at a step."""
    loads = LOADS.get(host, OTHERS)
    told = [each for each in file_utterances(timeline, host) if each.step <= at]
    known = {each.path for each in told}
    main = () if any(basename(path) in loads.names for path in known) else loads.names[:1]
    imported = [path for each in told for path in _imports(each, loads) if path not in known]
    return tuple(dict.fromkeys([*main, *imported]))


# ---- helpers ----


def _read(timeline: Timeline, host: str) -> Iterator[Utterance]:
    loads = LOADS.get(host, OTHERS)
    numbers = np.unique(timeline.journal.versions["path"]).tolist()
    paths = {path_of(timeline.journal.name(number)) or "" for number in numbers}
    shown: Heard[str] = timeline.journal.growing(f"files shown {host}", lambda: Heard(lambda: host))
    found = list(shown.until_head(timeline, _shown))
    since: dict[str, int] = {}
    due = {path: 0 for path in sorted(paths) if _is_loaded(path, loads)}
    for _ in range(IMPORT_DEPTH + 1):
        since |= due
        new = [each for path, step in due.items() for each in _of_file(timeline, path, step)]
        found = [*(each for each in found if each.path not in due), *new]
        due = {}
        for each in sorted(new, key=lambda each: each.step, reverse=True):
            due |= {path: each.step for path in _imports(each, loads) if path in paths}
        due = {path: step for path, step in due.items() if step < since.get(path, step + 1)}
    yield from _first_of_folders(sorted(found, key=lambda each: (each.step, each.path)), loads)


def _is_loaded(path: str, loads: Loads) -> bool:
    """Tell whether a host loads a file by itself: of the project, of a folder around it, or of its own folder."""
    folder, name = dirname(path), basename(path)
    if loads.rules and name.endswith(".md") and path.removeprefix("~/").startswith(loads.rules):
        return True
    is_there = folder == loads.home if folder.startswith(("~", "/")) else loads.nested or not folder.strip("./")
    return is_there and name in loads.names


def _first_of_folders(found: Iterable[Utterance], loads: Loads) -> Iterator[Utterance]:
    """Leave out files in whose place another one of their folder counts, from the step on at which that is known."""
    ranks: dict[str, int] = {}
    for each in found:
        folder, name = dirname(each.path), basename(each.path)
        if name in loads.alone:
            rank, best = loads.alone.index(name), ranks.get(folder, len(loads.alone))
            if rank < best < len(loads.alone):
                yield replace(each, statements=(), path=join(folder, loads.alone[best]))
            ranks[folder] = min(rank, best)
            if rank > best:
                continue
        yield each


def _of_file(timeline: Timeline, path: str, since: int) -> Iterator[Utterance]:
    """Yield what is known that a file says, version by version, from the step on since when it is loaded."""
    versions = timeline.sources.versions(path)
    before = [version for version in versions if version.step < since]
    for version in [*before[-1:], *versions[len(before) :]]:
        step = max(version.step, since)
        context = int(timeline.journal.steps["context"][step - 1])
        text = past_file(timeline, path, version).sheet.text if version.why != GONE else ""
        yield Utterance(step, context, FILE, "", _statements(text), path)


def _statements(text: str) -> tuple[Statement, ...]:
    """Split a file, without the fields in front of it."""
    lines = text.split("\n")
    if lines[0].rstrip() == FRONT and FRONT in (each.rstrip() for each in lines[1:]):
        end = next(at for at, line in enumerate(lines[1:], 1) if line.rstrip() == FRONT)
        text = "\n".join(["" for _ in range(end + 1)] + lines[end + 1 :])
    return statements_of(text)


def _imports(utterance: Utterance, loads: Loads) -> Iterator[str]:
    """Yield the files that a file imports, by path."""
    if loads.imports:
        for each in utterance.statements:
            if not each.pasted:
                for path in _IMPORT.findall(_CODE.sub(" ", each.text)):
                    yield path if path.startswith(("~", "/")) else normpath(join(dirname(utterance.path), path))


def _shown(timeline: Timeline, after: int, host: str) -> Iterator[Utterance]:
    """Yield the instruction files that prompts of the host show."""
    steps = timeline.journal.steps
    found = (np.flatnonzero(steps["kind"][after:] == KIND_CODES["prompt"]) + after + 1).tolist()
    timeline.have_ready(found)
    for step in found:
        op = timeline.op(step)
        prompt = text_of(timeline, op["said"]) if op["source"] == "host" and op.get("host") == host else ""
        if prompt.lstrip().startswith(SHOWING):
            for shown in _SHOWN.finditer(prompt):
                text = shown["codex"] or shown["claude"] or shown["gemini"] or ""
                folder = shown["folder"]
                path = join(folder.strip(), MAIN) if folder else shown["path"] or shown["name"]
                context = int(steps["context"][step - 1])
                yield Utterance(step, context, FILE, "prompt", _statements(text), path)
