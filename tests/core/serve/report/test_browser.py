"""A report as a person uses it, in a real browser: keys, mouse, dark and light, narrow and wide, and under attack.

Set `CCOS_BROWSER` to a Chromium to run these.
"""

from __future__ import annotations

import json
import os
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests import shared
from tests.core.serve.report.browser import PROGRAM, Browser
from tests.core.serve.report.sessions import PAYLOADS, demonstration, hostile, long_session, page_of

pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(
        not os.environ.get(PROGRAM), reason=f"NO BROWSER: reports were not looked at. Name a Chromium in {PROGRAM}"
    ),
]
TABS = ("window", "diff", "watch", "autopsy", "failures", "about")
TITLE = "document.getElementById('step-title').textContent"
PANE = "document.getElementById('pane').textContent"
TEXT = "document.getElementById('step-text').textContent"
GROUND = "getComputedStyle(document.body).backgroundColor"
DARK, LIGHT = "rgb(17, 20, 27)", "rgb(251, 250, 246)"


@pytest.fixture(scope="module")
def browser(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Browser]:
    opened = Browser(os.environ[PROGRAM], tmp_path_factory.mktemp("profile"))
    yield opened
    opened.close()


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("pages")


@pytest.fixture(scope="module")
def demo(folder: Path) -> str:
    return _written(folder, "demo", shared.made_once("report of the demonstration", lambda: _page(demonstration)))


@pytest.fixture(scope="module")
def attacked(folder: Path) -> str:
    return _written(folder, "attacked", shared.made_once("report under attack", lambda: _page(hostile)))


def _page(make: object) -> bytes:
    import tempfile

    with tempfile.TemporaryDirectory() as name:
        return page_of(make(Path(name)))  # type: ignore[operator]


def _written(folder: Path, name: str, page: bytes) -> str:
    path = folder / f"{name}.html"
    path.write_bytes(page)
    return path.as_uri()


# ---- keys and mouse ----


def test_turns_are_folded_and_unfolded(browser: Browser, demo: str) -> None:
    seen = "document.querySelectorAll('#steps li:not([hidden])').length"
    more = "document.querySelectorAll('#steps [data-more]').length"
    browser.open(demo)
    every = browser.value(seen)
    browser.press("G")
    browser.press("z")
    assert browser.value(seen) < every
    assert browser.value(more) == 1
    browser.press("k")
    browser.press("G")
    browser.press("z")
    assert browser.value(seen) == every
    browser.press("Z")
    folded = browser.value(seen)
    assert folded < every
    browser.press("e")
    assert browser.value(seen) > folded, "a jump into a folded turn unfolds it"


def test_keys_go_through_the_steps(browser: Browser, demo: str) -> None:
    browser.open(demo)
    assert browser.value(TITLE) == "Step 1: epoch"
    browser.press("j")
    assert browser.value(TITLE) == "Step 2: prompt"
    assert "Invoices are a hundred times too high" in browser.value(TEXT)
    browser.press("ArrowDown")
    assert browser.value(TITLE) == "Step 3 to 4: Read src/api.py"
    browser.press("k", "ArrowUp")
    assert browser.value(TITLE) == "Step 1: epoch"
    browser.press("G")
    assert browser.value(TITLE).startswith("Step 61")
    browser.press("g", "}")
    assert browser.value(TITLE) == "Step 40: compaction"
    browser.press("e")
    assert browser.value(TITLE) == "Step 45: Bash pytest -q tests/test_api.py"
    browser.press("J")
    assert browser.value(TITLE) == "Step 51: prompt"
    assert browser.value("location.hash") == "#step=51"
    assert browser.troubles() == []


def test_the_timeline_is_a_slider(browser: Browser, demo: str) -> None:
    browser.open(demo)
    browser.click("#lanes", across=39.5 / 61)
    assert browser.value(TITLE) == "Step 40: compaction"
    lanes = "document.getElementById('lanes')"
    assert browser.value(f"{lanes}.getAttribute('aria-valuenow')") == "40"
    assert "compaction" in browser.value(f"{lanes}.getAttribute('aria-valuetext')")
    browser.value(f"{lanes}.focus()")
    browser.press("ArrowRight")
    assert browser.value(TITLE).startswith("Step 41")
    browser.press("Home")
    assert browser.value(TITLE) == "Step 1: epoch"


def test_rows_lead_to_steps(browser: Browser, demo: str) -> None:
    browser.open(demo)
    browser.click("#steps li:nth-child(5)")
    assert browser.value(TITLE).startswith("Step 7")
    browser.press("a")
    assert "At step 40 src/db.py" in browser.value(PANE)
    browser.click("#pane a[href='#step=53']")
    browser.wait(f"{TITLE}.startsWith('Step 52')")
    assert browser.value("document.querySelector('#pane .here').textContent").lstrip().startswith("53")


def test_panes_follow_the_step(browser: Browser, demo: str) -> None:
    browser.open(f"{demo}#step=40")
    assert browser.value(TITLE) == "Step 40: compaction"
    assert "summary:40" in browser.value(PANE) or "summary" in browser.value(PANE)
    browser.press("d")
    assert "dropped by a compaction" in browser.value(PANE)
    browser.press("w")
    assert "is “out” at this step" in browser.value(PANE)
    browser.press("k")
    assert "is “in” at this step" in browser.value(PANE)
    browser.press("f")
    assert "test_invoice_in_euros" in browser.value(PANE)
    browser.press("i")
    assert "Nothing was left out" in browser.value(PANE)


def test_edits_are_coloured_diffs(browser: Browser, demo: str) -> None:
    browser.open(f"{demo}#step=55")
    assert browser.value("document.querySelectorAll('.part.edit .plus').length") >= 1
    assert browser.value("document.querySelectorAll('.part.edit .minus').length") >= 1
    colours = browser.value(
        "['plus', 'minus'].map((name) => document.querySelector('.part.edit .' + name))"
        ".map((each) => getComputedStyle(each).backgroundColor)"
    )
    assert len({*colours, DARK}) == 3


def test_thinking_opens_and_long_texts_unfold(browser: Browser, attacked: str) -> None:
    browser.open(f"{attacked}#step=3")
    assert browser.value("document.querySelector('details').open") is False
    browser.click("details summary")
    browser.wait("document.querySelector('details').open")
    assert "I think" in browser.value("document.querySelector('details').innerText")
    browser.press("o")
    browser.press("j", "j", "j", "j")
    lines = "document.querySelector('#step-text').textContent.split('\\n').length"
    browser.wait("document.querySelector('.fold')")
    folded = browser.value(lines)
    browser.click(".fold")
    browser.wait(f"{lines} > {folded} + 30")


def test_filtering_shows_what_fits_and_marks_it(browser: Browser, demo: str) -> None:
    browser.open(demo)
    browser.press("/")
    browser.press(*"total")
    shown = browser.value("[...document.querySelectorAll('#steps li')].filter((each) => !each.hidden).length")
    every = browser.value("document.querySelectorAll('#steps li').length")
    assert 0 < shown < every
    assert browser.value("document.getElementById('found').textContent") == f"{shown} of {every}"
    browser.press("Enter")
    browser.wait("document.querySelector('#step-text mark')")
    assert browser.value("document.querySelector('#step-text mark').textContent.toLowerCase()") == "total"
    browser.press("/", "Escape")
    assert browser.value("[...document.querySelectorAll('#steps li')].every((each) => !each.hidden)")


def test_it_plays_and_pauses(browser: Browser, demo: str) -> None:
    browser.open(demo)
    browser.value("document.getElementById('speed').value = '10'")
    browser.press(" ")
    assert browser.value("document.getElementById('play').textContent") == "Pause"
    browser.wait(f"!{TITLE}.startsWith('Step 1:')")
    browser.press(" ")
    assert browser.value("document.getElementById('play').textContent") == "Play"


def test_help_lists_the_keys(browser: Browser, demo: str) -> None:
    browser.open(demo)
    browser.press("?")
    assert browser.value("document.getElementById('keys').open")
    assert "next or previous prompt" in browser.value("document.getElementById('keys').textContent")
    browser.press("Escape")
    browser.wait("!document.getElementById('keys').open")


# ---- dark and light, narrow and wide ----


def test_dark_and_light_follow_the_system_and_the_switch(browser: Browser, demo: str) -> None:
    for scheme, ground, other in (("dark", DARK, LIGHT), ("light", LIGHT, DARK)):
        browser.open(demo, scheme=scheme)
        assert browser.value(GROUND) == ground
        browser.click("#theme")
        assert browser.value(GROUND) == other
        browser.press("T")
        assert browser.value(GROUND) == ground


@pytest.mark.parametrize("scheme", ["dark", "light"])
@pytest.mark.parametrize("width", [360, 760, 1000, 1400, 1920])
def test_nothing_is_wider_than_the_page(browser: Browser, demo: str, width: int, scheme: str) -> None:
    browser.open(f"{demo}#step=45", width=width, scheme=scheme)
    for tab in TABS:
        browser.click(f"#tab-{tab}")
        browser.picture(f"report-{width}-{scheme}-{tab}")
        wide = "[...document.querySelectorAll('header, main > section, #timeline')].filter((each) => "
        assert browser.value(f"{wide} each.getBoundingClientRect().right > innerWidth + 1).length") == 0, tab
        assert browser.value("document.documentElement.scrollWidth <= innerWidth"), tab
        pane = "document.getElementById('pane')"
        assert browser.value(f"{pane}.scrollWidth <= {pane}.clientWidth"), tab
        for place in ("steps", "step-text", "pane"):
            assert browser.value(f"document.getElementById('{place}').clientHeight") > 60, (tab, place)
    assert browser.troubles() == []


# ---- for screen readers ----


def test_everything_has_a_name_and_a_role(browser: Browser, demo: str) -> None:
    browser.open(demo)
    nameless = browser.value(
        "[...document.querySelectorAll('button, input, select, a, [role=slider], [role=listbox], [tabindex=\"0\"]')]"
        ".filter((each) => !(each.textContent.trim() || each.getAttribute('aria-label') ||"
        " each.getAttribute('aria-labelledby'))).map((each) => each.outerHTML)"
    )
    assert nameless == []
    pictures = "[...document.querySelectorAll('[role=img]')].map((each) => each.getAttribute('aria-label'))"
    assert all(name.strip() for name in browser.value(pictures))
    active = "document.getElementById(document.getElementById('steps').getAttribute('aria-activedescendant'))"
    browser.press("j")
    assert browser.value(f"{active}.getAttribute('aria-selected')") == "true"
    assert browser.value("document.querySelectorAll('#tabs [aria-selected=true]').length") == 1
    browser.value("document.getElementById('tab-window').focus()")
    browser.press("ArrowRight")
    assert browser.value("document.activeElement.id") == "tab-diff"
    reached = set()
    for _ in range(30):
        browser.press("Tab")
        reached.add(browser.value("document.activeElement.id"))
    assert {"steps", "lanes", "words", "step-text", "pane", "play", "theme"} <= reached


# ---- under attack ----


def test_no_foreign_text_runs_or_becomes_markup(browser: Browser, attacked: str) -> None:
    browser.open(attacked)
    rows = browser.value("document.querySelectorAll('#steps li').length")
    assert rows > 4 * len(PAYLOADS)
    elements = browser.value("[...new Set([...document.querySelectorAll('*')].map((each) => each.tagName))]")
    for number in range(rows):
        browser.press("j")
        if number % 7 == 0:
            for tab in TABS:
                browser.click(f"#tab-{tab}")
                elements += browser.value(
                    "[...new Set([...document.querySelectorAll('*')].map((each) => each.tagName))]"
                )
    assert browser.value("typeof window.ran") == "undefined"
    assert not {"IMG", "BASE", "IFRAME", "OBJECT", "FORM", "EMBED"} & set(elements)
    assert browser.value("document.scripts.length") == 2
    assert browser.value("document.querySelectorAll('style').length") == 1
    attributes = browser.value(
        "[...new Set([...document.querySelectorAll('*')].flatMap((each) => each.getAttributeNames()))]"
    )
    assert not [name for name in attributes if name.startswith("on")]
    links = browser.value("[...document.querySelectorAll('a')].map((each) => each.getAttribute('href'))")
    assert all(link.startswith("#step=") and link[6:].isdigit() for link in links)
    assert browser.troubles() == []


@pytest.mark.parametrize("hash_", ["#step=9999999999", "#step=<img src=x>", "#step=-1", "#step=99999", "#javascript:1"])
def test_no_address_breaks_it(browser: Browser, demo: str, hash_: str) -> None:
    browser.open(demo + hash_)
    assert browser.value(TITLE).startswith("Step ")
    assert browser.troubles() == []


def test_a_damaged_page_says_so(browser: Browser, demo: str, folder: Path) -> None:
    page = Path(folder / "demo.html").read_text()
    at = page.index('id="record">') + 600
    (folder / "damaged.html").write_text(page[:at] + "AAAA" + page[at + 4 :])
    browser._ask("Page.navigate", url=(folder / "damaged.html").as_uri())
    browser.wait("document.getElementById('notice') && !document.getElementById('notice').hidden")
    assert "damaged" in browser.value("document.getElementById('notice').textContent")


def test_an_old_browser_is_told_what_it_lacks(browser: Browser, demo: str, folder: Path) -> None:
    made = browser._ask("Page.addScriptToEvaluateOnNewDocument", source="delete window.DecompressionStream")
    try:
        browser._ask("Page.navigate", url=demo)
        browser.wait("document.getElementById('notice') && !document.getElementById('notice').hidden")
        assert "needs Chrome 80" in browser.value("document.getElementById('notice').textContent")
    finally:
        browser._ask("Page.removeScriptToEvaluateOnNewDocument", **made)


# ---- long ----


def test_a_thousand_rows_answer_a_key_at_once(browser: Browser, folder: Path, tmp_path: Path) -> None:
    page = shared.made_once("report of 1,000 steps", lambda: page_of(long_session(tmp_path, 250)))
    browser.open(_written(folder, "long", page))
    assert browser.value("document.querySelectorAll('#steps li').length") == 1001
    took = browser.value(
        "(() => { const start = performance.now(); for (let at = 0; at < 50; at++) "
        "document.body.dispatchEvent(new KeyboardEvent('keydown', {key: 'j', bubbles: true}));"
        " return performance.now() - start; })()"
    )
    print(json.dumps({"milliseconds for 50 keys": took}))
    assert browser.value(TITLE).startswith("Step 51")
