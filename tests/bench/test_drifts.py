"""The planted drifts are what they say: the same from the same seed, read as told, and drifted as told.

The product is asked only how it reads a record and what lies upstream of a failure. Whether something was out of a
window, stale, read again or mended is worked out here, by walking the observations in the most obvious way.
"""

import ast
import os
import re
import subprocess
import sys
from collections import deque
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from functools import cache
from itertools import pairwise
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tree_sitter_language_pack import SupportedLanguage, get_parser

from ccos_core.session.worlds import Knowing
from ccos_core.state.failures import Live
from ccos_core.state.world import World
from ccos_core.storage.opening import open_record
from ccos_core.values.ids import path_of
from tests.bench.causes.drivers import write
from tests.bench.drifts import driver, run
from tests.bench.drifts.cases import FEWEST, KINDS, MOST, STORIES, make
from tests.bench.drifts.healthy import STORIES as HEALTHY
from tests.bench.drifts.model import Claim, Drift, Observation
from tests.hash_seeds import told_under_hash_seeds

HERE = Path(__file__).parent / "drifts"
GRAMMARS: dict[str, SupportedLanguage] = {
    ".py": "python", ".ts": "typescript", ".js": "javascript", ".rs": "rust", ".go": "go",
}  # fmt: skip
SEEDS = st.integers(1_000, 9_999)
MANY = range(1_000, 1_030)
HOPS = 3


@cache
def made(kind: str, seed: int) -> Drift:
    return make(kind, seed)


# ---- the generator ----


@pytest.mark.parametrize("module", [path.name for path in sorted(HERE.glob("*.py")) if path.name != "driver.py"])
def test_the_generator_knows_nothing_of_the_product(module: str) -> None:
    tree = ast.parse((HERE / module).read_text(encoding="utf-8"))
    named = {node.module or "" for node in ast.walk(tree) if isinstance(node, ast.ImportFrom)}
    named |= {alias.name for node in ast.walk(tree) if isinstance(node, ast.Import) for alias in node.names}
    assert not {name for name in named if name.startswith("ccos")}


@settings(max_examples=12, deadline=None)
@given(st.sampled_from(KINDS), SEEDS)
def test_same_seed_same_session(kind: str, seed: int) -> None:
    assert make(kind, seed) == made(kind, seed)


def test_same_seed_same_head(tmp_path: Path) -> None:
    for kind in KINDS:
        heads = set()
        for turn in ("one", "two"):
            (tmp_path / kind / turn).mkdir(parents=True)
            heads.add(driver.record(tmp_path / kind / turn, make(kind, 1_007)).head)
        assert len(heads) == 1, kind


def test_same_session_under_other_hash_seeds() -> None:
    script = (
        "import hashlib\nfrom tests.bench.drifts.cases import KINDS, make\n"
        "print(hashlib.sha256(repr([make(k, s) for k in KINDS for s in range(1100, 1104)]).encode()).hexdigest())"
    )
    one, other = told_under_hash_seeds(script)
    assert one == other


@pytest.mark.parametrize("kind", KINDS)
def test_seeds_vary_what_must_not_give_it_away(kind: str) -> None:
    cases = [made(kind, seed) for seed in MANY]
    lengths = [len(case.observations) for case in cases]
    assert min(lengths) >= FEWEST
    assert max(lengths) <= MOST
    assert len(set(lengths)) > len(cases) // 3
    assert len({case.answer.shape for case in cases}) >= 4
    assert len({case.family for case in cases}) == 4
    assert len({case.observations[-1]["host"] for case in cases}) == 4
    assert len({case.answer.first for case in cases}) > 1 or kind == "control"
    assert any(each.get("context") for case in cases for each in case.observations)


@pytest.mark.parametrize("word", ["compaction", "seen", "usage", "turn", "prompt", "tool"])
def test_healthy_sessions_are_made_of_the_same_bricks(word: str) -> None:
    assert any(each["kind"] == word for seed in MANY for each in made("control", seed).observations)


def test_every_healthy_story_is_told() -> None:
    assert {made("control", seed).answer.shape for seed in range(1_000, 1_120)} == set(HEALTHY)
    assert set(STORIES) == set(KINDS)


@pytest.mark.parametrize("kind", KINDS)
def test_calls_say_what_came_of_them(kind: str) -> None:
    """Replacing what an edit's call names gives the content that was seen after it; no call changes nothing."""
    for seed in list(MANY)[:12]:
        files: dict[str, str] = {}
        observations = made(kind, seed).observations
        for before, each in pairwise(observations):
            if each["kind"] == "seen" and each["how"] == "edit" and before["name"] in ("Edit", "edit", "replace"):
                said = {name.replace("_", "").lower(): value for name, value in before["arguments"].items()}
                assert said["oldstring"].strip() != "" != said["newstring"]
                assert files[each["path"]].replace(said["oldstring"], said["newstring"], 1) == each["content"]
                assert each["content"] != files[each["path"]]
            if each["kind"] == "seen" and "slice" not in each:
                files[each["path"]] = each["content"]
            if before["kind"] == "seen" and "slice" not in before:
                files.setdefault(before["path"], before["content"])


# ---- how the product reads it ----


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("seed", range(1_000, 1_008))
def test_every_run_is_read_as_it_was(kind: str, seed: int, tmp_path: Path) -> None:
    """Each test that fails in a run is a failure that is felt in the project; and nothing else is, all session long."""
    drift = made(kind, seed)
    recorded = driver.record(tmp_path, drift)
    with open_record(recorded.path) as opened:
        knowing = Knowing(opened, 1)
        for at, failing in drift.runs:
            knowing.catch_up(recorded.steps[at])
            fresh = renewed(knowing.world, recorded.steps[at])
            assert len(fresh) == len(failing), drift.observations[at]
            assert all(any(name in live.failure.test for live in fresh) for _, name in failing)
            assert all(live.anchors for live in fresh)
        knowing.catch_up()
        runs = {recorded.steps[at] for at, _ in drift.runs}
        assert all(live.step in runs for live in knowing.world.failures.live.values())


@pytest.mark.parametrize("kind", [kind for kind in KINDS if kind != "control"])
@pytest.mark.parametrize("seed", range(1_020, 1_028))
def test_the_guilty_is_upstream_of_the_failure(kind: str, seed: int, tmp_path: Path) -> None:
    drift = made(kind, seed)
    recorded = driver.record(tmp_path, drift)
    with open_record(recorded.path) as opened:
        knowing = Knowing(opened, 1)
        for at, failing in drift.runs:
            knowing.catch_up(recorded.steps[at])
            if drift.answer.test in failing:
                fresh = renewed(knowing.world, recorded.steps[at])
                felt = [live for live in fresh if drift.answer.test[1] in live.failure.test]
                assert any(is_upstream(knowing.world, live.anchors[0], drift.answer.guilty[1]) for live in felt)
                assert path_of(drift.answer.guilty[0]) in {path_of(node) for live in felt for node in live.strengths}
        knowing.catch_up()
        assert all(knowing.world.graph.find(node) is not None for node in drift.answer.guilty)


def renewed(world: World, step: int) -> list[Live]:
    return [live for live in world.failures.live.values() if live.step == step]


def is_upstream(world: World, anchor: str, guilty: str) -> bool:
    """Whether so few changes of the file lead from one to the other, by what files depend on."""
    start = path_of(anchor)
    assert start is not None
    away = {start: 0}
    queue = deque(away)
    while queue:
        path = queue.popleft()
        for link in world.graph.links.get(path, ()):
            if away[path] < HOPS and link.target.path not in away:
                away[link.target.path] = away[path] + 1
                queue.append(link.target.path)
    return path_of(guilty) in away


# ---- what was claimed ----


@pytest.mark.parametrize("kind", KINDS)
def test_claims_hold(kind: str) -> None:
    for seed in MANY:
        drift = made(kind, seed)
        assert drift.claims, seed
        for claim in drift.claims:
            assert HOLDS[claim.word](drift, claim), (kind, seed, drift.answer.shape, claim)


@pytest.mark.parametrize("kind", KINDS)
def test_answers_say_when_and_who(kind: str) -> None:
    for seed in MANY:
        answer = made(kind, seed).answer
        assert (answer.kind, bool(answer.guilty)) == (kind, kind != "control")
        assert 0 <= answer.first <= answer.last < len(made(kind, seed).observations)
        assert all(path_of(node) in answer.said for node in answer.guilty[:1] if answer.test[0])


def test_a_drift_takes_longer_than_a_healthy_failure_may() -> None:
    """What is called a drift took at least three failing runs of its test; no healthy session sees the very same
    failure five times in a row."""
    for seed in MANY:
        for kind in ("evicted", "stale", "loop", "elsewhere"):
            drift = made(kind, seed)
            assert sum(drift.answer.test in failing for _, failing in drift.runs) >= 3, (kind, seed)
        assert longest_row(made("control", seed)) <= 4, seed


def longest_row(drift: Drift) -> int:
    """Runs in a row in which the same tests failed, with nothing gained."""
    longest = row = 0
    before: tuple[object, ...] = ()
    for _, failing in drift.runs if drift.answer.shape != "step by step" else ():
        row = row + 1 if failing == before else 1
        longest, before = max(longest, row if failing else 0), failing
    return longest


@dataclass
class Desk:
    """What is in a context's window, and how the files are: by path, (text, call, whether all of it is there)."""

    held: dict[str, list[tuple[str, str, bool]]] = field(default_factory=dict)
    files: dict[str, str] = field(default_factory=dict)
    tokens: int = 0


def walked(drift: Drift, context: str) -> Iterator[tuple[int, Observation, Desk]]:
    """The window of a context after each observation."""
    desk = Desk()
    session = next(each["session"] for each in drift.observations if each["kind"] == "prompt")
    for at, each in enumerate(drift.observations):
        mine = each["session"] == session and each.get("context", "") == context
        if each["kind"] == "seen":
            whole = "slice" not in each
            if whole:
                desk.files[each["path"]] = each["content"]
            if mine and each["how"] != "ingest":
                part = (each["content"], each["call"], whole)
                desk.held[each["path"]] = [part] if whole else [*desk.held.get(each["path"], []), part]
        elif mine and each["kind"] == "compaction":
            kept = each.get("kept", ())
            found = {path: [part for part in parts if part[1] in kept] for path, parts in desk.held.items()}
            desk.held = {path: parts for path, parts in found.items() if parts}
        elif mine and (each["kind"] == "cleared" or is_fall(each, desk)):
            desk.held = {}
        if mine and each["kind"] in ("usage", "compaction", "cleared"):
            desk.tokens = each.get("window", 0)  # what is counted after a cut is no fall
        yield at, each, desk


def is_fall(each: Observation, desk: Desk) -> bool:
    return bool(each["kind"] == "usage" and each["window"] < desk.tokens // 2)


def is_out(drift: Drift, claim: Claim) -> bool:
    """Somebody had seen the line that is wrong, and from the loss on it stands in nothing that this context holds."""
    seen_before = any(
        each["kind"] == "seen" and each["path"] == claim.path and each["how"] != "ingest"
        for each in drift.observations[: claim.at]
    )
    return seen_before and all(
        claim.line not in text.split("\n")
        for at, _, desk in walked(drift, claim.context)
        if claim.at <= at <= claim.until
        for text, _, _ in desk.held.get(claim.path, [])
    )


def is_stale(drift: Drift, claim: Claim) -> bool:
    """This context holds all of the file, and it isn't what the file says."""
    return all(
        bool(desk.held.get(claim.path)) and desk.held[claim.path][-1][0] != desk.files[claim.path]
        for at, _, desk in walked(drift, claim.context)
        if claim.at <= at <= claim.until
    )


def is_reread(drift: Drift, claim: Claim) -> bool:
    """In the window before the cut, not after it, and then read again as it was."""
    states = {at: desk.held.get(claim.path, [])[-1:] for at, _, desk in walked(drift, claim.context)}
    before, after = states[claim.at - 1], [states[at] for at in range(claim.at, claim.until + 1)]
    again = [state for state in after if state]
    return bool(before) and not after[0] and bool(again) and again[-1][0][0] == before[0][0]


def is_loop(drift: Drift, claim: Claim) -> bool:
    """One command, one failure, five times or more; and the files come back to what they were."""
    runs = [(at, failing) for at, failing in drift.runs if claim.at <= at <= claim.until]
    commands = {str(drift.observations[at]["arguments"]) for at, _ in runs}
    edits = [
        (each["path"], each["content"])
        for each in drift.observations[claim.at : claim.until]
        if each["kind"] == "seen" and each["how"] == "edit"
    ]
    same = len(runs) >= 5 and len(commands) == 1 and all(claim.test in failing for _, failing in runs)
    return same and (not edits or len(set(edits)) < len(edits))


def is_elsewhere(drift: Drift, claim: Claim) -> bool:
    """From the failure on at least two edits, none of them where the cause is."""
    edited = [
        each["path"]
        for each in drift.observations[claim.at : claim.until]
        if each["kind"] == "seen" and each["how"] == "edit"
    ]
    runs = dict(drift.runs)
    failing = claim.test in runs[claim.at] and claim.test in runs[claim.until]
    return failing and len(edited) >= 2 and claim.path not in edited


def is_mended(drift: Drift, claim: Claim) -> bool:
    """An edit of that file, and the test passes after it."""
    edit = drift.observations[claim.at]
    right = edit["kind"] == "seen" and edit["how"] == "edit" and edit["path"] == claim.path
    return right and claim.test not in dict(drift.runs)[claim.until]


def is_soon(drift: Drift, claim: Claim) -> bool:
    """Between the failure and the edit that ends it: at most one more edit elsewhere, at most two more runs."""
    between = drift.observations[claim.at : claim.until]
    edits = [
        each for each in between if each["kind"] == "seen" and each["how"] == "edit" and each["path"] != claim.path
    ]
    runs = [at for at, failing in drift.runs if claim.at < at < claim.until and claim.test in failing]
    return claim.test in dict(drift.runs)[claim.at] and len(edits) <= 1 and len(runs) <= 2


def is_held(drift: Drift, claim: Claim) -> bool:
    """All of the file is in the window, as it is."""
    return all(
        desk.held.get(claim.path, [("", "", False)])[-1][0] == desk.files[claim.path]
        for at, _, desk in walked(drift, claim.context)
        if claim.at <= at < claim.until - 1
    )


def is_green(drift: Drift, claim: Claim) -> bool:
    return not any(failing for at, failing in drift.runs if claim.at <= at <= claim.until)


HOLDS: Mapping[str, Callable[[Drift, Claim], bool]] = {
    "out": is_out,
    "stale": is_stale,
    "reread": is_reread,
    "loop": is_loop,
    "elsewhere": is_elsewhere,
    "mended": is_mended,
    "soon": is_soon,
    "held": is_held,
    "green": is_green,
}


# ---- the truth of it ----


@pytest.mark.parametrize("kind", KINDS)
def test_every_edit_leaves_a_source(kind: str) -> None:
    """Whatever is written has no flaw in its grammar."""
    for seed in list(MANY)[:16]:
        for each in made(kind, seed).observations:
            grammar = GRAMMARS.get(Path(each.get("path", "")).suffix)
            if each["kind"] == "seen" and each["how"] in ("edit", "write") and grammar:
                assert not get_parser(grammar).parse(each["content"].encode()).root_node.has_error, each["content"]


@pytest.mark.slow
@pytest.mark.parametrize("kind", KINDS)
def test_python_fails_and_passes_as_told(kind: str, tmp_path: Path) -> None:
    """At each run, what the real runner says of the files as they were is what the session's runner said."""
    case = next(seed for seed in range(1_200, 1_300) if made(kind, seed).family == "python" and made(kind, seed).runs)
    drift = make(kind, case, trees=True)
    asked = [each for each in drift.observations if each["kind"] == "tool"]
    assert asked
    for number, ((_, failing), (_, files)) in enumerate(zip(drift.runs, drift.trees, strict=True)):
        if number % max(1, len(drift.runs) // 3) == 0 and drift.answer.shape != "flaky":
            root = tmp_path / str(number)
            write(root, files)
            assert set(failing) <= really_failing(root), (kind, case, number)


def really_failing(root: Path) -> set[tuple[str, str]]:
    kept = {name: value for name, value in os.environ.items() if not name.startswith("PYTEST")}
    done = subprocess.run(
        [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", "-p", "no:xdist", "--tb=no"],
        cwd=root,
        env={**kept, "PYTHONDONTWRITEBYTECODE": "1", "NO_COLOR": "1"},
        capture_output=True,
        text=True,
        timeout=120,
    )
    assert done.returncode in (0, 1), done.stdout + done.stderr
    return set(re.findall(r"^FAILED ([^:]+)::(\w+)", done.stdout, re.MULTILINE))


# ---- the measure ----


def test_the_measure() -> None:
    drift, healthy = made("evicted", 1_000), made("control", 1_000)
    path = path_of(drift.answer.guilty[0])
    others = ("file:a.py", "sym:b.py#c")
    assert run.is_right(drift, driver.Verdict(True, 1, (*others, f"sym:{path}#anything")))
    assert run.is_right(drift, driver.Verdict(True, 1, (f"file:{path}",)))
    assert not run.is_right(drift, driver.Verdict(True, 1, (*others, "file:d.py", f"file:{path}")))
    assert not run.is_right(drift, driver.Verdict(True, 1, (f"file:{path}x",)))
    assert not run.is_right(drift, driver.Verdict(False, 1, (f"file:{path}",)))
    assert run.is_right(healthy, driver.Verdict(False, 0, ()))
    assert not run.is_right(healthy, driver.Verdict(True, 3, ()))
