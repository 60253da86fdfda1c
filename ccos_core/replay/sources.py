"""What the files of a record were at any step: their texts, pieced together again where nobody gave them whole."""

from __future__ import annotations

from array import array
from bisect import bisect_left, bisect_right
from collections import OrderedDict
from collections.abc import Callable, Hashable, Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from functools import partial
from itertools import count, islice
from typing import TYPE_CHECKING, Any, Generic, NamedTuple, Protocol, TypeVar
from weakref import ref

import numpy as np

from ccos_core.errors import CcosError, NotFound
from ccos_core.replay.journal import Journal
from ccos_core.state.fold import Facts
from ccos_core.text.syntax.languages import language_of
from ccos_core.values import sheet as sheets
from ccos_core.values.canon import DIGEST_BYTES
from ccos_core.values.code import Outline, Symbol, Unread
from ccos_core.values.ids import file_node, path_of
from ccos_core.values.nesting import Nesting
from ccos_core.values.sheet import BLANK, Sheet
from ccos_core.window.measure import Measure, Measured
from ccos_core.window.source import Source

if TYPE_CHECKING:
    from ccos_core.log.facts import Key
    from ccos_core.ops.plain import Plain

Each = TypeVar("Each")

KEPT = 400
"""Versions kept at hand."""
NOTHING = bytes(DIGEST_BYTES)
"""Stands where a version has no content."""
WARM = 2
"""Moments of which is remembered what stands in their windows' order: one, and one that it is compared to."""


class Ops(Protocol):
    """The ops of a record, one by one."""

    def op(self, step: int) -> Plain:
        """The op that made a step."""

    def is_piece(self, step: int) -> bool:
        """Whether what a step made of a file may be anything but the whole text it brought."""

    def have_ready(self, steps: Iterable[int]) -> None:
        """Somebody is going to ask for each of these."""


class Kept(Protocol):
    """What a record keeps, many at once: as far as it is at hand, and as it should be."""

    def contents(self, blobs: Iterable[bytes]) -> dict[bytes, bytes]:
        """Contents by their hashes."""

    def whole(self, blobs: Iterable[bytes]) -> set[bytes]:
        """Those of some contents that are at hand, and as they should be."""

    def facts(self, keys: Iterable[Key]) -> dict[Key, bytes]:
        """What facts say."""


class Version(NamedTuple):
    """One state of one file."""

    row: int
    """Of the journal's versions."""
    step: int
    content: str
    why: str


Measures = Callable[["Iterable[Key]"], "Mapping[Key, bytes]"]
"""Gives what somebody measured of the files whose outlines have these keys, as far as it was kept."""


def unmeasured(keys: Iterable[Key]) -> Mapping[Key, bytes]:
    """Nobody has."""
    return {}


class Ahead(Generic[Each]):
    """What is made one by one, remembered as far as somebody has gone."""

    def __init__(self, make: Callable[[], Iterator[Each]]) -> None:
        self._make = make
        self._coming = make()
        self._came: list[Each] = []

    def __iter__(self) -> Iterator[Each]:
        for at in count():
            if at == len(self._came):
                self._go_on()
            if at == len(self._came):
                return
            yield self._came[at]

    def _go_on(self) -> None:
        try:
            self._came += islice(self._coming, 1)
        except (
            BaseException
        ):  # what failed may come another time; an iterator that failed looks as if it were at its end
            self._coming = islice(self._make(), len(self._came), None)
            raise


class Orders:
    """What comes in an order at the moments that were looked at last, as far as anybody has asked.

    Whatever is in it holds its moment, and a moment its sources. So sources only know it as long as somebody else, a
    timeline, holds it: in a circle none of them would ever be freed.
    """

    def __init__(self) -> None:
        self._known: OrderedDict[Hashable, dict[str, Ahead[Any]]] = OrderedDict()

    def at(self, moment: Hashable, what: str, make: Callable[[], Iterator[Each]]) -> Iterable[Each]:
        known = self._known.get(moment)
        if known is None:
            known = self._known[moment] = {}
            if len(self._known) > WARM:
                self._known.popitem(last=False)
        else:
            self._known.move_to_end(moment)
        if what not in known:
            known[what] = Ahead(make)
        return known[what]


class _ByPath:
    """The rows of each file's versions, which go on with the journal: made anew for each step they took a second where
    there were 300,000."""

    def __init__(self) -> None:
        self._rows: dict[int, array[int]] = {}
        self._upto = 0

    def rows(self, journal: Journal, path: int) -> Sequence[int]:
        """The rows of the file with this number."""
        for row, number in enumerate(journal.versions["path"][self._upto :].tolist(), self._upto):
            if number not in self._rows:
                self._rows[number] = array("i")
            self._rows[number].append(row)
        self._upto = len(journal.versions)
        return self._rows.get(path, ())

    def cut(self, sizes: Mapping[str, int]) -> None:
        """Only the first rows of each table are what they were."""
        self._upto = min(self._upto, sizes["versions"])
        for rows in self._rows.values():
            del rows[bisect_left(rows, self._upto) :]


class Sources:
    """The files, version by version."""

    def __init__(
        self,
        journal: Journal,
        ops: Ops,
        kept: Kept,
        facts: Facts,
        measured: Measures = unmeasured,
        orders: Orders | None = None,
    ) -> None:
        self.journal = journal
        self._ops = ops
        self._kept = kept
        self._facts = facts
        self._measured = measured
        self._ahead: dict[int, Source] = {}
        """Row of a version → that, where it was read ahead and nobody has asked for it."""
        self._sources: OrderedDict[int, Source] = OrderedDict()
        self._sheets: OrderedDict[int, Sheet] = OrderedDict()
        self._pins: dict[int, dict[str, int]] = {}
        self._orders = ref(orders) if orders is not None else lambda: None
        self._until = 0, 0
        """The step that was asked about last, and how many versions there were up to it."""

    def versions(self, path: str) -> list[Version]:
        """All that a file ever was, in order."""
        return [self.version(row) for row in self._rows(path)]

    def version(self, row: int) -> Version:
        """What a row of the journal says a file was."""
        versions = self.journal.versions
        content = bytes(versions["content"][row])
        why = self.journal.name(int(versions["why"][row]))
        return Version(row, int(versions["step"][row]), content.hex() if content != NOTHING else "", why)

    def at(self, path: str, step: int) -> Version | None:
        """What a file was at a step; None where nobody had seen it yet, or it was gone."""
        rows = self._rows(path)
        if step != self._until[0]:
            self._until = step, self.journal.versions.upto(step)
        at = bisect_left(rows, self._until[1])
        version = self.version(rows[at - 1]) if at else None
        return version if version is not None and version.why != "gone" else None

    def there(self, step: int) -> list[str]:
        """The paths of all files that are there at a step, sorted."""
        versions = self.journal.versions
        upto = versions.upto(step)
        last = np.full(len(self.journal.names), -1, np.int32)
        last[versions["path"][:upto]] = np.arange(upto, dtype=np.int32)
        rows = last[last >= 0]
        gone = self.journal.id("gone")
        here = rows[versions["why"][rows] != gone]
        return sorted(path_of(self.journal.name(int(number))) or "" for number in versions["path"][here])

    def have_ready(self, versions: Iterable[tuple[str, Version]], *, texts: bool = True) -> None:
        """Read in one sweep what these versions of these paths are made from: somebody is going to ask for each, and
        maybe not for their `texts`."""
        wanted = {each.row: (path, each) for path, each in versions if each.content and self._lacks(each, texts)}
        if len(wanted) < 2:
            return
        with suppress(CcosError):  # whoever asks for that one is told
            self._ops.have_ready([each.step for _, each in wanted.values()])
            self._ahead = self._read(wanted, texts)

    def source(self, path: str, version: Version) -> Source:
        """A version as a window shows it."""
        known = self._sources.get(version.row)
        if known is None:
            known = self._sources[version.row] = self._made(path, version)
            if len(self._sources) > KEPT:
                self._sources.popitem(last=False)
        else:
            self._sources.move_to_end(version.row)
        return known

    def warm(self, moment: Hashable, what: str, make: Callable[[], Iterator[Each]]) -> Iterable[Each]:
        """What comes in an order at a moment, however that is weighed; remembered while its timeline lives."""
        orders = self._orders()
        return orders.at(moment, what, make) if orders is not None else Ahead(make)

    def nesting(self, path: str, version: Version) -> Nesting:
        """What stands inside of what in a version."""
        return self.source(path, version).nesting

    def text(self, path: str, version: Version) -> str | None:
        """The text of a version, as far as it is known."""
        if not version.content:
            return None
        sheet = self._composed(path, version)
        return sheet.text if sheet is not None else self._facts.text(version.content)

    def sheet(self, path: str, version: Version) -> Sheet | None:
        """A version line by line, with how each is known; None where there is no text of it."""
        composed = self._composed(path, version) if version.content else None
        if composed is not None or not version.content:
            return composed
        op = self._ops.op(version.step)
        if op["kind"] == "renamed":
            renamed = self.before(op["path"], version)
            return self.sheet(op["path"], renamed) if renamed is not None else None
        text, before = self._facts.text(version.content), self.before(path, version)
        known = self.text(path, before) if before is not None else None
        if text is None or known is None or op["how"] not in ("edit", "write"):
            return sheets.shown(text) if text is not None else None
        return sheets.edited(sheets.shown(known), text) if op["how"] == "edit" else sheets.written(text)

    def before(self, path: str, version: Version) -> Version | None:
        """The version a file had before one of its own, or of the file that took its name."""
        rows = self._rows(path)
        for row in reversed(rows[: bisect_left(rows, version.row)]):
            found = self.version(row)
            if found.why == "gone" and found.step == version.step:
                continue  # it left under that name just now
            return found
        return None

    # -- helpers --------------------------------------------------------------------------------------------------

    def _rows(self, path: str) -> Sequence[int]:
        """The rows of a file's versions."""
        known: _ByPath = self.journal.growing("versions by path", _ByPath)
        return known.rows(self.journal, self.journal.id(file_node(path)))

    def _lacks(self, version: Version, texts: bool) -> bool:
        """Whether there is something to be read of a version."""
        known = self._sources.get(version.row)
        return known is None or (texts and isinstance(known, Measured) and not known.is_open)

    def _read(self, versions: Mapping[int, tuple[str, Version]], texts: bool) -> dict[int, Source]:
        """What is recorded of these versions by their rows, as it stands."""
        keys = {row: key for row, (path, each) in versions.items() if (key := self._key(path, each)) is not None}
        found: dict[int, Source] = dict(self._measures(versions, keys)) if not texts else {}
        keys = {row: key for row, key in keys.items() if row not in found}
        contents = self._kept.contents([key[0] for key in keys.values()])
        facts = self._kept.facts(keys.values())
        for row, key in keys.items():
            if key in facts and key[0] in contents:
                with suppress(ValueError, TypeError):  # it is no outline of ours
                    outline = Unread.of(facts[key])
                    found[row] = Source(versions[row][0], contents[key[0]].decode("utf-8", "replace"), outline)
        for row in [row for row in found if row in self._sources]:  # somebody has it without its text
            self._opened(row, found.pop(row))
        return found

    def _measures(
        self, versions: Mapping[int, tuple[str, Version]], keys: Mapping[int, Key]
    ) -> Iterator[tuple[int, Measured]]:
        """Those of them that others measured. A content that isn't there any more is in no window."""
        kept = self._measured(keys.values())
        there = self._kept.whole([key[0] for key in kept])
        for row, key in keys.items():
            if key in kept and key[0] in there:
                path, version = versions[row]
                with suppress(ValueError):  # it is no measure of ours
                    measure = Measure.of(kept[key])
                    outline = partial(_outlined, self._facts, self.pins(version.step), version.content, path)
                    read = partial(_texted, self._facts, version.content, measure.symbols, outline)
                    yield row, Measured(path, measure, read)

    def _opened(self, row: int, source: Source) -> None:
        known = self._sources[row]
        if isinstance(known, Measured):
            known.open(source)

    def _key(self, path: str, version: Version) -> Key | None:
        """Under which is recorded what a content says as that file."""
        language = language_of(path)
        pinned = self.pins(version.step).get(language.name) if language is not None else None
        return (bytes.fromhex(version.content), language.name, pinned) if language and pinned is not None else None

    def _made(self, path: str, version: Version) -> Source:
        sheet = self._composed(path, version) if version.content else None
        if sheet is None and not version.content:
            return Source(path, "", Outline())
        if sheet is None and (ahead := self._ahead.pop(version.row, None)) is not None:
            return ahead
        pins = self.pins(version.step)
        if sheet is None:
            return Source(path, *_told(self._facts, pins, version.content, path))
        self._facts.under(pins)
        outline = self._facts.outline_of_text(sheet.text, path)
        unknown = tuple((first, last) for first, last, kind in sheet.runs if kind == sheets.UNKNOWN)
        return Source(path, sheet.text, outline or Outline(), unknown)

    def pins(self, step: int) -> dict[str, int]:
        """By which interpreters what was seen at a step was read."""
        rules = self.journal.rules
        steps: list[int] = self.journal.once("steps of rules", lambda: rules["step"].tolist())
        at = bisect_right(steps, step)
        if at not in self._pins:
            pins = self.journal.value(int(rules["told"][at - 1]))[0][3] if at else []
            self._pins[at] = dict(pins[-1][1]) if pins else {}
        return self._pins[at]

    def _composed(self, path: str, version: Version) -> Sheet | None:
        """The sheet of a version that is no content of the record; None where it is one, or there is nothing of it.

        Goes back to where its text was last given whole, and lays what was seen since over it."""
        if version.row in self._sheets:
            self._sheets.move_to_end(version.row)
            return self._sheets[version.row]
        laid: list[tuple[Version, Plain]] = []
        base: Sheet | None = None
        while True:
            try:
                if not self._ops.is_piece(version.step):
                    break
                op = self._ops.op(version.step)
            except NotFound:  # it lies in an archive that isn't at hand, ...
                if self._facts.text(version.content) is None:
                    raise
                break  # ... and its text lies here
            if op["kind"] == "renamed":
                path = op["path"]
            elif op["kind"] != "seen" or "slice" not in op:
                break
            else:
                laid.append((version, op))
            before = self.before(path, version)
            if before is None or not before.content:
                base = BLANK
                break
            version = before
            if version.row in self._sheets:
                base = self._sheets[version.row]
                break
        if not laid and base is None:
            return None
        if base is None:
            text = self._facts.text(version.content)
            base = sheets.shown(text) if text is not None else BLANK
        return self._lay(base, laid)

    def _lay(self, sheet: Sheet, laid: list[tuple[Version, Plain]]) -> Sheet:
        for version, op in reversed(laid):
            text = self._facts.text(op["content"]["blob"])
            if text is not None:
                first = op["slice"][0]
                if op["how"] in ("read", "ingest"):
                    sheet = sheets.read_in_part(sheet, first, text)
                else:
                    sheet = sheets.edited_in_part(sheet, first, text, op.get("took"))
            self._sheets[version.row] = sheet
        while len(self._sheets) > KEPT:
            self._sheets.popitem(last=False)
        return sheet

    def take_over(self, before: Sources, rows: int) -> None:
        """Go on with what another had made of the same journal's first versions, which stay what they are. One whose
        text may still be asked for would hold that other."""
        made = ((row, each) for row, each in before._sources.items() if not isinstance(each, Measured))
        self._sources.update((row, each) for row, each in made if row < rows)
        self._sheets.update((row, each) for row, each in before._sheets.items() if row < rows)


def _told(facts: Facts, pins: Mapping[str, int], content: str, path: str) -> tuple[str, Outline]:
    """A content of the record, and what it says as that file; empty where that can't be had."""
    return facts.text(content) or "", _outlined(facts, pins, content, path)


def _texted(
    facts: Facts, content: str, symbols: tuple[Symbol, ...], outline: Callable[[], Outline]
) -> tuple[str, Outline]:
    """The same where its symbols are known: who asks for the text hardly asks for the rest."""
    return facts.text(content) or "", Unread(symbols, outline)


def _outlined(facts: Facts, pins: Mapping[str, int], content: str, path: str) -> Outline:
    """What a content says as that file, read by these interpreters; empty where that can't be had."""
    facts.under(pins)
    return facts.outline(content, path) or Outline()
