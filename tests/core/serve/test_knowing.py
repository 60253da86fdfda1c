"""From sources and failures to windows, as somebody at a terminal sees it."""

import os
from pathlib import Path

import pytest

from ccos_core.storage.opening import open_record
from tests.core.serve.calling import Caller
from tests.core.state.small import INVOICES

TRACEBACK = """\
Traceback (most recent call last):
  File "/builds/shop/tests/test_api.py", line 9, in test_it
    assert handle(1) == 31
  File "/builds/shop/api.py", line 5, in handle
    return invoice(request)
TypeError: unsupported operand
"""


@pytest.fixture
def shop(run: Caller, tmp_path: Path) -> Path:
    """A workspace about a small shop whose invoices are wrong."""
    (tmp_path / "shop").mkdir()
    for path, text in INVOICES.items():
        (tmp_path / "shop" / path).write_text(text)
    assert run("init", tmp_path / "work.ccos", "--root", tmp_path / "shop").code == 0
    assert run("ingest", tmp_path / "work.ccos", tmp_path / "shop").code == 0
    return tmp_path / "work.ccos"


def head(path: Path) -> int:
    with open_record(str(path)) as record:
        return record.head()[0]


def test_recall_around_shows_the_file_and_what_it_needs(run: Caller, shop: Path) -> None:
    done = run("recall", shop, "--around", "api.py")
    assert done.code == 0
    assert "def handle(request):" in done.out
    assert "def invoice(request):" in done.out
    assert "invoice_total_handle" not in done.out
    assert "around:api.py at step 6" in done.err


def test_recall_takes_a_folder_without_any_workspace(run: Caller, shop: Path) -> None:
    answer = run("recall", shop.parent / "shop", "--around", "service.py", "--json").lines()[0]
    assert [item["uri"] for item in answer["items"]] == ["file:service.py", "sym:store.py#load"]
    assert run("recall", shop.parent / "shop").code == 2


def test_page_fault_puts_pressure_on_the_cause(run: Caller, shop: Path) -> None:
    told = run("page-fault", shop, "--json", given=TRACEBACK).lines()[0]
    assert told["failures"][0]["anchors"][0] == "sym:api.py#handle"
    assert "sym:dates.py#due" in [node for node, _ in told["failures"][0]["reaches"]]
    items = run("recall", shop, "--json").lines()[0]["items"]
    assert items[0]["uri"] == "sym:api.py#handle"
    assert "fails here" in items[0]["reason"]
    assert "sym:dates.py#due" in [item["uri"] for item in items]
    around = run("recall", shop, "--around", "api.py", "--json").lines()[0]["items"]
    assert "sym:dates.py#due" in [item["uri"] for item in around]


def test_a_failure_and_its_pass_by_name(run: Caller, shop: Path) -> None:
    told = run("failure", shop, "handle", "--json").lines()[0]
    assert (told["live"], told["failures"][0]["anchors"]) == (1, ["sym:api.py#handle"])
    assert run("pass", shop, "store.py", "--json").lines()[0]["ended"] == []
    done = run("pass", shop, "api.py", "--json")
    assert (len(done.lines()[0]["ended"]), done.lines()[0]["live"]) == (1, 0)
    assert "nothing fails now" in done.err


def test_pass_alone_ends_everything(run: Caller, shop: Path) -> None:
    run("failure", shop, "handle"), run("page-fault", shop, given=TRACEBACK)
    assert run("pass", shop, "--json").lines()[0]["live"] == 0


def test_what_says_nothing_is_not_recorded(run: Caller, shop: Path) -> None:
    before = head(shop)
    done = run("page-fault", shop, given="hello\n")
    assert (done.code, head(shop)) == (3, before)
    assert "Pipe the whole output" in done.err


@pytest.mark.parametrize(
    ("words", "code", "said"),
    [
        (["recall", "--around", "nonesuch.py"], 1, "there is nothing with this name"),
        (["recall", "--around", "handel"], 1, "Near: handle"),
        (["recall", "--around", "api.py", "--working-set"], 2, "only one window at a time"),
        (["recall", "--around", ""], 2, "--around: is empty"),
        (["failure", "nonesuch"], 1, "there is nothing with this name"),
        (["replay", "--to", "900"], 1, "there is no step 900"),
    ],
)
def test_what_isnt_there_is_said(run: Caller, shop: Path, words: list[str], code: int, said: str) -> None:
    before = head(shop)
    done = run(words[0], shop, *words[1:])
    assert (done.code, said in done.err) == (code, True), done.err
    assert head(shop) == before


def test_recall_is_recorded_only_when_asked_and_changes_no_window(run: Caller, shop: Path) -> None:
    run("page-fault", shop, given=TRACEBACK)
    before = run("recall", shop, "--json").lines()[0]
    assert head(shop) == 7
    again = run("recall", shop, "--record", "--json").lines()[0]
    assert head(shop) == 8
    after = run("recall", shop, "--json").lines()[0]
    assert before["text"] == again["text"] == after["text"]
    op = run("log", shop, "--json").lines()[-1]
    assert (op["kind"], op["lens"], op["computed_at"]) == ("recall", "working-set", 7)
    assert [item[0] for item in op["items"]] == [item["uri"] for item in after["items"]]


@pytest.mark.parametrize(("said", "compress"), [("", 1), ("1", 1), ("0", 0)])
def test_compression_is_a_switch_and_recorded(
    run: Caller, shop: Path, monkeypatch: pytest.MonkeyPatch, said: str, compress: int
) -> None:
    """The budget holds one body with its comments and one without, but not two with."""
    files = {f"m{at}.py": f"def invoice_{at}(row):\n    # {'Why it is so. ' * 6}\n    return row\n" for at in range(6)}
    for name, text in files.items():
        (shop.parent / "shop" / name).write_text(text)
    run("ingest", shop, shop.parent / "shop")
    monkeypatch.setenv("CCOS_COMPRESS_CONTEXT", said)
    words = "--hybrid", "invoice row", "--json", "--budget", "300"
    answer = run("recall", shop, *words, "--record").lines()[0]
    assert ("code" in {item["level"] for item in answer["items"]}) == bool(compress)
    assert run("log", shop, "--json").lines()[-1]["parameters"] == {"compress": compress}
    asked = run("recall", shop, *words, "--at", "end").lines()[0]
    assert ("code" in {item["level"] for item in asked["items"]}) == bool(compress)


def test_nothing_is_recorded_where_recording_is_off(run: Caller, shop: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("CCOS_OFF", "1")
    for words in (["failure", "handle"], ["pass"], ["recall", "--around", "api.py", "--record"]):
        assert run(words[0], shop, *words[1:]).code == 1
    assert run("recall", shop, "--around", "api.py").code == 0
    assert head(shop) == 6


def test_replay_tells_what_fails_now_from_what_was_not_run_again(run: Caller, shop: Path) -> None:
    run("page-fault", shop, given=TRACEBACK)
    assert " warm, 1 failing now\n" in run("replay", shop).out
    (shop.parent / "shop" / "invoice_words.py").unlink()
    run("ingest", shop, shop.parent / "shop")
    told = run("replay", shop, "--json").lines()[0]
    assert (told["failures"], told["rerun_due"]) == (1, 1)
    assert " warm, 0 failing now, 1 not run again since a change\n" in run("replay", shop).out


def test_replay_gives_the_same_state_every_time_and_at_any_step(run: Caller, shop: Path) -> None:
    first = run("replay", shop, "--json").lines()[0]
    run("page-fault", shop, given=TRACEBACK)
    later = run("replay", shop, "--json").lines()[0]
    assert later["state"] != first["state"]
    assert run("replay", shop, "--to", str(first["step"]), "--json").lines()[0] == first
    assert f"state  {later['state']}" in run("replay", shop).out


def test_a_reading_leaves_the_record_alone_but_for_facts(run: Caller, shop: Path) -> None:
    run("recall", shop, "--around", "api.py")
    assert head(shop) == 6
    assert run("verify", shop, "--json").lines()[0]["facts"] > 0


def test_the_archive_may_be_out_of_reach(run: Caller, shop: Path) -> None:
    run("page-fault", shop, given=TRACEBACK)
    before = run("recall", shop, "--json").lines()[0]["text"], run("replay", shop, "--json").lines()[0]["state"]
    assert run("compact", shop, "--keep", "1", "--max", "1", "--archive", shop.parent / "attic").code == 0
    assert run("verify", shop).code == 0
    os.rename(shop.parent / "attic", shop.parent / "elsewhere")
    after = run("recall", shop, "--json").lines()[0]["text"], run("replay", shop, "--json").lines()[0]["state"]
    assert before == after
    assert run("replay", shop, "--to", "3").code == 1


def test_a_baseline_that_says_something_else_is_found(run: Caller, shop: Path) -> None:
    from ccos_core.session import worlds
    from ccos_core.storage.segments import segments

    run("page-fault", shop, given=TRACEBACK)
    assert run("compact", shop, "--keep", "0", "--max", "0", "--archive", shop.parent / "attic").code == 0
    with open_record(str(shop), write=True) as record:
        (floor,) = segments(record)
        state = worlds.read_baseline(record, floor.after)
        assert state is not None
        state["clock"] += 1
        worlds.forget_baselines(record)
        worlds.write_baseline(record, floor.after, state)
    done = run("verify", shop)
    assert done.code == 4
    assert "doesn't match its steps" in done.out


def test_a_baseline_holds_no_forgotten_text(run: Caller, shop: Path) -> None:
    secret = TRACEBACK.replace("unsupported operand", "the blue heron flies")
    run("page-fault", shop, given=secret)
    assert run("compact", shop, "--keep", "0", "--max", "0", "--archive", shop.parent / "attic").code == 0
    assert run("forget", shop, "--match", "blue heron").code == 0
    with open_record(str(shop)) as record:
        assert not record.ask("SELECT 1 FROM fact WHERE interpreter LIKE 'baseline%'")
    assert "blue heron" not in run("recall", shop, "--json").out


def test_a_task_is_known_by_its_words_or_by_what_comes_in(run: Caller, shop: Path) -> None:
    items = run("recall", shop, "--task", "the days until an invoice is due", "--json").lines()[0]["items"]
    assert items[0]["path"] == "dates.py"
    issue = "handle() is wrong\n\n" + TRACEBACK.partition("\n")[2] + "filler words, many of them, " * 20
    done = run("recall", shop, "--hybrid", "-", "--json", given=issue)
    assert done.lines()[0]["items"][0]["uri"] == "sym:api.py#handle"
    assert "filler" not in run("recall", shop, "--hybrid", "-", given=issue).err
    assert run("recall", shop.parent / "shop", "--task", "due", "--json").lines()[0]["items"][0]["path"] == "dates.py"


def test_what_fails_now_ranks_in_a_hybrid_window(run: Caller, shop: Path) -> None:
    words = ["recall", shop, "--hybrid", "rows are saved as they are", "--json"]
    before = [item["uri"] for item in run(*words).lines()[0]["items"]]
    run("page-fault", shop, given=TRACEBACK)
    after = [item["uri"] for item in run(*words).lines()[0]["items"]]
    assert "sym:api.py#handle" in after
    assert before.index("sym:store.py#save") == 0
    assert after != before


def test_a_content_that_was_spoiled_or_forgotten_leaves_a_window_without_it(run: Caller, shop: Path) -> None:
    run("failure", shop, "handle")
    assert "sym:store.py#load" in run("recall", shop).err + run("recall", shop, "--json").out
    with open_record(str(shop), write=True) as record, record.write() as writing:
        blob = bytes.fromhex(run("log", shop, "--json").lines()[-2]["content"]["blob"])
        writing.run("UPDATE blob SET body = ? WHERE hash = ?", (b"spoiled", blob))
    for lens in (["--working-set"], ["--around", "api.py"], ["--around", "store.py"], ["--task", "due"]):
        assert run("recall", shop, *lens).code == 0
    assert run("forget", shop, "--match", "def due").code == 0
    for lens in (["--working-set"], ["--around", "dates.py"], ["--hybrid", "due"]):
        assert run("recall", shop, *lens).code == 0
