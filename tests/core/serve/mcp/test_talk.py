"""Tools, resources, prompts and completion, as a host meets them."""

import json
from typing import Any

import pytest

from ccos_core.serve.mcp import calling, wire
from ccos_core.serve.mcp import wire as of
from ccos_core.serve.mcp.offer import Offer
from ccos_core.serve.mcp.schema import strangers
from tests.core.serve.mcp.offering import add, make, takes, tool
from tests.core.serve.mcp.talking import answers, error, request, result


def call(name: str, revision: str = of.AGREED, **arguments: Any) -> Any:
    return result("tools/call", {"name": name, "arguments": arguments}, revision)


# ---- tools ----


def test_an_answer_comes_structured_and_as_the_same_text() -> None:
    said = call("add", a=2)
    assert said["structuredContent"]["sum"] == 7
    assert json.loads(said["content"][0]["text"]) == said["structuredContent"]
    assert said["isError"] is False


def test_arguments_may_be_left_out_where_none_is_needed() -> None:
    assert result("tools/call", {"name": "echo"})["structuredContent"] == {"said": {}}


def test_the_failure_of_a_tool_is_an_answer_for_the_model() -> None:
    said = call("fail")
    assert said == {
        "content": [{"type": "text", "text": "work.ccos: is locked\n  Close the other one."}],
        "isError": True,
    }


@pytest.mark.parametrize("revision", of.SPOKEN)
def test_what_a_tool_can_not_take_is_an_answer_for_the_model_with_what_it_would(revision: str) -> None:
    said = result("tools/call", {"name": "refuse"}, revision)
    assert said["content"] == [{"type": "text", "text": "node: there is no node nod. Did you mean node?"}]
    assert said["isError"] is True
    assert "structuredContent" not in said
    assert said["_meta"].items() >= {"ccos-tui/argument": "node", "ccos-tui/nearest": "node"}.items()


@pytest.mark.parametrize(
    ("params", "argument", "near"),
    [
        ({}, "name", None),
        ({"name": 3}, "name", None),
        ({"name": "ad"}, "name", "add"),
        ({"name": "add", "arguments": {"a": 1}, "_meta": {"progressToken": 1.5}}, "progressToken", None),
        ({"name": "add", "arguments": {"a": 1}, "_meta": 3}, "_meta", None),
    ],
)
def test_wrong_params_are_named(params: dict[str, Any], argument: str, near: str | None) -> None:
    said = error("tools/call", params)
    assert said["code"] == wire.WRONG_PARAMS
    assert (said["data"]["argument"], said["data"].get("nearest")) == (argument, near)


@pytest.mark.parametrize("revision", of.SPOKEN)
@pytest.mark.parametrize(
    ("arguments", "argument", "near"),
    [
        ({}, "a", None),
        ({"a": -1}, "a", "0"),
        ({"a": 1, "c": 1}, "c", None),
        ([1], "arguments", None),
        ("a", "arguments", None),
    ],
)
def test_wrong_arguments_are_named(arguments: object, argument: str, near: str | None, revision: str) -> None:
    """To the model in words, to a script by themselves."""
    said = result("tools/call", {"name": "add", "arguments": arguments}, revision)
    assert said["isError"]
    assert said["content"][0]["text"].startswith(f"{argument}: ")
    assert (said["_meta"]["ccos-tui/argument"], said["_meta"].get("ccos-tui/nearest")) == (argument, near)


def test_params_are_an_object() -> None:
    (said,) = answers({"jsonrpc": "2.0", "id": 1, "method": "tools/list", "params": [1]})
    assert said["error"]["data"] == {"argument": "params"}


@pytest.mark.parametrize("name", ["breaks", "bare"])
def test_a_defect_is_told_as_one_and_ends_nothing(name: str) -> None:
    broken, whole = answers(
        request("tools/call", {"name": name}, 1), request("tools/call", {"name": "add", "arguments": {"a": 1}}, 2)
    )
    assert broken["error"]["code"] == wire.DEFECT
    assert "a bug in ccos-tui" in broken["error"]["message"]
    assert whole["result"]["structuredContent"]["sum"] == 6


def test_tools_are_described_as_what_they_are() -> None:
    tools = {entry["name"]: entry for entry in result("tools/list")["tools"]}
    assert list(tools) == [entry.name for entry in make().tools]
    assert tools["add"]["annotations"] == {"readOnlyHint": True, "openWorldHint": False}
    assert tools["note"]["annotations"] == {
        "readOnlyHint": False,
        "destructiveHint": False,
        "idempotentHint": False,
        "openWorldHint": False,
    }
    assert tools["add"]["inputSchema"]["additionalProperties"] is False
    assert tools["add"]["outputSchema"]["type"] == "object"


def test_we_check_all_that_our_schemas_say() -> None:
    assert not [word for entry in make().tools for word in strangers(entry.takes)]


def many() -> Offer:
    return make([tool(f"tool_{n}", add, takes()) for n in range(250)])


def test_a_long_list_comes_in_pages_that_hold_each_entry_once() -> None:
    names: list[str] = []
    cursor: dict[str, str] = {}
    pages = 0
    while pages == 0 or cursor:
        (said,) = answers(request("tools/list", cursor), offer_maker=many)
        page = said["result"]
        assert len(page["tools"]) <= calling.PAGE
        names += [entry["name"] for entry in page["tools"]]
        cursor = {"cursor": page["nextCursor"]} if "nextCursor" in page else {}
        pages += 1
    assert names == [entry.name for entry in many().tools]
    assert pages == 3


@pytest.mark.parametrize("cursor", ["", "x", 3, {"a": 1}])
def test_a_cursor_that_was_not_given_out(cursor: object) -> None:
    assert error("tools/list", {"cursor": cursor})["data"] == {"argument": "cursor"}


# ---- resources ----


def test_resources_and_templates_are_listed_apart() -> None:
    assert [entry["uri"] for entry in result("resources/list")["resources"]] == ["test://notes"]
    assert [entry["uriTemplate"] for entry in result("resources/templates/list")["resourceTemplates"]] == [
        "test://note/{name}{?tone}"
    ]


def test_a_resource_is_read_under_the_uri_that_was_asked_for() -> None:
    uri = "test://note/first?tone=gl%61d"
    assert result("resources/read", {"uri": uri})["contents"] == [
        {"uri": uri, "mimeType": "text/plain", "text": "hello (glad)"}
    ]


@pytest.mark.parametrize(
    ("uri", "words"),
    [
        ("test://note/nowhere", "There is no note nowhere."),
        ("test://noted", "There is no resource test://noted. Did you mean test://notes?"),
    ],
)
def test_a_resource_that_is_not_there(uri: str, words: str) -> None:
    for revision in of.SPOKEN:
        said = error("resources/read", {"uri": uri}, revision)
        assert said["code"] == (wire.WRONG_PARAMS if revision == of.STATELESS else wire.NO_RESOURCE)
        assert (said["message"], said["data"]["uri"]) == (words, uri)


def test_a_query_that_a_template_does_not_know() -> None:
    said = error("resources/read", {"uri": "test://note/first?ton=glad"})
    assert said["data"] == {"argument": "ton", "nearest": "tone"}


# ---- prompts ----


def test_a_prompt_is_one_message_of_the_user() -> None:
    said = result("prompts/get", {"name": "greet", "arguments": {"name": "Ada", "mood": "grim"}})
    assert said["messages"] == [{"role": "user", "content": {"type": "text", "text": "Greet Ada, grim."}}]


@pytest.mark.parametrize(
    ("params", "argument"),
    [
        ({"name": "gret"}, "name"),
        ({"name": "greet"}, "name"),
        ({"name": "greet", "arguments": {"name": 3}}, "name"),
        ({"name": "greet", "arguments": {"name": "x", "mod": "y"}}, "mod"),
    ],
)
def test_a_prompt_says_what_it_misses(params: dict[str, Any], argument: str) -> None:
    said = error("prompts/get", params)
    assert (said["code"], said["data"]["argument"]) == (wire.WRONG_PARAMS, argument)


# ---- completion ----


def completed(ref: dict[str, str], name: str, value: str) -> Any:
    return result("completion/complete", {"ref": ref, "argument": {"name": name, "value": value}})["completion"]


def test_completion_of_prompts_and_templates() -> None:
    greet = {"type": "ref/prompt", "name": "greet"}
    assert completed(greet, "mood", "gl")["values"] == ["glad", "glum"]
    assert completed(greet, "name", "gl")["values"] == []
    template = {"type": "ref/resource", "uri": "test://note/{name}{?tone}"}
    assert completed(template, "name", "f") == {"values": ["first"], "total": 1, "hasMore": False}
    assert completed({"type": "ref/resource", "uri": "test://note/first"}, "tone", "gr")["values"] == ["grim", "gruff"]


@pytest.mark.parametrize(
    ("ref", "argument", "named"),
    [
        ({"type": "ref/prompt", "name": "gret"}, {"name": "mood", "value": ""}, "name"),
        ({"type": "ref/prompt"}, {"name": "mood", "value": ""}, "ref"),
        ({"type": "ref/tool", "name": "add"}, {"name": "a", "value": ""}, "ref"),
        ({"type": "ref/prompt", "name": "greet"}, {"name": "mod", "value": ""}, "argument"),
        ({"type": "ref/prompt", "name": "greet"}, {"name": "mood"}, "argument"),
        ({"type": "ref/prompt", "name": "wave"}, {"name": "mood", "value": ""}, "argument"),
    ],
)
def test_completion_of_what_is_not_there(ref: dict[str, str], argument: dict[str, str], named: str) -> None:
    said = error("completion/complete", {"ref": ref, "argument": argument})
    assert (said["code"], said["data"]["argument"]) == (wire.WRONG_PARAMS, named)
