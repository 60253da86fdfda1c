"""Page faults: what an output says went wrong, and where; and what it says works again.

One table of readers. Each knows its runner by what the output looks like and never by the command's name; several may
speak in one output, and what one has claimed the next doesn't see. The command is asked only how much a passing run
took in. Nearly all outputs are of one runner, so a reader is only asked where one of its signs stands. The table is
loaded when there is an output to be read: who wants to know only where a path leads (`files`, `paths`) does without.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace

from ccos_core.intake.failures.command import is_quoting
from ccos_core.intake.failures.page import CLAIMED, CUT, MOST_FRAMES, Findings, Page, page_of
from ccos_core.values.outcome import Failure, Report

VERSION = 3  # of all readers together, and of `tools`: it goes up whenever the same call may give another report
MOST_FAILURES = 1_000


def read(output: str, command: str = "", ok: bool | None = None) -> Report:
    """What the output of a command says; `ok` is whether the command succeeded, None if that isn't known."""
    if command and is_quoting(command):
        return Report()
    from ccos_core.intake.failures import generic
    from ccos_core.intake.failures.ran import parts_of, with_verdict

    page = page_of(output, command, ok)
    flaws = ("cut",) if CUT in page.lines else ()
    ran = parts_of(page)
    found = _ask_readers(page)
    if not found.failures and not found.passes and ok is False:
        found.failures = generic.read(page).failures
    clean, seen = generic.scopes_of_checkers(page, [failure for _, failure in found.failures])
    found.passes += [(len(page.lines), each) for each in clean]
    if found.passes and not found.failures and ok is True:
        ran = with_verdict(ran, page)
    found.failures.sort(key=lambda each: each[0])
    found.passes.sort(key=lambda each: each[0])
    merged, is_whole = _merged(failure for _, failure in found.failures)
    if not is_whole:
        flaws = (*flaws, "many")
    if any(generic.STOPPED.search(failure.message) for failure in merged):
        ran = tuple(replace(each, complete=False) for each in ran)
    complete = not flaws and all(each.complete for each in ran)
    looked = tuple(dict.fromkeys(found.looked + seen)) if complete else ()
    return Report(tuple(merged), tuple(dict.fromkeys(each for _, each in found.passes)), flaws, ran, looked)


def _ask_readers(page: Page) -> Findings:
    """What all readers find; each sees the lines that no earlier one has claimed."""
    from ccos_core.intake.failures.readers import READERS

    found = Findings()
    text = "\n".join(("", *page.lines, ""))
    for reader in READERS:
        if reader.may_speak(page, text):
            own = reader.read(page)
            found.failures += own.failures
            found.passes += own.passes
            found.looked += own.looked
            for at in (at for claim in own.claimed for at in range(*claim)):
                page.lines[at] = CLAIMED if page.lines[at] != CUT else CUT
            text = "\n".join(("", *page.lines, "")) if own.claimed else text
    return found


def _merged(failures: Iterable[Failure]) -> tuple[list[Failure], bool]:
    """Return the first `MOST_FAILURES` different failures, and whether those are all.

    A test that fails twice in one output (its call, then its teardown) is one failure with the frames of both. Failures
    beyond the limit aren't kept: an output of 4 MiB can hold 300,000.
    """
    kept: dict[tuple[object, ...], Failure] = {}
    is_whole = True
    for failure in failures:
        site = () if failure.test else failure.frames[:1]
        key = (failure.runner, failure.test, failure.part, site, "" if failure.test or site else failure.message)
        before = kept.get(key)
        if before is not None:
            frames = tuple(dict.fromkeys(before.frames + failure.frames))[:MOST_FRAMES]
            kept[key] = replace(before, frames=frames, message=before.message or failure.message)
        elif len(kept) < MOST_FAILURES:
            kept[key] = failure
        else:
            is_whole = False
    return list(kept.values()), is_whole
