"""The long session is what it claims to be: believable to the fold, and the same record for the same seed."""

from collections import Counter
from collections.abc import Iterator
from itertools import islice
from pathlib import Path

import pytest

from ccos_core.intake.failures import read
from ccos_core.ops.epoch import WORK
from ccos_core.session.journaling import timeline_of
from ccos_core.session.session import open_session
from ccos_core.session.worlds import Knowing
from ccos_core.storage.opening import open_record
from tests.bench.asking.session import observations
from tests.bench.asking.telling import Observation
from tests.bench.asking.workspace import build

STEPS, FILES, SEED = 4_000, 200, 2


@pytest.fixture(scope="module")
def told() -> list[Observation]:
    return list(islice(observations(STEPS, FILES, SEED), STEPS - 1))


@pytest.fixture(scope="module")
def knowing(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Knowing]:
    path = tmp_path_factory.mktemp("long") / "work.ccos"
    build(path, STEPS, FILES, SEED)
    with open_record(str(path), write=True) as record:
        yield Knowing(record)


def test_a_seed_names_one_record(tmp_path: Path) -> None:
    heads = []
    for name, seed in (("one", SEED), ("again", SEED), ("other", SEED + 1)):
        path = tmp_path / f"{name}.ccos"
        build(path, 700, 60, seed)
        with open_session(str(path)) as session:
            heads.append(session.recorded.head())
    assert heads[0] == heads[1] != heads[2]
    assert [step for step, _ in heads] == [700] * 3


def test_every_observation_is_a_step(knowing: Knowing) -> None:
    assert knowing.step == STEPS
    assert not knowing.facts.missing


def test_everything_happens(told: list[Observation], knowing: Knowing) -> None:
    kinds = Counter(each["kind"] for each in told)
    assert set(kinds) >= {
        *("seen", "gone", "renamed", "tool", "failed", "passed", "recall", "paged_in", "paged_out", "attention"),
        *("annotation", "turn", "prompt", "usage", "compaction", "retune", "epoch"),
    }
    assert {each.get("context") for each in told} == {None, "explorer-1", "tester-2"}
    assert {each.get("session") for each in told} == {None, "long-story"}
    assert len(knowing.world.pins) == 2
    assert (timeline_of(knowing.record).journal.uses["count"] == 0).any(), "an edge ended"


def test_slices_are_of_the_files_as_they_are(told: list[Observation], knowing: Knowing) -> None:
    """What is read was recorded before, edits and renames included; so no text had to be pieced together."""
    assert any("slice" in each for each in told)
    assert not knowing.world.sheets


def test_runs_that_fail_are_read_to_the_last_failure(told: list[Observation]) -> None:
    failed = [each for each in told if each["kind"] == "tool" and each["outcome"] == "error"]
    assert len(failed) > 50
    for each in failed:
        report = read(each["result"], each["arguments"]["command"], False)
        assert len(report.failures) == each["result"].count("\nFAILED ")
        assert all(len(failure.frames) > 1 for failure in report.failures)


def test_most_failures_end_and_none_is_empty(told: list[Observation], knowing: Knowing) -> None:
    live = knowing.world.failures.live
    began = {line for each in told for line in each.get("result", "").split("\n") if line.startswith("FAILED ")}
    assert len(live) < len(began) // 4
    assert all(failure.strengths for failure in live.values())


def test_work_is_less_than_half_of_it(told: list[Observation]) -> None:
    work = [each for each in told if f"{each['kind']}.{each.get('how', '')}".rstrip(".") in WORK]
    assert len(told) // 4 < len(work) < len(told) // 2 + FILES
