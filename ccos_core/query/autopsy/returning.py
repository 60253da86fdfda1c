"""Files that were put back to an earlier state several times, though nothing failed meanwhile.

Undoing a change after a failure is right. Undoing changes of the same file for the third time while no run reported a
failure is going in circles. If the texts are recorded, they prove it. If not, the command tells: a copy overwrote the
file, or version control restored it. Changes that the user asked to undo don't count.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import replace
from itertools import pairwise
from typing import Any, NamedTuple

from ccos_core.errors import CcosError
from ccos_core.intake.calls.commands import effects_of_command
from ccos_core.intake.calls.effects import Changed
from ccos_core.intake.failures.paths import Known
from ccos_core.intake.tools import command_of
from ccos_core.query.autopsy.attempts import is_code, is_setting
from ccos_core.query.autopsy.case import Work
from ccos_core.query.autopsy.deeds import Deed, Deeds
from ccos_core.values.paths import inside

MANY = 3
"""Times from which it is a circle."""
APART = 150
"""Steps from one to the next, beyond which it is another matter."""
OVERWRITING = ("cp ", "checkout ", "restore ")
"""Words without which a command does neither."""
BACKUPS = (".bak", ".backup", ".orig")
NEAR = 60
"""Steps before what a call did, among which the call is looked for."""


class Back(NamedTuple):
    """A file became what it had been."""

    step: int
    since: int
    """Its change that was taken back, or when it was put back last."""
    was: int
    """The step at which it was that before; 0 if it isn't known."""
    recorded: bool
    """Whether its text is known, rather than read from a command."""


class Returned(NamedTuple):
    """A file that was put back time and again."""

    file: int
    backs: tuple[Back, ...]

    @property
    def recorded(self) -> bool:
        """Whether all of it is."""
        return all(back.recorded for back in self.backs)


def returned(work: Work) -> list[Returned]:
    """Those of a session, the one that was put back most often first."""
    found = []
    for (file, _), backs in sorted(_backs(work.deeds).items()):
        if len(backs) < MANY or not _counts(work.deeds, file, backs):
            continue
        calm = [back for back in backs if not (work.requests.to_undo(back.step) or _fails(work, file, back))]
        best = max(_rounds(work.deeds, calm), key=len, default=[])
        if len(best) >= MANY:
            found.append(Returned(file, tuple(best)))
    return sorted(found, key=lambda each: (-len(each.backs), each.backs[0].step, each.file))


# -- helpers ----------------------------------------------------------------------------------------------------------


def _backs(deeds: Deeds) -> dict[tuple[int, int], list[Back]]:
    """(file, context) → each time it was put back there."""
    found: dict[tuple[int, int], dict[int, Back]] = {}
    for (file, context), back in (*_recorded(deeds), *_commanded(deeds)):
        found.setdefault((file, context), {}).setdefault(back.step, back)
    return {key: [backs[step] for step in sorted(backs)] for key, backs in found.items()}


def _recorded(deeds: Deeds) -> Iterator[tuple[tuple[int, int], Back]]:
    """An edit made all of a file what it had been before some other."""
    for file, changes in deeds.changes.items():
        if len(changes) < MANY:
            continue
        now, since = deeds.content(file, changes[0].step - 1), 0
        met = {now: changes[0].step - 1}
        for change in changes:
            before, now = now, deeds.content(file, change.step)
            if now == before:
                continue
            by_agent = change.context >= 0 and not deeds.by_user(change.step)
            if now in met and any(now) and by_agent and deeds.is_whole(change):
                yield (file, change.context), Back(change.step, since, met[now], True)
            met[now], since = change.step, change.step


def _commanded(deeds: Deeds) -> Iterator[tuple[tuple[int, int], Back]]:
    """A call overwrote a file with a copy of itself, or had it put back, after something else was changed."""
    copies: dict[str, str] = {}
    last: dict[str, int] = {}
    read: dict[int, dict[str, Changed]] = {}
    for deed in deeds.edits:
        call = _call(deeds, deed)
        if call and call not in read:
            read[call] = _overwritten(deeds, call)
        path = deeds.op(deed.step)["path"]
        effect = read[call].get(path) if call else None
        if effect is None:
            continue
        if effect.restored or copies.get(effect.like) == path:
            since = last.get(path, deeds.before(call, APART))
            if deeds.edits_in(since, call - 1):
                yield (deed.file, deed.context), Back(deed.step, since, 0, False)
            last[path] = deed.step
        else:
            copies[path] = effect.like
            last[effect.like] = deed.step


def is_put_back(deeds: Deeds, deed: Deed) -> bool:
    """Whether a command put a file back: by version control, or from a copy that is called a backup."""
    call = _call(deeds, deed)
    effect = _overwritten(deeds, call).get(deeds.op(deed.step)["path"]) if call else None
    return effect is not None and (effect.restored or effect.like.endswith(BACKUPS))


def _call(deeds: Deeds, deed: Deed) -> int:
    """The call that changed a file by a command, as far as that was concluded from it; 0 if none did."""
    op = deeds.op(deed.step)
    if not op.get("inferred") or op.get("actor") == "user":
        return 0
    for step in range(deed.step - 1, deeds.before(deed.step, NEAR), -1):
        before = deeds.op(step)
        if before["kind"] == "tool" and deeds.context(step) == deed.context:
            return step if before.get("call") == op.get("call") else 0
    return 0


def _overwritten(deeds: Deeds, call: int) -> dict[str, Changed]:
    """Path → how a command overwrote it with a copy of another file, or had it put back."""
    op = deeds.op(call)
    try:
        line = command_of(_text(deeds, op, "arguments"))
        output = _text(deeds, op, "result") if any(word in line for word in OVERWRITING) else None
    except CcosError:
        return {}
    if output is None:
        return {}
    known = Known(deeds.every_path, op.get("cwd", "."))
    ended = {"ok": True, "error": False}.get(op["outcome"])
    return {
        known.spelling(each.path): replace(each, like=known.spelling(each.like) if each.like else "")
        for each in effects_of_command(line, output, ended)
        if isinstance(each, Changed) and (each.like or each.restored)
    }


def _text(deeds: Deeds, op: Mapping[str, Any], name: str) -> str:
    reference = op.get(name)
    if not isinstance(reference, dict):
        return ""
    return deeds.timeline.content(reference["blob"]).decode("utf-8", "replace")


def _counts(deeds: Deeds, file: int, backs: list[Back]) -> bool:
    """Whether it is a file of the project that is worked on: what is printed into a file again is none."""
    if not inside(deeds.files.path(file)):
        return False
    by_hand = any(back.recorded and not deeds.op(back.step).get("inferred") for back in backs)
    return is_code(deeds, file) or is_setting(deeds, file) or by_hand


def _fails(work: Work, file: int, back: Back) -> bool:
    """Whether something that depends on it failed after the change that was taken back."""
    return any(
        any(back.since < step < back.step for step in trouble.told) and work.upstream(trouble).has(file)
        for trouble in work.troubles
        if trouble.begin < back.step and trouble.told[-1] > back.since
    )


def _rounds(deeds: Deeds, backs: list[Back]) -> Iterator[list[Back]]:
    now = backs[:1]
    for before, back in pairwise(backs):
        if deeds.distance(before.step, back.step) > APART:
            yield now
            now = []
        now = [*now, back]
    if now:
        yield now
