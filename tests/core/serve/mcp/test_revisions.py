"""Every method in every revision: what the official schemas say is the measure, and files keep the bytes.

A change of the files is a decision, not a fix. To take today's for good: `CCOS_GOLDEN=write python -m pytest` on this
file, and read the difference before it goes in.
"""

import os
from pathlib import Path
from typing import Any

import pytest

from ccos_core.serve.mcp import wire
from ccos_core.serve.mcp import wire as of
from ccos_core.serve.mcp.server import ENVELOPED, HANDSHAKEN
from tests.core.serve.mcp.talking import (
    answer,
    answers,
    enveloped,
    error,
    hello,
    lines_of,
    note,
    request,
    result,
    said_to,
)

methods = pytest.importorskip("mcp_types.methods", reason="the official SDK comes with the extra `dev`")

FILES = Path(__file__).parent / "golden"
NAMES = {"ref": {"type": "ref/prompt", "name": "greet"}, "argument": {"name": "mood", "value": "g"}}
ASKED: dict[str, dict[str, Any] | None] = {
    "completion/complete": NAMES,
    "logging/setLevel": {"level": "info"},
    "ping": None,
    "prompts/get": {"name": "greet", "arguments": {"name": "Ada"}},
    "prompts/list": None,
    "resources/list": {},
    "resources/read": {"uri": "test://note/first?tone=glad"},
    "resources/subscribe": {"uri": "test://notes"},
    "resources/templates/list": None,
    "resources/unsubscribe": {"uri": "test://notes"},
    "server/discover": {},
    "tools/call": {"name": "add", "arguments": {"a": 2}},
    "tools/list": {},
}
"""A good request of each method."""


def methods_of(revision: str) -> list[str]:
    return sorted({method for method, each in methods.CLIENT_REQUESTS if each == revision})


@pytest.mark.parametrize("revision", of.SPOKEN)
def test_exactly_the_methods_of_the_revision_are_there(revision: str) -> None:
    assert sorted(ENVELOPED if revision == of.STATELESS else HANDSHAKEN) == methods_of(revision)


@pytest.mark.parametrize("revision", of.SPOKEN)
def test_methods_of_other_revisions_are_not(revision: str) -> None:
    others = {method for method, _ in methods.CLIENT_REQUESTS} - {*methods_of(revision), "subscriptions/listen"}
    codes = {method: error(method, ASKED.get(method), revision)["code"] for method in sorted(others - {"initialize"})}
    needs_envelope = {"server/discover": wire.WRONG_PARAMS}
    expected = dict.fromkeys(codes, wire.NO_METHOD)
    assert codes == (expected if revision == of.STATELESS else expected | needs_envelope)


@pytest.mark.parametrize("revision", of.SPOKEN)
def test_results_are_what_the_schema_of_the_revision_says(revision: str) -> None:
    for method in ASKED:
        if method in methods_of(revision):
            methods.validate_server_result(method, revision, result(method, ASKED[method], revision))


@pytest.mark.parametrize("revision", of.HANDSHAKES)
def test_the_handshake_is_what_the_schema_says(revision: str) -> None:
    (said,) = answers(hello(revision))
    methods.validate_server_result("initialize", revision, said["result"])
    assert said["result"]["protocolVersion"] == revision


@pytest.mark.parametrize("revision", of.SPOKEN)
def test_the_bytes_of_each_revision(revision: str) -> None:
    asks = enveloped if revision == of.STATELESS else request
    made = [] if revision == of.STATELESS else [hello(revision)]
    # but for pings, which are answered by who reads, whatever else is being answered
    made += [asks(each, ASKED[each], each) for each in sorted(ASKED) if each in methods_of(revision) and each != "ping"]
    said = said_to(lines_of(*made))
    path = FILES / f"{revision}.jsonl"
    if os.environ.get("CCOS_GOLDEN") == "write":
        path.parent.mkdir(exist_ok=True)
        path.write_bytes(said)
    assert said == path.read_bytes()


# ---- agreeing on one ----


@pytest.mark.parametrize("asked", ["2026-07-28", "1999-01-01", "zzz", ""])
def test_a_revision_that_has_no_handshake_gets_our_newest_that_has(asked: str) -> None:
    assert answers(hello(asked))[0]["result"]["protocolVersion"] == of.AGREED


@pytest.mark.parametrize("asked", [None, 3, ["2025-11-25"]])
def test_a_revision_has_to_be_named(asked: object) -> None:
    (said,) = answers(request("initialize", {"protocolVersion": asked}))
    assert said["error"]["code"] == wire.WRONG_PARAMS
    assert said["error"]["data"] == {"argument": "protocolVersion"}


def test_discover_names_all_we_speak() -> None:
    assert result("server/discover", None, of.STATELESS)["supportedVersions"] == list(of.SPOKEN)


@pytest.mark.parametrize("asked", ["2027-01-01", "2025-11-25", ""])
def test_an_envelope_of_another_revision_is_told_which_there_are(asked: str) -> None:
    meta = {"io.modelcontextprotocol/protocolVersion": asked, "io.modelcontextprotocol/clientCapabilities": {}}
    (said,) = answers(request("tools/list", {"_meta": meta}))
    assert said["error"]["code"] == wire.NO_SUCH_REVISION
    assert said["error"]["data"] == {"supported": list(of.SPOKEN), "requested": asked}


@pytest.mark.parametrize("named", [3, of.STATELESS])
def test_an_envelope_has_to_be_whole(named: object) -> None:
    (said,) = answers(request("tools/list", {"_meta": {"io.modelcontextprotocol/protocolVersion": named}}))
    assert said["error"]["code"] == wire.WRONG_PARAMS
    assert said["error"]["data"]["argument"].startswith("io.modelcontextprotocol/")


def test_both_ways_on_one_connection() -> None:
    first, second, third = answers(
        enveloped("tools/call", {"name": "add", "arguments": {"a": 1}}, 1),
        hello("2024-11-05"),
        request("tools/call", {"name": "add", "arguments": {"a": 1}}, 2),
    )
    assert first["result"]["resultType"] == "complete"
    assert second["result"]["protocolVersion"] == "2024-11-05"
    assert "structuredContent" not in third["result"]
    assert "resultType" not in third["result"]


def test_who_shakes_no_hands_is_answered_all_the_same() -> None:
    assert answers(request("tools/call", {"name": "add", "arguments": {"a": 1}}))[0]["result"]["structuredContent"]


# ---- batches ----


def test_a_batch_is_answered_in_one_line() -> None:
    batch = [request("ping", key=1), note("x"), request("nothing", key=2), 5, request("ping", key="3")]
    (said,) = answers(batch, revision=of.BATCHED)
    assert [part["id"] for part in said] == [1, 2, None, "3"]
    assert ["result" in part for part in said] == [True, False, False, True]


def test_a_batch_of_notes_is_met_with_silence() -> None:
    assert answers([note("x"), {"jsonrpc": "2.0", "id": 1, "result": {}}], revision=of.BATCHED) == []


def test_an_empty_batch_is_one_error() -> None:
    (said,) = answers([], revision=of.BATCHED)
    assert said["error"]["code"] == wire.NO_REQUEST


@pytest.mark.parametrize("revision", [each for each in of.HANDSHAKES if each != of.BATCHED])
def test_elsewhere_a_batch_is_one_error(revision: str) -> None:
    (said,) = answers([request("ping", key=1), request("ping", key=2)], revision=revision)
    assert (said["id"], said["error"]["code"]) == (None, wire.NO_REQUEST)


def test_a_batch_does_not_shake_hands() -> None:
    (said,) = answers([hello(of.AGREED)], revision=of.BATCHED)
    assert said[0]["error"]["code"] == wire.NO_REQUEST


# ---- what is in them ----


def test_a_stateless_answer_says_who_gave_it_and_for_how_long_it_is_good() -> None:
    said = result("tools/list", None, of.STATELESS)
    assert said["_meta"]["io.modelcontextprotocol/serverInfo"] == {
        "name": "trial",
        "version": "1.2.3",
        "title": "A trial",
    }
    assert (said["cacheScope"], said["ttlMs"] > 0) == ("private", True)
    assert result("resources/read", {"uri": "test://notes"}, of.STATELESS)["ttlMs"] == 0


def test_an_error_is_the_same_in_both_ways() -> None:
    wrong = {"name": "ad", "arguments": {"b": 1}}
    assert answer("tools/call", wrong) == answer("tools/call", wrong, of.STATELESS)
