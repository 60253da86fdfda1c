"""What maps of 80, 350 and 1,500 tokens name of what an agent needs in the 40 calls after a compaction.

Sessions lie beside the checkout. Needed are files and identifiers of these calls that had come up before. Arguments are
read as values: in raw JSON a tab before a name makes `tname`. Figures are means over compactions of the share that is
not named, in percent, so that a limit is a limit: in-sample, then with each session left out when choosing among
settings. Statements in force and last requests are judged by hand-made labels, word for word.
"""

import gzip
import json
import re
from collections.abc import Iterator, Sequence
from contextlib import ExitStack
from pathlib import Path
from typing import Any, NamedTuple
from unittest.mock import patch

from ccos_core.query import mentions
from ccos_core.query.mindmap import mindmap
from ccos_core.replay.timeline import Timeline
from ccos_core.text.statements import statements_of
from ccos_core.values.ids import path_of
from ccos_core.window import map as drawing
from tests.bench.choosing import Tally, left_out, together
from tests.bench.harness import Result
from tests.bench.retelling import SHARED, Cut, cuts_of, opened, stands_in
from tests.bench.told.labels import read

CALLS, FEWEST_CALLS = 40, 10
LANDED = "landed"
SETTINGS: dict[str, dict[str, Any]] = {
    LANDED: {},
    "files fade faster": {"FILE_HALF_LIFE": 50},
    "files fade slower": {"FILE_HALF_LIFE": 200},
    "names fade faster": {"WORD_HALF_LIFE": 100},
    "names fade slower": {"WORD_HALF_LIFE": 400},
    "any suffix": {"STRANGE_SUFFIX": 1},
    "strange suffixes count a tenth": {"STRANGE_SUFFIX": 10},
    "all mentions alike": {"FILE_WEIGHTS": dict.fromkeys(range(5), 1)},
    "outputs count twice": {"FILE_WEIGHTS": {**mentions.FILE_WEIGHTS, mentions.SHOWN: 2}},
    "only what was touched or called": {"FILE_WEIGHTS": {0: 4, 1: 4, 2: 0, 3: 0, 4: 0}},
    "only names in calls": {"WORD_WEIGHTS": {0: 0, 1: 8, 2: 0, 3: 0, 4: 0}},
    "fewer files at level 2": {"FILE_SHARE": {**drawing.FILE_SHARE, 2: (2, 5)}},
    "more files at level 2": {"FILE_SHARE": {**drawing.FILE_SHARE, 2: (1, 2)}},
}
BARS = (
    ("files", 3, 16.0), ("files", 2, 10.0), ("names", 2, 40.0), ("files", 1, 2.0), ("names", 1, 8.0),
)  # fmt: skip
"""(what, level, percent that may be missing)."""
_PATH = re.compile(r"[\w.@-]+(?:/[\w.@-]+)+\.\w{1,5}\b|\b[\w-]+\.(?:go|ts|tsx|py|md|rs|json|yml|yaml|toml|sh|js)\b")
_NAME = re.compile(r"\b[A-Za-z_]*[a-z][A-Za-z0-9_]*(?:[A-Z][a-z0-9]+|_[a-z0-9]+)[A-Za-z0-9_]*\b")
SHORTEST_NAME = 6


class Need(NamedTuple):
    """What the calls after a compaction needed of what had come up before."""

    files: frozenset[str]
    names: frozenset[str]
    summary: str
    """The host's own."""


def lines(smoke: bool) -> Iterator[Result]:
    sessions = [each for each in read() if each.file.startswith("bench/compactions/") and (SHARED / each.file).exists()]
    if not sessions:
        print("maps: SKIPPED, the recorded compactions aren't in ../shared")
        return
    found: dict[str, dict[str, Tally]] = {name: {} for name in SETTINGS}
    host, words = Tally(), Tally()
    for session in sessions[: 2 if smoke else None]:
        needs = list(_needs(SHARED / session.file))
        with opened(session) as timeline:
            cuts = list(zip(cuts_of(session, timeline), needs, strict=True))
            for name, setting in SETTINGS.items():
                with _set(setting):
                    judged = [_judged(timeline, cut.step, need) for cut, need in cuts if need is not None]
                found[name][session.file] = sum(judged, Tally())
            words += sum((_kept(timeline, cut) for cut, _ in cuts), Tally())
        host += sum((_by_summary(need) for _, need in cuts if need is not None), Tally())
        print(f"  {Path(session.file).name[:8]}: {dict(found[LANDED][session.file])}", flush=True)
    print(f"  the host's own summary: files {_share(host, 'files'):.1f} %, names {_share(host, 'names'):.1f} %")
    chosen = left_out(found, lambda tally: -_shortfall(tally))
    for what, level, limit in BARS:
        key = f"{what} {level}"
        for of, tally in ((f"level {level}", together(found[LANDED])), ("sessions left out", chosen)):
            yield Result(f"{what} not named, {of}", 100 - _share(tally, key), "%", limit)
    for what in ("statements in force", "requests"):
        missing = words[what] - words[f"{what} kept"]
        yield Result(
            f"{what} not word for word ({missing} of {words[what]})", 100 * missing / max(1, words[what]), "%", 0
        )


def _set(setting: dict[str, Any]) -> ExitStack:
    stack = ExitStack()
    for name, value in setting.items():
        stack.enter_context(patch.object(mentions if hasattr(mentions, name) else drawing, name, value))
    return stack


def _judged(timeline: Timeline, step: int, need: Need) -> Tally:
    """Shares of what was needed that the three maps name, in millionths, and what they are shares of."""
    tally = Tally()
    for level in (1, 2, 3):
        answer = mindmap(timeline, step, None, str(level), None, None)
        paths = [path_of(each.node) or "" for each in answer.resources]
        files = {path.rpartition("/")[2] for path in paths}
        names = {*answer.names, *(part for path in paths for part in re.findall(r"\w+", path.rpartition("/")[2]))}
        tally += _counted(f"files {level}", need.files, files) + _counted(f"names {level}", need.names, names)
    return tally


def _by_summary(need: Need) -> Tally:
    files, names = ({each for each in some if each in need.summary} for some in (need.files, need.names))
    return _counted("files", need.files, files) + _counted("names", need.names, names)


def _counted(key: str, need: frozenset[str], named: set[str]) -> Tally:
    if not need:
        return Tally()
    return Tally({key: 1_000_000 * len(need & named) // len(need), f"of {key}": 1})


def _share(tally: Tally, key: str) -> float:
    return tally[key] / 10_000 / tally[f"of {key}"] if tally[f"of {key}"] else 0.0


def _shortfall(tally: Tally) -> float:
    """Points that are missing to the bars, all together: what a setting is chosen by."""
    return sum(max(0.0, 100 - limit - _share(tally, f"{what} {level}")) for what, level, limit in BARS)


def _kept(timeline: Timeline, cut: Cut) -> Tally:
    """Whether what was in force, and the last request, stand word for word in the smallest map or beside it."""
    answer = mindmap(timeline, cut.step, None, "3", None, None)
    said = "\n".join(each.text for each in (*answer.request, *answer.rules))
    in_force = [all(stands_in(each.text, said) for each in statements_of(text)) for text in cut.labelled]
    asked = [stands_in(text, said) for text in cut.request]
    return Tally(
        {
            "statements in force": len(in_force), "statements in force kept": sum(in_force),
            "requests": len(asked), "requests kept": sum(asked),
        }
    )  # fmt: skip


def _needs(path: Path) -> Iterator[Need | None]:
    """For each compaction what the calls after it needed; None if too few came, or they needed nothing known."""
    events = list(_events(path))
    for at, (kind, _, text, _) in enumerate(events):
        if kind != "summary":
            continue
        calls = [each for each in events[at + 1 :] if each[0] == "call"][:CALLS]
        known = {_base(each) for _, _, said, _ in events[:at] for each in _PATH.findall(said)}
        typed = {each for kind, _, said, _ in events[:at] if kind == "call" for each in _NAME.findall(said)}
        files = frozenset(base for call in calls for base in _files(call) if base in known)
        names = frozenset(each for call in calls for each in _names(call) if each in typed)
        yield Need(files, names, text) if len(calls) >= FEWEST_CALLS and files else None


Event = tuple[str, str, str, dict[str, Any]]
"""Kind, tool, text, arguments."""


def _events(path: Path) -> Iterator[Event]:
    with gzip.open(path, "rt", encoding="utf-8", errors="replace") as file:
        records = [json.loads(line) for line in file if line.startswith("{")]
    seen: set[str] = set()
    for record in records:
        message = record.get("message")
        if record.get("isSidechain") or record.get("uuid") in seen or not isinstance(message, dict):
            continue
        seen.add(record.get("uuid", ""))
        content = message.get("content")
        if record.get("isCompactSummary"):
            yield "summary", "", _text(content), {}
        elif isinstance(content, str):
            yield "text", "", content, {}
        else:
            yield from map(_event, content or [])


def _event(block: dict[str, Any]) -> Event:
    if block.get("type") == "tool_use":
        return "call", block["name"], "\n".join(_values(block.get("input", {}))), block.get("input", {})
    return "text", "", _text(block.get("text") or block.get("content")), {}


def _files(call: Event) -> Sequence[str]:
    _, tool, text, arguments = call
    said = arguments.get("file_path")
    return [
        _base(each) for each in ([said] if said else _PATH.findall(text) if tool in ("Bash", "Grep", "Glob") else [])
    ]


def _names(call: Event) -> Sequence[str]:
    _, tool, _, arguments = call
    if tool not in ("Bash", "Grep", "Edit"):
        return []
    said = "\n".join(str(arguments.get(key, "")) for key in ("pattern", "old_string", "command"))
    return [each for each in _NAME.findall(said) if len(each) >= SHORTEST_NAME]


def _values(value: Any) -> Iterator[str]:
    if isinstance(value, str):
        yield value
    elif isinstance(value, (dict, list)):
        for each in value.values() if isinstance(value, dict) else value:
            yield from _values(each)


def _text(value: Any) -> str:
    return "\n".join(_values(value)) if value is not None else ""


def _base(path: str) -> str:
    return path.rpartition("/")[2]
