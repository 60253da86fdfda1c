"""A rule as a value: what was said of it, and what speaks for and against it. What follows from that is computed by
`score` and `maturity`, never stored."""

from __future__ import annotations

from dataclasses import dataclass

EXPLICIT, INLINE, TEST, OUTCOME, IMPORT = "explicit", "inline", "test", "outcome", "import"
WAYS = (EXPLICIT, INLINE, TEST, OUTCOME, IMPORT)
"""A person or an agent rated the rule; marked it in its own text; a test or the end of a session that followed it shows
it; a playbook or an instruction file that was imported says it."""
MOST_WEIGHT = {EXPLICIT: 1_000, INLINE: 500, TEST: 300, OUTCOME: 300, IMPORT: 1_000}
"""Way → what one piece of feedback counts at most, in thousandths."""
HELPFUL, HARMFUL = 1, -1
LIVE = "live"
USER = "user"
RULE, ANTI_PATTERN = "rule", "anti-pattern"
KINDS = (RULE, ANTI_PATTERN)
CATEGORIES = (
    "debugging", "testing", "architecture", "workflow", "documentation", "integration", "collaboration", "git",
    "security", "performance",
)  # fmt: skip
CATEGORY_TAG = "category:"
"""A rule's category is its tag that begins with this."""
FOREIGN_ID_TAG = "id:"
"""What another playbook calls the rule is its tag that begins with this: `id:b-xyz`."""


@dataclass(frozen=True, slots=True)
class Feedback:
    """One thing that speaks for or against a rule."""

    step: int
    """Of the record it stands in."""

    at: int
    """When, in milliseconds; 0 if that isn't known."""

    sign: int
    """`HELPFUL` or `HARMFUL`."""

    weight: int = 1_000
    """In thousandths, before decay."""

    way: str = EXPLICIT
    """One of `WAYS`."""

    session: str = ""
    """The session it speaks of; empty if none was named."""

    actor: str = ""
    """`user`, `agent`, `host` or `tool`; empty if the record doesn't say."""

    cause: str = ""
    """What a test or an outcome rests on: a test's name, a failure, a commit."""

    for_user: bool = False
    """Whether the step is one of the user's own record."""

    words: str = ""


@dataclass(frozen=True, slots=True)
class Rule:
    """A rule or an anti-pattern, up to a step."""

    id: str
    """`memo:` and 16 hex digits."""

    content: str
    kind: str = RULE
    """`rule` or `anti-pattern`."""

    for_user: bool = False
    """Whether the user's own record holds it; else the project's does."""

    scope: str = "project"
    """`session`, `project` or `user`."""

    session: str = ""
    """The session it holds in, if its scope is one."""

    tags: tuple[str, ...] = ()
    author: str = ""
    """`user` if a person remembered it; else who did."""

    inferred: bool = False
    """Whether no person or agent asserted it: it was concluded from sessions."""

    reasoning: str = ""
    pinned: bool = False
    pinned_reason: str = ""
    standing: str = LIVE
    """`live`, `superseded`, `retracted` or `expired`."""

    since: int = 0
    """The step since when it stands so; 0 if nothing changed it."""

    since_at: int = 0
    """The time of that."""

    replaced_by: str = ""
    how: str = ""
    """`replace`, `merge`, `invert` or `refine`, if it was superseded so."""

    replaces: tuple[str, ...] = ()
    """The statements that it superseded."""

    withdrawn_because: str = ""
    """The words with which it was retracted or superseded."""

    born: int = 0
    """The step at which it was first remembered."""

    created_at: int = 0
    confirmed_at: int = 0
    """When a person last remembered it, in milliseconds; 0 if none did. What was harmful before doesn't count."""

    source_sessions: tuple[str, ...] = ()
    """The sessions it comes from, the rules that it replaced included."""

    source_agents: tuple[str, ...] = ()
    """The hosts of these sessions."""

    feedback: tuple[Feedback, ...] = ()
    """All that speaks for and against it, in the order of time; `score.counted` tells what of it counts."""

    @property
    def category(self) -> str:
        """One of `CATEGORIES`; empty if it was given none."""
        said = (tag.removeprefix(CATEGORY_TAG) for tag in self.tags if tag.startswith(CATEGORY_TAG))
        return next((each for each in said if each in CATEGORIES), "")

    @property
    def is_negative(self) -> bool:
        """Whether it says what to avoid."""
        return self.kind == ANTI_PATTERN
