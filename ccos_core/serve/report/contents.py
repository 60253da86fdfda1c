"""What a report embeds: the answers of the existing questions at each row of the step list.

    contents = report_contents(desk, 1, desk.timeline.head)

The result is plain JSON. It comes from `overview`, `recall`, `diff`, `watch`, `autopsy` and `failures`, from the texts
of steps and from their groups, so the page says what the terminal says.
"""

from __future__ import annotations

import os
from collections.abc import Iterator, Sequence
from dataclasses import asdict
from typing import TYPE_CHECKING, Any

from ccos_core._version import __version__
from ccos_core.present.later import untitled
from ccos_core.present.parts import node_name
from ccos_core.present.rows import View
from ccos_core.query.catalogue import BY_NAME
from ccos_core.query.step_groups import Group, groups
from ccos_core.query.step_text import step_parts
from ccos_core.serve.report.tables import Json, RowTable, Table, plain, plain_line
from ccos_core.serve.report.windows import Windows, most_seen

if TYPE_CHECKING:
    from ccos_core.query.autopsy.answer import Autopsy
    from ccos_core.session.asking import Desk

SCHEMA = "ccos.report/1"
ROWS_MOST = 5_000
"""Rows of the step list that a report holds; earlier ones are left out."""
WINDOWS_MOST = 1_500
"""Windows and diffs that a report holds; of more rows, evenly spaced ones have them."""
WATCHED_MOST = 60
"""Files of which the report tells when they were in the window."""
COLUMNS_MOST = 600
"""Columns of the timeline's strips."""
WORDS_LONGEST = 240
"""Characters of a row in the step list."""
STEPS_TOLD = 64
"""Steps of one row whose texts are told; a scan of a project has thousands."""
EFFECTS = ("seen", "gone", "renamed")
VIEW = View(None, full=True)


def report_contents(desk: Desk, first: int, last: int) -> Json:
    """Collect the contents of a report over the steps from `first` to `last`."""
    timeline = desk.timeline
    rows, texts = RowTable(), Table()
    left_out: list[str] = []
    shown: Sequence[Group] = groups(timeline, first, last)
    if len(shown) > ROWS_MOST:
        shown = shown[-ROWS_MOST:]
        before = min(shown[0].steps) - 1
        left_out.append(f"Steps {first:,} to {before:,}: --steps {first}..{before} shows them.")
    first, last = min(shown[0].steps), max(max(group.steps) for group in shown)
    windows = Windows(desk, rows, first, last)
    every = max(1, -(-len(shown) // WINDOWS_MOST))
    if every > 1:
        left_out.append(f"Windows and diffs: one row in {every:,} has them.")
    window_rows, diff_rows = windows.at(list(enumerate(shown))[::every])
    autopsy = _ask(desk, "autopsy", last)
    suspects = [each.node for each in autopsy.suspects]
    watched = list(dict.fromkeys([*suspects, *most_seen(desk, first, last, WATCHED_MOST)]))[:WATCHED_MOST]
    return {
        "schema": SCHEMA,
        "version": __version__,
        "name": plain_line(os.path.basename(timeline.name)),
        "steps": timeline.head,
        "hash": timeline.hash(last) if last else "",
        "first": first,
        "last": last,
        "agent": windows.is_agents,
        "groups": [_group(group) for group in shown],
        "parts": [_parts(desk, group, texts) for group in shown],
        "windows": window_rows,
        "diffs": diff_rows,
        "overview": _overview(desk, first, last),
        "watch": windows.watched(watched),
        "evidence": _evidence(autopsy),
        "autopsy": rows.places(autopsy.as_rows(VIEW)),
        "failures": rows.places(untitled(_ask(desk, "failures", last, all="").as_rows(VIEW))),
        "cost": rows.places(_ask(desk, "cost", last).as_rows(VIEW)),
        "left_out": left_out,
        "rows": rows.values,
        "texts": texts.values,
    }


def _evidence(autopsy: Autopsy) -> Json:
    """Write which steps the autopsy rests on: [a file or nothing, what was found, steps] of each."""
    found: list[Json] = [
        [node_name(each.node), each.kind, [it.step for it in each.evidence]] for each in autopsy.suspects
    ]
    others = [each for each in autopsy.findings if each.drift and each.evidence]
    return [*found, *(["", each.kind, [it.step for it in each.evidence]] for each in others)]


def _ask(desk: Desk, name: str, at: int, **said: str) -> Any:
    return desk.ask(BY_NAME[name], said, at).answer


def _group(group: Group) -> Json:
    """Write a row of the step list; the page's script names the places."""
    return [
        group.step,
        list(group.steps),
        plain_line(group.kind),
        plain_line(group.says)[:WORDS_LONGEST],
        plain_line(group.result)[:WORDS_LONGEST],
        plain_line(group.outcome),
        group.tokens,
        group.grew,
        group.window,
        group.at,
        plain_line(group.context),
        group.turn,
    ]


def _parts(desk: Desk, group: Group, texts: Table) -> Json:
    """Write what was said in a row's steps: [role, title, text, path, line, tokens, what is missing] each."""
    return [
        [
            part.role,
            plain_line(part.title),
            texts.place(part.text, plain),
            plain_line(part.path),
            part.line,
            part.tokens,
            plain_line(part.missing),
        ]
        for step in _telling(desk, group)
        for part in step_parts(desk.timeline, step)
    ]


def _telling(desk: Desk, group: Group) -> Iterator[int]:
    """Yield the steps of a row whose texts aren't told by the row itself, or by the call that they are an effect of."""
    is_call = desk.timeline.op(group.step)["kind"] == "tool"
    for step in group.steps[:STEPS_TOLD]:
        kind = desk.timeline.op(step)["kind"]
        if step == group.step or not (kind == "usage" or (is_call and kind in EFFECTS)):
            yield step


def _overview(desk: Desk, first: int, last: int) -> Json:
    columns = str(min(last - first + 1, COLUMNS_MOST))
    return asdict(_ask(desk, "overview", last, span=f"{first}..{last}", columns=columns, commits="no"))
