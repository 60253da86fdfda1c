"""Claims: belief is a function of what was said, each step knows only its past, and no spelling makes two of one."""

from __future__ import annotations

from fractions import Fraction
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from ccos_core.serve.mcp.offer import Wrong
from tests.core.serve.mcp.tools.serving import Host, project

CLAIM = "load raises for unknown keys"


def test_a_claim_from_assertion_to_retraction(host: Host) -> None:
    first = host.call("assert_claim", claim=CLAIM, by=["Store.load"], words="rows is a dict")
    assert (first["belief"], first["tension"], first["standing"]) == (500, 0, "asserted")
    assert first["trajectory"][0]["by"] == ["sym:src/store.py#Store.load"]
    second = host.call("assert_claim", claim="  load raises\nfor  unknown keys ", supports=False, weight=500)
    assert (second["claim"], second["belief"], second["tension"]) == (f"claim:{CLAIM}", 200, 565)
    gone = host.call("retract_claim", claim=CLAIM)
    assert (gone["belief"], gone["standing"]) == (0, "retracted")
    told = host.call("retrodict_belief", claim=CLAIM)
    assert told["smoothed"] is False
    assert [each["belief"] for each in told["trajectory"]] == [500, 200, 0]
    assert [each["step"] for each in told["trajectory"]] == [each["step"] for each in (first, second, gone)]


def test_who_speaks_has_to_be_known(host: Host) -> None:
    with pytest.raises(Wrong) as wrong:
        host.call("assert_claim", claim=CLAIM, by=["Store.lod"])
    assert (wrong.value.argument, wrong.value.nearest) == ("by", "Store.load")
    host.call("assert_claim", claim=CLAIM)
    assert host.call("assert_claim", claim="another", by=[f"claim:{CLAIM}"])["belief"] == 500


@pytest.mark.parametrize("tool", ["retract_claim", "retrodict_belief"])
def test_a_claim_nobody_asserted(host: Host, tool: str) -> None:
    host.call("assert_claim", claim=CLAIM)
    before = host.head()
    with pytest.raises(Wrong) as wrong:
        host.call(tool, claim="load raises for unknown key")
    assert (wrong.value.argument, wrong.value.nearest) == ("claim", CLAIM)
    assert host.head() == before


def test_a_claim_says_something(host: Host) -> None:
    with pytest.raises(Wrong):
        host.call("assert_claim", claim=" \n")


WORDS = st.sampled_from(["for", "against", "retract"])
SAID = st.lists(st.tuples(WORDS, st.integers(0, 1_000)), min_size=1, max_size=8)


@settings(max_examples=20, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(SAID)
def test_belief_is_what_was_said(tmp_path_factory: pytest.TempPathFactory, said: list[tuple[str, int]]) -> None:
    """Law: (s - c) / (s + c + 1), exactly, of what was said up to each step; what comes later changes no past."""
    folder: Path = tmp_path_factory.mktemp("claims")
    host = Host(project(folder / "project"), folder / "work.ccos")
    speaks = {"for": Fraction(0), "against": Fraction(0)}
    expected, known = [], False
    try:
        for word, weight in said:
            if word == "retract" and not known:
                continue
            known = True
            if word == "retract":
                speaks = dict.fromkeys(speaks, Fraction(0))
                answer = host.call("retract_claim", claim=CLAIM)
            else:
                speaks[word] += Fraction(weight, 1_000)
                answer = host.call("assert_claim", claim=CLAIM, supports=word == "for", weight=weight)
            belief = (speaks["for"] - speaks["against"]) / (speaks["for"] + speaks["against"] + 1)
            expected.append(int(belief * 1_000))
            assert [each["belief"] for each in answer["trajectory"]] == expected
            assert -1_000 < answer["belief"] < 1_000
            assert 0 <= answer["tension"] < 1_000
    finally:
        host.door.close()
