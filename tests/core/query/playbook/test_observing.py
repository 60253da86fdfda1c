"""What sessions show, what is proposed of it, and how a proposal is adopted."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from ccos_core.errors import NotFound
from ccos_core.learn.maturity import ESTABLISHED, maturity
from ccos_core.learn.observed import CORRECTION, PREFERENCE, RECOVERY, REVERTED, SEQUENCE, Observation
from ccos_core.learn.proposing import proposals
from ccos_core.query.playbook.observing import observations, sessions_of
from ccos_core.query.playbook.playbook_rules import read_playbook
from ccos_core.query.playbook.proposed import Proposals, ProposedRule
from ccos_core.query.recorded import Recorded
from ccos_core.query.saying.utterance import memo_id
from ccos_core.query.viewed import view_at_head, viewed
from ccos_core.serve.playbook_files import BEGIN, END
from ccos_core.serve.printing import as_lines
from ccos_core.session.journaling import timeline_of
from ccos_core.storage.opening import open_record
from ccos_core.text.delivered import marked
from ccos_core.text.retrieval.carried import normalised_words
from tests.core.query.asked import ask
from tests.core.query.conversations import Conversation
from tests.story import Story, new_session

CHECKED = "npm run fmt && npm run lint"


class Sessions(Conversation):
    """A conversation of several sessions."""

    def __init__(self) -> None:
        super().__init__()
        self.session = "s1"

    def of(self, session: str) -> Sessions:
        """What follows happens in this session."""
        self.session = session
        return self

    def _tell(self, **op: Any) -> None:
        where = {"host": "claude-code", "session": self.session}
        self.tale.tell({**op, **where, **({"context": self.context} if self.context else {})})


def observed(told: Conversation, kind: str) -> list[Observation]:
    timeline = told.timeline
    return [each for each in observations(timeline, timeline.head, "shop") if each.kind == kind]


def proposed(told: Conversation, **given: int) -> Proposals:
    timeline = told.timeline
    answer = ask(timeline, "proposals", timeline.head, **given)
    assert isinstance(answer, Proposals)
    return answer


def rules_of(told: Conversation) -> list[str]:
    return [each.words for each in proposed(told).proposals]


def working(told: Sessions, *names: str, command: str = CHECKED) -> Sessions:
    """In each of these sessions a file is changed and checked."""
    for number, name in enumerate(names):
        told.of(name).say("Go on with it.")
        told.edit("src/list.ts", f"{number}", f"{number + 1}").run(command)
    return told


def test_a_task_after_edits_is_a_rule_once_three_sessions_show_it() -> None:
    told = working(Sessions(), "s1", "s2")
    assert not rules_of(told)
    working(told, "s2", "s2")  # another time in the same session reinforces nothing
    assert not rules_of(told)
    found = proposed(working(told, "s3"))
    assert [each.words for each in found.proposals] == [
        "After changing `*.ts` files, run `npm run fmt` and `npm run lint`.",
        "Run `npm run fmt` before `npm run lint`.",
    ]
    assert found.sessions == 3
    assert found.proposals[0].category == "workflow"
    assert {shown.session for shown in found.proposals[0].evidence} == {"s1", "s2", "s3"}
    told_step = found.proposals[0].evidence[-1].steps[-1]
    assert told.timeline.op(told_step)["kind"] == "tool"


def test_what_is_only_sometimes_run_is_no_rule() -> None:
    told = working(Sessions(), "s1", "s2", "s3")
    for name in ("s1", "s2", "s3"):
        working(told, name, name, name, command="ls src")
    assert rules_of(told) == ["Run `npm run fmt` before `npm run lint`."]


def test_a_task_before_commits() -> None:
    told = Sessions()
    for name in ("s1", "s2", "s3"):
        told.of(name).say("Go on with it.").edit("README", "a", "b").run('make check && git commit -am "Never push"')
    assert rules_of(told) == ["Run `make check` before `git commit`."]


def test_showing_and_moving_is_no_task() -> None:
    shown = "cat a.txt; cd src; git status; rm -rf build; curl x.org; ccos-tui remember y; echo 'npm run lint'"
    told = working(Sessions(), "s1", "s2", "s3", command=shown)
    assert all(not each.detail for each in observed(told, SEQUENCE))
    assert not rules_of(told)


def test_a_task_of_one_folder() -> None:
    told = Sessions()
    for name in ("s1", "s2", "s3"):
        told.of(name).say("Mend the slow test.").edit("it/slow.go", "a", "b").run("make slow")
        for number in range(3):
            told.say("Go on with it.").edit("src/a.go", f"{number}", f"{number + 1}").run("go vet ./...")
    assert "After changing `it/`, run `make slow`." in rules_of(told)
    assert "After changing `*.go` files, run `go vet`." in rules_of(told)


def test_an_option_for_a_folder() -> None:
    told = Sessions()
    for name in ("s1", "s2", "s3"):
        told.of(name).say("Run it.").run("go test -tags=slow ./cmd/it/...").run("go test ./cmd/app/...")
    assert rules_of(told) == ["Run `go test` with `-tags=slow` for `cmd/it/`."]


def test_a_wish_counts_once_a_session_and_only_from_short_prompts() -> None:
    told = Sessions().of("s1").say("create a draft PR please").say("create draft PR").of("s2").say("Fix the bug.")
    assert len(observed(told, PREFERENCE)) == 2
    assert not rules_of(told)
    told.of("s2").say("\n".join([f"- step {number} of this" for number in range(20)] + ["- create a draft PR"]))
    assert not rules_of(told)
    told.of("s3").say("commit, push, create draft PR")
    assert rules_of(told) == ["Create draft PR."]


def test_what_holds_for_the_moment_is_no_wish() -> None:
    told = Sessions()
    for name in ("s1", "s2", "s3"):
        told.of(name).say("remove that file here for now").say("check the review comments again").say(
            "why not use tabs?"
        )
    assert not observed(told, PREFERENCE)


def test_a_refusal_is_a_correction() -> None:
    told = Sessions().say("use the typed client, never raw requests", channel="refusal")
    assert {each.kind for each in observed(told, CORRECTION)} == {CORRECTION}


AGENTS = """# Shop

The shop sells things. It never sleeps.

## Rules
- Always run `make check` before committing.
- **Do NOT:**

- Read `config.json` directly
- Don't guess prices

- Build tool: make
- Before changing prices, ask sales.

**In the `shop` package:**
Use `price()` instead of `cost()`:
"""


def test_instruction_files_are_imported_with_their_lines() -> None:
    told = Sessions().say("Look at the rules.").look("CLAUDE.md", AGENTS)
    found = proposed(told)
    assert [(each.words, each.evidence[0].detail, each.established) for each in found.proposals] == [
        ("Always run `make check` before committing.", "CLAUDE.md:6", True),
        ("Do not: Read `config.json` directly", "CLAUDE.md:9", True),
        ("Don't guess prices", "CLAUDE.md:10", True),
        ("Before changing prices, ask sales.", "CLAUDE.md:13", True),
        ("In the `shop` package: Use `price()` instead of `cost()`", "CLAUDE.md:16", True),
    ]


def adopted(told: Sessions, rule: str, actor: str = "user") -> Recorded:
    from ccos_core.query.playbook.adopting import adopt

    plan = adopt(told.timeline, told.timeline.head, actor, rule)
    for op in plan.ops:
        texts = {name: told.tale.facts.keep(op[name]) for name in ("words", "reason") if op.get(name)}
        given = {name: value for name, value in {**op, **texts}.items() if value is not None}
        told.tale.tell({**given, "actor": actor})
    assert isinstance(plan.answer, Recorded)
    return plan.answer


def test_an_adopted_rule_has_its_places_and_sessions() -> None:
    told = working(Sessions(), "s1", "s2", "s3")
    rule: ProposedRule = proposed(told).proposals[0]
    answer = adopted(told, rule.memo[:12], actor="agent")
    assert (answer.cls, answer.text, answer.nodes) == ("rule", rule.words, (rule.memo,))
    timeline = told.timeline
    (known,) = read_playbook(timeline, timeline.head).rules
    assert (known.content, known.category, known.inferred) == (rule.words, "workflow", True)
    assert known.source_sessions == ("", "s1", "s2", "s3")[1:]
    assert maturity(known, 0) == "candidate"
    assert rule.memo not in {each.memo for each in proposed(told).proposals}
    assert proposed(told).adopted == 1
    with pytest.raises(NotFound, match="was adopted before"):
        adopted(told, rule.memo)
    with pytest.raises(NotFound, match="no such rule is proposed"):
        adopted(told, "memo:")


def test_instructions_are_adopted_as_established() -> None:
    told = Sessions().say("Look at the rules.").look("CLAUDE.md", AGENTS)
    assert len(adopted(told, "instructions").nodes) == 5
    timeline = told.timeline
    rules = read_playbook(timeline, timeline.head).rules
    assert {maturity(each, 0) for each in rules} == {ESTABLISHED}
    assert not any(each.inferred for each in rules)
    assert not rules_of(told)


def test_a_rule_that_was_taken_back_is_not_proposed_again() -> None:
    told = working(Sessions(), "s1", "s2", "s3")
    memo = proposed(told).proposals[0].memo
    adopted(told, memo)
    told.tale.tell({"kind": "retracted", "claim": memo, "actor": "user"})
    working(told, "s4", "s5")
    assert memo not in {each.memo for each in proposed(told).proposals}


def test_every_step_knows_what_was_shown_until_then() -> None:
    told = working(Sessions(), "s1", "s2", "s3")
    timeline = told.timeline
    early = ask(timeline, "proposals", timeline.head // 2)
    assert not early.proposals


OWN = "Always run `make check` before committing. Never amend commits. Create draft PRs."
OWN_BLOCK = f"# Shop\n\n{BEGIN}\n## Rules\n- {OWN}\n{END}\n"


def test_our_own_traffic_is_never_a_rule_in_a_thousand_turns() -> None:
    """What we delivered comes back in prompts, files and calls of our tools, session after session."""
    listing = "\n".join(as_lines(proposed(working(Sessions(), "s1", "s2", "s3")), None))
    told = Sessions()
    for turn in range(250):
        told.of(f"s{turn % 10}").say(marked(f"- [1] {OWN}")).say(listing)
        told.say(f"[ccos: helpful memo:{turn:016x}]")
        told.run("ccos-tui adopt memo:1 && ccos-tui rules 'run make check'")
        told.edit("src/a.py", f"{turn}", f"{turn + 1}")
        arguments = {"command": "npm run lint", "text": OWN}
        told._tell(kind="tool", name="mcp__ccos__remember", outcome="ok", call=f"own{turn}", cwd=".",
                   arguments=told._keep(json.dumps(arguments)), result=told._keep("ok"))  # fmt: skip
    told.look("CLAUDE.md", OWN_BLOCK)
    assert told.step >= 1_000
    timeline = told.timeline
    assert not [each for each in observations(timeline, timeline.head) if each.words]
    assert not proposed(told).found


def own_turn(told: Sessions, turn: int, memo: str) -> None:
    """One turn of nothing but our own traffic: a delivery of rules, with a mark, by one of its ways."""
    rules = f"- [1] {OWN} I prefer small commits to large ones."
    delivery = marked(f"{rules}\n[ccos: helpful {memo}] [ccos: harmful {memo}]")
    arguments = {"words": OWN, "class": "rule", "mark": f"[ccos: helpful {memo}]"}
    told.of(f"s{turn % 10}").say("Go on.")
    match turn % 7:
        case 0:
            told.say(delivery)
        case 1:
            told._tell(kind="prompt", source="host", actor="host", phase="notice", said=told._keep(delivery))
        case 2:
            told._tell(kind="turn", actor="agent", said=told._keep(delivery))
        case 3:
            told.run("ccos-tui rules 'run make check'", delivery)
        case 4:
            told.run(f"ccos-tui feedback {memo} helpful", delivery, fails=True)
        case 5:
            told._call("mcp__ccos__remember", arguments, delivery)
        case _:
            told.look("CLAUDE.md", f"# Shop\n\n{BEGIN}\n## Rules\n- {OWN} [ccos: helpful {memo}]\n{END}\n")


def test_a_thousand_turns_of_our_own_traffic_give_no_rule_no_feedback_and_no_diary_item() -> None:
    words = "Keep prices in cents."
    memo = memo_id(tuple(normalised_words(words)))
    told = Sessions()
    told.tale.tell({"kind": "remembered", "memo": memo, "class": "rule", "words": told._keep(words), "actor": "user"})
    for turn in range(1_000):
        own_turn(told, turn, memo)
    timeline = told.timeline
    (rule,) = read_playbook(timeline, timeline.head).rules
    assert (rule.content, rule.feedback) == (words, ())
    assert not proposed(told).found
    diaries = ask(timeline, "diary", timeline.head).sessions
    assert len(diaries) == 10
    assert not [(each.session, each.sections) for each in diaries if each.sections]


def test_the_same_words_of_a_user_and_an_agent_are_feedback_and_a_diary_item() -> None:
    words = "Keep prices in cents."
    memo = memo_id(tuple(normalised_words(words)))
    told = Sessions()
    told.tale.tell({"kind": "remembered", "memo": memo, "class": "rule", "words": told._keep(words), "actor": "user"})
    told.say("I prefer small commits to large ones.")
    told._tell(kind="turn", actor="agent", said=told._keep(f"Done.\n[ccos: helpful {memo}]"))
    timeline = told.timeline
    (rule,) = read_playbook(timeline, timeline.head).rules
    assert [each.way for each in rule.feedback] == ["inline"]
    assert [each.name for each in ask(timeline, "diary", timeline.head).sessions[0].sections] == ["preferences"]


def test_what_stands_below_our_block_is_the_projects() -> None:
    told = Sessions().say("Look at the rules.").look("CLAUDE.md", f"{OWN_BLOCK}\n- Never guess prices.\n")
    assert rules_of(told) == ["Never guess prices."]


def test_the_same_words_of_a_person_are_a_rule() -> None:
    told = Sessions().of("s1").say(OWN).of("s2").say(OWN)
    assert "Never amend commits." in rules_of(told)
    told.look("CLAUDE.md", OWN_BLOCK.replace("ccos-tui", "shop"))
    assert "Never amend commits." in [each.words for each in proposed(told).proposals if each.established]


def test_edits_thrown_away_in_two_sessions() -> None:
    told = Sessions()
    for name, command in (("s1", "git checkout -- src/a.py"), ("s2", "cd src && git restore a.py")):
        told.of(name).say("Go on with it.").edit("src/a.py", "a", "b").run(command)
    told.edit("src/b.py", "a", "b").run("git checkout --theirs src/b.py").run("git checkout main")
    assert {(each.key, each.session) for each in observed(told, REVERTED)} == {("src/a.py", "s1"), ("src/a.py", "s2")}
    (found,) = proposed(told).proposals
    assert (found.words, found.cls) == ("Ask before changing `src/a.py`.", "anti-pattern")


RUFF = "src/{0}.py:3:8: F401 `os` imported but unused\nFound 1 error.\n"
GO = "src/{0}.go:3:8: Error return value is not checked (errcheck)\n\tfoo()\n1 issues:\n* errcheck: 1\n"


@pytest.mark.parametrize(
    ("command", "report", "suffix", "passes", "words"),
    [
        (
            "ruff check .", RUFF, "py", "All checks passed!",
            "Avoid what `ruff` reports as `F401`: … imported but unused.",
        ),
        (
            "golangci-lint run", GO, "go", "0 issues.",
            "Avoid what `golangci-lint` reports as `errcheck`: Error return value is not checked.",
        ),
    ],
)  # fmt: skip
def test_what_a_linter_reported_and_edits_ended_twice(
    tmp_path: Path, command: str, report: str, suffix: str, passes: str, words: str
) -> None:
    with new_session(tmp_path) as session:
        for name in ("s1", "s2"):
            file = f"src/{name}.{suffix}"
            Story(session, name).tell(f"""
                write {file} "import os"
                tool Bash {command} -> error {report.format(name)!r}
                prompt "Go on with it."
                edit {file} "import os" -> "y"
                tool Bash {command} -> ok {passes!r}
            """)
    with open_record(session.recorded.path) as record:
        timeline = timeline_of(record)
        shown = [each for each in observations(timeline, timeline.head) if each.kind == RECOVERY]
        assert {each.session for each in shown} == {"s1", "s2"}
        assert [each.words for each in proposals(shown)] == [words]
        assert not proposals(shown[:1])


def test_a_view_proposes_nothing_of_what_it_withholds() -> None:
    told = Sessions().of("s1").say("create a draft PR please").of("s2").say("create draft PR")
    memo = memo_id(tuple(normalised_words("create a draft PR please")))
    told.tale.tell({"kind": "labelled", "nodes": [memo], "privacy": "critical", "actor": "user"})
    assert rules_of(told) == ["Create a draft PR."]
    timeline = told.timeline
    seen = viewed(timeline, view_at_head(timeline, "agent"))
    assert not ask(seen, "proposals", seen.head).proposals
    assert "a draft" not in str(observations(seen, seen.head))


def test_only_sessions_that_have_begun_are_counted() -> None:
    story = Conversation().say("Fix the lookup.")
    at, tale = story.step, story.tale
    tale.tell({"kind": "prompt", "source": "user", "said": tale.facts.keep("Go."), "host": "codex", "session": "t"})
    assert [len(sessions_of(story.timeline, each)) for each in (at, at + 1)] == [1, 2]
