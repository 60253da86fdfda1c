"""What agents do all day: look around, add something, break a thing and mend it, try, and try again.

The bricks of every story. None of them reads or changes a file it isn't told to, so a story can be sure of what its
agent has seen.
"""

from __future__ import annotations

from collections.abc import Sequence

from tests.bench.drifts.desk import Desk, Run
from tests.bench.drifts.ground import Ground
from tests.bench.drifts.model import Answer, Claim, Fault, Test
from tests.bench.drifts.phrases import following
from tests.bench.drifts.tweaks import annotated, extended, tweaked

Place = tuple[str, str]
"""A file and a function in it."""
CHORES = {
    "python": (("ruff check .", "All checks passed!"), ("ruff format --check .", "31 files already formatted")),
    "typescript": (("npx eslint src", ""), ("npx prettier --check .", "All matched files use Prettier code style!")),
    "rust": (("cargo fmt --check", ""), ("cargo tree --depth 1", "")),
    "go": (("gofmt -l .", ""), ("go list ./... | wc -l", "14")),
}


class Unfit(Exception):
    """The project drawn has no room for this story; another one is drawn."""


def pool(desk: Desk, rivals: int = 0) -> list[str]:
    """Files whose reading says nothing about the failure, and so many that lie upstream of it as well."""
    ground, rng = desk.ground, desk.rng
    near = ground.rivals()
    found = [*ground.apart(), *(path for path in ground.files if ground.is_test(path) and len(ground.files[path]) > 60)]
    found += rng.sample(near, min(len(near), rivals))
    return [path for path in dict.fromkeys(found) if path not in (ground.cause, ground.felt)]


def opening(desk: Desk, around: Sequence[str], count: int) -> None:
    """A session begins: some files are looked at, and sometimes that was long ago when the story sets in."""
    desk.begin()
    explore(desk, around, count)
    if desk.rng.random() < 0.16:
        explore(desk, around, desk.rng.randint(2, 6))
        desk.rng.choice((desk.compact, desk.compact, desk.compact, desk.clear, desk.fall))()
        desk.prompt(following(desk.rng))


def explore(desk: Desk, paths: Sequence[str], count: int) -> None:
    """Look at this and that, whole or in part."""
    for _ in range(count):
        what = desk.rng.random()
        path = desk.rng.choice(paths)
        if what < 0.45:
            desk.read(path)
        elif what < 0.68:
            glance(desk, path)
        elif what < 0.86:
            desk.search(desk.ground.function_in(desk.rng, path, desk.files[path]) or "amount")
        elif what < 0.93:
            desk.look()
        else:
            chore(desk)


def glance(desk: Desk, path: str) -> None:
    """Some lines of a file."""
    count = desk.files[path].count("\n")
    first = desk.rng.randint(1, max(1, count - 10))
    desk.read(path, (first, first + desk.rng.randint(8, 60)))


def chore(desk: Desk) -> None:
    git = (
        ("git status --short", ""),
        ("git log --oneline -5", "a41c9e2 wip\n90b1d77 more tests\n"),
        ("git diff --stat", ""),
    )
    desk.command(*desk.rng.choice((*CHORES[desk.ground.family], *git)))


def feature(desk: Desk, path: str, read: bool = True) -> None:
    """Add to a file, in one to three edits."""
    if read:
        desk.read(path)
    for _ in range(desk.rng.choice((1, 1, 2, 3))):
        idle_edit(desk, path)


def idle_edit(desk: Desk, path: str, name: str = "") -> int:
    """One edit that neither mends nor breaks anything."""
    ground, rng, text = desk.ground, desk.rng, desk.files[path]
    name = name or ground.function_in(rng, path, text)
    if ground.is_test(path) and ground.family != "rust":
        return desk.change(path, annotated(rng, ground.family, text))
    if not name or rng.random() < 0.2:
        return desk.change(path, extended(rng, ground.family, text)[0])
    return desk.change(path, tweaked(rng, ground.family, text, name, ground.kept))


def breaking_edit(desk: Desk, fault: Fault) -> int:
    """An edit for some other purpose, with the fault in it."""
    desk.guard(fault)
    ground, text = desk.ground, fault.broken(desk.files[fault.path])
    if desk.rng.random() < 0.7:
        name = ground.function_in(desk.rng, fault.path, text)
        text = tweaked(desk.rng, ground.family, text, name, ground.kept)
    return desk.change(fault.path, text)


def mend(desk: Desk, fault: Fault, read: bool = True) -> int:
    """The right edit, in the right place; gives its number."""
    if read:
        desk.read(fault.path)
    return desk.change(fault.path, fault.mended(desk.files[fault.path]))


def broken_and_mended(desk: Desk, fault: Fault, only: Test | None) -> None:
    """A healthy episode: an edit breaks a test, its author sees why, and mends it."""
    desk.read(fault.path)
    breaking_edit(desk, fault)
    desk.run(only)
    if desk.rng.random() < 0.6:
        desk.read(fault.test.path)
    mend(desk, fault, read=desk.rng.random() < 0.4)
    desk.run(only)


def busy(desk: Desk, count: int, paths: Sequence[str], only: bool = True) -> None:
    """So many pieces of other work; with `only`, no run takes in more than it needs."""
    ground, rng = desk.ground, desk.rng
    for _ in range(count * desk.pace):
        what = rng.random()
        sides = [fault for fault in ground.sides if not fault.is_in(desk.files) and fault.path in paths]
        apart = [path for path in ground.apart() if path in paths]
        if what < 0.3 and sides:
            fault = rng.choice(sides)
            broken_and_mended(desk, fault, fault.test if only else None)
        elif what < 0.65 and apart:
            feature(desk, rng.choice(apart))
            if sides and rng.random() < 0.5:
                desk.run(rng.choice(sides).test if only else None)
        elif what < 0.7:
            with desk.subagent():
                explore(desk, paths, rng.randint(2, 6))
                if apart and rng.random() < 0.4:
                    feature(desk, rng.choice(apart))
        elif what < 0.74 and apart:
            somebody_else(desk, rng.choice(apart))
        else:
            explore(desk, paths, rng.randint(2, 5))
        if rng.random() < 0.25:
            desk.prompt(following(rng))


def somebody_else(desk: Desk, path: str) -> None:
    """A file is changed that nobody here depends on: by the user, or in another session."""
    if desk.rng.random() < 0.5:
        desk.theirs(path, extended(desk.rng, desk.ground.family, desk.files[path])[0])
        return
    with desk.other_session():
        desk.prompt()
        feature(desk, path)


def workplaces(desk: Desk) -> list[Place]:
    """Where somebody works who goes by the failure alone: where it is felt, what calls that, what it calls."""
    ground = desk.ground
    inner = [ground.symptom] if not ground.is_test(ground.felt) and ground.case.mode != "mismatch" else []
    places = [*inner, *ground.callers, *ground.between]
    found = [place for place in dict.fromkeys(places) if place[0] != ground.cause]
    if not found:
        raise Unfit
    return found


def off_the_spot(desk: Desk) -> list[Place]:
    """The same without where it is felt, if there is anything else."""
    places = workplaces(desk)
    return [place for place in places if place[0] != desk.ground.felt] or places


def flail(desk: Desk, places: Sequence[Place], rounds: int, only: Test | None) -> list[tuple[int, Run]]:
    """Edit where it hurts, run, and again: gives each edit and the run after it."""
    found, known = [], set()
    for turn in range(rounds):
        path, name = places[0] if turn == 0 or desk.rng.random() < 0.6 else desk.rng.choice(places)
        if path not in known or desk.rng.random() < 0.15:
            desk.read(path)
            known.add(path)
        edit = idle_edit(desk, path, name)
        if desk.rng.random() < 0.25:
            idle_edit(desk, path, name)
        if desk.rng.random() < 0.3:
            desk.search(name)
        found.append((edit, desk.run(only)))
        if desk.rng.random() < 0.2:
            desk.prompt(following(desk.rng))
    return found


def selection(desk: Desk) -> Test | None:
    """What the agent runs while it is after the main failure: that test, or all of them."""
    return desk.ground.main.test if desk.rng.random() < 0.55 else None


def is_narrow(ground: Ground) -> bool:
    """Whether so little lies upstream of the failure that the cause could be named by that alone."""
    return len(ground.rivals()) <= 2


def guilty_of(fault: Fault) -> tuple[str, ...]:
    return f"file:{fault.path}", f"sym:{fault.path}#{fault.symbol}"


def answer(desk: Desk, kind: str, shape: str, first: int, last: int, said: str, fault: Fault | None = None) -> Answer:
    fault = fault or desk.ground.main
    return Answer(kind, shape, guilty_of(fault), first, last, said, (fault.test.path, fault.test.name))


def claim(desk: Desk, word: str, at: int, until: int, about: Fault | str = "") -> None:
    """Say what a test may prove; about a fault, or about a file."""
    if isinstance(about, str):
        desk.claims.append(Claim(word, about, at, until, desk.context))
        return
    test = about.test.path, about.test.name
    desk.claims.append(Claim(word, about.path, at, until, desk.context, about.wrong, test))


def late_end(desk: Desk, fault: Fault, chance: float, only: Test | None) -> bool:
    """Sometimes, at the very end, the cause is found after all; gives whether it was."""
    if desk.rng.random() >= chance:
        if desk.rng.random() < 0.5:
            desk.say(always=True)
        return False
    edit = mend(desk, fault)
    after = desk.run(only)
    claim(desk, "mended", edit, after.at, fault)
    return True
