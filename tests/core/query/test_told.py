"""`told`: what had been said about a step, and what the autopsy makes of it; each kind beside its counterpart."""

from __future__ import annotations

from pathlib import Path

import pytest

from ccos_core.errors import NotFound
from ccos_core.present.rows import View
from ccos_core.query.autopsy import autopsy
from ccos_core.query.autopsy.answer import Finding
from ccos_core.query.told import ToldAbout, ToldStatement
from ccos_core.serve.demos.forgotten import transcript
from ccos_core.session.importing import Importing
from ccos_core.session.journaling import timeline_of as timeline_of_record
from ccos_core.session.transcripts import Story, Tail
from ccos_core.storage.opening import open_record
from tests.core.query.asked import ask
from tests.core.query.conversations import Conversation
from tests.core.query.tales import AGENT
from tests.core.query.tales import told as shop

RULE = "Never push to main without asking me."
PUSH, PUSHED = "git push origin main", "To github.com:acme/shop\n   1a2b3c4..5d6e7f8  main -> main\n"
KINDS = ("forgotten", "ignored", "uninformed", "outdated", "said-again", "retried")


def told(story: Conversation, step: int | None = None) -> ToldAbout:
    answer = ask(story.timeline, "told", story.step if step is None else step)
    assert isinstance(answer, ToldAbout)
    return answer


def first(story: Conversation) -> ToldStatement:
    return told(story).statements[0]


def found(story: Conversation) -> list[Finding]:
    timeline = story.timeline
    return [each for each in autopsy(timeline, timeline.head).findings if each.kind in KINDS]


def kinds(story: Conversation) -> list[str]:
    return [each.kind for each in found(story)]


def test_lost_and_then_broken() -> None:
    story = Conversation().say(RULE).compact("They mend the cart.").run(PUSH, PUSHED)
    each = first(story)
    assert (each.verdict, each.state, each.since, each.said) == ("violates", "out", 3, 2)
    assert each.cut is not None
    assert each.cut.carried == "none"
    (finding,) = found(story)
    assert (finding.kind, finding.step) == ("forgotten", 4)
    assert "step 2: “Never push to main without asking me”. That had left the agent's window at step 3." in finding.says


def test_in_the_window_and_broken() -> None:
    story = Conversation().say(RULE).run(PUSH, PUSHED)
    assert (first(story).verdict, first(story).state) == ("violates", "in")
    assert kinds(story) == ["ignored"]


def test_carried_by_the_summary_and_broken() -> None:
    story = Conversation().say(RULE).compact("The user said: never push to main without asking me.").run(PUSH, PUSHED)
    assert kinds(story) == ["ignored"]


def test_never_told_to_a_subagent() -> None:
    story = Conversation().say(RULE).task("shipper", "Publish the branch.").run(PUSH, PUSHED)
    assert (first(story).verdict, first(story).state, first(story).since) == ("violates", "unborn", 0)
    (finding,) = found(story)
    assert finding.kind == "uninformed"
    assert "the subagent shipper ran `git push origin main`" in finding.says


def test_told_to_a_subagent() -> None:
    story = Conversation().say(RULE).task("shipper", f"Publish it. {RULE}").run(PUSH, PUSHED)
    assert kinds(story) == ["ignored"]


def test_an_older_wording_is_followed() -> None:
    story = Conversation().say("Use npm.").say("From now on use pnpm instead of npm.")
    story.compact("The user wants it built. Use npm.").run("npm install")
    each = first(story)
    assert (each.verdict, each.state) == ("violates", "out")
    assert each.old
    (finding,) = found(story)
    assert finding.kind == "outdated"
    assert "as the user had said at step 2; the user had replaced that at step 3" in finding.says
    assert kinds(Conversation().say("Use npm.").say("From now on use pnpm instead of npm.").run("pnpm install")) == []


@pytest.mark.parametrize(
    "story",
    [
        Conversation().say(RULE).compact("none").run("git push origin fix", " * [new branch] fix -> fix\n"),
        Conversation().say(RULE).say("Push it to main now.").run(PUSH, PUSHED),
        Conversation().say("Don't commit yet.").say("Fine, go on.").run('git commit -m "x"'),
        Conversation().run(PUSH, PUSHED).say(RULE),
        Conversation().say("Use pnpm instead of npm.").say("Use npm from now on.").run("npm install"),
        Conversation().say("I never push to main.").run(PUSH, PUSHED),
        Conversation().say("```\nnever push to main\n```").run(PUSH, PUSHED),
    ],
)
def test_what_accuses_nobody(story: Conversation) -> None:
    assert kinds(story) == []
    assert told(story).violated == 0


def test_a_call_that_the_user_refused_breaks_nothing() -> None:
    refused = "The user doesn't want to proceed with this tool use. The tool use was rejected."
    assert kinds(Conversation().say(RULE).run(PUSH, refused, fails=True)) == []


def test_one_finding_for_an_instruction_broken_again_and_again() -> None:
    story = Conversation().say("Don't touch migrations/.").compact("none")
    for number in range(3):
        story.write(f"migrations/000{number}.sql", "select 1;")
    (finding,) = found(story)
    assert "wrote migrations/0000.sql, and twice more later" in finding.says
    assert (finding.step, finding.last, finding.node) == (4, 8, "file:migrations/0000.sql")


def test_said_again_after_it_was_lost() -> None:
    story = Conversation().say(RULE).compact("none").say("I told you: never push to main.")
    (finding,) = found(story)
    assert (finding.kind, finding.step, finding.drift) == ("said-again", 4, False)
    assert kinds(Conversation().say(RULE).compact(RULE).say(RULE)) == []
    broken = Conversation().say(RULE).compact("none").run(PUSH, PUSHED).say("I told you: never push to main.")
    (finding,) = found(broken)
    assert finding.says.endswith("The user said it again at step 5.")


def attempts(summary: str, second: str = "edit shop/prices.py") -> list[str]:
    """An attempt that failed is undone, the window is cut, and it is made again."""
    story = shop(
        "see shop/prices.py\nfail tests/test_cart.py\nedit shop/prices.py\nfail tests/test_cart.py\nback shop/prices.py"
    )
    story.tale.tell(
        {"kind": "compaction", "trigger": "auto", "exact": False, "summary": story.tale.facts.keep(summary), **AGENT}
    )
    story.count = 2  # the next edit brings in the same line as the first one
    story.tell(f"{second}\nfail tests/test_cart.py")
    return [each.kind for each in story.autopsy().findings]


def test_a_failed_attempt_made_again_after_it_was_forgotten() -> None:
    assert "retried" in attempts("They mend the cart.")
    assert "retried" not in attempts("They mend the cart.", "edit shop/totals.py")


def test_what_is_about_a_step_is_ranked_by_names_and_rare_words() -> None:
    story = Conversation().say("The window of a parcel is in shop/window.py. Be nice.\nParcels have weights.")
    story.say("Go on.").edit("shop/window.py", "x = 1", "x = parcel_weight()")
    answer = told(story)
    assert [each.text for each in answer.statements] == [
        "The window of a parcel is in shop/window.py.",
        "Parcels have weights.",
    ]
    assert answer.statements[0].shown[0] == "shop/window.py"
    assert {each.verdict for each in answer.statements} == {"asks"}, "as the last prompt only says to go on"
    answer = told(story.say("Now tell me which files you have read.").edit("shop/window.py", "x = 2", "parcel_weight"))
    assert [(each.text, each.verdict) for each in answer.statements] == [
        ("Now tell me which files you have read.", "asks"),
        ("The window of a parcel is in shop/window.py.", "touches"),
    ], "an older statement that shares no more than two plain words isn't about it"


def test_a_step_serves_the_last_request() -> None:
    story = Conversation().say("Is there a reason not to parse the input on entry?").say("Thanks.")
    story.say("The logs leak into another session.\nI saw it today.\nAnd yesterday.\nTwice.")
    answer = told(story.edit("shop/hook.py", "x = 1", "input = parse(session)"))
    assert [(each.text, each.verdict) for each in answer.statements] == [
        ("The logs leak into another session.", "asks")
    ]
    assert answer.statements[0].shown == ("session",)
    nothing_shared = told(story.run("make docs"))
    assert [each.text for each in nothing_shared.statements] == [
        "The logs leak into another session.",
        "I saw it today.",
        "And yesterday.",
    ]
    assert "was asked" in "\n".join(each.text for each in answer.as_rows(View()))


def test_an_empty_answer_says_what_it_looked_at() -> None:
    answer = told(Conversation().run("make docs"))
    assert (answer.statements, answer.looked, answer.does) == ((), 0, ("runs make docs",))
    shown = "\n".join(each.text for each in answer.as_rows(View()))
    assert "no statement is about it: looked at 0 statements of the user before it; it runs make docs" in shown


def test_before_the_first_step() -> None:
    with pytest.raises(NotFound):
        told(Conversation().say("Be nice."), 0)


def test_the_demonstration_is_told_by_the_instruction_that_was_forgotten(tmp_path: Path) -> None:
    (tmp_path / "forgotten.jsonl").write_text(transcript())
    with Importing(str(tmp_path / "f.ccos"), None) as importing:
        importing.take(Story(Tail(str(tmp_path / "forgotten.jsonl"))))
    with open_record(str(tmp_path / "f.ccos")) as record:
        timeline = timeline_of_record(record)
        answer = autopsy(timeline, timeline.head)
    assert answer.drifted
    assert answer.verdict.startswith("At step 75 the agent changed schema/booking.json, and once more later")
    assert "step 2: “One rule: don't change anything below schema/”. That had left" in answer.verdict
    assert answer.verdict.endswith("The user said it again at step 84.")


def test_the_effect_of_a_call_is_the_call() -> None:
    story = Conversation().say("Don't touch migrations/.").edit("migrations/1.sql", "a", "b")
    assert told(story, 3).statements == told(story, 4).statements
    assert told(story, 4).at == 3
