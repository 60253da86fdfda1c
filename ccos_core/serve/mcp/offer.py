"""What a server offers: tools, resources and prompts, as tables that any revision of the protocol can serve.

Nothing here knows how a message travels, and nothing of the protocol knows what a tool does. A host starts the server
with each session, so this imports next to nothing: what a tool needs is loaded when it is called.
"""

from __future__ import annotations

from collections import namedtuple

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence
    from typing import Any, NamedTuple, Protocol, TypeAlias

    Arguments: TypeAlias = Mapping[str, Any]
    Answer: TypeAlias = Mapping[str, Any]

    class Call(Protocol):
        """One request under way, for whoever answers it."""

        def progress(self, done: int, total: int | None = None, words: str = "") -> None:
            """How far it has come; passed on to hosts that asked to hear of it. Raises `Stopped` once the host has
            taken the request back."""

    class Tool(NamedTuple):
        name: str
        title: str
        description: str
        takes: Mapping[str, Any]
        """JSON Schema of the arguments: an object without further properties."""
        gives: Mapping[str, Any]
        """JSON Schema of the answer: an object."""
        toolset: str
        reads_only: bool
        """Whether the record is the same afterwards."""
        repeats: bool
        """Whether the same call again changes nothing more."""
        run: Callable[[Arguments, Call], Answer]
        """Arguments arrive as the schema wants them, defaults filled in. A `CcosError` is the tool's own failure."""
        plain: Callable[[Answer], str] | None = None
        """Its answer as plain text. Then hosts get nothing else: some show their model the structured answer wherever
        there is one."""

    class Resource(NamedTuple):
        uri: str
        """Or a template of one, with `{name}` and `{?name,other}`."""
        name: str
        title: str
        description: str
        mime: str
        read: Callable[[str, Mapping[str, str], Call], str]
        """(uri, what its template's names stand for, the request) → the text."""
        complete: Callable[[str, str, Mapping[str, str]], Sequence[str]] | None
        """(name in the template, what was typed of it, what the others are) → all that it may become."""
        tokens: Callable[[], int | None] | None = None
        """About how many it takes now, for the list; None if that isn't known."""

    class Prompt(NamedTuple):
        name: str
        title: str
        description: str
        arguments: Sequence[tuple[str, str, bool]]
        """(name, what it is, whether it has to be said)."""
        say: Callable[[Mapping[str, str]], str]
        complete: Callable[[str, str, Mapping[str, str]], Sequence[str]] | None

    class Offer(NamedTuple):
        name: str
        title: str
        version: str
        instructions: str
        tools: Sequence[Tool]
        """In the order in which they are listed."""
        resources: Sequence[Resource]
        """Which may become others: that is told to hosts."""
        prompts: Sequence[Prompt]
        changed: Callable[[], Sequence[str]]
        """The uris of resources that have changed since this was last asked, those that came and went as well. Asked
        between two messages."""
        get_ready: Callable[[], float | None] | None = None
        """Does a piece of what the next call would wait for; called while the host is silent. Gives the seconds of
        silence before the next piece, or None if nothing is left to do until something is asked or recorded."""

else:
    Tool = namedtuple(
        "Tool", "name title description takes gives toolset reads_only repeats run plain", defaults=(None,)
    )
    Resource = namedtuple("Resource", "uri name title description mime read complete tokens", defaults=(None,))
    Prompt = namedtuple("Prompt", "name title description arguments say complete")
    Offer = namedtuple(
        "Offer", "name title version instructions tools resources prompts changed get_ready", defaults=(None,)
    )


FIRST, NOW, LATER = 0.2, 0.0, 0.5
"""Seconds of silence before a piece: the first after a message, one at hand, and one that has to be waited for."""


class Wrong(Exception):
    """An argument can't be what was meant. A tool's is told in a result with `isError`, others as an error of the
    protocol; none is taken for something else."""

    def __init__(self, argument: str, fact: str, nearest: str = "") -> None:
        super().__init__(f"{argument}: {fact}" + (f" Did you mean {nearest}?" if nearest else ""))
        self.argument = argument
        self.fact = fact
        self.nearest = nearest


class Stopped(Exception):
    """The host has taken its request back."""
