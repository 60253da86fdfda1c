"""Where things stand in a made-up source: tests, functions and their bodies, lines that are being run."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from tests.bench.causes.render import Frame
from tests.bench.drifts.model import Spot, Test

TESTS = {
    "python": r"def (test_\w+)\(\):",
    "typescript": r'test\("(.+)", \(\) => \{',
    "rust": r"\s*fn (\w+)\(\) \{",
    "go": r"func (Test\w+)\(t \*testing\.T\) \{",
}
HEADS = {
    "python": r"(\s*)def {}\(",
    "typescript": r"(\s*)(?:export )?(?:default )?(?:(?:function |(?:const ))?{}(?: = )?\([^;]*\{{$)",
    "rust": r"(\s*)(?:pub )?fn {}\(",
    "go": r"()func (?:\(\w+ \*\w+\) )?{}\(",
}
TEST_FILES = {"python": r"(^|/)test_\w+\.py$", "typescript": r"\.test\.[jt]s$", "rust": r"\.rs$", "go": r"_test\.go$"}
CODE = {"python": r"\.py$", "typescript": r"\.[jt]s$", "rust": r"\.rs$", "go": r"\.go$"}


@dataclass(frozen=True)
class Body:
    """The lines of a function, counted from 0."""

    head: int
    first: int
    last: int
    indent: str


def body_of(family: str, text: str, name: str) -> Body | None:
    """The body of the function of that name, if the file has one."""
    lines = text.split("\n")
    pattern = re.compile(HEADS[family].format(re.escape(name)))
    for head, line in enumerate(lines):
        if found := pattern.match(line):
            last = head
            while last + 1 < len(lines) and _is_deeper(lines[last + 1], found[1]):
                last += 1
            while not lines[last].strip():
                last -= 1
            if last == head:
                return None
            inner = lines[head + 1]
            return Body(head, head + 1, last, inner[: len(inner) - len(inner.lstrip())])
    return None


def functions_of(family: str, text: str) -> list[str]:
    """The names of the functions in a file that aren't tests."""
    said = re.findall(r"(?m)^\s*(?:export )?(?:default )?(?:pub )?(?:def|function|fn|func|const) (?:\(\w+ \*\w+\) )?"
                      r"(\w+)(?: = )?\(", text)  # fmt: skip
    return [name for name in dict.fromkeys(said) if "amount" in _head_line(family, text, name)]


def tests_of(family: str, files: Mapping[str, str]) -> Iterator[Test]:
    """Every test of a project."""
    for path in sorted(files):
        if not re.search(TEST_FILES[family], path):
            continue
        lines = files[path].split("\n")
        for at, line in enumerate(lines):
            found = re.match(TESTS[family], line)
            if found and (family != "rust" or (at and lines[at - 1].strip() == "#[test]")):
                yield _test(family, files, path, found[1], line)


def frame_of(files: Mapping[str, str], spot: Spot) -> Frame:
    """Where a spot is now."""
    lines = files[spot.path].split("\n")
    start = lines.index(spot.below) if spot.below else 0
    return Frame(spot.path, lines.index(spot.text, start) + 1, spot.function, spot.text)


def asserting(files: Mapping[str, str], test: Test, words: str) -> str:
    """The first line of a test with these words in it."""
    lines = files[test.path].split("\n")
    return next(line for line in lines[lines.index(test.head) + 1 :] if words in line)


def _head_line(family: str, text: str, name: str) -> str:
    body = body_of(family, text, name)
    return text.split("\n")[body.head] if body else ""


def _is_deeper(line: str, indent: str) -> bool:
    return not line.strip() or (line.startswith(indent) and line[len(indent) :][:1] in (" ", "\t"))


def _test(family: str, files: Mapping[str, str], path: str, name: str, head: str) -> Test:
    if family == "go":
        root = files["go.mod"].split("\n")[0].removeprefix("module ").strip()
        return Test(path, name, name, head, f"{root}/{path.rpartition('/')[0]}")
    if family == "rust":
        home, _, inner = path.rpartition("src/") if "src/" in path else path.rpartition("tests/")
        if "src/" not in path:
            return Test(path, name, name, head, f"{home}|--test {inner.removesuffix('.rs')}")
        module = inner.removesuffix(".rs").removesuffix("/mod").replace("/", "::")
        return Test(path, f"{module}::tests::{name}", name, head, f"{home}|--lib")
    return Test(path, name, name, head)
