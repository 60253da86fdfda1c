"""What Codex's hooks said is what its rollout says, as far as its events go: no exit codes, and no failed patches."""

import json
import tempfile
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from hypothesis import example, given, settings
from hypothesis import strategies as st

from ccos_core.serve.hook import hear
from ccos_core.session.hearing import take_in
from ccos_core.session.importing import Importing
from ccos_core.session.transcripts import Story, Tail
from tests.laws.scripted_codex import ScriptedCodex
from tests.laws.test_hooked import LINES, NUMBERS, PATHS, Act, act, do, ops, without

FILED = ("seen", "gone", "renamed")
UNLIKE = ("at", "call", "millis", "result", "kept", "before", "exact", "findings", "name", "arguments", "outcome")
"""What a rollout has otherwise: what a tool is called, its headers and how a command ended."""

ACTS = st.one_of(
    act("prompt", st.sampled_from(["go on", "what about tax?"])),
    act("cat", PATHS),
    act("numbers", PATHS),
    act("show", PATHS, NUMBERS, NUMBERS),
    act("pour", PATHS, LINES, on_top=st.booleans()),
    act("substitute", PATHS, st.sampled_from(["rows", "t"]), st.just("items")),
    act("move", PATHS, PATHS),
    act("remove", PATHS),
    act("patch", PATHS, NUMBERS, LINES.filter(lambda line: "\n" not in line)),
    act("create", PATHS, LINES),
    act("delete", PATHS),
    act("test", passes=st.booleans()),
    act("asks", st.just("find"), st.sampled_from(["", "def total(rows):"])),
    act("says", st.just("Done.")),
)
TALES = st.lists(ACTS, min_size=1, max_size=12)


@settings(max_examples=25)
@given(TALES, st.lists(st.integers(1, 12), max_size=3))
@example([do("cat", "a.py"), do("patch", "a.py", 3, "    pass"), do("move", "a.py", "c.py"), do("cat", "c.py")], [2])
def test_a_codex_session_heard_is_the_session_imported(tale: list[Act], cuts: list[int]) -> None:
    with tempfile.TemporaryDirectory() as folder:
        agent = played(Path(folder), tale)
        heard = record(Path(folder) / "heard.ccos", agent.events, cuts)
        imported = Path(folder) / "imported.ccos"
        imports(imported, agent, Path(folder))
        assert alike(heard) == alike(imported)


@settings(max_examples=10)
@given(TALES)
def test_what_codex_hooks_told_is_not_imported_again(tale: list[Act]) -> None:
    with tempfile.TemporaryDirectory() as folder:
        agent = played(Path(folder), tale)
        ws = record(Path(folder) / "work.ccos", agent.events, [])
        before = alike(ws)
        imports(ws, agent, Path(folder))
        assert alike(ws) == before


# -- helpers ----------------------------------------------------------------------------------------------------------


def played(folder: Path, tale: Sequence[Act]) -> ScriptedCodex:
    root = folder / "shop"
    (root / ".git").mkdir(parents=True)
    agent = ScriptedCodex(root)
    agent.prompt("The total is wrong.")
    for each in tale:
        each(agent)  # type: ignore[arg-type]
    return agent


def record(ws: Path, events: Sequence[dict[str, Any]], cuts: Sequence[int]) -> Path:
    for number, event in enumerate(events, 1):
        hear(["--ws", str(ws), "--host", "codex"], json.dumps(event).encode())
        if number in cuts:
            assert not take_in(str(ws)).waiting
    taken = take_in(str(ws))
    assert (taken.waiting, taken.aside, taken.unknown) == (0, 0, 0), taken.why
    return ws


def imports(ws: Path, agent: ScriptedCodex, folder: Path) -> None:
    with Importing(str(ws)) as importing:
        importing.take(Story(Tail(str(agent.write_transcript(folder / "transcripts")))))


def alike(ws: Path) -> list[dict[str, Any]]:
    """What both ways tell: files as they are, calls by their names alone, and prompts."""
    told = [op for op in ops(ws) if op["kind"] in (*FILED, "tool", "prompt")]
    unlike = {"tool": UNLIKE}
    return [{**without(op, *unlike.get(op["kind"], ("at", "findings"))), "call": op["call"]} for op in told]
