"""The gate: whatever comes, either an op that is safe to keep, or a sentence that names the field."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from ccos_core.errors import CcosError
from ccos_core.ops import plain, table
from ccos_core.session.admit import Admitted, admit
from ccos_core.session.bounds import LARGEST_BLOB
from ccos_core.text.ignore import Matcher, parse_rules
from ccos_core.text.sanitize import clean, surface
from ccos_core.values.canon import digest
from ccos_core.values.paths import Place
from tests.core.session.foreign import HIDDEN, SECRETS, nonsense, observations, texts, values

ROOT = Path(__file__).resolve().parents[3]
HERE = Place(("/home/ann/proj",), "/home/ann")
unhurried = settings(deadline=None, suppress_health_check=[HealthCheck.too_slow])


def strings(value: Any) -> Iterator[str]:
    """Every text in an op, keys included."""
    if isinstance(value, str):
        yield value
    elif isinstance(value, dict):
        for key, item in value.items():
            yield from (key, *strings(item))
    elif isinstance(value, list | tuple):
        for item in value:
            yield from strings(item)


def everything(admitted: Admitted) -> list[str]:
    return [*strings(admitted.op), *(content.decode() for _, content in admitted.blobs)]


def is_sound(admitted: Admitted) -> None:
    assert plain.seal(plain.unseal(admitted.body)) == admitted.body
    assert len(admitted.body) <= plain.LARGEST
    references = list(plain.blobs_of(admitted.op))
    assert [blob for _, blob in references] == [blob for blob, _ in admitted.blobs]
    for (name, _), (blob, content) in zip(references, admitted.blobs, strict=True):
        assert digest(content) == blob
        assert admitted.op[name]["bytes"] == len(content) <= LARGEST_BLOB


# ---- laws ----


@unhurried
@given(st.one_of(nonsense(), observations(), st.just({}), values))
def test_an_op_or_a_sentence_and_nothing_else(observation: Any) -> None:
    try:
        admitted = admit(observation)
    except (plain.NotAnOp, CcosError) as error:
        said = str(error)
        assert surface(said)[0] == said
        assert said.strip()
    else:
        is_sound(admitted)


@unhurried
@given(observations())
def test_what_has_the_right_shape_gets_in(observation: dict[str, Any]) -> None:
    try:
        is_sound(admit(observation, HERE))
    except plain.NotAnOp:
        names_that_look_the_same = any(isinstance(value, dict) for value in observation.values())
        if not names_that_look_the_same:
            raise


@unhurried
@given(observations())
def test_nothing_hidden_gets_in(observation: dict[str, Any]) -> None:
    try:
        admitted = admit(observation, HERE)
    except plain.NotAnOp:
        return
    for text in everything(admitted):
        assert surface(text)[0] == text, ascii(text)


@unhurried
@given(observations(), st.sampled_from(SECRETS), st.data())
def test_no_secret_gets_in(observation: dict[str, Any], secret: str, data: st.DataObject) -> None:
    """In any field that holds text, and at any depth of one that holds more."""

    def planted(value: Any) -> Any:
        if isinstance(value, str):
            return f"{value} {secret} ".replace("\\", "")
        if isinstance(value, dict):
            return {planted(str(key)): planted(item) for key, item in value.items()} or {"token": secret}
        if isinstance(value, list | tuple):
            return [planted(item) for item in value] or value
        return value

    forms = {name: form for name, form, _ in table.fields_of(observation["kind"])}
    free = [name for name in observation if name in forms and "|" not in forms[name] and forms[name] != "hash"]
    for name in data.draw(st.lists(st.sampled_from(free), unique=True)) if free else []:
        observation[name] = planted(observation[name])
    try:
        admitted = admit(observation)
    except plain.NotAnOp as error:
        kept = str(error)
    else:
        kept = " ".join(everything(admitted))
    assert secret not in kept


@unhurried
@given(texts, st.binary(max_size=60))
def test_lines_stay_lines(text: str, raw: bytes) -> None:
    for said, lines in ((text, text.count("\n")), (raw, raw.count(b"\n"))):
        ((_, content),) = admit({"kind": "prompt", "said": said, "source": "user"}).blobs
        assert content.count(b"\n") == lines


@unhurried
@given(observations())
def test_the_gate_lets_its_own_words_pass(observation: dict[str, Any]) -> None:
    """What is in is clean already: `export --redact` of a record written today changes nothing."""
    try:
        admitted = admit(observation)
    except plain.NotAnOp:
        return
    for text in everything(admitted):
        assert clean(text)[0] == text


@unhurried
@given(values)
def test_arguments_are_json_whatever_they_were(arguments: Any) -> None:
    if arguments is None:
        return
    admitted = admit({"kind": "tool", "name": "X", "outcome": "ok", "arguments": arguments})
    json.loads(admitted.blobs[0][1])


DETERMINED = """
import sys
sys.path.insert(0, sys.argv[1])
from ccos_core.session.admit import admit
from ccos_core.values.canon import digest
hidden = "\\u200b"
told = [
    {"kind": "tool", "name": "X", "outcome": "ok", "result": b"\\xff\\n",
     "arguments": {"b": 1.5, "a": [None, float("nan")], "k" + hidden: 1, "k[U+200B ZWSP]": 2,
                   3: "x", "3": "y", "o": object()}},
    {"kind": "passed", "runner": "r", "scope": "paths" and "files", "paths": ["/h/p/a", "x/../y"]},
    {"kind": "retune", "weights": {"b" + hidden: 1, "a": 2}},
]
print(digest(b"".join(each.body + b"".join(c for _, c in each.blobs) for each in map(admit, told))).hex())
"""


@pytest.mark.parametrize("seed", ["0", "1", "4242"])
def test_the_same_bytes_under_any_hash_seed(seed: str) -> None:
    def told(**environment: str) -> str:
        command = [sys.executable, "-c", DETERMINED, str(ROOT)]
        done = subprocess.run(command, env=os.environ | environment, capture_output=True, text=True, timeout=60)
        assert done.returncode == 0, done.stderr
        return done.stdout

    assert told(PYTHONHASHSEED=seed, TZ="Asia/Tokyo", LC_ALL="C") == told(PYTHONHASHSEED="7")


# ---- single cases ----


def arguments_of(arguments: Any, **more: Any) -> Any:
    admitted = admit({"kind": "tool", "name": "X", "outcome": "ok", "arguments": arguments, **more})
    return json.loads(admitted.blobs[0][1])


@pytest.mark.parametrize(
    ("observation", "words"),
    [
        ({"kind": ["x"]}, "no kind of op"),
        ({"kind": "nonesuch"}, "no kind of op"),
        ({"kind": "seen", "path": 3, "how": "read"}, "seen.path"),
        ({"kind": "seen", "how": "read"}, "needs path"),
        ({"kind": "seen", "path": "x", "how": "looked"}, "seen.how"),
        ({"kind": "tool", "name": "x", "outcome": "ok", "cwd": 5}, "tool.cwd"),
        ({"kind": "tool", "name": "x", "outcome": "ok", "result": 5}, "tool.result"),
        ({"kind": "tool", "name": "x", "outcome": "ok", "resutl": "y"}, "no field resutl"),
        ({"kind": "passed", "runner": "x", "scope": "all", "tests": 5}, "passed.tests"),
        ({"kind": "failed", "runner": "x", "sites": [[]]}, "failed.sites"),
        ({"kind": "failed", "runner": "x", "sites": ["a:1"]}, "failed.sites"),
        ({"kind": "usage", "window": 2**70}, "usage.window"),
        ({"kind": "usage", "window": True}, "usage.window"),
        ({"kind": "retune", "weights": {1: 2}}, "retune.weights"),
        ({"kind": "retune", "weights": {"a\u200b": 1, "a[U+200B ZWSP]": 2}}, "retune.weights"),
        ({"kind": "retune", "weights": {"a": 1}, "findings": [["x", "y", 1, 1]]}, "findings are the gate's own"),
        ({"kind": "paged_in", "nodes": ["n" * 8_000] * 1_200}, "may have"),
        ({"kind": "paged_in", "nodes": ["n"] * 10_001}, "paged_in.nodes"),
    ],
)
def test_a_refusal_names_the_field(observation: dict[str, Any], words: str) -> None:
    with pytest.raises(plain.NotAnOp, match=words):
        admit(observation)


def test_a_refusal_does_not_repeat_a_secret() -> None:
    with pytest.raises(plain.NotAnOp) as refusal:
        admit({"kind": "seen", "path": "x", "how": SECRETS[0]})
    assert SECRETS[0][:12] not in str(refusal.value)


def test_findings_say_field_kind_count_and_line() -> None:
    op = admit({"kind": "prompt", "said": f"one\ntwo \u202e\n{SECRETS[0]}", "source": "user", "call": "a\u200b"}).op
    assert op["findings"] == [
        ["call", "zero-width", 1, 1],
        ["said", "bidi-control", 1, 2],
        ["said", "secret:github-token", 1, 3],
    ]


def test_keys_that_become_the_same_are_kept_apart() -> None:
    one, other = {"k\u200b": 1, "k[U+200B ZWSP]": 2}, {"k[U+200B ZWSP]": 2, "k\u200b": 1}
    assert arguments_of(one) == arguments_of(other) == {"k[U+200B ZWSP]": 2, "k[U+200B ZWSP]~2": 1}
    assert sorted(arguments_of({1: "a", "1": "b", "1~2": "c"}).values()) == ["a", "b", "c"]


def test_ids_stay_different_when_their_secrets_are_masked() -> None:
    calls = [admit({"kind": "usage", "window": 1, "call": f"{secret}"}) for secret in SECRETS]
    assert len({call.key for call in calls}) == len(SECRETS)


@pytest.mark.parametrize("value", ["plain-but-long-word", 12345678, ["in-a-list"], {"deep": "x"}, True, None, 7])
def test_values_under_the_name_of_a_secret(value: Any) -> None:
    kept = arguments_of({"password": value})["password"]
    if isinstance(value, str | list) or value == 12345678:
        assert "REDACTED" in str(kept)
    else:
        assert kept == value


def test_numbers_that_json_has_no_word_for() -> None:
    kept = arguments_of({"a": float("nan"), "b": float("-inf"), "c": 1.5, "d": 2**80, "e": 10**5000, "f": 2**63 - 1})
    assert kept | {"e": ""} == {"a": "nan", "b": "-inf", "c": 1.5, "d": hex(2**80), "e": "", "f": 2**63 - 1}


def test_what_prints_differently_each_time_is_named_by_its_type() -> None:
    assert arguments_of({"a": object(), "b": {1, 2}}) == {"a": "[a object]", "b": "[a set]"}


def test_deep_arguments_end_in_a_word() -> None:
    deep: Any = "x"
    for _ in range(400):
        deep = [deep]
    assert "nested too deeply" in json.dumps(arguments_of(deep))
    assert arguments_of("[" * 100_000) == "[" * 100_000


def test_arguments_that_come_as_text_are_what_the_text_says() -> None:
    assert arguments_of('{"b": 1, "a": [2]}') == {"a": [2], "b": 1}
    assert arguments_of(" {not json") == " {not json"
    assert arguments_of("5") == "5"


def test_a_huge_text_in_arguments_is_cut_and_the_rest_stays_json() -> None:
    kept = arguments_of({"file_path": "a.py", "content": "line\n" * 1_000_000})
    assert kept["file_path"] == "a.py"
    assert "lines left out" in kept["content"]
    assert len(kept["content"]) < 300_000


@pytest.mark.parametrize(
    ("said", "kept"),
    [
        ("/home/ann/proj/src/a.py", "src/a.py"),
        ("src/../a.py", "a.py"),
        ("/home/ann/notes.md", "~/notes.md"),
        ("C:\\other\\a.py", "C:/other/a.py"),
        ("x\u202ey.py", "x[U+202E RLO]y.py"),
    ],
)
def test_paths_are_mapped_and_made_visible(said: str, kept: str) -> None:
    assert admit({"kind": "gone", "path": said}, HERE).op["path"] == kept


def test_relative_paths_mean_what_the_folder_makes_of_them() -> None:
    op = admit({"kind": "tool", "name": "X", "outcome": "ok", "cwd": "/home/ann/proj/sub"}, HERE).op
    assert op["cwd"] == "sub"


def test_a_long_line_keeps_its_start_and_the_name_of_the_whole() -> None:
    one, other = (admit({"kind": "cleared", "reason": "r" * 5_000 + end}).op["reason"] for end in "ab")
    assert len(one) == table.LONGEST["text"]
    assert one[:1_900] == other[:1_900]
    assert one != other


@pytest.mark.parametrize("character", HIDDEN)
def test_each_hidden_character_in_each_kind_of_field(character: str) -> None:
    text = f"a{character}b"
    told = [
        {"kind": "gone", "path": text},
        {"kind": "usage", "window": 1, "session": text, "context": text, "call": text, "host": text},
        {"kind": "passed", "runner": text, "scope": "all", "tests": [text], "paths": [text], "nodes": [text]},
        {"kind": "failed", "runner": "x", "sites": [[text, 1]]},
        {"kind": "recall", "lens": text, "budget": 1, "computed_at": 1, "parameters": {text: 1},
         "items": [[text, text, 1]], "window": "0" * 64},
        {"kind": "tool", "name": text, "outcome": "ok", "arguments": {text: text}, "result": text, "cwd": text},
    ]  # fmt: skip
    for observation in told:
        for kept in everything(admit(observation)):
            assert surface(kept)[0] == kept


@unhurried
@given(st.sampled_from(["call-1", *HIDDEN, *SECRETS]))
def test_a_compaction_names_calls_as_they_are_named(call: str) -> None:
    tool = admit({"kind": "tool", "name": "run", "outcome": "ok", "call": call}, HERE)
    compaction = admit({"kind": "compaction", "trigger": "auto", "kept": [call], "exact": True}, HERE)
    assert compaction.op["kept"] == [tool.op["call"]]


SEARCHED = "src/a.py:1:plain\n./.env:3:A=hunter\nprivate/b.py:1:hunter\n/home/ann/proj/private/b.py:2:hunter\n"


@pytest.mark.parametrize("printed", [SEARCHED, SEARCHED.encode()])
@pytest.mark.parametrize("cwd", ["/home/ann/proj", "/home/ann/proj/src"])
def test_lines_of_withheld_files_in_results(printed: str | bytes, cwd: str) -> None:
    ignored = Matcher(parse_rules("/private/"))
    tool = {"kind": "tool", "name": "Bash", "outcome": "ok", "arguments": {"command": "grep -rn X ."}, "cwd": cwd}
    admitted = admit({**tool, "result": printed}, HERE, ignored)
    content = admitted.blobs[-1][1].decode()
    assert "hunter" not in content
    assert content.startswith("src/a.py:1:plain\n./.env:3:REDACTED_SECRET_PATH\nprivate/b.py:1:REDACTED_CCOSIGNORE\n")
    assert admitted.op["findings"] == [["result", "secret:ccosignore", 2, 3], ["result", "secret:secret-path", 1, 2]]


def test_what_a_test_run_printed_is_a_result_too_and_a_prompt_is_none() -> None:
    run = admit({"kind": "failed", "runner": "pytest", "output": SEARCHED})
    assert run.blobs[0][1].count(b"hunter") == 2
    assert admit({"kind": "prompt", "said": SEARCHED, "source": "user"}).blobs[0][1].decode() == SEARCHED


def test_a_part_of_a_diff_is_masked_beyond_what_is_cut() -> None:
    part = "diff --git a/.env b/.env\n--- a/.env\n+++ b/.env\n@@ -0,0 +1,900000 @@\n" + "+hunter\n" * 900_000
    admitted = admit({"kind": "tool", "name": "Bash", "outcome": "ok", "result": part})
    assert b"lines left out" in admitted.blobs[0][1]
    assert b"hunter" not in admitted.blobs[0][1]
