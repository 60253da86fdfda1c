"""`check`: which rules a session broke, each with a sentence; for continuous integration.

check(timeline, timeline.head, default_rules(), prices).passed
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING

from ccos_core.query.check.answer import Check, Checked
from ccos_core.query.check.judging import JUDGES, Case, is_on
from ccos_core.query.check.rules import RULES, Settings

if TYPE_CHECKING:
    from ccos_core.replay.timeline import Timeline
    from ccos_core.values.prices import Prices

MOST_TOLD = 20
"""Things that break one rule, of which each is told."""


def check(timeline: Timeline, at: int, rules: Mapping[str, Settings], prices: Callable[[], Prices]) -> Check:
    """Check a session up to a step."""
    case = Case(timeline, at, prices)
    checked, off = [], []
    for rule in RULES:
        if not is_on(rule.name, rules[rule.name]):
            off.append(rule.name)
            continue
        broken = tuple(JUDGES[rule.name](case, rules[rule.name]))
        checked.append(Checked(rule.name, rule.says, broken[:MOST_TOLD], max(len(broken) - MOST_TOLD, 0)))
    return Check(at, not any(each.broken for each in checked), tuple(checked), tuple(off))
