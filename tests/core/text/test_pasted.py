"""Pasted blocks are found whole, and what a person writes isn't taken for one."""

import time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ccos_core.text.pasted import pasted_blocks
from ccos_core.text.statements import statements_of

TRACE = 'Traceback (most recent call last):\n  File "a.py", line 3, in f\n    return g(x)\nValueError: no such order'
DIFF = (
    "diff --git a/a.py b/a.py\n--- a/a.py\n+++ b/a.py\n@@ -1,3 +1,3 @@\n def f():\n-    Never push.\n+    Push it.\n \n"
)
LOG = "2026-01-02 10:00:00 started\n2026-01-02 10:00:01 Never mind.\nstill on it\n2026-01-02 10:00:02 done"
JSON = '{\n  "rule": "Always push to main.",\n  "steps": [\n    "one"\n  ]\n}'
CODE = "def charge(order):\n    # Never retry.\n    total = order.total\n    return total(order)"
GO = "func main() {\n\tx := read()\n\n\tif x == nil {\n\t\tpanic(x)\n\t}\n}"
TERMINAL = (
    "$ make test\n=== RUN one ===\n--- FAIL: TestOne (0.1s)\n    a_test.go:12: Always fails.\nFAIL\texample.org/a\t0.1s"
)
NODE = "TypeError: x is not a function\n    at run (/src/a.js:3:7)\n    at async main (/src/b.js:9:1)"
QUOTED = "> Use tabs. Never push.\n> Ask first."
BLOCKS = [TRACE, DIFF, LOG, JSON, CODE, GO, TERMINAL, NODE, QUOTED]

PROSE = [
    "Always use tabs. Never push to main!",
    "- use `ruff check`; no other linter\n- never call f(x) in a loop",
    "Please look at src/db.py: it opens two connections.",
    "From now on, import only what you need, and type every function.",
    "If the build is red, stop; ask me.",
    "1. First the tests.\n2. Then the code.",
    "Return early where you can.",
    "Class names are nouns: Order, Invoice.",
    "I said: use spaces. It's 10:30, let's go on tomorrow.",
    "Type hints everywhere, please; for tests too.",
    "Warning: never touch the migrations.",
    "/src/a.py is broken, fix it",
]


@pytest.mark.parametrize("block", BLOCKS)
@pytest.mark.parametrize(("before", "after"), [("It fails:", "Why is that?"), ("", ""), ("Look.\n", "\nNever do it.")])
def test_a_pasted_block_is_one_statement(before: str, block: str, after: str) -> None:
    found = statements_of(f"{before}\n{block}\n{after}")
    (pasted,) = [each for each in found if each.pasted]
    assert pasted.text.strip() == block.strip()
    assert [each.text for each in found if not each.pasted] == [each.strip() for each in (before, after) if each]


@pytest.mark.parametrize("text", PROSE)
def test_what_a_person_writes_is_not_pasted(text: str) -> None:
    assert statements_of(text)
    assert not [each for each in statements_of(text) if each.pasted]


def test_a_fence_may_open_behind_words() -> None:
    found = statements_of("didn't ```\nAlways push.\n```\nthis one succeed?")
    assert [(each.text, each.pasted) for each in found] == [
        ("didn't ```", False),
        ("Always push.", True),
        ("this one succeed?", False),
    ]


@given(st.lists(st.sampled_from([*BLOCKS, *PROSE, "", "  indented", "x" * 90]), max_size=8).map("\n".join))
def test_blocks_are_apart_and_in_order(text: str) -> None:
    lines = text.splitlines()
    blocks = pasted_blocks(lines)
    assert all(first < end for first, end in blocks)
    assert [each for block in blocks for each in block] == sorted(each for block in blocks for each in block)


@pytest.mark.parametrize("line", ["at ((((", "((((", "x = ", "=== = ", "a.b:", "\u2502", "} x", '"a', "> ", "```x"])
def test_long_lines_and_many_lines_take_linear_time(line: str) -> None:
    def took(times: int) -> float:
        begun = time.process_time()
        statements_of(line * times)
        statements_of(f"{line}\n" * times)
        return time.process_time() - begun

    took(1_000)
    assert took(160_000) < 10 * max(took(40_000), 0.1)
