"""A server that is killed leaves nothing behind that runs, and those that are alive don't do the same work twice."""

import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from ccos_core.session.trouble_log import read_troubles
from ccos_core.storage.locate import default_path
from tests.kin import Kin, greet, kill, make_project

pytestmark = pytest.mark.skipif(not sys.platform.startswith("linux"), reason="reads /proc")
GRACE_SECONDS = 5.0


@pytest.fixture
def project(tmp_path: Path) -> Path:
    return make_project(tmp_path / "project")


@pytest.fixture
def kin(tmp_path: Path) -> Iterator[Kin]:
    kin = Kin(tmp_path / "state")
    yield kin
    assert not kin.left_after(GRACE_SECONDS)


def test_nothing_lives_on_after_repeated_kills(kin: Kin, project: Path) -> None:
    for _ in range(4):
        server = kin.start("mcp", cwd=project)
        greet(server)
        assert kin.are(2)  # it looks through the project
        kill(server)
    assert not kin.left_after(GRACE_SECONDS)


def test_what_looks_through_a_project_ends_while_it_waits_for_its_turn(kin: Kin, project: Path) -> None:
    servers = [kin.start("mcp", cwd=project) for _ in range(3)]
    for server in servers:
        greet(server)
    for server in servers:
        kill(server)
    assert not kin.left_after(GRACE_SECONDS)


def test_a_killed_server_spoils_nothing_for_the_next(
    kin: Kin, project: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path / "state"))
    server = kin.start("mcp", cwd=project)
    greet(server)
    kill(server)
    from ccos_core.session.ingest import ingest
    from ccos_core.session.live_scan import in_turn, look_through, make
    from ccos_core.session.session import open_session

    path = default_path(str(project))
    make(path, str(project))
    assert in_turn(path, lambda: look_through(path))
    with open_session(path) as session:
        assert not ingest(session, [str(project)]).recorded
    assert read_troubles() == []
