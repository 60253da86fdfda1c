"""Masks the lines of withheld files in output that names them by itself: searches, diffs, `head` and `tail` of many.

`text.withheld` judges what a command names. `grep -rn X .` names nothing and prints lines of `.env`; there the output
says which file a line is from, and such lines lose their text here, each on its line, behind what named it.

The border: only names the output gives are known. `cat $f` prints none, so its lines stay with the redactor. In doubt
a line is masked: a recording without one line is a smaller loss than a password in it. One scan for names when there
is nothing to mask, and linear when there is. On the hook's path.
"""

from __future__ import annotations

import re

from ccos_core.text.sanitize.spans import Lazy, mask_of
from ccos_core.text.withheld import DOTTED, SECRET_LOOKING, WORDS

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from ccos_core.text.sanitize.spans import Finding

    Why = Callable[[str], str]
    """Why a path's content may not be kept, as the word a mask is made of; empty when it may."""

LONGEST = 4_096
"""Characters of a line in which the name of its file is looked for."""
MOST_CUTS = 16
"""Places in a line at which a file's name may end: `2024-01-02-notes/.env-3-text` has four."""


def mask_lines(text: str, why: Why, any_name: bool = False) -> tuple[str, tuple[Finding, ...]]:
    """The text without the lines of files that `why` names, and a finding for each word it gave.

    A text that shows none comes back as the same object. `any_name`: files of any name may be withheld, so all that
    are named are judged and not only those that look like secrets.
    """
    bare = _COLOUR().sub("", text) if "\x1b" in text else text
    heads = list(dict.fromkeys(_HEADS().findall("\n" + bare)))
    if not any_name:
        heads = _looking_secret(heads)
    known = _Known(why, any_name)
    naming = {head for head in heads if known.names_one(head)}
    return _masked(text, _Walk(known, naming, bare.split("\n"))) if naming else (text, ())


# What a line may begin with: PATH, PATH:N, REVISION:PATH, C:\PATH, REVISION:C:\PATH, PATH-N-, a header, `File: PATH`.
_BEGINNING = rf"(?:File: )?([^\s:][^\n:]{{0,{LONGEST}}}(?::(?![0-9]+:)(?:[A-Za-z]:(?=[\\/]))?[^\s:]{{1,{LONGEST}}})?)"
_HEAD, _HEADS = Lazy(_BEGINNING), Lazy(r"\n" + _BEGINNING)
_COLOUR = Lazy(r"\x1b\[[0-9;:]*[mK]")

_DASH = Lazy("-")
_CUT = Lazy(r":[0-9]+:|-[0-9]+-|=[0-9]+=")
_SECTION = Lazy(r"(?:==>|---) (.+) (?:<==|---)\r?\Z")
"""The header of one of many files: of `head`, of Gemini CLI's `read_many_files`."""
_DIFF = Lazy(r"diff (?:--?[^\s]+ )+(.+)|(?:---|\+\+\+|(?:rename|copy) (?:from|to)) (.+)")
_ABOUT = Lazy(r"index |(?:new|deleted|old) |(?:dis)?similarity |mode |Binary |GIT binary patch")
_HUNK = Lazy(r"@@+ [-+0-9, ]+ @@+|[0-9,]+[acd][0-9,]+\r?\Z")
_PACKED = Lazy(r"(?:literal|delta) [0-9]+\r?\Z")
_NUMBERED = Lazy(r"(?:L|  Line )?[0-9]+[-:]")
"""A line with its number, below its file's name: of `rg --heading`, of Gemini CLI's search, of OpenCode's."""


def _looking_secret(heads: list[str]) -> list[str]:
    joined = "\n".join(heads).lower()
    words = [word for word in WORDS if word in joined]
    dotted = DOTTED().search if DOTTED().search(joined) else None
    if not words and not dotted:
        return []
    lower = {head: head.lower() for head in heads}
    return [head for head, said in lower.items() if (dotted and dotted(said)) or any(word in said for word in words)]


class _Known:
    """What was judged already: the same few names begin most lines of an output."""

    __slots__ = ("_any_name", "_judged", "_why")

    def __init__(self, why: Why, any_name: bool) -> None:
        self._why = why
        self._any_name = any_name
        self._judged: dict[str, str] = {}

    def path(self, said: str) -> str:
        """Why the content of what may be a path isn't kept."""
        known = self._judged.get(said)
        if known is None:
            worth = len(said) <= LONGEST and (self._any_name or SECRET_LOOKING().search(said))
            known = self._judged[said] = self._why(_unquoted(said)) if worth else ""
        return known

    def names_one(self, head: str) -> bool:
        """Does the beginning of a line, read in any of the forms, name a withheld file?"""
        if head.startswith("==> "):
            return self.path(head[4:].rstrip().removesuffix(" <==")) != ""
        last = head.rpartition(" ")[2]
        whole = self.path(head.rstrip()) if last == head or "." in last or "/" in last else ""
        return bool(whole or self.prefix(head + ":")[0] or self.of_header(head))

    def of_header(self, line: str) -> str:
        """Of a line that begins the part of a file in a diff, or says more of that file."""
        header = _DIFF().match(line, 0, 2 * LONGEST)
        if header is None:
            return ""
        words = _sides(header[1]) if header[1] else [header[2].partition("\t")[0].rstrip()]
        named = (path for word in words for path in (_without_side(_unquoted(word)), word))
        return next((why for path in named if (why := self.path(path))), "")

    def prefix(self, line: str) -> tuple[str, int]:
        """(why, where the text begins) of a line that says the file it is from, and mostly where in that."""
        for cut in _first(_CUT().finditer(line, 1, LONGEST)):
            path = line[: cut.start()]
            if found := self.path(path) or self.path(path.partition(":")[2]):
                return found, cut.end()
        start = 0
        for word in _up_to_space(line).split(":", 3)[:-1]:  # no file name before a space: prose
            end = start + len(word)
            if found := self.path(word) or self.path(line[:end]):
                return found, end + 1
            start = end + 1
        return self._before_dash(line)

    def _before_dash(self, line: str) -> tuple[str, int]:
        """`PATH-text`, as `grep -A` without numbers writes it: only names that are secret anywhere."""
        named = SECRET_LOOKING().search(line, 0, LONGEST)
        if named and named.end() <= len(_up_to_space(line)):
            for dash in _first(_DASH().finditer(line, named.start(), LONGEST)):
                path = line[: dash.start()]
                if not path.rpartition("-")[2].isdigit() and (found := self.path(path)):
                    return found, dash.end()
        return "", 0


def _up_to_space(line: str) -> str:
    return (line[:LONGEST].split(None, 1) or [""])[0]


def _first(cuts: Iterator[re.Match[str]]) -> Iterator[re.Match[str]]:
    return (cut for cut, _ in zip(cuts, range(MOST_CUTS), strict=False))


def _sides(said: str) -> list[str]:
    """The two paths of `diff --git`, which may hold spaces: they are the same, or told apart by their side."""
    words = said.split()
    return words if len(words) <= 2 else [*re.split(r" (?=\"?[a-z]/)", said), *words[:1], *words[-1:]]


def _unquoted(said: str) -> str:
    return said[1:-1] if len(said) > 2 and said[0] == '"' == said[-1] else said


def _without_side(said: str) -> str:
    """`a/` and `b/` say which side of a diff a path is on, and so do other letters, by settings of git."""
    return said[2:] if said[1:2] == "/" and said[:1].isalpha() else said


# The walk over all lines, once it is known that there is something to mask.

_OUTSIDE, _FILE, _HEADER, _BODY, _PACK, _LISTED = range(6)


def _masked(text: str, walk: _Walk) -> tuple[str, tuple[Finding, ...]]:
    kept: list[str] = []
    found: dict[str, tuple[int, int]] = {}
    for number, line in enumerate(text.split("\n")):
        why, begin = walk.judge(number)
        rest = walk.lines[number][begin:] if why else ""
        if rest.strip() in ("", mask_of(why)):
            kept.append(line)
            continue
        kept.append(walk.lines[number][:begin] + mask_of(why) + "\r" * rest.endswith("\r"))
        count, first = found.get(why, (0, number + 1))
        found[why] = count + 1, first
    return ("\n".join(kept), tuple((f"secret:{why}", *found[why]) for why in sorted(found))) if found else (text, ())


class _Walk:
    """Where in the output a line stands: in the part of which file, if the lines above say so."""

    __slots__ = ("_known", "_naming", "_state", "_why", "lines")

    def __init__(self, known: _Known, naming: set[str], lines: list[str]) -> None:
        self.lines = lines
        self._known = known
        self._naming = naming
        """How lines begin that may name a withheld file; outside of its part no others count."""
        self._state, self._why = _OUTSIDE, ""

    def judge(self, number: int) -> tuple[str, int]:
        """(why this line may not be kept, from where on); an empty why for one that may. Asked in order."""
        line = self.lines[number]
        if self._state == _OUTSIDE and not ((head := _HEAD().match(line)) and head[1] in self._naming):
            return "", 0
        section = _SECTION().match(line)
        if section:
            self._enter(_FILE, self._known.path(section[1]))
            return "", 0
        if self._state == _FILE:
            return self._why, 0
        if self._is_header(number):
            why = self._known.of_header(line)
            if why or line.startswith("diff ") or self._state != _HEADER:
                self._enter(_HEADER, why)
            return "", 0
        if self._state in (_HEADER, _BODY, _PACK):
            judged = self._in_diff(line)
            if self._state != _OUTSIDE:
                return judged
        return self._by_itself(number)

    def _enter(self, state: int, why: str) -> None:
        self._state, self._why = state if why else _OUTSIDE, why

    def _is_header(self, number: int) -> bool:
        """Inside a part, `--- ` begins another only before `+++ ` and `@@`: it may as well be a line taken out."""
        line = self.lines[number]
        if self._state == _BODY and not line.startswith("diff -"):
            below = [line[:3] for line in self.lines[number + 1 : number + 3]]
            return line.startswith("--- ") and below == ["+++", "@@ "]
        return line[:1] in ("d", "-", "+", "r", "c") and _DIFF().match(line, 0, 2 * LONGEST) is not None

    def _in_diff(self, line: str) -> tuple[str, int]:
        if hunk := _HUNK().match(line):
            self._state = _BODY
            return self._why, hunk.end()
        if self._state == _HEADER and _PACKED().match(line):
            self._state = _PACK
        elif self._state == _PACK and line.strip():
            return self._why, 0
        elif self._state == _PACK:
            self._state = _HEADER
        elif self._state == _BODY and (line[:1] in "+- <>" or line == "\r"):
            return self._why, 1
        elif not (line[:1] == "\\" or line == "---" or (self._state == _HEADER and _ABOUT().match(line))):
            self._enter(_OUTSIDE, "")
        return "", 0

    def _by_itself(self, number: int) -> tuple[str, int]:
        """Of a line that says its file, or stands below a line that is nothing but its file's name."""
        line = self.lines[number]
        numbered = _NUMBERED().match(line)
        if self._state == _LISTED and numbered:
            return self._why, numbered.end()
        if self._state == _LISTED and line.rstrip() != "--":
            self._enter(_OUTSIDE, "")
        if not line or line[0].isspace():
            return "", 0
        below = self.lines[number + 1] if number + 1 < len(self.lines) else ""
        heading = line.rstrip().removeprefix("File: ").removesuffix(":")
        if _NUMBERED().match(below) and (why := self._known.path(heading)):
            self._enter(_LISTED, why)
            return "", 0
        return self._known.prefix(line)
