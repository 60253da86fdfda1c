"""mini-swe-agent: what a run's messages tell."""

import json
from typing import Any

from hypothesis import given
from hypothesis import strategies as st

from ccos_core.intake.importers.formats import Transcript, recognised
from ccos_core.intake.importers.mini_swe_agent import FORMAT
from tests.core.intake.importers.foreign import (
    deliveries,
    keep_the_laws,
    mangled,
    of_kind,
    read_recording,
    recorded,
    told,
)

AT = 1_700_000_000


def info(**config: Any) -> dict[str, Any]:
    settings = {"environment": {"cwd": "/w"}, "model": {"model_name": "some/model"}, **config}
    return {"mini_version": "2.2.7", "exit_status": "Submitted", "config": settings}


def asks(*commands: tuple[str, str], said: str = "Let me see.", window: int = 0) -> dict[str, Any]:
    calls = [
        {"id": call, "type": "function", "function": {"name": "bash", "arguments": json.dumps({"command": line})}}
        for call, line in commands
    ]
    actions = [{"command": line, "tool_call_id": call} for call, line in commands]
    response = {"model": "model", "choices": [{"finish_reason": "tool_calls"}]}
    if window:
        details = {"cached_tokens": 300}
        response["usage"] = {"prompt_tokens": window, "completion_tokens": 7, "prompt_tokens_details": details}
    extra = {"actions": actions, "response": response, "timestamp": AT + 0.5}
    return {"role": "assistant", "content": said, "tool_calls": calls, "extra": extra}


def prints(call: str, output: str, code: int = 0, **more: Any) -> dict[str, Any]:
    content = f"<returncode>{code}</returncode>\n<output>\n{output}</output>"
    extra = {"raw_output": output, "returncode": code, "timestamp": AT + 1.25, "exception_info": ""}
    return {"role": "tool", "tool_call_id": call, "content": content, "extra": extra, **more}


def run(*messages: dict[str, Any], **fields: Any) -> dict[str, Any]:
    told_first = [{"role": "system", "content": "You have a shell."}, {"role": "user", "content": "Fix it."}]
    return {"info": info(), "messages": [*told_first, *messages], "trajectory_format": "mini-swe-agent-1.1", **fields}


def everything() -> dict[str, Any]:
    """One of each kind of message."""
    return run(
        asks(("c1", "cat a.py"), ("c2", "false"), window=1000),
        prints("c1", "one\ntwo\n"),
        prints("c2", "", 1),
        {"role": "user", "content": "No call in there.", "extra": {"interrupt_type": "FormatError"}},
        {"role": "assistant", "content": "I do.\n```bash\nsed -n '1,1p' a.py\n```"},
        {"role": "user", "content": "<returncode>0</returncode>\n<output>\none\n</output>"},
        {
            "object": "response",
            "model": "other",
            "output": [
                {"type": "message", "content": [{"type": "output_text", "text": "On."}]},
                {"type": "function_call", "call_id": "c3", "name": "bash", "arguments": '{"command": "rm a.py"}'},
            ],
            "usage": {"input_tokens": 1500, "output_tokens": 9, "input_tokens_details": {"cached_tokens": 1000}},
            "extra": {"actions": [{"command": "rm a.py", "tool_call_id": "c3"}]},
        },
        {"type": "function_call_output", "call_id": "c3", "output": "<returncode>0</returncode>\n<output>\n</output>"},
        asks(("c4", "sleep 9")),
        {"role": "user", "content": "Stop that.", "extra": {"interrupt_type": "UserInterruption"}},
        asks(("c5", "echo COMPLETE && cat patch.txt")),
        {"role": "exit", "content": "diff", "extra": {"exit_status": "Submitted", "submission": "diff"}},
        instance_id="a-task",
    )


def test_a_run_is_told_in_order() -> None:
    found = told(FORMAT, recorded(everything()))
    assert [each["kind"] for each in found if each["kind"] not in ("seen", "gone")] == (
        ["prompt"] * 2 + ["turn", "usage", "tool", "tool", "prompt", "turn", "tool", "turn", "usage", "tool"]
    ) + ["turn", "tool", "prompt", "turn", "tool", "annotation"]
    assert found[-1]["note"].startswith("session ended: ")
    assert [(each["call"], each["outcome"]) for each in of_kind(found, "tool")] == [
        ("c1", "ok"),
        ("c2", "error"),
        ("message:7:0", "ok"),
        ("c3", "ok"),
        ("c4", "interrupted"),
        ("c5", "ok"),
    ]
    assert [each["source"] for each in of_kind(found, "prompt")] == ["host", "user", "host", "user"]


def test_a_call_says_what_was_asked_and_what_came_back() -> None:
    call = of_kind(told(FORMAT, recorded(everything())), "tool")[0]
    assert call["arguments"] == {"command": "cat a.py"}
    assert call["result"] == "<returncode>0</returncode>\n<output>\none\ntwo\n</output>"
    assert (call["session"], call["cwd"], call["at"]) == ("file-name", "/w", AT * 1000 + 1250)


def test_commands_read_and_remove() -> None:
    found = of_kind(told(FORMAT, recorded(everything())), "seen", "gone")
    assert [(each["kind"], each["path"], each["call"]) for each in found] == [
        ("seen", "/w/a.py", "c1"),
        ("seen", "/w/a.py", "message:7:0"),
        ("gone", "/w/a.py", "c3"),
    ]
    assert found[0]["content"] == "one\ntwo\n"
    assert all(each["inferred"] for each in found)


def test_the_tokens_are_the_models_own() -> None:
    usage = of_kind(told(FORMAT, recorded(everything())), "usage")
    assert [(each["window"], each["fresh"], each["cached"], each["written"]) for each in usage] == [
        (1000, 700, 300, 7),
        (1500, 500, 1000, 9),
    ]


def test_what_was_cut_out_of_an_output_was_not_seen() -> None:
    printed = "".join(f"line {number}\n" for number in range(2000))
    head, tail = printed[:5000], printed[-5000:]
    content = (
        f"<returncode>0</returncode>\n<warning>\nToo long.\n</warning><output_head>\n{head}\n</output_head>\n"
        f"<elided_chars>\n{len(printed) - 10_000} characters elided\n</elided_chars>\n"
        f"<output_tail>\n{tail}\n</output_tail>"
    )
    answer = {**prints("c1", printed), "content": content}
    found = told(FORMAT, recorded(run(asks(("c1", "cat a.py")), answer)))
    seen = of_kind(found, "seen")
    assert all("slice" in each and each["slice"][1] < 1000 for each in seen)
    assert seen[0]["content"].startswith("line 0\nline 1\n")
    assert {line for each in seen for line in each["content"].split("\n")} <= set(printed.split("\n"))


def test_an_id_that_is_given_again_is_another_call() -> None:
    first, second = asks(("call_0", "true")), asks(("call_0", "false"))
    found = told(FORMAT, recorded(run(first, prints("call_0", ""), second, prints("call_0", "", 1))))
    assert [(each["call"], each["outcome"]) for each in of_kind(found, "tool")] == [
        ("call_0", "ok"),
        ("call_0~message:5", "error"),
    ]


def test_a_message_that_stands_twice_is_one_call() -> None:
    ask, answer = asks(("c1", "true")), prints("c1", "")
    reader = FORMAT.reader("s")
    found = [each for record in recorded(run(ask, ask, answer, answer)) for each in reader.feed(record)]
    assert len(of_kind(found, "tool")) == 1
    assert reader.tally.times == {"message twice": 1, "result without a call": 1}


def test_a_call_without_an_end_waits() -> None:
    reader = FORMAT.reader("s")
    found = [each for record in recorded(run(asks(("c1", "true")))) for each in reader.feed(record)]
    assert of_kind(found, "tool") == []
    assert [dict(each) for each in reader.pending()] == [{"call": "c1", "name": "bash", "line": 4}]


def test_what_ends_a_run_early_ends_its_calls() -> None:
    end = {"role": "exit", "content": "boom", "extra": {"exit_status": "KeyError"}}
    found = told(FORMAT, recorded(run(asks(("c1", "true")), end)))
    assert [each["outcome"] for each in of_kind(found, "tool")] == ["interrupted"]


def test_what_is_unknown_is_counted() -> None:
    reader = FORMAT.reader("s")
    document = run({"role": "oracle", "content": "?"}, {"content": "?"}, surprise=1)
    assert [each["kind"] for record in recorded(document) for each in reader.feed(record)] == ["prompt", "prompt"]
    assert reader.tally.times == {"message oracle": 1, "message without a role": 1, "field surprise": 1}


def test_it_is_known_by_what_it_says() -> None:
    raw = json.dumps(everything()).encode()
    assert recognised(raw) is FORMAT
    assert recognised(json.dumps({"messages": everything()["messages"]}).encode()) is FORMAT
    assert recognised(json.dumps({"messages": [{"role": "user", "content": "hello"}]}).encode()) is None


def test_every_delivery_has_a_key_of_its_own() -> None:
    keys = deliveries(told(FORMAT, recorded(everything())))
    assert len(set(keys)) == len(keys)


@given(st.data())
def test_the_laws_hold_whatever_it_says(data: st.DataObject) -> None:
    keep_the_laws(FORMAT, mangled(recorded(everything()), data))


def check(beginning: str) -> None:
    document, found, reader = read_recording(FORMAT, "mini-swe-agent", beginning)
    messages = document["messages"]
    calls = [call for each in messages for call in each.get("tool_calls") or []]
    assert list(reader.pending()) == []
    assert [each["call"] for each in of_kind(found, "tool")] == [call["id"] for call in calls]
    failed = sum(each["role"] == "tool" and each["extra"]["returncode"] != 0 for each in messages)
    assert sum(each["outcome"] == "error" for each in of_kind(found, "tool")) == failed
    windows = [each["extra"]["response"]["usage"]["prompt_tokens"] for each in messages if each["role"] == "assistant"]
    assert [each["window"] for each in of_kind(found, "usage")] == windows


def test_the_recording_of_astroid() -> None:
    check("astroid")


def test_the_recording_of_marshmallow() -> None:
    check("marshmallow")


def prints_as_an_object(call: str, output: str, code: int = 0, **cut: Any) -> dict[str, Any]:
    """As some settings have it: an object, in which a long output is in two parts."""
    shown = {"returncode": code, **(cut or {"output": output})}
    extra = {"raw_output": output, "returncode": code}
    return {"role": "tool", "tool_call_id": call, "content": json.dumps(shown, indent=2), "extra": extra}


def test_an_answer_that_is_an_object() -> None:
    both = run(asks(("c1", "cat a.py"), ("c2", "cat no.py")))
    both["messages"] += [prints_as_an_object("c1", 'x = "1"\n\ty\n'), prints_as_an_object("c2", "cat: no.py\n", 1)]
    assert [each["outcome"] for each in of_kind(told(FORMAT, recorded(both)), "tool")] == ["ok", "error"]
    (seen,) = of_kind(told(FORMAT, recorded(both)), "seen")
    assert (seen["path"], seen["content"]) == ("/w/a.py", 'x = "1"\n\ty\n')
    del both["messages"][-1]["extra"]
    assert [each["outcome"] for each in of_kind(told(FORMAT, recorded(both)), "tool")] == ["ok", "error"]


def test_an_object_whose_output_was_cut_shows_its_beginning() -> None:
    printed = "".join(f"line {number}\n" for number in range(1, 2_000))
    cut = {"output_head": printed[:5_000], "output_tail": printed[-5_000:], "elided_chars": len(printed) - 10_000}
    session = run(asks(("c1", "cat a.py")))
    session["messages"].append(prints_as_an_object("c1", printed, **cut))
    (seen,) = of_kind(told(FORMAT, recorded(session)), "seen")
    lines = seen["content"].split("\n")
    assert seen["slice"][0] == 1
    assert lines == [f"line {number}" for number in range(1, len(lines) + 1)]


def test_messages_that_are_all_there_is() -> None:
    """Without anything around them, and with nothing beside their words."""
    said = [
        {"role": "system", "content": "One block of shell."},
        {"role": "user", "content": "Fix it."},
        {"role": "assistant", "content": "I look.\n\n```mswea_bash_command\ncat a.py\n```"},
        {"role": "user", "content": "<returncode>0</returncode>\n<output>\nx = 1\n</output>"},
        {"role": "assistant", "content": "Gone.\n<mswea_bash_command>rm a.py</mswea_bash_command>"},
        {"role": "user", "content": "<returncode>0</returncode>\n<output>\n</output>"},
    ]
    transcript = Transcript("s")
    observed = list(transcript.feed(json.dumps(said, indent=1).encode()))
    assert transcript.format is FORMAT
    assert [(each["arguments"], each["outcome"]) for each in of_kind(observed, "tool")] == [
        ({"command": "cat a.py"}, "ok"),
        ({"command": "rm a.py"}, "ok"),
    ]
    assert [(each["kind"], each["path"]) for each in of_kind(observed, "seen", "gone")] == [
        ("seen", "a.py"),
        ("gone", "a.py"),
    ]
    assert recognised(json.dumps(said[:3]).encode()) is None
