"""What comes back from the engine, as messages to the app."""

from __future__ import annotations

from typing import Any

from textual.message import Message

from ccos_tui.bridge.ask import Ask


class Answered(Message):
    """A pane's question was answered."""

    def __init__(self, slot: str, ask: Ask, answer: Any, at: int, moved: int | None, partial: int) -> None:
        self.slot = slot
        self.ask = ask
        self.answer = answer
        self.at = at
        """The step it was asked as of."""
        self.moved = moved
        """Where the cursor is to stand now, where the question moves it."""
        self.partial = partial
        """Contents of which nobody knows what they say."""
        super().__init__()


class Refused(Message):
    """A pane's question has no answer, and this is why."""

    def __init__(self, slot: str, ask: Ask, fact: str, place: str, hint: str) -> None:
        self.slot = slot
        self.ask = ask
        self.fact = fact
        self.place = place
        self.hint = hint
        super().__init__()

    @property
    def sentence(self) -> str:
        """All of it."""
        said = f"{self.place}: {self.fact}" if self.place else self.fact
        return f"{said}. {self.hint}" if self.hint else said


class Progressed(Message):
    """Something long has come so far."""

    def __init__(self, work: str, done: int, total: int) -> None:
        self.work = work
        """`folding`, `importing`, `looking`, ..."""
        self.done = done
        self.total = total
        super().__init__()


class Ready(Message):
    """The record can be asked: what was folded, or was folded before."""

    def __init__(self, head: int, broken: str) -> None:
        self.head = head
        self.broken = broken
        """What keeps it from reaching the record's end; empty where nothing does."""
        super().__init__()


class Grown(Message):
    """Others recorded more."""

    def __init__(self, head: int) -> None:
        self.head = head
        super().__init__()


class Stopped(Message):
    """Long work was given up, as was wanted; or couldn't be done."""

    def __init__(self, work: str, sentence: str) -> None:
        self.work = work
        self.sentence = sentence
        super().__init__()
