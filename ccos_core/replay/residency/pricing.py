"""What it takes at most to show each unit of many versions at all: what `window.layout` says of one, of all at once.

A unit is shown at all in the lines of its head, below those of what it stands in; a file in the first lines of a few
of its definitions. Lines are counted as pairs of a unit and a line, each pair once.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import islice

import numpy as np

from ccos_core.replay.columns import Numbers, ranges
from ccos_core.replay.residency.laid import Laid
from ccos_core.values.tokens import line_parts
from ccos_core.window.layout import GAP_PARTS
from ccos_core.window.source import CUT, FEW, LONGEST_CONSTANT, LONGEST_LINE, LONGEST_SIGNATURE


def costs(laid: Laid) -> Numbers:
    """Unit → that, in parts of a token."""
    units, lines = (np.concatenate(columns) for columns in zip(*_shown(laid), strict=True))
    fits = (lines >= 1) & (lines <= laid.size[units])
    units, places = units[fits], laid.stands_for[(laid.begin[units] + lines - 1)[fits]]
    rows = 1 + len(laid.lines)  # one more than there are, so that no unit goes on where another ends
    pairs = np.unique(units * rows + places)
    gaps = np.diff(pairs, prepend=-2) != 1  # each run of lines may need one before it
    units, places = np.divmod(pairs, rows)
    different, at = np.unique(laid.shown[places], return_inverse=True)
    takes = np.array([_parts(laid.texts[number]) for number in different.tolist()], np.int64)[at]
    found = np.zeros(len(laid.version), np.int64)
    np.add.at(found, units, takes + gaps * GAP_PARTS)
    return found


def _parts(line: str) -> int:
    return line_parts(line if len(line) <= LONGEST_LINE else line[:LONGEST_LINE] + CUT)


def _shown(laid: Laid) -> list[tuple[Numbers, Numbers]]:
    """(units, a line that each is shown in), as outlines have them."""
    symbols, line = laid.symbols, laid.line
    last = np.where(laid.is_constant, laid.last, laid.signature)
    most = np.where(laid.is_constant, LONGEST_CONSTANT, LONGEST_SIGNATURE)
    end = np.minimum(np.maximum(last, line), line + most - 1) + 1
    found = [(np.repeat(symbols, (end - line)[symbols]), ranges(line[symbols], end[symbols])), _of_files(laid)]
    inner = outer = symbols
    while len(inner):
        outer = laid.parent[outer]
        inner, outer = inner[laid.place[outer] > 0], outer[laid.place[outer] > 0]
        around = (laid.first[outer] <= line[inner]) & (line[inner] <= laid.last[outer])
        found.append((inner[around], line[outer[around]]))
    return found


def _of_files(laid: Laid) -> tuple[Numbers, Numbers]:
    """The same of files: where the first of their definitions are, or else the first lines that say anything."""
    tops = laid.symbols[laid.place[laid.parent[laid.symbols]] == 0]
    rows = 1 + int(laid.line.max(initial=0))
    files, lines = np.divmod(np.unique(laid.parent[tops] * rows + laid.line[tops]), rows)
    few = np.arange(len(files)) - np.searchsorted(files, files) < FEW
    without = np.setdiff1d(laid.unit_begins, files)
    said = [(unit, line) for unit in without.tolist() for line in islice(_saying(laid, unit), FEW)]
    more = np.array(said, np.int64).reshape(-1, 2)
    return np.concatenate([files[few], more[:, 0]]), np.concatenate([lines[few], more[:, 1]])


def _saying(laid: Laid, unit: int) -> Iterator[int]:
    """The lines of a unit's file in which there is anything."""
    begin = int(laid.begin[unit])
    for line, number in enumerate(laid.lines[begin : begin + int(laid.size[unit])], 1):
        if laid.texts[number].strip():
            yield line
