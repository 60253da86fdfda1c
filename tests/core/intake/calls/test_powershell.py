"""Files that are read with PowerShell."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ccos_core.intake.calls.commands import as_other_shells_say, effects_of_command
from ccos_core.intake.calls.effects import Shown

PRINTED = "one\ntwo\nthree\n"


@pytest.mark.parametrize(
    ("command", "path", "first", "whole"),
    [
        (r"Get-Content -Raw src\a.py", "src/a.py", 1, True),
        (r"Get-Content -Raw C:\Users\kim\a.py", "C:/Users/kim/a.py", 1, True),
        (r"get-content -Path 'my files\a.py' -Encoding UTF8", "my files/a.py", 1, True),
        ('Get-Content "a b.py"', "a b.py", 1, True),
        ("Get-Content a.py -TotalCount 3", "a.py", 1, False),
        ("Get-Content a.py | Select-Object -First 3", "a.py", 1, False),
        ("Get-Content a.py | Select-Object -Skip 10 -First 3", "a.py", 11, False),
    ],
)
def test_what_is_read(command: str, path: str, first: int, whole: bool) -> None:
    (shown,) = effects_of_command(command, PRINTED, True)
    assert isinstance(shown, Shown)
    assert (shown.path, shown.text, shown.first, shown.whole) == (path, PRINTED, first, whole)


@pytest.mark.parametrize(
    "command",
    [
        "Get-Content $home/a.py",
        "Get-Content a.py b.py",
        "Get-Content *.py",
        "Get-Content a?.py",
        "Get-Content a.py,b.py",
        "Get-Content a.py -Tail 5 | Select-Object -First 2",
        "Get-Content a.py -TotalCount 10 | Select-Object -First 3",
        "Get-Content a.py -Head 3 -Tail 2",
        "Get-Content a.py | select -Skip 2 -Last 5",
        "Get-Content a.py | select -First 2 -First 9",
        "Get-Content a.py -Raw | select -First 2",
        "Get-Content a.py; Remove-Item a.py",
        "Get-Content a.py | Select-String x",
        "Get-Content a.py -Wait -Tail x",
        "Get-ChildItem -Force",
        "type cat",
        "gc a.py",
    ],
)
def test_what_is_not_known_shows_nothing(command: str) -> None:
    assert as_other_shells_say(command) == command
    assert effects_of_command(command, "cat is /bin/cat\n", True) == []


@given(st.text("Get-Content |Select-Object First12 \\'\"$.py;", max_size=60))
def test_any_line_is_taken(command: str) -> None:
    assert isinstance(as_other_shells_say(command), str)
    effects_of_command(command, PRINTED, True)
