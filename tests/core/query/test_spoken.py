"""Words as a node: what takes a node takes a phrase and a statement, and says when the agent's window had it."""

from __future__ import annotations

import json
import tracemalloc
import unicodedata
from contextlib import suppress
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ccos_core.errors import NotFound, Usage
from ccos_core.present.rows import View
from ccos_core.query import carried_texts
from ccos_core.query.arguments import Place, typed
from ccos_core.query.catalogue import BY_NAME
from ccos_core.query.saying.utterance import memo_id
from ccos_core.query.spoken import Spoken, node_meant
from ccos_core.query.words import assigned, line
from ccos_core.replay.journal import Journal
from ccos_core.replay.playing import play
from ccos_core.replay.residency.runs import STATES
from ccos_core.replay.scribe import Scribe
from ccos_core.replay.timeline import Timeline
from ccos_core.session.worlds import new_world
from ccos_core.text.retrieval.carried import Carrier, normalised_words
from ccos_core.text.retrieval.phrases import PhraseIndex
from tests.core.query.asked import ask
from tests.core.query.hosts import number_of as number_of_context
from tests.core.query.test_statements import MAIN, RULE, SUB, Story
from tests.core.replay.told import Rows, as_of, timeline_of, written
from tests.core.state.small import Tale
from tests.depth import examples_of

WORDED = ("present", "absent", "changed")
FILE = "# Rules\n\nAll answers must be JSON,\nnever XML.\n"


def told(timeline: Timeline, said: str) -> Any:
    """The answer to a line as somebody types it."""
    name, _, rest = said.partition(" ")
    question = BY_NAME[name].load()
    at, given = typed(question, assigned(question, name, line(rest)), Place(timeline, timeline.head))
    needed: dict[str, Any] = {"progress": lambda done, total: None, "marks": (), "user": None}
    return question.ask(timeline, at, **given, **{key: needed[key] for key in question.needs})


def shown(timeline: Timeline, said: str) -> str:
    return "\n".join(each.text for each in told(timeline, said).as_rows(View(200)))


def number_of(timeline: Timeline, context: str) -> int:
    return number_of_context(timeline, ("claude-code", "s", context))


def presence(timeline: Timeline, words: str, context: str = "") -> list[str]:
    number = number_of(timeline, context)
    return [
        STATES[state] for state in Spoken(timeline, node_meant(timeline, words, 1), number).states(0, 0, timeline.head)
    ]


def test_every_question_with_the_agents_window_takes_words() -> None:
    timeline = Story().say(RULE).compact("Nothing of it.").timeline
    for said in (f'watch "{RULE}"', f'missing "{RULE}"', f'last "{RULE}"', f'why "{RULE}"', f'show "{RULE}"'):
        assert told(timeline, said) is not None
    assert told(timeline, 'last "push to main"').step == 2
    assert told(timeline, 'watch "push to main"').agent.state == "out"
    assert told(timeline, f"missing {memo_id(normalised_words(RULE))}").agent.lost == 1


def test_a_question_about_code_says_that_it_takes_no_words() -> None:
    timeline = Story().say(RULE).timeline
    for name in ("blame", "cause"):
        with pytest.raises(Usage, match="looks at code"):
            told(timeline, f'{name} words:"push to main"')
        with pytest.raises(NotFound):
            told(timeline, f'{name} "push to main"')


def test_why_says_what_dropped_the_words_and_when_we_told_them_last() -> None:
    story = Story().say(RULE).compact("Nothing of it.")
    story.tell({"kind": "recall", "lens": "lost", "budget": 9, "computed_at": 1, "parameters": {}, "items": [],
                "window": "0" * 64, **MAIN}, RULE)  # fmt: skip
    story.say("go on").clear()
    said = shown(story.timeline, f'why "{RULE}"')
    assert "out since 6: delivery 4 was dropped then; last told by us at 4, dropped at 6" in said
    said = shown(story.timeline, f'why "{RULE}" @3')
    assert "out since 3: prompt 2 was dropped by that compaction, and its summary doesn't repeat it" in said


def test_words_in_quotes_are_words_and_a_file_of_that_name_comes_before_words_without() -> None:
    tale = Tale()
    tale.look("two words.py", "x = 1\n")
    timeline = timeline_of(tale)
    assert node_meant(timeline, "two words.py", timeline.head) == "file:two words.py"
    assert node_meant(timeline, '"two words.py"', timeline.head) == "words:two words.py"
    assert node_meant(timeline, "three  words", timeline.head) == "words:three words"
    for unknown in ("nothing", '"..."', "memo:0123456789abcdef"):
        with pytest.raises(NotFound):
            node_meant(timeline, unknown, timeline.head)


def test_find_asks_for_words_in_the_window_of_each_step() -> None:
    story = Story().say(RULE).task("Look around.").say("go on").compact("Nothing of it.").say("on")
    steps = {word: [each.step for each in told(story.timeline, f'find {word}("push to main")').rows] for word in WORDED}
    assert steps == {"present": [2, 4], "absent": [5, 6], "changed": [2, 5]}


def test_every_kind_of_text_carries_words() -> None:
    tale = Tale()
    keep = tale.facts.keep
    tale.tell({"kind": "turn", "said": keep("I will use tabs here."), **MAIN})
    tale.tell({"kind": "thought", "said": keep("They like tabs here."), **MAIN})
    given = keep(json.dumps({"text": "say\ntabs here", "more": "and there"}))
    tale.tell({"kind": "tool", "name": "Bash", "outcome": "ok", "call": "c", "arguments": given,
               "result": keep("     1→All must\n     2→be tabs here"), **MAIN})  # fmt: skip
    tale.tell({"kind": "seen", "path": "CLAUDE.md", "how": "read", "content": keep(FILE), "call": "a", **MAIN})
    tale.tell({"kind": "prompt", "source": "agent", "said": keep("Use tabs here."), **SUB})
    timeline = timeline_of(tale)
    spoken = Spoken(timeline, "words:tabs here", number_of(timeline, ""))
    assert [each.item for each in spoken.carrying] == ["text:2", "thought:3", "call:4", "result:4"]
    assert presence(timeline, "must be tabs here")[-1] == "in"
    assert presence(timeline, "here and there")[-1] == "unborn", "two arguments"
    (file,) = Spoken(timeline, "words:must be JSON never XML", number_of(timeline, "")).carrying
    assert (file.item, file.step) == ("file:CLAUDE.md", 5)
    assert presence(timeline, "use tabs here", "explore")[-1] == "in"
    assert presence(timeline, "use tabs here")[-1] == "in", "the agent's own words"
    assert presence(timeline, "must be JSON", "explore")[-1] == "unborn"


def test_a_file_that_changes_takes_no_words_out_of_the_window() -> None:
    tale = Tale()
    keep = tale.facts.keep
    tale.tell({"kind": "tool", "name": "Read", "outcome": "ok", "call": "c", "result": keep(FILE), **MAIN})
    tale.tell({"kind": "seen", "path": "CLAUDE.md", "how": "read", "content": keep(FILE), "call": "c", **MAIN})
    tale.tell({"kind": "seen", "path": "CLAUDE.md", "how": "ingest", "content": keep("Other.\n")})
    tale.tell({"kind": "compaction", "trigger": "auto", "exact": True, "kept": ["c"], **MAIN})
    tale.tell({"kind": "compaction", "trigger": "auto", "exact": True, "summary": keep("Nothing."), **MAIN})
    assert presence(timeline_of(tale), "must be JSON") == ["unborn", "unborn", "in", "in", "in", "in", "out"]


def test_words_that_others_took_the_place_of_are_stale_until_the_window_has_the_others() -> None:
    old, new = "All answers must be JSON.", "All answers must be YAML."
    story = Story().say(old).say("go on")
    story.tale.tell({"kind": "remembered", "memo": memo_id(normalised_words(new)), "class": "preference",
                     "words": story.tale.facts.keep(new)})  # fmt: skip
    story.tale.tell({"kind": "superseded", "actor": "user", "claim": memo_id(normalised_words(old)),
                     "by": memo_id(normalised_words(new))})  # fmt: skip
    story.say("still on").say(new)
    assert presence(story.timeline, old)[2:] == ["in", "in", "in", "stale", "stale", "in"]
    assert "superseded by other words" in shown(story.timeline, f'missing "{old}"')


@pytest.mark.parametrize("name", ["café über", "がぎ ラーメン"])
def test_composed_and_decomposed_letters_are_the_same_words(name: str) -> None:
    composed, apart = (unicodedata.normalize(form, f"Prüfe {name} zuerst!") for form in ("NFC", "NFD"))
    assert composed != apart
    for said, asked in ((composed, apart), (apart, composed)):
        assert presence(Story().say(said).timeline, asked)[-1] == "in"


# ---- laws ----

WORDS = st.lists(st.sampled_from(["the", "a", "fix", "test", "due", "x"]), min_size=1, max_size=12).map(" ".join)


@settings(max_examples=examples_of(200))
@given(st.lists(WORDS, min_size=1, max_size=6), WORDS)
def test_an_index_finds_what_comparing_each_text_finds(texts: list[str], said: str) -> None:
    index = PhraseIndex()
    for text in texts:
        index.add([text])
    words = tuple(normalised_words(said))
    states = [Carrier(text).compare(words).state for text in texts]
    assert index.whole(words).tolist() == [at for at, state in enumerate(states) if state == "whole"]
    if len(words) >= 6:
        assert index.partly(words).tolist() == [at for at, state in enumerate(states) if state == "part"]


def test_an_agents_replacement_stops_to_count_once_the_user_said_the_words() -> None:
    old, new = "All answers must be JSON.", "All answers must be YAML."
    story = Story().say("go on")
    story.tell({"kind": "turn", **MAIN}, old)
    ids = {"claim": memo_id(normalised_words(old)), "by": memo_id(normalised_words(new)), "actor": "agent"}
    story.tale.tell({"kind": "remembered", "memo": ids["by"], "class": "note", "words": story.tale.facts.keep(new)})
    story.tale.tell({"kind": "superseded", **ids})
    story.tale.tell({"kind": "annotation", "node": ids["claim"], "note": story.tale.facts.keep("why?")})
    story.say("carry on").say(old)
    assert presence(story.timeline, old)[3:] == ["in", "in", "stale", "stale", "stale", "in"]


def test_words_that_repeat_take_little_memory() -> None:
    index, names = PhraseIndex(), [f"n{number}" for number in range(3_000)]
    index.add(["0 " * 3_000 + " ".join(names)])
    tracemalloc.start()
    assert index.partly((*["0"] * 3_000, "1", *names)).tolist() == [0]
    _, most = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert most < 3_000 * 3_000


def tell_anything(story: Story, what: str, text: str) -> None:
    where = SUB if what.endswith("below") else MAIN
    if what.startswith("cut"):
        story.compact(text, **where)
    else:
        kind = {"kind": "turn"} if what.startswith("turn") else {"kind": "prompt", "source": "user"}
        story.tell({**kind, **where}, text)


DEEDS = st.lists(
    st.tuples(st.sampled_from(["say", "turn", "cut", "say below", "cut below"]), WORDS), min_size=1, max_size=8
)


@settings(max_examples=examples_of(100))
@given(DEEDS, WORDS, st.integers(1, 9))
def test_what_stands_at_a_step_depends_on_nothing_behind_it(deeds: list[tuple[str, str]], said: str, at: int) -> None:
    """Law 11 of the memory."""
    story = Story()
    for deed in deeds:
        tell_anything(story, *deed)
    at = min(at, len(story.tale.ops))
    for context in ("", "explore"):
        whole, part = story.timeline, timeline_of(as_of(story.tale, at))
        if any(op.get("context", "") == context and "host" in op for op in story.tale.ops[:at]):
            assert presence(whole, f'"{said}"', context)[: at + 1] == presence(part, f'"{said}"', context)


@settings(max_examples=examples_of(60))
@given(DEEDS, WORDS)
def test_asking_about_words_changes_nothing(deeds: list[tuple[str, str]], said: str) -> None:
    """Laws 3 and 5: no head moves, and no column of the journal, from which all windows of code come."""
    story = Story()
    for deed in deeds:
        tell_anything(story, *deed)
    timeline = story.timeline
    before, head = written(timeline), timeline.head
    for name in ("watch", "missing", "last", "why", "show"):
        with suppress(NotFound):
            told(timeline, f'{name} words:"{said}"')
    told(timeline, "statements")
    assert (written(timeline), timeline.head) == (before, head)


def test_what_comes_behind_is_added_to_what_was_read(monkeypatch: pytest.MonkeyPatch) -> None:
    """A timeline that grows says the same as one that is asked at its end, however many ops are read at once."""
    monkeypatch.setattr(carried_texts, "READ_BATCH", 2)
    story = Story()
    for number in range(5):
        story.say(f"Rule {number}. {RULE}")
    grown = growing_timeline(story)
    assert [each.item for each in Spoken(grown, f"words:{RULE}", number_of(grown, "")).carrying] == [
        f"prompt:{step}" for step in range(2, 7)
    ]


@pytest.mark.parametrize("author", ["user", "agent", "all"])
def test_statements_of_a_record_that_grew_are_those_of_one_asked_at_its_end(author: str) -> None:
    story = Story().say(RULE).say("Use tabs. Debug it.")
    for status in ("pending", "in_progress"):
        call = {"kind": "tool", "name": "TodoWrite", "outcome": "ok", **MAIN}
        given = json.dumps({"todos": [{"content": "Write the tests", "status": status}]})
        story.tale.tell({**call, "arguments": story.tale.facts.keep(given)})
    story.compact(f"They said: {RULE}").say("Use Go 1.24.").compact("none").say("Use tabs.")
    grown, whole = growing_timeline(story), story.timeline
    wanted = ask(whole, "statements", whole.head, limit=0, author=author)
    assert wanted.statements
    assert ask(grown, "statements", grown.head, limit=0, author=author) == wanted


def growing_timeline(story: Story) -> Timeline:
    """A timeline of which words were asked when it had half of its steps."""
    tale = story.tale
    rows, journal, world = Rows(tale.ops, tale.facts.contents), Journal(), new_world()
    scribe = Scribe(journal, world, tale.facts)
    for stop in (len(tale.ops) // 2, len(tale.ops)):
        play(world, rows.rows(world.step + 1, stop), tale.facts, scribe=scribe)
        timeline = Timeline(rows, journal, tale.facts, "tale", measured=rows.measures)
        assert Spoken(timeline, f"words:{RULE}", number_of(timeline, "")).carrying
        assert ask(timeline, "statements", timeline.head, author="all").statements
    return timeline


@pytest.mark.parametrize("question", ["watch", "missing"])
def test_a_title_names_the_item_and_the_statement(question: str) -> None:
    story = Story().say("Answer in JSON, always.").say("Go on.")
    first = f"prompt:{story.timeline.head - 1}"
    memo = memo_id(normalised_words("Answer in JSON, always."))
    for node in (first, memo):
        title = shown(story.timeline, f"{question} {node}").splitlines()[0]
        assert title.startswith(f"“Answer in JSON, always.”  {node}  ")


def test_words_have_a_provenance_and_an_impact() -> None:
    tale = Story().say(RULE).tale
    memo, other = memo_id(tuple(normalised_words(RULE))), memo_id(tuple(normalised_words("Ask before a push.")))
    tale.look("rates.py", "def rates():\n    return 1\n")
    tale.tell(
        {"kind": "supported", "claim": "claim:pushes need a word", "weight": 1_000, "way": "explicit", "by": [memo]}
    )
    tale.tell({"kind": "superseded", "claim": other, "by": memo, "how": "replace"})
    tale.tell({"kind": "contradicted", "claim": "claim:anybody pushes", "weight": 1_000, "way": "explicit",
               "by": ["claim:pushes need a word"]})  # fmt: skip
    timeline = timeline_of(tale)
    for said in (memo, f'"{RULE}"'):
        rests = told(timeline, f"impact {said}").rests
        assert [(each.node, each.how) for each in rests] == [
            ("claim:pushes need a word", "supported"),
            (other, "superseded"),
            ("claim:anybody pushes", "contradicted"),
        ]
        assert "through claim:pushes need a word" in shown(timeline, f"impact {said}")
        assert told(timeline, f"provenance {said}").places[0].step == 2
    named = told(timeline, 'impact "change `rates` in rates.py"').names
    assert named == ("file:rates.py", "sym:rates.py#rates")
    before = told(timeline, f"impact {memo} @3")
    assert before.rests == ()


def test_what_rests_on_itself_is_told_once_each() -> None:
    tale = Story().say(RULE).tale
    memo = memo_id(tuple(normalised_words(RULE)))
    for claim, by in (("claim:a", memo), ("claim:b", "claim:a"), ("claim:a", "claim:b")):
        tale.tell({"kind": "supported", "claim": claim, "weight": 1_000, "way": "explicit", "by": [by]})
    rests = told(timeline_of(tale), f"impact {memo}").rests
    assert [(each.node, each.by) for each in rests] == [
        ("claim:a", memo),
        ("claim:b", "claim:a"),
        ("claim:a", "claim:b"),
    ]


def test_two_windows_differ_by_what_the_user_said() -> None:
    story = Story().say(RULE).say("Use tabs.\n\nPrefer small files over large ones.").compact(f"Rules: {RULE}")
    answer = told(story.timeline, "diff 3 4 --lens host")
    assert [each.text for each in answer.agent.unsaid] == ["Prefer small files over large ones.", "Use tabs."][::-1]
    rows = shown(story.timeline, "diff 3 4 --lens host")
    assert "what you said that it lost (2)" in rows
    assert RULE not in rows.partition("what you said that it lost")[2].partition("✂")[0]
    assert told(story.timeline, "diff 4 3 --lens host --limit 1").agent.more["unsaid"] == 1


@pytest.mark.parametrize("said", [f'"{RULE}"', memo_id(tuple(normalised_words(RULE)))])
def test_energy_says_that_it_takes_steps(said: str) -> None:
    with pytest.raises(Usage, match="takes two steps, not words"):
        told(Story().say(RULE).timeline, f"energy {said}")
