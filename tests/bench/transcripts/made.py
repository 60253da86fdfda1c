"""Transcripts made up: sessions of a size, with what real ones are made of, the same for a seed.

An agent reads files, edits them, searches, and runs tests that fail and pass; now and then it is compacted. Sources are
functions of words, so that they weigh what sources weigh when they are masked, hashed and outlined.
"""

import json
from datetime import UTC, datetime, timedelta
from random import Random
from typing import Any

from tests.core.intake.importers.claude_code_fixtures import Talk, edit_of, listed, read_of, text, use
from tests.core.intake.importers.codex_fixtures import Rollout, update

WORDS = tuple(
    word
    for line in (
        "account amount batch buffer cache cents client column config count customer cursor delta entry event field",
        "file filter frame header index invoice item kind ledger limit line order page path payment price queue rate",
        "record result row schema session sheet state status store table tax tenant text token total user value window",
    )
    for word in line.split()
)
CWD = "/home/kim/ledger"
FILES = 40
CALLS_A_CONTEXT = 130
"""Calls from one compaction to the next."""
BEGUN = datetime(2026, 3, 1, 10, tzinfo=UTC)


def claude_code(size: int, seed: int) -> bytes:
    """A transcript of Claude Code of about so many bytes."""
    random = Random(seed)
    talk = Talk(f"5e55-{seed:06}", cwd=CWD)
    files = {f"{CWD}/src/{word}.py": source(random, 4 + number) for number, word in enumerate(WORDS[:FILES])}
    made: list[bytes] = []
    held = call = 0
    while held < size:
        if call % CALLS_A_CONTEXT == CALLS_A_CONTEXT - 1:
            talk.compact(postTokens=12_000)
        if call % 25 == 0:
            talk.prompt(f"Look at the {random.choice(WORDS)} and make it right.")
        _call(talk, random, files, call)
        call += 1
        new = [_line(value) for value in talk.values[len(made) :]]
        made += new
        held += sum(map(len, new))
    return b"".join(made)


def codex(size: int, seed: int) -> bytes:
    """A rollout of Codex of about so many bytes."""
    random = Random(seed)
    rollout = Rollout(id=f"0199-{seed:06}", cwd=CWD).turn(CWD)
    files = {f"src/{word}.py": source(random, 4 + number) for number, word in enumerate(WORDS[:FILES])}
    held = 0
    while held < size:
        number = len(rollout.lines)
        if number % 90 == 0:
            rollout.user(f"Look at the {random.choice(WORDS)} and make it right.")
        path = random.choice(list(files))
        rollout.agent(f"I will look at {path}.").ran(f"c{number}", f"cat {path}", files[path])
        rollout.ran(f"t{number}", "pytest -q", run_of(random, path), int(random.random() < 0.3))
        old = random.choice([line for line in files[path].splitlines() if " = " in line])
        new = f"    {random.choice(WORDS)} = {random.randrange(1_000)}"
        rollout.patched(f"p{number}", update(path, f"-{old}\n+{new}\n"))
        files[path] = files[path].replace(old, new, 1)
        rollout.counted(10_000 + number * 90, number * 1_000)
        held += sum(len(_line(line)) for line in rollout.lines[number:])
    return b"".join(map(_line, rollout.lines))


def source(random: Random, functions: int) -> str:
    """A file of so many functions."""
    return "\n\n".join(_function(random, number) for number in range(functions))


def run_of(random: Random, path: str) -> str:
    """What a run of tests prints that fails."""
    name, line = random.choice(WORDS), random.randrange(1, 90)
    passed = "".join(f"tests/test_{word}.py {'.' * random.randrange(3, 30)}\n" for word in random.sample(WORDS, 12))
    failed = f"{path}:{line}: AssertionError\nFAILED tests/test_{name}.py::test_{name} - assert 1 == 2\n"
    body = f"    def test_{name}():\n>       assert {name}() == 2\nE       assert 1 == 2\n"
    return f"{passed}\n{body}\n{failed}1 failed in 0.4s\n"


def _function(random: Random, number: int) -> str:
    one, two, three = random.sample(WORDS, 3)
    lines = [f"def {one}_{two}_{number}({two}, {three}=None):", f'    """The {one} of a {two}, by its {three}."""']
    for _ in range(random.randrange(4, 12)):
        left, right = random.sample(WORDS, 2)
        lines.append(
            f"    {left} = {right}_{random.randrange(40)}({two}, {random.randrange(1_000)})  # as the {three} says"
        )
    return "\n".join([*lines, f"    return {two}"]) + "\n"


def _call(talk: Talk, random: Random, files: dict[str, str], number: int) -> None:
    path, call, message = random.choice(list(files)), f"toolu_{number:06}", f"msg_{number:06}"
    window = 12_000 + number % CALLS_A_CONTEXT * 1_100
    given = files[path]
    way = random.randrange(10)
    if random.random() < 0.3:
        talk.says(text(f"The {random.choice(WORDS)} in {path} looks odd."), message=message, window=window)
    if way < 5:
        talk.says(use(call, "Read", {"file_path": path}), message=message, window=window)
        talk.result(call, listed(given), read_of(path, given))
    elif way < 7:
        old = random.choice([line for line in given.splitlines() if " = " in line])
        new = f"    {random.choice(WORDS)} = {random.randrange(1_000)}"
        arguments = {"file_path": path, "old_string": old, "new_string": new}
        talk.says(use(call, "Edit", arguments), message=message, window=window)
        talk.result(call, f"The file {path} has been updated.", edit_of(path, given, old, new))
        files[path] = given.replace(old, new, 1)
    else:
        talk.says(use(call, "Bash", {"command": "pytest -q"}), message=message, window=window)
        printed, wrong = run_of(random, path), way == 9
        talk.result(call, printed, {"stdout": printed, "stderr": "", "interrupted": False}, is_error=wrong)


def _line(value: dict[str, Any]) -> bytes:
    """A record as a line, some seconds after the one before."""
    number = int(str(value.get("uuid", "")).rpartition("/")[2] or 0)
    if number:
        value["timestamp"] = (BEGUN + timedelta(seconds=3 * number)).strftime("%Y-%m-%dT%H:%M:%S.000Z")
    return json.dumps(value, separators=(",", ":")).encode() + b"\n"
