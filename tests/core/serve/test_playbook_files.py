"""The playbook as a file: each form gives the rules back, and of a file that a person wrote only the block changes."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ccos_core.errors import NotUnderstood
from ccos_core.learn.maturity import MATURITIES
from ccos_core.learn.rule import CATEGORIES, KINDS
from ccos_core.serve.playbook_files import BEGIN, END, FORMATS, MARKDOWN, SCOPES, FiledRule, read, with_block, written
from tests.core.serve.calling import Caller

TEXTS = st.one_of(
    st.sampled_from(["Never: push [main].", "a\nb", BEGIN, END, '"x" \\ #', "- [rule] x", "null", "\u202e\x1b[0m日本"]),
    st.text(st.characters(codec="utf-8"), min_size=1),
).filter(str.strip)
RULES = st.lists(
    st.builds(
        FiledRule, TEXTS, st.sampled_from(KINDS), st.sampled_from(("", *CATEGORIES)), st.sampled_from(SCOPES),
        st.sampled_from(MATURITIES),
    ),
    max_size=4,
)  # fmt: skip
PERSON = "# Rules\n\n- [rule] mine\n\nBuild with make.\n"


def flat(rules: list[FiledRule], form: str) -> list[FiledRule]:
    """As Markdown a rule is one line."""
    if form != MARKDOWN:
        return rules
    return [
        FiledRule(" ".join(each.text.split()), each.kind, each.category, each.scope, each.maturity) for each in rules
    ]


@pytest.mark.parametrize("form", FORMATS)
@given(rules=RULES)
def test_each_form_gives_the_rules_back(form: str, rules: list[FiledRule]) -> None:
    assert read(written(rules, form), "f") == flat(rules, form)


@given(
    rules=RULES, more=RULES, newline=st.sampled_from(("\n", "\r\n")), person=st.sampled_from((PERSON, "", "one line"))
)
def test_a_block_is_written_once_and_leaves_the_rest(
    rules: list[FiledRule], more: list[FiledRule], newline: str, person: str
) -> None:
    own = person.replace("\n", newline)
    once = with_block(own, rules, "f")
    assert with_block(once, rules, "f") == once
    assert once.startswith(own)
    assert read(once, "f") == flat(rules, MARKDOWN)
    behind = once + f"More of a person.{newline}"
    again = with_block(behind, more, "f")
    assert again.startswith(own)
    assert again.endswith(f"More of a person.{newline}")
    assert read(again, "f") == flat(more, MARKDOWN)


DEEP = 'schema: "ccos.playbook/1"\nrules:\n  - text: ' + "[" * 100_000


@pytest.mark.parametrize("text", [BEGIN, f"{END}\n{BEGIN}", f"{BEGIN}\nmine\n{END}", "rules: []", "x", "{}", "", DEEP])
def test_what_this_did_not_write_is_refused(text: str) -> None:
    with pytest.raises(NotUnderstood):
        read(text, "f")


def workspace(run: Caller, folder: Path) -> Path:
    folder.mkdir()
    ws = folder / "work.ccos"
    run("init", ws, "--root", folder)
    run("remember", ws, "Run ruff before you commit.", "--class", "rule", "--tag", "category:git")
    run("remember", ws, "Never force-push main.", "--class", "anti-pattern")
    run("remember", ws, "The office is in Graz.", "--class", "fact")
    return ws


@pytest.mark.parametrize("form", FORMATS)
def test_rules_go_from_one_workspace_to_another(run: Caller, tmp_path: Path, form: str) -> None:
    ws, other = workspace(run, tmp_path / "one"), tmp_path / "two" / "work.ccos"
    (tmp_path / "two").mkdir()
    run("init", other, "--root", tmp_path / "two")
    path = tmp_path / "playbook"
    assert run("playbook", "export", ws, path, "--format", form).code == 0
    assert "office" not in path.read_text()
    before = path.read_bytes()
    assert "as before" in run("playbook", "export", ws, path, "--format", form).err
    assert path.read_bytes() == before
    assert "took 2 rules of 2" in run("playbook", "import", other, path).err
    listed = [run("rules", each, "--json").json()["rules"] for each in (ws, other)]
    names = ("memo", "text", "kind", "category", "scope", "maturity")
    assert [{name: rule[name] for name in names} for rule in listed[0]] == [
        {name: rule[name] for name in names} for rule in listed[1]
    ]
    assert "took 0 rules of 2" in (done := run("playbook", "import", other, path)).err
    assert "2 known before" in done.err


def test_a_file_of_a_person_keeps_its_words_and_a_strange_one_is_not_replaced(run: Caller, tmp_path: Path) -> None:
    ws, agents = workspace(run, tmp_path / "one"), tmp_path / "AGENTS.md"
    agents.write_text(PERSON)
    run("playbook", "export", ws, agents, "--format", "markdown")
    assert agents.read_text().startswith(f"{PERSON}\n{BEGIN}\n- [")
    agents.write_text(PERSON)
    assert run("playbook", "export", ws, agents, "--format", "yaml").code == 3
    assert agents.read_text() == PERSON


def test_the_ending_says_the_format_and_no_folder_is_made(run: Caller, tmp_path: Path) -> None:
    ws = workspace(run, tmp_path / "one")
    for name, begin in (("AGENTS.md", BEGIN), ("rules.yaml", "schema: "), ("rules.txt", "schema: ")):
        run("playbook", "export", ws, tmp_path / name)
        assert (tmp_path / name).read_text().startswith(begin), name
    assert (tmp_path / "rules.yaml").read_bytes() == (tmp_path / "rules.txt").read_bytes()
    assert run("playbook", "export", ws, tmp_path / "none" / "rules.yaml").code == 1
    assert not (tmp_path / "none").exists()


def test_what_a_file_trusts_is_established_and_a_retired_rule_stays_retired(run: Caller, tmp_path: Path) -> None:
    ws, path = workspace(run, tmp_path / "one"), tmp_path / "playbook.yaml"
    path.write_text(
        written([FiledRule("Use uv.", maturity="proven"), FiledRule("Run ruff before you commit.")], "yaml")
    )
    memo = next(each["memo"] for each in run("rules", ws, "--json").json()["rules"] if "ruff" in each["text"])
    run("retract", ws, memo)
    assert "took 1 rule of 2" in (done := run("playbook", "import", ws, path)).err
    assert "1 rule left retired" in done.err
    told = {each["text"]: each["maturity"] for each in run("rules", ws, "--json").json()["rules"]}
    assert told == {"Use uv.": "established", "Never force-push main.": "candidate"}


def test_a_block_for_agents_has_no_rule_that_they_may_not_see(run: Caller, tmp_path: Path) -> None:
    ws, agents, whole = (str(tmp_path / name) for name in ("one.ccos", "AGENTS.md", "all.yaml"))
    run("init", ws)
    run("remember", ws, "Run make fmt before each commit.", "--class", "rule")
    run("remember", ws, "Ask the zebra team before a release.", "--class", "rule")
    (secret,) = (rule["memo"] for rule in run("rules", ws, "--json").json()["rules"] if "zebra" in rule["text"])
    run("label", ws, secret, "--privacy", "high")
    run("playbook", "export", ws, agents, "--format", "markdown")
    run("playbook", "export", ws, whole)
    told = Path(agents).read_text("utf-8")
    assert "make fmt" in told
    assert "zebra" not in told
    assert "zebra" in Path(whole).read_text("utf-8")
