"""The demonstrations by name: what each shows, its transcript, and how its workspace is made."""

from __future__ import annotations

import os
import tempfile
from collections.abc import Callable, Mapping
from dataclasses import dataclass

from ccos_core.serve import demo_story
from ccos_core.serve.demos import forgotten, loop
from ccos_core.session.importing import Importing
from ccos_core.session.lifecycle import init_elsewhere
from ccos_core.session.session import open_session
from ccos_core.session.transcripts import Story, Tail
from ccos_core.storage.opening import open_record


@dataclass(frozen=True, slots=True)
class Demo:
    """One of them."""

    name: str
    title: str
    shows: str
    """What happens in it, in a sentence or two."""
    answer: tuple[str, ...]
    """Where it can be seen, line by line."""
    asks: tuple[str, ...]
    """Questions with which to begin, as commands with `{}` for the workspace."""
    transcript: Callable[[], str] | None = None
    """Writes it as Claude Code does; None for the one that is told in our own format."""


EVICTED, FORGOTTEN, LOOP = "evicted", "forgotten", "loop"
DEMOS: Mapping[str, Demo] = {
    each.name: each
    for each in (
        Demo(
            EVICTED,
            "An evicted cause",
            "Invoices are a hundred times too high. The file with the cause leaves the agent's window, and the agent "
            "edits another one until it reads the cause again.",
            (
                "The cause is in src/db.py, read at step 6, lost at step 40, and seen again at step 53.",
                "A password never reached the disk (step 11), nor did what .env holds (step 15);",
                "a hidden character was made visible (step 12).",
            ),
            ("autopsy {}", "missing {} src/db.py"),
        ),
        Demo(
            FORGOTTEN,
            "A forgotten instruction",
            "The first prompt says not to change schema/. A compaction drops the rule, and the agent breaks it.",
            (
                "The rule is in the prompt of step 2. The compaction of step 55 doesn't have it; at step 76 the agent",
                "edits schema/booking.json, and at step 84 the user complains.",
            ),
            ("find {} 'kind=prompt or kind=compaction'", "provenance {} schema/booking.json"),
            forgotten.transcript,
        ),
        Demo(
            LOOP,
            "A loop",
            "Two tests fail in turn. The agent changes one comparison back and forth and never reads the clock.",
            (
                "From step 20 to step 59 the agent changes ledger/due.py six times. The cause is in ledger/clock.py,",
                "which it first reads at step 65, when the user has stopped it.",
            ),
            ("autopsy {}", "find {} 'kind=edit'"),
            loop.transcript,
        ),
    )
}


def build(path: str, name: str = EVICTED) -> str:
    """Make a demonstration's workspace at `path`; gives its head, which is the same on every machine."""
    transcript = DEMOS[name].transcript
    if transcript is None:
        init_elsewhere(path, demo_story.CWD, demo_story.START)
        with open_session(path, clock=lambda: demo_story.START) as session:
            session.record(demo_story.observations(token="h" + "unter2-orders"))
            return session.recorded.head()[1].hex()
    with tempfile.TemporaryDirectory() as folder:
        told = os.path.join(folder, f"{name}.jsonl")
        with open(told, "w", encoding="utf-8") as file:
            file.write(transcript())
        with Importing(path) as importing:
            importing.take(Story(Tail(told)))
    with open_record(path) as record:
        return record.head()[1].hex()
