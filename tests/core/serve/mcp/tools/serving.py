"""A server's offer without a wire: arguments filled in as the protocol does it, answers held to their schema."""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from ccos_core.serve.mcp.offer import Offer, Stopped, Tool
from ccos_core.serve.mcp.offering import ALL, offering
from ccos_core.serve.mcp.tools.door import Door

Answer = dict[str, Any]

STORE = '''"""Where orders are kept."""


class Store:
    def __init__(self):
        self.rows = {}

    def load(self, key):
        return self.rows[key]

    def save(self, key, row):
        self.rows[key] = row
'''
BILLING = """from src.store import Store


def invoice(store, key):
    row = store.load(key)
    return total(row) + shipping(row)


def total(row):
    return sum(row["cents"])


def shipping(row):
    return 0 if total(row) > 5_000 else 490


def opened():
    return Store()
"""
TEST = """from src.billing import invoice, opened


def test_invoice():
    store = opened()
    assert invoice(store, "a") == 1
"""
FAILED = """\
============================= test session starts ==============================
tests/test_billing.py F                                                  [100%]

=================================== FAILURES ===================================
_________________________________ test_invoice _________________________________

    def test_invoice():
        store = opened()
>       assert invoice(store, "a") == 1

tests/test_billing.py:6:
_ _ _ _ _ _ _ _ _ _ _ _ _ _ _ _ _ _ _ _ _ _ _ _ _ _ _ _ _ _ _ _ _ _ _ _ _ _ _ _
src/billing.py:5: in invoice
    row = store.load(key)
_ _ _ _ _ _ _ _ _ _ _ _ _ _ _ _ _ _ _ _ _ _ _ _ _ _ _ _ _ _ _ _ _ _ _ _ _ _ _ _

self = <src.store.Store object>, key = 'a'

    def load(self, key):
>       return self.rows[key]
E       KeyError: 'a'

src/store.py:9: KeyError
=========================== short test summary info ============================
FAILED tests/test_billing.py::test_invoice - KeyError: 'a'
============================== 1 failed in 0.03s ===============================
"""
PASSED = """\
============================= test session starts ==============================
tests/test_billing.py .                                                  [100%]

============================== 1 passed in 0.02s ===============================
"""


class Unheard:
    """A call nobody listens to; or one that the host takes back after so many words."""

    def __init__(self, stops_after: int | None = None) -> None:
        self.words: list[tuple[int, int | None, str]] = []
        self.stops_after = stops_after

    def progress(self, done: int, total: int | None = None, words: str = "") -> None:
        self.words.append((done, total, words))
        if self.stops_after is not None and len(self.words) > self.stops_after:
            raise Stopped


class Host:
    """Whoever calls."""

    def __init__(self, project: Path, workspace: Path, *, record_recalls: bool = False) -> None:
        self.project = project
        self.door = Door(str(workspace), str(project), record_recalls=record_recalls)
        self.offer: Offer = offering(self.door, (ALL,))

    def call(self, name: str, call: Unheard | None = None, /, **given: Any) -> Answer:
        """What a tool answers, as it comes out of a wire."""
        tool = self.tool(name)
        answer: Answer = json.loads(json.dumps(tool.run(filled(tool, given), call or Unheard())))
        assert not list(misfits(answer, tool.gives)), name
        return answer

    def tool(self, name: str) -> Tool:
        (found,) = (tool for tool in self.offer.tools if tool.name == name)
        return found

    def read(self, template: str, **said: str) -> str:
        (found,) = (each for each in self.offer.resources if each.uri == template)
        return found.read(template, said, Unheard())

    def write(self, path: str, text: str) -> None:
        full = self.project / path
        full.parent.mkdir(parents=True, exist_ok=True)
        full.write_text(text, encoding="utf-8")

    def head(self) -> tuple[int, bytes]:
        return self.door.live().session.recorded.head()


def project(folder: Path) -> Path:
    """A small one."""
    for path, text in (("src/store.py", STORE), ("src/billing.py", BILLING), ("tests/test_billing.py", TEST)):
        (folder / path).parent.mkdir(parents=True, exist_ok=True)
        (folder / path).write_text(text, encoding="utf-8")
    return folder


def filled(tool: Tool, given: Mapping[str, Any]) -> dict[str, Any]:
    """Arguments as they arrive: all of them known, those that are wanted there, defaults for the others."""
    known = tool.takes["properties"]
    assert set(given) <= set(known)
    assert set(tool.takes.get("required", ())) <= set(given)
    return {**{name: each["default"] for name, each in known.items() if "default" in each}, **given}


KINDS = {"string": str, "integer": int, "boolean": bool, "array": list, "object": dict}


def misfits(value: Any, schema: Mapping[str, Any], place: str = "") -> list[str]:
    """Where a value isn't what a schema says."""
    found = []
    if "const" in schema and value != schema["const"]:
        found.append(f"{place}: {value!r}")
    kind = KINDS.get(schema.get("type", ""))
    if kind is not None and (not isinstance(value, kind) or (kind is int and isinstance(value, bool))):
        found.append(f"{place}: {type(value).__name__}")
    found += [f"{place}.{name}: missing" for name in schema.get("required", ()) if name not in value]
    if isinstance(value, dict):
        for name, part in schema.get("properties", {}).items():
            if name in value:
                found += misfits(value[name], part, f"{place}.{name}")
    return found
