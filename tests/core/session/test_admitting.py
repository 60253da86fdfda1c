"""What other processes let through the gate is what it lets through here, in the order in which it came."""

import os
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from ccos_core.intake.importers.record import Observation
from ccos_core.session import importing
from ccos_core.session.admit import Admitted, admit
from ccos_core.session.importing import Admitting, Lot, let_in_packed
from ccos_core.session.transcripts import Story
from ccos_core.values.paths import NOWHERE
from tests.bench.transcripts import made
from tests.core.intake.importers.claude_code_fixtures import CWD, Talk, everything, listed, read_of
from tests.core.session.test_importing import chain, imported, ops, written

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="processes are made otherwise there")


@pytest.fixture(autouse=True)
def three_processors(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("os.cpu_count", lambda: 3)


@pytest.fixture
def gate() -> Iterator[Admitting]:
    admitting_ = Admitting()
    yield admitting_
    admitting_.leave()


def lot(*said: str, kind: str = "prompt") -> Lot:
    return Lot([{"kind": kind, "source": "user", "said": each, "at": 1} for each in said], NOWHERE, "")


def told(each: Admitted | str) -> tuple[object, ...]:
    if isinstance(each, str):
        return (each,)
    contents = [(blob, len(content)) for blob, content in each.blobs] + [(blob, size) for blob, size, _ in each.packed]
    return each.body, each.key, contents


@pytest.mark.parametrize("size", [0, importing.WORTH_A_CREW])
def test_the_order_is_that_in_which_it_came(gate: Admitting, size: int) -> None:
    lots = [lot(*(f"{number}.{each}" for each in range(number % 5)), "x" * number) for number in range(40)]
    lots[7] = lot("a", "b", kind="nonesuch")
    came = []
    for each in lots:
        gate.hand(each, size)
        came += gate.done(all_of_it=False)
    came += gate.done(all_of_it=True)
    assert [told(each) for each in came] == [told(each) for one in lots for each in importing.let_in(one)]
    assert [each for each in came if isinstance(each, str)] == ["no kind of op is called 'nonesuch'"] * 2


def test_no_more_is_under_way_than_keeps_others_busy(gate: Admitting) -> None:
    for number in range(40):
        gate.hand(lot(str(number)), importing.WORTH_A_CREW)
        list(gate.done(all_of_it=False))
        assert len(gate._under_way) <= 9
    assert len(list(gate.done(all_of_it=True))) == 9


def test_a_content_is_packed_once(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(importing, "_packed", {})
    first, second, third = (each for each in let_in_packed(lot("a", "b", "a")) if isinstance(each, Admitted))
    assert [len(each.packed) for each in (first, second, third)] == [1, 1, 0]
    assert third.blobs[0][0] == first.packed[0][0]


def test_what_is_remembered_of_packing_is_bounded(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(importing, "_packed", {})
    monkeypatch.setattr(importing, "MOST_REMEMBERED", 5)
    for number in range(20):
        let_in_packed(lot(str(number), f"{number}!"))
        assert len(importing._packed) <= 5


# ---- the same chain ----


@pytest.fixture
def small_lots(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(importing, "LOT", 3)
    monkeypatch.setattr(importing, "WORTH_A_CREW", 1)


@pytest.mark.parametrize("batch", [4, 2_000])
def test_a_chain_does_not_show_who_let_it_in(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, batch: int) -> None:
    for name, raw in (("a", made.codex(60_000, 5)), ("b", made.claude_code(60_000, 5))):
        (tmp_path / f"{name}.jsonl").write_bytes(raw)
        with monkeypatch.context() as alone:
            alone.setattr("os.cpu_count", lambda: 1)
            imported(tmp_path / f"{name}.jsonl", tmp_path / f"{name}-alone.ccos")
        with monkeypatch.context() as together:
            together.setattr(importing, "LOT", 3)
            together.setattr(importing, "BATCH", batch)
            together.setattr(importing, "WORTH_A_CREW", 1)
            imported(tmp_path / f"{name}.jsonl", tmp_path / f"{name}-together.ccos")
        assert chain(tmp_path / f"{name}-together.ccos") == chain(tmp_path / f"{name}-alone.ccos")


@pytest.mark.usefixtures("small_lots")
def test_other_processes_do_it_where_that_pays(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Nothing comes to the gate here; where there is one processor, or little to do, all does."""
    here: list[int] = []
    monkeypatch.setattr(importing, "admit", lambda *given: here.append(os.getpid()) or admit(*given))
    written(tmp_path / "s.jsonl", everything().values)
    imported(tmp_path / "s.jsonl", tmp_path / "crew.ccos")
    assert here == []
    monkeypatch.setattr(importing, "WORTH_A_CREW", 10**9)
    imported(tmp_path / "s.jsonl", tmp_path / "small.ccos")
    assert len(here) == len(chain(tmp_path / "small.ccos")) - 1


@pytest.mark.usefixtures("small_lots")
def test_a_project_is_where_it_was_first_said_to_be(tmp_path: Path) -> None:
    """Records that come before the one that says so wait for it, and don't go to the gate without."""
    talk = Talk()
    for number in range(20):
        talk.prompt(f"Look at it {number}.")
    for value in talk.values:
        value.pop("cwd")
    talk.call("c", "Read", {"file_path": f"{CWD}/a.py"}, listed("x\n"), read_of(f"{CWD}/a.py", "x\n"))
    imported(written(tmp_path / "s.jsonl", talk.values), tmp_path / "w.ccos")
    assert [op["path"] for op in ops(tmp_path / "w.ccos", "seen")] == ["a.py"]
    assert sum(op["kind"] == "prompt" for op in ops(tmp_path / "w.ccos")) == 20


@pytest.mark.usefixtures("small_lots")
def test_what_was_let_in_before_a_fault_is_on_disk(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "s.jsonl").write_bytes(made.codex(200_000, 5))
    imported(tmp_path / "s.jsonl", tmp_path / "whole.ccos")

    def interrupted(story: Story, *_: object) -> Iterator[Observation]:
        for number, each in enumerate(story.main.read()):
            if number == 45:
                raise KeyboardInterrupt
            yield each

    with monkeypatch.context() as patched:
        patched.setattr(Story, "read", interrupted)
        patched.setattr(importing, "BATCH", 2)
        with pytest.raises(KeyboardInterrupt):
            imported(tmp_path / "s.jsonl", tmp_path / "w.ccos")
    part = chain(tmp_path / "w.ccos")
    assert 1 < len(part) <= 46
    assert part == chain(tmp_path / "whole.ccos")[: len(part)]
    imported(tmp_path / "s.jsonl", tmp_path / "w.ccos")
    assert chain(tmp_path / "w.ccos") == chain(tmp_path / "whole.ccos")
