"""`host`: somebody who calls the tools of a small project that was looked through."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from ccos_core.session.live_scan import look_through
from tests.core.serve.mcp.tools.serving import Host, project


@pytest.fixture
def host(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Host]:
    monkeypatch.delenv("CCOS_OFF", raising=False)
    host = Host(project(tmp_path / "project"), tmp_path / "work.ccos")
    host.door.live()
    look_through(host.door.path)
    yield host
    host.door.close()
