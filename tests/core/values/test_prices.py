"""Prices: which one counts for a model, and what a request costs."""

import json

import pytest

from ccos_core.errors import Usage
from ccos_core.values.prices import DATE, Price, listed_prices, millionths, prices_in

OPUS = Price(5_000_000, 25_000_000, 500_000, 6_250_000, 10_000_000)


@pytest.mark.parametrize(
    ("model", "price"),
    [
        ("claude-opus-4-6", OPUS),
        ("claude-opus-4-5-20251101", OPUS),
        ("anthropic/claude-opus-4.6", OPUS),
        ("us.anthropic.claude-opus-4-5-20251101-v1:0", OPUS),
        ("claude-opus-4-6[1m]", OPUS),
        ("claude-opus-4-20250514", Price(15_000_000, 75_000_000, 1_500_000, 18_750_000, 30_000_000)),
        ("claude-opus-4-9", None),
        ("claude-opus-6", None),
        ("gpt-5.1-codex-max", Price(1_250_000, 10_000_000, 125_000, 1_250_000, 1_250_000)),
        ("gpt-5-mini", Price(250_000, 2_000_000, 25_000, 250_000, 250_000)),
        ("gpt-5-pro", None),
        ("o3-deep-research", None),
        ("gpt-5.9", None),
        ("gpt-50", None),
        ("mock-model", None),
        ("", None),
    ],
)
def test_a_price_is_found_by_the_beginning_of_a_name(model: str, price: Price | None) -> None:
    assert listed_prices().price_of(model) == price


def test_a_large_request_may_have_another_price() -> None:
    prices = listed_prices()
    small, large = (prices.price_of("gemini-2.5-pro", window) for window in (199_999, 200_000))
    assert small is not None and large is not None  # noqa: PT018
    assert (small.input, large.input) == (1_250_000, 2_500_000)


def test_each_kind_of_token_has_its_price() -> None:
    assert OPUS.cost(1, 0, 0, 0, 0) == 5_000_000
    assert OPUS.cost(0, 1, 0, 0, 0) == 500_000
    assert OPUS.cost(0, 0, 10, 4, 0) == 6 * 6_250_000 + 4 * 10_000_000
    assert OPUS.cost(0, 0, 0, 0, 2) == 50_000_000


@pytest.mark.parametrize(
    ("said", "amount"), [("5", 5_000_000), ("6.25", 6_250_000), ("0.075", 75_000), (".5", 500_000), ("0", 0)]
)
def test_dollars_are_read_exactly(said: str, amount: int) -> None:
    assert millionths(said) == amount


@pytest.mark.parametrize("said", ["", "-1", "1e3", "x", "1.2.3", "0.0000001", "None"])
def test_what_is_no_amount_is_refused(said: str) -> None:
    with pytest.raises(ValueError, match="is no amount"):
        millionths(said)


def test_a_file_takes_the_place_of_the_table() -> None:
    tiers = [{"input": 1, "output": 2}, {"input": 3, "output": 4, "above": 9}]
    told = {"date": "2027-01-02", "models": {"mine": {"input": 2, "output": 10.5}, "big": tiers}}
    prices = prices_in(json.dumps(told), "prices.json")
    assert (prices.date, prices.source) == ("2027-01-02", "prices.json")
    assert prices.price_of("mine-large") == Price(2_000_000, 10_500_000, 2_000_000, 2_000_000, 2_000_000)
    assert [price.input for window in (8, 9) if (price := prices.price_of("big", window))] == [1_000_000, 3_000_000]
    assert prices.price_of("claude-opus-4-6") is None


@pytest.mark.parametrize(
    "text", ["", "[]", "{}", '{"models": 1}', '{"models": {"a": {}}}', '{"models": {"a": {"input": 1}}}',
             '{"models": {"a": {"input": "x", "output": 1}}}', '{"models": {"a": {"input": -1, "output": 1}}}'],
)  # fmt: skip
def test_a_file_that_is_no_table_says_so(text: str) -> None:
    with pytest.raises(Usage, match="a table of prices"):
        prices_in(text, "prices.json")


def test_the_table_is_dated() -> None:
    assert len(DATE) == 10
    assert listed_prices().date == DATE
