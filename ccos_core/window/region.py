"""The window of a region: one file or symbol of it within its share of the budget, then the region's other files.

region_window(index, find("src/api.py", index), ["src/api.py", "src/db.py"], 2048)
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from ccos_core.text.syntax.resolution import Target
from ccos_core.values.code import MODULE
from ccos_core.window.around import REST
from ccos_core.window.layout import Candidate
from ccos_core.window.linearize import Window, linearize
from ccos_core.window.pack import Admission, admit, enrich, fill, fit_anchor, share_of_anchor

if TYPE_CHECKING:
    from ccos_core.window.code import Code


def region_window(code: Code, target: Target, paths: Sequence[str], budget: int) -> Window:
    """Pack `target`, then every other file of `paths` in that order, into `budget` tokens."""
    whole, share = fill(budget), share_of_anchor(budget)
    source = code.source(target.path)
    others = [Candidate(code.source(path), MODULE, 0, "of its region") for path in paths if path != target.path]
    anchor = fit_anchor(Candidate(source, target.symbol, 0, "the anchor"), share)
    found = admit(others, whole - share, {target.path}, REST) if anchor is not None else Admission([], [])
    if anchor is None:
        anchor = fit_anchor(Candidate(source, target.symbol, 0, "the anchor"), whole)
    members = [*([anchor] if anchor is not None else []), *found.members]
    enrich(members, whole)
    name = target.path if target.symbol == MODULE else source.node(target.symbol)
    return linearize(f"region:{name}", budget, members, found.missed)
