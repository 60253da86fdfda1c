"""Names of models as hosts spell them, without the provider they were asked through, and what is known of a model.

plain_model("us.anthropic.claude-opus-4-5-20251101-v1:0")  →  "claude-opus-4-5-20251101-v1:0"
"""

from __future__ import annotations

import re
from functools import lru_cache

_PROVIDER = re.compile(r"(?:[a-z]{2,6}\.)?(?:anthropic|openai|google|meta|mistral|deepseek|qwen)[.:]")

THOUGHTS_LEAVE = (
    "claude-3", "claude-sonnet-4-2", "claude-sonnet-4-0", "claude-sonnet-4-5", "claude-sonnet-4@", "claude-4-sonnet",
    "claude-opus-4-2", "claude-opus-4-0", "claude-opus-4-1", "claude-opus-4@", "claude-haiku-4-5",
    "gpt-5", "codex-", "o1", "o3", "o4",
)  # fmt: skip
"""Beginnings of models whose service drops the thoughts of earlier turns once the user speaks again; see decision
0023."""


@lru_cache(maxsize=256)
def plain_model(name: str) -> str:
    """Return a model's name in lower case, without what stands in front of it."""
    plain = name.strip().lower().rpartition("/")[2]
    found = _PROVIDER.match(plain)
    return plain[found.end() :] if found else plain


def thoughts_leave(model: str) -> bool:
    """Whether thoughts leave a model's window once the user speaks again."""
    return plain_model(model).startswith(THOUGHTS_LEAVE)


WINDOWS = (
    ("claude", 200_000), ("gpt-5", 272_000), ("gpt-4.1", 1_047_576), ("gpt-4o", 128_000), ("o1", 200_000),
    ("o3", 200_000), ("o4", 200_000), ("codex", 272_000), ("gemini", 1_048_576), ("qwen3-coder", 262_144),
    ("grok-4", 256_000), ("deepseek", 128_000),
)  # fmt: skip
"""Beginnings of models → tokens of the window that hosts use with them, where the host itself doesn't say it."""
LONG_WINDOW = 1_000_000
_IS_LONG = "[1m]"


def window_of(model: str) -> int | None:
    """Return how many tokens a model's window has, as far as its name says it; None if that isn't known."""
    if _IS_LONG in model.lower():
        return LONG_WINDOW
    plain = plain_model(model)
    return next((tokens for begin, tokens in WINDOWS if plain.startswith(begin)), None)
