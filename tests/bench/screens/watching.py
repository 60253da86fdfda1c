"""Eight watched nodes: from a budget nobody has looked through to the strips of all of them.

How often each was left out of the window says which budget its strip is of; what it is to be is asked without a screen.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path
from random import Random

from ccos_core.ops.plain import unseal
from ccos_core.query.catalogue import entry_of
from ccos_core.session.asking import Desk
from ccos_core.storage.opening import open_record
from tests.bench.harness import Result
from tests.bench.screens.judging import Another, at, judged, look_through
from tests.bench.screens.terminal import Terminal

NODES = 8
LEAST, MOST = 700, 12_000
"""Budgets that are looked through."""
BETWEEN = 0.5
"""Seconds of rest before each."""
MEANWHILE = 0.1
"""Seconds after which another key is pressed."""
STRIPS_MILLIS = 500.0
OURS = "suggested"
LARGE = 160, 72
"""Columns and rows in which all strips can be seen at once."""


def lines(terminal: Terminal, path: Path, steps: int, times: int) -> Iterator[Result]:
    """How soon the strips are those of the new budget, where nothing else happens; and what a key takes meanwhile."""
    terminal.resize(*LARGE)
    look_through(terminal, OURS)
    names = list(watched(terminal, path, steps))
    random = Random(9)
    budgets = [random.randrange(LEAST, MOST) for _ in range(times)]
    told = left_out(path, names, budgets)
    followed, stepped = [], []
    for turn, budget in enumerate(budgets):
        here = random.randrange(2, steps)
        terminal.press(*str(here), "G")
        terminal.until(at(here, steps))
        terminal.quiet(BETWEEN, 10)
        began = terminal.press(*str(budget), "B")
        if turn % 2:
            terminal.rest(MEANWHILE)
            another = Another(steps)
            another.stand(terminal.screen())
            pressed = terminal.press("j")
            stepped.append(terminal.until(another, pressed) - pressed)
            terminal.until(all_of(told[budget]))
        else:
            followed.append(terminal.until(all_of(told[budget]), began) - began)
    yield judged(f"key to strips of {len(names)} watched", followed, STRIPS_MILLIS)
    yield judged("key to paint: step, while strips follow", stepped)


def watched(terminal: Terminal, path: Path, steps: int) -> Iterator[str]:
    """Watch files that were read here and there in the session; gives which."""
    met: set[str] = set()
    for part in range(NODES):
        step, name = next(each for each in reads(path, steps * (part + 1) // (NODES + 2)) if each[1] not in met)
        met.add(name)
        terminal.press(*str(step), "G")
        terminal.until(at(step, steps))
        terminal.press("Enter")
        terminal.until(lambda screen, name=name: f"{name} selected" in screen)
        terminal.press("w")
        terminal.until(lambda screen, name=name: f"{name} watched" in screen or f"{name} no longer watched" in screen)
        if f"{name} no longer watched" in terminal.screen():  # it was watched before
            terminal.press("w")
            terminal.until(lambda screen, name=name: f"{name} watched:" in screen)
        yield name


def reads(path: Path, first: int) -> Iterator[tuple[int, str]]:
    """Steps from one on at which a file was read, each with its path."""
    with open_record(str(path)) as record:
        for step, _, body in record.rows(first, record.head()[0]):
            op = unseal(body)
            if op["kind"] == "seen" and op["how"] == "read":
                yield step, op["path"]


def left_out(path: Path, names: Sequence[str], budgets: Sequence[int]) -> Mapping[int, Sequence[tuple[str, str]]]:
    """Budget → of each node its name, and what its strip says of how often it left."""
    watch = entry_of("watch")
    assert watch is not None
    with open_record(str(path)) as record, Desk(record) as desk:
        found = {}
        for budget in budgets:
            answers = [desk.ask(watch, {"node": f"file:{name}", "budget": str(budget)}).answer for name in names]
            sides = [answer.suggested for answer in answers]
            left = [f"left {answer.evicted:,}x " if answer.evicted else "" for answer in sides]
            found[budget] = list(zip(names, left, strict=True))
    return found


def all_of(told: Sequence[tuple[str, str]]) -> Callable[[str], bool]:
    """Whether the strips of all nodes say so."""

    def seen(screen: str) -> bool:
        lines = [line[: LARGE[0] * 2 // 5] for line in screen.split("\n")]
        return all(
            any(f"/{name.rpartition('/')[2]} " in line and left in line for line in lines) for name, left in told
        )

    return seen
