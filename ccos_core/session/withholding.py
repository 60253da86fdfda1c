"""What may not be kept: contents of files that usually hold secrets, or that a project's `.ccosignore` names.

Asked by the gate of every op, and by the hook of every event, so that neither keeps what the other wouldn't. On the
hook's path.
"""

from __future__ import annotations

from ccos_core.text.withheld import withheld, withheld_in
from ccos_core.text.withheld_lines import mask_lines
from ccos_core.values.paths import Place, inside, is_absolute, recorded

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from ccos_core.session.bounds import Finding
    from ccos_core.text.ignore import Matcher

SECRET_PATH, IGNORED_PATH = "secret-path", "ccosignore"


class Withholding:
    """What is said of one project, by somebody who stands in `cwd`, in the record's spelling."""

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
