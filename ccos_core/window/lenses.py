"""The lenses by their one spelling: `working-set`, `around:X`, `task:TEXT`, `hybrid:TEXT`."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from ccos_core.errors import Usage
from ccos_core.text.syntax.resolution import Target
from ccos_core.window.around import around
from ccos_core.window.code import Code, find
from ccos_core.window.layout import Candidate
from ccos_core.window.linearize import Window
from ccos_core.window.state import State
from ccos_core.window.working_set import reason, working_set

WORKING_SET = "working-set"


def window_of(lens: str, budget: int, code: Code, state: State | None = None, *, compress: bool = True) -> Window:
    """The window a lens shows of some code, and of what was recorded about it, where something was. If `compress`,
    bodies lack their comments where a text decides what is shown."""
    name, mark, about = lens.partition(":")
    if name not in (*LENSES, *BY_TEXT) or bool(mark and about) == (name == WORKING_SET):
        raise Usage("isn't a window", place=lens, hint="One of: working-set  around:X  task:TEXT  hybrid:TEXT")
    if name in BY_TEXT:
        return BY_TEXT[name](about, budget, code, state, compress)
    return LENSES[name](about, budget, code, state)


def _working_set(_: str, budget: int, code: Code, state: State | None) -> Window:
    if state is None:
        raise Usage(
            "nothing was recorded here, so nothing is warm",
            place="working-set",
            hint="Make a workspace with `ccos-tui init`, or ask for what is around a file.",
        )
    return working_set(state, code.source, budget)


def _around(about: str, budget: int, code: Code, state: State | None) -> Window:
    target = find(about, code)
    links = code.links(target.path)
    if state is None:
        return around(target.path, code.source, links, budget, target.symbol)
    focus, further = _hottest_inside(state, target, code), _pressed_from(state, target, code)
    return around(target.path, code.source, links, budget, target.symbol, focus, further)


def _hottest_inside(state: State, target: Target, code: Code) -> list[int]:
    """Symbols of an anchor that fail or were touched, what matters most first."""
    source = code.source(target.path)
    scores = {at: state.score(source.node(at)) for at in sorted(source.inside(target.symbol)) if at != target.symbol}
    return sorted((at for at, score in scores.items() if score), key=lambda at: (-scores[at], at))


def _pressed_from(state: State, target: Target, code: Code) -> list[Candidate]:
    """What the failures press on that are felt inside of an anchor, the strongest first: where the cause may be."""
    source = code.source(target.path)
    inside = {source.node(at) for at in source.inside(target.symbol)}
    pressed = state.failures.pressed(lambda live: not inside.isdisjoint(live.anchors))
    found = []
    for node in sorted(pressed, key=lambda node: (-pressed[node], node)):
        there = state.find(node)
        if there is not None and node not in inside:
            why = reason(state, node, tier=state.tier(node, {}))
            found.append(Candidate(code.source(there.path), there.symbol, pressed[node], why))
    return found


def _task(about: str, budget: int, code: Code, state: State | None, compress: bool) -> Window:
    from ccos_core.window import task  # numpy, which the other lenses do without
    from ccos_core.window.lexicon import Lexicon

    return task.task(about, Lexicon(code), budget, live(state), compress=compress)


def _hybrid(about: str, budget: int, code: Code, state: State | None, compress: bool) -> Window:
    from ccos_core.window import task
    from ccos_core.window.lexicon import Lexicon

    return task.hybrid(about, Lexicon(code), budget, live(state), compress=compress)


def live(state: State | None) -> list[tuple[Target, int]]:
    """What live failures press on, each by the most that any gives it."""
    if state is None:
        return []
    pressed = sorted(state.failures.pressed(lambda live: True).items())
    return [(there, strength) for node, strength in pressed if (there := state.find(node)) is not None]


LENSES: Mapping[str, Callable[[str, int, Code, State | None], Window]] = {
    WORKING_SET: _working_set,
    "around": _around,
}
BY_TEXT: Mapping[str, Callable[[str, int, Code, State | None, bool], Window]] = {"task": _task, "hybrid": _hybrid}
