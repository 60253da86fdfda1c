"""Each question as a command of its own: the same words, the same answer, a code that tells."""

import json
from pathlib import Path

import pytest

from ccos_core.query.catalogue import BY_NAME
from ccos_core.serve import exits, terminal
from ccos_core.serve.cli.main import ASKING, COMMANDS
from ccos_core.serve.terminal import Bar
from ccos_core.text.delivered import OPENING
from tests.core.serve.calling import Caller, demo, outside


def test_every_question_is_a_command(run: Caller) -> None:
    assert set(BY_NAME) <= {*ASKING, *COMMANDS}
    told = run("--help").out
    for name in BY_NAME:
        assert f"  {name} " in told


@pytest.mark.parametrize("name", ASKING)
def test_its_help_is_the_questions_own(run: Caller, name: str) -> None:
    done = run(name, "--help")
    assert done.code == exits.DONE
    assert done.out.startswith(f"Usage: ccos-tui {name} WS")
    assert " ".join(BY_NAME[name].summary.split()) in " ".join(done.out.split())
    for argument in BY_NAME[name].load().arguments:
        assert argument.says.split()[0] in done.out
        assert not argument.flag or f"--{argument.name}" in done.out


def test_the_answer_is_that_of_the_postmortem(run: Caller, tmp_path: Path) -> None:
    path = demo(tmp_path)
    for words in (["timeline", "3", "5"], ["goto", "-3"], ["state", "--at", "4"], ["state", "@4"], ["when", "@50%"]):
        name, *rest = words
        alone = run(name, path, *rest, "--json")
        assert alone.code == exits.DONE, alone
        assert alone.json() == run("postmortem", path, "--json", given=" ".join(words)).json()
        assert run(name, path, *rest).out == run("postmortem", path, given=" ".join(words)).out


@pytest.mark.parametrize(
    ("words", "code", "told"),
    [
        (["goto", "99"], exits.NO, "there is no step 99"),
        (["goto"], exits.USAGE, "goto needs STEP"),
        (["when", "1", "2"], exits.USAGE, "is one argument too many"),
        (["timeline", "--nonesuch", "3"], exits.USAGE, "has no option --nonesuch"),
        (["timeline", "--limit", "x"], exits.USAGE, "give a number"),
    ],
)
def test_what_does_not_fit_is_said(run: Caller, tmp_path: Path, words: list[str], code: int, told: str) -> None:
    done = run(words[0], demo(tmp_path), *words[1:], "--json")
    assert done.code == code
    assert told in done.err
    assert done.json()["schema"] == "ccos.error/1"


def test_an_unknown_command_is_near_a_question(run: Caller) -> None:
    assert "Did you mean timeline?" in run("timelien", "x").err


def test_what_a_shell_took_apart_stays_so(tmp_path: Path) -> None:
    done = outside("note", demo(tmp_path), "it's  two  words", "--json")
    assert json.loads(done.stdout)["kept"]["text"] == "it's  two  words"


# ---- waiting ----


class Screen:
    """A stderr that is a terminal, or isn't."""

    def __init__(self, terminal: bool) -> None:
        self.terminal = terminal
        self.said = ""

    def isatty(self) -> bool:
        return self.terminal

    def write(self, text: str) -> int:
        self.said += text
        return len(text)

    def flush(self) -> None:
        """Nothing waits here."""


@pytest.fixture
def clock(monkeypatch: pytest.MonkeyPatch) -> list[float]:
    now = [100.0]
    monkeypatch.setattr(terminal.time, "monotonic", lambda: now[0])
    return now


def test_a_bar_comes_late_and_goes_away(monkeypatch: pytest.MonkeyPatch, clock: list[float]) -> None:
    screen = Screen(True)
    monkeypatch.setattr("sys.stderr", screen)
    bar = Bar("folding")
    bar(1, 100)
    clock[0] += 0.4
    bar(20, 100)
    assert screen.said == ""
    clock[0] += 0.2
    bar(34, 100)
    bar(35, 100)
    assert screen.said == "\rfolding 34 %"
    bar.end()
    assert screen.said == "\rfolding 34 %\r            \r"
    bar.end()
    bar(1, 100)
    assert screen.said.count("folding") == 1


def test_in_a_pipe_nobody_waits(monkeypatch: pytest.MonkeyPatch, clock: list[float]) -> None:
    screen = Screen(False)
    monkeypatch.setattr("sys.stderr", screen)
    bar = Bar("folding")
    for done in range(100):
        clock[0] += 1
        bar(done, 100)
    bar.end()
    assert screen.said == ""


def test_recall_as_a_command_knows_a_host_s_window_as_well(run: Caller, tmp_path: Path) -> None:
    path = demo(tmp_path)
    assert run("recall", path, "--at", "5", "--json").json()["step"] == 5
    for words in (["--at", "5"], ["--lens", "host", "--at", "7"], ["--at", "7", "--lens", "working-set"]):
        alone = run("recall", path, *words, "--json").json()
        assert alone == run("postmortem", path, "--json", given=" ".join(["recall", *words])).json()
    asked = ["--lens", "task:the price of an order"]
    by_task, by_lens = (run("recall", path, *each, "--at", "7") for each in (["--task", asked[1][5:]], asked))
    assert (by_task.code, by_task.out) == (by_lens.code, by_lens.out)
    assert "at step 7" in by_task.out
    for words in (["--lens", "host"], ["--lens", "both", "--budget", "100"], ["--lens", "host", "--context", "main"]):
        alone = run("recall", path, *words, "--json")
        assert alone.code == exits.DONE, alone
        assert alone.json() == run("postmortem", path, "--json", given=" ".join(["recall", *words])).json()
    refused = run("recall", path, "--at", "5", "--record")
    assert (refused.code, "works only without --at" in refused.err) == (exits.USAGE, True)
    refused = run("recall", path, "--lens", "host", "--working-set")
    assert (refused.code, "only one window at a time" in refused.err) == (exits.USAGE, True)


def test_a_window_that_there_isnt_prints_no_mark_of_ours(run: Caller, tmp_path: Path) -> None:
    """What stands behind the mark is a window of ours; where there is none, stdout stays empty."""
    path = str(tmp_path / "w.ccos")
    assert run("init", path).code == exits.DONE
    for lens in ("bundle:nope", "rules:", "host", "delivered", "both"):
        done = run("recall", path, "--lens", lens)
        assert done.code != exits.DONE, lens
        assert not done.out, lens
    assert run("recall", path, "--lens", "brief").out.startswith(OPENING)
