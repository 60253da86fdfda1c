"""What comes back from the engine, as messages to the app."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from textual.message import Message

from ccos_tui.bridge.ask import Ask

if TYPE_CHECKING:
    from ccos_core.query.step_outline import Outline
    from ccos_core.session.listing import Sessions
    from ccos_core.session.search import Searched
    from ccos_core.storage.proof import Proof
    from ccos_tui.bridge.opening import Passing


class FromEngine(Message):
    """Something that was worked out on another thread."""

    engine: object = None
    """Who says it: what an engine says that was left meanwhile is nothing to anybody."""


class Answered(FromEngine):
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


class Refused(FromEngine):
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
        return sentence_of(self.fact, self.place, self.hint)


class Progressed(FromEngine):
    """Something long has come so far."""

    def __init__(self, work: str, done: int, total: int, kept: int = 0) -> None:
        self.work = work
        """`folding`, `importing`, `looking`, ..."""
        self.done = done
        self.total = total
        self.kept = kept
        """Steps that are on disk by then."""
        super().__init__()


class Folded(FromEngine):
    """The record can be asked: what was folded, or was folded before."""

    def __init__(self, head: int, broken: str, whole: bool, code: int = 0) -> None:
        self.head = head
        self.code = code
        """What the program ends with who has looked at it."""
        self.broken = broken
        """What keeps it from reaching the record's end; empty where nothing does."""
        self.whole = whole
        """Whether it was folded as far as that goes, or somebody gave that up."""
        super().__init__()


class Grown(FromEngine):
    """Others recorded more, and it can be asked."""

    def __init__(self, head: int) -> None:
        self.head = head
        super().__init__()


class Outlined(FromEngine):
    """It is known which steps are one row."""

    def __init__(self, outline: Outline) -> None:
        self.outline = outline
        super().__init__()


class Stopped(FromEngine):
    """Long work was given up, as was wanted: then there is no fact. Or it couldn't be done, and this is why."""

    def __init__(self, work: str, fact: str = "", place: str = "", hint: str = "", code: int = 0) -> None:
        self.work = work
        self.fact = fact
        self.place = place
        self.hint = hint
        self.code = code
        """What the program ends with, where nothing else comes of it."""
        super().__init__()

    @property
    def sentence(self) -> str:
        """All of it."""
        return sentence_of(self.fact, self.place, self.hint)


class Brought(FromEngine):
    """A transcript is in a workspace now, or the demonstration is made."""

    def __init__(self, workspace: str, transcript: str = "", folder: Passing | None = None) -> None:
        self.workspace = workspace
        self.transcript = transcript
        """Where more may come from."""
        self.folder = folder
        """Where it lies only as long as somebody looks at it."""
        super().__init__()


class Listed(FromEngine):
    """Sessions that are on this machine, as far as they were looked at."""

    def __init__(self, sessions: Sessions, whole: bool) -> None:
        self.sessions = sessions
        self.whole = whole
        """Whether all were."""
        super().__init__()


class Proven(FromEngine):
    """A record was walked from end to end."""

    def __init__(self, proof: Proof, code: int) -> None:
        self.proof = proof
        self.code = code
        """What the program ends with."""
        super().__init__()


def sentence_of(fact: str, place: str, hint: str) -> str:
    """What is said of trouble: the place, the fact, the next step."""
    said = f"{place}: {fact}" if place else fact
    return f"{said}. {hint}" if hint else said


class Indexed(FromEngine):
    """What was new in the sessions of this machine is read; these files can be searched."""

    def __init__(self, there: tuple[str, ...]) -> None:
        self.there = there
        super().__init__()


class SearchFound(FromEngine):
    """What a search over all sessions found."""

    def __init__(self, line: str, found: Searched) -> None:
        self.line = line
        self.found = found
        super().__init__()
