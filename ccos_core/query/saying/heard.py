"""What was said, read once: when more is recorded only the new steps are read."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from typing import TYPE_CHECKING, Generic, TypeVar

from ccos_core.query.saying.utterance import Utterance

if TYPE_CHECKING:
    from ccos_core.replay.timeline import Timeline

T = TypeVar("T")


class Heard(Generic[T]):
    """What was said up to the step up to which it was read, with what its reader remembers from step to step."""

    def __init__(self, memory: Callable[[], T]) -> None:
        self._memory = memory
        self._upto = 0
        self._found: tuple[Utterance, ...] = ()
        self._remembers = memory()

    def until_head(
        self, timeline: Timeline, read: Callable[[Timeline, int, T], Iterable[Utterance]]
    ) -> tuple[Utterance, ...]:
        """Return all that was said. `read` takes the step behind which to go on, and what it remembers."""
        if self._upto != timeline.head:
            try:
                self._found = (*self._found, *read(timeline, self._upto, self._remembers))
            except BaseException:
                self._forget()  # what it remembers may be of steps that are read again
                raise
            self._upto = timeline.head
        return self._found

    def cut(self, sizes: Mapping[str, int]) -> None:
        """Read all anew if steps that were read are recorded anew."""
        if self._upto > sizes["steps"]:
            self._forget()

    def _forget(self) -> None:
        self._upto, self._found, self._remembers = 0, (), self._memory()
