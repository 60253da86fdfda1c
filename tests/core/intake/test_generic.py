"""Places in the output of whatever has no reader of its own, and all that only looks like one."""

import re
import time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ccos_core.intake.failures import read
from ccos_core.intake.failures.generic import _NUMBER
from ccos_core.values.outcome import Frame

# a line, the place in it
ERRORS = [
    ("src/a.c:12:5: error: expected ';' before '}' token", ("src/a.c", 12)),
    ("src/a.c:12: fatal error: no.h: No such file", ("src/a.c", 12)),
    ("src/a.as(10,5): error 2322: Type 'x' is not assignable", ("src/a.as", 10)),
    ("./main.go:10:2: declared and not used: x", ("./main.go", 10)),
    ("[lint:go] cmd/x.go:34:9: error returned is unwrapped (wrapcheck)", ("cmd/x.go", 34)),
    ("pkg/core.py:12: error: Incompatible types  [assignment]", ("pkg/core.py", 12)),
    ("pkg/core.py:12:5: F401 `x` imported but unused", ("pkg/core.py", 12)),
    ("PHP Fatal error:  Uncaught Error in /app/src/x.php on line 12", ("/app/src/x.php", 12)),
    ("Parse error at lib/x.pl line 3, near", ("lib/x.pl", 3)),
    ("deploy.sh: line 3: foo: command not found", ("deploy.sh", 3)),
    ("app.rb:3:in 'f': undefined method 'g' (NoMethodError)", ("app.rb", 3)),
    ("C:\\proj\\src\\a.cpp(12): error C2065: 'x': undeclared", ("C:\\proj\\src\\a.cpp", 12)),
    ("ERROR: build failed in src/a.zig:7:1", ("src/a.zig", 7)),
    ("\x1b[1msrc/a.c:12:5: \x1b[31merror:\x1b[0m bad", ("src/a.c", 12)),
    ("   --> src/a.x:12:5", ("src/a.x", 12)),
    ("    at run (src/a.wat:12:5)", ("src/a.wat", 12)),
    ("CMake Error at CMakeLists.txt:27 (find_package):", ("CMakeLists.txt", 27)),
]


@pytest.mark.parametrize(("line", "place"), ERRORS)
def test_a_place(line: str, place: tuple[str, int]) -> None:
    (failure,) = read(f"building\n{line}\n", "make", ok=False).failures
    assert (failure.runner, failure.test, failure.frames[:1]) == ("make", "", (Frame(*place),))


@pytest.mark.parametrize(("line", "place"), ERRORS)
@pytest.mark.parametrize("ok", [True, None])
def test_only_of_a_command_that_failed(line: str, place: tuple[str, int], ok: bool | None) -> None:
    assert not read(line, "make", ok=ok).failures


NO_PLACES = [
    "error: see https://example.com/a.py:12 for more",
    "error: cannot connect to db.internal.local:5432",
    "error: localhost:8080 refused, host api.example.com:443",
    "12:30:05 error",
    "2024-01-01 12:30:05,123 error",
    "error in version 1.2.3:4",
    "error: python3.11:5",
    "app.py:12 INFO cannot be an error",
    "2024-01-01 12:30:05 a.py:12 DEBUG error was expected",
    "[info] a.py:12 failed over",
    "-rw-r--r-- 1 ann ann 120 Jan 1 12:30 error.py",
    "commit 1a2b3c4d5e6f: error.py:",
    "src/a.c:12:5: warning: unused variable 'error'",
    "src/a.c:12:5: note: expected 'int'",
    "warning: error-prone code at src/a.c:12",
    "error: user@host.py:12 denied",
    "error: git@github.com:12/x.py",
    "src/a.py:12:def error_handler():",
    "src/a.py:12:    return 3",
    "error: image nginx:1.25 not found",
    "error at a.zip:12",
    "error 10:20",
    "error: x=a.py:12",
    "a.py",
]


@pytest.mark.parametrize("line", NO_PLACES)
def test_no_place(line: str) -> None:
    if line.startswith("src/a.py:12:def"):  # as a search would show it
        assert not read(line, "grep -n error src/a.py", ok=False)
    else:
        assert not read(line, "make", ok=False)


def test_a_diff() -> None:
    diff = "diff --git a/a.py b/a.py\nindex 1a2b3c4..5d6e7f8 100644\n--- a/a.py\n+++ b/a.py\n@@ -1,2 +1,2 @@\n"
    assert not read(f"{diff}-# error in a.py:12\n+# error in a.py:13\n", "make", ok=False)


def test_each_line_with_an_error_is_one() -> None:
    text = "a.c:1:1: error: x\nb.c:2:2: warning: y\nc.c:3:3: error: z\n"
    assert [each.frames for each in read(text, "make", ok=False).failures] == [(Frame("a.c", 1),), (Frame("c.c", 3),)]


def test_places_alone_go_together() -> None:
    text = "boom\n  at f (src/a.wat:3:1)\n  at g (src/b.wat:4:1)\n"
    assert [each.frames for each in read(text, "run", ok=False).failures] == [
        (Frame("src/a.wat", 3), Frame("src/b.wat", 4))
    ]


def test_not_where_a_runner_was_recognised() -> None:
    text = 'a.c:1:1: error: x\nTraceback (most recent call last):\n  File "b.py", line 1, in f\n    x\nKeyError: 1\n'
    assert [each.runner for each in read(text, "make", ok=False).failures] == ["python"]


@pytest.mark.parametrize(
    "line",
    [
        "a.c:1:2: error: no " + "1" * 3_900 + "x",
        "a.c:1:2: error: no " + " " * 3_900 + "x",
        "a.c:1:2: error: no " + ":(" * 1_950 + "x",
        "a.c:1:2: error: no " + "1 " * 1_950 + "1x",
        "> " + "@" * 3_990,
        "> " + "a@" * 1_995,
    ],
)
def test_long_lines_take_no_square(line: str) -> None:
    started = time.process_time()
    read("\n".join([line] * 40), "make", ok=False)
    assert time.process_time() - started < 0.6  # 0.02 s; the square of it were 0.6 to 6


@given(st.text(" :(,12x_-.é", max_size=20))
def test_numbers_go_with_what_stands_in_front_of_them(text: str) -> None:
    assert _NUMBER.sub("", text) == re.sub(r"[\s:(,]*\d+\b", "", text)
