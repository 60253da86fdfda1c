"""Files that changed while histories were joined."""

import pytest

from ccos_core.intake.calls.commands import effects_of_command
from ccos_core.intake.calls.effects import Changed, Removed

CONFLICT = """\
Auto-merging shop/tax.py
CONFLICT (content): Merge conflict in shop/tax.py
Auto-merging shop/total.py
Automatic merge failed; fix conflicts and then commit the result.
"""
WELL = """\
Updating 1111111..2222222
Fast-forward
 shop/my file.py  |  29 +++-
 shop/logo.png    | Bin 0 -> 120 bytes
 shop/old.py      |   3 ---
 {shop => store}/a.py | 2 +-
 .../far/away.py  |   1 +
 5 files changed, 30 insertions(+), 4 deletions(-)
 create mode 100644 shop/logo.png
 delete mode 100644 shop/old.py
"""


TOLD = [Changed("shop/tax.py", inferred=True), Changed("shop/total.py", inferred=True)]


@pytest.mark.parametrize("succeeded", [True, False, None])
@pytest.mark.parametrize("command", ["git merge main 2>&1", "git rebase main", "git cherry-pick 1111111"])
def test_files_that_were_merged_are_others_even_with_conflicts(command: str, succeeded: bool | None) -> None:
    assert effects_of_command(command, CONFLICT, succeeded) == TOLD


def test_what_may_not_have_been_run_joined_nothing() -> None:
    assert effects_of_command("git fetch && git merge main", CONFLICT, True) == TOLD
    assert effects_of_command("git fetch && git merge main", CONFLICT, None) == []


def test_files_that_were_counted() -> None:
    assert effects_of_command("git pull", WELL, True) == [
        Changed("shop/my file.py", inferred=True),
        Changed("shop/logo.png", inferred=True),
        Removed("shop/old.py", inferred=True),
    ]


@pytest.mark.parametrize(
    "command",
    ["cd sub && git merge main", "git diff --stat", "git show --stat", "echo git merge", "git log --stat main"],
)
def test_what_joins_nothing_changed_nothing(command: str) -> None:
    assert effects_of_command(command, WELL, True) == []
