"""Steps in the formats of others: nothing is lost on the way back, and a text of a session stays a text."""

from __future__ import annotations

import csv
import io
import json
from html.parser import HTMLParser
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from markdown_it import MarkdownIt

from ccos_core.errors import NotFound, Usage
from ccos_core.ops.plain import unseal
from ccos_core.session.exporting.formats import WRITERS, export_as
from ccos_core.session.exporting.reading import FORMULAS, write_markdown, write_page, write_table
from ccos_core.session.exporting.recorded import Leaving, Step
from ccos_core.session.importing import Importing
from ccos_core.session.transcripts import Story, Tail
from ccos_core.storage.opening import open_record
from tests.core.session.foreign import SECRETS

ROOT = Path(__file__).resolve().parents[3]
SAMPLES = sorted(each for each in (ROOT / "sample_workspaces" / "transcripts").iterdir() if each.name != "answers.json")
SHARED = ROOT.parent / "shared" / "sessions"
RECORDED = (
    "codex/gildore-arena_codex-session.jsonl",
    "claude-code/entire-cli_growing-79e9becd_b_69tools.jsonl",
    "opencode/pfm-categorization_opencode-session.json",
    "real-hosts/codex-0.169.0-compacted-hooks.jsonl",
    "real-hosts/gemini-cli-0.61.0-hooks-compressed.jsonl",
    "specstory/getspecstory_2026-02-16_plan-shared-shell-command.md",
)
BACK = [name for name, writer in WRITERS.items() if writer.read_back]
TEXTS = st.text(st.characters(codec="utf-8"), max_size=80) | st.sampled_from(
    [
        "```\n# x",
        "~~~\n<b>",
        "</pre><script>alert(1)</script>",
        "=1+1",
        " @x",
        "\t-1",
        "a\r\nb",
        "&lt;",
        "`",
        "\x00",
        "]]>",
    ]
)


def recorded(transcript: Path, ws: Path) -> Path:
    with Importing(str(ws), None) as importing:
        importing.take(Story(Tail(str(transcript))))
    return ws


def exported(ws: Path, name: str, session: str = "") -> tuple[bytes, Leaving]:
    parts: list[bytes] = []
    with open_record(str(ws)) as record:
        leaving = export_as(name, record, parts.append, session)
    return b"".join(parts), leaving


def ops(ws: Path) -> list[dict[str, Any]]:
    """All but the first, and without what was masked on the way in, which isn't there any more on the way out."""
    with open_record(str(ws)) as record:
        every = [unseal(body) for _, _, body in record.rows()]
    return [{name: value for name, value in op.items() if name != "findings"} for op in every[1:]]


def there_and_back(transcript: Path, name: str, folder: Path) -> None:
    ws = recorded(transcript, folder / "a.ccos")
    file = folder / f"a.{name}"
    written, leaving = exported(ws, name)
    file.write_bytes(written)
    assert not leaving.left_out
    assert ops(recorded(file, folder / "b.ccos")) == ops(ws)


@pytest.mark.parametrize("name", BACK)
@pytest.mark.parametrize("sample", SAMPLES, ids=lambda each: each.stem)
def test_a_session_comes_back_as_it_was(sample: Path, name: str, tmp_path: Path) -> None:
    there_and_back(sample, name, tmp_path)


@pytest.mark.skipif(not SHARED.is_dir(), reason="no recordings beside the checkout")
@pytest.mark.parametrize("name", BACK)
@pytest.mark.parametrize("recording", RECORDED)
def test_a_recorded_session_comes_back_as_it_was(recording: str, name: str, tmp_path: Path) -> None:
    there_and_back(SHARED / recording, name, tmp_path)


@pytest.mark.parametrize("name", WRITERS)
def test_the_same_record_gives_the_same_bytes(name: str, tmp_path: Path) -> None:
    ws = recorded(SAMPLES[0], tmp_path / "a.ccos")
    assert exported(ws, name) == exported(ws, name)


@pytest.mark.parametrize("name", WRITERS)
def test_a_secret_that_was_recorded_is_masked(name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for module in ("admit", "arguments"):
        monkeypatch.setattr(f"ccos_core.session.{module}.clean", lambda text: (text, ()))
    transcript = tmp_path / "a.jsonl"
    lines = ({"kind": "session", "id": "s1", "agent": "mine"}, {"kind": "prompt", "text": f"use {SECRETS[0]}"})
    transcript.write_text("".join(json.dumps(each) + "\n" for each in lines))
    written, leaving = exported(recorded(transcript, tmp_path / "a.ccos"), name)
    assert SECRETS[0].encode() not in written
    assert leaving.masked == 1


def test_a_format_of_one_session_asks_which(tmp_path: Path) -> None:
    ws = tmp_path / "a.ccos"
    for session in ("one", "two"):
        transcript = tmp_path / f"{session}.jsonl"
        lines = ({"kind": "session", "id": session, "agent": "mine"}, {"kind": "prompt", "text": session * 3})
        transcript.write_text("".join(json.dumps(each) + "\n" for each in lines))
        recorded(transcript, ws)
    with open_record(str(ws)) as record, pytest.raises(NotFound):
        export_as("atif", record, bytes, "nonesuch")
    with open_record(str(ws)) as record, pytest.raises(Usage):
        export_as("atif", record, bytes)
    written, _ = exported(ws, "atif", "tw")
    assert b"twotwotwo" in written
    assert b"oneoneone" not in written


# -- texts that would like to be more ---------------------------------------------------------------------------------


@st.composite
def steps(draw: st.DrawFn) -> list[Step]:
    prompt: dict[str, Any] = {
        "kind": "prompt",
        "said": draw(TEXTS),
        "source": "user",
        "session": draw(TEXTS),
        "host": "codex",
    }
    given_ = {draw(TEXTS): draw(TEXTS)}
    call: dict[str, Any] = {"kind": "tool", "name": draw(TEXTS), "outcome": "error", "arguments": given_}
    call["result"] = draw(TEXTS)
    seen: dict[str, Any] = {"kind": "seen", "path": draw(TEXTS), "how": "read"}
    return [Step(number, said) for number, said in enumerate((prompt, call, seen), 1)]


@given(steps())
def test_a_cell_is_no_formula(made: list[Step]) -> None:
    parts: list[bytes] = []
    write_table(made, parts.append, Leaving())
    rows = list(csv.reader(io.StringIO(b"".join(parts).decode(), newline="")))
    assert [len(row) for row in rows] == [len(rows[0])] * 4
    assert not [cell for row in rows for cell in row if cell.lstrip(" ").startswith(FORMULAS)]


@given(steps())
def test_a_text_in_markdown_stays_in_its_fence(made: list[Step]) -> None:
    parts: list[bytes] = []
    write_markdown(made, parts.append, Leaving())
    tokens = MarkdownIt("commonmark").parse(b"".join(parts).decode())
    inline = [child.type for token in tokens for child in token.children or ()]
    assert {token.type for token in tokens} <= {
        "heading_open", "heading_close", "paragraph_open", "paragraph_close", "inline", "fence",
    }  # fmt: skip
    assert set(inline) <= {"text", "em_open", "em_close", "text_special", "softbreak"}
    assert len([token for token in tokens if token.type == "fence"]) == sum(
        1 for said in (made[0].said["said"], "arguments", made[1].said["result"]) if said
    )


class Tags(HTMLParser):
    """Which elements and attributes a page has."""

    def __init__(self) -> None:
        super().__init__()
        self.found: set[str] = set()

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.found |= {tag, *(f"@{name}" for name, _ in attrs)}


@given(steps())
def test_a_page_has_no_element_but_its_own(made: list[Step]) -> None:
    parts: list[bytes] = []
    write_page(made, parts.append, Leaving())
    tags = Tags()
    tags.feed(b"".join(parts).decode())
    assert tags.found <= {
        "html", "head", "meta", "title", "style", "body", "h1", "h2", "small", "article", "p", "pre", "details",
        "summary", "@lang", "@charset", "@http-equiv", "@content", "@name", "@id", "@class",
    }  # fmt: skip
