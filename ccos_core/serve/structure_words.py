"""The shape of code in words: plain text with aligned columns, numbers first and the name they are about last."""

from __future__ import annotations

import shlex
from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING

from ccos_core.present.words import count, visible
from ccos_core.serve.terminal import coloured

if TYPE_CHECKING:
    from ccos_core.query.structure.cycles import Cycle, Cycles, Step
    from ccos_core.query.structure.regions import Activation, Part, Region, Regions
    from ccos_core.query.structure.summary import Language, Summary
    from ccos_core.query.structure.top import Standing, Top
    from ccos_core.window.linearize import Window

FEW = 5
"""Rows of a list that is only a part of a summary."""
LONG_RING = 8
"""Steps of a circle that are written out."""
ROLES = {
    "import": "imports",
    "call": "calls",
    "type": "types",
    "base": "bases",
    "decorator": "decorators",
    "name": "names",
}
BY = {"direct": "direct use", "reach": "reach", "centrality": "centrality"}
FLAWS = {
    "syntax": "syntax errors",
    "deep": "not outlined: nested too deep",
    "hostile": "not outlined: too much work for its size",
    "crashed": "not outlined: its parser crashed or ran out of memory or time",
    "large": "not outlined: too large",
    "no grammar": "no grammar",
}
WHY = (
    "here = how many of the calls, types, bases and decorators that go by a defined or imported name lead to code\n"
    "in here, for certain. The rest are libraries', or can't be told without running the code."
)


def summary(folder: str, found: Summary, not_read: str) -> str:
    """The answer of `analyze`."""
    tests = f" ({count(found.tests, 'test')})" if found.tests else ""
    lines = [
        f"{visible(folder)}: {count(found.files, 'file')}{tests}, {count(found.symbols, 'symbol')}, "
        + count(found.edges, "dependency", "dependencies"),
        "",
        *_languages(found.languages),
        "",
        *_unknown(found, not_read),
        *_shape(found),
        "",
        *_cycles_in_short(folder, found.cycles),
    ]
    return "\n".join(lines)


def cycles(found: Cycles) -> str:
    """The answer of `analyze --cycles`."""
    lines = [_how_many(found)]
    for cycle in found.loading:
        lines += ["", *_cycle(cycle)]
    if found.deferred:
        lines += ["", f"{coloured(_late(found), 'note')}:"]
    for cycle in found.deferred:
        lines += ["", *_cycle(cycle)]
    return "\n".join(lines)


def top(found: Top) -> str:
    """The answer of `top`."""
    files = [(f"{row.direct:,}", f"{row.reach:,}", _percent(row.centrality), name(row.path)) for row in found.files]
    symbols = [
        (f"{row.direct:,}", f"{row.files:,}", f"{row.reach:,}", _percent(row.centrality), _symbol(row))
        for row in found.symbols
    ]
    lines: list[str] = []
    if files:
        head = ("direct", "reach", "centrality", "")
        lines += [f"files most depended on, by {BY[found.by]}", *_table([head, *files]), ""]
    if symbols:
        wide = ("direct", "in files", "reach", "centrality", "")
        lines += [f"symbols most depended on, by {BY[found.by]}", *_table([wide, *symbols]), ""]
    if not lines:
        return "Nothing in here depends on anything else in here."
    return "\n".join([*lines, "direct = who uses it; reach = all who depend on it, through others too"])


def regions(folder: str, found: Regions, limit: int) -> str:
    """The answer of `regions`."""
    tied = sum(len(region.files) for region in found.regions)
    lines = [
        f"{visible(folder)}: {count(len(found.regions), 'region')} of {count(tied, 'file')}"
        + (f" in {found.islands:,} parts without a tie" if found.islands > 1 else "")
        + (f"; {count(len(found.alone), 'more file')} {_stand(len(found.alone))} alone" if found.alone else "")
    ]
    for region in found.regions[:limit]:
        lines += ["", *_region(region)]
    if len(found.regions) > limit:
        left = sum(len(region.files) for region in found.regions[limit:])
        lines += ["", f"and {len(found.regions) - limit:,} smaller ones, {count(left, 'file')} in all"]
    return "\n".join(lines)


def activated(found: Activation, window: Window) -> str:
    """What `regions --activate` loaded."""
    shown = len({item.path for item in window.items})
    files = f"{count(len(found.files), 'file')}, {shown:,} shown"
    tokens = f"{window.tokens:,} of {window.budget:,} tokens"
    lines = [f"region {found.region.number}, {name(found.region.center)}: {files}, {tokens}"]
    for said, leans in (("it leans on", found.region.leans_on), ("on it lean", found.leaned_on_by)):
        if leans:
            lines.append(f"  {said} " + ", ".join(f"{lean.region} ({count(lean.uses, 'use')})" for lean in leans[:FEW]))
    return "\n".join(lines)


def name(text: str) -> str:
    """A path or a symbol's name, on one line and harmless."""
    from ccos_core.query.structure.names import legible

    return legible(text)


# ---- the parts of a summary ----


def _languages(found: Sequence[Language]) -> list[str]:
    roles = [role for role in ROLES if any(language.edges.get(role) for language in found)]
    head = ("", "files", "symbols", *(ROLES[role] for role in roles), "here")
    rows = [
        (
            language.name,
            f"{language.files:,}",
            f"{language.symbols:,}",
            *(f"{language.edges[role]:,}" for role in roles),
            f"{100 * language.led // language.told}%" if language.told else "-",
        )
        for language in found
    ]
    width = max(len(language.name) for language in found)
    return _table([(row[0].ljust(width), *row[1:]) for row in (head, *rows)])


def _unknown(found: Summary, not_read: str) -> list[str]:
    lines = [WHY]
    if found.flaws:
        lines.append(coloured(f"{count(len(found.flaws), 'file')} not wholly understood", "note"))
        lines += [f"  {name(flaw.path)}: {_flaws(flaw.why)}" for flaw in found.flaws[:FEW]]
        lines += _more(len(found.flaws))
    if not_read:
        lines.append(f"not read: {not_read}")
    return lines


def _flaws(why: Iterable[str]) -> str:
    return ", ".join(FLAWS.get(each, each) for each in why)


def _shape(found: Summary) -> list[str]:
    lines = []
    if found.entries:
        lines += ["", f"entry points: {count(len(found.entries), 'file')} nothing depends on" + _but_tests(found)]
        rows = [(f"{entry.reach:,}", name(entry.path)) for entry in found.entries[:FEW]]
        lines += [*_table([("reaching", ""), *rows]), *_more(len(found.entries))]
    if found.hubs:
        lines += ["", "hubs: much depends on them, and they depend on much"]
        rows3 = [(f"{hub.dependents:,}", f"{hub.dependencies:,}", name(hub.path)) for hub in found.hubs[:FEW]]
        lines += _table([("dependents", "dependencies", ""), *rows3])
    if len(found.layers) > 1:
        low, high = found.layers[0], found.layers[-1]
        lines += [
            "",
            f"layers: {len(found.layers):,}, from {count(low.files, 'file')} at the bottom up to {name(high.first)}",
            "  " + _profile([layer.files for layer in found.layers]),
        ]
    if found.alone:
        lines += ["", f"alone: {count(found.alone, 'file')} without a tie to another one"]
    return lines


def _but_tests(found: Summary) -> str:
    return ", tests set apart" if found.tests else ""


def _profile(sizes: Sequence[int]) -> str:
    """How many files each layer has, from below."""
    shown = [f"{size:,}" for size in sizes]
    return " ".join(shown) if len(shown) <= 24 else " ".join([*shown[:12], "…", *shown[-11:]])


def _cycles_in_short(folder: str, found: Cycles) -> list[str]:
    lines = [_how_many(found)]
    lines += [f"  {count(len(cycle.files), 'file')}: {_ring(cycle.example)}" for cycle in found.loading[:FEW]]
    lines += _more(len(found.loading))
    if found.deferred:
        lines.append(_late(found))
    if found.loading or found.deferred:
        lines.append(f"  See: ccos-tui analyze {visible(shlex.quote(folder))} --cycles")
    return lines


def _more(number: int) -> list[str]:
    return [f"  and {number - FEW:,} more"] if number > FEW else []


# ---- cycles ----


def _how_many(found: Cycles) -> str:
    if not found.loading:
        return coloured("No import cycles.", "good")
    tied = sum(len(cycle.files) for cycle in found.loading)
    return coloured(f"import cycles: {len(found.loading):,}, of {count(tied, 'file')}", "note")


def _late(found: Cycles) -> str:
    more = f"{len(found.deferred):,} more" if found.loading else f"{len(found.deferred):,}"
    return f"{more} closed only by imports inside functions or for types alone"


def _cycle(cycle: Cycle) -> list[str]:
    lines = [f"{count(len(cycle.files), 'file')}: {_ring(cycle.example)}"]
    if not cycle.shortest:
        lines.append("  a shorter circle may exist: the search was given up")
    cut = cycle.cut
    without = f"  without {_place(cut)} → {name(cut.to)} ({count(cut.uses, 'use')})"
    if cycle.left:
        return [*lines, f"{without} this circle is gone; {cycle.left:,} of {len(cycle.files):,} files stay in others"]
    return [*lines, f"{without} no circle is left"]


def _ring(steps: Sequence[Step]) -> str:
    """The circle written out; of a long one the beginning."""
    shown = [_place(step) for step in steps[:LONG_RING]]
    if len(steps) > LONG_RING:
        shown.append(f"… {len(steps) - LONG_RING:,} more …")
    return " → ".join([*shown, name(steps[0].path)])


def _place(step: Step) -> str:
    return f"{name(step.path)}:{step.line}"


# ---- regions ----


def _region(region: Region) -> list[str]:
    named = name(region.folder) if region.folder else "(top)"
    lines = [f"{region.number}  {named}, around {name(region.center)}"]
    indent = " " * (len(str(region.number)) + 2)
    tests = f", {count(region.tests, 'test')}" if region.tests else ""
    parts = ", ".join(_part(part, region) for part in region.parts)
    lines.append(f"{indent}{count(len(region.files), 'file')}{tests}, {count(region.symbols, 'symbol')}: {parts}")
    if region.leans_on:
        ways = ", ".join(f"{lean.region} ({count(lean.uses, 'use')})" for lean in region.leans_on[:FEW])
        more = f", {len(region.leans_on) - FEW:,} more" if len(region.leans_on) > FEW else ""
        lines.append(f"{indent}leans on {ways}{more}")
    return lines


def _part(part: Part, region: Region) -> str:
    named = name(part.path.rpartition("/")[2])
    return named if part.path in region.files else f"{named} {part.files:,}"


# ---- small things ----


def _symbol(row: Standing) -> str:
    return f"{row.kind} {name(row.name)}  {name(row.path)}:{row.line}"


def _percent(millionths: int) -> str:
    """`3.53%` of a share in parts per million."""
    return f"{millionths // 10_000}.{millionths % 10_000 // 100:02}%"


def _stand(number: int) -> str:
    return "stands" if number == 1 else "stand"


def _table(rows: Sequence[Sequence[str]]) -> list[str]:
    """Columns, aligned to the right; a last one without a heading holds names, as long as they like."""
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    if not rows[0][-1]:
        widths[-1] = 0
    return ["  " + "  ".join(map(str.rjust, row, widths)).rstrip() for row in rows]
