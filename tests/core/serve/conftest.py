"""`run`: a command of ours, in this process."""

from __future__ import annotations

import pytest

from tests.core.serve.calling import Caller


@pytest.fixture
def run(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> Caller:
    for name in ("CCOS_OFF", "CCOS_OPLOG_MAX", "CCOS_OPLOG_KEEP", "NO_COLOR"):
        monkeypatch.delenv(name, raising=False)
    return Caller(capsys)
