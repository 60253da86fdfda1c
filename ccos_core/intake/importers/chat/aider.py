"""Aider: the history of a project as Markdown, one session behind the other, appended as it goes.

Lines behind `####` are what the user typed, lines behind `>` what Aider printed, and everything else is the reply. A
reply names the files that it edits in blocks; which of these were applied, Aider prints.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator

from ccos_core.intake.importers.chat.said import CALL, HEAD, NOTE, PROMPT, RESULT, TURN, Said
from ccos_core.intake.importers.chat.sections import text_format
from ccos_core.intake.importers.fields import millis
from ccos_core.intake.importers.record import Record

BEGUN = re.compile(r"# aider chat started at (\d{4}-\d\d-\d\d \d\d:\d\d:\d\d)\s*\Z")
TYPED, PRINTED = "####", ">"
MODEL = re.compile(r"^(?:Main m|M)odel: (\S+)", re.MULTILINE)
APPLIED = re.compile(r"^Applied edit to (.+?)\s*$", re.MULTILINE)
BLOCK = re.compile(r"<{5,9} SEARCH\s*?\n(.*?)^={5,9}\s*?\n(.*?)^>{5,9} REPLACE", re.DOTALL | re.MULTILINE)
FENCE = "```"
REPLYING = ("/ask", "/code", "/architect")
"""Commands whose words go to the model."""


def looks(records: Iterable[Record]) -> bool:
    """Whether a line says that Aider began."""
    return any(isinstance(record.value, str) and BEGUN.match(record.value) for record in records)


class Splitter:
    """A section is what one of three said in one go. In a reply, a fence holds what may look like another."""

    def __init__(self) -> None:
        self._speaker = ""
        self._fenced = False

    def begins(self, line: str) -> bool:
        """Whether another speaker begins with this line."""
        before, begun = self._speaker, bool(BEGUN.match(line))
        if self._fenced and not begun:
            self._fenced = not line.startswith(FENCE)
            return False
        self._speaker = "start" if begun else speaker_of(line) or ("reply" if line.strip() else before)
        self._fenced = self._speaker == "reply" and line.startswith(FENCE)
        return begun or self._speaker != before


class Telling:
    """Tells sections in order; names are by session and place, for the file has none."""

    def __init__(self) -> None:
        self._session = ""
        self._number = 0
        self._reply = ""

    def __call__(self, record: Record) -> Iterator[Said]:
        """Say what a section tells."""
        lines = str(record.value).split("\n")
        begun = BEGUN.match(lines[0])
        if begun:
            self._session, self._number, self._reply = f"aider {begun[1]}", 0, ""
            yield Said(HEAD, session=self._session, at=millis(begun[1].replace(" ", "T")))
            return
        self._number += 1
        base = Said("", id=f"{self._session}: {self._number}")
        speaker = speaker_of(lines[0])
        if speaker == "user":
            yield from _typed(lines, base)
        elif speaker == "aider":
            yield from self._printed("\n".join(line[1:].strip() for line in lines).strip("\n"), base)
        elif (text := "\n".join(lines).strip("\n")) and self._session:
            self._reply = text
            yield base._replace(kind=TURN, text=text)

    def _printed(self, text: str, base: Said) -> Iterator[Said]:
        """Say what Aider printed, and the edits that it applied."""
        model = MODEL.search(text)
        if text:
            yield base._replace(kind=NOTE, text=text, model=model[1] if model else "")
        for place, applied in enumerate(dict.fromkeys(APPLIED.findall(text))):
            call = base._replace(id=f"{base.id}.{place}")
            blocks = "\n".join(blocks_of(self._reply, applied))
            yield call._replace(kind=CALL, name="edit", arguments={"path": applied, "diff": blocks})
            yield call._replace(kind=RESULT, name="edit", text=f"Applied edit to {applied}")


def speaker_of(line: str) -> str:
    """Return who says a line: `user`, `aider`, or nobody that it names."""
    if line.startswith(f"{TYPED} ") or line.rstrip() == TYPED:
        return "user"
    return "aider" if line.startswith(f"{PRINTED} ") or line.rstrip() == PRINTED else ""


def blocks_of(reply: str, path: str) -> Iterator[str]:
    """Yield the blocks of a reply that edit a file, as one form has them: those before which its name stands last."""
    end = 0
    name = ""
    for block in BLOCK.finditer(reply):
        named = [line.strip("`*# ") for line in reply[end : block.start()].splitlines()]
        name = next(
            (line for line in reversed(named) if line and ("." in line or "/" in line) and " " not in line), name
        )
        end = block.end()
        if name == path:
            yield f"<<<<<<< SEARCH\n{block[1]}=======\n{block[2]}>>>>>>> REPLACE"


def _typed(lines: list[str], base: Said) -> Iterator[Said]:
    """Say what the user typed; a command of Aider's isn't said to the model, unless it passes words on."""
    text = "\n".join(line.removeprefix(TYPED).strip() for line in lines).strip("\n")
    command, _, words = text.partition(" ")
    if not text.startswith("/"):
        yield base._replace(kind=PROMPT, text=text)
    elif command in REPLYING and words.strip():
        yield base._replace(kind=PROMPT, text=words.strip())
    else:
        yield base._replace(kind=NOTE, text=text)


FORMAT = text_format("aider", "Aider", looks, Splitter, Telling)
