"""Which statements take the place of others."""

from __future__ import annotations

import pytest

from ccos_core.query.instructions.replacing import replaces


@pytest.mark.parametrize(
    ("earlier", "later"),
    [
        ("Use npm for installing packages.", "From now on use pnpm instead of npm."),
        ("Use npm.", "Use pnpm from now on."),
        ("The port must be 8080.", "The port must be 9090."),
        ("Use port 8080 for the dev server.", "Actually, use port 9090 for the dev server."),
        ("Deploy to staging-eu.", "From now on deploy to staging-us."),
        ("Commit messages must start with `ABC-1`.", "From now on commit messages must start with `OPS-1`."),
        ("Never use float for money.", "Use float for money now."),
        ("Log with `log.info`.", "From now on log with `logger.debug`."),
        ("Use pytest for the tests.", "We switched from pytest to unittest."),
        ("Put new endpoints in `api/v1/`.", "New endpoints go in `api/v2/` from now on."),
        ("Use `requests` for HTTP calls.", "Use `httpx` instead of `requests`."),
        ("Squash pull requests with --squash.", "Don't squash pull requests."),
        ("Indent with tabs.", "Indent with spaces from now on, not tabs."),
    ],
)
def test_the_same_subject_said_otherwise(earlier: str, later: str) -> None:
    assert replaces(later, earlier) is not None


@pytest.mark.parametrize(
    ("earlier", "later"),
    [
        ("Write tests in tests/.", "Never push to main."),
        ("Use tabs.", "Use Go 1.24."),
        ("Never push to main.", "Never commit to main."),
        ("Use pnpm.", "Use pnpm, not npm."),
        ("The port must be 8080.", "The timeout must be 30."),
        ("Don't touch schema/.", "Now look at schema/ and tell me what is in it."),
        ("Deploy to staging-eu.", "Deploy to staging-us, too."),
    ],
)
def test_another_subject_or_the_same_said_again(earlier: str, later: str) -> None:
    assert replaces(later, earlier) is None
