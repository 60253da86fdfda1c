"""The reverse watchpoint, and looking at what is selected: on the demo, of which a compaction drops `src/db.py`."""

from __future__ import annotations

import errno
from collections.abc import Iterable
from typing import Any

import pytest

from ccos_core.query.catalogue import entry_of
from ccos_core.session.asking import Desk
from ccos_core.storage.opening import open_record
from ccos_tui.bridge import keepsakes
from ccos_tui.bridge.ask import Ask
from ccos_tui.focus import MOST
from ccos_tui.screens.full import AnswerScreen
from ccos_tui.screens.running import NONE_SELECTED, NONE_WATCHED
from tests.tui.driving import MIDDLE, NARROW, WIDE, Driven, drive

NODE = "file:src/db.py"


async def watch_db(driven: Driven) -> None:
    """Stand where the file is read again, and watch it."""
    await driven.press("5", "3", "G", "w")


def at(driven: Driven) -> int:
    return driven.app.home.here.step


def test_back_to_where_it_left(demo: str) -> None:
    async def story(driven: Driven) -> None:
        await watch_db(driven)
        assert "src/db.py watched: " in driven.status
        await driven.press("[")
        assert at(driven) == 40
        assert "src/db.py left: dropped by a compaction, step 40, 167,510 → 11,020 tokens" in driven.status
        await driven.press("[")
        assert at(driven) == 6
        assert "src/db.py came in: read there, step 6, read src/db.py" in driven.status
        await driven.press("[")
        assert at(driven) == 6
        assert "no earlier change: src/db.py stays in" in driven.status
        await driven.press("]", "]")
        assert at(driven) == 53
        await driven.press("]")
        assert at(driven) == 53
        assert "no later change" in driven.status
        await driven.press("ctrl+o")
        assert at(driven) == 40

    drive(demo, story)


def test_a_count_runs_so_many_changes(demo: str) -> None:
    async def story(driven: Driven) -> None:
        await watch_db(driven)
        await driven.press("G", "2", "[")
        assert at(driven) == 40

    drive(demo, story)


def test_in_both_windows_the_nearer_change_is_run_to(demo: str) -> None:
    async def story(driven: Driven) -> None:
        await watch_db(driven)
        await driven.press("L", "L", "[")
        assert at(driven) == 40
        assert "dropped by a compaction" in driven.status
        labels = [line.split()[:2] for line in driven.pane_lines("watch") if line.strip()]
        assert labels[0] == ["src/db.py", "sugg."]
        assert labels[1][0] == "agent"

    drive(demo, story)


def test_nothing_watched_and_nothing_selected_is_said(demo: str) -> None:
    async def story(driven: Driven) -> None:
        told = driven.app.keys.told
        for key, said in (("[", told(NONE_WATCHED)), ("w", told(NONE_SELECTED)), ("W", told(NONE_SELECTED))):
            await driven.press(key)
            assert said in driven.status
        assert any("Nothing is selected" in row.text for row in driven.rows("why"))
        driven.app.home.show_pane("watch")
        await driven.settle()
        assert any("w watches what is selected" in row.text for row in driven.rows("watch"))
        assert at(driven) == 61

    drive(demo, story)


def test_what_is_selected_is_run_to_without_a_watch(demo: str) -> None:
    async def story(driven: Driven) -> None:
        await driven.press("5", "3", "G", "[")
        assert at(driven) == 40

    drive(demo, story)


def test_watching_is_left_by_the_same_key(demo: str) -> None:
    async def story(driven: Driven) -> None:
        await watch_db(driven)
        assert driven.app.home.watches.each[0].node == NODE
        await driven.press("w")
        assert driven.app.home.watches.each == ()
        assert "src/db.py no longer watched" in driven.status
        assert any("Nothing is watched" in row.text for row in driven.rows("watch"))

    drive(demo, story)


def test_what_is_watched_is_watched_the_next_time(demo: str) -> None:
    async def first(driven: Driven) -> None:
        await watch_db(driven)

    async def then(driven: Driven) -> None:
        assert [(each.node, each.at) for each in driven.app.home.watches.each] == [(NODE, 53)]
        assert driven.rows("watch")[0].text.startswith(" src/db.py ")
        await driven.press("[", "[")
        assert at(driven) == 40
        await watch_db(driven)

    async def last(driven: Driven) -> None:
        assert driven.app.home.watches.each == ()

    for story in (first, then, last):
        drive(demo, story)


def test_where_it_cant_be_kept_it_is_watched_all_the_same(demo: str, monkeypatch: pytest.MonkeyPatch) -> None:
    def full(*_: object) -> None:
        raise OSError(errno.ENOSPC, "No space left on device")

    monkeypatch.setattr(keepsakes, "_write_watches", full)

    async def story(driven: Driven) -> None:
        await watch_db(driven)
        assert "go to its changes; not saved: no space left on device" in driven.status
        assert NODE in driven.app.home.watches

    drive(demo, story)


def test_there_is_room_for_eight(demo: str) -> None:
    async def story(driven: Driven) -> None:
        watches = driven.app.home.watches
        for number in range(MOST):
            assert watches.watch(f"file:{number}.py", 61)
        await watch_db(driven)
        assert len(watches.each) == MOST
        assert f"{MOST} nodes are watched already" in driven.status

    drive(demo, story)


def test_a_strip_is_asked_for_once_wherever_the_cursor_goes(demo: str) -> None:
    async def story(driven: Driven) -> None:
        asked = listening(driven)
        await watch_db(driven)
        assert [slot for slot, _ in asked if slot.startswith("watch")] == ["watch:1"]
        asked.clear()
        await driven.press("j", "k", "g", "G", "[")
        assert [slot for slot, _ in asked if slot.startswith("watch")] == []
        await driven.press("L", "+")
        assert [slot for slot, _ in asked if slot.startswith("watch")] == ["watch:1", "watch:1"]

    drive(demo, story)


def listening(driven: Driven) -> list[tuple[str, Ask]]:
    """Hear what is asked of the engine."""
    asked: list[tuple[str, Ask]] = []
    engine = driven.app.engine
    put, put_all = engine.ask, engine.ask_all

    def hear(slot: str, question: Ask) -> None:
        asked.append((slot, question))
        put(slot, question)

    def hear_all(questions: Iterable[tuple[str, Ask]]) -> None:
        heard = list(questions)
        asked.extend(heard)
        put_all(heard)

    engine.ask, engine.ask_all = hear, hear_all  # type: ignore[method-assign]
    return asked


def test_who_is_told_that_there_is_more_asks_anew(demo: str) -> None:
    async def story(driven: Driven) -> None:
        await watch_db(driven)
        await driven.press("W")
        asked = listening(driven)
        driven.app.home.tell_anew()
        await driven.settle()
        assert {"watch:1", "why"} <= {slot for slot, _ in asked}
        assert driven.rows("watch")[0].text.startswith(" src/db.py ")

    drive(demo, story)


def test_the_cursor_is_marked_in_the_strip_as_it_moves(demo: str) -> None:
    async def story(driven: Driven) -> None:
        await watch_db(driven)
        places = []
        for keys in (("g",), ("4", "0", "G"), ("G",)):
            await driven.press(*keys)
            (row, *_) = driven.rows("watch")
            before = [span.text for span in row.spans]
            marks = [at for at, span in enumerate(row.spans) if span.role == "mark"]
            places.append(sum(len(text) for text in before[: marks[0]]))
        assert places == sorted(set(places))

    drive(demo, story)


def test_the_panes_say_what_the_headless_commands_say(demo: str) -> None:
    async def story(driven: Driven) -> None:
        await watch_db(driven)
        asked = listening(driven)
        for key in ("W", "x", "t", "p"):
            await driven.press(key)
        await driven.press("L")
        answers = {slot: driven.app.engine._known[question].answer for slot, question in asked
                   if question in driven.app.engine._known}  # fmt: skip
        assert {"why", "energy", "tree", "tree:impact", "provenance"} <= set(answers)
        with open_record(demo) as record, Desk(record) as desk:
            for slot, question in asked:
                if slot.partition(":")[0] in ("why", "energy", "tree", "provenance", "watch"):
                    assert headless(desk, question) == driven.app.engine._known[question].answer

    drive(demo, story)


def headless(desk: Desk, question: Ask) -> Any:
    entry = entry_of(question.name)
    assert entry is not None
    return desk.ask(entry, dict(question.said), question.at).answer


def test_both_verdicts_stand_on_top(demo: str) -> None:
    async def story(driven: Driven) -> None:
        await watch_db(driven)
        await driven.press("L", "L", "[", "W")
        title, suggested, agent, *_ = driven.rows("why")
        assert title.text.split() == ["src/db.py", "step", "40"]
        assert suggested.text.startswith("suggested ● in as")
        assert agent.text.startswith("agent     ○ out: dropped by a compaction, step 40")
        for each in (suggested, agent):
            assert driven.shows(each.text), "without scrolling"

    for size in (WIDE, MIDDLE, NARROW):
        drive(demo, story, size)


def test_rows_lead_to_nodes_and_steps(demo: str) -> None:
    async def story(driven: Driven) -> None:
        await watch_db(driven)
        await driven.press("t")
        target = next(i for i, row in enumerate(driven.rows("tree")) if "src/api.py#invoice" in row.text)
        driven.pane("tree").select(target)
        await driven.press("enter")
        assert driven.app.home.here.node == "sym:src/api.py#invoice"
        assert driven.rows("tree")[0].text.startswith("src/api.py#invoice")
        await driven.press("p")
        first = next(i for i, row in enumerate(driven.rows("provenance")) if "first seen" in row.text)
        driven.pane("provenance").select(first)
        leads = driven.rows("provenance")[first].leads
        await driven.press("enter")
        assert leads is not None
        assert at(driven) == leads.step

    drive(demo, story)


def test_energy_is_of_the_step_or_since_the_mark(demo: str) -> None:
    async def story(driven: Driven) -> None:
        await driven.press("5", "0", "G", "x")
        assert driven.rows("energy")[0].text.startswith("5 nodes moved  +1.70 hotter")
        assert driven.pane("energy").border_subtitle == "49 → 50"
        driven.app.home.steps.focus()
        await driven.press("2", "0", "G", "=", "6", "0", "G")
        assert "colder" in driven.rows("energy")[0].text
        assert "since the mark" in str(driven.pane("energy").border_subtitle)

    drive(demo, story)


def test_a_click_in_a_strip_goes_to_that_step(demo: str) -> None:
    async def story(driven: Driven) -> None:
        await watch_db(driven)
        await driven.press("g")
        place = driven.find("●●●")
        assert place is not None
        await driven.click(place)
        assert at(driven) in (6, 7)  # the first step of its column
        assert driven.app.home.here.node == NODE

    drive(demo, story)


def test_before_the_first_step_every_pane_has_something_to_say(demo: str) -> None:
    async def story(driven: Driven) -> None:
        await watch_db(driven)
        await driven.press("g")
        for lens in ("host", "working-set", "both"):
            assert driven.app.home.here.lens == lens
            for name in ("why", "energy", "tree", "provenance"):
                driven.app.home.show_pane(name)
                await driven.settle()
                assert any(row.text.strip() for row in driven.rows(name)), (lens, name)
            assert driven.rows("watch")[0].text.startswith(" src/db.py")
            await driven.press("L")

    drive(demo, story)


# -- the window on screen ---------------------------------------------------------------------------------------------


def typed_as(driven: Driven) -> str:
    """The line that the answer on screen is of."""
    assert isinstance(driven.app.screen, AnswerScreen), driven.status
    return driven.app.screen.message.ask.words()


@pytest.mark.parametrize(
    ("keys", "line", "asked"),
    [
        ("L", "why src/db.py", "why src/db.py --budget 2048 --lens working-set"),
        ("L-", "missing src/db.py", "missing src/db.py --budget 1024 --lens working-set"),
        ("", "why src/db.py", "why src/db.py --lens host"),
        ("", "watch src/db.py", "watch src/db.py --lens host"),
        ("", "why src/db.py --lens working-set", "why src/db.py --lens working-set"),
        ("LL", "watch src/db.py", "watch src/db.py --budget 2048 --lens both"),
        ("LL", "why src/db.py", "why src/db.py --budget 2048 --lens both"),
        ("L-", "missing src/db.py 40", "missing src/db.py 40 --lens working-set"),
        ("L-", "around src/db.py", "around src/db.py --budget 1024"),
        ("", "state", "state"),
        ("", "blame src/db.py", "blame src/db.py"),
        ("", "stats", "stats"),
    ],
)
def test_a_typed_question_is_about_the_window_on_screen(demo: str, keys: str, line: str, asked: str) -> None:
    async def story(driven: Driven) -> None:
        await driven.press("4", "0", "G", *keys, ":")
        await driven.type(line)
        await driven.press("enter")
        assert typed_as(driven) == asked

    drive(demo, story)


def test_keys_of_the_why_pane_are_about_its_node(demo: str) -> None:
    async def story(driven: Driven) -> None:
        await watch_db(driven)
        await driven.press("2", "0", "G", "enter")
        node = driven.app.home.here.node
        assert node is not None
        assert node not in driven.app.home.watches
        asked = listening(driven)
        await driven.press("[")
        assert ("node", "file:src/db.py") in asked[0][1].said, "elsewhere the watched node is meant"
        await driven.press("2", "0", "G", "enter", "W")
        asked.clear()
        await driven.press("[")
        assert asked[0][1].name == "last"
        assert ("node", node) in asked[0][1].said

    drive(demo, story)


def test_words_are_watched_by_typing_them_and_kept(demo: str) -> None:
    async def first(driven: Driven) -> None:
        await driven.type(':watch "a hundred times too high"')
        await driven.press("enter", "escape")
        assert [each.node for each in driven.app.home.watches.each] == ["words:a hundred times too high"]
        assert driven.rows("watch")[0].text.startswith(" “a hundred ")
        await driven.press("[")
        assert at(driven) == 40
        assert "left: dropped by a compaction, step 40" in driven.status
        await driven.press("[")
        assert at(driven) == 2
        await driven.press("W")
        assert any("prompt 2 has it" in row.text for row in driven.rows("why"))

    async def then(driven: Driven) -> None:
        assert [each.node for each in driven.app.home.watches.each] == ["words:a hundred times too high"]
        await driven.press("g", "]")
        assert at(driven) == 2

    for story in (first, then):
        drive(demo, story)
