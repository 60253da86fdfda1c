"""Run the commands of `postmortem` one after the other, from a terminal or a pipe, and keep the cursor.

Whatever bytes come in, lines come out, and none is too long.
"""

from __future__ import annotations

import contextlib
import itertools
import json
import sys
from collections.abc import Iterable, Iterator
from io import BytesIO
from typing import TYPE_CHECKING, BinaryIO

from ccos_core.errors import CcosError, NotUnderstood, Usage
from ccos_core.present import words
from ccos_core.present.words import count
from ccos_core.query.catalogue import ALIASES, BY_NAME, entry_of
from ccos_core.query.help import HELP, QUIT, Command, Help, all_help, command_of
from ccos_core.query.words import Line, assigned, line, nearest
from ccos_core.serve import exits
from ccos_core.serve.answering import Manner, show, told_of_damage
from ccos_core.serve.cli.common import error_object, give, is_toon, tell
from ccos_core.serve.defects import explained
from ccos_core.serve.terminal import Bars

if TYPE_CHECKING:
    from ccos_core.serve.repl.keyboard import Keyboard
    from ccos_core.session.asking import Desk

LONGEST = 64 * 1024
"""Bytes of a command."""


class TooLong(NotUnderstood):
    """A line that is no command."""


def piped(stream: BinaryIO) -> Iterator[str | TooLong]:
    """The lines of a stream; in place of one that is too long, what is to be said of it."""
    first = True
    while line := stream.readline(LONGEST + 1):
        if len(line) > LONGEST and not line.endswith(b"\n"):
            _skip(stream)
            yield TooLong(f"a command has at most {LONGEST:,} bytes", place=line[:40].decode("utf-8", "replace") + "…")
        else:
            text = line.decode("utf-8", "replace").rstrip("\r\n")
            yield text.removeprefix("\ufeff") if first else text
        first = False


def stdin() -> BinaryIO:
    """Where commands come from, as bytes."""
    return sys.stdin.buffer


def _skip(stream: BinaryIO) -> None:
    """Go on to the next line."""
    while (part := stream.readline(LONGEST)) and not part.endswith(b"\n"):
        pass


OWN = {name: command for command in (HELP, QUIT) for name in (command.name, *command.aliases)}
OWN |= {"exit": QUIT, "?": HELP}
"""Words that ask nothing."""


class Loop:
    """A reader's walk through one record."""

    def __init__(self, desk: Desk, manner: Manner, bars: Bars, *, typed: bool = False) -> None:
        self.desk = desk
        self.manner = manner
        self.bars = bars
        self.typed = typed
        """Whether a person types, who sees each line and can stop a long answer."""
        self.at = desk.timeline.head
        """The cursor."""
        bars.end()
        self.code = exits.DONE
        """The highest of all commands so far."""
        self._line = 0

    def run(self, lines: Iterable[str | CcosError]) -> None:
        """Obey until somebody has had enough."""
        for text in lines:
            if not self.obey(text):
                return

    def obey(self, text: str | CcosError) -> bool:
        """Do what a line says; gives whether to go on."""
        self._line += 1
        try:
            if isinstance(text, CcosError):
                raise text
            if not self._do(line(text)):
                return False
        except BrokenPipeError:
            raise
        except KeyboardInterrupt:
            if not self.typed:
                raise
            tell("\nccos-tui: interrupted")
        except Exception as error:
            self._complain(error)
        finally:
            sys.stdout.flush()
        return True

    def prompt(self) -> str:
        """`57% 5710/10000> `."""
        head = self.desk.timeline.head
        if self.manner is Manner.ALOUD:
            return f"step {self.at:,} of {head:,}> "
        return f"{100 * self.at // max(head, 1)}% {self.at}/{head}> "

    def _do(self, said: Line) -> bool:
        if not said.words or said.words[0].text.startswith("#"):
            return True
        word, rest = said.words[0].text, Line(said.text, said.words[1:])
        if OWN.get(word) is QUIT:
            return False
        if OWN.get(word) is HELP:
            show(_help(rest), self.manner)
        else:
            self._ask(word, rest)
        return True

    def _ask(self, word: str, rest: Line) -> None:
        entry = entry_of(word)
        if entry is None:
            raise _unknown(word)
        self._catch_up()
        try:
            asked = self.desk.ask(entry, assigned(entry.load(), entry.name, rest), self.at)
        finally:
            self.bars.end()
        if asked.recorded:
            self.desk.catch_up()
            self.bars.end()
        moved = asked.recorded[-1] if asked.recorded else asked.moved
        if moved is not None:
            self.at = moved
        show(asked.answer, self.manner, asked.partial)

    def _catch_up(self) -> None:
        """Of a session that goes on, take in what was recorded since; the cursor stays where it stands."""
        if more := self.desk.catch_up():
            try:
                head = self.desk.timeline.head
            finally:
                self.bars.end()
            tell(f"ccos-tui: {count(more, 'step')} recorded meanwhile; the last step is {head:,} now")

    def _complain(self, error: Exception) -> None:
        """In one line, where it can be seen which command it was."""
        fact, place, hint, code = explained(error, ["postmortem"])
        self.code = max(self.code, code)
        sys.stdout.flush()
        if self.manner is Manner.JSON:
            give(error_object(fact, place, hint, code))
        number = "" if self.typed else f"line {self._line}: "
        said = f"{number}{_short(place)}{fact}" + (f". {hint}" if hint else "")
        tell("ccos-tui: " + " ".join(words.visible(said).split()))


def _help(rest: Line) -> Help:
    if not rest.words:
        return all_help()
    word = rest.words[0].text
    if word in OWN:
        return Help((OWN[word],), False)
    entry = entry_of(word)
    if entry is None:
        raise _unknown(word)
    told: Command = command_of(entry)
    return Help((told,), False)


def _unknown(word: str) -> Usage:
    known = [*BY_NAME, *ALIASES, *OWN]
    return Usage("isn't a command", place=words.clipped(word, 60), hint=nearest(word, known) or "See: help")


def _short(place: str) -> str:
    return words.clipped(place, 120) + ": " if place else ""


def run(desk: Desk, manner: Manner, bars: Bars) -> int:
    """Obey whoever speaks; gives the exit code."""
    if sys.stdin.isatty():
        return _dump(desk, bars) if manner is Manner.JSON else _typed(desk, manner, bars)
    given = piped(sys.stdin.buffer)
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

    sys.stdout.flush()
    try:
        if not is_toon():
            return dump(desk, sys.stdout.buffer)
        whole = BytesIO()
        code = dump(desk, whole)
        give(json.loads(whole.getvalue()))
        return code
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
