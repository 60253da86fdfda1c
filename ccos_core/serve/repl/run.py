"""Where the commands come from, and what is to be done where there are none."""

from __future__ import annotations

import contextlib
import itertools
import sys
from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING

from ccos_core.present.words import count
from ccos_core.serve import exits
from ccos_core.serve.answering import Manner, told_of_damage
from ccos_core.serve.cli.common import tell
from ccos_core.serve.progress import Bars
from ccos_core.serve.repl import lines
from ccos_core.serve.repl.loop import Loop

if TYPE_CHECKING:
    from ccos_core.errors import CcosError
    from ccos_core.serve.repl.keyboard import Keyboard
    from ccos_core.session.asking import Desk


def run(desk: Desk, manner: Manner, bars: Bars) -> int:
    """Obey whoever speaks; gives the exit code."""
    if sys.stdin.isatty():
        return _dump(desk, bars) if manner is Manner.JSON else _typed(desk, manner, bars)
    given = lines.piped(sys.stdin.buffer)
    first = list(itertools.islice(given, 1))
    if not first and manner is Manner.JSON:
        return _dump(desk, bars)
    return run_lines(desk, manner, bars, itertools.chain(first, given))


def run_lines(desk: Desk, manner: Manner, bars: Bars, given: Iterable[str | CcosError]) -> int:
    """Ask every line of `given`; return the highest exit code of all."""
    loop = Loop(desk, manner, bars)
    loop.run(given)
    return max(loop.code, exits.DAMAGED) if told_of_damage(desk) else loop.code


def _dump(desk: Desk, bars: Bars) -> int:
    from ccos_core.serve.repl.dump import dump

    try:
        return dump(desk)
    finally:
        bars.end()


def _typed(desk: Desk, manner: Manner, bars: Bars) -> int:
    """At a terminal nothing fails that somebody couldn't type again."""
    from ccos_core.serve.repl.keyboard import Keyboard

    loop = Loop(desk, manner, bars, typed=True)
    tell(f"{count(loop.at, 'step')}; the cursor is at the last. help lists the commands, q leaves.")
    told_of_damage(desk)
    with Keyboard(desk) as keyboard:
        loop.run(_from(keyboard, loop))
    return exits.DONE


def _from(keyboard: Keyboard, loop: Loop) -> Iterator[str]:
    while True:
        try:
            yield keyboard.read(loop.prompt())
        except KeyboardInterrupt:  # a line that was begun is dropped, as in any shell
            with contextlib.suppress(KeyboardInterrupt):  # pressed twice, as people do
                tell("")
        except EOFError:
            tell("")
            return
