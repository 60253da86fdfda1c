"""SWE-agent: what the steps of a run tell."""

import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ccos_core.intake.importers.formats import recognised
from ccos_core.intake.importers.record import Observation
from ccos_core.intake.importers.swe_agent import FORMAT
from tests.core.intake.importers.foreign import (
    deliveries,
    fed,
    keep_the_laws,
    mangled,
    of_kind,
    read_recording,
    recorded,
    told,
)

TEXT = [f"line {number}" for number in range(1, 31)]
DONE = "Text replaced. Please review the changes and make sure they are correct:\n"
UPDATED = "File updated. Please review the changes and make sure they are correct\n"
FIRST = [
    {"role": "system", "content": "You have a shell and an editor."},
    {"role": "user", "content": "Here is how it is done.", "is_demo": True},
    {"role": "user", "content": "Fix it."},
]


def window(lines: list[str], first: int = 1, last: int = 0, path: str = "/w/a.py") -> str:
    last = last or len(lines)
    above = [f"({first - 1} more lines above)"] if first > 1 else []
    below = [f"({len(lines) - last} more lines below)"] if last < len(lines) else []
    shown = [f"{number}:{lines[number - 1]}" for number in range(first, last + 1)]
    return "\n".join([f"[File: {path} ({len(lines)} lines total)]", *above, *shown, *below])


def step(action: str, observation: str = "", file: str = "/w/a.py", **more: Any) -> dict[str, Any]:
    state = {"open_file": file, "working_dir": "/w"}
    told = {"response": f"I do {action}", "thought": "I do", "execution_time": 0.25, "state": state}
    return {"action": action, "observation": observation, **told, **more}


def given_as(name: str, arguments: dict[str, Any], action: str, observation: str = "") -> dict[str, Any]:
    """A step that holds the model's own message, with the call as the model made it."""
    call = {"id": "call_1", "type": "function", "function": {"name": name, "arguments": json.dumps(arguments)}}
    said = {"role": "assistant", "content": "I do", "action": action, "tool_calls": [call]}
    return step(action, observation, messages=[*FIRST, said, {"role": "tool", "content": observation}])


def run(*steps: dict[str, Any], **fields: Any) -> dict[str, Any]:
    config = {"agent": {"model": {"name": "some-model"}}, "problem_statement": {"id": "a-task"}}
    return {
        "environment": "main",
        "trajectory": list(steps),
        "history": [*FIRST, {"role": "assistant", "content": "I do"}, {"role": "user", "content": "printed"}],
        "info": {"exit_status": "submitted"},
        "replay_config": config,
        **fields,
    }


def edited() -> list[str]:
    return [*TEXT[:9], "new", "and more", *TEXT[10:]]


def everything() -> dict[str, Any]:
    """One step with each command, in each way of calling."""
    return run(
        step("ls -F", "a.py\r\n", file="n/a", query=FIRST),
        step('open "a.py" 12', window(TEXT, 5, 20).replace("\n", "\r\n")),
        step("scroll_down", window(TEXT, 20, 30)),
        step("goto 10", window(TEXT, 1, 15)),
        step("edit 'line 10' 'new\nand more'", DONE + window(edited(), 1, 16)),
        step("edit 10:11\nline 10\nend_of_edit", UPDATED + window(TEXT, 1, 15)),
        step("edit 1:1\nbad(\nend_of_edit", refused()),
        given_as("insert", {"text": "top", "line": 0}, "insert top 0", window(["top", *TEXT], 1, 15)),
        step('search_file "line 2" a.py', hits()),
        step("create b.py", window([""], path="b.py"), file="/w/b.py"),
        step("str_replace_editor view /w/c.py --view_range 3 4", "Here's the result of running `cat -n` on /w/c.py:\n"
             "     3\tthree\n     4\tfour\n"),
        step("cat d.py", "one\ntwo\n"),
        step("rm d.py", ""),
        step("vim a.py", "Interactive operation 'vim' is not supported by this environment."),
        step("", "", response="Exit due to cost limit"),
        step("submit", "diff --git a/a.py b/a.py\n"),
    )  # fmt: skip


def refused() -> str:
    applied, original = window(["bad(", *TEXT[1:]], 1, 15), window(TEXT, 1, 15)
    return (
        "Your proposed edit has introduced new syntax error(s). Please read this.\n\nERRORS:\n- E999\n\n"
        f"This is how your edit would have looked if applied\n---\n{applied}\n---\n\n"
        f"This is the original code before your edit\n---\n{original}\n---\n\nYour changes have NOT been applied."
    )


def hits() -> str:
    found = "\n".join(f"Line {number}:line {number}" for number in (2, 20, 21))
    return f'Found 3 matches for "line 2" in /w/a.py:\n{found}\nEnd of matches for "line 2" in /w/a.py'


def files(*steps: dict[str, Any]) -> list[Observation]:
    return of_kind(told(FORMAT, recorded(run(*steps))), "seen", "gone", "renamed")


def test_a_run_is_told_in_order() -> None:
    found = told(FORMAT, recorded(everything()))
    prompts = of_kind(found, "prompt")
    assert [(each["source"], each["said"]) for each in prompts] == [
        ("host", FIRST[0]["content"]),
        ("host", FIRST[1]["content"]),
        ("user", "Fix it."),
    ]
    assert found[: len(prompts)] == prompts
    names = [each["name"] for each in of_kind(found, "tool")]
    assert names == ["bash", "open", "scroll_down", "goto", "edit", "edit", "edit", "insert", "search_file", "create",
                     "str_replace_editor", "bash", "bash", "bash", "submit"]  # fmt: skip
    outcomes = [each["outcome"] for each in of_kind(found, "tool")]
    assert outcomes == ["unknown", "ok", "ok", "ok", "ok", "ok", "error", "ok", "ok", "ok", "ok", "unknown", "unknown",
                        "error", "ok"]  # fmt: skip
    assert len(of_kind(found, "turn")) == 16


def test_a_call_says_what_was_asked_and_what_came_back() -> None:
    calls = of_kind(told(FORMAT, recorded(everything())), "tool")
    assert (calls[0]["arguments"], calls[0]["result"]) == ({"command": "ls -F"}, "a.py\r\n")
    assert (calls[0]["call"], calls[0]["cwd"], calls[0]["millis"]) == ("step:1", "/w", 250)
    assert calls[1]["arguments"] == 'open "a.py" 12'
    assert calls[7]["arguments"] == {"text": "top", "line": 0}


def test_a_window_shows_its_lines() -> None:
    [seen] = files(step('open "a.py" 12', window(TEXT, 5, 20)))
    assert (seen["path"], seen["slice"], seen["how"]) == ("/w/a.py", [5, 20], "read")
    assert seen["content"] == "\n".join(TEXT[4:20])
    [whole] = files(step("open a.py", window(TEXT)))
    assert ("slice" in whole, whole["content"]) == (False, "\n".join(TEXT) + "\n")


@pytest.mark.parametrize(
    ("action", "printed", "first", "new", "took"),
    [
        ("edit 'line 10' 'new\nand more'", DONE + window(edited(), 5, 16), 10, ["new", "and more"], 1),
        ("edit 10:10\nnew\nand more\nend_of_edit", UPDATED + window(edited(), 5, 16), 10, ["new", "and more"], 1),
        ("edit 10:10 'new\nand more\n'", UPDATED + window(edited(), 5, 16), 10, ["new", "and more"], 1),
        ("insert 'in\nside' 4", window([*TEXT[:4], "in", "side", *TEXT[4:]], 2, 9), 5, ["in", "side"], 0),
        ("insert end", window([*TEXT, "end"], 25, 31), 31, ["end"], 0),
    ],
)
def test_an_edit_is_a_part_that_took_the_place_of_lines(
    action: str, printed: str, first: int, new: list[str], took: int
) -> None:
    edit, seen = files(step(action, printed))
    assert edit["how"] == "edit"
    assert (edit["slice"], edit["content"], edit["took"]) == ([first, first + len(new) - 1], "\n".join(new), took)
    assert seen["how"] == "read"


def test_an_edit_of_a_file_that_is_known_leaves_one_that_is() -> None:
    found = files(
        step("open a.py", window(TEXT)), step("edit 2:3\nend_of_edit", UPDATED + window(TEXT[:1] + TEXT[3:], 1, 9))
    )
    assert [each["content"] for each in found if "slice" not in each] == [
        "\n".join(TEXT) + "\n",
        "\n".join(TEXT[:1] + TEXT[3:]) + "\n",
    ]


def test_a_file_seen_in_parts_to_its_end_is_known() -> None:
    parts = step("goto 9", window(TEXT, 1, 15)), step("scroll_down", window(TEXT, 16, 30))
    edit = files(*parts, step("edit 30:30\nlast\nend_of_edit", UPDATED + window([*TEXT[:29], "last"], 20, 30)))[3]
    assert (edit["how"], edit["content"]) == ("edit", "\n".join([*TEXT[:29], "last"]) + "\n")


def test_an_edit_of_all_that_is_shown_replaces_it() -> None:
    edit = files(step("goto 5", window(TEXT, 3, 8)), step("edit 'only this'", "Edit successful."))[1]
    assert (edit["path"], edit["slice"], edit["content"], edit["took"]) == ("/w/a.py", [3, 3], "only this", 6)


def test_an_edit_between_cursors_is_somewhere() -> None:
    edit, _ = files(step("edit\nnew\nend_of_edit", UPDATED + window(TEXT, 3, 8)))
    assert (edit["how"], edit["withheld"]) == ("edit", "unplaced")


def test_an_edit_the_linter_refused_shows_the_file_as_it_was() -> None:
    [seen] = files(step("edit 1:1\nbad(\nend_of_edit", refused()))
    assert (seen["how"], seen["content"]) == ("read", "\n".join(TEXT[:15]))


@pytest.mark.usefixtures("every_hit_counts")
def test_search_hits_are_lines_that_were_shown() -> None:
    found = files(step('search_file "line 2" a.py', hits()))
    assert [(each["path"], each["slice"]) for each in found] == [("/w/a.py", [2, 2]), ("/w/a.py", [20, 21])]


def test_the_shell_follows_the_state_of_the_step_before() -> None:
    moved = step("cd sub", "", state=json.dumps({"open_file": "n/a", "working_dir": "/w/sub"}))
    found = told(FORMAT, recorded(run(moved, step("cat a.py", "one\n"))))
    assert [each["cwd"] for each in of_kind(found, "tool")] == ["/w/sub", "/w/sub"]
    assert [each["path"] for each in of_kind(found, "seen")] == ["/w/sub/a.py"]


def sent(*answers: str) -> list[dict[str, Any]]:
    """What was sent to the model before a step: the first words, and what was done and printed since."""
    done = [({"role": "assistant", "content": "I do"}, {"role": "tool", "content": answer}) for answer in answers]
    return [*FIRST, *(message for pair in done for message in pair)]


def test_what_is_not_sent_any_more_is_dropped() -> None:
    gone = "Old environment output: (3 lines omitted)"
    found = told(
        FORMAT,
        recorded(
            run(
                step("ls", "a\nb\nc\n", query=sent()),
                step("badly formed", "", query=sent("a\nb\nc\n")),
                step("cat a", "one\n", query=sent("a\nb\nc\n")),
                step("cat b", "two\n", query=sent(gone, "one\n")),
                step("cat c", "x\n", query=sent(gone, gone, "two\n")),
                step("cat d", "y\n", query=sent(gone, gone, "two\n", "x\n")),
            )
        ),
    )
    first = ["history:1", "history:2", "history:3"]
    assert [(each["call"], each["kept"], each["exact"]) for each in of_kind(found, "compaction")] == [
        ("step:4:window", [*first, "step:2", "step:3"], True),
        ("step:5:window", [*first, "step:2", "step:4"], True),
    ]


def test_what_is_unknown_is_counted() -> None:
    reader = fed(FORMAT, recorded(run(surprise=1, trajectory=[1, None])))
    assert reader.tally.times == {"field surprise": 1, "field trajectory": 2}


def test_it_is_known_by_what_it_says() -> None:
    assert recognised(json.dumps(everything()).encode()) is FORMAT
    assert recognised(json.dumps({"history": FIRST, "info": {}}).encode()) is None


def test_every_delivery_has_a_key_of_its_own() -> None:
    keys = deliveries(told(FORMAT, recorded(everything())))
    assert len(set(keys)) == len(keys)


@given(st.data())
def test_the_laws_hold_whatever_it_says(data: st.DataObject) -> None:
    keep_the_laws(FORMAT, mangled(recorded(everything()), data))


def test_the_recording() -> None:
    document, found, _ = read_recording(FORMAT, "swe-agent", "marshmallow")
    steps = document["trajectory"]
    calls = of_kind(found, "tool")
    assert [each["result"] for each in calls] == [each["observation"] for each in steps]
    windows = [each for each in steps if each["observation"].startswith("[File: ")]
    reads = {each["call"] for each in of_kind(found, "seen")}
    assert reads >= {f"step:{1 + steps.index(each)}" for each in windows}
    edits = [f"step:{at}" for at, each in enumerate(steps, 1) if each["action"].startswith(("edit", "insert"))]
    assert [each["call"] for each in of_kind(found, "seen") if each["how"] == "edit"] == edits
    assert sum(each["outcome"] == "error" for each in calls) == 0
    shortened = [sum("Old environment output" in said["content"] for said in each["messages"]) for each in steps]
    cuts = sum(now > before for before, now in zip([0, *shortened], shortened, strict=False))
    assert [len(of_kind(found, "compaction")), max(shortened)] == [cuts, shortened[-1]]
    assert len(of_kind(found, "compaction")[-1]["kept"]) == 2 + len(steps) - 1 - shortened[-1]


def test_what_a_run_began_with_comes_before_its_steps_wherever_the_file_puts_it() -> None:
    """Files put the history behind the steps; the words in it were said before them."""
    document = run(step("ls", "a.py\n"), step("cat a.py", "one\n"))
    found = told(FORMAT, recorded(document))
    assert [each["kind"] for each in found[:4]] == ["prompt", "prompt", "prompt", "turn"]
    before = {"history": document["history"], **document}
    assert [each["kind"] for each in told(FORMAT, recorded(before))] == [each["kind"] for each in found]
    alone = told(FORMAT, recorded({"trajectory": document["trajectory"]}))
    assert [each["kind"] for each in alone if each["kind"] != "seen"] == ["turn", "tool"] * 2


def test_how_a_run_ended_is_kept() -> None:
    found = told(FORMAT, recorded(run(step("ls", "a.py\n"), info={"exit_status": "submitted (exit_cost)"})))
    assert found[-1]["kind"] == "annotation"
    assert found[-1]["note"] == "session ended: submitted (exit_cost)"


def test_the_recorded_run_begins_with_the_first_messages_of_its_history() -> None:
    document, found, reader = read_recording(FORMAT, "swe-agent", "")
    first = next(at for at, said in enumerate(document["history"]) if said["role"] == "assistant")
    contents = [said["content"] for said in document["history"][:first]]
    wanted = [said if isinstance(said, str) else said[0]["text"] for said in contents]
    assert [each.get("said") for each in found[:first]] == wanted
    assert {each["kind"] for each in found[first:]} <= {"turn", "tool", "seen", "gone", "annotation", "compaction"}
    status = document["info"]["exit_status"]
    assert (found[-1]["note"], reader.origin.ended) == (f"session ended: {status}", status)
