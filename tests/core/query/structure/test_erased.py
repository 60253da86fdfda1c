"""Which imports never run, by the text around them; in doubt they do."""

from textwrap import dedent

import pytest

from ccos_core.query.structure.erased import runs
from ccos_core.text.syntax.resolution import Link, Target


def run_on(path: str, text: str) -> list[int]:
    """The lines of a text on which an import would run."""
    run = runs(path, text)
    return [line for line in range(1, text.count("\n") + 1) if run(Link(-1, Target("x"), "import", line))]


PYTHON = """\
    import a
    if TYPE_CHECKING:
        import b
        from c import (
            C,
        )

    # a word between
        import d
    import e
    if t.TYPE_CHECKING: import f
    import g
    try:
        if typing.TYPE_CHECKING :
            import h
            if x:
                import i
        else:
            import j
    except ImportError:
        import k
    if not TYPE_CHECKING:
        import l
    if TYPE_CHECKING or x:
        import m
    """


def test_under_a_check_in_python() -> None:
    text = dedent(PYTHON)
    lines = text.splitlines()
    told = [lines[number - 1].split("import ")[1] for number in run_on("a.py", text) if "import " in lines[number - 1]]
    assert told == ["a", "e", "g", "j", "k", "l", "m"]


def test_with_the_ends_of_lines_another_system_has() -> None:
    assert run_on("a.py", "if TYPE_CHECKING:\r\n    import a\r\n\r\n    import b\r\nimport c\r\n") == [3, 5]


@pytest.mark.parametrize(
    "text",
    [
        "import type { A } from './a';\n",
        "import type {\n  A,\n  B as C,\n} from './a';\n",
        "import type A from './a'\n",
        "import type * as a from './a'\n",
        "export type { A } from './a'\n",
        "export type * from './a'\n",
        "  import type{A}from'./a'\n",
    ],
)
def test_types_alone(text: str) -> None:
    assert run_on("a.ts", text) == []


@pytest.mark.parametrize(
    "text",
    [
        "import type from './a'\n",
        "import type, { A } from './a'\n",
        "import { type A, b } from './a'\n",
        "export type A = B\nimport x from './a'\n",
        "export type A = { b: string }\nimport x from './a'\n",
        "import './type'\n",
        "const a = 'x'; // import type\n",
    ],
)
def test_values_too(text: str) -> None:
    assert run_on("a.ts", text) == list(range(1, text.count("\n") + 1))


@pytest.mark.parametrize("path", ["a.pyi", "a.d.ts", "b/c.d.mts", "a.d.cts"])
def test_what_only_declares_runs_nothing(path: str) -> None:
    assert run_on(path, "import x\n") == []


def test_other_languages_say_nothing_of_the_kind() -> None:
    assert run_on("a.go", 'import type "x"\n') == [1]


def test_what_is_imported_again_may_run() -> None:
    text = "if TYPE_CHECKING:\n    import a\n"
    assert runs("a.py", text)(Link(-1, Target("x"), "import", 2, 2))
