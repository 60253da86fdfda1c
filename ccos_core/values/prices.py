"""List prices of models per million tokens, and what a request costs at them.

Amounts are integers: millionths of a dollar per million tokens, so tokens × price are millionths of a millionth. A
price is found by the beginning of a model's name. The longest one counts, and a name that goes on with another version
is another model. Prices for requests over a size stand in rows of their own.

    price_of("claude-opus-4-6", 120_000)  →  Price(5_000_000, 25_000_000, 500_000, 6_250_000, 10_000_000)
"""

from __future__ import annotations

import json
import re
from collections.abc import Sequence
from typing import Any, NamedTuple

from ccos_core.errors import Usage
from ccos_core.values.models import plain_model

DATE = "2026-11-23"
"""When the prices below were looked up."""
MILLION = 1_000_000

Row = tuple[str, int, str]
"""Beginnings of names, separated by blanks; the tokens of a request over which it holds; input, output, cache read,
writes to a five-minute and a one-hour cache, in dollars. Where a cache has no price of its own, input's is taken."""

ROWS: tuple[Row, ...] = (
    # Anthropic, platform.claude.com/docs/en/about-claude/pricing
    ("claude-fable-5-1 claude-mythos-5-1", 0, "10 50 0.25 12.50 20"),
    ("claude-fable-5 claude-mythos-5", 0, "10 50 1 12.50 20"),
    ("claude-opus-5-5", 0, "4 20 0.20 5 8"),
    ("claude-opus-5 claude-opus-4-8 claude-opus-4-7 claude-opus-4-6 claude-opus-4-5", 0, "5 25 0.50 6.25 10"),
    ("claude-opus-4-1 claude-opus-4-0 claude-opus-4 claude-3-opus", 0, "15 75 1.50 18.75 30"),
    ("claude-sonnet-5-5", 0, "2 10 0.10 2.50 4"),
    ("claude-sonnet-5", 0, "2 10 0.20 2.50 4"),
    ("claude-sonnet-4-6 claude-3-7-sonnet claude-3-5-sonnet", 0, "3 15 0.30 3.75 6"),
    ("claude-sonnet-4-5 claude-sonnet-4-0 claude-sonnet-4", 0, "3 15 0.30 3.75 6"),
    ("claude-sonnet-4-5 claude-sonnet-4-0 claude-sonnet-4", 200_000, "6 22.50 0.60 7.50 12"),
    ("claude-haiku-5-5", 0, "0.10 0.50 0.01 0.125 0.20"),
    ("claude-haiku-5-5", 100_000, "0.50 2.50 0.05 0.625 1"),
    ("claude-haiku-4-5", 0, "1 5 0.10 1.25 2"),
    ("claude-3-5-haiku", 0, "0.80 4 0.08 1 1.60"),
    ("claude-3-haiku", 0, "0.25 1.25 0.03 0.30 0.50"),
    # OpenAI, developers.openai.com/api/docs/pricing and the pages of the models
    ("gpt-5 gpt-5.1", 0, "1.25 10 0.125"),
    ("gpt-5-mini gpt-5.1-codex-mini", 0, "0.25 2 0.025"),
    ("gpt-5-nano", 0, "0.05 0.40 0.005"),
    ("gpt-5.2 gpt-5.3-codex", 0, "1.75 14 0.175"),
    ("gpt-5.2-pro", 0, "21 168"),
    ("gpt-5.4", 0, "2.50 15 0.25"),
    ("gpt-5.4", 272_000, "5 22.50 0.50"),
    ("gpt-5.4-mini", 0, "0.75 4.50 0.075"),
    ("gpt-5.4-nano", 0, "0.20 1.25 0.02"),
    ("gpt-5.5", 0, "5 30 0.50"),
    ("gpt-5.5", 272_000, "10 45 1"),
    ("gpt-5.6-sol", 0, "5 30 0.50 6.25"),
    ("gpt-5.6-sol", 272_000, "10 45 1 12.50"),
    ("gpt-5.6-terra", 0, "2 12 0.20 2.50"),
    ("gpt-5.6-terra", 272_000, "4 18 0.40 5"),
    ("gpt-5.6-luna", 0, "0.20 1.20 0.02 0.25"),
    ("gpt-5.6-luna", 200_000, "0.40 1.80 0.04 0.50"),
    ("gpt-4.1 o3", 0, "2 8 0.50"),
    ("gpt-4.1-mini", 0, "0.40 1.60 0.10"),
    ("gpt-4.1-nano", 0, "0.10 0.40 0.025"),
    ("gpt-4o", 0, "2.50 10 1.25"),
    ("gpt-4o-mini", 0, "0.15 0.60 0.075"),
    ("o4-mini", 0, "1.10 4.40 0.275"),
    # Google, ai.google.dev/gemini-api/docs/pricing
    ("gemini-2.5-pro", 0, "1.25 10 0.125"),
    ("gemini-2.5-pro", 200_000, "2.50 15 0.25"),
    ("gemini-2.5-flash", 0, "0.30 2.50 0.03"),
    ("gemini-2.5-flash-lite", 0, "0.10 0.40 0.01"),
    ("gemini-3-pro gemini-3.1-pro", 0, "2 12 0.20"),
    ("gemini-3-pro gemini-3.1-pro", 200_000, "4 18 0.40"),
    ("gemini-3-flash", 0, "0.50 3 0.05"),
    ("gemini-3.1-flash-lite", 0, "0.25 1.50 0.025"),
    ("gemini-3.5-flash", 0, "1.50 9 0.15"),
    # xAI, Moonshot: the table of models in docs.github.com/copilot; DeepSeek: api-docs.deepseek.com, V3.2
    ("grok-4.5 grok-4.6", 0, "2 6 0.50"),
    ("grok-4.5 grok-4.6", 200_000, "4 12 1"),
    ("kimi-k2.7-code", 0, "0.95 4 0.19"),
    ("kimi-k3", 0, "3 15 0.30"),
    ("deepseek-chat", 0, "0.28 0.42 0.028"),
)
_GOES_ON = re.compile(
    r"(?:[@:\[].*|-(?!\d{1,2}(?:\D|$)|(?:pro|mini|nano|audio|realtime|image|fast|lite|flash|deep-research|search)\b).*)?"
)
"""What may follow the beginning of a name: a date, and not the number of another version nor the name of another model,
whose price is another."""


class Price(NamedTuple):
    """What a million tokens cost, in millionths of a dollar."""

    input: int
    output: int
    read: int
    write: int
    write_hour: int

    def cost(self, fresh: int, cached: int, stored: int, stored_hour: int, written: int) -> int:
        """Return the cost of a request in millionths of a millionth of a dollar."""
        kept_short = max(stored - stored_hour, 0)
        inputs = fresh * self.input + cached * self.read + kept_short * self.write + stored_hour * self.write_hour
        return inputs + written * self.output


class Prices:
    """A table of prices."""

    def __init__(self, rows: Sequence[tuple[str, int, Price]], date: str, source: str = "") -> None:
        self.date = date
        """When they were looked up."""
        self.source = source
        """The file they are from; empty for those of this package."""
        self._rows = sorted(rows, key=lambda row: (len(row[0]), row[1]))

    def price_of(self, model: str, window: int = 0) -> Price | None:
        """Return what a request of so many tokens costs; None if the model isn't known."""
        name = plain_model(model)
        name = name.replace(".", "-") if name.startswith("claude") else name
        fitting = [row for row in self._rows if name.startswith(row[0]) and _GOES_ON.fullmatch(name[len(row[0]) :])]
        longest = fitting[-1][0] if fitting else ""
        return next((price for start, above, price in reversed(fitting) if start == longest and window >= above), None)


def millionths(dollars: str) -> int:
    """Return an amount such as `6.25` in millionths; raises ValueError for what is none."""
    whole, _, part = dollars.partition(".")
    if not (whole + part).isdecimal() or len(whole) > 9 or len(part) > 6:
        raise ValueError(f"{dollars!r} is no amount")
    return int(whole or "0") * MILLION + int(part.ljust(6, "0") or "0")


def _price(amounts: Sequence[str]) -> Price:
    """A price of as many kinds as are known: reads and writes of a cache cost what input does, an hour what a write."""
    paid = [millionths(each) for each in amounts]
    read = paid[2] if len(paid) > 2 else paid[0]
    write = paid[3] if len(paid) > 3 else paid[0]
    return Price(paid[0], paid[1], read, write, paid[4] if len(paid) > 4 else write)


def listed_prices() -> Prices:
    """Return the prices of this package."""
    rows = [(name, above, _price(paid.split())) for names, above, paid in ROWS for name in names.split()]
    return Prices(rows, DATE)


def prices_in(text: str, source: str) -> Prices:
    """Read a file of prices: `{"date": ..., "models": {NAME: {"input": 5, "output": 25, ...}}}`, in dollars per million
    tokens. A model may have `cache_read`, `cache_write` and `cache_write_hour` besides, or a list of such prices, each
    for requests `above` a number of tokens."""
    try:
        told = json.loads(text, parse_float=str, parse_int=str)
        rows = [row for name, said in told["models"].items() for row in _rows_of(name.lower(), said)]
        return Prices(rows, str(told.get("date", "")), source)
    except (ValueError, KeyError, TypeError, AttributeError, RecursionError) as error:
        hint = '{"date": "2026-11-23", "models": {"my-model": {"input": 2, "output": 10, "cache_read": 0.2}}}'
        raise Usage("isn't a table of prices", place=source, hint=f"Write it like this: {hint}") from error


def _rows_of(name: str, said: Any) -> list[tuple[str, int, Price]]:
    """The rows of one model: one, or several that hold above a number of tokens."""
    found: list[tuple[str, int, Price]] = []
    for each in said if isinstance(said, list) else [said]:
        amounts = [each["input"], each["output"], each.get("cache_read", each["input"])]
        amounts.append(each.get("cache_write", each["input"]))
        amounts.append(each.get("cache_write_hour", amounts[-1]))
        found.append((name, int(each.get("above", 0)), _price([str(amount) for amount in amounts])))
    return found
