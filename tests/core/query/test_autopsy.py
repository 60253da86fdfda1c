"""`autopsy` names the cause of sessions that went astray, and lets sound ones be."""

import click
import pytest

from ccos_core.present.rows import View
from ccos_core.query.autopsy import QUESTION, autopsy, case
from ccos_core.query.autopsy.answer import Autopsy, Suspect
from ccos_core.serve.printing import as_lines
from tests.core.query.asked import ask
from tests.core.query.autopsies import DRIFTS, LOOKED, RATES, SOUND, lines
from tests.core.query.tales import Told, told
from tests.core.replay.told import timeline_of
from tests.core.state.small import Tale

FIRST_FEW = 3


def session(story: str) -> Told:
    return told(lines(story))


def asked(story: str) -> Autopsy:
    return session(story).autopsy()


def suspect(answer: Autopsy, path: str) -> Suspect:
    return next(each for each in answer.suspects if each.node == f"file:{path}")


def words(answer: Autopsy, path: str) -> list[str]:
    return [each.words for each in suspect(answer, path).evidence]


@pytest.mark.parametrize("name", DRIFTS)
def test_a_cause_is_among_the_first_suspects(name: str) -> None:
    kind, cause, story = DRIFTS[name]
    answer = asked(story)
    assert answer.drifted
    assert f"file:{cause}" in [each.node for each in answer.suspects[:FIRST_FEW]]
    kinds = {each.kind for each in answer.suspects[:FIRST_FEW]}
    assert kind in kinds or suspect(answer, cause).kind == "untouched"


@pytest.mark.parametrize("name", SOUND)
def test_a_sound_session_is_told_so(name: str) -> None:
    answer = asked(SOUND[name])
    assert (answer.drifted, answer.step, answer.suspects, answer.failure) == (False, None, (), "")
    failing = [each.name for each in answer.failing]
    said = "not run again since a change" if failing and answer.failing[0].rerun_due else "fails now"
    assert answer.verdict == f"No drift found{f'; 1 failure {said}: {failing[0]}' if failing else ''}."


@pytest.mark.parametrize("name", [name for name, (kind, _, _) in DRIFTS.items() if kind in ("evicted", "stale")])
def test_what_was_dropped_or_changed_is_the_first_suspect(name: str) -> None:
    kind, cause, story = DRIFTS[name]
    first = asked(story).suspects[0]
    assert (first.node, first.kind) == (f"file:{cause}", kind)


# ---- where it went wrong ----


def step_of(story: str, before: str) -> int:
    """The step of the line a story goes on with after these words."""
    at = story.index(before)
    return session(story[: at + len(before)]).step


def test_a_dropped_cause_went_wrong_where_it_was_dropped() -> None:
    story = f"{LOOKED}|edit store/rates.py|T|compact exact|edit api/cart.py|T|edit api/cart.py|T"
    answer = asked(story)
    assert answer.step == step_of(story, "compact exact")
    assert answer.verdict == (
        f"At step {answer.step} store/rates.py left the agent's window; the agent edited api/cart.py instead."
    )


def test_a_stale_one_where_it_was_changed() -> None:
    story = f"{LOOKED}|foreign store/rates.py|T|edit api/cart.py|T"
    assert asked(story).step == step_of(story, "foreign store/rates.py")


def test_one_left_alone_where_the_work_went_past_it() -> None:
    story = f"{LOOKED}|edit store/rates.py|T|see api/cart_rates.py|edit api/cart_rates.py|T|edit api/cart_rates.py|T"
    assert asked(story).step == step_of(story, "edit api/cart_rates.py")


def test_a_loop_where_the_same_began_again() -> None:
    story = DRIFTS["to and fro"][2]
    assert asked(story).step == step_of(story, "back api/cart.py")


def test_before_it_went_wrong_there_was_no_drift() -> None:
    story = f"{LOOKED}|edit store/rates.py|T|compact|edit api/cart.py"
    later = session(f"{story}|T|edit api/cart.py|T|edit store/rates.py|pass tests/test_cart.py")
    timeline = later.timeline()
    assert autopsy(timeline, timeline.head).drifted
    sound = [autopsy(timeline, step).drifted for step in range(session(story).step)]
    assert sound == [False] * len(sound)


def test_a_recorded_loop_comes_first_and_the_cause_behind_it() -> None:
    answer = asked(DRIFTS["to and fro in a decoy"][2])
    assert "it changed shop/totals_view.py 4 times" in answer.verdict
    assert suspect(answer, "shop/totals_view.py").kind == "loop"
    assert [each.certainty for each in answer.suspects[:2]] == ["certain", "possible"]
    assert "file:shop/totals.py" in [each.node for each in answer.suspects[1:FIRST_FEW]]


# ---- put back, and nothing failed ----


def test_what_is_recorded_is_certain_and_what_a_command_says_is_likely() -> None:
    texts, copies = (asked(DRIFTS[f"{name}, and nothing failed"][2]) for name in ("put back", "put back from a copy"))
    assert [each.suspects[0].certainty for each in (texts, copies)] == ["certain", "likely"]
    put_back = "store/rates.py was put back to an earlier state 3 times, and no failure explains it."
    assert texts.verdict == f"From step {texts.step} on {put_back}"
    steps = [each.step for each in suspect(texts, RATES).evidence]
    assert words(texts, RATES) == [f"the same text again as at step {step - 3}" for step in steps]
    assert words(copies, RATES) == ["put back by a command"] * 3
    assert "inferred from the commands" in suspect(copies, RATES).why
    assert texts.failure == ""


def test_the_first_time_is_where_it_went_wrong() -> None:
    story = DRIFTS["put back, and nothing failed"][2]
    assert asked(story).step == step_of(story, "back store/rates.py")


def test_a_failure_comes_before_a_circle() -> None:
    circle = "|".join(["edit docs_tool.py", "back docs_tool.py"] * 3)
    answer = asked(f"{DRIFTS['dropped, one try'][2]}|{circle}")
    assert answer.suspects[0].kind == "evicted"
    assert answer.verdict.endswith("docs_tool.py instead.")


# ---- how sure ----


def test_what_ended_the_failure_is_certain() -> None:
    answer = asked(DRIFTS["dropped, and mended in the end"][2])
    assert (answer.suspects[0].node, answer.suspects[0].certainty) == (f"file:{RATES}", "certain")


def test_a_fall_nobody_explains_is_no_more_than_possible() -> None:
    story = "usage 50000|see api/cart.py|see store/rates.py|usage 70000|T|usage 9000|edit api/cart.py|T"
    first = asked(story).suspects[0]
    assert (first.node, first.certainty) == (f"file:{RATES}", "possible")
    assert "may have left the agent's window" in first.why


@pytest.mark.parametrize(
    ("cut", "certainty"), [("compact exact", "certain"), ("compact", "likely"), ("clear", "certain")]
)
def test_reading_again_is_certain_where_the_host_says_what_it_kept(cut: str, certainty: str) -> None:
    answer = asked(f"{LOOKED}|{cut}|see store/rates.py|see shop/prices.py|see api/cart.py")
    assert [(each.kind, each.certainty) for each in answer.suspects] == [("reread", certainty)] * 3


@pytest.mark.parametrize("story", [
    f"{LOOKED}|compact|see store/rates.py|see shop/prices.py",
    f"{LOOKED}|compact|see store/rates.py|see shop/prices.py|see api/cart.py|see shop/stock.py|see store/shelf.py"
    "|see docs_tool.py|see shop/totals_view.py",
    f"{LOOKED}|compact|see store/rates.py 4-5|see shop/prices.py 1-1|see README.md",
    "see store/rates.py 1-2|see shop/prices.py 1-2|see api/cart.py 1-2|compact|see store/rates.py 4-5"
    "|see shop/prices.py 4-6|see api/cart.py 4-6",
])  # fmt: skip
def test_looking_something_up_again_is_no_drift(story: str) -> None:
    assert not asked(story).drifted


def test_what_a_failure_needed_is_a_drift_sooner() -> None:
    story = f"{LOOKED}|T|compact|see store/rates.py|see shop/prices.py"
    assert [each.node for each in asked(story).suspects] == ["file:shop/prices.py", f"file:{RATES}"]
    assert asked(f"{LOOKED}|T|compact|T|see store/rates.py").drifted
    assert not asked(f"{LOOKED}|T|compact|see store/rates.py|T").drifted


def test_what_the_failure_depends_on_is_needed_more_than_what_was_read_again_first() -> None:
    others = "see docs_tool.py|see shop/totals_view.py|see tests/test_stock.py"
    answer = asked(f"{others}|see store/rates.py|T|compact|{others}|see store/rates.py")
    assert [each.node for each in answer.suspects][:2] == [f"file:{RATES}", "file:docs_tool.py"]
    assert answer.suspects[-1].node == "file:tests/test_stock.py"
    assert answer.suspects[0].score > answer.suspects[1].score
    calm = asked(f"{others}|see store/rates.py|compact|{others}|see store/rates.py")
    assert [each.node for each in calm.suspects][:2] == ["file:docs_tool.py", "file:shop/totals_view.py"]


def test_what_had_to_be_read_again_is_more_suspicious_than_what_nobody_asked_for() -> None:
    """The agent lost it, and looked it up before it tried anything."""
    story = "see store/rates.py|T{}|see store/rates.py|edit api/cart.py|T|edit api/cart.py|T|edit api/cart.py|T"
    lost, kept = (asked(story.format(cut)) for cut in ("|compact", ""))
    assert suspect(lost, RATES).score > suspect(lost, "shop/totals.py").score
    assert suspect(kept, RATES).score < suspect(kept, "shop/totals.py").score


def test_standing_still_is_told_from_the_second_run_on() -> None:
    story = DRIFTS["run again and again"][2]
    answer = asked(story)
    assert answer.step == step_of(story, "|T|T")
    assert answer.verdict == (
        f"From step {answer.step} on the agent repeated a failing run 4 times without changing anything."
    )
    first = answer.suspects[0]
    assert (first.node, first.kind, first.certainty) == (f"file:{RATES}", "loop", "likely")
    assert words(answer, RATES).count("run again, nothing changed") == 3
    assert answer.looked.retried == 1


def test_what_is_run_says_what_a_change_was_meant_for() -> None:
    """To go on with the stock while the cart fails is fine, as long as it isn't the cart that is run each time."""
    story = DRIFTS["gone on with, and just this is run"][2]
    assert asked(story).drifted
    assert not asked(story.replace("|R", "|T")).drifted


def test_a_part_that_was_never_shown_was_not_known() -> None:
    """The agent saw the head of a file; what it needed stands below, and left nobody's window."""
    story = "see api/cart.py|{}|T|compact|edit api/cart.py|T"
    assert suspect(asked(story.format("see store/rates.py 4-5")), RATES).kind == "evicted"
    partly = asked(
        "see api/cart.py|see store/rates.py 1-1|see shop/prices.py|T|compact|see store/rates.py 1-1|edit api/cart.py|T"
    )
    assert suspect(partly, RATES).kind == "untouched"
    assert suspect(partly, "shop/prices.py").kind == "evicted"


def test_what_the_agent_deleted_itself_is_not_stale() -> None:
    story = f"{LOOKED}|rm store/rates.py|T|edit api/cart.py|T|edit api/cart.py|T"
    assert "stale" not in {each.kind for each in asked(story).suspects}
    by_user = asked(story.replace("rm store", "by user: rm store"))
    assert suspect(by_user, RATES).kind == "stale"


# ---- why ----


def test_each_step_says_what_happened_there() -> None:
    answer = asked(f"{LOOKED}|edit store/rates.py|T|compact|edit api/cart.py|T|see store/rates.py|edit store/rates.py"
                   "|pass tests/test_cart.py")  # fmt: skip
    assert words(answer, RATES) == [
        "changed before the first failing run; edited by the agent",
        "first failing run",
        "dropped from the agent's window",
        "edited api/cart.py instead",
        "still fails",
        "read again",
        "changed",
        "passes",
    ]
    assert [each.op.kind for each in suspect(answer, RATES).evidence] == [
        "edit", "failed", "compaction", "edit", "failed", "read", "edit", "passed",
    ]  # fmt: skip


def test_it_says_where_in_a_file_to_look_and_how_the_failure_gets_there() -> None:
    cause = asked(DRIFTS["dropped before it failed"][2]).suspects[0]
    assert cause.symbols == ("sym:store/rates.py#rates",)
    assert cause.path == ("api/cart.py", "shop/totals.py", "shop/prices.py", "store/rates.py")


def test_what_was_changed_since_it_passed_is_known_to_have_broken_it() -> None:
    begins = f"{LOOKED}|edit shop/prices.py|run tests/test_cart.py passes|edit store/rates.py|R|compact"
    story = f"{begins}|edit api/cart.py|R|edit api/cart.py|R".replace("|R", "|run tests/test_cart.py fails")
    first, second = asked(story).suspects[:2]
    assert (first.node, second.node) == (f"file:{RATES}", "file:shop/totals.py")
    assert "before the first failing run." in first.why
    assert "was changed at step" not in suspect(asked(story), "shop/prices.py").why
    unknown = asked(story.replace("run tests/test_cart.py passes|", ""))
    assert "before the first failing run, as far as is recorded." in suspect(unknown, "shop/prices.py").why


def test_a_hub_is_less_suspicious_than_what_few_use() -> None:
    answer = asked("see api/cart.py|see store/money.py|see shop/prices.py|T|compact|edit api/cart.py|T")
    assert [each.node for each in answer.suspects[:2]] == ["file:shop/prices.py", "file:store/money.py"]


def test_what_was_changed_in_vain_comes_after_what_was_not() -> None:
    answer = asked(f"{LOOKED}|T|compact|edit shop/totals.py|T|edit shop/totals.py|T|edit shop/totals.py|T")
    nodes = [each.node for each in answer.suspects]
    assert nodes.index(f"file:{RATES}") < nodes.index("file:shop/totals.py")


def test_a_kept_result_is_not_lost() -> None:
    answer = asked(f"{LOOKED}|T|compact keeping store/rates.py|edit api/cart.py|T")
    assert suspect(answer, "shop/prices.py").kind == "evicted"
    assert RATES not in [each.node.removeprefix("file:") for each in answer.suspects if each.kind == "evicted"]


def test_a_subagent_that_knows_does_not_help_the_one_at_work() -> None:
    answer = asked(f"{LOOKED}|T|compact|by sub: see store/rates.py|edit api/cart.py|T")
    assert suspect(answer, RATES).kind == "evicted"


def test_a_rename_parts_no_history() -> None:
    answer = asked(f"{LOOKED}|edit store/rates.py|T|compact|move store/rates.py store/tariffs.py|edit api/cart.py|T")
    assert answer.suspects[0].node == "file:store/tariffs.py"
    assert answer.suspects[0].kind == "evicted"


def test_seeing_more_of_a_file_does_not_make_it_stale() -> None:
    teller = Told({"a.py": "def a():\n    return 1\n"})
    teller.texts["late.py"] = "from a import a\n\n\ndef late():\n    return a()\n\n\ndef more():\n    return 2\n"
    teller.texts["test_late.py"] = "from late import late\n\n\ndef test_late():\n    assert late() == 2\n"
    teller.tell("""
        see test_late.py
        see late.py 1-5
        fail test_late.py at late.py
        by sub: see late.py
        edit test_late.py
        fail test_late.py at late.py
        edit test_late.py
        fail test_late.py at late.py
    """)
    assert "stale" not in [each.kind for each in teller.autopsy().suspects]


TREES = {
    "ts": {
        "src/cart.ts": "import { prices } from './prices';\n\nexport function cart(n) {\n  return prices(n);\n}\n",
        "src/prices.ts": "import { rates } from './rates';\n\nexport function prices(n) {\n  return rates(n);\n}\n",
        "src/rates.ts": "export function rates(n: number) {\n  return n * 2;\n}\n",
        "src/rates_view.ts": "export function view(n: number) {\n  return n;\n}\n",
    },
    "go": {
        "go.mod": "module shop\n\ngo 1.22\n",
        "cart.go": 'package shop\n\nimport "shop/prices"\n\nfunc Cart(n int) int {\n\treturn prices.Prices(n)\n}\n',
        "prices/prices.go": 'package prices\n\nimport "shop/rates"\n\nfunc Prices() int {\n\treturn rates.Rates(2) }\n',
        "rates/rates.go": "package rates\n\nfunc Rates(n int) int {\n\treturn n * 2\n}\n",
        "view/rates_view.go": "package view\n\nfunc View(n int) int {\n\treturn n\n}\n",
    },
    "rs": {
        "Cargo.toml": '[package]\nname = "shop"\n',
        "src/lib.rs": "pub mod cart;\npub mod prices;\npub mod rates;\npub mod view;\n",
        "src/cart.rs": "use crate::prices::prices;\n\npub fn cart(n: i32) -> i32 {\n    prices(n)\n}\n",
        "src/prices.rs": "use crate::rates::rates;\n\npub fn prices(n: i32) -> i32 {\n    rates(n)\n}\n",
        "src/rates.rs": "pub fn rates(n: i32) -> i32 {\n    n * 2\n}\n",
        "src/view.rs": "pub fn view(n: i32) -> i32 {\n    n\n}\n",
    },
}  # fmt: skip


@pytest.mark.parametrize(("tree", "cart", "rates", "decoy"), [
    ("ts", "src/cart.ts", "src/rates.ts", "src/rates_view.ts"),
    ("go", "cart.go", "rates/rates.go", "view/rates_view.go"),
    ("rs", "src/cart.rs", "src/rates.rs", "src/view.rs"),
])  # fmt: skip
def test_it_knows_every_language_the_graph_knows(tree: str, cart: str, rates: str, decoy: str) -> None:
    teller = Told(TREES[tree]).tell(f"""
        see {cart}
        see {rates}
        see {decoy}
        fail {cart} at {cart}
        compact
        see {decoy}
        edit {decoy}
        fail {cart} at {cart}
        edit {decoy}
        fail {cart} at {cart}
    """)
    first = teller.autopsy().suspects[0]
    assert (first.node, first.kind, first.path[0], first.path[-1]) == (f"file:{rates}", "evicted", cart, rates)


# ---- the answer ----


def test_more_suspects_are_told_when_asked_for() -> None:
    teller = session(DRIFTS["dropped before it failed"][2])
    few, many = teller.autopsy(suspects=2), teller.autopsy(suspects=50)
    assert few.suspects == many.suspects[:2]
    assert few.further == len(many.suspects) - 2
    assert many.further == 0


def test_what_was_looked_at_is_counted() -> None:
    looked = asked(SOUND["one failure waits for the other"]).looked
    assert (looked.failures, looked.edits, looked.reads, looked.losses) == (2, 3, 6, 0)


def test_it_says_when_nothing_is_known_of_the_work() -> None:
    assert asked("T|T|prompt").verdict == ("No drift found, but nothing is recorded of what the agent read or changed.")


def test_a_session_of_words_alone_is_told_so() -> None:
    tale = Tale()
    tale.tell({"kind": "turn", "said": tale.facts.keep("It works now."), "host": "story", "session": "s"})
    timeline = timeline_of(tale)
    assert autopsy(timeline, timeline.head).verdict == (
        "No drift found, but nothing is recorded of what the agent read or changed."
    )


def test_an_empty_record() -> None:
    teller = Told({})
    timeline = timeline_of(teller.tale)
    assert not autopsy(timeline, 0).drifted
    assert not autopsy(timeline, timeline.head).drifted


def test_it_fits_on_a_screen_and_can_be_read_aloud() -> None:
    for _, _, story in DRIFTS.values():
        answer = asked(story)
        assert len(as_lines(answer, 100)) <= 24
        aloud = as_lines(answer, None, aloud=True)
        assert all(any(each.node.removeprefix("file:") in line for line in aloud) for each in answer.suspects)


def test_the_example_is_a_line_that_asks_it() -> None:
    assert QUESTION.example.split()[0] == "autopsy"
    assert QUESTION.ask is autopsy


@pytest.mark.parametrize("name", [name for name, (kind, _, _) in DRIFTS.items() if kind in ("evicted", "reread")])
def test_it_is_told_whether_our_own_window_held_what_theirs_had_lost(name: str) -> None:
    told_session = session(DRIFTS[name][2])
    answer, timeline = told_session.autopsy(), told_session.timeline()
    missed = [each for each in answer.suspects if each.ours is not None]
    assert missed, "what was dropped was missed"
    for each in missed:
        assert each.ours is not None
        watched = ask(timeline, "watch", timeline.head, node=each.node, budget=each.ours.budget)
        step = each.ours.step
        assert [run.state for run in watched.suggested.runs if run.first <= step <= run.last] == [each.ours.state]
    if answer.suspects[0].ours is not None:
        assert "The suggested window of 2,048 tokens" in " ".join(" ".join(as_lines(answer, None)).split())


def test_a_script_made_to_look_into_it_is_no_suspect() -> None:
    answer = asked(
        f"{LOOKED}|edit store/rates.py|T|write cart_fix.py|edit api/cart.py|T|write cart_try.py"
        "|edit api/cart.py|T|edit api/cart.py|T|write cart_look.py|edit store/rates.py|P"
    )
    assert answer.suspects[0].node == "file:store/rates.py"
    assert not {"file:cart_fix.py", "file:cart_try.py", "file:cart_look.py"} & {each.node for each in answer.suspects}
    assert "cart_fix" not in answer.verdict


def test_a_context_that_runs_it_again_and_again_stands_still_whoever_else_does() -> None:
    other = "by reviewer: fail tests/test_cart.py at api/cart.py"
    assert not asked(f"{LOOKED}|T|T|{other}|{other}").drifted
    assert asked(f"{LOOKED}|T|T|{other}|{other}|T|T").suspects[0].kind == "loop"


# ---- what isn't over, what isn't known, what was asked for ----


def test_what_still_fails_is_named_where_no_drift_is_found() -> None:
    answer = asked("prompt|see api/cart.py|T|fail tests/test_stock.py")
    assert not answer.drifted
    names = ["tests/test_stock.py::test_stock", "tests/test_cart.py::test_cart"]
    assert [each.name for each in answer.failing] == names
    assert answer.verdict == f"No drift found; 2 failures fail now: {', '.join(names)}."
    said = list(map(click.unstyle, as_lines(answer, None)))
    assert [line.split()[0] for line in said if "✗" in line] == [str(each.step) for each in answer.failing]
    assert answer.looked.failing == 2


def test_what_fails_now_comes_before_what_was_not_run_again() -> None:
    answer = asked("prompt|see api/cart.py|T|fail tests/test_stock.py|edit api/cart.py|fail tests/test_stock.py")
    now, due = "tests/test_stock.py::test_stock", "tests/test_cart.py::test_cart"
    assert not answer.drifted
    assert [(each.name, each.rerun_due) for each in answer.failing] == [(now, False), (due, True)]
    assert answer.verdict == (
        f"No drift found; 1 failure fails now: {now}; 1 failure not run again since a change: {due}."
    )
    said = list(map(click.unstyle, as_lines(answer, None)))
    listed = [line for line in said if line.split()[0].isdecimal()]
    assert [("✗" in line, line.split()[-1]) for line in listed] == [(True, now), (False, due)]


def test_failures_that_were_never_tried_again_are_only_counted(monkeypatch: pytest.MonkeyPatch) -> None:
    """What they depend on is worked out for those that are looked into: of thousands that takes seconds."""
    told = Told().tell("prompt")
    for count in range(20):
        for path in ("api/cart.py", "gone.py"):
            test = f"{path}::test_{count}"
            told.tale.tell({"kind": "failed", "runner": "pytest", "test": test, "sites": [[path, 5]]})
    monkeypatch.setattr(case, "Upstream", lambda *_: 1 / 0)
    looked = told.autopsy().looked
    assert (looked.failures, looked.unplaced, looked.examined) == (40, 20, 0)


def test_what_is_over_is_not_named() -> None:
    answer = asked("prompt|see api/cart.py|T|edit api/cart.py|P")
    assert (answer.verdict, answer.failing, answer.looked.failing) == ("No drift found.", (), 0)


@pytest.mark.parametrize("certain", ["to and fro", "dropped, and mended in the end"])
def test_certain_suspects_come_first(certain: str) -> None:
    answer = asked(f"{DRIFTS['dropped before it failed'][2]}|P|{DRIFTS[certain][2]}")
    certain = [each.certainty == "certain" for each in answer.suspects]
    assert certain == sorted(certain, reverse=True)
    assert answer.suspects[0].certainty == "certain"
    assert answer.suspects[0].node.removeprefix("file:") in answer.verdict


@pytest.mark.parametrize("words", ["Please revert that.", "Undo it", "put the old total back", "mach das rückgängig"])
def test_doing_what_the_user_asked_to_undo_is_no_drift(words: str) -> None:
    back = f"prompt {words}|back docs_tool.py"
    asked_for = f"{LOOKED}|see docs_tool.py" + f"|edit docs_tool.py|{back}" * 3
    assert asked(asked_for.replace(back, "back docs_tool.py")).drifted
    assert asked(asked_for.replace(words, "Go on.")).drifted
    assert not asked(asked_for).drifted


def test_a_loop_that_the_user_asked_for_is_none() -> None:
    loop = DRIFTS["to and fro"][2]
    assert asked(loop).suspects[0].kind == "loop"
    asked_for = asked(loop.replace("back api/cart.py", "prompt Revert your change.|back api/cart.py"))
    assert all(each.certainty != "certain" for each in asked_for.suspects)


def test_before_the_trouble_it_says_where_that_begins() -> None:
    timeline = session(DRIFTS["dropped before it failed"][2]).timeline()
    whole = autopsy(timeline, timeline.head)
    assert (whole.drifted, whole.later) == (True, 0)
    early = autopsy(timeline, 4)
    assert not early.drifted
    assert early.later == min(each.step for each in whole.findings if each.drift)
    title = early.as_rows(View(120))[0].text
    assert title.startswith("✓ Nothing had gone wrong by step 4;")
    assert f"step {early.later:,}" in title
