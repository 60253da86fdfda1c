"""`ccos-tui check`: its formats, its exit codes, and that nothing in a rules file is ignored."""

from __future__ import annotations

import json
from pathlib import Path
from xml.etree import ElementTree

import pytest

from ccos_core.query.check.judging import LIMITS
from ccos_core.query.check.rules import RULES, default_rules, rules_of
from tests.core.serve.calling import ROOT, Caller
from tests.core.serve.report.sessions import demonstration, hostile
from tests.story import tell_anew


@pytest.fixture
def demo(tmp_path: Path) -> str:
    return demonstration(tmp_path)


@pytest.fixture
def clean(tmp_path: Path) -> str:
    tell_anew(tmp_path, 'prompt "Look"\nsee src/a.py')
    return str(tmp_path / "work.ccos")


def test_a_session_that_broke_a_rule(run: Caller, demo: str) -> None:
    done = run("check", demo)
    assert done.code == 1
    assert done.err == ""
    assert done.out.splitlines()[:3] == [
        "1 rule of 5 broken in 61 steps",
        "✗ secrets  No secret is printed, read or written.",
        "    1 secret (password) in the output of Bash git remote -v at step 11, masked here.",
    ]


def test_a_session_that_broke_none(run: Caller, clean: str) -> None:
    done = run("check", clean)
    assert done.code == 0
    assert done.out.startswith("no rule broken in 3 steps\n")


@pytest.mark.parametrize("words", [("--json",), ("--format", "json")])
def test_json(run: Caller, demo: str, words: tuple[str, ...]) -> None:
    done = run("check", demo, *words)
    told = done.json()
    assert done.code == 1
    assert told["schema"] == "ccos.check/1"
    assert told["passed"] is False
    assert [each["rule"] for each in told["rules"] if each["broken"]] == ["secrets"]
    assert told["rules"][2]["broken"][0]["step"] == 11
    assert {*(each["rule"] for each in told["rules"]), *told["off"]} == {rule.name for rule in RULES}


def test_junit(run: Caller, demo: str) -> None:
    done = run("check", demo, "--format", "junit")
    assert done.code == 1
    suites = ElementTree.fromstring(done.out.encode())
    suite = suites[0]
    assert suite.attrib["failures"] == suites.attrib["failures"] == "1"
    assert int(suite.attrib["tests"]) == len(suite) == len(RULES)
    (failure,) = suites.iter("failure")
    assert failure.attrib["message"] in (failure.text or "")
    assert len(list(suites.iter("skipped"))) == int(suite.attrib["skipped"]) == 3


def test_junit_of_hostile_texts_is_xml(run: Caller, tmp_path: Path) -> None:
    rules = tmp_path / "rules.toml"
    rules.write_text('[edits]\nwithin = ["docs/**"]\n[commands]\nnever = ["echo"]\n')
    done = run("check", hostile(tmp_path), "--rules", rules, "--format", "junit")
    assert done.code == 1
    suites = ElementTree.fromstring(done.out.encode())
    assert int(suites.attrib["failures"]) >= 3
    assert {element.tag for element in suites.iter()} == {"testsuites", "testsuite", "testcase", "failure", "skipped"}


def test_rules_change_what_is_checked(run: Caller, demo: str, tmp_path: Path) -> None:
    rules = tmp_path / "rules.toml"
    rules.write_text('[secrets]\nmost = 1\n[window]\nmost = 150_000\n[edits]\nwithin = ["tests/**"]\n')
    done = run("check", demo, "--rules", rules)
    assert done.code == 1
    assert "✗ window" in done.out
    assert "The window held 167,510 tokens at step 39; 150,000 are allowed." in done.out
    assert "✗ edits" in done.out
    assert "✓ secrets" in done.out


@pytest.mark.parametrize(
    ("text", "fact"),
    [
        (b"[lops]\n", "there is no rule 'lops'\n  Did you mean loops?"),
        (b"[loops]\nmots = 1\n", "rule 'loops' has no option 'mots'\n  Did you mean most?"),
        (b"[loops]\nmost = -1\n", "loops.most must be a whole number, 0 or more"),
        (b"[loops\n", "is not TOML: "),
        (b"\xff\xfe", "is not UTF-8"),
        (b"#" * (1 << 20) + b"#", "is too large for a rules file"),
    ],
)
def test_what_is_wrong_with_a_rules_file_is_a_usage_error(
    run: Caller, clean: str, tmp_path: Path, text: bytes, fact: str
) -> None:
    rules = tmp_path / "rules.toml"
    rules.write_bytes(text)
    done = run("check", clean, "--rules", rules)
    assert done.code == 2
    assert f"{rules}: {fact}" in done.err
    assert done.out == ""


@pytest.mark.parametrize("words", [("--rules", "no-such-file.toml"), ("--rules", "."), ("--format", "xml")])
def test_other_usage_errors(run: Caller, clean: str, words: tuple[str, ...]) -> None:
    assert run("check", clean, *words).code == 2


def test_the_documented_rules_are_read_and_are_all_there_are(run: Caller, clean: str, tmp_path: Path) -> None:
    page = (ROOT / "docs" / "REPORTS.md").read_text()
    example = page.partition("```toml\n")[2].partition("```")[0]
    rules = tmp_path / "rules.toml"
    rules.write_text(example)
    assert run("check", clean, "--rules", rules, "--json").code in (0, 1)
    documented, defaults = rules_of(example), default_rules()
    for rule in RULES:
        assert f"[{rule.name}]" in example
        for option in rule.options:
            assert option == "on" or f"\n{option} = " in example, f"{rule.name}.{option}"
        if rule.name not in LIMITS:
            assert documented[rule.name] == defaults[rule.name]
    assert "`on = false`" in page


def test_json_is_the_same_twice(run: Caller, demo: str) -> None:
    assert run("check", demo, "--json").out == run("check", demo, "--json").out
    assert json.loads(run("check", demo, "--json").out)["at"] == 61
