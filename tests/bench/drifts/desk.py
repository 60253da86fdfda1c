"""Where a session is made: what an agent, its user and its host do, each written down as a host's hook would say it.

The desk keeps the files as they are and knows which faults stand in them, so that a run of tests tells what is true
at that moment; nothing here decides what a story is about.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from random import Random
from typing import Any

from tests.bench.drifts import hosts, phrases
from tests.bench.drifts.ground import Ground
from tests.bench.drifts.hosts import Call
from tests.bench.drifts.manner import TAIL, Broken, broken_by, chosen, command_of, manner_of
from tests.bench.drifts.model import Claim, Fault, Observation, Test
from tests.bench.drifts.printing import printed

START = 1_771_061_460_000
HOMES = ("/home/dev/src", "/Users/kim/code", "/home/ana/projects", "/srv/checkouts", "/home/lee/git")
AGENT, USER = "agent", "user"


@dataclass(frozen=True)
class Run:
    """One run of tests, as it was told."""

    at: int
    failing: tuple[Test, ...]

    @property
    def green(self) -> bool:
        return not self.failing


class Desk:
    """One session being made."""

    def __init__(self, rng: Random, ground: Ground) -> None:
        self.rng, self.ground = rng, ground
        self.files = dict(ground.files)
        self.tests = list(ground.tests)
        self.faults = [fault for fault in (ground.main, ground.own, *ground.sides) if fault is not None]
        self.observations: list[Observation] = []
        self.claims: list[Claim] = []
        self.runs: list[Run] = []
        self.trees: list[tuple[int, Mapping[str, str]]] = []
        self.host = hosts.host_of(rng)
        self.root = f"{rng.choice(HOMES)}/{rng.choice(('app', 'backend', 'service', 'core', 'tools'))}"
        self.manner = manner_of(rng, ground.family, ground.case.command, self.files, self.root)
        self.session = f"{rng.randrange(16**8):08x}-{rng.randrange(16**4):04x}"
        self.context = ""
        self.calls: dict[str, list[str]] = {}
        """Path → the calls that delivered it to the main thread since it was last cut."""
        self.recent: list[str] = []
        self._number = rng.randrange(100, 90_000)
        self._clock = START + rng.randrange(10**9)
        self._used: dict[str, int] = {"": rng.randint(9_000, 24_000)}
        self._weight = rng.randint(2, 9)
        """How many tokens stand beside each one that is seen here: thoughts, reminders, what tools print besides."""
        self._chatty, self._counting = rng.choice((20, 35, 60)), rng.choice((15, 30, 60))
        self.pace = rng.choice((1, 1, 1, 1, 2, 2, 3))
        """How much else is done: times what a story asks for."""
        self._delegated = ""
        """The call by which all of the work was handed to a subagent, if it was."""

    @property
    def here(self) -> int:
        """The number of the next observation."""
        return len(self.observations)

    # ---- before it begins ----

    def put(self, *faults: Fault) -> None:
        """These are in the project from the start."""
        for fault in faults:
            self.guard(fault)
            self.files[fault.path] = fault.broken(self.files[fault.path])

    def guard(self, fault: Fault) -> None:
        """This fault plays a part: its lines are its own."""
        self.ground.keep(fault)

    def begin(self) -> None:
        """The project is looked at, and the user asks for something; now and then a subagent is to do it all."""
        for path in sorted(self.files):
            self._add({"kind": "seen", "how": "ingest", "path": path, "content": self.files[path]}, "host", call="")
        self.prompt()
        if self.rng.random() < 0.07:
            self._delegated, self.context = self._next_call(), f"agent-{self.rng.randrange(16**6):06x}"
            self._add({"kind": "prompt", "said": phrases.orders(self.rng), "source": "agent"}, AGENT)

    def end(self) -> None:
        """What is left to say when the story is told."""
        if self._delegated:
            self.context = ""
            orders = phrases.orders(self.rng)
            self._tool(hosts.delegating(self.host, orders), phrases.findings(self.rng), call=self._delegated)

    # ---- the user and the host ----

    def prompt(self, said: str = "") -> int:
        said = said or phrases.request(self.rng)
        return self._add({"kind": "prompt", "said": said, "source": "agent" if self.context else "user"}, USER)

    def theirs(self, path: str, text: str) -> int:
        """Somebody else changes a file; the hook sees it when it looks at the tree."""
        self.files[path] = text
        return self._add({"kind": "seen", "how": "ingest", "path": path, "content": text}, "host", call="")

    def compact(self, keep: int = 0, kept: tuple[str, ...] = ()) -> int:
        """The host makes room; the last calls may survive, and those of the paths named."""
        before = self.usage()
        after = self.rng.randint(5_000, 19_000)
        self._used[self.context] = after
        survivors = [
            *(self.recent[-keep:] if keep else ()),
            *(call for path in kept for call in self.calls.get(path, ())[-1:]),
        ]
        exact = bool(survivors) or self.rng.random() < 0.3
        self.calls, self.recent = {path: self.calls[path] for path in kept if path in self.calls}, []
        said: Observation = {
            "kind": "compaction",
            "trigger": self.rng.choice(("auto", "auto", "manual")),
            "before": before,
        }
        said |= {"after": after} if self.rng.random() < 0.6 else {}
        said |= {"exact": exact, "summary": phrases.summary(self.rng)}
        return self._add(said | ({"kept": list(dict.fromkeys(survivors))} if survivors else {}), "host")

    def clear(self) -> int:
        self.calls, self.recent = {}, []
        self._used[self.context] = self.rng.randint(8_000, 15_000)
        return self._add({"kind": "cleared", "reason": self.rng.choice(("clear", "user"))}, "host")

    def fall(self) -> int:
        """The host forgets without a word: only what it counts tells."""
        before = self.usage()
        self._used[self.context] = before * self.rng.randint(20, 45) // 100
        self.calls, self.recent = {}, []
        self.usage()
        return self.here - 1

    def usage(self) -> int:
        """The host counts; gives the tokens in its window."""
        window = self._used.setdefault(self.context, 9_000)
        self._add({"kind": "usage", "window": window, "written": self.rng.randint(40, 900)}, "host")
        return window

    @contextmanager
    def subagent(self) -> Iterator[str]:
        """What is done inside is done by a subagent, in a window of its own."""
        orders = phrases.orders(self.rng)
        call, began, known = self._next_call(), self.context, (self.calls, self.recent)
        self.calls, self.recent = {}, []
        self.context = f"agent-{self.rng.randrange(16**6):06x}"
        self._used[self.context] = self.rng.randint(6_000, 11_000)
        self._add({"kind": "prompt", "said": orders, "source": "agent"}, AGENT)
        yield self.context
        self.context, (self.calls, self.recent) = began, known
        self._tool(hosts.delegating(self.host, orders), phrases.findings(self.rng), call=call)

    @contextmanager
    def other_session(self) -> Iterator[None]:
        """What is done inside is done by another session on the same project."""
        before = self.session, self.context, self._used, self.calls, self.recent
        self.session = f"{self.rng.randrange(16**8):08x}-{self.rng.randrange(16**4):04x}"
        self.context, self._used, self.calls, self.recent = "", {"": self.rng.randint(9_000, 30_000)}, {}, []
        yield
        self.session, self.context, self._used, self.calls, self.recent = before

    # ---- the agent ----

    def say(self, always: bool = False) -> None:
        """The agent speaks, or doesn't."""
        if always or self.rng.randrange(100) < self._chatty:
            said = phrases.remark(self.rng)
            self._spend(said)
            self._add({"kind": "turn", "said": said}, AGENT)
            if self.rng.randrange(100) < self._counting:
                self.usage()

    def read(self, path: str, lines: tuple[int, int] | None = None) -> int:
        """All of a file, or some lines of it; gives the number of the sighting."""
        self.say()
        text, part = self.files[path], self.files[path]
        if lines is not None:
            every = text.split("\n")
            lines = lines[0], min(lines[1], len(every) - 1)
            part = "\n".join(every[lines[0] - 1 : lines[1]]) + "\n"
        call = self._tool(
            hosts.reading(self.host, self.root, path, lines), hosts.shown(self.host, part, lines[0] if lines else 1)
        )
        seen: Observation = {"kind": "seen", "how": "read", "path": path, "content": part}
        self.calls.setdefault(path, []).append(call)
        return self._add(seen | ({"slice": list(lines)} if lines else {}), AGENT, call)

    def change(self, path: str, text: str) -> int:
        """An edit; gives the number of the sighting."""
        self.say()
        old, new = _difference(self.files[path], text)
        self.files[path] = text
        call = self._tool(hosts.changing(self.host, self.root, path, old, new), f"{path} has been updated.")
        return self._add({"kind": "seen", "how": "edit", "path": path, "content": text}, AGENT, call)

    def create(self, path: str, text: str) -> int:
        self.say()
        self.files[path] = text
        call = self._tool(hosts.writing(self.host, self.root, path, text), f"File created: {path}")
        return self._add({"kind": "seen", "how": "write", "path": path, "content": text}, AGENT, call)

    def search(self, words: str) -> int:
        self.say()
        hits = [
            f"{path}:{number}:{line}"
            for path, text in sorted(self.files.items())
            for number, line in enumerate(text.split("\n"), 1)
            if words in line
        ]
        self._tool(hosts.searching(self.host, self.root, words), "\n".join(hits[:40]) or "No matches found")
        return self.here - 1

    def look(self) -> int:
        """A listing of files."""
        ending = {"python": "py", "typescript": "ts", "rust": "rs", "go": "go"}[self.ground.family]
        told = "\n".join(path for path in sorted(self.files) if path.endswith(ending))
        self._tool(hosts.listing(self.host, self.root, f"**/*.{ending}"), told)
        return self.here - 1

    def command(self, command: str, result: str, outcome: str = "ok") -> int:
        """Anything in a shell."""
        self.say()
        self._tool(hosts.running(self.host, command), result, outcome)
        return self.here - 1

    def run(self, only: Test | None = None, whole_file: bool = False) -> Run:
        """The tests, all of them or some."""
        manner = self.manner
        tests = chosen(manner, self.tests, only, whole_file)
        broken = self._told(tests)
        text = printed(self.rng, manner, self.files, tests, broken, len(self.tests) - len(tests))
        if "tail" in manner.ending:
            text = "\n".join(text.split("\n")[-TAIL:])
        outcome = "error" if broken and "tail" not in manner.ending else "ok"
        if outcome == "error" and self.host.name == "claude-code":
            text = f"Exit code 1\n{text}"
        self.command(command_of(manner, only, whole_file), text, outcome)
        self.runs.append(Run(self.here - 1, tuple(each.test for each in broken)))
        self.trees.append((self.here - 1, dict(self.files)))
        return self.runs[-1]

    # ---- helpers ----

    def _told(self, tests: list[Test]) -> list[Broken]:
        """What fails, as far as the runner gets before it stops."""
        found: dict[Test, Broken] = {}
        for fault in self.faults:
            if fault.test in tests and fault.test not in found and fault.is_in(self.files):
                found[fault.test] = broken_by(fault, self.files)
        broken = [found[test] for test in tests if test in found]
        if self.manner.runner == "cargo" and broken:
            first = min(each.test.target for each in broken)
            return [each for each in broken if each.test.target == first]
        if self.manner.runner == "go":
            return [each for each in broken if not _is_hidden(each, broken)]
        return broken

    def _tool(self, called: Call, result: str, outcome: str = "ok", call: str = "") -> str:
        """One call with its end; gives its id."""
        call = call or self._next_call()
        name, arguments = called
        said: Observation = {"kind": "tool", "name": name, "arguments": arguments, "outcome": outcome}
        self._spend(result + str(arguments))
        self._add(said | ({"result": result} if result else {}), "tool" if self.rng.random() < 0.2 else AGENT, call)
        self.recent = [*self.recent[-9:], call]
        return call

    def _next_call(self) -> str:
        self._number += self.rng.randint(1, 40)
        return f"call_{self._number:07x}"

    def _spend(self, text: str) -> None:
        self._used[self.context] = self._used.get(self.context, 9_000) + (len(text) // 4 + 60) * self._weight

    def _add(self, said: Observation, actor: str, call: str | None = None) -> int:
        self._clock += self.rng.randrange(300, 20_000)
        header: dict[str, Any] = {"host": self.host.name, "session": self.session, "actor": actor, "at": self._clock}
        if self.context:
            header["context"] = self.context
        if call != "":
            header["call"] = call or self._next_call()
        self.observations.append({**said, **header})
        return self.here - 1


def _is_hidden(each: Broken, broken: list[Broken]) -> bool:
    """Whether a panic in the same package ended the run before this test."""
    before = broken[: broken.index(each)]
    return any(one.test.target == each.test.target and one.fault.mode not in ("sign", "mismatch") for one in before)


def _difference(old: str, new: str) -> tuple[str, str]:
    """The lines that differ, with a line before and after, and as many more before as it takes to say where."""
    one, two = old.split("\n"), new.split("\n")
    start = 0
    while start < min(len(one), len(two)) and one[start] == two[start]:
        start += 1
    end = 0
    while end < min(len(one), len(two)) - start and one[-1 - end] == two[-1 - end]:
        end += 1
    start, end = max(0, start - 1), max(0, end - 1)
    while start and old.count("\n".join(one[start : len(one) - end])) > 1:
        start -= 1
    return "\n".join(one[start : len(one) - end]), "\n".join(two[start : len(two) - end])
