"""The record that a person names: a workspace, a project's folder, or a transcript, which is imported first.

    ws = find_record("session.jsonl")     # imported into its own workspace below the user's state folder
    ws = find_record("work.ccos")         # taken as it is; what hooks heard for it is taken in

Every command, the second workspace of `compare` and the screens come through here, so all of them take the same words.
"""

from __future__ import annotations

from collections.abc import Callable

from ccos_core.errors import NotUnderstood
from ccos_core.session.hearing import take_in
from ccos_core.session.settings import recording_allowed
from ccos_core.storage import files, locate

Progress = Callable[[int, int, int], object]
"""Called with the bytes read, the bytes in all, and the steps on disk."""


def find_record(named: str) -> str:
    """Return the path of the record that `named` means, with what hooks heard for it taken in.

    A path without a file is returned as it is: opening it says what is wrong.
    """
    ws = locate.workspace(named)
    if not files.is_record(ws):
        ws = import_transcript(ws)
    take_in(ws)
    return ws


def import_transcript(path: str, progress: Progress = lambda done, total, steps: None) -> str:
    """Import what is new of the transcript at `path` into its own workspace, and return that workspace's path."""
    from ccos_core.session.imported import UnderWay
    from ccos_core.session.importing import Importing
    from ccos_core.session.transcripts import Story, Tail

    recording_allowed()
    ws = locate.session_path(path)
    with Importing(ws) as importing:
        under_way = UnderWay(Story(Tail(path)))
        total, done = under_way.story.size, 0

        def heard(size: int) -> None:
            nonlocal done
            done += size
            progress(done, max(total, done), importing.head()[0])

        progress(0, max(total, 1), 0)
        importing.go_on(under_way, heard)
        importing.end(under_way)
    if not under_way.counting.any:
        raise not_a_transcript(path)
    return ws


def not_a_transcript(path: str) -> NotUnderstood:
    """The error for a file in which no importer finds a session."""
    from ccos_core.intake.importers.formats import FORMATS

    titles = "; ".join(each.title for each in FORMATS)  # a title may have a comma
    return NotUnderstood("contains no session that can be read", place=path, hint=f"Readable: {titles}")
