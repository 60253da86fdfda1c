"""What a host dropped, folded: the context holds what the transcript says it held, and nothing else."""

from itertools import chain
from typing import Any

from ccos_core.intake.importers import generic, swe_agent
from ccos_core.intake.importers.opencode import reader as opencode
from ccos_core.intake.importers.record import Format, Record
from ccos_core.query.telling import told as query_told
from ccos_core.serve.printing import as_lines
from ccos_core.state.host import Held
from tests.core.intake.importers.codex_fixtures import folded, texts_in
from tests.core.intake.importers.foreign import recorded, told
from tests.core.intake.importers.test_generic import SESSION, lines
from tests.core.intake.importers.test_opencode import AT, asks, export, says, shown, text, tool
from tests.core.intake.importers.test_swe_agent import FIRST, run, sent, step
from tests.core.query.asked import ask
from tests.core.replay.told import timeline_of
from tests.core.state.small import Tale

GONE = "Old environment output: (1 lines omitted)"


def left(of: Format, records: list[Record], host: str, session: str) -> tuple[Tale, Held]:
    tale = folded(told(of, records, session))
    return tale, tale.world.hosts.contexts[(host, session, "")]


def test_a_compaction_of_opencode_leaves_the_tail_and_the_summary() -> None:
    read = tool("c1", "read", {"filePath": "a.py"}, shown("a.py", "one", end=1))
    again = tool("c2", "read", {"filePath": "b.py"}, shown("b.py", "two", end=1))
    document = export(
        asks("m1", text("One.")),
        says("m2", read),
        asks("m3", text("Two.")),
        says("m4", again),
        asks("m5", {"type": "compaction", "auto": True, "tail_start_id": "m3"}),
        says("m6", text("So far."), summary=True),
        asks("m7", text("On.")),
    )
    tale, held = left(opencode.FORMAT, recorded(document), "opencode", "ses_1")
    assert texts_in(tale, held) == ["Two.", '{"filePath":"b.py"}', "So far.", "On."]
    assert sorted(held.images) == ["/w/b.py"]
    assert held.cuts[-1][1] is True


def test_an_output_opencode_dropped_is_not_in_the_window() -> None:
    """Its call is: the host says in the place of the output that it was cleared."""
    time = {"start": AT, "end": AT + 1, "compacted": AT + 150}
    read = tool("c1", "read", {"filePath": "a.py"}, shown("a.py", "one", end=1), time=time)
    kept = tool("c2", "read", {"filePath": "b.py"}, shown("b.py", "two", end=1))
    first = [asks("m1", text("One.")), says("m2", read, kept)]
    _, before = left(opencode.FORMAT, recorded(export(*first)), "opencode", "ses_1")
    assert sorted(before.images) == ["/w/a.py", "/w/b.py"]
    tale, after = left(opencode.FORMAT, recorded(export(*first, asks("m3", text("Two."), at=200))), "opencode", "ses_1")
    calls = ['{"filePath":"a.py"}', '{"filePath":"b.py"}']
    assert (sorted(after.images), texts_in(tale, after)) == (["/w/b.py"], ["One.", *calls, "Two."])


def test_an_observation_that_is_not_sent_any_more_is_not_in_the_window() -> None:
    """What the model said and asked for is sent as before."""
    steps: list[dict[str, Any]] = [
        step("cat a.py", "one\n", query=sent()),
        step("cat b.py", "two\n", query=sent("one\n")),
        step("ls", "a.py\n", query=sent(GONE, "two\n")),
    ]
    tale, held = left(swe_agent.FORMAT, recorded(run(*steps)), "swe-agent", "run")
    assert sorted(held.images) == ["/w/b.py"]
    wrote = [(f"I do {each}", f'{{"command":"{each}"}}') for each in ("cat a.py", "cat b.py", "ls")]
    assert texts_in(tale, held) == [*(said["content"] for said in FIRST), *chain(*wrote), "a.py\n"]


def test_observations_left_out_one_by_one_are_told_as_that() -> None:
    """Such a host makes its window shorter before every turn: no compaction, and no summary to look for."""
    steps: list[dict[str, Any]] = [
        step("cat a.py", "one\n", query=sent()),
        step("cat b.py", "two\n", query=sent("one\n")),
        step("ls", "a.py\n", query=sent(GONE, "two\n")),
    ]
    tale, _ = left(swe_agent.FORMAT, recorded(run(*steps)), "swe-agent", "run")
    timeline = timeline_of(tale)
    cut = next(number for number, op in enumerate(tale.ops, 1) if op["kind"] == "compaction")
    assert query_told(timeline, cut).says == "old results left out, 4 kept"
    window = ask(timeline, "recall", cut, lens="host")
    assert (window.cut.kind, window.cut.exact, window.cut.kept) == ("elision", True, 4)
    assert any("old results left out (auto) at step" in line for line in as_lines(window, None))
    why = ask(timeline, "why", cut, node="file:/w/a.py", lens="host")
    assert why.agent.happening.what == "elided"


def test_a_compaction_of_ours_leaves_what_it_names() -> None:
    told_lines = lines(
        {**SESSION, "agent": "mine"},
        {"kind": "prompt", "id": "p1", "text": "One."},
        {"kind": "prompt", "id": "p2", "text": "Two."},
        {"kind": "call", "id": "c1", "name": "look"},
        {"kind": "read", "call": "c1", "path": "a.py", "text": "one\n", "whole": True},
        {"kind": "result", "call": "c1", "outcome": "ok", "text": "one"},
        {"kind": "compaction", "kept": ["p2", "c1"], "summary": "So far.", "exact": True},
    )
    tale, held = left(generic.FORMAT, told_lines, "mine", "run-1")
    assert (texts_in(tale, held), sorted(held.images)) == (["Two.", "So far."], ["/w/a.py"])
