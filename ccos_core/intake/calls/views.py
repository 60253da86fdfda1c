"""Which lines of a file a pipeline shows: `cat f`, `sed -n '40,80p' f`, `nl -ba f | head -50`, ...

A view is told from the words alone; what really came is laid on it afterwards. A filter that alters lines, or of which
nobody can say which lines it lets through, ends the view, except where lines carry their numbers.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise

from ccos_core.intake.calls.arguments import flags, operands, option, read_arguments
from ccos_core.intake.calls.effects import Shown
from ccos_core.intake.calls.numbered import COLON, SEARCH, TAB, numbered, stretches
from ccos_core.intake.calls.stages import Stage

Segment = tuple[int, int | None]
"""First and last line; None for the end of the file."""


@dataclass(frozen=True, slots=True)
class View:
    """Lines of a file, as they are shown."""

    path: str

    segments: tuple[Segment, ...] | None = ((1, None),)
    """None where only the numbers in front of lines tell which."""

    way: str = ""
    """How lines are numbered; empty where they aren't."""

    open: bool = False
    """Whether it stops somewhere that isn't known, so that its end isn't the file's."""

    offset: int = 0
    """Lines of the file before the first of what was numbered."""

    @property
    def most(self) -> int | None:
        """Lines that may come."""
        if self.segments is None or any(last is None for _, last in self.segments):
            return None
        return sum(last - first + 1 for first, last in self.segments if last is not None)


def view(stages: Sequence[Stage]) -> View | None:
    """What a pipeline shows of one file; None where that isn't known."""
    found = _source(stages[0])
    for stage in stages[1:]:
        if found is None:
            return None
        found = _filtered(found, stage)
    if found is None or (found.segments is None and not found.way):
        return None
    return found


def shows(seen: View, text: str, ended: bool) -> list[Shown]:
    """What came of a view; `ended` says that this is all that came of it."""
    if seen.way:
        return _numbered(seen, text, ended)
    lines = _whole_lines(text, ended and not seen.open)
    found: list[Shown] = []
    for first, last in seen.segments or ():
        taken = lines if last is None else lines[: last - first + 1]
        lines = lines[len(taken) :]
        if taken:
            over = ended and not seen.open and (last is None or len(taken) < last - first + 1)
            whole = over and first == 1 and len(seen.segments or ()) == 1
            ends = over and not whole
            found.append(Shown(seen.path, "".join(taken), first, whole=whole, inferred=True, ends=ends))
    return [] if lines else found


# -- what begins a pipeline -------------------------------------------------------------------------------------------


def _source(stage: Stage) -> View | None:
    """A program that reads one file, named as its argument or fed to it."""
    if stage.opaque or not _reads_only(stage):
        return None
    reading = _READERS.get(stage.name)
    arguments = read_arguments(stage.words[1:], _VALUES.get(stage.name, ""))
    if reading is None or arguments is None:
        return None
    path, rest = _file(stage, operands(arguments), _before_files(stage, arguments))
    if not path:
        return None
    return reading(View(path), [(name, value) for name, value in arguments if name] + [("", word) for word in rest])


def _file(stage: Stage, named: list[str], before: int) -> tuple[str, list[str]]:
    """(the one file, the operands that are none)."""
    fed = [redirect.target for redirect in stage.redirects if redirect.operator == "<" and redirect.fd in (None, 0)]
    if len(named) == before and len(fed) == 1:
        return fed[0] or "", named
    if len(named) == before + 1 and not fed and named[-1] != "-":
        return named[-1], named[:before]
    return "", named


def _filtered(found: View, stage: Stage) -> View | None:
    """What a program lets through that is fed with a view."""
    if stage.opaque or not _reads_only(stage):
        return None
    arguments = read_arguments(stage.words[1:], _VALUES.get(stage.name, ""))
    filtering = _READERS.get(stage.name)
    if arguments is None or any(redirect.operator == "<" for redirect in stage.redirects):
        return None
    if [word for word in operands(arguments) if word != "-"][_before_files(stage, arguments) :]:
        return None
    if stage.name in ("grep", "egrep", "fgrep", "rg"):
        return _searched(found, arguments)
    return filtering(found, arguments) if filtering is not None else None


def _before_files(stage: Stage, arguments: _Arguments) -> int:
    """How many operands stand before those that are files."""
    return 1 if stage.name in _SCRIPTED and not _scripts(arguments) else 0


def _reads_only(stage: Stage) -> bool:
    """Whether all that comes out of it comes out where the rest does."""
    return all(redirect.operator == "<" or redirect.fd == 2 for redirect in stage.redirects)


# -- one way per program ----------------------------------------------------------------------------------------------

_Arguments = list[tuple[str, str]]


def _cat(seen: View, arguments: _Arguments) -> View | None:
    asked = flags(arguments)
    if asked <= {"-u"}:
        return seen
    return _renumbered(seen, TAB) if asked <= {"-n", "-u", "--number"} else None


def _nl(seen: View, arguments: _Arguments) -> View | None:
    """Every line is numbered with `-ba` only."""
    if [(name, value) for name, value in arguments if name not in ("", "-w")] in (
        [("-b", "a")],
        [("--body-numbering", "a")],
    ):
        return _renumbered(seen, TAB)
    return None


def _renumbered(seen: View, way: str) -> View | None:
    """With numbers in front, from 1 on whichever line of the file comes first."""
    if seen.way or seen.segments is None or len(seen.segments) != 1:
        return None
    return replace(seen, way=way, offset=seen.segments[0][0] - 1)


def _pager(seen: View, arguments: _Arguments) -> View | None:
    return seen if flags(arguments) <= {"-F", "-R", "-X", "-FRX", "-S"} else None


def _bat(seen: View, arguments: _Arguments) -> View | None:
    asked = flags(arguments)
    if not asked & {"-p", "--plain", "-pp"} or asked & {"-n", "--number", "-A", "--show-all", "-d", "--diff"}:
        return None
    ranges = option(arguments, "-r", "--line-range")
    if not ranges:
        return seen
    match = re.fullmatch(r"(\d*):(\d*)", ranges[0]) if len(ranges) == 1 else None
    if match is None:
        return None
    return _sliced(seen, int(match[1] or 1), int(match[2]) if match[2] else None)


def _head(seen: View, arguments: _Arguments) -> View | None:
    if option(arguments, "-c", "--bytes"):
        return replace(seen, open=True) if not option(arguments, "-n", "--lines") else None
    count = _count(arguments)
    if count.startswith("-"):
        return replace(seen, open=True)
    return _sliced(seen, 1, int(count)) if re.fullmatch(r"\d{1,9}", count) else None


def _tail(seen: View, arguments: _Arguments) -> View | None:
    if option(arguments, "-c", "--bytes") or any(name in ("-f", "-F") for name, _ in arguments):
        return None
    count = _count(arguments)
    if re.fullmatch(r"\+\d{1,9}", count):
        return _sliced(seen, max(int(count), 1), None)
    return replace(seen, segments=None) if seen.way else None


def _count(arguments: _Arguments) -> str:
    """How many lines `head` and `tail` are asked for."""
    told = option(arguments, "-n", "--lines")
    short = [name[1:] for name, value in arguments if re.fullmatch(r"-\d{1,9}", name)]
    return (told + short + ["10"])[0] if len(told + short) < 2 else ""


def _sed(seen: View, arguments: _Arguments) -> View | None:
    """Scripts that only say which lines are printed."""
    options = flags(arguments)
    scripts = _scripts(arguments) or operands(arguments)[:1]
    if options - {"-n", "--quiet", "--silent", "-e", "--expression", "-E", "-r", "-u"} or not scripts:
        return None
    quiet = bool(options & {"-n", "--quiet", "--silent"})
    asked = _asked(scripts, quiet)
    if asked is None:
        return replace(seen, segments=None) if seen.way and quiet and _picks(scripts) else None
    if len(asked) == 1:
        return _sliced(seen, *asked[0])
    if seen.segments == ((1, None),):
        return replace(seen, segments=tuple(asked))
    return replace(seen, segments=None) if seen.way else None


def _asked(scripts: Sequence[str], quiet: bool) -> list[Segment] | None:
    """The lines a script prints, from `40,80p`, `40p`, `40,$p`, `40,+5p`, `80q`, `1,10d`."""
    found: list[Segment] = []
    quits: int | None = None
    for step in re.split(r"[;\n]", "\n".join(scripts)):
        step = re.sub(r"\s+", "", step).replace("{", "").replace("}", "")
        if not step:
            continue
        match = _ADDRESSED.fullmatch(step)
        if match is None:
            return None
        first, last, command = int(match[1]), _last(match), match[4]
        if command == "q" and not match[2] and not match[3] and quits is None:
            quits = first
        elif command == "p" and quiet and first:
            found.append((first, last))
        elif command == "d" and not quiet and first == 1 and last is not None and len(scripts) == 1 and not found:
            return [(last + 1, None)]
        else:
            return None
    return _in_order(found, quits, quiet)


def _last(match: re.Match[str]) -> int | None:
    first = int(match[1])
    if match[2] == "$":
        return None
    if match[2]:
        return max(int(match[2]), first)
    return first + int(match[3]) if match[3] else first


def _in_order(found: list[Segment], quits: int | None, quiet: bool) -> list[Segment] | None:
    """As they come out: lines that two ranges share come twice, and then nothing is said."""
    if not quiet:
        return [(1, quits)] if quits is not None else None
    found = sorted(found, key=lambda segment: segment[0])
    for (_, last), (first, _) in pairwise(found):
        if last is None or first <= last:
            return None
    if quits is not None:
        found = [(a, quits if b is None else min(b, quits)) for a, b in found if a <= quits]
    return found or None


def _picks(scripts: Sequence[str]) -> bool:
    """Whether a script only chooses lines, by what stands in them."""
    return all(
        re.fullmatch(r"\s*/(?:[^/\\\n]|\\.)*/(?:,(?:/(?:[^/\\\n]|\\.)*/|\+?\d+|\$))?p\s*", one) for one in scripts
    )


def _awk(seen: View, arguments: _Arguments) -> View | None:
    """Programs that choose lines by their number, and print them as they are or with it."""
    if flags(arguments):
        return None
    program = re.sub(r"\s+", "", arguments[0][1]) if len(arguments) == 1 else ""
    match = _CHOSEN.fullmatch(program)
    if match is None or not program:
        return None
    first, last = _chosen(match["condition"] or "")
    if first is None:
        return None
    if not match["print"] or match["print"] in ("print", "print$0"):
        return _sliced(seen, first, last)
    between = re.search(r"\"(?:%\d*d)?(: |:|\\t)(?:\"|%s)", arguments[0][1])
    way = {"\\t": TAB, ":": SEARCH, ": ": COLON}.get(between[1] if between is not None else "")
    listed = _renumbered(seen, way) if way else None
    return _sliced(listed, first, last) if listed is not None else None


def _chosen(condition: str) -> tuple[int | None, int | None]:
    if not condition:
        return 1, None
    if match := re.fullmatch(r"\(?NR(>=?)(\d{1,9})\)?&&\(?NR(<=?)(\d{1,9})\)?", condition):
        return int(match[2]) + (match[1] == ">"), int(match[4]) - (match[3] == "<")
    if match := re.fullmatch(r"NR==(\d{1,9}),NR==(\d{1,9})", condition):
        return int(match[1]), max(int(match[2]), int(match[1]))
    if match := re.fullmatch(r"NR==(\d{1,9})", condition):
        return int(match[1]), int(match[1])
    if match := re.fullmatch(r"NR<=(\d{1,9})", condition):
        return 1, int(match[1])
    if match := re.fullmatch(r"NR>=(\d{1,9})", condition):
        return int(match[1]), None
    return None, None


def _searched(seen: View, arguments: _Arguments) -> View | None:
    """A search in what is fed to it: lines that have numbers keep them, or are given them."""
    asked = flags(arguments)
    if asked & {"-o", "-c", "-l", "-L", "-q", "--only-matching", "--count", "-b", "-H", "-r", "--replace", "--json"}:
        return None
    if asked & {"-n", "--line-number"}:
        listed = _renumbered(seen, SEARCH)
        return replace(listed, segments=None) if listed is not None else None
    return replace(seen, segments=None) if seen.way else None


_READERS: dict[str, Callable[[View, _Arguments], View | None]] = {
    "cat": _cat,
    "nl": _nl,
    "less": _pager,
    "more": _pager,
    "bat": _bat,
    "batcat": _bat,
    "head": _head,
    "tail": _tail,
    "sed": _sed,
    "gsed": _sed,
    "awk": _awk,
    "gawk": _awk,
    "mawk": _awk,
}
_SCRIPTED = ("sed", "gsed", "awk", "gawk", "mawk", "grep", "egrep", "fgrep", "rg")
"""Their first operand is what they are told, not a file."""
_VALUES = {
    "head": "n:c:",
    "tail": "n:c:",
    "sed": "e:f:l:",
    "gsed": "e:f:l:",
    "nl": "b:w:s:v:i:n:h:f:d:l:",
    "bat": "r:l:H:",
    "batcat": "r:l:H:",
    "awk": "F:v:f:",
    "gawk": "F:v:f:",
    "mawk": "F:v:f:",
    "grep": "A:B:C:e:f:m:",
    "egrep": "A:B:C:e:f:m:",
    "fgrep": "A:B:C:e:f:m:",
    "rg": "A:B:C:e:f:m:g:t:T:r:M:j:",
}
_ADDRESSED = re.compile(r"(\d{1,9})(?:,(?:(\d{1,9}|\$)|\+(\d{1,9})))?([pqd])")
_CHOSEN = re.compile(
    r"(?P<condition>\(?NR[\d<>=&NR(),]*)?"
    r"(?:\{(?P<print>print|print\$0|printNR,?\":?(?:\\t)?\",?\$0|printf\"%\d*d:?(?:\\t)?%s\\n\",NR,\$0);?\})?"
)


def _scripts(arguments: _Arguments) -> list[str]:
    return option(arguments, "-e", "--expression", "-f", "--regexp")


# -- what came --------------------------------------------------------------------------------------------------------


def _sliced(seen: View, first: int, last: int | None) -> View | None:
    """Lines `first` to `last` of what a view shows."""
    if first < 1 or (last is not None and last < first):
        return None
    if seen.segments is None or len(seen.segments) != 1:
        return replace(seen, segments=None) if seen.way else None
    start, end = seen.segments[0]
    to = end if last is None else start + last - 1 if end is None else min(end, start + last - 1)
    begin = start + first - 1
    return replace(seen, segments=((begin, to),)) if to is None or begin <= to else None


def _numbered(seen: View, text: str, ended: bool) -> list[Shown]:
    plain = _whole_lines(text, ended and not seen.open)
    lines = [(number + seen.offset, line) for number, line in numbered("".join(plain), seen.way)]
    found = stretches(seen.path, lines, inferred=True)
    if seen.segments is None or len(seen.segments) != 1 or len(lines) != len(plain):
        return found
    first, last = seen.segments[0]
    over = ended and not seen.open and (last is None or len(lines) < last - first + 1)
    if len(found) == 1 and found[0].first == first and over:
        return [replace(found[0], whole=first == 1, ends=first > 1)]
    return found


def _whole_lines(text: str, ended: bool) -> list[str]:
    """With their line feeds; a last one without is one only where nothing follows it."""
    lines = text.split("\n")
    last = lines.pop()
    return [line + "\n" for line in lines] + ([last] if last and ended else [])
