"""`import`: sessions from their transcripts, or a record from an export."""

from __future__ import annotations

import os
import shlex
import sys
from collections.abc import Sequence
from dataclasses import asdict
from io import BufferedReader
from typing import TYPE_CHECKING, Any, BinaryIO, cast

import click

from ccos_core.errors import CcosError, NotFound, NotUnderstood, Unavailable, Usage
from ccos_core.present import words
from ccos_core.present.rows import View
from ccos_core.serve import exits, terminal
from ccos_core.serve.cli.common import complain, give, json_option, tell
from ccos_core.serve.printing import printed
from ccos_core.serve.terminal import Bar
from ccos_core.session import interchange, lifecycle, settings
from ccos_core.session.named import not_a_transcript
from ccos_core.session.settings import recording_allowed
from ccos_core.storage.locate import SUFFIX
from ccos_core.values.paths import inside

if TYPE_CHECKING:
    from io import RawIOBase

    from ccos_core.session.imported import Imported, UnderWay
    from ccos_core.session.importing import Importing
    from ccos_core.session.repository import Repository
    from ccos_core.session.transcripts import Heard

FIRST = 200
"""Bytes in which an exported record says what it is."""
MARK = b'"is":'


def import_export(file: str, ws: str, stdin: BufferedReader[Any] | None) -> int:
    """Make a workspace from what export wrote, into a file or into `stdin`. It has the same head."""
    try:
        if stdin is not None:
            steps, head = interchange.import_record(stdin, "stdin", ws)
        else:
            with open(file, "rb") as source:
                steps, head = interchange.import_record(source, file, ws)
    except OSError as error:
        raise Unavailable(f"can't be read: {error.strerror}", place=file) from error
    tell(f"Made {ws}: {words.count(steps, 'step')}, head {head}")
    return exits.DONE


def is_export(file: str, stdin: BufferedReader[Any] | None) -> bool:
    """Whether a file begins as export writes them. Nothing is taken from stdin."""
    try:
        if stdin is not None:
            return MARK in stdin.peek(FIRST)[:FIRST].partition(b"\n")[0]
        if not os.path.isfile(file):  # nobody waits for a pipe
            return False
        with open(file, "rb") as source:
            return MARK in source.readline(FIRST)
    except (OSError, ValueError):
        return False


STDIN = "-"


@click.command("import")
@click.argument("paths", metavar="PATH...", nargs=-1, required=True, type=click.Path(path_type=str))
@click.option("-o", "--output", "ws", metavar="WS", required=True, type=click.Path(path_type=str),
              help="The workspace to import into; created if needed.")  # fmt: skip
@click.option("--repo", metavar="DIR", type=click.Path(path_type=str),
              help="The project's folder, to complete files the session saw in part.")  # fmt: skip
@click.option("--rev", metavar="COMMIT", help="Read DIR as of this commit instead of its current files.")
@click.option("--follow", is_flag=True, help="Keep importing while the session runs, until Ctrl-C.")
@click.option("--idle", metavar="SECONDS", type=click.FloatRange(min=0),
              help="With --follow: stop after this long without new lines.")  # fmt: skip
@click.option("--debug-unknowns", is_flag=True, help="List the lines that were not understood.")
@json_option
def import_command(
    paths: tuple[str, ...],
    ws: str,
    repo: str | None,
    rev: str | None,
    follow: bool,
    idle: float | None,
    debug_unknowns: bool,
    as_json: bool,
) -> int:
    """Import the sessions of transcripts into WS. Each PATH is a transcript or a folder of transcripts; - is stdin.

    \b
        ccos-tui import session.jsonl -o work.ccos
        ccos-tui import ~/.claude/projects/-home-ann-shop -o shop.ccos --repo ~/shop

    The agent is recognized from the transcript. Importing a transcript again adds only its new lines. A single PATH
    written by `export` recreates WS with the same head. Exit code 3 if nothing could be read.
    """
    recording_allowed()
    if not ws.endswith(SUFFIX):
        raise Usage(f"a workspace's name ends in {SUFFIX}", place=ws)
    if rev is not None and not repo:
        raise Usage("needs --repo to name the repository", place="--rev")
    if rev == "":
        raise Usage("names no commit", place="--rev")
    stdin = _stdin() if STDIN in paths else None
    if len(paths) == 1 and is_export(paths[0], stdin):
        return import_export(paths[0], ws, stdin)
    run = Run(ws, stdin, as_json=as_json, every_unknown=debug_unknowns)
    try:
        return run.follow(paths, repo, rev, idle) if follow else run.to_the_end(paths, repo, rev)
    except KeyboardInterrupt:
        fact = f"interrupted at step {run.step:,}; the steps so far are saved"
        return complain(fact, hint="Run the same command again to continue.", code=exits.INTERRUPTED, as_json=as_json)


class Run:
    """Transcripts going into one workspace, and what people are told of it."""

    def __init__(
        self, ws: str, stdin: BinaryIO | None = None, *, as_json: bool = False, every_unknown: bool = False
    ) -> None:
        self.ws = ws
        self.stdin = stdin
        self.as_json = as_json
        self.every_unknown = every_unknown
        self.step, self.head, self.added = 0, "", 0
        self.lacks_places = False
        """The workspace's, and how many of its steps are new."""
        self.sources: Repository | None = None
        """Of the project, where somebody says where they are."""
        self._taken: list[UnderWay] = []
        self._troubles: list[CcosError] = []

    def to_the_end(self, paths: Sequence[str], repo: str | None = None, rev: str | None = None) -> int:
        """Import what is there, and say what it was; gives the exit code."""
        most, keep = settings.oplog_bounds()
        self.take(paths, repo, rev)
        if most:
            lifecycle.compact(self.ws, most=most, keep=keep)
        self.say()
        return exits.DONE

    def take(self, paths: Sequence[str], repo: str | None = None, rev: str | None = None) -> Sequence[Imported]:
        """Import what is there."""
        with self._importing(repo, rev) as importing:
            self._read(importing, paths, ends=True)
        self._complain(paths)
        return self.told()

    def follow(self, paths: Sequence[str], repo: str | None, rev: str | None, idle: float | None) -> int:
        """Import what is there and what comes, until somebody has had enough, which is no failure."""
        from ccos_core.session.importing import follow

        with self._importing(repo, rev) as importing:
            self._read(importing, paths, ends=False)
            if self._troubles:  # what says nothing yet may begin to
                raise self._troubles[0]
            tell(f"{words.count(self.step, 'step')} so far. Following; Ctrl-C stops.")
            try:
                follow(importing, self._taken, lambda: self._more(importing), idle=idle)
            except KeyboardInterrupt:
                tell("")
            self._stand(importing)
        self.say()
        return exits.DONE

    def told(self) -> list[Imported]:
        """Every session of which something was read."""
        return [each.told() for each in self._taken if each.counting.any]

    def say(self) -> None:
        """What was read, and what the workspace is now."""
        if self.as_json:
            sessions = [asdict(each) for each in self.told()]
            stands = {"workspace": self.ws, "step": self.step, "head": self.head, "added": self.added}
            give({"schema": "ccos.import/1", **stands, "sessions": sessions, **self._sources()})
            return
        columns = terminal.columns()
        for told in self.told():
            for line in printed(told.as_rows(View(columns, full=self.every_unknown)), columns):
                terminal.show(line)
            terminal.show("")
        if self.sources is not None:
            terminal.show(words.visible(_sources_words(self.sources)))
        new = f"{words.count(self.added, 'new step')}; " if self.added else "Nothing new; "
        terminal.show(f"{new}{self.ws} has {self.step:,}, head {words.short(self.head)}")
        self._doubt()
        if self.lacks_places and any(each.counting.counts.thoughts for each in self._taken):
            tell(
                "This workspace was begun by an earlier version. What it lacked, such as thoughts, came in at its end."
            )
            tell("Import into a new workspace to have it in its place, and tokens as they are billed.")
        tell(f"Find what went wrong: ccos-tui autopsy {shlex.quote(self.ws)}")

    # -- helpers --------------------------------------------------------------------------------------------------

    def _importing(self, repo: str | None, rev: str | None) -> Importing:
        from ccos_core.session.importing import Importing
        from ccos_core.session.repository import Repository

        if repo:
            self.sources = Repository(repo, rev or "")
            self.sources.look()
        return Importing(self.ws, self.sources.put_before if self.sources is not None else None)

    def _sources(self) -> dict[str, Any]:
        found = self.sources
        if found is None:
            return {}
        named = {"folder": found.folder, "revision": found.revision, "commit": found.commit}
        return {"sources": {**named, "files": len(found.paths), "added": found.put}}

    def _doubt(self) -> None:
        """Say so where the sources are of something else, or not from the top: nobody would see it otherwise."""
        if self.sources is None:
            return
        for each in self._taken:
            cwd = each.story.cwd.replace("\\", "/").rstrip("/")
            paths = [path.replace("\\", "/").removeprefix(f"{cwd}/") for path in each.counting.paths]
            own = [path for path in paths if inside(path)]
            if own and not any(path in self.sources.paths for path in own):
                name = words.visible(each.story.main.path)
                tell(f"ccos-tui: {self.sources.folder}: has none of the files that {name} mentions")
                began = f", {words.visible(cwd)}" if cwd else ""
                tell(f"  --repo must name the folder on this machine in which the session began{began}.")

    def _read(self, importing: Importing, paths: Sequence[str], *, ends: bool) -> None:
        from ccos_core.session.imported import UnderWay
        from ccos_core.session.transcripts import stories

        found = list(stories(paths, self.stdin))
        bar, total, done = Bar("reading"), sum(story.size for story in found), 0

        def heard(size: int) -> None:
            nonlocal done
            done += size
            bar(done, total)

        try:
            for story in found:
                self._taken.append(UnderWay(story))
                self._one(importing, self._taken[-1], heard, ends=ends)
        finally:
            bar.end()
            self._stand(importing)

    def _one(self, importing: Importing, under_way: UnderWay, heard: Heard, *, ends: bool) -> None:
        """Import one. What a file has of trouble keeps no other one out."""
        try:
            importing.go_on(under_way, heard)
            if ends:
                importing.end(under_way)
        except (NotFound, Unavailable) as error:
            if error.place not in under_way.story.paths:
                raise
            self._troubles.append(error)

    def _complain(self, paths: Sequence[str]) -> None:
        """Say what couldn't be read; raises where that leaves nothing, which has one code, whyever it is so."""
        if any(each.counting.any for each in self._taken):
            self._tell(self._troubles)
            return
        troubled = [error.place for error in self._troubles]
        others = [path for path in paths if path not in troubled]
        if not self._troubles or (others and len(paths) > 1):
            self._tell(self._troubles)
            raise not_a_transcript(others[0])
        self._tell(self._troubles[1:])
        error = self._troubles[0]
        raise NotUnderstood(error.fact, place=error.place, hint=error.hint)

    def _tell(self, troubles: Sequence[CcosError]) -> None:
        for error in troubles:
            tell(f"ccos-tui: {error}")

    def _more(self, importing: Importing) -> None:
        before = self.step
        self._stand(importing)
        tell(f"{words.count(self.step - before, 'step')} more, up to {self.step:,}")

    def _stand(self, importing: Importing) -> None:
        (self.step, self.head), self.added = importing.head(), importing.added
        self.lacks_places = importing.lacks_places()


def _sources_words(found: Repository) -> str:
    """Say what was taken of a project's sources."""
    which = f"as of {found.revision} ({found.commit[:10]})" if found.revision else "current"
    new = "all new" if found.put == len(found.paths) else f"{found.put:,} new" if found.put else "none new"
    return f"sources    {words.count(len(found.paths), 'file')} of {found.folder}, {which}; {new}"


def _stdin() -> BufferedReader[Any]:
    """What comes in, so that its beginning can be looked at."""
    return BufferedReader(cast("RawIOBase", sys.stdin.buffer))
