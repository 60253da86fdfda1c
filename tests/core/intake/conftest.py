"""What tests of intake share."""

import pytest

from ccos_core.intake.calls import numbered


@pytest.fixture
def every_hit_counts(monkeypatch: pytest.MonkeyPatch) -> None:
    """Hits are read line by line, and told however few they are: what counts is a rule of its own."""
    monkeypatch.setattr(numbered, "FEWEST", 1)
