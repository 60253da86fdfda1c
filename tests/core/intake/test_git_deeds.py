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
    deeds = read_deeds("git commit -m 'round up' && git push", output, False)
    assert [(each.kind, each.outcome) for each in deeds] == [
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


FAKES = "[main aaaaaaa] one\n 1 file changed\n[main bbbbbbb] two\n"


def test_shown_text_forges_no_commit() -> None:
    assert brief("cat NOTES && git commit -q -m real", FAKES) == [("commit", "", "real")]
    assert brief("cat NOTES && git commit -m real", FAKES + "[main 1a2b3c4] real\n") == [("commit", "1a2b3c4", "real")]
    assert brief("git commit -m real && cat NOTES", "[main 1a2b3c4] real\n" + FAKES) == [("commit", "1a2b3c4", "real")]
    assert brief("cat NOTES && git commit", FAKES + "[main 1a2b3c4] real\n 2 files changed\n") == [
        ("commit", "1a2b3c4", "real")
    ]


@pytest.mark.parametrize("around", ["{0}; cat NOTES", "cat NOTES; {0}"])
def test_shown_text_with_the_real_subject_forges_no_commit(around: str) -> None:
    fake, real = "[main bbbbbbb] one\n", "[main 1a2b3c4] one\n 1 file changed, 1 insertion(+)\n"
    command = around.format("git commit -m one")
    for output in (real + fake, fake + real):
        assert brief(command, output) == [("commit", "1a2b3c4", "one")]
    for output in (f"{fake}nothing to commit, working tree clean\n", f"no changes added to commit\n{fake}"):
        assert brief(command, output) == []
    assert brief(command, f"[main bbbbbbb] one of many\n{real}") == [("commit", "1a2b3c4", "one")]


def test_an_empty_commit_counts_without_a_size() -> None:
    assert brief("git commit --allow-empty -m one", "[main bbbbbbb] one\n") == [("commit", "bbbbbbb", "one")]
    assert brief("git commit -m one | head -1", "[main bbbbbbb] one\n") == [("commit", "bbbbbbb", "one")]


@pytest.mark.parametrize("command", ["cat NOTES; git commit -m one", "cat NOTES && git commit", "git commit -m one"])
def test_a_commit_that_failed_is_none_whatever_was_shown(command: str) -> None:
    assert brief(command, FAKES, succeeded=False) == []
    assert brief(f"{command} | cat; false", f"{FAKES}nothing to commit, working tree clean\n", succeeded=False) == []
    assert brief("cat NOTES; git commit -m real | cat; false", FAKES, succeeded=False) == []


def test_every_commit_of_a_line_is_read() -> None:
    two = [("commit", "aaaaaaa", "one"), ("commit", "bbbbbbb", "two")]
    assert brief("git commit -m one && git commit -m two", FAKES) == two
    assert brief("for x in one two; do git commit -m $x; done", FAKES) == two
    assert brief("git commit -m one; git commit -m two; git status; false", f"{FAKES}nothing to commit\n", False) == two
    assert brief("git cherry-pick a..b", FAKES) == [("cherry-pick", *each[1:]) for each in two]
    assert brief("git cherry-pick a", FAKES) == [("cherry-pick", "bbbbbbb", "two")]
    assert brief("git cherry-pick a && git commit --amend -m two", FAKES) == [
        ("cherry-pick", "aaaaaaa", "one"), ("amend", "bbbbbbb", "two")
    ]  # fmt: skip


def test_shown_text_forges_no_merge_push_or_conflict() -> None:
    forward = "Updating {}..{}\nFast-forward\n a | 1 +\n 1 file changed\n"
    shown, real = forward.format("aaaaaaa", "bbbbbbb"), forward.format("bbbbbbb", "1a2b3c4")
    assert brief("cat NOTES; git merge side", shown + real) == [("merge", "1a2b3c4", "fast-forward side")]
    assert brief("git merge a && git merge b", shown + real) == [
        ("merge", "bbbbbbb", "fast-forward a"), ("merge", "1a2b3c4", "fast-forward b")
    ]  # fmt: skip
    assert brief("cat NOTES; git merge side", shown + "Already up to date.\n") == []
    assert brief("cat NOTES; git merge side", shown, succeeded=False) == []
    assert brief("cat NOTES; git merge side", "CONFLICT (content): in a\nMerge made by the 'ort' strategy.\n") == [
        ("merge", "", "side")
    ]
    lines = "   aaaaaaa..bbbbbbb  old -> old\n ! [rejected]  x -> x (fetch first)\n   bbbbbbb..1a2b3c4  main -> main\n"
    assert brief("cat NOTES; git push", lines) == [("push", "1a2b3c4", "main -> main")]
    assert brief("cat NOTES; git push -q", lines) == []
    assert len(brief("git push origin old main", lines)) == 2
    assert len(brief("git push --all", lines, succeeded=False)) == 3
    rebased = "Successfully rebased and updated refs/heads/{}.\n"
    both = rebased.format("shown") + rebased.format("main")
    assert [each.branch for each in read_deeds("cat NOTES; git rebase x", both, True)] == ["main"]


@given(st.text(max_size=200), st.text(st.sampled_from("[]main 0a1f\n*->!+.gitcommpush"), max_size=300))
def test_any_text_is_read_without_an_error(command: str, output: str) -> None:
    for said in (command, f"git commit {command}", f"git push; {command}"):
        read_deeds(said, output, None)
