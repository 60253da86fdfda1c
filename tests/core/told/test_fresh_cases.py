"""The stories of fresh rules can be imported, hold the words and hold the step; detectors are judged elsewhere."""

import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest

from ccos_core.session.importing import Importing
from ccos_core.session.transcripts import Story, Tail
from tests.bench.told.raw_words import spoken
from tests.core.intake.importers.claude_code_fixtures import Talk
from tests.core.told.fresh_rules import FRESH_A, FRESH_B, FRESH_C, fresh_pairs, half
from tests.core.told.planted import KINDS, Case
from tests.core.told.planted_rules import RULES, Rule
from tests.depth import at_depth

SEED = 3
HALVES = {"A": FRESH_A, "B": FRESH_B}
SETS = {**HALVES, "C": FRESH_C}
IMPORT_EVERY = at_depth(8, 1)
"""Of so many pairs one is imported; the first differs by kind."""


def squeezed(words: str) -> str:
    return " ".join(words.split())


def calls(case: Case) -> dict[str, Any]:
    """Return the input of every call by its id."""
    found = {}
    for line in case.transcript.decode().splitlines():
        record = json.loads(line)
        message = record.get("data", {}).get("message", record).get("message") or {}
        content = message.get("content", "")
        blocks = content if isinstance(content, list) else []
        found.update({block["id"]: block for block in blocks if block["type"] == "tool_use"})
    return found


def assert_imported(case: Case, folder: Path) -> None:
    """Check that a case is imported without unknown records."""
    path = folder / f"{case.name}.jsonl"
    path.write_bytes(case.transcript)
    with Importing(str(folder / f"{case.name}.ccos"), None) as importing:
        told = importing.take(Story(Tail(str(path))))
    assert (told.agent, told.unknown, told.unread, told.pending) == ("claude-code", (), (), ())


def test_the_sets_have_enough_rules_of_their_own() -> None:
    keys = [rule.key for rules in SETS.values() for rule in rules]
    assert len(set(keys)) == len(keys)
    for name, rules in SETS.items():
        assert len(rules) >= 40, name
        assert {rule.breaks.tool for rule in rules} == {"Bash", "Edit", "Write"}, name
        assert not {rule.breaks for rule in RULES} & {rule.breaks for rule in rules}, name


def test_the_hash_of_its_key_decides_the_half_of_a_rule() -> None:
    for name, rules in HALVES.items():
        assert {half(rule.key) for rule in rules} == {name}


@pytest.mark.parametrize("rules", SETS.values(), ids=list(SETS))
def test_each_rule_is_said_in_several_single_sentences(rules: Sequence[Rule], tmp_path: Path) -> None:
    path = tmp_path / "prompts.jsonl"
    for rule in rules:
        talk = Talk("5e55")
        for words in (*rule.wordings, rule.older):
            talk.prompt(words)
        path.write_text("\n".join(map(json.dumps, talk.values)), encoding="utf-8")
        assert [piece.text for piece in spoken(path)] == [*rule.wordings, rule.older]
        assert len(set(rule.wordings)) >= 2, rule.key
        assert rule.keeps != rule.breaks, rule.key
        assert '"' not in "".join(rule.wordings), rule.key


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("rules", SETS.values(), ids=list(SETS))
def test_the_words_and_the_step_are_there(rules: Sequence[Rule], kind: str, tmp_path: Path) -> None:
    path = tmp_path / "case.jsonl"
    for rule, pair in zip(rules, fresh_pairs(rules, SEED, kind), strict=True):
        inputs = []
        for case in pair:
            path.write_bytes(case.transcript)
            said = [squeezed(piece.text) for piece in spoken(path)]
            assert squeezed(case.text) in said, case.name
            assert kind != "superseded" or squeezed(case.older) in said, case.name
            step = rule.breaks if case.broken else rule.keeps
            block = calls(case)[case.call]
            given = block["input"]
            done = given.get("command") or given.get("new_string") or given["content"]
            assert (block["name"], "$" in done + given.get("file_path", "")) == (step.tool, "$$" in step.after), (
                case.name
            )
            assert done.startswith(step.after.split("$")[0]), case.name
            assert step.path.split("$")[0] in given.get("file_path", ""), case.name
            inputs.append(given)
        assert inputs[0] != inputs[1], rule.key


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("rules", SETS.values(), ids=list(SETS))
def test_the_stories_are_imported_without_unknown_records(rules: Sequence[Rule], kind: str, tmp_path: Path) -> None:
    for number, pair in enumerate(fresh_pairs(rules, SEED, kind)):
        if (number + KINDS.index(kind)) % IMPORT_EVERY == 0:
            for case in pair:
                assert_imported(case, tmp_path)
