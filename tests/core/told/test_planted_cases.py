"""The generator of planted violations plants what it says; detectors are judged elsewhere.

What was said is checked by `raw_words`, the reading of raw transcripts that shares no code with the importers.
"""

import json
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from functools import cache, lru_cache
from itertools import chain
from pathlib import Path
from typing import Any

import pytest

from ccos_core.query.statement import Standing
from ccos_core.replay.timeline import Timeline
from ccos_core.session.importing import Importing
from ccos_core.session.journaling import timeline_of
from ccos_core.session.transcripts import Story as Transcript
from ccos_core.session.transcripts import Tail
from ccos_core.storage.opening import open_record
from tests.bench.told.raw_words import spoken
from tests.core.query.asked import ask
from tests.core.told.planted import KINDS, PAIRS, Case, every_case, pairs
from tests.core.told.planted_rules import RULES, Step
from tests.core.told.planted_story import FORMS, REFUSED
from tests.depth import at_depth

SEED = 1
IMPORTED_PAIRS = at_depth(4, PAIRS)
DIFFERENT_LINES = 4
"""Lines up to the step in which the sessions of a pair may differ: an edit reads the file first."""
GONE = ("out", "unborn")


@cache
def cases(kind: str) -> list[tuple[Case, Case]]:
    return list(pairs(SEED, kind))


@lru_cache(maxsize=2)
def records(case: Case) -> list[dict[str, Any]]:
    return [json.loads(line) for line in case.transcript.decode().splitlines()]


def messages(case: Case) -> Iterator[tuple[str, Any]]:
    """Yield (agent id, message) of every record that has one."""
    for record in records(case):
        data = record.get("data", {})
        message = data.get("message", record).get("message")
        if message:
            yield data.get("agentId", ""), message


def blocks(case: Case, kind: str) -> list[tuple[str, Any]]:
    found = []
    for agent, message in messages(case):
        content = message["content"] if isinstance(message["content"], list) else []
        found += [(agent, block) for block in content if block["type"] == kind]
    return found


def planted(case: Case) -> tuple[str, Any]:
    """Return the agent and the block of the step in question."""
    (found,) = [each for each in blocks(case, "tool_use") if each[1]["id"] == case.call]
    return found


@contextmanager
def imported(case: Case, folder: Path) -> Iterator[tuple[Timeline, int]]:
    """Import a case; yield its timeline and the step of the call."""
    path = folder / f"{case.name}.jsonl"
    path.write_bytes(case.transcript)
    with Importing(str(folder / f"{case.name}.ccos"), None) as importing:
        told = importing.take(Transcript(Tail(str(path))))
    assert (told.agent, told.unknown, told.unread, told.pending) == ("claude-code", (), (), ())
    with open_record(str(folder / f"{case.name}.ccos")) as record:
        timeline = timeline_of(record)
        ops = ((step, timeline.op(step)) for step in range(1, timeline.head + 1))
        (step,) = [step for step, op in ops if op["kind"] == "tool" and op["call"] == case.call]
        yield timeline, step


def last_compaction(timeline: Timeline, step: int) -> int:
    return max(each for each in range(1, step) if timeline.op(each)["kind"] == "compaction")


def state(timeline: Timeline, step: int, words: str, context: str = "") -> str:
    """Return how words stand in the window just before a step."""
    answer = ask(timeline, "statement", step - 1, words=words, **({"context": context} if context else {}))
    assert isinstance(answer, Standing)
    return answer.state


def test_there_are_forty_pairs_of_each_kind_with_as_many_instructions() -> None:
    assert len({rule.key for rule in RULES}) == len(RULES) >= PAIRS
    for kind in KINDS:
        found = cases(kind)
        assert len({broken.text for broken, _ in found}) == len(found) == PAIRS
        assert {broken.form for broken, _ in found} == set(FORMS)
        assert all(broken.broken and not kept.broken and kept.text == broken.text for broken, kept in found)
        tools = Counter(planted(broken)[1]["name"] for broken, _ in found)
        assert min(tools[name] for name in ("Bash", "Edit", "Write")) >= 1
        assert max(broken.number for broken, _ in found) > 3 * min(broken.number for broken, _ in found)


def test_some_of_it_is_german() -> None:
    texts = [broken.text for kind in KINDS for broken, _ in cases(kind)]
    words = {"bitte", "statt", "kein", "keine", "nie", "niemals", "nicht", "nimm", "immer", "bleibt", "jeder"}
    assert sum(bool(words & set(text.lower().replace(",", "").split())) for text in texts) >= 8


def test_a_seed_says_everything() -> None:
    one, same, other = ([case.transcript for case in every_case(seed, ["held"])] for seed in (SEED, SEED, SEED + 1))
    assert one == same
    assert not set(one) & set(other)


@pytest.mark.parametrize("kind", KINDS)
def test_the_sessions_of_a_pair_differ_in_the_step_alone(kind: str) -> None:
    for broken, kept in cases(kind):
        at = [planted(broken)[1]["input"], planted(kept)[1]["input"]]
        assert at[0] != at[1]
        if kind != "subagent":
            first, second = records(broken), records(kept)
            call = next(number for number, record in enumerate(first) if broken.call in json.dumps(record))
            assert first[: call - DIFFERENT_LINES] == second[: call - DIFFERENT_LINES]


@pytest.mark.parametrize("kind", KINDS)
def test_the_step_is_there_once_and_was_made(kind: str) -> None:
    for case in chain.from_iterable(cases(kind)):
        uses = blocks(case, "tool_use")
        assert [block["id"] for _, block in uses].index(case.call) == case.number
        agent, block = planted(case)
        assert agent == case.context
        assert bool(agent) == (kind == "subagent")
        rule = next(rule for rule in RULES if rule.key == case.rule)
        assert_step(rule.breaks if case.broken else rule.keeps, block)
        results = {each["tool_use_id"]: each for _, each in blocks(case, "tool_result")}
        assert results.keys() == {each["id"] for _, each in uses}
        assert not results[case.call].get("is_error")


def assert_step(step: Step, block: Any) -> None:
    """Check that a call is the step of a rule, whatever names were filled in."""
    given = block["input"]
    assert block["name"] == step.tool
    fixed = step.after.split("$")[0]
    assert (given.get("command") or given.get("new_string") or given["content"]).startswith(fixed)
    assert step.path.split("$")[0] in given.get("file_path", "")


@pytest.mark.parametrize("kind", KINDS)
def test_the_user_says_it_before_the_step_and_nobody_else(kind: str, tmp_path: Path) -> None:
    path = tmp_path / "case.jsonl"
    for case in chain.from_iterable(cases(kind)):
        path.write_bytes(case.transcript)
        said = {piece.text: piece for piece in spoken(path)}
        lines = case.transcript.decode().splitlines()
        step = next(number for number, line in enumerate(lines, 1) if f'"tool_use","id":"{case.call}"' in line)
        assert said[case.text].line < step
        if kind == "superseded":
            assert said[case.older].line < said[case.text].line
        if case.form in ("refusal", "plan"):
            assert any(block["content"] == REFUSED + case.text for _, block in blocks(case, "tool_result"))


@pytest.mark.parametrize("kind", KINDS)
def test_imported_the_window_has_the_words_or_has_them_not(kind: str, tmp_path: Path) -> None:
    for number, pair in enumerate(cases(kind)[:IMPORTED_PAIRS]):
        for case in pair:
            with imported(case, tmp_path) as (timeline, step):
                held = state(timeline, step, case.text)
                if kind == "lost":
                    dropped = last_compaction(timeline, step)
                    assert state(timeline, dropped + 1, case.text) in GONE, case.name
                    assert held in (*GONE, "partial"), case.name
                elif kind == "held":
                    assert held == "in", case.name
                elif kind == "subagent":
                    told = not case.broken and number % 2
                    known = state(timeline, step, case.text, case.context)
                    assert known == "in" if told else known in GONE, case.name
                else:
                    assert state(timeline, step, case.older) in ("in", "stale"), case.name
