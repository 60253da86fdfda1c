"""What a long-lived pipe keeps: nothing that nobody looks at any more, so that it doesn't grow with every step."""

from __future__ import annotations

import gc
import json
from collections.abc import Iterator
from pathlib import Path
from weakref import WeakSet

import pytest

from ccos_core.replay.moment import Moment
from ccos_core.replay.sources import Sources
from ccos_core.replay.timeline import Timeline
from ccos_core.serve.memory.lines import answered
from ccos_core.serve.memory.store import Store

FILES, ROUNDS = 5, 12
FAILED = (
    "m{0}.py:5: in f\n    return g()\nE   KeyError: 'a'\n\nm{0}.py:5: KeyError\nFAILED tests/t.py::t{0} - KeyError\n"
)


@pytest.fixture
def made(monkeypatch: pytest.MonkeyPatch) -> Iterator[WeakSet[object]]:
    """What is made for each step and still lives, while nobody looks for circles."""
    found: WeakSet[object] = WeakSet()
    for kind in (Timeline, Sources, Moment):
        make = kind.__init__

        def noted(self: object, *words: object, make: object = make, **more: object) -> None:
            found.add(self)
            make(self, *words, **more)  # type: ignore[operator]

        monkeypatch.setattr(kind, "__init__", noted)
    gc.collect()
    gc.disable()
    yield found
    gc.enable()


def work(store: Store, turn: int) -> None:
    """Everything a script does in a round."""
    path = f"m{turn % FILES}.py"
    source = f"from m{(turn + 1) % FILES} import f as g\n\n\ndef f():\n    return g() + {turn}\n"
    for said in (
        {"op": "ingest", "uri": path, "source": source, "how": "edit"},
        {"op": "recall", "budget": 512},
        {"op": "page_fault", "output": FAILED.format(turn % FILES), "command": "pytest"},
        {"op": "task", "text": "return what g gives"},
        {"op": "missing", "node": path},
        {"op": "why", "node": path},
        {"op": "signal_pass"},
    ):
        answer, code = answered(store, json.dumps(said).encode())
        assert not code, answer


def test_timelines_of_earlier_steps_are_let_go(tmp_path: Path, made: WeakSet[object]) -> None:
    """Each held its moments, and was held by what they held: 100 kB a step that only a search for circles would find,
    and nobody searched."""
    with Store(str(tmp_path / "work.ccos")) as store:
        for turn in range(FILES):
            work(store, turn)
        gc.collect()  # what imports left
        before = len(made)
        for turn in range(FILES, FILES + ROUNDS):
            work(store, turn)
        assert len(made) <= before + 1
        assert gc.collect() < 10 * ROUNDS
