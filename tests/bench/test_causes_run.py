"""The made-up projects are valid: parsed by grammars or compilers, and where a runner is at hand, they fail where told.

And they pass once the one wrong line is mended, so the cause is the cause. What can't be run here is skipped by name.
"""

import ast
import os
import re
import shutil
import subprocess
import sys
from collections.abc import Iterator
from importlib import import_module
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tree_sitter_language_pack import SupportedLanguage, get_parser

from tests.bench.causes.drivers import write
from tests.bench.causes.render import Case

GRAMMARS: dict[str, SupportedLanguage] = {".ts": "typescript", ".js": "javascript", ".rs": "rust", ".go": "go"}
RUNNERS = {"typescript": "node", "rust": "cargo", "go": "go"}
NOT_OURS = re.compile(r"site-packages|/rustc/|/library/|node:|/go/src/|/usr/lib")


def made(family: str, seed: int) -> Case:
    case: Case = import_module(f"tests.bench.causes.{family}").make(seed)
    return case


@settings(max_examples=15, deadline=None)
@given(st.integers(1_000, 9_999))
def test_python_is_python(seed: int) -> None:
    for path, text in made("python", seed).files.items():
        if path.endswith(".py"):
            ast.parse(text, path)


@settings(max_examples=20, deadline=None)
@given(st.sampled_from(["typescript", "rust", "go"]), st.integers(1_000, 9_999))
def test_the_others_have_no_flaw_in_their_grammar(family: str, seed: int) -> None:
    case = made(family, seed)
    for path, text in case.files.items():
        if grammar := GRAMMARS.get(Path(path).suffix):
            assert not get_parser(grammar).parse(text.encode()).root_node.has_error, path


@pytest.mark.slow
@pytest.mark.parametrize("seed", [1_501, 1_502, 1_503, 1_504])
def test_python_fails_where_told(seed: int, tmp_path: Path) -> None:
    case = made("python", seed)
    command = [sys.executable, *case.command[1:], "-p", "no:cacheprovider", "-p", "no:xdist"]
    check(case, command, tmp_path, r'^(?:  File ")?({root}/)?([\w/]+\.py)(?::|", line )(\d+)(?::|, in )')


@pytest.mark.slow
@pytest.mark.parametrize("nth", [0, 1])
def test_javascript_fails_where_told(nth: int, tmp_path: Path) -> None:
    at_hand("typescript")
    cases = (case for seed in range(1_500, 1_600) if (case := made("typescript", seed)).style == "node")
    case = [next(cases) for _ in range(nth + 1)][-1]
    packages = tmp_path / "packages"
    write(tmp_path, case.files)
    if packages.is_dir():  # what `npm install` would do
        scope = re.search(r'"name": "(@\w+)/core"', case.files["packages/core/package.json"])
        assert scope
        (tmp_path / "node_modules" / scope[1]).mkdir(parents=True)
        (tmp_path / "node_modules" / scope[1] / "core").symlink_to(packages / "core", target_is_directory=True)
    check(case, list(case.command), tmp_path, r"^      at .*?({root}/)((?:src|packages)/[\w/.-]+):(\d+):\d+\)?$")


@pytest.mark.slow
@pytest.mark.parametrize("seed", [1_501, 1_502])
def test_rust_fails_where_told(seed: int, tmp_path: Path) -> None:
    at_hand("rust")
    check(
        made("rust", seed), ["cargo", "test", "--offline"], tmp_path, r"panicked at ()([\w/.-]+\.rs):(\d+):", last=True
    )


@pytest.mark.slow
@pytest.mark.parametrize("seed", [1_501, 1_503])
def test_go_fails_where_told(seed: int, tmp_path: Path) -> None:
    at_hand("go")
    case = made("go", seed)
    check(case, ["go", "test", "./..."], tmp_path, r"^\t({root}/)([\w/.-]+\.go):(\d+)", last=case.mode == "mismatch")


def at_hand(family: str) -> None:
    runner = RUNNERS[family]
    asked = [runner, "version" if runner == "go" else "--version"]
    if shutil.which(runner) is None or subprocess.run(asked, capture_output=True).returncode:
        pytest.skip(f"{runner} isn't installed, or not for this user: the projects of {family} were parsed, not run")


def check(case: Case, command: list[str], root: Path, place: str, last: bool = False) -> None:
    """It fails with the frames that were told (or the last of them), and passes when mended."""
    write(root, case.files)
    told = ran(command, root)
    assert told.returncode, told.stdout
    found = list(frames(told.stdout + told.stderr, root, place))
    wanted = [(frame.path, frame.line) for frame in case.frames]
    if last:
        assert wanted[-1] in found or f"{wanted[-1][0].rpartition('/')[2]}:{wanted[-1][1]}" in told.stdout
    else:
        assert found in (wanted, wanted[::-1], [*wanted[::-1]] * 2)
    assert sum(told.stdout.count(word) for word in ("1 failed", "fail 1", "FAILED. ", "--- FAIL")) >= 1
    write(root, case.repaired)
    mended = ran(command, root)
    assert mended.returncode == 0, mended.stdout + mended.stderr


def ran(command: list[str], root: Path) -> subprocess.CompletedProcess[str]:
    kept = {name: value for name, value in os.environ.items() if not name.startswith(("PYTEST", "NODE_"))}
    environment = {**kept, "NO_COLOR": "1", "GOFLAGS": "-mod=mod", "GOPROXY": "off", "PYTHONDONTWRITEBYTECODE": "1"}
    return subprocess.run(command, cwd=root, env=environment, capture_output=True, text=True, timeout=300)


def frames(output: str, root: Path, place: str) -> Iterator[tuple[str, int]]:
    for line in output.splitlines():
        if NOT_OURS.search(line):
            continue
        if found := re.search(place.replace("{root}", re.escape(str(root))), line):
            yield found[2], int(found[3])
