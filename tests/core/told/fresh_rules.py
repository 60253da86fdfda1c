"""Rules that were written without knowing what detects violations, in the manner of users of coding agents.

The rules of `planted_rules.py` and the detector grew up together; these judge whether it works for others. A hash of
its key decides the half of a rule: read and count the failures of `FRESH_A` as you like while you develop, and only
count those of `FRESH_B`, without reading its rules, or it judges nothing any more. `FRESH_C` is by a third author, who
read no rule of half B; it only judges as well.
"""

from collections.abc import Iterator, Sequence
from hashlib import sha256

from tests.core.told import fresh_a, fresh_b, fresh_c
from tests.core.told.planted import Case, made
from tests.core.told.planted_rules import Rule

FRESH_A = fresh_a.RULES
FRESH_B = fresh_b.RULES
FRESH_C = fresh_c.RULES


def half(key: str) -> str:
    """Return the half a rule belongs to, `A` or `B`."""
    return "AB"[sha256(key.encode()).digest()[0] % 2]


def fresh_pairs(rules: Sequence[Rule], seed: int, kind: str) -> Iterator[tuple[Case, Case]]:
    """Yield a pair of a broken case and its counterpart for each rule; see `planted.py`."""
    for number, rule in enumerate(rules):
        yield made(seed, kind, number, rule, broken=True), made(seed, kind, number, rule, broken=False)
