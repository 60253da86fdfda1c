"""The ops of a record as lines, one by one or in groups, read when they are looked at.

A list of a hundred thousand steps shows fifty of them. Those are read from the record at once, on the screen's own
connection, without a journal: this is what can be seen before anything was folded.
"""

from __future__ import annotations

import time
from collections import OrderedDict
from contextlib import suppress
from dataclasses import replace
from typing import TYPE_CHECKING, TypeVar

if TYPE_CHECKING:
    from ccos_core.errors import CcosError
    from ccos_core.ops.plain import Plain
    from ccos_core.query.step_filter import Filter
    from ccos_core.query.step_groups import Group
    from ccos_core.query.step_outline import Outline
    from ccos_core.query.telling import Told
    from ccos_core.replay.columns import Numbers
    from ccos_core.storage.record import Record

Kept = TypeVar("Kept")

PAGE = 64
"""Steps that are read together."""
KEPT = 32
"""Pages kept at hand."""
GROUPS_KEPT = 512
SEARCHED_BYTES = 1 << 20
"""Contents of a step that are searched for the line to show; the engine has searched them all."""
PATIENCE = 0.25
"""Seconds to wait for a program that keeps everybody out of the file: whoever draws has no more, ..."""
AGAIN = 1.0
"""... and tries again after so many."""


class Steps:
    """A record's ops, from the first to the last that was recorded when somebody looked."""

    def __init__(self, path: str) -> None:
        from ccos_core.serve.exits import code_of
        from ccos_core.storage.opening import open_record

        self._record = open_record(path, patience=PATIENCE)
        self._busy_until = 0.0
        self._pages: OrderedDict[int, dict[int, bytes]] = OrderedDict()
        """Bodies of ops by the page they are on."""
        self._told: OrderedDict[int, Told | None] = OrderedDict()
        """Steps that were looked at."""
        self.outline: Outline | None = None
        """Which steps are one row; None until the engine has found out."""
        self._groups: OrderedDict[int, Group] = OrderedDict()
        """Groups that were looked at, by their places."""
        notice = self._record.notice
        self.notice = _told(notice) if notice is not None else _lost(path)
        """What is wrong with the file, though it can be read: a word for it, the fact, and the next step."""
        self.code = code_of(notice) if notice is not None else 0
        """What the program ends with who has looked at it."""
        try:
            self.head, head = self._record.head()
            self._root = _root_of(self._record)
        except BaseException:
            self._record.close()
            raise
        self.hash = head.hex()

    def told(self, step: int) -> Told | None:
        """What a step was; None where it can't be read."""
        if step in self._told:
            self._told.move_to_end(step)
            return self._told[step]
        if (body := self._body(step)) is None:
            return None
        try:
            told = self._opened(step, body)
        except _Busy:
            return None
        _keep(self._told, step, told, KEPT * PAGE)
        return told

    @property
    def has_agent(self) -> bool:
        """Whether the first or the last steps were told by an agent's program, so that its window is recorded."""
        from ccos_core.errors import CcosError

        with suppress(CcosError):
            for first in (1, max(self.head - PAGE + 1, 1)):
                rows = self._record.rows(first, min(first + PAGE - 1, self.head))
                if any(b'"host":' in body for _, _, body in rows):
                    return True
        return False

    def group_by(self, outline: Outline) -> None:
        """From now on groups are those of this outline."""
        self.outline = outline
        self._groups.clear()

    def group(self, place: int) -> Group | None:
        """The group at a place of the outline; None where it can't be read."""
        from ccos_core.errors import CcosError
        from ccos_core.ops.plain import NotAnOp
        from ccos_core.query.step_groups import group_at, steps_read

        outline = self.outline
        if outline is None:
            return None
        if place in self._groups:
            self._groups.move_to_end(place)
            return self._groups[place]
        try:
            ops = {step: self._op(step) for step in steps_read(outline, place)}
            found = group_at(outline, place, ops, self._content)
        except (_Busy, NotAnOp, CcosError):
            return None
        group = replace(found, says=said_at_home(found.says, self._root)) if found.tool else found
        _keep(self._groups, place, group, GROUPS_KEPT)
        return group

    def filtered(self, text: str) -> tuple[Filter, Numbers]:
        """A filter as it was typed, and for each group whether it passes. Raises where the filter can't be meant."""
        from ccos_core.query.step_filter import matching, parse_filter

        assert self.outline is not None
        wanted = parse_filter(text, self.outline)
        return wanted, matching(self.outline, wanted)

    def line_with(self, step: int, words: str) -> str:
        """The line of a step's texts that holds some words; empty where none is found."""
        from ccos_core.errors import CcosError
        from ccos_core.ops.plain import NotAnOp

        exact = words != words.lower()
        with suppress(_Busy, NotAnOp, CcosError):
            for value in self._op(step).values():
                if not isinstance(value, dict) or not 0 < value.get("bytes", 0) <= SEARCHED_BYTES:
                    continue
                for line in self._content(value["blob"]).decode("utf-8", "replace").splitlines():
                    if words in (line if exact else line.lower()):
                        return line.strip()
        return ""

    def hash_at(self, step: int) -> str:
        """The chain's hash after a step, in hex; nothing where it can't be read."""
        from ccos_core.errors import CcosError
        from ccos_core.log.chain import GENESIS

        try:
            return self._record.op(step)[1].hex() if step else GENESIS.hex()
        except CcosError:
            return ""

    def look_again(self) -> bool:
        """Take in what was recorded since; gives whether anything was."""
        head, hash_ = self._record.head()
        if head == self.head:
            return False
        self._pages.pop((self.head - 1) // PAGE, None)
        self.head, self.hash = head, hash_.hex()
        return True

    def close(self) -> None:
        """Leave the record."""
        self._record.close()

    def _op(self, step: int) -> Plain:
        """An op; raises where it can't be read."""
        from ccos_core.ops.plain import unseal

        body = self._body(step)
        if body is None:
            raise _Busy
        return unseal(body)

    def _body(self, step: int) -> bytes | None:
        """The bytes of an op; None where they can't be read."""
        page = (step - 1) // PAGE
        if page not in self._pages:
            if (found := self._read(page)) is None:
                return None
            _keep(self._pages, page, found, KEPT)
        else:
            self._pages.move_to_end(page)
        return self._pages[page].get(step)

    def _read(self, page: int) -> dict[int, bytes] | None:
        """The steps of a page; None where somebody keeps everybody out just now."""
        from ccos_core.errors import CcosError, Unavailable

        first = page * PAGE + 1
        found: dict[int, bytes] = {}
        if time.monotonic() < self._busy_until:
            return None
        try:
            rows = self._record.rows(first, min(first + PAGE - 1, self.head))
            found.update((step, body) for step, _, body in rows)  # one by one: what can be read is kept
        except Unavailable:
            self._busy_until = time.monotonic() + AGAIN
            return None
        except CcosError:  # damage is told where the record is checked; here the lines end
            pass
        return found

    def _opened(self, step: int, body: bytes) -> Told | None:
        """A step; None where it says nothing."""
        from ccos_core.errors import CcosError
        from ccos_core.ops.plain import NotAnOp, unseal
        from ccos_core.query.telling import told_op

        with suppress(NotAnOp, CcosError):
            return at_home(told_op(step, unseal(body), self._content), self._root)
        return None

    def _content(self, blob: str) -> bytes:
        """A content. Where it can't be had just now that isn't told of the step, for it would stay so."""
        from ccos_core.errors import Unavailable

        if time.monotonic() < self._busy_until:
            raise _Busy
        try:
            return self._record.content(bytes.fromhex(blob))
        except Unavailable as error:
            self._busy_until = time.monotonic() + AGAIN
            raise _Busy from error


class _Busy(Exception):
    """Somebody keeps everybody out just now."""


def at_home(told: Told, root: str) -> Told:
    """A call as a list has room for it: a file of the project is named in it as everywhere else, however the host
    spelled it. Answers say what was recorded, for where a project lies is known on this machine alone."""
    return replace(told, says=said_at_home(told.says, root)) if told.kind == "tool" else told


def said_at_home(says: str, root: str) -> str:
    """What a call says, its file named from the project's root."""
    name, _, said = says.partition(" ")
    home = f"{root.rstrip('/')}/"
    if not root or not said.startswith(home) or said == home:
        return says
    return f"{name} {said.removeprefix(home)}"


def _keep(kept: OrderedDict[int, Kept], key: int, value: Kept, most: int) -> None:
    """Keep a value, and of all only the last ones that were asked for."""
    kept[key] = value
    if len(kept) > most:
        kept.popitem(last=False)


def _root_of(record: Record) -> str:
    """Where the project lies; nothing where that can't be read, for the steps can."""
    from ccos_core.errors import CcosError
    from ccos_core.session.session import root_of

    try:
        return root_of(record)
    except CcosError:
        return ""


def _lost(path: str) -> tuple[str, str, str] | None:
    """That hooks heard events which were lost on their way into this record."""
    from ccos_core.session.lost_events import lost_words

    lost = lost_words(path)
    return ("incomplete", *lost) if lost is not None else None


def _told(notice: CcosError) -> tuple[str, str, str]:
    from ccos_core.errors import CopiedWhileOpen, Damaged

    torn = isinstance(notice, Damaged) and not isinstance(notice, CopiedWhileOpen)
    return "damaged" if torn else "incomplete", notice.fact, notice.hint
