"""Failures that live, what each gives to which node, and how they end.

A failure is known by its runner and its test, or where it has none by where it is felt. Failing again renews what it
gives; a pass takes exactly that away. The pressure on a node is the sum over the failures that live, worked out anew
whenever one of its own changes, so that what has ended leaves no trace in it.
"""

from __future__ import annotations

from collections.abc import Callable, Container, Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from typing import TypeVar

from ccos_core.state.heat import scaled, total
from ccos_core.values.ids import path_of
from ccos_core.values.outcome import ARROW, Failure

Value = TypeVar("Value")

WHOLE_BITS = 16
"""Strengths are in parts of 2^16."""

Key = tuple[str, str, str]
"""Runner, test (or the node it is felt at), part of the test."""


Commands = tuple[tuple[str, str], ...]
"""(command in its normal form, folder) of each."""
MOST_REPORTS = 8
"""Reports of one failure by different commands that are kept, the latest."""


@dataclass(frozen=True, slots=True)
class Live:
    """A failure that hasn't ended."""

    failure: Failure
    """As the workspace spells it."""
    anchors: tuple[str, ...]
    """The nodes it is felt at, innermost first."""
    since: int
    """The step at which it failed first, ..."""
    step: int
    """... and last."""
    unit: int
    """What an impulse counts for since it failed last."""
    strengths: Mapping[str, int]
    by: tuple[Commands, ...] = ()
    """The commands that reported it, of each report those that may have; a command that passed since is left out. It
    is over as soon as none of a report's is left."""


class Failures:
    """Everything that fails now."""

    def __init__(self) -> None:
        self.live: dict[Key, Live] = {}
        """In the order in which they failed first."""
        self.on: dict[str, dict[Key, None]] = {}
        """Node → the failures that reach it."""
        self._at: dict[str, dict[Key, None]] = {}
        """File, or node that is in none → the failures that are felt there."""
        self.turned: dict[Key, None] = {}
        """Failures that began, were renewed or ended since somebody last looked here, and emptied it."""

    def fail(self, key: Key, live: Live) -> None:
        """A failure begins, or is renewed."""
        before = self.live.get(key)
        self.live[key] = live
        self.turned[key] = None
        was: Mapping[str, int] = {}
        if before is not None:
            was = before.strengths
            if before.anchors == live.anchors and (was is live.strengths or was.keys() == live.strengths.keys()):
                return  # it reaches what it reached
            self._forget(key, before, live.strengths)
        on = self.on
        for node in live.strengths:
            if node in was:
                continue
            if node in on:
                on[node][key] = None
            else:
                on[node] = {key: None}
        self._feel(key, live)

    def felt_at(self, nodes: Iterable[str]) -> dict[Key, None]:
        """The failures felt at these nodes or inside of them."""
        nodes = list(dict.fromkeys(nodes))
        named = frozenset(nodes)
        near = dict.fromkeys(key for place in map(_whereabouts, nodes) for key in self._at.get(place, ()))
        return dict.fromkeys(key for key in near if covers(named, self.live[key]))

    def passed(self, commands: Container[tuple[str, str]], but: Container[Key]) -> None:
        """These commands passed: failures that no other may have reported are over, but for those just reported."""
        over: list[Key] = []
        for key, live in self.live.items():
            if key in but or not any(each in commands for report in live.by for each in report):
                continue
            by = tuple(tuple(each for each in report if each not in commands) for report in live.by)
            if all(by):
                self.live[key] = replace(live, by=by)
            else:
                over.append(key)
        self.let_go(over)

    def end(self, is_over: Callable[[Key, Live], bool]) -> None:
        """Those are over of which that is true."""
        self.let_go([key for key, live in self.live.items() if is_over(key, live)])

    def let_go(self, over: Iterable[Key]) -> None:
        """These are over."""
        for key in over:
            self._forget(key, self.live.pop(key))

    def pressure(self, node: str) -> int:
        """The heat that failures give a node: of each the part that reaches it, the first to fail first."""
        reach = self.on.get(node, ())
        if len(reach) == 1:
            live = self.live[next(iter(reach))]
            return scaled(live.unit, live.strengths[node], WHOLE_BITS)
        mine = sorted((self.live[key].since, key) for key in reach)
        return total(scaled(self.live[key].unit, self.live[key].strengths[node], WHOLE_BITS) for _, key in mine)

    def pressed(self, is_meant: Callable[[Live], bool]) -> dict[str, int]:
        """Node → the most that any of the failures that are meant gives it."""
        found: dict[str, int] = {}
        for live in filter(is_meant, self.live.values()):
            for node, strength in live.strengths.items():
                found[node] = max(found.get(node, 0), strength)
        return found

    def anchored(self) -> list[str]:
        """The nodes failures are felt at, what failed last first."""
        latest = sorted(self.live.values(), key=lambda live: -live.step)
        return list(dict.fromkeys(node for live in latest for node in live.anchors[:1]))

    def rename(self, path: str, to: str, spelled: Callable[[str], str]) -> None:
        """A file has another path, and its nodes other names; what was known by one of them goes by the new one."""
        before, self.live, self.on, self._at = self.live, {}, {}, {}
        self.turned.update(dict.fromkeys(before))
        for (runner, known_by, part), live in before.items():
            failure = _moved(live.failure, path, to)
            key = runner, failure.test or spelled(known_by), part
            strengths = respelled(live.strengths, spelled, max)
            anchors = tuple(dict.fromkeys(spelled(node) for node in live.anchors))
            now = Live(failure, anchors, live.since, live.step, live.unit, strengths, live.by)
            other = self.live.get(key)  # of two that have become one, the one that failed last
            self.fail(key, now if other is None or other.step <= now.step else other)

    def _feel(self, key: Key, live: Live) -> None:
        """Know where a failure is felt."""
        for node in live.anchors:
            self._at.setdefault(_whereabouts(node), {})[key] = None

    def _forget(self, key: Key, before: Live, now: Container[str] = ()) -> None:
        """A failure reaches nothing any more, but for what it reaches now."""
        self.turned[key] = None
        for node in before.strengths:
            if node not in now:
                _take_out(self.on, node, key)
        for place in dict.fromkeys(_whereabouts(node) for node in before.anchors):
            _take_out(self._at, place, key)


def respelled(
    known: Mapping[str, Value], spelled: Callable[[str], str], both: Callable[[Value, Value], Value]
) -> dict[str, Value]:
    """What is known of nodes, under their new names; `both` says what holds where two have become one."""
    found: dict[str, Value] = {}
    for node, value in known.items():
        name = spelled(node)
        found[name] = both(found[name], value) if name in found else value
    return found


def covers(nodes: Container[str], live: Live) -> bool:
    """Whether a pass that names nodes takes this failure in: it was felt at one of them, or inside of one."""
    return any(each in nodes for anchor in live.anchors for each in _around(anchor))


def _moved(failure: Failure, path: str, to: str) -> Failure:
    """A failure as it is spelled once a file has another path: runners begin the name of a test with its file."""
    frames = tuple(replace(frame, path=to) if frame.path == path else frame for frame in failure.frames)
    test = failure.test
    if test == path or test.startswith((path + "::", path + ARROW)):
        test = to + test.removeprefix(path)
    return replace(failure, test=test, frames=frames)


def _take_out(index: dict[str, dict[Key, None]], name: str, key: Key) -> None:
    keys = index[name]
    del keys[key]
    if not keys:
        del index[name]


def _whereabouts(node: str) -> str:
    """The file a node is in, or itself where it is in none."""
    return path_of(node) or node


def _around(node: str) -> Iterator[str]:
    """A node and all that it is inside of."""
    yield node
    path, mark, name = node.partition("#")
    if node.startswith("sym:") and mark:
        yield "file:" + path.removeprefix("sym:")
        yield from (f"{path}#{name[:at]}" for at, letter in enumerate(name) if letter == ".")
