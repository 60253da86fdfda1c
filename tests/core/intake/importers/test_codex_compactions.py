"""What is left of a context after a compaction is what the history says that took its place, and nothing else."""

import json
from typing import Any

from hypothesis import given
from hypothesis import strategies as st

from tests.core.intake.importers.codex_fixtures import CWD, Rollout, add, folded, held, message, read, texts_in
from tests.core.intake.importers.foreign import of_kind

SUMMARY = "Another model began; this is its summary:\nDue dates were looked at."


PATCH = add("dates.py", "DAYS = 30\n")
LOGS, PATCHES = '{"command":"git log","workdir":"."}', json.dumps(PATCH)
"""Arguments of calls as they are told: as JSON."""


def begun() -> Rollout:
    """Two prompts, a command, and a patch that makes a file."""
    told = Rollout().turn().user("Be brief.", role="developer").user("Why?").agent("I look.")
    told.ran("c1", "git log", "one commit\n").patched("p1", PATCH)
    return told.user("Go on.").agent("Done.")


def shell_output(printed: str) -> str:
    return f"Exit code: 0\nWall time: 0.1 seconds\nOutput:\n{printed}"


def after(told: Rollout) -> tuple[list[str], list[str]]:
    """(texts, files) in the context at the end."""
    tale = folded(read(told.records))
    window = held(tale)
    return texts_in(tale, window), sorted(window.images)


def test_user_messages_and_a_summary() -> None:
    told = begun().compacted("Due dates were looked at.", [message("user", "Why?"), message("user", SUMMARY)])
    assert after(told) == (["Why?", SUMMARY], [])
    (compaction,) = of_kind(read(told.records), "compaction")
    assert compaction["exact"]
    assert compaction["kept"] == [of_kind(read(told.records), "prompt")[1]["call"]]
    assert compaction["summary"] == SUMMARY


def test_calls_survive_with_what_they_delivered() -> None:
    patch_output = next(
        line["payload"]["output"]
        for line in begun().lines
        if line["payload"].get("call_id") == "p1"
        if "output" in line["payload"]
    )
    history: list[Any] = [
        {"type": "function_call", "call_id": "c1", "name": "shell_command", "arguments": "{}"},
        {"type": "function_call_output", "call_id": "c1", "output": shell_output("one commit\n")},
        {"type": "custom_tool_call", "call_id": "p1", "name": "apply_patch", "input": "..."},
        {"type": "custom_tool_call_output", "call_id": "p1", "output": patch_output},
        message("assistant", "Done."),
    ]
    command = [LOGS, shell_output("one commit\n")]
    assert after(begun().compacted("", history)) == ([*command, PATCHES, "Done."], [f"{CWD}/dates.py"])
    assert after(begun().compacted("", history[:2])) == (command, [])
    assert after(begun().compacted("", history[2:])) == ([PATCHES, "Done."], [f"{CWD}/dates.py"])


def test_an_output_that_was_shortened_is_something_new() -> None:
    history = [{"type": "function_call_output", "call_id": "c1", "output": "one..."}]
    told = begun().compacted("", history)
    assert after(told) == (["one..."], [])
    assert [each["source"] for each in of_kind(read(told.records), "prompt")][-1] == "host"


def test_the_call_of_a_shortened_output_stays() -> None:
    """Its arguments are in the window still; what it delivered is only what stands there now."""
    history: list[Any] = [
        message("user", "Why?"),
        {"type": "function_call", "call_id": "c1", "name": "shell_command", "arguments": "{}"},
        {"type": "function_call_output", "call_id": "c1", "output": "one..."},
        message("user", SUMMARY),
    ]
    told = begun().compacted("Due dates were looked at.", history)
    assert after(told) == (["Why?", LOGS, SUMMARY, "one..."], [])
    told.user("More.").compacted("", [*history[1:3], message("user", "More.")])
    assert after(told) == ([LOGS, "one...", "More."], [])
    assert after(told.compacted("", history[2:3]))[0] == ["one..."]


def test_of_a_whole_and_a_shortened_output_only_the_one_in_the_history_stays() -> None:
    """Two outputs of one call in one history: Codex doesn't write this, but nothing keeps a foreign rollout from it."""
    call = {"type": "function_call", "call_id": "c1", "name": "shell_command", "arguments": "{}"}
    whole, short = (
        {"type": "function_call_output", "call_id": "c1", "output": said}
        for said in (shell_output("one commit\n"), "cut")
    )
    told = begun().compacted("", [call, short, call, whole, call, call])
    assert after(told) == ([LOGS, whole["output"], "cut"], [])
    assert after(told.compacted("", [call, short])) == ([LOGS, "cut"], [])
    assert after(told.compacted("", [call, short])) == ([LOGS, "cut"], [])
    other = begun().compacted("", [call, short, whole]).compacted("", [call, whole])
    assert after(other) == ([LOGS, whole["output"]], [])


def test_thoughts_survive_where_the_history_has_them() -> None:
    known, sealed, new = (
        {"type": "reasoning", "summary": [{"type": "summary_text", "text": words}] if words else [], **more}
        for words, more in (("It is the clock.", {}), ("", {"encrypted_content": "gAAA"}), ("New.", {}))
    )
    told = begun().line("response_item", known).line("response_item", sealed)
    items = folded(read(told.records))
    assert "It is the clock." in texts_in(items, held(items))
    told.compacted("", [message("user", "Why?"), known, sealed, new])
    assert after(told)[0] == ["Why?", "It is the clock.", "New."]
    thoughts = of_kind(read(told.records), "thought")
    (compaction,) = of_kind(read(told.records), "compaction")
    assert [each["call"] for each in thoughts[:2]] == compaction["kept"][1:]
    assert after(told.compacted("", [message("user", "Why?")]))[0] == ["Why?"]


def test_new_context_and_messages_that_stand_there_twice() -> None:
    history = [message("developer", "Be briefer."), message("user", "Why?"), message("user", "Why?")]
    assert after(begun().compacted("", history))[0] == ["Why?", "Be briefer.", "Why?"]


def test_a_summary_nobody_can_read_and_one_that_is_not_there() -> None:
    history = [message("user", "Why?"), {"type": "compaction", "encrypted_content": "gAAA"}]
    assert after(begun().compacted("", history)) == (["Why?"], [])
    assert after(begun().compacted("Something.", history)) == (["Why?"], [])
    assert after(begun().compacted("Something.", [])) == ([], [])


def test_what_another_agent_said_and_items_with_something_around_them() -> None:
    found = {"type": "agent_message", "author": "/a", "content": [{"type": "input_text", "text": "Found."}]}
    told = begun().line("response_item", found).user("More.")
    told.compacted("", [{"item": found, "metadata": {}}, message("user", "More.")])
    assert after(told)[0] == ["Found.", "More."]
    assert len(of_kind(read(told.records), "compaction")[0]["kept"]) == 2


def test_a_compaction_after_another() -> None:
    told = begun().compacted("First.", [message("user", "Why?"), message("user", "First.")]).user("More.")
    told.compacted("Second.", [message("user", "First."), message("user", "More."), message("user", "Second.")])
    assert after(told)[0] == ["First.", "More.", "Second."]
    told.compacted("Third.", [message("user", "Why?"), message("user", "Third.")])
    assert after(told)[0] == ["Third.", "Why?"]


def test_without_a_history_nobody_knows_what_is_left() -> None:
    told = begun().counted(5_000, 5_000).compacted("Second.").event("context_compacted")
    assert after(told) == (["Second."], [])
    (compaction,) = of_kind(read(told.records), "compaction")
    assert (compaction["exact"], compaction["before"], compaction["kept"]) == (False, 5_000, [])


def test_the_event_of_a_compaction_alone_and_before_its_record() -> None:
    alone = begun().event("context_compacted").user("Next.")
    assert after(alone) == (["Next."], [])
    first = begun().event("context_compacted").compacted("S", [message("user", "Why?")]).user("Next.")
    assert [each["exact"] for each in of_kind(read(first.records), "compaction")] == [True]
    assert after(first)[0] == ["Why?", "Next."]


def test_what_cannot_be_read_of_a_history_makes_it_inexact() -> None:
    told = begun().compacted("", [message("user", "Why?"), {"type": "hologram"}, 7])
    (compaction,) = of_kind(read(told.records), "compaction")
    assert not compaction["exact"]
    assert after(told)[0] == ["Why?"]


def test_turns_that_are_taken_back() -> None:
    assert after(begun().event("thread_rolled_back", num_turns=1)) == (
        ["Be brief.", "Why?", "I look.", LOGS, shell_output("one commit\n"), PATCHES],
        [f"{CWD}/dates.py"],
    )
    assert after(begun().event("thread_rolled_back", num_turns=2)) == (["Be brief."], [])
    assert after(begun().event("thread_rolled_back", num_turns=9)) == (["Be brief."], [])


WORDS = st.sampled_from(["a", "b", "c"])
ROLES = st.sampled_from(["user", "developer", "assistant"])
DEEDS = st.lists(
    st.tuples(st.sampled_from(["message", "message", "command", "file"]), ROLES, WORDS),
    max_size=8,
)


def done(told: Rollout, deeds: list[tuple[str, str, str]], items: list[Any]) -> list[Any]:
    """Tell what was done; gives the items that stand in the context with it, those of `items` before them."""
    for kind, role, word in deeds:
        call = f"{kind}{len(told.lines)}"
        if kind == "message":
            told.line("response_item", message(role, word))
        elif kind == "command":
            told.ran(call, "true", word)
        else:
            told.patched(call, add(f"{call}.py", "x = 1\n"))
        items = items + [line["payload"] for line in told.lines[-1 if kind == "message" else -2 :]]
    return items


@st.composite
def histories(draw: st.DrawFn, items: list[Any]) -> list[Any]:
    """A history made of some of what was there, in any order, with something new."""
    chosen = draw(st.lists(st.sampled_from(items), max_size=6)) if items else []
    outputs = {id(each) for each in chosen if "output" in each}
    once = [each for number, each in enumerate(chosen) if id(each) not in outputs or chosen.index(each) == number]
    new = draw(st.lists(st.builds(message, ROLES, st.sampled_from(["a", "new", "SUMMARY"])), max_size=3))
    trimmed = (
        [{**each, "output": "cut"} for each in draw(st.lists(st.sampled_from(once), max_size=1)) if "output" in each]
        if once
        else []
    )
    return draw(st.permutations([*once, *new, *trimmed]))


def is_call(line: Any) -> bool:
    return line["payload"].get("type") in ("function_call", "custom_tool_call")


def arguments(call: Any) -> str:
    """What is told of a call's arguments: JSON without spaces."""
    said = call["input"] if "input" in call else json.loads(call["arguments"])
    return json.dumps(said, separators=(",", ":"), sort_keys=True)


def expected(history: list[Any], calls: dict[str, str]) -> tuple[list[str], list[str]]:
    """What a history holds: all texts, the files of patches, and the arguments of calls whose whole outputs it has."""
    texts: list[str] = []
    files: list[str] = []
    asked: set[str] = set()
    for item in history:
        if item["type"] == "message":
            texts.append(item["content"][0]["text"])
        elif "output" in item and item["output"] == "cut":
            texts.append("cut")
            if any(is_call({"payload": each}) and each["call_id"] == item["call_id"] for each in history):
                asked.add(item["call_id"])
        elif "output" in item:
            asked.add(item["call_id"])
            patched = item["call_id"].startswith("file")
            files += [f"{CWD}/{item['call_id']}.py"] if patched else []
            texts += [] if patched else [item["output"]]
    return sorted([*texts, *(calls[each] for each in asked)]), sorted(files)


@given(st.data())
def test_the_context_is_the_history_whatever_it_is(data: st.DataObject) -> None:
    told, items = Rollout().turn(), list[Any]()
    for _ in range(data.draw(st.integers(1, 3))):
        items = done(told, data.draw(DEEDS), items)
        calls = {each["payload"]["call_id"]: arguments(each["payload"]) for each in told.lines if is_call(each)}
        history = data.draw(histories(items))
        told.compacted(data.draw(st.sampled_from(["", "SUMMARY"])), history)
        texts, files = after(told)
        assert (sorted(texts), files) == expected(history, calls)
        items = list(history)
