"""`summarize`: the text's own lines, within the size asked for, tied to the hash of exactly that text."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from blake3 import blake3

from ccos_core.errors import NotFound
from ccos_core.query.catalogue import BY_NAME
from ccos_core.session.asking import Desk
from ccos_core.session.retrieving import original
from ccos_core.session.session import open_session
from ccos_core.storage.opening import open_record
from tests.story import START, Story, new_session

PATH = "docs/plan.md"
TEXT = "# Plan\n\n" + "".join(f"Step {n} edits src/part_{n}.py and calls run_part_{n}.\n" for n in range(40))
REQUEST = "Never push to main. " + " ".join(f"Then look at src/part_{n}.py again." for n in range(40))
STORY = f'write {PATH} {TEXT!r}\ningest\nprompt "{REQUEST}"\n'
PROMPT_STEP = 3


@pytest.fixture
def path(tmp_path: Path) -> str:
    with new_session(tmp_path) as session:
        Story(session).tell(STORY)
    return str(tmp_path / "work.ccos")


def ask(path: str, name: str = "summarize", at: int | None = None, **said: str) -> Any:
    with open_record(path, write=True) as record, Desk(record) as desk:
        return desk.ask(BY_NAME[name], said, at).answer


def exact(path: str, reference: str) -> str:
    with open_record(path) as record, Desk(record) as desk:
        return original(record, desk.timeline, reference).text


def lines_of(summary: str) -> set[str]:
    return {line for line in summary.splitlines() if not line.startswith("also: ")}


@pytest.mark.parametrize("node", [PATH, f"{PATH}#plan"])
def test_a_document_is_shortened_and_tied_to_its_text(path: str, node: str) -> None:
    found = ask(path, node=node, target="60")
    assert 0 < found.tokens <= 60 < found.whole
    assert lines_of(found.text) <= set(TEXT.splitlines())
    for number in range(40):
        name = f"src/part_{number}.py"
        assert (name in found.text) != (name in found.dropped)
    whole = exact(path, found.ccr_ref)
    assert whole.rstrip("\n") == TEXT.rstrip("\n")
    assert found.source == blake3(whole.encode()).hexdigest()


def test_what_a_step_said_is_shortened_alike_by_number_and_by_name(path: str) -> None:
    found = ask(path, at=PROMPT_STEP, target="60")
    assert found.tokens <= 60 < found.whole
    assert "src/part_39.py" in found.text or "src/part_39.py" in found.dropped
    assert exact(path, found.ccr_ref) == REQUEST
    assert found.source == blake3(REQUEST.encode()).hexdigest()
    named = ask(path, node=f"prompt:{PROMPT_STEP}", target="60")
    assert (named.text, named.source, named.ccr_ref) == (found.text, found.source, found.ccr_ref)


def test_a_statement_is_summarized_said_or_remembered(path: str) -> None:
    memo = ask(path, "statements").statements[0].memo
    said = ask(path, node=memo)
    assert said.text == "Never push to main."
    assert said.source == blake3(b"Never push to main.").hexdigest()
    assert said.dropped == ()
    ask(path, "remember", text="Never push to main.")
    assert exact(path, ask(path, node=memo).ccr_ref) == "Never push to main."


def test_a_changed_text_has_another_hash_and_the_old_step_the_old_one(path: str) -> None:
    before = ask(path, node=PATH)
    with open_session(path, clock=lambda: START) as session:
        session.record([{"kind": "seen", "path": PATH, "how": "edit", "content": TEXT + "One more.\n"}])
    assert ask(path, node=PATH).source != before.source
    assert ask(path, at=before.at, node=PATH) == before


def test_what_has_no_text_is_an_error(path: str) -> None:
    for said in ({"node": "docs/none.md"}, {"node": '"never push"'}):
        with pytest.raises(NotFound):
            ask(path, **said)
    with pytest.raises(NotFound):
        ask(path, at=0)
