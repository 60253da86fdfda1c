"""`cost`: what requests cost at list prices, by model and context."""

from pathlib import Path
from typing import Any

import pytest

from ccos_core.errors import Usage
from ccos_core.intake.importers.formats import Transcript
from ccos_core.present.cells import width_of
from ccos_core.present.rows import View
from ccos_core.query.cost import Cost, dollars
from ccos_core.query.cost import cost as cost_of
from ccos_core.session import settings
from ccos_core.values.prices import listed_prices
from tests.core.intake.importers.foreign import RECORDINGS, of_kind
from tests.core.replay.told import timeline_of
from tests.core.state.small import Tale

MAIN = {"host": "h", "session": "s"}
OPUS = "claude-opus-4-6"


def cost(*ops: dict[str, Any], at: int | None = None, **whose: str) -> Cost:
    tale = Tale()
    for op in ops:
        tale.tell({"kind": "usage", **MAIN, **op})
    timeline = timeline_of(tale)
    asked = timeline.head if at is None else at
    return cost_of(timeline, asked, whose.get("session"), whose.get("context"), prices=listed_prices())


def request(**more: Any) -> dict[str, Any]:
    counts = {"fresh": 1_000, "cached": 10_000, "stored": 3_000, "stored_hour": 1_000, "written": 200}
    return {"window": 14_000, "model": OPUS, **counts, **more}


def test_a_request_costs_what_its_tokens_do() -> None:
    (row,) = cost(request()).rows
    micros = 5_000 + 5_000 + 2_000 * 625 // 100 + 10_000 + 5_000
    assert (row.model, row.requests, row.micros, row.told) == (OPUS, 1, micros, None)


def test_what_a_message_wrote_later_is_no_further_request() -> None:
    later = {"window": 14_000, "model": OPUS, "written": 100, "phase": "usage.300", "call": "m"}
    (row,) = cost(request(call="m"), later).rows
    assert (row.requests, row.written, row.fresh) == (1, 300, 1_000)


def test_a_count_that_is_not_split_is_all_fresh() -> None:
    (row,) = cost({"window": 500, "cached": 100, "model": "gpt-5.1"}).rows
    assert (row.fresh, row.cached, row.micros) == (400, 100, 513)


def test_models_and_contexts_have_rows_of_their_own() -> None:
    answer = cost(request(), request(context="sub"), request(model="mock", cost=70_000), request())
    assert [(row.model, row.context, row.requests) for row in answer.rows] == [
        (OPUS, "", 2),
        (OPUS, "sub", 1),
        ("mock", "", 1),
    ]
    assert (answer.requests, answer.unpriced, answer.told) == (4, 1, 70_000)
    assert answer.micros is not None
    assert answer.micros == 3 * answer.main // 2
    assert len(cost(request(), request(context="sub"), context="main").rows) == 1


def test_only_what_came_up_to_the_step_counts() -> None:
    assert cost(request(), request(), at=2).requests == 1
    assert cost(at=1).rows == ()


def test_what_it_shows_says_what_has_no_price() -> None:
    answer = cost(request(), request(model="mock"), request(model="", cost=1_234_567))
    shown = "\n".join(row.text for row in answer.as_rows(View(120)))
    assert "$0.04 at list prices; 3 requests up to step 4" in shown
    assert "without a price: 2 requests (mock, model not recorded)" in shown
    assert "the agent's program says $1.23" in shown


def test_without_any_price_the_cost_is_not_known() -> None:
    answer = cost(request(model="mock"))
    shown = [row.text for row in answer.as_rows(View(60))]
    assert answer.micros is None
    assert shown[0] == "cost not known: no model here has a price; 1 request up to step 2"
    assert not any("$0.00" in line for line in shown)
    assert "at least $0.04" in next(iter(cost(request(), request(model="mock")).as_rows(View(60)))).text


def test_the_dearest_turns_are_named() -> None:
    tale = Tale()
    prompts = []
    for words, requests in (("first task", 1), ("second task", 3), ("third task", 2)):
        said = tale.facts.keep(words)
        tale.tell({"kind": "prompt", **MAIN, "said": said, "source": "user"})
        prompts.append(len(tale.ops))
        for _ in range(requests):
            tale.tell({"kind": "usage", **MAIN, **request()})
    timeline = timeline_of(tale)
    answer = cost_of(timeline, timeline.head, None, None, prices=listed_prices())
    assert [(each.step, each.requests) for each in answer.turns] == [(prompts[1], 3), (prompts[2], 2), (prompts[0], 1)]
    assert sum(each.micros for each in answer.turns) == answer.micros
    rows = answer.as_rows(View(60))
    (dearest,) = [row for row in rows if "second task" in row.text]
    assert dearest.leads is not None
    assert dearest.leads.step == prompts[1]
    assert all(width_of(row.text) <= 60 for row in rows[1:])


@pytest.mark.parametrize(
    ("micros", "said"),
    [(0, "$0.00"), (22_606_134, "$22.61"), (1_234_567_890, "$1,234.57"), (12, "$0.000012"), (9_500, "$0.0095")],
)
def test_amounts(micros: int, said: str) -> None:
    assert dollars(micros) == said


def test_a_setting_names_a_file_with_other_prices(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    file = tmp_path / "prices.json"
    monkeypatch.setenv("CCOS_PRICES", str(file))
    with pytest.raises(Usage, match="can't be read"):
        settings.prices()
    file.write_text('{"date": "2027-01-01", "models": {"mock": {"input": 1, "output": 2}}}')
    assert settings.prices().price_of("mock-model") is not None
    monkeypatch.delenv("CCOS_PRICES")
    assert settings.prices().date == listed_prices().date


# -- recordings -------------------------------------------------------------------------------------------------------


def recorded(pattern: str) -> Cost:
    path = next(iter(RECORDINGS.glob(pattern)), None)
    if path is None:
        pytest.skip(f"no recording {pattern} in {RECORDINGS}")
    transcript = Transcript("s")
    told = of_kind([*transcript.feed(path.read_bytes()), *transcript.finish()], "usage")
    return cost(*({name: value for name, value in op.items() if value is not None} for op in told))


def test_a_session_costs_what_other_tools_say_it_does() -> None:
    """Two tools that were written without this one say $22.61 for the main thread of a real session of Claude Code."""
    answer = recorded("claude-code/entire-cli_432b48f6b6e6*.jsonl")
    assert dollars(answer.main) == "$22.61"
    assert answer.micros is not None
    assert dollars(answer.micros) == "$22.96"
    assert answer.unpriced == 0


@pytest.mark.parametrize(
    "pattern", ["opencode/pfm-*.json", "mini-swe-agent/astroid*.json", "mini-swe-agent/marsh*.json"]
)
def test_it_is_what_the_program_itself_counted(pattern: str) -> None:
    answer = recorded(pattern)
    assert answer.told
    assert answer.micros is not None
    assert abs(answer.micros - answer.told) <= answer.requests


def test_text_without_tokens_makes_the_cost_a_lower_bound() -> None:
    for written, undercounted in ((5, True), (1_000, False)):
        tale = Tale()
        tale.tell({"kind": "turn", **MAIN, "said": tale.facts.keep("so many words " * 100)})
        tale.tell({"kind": "usage", **MAIN, **request(written=written)})
        answer = cost_of(timeline_of(tale), 3, None, None, prices=listed_prices())
        assert answer.undercounted == undercounted
        assert answer.as_rows(View())[0].text.startswith("at least $" if undercounted else "$")
