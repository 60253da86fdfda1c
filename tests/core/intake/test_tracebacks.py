"""Python's own tracebacks, as it really prints them and as outputs mangle them."""

import pytest

from ccos_core.intake.failures import read
from ccos_core.intake.failures.paths import Known
from ccos_core.values.outcome import Failure, Frame, Pass, Report
from tests.core.intake.outputs import known_paths, python

CORE = "pkg/core.py"


def ours(failure: Failure) -> list[tuple[str, int, str]]:
    known = Known(known_paths())
    return [(path, at.line, at.name) for at in failure.frames if (path := known.find(at.path)) is not None]


# script, message, frames of the project
SCRIPTS = [
    (
        "scripts/chain.py",
        "KeyError: 'wrapped'",
        [
            (CORE, 9, "parse"),
            (CORE, 14, "load"),
            (CORE, 16, "load"),
            ("scripts/chain.py", 5, "main"),
            ("scripts/chain.py", 8, ""),
        ],
    ),
    (
        "scripts/handling.py",
        "KeyError: 'gone'",
        [(CORE, 23, "swallow"), ("scripts/handling.py", 3, ""), (CORE, 9, "parse"), (CORE, 21, "swallow")],
    ),
    (
        "scripts/group.py",
        "ExceptionGroup: several (2 sub-exceptions)",
        [(CORE, 9, "parse"), (CORE, 38, "group"), (CORE, 41, "group"), ("scripts/group.py", 3, "")],
    ),
    (
        "scripts/recursion.py",
        "RecursionError: maximum recursion depth exceeded",
        [(CORE, 31, "forever"), ("scripts/recursion.py", 3, "")],
    ),
    ("scripts/broken.py", "SyntaxError: invalid syntax", [("scripts/broken.py", 1, "")]),
    (
        "scripts/imports_broken.py",
        "SyntaxError: invalid syntax",
        [("scripts/broken.py", 1, ""), ("scripts/imports_broken.py", 1, "")],
    ),
    ("scripts/odd.py", "Odd", [("scripts/odd.py", 5, "")]),
]


@pytest.mark.parametrize(("script", "message", "frames"), SCRIPTS)
def test_a_real_script(script: str, message: str, frames: list[tuple[str, int, str]]) -> None:
    (failure,) = read(python(script)).failures
    assert failure.runner == "python"
    assert failure.test.endswith(script)
    assert failure.message.removeprefix("__main__.") == message
    assert ours(failure) == frames


def test_a_thread_has_no_script() -> None:
    (failure,) = read(python("scripts/thread.py")).failures
    assert (failure.test, ours(failure)[:1]) == ("", [(CORE, 9, "parse")])


@pytest.mark.parametrize("script", ["scripts/ignored.py", "scripts/stack.py"])
def test_what_is_ignored_or_only_shown_is_no_failure(script: str) -> None:
    output = python(script)
    assert "File " in output
    assert not read(output)


def test_the_prompt_and_a_word_on_the_command_line() -> None:
    (failure,) = read(python("-c", "from pkg import core\ncore.parse('{')")).failures
    assert (failure.test, ours(failure)) == ("", [(CORE, 9, "parse")])
    assert failure.frames[-1] == Frame("<string>", 2)


PLAIN = """\
Traceback (most recent call last):
  File "/app/run.py", line 3, in <module>
    main()
  File "/app/lib.py", line 7, in main
    return 1 / 0
           ~~^~~
ZeroDivisionError: division by zero
"""
PLAIN_REPORT = Report(
    (
        Failure(
            "python",
            "/app/run.py",
            (Frame("/app/lib.py", 7, "main"), Frame("/app/run.py", 3)),
            "ZeroDivisionError: division by zero",
        ),
    )
)

DRESSED = {
    "crlf": PLAIN.replace("\n", "\r\n"),
    "colours": PLAIN.replace("File", "\x1b[35mFile\x1b[0m").replace(
        "ZeroDivisionError", "\x1b[1;35mZeroDivisionError\x1b[0m"
    ),
    "surfaced": PLAIN.replace("File", "[U+001B ESC][35mFile[U+001B ESC][0m"),
    "indented": "\n".join("      " + line for line in PLAIN.split("\n")),
    "numbered": "\n".join(f"{at:6}\t{line}" for at, line in enumerate(PLAIN.split("\n"), 41)),
    "arrow": "\n".join(f"{at:5}→{line}" for at, line in enumerate(PLAIN.split("\n"), 1)),
    "service": "\n".join(f"worker-1  | {line}" for line in PLAIN.split("\n")),
    "of pytest's own end": "\n".join(f"INTERNALERROR> {line}" for line in PLAIN.split("\n")),
    "after a log": "2024-01-01 12:30:05,123 ERROR app:12 it broke\n" + PLAIN,
    "on the line of a log": "ERROR:root:" + PLAIN,
    "other output above": "hello\nworld: 3\n" + PLAIN,
    "other output below": PLAIN + "done: 3\n",
    "output right below the header": PLAIN.replace("last):\n", "last):\nTest 1: valid\n\nTest 2\n", 1),
    "output between the frames": PLAIN.replace("    main()\n", "    main()\nValid data: {}\n"),
    "a word and a colon between the frames": PLAIN.replace("    main()\n", "    main()\nResult: {}\n"),
    "no source": "\n".join(line for line in PLAIN.split("\n") if not line.startswith("    ")),
    "in tags": f"<returncode>1</returncode>\n<output>\n{PLAIN}</output>",
    "an exit code": f"Exit code 1\n{PLAIN}",
}


@pytest.mark.parametrize("name", DRESSED)
def test_dress_does_not_matter(name: str) -> None:
    assert read(DRESSED[name]) == PLAIN_REPORT


def test_cut_in_the_middle_it_is_still_one() -> None:
    text = PLAIN.replace("    main()\n", "[... 1,204 lines left out; blake3 of the whole: 00ff ...]\n")
    found = read(text)
    assert found.failures == PLAIN_REPORT.failures
    assert found.flaws == ("cut",)


@pytest.mark.parametrize(
    "mark",
    [
        "... (truncated)",
        "[output truncated]",
        "<response clipped>",
        "… 12 lines omitted",
        "... [5000 characters truncated] ...",
    ],
)
def test_the_head_may_be_missing(mark: str) -> None:
    found = read(mark + PLAIN[PLAIN.index("\n    main") :])
    assert [(each.test, each.frames[:1], each.message) for each in found.failures] == [
        ("", (Frame("/app/lib.py", 7, "main"),), "ZeroDivisionError: division by zero")
    ]


def test_the_tail_may_be_missing() -> None:
    (failure,) = read(PLAIN[: PLAIN.index("    return")]).failures
    assert (failure.frames, failure.message) == (PLAIN_REPORT.failures[0].frames, "")


def chained(sentence: str) -> str:
    return f"""Traceback (most recent call last):
  File "a.py", line 1, in inner
    x
ValueError: first

{sentence}

Traceback (most recent call last):
  File "b.py", line 2, in outer
    y
KeyError: 'second'
"""


def test_a_cause_comes_before_what_it_caused() -> None:
    (failure,) = read(chained("The above exception was the direct cause of the following exception:")).failures
    assert [at.path for at in failure.frames] == ["a.py", "b.py"]
    assert failure.message == "KeyError: 'second'"


def test_what_was_being_handled_comes_after() -> None:
    (failure,) = read(chained("During handling of the above exception, another exception occurred:")).failures
    assert [at.path for at in failure.frames] == ["b.py", "a.py"]


def test_two_that_have_nothing_to_do_with_each_other() -> None:
    found = read(chained("and then"))
    assert [each.message for each in found.failures] == ["ValueError: first", "KeyError: 'second'"]


def test_the_traceback_of_a_worker_process_is_the_cause() -> None:
    text = f'''multiprocessing.pool.RemoteTraceback:
"""
{PLAIN}"""

The above exception was the direct cause of the following exception:

Traceback (most recent call last):
  File "/app/main.py", line 9, in <module>
    pool.map(run, [1])
ZeroDivisionError: division by zero
'''
    (failure,) = read(text).failures
    assert [at.path for at in failure.frames] == ["/app/lib.py", "/app/run.py", "/app/main.py"]
    assert failure.test == "/app/main.py"


def test_a_syntax_error_without_a_header() -> None:
    text = '  File "x.py", line 4\n    def f(:\n          ^\nSyntaxError: invalid syntax\n'
    assert read(text).failures == (Failure("python", "x.py", (Frame("x.py", 4),), "SyntaxError: invalid syntax"),)


def test_a_crash_of_the_interpreter() -> None:
    text = (
        "Fatal Python error: Segmentation fault\n\n"
        "Current thread 0x00007f0c (most recent call first):\n"
        '  File "a.py", line 3 in inner\n  File "run.py", line 9 in <module>\n\nExtension modules: x (total: 1)\n'
    )
    assert read(text).failures == (
        Failure(
            "python",
            "run.py",
            (Frame("a.py", 3, "inner"), Frame("run.py", 9)),
            "Fatal Python error: Segmentation fault",
        ),
    )


NOT_FAILURES = [
    "Stack (most recent call last):\n" + PLAIN[PLAIN.index("  File") : PLAIN.index("Zero")],
    '  File "/app/run.py", line 3, in <module>\n    main()\nresult: 4\n',
    "Traceback (most recent call last):\n",
    "see Traceback (most recent call last): in the docs\n",
    "\n".join("+" + line for line in PLAIN.split("\n")),
    "\n".join("> " + line for line in PLAIN.split("\n")),
    'File "x.py", line 3 is where it was\n',
    "ValueError: nobody knows where\n",
]


@pytest.mark.parametrize("text", NOT_FAILURES)
def test_no_traceback(text: str) -> None:
    assert not read(text)


@pytest.mark.parametrize(
    "command",
    [
        "cat README.md",
        "git diff HEAD~1",
        "grep -rn Traceback docs | head",
        "sed -n 1,80p tests/test_x.py",
        "cd src && cat a.py",
    ],
)
def test_a_text_that_is_shown_is_no_failure(command: str) -> None:
    assert not read(PLAIN, command)


@pytest.mark.parametrize(
    "command",
    ["cat run.log", "tail -50 /tmp/out", "python x.py; cat x.py", "cat x.py && make", "", "sh -c 'python x.py'"],
)
def test_a_log_and_a_run_are(command: str) -> None:
    assert read(PLAIN, command).failures == PLAIN_REPORT.failures


@pytest.mark.parametrize(
    ("command", "script"),
    [
        ("python run.py", "run.py"),
        ("cd /app && python3.11 -u run.py --fast 2>&1", "run.py"),
        ("cat > run.py << 'EOF'\nimport pytest\nEOF\npython run.py", "run.py"),
        ("FOO=1 timeout 30 uv run python run.py", "run.py"),
        ("bash -lc 'cd /app && python run.py'", "run.py"),
    ],
)
def test_a_script_that_runs_through_passes(command: str, script: str) -> None:
    assert read("fine\n", command, ok=True).passes == (Pass("python", "tests", (script,)),)
    assert read("fine\n", command).passes == ()
    assert read("fine\n", command, ok=False).passes == ()
    assert read(PLAIN, command, ok=True).failures == PLAIN_REPORT.failures


@pytest.mark.parametrize(
    "command",
    [
        "python run.py | tail",
        "python run.py || true",
        "python run.py; echo",
        "python run.py &",
        "python -c 'x'",
        "python -m pkg",
    ],
)
def test_where_nobody_can_tell_whether_it_did(command: str) -> None:
    assert read("fine\n", command, ok=True).passes == ()
