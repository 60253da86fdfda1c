"""Pressure: thresholds as upper bounds, five points of hysteresis, the host's own counts, and what could be dropped."""

from __future__ import annotations

from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ccos_core.query.candidates import PLANNING, POLICIES
from ccos_core.query.catalogue import BY_NAME
from ccos_core.query.hosted.item_kinds import KINDS
from ccos_core.query.hosted.window import agent_window
from ccos_core.query.pressure import BUFFER, CONTEXT_MAX, THRESHOLDS, Sample, levels, next_level
from ccos_core.query.question import HOST
from ccos_core.session.asking import Desk
from ccos_core.session.session import open_session
from ccos_core.storage.opening import open_record
from ccos_core.values.models import window_of
from tests.story import START, Story, new_session

LOW, MEDIUM, HIGH, CRITICAL = range(4)
CROSSINGS = [
    # from, thousandths, to: upwards at the threshold itself
    (LOW, 499, LOW), (LOW, 500, MEDIUM), (MEDIUM, 699, MEDIUM), (MEDIUM, 700, HIGH), (HIGH, 849, HIGH),
    (HIGH, 850, CRITICAL), (CRITICAL, 1_200, CRITICAL), (LOW, 700, HIGH), (LOW, 900, CRITICAL), (MEDIUM, 850, CRITICAL),
    # downwards five points below it
    (CRITICAL, 849, CRITICAL), (CRITICAL, 800, CRITICAL), (CRITICAL, 799, HIGH), (CRITICAL, 651, HIGH),
    (CRITICAL, 650, HIGH), (CRITICAL, 649, MEDIUM), (CRITICAL, 450, MEDIUM), (CRITICAL, 449, LOW),
    (HIGH, 699, HIGH), (HIGH, 650, HIGH), (HIGH, 649, MEDIUM), (HIGH, 450, MEDIUM), (HIGH, 449, LOW),
    (MEDIUM, 499, MEDIUM), (MEDIUM, 450, MEDIUM), (MEDIUM, 449, LOW), (LOW, 0, LOW),
]  # fmt: skip


@pytest.mark.parametrize(("level", "utilization", "after"), CROSSINGS)
def test_every_crossing_both_ways(level: int, utilization: int, after: int) -> None:
    assert next_level(level, utilization) == after


@given(st.lists(st.integers(0, 1_100), min_size=1, max_size=30))
def test_a_level_stands_between_its_thresholds(course: list[int]) -> None:
    found = levels(Sample(step, use * 200, 200_000, True) for step, use in enumerate(course))
    for level, use in zip(found, course, strict=True):
        assert level == CRITICAL or use < THRESHOLDS[level]
        assert level == LOW or use >= THRESHOLDS[level - 1] - BUFFER
    for (before, after), (was, use) in zip(pairwise(found), pairwise(course), strict=True):
        assert not (use >= was and after < before)


def test_the_level_depends_on_the_way_there() -> None:
    assert next_level(next_level(LOW, 720), 680) == HIGH
    assert next_level(LOW, 680) == MEDIUM


def test_windows_of_models_are_known_by_their_names() -> None:
    assert window_of("us.anthropic.claude-opus-4-5-20251101-v1:0") == 200_000
    assert window_of("claude-sonnet-4-5[1m]") == 1_000_000
    assert window_of("some-model-of-tomorrow") is None


STORY = """
    write src/a.py "def a():\\n    return 1\\n"
    write src/b.py "def b():\\n    return 2\\n"
    write MEMORY.md "# Rules\\n\\nUse tabs.\\n"
    ingest
    prompt "Fix it."
    see MEMORY.md
    tool Bash go test ./... -> ok "one two three four five six seven eight nine ten eleven twelve"
    see src/a.py
    see src/b.py
    tool TodoWrite fix a -> ok "the plan is to fix a first and then to fix b"
    usage 60000
    tool Bash go test ./... -> ok "one two three"
    tool Bash go vet ./... -> error "it failed with E0308 in src/a.py"
    usage 145000
    usage 138000
    usage 125000
"""


@pytest.fixture
def path(tmp_path: Path) -> str:
    with new_session(tmp_path) as session:
        Story(session).tell(STORY)
    return str(tmp_path / "work.ccos")


def ask(path: str, name: str, at: int | None = None, /, **said: str) -> Any:
    with open_record(path, write=True) as record, Desk(record) as desk:
        return desk.ask(BY_NAME[name], said, at).answer


def test_the_hosts_own_count_wins_and_the_level_follows_its_way(path: str) -> None:
    last = ask(path, "pressure")
    assert (last.context_used, last.context_max, last.source) == (125_000, CONTEXT_MAX, "counted")
    assert last.utilization == 625
    steps = [ask(path, "pressure", at).level for at in range(last.at - 2, last.at + 1)]
    assert steps == ["high", "high", "medium"]
    assert last.as_of == last.at
    first = ask(path, "pressure", 6)
    assert (first.source, first.context_used) == ("estimated", ask(path, "composition", 6).tokens)
    assert len(last.eviction_candidates) <= 5
    assert [each.item for each in last.eviction_candidates] == [
        each.item for each in ask(path, "candidates", limit="5").candidates
    ]


def compact(path: str, **said: Any) -> None:
    cut_op = {"kind": "compaction", "trigger": "auto", "exact": False, "host": "story", "session": "story-1"}
    with open_session(path, clock=lambda: START) as session:
        session.record([{**cut_op, **said}])


def count_tokens(path: str, window: int) -> None:
    with open_session(path, clock=lambda: START) as session:
        session.record([{"kind": "usage", "window": window, "host": "story", "session": "story-1"}])


def test_all_that_was_delivered_is_counted_and_the_summary_it_left_too(path: str) -> None:
    before = ask(path, "pressure")
    filled = ask(path, "composition")
    told = sum(part.tokens for part in filled.parts if part.kind in KINDS)
    assert before.managed == told > 0
    compact(path, summary="They built a package and tested it; go vet failed with E0308 in src/a.py.")
    after = ask(path, "pressure")
    (summary,) = [part.tokens for part in ask(path, "composition").parts if part.kind == "summary"]
    assert after.managed == summary > 0


@pytest.mark.parametrize(
    ("used", "pressure", "level", "warns"),
    [
        (1_000, "low", 1, False),
        (110_000, "medium", 2, False),
        (150_000, "high", 3, True),
        (180_000, "critical", 3, True),
    ],
)
def test_pressure_chooses_the_level_of_the_map(path: str, used: int, pressure: str, level: int, warns: bool) -> None:
    count_tokens(path, 1_000)
    count_tokens(path, used)
    drawn = ask(path, "mindmap")
    assert (drawn.pressure, drawn.level) == (pressure, level)
    advice = ask(path, "pressure").recommended_action
    assert ("page out" in advice or "evict" in advice) == warns
    assert ("evict now" in advice) == (pressure == "critical")
    assert ask(path, "bundle", name="bootstrap").text.count("@MM") == 1


def test_after_a_cut_the_estimate_is_that_of_the_composition(path: str) -> None:
    system = {part.kind: part.tokens for part in ask(path, "composition", 11).parts}["system"]
    assert 59_000 < system < 60_000
    compact(path)
    cut, filled = ask(path, "pressure"), ask(path, "composition")
    assert (cut.source, filled.counted) == ("estimated", None)
    assert cut.context_used == filled.tokens == sum(part.tokens for part in filled.parts) >= system
    compact(path, after=70_123)
    assert ask(path, "pressure").context_used == ask(path, "composition").tokens == 70_123


def test_a_level_is_a_share_of_what_the_context_was_last_compacted_at(path: str) -> None:
    assert (ask(path, "pressure").compacts_at, ask(path, "pressure").left) == (None, 75_000)
    compact(path, before=150_000)
    count_tokens(path, 60_000)
    low = ask(path, "pressure")
    assert (low.level, low.compacts_at, low.left, low.utilization) == ("low", 150_000, 90_000, 400)
    count_tokens(path, 144_000)  # 72 % of the window, 96 % of what it compacts at
    full = ask(path, "pressure")
    assert (full.level, full.left, full.context_max) == ("critical", 6_000, CONTEXT_MAX)
    assert "imminent" in full.recommended_action
    count_tokens(path, 151_000)
    assert (ask(path, "pressure").compacts_at, ask(path, "pressure").left) == (151_000, 0)
    compact(path)  # of which its program doesn't say how full the window was
    assert ask(path, "pressure").compacts_at == 151_000


def test_a_compaction_by_hand_or_of_another_window_teaches_nothing(path: str) -> None:
    compact(path, before=60_000)
    assert ask(path, "pressure").compacts_at is None
    with open_session(path, clock=lambda: START) as session:
        cut_op = {"kind": "compaction", "trigger": "manual", "exact": False, "before": 150_000}
        session.record([{**cut_op, "host": "story", "session": "story-1"}])
    assert ask(path, "pressure").compacts_at is None
    compact(path, before=150_000)
    count_tokens(path, 400_000)
    assert (ask(path, "pressure").compacts_at, ask(path, "pressure").context_max) == (None, 1_000_000)


@pytest.mark.parametrize("policy", POLICIES)
def test_what_a_candidate_frees_is_what_the_agents_window_holds_of_it(path: str, policy: str) -> None:
    with open_record(path) as record, Desk(record) as desk:
        window = agent_window(desk.timeline, desk.timeline.head, lens=HOST, session=None, context=None)
        tools = {f"result:{at}": desk.timeline.op(at) for at in range(1, desk.timeline.head + 1)}
    held = {each.node: each.tokens for each in window.items}
    answer = ask(path, "candidates", policy=policy, limit="0")
    assert answer.candidates
    assert all(held[each.item] == each.frees for each in answer.candidates)
    assert answer.frees == sum(each.frees for each in answer.candidates)
    said = [tools.get(each.item, {}) for each in answer.candidates]
    assert not any(PLANNING.search(op.get("name", "")) or op.get("outcome") == "error" for op in said)
    assert not any(each.item.startswith(("prompt:", "summary:")) for each in answer.candidates)


def test_candidates_come_by_attention_then_superseded_then_by_policy(path: str) -> None:
    usual = [each.item for each in ask(path, "candidates").candidates]
    assert ask(path, "candidates").candidates[0].why == "superseded"  # the first of two equal runs
    ask(path, "attention", node="src/b.py", weight="200")
    assert ask(path, "candidates").candidates[0].item == "file:src/b.py"
    ask(path, "attention", node="src/b.py", weight="1900")
    assert ask(path, "candidates").candidates[-1].item == "file:src/b.py"
    assert sorted(usual) == sorted(each.item for each in ask(path, "candidates").candidates)
    sizes = [each.frees for each in ask(path, "candidates", policy="size_first").candidates if not each.why][:-1]
    assert sizes == sorted(sizes, reverse=True)


def test_a_blank_text_is_no_candidate(path: str) -> None:
    before = ask(path, "candidates", limit="0")
    with open_session(path, clock=lambda: START) as session:
        session.record([{"kind": "turn", "said": "\n\n", "host": "story", "session": "story-1"}])
    assert ask(path, "candidates", limit="0").candidates == before.candidates


def test_policies_keep_what_they_say(path: str) -> None:
    def order(policy: str) -> list[str]:
        return [each.item for each in ask(path, "candidates", policy=policy).candidates if not each.why]

    assert order("keep_relational")[-1] == "file:MEMORY.md"
    assert order("keep_technical")[0] == "file:MEMORY.md"
