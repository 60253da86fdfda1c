"""A rules file: what it says is taken, what it doesn't mention keeps its default, and a typo is an error."""

from __future__ import annotations

import string

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ccos_core.errors import Usage
from ccos_core.query.check.judging import JUDGES, LIMITS, is_on
from ccos_core.query.check.rules import BY_NAME, RULES, default_rules, rules_of

NAMES = st.text(string.ascii_lowercase + "_", min_size=1, max_size=12)


def test_a_file_changes_only_what_it_mentions() -> None:
    changed = rules_of('[loops]\nmost = 2\ncertainty = "certain"\n[edits]\nwithin = ["src/**"]\n')
    assert changed["loops"] == {"on": True, "most": 2, "certainty": "certain"}
    assert changed["edits"]["within"] == ("src/**",)
    defaults = default_rules()
    assert changed["edits"]["never"] == defaults["edits"]["never"]
    assert {name for name in changed if changed[name] != defaults[name]} == {"loops", "edits"}


def test_an_empty_file_is_the_defaults() -> None:
    assert rules_of("") == default_rules()


@given(NAMES)
def test_no_other_rule_is_known(name: str) -> None:
    if name in BY_NAME:
        assert rules_of(f"[{name}]\n")
    else:
        with pytest.raises(Usage, match="there is no rule"):
            rules_of(f"[{name}]\n")


@given(st.sampled_from(RULES), NAMES)
def test_no_other_option_is_known(rule: object, name: str) -> None:
    assert rule in RULES
    if name not in rule.options:  # type: ignore[attr-defined]
        with pytest.raises(Usage, match="has no option"):
            rules_of(f"[{rule.name}]\n{name} = 1\n")  # type: ignore[attr-defined]


@pytest.mark.parametrize(
    "text",
    [
        "[loops]\nmost = -1",
        "[loops]\nmost = true",
        "[loops]\nmost = 1.5",
        '[loops]\nmost = "1"',
        '[loops]\ncertainty = "sure"',
        '[loops]\non = "yes"',
        '[edits]\nwithin = "src"',
        "[edits]\nwithin = [1]",
        '[edits]\nwithin = [""]',
        "[cost]\nmost_usd = -2",
        "[cost]\nmost_usd = nan",
        "[cost]\nmost_usd = inf",
        "loops = 1",
        "[loops",
        "[loops]\nmost = 1\nmost = 2",
        "[[loops]]\nmost = 1",
        "a" * 3 + " = " + "[" * 5000,
    ],
)
def test_what_is_wrong_is_an_error(text: str) -> None:
    with pytest.raises(Usage):
        rules_of(text)


def test_the_nearest_name_is_offered() -> None:
    with pytest.raises(Usage) as rule:
        rules_of("[loop]\n")
    assert rule.value.hint == "Did you mean loops?"
    with pytest.raises(Usage) as option:
        rules_of("[edits]\nwithn = []\n")
    assert option.value.hint == "Did you mean within?"


def test_every_rule_has_a_judge_and_every_limit_an_option() -> None:
    assert list(JUDGES) == [rule.name for rule in RULES]
    for rule in RULES:
        has_default = all(option.default is not None for option in rule.options.values())
        assert has_default == (rule.name not in LIMITS)
        assert is_on(rule.name, default_rules()[rule.name]) == has_default
        assert not is_on(rule.name, {**default_rules()[rule.name], "on": False})
