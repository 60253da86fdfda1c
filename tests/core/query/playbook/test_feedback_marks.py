"""Marks in messages and edits are feedback on the rule that they name, and on nothing else."""

from __future__ import annotations

import json
from typing import Any

import pytest

from ccos_core.query.believing import belief
from ccos_core.query.playbook.playbook_rules import read_playbook
from tests.core.query.playbook.rule_tales import MAIN, RuleTale, memo_of

FORMAT, PNPM = "Format before you commit.", "Use pnpm."
SHORT = "b-" + memo_of(FORMAT).removeprefix("memo:")[:6]


def told() -> RuleTale:
    return RuleTale().rule(FORMAT, tags=["id:b-xyz"]).rule(PNPM)


def edited(tale: RuleTale, path: str, new: str, old: str = "x = 1") -> RuleTale:
    """The agent replaces a piece of a file."""
    arguments = {"file_path": path, "old_string": old, "new_string": new}
    kept = tale.tale.facts.keep(json.dumps(arguments))
    tale.tell(kind="tool", name="Edit", outcome="ok", call="c1", cwd=".", arguments=kept, **MAIN)
    content = tale.tale.facts.keep(f"{new}\n")
    return tale.tell(kind="seen", how="edit", path=path, content=content, call="c1", phase="file.0", **MAIN)


def signs(tale: RuleTale) -> list[tuple[int, int, str]]:
    """(sign, weight, way) of all feedback on the first rule."""
    rule = read_playbook(tale.timeline, tale.step).rules[0]
    assert not read_playbook(tale.timeline, tale.step).rules[1].feedback
    return [(each.sign, each.weight, each.way) for each in rule.feedback]


@pytest.mark.parametrize(
    "said",
    [
        f"[ccos: helpful {memo_of(FORMAT)}]",
        f"Done. [cass: helpful {SHORT}] [cass: helpful {SHORT}]",
        "// [cass: helpful b-xyz]",
        "[ccos: helpful b-xyz]",
    ],
)
def test_a_mark_in_a_message_names_the_rule_by_any_of_its_ids(said: str) -> None:
    tale = told().tell(kind="turn", said=said, **MAIN)
    assert signs(tale) == [(1, 500, "inline")]
    (found,) = read_playbook(tale.timeline, tale.step).rules[0].feedback
    assert (found.step, found.session, found.actor) == (4, "s", "agent")


@pytest.mark.parametrize(
    ("path", "new", "counts"),
    [
        ("src/a.ts", "// [cass: harmful b-xyz]\nconst x = 2", True),
        ("src/a.py", f"    # [ccos: harmful {SHORT}] it broke the build\nx = 2", True),
        ("src/a.html", "<!-- [ccos: harmful b-xyz] -->", True),
        ("src/a.py", 'x = "# [ccos: harmful b-xyz]"', False),
        ("src/a.py", "x = 2  see # [ccos: harmful b-xyz]", False),
        ("docs/a.md", "# [ccos: harmful b-xyz]", False),
        ("src/a.py", "# `[ccos: harmful b-xyz]` marks a rule", False),
        ("src/a.py", "# [ccos: harmful b-abc]", False),
    ],
)
def test_a_mark_in_an_edit_is_a_comment_that_it_brings_in(path: str, new: str, counts: bool) -> None:
    assert signs(edited(told(), path, new)) == [(-1, 500, "inline")] * counts


def test_a_mark_that_was_there_before_an_edit_is_none() -> None:
    line = "# [ccos: harmful b-xyz]"
    assert signs(edited(told(), "src/a.py", f"{line}\nx = 2", old=f"{line}\nx = 1")) == []


@pytest.mark.parametrize(
    "op",
    [
        {"kind": "prompt", "source": "user"},
        {"kind": "prompt", "source": "host"},
        {"kind": "thought"},
        {"kind": "recall", "lens": "rules", "budget": 9, "computed_at": 1, "parameters": {}, "items": [],
         "window": "0" * 64},
    ],
    ids=lambda op: op["kind"],
)  # fmt: skip
def test_what_is_delivered_or_said_by_others_marks_nothing(op: dict[str, Any]) -> None:
    tale = told().tell(said=f"[ccos: helpful {memo_of(FORMAT)}] [cass: harmful b-xyz]", **op, **MAIN)
    assert signs(tale) == []


def test_an_id_that_two_rules_begin_with_means_none() -> None:
    tale = told().rule("Another.", tags=["id:b-xyz"]).tell(kind="turn", said="[cass: harmful b-xyz]", **MAIN)
    assert signs(tale) == []


def test_marks_count_while_the_rule_stands() -> None:
    tale = told().tell(kind="turn", said="[ccos: helpful b-xyz]", **MAIN)
    tale.tell(kind="retracted", claim=memo_of(FORMAT)).tell(kind="turn", said="[ccos: helpful b-xyz]", **MAIN)
    assert len(signs(tale)) == 1
    assert signs(tale.rule(FORMAT)) == []


def test_a_mark_by_another_name_is_a_belief_of_nothing() -> None:
    tale = told().tell(kind="turn", said="[ccos: helpful b-xyz]", **MAIN)
    assert belief(tale.timeline, tale.step, "mark:b-xyz") is None


def test_marks_of_a_project_count_for_the_rules_of_its_user() -> None:
    own = RuleTale().rule(FORMAT, scope="user", tags=["id:b-xyz"])
    tale = RuleTale().tell(kind="turn", said="[ccos: helpful b-xyz]", **MAIN)
    (rule,) = read_playbook(tale.timeline, tale.step, own.timeline).rules
    assert [(each.step, each.way) for each in rule.feedback] == [(2, "inline")]
