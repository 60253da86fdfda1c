"""Markdown: headings as symbols, and links to other files; without a grammar, in one pass over the lines.

    read_markdown("# A\n\n- [ ] todo\n").headings[0].title      # "A"

Follows the block structure of CommonMark 0.31 as far as it decides what a heading is: quotes, lists, fences, indented
code, HTML blocks, link definitions, lazy lines. Only headings outside of quotes and lists are symbols. A symbol is
called by its slug and reaches to the next heading of any level. Front matter before the text is a symbol of its own.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Final, NamedTuple

from ccos_core.values.code import MODULE, Import, Outline, Symbol

MOST_OPEN = 20
"""Quotes and list items inside of each other; what opens more is text. Other readers stop there, too."""
DEFINITION_LINES = 3
"""Lines of a link definition: label, address, title."""
FRONT_MATTER = "front-matter"
HEADINGS = ("h1", "h2", "h3", "h4", "h5", "h6")
"""What kind of symbol a heading is, by level."""
UNNAMED = "section"
"""The slug of a heading without letters."""

_ATX = re.compile(r"(#{1,6})(?: +(.*))?")
_SETEXT = re.compile(r"(=+|-+) *")
_FENCE = re.compile(r"(`{3,})([^`]*)|(~{3,})(.*)")
_MARKER = re.compile(r"([*+-]|([0-9]{1,9})[.)])(?= |$)")
_TASK = re.compile(r"\[([ xX])\] +(.*)")
_DEFINITION = re.compile(
    r"""\ {0,3}\[(?=[^\]]*[^\s\]])(?:[^\[\]\\]|\\.){1,999}\]:[ ]*\n?[ ]*(?:<([^<>\n]*)>|([^\s<]\S*))"""
    r"""(?:(?:[ ]+|[ ]*\n[ ]*)(?:"(?:[^"\\]|\\.)*"|'(?:[^'\\]|\\.)*'|\((?:[^()\\]|\\.)*\)))?[ ]*(?:\n|$)""",
    re.DOTALL,
)
_LINK = re.compile(r"\]\(\s*(?:<([^<>\n]*)>|([^\s<>()]+))")
_LINKED_WORDS = re.compile(r"!?\[([^\[\]]*)\]\([^()\s]*\)")
_NOT_IN_SLUGS = re.compile(r"[^\w\- ]")
_SCHEME = re.compile(r"[A-Za-z][A-Za-z0-9+.-]*:|//")
_KEY = re.compile(r"""["']?[\w.-]+["']?[ ]*[:=]""")

_BLOCK_TAGS: Final = (
    "address|article|aside|base|basefont|blockquote|body|caption|center|col|colgroup|dd|details|dialog|dir|div|dl|dt"
    "|fieldset|figcaption|figure|footer|form|frame|frameset|h[1-6]|head|header|hr|html|iframe|legend|li|link|main|menu"
    "|menuitem|nav|noframes|ol|optgroup|option|p|param|search|section|summary|table|tbody|td|tfoot|th|thead|title|tr"
    "|track|ul"
)
_ATTRIBUTE: Final = r"""(?: +[a-zA-Z_:][\w:.-]*(?: *= *(?:[^"'=<>` ]+|'[^']*'|"[^"]*"))?)"""
_HTML: tuple[tuple[re.Pattern[str], re.Pattern[str] | None], ...] = (
    (
        re.compile(r"<(?:script|pre|style|textarea)(?=[ >]|$)", re.I),
        re.compile(r"</(?:script|pre|style|textarea)>", re.I),
    ),
    (re.compile("<!--"), re.compile("-->")),
    (re.compile(r"<\?"), re.compile(r"\?>")),
    (re.compile("<![A-Za-z]"), re.compile(">")),
    (re.compile(r"<!\[CDATA\["), re.compile(r"\]\]>")),
    (re.compile(rf"</?(?:{_BLOCK_TAGS})(?=[ ]|/?>|$)", re.I), None),
    (re.compile(rf"<(?:[A-Za-z][A-Za-z0-9-]*{_ATTRIBUTE}* */?>|/[A-Za-z][A-Za-z0-9-]* *>) *$"), None),
)
"""How each kind of HTML block begins and ends; None at a blank line. The last can't interrupt a paragraph."""


class Heading(NamedTuple):
    """A heading outside of quotes and lists."""

    title: str
    """As it stands in the source, without its marks."""
    level: int
    first: int
    last: int
    """Its own lines, counted from 1: two or more where it is underlined."""


class Item(NamedTuple):
    """An item of a list."""

    text: str
    """Its first line."""
    done: bool | None
    """Whether its box is ticked; None if it has none."""
    line: int


class Link(NamedTuple):
    """A link to something that isn't on the web."""

    path: str
    """Empty for the same file."""
    anchor: str
    line: int


@dataclass(slots=True)
class Markdown:
    """What stands in a text, in its order."""

    front: tuple[int, int] | None = None
    """First and last line of the front matter."""
    headings: list[Heading] = field(default_factory=list)
    items: list[Item] = field(default_factory=list)
    links: list[Link] = field(default_factory=list)
    lines: list[str] = field(default_factory=list)


def outline(source: bytes) -> Outline:
    """What a Markdown file says about itself."""
    found = read_markdown(source.decode("utf-8", "replace"))
    symbols = [Symbol(FRONT_MATTER, FRONT_MATTER, 1, 1, 1, found.front[1])] if found.front else []
    ends = [each.first - 1 for each in found.headings[1:]] + [len(found.lines)]
    for each, end in zip(found.headings, ends, strict=False):
        while end > each.last and not found.lines[end - 1].strip():
            end -= 1
        symbols.append(Symbol(slug(each.title), HEADINGS[each.level - 1], each.first, each.first, each.last, end))
    imports, owner = [], MODULE
    for link in sorted(found.links, key=lambda each: each.line):
        while owner + 1 < len(symbols) and symbols[owner + 1].first <= link.line:
            owner += 1
        imports.append(Import("", link.path, link.anchor, link.line, owner))
    return Outline(tuple(symbols), tuple(imports))


def slug(title: str) -> str:
    """The name of a heading as links write it: `Build & test` → `build--test`."""
    title = _LINKED_WORDS.sub(r"\1", title).replace("\n", " ")
    words = _NOT_IN_SLUGS.sub("", title).strip().lower().replace(" ", "-")
    return words or UNNAMED


def read_markdown(text: str) -> Markdown:
    """Read the structure of a text; linear in its length."""
    reading = _Reading(text.removeprefix("\ufeff").split("\n"))
    lines = reading.found.lines
    for at in range(reading.after_front_matter(), len(lines)):
        reading.number = at + 1
        for part in lines[at].removesuffix("\r").split("\r"):
            reading.line(part.expandtabs(4).replace("\f", " "))
    reading.end_paragraph()
    return reading.found


class _Item:
    """An open list item; an open quote is None."""

    __slots__ = ("is_empty", "width")

    def __init__(self, width: int, is_empty: bool) -> None:
        self.width = width
        """Spaces before its further lines."""
        self.is_empty = is_empty


class _Reading:
    """A text that is read line by line."""

    def __init__(self, lines: list[str]) -> None:
        self.found = Markdown(lines=lines)
        self.number = 0
        self.open: list[_Item | None] = []
        self.paragraph: list[tuple[int, str]] = []
        """Number and text of each line of the open paragraph, ..."""
        self.fence = ""
        """... or what closes the open fence, ..."""
        self.html: re.Pattern[str] | None = None
        self.in_html = False
        """... or whether HTML goes on, and until where."""

    def after_front_matter(self) -> int:
        """How many lines the front matter takes."""
        lines = self.found.lines
        mark = lines[0].rstrip()
        if mark not in ("---", "+++") or len(lines) < 3 or not (_KEY.match(lines[1]) or lines[1].startswith("#")):
            return 0
        for at in range(1, len(lines)):
            if lines[at].rstrip() in (mark, "..." if mark == "---" else mark):
                self.found.front = 1, at + 1
                return at + 1
        return 0

    def line(self, line: str) -> None:
        """Read the next line."""
        kept, at = self._kept(line)
        all_kept = kept == len(self.open)
        if not all_kept and (self.fence or self.in_html):
            self._close(kept)
        if self.fence or self.in_html:
            self._go_on(line[at:])
            return
        self._end_definition(line[at:])
        goes_on = all_kept and bool(self.paragraph)
        if not line[at:].strip(" "):
            self._close(kept)
            self.end_paragraph()
            return
        opened = False
        while (inside := self._container(line, at, goes_on)) is not None:
            if not opened:
                self._close(kept)
            opened, goes_on = True, False
            self.end_paragraph()
            self._fill()
            container, at = inside
            self.open.append(container)
        rest = line[at:]
        if opened:
            all_kept = True
        if self._leaf(rest, kept, all_kept, goes_on):
            return
        if not all_kept and self.paragraph:  # a lazy line
            self.paragraph.append((self.number, rest))
            return
        if not all_kept:
            self._close(kept)
        if not rest.strip(" "):
            return
        if self.paragraph or not rest.startswith("    "):
            self.paragraph.append((self.number, rest))
        self._fill()

    def end_paragraph(self) -> None:
        """End the open paragraph, and take the links out of it."""
        if self.paragraph:
            self._links(self.paragraph)
            self.paragraph = []

    # -- helpers --------------------------------------------------------------------------------------------------

    def _kept(self, line: str) -> tuple[int, int]:
        """How many of the open containers a line stays in, and where its text begins in there."""
        at = 0
        blank = not line.strip(" ")
        for kept, container in enumerate(self.open):
            if container is None:
                start = at + _indent(line, at)
                if start - at > 3 or line[start : start + 1] != ">":
                    return kept, at
                at = start + 1 + (line[start + 1 : start + 2] == " ")
                blank = blank or not line[at:].strip(" ")
            elif blank:
                if container.is_empty:
                    return kept, at
            elif _indent(line, at) >= container.width:
                at += container.width
            else:
                return kept, at
        return len(self.open), at

    def _close(self, kept: int) -> None:
        """Close the containers behind the first few, with what is open in them."""
        if kept < len(self.open):
            del self.open[kept:]
            self.end_paragraph()
            self.fence, self.in_html, self.html = "", False, None

    def _go_on(self, rest: str) -> None:
        """Read a line of an open fence or HTML block."""
        if self.fence:
            closing = rest.strip(" ")
            if _indent(rest, 0) <= 3 and closing.startswith(self.fence) and not closing.strip(self.fence[0]):
                self.fence = ""
        elif self.html.search(rest) if self.html is not None else not rest.strip(" "):
            self.in_html = False

    def _container(self, line: str, at: int, goes_on: bool) -> tuple[_Item | None, int] | None:
        """The quote or list item that begins here, and where its text does."""
        indent = _indent(line, at)
        start = at + indent
        if indent > 3 or len(self.open) >= MOST_OPEN:
            return None
        if line[start : start + 1] == ">":
            return None, start + 1 + (line[start + 1 : start + 2] == " ")
        marker = _MARKER.match(line, start)
        if marker is None or _is_rule(line[start:]):
            return None
        after = marker.end()
        is_empty = not line[after:].strip(" ")
        if goes_on and (is_empty or (marker[2] is not None and int(marker[2]) != 1)):
            return None
        spaces = _indent(line, after)
        inside = 1 if is_empty or spaces > 4 else spaces
        text = line[after:].strip(" ")
        task = _TASK.match(text)
        done = None if task is None else task[1] != " "
        self.found.items.append(Item(text if task is None else task[2], done, self.number))
        return _Item(after - at + inside, is_empty), min(after + inside, len(line))

    def _leaf(self, rest: str, kept: int, all_kept: bool, goes_on: bool) -> bool:
        """Read a heading, a rule, or the beginning of a fence or of HTML; gives whether it is one."""
        indent = _indent(rest, 0)
        text = rest[indent:].rstrip(" ")
        if indent > 3 or not text:
            return False
        if goes_on and _SETEXT.fullmatch(text) and self._underline(1 if text[0] == "=" else 2):
            return True
        heading = _ATX.fullmatch(text)
        fence = _FENCE.fullmatch(text)
        html = next((each for each in _HTML if each[0].match(text)), None) if text[0] == "<" else None
        if html is _HTML[-1] and self.paragraph:
            html = None
        if heading is None and fence is None and html is None and not _is_rule(text):
            return False
        if not all_kept:
            self._close(kept)
        self.end_paragraph()
        self._fill()
        if heading is not None:
            title = _without_closing(heading[2] or "")
            self._links([(self.number, "# " + title)])
            if not self.open:
                self.found.headings.append(Heading(title, len(heading[1]), self.number, self.number))
        elif fence is not None:
            self.fence = fence[1] or fence[3]
        elif html is not None and not (html[1] is not None and html[1].search(text)):
            self.in_html, self.html = True, html[1]
        return True

    def _underline(self, level: int) -> bool:
        """End the open paragraph as a heading; not if it only defines links."""
        lines = self.paragraph
        told = "\n".join(text for _, text in lines)
        defined = _definitions_end(told)
        if not told[defined:].strip():
            return False
        first = lines[told.count("\n", 0, defined)][0]
        self.end_paragraph()
        if not self.open:
            title = "\n".join(each.strip(" ") for each in told[defined:].split("\n"))
            self.found.headings.append(Heading(title, level, first, self.number))
        return True

    def _end_definition(self, rest: str) -> None:
        """End the open paragraph if it defines a link, and the next line has no title for it."""
        lines = self.paragraph
        if 0 < len(lines) <= DEFINITION_LINES and lines[0][1].lstrip(" ").startswith("["):
            told = "\n".join(text for _, text in lines)
            if _definitions_end(told) == len(told) and _definitions_end(f"{told}\n{rest}") <= len(told) + 1:
                self.end_paragraph()

    def _fill(self) -> None:
        """Note that the innermost list item has something in it."""
        if self.open and self.open[-1] is not None:
            self.open[-1].is_empty = False

    def _links(self, lines: list[tuple[int, str]]) -> None:
        told = "\n".join(text for _, text in lines)
        end = _definitions_end(told)
        nth = before = 0
        for found in (*_definitions(told), *_LINK.finditer(told, end)):
            nth += told.count("\n", before, found.start())
            before = found.start()
            target = found[1] if found[1] is not None else found[2]
            if not _SCHEME.match(target):
                path, _, anchor = target.partition("#")
                self.found.links.append(Link(path, anchor, lines[nth][0]))


def _indent(line: str, at: int) -> int:
    """How many spaces follow a place."""
    return len(line) - at - len(line[at:].lstrip(" "))


def _is_rule(text: str) -> bool:
    """Whether a line is a thematic break."""
    marks = text.replace(" ", "")
    return len(marks) >= 3 and marks[0] in "*-_" and not marks.strip(marks[0])


def _without_closing(title: str) -> str:
    """The title without the `#`s that may close it."""
    title = title.strip(" ")
    bare = title.rstrip("#")
    return bare.rstrip(" ") if not bare or bare.endswith(" ") else title


def _definitions(told: str) -> Iterator[re.Match[str]]:
    """The link definitions a paragraph begins with."""
    at = 0
    while (found := _DEFINITION.match(told, at)) is not None:
        yield found
        at = found.end()


def _definitions_end(told: str) -> int:
    """Where they end."""
    return max((each.end() for each in _definitions(told)), default=0) if told.lstrip(" ").startswith("[") else 0
