"""Which files and identifiers a session named up to a step, those first that are likely to be needed next.

    named = named_at(timeline, at)
    named.files[0].path, named.words[0]     # "src/db.py", "openStore"

What was read, changed, called for and asked for counts, the later and the oftener the more; what only stood in an
output counts least. A file name without a known suffix of the project counts a tenth: outputs are full of them.
Weights are whole numbers, chosen on recorded compactions by leaving sessions out (`tests/bench/maps.py`).
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from math import isqrt
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from ccos_core.query.carried_texts import contents_of, values_of
from ccos_core.query.hosted.item_names import read_ops
from ccos_core.replay.codes import HOW_CODES, KIND_CODES
from ccos_core.text.names import identifiers_in, paths_in
from ccos_core.text.pasted import pasted_blocks

if TYPE_CHECKING:
    from ccos_core.ops.plain import Plain
    from ccos_core.replay.timeline import Timeline

READ_STEPS = 4_000
"""Steps before the one asked about whose texts are read: what is older has faded to nothing."""
READ_BATCH = 1_000
TOUCHED, CALLED, ASKED, SAID, SHOWN = range(5)
"""How a name came up: its file was read or changed; in a call; of the user; of the agent; in an output."""
FIELDS = {
    "prompt": (("said", ASKED),),
    "turn": (("said", SAID),),
    "thought": (("said", SAID),),
    "compaction": (("summary", SAID),),
    "tool": (("arguments", CALLED), ("result", SHOWN)),
}
NAMING = [KIND_CODES[kind] for kind in (*FIELDS, "seen")]
INGESTED = HOW_CODES["ingest"]
FILE_WEIGHTS = {TOUCHED: 4, CALLED: 3, ASKED: 4, SAID: 3, SHOWN: 1}
WORD_WEIGHTS = {TOUCHED: 0, CALLED: 8, ASKED: 2, SAID: 2, SHOWN: 1}
FILE_HALF_LIFE, WORD_HALF_LIFE = 100, 200  # steps
STRANGE_SUFFIX = 10
"""What the score of a file is divided by whose suffix no file of the project has."""
LENGTHS = 1 << 6
"""Scale of the fourth root of a name's length, by which its score is divided: short names leave room for others."""
ONE = 1 << 30
"""What a name counts for that came up just now."""
SCALE = 1 << 10


_STRING = re.compile(r"""(?<=[\s(\[{,=:])(["'])[\w+-][\w.+-]*\.\w{1,8}\1(?=[\s)\]},;:])""")


class Mention(NamedTuple):
    """What one text of a step named."""

    how: int
    paths: tuple[str, ...]
    words: tuple[str, ...]
    pasted: bool = False
    """Whether a user pasted the text: it may be of another project."""


@dataclass(frozen=True, slots=True)
class NamedFile:
    """A file that came up."""

    path: str
    score: int
    last: int
    """The step at which it came up last."""

    known: bool
    """Whether the record has ever seen it."""


@dataclass(frozen=True, slots=True)
class Named:
    """What came up to a step."""

    files: tuple[NamedFile, ...]
    """The most likely to be needed first."""

    words: tuple[str, ...]
    """Identifiers that stood in calls, likewise."""


class Mentions:
    """What each step named, as far as it was read; goes on with the journal."""

    def __init__(self) -> None:
        self._read: dict[int, tuple[Mention, ...]] = {}

    def between(self, timeline: Timeline, first: int, last: int) -> Iterator[tuple[int, Mention]]:
        """Yield (step, mention) of the steps from one to another, in order."""
        steps = timeline.journal.steps
        is_naming = np.isin(steps["kind"][first - 1 : last], NAMING) & (steps["how"][first - 1 : last] != INGESTED)
        found = (np.flatnonzero(is_naming) + first).tolist()
        new = [step for step in found if step not in self._read]
        for at in range(0, len(new), READ_BATCH):
            ops = read_ops(timeline, new[at : at + READ_BATCH])
            contents = contents_of(timeline, ops.values())
            for step, op in ops.items():
                self._read[step] = tuple(_mentions(op, contents))
        for step in found:
            for mention in self._read[step]:
                yield step, mention

    def cut(self, sizes: Mapping[str, int]) -> None:
        """Forget steps that are recorded anew."""
        self._read = {step: each for step, each in self._read.items() if step <= sizes["steps"]}


def named_at(timeline: Timeline, at: int) -> Named:
    """Rank what the steps up to `at` named."""
    read: Mentions = timeline.journal.growing("mentions", Mentions)
    files, words, last = _Scores(FILE_HALF_LIFE), _Scores(WORD_HALF_LIFE), dict[str, int]()
    known = {_name(path) for path in timeline.at(at).paths()}
    for step, mention in read.between(timeline, max(1, at - READ_STEPS + 1), at):
        for path in mention.paths:
            if mention.pasted and _name(path) not in known:
                continue
            files.add(path, mention.how, at - step)
            last[path] = step
        for word in mention.words:
            words.add(word, mention.how, at - step)
    return Named(tuple(_files(timeline, at, files, last)), tuple(_words(words)))


# ---- helpers ----


class _Scores:
    """How often each name came up, each time for as much as its age left."""

    def __init__(self, half_life: int) -> None:
        self.sums: dict[str, list[int]] = {}
        self._left = _fading(half_life)

    def add(self, name: str, how: int, age: int) -> None:
        """Count a name that came up `age` steps ago."""
        self.sums.setdefault(name, [0] * len(FILE_WEIGHTS))[how] += self._left[age]


def _fading(half_life: int) -> list[int]:
    """What a name counts for by its age in steps, the same on every machine."""
    left, found = ONE, []
    for _ in range(READ_STEPS):
        found.append(left)
        left -= left * 693 // (1_000 * half_life)  # ln 2
    return found


def _mentions(op: Plain, contents: Mapping[str, bytes]) -> Iterator[Mention]:
    if op["kind"] == "seen":
        yield Mention(TOUCHED, (op["path"],), ())
        return
    for field, how in FIELDS[op["kind"]]:
        blob = op.get(field)
        if isinstance(blob, dict):
            text = contents.get(blob["blob"], b"").decode("utf-8", "replace")
            text = "\n".join(values_of(text)) if how == CALLED else text
            pasted = ""
            if how == ASKED:
                text, pasted = _apart(text)
            yield Mention(how, _paths(text, how), tuple(identifiers_in(text)))
            if pasted:
                yield Mention(SHOWN, _paths(pasted, SHOWN), tuple(identifiers_in(pasted)), pasted=True)


def _apart(text: str) -> tuple[str, str]:
    """What the user typed, and what is pasted into it."""
    lines = text.splitlines()
    pasted = {at for first, last in pasted_blocks(lines) for at in range(first, last)}
    typed = "\n".join(line for at, line in enumerate(lines) if at not in pasted)
    return typed, "\n".join(lines[at] for at in sorted(pasted))


def _paths(text: str, how: int) -> tuple[str, ...]:
    """The files that a text names. A bare name in quotes within code is a string: tests are full of such."""
    return tuple(paths_in(_STRING.sub(" ", text) if how in (CALLED, SHOWN) else text))


def _files(timeline: Timeline, at: int, scores: _Scores, last: Mapping[str, int]) -> Iterator[NamedFile]:
    """Files by their scores; spellings that mean one file count together. A bare name that the record doesn't know and
    that only an output shows is left out: outputs and tests are full of files that are none."""
    known = timeline.at(at).paths()
    meant = _meant(scores.sums, known, last)
    sums: dict[str, list[int]] = {}
    latest: dict[str, int] = {}
    for spelled, each in scores.sums.items():
        path = meant[spelled]
        before = sums.setdefault(path, [0] * len(each))
        sums[path] = [one + other for one, other in zip(before, each, strict=True)]
        latest[path] = max(latest.get(path, 0), last[spelled])
    is_known, suffixes = set(known), {_suffix(path) for path in known}
    found = []
    for path, each in sums.items():
        if path not in is_known and "/" not in path and not any(each[:SHOWN]):
            continue
        score = sum(weight * isqrt(each[how]) for how, weight in FILE_WEIGHTS.items())
        score = score if _suffix(path) in suffixes or not suffixes else score // STRANGE_SUFFIX
        score = score * LENGTHS // isqrt(isqrt(len(_name(path)) * LENGTHS**4))
        found.append(NamedFile(path, score, latest[path], path in is_known))
    yield from sorted(found, key=lambda file: (-file.score, -file.last, file.path))


def _meant(spelled: Iterable[str], known: Iterable[str], last: Mapping[str, int]) -> dict[str, str]:
    """Spelling → the path it means: a known file, or the longest spelling, that ends so or that it ends with."""
    by_name: dict[str, list[str]] = {}
    for path in known:
        by_name.setdefault(_name(path), []).append(path)
    is_known = set(known)
    spelled = list(spelled)
    roots = _roots(spelled, by_name)
    found = {}
    for path in sorted(spelled, key=lambda path: (path not in is_known, -len(path), path)):
        among = by_name.setdefault(_name(path), [])
        plain = path if path in is_known else _plain(path, roots)
        alike = [each for each in among if _ends(each, plain) or _ends(plain, each)]
        if not alike:
            among.append(plain)
        found[path] = max(alike, key=lambda each: (each == plain, last.get(each, 0), each), default=plain)
    return found


def _roots(spelled: Iterable[str], by_name: Mapping[str, list[str]]) -> tuple[str, ...]:
    """What absolute paths of known files begin with, the longest first."""
    found = {
        path.removesuffix(known)
        for path in spelled
        if path.startswith("/")
        for known in by_name.get(_name(path), ())
        if path.endswith("/" + known)
    }
    return tuple(sorted(found, key=lambda root: (-len(root), root)))


def _plain(path: str, roots: Sequence[str]) -> str:
    """A spelling below the project's root, without the sides of a diff, and without a slash before a bare name."""
    path = next((path.removeprefix(root) for root in roots if path.startswith(root)), path).removeprefix("./")
    path = path[1:] if path.rfind("/") == 0 else path
    return path[2:] if path.startswith(("a/", "b/")) and path.count("/") > 1 else path


def _ends(path: str, end: str) -> bool:
    return path == end or path.endswith("/" + end.lstrip("/~"))


def _words(scores: _Scores) -> Iterator[str]:
    """Identifiers of calls by their scores, a long one less than a short one: it takes the room of two."""
    found = {
        word: sum(weight * each[how] for how, weight in WORD_WEIGHTS.items())
        * SCALE
        // isqrt(SCALE * SCALE * len(word))
        for word, each in scores.sums.items()
        if each[CALLED]
    }
    return iter(sorted(found, key=lambda word: (-found[word], word)))


def _name(path: str) -> str:
    return path.rpartition("/")[2]


def _suffix(path: str) -> str:
    return path.rpartition(".")[2].lower() if "." in _name(path) else ""
