"""What a rule is: which way it points, which acts and things it is about, where it holds."""

from __future__ import annotations

from typing import NamedTuple

from ccos_core.query.instructions.terms import Term

NEVER, INSTEAD, ONLY, ORDER, NEEDS, NAMED, VALUE, LIMIT, PLACED = (
    "never", "instead", "only", "order", "needs", "named", "value", "limit", "placed"
)  # fmt: skip
ASKED, OPEN = "asked", "open"
RIVAL = "rival"
"""A verb: the objects are forbidden only as what is imported, installed or run."""


class Rule(NamedTuple):
    """One thing that a statement forbids or demands."""

    sense: str
    """`never`: the objects are forbidden. `instead`: they are, and `better` is to be used. `only`: nothing but the
    objects. `order`: `better` comes before the objects. `needs`: the objects only with `better`. `named`: names of
    the objects are as `better` says. `value`: the objects have the value `better`. `limit`: they have at most, or at
    least, so many. `placed`: new files of that kind lie in `better`.
    """
    verbs: frozenset[str]
    """Stems; empty where any use counts."""
    objects: tuple[tuple[Term, ...], ...]
    """Alternatives; of each all terms are meant."""
    better: tuple[Term, ...] = ()
    where: tuple[Term, ...] = ()
    """Paths, languages and kinds of files it is limited to."""
    excepted: tuple[Term, ...] = ()
    condition: str = ""
    """`asked`: it holds until the user allows it. `open`: it holds under a condition that no step shows."""
    briefly: bool = False
    """Whether it holds for the moment only."""
