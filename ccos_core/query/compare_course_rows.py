"""The first screen of `compare`: what came of both sessions, where they parted, what each changed, and what failed."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

from ccos_core.present.cells import clip, width_of
from ccos_core.present.parts import and_more
from ccos_core.present.rows import Moment, Part, Row, Span, View, clean, heading, note, row, table
from ccos_core.present.words import count, duration
from ccos_core.query.cost import priced_words
from ccos_core.query.recoveries import name_in
from ccos_core.values.ids import file_node

if TYPE_CHECKING:
    from ccos_core.query.compare import Compared
    from ccos_core.query.compare_course import Course
    from ccos_core.query.recoveries import Recovery
    from ccos_core.query.telling import Told

OUTCOMES = {
    "failing": ("fails at the end", "bad"),
    "rerun due": ("not run again since a change", "note"),
    "passed": ("nothing fails", "good"),
    "unknown": ("no test run reported", "quiet"),
}
"""Outcome of a session → its words and its role."""
SHOWN_FILES, SHOWN_FAILURES = 4, 4
NARROWEST_CELL, WIDEST_CELL = 20, 60
NAME_COLUMNS = 16


def course_rows(answer: Compared, here: Course, there: Course, view: View) -> Iterator[Row]:
    """Show both sessions side by side, and below it what only one of them did."""
    cell = min(max((view.width - NAME_COLUMNS - 4) // 2, NARROWEST_CELL), WIDEST_CELL)
    one, other = _facts(answer, here, cell), _facts(answer, there, cell, is_here=False)
    rows: list[Sequence[Part]] = [("", Span("here", "quiet", ""), Span("there", "quiet", ""))]
    rows += [(name, one[name], other[name]) for name in one if _says(one[name]) or _says(other[name])]
    yield from table(rows)
    yield from _parted(answer, view)
    yield Row()
    yield from _files(here, there, view)
    yield from _failures(here, there, view)


def _facts(answer: Compared, course: Course, cell: int, *, is_here: bool = True) -> dict[str, Part]:
    """Name → what is said of one session; cut to a cell."""
    whole, side = (answer.here, "here") if is_here else (answer.there, "there")
    words, role = OUTCOMES.get(course.outcome, OUTCOMES["unknown"])
    if course.failing:
        words = (
            f"{count(course.failing, 'failure')} {'not run again' if course.outcome == 'rerun due' else 'at the end'}"
        )
    began = (
        f"read {count(course.read_before, 'file')}, edited from step {course.first_edit:,}" if course.first_edit else ""
    )
    said = {
        "outcome": Span(words, role),
        "commits": _plain(", ".join(_counted(course.commits, "commit") + _counted(course.pushes, "push", "pushes"))),
        "model": _plain(course.model),
        "time": _plain(duration(course.millis) if course.millis is not None else ""),
        "cost": _plain(priced_words(course.micros, course.unpriced) if course.micros or course.unpriced else ""),
        "steps, calls": _plain(f"{whole.steps:,}, {count(whole.calls, 'call')}, {count(whole.prompts, 'prompt')}"),
        "most tokens": _plain(
            f"{whole.tokens:,}" + "".join(f", {each}" for each in _counted(whole.compactions, "compaction"))
        ),
        "began": _plain(began or f"read {count(course.read_before, 'file')}, no edit"),
        "edits": _plain(f"{course.edits:,} in {count(len(course.edited), 'file')}" if course.edits else "none"),
        "failing runs": _plain(f"{course.failed_runs:,}"),
        "mostly edited": _plain(
            ", ".join(f"{clean(_short(each.path))} ×{each.times}" for each in course.most_edited[:2])
        ),
    }
    return {name: Span(clip(each.text, cell), each.role, f"{side} {each.text}") for name, each in said.items()}


def _plain(text: str) -> Span:
    return Span(clean(text))


def _says(part: Part) -> bool:
    return bool((part if isinstance(part, str) else part.text).strip())


def _counted(number: int, one: str, many: str = "") -> list[str]:
    return [count(number, one, many)] if number else []


def _short(path: str) -> str:
    return path.rpartition("/")[2] or path


def _parted(answer: Compared, view: View) -> Iterator[Row]:
    """Where they did something else for the first time."""
    parting = answer.own_parting or answer.parting
    if parting is None:
        yield heading("they never part")
        return
    after = (
        f"after {count(answer.own_alike, 'equal step')} of the agent's own" if answer.own_alike else "from the start"
    )
    yield Row()
    yield heading("they part", Span(after, "quiet"))
    for side, op in (("here", parting.here), ("there", parting.there)):
        yield _did(side, op, view)


def _did(side: str, op: Told | None, view: View) -> Row:
    if op is None:
        return row(Span(f"  {side:<5}  ", "quiet"), "ended")
    leads = Moment(op.step) if side == "here" else None  # the other's steps are in another record
    words = clip(clean(op.says), max(view.width - 30 - width_of(op.kind), 16))
    return row(
        Span(f"  {side:<5}  ", "quiet"),
        Span(f"step {op.step:,}", "link" if leads else ""),
        f"  {clean(op.kind)} {words}",
        leads=leads,
    )


def _files(here: Course, there: Course, view: View) -> Iterator[Row]:
    """Files that only one changed, and those that both did: how many, and the first names."""
    for words, paths in _edited(here, there).items():
        if paths:
            names = ", ".join(clean(_short(path)) for path in paths[:SHOWN_FILES])
            more = f" and {len(paths) - SHOWN_FILES:,} more" if len(paths) > SHOWN_FILES else ""
            said = f"  {words} ({len(paths):,})"
            room = max(view.width - len(said) - len(more) - 4, 12)
            yield row(Span(said, "strong"), Span(f"  {clip(names, room)}{more}", "quiet"))


def edited_rows(here: Course, there: Course) -> Iterator[Row]:
    """All of them by name."""
    for words, paths in _edited(here, there).items():
        if paths:
            yield Row()
            yield heading(f"{words} ({len(paths):,})")
        for path in paths:
            leads = Moment(node=file_node(path)) if words != "edited only there" else None
            yield row(f"  {clean(path)}", leads=leads)


def _edited(here: Course, there: Course) -> dict[str, list[str]]:
    mine, theirs = set(here.edited), set(there.edited)
    return {
        "edited only here": sorted(mine - theirs),
        "edited only there": sorted(theirs - mine),
        "edited in both": sorted(mine & theirs),
    }


def _failures(here: Course, there: Course, view: View) -> Iterator[Row]:
    """Each failure with what became of it on both sides; those that last come first."""
    mine, theirs = _met(here), _met(there)
    alike: dict[tuple[int, int], list[str]] = {}
    for name in sorted(mine.keys() | theirs.keys(), key=lambda name: (_is_over(mine, theirs, name), name)):
        alike.setdefault((id(mine.get(name)), id(theirs.get(name))), []).append(name)
    if not alike:
        return
    yield Row()
    yield heading(f"failures met ({sum(map(len, alike.values())):,})")
    some, more = view.some(list(alike.values()), SHOWN_FAILURES)
    for names in some:
        met = mine.get(names[0])
        others = f" and {count(len(names) - 1, 'other')}" if len(names) > 1 else ""
        room = max(view.width // 2, 24)
        yield row(f"  {name_in(names[0], room)}{others}", leads=Moment(met.since) if met else None)
        yield note(f"      here {_became(met)}; there {_became(theirs.get(names[0]))}")
    yield from and_more(more, "failure")


def _met(course: Course) -> dict[str, Recovery]:
    """Name → what became of a failure; of one that came back the last time."""
    found: dict[str, Recovery] = {}
    for each in sorted(course.met, key=lambda each: each.since):
        found |= dict.fromkeys((each.name, *each.others), each)
    return found


def _is_over(mine: dict[str, Recovery], theirs: dict[str, Recovery], name: str) -> bool:
    return all(each is None or each.ended is not None for each in (mine.get(name), theirs.get(name)))


def _became(met: Recovery | None) -> str:
    if met is None:
        return "never"
    tried = count(len(met.tries) + met.tries_more, "attempt")
    if met.ended is not None:
        return f"ended at step {met.ended:,}, {met.ended - met.since:,} steps and {tried} after it began"
    return f"{'not run again' if met.state == 'rerun due' else 'fails'} since step {met.last:,}, {tried}"
