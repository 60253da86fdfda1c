"""What breaks each rule, and what doesn't."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from decimal import Decimal
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from ccos_core.intake.calls.programs import is_like, programs_of
from ccos_core.query.autopsy.answer import Finding
from ccos_core.query.check import check
from ccos_core.query.check.answer import Check
from ccos_core.query.check.judging import JUDGES
from ccos_core.query.check.rules import default_rules
from ccos_core.session.asking import Desk
from ccos_core.storage.opening import open_record
from ccos_core.values.prices import listed_prices
from tests.story import new_session, told

LISTED = listed_prices
Told = Callable[..., Check]


@pytest.fixture
def checked(tmp_path: Path) -> Told:
    """Tell a story and check it; what is said of rules is on top of the defaults."""

    def tell(story: str, *events: Mapping[str, Any], **rules: Mapping[str, Any]) -> Check:
        workspace = f"{len(list(tmp_path.glob('*.ccos')))}.ccos"
        with new_session(tmp_path, workspace) as session:
            told(session, story)
            common = {"host": "story", "session": "story-1", "actor": "agent"}
            session.record([{**common, "call": f"more-{at}", **event} for at, event in enumerate(events)])
        given = {name: {**settings, **rules.get(name, {})} for name, settings in default_rules().items()}
        with open_record(str(tmp_path / workspace)) as record, Desk(record) as desk:
            return check(desk.timeline, desk.timeline.head, given, LISTED)

    return tell


def broken(answer: Check, rule: str) -> list[str]:
    """Return the sentences of a rule that was checked."""
    (found,) = [each for each in answer.rules if each.rule == rule]
    assert answer.passed == (not any(each.broken for each in answer.rules))
    return [each.words for each in found.broken]


# ---- failing ----

FAILS = """
    see src/a.py
    tool Bash pytest -q -> error "1 failed"
    fail test_x at src/a.py:1
"""


def test_a_test_that_fails_at_the_end(checked: Told) -> None:
    assert broken(checked(FAILS), "failing") == ["test_x fails at the end, since step 4."]


def test_a_test_that_passes_again(checked: Told) -> None:
    assert broken(checked(FAILS + '\nedit src/a.py "1" -> "2"\npass test_x'), "failing") == []


def test_a_test_that_was_not_run_again(checked: Told) -> None:
    story = FAILS + '\nwrite src/a.py "x = 2\\n"'
    assert broken(checked(story), "failing") == ["test_x failed at step 4 and wasn't run again after that."]


def test_a_test_that_was_not_run_again_may_be_left(checked: Told) -> None:
    assert broken(checked(FAILS + '\nwrite src/a.py "x = 2\\n"', failing={"not_rerun": False}), "failing") == []


def test_a_last_run_that_fails_without_naming_a_test(checked: Told) -> None:
    (words,) = broken(checked('see src/a.py\ntool Bash npm test -> error "boom"'), "failing")
    assert words.startswith("The last run failed (`npm")


def test_some_may_fail(checked: Told) -> None:
    assert broken(checked(FAILS, failing={"most": 1}), "failing") == []


def test_a_rule_that_is_off_is_named(checked: Told) -> None:
    answer = checked(FAILS, failing={"on": False})
    assert answer.passed
    assert answer.off == ("failing", "window", "tokens", "cost")


# ---- secrets ----

SECRET = "ghp_" + "Ab3" * 12


def test_a_secret_in_an_output(checked: Told) -> None:
    answer = checked(f'tool Bash printenv -> ok "TOKEN {SECRET}"')
    (words,) = broken(answer, "secrets")
    assert "in the output of Bash printenv at step 2" in words
    assert SECRET not in words


def test_a_secret_in_a_prompt_is_the_users_own(checked: Told) -> None:
    assert broken(checked(f'prompt "use {SECRET}"'), "secrets") == []


def test_a_secret_in_a_file_that_was_written(checked: Told) -> None:
    (words,) = broken(checked(f"write src/key.py \"KEY = '{SECRET}'\\n\""), "secrets")
    assert "src/key.py" in words


# ---- edits ----


def edit(path: str, how: str = "edit") -> dict[str, Any]:
    return {"kind": "seen", "how": how, "path": path, "content": "x = 1\n"}


@pytest.mark.parametrize(
    ("path", "is_fine"),
    [
        ("src/a.py", True),
        ("/etc/passwd", False),
        ("../other/a.py", False),
        ("~/.bashrc", False),
        ("~/.claude/plans/plan.md", True),
        ("/tmp/draft.py", True),
        (".git/config", False),
        (".git/hooks/pre-push", False),
        (".git/index.lock", True),
        (".github/workflows/test.yml", True),
    ],
)
def test_where_files_may_be_changed(checked: Told, path: str, is_fine: bool) -> None:
    words = broken(checked("", edit(path)), "edits")
    assert bool(words) != is_fine
    assert all(path in each for each in words)


@pytest.mark.parametrize(
    ("within", "path", "is_fine"),
    [
        ("src/**", "src/a/b.py", True),
        ("src/", "src/a/b.py", True),
        ("src/**", "srcs/a.py", False),
        ("src/**", "/src/a.py", False),
        ("*.md", "README.md", True),
        ("*.md", "docs/README.md", False),
        ("**/*.md", "docs/README.md", True),
        ("/srv/**", "/srv/a", True),
        ("~/notes/**", "~/notes/a", True),
    ],
)
def test_patterns_of_files(checked: Told, within: str, path: str, is_fine: bool) -> None:
    assert bool(broken(checked("", edit(path), edits={"within": (within,)}), "edits")) != is_fine


def test_reading_is_no_edit_and_removing_and_moving_are(checked: Told) -> None:
    read = edit("src/a.py", "read")
    moved, removed = {"kind": "renamed", "path": "src/a.py", "to": "src/b.py"}, {"kind": "gone", "path": "src/c.py"}
    assert broken(checked("", read, moved, removed, edits={"within": ("docs/**",)}), "edits") == [
        "src/a.py was renamed at step 3; it is not among the files that may be changed.",
        "src/b.py was made by renaming at step 3; it is not among the files that may be changed.",
        "src/c.py was deleted at step 4; it is not among the files that may be changed.",
    ]


def test_what_may_never_be_changed_goes_before(checked: Told) -> None:
    words = broken(checked("", edit("src/lock.json"), edits={"never": ("**/lock.json",)}), "edits")
    assert words == ["src/lock.json was changed at step 2; it matches **/lock.json."]


def test_a_file_that_was_changed_often_is_told_once(checked: Told) -> None:
    assert len(broken(checked("", *[edit("/etc/hosts")] * 5), "edits")) == 1


# ---- commands ----


@pytest.mark.parametrize(
    ("line", "pattern", "is_found"),
    [
        ("git push --force", "git push --force", True),
        ("git push origin main --force", "git push --force", True),
        ("cd x && git push --force origin", "git push --force", True),
        ("sudo git push --force", "git push --force", True),
        ("bash -c 'git push --force'", "git push --force", True),
        ("/usr/bin/git push --force", "git push --force", True),
        ("true || git push -uf origin", "git push -f", True),
        ("git push --force-with-lease", "git push --force", False),
        ("git push", "git push --force", False),
        ("echo git push --force", "git push --force", False),
        ("git commit -m 'no git push --force'", "git push --force", False),
        ("rm -rf /", "rm -rf /", True),
        ("rm -rf /srv/build", "rm -rf /", False),
        ("rm -rf build", "rm -rf /*", False),
        ("rm -rf /srv", "rm -rf /*", True),
        ("for x in 1 2; do curl http://a.b; done", "curl", True),
        ("if ((", "curl", False),
        ("curl x | (sh", "curl", True),
        ("x=$(git push -f)", "git push -f", True),
        ("echo `git push --force`", "git push --force", True),
        ("echo $(rm -rf ~)", "rm -rf ~", True),
        ('echo "a $(echo $(rm -rf ~)) b"', "rm -rf ~", True),
        ("cat <(rm -rf ~)", "rm -rf ~", True),
        ("bash <<'E'\ngit push -f\nE", "git push -f", True),
        ("cat <<E\n$(git push -f)\nE", "git push -f", True),
        ("cat <<'E'\n$(git push -f)\nE", "git push -f", False),
        ("cat <<'E' > run.sh\ngit push -f\nE", "git push -f", False),
        ("git commit -m \"$(cat <<'E'\ngit push -f\nE\n)\"", "git push -f", False),
        ("bash run.sh <<'E'\ngit push -f\nE", "git push -f", False),
        ("eval git push -f", "git push -f", True),
        ("eval 'git push -f'", "git push -f", True),
        ("echo / | xargs rm -rf /", "rm -rf /", True),
        ("ls | xargs -n 1 bash -c 'rm -rf /'", "rm -rf /", True),
        ("find . -exec rm -rf / \\;", "rm -rf /", True),
        ("echo 'git push -f' | sh", "git push -f", True),
        ("echo '$(git push -f)'", "git push -f", False),
        ("rm -r -f /", "rm -rf /", True),
        ("rm -Rf /", "rm -rf /", True),
        ("rm -r --force /", "rm -rf /", True),
        ("rm -r /", "rm -rf /", False),
        ("find . -empty -maxdepth 1", "find -ame", False),
        ("git stash push -f", "git push -f", False),
        ("git -C x -c a=b push -f", "git push -f", True),
        ("git log -n 3 commit", "git commit -n", False),
        ("git commit -mnew", "git commit -n", False),
        ("git commit -anm x", "git commit -n", True),
    ],
)
def test_commands_are_found_by_their_words(line: str, pattern: str, is_found: bool) -> None:
    assert any(is_like(program, pattern.split()) for program in programs_of(line)) == is_found


def test_a_forbidden_command_is_told_with_its_step(checked: Told) -> None:
    answer = checked("tool Bash ls\ntool Bash git push --force origin main")
    assert broken(answer, "commands") == [
        "git push --force origin main was run at step 3; git push --force is forbidden."
    ]


def ran(line: str) -> dict[str, Any]:
    arguments = {"command": line}
    return {"kind": "tool", "name": "Bash", "arguments": arguments, "outcome": "ok"}


@pytest.mark.parametrize(
    "line",
    [
        "rm -r -f /", "rm --recursive --force /", "rm -rf /*", "rm -fr ~", "rm -rf ~/*", "git push origin +main",
        "git commit -n -m x", "git commit --no-verify", "x=$(git push -f)", "rm -rf $HOME", 'rm -rf "$HOME"/*',
        "rm -rf ${HOME}/", "H=$HOME; sudo rm -rf $H", "rm -rf //", "rm -rf /.", "rm -rf ~/.", "rm -rf ~/..",
        "cd / && rm -rf *", "cd && rm -rf *", "cd ~; rm -rf .", "rm -rf /srv/..", "bash -c 'rm -rf $HOME'",
    ],
)  # fmt: skip
def test_the_defaults_forbid_however_it_is_written(checked: Told, line: str) -> None:
    assert len(broken(checked("", ran(line)), "commands")) == 1


@pytest.mark.parametrize(
    "line",
    [
        "rm -rf /srv/*", "rm -rf ~/x", "git push origin main", "git commit -m '-n'", "rm -r /a", "rm -rf $HOME/x",
        "rm -rf *", "cd /srv && rm -rf *", "rm -rf $BUILD", "rm -rf ./", "echo rm -rf $HOME",
    ],
)  # fmt: skip
def test_the_defaults_let_the_rest_be(checked: Told, line: str) -> None:
    assert broken(checked("", ran(line)), "commands") == []


def test_the_program_of_a_pattern_may_be_a_pattern(checked: Told) -> None:
    answer = checked("", ran("npm9 publish --tag x"), commands={"never": ("npm* publish",)})
    assert broken(answer, "commands") == ["npm9 publish --tag x was run at step 2; npm* publish is forbidden."]


# ---- limits ----


def usage(window: int, **more: Any) -> dict[str, Any]:
    return {"kind": "usage", "window": window, **more}


def test_the_fullest_window_is_told(checked: Told) -> None:
    events = [usage(10), usage(300), usage(300), usage(20)]
    answer = checked("", *events, window={"most": 299})
    assert broken(answer, "window") == ["The window held 300 tokens at step 3; 299 are allowed."]


def test_a_window_at_the_limit_is_fine(checked: Told) -> None:
    assert broken(checked("", usage(300), window={"most": 300}), "window") == []


def test_billed_tokens_are_added(checked: Told) -> None:
    events = [usage(321, fresh=1, cached=20, stored=300, written=4000, thinking=900, stored_hour=300)] * 2
    answer = checked("", *events, tokens={"most": 8641})
    assert broken(answer, "tokens") == ["8,642 tokens were billed in 2 requests; 8,641 are allowed."]


def test_limits_within_which_it_stays(checked: Told) -> None:
    event = usage(1, fresh=1, model="claude-opus-4-6")
    answer = checked("", event, tokens={"most": 1}, cost={"most_usd": Decimal("0.01")})
    assert broken(answer, "tokens") == broken(answer, "cost") == []


def test_what_it_cost(checked: Told) -> None:
    event = usage(10, fresh=1_000_000, written=100_000, model="claude-opus-4-6")  # $5.00 and $2.50
    answer = checked("", event, event, cost={"most_usd": Decimal("14.99")})
    (words,) = broken(answer, "cost")
    assert re.fullmatch(r"\$15\.00 at list prices of \d{4}-\d\d-\d\d; the limit is \$14\.99\.", words)
    assert broken(checked("", event, event, cost={"most_usd": 15}), "cost") == []


def test_dollars_are_rounded_as_the_cost_is(checked: Told) -> None:
    event = usage(10, fresh=999_000, model="claude-opus-4-6")  # $4.995
    (words,) = broken(checked("", event, cost={"most_usd": 4}), "cost")
    assert words.startswith("$5.00 at list prices")


def test_a_limit_that_cannot_be_checked_is_broken(checked: Told) -> None:
    silent = checked("see src/a.py", window={"most": 1}, tokens={"most": 2}, cost={"most_usd": 3})
    assert [broken(silent, rule) for rule in ("window", "tokens", "cost")] == [
        ["The limit of 1 token can't be checked: the host recorded no size of the window."],
        ["The limit of 2 tokens can't be checked: the host recorded no tokens."],
        ["The limit of $3.00 can't be checked: the host recorded no tokens."],
    ]
    unpriced = checked("", usage(9, fresh=9, model="nobody-1"), cost={"most_usd": 3})
    words = "The limit of $3.00 can't be checked: 1 request of models without a known price."
    assert broken(unpriced, "cost") == [words]


# ---- loops ----


def test_going_in_circles(checked: Told) -> None:
    there, back = 'edit src/a.py "x = 1" -> "x = 2"', 'edit src/a.py "x = 2" -> "x = 1"'
    run = 'tool Bash pytest -q -> error "1 failed"\nfail test_x at src/a.py:1'
    story = 'write src/a.py "x = 1\\n"\n' + "\n".join([run, there, run, back] * 4 + [run])
    answer = checked(story)
    (words, *_) = broken(answer, "loops")
    assert words.startswith("src/a.py (")
    assert broken(checked(story, loops={"most": 5}), "loops") == []


@pytest.mark.parametrize(("certainty", "is_found"), [("certain", True), ("likely", True), ("possible", False)])
def test_the_same_calls_that_fail_in_turn_are_a_loop(certainty: str, is_found: bool) -> None:
    thrash = Finding("thrash", certainty, True, 4, 40, "`git push` failed 9 times in turn.", (), 500)
    case: Any = SimpleNamespace(autopsy=SimpleNamespace(suspects=(), findings=(thrash,)))
    found = list(JUDGES["loops"](case, default_rules()["loops"]))
    assert [each.step for each in found] == [4] * is_found
    assert list(JUDGES["loops"](case, {**default_rules()["loops"], "most": 1})) == []
