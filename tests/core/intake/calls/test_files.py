"""What the record is told of files, whatever was known of them before, never speaks against what the files really are.

A file changes; somebody sees parts of it and edits it in every way hosts tell of. What the observations say is put
together as the fold does it, and each line that is sure must be the file's line.
"""

import difflib
from typing import Any

from hypothesis import assume, given
from hypothesis import strategies as st

from ccos_core.intake.calls.effects import (
    Appended,
    Changed,
    Effect,
    Hunk,
    Moved,
    Patched,
    Removed,
    Replaced,
    Rewrote,
    Shown,
    Wrote,
)
from ccos_core.intake.calls.files import Files
from ccos_core.intake.calls.patches import parse_diff
from ccos_core.values import sheet as sheets
from ccos_core.values.sheet import BLANK, Sheet

SURE = (sheets.DELIVERED, sheets.PATCHED)
LINES = st.lists(st.sampled_from(["a", "b", "ab", "", "x", "\ty"]), min_size=1, max_size=9)
TEXTS = st.builds(lambda lines, end: "\n".join(lines) + end, LINES, st.sampled_from(["", "\n", "\n"]))
SMALL = st.text("abx\n", max_size=5)


class Replay:
    """Observations put together as the fold puts ops together."""

    def __init__(self) -> None:
        self.files = Files()
        self.sheets: dict[str, Sheet] = {}
        self.unsure: set[str] = set()
        """Files of which something was told that is likely."""

    def tell(self, effect: Effect) -> list[dict[str, Any]]:
        told = list(self.files.observed(effect))
        for each in told:
            self.hear(each)
        return told

    def hear(self, told: dict[str, Any]) -> None:
        path = told["path"]
        before = self.sheets.get(path, BLANK)
        if told["kind"] == "gone" or "withheld" in told:
            self.sheets.pop(path, None)
            self.unsure.discard(path)
        elif told["kind"] == "renamed":
            self.sheets[told["to"]] = self.sheets.pop(path, BLANK)
            self.unsure = {told["to"] if each == path else each for each in self.unsure}
        elif "slice" in told:
            first, text = told["slice"][0], told["content"]
            assert told["slice"][1] == first + len(text.removesuffix("\n").split("\n")) - 1
            reading = told["how"] == "read"
            after = sheets.read_in_part(before, first, text) if reading else None
            self.sheets[path] = after or sheets.edited_in_part(before, first, text, told.get("took"))
            if told.get("inferred"):
                self.unsure.add(path)
        else:
            self.unsure.discard(path)
            self.sheets[path] = sheets.written(told["content"])

    def check(self, path: str, truth: str) -> None:
        """Hold what is sure against the file."""
        whole = self.files.text(path)
        assert whole is None or whole == truth
        sheet, lines = self.sheets.get(path, BLANK), truth.split("\n")
        if path in self.unsure:
            return
        for first, last, kind in sheet.runs:
            if kind in SURE:
                assert list(sheet.lines[first - 1 : last]) == lines[first - 1 : last]
        if whole is not None:
            assert sheet.text == truth


def lines_of(text: str) -> list[str]:
    """The lines of a file as people count them: what follows the last newline is none if it is empty."""
    return text.removesuffix("\n").split("\n")


@st.composite
def shown(draw: st.DrawFn, truth: str) -> tuple[Effect, str]:
    lines = lines_of(truth)
    if draw(st.integers(0, 3)) == 0:
        return Shown("f", truth, whole=True), truth
    first = draw(st.integers(1, len(lines)))
    last = draw(st.integers(first, len(lines)))
    return Shown("f", "".join(f"{line}\n" for line in lines[first - 1 : last]), first), truth


@st.composite
def replaced(draw: st.DrawFn, truth: str) -> tuple[Effect, str]:
    start = draw(st.integers(0, max(len(truth) - 1, 0)))
    old = truth[start : draw(st.integers(start + 1, len(truth) + 1))]
    new, everywhere = draw(SMALL), draw(st.booleans())
    before = draw(st.sampled_from([None, None, truth]))
    once = old and truth.find(old) == truth.rfind(old)
    assume(old and (everywhere or once))
    after = truth.replace(old, new)
    line = draw(st.sampled_from([None, truth.count("\n", 0, truth.find(old)) + 1]))
    return Replaced("f", old, new, everywhere, before, line), after


@st.composite
def rewritten(draw: st.DrawFn, truth: str) -> tuple[Effect, str]:
    lines = lines_of(truth)
    first = draw(st.integers(1, len(lines)))
    last = draw(st.integers(first - 1, len(lines)))
    new = draw(st.lists(st.sampled_from(["a", "", "new"]), max_size=3))
    assume(new or last >= first)
    after = [*lines[: first - 1], *new, *lines[last:]]
    assume(after)
    end = "\n" if truth.endswith("\n") else ""
    return Rewrote("f", first, last, "".join(f"{line}\n" for line in new)), "\n".join(after) + end


def unified(before: str, after: str, context: int) -> str:
    told = difflib.unified_diff(before.splitlines(True), after.splitlines(True), "a/f", "b/f", n=context)
    return "".join(line if line.endswith("\n") else f"{line}\n\\ No newline at end of file\n" for line in told)


@st.composite
def patched(draw: st.DrawFn, truth: str) -> tuple[Effect, str]:
    """Some lines are others, told with the numbers of lines or without, if who applies it finds the place."""
    lines = lines_of(truth)
    for _ in range(draw(st.integers(1, 2))):
        at = draw(st.integers(0, len(lines)))
        lines[at : at + draw(st.integers(0, 2))] = draw(st.lists(st.sampled_from(["a", "", "new"]), max_size=2))
    after = "".join(f"{line}\n" for line in lines) if truth.endswith("\n") else "\n".join(lines)
    assume(after and truth and after != truth)
    context = draw(st.integers(0, 3))
    effects = parse_diff(unified(truth, after, context))
    assume(effects)
    (effect,) = effects
    assert isinstance(effect, Patched)
    hunks = list(effect.hunks)
    if draw(st.booleans()) or any(hunk.at_end for hunk in hunks):
        assume(context or (truth + after)[-1] == "\n" or truth[-1] == after[-1])
        assume(found_by_numbers(truth, hunks) == after)
    else:
        beside = draw(st.sampled_from([(), (lines_of(truth)[0],)]))
        hunks = [Hunk(hunk.old, hunk.new, beside=beside if number == 0 else ()) for number, hunk in enumerate(hunks)]
        assume(found_by_search(truth, hunks) == after)
    return Patched("f", hunks), after


def found_by_numbers(text: str, hunks: list[Hunk]) -> str:
    lines, moved = text.split("\n"), 0
    for hunk in hunks:
        start = (hunk.first or 1) - 1 + moved
        lines[start : start + len(hunk.old)] = hunk.new
        moved += len(hunk.new) - len(hunk.old)
    return "\n".join(lines)


def found_by_search(text: str, hunks: list[Hunk]) -> str | None:
    """Each place is the first that fits below the one before."""
    lines, start = text.split("\n"), 0
    for hunk in hunks:
        for beside in hunk.beside:
            start = lines.index(beside, start) + 1
        places = [at for at in range(start, len(lines)) if tuple(lines[at : at + len(hunk.old)]) == hunk.old]
        if hunk.old and not places:
            return None
        at = places[0] if hunk.old else len(lines) - (lines[-1] == "")
        lines[at : at + len(hunk.old)] = hunk.new
        start = at + len(hunk.new)
    return "\n".join(lines)


@st.composite
def deeds(draw: st.DrawFn, truth: str) -> tuple[Effect, str]:
    """Something that is done to a file or shown of it, and what the file is then."""
    kind = draw(st.sampled_from(["shown", "shown", "replaced", "rewritten", "patched", "patched", "else"]))
    if kind == "shown":
        return draw(shown(truth))
    if kind in ("replaced", "rewritten", "patched") and truth:
        return draw({"replaced": replaced, "rewritten": rewritten, "patched": patched}[kind](truth))
    text = draw(TEXTS)
    return draw(
        st.sampled_from([(Wrote("f", text), text), (Appended("f", text), truth + text), (Changed("f"), text)]),
    )


@given(TEXTS, st.data())
def test_what_is_told_never_speaks_against_the_file(truth: str, data: st.DataObject) -> None:
    replay = Replay()
    for _ in range(data.draw(st.integers(1, 6))):
        effect, after = data.draw(deeds(truth))
        was_whole = replay.files.text("f") is not None
        replay.tell(effect)
        replay.check("f", after)
        if was_whole and not isinstance(effect, Changed):
            assert replay.files.text("f") == after
        truth = after


ALIKE = st.builds(
    lambda lines, end: "\n".join(lines) + end,
    st.lists(st.sampled_from(["a", "a", "b", ""]), min_size=3, max_size=6),
    st.sampled_from(["", "\n"]),
)


@st.composite
def small(draw: st.DrawFn, truth: str) -> tuple[Effect, str]:
    """A line or two are others, told by nothing but them."""
    at = draw(st.integers(0, len(lines_of(truth)) - 1))
    old = tuple(lines_of(truth)[at : at + draw(st.integers(1, 2))])
    hunk = Hunk(old, draw(st.sampled_from([("n",), ("n", "n"), ()])))
    after = found_by_search(truth, [hunk])
    assert after is not None
    return Patched("f", [hunk]), after


@st.composite
def everywhere(draw: st.DrawFn, truth: str) -> tuple[Effect, str]:
    start = draw(st.integers(0, len(truth) - 1))
    old, new = truth[start : start + draw(st.integers(1, 3))], draw(st.sampled_from(["", "n", "\n"]))
    return Replaced("f", old, new, everywhere=True), truth.replace(old, new)


@given(ALIKE, st.data())
def test_an_edit_that_fits_in_more_than_one_place_is_sure_only_where_it_is(truth: str, data: st.DataObject) -> None:
    replay = Replay()
    size = len(lines_of(truth))
    first = data.draw(st.integers(1, size))
    lines = lines_of(truth)[first - 1 : data.draw(st.integers(first, size))]
    replay.tell(Shown("f", "".join(f"{line}\n" for line in lines), first))
    effect, truth = data.draw(st.one_of(small(truth), everywhere(truth), replaced(truth)))
    replay.tell(effect)
    replay.check("f", truth)


@given(ALIKE, st.sampled_from(["a\n", "b\n", "b\na\n"]), st.data())
def test_an_edit_below_what_changed_nobody_knows_how_is_likely(truth: str, above: str, data: st.DataObject) -> None:
    replay = Replay()
    replay.tell(Shown("f", truth, whole=True))
    replay.tell(Changed("f"))
    replay.unsure.clear()  # the line it is told by is the one that is right by chance
    assume(above.split("\n")[0] == truth.split("\n")[0])
    effect, truth = data.draw(st.one_of(small(above + truth), replaced(above + truth)))
    replay.tell(effect)
    replay.check("f", truth)


@given(TEXTS, st.data())
def test_a_file_known_in_full_is_known_in_full_after_any_edit(truth: str, data: st.DataObject) -> None:
    replay = Replay()
    replay.tell(Shown("f", truth, whole=True))
    for _ in range(data.draw(st.integers(1, 3))):
        assume(truth)
        effect, truth = data.draw(st.one_of(replaced(truth), rewritten(truth), patched(truth)))
        told = replay.tell(effect)
        assert [each.get("content") for each in told] == [truth]
        assert not any(each.get("inferred") for each in told)
        replay.check("f", truth)


@given(TEXTS, st.data())
def test_a_place_the_host_names_is_sure_whatever_is_known(truth: str, data: st.DataObject) -> None:
    effect, after = data.draw(patched(truth))
    assert isinstance(effect, Patched)
    assume(all(hunk.first is not None and hunk.new for hunk in effect.hunks))
    replay = Replay()
    told = replay.tell(effect)
    assert told
    assert not any("withheld" in each or "inferred" in each for each in told)
    replay.check("f", after)


def test_paths_are_followed() -> None:
    replay = Replay()
    replay.tell(Wrote("f", "a\n"))
    assert replay.tell(Moved("f", "g")) == [{"kind": "renamed", "path": "f", "to": "g"}]
    assert (replay.files.text("f"), replay.files.text("g")) == (None, "a\n")
    assert replay.tell(Replaced("g", "a", "b"))[0]["content"] == "b\n"
    assert replay.tell(Removed("g")) == [{"kind": "gone", "path": "g"}]
    assert replay.files.text("g") is None
    assert next(replay.files.observed(Wrote("h", "a\n"), "/w/src"))["path"] == "/w/src/h"
    assert replay.files.text("../src/h", "/w/src") == "a\n"


def test_what_is_concluded_is_marked() -> None:
    (told,) = Files().observed(Shown("f", "a\n", 3, inferred=True))
    assert (told["slice"], told["inferred"]) == ([3, 3], True)


def test_an_edit_of_what_nobody_has_seen() -> None:
    assert list(Files().observed(Replaced("f", "a", "b"))) == [
        {"kind": "seen", "how": "edit", "path": "f", "withheld": "unplaced"},
    ]


def test_only_so_much_is_remembered(monkeypatch: Any) -> None:
    monkeypatch.setattr("ccos_core.intake.calls.files.MOST", 10)
    files = Files()
    for path, text in (("f", "12345"), ("g", "12345")):
        list(files.observed(Wrote(path, text)))
    assert (files.text("f"), files.text("g")) == (None, "12345")


def test_a_part_that_is_shown_again_and_again_takes_the_room_of_one(monkeypatch: Any) -> None:
    monkeypatch.setattr("ccos_core.intake.calls.files.MOST", 1_000)
    files = Files()
    list(files.observed(Wrote("g", "12345")))
    for number in range(100):
        list(files.observed(Shown("f", f"{number}\n", 3)))
        list(files.observed(Replaced("f", "nowhere", "x")))
    assert files.text("g") == "12345"


def test_parts_that_make_up_the_whole_file_are_recorded_as_it() -> None:
    """A slice can't say that the file ends with it, so that nobody could tell a part from the whole."""
    files = Files()
    first = list(files.observed(Shown("f", "one\ntwo\n", 1)))
    assert [each["how"] for each in first] == ["read"]
    told = list(files.observed(Shown("f", "three\n", 3, ends=True)))
    assert [(each["how"], each["content"], each.get("slice")) for each in told] == [
        ("ingest", "one\ntwo\nthree\n", None),
        ("read", "three", [3, 3]),
    ]
    again = list(files.observed(Shown("f", "three\n", 3, ends=True)))
    assert [each["how"] for each in again] == ["read"]
    apart = Files()
    list(apart.observed(Shown("f", "one\n", 1)))
    assert [each["how"] for each in apart.observed(Shown("f", "three\n", 3, ends=True))] == ["read"]
