"""Answers in plain text: what a model reads is the code itself, in every revision, as official clients accept it."""

from __future__ import annotations

import json
from typing import Any

import pytest

from ccos_core.serve.mcp import wire as of
from ccos_core.serve.mcp.offer import Offer
from ccos_core.text.delivered import OPENING
from tests.core.serve.mcp.talking import answers, enveloped, request
from tests.core.serve.mcp.tools.serving import BILLING, FAILED, PASSED, Host

methods = pytest.importorskip("mcp_types.methods", reason="the official SDK comes with the extra `dev`")

PLAIN = {
    "recall", "page_fault", "ccos_retrieve", "recall_what_if", "get_context", "remember", "feedback", "rules", "reflect"
}  # fmt: skip


def said(host: Host, name: str, /, revision: str = of.AGREED, **given: Any) -> str:
    """What a host gets for its model."""
    params = {"name": name, "arguments": given}
    asked = enveloped("tools/call", params) if revision == of.STATELESS else request("tools/call", params)
    (answer,) = answers(
        asked, revision="" if revision == of.STATELESS else revision, offer_maker=lambda: _without_resources(host.offer)
    )
    methods.validate_server_result("tools/call", revision, answer["result"])
    assert answer["result"]["isError"] is False
    assert "structuredContent" not in answer["result"]
    (content,) = answer["result"]["content"]
    assert content["type"] == "text"
    return str(content["text"])


def _without_resources(offer: Offer) -> Offer:
    return offer._replace(resources=(), changed=lambda: ())


@pytest.mark.parametrize("revision", of.SPOKEN)
def test_the_window_of_a_text_comes_as_code(host: Host, revision: str) -> None:
    text = said(host, "recall", revision, text="what shipping costs", budget=400)
    assert 'return sum(row["cents"])' in text
    assert "def shipping(row):\n" in text
    assert "\\n" not in text


@pytest.mark.parametrize("revision", of.SPOKEN)
def test_a_failing_run_comes_with_the_code_around_it(host: Host, revision: str) -> None:
    text = said(host, "page_fault", revision, output=FAILED, command="pytest")
    head, _, window = text.partition("\n\n")
    assert "1 failing in this run, 0 ended, 1 failing in all." in head
    assert "- failed: pytest: tests/test_billing.py::test_invoice: KeyError: 'a' [at src/store.py#Store.load]" in head
    assert "        return self.rows[key]\n" in window
    text = said(host, "page_fault", revision, output=PASSED, command="pytest")
    assert "0 failing in this run, 1 ended, 0 failing in all." in text
    assert "- passes again: pytest" in text


def test_references_lead_to_the_whole(host: Host) -> None:
    text = said(host, "recall", anchor="src/billing.py", budget=90)
    (row, *_) = [line for line in text.splitlines() if line.startswith("- src/billing.py")]
    reference = row.rpartition(" ")[2]
    assert said(host, "ccos_retrieve", ccr_ref=reference) in BILLING


def test_reasons_are_there_for_the_asking(host: Host) -> None:
    said(host, "page_fault", output=FAILED, command="pytest")
    assert "Why each item is included:" not in said(host, "recall")
    text = said(host, "recall", reasons=True)
    assert "Why each item is included:\n- src/store.py#Store.load: pytest fails here" in text


def test_a_session_that_begins_gets_a_map(host: Host) -> None:
    text = said(host, "recall")
    assert text.startswith(f"{OPENING}:\nNothing is warm yet, so this is a map of the project: 3 files")
    assert [line for line in text.splitlines() if line.startswith("# ")][:2] == ["# src/billing.py", "# src/store.py"]
    assert "def invoice(store, key):" in text


def test_who_names_a_window_gets_no_map(host: Host) -> None:
    for given in ({"strategy": "working_set"}, {"lens": "working-set"}):
        answer = host.call("recall", **given)
        assert (answer["lens"], answer["items"]) == ("working-set", [])
    host.call("page_fault", output=FAILED, command="pytest")
    assert host.call("recall")["lens"] == "working-set"
    host.call("page_fault", output=PASSED, command="pytest")


def test_a_map_shows_the_disk_as_it_is(host: Host) -> None:
    host.write("src/store.py", "def fresh():\n    return 1\n")
    assert "def fresh():" in said(host, "recall")


def test_what_declares_no_schema_gives_nothing_structured(host: Host) -> None:
    for tool in host.offer.tools:
        assert (tool.plain is not None) == (tool.name in PLAIN)
    (listed,) = answers(request("tools/list"), revision=of.AGREED, offer_maker=lambda: _without_resources(host.offer))
    for entry in listed["result"]["tools"]:
        assert ("outputSchema" in entry) == (entry["name"] not in PLAIN)


def test_a_window_without_a_text_stays_an_object(host: Host) -> None:
    host.door.live().tell([{"kind": "prompt", "said": "Go on.", "source": "user", "host": "h", "session": "s"}])
    answer = json.loads(said(host, "recall", lens="host"))
    assert answer["schema"] == "ccos.agent-window/1"
