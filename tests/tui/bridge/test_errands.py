"""Questions that are asked once: each is answered to whoever asked it, and none takes the place of another."""

from __future__ import annotations

import shlex
from pathlib import Path

import pytest

from ccos_core.errors import NotFound
from ccos_core.query.catalogue import BY_NAME
from ccos_core.query.words import assigned, of_shell
from ccos_tui.bridge import defects
from ccos_tui.bridge.ask import YES, Ask, ask
from ccos_tui.bridge.queue import Errands
from ccos_tui.bridge.words import command_of
from ccos_tui.messages import Answered, Refused


class Engine:
    def __init__(self) -> None:
        self.asked: list[tuple[str, Ask]] = []

    def ask(self, slot: str, question: Ask) -> None:
        self.asked.append((slot, question))


def test_each_answer_goes_to_who_asked() -> None:
    engine, errands, heard = Engine(), Errands(), []
    for name in ("one", "two"):
        errands.send(engine, ask("mark", 4), lambda message, name=name: heard.append((name, message.at)), heard.append)
    (first, question), (second, _) = engine.asked
    assert first != second
    assert errands.answered(Answered(second, question, None, 2, None, 0))
    refusal = Refused(first, question, "no", "", "")
    assert errands.refused(refusal)
    assert heard == [("two", 2), refusal]
    assert errands.answered(Answered(second, question, None, 2, None, 0)), "nobody waits for it, but it is one of ours"
    assert len(heard) == 2


def test_what_panes_ask_is_none_of_its_business() -> None:
    assert not Errands().answered(Answered("window", ask("recall"), None, 1, None, 0))
    assert not Errands().refused(Refused("window", ask("recall"), "no", "", ""))


# ---- as a shell takes them ----


@pytest.mark.parametrize(
    ("question", "line"),
    [
        (ask("recall", 12, budget=2_048, lens="task:it's late"),
         "ccos-tui recall work.ccos --budget 2048 --lens 'task:it'\"'\"'s late' @12"),
        (ask("find", expr='text~"a b" | count'), "ccos-tui find work.ccos 'text~\"a b\" | count'"),
        (Ask("failures", (("all", YES),)), "ccos-tui failures work.ccos --all"),
        (Ask("note", (("text", "why not"), ("drop", YES)), 3), "ccos-tui note work.ccos --drop 'why not' @3"),
    ],
)  # fmt: skip
def test_a_question_as_a_command_asks_the_same(question: Ask, line: str) -> None:
    assert command_of(question, "work.ccos") == line
    said = assigned(BY_NAME[question.name].load(), question.name, of_shell(shlex.split(line)[3:]))
    at = {"at": f"@{question.at}"} if question.at is not None else {}
    assert said == {**dict(question.said), **at}


# ---- what went wrong ----


def test_a_defect_is_reported_once_and_named(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path))

    def fail() -> None:
        raise ValueError("broken in the middle")

    told = []
    for _ in range(2):
        try:
            fail()
        except ValueError as error:
            told.append(defects.told(error, "window"))
    assert told[0] == told[1]
    sentence, code = told[0]
    (report,) = (tmp_path / "ccos-tui" / "defects").iterdir()
    assert code == 70
    assert str(report) in sentence
    assert "in fail" in report.read_text()
    assert "window" in report.read_text()


def test_what_is_no_defect_is_said_without_a_report(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path))
    assert defects.told(NotFound("isn't there", place="a.py", hint="Look.")) == ("a.py: isn't there. Look.", 1)
    assert not list(tmp_path.iterdir())
