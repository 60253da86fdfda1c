"""Files that version control says it changed while it joined histories: `git merge`, `pull`, `rebase`, `cherry-pick`.

Nobody can tell from its words what they are now, only that they aren't what they were. It says so of files that it left
with conflicts, too, and then calls itself failed. Paths are told from the top of the project, so what was joined
elsewhere than where the line was started isn't read.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from ccos_core.intake.calls.effects import Changed, Effect, Removed
from ccos_core.intake.calls.running import Stage

JOINING = ("merge", "pull", "rebase", "cherry-pick", "revert", "am")
MOST_NAMED = 1_000
"""Files that are taken from one output."""
_NAMED = re.compile(
    r"^(?:Auto-merging (?P<merged>[^\n]{1,400})|CONFLICT \([^)\n]{1,40}\): Merge conflict in (?P<conflict>[^\n]{1,400})"
    r"| (?P<counted>[^\s.][^\n|]{0,400}?) +\| +(?:\d{1,9} [+-]{0,200}|Bin .{0,60})"
    r"| delete mode \d{6} (?P<gone>[^\n]{1,400}))$",
    re.MULTILINE,
)


def joined_by(stages: Sequence[Stage], output: str) -> list[Effect]:
    """What a pipeline that was certainly run says it changed, each file once."""
    if not any(stage.name == "git" and _command(stage) in JOINING and not stage.opaque for stage in stages):
        return []
    return list(dict.fromkeys(_named(output)))


# -- helpers ----------------------------------------------------------------------------------------------------------


def _command(stage: Stage) -> str:
    return stage.words[1] or "" if len(stage.words) > 1 else ""


def _named(output: str) -> Iterator[Effect]:
    found = list(_NAMED.finditer(output))[:MOST_NAMED]
    gone = {match["gone"] for match in found if match["gone"]}
    for match in found:
        path = match["merged"] or match["conflict"] or match["counted"] or match["gone"]
        if "=>" not in path:
            yield Removed(path, inferred=True) if path in gone else Changed(path, inferred=True)
