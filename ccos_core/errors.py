"""Everything that can go wrong for a reason worth a sentence.

    CcosError
    ├── Usage            the words of the call don't fit
    ├── NotFound         asked for something that isn't there
    │   └── Erased       ... because somebody had it forgotten
    ├── Refused          understood, and not done: already there, paused, would lose something
    ├── NotUnderstood    the input isn't what it should be
    │   ├── NewerFormat  ... it was written by a later ccos-tui
    │   └── OlderFormat  ... it was written by an earlier one and wants `upgrade`
    ├── Damaged          the record contradicts itself
    │   ├── ChainBroken  ... from one known step on
    │   └── CopiedWhileOpen  ... the last steps stayed behind in the original
    └── Unavailable      locked, read-only, full, or no permission

Each message names the place, the fact and the next step, in words a person can act on. Which exit code a family
gets is decided once, in `serve/exits.py`. Imported by the hook, so it imports nothing.
"""

from __future__ import annotations


class CcosError(Exception):
    """A sentence for a person: what happened, where, and what to do next."""

    def __init__(self, fact: str, *, place: str = "", hint: str = "") -> None:
        super().__init__(fact)
        self.fact = fact
        self.place = place
        """The file, step or argument the fact is about."""
        self.hint = hint
        """What to do next, as a sentence or a command."""

    def __str__(self) -> str:
        head = f"{self.place}: {self.fact}" if self.place else self.fact
        return f"{head}\n  {self.hint}" if self.hint else head


class Usage(CcosError):
    """The words of the call don't fit."""


class NotFound(CcosError):
    """What was asked for isn't there."""


class Erased(NotFound):
    """A content that was there once and was forgotten on purpose."""


class Refused(CcosError):
    """Understood, and deliberately not done."""


class NotUnderstood(CcosError):
    """The input isn't what the command reads."""


class NewerFormat(NotUnderstood):
    """Written by a later version than this one."""


class OlderFormat(NotUnderstood):
    """Written by an earlier version; `upgrade` brings it forward."""


class Damaged(CcosError):
    """The record contradicts itself."""


class ChainBroken(Damaged):
    """From `step` on, the bytes and the hashes disagree."""

    def __init__(self, fact: str, *, step: int, place: str = "", hint: str = "") -> None:
        super().__init__(fact, place=place, hint=hint)
        self.step = step


class CopiedWhileOpen(Damaged):
    """The file was copied while a program had it open, so its last steps may be missing."""


class Unavailable(CcosError):
    """Locked, read-only, full, or not permitted."""
