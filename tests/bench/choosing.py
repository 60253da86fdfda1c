"""What a figure is worth whose setting was chosen on the rows it is told of.

The same figure is told with each group of rows (a repository, a session) left out when choosing: its rows are judged
by the setting that does best on all other groups. The named settings are few, and their kind was found on all rows; so
what is told here is the least that choosing flatters, not all of it.
"""

from collections import Counter
from collections.abc import Callable, Mapping

Tally = Counter[str]
"""Figure → rows that reach it."""
Found = Mapping[str, Mapping[str, Tally]]
"""Setting → group → what it reaches."""
Worth = Callable[[Tally], float]


def left_out(found: Found, worth: Worth) -> Tally:
    """What is reached with each group judged by the choice of the others."""
    groups = sorted({group for each in found.values() for group in each})
    reached = Tally()
    for group in groups:
        reached.update(found[chosen(found, worth, but=group)].get(group, Tally()))
    return reached


def chosen(found: Found, worth: Worth, but: str = "") -> str:
    """The setting that does best on all groups but one; of equals the one that is named first."""
    return max(found, key=lambda setting: worth(together(found[setting], but)))


def together(tallies: Mapping[str, Tally], but: str = "") -> Tally:
    """The sum over groups, but for one."""
    total = Tally()
    for group, tally in tallies.items():
        if group != but:
            total.update(tally)
    return total
