"""From said paths to known files, to the anchor of a failure, and to failures and passes that can be compared."""

import pytest

from ccos_core.intake.failures import read
from ccos_core.intake.failures.paths import Known, anchor, is_test, placed
from ccos_core.values.outcome import Failure, Frame, Pass, Report, ends
from ccos_core.values.paths import Place

PROJECT = [
    "setup.py",
    "src/pkg/__init__.py",
    "src/pkg/core.py",
    "src/pkg/utils.py",
    "src/pkg/sub/__init__.py",
    "src/pkg/sub/utils.py",
    "tests/conftest.py",
    "tests/test_core.py",
    "tools/random.py",
    "web/node_modules/kept/index.js",
]

# said, what it means
SAID = [
    ("src/pkg/core.py", "src/pkg/core.py"),
    ("./src/pkg/core.py", "src/pkg/core.py"),
    ("src//pkg/../pkg/core.py", "src/pkg/core.py"),
    ("../src/pkg/core.py", "src/pkg/core.py"),
    ("src\\pkg\\core.py", "src/pkg/core.py"),
    ("C:\\ci\\proj\\src\\pkg\\core.py", "src/pkg/core.py"),
    ("/app/src/pkg/core.py", "src/pkg/core.py"),
    ("/home/runner/work/proj/proj/src/pkg/core.py", "src/pkg/core.py"),
    ("/testbed/src/pkg/utils.py", "src/pkg/utils.py"),
    ("/testbed/src/pkg/sub/utils.py", "src/pkg/sub/utils.py"),
    ("/testbed/setup.py", "setup.py"),
    ("file:///app/src/pkg/core.py", "src/pkg/core.py"),
    ("proj/src/pkg/core.py", "src/pkg/core.py"),
    ("pkg/core.py", "src/pkg/core.py"),
    ("core.py", "src/pkg/core.py"),
    ("/app/pkg/sub/utils.py", "src/pkg/sub/utils.py"),
    ("/build/lib/pkg/core.py", "src/pkg/core.py"),
    ("web/node_modules/kept/index.js", "web/node_modules/kept/index.js"),
    ("utils.py", None),
    ("/app/utils.py", None),
    ("__init__.py", None),
    ("/app/other/__init__.py", None),
    ("/usr/lib/python3.11/random.py", None),
    ("/home/ann/.pyenv/versions/3.11.7/lib/python3.11/random.py", None),
    ("/usr/share/tool/core.py", None),
    ("C:\\Python311\\Lib\\random.py", None),
    ("/env/lib/python3.11/site-packages/pkg/core.py", None),
    ("/usr/lib/python3/dist-packages/pkg/core.py", None),
    ("/app/.venv/lib/pkg/core.py", None),
    ("/app/node_modules/pkg/core.py", None),
    ("<frozen importlib._bootstrap>", None),
    ("<string>", None),
    ("<stdin>", None),
    ("/app/src/pkg/nothing.py", None),
    ("", None),
    (".", None),
    ("/", None),
    ("..", None),
]


@pytest.mark.parametrize(("said", "expected"), SAID)
def test_find(said: str, expected: str | None) -> None:
    assert Known(PROJECT).find(said) == expected


def test_from_where_the_command_ran() -> None:
    known = Known([*PROJECT, "src/pkg/tests/test_core.py"], cwd="src/pkg")
    assert known.find("utils.py") == "src/pkg/utils.py"
    assert known.find("tests/test_core.py") == "src/pkg/tests/test_core.py"
    assert known.find("../../tests/test_core.py") == "tests/test_core.py"
    assert Known(PROJECT, cwd="src/pkg").find("src/pkg/core.py") == "src/pkg/core.py"


def test_a_project_in_a_folder_that_would_be_set_aside() -> None:
    place = Place(("/opt/venv/lib/python3.11/site-packages/mine",))
    known = Known(["core.py", "a/b.py"], place=place)
    assert known.find("/opt/venv/lib/python3.11/site-packages/mine/core.py") == "core.py"
    assert known.find("/opt/venv/lib/python3.11/site-packages/other/core.py") is None


def test_one_of_several_is_none() -> None:
    known = Known(["backend/src/app.py", "frontend/src/app.py", "backend/src/only.py"])
    assert known.find("/app/src/app.py") is None
    assert known.find("/app/src/only.py") == "backend/src/only.py"
    assert known.find("/app/backend/src/app.py") == "backend/src/app.py"
    assert known.find("src/app.py") is None


@pytest.mark.parametrize(
    ("path", "expected"),
    [
        ("tests/test_core.py", True),
        ("tests/helpers.py", True),
        ("src/test_core.py", True),
        ("src/core_test.py", True),
        ("shop/tests.py", True),
        ("conftest.py", True),
        ("pkg/x_test.go", True),
        ("src/a.test.tsx", True),
        ("src/a.spec.js", True),
        ("src/__tests__/a.js", True),
        ("spec/a_spec.rb", True),
        ("integration_test/env.go", True),
        ("pkg/e2e-tests/env.ts", True),
        ("src/AppTests.java", True),
        ("src/core.py", False),
        ("src/contest.py", False),
        ("src/testing_tools.py", False),
        ("src/attest.py", False),
        ("src/latest.js", False),
        ("protests/a.py", False),
        ("contest/a.py", False),
        ("test_kit/a.py", False),
    ],
)
def test_tests_are_known_by_their_paths(path: str, expected: bool) -> None:
    assert is_test(path) == expected


def failure(*frames: tuple[str, int], runner: str = "pytest", test: str = "tests/test_core.py::test_a[x]") -> Failure:
    return Failure(runner, test, tuple(Frame(path, line, "f") for path, line in frames))


# frames from the innermost, the anchor
ANCHORS = [
    (
        [("/env/site-packages/lib.py", 1), ("/app/src/pkg/core.py", 7), ("tests/test_core.py", 3)],
        ("src/pkg/core.py", 7),
    ),
    ([("tests/conftest.py", 1), ("src/pkg/core.py", 7), ("src/pkg/utils.py", 3)], ("src/pkg/core.py", 7)),
    ([("/env/site-packages/lib.py", 1), ("tests/conftest.py", 4), ("tests/test_core.py", 3)], ("tests/conftest.py", 4)),
    ([("<string>", 1), ("<frozen x>", 2)], ("tests/test_core.py", 0)),
    ([], ("tests/test_core.py", 0)),
]


@pytest.mark.parametrize(("frames", "expected"), ANCHORS)
def test_anchor(frames: list[tuple[str, int]], expected: tuple[str, int]) -> None:
    at = anchor(failure(*frames), Known(PROJECT))
    assert at is not None
    assert (at.path, at.line) == expected


def test_no_anchor() -> None:
    known = Known(PROJECT)
    assert anchor(failure(("/env/site-packages/lib.py", 1), runner="python", test="tests/test_core.py"), known) is None
    assert anchor(failure(test="elsewhere/test_q.py::test_a"), known) is None
    assert anchor(failure(test=""), known) is None
    assert anchor(Failure("unittest", "tests.test_core.T.test_a"), known) == Frame("tests/test_core.py", 0, "test_a")


def test_a_test_of_javascript_is_in_its_file() -> None:
    known = Known(["src/a.ts", "test/a.test.ts"], cwd="src")
    assert anchor(Failure("jest:web", "../test/a.test.ts > s > t"), known) == Frame("test/a.test.ts", 0)
    inner = (Frame("node:internal/a.ts", 1), Frame("../node_modules/x/a.ts", 2), Frame("/app/src/a.ts", 3))
    assert anchor(Failure("jest", "test/a.test.ts > t", inner), known) == Frame("src/a.ts", 3)


def test_placed_makes_runs_comparable() -> None:
    """What failed in a container from the root passes on the desk from a subfolder."""
    at_root = Known(PROJECT)
    below = Known(PROJECT, cwd="tests")
    failed = placed(Report((failure(("/app/src/pkg/core.py", 7), test="/app/tests/test_core.py::test_a"),)), at_root)
    passed = placed(Report(passes=(Pass("pytest", "tests", ("test_core.py::test_a",)),)), below)
    assert failed.failures[0].test == "tests/test_core.py::test_a"
    assert failed.failures[0].frames[0].path == "src/pkg/core.py"
    assert ends(passed.passes[0], failed.failures[0])


def test_placed_folders_and_the_root() -> None:
    known = Known(PROJECT, place=Place(("/home/ann/proj",)))
    said = Report(
        passes=(
            Pass("pytest", "files", (), ("/app/tests", "./tests/test_core.py", "nowhere")),
            Pass("pytest", "all", (), ("/home/ann/proj",)),
            Pass("pytest", "all", (), ("src/pkg",)),
        )
    )
    files, whole, part = placed(said, known).passes
    assert files.paths == ("tests", "tests/test_core.py", "nowhere")
    assert (whole.scope, whole.paths) == ("all", ())
    assert (part.scope, part.paths) == ("all", ("src/pkg",))


def test_a_script_nobody_knows_has_one_name_all_the_same() -> None:
    known = Known(PROJECT, place=Place(("/testbed",)))
    text = 'Traceback (most recent call last):\n  File "/testbed/repro.py", line 1, in <module>\n    x\nNameError: x\n'
    failed = placed(read(text, "python repro.py"), known).failures[0]
    passed = placed(read("ok\n", "cd /testbed && python repro.py", ok=True), known).passes[0]
    assert failed.test == "repro.py"
    assert ends(passed, failed)
