"""Rules from evidence, on recordings: what is proposed, how much of it a maintainer keeps, and what it misses.

Rules are named by their ids, so that no words of the recordings stand here. Each was read twice by hand; one that
nobody read counts as junk. What sessions bear out is judged apart from what instruction files say. How sure a rule is
for a session that it wasn't learnt from is measured by leaving that session out, with the bars as they are and with
those that were chosen on the other sessions alone.
"""

from __future__ import annotations

import gzip
import tempfile
from collections.abc import Iterator, Sequence
from dataclasses import replace
from itertools import product
from pathlib import Path
from time import process_time
from typing import NamedTuple

from ccos_core.errors import CcosError
from ccos_core.learn.observed import SEQUENCE, Observation, occasion
from ccos_core.learn.proposing import BARS, Bars, Proposal, proposals
from ccos_core.query.playbook.observing import observations
from ccos_core.query.saying.utterance import memo_id
from ccos_core.session.importing import Importing
from ccos_core.session.journaling import timeline_of
from ccos_core.session.transcripts import Story, Tail
from ccos_core.storage.opening import open_record
from ccos_core.text.retrieval.carried import normalised_words
from tests.bench.harness import Result

SHARED = Path(__file__).resolve().parents[3] / "shared"
PROJECT, SCRIPTED = "entire-cli", "real-hosts"
"""The project with many sessions; and one that hosts worked on with a scripted model."""
FIRST, SMOKE = 20, 3
SECONDS, KEPT, USEFUL, JUNK, HELD = 60.0, 80.0, 5, 10.0, 75.0
KEEP, DOUBT = "++", "+-"
"""Kept in both readings, in the first only."""
KEPT_RULES = """
    1f37e6c1737329ba 267f76151a232989 2f46e3d0791eb86f 36d4b177915335a7 36f1e7c0898637e6 3b75d88e06392791
    3c23f70d6f52e757 3d92379c0bb8a6dc 4bc253e86918691c 4cc31bbdd7f0d391 5c521701806a0177 65361eb3f1b2af24
    733010ef68e5ec62 77662c062548e43f 7c8608cb4795303d 8541016c455f266f 92182e3a3cf5cc2e 970818caf5599e2f
    9fe7433941ef2865 a5d3b9dd2e55c4a8 ac7c14876419b408 b07a7f52572d8a19 ba7f71f76aeed69e bb78e4487aa50458
    bc17012a16de85b7 c60d410f2eec6627 e4e5b88d91f1e813 efeefd4b0479271c
"""
DOUBTFUL_RULES = """
    2188b5dd7a79e4a0 2785679ac9b76e14
"""
JUDGED = {**dict.fromkeys(KEPT_RULES.split(), KEEP), **dict.fromkeys(DOUBTFUL_RULES.split(), DOUBT)}
"""Id of a rule, without `memo:` → what was said of it."""
LATER = (
    (1_768_481_928_000, ("mise run fmt", "mise run lint")),
    (1_768_969_408_000, ("cmd/entire/cli/logging",)),
    (1_769_233_330_000, ("/go:discover-related",)),
    (1_769_233_330_000, ("mise run dup",)),
    (1_769_233_330_000, ("common.go",)),
    (1_770_031_384_000, ("mise run fmt", "mise run lint", "mise run test:ci")),
    (1_770_184_049_000, ("cmd/entire/cli/settings",)),
)
"""When the project's people wrote a rule into CLAUDE.md that names a command or a path, and what it names."""
WORTHY = (
    ("0276a600", 163), ("062a8bdd", 107), ("062a8bdd", 140), ("1e0816ef", 50), ("1e0816ef", 162), ("1e0816ef", 545),
    ("1e0816ef", 677), ("1e0816ef", 926), ("44df7d08", 962), ("4b3ddf27", 330), ("4b3ddf27", 433), ("70d782f7", 66),
    ("70d782f7", 484), ("79e9becd", 352), ("79e9becd", 440), ("79e9becd", 515), ("7f78a542", 183), ("7f78a542", 374),
    ("7f78a542", 870), ("9d7a9d52", 63), ("b00b80af", 733), ("b82405ba", 276), ("b82405ba", 661), ("b82405ba", 755),
    ("c35cf82b", 1135), ("dfbb4922", 230), ("1284c080", 288),
)  # fmt: skip
"""(Session, step) of the turns of 486 whose words a maintainer would make a rule of, labelled by hand."""
CHOICES = tuple(Bars(sessions, share) for sessions, share in product((2, 3, 4), (400, 500, 600, 700, 800)))


class Judged(NamedTuple):
    """How the rules of a list were judged."""

    kept: int
    doubtful: int
    of: int

    @property
    def percent(self) -> float:
        """By the stricter reading."""
        return 100 * self.kept / max(self.of, 1)


def lines(smoke: bool) -> Iterator[Result]:
    if not SHARED.is_dir():
        print("proposing: SKIPPED, the recordings aren't here")
        return
    begun = process_time()
    by_project = observed(SMOKE if smoke else None)
    found = {project: proposals(some) for project, some in by_project.items()}
    took = process_time() - begun
    yield Result("rules from all recordings", took, "s", SECONDS)
    ours = found.get(PROJECT, ())
    shown = [each for each in ours if not each.established]
    told = [judged(ours[:FIRST]), judged(shown), judged([each for some in found.values() for each in some])]
    print(f"proposing: the first {FIRST}, those of sessions, all: {told}")
    yield _at_least(f"of the first {FIRST} kept, stricter reading", told[0].percent, "%", 0 if smoke else KEPT)
    yield _at_least("of those that sessions show kept, stricter", told[1].percent, "%", 0 if smoke else KEPT)
    yield _at_least("rules kept on a clean machine", told[2].kept, "", 0 if smoke else USEFUL)
    yield Result("junk of all rules", 100 - told[2].percent if told[2].of else 0, "%", 100 if smoke else JUNK)
    some = by_project.get(PROJECT, [])
    borne = {(each.session[:8], step) for rule in shown for each in rule.observations for step in each.steps}
    recall = 100 * sum(turn in borne for turn in WORTHY) / len(WORTHY)
    print(f"proposing: {recall:.0f} % of {len(WORTHY)} rule-worthy turns bear a rule")
    whole, partly = _written_later(some)
    print(
        f"proposing: of {len(LATER)} rules that were written later, {whole} stood there before, {partly} more in part"
    )
    yield from _left_out(some)


def _written_later(some: list[Observation]) -> tuple[int, int]:
    """How many rules that people wrote down later sessions had shown before, whole and in part."""
    shares = []
    for time, named in LATER:
        rules = proposals([each for each in some if each.at < time])[:FIRST]
        shares.append([any(name in rule.words for rule in rules) for name in named])
    return sum(all(each) for each in shares), sum(any(each) and not all(each) for each in shares)


def _at_least(name: str, value: float, unit: str, least: float) -> Result:
    """A line that is passed if the value is large enough: what is missing is what is limited."""
    return Result(f"{name} ({value:.3g} {unit or 'of them'}), missing", max(least - value, 0.0), unit or "rules", 0.0)


def judged(rules: Sequence[Proposal]) -> Judged:
    verdicts = [JUDGED.get(rule_id(each).removeprefix("memo:"), "") for each in rules]
    for each, verdict in zip(rules, verdicts, strict=True):
        if not verdict:
            print(f"proposing: not judged: {rule_id(each)} {each.words}")
    return Judged(verdicts.count(KEEP), verdicts.count(DOUBT), len(rules))


def rule_id(rule: Proposal) -> str:
    return memo_id(tuple(normalised_words(rule.words)))


# ---- leaving sessions out ----


def _left_out(some: list[Observation]) -> Iterator[Result]:
    """What a session does that others proposed, where it had the occasion."""
    sessions = sorted({each.session for each in some if each.session})
    by_bars = {bars: [_held(some, session, bars) for session in sessions] for bars in CHOICES}
    shipped = [_held(some, session, BARS) for session in sessions]
    chosen = []
    for at in range(len(sessions)):
        others = {bars: [each for n, each in enumerate(held) if n != at] for bars, held in by_bars.items()}
        best = max(
            CHOICES, key=lambda bars: (_percent(others[bars]) * min(_count(others[bars]), 60), bars.task_permille)
        )
        chosen.append(by_bars[best][at])
    for name, held in (("bars as they are", shipped), ("bars chosen on the other sessions", chosen)):
        print(f"proposing: {name}: {_percent(held):.0f} % of {_count(held)} rules hold in the session left out")
    yield _at_least("rules that hold in the session left out", _percent(chosen) if _count(chosen) else 100.0, "%", HELD)


def _worth(held: Sequence[tuple[int, int]]) -> float:
    """Sure rules are worth more than many, once each session has two."""
    return _percent(held) * min(_count(held), 2 * len(held))


def _held(some: list[Observation], session: str, bars: Bars) -> tuple[int, int]:
    """Return how many rules of tasks the other sessions propose that this one kept to, of those it could."""
    own = {each.key: each for each in some if each.session == session and each.kind == SEQUENCE}
    rules = proposals([each for each in some if each.session != session], bars)
    kept = of = 0
    for rule in rules:
        keys = sorted({each.key for each in rule.observations if each.kind == SEQUENCE})
        occasions = [key for key in keys if occasion(key.partition("|")[0], "") in own or key in own]
        for key in occasions:
            of += 1
            kept += key in own and 2 * own[key].times >= own[key].of
    return kept, of


def _percent(held: Sequence[tuple[int, int]]) -> float:
    return 100 * sum(kept for kept, _ in held) / max(_count(held), 1)


def _count(held: Sequence[tuple[int, int]]) -> int:
    return sum(of for _, of in held)


# ---- the recordings ----


def observed(most: int | None = None) -> dict[str, list[Observation]]:
    """Project → what its sessions show. A session that was recorded twice counts as one: its ids are the same."""
    paths = sorted((SHARED / "bench" / "compactions").glob("*.gz"))
    paths += sorted(path for path in (SHARED / "sessions").rglob("*") if path.is_file())
    found: dict[str, list[Observation]] = {}
    with tempfile.TemporaryDirectory(prefix="ccos-bench-") as held:
        for at, path in enumerate(paths[:most]):
            project = project_of(path)
            found.setdefault(project, []).extend(_shown(path, Path(held, str(at)), project))
    return found


def project_of(path: Path) -> str:
    if path.suffix == ".gz" or path.name.startswith(PROJECT):
        return PROJECT
    return SCRIPTED if SCRIPTED in path.parts else path.name


def _shown(path: Path, held: Path, project: str) -> tuple[Observation, ...]:
    """What a recording shows, in a fresh record; nothing of what no reader knows."""
    plain = held.with_suffix("".join(path.suffixes).removesuffix(".gz") or ".jsonl")
    plain.write_bytes(gzip.decompress(path.read_bytes()) if path.suffix == ".gz" else path.read_bytes())
    record = str(held.with_suffix(".ccos"))
    try:
        with Importing(record, None) as importing:
            importing.take(Story(Tail(str(plain))))
    except CcosError:
        return ()
    if not Path(record).exists():
        return ()
    with open_record(record) as opened:
        timeline = timeline_of(opened)
        return tuple(replace(each, project=project) for each in observations(timeline, timeline.head))
