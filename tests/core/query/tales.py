"""Sessions for `autopsy`, a line an event: a shop whose test fails far from its cause, and an agent that mends it.

see store/rates.py [3-9]        the agent is shown a file, or lines of it
edit store/rates.py             it changes it; every change is another text
back store/rates.py             it changes it to what it was before its last change
copy store/rates.py kept.py     it copies a file over another by a command; what that is then isn't known
restore store/rates.py          it has version control put it back
rm store/rates.py               it deletes it by a command
foreign store/rates.py          somebody else changes it, and it is looked at
by sub: edit store/rates.py     another context of the same conversation does it
by user: edit store/rates.py    a user does
fail tests/test_cart.py [at api/cart.py]      a test fails, in the code or in itself
pass tests/test_cart.py         it passes
run tests/test_cart.py fails / passes         the same, told by what the runner prints
compact / compact exact / compact keeping store/rates.py      the host shortens its context
clear / usage 9000 / prompt / look      and what else happens
"""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from typing import Any

from ccos_core.query.autopsy import autopsy
from ccos_core.query.autopsy.answer import Autopsy
from ccos_core.replay.timeline import Timeline
from tests.core.replay.told import timeline_of
from tests.core.state.small import Tale

CHAIN = ("api/cart.py", "shop/totals.py", "shop/prices.py", "store/rates.py")
"""Each uses the next one; a failure in the first may come from the last."""
HUB = "store/money.py"
"""Everything uses it."""
DECOYS = ("shop/totals_view.py", "api/cart_rates.py", "docs_tool.py")
"""They sound alike, and nothing of the chain uses them."""
TEST, OTHER_TEST = "tests/test_cart.py", "tests/test_stock.py"
OTHERS = ("shop/stock.py", "store/shelf.py")
"""What the other test depends on."""

FILES = {
    TEST: "from api.cart import cart\n\n\ndef test_cart():\n    assert cart(2) == 4\n",
    "api/cart.py": "from shop.totals import totals\nfrom store.money import money\n\n\n"
    "def cart(amount):\n    return money(totals(amount))\n",
    "shop/totals.py": "from shop.prices import prices\nfrom store.money import money\n\n\n"
    "def totals(amount):\n    return money(prices(amount))\n",
    "shop/prices.py": "from store.rates import rates\nfrom store.money import money\n\n\n"
    "def prices(amount):\n    return money(rates(amount))\n",
    "store/rates.py": "RATE = 2\n\n\ndef rates(amount):\n    return amount * RATE\n",
    HUB: "def money(amount):\n    return amount\n",
    "shop/totals_view.py": "from store.money import money\n\n\ndef totals_view(cart):\n    return money(cart)\n",
    "api/cart_rates.py": "from store.money import money\n\n\ndef cart_rates(rates):\n    return money(rates)\n",
    "docs_tool.py": "def pages(root):\n    return sorted(root)\n",
    OTHER_TEST: "from shop.stock import stock\n\n\ndef test_stock():\n    assert stock(1) == 1\n",
    "shop/stock.py": "from store.shelf import shelf\nfrom store.money import money\n\n\n"
    "def stock(place):\n    return money(shelf(place))\n",
    "store/shelf.py": "def shelf(place):\n    return place\n",
    "README.md": "# A shop\n",
}  # fmt: skip
PASSED = """\
============================= test session starts ==============================
collected 1 item

{test} .                                                   [100%]

============================== 1 passed in 0.01s ===============================
"""
FAILED = """\
============================= test session starts ==============================
collected 1 item

{test} F                                                   [100%]

=================================== FAILURES ===================================
__________________________________ {name} __________________________________

    def {name}():
>       assert cart(2) == 4
E       assert 5 == 4

{test}:{line}: AssertionError
=========================== short test summary info ============================
FAILED {test}::{name} - assert 5 == 4
============================== 1 failed in 0.01s ===============================
"""
AGENT = {"host": "story", "session": "s-1"}


class Told:
    """A session that is being told."""

    def __init__(self, files: Mapping[str, str] = FILES) -> None:
        self.tale = Tale(files)
        self.texts = dict(files)
        self.history: dict[str, list[str]] = {path: [text] for path, text in files.items()}
        self.calls: dict[str, str] = {}
        self.count = 0
        self.who: dict[str, Any] = {}

    def tell(self, story: str) -> Told:
        for line in filter(None, map(str.strip, story.splitlines())):
            self.one(line)
        return self

    def one(self, line: str) -> None:
        self.who = dict(AGENT)
        if found := re.fullmatch(r"by (\w+): (.+)", line):
            line = found[2]
            self.who.update({"actor": "user"} if found[1] == "user" else {"context": found[1]})
        word, *rest = line.split()
        getattr(self, f"_{word}")(*rest)

    @property
    def step(self) -> int:
        return len(self.tale.ops)

    def timeline(self) -> Timeline:
        return timeline_of(self.tale)

    def autopsy(self, **more: Any) -> Autopsy:
        timeline = self.timeline()
        return autopsy(timeline, timeline.head, **more)

    def _op(self, **op: Any) -> None:
        self.count += 1
        self.tale.tell({**op, **self.who, "call": f"call-{self.count}"})

    def _source(self, path: str, how: str) -> None:
        if how == "read":
            self.calls[path] = f"call-{self.count + 1}"
        self._op(kind="seen", how=how, path=path, content=self.tale.facts.keep(self.texts[path]))

    def _changed(self, path: str) -> str:
        self.count += 1
        lines = self.texts.get(path, "X = 1\n").splitlines(keepends=True)
        lines[-1] = re.sub(r"( or \d+)?\n$", f" or {self.count}\n", lines[-1])
        return self._put(path, "".join(lines))

    def _put(self, path: str, text: str) -> str:
        self.texts[path] = text
        self.history.setdefault(path, []).append(text)
        return text

    def _see(self, path: str, lines: str = "") -> None:
        if not lines:
            self._source(path, "read")
            return
        first, last = map(int, lines.split("-"))
        part = "".join(self.texts[path].splitlines(keepends=True)[first - 1 : last])
        content = self.tale.facts.keep(part)
        self._op(kind="seen", how="read", path=path, content=content, slice=[first, last])

    def _edit(self, path: str) -> None:
        self._changed(path)
        self._source(path, "edit")

    def _back(self, path: str) -> None:
        self._put(path, self.history[path][-2])
        self._source(path, "edit")

    def _copy(self, path: str, to: str) -> None:
        self._command(f"cp {path} {to}", to)

    def _restore(self, path: str) -> None:
        self._command(f"git checkout -- {path}", path)

    def _rm(self, path: str) -> None:
        self.texts.pop(path)
        keep = self.tale.facts.keep
        command = keep(json.dumps({"command": f"rm {path}"}))
        self._op(kind="tool", name="Bash", outcome="ok", arguments=command, result=keep(""), cwd=".")
        gone = {"kind": "gone", "path": path, "inferred": True}
        self.tale.tell({**gone, **self.who, "call": f"call-{self.count}", "phase": "file.0"})

    def _command(self, command: str, path: str) -> None:
        """Run something that changes a file, nobody knows how."""
        keep = self.tale.facts.keep
        arguments, result = keep(json.dumps({"command": command})), keep("")
        self._op(kind="tool", name="Bash", outcome="ok", arguments=arguments, result=result, cwd=".")
        changed = {"kind": "seen", "how": "edit", "path": path, "withheld": "unplaced", "inferred": True}
        self.tale.tell({**changed, **self.who, "call": f"call-{self.count}", "phase": "file.0"})

    def _write(self, path: str) -> None:
        self._changed(path)
        self._source(path, "write")

    def _foreign(self, path: str) -> None:
        self.tale.look(path, self._changed(path))

    def _look(self) -> None:
        for path in sorted(self.texts):
            self.tale.look(path, self.texts[path])

    def _move(self, path: str, to: str) -> None:
        self.texts[to] = self.texts.pop(path)
        self.history[to] = self.history.pop(path)
        self.tale.tell({"kind": "renamed", "path": path, "to": to})

    def _fail(self, test: str, _: str = "", at: str = "") -> None:
        name = test.rpartition("/")[2].removesuffix(".py")
        own = [test, self.texts[test].count("\n")]
        sites = [[at, self.texts[at].count("\n")], own] if at else [own]
        self._op(kind="failed", runner="pytest", test=f"{test}::{name}", sites=sites)

    def _run(self, test: str, outcome: str) -> None:
        """The same as the output of pytest says it."""
        name, line = test.rpartition("/")[2].removesuffix(".py"), self.texts[test].count("\n")
        told = (PASSED if outcome == "passes" else FAILED).format(test=test, name=name, line=line)
        keep = self.tale.facts.keep
        command, ended = keep('{"command": "pytest ' + test + '"}'), "ok" if outcome == "passes" else "error"
        self._op(kind="tool", name="Bash", outcome=ended, arguments=command, result=keep(told), cwd=".")

    def _pass(self, test: str) -> None:
        name = test.rpartition("/")[2].removesuffix(".py")
        self._op(kind="passed", runner="pytest", scope="tests", tests=[f"{test}::{name}"])

    def _compact(self, exact: str = "", path: str = "") -> None:
        kept = {"kept": [self.calls[path]]} if path else {}
        self._op(kind="compaction", trigger="auto", before=90_000, after=9_000, exact=exact == "exact", **kept)

    def _clear(self) -> None:
        self._op(kind="cleared")

    def _usage(self, tokens: str) -> None:
        self._op(kind="usage", window=int(tokens))

    def _prompt(self, *words: str) -> None:
        said = " ".join(words) or f"go on, {self.count}"
        self._op(kind="prompt", said=self.tale.facts.keep(said), source="user")


def told(story: str) -> Told:
    """A session, told."""
    return Told().tell(story)
