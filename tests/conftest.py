"""What every test has: a cache folder that isn't the user's own, Ctrl-C, and as much time as the machine takes."""

import os
import signal
from collections.abc import Iterator
from pathlib import Path

import pytest
from hypothesis import settings

settings.register_profile("untimed", parent=settings(), deadline=None)
settings.load_profile("untimed")

if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:
    # A shell starts what runs in the background deaf to it, and programs that tests start would inherit that.
    signal.signal(signal.SIGINT, signal.default_int_handler)


@pytest.fixture(scope="session", autouse=True)
def _no_cache_of_anybodys(tmp_path_factory: pytest.TempPathFactory) -> Iterator[None]:
    before = os.environ.get("XDG_CACHE_HOME")
    os.environ["XDG_CACHE_HOME"] = str(tmp_path_factory.mktemp("cache"))
    yield
    if before is None:
        del os.environ["XDG_CACHE_HOME"]
    else:
        os.environ["XDG_CACHE_HOME"] = before


@pytest.fixture
def shop(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A project that hooks may tell of, and a state folder that is nobody's own."""
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path / "state"))
    for name in ("CCOS_WORKSPACE", "CCOS_OFF"):
        monkeypatch.delenv(name, raising=False)
    root = tmp_path / "shop"
    (root / ".git").mkdir(parents=True)
    return root
