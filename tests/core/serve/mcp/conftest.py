"""Reports of defects that tests provoke go to a folder of the tests, and so does the door for neighbours."""

from collections.abc import Iterator

import pytest


@pytest.fixture(scope="session", autouse=True)
def _no_state_of_anybodys(tmp_path_factory: pytest.TempPathFactory) -> Iterator[None]:
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("XDG_STATE_HOME", str(tmp_path_factory.mktemp("state")))
        patch.delenv("XDG_RUNTIME_DIR", raising=False)
        yield
