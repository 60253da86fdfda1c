"""Subscriptions and changed lists, in the manner of the handshake and in that of requests that stay open."""

from typing import Any

import pytest

from ccos_core.errors import Unavailable
from ccos_core.serve.mcp import following, wire
from ccos_core.serve.mcp import wire as of
from tests.core.serve.mcp.offering import make
from tests.core.serve.mcp.talking import LONG, Host, answers, enveloped, hello, note, request

STREAM = "io.modelcontextprotocol/subscriptionId"
methods = pytest.importorskip("mcp_types.methods", reason="the official SDK comes with the extra `dev`")


def take(name: str, key: int = 9) -> dict[str, Any]:
    return request("tools/call", {"name": "note", "arguments": {"name": name, "text": "x"}}, key)


def notes(said: list[Any]) -> list[tuple[str, Any]]:
    """Method and params of what was said unasked, each as its schema wants it."""
    found = [(each["method"], each.get("params")) for each in said if "method" in each]
    for method, params in found:
        stream = params is not None and "_meta" in params
        methods.parse_server_notification(method, of.STATELESS if stream else of.AGREED, params)
    return found


def test_a_subscriber_hears_of_a_change_and_everybody_of_a_new_list() -> None:
    said = answers(
        request("resources/subscribe", {"uri": "test://note/first?tone=glad"}), take("first"), revision=of.AGREED
    )
    assert notes(said) == [
        ("notifications/resources/updated", {"uri": "test://note/first?tone=glad"}),
        ("notifications/resources/list_changed", None),
    ]


def test_a_list_that_holds_what_it_held_has_not_changed() -> None:
    assert notes(answers(take("first"), take("first", 10), revision=of.AGREED)) == [
        ("notifications/resources/list_changed", None)
    ]


def test_what_a_template_stands_for_is_in_no_list() -> None:
    uri = "test://note/never listed"
    said = answers(
        request("resources/subscribe", {"uri": uri}),
        listen(resourcesListChanged=True),
        take("first"),
        revision=of.AGREED,
        offer_maker=lambda: make()._replace(resources=make().resources, changed=lambda: [uri]),
    )
    assert {method for method, _ in notes(said)} == {
        "notifications/resources/updated",
        "notifications/subscriptions/acknowledged",
    }


def test_who_has_let_go_hears_no_more() -> None:
    said = answers(
        request("resources/subscribe", {"uri": "test://notes"}),
        request("resources/unsubscribe", {"uri": "test://notes"}, 2),
        take("first"),
        revision=of.AGREED,
    )
    assert [method for method, _ in notes(said)] == ["notifications/resources/list_changed"]


def test_nobody_is_told_before_the_handshake_is_over() -> None:
    assert notes(answers(take("first"))) == []


def test_what_is_not_there_can_not_be_followed() -> None:
    (said,) = answers(request("resources/subscribe", {"uri": "test://nothing"}))
    assert said["error"]["code"] == wire.NO_RESOURCE


def listen(key: int | str = "stream", **wanted: Any) -> dict[str, Any]:
    return enveloped("subscriptions/listen", {"notifications": wanted}, key)


def test_a_request_to_listen_stays_open_and_hears_what_it_was_promised() -> None:
    said = answers(
        listen(resourcesListChanged=True, toolsListChanged=True, resourceSubscriptions=["test://notes"]), take("first")
    )
    stream = {"_meta": {STREAM: "stream"}}
    promised = {"resourcesListChanged": True, "resourceSubscriptions": ["test://notes"]}
    assert notes(said) == [
        ("notifications/subscriptions/acknowledged", {"notifications": promised, **stream}),
        ("notifications/resources/updated", {"uri": "test://notes", **stream}),
        ("notifications/resources/list_changed", stream),
    ]
    assert said[-1]["id"] == "stream"
    assert said[-1]["result"]["_meta"][STREAM] == "stream"
    methods.validate_server_result("subscriptions/listen", of.STATELESS, said[-1]["result"])


def test_each_stream_hears_its_own() -> None:
    said = answers(
        listen(1, resourceSubscriptions=["test://notes"]), listen(2, resourcesListChanged=True), take("first")
    )
    heard = [(params["_meta"][STREAM], method) for method, params in notes(said)[2:]]
    assert heard == [(1, "notifications/resources/updated"), (2, "notifications/resources/list_changed")]


def test_a_stream_that_was_taken_back_hears_no_more_and_gets_no_answer() -> None:
    with Host() as host:
        host.say(listen(resourcesListChanged=True))
        assert host.hear()["method"] == "notifications/subscriptions/acknowledged"
        assert host.ask("tools/list")  # by now nobody is busy with it any more
        host.say(note("notifications/cancelled", {"requestId": "stream"}), take("first"))
        assert [each.get("id") for each in host.hear_until(9)] == [9]
        assert host.end() == 0
        assert host.rest() == []


def test_a_new_handshake_begins_anew_and_leaves_streams_alone() -> None:
    said = answers(
        request("resources/subscribe", {"uri": "test://notes"}),
        listen(resourcesListChanged="yes", resourceSubscriptions=["test://notes"]),
        hello(of.AGREED),
        take("first"),
        revision=of.AGREED,
    )
    stream = {"_meta": {STREAM: "stream"}}
    assert notes(said)[1:] == [("notifications/resources/updated", {"uri": "test://notes", **stream})]


@pytest.mark.parametrize("wanted", [{"resourceSubscriptions": "x"}, {"resourceSubscriptions": [3]}])
def test_a_wish_that_can_not_be_read(wanted: dict[str, Any]) -> None:
    (said,) = answers(listen(**wanted))
    assert said["error"]["data"] == {"argument": "resourceSubscriptions"}


def test_there_is_an_end_to_what_one_host_may_follow(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("ccos_core.serve.mcp.following.MOST", 3)
    said = answers(*(listen(key, resourcesListChanged=True) for key in range(4)))
    assert [each["id"] for each in said if "error" in each] == [3]


def test_who_names_many_at_once_follows_no_more_than_others(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("ccos_core.serve.mcp.following.MOST", 3)
    uris = [f"test://note/{number}" for number in range(4)]
    said = answers(
        listen(1, resourceSubscriptions=uris),
        listen(2, resourceSubscriptions=uris[:2]),
        request("resources/subscribe", {"uri": uris[3]}, 3),
        revision=of.AGREED,
    )
    assert [each["id"] for each in said if "error" in each] == [1, 3]


def test_a_uri_nobody_could_mean_is_not_held() -> None:
    long = "test://note/" + "x" * following.LONGEST
    said = answers(
        request("resources/subscribe", {"uri": long}), listen(2, resourceSubscriptions=[long]), revision=of.AGREED
    )
    arguments = [each["error"]["data"]["argument"] for each in said]
    assert arguments == ["uri", "resourceSubscriptions"]


def test_trouble_with_looking_is_told_once_and_ends_nothing(capfd: pytest.CaptureFixture[str]) -> None:
    def locked() -> list[str]:
        raise Unavailable("is locked", place="work.ccos")

    said = answers(
        *(request("tools/list", key=key) for key in range(3)),
        revision=of.AGREED,
        offer_maker=lambda: make()._replace(changed=locked),
    )
    assert [each["id"] for each in said] == [0, 1, 2]
    assert capfd.readouterr().err == "ccos-tui: work.ccos: is locked\n"


def test_a_silent_host_hears_too() -> None:
    """What changes while nobody says a word: here by a tool's afterthought."""
    with Host() as host:
        host.shake()
        host.say(request("tools/call", {"name": "later", "arguments": {"pause": 50}}))
        heard = host.hear_until(1)
        assert [each for each in heard if "method" in each] == []
        assert host.hear(LONG)["method"] == "notifications/resources/list_changed"
