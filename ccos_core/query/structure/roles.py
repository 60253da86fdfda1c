"""Which files are there to try out others, told by the names people agreed on.

A test depends on much and nothing depends on it; counted like everything else, tests would hide the code's own shape.
"""

from __future__ import annotations

from dataclasses import replace

from ccos_core.query.structure.graph import Codebase

FOLDERS = frozenset(("test", "tests", "testing", "testdata", "__tests__", "spec", "specs", "e2e"))
STEMS = frozenset(("conftest", "test", "tests"))
STARTS = ("test_",)
ENDS = ("_test", "_tests", "_spec", ".test", ".spec", "-test", "-spec")


def is_test(path: str) -> bool:
    """Whether a file is a test, or lies among tests."""
    *folders, name = path.lower().split("/")
    stem = name.rpartition(".")[0]
    if any(folder in FOLDERS for folder in folders):
        return True
    return stem in STEMS or stem.startswith(STARTS) or stem.endswith(ENDS)


def tests(code: Codebase) -> frozenset[str]:
    """The files that are tests. Where all of them are, tests are what the code is, and none is set apart."""
    found = frozenset(path for path in code.outlines if is_test(path))
    return found if len(found) < len(code.outlines) else frozenset()


def without(code: Codebase, paths: frozenset[str]) -> Codebase:
    """The code as if these files weren't there."""
    return replace(code, outlines={path: outline for path, outline in code.outlines.items() if path not in paths})
