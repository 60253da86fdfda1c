"""After `forget --memo`, a statement is in no record, cache, store, index or export made since; and `gone` can tell."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from ccos_core.query.saying.utterance import memo_id
from ccos_core.serve import exits
from ccos_core.session import lifecycle
from ccos_core.session.session import open_session
from ccos_core.session.subscribing import Ingestor
from ccos_core.storage.memory_sqlite import MemorySqlite, memory_path
from tests.core.serve.calling import Caller

SECRET = "The launch code is quartz seven."
MEMO = memo_id(["the", "launch", "code", "is", "quartz", "seven"])
MAIN = {"host": "claude-code", "session": "s"}


@pytest.fixture
def path(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, run: Caller) -> Path:
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path / "config"))
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "caches"))
    found = tmp_path / "work.ccos"
    lifecycle.init(str(found))
    with open_session(str(found)) as session:
        session.record([
            {"kind": "prompt", "source": "user", "said": f"Hello. {SECRET} Go on.", "actor": "user", **MAIN},
            {"kind": "tool", "name": "Bash", "outcome": "ok", "result": "THE launch *code* is quartz seven", **MAIN},
            {"kind": "turn", "said": "Use tabs.", "actor": "agent", **MAIN},
        ])  # fmt: skip
    run("remember", found, SECRET)
    return found


def places(run: Caller, *words: object) -> dict[str, str]:
    return {each["what"]: each["state"] for each in run("gone", *words, "--json").json()["places"]}


def test_it_is_found_in_every_place_and_then_in_none(path: Path, tmp_path: Path, run: Caller) -> None:
    Ingestor(str(path), lambda: MemorySqlite(memory_path(str(path)))).catch_up()
    run("statements", path)
    before, since = tmp_path / "before.jsonl", tmp_path / "since.jsonl"
    run("export", path, "-o", before)
    held = places(run, path, MEMO, before)
    assert (held["record"], held["memory"], held["export"]) == ("held", "held", "held")
    assert run("gone", path, MEMO).code == exits.NO
    done = run("forget", path, "--memo", MEMO, "--json").json()
    assert done["contents"] == 3, "the prompt, the result, and what was remembered"
    run("export", path, "-o", since)
    Ingestor(str(path), lambda: MemorySqlite(memory_path(str(path)))).catch_up()
    run("statements", path)
    after = places(run, path, MEMO, "--words", SECRET, since)
    assert set(after.values()) == {"gone"}, after
    assert {"record", "memory", "export"} <= set(after)
    assert places(run, path, MEMO, "--words", SECRET, before)["export"] == "held", "one made before keeps it"
    assert run("verify", path).code == exits.DONE, "the chain stays valid"
    assert "Use tabs" in run("timeline", path).out


def test_without_words_nobody_can_say_that_they_are_gone(path: Path, run: Caller) -> None:
    run("forget", path, "--memo", MEMO)
    found = places(run, path, MEMO)
    assert found["cache"] == "unknown" if "cache" in found else True
    assert run("gone", path, MEMO, "--words", SECRET).code == exits.DONE


def test_an_id_that_nobody_named_is_told(path: Path, run: Caller) -> None:
    done: Any = run("gone", path, "memo:0123456789abcdef")
    assert "no step names it" in done.err
    assert run("forget", path, "--memo", "memo:0123456789abcdef").code == exits.NO
