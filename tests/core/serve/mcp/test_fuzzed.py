"""Whatever comes in, the next ping is answered: bytes at random, messages bent out of shape, a thousand requests."""

import json
from typing import Any

from hypothesis import example, given, settings
from hypothesis import strategies as st

from ccos_core.serve.mcp import wire as of
from ccos_core.serve.mcp.server import ENVELOPED, HANDSHAKEN
from tests.core.serve.mcp.talking import ENVELOPE, answers_to, hello, lines_of, note, request

PING = {"jsonrpc": "2.0", "id": "the last", "result": {}}
ANY = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=6) | st.just("\ud800"),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=4), inner, max_size=3),
    max_leaves=6,
)
METHODS = st.sampled_from([*sorted({*HANDSHAKEN, *ENVELOPED} - {"tools/call"}), "notifications/cancelled", "x", ""])
URIS = st.sampled_from(["test://notes", "test://note/first?tone=x", "test://note/%ff", "test://{", "?", "://"])
CALLS = st.fixed_dictionaries(
    {"name": st.sampled_from(["add", "echo", "note", "fail", "refuse", "nothing"]), "arguments": ANY}
)
PARAMS = st.fixed_dictionaries(
    {},
    optional={
        "name": st.sampled_from(["greet", "x"]) | ANY,
        "arguments": st.dictionaries(st.sampled_from(["name", "mood"]), ANY) | ANY,
        "uri": URIS | ANY,
        "cursor": ANY,
        "level": ANY,
        "protocolVersion": st.sampled_from(of.SPOKEN) | ANY,
        "requestId": ANY,
        "notifications": st.fixed_dictionaries({}, optional={"resourceSubscriptions": st.lists(URIS) | ANY}) | ANY,
        "ref": st.fixed_dictionaries(
            {"type": st.sampled_from(["ref/prompt", "ref/resource"]), "name": ANY, "uri": URIS}
        ),
        "argument": st.fixed_dictionaries({"name": ANY, "value": ANY}) | ANY,
        "_meta": st.just(ENVELOPE) | st.fixed_dictionaries({"progressToken": ANY}) | ANY,
    },
)
KEYS = st.integers() | st.text(max_size=3) | st.integers(10**30, 10**300) | ANY
MESSAGES = st.builds(
    lambda message, drop: {name: value for name, value in message.items() if name != drop},
    st.fixed_dictionaries(
        {"jsonrpc": st.just("2.0") | ANY, "id": KEYS, "method": METHODS | ANY, "params": PARAMS | ANY}
    )
    | st.fixed_dictionaries(
        {"jsonrpc": st.just("2.0"), "id": KEYS, "method": st.just("tools/call"), "params": CALLS | PARAMS}
    ),
    st.sampled_from(["", "", "", "id", "method", "params", "jsonrpc"]),
)
LINES = MESSAGES | st.lists(MESSAGES | ANY, max_size=4) | ANY


def survived(said: bytes) -> list[Any]:
    """What was answered before the ping and after; no request has more than one answer of its own."""
    answers = answers_to(said + b"\n" + lines_of(request("ping", key="the last")))
    assert PING in answers
    for answer in (each for line in answers for each in (line if isinstance(line, list) else [line])):
        assert answer["jsonrpc"] == "2.0"
        assert ("result" in answer) + ("error" in answer) + ("method" in answer) == 1
    return answers


@given(st.lists(st.binary(max_size=40) | st.sampled_from([b'{"jsonrpc":"2.0",', b'"id":', b"[" * 3000, b"\xff\n"])))
@settings(max_examples=100)
def test_bytes_at_random(pieces: list[bytes]) -> None:
    survived(b"".join(pieces))


@given(st.sampled_from([*of.HANDSHAKES, ""]), st.lists(LINES, max_size=5))
@example("2025-03-26", [[{"jsonrpc": "2.0", "id": 1, "method": "initialize"}]])
@example("", [{"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": {"name": "\ud800"}}])
@settings(max_examples=200)
def test_messages_bent_out_of_shape(revision: str, messages: list[Any]) -> None:
    shaken = [hello(revision), note("notifications/initialized")] if revision else []
    survived(lines_of(*shaken, *messages))


@given(st.lists(LINES, min_size=1, max_size=3), st.data())
@settings(max_examples=80)
def test_lines_with_bytes_knocked_out(messages: list[Any], data: st.DataObject) -> None:
    said = bytearray(lines_of(*messages))
    for at in data.draw(st.lists(st.integers(0, len(said) - 1), max_size=4)):
        said[at] = data.draw(st.integers(0, 255))
    survived(bytes(said))


@given(st.lists(MESSAGES, max_size=6))
@settings(max_examples=100)
def test_every_good_request_gets_one_answer(messages: list[Any]) -> None:
    """Each with an id of its own: as many answers as requests that nobody took back and that don't stay open."""
    whole = [
        each | {"jsonrpc": "2.0", "id": f"no {n}", "method": str(each.get("method"))} for n, each in enumerate(messages)
    ]
    asked = [each["id"] for each in whole if each["method"] != "subscriptions/listen" and json_is_fine(each)]
    answered = [each["id"] for each in survived(lines_of(*whole)) if "id" in each]
    assert {key: answered.count(key) for key in asked} == dict.fromkeys(asked, 1)


def test_a_thousand_requests_in_a_row() -> None:
    said = survived(lines_of(*(request("tools/call", {"name": "add", "arguments": {"a": n}}, n) for n in range(1000))))
    assert [each["result"]["structuredContent"]["sum"] for each in said if isinstance(each["id"], int)] == [
        n + 5 for n in range(1000)
    ]


def json_is_fine(message: Any) -> bool:
    """Whether it is JSON at all, which Python's writer doesn't see to."""
    try:
        json.dumps(message, allow_nan=False, ensure_ascii=False).encode()
    except ValueError:
        return False
    return True
