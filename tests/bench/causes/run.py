"""A failure in one file, its cause one to three hops away in another: is the cause in the window, above its decoy?

Every run draws fresh seeds and says which, so that no figure is taken on seeds that anybody tuned by; the same figure
comes again with `CCOS_CAUSES_SEED=START`. Seeds from 1,000 to 9,999 are for development and never drawn.
"""

from __future__ import annotations

import os
import re
import sys
import tempfile
from collections.abc import Iterable, Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass
from importlib import import_module
from multiprocessing import get_context
from pathlib import Path
from random import SystemRandom
from unittest.mock import patch

from tests.bench.causes.drivers import CommandFailed, Items, through_commands, through_index, write
from tests.bench.causes.render import Case, Place
from tests.bench.harness import Result

FAMILIES = ("python", "typescript", "rust", "go")
CASES = 204
"""Per family: 68 for each number of hops."""
MISSED = 5.0
"""The most that may be missing, in percent."""
DEVELOPMENT = 1_000
OWED = "working-set"


@dataclass(frozen=True)
class Seen:
    """What one lens showed of one case."""

    lens: str
    family: str
    seed: int
    hops: int
    shown: bool
    """The line that defines the cause is in the window ..."""
    above: bool
    """... and nothing of the decoy's file stands before it."""
    wrong: bool
    """The very line that is wrong is in the window."""
    traits: tuple[str, ...]
    """What the case is made of, to find what is missed together."""
    trouble: str = ""

    @property
    def found(self) -> bool:
        return self.shown and self.above


def lines(smoke: bool) -> Iterator[Result]:
    start = (
        DEVELOPMENT if smoke else int(os.environ.get("CCOS_CAUSES_SEED") or 10_000 + SystemRandom().randrange(10**9))
    )
    count = 1 if smoke else CASES
    if not smoke:
        print(f"causes: seeds {start} to {start + count - 1} in each family; again with CCOS_CAUSES_SEED={start}")
    for family in FAMILIES:
        seen = list(measured(family, range(start, start + count), 1 if smoke else os.cpu_count() or 1))
        owed = [each for each in seen if each.lens == OWED]
        if not smoke:
            print("\n".join(told(seen)))
        yield Result(f"causes {family}, {len(owed)} cases: missed", _percent(owed), "%", MISSED)


def measured(family: str, seeds: Sequence[int], processes: int = 1) -> Iterator[Seen]:
    if processes == 1:
        for seed in seeds:
            yield from measure(family, seed)
        return
    with ProcessPoolExecutor(processes, get_context("spawn")) as pool:
        for found in pool.map(measure, [family] * len(seeds), seeds, chunksize=8):
            yield from found


def measure(family: str, seed: int) -> list[Seen]:
    case: Case = import_module(f"tests.bench.causes.{family}").make(seed)
    with tempfile.TemporaryDirectory() as held:
        root = Path(held).resolve() / "project"
        write(root, case.files)
        homes = {name: str(Path(held) / "home") for name in ("XDG_STATE_HOME", "XDG_CACHE_HOME", "XDG_CONFIG_HOME")}
        try:
            with patch.dict(os.environ, homes):
                shown = {**through_commands(str(root), case), **through_index(str(root), case)}
        except CommandFailed as error:
            return [Seen(OWED, family, seed, case.hops, False, False, False, traits(case), str(error))]
    return [judged(case, lens, items) for lens, items in shown.items()]


def judged(case: Case, lens: str, items: Items) -> Seen:
    cause = _first(items, case.cause)
    decoy = next((rank for rank, item in enumerate(items) if item["path"] == case.decoy.path), len(items))
    wrong = case.files[case.cause.path].split("\n")[case.wrong - 1].strip()
    at_fault = any(item["path"] == case.cause.path and wrong in item["text"] for item in items)
    return Seen(lens, case.family, case.seed, case.hops, cause < len(items), cause < decoy, at_fault, traits(case))


def traits(case: Case) -> tuple[str, ...]:
    return (*case.links, f"{case.way} symptom", f"{case.style} output", f"{case.mode} failure")


def _first(items: Items, place: Place) -> int:
    """The rank of the first item that shows a definition; the number of items if none does."""
    needle = re.sub(r"\s*(=>)?\s*[{:]*$", "", place.text.strip())
    for rank, item in enumerate(items):
        if item["path"] == place.path and any(needle in line for line in item["text"].split("\n")):
            return rank
    return len(items)


def told(seen: Sequence[Seen]) -> Iterator[str]:
    """Where it was found and where not, for people."""
    for lens in dict.fromkeys(each.lens for each in seen):
        of_lens = [each for each in seen if each.lens == lens]
        hops = ", ".join(_share(f"{n} hop{'s' * (n > 1)}", [e for e in of_lens if e.hops == n]) for n in (1, 2, 3))
        wrong = 100 * sum(each.wrong for each in of_lens) // len(of_lens)
        below = sum(each.shown and not each.above for each in of_lens)
        yield f"  {of_lens[0].family}, {lens}: {hops}; below the decoy {below}; the wrong line itself {wrong} %"
    owed = [each for each in seen if each.lens == OWED]
    kinds = dict.fromkeys(sorted(trait for each in owed for trait in each.traits))
    worst = [(_percent(such := [e for e in owed if trait in e.traits]), len(such), trait) for trait in kinds]
    for missed, number, trait in sorted(worst, reverse=True)[:6]:
        if missed:
            yield f"    missed {missed:.0f} % of {number} with {trait}"
    lost = [f"{each.seed}{': ' + each.trouble if each.trouble else ''}" for each in owed if not each.found]
    if lost:
        yield f"    first missed: {', '.join(lost[:12])}"


def _share(name: str, seen: Sequence[Seen]) -> str:
    return (
        f"{name} {100 * sum(each.found for each in seen) / len(seen):.1f} % of {len(seen)}" if seen else f"{name} none"
    )


def _percent(seen: Iterable[Seen]) -> float:
    """How many were missed, of a hundred."""
    found = [each.found for each in seen]
    return 100 * found.count(False) / max(1, len(found))


def main(arguments: Sequence[str]) -> None:
    """`python -m tests.bench.causes.run FAMILY FIRST COUNT`: some development cases, and what they gave."""
    family, first, count = arguments[0], int(arguments[1]), int(arguments[2])
    seen = list(measured(family, range(first, first + count), os.cpu_count() or 1))
    print("\n".join(told(seen)))


if __name__ == "__main__":
    main(sys.argv[1:])
