"""What the contexts of a host hold, rule by rule."""

from typing import Any

import pytest

from ccos_core.session.worlds import new_world
from ccos_core.state.baseline import restore, saved
from ccos_core.state.holding import IN, OUT, PARTIAL, PATCHED, STALE, UNCERTAIN, Standing
from ccos_core.state.world import World
from ccos_core.values.canon import canonical, parse
from ccos_core.values.tokens import by_size
from tests.core.state.small import INVOICES, Tale

API = INVOICES["api.py"]
FILE, HANDLE, HEALTH = "file:api.py", "sym:api.py#handle", "sym:api.py#health"
MAIN = {"host": "h", "session": "s"}
SUB = {**MAIN, "context": "sub"}
CLAUDE = {"host": "claude-code", "session": "s"}
LINES_1_TO_7 = API.partition("def health")[0]
ANOTHER = "def third():\n    return 3\n\n\n"


def state(tale: Tale, node: str, header: dict[str, str] = MAIN) -> str:
    return standing(tale, node, header).state


def standing(tale: Tale, node: str, header: dict[str, str] = MAIN) -> Standing:
    context = header.get("host", ""), header.get("session", ""), header.get("context", "")
    held = tale.world.hosts.held(context)
    found = held.state(node)
    beside = [node, "prompt:1", node, HANDLE, HEALTH, "sym:store.py#load", node]
    assert list(held.states(beside)) == [(each, held.state(each)) for each in beside]
    return found


def told(*ops: dict[str, Any]) -> Tale:
    tale = Tale(INVOICES)
    for op in ops:
        tale.tell(op)
    return tale


def edited(tale: Tale, text: str, **header: str) -> Tale:
    return tale.tell({"kind": "seen", "how": "edit", "path": "api.py", "content": tale.facts.keep(text), **header})


def read_api() -> Tale:
    """The main thread has read all of it."""
    return Tale(INVOICES).read("api.py", API, **MAIN)


def compacted(tale: Tale, *kept: str, exact: bool = True) -> Tale:
    return tale.tell({"kind": "compaction", "trigger": "auto", "kept": list(kept), "exact": exact, **MAIN})


def usage(tale: Tale, window: int) -> Tale:
    return tale.tell({"kind": "usage", "window": window, **MAIN})


def test_what_was_read_is_in_the_context_it_was_read_in_and_in_no_other() -> None:
    tale = read_api()
    assert standing(tale, FILE) == (IN, by_size(len(API) + 1), tale.world.step)
    assert state(tale, HANDLE) == IN
    assert {state(tale, FILE, SUB), state(tale, FILE, {}), state(tale, "file:store.py")} == {OUT}


def test_lines_are_held_until_a_compaction_and_where_they_were_not_changed() -> None:
    def lines(tale: Tale, header: dict[str, str] = MAIN) -> dict[int, str]:
        return tale.world.hosts.held((header["host"], header["session"], header.get("context", ""))).lines("api.py")

    whole = dict(enumerate(API.split("\n"), 1))
    assert lines(read_api()) == whole
    assert lines(read_api(), SUB) == {}
    assert lines(compacted(read_api())) == {}
    changed = API.replace("def health", "def healthy")
    assert lines(edited(read_api(), changed, **MAIN)) == dict(enumerate(changed.split("\n"), 1))
    assert lines(edited(read_api(), changed, **SUB)) == whole  # what it was told; the change it hasn't seen
    shifted = lines(edited(read_api(), "\n" + API, **SUB))
    assert all(shifted[number + 1] == line for number, line in whole.items())
    unknown = read_api().tell({"kind": "seen", "how": "ingest", "path": "api.py", "withheld": "uncertain"})
    assert lines(unknown) == whole


def test_lines_before_a_fall_of_the_usage_or_an_inexact_compaction_are_not_surely_held() -> None:
    tale = read_api()
    usage(tale, 90_000)
    usage(tale, 20_000)
    assert tale.world.hosts.held(("h", "s", "")).lines("api.py") == {}
    tale = Tale(INVOICES).read("api.py", API, **CLAUDE)
    tale.tell({"kind": "compaction", "trigger": "auto", "kept": [], "exact": False, **CLAUDE})
    assert tale.world.hosts.held(("claude-code", "s", "")).lines("api.py") == {}


@pytest.mark.parametrize(
    ("said", "left"), [("File has not been read yet. Read it first.", OUT), ("String to replace not found.", UNCERTAIN)]
)
def test_an_edit_that_the_host_refuses_says_that_a_file_is_out(said: str, left: str) -> None:
    tale = Tale().read("src/a.py", "x = 1\n", **CLAUDE).read("a.py", "x = 1\n", **CLAUDE)
    claude_compacted(tale)
    arguments = tale.facts.keep('{"file_path":"/w/src/a.py","new_string":"y","old_string":"x"}')
    call = {"kind": "tool", "name": "Edit", "outcome": "error", "arguments": arguments, **CLAUDE}
    tale.tell({**call, "result": tale.facts.keep(f"<tool_use_error>{said}</tool_use_error>")})
    assert (state(tale, "file:src/a.py", CLAUDE), state(tale, "file:a.py", CLAUDE)) == (left, UNCERTAIN)


def asked_of_server(tale: Tale, text: str, name: str = "mcp__ccos-tui__recall") -> Tale:
    """The server hands out a window, and then the host tells of the call; another host's server did so before."""
    items = [["sym:api.py#handle", "body", 9]]
    window = {"kind": "recall", "lens": "working-set", "budget": 100, "parameters": {}, "window": "00" * 32}
    for each in ([["file:store.py", "body", 9]], items):
        tale.tell({**window, "computed_at": tale.world.step, "items": each})
    result = tale.facts.keep(text)
    return tale.tell({"kind": "tool", "name": name, "outcome": "ok", "result": result, "call": "one", **MAIN})


SHOWN = "# api.py\ndef handle(request):\n    return invoice(request)\n\n1 item"


def test_a_window_that_the_host_got_from_our_server_is_in_its_context() -> None:
    tale = asked_of_server(Tale(INVOICES), SHOWN)
    step = tale.world.step
    assert (standing(tale, HANDLE).state, standing(tale, HANDLE).step) == (IN, step)
    assert (state(tale, "file:store.py"), state(tale, f"result:{step}")) == (OUT, OUT)
    world = new_world()
    restore(world, parse(canonical(saved(tale.world))), tale.facts)
    assert world.hosts.unclaimed == tale.world.hosts.unclaimed == {step - 2: (step - 3, (("file:store.py", "body"),))}
    assert state(compacted(tale), HANDLE) == OUT


@pytest.mark.parametrize(
    ("text", "name"),
    [
        (SHOWN.replace("invoice", "order"), "mcp__ccos-tui__recall"),
        (SHOWN, "Bash"),
        ("Nothing is warm.", "ccos_recall"),
    ],
)
def test_a_result_that_is_no_window_of_ours_stays_a_result(text: str, name: str) -> None:
    tale = asked_of_server(Tale(INVOICES), text, name)
    assert (state(tale, HANDLE), state(tale, f"result:{tale.world.step}")) == (OUT, IN)


def test_of_a_file_that_was_changed_since_a_window_shows_nothing() -> None:
    tale = Tale(INVOICES)
    items = [["sym:api.py#handle", "body", 9]]
    window = {"kind": "recall", "lens": "working-set", "budget": 100, "parameters": {}, "window": "00" * 32}
    tale.tell({**window, "computed_at": tale.world.step, "items": items}).look("api.py", API.replace("'ok'", "'fine'"))
    result = {"result": tale.facts.keep(SHOWN), "call": "one", "outcome": "ok", "name": "ccos_recall"}
    assert state(tale.tell({"kind": "tool", **result, **MAIN}), HANDLE) == OUT


def claude_compacted(tale: Tale, exact: bool = False) -> Tale:
    return tale.tell({"kind": "compaction", "trigger": "auto", "exact": exact, **CLAUDE})


def test_files_touched_last_before_an_inexact_compaction_are_uncertain() -> None:
    tale = Tale()
    for number in range(7):
        tale.read(f"f{number}.py", "x = 1\n", **CLAUDE)
    tale.read("f0.py", "x = 1\n", **CLAUDE).read("f6.py", "x = 1\n", **{**CLAUDE, "context": "sub"})
    claude_compacted(tale)
    states = [state(tale, f"file:f{number}.py", CLAUDE) for number in range(7)]
    assert states == [UNCERTAIN, OUT, OUT, UNCERTAIN, UNCERTAIN, UNCERTAIN, UNCERTAIN]
    assert state(tale, "file:f6.py", {**CLAUDE, "context": "sub"}) == IN
    tale.read("f3.py", "x = 1\n", **CLAUDE)
    edit = {"kind": "seen", "how": "edit", "path": "f4.py", "content": tale.facts.keep("x = 2\n"), **CLAUDE}
    tale.tell(edit)
    tale.tell({**edit, "path": "f5.py", "inferred": True})
    assert [state(tale, f"file:f{number}.py", CLAUDE) for number in (3, 4, 5, 6)] == [IN, PATCHED, UNCERTAIN, UNCERTAIN]
    claude_compacted(tale)
    again = [state(tale, f"file:f{number}.py", CLAUDE) for number in (3, 4, 5, 6)]
    assert again == [UNCERTAIN, UNCERTAIN, UNCERTAIN, OUT]
    assert state(claude_compacted(tale, exact=True), "file:f3.py", CLAUDE) == OUT


def test_lines_of_a_file_whose_end_nobody_saw_are_a_part_of_it() -> None:
    tale = Tale().read("api.py", LINES_1_TO_7, 1, 7, **MAIN)
    assert (state(tale, FILE), state(tale, HANDLE)) == (PARTIAL, IN)
    cut_off = Tale().read("api.py", "\n".join(API.split("\n")[:4]), 1, 4, **MAIN)
    assert (state(cut_off, FILE), state(cut_off, HANDLE)) == (PARTIAL, PARTIAL)
    rest = API.removeprefix(LINES_1_TO_7)
    tale.look("api.py", API).read("api.py", rest, 8, 9, **MAIN)
    assert (state(tale, FILE), state(tale, HEALTH)) == (IN, IN)


def test_a_look_at_the_tree_delivers_nothing() -> None:
    assert not Tale(INVOICES).look("api.py", "X = 1\n").world.hosts.contexts


def test_of_a_slice_what_it_holds_all_of_is_in_and_what_it_cuts_is_partial() -> None:
    tale = Tale(INVOICES).read("api.py", "\n".join(API.split("\n")[3:5]), 4, 5, **MAIN)
    assert (state(tale, HANDLE), state(tale, HEALTH), state(tale, FILE)) == (IN, OUT, PARTIAL)
    tale.read("api.py", "def health():\n", 8, 8, **MAIN)
    assert state(tale, HEALTH) == PARTIAL
    tale.read("api.py", API.split("\n")[8] + "\n", 9, 9, **MAIN).read("api.py", LINES_1_TO_7, 1, 7)
    assert (state(tale, HEALTH), state(tale, FILE)) == (IN, PARTIAL)
    tale.read("api.py", LINES_1_TO_7, 1, 7, **MAIN)
    assert standing(tale, FILE) == (IN, by_size(len(API) + 1), tale.world.step)


def test_lines_that_are_delivered_again_count_once() -> None:
    tale = read_api().read("api.py", "def health():\n    return 'ok'\n", 8, 9, **MAIN).read("api.py", API, **MAIN)
    assert standing(tale, FILE) == (IN, by_size(len(API) + 1), tale.world.step)


def test_an_edit_of_its_own_keeps_it_current_as_patched() -> None:
    tale = edited(read_api(), API.replace("'ok'", "'fine'"), **MAIN)
    assert (state(tale, HEALTH), state(tale, FILE), state(tale, HANDLE)) == (PATCHED, PATCHED, IN)
    tale.read("api.py", API.replace("'ok'", "'fine'"), **MAIN)
    assert (state(tale, HEALTH), state(tale, FILE)) == (IN, IN)


def test_an_edit_shows_whoever_never_read_the_file_what_it_changed() -> None:
    tale = edited(Tale(INVOICES), API.replace("'ok'", "'fine'"), **MAIN)
    assert (state(tale, HEALTH), state(tale, HANDLE), state(tale, FILE)) == (PARTIAL, OUT, PARTIAL)


def test_a_part_that_was_edited_is_patched_where_it_changed() -> None:
    tale = read_api()
    content = tale.facts.keep("def health():\n    return 'fine'\n")
    tale.tell({"kind": "seen", "how": "edit", "path": "api.py", "content": content, "slice": [8, 9], **MAIN})
    assert (state(tale, HEALTH), state(tale, HANDLE)) == (PATCHED, IN)


def test_whoever_writes_a_file_knows_all_of_it() -> None:
    tale = Tale(INVOICES)
    tale.tell({"kind": "seen", "how": "write", "path": "new.py", "content": tale.facts.keep(API), **MAIN})
    assert (state(tale, "file:new.py"), state(tale, "sym:new.py#health")) == (PATCHED, PATCHED)


@pytest.mark.parametrize("who", [SUB, {"host": "h", "session": "other"}])
def test_an_edit_of_another_context_makes_stale_what_it_changed(who: dict[str, str]) -> None:
    tale = edited(read_api(), ANOTHER + API.replace("'ok'", "'fine'"), **who)
    assert (state(tale, HEALTH), state(tale, FILE)) == (STALE, STALE)
    assert state(tale, HANDLE) == IN, "it has moved, and reads as before"
    assert state(tale, "sym:api.py#third") == OUT
    assert state(tale, "sym:api.py#third", who) == PATCHED


def test_a_change_from_outside_makes_stale_what_it_changed_until_that_is_read() -> None:
    new = API.replace("'ok'", "'fine'")
    tale = read_api().look("api.py", new)
    assert (state(tale, HEALTH), state(tale, FILE), state(tale, HANDLE)) == (STALE, STALE, IN)
    tale.read("api.py", "def handle(request):\n", 4, 4, **MAIN)
    assert (state(tale, HEALTH), state(tale, FILE)) == (STALE, STALE)
    tale.read("api.py", "\n".join(new.split("\n")[8:9]), 9, 9, **MAIN)
    assert (state(tale, HEALTH), state(tale, FILE)) == (IN, IN)


def test_reading_on_in_a_file_known_by_parts_makes_nothing_stale() -> None:
    """As long as parts are all there is of it, nobody has said where it ends."""
    tale = Tale().read("new.py", "x = 1\ny = 2", 10, 11, **MAIN).read("new.py", "z = 3\n", 40, 40, **MAIN)
    assert state(tale, "file:new.py") == PARTIAL
    whole = "\n".join([*(f"a{line} = 0" for line in range(9)), "x = 1", "y = 2", *["pass"] * 28, "z = 3", "w = 4", ""])
    assert state(tale.look("new.py", whole), "file:new.py") == PARTIAL
    assert state(tale.look("new.py", whole.replace("y = 2", "y = 9")), "file:new.py") == STALE


def test_what_was_changed_is_healed_wherever_it_has_moved_to() -> None:
    new = API.replace("'ok'", "'fine'")
    tale = read_api().look("api.py", new).read("api.py", "def handle(request):\n", 4, 4, **MAIN)
    tale.look("api.py", ANOTHER + new)
    assert (state(tale, HEALTH), state(tale, HANDLE), state(tale, FILE)) == (STALE, IN, STALE)
    tale.read("api.py", "    return 'fine'\n", 13, 13, **MAIN)
    assert (state(tale, HEALTH), state(tale, FILE)) == (IN, STALE)
    tale.read("api.py", ANOTHER, 1, 4, **MAIN)
    assert state(tale, FILE) == IN


def test_a_line_taken_out_or_put_between_makes_stale_too() -> None:
    for new in (API.replace("    return 'ok'\n", ""), API.replace("    return 'ok'", "    x = 1\n    return 'ok'")):
        tale = read_api().look("api.py", new)
        assert (state(tale, HEALTH), state(tale, FILE), state(tale, HANDLE)) == (STALE, STALE, IN)
        tale.read("api.py", "def handle(request):\n", 4, 4, **MAIN)
        assert (state(tale, HEALTH), state(tale, FILE)) == (STALE, STALE)
        tale.read("api.py", new, **MAIN)
        assert (state(tale, HEALTH), state(tale, FILE)) == (IN, IN)


def test_a_change_beyond_what_is_held_makes_nothing_stale() -> None:
    tale = Tale(INVOICES).read("api.py", "\n".join(API.split("\n")[3:5]), 4, 5, **MAIN)
    tale.look("api.py", ANOTHER + API.replace("'ok'", "'fine'"))
    assert (state(tale, HANDLE), state(tale, FILE), state(tale, HEALTH)) == (IN, PARTIAL, OUT)


def test_a_line_put_beside_what_is_held_makes_nothing_stale() -> None:
    tale = Tale(INVOICES).read("api.py", "def health():\n", 8, 8, **MAIN)
    tale.look("api.py", API.replace("    return 'ok'", "    x = 1\n    return 'ok'"))
    assert (state(tale, HEALTH), state(tale, FILE)) == (PARTIAL, PARTIAL)


def test_a_file_that_becomes_again_what_it_was_is_held_again() -> None:
    tale = read_api().look("api.py", "X = 1\n").tell({"kind": "gone", "path": "api.py"})
    assert (state(tale, FILE), state(tale, HANDLE)) == (STALE, STALE)
    tale.look("api.py", API)
    assert (state(tale, FILE), state(tale, HANDLE)) == (IN, IN)


def test_what_is_gone_is_stale_and_its_symbols_are() -> None:
    tale = read_api().tell({"kind": "gone", "path": "api.py"})
    assert standing(tale, FILE) == (STALE, by_size(len(API) + 1), tale.world.step - 1)
    assert (state(tale, HANDLE), state(tale, FILE, SUB)) == (STALE, OUT)


def test_a_renamed_file_is_held_under_its_new_name() -> None:
    tale = read_api().tell({"kind": "renamed", "path": "api.py", "to": "web.py"})
    assert (state(tale, "file:web.py"), state(tale, "sym:web.py#handle"), state(tale, FILE)) == (IN, IN, OUT)
    tale.look("web.py", API.replace("'ok'", "'fine'"))
    assert (state(tale, "sym:web.py#health"), state(tale, "sym:web.py#handle")) == (STALE, IN)


def test_a_file_that_takes_the_place_of_one_that_is_held() -> None:
    tale = read_api().read("store.py", INVOICES["store.py"], **SUB)
    tale.tell({"kind": "renamed", "path": "store.py", "to": "api.py"})
    assert (state(tale, FILE), state(tale, FILE, SUB)) == (STALE, IN)


def test_whoever_holds_both_holds_the_one_that_has_come_there() -> None:
    tale = read_api().read("store.py", INVOICES["store.py"], **MAIN)
    tale.world.hosts.moved.clear()
    tale.tell({"kind": "renamed", "path": "store.py", "to": "api.py"})
    assert [state(tale, node) for node in (FILE, "sym:api.py#load", HANDLE, "file:store.py")] == [IN, IN, OUT, OUT]
    nodes = {FILE, HANDLE, HEALTH, "sym:api.py#load", "file:store.py", "sym:store.py#load"}
    assert nodes <= {item for items in tale.world.hosts.moved.values() for item in items}
    assert list(tale.world.hosts.pages) == list(tale.world.hosts.readers) == ["api.py"]


def test_a_compaction_leaves_the_outputs_it_names() -> None:
    tale = Tale(INVOICES)
    tool = {"kind": "tool", "name": "run", "outcome": "ok", "result": tale.facts.keep("x"), **MAIN}
    tale.tell({**tool, "call": "one"}).tell({**tool, "call": "two"})
    step = compacted(tale, "one").world.step
    assert [state(tale, f"result:{step - at}") for at in (2, 1)] == [IN, OUT]


def test_a_compaction_leaves_its_summary_and_the_results_it_names() -> None:
    tale = Tale(INVOICES).prompt().read("api.py", API, **MAIN, call="one")
    tale.read("store.py", INVOICES["store.py"], **MAIN, call="two")
    tale.tell({"kind": "prompt", "said": tale.facts.keep("go on"), "source": "user", **MAIN})
    summary = tale.facts.keep("what was done")
    tale.tell({"kind": "compaction", "trigger": "auto", "kept": ["two"], "exact": True, "summary": summary, **MAIN})
    assert [state(tale, FILE), state(tale, HANDLE), state(tale, "file:store.py")] == [OUT, OUT, IN]
    items = tale.world.hosts.held(("h", "s", "")).items()
    there = ["file:store.py", "sym:store.py#load", "sym:store.py#save", f"summary:{tale.world.step}"]
    assert list(items) == there
    compacted(tale)
    assert not list(tale.world.hosts.held(("h", "s", "")).items())
    assert tale.world.hosts.held(("h", "s", "")).cuts == [(tale.world.step - 1, True), (tale.world.step, True)]


def test_an_inexact_compaction_takes_away_as_much_and_says_so() -> None:
    tale = compacted(read_api(), exact=False)
    assert state(tale, FILE) == OUT
    assert tale.world.hosts.held(("h", "s", "")).cuts == [(tale.world.step, False)]


def test_of_two_results_with_the_same_lines_the_earlier_may_be_what_is_kept() -> None:
    tale = Tale(INVOICES).read("api.py", API, **MAIN, call="one").read("api.py", API, **MAIN, call="two")
    assert standing(compacted(tale, "one"), FILE) == (IN, by_size(len(API) + 1), tale.world.step - 2)


def test_what_is_stale_was_delivered_when_what_is_left_of_it_was() -> None:
    tale = Tale(INVOICES).read("api.py", API, **MAIN, call="one").read("api.py", API, **MAIN, call="two")
    tale.look("api.py", API.replace("'ok'", "'fine'")).read("api.py", "def handle(request):\n", 4, 4, **MAIN)
    step = tale.world.step
    assert standing(tale, HEALTH)[::2] == (STALE, step - 2)
    assert standing(compacted(tale, "one"), HEALTH)[::2] == (STALE, step - 3)


def test_what_a_compaction_names_is_there_for_certain() -> None:
    tale = usage(usage(Tale(INVOICES).read("api.py", API, **MAIN, call="one"), 10_000), 1_000)
    assert (state(tale, FILE), state(compacted(tale, "one"), FILE)) == (UNCERTAIN, IN)


def test_not_all_deliveries_of_the_same_lines_are_remembered() -> None:
    for kept, left in (("5", IN), ("2", IN), ("1", OUT)):
        tale = Tale(INVOICES)
        for call in "12345":
            tale.read("api.py", API, **MAIN, call=call)
        assert state(compacted(tale, kept), FILE) == left


def test_what_was_stale_and_is_kept_is_stale() -> None:
    tale = Tale(INVOICES).read("api.py", API, **MAIN, call="one").look("api.py", API.replace("'ok'", "'fine'"))
    tale.read("api.py", "def handle(request):\n", 4, 4, **MAIN, call="two")
    compacted(tale, "one")
    assert (state(tale, HEALTH), state(tale, HANDLE)) == (STALE, IN)


def test_what_is_cleared_is_out_and_what_comes_after_is_in() -> None:
    tale = read_api().read("api.py", API, **SUB).tell({"kind": "cleared", **MAIN})
    assert (state(tale, FILE), state(tale, HANDLE), state(tale, FILE, SUB)) == (OUT, OUT, IN)
    assert state(tale.read("api.py", API, **MAIN), FILE) == IN


def test_after_a_fall_of_usage_what_came_before_is_uncertain() -> None:
    tale = usage(usage(usage(read_api(), 10_000), 9_000), 8_100)
    assert state(tale, FILE) == IN, "that is no fall"
    usage(tale, 7_200)
    assert state(tale, FILE) == UNCERTAIN
    assert tale.world.hosts.held(("h", "s", "")).falls == [(tale.world.step, 8_100, 7_200)]
    tale.read("api.py", "\n".join(API.split("\n")[3:5]), 4, 5, **MAIN)
    assert (state(tale, HANDLE), state(tale, HEALTH), state(tale, FILE)) == (IN, UNCERTAIN, UNCERTAIN)


def test_a_boundary_explains_a_fall() -> None:
    tale = usage(compacted(usage(Tale(INVOICES), 10_000)).read("api.py", API, **MAIN), 1_000)
    assert state(tale, FILE) == IN
    assert not tale.world.hosts.held(("h", "s", "")).falls


def test_a_window_that_counts_nothing_is_no_fall() -> None:
    assert state(usage(usage(read_api(), 10_000), 0), FILE) == IN


def test_prompts_and_results_are_in_and_a_source_is_no_result() -> None:
    tale = Tale(INVOICES)
    said, shown = tale.facts.keep("go on"), tale.facts.keep(API)
    tale.tell({"kind": "prompt", "said": said, "source": "user", **MAIN})
    tool = {"kind": "tool", "name": "run", "outcome": "ok", "result": shown, **MAIN}
    tale.tell({**tool, "call": "one"}).tell({**tool, "call": "two"}).tell({**tool, "call": "three"})
    step = tale.world.step
    prompt, *results = f"prompt:{step - 3}", f"result:{step - 2}", f"result:{step - 1}", f"result:{step}"
    assert [state(tale, item) for item in (prompt, *results)] == [IN] * 4
    assert standing(tale, prompt).tokens == 2
    tale.read("api.py", API, **MAIN, call="two")
    assert [state(tale, item) for item in results] == [IN, OUT, IN]
    step = tale.read("store.py", INVOICES["store.py"], **MAIN, call="four").world.step
    tale.tell({**tool, "call": "four"})
    assert state(tale, f"result:{step + 1}") == OUT


def test_a_window_of_ours_delivers_what_it_shows() -> None:
    tale = Tale(INVOICES)
    items = [[HANDLE, "body", 20], [HEALTH, "signature", 9], ["file:store.py", "skeleton", 9], ["claim:x", "name", 1]]
    op = {"kind": "recall", "items": items, "computed_at": tale.world.step, **MAIN}
    tale.tell(op)
    states = [state(tale, node) for node in (HANDLE, HEALTH, FILE, "file:store.py", "sym:store.py#load")]
    assert states == [IN, PARTIAL, PARTIAL, PARTIAL, PARTIAL]
    tale.tell({**op, "computed_at": 1, **SUB})
    assert state(tale, HANDLE, SUB) == OUT, "it was made from what was known before the files were seen"


def test_what_is_withheld_was_delivered_and_nobody_knows_more() -> None:
    tale = Tale().tell({"kind": "seen", "how": "read", "path": ".env", "withheld": "secret-path", **MAIN})
    assert standing(tale, "file:.env") == (IN, 0, tale.world.step)


def test_a_state_is_gone_on_from_with_what_has_become_another_text_since() -> None:
    tale = read_api().read("store.py", "def load(request):\n", 14, 14, **MAIN).look("store.py", "X = 1\n")
    tale.look("api.py", API.replace("'ok'", "'fine'")).read("dates.py", "def due(request):\n", 4, 4, **MAIN)
    other = Tale()
    other.world, other.facts, other.ops = gone_on(tale), tale.facts, list(tale.ops)
    for each in (tale, other):
        each.look("store.py", INVOICES["store.py"]).read("api.py", "def handle(request):\n", 4, 4, **MAIN)
    nodes = [FILE, HANDLE, HEALTH, "file:store.py", "sym:store.py#load", "file:dates.py", "sym:dates.py#due"]
    assert [standing(tale, node) for node in nodes] == [standing(other, node) for node in nodes]
    assert canonical(saved(other.world)) == canonical(saved(tale.world))


def test_asking_leaves_no_trace() -> None:
    tale = read_api()
    before = canonical(saved(tale.world))
    assert state(tale, "file:api.py", {"host": "unheard", "session": "of"}) == OUT
    assert canonical(saved(tale.world)) == before


def gone_on(tale: Tale) -> World:
    world = new_world()
    restore(world, parse(canonical(saved(tale.world))), tale.facts)
    return world
