"""Odd words: whatever a model writes for an argument is answered, or told to be wrong; never a defect of ours."""

from __future__ import annotations

import contextlib
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from ccos_core.errors import CcosError
from ccos_core.serve.mcp.offer import Tool, Wrong
from tests.core.serve.mcp.tools.serving import FAILED, PASSED, STORE, Host

ODD = [
    "",
    " ",
    "\0",
    "\ud800",
    "\udcff",
    "\u202e",
    "a\nb",
    "x" * 8_000,
    "../../etc/passwd",
    "/etc/passwd",
    "~",
    "%",
    "%zz",
    "#",
    "src/store.py#",
    "#load",
    "file:",
    "sym:",
    "claim:",
    "sym:src/store.py#Store.load~2",
    "::",
    "Store::load",
    "src/store.py:9",
    "\\\\server\\x",
    "C:\\x.py",
    "💥",
    "e\u0301",
    "(" * 3_000,
    '"',
    "kind=",
    "text~",
    "1..2",
    "@3",
    "around:",
    "task:",
    "hybrid:\0",
    "around:\ud800",
    "host",
    "both",
    "12345678:1-1",
    "src/store.py",
]
NUMBERS = [0, 1, 2, 3, 63, 64, 2_048, 10_000, 2**31 - 1]


def odd(tool: Tool) -> st.SearchStrategy[dict[str, Any]]:
    """Arguments that the schema allows."""
    fixed, free = {}, {}
    for name, schema in tool.takes["properties"].items():
        (fixed if name in tool.takes.get("required", ()) else free)[name] = value(schema)
    return st.fixed_dictionaries(fixed, optional=free)


def value(schema: dict[str, Any]) -> st.SearchStrategy[Any]:
    if "enum" in schema:
        return st.sampled_from(schema["enum"])
    if schema["type"] == "integer":
        return st.sampled_from([each for each in NUMBERS if schema["minimum"] <= each <= schema["maximum"]])
    if schema["type"] == "boolean":
        return st.booleans()
    if schema["type"] == "array":
        return st.lists(st.sampled_from(ODD), max_size=3)
    return st.sampled_from(ODD) | st.text(max_size=20)


@pytest.fixture
def told(host: Host) -> Host:
    host.call("ingest", uri="src/store.py", source=STORE)
    host.call("page_fault", output=FAILED)
    host.call("page_fault", output=PASSED)
    return host


NAMES = """
    recall ingest page_fault signal_failure signal_pass ccos_retrieve timeline recall_what_if missing why diff
    drift_cause find causal_intervene causal_blame causal_flash assert_claim retract_claim retrodict_belief
""".split()  # noqa: SIM905  (a list to be read)


@pytest.mark.parametrize("name", NAMES)
def test_every_tool_answers_or_says_what_is_wrong(told: Host, name: str) -> None:
    tool = told.tool(name)

    @settings(max_examples=40, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
    @given(odd(tool))
    def tried(said: dict[str, Any]) -> None:
        with contextlib.suppress(Wrong, CcosError):
            told.call(name, **said)
        told.call("recall", budget=100)

    tried()
    assert told.call("verify")["valid"]


@pytest.mark.parametrize("uri", ["ccos://session/context{?lens,budget}", "ccos://session/step/{n}", "ccos://node/{id}"])
def test_every_resource_reads_or_says_what_is_wrong(told: Host, uri: str) -> None:
    (resource,) = (each for each in told.offer.resources if each.uri == uri)
    for said in ODD:
        for name in ("lens", "budget", "n", "id"):
            with contextlib.suppress(Wrong, CcosError):
                told.read(uri, **{name: said})
            assert resource.complete is not None
            assert isinstance(list(resource.complete(name, said, {})), list)
