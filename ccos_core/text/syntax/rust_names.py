"""Rust: which names a text uses, and as what.

`rust.py` has cut the text into spans. Here bindings are put where they reach, and every other name is judged by the
innermost span it stands in. A local value hides only plain values: not types, not macros, not the first name of a path.
What starts with a capital in a pattern is a constant or a variant and so a use.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from operator import itemgetter
from string import ascii_letters, digits
from typing import TYPE_CHECKING

from ccos_core.text.syntax.outlining import Text, Uses
from ccos_core.text.syntax.rust_scopes import (
    ATTRIBUTE,
    EVERYWHERE,
    NORMAL,
    NOWHERE,
    SILENT,
    TOKENS,
    Binding,
    Span,
    binding,
    bound_here,
    bound_names,
    bound_type,
    is_hidden,
)
from ccos_core.text.syntax.rust_text import IDENT, spelled
from ccos_core.values.code import Import, Symbol

if TYPE_CHECKING:
    from ccos_core.text.syntax.parse import Captures

NAME, TYPE, ROOT = range(3)

_GENERIC = rb"<[^;(){}]{0,300}?>"
_REST = re.compile(
    rb"((?:\s*::\s*(?:" + _GENERIC + rb"\s*::\s*)?" + IDENT + rb")*)"
    rb"(?:(!)(?!=)|[ ]*(?:::\s*" + _GENERIC + rb"[ ]*)?(\())?"
)
_METHOD = re.compile(rb"\s*\.\s*(" + IDENT + rb")\s*(?:::\s*" + _GENERIC + rb"\s*)?\(")
_WORD = re.compile(IDENT)
_GIVEN_NAME = re.compile(rb"\s*(?::(?!:)|=(?![=>]))")
"""After a name among tokens: it is a field, a parameter, a key."""
_DEFINED = re.compile(rb"\b(?:fn|mod|let|struct|enum|union|trait|type|static|const|mut|ref)\s+$")
_BEFORE = frozenset(b":.'$")
"""What stands before a name that isn't one of its own."""
_LEADING_ON = frozenset(b"_>" + (ascii_letters + digits).encode())
"""What stands before `::` where it leads on from something."""
_NO_USE = frozenset(b"'$")
_FURTHER = frozenset(b":!")
"""What stands behind a name that may go on."""
_OPENING, _COLON, _BANG, _DOT, _HASH, _DOLLAR = b"(:!.#$"
_CRATE = b"$crate"
_STANDARD = frozenset(
    b"""std core alloc bool char f32 f64 i8 i16 i32 i64 i128 isize str u8 u16 u32 u64 u128 usize""".split()
)
# What every module has without asking for it: kept only where the file itself defines or imports the name.
_PRELUDE = frozenset(b"Some None Ok Err Option Vec String Box Self _ drop derive cfg cfg_attr feature inline".split())
_ROOTS = frozenset(b"Self crate super".split())
_NEVER = _PRELUDE | {b"crate", b"super", _CRATE}
_MACROS = frozenset(
    b"""assert assert_eq assert_ne cfg column compile_error concat dbg debug_assert debug_assert_eq debug_assert_ne env
    eprint eprintln file format format_args include include_bytes include_str line macro_rules matches module_path
    option_env panic print println stringify thread_local todo try unimplemented unreachable vec write
    writeln""".split()
)


class Names(Uses):
    """The names of one file."""

    def __init__(self, text: Text, captures: Captures, spans: list[Span]) -> None:
        super().__init__(text)
        self.source = text.source + b"\n\n"
        """With something to look at behind the last name."""
        self.captures = captures
        self.spans = spans
        self.called: set[bytes] = set()
        """Names that methods are called on."""
        self.leads: dict[int, str] = {}
        """Where something is bound → the chain that a dot after it leads into."""
        self.known: set[bytes] = set()
        """What the file defines or imports."""
        self.anything = False
        """Whether a glob may bring any other name."""
        self.skipped = {node.start_byte for node in captures.get("passed", ())}
        """Where a name stands that is no use."""
        self.generic = {node.start_byte for node in captures.get("generic", ())}
        self.owned = self.generic | {node.start_byte for node in captures.get("field", ())}
        """Where something gets a name of its own."""
        for node in captures.get("pattern", ()):
            bound_names(text.source, node.start_byte, node.end_byte, self.owned)
        self.hiding = {name for span in spans for name in span.items}
        """All names that mean something else anywhere in the file than outside of it."""
        self.bases: set[int] = set()
        """Where a base is named."""
        self.types = {node.start_byte for node in captures.get("typename", ())}

    def read(self, symbols: Iterable[Symbol], imports: Iterable[Import], selves: Iterable[tuple[int, int]]) -> None:
        """Note what is used. `selves` has the functions that give their own type, and where."""
        for owner, at in selves:
            self.found[owner, "Self", "base"] = [at, 1]
        self.known.update(
            symbol.name.rpartition(".")[2].encode() for symbol in symbols if symbol.kind not in ("method", "variant")
        )
        for each in imports:
            if each.name:
                self.known.add(each.name.encode())
            self.anything |= each.item == "*" and each.module.lstrip(":").partition("::")[0].encode() not in _STANDARD
        self._sweep()

    def _sweep(self) -> None:
        """Judge each name in the order of the text: bindings precede their uses."""
        source, note, skipped, hiding, owned = self.source, self.note, self.skipped, self.hiding, self.owned
        spans, begun, top = [*self.spans, NOWHERE], 0, EVERYWHERE
        begins, ends = spans[0].start, top.end
        for start, end, kind in self._nodes():
            while begins <= start:
                top, begun = spans[begun], begun + 1
                begins, ends = spans[begun].start, top.end
            while ends <= start:
                top = top.outer or EVERYWHERE
                ends = top.end
            mode, before, after = top.mode, source[start - 1], source[end]
            if mode == SILENT or start in skipped:
                continue
            if before == _COLON and source[start - 2] == _COLON and source[start - 3] in _LEADING_ON:
                continue
            name = source[start:end]
            if source[start + 1] == _HASH:
                name = name.removeprefix(b"r#")
            if start in owned and self._owns(name, start, after, top):
                continue
            if after == _DOT and (kind == ROOT or name in hiding) and self._through(name, start, end, top):
                continue
            if mode or kind == ROOT or before in _BEFORE or after in _FURTHER or (after == _OPENING and kind == TYPE):
                self._meet(name, start, end, kind, top)
            elif name not in hiding or not is_hidden(name, start, top, kind == TYPE):  # by far most names come here
                role = "call" if after == _OPENING else "type" if kind == TYPE else "name"
                role = "base" if start in self.bases else role
                note(top.owner, name.decode("utf-8", "replace"), role, start)

    def _owns(self, name: bytes, start: int, after: int, top: Span) -> bool:
        """Whether something is called so from here on; then that hides what is outside."""
        generic = start in self.generic
        if not generic and (after == _OPENING or name[:1].isupper()):
            return False
        if top.scope is not None:
            self.hiding.add(name)
            if generic:
                top.scope.items.add(name)
            else:
                top.scope.bound.setdefault(name, []).append(binding(start, top))
        return True

    def _nodes(self) -> list[tuple[int, int, int]]:
        """(start, end, kind) of each name that may matter, by itself and by what follows it."""
        source, known, further, method = self.source, self.known, self._goes_on, _METHOD.match
        nodes: list[tuple[int, int, int]] = []
        for kind, key in ((NAME, "name"), (NAME, "field"), (TYPE, "typename")):
            found = [(node.start_byte, node.end_byte, kind) for node in self.captures.get(key, ())]
            if self.anything:
                never = (_PRELUDE - known) | {b""}  # a name that is missing in broken code
                nodes += [at for at in found if source[at[0] : at[1]] not in never or further(at[0], at[1])]
            else:
                # where something else gets the name a method is called on, it matters too
                self.called |= {
                    source[start:end] for start, end, _ in found if source[end] == _DOT and method(source, end)
                }
                nodes += [at for at in found if source[at[0] : at[1]] in known or further(at[0], at[1])]
        for node in self.captures.get("root", ()):
            start, end = node.start_byte, node.end_byte
            if source[end] in b":." and (source[start] != _DOLLAR or source[start:end] == _CRATE):
                nodes.append((start, end, ROOT))
        nodes.sort(key=itemgetter(0))
        return nodes

    def _goes_on(self, start: int, end: int) -> bool:
        """Whether a name that says nothing by itself may do so by what belongs to it."""
        source, after = self.source, self.source[end]
        if start == end:
            return False
        if after == _DOT or start in self.owned:
            return source[start:end] in self.called
        if after == _COLON:
            return source[end + 1] == _COLON
        return after == _BANG or source[start + 1] == _HASH

    def _meet(self, name: bytes, start: int, end: int, kind: int, top: Span) -> None:
        """Note a name, with what follows it, if it is a use of something the tree may have."""
        source, mode, after = self.source, top.mode, self.source[end]
        if mode == ATTRIBUTE and after != _COLON and name not in self.known:
            return
        leading = source[start - 2 : start] == b"::"
        if self._passed(start) or (leading and _follows(source, start - 2)):
            return
        match = _REST.match(source, end)
        rest, bang, called = match.groups() if match else (b"", None, None)
        if not (rest or bang) and not self._reads(name, start, end, mode):
            return
        further = _names(rest) if rest else []
        if leading:
            chain = ["", spelled(name), *further]
        elif name == b"self":
            chain = further
        elif self._counts(name, bool(rest), bool(bang)) and not is_hidden(
            name, start, top, kind == TYPE or bool(rest or bang)
        ):
            chain = ["crate" if name == _CRATE else spelled(name), *further]
        else:
            return
        if not chain:  # broken code only
            return
        last = end + len(rest) - len(further[-1].encode()) if further else start
        is_type = last in self.types or (mode == TOKENS and _is_type(chain[-1]))
        role = self._role(start, mode, is_type, bool(bang or (called and (rest or kind != TYPE))))
        self.note(top.owner, ".".join(chain) + ("!" if bang else ""), role, start)

    def _reads(self, name: bytes, start: int, end: int, mode: int) -> bool:
        """Whether a name alone is a use where names are given rather than parsed."""
        if mode == NORMAL:
            return True
        if mode == TOKENS and _no_use(self.source, start, end):
            return False
        if name in self.known:
            return True
        return mode == TOKENS and (self.source[end] == _OPENING or name[:1].isupper())

    def _passed(self, start: int) -> bool:
        """Whether a name is no use by what stands before it: a label, a member, a macro's own variable."""
        before = self.source[start - 1]
        return before in _NO_USE or (before == _DOT and self.source[start - 2] != _DOT)

    def _role(self, start: int, mode: int, is_type: bool, called: bool) -> str:
        if mode == ATTRIBUTE:
            return "decorator"
        if called:
            return "call"
        if start in self.bases:
            return "base"
        return "type" if is_type else "name"

    def _through(self, name: bytes, start: int, end: int, top: Span) -> bool:
        """Whether a name before a dot is `self` or bound here; a method called on what is known is noted."""
        if name == b"self":
            lead = "self"
        else:
            bound = bound_here(name, start, top)
            if bound is None:
                return False
            if bound.at not in self.leads:
                self.leads[bound.at] = self._lead(bound, top)
            lead = self.leads[bound.at]
        if lead and (match := _METHOD.match(self.source, end)) is not None:
            self.note(top.owner, f"{lead}.{spelled(match.group(1))}", "call", start)
        return True

    def _lead(self, bound: Binding, top: Span) -> str:
        """The chain of what a dot after something bound leads into; empty if that isn't clear."""
        path = bound_type(self.source, bound.at, bound.let)
        names = [spelled(word) for word in _WORD.findall(path)]
        if not names:
            return ""
        head = names[0].encode()
        if path.startswith(b"::"):
            return "." + ".".join(names)
        if head in _ROOTS or (self._counts(head, len(names) > 1, False) and not is_hidden(head, bound.at, top, True)):
            return ".".join(names)
        return ""

    def _counts(self, name: bytes, path: bool, bang: bool) -> bool:
        """Whether something in the tree may be meant."""
        if name in self.known:
            return True
        if bang and not path:
            return name not in _MACROS
        if path and not name[:1].isupper():
            return name not in _STANDARD
        return (path and name == b"Self") or (self.anything and name not in _NEVER)


def _follows(source: bytes, colons: int) -> bool:
    """Whether these `::` lead on from a name, so that what comes after them is a member."""
    at = colons - 1
    while at >= 0 and source[at] in b" \t\r\n":
        at -= 1
    before = source[max(at, 0) : at + 1]
    return before.isalnum() or before in (b"_", b">", b")", b"]") or before >= b"\x80"


def _no_use(source: bytes, start: int, end: int) -> bool:
    """Among tokens: whether a name is a field's, a parameter's, a key, or one that is given to something."""
    return _GIVEN_NAME.match(source, end) is not None or _DEFINED.search(source, max(0, start - 12), start) is not None


def _is_type(name: str) -> bool:
    """Whether a name is written as those of types are."""
    return name[:1].isupper() and not name.isupper()


def _names(rest: bytes) -> list[str]:
    """The names of a path's rest, without the generic arguments among them."""
    if b"<" in rest:
        rest = re.sub(rb"::\s*" + _GENERIC + rb"\s*(?=::)", b"", rest)
    return [spelled(word) for word in _WORD.findall(rest)]
