"""Python: which names a text uses, and as what.

The sweep in `python.py` has cut the text into stretches, each with the scope and the symbol it stands in. Here the
names are read off the text, strings, comments and imports blanked, and judged by their stretch: what a parameter, a
local name or a comprehension hides is no use of what is called the same outside.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

from ccos_core.text.syntax.outlining import Text, Uses
from ccos_core.values.code import MODULE

_NAME = rb"[A-Za-z_\x80-\xff][A-Za-z0-9_\x80-\xff]*"
NAMES = re.compile(rb"(" + _NAME + rb")[.A-Za-z0-9_\x80-\xff]*")
"""A name with what is dotted to it at once. What stands before is looked at later: that is slow, and for few."""
_REST = re.compile(rb"((?:\s*\.\s*" + _NAME + rb")*)[ \t]*(\()?")
_SUPER = re.compile(rb"\s*\([^()]*\)\s*\.\s*(" + _NAME + rb")")
_NO_USE = re.compile(rb"[\"']|\s*=(?![=}!:])")
"""After a name: it is the prefix of a string, or given a value, or a keyword's; not so `{name=}` in an f-string."""
_OMINOUS = b"\"' \t\r\n\f="
_SPACE = b" \t\r\n\f"
_NO_START = b".0123456789"
_NEWLINE = ord("\n")
_REACH_BYTES = 100
"""How far back to look for a dot at the end of a line before."""
SELVES = frozenset((b"self", b"cls", b"super"))
FUNCTION, CLASS, COMPREHENSION = range(3)
ANYTHING = b"*"
"""Among known names: there is a star import, so any name but Python's own may come from elsewhere."""


# Lists of our own rather than the running Python's, which would make a fact depend on its version.
_WORDS = b"""
    False None True and as assert async await break case class continue def del elif else except exec finally for
    from global if import in is lambda match nonlocal not or pass print raise return try type while with yield _
    ArithmeticError AssertionError AttributeError BaseException BaseExceptionGroup BlockingIOError BrokenPipeError
    BufferError BytesWarning ChildProcessError ConnectionAbortedError ConnectionError ConnectionRefusedError
    ConnectionResetError DeprecationWarning EOFError Ellipsis EncodingWarning EnvironmentError Exception
    ExceptionGroup FileExistsError FileNotFoundError FloatingPointError FutureWarning GeneratorExit IOError
    ImportError ImportWarning IndentationError IndexError InterruptedError IsADirectoryError KeyError
    KeyboardInterrupt LookupError MemoryError ModuleNotFoundError NameError NotADirectoryError NotImplemented
    NotImplementedError OSError OverflowError PendingDeprecationWarning PermissionError ProcessLookupError
    RecursionError ReferenceError ResourceWarning RuntimeError RuntimeWarning StopAsyncIteration StopIteration
    SyntaxError SyntaxWarning SystemError SystemExit TabError TimeoutError TypeError UnboundLocalError
    UnicodeDecodeError UnicodeEncodeError UnicodeError UnicodeTranslateError UnicodeWarning UserWarning ValueError
    Warning ZeroDivisionError __all__ __build_class__ __debug__ __doc__ __file__ __import__ __loader__ __name__
    __package__ __path__ __spec__ abs aiter all anext any ascii bin bool breakpoint bytearray bytes callable chr
    classmethod compile complex delattr dict dir divmod enumerate eval filter float format frozenset getattr globals
    hasattr hash help hex id input int isinstance issubclass iter len list locals map max memoryview min next object
    oct open ord pow property range repr reversed round set setattr slice sorted staticmethod str sum tuple vars
    zip"""
WORDS = frozenset(_WORDS.split())
"""Keywords and builtins."""


class Scope:
    """Where names are bound. The module's own is None: nothing there is hidden."""

    __slots__ = ("bound", "given", "kind", "outer")

    def __init__(self, kind: int, outer: Scope | None) -> None:
        self.kind = kind
        self.outer = outer
        self.bound: dict[bytes, int] = {}
        """Name → from where on; that matters in a class, which is run from top to bottom."""
        self.given: dict[bytes, bool] = {}
        """Names a function takes from elsewhere: True from the module or an import of its own, False from around."""

    def hides(self, name: bytes, at: int) -> bool:
        """Whether `name`, used at `at` directly in this scope, isn't what the module calls so."""
        scope: Scope | None = self
        while scope is not None:
            if scope.kind != CLASS:
                given = scope.given.get(name)
                if given:
                    return False
                if given is None and name in scope.bound:
                    return True
            elif scope is self and scope.bound.get(name, at + 1) <= at:
                return True
            scope = scope.outer
        return False


@dataclass(slots=True, eq=False)
class Draft:
    """A symbol on its way: its fields, and where its name stands in bytes."""

    name: str
    kind: str
    line: int
    first: int
    signature: int
    last: int
    at: int
    doc: int = 0
    index: int = MODULE


class Frame:
    """A stretch of text, and what standing in it means."""

    __slots__ = ("draft", "end", "foreign", "function", "inner", "kind", "outer", "role", "scope", "start")

    def __init__(self, kind: str, start: int, end: int, outer: Frame | None) -> None:
        self.kind = kind
        self.start = start
        self.end = end
        self.outer = outer
        self.draft: Draft | None = None
        """The symbol it is."""
        self.inner: Scope | None = None
        """The scope of its body, where that is not its own."""
        self.role: str = outer.role if outer is not None else ""
        self.scope: Scope | None = outer.scope if outer is not None else None
        self.function: bool = outer.function if outer is not None else False
        """Whether a function lies around it."""
        self.foreign: bool = outer.foreign if outer is not None else False
        """Whether `self` is of a class that is no symbol."""

    def owner(self) -> Draft | None:
        frame: Frame | None = self
        while frame is not None and frame.draft is None:
            frame = frame.outer
        return frame.draft if frame is not None else None


class Names(Uses):
    """The names of one file that are used."""

    def __init__(self, text: Text, code: bytes, known: set[bytes], members: set[bytes]) -> None:
        super().__init__(text)
        self.code = code + b"\n"
        self.known = known
        self.members = members
        """Names defined in classes of this file."""

    def read(self, edges: Sequence[int], frames: Sequence[Frame], skipped: set[int], bases: set[int]) -> None:
        """Note every use of a known name. `frames[n]` is what one stands in from `edges[n]` on; a name that begins in
        `skipped` is being bound, one in `bases` is the base of a class."""
        code, known, anything = self.code, self.known, ANYTHING in self.known
        ends = [*edges[1:], len(code) + 1]
        place, frame, owner = 0, frames[0], frames[0].draft
        for match in NAMES.finditer(code):
            name = match[1]
            if name not in known and (not anything or name in WORDS):
                continue
            start, end = match.span(1)
            before = code[start - 1] if start else _NEWLINE
            if before in _NO_START or start in skipped:
                continue
            if before in _SPACE and code[max(0, start - _REACH_BYTES) : start].rstrip(_SPACE).endswith(b"."):
                continue
            if ends[place] <= start:
                while ends[place] <= start:
                    place += 1
                frame = frames[place]
                owner = frame.owner()
            if code[end] in _OMINOUS and _NO_USE.match(code, end) and not (frame.kind == "type" and frame.end == end):
                continue  # but the `T` of `x: T = 1` is one
            if name in SELVES:
                if owner is not None and "." in owner.name and not frame.foreign:
                    self._note_self(name, start, end, owner.index)
            elif frame.scope is None or not frame.scope.hides(name, start):
                tail, is_called = self._tail(end)
                role = frame.role or ("call" if is_called else "name")
                if start in bases or frame.kind == "decorator":
                    role = self._role(start, frame, role, start in bases)
                self.note(owner.index if owner is not None else MODULE, name + tail, role, start)

    def _tail(self, end: int) -> tuple[bytes, bool]:
        """What follows a name by dots, and whether that is called."""
        match = _REST.match(self.code, end)
        if match is None:
            return b"", False
        tail = match[1]
        return b"".join(tail.split()) if tail else tail, match.lastindex == 2

    def _role(self, start: int, frame: Frame, role: str, is_base: bool) -> str:
        """The role of what a class derives from or a decorator names first; any other keeps its role."""
        if is_base:
            return "base"
        is_first = frame.kind == "decorator" and not self.code[frame.start + 1 : start].strip()
        return "decorator" if is_first else role

    def _note_self(self, name: bytes, start: int, end: int, owner: int) -> None:
        if name == b"super":
            match = _SUPER.match(self.code, end)
            if match is None:
                return
            name, end = b"super." + match[1], match.end()
        tail, is_called = self._tail(end)
        if name not in SELVES or (tail and (is_called or tail.split(b".", 2)[1] in self.members)):
            self.note(owner, name + tail, "call" if is_called else "name", start)
