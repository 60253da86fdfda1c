"""Python sources, outlined.

The tree gives positions; one sweep over them in the order of the text finds what is defined, bound and imported, and
in which scope each stretch of text stands. The names that are used are then read off the text itself
(`python_names`): asking the tree for each identifier would cost more than all the rest. What stands inside of a
function belongs to that function; what a function defines is its own affair and no symbol.
"""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Callable, Mapping, Sequence
from functools import lru_cache, partial
from itertools import islice
from typing import TYPE_CHECKING

from ccos_core.text.syntax.outlining import Text
from ccos_core.text.syntax.python_names import (
    CLASS,
    COMPREHENSION,
    FUNCTION,
    SELVES,
    Draft,
    Frame,
    Names,
    Scope,
)
from ccos_core.values.code import MODULE, Import, Outline, Symbol, rows_of

if TYPE_CHECKING:
    from tree_sitter import Node

    from ccos_core.text.syntax.parse import Captures

_ORDER = (
    *("body", "iterated", "decorated", "decorator", "class", "function", "assignment", "augmented", "comprehension"),
    *("lambda", "import", "type", "target", "walrus", "global", "nonlocal", "typevar", "doc"),
)
"""What is met first where two begin and end together: what holds before what it holds."""

_DEFINING = ("class", "function")

_Span = tuple[int, int]
_Event = tuple[int, int, int, tuple[int, ...]]
"""Start, end with a minus, place in that order; of a definition, start and end of its name and start of its body."""

_Imported = tuple[tuple[bytes, tuple[str, str, str]], ...]
"""Of each thing an import names, the name that is given, as it stands, and (name, module, item)."""

_IMPORT = re.compile(rb"(?:from\b(.*?))?\bimport\b(.*)")
_OPENING = re.compile(rb"\w*(?:\"\"\"|'''|\"|')\s*")
DEEPEST = 200
"""Scopes and statements in each other that are told apart; what lies deeper is taken to stand in the last of them."""
_VALUES = re.compile(rb"(?:Literal|Annotated)\s*\[[^\[\]]*\Z")
"""Before a string in an annotation: it is no type."""
_REACH_BYTES = 200
"""How far back to look for that."""


def outline(source: bytes, root: Node, captures: Captures) -> Outline:
    """The outline of a Python tree."""
    sweep = _Sweep(source, captures)
    sweep.run()
    drafts = sorted(sweep.drafts, key=lambda draft: draft.at)
    for index, draft in enumerate(drafts):
        draft.index = index
    imports = sweep.rows_of_imports()
    known = {draft.name.partition(".")[0].encode() for draft in drafts} | {row[0].encode() for row in imports}
    members = {draft.name.rpartition(".")[2].encode() for draft in drafts if "." in draft.name}
    names = Names(sweep, sweep.code, known | SELVES, members)
    names.read(sweep.edges, sweep.frames, sweep.skipped, {node.start_byte for node in captures.get("base", ())})
    sweep.note_listed(names)
    symbols = [(each.name, each.kind, each.line, each.first, each.signature, each.last, each.doc) for each in drafts]
    return Outline(rows_of(Symbol, symbols), rows_of(Import, imports), names.references())


@lru_cache(maxsize=2048)  # the files of one tree import the same, and so do the versions of one file
def imported(words: bytes) -> _Imported:
    """What the words of an import statement name."""
    match = _IMPORT.match(words)
    if match is None:
        return ()
    found = []
    for said in match[2].translate(None, b"()\\").split(b","):
        item, _, name = (part.replace(b" ", b"") for part in said.partition(b" as "))
        if not item:
            continue
        if match[1] is not None:
            row = name or item, match[1].translate(None, b" \\"), item
        elif name and b"." in item:
            # `import a.b as c` is `from a import b as c`; without the `as` it binds `a`, and makes `a.b` known.
            module, _, item = item.rpartition(b".")
            row = name, module, item
        else:
            row = name or item.partition(b".")[0], item, b""
        texts = [part.decode("utf-8", "replace") for part in row]
        found.append((row[0], (texts[0], texts[1], texts[2])))
    return tuple(found)


class _Sweep(Text):
    """One file, met from its first byte to its last."""

    def __init__(self, source: bytes, captures: Captures) -> None:
        super().__init__(source)
        self.captures = captures
        self.texts = _in_order(captures.get("text", ()))
        self.statements: dict[int, bytes] = {}
        """Where an import begins → its words."""
        self.code = self._code()
        """The source without strings, comments and imports; what is left stands where it stood."""
        self.drafts: list[Draft] = []
        self.constants: dict[tuple[Draft | None, bytes], Draft] = {}
        self.imports: list[tuple[int, Frame, _Imported]] = []
        self.skipped: set[int] = set()
        """Where a name begins that is bound there, not used."""
        self.lists: list[Frame] = []
        """Statements that fill `__all__`."""
        root = Frame("module", 0, len(source) + 1, None)
        self.stack = [root]
        self.edges = [0]
        self.frames = [root]
        """From each edge on, what one stands in."""

    def run(self) -> None:
        stack = self.stack
        for start, minus_end, kind, parts in self._events():
            while stack[-1].end <= start:
                self._leave()
            if len(stack) < DEEPEST or kind >= _LEAST:
                _MEET[kind](self, start, -minus_end, *parts)
        while len(stack) > 1:
            self._leave()

    def rows_of_imports(self) -> list[tuple[str, str, str, int, int, bool]]:
        """The imports, once symbols have their places."""
        found = []
        for start, frame, named in self.imports:
            draft, line = frame.owner(), self.line(start)
            owner = draft.index if draft is not None else MODULE
            exported = owner == MODULE and not frame.function
            found += [(*row, line, owner, exported) for _, row in named]
        return found

    def note_listed(self, names: Names) -> None:
        """`__all__` names things by strings."""
        draft = self.constants.get((None, b"__all__"))
        for frame in self.lists:
            for start, end in islice(self.texts, bisect_left(self.texts, (frame.start, 0)), None):
                if end > frame.end:
                    break
                if self.source[start:end].decode("utf-8", "replace").isidentifier():
                    names.note(draft.index if draft is not None else MODULE, self.source[start:end], "listed", start)

    # -- before the sweep -----------------------------------------------------------------------------------------

    def _code(self) -> bytes:
        source, code = self.source, bytearray(self.source)
        for start, end in self.texts:
            code[start:end] = b" " * (end - start)
        for node in self.captures.get("quoted", ()):
            start, end = node.start_byte, node.end_byte
            if not _VALUES.search(code, max(0, start - _REACH_BYTES), start - 1):
                code[start : end + 1] = source[start:end] + b";"  # not a quote, which would make it a prefix
        for kind in ("import", "future"):
            for node in self.captures.get(kind, ()):
                start, end = node.start_byte, node.end_byte
                self.statements[start] = b" ".join(code[start:end].split())
                code[start:end] = b" " * (end - start)
        if source.startswith(b"\xef\xbb\xbf"):
            code[:3] = b"   "
        return bytes(code).replace(b"\\\n", b"  ").replace(b"\\\r\n", b"   ")

    def _events(self) -> list[_Event]:
        """What is met, in order."""
        captures = self.captures
        events: list[_Event] = []
        for place, kind in enumerate(_ORDER):
            nodes = captures.get(kind, ())
            if kind not in _DEFINING:
                events += [(node.start_byte, -node.end_byte, place, ()) for node in nodes]
                continue
            parts = (nodes, captures.get(f"{kind}.name", ()), captures.get(f"{kind}.body", ()))
            for (start, end), (name, name_end), (body, body_end) in zip(*map(_in_order, parts), strict=True):
                events.append((start, -end, place, (name, name_end, body)))
                events.append((body, -body_end, _BODY, ()))
        events += [(node.start_byte, -node.end_byte, _BODY, ()) for node in captures.get("lambda.body", ())]
        events.sort()
        return events

    # -- what is met ----------------------------------------------------------------------------------------------

    def _enter(self, kind: str, start: int, end: int) -> Frame:
        frame = Frame(kind, start, end, self.stack[-1])
        self.stack.append(frame)
        self.edges.append(start)
        self.frames.append(frame)
        return frame

    def _leave(self) -> None:
        self.edges.append(self.stack.pop().end)
        self.frames.append(self.stack[-1])

    def _define(self, start: int, end: int, at: int, name_end: int, body: int, kind: str) -> None:
        above, name = self.stack[-1], self.source[at:name_end]
        self.skipped.add(at)
        if above.scope is not None:
            above.scope.bound.setdefault(name, end)
        owner = above.owner()
        frame = self._enter(kind, start, end)
        frame.inner, frame.role = Scope(CLASS if kind == "class" else FUNCTION, above.scope), ""
        if above.function:
            frame.foreign = above.foreign or kind == "class"
            return
        holder = above if above.kind == "decorated" else frame
        line, colon = self.line(at), self.code.rfind(b":", name_end, body)
        signature = self.line(colon) if colon > 0 else line
        full = name.decode("utf-8", "replace")
        if owner is not None:
            full, kind = f"{owner.name}.{full}", "method" if kind == "function" else kind
        last = self.line(max(start, end - 1))
        holder.draft = Draft(full, kind, line, self.line(holder.start), signature, last, at)
        self.drafts.append(holder.draft)

    def _body(self, start: int, end: int) -> None:
        above = self.stack[-1]
        frame = self._enter("body", start, end)
        frame.scope, frame.role = above.inner, ""
        frame.function = above.function or above.kind != "class"

    def _stretch(self, start: int, end: int, kind: str) -> None:
        """What means little more than its kind."""
        above = self.stack[-1]
        if kind in ("assignment", "augmented") and above.function:
            return
        frame = self._enter(kind, start, end)
        if kind == "comprehension":
            frame.scope = Scope(COMPREHENSION, frame.scope)
        elif kind == "iterated":  # what a comprehension runs over first is worked out before it has names of its own
            frame.scope = above.outer.scope if above.outer is not None else None
        elif kind == "lambda":
            frame.inner = Scope(FUNCTION, frame.scope)
        elif kind == "type":
            frame.role = "type"

    def _import(self, start: int, _end: int) -> None:
        frame = self.stack[-1]
        named = imported(self.statements[start])
        self.imports.append((start, frame, named))
        if frame.function and frame.scope is not None:
            frame.scope.given.update(dict.fromkeys([name for name, _ in named], True))

    def _target(self, start: int, end: int) -> None:
        self.skipped.add(start)
        frame = self._holder()
        name = self.source[start:end]
        if frame.kind == "assignment":
            self._constant(name, start, frame)
        elif frame.kind in ("function", "lambda") and frame.inner is not None:
            frame.inner.bound[name] = start
        elif frame.scope is not None:
            frame.scope.bound.setdefault(name, start)
        if name == b"__all__" and frame.kind in ("assignment", "augmented") and frame.scope is None:
            self.lists.append(frame)
            frame.draft = self.constants.get((None, name))

    def _constant(self, name: bytes, start: int, frame: Frame) -> None:
        if frame.scope is not None:
            frame.scope.bound.setdefault(name, frame.end)
        around = frame.outer
        while around is not None and around.kind == "assignment":  # of several in a row, `a = b = 1`
            around = around.outer
        owner = around.owner() if around is not None else None
        if (owner, name) in self.constants:
            return
        full = name.decode("utf-8", "replace")
        full = f"{owner.name}.{full}" if owner is not None else full
        line = self.line(frame.start)
        draft = Draft(full, "constant", line, line, line, self.line(frame.end - 1), start)
        self.constants[owner, name] = draft
        self.drafts.append(draft)
        frame.draft = frame.draft or draft

    def _walrus(self, start: int, end: int) -> None:
        self.skipped.add(start)
        scope = self.stack[-1].scope
        while scope is not None and scope.kind == COMPREHENSION:
            scope = scope.outer
        if scope is not None:
            scope.bound.setdefault(self.source[start:end], start)

    def _declared(self, start: int, end: int, from_module: bool) -> None:
        self.skipped.add(start)
        scope = self.stack[-1].scope
        if scope is not None:
            scope.given[self.source[start:end]] = from_module

    def _typevar(self, start: int, end: int) -> None:
        """It is known in the whole definition, the bodies inside of it included."""
        self.skipped.add(start)
        frame = self._holder()
        scope = Scope(FUNCTION, frame.scope)
        scope.bound[self.source[start:end]] = start
        frame.scope = scope
        if frame.inner is not None:
            frame.inner.outer = scope

    def _doc(self, start: int, end: int) -> None:
        definition = self.stack[-1].outer
        if definition is None:
            return
        draft = definition.draft
        if draft is None and definition.outer is not None and definition.outer.kind == "decorated":
            draft = definition.outer.draft
        opening = _OPENING.match(self.source, start, end)
        if draft is not None:
            draft.doc = self.line(opening.end() if opening is not None and opening.end() < end else start)

    def _holder(self) -> Frame:
        """What one stands in, types aside."""
        frame = self.stack[-1]
        while frame.kind == "type" and frame.outer is not None:
            frame = frame.outer
        return frame


_BODY, _LEAST = _ORDER.index("body"), _ORDER.index("import")
_OWN_WAYS: Mapping[str, Callable[..., None]] = {
    "class": partial(_Sweep._define, kind="class"),
    "function": partial(_Sweep._define, kind="function"),
    "global": partial(_Sweep._declared, from_module=True),
    "nonlocal": partial(_Sweep._declared, from_module=False),
    **{kind: getattr(_Sweep, f"_{kind}") for kind in ("body", "import", "target", "walrus", "typevar", "doc")},
}
_MEET = tuple(_OWN_WAYS.get(kind) or partial(_Sweep._stretch, kind=kind) for kind in _ORDER)
"""What meets each kind, by its place in that order."""


def _in_order(nodes: Sequence[Node]) -> list[_Span]:
    """Where these begin and end, in the order of the text."""
    return sorted([(node.start_byte, node.end_byte) for node in nodes])
