"""Tool results are shortened by kind: nothing is lost that isn't behind a marker, and nothing grows."""

from __future__ import annotations

import json
import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ccos_core.text.compress.json_tables import restored
from ccos_core.text.compress.listings import ungrouped
from ccos_core.text.compress.router import KINDS, PLAIN, reference_of, shorten
from ccos_core.text.compress.shortened import MARKER, Shortened, lost_facts
from ccos_core.values.tokens import estimate

PIECES = st.sampled_from(
    [
        "src/app.py:12:def run():", "src/app.py:40:    run()", "src/app.py-41-", "src/db/pool.py:7:import os",
        "tests/test_api.py::test_ok PASSED [ 10%]", "tests/test_api.py::test_no FAILED", "E   assert 3 == 4",
        "test tests::parses ... ok", "--- PASS: TestIt (0.00s)", "ok  \tpkg/a\t0.012s", "✓ renders", "Traceback (most",
        '  File "src/app.py", line 12, in run', "ValueError: E0012 nope", "0 errors, 3 failures", "exit code 1",
        "2024-01-02 10:00:00 INFO served 200 in 12ms", "10:00:01 DEBUG tick 17", "   Compiling serde v1.0.2",
        "diff --git a/src/a.py b/src/a.py", "--- a/src/a.py", "+++ b/src/a.py", "@@ -1,9 +1,9 @@ def f", "+new", "-old",
        " same", "diff --git a/package-lock.json b/package-lock.json", "+++ b/package-lock.json", "src/", "src/db/",
        "./src/db/pool.py", "src/db/row.py", "", "  indented", "a: b", "[ccr 0123456789ab:1-2 2 lines, 9 tokens]", "\r",
    ]
)  # fmt: skip
TEXTS = st.one_of(
    st.lists(st.one_of(PIECES, st.text(max_size=30)), max_size=60).map("\n".join),
    st.lists(PIECES, min_size=30, max_size=80).map("\n".join),
    st.text(max_size=900),
)
FORCED = st.sampled_from([None, *KINDS])


def whole(short: Shortened, text: str) -> str:
    """Put the lines of the original where the markers stand."""
    lines = text.split("\n")
    shown = []
    for line in short.text.split("\n"):
        found = MARKER.fullmatch(line)
        shown += lines[int(found[2]) - 1 : int(found[3])] if found else [line]
    return "\n".join(shown)


@given(TEXTS, FORCED)
def test_what_is_shown_and_what_is_behind_markers_is_all_of_it(text: str, kind: str | None) -> None:
    short = shorten(text, ref=reference_of(text.encode("utf-8", "surrogatepass")), kind=kind)
    assert estimate(short.text) <= estimate(text)
    assert list(lost_facts(text, short)) == []
    if short.kind in ("log", "diff"):
        assert whole(short, text) == text
    elif short.kind in ("search", "listing"):
        assert ungrouped(short.text) == text
    elif short.kind == "json":
        assert restored(short.text) == json.loads(text)
    else:
        assert (short.kind, short.text, short.gaps) == (PLAIN, text, ())


@given(TEXTS, FORCED)
def test_markers_count_truly(text: str, kind: str | None) -> None:
    short = shorten(text, ref="0" * 12, kind=kind)
    lines = text.split("\n")
    for gap, found in zip(short.gaps, MARKER.finditer(short.text), strict=False):
        assert (int(found[2]), int(found[3]), int(found[5])) == (gap.first, gap.last, gap.tokens)
        assert int(found[4]) == gap.last - gap.first + 1 <= len(lines)
        assert abs(gap.tokens - estimate("\n".join(lines[gap.first - 1 : gap.last]))) <= 1


@given(TEXTS)
def test_the_same_text_is_shortened_once(text: str) -> None:
    short = shorten(text, ref="0" * 12)
    if short.gaps:
        assert shorten(short.text, ref="1" * 12).text == short.text


def test_every_line_of_trouble_stays() -> None:
    passed = [f"tests/test_api.py::test_error_{at} PASSED [ {at}%]" for at in range(60)]
    trouble = ["tests/test_api.py::test_sum FAILED", "E   assert 3 == 4", "src/app.py:12: ValueError", "exit code 1"]
    text = "\n".join(["$ pytest -v", *passed[:30], *trouble, *passed[30:], "1 failed, 60 passed in 0.1s"])
    short = shorten(text, ref="0123456789ab")
    assert short.kind == "log"
    assert all(line in short.text.split("\n") for line in (*trouble, "1 failed, 60 passed in 0.1s"))
    assert estimate(short.text) * 3 < estimate(text)


@pytest.mark.parametrize(
    "trouble",
    ["Process exited with code 137", "job rc=2", "status: 139", "core dumped 3", "CRITICAL a 3", "invalid value 3",
     "got 3", "✔ 9 passed, ✗ 1 failed", "ok 4 - d # TODO broken", "x" * 2_000 + " error"],
)  # fmt: skip
def test_trouble_stays_though_lines_before_are_alike(trouble: str) -> None:
    alike = [re.sub(r"\d+", str(at), trouble) for at in (1, 2)]
    calm = [f"2024-01-02 10:00:{at:02} INFO tick" for at in range(40)]
    text = "\n".join([*alike, *calm[:20], trouble, *calm[20:]])
    assert trouble in shorten(text, ref="0123456789ab", kind="log").text.split("\n")


@pytest.mark.parametrize("unit", ["a", "a/", "PASSED ", "src/a.py:1:", ". ", "  "])
@pytest.mark.parametrize("kind", KINDS)
def test_long_lines_take_linear_time(unit: str, kind: str) -> None:
    """Quadratic patterns would take hours; the test's own time limit ends them."""
    text = "\n".join([unit * 200_000, *[unit * 200] * 30])
    assert shorten(text, ref="0123456789ab").text
    assert shorten(text, ref="0123456789ab", kind=kind).text


def test_repeated_lines_of_a_service_are_left_out_and_counted() -> None:
    text = "\n".join(f"2024-01-02 10:00:{at:02} INFO served /item/{at} in {at}ms" for at in range(60))
    short = shorten(text, ref="0123456789ab")
    (gap,) = short.gaps
    assert (
        f"[ccr 0123456789ab:{gap.first}-{gap.last} {gap.last - gap.first + 1} lines, {gap.tokens} tokens]" in short.text
    )


def test_a_changed_line_stays_except_in_a_lock_file() -> None:
    lock = ["diff --git a/yarn.lock b/yarn.lock", "--- a/yarn.lock", "+++ b/yarn.lock", "@@ -0,0 +1,50 @@"]
    code = [
        "diff --git a/a.py b/a.py",
        "--- a/a.py",
        "+++ b/a.py",
        "@@ -1,51 +1,51 @@",
        *[f" line {n}" for n in range(50)],
    ]
    after = ["FAILED", "E   assert 3 == 4", "exit code 1"]
    text = "\n".join([*lock, *[f"+package {n}" for n in range(50)], *code, "-old = 1", "+new = 2", *after])
    shown = shorten(text, ref="0123456789ab").text.split("\n")
    assert {"-old = 1", "+new = 2", "@@ -1,51 +1,51 @@", "+++ b/yarn.lock", " line 49", *after} <= set(shown)
    assert not {"+package 25", " line 20"} & set(shown)


def test_a_files_name_stands_once_above_its_results() -> None:
    results = [f"src/deep/folder/app.py:{n}:call({n})" for n in range(30)] + ["README.md:1:call"]
    short = shorten("\n".join(results), ref="0123456789ab")
    assert short.kind == "search"
    assert short.text.split("\n")[:2] == ["src/deep/folder/app.py:", "  :0:call(0)"]
    assert short.text.endswith("README.md:1:call")


@pytest.mark.parametrize(
    "text",
    [
        "iVBORw0KGgoAAAANSUhEUgAA" * 100,  # base64 on one line
        "def run():\n    return 1\n" * 40,  # code
        "All is well. " * 100,
        '{"a": [1, 2, 3]}\n' * 60,
    ],
)
def test_what_has_no_certain_kind_stays(text: str) -> None:
    assert shorten(text, ref="0123456789ab").text == text
