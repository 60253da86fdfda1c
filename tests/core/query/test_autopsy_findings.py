"""What the user says, what is refused, what fails in turn and how a session ends: each finder by small sessions."""

from __future__ import annotations

import gc
import json
from collections.abc import Iterable
from time import process_time
from types import SimpleNamespace
from typing import Any

import pytest

from ccos_core.errors import Erased
from ccos_core.query.autopsy import autopsy
from ccos_core.query.autopsy.answer import Autopsy, Finding
from ccos_core.query.autopsy.findings.phrases import asks_to_undo, claims_done, says_not_working, says_still, says_wrong
from ccos_core.query.autopsy.findings.prompts import remarks_in
from ccos_core.query.autopsy.troubles import names_of
from ccos_core.text.delivered import marked
from ccos_core.values.canon import canonical
from tests.core.query.tales import FAILED, PASSED, Told

REFUSED = "The user doesn't want to proceed with this tool use. The tool use was rejected."
UNREAD = "<tool_use_error>File has not been read yet. Read it first before writing to it.</tool_use_error>"
TEST = "tests/test_cart.py"
RED = FAILED.format(test=TEST, name="test_cart", line=5)
GREEN = PASSED.format(test=TEST)
STILL = "it still fails"
REJECTED = "To github.com:ann/shop.git\n ! [rejected] main -> main (fetch first)\nerror: failed to push some refs\n"


class Session(Told):
    """A session that is told call by call."""

    def said(self, words: str, **more: Any) -> Session:
        self._as_agent()
        self._op(kind="prompt", source="user", said=self.tale.facts.keep(words), **more)
        return self

    def answered(self, words: str, **more: Any) -> Session:
        self._as_agent()
        self._op(kind="turn", said=self.tale.facts.keep(words), **more)
        return self

    def interrupted(self) -> Session:
        self._as_agent()
        note = self.tale.facts.keep("[Request interrupted by user]")
        self._op(kind="prompt", source="host", said=note, phase="interruption")
        return self

    def called(self, name: str, result: str = "", outcome: str = "ok", **arguments: Any) -> Session:
        self._as_agent()
        keep = self.tale.facts.keep
        given, got = keep(json.dumps(arguments)), keep(result)
        self._op(kind="tool", name=name, outcome=outcome, arguments=given, result=got, cwd=".")
        return self

    def ran(self, command: str, result: str = "", outcome: str = "ok") -> Session:
        return self.called("Bash", result, outcome, command=command)

    def ended(self, status: str) -> Session:
        self._as_agent()
        note = self.tale.facts.keep(f"session ended: {status}")
        self._op(kind="annotation", note=note, actor="host", phase="end")
        return self

    def then(self, story: str) -> Session:
        self.tell(story.replace("|", "\n"))
        return self

    def kinds(self) -> list[str]:
        return [each.kind for each in self.autopsy().findings]

    def _as_agent(self) -> None:
        self.who = {"host": "story", "session": "s-1"}


def begun() -> Session:
    """A session in which the agent was asked for something and changed a file."""
    return Session().said("add rates").then("see store/rates.py|edit store/rates.py")


def finding(answer: Autopsy, kind: str) -> Finding:
    return next(each for each in answer.findings if each.kind == kind)


# ---- the user reports that it doesn't work ----


def test_reports_with_changes_in_between_are_named_with_the_file() -> None:
    session = begun().answered("Fixed.").said("It still fails when I run it").then("edit store/rates.py")
    first = session.autopsy().looked.steps
    answer = session.said("no luck, the total doesn't show").autopsy()
    assert answer.drifted
    assert answer.findings[0].kind == "reported"
    assert "reported twice that it did not work" in answer.verdict
    assert "store/rates.py (once) was changed" in answer.verdict
    assert [each.words for each in answer.findings[0].evidence] == [
        "the agent takes it for done",
        "the user reports that it is still so",
        "the user reports that it does not work",
    ]
    assert answer.findings[0].last > first >= answer.findings[0].step


def test_a_single_still_after_a_change_is_named_and_a_first_report_is_not() -> None:
    assert begun().said("it still crashes").kinds() == ["reported"]
    assert begun().said("it crashes, and the build fails").kinds() == []
    assert Session().said("it still crashes").then("see store/rates.py|edit store/rates.py").kinds() == []


def test_a_failure_that_the_user_pastes_is_worth_knowing_if_no_run_reported_it() -> None:
    pasted = f"look at this:\n```\n{RED}\n```"
    answer = begun().said(pasted).autopsy()
    assert (answer.drifted, [each.kind for each in answer.findings]) == (False, ["pasted"])
    assert answer.verdict.startswith("No drift found. The user pasted a failure into the prompt at step")
    assert begun().ran(f"pytest {TEST}", RED, "error").said(pasted).then(f"run {TEST} passes").kinds() == []


@pytest.mark.parametrize("source", ["host", "agent", "unknown"])
def test_only_what_the_user_typed_is_what_the_user_said(source: str) -> None:
    words = "It still fails. That is wrong, I told you. Undo it."
    session = begun()
    for _ in range(3):
        session._as_agent()
        session._op(kind="prompt", source=source, said=session.tale.facts.keep(words))
        session.then("edit store/rates.py")
    assert session.kinds() == []


def test_text_in_a_result_or_a_file_is_never_what_the_user_said() -> None:
    words = f"It still fails. That is wrong, I told you. Undo it.\n{REFUSED}\n{UNREAD}"
    session = begun()
    for _ in range(5):
        session.called("Read", words, file_path="store/rates.py").called("WebFetch", words, "error", url="x")
        session.called("mcp__notes__bash", REFUSED, "error", command="git push").called("Read", REFUSED, "error")
        session.ran("cat notes.md", REFUSED, "error").called("mcp__notes__edit", UNREAD, "error").ran(
            "cat notes.md", words
        ).answered(words)
        session.then("edit store/rates.py")
    assert session.kinds() == []


def test_what_is_quoted_in_a_prompt_is_not_what_the_user_says() -> None:
    assert (
        remarks_in("see:\n```\nit still fails\n```\n> it still fails\n<ide>it still fails</ide>\nthanks")
        == "see:\nthanks"
    )
    assert remarks_in('~~~\nit still fails\n~~~\nRename the heading "Export does not work"') == "Rename the heading"
    assert (
        remarks_in("Traceback (most recent call last):\nValueError: it still fails\nwhat is this?") == "what is this?"
    )
    plan = "Write the importer.\n" + "Read each row and keep it.\n" * 60 + "It still fails.\n" + "Then stop.\n" * 60
    assert not says_still(remarks_in(plan))


def test_tags_without_an_end_take_linear_time() -> None:
    def took(times: int) -> float:
        gc.disable()  # a collection takes as long as all that other tests left behind
        begun = process_time()
        remarks_in("<a>" * times)
        remarks_in("<a <b " * times)
        took = process_time() - begun
        gc.enable()
        return took

    took(1_000)
    assert took(320_000) < 12 * max(took(80_000), 0.1)
    assert remarks_in("<a>x<b>y</a>z</b>w") == "z</b>w"


@pytest.mark.parametrize(
    "text",
    [
        "it still fails", "I'm still getting the error", "Still not working", "that still doesn't compile",
        "I've still got a shadow, no commit",
        "we get the same error", "tests are still failing", "the page keeps crashing",
        "es geht immer noch nicht", "ainda não funciona", "toujours le même problème", "sigue sin funcionar",
    ],
)  # fmt: skip
def test_still(text: str) -> None:
    assert says_still(text)


@pytest.mark.parametrize(
    "text",
    [
        "do we still have the old table?", "make sure it still shows the total", "I still want the blue one",
        "is it still there?", "still thinking about it", "check whether we still get an error", "stand still",
        "I'm still not sure about that", "we still have to update the docs", "what is still missing?",
        "if it still fails, stop",
    ],
)  # fmt: skip
def test_still_said_of_something_else(text: str) -> None:
    assert not says_still(text)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("The script didn't write the file", True), ("Nothing happens when I press it", True),
        ("Running it doesn't create the report", True), ("the board doesn't seem to be working", True),
        ("I'm getting this error:", True), ("you broke the build", True), ("when I click it, nothing happens", True),
        ("die Seite lädt, geht aber nicht", True),
        ("make sure it doesn't crash and does not show twice", False),
        ("add a test for a build that doesn't pass", False),
        ("why doesn't it show the total?", False), ("should it not work offline?", False),
        ("add a dark mode", False), ("I guess that still doesn't fix it, just pushes it out", False),
        ("we don't generate one without a path", False), ("what happens if it doesn't load?", False),
    ],
)  # fmt: skip
def test_not_working(text: str, expected: bool) -> None:
    assert says_not_working(text) is expected


# ---- the user corrects, refuses, undoes ----


def test_two_corrections_are_named_and_one_only_after_a_cut() -> None:
    wrong = "That's wrong, the file has 12 lines"
    once = Session().called("Read", "x").said(wrong)
    assert once.kinds() == []
    twice = once.answered("11 lines").said("it has 12. You miscounted.").autopsy()
    assert twice.verdict == f"The user corrected the agent twice, at steps {once.step - 2} and {once.step}."
    chosen = Session().called("Read", "x").said(wrong, channel="answer").said(wrong, channel="plan")
    assert chosen.kinds() == []
    cut = Session().called("Read", "x").then("compact").said("that is not correct, it was the other commit").autopsy()
    assert (cut.drifted, finding(cut, "corrected").certainty) == (False, "likely")


def test_an_agent_that_concedes_after_a_change_was_corrected() -> None:
    def told(answer: str, change: str) -> list[str]:
        session = Session().called("Read", "x")
        for words in ("why isn't the hook's name used for that?", "those tests are of little use, or?"):
            session = session.then(change).said(words).answered(answer)
        return session.kinds()

    assert "corrected" in told("You're absolutely right - that's a much better approach.", "edit store/rates.py")
    assert "corrected" not in told("You're right to ask. It is used.", "edit store/rates.py")
    assert "corrected" not in told("You're absolutely right.", "see store/rates.py")
    assert "corrected" not in told("It can't: you're right there.", "edit store/rates.py")


def test_refusals_in_a_row_are_named_and_those_of_one_message_count_once() -> None:
    session = Session().said("plan it")
    for _ in range(3):
        session.answered("a plan").called("ExitPlanMode", REFUSED, "error")
    answer = session.interrupted().autopsy()
    assert answer.findings[0].kind == "declined"
    assert "3 times in a row (ExitPlanMode" in answer.verdict
    assert answer.verdict.endswith("and then interrupted it.")
    together = Session().said("do it").answered("now")
    for _ in range(3):
        together.called("Edit", REFUSED, "error")
    assert together.answered("well").kinds() == []
    twice = Session().said("do it").answered("now").called("Edit", REFUSED, "error").answered("so")
    twice.called("Edit", REFUSED, "error")
    assert twice.answered("well").kinds() == []


def test_the_reason_of_a_refusal_is_evidence() -> None:
    session = Session().said("plan it")
    for _ in range(3):
        session.answered("a plan").called("ExitPlanMode", "refused", "error").said("simpler", channel="refusal")
    answer = session.answered("well").autopsy()
    assert [each.words for each in answer.findings[0].evidence] == [
        "the user refuses the call",
        "the user says why",
    ] * 3
    assert answer.looked.prompts == 4


def test_work_that_was_undone_on_request_is_worth_knowing_and_no_drift() -> None:
    answer = begun().said("nah, let's roll back").then("back store/rates.py").autopsy()
    assert (answer.drifted, [each.kind for each in answer.findings]) == (False, ["undone"])
    assert "had work undone. Before that store/rates.py (once) was changed." in answer.verdict
    assert begun().said("let's roll back").then("edit docs_tool.py").kinds() == []
    assert begun().said("does it support undo?").then("edit store/rates.py").kinds() == []


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("undo the last change", True), ("please revert that", True), ("nah let's roll back", True),
        ("let's go back", True), ("Let's go back to the version that reads a file", True),
        ("mach das rückgängig", True),
        ("add an undo button", False), ("the revert command is broken", False), ("I went back to the office", False),
        ("when I go back in the browser, the list is empty and everything has to be loaded anew", False),
    ],
)  # fmt: skip
def test_asking_to_undo(text: str, expected: bool) -> None:
    assert asks_to_undo(text) is expected


def test_claims_and_corrections() -> None:
    assert claims_done("I've fixed the import.")
    assert claims_done("Done! The script now writes the file.")
    assert not claims_done("Let me look at the import.")
    assert says_wrong("no, that's wrong")
    assert says_wrong("as I said, use the port")
    assert says_wrong("the line counts are still wrong")
    assert not says_wrong("no problem, go on")
    assert not says_wrong("warn me if the count is wrong")
    assert not says_wrong("add a check that the count is right")


# ---- calls ----


def test_an_edit_refused_after_a_cut_is_named() -> None:
    session = begun().then("compact")
    cut = session.step
    answer = session.called("Edit", UNREAD, "error", file_path="store/rates.py").autopsy()
    assert answer.verdict == (
        f"After the cut at step {cut} an edit was refused (step {cut + 1}, one step later): the agent no longer knew "
        "the file."
    )
    assert begun().called("Edit", UNREAD, "error").kinds() == []


def test_a_push_that_fails_again_and_again_is_named() -> None:
    session = begun()
    for attempt in range(4):
        session.ran("git push origin main", REJECTED, "error").ran(f"git pull --rebase {attempt}")
    answer = session.autopsy()
    assert answer.findings[0].kind == "thrash"
    assert "`git push` failed 4 times, one attempt after another." in answer.verdict


@pytest.mark.parametrize("command", ["pytest -q", "go test ./...", "grep -rn x src", "git log | grep x", "make check"])
def test_tests_and_searches_may_fail_many_times(command: str) -> None:
    session = begun()
    for _ in range(6):
        session.ran(command, "", "error").then("edit store/rates.py")
    assert "thrash" not in session.kinds()


# ---- the end ----


def test_a_submission_after_a_failing_run_is_named() -> None:
    session = begun().ran(f"pytest {TEST}", RED, "error")
    last_run = f"The last run failed (`pytest`, step {session.step}): {TEST}::test_cart."
    assert session.autopsy().verdict == f"No drift found. {last_run}"
    assert session.then("edit store/rates.py").autopsy().verdict.endswith("test_cart. 1 change was made after it.")
    session = begun().ran(f"pytest {TEST}", RED, "error")
    answer = session.called("submit").ended("submitted").autopsy()
    assert (answer.drifted, answer.findings[0].kind, answer.findings[0].certainty) == (True, "submitted", "certain")
    assert begun().ran(f"pytest {TEST}", RED, "error").ran(f"pytest {TEST}", GREEN).ended("submitted").kinds() == []


def test_a_push_after_a_failing_run_hands_it_in_too() -> None:
    assert begun().ran(f"pytest {TEST}", RED, "error").ran("git push").kinds() == ["submitted"]
    assert begun().ran("git push").ran(f"pytest {TEST}", RED, "error").kinds() == ["red"]


@pytest.mark.parametrize(
    ("status", "kind"),
    [("exit_cost", "limit"), ("LimitsExceeded", "limit"), ("exit_error", "error"), ("RateLimitError", "limit"),
     ("submitted", None), ("submitted (exit_cost)", None)],
)  # fmt: skip
def test_the_hosts_word_for_the_end(status: str, kind: str | None) -> None:
    assert begun().ended(status).kinds() == ([kind] if kind else [])


def test_an_error_of_the_models_service_ended_it() -> None:
    answer = begun().answered("", stop="error", detail="overloaded_error").autopsy()
    assert "the work was ended by an error of the model's service" in answer.verdict
    assert "(overloaded_error)" in answer.verdict
    assert begun().answered("", stop="error").said("go on").answered("well").kinds() == []


def test_a_request_that_was_interrupted_and_never_finished() -> None:
    assert begun().interrupted().kinds() == ["interrupted"]
    assert begun().interrupted().said("rather this").answered("well").kinds() == []


# ---- circles ----


def test_an_attempt_after_which_the_error_is_another_is_no_circle() -> None:
    """Six attempts on one file: the same error each time is a circle, another error each time is progress."""
    errors = ["KeyError: a", "TypeError: b", "ValueError: c", "OSError: d", "IndexError: e", "NameError: f"]

    def tried(messages: list[str]) -> list[str]:
        session = begun().then("see api/cart.py")
        for message in messages:
            session.ran(f"pytest {TEST}", RED.replace("assert 5 == 4", message), "error").then("edit api/cart.py")
        return [each.kind for each in session.autopsy().suspects]

    assert "loop" in tried(errors[:1] * 6)
    assert "loop" not in tried(errors)


def test_two_tests_of_which_one_fails_at_a_time_are_a_circle() -> None:
    """One line is changed to and fro between them; a test that fails anew or in another way each time is progress."""
    full = RED.replace("test_cart\n", "test_full\n").replace("test_cart ", "test_full ")
    empty = full.replace("test_full", "test_empty")

    def tried(edit: str, reds: list[str]) -> list[tuple[str, str]]:
        session = begun().then("see api/cart.py")
        for at, red in enumerate(reds):
            session.ran(f"pytest {TEST}", red, "error").then("edit api/cart.py" if at == 0 else edit)
        session.then("edit api/cart.py").then("edit store/rates.py").ran(f"pytest {TEST}", GREEN)
        return [(each.node, each.kind) for each in session.autopsy().suspects]

    circle = ("file:api/cart.py", "loop")
    assert circle in tried("back api/cart.py", [full, empty] * 3)
    ways = [red.replace("5 == 4", way) for way in ("KeyError", "TypeError", "OSError") for red in (full, empty)]
    assert circle not in tried("edit api/cart.py", ways)
    assert circle not in tried("edit api/cart.py", [full, empty])


def test_a_fix_that_passed_and_was_taken_back_is_named() -> None:
    fixed = f"see store/rates.py|fail {TEST} at api/cart.py|edit store/rates.py|pass {TEST}"
    session = Session().said("mend it").then(fixed)
    passed = session.step
    answer = session.then("see README.md|back store/rates.py").autopsy()
    assert answer.findings[0].kind == "thrown-away"
    assert answer.verdict == (
        f"At step {session.step} the agent took back its change of store/rates.py, after which {TEST}::test_cart had "
        f"passed at step {passed}."
    )
    asked_for = Session().said("mend it").then(fixed).said("undo that").then("back store/rates.py")
    assert asked_for.kinds() == ["undone"]


def test_a_fix_that_is_taken_back_for_a_while_is_a_check() -> None:
    checked = f"see store/rates.py|fail {TEST} at api/cart.py|edit store/rates.py|pass {TEST}|back store/rates.py"
    session = Session().said("mend it").then(f"{checked}|fail {TEST} at api/cart.py|back store/rates.py|pass {TEST}")
    assert "thrown-away" not in session.kinds()


def test_what_we_delivered_is_nothing_that_the_user_says() -> None:
    typed, ours = (begun().said(words).then("edit store/rates.py").said(words) for words in (STILL, marked(STILL)))
    assert "reported" in typed.kinds()
    assert "reported" not in ours.kinds()


def test_an_erased_prompt_is_nothing_and_the_others_are_read(monkeypatch: pytest.MonkeyPatch) -> None:
    session = begun().said("it still fails").then("edit store/rates.py").said("it still crashes")
    timeline = session.timeline()
    erased = timeline.op(timeline.head)["said"]["blob"]
    read, read_all = timeline.content, timeline.contents

    def content(blob: str) -> bytes:
        if blob == erased:
            raise Erased("erased")
        return read(blob)

    def contents(blobs: Iterable[str]) -> dict[str, bytes]:
        wanted = list(blobs)
        if erased in wanted:
            raise Erased("erased")
        return read_all(wanted)

    assert finding(autopsy(timeline, timeline.head), "reported").last == timeline.head
    monkeypatch.setattr(timeline, "content", content)
    monkeypatch.setattr(timeline, "contents", contents)
    answer = autopsy(timeline, timeline.head)
    assert finding(answer, "reported").last < timeline.head


# ---- thoughts ----


def test_thoughts_change_no_finding() -> None:
    """A host that gives its thoughts away makes a session longer, and not another one."""

    def kinds(thoughts: int) -> list[str]:
        session = begun()
        for turn in ("It still fails", "it still crashes", "let's roll back"):
            for _ in range(thoughts):
                session._as_agent()
                session._op(kind="thought", sealed=True)
            session.said(turn).then("edit store/rates.py|compact|see store/rates.py")
        return session.kinds()

    assert kinds(0) == kinds(120) != []


# ---- the order ----


def test_what_a_failure_proves_comes_before_what_the_user_says() -> None:
    session = begun().then("|".join(["see api/cart.py", "fail tests/test_cart.py at api/cart.py"]))
    session.then("clear|see api/cart.py|edit api/cart.py|fail tests/test_cart.py at api/cart.py")
    session.said("it still fails").then("edit store/rates.py|pass tests/test_cart.py")
    kinds = session.kinds()
    assert kinds[0] in ("evicted", "reread")
    assert "reported" in kinds


def test_findings_stand_by_weight_and_the_first_is_the_verdict() -> None:
    session = begun().said("it still fails").then("edit store/rates.py|compact")
    answer = session.called("Edit", UNREAD, "error").interrupted().autopsy()
    weights = [each.weight for each in answer.findings]
    assert weights == sorted(weights, reverse=True)
    assert (answer.verdict, answer.step) == (answer.findings[0].says, answer.findings[0].step)
    assert len(weights) == 3


def test_failures_are_named_as_people_name_them() -> None:
    keys = [["go", "sym:%2Fw%2Fa_test.go#TestA", ""], ["go", "TestB", ""], ["tsc", "", ""]]
    journal: Any = SimpleNamespace(name=lambda key: canonical(keys[key]).decode())
    deeds: Any = SimpleNamespace(journal=journal)
    assert names_of(deeds, range(3)) == ["/w/a_test.go#TestA", "TestB", "tsc"]
