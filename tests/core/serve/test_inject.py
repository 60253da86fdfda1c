"""What an agent is told whose host has cut its window: facts, within a budget, nothing twice, in time or not at all."""

import json
import os
import subprocess
import sys
import time
from itertools import permutations
from pathlib import Path
from typing import Any

import pytest

from ccos_core.intake.importers.claude_code.reader import HOST
from ccos_core.query.retold_text import HOOK_TOKENS
from ccos_core.serve import hook
from ccos_core.serve.hook_line import door
from ccos_core.serve.inject import answer
from ccos_core.session.facts import Facts
from ccos_core.session.hearing import take_in
from ccos_core.session.journaling import STATE_SOON
from ccos_core.session.lost import failing
from ccos_core.session.session import open_session
from ccos_core.session.worlds import Knowing, resumed_world
from ccos_core.state.failures import Live
from ccos_core.storage.locate import default_path
from ccos_core.storage.opening import open_record
from ccos_core.values.outcome import Failure
from ccos_core.values.tokens import text_parts, tokens
from tests.laws.scripted import SESSION, TOKEN, Scripted

ROOT = Path(__file__).resolve().parents[3]


@pytest.fixture
def agent(shop: Path) -> Scripted:
    agent = Scripted(shop)
    agent.prompt("The total is wrong.")
    agent.read("a.py")
    agent.read("sub/b.py")
    agent.test(passes=False)
    return agent


def put_on_disk(agent: Scripted) -> None:
    """The agent's files as they are in its own memory, and no others."""
    for path in agent.root.rglob("*.*"):
        if path.is_file() and str(path.relative_to(agent.root)) not in agent.files:
            path.unlink()
    for name, text in agent.files.items():
        path = agent.root / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")


def said(agent: Scripted, kind: str, *, is_on_disk: bool = True, **fields: Any) -> str:
    """What the agent is told at an event, after all that happened before."""
    if is_on_disk:
        put_on_disk(agent)
    for event in agent.events:
        hook.hear([], json.dumps(event).encode())
    agent.events.clear()
    event = {"session_id": SESSION, "cwd": str(agent.root), "hook_event_name": kind, **fields}
    told = answer(event, default_path(str(agent.root)))
    if not told:
        return ""
    printed, delivery = told.splitlines()
    assert json.loads(delivery)["session"] == event["session_id"]
    output = json.loads(printed)["hookSpecificOutput"]
    assert output["hookEventName"] == kind
    assert tokens(text_parts(output["additionalContext"])) <= HOOK_TOKENS
    return str(output["additionalContext"])


def prompted(agent: Scripted, number: int = 1) -> str:
    return said(agent, "UserPromptSubmit", prompt="and now?", prompt_id=f"p{number}")


def test_nothing_is_said_before_anything_is_lost(agent: Scripted) -> None:
    assert prompted(agent) == ""
    assert said(agent, "SessionStart", source="startup") == ""
    assert said(agent, "PostToolUse") == ""


def test_after_a_compaction_what_mattered_is_said_once(agent: Scripted) -> None:
    agent.compact()
    told = said(agent, "SessionStart", source="compact")
    assert "def total(rows):" in told
    assert "pytest: tests/test_a.py::test_total" in told
    assert said(agent, "SessionStart", source="compact") == ""
    assert prompted(agent) == ""


def test_what_reads_otherwise_is_said_again(agent: Scripted) -> None:
    agent.compact()
    assert "return sum(rows)" in said(agent, "SessionStart", source="compact")
    agent.write("a.py", agent.files["a.py"].replace("sum", "len"))
    agent.events[-1]["session_id"] = "another"
    told = prompted(agent)
    assert "return len(rows)" in told
    assert "price" not in told


def after_a_compaction(agent: Scripted) -> str:
    return said(agent, "SessionStart", source="compact", is_on_disk=False)


def test_a_change_that_nobody_told_of_is_said_as_it_is_now(agent: Scripted) -> None:
    agent.compact()
    put_on_disk(agent)
    (agent.root / "a.py").write_text("def total(rows):\n    return max(rows)\n")
    told = after_a_compaction(agent)
    assert "return max(rows)" in told
    assert "return sum(rows)" not in told
    assert "def price(rows):" in told


def test_one_that_can_not_be_recorded_keeps_no_other_out(agent: Scripted, tmp_path: Path) -> None:
    agent.write("linked/c.py", "def discount(rows):\n    return rows[:1]\n")
    agent.compact()
    put_on_disk(agent)
    (agent.root / "linked").rename(tmp_path / "elsewhere")
    (agent.root / "linked").symlink_to(tmp_path / "elsewhere")
    (tmp_path / "elsewhere" / "c.py").write_text("def discount(rows):\n    return rows[:2]\n")
    (agent.root / "a.py").write_text("def total(rows):\n    return max(rows)\n")
    told = after_a_compaction(agent)
    assert "return max(rows)" in told
    assert "def discount" not in told


def test_a_file_with_a_secret_is_compared_as_it_was_kept(agent: Scripted) -> None:
    agent.read("conf.py")
    agent.compact()
    put_on_disk(agent)
    (agent.root / ".gitignore").write_text("conf.py\n")  # so it can't be recorded anew
    told = after_a_compaction(agent)
    assert "def url():" in told
    assert TOKEN not in told


def test_what_is_deleted_is_left_out(agent: Scripted) -> None:
    agent.compact()
    put_on_disk(agent)
    (agent.root / "a.py").unlink()
    told = after_a_compaction(agent)
    assert "def total(rows):" not in told
    assert "def price(rows):" in told


def test_what_can_not_be_read_or_recorded_again_is_left_out(agent: Scripted) -> None:
    agent.compact()
    put_on_disk(agent)
    (agent.root / ".gitignore").write_text("a.py\n")
    (agent.root / "a.py").write_text("def total(rows):\n    return max(rows)\n")
    (agent.root / "sub/b.py").unlink()
    os.mkfifo(agent.root / "sub/b.py")
    assert "def " not in after_a_compaction(agent)


def test_a_part_that_stands_at_its_place_is_said_though_the_rest_was_never_read(agent: Scripted) -> None:
    agent.write("long.txt", "".join(f"line {number}\n" for number in range(1, 60)))
    agent.events.pop()  # nobody heard that it was written
    agent.read("long.txt", 10, 3)
    agent.compact()
    (agent.root / ".gitignore").write_text("long.txt\n")  # so it isn't recorded anew
    told = said(agent, "SessionStart", source="compact")
    assert "line 11" in told
    assert "line 20" not in told


def test_of_a_project_that_is_not_here_what_is_recorded_is_said(agent: Scripted, tmp_path: Path) -> None:
    agent.compact()
    assert "def total(rows):" in said(agent, "SessionStart", source="compact")
    ws = default_path(str(agent.root))
    agent.root.rename(tmp_path / "gone")
    event = {"session_id": "another", "hook_event_name": "SessionStart", "source": "compact"}
    printed = answer(event, ws).splitlines()[0]
    assert "def total(rows):" in json.loads(printed)["hookSpecificOutput"]["additionalContext"]


def test_with_a_prompt_only_what_is_lost(agent: Scripted) -> None:
    agent.compact()
    agent.read("a.py")
    told = prompted(agent)
    assert "def price(rows):" in told
    assert "def total(rows):" not in told


def test_what_a_failure_depends_on_comes_first_though_it_was_read_after_it_and_others_later(agent: Scripted) -> None:
    agent.write("tests/test_a.py", "from a import total\n\n\ndef test_total():\n    assert total([1]) == 2\n")
    agent.test(passes=False)
    agent.write("a.py", "from core import add\n\n\ndef total(rows):\n    return add(rows)\n")
    agent.write("core.py", "def add(rows):\n    return sum(rows)\n")
    for number in range(12):
        agent.write(f"m{number}.py", f"def f{number}(rows):\n    return rows[{number}]\n")
        agent.read(f"m{number}.py")
    agent.compact()
    told = said(agent, "SessionStart", source="compact")
    assert "Failing: pytest: tests/test_a.py::test_total: assert 1 == 2" in told
    places = [told.index(f"# {path}\n") for path in ("tests/test_a.py", "a.py", "core.py", "m11.py")]
    assert places == sorted(places)
    assert "return sum(rows)" in told
    assert told.count("# a.py\n") == 1


def test_who_is_late_has_the_next_one_come_in_time(agent: Scripted) -> None:
    """What took too long goes on where nobody waits for it, and is kept."""
    for number in range(STATE_SOON):
        agent.read("a.py" if number % 2 else "sub/b.py")
    agent.compact()
    ws = default_path(str(agent.root))
    for each in agent.events:
        hook.hear([], json.dumps(each).encode())
    event = {"hook_event_name": "SessionStart", "source": "compact", "session_id": SESSION, "cwd": str(agent.root)}
    line = [sys.executable, "-I", "-S", door(), "--inject", "--within", "0.01"]
    done = subprocess.run(line, input=json.dumps(event).encode(), capture_output=True, timeout=60)
    assert (done.returncode, done.stdout) == (0, b"")
    until = time.monotonic() + 60
    while not _is_kept(ws) and time.monotonic() < until:
        time.sleep(0.05)
    assert _is_kept(ws)


def _is_kept(ws: str) -> bool:
    if not os.path.exists(ws):
        return False
    with open_record(ws) as record:
        return record.head()[0] > 1 and resumed_world(record, Facts(record), record.head()[0]).step >= STATE_SOON


def test_a_large_session_stays_within_the_budget(agent: Scripted) -> None:
    for number in range(40):
        body = "\n\n".join(f"def f{number}_{each}(rows):\n    return rows[{each}]" for each in range(30))
        agent.write(f"m{number}.py", body + "\n")
    agent.compact()
    assert prompted(agent)


@pytest.mark.parametrize("word", ["a_test_of_totals", "総計", "🎉"])
def test_names_of_what_fails_stay_within_the_budget_too(agent: Scripted, word: str) -> None:
    for number in range(40):
        body = "\n\n".join(f"def f{number}_{each}(rows):\n    return rows[{each}]" for each in range(30))
        agent.write(f"m{number}.py", body + "\n")
    agent.compact()
    put_on_disk(agent)
    for event in agent.events:
        hook.hear([], json.dumps(event).encode())
    agent.events.clear()
    ws = default_path(str(agent.root))
    take_in(ws)
    with open_session(ws) as session:
        tests = [f"test_{number}_{word * 80}"[:300] for number in range(7)]
        session.record([{"kind": "failed", "runner": "user", "test": name, "nodes": ["a.py"]} for name in tests])
    told = prompted(agent)
    assert "Failing: " in told
    assert " more" in told
    assert "def " in told


def test_other_sessions_are_told_for_themselves(agent: Scripted) -> None:
    agent.compact()
    assert said(agent, "SessionStart", source="compact")
    assert said(agent, "SessionStart", source="compact", session_id="another")
    assert said(agent, "SessionStart", source="compact", session_id="another") == ""


@pytest.mark.parametrize("seconds", ["0.0", "60.0"])
def test_as_a_process_it_answers_in_time_or_not_at_all(agent: Scripted, seconds: str) -> None:
    agent.compact()
    assert prompted(agent)
    event = {"session_id": "late", "cwd": str(agent.root), "hook_event_name": "SessionStart", "source": "compact"}
    command = [sys.executable, "-I", "-S", door(), "--inject", f"--within={seconds}"]
    done = subprocess.run(command, input=json.dumps(event).encode(), capture_output=True, timeout=60)
    assert (done.returncode, done.stderr) == (0, b"")
    assert bool(done.stdout) == (seconds == "60.0")
    if done.stdout:
        assert "def total" in json.loads(done.stdout)["hookSpecificOutput"]["additionalContext"]


def hooked(agent: Scripted, kind: str, **fields: Any) -> bytes:
    """What a hook's process prints at an event, after all that happened before."""
    for event in agent.events:
        hook.hear([], json.dumps(event).encode())
    agent.events.clear()
    event = {"session_id": SESSION, "cwd": str(agent.root), "hook_event_name": kind, **fields}
    command = [sys.executable, "-I", "-S", door(), "--inject", "--within=60"]
    done = subprocess.run(command, input=json.dumps(event).encode(), capture_output=True, timeout=60)
    assert (done.returncode, done.stderr) == (0, b"")
    return done.stdout


def states(agent: Scripted, *nodes: str) -> list[str]:
    """How nodes stand in the agent's window, once all is taken in."""
    ws = default_path(str(agent.root))
    taken = take_in(ws)
    assert (taken.unknown, taken.aside, taken.why) == (0, 0, "")
    with open_record(ws) as record:
        held = Knowing(record).world.hosts.held((HOST, SESSION, ""))
        return [held.state(node).state for node in nodes]


def recalls(agent: Scripted) -> list[dict[str, Any]]:
    with open_record(default_path(str(agent.root))) as record:
        ops = [json.loads(body) for _, _, body in record.rows()]
    return [op for op in ops if op["kind"] == "recall"]


@pytest.mark.parametrize("starts_first", [True, False])
def test_what_was_said_is_in_the_window_from_then_on(agent: Scripted, starts_first: bool) -> None:
    """Whether the host starts the session anew before it tells of the compaction, or after."""
    agent.compact()
    put_on_disk(agent)
    *before, started, compacted = agent.events
    assert (started["source"], compacted["hook_event_name"]) == ("compact", "PostCompact")
    agent.events[:] = before if starts_first else [*before, compacted]
    printed = json.loads(hooked(agent, "SessionStart", source="compact"))
    assert "def total(rows):" in printed["hookSpecificOutput"]["additionalContext"]
    if starts_first:
        hook.hear([], json.dumps(compacted).encode())
    total, price = "sym:a.py#total", "sym:sub/b.py#price"
    assert states(agent, total, price) == ["in", "in"]
    (op,) = recalls(agent)
    assert (op["host"], op["session"], op["lens"]) == (HOST, SESSION, "lost")
    assert {row[0] for row in op["items"]} == {"file:a.py", "file:sub/b.py"}
    agent.events.clear()
    agent.read("notes.txt")
    agent.compact()
    for event in agent.events:
        hook.hear([], json.dumps(event).encode())
    agent.events.clear()
    assert "in" not in states(agent, total, price)
    assert len(recalls(agent)) == 1


def test_what_nobody_was_told_is_not_recorded_as_told(agent: Scripted) -> None:
    agent.compact()
    put_on_disk(agent)
    for event in agent.events:
        hook.hear([], json.dumps(event).encode())
    event = {"session_id": SESSION, "cwd": str(agent.root), "hook_event_name": "SessionStart", "source": "compact"}
    command = [sys.executable, "-I", "-S", door(), "--inject", "--within=60"]
    read, write = os.pipe()
    os.close(read)  # nobody reads what it prints
    done = subprocess.run(command, input=json.dumps(event).encode(), stdout=write, timeout=60)
    os.close(write)
    assert done.returncode == 0
    assert states(agent, "sym:a.py#total") != ["in"]
    assert recalls(agent) == []


def test_a_host_can_not_claim_that_we_said_something(agent: Scripted) -> None:
    items = [["sym:a.py#total", "body", 9]]
    claim = {"kind": "injected", "agent": HOST, "session": SESSION, "cwd": str(agent.root), "items": items, "step": 9}
    agent.events.append(claim)
    for event in agent.events:
        hook.hear([], json.dumps(event).encode())
    taken = take_in(default_path(str(agent.root)))
    assert (taken.unknown, taken.aside) == (1, 0)
    assert recalls(agent) == []


MODULES = f"""
import os, sys
def ended(code):
    print(*sorted(set(sys.modules)), file=sys.stderr)
    sys.stdout.flush()
    os.kill(os.getpid(), 9)
os._exit = ended
sys.path.insert(0, {str(ROOT)!r})
from ccos_core.serve.hook import main
main(["--inject", "--within=60"])
"""


def modules_of(agent: Scripted, kind: str, **fields: Any) -> set[str]:
    """What the hook's process has loaded when it ends."""
    event = {"session_id": SESSION, "cwd": str(agent.root), "hook_event_name": kind, **fields}
    command = [sys.executable, "-c", MODULES]
    done = subprocess.run(command, input=json.dumps(event).encode(), capture_output=True, timeout=60)
    assert b"ccos_core.serve.hook" in done.stderr
    return set(done.stderr.decode().split())


def test_a_session_that_was_never_cut_pays_for_no_engine(agent: Scripted) -> None:
    for event in agent.events:
        hook.hear([], json.dumps(event).encode())
    prompt = {"prompt": "and now?", "prompt_id": "p"}
    heavy = {"ccos_core.serve.next_door", "ccos_core.serve.inject", "sqlite3", "dataclasses"}
    assert not heavy & modules_of(agent, "UserPromptSubmit", **prompt)
    assert not heavy & modules_of(agent, "SessionStart", source="startup")
    hook.hear(
        [], json.dumps({"session_id": "another", "cwd": str(agent.root), "hook_event_name": "PostCompact"}).encode()
    )
    assert not heavy & modules_of(agent, "UserPromptSubmit", **prompt)
    agent.events.clear()
    agent.compact()
    for event in agent.events:
        hook.hear([], json.dumps(event).encode())
    assert heavy <= modules_of(agent, "UserPromptSubmit", **prompt)


@pytest.mark.parametrize(
    ("source", "seconds"), [("compact", hook.SECONDS_AFTER_CUT), ("resume", hook.SECONDS_TO_ANSWER)]
)
def test_after_a_cut_there_is_more_time(source: str, seconds: float) -> None:
    event = {"hook_event_name": "SessionStart", "source": source}
    assert hook._seconds(event, [], is_first=False) == seconds
    assert hook._seconds(event, [], is_first=True) == hook.SECONDS_AFTER_CUT
    assert hook._seconds(event, ["--within", "7"], is_first=False) == 7


def test_what_failed_last_comes_first_in_whatever_order_it_is_held() -> None:
    told = [Failure("pytest", name) for name in "abcd"]
    steps = {"a": 5, "b": 9, "c": 7, "d": 9}
    live = {("pytest", each.test, ""): Live(each, (), 1, steps[each.test], 1, {}) for each in told}
    for order in permutations(live.items()):
        assert failing(dict(order)) == ("pytest: b", "pytest: d", "pytest: c", "pytest: a")
