"""Reports have one spelling as bytes, and a pass ends what is inside of it and nothing else."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ccos_core.values.outcome import Failure, Frame, Pass, Report, ends, report_from

words = st.text(st.characters(exclude_categories=["Cs"]), max_size=12)
frames = st.builds(Frame, words, st.integers(0, 2**40), words)
failures = st.builds(Failure, words, words, st.lists(frames, max_size=4).map(tuple), words, words)
passes = st.builds(
    Pass,
    words,
    st.sampled_from(["tests", "files", "all", "unknown"]),
    st.lists(words, max_size=3).map(tuple),
    st.lists(words, max_size=3).map(tuple),
    st.integers(0, 9),
)
lists = (st.lists(failures, max_size=4).map(tuple), st.lists(passes, max_size=3).map(tuple), st.lists(words).map(tuple))


@given(st.builds(Report, *lists))
def test_bytes_both_ways(report: Report) -> None:
    assert report_from(report.to_bytes()) == report
    assert report_from(report.to_bytes()).to_bytes() == report.to_bytes()


def test_its_bytes() -> None:
    report = Report((Failure("pytest", "a.py::t", (Frame("a.py", 3, "t"),), "no"),), (Pass("pytest", "all"),), ("cut",))
    assert report.to_bytes() == (
        b'{"failures":[["pytest","a.py::t",[["a.py",3,"t"]],"no",""]],"flaws":["cut"],'
        b'"looked":[],"passes":[["pytest","all",[],[],0]],"ran":[]}'
    )


@given(passes, failures)
def test_never_without_an_answer(passing: Pass, failure: Failure) -> None:
    assert ends(passing, failure) in (True, False)


def listed(*names: str, runner: str = "pytest", untold: int = 0) -> Pass:
    return Pass(runner, "tests", names, (), untold)


def files(*paths: str, runner: str = "pytest") -> Pass:
    return Pass(runner, "files", (), paths)


# what passes, the failing test, whether that ends it
ENDS = [
    (listed("a.py::t"), "a.py::t", True),
    (listed("a.py::t"), "a.py::t[1]", True),
    (listed("a.py::t[1]"), "a.py::t", False),
    (listed("a.py::t[1]"), "a.py::t[2]", False),
    (listed("a.py::T"), "a.py::T::t", True),
    (listed("a.py::T"), "a.py::T2::t", False),
    (listed("a.py::t"), "a.py::t2", False),
    (listed("a.py::T::t"), "a.py", True),
    (listed("a.py::T::t"), "b.py", False),
    (listed("x/y/a.py::t"), "x/conftest.py", True),
    (listed("a.py::t"), "conftest.py", True),
    (listed("y/a.py::t"), "x/conftest.py", False),
    (listed("m.py::pkg.m"), "m.py::pkg.m.f", False),
    (listed("a.py::t", untold=1), "a.py::t", False),
    (listed("a.py::t", runner="unittest"), "a.py::t", False),
    (files("tests"), "tests/a.py::t", True),
    (files("tests/"), "tests/a.py::t", True),
    (files("tests"), "tests_slow/a.py::t", False),
    (files("tests/a.py"), "tests/a.py::T::t[1]", True),
    (files("tests/a.py"), "tests/a.py", True),
    (files("tests/a.py"), "tests/conftest.py", True),
    (files("other/a.py"), "tests/conftest.py", False),
    (files("."), "tests/a.py::t", True),
    (Pass("pytest", "all"), "anything.py::t", True),
    (Pass("pytest", "all", (), (), 2), "anything.py::t", False),
    (Pass("pytest", "all", (), ("sub",)), "sub/a.py::t", True),
    (Pass("pytest", "all", (), ("sub",)), "a.py::t", False),
    (Pass("pytest", "unknown"), "a.py::t", False),
]


@pytest.mark.parametrize(("passing", "test", "expected"), ENDS)
def test_ends(passing: Pass, test: str, expected: bool) -> None:
    assert ends(passing, Failure("pytest", test)) == expected


# the same, by dotted names
ENDS_DOTTED = [
    (listed("m.T.t", runner="unittest"), "m.T.t", True),
    (listed("m", runner="unittest"), "m.T.t", True),
    (listed("m.T", runner="unittest"), "m.T2.t", False),
    (listed("p.m.T.t", runner="unittest"), "p.m", True),
    (listed("p.m.T.t", runner="unittest"), "p.m.T", True),
    (files("p/m.py", runner="unittest"), "p.m.T.t", True),
    (files("p", runner="unittest"), "p.m.T.t", True),
    (files("p/n.py", runner="unittest"), "p.m.T.t", False),
    (files("a.py", runner="unittest"), "__main__.T.t", True),
]


@pytest.mark.parametrize(("passing", "test", "expected"), ENDS_DOTTED)
def test_ends_dotted(passing: Pass, test: str, expected: bool) -> None:
    assert ends(passing, Failure("unittest", test, (Frame("a.py", 3),))) == expected


# the same, by file, suites and name
ENDS_ARROWED = [
    (listed("a.ts > s > t", runner="jest"), "a.ts > s > t", True),
    (listed("a.ts > s", runner="jest"), "a.ts > s > t", False),
    (listed("a.ts > t", runner="jest"), "a.ts > t[1]", False),
    (listed("a.ts > t.", runner="jest"), "a.ts > t.x", False),
    (listed("a.ts > s > t", runner="jest"), "a.ts", True),
    (listed("a.ts > s > t", runner="jest"), "a.ts > s", False),
    (listed("a.ts > t", runner="jest"), "b.ts", False),
    (listed("a.ts > t", runner="vitest"), "a.ts > t", False),
    (listed("a.ts > t", runner="jest:web"), "a.ts > t", False),
    (files("a.ts", runner="jest"), "a.ts > s > t", True),
    (files("src", runner="jest"), "src/a.ts > t", True),
    (files("src", runner="jest"), "src/a.ts", True),
    (files("src/lib.ts", runner="jest"), "src/a.ts > t", False),
    (Pass("jest", "all", (), ("web",)), "web/a.ts > t", True),
    (Pass("jest", "all", (), ("web",)), "api/a.ts > t", False),
]


@pytest.mark.parametrize(("passing", "test", "expected"), ENDS_ARROWED)
def test_ends_arrowed(passing: Pass, test: str, expected: bool) -> None:
    assert ends(passing, Failure("jest", test, (Frame("src/lib.ts", 3),))) == expected


# a script or a project; the files of it that still fail
ENDS_PROGRAMS = [
    (listed("web/tsconfig.json", runner="tsc"), "web/tsconfig.json", True),
    (listed("tsconfig.json", runner="tsc"), "web/tsconfig.json", False),
    (listed("web/tsconfig.json", runner="tsc-build"), "web/tsconfig.json", False),
    (Pass("tsc", "tests", ("tsconfig.json",), ("src/b.ts",)), "tsconfig.json", True),
    (Pass("tsc", "tests", ("tsconfig.json",), ("src/b.ts", "src/a.ts")), "tsconfig.json", False),
    (listed("tsconfig.json", runner="tsc"), "", False),
]


@pytest.mark.parametrize(("passing", "test", "expected"), ENDS_PROGRAMS)
def test_ends_programs(passing: Pass, test: str, expected: bool) -> None:
    assert ends(passing, Failure("tsc", test, (Frame("src/a.ts", 3),), part="x")) == expected
