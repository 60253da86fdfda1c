"""Texts built to crash, stall or fill a parser: each gets an outline that says so, and the process goes on."""

import os
import random
import subprocess
import sys
from collections.abc import Iterable
from pathlib import Path

import pytest

from ccos_core.session import deriving, isolated_outline
from ccos_core.session.deriving import Job, derived, made, outline_body
from ccos_core.session.index import Index
from ccos_core.session.isolated_outline import CRASHED, OUT_OF_MEMORY, outline_isolated
from ccos_core.text.syntax.languages import LANGUAGES, Language
from ccos_core.text.syntax.parse import outline
from ccos_core.values.canon import digest
from ccos_core.values.code import outline_from
from tests.depth import DEEP

GO = next(language for language in LANGUAGES if language.name == "go")
PYTHON = LANGUAGES[0]
RISKY = b"package main\n" + b"(" * 500

WORDS = (
    *(
        b"{",
        b"[",
        b"(",
        b")",
        b"]",
        b"}",
        b'"',
        b"'",
        b"`",
        b"<",
        b">",
        b":",
        b",",
        b"=",
        b"/*",
        b"*/",
        b"//",
        b"=>",
        b"!",
    ),
    *(
        b"${",
        b"\n",
        b"\n ",
        b"\n\t",
        b"x",
        b"1",
        b".",
        b";",
        b"*",
        b"-",
        b'f"',
        b'r#"',
        b'"""',
        b"#",
        b"@",
        b"</",
        b"|",
        b"&",
    ),
    *(
        b"func ",
        b"if ",
        b"case ",
        b"lambda:",
        b"not ",
        b"await ",
        b"fn ",
        b"class a",
        b"else ",
        b"->",
        b"::",
        b"?",
        b"\\",
    ),
    *(b"\x00", b"\xff", b"\xef\xbb\xbf", "\u202e".encode(), b"def f():\n", b"a=>", b"x=[", b"f<"),
)
KNOWN = (
    b'{["',
    b"(",
    b"[",
    b"{",
    b"-",
    b"@`",
    b"</*=>",
    b"f<",
    b"(\n",
    b"<a>",
    b"if 1:\n ",
    b"not ",
    b"a=>",
    b"x=[",
    b"${`",
)
"""Those that once ended a process, or took more than ten seconds."""


TAIL = b"\n)]}([{\n"
"""In no language the end of a whole text."""


SLOWEST = 340
"""Number of the text that took longest: 400 kB, an error in every line."""


def hostile_text(number: int) -> bytes:
    """One of the 500: known ones, repeated words, and soups of words, 20 to 400 kB."""
    choice = random.Random(number)
    size = choice.choice((20_000, 100_000, 200_000, 400_000))
    if number < 2 * len(KNOWN):
        word = KNOWN[number // 2]
        return word * (size // len(word)) + TAIL
    words = [choice.choice(WORDS) for _ in range(choice.randint(1, 8))]
    if number % 2:
        text = b"".join(words) * (size // len(words[0]) + 1)
    else:
        text = b"".join(choice.choices(words, k=size))
    return text[:size] + TAIL


LIMITED = """
import resource, signal, sys
resource.setrlimit(resource.RLIMIT_AS, (400_000_000, 400_000_000))
from tests.core.session.test_isolated_outline import LANGUAGES, hostile_text
from ccos_core.session.deriving import outline_body
from ccos_core.values.code import outline_from
language = next(each for each in LANGUAGES if each.name == sys.argv[1])
for number in map(int, sys.argv[2:]):
    text = hostile_text(number)
    signal.setitimer(signal.ITIMER_PROF, 3)
    body = outline_body(language, text)
    signal.setitimer(signal.ITIMER_PROF, 0)
    print(number, *outline_from(body).flaws, flush=True)
"""


def flaws(language: Language, numbers: Iterable[int]) -> dict[int, list[str]]:
    """What is found in each of these texts, by one process of at most 400 MB and 3 s a text."""
    words = [sys.executable, "-c", LIMITED, language.name, *map(str, numbers)]
    done = subprocess.run(words, cwd=Path(__file__).parents[3], capture_output=True, text=True, check=False)
    assert done.returncode == 0, (language.name, done.stdout.splitlines()[-1:], done.stderr)
    return {int(number): said for number, *said in map(str.split, done.stdout.splitlines())}


@pytest.mark.skipif(sys.platform != "linux", reason="limits on address space are Linux's")
@pytest.mark.parametrize("language", LANGUAGES, ids=lambda language: language.name)
def test_hostile_texts_each_get_a_finding(language: Language) -> None:
    at = LANGUAGES.index(language)
    numbers = sorted({*range(at, 500, 60), SLOWEST} if DEEP else {at, at + len(LANGUAGES), 250 + at})
    found = flaws(language, numbers)
    assert sorted(found) == numbers
    assert all(found.values()) or not language.grammar, found


@pytest.mark.slow  # 3,000 texts, six minutes of a processor: run it with --timeout 0 when a bound or a grammar changes
@pytest.mark.skipif("CCOS_ALL_HOSTILE" not in os.environ, reason="CCOS_ALL_HOSTILE=1 runs all 500 in every language")
@pytest.mark.skipif(sys.platform != "linux", reason="limits on address space are Linux's")
@pytest.mark.parametrize("language", LANGUAGES, ids=lambda language: language.name)
def test_all_hostile_texts_each_get_a_finding(language: Language) -> None:
    found = flaws(language, range(500))
    assert len(found) == 500
    assert all(found.values()) or not language.grammar, found


def test_isolated_or_not_the_outline_is_the_same() -> None:
    source = b"package main\n\nfunc F() { g() }\n\nvar x = " + b"(" * 50 + b"1" + b")" * 50
    assert outline_isolated(GO, source) == outline(GO, source)


@pytest.mark.parametrize(
    "program",
    [
        "import os, signal; os.kill(os.getpid(), signal.SIGSEGV)",
        "import os; os.abort()",
        f"import os; os._exit({OUT_OF_MEMORY})",
        "import ccos_core.session.isolated_outline as i; i._set_limits(); x = [b'x' * 2**20 for _ in range(4_000)]",
        "import sys; sys.path[0] = sys.argv[1]; import ccos_core.session.isolated_outline as i; i._set_limits()\n"
        "while True: pass",
    ],
    ids=["crash", "abort", "out of memory", "memory", "endless"],
)
def test_a_process_that_dies_of_a_text_is_a_verdict(program: str, monkeypatch: pytest.MonkeyPatch) -> None:
    if program.startswith("import ccos_core"):
        program = f"try:\n exec({program!r})\nexcept MemoryError:\n import os; os._exit({OUT_OF_MEMORY})"
    monkeypatch.setattr(isolated_outline, "PROGRAM", program)
    assert outline_isolated(GO, RISKY) == CRASHED


@pytest.mark.parametrize("program", ["import os; os.kill(os.getpid(), 9)", "raise SystemExit(1)"])
def test_a_process_that_dies_of_something_else_is_none(program: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(isolated_outline, "PROGRAM", program)
    assert outline_isolated(GO, RISKY) is None
    assert outline_body(GO, RISKY) is None


def test_without_a_process_to_be_had_there_is_no_verdict(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "executable", "/nowhere/python")
    assert outline_isolated(GO, RISKY) is None


def test_the_verdict_is_a_fact_like_any_other(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(isolated_outline, "PROGRAM", "import os; os.abort()")
    job = Job((digest(RISKY), "go", GO.version), RISKY)
    ((_, packed),) = derived([job])
    (fact,) = made([job])
    assert packed is not None
    assert fact.packed == packed
    assert fact.plain["flaws"] == ["crashed"]


def test_what_isnt_risky_is_outlined_here(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(deriving, "outline_isolated", None)
    body = outline_body(PYTHON, b"def f(): pass\n" * 50)
    assert body is not None
    assert outline_from(body).symbols


def test_a_folder_with_such_a_file_is_understood_but_for_it(tmp_path: Path) -> None:
    (tmp_path / "a.go").write_bytes(b'{["' * 66_667)
    (tmp_path / "b.go").write_bytes(b"package main\n\nfunc F() {}\n")
    index = Index(str(tmp_path))
    assert index.outlines["a.go"].flaws == ("deep",)
    assert [symbol.name for symbol in index.outlines["b.go"].symbols] == ["F"]
