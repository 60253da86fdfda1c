"""What questions cost in one process, and what they cost on a session as small as the prototype's."""

import random
from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path

import numpy as np

from ccos_core.query.catalogue import BY_NAME
from ccos_core.session.asking import Desk
from ccos_core.storage.opening import open_record
from ccos_core.values.ids import path_of
from tests.bench.asking.words import ASKED
from tests.bench.asking.workspace import build
from tests.bench.harness import Result, timed

SEED = 11
MANY, FEW = 60, 3
TEXTS = 3
MISSING, AROUND, SHORT, SMALL, TEXT = 100.0, 1_000.0, 30.0, 50.0, 20.0
FIRST_PHRASE, PHRASE = 20.0, 200.0
PHRASES = ("never push to main", "return None", "the tests fail", "please keep what was said before as it is")
PROTOTYPE = 300
HOSTED = ("missing", "watch", "last", "next", "why", "diff", "recall")
"""Questions about the window a host really had."""


def hottest(path: Path) -> str:
    """The file that changed most."""
    with open_record(str(path)) as record:
        return path_of(drawn(Desk(record), 1)[-1]) or ""


def questioned(path: Path, few: bool, session: str = "") -> Iterator[Result]:
    """Nineteen of twenty of each kind of question. Where there are several sessions, one says whose window is asked
    about as a host's."""
    count = FEW if few else MANY
    with open_record(str(path)) as record:
        desk = Desk(record)
        nodes, chance = drawn(desk, count), random.Random(SEED)
        steps = [chance.randrange(1, desk.timeline.head + 1) for _ in nodes]
        later = [min(desk.timeline.head, step + chance.randrange(1, 2_000)) for step in steps]
        budgets = chance.sample(range(300, 9_000), count)
        desk.ask(BY_NAME["missing"], {"node": nodes[0], "budget": "299"})  # what is read once is read

        def asking(name: str, said: Callable[[int], dict[str, str]]) -> float:
            return _p95([_millis(desk, name, said(at), steps[at]) for at in range(count)])

        def between(at: int) -> dict[str, str]:
            return {"span": f"{steps[at]}..{later[at]}"}

        yield Result(
            "missing, a budget never asked", asking("missing", lambda at: _about(nodes, at, budgets)), "ms", MISSING
        )
        for name, said in (
            ("goto", lambda at: {"step": str(steps[at])}),
            ("diff", between),
            ("energy", between),
            ("why", lambda at: {"node": nodes[at]}),
            ("last", lambda at: {"node": nodes[at]}),
            ("next", lambda at: {"node": nodes[at]}),
        ):
            yield Result(f"{name}, nineteen of twenty", asking(name, said), "ms", SHORT)
        for name in HOSTED:
            said = partial(_hosted, name, nodes, between, session)
            yield Result(f"{name} in the host's window", asking(name, said), "ms", SHORT)
        yield from _about_words(desk, session)
        yield from _about_texts(desk, nodes[: count // 3])
        around = [{"node": node, "budget": "1500", "lens": f"around:{path_of(node)}"} for node in nodes[: count // 3]]
        yield Result(
            "missing around a file",
            _p95([_millis(desk, "missing", said, desk.timeline.head) for said in around]),
            "ms",
            AROUND,
        )


def _about_words(desk: Desk, session: str) -> Iterator[Result]:
    """When the agent's window had some words: the first question of a record, which reads all texts of a context, and
    the slowest of those that follow; single words stand in thousands of texts."""
    of_session = {"session": session} if session else {}
    millis = [_millis(desk, "missing", {"node": f'"{words}"', **of_session}, desk.timeline.head) for words in PHRASES]
    yield Result("missing over a phrase, the first of a record", millis[0] / 1_000, "s", FIRST_PHRASE)
    yield Result("missing over a phrase, the slowest of the next", max(millis[1:]), "ms", PHRASE)


def _about_texts(desk: Desk, nodes: list[str]) -> Iterator[Result]:
    """Who was in windows about texts, each text and budget asked about once: at most 60 windows a question of this
    tree. The words of the tree are learnt for the first of them, which is told apart."""
    chance, head = random.Random(SEED), desk.timeline.head

    def asked(lens: str, at: int) -> float:
        named = chance.choices(nodes, k=2)
        text = chance.choice(ASKED).format(*(path_of(each) for each in named))
        node = named[0] if at % 2 else nodes[at]  # every other one is of a file that the text names
        said = {"node": node, "budget": str(chance.randrange(300, 9_000)), "lens": f"{lens}:{text}"}
        return _millis(desk, "missing", said, head) / 1_000

    yield Result("missing in a task, the first text of a record", asked("task", 0), "s", TEXT)
    for lens in ("task", "hybrid"):
        slowest = max(asked(lens, at) for at in range(TEXTS))
        yield Result(f"missing in a {lens}, the slowest of {TEXTS}", slowest, "s", TEXT)


def small(folder: Path) -> Iterator[Result]:
    """A session of 300 ops."""
    path = folder / "small.ccos"
    build(path, PROTOTYPE, 20, SEED)
    with open_record(str(path)) as record:
        desk = Desk(record)
        nodes = drawn(desk, FEW)
        for name in ("missing", "cause"):
            worst = max(_millis(desk, name, {"node": node}, desk.timeline.head) for node in nodes)
            yield Result(f"{name} of {PROTOTYPE} ops", worst, "ms", SMALL)


def _hosted(
    name: str, nodes: list[str], between: Callable[[int], dict[str, str]], session: str, at: int
) -> dict[str, str]:
    about = between(at) if name == "diff" else {} if name == "recall" else {"node": nodes[at]}
    return {**about, "lens": "host", **({"session": session} if session else {})}


def _about(nodes: list[str], at: int, budgets: list[int]) -> dict[str, str]:
    return {"node": nodes[at], "budget": str(budgets[at])}


def drawn(desk: Desk, count: int) -> list[str]:
    """Warm nodes: half of them as they come, half by how often they changed."""
    journal = desk.timeline.journal
    changed, chance = journal.changes["node"], random.Random(SEED)
    alive = frozenset(desk.timeline.names())
    every = [int(number) for number in np.unique(changed) if journal.name(int(number)) in alive]
    often = [number for number in changed[:: max(1, len(changed) // 5_000)].tolist() if journal.name(number) in alive]
    drawn = chance.choices(every, k=count // 2) + chance.choices(often, k=count - count // 2)
    return [journal.name(number) for number in drawn]


def _millis(desk: Desk, name: str, said: dict[str, str], at: int) -> float:
    return timed(lambda: desk.ask(BY_NAME[name], said, at)) * 1_000


def _p95(millis: list[float]) -> float:
    return sorted(millis)[min(len(millis) - 1, len(millis) * 19 // 20)]
