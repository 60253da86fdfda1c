"""A report is one page that loads nothing, holds no foreign markup, says what the questions say, and stays small."""

from __future__ import annotations

import base64
import hashlib
import html
import json
import re
import zlib
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ccos_core.present.later import untitled
from ccos_core.present.rows import View
from ccos_core.query.catalogue import BY_NAME
from ccos_core.serve.report import contents as collecting
from ccos_core.serve.report import page as pages
from ccos_core.serve.report.tables import difference, row_json
from ccos_core.session.asking import Desk
from ccos_core.storage.opening import open_record
from tests import shared
from tests.core.serve.report.sessions import HIDDEN, PAYLOADS, demonstration, hostile, long_session, page_of

RECORD = re.compile(rb'<script type="text/plain" id="record">([A-Za-z0-9+/=]+)</script>')


def unpacked(page: bytes) -> Any:
    """Return the contents of a page, as its script unpacks them."""
    found = RECORD.search(page)
    assert found is not None
    return json.loads(zlib.decompress(base64.b64decode(found[1])))


def undone(differences: list[list[Any]]) -> list[tuple[int, list[int]]]:
    """Return [number of the row, its places], as the page's script does."""
    before: list[int] = []
    made = []
    for number, start, end, between in differences:
        before = [*before[:start], *between, *before[len(before) - end :]]
        made.append((number, before))
    return made


def script() -> str:
    return "\n".join(map(pages.file_text, pages.SCRIPTS))


@pytest.fixture
def demo(tmp_path: Path) -> str:
    return demonstration(tmp_path)


# ---- one page, from this file alone ----


def test_the_same_record_gives_the_same_bytes(tmp_path: Path) -> None:
    first, again = tmp_path / "a", tmp_path / "b"
    first.mkdir()
    again.mkdir()
    assert page_of(demonstration(first)) == page_of(demonstration(again))


def test_the_page_allows_its_own_script_and_style_and_nothing_else(demo: str) -> None:
    page = page_of(demo).decode()
    policy = html.unescape(re.search(r'http-equiv="Content-Security-Policy" content="([^"]+)"', page)[1])
    rules = dict(rule.strip().split(" ", 1) for rule in policy.split(";"))
    assert set(rules) == {"default-src", "script-src", "style-src", "base-uri", "form-action"}
    assert rules["default-src"] == rules["base-uri"] == rules["form-action"] == "'none'"
    for name, tag in (("script-src", "script"), ("style-src", "style")):
        (text,) = re.findall(rf"<{tag}>(.*?)</{tag}>", page, re.DOTALL)
        digest = base64.b64encode(hashlib.sha256(text.encode()).digest()).decode()
        assert rules[name] == f"'sha256-{digest}'"


def test_the_page_names_nothing_outside_itself(demo: str) -> None:
    bare = RECORD.sub(b"", page_of(demo)).decode()
    markup = re.sub(r"<(script|style)>.*?</\1>", "", bare, flags=re.DOTALL)
    assert not re.search(r"\b(?:src|href|action|srcset|poster|data)\s*=", markup)
    assert not re.search(r"url\(|@import|//[a-z]+\.|https?:", bare.replace("http://www.w3.org/2000/svg", ""))


FORBIDDEN = (
    "innerHTML", "outerHTML", "insertAdjacent", "document.write", "eval(", "Function(", "createContextualFragment",
    "DOMParser", "setHTML", "srcdoc", "fetch(", "XMLHttpRequest", "WebSocket", "import(", "localStorage", "cookie",
    "postMessage", "setTimeout(\"", "javascript:", "</",
)  # fmt: skip


@pytest.mark.parametrize("word", FORBIDDEN)
def test_the_script_parses_no_markup_and_reaches_nothing(word: str) -> None:
    assert word not in script()


def test_every_element_that_the_script_names_is_on_the_page() -> None:
    named = set(re.findall(r'\bby\("([a-z-]+)"\)', script()))
    there = set(re.findall(r'\bid="([a-z-]+)"', pages.file_text("page.html")))
    assert len(named) > 10
    assert named - {"cursor", "hover"} <= there  # these two the script makes


# ---- foreign text ----


def test_foreign_text_stands_in_no_markup(tmp_path: Path) -> None:
    page = page_of(hostile(tmp_path))
    bare = RECORD.sub(b"", page).decode()
    assert bare.count("<script") == 1
    assert "window.ran" not in bare
    assert not set(HIDDEN) & set(bare)


def test_hidden_characters_are_spelled_out(tmp_path: Path) -> None:
    said = json.dumps(unpacked(page_of(hostile(tmp_path))), ensure_ascii=False)
    assert not set(HIDDEN) & set(said)
    assert not re.search(r"\\u00[01][0-9a-f]", said)
    assert "[U+202E RLO]" in said
    assert all(any(part in said for part in (attack, json.dumps(attack)[1:-1])) for attack in PAYLOADS[:3])


@pytest.mark.parametrize("name", [*PAYLOADS, "a & b", "{{record}}", "{{script}}"])
def test_the_name_of_the_record_is_escaped(name: str) -> None:
    empty = {"name": name.encode("utf-8", "replace").decode(), "texts": [], "left_out": []}
    bare = RECORD.sub(b"", pages.page_of(empty)).decode()
    title = re.search(r"<title>(.*?)</title>", bare, re.DOTALL)[1]
    assert html.unescape(title) == f"{empty['name']}: ccos-tui report"
    assert "<" not in title
    assert bare.count("<script") == 1


def test_secrets_stay_masked(demo: str) -> None:
    said = json.dumps(unpacked(page_of(demo)))
    assert "h" + "unter2-orders" not in said
    assert "REDACTED_PASSWORD@git.example" in said


def test_secrets_that_an_older_record_holds_are_masked(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("ccos_core.text.sanitize.redact", lambda text: (text, ()))
    workspace = long_session(tmp_path, 1)
    monkeypatch.undo()
    secret = "ghp_" + "Zq3" * 12
    monkeypatch.setattr(collecting, "step_parts", lambda *_: [_Said(secret)])
    said = json.dumps(unpacked(page_of(workspace)))
    assert secret not in said


class _Said:
    role, title, path, line, tokens, missing = "text", "", "", 0, 0, ""

    def __init__(self, text: str) -> None:
        self.text = text


# ---- the same as the terminal ----


def test_windows_and_diffs_are_those_of_the_questions(demo: str) -> None:
    view = View(None, full=True)
    with open_record(demo) as record, Desk(record) as desk:
        told = unpacked(pages.report_page(desk, 1, desk.timeline.head))
        written = [json.loads(json.dumps(each)) for each in told["rows"]]
        before = 0
        diffs = {number: places for number, *places in told["diffs"]}
        for number, places in undone(told["windows"]):
            step = max(told["groups"][number][1])
            window = desk.ask(BY_NAME["recall"], {"lens": "host"}, step).answer
            assert [written[place] for place in places] == [row_json(row) for row in untitled(window.item_rows(view))]
            if step > before:
                diff = desk.ask(BY_NAME["diff"], {"lens": "host", "span": f"{before}..{step}"}, step).answer
                assert [written[place] for place in diffs[number]] == [
                    row_json(row) for row in untitled(diff.as_rows(view))
                ]
            before = max(step, before)
        autopsy = desk.ask(BY_NAME["autopsy"], {}, desk.timeline.head).answer
        assert [written[place] for place in told["autopsy"]] == [row_json(row) for row in autopsy.as_rows(view)]
        cost = desk.ask(BY_NAME["cost"], {}, desk.timeline.head).answer
        assert [written[place] for place in told["cost"]] == [row_json(row) for row in cost.as_rows(view)]


def test_every_step_is_in_one_row_and_texts_are_there_once(demo: str) -> None:
    told = unpacked(page_of(demo))
    steps = [step for group in told["groups"] for step in group[1]]
    assert sorted(steps) == list(range(1, told["steps"] + 1))
    assert len(told["parts"]) == len(told["groups"])
    assert len(told["texts"]) == len(set(told["texts"]))
    assert {part[0] for parts in told["parts"] for part in parts} >= {"prompt", "command", "edit", "summary"}


@given(st.lists(st.lists(st.integers(0, 5))))
def test_lists_come_back_from_their_differences(lists: list[list[int]]) -> None:
    before: list[int] = []
    written = []
    for number, now in enumerate(lists):
        written.append([number, *difference(before, now)])
        before = now
    assert [places for _, places in undone(written)] == lists


# ---- bounds ----


def test_three_hundred_steps_take_less_than_three_megabytes(tmp_path: Path) -> None:
    page = shared.made_once("report of 300 steps", lambda: page_of(long_session(tmp_path, 75)))
    assert len(unpacked(page)["groups"]) == 301
    assert len(page) < 3_000_000
    assert unpacked(page)["left_out"] == []


def test_long_texts_lose_their_middle_and_it_is_said(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    workspace = long_session(tmp_path, 5)
    whole = len(page_of(workspace))
    monkeypatch.setattr(pages, "PAGE_BYTES", whole - 1)
    told = unpacked(page_of(workspace))
    assert told["left_out"] == ["Long texts: the middle of 11 texts longer than 300 characters."]
    assert any("characters left out of this report" in text for text in told["texts"])


def test_of_many_rows_the_last_ones_are_shown(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    workspace = long_session(tmp_path, 20)
    monkeypatch.setattr(collecting, "ROWS_MOST", 30)
    monkeypatch.setattr(collecting, "WINDOWS_MOST", 10)
    told = unpacked(page_of(workspace))
    assert len(told["groups"]) == 30
    assert len(told["windows"]) == 10
    first = told["groups"][0][0]
    assert told["first"] == first > 1
    assert told["left_out"] == [
        f"Steps 1 to {first - 1}: --steps 1..{first - 1} shows them.",
        "Windows and diffs: one row in 3 has them.",
    ]


# ---- to be read by everybody ----


def _luminance(colour: str) -> float:
    parts = [int(colour[at : at + 2], 16) / 255 for at in (1, 3, 5)]
    red, green, blue = (part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4 for part in parts)
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


def _contrast(one: str, other: str) -> float:
    low, high = sorted((_luminance(one), _luminance(other)))
    return (high + 0.05) / (low + 0.05)


def _themes() -> list[dict[str, str]]:
    style = pages.file_text("page.css")
    blocks = [each for each in re.findall(r"\{([^{}]*)\}", style) if "--ground:" in each]
    return [dict(re.findall(r"--(\w+): (#\w{6})", block)) for block in blocks]


def test_dark_is_the_same_by_system_and_by_switch() -> None:
    light, by_system, by_switch = _themes()
    assert by_system == by_switch
    assert set(light) == set(by_switch)


@pytest.mark.parametrize("theme", _themes(), ids=("light", "dark", "switched"))
def test_every_colour_of_text_can_be_read(theme: dict[str, str]) -> None:
    """4.5 to 1 is what WCAG 2 asks of text."""
    for ground in ("ground", "panel", "raised"):
        for text in ("text", "quiet", "accent", "second", "number", "good", "bad", "note"):
            assert _contrast(theme[text], theme[ground]) >= 4.5, f"{text} on {ground}"
    for text, ground in (("good", "plus"), ("bad", "minus"), ("text", "mark"), ("text", "plus")):
        assert _contrast(theme[text], theme[ground]) >= 4.5, f"{text} on {ground}"
