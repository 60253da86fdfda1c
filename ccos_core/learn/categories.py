"""In which of the ten categories a rule belongs, by its words."""

from __future__ import annotations

import re

OTHERWISE = "workflow"
_WORDS = {
    "security": "secret|password|token|credential|privacy|sanitize|injection|encrypt|permission",
    "collaboration": "pull request|pr|prs|review|reviewer|issue|issues|comment on|teammate|linear|jira",
    "git": "git|commit|commits|committing|branch|branches|rebase|merge|push|amend|stash|worktree",
    "testing": "test|tests|testing|pytest|spec|specs|coverage|fixture|mock|jest|vitest",
    "performance": "performance|slow|latency|memory|benchmark|cache|parallel|speed",
    "debugging": "debug|debugging|log|logs|logging|trace|breakpoint|error|errors|failure|reports",
    "documentation": "doc|docs|documentation|readme|changelog|comment|comments|docstring|spelling|claude.md|agents.md",
    "integration": "api|ci|hook|hooks|deploy|release|docker|server|client|webhook",
    "architecture": "package|module|interface|layer|import|imports|dependency|class|struct|refactor|duplication",
}
"""Category → its words; the first that fits, in this order."""
_PATTERNS = {name: re.compile(rf"(?<![\w-])(?:{words})(?![\w-])", re.IGNORECASE) for name, words in _WORDS.items()}


def category_of(text: str) -> str:
    """Return the category of a rule."""
    return next((name for name, pattern in _PATTERNS.items() if pattern.search(text)), OTHERWISE)
