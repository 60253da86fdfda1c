"""What a question is: what it takes, how it is answered, and what may come of it.

Each has a file of its own here, and an entry in the catalogue with its name, its aliases and its summary. A question
is a pure function of a timeline and a step. Its answer is a frozen dataclass of plain values, which names its schema;
its `as_rows` shows it to people, alike at every door.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, ClassVar, Protocol

from ccos_core.values.marks import Mark

FORMS = {
    "step": "40, start, end, 57%, +3, -3, @12m30s, a mark's name, or the start of a hash",
    "span": "A B or A..B; A alone ends at the cursor",
    "node": "a path, symbol or node id; of the agent's window also words in quotes, or memo:ID",
    "budget": "in tokens, such as 2048 or 8k",
    "lens": "working-set (suggested), around:X, task:TEXT, hybrid:TEXT",
    "count": "a number, 0 or more",
    "word": "one of a few words",
    "name": "a word",
    "text": "the rest of the line",
    "switch": "takes no value",
    "workspace": "path of a workspace",
    "thing": "memo:ID, claim:WORDS, a path, symbol or node id",
    "things": "memo:ID, claim:WORDS, paths, symbols or node ids",
    "texts": "a word; say it again for more",
}
"""Form of an argument → how to write it."""
SELF_EVIDENT = ("count", "name", "text", "switch")
"""Forms that help doesn't explain: the argument's own words are enough."""

HOST, DELIVERED, BOTH = "host", "delivered", "both"
"""Lenses of a host's conversation: what its context held, what window of ours it was handed, and ours beside theirs."""
THEIRS = (HOST, DELIVERED, BOTH)
RESUME = "resume"
"""The lens of what was worked on last: a window to go on with."""
BRIEF = "brief"
"""The lens of code together with what was said and the agent's window lacks."""
OF_STATEMENTS = ("memo:TEXT", "rules:TEXT", "bundle:NAME", BRIEF, f"{BRIEF}:TEXT")
"""Lenses with statements in them."""
FURTHER = (*THEIRS, RESUME, *OF_STATEMENTS)
"""Lenses that only some questions take."""
LENS_WORDS = {
    HOST: "host (the agent's)",
    DELIVERED: "delivered (the last one given to the agent)",
    BOTH: "both",
    RESUME: "resume (to continue with)",
    "memo:TEXT": "memo:TEXT (statements and notes)",
    "rules:TEXT": "rules:TEXT (the rules for a task)",
    "bundle:NAME": "bundle:NAME",
    BRIEF: "brief or brief:TEXT (code, and what the agent's window lost of what was said)",
    f"{BRIEF}:TEXT": "",
}
"""Lens → how help explains it."""

REST = ("text",)
"""Forms that take the rest of the line as it is."""
MANY = ("things", "texts")
"""Forms of several values: all words that are left, or the option said again."""


@dataclass(frozen=True, slots=True)
class Argument:
    """One thing a question takes."""

    name: str
    """`half-life` is said as `--half-life`, and is the keyword `half_life` of `ask`."""

    form: str
    """One of `FORMS`. What `ask` gets is of that form already: an int, two ints, a node's id, ..."""

    says: str = ""
    """A phrase for the help."""

    required: bool = False
    default: Any = None
    """What `ask` gets if it wasn't said."""

    flag: bool = False
    """Said as `--name VALUE` only. Others are said in their order, and the optional ones as `--name VALUE` too."""

    words: tuple[str, ...] = ()
    """The words a `word` may be."""

    further: tuple[str, ...] = ()
    """Which of the `FURTHER` lenses a `lens` may be."""


class Answer(Protocol):
    """A frozen dataclass of plain values: numbers, texts, tuples, further ones of its kind."""

    schema: ClassVar[str]
    """`ccos.NAME/VERSION`."""

    # and `as_rows(view: View) -> Sequence[Row]`, which shows it at a terminal, in a pane, to a screen reader. An answer
    # that prints its text as it is has `verbatim = True`; one whose lines stay whole at a terminal `unbroken = True`.


@dataclass(frozen=True, slots=True)
class Plan:
    """What a question that writes wants recorded."""

    ops: tuple[Mapping[str, Any], ...]
    """Observations for the gate; none if the record says so already."""

    answer: Any
    """The answer; its `step` becomes that of the last op."""

    for_user: bool = False
    """Whether the ops belong into the user's own record."""

    beside: tuple[Mapping[str, Any], ...] = ()
    """Observations for the user's own record, if the others are for this one."""


@dataclass(frozen=True, slots=True)
class Question:
    """How one question is asked and answered."""

    ask: Callable[..., Any]
    """`ask(timeline, at, **arguments) -> answer`; `at` is the step it is asked as of."""

    answers: tuple[type, ...]
    """The classes its answer may be of."""

    example: str
    """A line one can type."""

    arguments: tuple[Argument, ...] = ()
    about: str = ""
    """What its summary leaves open, in a few sentences."""

    needs: tuple[str, ...] = ()
    """What `ask` is handed besides, as keywords, by `session/asking.py`: `marks`, `census`, `progress`, `prices`,
    `user`, `actor`, `shown`, `compress`."""

    words: bool = False
    """Whether its node may be words, though it has no lens. One with the agent's window among its lenses takes them
    without more."""

    timeless: bool = False
    """Whether the step it is asked at makes no difference."""

    writes: bool = False
    """Whether `ask` gives a `Plan` of what to record, instead of an answer."""

    moves: Callable[[Any], int | None] = lambda answer: None
    """Where the cursor stands after this answer; None leaves it."""

    keeps: Callable[[Any], tuple[Mark | None, Mark | None]] = lambda answer: (None, None)
    """The marks to be kept beside the record, and to be forgotten; questions themselves write nothing."""

    nothing: Callable[[Any], bool] = lambda answer: False
    """Whether the answer is that there is nothing of the kind: a command that asks ends with 1 then."""
