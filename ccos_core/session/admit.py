"""The gate: an observation goes in, a sealed op and its contents come out. There is no other way into a record.

An observation is an op still in foreign hands: the same kind and fields, with raw text where the op will hold a
reference, and paths as the host spells them. The table says what each field is, so one short function per type of
field does everything: hidden characters become visible, secrets are masked, paths are mapped onto the workspace,
sizes are bounded, and what may not be kept at all is left out. Nothing here touches a disk or reads a clock.

On the hook's path: imports nothing heavier than json, re, zlib and blake3.
"""

from __future__ import annotations

from ccos_core.log.packing import pack
from ccos_core.ops import plain, table
from ccos_core.session.bounds import Withholding, bounded_blob, bounded_line, told_apart
from ccos_core.text.sanitize import clean
from ccos_core.values.canon import NotCanonical, digest
from ccos_core.values.paths import NOWHERE, Place, recorded

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping
    from typing import Any, TypeAlias

    from ccos_core.session.bounds import Clean, Finding
    from ccos_core.text.ignore import Matcher

    Observation: TypeAlias = Mapping[str, Any]

SHORT, MOST_SHORT = 200, 4_000
"""Characters of a word whose cleaning is remembered, and how many of them."""
NAMING = ("call", "context", "kept", "session")
"""Fields by which things are told apart."""
PRINTED = ("output", "result")
"""Fields that hold what a tool printed, which may be lines of any file."""


class Admitted:
    """What the gate lets through."""

    __slots__ = ("blobs", "body", "key", "op", "packed")

    def __init__(self, op: plain.Plain, blobs: list[tuple[bytes, bytes]]) -> None:
        self.op = op
        self.body = plain.seal(op)
        self.key = plain.delivery_key(op)
        self.blobs = blobs
        """(hash, content) of everything the op refers to."""
        self.packed: list[tuple[bytes, int, tuple[int, int, bytes]]] = []
        """(hash, size, as stored) of what was packed ahead."""

    @property
    def size(self) -> int:
        """Bytes that have to be kept, packed or not."""
        return sum(len(content) for _, content in self.blobs) + sum(size for _, size, _ in self.packed)

    def pack(self) -> None:
        """Compress the contents now, so that the writer needn't."""
        self.packed += [(blob, len(content), pack(content)) for blob, content in self.blobs]
        self.blobs = []

    def __repr__(self) -> str:
        return f"<Admitted {self.op['kind']}, {len(self.body)} bytes, {len(self.blobs)} contents>"


def admit(observation: Observation, place: Place = NOWHERE, ignored: Matcher | None = None) -> Admitted:
    """Let an observation in. `ignored` says which recorded paths `.ccosignore` keeps the content of out."""
    try:
        if not hasattr(observation, "keys"):
            raise plain.NotAnOp(f"an observation is an object with a kind, not {type(observation).__name__}")
        return _Gate(dict(observation), place, ignored).admitted()
    except (NotCanonical, plain.NotAnOp) as error:
        # The words may quote what was refused, and end in a log.
        raise plain.NotAnOp(clean(str(error))[0]) from None


def recorded_path(said: str, place: Place = NOWHERE, cwd: str = ".") -> str:
    """The spelling a path gets in the record."""
    return bounded_line(clean(recorded(said, place, cwd))[0], table.LONGEST["path"], clean)


class _Gate:
    """One observation on its way through; lives as long as that takes."""

    def __init__(self, observation: dict[str, Any], place: Place, ignored: Matcher | None) -> None:
        self.given = {name: value for name, value in observation.items() if value is not None}
        self.kind = self.given.pop("kind", None)
        self.place = place
        said = self.given.get("cwd")
        self.cwd = recorded(said, place) if type(said) is str and said else "."
        self.withholding = Withholding(place, ignored, self.cwd)
        self.findings: dict[tuple[str, str], list[int]] = {}
        self.blobs: list[tuple[bytes, bytes]] = []

    def admitted(self) -> Admitted:
        if type(self.kind) is not str or self.kind not in table.KINDS:
            raise plain.NotAnOp(f"no kind of op is called {self.kind!r}")
        fields = table.fields_of(self.kind)
        self._refuse_strangers(fields)
        self._withhold()
        op: plain.Plain = {"kind": self.kind, "v": table.KINDS[self.kind][0]}
        for name, form, required in fields:
            if name in self.given and (required or form == "json" or self.given[name] not in ((), [])):
                op[name] = self._field(name, form, self.given[name])
        if self.findings:
            op["findings"] = [[*where, *what] for where, what in sorted(self.findings.items())]
        return Admitted(op, self.blobs)

    def _refuse_strangers(self, fields: tuple[table.Field, ...]) -> None:
        if "findings" in self.given:
            raise plain.NotAnOp("findings are the gate's own to make")
        known = [name for name, _, _ in fields]
        strangers = [str(name) for name in self.given if name not in known]
        if strangers:
            raise plain.NotAnOp(f"{self.kind} has no field {', '.join(sorted(strangers))}")

    # -- one way in per type of field -----------------------------------------------------------------------------

    def _field(self, name: str, form: str, value: Any) -> Any:
        """What the op will hold. A value of the wrong type passes: the seal names the field and what it should be."""
        if form == "blob":
            return self._blob(name, value)
        if form == "json":
            from ccos_core.session.arguments import argument_text

            text, found = argument_text(value)
            self._note(name, found)
            return self._blob(name, text, _as_it_is)
        if form in ("word", "text", "node", "path"):
            return self._inline(name, form, value)
        if form in ("texts", "nodes", "paths") and type(value) in (list, tuple):
            return [self._inline(name, form[:-1], each) for each in value]
        if form in ("sites", "items", "places") and type(value) in (list, tuple):
            return [self._row(name, "path" if form == "sites" else "node", row) for row in value]
        if form == "numbers" and type(value) is dict:
            numbers = {self._inline(name, "word", key): number for key, number in value.items()}
            return numbers if len(numbers) == len(value) else None  # two names that look the same are no names
        return value

    def _row(self, name: str, first: str, row: Any) -> Any:
        if type(row) not in (list, tuple):
            return row
        return [self._inline(name, "word" if at else first, cell) for at, cell in enumerate(row)]

    def _inline(self, name: str, form: str, value: Any) -> Any:
        if type(value) is not str:
            return value
        said = recorded(value, self.place, self.cwd if name != "cwd" else ".") if form == "path" else value
        text, found = _cleaned(said)
        if found:
            self._note(name, found)
            if name in NAMING:
                text = told_apart(text, said)
        return bounded_line(text, table.LONGEST[form], clean)

    def _blob(self, name: str, value: Any, cleaning: Clean | None = None) -> dict[str, Any]:
        if type(value) in (bytes, bytearray):
            value = bytes(value).decode("utf-8", "surrogateescape")
        if type(value) is not str:
            raise plain.NotAnOp(f"{self.kind}.{name} should be text, not {type(value).__name__}")
        content, reference, found = bounded_blob(value, cleaning or clean)
        self._note(name, found)
        blob = digest(content)
        self.blobs.append((blob, content))
        return {"blob": blob.hex(), "bytes": len(content), **reference}

    def _note(self, name: str, found: Iterable[Finding]) -> None:
        for kind, count, line in found:
            known = self.findings.setdefault((name, kind), [0, line])
            known[0] += count
            known[1] = min(known[1], line)

    # -- what may not be kept -------------------------------------------------------------------------------------

    def _withhold(self) -> None:
        """Take out contents that usually hold secrets, or that `.ccosignore` names."""
        keeps = self.withholding
        if self.kind == "seen":
            why = keeps.why_path(self.given.get("path"))
            if why:
                self.given.update(withheld=why)
                self.given.pop("content", None)
                self.given.pop("slice", None)
        if self.kind == "tool" and "arguments" in self.given:
            from ccos_core.session.arguments import parsed, why_withheld, without_contents

            arguments = self.given["arguments"] = parsed(self.given["arguments"])
            why = why_withheld(arguments, keeps.why_path, keeps.why_command)
            if why:
                kept = without_contents(arguments, keeps.why_path, keeps.named_in)
                self.given.update(arguments=kept, withheld=why)
                self.given.pop("result", None)
        for name in PRINTED:
            if name in self.given:
                self.given[name], found = keeps.without_lines(self.given[name])
                self._note(name, found)


_short: dict[tuple[object, str], tuple[str, tuple[Finding, ...]]] = {}
"""What short words became: sessions, paths and names come again and again."""


def _cleaned(said: str) -> tuple[str, tuple[Finding, ...]]:
    if len(said) > SHORT:
        return clean(said)
    known = _short.get((clean, said))
    if known is None:
        if len(_short) >= MOST_SHORT:
            _short.clear()
        known = _short[clean, said] = clean(said)
    return known


def _as_it_is(text: str) -> tuple[str, tuple[Finding, ...]]:
    return text, ()
