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
    "debugging": "debug|debugging|bug|bugs|crash|crashes|crashed|traceback|log|logs|logging|trace|breakpoint"
    "|error|errors|failure|reports",
    "documentation": "doc|docs|documentation|readme|changelog|comment|comments|docstring|spelling|claude.md|agents.md",
    "integration": "api|ci|hook|hooks|deploy|release|docker|server|client|webhook",
    "architecture": "package|module|interface|layer|import|imports|dependency|class|struct|refactor|duplication",
}
"""Category → its words; the first that fits, in this order."""
_PATTERNS = {name: re.compile(rf"(?<![\w-])(?:{words})(?![\w-])", re.IGNORECASE) for name, words in _WORDS.items()}


_OF_WORKFLOW = re.compile(
    r"(?<![\w-])(?:workflow|format|lint|linter|build|script|plan|todo|make)(?![\w-])", re.IGNORECASE
)


def category_hits(text: str) -> dict[str, int]:
    """Return how many different words of a text name each category, of those that are named."""
    patterns = {**_PATTERNS, OTHERWISE: _OF_WORKFLOW}
    found = {name: {hit.lower() for hit in pattern.findall(text)} for name, pattern in patterns.items()}
    return {name: len(hits) for name, hits in found.items() if hits}


def category_of(text: str) -> str:
    """Return the category of a rule."""
    return next((name for name, pattern in _PATTERNS.items() if pattern.search(text)), OTHERWISE)
