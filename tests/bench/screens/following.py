"""From a key to what it paints, on a long session whose screens are open; what is held afterwards; and a key held down.

Steps, pages and jumps are painted when the list and the line at the foot say the new step; a run to a change of what is
watched too. Another lens and another budget are painted when the window and its gauge are those of the answer.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from pathlib import Path
from random import Random
from typing import NamedTuple

from ccos_core.storage.opening import open_record
from tests.bench.harness import Result
from tests.bench.screens import watching
from tests.bench.screens.judging import Another, at, judged, look_through, stood, through, under_the_window
from tests.bench.screens.starting import first_frame, held_by_an_empty_app, started
from tests.bench.screens.terminal import Terminal, program

HELD_MILLIS, MEGABYTES = 200.0, 350.0
TIMES, SMOKE_TIMES = 40, 3
BETWEEN = 0.12
"""Seconds between two keys of somebody who looks at what comes."""
HELD, RATE = 3.0, 30
"""Seconds for which a key is held, and its presses a second."""
BUDGETS = (512, 1_024, 2_048, 4_096, 8_192, 16_384, 32_768)
LENSES = ("suggested", "suggested and agent's", "agent's")
"""In the order in which a key steps through them."""


class Key(NamedTuple):
    """Keys that get the reader ready, the one that counts, and what is to be seen then."""

    before: tuple[str, ...]
    key: str
    seen: Callable[[str], bool]


def lines(terminal: Terminal, path: Path, steps: int, smoke: bool) -> Iterator[Result]:
    times = SMOKE_TIMES if smoke else TIMES
    empty = held_by_an_empty_app(terminal)
    started(terminal, program(path), first_frame(steps))
    terminal.quiet(0.5)
    for name, keys in (("step", stepping), ("page", paging), ("jump", jumping)):
        yield judged(f"key to paint: {name}", pressed(terminal, keys(steps, times)))
    yield judged("key to the step's text", pressed(terminal, reading(steps, times)))
    yield judged("key to paint: run to a watched change", list(run_to_changes(terminal, path, steps, times)))
    look_through(terminal, LENSES[0])  # the agent's window has no budget
    yield judged("key to window and gauge: budget", pressed(terminal, budgets(steps, times)))
    yield judged("key to window and gauge: lens", pressed(terminal, lenses(steps, times)))
    yield Result(f"a key held {HELD:g} s, after its release", held(terminal, steps, smoke) * 1000, "ms", HELD_MILLIS)
    kilobytes = terminal.kilobytes()
    yield from watching.lines(terminal, path, steps, times)
    yield Result("memory above an empty app", (kilobytes - empty) / 1024, "MB", MEGABYTES)


def pressed(terminal: Terminal, keys: Iterator[Key]) -> list[float]:
    """Seconds that each takes."""
    taken = []
    for each in keys:
        if each.before:
            terminal.press(*each.before)
        terminal.rest(BETWEEN)
        if isinstance(each.seen, Another):
            each.seen.stand(terminal.screen())
        began = terminal.press(each.key)
        taken.append(terminal.until(each.seen, began) - began)
    return taken


# ---- what is pressed ----


def typed(step: int) -> tuple[str, ...]:
    """The count before a `G`."""
    return tuple(str(step))


def stepping(steps: int, times: int) -> Iterator[Key]:
    """On and back, in the middle; how many steps a row has the list knows."""
    yield Key(typed(steps // 2), "G", at(steps // 2, steps))
    for turn in range(times):
        yield Key((), "k" if turn % 4 == 3 else "j", Another(steps))


def paging(steps: int, times: int) -> Iterator[Key]:
    """On, page by page; how many rows that is the first page tells, so what counts is that the step is another."""
    yield Key(typed(steps // 3), "G", at(steps // 3, steps))
    for _ in range(times):
        yield Key((), "NPage", Another(steps))


def jumping(steps: int, times: int) -> Iterator[Key]:
    """All over the session."""
    random = Random(5)
    for _ in range(times):
        step = random.randrange(2, steps)
        yield Key(typed(step), "G", at(step, steps))


def reading(steps: int, times: int) -> Iterator[Key]:
    """All over the session, until the pane of the step's text shows it."""
    random = Random(8)
    for _ in range(times):
        step = random.randrange(2, steps)
        yield Key(typed(step), "G", with_text_of(step))


def with_text_of(step: int) -> Callable[[str], bool]:
    return lambda screen: f" step {step:,}, " in screen


def budgets(steps: int, times: int) -> Iterator[Key]:
    """Up and down through those a key steps through, at other steps each time."""
    index = BUDGETS.index(2_048)
    random = Random(6)
    for turn in range(times):
        up = turn // 2 % 2 == 0
        index += 1 if up else -1
        step = random.randrange(2, steps)
        before = (*typed(step), "G") if turn % 4 == 0 else ()
        yield Key(before, "+" if up else "-", with_budget(BUDGETS[index]))


def with_budget(budget: int) -> Callable[[str], bool]:
    return lambda screen: f"budget {budget:,}" in under_the_window(screen)


def lenses(steps: int, times: int) -> Iterator[Key]:
    """Round and round, at another step each time around."""
    random = Random(7)
    for turn in range(times):
        step = random.randrange(2, steps)
        yield Key((*typed(step), "G") if turn % 3 == 0 else (), "L", through(LENSES[(turn + 1) % 3]))


# ---- the watched node ----


def run_to_changes(terminal: Terminal, path: Path, steps: int, times: int) -> Iterator[float]:
    """Back and on from all over the session, to the changes of a file that was read in its middle."""
    read = read_step(path, steps // 2)
    terminal.press(*typed(read), "G")
    terminal.until(at(read, steps))
    terminal.press("Enter")
    terminal.rest(0.3)
    terminal.press("w")
    terminal.until(lambda screen: "watched: [ and ]" in screen)
    terminal.quiet(0.5, 10)
    random = Random(8)
    for turn in range(times):
        begun = random.randrange(read // 2, steps)
        key = "[" if turn % 2 == 0 else "]"
        terminal.press(*typed(begun), "G")
        terminal.until(at(begun, steps))
        terminal.rest(BETWEEN * 3)
        before = foot(terminal.screen())
        began = terminal.press(key)
        yield terminal.until(lambda screen, before=before: foot(screen) != before, began) - began


def foot(screen: str) -> str:
    """The line that says what has just been said, and where the reader stands."""
    return next((line for line in reversed(screen.split("\n")) if "step " in line and " of " in line), "")


def read_step(path: Path, middle: int) -> int:
    """A step near the middle at which a file was read."""
    with open_record(str(path)) as record:
        for step, _, body in record.rows(middle, middle + 2_000):
            if b'"kind":"seen"' in body.replace(b'": "', b'":"'):
                return step
    raise ValueError("nothing was read there")


# ---- a key that is held ----


def held(terminal: Terminal, steps: int, smoke: bool) -> float:
    """Seconds from its release to the last thing that is painted."""
    begun = steps // 4
    presses = 10 if smoke else int(HELD * RATE)
    terminal.press(*typed(begun), "G")
    terminal.until(at(begun, steps))
    terminal.press(*typed(presses), "j")  # a row holds several steps: so far does the key lead
    terminal.quiet(0.5)
    there = stood(terminal.screen(), steps)
    terminal.press(*typed(begun), "G")
    terminal.until(at(begun, steps))
    terminal.quiet(0.5)
    began = time.perf_counter()
    released = began
    for turn in range(presses):
        terminal.rest(began + turn / RATE - time.perf_counter())
        released = terminal.press("j")
    terminal.until(lambda screen: stood(screen, steps) == there)
    return max(terminal.quiet(0.5) - released, 0.0)
