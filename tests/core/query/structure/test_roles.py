"""What is a test, by the names people agreed on."""

import pytest

from ccos_core.query.structure import roles
from ccos_core.query.structure.roles import is_test, without
from tests.core.query.structure.making import importing


@pytest.mark.parametrize(
    "path",
    [
        "tests/a.py",
        "pkg/Tests/util.py",
        "src/__tests__/a.tsx",
        "e2e/login.ts",
        "test_a.py",
        "pkg/a_test.go",
        "src/a.spec.ts",
        "src/a.test.js",
        "conftest.py",
        "src/tests.rs",
    ],
)
def test_these_are(path: str) -> None:
    assert is_test(path)


@pytest.mark.parametrize(
    "path", ["contest.py", "src/latest.ts", "attest/a.go", "testimony.py", "spectrum/a.py", "a.py"]
)
def test_these_are_not(path: str) -> None:
    assert not is_test(path)


def test_where_all_are_tests_none_is_set_apart() -> None:
    code = importing([("tests/a.py", "tests/b.py")])
    assert roles.tests(code) == frozenset()
    more = importing([("tests/a.py", "b.py")])
    assert roles.tests(more) == frozenset(("tests/a.py",))
    assert without(more, roles.tests(more)).paths() == ("b.py",)
