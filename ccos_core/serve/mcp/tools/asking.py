"""Questions of the catalogue put by tools: the same answers as `--json`, and what was said wrongly told by its name."""

from __future__ import annotations

from ccos_core.serve.mcp.offer import Wrong
from ccos_core.serve.mcp.tools.door import NOT_SCANNED, heard

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from ccos_core.errors import CcosError
    from ccos_core.serve.mcp.offer import Arguments, Call
    from ccos_core.serve.mcp.tools.door import Door
    from ccos_core.session.asking import Asked
    from ccos_core.session.live import Live

FOLDING, ASKING = "computing the state", "reading the record"
NAMING, MEANT = ("Near", "One of", "There are"), "Did you mean "
"""How a hint begins that names what was probably meant."""
LONGEST_REPEATED = 80
"""Characters of an argument up to which an answer repeats it."""


def ready(door: Door, call: Call, *, whole: bool = False) -> Live:
    """The workspace, as far as anything is known of it."""
    live = door.live()
    live.keep_up(heard(call, FOLDING), whole=whole)
    return live


def put(live: Live, call: Call, name: str, said: dict[str, str], at: int | None = None) -> Asked:
    """Ask a question as of a step, or of the end."""
    from ccos_core.query.catalogue import BY_NAME

    return live.ask(BY_NAME[name], said, at, heard(call, ASKING))


def answered(
    door: Door, call: Call, given: Arguments, name: str, said: dict[str, str], at: int | None = None
) -> dict[str, Any]:
    """The answer to a question, as a tool gives it."""
    asked = put(door.live(), call, name, said, at)
    return told(door, given, asked.answer, asked.partial)


def told(door: Door, given: Arguments, answer: Any, partial: int = 0) -> dict[str, Any]:
    """An answer, with what was asked and what it doesn't know."""
    from ccos_core.serve.printing import as_json_object

    return with_notes(door, given, as_json_object(answer, partial))


def with_notes(door: Door, given: Arguments, answer: dict[str, Any]) -> dict[str, Any]:
    """The same for one that is an object already. Answers lie in the logs of hosts, so what was asked is repeated
    without the secrets in it."""
    from ccos_core.text.sanitize import clean

    notes = [*answer.pop("notes", ()), *door.notes()]
    repeated = {
        name: clean(value)[0] if isinstance(value, str) else value for name, value in given.items() if _is_short(value)
    }
    asked = {} if door.scripted else {"asked": repeated}
    return {**answer, **asked, **({"notes": notes} if notes else {})}


def node_of(live: Live, said: str, argument: str = "node", at: int | None = None, *, words: bool = False) -> str:
    """The node that is meant; what isn't one is told with what comes nearest, or means `words`. Hosts name files by
    absolute paths."""
    from ccos_core.errors import NotFound, Usage
    from ccos_core.query.spoken import node_meant
    from ccos_core.values.paths import is_absolute, recorded

    timeline = live.desk.timeline
    plain = recorded(said, live.session.place) if is_absolute(said) else said
    try:
        return node_meant(timeline, plain, timeline.head if at is None else at, guess=words)
    except (NotFound, Usage) as error:
        found = wrong(argument, error)
        if not live.is_scanned:
            raise Wrong(argument, f"{found.fact} {NOT_SCANNED}", found.nearest) from error
        raise found from error


def step_of(live: Live, said: int, argument: str = "step") -> int:
    """A step there is."""
    from ccos_core.errors import NotFound

    if not 0 <= said <= live.step:
        fact, near = f"there is no step {said:,}: steps are 0 to {live.step:,}", str(min(said, live.step))
        raise Wrong(argument, f"{fact}.", near) from NotFound(fact, place=argument, hint=f"Did you mean {near}?")
    return said


def wrong(argument: str, error: CcosError) -> Wrong:
    """What an engine says of an argument, as the error of a call."""
    from ccos_core.query.node_names import EMPTY

    place = f"{error.place!r} " if error.place not in ("", argument, EMPTY) else ""
    return Wrong(argument, f"{place}{error.fact}.", _near(error.hint))


def _near(hint: str) -> str:
    """The value a hint names, if it names any: others say what to do, at a command line."""
    for line in hint.splitlines():
        mark, _, said = line.strip().partition(": ")
        if mark in NAMING:
            return said.split("  ")[0]
        if mark.startswith(MEANT):
            return mark.removeprefix(MEANT).removesuffix("?")
    return ""


def _is_short(value: object) -> bool:
    return not isinstance(value, str) or len(value) <= LONGEST_REPEATED
