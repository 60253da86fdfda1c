"""From a name to a record that can be opened: a workspace at once, a transcript through an import.

A transcript gets a workspace of its own, the same as for `ccos-tui PATH` in a pipe; next time only what is new is
imported, and what was imported when the user stops stays. The demonstration lives in a folder that is removed when
nothing holds it any more, at the latest when the program ends.
"""

from __future__ import annotations

import contextlib
import os
import shutil
import tempfile
import time
from functools import partial
from typing import TYPE_CHECKING
from weakref import finalize

from ccos_tui.bridge.work import GivenUp, Work
from ccos_tui.messages import Brought, Proven

if TYPE_CHECKING:
    from collections.abc import Callable

    from ccos_tui.messages import FromEngine


class Passing:
    """A new one."""

    def __init__(self, prefix: str) -> None:
        self.name = tempfile.mkdtemp(prefix=prefix)
        self.cleanup = finalize(self, shutil.rmtree, self.name, ignore_errors=True)
        """Have it go now."""


DEMO, DEMOS, SEARCH = "demo", "demos", "search"
"""What stands for a path: a demonstration (`demo`, or `demo:NAME`), the list of them, the search over all sessions."""
IMPORTING, MAKING, PROVING, FOLLOWING = "importing", "making", "proving", "following"
LIVE = 120.0
"""Seconds since somebody wrote to a file within which whoever did is taken to go on."""


def workspace_of(path: str) -> str | None:
    """The record that is meant by a path; None where it is a transcript, which is to be imported first. Raises where
    there is nothing."""
    from ccos_core.session.hearing import take_in
    from ccos_core.storage import files, locate

    found = locate.workspace(os.path.expanduser(path))
    if not files.is_record(found):
        return None
    take_in(found)
    return found


def session_path(transcript: str) -> str:
    """The workspace of a transcript, which may not be there yet."""
    from ccos_core.storage import files, locate

    path = locate.session_path(transcript)
    return path if os.path.exists(path) and files.is_record(path) else ""


def is_demo(path: str) -> bool:
    """Whether a demonstration is meant."""
    return path == DEMO or (path.partition(":")[0] == DEMO and path.partition(":")[2] in dict(demos()))


def demos() -> list[tuple[str, tuple[str, str]]]:
    """Name → (title, what happens) of each demonstration."""
    from ccos_core.serve.demos.catalogue import DEMOS

    return [(each.name, (each.title, each.shows)) for each in DEMOS.values()]


def is_live(path: str) -> bool:
    """Whether a program wrote to it just now."""
    from ccos_core.storage.agent_db import split

    try:
        return time.time() - os.stat(split(path)[0]).st_mtime < LIVE
    except OSError:
        return False


def is_written(workspace: str) -> bool:
    """Whether a program has it open to write to it: then SQLite keeps a file beside it."""
    return os.path.exists(os.path.realpath(workspace) + "-wal")


def goes_on(workspace: str) -> bool:
    """Whether more is to be expected: somebody writes to it, or it is a project's own, which hooks record into whenever
    an agent works there."""
    from ccos_core.storage.locate import is_default

    return is_written(workspace) or is_default(workspace)


def is_heard(workspace: str) -> bool:
    """Whether a hook has heard something for it that nobody has taken in."""
    from ccos_core.storage.locate import heard_path

    return os.path.exists(heard_path(workspace))


def bringing(path: str, post: Callable[[FromEngine], object]) -> Work:
    """Have what a path means brought into a workspace, on a thread: the demonstration, or a transcript."""
    if is_demo(path):
        return Work(MAKING, lambda work: _demonstration(path.partition(":")[2]), post)
    return Work(IMPORTING, partial(_imported, os.path.expanduser(path)), post)


def proving(path: str, post: Callable[[FromEngine], object]) -> Work:
    """Prove that nothing of a record was changed, on a thread."""
    return Work(PROVING, partial(_proven, path), post)


def following(transcript: str, workspace: str, post: Callable[[FromEngine], object]) -> Work:
    """Import what comes to a transcript as it comes, on a thread."""
    return Work(FOLLOWING, partial(_followed, transcript, workspace), post)


# -- on the thread ----------------------------------------------------------------------------------------------------


def _demonstration(name: str) -> Brought:
    """Made in a folder that goes with the app, at the latest when the program ends."""
    from ccos_core.serve.demos.catalogue import EVICTED, build

    folder = Passing("ccos-demo-")
    path = os.path.join(folder.name, f"{name or 'demo'}.ccos")
    build(path, name or EVICTED)
    return Brought(path, folder=folder)


def _imported(path: str, work: Work) -> Brought:
    """Put a transcript into its workspace, batch by batch, each of which is on disk for good."""
    from ccos_core.session.named import import_transcript

    return Brought(import_transcript(path, work.heard), path)


def _proven(path: str, work: Work) -> Proven:
    from ccos_core.serve import exits
    from ccos_core.serve.cli.proving import proof_of
    from ccos_core.storage.opening import open_record

    with open_record(path) as record:
        proof = proof_of(record, heard=work.heard)
    return Proven(proof, exits.DONE if proof.valid else exits.DAMAGED)


def _followed(transcript: str, workspace: str, work: Work) -> None:
    from ccos_core.session.imported import UnderWay
    from ccos_core.session.importing import Importing, follow
    from ccos_core.session.settings import recording_allowed
    from ccos_core.session.transcripts import Story, Tail

    recording_allowed()
    with Importing(workspace) as importing:
        story = UnderWay(Story(Tail(transcript)))
        importing.go_on(story, lambda size: work.heard(0, 0))
        with contextlib.suppress(GivenUp):  # it is on disk up to here
            follow(importing, [story], lambda: None, sleep=work.wait)
