"""What git and gh did, read from a line and its output: what isn't run or was refused is nothing."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ccos_core.intake.git_deeds import Deed, read_deeds

MADE = "[main 1a2b3c4] round up\n 2 files changed, 3 insertions(+)\n"


def brief(command: str, output: str = "", succeeded: bool | None = True) -> list[tuple[str, str, str]]:
    return [(each.kind, each.sha, each.subject) for each in read_deeds(command, output, succeeded)]


@pytest.mark.parametrize("command", [
    "git commit -m 'round up'", "cd x && git add . && git commit -m 'round up' 2>&1 | tail -3",
    "git -C x -c user.name=a commit -am 'round up'", "bash -lc \"git commit -m 'round up'\"",
    "GIT_EDITOR=true git commit", "if true; then git commit -F msg.txt; fi", "/usr/bin/git commit -m 'round up'",
])  # fmt: skip
def test_a_commit_is_read_however_it_is_run(command: str) -> None:
    assert read_deeds(command, MADE, True) == [Deed("commit", "done", "1a2b3c4", "main", "round up", 2)]


@pytest.mark.parametrize("command", [
    "cat log.txt", "git log", "git status", "echo git commit -m x", "git commit --dry-run -m x", "git show",
    "gh pr view 12", "gh pr list", "git push --dry-run", "git merge-base a b", "grep 'git commit' notes.txt",
])  # fmt: skip
def test_what_only_shows_makes_nothing(command: str) -> None:
    assert read_deeds(command, MADE, True) == []


def test_a_commit_counts_though_the_rest_of_its_line_failed() -> None:
    output = f"{MADE}To github.com:a/b.git\n ! [rejected]        main -> main (fetch first)\nerror: failed\n"
    assert [(each.kind, each.outcome) for each in read_deeds("git commit -m x && git push", output, False)] == [
        ("commit", "done"), ("push", "rejected")
    ]  # fmt: skip


def test_a_quiet_commit_is_one_only_if_it_succeeded() -> None:
    assert brief("git commit -qm 'a b'") == [("commit", "", "a b")]
    assert brief("git commit -qm 'a b'", succeeded=False) == []
    assert brief("git commit -qm 'a b'", succeeded=None) == []
    assert brief("git commit -m x", "nothing to commit, working tree clean\n") == []
    assert brief("git commit -qm 'a b' && git log --oneline -2", "1a2b3c4 (HEAD -> main) a b\n9f8e7d6 old\n") == [
        ("commit", "1a2b3c4", "a b")
    ]


def test_pull_requests_are_read_from_the_command_and_its_address() -> None:
    url = "https://github.com/acme/till/pull/12\n"
    assert brief("gh pr create --title 'Round up' --body x", url) == [("pr", "", "create #12 Round up")]
    assert brief("gh pr merge 12 --squash", "Merged\n") == [("pr", "", "merge #12")]
    assert brief("gh pr merge 12", "no\n", succeeded=False) == []


def test_a_detached_head_has_no_branch() -> None:
    assert read_deeds("git commit -m x", "[detached HEAD 1a2b3c4] x\n", True)[0].branch == ""


@given(st.text(max_size=200), st.text(st.sampled_from("[]main 0a1f\n*->!+.gitcommpush"), max_size=300))
def test_any_text_is_read_without_an_error(command: str, output: str) -> None:
    for said in (command, f"git commit {command}", f"git push; {command}"):
        read_deeds(said, output, None)
