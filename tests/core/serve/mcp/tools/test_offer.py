"""What is offered: all of it, in few tokens, with schemas a host can trust, and made in no time."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest

from ccos_core.ops.table import MOST
from ccos_core.query.catalogue import QUESTIONS
from ccos_core.serve.mcp.calling import entry_of
from ccos_core.serve.mcp.offer import Tool, Wrong
from ccos_core.serve.mcp.offering import ALL, DEFAULT, INSTRUCTIONS, TOOLSETS, offering
from ccos_core.serve.mcp.schema import filled, strangers
from ccos_core.serve.mcp.tools import schemas
from ccos_core.serve.mcp.tools.door import Door
from ccos_core.serve.mcp.wire import AGREED
from ccos_core.values.tokens import estimate
from ccos_core.window.linearize import DEFAULT_BUDGET

ROOT = Path(__file__).resolve().parents[5]
MOST_TOKENS = 2_067 + 450  # what they took before statements, and what these may add
SEED = """
    ingest recall signal_failure page_fault stats verify timeline recall_what_if ccos_retrieve causal_intervene
    causal_blame drift_cause retrodict_belief causal_flash
""".split()  # noqa: SIM905  (a list to be read)
BESIDES = [
    "signal_pass",
    "assert_claim",
    "retract_claim",
    "missing",
    "why",
    "diff",
    "autopsy",
    "find",
    "wm_search",
    "observability_ingest",
    "stats_memos",
    "summarize",
    "rules",
    "reflect",
]
HEAVY = """
    numpy networkx tree_sitter click dataclasses typing sqlite3 inspect pathlib asyncio subprocess
""".split()  # noqa: SIM905  (the same)


def tools(*toolsets: str) -> list[Tool]:
    return list(offering(Door("/nowhere/work.ccos", "/nowhere"), toolsets).tools)


def listed(given: list[Tool]) -> str:
    """As `tools/list` has them."""
    rows = [entry_of(tool, AGREED) for tool in given]
    return json.dumps({"tools": rows}, ensure_ascii=False, separators=(",", ":"))


def test_all_of_them_are_there() -> None:
    names = [tool.name for tool in tools(ALL)]
    asked = {entry.tool.name for entry in QUESTIONS if entry.tool is not None}
    assert {*SEED, *BESIDES} | asked == set(names)
    assert len(set(names)) == len(names)


def test_what_a_host_gets_unasked_is_cheap() -> None:
    assert estimate(listed(tools(*DEFAULT))) <= MOST_TOKENS
    assert set(DEFAULT) < set(TOOLSETS)


@pytest.mark.parametrize("name", TOOLSETS)
def test_a_toolset_is_a_part_of_all_in_the_same_order(name: str) -> None:
    every = [tool.name for tool in tools(ALL)]
    some = [tool.name for tool in tools(name)]
    assert some
    assert [each for each in every if each in some] == some
    assert {tool.toolset for tool in tools(name)} == {name}


def test_schemas_use_only_what_is_checked() -> None:
    for tool in tools(ALL):
        assert list(strangers(tool.takes)) == [], tool.name
        assert tool.takes["additionalProperties"] is False
        assert set(tool.takes.get("required", ())) <= set(tool.takes["properties"])
        assert all(part.get("description") for part in tool.takes["properties"].values())


def test_no_default_is_outside_of_what_may_be_said() -> None:
    for tool in tools(ALL):
        for name, part in tool.takes["properties"].items():
            if "default" in part and part["type"] == "integer":
                assert part["minimum"] <= part["default"] <= part["maximum"], name
            if "enum" in part and "default" in part:
                assert part["default"] in part["enum"]
    assert schemas.BUDGET == DEFAULT_BUDGET


def test_limits_and_defaults_stand_in_words_too() -> None:
    """Some hosts take `default`, `minimum` and `maximum` out of schemas before their model sees them."""
    for tool in tools(ALL):
        for name, part in tool.takes["properties"].items():
            said = part["description"]
            if "default" in part:
                assert f"Default {str(part['default']).lower()}." in said, (tool.name, name)
            for bound in ("minimum", "maximum", "maxItems"):
                if part.get(bound) not in (None, schemas.MOST_STEPS):
                    assert str(part[bound]) in said, (tool.name, name)


def test_both_orders_stand_where_every_host_shows_them() -> None:
    assert INSTRUCTIONS[:200].startswith(
        "At the start call recall with the task as text. After every test run give its output to page_fault."
    )
    assert "reason" not in INSTRUCTIONS


def test_what_few_need_is_not_in_what_a_host_gets_unasked() -> None:
    assert not {"stats", "verify"} & {tool.name for tool in tools(*DEFAULT)}
    assert {"stats", "verify"} <= {tool.name for tool in tools("history")}


def test_a_list_is_no_longer_than_an_op_holds() -> None:
    """What the vocabulary would refuse is told as an argument's fault, before anything is done."""
    lists = [part for tool in tools(ALL) for part in tool.takes["properties"].values() if part["type"] == "array"]
    assert len(lists) == 10
    assert {part["maxItems"] for part in lists} == {schemas.MOST_NAMES}
    assert schemas.MOST_NAMES <= MOST
    with pytest.raises(Wrong) as wrong:
        filled({"properties": {"by": lists[0]}}, {"by": ["claim:a"] * (MOST + 1)})
    assert wrong.value.argument == "by"


def test_only_what_records_says_that_it_does() -> None:
    writing = {tool.name for tool in tools(ALL) if not tool.reads_only}
    assert writing - {entry.tool.name for entry in QUESTIONS if entry.tool is not None and entry.writes} == {
        "ingest", "page_fault", "signal_failure", "signal_pass", "assert_claim", "retract_claim", "reflect"
    }  # fmt: skip
    assert all(tool.repeats for tool in tools(ALL) if tool.reads_only)


def modules(code: str) -> set[str]:
    """Those that a Python prints."""
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True, timeout=60)
    return set(done.stdout.split())


def test_making_it_imports_next_to_nothing() -> None:
    """A host waits for the first answer of every server it starts."""
    code = (
        "import sys; from ccos_core.serve.mcp.offering import offering;"
        "from ccos_core.serve.mcp.tools.door import Door;"
        "from ccos_core.serve.mcp import start; start.understood(['--toolsets', 'all']);"
        "start.whereabouts('', '', '/nowhere');"
        "import ccos_core.session.live_scan, ccos_core.session.settings;"
        "o = offering(Door('/nowhere/w.ccos', '/nowhere'), ('all',)); assert o.tools and not o.changed();"
        "print(*sys.modules)"
    )
    bare = "import sys; print(*sys.modules)"
    loaded = modules(f"import sys; sys.path.insert(0, {str(ROOT)!r}); {code}") - modules(bare)
    assert "ccos_core.serve.mcp.offering" in loaded
    assert not loaded & set(HEAVY)
