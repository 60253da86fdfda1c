"""`bundle`: what each of the four tells, and what it doesn't."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from ccos_core.query.bundle import BUDGETS
from ccos_core.query.catalogue import BY_NAME
from ccos_core.session.asking import Desk
from ccos_core.session.session import open_session
from ccos_core.storage.opening import open_record
from tests.story import START, Story, new_session

CHARTER = """# Agents

## Build and test

Run `make check`.

## Style of the docs

Short sentences.

## History

It began in 2019.
"""
STORY = f"""
    write AGENTS.md {CHARTER!r}
    write docs/glossary.md "# Glossary\\n\\nAn invoice is a bill.\\n"
    write src/store.py "def load(row):\\n    return row\\n"
    write src/api.py "from src.store import load\\n\\n\\ndef handle(row):\\n    return load(row)\\n"
    ingest
    prompt "Fix the totals."
    tool Bash pytest -q -> error "1 failed"
    fail test_handle at src/store.py:2
    tool Bash pytest tests/test_api.py -> ok "1 passed"
    tool Bash ls -> ok "src"
"""
SAID = {"I prefer tabs.": "preference", "Say bill, not invoice, in docs.": "correction", "We ship on Monday.": "fact"}


@pytest.fixture
def path(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> str:
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path / "config"))
    with new_session(tmp_path) as session:
        Story(session).tell(STORY)
    found = str(tmp_path / "work.ccos")
    for text, cls in SAID.items():
        ask(found, "remember", text=text, **{"class": cls})
    return found


def ask(path: str, question: str, **said: str) -> Any:
    with open_record(path, write=True) as record, Desk(record) as desk:
        return desk.ask(BY_NAME[question], said).answer


def told(path: str, name: str) -> str:
    answer = ask(path, "bundle", name=name)
    assert answer.tokens <= BUDGETS[name]
    return str(answer.text)


def test_the_relational_one_tells_corrections_and_preferences_in_this_order(path: str) -> None:
    text = told(path, "relational")
    assert text.index("Say bill, not invoice, in docs.") < text.index("I prefer tabs.")
    head = text.partition("## Said, and likely to hold")[0]
    assert "We ship on Monday." not in head
    assert "make check" not in text
    ask(path, "retract", node=memo_of(path, "I prefer tabs."))
    assert "I prefer tabs." not in told(path, "relational")


def test_the_technical_one_tells_commands_that_ran_and_passed_failures_and_the_code(path: str) -> None:
    text = told(path, "technical")
    assert "`pytest tests/test_api.py`" in text
    assert "`pytest -q`" not in text, "it failed"
    assert "`ls`" not in text, "it builds and tests nothing"
    assert "Fails now" in text
    assert "test_handle" in text
    assert "Run `make check`." in text
    assert "src/store.py" in text
    with open_session(path, clock=lambda: START) as session:
        Story(session).tell("pass test_handle")
    assert "Fails now" not in told(path, "technical")


def test_the_creative_one_tells_style_and_glossary(path: str) -> None:
    text = told(path, "creative")
    assert "Say bill, not invoice, in docs." in text
    assert "Short sentences." in text
    assert "An invoice is a bill." in text
    assert "pytest" not in text
    assert "I prefer tabs." not in text


def memo_of(path: str, words: str) -> str:
    (found,) = (each.memo for each in ask(path, "context").statements if each.text == words)
    return str(found)
