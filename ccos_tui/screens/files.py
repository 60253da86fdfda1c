"""The files known at a step, and a line to type the folder into that they are to be written to."""

from __future__ import annotations

from collections.abc import Mapping
from typing import ClassVar

from ccos_core.present.rows import Row, Span, clean, note, row
from ccos_tui.bridge.ask import ask
from ccos_tui.bridge.restoring import restoring
from ccos_tui.messages import Answered, Refused
from ccos_tui.screens.full import FullScreen

RESTORED = "restored"
"""The slot of what came of writing."""


class FilesScreen(FullScreen):
    """What is known of each file, and below a title what was written."""

    keyed: ClassVar[str] = "files"
    slot: ClassVar[str] = "files"
    title_words: ClassVar[str] = "Files"
    footer: ClassVar[tuple[str, ...]] = ("down", "enter", "restore-to", "search", "copy", "export", "back", "help")
    words: ClassVar[Mapping[str, str]] = {"down": "row", "enter": "go to its step"}

    def __init__(self, step: int) -> None:
        super().__init__()
        self.step = step
        self.folder = ""
        """Where they were written last, or were to be."""

    def on_mount(self) -> None:
        self.title_is(f"Files as known at step {self.step:,}")
        self.show([row(Span("Reading ...", "quiet"))])
        self.ask_for(ask("files", self.step))

    # -- keys ---------------------------------------------------------------------------------------------------------

    def do_restore_to(self, count: int | None, char: str) -> None:
        """Type a folder; the files go there."""
        self.ours.prompt("write files to ", self.write, filled=self.folder, hint="a new folder; nothing is overwritten")

    def do_restore_over(self, count: int | None, char: str) -> None:
        """The same folder once more, and what stands there is replaced."""
        if self.folder:
            self.ask_for(restoring(self.step, self.folder, force=True), RESTORED)
        else:
            self.said(self.keys.told("{restore-to} asks for a folder first"))

    def write(self, folder: str) -> None:
        """Write them all into a folder, or say why not."""
        if folder := folder.strip():
            self.folder = folder
            self.ask_for(restoring(self.step, folder, force=False), RESTORED)

    # -- what comes ---------------------------------------------------------------------------------------------------

    def answered(self, message: Answered) -> None:
        if message.slot == RESTORED and self.settle(message):
            self.answer = message.answer
            self.list.select(0, told=False)
            self.fill()
            self.said(f"written to {clean(message.answer.folder)}")
        else:
            super().answered(message)

    def refused(self, message: Refused) -> None:
        if message.slot != RESTORED:
            super().refused(message)
            return
        if not self.settle(message):
            return
        self.said(message.sentence.partition(". ")[0])
        over = self.keys.told("{restore-to} asks for another folder; {restore-over} replaces files in this one")
        self.show([note(clean(message.fact), "bad"), note(clean(message.place)), Row(), note(over)])
