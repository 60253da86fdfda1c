"""What of a foreign text is kept: nothing of withheld paths, else enough for any reader, never all of a flood.

What is left out of a large text is named by the hash of the whole, and a line in its place says how much it was.
Output says most at its start and its end, so both are kept. On the hook's path.
"""

from __future__ import annotations

from ccos_core.text.withheld import withheld, withheld_in
from ccos_core.text.withheld_lines import mask_lines
from ccos_core.values.canon import digest
from ccos_core.values.paths import Place, inside, is_absolute, recorded

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable
    from typing import Any, TypeAlias

    from ccos_core.text.ignore import Matcher

    Finding: TypeAlias = tuple[str, int, int]
    Clean: TypeAlias = Callable[[str], tuple[str, Iterable[Finding]]]
    Bounded: TypeAlias = tuple[bytes, dict[str, int | str], list[Finding]]

SECRET_PATH, IGNORED_PATH = "secret-path", "ccosignore"


class Withholding:
    """What is said of one project by a program in `cwd`, in the record's spelling."""

    __slots__ = ("cwd", "ignored", "place")

    def __init__(self, place: Place, ignored: Matcher | None, cwd: str = ".") -> None:
        self.place = place
        self.ignored = ignored
        self.cwd = cwd

    def why_path(self, said: Any) -> str:
        """Why the content of this path may not be kept; empty where it may."""
        if type(said) is not str:
            return ""
        said = said.removeprefix("file://")
        if withheld(said):
            return SECRET_PATH
        return IGNORED_PATH if self._is_ignored(said, self.cwd) else ""

    def why_command(self, command: str) -> str:
        """Why this command's words may not be kept."""
        return self._named_in(command)[0]

    def named_in(self, command: str) -> tuple[str, ...]:
        """The words of a command that say so."""
        return self._named_in(command)[1]

    def without_lines(self, printed: Any) -> tuple[Any, tuple[Finding, ...]]:
        """What was printed, less the lines it says are from files that may not be kept; and what that were."""
        if type(printed) in (bytes, bytearray):
            printed = bytes(printed).decode("utf-8", "surrogateescape")
        if type(printed) is not str:
            return printed, ()
        return mask_lines(printed, self._why_printed, bool(self.ignored))

    # -- helpers --------------------------------------------------------------------------------------------------

    def _why_printed(self, said: str) -> str:
        """Tools name a file from where they ran, or from the top."""
        why = self.why_path(said)
        if why or self.cwd == ".":
            return why
        return IGNORED_PATH if self._is_ignored(said, ".") else ""

    def _is_ignored(self, said: str, cwd: str) -> bool:
        if not self.ignored:
            return False
        path = recorded(said, self.place, cwd)
        return inside(path) and self.ignored.hides(path)

    def _named_in(self, command: str) -> tuple[str, tuple[str, ...]]:
        """(why this command's words may not be kept, the words that say so)."""
        for root in self.place.roots or ("",):
            cwd = self.cwd if is_absolute(self.cwd) else f"{root}/{self.cwd}"
            words = withheld_in(command, self.ignored, root, cwd)
            if words:
                return SECRET_PATH if any(map(withheld, words)) else IGNORED_PATH, words
        return "", ()


LARGEST_BLOB = 4 * 2**20
"""Bytes of one content."""
ROOM = 4_096
"""Bytes set aside for the line between head and tail."""
MARGIN = 8_192
"""Bytes cleaned beyond each cut and then dropped, so that a secret lying across it is masked before it is cut."""
LONGEST_LINE = 65_536
"""A cut moves this far to fall between lines; a line longer than that is cut itself."""


def bounded_line(text: str, limit: int, clean: Clean) -> str:
    """`text`, or as much of its start as fits with half of the whole's hash behind it."""
    if len(text) <= limit:
        return text
    mark = "…~" + digest(raw_bytes(text)).hex()[:32]
    kept = text[: limit - len(mark)]
    while (again := clean(kept)[0][: limit - len(mark)]) != kept:  # what the cut has left hanging
        kept = again
    return kept + mark


def bounded_blob(text: str, clean: Clean, most: int = LARGEST_BLOB) -> Bounded:
    """(content, what else its reference says, what was found). What is kept goes through `clean` first."""
    if len(text) <= most:
        safe, found = clean(text)
        content = safe.encode()
        if len(content) <= most:
            return content, {}, list(found)
    return _cut(text, clean, most)


def told_apart(text: str, said: str) -> str:
    """A name that had something masked in it: two stay two, whatever that was."""
    return f"{text}~{digest(raw_bytes(said)).hex()[:12]}"


def raw_bytes(text: str) -> bytes:
    """The bytes a text was read from; where nothing on a disk could have been, some that are its alone."""
    try:
        return text.encode("utf-8", "surrogateescape")
    except UnicodeEncodeError:
        return text.encode("utf-8", "surrogatepass")


def _cut(text: str, clean: Clean, most: int) -> Bounded:
    """Head and tail with one line between them, which stands for the `dropped` lines that aren't there as a whole."""
    until = min(most * 3 // 4 + MARGIN, len(text) * 3 // 4)
    head, found = _head(text[:until], clean, most * 3 // 4)
    tail, in_line, found_below = _tail(text[max(until, len(text) - most // 4) :], clean, most // 4 - ROOM)
    kept = head.count("\n")
    dropped = text.count("\n") - kept - tail.count("\n") + in_line
    whole = raw_bytes(text)
    name = digest(whole).hex()
    middle = f"[... lines left out: {dropped:,}; blake3 of all {len(whole):,} bytes: {name} ...]"
    content = f"{head}{middle}{'' if in_line else chr(10)}{tail}".encode()
    reference: dict[str, int | str] = {"whole": name, "whole_bytes": len(whole), "head": kept, "dropped": dropped}
    above = kept + (not in_line)
    return content, reference, [*found, *((kind, count, above + line) for kind, count, line in found_below)]


def _head(text: str, clean: Clean, most: int) -> tuple[str, list[Finding]]:
    safe, found = clean(text)
    content = safe.encode()
    content = content[: max(0, min(most, len(content) - MARGIN))]
    end = content.rfind(b"\n", max(0, len(content) - LONGEST_LINE))
    kept = content[: end + 1].decode() if end >= 0 else clean(content.decode("utf-8", "ignore"))[0]
    return kept, list(found)


def _tail(text: str, clean: Clean, most: int) -> tuple[str, bool, list[Finding]]:
    """(the last lines that fit; whether the first of them is one in part; what was found, by line of what is kept)."""
    safe, found = clean(text)
    content = safe.encode()
    start = max(MARGIN, len(content) - most)
    end = content.find(b"\n", start - 1, start + LONGEST_LINE)
    at = end + 1 if end >= 0 else start
    kept = content[at:].decode("utf-8", "ignore")
    if end < 0:
        kept = clean(kept)[0]
    above = content.count(b"\n", 0, at)
    return kept, end < 0 and kept != "", [(kind, count, max(1, line - above)) for kind, count, line in found]
