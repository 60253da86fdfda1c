"""The purity rules hold in ccos_core, and each rule bites: a snippet it must catch, a snippet it must let pass.

What is an offence and why stands in purity.py; here is only what proves it.
"""

from pathlib import Path

import pytest

from tests.house import tree
from tests.house.purity import HASHED, offences

# rule, a room it holds in, what it must catch
CAUGHT = [
    ("the_world", "state", "open('x')"),
    ("the_world", "query", "print('x')"),
    ("the_world", "errors", "input()"),
    ("the_world", "query", "from datetime import datetime\nstamp = datetime.now()"),
    ("the_world", "query", "import datetime\nstamp = datetime.datetime.utcnow()"),
    ("the_world", "log", "import time\nstarted = time.time()"),
    ("the_world", "log", "from time import monotonic"),
    ("the_world", "text", "import os\nhome = os.environ['HOME']"),
    ("the_world", "text", "from os import environ"),
    ("the_world", "intake", "import os\nhere = os.getcwd()"),
    ("the_world", "intake", "from pathlib import Path\nhere = Path.cwd()"),
    ("the_world", "learn", "import random"),
    ("the_world", "learn", "def pick():\n    from random import choice\n    return choice"),
    ("the_world", "values", "import uuid"),
    ("the_world", "fleet", "import socket"),
    ("the_world", "text", "import locale"),
    ("builtin_hash", "values", "key = hash('x')"),
    ("builtin_hash", "query", "keys = map(hash, names)"),
    ("builtin_hash", "query", "names.sort(key=hash)"),
    ("bare_sets", "state", "for x in {1, 2}: pass"),
    ("bare_sets", "state", "for x in set(names): pass"),
    ("bare_sets", "state", "for x in set(names) - other: pass"),
    ("bare_sets", "state", "for x in a.keys() & b.keys(): pass"),
    ("bare_sets", "state", "for x in frozenset(names).union(more): pass"),
    ("bare_sets", "window", "out = [x for x in {n for n in names}]"),
    ("bare_sets", "window", "out = {x: 1 for x in set(names)}"),
    ("bare_sets", "window", "out = list(frozenset(names))"),
    ("bare_sets", "window", "out = tuple({1, 2})"),
    ("bare_sets", "window", "out = ', '.join({'a', 'b'})"),
    ("bare_sets", "window", "out = ', '.join(str(x) for x in {1, 2})"),
    ("bare_sets", "window", "for n, x in enumerate({1, 2}): pass"),
    ("bare_sets", "window", "out = [*{1, 2}]"),
    ("bare_sets", "window", "first = next(iter({1, 2}))"),
    ("bare_sets", "window", "first, second = {1, 2}"),
    ("bare_sets", "window", "def f():\n    yield from {1, 2}"),
    ("bare_sets", "memory", "seen = set()\nfor x in seen: pass"),
    ("bare_sets", "memory", "def f():\n    seen = set()\n    seen |= {1}\n    return list(seen)"),
    ("bare_sets", "memory", "def f(seen: set[int] | None):\n    return [x for x in seen or ()]"),
    ("bare_sets", "memory", "class A:\n    seen: frozenset[int]\n    def f(self):\n        return list(self.seen)"),
    ("bare_sets", "memory", "SEEN = frozenset(names)\ndef f():\n    return list(SEEN)"),
    ("bare_sets", "memory", "seen = set(names)\nlast = seen.pop()"),
    ("inexact_numbers", "state", "half = 0.5"),
    ("inexact_numbers", "state", "half = float('0.5')"),
    ("inexact_numbers", "window", "halves = map(float, names)"),
    ("inexact_numbers", "values", "half = a / 2"),
    ("inexact_numbers", "values", "a /= 2"),
    ("inexact_numbers", "replay", "total = sum(x / 2 for x in xs)"),
    ("inexact_numbers", "replay", "total = sum(xs, 0.0)"),
    ("inexact_numbers", "memory", "import math\nroot = math.sqrt(2)"),
    ("inexact_numbers", "memory", "from math import exp"),
    ("unix_only_imports", "storage", "import fcntl"),
    ("unix_only_imports", "session", "try:\n    import termios\nexcept ImportError:\n    termios = None"),
    ("unix_only_imports", "tui", "from pwd import getpwuid"),
    ("allowance", "state", "x = 1  # pure: nothing here needs it"),
]

# a room, what no rule may mind there
PASSED = [
    ("storage", "import os\nwith open('x') as f: print(f.read(), os.environ)"),
    ("session", "import time, uuid\nx = (time.time(), uuid.uuid4())"),
    ("serve", "for x in {1, 2}: print(x)"),
    ("tui", "for x in {1, 2}: print(x / 2)"),
    ("text", "from ccos_core.text.sanitize import secrets\nfound = secrets.find(text)"),
    ("query", "def seen_at(now): return now"),
    ("query", "clock.advance()\nmoment = clock.now"),
    ("query", "share = 100 * used / budget"),
    ("values", "class A:\n    def __hash__(self):\n        return hash(self.key)"),
    ("values", "def digest(data): return hash_of(data)"),
    ("state", "for x in sorted({1, 2}): pass"),
    ("state", "for x in sorted(set(names) - other): pass"),
    ("state", "for x in sorted(list({1, 2})): pass"),
    ("state", "for x in {'a': 1}: pass"),
    ("state", "for x in dict.fromkeys(names): pass"),
    ("state", "for x in a - b: pass"),
    ("state", "for x in a.keys(): pass"),
    ("state", "out = sorted(x.id for x in {1, 2} if x)"),
    ("state", "out = {x + 1 for x in {1, 2}}"),
    ("state", "ok = any(x > 1 for x in {1, 2}) and 3 in {1, 2} and len({1, 2})"),
    ("state", "both = set(a) | set(b)\nmost = max(both)"),
    ("state", "seen = set()\nseen.update(x for x in {1, 2})"),
    ("state", "def f():\n    seen = set()\n    return seen\ndef g(seen):\n    return list(seen)"),
    ("state", "names = set(names)\nnames = sorted(names)\nout = list(names)"),
    ("state", "stack.pop()\nstack = [1]"),
    ("state", "only, = {1}"),
    ("state", "half = a // 2\nshare = 5 * 1000 >> 3\nok = isinstance(a, float)"),
    ("state", "import math\nroot = math.isqrt(9)"),
    ("state", "half = 0.5  # pure: shown to people, never compared"),
    ("state", "half = (\n    a\n    / 2  # pure: shown to people\n)"),
    ("storage", "def lock(file):\n    import fcntl\n    fcntl.flock(file, 2)"),
    ("state", "text = '# pure: in a string, no allowance'"),
]


@pytest.mark.parametrize(("rule", "room", "snippet"), CAUGHT)
def test_rule_catches(rule: str, room: str, snippet: str) -> None:
    assert rule in {offence.rule for offence in offences(snippet, room)}


@pytest.mark.parametrize(("room", "snippet"), PASSED)
def test_rules_let_pass(room: str, snippet: str) -> None:
    assert offences(snippet, room) == []


def test_an_allowance_needs_a_reason() -> None:
    assert offences("half = 0.5  # pure:", "state")


def test_no_hashed_room_is_misspelt() -> None:
    expected = {"values", "ops", "text", "log", "state", "memory", "window", "replay"}
    assert expected == HASHED


def test_core_is_pure() -> None:
    check({path: tree.room(path) for path in tree.modules("ccos_core")})


def test_tui_starts_anywhere() -> None:
    check(dict.fromkeys(tree.modules("ccos_tui"), "tui"))


def check(rooms: dict[Path, str]) -> None:
    found = [
        f"{tree.name(path)}:{line}: {rule}: {what}"
        for path, room in rooms.items()
        for line, rule, what in offences(path.read_text(encoding="utf-8"), room)
    ]
    assert not found, "\n".join([*found, "(a line with good reason says so: `# pure: reason`)"])
