"""How calls and errors are counted in words, the same everywhere."""

from ccos_core.present.words import calls
from ccos_core.session.imported import Counting, _calls


def test_calls_of_subagents_are_told_apart() -> None:
    assert calls(280, 32) == "248 calls + 32 in subagents"
    assert (calls(1, 0), calls(1, 1)) == ("1 call", "0 calls + 1 in subagents")


def test_a_call_that_ended_in_an_error_is_an_error_and_no_failure() -> None:
    counting = Counting()
    told = [
        {"kind": "tool", "name": "Bash", "outcome": "error", "call": "c1"},
        {"kind": "tool", "name": "Bash", "outcome": "ok", "call": "c2", "context": "sub"},
    ]
    assert list(counting.heard(told)) == told
    assert _calls(counting.counts) == "1 call + 1 in subagents (1 error)"
