"""The made-up failures are what they say: same seed, same bytes; the cause as far as told; the decoy out of reach.

Checked on what a case hands out, by means of our own here: the graph is walked anew, the texts are read anew.
"""

import ast
import re
import sys
from collections import deque
from functools import cache
from importlib import import_module
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.bench.causes import run
from tests.bench.causes.render import Case, Place
from tests.hash_seeds import told_under_hash_seeds

HERE = Path(__file__).parent / "causes"
FAMILIES = st.sampled_from(run.FAMILIES)
SEEDS = st.integers(1_000, 9_999)
CODE = (".py", ".ts", ".js", ".rs", ".go")


@cache
def made(family: str, seed: int) -> Case:
    case: Case = import_module(f"tests.bench.causes.{family}").make(seed)
    return case


@pytest.mark.parametrize("module", [path.name for path in sorted(HERE.glob("*.py")) if path.name != "drivers.py"])
def test_generators_know_nothing_of_the_product(module: str) -> None:
    tree = ast.parse((HERE / module).read_text(encoding="utf-8"))
    named = {node.module or "" for node in ast.walk(tree) if isinstance(node, ast.ImportFrom)}
    named |= {alias.name for node in ast.walk(tree) if isinstance(node, ast.Import) for alias in node.names}
    ours = {name for name in named if name.partition(".")[0] not in sys.stdlib_module_names}
    assert {name for name in ours if not name.startswith(("tests.bench.causes", "tests.bench.harness"))} == set()


@settings(max_examples=15, deadline=None)
@given(FAMILIES, SEEDS)
def test_same_seed_same_bytes(family: str, seed: int) -> None:
    assert made(family, seed) == made.__wrapped__(family, seed)


def test_same_bytes_under_other_hash_seeds() -> None:
    script = (
        "import hashlib\nfrom importlib import import_module\nfrom tests.bench.causes import run\n"
        "cases = [import_module(f'tests.bench.causes.{f}').make(s) for f in run.FAMILIES for s in range(1700, 1706)]\n"
        "print(hashlib.sha256(repr(cases).encode()).hexdigest())"
    )
    one, other = told_under_hash_seeds(script)
    assert one == other


@settings(max_examples=15, deadline=None)
@given(FAMILIES, SEEDS)
def test_the_cause_is_as_far_away_as_told(family: str, seed: int) -> None:
    case = made(family, seed)
    away = distances(case, case.symptom)
    assert away[node(case.cause)] == case.hops == 1 + seed % 3
    assert len(case.links) == case.hops
    assert len({case.cause.path, case.symptom.path, case.decoy.path}) == 3


@settings(max_examples=15, deadline=None)
@given(FAMILIES, SEEDS)
def test_no_file_is_a_shorter_way(family: str, seed: int) -> None:
    """Whoever knows only which file leans on which needs as many hops too."""
    case = made(family, seed)
    files = {(user.partition("#")[0], used.partition("#")[0]) for user, used in case.edges}
    away = {case.symptom.path: 0}
    queue = deque(away)
    while queue:
        path = queue.popleft()
        for user, used in sorted(files):
            if user == path and used not in away:
                away[used] = away[path] + 1
                queue.append(used)
    assert away[case.cause.path] == case.hops


@settings(max_examples=15, deadline=None)
@given(FAMILIES, SEEDS)
def test_nothing_on_the_path_leans_on_the_decoy(family: str, seed: int) -> None:
    case = made(family, seed)
    test = f"{case.frames[0].path}#{case.test}"
    for start in (node(case.symptom), test):
        assert node(case.decoy) not in reached(case, start)
    assert any(used == node(case.decoy) for _, used in case.edges), "it isn't dead code either"


@settings(max_examples=15, deadline=None)
@given(FAMILIES, SEEDS)
def test_the_decoy_sounds_like_the_cause_and_the_message(family: str, seed: int) -> None:
    case = made(family, seed)
    decoy, cause = words(case.decoy.symbol), words(case.cause.symbol)
    assert len(decoy & cause) >= 2
    assert decoy & words(case.test), "what failed bears a word of it in its name"


@settings(max_examples=15, deadline=None)
@given(FAMILIES, SEEDS)
def test_the_output_keeps_quiet_about_the_cause(family: str, seed: int) -> None:
    case = made(family, seed)
    name = case.cause.symbol.rpartition(".")[2]
    base = case.cause.path.rpartition("/")[2]
    for line in case.said("/somewhere/project").splitlines():
        assert base not in line
        assert name not in re.findall(r"\w+", line)


@settings(max_examples=15, deadline=None)
@given(FAMILIES, SEEDS)
def test_the_output_ends_where_it_fails(family: str, seed: int) -> None:
    case = made(family, seed)
    last = case.frames[-1]
    assert case.files[last.path].split("\n")[last.line - 1] == last.text
    assert re.search(rf"{re.escape(last.path.rpartition('/')[2])}\W.*?{last.line}\b", plain(case.output))
    assert last.path == case.symptom.path
    assert case.symptom.line <= last.line


@settings(max_examples=15, deadline=None)
@given(FAMILIES, SEEDS)
def test_one_line_is_wrong(family: str, seed: int) -> None:
    case = made(family, seed)
    assert list(case.repaired) == [case.cause.path]
    wrong, right = (text[case.cause.path].split("\n") for text in (case.files, case.repaired))
    assert [number for number, pair in enumerate(zip(wrong, right, strict=True), 1) if pair[0] != pair[1]] == [
        case.wrong
    ]


@settings(max_examples=15, deadline=None)
@given(FAMILIES, SEEDS)
def test_names_are_unique_and_sizes_vary_within_bounds(family: str, seed: int) -> None:
    case = made(family, seed)
    assert 10 <= len(case.files) <= 120
    nodes = {each for edge in case.edges for each in edge}
    symbols = [each.partition("#")[2] for each in nodes]
    assert len(symbols) == len(set(symbols))
    for place in (case.cause, case.decoy, case.symptom):
        assert case.files[place.path].split("\n")[place.line - 1] == place.text
        assert sum(text.split("\n").count(place.text) for text in case.files.values()) == 1


@settings(max_examples=15, deadline=None)
@given(FAMILIES, SEEDS)
def test_edges_stand_in_the_text(family: str, seed: int) -> None:
    """Who leans on something names it, or the file it is the default of; and nobody else names the decoy."""
    case = made(family, seed)
    for user, used in case.edges:
        text, (path, _, symbol) = case.files[user.partition("#")[0]], used.partition("#")
        stem = path.rpartition("/")[2].rpartition(".")[0]
        assert symbol.rpartition(".")[2] in text or stem in text
    users = {user.partition("#")[0] for user, used in case.edges if used == node(case.decoy)}
    listing = {path for path in case.files if re.search(r"(__init__\.py|index\.[tj]s|mod\.rs|lib\.rs)$", path)}
    folders = {f"{path.rpartition('/')[0]}.rs" for path in case.files}
    naming = {path for path, text in case.files.items() if case.decoy.symbol in re.findall(r"\w+", text)}
    naming -= {path for path in case.files if re.search(r"(^|/)(test_\w+\.py|\w+_test\.go|[\w-]+\.test\.[tj]s)$", path)}
    assert naming <= users | listing | folders | {case.decoy.path}


@pytest.mark.parametrize("family", run.FAMILIES)
def test_seeds_vary_what_matters(family: str) -> None:
    cases = [made(family, seed) for seed in range(1_200, 1_275)]
    links = {link for case in cases for link in case.links}
    assert {link.split()[1] for link in links} >= {"-call->", "-read->", "-build->", "-base->", "-field->"}
    assert {case.links[-1].split()[2] for case in cases} == {"function", "constant", "record"}
    assert {case.mode for case in cases} == {"divide", "guard", "index", "lookup", "library", "mismatch"}
    assert {case.way for case in cases} == {"direct", "stored", "base", "field"}
    sizes = [len(case.files) for case in cases]
    assert min(sizes) < 25
    assert max(sizes) > 60
    assert sum("\x1b" in case.output for case in cases) + sum("\r\n" in case.output for case in cases) > 3


def test_the_measure() -> None:
    """Shown is the line of the definition; above is before anything of the decoy's file."""
    case = made("python", 1_000)
    cause = {"path": case.cause.path, "text": f"...\n{case.cause.text}\n    ..."}
    decoy = {"path": case.decoy.path, "text": "anything"}
    other = {"path": case.symptom.path, "text": case.cause.text}
    assert run.judged(case, "x", [other, cause, decoy]).found
    assert run.judged(case, "x", [other, decoy, cause]).shown
    assert not run.judged(case, "x", [other, decoy, cause]).found
    assert not run.judged(case, "x", [other, decoy]).shown


def distances(case: Case, start: Place) -> dict[str, int]:
    """How often the file has to be changed on the way to each node: cheapest first, by plain relaxation."""
    away = {node(start): 0}
    changed = True
    while changed:
        changed = False
        for user, used in case.edges:
            if user in away:
                cost = away[user] + (user.partition("#")[0] != used.partition("#")[0])
                if cost < away.get(used, 10**6):
                    away[used], changed = cost, True
    return away


def reached(case: Case, start: str) -> set[str]:
    found = {start}
    while more := {used for user, used in case.edges if user in found} - found:
        found |= more
    return found


def node(place: Place) -> str:
    return f"{place.path}#{place.symbol}"


def words(name: str) -> set[str]:
    return {word.lower() for word in re.findall(r"[A-Z]+(?![a-z])|[A-Z]?[a-z]+", name)}


def plain(text: str) -> str:
    return re.sub(r"\x1b\[[0-9;]*m", "", text)
