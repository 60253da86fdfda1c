"""The guard: dangerous programs are found in commands that run them, and not where they are only mentioned."""

from __future__ import annotations

from collections import Counter
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ccos_core.learn.guard import dangers_of, is_disposable, may_be_dangerous

COMMANDS = Path(__file__).with_name("commands.txt")
"""Labelled before the guard was written; the rules were fitted to them."""
UNSEEN_COMMANDS = Path(__file__).with_name("commands_unseen.txt")
"""Labelled at the same time; looked at once, when the rules were done."""
LEAST_PERCENT = 95


def labelled(path: Path) -> list[tuple[bool, str]]:
    lines = [line for line in path.read_text("utf-8").splitlines() if line[:2] in ("! ", ". ")]
    return [(line[0] == "!", line[2:].replace("⏎", "\n")) for line in lines]


@pytest.mark.parametrize(("path", "least"), [(COMMANDS, 200), (UNSEEN_COMMANDS, 100)], ids=["fitted", "unseen"])
def test_precision_and_recall(path: Path, least: int) -> None:
    commands = labelled(path)
    assert len({command for _, command in commands}) == len(commands) >= least
    counted = Counter((wanted, bool(dangers_of(command))) for wanted, command in commands)
    right = counted[True, True] * 100
    assert right >= LEAST_PERCENT * (counted[True, True] + counted[False, True])
    assert right >= LEAST_PERCENT * (counted[True, True] + counted[True, False])


@pytest.mark.parametrize(
    ("command", "rule"),
    [
        ("rm -rf /", "rm -rf"),
        ("psql -c 'DROP DATABASE app'", "DROP DATABASE"),
        ("terraform destroy", "terraform destroy"),
        ("git push --force", "git push --force"),
        ("git reset --hard", "git reset --hard"),
        ("kubectl delete node n1", "kubectl delete"),
        ("kubectl delete namespace n1", "kubectl delete"),
        ("kubectl delete pv n1", "kubectl delete"),
        ("kubectl delete pvc n1", "kubectl delete"),
        ("aws ec2 terminate-instances --instance-ids i-1", "aws terminate-instances"),
        ("mkfs.ext4 /dev/sdb", "mkfs"),
        ("dd if=x of=/dev/sdb", "dd of=/dev/"),
    ],
)
def test_the_rule_is_named_as_people_name_it(command: str, rule: str) -> None:
    assert [each.rule for each in dangers_of(command)] == [rule]
    assert [each.rule for each in dangers_of(f"cd repo && sudo {command} || true")] == [rule]
    assert not dangers_of(f"git commit -m {command!r}" if "'" not in command else f'git commit -m "{command}"')
    assert not dangers_of(f"cat > notes.md <<'EOF'\n{command}\nEOF")


def test_one_line_may_run_several() -> None:
    found = dangers_of("git reset --hard && git clean -fdx; rm -rf src; rm -rf src")
    assert [each.rule for each in found] == ["git reset --hard", "git clean -f", "rm -rf"]
    assert found[-1].program == "rm -rf src"


def test_a_clone_below_the_folder_for_temporary_files_is_no_loss_but_its_remote_is() -> None:
    assert not dangers_of("cd /tmp/clone && git reset --hard")
    assert not dangers_of("git -C /tmp/clone branch -D main")
    assert dangers_of("cd /tmp/clone && git push -f")


def test_what_cannot_be_parsed_is_split_at_its_operators_and_open_quotes_run_nothing() -> None:
    assert dangers_of("rm -rf src && for (")
    assert not dangers_of("echo 'rm -rf /")


@pytest.mark.parametrize(
    "command",
    [
        "ssh -p 22 host 'cd /srv && rm -rf site'",
        "docker exec -it -u root db rm -rf /data",
        "kubectl -n db exec api-0 -- rm -rf /data",
        "python3 -c 'import os; os.system(\"rm -rf src\")'",
        "python <<EOF\nimport subprocess\nsubprocess.run(['rm', '-rf', 'src'])\nEOF",
        'eval "rm -rf $TARGET"',
    ],
)
def test_what_another_program_is_given_to_run_counts(command: str) -> None:
    assert [each.rule for each in dangers_of(command)] == ["rm -rf"]


SHELL = [
    "git", "push", "-f", "--", "-C", "rm", "-rf", "*", "$X", "'", '"', "|", "&&", ";", "\n", "<<EOF", "EOF", "find",
    "-exec", "{}", "xargs", "kubectl", "delete", "-n", "docker", "psql", "-c", "DROP TABLE x", "ssh", "host", "$(", ")",
    "`", "", "python", "dd", "of=/dev/sda", "kill", "-1", "redis-cli", "chmod", "-R", "stash", "\x00", "é", "[", "(",
    "sudo", "-u",
]  # fmt: skip


@given(st.lists(st.sampled_from(SHELL), max_size=12))
def test_no_line_is_too_odd(words: list[str]) -> None:
    command = " ".join(words)
    found = dangers_of(command)
    assert not found or may_be_dangerous(command)


def test_what_a_build_makes_anew_is_disposable() -> None:
    assert is_disposable("web/node_modules")
    assert is_disposable("dist/..//build")
    assert not is_disposable("build/../src")
    assert not is_disposable("/tmp")
    assert is_disposable("x", "/tmp/work")
    assert not is_disposable("")
