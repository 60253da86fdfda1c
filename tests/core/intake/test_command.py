"""What a command line runs, taken apart without a shell."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ccos_core.intake.failures.command import Run, is_quoting, runs
from ccos_core.intake.failures.python_scopes import pytest_scope, unittest_scope

# a command line; (tool, arguments, whether it decides) of each program
COMMANDS = [
    ("pytest", [("pytest", (), True)]),
    ("cd a && pytest b", [("pytest", ("b",), True)]),
    ("make; pytest", [("make", (), False), ("pytest", (), True)]),
    ("pytest | tail -3", [("pytest", (), False), ("tail", ("-3",), True)]),
    ("pytest || true", [("pytest", (), False), ("true", (), False)]),
    ("pytest > out.txt 2>&1", [("pytest", (), True)]),
    ("pytest 2>/dev/null &", [("pytest", (), False)]),
    ("A=1 B='x y' pytest", [("pytest", (), True)]),
    ("python3.12 -m pytest -q a", [("pytest", ("-q", "a"), True)]),
    ("python -u -W error -m pytest a", [("pytest", ("a",), True)]),
    ("/env/bin/python -m unittest a", [("unittest", ("a",), True)]),
    ("python -c 'import pytest'", [("python", (), True)]),
    ("python - <<'EOF'\nimport pytest; pytest a\nEOF\nls", [("python", ("-",), False), ("ls", (), True)]),
    ("cat <<EOF > a.py\npytest\nEOF", [("cat", (), True)]),
    ("timeout 60 pytest a", [("pytest", ("a",), True)]),
    ("time cargo test -q", [("cargo", ("test", "-q"), True)]),
    ("docker run --rm app go test ./...", [("go", ("test", "./..."), True)]),
    ("uv run --with x pytest a", [("pytest", ("a",), True)]),
    ("docker compose exec -T web pytest a", [("pytest", ("a",), True)]),
    ("bash -lc 'cd a && pytest b'", [("pytest", ("b",), True)]),
    ('sh -c "pytest \\"a b\\""', [("pytest", ("a b",), True)]),
    ("coverage run -m pytest a", [("pytest", ("a",), True)]),
    ("coverage run --source x a.py b", [("python", ("a.py", "b"), True)]),
    ("coverage report", [("coverage", ("report",), True)]),
    ("./manage.py test shop", [("django", ("test", "shop"), True)]),
    ("python manage.py migrate", [("python", ("manage.py", "migrate"), True)]),
    ("# pytest", []),
    ("(cd a; pytest b)", [("pytest", ("b",), True)]),
    ("pytest a 'unclosed", []),
    ("make || true; pytest", [("make", (), False), ("true", (), False), ("pytest", (), True)]),
    ("if [ -f a ]; then pytest a; fi", [("[", ("",), False), ("pytest", ("a",), False)]),
    ("for f in a b; do pytest $f; done", [("pytest", ("$f",), False)]),
    ("while true; do pytest; done", [("pytest", (), False), ("true", (), False)]),
    ("t() { pytest; }; make", [("make", (), True)]),
    ("! pytest", [("pytest", (), False)]),
    ("(cd a && make); pytest", [("make", (), False), ("pytest", (), True)]),
    ("", []),
    (" \n;;&&|", []),
]


@pytest.mark.parametrize(("command", "expected"), COMMANDS)
def test_runs(command: str, expected: list[tuple[str, tuple[str, ...], bool]]) -> None:
    assert [(run.tool, run.words, run.decides) for run in runs(command)] == expected


@pytest.mark.parametrize(
    ("command", "dynamic"),
    [
        ("pytest $X", True),
        ("pytest `ls`", True),
        ("pytest a*.py", True),
        ("pytest {a,b}", True),
        ('pytest "$X"', True),
        ("pytest '$X'", False),
        ("pytest 'a[*]'", False),
        ("pytest a[1]", False),
        ('pytest "a*"', False),
    ],
)
def test_what_the_shell_would_work_out(command: str, dynamic: bool) -> None:
    assert runs(command)[0].dynamic == dynamic


def test_where_it_went() -> None:
    assert runs("cd /app && make && cd sub && pytest") == [
        Run("make", (), True, False, "/app"),
        Run("pytest", (), True, False, "/app/sub"),
    ]
    assert [run.folder for run in runs("(cd a && make); pytest")] == ["a", ""]


@pytest.mark.parametrize(
    ("command", "expected"),
    [
        ("cat README.md", True),
        ("git log -3 && git diff", True),
        ("rg Traceback", True),
        ("cd src && ls", True),
        ("cat run.log", False),
        ("tail -f /tmp/x", False),
        ("find . -name x -exec python {} ;", False),
        ("git commit -m x", False),
        ("cat a.py | python", False),
        ("", False),
    ],
)
def test_is_quoting(command: str, expected: bool) -> None:
    assert is_quoting(command) == expected


@given(st.text(max_size=200) | st.text("pytest 'a\"\\$`|&;<>(){}\n=-.:/", max_size=200))
def test_any_text_is_a_command(command: str) -> None:
    for run in runs(command):
        assert run.tool
    pytest_scope(command)
    unittest_scope(command)
    is_quoting(command)
