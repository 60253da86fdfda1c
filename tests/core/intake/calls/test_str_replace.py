"""The editor several agents share: what it printed, back to files."""

from typing import Any

from hypothesis import given
from hypothesis import strategies as st

from ccos_core.intake.calls.effects import Changed, Effect, Hunk, Patched, Replaced, Rewrote, Shown, Wrote
from ccos_core.intake.calls.files import Files
from ccos_core.intake.calls.numbered import effects_of_str_replace, placed

lines = st.lists(st.text("ab c\t", max_size=4), min_size=1, max_size=12)


def listing(of: str, first: int = 1) -> str:
    numbered = "".join(f"{number:6}\t{line}\n" for number, line in enumerate(of.split("\n"), first))
    return f"Here's the result of running `cat -n` on /w/a.py:\n{numbered}"


def effects(result: str, succeeded: bool | None = None, **arguments: Any) -> list[Effect]:
    return effects_of_str_replace({"path": "/w/a.py", **arguments}, result, succeeded)


@given(lines.map("\n".join))
def test_a_view_of_a_file_is_that_file(text: str) -> None:
    assert effects(listing(text), command="view") == [Shown("/w/a.py", text, whole=True)]
    assert effects(listing(text).replace("\n", "\r\n"), command="view") == [Shown("/w/a.py", text, whole=True)]


@given(lines, st.integers(1, 500))
def test_a_view_of_some_lines_is_those(some: list[str], first: int) -> None:
    shown = effects(listing("\n".join(some), first), command="view", view_range=[first, first + len(some) - 1])
    assert shown == [Shown("/w/a.py", "".join(line + "\n" for line in some), first)]


def test_a_view_that_was_clipped_is_not_all() -> None:
    clipped = listing("one\ntwo") + "<response clipped><NOTE>To save on context only part has been shown.</NOTE>"
    assert effects(clipped, command="view") == [Shown("/w/a.py", "one\ntwo\n", 1)]


def test_a_folder_is_no_file() -> None:
    assert effects("Here's the files and directories up to 2 levels deep in /w:\n/w\n/w/a.py\n", command="view") == []


def test_creating_writes_if_it_says_so() -> None:
    done = "File created successfully at: /w/a.py"
    assert effects(done, command="create", file_text="one\n") == [Wrote("/w/a.py", "one\n")]
    assert effects("File already exists at: /w/a.py.", command="create", file_text="one\n") == []
    assert effects("whatever", True, command="create", file_text="one\n") == [Wrote("/w/a.py", "one\n")]


@given(st.data())
def test_a_replacement_becomes_the_whole_lines_it_changed(data: st.DataObject) -> None:
    text = "\n".join(data.draw(lines))
    old = data.draw(st.text("ab c\n", min_size=1, max_size=6))
    new = data.draw(st.text("xy\n", min_size=1, max_size=6))
    if old not in text or text.find(old, text.find(old) + 1) >= 0:
        return
    after = text.replace(old, new)
    if after.find(new, after.find(new) + 1) >= 0:
        return
    around = after.split("\n")
    hunk = placed(old, new, list(enumerate(around, 1)))
    assert hunk is not None
    assert hunk.first is not None
    before = text.split("\n")
    start = hunk.first - 1
    assert tuple(before[start : start + len(hunk.old)]) == hunk.old
    assert [*before[:start], *hunk.new, *before[start + len(hunk.old) :]] == around


def test_an_edit_is_placed_by_the_lines_around_it() -> None:
    snippet = listing("def f():\n    return 2\n", 40)
    done = f"The file /w/a.py has been edited. {snippet}Review the changes."
    assert effects(done, command="str_replace", old_str="return 1", new_str="return 2") == [
        Patched("/w/a.py", (Hunk(("    return 1",), ("    return 2",), 41),)),
        Shown("/w/a.py", "def f():\n    return 2\n\n", 40),
    ]


def test_an_edit_nobody_can_place_is_told_by_its_texts() -> None:
    done = "The file /w/a.py has been edited."
    assert effects(done, command="str_replace", old_str="a", new_str="b") == [Replaced("/w/a.py", "a", "b")]
    assert effects(done, command="str_replace", old_str="a") == [Replaced("/w/a.py", "a", "")]


def test_an_edit_that_was_not_made_did_nothing() -> None:
    refused = "No replacement was performed, old_str `a` did not appear verbatim in /w/a.py."
    assert effects(refused, command="str_replace", old_str="a", new_str="b") == []
    assert effects(listing("a"), False, command="view") == []


def test_a_text_is_inserted_behind_a_line() -> None:
    done = f"The file /w/a.py has been edited. {listing(chr(10).join(['one', 'new', 'two']))}"
    inserted = [Patched("/w/a.py", (Hunk((), ("new",), 2),)), Shown("/w/a.py", "one\nnew\ntwo\n", 1)]
    assert effects(done, command="insert", insert_line=1, new_str="new") == inserted
    assert effects(done, command="insert", insert_line=1, insert_text="new\n") == inserted
    blank = f"The file /w/a.py has been edited. {listing(chr(10).join(['one', 'new', '', 'two']))}"
    [patched, _] = effects(blank, command="insert", insert_line=1, new_str="new\n")
    assert patched == Patched("/w/a.py", (Hunk((), ("new", ""), 2),))


def test_an_undone_edit_leaves_what_is_shown() -> None:
    done = "Last edit to /w/a.py undone successfully."
    assert effects(f"{done} {listing('one')}", command="undo_edit") == [Wrote("/w/a.py", "one")]
    assert effects(done, command="undo_edit") == [Changed("/w/a.py")]


names = st.sampled_from(["command", "path", "old_str", "new_str", "insert_line", "file_text"])
commands = st.sampled_from(["view", "insert", "str_replace", "create"])


@given(st.dictionaries(names, st.none() | st.integers() | st.text(max_size=5) | commands), st.text())
def test_whatever_it_is_given_it_never_raises(arguments: dict[str, Any], result: str) -> None:
    effects_of_str_replace(arguments, result, None)
    effects_of_str_replace(arguments, listing(result), True)


@given(lines, st.data())
def test_lines_that_were_replaced_by_number_are_what_is_there_now(some: list[str], data: st.DataObject) -> None:
    first = data.draw(st.integers(1, len(some)))
    last = data.draw(st.integers(first, len(some)))
    new = data.draw(st.lists(st.text("xy", max_size=3), min_size=1, max_size=4))
    files = Files()
    list(files.observed(Shown("a.py", "\n".join(some), whole=True)))
    [told] = files.observed(Rewrote("a.py", first, last, "".join(line + "\n" for line in new)))
    expected = "\n".join([*some[: first - 1], *new, *some[last:]])
    assert (told["how"], told["content"]) == ("edit", expected)
    assert files.text("a.py") == expected


@given(st.integers(1, 50), st.integers(0, 9), st.lists(st.text("xy", min_size=1, max_size=3), min_size=1, max_size=4))
def test_lines_of_a_file_nobody_showed_are_told_as_a_part(first: int, more: int, new: list[str]) -> None:
    [told] = Files().observed(Rewrote("a.py", first, first + more, "\n".join(new)))
    assert told == {
        "kind": "seen",
        "how": "edit",
        "path": "a.py",
        "content": "\n".join(new),
        "slice": [first, first + len(new) - 1],
        "took": more + 1,
    }


def test_lines_that_were_taken_away_need_one_to_be_told_by() -> None:
    [told] = Files().observed(Rewrote("a.py", 3, 4, ""))
    assert told == {"kind": "seen", "how": "edit", "path": "a.py", "withheld": "unplaced"}
    files = Files()
    list(files.observed(Shown("a.py", "one\ntwo\n", 1)))
    [told] = files.observed(Rewrote("a.py", 3, 4, ""))
    assert (told["content"], told["slice"], told["took"]) == ("two", [2, 2], 3)
