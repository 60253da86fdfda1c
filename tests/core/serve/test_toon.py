"""`--format toon`: the same data as `--json`, on stdout alone, in fewer tokens where it lists records."""

from __future__ import annotations

from pathlib import Path

import pytest

from ccos_core.serve.toon_tables import read
from ccos_core.values.tokens import estimate
from tests.core.serve.calling import Caller, demo

FEWER_PERCENT = 30


@pytest.mark.parametrize("words", [("timeline",), ("pauses", "0"), ("stats",), ("check",), ("verify",)])
def test_toon_gives_what_json_gives(run: Caller, tmp_path: Path, words: tuple[str, ...]) -> None:
    command, *more = words
    ws = demo(tmp_path)
    as_json = run(command, ws, *more, "--json")
    toon = run(command, ws, *more, "--format", "toon")
    assert (toon.code, toon.err) == (as_json.code, as_json.err)
    assert read(toon.out) == as_json.json()


@pytest.mark.parametrize("command", ["timeline", "files"])
def test_lists_take_fewer_tokens(run: Caller, tmp_path: Path, command: str) -> None:
    (tmp_path / "src").mkdir()
    for number in range(30):
        (tmp_path / "src" / f"part{number}.py").write_text(f"VALUE = {number}\n")
    ws = tmp_path / "work.ccos"
    run("init", ws, "--root", tmp_path)
    run("ingest", ws, tmp_path / "src")
    json_tokens, tokens = (estimate(run(command, ws, *form).out) for form in (["--json"], ["--format", "toon"]))
    print(command, json_tokens, tokens)
    assert json_tokens > 500
    assert 100 * tokens <= (100 - FEWER_PERCENT) * json_tokens


def test_json_is_a_format_too(run: Caller, tmp_path: Path) -> None:
    ws = demo(tmp_path)
    assert run("stats", ws, "--format=json").out == run("stats", ws, "--json").out
    assert run("stats", ws, "--format", "xml").code == 2


def test_an_error_is_data_as_well(run: Caller, tmp_path: Path) -> None:
    done = run("timeline", tmp_path / "none.ccos", "--format", "toon")
    assert done.code
    said = read(done.out)
    assert (said["schema"], said["exit"]) == ("ccos.error/1", done.code)
    assert said["error"] in done.err


def test_commands_of_a_pipe_are_parted_by_empty_lines(run: Caller, tmp_path: Path) -> None:
    ws = demo(tmp_path)
    done = run("postmortem", ws, "--format", "toon", given="stats\nnonesuch\npauses 0\n")
    schemas = [read(each)["schema"] for each in done.out.strip("\n").split("\n\n")]
    assert schemas == ["ccos.stats/1", "ccos.error/1", "ccos.pauses/1"]
    whole = run("postmortem", ws, "--format", "toon")
    assert read(whole.out) == run("postmortem", ws, "--json").json()
